//! Facts about a rule set: promises about the behavior of its hooks, which let generators and searches be
//! faster. If a fact is false, their results are wrong.

use crate::{Castling, Rules};
use board::{Kind, Men};
use position::Layout;

/// The method by which a rule set decides whether a turn leaves the mover safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Safety {
    /// The king is the only royal unit. The king and the units that give check move as described by
    /// [`Men`]. Pins and check lines alone decide which turns are safe.
    Pins,
    /// Units of any kind may be royal, and are attacked along the lines that [`Rules::attack_path`] returns.
    /// These lines decide which steps are safe. Turns that are generated one by one, such as en passant
    /// captures, are tested by trial with [`Rules::is_safe`].
    Lines,
    /// Each pseudo-legal turn is tested by trial with [`Rules::is_safe`].
    Trial,
    /// No unit is royal: every pseudo-legal turn is safe.
    NoRoyals,
}

/// The transformations under which the rules are invariant: the legal turns and outcomes of the transformed
/// position are those of the original, transformed in the same way. Castling rights are ignored, and whether
/// the shape of the board permits the transformation is decided elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetries {
    /// Left and right are swapped.
    pub files: bool,
    /// Without pawns on the board: the order of the ranks is reversed.
    pub ranks: bool,
    /// Without pawns, on a square board: files are swapped with ranks.
    pub diagonals: bool,
    /// The sides are swapped, on the board together with the ranks, and in the state
    /// ([`Carried::swapped_state`](crate::Carried::swapped_state)).
    pub colors: bool,
}

impl Symmetries {
    /// Every symmetry.
    pub const ALL: Symmetries = Symmetries {
        files: true,
        ranks: true,
        diagonals: true,
        colors: true,
    };

    /// Only left and right may be swapped.
    pub const FILES: Symmetries = Symmetries {
        files: true,
        ..Symmetries::NONE
    };

    /// Returns the symmetries that are in both.
    pub const fn and(self, other: Symmetries) -> Symmetries {
        Symmetries {
            files: self.files && other.files,
            ranks: self.ranks && other.ranks,
            diagonals: self.diagonals && other.diagonals,
            colors: self.colors && other.colors,
        }
    }

    /// No symmetry.
    pub const NONE: Symmetries = Symmetries {
        files: false,
        ranks: false,
        diagonals: false,
        colors: false,
    };
}

/// Whether turns, apart from castling and en passant captures, follow from the movements of the men alone. A
/// piece goes where its leaps and slides lead, and captures an enemy unit there unless the unit is royal. A
/// pawn captures where it attacks. It also goes where it could go on an empty board, provided that the target
/// is vacant and, for a double step, the passed square as well. On its last rank, a pawn becomes one of
/// [`Facts::promotions`], if there are any. A piece of a kind in [`Facts::changes`] that ends a step on its
/// last rank may keep its kind or become another of them. The king is the only royal unit. A turn is legal if
/// [`fide::in_check`](crate::fide::in_check) is false for the mover after the turn. Positions have no variant
/// state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plain {
    /// No.
    No,
    /// Yes, and no position with turns is settled.
    Lasting,
    /// Yes, and whether a position is settled depends only on the placement of the units and the side to
    /// move.
    Settling,
}

/// The promise that the effect of a step depends only on the side to move, one of some variant states, the rights
/// of castling, and the units that take part: the unit that steps, at most one enemy unit that it captures on its
/// target or in passing, and king and rook in castling. All other units can only prevent a step. A step leads
/// from one square of the board to another, and changes no other squares.
///
/// A drop depends on one unit in hand alone, apart from what prevents it. A unit gets into a hand only by a
/// capture, which shows in the variant state after the capturing step.
///
/// Proofs over all single steps rely on this promise. Without it, they are not attempted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndependentSteps {
    /// The variant states in which steps differ, as the first word. In every other state, each side has no
    /// steps other than those in one of these states, apart from drops.
    pub states: &'static [u64],
    /// Whether turns consist of the steps of two units. Each of the two steps then depends on its own unit
    /// alone, and the kind of the other unit decides at most whether there is a turn.
    pub two_units: bool,
}

impl IndependentSteps {
    /// Turns of one unit, whose steps do not depend on the variant state.
    pub const STATELESS: IndependentSteps = IndependentSteps {
        states: &[0],
        two_units: false,
    };
}

/// How deeply the rules nest lists of turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NestedLists {
    /// The lists that are nested for each turn when turns are listed.
    pub per_turn: u32,
    /// The lists that are nested when it is decided whether the game is over, besides the list of the turns.
    pub per_position: u32,
}

/// The promises of a rule set. The constant [`Rules::FACTS`] selects the code that is compiled for the rule
/// set.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The version of the rules. A correction of the rule set increments it, so that values stored before the
    /// correction are computed again.
    pub law: u32,
    /// The way in which the mover's safety is tested.
    pub safety: Safety,
    /// Whether [`Rules::filter`] removes turns.
    pub filters: bool,
    /// Whether the king has orthodox flights, so that a search for mates may count them. In positions that
    /// are not settled, this means: the king may step to every neighboring square that does not hold a unit
    /// of its own side and is not attacked once the king has left its square. A turn of one step changes
    /// nothing else on the board. Turns are generated by [`fide::legal`](crate::fide::legal) or code
    /// equivalent to it.
    pub flights: bool,
    /// A piece of one of these kinds that ends a step on its side's last rank may keep its kind or become
    /// another of these kinds.
    pub changes: &'static [Kind],
    /// The result of [`Rules::men`], unless the rule set overrides the hook.
    pub men: &'static Men,
    /// The result of [`Rules::double_step`], unless the rule set overrides the hook.
    pub double_step: bool,
    /// The result of [`Rules::castling`], unless the rule set overrides the hook.
    pub castling: Option<Castling>,
    /// The result of [`Rules::promotions`], unless the rule set overrides the hook.
    pub promotions: &'static [Kind],
    /// Whether [`Rules::settled`] depends only on the number of units of each kind and color, not on their
    /// squares or the state.
    pub settled_by_material: bool,
    /// Whether units can be bound under others.
    pub binds: bool,
    /// The promise to code that takes turns back, or plays turns without examining each.
    pub plain: Plain,
    /// The promise about the effects of steps, if the rule set keeps it.
    pub independent_steps: Option<IndependentSteps>,
    /// The transformations under which the rules are invariant on every board, castling aside.
    pub symmetries: Symmetries,
}

impl Facts {
    /// The facts of a rule set that declares nothing.
    pub const DEFAULT: Facts = Facts {
        law: 1,
        safety: Safety::Pins,
        filters: false,
        flights: false,
        changes: &[],
        men: &Men::FIDE,
        double_step: true,
        castling: Some(Castling::FIDE),
        promotions: &[Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight],
        settled_by_material: false,
        binds: false,
        plain: Plain::No,
        independent_steps: None,
        symmetries: Symmetries::FILES,
    };

    /// The default facts, with every symmetry.
    pub const SYMMETRIC: Facts = Facts {
        symmetries: Symmetries::ALL,
        ..Facts::DEFAULT
    };

    /// Returns these facts, with the promise that steps of single units are independent.
    pub const fn with_independent_steps(self) -> Facts {
        Facts {
            independent_steps: Some(IndependentSteps::STATELESS),
            ..self
        }
    }

    /// Returns whether pins and check lines alone decide which turns are legal.
    pub const fn legality_by_pins(&self) -> bool {
        matches!(self.safety, Safety::Pins) && !self.filters
    }

    /// Returns whether searches for mates may count the king's flights.
    pub const fn orthodox_flights(&self) -> bool {
        self.flights && self.legality_by_pins()
    }

    /// Returns whether turns follow from the men alone ([`Plain`]).
    pub const fn is_plain(&self) -> bool {
        !matches!(self.plain, Plain::No)
    }
}

/// The way in which the turn generator is compiled for a rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generator {
    /// On [lean](Layout::LEAN) layouts, all rule sets with this value share one compiled generator. On
    /// other layouts, the rule set has its own.
    Shared,
    /// The rule set has its own generator on every layout. This is faster, but takes longer to build.
    Own,
    /// Like `Own`, but [`Rules::facts`] returns the facts at run time, and the constant is ignored.
    AtRunTime,
}

/// The code paths that are compiled for a rule set: those that its facts require, or all if its facts are
/// known only at run time.
pub(crate) struct Compiled<W, R>(std::marker::PhantomData<(W, R)>);

impl<W: Layout, R: Rules<W>> Compiled<W, R> {
    /// Whether the facts are known only at run time.
    pub const AT_RUN_TIME: bool = matches!(R::GENERATOR, Generator::AtRunTime);
    /// Code for rule sets whose legality is decided by pins.
    pub const BY_PINS: bool = Self::AT_RUN_TIME || R::FACTS.legality_by_pins();
    /// Code for kings with orthodox flights.
    pub const FLIGHTS: bool = Self::AT_RUN_TIME || R::FACTS.orthodox_flights();
    /// Code for rule sets whose turns follow from the men alone.
    pub const PLAIN: bool = Self::AT_RUN_TIME || R::FACTS.is_plain();
    /// Code for rule sets with filters.
    pub const FILTERS: bool = Self::AT_RUN_TIME || R::FACTS.filters;
    /// Code for rule sets without filters.
    pub const NO_FILTERS: bool = Self::AT_RUN_TIME || !R::FACTS.filters;
    /// Code for pieces that change their kind on their last rank.
    pub const CHANGES: bool = Self::AT_RUN_TIME || !R::FACTS.changes.is_empty();
}

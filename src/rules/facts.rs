//! Facts about a rule set: what its hooks promise, so that generators and everything above can be fast.

use crate::{Castling, Rules};
use board::{Kind, Men};
use position::Layout;

/// How a rule set decides whether a turn leaves the mover safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Safety {
    /// The king is the only royal unit. The king and the units that give check move as
    /// [`Men`](board::Men) says. Pins and check lines alone decide which turns are safe.
    Pins,
    /// Royal units of any kind, attacked along the lines that [`Rules::attack_path`] returns. These
    /// lines decide which steps are safe. Turns that are generated one by one, such as en passant
    /// captures, are played and judged by [`Rules::is_safe`].
    Lines,
    /// Each pseudo-legal turn is played and judged by [`Rules::is_safe`].
    Trial,
    /// No unit is royal: every pseudo-legal turn is safe.
    NoRoyals,
}

/// The changes of orientation under which the rules stay the same: the legal turns and outcomes of the
/// changed position are those of the original, changed in the same way. Castling rights are ignored,
/// and so is the question whether the shape of the board allows the change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetries {
    /// Left and right are swapped.
    pub files: bool,
    /// Without pawns on the board: the first rank is swapped with the last, and so on.
    pub ranks: bool,
    /// Without pawns, on a square board: files are swapped with ranks.
    pub diagonals: bool,
    /// The sides are swapped together with the ranks, and in the state
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

    /// No symmetry.
    pub const NONE: Symmetries = Symmetries {
        files: false,
        ranks: false,
        diagonals: false,
        colors: false,
    };
}

/// Whether turns, apart from castling and en passant captures, follow from the men alone. A unit goes
/// where its leaps and slides lead and captures what is there, unless that is its own or royal. A pawn
/// captures where it attacks. Otherwise it goes where it could go on an empty board, provided that the
/// square is vacant, and for a double step also the square it passes. On its last rank it becomes one of
/// [`Rules::promotions`], if there are any. Another unit that ends a step there, and is one of
/// [`Facts::changes`], may stay what it is or become another of them. The king is the only royal unit. A
/// turn is legal if [`fide::in_check`](crate::fide::in_check) says that the mover is not in check after
/// it. Positions have no variant state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plain {
    /// No.
    No,
    /// Yes, and no game is settled while there are turns.
    Lasting,
    /// Yes, and what is settled depends only on the placement of the units and the side to move.
    Settling,
}

/// What a rule set promises. The constant [`Rules::FACTS`] selects the code that is compiled for it.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Raised by one whenever the rules of this rule set are corrected, so that values stored before the
    /// correction are computed again.
    pub law: u32,
    /// How the mover's own safety is judged.
    pub safety: Safety,
    /// Whether [`Rules::filter`] does anything.
    pub filters: bool,
    /// Whether an orthodox king has orthodox flights, so that a search for mates may count them. This
    /// holds for positions that are not settled and means: the king may always step to a neighboring
    /// square that holds no unit of its own side and is not attacked once the king has left its square;
    /// a turn of one step changes nothing else on the board; and turns are generated as by
    /// [`fide::legal`](crate::fide::legal).
    pub flights: bool,
    /// A unit of one of these kinds that ends a step on its owner's last rank may become another of
    /// them instead of staying what it is.
    pub changes: &'static [Kind],
    /// What [`Rules::men`] returns, unless the rule set has a hook of its own.
    pub men: &'static Men,
    /// What [`Rules::double_step`] returns, unless the rule set has a hook of its own.
    pub double_step: bool,
    /// What [`Rules::castling`] returns, unless the rule set has a hook of its own.
    pub castling: Option<Castling>,
    /// What [`Rules::promotions`] returns, unless the rule set has a hook of its own.
    pub promotions: &'static [Kind],
    /// Whether [`Rules::settled`] depends only on the number of units of each kind and color: not on
    /// their squares, the state or anything else.
    pub settled_by_material: bool,
    /// Whether units can be bound under others.
    pub binds: bool,
    /// What is promised to code that takes turns back, or plays them without examining each.
    pub plain: Plain,
    /// The changes of orientation under which the rules stay the same on every board, castling aside.
    pub symmetries: Symmetries,
}

impl Facts {
    /// The facts that hold for a rule set that declares nothing.
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
        symmetries: Symmetries::FILES,
    };

    /// The default, with every symmetry.
    pub const SYMMETRIC: Facts = Facts {
        symmetries: Symmetries::ALL,
        ..Facts::DEFAULT
    };

    /// Returns whether pins and check lines alone decide which turns are legal.
    pub const fn legality_by_pins(&self) -> bool {
        matches!(self.safety, Safety::Pins) && !self.filters
    }

    /// Returns whether searches for mates may count a king's flights.
    pub const fn orthodox_flights(&self) -> bool {
        self.flights && self.legality_by_pins()
    }

    /// Returns whether turns follow from the men alone ([`Plain`]).
    pub const fn is_plain(&self) -> bool {
        !matches!(self.plain, Plain::No)
    }
}

/// How the turn generator is compiled for a rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generator {
    /// On [lean](Layout::LEAN) layouts, all rule sets with this value share one compiled generator. On
    /// other layouts, the rule set has its own.
    Shared,
    /// The rule set has its own generator on every layout: faster, and longer to build.
    Own,
    /// As `Own`, and the facts are those that [`Rules::facts`] returns at run time, not the constant.
    AtRunTime,
}

/// The ways that are compiled for a rule set: those that its facts call for, or all of them if its facts
/// are known at run time only.
pub(crate) struct Compiled<W, R>(std::marker::PhantomData<(W, R)>);

impl<W: Layout, R: Rules<W>> Compiled<W, R> {
    /// Whether the facts are known at run time only.
    pub const AT_RUN_TIME: bool = matches!(R::GENERATOR, Generator::AtRunTime);
    /// Ways for rule sets whose legality is decided by pins.
    pub const BY_PINS: bool = Self::AT_RUN_TIME || R::FACTS.legality_by_pins();
    /// Ways for kings with orthodox flights.
    pub const FLIGHTS: bool = Self::AT_RUN_TIME || R::FACTS.orthodox_flights();
    /// Ways for rule sets whose turns follow from the men.
    pub const PLAIN: bool = Self::AT_RUN_TIME || R::FACTS.is_plain();
    /// Ways for rule sets with filters.
    pub const FILTERS: bool = Self::AT_RUN_TIME || R::FACTS.filters;
    /// Ways for rule sets without filters.
    pub const NO_FILTERS: bool = Self::AT_RUN_TIME || !R::FACTS.filters;
    /// Ways for units that change on their last rank.
    pub const CHANGES: bool = Self::AT_RUN_TIME || !R::FACTS.changes.is_empty();
}

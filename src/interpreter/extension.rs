//! The extension point of the interpreter: [`Clauses`], with one method for each aspect of the rules that a rule text
//! can change.
//!
//! A rule text is compiled by a higher crate, which implements the trait. The interpreter calls it wherever it computes
//! such an aspect (`extended/`), and only for the aspects that it declares ([`Clauses::aspects`]). All other aspects
//! are those of the definition.

use board::{Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::{Action, NestedLists, Outcome, Reason, Symmetries, Turn};
use smallvec::SmallVec;
use std::ops::BitOr;

/// A set of aspects of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Aspects(u32);

impl Aspects {
    /// No aspect.
    pub const NONE: Aspects = Aspects(0);
    /// [`Clauses::movement`].
    pub const MOVEMENT: Aspects = Aspects(1);
    /// [`Clauses::onto_own`].
    pub const ONTO_OWN: Aspects = Aspects(1 << 1);
    /// [`Clauses::is_active`].
    pub const ACTIVE: Aspects = Aspects(1 << 2);
    /// [`Clauses::may_capture`].
    pub const CAPTURE: Aspects = Aspects(1 << 3);
    /// [`Clauses::royal`].
    pub const ROYAL: Aspects = Aspects(1 << 4);
    /// [`Clauses::is_checked`].
    pub const CHECK: Aspects = Aspects(1 << 5);
    /// Turns may leave the mover in check.
    pub const OWN_CHECK: Aspects = Aspects(1 << 6);
    /// [`Clauses::is_legal`].
    pub const LEGAL: Aspects = Aspects(1 << 7);
    /// [`Clauses::preference`].
    pub const PREFER: Aspects = Aspects(1 << 8);
    /// [`Clauses::steps`].
    pub const STEPS: Aspects = Aspects(1 << 9);
    /// [`Clauses::continues`].
    pub const CONTINUES: Aspects = Aspects(1 << 10);
    /// [`Clauses::may_step`].
    pub const STEP_IF: Aspects = Aspects(1 << 11);
    /// [`Clauses::step_side`].
    pub const STEP_SIDE: Aspects = Aspects(1 << 12);
    /// The mover must be out of check after each step.
    pub const EACH_STEP_SAFE: Aspects = Aspects(1 << 13);
    /// [`Clauses::taken`].
    pub const TAKES: Aspects = Aspects(1 << 14);
    /// [`Clauses::landing`].
    pub const LANDS: Aspects = Aspects(1 << 15);
    /// [`Clauses::kinds_after`].
    pub const TURNS_INTO: Aspects = Aspects(1 << 16);
    /// [`Clauses::side_after`].
    pub const JOINS: Aspects = Aspects(1 << 17);
    /// [`Clauses::removed`].
    pub const REMOVES: Aspects = Aspects(1 << 18);
    /// [`Clauses::converted`].
    pub const CONVERTS: Aspects = Aspects(1 << 19);
    /// [`Clauses::rebirth`].
    pub const REBIRTH: Aspects = Aspects(1 << 20);
    /// Kings and rooks that are reborn on their home squares may castle.
    pub const REBIRTH_RIGHTS: Aspects = Aspects(1 << 21);
    /// [`Clauses::hand`].
    pub const HAND: Aspects = Aspects(1 << 22);
    /// [`Clauses::taken_off`].
    pub const TAKE_OFF: Aspects = Aspects(1 << 23);
    /// [`Clauses::dropped`].
    pub const DROPS: Aspects = Aspects(1 << 24);
    /// [`Clauses::may_drop`].
    pub const DROP_IF: Aspects = Aspects(1 << 25);
    /// [`Clauses::update_state`].
    pub const STATE: Aspects = Aspects(1 << 26);
    /// [`Clauses::fen_error`].
    pub const FEN: Aspects = Aspects(1 << 27);
    /// [`Clauses::ended`] and [`Clauses::without_turn`].
    pub const ENDS: Aspects = Aspects(1 << 28);

    /// [`Clauses::last_square`].
    pub const ENDS_ON: Aspects = Aspects(1 << 29);

    /// The aspects that concern whole turns and positions only. With no others, turns are generated and played like those
    /// of the definition.
    pub const OF_WHOLE_TURNS: Aspects = Aspects(
        Aspects::LEGAL.0 | Aspects::PREFER.0 | Aspects::STATE.0 | Aspects::FEN.0 | Aspects::ENDS.0,
    );
    /// The aspects that change what units attack.
    pub const OF_ATTACKS: Aspects =
        Aspects(Aspects::MOVEMENT.0 | Aspects::ACTIVE.0 | Aspects::CAPTURE.0);
    /// The aspects that change the generation of steps.
    pub const OF_STEPS: Aspects = Aspects(
        Aspects::OF_ATTACKS.0
            | Aspects::ONTO_OWN.0
            | Aspects::ROYAL.0
            | Aspects::STEP_SIDE.0
            | Aspects::TAKE_OFF.0
            | Aspects::DROPS.0
            | Aspects::DROP_IF.0,
    );
    /// The aspects with which turns can have two steps.
    pub const OF_SECOND_STEPS: Aspects = Aspects(Aspects::STEPS.0 | Aspects::CONTINUES.0);
    /// The aspects that may put, remove or change further units than those that move and are captured.
    pub const OF_EFFECTS: Aspects = Aspects(
        Aspects::TAKES.0
            | Aspects::LANDS.0
            | Aspects::ONTO_OWN.0
            | Aspects::TURNS_INTO.0
            | Aspects::JOINS.0
            | Aspects::ENDS_ON.0
            | Aspects::REMOVES.0
            | Aspects::CONVERTS.0
            | Aspects::REBIRTH.0
            | Aspects::HAND.0
            | Aspects::TAKE_OFF.0
            | Aspects::DROPS.0,
    );

    /// Returns whether any aspect of another set is in this one.
    #[inline(always)]
    pub const fn any(self, other: Aspects) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether all aspects are in another set.
    pub const fn within(self, other: Aspects) -> bool {
        self.0 & !other.0 == 0
    }
}

impl BitOr for Aspects {
    type Output = Aspects;

    fn bitor(self, other: Aspects) -> Aspects {
        Aspects(self.0 | other.0)
    }
}

/// The movement of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach<S> {
    /// That of its kind.
    OfKind,
    /// The union of movements, as bits: first those of the definition's pieces, then those of the rule text.
    Union(u64),
    /// The squares to which it can step without a capture, and those that it attacks. `None` is as by `otherwise`.
    Squares {
        /// The squares of quiet steps.
        quiet: Option<S>,
        /// The attacked squares.
        attacks: Option<S>,
        /// The movements, as bits; `None` is as by its kind.
        otherwise: Option<u64>,
    },
}

/// What a step onto an own unit does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OntoOwn {
    /// It is impossible.
    No,
    /// It captures the unit.
    Captures,
    /// The units exchange their squares.
    Swaps,
}

/// Whether a second step follows the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Continues {
    /// The first step is the turn.
    No,
    /// The first step is a turn, and others go on.
    May,
    /// The turn needs a second step.
    Must,
}

/// The target of a capture or an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The unit on a square.
    Unit(Square),
    /// The missing unit: the attacked square is vacant.
    Missing,
}

/// The place of a step in its turn.
#[derive(Clone, Copy)]
pub struct Place<'a, W: Layout> {
    /// The number of the step, from 1.
    pub n: u8,
    /// The step before it.
    pub previous: Option<&'a Play<'a, W>>,
}

impl<W: Layout> Place<'_, W> {
    /// The first step.
    pub const FIRST: Place<'static, W> = Place {
        n: 1,
        previous: None,
    };
}

/// A turn or a step, while it is decided whether it is legal and what its effects are.
pub struct Play<'a, W: Layout> {
    /// The position before it.
    pub before: &'a Position<W>,
    /// The turn, or the step as a turn of one step.
    pub turn: Turn,
    /// The position after it, with the effects that are known so far.
    pub after: &'a Position<W>,
    /// The captured units, in `before`.
    pub captures: W::Set,
    /// The kind of the moved unit after it.
    pub becomes: Kind,
    /// The side of the moved unit after it.
    pub owner: Color,
    /// The square of the moved unit after it.
    pub at: Square,
    /// The place of a step in its turn.
    pub place: Place<'a, W>,
}

/// Returns whether a step exchanges the squares of two units of one side. `captures` are the units that it captures.
pub fn exchanges<W: Layout>(before: &Position<W>, turn: &Turn, captures: W::Set) -> bool {
    let step = turn.first();
    let side = |square: Square| before.unit(square).map(|(color, _)| color);
    matches!(step.action(), Action::Go | Action::Push | Action::EnPassant)
        && !captures.has(step.to)
        && side(step.from).is_some()
        && side(step.from) == side(step.to)
}

/// A captured unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Captured {
    /// Its square before the turn.
    pub square: Square,
    /// Its side.
    pub side: Color,
    /// Its kind.
    pub kind: Kind,
}

/// Whether and where a captured unit is put on the board again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rebirth<S> {
    /// It is not.
    No,
    /// On a square, if it is vacant.
    On(Square),
    /// On one of the vacant squares of a set, which the mover chooses.
    OneOf(S),
}

/// Kinds of which the mover chooses one.
pub type KindChoices = SmallVec<[Kind; 8]>;

/// The ends of games as the rule set without its clause `ends` has them.
pub trait ParentEnds<W: Layout> {
    /// Returns the outcome whether or not there are legal turns.
    fn ended(&self, p: &Position<W>) -> Option<Outcome>;
    /// Returns whether there is a legal turn.
    fn has_turn(&self, p: &Position<W>) -> bool;
    /// Returns the outcome of a position without a legal turn.
    fn without_turn(&self, p: &Position<W>) -> Outcome;
    /// Returns the number of first steps of turns that need a second one.
    fn first_steps(&self, p: &Position<W>, visit: &mut dyn FnMut(&Turn));
}

/// The clauses of a rule text on a board. The methods are called only for the aspects that [`aspects`](Self::aspects)
/// contains, and each depends on its arguments alone.
pub trait Clauses<W: Layout>: Send + Sync {
    /// Returns the aspects that the clauses change.
    fn aspects(&self) -> Aspects;

    /// Returns the symmetries that all clauses have.
    fn symmetries(&self) -> Symmetries {
        Symmetries::NONE
    }

    /// Returns how deeply the clauses nest lists of turns.
    fn nested_lists(&self) -> NestedLists {
        NestedLists::default()
    }

    /// Returns the kinds that do not have the movement of the definition, one bit for each.
    fn moved_kinds(&self) -> u64 {
        u64::MAX
    }

    /// Returns the movement of the unit on a square.
    fn movement(&self, _p: &Position<W>, _unit: Square, _place: Place<'_, W>) -> Reach<W::Set> {
        Reach::OfKind
    }

    /// Returns what a step of a unit onto an own unit does.
    fn onto_own(&self, _p: &Position<W>, _unit: Square, _target: Square) -> OntoOwn {
        OntoOwn::No
    }

    /// Returns whether a unit moves and attacks at all.
    fn is_active(&self, _p: &Position<W>, _unit: Square) -> bool {
        true
    }

    /// Returns whether a unit may capture, and so attacks, a target that it can reach.
    fn may_capture(&self, _p: &Position<W>, _unit: Square, _target: Target) -> bool {
        true
    }

    /// Returns the royal units of a side.
    fn royal(&self, _p: &Position<W>, _side: Color) -> W::Set {
        W::Set::EMPTY
    }

    /// Returns whether a side is in check for another reason than an attacked royal unit.
    fn is_checked(&self, _p: &Position<W>, _side: Color) -> bool {
        false
    }

    /// Returns whether a turn is legal.
    fn is_legal(&self, _play: &Play<'_, W>) -> bool {
        true
    }

    /// Returns the preferences of a turn, the most important first. Only turns with the greatest are legal.
    fn preference(&self, _play: &Play<'_, W>) -> SmallVec<[i64; 4]> {
        SmallVec::new()
    }

    /// Returns the number of steps of a turn, 1 or 2.
    fn steps(&self, _p: &Position<W>) -> u8 {
        1
    }

    /// Returns whether a second step follows a first.
    fn continues(&self, _step: &Play<'_, W>) -> Continues {
        Continues::No
    }

    /// Returns whether a step is possible.
    fn may_step(&self, _step: &Play<'_, W>) -> bool {
        true
    }

    /// Returns the side whose units make a step.
    fn step_side(&self, p: &Position<W>, _place: Place<'_, W>) -> Color {
        p.side
    }

    /// Returns the units that a step captures.
    fn taken(&self, step: &Play<'_, W>) -> W::Set {
        step.captures
    }

    /// Returns where the moved unit is after a step; `None` for a missing square.
    fn landing(&self, step: &Play<'_, W>) -> Option<Square> {
        Some(step.at)
    }

    /// Returns whether the mover chooses the kind of the moved unit.
    fn chooses_kind(&self) -> bool {
        false
    }

    /// Returns the possible kinds of the moved unit after a step.
    fn kinds_after(&self, step: &Play<'_, W>) -> KindChoices {
        SmallVec::from_slice(&[step.becomes])
    }

    /// Returns the side of the moved unit after a step.
    fn side_after(&self, step: &Play<'_, W>) -> Color {
        step.owner
    }

    /// Returns where the moved unit goes after changes of its kind and side; `None` if it stays.
    fn last_square(&self, _step: &Play<'_, W>) -> Option<Square> {
        None
    }

    /// Returns the further units that leave the board, in `step.after`.
    fn removed(&self, _step: &Play<'_, W>) -> W::Set {
        W::Set::EMPTY
    }

    /// Returns the units that change sides, in `step.after`.
    fn converted(&self, _step: &Play<'_, W>) -> W::Set {
        W::Set::EMPTY
    }

    /// Returns whether and where a captured unit is put on the board again.
    fn rebirth(&self, _step: &Play<'_, W>, _unit: Captured) -> Rebirth<W::Set> {
        Rebirth::No
    }

    /// Returns as whose and as what a captured unit is put on the board again.
    fn reborn(&self, _step: &Play<'_, W>, unit: Captured) -> (Color, Kind) {
        (unit.side, unit.kind)
    }

    /// Returns whose hand a captured unit goes to, and its kind there if it is not that of the definition.
    fn hand(&self, _step: &Play<'_, W>, _unit: Captured) -> Option<(Color, Option<Kind>)> {
        None
    }

    /// Returns the units that a step can take off the board.
    fn taken_off(&self, _p: &Position<W>, _place: Place<'_, W>) -> W::Set {
        W::Set::EMPTY
    }

    /// Returns the kinds that a step can put on the board.
    fn dropped(&self, _p: &Position<W>, _place: Place<'_, W>) -> KindChoices {
        KindChoices::new()
    }

    /// Returns whether a step may put a kind on a vacant square.
    fn may_drop(&self, _p: &Position<W>, _kind: Kind, _to: Square, _place: Place<'_, W>) -> bool {
        true
    }

    /// Sets the declared fields of `after` to their values after a turn. All fields of `after` have their old values.
    fn update_state(&self, _play: &Play<'_, W>, _after: &mut Position<W>) {}

    /// Returns what is wrong with a position of a FEN.
    fn fen_error(&self, _p: &Position<W>) -> Option<String> {
        None
    }

    /// Returns the outcome of a position whether or not there are legal turns.
    fn ended(&self, _p: &Position<W>, parent: &dyn ParentEnds<W>) -> Option<Outcome> {
        parent.ended(_p)
    }

    /// Returns the outcome of a position without a legal turn.
    fn without_turn(&self, p: &Position<W>, parent: &dyn ParentEnds<W>) -> Outcome {
        parent.without_turn(p)
    }

    /// Returns the name of a clause by which a turn is illegal that is otherwise legal, with its text.
    fn refusing(&self, _play: &Play<'_, W>) -> Option<String> {
        None
    }

    /// Returns the reasons of the clause `ends` with their meaning.
    fn reasons(&self) -> Vec<(Reason, String)> {
        Vec::new()
    }
}

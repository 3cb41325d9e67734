//! The hooks of a rule set: one method for each aspect of the rules that a variant may change.
//!
//! The default of each hook is orthodox chess, from the functions of [`fide`]. [`Facts`] has the promises of
//! a rule set, and [`Carried`] describes the state of its positions. Operations that no variant may change
//! are in [`Game`](super::Game).

use super::carried::CarriesNothing;
use super::{
    Attack, Carried, Facts, Flow, Generator, IndependentSteps, Legality, NestedLists, Outcome,
    Placements, Safety, Sink, Symmetries, TableRules, Turn, TurnBuffer, fide,
};
use board::{Color, Geometry, Kind, Men, Square, Squares};
use position::{BoardOf, Layout, Position, Rights};

/// Steps that are known to leave the mover safe: from any square in `movers` to any square in `targets`, and
/// placements on any square in `targets`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownSafe<S> {
    /// The squares of the units that move.
    pub movers: S,
    /// The squares to which they move.
    pub targets: S,
}

impl<S: Squares> KnownSafe<S> {
    /// The empty set of steps: every turn must be tested by trial.
    pub const NONE: KnownSafe<S> = KnownSafe {
        movers: S::EMPTY,
        targets: S::EMPTY,
    };
}

/// The home files of king and rooks for castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Castling {
    /// The number of files that a board with castling has.
    pub files: u8,
    /// The king's file.
    pub king: u8,
}

impl Castling {
    /// Orthodox castling.
    pub const FIDE: Castling = Castling { files: 8, king: 4 };

    /// Returns the home squares of king and rook for one right.
    #[inline]
    pub fn homes(self, geometry: Geometry, color: Color, higher: bool) -> (Square, Square) {
        let rank = geometry.rank_of(color, 0);
        let rook = if higher { self.files - 1 } else { 0 };
        (
            geometry.square(self.king, rank),
            geometry.square(rook, rank),
        )
    }

    /// Returns, for each square, the rights that are lost when a unit leaves the square or is captured there.
    pub fn marks(self, geometry: Geometry) -> Vec<u8> {
        let mut marks = vec![0; geometry.len()];
        if geometry.files() == self.files {
            for color in Color::BOTH {
                for higher in [false, true] {
                    let (king, rook) = self.homes(geometry, color, higher);
                    marks[king.index()] |= Rights::bit(color, higher).0;
                    marks[rook.index()] |= Rights::bit(color, higher).0;
                }
            }
        }
        marks
    }
}

/// A rule set: orthodox chess, except for the hooks that it overrides. Values of implementing types are
/// small; tables for the board are in [`Board`](board::Board).
///
/// A turn passes through three stages. It is *pseudo-legal* if it obeys the movement rules, *unfiltered* if
/// it is also safe and permitted by every hook except [`filter`](Self::filter), and *legal* if the filter
/// keeps it.
///
/// Requirements for implementors: a hook depends on its arguments alone, turns are generated in the
/// same order at every call, and no two turns of a position have the same notation.
// A new hook must also be listed in `dyn_rules.rs`.
pub trait Rules<W: Layout>: Send + Sync + Sized {
    /// The promises of the rule set.
    const FACTS: Facts = Facts::DEFAULT;

    /// The way in which the turn generator is compiled.
    const GENERATOR: Generator = Generator::Shared;

    /// Returns the facts: [`FACTS`](Self::FACTS), unless the generator is [`Generator::AtRunTime`].
    #[inline(always)]
    fn facts(&self) -> &'static Facts {
        const { &Self::FACTS }
    }

    /// Returns the description of the state and clocks of positions.
    fn carried(&self) -> &dyn Carried<W> {
        &CarriesNothing
    }

    /// Returns the facts that endgame tables need if units other than pawns may be captured en passant.
    fn tables(&self) -> Option<&dyn TableRules<W>> {
        None
    }

    /// Returns the promise about the effects of steps, if the rule set keeps it.
    fn independent_steps(&self) -> Option<IndependentSteps> {
        self.facts().independent_steps
    }

    /// Returns the men: letters and movements.
    fn men(&self) -> &Men {
        Self::FACTS.men
    }

    /// Returns whether the last file touches the first.
    fn wraps(&self) -> bool {
        false
    }

    /// Returns the sets of squares that this rule set uses through [`Board::zone`](board::Board::zone).
    fn zones(&self, _b: &BoardOf<W>) -> [W::Set; 4] {
        [W::Set::EMPTY; 4]
    }

    /// Returns the home files of castling, if the variant has castling.
    fn castling(&self) -> Option<Castling> {
        Self::FACTS.castling
    }

    /// Returns the home squares of king and rook for a castling right, if there is castling on this board.
    fn castling_homes(
        &self,
        b: &BoardOf<W>,
        color: Color,
        higher: bool,
    ) -> Option<(Square, Square)> {
        self.castling()
            .filter(|castling| castling.files == b.geometry().files())
            .map(|castling| castling.homes(b.geometry(), color, higher))
    }

    /// Returns whether king and rook are on their home squares for a castling right.
    fn has_castling_units(
        &self,
        b: &BoardOf<W>,
        p: &Position<W>,
        color: Color,
        higher: bool,
    ) -> bool {
        self.castling_homes(b, color, higher)
            .is_some_and(|(king, rook)| {
                p.units(color, Kind::King).has(king) && p.units(color, Kind::Rook).has(rook)
            })
    }

    /// Returns whether pawns on their owner's second rank may go two squares (on six or more ranks).
    fn double_step(&self) -> bool {
        Self::FACTS.double_step
    }

    /// Returns whether en passant captures are possible after a double step from this position.
    fn en_passant(&self, _p: &Position<W>) -> bool {
        self.double_step()
    }

    /// Returns the kinds to which a pawn of the side to move may promote on its last rank; empty if pawns do
    /// not promote.
    fn promotions(&self, _p: &Position<W>) -> &[Kind] {
        Self::FACTS.promotions
    }

    /// Returns the units of a side that may not be left attacked and can never be captured: by default the
    /// king, and none with [`Safety::NoRoyals`].
    fn royals(&self, p: &Position<W>, color: Color) -> W::Set {
        match Self::FACTS.safety {
            Safety::NoRoyals => W::Set::EMPTY,
            _ => p.units(color, Kind::King),
        }
    }

    /// Returns the units that carry out an attack.
    fn attackers(&self, b: &BoardOf<W>, p: &Position<W>, attack: Attack<W::Set>) -> W::Set {
        fide::attackers(self.men(), b, p, attack)
    }

    /// Returns the squares between an attacker and its target on the path of the attack: a unit on any of
    /// them shields the target.
    #[inline(always)]
    fn attack_path(
        &self,
        b: &BoardOf<W>,
        _p: &Position<W>,
        attacker: Square,
        target: Square,
    ) -> W::Set {
        b.between(attacker, target)
    }

    /// Returns the royal units of the side to move that may not be attacked after a step of another unit: by
    /// default all. Called only with [`Safety::Lines`].
    fn guarded_royals(&self, _b: &BoardOf<W>, p: &Position<W>) -> W::Set {
        self.royals(p, p.side)
    }

    /// Returns the squares that a royal unit of this kind may enter, regardless of attacks: by default all.
    /// Called only with [`Safety::Lines`].
    fn royal_targets(&self, b: &BoardOf<W>, _p: &Position<W>, _kind: Kind) -> W::Set {
        b.squares()
    }

    /// Returns the royal units of a side that are in check: by default, those that are attacked. This is the
    /// only definition of check, apart from [`intruders`](Self::intruders), so everything that speaks of
    /// check depends on it: outcomes, counters, expressions, stipulations, pictures.
    #[inline]
    fn royals_in_check(&self, b: &BoardOf<W>, p: &Position<W>, color: Color) -> W::Set {
        fide::royals_attacked(self, b, p, color)
    }

    /// Returns the intruders against `color`: enemy units that give check because of the squares that they
    /// occupy, and that must be captured at once.
    fn intruders(&self, _b: &BoardOf<W>, _p: &Position<W>, _color: Color) -> W::Set {
        W::Set::EMPTY
    }

    /// Returns the enemy units that a unit of this kind may capture if it can reach their squares.
    fn capturable(&self, _b: &BoardOf<W>, p: &Position<W>, _by: Kind) -> W::Set {
        p.color(!p.side) & !self.royals(p, !p.side)
    }

    /// Returns the squares to which a piece can move or on which it can capture, regardless of safety and of
    /// its own side's units on these squares.
    #[inline(always)]
    fn reach(&self, b: &BoardOf<W>, p: &Position<W>, kind: Kind, from: Square) -> W::Set {
        fide::reach(self.men(), b, kind, from, p.occupied())
    }

    /// Returns the squares to which a unit can step by its movement alone, without a capture. `None` if these
    /// are the targets of its pseudo-legal turns, as in all rules whose turns are single steps.
    fn quiet_steps(&self, _p: &Position<W>, _from: Square) -> Option<W::Set> {
        None
    }

    /// Generates the steps of these pawns of the side to move to squares in `targets`, without en passant
    /// captures.
    fn pawn_steps<K: Sink<W> + ?Sized>(
        &self,
        b: &BoardOf<W>,
        p: &Position<W>,
        pawns: W::Set,
        targets: W::Set,
        c: &mut K,
    ) -> Flow {
        fide::pawn_steps(self, b, p, pawns, targets, c)
    }

    /// Generates the pseudo-legal turns.
    fn pseudo<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        fide::pseudo(self, b, p, c)
    }

    /// Returns whether a pseudo-legal turn leaves the mover safe. `after` is the position after the turn,
    /// with the opponent to move.
    fn is_safe(&self, b: &BoardOf<W>, p: &Position<W>, _turn: &Turn, after: &Position<W>) -> bool {
        !fide::in_check(self, b, after, p.side)
    }

    /// Returns steps that need not be tested by trial because [`is_safe`](Self::is_safe) would accept them.
    fn known_safe(&self, _b: &BoardOf<W>, _p: &Position<W>) -> KnownSafe<W::Set> {
        KnownSafe::NONE
    }

    /// Generates the unfiltered turns of a position that is not settled.
    fn unfiltered<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        fide::unfiltered(self, b, p, c)
    }

    /// Removes the turns that are not legal, given all unfiltered turns.
    fn filter(&self, _b: &BoardOf<W>, _p: &Position<W>, _turns: &mut TurnBuffer<W::Set>) {}

    /// Counts the lines of `depth` turns (two or more), if the rule set can do so faster than by playing
    /// every turn. Returns `None` if it cannot, or if the position is settled.
    #[inline(always)]
    fn count_bulk(&self, _b: &BoardOf<W>, _p: &Position<W>, _depth: u32) -> Option<u64> {
        None
    }

    /// Changes `after`, which is a copy of `p`, into the position after a turn. (The position is changed in
    /// place, because returning it would copy it once more.)
    fn effect(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        fide::effect(self, b, p, turn, after);
    }

    /// Updates the variant state for a turn. [`fide::effect`] calls this hook last, when the opponent is to
    /// move in `after`.
    fn update_state(
        &self,
        _b: &BoardOf<W>,
        _p: &Position<W>,
        _turn: &Turn,
        _after: &mut Position<W>,
    ) {
    }

    /// Returns the outcome if the game is over whether or not legal turns exist.
    fn settled(&self, _b: &BoardOf<W>, _p: &Position<W>) -> Option<Outcome> {
        None
    }

    /// Returns the outcome of a position without legal turns that is not settled.
    fn no_turn(&self, b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        fide::no_turn(self, b, p)
    }

    /// Returns the allowed number of a side's units for each kind, as `(kind, min, max)`: by default one king,
    /// and at most one with [`Safety::NoRoyals`]. FENs, tables and sets of placements outside these bounds
    /// are rejected by [`Game::wrong_count`](super::Game::wrong_count).
    fn unit_bounds(&self, _color: Color) -> &[(Kind, u32, u32)] {
        match Self::FACTS.safety {
            Safety::NoRoyals => &[(Kind::King, 0, 1)],
            _ => &[(Kind::King, 1, 1)],
        }
    }

    /// Returns the least and the greatest number of units of a kind that a side can have in games from the
    /// start: by default, what [`unit_bounds`](Self::unit_bounds) allows. Lists of endings contain no other
    /// material.
    fn unit_range(&self, color: Color, kind: Kind) -> (u32, u32) {
        let bounds = self.unit_bounds(color).iter();
        let mut bounds = bounds.filter(|bound| bound.0 == kind);
        bounds
            .next()
            .map_or((0, u32::MAX), |&(_, min, max)| (min, max))
    }

    /// Returns the squares that pawns of a side can never reach. Endgame tables do not store positions with
    /// pawns there.
    fn no_pawns(&self, b: &BoardOf<W>, color: Color) -> W::Set {
        b.rank_of(color, 0) | b.last_rank(color)
    }

    /// Returns the squares on which pawns of a side may not be in a FEN.
    fn no_pawns_in_fens(&self, b: &BoardOf<W>, color: Color) -> W::Set {
        self.no_pawns(b, color)
    }

    /// Checks that the side that has just moved is safe: by default, that none of its royal units is attacked
    /// and that no intruder is left.
    ///
    /// # Errors
    /// If the side is not safe. The error names the square of the attacked unit or of the intruder.
    fn check_no_opposite_check(&self, b: &BoardOf<W>, p: &Position<W>) -> Legality {
        fide::check_no_opposite_check(self, b, p)
    }

    /// Checks all other conditions on the position of a FEN. Called last.
    ///
    /// # Errors
    /// The condition that the position violates.
    fn check_position(&self, _b: &BoardOf<W>, _p: &Position<W>) -> Legality {
        Ok(())
    }

    /// Returns the placements that the notation of a turn shows after its step with this index: the player's
    /// choices in Chromopolis, and the squares of rebirth in rule texts.
    fn shown_placements(
        &self,
        _b: &BoardOf<W>,
        _p: &Position<W>,
        _turn: &Turn,
        _step: usize,
    ) -> Placements {
        Placements::new()
    }

    /// Returns the units that leave the board or become bound by a turn, or `None` if they are those that the positions
    /// before and after the turn show.
    fn captured(&self, _b: &BoardOf<W>, _p: &Position<W>, _turn: &Turn) -> Option<W::Set> {
        None
    }

    /// Returns the kind of the moved unit after a turn, or `None` if it is the kind that the steps show.
    fn kind_after(&self, _b: &BoardOf<W>, _p: &Position<W>, _turn: &Turn) -> Option<Kind> {
        None
    }

    /// Returns the reason why a pseudo-legal turn is illegal, as the rest of a sentence.
    fn refusal(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> String {
        fide::refusal(self, b, p, turn)
    }

    /// Returns the transformations under which the rules are invariant on this board, castling aside: by
    /// default those that the facts declare for every board.
    fn symmetries(&self, _b: &BoardOf<W>) -> Symmetries {
        self.facts().symmetries
    }

    /// Returns how deeply the rules nest lists of turns.
    fn nested_lists(&self) -> NestedLists {
        NestedLists::default()
    }
}

//! A rule set bound to a board, with what no rule set may change: legal turns, play, the order of
//! outcomes, perft.

use super::successors::Successors;
use super::{
    Any, Carried, Constants, Consumer, Count, DynRules, Flow, Outcome, Placements, Plain, Rules,
    Safety, Symmetries, Turn, Variant, checks, fide, flights, list, reason, tempo, with_turns,
};
use board::{Board, Color, Geometry, Kind, Men, Square, Squares};
use position::{
    BoundUnits, Codec, KeyPlan, KindSets, Layout, Narrow, NarrowBound, Open, Position, Six, Wide,
};
use std::marker::PhantomData;
use std::sync::Arc;

/// A rule set on a board. Everything above the rules works with this trait, as `dyn Game<W>`.
/// Its one implementation is [`Ruled`]: a rule set has no way to change what is here.
pub trait Game<W: Layout>: Send + Sync {
    /// Returns the board and its tables.
    fn board(&self) -> &Board<W::Set>;
    /// Returns the variant with its options.
    fn variant(&self) -> &Variant;
    /// Returns the men.
    fn men(&self) -> &Men;
    /// Returns the number of the law, raised whenever it is corrected ([`Rules::LAW`]).
    fn law(&self) -> u32;

    /// Returns how the game stands: first what the rule set settles, then whether there is a legal turn.
    fn outcome(&self, p: &Position<W>) -> Outcome;
    /// Returns the outcome that does not depend on whether there are legal turns.
    fn settled(&self, p: &Position<W>) -> Option<Outcome>;
    /// Appends the legal turns, in the rule set's order; none at a terminal position.
    fn turns(&self, p: &Position<W>, out: &mut Vec<Turn>);
    /// Appends the legal turns as they are before the rule set looks at the whole list and drops some.
    fn unfiltered_turns(&self, p: &Position<W>, out: &mut Vec<Turn>);
    /// Appends the legal turns after which the mover has won by checkmate; with `first`, at most
    /// one of them.
    fn checkmates(&self, p: &Position<W>, out: &mut Vec<Turn>, first: bool);
    /// Appends every legal turn that gives check, and possibly others.
    fn may_check(&self, p: &Position<W>, out: &mut Vec<Turn>);
    /// Appends every legal turn after which the opponent has a turn and can only give check, and possibly
    /// other turns.
    fn may_force_checks(&self, p: &Position<W>, out: &mut Vec<Turn>);
    /// Returns whether there is a legal turn after which the opponent has a turn and can only checkmate the
    /// mover.
    fn forces_checkmate(&self, p: &Position<W>) -> bool;
    /// Returns whether the side to move has legal turns, and all of them checkmate the opponent.
    fn must_checkmate(&self, p: &Position<W>) -> bool;
    /// Returns how the mover's own safety is judged.
    fn safety(&self) -> Safety;
    /// Returns whether kings have orthodox flights ([`Rules::FLIGHTS`]).
    fn flights(&self) -> bool;
    /// Returns the kinds that may become one another on the last rank ([`Rules::CHANGES`]).
    fn changes(&self) -> &'static [Kind];
    /// Returns how many legal turns there are.
    fn count(&self, p: &Position<W>) -> u64;
    /// Returns whether there is a legal turn.
    fn has_turn(&self, p: &Position<W>) -> bool;
    /// Returns the position after a legal turn.
    fn play(&self, p: &Position<W>, turn: &Turn) -> Position<W>;
    /// The same, written over `after`: faster where many turns are played.
    fn play_into(&self, p: &Position<W>, turn: &Turn, after: &mut Position<W>);
    /// Appends the keys of the positions after the legal turns, in the order of
    /// [`turns`](Self::turns), and returns how many there are.
    fn successors(&self, p: &Position<W>, codec: &Codec, keys: &mut Vec<u64>) -> u32;
    /// Appends the pseudo-legal turns, whatever the outcome.
    fn pseudo_turns(&self, p: &Position<W>, out: &mut Vec<Turn>);
    /// Returns how many lines of `depth` turns there are: 1 for depth 0, and 0 if every game ends earlier.
    fn perft(&self, p: &Position<W>, depth: u32) -> u64;

    /// Returns the outcome of a position known to have no legal turn.
    fn outcome_without_turn(&self, p: &Position<W>) -> Outcome;
    /// Returns whether a side is in check (its royal units attacked, or an intruder on the board).
    fn in_check(&self, p: &Position<W>, color: Color) -> bool;
    /// Returns the units of a side that may not be left attacked.
    fn royals(&self, p: &Position<W>, color: Color) -> W::Set;
    /// Returns the units of `by` that attack a square.
    fn attackers(&self, p: &Position<W>, target: Square, by: Color) -> W::Set;
    /// Returns where a unit that is no pawn can go or capture.
    fn reach(&self, p: &Position<W>, kind: Kind, from: Square) -> W::Set;
    /// Returns the kinds that a pawn of the side to move may become on its last rank.
    fn promotions(&self, p: &Position<W>) -> &[Kind];
    /// Why a pseudo-legal turn is illegal.
    fn refusal(&self, p: &Position<W>, turn: &Turn) -> String;
    /// Returns the placements that the notation of a turn shows after its steps.
    fn shown_placements(&self, p: &Position<W>, turn: &Turn) -> Placements;

    /// White's letters of castling rights, for the rook on the higher file and on the lower; `None`
    /// without castling on this board.
    fn castling_letters(&self) -> Option<[char; 2]>;
    /// Returns the home squares of king and rook for a castling right.
    fn castling_homes(&self, color: Color, higher: bool) -> Option<(Square, Square)>;
    /// Returns whether king and rook stand on their homes for a castling right.
    fn stands_for_castling(&self, p: &Position<W>, color: Color, higher: bool) -> bool;
    /// Returns what positions carry besides their units, if FENs have fields of their own for it.
    fn carried(&self) -> Option<&dyn Carried<W>>;
    /// Returns whether endgame tables can hold this law's positions with such units; the error says why not.
    /// `stands` says whether a side has units of a kind.
    fn check_tables(&self, has_units: &dyn Fn(Color, Kind) -> bool) -> Result<(), String>;
    /// Returns whether en passant captures are possible after a double step from this position.
    fn en_passant(&self, p: &Position<W>) -> bool;
    /// Returns how many bits the state takes.
    fn state_bits(&self) -> u32;
    /// Returns the state as `key=value` pairs in order, without those that have their default value.
    fn state_text(&self, p: &Position<W>) -> Vec<(&'static str, String)>;
    /// Reads one key of the state.
    fn read_state(&self, p: &mut Position<W>, key: &str, value: &str) -> Result<(), String>;
    /// Returns the clock of half-moves.
    fn clock(&self, p: &Position<W>) -> u32;
    /// Sets the clock of half-moves.
    fn set_clock(&self, p: &mut Position<W>, clock: u32);
    /// Returns the number of the move.
    fn number(&self, p: &Position<W>) -> u32;
    /// Sets the number of the move, from 1.
    fn set_number(&self, p: &mut Position<W>, number: u32);
    /// Returns how many units of a kind a side must have in a FEN, as (kind, least, most).
    fn unit_bounds(&self) -> &[(Kind, u32, u32)];
    /// Returns where pawns of a side may not stand in a FEN.
    fn no_pawns(&self, color: Color) -> W::Set;
    /// Returns whether the side that has just moved stands as the law allows.
    fn check_no_opposite_check(&self, p: &Position<W>) -> Result<(), String>;
    /// Checks everything else that a FEN must satisfy.
    fn check(&self, p: &Position<W>) -> Result<(), String>;
    /// Returns the changes of orientation under which the law stays the same, castling aside.
    fn symmetries(&self) -> Symmetries;
    /// Returns the state with the sides swapped; `None` for a state that only one side can have.
    fn swapped_state(&self, state: u64) -> Option<u64>;
    /// Returns what the law promises ([`Rules::PLAIN`]).
    fn plain(&self) -> Plain;
    /// Returns whether material alone settles games ([`Rules::SETTLED_BY_MATERIAL`]).
    fn settled_by_material(&self) -> bool;
    /// Returns whether units can lie bound ([`Rules::BINDS`]).
    fn binds(&self) -> bool;
    /// Returns what the keys of all positions reachable from this one must have room for.
    fn key_plan(&self, p: &Position<W>) -> KeyPlan;

    /// Returns the codec for positions reachable from this one.
    fn codec(&self, p: &Position<W>) -> Codec {
        Codec::new(self.key_plan(p))
    }
}

/// A rule set bound to a board.
#[derive(Debug)]
pub struct Ruled<W: Layout, R> {
    board: Board<W::Set>,
    rules: R,
    variant: Variant,
}

impl<W: Layout, R: Rules<W>> Ruled<W, R> {
    /// Binds a rule set to a board of this shape, which must fit the layout.
    pub fn new(rules: R, variant: Variant, geometry: Geometry) -> Ruled<W, R> {
        let geometry = if rules.wraps() {
            geometry.wrapped()
        } else {
            geometry
        };
        let marks = match rules.castling() {
            Some(castling) => castling.marks(geometry),
            None => vec![0; geometry.len()],
        };
        let board = Board::new(geometry, *rules.men()).with_marks(marks);
        let zones = rules.zones(&board);
        Ruled {
            board: board.with_zones(zones),
            rules,
            variant,
        }
    }

    /// Hands over the legal turns of a position that is not settled.
    #[inline(always)]
    fn legal<K: Consumer<W::Set>>(&self, p: &Position<W>, consumer: &mut K) -> Flow {
        fide::chosen(&self.rules, &self.board, p, consumer)
    }

    fn list(&self, p: &Position<W>, out: &mut Vec<Turn>) {
        let _: Flow = self.legal(p, &mut list(out));
    }

    /// Returns whether there is a legal turn in a position that is not settled.
    fn any(&self, p: &Position<W>) -> bool {
        let mut any = Any::default();
        let _: Flow = self.legal(p, &mut any);
        any.0
    }

    /// Returns whether there are turns and all of them checkmate the opponent.
    fn only_checkmates(&self, p: &Position<W>) -> bool {
        if const { Compiled::<W, R>::TOLD_BY_LINES }
            && self.rules.constants().legality_by_pins()
            && checks::other(&self.rules, &self.board, p).is_break()
        {
            return false;
        }
        if self.rules.settled(&self.board, p).is_some() {
            return false;
        }
        with_turns(|turns| {
            self.list(p, turns);
            !turns.is_empty() && turns.iter().all(|turn| self.is_checkmate(p, turn))
        })
    }

    /// Returns whether [`tempo::interfering`] can tell in this position which turns leave the opponent
    /// nothing but checks. The rule set's own promises are tested elsewhere.
    fn tempo_analysis_applies(&self, p: &Position<W>) -> bool {
        !self.board.geometry().wraps() && !fide::in_check(&self.rules, &self.board, p, p.side)
    }

    /// Returns the position after a legal turn. Code that need not be the fastest shares this copy of the
    /// law's effect, so that it is compiled once.
    #[inline(never)]
    fn after(&self, p: &Position<W>, turn: &Turn) -> Position<W> {
        let mut after = *p;
        self.rules.effect(&self.board, p, turn, &mut after);
        after
    }

    /// Returns whether a legal turn checkmates the opponent.
    fn is_checkmate(&self, p: &Position<W>, turn: &Turn) -> bool {
        let after = self.after(p, turn);
        fide::in_check(&self.rules, &self.board, &after, after.side)
            && self.outcome(&after) == Outcome::Win(p.side, reason::CHECKMATE)
    }
}

/// The ways that are compiled for a rule set: those that its constants ask for, or with
/// [`Rules::DEFERRED`] all.
struct Compiled<W, R>(PhantomData<(W, R)>);

impl<W: Layout, R: Rules<W>> Compiled<W, R> {
    const CONSTANTS: Constants = Constants::of::<W, R>();
    /// Ways for rule sets that are told by lines.
    const TOLD_BY_LINES: bool = R::DEFERRED || Self::CONSTANTS.legality_by_pins();
    /// Ways for kings with orthodox flights.
    const FLIGHTS: bool = R::DEFERRED || Self::CONSTANTS.orthodox_flights();
    /// Ways that need promises.
    const PLAIN: bool = R::DEFERRED || Self::CONSTANTS.is_plain();
}

impl<W: Layout, R: Rules<W>> Game<W> for Ruled<W, R> {
    fn board(&self) -> &Board<W::Set> {
        &self.board
    }

    fn variant(&self) -> &Variant {
        &self.variant
    }

    fn men(&self) -> &Men {
        self.rules.men()
    }

    fn law(&self) -> u32 {
        self.rules.constants().law
    }

    fn outcome(&self, p: &Position<W>) -> Outcome {
        if let Some(outcome) = self.rules.settled(&self.board, p) {
            outcome
        } else if self.any(p) {
            Outcome::Ongoing
        } else {
            self.rules.no_turn(&self.board, p)
        }
    }

    fn settled(&self, p: &Position<W>) -> Option<Outcome> {
        self.rules.settled(&self.board, p)
    }

    fn turns(&self, p: &Position<W>, out: &mut Vec<Turn>) {
        if self.rules.settled(&self.board, p).is_none() {
            self.list(p, out);
        }
    }

    fn unfiltered_turns(&self, p: &Position<W>, out: &mut Vec<Turn>) {
        if self.rules.settled(&self.board, p).is_none() {
            let _: Flow = fide::generate(&self.rules, &self.board, p, &mut list(out));
        }
    }

    fn checkmates(&self, p: &Position<W>, out: &mut Vec<Turn>, first: bool) {
        let mut found = |turn: Turn| {
            if !self.is_checkmate(p, &turn) {
                return Flow::Continue(());
            }
            out.push(turn);
            if first {
                Flow::Break(())
            } else {
                Flow::Continue(())
            }
        };
        if const { Compiled::<W, R>::FLIGHTS } && self.rules.constants().orthodox_flights() {
            if self.rules.settled(&self.board, p).is_none() {
                let _: Flow = flights::mating(&self.rules, &self.board, p, found);
            }
            return;
        }
        with_turns(|turns| {
            self.may_check(p, turns);
            let _: Flow = turns.iter().try_for_each(|turn| found(*turn));
        });
    }

    fn may_check(&self, p: &Position<W>, out: &mut Vec<Turn>) {
        if const { Compiled::<W, R>::TOLD_BY_LINES } && self.rules.constants().legality_by_pins() {
            if self.rules.settled(&self.board, p).is_none() {
                let _: Flow = checks::possible(&self.rules, &self.board, p, |turn| {
                    out.push(turn);
                    Flow::Continue(())
                });
            }
        } else {
            self.turns(p, out);
        }
    }

    fn may_force_checks(&self, p: &Position<W>, out: &mut Vec<Turn>) {
        if self.rules.settled(&self.board, p).is_some() {
            return;
        }
        let constants = self.rules.constants();
        if const { Compiled::<W, R>::TOLD_BY_LINES && Compiled::<W, R>::PLAIN }
            && constants.legality_by_pins()
            && constants.is_plain()
            && self.tempo_analysis_applies(p)
        {
            let _: Flow = tempo::interfering(&self.rules, &self.board, p, |turn| {
                out.push(turn);
                Flow::Continue(())
            });
        } else {
            self.list(p, out);
        }
    }

    fn forces_checkmate(&self, p: &Position<W>) -> bool {
        with_turns(|turns| {
            self.may_force_checks(p, turns);
            turns
                .iter()
                .any(|turn| self.only_checkmates(&self.after(p, turn)))
        })
    }

    fn must_checkmate(&self, p: &Position<W>) -> bool {
        self.only_checkmates(p)
    }

    fn safety(&self) -> Safety {
        self.rules.constants().safety
    }

    fn changes(&self) -> &'static [Kind] {
        self.rules.constants().changes
    }

    fn flights(&self) -> bool {
        self.rules.constants().orthodox_flights()
    }

    fn count(&self, p: &Position<W>) -> u64 {
        if self.rules.settled(&self.board, p).is_some() {
            return 0;
        }
        let mut count = Count(0);
        let _: Flow = self.legal(p, &mut count);
        count.0
    }

    fn has_turn(&self, p: &Position<W>) -> bool {
        self.rules.settled(&self.board, p).is_none() && self.any(p)
    }

    fn play(&self, p: &Position<W>, turn: &Turn) -> Position<W> {
        self.after(p, turn)
    }

    fn play_into(&self, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        *after = *p;
        self.rules.effect(&self.board, p, turn, after);
    }

    fn successors(&self, p: &Position<W>, codec: &Codec, keys: &mut Vec<u64>) -> u32 {
        if self.rules.settled(&self.board, p).is_some() {
            return 0;
        }
        let constants = self.rules.constants();
        if const { Compiled::<W, R>::PLAIN && (R::DEFERRED || !R::CHOOSES) }
            && constants.is_plain()
            && !constants.chooses
        {
            let mut successors = Successors::new(&self.rules, &self.board, p, codec, keys);
            let _: Flow = fide::generate(&self.rules, &self.board, p, &mut successors);
            successors.count
        } else {
            with_turns(|turns| {
                self.list(p, turns);
                let mut successors = Successors::new(&self.rules, &self.board, p, codec, keys);
                for turn in turns.iter() {
                    successors.played(turn);
                }
                turns.len() as u32
            })
        }
    }

    fn pseudo_turns(&self, p: &Position<W>, out: &mut Vec<Turn>) {
        let consumer: &mut dyn Consumer<W::Set> = &mut list(out);
        let _: Flow = self.rules.pseudo(&self.board, p, consumer);
    }

    fn perft(&self, p: &Position<W>, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count(p),
            _ if depth == self.rules.constants().at_once && self.settled(p).is_none() => {
                self.rules.lines(&self.board, p)
            }
            _ => with_turns(|turns| {
                self.turns(p, turns);
                turns
                    .iter()
                    .map(|turn| {
                        let mut after = *p;
                        self.rules.effect(&self.board, p, turn, &mut after);
                        Ruled::perft(self, &after, depth - 1)
                    })
                    .sum()
            }),
        }
    }

    fn outcome_without_turn(&self, p: &Position<W>) -> Outcome {
        self.rules
            .settled(&self.board, p)
            .unwrap_or_else(|| self.rules.no_turn(&self.board, p))
    }

    fn in_check(&self, p: &Position<W>, color: Color) -> bool {
        fide::in_check(&self.rules, &self.board, p, color)
    }

    fn royals(&self, p: &Position<W>, color: Color) -> W::Set {
        self.rules.royals(&self.board, p, color)
    }

    fn attackers(&self, p: &Position<W>, target: Square, by: Color) -> W::Set {
        self.rules
            .attackers(&self.board, p, target, by, p.occupied())
    }

    fn reach(&self, p: &Position<W>, kind: Kind, from: Square) -> W::Set {
        self.rules.reach(&self.board, p, kind, from)
    }

    fn promotions(&self, p: &Position<W>) -> &[Kind] {
        self.rules.promotions(&self.board, p)
    }

    fn refusal(&self, p: &Position<W>, turn: &Turn) -> String {
        self.rules.refusal(&self.board, p, turn)
    }

    fn shown_placements(&self, p: &Position<W>, turn: &Turn) -> Placements {
        self.rules.shown_placements(&self.board, p, turn)
    }

    fn castling_letters(&self) -> Option<[char; 2]> {
        let any = |color| [false, true].map(|higher| self.rules.homes(&self.board, color, higher));
        let homes = Color::BOTH.into_iter().flat_map(any);
        homes
            .flatten()
            .next()
            .map(|_| self.variant.rule_set.castling_letters())
    }

    fn castling_homes(&self, color: Color, higher: bool) -> Option<(Square, Square)> {
        self.rules.homes(&self.board, color, higher)
    }

    fn stands_for_castling(&self, p: &Position<W>, color: Color, higher: bool) -> bool {
        self.rules
            .stands_for_castling(&self.board, p, color, higher)
    }

    fn carried(&self) -> Option<&dyn Carried<W>> {
        self.rules.carried()
    }

    fn check_tables(&self, has_units: &dyn Fn(Color, Kind) -> bool) -> Result<(), String> {
        self.rules.check_tables(&self.board, has_units)
    }

    fn en_passant(&self, p: &Position<W>) -> bool {
        self.rules.en_passant(p) && self.board.geometry().ranks() >= 6
    }

    fn state_bits(&self) -> u32 {
        self.rules.state_bits(&self.board)
    }

    fn state_text(&self, p: &Position<W>) -> Vec<(&'static str, String)> {
        self.rules.state_text(&self.board, p)
    }

    fn read_state(&self, p: &mut Position<W>, key: &str, value: &str) -> Result<(), String> {
        self.rules.read_state(&self.board, p, key, value)
    }

    fn clock(&self, p: &Position<W>) -> u32 {
        self.rules.clock(p)
    }

    fn set_clock(&self, p: &mut Position<W>, clock: u32) {
        self.rules.set_clock(p, clock);
    }

    fn number(&self, p: &Position<W>) -> u32 {
        self.rules.number(p)
    }

    fn set_number(&self, p: &mut Position<W>, number: u32) {
        self.rules.set_number(p, number);
    }

    fn unit_bounds(&self) -> &[(Kind, u32, u32)] {
        self.rules.unit_bounds()
    }

    fn no_pawns(&self, color: Color) -> W::Set {
        self.rules.no_pawns(&self.board, color)
    }

    fn check_no_opposite_check(&self, p: &Position<W>) -> Result<(), String> {
        self.rules.check_no_opposite_check(&self.board, p)
    }

    fn check(&self, p: &Position<W>) -> Result<(), String> {
        self.rules.check(&self.board, p)
    }

    fn symmetries(&self) -> Symmetries {
        self.rules.symmetries(&self.board)
    }

    fn swapped_state(&self, state: u64) -> Option<u64> {
        self.rules.swapped_state(&self.board, state)
    }

    fn plain(&self) -> Plain {
        self.rules.constants().plain
    }

    fn settled_by_material(&self) -> bool {
        self.rules.constants().settled_by_material
    }

    fn binds(&self) -> bool {
        self.rules.constants().binds
    }

    fn key_plan(&self, p: &Position<W>) -> KeyPlan {
        let geometry = self.board.geometry();
        let units = self.rules.unit_limit(p);
        KeyPlan {
            squares: geometry.len(),
            kind_bits: if self.rules.men().more.is_empty() {
                <Six<W::Set> as KindSets<W::Set>>::BITS as u32
            } else {
                <W::Kinds as KindSets<W::Set>>::BITS as u32
            },
            units,
            rights: p.rights.0 != 0 || self.rules.rights_arise(),
            en_passant: self.rules.double_step()
                && (self.rules.carried().is_some()
                    || geometry.ranks() >= 6 && !p.kind(Kind::Pawn).is_empty()),
            state_bits: self.rules.state_bits_from(&self.board, p),
            bound: match self.rules.constants().binds {
                true => units.min(<W::Bound as BoundUnits>::CAPACITY),
                false => 0,
            },
        }
    }
}

/// Perft of a game that stands behind a reference.
pub fn perft<W: Layout>(game: &(impl Game<W> + ?Sized), p: &Position<W>, depth: u32) -> u64 {
    game.perft(p, depth)
}

/// A game on a board of any width.
#[derive(Clone)]
pub enum AnyGame {
    /// Up to 64 squares.
    Narrow(Arc<dyn Game<Narrow>>),
    /// Up to 64 squares, with bound units.
    NarrowBound(Arc<dyn Game<NarrowBound>>),
    /// Up to 64 squares and many kinds of unit.
    Open(Arc<dyn Game<Open>>),
    /// Up to 128 squares.
    Wide(Arc<dyn Game<Wide>>),
}

/// Evaluates the same expression with a game of any layout: `with_game!(any, game => expression)`.
#[macro_export]
macro_rules! with_game {
    ($any:expr, $game:ident => $body:expr) => {
        match $any {
            $crate::AnyGame::Narrow($game) => $body,
            $crate::AnyGame::NarrowBound($game) => $body,
            $crate::AnyGame::Open($game) => $body,
            $crate::AnyGame::Wide($game) => $body,
        }
    };
}

impl AnyGame {
    /// Binds a rule set without bound units to a board, in the narrowest layout.
    pub fn plain<R>(rules: R, variant: Variant, geometry: Geometry) -> AnyGame
    where
        R: Rules<Narrow> + Rules<Wide> + 'static,
    {
        if geometry.len() <= <u64 as Squares>::CAPACITY {
            AnyGame::Narrow(Arc::new(Ruled::new(rules, variant, geometry)))
        } else {
            AnyGame::Wide(Arc::new(Ruled::new(
                DynRules::owning(rules),
                variant,
                geometry,
            )))
        }
    }

    /// Binds a rule set with bound units to a board, in the narrowest layout.
    pub fn bound<R>(rules: R, variant: Variant, geometry: Geometry) -> AnyGame
    where
        R: Rules<NarrowBound> + Rules<Wide> + 'static,
    {
        if geometry.len() <= <u64 as Squares>::CAPACITY {
            AnyGame::NarrowBound(Arc::new(Ruled::new(rules, variant, geometry)))
        } else {
            AnyGame::Wide(Arc::new(Ruled::new(
                DynRules::owning(rules),
                variant,
                geometry,
            )))
        }
    }

    /// Returns the variant with its options.
    pub fn variant(&self) -> &Variant {
        with_game!(self, game => game.variant())
    }
}

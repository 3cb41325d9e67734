//! A rule set bound to a board, with the operations that no rule set may change: legal turns, play, the order
//! of outcomes, perft.

use super::facts::Compiled;
use super::successors::Successors;
use super::{
    Any, Attack, Consumer, Count, DynRules, Facts, Flow, GameHooks, Outcome, Rules, Turn, Variant,
    checks, fide, flights, list, reason, tempo, with_turns,
};
use board::{Board, Color, Geometry, Kind, Square, Squares};
use position::{
    BoardOf, BoundUnits, Codec, Family, ForLayout, KeyPlan, KindSets, Layout, Narrow, NarrowBound,
    Position, Six, Wide,
};
use std::sync::Arc;

/// A number of a side's units of a kind that a rule set does not allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongCount {
    /// The kind.
    pub kind: Kind,
    /// The number of units.
    pub count: u32,
    /// The least number that is allowed.
    pub min: u32,
    /// The greatest number that is allowed.
    pub max: u32,
}

impl WrongCount {
    /// Returns the allowed numbers in words.
    pub fn allowed(&self) -> String {
        match (self.min, self.max) {
            (_, 0) => "none".to_string(),
            (min, max) if min == max => format!("exactly {min}"),
            (min, max) => format!("{min} to {max}"),
        }
    }
}

/// A rule set on a board. Code above the rules works with this trait, as `dyn Game<W>`. The only
/// implementation is [`Ruled`], so a rule set cannot change these methods.
pub trait Game<W: Layout>: GameHooks<W> {
    /// Returns the board and its tables.
    fn board(&self) -> &BoardOf<W>;
    /// Returns the variant with its options.
    fn variant(&self) -> &Variant;
    /// Returns the promises of the rule set.
    fn facts(&self) -> &'static Facts;

    /// Returns the outcome of a position. Outcomes that the rule set settles precede those that depend on
    /// legal turns.
    fn outcome(&self, p: &Position<W>) -> Outcome;
    /// Returns the outcome of a position that is known to have no legal turn.
    fn outcome_without_turn(&self, p: &Position<W>) -> Outcome;
    /// Appends the legal turns, in the rule set's order. A terminal position has none.
    fn turns(&self, p: &Position<W>, out: &mut Vec<Turn>);
    /// Appends the unfiltered turns: the legal turns and those that [`Rules::filter`] removes.
    fn unfiltered_turns(&self, p: &Position<W>, out: &mut Vec<Turn>);
    /// Appends the pseudo-legal turns, even if the game is over.
    fn pseudo_turns(&self, p: &Position<W>, out: &mut Vec<Turn>);
    /// Counts the legal turns.
    fn count(&self, p: &Position<W>) -> u64;
    /// Returns whether there is a legal turn.
    fn has_turn(&self, p: &Position<W>) -> bool;
    /// Returns the position after a legal turn.
    fn play(&self, p: &Position<W>, turn: &Turn) -> Position<W>;
    /// Like [`play`](Self::play), but writes the position to `after`, which is faster for many turns.
    fn play_into(&self, p: &Position<W>, turn: &Turn, after: &mut Position<W>);
    /// Appends the keys of the positions after the legal turns, in the order of [`turns`](Self::turns).
    /// Returns the number of turns.
    fn successors(&self, p: &Position<W>, codec: &Codec, keys: &mut Vec<u64>) -> u32;
    /// Counts the lines of `depth` turns: 1 for depth 0, and 0 if every game ends earlier.
    fn perft(&self, p: &Position<W>, depth: u32) -> u64;

    /// Appends the legal turns that checkmate the opponent, or only one of them if `first` is set.
    fn checkmates(&self, p: &Position<W>, out: &mut Vec<Turn>, first: bool);
    /// Appends every legal turn that gives check, and possibly others.
    fn may_check(&self, p: &Position<W>, out: &mut Vec<Turn>);
    /// Appends every legal turn after which the opponent has turns and all of them give check, and possibly
    /// others.
    fn may_force_checks(&self, p: &Position<W>, out: &mut Vec<Turn>);
    /// Returns whether there is a legal turn after which the opponent has turns and all of them checkmate the
    /// mover.
    fn forces_checkmate(&self, p: &Position<W>) -> bool;
    /// Returns whether the side to move has legal turns, and all of them checkmate the opponent.
    fn must_checkmate(&self, p: &Position<W>) -> bool;

    /// Returns whether a side is in check: one of its royal units is in check, or an intruder is on the
    /// board.
    fn in_check(&self, p: &Position<W>, color: Color) -> bool;
    /// Returns the units of `by` that attack a square.
    fn attackers(&self, p: &Position<W>, target: Square, by: Color) -> W::Set;
    /// Returns White's letters of castling rights, first for the rook on the higher file. `None` without
    /// castling on this board.
    fn castling_letters(&self) -> Option<[char; 2]>;
    /// Returns whether en passant captures are possible after a double step from this position.
    fn en_passant(&self, p: &Position<W>) -> bool;
    /// Returns the sizes that suffice for the keys of all positions reachable from this one.
    fn key_plan(&self, p: &Position<W>) -> KeyPlan;

    /// Returns the first kind of which the rule set does not allow this number of a side's units, as FENs,
    /// tables and sets of placements require. `count` returns the number of units of a kind.
    fn wrong_count(&self, color: Color, count: &dyn Fn(Kind) -> u32) -> Option<WrongCount> {
        self.unit_bounds(color)
            .iter()
            .map(|&(kind, min, max)| WrongCount {
                kind,
                count: count(kind),
                min,
                max,
            })
            .find(|wrong| !(wrong.min..=wrong.max).contains(&wrong.count))
    }

    /// Returns the codec for positions reachable from this one.
    fn codec(&self, p: &Position<W>) -> Codec {
        Codec::new(self.key_plan(p))
    }
}

/// A rule set bound to a board.
#[derive(Debug)]
pub struct Ruled<W: Layout, R> {
    pub(super) board: BoardOf<W>,
    pub(super) rules: R,
    variant: Variant,
}

impl<W: Layout, R: Rules<W>> Ruled<W, R> {
    /// Binds a rule set to a board of this shape, which must not have more squares than the layout.
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

    /// Generates the legal turns of a position that is not settled.
    #[inline(always)]
    fn legal<K: Consumer<W::Set>>(&self, p: &Position<W>, consumer: &mut K) -> Flow {
        fide::legal(&self.rules, &self.board, p, consumer)
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
        if const { Compiled::<W, R>::BY_PINS }
            && self.rules.facts().legality_by_pins()
            && checks::find_nonchecking(&self.rules, &self.board, p).is_break()
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

    /// Returns whether [`tempo::interfering`] is sound in this position, if the facts of the rule set permit
    /// it.
    fn tempo_analysis_applies(&self, p: &Position<W>) -> bool {
        !self.board.geometry().wraps() && !fide::in_check(&self.rules, &self.board, p, p.side)
    }

    /// Returns the position after a legal turn. Not inlined, so that code where speed matters less shares one
    /// compiled copy of the effect.
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

impl<W: Layout, R: Rules<W>> Game<W> for Ruled<W, R> {
    fn board(&self) -> &BoardOf<W> {
        &self.board
    }

    fn variant(&self) -> &Variant {
        &self.variant
    }

    fn facts(&self) -> &'static Facts {
        self.rules.facts()
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
        if const { Compiled::<W, R>::FLIGHTS } && self.rules.facts().orthodox_flights() {
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
        if const { Compiled::<W, R>::BY_PINS } && self.rules.facts().legality_by_pins() {
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
        let facts = self.rules.facts();
        if const { Compiled::<W, R>::BY_PINS && Compiled::<W, R>::PLAIN }
            && facts.legality_by_pins()
            && facts.is_plain()
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
        let facts = self.rules.facts();
        if const { Compiled::<W, R>::PLAIN && Compiled::<W, R>::NO_FILTERS }
            && facts.is_plain()
            && !facts.filters
        {
            let mut successors = Successors::new(&self.rules, &self.board, p, codec, keys);
            let _: Flow = fide::generate(&self.rules, &self.board, p, &mut successors);
            successors.count
        } else {
            with_turns(|turns| {
                self.list(p, turns);
                let mut successors = Successors::new(&self.rules, &self.board, p, codec, keys);
                for turn in turns.iter() {
                    successors.push_after(turn);
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
            _ => match self.rules.count_bulk(&self.board, p, depth) {
                Some(lines) => lines,
                None => with_turns(|turns| {
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
            },
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

    fn attackers(&self, p: &Position<W>, target: Square, by: Color) -> W::Set {
        let attack = Attack::on(target, by, p.occupied());
        self.rules.attackers(&self.board, p, attack)
    }

    fn castling_letters(&self) -> Option<[char; 2]> {
        let any = |color| {
            [false, true].map(|higher| self.rules.castling_homes(&self.board, color, higher))
        };
        let homes = Color::BOTH.into_iter().flat_map(any);
        homes
            .flatten()
            .next()
            .map(|_| self.variant.rule_set.castling_letters())
    }

    fn en_passant(&self, p: &Position<W>) -> bool {
        self.rules.en_passant(p) && self.board.geometry().ranks() >= 6
    }

    fn key_plan(&self, p: &Position<W>) -> KeyPlan {
        let geometry = self.board.geometry();
        let carried = self.rules.carried();
        let units = carried.unit_limit(p);
        KeyPlan {
            squares: geometry.len(),
            kind_bits: if self.rules.men().more.is_empty() {
                <Six<W::Set> as KindSets<W::Set>>::BITS as u32
            } else {
                <W::Kinds as KindSets<W::Set>>::BITS as u32
            },
            units,
            rights: p.rights.0 != 0 || carried.rights_arise(),
            en_passant: self.rules.double_step()
                && (carried.fields().is_some()
                    || geometry.ranks() >= 6 && !p.kind(Kind::Pawn).is_empty()),
            state_bits: carried.state_bits_from(p),
            bound: match self.rules.facts().binds {
                true => units.min(<W::Bound as BoundUnits>::CAPACITY),
                false => 0,
            },
        }
    }
}

/// The family of games.
pub enum Games {}

impl Family for Games {
    type Of<W: Layout> = Arc<dyn Game<W>>;
}

/// A game on a board of any width.
#[derive(Clone)]
pub struct AnyGame(pub ForLayout<Games>);

impl<W: Layout> From<Arc<dyn Game<W>>> for AnyGame {
    fn from(game: Arc<dyn Game<W>>) -> AnyGame {
        AnyGame(W::wrap::<Games>(game))
    }
}

/// Evaluates the same expression with a game of any layout: `with_game!(any, game => expression)`.
#[macro_export]
macro_rules! with_game {
    ($any:expr, $game:ident => $body:expr) => {
        $crate::for_layout!($crate::AnyGame: $any, $game => $body)
    };
}

impl AnyGame {
    /// Binds a rule set without bound units to a board, in the narrowest layout.
    pub fn plain<R>(rules: R, variant: Variant, geometry: Geometry) -> AnyGame
    where
        R: Rules<Narrow> + Rules<Wide> + 'static,
    {
        AnyGame::narrowest::<Narrow, R>(rules, variant, geometry)
    }

    /// Binds a rule set with bound units to a board, in the narrowest layout.
    pub fn bound<R>(rules: R, variant: Variant, geometry: Geometry) -> AnyGame
    where
        R: Rules<NarrowBound> + Rules<Wide> + 'static,
    {
        AnyGame::narrowest::<NarrowBound, R>(rules, variant, geometry)
    }

    /// Binds a rule set to a board, in a layout for 64 squares if the board is small enough.
    fn narrowest<N: Layout, R>(rules: R, variant: Variant, geometry: Geometry) -> AnyGame
    where
        R: Rules<N> + Rules<Wide> + 'static,
    {
        if geometry.len() <= <u64 as Squares>::CAPACITY {
            let game: Arc<dyn Game<N>> = Arc::new(Ruled::new(rules, variant, geometry));
            return game.into();
        }
        let rules = DynRules::owning(rules);
        let game: Arc<dyn Game<Wide>> = Arc::new(Ruled::new(rules, variant, geometry));
        game.into()
    }

    /// Returns the game if it is of this layout.
    pub fn get<W: Layout>(&self) -> Option<&Arc<dyn Game<W>>> {
        W::get::<Games>(&self.0)
    }

    /// Returns the variant with its options.
    pub fn variant(&self) -> &Variant {
        with_game!(self, game => game.variant())
    }
}

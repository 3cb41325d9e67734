//! Mate and stalemate patterns: a bound that cuts off positions from which no such end can come
//! about any more, even with help.
//!
//! Precondition: the rule set promises orthodox flights
//! ([`Game::flights`](rules::Game::flights)) and that turns are what the men say ([`Plain`]); for
//! stalemates also that nothing is settled while there are turns. In the final position each square
//! next to the king is guarded or holds one of its own units. For each square that the king may
//! reach in time, [`coverage`] computes which neighbors the other side cannot come to guard, and
//! [`self_blocks`] whether the king's units can get there. Both take the board as empty but for
//! the unit that moves, so they only ever allow too much: no line that reaches the goal is lost.

mod castling;
mod coverage;
mod mobility;
mod reach;
mod self_blocks;

use crate::goal::Goal;
use crate::judge::Judge;
use board::{Color, Square, Squares};
use castling::Castlings;
use coverage::{Coverage, End};
use mobility::Mobility;
use position::{Layout, Position};
use rules::Plain;
use rustc_hash::FxHashMap;
use self_blocks::{Blockers, SelfBlocks};

/// The most turns of the side that reaches the goal for which patterns are looked for.
const MAX_TURNS: u32 = 6;
/// Placements remembered, and gaps of all of them.
const MAX_PLACEMENTS: usize = 1 << 14;
const MAX_GAPS: usize = 1 << 22;

/// The gaps around a king's square, for a placement of the side that guards and its turns.
#[derive(Clone, Copy, Default)]
struct KnownGaps {
    /// Gaps of fewer squares are known, all of them.
    below: u8,
    len: u8,
    start: u32,
}

/// The side that guards: planes, rights, turns, whether a unit must be able to pin.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Placement<S> {
    planes: [S; 4],
    small: [u8; 3],
}

/// Patterns for one board and the side that reaches the goal; what was found is remembered.
pub struct Patterns<W: Layout> {
    mating_side: Color,
    castlings: Castlings,
    coverage: Coverage<W>,
    self_blocks: SelfBlocks<W>,
    /// For stalemates: which units can move unless they are captured, pinned or walled in.
    mobility: Option<Mobility<W::Set>>,
    rings: Vec<W::Set>,
    squares: W::Set,
    placements: FxHashMap<Placement<W::Set>, usize>,
    /// By placement and king's square.
    known: Vec<KnownGaps>,
    /// Lists of gaps.
    gaps: Vec<W::Set>,
    /// The last request, and where its result is.
    last: Option<(Placement<W::Set>, usize)>,
    /// The king's square in the last pattern found, which is tried first.
    hint: Square,
}

impl<W: Layout> Patterns<W> {
    /// Returns the patterns, if the goal is mate or stalemate and the rule set promises what they need. The
    /// sides have at most these numbers of turns.
    pub fn new(
        judge: Judge<'_, W>,
        mating_side: Color,
        turns: u32,
        helps: u32,
    ) -> Option<Patterns<W>> {
        let game = judge.game;
        let end = match judge.goal {
            Goal::Mate => End::Mate,
            Goal::Stalemate if game.facts().plain == Plain::Lasting => End::Stalemate,
            _ => return None,
        };
        if !game.facts().orthodox_flights() || game.facts().plain == Plain::No {
            return None;
        }
        let board = game.board();
        Some(Patterns {
            mating_side,
            castlings: Castlings::new(game),
            coverage: Coverage::new(game, mating_side, turns.min(MAX_TURNS) as usize, end),
            self_blocks: SelfBlocks::new(game, !mating_side, helps as usize),
            mobility: (end == End::Stalemate).then(|| Mobility::new(board)),
            rings: (0..board.geometry().len() as u8)
                .map(|at| board.neighbors(Square(at)))
                .collect(),
            squares: board.squares(),
            placements: FxHashMap::default(),
            known: Vec::new(),
            gaps: Vec::new(),
            last: None,
            hint: Square(0),
        })
    }

    /// Returns whether the goal may still be reached when the side that reaches it has `turns` turns and the
    /// other `helps`, in whatever order.
    pub fn possible(&mut self, p: &Position<W>, turns: u32, helps: u32) -> bool {
        if turns > MAX_TURNS {
            return true;
        }
        let Some(blockers) = self.self_blocks.blockers(p) else {
            return true;
        };
        let Some(mobility) = &self.mobility else {
            return self.possible_with(p, &blockers, turns, helps, true);
        };
        // Either no unit pins: those that cannot be walled in are captured, others block squares.
        let units = mobility.units(p, blockers.units);
        let pins = mobility.pins(p, self.mating_side, turns);
        // Castling moves two units.
        let moves = helps + u32::from(!blockers.castled.is_empty());
        let own = p.color(!self.mating_side);
        if !mobility.may_stand(p, blockers.units, own, (turns, moves, pins)) {
            return false;
        }
        if units.len() <= turns {
            let steady = blockers.without(units);
            if self.possible_with(p, &steady, turns, helps, false) {
                return true;
            }
        }
        // Or some do, each one of them.
        pins > 0
            && units.len() <= turns + pins
            && self.possible_with(p, &blockers, turns, helps, true)
    }

    /// Returns where what is known of the placement starts.
    fn place(&mut self, p: &Position<W>, turns: u32, marked: bool) -> usize {
        let own = p.color(self.mating_side);
        let [_, a, b, c] = p.planes();
        let rights = p.rights.0 >> (self.mating_side.index() * 2) & 3;
        let placement = Placement {
            planes: [own, a & own, b & own, c & own],
            small: [rights, turns as u8, u8::from(marked)],
        };
        if let Some((last, at)) = self.last
            && last == placement
        {
            return at;
        }
        let at = match self.placements.get(&placement) {
            Some(&at) => at,
            None => {
                if self.placements.len() >= MAX_PLACEMENTS || self.gaps.len() >= MAX_GAPS {
                    self.placements.clear();
                    self.known.clear();
                    self.gaps.clear();
                }
                let at = self.known.len();
                self.known
                    .resize(at + self.rings.len(), KnownGaps::default());
                self.placements.insert(placement, at);
                at
            }
        };
        self.last = Some((placement, at));
        at
    }

    /// Returns whether some square of the king has its neighbors guarded or filled in time.
    fn possible_with(
        &mut self,
        p: &Position<W>,
        blockers: &Blockers<W::Set>,
        turns: u32,
        helps: u32,
        marked: bool,
    ) -> bool {
        let at = self.place(p, turns, marked);
        let hint = self.hint;
        if self.possible_on(p, blockers, at, hint, (turns, helps, marked)) {
            return true;
        }
        let squares = self.self_blocks.walks(blockers, helps as usize) & self.squares;
        for king in squares.without(hint).iter() {
            if self.possible_on(p, blockers, at, king, (turns, helps, marked)) {
                self.hint = king;
                return true;
            }
        }
        false
    }

    fn possible_on(
        &mut self,
        p: &Position<W>,
        blockers: &Blockers<W::Set>,
        at: usize,
        king: Square,
        (turns, helps, marked): (u32, u32, bool),
    ) -> bool {
        let mut known = self.known[at + king.index()];
        if known.len == 0 && u32::from(known.below) > blockers.units.len() {
            return false;
        }
        let Some(left) = (helps as usize).checked_sub(self.self_blocks.walk(blockers, king)) else {
            return false;
        };
        let near = self.rings[king.index()] & blockers.units;
        let free = self.self_blocks.most(blockers, near, left);
        if usize::from(known.below) <= free {
            known = self.look(p, king, turns, free, marked);
            self.known[at + king.index()] = known;
        }
        let start = known.start as usize;
        self.gaps[start..start + usize::from(known.len)]
            .iter()
            .any(|&gap| self.self_blocks.fill(p, blockers, gap, left))
    }

    /// Finds the gaps of at most `free` squares.
    #[cold]
    fn look(
        &mut self,
        p: &Position<W>,
        king: Square,
        turns: u32,
        free: usize,
        marked: bool,
    ) -> KnownGaps {
        let units = coverage::units(p, self.mating_side, &self.castlings);
        let gaps = self
            .coverage
            .gaps(&units, turns as usize, king, free as u32, marked);
        let start = self.gaps.len() as u32;
        for gap in &gaps {
            self.gaps.push(self.coverage.cells(king, *gap));
        }
        KnownGaps {
            below: free as u8 + 1,
            len: gaps.len() as u8,
            start,
        }
    }
}

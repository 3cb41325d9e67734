//! Mate and stalemate patterns: a bound that prunes positions from which mate or stalemate has become
//! impossible, even with help.
//!
//! Two bounds are computed. [`assignments`] lists, where lines begin, the final squares of the units that take
//! part in a mate, and keeps the lists along each line. It is the stronger bound. The bound by *views*, described
//! below, needs no list; it is used for stalemates and where there are too many assignments.
//!
//! Precondition: the rule set promises orthodox flights ([`Facts::flights`](rules::Facts::flights)) and that
//! turns follow from the movements of the units alone ([`Plain`]); for stalemates also that no game ends
//! while there are legal turns. In the final position, each square next to the king is guarded or holds a
//! unit of the king's side. For each square that the king can reach in time, [`coverage`] computes the
//! neighbors that the other side cannot come to guard, and [`self_blocks`] computes whether the king's units
//! can occupy them. Both treat the board as empty except for the unit that moves, so the bound is sound: it
//! never prunes a line that reaches the goal.

mod assignments;
mod castling;
mod coverage;
mod mobility;
mod reach;
mod self_blocks;

use crate::goal::Goal;
use crate::judge::Judge;
use assignments::Assignments;
use board::{Color, Square, Squares};
use castling::Castlings;
use coverage::{Coverage, End};
use mobility::Mobility;
use position::{Layout, Position};
use rules::Plain;
use rustc_hash::FxHashMap;
use self_blocks::{Blockers, SelfBlocks};

/// The maximum number of turns of the side that reaches the goal; with more turns left, every position is
/// allowed.
const MAX_TURNS: u32 = 6;
/// The number of assignments up to which they are examined without a look at the views.
const FEW_ASSIGNMENTS: usize = 32;
/// The maximum number of cached placements.
const MAX_PLACEMENTS: usize = 1 << 14;
/// The maximum number of cached gaps of all placements.
const MAX_GAPS: usize = 1 << 22;

/// The cached gaps around a king's square, for one placement. A gap is a set of neighbors that units of the
/// king's side must occupy.
#[derive(Clone, Copy, Default)]
struct KnownGaps {
    /// All gaps of fewer than this number of squares are in the list.
    below: u8,
    len: u8,
    start: u32,
}

/// The units of the guarding side as planes; its castling rights, its turns, and whether one unit must have
/// the mark of [`End`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Placement<S> {
    planes: [S; 4],
    small: [u8; 3],
}

/// Patterns for one board and the side that reaches the goal, with a cache of gaps.
pub struct Patterns<'g, W: Layout> {
    mating_side: Color,
    /// For mates: the final positions with which lines can end.
    assignments: Option<Assignments<'g, W>>,
    castlings: Castlings,
    coverage: Coverage<W>,
    self_blocks: SelfBlocks<W>,
    /// For stalemates: the units that can move unless they are captured, pinned or walled in.
    mobility: Option<Mobility<W::Set>>,
    rings: Vec<W::Set>,
    squares: W::Set,
    placements: FxHashMap<Placement<W::Set>, usize>,
    /// The cached gaps by placement and king's square, as ranges of `gaps`.
    known: Vec<KnownGaps>,
    /// The gaps of all cached placements.
    gaps: Vec<W::Set>,
    /// The placement of the last request, and its start in `known`.
    last: Option<(Placement<W::Set>, usize)>,
    /// The king's square in the last pattern found, which is tried first.
    hint: Square,
}

impl<'g, W: Layout> Patterns<'g, W> {
    /// Returns the patterns if the goal is mate or stalemate and the rule set fulfills the preconditions.
    /// `mating_side` has at most `turns` turns, and its opponent at most `helps`.
    pub fn new(
        judge: Judge<'g, W>,
        mating_side: Color,
        turns: u32,
        helps: u32,
    ) -> Option<Patterns<'g, W>> {
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
        // On a cylinder, more than one line may connect two squares.
        let listed = end == End::Mate && !board.geometry().wraps();
        Some(Patterns {
            mating_side,
            assignments: listed.then(|| Assignments::new(game, mating_side, (turns, helps))),
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

    /// Begins lines at a position, with the maximum numbers of turns of the side that reaches the goal and of its
    /// opponent. All lines must begin at the same position. Returns false only if the goal cannot be reached.
    pub fn begin(&mut self, p: &Position<W>, turns: u32, helps: u32) -> bool {
        let begun = self.assignments.as_mut().and_then(|assignments| {
            assignments.begin(p, &self.coverage, &self.self_blocks, (turns, helps))
        });
        begun.unwrap_or_else(|| self.may_reach_goal(p, turns, helps))
    }

    /// Enters the position after a turn, with the numbers of turns that both sides have left. Returns false, and
    /// enters nothing, only if the goal cannot be reached. If `last` is set, no position after this one may be
    /// entered.
    pub fn enter(&mut self, p: &Position<W>, turns: u32, helps: u32, last: bool) -> bool {
        // The views are faster than many assignments.
        let listed = self.assignments.as_ref().and_then(Assignments::len);
        if listed.is_none_or(|len| len > FEW_ASSIGNMENTS) && !self.may_reach_goal(p, turns, helps) {
            return false;
        }
        match &mut self.assignments {
            Some(assignments) if listed.is_some() => {
                assignments.enter(p, &self.self_blocks, (turns, helps), last)
            }
            _ => true,
        }
    }

    /// Returns from the last position entered to the position before it.
    pub fn leave(&mut self) {
        if let Some(assignments) = &mut self.assignments {
            assignments.leave();
        }
    }

    /// Returns false only if the goal cannot be reached when the side that reaches it has `turns` turns and
    /// its opponent has `helps`, in any order.
    pub fn may_reach_goal(&mut self, p: &Position<W>, turns: u32, helps: u32) -> bool {
        if turns > MAX_TURNS {
            return true;
        }
        let Some(blockers) = self.self_blocks.blockers(p) else {
            return true;
        };
        let Some(mobility) = &self.mobility else {
            return self.pattern_exists(p, &blockers, turns, helps, true);
        };
        // Case 1: no unit is pinned. All units that cannot be walled in are captured; the others may block
        // squares.
        let units = mobility.not_wallable(p, blockers.units);
        let pins = mobility.pins(p, self.mating_side, turns);
        // Castling moves two units.
        let moves = helps + u32::from(!blockers.castled.is_empty());
        let own = p.color(!self.mating_side);
        if !mobility.can_be_immobile(p, blockers.units, own, (turns, moves, pins)) {
            return false;
        }
        if units.len() <= turns {
            let steady = blockers.without(units);
            if self.pattern_exists(p, &steady, turns, helps, false) {
                return true;
            }
        }
        // Case 2: some units are pinned. Each pinning unit pins one of them.
        pins > 0
            && units.len() <= turns + pins
            && self.pattern_exists(p, &blockers, turns, helps, true)
    }

    /// Returns the start of the placement's rows in `known`, which are created if necessary.
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

    /// Returns whether all neighbors of some square that the king can reach can be guarded or filled in time.
    fn pattern_exists(
        &mut self,
        p: &Position<W>,
        blockers: &Blockers<W::Set>,
        turns: u32,
        helps: u32,
        marked: bool,
    ) -> bool {
        let at = self.place(p, turns, marked);
        let hint = self.hint;
        if self.pattern_exists_on(p, blockers, at, hint, (turns, helps, marked)) {
            return true;
        }
        let squares = self.self_blocks.walks(blockers, helps as usize) & self.squares;
        for king in squares.without(hint).iter() {
            if self.pattern_exists_on(p, blockers, at, king, (turns, helps, marked)) {
                self.hint = king;
                return true;
            }
        }
        false
    }

    fn pattern_exists_on(
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
        let free = self.self_blocks.max_blocked(blockers, near, left);
        if usize::from(known.below) <= free {
            known = self.compute_gaps(p, king, turns, free, marked);
            self.known[at + king.index()] = known;
        }
        let start = known.start as usize;
        self.gaps[start..start + usize::from(known.len)]
            .iter()
            .any(|&gap| self.self_blocks.can_fill(p, blockers, gap, left))
    }

    /// Computes the gaps of at most `free` squares and appends them to the cache.
    #[cold]
    fn compute_gaps(
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

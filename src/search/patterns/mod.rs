//! Final positions of mates and stalemates: all pruning that begins at the end of a line.
//!
//! One fact carries all bounds: in the final position of a mate or a stalemate, each neighbor of the king is guarded or
//! holds a unit of the king's side. Every bound replaces this fact by a weaker one that is easier to compute, and it
//! prunes a position only if not even the weaker one can come true in the turns that are left. So no line that reaches
//! the goal is lost:
//!
//! * [`reach`] and [`castling`]: a unit makes at least as many turns as it needs on a board with nothing else. Pawns
//!   are assumed to find something to capture. Castling counts as a turn of the king and a free turn of the rook.
//! * [`coverage`]: a unit on its final square guards at most what it views on an open board. Distances and views of
//!   different units add up to what they can guard together.
//! * [`self_blocks`]: the king and the units on its neighbors make the turns that they need to get there, each unit on
//!   its own.
//! * [`mobility`]: in a stalemate, each other unit of the king's side is captured, pinned, walled in or blocked.
//!
//! The same facts serve three searches:
//!
//! * Help and series play: [`assignments`] and [`stalemates`] list, where lines begin, the final squares of the units
//!   that take part in a mate or a stalemate. Along each line, [`narrowing`] keeps those of the list that still fit in
//!   the numbers of turns. [`guards`] finds the units that guard the king's neighbors for both.
//! * Help and series play with too many final positions to list: a bound by views, [`Patterns::may_reach_goal`]. For
//!   each square that the king can reach in time, it compares the neighbors that cannot be guarded with the units that
//!   can occupy them.
//! * Direct, self and reflex play: [`mate_bound`], which compares numbers of neighbors only.
//!
//! Preconditions: the rule set promises orthodox flights ([`Facts::flights`](rules::Facts::flights)); for help and
//! series play, that turns follow from the movements of the units alone ([`Plain`]); for stalemates also that no game
//! ends while there are legal turns. A rule set that does not promise this, such as one with a clause that changes turns, is
//! searched without these bounds.
//!
//! Sources: help play is searched from the final positions by Popeye's option `Intelligent`
//! (<https://github.com/thomas-maeder/popeye>, folder `optimisations/intelligent`), which solves once for each final
//! position. A bound that never exceeds the true number of turns loses no solution: P. Hart, N. Nilsson, B. Raphael, "A Formal
//! Basis for the Heuristic Determination of Minimum Cost Paths", IEEE Transactions on Systems Science and Cybernetics 4
//! (1968); taking the maximum over relaxed problems: J. Pearl, "Heuristics" (1984), chapter 4.

mod assignments;
mod castling;
mod coverage;
mod guards;
pub(crate) mod mate_bound;
mod mobility;
mod narrowing;
mod reach;
mod self_blocks;
mod stalemates;

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
use stalemates::Stalemates;

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

/// The final positions with which lines can end.
enum Listed<'g, W: Layout> {
    Mates(Box<Assignments<'g, W>>),
    Stalemates(Box<Stalemates<'g, W>>),
}

impl<W: Layout> Listed<'_, W> {
    /// Returns the number of final positions that are possible, or `None` if they are not listed.
    fn len(&self) -> Option<usize> {
        match self {
            Listed::Mates(mates) => mates.len(),
            Listed::Stalemates(stalemates) => stalemates.len(),
        }
    }
}

/// Patterns for one board and the side that reaches the goal, with a cache of gaps.
pub struct Patterns<'g, W: Layout> {
    mating_side: Color,
    /// The final positions with which lines can end.
    listed: Option<Listed<'g, W>>,
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
        let listed = (!board.geometry().wraps()).then(|| match end {
            End::Mate => Listed::Mates(Box::new(Assignments::new(
                game,
                mating_side,
                (turns, helps),
            ))),
            End::Stalemate => {
                Listed::Stalemates(Box::new(Stalemates::new(game, mating_side, (turns, helps))))
            }
        });
        Some(Patterns {
            mating_side,
            listed,
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
        let budget = (turns, helps);
        let begun = self.listed.as_mut().and_then(|listed| match listed {
            Listed::Mates(mates) => mates.begin(p, &self.coverage, &self.self_blocks, budget),
            Listed::Stalemates(stalemates) => stalemates.begin(p, &self.coverage, budget),
        });
        begun.unwrap_or_else(|| self.may_reach_goal(p, turns, helps))
    }

    /// Enters the position after a turn, with the numbers of turns that both sides have left. Returns false, and
    /// enters nothing, only if the goal cannot be reached. If `last` is set, no position after this one may be
    /// entered.
    pub fn enter(&mut self, p: &Position<W>, turns: u32, helps: u32, last: bool) -> bool {
        // The views are faster than many final positions.
        let len = self.listed.as_ref().and_then(Listed::len);
        if len.is_none_or(|len| len > FEW_ASSIGNMENTS) && !self.may_reach_goal(p, turns, helps) {
            return false;
        }
        let budget = (turns, helps);
        match &mut self.listed {
            Some(Listed::Mates(mates)) if len.is_some() => {
                mates.enter(p, &self.self_blocks, budget, last)
            }
            Some(Listed::Stalemates(stalemates)) if len.is_some() => {
                stalemates.enter(p, budget, last)
            }
            _ => true,
        }
    }

    /// Returns from the last position entered to the position before it.
    pub fn leave(&mut self) {
        match &mut self.listed {
            Some(Listed::Mates(mates)) => mates.leave(),
            Some(Listed::Stalemates(stalemates)) => stalemates.leave(),
            None => {}
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

//! Coverage: the squares around a king that the side that mates or stalemates can come to guard in time.
//!
//! A *view* is a unit's contribution to a king's square: one bit for each guarded neighbor, and the bit
//! [`MARK`]. Lines count as open even where units block them.

use super::castling::{Castled, Castlings};
use super::reach::Reach;
use board::{Board, Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::Game;
use smallvec::SmallVec;
use std::cmp::Reverse;

/// The bits of the neighbors.
pub const RING: u16 = 0xff;
/// The mark; [`End`] defines its meaning.
pub const MARK: u16 = 0x100;
/// The view of a square on which the unit cannot be in the final position.
pub const BARRED: u16 = u16::MAX;
/// The maximum number of combinations examined for one king's square. Beyond this number, nothing is
/// excluded.
const MAX_COMBINATIONS: u32 = 20_000;

/// The units of one side.
pub type Units = SmallVec<[Attacker; 16]>;

/// A unit that may guard.
#[derive(Clone)]
pub struct Attacker {
    pub kind: Kind,
    pub from: Square,
    /// Squares to which castling may move the unit.
    pub castled: Castled,
}

/// Sets of neighbors that units of the king's own side must occupy. No set contains another.
pub type Gaps = SmallVec<[u8; 8]>;

/// The kind of final position. It defines the meaning of the mark and the squares on which units cannot be in
/// the end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The king's square is guarded. A unit has the mark if it guards this square.
    Mate,
    /// The king's square is not guarded. A unit has the mark if it slides, and so may pin.
    Stalemate,
}

/// Tables of one board and one side, and a cache of the best views.
pub struct Coverage<W: Layout> {
    squares: usize,
    reach: Reach<W>,
    /// The view, by kind, unit's square and king's square.
    views: Vec<u16>,
    /// The neighbors of each king's square, as bits of a view.
    rings: Vec<u16>,
    /// The neighbors of each king's square, by direction. The square itself where the neighbor is missing.
    cells: Vec<[Square; 8]>,
    /// One more than the start in `best` of the best views of a unit with an exact number of turns; 0 before
    /// the first request. By turns, kind, from-square and king's square.
    starts: Vec<u32>,
    /// Lists of views, each preceded by its length.
    best: Vec<u16>,
}

/// Returns the neighbors of a king, each with its bit in a view: the number of its direction.
fn cells<S: Squares>(board: &Board<S>, king: Square) -> impl Iterator<Item = (u16, Square)> {
    (0..8).filter_map(move |direction| Some((1 << direction, board.neighbor(king, direction)?)))
}

impl<W: Layout> Coverage<W> {
    /// Returns tables for units of `color` and at most `max_turns` of their turns.
    pub fn new(game: &dyn Game<W>, color: Color, max_turns: usize, end: End) -> Coverage<W> {
        let board = game.board();
        let squares = board.geometry().len();
        let reach = Reach::new(game, color, max_turns, true);
        let mut views = vec![0; 6 * squares * squares];
        let mut seers: Vec<SmallVec<[(usize, u16); 9]>> = vec![SmallVec::new(); squares];
        let mut rings = vec![0; squares];
        for king in board.squares().iter() {
            seers[king.index()].push((king.index(), MARK));
            for (bit, cell) in cells(board, king) {
                seers[cell.index()].push((king.index(), bit));
                rings[king.index()] |= bit;
            }
        }
        for kind in Kind::ALL {
            for from in board.squares().iter() {
                let row =
                    &mut views[(kind.index() * squares + from.index()) * squares..][..squares];
                let guarded = if kind == Kind::Pawn {
                    board.pawn_captures(color, from)
                } else {
                    board.reach(kind, from, W::Set::EMPTY)
                };
                for cell in guarded.iter() {
                    for &(king, bit) in &seers[cell.index()] {
                        row[king] |= bit;
                    }
                }
                if end == End::Stalemate {
                    // Attacks by leapers and by adjacent units cannot be blocked.
                    let slides = board.slides(kind).is_some();
                    for view in row.iter_mut() {
                        *view = match (*view & MARK > 0, slides) {
                            (true, false) => BARRED,
                            (_, true) => *view | MARK,
                            _ => *view,
                        };
                    }
                    for near in (guarded & board.neighbors(from)).iter() {
                        row[near.index()] = BARRED;
                    }
                }
                row[from.index()] = BARRED;
                if kind == Kind::King {
                    for near in board.neighbors(from).iter() {
                        row[near.index()] = BARRED;
                    }
                }
            }
        }
        let starts = vec![0; (reach.max_turns() + 1) * 6 * squares * squares];
        Coverage {
            squares,
            reach,
            views,
            rings,
            cells: (0..squares as u8)
                .map(|at| {
                    [0, 1, 2, 3, 4, 5, 6, 7]
                        .map(|to| board.neighbor(Square(at), to).unwrap_or(Square(at)))
                })
                .collect(),
            starts,
            best: Vec::new(),
        }
    }

    /// Returns the view of a unit.
    pub fn view(&self, kind: Kind, from: Square, king: Square) -> u16 {
        self.views[(kind.index() * self.squares + from.index()) * self.squares + king.index()]
    }

    /// Returns the neighbors of a king as bits of a view.
    pub fn ring(&self, king: Square) -> u16 {
        self.rings[king.index()]
    }

    /// Returns the squares of a set of neighbors, given as bits of a view.
    pub fn cells(&self, king: Square, set: u8) -> W::Set {
        self.cells[king.index()]
            .iter()
            .enumerate()
            .filter(|(direction, _)| set >> direction & 1 == 1)
            .fold(W::Set::EMPTY, |set, (_, &cell)| set.with(cell))
    }

    /// Calls `receive` with the maximum number of neighbors that a unit of a kind can guard from a square that it
    /// reaches within each number of turns up to `max_turns`, and from which it has the view `wanted` as well; 0 if
    /// there is no such square. The arguments are the number of turns, the king's square, the unit's square and the maximum.
    pub fn max_guarded(
        &self,
        kind: Kind,
        max_turns: usize,
        wanted: u16,
        receive: &mut dyn FnMut(usize, usize, usize, u8),
    ) {
        let squares = self.squares;
        let guarded: Vec<u8> = self
            .views
            .iter()
            .map(|&view| match view {
                BARRED => 0,
                _ if wanted & !view != 0 => 0,
                _ => (view & RING).count_ones() as u8,
            })
            .collect();
        for from in (0..squares as u8).map(Square) {
            let mut most = vec![0; squares];
            let mut before = [W::Set::EMPTY; 6];
            for turns in 0..=max_turns {
                let there = *self.reach.within(turns, kind, from);
                for (kind, (there, before)) in there.iter().zip(&before).enumerate() {
                    for to in (*there & !*before).iter() {
                        let row = &guarded[(kind * squares + to.index()) * squares..][..squares];
                        for (most, guarded) in most.iter_mut().zip(row) {
                            *most = u8::max(*most, *guarded);
                        }
                    }
                }
                before = there;
                for (king, most) in most.iter().enumerate() {
                    receive(turns, king, from.index(), *most);
                }
            }
        }
    }

    /// Returns the start in `best` of the best views with exactly `turns` turns, which are computed on the
    /// first request.
    fn best_views(&mut self, turns: usize, kind: Kind, from: Square, king: Square) -> usize {
        let n = self.squares;
        let at = ((turns * 6 + kind.index()) * n + from.index()) * n + king.index();
        if self.starts[at] > 0 {
            return self.starts[at] as usize - 1;
        }
        let mut seen = [0_u64; 8];
        let mut found: SmallVec<[u16; 32]> = SmallVec::new();
        let there = *self.reach.within(turns, kind, from);
        for (kind, squares) in there.iter().enumerate() {
            for to in squares.iter() {
                let view = self.view(Kind::ALL[kind], to, king);
                if view != BARRED && seen[usize::from(view >> 6)] >> (view & 63) & 1 == 0 {
                    seen[usize::from(view >> 6)] |= 1 << (view & 63);
                    found.push(view);
                }
            }
        }
        // A unit other than the king may be captured or may move out of the way, so the empty view is
        // possible, too.
        if kind != Kind::King && seen[0] & 1 == 0 {
            found.push(0);
        }
        let mut sooner: SmallVec<[u16; 32]> = SmallVec::new();
        if turns > 0 {
            for turns in 0..turns {
                let start = self.best_views(turns, kind, from, king);
                sooner.extend_from_slice(self.views_at(start));
            }
        }
        let within = |view: u16, other: u16| view & !other == 0;
        let best: SmallVec<[u16; 32]> = found
            .iter()
            .copied()
            .filter(|&view| {
                !sooner.iter().any(|&other| within(view, other))
                    && !found
                        .iter()
                        .any(|&other| other != view && within(view, other))
            })
            .collect();
        let start = self.best.len();
        self.best.push(best.len() as u16);
        self.best.extend_from_slice(&best);
        self.starts[at] = start as u32 + 1;
        start
    }

    fn views_at(&self, start: usize) -> &[u16] {
        &self.best[start + 1..start + 1 + usize::from(self.best[start])]
    }

    /// Returns the views that a unit may add, by the number of turns that it makes.
    fn options(&mut self, unit: &Attacker, turns: usize, king: Square) -> Options {
        let mut options = Options::default();
        for spent in 0..=turns.min(self.reach.max_turns()) {
            let castled = unit.castled.iter().copied();
            for (square, cost) in std::iter::once((unit.from, 0)).chain(castled) {
                let Some(spent) = spent.checked_sub(cost) else {
                    continue;
                };
                let start = self.best_views(spent, unit.kind, square, king);
                for &view in self.views_at(start) {
                    options.union |= view;
                    options.max_neighbors = options.max_neighbors.max((view & RING).count_ones());
                    options.views.push(view);
                }
            }
            options.ends.push(options.views.len());
            options.counts.push(options.max_neighbors);
        }
        options
    }

    /// Returns the smallest sets of neighbors, of at most `free` squares, that stay unguarded when these
    /// units spend `turns` turns. If `marked`, one of their views must have the mark.
    pub fn gaps(
        &mut self,
        units: &[Attacker],
        turns: usize,
        king: Square,
        free: u32,
        marked: bool,
    ) -> Gaps {
        let mut all: SmallVec<[Options; 16]> = units
            .iter()
            .map(|unit| self.options(unit, turns, king))
            .collect();
        let ring = self.rings[king.index()];
        all.sort_unstable_by_key(Options::most_first);
        // `gains[n][t]` is the maximum number of neighbors that the units from number `n` on can add with `t`
        // turns.
        let mut gains: SmallVec<[SmallVec<[u32; 8]>; 17]> = SmallVec::new();
        let mut unions: SmallVec<[u16; 17]> = SmallVec::new();
        gains.push(SmallVec::from_elem(0, turns + 1));
        unions.push(0);
        for options in all.iter().rev() {
            let after = &gains[gains.len() - 1];
            let gain = (0..=turns)
                .map(|total| {
                    (0..=total)
                        .map(|spent| options.count(spent) + after[total - spent])
                        .max()
                        .unwrap_or(0)
                })
                .collect();
            let union = unions[unions.len() - 1] | options.union;
            gains.push(gain);
            unions.push(union);
        }
        gains.reverse();
        unions.reverse();
        let mut search = Search {
            ring,
            free,
            wanted: if marked { MARK } else { 0 },
            all: &all,
            gains: &gains,
            unions: &unions,
            found: Gaps::new(),
            combinations_left: MAX_COMBINATIONS,
        };
        search.explore(0, 0, turns);
        if search.combinations_left == 0 {
            return Gaps::from_slice(&[0]);
        }
        search.found
    }
}

/// The views that one unit may add.
#[derive(Default)]
struct Options {
    views: SmallVec<[u16; 32]>,
    /// The end in `views` of the views with each number of turns.
    ends: SmallVec<[usize; 8]>,
    /// The maximum number of neighbors guarded within each number of turns.
    counts: SmallVec<[u32; 8]>,
    union: u16,
    /// The maximum number of neighbors that one of the views guards.
    max_neighbors: u32,
}

impl Options {
    fn most_first(&self) -> Reverse<u32> {
        Reverse(self.max_neighbors)
    }

    fn count(&self, turns: usize) -> u32 {
        self.counts[turns.min(self.counts.len() - 1)]
    }
}

struct Search<'a> {
    ring: u16,
    free: u32,
    wanted: u16,
    all: &'a [Options],
    gains: &'a [SmallVec<[u32; 8]>],
    unions: &'a [u16],
    found: Gaps,
    combinations_left: u32,
}

impl Search<'_> {
    fn explore(&mut self, n: usize, view: u16, left: usize) {
        if self.combinations_left == 0 {
            return;
        }
        self.combinations_left -= 1;
        let open = self.ring & !view;
        let least = open & !self.unions[n];
        if open.count_ones() > self.free + self.gains[n][left]
            || least.count_ones() > self.free
            || self.wanted & !(view | self.unions[n]) != 0
            || self
                .found
                .iter()
                .any(|&gap| least & u16::from(gap) == u16::from(gap))
        {
            return;
        }
        let Some(options) = self.all.get(n) else {
            let gap = open as u8;
            self.found.retain(|known| *known & gap != gap);
            self.found.push(gap);
            return;
        };
        let mut start = 0;
        for (spent, &end) in options.ends.iter().enumerate().take(left + 1) {
            for &more in &options.views[start..end] {
                self.explore(n + 1, view | more, left - spent);
            }
            start = end;
        }
    }
}

/// Returns the units of a side on the board, with the squares to which castling may move them.
pub fn units<W: Layout>(p: &Position<W>, color: Color, castlings: &Castlings) -> Units {
    let own = p.color(color);
    let mut units = Units::new();
    for kind in Kind::ALL {
        for from in (p.kind(kind) & own).iter() {
            units.push(Attacker {
                kind,
                from,
                castled: castlings.of(p.rights, kind, from),
            });
        }
    }
    units
}

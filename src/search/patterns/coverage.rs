//! Which squares around a king the side that mates or stalemates can come to guard in time.
//!
//! A *view* of a king's square has a bit for each neighbor, and one more ([`MARK`]). Lines count as
//! open, even where units block them.

use super::castling::{Castled, Castlings};
use super::reach::Reach;
use board::{Board, Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::Game;
use smallvec::SmallVec;
use std::cmp::Reverse;

/// Bits of the neighbors.
const RING: u16 = 0xff;
/// What [`End`] says.
const MARK: u16 = 0x100;
/// No unit may be there in the end.
const BARRED: u16 = u16::MAX;
/// The number of combinations for one king's square after which none is excluded any more.
const PATIENCE: u32 = 20_000;

/// Units of one side: what and where from.
pub type Units = SmallVec<[Attacker; 16]>;

/// A unit that may guard.
#[derive(Clone)]
pub struct Attacker {
    pub kind: Kind,
    pub from: Square,
    /// Other squares where it may be after a number of turns: castling.
    pub castled: Castled,
}

/// Sets of neighbors that have to hold units of the king's own side, none within another.
pub type Gaps = SmallVec<[u8; 8]>;

/// What a view's mark means, and where units may not be in the end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The king's square is guarded.
    Mate,
    /// The king's square is not guarded; the mark says that the unit slides, and so may pin.
    Stalemate,
}

/// Tables of one board and side, and what was looked up in them.
pub struct Coverage<W: Layout> {
    squares: usize,
    reach: Reach<W>,
    /// By kind, unit's square, king's square: the view.
    views: Vec<u16>,
    /// For each king's square its neighbors.
    rings: Vec<u16>,
    /// The same by direction; the square itself where there is none.
    cells: Vec<[Square; 8]>,
    /// The best views of a unit with exactly a number of turns, found on the first request:
    /// by turns, kind, from-square, king's square one more than the start in `best`.
    starts: Vec<u32>,
    /// Lists of views, each after its length.
    best: Vec<u16>,
}

/// Returns the bit of a view for each neighbor, by the king's direction to it.
fn cells<S: Squares>(board: &Board<S>, king: Square) -> impl Iterator<Item = (u16, Square)> {
    (0..8).filter_map(move |direction| Some((1 << direction, board.neighbor(king, direction)?)))
}

impl<W: Layout> Coverage<W> {
    /// Tables for units of `color` and at most `most` of their turns.
    pub fn new(game: &dyn Game<W>, color: Color, most: usize, end: End) -> Coverage<W> {
        let board = game.board();
        let squares = board.geometry().len();
        let reach = Reach::new(game, color, most);
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
                    // Nothing can come between the king and a unit that leaps or is next to
                    // it.
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
        let starts = vec![0; (reach.most() + 1) * 6 * squares * squares];
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

    /// Returns the squares of a set of neighbors.
    pub fn cells(&self, king: Square, set: u8) -> W::Set {
        self.cells[king.index()]
            .iter()
            .enumerate()
            .filter(|(direction, _)| set >> direction & 1 == 1)
            .fold(W::Set::EMPTY, |set, (_, &cell)| set.with(cell))
    }

    /// Computes the best views with exactly `turns` turns if they are not known, and returns where they start.
    fn find(&mut self, turns: usize, kind: Kind, from: Square, king: Square) -> usize {
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
                let view = self.views[(kind * n + to.index()) * n + king.index()];
                if view != BARRED && seen[usize::from(view >> 6)] >> (view & 63) & 1 == 0 {
                    seen[usize::from(view >> 6)] |= 1 << (view & 63);
                    found.push(view);
                }
            }
        }
        // Units other than the king may block or be captured, and so guard nothing.
        if kind != Kind::King && seen[0] & 1 == 0 {
            found.push(0);
        }
        let mut sooner: SmallVec<[u16; 32]> = SmallVec::new();
        if turns > 0 {
            for turns in 0..turns {
                let start = self.find(turns, kind, from, king);
                sooner.extend_from_slice(self.list(start));
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

    fn list(&self, start: usize) -> &[u16] {
        &self.best[start + 1..start + 1 + usize::from(self.best[start])]
    }

    /// Returns what each unit may add with how many turns.
    fn options(&mut self, unit: &Attacker, turns: usize, king: Square) -> Options {
        let mut options = Options::default();
        for spent in 0..=turns.min(self.reach.most()) {
            let castled = unit.castled.iter().copied();
            for (square, cost) in std::iter::once((unit.from, 0)).chain(castled) {
                let Some(spent) = spent.checked_sub(cost) else {
                    continue;
                };
                let start = self.find(spent, unit.kind, square, king);
                for &view in self.list(start) {
                    options.union |= view;
                    options.most = options.most.max((view & RING).count_ones());
                    options.views.push(view);
                }
            }
            options.ends.push(options.views.len());
            options.counts.push(options.most);
        }
        options
    }

    /// Returns the least sets of neighbors, of at most `free` squares, that are left when these units guard
    /// all they can with `turns` turns; if `marked`, one of their views has the mark.
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
        // The maximum that the units from here on can add with these turns.
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
            deadline: PATIENCE,
        };
        search.explore(0, 0, turns);
        if search.deadline == 0 {
            return Gaps::from_slice(&[0]);
        }
        search.found
    }
}

/// What one unit may add.
#[derive(Default)]
struct Options {
    views: SmallVec<[u16; 32]>,
    /// Where the views with each number of turns end.
    ends: SmallVec<[usize; 8]>,
    /// The maximum number of neighbors within each number of turns.
    counts: SmallVec<[u32; 8]>,
    union: u16,
    most: u32,
}

impl Options {
    fn most_first(&self) -> Reverse<u32> {
        Reverse(self.most)
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
    deadline: u32,
}

impl Search<'_> {
    fn explore(&mut self, n: usize, view: u16, left: usize) {
        if self.deadline == 0 {
            return;
        }
        self.deadline -= 1;
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

/// Returns the units of a side on the board, those that castling may move marked with where it takes them.
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

//! A bound that prunes the search: a quick test whether a mate is still possible, even with help.
//!
//! Precondition: the rule set promises orthodox flights ([`Facts::flights`](rules::Facts::flights)). In a
//! mate, each square next to the king holds a unit of the king's side or is guarded. Tables give the number
//! of these squares that a unit can come to guard within a number of turns on an empty board. If even the sum
//! over all units is too small, mate is impossible. Lines count as open even where units block them, so the
//! bound never prunes a position that could still end in mate.
//!
//! `king_walk.rs` uses the tables, too.

use crate::judge::Judge;
use board::{Board, Color, Kind, Square, Squares};
use position::{Layout, Position, Rights};
use rules::fide::PIECES;

/// The maximum number of turns of a unit that the tables cover.
const MAX_TURNS: usize = 4;

/// The maximum number of neighbors of a king that a unit can guard, by the number of turns.
pub(crate) type Covers = [u8; MAX_TURNS + 1];

/// Tables of one board, for mates given by one side.
pub struct MateBound<'g, W: Layout> {
    board: &'g Board<W::Set>,
    mating_side: Color,
    files: u8,
    ranks: u8,
    squares: usize,
    all: W::Set,
    /// The neighbors of each square.
    rings: Vec<W::Set>,
    /// The squares that a unit guards on an empty board, by kind and square; empty for pawns.
    guards: [Vec<W::Set>; 6],
    /// The squares that a pawn of the mating side guards, by its square.
    pawn_guards: Vec<W::Set>,
    /// The maximum number of neighbors of a king that a unit can guard within a number of turns (from 0), by
    /// kind, the king's square and the unit's square.
    covers: [Vec<Covers>; 6],
    /// Like `covers` for the kind king, if the mating side may castle.
    castling_covers: Vec<Covers>,
    /// The maximum number of neighbors that a unit of any kind can guard from anywhere, by the king's square.
    best: Vec<u8>,
    /// Whether units other than pawns never change their kind.
    fixed: bool,
    /// The castlings of each side: the right, and the square to which castling moves the king.
    castled: [Vec<(Rights, Square)>; 2],
}

impl<'g, W: Layout> MateBound<'g, W> {
    /// Returns the tables if mate is the goal and the rule set promises orthodox flights.
    pub fn new(judge: Judge<'g, W>, mating_side: Color) -> Option<MateBound<'g, W>> {
        let game = judge.game;
        if !judge.is_mate() || !game.facts().orthodox_flights() {
            return None;
        }
        let board = game.board();
        let geometry = board.geometry();
        let squares = geometry.len();
        let each = || (0..squares as u8).map(Square);
        let rings: Vec<W::Set> = each().map(|s| board.neighbors(s)).collect();
        let guards: [Vec<W::Set>; 6] = Kind::ALL.map(|kind| {
            each()
                .map(|s| {
                    if kind == Kind::Pawn {
                        W::Set::EMPTY
                    } else {
                        board.reach(kind, s, W::Set::EMPTY)
                    }
                })
                .collect()
        });
        // First, coverage in 0 turns. A king cannot be next to the other king, so it guards nothing there.
        let mut covers: [Vec<Covers>; 6] = Kind::ALL.map(|kind| {
            let mut table = vec![Covers::default(); squares * squares];
            for from in each() {
                for king in each() {
                    let near =
                        kind == Kind::King && (rings[king.index()].has(from) || from == king);
                    if !near {
                        let guarded = guards[kind.index()][from.index()] & rings[king.index()];
                        table[king.index() * squares + from.index()][0] = guarded.len() as u8;
                    }
                }
            }
            table
        });
        let mut best = vec![0; squares];
        for table in &covers {
            for (best, row) in best.iter_mut().zip(table.chunks_exact(squares)) {
                *best = row.iter().fold(*best, |best, cover| best.max(cover[0]));
            }
        }
        for kind in PIECES {
            let table = &mut covers[kind.index()];
            // Indexed by from-square first, because the inner loop runs over king's squares.
            let transposed = |n: usize| n % squares * squares + n / squares;
            let still = (0..table.len()).map(|n| table[transposed(n)][0]).collect();
            let mut levels: Vec<Vec<u8>> = vec![still];
            while levels.len() <= MAX_TURNS {
                let last = &levels[levels.len() - 1];
                let mut next = last.clone();
                for from in each() {
                    let here = &mut next[from.index() * squares..][..squares];
                    for to in guards[kind.index()][from.index()].iter() {
                        let there = &last[to.index() * squares..][..squares];
                        for (here, there) in here.iter_mut().zip(there) {
                            *here = (*here).max(*there);
                        }
                    }
                }
                levels.push(next);
            }
            for (n, covers) in table.iter_mut().enumerate() {
                *covers = std::array::from_fn(|turns| levels[turns][transposed(n)]);
            }
        }
        let mut bound = MateBound {
            board,
            mating_side,
            files: geometry.files(),
            ranks: geometry.ranks(),
            squares,
            all: board.squares(),
            rings,
            guards,
            pawn_guards: each()
                .map(|s| board.pawn_captures(mating_side, s))
                .collect(),
            castling_covers: Vec::new(),
            covers,
            best,
            fixed: game.facts().changes.is_empty(),
            castled: Color::BOTH.map(|color| {
                [false, true]
                    .into_iter()
                    .filter_map(|higher| {
                        let (king, _) = game.castling_homes(color, higher)?;
                        let to = if higher { king.0 + 2 } else { king.0 - 2 };
                        Some((Rights::bit(color, higher), Square(to)))
                    })
                    .collect()
            }),
        };
        let pawns = |n: usize| {
            let (king, from) = (Square((n / squares) as u8), Square((n % squares) as u8));
            std::array::from_fn(|turns| bound.pawn_cover(from, king, turns) as u8)
        };
        bound.covers[Kind::Pawn.index()] = (0..squares * squares).map(pawns).collect();
        bound.castling_covers = bound.castling_covers();
        Some(bound)
    }

    /// Returns `covers` of the mating side's king, if its first turn may be a castling, by the defending
    /// king's square and the from-square.
    fn castling_covers(&self) -> Vec<Covers> {
        let kings = &self.covers[Kind::King.index()];
        let mut castling = kings.clone();
        for (n, covers) in castling.iter_mut().enumerate() {
            for &(_, to) in &self.castled[self.mating_side.index()] {
                let castled = kings[n / self.squares * self.squares + to.index()];
                for turns in 0..MAX_TURNS {
                    covers[turns + 1] = covers[turns + 1].max(castled[turns]);
                }
            }
        }
        castling
    }

    fn cover(&self, turns: usize, kind: Kind, from: Square, king: Square) -> u32 {
        u32::from(self.covers[kind.index()][king.index() * self.squares + from.index()][turns])
    }

    /// Like [`cover`](Self::cover), for a pawn: two squares as a pawn, or more as the piece to which
    /// it promotes on a square of its last rank that it can reach.
    fn pawn_cover(&self, from: Square, king: Square, turns: usize) -> u32 {
        let (file, rank) = (from.0 % self.files, from.0 / self.files);
        let (left, start, last) = match self.mating_side {
            Color::White => (self.ranks - 1 - rank, rank == 1, self.ranks - 1),
            Color::Black => (rank, rank + 2 == self.ranks, 0),
        };
        let (left, aside) = (usize::from(left), usize::from(left).min(turns) as u8);
        let least = left.saturating_sub(usize::from(start));
        if least > turns {
            return 2;
        }
        let files = file.saturating_sub(aside)..=(file + aside).min(self.files - 1);
        files
            .flat_map(|file| {
                let there = Square(last * self.files + file);
                PIECES.map(|kind| self.cover(turns - least, kind, there, king))
            })
            .max()
            .unwrap_or(0)
            .max(2)
    }

    /// Returns the squares to which castling can still move a side's king.
    pub(crate) fn castled(&self, p: &Position<W>, color: Color) -> impl Iterator<Item = Square> {
        let rights = p.rights;
        self.castled[color.index()]
            .iter()
            .filter(move |(right, _)| rights.has(*right))
            .map(|&(_, to)| to)
    }

    /// Returns the maximum number of additional neighbors of `king` that the mating side can come to guard
    /// within `turns` turns. Castling counts as a turn of the king and a free turn of the rook.
    fn gain(&self, p: &Position<W>, king: Square, turns: usize) -> u32 {
        let castlings = self.castled(p, self.mating_side).next().is_some();
        let turns = turns + usize::from(castlings);
        let own = p.color(self.mating_side);
        if turns == 1 && self.fixed {
            return self.gain_of_one_turn(p, king);
        }
        // A knapsack over units: `spent[n]` is the maximum with `n` turns of the units so far, and `with[n]`
        // the maximum of one unit with `n` turns.
        let mut spent = [0_u32; MAX_TURNS + 1];
        for kind in Kind::ALL {
            for from in (p.kind(kind) & own).iter() {
                let mut with = [0_u32; MAX_TURNS + 1];
                for (n, cover) in with.iter_mut().enumerate().skip(1).take(turns) {
                    *cover = if self.fixed {
                        self.cover(n, kind, from, king)
                    } else {
                        u32::from(self.best[king.index()])
                    };
                    if castlings && kind == Kind::King {
                        for to in self.castled(p, self.mating_side) {
                            *cover = self.cover(n - 1, kind, to, king).max(*cover);
                        }
                    }
                }
                for total in (1..=turns).rev() {
                    for n in 1..=total {
                        spent[total] = spent[total].max(spent[total - n] + with[n]);
                    }
                }
            }
        }
        spent[turns]
    }

    /// Like [`gain`](Self::gain) for one turn, without castling, if units never change their kind.
    fn gain_of_one_turn(&self, p: &Position<W>, king: Square) -> u32 {
        let own = p.color(self.mating_side);
        let mut gain = 0;
        for kind in Kind::ALL {
            for from in (p.kind(kind) & own).iter() {
                gain = gain.max(self.cover(1, kind, from, king));
            }
        }
        gain
    }

    /// Returns whether units other than pawns never change their kind.
    pub(crate) fn is_fixed(&self) -> bool {
        self.fixed
    }

    /// Returns the number of squares of the board.
    pub(crate) fn squares(&self) -> usize {
        self.squares
    }

    /// Returns the neighbors of a square.
    pub(crate) fn ring(&self, at: Square) -> W::Set {
        self.rings[at.index()]
    }

    /// Returns the squares that a unit of the mating side guards if units do not block lines.
    pub(crate) fn guards(&self, kind: Kind, from: Square) -> W::Set {
        match kind {
            Kind::Pawn => self.pawn_guards[from.index()],
            _ => self.guards[kind.index()][from.index()],
        }
    }

    /// Returns the squares that a unit of the mating side attacks if lines end at the squares `occupied`.
    pub(crate) fn attacks(&self, kind: Kind, from: Square, occupied: W::Set) -> W::Set {
        match kind {
            Kind::Pawn => self.pawn_guards[from.index()],
            _ => self.board.reach(kind, from, occupied),
        }
    }

    /// Returns the maximum number of neighbors of `king` that a unit of fixed kind can guard, by the number
    /// of its turns. `castles` is whether its side may castle.
    pub(crate) fn covers(&self, kind: Kind, from: Square, king: Square, castles: bool) -> &Covers {
        let table = match kind {
            Kind::King if castles => &self.castling_covers,
            _ => &self.covers[kind.index()],
        };
        &table[king.index() * self.squares + from.index()]
    }

    /// Returns false only if mate is impossible from a position with `left` turns of both sides to go.
    pub fn allows(&self, p: &Position<W>, left: u32) -> bool {
        let turns = left.div_ceil(2) as usize;
        // Castling may add one turn.
        if turns >= MAX_TURNS {
            return true;
        }
        let theirs = p.color(!self.mating_side);
        let Some(king) = (p.kind(Kind::King) & theirs).first() else {
            return true;
        };
        let own = p.color(self.mating_side);
        let mut guarded = W::Set::EMPTY;
        for kind in PIECES {
            for from in (p.kind(kind) & own).iter() {
                guarded |= self.guards[kind.index()][from.index()];
            }
        }
        for from in (p.kind(Kind::Pawn) & own).iter() {
            guarded |= self.pawn_guards[from.index()];
        }
        let helps = left / 2;
        let free = self.all & !guarded;
        let others = theirs.without(king);
        // The king makes up to `helps` steps, and each remaining turn of its side fills one neighbor.
        // Castling moves the king farther and may put the rook next to it.
        let mut reach = W::Set::of(king);
        let castled = self
            .castled(p, !self.mating_side)
            .fold(W::Set::EMPTY, W::Set::with);
        let rook = u32::from(!castled.is_empty());
        for gone in 0..=helps {
            for at in reach.iter() {
                let open = (self.rings[at.index()] & free & !others).len();
                let filled = helps - gone + rook;
                if open <= filled || open <= filled + self.gain(p, at, turns) {
                    return true;
                }
            }
            if gone < helps {
                reach = reach
                    .iter()
                    .fold(castled, |set, at| set | self.rings[at.index()]);
            }
        }
        false
    }
}

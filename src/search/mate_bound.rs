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

/// The maximum number of turns of a unit that ends with a check in the tables.
const MAX_CHECKING_TURNS: usize = 2;

/// The maximum number of neighbors of a king that a unit can guard, by the number of its turns (from 0), on an
/// empty board.
#[derive(Clone, Copy, Default)]
pub(crate) struct Covers {
    pub any: [u8; MAX_TURNS + 1],
    /// The maximum if the unit checks the king after its turns; 0 if it cannot.
    pub checking: [u8; MAX_CHECKING_TURNS + 1],
}

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
    /// The neighbors that a unit can guard, by kind, the king's square and the unit's square.
    covers: [Vec<Covers>; 6],
    /// Like `covers` for the kind king, if the mating side may castle.
    castling_covers: Vec<Covers>,
    /// The maximum number of neighbors that a unit of any kind can guard from anywhere, by the king's square.
    best: Vec<u8>,
    /// Whether units other than pawns never change their kind.
    fixed: bool,
    /// Whether turns follow from the movements of the men alone.
    plain: bool,
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
        let covers = piece_covers(&guards, &rings);
        let mut best = vec![0; squares];
        for table in &covers {
            for (best, row) in best.iter_mut().zip(table.chunks_exact(squares)) {
                *best = row.iter().fold(*best, |best, cover| best.max(cover.any[0]));
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
            plain: game.facts().is_plain(),
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
        bound.covers[Kind::Pawn.index()] = bound.pawn_covers();
        bound.castling_covers = bound.castling_covers();
        Some(bound)
    }

    /// Returns the covers of pawns, by the king's square and the pawn's square.
    fn pawn_covers(&self) -> Vec<Covers> {
        let squares = self.squares;
        let split = |n: usize| (Square((n / squares) as u8), Square((n % squares) as u8));
        let mut covers = vec![Covers::default(); squares * squares];
        for (n, covers) in covers.iter_mut().enumerate() {
            let (king, from) = split(n);
            for (turns, cover) in covers.any.iter_mut().enumerate() {
                *cover = self.pawn_cover(from, king, turns) as u8;
            }
            if self.pawn_guards[from.index()].has(king) {
                covers.checking[0] = covers.any[0];
            }
        }
        for turns in 1..=MAX_CHECKING_TURNS {
            for n in 0..covers.len() {
                let (_, from) = split(n);
                let after = |to: Square| covers[n - from.index() + to.index()].checking[turns - 1];
                let before = covers[n].checking[turns - 1];
                covers[n].checking[turns] = match self.pawn_targets(from) {
                    // What the pawn becomes may check the king from anywhere.
                    None => covers[n].any[turns],
                    Some(targets) => targets.iter().map(after).fold(before, u8::max),
                };
            }
        }
        covers
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
                    covers.any[turns + 1] = covers.any[turns + 1].max(castled.any[turns]);
                }
            }
        }
        castling
    }

    fn cover(&self, turns: usize, kind: Kind, from: Square, king: Square) -> u32 {
        u32::from(self.covers(kind, from, king, false).any[turns])
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

    /// Returns whether turns follow from the movements of the men alone ([`Facts::plain`](rules::Facts::plain)).
    pub(crate) fn is_plain(&self) -> bool {
        self.plain
    }

    /// Returns the side that gives mate.
    pub(crate) fn mating_side(&self) -> Color {
        self.mating_side
    }

    /// Returns all squares to which a turn can lead a pawn of the mating side, or `None` if a turn may
    /// promote it.
    pub(crate) fn pawn_targets(&self, from: Square) -> Option<W::Set> {
        let (board, side) = (self.board, self.mating_side);
        let once = board.pushed(W::Set::of(from), side);
        let twice = board.pushed(once & board.rank_of(side, 2), side);
        let targets = self.pawn_guards[from.index()] | once | twice;
        (targets & board.last_rank(side))
            .is_empty()
            .then_some(targets)
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

    /// Returns the maximum number of neighbors of `king` that a unit of fixed kind can guard. `castles` is
    /// whether its side may castle.
    #[inline(always)]
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

/// Returns the covers of pieces by kind, the king's square and the piece's square. `guards` are the squares that
/// a unit guards, by kind and square; `rings` are the neighbors of each square.
fn piece_covers<S: Squares>(guards: &[Vec<S>; 6], rings: &[S]) -> [Vec<Covers>; 6] {
    let squares = rings.len();
    let mut covers = [const { Vec::new() }; 6];
    for kind in PIECES {
        let guards = &guards[kind.index()];
        // Indexed by the piece's square first, because the inner loop of `max_after_turns` runs over king's
        // squares.
        let mut any = vec![0; squares * squares];
        let mut checking = any.clone();
        for from in (0..squares as u8).map(Square) {
            let row = from.index() * squares;
            for king in (0..squares as u8).map(Square) {
                // A king cannot be next to the other king, so it guards nothing there.
                let near = kind == Kind::King && (rings[king.index()].has(from) || from == king);
                let guarded = (guards[from.index()] & rings[king.index()]).len() as u8;
                if !near {
                    any[row + king.index()] = guarded;
                }
                if !near && guards[from.index()].has(king) {
                    checking[row + king.index()] = guarded;
                }
            }
        }
        let any = max_after_turns::<S, { MAX_TURNS + 1 }>(any, guards);
        let checking = max_after_turns::<S, { MAX_CHECKING_TURNS + 1 }>(checking, guards);
        let mut table = vec![Covers::default(); squares * squares];
        for (n, covers) in table.iter_mut().enumerate() {
            let transposed = n % squares * squares + n / squares;
            for (cover, level) in covers.any.iter_mut().zip(&any) {
                *cover = level[transposed];
            }
            for (cover, level) in covers.checking.iter_mut().zip(&checking) {
                *cover = level[transposed];
            }
        }
        covers[kind.index()] = table;
    }
    covers
}

/// Returns the maximum value that a piece can come to have, by the number of its turns (from 0). Values are
/// indexed by the piece's square, then by the king's square. `targets` are the squares of one turn.
fn max_after_turns<S: Squares, const N: usize>(values: Vec<u8>, targets: &[S]) -> [Vec<u8>; N] {
    let squares = targets.len();
    let mut levels = [const { Vec::new() }; N];
    levels[0] = values;
    for turns in 1..N {
        let last = &levels[turns - 1];
        let mut next = last.clone();
        for (here, targets) in next.chunks_exact_mut(squares).zip(targets) {
            for to in targets.iter() {
                let there = &last[to.index() * squares..][..squares];
                for (here, there) in here.iter_mut().zip(there) {
                    *here = (*here).max(*there);
                }
            }
        }
        levels[turns] = next;
    }
    levels
}

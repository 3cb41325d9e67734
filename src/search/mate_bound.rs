//! An upper bound that cuts the search off: whether a mate can still come about, even with help.
//!
//! Precondition: the rule set promises orthodox flights ([`Game::flights`](rules::Game::flights)).
//! In a mate, each square next to the king holds one of its own units or is guarded. Tables give how
//! many of these squares a unit can come to guard within a number of turns on an empty board; where
//! even the sum over all units is too small, there is no mate. Lines count as open even where units block
//! on them, so the bound never cuts off anything that could end in mate.
//!
//! The same tables show that a king escapes the next turn: it steps to a square that is not attacked, and there
//! too many squares next to it are open for one turn of any unit to guard.

use crate::judge::Judge;
use board::{Board, Color, Kind, Square, Squares};
use position::{Layout, Position, Rights};
use rules::fide::PIECES;

/// The most turns of a side that the tables look ahead.
const MAX_TURNS: usize = 4;

/// Tables of one board, for mates given by one side.
pub struct MateBound<'g, W: Layout> {
    board: &'g Board<W::Set>,
    mating_side: Color,
    files: u8,
    ranks: u8,
    squares: usize,
    all: W::Set,
    /// Neighbors of each square.
    rings: Vec<W::Set>,
    /// What a unit guards on an empty board, by kind without pawns.
    guards: [Vec<W::Set>; 6],
    /// What pawns of the mating side guard.
    pawn_guards: Vec<W::Set>,
    /// The maximum number of neighbors of a king that a unit can guard after a number of turns (from 0), by
    /// kind, king's square, from-square.
    covers: Vec<[Vec<u8>; 6]>,
    /// The most neighbors that any unit can guard, by king's square.
    best: Vec<u8>,
    /// Whether units other than pawns always stay what they are.
    fixed: bool,
    /// Where castling takes each side's king, and the rights that it takes.
    castled: [Vec<(Rights, Square)>; 2],
}

impl<'g, W: Layout> MateBound<'g, W> {
    /// Returns the tables, if mate is the goal and the rule set promises flights.
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
        // Staying in place first; a king guards nothing from where it would be in check.
        let still: [Vec<u8>; 6] = Kind::ALL.map(|kind| {
            let mut table = vec![0; squares * squares];
            for from in each() {
                for king in each() {
                    let near =
                        kind == Kind::King && (rings[king.index()].has(from) || from == king);
                    if !near {
                        let guarded = guards[kind.index()][from.index()] & rings[king.index()];
                        table[king.index() * squares + from.index()] = guarded.len() as u8;
                    }
                }
            }
            table
        });
        let mut covers = vec![still.clone()];
        let mut last = still;
        let mut best = vec![0; squares];
        for table in &last {
            for (best, row) in best.iter_mut().zip(table.chunks_exact(squares)) {
                *best = row.iter().fold(*best, |best, &cover| best.max(cover));
            }
        }
        for _ in 0..MAX_TURNS {
            let mut next = last.clone();
            for kind in PIECES {
                for from in each() {
                    for to in guards[kind.index()][from.index()].iter() {
                        for king in 0..squares {
                            let there = last[kind.index()][king * squares + to.index()];
                            let here = &mut next[kind.index()][king * squares + from.index()];
                            *here = there.max(*here);
                        }
                    }
                }
            }
            covers.push(next.clone());
            last = next;
        }
        Some(MateBound {
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
        })
    }

    fn cover(&self, turns: usize, kind: Kind, from: Square, king: Square) -> u32 {
        u32::from(self.covers[turns][kind.index()][king.index() * self.squares + from.index()])
    }

    /// The same for a pawn: what guards two squares ahead, or what it becomes on the squares of
    /// its last rank that it can get to.
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

    /// Returns where castling can still take a side's king.
    fn castled(&self, p: &Position<W>, color: Color) -> impl Iterator<Item = Square> {
        let rights = p.rights;
        self.castled[color.index()]
            .iter()
            .filter(move |(right, _)| rights.has(*right))
            .map(|&(_, to)| to)
    }

    /// Returns how many more neighbors of `king` the mating side can come to guard within `turns` turns,
    /// castling counted as a turn of the king and a free one of the rook.
    fn gain(&self, p: &Position<W>, king: Square, turns: usize) -> u32 {
        let castlings = self.castled(p, self.mating_side).next().is_some();
        let turns = turns + usize::from(castlings);
        let own = p.color(self.mating_side);
        if turns == 1 && self.fixed {
            return self.gain_of_one_turn(p, king);
        }
        // The most with 1, 2, 3 turns for each unit; then the best way to spend the turns.
        let mut spent = [0_u32; MAX_TURNS + 1];
        for kind in Kind::ALL {
            for from in (p.kind(kind) & own).iter() {
                let mut with = [0_u32; MAX_TURNS + 1];
                for (n, cover) in with.iter_mut().enumerate().skip(1).take(turns) {
                    *cover = if !self.fixed {
                        u32::from(self.best[king.index()])
                    } else if kind == Kind::Pawn {
                        self.pawn_cover(from, king, n)
                    } else {
                        self.cover(n, kind, from, king)
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

    /// Like [`gain`](Self::gain) with one turn, without castling, where units stay what they are.
    fn gain_of_one_turn(&self, p: &Position<W>, king: Square) -> u32 {
        let own = p.color(self.mating_side);
        let row = king.index() * self.squares;
        let mut gain = 0;
        for kind in PIECES {
            let covers = &self.covers[1][kind.index()][row..row + self.squares];
            for from in (p.kind(kind) & own).iter() {
                gain = covers[from.index()].max(gain);
            }
        }
        let pawns = (p.kind(Kind::Pawn) & own).iter();
        pawns.fold(u32::from(gain), |gain, from| {
            gain.max(self.pawn_cover(from, king, 1))
        })
    }

    /// Returns whether the king of the side to move can step to a square where no turn of the mating side
    /// checkmates it. May return false although it can.
    pub fn king_escapes(&self, p: &Position<W>) -> bool {
        let (own, theirs) = (p.color(self.mating_side), p.color(!self.mating_side));
        let Some(king) = (p.kind(Kind::King) & theirs).first() else {
            return false;
        };
        let ring = self.rings[king.index()];
        let mut free = ring & !theirs;
        let blocked = p.occupied().without(king);
        let mut guarded = W::Set::EMPTY;
        for from in (p.kind(Kind::Pawn) & own).iter() {
            guarded |= self.pawn_guards[from.index()];
        }
        free &= !guarded;
        for kind in PIECES {
            for from in (p.kind(kind) & own).iter() {
                let guards = self.guards[kind.index()][from.index()];
                guarded |= guards;
                if !(guards & free).is_empty() {
                    free &= !self.board.reach(kind, from, blocked);
                }
            }
        }
        let others = theirs.without(king);
        free.iter().any(|at| {
            let open = (self.rings[at.index()] & !guarded & !others).len();
            open > self.gain(p, at, 1)
        })
    }

    /// Returns whether mate may still come about from a position with `left` turns to go.
    pub fn allows(&self, p: &Position<W>, left: u32) -> bool {
        let turns = left.div_ceil(2) as usize;
        // Castling may spend one more.
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
        // The king goes up to `helps` squares, each of the other turns fills one neighbor; castling
        // takes it farther and may put the rook next to it.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Goal;
    use notation::{Setup, with_setup};
    use rules::{Variant, with_turns};

    /// Positions with open and with enclosed kings, White to mate.
    const STARTS: [&str; 3] = [
        "7B/2p5/5p2/2P1kP2/4B3/4K3/8/8 w - - 0 1",
        "1b2R3/pN5b/K4pp1/3P1r2/1pPk2rN/3P4/2PP1P1p/8 w - - 0 1",
        "r3k2r/pppq1ppp/2n2n2/3pp3/3PP3/2N2N2/PPPQ1PPP/R3K2R w KQkq - 0 1",
    ];

    #[test]
    fn an_escape_is_a_turn_after_which_no_turn_mates() {
        let variant = Variant::from(&variants::fide::INFO);
        let (mut escapes, mut number) = (0, 1_u64);
        for start in STARTS {
            let setup = Setup::read(&variant, Some(start)).expect("a position");
            with_setup!(&setup, start => {
                let game = start.game.as_ref();
                let judge = Judge::new(game, &Goal::Mate);
                let bound = MateBound::new(judge, Color::White).expect("orthodox flights");
                let mut p = start.position;
                for _ in 0..2000 {
                    let next = with_turns(|turns| {
                        game.turns(&p, turns);
                        let holds = p.side == Color::Black && bound.king_escapes(&p);
                        if holds {
                            let safe = |turn| !judge.can_reach(&game.play(&p, turn));
                            assert!(turns.iter().any(safe), "{}", notation::fen::print(game, &p));
                            escapes += 1;
                        }
                        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        let count = turns.len().max(1) as u64;
                        turns.get(((number >> 33) % count) as usize).map(|turn| game.play(&p, turn))
                    });
                    p = next.unwrap_or(start.position);
                }
            });
        }
        assert!(escapes > 100, "{escapes}");
    }
}

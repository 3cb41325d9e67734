//! An upper bound that cuts the search off: whether a mate can still come about, even with help.
//!
//! Precondition: the rule set promises orthodox flights ([`Game::flights`](rules::Game::flights)).
//! In a mate, each square next to the king holds one of its own units or is guarded. Tables give how
//! many of these squares a unit can come to guard within a number of turns on an empty board; where
//! even the sum over all units is too small, mate is impossible. Lines count as open even where units block
//! on them, so the bound never cuts off anything that could end in mate.
//!
//! The same tables show that a king escapes: it steps to a square that is not attacked, and there too many squares
//! next to it are open for the turns that follow to guard, because a unit that moves no longer guards what it alone
//! has guarded. While the mating side has several turns, the king steps on to such a square after each of them.

use crate::judge::Judge;
use board::{Board, Color, Kind, Square, Squares};
use position::{Layout, Position, Rights};
use rules::fide::PIECES;
use smallvec::SmallVec;

/// The most turns of a side that the tables look ahead.
const MAX_TURNS: usize = 4;

/// The maximum number of neighbors of a king that a unit can guard, by the number of turns.
type Covers = [u8; MAX_TURNS + 1];

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
    /// The maximum number of neighbors of a king that a unit can guard within a number of turns (from 0), by
    /// kind, king's square, from-square.
    covers: [Vec<Covers>; 6],
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
            // By from-square and king's square, so that kings are next to each other.
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
        Some(bound)
    }

    fn cover(&self, turns: usize, kind: Kind, from: Square, king: Square) -> u32 {
        u32::from(self.covers[kind.index()][king.index() * self.squares + from.index()][turns])
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

    /// Like [`gain`](Self::gain) with one turn, without castling, where units stay what they are.
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

    /// Returns what the units of the mating side guard.
    fn guards(&self, p: &Position<W>) -> Guards<W::Set> {
        let own = p.color(self.mating_side);
        let mut guards = Guards {
            units: SmallVec::new(),
            any: W::Set::EMPTY,
            once: W::Set::EMPTY,
        };
        let mut several = W::Set::EMPTY;
        for kind in Kind::ALL {
            for from in (p.kind(kind) & own).iter() {
                let guarded = match kind {
                    Kind::Pawn => self.pawn_guards[from.index()],
                    _ => self.guards[kind.index()][from.index()],
                };
                several |= guards.any & guarded;
                guards.any |= guarded;
                guards.units.push((kind, from, guarded));
            }
        }
        guards.once = guards.any & !several;
        guards
    }

    /// Returns whether the king of the side to move can step, now and after each turn of the mating side, so that none
    /// of the next `turns` turns (at most `MAX_TURNS`) of the mating side checkmates it. May return false although it
    /// can.
    pub fn king_escapes(&self, p: &Position<W>, turns: usize) -> bool {
        let theirs = p.color(!self.mating_side);
        let Some(king) = (p.kind(Kind::King) & theirs).first() else {
            return false;
        };
        let plain = self.fixed && self.castled(p, self.mating_side).next().is_none();
        if turns > 1 && !plain {
            return false;
        }
        let guards = self.guards(p);
        let others = theirs.without(king);
        let mut free = self.rings[king.index()] & !others;
        let blocked = p.occupied().without(king);
        for &(kind, from, guarded) in &guards.units {
            if !(guarded & free).is_empty() {
                free &= match kind {
                    Kind::Pawn => !guarded,
                    _ => !self.board.reach(kind, from, blocked),
                };
            }
        }
        if !plain {
            return free.iter().any(|at| {
                let open = (self.rings[at.index()] & !guards.any & !others).len();
                open > self.gain(p, at, 1)
            });
        }
        let mut escape = Escape {
            bound: self,
            guards,
            others,
            turns,
            known: [W::Set::EMPTY; MAX_TURNS + 1],
            safe: [W::Set::EMPTY; MAX_TURNS + 1],
        };
        free.iter().any(|at| escape.is_safe(at, 1))
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

/// What the units of the mating side guard, if units do not block lines.
struct Guards<S> {
    units: SmallVec<[(Kind, Square, S); 16]>,
    /// Squares that a unit guards.
    any: S,
    /// Squares that exactly one unit guards.
    once: S,
}

/// A search for a king's walk, while the mating side's units stay what they are and it cannot castle.
struct Escape<'b, 'g, W: Layout> {
    bound: &'b MateBound<'g, W>,
    guards: Guards<W::Set>,
    /// Units of the defender, without the king. They stay where they are, unless they are captured.
    others: W::Set,
    /// The turns of the mating side that the king has to survive.
    turns: usize,
    /// By the number of steps, the squares whose safety is known.
    known: [W::Set; MAX_TURNS + 1],
    /// Of these, the safe ones.
    safe: [W::Set; MAX_TURNS + 1],
}

impl<W: Layout> Escape<'_, '_, W> {
    /// Returns whether a king that comes to a square with a number of steps is not mated there by the turn that
    /// follows, the mating side's turn of that number, nor later.
    fn is_safe(&mut self, at: Square, steps: usize) -> bool {
        if !self.known[steps].has(at) {
            self.known[steps] = self.known[steps].with(at);
            let mut near = self.bound.rings[at.index()] & !self.others;
            let mut safe = self.stays_open(at, near, steps);
            if safe && steps < self.turns {
                // What several units guard counts for nothing.
                near &= !self.guards.any | self.guards.once;
                let next = near.iter().filter(|&to| self.is_safe(to, steps + 1));
                let near = next.fold(W::Set::EMPTY, W::Set::with);
                safe = self.stays_open(at, near, steps);
            }
            if safe {
                self.safe[steps] = self.safe[steps].with(at);
            }
        }
        self.safe[steps].has(at)
    }

    /// Returns whether one of the squares `near` a king is not guarded after any `turns` turns.
    fn stays_open(&self, king: Square, near: W::Set, turns: usize) -> bool {
        let open = (near & !self.guards.any).len();
        if open == 0 {
            return false;
        }
        let once = self.guards.once & near;
        let row = king.index() * self.bound.squares;
        // The most that is gained with a number of turns.
        let mut spent = [0; MAX_TURNS + 1];
        for &(kind, from, guarded) in &self.guards.units {
            let covers = &self.bound.covers[kind.index()][row + from.index()];
            let lost = (guarded & once).len();
            if u32::from(covers[turns]) <= lost {
                continue;
            }
            for total in (1..=turns).rev() {
                for n in 1..=total {
                    let gain = u32::from(covers[n]).saturating_sub(lost);
                    spent[total] = spent[total].max(spent[total - n] + gain);
                }
            }
        }
        open > spent[turns]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Goal;
    use notation::Setup;
    use position::Narrow;
    use rules::{Turn, Variant, with_turns};

    /// Returns whether the side to move checkmates within `left` of its turns, by trying all lines.
    fn mates(judge: Judge<'_, Narrow>, p: &Position<Narrow>, left: usize) -> bool {
        let game = judge.game;
        let forces = |turn: &Turn| {
            let after = game.play(p, turn);
            with_turns(|replies| {
                game.turns(&after, replies);
                let mated = |reply| mates(judge, &game.play(&after, reply), left - 1);
                !replies.is_empty() && replies.iter().all(mated)
            })
        };
        judge.can_reach(p)
            || left > 1
                && with_turns(|turns| {
                    game.turns(p, turns);
                    turns.iter().any(forces)
                })
    }

    /// Returns a position with few units on few squares: the king of the side to move, at most one unit next to it,
    /// and three units of the side that mates.
    fn position(random: &mut impl FnMut(usize) -> usize, mating_side: Color) -> String {
        let (files, ranks) = (4 + random(4), 4 + random(4));
        let mut squares = vec!['.'; files * ranks];
        let own: [&[char]; 2] = [&['k'], &['.', '.', 'p', 'n']];
        let theirs = [
            &['K'][..],
            &['.', 'Q', 'R', 'B', 'N', 'P'],
            &['R', 'B', 'N', 'P'],
        ];
        for kinds in own.into_iter().chain(theirs) {
            squares[random(files * ranks)] = kinds[random(kinds.len())];
        }
        let swapped = |c: char| match c.is_lowercase() {
            true => c.to_ascii_uppercase(),
            false => c.to_ascii_lowercase(),
        };
        let (swaps, side) = (mating_side == Color::Black, !mating_side);
        let square = |&c: &char| if swaps { swapped(c) } else { c };
        let rank = |rank: &[char]| rank.iter().map(square).collect::<String>();
        let board: Vec<String> = squares.chunks(files).map(rank).collect();
        let side = if side == Color::White { 'w' } else { 'b' };
        let mut board = board.join("/");
        for vacant in (1..=files).rev() {
            board = board.replace(&".".repeat(vacant), &vacant.to_string());
        }
        format!("{board} {side} - - 0 1")
    }

    #[test]
    fn an_escape_is_a_turn_after_which_no_turns_mate() {
        let variant = Variant::from(&variants::fide::INFO);
        let mut seed = 1_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        let (mut escapes, mut mated) = ([0; 3], [0; 3]);
        for n in 0..12_000 {
            let side = Color::BOTH[n % 2];
            let Ok(Setup::Narrow(start)) =
                Setup::read(&variant, Some(&position(&mut random, side)))
            else {
                continue;
            };
            let (game, p) = (start.game.as_ref(), &start.position);
            let judge = Judge::new(game, &Goal::Mate);
            let bound = MateBound::new(judge, side).expect("orthodox flights");
            for left in 1..=2 {
                let safe = |turn: &Turn| !mates(judge, &game.play(p, turn), left);
                let escaped = with_turns(|turns| {
                    game.turns(p, turns);
                    turns.iter().any(safe)
                });
                if bound.king_escapes(p, left) {
                    assert!(escaped, "{left} turns: {}", notation::fen::print(game, p));
                    escapes[left] += 1;
                }
                mated[left] += usize::from(!escaped);
            }
        }
        assert!(escapes[1] > 500 && escapes[2] > 500, "{escapes:?}");
        assert!(mated[1] > 100 && mated[2] > 100, "{mated:?}");
    }
}

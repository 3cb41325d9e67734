//! Reachability: the squares that a unit can reach within a number of turns, and its kind there, if it is
//! alone on the board.

use board::{Color, Kind, Square, Squares};
use position::Layout;
use rules::Game;

/// The kinds to which a pawn may promote.
const OFFICERS: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

/// The squares and kinds that each unit of one side can reach, by the number of turns.
pub struct Reach<W: Layout> {
    squares: usize,
    /// By turns, then by kind and square: the reached squares for each kind afterward.
    levels: Vec<Vec<[W::Set; 6]>>,
}

impl<W: Layout> Reach<W> {
    /// Returns the tables for at most `max_turns` turns. Pawns are assumed to capture on any diagonal square
    /// in front of them and to have the double step. Kinds that the rule set lets change do so on their last
    /// rank.
    pub fn new(game: &dyn Game<W>, color: Color, max_turns: usize) -> Reach<W> {
        let board = game.board();
        let squares = board.geometry().len();
        let last = board.last_rank(color);
        let changes = game.facts().changes;
        let mut first = vec![[W::Set::EMPTY; 6]; 6 * squares];
        let mut steps = vec![[W::Set::EMPTY; 6]; 6 * squares];
        for kind in Kind::ALL {
            for from in board.squares().iter() {
                let at = kind.index() * squares + from.index();
                first[at][kind.index()] = W::Set::of(from);
                let to = if kind == Kind::Pawn {
                    let ahead = board.pushed(W::Set::of(from), color);
                    let twice = board.pushed(ahead & board.rank_of(color, 2), color);
                    board.pawn_captures(color, from) | ahead | twice
                } else {
                    board.reach(kind, from, W::Set::EMPTY)
                };
                steps[at][kind.index()] |= to;
                let becomes = match kind {
                    Kind::Pawn => &OFFICERS[..],
                    _ if changes.contains(&kind) => changes,
                    _ => &[],
                };
                for new in becomes {
                    steps[at][new.index()] |= to & last;
                }
            }
        }
        let mut levels = vec![first];
        while levels.len() <= max_turns {
            let before = &levels[levels.len() - 1];
            let mut next = before.clone();
            for (there, steps) in next.iter_mut().zip(&steps) {
                for (kind, set) in steps.iter().enumerate() {
                    for to in set.iter() {
                        let on = &before[kind * squares + to.index()];
                        for (there, on) in there.iter_mut().zip(on) {
                            *there |= *on;
                        }
                    }
                }
            }
            if next == *before {
                break;
            }
            levels.push(next);
        }
        Reach { squares, levels }
    }

    /// Returns the number of turns that the tables cover. More turns, up to the number requested, reach
    /// nothing new.
    pub fn max_turns(&self) -> usize {
        self.levels.len() - 1
    }

    /// Returns the squares that the unit can reach within `turns` turns, by its kind there.
    pub fn within(&self, turns: usize, kind: Kind, from: Square) -> &[W::Set; 6] {
        &self.levels[turns.min(self.max_turns())][kind.index() * self.squares + from.index()]
    }

    /// Returns the minimum number of turns to each square, by kind, from-square and to-square. 255 if the
    /// square cannot be reached with the requested number of turns.
    pub fn distances(&self) -> Vec<u8> {
        let mut table = vec![u8::MAX; 6 * self.squares * self.squares];
        for (turns, level) in self.levels.iter().enumerate().rev() {
            for (row, there) in table.chunks_exact_mut(self.squares).zip(level) {
                let all = there.iter().fold(W::Set::EMPTY, |all, set| all | *set);
                for to in all.iter() {
                    row[to.index()] = turns as u8;
                }
            }
        }
        table
    }
}

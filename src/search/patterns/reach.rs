//! Reachability: where a unit can get, and as what, within a number of turns of its side, if it were alone
//! on the board.

use board::{Color, Kind, Square, Squares};
use position::Layout;
use rules::Game;

/// What a unit may become on the last rank: the king is one.
const OFFICERS: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

/// What units of one side can be, and where, after a number of turns.
pub struct Reach<W: Layout> {
    squares: usize,
    /// By turns, kind and square; for each kind afterward, where.
    levels: Vec<Vec<[W::Set; 6]>>,
}

impl<W: Layout> Reach<W> {
    /// Returns what is reached within at most `most` turns. Pawns are taken to capture wherever they like,
    /// and to have a double step; kinds that the rule set lets change do so on their last rank.
    pub fn new(game: &dyn Game<W>, color: Color, most: usize) -> Reach<W> {
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
        while levels.len() <= most {
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

    /// Returns the maximum number of turns after which something new can be reached, or that were requested.
    pub fn most(&self) -> usize {
        self.levels.len() - 1
    }

    /// Returns where the unit can be within `turns` turns, by its kind then.
    pub fn within(&self, turns: usize, kind: Kind, from: Square) -> &[W::Set; 6] {
        &self.levels[turns.min(self.most())][kind.index() * self.squares + from.index()]
    }

    /// Returns the least number of turns to each square, by kind, from-square, to-square; 255 where none
    /// leads there or more than were requested.
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

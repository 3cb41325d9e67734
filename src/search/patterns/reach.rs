//! Reachability: the squares that a unit can reach within a number of turns, and its kind there, if it is
//! alone on the board.

use board::{Color, Kind, Square, Squares};
use position::Layout;
use rules::Game;

/// The squares and kinds that each unit of one side can reach, by the number of turns.
pub struct Reach<W: Layout> {
    squares: usize,
    /// By turns, then by kind and square: the reached squares for each kind afterward.
    levels: Vec<Vec<[W::Set; 6]>>,
}

impl<W: Layout> Reach<W> {
    /// Returns the tables for at most `max_turns` turns. If `captures` is set, pawns are assumed to capture on
    /// any diagonal square in front of them. They have the double step, and become another kind on their last rank if
    /// the rule set promotes them. Kinds that the rule set lets change may do so on their last rank.
    pub fn new(game: &dyn Game<W>, color: Color, max_turns: usize, captures: bool) -> Reach<W> {
        let board = game.board();
        let squares = board.geometry().len();
        let last = board.last_rank(color);
        let (changes, promotions) = (game.facts().changes, game.facts().promotions);
        let mut first = vec![[W::Set::EMPTY; 6]; 6 * squares];
        let mut steps = vec![[W::Set::EMPTY; 6]; 6 * squares];
        for kind in Kind::ALL {
            for from in board.squares().iter() {
                let at = kind.index() * squares + from.index();
                first[at][kind.index()] = W::Set::of(from);
                let to = if kind == Kind::Pawn {
                    let ahead = board.pushed(W::Set::of(from), color);
                    let twice = board.pushed(ahead & board.rank_of(color, 2), color);
                    let captured = if captures {
                        board.pawn_captures(color, from)
                    } else {
                        W::Set::EMPTY
                    };
                    captured | ahead | twice
                } else {
                    board.reach(kind, from, W::Set::EMPTY)
                };
                steps[at][kind.index()] |= match kind {
                    Kind::Pawn if !promotions.is_empty() => to & !last,
                    _ => to,
                };
                let becomes = match kind {
                    Kind::Pawn => promotions,
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
}

/// Minimum numbers of turns of the units of one side, on a board with nothing else. 255 if a square cannot be
/// reached with the requested number of turns.
pub struct Distances {
    squares: usize,
    /// By kind, from-square, kind afterward and to-square.
    by_kind: Vec<u8>,
    /// By kind, from-square and to-square, whatever the kind afterward.
    any: Vec<u8>,
    /// By kind, the kinds that it can have afterward anywhere, one bit for each.
    becomes: [u8; 6],
}

impl Distances {
    /// Returns the distances that follow from what can be reached.
    pub fn new<W: Layout>(reach: &Reach<W>) -> Distances {
        let squares = reach.squares;
        let mut by_kind = vec![u8::MAX; 36 * squares * squares];
        let mut any = vec![u8::MAX; 6 * squares * squares];
        let mut becomes = [0; 6];
        for (turns, level) in reach.levels.iter().enumerate().rev() {
            let turns = turns.min(usize::from(u8::MAX)) as u8;
            for (at, there) in level.iter().enumerate() {
                for (kind, set) in there.iter().enumerate() {
                    for to in set.iter() {
                        by_kind[(at * 6 + kind) * squares + to.index()] = turns;
                        becomes[at / squares] |= 1 << kind;
                        any[at * squares + to.index()] = turns;
                    }
                }
            }
        }
        Distances {
            squares,
            by_kind,
            any,
            becomes,
        }
    }

    /// Returns the distance to a square.
    #[inline(always)]
    pub fn to(&self, kind: Kind, from: Square, to: Square) -> u8 {
        self.any[(kind.index() * self.squares + from.index()) * self.squares + to.index()]
    }

    /// Returns the distance to a square on which the unit has the kind `becomes`.
    #[inline(always)]
    pub fn to_kind(&self, kind: Kind, from: Square, becomes: Kind, to: Square) -> u8 {
        let at = kind.index() * self.squares + from.index();
        self.by_kind[(at * 6 + becomes.index()) * self.squares + to.index()]
    }

    /// Returns the distance to a square on which the unit has one of these kinds, one bit for each.
    #[inline(always)]
    pub fn to_kinds(&self, kind: Kind, from: Square, kinds: u8, to: Square) -> u8 {
        let at = (kind.index() * self.squares + from.index()) * 6;
        let mut left = kinds & self.becomes[kind.index()];
        let mut least = u8::MAX;
        while left != 0 {
            let kind = left.trailing_zeros() as usize;
            least = least.min(self.by_kind[(at + kind) * self.squares + to.index()]);
            left &= left - 1;
        }
        least
    }
}

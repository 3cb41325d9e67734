//! The result of a search: the keys or lines of a problem, and the limit that stopped an incomplete search.

use super::branches::Branches;
use super::statement::Problem;
use super::tree::Tree;
use control::Stopped;
use notation::turns;
use per_layout::per_layout;
use position::Layout;
use rules::Turn;

/// A first turn that solves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// The turn.
    pub turn: Turn,
    /// The minimum number of moves in which the turn solves the problem.
    pub moves: u32,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    /// In direct, self and reflex play: all keys, shortest first, then in the byte order of their turns.
    pub keys: Vec<Key>,
    /// In help and series play: all lines, or one line for each first turn if
    /// [`Want::firsts`](crate::tree::Want::firsts) was set.
    pub lines: Branches,
    /// The limit that stopped the search; `None` if the search is complete.
    pub stopped: Option<Stopped>,
    /// In direct, self and reflex play: the largest number of moves for which every first turn was searched.
    pub settled_moves: u32,
    /// In direct, self and reflex play: the requested play, set play and tries.
    pub tree: Tree,
    /// Whether play after threats and tries was requested.
    pub whole: bool,
    /// Whether play after turns that do not parry the threats was requested.
    pub unparried: bool,
    /// In reflex play: the side to move can reach the goal at once and must do so, so there are no keys.
    pub must_reach: bool,
    /// The number of positions searched.
    pub positions: u64,
    /// The size of the transposition table in bytes.
    pub table_bytes: usize,
}

#[per_layout]
impl<W: Layout> Problem<W> {
    /// Returns the first turns of all solutions, in byte order, each once.
    pub fn first_turns(&self, solution: &Solution) -> Vec<String> {
        let game = self.start.game.as_ref();
        let keys = solution.keys.iter().map(|key| key.turn);
        let firsts = keys.chain(solution.lines.firsts());
        let mut texts: Vec<String> = firsts
            .map(|turn| turns::print(game, &self.start.position, &turn))
            .collect();
        texts.sort_unstable();
        texts.dedup();
        texts
    }
}

impl Solution {
    /// Returns the number of solutions: keys, or whole lines.
    pub fn count(&self) -> usize {
        self.keys.len() + self.lines.len()
    }
}

//! What a search has found: the keys or lines of a problem, and how complete they are.

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
    /// The least number of moves in which it solves.
    pub moves: u32,
}

/// Everything that was found.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    /// Direct, self and reflex play: all keys, in the order of generation.
    pub keys: Vec<Key>,
    /// Help and series play: all lines, in the byte order of their turns; one line for each first
    /// turn if [`Want::firsts`](crate::tree::Want::firsts) was all that was wanted.
    pub lines: Branches,
    /// What stopped the search; nothing if it is complete.
    pub stopped: Option<Stopped>,
    /// The greatest number of moves in which every first turn of direct, self or reflex play was searched.
    pub settled_moves: u32,
    /// Direct, self and reflex play: what else was wanted.
    pub tree: Tree,
    /// Whether play after threats and tries was wanted, too.
    pub whole: bool,
    /// Whether play after turns that do not parry the threats was wanted, too.
    pub unparried: bool,
    /// In reflex play: the goal can be reached at once and so must be; nothing is played.
    pub must_reach: bool,
    /// Positions searched.
    pub positions: u64,
    /// Bytes that the table took.
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
    /// Returns how many solutions there are: keys, or whole lines.
    pub fn count(&self) -> usize {
        self.keys.len() + self.lines.len()
    }
}

//! Solves problems: finds all keys by an AND/OR search of each first turn, or all lines by a depth-first
//! search, and builds the play after the keys.
//!
//! * [`search::AndOrSearch`]: direct, self and reflex play.
//! * `lines.rs`: help and series play; `line_search.rs` is its search.
//! * `deepening.rs`: selects the first turn to search next, and the number of moves.
//! * `tree_builder.rs`: the play after the first turns, to the requested depth.

mod deepening;
mod line_search;
pub(crate) mod lines;
#[cfg(test)]
mod tests;
mod tree_builder;

use crate::solution::{Key, Solution};
use crate::statement::Problem;
use crate::tree::{Tree, Try, Want};
use control::{Control, Counted, Stopped, parallel};
use deepening::Deepening;
use lines::{FirstTurnReceiver, Lines};
use notation::turns;
use per_layout::per_layout;
use position::Layout;
use rules::Turn;
use search::{
    AndOrSearch, LeafTable, Limits, MateBound, Play, Shared, TranspositionTable, Watch,
    memory_bytes, passed,
};
use std::sync::atomic::{AtomicU32, Ordering};
use tree_builder::{Threats, TreeBuilder};
use values::oracle::Oracle;

/// Returns the size in bytes of the table for positions near the leaves. The maximum fits in a processor's
/// cache. Short problems need less, because they are solved before a large table is full.
fn leaf_table_bytes(moves: u32) -> usize {
    const MAX: u32 = 23;
    1 << (16 + 2 * moves).min(MAX)
}

impl<W: Layout> Problem<W> {
    /// Finds all solutions, unless a limit or `control` stops the search, which [`Solution::stopped`] then
    /// reports. In direct, self and reflex play, only the keys are found, without the play after them; for
    /// more, see [`Problem::answer`] and [`Problem::solve_with`].
    pub fn solve(&self, limits: &Limits, control: &Control<'_>) -> Solution {
        self.solve_with(limits, Want::default(), control)
    }

    /// Like [`solve`](Self::solve), with a choice of the play to find in addition to the keys.
    pub fn solve_with(&self, limits: &Limits, want: Want, control: &Control<'_>) -> Solution {
        self.solve_with_oracle(limits, want, None, control)
    }
}

#[per_layout]
impl<W: Layout> Problem<W> {
    /// Like [`solve_with`](Self::solve_with), but probes an oracle before it searches. The oracle never
    /// changes the solution.
    pub fn solve_with_oracle(
        &self,
        limits: &Limits,
        want: Want,
        oracle: Option<&dyn Oracle<W>>,
        control: &Control<'_>,
    ) -> Solution {
        self.solve_in_order(limits, want, oracle, control, &mut |_| true)
    }

    /// Like [`solve_with_oracle`](Self::solve_with_oracle), but also calls `receive` during the search: in help
    /// and series play, with lines as soon as all lines that are printed before them are known. If `receive` returns
    /// false, the search stops.
    pub fn solve_in_order(
        &self,
        limits: &Limits,
        want: Want,
        oracle: Option<&dyn Oracle<W>>,
        control: &Control<'_>,
        receive: &mut FirstTurnReceiver<'_>,
    ) -> Solution {
        let shared = Shared::new(limits, control);
        let table = TranspositionTable::new(
            self.start.game.codec(&self.start.position),
            memory_bytes(control),
        );
        let work = || self.keys(limits, want, oracle, &table, &shared);
        let mut solution = if matches!(self.stipulation.play, Play::Help(..) | Play::Series(..)) {
            let lines = Lines {
                problem: self,
                limits,
                want,
                table: &table,
                shared: &shared,
                prunes: true,
            };
            lines.solve(receive)
        } else if control.threads() == 1 {
            // A search on one thread runs on the caller's thread, without a pool.
            work()
        } else {
            parallel::in_pool(control.threads(), work)
        };
        solution.whole = want.asides;
        solution.unparried = want.unparried;
        solution.positions = shared.positions();
        solution.table_bytes = table.bytes();
        solution
    }
}

impl<W: Layout> Problem<W> {
    fn keys(
        &self,
        limits: &Limits,
        want: Want,
        oracle: Option<&dyn Oracle<W>>,
        table: &TranspositionTable,
        shared: &Shared<'_>,
    ) -> Solution {
        let p = &self.start.position;
        let game = self.start.game.as_ref();
        let judge = self.judge();
        let play = self.stipulation.play;
        let mating_side = if play == Play::Direct {
            p.side
        } else {
            !p.side
        };
        let mate_bound = (self.stipulation.moves > 2 || play != Play::Direct)
            .then(|| MateBound::new(judge, mating_side))
            .flatten();
        let mut solution = Solution::default();
        let mut reaching = Vec::new();
        if matches!(play, Play::Direct | Play::Reflex) {
            judge.reaching(p, &mut reaching);
        }
        if play == Play::Reflex && !reaching.is_empty() {
            solution.must_reach = true;
            return solution;
        }
        let mut keys: Vec<Key> = reaching
            .iter()
            .map(|&turn| Key { turn, moves: 1 })
            .collect();
        let mut all = Vec::new();
        game.turns(p, &mut all);
        let mut open: Vec<Turn> = all
            .iter()
            .copied()
            .filter(|turn| !reaching.contains(turn))
            .collect();
        let enough = limits.solutions.unwrap_or(usize::MAX);
        let leaves = LeafTable::new(table, leaf_table_bytes(self.stipulation.moves));
        let start = || {
            let watch = Watch::new(shared);
            AndOrSearch::new(
                judge,
                play,
                p.side,
                table,
                &leaves,
                mate_bound.as_ref(),
                watch,
            )
            .with_oracle(oracle)
        };
        let fewer = enough.saturating_sub(keys.len());
        let deepening = Deepening::new(open.len(), self.stipulation.moves, fewer);
        // The largest number of moves for which all first turns are settled.
        let settled_moves = AtomicU32::new(0);
        let work = || {
            let mut search = start();
            while let Some(task) = deepening.next() {
                let (moves, before) = (task.moves, search.positions());
                let solves = search.forced(&game.play(p, &open[task.index]), moves);
                let done = task.settle(solves, search.positions() - before);
                shared.settled(done, open.len(), moves);
                if done == open.len() {
                    settled_moves.fetch_max(moves, Ordering::Relaxed);
                }
            }
        };
        if parallel() {
            parallel::everywhere(&work);
        } else {
            work();
        }
        let ended = deepening.end();
        solution.stopped = ended.stopped;
        solution.settled_moves = settled_moves.into_inner();
        keys.extend(ended.keys.iter().map(|&(moves, index)| Key {
            turn: open[index],
            moves,
        }));
        open.retain(|turn| keys.iter().all(|key| key.turn != *turn));
        if keys.len() > enough || keys.len() == enough && !open.is_empty() {
            keys.truncate(enough);
            solution
                .stopped
                .get_or_insert(Stopped::Count(Counted::Solutions));
        }
        keys.sort_by_cached_key(|key| (key.moves, turns::print(game, p, &key.turn)));
        solution.keys = keys;
        self.add_play(want, &open, &mut start(), shared.control, &mut solution);
        solution
    }

    /// Adds the play that `want` requests to the solution. `open` are the first turns that do not solve the
    /// problem.
    fn add_play<'a>(
        &'a self,
        want: Want,
        open: &[Turn],
        search: &mut AndOrSearch<'a, W>,
        control: &Control<'_>,
        solution: &mut Solution,
    ) {
        let (judge, play) = (self.judge(), self.stipulation.play);
        let mut builder = TreeBuilder::new(search, judge, play, want.asides, memory_bytes(control));
        let built = self.build(want, &solution.keys, open, &mut builder);
        let cut = builder.cut();
        match built {
            Ok(mut tree) => {
                [tree.cut, tree.asides_cut] = cut;
                solution.tree = tree;
            }
            Err(stop) => solution.stopped = Some(stop),
        }
    }

    /// Returns the play that `want` requests. `open` are the first turns that do not solve the problem.
    fn build(
        &self,
        want: Want,
        keys: &[Key],
        open: &[Turn],
        builder: &mut TreeBuilder<'_, '_, W>,
    ) -> Result<Tree, Stopped> {
        let p = &self.start.position;
        let game = self.start.game.as_ref();
        let moves = self.stipulation.moves;
        let mut tree = Tree::default();
        if want.tree {
            for key in keys {
                tree.keys.push(builder.after(p, &key.turn, key.moves)?);
            }
        }
        if want.tries {
            for turn in open {
                tree.tries.extend(builder.attempt(p, turn, moves)?);
            }
            tree.tries.sort_by(Try::by_turn);
        }
        if want.set_play
            && let Some(passed) = passed(game, p)
        {
            tree.set_play = builder.answers(&passed, moves - 1, true, &Threats::default())?;
        }
        Ok(tree)
    }
}

/// Returns whether the caller runs in a pool of several threads.
fn parallel() -> bool {
    rayon::current_thread_index().is_some() && rayon::current_num_threads() > 1
}

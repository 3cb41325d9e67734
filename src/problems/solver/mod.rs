//! Solves problems: finds all keys by an AND/OR search of each first turn, or all lines by a depth-first
//! search, and builds the play after the keys.
//!
//! * [`search::AndOrSearch`]: direct, self and reflex play.
//! * `line_search.rs`: help and series play.
//! * `deepening.rs`: selects the first turn to search next, and the number of moves.
//! * `tree_builder.rs`: the play after the first turns, to the requested depth.

mod deepening;
mod line_search;
mod tree_builder;

use crate::branches::Branches;
use crate::solution::{Key, Solution};
use crate::statement::Problem;
use crate::tree::{Tree, Try, Want};
use control::{Control, Counted, Stopped, parallel};
use deepening::Deepening;
use line_search::LineSearch;
use notation::turns;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::{Turn, with_turns};
use search::{
    AndOrSearch, Ending, LeafTable, Limits, MateBound, Patterns, Play, Shared, TranspositionTable,
    Watch, memory_bytes, passed,
};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
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
        let shared = Shared::new(limits, control);
        let table = TranspositionTable::new(
            self.start.game.codec(&self.start.position),
            memory_bytes(control),
        );
        let work = || match self.stipulation.play {
            Play::Help(..) | Play::Series(..) => self.lines(limits, want, &table, &shared),
            _ => self.keys(limits, want, oracle, &table, &shared),
        };
        let mut solution = if control.threads() == 1 {
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

    fn lines(
        &self,
        limits: &Limits,
        want: Want,
        table: &TranspositionTable,
        shared: &Shared<'_>,
    ) -> Solution {
        let p = &self.start.position;
        let (ending, series, helped) = match self.stipulation.play {
            Play::Series(ending, helped) => (ending, true, helped),
            Play::Help(ending) => (ending, false, false),
            _ => (Ending::Goal, false, false),
        };
        let own_goal = match self.stipulation.play {
            Play::Series(Ending::Goal, helped) => !helped,
            Play::Series(..) => false,
            // With whole moves only, the side to move helps the side that ends the line.
            _ => self.stipulation.half,
        };
        let goal_side = if own_goal { p.side } else { !p.side };
        let length = if series {
            self.stipulation.moves
        } else {
            self.stipulation.plies()
        };
        let enough = limits.solutions.unwrap_or(usize::MAX);
        let (turns, helps) = match (series, own_goal) {
            (false, _) => (length.div_ceil(2), length / 2),
            (true, true) => (length, 0),
            (true, false) => (1, length),
        };
        let new = || LineSearch {
            judge: self.judge(),
            ending,
            series,
            helped,
            goal_side,
            table,
            watch: Watch::new(shared),
            memory_bytes: memory_bytes(shared.control) as u64,
            patterns: Patterns::new(self.judge(), goal_side, turns, helps),
            first: None,
            path: Vec::new(),
            found: Branches::default(),
            max_lines: if want.firsts { 1 } else { enough },
        };
        let mut firsts = Vec::new();
        push_first_turns(&new(), p, &mut firsts);
        // Searches are reused, because their tables of patterns stay valid.
        let idle = Mutex::new(Vec::new());
        let idle = || idle.lock().unwrap_or_else(PoisonError::into_inner);
        let one = |turn: &Turn| {
            let reused = idle().pop();
            let mut lines = reused.unwrap_or_else(new);
            lines.first = Some(*turn);
            // A search that has been stopped must not find anything more, not even in a few positions.
            let looked = lines.watch.check_now();
            let stopped = looked.and_then(|()| lines.search(p, length)).err();
            let found = std::mem::take(&mut lines.found);
            idle().push(lines);
            (found, stopped)
        };
        let parts: Vec<(Branches, Option<Stopped>)> = if parallel() {
            parallel::map_long(firsts.len(), |n| one(&firsts[n]))
        } else {
            firsts.iter().map(one).collect()
        };
        let mut solution = Solution::default();
        for (lines, stopped) in parts {
            solution.lines.append(lines);
            // If only first turns are wanted, a search that ended after one line is complete.
            let stopped =
                stopped.filter(|stop| *stop != Stopped::Count(Counted::Solutions) || !want.firsts);
            if stopped.is_some_and(|stop| stop != Stopped::Count(Counted::Solutions))
                || solution.stopped.is_none()
            {
                solution.stopped = stopped.or(solution.stopped);
            }
        }
        if solution.lines.len() > enough {
            solution.lines.truncate(enough);
            solution
                .stopped
                .get_or_insert(Stopped::Count(Counted::Solutions));
        }
        solution
    }
}

/// Returns whether the caller runs in a pool of several threads.
fn parallel() -> bool {
    rayon::current_thread_index().is_some() && rayon::current_num_threads() > 1
}

/// Appends the turns with which lines from `p` may begin.
fn push_first_turns<W: Layout>(lines: &LineSearch<'_, W>, p: &Position<W>, firsts: &mut Vec<Turn>) {
    lines.judge.game.turns(p, firsts);
    if p.side == lines.goal_side && lines.ending != Ending::Forced {
        with_turns(|turns| {
            lines.judge.reaching(p, turns);
            turns.retain(|turn| !firsts.contains(turn));
            firsts.append(turns);
        });
    }
}

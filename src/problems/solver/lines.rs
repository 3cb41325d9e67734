//! Help and series play: searches the lines with each first turn, and passes them on in the order in which they
//! are printed.

use super::line_search::LineSearch;
use super::parallel;
use crate::branches::Branches;
use crate::solution::Solution;
use crate::statement::Problem;
use crate::tree::Want;
use board::Color;
use control::{Counted, Stopped, parallel as threads};
use notation::turns;
use position::Layout;
use rules::{Turn, with_turns};
use search::{Ending, Limits, Patterns, Play, Shared, TranspositionTable, Watch, memory_bytes};
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

/// Receives the solution for the next first turn in printed order that has lines, and returns whether to
/// continue.
pub type FirstTurnReceiver<'r> = dyn FnMut(&Solution) -> bool + 'r;

/// The lines with one first turn, and the reason why there may be more.
type Part = (Branches, Option<Stopped>);

/// The search for all lines of a problem.
pub struct Lines<'a, W: Layout> {
    pub problem: &'a Problem<W>,
    pub limits: &'a Limits,
    pub want: Want,
    pub table: &'a TranspositionTable,
    pub shared: &'a Shared<'a>,
    /// Whether patterns prune the search. Without them, the lines are the same; tests compare them.
    pub prunes: bool,
}

/// The lines found so far, in order.
struct Collected<'r, 's> {
    solution: Solution,
    enough: usize,
    only_firsts: bool,
    receive: &'r mut FirstTurnReceiver<'s>,
}

impl Collected<'_, '_> {
    /// Adds the lines with the next first turn. Returns whether to continue.
    fn add(&mut self, (mut lines, stopped): Part) -> bool {
        let solution = &mut self.solution;
        // If only first turns are wanted, a search that ended after one line is complete.
        let solutions = Some(Stopped::Count(Counted::Solutions));
        let stopped = stopped.filter(|_| stopped != solutions || !self.only_firsts);
        if stopped.is_some() && stopped != solutions || solution.stopped.is_none() {
            solution.stopped = stopped.or(solution.stopped);
        }
        let room = self.enough - solution.lines.len();
        if lines.len() > room {
            lines.truncate(room);
            solution.stopped = solution.stopped.or(solutions);
        }
        let part = Solution {
            lines,
            ..Solution::default()
        };
        let continues = part.lines.is_empty() || (self.receive)(&part);
        solution.lines.append(part.lines);
        continues
    }
}

impl<W: Layout> Lines<'_, W> {
    fn goal_side(&self) -> Color {
        let side = self.problem.start.position.side;
        let own_goal = match self.problem.stipulation.play {
            Play::Series(Ending::Goal, helped) => !helped,
            Play::Series(..) => false,
            // With whole moves only, the side to move helps the side that ends the line.
            _ => self.problem.stipulation.half,
        };
        if own_goal { side } else { !side }
    }

    /// Returns the number of turns of the longest line that are searched.
    fn length(&self) -> u32 {
        match self.problem.stipulation.play {
            Play::Series(..) => self.problem.stipulation.moves,
            _ => self.problem.stipulation.plies(),
        }
    }

    /// Returns the search of one thread.
    fn search(&self) -> LineSearch<'_, W> {
        let problem = self.problem;
        let (ending, series, helped) = match problem.stipulation.play {
            Play::Series(ending, helped) => (ending, true, helped),
            Play::Help(ending) => (ending, false, false),
            _ => (Ending::Goal, false, false),
        };
        let (goal_side, length) = (self.goal_side(), self.length());
        let (turns, helps) = match (series, goal_side == problem.start.position.side) {
            (false, _) => (length.div_ceil(2), length / 2),
            (true, true) => (length, 0),
            (true, false) => (1, length),
        };
        LineSearch {
            judge: problem.judge(),
            ending,
            series,
            helped,
            goal_side,
            table: self.table,
            watch: Watch::new(self.shared),
            memory_bytes: memory_bytes(self.shared.control) as u64,
            patterns: self
                .prunes
                .then(|| Patterns::new(problem.judge(), goal_side, turns, helps))
                .flatten(),
            first: None,
            path: Vec::new(),
            found: Branches::default(),
            max_lines: match self.want.firsts {
                true => 1,
                false => self.limits.solutions.unwrap_or(usize::MAX),
            },
        }
    }

    /// Returns the turns with which lines may begin, in printed order.
    fn first_turns(&self) -> Vec<Turn> {
        let (game, p) = (
            self.problem.start.game.as_ref(),
            &self.problem.start.position,
        );
        let lines = self.search();
        let mut firsts = Vec::new();
        game.turns(p, &mut firsts);
        if p.side == lines.goal_side && lines.ending != Ending::Forced {
            with_turns(|turns| {
                lines.judge.reaching(p, turns);
                turns.retain(|turn| !firsts.contains(turn));
                firsts.append(turns);
            });
        }
        firsts.sort_by_cached_key(|turn| turns::print(game, p, turn));
        firsts
    }

    /// Finds all lines. `receive` is called with the lines of a first turn as soon as those of the turns before
    /// it are known.
    pub fn solve(&self, receive: &mut FirstTurnReceiver<'_>) -> Solution {
        let firsts = self.first_turns();
        // Searches are reused, because their tables of patterns stay valid.
        let idle = Mutex::new(Vec::new());
        let idle = || idle.lock().unwrap_or_else(PoisonError::into_inner);
        let refused = AtomicBool::new(false);
        let one = |n: usize| {
            let reused = idle().pop();
            let mut lines = reused.unwrap_or_else(|| self.search());
            lines.first = Some(firsts[n]);
            // A search that has been stopped must not find anything more, not even in a few positions.
            let stopped = match refused.load(Ordering::Relaxed) {
                true => Err(Stopped::Interrupted),
                false => lines.watch.check_now(),
            };
            let p = &self.problem.start.position;
            let stopped = stopped.and_then(|()| lines.search(p, self.length())).err();
            let found = std::mem::take(&mut lines.found);
            idle().push(lines);
            (found, stopped)
        };
        let mut collected = Collected {
            solution: Solution::default(),
            enough: self.limits.solutions.unwrap_or(usize::MAX),
            only_firsts: self.want.firsts,
            receive,
        };
        let mut add = |part: Part| {
            if !collected.add(part) {
                refused.store(true, Ordering::Relaxed);
            }
        };
        match self.shared.control.threads() {
            1 if parallel() => {
                let parts = threads::map_long(firsts.len(), one);
                parts.into_iter().for_each(add);
            }
            1 => (0..firsts.len()).for_each(|n| add(one(n))),
            count => in_order(count, firsts.len(), &one, &mut add),
        }
        collected.solution
    }
}

/// Calls `work` for each piece on `count` threads, and `receive` on the caller's thread with the results in the
/// order of the pieces, each as soon as those before it are known.
fn in_order<T: Send>(
    count: usize,
    pieces: usize,
    work: &(dyn Fn(usize) -> T + Sync),
    receive: &mut dyn FnMut(T),
) {
    let (sender, results) = mpsc::channel();
    // The closure owns the first sender, so that no sender is left once all pieces are done.
    let all = move || {
        threads::in_pool(count, || {
            threads::map_long(pieces, |n| {
                let sender = sender.clone();
                // The results are received until all senders are gone.
                let _ = sender.send((n, work(n)));
            })
        });
    };
    std::thread::scope(|scope| {
        let worker = scope.spawn(all);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (n, result) in results {
            waiting.insert(n, result);
            while let Some(result) = waiting.remove(&next) {
                receive(result);
                next += 1;
            }
        }
        if let Err(panic) = worker.join() {
            resume_unwind(panic);
        }
    });
}

//! A position with a stipulation, and all of its solutions.

use super::battle::Battle;
use super::branch::Branches;
use super::goal::Judge;
use super::hope::Hope;
use super::line::{Lines, passed};
use super::memo::{Near, Table};
use super::oracle::Oracle;
use super::picture::Pictures;
use super::rounds::Rounds;
use super::stipulation::{Ending, Play, Stipulation};
use super::tree::{Builder, Tree, Try, Want};
use crate::Layout;
use notation::{Start, turns};
use position::Position;
use rayon::prelude::*;
use rules::{Turn, with_turns};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Why a search ended before it was complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// It was told to.
    Interrupted,
    /// Its time was over.
    Time,
    /// It had found as many solutions as were asked for.
    Enough,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stop::Interrupted => "interrupted",
            Stop::Time => "the time is over",
            Stop::Enough => "as many solutions as asked for",
        })
    }
}

/// Bounds of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time, if bounded.
    pub time: Option<Duration>,
    /// Bytes of the table.
    pub memory_bytes: usize,
    /// Solutions after which to stop, if bounded: keys, or whole lines.
    pub solutions: Option<usize>,
    /// Threads; 0 for one a core.
    pub threads: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time: None,
            memory_bytes: 800 << 20,
            solutions: None,
            threads: 0,
        }
    }
}

/// Hears how a search comes on. All methods may be called from any thread.
pub trait Progress: Sync {
    /// Positions searched so far.
    fn positions(&self, _positions: u64) {}
    /// A first turn is settled: how many of how many, in which length.
    fn settled(&self, _done: usize, _of: usize, _moves: u32) {}
}

/// Hears nothing.
impl Progress for () {}

/// What all threads of a search share besides the table.
struct Shared<'a> {
    stop: &'a AtomicBool,
    ended: AtomicBool,
    deadline: Option<Instant>,
    positions: AtomicU64,
    progress: &'a dyn Progress,
}

/// Counts positions and looks now and then whether to stop.
#[derive(Clone)]
pub struct Watch<'a> {
    shared: &'a Shared<'a>,
    count: u32,
    /// Counted before, and told to all.
    told: u64,
}

const LOOK_EVERY: u32 = 4096;
/// Stack of each thread: lines may be a hundred turns long.
const STACK_BYTES: usize = 32 << 20;

/// Bytes of the table for what is soon asked again: what the processor's cache may hold. Short
/// problems are over before it is full.
fn near_bytes(moves: u32) -> usize {
    const MOST: u32 = 23;
    1 << (16 + 2 * moves).min(MOST)
}

impl<'a> Watch<'a> {
    fn new(shared: &'a Shared<'a>) -> Watch<'a> {
        Watch {
            shared,
            count: 0,
            told: 0,
        }
    }

    /// Positions counted so far.
    pub fn positions(&self) -> u64 {
        self.told + u64::from(self.count)
    }

    /// Counts one position.
    #[inline(always)]
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.count += 1;
        if self.count < LOOK_EVERY {
            return Ok(());
        }
        self.look()
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stop> {
        let counted = u64::from(std::mem::take(&mut self.count));
        self.told += counted;
        let total = self.shared.positions.fetch_add(counted, Ordering::Relaxed) + counted;
        self.shared.progress.positions(total);
        if self.shared.stop.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        let over = |deadline: Instant| Instant::now() >= deadline;
        if self.shared.ended.load(Ordering::Relaxed) || self.shared.deadline.is_some_and(over) {
            self.shared.ended.store(true, Ordering::Relaxed);
            return Err(Stop::Time);
        }
        Ok(())
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.shared
            .positions
            .fetch_add(u64::from(self.count), Ordering::Relaxed);
    }
}

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
    /// turn if [`Want::firsts`] was all that was wanted.
    pub lines: Branches,
    /// What stopped the search; nothing if it is complete.
    pub stopped: Option<Stop>,
    /// Direct, self and reflex play: what else was wanted.
    pub tree: Tree,
    /// In reflex play: the goal can be reached at once and so must be; there is no play.
    pub must_reach: bool,
    /// Positions searched.
    pub positions: u64,
    /// Bytes that the table took.
    pub table_bytes: usize,
}

/// A position with a stipulation.
pub struct Problem<W: Layout> {
    /// The game and the position.
    pub start: Start<W>,
    /// What is asked.
    pub stipulation: Stipulation,
}

impl<W: Layout> Problem<W> {
    /// The judge of the goal.
    pub fn judge(&self) -> Judge<'_, W> {
        Judge::new(self.start.game.as_ref(), self.stipulation.goal)
    }

    /// Finds all solutions within the limits. Setting `stop` ends the search early.
    pub fn solve(&self, limits: &Limits, stop: &AtomicBool, progress: &dyn Progress) -> Solution {
        self.solve_with(limits, Want::default(), stop, progress)
    }

    /// The same, with what else is wanted of direct, self and reflex play.
    pub fn solve_with(
        &self,
        limits: &Limits,
        want: Want,
        stop: &AtomicBool,
        progress: &dyn Progress,
    ) -> Solution {
        self.solve_knowing(limits, want, None, stop, progress)
    }

    /// The same, asking for values that are known already. The answer is the same without.
    #[inline]
    pub fn solve_knowing(
        &self,
        limits: &Limits,
        want: Want,
        oracle: Option<&dyn Oracle<W>>,
        stop: &AtomicBool,
        progress: &dyn Progress,
    ) -> Solution {
        W::solve(self, limits, want, oracle, stop, progress)
    }

    pub(crate) fn solve_generic(
        &self,
        limits: &Limits,
        want: Want,
        oracle: Option<&dyn Oracle<W>>,
        stop: &AtomicBool,
        progress: &dyn Progress,
    ) -> Solution {
        let shared = Shared {
            stop,
            ended: AtomicBool::new(false),
            deadline: limits.time.map(|time| Instant::now() + time),
            positions: AtomicU64::new(0),
            progress,
        };
        let table = Table::new(
            self.start.game.codec(&self.start.position),
            limits.memory_bytes,
        );
        let work = || match self.stipulation.play {
            Play::Help(..) | Play::Series(..) => self.lines(limits, want, &table, &shared),
            _ => self.keys(limits, want, oracle, &table, &shared),
        };
        let mut solution = if limits.threads == 1 {
            // No pool: a search on one thread stays on the caller's.
            work()
        } else {
            match rayon::ThreadPoolBuilder::new()
                .num_threads(limits.threads)
                .stack_size(STACK_BYTES)
                .build()
            {
                Ok(pool) => pool.install(work),
                Err(_) => work(),
            }
        };
        solution.positions = shared.positions.load(Ordering::Relaxed);
        solution.table_bytes = table.bytes();
        solution
    }

    fn keys(
        &self,
        limits: &Limits,
        want: Want,
        oracle: Option<&dyn Oracle<W>>,
        table: &Table,
        shared: &Shared<'_>,
    ) -> Solution {
        let p = &self.start.position;
        let game = self.start.game.as_ref();
        let judge = self.judge();
        let play = self.stipulation.play;
        let mater = if play == Play::Direct {
            p.side
        } else {
            !p.side
        };
        let hope = (self.stipulation.moves > 2 || play != Play::Direct)
            .then(|| Hope::new(judge, mater))
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
        let near = Near::new(table, near_bytes(self.stipulation.moves));
        let start = || {
            let watch = Watch::new(shared);
            Battle::new(judge, play, p.side, table, &near, hope.as_ref(), watch).asking(oracle)
        };
        let fewer = enough.saturating_sub(keys.len());
        let rounds = Rounds::new(open.len(), self.stipulation.moves, fewer);
        let work = || {
            let mut battle = start();
            while let Some(task) = rounds.next() {
                let (moves, before) = (task.moves, battle.positions());
                let solves = battle.forced(&game.play(p, &open[task.index]), moves);
                let done = task.settle(solves, battle.positions() - before);
                shared.progress.settled(done, open.len(), moves);
            }
        };
        if parallel() {
            rayon::broadcast(|_| work());
        } else {
            work();
        }
        let ended = rounds.end();
        solution.stopped = ended.stopped;
        keys.extend(ended.keys.iter().map(|&(moves, index)| Key {
            turn: open[index],
            moves,
        }));
        open.retain(|turn| keys.iter().all(|key| key.turn != *turn));
        if keys.len() > enough || keys.len() == enough && !open.is_empty() {
            keys.truncate(enough);
            solution.stopped.get_or_insert(Stop::Enough);
        }
        keys.sort_by_cached_key(|key| (key.moves, turns::print(game, p, &key.turn)));
        solution.keys = keys;
        let mut battle = start();
        let mut builder = Builder::new(&mut battle, judge, play);
        let built = self.build(want, &solution.keys, &open, &mut builder);
        let cut = builder.cut;
        match built {
            Ok(mut tree) => {
                tree.cut = cut;
                solution.tree = tree;
            }
            Err(stop) => solution.stopped = Some(stop),
        }
        solution
    }

    /// What is wanted besides the keys; `open` are the first turns that do not solve.
    fn build(
        &self,
        want: Want,
        keys: &[Key],
        open: &[Turn],
        builder: &mut Builder<'_, '_, W>,
    ) -> Result<Tree, Stop> {
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
                let refutations = builder.refutations(p, turn, moves)?;
                if refutations.len() == 1 {
                    let turn = turns::print(game, p, turn);
                    tree.tries.push(Try { turn, refutations });
                }
            }
            tree.tries.sort_by(|a, b| a.turn.cmp(&b.turn));
        }
        if want.set_play
            && let Some(passed) = passed(game, p)
        {
            tree.set_play = builder.answers(&passed, moves - 1, true)?;
        }
        Ok(tree)
    }

    fn lines(&self, limits: &Limits, want: Want, table: &Table, shared: &Shared<'_>) -> Solution {
        let p = &self.start.position;
        let (ending, series, helped) = match self.stipulation.play {
            Play::Series(ending, helped) => (ending, true, helped),
            Play::Help(ending) => (ending, false, false),
            _ => (Ending::Goal, false, false),
        };
        let own_goal = match self.stipulation.play {
            Play::Series(Ending::Goal, helped) => !helped,
            Play::Series(..) => false,
            // In whole moves the side to move helps the one that ends the line.
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
        let new = || Lines {
            judge: self.judge(),
            ending,
            series,
            helped,
            goal_side,
            table,
            watch: Watch::new(shared),
            pictures: Pictures::new(self.judge(), goal_side, turns, helps),
            first: None,
            path: Vec::new(),
            found: Branches::default(),
            most: if want.firsts { 1 } else { enough },
        };
        let mut firsts = Vec::new();
        lines_firsts(&new(), p, &mut firsts);
        // What one search has learned serves the next on the same thread.
        let idle = Mutex::new(Vec::new());
        let idle = || idle.lock().unwrap_or_else(PoisonError::into_inner);
        let one = |turn: &Turn| {
            let spare = idle().pop();
            let mut lines = spare.unwrap_or_else(new);
            lines.first = Some(*turn);
            let stopped = lines.search(p, length).err();
            let found = std::mem::take(&mut lines.found);
            idle().push(lines);
            (found, stopped)
        };
        let parts: Vec<(Branches, Option<Stop>)> = if parallel() {
            firsts.par_iter().with_max_len(1).map(one).collect()
        } else {
            firsts.iter().map(one).collect()
        };
        let mut solution = Solution::default();
        for (lines, stopped) in parts {
            solution.lines.append(lines);
            // One line of a first turn may be all that is wanted of it.
            let stopped = stopped.filter(|stop| *stop != Stop::Enough || !want.firsts);
            if stopped.is_some_and(|stop| stop != Stop::Enough) || solution.stopped.is_none() {
                solution.stopped = stopped.or(solution.stopped);
            }
        }
        if solution.lines.len() > enough {
            solution.lines.truncate(enough);
            solution.stopped.get_or_insert(Stop::Enough);
        }
        solution.lines.sort(self);
        solution
    }

    /// The first turns of all solutions, in byte order, each once.
    #[inline]
    pub fn first_turns(&self, solution: &Solution) -> Vec<String> {
        W::first_turns(self, solution)
    }

    pub(crate) fn first_turns_generic(&self, solution: &Solution) -> Vec<String> {
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

/// Whether the caller runs in a pool of several threads.
fn parallel() -> bool {
    rayon::current_thread_index().is_some() && rayon::current_num_threads() > 1
}

/// The turns with which lines from `p` may begin.
fn lines_firsts<W: Layout>(lines: &Lines<'_, W>, p: &Position<W>, firsts: &mut Vec<Turn>) {
    lines.judge.game.turns(p, firsts);
    if p.side == lines.goal_side && lines.ending != Ending::Forced {
        with_turns(|turns| {
            lines.judge.reaching(p, turns);
            turns.retain(|turn| !firsts.contains(turn));
            firsts.append(turns);
        });
    }
}

/// How many solutions there are: keys, or whole lines.
impl Solution {
    /// Keys, or whole lines.
    pub fn count(&self) -> usize {
        self.keys.len() + self.lines.len()
    }
}

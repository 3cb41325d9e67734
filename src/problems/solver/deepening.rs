//! Iterative deepening over a problem's first turns, shared by threads: each first turn is searched in one
//! move, then in two, and so on.
//!
//! A round searches all first turns in one number of moves, and reuses the table entries of earlier rounds.
//! When all turns of a round are taken, a free thread begins the next round with the turns that are already
//! settled. Turns that took the most positions in the previous round come first, because a long search that
//! starts last would leave the other threads idle.

use control::Stopped;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The queue of one problem's first turns, each with the number of moves to search next.
pub(super) struct Deepening {
    moves: u32,
    max_keys: usize,
    state: Mutex<QueueState>,
    changed: Condvar,
}

struct QueueState {
    /// The turns to search, as the number of moves, the positions searched in the previous round, and the
    /// turn's number.
    waiting: BinaryHeap<(Reverse<u32>, u64, Reverse<usize>)>,
    running: usize,
    /// The number of settled turns, by number of moves.
    done: Vec<usize>,
    ended: Ended,
}

/// The result of all rounds.
#[derive(Clone, Default)]
pub(super) struct Ended {
    /// The turns that solve the problem, as `(moves, number)` with the minimum number of moves, sorted.
    pub keys: Vec<(u32, usize)>,
    /// The limit that stopped a search, if one was stopped.
    pub stopped: Option<Stopped>,
}

/// A turn to search.
pub(super) struct Task<'r> {
    deepening: &'r Deepening,
    /// The turn's number.
    pub index: usize,
    /// The number of moves.
    pub moves: u32,
}

impl Deepening {
    /// Returns a queue of `turns` first turns, to search in up to `moves` moves. Once there are `max_keys`
    /// keys, no round begins, but earlier rounds are completed, so that the result does not depend on the
    /// threads.
    pub fn new(turns: usize, moves: u32, max_keys: usize) -> Deepening {
        Deepening {
            moves,
            max_keys,
            state: Mutex::new(QueueState {
                waiting: (0..turns).map(|n| (Reverse(1), 0, Reverse(n))).collect(),
                running: 0,
                done: vec![0; moves as usize + 1],
                ended: Ended::default(),
            }),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the next turn to search, or `None` if nothing is left. Waits while running searches may add
    /// turns.
    pub fn next(&self) -> Option<Task<'_>> {
        let mut state = self.state();
        loop {
            if let Some((Reverse(moves), _, Reverse(index))) = state.waiting.pop() {
                let sooner = state.ended.keys.iter().filter(|key| key.0 < moves);
                if sooner.count() >= self.max_keys {
                    continue;
                }
                state.running += 1;
                return Some(Task {
                    deepening: self,
                    index,
                    moves,
                });
            }
            if state.running == 0 {
                return None;
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Returns the result.
    pub fn end(self) -> Ended {
        let mut ended = std::mem::take(&mut self.state().ended);
        ended.keys.sort_unstable();
        ended
    }
}

impl Task<'_> {
    /// Records whether the turn solves the problem, and the number of positions of the search. Returns the
    /// number of turns settled in this round.
    pub fn settle(self, solves: Result<bool, Stopped>, positions: u64) -> usize {
        let mut state = self.deepening.state();
        match solves {
            Ok(true) => state.ended.keys.push((self.moves, self.index)),
            Ok(false) if self.moves < self.deepening.moves => {
                let next = (Reverse(self.moves + 1), positions, Reverse(self.index));
                state.waiting.push(next);
            }
            Ok(false) => {}
            Err(stop) => {
                state.ended.stopped = Some(stop);
                state.waiting.clear();
            }
        }
        state.done[self.moves as usize] += 1;
        state.done[self.moves as usize]
    }
}

impl Drop for Task<'_> {
    fn drop(&mut self) {
        self.deepening.state().running -= 1;
        self.deepening.changed.notify_all();
    }
}

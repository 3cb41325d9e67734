//! Iterative deepening of a problem's first turns, shared by threads: each first turn is searched in
//! one move, then in two, and so on.
//!
//! What one round learns serves the next, so rounds follow each other; but a thread that finds all
//! turns of a round taken begins the next one, with the turns that are settled already. The turn
//! that took the most positions in the round before comes first, so that no thread is left alone
//! with it at the end.

use control::Stopped;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The first turns of one problem, and how far each has been searched.
pub(super) struct Deepening {
    moves: u32,
    enough: usize,
    state: Mutex<QueueState>,
    news: Condvar,
}

struct QueueState {
    /// The turns to search: the number of moves, the positions counted before, the turns by number.
    waiting: BinaryHeap<(Reverse<u32>, u64, Reverse<usize>)>,
    running: usize,
    /// By moves: how many turns are settled.
    done: Vec<usize>,
    ended: Ended,
}

/// What came out.
#[derive(Clone, Default)]
pub(super) struct Ended {
    /// The turns that solve, as least moves and number, in this order.
    pub keys: Vec<(u32, usize)>,
    /// What stopped a search.
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
    /// For a number of first turns in up to a number of moves. Once there are enough keys, no round
    /// begins; all rounds before are made whole, so that the answer does not hang on the threads.
    pub fn new(turns: usize, moves: u32, enough: usize) -> Deepening {
        Deepening {
            moves,
            enough,
            state: Mutex::new(QueueState {
                waiting: (0..turns).map(|n| (Reverse(1), 0, Reverse(n))).collect(),
                running: 0,
                done: vec![0; moves as usize + 1],
                ended: Ended::default(),
            }),
            news: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the next turn to search; `None` when all is done.
    pub fn next(&self) -> Option<Task<'_>> {
        let mut state = self.state();
        loop {
            if let Some((Reverse(moves), _, Reverse(index))) = state.waiting.pop() {
                let sooner = state.ended.keys.iter().filter(|key| key.0 < moves);
                if sooner.count() >= self.enough {
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
                .news
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Returns what came out.
    pub fn end(self) -> Ended {
        let mut ended = std::mem::take(&mut self.state().ended);
        ended.keys.sort_unstable();
        ended
    }
}

impl Task<'_> {
    /// Reports whether the turn solves, and how many positions that took. Returns how many turns are
    /// settled in this round.
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
        self.deepening.news.notify_all();
    }
}

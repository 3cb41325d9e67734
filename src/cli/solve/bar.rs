//! The progress of a search on a terminal.

use indicatif::ProgressBar;
use problems::Progress;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// Shows the progress of a search on a terminal.
pub(super) struct Bar {
    pub bar: ProgressBar,
    /// The number of moves searched now, how many first turns are settled in it, and of how many.
    settled: Mutex<(u32, usize, usize)>,
    /// The greatest number of moves in which all first turns have been searched.
    pub excluded: AtomicU32,
}

impl Bar {
    pub fn new() -> Bar {
        Bar {
            bar: ProgressBar::new_spinner(),
            settled: Mutex::new((0, 0, 0)),
            excluded: AtomicU32::new(0),
        }
    }
}

impl Progress for Bar {
    fn positions(&self, positions: u64) {
        let (moves, done, of) = *self.settled.lock().unwrap_or_else(PoisonError::into_inner);
        let depth = match moves {
            0 => String::new(),
            _ => format!(", {done} of {of} first turns in {moves} moves"),
        };
        self.bar
            .set_message(format!("{positions} positions{depth}"));
        self.bar.tick();
    }

    fn settled(&self, done: usize, of: usize, moves: u32) {
        *self.settled.lock().unwrap_or_else(PoisonError::into_inner) = (moves, done, of);
        if done == of {
            self.excluded.fetch_max(moves, Ordering::Relaxed);
        }
    }
}

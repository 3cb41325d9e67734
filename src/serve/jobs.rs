//! Long work on threads of its own: bounded in number, told how it comes on, cancellable.

use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// Pieces of work at the same time.
pub const AT_A_TIME: usize = 2;

/// Finished pieces whose answers are kept.
const KEPT: usize = 16;

/// Room for deep recursion.
const STACK_BYTES: usize = 32 << 20;

/// What a piece of work and those who watch it share.
#[derive(Debug, Default)]
pub struct Watch {
    /// Set to stop the work.
    pub stop: AtomicBool,
    /// How much is done: positions, states or indices.
    pub done: AtomicU64,
    /// Of how much; 0 if that is not known.
    pub of: AtomicU64,
}

/// How a piece of work stands.
#[derive(Clone, Debug, Serialize, PartialEq)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum State {
    /// It goes on.
    Running,
    /// It has ended with this answer.
    Done {
        /// The answer.
        result: Value,
    },
    /// It has ended with an error, in plain words.
    Failed {
        /// What is wrong.
        error: String,
    },
    /// It was cancelled.
    Cancelled,
}

#[derive(Debug)]
struct Job {
    watch: Arc<Watch>,
    state: State,
}

/// A piece of work as it is shown.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    /// Its number.
    pub job: u64,
    /// How it stands.
    #[serde(flatten)]
    pub state: State,
    /// How much is done.
    pub done: u64,
    /// Of how much; 0 if that is not known.
    pub of: u64,
}

/// All pieces of work.
#[derive(Clone, Debug, Default)]
pub struct Jobs(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    next: u64,
    jobs: BTreeMap<u64, Job>,
}

impl Jobs {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Begins a piece of work on a thread of its own; its number. Nothing if as many run as may, or no
    /// thread can be had. A panic of the work ends it alone, as failed.
    pub fn start(
        &self,
        work: impl FnOnce(&Watch) -> Result<Value, String> + Send + 'static,
    ) -> Option<u64> {
        let watch = Arc::new(Watch::default());
        let mut inner = self.inner();
        let running = |job: &&Job| job.state == State::Running;
        if inner.jobs.values().filter(running).count() >= AT_A_TIME {
            return None;
        }
        inner.next += 1;
        let number = inner.next;
        let jobs = self.clone();
        let shared = Arc::clone(&watch);
        let run = move || {
            let caught = std::panic::AssertUnwindSafe(|| work(&shared));
            let state = match std::panic::catch_unwind(caught) {
                _ if shared.stop.load(Ordering::Relaxed) => State::Cancelled,
                Ok(Ok(result)) => State::Done { result },
                Ok(Err(error)) => State::Failed { error },
                Err(_) => State::Failed {
                    error: "the program has made a mistake".to_string(),
                },
            };
            if let Some(job) = jobs.inner().jobs.get_mut(&number) {
                job.state = state;
            }
        };
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        thread.spawn(run).ok()?;
        inner.jobs.insert(
            number,
            Job {
                watch,
                state: State::Running,
            },
        );
        // The oldest that have ended make room.
        let ended = inner
            .jobs
            .iter()
            .filter(|(_, job)| job.state != State::Running);
        let ended: Vec<u64> = ended.map(|(number, _)| *number).collect();
        for number in ended.iter().take(ended.len().saturating_sub(KEPT)) {
            inner.jobs.remove(number);
        }
        Some(number)
    }

    /// Returns how a piece of work stands; nothing if there is none of this number, or no more.
    pub fn show(&self, number: u64) -> Option<Shown> {
        let inner = self.inner();
        let job = inner.jobs.get(&number)?;
        Some(Shown {
            job: number,
            state: job.state.clone(),
            done: job.watch.done.load(Ordering::Relaxed),
            of: job.watch.of.load(Ordering::Relaxed),
        })
    }

    /// Asks a piece of work to stop; whether there is one.
    pub fn cancel(&self, number: u64) -> bool {
        let inner = self.inner();
        let job = inner.jobs.get(&number);
        job.inspect(|job| job.watch.stop.store(true, Ordering::Relaxed))
            .is_some()
    }

    /// Asks all to stop.
    pub fn cancel_all(&self) {
        for job in self.inner().jobs.values() {
            job.watch.stop.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn ended(jobs: &Jobs, number: u64) -> State {
        loop {
            match jobs.show(number).expect("it is kept").state {
                State::Running => std::thread::sleep(Duration::from_millis(5)),
                state => return state,
            }
        }
    }

    #[test]
    fn work_is_bounded_cancelled_and_survives_a_panic() {
        let jobs = Jobs::default();
        let until_stopped = |watch: &Watch| {
            while !watch.stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(Value::Null)
        };
        let first = jobs.start(until_stopped).expect("room");
        let second = jobs.start(until_stopped).expect("room");
        assert_eq!(jobs.start(|_| Ok(Value::Null)), None);
        assert!(jobs.cancel(first));
        assert_eq!(ended(&jobs, first), State::Cancelled);
        let broken = jobs.start(|_| panic!("on purpose")).expect("room again");
        assert!(matches!(ended(&jobs, broken), State::Failed { .. }));
        let good = jobs.start(|_| Ok(Value::from(7))).expect("room again");
        assert_eq!(
            ended(&jobs, good),
            State::Done {
                result: Value::from(7)
            }
        );
        assert!(jobs.cancel(second));
        assert!(!jobs.cancel(999));
        assert!(jobs.show(999).is_none());
    }
}

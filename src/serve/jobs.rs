//! Long computations on threads of their own: limited in number, with progress, cancellable.
//!
//! A job is cancelled if no client requests its state for [`ABANDONED_AFTER`], so no work continues without a
//! client. Results are stored as text, up to [`MAX_RESULT_BYTES`] in total.

use control::evaluation::arm;
use control::{Observer, Progress};
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::error::Error;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// The maximum number of jobs that run at the same time.
pub const MAX_RUNNING: usize = 2;

/// The time without a request after which a job is cancelled.
pub const ABANDONED_AFTER: Duration = Duration::from_secs(15);

/// The maximum number of ended jobs whose results are stored.
const MAX_ENDED: usize = 16;

/// The maximum size of all stored results together, in bytes. A larger single result is an error.
const MAX_RESULT_BYTES: usize = 32 << 20;

/// The stack size of a job's thread, in bytes. Searches recurse deeply.
const STACK_BYTES: usize = 32 << 20;

/// The stop flag and the progress of a job.
#[derive(Debug, Default)]
pub struct Watch {
    /// Set to stop the job.
    pub stop: AtomicBool,
    /// The number of positions, states or indices done.
    pub done: AtomicU64,
    /// The total number of positions, states or indices; 0 if unknown.
    pub of: AtomicU64,
}

impl Observer for Watch {
    fn progress(&self, progress: &Progress<'_>) {
        self.done.store(progress.done, Ordering::Relaxed);
        if let Some(total) = progress.total {
            self.of.store(total, Ordering::Relaxed);
        }
    }
}

/// The result of a job, or any error, of which clients receive only the text.
pub type JobResult<T> = Result<T, Box<dyn Error>>;

/// The error of a job whose result exceeds [`MAX_RESULT_BYTES`].
#[derive(Debug, thiserror::Error)]
#[error("the result has {bytes} bytes; the server keeps at most {MAX_RESULT_BYTES}")]
struct ResultTooLarge {
    /// The length of the result in bytes.
    bytes: usize,
}

/// The state of a job, with its result once it has ended.
#[derive(Clone, Debug)]
enum JobState {
    Running,
    Done(Arc<RawValue>),
    Failed(String),
    Cancelled,
}

#[derive(Debug)]
struct Job {
    watch: Arc<Watch>,
    state: JobState,
    last_request: Instant,
}

/// The JSON form of a job.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    /// The number of the job.
    pub job: u64,
    /// `running`, `done`, `failed` or `cancelled`.
    pub state: &'static str,
    /// The result of a job that is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Arc<RawValue>>,
    /// The error of a job that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The number of positions, states or indices done.
    pub done: u64,
    /// The total number of positions, states or indices; 0 if unknown.
    pub of: u64,
}

/// All jobs.
#[derive(Clone, Debug, Default)]
pub struct Jobs(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    jobs: Mutex<Numbered>,
    /// Notified whenever a job ends.
    ended: Notify,
}

#[derive(Debug, Default)]
struct Numbered {
    next: u64,
    jobs: BTreeMap<u64, Job>,
}

impl Job {
    fn is_running(&self) -> bool {
        matches!(self.state, JobState::Running)
    }

    fn result_bytes(&self) -> usize {
        match &self.state {
            JobState::Done(result) => result.get().len(),
            _ => 0,
        }
    }
}

impl Numbered {
    /// Removes the oldest ended jobs beyond the limits.
    fn forget_old(&mut self) {
        loop {
            let ended = self.jobs.iter().filter(|(_, job)| !job.is_running());
            let (mut count, mut bytes, mut oldest) = (0, 0, None);
            for (number, job) in ended {
                count += 1;
                bytes += job.result_bytes();
                oldest.get_or_insert(*number);
            }
            match oldest {
                Some(number) if count > MAX_ENDED || bytes > MAX_RESULT_BYTES => {
                    self.jobs.remove(&number);
                }
                _ => return,
            }
        }
    }
}

impl Jobs {
    fn locked(&self) -> MutexGuard<'_, Numbered> {
        self.0.jobs.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Starts a job on its own thread and returns its number. Returns `None` if [`MAX_RUNNING`] jobs are
    /// running or no thread can be started. If the job panics, only this job fails.
    pub fn start<T: Serialize>(
        &self,
        work: impl FnOnce(&Watch) -> JobResult<T> + Send + 'static,
    ) -> Option<u64> {
        let watch = Arc::new(Watch::default());
        let mut locked = self.locked();
        if locked.jobs.values().filter(|job| job.is_running()).count() >= MAX_RUNNING {
            return None;
        }
        locked.next += 1;
        let number = locked.next;
        let jobs = self.clone();
        let shared = Arc::clone(&watch);
        let run = move || {
            let stop = Arc::clone(&shared);
            arm(Some(Arc::new(move || stop.stop.load(Ordering::Relaxed))));
            let caught = std::panic::AssertUnwindSafe(|| result_of(work(&shared)));
            let state = match std::panic::catch_unwind(caught) {
                _ if shared.stop.load(Ordering::Relaxed) => JobState::Cancelled,
                Ok(Ok(result)) => JobState::Done(result),
                Ok(Err(error)) => JobState::Failed(error.to_string()),
                Err(_) => JobState::Failed("internal error: the computation panicked".to_string()),
            };
            let mut locked = jobs.locked();
            if let Some(job) = locked.jobs.get_mut(&number) {
                job.state = state;
            }
            locked.forget_old();
            drop(locked);
            jobs.0.ended.notify_waiters();
        };
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        thread.spawn(run).ok()?;
        let job = Job {
            watch,
            state: JobState::Running,
            last_request: Instant::now(),
        };
        locked.jobs.insert(number, job);
        Some(number)
    }

    /// Returns the state of a job, or `None` if no job has this number or the job was removed.
    pub fn show(&self, number: u64) -> Option<Shown> {
        let mut locked = self.locked();
        let job = locked.jobs.get_mut(&number)?;
        job.last_request = Instant::now();
        let (state, result, error) = match &job.state {
            JobState::Running => ("running", None, None),
            JobState::Done(result) => ("done", Some(Arc::clone(result)), None),
            JobState::Failed(error) => ("failed", None, Some(error.clone())),
            JobState::Cancelled => ("cancelled", None, None),
        };
        Some(Shown {
            job: number,
            state,
            result,
            error,
            done: job.watch.done.load(Ordering::Relaxed),
            of: job.watch.of.load(Ordering::Relaxed),
        })
    }

    /// Like [`Jobs::show`], but waits up to `patience` for the job to end.
    pub async fn wait(&self, number: u64, patience: Duration) -> Option<Shown> {
        let until = tokio::time::Instant::now() + patience;
        loop {
            let ended = self.0.ended.notified();
            let shown = self.show(number)?;
            if shown.state != "running" || tokio::time::timeout_at(until, ended).await.is_err() {
                return Some(shown);
            }
        }
    }

    /// Sets the stop flag of a job. Returns whether the job exists.
    pub fn cancel(&self, number: u64) -> bool {
        let locked = self.locked();
        let job = locked.jobs.get(&number);
        job.inspect(|job| job.watch.stop.store(true, Ordering::Relaxed))
            .is_some()
    }

    /// Sets the stop flags of all jobs.
    pub fn cancel_all(&self) {
        self.cancel_unrequested(Duration::ZERO);
    }

    /// Sets the stop flags of all jobs that no client has requested for [`ABANDONED_AFTER`].
    pub fn cancel_abandoned(&self) {
        self.cancel_unrequested(ABANDONED_AFTER);
    }

    fn cancel_unrequested(&self, within: Duration) {
        for job in self.locked().jobs.values() {
            if job.last_request.elapsed() >= within {
                job.watch.stop.store(true, Ordering::Relaxed);
            }
        }
    }
}

/// Returns the result of a job as JSON text.
fn result_of<T: Serialize>(result: JobResult<T>) -> JobResult<Arc<RawValue>> {
    let json = serde_json::value::to_raw_value(&result?)?;
    match json.get().len() {
        bytes if bytes > MAX_RESULT_BYTES => Err(ResultTooLarge { bytes }.into()),
        _ => Ok(json.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(jobs: &Jobs, number: u64) -> Shown {
        loop {
            let shown = jobs.show(number).expect("a kept job");
            if shown.state != "running" {
                return shown;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn until_stopped(watch: &Watch) -> JobResult<()> {
        while !watch.stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }

    #[test]
    fn jobs_are_bounded_cancelled_and_survive_a_panic() {
        let jobs = Jobs::default();
        let first = jobs.start(until_stopped).expect("a free place");
        let second = jobs.start(until_stopped).expect("a free place");
        assert_eq!(jobs.start(|_| Ok(0)), None);
        assert!(jobs.cancel(first));
        assert_eq!(ended(&jobs, first).state, "cancelled");
        let broken = jobs.start(|_| -> JobResult<u8> { panic!("on purpose") });
        assert_eq!(ended(&jobs, broken.expect("a free place")).state, "failed");
        let good = ended(&jobs, jobs.start(|_| Ok(7)).expect("a free place"));
        assert_eq!(good.state, "done");
        assert_eq!(good.result.expect("a result").get(), "7");
        assert!(jobs.cancel(second));
        assert!(!jobs.cancel(999));
        assert!(jobs.show(999).is_none());
    }

    #[test]
    fn jobs_without_requests_are_cancelled() {
        let jobs = Jobs::default();
        let job = jobs.start(until_stopped).expect("a free place");
        jobs.cancel_abandoned();
        assert_eq!(jobs.show(job).expect("a kept job").state, "running");
        std::thread::sleep(Duration::from_millis(20));
        jobs.cancel_unrequested(Duration::from_millis(10));
        assert_eq!(ended(&jobs, job).state, "cancelled");
    }

    #[test]
    fn results_beyond_the_limit_are_refused_and_old_ones_forgotten() {
        let jobs = Jobs::default();
        let of_bytes = |bytes: usize| {
            let number = jobs
                .start(move |_| Ok("x".repeat(bytes)))
                .expect("a free place");
            (number, ended(&jobs, number).state)
        };
        assert_eq!(of_bytes(MAX_RESULT_BYTES).1, "failed");
        let (first, state) = of_bytes(MAX_RESULT_BYTES / 2);
        assert_eq!(state, "done");
        assert_eq!(of_bytes(MAX_RESULT_BYTES * 2 / 3).1, "done");
        assert!(jobs.show(first).is_none());
    }
}

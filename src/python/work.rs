//! Long work: without the interpreter's lock, ended by Ctrl-C, observed, and limited.
//!
//! Work runs on a thread of its own with a large stack. Meanwhile the calling thread has given up the lock;
//! it takes the lock ten times a second to look for signals and to report progress. After Ctrl-C, work that does
//! not look at its stop flag is left behind: it owns all that it uses, and its result is dropped.

use crate::errors::{Answer, Failure, guard};
use control::evaluation::arm;
use control::parallel::{self, STACK_BYTES};
use control::{Control, Observer, process};
use diagnostics::{Diagnostic, whole_number};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The interval at which signals are examined and progress is reported.
const INTERVAL: Duration = Duration::from_millis(100);
/// The time for which an interrupted call waits for its work to end.
const GRACE: Duration = Duration::from_millis(400);
/// The maximum number of threads.
const MAX_THREADS: usize = 1024;
/// The limit of memory if the system does not say what is free, in bytes.
const UNKNOWN_BYTES: u64 = 1 << 30;

/// The number of calls whose work is running.
static RUNNING: AtomicUsize = AtomicUsize::new(0);
/// Whether this process is a child that was forked while work was running. Threads of the parent may have held
/// locks that no thread of the child can release.
static FORKED_WHILE_RUNNING: AtomicBool = AtomicBool::new(false);

/// Called in the child after a fork.
#[pyfunction]
pub fn _after_fork() {
    if RUNNING.swap(0, Ordering::SeqCst) > 0 {
        FORKED_WHILE_RUNNING.store(true, Ordering::SeqCst);
    }
}

/// What a call may take, and what it reports to.
pub struct Options {
    threads: usize,
    memory_bytes: u64,
    time: Option<Duration>,
    progress: Option<Py<PyAny>>,
}

impl Options {
    /// Reads the arguments `threads`, `memory`, `time` and `progress`. Without them, work takes all
    /// processors, half of the free memory and as much time as it needs.
    ///
    /// # Errors
    /// If an argument is not valid.
    pub fn new(
        py: Python<'_>,
        threads: Option<usize>,
        memory: Option<Bound<'_, PyAny>>,
        time: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Answer<Options> {
        let threads = match threads {
            None => parallel::processors(),
            Some(threads @ 1..=MAX_THREADS) => threads,
            Some(threads) => {
                let why = format!("{threads} is not a number from 1 to {MAX_THREADS}");
                return Err(Diagnostic::new("threads", why).into());
            }
        };
        let memory_bytes = match memory {
            Some(memory) => read_memory(&memory)?,
            None => process::free_bytes().map_or(UNKNOWN_BYTES, |free| free / 2),
        };
        let time = time.map(read_time).transpose()?;
        Ok(Options {
            threads,
            memory_bytes,
            time,
            progress: read_progress(py, progress)?,
        })
    }

    /// Returns the options with at most this limit of memory, unless it was given.
    pub fn memory_bytes(&self) -> u64 {
        self.memory_bytes
    }

    /// Returns the options with a lower default of memory. `given` is whether the caller gave a limit.
    pub fn at_most(mut self, bytes: u64, given: bool) -> Options {
        if !given {
            self.memory_bytes = self.memory_bytes.min(bytes);
        }
        self
    }
}

fn read_time(seconds: f64) -> Answer<Duration> {
    let time = Duration::try_from_secs_f64(seconds).ok();
    time.filter(|time| !time.is_zero()).ok_or_else(|| {
        let why = format!("{seconds} is not a number of seconds above 0");
        Diagnostic::new("time", why).into()
    })
}

/// Reads a size in bytes: a number, or a text such as `512M` or `2G`.
fn read_memory(memory: &Bound<'_, PyAny>) -> Answer<u64> {
    let bytes = match memory.cast::<PyString>() {
        Ok(text) => size(&text.to_string_lossy()),
        Err(_) => memory.extract::<u64>().ok(),
    };
    bytes.filter(|bytes| *bytes > 0).ok_or_else(|| {
        let why = format!("`{memory}` is not a size");
        let error = Diagnostic::new("memory", why);
        error
            .help("a number of bytes, or a text such as \"512M\" or \"2G\"")
            .into()
    })
}

fn size(text: &str) -> Option<u64> {
    let upper = text.trim().to_ascii_uppercase();
    let end = upper
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(upper.len());
    let (digits, unit) = upper.split_at(end);
    let shift = match unit {
        "" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        "T" | "TB" | "TIB" => 40,
        _ => return None,
    };
    let number = Some(digits).filter(|digits| whole_number(digits))?;
    number.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// Returns the callable that receives progress: the argument, or a new bar for `True`.
fn read_progress(
    py: Python<'_>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Option<Py<PyAny>>> {
    let Some(progress) = progress else {
        return Ok(None);
    };
    match progress.cast::<PyBool>() {
        Ok(shown) if shown.is_true() => {
            let bar = py.import("fairyproof._progress")?.getattr("Bar")?;
            Ok(Some(bar.call0()?.unbind()))
        }
        Ok(_) => Ok(None),
        Err(_) if progress.is_callable() => Ok(Some(progress.unbind())),
        Err(_) => {
            let error = Diagnostic::new("progress", "it is neither callable nor a bool");
            Err(Failure::from(error).into())
        }
    }
}

/// A progress report that was copied.
struct Report {
    phase: String,
    done: u64,
    total: Option<u64>,
    unit: &'static str,
    detail: String,
}

/// State that work shares with the call that waits for it.
struct Shared<T> {
    stop: Arc<AtomicBool>,
    latest: Latest,
    result: Mutex<Option<Answer<T>>>,
    done: Condvar,
}

/// The last progress report.
struct Latest {
    is_wanted: bool,
    report: Mutex<Option<Report>>,
}

impl Observer for Latest {
    fn progress(&self, progress: &control::Progress<'_>) {
        if self.is_wanted {
            *locked(&self.report) = Some(Report {
                phase: progress.phase.to_owned(),
                done: progress.done,
                total: progress.total,
                unit: progress.unit,
                detail: progress.detail.to_string(),
            });
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Shared<T> {
    /// Waits for the result, at most for `time`.
    fn wait(&self, time: Duration) -> Option<Answer<T>> {
        let until = Instant::now() + time;
        let mut result = locked(&self.result);
        while result.is_none() {
            let left = until.checked_duration_since(Instant::now())?;
            let waited = self.done.wait_timeout(result, left);
            result = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        result.take()
    }
}

/// What work has.
pub struct Working<'a> {
    /// The control, with all limits of the call.
    pub control: Control<'a>,
}

/// Runs `work` and returns its answer. The interpreter's lock is released meanwhile.
///
/// # Errors
/// The errors of `work`; `KeyboardInterrupt` after Ctrl-C; what a progress callable raises.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    options: Options,
    work: impl FnOnce(&Working<'_>) -> Answer<T> + Send + 'static,
) -> Answer<T> {
    if FORKED_WHILE_RUNNING.load(Ordering::SeqCst) {
        let why = "this process was forked while a call of its parent was running, which cannot be continued here";
        let error = Diagnostic::new("fork", why);
        return Err(error
            .help("fork before such calls, or start processes with `spawn`")
            .into());
    }
    let shared = Arc::new(Shared {
        stop: Arc::new(AtomicBool::new(false)),
        latest: Latest {
            is_wanted: options.progress.is_some(),
            report: Mutex::new(None),
        },
        result: Mutex::new(None),
        done: Condvar::new(),
    });
    RUNNING.fetch_add(1, Ordering::SeqCst);
    let (threads, memory_bytes, time) = (options.threads, options.memory_bytes, options.time);
    let worker = Arc::clone(&shared);
    let body = move || {
        let control = Control::new()
            .with_stop(&worker.stop)
            .with_memory(memory_bytes)
            .with_threads(threads)
            .with_time(time)
            .with_observer(&worker.latest);
        let working = Working { control };
        let (stop, deadline) = (Arc::clone(&worker.stop), control.deadline());
        arm(Some(Arc::new(move || {
            let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
            stop.load(Ordering::Relaxed) || is_late()
        })));
        let result = guard(|| parallel::in_pool(threads, || guard(|| work(&working))));
        let result = match result {
            // An evaluation that was stopped panics, whatever stopped it.
            Err(Failure::Interrupted) => match control.check() {
                Err(stopped) => Err(stopped.into()),
                Ok(()) => Err(Failure::Interrupted),
            },
            result => result,
        };
        let _ = RUNNING.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1));
        *locked(&worker.result) = Some(result);
        worker.done.notify_all();
    };
    let thread = std::thread::Builder::new().name("fairyproof".to_owned());
    if let Err(error) = thread.stack_size(STACK_BYTES).spawn(body) {
        RUNNING.fetch_sub(1, Ordering::SeqCst);
        return Err(Failure::Limit(
            "threads",
            format!("no thread can be started: {error}"),
        ));
    }
    let answer = wait(py, &shared, options.progress.as_ref());
    if let Some(progress) = &options.progress {
        let bar = progress.bind(py);
        if bar.get_type().name()? == "Bar" {
            bar.call_method0("close")?;
        }
    }
    answer
}

fn wait<T: Send>(
    py: Python<'_>,
    shared: &Arc<Shared<T>>,
    progress: Option<&Py<PyAny>>,
) -> Answer<T> {
    loop {
        if let Some(result) = py.detach(|| shared.wait(INTERVAL)) {
            return result;
        }
        let mut heard = py.check_signals();
        if heard.is_ok()
            && let Some(progress) = progress
            && let Some(report) = locked(&shared.latest.report).take()
        {
            heard = tell(progress.bind(py), report);
        }
        if let Err(error) = heard {
            shared.stop.store(true, Ordering::SeqCst);
            py.detach(|| shared.wait(GRACE));
            return Err(error.into());
        }
    }
}

/// Calls the callable of `progress` with a report.
fn tell(progress: &Bound<'_, PyAny>, report: Report) -> PyResult<()> {
    let class = progress
        .py()
        .import("fairyproof._progress")?
        .getattr("Progress")?;
    let Report {
        phase,
        done,
        total,
        unit,
        detail,
    } = report;
    progress.call1((class.call1((phase, done, total, unit, detail))?,))?;
    Ok(())
}

/// Panics, on this thread or on that of work, for the test that a panic is an error.
#[pyfunction]
pub fn _panic(py: Python<'_>, at_work: bool) -> Answer<()> {
    let options = Options::new(py, Some(1), None, None, None)?;
    match at_work {
        true => run(py, options, |_| panic!("a test")),
        false => guard(|| panic!("a test")),
    }
}

//! Exploring on several threads, processes and machines, each with a part of the states: a dataflow of timely.
//!
//! A mix of a state's key determines the worker that owns the state. Each worker holds the visited set of its
//! part, generates the turns of its states level by level, and sends the keys that they lead to to their owners:
//! along a feedback edge whose times are levels (`flow.rs`). The record that timely routes is a batch of some
//! thousands of keys of one owner, without those sent recently (`parcels.rs`). After a level, every worker sends
//! its counts to every other, and all come to the same decision, without a leader (`search.rs`).
//!
//! # What is equal to the explorer in memory, and what is not
//! The graph of a complete search, or of one stopped by a depth, is equal: its counts, levels, degrees and
//! outcomes. Results that depend on the order in which states are found are left out. Limits on states and
//! memory, the time limit and an interrupt stop all workers within a level, and the last complete level is
//! reported. Values and the structure of the graph (components, longest path) are not found here: the values of
//! a graph that does not fit in memory are found on disk, by one process.
//!
//! # Lost processes
//! If a process is lost, the others end (`wire.rs`). timely has no recovery, so a complete level is the unit of
//! recovery. With a folder for states, each worker writes the new states of each level to a file of its own
//! (`saved.rs`), and the same run resumes from the last level that all workers have written.

mod connect;
mod flow;
mod parcels;
mod part;
mod question;
mod saved;
mod search;
mod wire;

pub use question::{Answer, Examiner, Question};

use control::evaluation::inherited;
use control::{Control, Stopped};
use diagnostics::Diagnostic;
use explore::{Expander, Summary};
use flow::Flow;
use part::WorkerStates;
use search::Store;
use std::cell::RefCell;
use std::fmt;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{Allocator, Hooks};
use wire::{Link, join_soon};

/// Time that a process which has lost another one waits before it ends, so that the others see the same loss
/// first, and not that of this process.
const GRACE: Duration = Duration::from_millis(500);

/// The task of a run, which is equal in all its processes.
pub struct Task<'t> {
    /// The game's graph.
    pub game: &'t Expander<'t>,
    /// Names and values that identify the program, the rules and the position. A process or a saved state
    /// that differs in one of them belongs to another run.
    pub identity: Vec<(&'static str, String)>,
    /// Maximum number of states.
    pub max_states: u64,
    /// Maximum depth, in plies from the root.
    pub max_depth: u32,
    /// A question about the states.
    pub question: Option<Question<'t>>,
}

/// The processes of a run, and the place of this one.
#[derive(Clone, Copy, Debug)]
pub struct Membership<'p> {
    /// The address of each process, `host:port`.
    pub hosts: &'p [String],
    /// The number of this process, from 0.
    pub process: usize,
    /// The secret of the run, which no other program knows. If it is empty, any program that knows the run
    /// can take the place of a process.
    pub secret: &'p str,
}

/// The resources of a process, its stop flag, and the folder for its levels.
#[derive(Clone, Copy)]
pub struct Resources<'m> {
    /// The threads, one for each worker and equally many in each process; the memory for states; the stop flag. The observer also receives which processes are missing or refused, and from
    /// where a run resumes.
    pub control: Control<'m>,
    /// The folder where complete levels are saved.
    pub state: Option<&'m Path>,
    /// Returns the reason, if it is known, why a process for which this one waits will not connect.
    pub lost_process: &'m (dyn Fn() -> Option<Diagnostic> + Sync),
}

/// The reason why a run has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failed {
    /// Invalid user input, such as an address or a folder, or a process of another run than the one that this
    /// process belongs to.
    Input(Diagnostic),
    /// Like [`Input`](Self::Input), but all processes know the reason and end with it.
    Agreed(Diagnostic),
    /// Another process has ended, or its machine does not answer any more.
    Lost {
        /// The number of the process.
        process: usize,
        /// The known reason.
        why: String,
    },
    /// A stop was requested, or the time limit was reached, before all processes had connected.
    Stopped(Stopped),
    /// The system cannot start another thread.
    NoThread,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failed::Input(error) | Failed::Agreed(error) => error.fmt(f),
            Failed::Lost { process, why } => write!(f, "process {process} is lost: {why}"),
            Failed::Stopped(stopped) => stopped.fmt(f),
            Failed::NoThread => f.write_str("no thread can be started (ulimit -v, ulimit -u)"),
        }
    }
}

/// The result of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The figures of the graph, which are equal in all processes.
    pub summary: Summary,
    /// The answer to the question about the states, if there is one.
    pub answer: Option<Answer>,
    /// Maximum number of bytes of keys and tables in this process.
    pub peak_bytes: u64,
    /// Bytes that the workers of this process have sent to other workers, including those of this process, to
    /// find the graph.
    pub sent_bytes: u64,
}

/// The bytes that each worker of a process uses, and their limit.
struct Usage {
    bytes: Vec<AtomicU64>,
    max_bytes: u64,
}

impl Usage {
    /// Records the bytes that a worker uses. Returns whether the workers of this process together exceed the
    /// memory limit.
    fn exceeds(&self, local: usize, bytes: u64) -> bool {
        self.bytes[local].store(bytes, Relaxed);
        self.total() > self.max_bytes
    }

    fn total(&self) -> u64 {
        let bytes = self.bytes.iter();
        bytes.map(|bytes| bytes.load(Relaxed)).sum()
    }
}

/// The data that the workers of a process share.
struct Shared<'s> {
    task: &'s Task<'s>,
    means: &'s Resources<'s>,
    usage: Arc<Usage>,
    sent_bytes: AtomicU64,
}

enum Builder {
    Threads(ProcessBuilder),
    Processes(TcpBuilder),
}

impl Builder {
    fn build(self) -> Allocator {
        match self {
            Builder::Threads(builder) => Allocator::Process(builder.build()),
            Builder::Processes(builder) => Allocator::Tcp(builder.build()),
        }
    }
}

/// Explores as one of the processes of a run. Without `place`, the process is alone.
///
/// # Errors
/// See [`Failed`]. A limit is not an error: the answer names it.
pub fn run(
    task: &Task<'_>,
    place: Option<Membership<'_>>,
    means: &Resources<'_>,
) -> Result<Found, Failed> {
    let threads = means.control.threads();
    let hooks = Hooks::default();
    let builders = ProcessBuilder::new_typed_vector(threads, hooks.refill.clone(), None);
    let many = place.filter(|place| place.hosts.len() > 1);
    let (link, builders, guard) = match many {
        None => {
            let builders = builders.into_iter().map(Builder::Threads).collect();
            (Arc::default(), builders, None)
        }
        Some(place) => {
            let streams = connect::connect(place, &terms(task, place, means), means)?;
            let (link, wires) = Link::new(streams).map_err(no_connection)?;
            let started =
                initialize_networking_from_sockets(builders, wires, place.process, threads, hooks);
            let (builders, guard) = started.map_err(no_connection)?;
            let builders: Vec<Builder> = builders.into_iter().map(Builder::Processes).collect();
            (link, builders, Some(guard))
        }
    };
    let shared = Shared {
        task,
        means,
        usage: Arc::new(Usage {
            bytes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
            max_bytes: means.control.memory_bytes(),
        }),
        sent_bytes: AtomicU64::new(0),
    };
    let found = work(builders, &shared, &link);
    match (&found, guard) {
        (_, None) => {}
        (Ok(_) | Err(Failed::Agreed(_)), Some(guard)) => join_soon(guard),
        (Err(_), Some(guard)) => {
            thread::sleep(GRACE);
            link.sever();
            // The threads of the guard may wait forever for lost processes.
            std::mem::forget(guard);
        }
    }
    found
}

fn no_connection(error: std::io::Error) -> Failed {
    // Sockets block here, so this is the error of a thread that cannot start.
    if error.kind() == std::io::ErrorKind::WouldBlock {
        return Failed::NoThread;
    }
    Failed::Input(Diagnostic::new("--hosts", error.to_string()))
}

/// Returns the terms of a run, which must be equal in all its processes.
fn terms(
    task: &Task<'_>,
    place: Membership<'_>,
    means: &Resources<'_>,
) -> Vec<(&'static str, String)> {
    let mut terms = task.identity.clone();
    let question = task.question.map_or("", |question| question.text);
    terms.extend([
        ("hosts file", place.hosts.join(" ")),
        ("number of threads", means.control.threads().to_string()),
        ("limit of states", task.max_states.to_string()),
        ("limit of depth", task.max_depth.to_string()),
        ("wish to save levels", means.state.is_some().to_string()),
        ("question", question.to_owned()),
    ]);
    terms
}

/// Runs all workers of this process. Returns the answer of the first.
fn work(builders: Vec<Builder>, shared: &Shared<'_>, link: &Arc<Link>) -> Result<Found, Failed> {
    let mut answers: Vec<Result<Found, Failed>> = thread::scope(|scope| {
        // timely panics in a worker if another one is missing, so all threads start before any builds its part.
        let mut gates = Vec::new();
        let workers = builders.into_iter().enumerate().map(|(local, builder)| {
            let (gate, opened) = mpsc::channel::<()>();
            gates.push(gate);
            let named = thread::Builder::new().name(format!("worker {local}"));
            let worker = named.spawn_scoped(
                scope,
                inherited(move || {
                    let _guard = PanicGuard(link);
                    opened.recv().map_err(|_| Failed::NoThread)?;
                    let answer = worker(builder.build(), shared, link, local);
                    if let Err(failed) = &answer {
                        link.fail(failed.clone());
                    }
                    answer
                }),
            );
            worker.map_err(|_| {
                link.fail(Failed::NoThread);
                Failed::NoThread
            })
        });
        let workers: Vec<_> = workers.collect();
        if workers.iter().all(Result::is_ok) {
            for gate in &gates {
                // A thread that has ended says why itself.
                let _ = gate.send(());
            }
        }
        drop(gates);
        let answers = workers.into_iter().map(|worker| {
            let answer = worker?.join();
            answer.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        answers.collect()
    });
    link.check()?;
    answers.swap_remove(0)
}

/// Ends the other workers of a process if one panics.
struct PanicGuard<'l>(&'l Link);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.fail(Failed::NoThread);
        }
    }
}

/// Runs one worker. Returns its answer.
fn worker(
    allocator: Allocator,
    shared: &Shared<'_>,
    link: &Arc<Link>,
    local: usize,
) -> Result<Found, Failed> {
    let part = WorkerStates::new(shared.task.game.bits());
    let usage = Arc::clone(&shared.usage);
    let store = Store::new(part, usage, local, allocator.peers());
    let store = Rc::new(RefCell::new(store));
    let mut flow = Flow::new(allocator, Arc::clone(link), shared.means.control, &store);
    let found = explored(&mut flow, &store, shared, local);
    match found {
        Ok(_) | Err(Failed::Agreed(_)) => flow.close()?,
        // A dataflow that is dropped would close its connections as if all were well.
        Err(_) => std::mem::forget(flow),
    }
    found
}

fn explored<'s>(
    flow: &mut Flow<'s>,
    store: &Rc<RefCell<Store>>,
    shared: &Shared<'s>,
    local: usize,
) -> Result<Found, Failed> {
    let summary = search::explore(flow, store, shared, local)?;
    let store = store.borrow();
    let part = &store.part;
    shared.usage.exceeds(local, part.states.bytes());
    shared.sent_bytes.fetch_add(8 * flow.sent_words, Relaxed);
    // The bytes of all workers are known only when every worker has come this far.
    flow.gather(&())?;
    let answer = match summary.limit {
        Some(Stopped::Interrupted | Stopped::Time) => None,
        _ => question::answer(flow, shared, part)?,
    };
    Ok(Found {
        summary,
        answer,
        peak_bytes: shared.usage.total(),
        sent_bytes: shared.sent_bytes.load(Relaxed),
    })
}

impl Shared<'_> {
    /// Returns the reason why this process must stop, if the caller has requested a stop or the time limit is
    /// reached.
    fn stopped(&self) -> Option<Stopped> {
        self.means.control.check().err()
    }

    /// Returns the control, but only for the one worker of the process that reports the work of all.
    fn reporter(&self, local: usize) -> Option<&Control<'_>> {
        (local == 0).then_some(&self.means.control)
    }
}

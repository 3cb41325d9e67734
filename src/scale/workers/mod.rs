//! Exploring and solving on several threads, processes and machines, each with a part of the states.
//!
//! A mix of a state's key determines the worker that owns the state. Each worker holds the visited set of its
//! part, generates the turns of its states level by level, and sends the resulting keys to their owners, in
//! batches and without recently sent keys. timely's channels carry the messages (between threads by
//! reference, between processes over TCP). This module decides what is sent and when a level is complete.
//! After a level, every worker sends its counts to every other, and all come to the same decision, without a
//! leader.
//!
//! Solving goes backward over the same parts. Every state records its predecessors (worker and number) and
//! then reports to them, distance by distance, that it is won or lost; see `values.rs`. To certify the
//! values, the rules generate all successors again, and the owners send their values (`certify.rs`).
//!
//! # What is equal to the explorer in memory, and what is not
//! The graph of a complete search, or of one stopped by a depth, is equal: its counts, levels, degrees,
//! outcomes, values, lines of best play. Results that depend on the order in which states are found are left
//! out. Limits on states and memory, and Ctrl-C, stop all workers within a level, and the last complete level
//! is reported. The structure of the graph (components, longest path) needs the complete graph in one place
//! and is not reported.
//!
//! # Lost processes
//! If a process is lost, the others end at once (`failure_detection.rs`). timely has no recovery, so a
//! complete level is the unit of recovery. With a folder for states, each worker writes the new states of
//! each level to a file of its own (`saved.rs`), and the same run resumes from the last level that all
//! workers have written. Values resume likewise: the predecessors of each state are written once, and the
//! progress of the values from time to time, between two distances (`checkpoint.rs`).
//!
//! # Why levels are not timestamps of a timely dataflow
//! The same search was written as a dataflow of timely 0.32: one operator behind an exchange by the hash of the
//! key, a feedback edge whose timestamps are levels, and expansion of a level once the frontier has passed it.
//! On the graph of KQvKR, in one run, two workers in one process took 11.1 to 12.2 seconds (20.5 to 22.5
//! processor seconds), without recovery, limits or sockets; two processes of this module took 7.6 seconds (12.9
//! processor seconds). One worker took 15.5 seconds, of which 56 percent were spent in the set of states, 21 in
//! generating turns, and 9 in building and routing containers. timely routes records one by one, so the set
//! receives all keys, in containers of about a thousand. This module sends larger batches, and leaves out the
//! 23 percent that were sent recently. The dataflow reaches two thirds of the rate of the phases, so the
//! phases stay. The files of this folder hold what timely lacks or what depends on the phases: messages and
//! their exchange (`message.rs`, `exchange.rs`), recovery (`saved.rs`, `checkpoint.rs`), authentication of
//! peers (`greeting.rs`, `handshake.rs`) and the detection of silent ones (`failure_detection.rs`).
//!
//! # What 10^12 states on 100 machines would cost
//! Computed, not tried, from the costs of the graph of KQvKR (20,497,316 states, 16.4 turns each, keys
//! of 8 bytes; two workers, processor seconds of one machine). Each of 100 machines has 16 workers
//! with 6 * 10^8 states each, which the 32 bits of a state's number hold.
//!
//! | | measured | for 10^12 states | each machine |
//! |---|---|---|---|
//! | finding states: processor | 61 ns a turn | 10^6 s | 10 min on 16 cores |
//! | network | 3.1 bytes a turn where half of the owners are others | 101 bytes a state | 1 TB: 14 min at 10 Gbit/s, 2.3 h at 1 Gbit/s |
//! | memory | 21.1 bytes a state | 21 TB | 211 GB |
//! | disk, if levels are saved | 8 bytes a state | 8 TB | 80 GB: 3 min at 500 MB/s |
//! | values: processor | 181 ns a turn | 3 * 10^6 s | 31 min on 16 cores |
//! | network | 12 bytes a turn to link, at most 4 to report | 262 bytes a state | 2.6 TB: 35 min at 10 Gbit/s |
//! | memory in addition to the states | 6 bytes a turn, 14 while they are sorted; 23 bytes a state | 121 to 252 bytes a state | 1.2 to 2.5 TB |
//!
//! Of the keys that turns lead to, 77% are not recognized as recently sent, and are transferred. So states
//! are found as fast as the network carries their keys. The network takes longer than the processors, and at
//! 1 Gbit/s ten times as long; saving levels takes a tenth. For values, memory limits such a run, because
//! edges need six times the memory of states. Edges would have to be on disk, or be generated again at each
//! distance.

mod certify;
mod checkpoint;
mod exchange;
mod failure_detection;
mod greeting;
mod handshake;
mod lines;
mod message;
mod part;
mod predecessors;
mod question;
mod run_file;
mod saved;
mod search;
mod values;

pub use question::{Answer, Examiner, Question};

use crate::SolvedSummary;
use ::values::Unsolved;
use control::{Control, Stopped};
use diagnostics::Diagnostic;
use exchange::Post;
use explore::{Expander, Summary};
use failure_detection::{Link, STOP_INTERVAL, Wire, join_soon};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use timely_communication::allocator::ProcessBuilder;
use timely_communication::allocator::zero_copy::allocator::TcpBuilder;
use timely_communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely_communication::{Allocator, Hooks};

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
    /// Whether to find the values of a complete graph.
    pub solve: bool,
    /// Maximum number of states of a graph whose values are certified.
    pub certify_states: u64,
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
    /// The threads, one for each worker and equally many in each process; the memory for states, edges and
    /// values; the stop flag. The observer also receives which processes are missing or refused, and from
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
    /// Another process has ended, or sends no heartbeats any more.
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
    /// The summary of the values, if requested. Only process 0 has the lines of best play.
    pub solved: Option<Result<SolvedSummary, Unsolved>>,
    /// The answer to the question about the states, if there is one.
    pub answer: Option<Answer>,
    /// Descriptions of some wrong values. Any entry means a bug in the program.
    pub faults: Vec<String>,
    /// Maximum number of bytes of keys and tables in this process.
    pub peak_bytes: u64,
    /// Bytes that the workers of this process have sent to other workers, including those of this process, to
    /// find the graph.
    pub sent_bytes: u64,
}

/// The data that the workers of a process share.
struct Shared<'s> {
    task: &'s Task<'s>,
    means: &'s Resources<'s>,
    /// Bytes that each worker uses.
    bytes: Vec<AtomicU64>,
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

/// Explores, and solves if requested, as one of the processes of a run. Without `place`, the process is
/// alone.
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
            (Link::alone(), builders, None)
        }
        Some(place) => {
            let (link, wires) = meet(task, place, means)?;
            let started =
                initialize_networking_from_sockets(builders, wires, place.process, threads, hooks);
            let (builders, guard) = started.map_err(no_connection)?;
            let builders: Vec<Builder> = builders.into_iter().map(Builder::Processes).collect();
            (link, builders, Some(guard))
        }
    };
    let control = match link.has_peers() {
        true => means.control.with_stop(link.interrupted()),
        false => means.control,
    };
    let shared = Shared {
        task,
        means: &Resources { control, ..*means },
        bytes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
        sent_bytes: AtomicU64::new(0),
    };
    let found = work(builders, &shared, &link, &means.control);
    match (&found, guard) {
        (_, None) => {}
        (Ok(_) | Err(Failed::Agreed(_)), Some(guard)) => {
            link.part();
            join_soon(guard);
        }
        (Err(failed), Some(guard)) => {
            link.tell_failure(&match failed {
                Failed::Lost { process, .. } => format!("process {process} is lost"),
                other => other.to_string(),
            });
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

/// Connects to the other processes.
fn meet(
    task: &Task<'_>,
    place: Membership<'_>,
    means: &Resources<'_>,
) -> Result<(Arc<Link>, Vec<Option<Wire>>), Failed> {
    let mut terms = task.identity.clone();
    terms.extend([
        ("hosts file", place.hosts.join(" ")),
        ("number of threads", means.control.threads().to_string()),
        ("limit of states", task.max_states.to_string()),
        ("limit of depth", task.max_depth.to_string()),
        ("wish for values", task.solve.to_string()),
        ("wish for certified values", task.certify_states.to_string()),
        ("wish to save levels", means.state.is_some().to_string()),
        (
            "question",
            task.question
                .map_or(String::new(), |question| question.text.to_owned()),
        ),
    ]);
    let found = handshake::connect(place, &terms, means)?;
    let links = found.links.into_iter().enumerate();
    let links = links.filter_map(|(process, stream)| Some((process, stream?)));
    let link = Link::new(links.collect()).map_err(no_connection)?;
    let wires = found.messages.into_iter().enumerate();
    let wires = wires
        .map(|(process, stream)| stream.map(|stream| Wire::new(stream, process, &link)))
        .collect();
    Ok((link, wires))
}

/// Runs all workers of this process. Returns the answer of the first. An interrupt of the caller reaches the
/// workers of all processes.
fn work(
    builders: Vec<Builder>,
    shared: &Shared<'_>,
    link: &Link,
    caller: &Control<'_>,
) -> Result<Found, Failed> {
    let mut answers: Vec<Result<Found, Failed>> = thread::scope(|scope| {
        // Dropped when the workers have ended, whether they return or panic.
        let (_working, ended) = mpsc::channel::<()>();
        if link.has_peers() {
            let forward = move || {
                while ended.recv_timeout(STOP_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    if caller.is_interrupted() {
                        return link.interrupt();
                    }
                }
            };
            let forwarder = thread::Builder::new().name("interrupt".to_string());
            if forwarder.spawn_scoped(scope, forward).is_err() {
                return vec![Err(Failed::NoThread)];
            }
        }
        let workers = builders.into_iter().enumerate().map(|(local, builder)| {
            let named = thread::Builder::new().name(format!("worker {local}"));
            let worker = named.spawn_scoped(scope, move || {
                let mut post = Post::new(builder.build(), link);
                let answer = worker(&mut post, shared, local);
                if let Err(failed) = &answer {
                    link.fail(failed.clone());
                }
                answer
            });
            worker.map_err(|_| {
                link.fail(Failed::NoThread);
                Failed::NoThread
            })
        });
        let workers: Vec<_> = workers.collect();
        let answers = workers.into_iter().map(|worker| {
            let answer = worker?.join();
            answer.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        answers.collect()
    });
    link.check()?;
    answers.swap_remove(0)
}

/// Runs one worker. Returns its answer.
fn worker(post: &mut Post<'_>, shared: &Shared<'_>, local: usize) -> Result<Found, Failed> {
    let (part, summary) = search::explore(post, shared, local)?;
    shared.sent_bytes.fetch_add(8 * post.sent_words, Relaxed);
    // The bytes of all workers are known only when every worker has come this far.
    post.gather(&())?;
    let (peak_bytes, sent_bytes) = (shared.process_bytes(), shared.sent_bytes.load(Relaxed));
    let answer = match summary.limit {
        Some(Stopped::Interrupted | Stopped::Time) => None,
        _ => question::answer(post, shared, &part)?,
    };
    let mut faults = Vec::new();
    let solved = match (shared.task.solve, summary.limit) {
        (false, _) => None,
        (true, Some(stopped @ (Stopped::Interrupted | Stopped::Time))) => Some(Err(stopped.into())),
        (true, Some(_)) => Some(Err(Unsolved::Incomplete)),
        (true, None) => Some(solved(post, shared, local, part, &summary, &mut faults)?),
    };
    Ok(Found {
        summary,
        solved,
        answer,
        faults,
        peak_bytes,
        sent_bytes,
    })
}

fn solved(
    post: &mut Post<'_>,
    shared: &Shared<'_>,
    local: usize,
    part: part::WorkerStates,
    summary: &Summary,
    faults: &mut Vec<String>,
) -> Result<Result<SolvedSummary, Unsolved>, Failed> {
    let mut part = part;
    let valued = match values::solve(post, shared, local, &mut part, summary)? {
        Ok(valued) => valued,
        Err(stopped) => return Ok(Err(stopped)),
    };
    let mut known = certify::WorkerValues {
        part: &mut part,
        values: &valued.packed,
    };
    let mut certified = None;
    if summary.states <= shared.task.certify_states {
        match certify::certify(post, shared, local, &mut known, summary.states)? {
            Ok(found) => {
                faults.clone_from(&found.faults);
                certified = Some(found);
            }
            Err(stopped) => return Ok(Err(stopped)),
        }
    }
    let root = shared.task.game.root();
    let (value, census) = values::census(post, &known, &valued.keeping, root)?;
    let summary = lines::summary(post, shared, &mut known, value, &census, certified.as_ref())?;
    Ok(Ok(summary))
}

impl Shared<'_> {
    /// Returns the description of the run, for the files that belong to it.
    fn run(&self, workers: usize) -> String {
        let mut run = String::new();
        for (name, value) in &self.task.identity {
            run.push_str(&format!("{name} `{value}`, "));
        }
        run + &format!("{workers} workers")
    }

    /// Returns the reason why this process must stop, if the caller has requested a stop or the time limit is
    /// reached.
    fn stopped(&self) -> Option<Stopped> {
        self.means.control.check().err()
    }

    /// Returns the reason why the workers have stopped, which is equal in all of them. Called once each
    /// worker knows that one has stopped.
    fn why_stopped(&self, post: &mut Post<'_>) -> Result<Stopped, Failed> {
        let interrupted = self.means.control.is_interrupted();
        Ok(match post.sum(&[interrupted.into()])?[0] {
            0 => Stopped::Time,
            _ => Stopped::Interrupted,
        })
    }

    /// Records the bytes that a worker uses. Returns whether the workers of this process together exceed the
    /// memory limit.
    fn too_much(&self, local: usize, bytes: u64) -> bool {
        self.bytes[local].store(bytes, Relaxed);
        self.process_bytes() > self.means.control.memory_bytes()
    }

    fn process_bytes(&self) -> u64 {
        let bytes = self.bytes.iter();
        bytes.map(|bytes| bytes.load(Relaxed)).sum()
    }

    /// Returns the control, but only for the one worker of the process that reports the work of all.
    fn reporter(&self, local: usize) -> Option<&Control<'_>> {
        (local == 0).then_some(&self.means.control)
    }
}

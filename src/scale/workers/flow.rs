//! The dataflow of a worker: the exchange of keys, the end of levels, and values that all workers gather.
//!
//! Keys run in a loop: the operator `send` emits the batches that the worker has filled, a feedback edge
//! raises their time by a level, and the operator `insert` of the owner puts them into the owner's states.
//! Times are a level and, in the lower half, a round: a worker raises its round with each piece of work. A probe
//! after `insert` shows that no key of a level, or of a round, is on its way any more. So a level is complete
//! once the probe has passed it, and a worker that is [`ROUNDS`] rounds ahead of the probe waits: timely
//! has no other bound on what is in flight.
//!
//! Operators live longer than any borrow, so the rules, which are borrowed, generate turns outside of them.
//! This module never decides what is expanded or when a search ends.

use super::Failed;
use super::parcels::Batch;
use super::search::{Store, bit};
use super::wire::Link;
use control::evaluation::inherited;
use control::{Control, Stopped};
use diagnostics::Diagnostic;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use timely::WorkerConfig;
use timely::communication::Allocator;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::{Exchange, Pipeline};
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::vec::{Broadcast, Input};
use timely::dataflow::operators::{ConnectLoop, Feedback, Inspect, Probe};
use timely::dataflow::{InputHandleVec, ProbeHandle};
use timely::scheduling::Activator;
use timely::worker::Worker;

type Batches = CapacityContainerBuilder<Vec<Batch>>;

/// What the feedback edge adds to the time of a key.
const LEVEL: u64 = 1 << 32;
/// Rounds that a worker may be ahead of what has been inserted.
const ROUNDS: u64 = 4;
/// Interval at which a waiting worker checks the run and its limits.
pub(super) const LOOK: Duration = Duration::from_millis(20);

/// A message to all workers.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Note {
    /// Bits of the reasons for which a worker has stopped.
    Stop(u8),
    /// A phase, a worker, and the value that the worker gives to all in the phase, in JSON format.
    Share(u64, u64, String),
}

/// The keys that a worker has ready, and its time. Without a time, the worker has ended.
struct Outbox {
    time: Option<u64>,
    batches: Vec<Batch>,
}

/// The notes of all workers: bits of the reasons to stop, and values by phase and worker. A worker may be a phase
/// ahead of this one.
#[derive(Default)]
struct Notes {
    stops: Cell<u8>,
    shares: RefCell<BTreeMap<(u64, u64), String>>,
}

/// A worker with its dataflow.
pub(super) struct Flow<'f> {
    worker: Worker,
    link: Arc<Link>,
    /// Its interrupt stops all workers.
    control: Control<'f>,
    outbox: Rc<RefCell<Outbox>>,
    sender: Activator,
    inserted: ProbeHandle<u64>,
    notes: Rc<Notes>,
    noting: InputHandleVec<u64, Note>,
    noted: ProbeHandle<u64>,
    /// Words of keys sent in total.
    pub sent_words: u64,
}

impl<'f> Flow<'f> {
    /// Returns the dataflow of a worker whose states are in `store`.
    pub fn new(
        allocator: Allocator,
        link: Arc<Link>,
        control: Control<'f>,
        store: &Rc<RefCell<Store>>,
    ) -> Flow<'f> {
        let mut worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
        let outbox = Rc::new(RefCell::new(Outbox {
            time: Some(0),
            batches: Vec::new(),
        }));
        let (store, sending) = (Rc::clone(store), Rc::clone(&outbox));
        let mut sender = None;
        let inserted = worker.dataflow::<u64, _, _>(|scope| {
            let (handle, found) = scope.feedback::<Vec<Batch>>(LEVEL);
            let owner = Exchange::new(|batch: &Batch| batch.owner);
            let inserted = found.unary::<Batches, _, _, _>(owner, "insert", |_, _| {
                move |input, _| {
                    input.for_each(|_, batches: &mut Vec<Batch>| {
                        let mut store = store.borrow_mut();
                        batches.drain(..).for_each(|batch| store.receive(batch));
                    });
                }
            });
            let (probe, inserted) = inserted.probe();
            let keys = inserted.unary::<Batches, _, _, _>(Pipeline, "send", |held, info| {
                sender = Some(scope.activator_for(info.address));
                let mut held = Some(held);
                move |input, output| {
                    // `insert` emits nothing. Its stream only orders the two operators.
                    input.for_each(|_, _| {});
                    let mut outbox = sending.borrow_mut();
                    if let Some(capability) = &mut held {
                        let batches = outbox.batches.drain(..);
                        output.session(capability).give_iterator(batches);
                        match &outbox.time {
                            Some(time) => capability.downgrade(time),
                            None => held = None,
                        }
                    }
                }
            });
            keys.connect_loop(handle);
            probe
        });
        let notes: Rc<Notes> = Rc::default();
        let heard = Rc::clone(&notes);
        let (noting, noted) = worker.dataflow::<u64, _, _>(|scope| {
            let (noting, told) = scope.new_input();
            let told = told.broadcast().inspect(move |note: &Note| match note {
                Note::Stop(bits) => heard.stops.set(heard.stops.get() | bits),
                Note::Share(phase, from, text) => {
                    let mut shares = heard.shares.borrow_mut();
                    shares.insert((*phase, *from), text.clone());
                }
            });
            (noting, told.probe().0)
        });
        Flow {
            worker,
            link,
            control,
            outbox,
            sender: sender.expect("the dataflow has been built"),
            inserted,
            notes,
            noting,
            noted,
            sent_words: 0,
        }
    }

    /// Returns the number of this worker.
    pub fn me(&self) -> usize {
        self.worker.index()
    }

    /// Returns the number of workers.
    pub fn peers(&self) -> usize {
        self.worker.peers()
    }

    fn time(&self) -> u64 {
        self.outbox.borrow().time.unwrap_or(u64::MAX)
    }

    fn advance_to(&mut self, time: u64) {
        self.outbox.borrow_mut().time = Some(time);
        self.sender.activate();
    }

    /// Sends keys to their owner.
    pub fn send(&mut self, batch: Batch) {
        self.sent_words += batch.keys.len() as u64;
        self.outbox.borrow_mut().batches.push(batch);
    }

    /// Ends a round.
    pub fn end_round(&mut self) {
        self.advance_to(self.time() + 1);
    }

    /// Returns whether as much is in flight as may be.
    pub fn is_full(&self) -> bool {
        let time = self.time();
        time % LEVEL >= ROUNDS && self.inserted.less_than(&(time + LEVEL - ROUNDS + 1))
    }

    /// Begins with a level. All keys sent before belong to the level.
    pub fn begin_level(&mut self, level: usize) {
        self.advance_to(level as u64 * LEVEL);
    }

    /// Returns whether the states of the level that this worker has begun with are complete.
    pub fn level_is_complete(&self) -> bool {
        let level = self.time() / LEVEL;
        !self.inserted.less_than(&((level + 1) * LEVEL))
    }

    /// Lets the dataflow work; waits at most `wait` if there is nothing to do.
    ///
    /// # Errors
    /// If the run has failed.
    pub fn step(&mut self, wait: Duration) -> Result<(), Failed> {
        self.link.check()?;
        let interrupted = bit(Stopped::Interrupted);
        if self.stops() & interrupted == 0 && self.control.is_interrupted() {
            self.tell_stop(interrupted);
        }
        self.worker.step_or_park(Some(wait));
        Ok(())
    }

    /// Sends the reasons why this worker stops to all workers, as bits.
    pub fn tell_stop(&mut self, bits: u8) {
        self.notes.stops.set(self.notes.stops.get() | bits);
        self.noting.send(Note::Stop(bits));
        self.noting.flush();
    }

    /// Returns the reasons for which any worker has stopped, as bits.
    pub fn stops(&self) -> u8 {
        self.notes.stops.get()
    }

    /// Exchanges values. Returns those of all workers, in the order of the workers. Every worker must call
    /// this.
    ///
    /// # Errors
    /// If the run has failed.
    pub fn gather<T: Serialize + DeserializeOwned>(&mut self, own: &T) -> Result<Vec<T>, Failed> {
        // All processes of a run have the same build, so the values have the same form.
        let unread =
            |e: serde_json::Error| Failed::Input(Diagnostic::new("message", e.to_string()));
        let text = serde_json::to_string(own).map_err(unread)?;
        let phase = *self.noting.time();
        self.noting.send(Note::Share(phase, self.me() as u64, text));
        self.noting.advance_to(phase + 1);
        while self.noted.less_than(&(phase + 1)) {
            self.step(LOOK)?;
        }
        let mut shares = self.notes.shares.borrow_mut();
        let later = shares.split_off(&(phase + 1, 0));
        let shares = std::mem::replace(&mut *shares, later).into_values();
        shares
            .map(|text| serde_json::from_str(&text).map_err(unread))
            .collect()
    }

    /// Does some work on a thread of its own. Meanwhile an interrupt of any process stops it.
    ///
    /// # Errors
    /// If the run has failed.
    pub fn meanwhile<T: Send>(
        &mut self,
        work: impl FnOnce(&Control<'_>) -> T + Send,
    ) -> Result<T, Failed> {
        let stop = AtomicBool::new(false);
        let (control, waiting) = (self.control.with_stop(&stop), thread::current());
        let working = || {
            let done = work(&control);
            waiting.unpark();
            done
        };
        thread::scope(|scope| {
            let thread = thread::Builder::new().spawn_scoped(scope, inherited(working));
            let thread = thread.map_err(|_| Failed::NoThread)?;
            let mut failed = Ok(());
            while !thread.is_finished() {
                failed = failed.and_then(|()| self.step(LOOK));
                if failed.is_err() || self.stops() & bit(Stopped::Interrupted) != 0 {
                    stop.store(true, Ordering::Relaxed);
                }
                if failed.is_err() {
                    thread::sleep(LOOK);
                }
            }
            let done = thread.join();
            let done = done.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            failed.map(|()| done)
        })
    }

    /// Ends the dataflow, once all workers do.
    ///
    /// # Errors
    /// If the run has failed.
    pub fn close(mut self) -> Result<(), Failed> {
        self.outbox.borrow_mut().time = None;
        self.sender.activate();
        self.noting.close();
        while self.worker.has_dataflows() {
            self.link.check()?;
            self.worker.step_or_park(Some(LOOK));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Usage;
    use super::super::part::WorkerStates;
    use super::*;
    use std::sync::Barrier;
    use std::sync::atomic::AtomicU64;
    use timely::communication::allocator::ProcessBuilder;
    use timely::communication::initialize::Hooks;

    const LEVELS: u64 = 3;

    /// The first of two workers, which sends keys to the second. It is full soon, and no level is complete, until
    /// the second worker begins to insert them, at the barrier.
    fn send_levels(flow: &mut Flow<'_>, barrier: &Barrier, complete: &AtomicU64) {
        let step = |flow: &mut Flow<'_>| flow.step(Duration::ZERO).expect("no failure");
        for level in 0..LEVELS {
            let mut rounds = 0;
            for _ in 0..100 {
                if !flow.is_full() {
                    flow.send(Batch {
                        owner: 1,
                        from: 0,
                        counts: [0; 3],
                        keys: vec![level << 32 | rounds],
                    });
                    flow.end_round();
                    rounds += 1;
                }
                step(flow);
            }
            assert_eq!(rounds, ROUNDS, "level {level}");
            flow.begin_level(level as usize + 1);
            for _ in 0..100 {
                step(flow);
                assert!(!flow.level_is_complete());
            }
            barrier.wait();
            while !flow.level_is_complete() || complete.load(Ordering::SeqCst) == level {
                step(flow);
            }
        }
    }

    /// The second worker.
    fn insert_levels(
        flow: &mut Flow<'_>,
        barrier: &Barrier,
        complete: &AtomicU64,
        stored: impl Fn() -> u64,
    ) {
        for level in 0..LEVELS {
            barrier.wait();
            assert_eq!(stored(), level * ROUNDS);
            flow.begin_level(level as usize + 1);
            while !flow.level_is_complete() {
                flow.step(Duration::ZERO).expect("no failure");
            }
            assert_eq!(stored(), (level + 1) * ROUNDS);
            complete.store(level + 1, Ordering::SeqCst);
        }
    }

    #[test]
    fn a_worker_waits_for_a_slow_owner() {
        let builders = ProcessBuilder::new_typed_vector(2, Hooks::default().refill, None);
        let usage = Arc::new(Usage {
            bytes: [0, 0].map(AtomicU64::new).into(),
            max_bytes: u64::MAX,
        });
        let (barrier, complete) = (Barrier::new(2), AtomicU64::new(0));
        thread::scope(|scope| {
            for (local, builder) in builders.into_iter().enumerate() {
                let (usage, barrier, complete) = (Arc::clone(&usage), &barrier, &complete);
                scope.spawn(move || {
                    let store = Store::new(WorkerStates::new(64), usage, local, 2);
                    let store = Rc::new(RefCell::new(store));
                    let allocator = Allocator::Process(builder.build());
                    let mut flow = Flow::new(allocator, Arc::default(), Control::new(), &store);
                    let stored = || store.borrow().part.states.len() as u64;
                    match local {
                        0 => send_levels(&mut flow, barrier, complete),
                        _ => insert_levels(&mut flow, barrier, complete, stored),
                    }
                    flow.close().expect("no failure");
                });
            }
        });
    }
}

//! Breadth-first search over the states of a worker, in step with all other workers.
//!
//! A worker generates the turns of its states of a level, piece by piece, and sends the keys that they lead to
//! to their owners. Once all keys of a level are inserted, every worker sends its counts to every other, and
//! all come to the same decision, without a leader. Nothing of a level in which a worker stops is counted.

use super::flow::{Flow, LOOK};
use super::parcels::{Batch, Counts, Parcels};
use super::part::{PackedLevel, WorkerStates, owner, pack, unpack};
use super::saved::{Saved, unusable};
use super::{Failed, Shared, Usage};
use control::{Counted, Stopped};
use explore::{Frontier, LevelCount, Progress, Successors, Summary, search_levels};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// Maximum number of states expanded at a time, and of words of keys that they should lead to.
const BATCH: usize = 2048;
const PIECE: usize = 1 << 16;

/// The reasons that stop a level. Of several, the first one is reported.
const STOPS: [Stopped; 4] = [
    Stopped::Interrupted,
    Stopped::Time,
    Stopped::Memory,
    Stopped::Count(Counted::States),
];

/// Returns the bit of a reason to stop.
pub(super) fn bit(stop: Stopped) -> u8 {
    STOPS
        .iter()
        .position(|one| *one == stop)
        .map_or(0, |at| 1 << at)
}

/// The states of a worker, and what it has received.
pub(super) struct Store {
    pub part: WorkerStates,
    usage: Arc<Usage>,
    local: usize,
    /// The counts of each worker, as last received.
    counts: Vec<Counts>,
    /// The bits of the reasons that stop this worker.
    stops: u8,
}

impl Store {
    pub fn new(part: WorkerStates, usage: Arc<Usage>, local: usize, workers: usize) -> Store {
        Store {
            part,
            usage,
            local,
            counts: vec![[0; 3]; workers],
            stops: 0,
        }
    }

    /// Inserts keys of this worker, unless they need too much memory. After a stop, keys are dropped,
    /// because nothing of the level is kept.
    fn insert(&mut self, keys: &[u64]) {
        let states = &self.part.states;
        let bytes = states.bytes_with(keys.len() / states.words());
        if self.usage.exceeds(self.local, bytes) {
            self.stops |= bit(Stopped::Memory);
        }
        if self.stops == 0 && !self.part.insert(keys) {
            self.stops |= bit(STATES);
        }
    }

    /// Inserts the keys of another worker.
    pub fn receive(&mut self, batch: Batch) {
        self.counts[batch.from as usize] = batch.counts;
        self.insert(&batch.keys);
    }
}

const STATES: Stopped = Stopped::Count(Counted::States);

/// A worker on its way through the levels.
struct Searching<'w, 's> {
    flow: &'w mut Flow<'s>,
    store: Rc<RefCell<Store>>,
    shared: &'w Shared<'s>,
    local: usize,
    parcels: Parcels,
    successors: Successors,
    /// States expanded at a time.
    batch: usize,
    /// States, expanded states and edges of this worker before the level.
    before: Counts,
}

impl Searching<'_, '_> {
    /// Expands states, and sends the parcels that are full.
    fn expand(&mut self, level: &mut LevelCount, ids: std::ops::Range<usize>) {
        let mut store = self.store.borrow_mut();
        store
            .part
            .expand(self.shared.task.game, ids, &mut self.successors);
        let (states, words) = (self.successors.degrees.len(), self.successors.keys.len());
        self.batch = (PIECE * states / words.max(1)).clamp(1, BATCH);
        level.count(&self.successors, states);
        self.parcels.share_out(&self.successors.keys);
        let now = [
            store.part.states.len() as u64,
            self.before[1] + level.expanded,
            self.before[2] + level.edges,
        ];
        let me = self.flow.me();
        store.counts[me] = now;
        drop(store);
        self.dispatch(self.parcels.full);
    }

    /// Sends parcels with at least `least` words, and inserts the keys for this worker.
    fn dispatch(&mut self, least: usize) {
        let (me, mut store) = (self.flow.me(), self.store.borrow_mut());
        for to in 0..self.flow.peers() {
            let parcel = self.parcels.of(to);
            if to == me {
                store.insert(parcel);
            } else if parcel.len() >= least {
                self.flow.send(Batch {
                    owner: to as u64,
                    from: me as u32,
                    counts: store.counts[me],
                    keys: parcel.to_vec(),
                });
            } else {
                continue;
            }
            self.parcels.clear(to);
        }
    }

    /// Returns whether any worker has stopped. If this one has, the others receive the reason.
    fn is_stopped(&mut self, depth: u32) -> bool {
        let mut store = self.store.borrow_mut();
        let mut all = [0; 3];
        for counts in &store.counts {
            for (sum, n) in all.iter_mut().zip(counts) {
                *sum += n;
            }
        }
        if let Some(stopped) = self.shared.stopped() {
            store.stops |= bit(stopped);
        }
        if all[0] > self.shared.task.max_states {
            store.stops |= bit(STATES);
        }
        if store.stops & !self.flow.stops() != 0 {
            self.flow.tell_stop(store.stops);
        }
        store.stops |= self.flow.stops();
        if let Some(control) = self.shared.reporter(self.local) {
            let now = Progress {
                states: all[0],
                expanded: all[1].min(all[0]),
                edges: all[2],
                depth,
            };
            now.report(control.observer());
        }
        store.stops != 0
    }

    /// Sends the counts and stops of this worker to all workers. Returns the sums of all counts, and the
    /// stops of any worker.
    fn gather(&mut self, level: &LevelCount) -> Result<(LevelCount, u8), Failed> {
        let own: (PackedLevel, u8) = (pack(level), self.store.borrow().stops);
        let (mut all, mut all_stops) = (LevelCount::default(), 0);
        for (level, stops) in self.flow.gather(&own)? {
            all.add(&unpack(&level));
            all_stops |= stops;
        }
        Ok((all, all_stops))
    }

    /// Saves the deepest level, together with all other workers.
    fn save(&mut self, level: &LevelCount) -> Result<(), Failed> {
        let Some(folder) = self.shared.means.state else {
            return Ok(());
        };
        let saved = Saved::new(folder, self.shared, self.flow.me(), self.flow.peers());
        let written = saved.write(&self.store.borrow().part, level);
        let why = written.err().map(|error| error.to_string());
        let all = self.flow.gather(&why)?;
        all.into_iter()
            .flatten()
            .next()
            .map_or(Ok(()), |why| Err(unusable(why)))
    }
}

impl Frontier for Searching<'_, '_> {
    type Error = Failed;

    /// Expands the level together with all other workers. An incomplete level is not counted.
    fn expand_level(
        &mut self,
        known: &Summary,
        states: u64,
        level: &mut LevelCount,
    ) -> Result<Option<Stopped>, Failed> {
        let (depth, mut own) = (known.depth(), LevelCount::default());
        // Keys of the level after this one may have come already.
        let (mut next, end) = {
            let part = &self.store.borrow().part;
            (part.levels[depth as usize], part.levels[depth as usize + 1])
        };
        while !self.is_stopped(depth) && next < end {
            if self.flow.is_full() {
                self.flow.step(LOOK)?;
                continue;
            }
            let ids = next..end.min(next + self.batch);
            next = ids.end;
            self.expand(&mut own, ids);
            self.flow.end_round();
            self.flow.step(Duration::ZERO)?;
        }
        self.dispatch(1);
        self.flow.begin_level(depth as usize + 1);
        while !self.flow.level_is_complete() {
            self.flow.step(LOOK)?;
            self.is_stopped(depth);
        }
        self.is_stopped(depth);
        let found = self.store.borrow().part.states.len();
        own.new = (found - end) as u64;
        let (all, mut stops) = self.gather(&own)?;
        if known.states + states + all.new > self.shared.task.max_states {
            stops |= bit(STATES);
        }
        if let Some(&limit) = STOPS.iter().find(|stop| stops & bit(**stop) != 0) {
            return Ok(Some(limit));
        }
        self.before[1] += own.expanded;
        self.before[2] += own.edges;
        self.store.borrow_mut().part.levels.push(found);
        self.save(&own)?;
        *level = all;
        Ok(None)
    }
}

/// Explores the part of a worker, together with all other workers. Returns the summary of all parts.
pub(super) fn explore<'s>(
    flow: &mut Flow<'s>,
    store: &Rc<RefCell<Store>>,
    shared: &Shared<'s>,
    local: usize,
) -> Result<Summary, Failed> {
    let task = shared.task;
    let (me, workers, root) = (flow.me(), flow.peers(), task.game.root());
    let mut levels: Vec<LevelCount> = Vec::new();
    if let Some(folder) = shared.means.state {
        let saved = Saved::new(folder, shared, me, workers);
        levels = saved.resume(flow, shared, local, store)?;
    }
    let begun = store.borrow().part.levels.len();
    let mut searching = Searching {
        flow,
        store: Rc::clone(store),
        shared,
        local,
        parcels: Parcels::new(root, workers),
        successors: Successors::default(),
        batch: BATCH / 8,
        before: [0; 3],
    };
    if begun == 1 {
        let mut inserting = store.borrow_mut();
        if owner(root, workers) == me {
            inserting.part.insert(root);
        }
        let end = inserting.part.states.len();
        inserting.part.levels.push(end);
        drop(inserting);
        searching.save(&LevelCount::default())?;
    }
    searching.flow.begin_level(levels.len());
    let mut known = Summary::default();
    let mut states = 1;
    for level in levels {
        known.add(&level, states);
        states = level.new;
    }
    search_levels(&mut searching, known, states, task.max_depth)
}

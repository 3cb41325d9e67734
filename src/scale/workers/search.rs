//! Breadth-first search over the states of a worker, in step with all other workers.

use super::exchange::{Next, Post, Work};
use super::message::{Kind, Message};
use super::part::{WorkerStates, mix, owner, owner_of, pack, unpack};
use super::{Failed, Shared, saved};
use control::{Counted, Stopped};
use explore::{Frontier, LevelCount, Progress, Successors, Summary, search_levels};
use std::ops::Range;

/// States expanded at a time.
const BATCH: usize = 2048;
/// Maximum number of words of keys that are sent at a time. A worker keeps at most `UNSENT` words unsent.
const PARCEL: usize = 1 << 13;
const UNSENT: usize = 1 << 19;
/// Number of recently sent keys that a worker stores, to avoid sending them again.
const REMEMBERED: usize = 1 << 14;
/// Words of a parcel that report the sender's progress. One more word has a bit for each of [`STOPS`] that
/// has stopped the sender.
const HEAD: usize = 3;

/// The reasons that stop a level. Of several, the first one is reported.
const STOPS: [Stopped; 4] = [
    Stopped::Interrupted,
    Stopped::Time,
    Stopped::Memory,
    Stopped::Count(Counted::States),
];
/// Indices of the last two reasons in [`STOPS`].
const MEMORY: usize = 2;
const STATES: usize = 3;

/// Keys to be sent to their owners, without those sent recently.
struct Parcels {
    words: usize,
    /// Number of words at which a parcel is sent.
    full: usize,
    /// Words of room for each owner's parcel.
    room: usize,
    keys: Vec<u64>,
    /// Index at which the next key for each owner is stored.
    ends: Vec<usize>,
    /// Recently sent keys. The mix of a key determines its place.
    remembered: Vec<u64>,
}

impl Parcels {
    /// Returns empty parcels. The root counts as sent recently, because its owner has it.
    fn new(root: &[u64], workers: usize) -> Parcels {
        Parcels {
            words: root.len(),
            full: (UNSENT / workers).clamp(1 << 8, PARCEL),
            room: 0,
            keys: Vec::new(),
            ends: vec![0; workers],
            remembered: root
                .iter()
                .copied()
                .cycle()
                .take(REMEMBERED * root.len())
                .collect(),
        }
    }

    /// Returns the parcel for a worker.
    fn of(&self, to: usize) -> &[u64] {
        &self.keys[to * self.room..self.ends[to]]
    }

    fn clear(&mut self, to: usize) {
        self.ends[to] = to * self.room;
    }

    /// Ensures that each owner's parcel has room for `more` more words.
    fn make_room(&mut self, more: usize) {
        let most = (0..self.ends.len()).map(|to| self.of(to).len()).max();
        let room = most.unwrap_or(0) + more + self.words;
        if room <= self.room {
            return;
        }
        // Reserve half more than needed, so that this rarely happens.
        let room = room + room / 2;
        let mut keys = vec![0; room * self.ends.len()];
        for to in 0..self.ends.len() {
            let parcel = self.of(to);
            let end = to * room + parcel.len();
            keys[to * room..end].copy_from_slice(parcel);
            self.ends[to] = end;
        }
        self.keys = keys;
        self.room = room;
    }

    /// Distributes keys among the parcels of their owners.
    fn share_out(&mut self, keys: &[u64]) {
        // Each parcel gets room for all keys of a piece. If there are very many owners, pieces are smaller.
        let piece = (UNSENT / self.ends.len() / self.words).max(64) * self.words;
        for keys in keys.chunks(piece) {
            self.make_room(keys.len());
            match self.words {
                1 => self.share_words::<1>(keys),
                2 => self.share_words::<2>(keys),
                _ => self.share_words::<0>(keys),
            }
        }
    }

    /// Distributes keys among the parcels. `N` is the number of words of a key if it is known at compile
    /// time, otherwise 0. Branches on the owner and on recently sent keys would be unpredictable, so every
    /// key is written, but counts only if it was not sent recently.
    fn share_words<const N: usize>(&mut self, keys: &[u64]) {
        let words = if N > 0 { N } else { self.words };
        let workers = self.ends.len();
        for key in keys.chunks_exact(words) {
            let mixed = mix(key);
            let place = mixed as usize % REMEMBERED * words;
            let seen = &mut self.remembered[place..place + words];
            let new = seen != key;
            seen.copy_from_slice(key);
            let end = &mut self.ends[owner_of(mixed, workers)];
            self.keys[*end..*end + words].copy_from_slice(key);
            *end += if new { words } else { 0 };
        }
    }
}

/// The work of a level.
struct Expanding<'w, 's> {
    shared: &'w Shared<'s>,
    local: usize,
    part: &'w mut WorkerStates,
    depth: u32,
    /// States of the level that are not expanded yet.
    left: Range<usize>,
    level: LevelCount,
    /// For each of [`STOPS`], whether this worker has met it or received it.
    stops: [bool; STOPS.len()],
    successors: Successors,
    parcels: &'w mut Parcels,
    /// States, expanded states and edges of each worker, as last received.
    heard: &'w mut Vec<[u64; HEAD]>,
    before: [u64; HEAD],
}

impl Expanding<'_, '_> {
    /// Returns the progress of this worker.
    fn now(&self) -> [u64; HEAD] {
        [
            self.part.states.len() as u64,
            self.before[1] + self.level.expanded,
            self.before[2] + self.level.edges,
        ]
    }

    /// Sends parcels with at least `least` words, and inserts the keys for this worker.
    fn dispatch(&mut self, post: &mut Post<'_>, least: usize) {
        let head = self.now();
        for to in 0..post.peers() {
            let parcel = self.parcels.of(to);
            if to == post.me() {
                self.stops[STATES] |= !self.part.insert(parcel);
            } else if parcel.len() >= least {
                let mut words = Vec::with_capacity(HEAD + 1 + parcel.len());
                words.extend(head);
                words.push(0);
                words.extend_from_slice(parcel);
                post.send(to, Kind::Keys, words);
            } else {
                continue;
            }
            self.parcels.clear(to);
        }
    }

    /// Reports to all other workers what has stopped this worker, so that they stop in this level too.
    fn tell_stop(&self, post: &mut Post<'_>) {
        let bits = self.stops.iter().rev();
        let bits = bits.fold(0, |bits, &stop| bits << 1 | u64::from(stop));
        let me = post.me();
        for to in (0..post.peers()).filter(|&to| to != me) {
            let mut words = self.now().to_vec();
            words.push(bits);
            post.send(to, Kind::Keys, words);
        }
    }

    /// Records whether the caller or the time limit stops this worker.
    fn note_stop(&mut self) {
        if let Some(stopped) = self.shared.stopped() {
            let met = STOPS.iter().zip(&mut self.stops);
            met.for_each(|(stop, met)| *met |= *stop == stopped);
        }
    }

    fn look_around(&mut self, me: usize) {
        self.heard[me] = self.now();
        let mut all = [0; HEAD];
        for heard in self.heard.iter() {
            for (sum, n) in all.iter_mut().zip(heard) {
                *sum += n;
            }
        }
        self.note_stop();
        let bytes = self.part.states.bytes_with(PARCEL);
        self.stops[MEMORY] |= self.shared.too_much(self.local, bytes);
        self.stops[STATES] |= all[0] > self.shared.task.max_states;
        if let Some(control) = self.shared.reporter(self.local) {
            let now = Progress {
                states: all[0],
                expanded: all[1].min(all[0]),
                edges: all[2],
                depth: self.depth,
            };
            now.report(control.observer());
        }
    }
}

impl Work for Expanding<'_, '_> {
    fn produce(&mut self, post: &mut Post<'_>) -> Result<Next, Failed> {
        let batch = self.left.start..self.left.end.min(self.left.start + BATCH);
        if self.stops.contains(&true) {
            // Nothing of this level is kept.
            self.tell_stop(post);
            return Ok(Next::Finished);
        }
        if batch.is_empty() {
            self.dispatch(post, 1);
            return Ok(Next::Finished);
        }
        self.left.start = batch.end;
        self.part
            .expand(self.shared.task.game, batch, &mut self.successors);
        let states = self.successors.degrees.len();
        self.level.count(&self.successors, states);
        self.parcels.share_out(&self.successors.keys);
        self.dispatch(post, self.parcels.full);
        self.look_around(post.me());
        Ok(Next::More)
    }

    fn handle(&mut self, post: &mut Post<'_>, message: Message) -> Result<(), Failed> {
        let Some((head, [stops, keys @ ..])) = message.words.split_first_chunk::<HEAD>() else {
            return Ok(());
        };
        self.heard[message.from as usize] = *head;
        for (n, stop) in self.stops.iter_mut().enumerate() {
            *stop |= stops >> n & 1 == 1;
        }
        // The remaining keys of a level that is given up are dropped.
        if !self.stops.contains(&true) {
            self.stops[STATES] |= !self.part.insert(keys);
            self.look_around(post.me());
        }
        Ok(())
    }
}

/// The states of this worker, and its progress.
struct OwnPart<'w, 's, 'p, 'a> {
    post: &'p mut Post<'a>,
    shared: &'w Shared<'s>,
    local: usize,
    part: WorkerStates,
    parcels: Parcels,
    /// States, expanded states and edges of each worker, as last received.
    heard: Vec<[u64; HEAD]>,
    /// States, expanded states and edges of this worker before the level.
    own: [u64; HEAD],
}

impl OwnPart<'_, '_, '_, '_> {
    fn save(&self, level: &LevelCount) -> Result<(), Failed> {
        let (me, workers) = (self.post.me(), self.post.peers());
        match self.shared.means.state {
            None => Ok(()),
            Some(folder) => {
                let saved = saved::Saved::new(folder, self.shared, me, workers);
                saved.write(&self.part, level)
            }
        }
    }

    /// Sends the counts and stops of this worker to all workers. Returns the sums of all counts, and the
    /// stops of any worker.
    fn gather(
        &mut self,
        level: &LevelCount,
        stops: [bool; STOPS.len()],
    ) -> Result<(LevelCount, [bool; STOPS.len()]), Failed> {
        let mut all = LevelCount::default();
        let mut all_stops = [false; STOPS.len()];
        for (level, stops) in self.post.gather(&(pack(level), stops))? {
            all.add(&unpack(&level));
            for (all, stop) in all_stops.iter_mut().zip(stops) {
                *all |= stop;
            }
        }
        Ok((all, all_stops))
    }
}

impl Frontier for OwnPart<'_, '_, '_, '_> {
    type Error = Failed;

    /// Expands the level together with all other workers. An incomplete level is not counted.
    fn expand_level(
        &mut self,
        known: &Summary,
        states: u64,
        level: &mut LevelCount,
    ) -> Result<Option<Stopped>, Failed> {
        let levels = &self.part.levels;
        let (start, end) = (levels[levels.len() - 2], self.part.states.len());
        let mut expanding = Expanding {
            shared: self.shared,
            local: self.local,
            depth: known.depth(),
            left: start..end,
            level: LevelCount::default(),
            stops: [false; STOPS.len()],
            successors: Successors::default(),
            parcels: &mut self.parcels,
            heard: &mut self.heard,
            before: self.own,
            part: &mut self.part,
        };
        self.post.phase(&mut expanding)?;
        expanding.note_stop();
        let (mut own, stops) = (expanding.level, expanding.stops);
        own.new = (self.part.states.len() - end) as u64;
        let (all, mut stops) = self.gather(&own, stops)?;
        stops[STATES] |= known.states + states + all.new > self.shared.task.max_states;
        if let Some((&limit, _)) = STOPS.iter().zip(stops).find(|(_, met)| *met) {
            return Ok(Some(limit));
        }
        self.own[1] += own.expanded;
        self.own[2] += own.edges;
        self.part.levels.push(self.part.states.len());
        self.save(&own)?;
        *level = all;
        Ok(None)
    }
}

/// Explores this worker's part, together with all other workers. Returns the part, and the summary of all
/// parts.
pub(super) fn explore(
    post: &mut Post<'_>,
    shared: &Shared<'_>,
    local: usize,
) -> Result<(WorkerStates, Summary), Failed> {
    let task = shared.task;
    let (me, workers) = (post.me(), post.peers());
    let mut part = WorkerStates::new(task.game.bits());
    let mut levels: Vec<LevelCount> = Vec::new();
    if let Some(folder) = shared.means.state {
        let mut store = saved::Saved::new(folder, shared, me, workers);
        levels = store.resume(post, shared, local, &mut part)?;
    }
    let mut own_part = OwnPart {
        post,
        shared,
        local,
        part,
        parcels: Parcels::new(task.game.root(), workers),
        heard: vec![[0; HEAD]; workers],
        own: [0; HEAD],
    };
    if own_part.part.levels.len() == 1 {
        if owner(task.game.root(), workers) == me {
            own_part.part.insert(task.game.root());
        }
        own_part.part.levels.push(own_part.part.states.len());
        own_part.save(&LevelCount::default())?;
    }
    let mut known = Summary::default();
    let mut states = 1;
    for level in levels {
        known.add(&level, states);
        states = level.new;
    }
    let summary = search_levels(&mut own_part, known, states, task.max_depth)?;
    let part = own_part.part;
    shared.too_much(local, part.states.bytes());
    Ok((part, summary))
}

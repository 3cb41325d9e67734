//! Breadth-first search over a part of the states.

use super::exchange::{Next, Post, Work};
use super::message::{Kind, Message, WordReader};
use super::part::{Level, WorkerStates, mix, owner, owner_of};
use super::{Failed, Shared, saved};
use crate::Summary;
use control::{Counted, Stopped};
use explore::{Progress, Successors};
use std::ops::Range;

/// States expanded at a time.
const BATCH: usize = 2048;
/// The maximum number of words of keys that are sent at a time, and that a worker keeps unsent.
const PARCEL: usize = 1 << 13;
const UNSENT: usize = 1 << 19;
/// Keys that a worker remembers to have shared out.
const REMEMBERED: usize = 1 << 14;
/// Words of a parcel that report the sender's progress, and one more for what stops it, a bit for each of
/// [`STOPS`].
const HEAD: usize = 3;

/// What stops a level, worst first.
const STOPS: [Stopped; 4] = [
    Stopped::Interrupted,
    Stopped::Time,
    Stopped::Memory,
    Stopped::Count(Counted::States),
];
/// The places of the last two in [`STOPS`].
const MEMORY: usize = 2;
const STATES: usize = 3;

/// Keys on their way to their owners, without those that took it a short while ago.
struct Parcels {
    words: usize,
    /// Words of a parcel that is sent.
    full: usize,
    /// Words of room for each owner.
    room: usize,
    keys: Vec<u64>,
    /// Where the next key for each owner goes.
    ends: Vec<usize>,
    /// Keys that were shared out, each where its mix says.
    remembered: Vec<u64>,
}

impl Parcels {
    /// None on their way. The root is remembered from the start: its owner has it.
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

    /// Returns what is stored there for a worker.
    fn of(&self, to: usize) -> &[u64] {
        &self.keys[to * self.room..self.ends[to]]
    }

    fn clear(&mut self, to: usize) {
        self.ends[to] = to * self.room;
    }

    /// Ensures that each owner's parcel has room for `words` more words.
    fn make_room(&mut self, more: usize) {
        let most = (0..self.ends.len()).map(|to| self.of(to).len()).max();
        let room = most.unwrap_or(0) + more + self.words;
        if room <= self.room {
            return;
        }
        // Half more than needed, so that this happens seldom.
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

    /// Shares keys out.
    fn share_out(&mut self, keys: &[u64]) {
        // For each owner as if all keys belonged to it, unless there are very many owners.
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

    /// `N` is the number of words where it is known, else 0. Which owner and whether a key is
    /// remembered cannot be foretold: every key is written, and only counts if it is new.
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
    /// States of the level that are not yet expanded.
    left: Range<usize>,
    level: Level,
    /// Which of [`STOPS`] this worker has met.
    stops: [bool; STOPS.len()],
    successors: Successors,
    parcels: &'w mut Parcels,
    /// States, expanded ones and edges of each worker, as last heard.
    heard: &'w mut Vec<[u64; HEAD]>,
    before: [u64; HEAD],
}

impl Expanding<'_, '_> {
    /// Returns how far this worker is.
    fn now(&self) -> [u64; HEAD] {
        [
            self.part.states.len() as u64,
            self.before[1] + self.level.expanded,
            self.before[2] + self.level.edges,
        ]
    }

    /// Sends parcels with at least `words` words, and inserts what is for this worker.
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

    /// Reports to all others what has stopped this worker, so that they stop in this level too.
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

    /// Notes whether the caller or the time stops this worker.
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
            // Of this level nothing is kept.
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
        self.level.count(&self.successors);
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
        // The rest of a level that is given up is dropped.
        if !self.stops.contains(&true) {
            self.stops[STATES] |= !self.part.insert(keys);
            self.look_around(post.me());
        }
        Ok(())
    }
}

/// Explores the part of this worker, together with all others; what all have found together.
pub(super) fn explore(
    post: &mut Post<'_>,
    shared: &Shared<'_>,
    local: usize,
) -> Result<(WorkerStates, Summary), Failed> {
    let task = shared.task;
    let (me, workers) = (post.me(), post.peers());
    let mut part = WorkerStates::new(task.game.bits());
    let mut rows: Vec<Level> = Vec::new();
    if let Some(folder) = shared.means.state {
        let mut store = saved::Saved::new(folder, shared, me, workers);
        rows = store.resume(post, shared, local, &mut part)?;
    }
    if part.levels.len() == 1 {
        if owner(task.game.root(), workers) == me {
            part.insert(task.game.root());
        }
        part.levels.push(part.states.len());
        save(shared, me, workers, &part, &Level::default())?;
    }
    let mut summary = Summary::default();
    // States of the level under way, of all workers.
    let mut frontier = 1;
    summary.states = 1;
    let mut depth = 0;
    for level in rows {
        count(&mut summary, &level, depth, frontier);
        summary.states += level.new;
        frontier = level.new;
        depth += 1;
    }
    let mut parcels = Parcels::new(task.game.root(), workers);
    let (mut own, mut heard) = ([0; HEAD], vec![[0; HEAD]; workers]);
    while frontier > 0 {
        if depth >= task.max_depth {
            summary.limit = Some(Stopped::Count(Counted::Depth));
            summary.depths.push(Level::default().row(depth, frontier));
            break;
        }
        let mut expanding = Expanding {
            shared,
            local,
            depth,
            left: part.levels[part.levels.len() - 2]..part.states.len(),
            level: Level::default(),
            stops: [false; STOPS.len()],
            successors: Successors::default(),
            parcels: &mut parcels,
            heard: &mut heard,
            before: own,
            part: &mut part,
        };
        post.phase(&mut expanding)?;
        expanding.note_stop();
        let (mut level, stops) = (expanding.level, expanding.stops);
        let known = part.levels[part.levels.len() - 1];
        level.new = (part.states.len() - known) as u64;
        let mut words: Vec<u64> = stops.iter().map(|&stop| stop.into()).collect();
        level.pack(&mut words);
        let mut all = Level::default();
        let mut stops = [false; STOPS.len()];
        for share in post.gather(words)? {
            let mut share = WordReader(&share);
            for stop in &mut stops {
                *stop |= share.word() == 1;
            }
            all.add(&Level::unpack(&mut share));
        }
        stops[STATES] |= summary.states + all.new > task.max_states;
        let met = STOPS.iter().zip(stops).find(|(_, met)| *met);
        if let Some((&limit, _)) = met {
            // Nothing is reported of an incomplete level.
            summary.limit = Some(limit);
            summary.depths.push(Level::default().row(depth, frontier));
            break;
        }
        own[1] += level.expanded;
        own[2] += level.edges;
        part.levels.push(part.states.len());
        save(shared, me, workers, &part, &level)?;
        count(&mut summary, &all, depth, frontier);
        summary.states += all.new;
        frontier = all.new;
        depth += 1;
    }
    shared.too_much(local, part.states.bytes());
    Ok((part, summary))
}

/// Adds a level that was expanded whole.
fn count(summary: &mut Summary, level: &Level, depth: u32, states: u64) {
    summary.depths.push(level.row(depth, states));
    summary.expanded += level.expanded;
    summary.edges += level.edges;
    for (outcome, n) in &level.terminals {
        *summary.terminals.entry(*outcome).or_default() += n;
    }
}

fn save(
    shared: &Shared<'_>,
    me: usize,
    workers: usize,
    part: &WorkerStates,
    level: &Level,
) -> Result<(), Failed> {
    match shared.means.state {
        None => Ok(()),
        Some(folder) => saved::Saved::new(folder, shared, me, workers).write(part, level),
    }
}

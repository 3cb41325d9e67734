//! The backward pass over the parts of all workers.
//!
//! First, every state collects its predecessors: the owner of a state expands it once more, and sends the key
//! of each successor and the state's own number to the owner of that key. Then, distance by distance, the
//! states that are lost or won in that number of plies are reported to their predecessors. A predecessor with
//! a turn to a loss of the opponent is a win; one whose turns all lead to wins of the opponent is a loss.
//! Wins and losses come first, then weak ones among the rest. The remaining states are drawn. This is
//! retrograde analysis with counters (T. Ströhlein 1970, K. Thompson 1986) as in [`values`], with one phase
//! for each distance. Every edge is reported at most once.

use super::certify::WorkerValues;
use super::checkpoint::{Checkpoint, Distance};
use super::exchange::{Next, Post, Work};
use super::message::{Kind, Message, pack_pairs, unpack_pairs};
use super::part::{UNKNOWN, WorkerStates, owner};
use super::predecessors::{Buckets, Incoming};
use super::{Failed, Shared};
use crate::summary::{Counts, add, count};
use control::{Progress, Shortage};
use diagnostics::Diagnostic;
use explore::{StateId, Successors, Summary};
use std::time::{Duration, Instant};
use values::{MAX_DISTANCE_PLIES, PASSES, Packed, Unsolved, Value};

/// States that are processed at a time.
const BATCH: usize = 2048;
/// Numbers or keys that are sent at a time.
const PARCEL: usize = 1 << 12;

/// The values of a worker's states.
pub(super) struct Valued {
    /// Packed values, by state number.
    pub packed: Vec<u16>,
    /// For won states, the number of turns that keep the win: 0, 1, or 2 for more.
    pub keeping: Vec<u8>,
}

/// The phase in which every state collects its predecessors, and finished games get their values.
struct Linking<'w, 's> {
    shared: &'w Shared<'s>,
    local: usize,
    part: &'w mut WorkerStates,
    buckets: Buckets,
    packed: Vec<u16>,
    /// Number of turns of each state.
    left: Vec<u32>,
    successors: Successors,
    /// For each worker, the keys to be sent, and the numbers of the states before them.
    parcels: Vec<(Vec<u64>, Vec<StateId>)>,
    stopped: bool,
    /// Whether a turn led to a key that is not a state.
    astray: bool,
}

impl Linking<'_, '_> {
    fn link(&mut self, keys: &[u64], owner: usize, origins: impl Iterator<Item = StateId>) {
        self.part.find_all(keys);
        for (&to, origin) in self.part.ids.iter().zip(origins) {
            if to == UNKNOWN {
                self.astray = true;
            } else {
                self.buckets.push(to, owner, origin);
            }
        }
    }

    fn dispatch(&mut self, post: &mut Post<'_>, least: usize) {
        for to in 0..self.parcels.len() {
            if self.parcels[to].1.len() <= least {
                continue;
            }
            let (keys, origins) = std::mem::take(&mut self.parcels[to]);
            if to == post.me() {
                self.link(&keys, to, origins.into_iter());
            } else {
                let mut words = Vec::with_capacity(keys.len() + origins.len() / 2 + 2);
                pack_pairs(&origins, &mut words);
                words.extend_from_slice(&keys);
                post.send(to, Kind::Edges, words);
            }
        }
    }
}

impl Work for Linking<'_, '_> {
    fn produce(&mut self, post: &mut Post<'_>) -> Result<Next, Failed> {
        let first = self.left.len();
        let last = self.part.states.len().min(first + BATCH);
        self.stopped |= self.shared.stopped().is_some();
        if first == last || self.stopped {
            self.dispatch(post, 0);
            return Ok(Next::Finished);
        }
        let game = self.shared.task.game;
        self.part.expand(game, first..last, &mut self.successors);
        let (words, workers) = (self.part.states.words(), post.peers());
        let mut keys = self.successors.keys.chunks_exact(words);
        for (origin, &degree) in (first as StateId..).zip(&self.successors.degrees) {
            for key in keys.by_ref().take(degree as usize) {
                let (to, from) = &mut self.parcels[owner(key, workers)];
                to.extend_from_slice(key);
                from.push(origin);
            }
        }
        self.left.extend_from_slice(&self.successors.degrees);
        self.packed.resize(last, Packed::OPEN.0);
        for &(i, outcome) in &self.successors.ends {
            let side = game.side(self.part.states.key((first + i) as StateId));
            self.packed[first + i] = Packed::of(Value::of_outcome(outcome, side)).0;
        }
        self.dispatch(post, PARCEL);
        let bytes = self.part.states.bytes() + self.buckets.bytes();
        self.shared.too_much(self.local, bytes);
        Ok(Next::More)
    }

    fn handle(&mut self, _: &mut Post<'_>, message: Message) -> Result<(), Failed> {
        let (origins, keys) = unpack_pairs(&message.words);
        self.link(keys, message.from as usize, origins);
        Ok(())
    }
}

/// The phase that reports the states won or lost in this number of plies to their predecessors.
struct Telling<'w, 's> {
    shared: &'w Shared<'s>,
    incoming: &'w Incoming,
    packed: &'w mut [u16],
    left: &'w mut [u32],
    keeping: &'w mut [u8],
    lost: u16,
    won: u16,
    plies: u16,
    now: &'w [StateId],
    next: Vec<StateId>,
    /// For each worker, the states to be reported that have a turn to a loss, and those that have a turn to a
    /// win.
    parcels: [Vec<Vec<StateId>>; 2],
    too_far: bool,
    stopped: bool,
}

const KINDS: [Kind; 2] = [Kind::Winners, Kind::Yielders];

impl Telling<'_, '_> {
    fn tell(&mut self, before: StateId, kind: usize) -> Result<(), Failed> {
        let at = before as usize;
        if at >= self.packed.len() {
            let why = "saved values: a turn comes from a state that there is not";
            return Err(Failed::Input(
                Diagnostic::new("--state", why).help("name another folder"),
            ));
        }
        let value = Packed(self.packed[at]);
        let wins = kind == 0;
        if wins && (value == Packed::OPEN || value.class() == self.won) {
            self.keeping[at] = self.keeping[at].saturating_add(1).min(2);
        }
        if value != Packed::OPEN {
            return Ok(());
        }
        let class = if wins {
            self.won
        } else {
            self.left[at] = self.left[at].saturating_sub(1);
            if self.left[at] > 0 {
                return Ok(());
            }
            self.lost
        };
        if self.plies == MAX_DISTANCE_PLIES {
            self.too_far = true;
            return Ok(());
        }
        self.packed[at] = Packed::new(class, self.plies + 1).0;
        self.next.push(before);
        Ok(())
    }

    fn dispatch(&mut self, post: &mut Post<'_>, least: usize) {
        for (kind, name) in KINDS.into_iter().enumerate() {
            for to in 0..post.peers() {
                if self.parcels[kind][to].len() > least {
                    let parcel = std::mem::take(&mut self.parcels[kind][to]);
                    let mut words = Vec::with_capacity(parcel.len() / 2 + 2);
                    pack_pairs(&parcel, &mut words);
                    post.send(to, name, words);
                }
            }
        }
    }
}

impl Work for Telling<'_, '_> {
    fn produce(&mut self, post: &mut Post<'_>) -> Result<Next, Failed> {
        let (batch, rest) = self.now.split_at(BATCH.min(self.now.len()));
        self.now = rest;
        self.stopped |= self.shared.stopped().is_some();
        if batch.is_empty() || self.stopped {
            self.dispatch(post, 0);
            return Ok(Next::Finished);
        }
        let incoming = self.incoming;
        for &state in batch {
            let at = state as usize;
            let kind = usize::from(Packed(self.packed[at]).class() != self.lost);
            for edge in incoming.starts[at] as usize..incoming.starts[at + 1] as usize {
                let origin = incoming.origins[edge];
                match incoming.owners.get(edge) {
                    Some(&owner) if usize::from(owner) != post.me() => {
                        self.parcels[kind][usize::from(owner)].push(origin);
                    }
                    _ => self.tell(origin, kind)?,
                }
            }
        }
        self.dispatch(post, PARCEL);
        Ok(Next::More)
    }

    fn handle(&mut self, _: &mut Post<'_>, message: Message) -> Result<(), Failed> {
        let kind = usize::from(message.kind != Kind::Winners);
        for before in unpack_pairs(&message.words).0 {
            self.tell(before, kind)?;
        }
        Ok(())
    }
}

/// Returns the maximum number of bytes needed in addition to the states, for these numbers of states and
/// edges.
fn bytes_needed(states: u64, edges: u64) -> u64 {
    // Edges in buckets, and sorted; starts, counters, values, numbers of turns that keep a win, states of two
    // distances.
    edges * (8 + 6) + states * (8 + 4 + 2 + 1 + 8)
}

/// Collects the predecessors of every state. Returns them with the values of finished games and the number of
/// turns of each state.
#[allow(clippy::type_complexity)]
fn link(
    post: &mut Post<'_>,
    shared: &Shared<'_>,
    local: usize,
    part: &mut WorkerStates,
) -> Result<Result<(Incoming, Vec<u16>, Vec<u32>), Unsolved>, Failed> {
    let states = part.states.len();
    let mut linking = Linking {
        shared,
        local,
        buckets: Buckets::new(states, post.peers()),
        packed: Vec::with_capacity(states),
        left: Vec::with_capacity(states),
        successors: Successors::default(),
        parcels: vec![Default::default(); post.peers()],
        stopped: false,
        astray: false,
        part,
    };
    post.phase(&mut linking)?;
    let ended = [linking.stopped.into(), linking.astray.into()];
    let sums = post.sum(&ended)?;
    if sums[0] > 0 {
        return Ok(Err(shared.why_stopped(post)?.into()));
    }
    if sums[1] > 0 {
        return Ok(Err(Unsolved::Incomplete));
    }
    let incoming = linking.buckets.sorted();
    Ok(Ok((incoming, linking.packed, linking.left)))
}

/// Finds the values of this worker's states, together with all other workers.
pub(super) fn solve(
    post: &mut Post<'_>,
    shared: &Shared<'_>,
    local: usize,
    part: &mut WorkerStates,
    summary: &Summary,
) -> Result<Result<Valued, Unsolved>, Failed> {
    if let Some(shortage) = shortage(post, shared, summary)? {
        return Ok(Err(Unsolved::Memory(shortage)));
    }
    let states = part.states.len();
    let checkpoint = Checkpoint::new(post, shared, part)?;
    let begun = match begin(post, shared, local, part, checkpoint.as_ref())? {
        Ok(begun) => begun,
        Err(stopped) => return Ok(Err(stopped)),
    };
    let (incoming, mut at, mut resumes) = (begun.incoming, begun.at, begun.resumes);
    let mut saved: Option<(Instant, Duration)> = None;
    while let Some(&(lost, won)) = PASSES.get(at.pass as usize) {
        if !std::mem::take(&mut resumes) {
            let ended = |&state: &StateId| {
                let class = Packed(at.packed[state as usize]).class();
                at.left[state as usize] == 0 && (class == lost || class == won)
            };
            at.now = (0..states as StateId).filter(ended).collect();
            at.plies = 0;
        }
        loop {
            let stopped = u64::from(shared.stopped().is_some());
            // The first worker decides when to save, so that saving takes a small part of the time.
            let due = saved.is_none_or(|(when, took)| when.elapsed() > 20 * took);
            let save = checkpoint.is_some() && post.me() == 0 && due;
            let sums = post.sum(&[at.now.len() as u64, stopped, save.into()])?;
            if let Some(checkpoint) = &checkpoint
                && (sums[1] > 0 || sums[2] > 0)
            {
                let since = Instant::now();
                at.step += 1;
                checkpoint.save(&at)?;
                saved = Some((Instant::now(), since.elapsed()));
            }
            if sums[1] > 0 {
                return Ok(Err(shared.why_stopped(post)?.into()));
            }
            if sums[0] == 0 {
                break;
            }
            if let Some(control) = shared.reporter(local) {
                control.report(&Progress {
                    phase: "solving",
                    done: at.solved + sums[0],
                    total: Some(summary.states),
                    unit: "states",
                    detail: format_args!("within {} plies", at.plies),
                });
            }
            if let Err(stopped) = value_predecessors(post, shared, &incoming, &mut at, (lost, won))?
            {
                return Ok(Err(stopped));
            }
            at.solved += sums[0];
        }
        at.pass += 1;
    }
    let Distance {
        mut packed,
        keeping,
        ..
    } = at;
    for value in &mut packed {
        if Packed(*value) == Packed::OPEN {
            *value = Packed::DRAWN.0;
        }
    }
    Ok(Ok(Valued { packed, keeping }))
}

/// Returns the shortage of memory of a process that cannot solve the graph, if there is one.
fn shortage(
    post: &mut Post<'_>,
    shared: &Shared<'_>,
    summary: &Summary,
) -> Result<Option<Shortage>, Failed> {
    let workers = post.peers() as u64;
    let threads = shared.bytes.len() as u64;
    let needed_bytes = shared.process_bytes()
        + threads * bytes_needed(summary.states / workers, summary.edges / workers);
    let allowed_bytes = shared.means.control.memory_bytes();
    for (needed_bytes, allowed_bytes) in post.gather(&(needed_bytes, allowed_bytes))? {
        if needed_bytes > allowed_bytes {
            return Ok(Some(Shortage {
                needed_bytes,
                allowed_bytes,
            }));
        }
    }
    Ok(None)
}

/// The state in which the backward pass begins.
struct Begun {
    incoming: Incoming,
    at: Distance,
    /// Whether `at` was saved by an earlier run.
    resumes: bool,
}

/// Returns the predecessors of this worker's states, saved or generated, and the latest distance that was
/// saved, or the one before the first.
fn begin(
    post: &mut Post<'_>,
    shared: &Shared<'_>,
    local: usize,
    part: &mut WorkerStates,
    checkpoint: Option<&Checkpoint<'_>>,
) -> Result<Result<Begun, Unsolved>, Failed> {
    let states = part.states.len();
    let mut from = None;
    let mut linked = None;
    if let Some(checkpoint) = checkpoint {
        linked = checkpoint.links(post, states)?;
        // Values are of no use without the links from which they were found. Links are saved first.
        if linked.is_some() {
            from = checkpoint.latest(post, states)?;
        }
    }
    let (incoming, packed, left) = match linked {
        Some(linked) => linked,
        None => match link(post, shared, local, part)? {
            Ok(linked) => {
                if let Some(checkpoint) = checkpoint {
                    let (incoming, packed, left) = &linked;
                    checkpoint.save_links(incoming, packed, left)?;
                }
                linked
            }
            Err(stopped) => return Ok(Err(stopped)),
        },
    };
    if let (Some(from), Some(control), 0) = (&from, shared.reporter(local), post.me()) {
        control.note(&format!(
            "going on with values from {} plies on",
            from.plies
        ));
    }
    Ok(Ok(Begun {
        incoming,
        resumes: from.is_some(),
        at: from.unwrap_or_else(|| Distance {
            step: 0,
            pass: 0,
            plies: 0,
            solved: 0,
            packed,
            left,
            keeping: vec![0; states],
            now: Vec::new(),
        }),
    }))
}

/// Finds the values of the predecessors of the states at a distance. These predecessors become the states at
/// the next distance.
fn value_predecessors(
    post: &mut Post<'_>,
    shared: &Shared<'_>,
    incoming: &Incoming,
    at: &mut Distance,
    (lost, won): (u16, u16),
) -> Result<Result<(), Unsolved>, Failed> {
    let none = || vec![Vec::new(); post.peers()];
    let mut telling = Telling {
        shared,
        incoming,
        packed: &mut at.packed,
        left: &mut at.left,
        keeping: &mut at.keeping,
        lost,
        won,
        plies: at.plies as u16,
        now: &at.now,
        next: Vec::new(),
        parcels: [none(), none()],
        too_far: false,
        stopped: false,
    };
    post.phase(&mut telling)?;
    let (next, ended) = (telling.next, [telling.too_far, telling.stopped]);
    let ended = post.sum(&ended.map(u64::from))?;
    if ended[0] > 0 {
        return Ok(Err(Unsolved::Distance));
    }
    if ended[1] > 0 {
        // The reports of this distance are incomplete and not saved.
        return Ok(Err(shared.why_stopped(post)?.into()));
    }
    at.now = next;
    at.plies += 1;
    Ok(Ok(()))
}

/// Returns the value of the root, and the counts of the values of all workers.
pub(super) fn census(
    post: &mut Post<'_>,
    known: &WorkerValues<'_>,
    keeping: &[u8],
    root: &[u64],
) -> Result<(Value, Counts), Failed> {
    let part = &*known.part;
    let mut own = Counts::default();
    for ((id, &packed), &keeping) in (0..).zip(known.values).zip(keeping) {
        let (key, value) = (part.states.key(id), Packed(packed).final_value());
        count(&mut own, key, part.depth(id), value, keeping.into());
    }
    let packed_root = part.states.find(root).map(|id| known.values[id as usize]);
    let mut root_value = Value::Draw;
    let mut all = Counts::default();
    for (counts, packed_root) in post.gather(&(own, packed_root))? {
        root_value = packed_root.map_or(root_value, |packed| Packed(packed).final_value());
        add(&mut all, counts);
    }
    Ok((root_value, all))
}

//! Certification: re-checks the values of all states. The rules generate every turn of every state again, one
//! by one, and the owners of the successors send their values. Neither the solver nor the edges that it used
//! take part. [`values::certify()`] explains why this proves every value.

use super::exchange::{Next, Post, Work};
use super::message::{Kind, Message};
use super::part::{UNKNOWN, WorkerStates, owner};
use super::{Failed, Shared};
use std::collections::BTreeMap;
use values::{Certificate, Packed, RightValue, Unsolved, Value};

/// States checked at a time.
const BATCH: usize = 256;
/// Batches whose values are awaited at a time.
const AWAITED: usize = 8;

/// The states of a worker and their values.
pub(super) struct WorkerValues<'k> {
    pub part: &'k mut WorkerStates,
    /// Packed values, by state number.
    pub values: &'k [u16],
}

impl WorkerValues<'_> {
    /// Returns the values of keys, or [`Packed::OPEN`] for a key that is not a state.
    fn look_up(&mut self, keys: &[u64]) -> impl Iterator<Item = u16> + '_ {
        self.part.find_all(keys);
        self.part.ids.iter().map(|&id| match id {
            UNKNOWN => Packed::OPEN.0,
            id => self.values[id as usize],
        })
    }

    /// Answers a request for values.
    pub fn answer(&mut self, post: &mut Post<'_>, question: &Message) {
        let Some((&number, keys)) = question.words.split_first() else {
            return;
        };
        let values: Vec<u16> = self.look_up(keys).collect();
        let mut words = vec![number];
        words.extend(values.chunks(4).map(|four| {
            four.iter()
                .rev()
                .fold(0, |word, &value| word << 16 | u64::from(value))
        }));
        post.send(question.from as usize, Kind::Values, words);
    }

    /// Requests the values of keys from their owners. `number` identifies the request.
    pub fn ask(&mut self, post: &mut Post<'_>, number: u64, keys: &[u64]) -> RequestedValues {
        let (words, workers) = (self.part.states.words(), post.peers());
        let mut parcels = vec![vec![number]; workers];
        let mut asked = RequestedValues {
            values: vec![Packed::OPEN.0; keys.len() / words],
            places: vec![Vec::new(); workers],
            awaited: 0,
        };
        for (place, key) in (0..).zip(keys.chunks_exact(words)) {
            let owner = owner(key, workers);
            parcels[owner].extend_from_slice(key);
            asked.places[owner].push(place);
        }
        for (owner, parcel) in parcels.into_iter().enumerate() {
            if parcel.len() == 1 {
                continue;
            }
            if owner == post.me() {
                for (&place, value) in asked.places[owner].iter().zip(self.look_up(&parcel[1..])) {
                    asked.values[place as usize] = value;
                }
            } else {
                asked.awaited += 1;
                post.send(owner, Kind::Ask, parcel);
            }
        }
        asked
    }
}

/// Values that were requested.
pub(super) struct RequestedValues {
    /// The values in the order of the keys; [`Packed::OPEN`] for a key that is not a state.
    pub values: Vec<u16>,
    /// For each worker, the places of the values requested from it.
    places: Vec<Vec<u32>>,
    /// Number of workers that have not answered yet.
    pub awaited: usize,
}

impl RequestedValues {
    /// Stores a worker's values, which come without the number of the request.
    pub fn hear(&mut self, from: usize, words: &[u64]) {
        let values = words
            .iter()
            .flat_map(|&word| (0..4).map(move |i| (word >> (16 * i)) as u16));
        for (&place, value) in self.places[from].iter().zip(values) {
            self.values[place as usize] = value;
        }
        self.awaited -= 1;
    }
}

/// States whose successors' values were requested.
struct Batch {
    first: u32,
    /// For each state, the number of its successors, and what is known of its value without them.
    states: Vec<(usize, RightValue)>,
    asked: RequestedValues,
}

struct Checking<'w, 's, 'k> {
    shared: &'w Shared<'s>,
    local: usize,
    known: &'w mut WorkerValues<'k>,
    /// Number of states of all workers.
    all: u64,
    next: usize,
    number: u64,
    batches: BTreeMap<u64, Batch>,
    found: Certificate,
    stopped: bool,
}

impl Checking<'_, '_, '_> {
    fn begin(&mut self, post: &mut Post<'_>) {
        let game = self.shared.task.game;
        let last = self.known.values.len().min(self.next + BATCH);
        let (mut keys, mut states) = (Vec::new(), Vec::new());
        let words = game.words();
        for id in self.next..last {
            let key = self.known.part.states.key(id as u32);
            let before = keys.len();
            let end = game.replay(key, &mut keys);
            let end = end.map(|end| end.map(|outcome| Value::of_outcome(outcome, game.side(key))));
            states.push(((keys.len() - before) / words, RightValue::new(end)));
        }
        let asked = self.known.ask(post, self.number, &keys);
        let batch = Batch {
            first: self.next as u32,
            states,
            asked,
        };
        self.next = last;
        if batch.asked.awaited == 0 {
            self.end(batch);
        } else {
            self.batches.insert(self.number, batch);
        }
        self.number += 1;
    }

    fn end(&mut self, batch: Batch) {
        let mut values = batch.asked.values.into_iter();
        for (id, (degree, mut right)) in (batch.first..).zip(batch.states) {
            for after in values.by_ref().take(degree) {
                right.add_turn(Packed(after).value());
            }
            let fault = right.fault(Packed(self.known.values[id as usize]).value());
            let fen = || self.shared.task.game.fen(self.known.part.states.key(id));
            self.found.count(degree as u64, fault, fen);
        }
    }
}

impl Work for Checking<'_, '_, '_> {
    fn produce(&mut self, post: &mut Post<'_>) -> Result<Next, Failed> {
        self.stopped |= self.shared.stopped().is_some();
        let left = self.next < self.known.values.len() && !self.stopped;
        if left && self.batches.len() < AWAITED {
            self.begin(post);
            if let Some(control) = self.shared.reporter(self.local) {
                let share = self.next as f64 / self.known.values.len() as f64;
                let done = (self.all as f64 * share) as u64;
                control.report_done("certifying", done, self.all, "states");
            }
            return Ok(Next::More);
        }
        if left || !self.batches.is_empty() {
            return Ok(Next::Wait);
        }
        Ok(Next::Finished)
    }

    fn handle(&mut self, post: &mut Post<'_>, message: Message) -> Result<(), Failed> {
        if message.kind == Kind::Ask {
            self.known.answer(post, &message);
        } else if let Some((number, words)) = message.words.split_first() {
            let from = message.from as usize;
            if let Some(batch) = self.batches.get_mut(number) {
                batch.asked.hear(from, words);
                if batch.asked.awaited == 0
                    && let Some(batch) = self.batches.remove(number)
                {
                    self.end(batch);
                }
            }
        }
        Ok(())
    }
}

/// Checks the value of every state of all workers.
pub(super) fn certify(
    post: &mut Post<'_>,
    shared: &Shared<'_>,
    local: usize,
    known: &mut WorkerValues<'_>,
    all: u64,
) -> Result<Result<Certificate, Unsolved>, Failed> {
    let mut checking = Checking {
        shared,
        local,
        known,
        all,
        next: 0,
        number: 0,
        batches: BTreeMap::new(),
        found: Certificate::default(),
        stopped: false,
    };
    post.phase(&mut checking)?;
    let (found, stopped) = (checking.found, checking.stopped);
    let mut whole = Certificate::default();
    let mut any_stopped = false;
    for (stopped, found) in post.gather(&(stopped, found))? {
        any_stopped |= stopped;
        whole.add(found);
    }
    if any_stopped {
        return Ok(Err(shared.why_stopped(post)?.into()));
    }
    whole.faults.sort();
    Ok(Ok(whole))
}

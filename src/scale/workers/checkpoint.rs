//! Checkpoints of the backward pass, from which a lost run resumes.
//!
//! Each worker writes two kinds of files: once, the predecessors of its states; and from time to time,
//! between two distances, the values so far. There are always two generations of values, and a run resumes
//! from the latest one that all workers have. The files identify the graph by a number computed from all keys
//! in order, so they are never used with another numbering of the states.

use super::exchange::Post;
use super::part::WorkerStates;
use super::predecessors::Incoming;
use super::run_file::{From, RunFile, damaged, put, take, unusable};
use super::{Failed, Shared};
use control::container::Kind;
use control::files::FileError;
use explore::StateId;
use std::io;
use std::path::Path;
use values::{MAX_DISTANCE_PLIES, Packed};

const KIND: &Kind = b"values  ";

/// The checkpoint files of a worker.
pub(super) struct Checkpoint<'s> {
    folder: &'s Path,
    /// The identity of the run and of its graph.
    run: String,
    me: usize,
}

/// The progress of the backward pass.
pub(super) struct Distance {
    /// Number of checkpoints saved so far.
    pub step: u64,
    /// The number of the pass: 0 for wins and losses, 1 for weak ones.
    pub pass: u64,
    /// The next distance.
    pub plies: u64,
    /// Number of states of all workers that are won or lost.
    pub solved: u64,
    pub packed: Vec<u16>,
    pub left: Vec<u32>,
    pub keeping: Vec<u8>,
    pub now: Vec<StateId>,
}

/// Returns whether these are the values of `states` states, some of them perhaps open.
fn are_values(packed: &[u16], states: u64) -> bool {
    let is_value = |&value: &u16| {
        let value = Packed(value);
        value == Packed::OPEN || value.value().is_some()
    };
    packed.len() as u64 == states && packed.iter().all(is_value)
}

impl<'s> Checkpoint<'s> {
    /// Returns the checkpoint files of a worker for the graph that all workers have found, or `None` if
    /// nothing is to be saved.
    pub fn new(
        post: &mut Post<'_>,
        shared: &'s Shared<'_>,
        part: &WorkerStates,
    ) -> Result<Option<Checkpoint<'s>>, Failed> {
        let Some(folder) = shared.means.state else {
            return Ok(None);
        };
        let mut mixed = part.states.len() as u64;
        for id in 0..part.states.len() as StateId {
            for &word in part.states.key(id) {
                mixed = (mixed.rotate_left(29) ^ word).wrapping_mul(0xa076_1d64_78bd_642f);
                mixed ^= mixed >> 32;
            }
        }
        // State numbers refer to the states of all workers, so the identity covers the states of every
        // worker.
        let mixed = post.gather(&mixed)?;
        Ok(Some(Checkpoint {
            folder,
            run: format!("{}, {mixed:?}", shared.run(post.peers())),
            me: post.me(),
        }))
    }

    fn file(&self, name: &str) -> RunFile<'_> {
        RunFile {
            path: self.folder.join(format!("{name}-worker-{:04}", self.me)),
            kind: KIND,
            run: &self.run,
        }
    }

    /// Reads a file. Returns `None` if there is none, or if it is damaged or of another run; the file is then
    /// written again.
    fn read<T>(
        &self,
        name: &str,
        body: impl FnOnce(&mut From) -> io::Result<T>,
    ) -> Result<Option<T>, Failed> {
        let file = self.file(name);
        match file.read(body) {
            Ok(found) => Ok(found.ok()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(None),
            Err(error) => Err(unusable(&FileError::unreadable(&file.path, &error))),
        }
    }

    /// Saves the predecessors of this worker's states, and the states' values and numbers of turns before the
    /// first distance.
    pub fn save_links(&self, links: &Incoming, packed: &[u16], left: &[u32]) -> Result<(), Failed> {
        self.file("links").write(|out| {
            put(out, &links.starts)?;
            put(out, &links.origins)?;
            put(out, &links.owners)?;
            put(out, packed)?;
            put(out, left)
        })
    }

    /// Reads what [`save_links`](Self::save_links) saved, if all workers have it.
    #[allow(clippy::type_complexity)]
    pub fn links(
        &self,
        post: &mut Post<'_>,
        states: usize,
    ) -> Result<Option<(Incoming, Vec<u16>, Vec<u32>)>, Failed> {
        let (states, peers) = (states as u64, post.peers());
        let found = self.read("links", |from| {
            let starts = take(from, states + 1)?;
            let links = Incoming {
                starts,
                origins: take(from, u64::MAX >> 8)?,
                owners: take(from, u64::MAX >> 8)?,
            };
            let (packed, left) = (take(from, states)?, take::<u32>(from, states)?);
            let edges = links.origins.len();
            let whole = links.starts.len() as u64 == states + 1
                && links.starts.is_sorted()
                && links.starts.last() == Some(&(edges as u64))
                && (links.owners.len() == edges || peers == 1 && links.owners.is_empty())
                && links.owners.iter().all(|&owner| usize::from(owner) < peers)
                && are_values(&packed, states)
                && left.len() as u64 == states;
            whole.then_some((links, packed, left)).ok_or_else(damaged)
        })?;
        let all = post.sum(&[found.is_none().into()])?[0] == 0;
        Ok(found.filter(|_| all))
    }

    /// Saves the progress of the pass.
    pub fn save(&self, distance: &Distance) -> Result<(), Failed> {
        let name = format!("values-{}", distance.step % 2);
        self.file(&name).write(|out| {
            let numbers = [
                distance.step,
                distance.pass,
                distance.plies,
                distance.solved,
            ];
            put(out, &numbers)?;
            put(out, &distance.packed)?;
            put(out, &distance.left)?;
            put(out, &distance.keeping)?;
            put(out, &distance.now)
        })
    }

    /// Returns the latest progress that all workers have.
    pub fn latest(&self, post: &mut Post<'_>, states: usize) -> Result<Option<Distance>, Failed> {
        let states = states as u64;
        let mut found = Vec::new();
        for generation in ["values-0", "values-1"] {
            found.extend(self.read(generation, |from| {
                let numbers = take::<u64>(from, 4)?;
                let &[step, pass, plies, solved] = &numbers[..] else {
                    return Err(damaged());
                };
                let distance = Distance {
                    step,
                    pass,
                    plies,
                    solved,
                    packed: take(from, states)?,
                    left: take(from, states)?,
                    keeping: take(from, states)?,
                    now: take(from, states)?,
                };
                let whole = are_values(&distance.packed, states)
                    && distance.left.len() as u64 == states
                    && distance.keeping.len() as u64 == states
                    && distance.now.iter().all(|&state| u64::from(state) < states)
                    && step < u64::MAX >> 1
                    && solved < u64::MAX >> 16
                    && plies <= MAX_DISTANCE_PLIES.into();
                whole.then_some(distance).ok_or_else(damaged)
            })?);
        }
        let mine: Vec<u64> = found.iter().map(|distance| distance.step).collect();
        let all = post.gather(&mine)?;
        let have = |step: &u64| all.iter().all(|steps| steps.contains(step));
        let latest = all.iter().flatten().filter(|step| have(step)).max();
        Ok(latest.and_then(|step| found.into_iter().find(|d| d.step == *step)))
    }
}

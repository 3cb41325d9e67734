//! Checkpoints of the backward pass, from which a lost run resumes.
//!
//! Each worker writes two kinds of files: once, the predecessors of its states; and from time to time,
//! between two distances, the values so far. There are always two generations of values, and a run resumes
//! from the latest one that all workers have. The files identify the graph by a number computed from all keys
//! in order, so they are never used with another numbering of the states.

use super::exchange::Post;
use super::message::pack_text;
use super::part::WorkerStates;
use super::predecessors::Incoming;
use super::saved::{Saved, cut_off, damaged, read_word};
use super::{Failed, Shared};
use crate::packed::{LOSS, OPEN, PLIES_BITS, WIN};
use control::checksum::Summed;
use control::files::{FileError, write_complete};
use explore::StateId;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use values::MAX_DISTANCE_PLIES;

const MAGIC: &[u8] = b"fairyproof values 1\n";
/// Numbers written at a time.
const BLOCK: usize = 1 << 12;

/// The checkpoint files of a worker.
pub(super) struct Checkpoint<'s> {
    folder: &'s Path,
    /// The identity of the run and of its graph.
    run: Vec<u64>,
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

/// A number that can be written to a file.
trait Number: Copy {
    const BYTES: usize;
    fn put(self, bytes: &mut [u8]);
    fn take(bytes: &[u8]) -> Self;
}

macro_rules! numbers {
    ($($name:ty),*) => {$(
        impl Number for $name {
            const BYTES: usize = size_of::<$name>();

            fn put(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }

            fn take(bytes: &[u8]) -> Self {
                let mut number = [0; size_of::<$name>()];
                number.copy_from_slice(bytes);
                <$name>::from_le_bytes(number)
            }
        }
    )*};
}

numbers!(u8, u16, u32, u64);

fn put<T: Number>(out: &mut impl Write, list: &[T]) -> io::Result<()> {
    out.write_all(&(list.len() as u64).to_le_bytes())?;
    let mut bytes = vec![0; BLOCK * T::BYTES];
    for some in list.chunks(BLOCK) {
        let bytes = &mut bytes[..some.len() * T::BYTES];
        for (place, &number) in bytes.chunks_exact_mut(T::BYTES).zip(some) {
            number.put(place);
        }
        out.write_all(bytes)?;
    }
    Ok(())
}

/// Reads a list of at most `most` numbers.
fn take<T: Number>(from: &mut impl Read, most: u64) -> io::Result<Vec<T>> {
    let n = read_word(from)?;
    if n > most {
        return Err(damaged());
    }
    // A damaged count may be any number. A list that does not fit in memory cannot be in the file.
    let mut list = Vec::new();
    list.try_reserve_exact(n as usize).map_err(|_| damaged())?;
    let mut bytes = vec![0; BLOCK * T::BYTES];
    while list.len() < n as usize {
        let some = BLOCK.min(n as usize - list.len());
        let bytes = &mut bytes[..some * T::BYTES];
        from.read_exact(bytes)?;
        list.extend(bytes.chunks_exact(T::BYTES).map(T::take));
    }
    Ok(list)
}

/// Returns whether these are the values of `states` states, some of them perhaps open.
fn are_values(packed: &[u16], states: u64) -> bool {
    let is_value = |&value: &u16| value == OPEN || (LOSS..=WIN).contains(&(value >> PLIES_BITS));
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
        let mut run: Vec<u64> = post.gather(vec![mixed])?.concat();
        let saved = Saved::new(folder, shared, post.me(), post.peers());
        pack_text(saved.run(), &mut run);
        Ok(Some(Checkpoint {
            folder,
            run,
            me: post.me(),
        }))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}-worker-{:04}", self.me))
    }

    fn write(
        &self,
        name: &str,
        body: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failed> {
        let path = self.path(name);
        let write = |file: &mut BufWriter<File>| {
            let mut out = Summed::new(file);
            out.write_all(MAGIC)?;
            put(&mut out, &self.run)?;
            body(&mut out)?;
            out.finish()?;
            Ok(())
        };
        write_complete(&path, true, write).map_err(|error| Saved::unusable(&error))
    }

    /// Reads a file. Returns `None` if there is none, or if it is damaged or of another run; the file is then
    /// written again.
    fn read<T>(
        &self,
        name: &str,
        body: impl FnOnce(&mut dyn Read) -> io::Result<T>,
    ) -> Result<Option<T>, Failed> {
        let path = self.path(name);
        let read = || -> io::Result<Option<T>> {
            let mut from = Summed::new(BufReader::with_capacity(
                1 << 16,
                control::files::open(&path)?,
            ));
            let mut magic = [0; MAGIC.len()];
            from.read_exact(&mut magic)?;
            if magic != *MAGIC || take::<u64>(&mut from, 1 << 20)? != self.run {
                return Ok(None);
            }
            let found = body(&mut from)?;
            let (mut file, equal) = from.verify()?;
            let complete = equal && file.read(&mut [0])? == 0;
            Ok(complete.then_some(found))
        };
        match read().map_err(cut_off) {
            Ok(found) => Ok(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(None),
            Err(error) => Err(Saved::unusable(&FileError::unreadable(&path, &error))),
        }
    }

    /// Saves the predecessors of this worker's states, and the states' values and numbers of turns before the
    /// first distance.
    pub fn save_links(&self, links: &Incoming, packed: &[u16], left: &[u32]) -> Result<(), Failed> {
        self.write("links", |mut out| {
            put(&mut out, &links.starts)?;
            put(&mut out, &links.origins)?;
            put(&mut out, &links.owners)?;
            put(&mut out, packed)?;
            put(&mut out, left)
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
        let found = self.read("links", |mut from| {
            let starts = take(&mut from, states + 1)?;
            let links = Incoming {
                starts,
                origins: take(&mut from, u64::MAX >> 8)?,
                owners: take(&mut from, u64::MAX >> 8)?,
            };
            let (packed, left) = (take(&mut from, states)?, take::<u32>(&mut from, states)?);
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
        self.write(&format!("values-{}", distance.step % 2), |mut out| {
            let numbers = [
                distance.step,
                distance.pass,
                distance.plies,
                distance.solved,
            ];
            put(&mut out, &numbers)?;
            put(&mut out, &distance.packed)?;
            put(&mut out, &distance.left)?;
            put(&mut out, &distance.keeping)?;
            put(&mut out, &distance.now)
        })
    }

    /// Returns the latest progress that all workers have.
    pub fn latest(&self, post: &mut Post<'_>, states: usize) -> Result<Option<Distance>, Failed> {
        let states = states as u64;
        let mut found = Vec::new();
        for generation in ["values-0", "values-1"] {
            found.extend(self.read(generation, |mut from| {
                let numbers = take::<u64>(&mut from, 4)?;
                let &[step, pass, plies, solved] = &numbers[..] else {
                    return Err(damaged());
                };
                let distance = Distance {
                    step,
                    pass,
                    plies,
                    solved,
                    packed: take(&mut from, states)?,
                    left: take(&mut from, states)?,
                    keeping: take(&mut from, states)?,
                    now: take(&mut from, states)?,
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
        let mine = found.iter().map(|distance| distance.step).collect();
        let all = post.gather(mine)?;
        let have = |step: &u64| all.iter().all(|steps| steps.contains(step));
        let latest = all.iter().flatten().filter(|step| have(step)).max();
        Ok(latest.and_then(|step| found.into_iter().find(|d| d.step == *step)))
    }
}

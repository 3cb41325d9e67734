//! The nodes that a level of the backward pass has decided: for each slice, a set of lost and a set of won
//! nodes. The sets are in files, and a limited number of them also in memory.

use super::{Failed, damaged, unreadable};
use control::container::{self, Kind, NO_LAW};
use control::files;
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const KIND: &Kind = b"front 2 ";

/// The lost and the won nodes of a slice that a level has decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Front {
    lost: Vec<u64>,
    won: Vec<u64>,
}

impl Front {
    /// Returns empty sets for `nodes` nodes.
    pub fn new(nodes: u32) -> Front {
        let words = vec![0; nodes.div_ceil(64) as usize];
        Front {
            lost: words.clone(),
            won: words,
        }
    }

    /// Adds a node.
    pub fn add(&mut self, n: u32, lost: bool) {
        let set = if lost { &mut self.lost } else { &mut self.won };
        set[n as usize / 64] |= 1 << (n % 64);
    }

    /// Returns whether a node is in the lost set, and whether it is in the won set.
    #[inline]
    pub fn has(&self, n: u32) -> (bool, bool) {
        let has = |set: &[u64]| set[n as usize / 64] >> (n % 64) & 1 == 1;
        (has(&self.lost), has(&self.won))
    }

    /// Returns whether either set has a node from `first` to `last`.
    pub fn any(&self, first: u32, last: u32) -> bool {
        let (from, to) = (first as usize / 64, last as usize / 64);
        (from..=to).any(|word| {
            let mut bits = self.lost[word] | self.won[word];
            if word == from {
                bits &= u64::MAX << (first % 64);
            }
            if word == to {
                bits &= u64::MAX >> (63 - last % 64);
            }
            bits != 0
        })
    }

    fn write(&self, folder: &Path, place: Place, sync: bool) -> Result<(), Failed> {
        let words = self.lost.iter().chain(&self.won);
        let bytes: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
        let packed = lz4_flex::block::compress(&bytes);
        let path = &path(folder, place);
        Ok(container::write(path, (KIND, NO_LAW), sync, |out| {
            out.json(&place)?;
            out.section(&packed)
        })?)
    }

    /// Reads the sets for `nodes` nodes. Returns `None` if the file does not exist.
    fn read(folder: &Path, place: Place, nodes: u32) -> Result<Option<Front>, Failed> {
        let path = &path(folder, place);
        let read = || -> io::Result<Vec<u8>> {
            let mut from = container::Reader::new(files::open(path)?, KIND)?;
            if from.json::<Place>(u64::MAX)? != place {
                return Err(container::damaged("it is of another level or slice"));
            }
            let packed = from.section(u64::MAX)?;
            from.finish()?;
            Ok(packed)
        };
        let packed = match read() {
            Ok(packed) => packed,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(unreadable(path, &e)),
        };
        let words = nodes.div_ceil(64) as usize;
        let wrong = || damaged(path, "it is not what was written");
        let bytes = lz4_flex::block::decompress(&packed, 16 * words).map_err(|_| wrong())?;
        let (words_of, rest) = bytes.as_chunks::<8>();
        if words_of.len() != 2 * words || !rest.is_empty() {
            return Err(wrong());
        }
        let mut lost: Vec<u64> = words_of.iter().map(|w| u64::from_le_bytes(*w)).collect();
        let won = lost.split_off(words);
        Ok(Some(Front { lost, won }))
    }
}

/// The sets of all slices for one level.
pub struct Fronts<'w> {
    folder: &'w Path,
    /// The pass and the level.
    level: (usize, u16),
    memory: VecDeque<(u32, Option<Arc<Front>>)>,
    most: usize,
}

/// The beginning of the names of the files.
pub const NAME: &str = "front-";

/// The pass with its level, and the slice, to which a file belongs.
type Place = ((usize, u16), u32);

fn path(folder: &Path, ((pass, level), slice): Place) -> PathBuf {
    folder.join(format!("{NAME}{pass}-{level}-{slice}"))
}

/// Writes the sets of a slice for a level.
pub fn write(
    folder: &Path,
    level: (usize, u16),
    slice: u32,
    front: &Front,
    sync: bool,
) -> Result<(), Failed> {
    front.write(folder, (level, slice), sync)
}

/// Returns whether a level has decided nodes in any slice.
pub fn any(folder: &Path, level: (usize, u16), slices: u32) -> bool {
    (0..slices).any(|slice| path(folder, (level, slice)).exists())
}

/// Removes the sets of a level.
pub fn remove(folder: &Path, level: (usize, u16), slices: u32) {
    for slice in 0..slices {
        // A file that cannot be removed is never read again, and is removed with the folder.
        let _ = std::fs::remove_file(path(folder, (level, slice)));
    }
}

impl<'w> Fronts<'w> {
    /// Returns the sets of a level. At most `most` of them are in memory at a time.
    pub fn new(folder: &'w Path, level: (usize, u16), most: usize) -> Fronts<'w> {
        Fronts {
            folder,
            level,
            memory: VecDeque::new(),
            most: most.max(1),
        }
    }

    /// Returns the sets of a slice, or `None` if both are empty.
    pub fn of(&mut self, slice: u32, nodes: u32) -> Result<Option<Arc<Front>>, Failed> {
        if let Some((_, front)) = self.memory.iter().find(|(n, _)| *n == slice) {
            return Ok(front.clone());
        }
        let in_memory = self
            .memory
            .iter()
            .filter(|(_, front)| front.is_some())
            .count();
        if in_memory >= self.most {
            let oldest = self.memory.iter().position(|(_, front)| front.is_some());
            oldest.map(|n| self.memory.remove(n));
        }
        let front = Front::read(self.folder, (self.level, slice), nodes)?.map(Arc::new);
        self.memory.push_back((slice, front.clone()));
        Ok(front)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn sets_come_back_and_tell_ranges(members: Vec<(u8, bool)>, first: u8, more: u8) -> bool {
            let mut front = Front::new(256);
            for &(n, lost) in &members {
                front.add(u32::from(n), lost);
            }
            let folder = tempfile::tempdir().expect("a folder");
            write(folder.path(), (0, 3), 7, &front, false).expect("written");
            let mut fronts = Fronts::new(folder.path(), (0, 3), 1);
            assert!(fronts.of(6, 256).expect("none").is_none());
            let back = fronts.of(7, 256).expect("read").expect("there");
            // A copy under the name of another slice is refused.
            let place = |slice| path(folder.path(), ((0, 3), slice));
            std::fs::copy(place(7), place(5)).expect("a copy");
            assert!(fronts.of(5, 256).is_err());
            let last = first.saturating_add(more);
            let any = members.iter().any(|(n, _)| (first..=last).contains(n));
            *back == front
                && back.any(u32::from(first), u32::from(last)) == any
                && (0..=255u8).all(|n| {
                    let has = |lost| members.contains(&(n, lost));
                    back.has(u32::from(n)) == (has(true), has(false))
                })
        }
    }
}

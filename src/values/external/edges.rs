//! The turns of one slice of nodes, in a file. The turns are sorted by target into compressed blocks. Each block
//! leads into one slice, so a level reads only the blocks that lead to newly decided nodes.

use super::{Failed, damaged, unreadable, unwritable};
use crate::Packed;
use control::container::{self, Kind, NO_LAW, Sections};
use control::varint;
use control::{files, parallel};
use rayon::slice::ParallelSliceMut;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// Bits of an origin's number in its slice, and of a target. Together, they fill a word.
pub const ORIGIN_BITS: u32 = 28;
pub const TARGET_BITS: u32 = 64 - ORIGIN_BITS;

/// Maximum number of bytes of a turn that is not compressed: two numbers of variable length.
const MAX_TURN_BYTES: usize = 10;

/// Maximum number of turns of a block.
const BLOCK_TURNS: usize = 1 << 14;

/// Blocks that are compressed at a time.
const AT_ONCE: usize = 16;

/// The division of target numbers into slices.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// Target numbers of a slice.
    pub slice: u32,
    /// The first number that denotes a packed value outside the graph. All these values form one more slice.
    pub outside: u64,
}

impl Cut {
    /// Returns the number of slices, not counting the slice of values.
    pub fn slices(self) -> u32 {
        self.outside.div_ceil(self.slice.into()) as u32
    }

    /// Returns the slice of a target, and the target's number in the slice.
    #[inline]
    fn place(self, target: u64) -> (u32, u32) {
        let slice = u64::from(self.slice);
        match target.checked_sub(self.outside) {
            Some(value) => (self.slices(), value as u32),
            None => ((target / slice) as u32, (target % slice) as u32),
        }
    }

    /// Returns the number of targets of a slice, or of values outside.
    fn targets(self, slice: u32) -> u64 {
        match self.slices().checked_sub(slice) {
            Some(0) => 1 << 16,
            Some(_) => {
                let first = u64::from(slice) * u64::from(self.slice);
                (self.outside - first).min(self.slice.into())
            }
            None => 0,
        }
    }
}

/// Turns that lead into one slice, sorted by target and, for equal targets, by origin.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Block {
    /// The slice that the turns lead into.
    pub slice: u32,
    /// The first target in that slice; the last one is `last`.
    pub first: u32,
    pub last: u32,
    turns: u32,
    /// The section of the file, and its length when it is unpacked.
    section: u32,
    unpacked: u32,
}

const KIND: &Kind = b"turns 2 ";

/// The last section of the file, after the blocks and the caller's note.
#[derive(Serialize, Deserialize)]
struct Tail {
    /// The name of the file, so that a copy under the name of another slice is recognized.
    name: String,
    blocks: Vec<Block>,
    last_exit: [Option<u16>; 8],
}

/// Writes a file of turns. Holds only a limited number of turns in memory.
pub struct Writer {
    path: PathBuf,
    // `None` once the file has ended.
    out: Option<container::Writer<BufWriter<File>>>,
    cut: Cut,
    /// Turns in memory: the target in the high bits, and the origin in the low ones.
    turns: Vec<u64>,
    most: usize,
    blocks: Vec<Block>,
    last_exit: [Option<u16>; 8],
    sync: bool,
}

/// Removes a file that was not finished.
impl Drop for Writer {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(unfinished(&self.path));
    }
}

fn unfinished(path: &Path) -> PathBuf {
    path.with_extension("turns-unfinished")
}

impl Writer {
    /// Begins a file. At most `most` turns are in memory at a time.
    pub fn create(path: &Path, cut: Cut, most: usize, sync: bool) -> Result<Writer, Failed> {
        let place = unfinished(path);
        let begin = || {
            let file = BufWriter::with_capacity(1 << 18, files::create(&place)?);
            // The state file has the versions of the rules.
            container::Writer::new(file, KIND, NO_LAW)
        };
        Ok(Writer {
            path: path.to_path_buf(),
            out: Some(begin().map_err(|e| unwritable(&place, &e))?),
            cut,
            turns: Vec::new(),
            most,
            blocks: Vec::new(),
            last_exit: [None; 8],
            sync,
        })
    }

    /// Adds a turn. The origin is a number in this slice, the target any target number.
    #[inline]
    pub fn add(&mut self, target: u64, origin: u32) -> Result<(), Failed> {
        if self.turns.len() == self.most {
            self.flush()?;
        }
        if let Some(value) = target.checked_sub(self.cut.outside) {
            let value = Packed(value as u16);
            let last = &mut self.last_exit[usize::from(value.class())];
            *last = (*last).max(Some(value.plies()));
        }
        if self.turns.capacity() == 0 {
            self.turns.reserve_exact(self.most);
        }
        self.turns.push(target << ORIGIN_BITS | u64::from(origin));
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Failed> {
        let mut turns = std::mem::take(&mut self.turns);
        turns.par_sort_unstable();
        let cut = self.cut;
        let mut cuts = Vec::new();
        let mut from = 0;
        while from < turns.len() {
            let slice = cut.place(turns[from] >> ORIGIN_BITS).0;
            let most = turns.len().min(from + BLOCK_TURNS);
            let own = |turn: &u64| cut.place(turn >> ORIGIN_BITS).0 == slice;
            let to = from + turns[from..most].partition_point(own);
            cuts.push((from, to));
            from = to;
        }
        for some in cuts.chunks(AT_ONCE) {
            let packed = parallel::map(some.len(), |n| pack(&turns[some[n].0..some[n].1], cut));
            for (mut block, bytes) in packed {
                block.section = self.blocks.len() as u32;
                self.blocks.push(block);
                if let Some(out) = &mut self.out {
                    let written = out.section(&bytes);
                    written.map_err(|e| unwritable(&self.path, &e))?;
                }
            }
        }
        turns.clear();
        self.turns = turns;
        Ok(())
    }

    /// Ends the file, with a note of the caller, and gives it its final name.
    pub fn finish(mut self, note: &impl Serialize) -> Result<(), Failed> {
        self.flush()?;
        // Slice by slice, and within a slice in the order of the file.
        self.blocks
            .sort_by_key(|block| (block.slice, block.section));
        let tail = Tail {
            name: name_of(&self.path),
            blocks: std::mem::take(&mut self.blocks),
            last_exit: self.last_exit,
        };
        let out = self.out.take();
        let write = || -> io::Result<()> {
            let mut out = out.ok_or_else(|| io::Error::other("the file has ended"))?;
            out.json(note)?;
            out.json(&tail)?;
            let file = out.finish()?.0.into_inner();
            let file = file.map_err(io::IntoInnerError::into_error)?;
            if self.sync {
                file.sync_all()?;
            }
            std::fs::rename(unfinished(&self.path), &self.path)
        };
        write().map_err(|e| unwritable(&self.path, &e))
    }
}

/// Encodes small differences of either sign as small numbers.
fn zigzag(difference: i64) -> u32 {
    ((difference << 1) ^ (difference >> 63)) as u32
}

/// Compresses turns into a block. The sources of neighboring targets are at similar distances, so the first
/// source of a target is encoded as its difference from that of the target before.
fn pack(turns: &[u64], cut: Cut) -> (Block, Vec<u8>) {
    let target = |turn: u64| cut.place(turn >> ORIGIN_BITS);
    let (slice, first) = target(turns[0]);
    let last = target(turns[turns.len() - 1]).1;
    let (mut at, mut leading, mut source) = (first, 0u32, 0u32);
    let mut bytes = Vec::with_capacity(turns.len() * 4);
    let mut begun = false;
    for &turn in turns {
        let (to, from) = (target(turn).1, (turn & ((1 << ORIGIN_BITS) - 1)) as u32);
        // A source fits in 31 bits, so a difference with its sign fits in 32.
        varint::put(&mut bytes, u64::from(to - at));
        if to != at || !begun {
            varint::put(
                &mut bytes,
                u64::from(zigzag(i64::from(from) - i64::from(leading))),
            );
            leading = from;
        } else {
            varint::put(&mut bytes, u64::from(from - source));
        }
        (at, source, begun) = (to, from, true);
    }
    let packed = lz4_flex::block::compress(&bytes);
    let block = Block {
        slice,
        first,
        last,
        turns: turns.len() as u32,
        section: 0,
        unpacked: bytes.len() as u32,
    };
    (block, packed)
}

/// Returns the name of a file without its folder.
pub fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Opens a file. Returns it with the number of the section of the caller's note, which the index follows.
fn open(path: &Path) -> io::Result<(File, Sections, usize)> {
    let file = files::open(path)?;
    let sections = Sections::read(&file, KIND)?;
    let note = sections.len().checked_sub(2);
    let note = note.ok_or_else(|| container::damaged("its index is missing"))?;
    Ok((file, sections, note))
}

/// Returns the note that was written with the turns of a slice.
pub fn note<N: DeserializeOwned>(path: &Path) -> Result<N, Failed> {
    let read = || {
        let (file, sections, note) = open(path)?;
        sections.json(&file, note)
    };
    read().map_err(|e| unreadable(path, &e))
}

/// A file of turns, open for reading.
pub struct Edges {
    path: PathBuf,
    file: File,
    sections: Sections,
    /// Blocks, sorted by the slice that they lead into.
    pub blocks: Vec<Block>,
    /// The number of nodes of the slice.
    origins: u32,
    /// The largest distance in plies among the values outside that turns lead to, for each class of packed
    /// values.
    pub last_exit: [Option<u16>; 8],
}

impl Edges {
    /// Opens the file of a slice with `origins` nodes.
    pub fn open(path: &Path, cut: Cut, origins: u32) -> Result<Edges, Failed> {
        let read = || -> io::Result<(File, Sections, Tail)> {
            let (file, sections, note) = open(path)?;
            let tail: Tail = sections.json(&file, note + 1)?;
            let is_block = |block: &Block| {
                (block.section as usize) < note
                    && block.first <= block.last
                    && u64::from(block.last) < cut.targets(block.slice)
                    && block.turns as usize <= BLOCK_TURNS
                    && block.unpacked as usize <= BLOCK_TURNS * MAX_TURN_BYTES
            };
            if tail.name != name_of(path) {
                return Err(container::damaged("it is of another slice"));
            }
            match tail.blocks.iter().all(is_block) {
                true => Ok((file, sections, tail)),
                false => Err(container::damaged("its index is damaged")),
            }
        };
        let (file, sections, tail) = read().map_err(|e| unreadable(path, &e))?;
        Ok(Edges {
            path: path.to_path_buf(),
            file,
            sections,
            blocks: tail.blocks,
            origins,
            last_exit: tail.last_exit,
        })
    }

    /// Calls `found` with the target and the origin of each turn of a block. The target is a number in the
    /// block's slice, the origin a number in this slice.
    pub fn read(&self, block: &Block, mut found: impl FnMut(u32, u32)) -> Result<(), Failed> {
        let mut buffer = Vec::new();
        let section = block.section as usize;
        let packed = self.sections.load(&self.file, section, &mut buffer);
        let packed = packed.map_err(|e| unreadable(&self.path, &e))?;
        let wrong = || damaged(&self.path, "a block is not what was written");
        let bytes =
            lz4_flex::block::decompress(packed, block.unpacked as usize).map_err(|_| wrong())?;
        let mut place = 0;
        let mut next = || u32::try_from(varint::get(&bytes, &mut place)?).ok();
        let (mut at, mut leading, mut source) = (block.first, 0u32, 0u32);
        for n in 0..block.turns {
            let (step, code) = next().zip(next()).ok_or_else(wrong)?;
            at = at.wrapping_add(step);
            if step != 0 || n == 0 {
                let difference = (code >> 1) as i32 ^ -((code & 1) as i32);
                leading = leading.wrapping_add_signed(difference);
                source = leading;
            } else {
                source = source.wrapping_add(code);
            }
            if at > block.last || source >= self.origins {
                return Err(wrong());
            }
            found(at, source);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn turns_come_back_by_target(pairs: Vec<(u16, u32)>, slice: u8, most: u8) -> bool {
            const ORIGINS: u32 = 1 << ORIGIN_BITS;
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("turns");
            let cut = Cut { slice: u32::from(slice) + 1, outside: 40_000 };
            let pairs: Vec<(u64, u32)> = pairs
                .iter()
                .map(|&(target, origin)| (u64::from(target), origin % ORIGINS))
                .collect();
            let most = usize::from(most) + 1;
            let mut writer = Writer::create(&path, cut, most, false).expect("a file");
            for &(target, source) in &pairs {
                writer.add(target, source).expect("room");
            }
            writer.finish(&"a note").expect("room");
            assert_eq!(note::<String>(&path).expect("a note"), "a note");
            let edges = Edges::open(&path, cut, ORIGINS).expect("a file");
            let mut found = Vec::new();
            for block in &edges.blocks {
                edges
                    .read(block, |target, source| {
                        assert!((block.first..=block.last).contains(&target));
                        let first = match block.slice == cut.slices() {
                            true => cut.outside,
                            false => u64::from(block.slice) * u64::from(cut.slice),
                        };
                        found.push((first + u64::from(target), source));
                    })
                    .expect("whole");
            }
            let mut wanted = pairs;
            wanted.sort_unstable();
            found.sort_unstable();
            found == wanted
        }
    }
}

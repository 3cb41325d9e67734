//! The turns of one slice of positions, in a file. The turns are sorted by target into compressed blocks.
//! Each block leads into one slice, so a level reads only the blocks that lead to newly decided positions.

use super::super::Failed;
use super::super::files::{damaged, read_at, unreadable, unwritable, write_whole};
use super::super::key::ClassKey;
use control::varint;
use control::{files, parallel};
use rayon::slice::ParallelSliceMut;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use values::Packed;

/// Maximum number of turns of a block.
const BLOCK_TURNS: usize = 1 << 14;

/// Blocks that are compressed at a time.
const AT_ONCE: usize = 16;

/// The division of target numbers into slices.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// Target numbers of a slice.
    pub slice: u32,
    /// The first number that denotes a packed value outside the group. All these values form one more slice.
    pub outside: u32,
}

impl Cut {
    /// Returns the number of slices, not counting the slice of values.
    pub fn slices(self) -> u32 {
        self.outside.div_ceil(self.slice)
    }

    /// Returns the slice of a target, and the target's number in the slice.
    #[inline]
    fn place(self, target: u32) -> (u32, u32) {
        match target.checked_sub(self.outside) {
            Some(value) => (self.slices(), value),
            None => (target / self.slice, target % self.slice),
        }
    }
}

/// Turns that lead into one slice, sorted by target and, for equal targets, by source.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Block {
    /// The slice that the turns lead into.
    pub slice: u32,
    /// The first target in that slice; the last one is `last`.
    pub first: u32,
    pub last: u32,
    turns: u32,
    at: u64,
    bytes: u32,
    unpacked: u32,
    sum: u32,
}

/// The index of the blocks, at the end of the file.
#[derive(Serialize, Deserialize)]
struct Tail {
    blocks: Vec<Block>,
    met: Vec<Vec<ClassKey>>,
    last_exit: Option<[Option<u16>; 8]>,
}

/// Writes a file of turns. Holds only a limited number of turns in memory.
pub struct Writer {
    path: PathBuf,
    file: BufWriter<File>,
    at: u64,
    cut: Cut,
    /// Turns in memory, each with its target in the high and its source in the low 32 bits.
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
        let file = files::create(&place).map_err(|e| unwritable(&place, &e))?;
        Ok(Writer {
            path: path.to_path_buf(),
            file: BufWriter::with_capacity(1 << 18, file),
            at: 0,
            cut,
            turns: Vec::with_capacity(most),
            most,
            blocks: Vec::new(),
            last_exit: [None; 8],
            sync,
        })
    }

    /// Adds a turn. The source is a number in this slice, the target any target number.
    #[inline]
    pub fn add(&mut self, target: u32, source: u32) -> Result<(), Failed> {
        if self.turns.len() == self.most {
            self.flush()?;
        }
        if let Some(value) = target.checked_sub(self.cut.outside) {
            let value = Packed(value as u16);
            let last = &mut self.last_exit[usize::from(value.class())];
            *last = (*last).max(Some(value.plies()));
        }
        self.turns.push(u64::from(target) << 32 | u64::from(source));
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Failed> {
        let mut turns = std::mem::take(&mut self.turns);
        turns.par_sort_unstable();
        let cut = self.cut;
        let mut cuts = Vec::new();
        let mut from = 0;
        while from < turns.len() {
            let slice = cut.place((turns[from] >> 32) as u32).0;
            let most = turns.len().min(from + BLOCK_TURNS);
            let own = |turn: &u64| cut.place((turn >> 32) as u32).0 == slice;
            let to = from + turns[from..most].partition_point(own);
            cuts.push((from, to));
            from = to;
        }
        for some in cuts.chunks(AT_ONCE) {
            let packed = parallel::map(some.len(), |n| pack(&turns[some[n].0..some[n].1], cut));
            for (mut block, bytes) in packed {
                block.at = self.at;
                self.at += u64::from(block.bytes);
                self.blocks.push(block);
                self.file
                    .write_all(&bytes)
                    .map_err(|e| unwritable(&self.path, &e))?;
            }
        }
        turns.clear();
        self.turns = turns;
        Ok(())
    }

    /// Ends the file and gives it its final name. `met` has the classes that turns lead to, for each class of
    /// the group.
    pub fn finish(mut self, met: Vec<Vec<ClassKey>>) -> Result<(), Failed> {
        self.flush()?;
        // Slice by slice, and within a slice in the order of the file.
        self.blocks.sort_by_key(|block| (block.slice, block.at));
        let tail = Tail {
            blocks: std::mem::take(&mut self.blocks),
            met,
            last_exit: Some(self.last_exit),
        };
        let place = unfinished(&self.path);
        let mut write = || -> std::io::Result<()> {
            let text = serde_json::to_vec(&tail)?;
            self.file.write_all(&text)?;
            self.file.write_all(&(text.len() as u64).to_le_bytes())?;
            self.file.write_all(&crc32fast::hash(&text).to_le_bytes())?;
            self.file.flush()?;
            if self.sync {
                self.file.get_ref().sync_all()?;
            }
            std::fs::rename(&place, &self.path)
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
    let target = |turn: u64| cut.place((turn >> 32) as u32);
    let (slice, first) = target(turns[0]);
    let last = target(turns[turns.len() - 1]).1;
    let (mut at, mut leading, mut source) = (first, 0u32, 0u32);
    let mut bytes = Vec::with_capacity(turns.len() * 4);
    let mut begun = false;
    for &turn in turns {
        let (to, from) = (target(turn).1, turn as u32);
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
        at: 0,
        bytes: packed.len() as u32,
        unpacked: bytes.len() as u32,
        sum: crc32fast::hash(&packed),
    };
    (block, packed)
}

/// A file of turns, open for reading.
pub struct Edges {
    path: PathBuf,
    file: File,
    /// Blocks, sorted by the slice that they lead into.
    pub blocks: Vec<Block>,
    /// The classes that turns lead to, for each class of the group.
    pub met: Vec<Vec<ClassKey>>,
    /// The largest distance in plies among the values outside that turns lead to, for each class of packed
    /// values.
    pub last_exit: [Option<u16>; 8],
}

impl Edges {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Edges, Failed> {
        let unread = |e| unreadable(path, &e);
        let file = files::open(path).map_err(unread)?;
        let bytes = file.metadata().map_err(unread)?.len();
        let mut end = [0; 12];
        let short = || damaged(path, "it is too short");
        let at = bytes.checked_sub(end.len() as u64).ok_or_else(short)?;
        read_at(&file, &mut end, at).map_err(unread)?;
        let (length, sum) = end.split_at(8);
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |n, &b| n << 8 | u64::from(b));
        let start = at.checked_sub(number(length)).ok_or_else(short)?;
        let mut text = vec![0; (at - start) as usize];
        read_at(&file, &mut text, start).map_err(unread)?;
        if u64::from(crc32fast::hash(&text)) != number(sum) {
            return Err(damaged(path, "its checksum is wrong"));
        }
        let tail: Tail =
            serde_json::from_slice(&text).map_err(|e| damaged(path, &e.to_string()))?;
        Ok(Edges {
            path: path.to_path_buf(),
            file,
            blocks: tail.blocks,
            met: tail.met,
            last_exit: tail.last_exit.unwrap_or_default(),
        })
    }

    /// Calls `found` with the target and the source of each turn of a block. The target is a number in the
    /// block's slice, the source a number in this slice.
    pub fn read(&self, block: &Block, mut found: impl FnMut(u32, u32)) -> Result<(), Failed> {
        let mut packed = vec![0; block.bytes as usize];
        read_at(&self.file, &mut packed, block.at).map_err(|e| unreadable(&self.path, &e))?;
        let wrong = || damaged(&self.path, "a block is not what was written");
        if crc32fast::hash(&packed) != block.sum {
            return Err(wrong());
        }
        let bytes =
            lz4_flex::block::decompress(&packed, block.unpacked as usize).map_err(|_| wrong())?;
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
            found(at, source);
        }
        Ok(())
    }
}

/// Writes a value as JSON with a checksum. The file appears complete or not at all.
pub fn write_json<T: Serialize>(path: &Path, what: &T, sync: bool) -> Result<(), Failed> {
    let text = serde_json::to_string(what).map_err(|e| damaged(path, &e.to_string()))?;
    let sum = crc32fast::hash(text.as_bytes());
    write_whole(path, sync, |file| writeln!(file, "{sum:08x}\n{text}"))
}

/// Reads a value that [`write_json`] has written. Returns `None` if the file does not exist.
pub fn read_json<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Option<T>, Failed> {
    let all = match files::read_to_string(path) {
        Ok(all) => all,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(unreadable(path, &e)),
    };
    let body = all.split_once('\n').and_then(|(sum, text)| {
        let text = text.strip_suffix('\n')?;
        (sum == format!("{:08x}", crc32fast::hash(text.as_bytes()))).then_some(text)
    });
    let text = body.ok_or_else(|| damaged(path, "its checksum is wrong"))?;
    serde_json::from_str(text).map_err(|e| damaged(path, &e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn turns_come_back_by_target(pairs: Vec<(u16, u32)>, slice: u8, most: u8) -> bool {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("turns");
            let cut = Cut { slice: u32::from(slice) + 1, outside: 40_000 };
            let pairs: Vec<(u32, u32)> = pairs
                .iter()
                .map(|&(target, source)| (u32::from(target), source >> 1))
                .collect();
            let most = usize::from(most) + 1;
            let mut writer = Writer::create(&path, cut, most, false).expect("a file");
            for &(target, source) in &pairs {
                writer.add(target, source).expect("room");
            }
            writer.finish(Vec::new()).expect("room");
            let edges = Edges::open(&path).expect("a file");
            let mut found = Vec::new();
            for block in &edges.blocks {
                edges
                    .read(block, |target, source| {
                        assert!((block.first..=block.last).contains(&target));
                        let first = match block.slice == cut.slices() {
                            true => cut.outside,
                            false => block.slice * cut.slice,
                        };
                        found.push((first + target, source));
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

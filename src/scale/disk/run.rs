//! Runs: compressed files of sorted records with checksums, which appear complete or not at all.
//!
//! A record is a fixed number of 64-bit words. Records are in ascending order, compared word by word. A file is a
//! [container](control::container) whose sections are the blocks of records and, as the last one, their index;
//! all numbers are little-endian. In a block, each word of a record is a LEB128 number: the difference from the
//! same word of the record before, up to and including the first word that differs, and from then on the word
//! itself. The first record of a block is coded against zeros. The index has the width in words (4 bytes), the
//! number of records (8) and, for each block, the number of records before it (8) and its first record. So a
//! reader can go to any record without reading those before it.

use super::{Failed, damaged, unreadable, unwritable};
use control::container::{self, Kind, NO_LAW, PREFIX_BYTES, Sections};
use control::varint;
use position::KEY_WORDS;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const KIND: &Kind = b"run     ";
/// Bytes of the index before its entries.
const INDEX_HEAD: usize = 4 + 8;
/// Number of bytes at which a block ends.
pub const BLOCK_BYTES: usize = 1 << 15;
/// Maximum number of bytes of a word of a record.
const MAX_VARINT_BYTES: usize = 10;
/// Maximum number of words of a record: a key and two more.
const MAX_WORDS: usize = KEY_WORDS + 2;
/// File name extension of unfinished files.
pub const UNFINISHED: &str = "unfinished";

/// The blocks of a run: their sections, ranks and first records.
#[derive(Debug, PartialEq, Eq)]
struct Index {
    /// The blocks, and this index as the last section.
    sections: Sections,
    /// The number of records before each block. At the end, the number of all records.
    ranks: Vec<u64>,
    firsts: Vec<u64>,
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Run {
    path: PathBuf,
    width: usize,
    index: Arc<Index>,
}

impl Index {
    /// Parses the index of a run with records of `width` words.
    fn parse(sections: Sections, bytes: &[u8], width: usize) -> Result<Index, &'static str> {
        let (Some(blocks), true) = (sections.len().checked_sub(1), bytes.len() >= INDEX_HEAD)
        else {
            return Err("it is not a run");
        };
        let (head, entries) = bytes.split_at(INDEX_HEAD);
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
        if number(&head[..4]) != width as u64 || !(1..=MAX_WORDS).contains(&width) {
            return Err("its records have another width");
        }
        let entry = 8 + 8 * width;
        if entries.len() != blocks * entry {
            return Err("its index is damaged");
        }
        let mut index = Index {
            sections,
            ranks: Vec::with_capacity(blocks + 1),
            firsts: Vec::with_capacity(blocks * width),
        };
        for entry in entries.chunks_exact(entry) {
            let mut words = entry.chunks_exact(8).map(number);
            index.ranks.extend(words.next());
            index.firsts.extend(words);
        }
        index.ranks.push(number(&head[4..]));
        let rise = index.ranks.windows(2).all(|pair| pair[0] < pair[1]);
        // A block ends once it has `BLOCK_BYTES` bytes, and only the last one may be shorter. A word takes at
        // least one byte. So neither the index nor a block takes more memory than in a file that this program
        // wrote.
        let fits = |(block, ranks): (usize, &[u64])| {
            let bytes = index.sections.bytes_of(block);
            let longest = (BLOCK_BYTES + MAX_VARINT_BYTES * width) as u64;
            bytes <= longest
                && (bytes >= BLOCK_BYTES as u64 || block + 1 == blocks)
                && (ranks[1] - ranks[0]).saturating_mul(width as u64) <= bytes
        };
        let whole = rise
            && index.ranks[0] == 0
            && index.ranks.windows(2).enumerate().all(fits)
            && index.firsts.chunks_exact(width).is_sorted();
        whole.then_some(index).ok_or("its index is damaged")
    }

    fn blocks(&self) -> usize {
        self.ranks.len() - 1
    }
}

impl Run {
    /// Opens a run. The index is read and checked now; blocks are checked when they are read.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or has records of another width.
    pub fn open(path: &Path, width: usize) -> Result<Run, Failed> {
        let mut bytes = Vec::new();
        let read = |bytes: &mut Vec<u8>| -> io::Result<Sections> {
            let file = control::files::open(path)?;
            let sections = Sections::read(&file, KIND)?;
            if let Some(last) = sections.len().checked_sub(1) {
                sections.load(&file, last, bytes)?;
            }
            Ok(sections)
        };
        let sections = read(&mut bytes).map_err(|e| unreadable(path, e))?;
        let index = Index::parse(sections, bytes.get(PREFIX_BYTES..).unwrap_or(&[]), width);
        Ok(Run {
            path: path.to_path_buf(),
            width,
            index: Arc::new(index.map_err(|why| damaged(path, why))?),
        })
    }

    /// Returns the number of records.
    pub fn records(&self) -> u64 {
        self.index.ranks[self.blocks()]
    }

    /// Returns a checksum that distinguishes this run from others with the same name.
    pub fn sum(&self) -> u32 {
        self.index.sections.sum()
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn blocks(&self) -> usize {
        self.index.blocks()
    }

    fn first(&self, block: usize) -> &[u64] {
        &self.index.firsts[block * self.width..][..self.width]
    }

    /// Returns a reader that begins with the first record.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub fn reader(&self) -> Result<RunReader, Failed> {
        self.reader_at(0)
    }

    /// Returns a reader that begins with record number `rank`.
    ///
    /// # Errors
    /// As for [`Run::reader`].
    pub fn reader_at(&self, rank: u64) -> Result<RunReader, Failed> {
        let mut reader = RunReader {
            run: self.clone(),
            file: control::files::open(&self.path).map_err(|e| unreadable(&self.path, e))?,
            block: Vec::new(),
            at: 0,
            left: 0,
            next: 0,
            record: vec![0; self.width],
            there: true,
        };
        reader.go_to(rank)?;
        Ok(reader)
    }
}

/// Reads a run record by record, forward.
#[derive(Debug)]
pub struct RunReader {
    run: Run,
    file: File,
    // The section of the current block, with its prefix.
    block: Vec<u8>,
    at: usize,
    // Number of records of the block that are not read yet. `next` is the number of the block after it.
    left: u64,
    next: usize,
    record: Vec<u64>,
    there: bool,
}

impl RunReader {
    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.run.path
    }

    /// Returns the current record, or `None` after the last one.
    #[inline(always)]
    pub fn head(&self) -> Option<&[u64]> {
        self.there.then_some(&self.record[..])
    }

    /// Returns the number of the current record, from 0.
    #[inline]
    pub fn rank(&self) -> u64 {
        self.run.index.ranks[self.next] - self.left - u64::from(self.there)
    }

    /// Advances to the next record.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    #[inline]
    pub fn advance(&mut self) -> Result<(), Failed> {
        if self.left == 0 {
            if self.next == self.run.blocks() {
                self.there = false;
                return Ok(());
            }
            if self.record[..] > *self.run.first(self.next) {
                return Err(damaged(&self.run.path, "its records do not rise"));
            }
            self.load(self.next)?;
        }
        self.left -= 1;
        let mut differs = false;
        for word in &mut self.record {
            let Some(n) = varint::get(&self.block, &mut self.at) else {
                return Err(damaged(&self.run.path, "a block is damaged"));
            };
            if differs {
                *word = n;
            } else {
                // Merging and comparing runs rely on the ascending order of records.
                let Some(sum) = word.checked_add(n) else {
                    return Err(damaged(&self.run.path, "its records do not rise"));
                };
                *word = sum;
                differs = n != 0;
            }
        }
        Ok(())
    }

    /// Reads a block, whose first record is then the next.
    fn load(&mut self, block: usize) -> Result<(), Failed> {
        let (index, path) = (&self.run.index, &self.run.path);
        let loaded = index.sections.load(&self.file, block, &mut self.block);
        loaded.map_err(|e| unreadable(path, e))?;
        // The first record is coded against zeros, so its numbers are its words.
        self.at = PREFIX_BYTES;
        for &word in self.run.first(block) {
            if varint::get(&self.block, &mut self.at) != Some(word) {
                return Err(damaged(path, "a block is not the one of the index"));
            }
        }
        self.at = PREFIX_BYTES;
        self.left = index.ranks[block + 1] - index.ranks[block];
        self.next = block + 1;
        self.record.fill(0);
        self.there = true;
        Ok(())
    }

    /// Advances to the first record that is not less than `key`. A key that is shorter than a record is
    /// compared with the record's first words. Blocks in between are not read.
    ///
    /// # Errors
    /// As for [`RunReader::advance`].
    #[inline]
    pub fn seek(&mut self, key: &[u64]) -> Result<(), Failed> {
        if !self.there || self.record[..key.len()] >= *key {
            return Ok(());
        }
        let less = |run: &Run, block: usize| run.first(block)[..key.len()] < *key;
        if self.next < self.run.blocks() && less(&self.run, self.next) {
            // Finds the last block whose first record is less, by doubling the step and then halving it.
            let (mut low, mut step) = (self.next, 1);
            while low + step < self.run.blocks() && less(&self.run, low + step) {
                low += step;
                step *= 2;
            }
            while step > 1 {
                step /= 2;
                if low + step < self.run.blocks() && less(&self.run, low + step) {
                    low += step;
                }
            }
            self.load(low)?;
            self.advance()?;
        }
        while self.there && self.record[..key.len()] < *key {
            self.advance()?;
        }
        Ok(())
    }

    /// Goes to the first record that is not less than `key`, before or after the current one.
    ///
    /// # Errors
    /// As for [`RunReader::advance`].
    pub fn find(&mut self, key: &[u64]) -> Result<(), Failed> {
        self.go_to(0)?;
        self.seek(key)
    }

    /// Goes to record number `rank`.
    fn go_to(&mut self, rank: u64) -> Result<(), Failed> {
        if rank >= self.run.records() {
            self.next = self.run.blocks();
            self.left = 0;
            self.there = false;
            return Ok(());
        }
        let block = self.run.index.ranks.partition_point(|&first| first <= rank) - 1;
        self.load(block)?;
        for _ in self.run.index.ranks[block]..=rank {
            self.advance()?;
        }
        Ok(())
    }
}

/// Writes a run under the name of an unfinished file, which is renamed when it is complete.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    unfinished: PathBuf,
    // `None` once the run has ended.
    out: Option<container::Writer<BufWriter<File>>>,
    width: usize,
    ranks: Vec<u64>,
    firsts: Vec<u64>,
    block: Vec<u8>,
    last: Vec<u64>,
    records: u64,
}

impl Writer {
    /// Begins a run at this path, with records of `width` words.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path, width: usize) -> Result<Writer, Failed> {
        let unfinished = path.with_extension(UNFINISHED);
        let begin = || {
            let file = control::files::create(&unfinished)?;
            let file = BufWriter::with_capacity(BLOCK_BYTES, file);
            // The state file has the versions of the rules.
            container::Writer::new(file, KIND, NO_LAW)
        };
        let out = begin().map_err(|e| unwritable(&unfinished, e))?;
        Ok(Writer {
            path: path.to_path_buf(),
            unfinished,
            out: Some(out),
            width,
            ranks: Vec::new(),
            firsts: Vec::new(),
            block: Vec::with_capacity(BLOCK_BYTES + MAX_VARINT_BYTES * width),
            last: vec![0; width],
            records: 0,
        })
    }

    /// Returns the number of records written so far.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Appends a record, which must not be less than the one before.
    ///
    /// # Errors
    /// If the file cannot be written.
    #[inline]
    pub fn push(&mut self, record: &[u64]) -> Result<(), Failed> {
        debug_assert!(self.last[..] <= *record || self.records == 0);
        if self.block.is_empty() {
            self.last.fill(0);
            self.ranks.push(self.records);
            self.firsts.extend_from_slice(record);
        }
        let mut differs = false;
        for (last, &word) in self.last.iter_mut().zip(record) {
            let n = if differs {
                word
            } else {
                word.wrapping_sub(*last)
            };
            varint::put(&mut self.block, n);
            differs |= n != 0;
            *last = word;
        }
        self.records += 1;
        if self.block.len() >= BLOCK_BYTES {
            self.end_block()?;
        }
        Ok(())
    }

    fn end_block(&mut self) -> Result<(), Failed> {
        if self.block.is_empty() {
            return Ok(());
        }
        if let Some(out) = &mut self.out {
            out.section(&self.block)
                .map_err(|e| unwritable(&self.path, e))?;
        }
        self.block.clear();
        Ok(())
    }

    /// Ends the run and renames its file. With `durable`, the contents reach the disk before the file is
    /// renamed.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self, durable: bool) -> Result<Run, Failed> {
        self.end_block()?;
        let mut index = Vec::new();
        index.extend((self.width as u32).to_le_bytes());
        index.extend(self.records.to_le_bytes());
        for (rank, first) in self.ranks.iter().zip(self.firsts.chunks_exact(self.width)) {
            index.extend(rank.to_le_bytes());
            index.extend(first.iter().flat_map(|word| word.to_le_bytes()));
        }
        let out = self.out.take();
        let end = || -> io::Result<Sections> {
            let mut out = out.ok_or_else(|| io::Error::other("the run has ended"))?;
            out.section(&index)?;
            let (file, sections) = out.finish()?;
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            if durable {
                file.sync_all()?;
            }
            fs::rename(&self.unfinished, &self.path)?;
            Ok(sections)
        };
        let sections = end().map_err(|e| {
            let _ = fs::remove_file(&self.unfinished);
            unwritable(&self.path, e)
        })?;
        let mut ranks = std::mem::take(&mut self.ranks);
        ranks.push(self.records);
        Ok(Run {
            path: self.path.clone(),
            width: self.width,
            index: Arc::new(Index {
                sections,
                ranks,
                firsts: std::mem::take(&mut self.firsts),
            }),
        })
    }
}

/// Removes an unfinished file, because the disk may be full.
impl Drop for Writer {
    fn drop(&mut self) {
        if self.out.is_some() {
            let _ = fs::remove_file(&self.unfinished);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::{TestResult, quickcheck};

    /// Returns sorted records of `width` words, close to each other and far apart.
    fn records(width: usize, seeds: &[u64]) -> Vec<Vec<u64>> {
        let mut records: Vec<Vec<u64>> = seeds
            .iter()
            .flat_map(|&seed| (0..60u64).map(move |n| (seed, n)))
            .map(|(seed, n)| {
                (0..width as u32)
                    .map(|w| seed.rotate_left(7 * w) >> (n % 61) ^ (n * u64::from(w)))
                    .collect()
            })
            .collect();
        records.sort();
        records
    }

    fn write(path: &Path, width: usize, records: &[Vec<u64>]) -> Result<Run, Failed> {
        let mut writer = Writer::create(path, width)?;
        for record in records {
            writer.push(record)?;
        }
        writer.finish(false)
    }

    fn read(run: &Run) -> Result<Vec<Vec<u64>>, Failed> {
        let mut reader = run.reader()?;
        let mut found = Vec::new();
        while let Some(record) = reader.head() {
            assert_eq!(reader.rank(), found.len() as u64);
            found.push(record.to_vec());
            reader.advance()?;
        }
        Ok(found)
    }

    fn place() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.run");
        (folder, path)
    }

    quickcheck! {
        fn records_come_back(width: usize, seeds: Vec<u64>) -> bool {
            let width = width % MAX_WORDS + 1;
            let records = records(width, &seeds);
            let (_folder, path) = place();
            let written = write(&path, width, &records).expect("written");
            let run = Run::open(&path, width).expect("a run");
            written.index == run.index
                && written.sum() == run.sum()
                && run.records() == records.len() as u64
                && read(&run).expect("whole") == records
        }

        fn any_changed_byte_is_refused(seeds: Vec<u64>, at: usize, to: u8) -> TestResult {
            let records = records(2, &seeds);
            let (_folder, path) = place();
            write(&path, 2, &records).expect("written");
            let mut bytes = fs::read(&path).expect("read");
            let at = at % bytes.len();
            if bytes[at] == to {
                return TestResult::discard();
            }
            bytes[at] = to;
            fs::write(&path, bytes).expect("written");
            TestResult::from_bool(Run::open(&path, 2).and_then(|run| read(&run)).is_err())
        }

        fn any_cut_is_refused(seeds: Vec<u64>, cut: usize, more: Vec<u8>) -> TestResult {
            let (_folder, path) = place();
            write(&path, 1, &records(1, &seeds)).expect("written");
            let whole = fs::read(&path).expect("read");
            let mut bytes = whole[..cut % whole.len()].to_vec();
            bytes.extend(more);
            if bytes == whole {
                return TestResult::discard();
            }
            fs::write(&path, bytes).expect("written");
            TestResult::from_bool(Run::open(&path, 1).and_then(|run| read(&run)).is_err())
        }
    }

    #[test]
    fn seeking_finds_what_reading_finds() {
        let (_folder, path) = place();
        // Many blocks, and groups of records with equal first words.
        let records: Vec<Vec<u64>> = (0..60_000u64)
            .map(|n| vec![n / 7 * 1000, n % 7 * 12345])
            .collect();
        let run = write(&path, 2, &records).expect("written");
        assert!(run.blocks() > 4);
        for step in [1, 10, 999, 20_000, 70_000_000] {
            let mut reader = run.reader().expect("read");
            for key in (0..9_000_000u64).step_by(step * 37) {
                let want = records.partition_point(|record| record[0] < key);
                reader.seek(&[key]).expect("read");
                assert_eq!(reader.head(), records.get(want).map(|r| &r[..]), "{key}");
                if reader.head().is_some() {
                    assert_eq!(reader.rank(), want as u64);
                }
                if step > 10 {
                    let mut from = run.reader_at(want as u64).expect("read");
                    assert_eq!(from.head(), reader.head());
                    from.find(&[key / 2]).expect("read");
                    let want = records.partition_point(|record| record[0] < key / 2);
                    assert_eq!(from.head(), records.get(want).map(|r| &r[..]));
                }
            }
        }
    }

    #[test]
    fn an_unfinished_run_leaves_nothing() {
        let (folder, path) = place();
        let mut writer = Writer::create(&path, 1).expect("begun");
        writer.push(&[7]).expect("written");
        drop(writer);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
}

//! Sorting of more records than fit in memory: parts are sorted, written as runs, and merged.

use super::Failed;
use super::budget::Budget;
use super::folder::{Folder, RUN};
use super::records::{IN_PLACE, Merge, Stream, dedup, sort};
use super::run::{Run, Writer};
use std::fs;
use std::path::PathBuf;

/// Collects records in any order, and returns them sorted.
#[derive(Debug)]
pub struct Spill {
    folder: PathBuf,
    name: &'static str,
    width: usize,
    // Of records that are equal in this number of first words, only the least is kept.
    key: usize,
    most_streams: usize,
    buffer: Vec<u64>,
    most_words: usize,
    runs: Vec<Run>,
    made: usize,
}

impl Spill {
    /// Returns an empty collection of records with `width` words, which uses `bytes` bytes of memory. Of
    /// records that are equal in the first `key` words, one is kept. The names of files begin with `name`.
    pub fn new(
        folder: &Folder,
        name: &'static str,
        (width, key): (usize, usize),
        budget: &Budget,
        bytes: u64,
    ) -> Spill {
        // Wide records are copied while they are sorted.
        let bytes = if width > IN_PLACE {
            bytes * 2 / 5
        } else {
            bytes
        };
        let most_words = (bytes / 8) as usize / width * width;
        Spill {
            folder: folder.place(""),
            name,
            width,
            key,
            most_streams: budget.most_streams(),
            buffer: Vec::new(),
            most_words,
            runs: Vec::new(),
            made: 0,
        }
    }

    /// Adds consecutive records.
    ///
    /// # Errors
    /// If a run cannot be written.
    pub fn extend(&mut self, mut records: &[u64]) -> Result<(), Failed> {
        while !records.is_empty() {
            let room = self.most_words - self.buffer.len();
            let now = &records[..room.min(records.len())];
            self.reserve(now.len());
            self.buffer.extend_from_slice(now);
            records = &records[now.len()..];
            if self.buffer.len() == self.most_words {
                self.shrink()?;
            }
        }
        Ok(())
    }

    /// Adds a record, given in two parts.
    ///
    /// # Errors
    /// If a run cannot be written.
    #[inline]
    pub fn push(&mut self, first: &[u64], rest: &[u64]) -> Result<(), Failed> {
        self.reserve(self.width);
        self.buffer.extend_from_slice(first);
        self.buffer.extend_from_slice(rest);
        if self.buffer.len() == self.most_words {
            self.shrink()?;
        }
        Ok(())
    }

    /// Grows the buffer by doubling, but never beyond its limit.
    #[inline]
    fn reserve(&mut self, more: usize) {
        if self.buffer.capacity() - self.buffer.len() < more {
            let want = (self.buffer.len() * 2).clamp(self.buffer.len() + more, self.most_words);
            self.buffer.reserve_exact(want - self.buffer.len());
        }
    }

    fn sort(&mut self) {
        sort(&mut self.buffer, self.width);
        dedup(&mut self.buffer, self.width, self.key);
    }

    /// Sorts the buffer. If at least half of it remains, writes it to a run.
    fn shrink(&mut self) -> Result<(), Failed> {
        self.sort();
        if self.buffer.len() < self.most_words / 2 {
            return Ok(());
        }
        let mut writer = self.writer()?;
        for record in self.buffer.chunks_exact(self.width) {
            writer.push(record)?;
        }
        self.runs.push(writer.finish(false)?);
        self.buffer.clear();
        Ok(())
    }

    fn writer(&mut self) -> Result<Writer, Failed> {
        self.made += 1;
        let name = format!("{}-{}", self.name, self.made);
        Writer::create(&self.folder.join(name).with_extension(RUN), self.width)
    }

    /// Calls `each` with all records, in ascending order.
    ///
    /// # Errors
    /// If a run cannot be read or written, or `each` fails.
    pub fn each(
        mut self,
        mut each: impl FnMut(&[u64]) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        self.sort();
        while self.runs.len() >= self.most_streams {
            let some: Vec<Run> = self.runs.drain(..self.most_streams).collect();
            let mut writer = self.writer()?;
            merged(streams(&some)?, self.key, |record| writer.push(record))?;
            self.runs.push(writer.finish(false)?);
            remove(&some);
        }
        let mut streams = streams(&self.runs)?;
        streams.push(Stream::Memory(&self.buffer, self.width));
        merged(streams, self.key, &mut each)
    }
}

fn streams<'r>(runs: &[Run]) -> Result<Vec<Stream<'r>>, Failed> {
    runs.iter().map(Stream::of).collect()
}

/// Calls `each` with the records of all streams, in ascending order, but with only one of those that are
/// equal in the first `key` words.
pub fn merged(
    streams: Vec<Stream<'_>>,
    key: usize,
    mut each: impl FnMut(&[u64]) -> Result<(), Failed>,
) -> Result<(), Failed> {
    let mut merge = Merge::new(streams);
    let mut last: Vec<u64> = Vec::new();
    while let Some(head) = merge.head() {
        if last[..] != head[..key] {
            last.clear();
            last.extend_from_slice(&head[..key]);
            each(head)?;
        }
        merge.advance()?;
    }
    Ok(())
}

/// Removes files that are not needed any more. A file that cannot be removed is removed later.
pub fn remove(runs: &[Run]) {
    for run in runs {
        let _ = fs::remove_file(run.path());
    }
}

/// Removes the runs of the collection.
impl Drop for Spill {
    fn drop(&mut self) {
        remove(&self.runs);
    }
}

//! More records than memory holds: sorted in parts, written as runs, merged.

use super::Failed;
use super::budget::Budget;
use super::folder::{Folder, RUN};
use super::records::{IN_PLACE, Merge, Stream, dedup, sort};
use super::run::{Run, Writer};
use std::fs;
use std::path::PathBuf;

/// Collects records in any order, to give them back sorted.
#[derive(Debug)]
pub struct Spill {
    folder: PathBuf,
    name: &'static str,
    width: usize,
    // Of records equal in this number of first words only the least is kept.
    key: usize,
    most_streams: usize,
    buffer: Vec<u64>,
    most_words: usize,
    runs: Vec<Run>,
    made: usize,
}

impl Spill {
    /// Records of `width` words, one of those that are equal in the first `key`; this number of bytes of
    /// memory. `name` begins the names of files.
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

    /// Adds records that follow each other.
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

    /// Grows by doubling, but never beyond what is allowed.
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

    /// Sorts what is there; if it is still much, writes it.
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

    /// Hands all records to `each`, in order.
    ///
    /// # Errors
    /// If a run cannot be read or written, or as `each` says.
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

/// Returns all records of some streams in order, one of those that are equal in the first `key` words.
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

/// Removes files that are not needed any more; one that stays is removed later.
pub fn remove(runs: &[Run]) {
    for run in runs {
        let _ = fs::remove_file(run.path());
    }
}

/// Whatever happens to them, their runs go with them.
impl Drop for Spill {
    fn drop(&mut self) {
        remove(&self.runs);
    }
}

//! Sorted records in memory, one after the other in one vector: sorting them, removing duplicates, and
//! merging them with records on disk.

use super::Failed;
use super::run::{Run, RunReader};
use rayon::slice::ParallelSliceMut;
use std::cmp::Ordering;

/// Sorts records of `width` words, which are compared word by word. Records of more than [`IN_PLACE`] words
/// are copied in the process.
pub fn sort(records: &mut Vec<u64>, width: usize) {
    match width {
        1 => records.par_sort_unstable(),
        2 => records.as_chunks_mut::<2>().0.par_sort_unstable(),
        3 => records.as_chunks_mut::<3>().0.par_sort_unstable(),
        4 => records.as_chunks_mut::<4>().0.par_sort_unstable(),
        _ => {
            let record = |&n: &u32| &records[n as usize * width..][..width];
            let mut order: Vec<u32> = (0..(records.len() / width) as u32).collect();
            order.par_sort_unstable_by(|a, b| record(a).cmp(record(b)));
            let sorted = order.iter().flat_map(record).copied().collect();
            *records = sorted;
        }
    }
}

/// The maximum number of words of a record that is sorted in place.
pub const IN_PLACE: usize = 4;

/// Keeps only the first of the records that are equal in their first `key` words.
pub fn dedup(records: &mut Vec<u64>, width: usize, key: usize) {
    if width == 1 {
        return records.dedup();
    }
    let mut kept = 0;
    for at in (0..records.len()).step_by(width) {
        if kept == 0 || records[kept - width..][..key] != records[at..at + key] {
            records.copy_within(at..at + width, kept);
            kept += width;
        }
    }
    records.truncate(kept);
}

/// Sorted records, from disk or from memory.
#[derive(Debug)]
pub enum Stream<'r> {
    /// From disk.
    Run(Box<RunReader>),
    /// From memory: the remaining records, and their width in words.
    Memory(&'r [u64], usize),
}

impl Stream<'_> {
    /// Returns the stream of a run's records.
    ///
    /// # Errors
    /// If the run cannot be read or is damaged.
    pub fn of(run: &Run) -> Result<Stream<'static>, Failed> {
        Ok(Stream::Run(Box::new(run.reader()?)))
    }

    #[inline]
    fn head(&self) -> Option<&[u64]> {
        match self {
            Stream::Run(reader) => reader.head(),
            Stream::Memory(records, width) => records.get(..*width),
        }
    }

    #[inline]
    fn advance(&mut self) -> Result<(), Failed> {
        match self {
            Stream::Run(reader) => reader.advance()?,
            Stream::Memory(records, width) => *records = &records[*width..],
        }
        Ok(())
    }
}

/// Merges sorted streams into one, in ascending order.
#[derive(Debug)]
pub struct Merge<'r> {
    streams: Vec<Stream<'r>>,
    // A binary heap of the streams that have a record left, each with the first word of that record.
    heap: Vec<(u64, u32)>,
}

impl<'r> Merge<'r> {
    /// Begins to merge.
    pub fn new(streams: Vec<Stream<'r>>) -> Merge<'r> {
        let mut merge = Merge {
            heap: Vec::new(),
            streams,
        };
        for (n, stream) in merge.streams.iter().enumerate() {
            if let Some(head) = stream.head() {
                merge.heap.push((head[0], n as u32));
            }
        }
        for at in (0..merge.heap.len() / 2).rev() {
            merge.sift_down(at);
        }
        merge
    }

    /// Returns the lowest record left.
    #[inline]
    pub fn head(&self) -> Option<&[u64]> {
        self.streams[self.heap.first()?.1 as usize].head()
    }

    /// Advances to the next record.
    ///
    /// # Errors
    /// If a run cannot be read or is damaged.
    #[inline]
    pub fn advance(&mut self) -> Result<(), Failed> {
        let Some(&(_, n)) = self.heap.first() else {
            return Ok(());
        };
        let stream = &mut self.streams[n as usize];
        stream.advance()?;
        match stream.head() {
            Some(head) => self.heap[0].0 = head[0],
            None => {
                self.heap.swap_remove(0);
            }
        }
        self.sift_down(0);
        Ok(())
    }

    #[inline]
    fn less(&self, a: (u64, u32), b: (u64, u32)) -> bool {
        match a.0.cmp(&b.0) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => {
                let head = |n: u32| self.streams[n as usize].head();
                (head(a.1), a.1) < (head(b.1), b.1)
            }
        }
    }

    fn sift_down(&mut self, mut at: usize) {
        loop {
            let mut least = at;
            for below in [2 * at + 1, 2 * at + 2] {
                if below < self.heap.len() && self.less(self.heap[below], self.heap[least]) {
                    least = below;
                }
            }
            if least == at {
                return;
            }
            self.heap.swap(at, least);
            at = least;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn sorting_and_dedup_agree_with_vectors(width: usize, words: Vec<u8>) -> bool {
            let width = width % 6 + 1;
            let mut records: Vec<u64> = words.iter().map(|&w| u64::from(w % 5)).collect();
            records.truncate(records.len() / width * width);
            let mut plain: Vec<Vec<u64>> = records.chunks(width).map(<[u64]>::to_vec).collect();
            plain.sort();
            sort(&mut records, width);
            let sorted = records == plain.concat();
            let key = width.div_ceil(2);
            plain.dedup_by(|a, b| a[..key] == b[..key]);
            dedup(&mut records, width, key);
            sorted && records == plain.concat()
        }

        fn merging_agrees_with_sorting(parts: Vec<Vec<u8>>) -> bool {
            let mut parts: Vec<Vec<u64>> = parts
                .iter()
                .map(|part| {
                    let even = &part[..part.len() / 2 * 2];
                    even.iter().map(|&word| u64::from(word % 7)).collect()
                })
                .collect();
            let mut all = parts.concat();
            sort(&mut all, 2);
            parts.iter_mut().for_each(|part| sort(part, 2));
            let streams = parts.iter().map(|part| Stream::Memory(part, 2)).collect();
            let mut merge = Merge::new(streams);
            let mut merged = Vec::new();
            while let Some(head) = merge.head() {
                merged.extend_from_slice(head);
                merge.advance().expect("memory");
            }
            merged == all
        }
    }
}

//! Tables that stay on disk. Blocks of values are read on demand and kept in a cache of limited size, which
//! evicts blocks that were not used recently.

use control::container::Sections;
use diagnostics::Diagnostic;
use std::collections::VecDeque;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use values::Packed;

/// Values of a block, a power of two.
pub const BLOCK: usize = 1 << 16;

/// A cache for the values of tables, shared by all tables of a game.
#[derive(Debug)]
pub struct Room {
    bytes: u64,
    /// Memory of the process when the cache was created, in bytes.
    base_bytes: u64,
    /// Bytes of tables that are held whole.
    whole: AtomicU64,
    blocks: Mutex<Blocks>,
    /// The error of the first file that could not be read.
    trouble: Mutex<Option<Diagnostic>>,
}

/// The blocks in memory, the oldest first.
#[derive(Default, Debug)]
struct Blocks {
    bytes: u64,
    queue: VecDeque<(Weak<Paged>, u32, u64)>,
}

impl Room {
    /// Returns a cache of `bytes` bytes. Tables held whole may take up to half of it.
    pub fn new(bytes: u64) -> Room {
        /// The memory of an idle process, where the system does not report it.
        const USUAL_BYTES: u64 = 24 << 20;
        Room {
            bytes,
            base_bytes: control::process::resident_bytes().unwrap_or(USUAL_BYTES),
            whole: AtomicU64::new(0),
            blocks: Mutex::default(),
            trouble: Mutex::default(),
        }
    }

    /// Reserves `bytes` bytes for a table held whole. Returns false if such tables would exceed half of the
    /// cache.
    pub fn take(&self, bytes: u64) -> bool {
        let more = |held: u64| Some(held.saturating_add(bytes)).filter(|&b| b <= self.bytes / 2);
        self.whole
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, more)
            .is_ok()
    }

    /// Returns the bytes that a process needs in addition to its work: its memory at first, the cache, and
    /// the indices of `classes` classes on a board of `squares` squares. The figure is about equal in all
    /// runs, so that resumed work is cut into the same slices.
    pub fn taken_bytes(&self, threads: usize, classes: usize, squares: usize) -> u64 {
        /// Stacks, file buffers, and memory that the allocator reserves for each thread.
        const WORKING_BYTES: u64 = 8 << 20;
        const THREAD_BYTES: u64 = 4 << 20;
        /// Bytes of a class's index for each pair of squares.
        const PAIR_BYTES: u64 = 21;
        self.base_bytes
            + self.bytes
            + WORKING_BYTES
            + THREAD_BYTES * threads as u64
            + PAIR_BYTES * (squares * squares * classes) as u64
    }

    /// Returns the error of the first file that could not be read, if any. All values read since then are
    /// meaningless.
    pub fn trouble(&self) -> Result<(), Diagnostic> {
        let trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        trouble.clone().map_or(Ok(()), Err)
    }

    fn note(&self, error: Diagnostic) {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        trouble.get_or_insert(error);
    }

    /// Adds a block, and evicts others if the cache is full.
    fn add(&self, table: &Arc<Paged>, block: usize, bytes: u64) {
        let mut all = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        all.bytes += bytes;
        all.queue
            .push_back((Arc::downgrade(table), block as u32, bytes));
        let most = self
            .bytes
            .saturating_sub(self.whole.load(Ordering::Relaxed));
        // Each block is skipped at most once, and the newest one stays.
        for _ in 0..2 * all.queue.len() {
            if all.bytes <= most || all.queue.len() < 2 {
                break;
            }
            let Some((owner, n, bytes)) = all.queue.pop_front() else {
                break;
            };
            if let Some(table) = owner.upgrade() {
                let block = &table.blocks[n as usize];
                if block.asked.swap(false, Ordering::Relaxed) {
                    all.queue.push_back((owner, n, bytes));
                    continue;
                }
                let mut values = block.values.write().unwrap_or_else(PoisonError::into_inner);
                *values = None;
            }
            all.bytes -= bytes;
        }
    }
}

/// The values of a block while they are in memory.
#[derive(Default, Debug)]
struct Block {
    asked: AtomicBool,
    values: RwLock<Option<Box<[u16]>>>,
}

/// The values of a table in a file.
#[derive(Debug)]
pub struct Paged {
    path: PathBuf,
    indices: u64,
    sections: Sections,
    blocks: Vec<Block>,
    room: Arc<Room>,
}

impl Paged {
    /// Returns the table in a file whose first sections are the blocks.
    pub fn new(path: PathBuf, indices: u64, sections: Sections, room: Arc<Room>) -> Paged {
        let blocks = (0..sections.len()).map(|_| Block::default());
        Paged {
            path,
            indices,
            blocks: blocks.collect(),
            sections,
            room,
        }
    }

    /// Returns the value at an index. If the file cannot be read, returns an open value, and `Room::trouble`
    /// reports the error.
    pub fn get(self: &Arc<Paged>, index: u64) -> Packed {
        let block = &self.blocks[index as usize / BLOCK];
        let values = block.values.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(values) = &*values {
            if !block.asked.load(Ordering::Relaxed) {
                block.asked.store(true, Ordering::Relaxed);
            }
            return Packed(values[index as usize % BLOCK]);
        }
        drop(values);
        self.load(index as usize / BLOCK, |values| {
            Packed(values[index as usize % BLOCK])
        })
        .unwrap_or(Packed::OPEN)
    }

    /// Calls `visit` with the values of consecutive indices, block by block, each with its first index. Skips
    /// blocks that cannot be read; `Room::trouble` reports the error.
    pub fn read_range(self: &Arc<Paged>, indices: Range<u64>, mut visit: impl FnMut(u64, &[u16])) {
        let mut first = indices.start;
        while first < indices.end {
            let (n, at) = (first as usize / BLOCK, first as usize % BLOCK);
            let end = indices.end.min(((n + 1) * BLOCK) as u64);
            let part = at..at + (end - first) as usize;
            let values = self.blocks[n]
                .values
                .read()
                .unwrap_or_else(PoisonError::into_inner);
            if let Some(values) = &*values {
                visit(first, &values[part]);
            } else {
                drop(values);
                self.load(n, |values| visit(first, &values[part]));
            }
            first = end;
        }
    }

    /// Reads a block and passes its values to `visit`, unless it cannot be read.
    #[cold]
    fn load<T>(self: &Arc<Paged>, n: usize, visit: impl FnOnce(&[u16]) -> T) -> Option<T> {
        let values = match self.read(n) {
            Ok(values) => values,
            Err(error) => {
                self.room.note(error);
                return None;
            }
        };
        let (result, bytes) = (visit(&values), 2 * values.len() as u64);
        let mut place = self.blocks[n]
            .values
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let fresh = place.is_none();
        if fresh {
            *place = Some(values);
        }
        drop(place);
        if fresh {
            self.room.add(self, n, bytes);
        }
        Some(result)
    }

    fn read(&self, n: usize) -> Result<Box<[u16]>, Diagnostic> {
        let wrong = |why: String| {
            Diagnostic::new(format!("table file {}", self.path.display()), why)
                .help("`fairyproof table build` builds it again")
        };
        let mut buffer = Vec::new();
        // Opened each time, because systems do not allow thousands of open files, one for each class.
        let file = control::files::open(&self.path);
        let bytes = file.and_then(|file| self.sections.load(&file, n, &mut buffer));
        let bytes = bytes.map_err(|e| wrong(format!("cannot be read: {e}")))?;
        let wanted = BLOCK.min((self.indices - (n * BLOCK) as u64) as usize);
        unpack(bytes, wanted)
            .map(Vec::into_boxed_slice)
            .ok_or_else(|| wrong("a block is damaged".to_string()))
    }
}

/// Returns the `len` values of a block, or `None` if the block is damaged.
pub(super) fn unpack(block: &[u8], len: usize) -> Option<Vec<u16>> {
    let bytes = lz4_flex::block::decompress(block, 2 * len).ok()?;
    if bytes.len() != 2 * len {
        return None;
    }
    let (low, high) = bytes.split_at(len);
    Some(
        low.iter()
            .zip(high)
            .map(|(&low, &high)| u16::from(low) | u16::from(high) << 8)
            .collect(),
    )
}

//! The memory for buffers, which keeps the whole process within its limit.

use super::Failed;
use super::run::BLOCK_BYTES;
use control::process::resident_bytes;
use diagnostics::Diagnostic;

/// Minimum memory for buffers, in bytes.
pub const MIN_BYTES: u64 = 2 << 20;

/// Minimum memory of a process in addition to buffers, once its code is loaded. At the start less is
/// resident, because the system loads code when it first runs.
const LOADED_BYTES: u64 = 20 << 20;

/// Additional memory during the work: stacks, blocks of files.
const WORKING_BYTES: u64 = 5 << 20;

/// Additional memory for each thread but the first, which the allocator reserves.
const THREAD_BYTES: u64 = 4 << 20;

/// Memory for buffers.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub(super) bytes: u64,
}

impl Budget {
    /// Returns the budget, given the limit `memory_bytes` for the whole process.
    ///
    /// # Errors
    /// If too little memory remains for buffers.
    pub fn new(memory_bytes: u64) -> Result<Budget, Failed> {
        let threads = rayon::current_num_threads().max(1) as u64;
        let resident = resident_bytes().unwrap_or(0).max(LOADED_BYTES);
        let taken = resident + WORKING_BYTES + (threads - 1) * THREAD_BYTES;
        // Half is for the allocator, which may keep all the memory that one thread has freed while another
        // thread requests new memory.
        let bytes = memory_bytes.saturating_sub(taken) / 2;
        if bytes < MIN_BYTES {
            let why = format!(
                "{}M are too little for a search on disk",
                memory_bytes >> 20
            );
            let least = taken + 2 * MIN_BYTES;
            return Err(Diagnostic::new("memory", why)
                .help(format!("at least {}M", least.div_ceil(1 << 20)))
                .into());
        }
        Ok(Budget { bytes })
    }

    /// Returns `n` sixteenths of the budget in bytes.
    pub fn sixteenths(&self, n: u64) -> u64 {
        self.bytes / 16 * n
    }

    /// Returns the maximum number of runs that may be merged at a time.
    pub fn most_streams(&self) -> usize {
        let a_stream = BLOCK_BYTES as u64 * 5 / 4;
        (self.sixteenths(2) / a_stream).clamp(4, 512) as usize
    }
}

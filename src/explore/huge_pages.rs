//! Huge pages for large tables.
//!
//! A table of hundreds of megabytes is read in random places, and with pages of 4 KiB nearly
//! every read misses the processor's page cache (TLB) in addition to its data caches. Some systems
//! provide huge pages only on request; this module requests them. It affects speed, never results.

/// Bytes of memory for which it is worth the call.
const MIN_BYTES: usize = 4 << 20;
/// A multiple of the size of a small page, to which requests are aligned.
const PAGE_BYTES: usize = 1 << 16;

/// Returns a vector of equal values on huge pages.
pub fn filled<T: Clone>(value: T, values: usize) -> Vec<T> {
    let mut list = Vec::with_capacity(values);
    ask(list.spare_capacity_mut());
    list.resize(values, value);
    list
}

/// Requests huge pages for the capacity of a vector, which should not have been written to.
pub fn ask<T>(room: &[std::mem::MaybeUninit<T>]) {
    let bytes = std::mem::size_of_val(room);
    if bytes < MIN_BYTES {
        return;
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        let start = room.as_ptr().addr();
        let skipped = start.next_multiple_of(PAGE_BYTES) - start;
        let first = room.as_ptr().wrapping_byte_add(skipped);
        // SAFETY: the pages from the first whole one on are in memory that is the caller's, and this
        // advice changes nothing of what they hold (madvise(2)). A system without it says so.
        let _ = unsafe {
            madvise(
                first.cast_mut().cast(),
                bytes - skipped,
                Advice::LinuxHugepage,
            )
        };
    }
}

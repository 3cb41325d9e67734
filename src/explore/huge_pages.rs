//! Huge pages for large tables.
//!
//! A table of hundreds of megabytes is read at random places. With pages of 4 KiB, nearly every read misses
//! the processor's page cache (TLB) in addition to its data caches. Some systems provide huge pages only on
//! request; this module requests them. The request affects speed, never results.

/// The minimum size in bytes for which a request is worth the system call.
const MIN_BYTES: usize = 4 << 20;
/// The alignment of requests in bytes, a multiple of the size of a small page.
const PAGE_BYTES: usize = 1 << 16;

/// Returns a vector of `values` copies of `value`, on huge pages if the system provides them.
pub fn filled<T: Clone>(value: T, values: usize) -> Vec<T> {
    let mut list = Vec::with_capacity(values);
    request(list.spare_capacity_mut());
    list.resize(values, value);
    list
}

/// Requests huge pages for the spare capacity of a vector. The request has no effect on pages that were
/// already written to.
pub fn request<T>(memory: &[std::mem::MaybeUninit<T>]) {
    let bytes = std::mem::size_of_val(memory);
    if bytes < MIN_BYTES {
        return;
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        let start = memory.as_ptr().addr();
        let skipped = start.next_multiple_of(PAGE_BYTES) - start;
        let first = memory.as_ptr().wrapping_byte_add(skipped);
        // SAFETY: the pages from the first whole one on are in memory of the caller, and this advice does not
        // change their content (madvise(2)). A system without huge pages returns an error, which is ignored.
        let _ = unsafe {
            madvise(
                first.cast_mut().cast(),
                bytes - skipped,
                Advice::LinuxHugepage,
            )
        };
    }
}

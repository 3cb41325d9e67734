//! Memory: an allocator for refused requests, and prefetching.
//!
//! The program installs [`Allocator`], which calls a function of the program when the system refuses memory.
//! If the address space is limited (`ulimit -v`), a run then ends with a message instead of an abort. Within
//! [`fallible`], refused requests fail as usual, for code that can continue with less memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Whether the code that runs on this thread handles refused requests itself.
    static FALLIBLE: Cell<bool> = const { Cell::new(false) };
}

/// Prefetches a word into the processor's cache, without waiting for it.
#[inline(always)]
pub fn prefetch<T>(word: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch only changes the content of the cache.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}

/// Runs code that handles refused requests for memory itself.
pub fn fallible<T>(work: impl FnOnce() -> T) -> T {
    struct Reset(bool);
    impl Drop for Reset {
        fn drop(&mut self) {
            FALLIBLE.set(self.0);
        }
    }
    let _reset = Reset(FALLIBLE.replace(true));
    work()
}

/// The system's allocator, with a function that is called to end the process if memory is refused.
#[derive(Debug)]
pub struct Allocator {
    /// The function that ends the process. Receives the number of bytes that were refused, and must not
    /// allocate memory.
    refused: fn(usize) -> !,
}

impl Allocator {
    /// Returns the allocator. `refused` must not allocate memory.
    pub const fn new(refused: fn(usize) -> !) -> Allocator {
        Allocator { refused }
    }

    #[inline]
    fn checked(&self, memory: *mut u8, bytes: usize) -> *mut u8 {
        if memory.is_null() {
            self.refuse(bytes);
        }
        memory
    }

    #[cold]
    fn refuse(&self, bytes: usize) {
        // If `refused` allocates memory in spite of its contract, a second refusal fails as usual.
        if !FALLIBLE.replace(true) {
            (self.refused)(bytes);
        }
    }
}

// SAFETY: every method passes its arguments on to `System` and returns the result unchanged.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to the contract of `GlobalAlloc::alloc`.
        self.checked(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps to the contract of `GlobalAlloc::dealloc`.
        unsafe { System.dealloc(memory, layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to the contract of `GlobalAlloc::alloc_zeroed`.
        self.checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: the caller keeps to the contract of `GlobalAlloc::realloc`.
        self.checked(unsafe { System.realloc(memory, layout, bytes) }, bytes)
    }
}

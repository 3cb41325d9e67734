//! Work divided among threads, with the results in order.
//!
//! Relies on rayon. Closures are passed as `dyn`, so that rayon's generic code is compiled here once instead
//! of once for each layout and each kind of work. Results never depend on the number of threads.

use crate::{Stopped, evaluation};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Calls `work` for each piece from 0 to `pieces` - 1 on the threads of the caller's pool. Returns the
/// results in order.
pub fn map<T: Send>(pieces: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    map_by(pieces, usize::MAX, work)
}

/// Calls `work` for each of `things` on the threads of the caller's pool. Returns the results in order.
pub fn map_all<I: Sync, T: Send>(things: &[I], work: impl Fn(&I) -> T + Sync) -> Vec<T> {
    map(things.len(), |at| work(&things[at]))
}

/// Like [`map`], but for few pieces that take long: a thread takes one piece at a time.
pub fn map_long<T: Send>(pieces: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    map_by(pieces, 1, work)
}

fn map_by<T: Send>(pieces: usize, at_once: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let results: Vec<Mutex<Option<T>>> = (0..pieces).map(|_| Mutex::new(None)).collect();
    each(pieces, at_once, &|piece| {
        let result = work(piece);
        *results[piece]
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
    let results = results.into_iter();
    results
        .filter_map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect()
}

/// Like [`map`], but for work that can fail. Once a piece has failed, no other piece begins.
///
/// # Errors
/// The error of the failed piece with the lowest number.
pub fn try_map<T: Send, E: Send>(
    pieces: usize,
    work: impl Fn(usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let failed = AtomicBool::new(false);
    let results = map(pieces, |piece| {
        if failed.load(Ordering::Relaxed) {
            return None;
        }
        let result = work(piece);
        if result.is_err() {
            failed.store(true, Ordering::Relaxed);
        }
        Some(result)
    });
    results.into_iter().flatten().collect()
}

/// Calls `work` for each of `things` on the threads of the caller's pool. A thread takes one at a time.
pub fn each_mut<T: Send>(things: &mut [T], work: impl Fn(&mut T) + Sync) {
    let things: Vec<Mutex<&mut T>> = things.iter_mut().map(Mutex::new).collect();
    each(things.len(), 1, &|at| {
        work(&mut things[at].lock().unwrap_or_else(PoisonError::into_inner));
    });
}

/// Calls `work` for each piece. A thread takes at most `at_once` pieces at a time.
fn each(pieces: usize, at_once: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..pieces)
        .into_par_iter()
        .with_max_len(at_once)
        .for_each(work);
}

/// The stack size of each thread in bytes. Searches recurse along lines of play, which may be a hundred turns
/// long.
pub const STACK_BYTES: usize = 32 << 20;

/// Returns the number of processors, at least 1.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns a pool of `threads` threads, or of fewer if the system does not start as many or the address space
/// is too small for them. If no thread starts, the pool consists of the caller's thread. Returns `None` if
/// the caller's thread is already part of a pool.
///
/// # Panics
/// If `threads` is 0.
pub fn pool(threads: usize) -> Option<ThreadPool> {
    assert!(threads > 0, "a pool needs a thread");
    let mut threads = threads;
    let with = |threads| {
        let due = evaluation::armed_with();
        ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK_BYTES)
            .start_handler(move |_| evaluation::arm(due.clone()))
    };
    while threads > 0 {
        if has_room(threads)
            && let Ok(pool) = with(threads).build()
        {
            return Some(pool);
        }
        threads /= 2;
    }
    with(1).use_current_thread().build().ok()
}

/// Returns whether the address space has room for `threads` threads and a reserve. Without the reserve, in a
/// limited address space, the last thread that starts would leave too little for the rest of the process,
/// which would be aborted.
pub(crate) fn has_room(threads: usize) -> bool {
    /// The bytes that an allocator reserves for each thread; also the reserve for the rest of the process.
    const RESERVE_BYTES: usize = 64 << 20;
    let wanted = threads
        .saturating_mul(STACK_BYTES + RESERVE_BYTES)
        .saturating_add(RESERVE_BYTES);
    // The memory is reserved and released without being touched. `black_box` prevents the optimizer from
    // removing the reservation.
    let mut room = Vec::<u8>::new();
    let fits = crate::memory::fallible(|| room.try_reserve_exact(wanted).is_ok());
    std::hint::black_box(&room);
    fits
}

/// Calls `work` in a [`pool`] of `threads` threads.
///
/// # Panics
/// If `threads` is 0.
pub fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let Some(pool) = pool(threads) else {
        return work();
    };
    let (mut work, mut result) = (Some(work), None);
    install(&pool, &mut || result = work.take().map(|work| work()));
    evaluation::reported();
    result.unwrap_or_else(|| unreachable!("a pool does what it is given"))
}

fn install(pool: &ThreadPool, work: &mut (dyn FnMut() + Send)) {
    pool.install(work);
}

/// Calls `work`, such as a search that recurses deeply, on a new thread with a stack of `bytes` bytes.
///
/// # Errors
/// If the system does not start a thread.
pub fn on_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> Result<T, Stopped> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(bytes);
        let thread = thread
            .spawn_scoped(scope, evaluation::inherited(work))
            .map_err(|_| Stopped::Threads)?;
        let result = thread.join();
        evaluation::reported();
        Ok(result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Calls `work` once on each thread of the caller's pool.
pub fn everywhere(work: &(dyn Fn() + Sync)) {
    rayon::broadcast(|_| work());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_pieces() {
        let squares = in_pool(3, || map(1000, |n| n * n));
        assert!(squares.into_iter().eq((0..1000).map(|n| n * n)));
    }

    #[test]
    fn things_are_changed_in_place() {
        let mut numbers: Vec<u32> = (0..1000).collect();
        in_pool(3, || each_mut(&mut numbers, |n| *n *= 2));
        assert!(numbers.into_iter().eq((0..1000).map(|n| 2 * n)));
    }

    #[test]
    fn an_error_ends_the_work() {
        let run = |worst: usize| try_map(1000, |n| if n == worst { Err(n) } else { Ok(n) });
        assert_eq!(run(700), Err(700));
        assert_eq!(run(1000).map(|all| all.len()), Ok(1000));
    }
}

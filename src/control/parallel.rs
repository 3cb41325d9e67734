//! Pieces of work shared out among threads, with their results in order.
//!
//! The generic machinery of rayon is compiled here once, behind `dyn`, and not for each layout and
//! each kind of work.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Does the pieces 0 to `pieces` - 1 on the threads of the caller's pool; their results in order.
pub fn map<T: Send>(pieces: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    map_by(pieces, usize::MAX, work)
}

/// Returns what comes of each of these things, in order, on the threads of the caller's pool.
pub fn map_all<I: Sync, T: Send>(things: &[I], work: impl Fn(&I) -> T + Sync) -> Vec<T> {
    map(things.len(), |at| work(&things[at]))
}

/// Returns as [`map`], for few and long pieces: no thread takes several at a time.
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

/// The same for work that may fail: once a piece has failed no other one begins.
///
/// # Errors
/// That of the first of the pieces that failed.
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

/// `at_once` is the most pieces that a thread takes before others may have some of them.
fn each(pieces: usize, at_once: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..pieces)
        .into_par_iter()
        .with_max_len(at_once)
        .for_each(work);
}

/// Bytes of the stack of each thread: lines of play may be a hundred turns long.
pub const STACK_BYTES: usize = 32 << 20;

/// Returns a pool of `threads` threads (0: one for each processor), or of as many of them as the system lets
/// start and the address space has room for. If it lets none start, the caller's own thread is the pool;
/// `None` if it is one already.
pub fn pool(threads: usize) -> Option<ThreadPool> {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    let mut threads = if threads == 0 { all() } else { threads };
    let with = |threads| {
        ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK_BYTES)
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

/// Returns whether the address space has room for `threads` threads and a reserve: where it is limited,
/// the last thread that can start leaves too little for anything else, and the process would be aborted.
fn has_room(threads: usize) -> bool {
    /// What allocators set aside for each thread, and what everything else may need.
    const ASIDE_BYTES: usize = 64 << 20;
    let wanted = threads
        .saturating_mul(STACK_BYTES + ASIDE_BYTES)
        .saturating_add(ASIDE_BYTES);
    // Reserved and freed, never touched; without the black box the optimizer would remove it.
    let mut room = Vec::<u8>::new();
    let fits = room.try_reserve_exact(wanted).is_ok();
    std::hint::black_box(&room);
    fits
}

/// Runs some work in a [`pool`] of `threads` threads.
pub fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let Some(pool) = pool(threads) else {
        return work();
    };
    let (mut work, mut result) = (Some(work), None);
    install(&pool, &mut || result = work.take().map(|work| work()));
    result.unwrap_or_else(|| unreachable!("a pool does what it is given"))
}

fn install(pool: &ThreadPool, work: &mut (dyn FnMut() + Send)) {
    pool.install(work);
}

/// Does the same work on each thread of the caller's pool.
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
    fn an_error_ends_the_work() {
        let run = |worst: usize| try_map(1000, |n| if n == worst { Err(n) } else { Ok(n) });
        assert_eq!(run(700), Err(700));
        assert_eq!(run(1000).map(|all| all.len()), Ok(1000));
    }
}

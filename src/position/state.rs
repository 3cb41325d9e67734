//! The words of a variant state. Nearly all states fit in one word, which is part of every position. A layout
//! may add further words.

use std::fmt::Debug;
use std::hash::Hash;

/// The maximum number of words of a state. Eight words suffice for 25 kinds in the hands of both sides, with
/// up to 255 units of each kind, and for all counters.
pub const STATE_WORDS: usize = 8;

/// A state of the maximum size.
pub type StateWords = [u64; STATE_WORDS];

/// The words of a state after its first one.
pub trait MoreState: Copy + Eq + Hash + Debug + Default + Send + Sync + 'static {
    /// The number of words.
    const WORDS: usize;

    /// Returns the words.
    fn words(&self) -> &[u64];

    /// Returns the words, mutably.
    fn words_mut(&mut self) -> &mut [u64];
}

impl MoreState for () {
    const WORDS: usize = 0;

    #[inline(always)]
    fn words(&self) -> &[u64] {
        &[]
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        &mut []
    }
}

impl<const N: usize> MoreState for [u64; N]
where
    [u64; N]: Default,
{
    const WORDS: usize = N;

    #[inline(always)]
    fn words(&self) -> &[u64] {
        self
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        self
    }
}

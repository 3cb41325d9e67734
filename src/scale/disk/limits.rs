//! The bounds of a search on disk, in addition to those of [`control::Control`].

/// The bounds of a search on disk.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most states. With this limit, states are numbered in the order in which the search in memory
    /// finds them, which takes time.
    pub max_states: Option<u64>,
    /// The deepest level that is reached, in turns from the root.
    pub max_depth: u32,
}

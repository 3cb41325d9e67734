//! The limits of a search on disk, in addition to those of [`control::Control`].

/// The limits of a search on disk.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum number of states. With this limit, states are numbered in the order in which the search in
    /// memory finds them, which takes time.
    pub max_states: Option<u64>,
    /// Maximum depth, in plies from the root.
    pub max_depth: u32,
}

//! The bounds of an exploration, in addition to those of [`control::Control`].

/// The bounds of an exploration. The result names the one that stopped it.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most states, at most 2^32 - 2.
    pub max_states: u64,
    /// The deepest level that is reached, in turns from the root.
    pub max_depth: u32,
    /// Whether edges are kept.
    pub edges: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_states: u64::from(u32::MAX),
            max_depth: u32::MAX,
            edges: true,
        }
    }
}

/// How far an exploration is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// States found.
    pub states: u64,
    /// States whose turns have been generated.
    pub expanded: u64,
    /// Turns generated.
    pub edges: u64,
    /// The depth of the states that are being expanded, in turns.
    pub depth: u32,
}

impl Progress {
    /// Reports the progress to an observer.
    pub fn report(&self, observer: &dyn control::Observer) {
        observer.progress(&control::Progress {
            phase: "exploring",
            done: self.states,
            total: None,
            unit: "states",
            detail: format_args!(
                "depth {}, {} left, {} edges",
                self.depth,
                self.states - self.expanded,
                self.edges
            ),
        });
    }
}

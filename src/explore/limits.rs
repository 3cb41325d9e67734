//! The bounds of an exploration, in addition to those of [`control::Control`].

/// The bounds of an exploration. The result names the bound that stopped it.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum number of states; values above 2^32 - 2 count as 2^32 - 2.
    pub max_states: u64,
    /// The depth of the deepest level, in turns from the root.
    pub max_depth: u32,
    /// Whether edges are stored.
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

/// The progress of an exploration.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The number of states found.
    pub states: u64,
    /// The number of states whose turns have been generated.
    pub expanded: u64,
    /// The number of turns generated.
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

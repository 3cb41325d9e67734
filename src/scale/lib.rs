//! Exploring and solving graphs that do not fit in the memory of one process. The search is that of
//! [`explore::explore()`], and its results are equal to the last byte.
//!
//! * [`workers`]: the states are divided among threads, processes and machines.
//! * [`disk`]: the states are in sorted files, and new states are found by merging.
//!
//! Each module is a [`Frontier`](explore::Frontier) of the one search in `explore`, so it returns the same
//! [`Summary`](explore::Summary). Values are found on disk alone, as a [`SolvedSummary`]. Both modules access a
//! game only through an [`Expander`](explore::Expander), which takes keys and returns the keys that turns lead
//! to. So nothing here is compiled again for each layout of positions.

pub mod disk;
mod predecessor;
mod summary;
pub mod workers;

pub use summary::{Farthest, SolvedSummary, Ties};

use control::counted;
use diagnostics::Diagnostic;
use std::path::Path;

/// Checks that a folder holds no more complete levels and states than the limits allow, which follow them.
/// Figures and answers are about all that a folder holds, so a search with lower limits needs another folder.
fn check_limits(
    option: &str,
    folder: &Path,
    (levels, max_depth): (u64, u32),
    (states, max_states): (u64, u64),
) -> Result<(), Diagnostic> {
    let (held, limit) = match (levels > max_depth.into(), states > max_states) {
        (true, _) => {
            let levels = counted(levels, "complete level", "complete levels");
            (levels, format!("depth {max_depth}"))
        }
        (_, true) => (counted(states, "state", "states"), max_states.to_string()),
        _ => return Ok(()),
    };
    let folder = folder.display();
    let why = format!("`{folder}` holds {held} already; the limit is {limit}");
    Err(Diagnostic::new(option, why).help("raise the limit, or name another folder"))
}

//! Endgame tables: the value and the distance, under best play, of every placement of a few units and of all
//! material that follows from them.
//!
//! Turns and outcomes come from `rules`, solving from [`values`]. The crate never prints; it reports progress
//! to the observer of a [`Control`](control::Control).
//!
//! * [`Signature`]: the units that a user names, such as `KRvK`.
//! * [`Class`]: the positions with one signature, side to move and variant state, with a dense index.
//! * [`Tables`]: the tables of a game on a board, in memory and on disk; probing and lines.
//! * [`endings`]: the signatures that a rule set has.
//! * [`build`]: finds which classes lead to which, and solves them group by group.
//! * [`certify`]: re-checks a table by forward generation, without the builder's passes.
//!
//! Captures, promotions, exiles, drops and counters lead from one class to others. Classes that lead to each
//! other form a group. A group is solved after all groups that it leads to. A group that does not fit in
//! memory is solved in a folder, and the tables that it leads to stay on disk.

pub(crate) mod build;
mod build_lock;
pub(crate) mod certify;
mod class;
mod class_table;
mod disk;
pub(crate) mod endings;
mod failed;
mod files;
mod forward;
mod group;
mod key;
mod paged;
mod planes;
mod probe;
mod query;
mod retro;
mod signature;
pub(crate) mod stats;
mod store;
mod symmetry;
mod tables;
mod values_only;

pub use build::{Built, Plan, build, build_here, build_within, plan};
pub use certify::{Certificates, certify};
pub use class::{Class, Placed, has_astray_pawns, is_valid_fen_position};
pub use class_table::Table;
pub use endings::{endings, goes_on, materials};
pub use failed::Failed;
pub use key::{ClassKey, MAX_UNITS};
pub use position::Layout;
pub use probe::{Probe, ProbeCache, TurnValue};
pub use query::{
    FoundPosition, PositionVisitor, Query, QueryError, SubjectVisitor, TablePart, find_positions,
    table_parts,
};
pub use signature::Signature;
pub use stats::{Counting, Extreme, SideStats, has_positions, longest, stats};
pub use store::{Listed, PROGRAM_LAW, Store, StoredForm, default_folder};
pub use tables::Tables;
pub use values_only::{
    ValueReader, ValuesOnlyTable, WorthProbe, WorthTurn, Written, value_stats, word_of,
    write_values,
};

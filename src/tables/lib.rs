//! Endgame tables: every placement of some units, and of all that they can become, with its value
//! and distance under best play.
//!
//! * [`Signature`]: what the user requests, such as `KRvK`.
//! * [`Class`]: positions that differ only in placement, with a dense index.
//! * [`Tables`]: the tables of a game on a board, in memory and on disk; probing and lines.
//! * [`endings`]: which signatures a rule set has.
//! * [`build`]: which classes follow from which, and their values, group by group.
//! * [`certify`]: re-checks a table by forward generation, with the builder's code out of play.
//!
//! A class is closed under nothing: captures, promotions, exiles, drops, counters lead to other
//! classes. Classes that lead to each other are solved together, all others before. Where the memory
//! does not hold them, they are solved in a folder, and the tables that they lead to stay on disk.

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

pub use build::{Built, Plan, build, build_here, build_within, plan};
pub use certify::{Certificate, certify};
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
pub use stats::{SideStats, longest_wins, stats};
pub use store::{Listed, PROGRAM_LAW, Store, default_folder};
pub use tables::Tables;

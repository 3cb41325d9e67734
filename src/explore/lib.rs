//! Explores games: the graph of reachable positions and its structure, [`perft`] (counts of lines, without a
//! graph) and [`playouts()`] (random games).
//!
//! The algorithms of petgraph run on [`GameGraph`] and on its copies as types of petgraph. Other crates do
//! not need petgraph, because the results of [`bottlenecks()`] and [`condensation()`] are plain types.
//! Nothing here values states or prints.

mod beam;
mod bottlenecks;
mod breadth_first;
mod condensation;
mod graph;
pub mod huge_pages;
mod limits;
pub mod perft;
mod playouts;
mod query;
mod reverse_edges;
mod search;
mod states;
mod steps;
mod structure;
mod successors;

pub use beam::{Beam, beam};
pub use bottlenecks::{Bottlenecks, bottlenecks, reaches_without};
pub use breadth_first::{DepthRow, Frontier, LevelCount, Summary, search_levels};
pub use condensation::{Condensation, condensation};
pub use fixedbitset::FixedBitSet;
pub use graph::{GameGraph, StateNode};
pub use limits::{Limits, Progress};
pub use petgraph;
pub use playouts::{Playouts, playouts};
pub use position::Layout;
pub use query::{
    Group, GroupCounter, Groups, KeyedStates, Levels, Nearest, Query, Witness, count_keys,
    count_states, find_state, first_state, line_to, nearest_key, states_where,
};
pub use reverse_edges::{ForwardEdges, ReverseEdges};
pub use search::{Exploration, LevelVisitor, explore, explore_levels};
pub use states::{StateId, States};
pub use steps::{StepGraph, SteppedFrom};
pub use structure::{Structure, structure};
pub use successors::{Expander, KeyGraph, StateError, Successors};

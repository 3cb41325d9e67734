//! The exploration of games: the graph of reachable positions with its structure, [`perft`], which counts
//! lines of turns without a graph, and [`playouts()`], which plays random games.
//!
//! petgraph's algorithms run on [`GameGraph`], and on its copies as types of petgraph. No other crate needs
//! petgraph: [`bottlenecks()`] and [`condensation()`] have results of their own.

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
    Group, Groups, KeyedStates, Levels, Nearest, Query, Witness, count_keys, count_states,
    find_state, first_state, line_to, nearest_key, states_where,
};
pub use reverse_edges::{ForwardEdges, ReverseEdges};
pub use search::{Exploration, LevelVisitor, explore, explore_levels};
pub use states::{StateId, States};
pub use steps::{StepGraph, SteppedFrom};
pub use structure::{Structure, structure};
pub use successors::{Expander, KeyGraph, StateError, Successors};

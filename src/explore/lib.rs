//! The exploration of games: the graph of reachable positions with its structure, [`perft`], which counts
//! lines of turns without a graph, and [`playouts()`], which plays random games.
//!
//! The types of petgraph do not leave this crate: [`GameGraph`] and [`StepGraph`] have named methods.

mod beam;
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
pub use graph::GameGraph;
pub use limits::{Limits, Progress};
pub use playouts::{Playouts, Random, playouts};
pub use position::Layout;
pub use query::{
    Group, Groups, KeyedStates, Levels, Nearest, Query, Witness, count_keys, count_states,
    find_state, first_state, line_to, nearest_key,
};
pub use reverse_edges::{ForwardEdges, ReverseEdges};
pub use search::{DepthRow, Exploration, LevelVisitor, explore, explore_levels};
pub use states::{StateId, States};
pub use steps::{StepGraph, SteppedFrom};
pub use structure::{Structure, structure};
pub use successors::{Expander, Successors};

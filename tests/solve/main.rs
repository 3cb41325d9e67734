//! What can be forced, or reached together: problems, values of whole graphs, endgame tables.

#[path = "../files/mod.rs"]
mod files;
#[path = "../random/mod.rs"]
mod random;

mod collection;
mod deadline;
mod direct_play;
mod graphs;
mod mined;
mod problems;
mod tables;
mod tables_on_disk;

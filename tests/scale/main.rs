//! Exploring and solving on several processes and on disk: the same bytes as in one process in memory,
//! and what happens when a process does not belong, is lost, or has no room.

#[path = "../files/mod.rs"]
mod files;
#[path = "../random/mod.rs"]
mod random;

mod answers;
#[cfg(target_os = "linux")]
mod disk;
mod keys;
mod lost;
mod refused;
mod run;
mod tables;

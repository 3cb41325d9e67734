//! Exploring and solving beyond one machine's memory: the same bytes as in memory, whatever happens
//! in between.

#[cfg(target_os = "linux")]
mod disk;
mod tables;

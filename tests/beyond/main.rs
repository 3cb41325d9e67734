//! Exploring and solving beyond one machine's memory: the same bytes as in one process's memory, and
//! what happens when a process does not belong or is lost, a disk is full, or a run is killed.

mod answers;
#[cfg(target_os = "linux")]
mod disk;
mod lost;
mod refused;
mod run;

//! What long computations have in common: threads that work on parts of a job.
//!
//! Relies on no other crate of the workspace. Never prints.

pub mod parallel;

//! What commands and long computations have in common: threads that share a job, files that users name.
//!
//! Relies on `diagnostics` alone. Never prints.

pub mod files;
pub mod parallel;

//! Clauses that several rule sets share, with their parameters as arguments.

pub mod capture;
pub mod extinction;
pub mod over;
pub mod taken;

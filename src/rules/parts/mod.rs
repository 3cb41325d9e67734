//! Clauses that several rule sets share, with their parameters as arguments.

pub mod checks;
pub mod orthodox;
pub mod over;

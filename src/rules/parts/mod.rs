//! Clauses that several rule sets share, with their parameters as arguments.

pub mod capture;
pub mod checks;
pub mod extinction;
pub mod orthodox;
pub mod over;
pub mod taken;

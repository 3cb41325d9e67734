//! Clauses that several rule sets share, with their parameters as arguments.

pub mod giving;
pub mod monarchs;
pub mod pinned;

//! Clauses that several rule sets share, with their parameters as arguments.

pub mod capture;
pub mod checks;
pub mod extinction;
pub mod giving;
pub mod mating;
pub mod monarchs;
pub mod orthodox;
pub mod over;
pub mod pinned;
pub mod taken;

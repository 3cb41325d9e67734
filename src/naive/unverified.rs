//! The error for statements that are not verified: they are false, or they were not checked.

use std::fmt;

/// Why something is not verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unverified {
    /// The statement is false, for this reason.
    Wrong(String),
    /// The statement was not checked, for this reason.
    Unchecked(String),
}

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Unverified::Wrong(why) | Unverified::Unchecked(why)) = self;
        f.write_str(why)
    }
}

/// Returns the error that a statement is false.
///
/// # Errors
/// Always.
pub fn wrong<T>(why: impl Into<String>) -> Result<T, Unverified> {
    Err(Unverified::Wrong(why.into()))
}

/// Returns the error that a statement was not checked.
///
/// # Errors
/// Always.
pub fn unchecked<T>(why: impl Into<String>) -> Result<T, Unverified> {
    Err(Unverified::Unchecked(why.into()))
}

/// Returns an error with the reason `why` unless `holds` is true.
///
/// # Errors
/// If the statement does not hold.
pub fn ensure<S: Into<String>>(holds: bool, why: impl FnOnce() -> S) -> Result<(), Unverified> {
    if holds { Ok(()) } else { wrong(why()) }
}

//! Why something is not verified: it is false, or it was not checked.

use std::fmt;

/// Why something is not verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unverified {
    /// It is false.
    Wrong(String),
    /// It was not checked.
    Unchecked(String),
}

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Unverified::Wrong(why) | Unverified::Unchecked(why)) = self;
        f.write_str(why)
    }
}

/// Returns the error that something is false.
///
/// # Errors
/// Always.
pub fn wrong<T>(why: impl Into<String>) -> Result<T, Unverified> {
    Err(Unverified::Wrong(why.into()))
}

/// Returns the error that something was not checked.
///
/// # Errors
/// Always.
pub fn unchecked<T>(why: impl Into<String>) -> Result<T, Unverified> {
    Err(Unverified::Unchecked(why.into()))
}

/// Checks a statement.
///
/// # Errors
/// If the statement is false, with the reason.
pub fn ensure<S: Into<String>>(holds: bool, why: impl FnOnce() -> S) -> Result<(), Unverified> {
    if holds { Ok(()) } else { wrong(why()) }
}

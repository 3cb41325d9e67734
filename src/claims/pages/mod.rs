//! The claims of the source pages, as claims files that are built into the program.

/// A built-in claims file: its name and its text.
pub type BuiltInPage = (&'static str, &'static str);

/// The built-in pages, in the order in which the ledger lists them.
pub const PAGES: &[BuiltInPage] = &[];

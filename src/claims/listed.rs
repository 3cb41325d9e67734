//! A row of the ledger: a claim of a claims file, or a claim that is compiled into the program.

use crate::file::Entry;
use crate::pages::PAGES;
use crate::{Claim, Effort, Finding, OpenFile, evidence_file};
use catalog::Catalog;
use diagnostics::Diagnostic;
use std::sync::Arc;

/// A claim as the ledger lists it.
#[derive(Clone, Copy)]
pub struct Listed<'a> {
    /// The id, `page/claim`.
    pub id: &'a str,
    /// The assertion in words.
    pub says: &'a str,
    /// The publication that makes the claim.
    pub source: &'a str,
    /// Whether the claim is verified only on request.
    pub deep: bool,
    check: CheckOf<'a>,
}

#[derive(Clone, Copy)]
enum CheckOf<'a> {
    Compiled(fn(&Effort<'_>) -> Finding),
    Filed(&'a OpenFile, &'a Entry),
}

impl<'a> Listed<'a> {
    /// Returns a compiled claim.
    pub fn compiled(claim: &'a Claim) -> Listed<'a> {
        Listed {
            id: claim.id,
            says: claim.claim,
            source: claim.source,
            deep: false,
            check: CheckOf::Compiled(claim.check),
        }
    }

    /// Returns the claims of a file, in the order of the file.
    pub fn of_file(file: &'a OpenFile) -> impl Iterator<Item = Listed<'a>> {
        file.file.entries.iter().map(move |entry| Listed {
            id: &entry.id,
            says: &entry.says,
            source: &entry.source,
            deep: entry.deep,
            check: CheckOf::Filed(file, entry),
        })
    }

    /// Verifies the claim. If the control of `effort` stops the check, the finding is incomplete.
    ///
    /// # Errors
    /// If the claim in the file does not fit its rule set, with the place in the file.
    pub fn verify(&self, effort: &Effort<'_>) -> Result<Finding, Diagnostic> {
        match self.check {
            CheckOf::Compiled(check) => Ok(check(effort)),
            CheckOf::Filed(file, entry) => file.verify_to(entry, effort.deep, &effort.control),
        }
    }

    /// Returns the name of the claim's evidence file.
    pub fn evidence_file(&self) -> String {
        evidence_file(self.id)
    }

    /// Returns the claims file and the entry in it, or `None` for a compiled claim.
    pub fn entry(&self) -> Option<(&'a OpenFile, &'a Entry)> {
        match self.check {
            CheckOf::Compiled(_) => None,
            CheckOf::Filed(file, entry) => Some((file, entry)),
        }
    }
}

/// Reads the built-in claims files.
///
/// # Errors
/// If a file cannot be read, which tests exclude.
pub fn built_in_pages(catalog: &Arc<Catalog>) -> Result<Vec<OpenFile>, Diagnostic> {
    let read = |(name, text): &(&str, &str)| OpenFile::read(name, text, None, catalog);
    PAGES.iter().map(read).collect()
}

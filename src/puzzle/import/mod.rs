//! Reads problems in other formats and converts them to puzzles. Never solves them: missing keys remain open.
//!
//! * [`epd`]: one problem in each line, with operations `dm`, `bm`, `id`.
//! * [`popeye`]: the input language of the solver Popeye.

pub mod epd;
pub mod popeye;

use diagnostics::Diagnostic;
use rules::Variant;

/// A problem that was read from another format. It has no number of solutions, and keys only if the file
/// lists them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Imported {
    /// The number of the problem in the file, from 1, with the letter of a twin (`3b`). Unreadable problems
    /// count, so they do not shift the numbers of others.
    pub label: String,
    /// The name of the problem, if it has one.
    pub id: Option<String>,
    /// The position.
    pub fen: String,
    /// The stipulation.
    pub stipulation: String,
    /// The keys in coordinate notation and byte order, if the file lists them.
    pub keys: Option<Vec<String>>,
    /// Author, title and publication; may be empty.
    pub source: String,
    /// Remarks; may be empty.
    pub comment: String,
    /// Requests of the file that a puzzle cannot express, some with a command that fulfills the request.
    pub asides: Vec<String>,
}

/// All problems of a file in order, each with its line number, or the error that prevents reading it.
pub type List = Vec<(usize, Result<Imported, Diagnostic>)>;

/// The maximum number of unreadable problems in a file. After more errors, the rest of the file is not read:
/// it is probably not a file of problems, and each error needs memory and prints a message.
const MAX_ERRORS: usize = 1_000;

/// If there are more than [`MAX_ERRORS`] errors, appends a final error to the list and returns true.
fn ends_early(list: &mut List, line: usize, errors: usize) -> bool {
    if errors <= MAX_ERRORS {
        return false;
    }
    let why =
        format!("more than {MAX_ERRORS} problems cannot be read; the rest of the file is left out");
    list.push((line, Err(Diagnostic::new("file", why))));
    true
}

/// Returns the text of a file. Lines that are not valid UTF-8 are decoded as Latin-1, in which many problem
/// files are written.
pub fn decode(bytes: &[u8]) -> String {
    let line = |line: &[u8]| match std::str::from_utf8(line) {
        Ok(text) => text.to_string(),
        Err(_) => line.iter().map(|byte| char::from(*byte)).collect(),
    };
    let lines: Vec<String> = bytes.split(|byte| *byte == b'\n').map(line).collect();
    lines.join("\n")
}

/// Reads a file of either format. The lines of an EPD file are read under `variant`; lines without a
/// stipulation of their own have the stipulation `default`, if it is given.
///
/// # Errors
/// If the text is Popeye input and the variant is not orthodox chess. Errors of single problems are entries
/// of the list.
pub fn read(variant: &Variant, text: &str, default: Option<&str>) -> Result<List, Diagnostic> {
    if !popeye::is_input(text) {
        return Ok(epd::read(variant, text, default));
    }
    if variant.rule_set.id() != "fide" {
        let why = "Popeye's input is imported as orthodox chess";
        return Err(Diagnostic::new("--variant", why).help("leave it out"));
    }
    Ok(popeye::read(text))
}

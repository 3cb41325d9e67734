//! Reads problems in other formats and converts them to puzzles. Never solves them: missing keys remain open.
//!
//! * [`csv`]: one puzzle in each row: FEN, line of play, themes.
//! * [`epd`]: one problem in each line, with operations `dm`, `bm`, `id`.
//! * [`popeye`]: the input language of the solver Popeye.

pub mod csv;
pub mod epd;
mod foreign;
pub mod popeye;

use catalog::Catalog;
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
    /// The rule set, if the file names one.
    pub variant: Option<String>,
    /// The position.
    pub fen: String,
    /// The stipulation.
    pub stipulation: String,
    /// The keys in coordinate notation and byte order, if the file lists them.
    pub keys: Option<Vec<String>>,
    /// A first turn in coordinate notation that must be among the keys, if the file states only one solution.
    pub key: Option<String>,
    /// First turns in coordinate notation that must not be among the keys.
    pub avoided: Vec<String>,
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

/// Reads a file of any of the formats. `name` is the file's name without its folder. The problems of an EPD
/// file or of puzzle CSV are read under `variant`, unless they name another one; EPD lines without a
/// stipulation of their own have the stipulation `default`, if it is given.
///
/// # Errors
/// If the text is Popeye input and the variant is not orthodox chess, or the file has another known format.
/// Errors of single problems are entries of the list; a note is an entry that is not a puzzle.
pub fn read(
    catalog: &Catalog,
    variant: &Variant,
    name: &str,
    text: &str,
    default: Option<&str>,
) -> Result<List, Diagnostic> {
    if popeye::is_input(text) {
        if variant.rule_set.id() != "fide" {
            let why = "Popeye's input is imported as orthodox chess";
            return Err(Diagnostic::new("--variant", why).help("leave it out"));
        }
        return Ok(popeye::read(text));
    }
    if csv::is_csv(text) {
        return Ok(csv::read(catalog, variant, text));
    }
    if let Some((what, remedy)) = foreign::format(name, text) {
        let error = Diagnostic::new(format!("file `{name}`"), format!("it is {what}"));
        return Err(error.help(remedy));
    }
    Ok(epd::read(catalog, variant, text, default))
}

//! Reads problems in other formats and turns them into puzzles.
//!
//! * [`epd`]: one problem in each line, with operations `dm`, `bm`, `id`.
//! * [`popeye`]: the input language of the solver Popeye.

pub mod epd;
pub mod popeye;

use diagnostics::Diagnostic;
use rules::Variant;

/// A problem of another format. What it leaves open is found by solving.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Imported {
    /// Its number in the file, from 1, with the letter of a twin (`3b`). Other problems that fail do not
    /// change it.
    pub label: String,
    /// Its name, if it has one.
    pub id: Option<String>,
    /// The position.
    pub fen: String,
    /// The stipulation.
    pub stipulation: String,
    /// The keys, in coordinate notation and byte order, if the file has them.
    pub keys: Option<Vec<String>>,
    /// Author, title, place; may be empty.
    pub source: String,
    /// Remarks; may be empty.
    pub comment: String,
    /// A request of the file that a puzzle cannot hold, with the command that answers it.
    pub asides: Vec<String>,
}

/// All problems of a file in their order, each with its line, or what is wrong with it.
pub type List = Vec<(usize, Result<Imported, Diagnostic>)>;

/// Most unreadable problems of a file. Beyond it, the rest of the file is not read: it is hardly a file of
/// problems, and each error takes memory and a message.
const MAX_ERRORS: usize = 1_000;

/// Ends the list with an error and returns true if it already has more than [`MAX_ERRORS`] errors.
fn ends_early(list: &mut List, line: usize, errors: usize) -> bool {
    if errors <= MAX_ERRORS {
        return false;
    }
    let why =
        format!("more than {MAX_ERRORS} problems cannot be read; the rest of the file is left out");
    list.push((line, Err(Diagnostic::new("file", why))));
    true
}

/// Returns the text of a file. Lines that are not UTF-8 are read as Latin-1, in which many problem files
/// are written.
pub fn decode(bytes: &[u8]) -> String {
    let line = |line: &[u8]| match std::str::from_utf8(line) {
        Ok(text) => text.to_string(),
        Err(_) => line.iter().map(|byte| char::from(*byte)).collect(),
    };
    let lines: Vec<String> = bytes.split(|byte| *byte == b'\n').map(line).collect();
    lines.join("\n")
}

/// Reads a file of either format. EPD is read under a variant; its lines without `dm` have the
/// stipulation `default`, if there is one.
///
/// # Errors
/// If the text is Popeye's input and the variant is not orthodox chess. Errors of single problems are in
/// the list.
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

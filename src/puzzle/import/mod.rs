//! Problems written in other formats, turned into puzzles.
//!
//! * [`epd`]: a line each, with operations `dm`, `bm`, `id`.
//! * [`popeye`]: the input language of the solver Popeye.

pub mod epd;
pub mod popeye;

use diagnostics::InputError;
use rules::Variant;

/// A problem as another format gives it. What it does not say is to be found by solving.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imported {
    /// Its name, if it has one.
    pub id: Option<String>,
    /// The position.
    pub fen: String,
    /// What is asked.
    pub stipulation: String,
    /// The keys, in coordinate notation and byte order, if they are told.
    pub keys: Option<Vec<String>>,
    /// Author, title, place; may be empty.
    pub source: String,
    /// Remarks; may be empty.
    pub comment: String,
}

/// All problems of a file in their order, each with its line, or what is wrong with it.
pub type List = Vec<(usize, Result<Imported, InputError>)>;

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
    list.push((line, Err(InputError::new("file", why))));
    true
}

/// Reads a file of either format; EPD under a variant.
///
/// # Errors
/// If it is Popeye's input and for another variant than orthodox chess. What is wrong with single
/// problems stands in the list.
pub fn read(variant: &Variant, text: &str) -> Result<List, InputError> {
    if !popeye::is_input(text) {
        return Ok(epd::read(variant, text));
    }
    if variant.rule_set.id() != "fide" {
        let why = "Popeye's input is imported as orthodox chess";
        return Err(InputError::new("--variant", why).help("leave it out"));
    }
    Ok(popeye::read(text))
}

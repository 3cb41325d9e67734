//! The command `solve`: solves problems in the notation of stipulations, and checks stored solutions.
//!
//! * `args`: the arguments.
//! * `problem`: one problem: the search, and the answer in the requested form.
//! * `stream`: the given position, or each line of standard input.
//! * `suite`: problems of a CSV file, compared with the solutions in it.
//! * `check`: verifies stored solutions using only the rules.
//! * `stored`, `rows`, `drawing`: a solution as JSON, as CSV, and as a picture or page.
//! * `lines`: the lines of an answer.

mod args;
mod check;
mod drawing;
mod lines;
mod problem;
mod rows;
mod stored;
mod stream;
mod suite;

pub use args::Args;
pub(crate) use args::{USUAL_MEMORY_BYTES, seconds};

use crate::answer::Answer;
use catalog::Catalog;
use diagnostics::Diagnostic;
use std::io::Write;

impl Args {
    /// Runs the command and writes its answer to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        match (&self.suite, &self.check, &self.id, &self.stipulation) {
            (Some(file), ..) => self.suite(catalog, file, out),
            (_, Some(file), ..) => check::check(catalog, file, self, out),
            (_, _, Some(id), Some(stipulation)) => self.all(catalog, id, stipulation, out),
            _ => Err(
                Diagnostic::new("solve", "it takes ID and STIPULATION, --suite or --check").into(),
            ),
        }
    }
}

use super::answer::{Answer, Verdict};
use super::args::FormatArg;
use super::shelf;
use definition::Definition;
use report::variants::{self, VariantRow};
use std::io::Write;

/// List the variants
///
/// One line each: id, name, inventor, page, board, one-line difference from orthodox chess. First the
/// compiled rule sets, then the variants of `--rules` and $FAIRYPROOF_RULES, then the library of known
/// variants, which the program has as definitions.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof variants --format csv")]
pub struct Args {
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    /// Answers.
    pub fn run(&self, out: &mut dyn Write) -> Answer {
        let mut rows = variants::rows();
        rows.extend(shelf::definitions().into_iter().map(row));
        self.format.write(&rows, out)?;
        Ok(Verdict::Done)
    }
}

/// Returns a definition as a row.
fn row(definition: &Definition) -> VariantRow {
    VariantRow {
        id: definition.name.clone(),
        name: definition.name.clone(),
        inventor: String::new(),
        page: "a definition".into(),
        board: definition.board.size(),
        difference: definition.summary(),
    }
}

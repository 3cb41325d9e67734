use super::answer::{Answer, Verdict};
use super::args::FormatArg;
use catalog::Catalog;
use report::variants;
use std::io::Write;

/// List the variants
///
/// One line each: id, name, inventor, page, board, one-line difference from orthodox chess. First the
/// compiled rule sets, then the variants of `--rules` and $FAIRYPROOF_RULES, then the library of known
/// variants, which the program has as definitions.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof variants --format csv")]
pub struct Args {
    /// List the rule texts of compiled rule sets, and the conditions, instead
    #[arg(long)]
    texts: bool,
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    /// Runs the command and writes the list to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let rows = match self.texts {
            true => variants::text_rows(catalog),
            false => variants::rows(catalog),
        };
        self.format.write(&rows, out)?;
        Ok(Verdict::Done)
    }
}

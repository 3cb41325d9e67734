use super::answer::{Answer, Verdict};
use super::args::FormatArg;
use report::variants;
use std::io::Write;

/// List the variants
///
/// One line each: id, name, inventor, page, board, one-line difference from orthodox chess.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof variants --format csv")]
pub struct Args {
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    /// Answers.
    pub fn run(&self, out: &mut dyn Write) -> Answer {
        self.format.write(&variants::rows(), out)?;
        Ok(Verdict::Done)
    }
}

use super::answer::{Answer, Verdict};
use super::args::VariantArg;
use report::page;
use std::io::Write;

/// Show a variant's page of the rule book
///
/// What changes against orthodox chess, the rulings followed, options, state fields, outcomes with
/// their reasons, the start, and an example.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof rules bachelor")]
pub struct Args {
    #[command(flatten)]
    variant: VariantArg,
}

impl Args {
    /// Answers.
    pub fn run(&self, out: &mut dyn Write) -> Answer {
        out.write_all(page::text(&self.variant.read()?)?.as_bytes())?;
        Ok(Verdict::Done)
    }
}

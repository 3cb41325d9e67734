use super::answer::{Answer, Verdict};
use super::args::VariantArg;
use catalog::Catalog;
use notation::with_setup;
use notation::{Setup, fen};
use std::io::Write;

/// Print the FEN of the start position
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof start convergent")]
pub struct Args {
    #[command(flatten)]
    variant: VariantArg,
}

impl Args {
    /// Runs the command and writes the FEN to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let setup = Setup::read(&self.variant.open(catalog)?, None)?;
        let fen = with_setup!(setup, start => fen::print(start.game.as_ref(), &start.position));
        writeln!(out, "{fen}")?;
        Ok(Verdict::Done)
    }
}

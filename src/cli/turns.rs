use super::answer::Answer;
use super::args::{FenArg, VariantArg};
use notation::turns;
use notation::with_setup;
use std::io::Write;

/// List the legal turns
///
/// In coordinate notation, one a line, in byte order; nothing at a terminal position. With `-` the
/// answers are set apart by an empty line: that of a terminal position is then empty.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof turns fide '4k3/8/8/8/8/8/8/R3K3 w Q - 0 1'")]
pub struct Args {
    #[command(flatten)]
    variant: VariantArg,
    #[command(flatten)]
    fen: FenArg,
}

impl Args {
    /// Answers.
    pub fn run(&self, out: &mut dyn Write) -> Answer {
        let variant = self.variant.read()?;
        self.fen.each_text(&variant, true, out, |setup| {
            let sorted = with_setup!(setup, s => turns::sorted(s.game.as_ref(), &s.position));
            Ok(sorted.iter().map(|(text, _)| format!("{text}\n")).collect())
        })
    }
}

use super::answer::Answer;
use super::args::{FenArg, VariantArg};
use crate::with_setup;
use std::io::Write;

/// Tell how a game stands
///
/// `ongoing`, or who has won (or `draw`) and the reason. With `-` one line for each position.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  fairyproof outcome convergent '8/8/8/8/8/1k6/1q6/K7 w - - 0 1'"
)]
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
        self.fen.each_text(&variant, false, out, |setup| {
            let outcome = with_setup!(setup, s => s.game.outcome(&s.position));
            format!("{outcome}\n")
        })
    }
}

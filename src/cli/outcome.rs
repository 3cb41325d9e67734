use super::answer::Answer;
use super::args::{FenArg, TablesOption, VariantArg};
use catalog::Catalog;
use notation::with_setup;
use std::io::Write;

/// Print the outcome of a position
///
/// `ongoing`, or who has won (or `draw`) and the reason. With `-` one line for each position.
///
/// With `--tables` a second line says what the side to move gets under best play, and in how many
/// plies: `win 31`, `loss 6`, `draw`; `no-table` if no table holds the position.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  fairyproof outcome convergent '8/8/8/8/8/1k6/1q6/K7 w - - 0 1'"
)]
pub struct Args {
    #[command(flatten)]
    variant: VariantArg,
    #[command(flatten)]
    fen: FenArg,
    #[command(flatten)]
    tables: TablesOption,
}

impl Args {
    /// Answers.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let variant = self.variant.open(catalog)?;
        self.fen.each_text(&variant, false, out, |setup| {
            with_setup!(setup, s => {
                let outcome = s.game.outcome(&s.position);
                Ok(format!("{outcome}\n{}", self.tables.line(&s.game, &s.position)?))
            })
        })
    }
}

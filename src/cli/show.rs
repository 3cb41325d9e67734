use super::answer::Answer;
use super::args::{FenArg, VariantArg};
use notation::board_text;
use notation::with_setup;
use std::io::Write;

/// Show a position as a board
///
/// Upper case is White, `.` a vacant square, a blank a hole, `+` a square with nothing but bound
/// units. Below stand, where there are any, bound units, castling rights, the en passant square
/// and the state. Boards of several positions are set apart by an empty line.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof show bachelor \
                        'rnnkbbr/ppppppp/7/7/PPPPPPP/RNNKBBR w AGag - 0 1'")]
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
        self.fen.each_text(
            &variant,
            true,
            out,
            |setup| with_setup!(setup, s => Ok(board_text::print(s.game.as_ref(), &s.position))),
        )
    }
}

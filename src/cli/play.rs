use super::answer::Answer;
use super::args::{FenOption, TablesOption, VariantArg, looks_like_fen, read_next_setup};
use super::input_lines::{ErrorLines, each_fen};
use catalog::Catalog;
use notation::with_setup;
use notation::{fen, turns};
use std::io::Write;

/// Play turns and print the position after them
///
/// Prints two lines: the canonical FEN after the turns, and the outcome. Without turns, they describe the
/// position itself. With `--tables`, a third line has the value, like the second one of `outcome --tables`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof play fide f2f3 e7e5 g2g4 d8h4")]
pub struct Args {
    #[command(flatten)]
    variant: VariantArg,
    #[command(flatten)]
    fen: FenOption,
    /// Turns such as e2e4, e7-e8=Q, Nf3, with or without move numbers; a FEN may precede them
    #[arg(value_name = "TURN")]
    turns: Vec<String>,
    #[command(flatten)]
    tables: TablesOption,
}

impl Args {
    /// Runs the command and writes the position and outcome to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let variant = self.variant.open(catalog)?;
        // Like in other commands, a position may be given as an argument, here before the turns.
        let (fen, turns) = match (self.fen.fen.as_deref(), self.turns.split_first()) {
            (None, Some((first, turns))) if first == "-" || looks_like_fen(first) => {
                (Some(first.as_str()), turns)
            }
            (fen, _) => (fen, self.turns.as_slice()),
        };
        let mut reader = fen::Reader::new(&variant);
        each_fen(fen, ErrorLines::InPlace, out, |fen, out| {
            let setup = read_next_setup(&mut reader, fen)?;
            let (fen, outcome, value) = with_setup!(setup, s => {
                let game = s.game.as_ref();
                let mut position = s.position;
                let texts = turns.iter().flat_map(|text| turns::words(text));
                for (index, text) in texts.enumerate() {
                    let turn = turns::read(game, &position, text, index + 1)?;
                    position = game.play(&position, &turn);
                }
                let value = self.tables.line(&s.game, &position)?;
                (fen::print(game, &position), game.outcome(&position), value)
            });
            Ok(write!(out, "{fen}\n{outcome}\n{value}")?)
        })
    }
}

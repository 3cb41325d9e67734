use super::answer::{Answer, Verdict};
use super::args::{FenArg, VariantArg, read_setup};
use super::picture::SvgOption;
use ::picture::terminal::{self, Look};
use ::picture::{Diagram, mobility, svg};
use catalog::Catalog;
use diagnostics::Diagnostic;
use notation::with_setup;
use notation::{Start, turns};
use puzzle::Layout;
use std::io::{IsTerminal, Write};

/// Show a position as a board
///
/// Upper case is White, `.` a vacant square, a blank a hole, `+` a square with nothing but bound units. Bound
/// units, castling rights, the en passant square and the state follow if the position has any. An empty line
/// separates the boards of several positions. A Unicode terminal shows figures, and colors unless NO_COLOR is
/// set.
///
/// With --unit, marks show where the unit on SQUARE can go: `g` it can go there but not capture, `c` it can
/// only capture there, `b` both, `f` the rules forbid it; the reasons follow below the board.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  fairyproof show bachelor \
                        'rnnkbbr/ppppppp/7/7/PPPPPPP/RNNKBBR w AGag - 0 1'\n  \
                        fairyproof show fide --play 'e2e4 e7e5 g1f3' --svg board.svg\n  \
                        fairyproof show chromopolis --unit b1")]
pub struct Args {
    #[command(flatten)]
    variant: VariantArg,
    #[command(flatten)]
    fen: FenArg,
    /// Play these turns first, joined by blanks; a picture shows the last by an arrow
    #[arg(long, value_name = "TURNS")]
    play: Option<String>,
    /// Mark where the unit on this square can go
    #[arg(long, value_name = "SQUARE")]
    unit: Option<String>,
    #[command(flatten)]
    svg: SvgOption,
}

impl Args {
    /// Runs the command and writes the board to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let variant = self.variant.open(catalog)?;
        let fen = self.fen.text();
        self.svg.of_one(fen)?;
        if self.svg.wanted() {
            let setup = read_setup(&variant, fen)?;
            let diagram = with_setup!(&setup, start => self.diagram(start))?;
            self.svg
                .write(|| svg::draw(&diagram, self.svg.look()), out)?;
            return Ok(Verdict::Done);
        }
        let look = Look::of_environment(std::io::stdout().is_terminal());
        self.fen.each_text(&variant, true, out, |setup| {
            let diagram = with_setup!(setup, start => self.diagram(start))?;
            Ok(terminal::print(&diagram, look))
        })
    }

    /// Returns the diagram after the turns of `--play`. It shows the last turn, or the marks of a unit.
    fn diagram<W: Layout>(&self, start: &Start<W>) -> Result<Diagram, Diagnostic> {
        let game = start.game.as_ref();
        let mut p = start.position;
        let mut last = None;
        let turns = self.play.iter().flat_map(|text| turns::words(text));
        for (n, text) in turns.enumerate() {
            let turn = turns::read(game, &p, text, n + 1)?;
            p = game.play(&p, &turn);
            last = Some(turn);
        }
        let mut diagram = match &self.unit {
            Some(square) => mobility::diagram(game, &p, square)?,
            None => Diagram::new(game, &p),
        };
        if let Some(turn) = last {
            diagram = diagram.with_arrows(&turn);
        }
        Ok(diagram)
    }
}

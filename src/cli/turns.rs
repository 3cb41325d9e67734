use super::answer::{Answer, Verdict};
use super::args::{FenArg, VariantArg, read_setup};
use super::picture::SvgOption;
use ::picture::{Diagram, svg};
use catalog::Catalog;
use notation::turns;
use notation::with_setup;
use std::io::Write;

/// List the legal turns
///
/// In coordinate notation, one a line, in byte order; nothing at a terminal position. With `-` the
/// answers are set apart by an empty line: that of a terminal position is then empty. A picture shows
/// all turns by arrows, and units that are placed by rings.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof turns fide '4k3/8/8/8/8/8/8/R3K3 w Q - 0 1'")]
pub struct Args {
    #[command(flatten)]
    variant: VariantArg,
    #[command(flatten)]
    fen: FenArg,
    #[command(flatten)]
    svg: SvgOption,
}

impl Args {
    /// Answers.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let variant = self.variant.open(catalog)?;
        let fen = self.fen.text();
        self.svg.of_one(fen)?;
        if self.svg.wanted() {
            let setup = read_setup(&variant, fen)?;
            let draw = || {
                with_setup!(&setup, s => {
                    let game = s.game.as_ref();
                    let diagram = turns::sorted(game, &s.position)
                        .iter()
                        .fold(Diagram::new(game, &s.position), |d, (_, t)| d.with_arrows(t));
                    svg::draw(&diagram, self.svg.look())
                })
            };
            self.svg.write(draw, out)?;
            if self.svg.alone() {
                return Ok(Verdict::Done);
            }
        }
        self.fen.each_text(&variant, true, out, |setup| {
            let sorted = with_setup!(setup, s => turns::sorted(s.game.as_ref(), &s.position));
            Ok(sorted.iter().map(|(text, _)| format!("{text}\n")).collect())
        })
    }
}

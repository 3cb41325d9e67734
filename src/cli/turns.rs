use super::answer::{Answer, Verdict};
use super::args::{FenArg, Format, FormatArg, VariantArg};
use super::expressions::Compiled;
use super::input_lines::{ErrorLines, each_fen};
use super::interrupt;
use super::picture::SvgOption;
use ::picture::{Diagram, svg};
use catalog::Catalog;
use control::Control;
use control::evaluation::caught;
use language::{Expression, Interrupted, Subject};
use notation::{Start, turns, with_setup};
use position::Layout;
use report::variants::TurnsRow;
use rules::Turn;
use std::io::Write;
use std::time::Duration;

/// List the legal turns
///
/// In coordinate notation, one a line, in byte order; nothing at a terminal position. With `-` the
/// answers are set apart by an empty line: that of a terminal position is then empty. As CSV or JSON, each
/// position is one row with its turns joined by blanks. A picture shows
/// all turns by arrows, and units that are placed by rings.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  fairyproof turns fide '4k3/8/8/8/8/8/8/R3K3 w Q - 0 1'\n  fairyproof turns fide --where 'length2 == 5'"
)]
pub struct Args {
    #[command(flatten)]
    variant: VariantArg,
    #[command(flatten)]
    fen: FenArg,
    /// Only the turns for which an expression about the turn holds, such as `kind == 'pawn' && checks`
    #[arg(long = "where", value_name = "EXPR", allow_hyphen_values = true)]
    condition: Option<String>,
    /// Stop after SECONDS seconds
    #[arg(long, value_name = "SECONDS", value_parser = super::solve::seconds)]
    time: Option<Duration>,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    svg: SvgOption,
}

/// Returns the legal turns that satisfy a condition, with their texts, in byte order.
fn chosen<W: Layout>(
    start: &Start<W>,
    condition: Option<&Expression>,
) -> Result<Vec<(String, Turn)>, Interrupted> {
    let game = start.game.as_ref();
    let mut sorted = turns::sorted(game, &start.position);
    if let Some(condition) = condition {
        let mut stopped = false;
        sorted.retain(|(_, turn)| {
            let subject = Subject {
                stop: Some(&interrupt::is_due),
                ..Subject::of_turn(game, &start.position, *turn)
            };
            condition.holds(&subject).unwrap_or_else(|Interrupted| {
                stopped = true;
                false
            })
        });
        if stopped {
            return Err(Interrupted);
        }
    }
    Ok(sorted)
}

impl Args {
    /// Runs the command and writes the turns to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let variant = self.variant.open(catalog)?;
        let fen = self.fen.text();
        self.svg.of_one(fen)?;
        let text = self.condition.as_deref();
        let everything = "true";
        let mut compiled =
            Compiled::new(catalog, &variant, "--where", text.unwrap_or(everything))?.on_turns();
        interrupt::timed(Control::new(), self.time);
        if self.svg.wanted() {
            let (setup, condition) = compiled.read(fen)?;
            let draw = || {
                with_setup!(&setup, s => {
                    let diagram = chosen(s, text.and(Some(condition)))
                        .unwrap_or_default()
                        .iter()
                        .fold(Diagram::new(s.game.as_ref(), &s.position), |d, (_, t)| d.with_arrows(t));
                    svg::draw(&diagram, self.svg.look())
                })
            };
            self.svg.write(draw, out)?;
            if self.svg.alone() {
                return Ok(Verdict::Done);
            }
        }
        let many = fen == Some("-");
        let (mut first, mut stopped) = (true, false);
        let format = self.format.format;
        let mut document = self.format.document();
        let ended = each_fen(
            self.fen.text(),
            ErrorLines::from(format),
            out,
            |fen, out| {
                if !std::mem::replace(&mut first, false) && format == Format::Text {
                    out.write_all(b"\n")?;
                }
                let (setup, condition) = match fen.filter(|_| many) {
                    Some(fen) => compiled.read_next(fen)?,
                    None => compiled.read(fen)?,
                };
                let work = || with_setup!(&setup, s => chosen(s, text.and(Some(condition))));
                let Ok(Ok(chosen)) = caught(work) else {
                    stopped = true;
                    return Ok(());
                };
                if format != Format::Text {
                    let texts: Vec<&str> = chosen.iter().map(|(text, _)| text.as_str()).collect();
                    let row = TurnsRow {
                        fen: setup.fen(),
                        legal_turns: texts.join(" "),
                    };
                    return Ok(document.write(&[row], out)?);
                }
                for (text, _) in &chosen {
                    writeln!(out, "{text}")?;
                }
                Ok(())
            },
        )?;
        document.end::<TurnsRow>(out)?;
        match stopped || interrupt::pressed() {
            true => Ok(interrupt::verdict()),
            false => Ok(ended),
        }
    }
}

use super::answer::{Answer, Verdict, say};
use super::args::{FenArg, Format, FormatArg};
use super::input_lines::each_fen;
use catalog::Catalog;
use report::compare::{self, Difference};
use std::io::Write;

/// Compare two variants at a position
///
/// Turns that are legal in only one of them, and turns whose effect differs: the position after the turn
/// (clocks aside) or its outcome. Where the two already read the position differently (castling rights that
/// one does not have), or give it different outcomes, one line `reading` reports it, and the comparison of
/// effects leaves the fields concerned out. Without a FEN the first variant's start is used; state and
/// castling rights that the second does not know are then dropped for it. The exit code is 1 if there is a
/// difference.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof compare fide bachelor '3k3/P6/7/7/7/3K3 w - - 0 1'")]
pub struct Args {
    /// First variant with its options
    #[arg(value_name = "ID1")]
    first: String,
    /// Second variant with its options
    #[arg(value_name = "ID2")]
    second: String,
    #[command(flatten)]
    fen: FenArg,
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    /// Runs the command and writes the differences to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let variants = [catalog.open(&self.first)?, catalog.open(&self.second)?];
        let mut rows: Vec<Difference> = Vec::new();
        let mut found = false;
        let mut apart = false;
        let errors = self.format.format.into();
        let verdict = each_fen(self.fen.text(), errors, out, |fen, out| {
            let text = self.format.format == Format::Text;
            if text && std::mem::replace(&mut apart, true) {
                out.write_all(b"\n")?;
            }
            let comparison = match fen {
                Some(fen) => compare::at(&variants, [fen, fen])?,
                None => {
                    let start = variants[0].start();
                    let (known, dropped) = compare::known_to(&start, &variants[1]);
                    for field in dropped {
                        say(&format!(
                            "note: `{}` does not know `{field}` of the start of `{}` and reads it \
                             without",
                            variants[1], variants[0]
                        ));
                    }
                    compare::at(&variants, [&start, &known])?
                }
            };
            found |= !comparison.differences.is_empty();
            if text {
                out.write_all(comparison.text().as_bytes())?;
            } else {
                rows.extend(comparison.differences);
            }
            Ok(())
        })?;
        if self.format.format != Format::Text {
            self.format.write(&rows, out)?;
        }
        Ok(verdict.max(Verdict::found(found)))
    }
}

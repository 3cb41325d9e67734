use super::answer::{Answer, Failure, Verdict};
use super::args::{FenArg, TablesOption, Threads, VariantArg, read_next_setup, value_line};
use super::input_lines::{ErrorLines, each_batch, read_quickly};
use super::table::say_notes;
use catalog::Catalog;
use notation::{fen, with_setup};
use rules::{Game, Variant, with_game};
use std::io::Write;
use std::sync::Arc;
use tables::{Layout, ProbeCache};

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
    #[command(flatten)]
    threads: Threads,
}

impl Args {
    /// Prints the outcome of one position, or of each line of standard input.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let variant = self.variant.open(catalog)?;
        if self.fen.text() == Some("-") {
            let game = variant.on(fen::shape(&variant.start())?)?;
            return with_game!(&game, game => self.batches(&variant, game, out));
        }
        self.one(&mut fen::Reader::new(&variant), self.fen.text(), out)?;
        Ok(Verdict::Done)
    }

    /// Answers the lines of standard input. All positions on the variant's own board share one game and one
    /// set of tables.
    fn batches<W: Layout>(
        &self,
        variant: &Variant,
        game: &Arc<dyn Game<W>>,
        out: &mut dyn Write,
    ) -> Answer {
        let tables = self.tables.of(game)?;
        let mut reader = fen::Reader::new(variant);
        let answer = each_batch(
            &self.threads,
            ErrorLines::InPlace,
            out,
            || tables.as_ref().map(ProbeCache::new),
            |prober, text, bytes| {
                let p = read_quickly(game.as_ref(), text)?;
                writeln!(bytes, "{}", game.outcome(&p)).ok()?;
                if let Some(prober) = prober {
                    let line = value_line(prober.value(&p).ok()?);
                    bytes.extend_from_slice(line.as_bytes());
                }
                Some(1)
            },
            |bytes, _, out| Ok(out.write_all(bytes)?),
            |text, out| self.one(&mut reader, Some(text), out),
        )?;
        if let Some(tables) = &tables {
            say_notes(tables);
        }
        Ok(answer)
    }

    fn one(
        &self,
        reader: &mut fen::Reader<'_>,
        fen: Option<&str>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        with_setup!(&read_next_setup(reader, fen)?, s => {
            let outcome = s.game.outcome(&s.position);
            let line = self.tables.line(&s.game, &s.position)?;
            Ok(write!(out, "{outcome}\n{line}")?)
        })
    }
}

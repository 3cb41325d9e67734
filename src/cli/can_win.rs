use super::answer::{Answer, Verdict, say};
use super::args::{VariantArg, WorkArgs, looks_like_fen, read_next_setup};
use super::input_lines::{ErrorLines, each_fen};
use super::interrupt;
use super::progress::Bar;
use super::solve::{USUAL_MEMORY_BYTES, seconds};
use ::can_win::can_win;
use board::Color;
use catalog::Catalog;
use control::Stopped;
use diagnostics::Diagnostic;
use notation::{fen, turns, with_setup};
use std::io::Write;
use std::time::Duration;

/// Decide whether a side can still win with the opponent's help
///
/// The answer is a line of turns that ends with the win, then its outcome; or `none` with the proof; or
/// `not settled` with the limit. A line is not necessarily the shortest one. In orthodox chess, this answers
/// whether a side that runs out of time loses, and for both sides whether the position is dead.
#[derive(clap::Args)]
#[command(
    override_usage = "fairyproof can-win [OPTIONS] <ID> [FEN] <SIDE>",
    after_help = "Exit codes: 0 the side can win; 1 it cannot; 3 not settled.\n\n\
                  Example:\n  fairyproof can-win fide '8/8/8/3k1n2/8/8/8/KN6 w - - 0 1' white"
)]
pub struct Args {
    #[command(flatten)]
    variant: VariantArg,
    /// Position, or `-` to read one FEN per line from standard input [default: the start position]; then
    /// `white` or `black`
    #[arg(value_name = "FEN|SIDE", required = true, num_args = 1..=2)]
    words: Vec<String>,
    /// Position, instead of the argument
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Stop after SECONDS seconds for each position
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    #[command(flatten)]
    work: WorkArgs,
}

impl Args {
    /// Returns the FEN and the side.
    fn question(&self) -> Result<(Option<&str>, Color), Diagnostic> {
        let (fen, side) = match self.words.as_slice() {
            [side] => (self.fen.as_deref(), side),
            [fen, side] if self.fen.is_none() && (looks_like_fen(fen) || fen == "-") => {
                (Some(fen.as_str()), side)
            }
            [fen, ..] => {
                let error = Diagnostic::new(format!("`{fen}`"), "it is not a position");
                return Err(error.help("`can-win ID FEN SIDE`; a FEN is one argument, in quotes"));
            }
            [] => return Err(Diagnostic::new("can-win", "the side is missing")),
        };
        match side.as_str() {
            "white" | "w" => Ok((fen, Color::White)),
            "black" | "b" => Ok((fen, Color::Black)),
            other => {
                let error = Diagnostic::new(format!("side `{other}`"), "there is no such side");
                Err(error.help("`white` or `black`"))
            }
        }
    }

    /// Runs the command and writes the answers to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let variant = self.variant.open(catalog)?;
        let (fen, side) = self.question()?;
        let mut reader = fen::Reader::new(&variant);
        let mut worst = Verdict::Done;
        let read = each_fen(fen, ErrorLines::InPlace, out, |fen, out| {
            if worst == Verdict::Interrupted {
                return Ok(());
            }
            let setup = read_next_setup(&mut reader, fen)?;
            let bar = Bar::new();
            let memory = self.work.memory.bytes_or_at_most(USUAL_MEMORY_BYTES);
            let control = self.work.control(&bar).with_memory(memory);
            let control = interrupt::timed(control, self.time);
            let verdict = with_setup!(&setup, start => {
                let game = start.game.as_ref();
                let answer = can_win(game, &start.position, side, &control);
                bar.clear();
                match answer {
                    ::can_win::Answer::Yes(line) => {
                        let (mut p, mut texts) = (start.position, Vec::new());
                        for turn in &line {
                            texts.push(turns::print(game, &p, turn));
                            p = game.play(&p, turn);
                        }
                        let line = match texts.is_empty() {
                            true => "the side has won".to_string(),
                            false => texts.join(" "),
                        };
                        writeln!(out, "{line}\n{}", game.outcome(&p))?;
                        Verdict::Done
                    }
                    ::can_win::Answer::No(proof) => {
                        writeln!(out, "none: {proof}")?;
                        Verdict::Finding
                    }
                    ::can_win::Answer::Unsettled(Stopped::Interrupted) => Verdict::Interrupted,
                    ::can_win::Answer::Unsettled(stopped) => {
                        writeln!(out, "not settled: {stopped}")?;
                        say("a longer --time or more --memory may settle it");
                        Verdict::Undecided
                    }
                }
            });
            worst = worst.max(verdict);
            Ok(())
        })?;
        Ok(read.max(worst))
    }
}

use super::answer::{Answer, Verdict};
use catalog::Catalog;
use diagnostics::Diagnostic;
use diagnostics::whole_number;
use std::io::Write;
use variants::spartan::{Ending, MOVES, MatchResult, match_result};

/// Print who wins a match of two games of Spartan Chess
///
/// The players change sides after the first game. RESULT is how a game ended: `black:N`, Black
/// checkmated on move N; `white:N`, White did; `none`, no checkmate. The answer is `first-black`
/// (the player who had Black in the first game wins), `second-black` or `draw`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof spartan-match black:31 black:44")]
pub struct Args {
    /// How the first game ended: `black:N`, `white:N` or `none`
    #[arg(value_name = "RESULT")]
    first: String,
    /// How the second game ended
    #[arg(value_name = "RESULT")]
    second: String,
    /// How many moves Black has in a game
    #[arg(long, value_name = "N", default_value_t = MOVES,
          value_parser = clap::value_parser!(u32).range(1..=9999))]
    moves: u32,
}

fn ending(text: &str, moves: u32) -> Result<Ending, Diagnostic> {
    let number = |digits: &str| {
        whole_number(digits)
            .then(|| digits.parse::<u32>().ok())
            .flatten()
            .filter(|n| (1..=moves).contains(n))
    };
    let found = match text.split_once(':') {
        Some(("black", n)) => number(n).map(Ending::WhiteMated),
        Some(("white", n)) => number(n).map(Ending::BlackMated),
        _ if text == "none" => Some(Ending::Unmated),
        _ => None,
    };
    found.ok_or_else(|| {
        Diagnostic::new(format!("RESULT `{text}`"), "it is not a result of a game").help(format!(
            "`black:N` or `white:N`, who checkmated on which move from 1 to {moves}, or `none`"
        ))
    })
}

impl Args {
    /// Runs the command and writes the result to `out`.
    pub fn run(&self, _: &Catalog, out: &mut dyn Write) -> Answer {
        let first = ending(&self.first, self.moves)?;
        let second = ending(&self.second, self.moves)?;
        let word = match match_result(self.moves, first, second) {
            MatchResult::FirstBlack => "first-black",
            MatchResult::SecondBlack => "second-black",
            MatchResult::Draw => "draw",
        };
        writeln!(out, "{word}")?;
        Ok(Verdict::Done)
    }
}

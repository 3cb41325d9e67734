//! `prove check`, `prove line` and `prove tree`: checking, playing from and printing certificates. Each
//! checks the certificate using only the rules before it prints anything.

use super::plies_in_words;
use crate::answer::{Answer, Verdict, counted};
use crate::args::{Memory, OutOfRange, number};
use catalog::Catalog;
use diagnostics::Diagnostic;
use notation::{Setup, turns, with_setup};
use prove::Certificate;
use prove::certificate::{Header, Kind};
use prove::walk::{Branches, Shape, branches, follow};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

/// Check a certificate using only the rules
///
/// Every turn of the other side is played; every turn of the certificate must be legal and lead to the
/// goal in the number of plies that the certificate states.
#[derive(clap::Args)]
#[command(
    after_help = "Exit codes: 0 the certificate holds; 2 it does not, or it cannot be read.\n\n\
                        Example:\n  fairyproof prove check mate.fpp"
)]
pub struct CheckArgs {
    /// Certificate
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    memory: Memory,
}

/// Print the certificate's answer to each TURN
///
/// TURNs are turns of the side that loses, in coordinate or algebraic notation. The line that they lead
/// to is printed with its last position, the plies to the end, and the answer to each further turn.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof prove line mate.fpp h8g7")]
pub struct LineArgs {
    /// Certificate
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Turns of the side that loses
    #[arg(value_name = "TURN")]
    turns: Vec<String>,
    #[command(flatten)]
    memory: Memory,
}

/// Print the lines of a certificate
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof prove tree mate.fpp --depth 4")]
pub struct TreeArgs {
    /// Certificate
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print lines down to N turns
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = depth,
          allow_negative_numbers = true)]
    depth: u32,
    /// Print a graph for Graphviz, each position once
    #[arg(long)]
    dot: bool,
    #[command(flatten)]
    memory: Memory,
}

fn depth(text: &str) -> Result<u32, OutOfRange<u32>> {
    number(text, 1, 1000)
}

/// Returns an error about a file that an option or argument names.
pub(super) fn cannot(what: &str, path: &Path, why: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::new(what, format!("`{}`: {why}", path.display()))
}

/// Reads a certificate within the memory allowed.
pub(super) fn read(path: &Path, memory: &Memory) -> Result<Certificate, Diagnostic> {
    let file = control::files::open(path).map_err(|e| cannot("certificate", path, e))?;
    Certificate::read(&mut BufReader::new(file), memory.bytes()).map_err(|e| Diagnostic {
        help: e.help.clone(),
        ..cannot("certificate", path, e.why)
    })
}

/// Reads the position that a certificate is about.
pub(super) fn setup(catalog: &Catalog, header: &Header) -> Result<Setup, Diagnostic> {
    Setup::read(&catalog.open(&header.variant)?, Some(&header.fen))
}

impl CheckArgs {
    /// Checks the certificate and prints what it shows.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let certificate = read(&self.file, &self.memory)?;
        let header = &certificate.header;
        let checked = with_setup!(setup(catalog, header)?, start => {
            prove::check::check(start.game.as_ref(), &start.position, &certificate)
        })?;
        let what = match (header.kind, checked.plies) {
            (Kind::Force, Some(plies)) => format!("forced in {}", plies_in_words(plies)),
            _ => "avoided forever".to_string(),
        };
        writeln!(
            out,
            "the certificate holds: {} {} for {} at `{}`: {what}",
            header.variant, header.goal, header.side, header.fen
        )?;
        writeln!(
            out,
            "{}, {} answered, {} of the game",
            counted(checked.positions, "position", "positions"),
            counted(checked.answered_turns, "turn", "turns"),
            counted(checked.ends, "end", "ends")
        )?;
        Ok(Verdict::Done)
    }
}

impl LineArgs {
    /// Plays from the certificate and prints the line.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let certificate = read(&self.file, &self.memory)?;
        with_setup!(setup(catalog, &certificate.header)?, start => {
            let game = start.game.as_ref();
            prove::check::check(game, &start.position, &certificate)?;
            let texts = self.turns.iter().flat_map(|text| turns::words(text));
            let turns: Vec<String> = texts.map(str::to_string).collect();
            let walk = follow(game, &start.position, &certificate, &turns)?;
            writeln!(out, "{}", walk.line.join(" "))?;
            writeln!(out, "{}", walk.fen)?;
            match walk.plies {
                _ if !walk.outcome.is_ongoing() => writeln!(out, "{}", walk.outcome)?,
                Some(plies) => writeln!(out, "ongoing, {} to the end", plies_in_words(plies))?,
                None => writeln!(out, "ongoing")?,
            }
            for (turn, answer, plies) in &walk.answers {
                match (answer, plies) {
                    (Some(answer), Some(plies)) => {
                        writeln!(out, "{turn}: {answer}, then {}", plies_in_words(*plies))?;
                    }
                    (Some(answer), None) => writeln!(out, "{turn}: {answer}")?,
                    (None, _) => writeln!(out, "{turn}: ends the game")?,
                }
            }
            Ok(Verdict::Done)
        })
    }
}

impl TreeArgs {
    /// Prints the lines of the certificate.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let certificate = read(&self.file, &self.memory)?;
        let how = Branches {
            shape: if self.dot { Shape::Dot } else { Shape::Text },
            depth: self.depth,
        };
        with_setup!(setup(catalog, &certificate.header)?, start => {
            let game = start.game.as_ref();
            prove::check::check(game, &start.position, &certificate)?;
            let text = branches(game, &start.position, &certificate, &how)?;
            out.write_all(text.as_bytes())?;
            Ok(Verdict::Done)
        })
    }
}

//! `prove check`, `prove line` and `prove tree`: check certificates, play from them, and print them. Each
//! command checks the certificate using only the rules before it prints anything.

use super::plies_in_words;
use crate::answer::{Answer, Verdict, counted, say};
use crate::args::{Memory, open_stored, within};
use crate::play::write_game;
use crate::solve::seconds;
use crate::{expressions, interrupt};
use catalog::Catalog;
use control::{Control, Stopped};
use diagnostics::Diagnostic;
use language::NAMES;
use notation::{Setup, turns, with_setup};
use prove::certificate::{Header, Kind};
use prove::check::{Checked, Unchecked, check_rules, check_within};
use prove::walk::{Branches, Shape, branches, follow};
use prove::{Certificate, Goal, Layout};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Check certificates using only the rules
///
/// Every turn of the other side is played; every turn of the certificate must be legal and lead to the
/// goal in the number of plies that the certificate states. A refutation must have an answer to each attack
/// within its plies. With a proof and a refutation of every shorter length, the proof is certified as shortest.
#[derive(clap::Args)]
#[command(
    after_help = "Exit codes: 0 the certificate holds; 2 it does not, or it cannot be read; 3 stopped by --time.\n\n\
                        Example:\n  fairyproof prove check mate.fpp"
)]
pub struct CheckArgs {
    /// Certificates
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    limits: Limits,
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
    /// Write the line as PGN
    #[arg(long)]
    pgn: bool,
    #[command(flatten)]
    limits: Limits,
}

/// Print the lines of a certificate
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof prove tree mate.fpp --depth 4")]
pub struct TreeArgs {
    /// Certificate
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print lines down to N turns
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = within(1, 1000u32))]
    depth: u32,
    /// Print a graph for Graphviz, each position once
    #[arg(long)]
    dot: bool,
    #[command(flatten)]
    limits: Limits,
}

/// The limits of a check.
#[derive(clap::Args)]
struct Limits {
    #[command(flatten)]
    memory: Memory,
    /// Stop after SECONDS seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
}

impl Limits {
    /// Returns a control whose time begins now and that Ctrl-C stops.
    fn control(&self) -> Control<'static> {
        interrupt::timed(Control::new(), self.time)
    }
}

/// Prints why a check was stopped. Returns the verdict.
fn stopped(why: Stopped) -> Verdict {
    match why {
        Stopped::Interrupted => Verdict::Interrupted,
        why => {
            say(&format!("stopped: {why}; the certificate is not checked"));
            Verdict::Undecided
        }
    }
}

/// Checks a certificate and does something with it. Before that, nothing is printed.
fn checked<W: Layout>(
    start: &notation::Start<W>,
    certificate: &Certificate,
    control: &Control<'_>,
    then: impl FnOnce(&Checked) -> Answer,
) -> Answer {
    match check_within(start.game.as_ref(), &start.position, certificate, control) {
        Ok(checked) => then(&checked),
        Err(Unchecked::Wrong(error)) => Err(error.into()),
        Err(Unchecked::Stopped(why)) => Ok(stopped(why)),
    }
}

/// Returns an error about a file that an option or argument names.
pub(super) fn cannot(what: &str, path: &Path, why: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::new(what, format!("`{}`: {why}", path.display()))
}

/// Opens a certificate and its position, within the memory limit. A goal that is not an end of the game is
/// compiled as an expression.
pub(super) fn open(
    catalog: &Catalog,
    path: &Path,
    memory: &Memory,
) -> Result<(Setup, Certificate), Diagnostic> {
    let certificate = read(path, memory)?;
    let header = &certificate.header;
    let variant = open_stored(catalog, "certificate", &header.variant)?;
    check_rules(header, &variant)?;
    let setup = Setup::read(&variant, Some(&header.fen))?;
    let unknown = match Goal::parse(&header.goal, &variant.rule_set) {
        Ok(_) => return Ok((setup, certificate)),
        Err(unknown) => unknown,
    };
    // A single word that is not a name is probably a misspelled end of the game, not an expression.
    let is_word = |c: char| c.is_ascii_lowercase() || c == '-';
    if header.goal.chars().all(is_word) && !NAMES.iter().any(|name| name.name == header.goal) {
        return Err(unknown);
    }
    let game = setup.game();
    let goal = expressions::goal(catalog, "certificate's goal", &header.goal, &game)?;
    let goal = Goal::expression(goal);
    Ok((setup, certificate.with_goal(&goal)))
}

/// Reads a certificate within the memory limit.
fn read(path: &Path, memory: &Memory) -> Result<Certificate, Diagnostic> {
    let file = control::files::open(path).map_err(|e| cannot("certificate", path, e))?;
    Certificate::read(&mut BufReader::new(file), memory.bytes()).map_err(|e| Diagnostic {
        help: e.help.clone(),
        ..cannot("certificate", path, e.why)
    })
}

impl CheckArgs {
    /// Checks the certificates and prints the results.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let control = self.limits.control();
        // The flag is whether the attacker always makes the last turn. All proofs then have lengths of the
        // same parity.
        let mut headers: Vec<(Header, bool)> = Vec::new();
        for file in &self.files {
            let (setup, certificate) = open(catalog, file, &self.limits.memory)?;
            let verdict = with_setup!(&setup, start => {
                let header = &certificate.header;
                checked(start, &certificate, &control, |found| print(header, found, out))
            })?;
            if verdict != Verdict::Done {
                return Ok(verdict);
            }
            let rule_set = &setup.variant().rule_set;
            let by_attacker = !certificate.goal(rule_set)?.may_be_given(rule_set);
            headers.push((certificate.header.clone(), by_attacker));
        }
        let subject = |h: &Header| [&h.variant, &h.fen, &h.side, &h.goal].map(String::clone);
        for (proof, by_attacker) in headers.iter().filter(|(h, _)| h.kind == Kind::Force) {
            let length = proof.plies.unwrap_or(0);
            let shorter = length.saturating_sub(1 + u16::from(*by_attacker));
            let refuted = headers.iter().any(|(other, _)| {
                other.kind == Kind::Refute
                    && subject(other) == subject(proof)
                    && other.plies.is_some_and(|plies| plies >= shorter)
            });
            if refuted {
                let length = plies_in_words(length);
                writeln!(
                    out,
                    "no proof is shorter than {length}: both certificates hold"
                )?;
            }
        }
        Ok(Verdict::Done)
    }
}

/// Prints what a certificate that holds says.
fn print(header: &Header, checked: &Checked, out: &mut dyn Write) -> Answer {
    let what = match (header.kind, checked.plies) {
        (Kind::Force, Some(plies)) => format!("forced in {}", plies_in_words(plies)),
        (Kind::Refute, Some(plies)) => format!("not forced within {}", plies_in_words(plies)),
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

impl LineArgs {
    /// Plays from the certificate and prints the line.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let control = self.limits.control();
        let (setup, certificate) = open(catalog, &self.file, &self.limits.memory)?;
        with_setup!(&setup, start => {
            checked(start, &certificate, &control, |_| self.print(&setup, start, &certificate, out))
        })
    }

    fn print<W: Layout>(
        &self,
        setup: &Setup,
        start: &notation::Start<W>,
        certificate: &Certificate,
        out: &mut dyn Write,
    ) -> Answer {
        let game = start.game.as_ref();
        let texts = self.turns.iter().flat_map(|text| turns::words(text));
        let turns: Vec<String> = texts.map(str::to_string).collect();
        let walk = follow(game, &start.position, certificate, &turns)?;
        if self.pgn {
            write_game(setup, walk.line.iter().map(String::as_str), out)?;
            return Ok(Verdict::Done);
        }
        writeln!(out, "{}", walk.line.join(" "))?;
        writeln!(out, "{}", walk.fen)?;
        match walk.plies {
            _ if !walk.outcome.is_ongoing() => writeln!(out, "{}", walk.outcome)?,
            Some(0) => writeln!(out, "the goal is reached")?,
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
    }
}

impl TreeArgs {
    /// Prints the lines of the certificate.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let control = self.limits.control();
        let (setup, certificate) = open(catalog, &self.file, &self.limits.memory)?;
        let how = Branches {
            shape: if self.dot { Shape::Dot } else { Shape::Text },
            depth: self.depth,
        };
        with_setup!(&setup, start => {
            checked(start, &certificate, &control, |_| {
                let game = start.game.as_ref();
                let text = branches(game, &start.position, &certificate, &how)?;
                out.write_all(text.as_bytes())?;
                Ok(Verdict::Done)
            })
        })
    }
}

//! The command `prove`: searches for forced wins. The subcommands for certificates are in [`certificate`].

mod certificate;

use crate::answer::{Answer, Failure, Verdict, counted, say};
use crate::args::{TablesOption, WorkArgs, looks_like_fen, read_setup, within};
use crate::expressions;
use crate::interrupt;
use crate::progress::Bar;
use crate::solve::seconds;
use board::Color;
use catalog::Catalog;
use certificate::{CheckArgs, LineArgs, TreeArgs, cannot, open};
use control::{Control, Stopped};
use diagnostics::Diagnostic;
use notation::{Setup, fen, with_setup};
use prove::{
    Certificate, Found, Goal, Layout, Limits, MAX_REFUTATION_BYTES, Prover, Status, Unrefuted,
};
use report::{Target, make_folder, write_whole};
use std::fs::OpenOptions;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tables::Tables;
use values::oracle::Oracle;

/// Prove a forced win, however far away, and write a certificate that anyone can check
///
/// GOAL is `win` (for any reason; the default), a reason of the rule set such as `checkmate`, or
/// `not-lose` (the game ends, won or drawn). With `--goal EXPR`, the goal is a turn of the side for which
/// the expression holds, such as `mates && kind == 'pawn'`. The result is `proven` with the plies to the end in the
/// proof found, `disproven` if the other side can avoid the goal forever, `none-within` if there is
/// no proof within the plies given by `--within`, or `open` with the bounds shown so far.
///
/// After a first proof the search continues for shorter ones, until a proof is shortest or a limit is
/// reached (`--time`, `--positions`, Ctrl-C); the shortest proof found is the answer. A proof is
/// called shortest only if no shorter one exists. `--first` stops at the first proof.
///
/// A certificate holds one turn for each position that the winner may meet. `prove check` checks it
/// using only the rules, `prove line` plays from it, and `prove tree` prints its lines.
#[derive(clap::Args)]
#[command(
    subcommand_negates_reqs = true,
    override_usage = "fairyproof prove [OPTIONS] <ID> [GOAL] [FEN]\n       \
                      fairyproof prove check <FILE>...\n       \
                      fairyproof prove line <FILE> [TURN]...\n       \
                      fairyproof prove tree <FILE> [--depth <N>] [--dot]",
    after_help = "Exit codes: 0 proven; 1 disproven, or none within the plies given; 2 wrong input;\n3 open.\n\n\
                  Examples:\n  fairyproof prove fide --fen '7k/8/8/8/8/8/8/KRR5 w - - 0 1' --out mate.fpp\n  \
                  fairyproof prove check mate.fpp\n  fairyproof prove line mate.fpp h8g7\n  \
                  fairyproof prove glory --for black --time 60 --state search\n  \
                  fairyproof prove fide --fen '7k/5Q2/8/8/8/8/6P1/K7 w - - 0 1' --goal \"checks && kind == 'pawn'\""
)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Variant with its options, then the goal and the position
    #[arg(value_name = "ID|GOAL|FEN", required = true)]
    words: Vec<String>,
    /// Position [default: the start position]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Force a turn for which the condition holds, such as "mates && kind == 'pawn'"
    #[arg(long, value_name = "EXPR")]
    goal: Option<String>,
    /// Side that is to reach the goal [default: the side to move]
    #[arg(long = "for", value_name = "SIDE", value_parser = ["white", "black"])]
    side: Option<String>,
    /// Write the certificate to FILE
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write to FILE a certificate that no proof exists within the plies shown
    ///
    /// It has an answer for each position that the defender may meet with more than two plies left, and is
    /// built after the search, in at most as much time again and in 256 MB. With a proof in FILE of `--out`,
    /// `prove check` certifies that no proof is shorter.
    #[arg(long, value_name = "FILE")]
    refutation: Option<PathBuf>,
    /// Search for a proof of at most PLIES plies
    #[arg(long, value_name = "PLIES", value_parser = within(1, 1000u16))]
    within: Option<u16>,
    /// Search length by length only, so that the proof found is shortest
    #[arg(long)]
    shortest: bool,
    /// Stop at the first proof found, instead of searching for shorter ones
    #[arg(long, conflicts_with = "shortest")]
    first: bool,
    /// Stop after SECONDS seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Stop after N positions
    #[arg(long, value_name = "N", value_parser = within(1, u64::MAX))]
    positions: Option<u64>,
    /// Save the search in DIR, and resume the search saved there
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Use the positions of an earlier certificate, which is checked first
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    #[command(flatten)]
    tables: TablesOption,
    #[command(flatten)]
    work: WorkArgs,
}

#[derive(clap::Subcommand)]
enum Command {
    Check(CheckArgs),
    Line(LineArgs),
    Tree(TreeArgs),
}

/// Returns a number of plies with its unit.
fn plies_in_words(plies: u16) -> String {
    counted(plies, "ply", "plies")
}

/// The name of the file that holds a saved search, within its folder.
const STATE: &str = "search.fps";

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

impl Args {
    /// Runs the command and writes the result to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        match &self.command {
            Some(Command::Check(args)) => return args.run(catalog, out),
            Some(Command::Line(args)) => return args.run(catalog, out),
            Some(Command::Tree(args)) => return args.run(catalog, out),
            None => {}
        }
        // A position may follow ID, before or after GOAL.
        let (beside, words): (Vec<&String>, Vec<&String>) =
            self.words.iter().partition(|word| looks_like_fen(word));
        let fen = match (self.fen.as_deref(), beside.as_slice()) {
            (fen, []) => fen,
            (None, [beside]) => Some(beside.as_str()),
            _ => return Err(Diagnostic::new("prove", "it takes one position").into()),
        };
        let (id, goal) = match words.as_slice() {
            [id] => (*id, None),
            [id, goal] => (*id, Some(goal.as_str())),
            _ => {
                let why = "it takes ID, at most one GOAL and at most one position";
                return Err(Diagnostic::new("prove", why)
                    .help("a FEN is one argument: put it into quotes")
                    .into());
            }
        };
        interrupt::timed(Control::new(), self.time);
        let variant = catalog.open(id)?;
        let end = match (goal, &self.goal) {
            (Some(goal), Some(_)) => {
                let why = format!("`{goal}` is a goal of its own");
                return Err(Diagnostic::new("--goal", why)
                    .help("leave one of them out")
                    .into());
            }
            (goal, _) => Goal::parse(goal.unwrap_or("win"), &variant.rule_set)?,
        };
        let setup = read_setup(&variant, fen)?;
        let goal = match &self.goal {
            Some(text) => {
                let game = setup.game();
                let goal = expressions::goal(catalog, "--goal", text, &game)?;
                Goal::expression(goal)
            }
            None => end,
        };
        with_setup!(setup, start => {
            self.prove(catalog, &start, &goal, out)
        })
    }

    fn prove<W: Layout + tables::Layout>(
        &self,
        catalog: &Catalog,
        start: &notation::Start<W>,
        goal: &Goal,
        out: &mut dyn Write,
    ) -> Answer {
        let game = start.game.as_ref();
        let root = &start.position;
        let outcome = game.outcome(root);
        if !outcome.is_ongoing() {
            let why = format!("the game is over: {outcome}");
            return Err(Diagnostic::new("FEN", why).into());
        }
        let side = match self.side.as_deref() {
            Some("white") => Color::White,
            Some(_) => Color::Black,
            None => root.side,
        };
        let limits = Limits {
            positions: self.positions,
            plies: self.within,
            shortest: self.shortest,
            improve: !self.first,
        };
        let bar = Bar::new();
        let control = interrupt::timed(self.work.control(&bar), self.time);
        // Check that the files can be written before a search of perhaps hours.
        let state = self.state.as_ref().map(|folder| folder.join(STATE));
        if let (Some(folder), Some(path)) = (&self.state, &state) {
            make_folder(folder).map_err(|e| cannot("--state", folder, e))?;
            // A saved search must be a plain file: opening a pipe would wait for its reader.
            let plain = match path.exists() {
                true => {
                    control::files::open_with(OpenOptions::new().append(true), path).map(|_| ())
                }
                false => Ok(()),
            };
            plain
                .and_then(|()| Target::open(path))
                .map_err(|e| cannot("--state", path, e))?;
        }
        let target = |option: &str, path: &Option<PathBuf>| {
            let path = path.as_deref();
            path.map(|path| Target::open(path).map_err(|e| cannot(option, path, e)))
                .transpose()
        };
        let out_file = target("--out", &self.out)?;
        let refutation_file = target("--refutation", &self.refutation)?;
        let tables = self.tables.of(&start.game)?;
        let oracle = tables.as_ref().map(|tables| tables as &dyn Oracle<W>);
        let mut prover = Prover::new(game, root, side, goal, limits, &control, oracle);
        for path in &self.with {
            let told = |e: Diagnostic| cannot("--with", path, e);
            let (other, certificate) = open(catalog, path, &self.work.memory)?;
            let learned = learn(&mut prover, &other, &certificate);
            let learned = learned.map_err(told)?;
            say(&format!(
                "{learned} positions known from `{}`",
                path.display()
            ));
        }
        if let Some(path) = state.as_ref().filter(|path| path.exists()) {
            let file = control::files::open(path).map_err(|e| cannot("--state", path, e))?;
            prover.resume(&mut BufReader::new(file))?;
        }
        let found = prover.run();
        bar.clear();
        let check_tables = || tables.as_ref().map_or(Ok(()), Tables::check_values);
        check_tables()?;
        if found.stopped == Some(Stopped::Contradiction) {
            return Err(prover.contradiction().into());
        }
        if let Some(path) = &state {
            write_whole(path, |out| prover.save(out)).map_err(|e| cannot("--state", path, e))?;
        }
        if let Some(certificate) = &found.certificate {
            // Print only results that their own certificate confirms.
            prove::check::check(game, root, certificate)?;
        }
        let fen = fen::print(game, root);
        let question = format!("{goal} for {} at `{fen}`", name(side));
        self.print(&question, &found, out)?;
        if let Some(certificate) = &found.certificate {
            self.keep(certificate, out_file, out)?;
        }
        let answer = self.verdict(&found);
        match refutation_file {
            Some(target) if answer != Verdict::Interrupted => {
                let control = interrupt::timed(control, self.time);
                let written = self.refute(&mut prover, &found, &control, target, out)?;
                check_tables()?;
                Ok(answer.max(written))
            }
            _ => Ok(answer),
        }
    }

    /// Builds, checks and writes a certificate that no proof exists within a number of plies.
    fn refute<W: Layout>(
        &self,
        prover: &mut Prover<'_, W>,
        found: &Found,
        control: &Control<'_>,
        target: Target,
        out: &mut dyn Write,
    ) -> Answer {
        let plies = found.none_within_plies;
        if found.status == Status::Disproven || plies == 0 {
            let why = match plies {
                0 => "no bound has been shown",
                _ => "the goal can be avoided forever, which the certificate of `--out` shows",
            };
            say(&format!("refutation: not written: {why}"));
            return Ok(Verdict::Undecided);
        }
        let certificate = match prover.refutation(plies, control) {
            Ok(certificate) => certificate,
            Err(unrefuted) => {
                let mut verdict = Verdict::Undecided;
                let why = match unrefuted {
                    Unrefuted::TooLarge => {
                        format!("it takes more than {} MB", MAX_REFUTATION_BYTES >> 20)
                    }
                    Unrefuted::NotShown => "the rules do not confirm it".to_string(),
                    Unrefuted::Stopped(Stopped::Interrupted) => {
                        verdict = Verdict::Interrupted;
                        "interrupted".to_string()
                    }
                    Unrefuted::Stopped(stop) => format!("stopped: {stop}"),
                };
                say(&format!("refutation: not written: {why}"));
                return Ok(verdict);
            }
        };
        let path = self.refutation.as_deref().unwrap_or(Path::new(""));
        target
            .write(|out| certificate.write(out))
            .map_err(|e| cannot("--refutation", path, e))?;
        let bytes = std::fs::metadata(path).map_or(0, |file| file.len());
        writeln!(
            out,
            "refutation: no proof within {}: {}, {bytes} bytes, checked; written to {}",
            plies_in_words(certificate.header.plies.unwrap_or(plies)),
            counted(certificate.len() as u64, "position", "positions"),
            path.display()
        )?;
        Ok(Verdict::Done)
    }

    /// Prints the result.
    fn print(&self, question: &str, found: &Found, out: &mut dyn Write) -> io::Result<()> {
        // A saved search is not checked: it may have been edited, and it contains no evidence that a proof
        // does not exist. Nor are tables, except for the values met.
        let basis = match (found.relies_on_oracle, found.relies_on_saved) {
            (false, false) => "",
            (false, true) => ", according to the saved search",
            (true, false) => ", according to the tables",
            (true, true) => ", according to the tables and the saved search",
        };
        let unchecked = match found.certificate {
            Some(_) => "",
            None => basis,
        };
        let none_within = plies_in_words(found.none_within_plies);
        let report = &found.report;
        match found.status {
            Status::Proven => {
                let plies = plies_in_words(found.plies.unwrap_or(0));
                writeln!(out, "proven: {question} in {plies}{unchecked}")?;
                match found.shortest {
                    true => writeln!(out, "no proof is shorter{basis}")?,
                    false => writeln!(
                        out,
                        "none within {none_within}{basis}; others may be shorter"
                    )?,
                }
            }
            Status::Disproven => {
                writeln!(
                    out,
                    "disproven: {question} can be avoided forever{unchecked}"
                )?;
            }
            Status::NoneWithin => {
                let within = self.within.map_or(none_within, plies_in_words);
                writeln!(
                    out,
                    "none-within: {question}: no proof within {within}{basis}"
                )?;
            }
            Status::Open => {
                let (proof, disproof) = (report.proof_number, report.disproof_number);
                writeln!(out, "open: {question}")?;
                writeln!(out, "no proof within {none_within}{basis}")?;
                writeln!(
                    out,
                    "last searched for one {}: proof number {proof}, disproof number {disproof}",
                    report.scope()
                )?;
                writeln!(out, "best line: {}", report.line.join(" "))?;
            }
        }
        let searched = counted(report.positions, "position", "positions");
        writeln!(out, "{searched} searched")
    }

    /// Prints the size of the certificate and writes it to the file of `--out`.
    fn keep(
        &self,
        certificate: &Certificate,
        file: Option<Target>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let positions = counted(certificate.len(), "position", "positions");
        let (Some(target), Some(path)) = (file, &self.out) else {
            writeln!(out, "certificate: {positions}, checked")?;
            return Ok(());
        };
        target
            .write(|out| certificate.write(out))
            .map_err(|e| cannot("--out", path, e))?;
        let bytes = std::fs::metadata(path).map_or(0, |file| file.len());
        let path = path.display();
        writeln!(
            out,
            "certificate: {positions}, {bytes} bytes, checked; written to {path}"
        )?;
        Ok(())
    }

    /// Prints the reason if the search was stopped. Returns the verdict of the command.
    fn verdict(&self, found: &Found) -> Verdict {
        let settled = matches!(found.status, Status::Proven | Status::Disproven);
        let unfinished = settled && found.certificate.is_none();
        match found.stopped {
            Some(Stopped::Interrupted) | None if unfinished => {
                say("interrupted while the certificate was built");
                return Verdict::Interrupted;
            }
            Some(stop) if unfinished => {
                say(&format!("stopped while the certificate was built: {stop}"));
                return Verdict::Undecided;
            }
            Some(Stopped::Interrupted) => {
                say(match found.status {
                    Status::Proven => "interrupted: shorter proofs may exist",
                    _ => "interrupted: the question is open",
                });
                return Verdict::Interrupted;
            }
            Some(stop) => say(&format!("stopped: {stop}")),
            None if found.status == Status::Open => {
                say("stopped: longer proofs are searched for with `--within PLIES`");
            }
            None => {}
        }
        match found.status {
            Status::Proven => Verdict::Done,
            Status::Disproven => Verdict::Finding,
            Status::NoneWithin => Verdict::Finding,
            Status::Open => Verdict::Undecided,
        }
    }
}

/// Adds the positions of a certificate to the knowledge of a search. Returns their number.
fn learn<W: Layout>(
    prover: &mut Prover<'_, W>,
    other: &Setup,
    certificate: &Certificate,
) -> Result<u64, Diagnostic> {
    // Equal boards have equal layouts.
    match other.get::<W>() {
        Some(other) => prover.learn(other.game.as_ref(), &other.position, certificate),
        None => Err(Diagnostic::new("certificate", "it is about another board")),
    }
}

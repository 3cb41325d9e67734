use super::answer::{Answer, Failure, Verdict, counted, say};
use super::args::{
    Format, FormatArg, Memory, TablesOption, Threads, each_fen, looks_like_fen, read_setup,
};
use super::interrupt;
use super::picture::{SvgOption, all_letters, fill, open};
use super::suite::{Case, Suite};
use ::picture::problem::About;
use ::picture::terminal::Look;
use ::picture::{Diagram, svg};
use board::Color;
use indicatif::ProgressBar;
use input::InputError;
use notation::with_setup;
use notation::{Setup, Start, board_text, fen, turns};
use rules::{Turn, Variant};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Serialize, Serializer};
use solve::Layout;
use solve::oracle::Oracle;
use solve::problem::MOST_MOVES;
use solve::problem::check;
use solve::problem::text::{self, Unwritten, verdict};
use solve::problem::tree::{Move, Reply, Tree, Want};
use solve::{Ending, Limits, Play, Problem, Progress, Solution, Stipulation, Stop, passed};
use std::cell::{Cell, RefCell};
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Solve a position: all keys or lines, with the whole play
///
/// STIPULATION says what is asked, in the grammar of chess problems: `#3` (checkmate in three),
/// `s#3` (selfmate), `r#2`, `semi-r#2` (reflexmates), `h#2`, `h#2.5` (helpmates; the side to move
/// begins), `hs#3`, `hr#2`, `ser-#5`, `ser-h#4`, `ser-s#3`. Other goals than `#`: `=` stalemate,
/// `#=` either, `##` double mate, `+` check, `x` capture, `zd4` a unit goes to d4, `~` any turn.
/// In words: `win 3`, `h-win 2`, and every reason of the rule set, such as `marriage 3`. Moves are
/// counted; a turn of several steps is one.
///
/// Direct, self and reflex play: the keys, those that need fewer moves too. Help and series play:
/// all lines, shorter ones too.
///
/// What is printed is the whole play: every threat with its continuation, tries (with `--tries`) with
/// the play they allow, `(dual)` where more than one turn answers best and not all were threatened
/// before. `--brief` leaves out the play after threats and tries.
///
/// With `-` each line of standard input is solved; JSON is then one array, CSV has one header.
///
/// With `--suite` the rows of a CSV file with the columns variant,fen,stipulation,solutions,keys
/// (an empty fen is the start; keys joined by blanks; others are ignored) are solved and compared;
/// rows that differ are printed as CSV with a last column `solved`, and the exit code is then 1.
///
/// With `--check` an answer stored with `--format json` is checked by the rules alone: every answer
/// of a tree has its continuation, every line is legal, every goal is reached in time. That there
/// are no other solutions is not checked.
#[derive(clap::Args)]
#[command(
    override_usage = "fairyproof solve [OPTIONS] <ID> --fen <FEN> <STIPULATION>\n       \
                      fairyproof solve [OPTIONS] --suite <FILE>\n       \
                      fairyproof solve --check <FILE>",
    after_help = "Exit codes: 0 solved; 1 no solution; 3 stopped by a limit.\n\n\
                  Examples:\n  fairyproof solve fide --fen '8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1' '#2'\n  \
                  fairyproof solve bachelor --fen '3k3/Q6/7/7/7/3K3 w - - 0 1' 'marriage 1' --keys"
)]
pub struct Args {
    /// Variant with its options, such as `bachelor` or `spartan:moves=40`
    #[arg(value_name = "ID", required_unless_present_any = ["suite", "check"])]
    id: Option<String>,
    /// What is asked, such as `#2`, `h#3`, `win 3`
    #[arg(value_name = "STIPULATION", required_unless_present_any = ["suite", "check"])]
    stipulation: Option<String>,
    /// The position may also stand here, or before the stipulation
    #[arg(value_name = "FEN", hide = true, conflicts_with = "fen")]
    beside: Option<String>,
    /// Position; the start if left out; `-` for one a line from standard input
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Only the first turns of all solutions, in byte order
    #[arg(long, conflicts_with_all = ["tries", "set_play", "format"])]
    keys: bool,
    /// Also first turns with a single refutation
    #[arg(long)]
    tries: bool,
    /// Also what would happen if the other side began
    #[arg(long)]
    set_play: bool,
    /// Only the first threat, and no play after threats and tries
    #[arg(long, conflicts_with = "keys")]
    brief: bool,
    /// Stop after so many keys or lines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_solutions: Option<u32>,
    /// Stop at the first key or line
    #[arg(long, conflicts_with = "max_solutions")]
    first: bool,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Solve and compare the rows of this CSV file (`-`: standard input)
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["id", "stipulation", "beside", "fen", "keys", "tries", "set_play", "brief", "format", "svg"])]
    suite: Option<String>,
    /// Check an answer stored with `--format json`
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["id", "stipulation", "beside", "fen", "keys", "tries", "set_play", "brief", "suite", "svg"])]
    check: Option<String>,
    /// Look endings up in tables
    ///
    /// For `win N`, and `#N` where nothing but checkmate wins; the answer is the same without.
    #[command(flatten)]
    tables: TablesOption,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    svg: SvgOption,
    /// Write diagram, stipulation and solution as a page into FILE
    #[arg(long, value_name = "FILE", conflicts_with_all = ["suite", "check", "keys"])]
    html: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: Memory,
}

/// A stored answer.
#[derive(Deserialize)]
struct Stored {
    variant: String,
    fen: String,
    stipulation: String,
    verdict: String,
    complete: bool,
    solutions: usize,
    keys: Vec<String>,
    #[serde(default)]
    lines: Vec<StoredLine>,
    /// Whether there were more lines than are stored.
    #[serde(default)]
    lines_cut: bool,
    tree: Tree,
}

#[derive(Deserialize)]
struct StoredLine {
    turns: Vec<String>,
}

/// An answer as it is stored. Lines are made while they are written: there may be millions.
struct Storing<'a, W: Layout> {
    problem: &'a Problem<W>,
    solution: &'a Solution,
    patience: &'a Patience,
    /// What is wrong with a line, which would be a mistake of the search.
    wrong: RefCell<Option<InputError>>,
}

#[derive(Serialize)]
struct StoringLine<'a> {
    turns: Vec<&'a str>,
}

impl<W: Layout> Serialize for Storing<'_, W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (problem, solution) = (self.problem, self.solution);
        let game = problem.start.game.as_ref();
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("variant", &game.variant().to_string())?;
        fields.serialize_entry("fen", &fen::print(game, &problem.start.position))?;
        fields.serialize_entry("stipulation", &problem.stipulation.to_string())?;
        fields.serialize_entry("verdict", verdict(problem, solution).word())?;
        fields.serialize_entry("complete", &solution.stopped.is_none())?;
        fields.serialize_entry("solutions", &solution.count())?;
        fields.serialize_entry("keys", &problem.first_turns(solution))?;
        if !solution.lines.is_empty() {
            fields.serialize_entry("lines", &StoringLines(self))?;
            if self.patience.over.get() {
                fields.serialize_entry("lines_cut", &true)?;
            }
        }
        fields.serialize_entry("tree", &solution.tree)?;
        fields.end()
    }
}

struct StoringLines<'a, W: Layout>(&'a Storing<'a, W>);

impl<W: Layout> Serialize for StoringLines<'_, W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut lines = serializer.serialize_seq(None)?;
        let Storing {
            problem,
            solution,
            patience,
            wrong,
        } = self.0;
        let ended = each_line(problem, solution, patience, |turns| {
            lines.serialize_element(&StoringLine { turns })
        });
        match ended {
            Ok(()) | Err(Unlisted::Enough) => lines.end(),
            Err(Unlisted::Output(error)) => Err(error),
            Err(Unlisted::Wrong(error)) => {
                let text = error.to_string();
                *wrong.borrow_mut() = Some(error);
                Err(serde::ser::Error::custom(text))
            }
        }
    }
}

/// Why lines are not listed to the end.
enum Unlisted<E> {
    Enough,
    Output(E),
    Wrong(InputError),
}

/// Lists all lines in coordinate notation, each replayed before, as long as there is patience.
fn each_line<W: Layout, E>(
    problem: &Problem<W>,
    solution: &Solution,
    patience: &Patience,
    mut list: impl FnMut(Vec<&str>) -> Result<(), E>,
) -> Result<(), Unlisted<E>> {
    if solution.lines.is_empty() {
        return Ok(());
    }
    let (judge, start) = (problem.judge(), &problem.start.position);
    let mut checker =
        check::Checker::new(&judge, &problem.stipulation, start).map_err(Unlisted::Wrong)?;
    solution.lines.each(problem, |line, _| {
        if patience.is_over() {
            return Err(Unlisted::Enough);
        }
        let turns: Vec<&str> = line.iter().map(|made| made.text.as_str()).collect();
        checker
            .line(turns.iter().copied())
            .map_err(Unlisted::Wrong)?;
        list(turns).map_err(Unlisted::Output)
    })
}

/// How long the writing of an answer may go on after the search.
struct Patience {
    until: Option<Instant>,
    stop: &'static AtomicBool,
    /// Whether the search itself was interrupted: then what it found is still shown.
    interrupted: bool,
    /// Whether it has ended.
    over: Cell<bool>,
}

impl Patience {
    /// Time in which what a stopped search has found is shown.
    const AT_LEAST: Duration = Duration::from_millis(500);

    /// Of an answer that may take `time`, asked for at `asked` and found now.
    fn new(time: Option<Duration>, asked: Instant, stop: &'static AtomicBool) -> Patience {
        let interrupted = stop.load(Ordering::Relaxed);
        let least = Instant::now() + Self::AT_LEAST;
        let until = match (time, interrupted) {
            (_, true) => Some(least),
            (Some(time), false) => asked.checked_add(time).map(|until| until.max(least)),
            (None, false) => None,
        };
        Patience {
            until,
            stop,
            interrupted,
            over: Cell::new(false),
        }
    }

    /// Whether no more is to be written.
    fn is_over(&self) -> bool {
        let pressed = !self.interrupted && self.stop.load(Ordering::Relaxed);
        let over = pressed || self.until.is_some_and(|until| Instant::now() >= until);
        self.over.set(self.over.get() || over);
        self.over.get()
    }
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .filter(|s| *s > 0.0 && *s <= 1e9)
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "it takes a number of seconds above 0, such as 2.5".to_string())
}

impl Stored {
    /// The first turns of all that is stored, in byte order, each once.
    fn firsts(&self) -> Vec<String> {
        let keys = self.tree.keys.iter().map(|key| &key.turn);
        let lines = self.lines.iter().filter_map(|line| line.turns.first());
        let mut firsts: Vec<String> = keys.chain(lines).cloned().collect();
        firsts.sort_unstable();
        firsts.dedup();
        firsts
    }
}

/// The most memory taken where none is named.
const USUAL_MEMORY_BYTES: u64 = 800 << 20;

/// Shows on a terminal how the search comes on.
struct Bar {
    bar: ProgressBar,
    /// In how many moves how many of the first turns are settled.
    settled: Mutex<(u32, usize, usize)>,
    /// In so many moves all first turns have been searched, and none solves.
    excluded: AtomicU32,
}

impl Bar {
    fn new() -> Bar {
        Bar {
            bar: ProgressBar::new_spinner(),
            settled: Mutex::new((0, 0, 0)),
            excluded: AtomicU32::new(0),
        }
    }
}

impl Progress for Bar {
    fn positions(&self, positions: u64) {
        let (moves, done, of) = *self.settled.lock().unwrap_or_else(PoisonError::into_inner);
        let depth = match moves {
            0 => String::new(),
            _ => format!(", {done} of {of} first turns in {moves} moves"),
        };
        self.bar
            .set_message(format!("{positions} positions{depth}"));
        self.bar.tick();
    }

    fn settled(&self, done: usize, of: usize, moves: u32) {
        *self.settled.lock().unwrap_or_else(PoisonError::into_inner) = (moves, done, of);
        if done == of {
            self.excluded.fetch_max(moves, Ordering::Relaxed);
        }
    }
}

impl Args {
    /// Answers.
    pub fn run(&self, out: &mut dyn Write) -> Answer {
        match (&self.suite, &self.check, &self.id, &self.stipulation) {
            (Some(file), ..) => self.suite(file, out),
            (_, Some(file), ..) => check(file, out),
            (_, _, Some(id), Some(stipulation)) => self.all(id, stipulation, out),
            _ => Err(
                InputError::new("solve", "it takes ID and STIPULATION, --suite or --check").into(),
            ),
        }
    }

    fn limits(&self) -> Limits {
        let usual = self.memory.bytes().min(USUAL_MEMORY_BYTES);
        let bytes = self.memory.memory.unwrap_or(usual);
        Limits {
            time: self.time,
            memory_bytes: usize::try_from(bytes).unwrap_or(usize::MAX),
            solutions: if self.first {
                Some(1)
            } else {
                self.max_solutions.map(|n| n as usize)
            },
            threads: self.threads.count(),
        }
    }

    /// Answers for the position, or for each line of standard input.
    fn all(&self, id: &str, stipulation: &str, out: &mut dyn Write) -> Answer {
        let (fen, stipulation) = match self.beside.as_deref() {
            None => (self.fen.as_deref(), stipulation),
            Some(beside) if looks_like_fen(beside) || beside == "-" => (Some(beside), stipulation),
            Some(beside) if looks_like_fen(stipulation) || stipulation == "-" => {
                (Some(stipulation), beside)
            }
            Some(beside) => {
                let error = InputError::new(format!("`{beside}`"), "it is no position");
                return Err(error
                    .help("a FEN is one argument: put it into quotes")
                    .into());
            }
        };
        let variant = sets::parse(id)?;
        let many = fen == Some("-");
        let (mut worst, mut answers) = (Verdict::Done, 0);
        let read = each_fen(fen, out, |fen, out| {
            if worst != Verdict::Interrupted {
                let verdict = self.one(&variant, stipulation, fen, many.then_some(answers), out)?;
                worst = worst.max(verdict);
                answers += 1;
            }
            Ok(())
        })?;
        if many && self.format.format == Format::Json && !self.svg.alone() {
            out.write_all(if answers == 0 { b"[]\n" } else { b"]\n" })?;
        }
        Ok(read.max(worst))
    }

    /// Answers for one position; `nth` says how many of the same stream were answered before.
    fn one(
        &self,
        variant: &Variant,
        stipulation: &str,
        fen: Option<&str>,
        nth: Option<usize>,
        out: &mut dyn Write,
    ) -> Answer {
        let setup = read_setup(variant, fen)?;
        with_setup!(setup, start => {
            let geometry = start.game.board().geometry();
            let stipulation = Stipulation::parse(stipulation, variant.card, geometry)?;
            let problem = Problem { start, stipulation };
            self.refuse_what_play_has_not(&problem)?;
            note_side(&problem);
            self.answer(&problem, nth, out)
        })
    }

    /// Tries and set play exist where one side forces; set play also where both help, if the side
    /// that does not begin could.
    fn refuse_what_play_has_not<W: Layout>(&self, problem: &Problem<W>) -> Result<(), InputError> {
        let asked = &problem.stipulation;
        let none = |option: &str, why: &str| Err(InputError::new(option, why.to_string()));
        match asked.play {
            Play::Help(_) | Play::Series(..) if self.tries => none(
                "--tries",
                "help and series play have no tries: nobody refutes",
            ),
            Play::Series(..) if self.set_play => none("--set-play", "series play has no set play"),
            Play::Help(ending) if self.set_play && (asked.half || ending != Ending::Goal) => {
                none("--set-play", "it exists in help play of whole moves alone")
            }
            Play::Help(_) if self.set_play && self.format.format != Format::Text => {
                none("--set-play", "of help play it is written as text alone")
            }
            _ => Ok(()),
        }
    }

    /// The set play of help play: its lines without their first turn.
    fn help_set_play<W: Layout>(&self, problem: &Problem<W>, out: &mut dyn Write) -> Answer {
        let Problem { start, stipulation } = problem;
        writeln!(out, "   set play")?;
        let Some(position) = passed(start.game.as_ref(), &start.position) else {
            writeln!(out, "   the side to move cannot pass\n")?;
            return Ok(Verdict::Done);
        };
        let set = Problem {
            start: Start {
                game: start.game.clone(),
                position,
            },
            stipulation: {
                let mut set = *stipulation;
                (set.moves, set.half) = (stipulation.moves - 1, true);
                set
            },
        };
        let (limits, stop, asked) = (self.limits(), interrupt::flag(), Instant::now());
        let solution = set.solve(&limits, stop, &());
        let patience = Patience::new(limits.time, asked, stop);
        let enough = &mut || patience.is_over();
        let written = text::write(&set, &solution, false, out, enough);
        let whole = written.map_err(unwritten)? && solution.stopped.is_none();
        if solution.lines.is_empty() {
            writeln!(out, "   none")?;
        }
        writeln!(out)?;
        Ok(match whole {
            true => Verdict::Done,
            false => Verdict::Undecided,
        })
    }

    fn answer<W: Layout>(
        &self,
        problem: &Problem<W>,
        nth: Option<usize>,
        out: &mut dyn Write,
    ) -> Answer {
        let want = Want {
            tree: !self.keys,
            asides: !self.keys && !self.brief && self.format.format != Format::Csv,
            tries: self.tries,
            set_play: self.set_play,
            firsts: self.keys,
        };
        let bar = Bar::new();
        let svg = self.svg.open()?;
        let html = self.html.as_deref();
        let html = html
            .map(|file| Ok::<_, InputError>((file, open(file, "--html")?)))
            .transpose()?;
        let tables = self.tables.of(&problem.start.game)?;
        if let Some(tables) = &tables {
            // A damaged file is told before the search begins.
            tables.value(&problem.start.position)?;
        }
        let oracle = tables.as_ref().map(|tables| tables as &dyn Oracle<W>);
        let (limits, stop, asked) = (self.limits(), interrupt::flag(), Instant::now());
        let solution = problem.solve_knowing(&limits, want, oracle, stop, &bar);
        bar.bar.finish_and_clear();
        let patience = Patience::new(limits.time, asked, stop);
        let mut set_play = Verdict::Done;
        let game = problem.start.game.as_ref();
        let p = &problem.start.position;
        // Every turn is replayed before it is printed; text and lines do so by themselves.
        if self.keys || self.format.format != Format::Text && solution.lines.is_empty() {
            text::replay(problem, &solution)?;
        }
        match (svg, &self.svg.svg) {
            (Some(target), Some(file)) => {
                fill(
                    target,
                    Path::new(file),
                    "--svg",
                    &picture(problem, &solution),
                )?;
            }
            _ => self.svg.write(|| picture(problem, &solution), out)?,
        }
        if let Some((file, target)) = html {
            fill(target, file, "--html", &page(problem, &solution)?)?;
        }
        if self.svg.alone() {
            // The picture is the answer.
        } else if self.keys {
            if nth > Some(0) {
                writeln!(out)?;
            }
            for key in problem.first_turns(&solution) {
                writeln!(out, "{key}")?;
            }
        } else {
            match self.format.format {
                Format::Text => {
                    if let Some(nth) = nth {
                        let apart = if nth > 0 { "\n" } else { "" };
                        writeln!(out, "{apart}{}", fen::print(game, p))?;
                    }
                    if std::io::stdout().is_terminal() {
                        let board = match Look::of_environment(true) {
                            Look::Plain => board_text::print(game, p),
                            _ => board_text::print_figures(game, p),
                        };
                        writeln!(out, "{board}")?;
                    }
                    writeln!(out, "{} {}\n", game.variant(), problem.stipulation)?;
                    if self.set_play && matches!(problem.stipulation.play, Play::Help(_)) {
                        set_play = self.help_set_play(problem, out)?;
                    }
                    let enough = &mut || patience.is_over();
                    let written = text::write(problem, &solution, true, out, enough);
                    written.map_err(unwritten)?;
                }
                Format::Json => {
                    // Of several positions the answers stand in one array.
                    match nth {
                        None => {}
                        Some(0) => out.write_all(b"[\n")?,
                        Some(_) => out.write_all(b",\n")?,
                    }
                    let storing = Storing {
                        problem,
                        solution: &solution,
                        patience: &patience,
                        wrong: RefCell::new(None),
                    };
                    let written = serde_json::to_writer_pretty(&mut *out, &storing);
                    if let Some(wrong) = storing.wrong.into_inner() {
                        return Err(wrong.into());
                    }
                    written.map_err(std::io::Error::from)?;
                    writeln!(out)?;
                }
                Format::Csv => {
                    let first = nth.is_none_or(|nth| nth == 0);
                    csv_tree(problem, &solution, &patience, first, out)?;
                }
            }
        }
        // Whoever waits for the answer has it before the last word about it.
        out.flush()?;
        if solution.stopped.is_some() && solution.stopped != Some(Stop::Enough) {
            match bar.excluded.load(Ordering::Relaxed) {
                0 => {}
                moves if solution.count() == 0 => {
                    say(&format!("no first turn solves in {moves} moves or fewer"));
                }
                _ => {}
            }
        }
        match solution.stopped {
            Some(Stop::Interrupted) => {
                say("interrupted: the answer is not complete");
                Ok(Verdict::Interrupted)
            }
            Some(Stop::Time) => {
                say("the time is over: the answer is not complete");
                Ok(Verdict::Undecided)
            }
            Some(Stop::Memory) => {
                say(
                    "the lines found take the memory that is allowed: the answer is not complete; see --memory",
                );
                Ok(Verdict::Undecided)
            }
            Some(Stop::Enough) => {
                say("stopped after as many solutions as asked for");
                Ok(Verdict::Undecided)
            }
            None if patience.over.get() => {
                let found = solution.count();
                say(&format!(
                    "{found} lines were found; not all of them are written"
                ));
                Ok(match stop.load(Ordering::Relaxed) {
                    true => Verdict::Interrupted,
                    false => Verdict::Undecided,
                })
            }
            None => Ok(set_play.max(Verdict::found(solution.count() == 0))),
        }
    }

    fn suite(&self, file: &str, out: &mut dyn Write) -> Answer {
        let columns = ["variant", "fen", "stipulation", "solutions", "keys"];
        let suite = Suite::read(file, &columns)?;
        let mut tasks = Vec::new();
        for case in suite.cases() {
            let variant =
                sets::parse(case.text("variant")).map_err(|e| case.wrong("variant", e))?;
            let text = Some(case.text("fen")).filter(|fen| !fen.is_empty());
            let setup = Setup::read(&variant, text).map_err(|e| case.wrong("fen", e))?;
            let geometry = with_setup!(&setup, start => start.game.board().geometry());
            let stipulation = Stipulation::parse(case.text("stipulation"), variant.card, geometry)
                .map_err(|e| case.wrong("stipulation", e))?;
            let expected = case.text("solutions");
            if count_of(expected).is_none() {
                let error =
                    InputError::new(format!("`{expected}`"), "it is no number of solutions")
                        .help("a whole number, or `none`");
                return Err(case.wrong("solutions", error).into());
            }
            tasks.push((case, setup, stipulation));
        }
        let bar = ProgressBar::new(tasks.len() as u64);
        let mut differing: Vec<(Case, String)> = Vec::new();
        let (mut worst, mut done) = (Verdict::Done, 0);
        for (case, setup, stipulation) in &tasks {
            let named = match case.text("keys") {
                "none" => "",
                keys => keys,
            };
            // As people write turns; what is none stays as it stands, and differs.
            let mut expected: Vec<String> = with_setup!(setup, start => {
                let (game, p) = (start.game.as_ref(), &start.position);
                let text = |word| match turns::read(game, p, word, 1) {
                    Ok(turn) => turns::print(game, p, &turn),
                    Err(_) => word.to_string(),
                };
                turns::words(named).map(text).collect()
            });
            expected.sort_unstable();
            let (count, keys, stopped) = with_setup!(setup, start => {
                let problem = Problem { start: start.clone(), stipulation: *stipulation };
                let solution = problem.solve(&self.limits(), interrupt::flag(), &());
                (solution.count(), problem.first_turns(&solution), solution.stopped)
            });
            bar.inc(1);
            if stopped == Some(Stop::Interrupted) {
                worst = Verdict::Interrupted;
                break;
            }
            done += 1;
            if stopped.is_some() {
                worst = worst.max(Verdict::Undecided);
                differing.push((*case, "undecided".to_string()));
            } else if count_of(case.text("solutions")) != Some(count) || expected != keys {
                differing.push((
                    *case,
                    format!("{count} {}", keys.join(" ")).trim_end().to_string(),
                ));
            }
        }
        bar.finish_and_clear();
        let found = differing.len();
        let wrong = differing.iter().any(|(_, solved)| solved != "undecided");
        suite.write_differing("solved", differing, out)?;
        out.flush().map_err(Failure::from)?;
        if worst == Verdict::Interrupted {
            say(&format!(
                "interrupted after {done} of {} rows, {found} differ",
                suite.len()
            ));
            return Ok(worst);
        }
        say(&format!("{} rows, {found} differ", suite.len()));
        Ok(if wrong { Verdict::Finding } else { worst })
    }
}

/// What failed, as a command tells it.
fn unwritten(error: Unwritten) -> Failure {
    match error {
        Unwritten::Wrong(error) => Failure::Input(error),
        Unwritten::Output(error) => Failure::Output(error),
        Unwritten::Stopped => Failure::Output(ErrorKind::Interrupted.into()),
    }
}

/// Says so if the other side begins than problems mean: in help play Black helps White, and begins
/// where moves are whole.
fn note_side<W: Layout>(problem: &Problem<W>) {
    let Problem { start, stipulation } = problem;
    let usual = match stipulation.play {
        Play::Help(Ending::Goal) if stipulation.half => Color::White,
        Play::Help(Ending::Goal) | Play::Series(Ending::Goal, true) => Color::Black,
        _ => return,
    };
    if start.position.side == usual {
        return;
    }
    let (mover, goal) = match (start.position.side, stipulation.half) {
        (Color::White, false) => ("White", "Black"),
        (Color::White, true) => ("White", "White"),
        (Color::Black, false) => ("Black", "White"),
        (Color::Black, true) => ("Black", "Black"),
    };
    say(&format!(
        "note: {mover} is to move, so {goal} is to reach the goal of {stipulation}; problems mean the \
         other way round"
    ));
}

/// The number of solutions that a suite names.
fn count_of(text: &str) -> Option<usize> {
    match text {
        "none" => Some(0),
        _ => text.parse().ok(),
    }
}

/// The diagram with an arrow for each first turn of a solution.
fn picture<W: Layout>(problem: &Problem<W>, solution: &Solution) -> String {
    let (game, p) = (problem.start.game.as_ref(), &problem.start.position);
    let keys = problem.first_turns(solution);
    let mut legal = Vec::new();
    game.turns(p, &mut legal);
    problem.judge().reaching(p, &mut legal);
    let mut diagram = Diagram::new(game, p);
    diagram
        .notes
        .insert(0, ("stipulation", problem.stipulation.to_string()));
    let is_key = |turn: &&Turn| keys.contains(&turns::print(game, p, turn));
    for turn in legal.iter().filter(is_key) {
        diagram = diagram.with_arrows(turn);
    }
    svg::draw(&diagram, svg::Look::FILE)
}

/// The problem as a page.
fn page<W: Layout>(problem: &Problem<W>, solution: &Solution) -> Result<String, InputError> {
    let about = About {
        open: true,
        ..About::default()
    };
    let title = format!("{} {}", problem.start.game.variant(), problem.stipulation);
    let body = svg::symbols(&all_letters())
        + "<main>\n"
        + &::picture::problem::html(problem, solution, about)?
        + "</main>\n";
    Ok(::picture::page(&title, &body))
}

/// One row for each end of the play: the position, the kind of line, its turns, whether it ends in the
/// goal; before them the header, if these are the first rows.
fn csv_tree<W: Layout>(
    problem: &Problem<W>,
    solution: &Solution,
    patience: &Patience,
    first: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut writer = csv::Writer::from_writer(out);
    if first {
        writer
            .write_record(["fen", "kind", "turn", "line", "end"])
            .map_err(std::io::Error::from)?;
    }
    let fen = fen::print(problem.start.game.as_ref(), &problem.start.position);
    let mut row = |kind: &str, turns: &[&str], end: &str| {
        let turn = turns.first().unwrap_or(&"");
        writer
            .write_record([&fen, kind, turn, &turns.join(" "), end])
            .map_err(std::io::Error::from)
    };
    let tree = &solution.tree;
    let mut path = Vec::new();
    for key in &tree.keys {
        moves(key, &mut path, &mut |turns, end| row("key", turns, end))?;
    }
    for attempt in &tree.tries {
        for refutation in &attempt.refutations {
            row("try", &[&attempt.turn, refutation], "refuted")?;
        }
    }
    replies(&tree.set_play, &mut path, &mut |turns, end| {
        row("set-play", turns, end)
    })?;
    match each_line(problem, solution, patience, |turns| {
        row("line", &turns, "goal")
    }) {
        Ok(()) | Err(Unlisted::Enough) => Ok(writer.flush()?),
        Err(Unlisted::Output(error)) => Err(error.into()),
        Err(Unlisted::Wrong(error)) => Err(error.into()),
    }
}

type Row<'r> = dyn FnMut(&[&str], &str) -> std::io::Result<()> + 'r;

fn moves<'t>(node: &'t Move, path: &mut Vec<&'t str>, row: &mut Row<'_>) -> std::io::Result<()> {
    path.push(&node.turn);
    if node.answers.is_empty() {
        row(path, if node.goal { "goal" } else { "cut" })?;
    }
    replies(&node.answers, path, row)?;
    path.pop();
    Ok(())
}

fn replies<'t>(
    answers: &'t [Reply],
    path: &mut Vec<&'t str>,
    row: &mut Row<'_>,
) -> std::io::Result<()> {
    for answer in answers {
        path.push(&answer.turn);
        if answer.next.is_empty() {
            row(path, if answer.goal { "goal" } else { "cut" })?;
        }
        for next in &answer.next {
            moves(next, path, row)?;
        }
        path.pop();
    }
    Ok(())
}

/// How deep the brackets of a stored answer may stand in each other: a move of a tree adds four.
const MOST_BRACKETS: usize = 8 * MOST_MOVES as usize;

/// How deep brackets stand in each other in a JSON text.
fn brackets(bytes: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    let (mut quoted, mut escaped) = (false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Reads stored answers, however long their moves: the usual bound on brackets would end at 31.
fn read_stored(name: &str, bytes: &[u8]) -> Result<Vec<Stored>, InputError> {
    let none = |why: String| {
        InputError::new(name, format!("it is no stored answer: {why}"))
            .help("`fairyproof solve ... --format json` writes one")
    };
    let depth = brackets(bytes);
    if depth > MOST_BRACKETS {
        return Err(none(format!(
            "its brackets stand {depth} deep in each other; {MOST_BRACKETS} are the most"
        )));
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    reader.disable_recursion_limit();
    let many = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
    let stored = match many {
        true => Vec::deserialize(&mut reader),
        false => Stored::deserialize(&mut reader).map(|stored| vec![stored]),
    };
    let stored = stored.map_err(|e| none(e.to_string()))?;
    reader.end().map_err(|e| none(e.to_string()))?;
    Ok(stored)
}

/// Checks stored answers.
fn check(file: &str, out: &mut dyn Write) -> Answer {
    let name = format!("file `{file}`");
    let bytes = std::fs::read(file)
        .map_err(|e| InputError::new(&name, format!("it cannot be read: {e}")))?;
    let mut worst = Verdict::Done;
    for stored in read_stored(&name, &bytes)? {
        worst = worst.max(check_one(&stored, out)?);
    }
    Ok(worst)
}

/// Whether of some threat or try only its turn is told.
fn has_bare(tree: &Tree) -> bool {
    fn in_moves(nodes: &[Move]) -> bool {
        let bare = |node: &Move| node.threats.iter().any(Move::is_bare);
        let deeper = |node: &Move| in_moves(&node.threats) || in_replies(&node.answers);
        nodes.iter().any(|node| bare(node) || deeper(node))
    }
    fn in_replies(answers: &[Reply]) -> bool {
        answers.iter().any(|answer| in_moves(&answer.next))
    }
    tree.asides_cut
        || tree.tries.iter().any(|attempt| attempt.answers.is_empty())
        || in_moves(&tree.keys)
        || in_replies(&tree.set_play)
}

/// Checks one.
fn check_one(stored: &Stored, out: &mut dyn Write) -> Answer {
    let variant = sets::parse(&stored.variant)?;
    let setup = Setup::read(&variant, Some(&stored.fen))?;
    let finding = |why: &str| {
        say(why);
        Ok(Verdict::Finding)
    };
    with_setup!(setup, start => {
        let geometry = start.game.board().geometry();
        let stipulation = Stipulation::parse(&stored.stipulation, variant.card, geometry)?;
        let problem = Problem { start, stipulation };
        let held = stored.tree.keys.len() + stored.lines.len();
        if stored.lines_cut {
            return finding("not all lines that were found are stored");
        }
        if stored.solutions != held {
            return finding("the number of solutions is not that of what is stored");
        }
        if (stored.verdict == "no-solution") != (held == 0 && stored.complete) {
            return finding("the verdict is not that of what is stored");
        }
        if stored.keys != stored.firsts() {
            return finding("the keys are not the first turns of what is stored");
        }
        let (judge, p) = (problem.judge(), &problem.start.position);
        let lines: Vec<&[String]> = stored.lines.iter().map(|line| &*line.turns).collect();
        let help = matches!(stipulation.play, Play::Help(_) | Play::Series(..));
        let checked = match help {
            true => check::lines(&judge, &stipulation, p, &lines),
            false => check::tree(&judge, &stipulation, p, &stored.tree),
        };
        let what = if help { ["line", "lines"] } else { ["key", "keys"] };
        match checked {
            Ok(turns) => {
                let (held_text, turns) =
                    (counted(held as u64, what[0], what[1]), counted(turns as u64, "turn", "turns"));
                writeln!(out, "{held_text} verified, {turns}")?;
                let mut open = vec![match held {
                    0 => "that there is no solution",
                    _ => "that there is no other solution",
                }];
                if !help {
                    open.push("that no shorter continuation, threat, try or refutation is missing");
                    open.push("that what refutes a try does");
                }
                if has_bare(&stored.tree) {
                    open.push("what is played after threats and tries");
                }
                out.flush()?;
                say(&format!("not checked: {}", open.join("; ")));
                Ok(Verdict::Done)
            }
            Err(error) => finding(&error.to_string()),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stored answer whose play is so many moves long.
    fn stored(moves: usize) -> String {
        let open = "{\"turn\":\"a1a2\",\"answers\":[{\"turn\":\"a2a1\",\"next\":[";
        let tree = open.repeat(moves) + "{\"turn\":\"a1a2\",\"goal\":true}" + &"]}]}".repeat(moves);
        format!(
            "{{\"variant\":\"fide\",\"fen\":\"\",\"stipulation\":\"#99\",\"verdict\":\"sound\",\
             \"complete\":true,\"solutions\":1,\"keys\":[\"a1a2\"],\"tree\":{{\"keys\":[{tree}]}}}}"
        )
    }

    #[test]
    fn stored_answers_of_all_lengths_are_read() {
        for moves in [1, 31, 32, 98] {
            let read = read_stored("file", stored(moves).as_bytes());
            assert!(read.is_ok(), "{moves} moves: {:?}", read.err());
        }
        let two = format!(" [{},\n{}]", stored(3), stored(1));
        assert_eq!(
            read_stored("file", two.as_bytes()).map(|all| all.len()),
            Ok(2)
        );
    }

    #[test]
    fn brackets_without_end_are_refused() {
        for text in ["[".repeat(1 << 20), stored(10_000)] {
            let error = read_stored("file", text.as_bytes()).err();
            assert!(error.is_some_and(|e| e.to_string().contains("deep in each other")));
        }
        // Those in a text do not count.
        assert_eq!(brackets(br#"["[[[\"[[", {}]"#), 2);
    }
}

use super::answer::{Answer, Failure, Verdict, say};
use super::args::{Format, FormatArg, Memory, TablesOption, Threads};
use super::interrupt;
use super::picture::{SvgOption, all_letters, write_text};
use super::suite::{Case, Suite};
use ::picture::problem::About;
use ::picture::{Diagram, svg};
use indicatif::ProgressBar;
use input::InputError;
use notation::with_setup;
use notation::{Setup, board_text, fen, turns};
use rules::Turn;
use serde::{Deserialize, Serialize};
use solve::Layout;
use solve::oracle::Oracle;
use solve::problem::check;
use solve::problem::text::{self, all_coordinates, verdict};
use solve::problem::tree::{Move, Reply, Tree, Want};
use solve::{Limits, Play, Problem, Progress, Solution, Stipulation, Stop};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

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
    /// Position; the start if left out
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
          conflicts_with_all = ["id", "stipulation", "fen", "keys", "tries", "set_play", "format", "svg"])]
    suite: Option<String>,
    /// Check an answer stored with `--format json`
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["id", "stipulation", "fen", "keys", "tries", "set_play", "suite", "svg"])]
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
#[derive(Serialize, Deserialize)]
struct Stored {
    variant: String,
    fen: String,
    stipulation: String,
    verdict: String,
    complete: bool,
    solutions: usize,
    keys: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lines: Vec<StoredLine>,
    tree: Tree,
}

#[derive(Serialize, Deserialize)]
struct StoredLine {
    turns: Vec<String>,
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
struct Bar(ProgressBar);

impl Progress for Bar {
    fn positions(&self, positions: u64) {
        self.0.set_message(format!("{positions} positions"));
        self.0.tick();
    }
}

impl Args {
    /// Answers.
    pub fn run(&self, out: &mut dyn Write) -> Answer {
        match (&self.suite, &self.check, &self.id, &self.stipulation) {
            (Some(file), ..) => self.suite(file, out),
            (_, Some(file), ..) => check(file, out),
            (_, _, Some(id), Some(stipulation)) => self.one(id, stipulation, out),
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

    fn one(&self, id: &str, stipulation: &str, out: &mut dyn Write) -> Answer {
        let variant = sets::parse(id)?;
        let setup = Setup::read(&variant, self.fen.as_deref())?;
        with_setup!(setup, start => {
            let geometry = start.game.board().geometry();
            let stipulation = Stipulation::parse(stipulation, variant.card, geometry)?;
            self.answer(&Problem { start, stipulation }, out)
        })
    }

    fn answer<W: Layout>(&self, problem: &Problem<W>, out: &mut dyn Write) -> Answer {
        let want = Want {
            tree: !self.keys,
            tries: self.tries,
            set_play: self.set_play,
            firsts: self.keys,
        };
        let bar = Bar(ProgressBar::new_spinner());
        let tables = self.tables.of(&problem.start.game)?;
        if let Some(tables) = &tables {
            // A damaged file is told before the search begins.
            tables.value(&problem.start.position)?;
        }
        let oracle = tables.as_ref().map(|tables| tables as &dyn Oracle<W>);
        let (limits, stop) = (self.limits(), interrupt::flag());
        let solution = problem.solve_knowing(&limits, want, oracle, stop, &bar);
        bar.0.finish_and_clear();
        let game = problem.start.game.as_ref();
        let p = &problem.start.position;
        // Every turn is replayed before it is printed; the text does so by itself.
        if self.keys || self.format.format != Format::Text {
            text::replay(problem, &solution)?;
        }
        self.svg.write(|| picture(problem, &solution), out)?;
        if let Some(file) = &self.html {
            write_text(file, "--html", &page(problem, &solution)?)?;
        }
        if self.svg.alone() {
            // The picture is the answer.
        } else if self.keys {
            for key in problem.first_turns(&solution) {
                writeln!(out, "{key}")?;
            }
        } else {
            match self.format.format {
                Format::Text => {
                    let text = text::print(problem, &solution)?;
                    if std::io::stdout().is_terminal() {
                        writeln!(out, "{}", board_text::print_figures(game, p))?;
                    }
                    writeln!(out, "{} {}\n", game.variant(), problem.stipulation)?;
                    out.write_all(text.as_bytes())?;
                }
                Format::Json => {
                    let stored = Stored {
                        variant: game.variant().to_string(),
                        fen: fen::print(game, p),
                        stipulation: problem.stipulation.to_string(),
                        verdict: verdict(problem, &solution).word().to_string(),
                        complete: solution.stopped.is_none(),
                        solutions: solution.count(),
                        keys: problem.first_turns(&solution),
                        lines: all_coordinates(problem, &solution)
                            .into_iter()
                            .map(|turns| StoredLine { turns })
                            .collect(),
                        tree: solution.tree.clone(),
                    };
                    serde_json::to_writer_pretty(&mut *out, &stored)
                        .map_err(std::io::Error::from)?;
                    writeln!(out)?;
                }
                Format::Csv => csv_tree(problem, &solution, out)?,
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
            Some(Stop::Enough) => {
                say("stopped after as many solutions as asked for");
                Ok(Verdict::Undecided)
            }
            None => Ok(Verdict::found(solution.count() == 0)),
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
            if expected.parse::<usize>().is_err() {
                let error =
                    InputError::new(format!("`{expected}`"), "it is no number of solutions");
                return Err(case.wrong("solutions", error).into());
            }
            tasks.push((case, setup, stipulation));
        }
        let bar = ProgressBar::new(tasks.len() as u64);
        let mut differing: Vec<(Case, String)> = Vec::new();
        let mut worst = Verdict::Done;
        for (case, setup, stipulation) in &tasks {
            let (count, keys, stopped) = with_setup!(setup, start => {
                let problem = Problem { start: start.clone(), stipulation: *stipulation };
                let solution = problem.solve(&self.limits(), interrupt::flag(), &());
                (solution.count(), problem.first_turns(&solution), solution.stopped)
            });
            bar.inc(1);
            if stopped == Some(Stop::Interrupted) {
                bar.finish_and_clear();
                return Ok(Verdict::Interrupted);
            }
            let mut expected: Vec<&str> = case.text("keys").split_whitespace().collect();
            expected.sort_unstable();
            if stopped.is_some() {
                worst = Verdict::Undecided;
                differing.push((*case, "undecided".to_string()));
            } else if case.text("solutions").parse() != Ok(count) || expected != keys {
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
        say(&format!("{} rows, {found} differ", suite.len()));
        Ok(if wrong { Verdict::Finding } else { worst })
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

/// One row for each end of the play: the kind of line, its turns, whether it ends in the goal.
fn csv_tree<W: Layout>(
    problem: &Problem<W>,
    solution: &Solution,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut writer = csv::Writer::from_writer(out);
    writer
        .write_record(["kind", "turn", "line", "end"])
        .map_err(std::io::Error::from)?;
    let mut row = |kind: &str, turns: &[&str], end: &str| {
        writer
            .write_record([kind, turns.first().unwrap_or(&""), &turns.join(" "), end])
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
    for line in all_coordinates(problem, solution) {
        let turns: Vec<&str> = line.iter().map(String::as_str).collect();
        row("line", &turns, "goal")?;
    }
    Ok(writer.flush()?)
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

/// Checks a stored answer.
fn check(file: &str, out: &mut dyn Write) -> Answer {
    let name = format!("file `{file}`");
    let bytes = std::fs::read(file)
        .map_err(|e| InputError::new(&name, format!("it cannot be read: {e}")))?;
    let stored: Stored = serde_json::from_slice(&bytes).map_err(|e| {
        InputError::new(&name, format!("it is no stored answer: {e}"))
            .help("`fairyproof solve ... --format json` writes one")
    })?;
    let variant = sets::parse(&stored.variant)?;
    let setup = Setup::read(&variant, Some(&stored.fen))?;
    with_setup!(setup, start => {
        let geometry = start.game.board().geometry();
        let stipulation = Stipulation::parse(&stored.stipulation, variant.card, geometry)?;
        let problem = Problem { start, stipulation };
        if stored.keys != stored.firsts() {
            say("the keys are not the first turns of what is stored");
            return Ok(Verdict::Finding);
        }
        if stored.solutions != stored.tree.keys.len() + stored.lines.len() {
            say("the number of solutions is not that of what is stored");
            return Ok(Verdict::Finding);
        }
        let (judge, p) = (problem.judge(), &problem.start.position);
        let lines: Vec<&[String]> = stored.lines.iter().map(|line| &*line.turns).collect();
        let checked = if matches!(stipulation.play, Play::Help(_) | Play::Series(..)) {
            check::lines(&judge, &stipulation, p, &lines).map(|turns| ("lines", turns))
        } else {
            check::tree(&judge, &stipulation, p, &stored.tree).map(|turns| ("keys", turns))
        };
        match checked {
            Ok((what, turns)) => {
                writeln!(out, "{} {what} verified, {turns} turns", stored.solutions)?;
                Ok(Verdict::Done)
            }
            Err(error) => {
                say(&format!("{error}"));
                Ok(Verdict::Finding)
            }
        }
    })
}

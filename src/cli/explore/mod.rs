//! The command `explore`: searches the reachable graph in memory, on disk or on several processes, and writes
//! its figures and files.
//!
//! * `stores.rs`: explores and solves in each store. All return the same struct.
//! * `processes.rs`: the processes that share a graph.
//! * `files.rs`: the files that are written.
//! * `questions.rs`, `answers.rs`, `bottlenecks.rs`: questions about the states of a graph, and their answers.

mod answers;
mod bottlenecks;
mod files;
mod processes;
mod questions;
mod stores;

use super::answer::{Answer, Verdict, say, say_cost};
use super::args::{Expected, Format, VariantArg, WorkArgs, read_setup, within};
use super::interrupt;
use catalog::Catalog;
use control::{Control, Observer, Stopped};
use diagnostics::Diagnostic;
use explore::{Expander, Limits, Summary};
use files::Files;
use notation::{Setup, Start, turns, with_setup};
use position::Position;
use processes::Workers;
use questions::Questions;
use report::solved::Solved;
use report::table;
use rules::Turn;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use stores::Found;
use values::Layout;

/// Find every position that legal turns can reach, and examine their graph
///
/// Breadth first from a position: states, edges, terminal states by outcome and reason, out-degrees, strongly
/// connected components, and the longest path in turns where the graph has no cycle. A limit that stops the
/// search is named, the explored part is reported, and the exit code is 3. Ctrl-C is such a limit (exit code
/// 130).
///
/// With --solve every position of a complete graph gets its value under best play, for the side to move:
/// loss, weak loss, draw, weak win or win, and its distance in plies: the winner minimizes it, the loser
/// maximizes it. Draws, by the rules or by endless play, have no distance. The values are then compared with
/// those of all successors, which the rules generate again. Of several longest wins, the one that the fewest
/// turns reach is printed; of these, the one with the least key.
///
/// Several processes can explore a graph that is too large for one: --processes N starts them on this
/// machine; --hosts FILE --process I is one of them, on any machine. The output equals that of --no-edges
/// byte for byte, except that limits of states and memory, and Ctrl-C, stop after the last complete level. If
/// a process is lost, the others end (exit code 3), and with --state DIR the same command continues from the
/// last level that all have saved. Values (--solve) are found by one process, with --disk for graphs that do
/// not fit in memory. The processes' messages are neither encrypted nor authenticated: use a private network.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    fairyproof explore french-revolution --fen \"k2/3/PPP/ppp/3/2K w - - 0 1 first=1\" --dot game.dot\n  \
    fairyproof explore fide --fen \"7k/5r2/8/8/8/8/Q7/K7 w - - 0 1\" --no-edges\n  \
    fairyproof explore bachelor --max-depth 5 --csv depths.csv\n  \
    fairyproof explore bachelor --max-depth 3 --edges edges.csv.gz\n  \
    fairyproof explore fide --max-depth 4 --find 'won(black)'\n  \
    fairyproof explore bachelor --fen \"4k/5/5/Q4/4K w - - 0 1\" --solve --values values.csv\n  \
    fairyproof explore convergent --max-depth 5 --processes 2 --state saved")]
pub struct Args {
    #[command(flatten)]
    pub(super) variant: VariantArg,
    /// Position [default: the start position]
    #[arg(value_name = "FEN", conflicts_with = "named")]
    fen: Option<String>,
    /// Same as the FEN argument
    #[arg(long = "fen", id = "named", value_name = "FEN")]
    named: Option<String>,
    /// Stop before there are more states than this
    #[arg(long, value_name = "N", value_parser = within(1, MAX_STATES))]
    max_states: Option<u64>,
    /// Do not go deeper than this, in turns from the position
    #[arg(long, value_name = "N", value_parser = within(0, u32::MAX))]
    max_depth: Option<u32>,
    /// Stop after SECONDS seconds: a limit as --max-states
    #[arg(long, value_name = "SECONDS", value_parser = super::solve::seconds)]
    time: Option<Duration>,
    /// Do not keep edges: this takes less memory, but cycles, components and longest paths are not reported.
    /// With --solve, edges are kept and only the structure is not reported
    #[arg(long, conflicts_with_all = ["dot", "graphml", "edges", "condensation"])]
    no_edges: bool,
    /// Write the levels of the graph to this file, as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the graph to this file, for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write the graph to this file, as GraphML
    #[arg(long, value_name = "FILE")]
    graphml: Option<PathBuf>,
    /// Write the edges of the graph to this file, as CSV with the columns source, target and turn. The name of this
    /// file, and that of any other, may end in .gz: it is then compressed
    #[arg(long, value_name = "FILE")]
    edges: Option<PathBuf>,
    /// Write the strongly connected components of the graph, with their sizes, values and edges, to this file: as
    /// CSV if its name ends in .csv, else as GraphML; repeatable
    #[arg(long, value_name = "FILE")]
    condensation: Vec<PathBuf>,
    /// Value every position of the graph, and print a summary of the values
    #[arg(long)]
    pub(super) solve: bool,
    /// Certify the values also of more than 10 million positions
    #[arg(long, requires = "solve")]
    certify: bool,
    /// Write every position with its value to this file, as CSV
    #[arg(long, value_name = "FILE", requires = "solve")]
    values: Option<PathBuf>,
    /// Write the states to this file, as Parquet: number, key, side, value, plies, depth, turns
    #[cfg(feature = "parquet")]
    #[arg(long, value_name = "FILE", conflicts_with = "disk")]
    parquet: Option<PathBuf>,
    /// Write the edges to this file, as Parquet: the numbers of two states
    #[cfg(feature = "parquet")]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["disk", "no_edges"])]
    parquet_edges: Option<PathBuf>,
    /// Keep the states in this folder, in sorted files, if they do not fit in memory: the whole process stays
    /// under --memory. The output is that of --no-edges. After a stop or a kill, the same command continues
    /// from the last complete level
    #[arg(long, value_name = "DIR",
          conflicts_with_all = ["dot", "graphml", "edges", "condensation", "values", "hosts", "processes", "state"])]
    disk: Option<PathBuf>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = shape)]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) questions: Questions,
    #[command(flatten)]
    pub(super) work: WorkArgs,
    #[command(flatten)]
    pub(super) workers: Workers,
}

const CONDENSATION: &str = "--condensation";
/// The maximum number of states whose values are certified without an explicit request.
const CERTIFIED_STATES: u64 = 10_000_000;
const MAX_STATES: u64 = u32::MAX as u64 - 1;

fn shape(text: &str) -> Result<Format, Expected> {
    match text {
        "text" => Ok(Format::Text),
        "json" => Ok(Format::Json),
        "csv" => Ok(Format::Csv),
        _ => Err(Expected("text, json or csv")),
    }
}

impl Args {
    /// Returns the maximum number of states whose values are certified.
    fn certified_states(&self) -> u64 {
        match self.certify {
            true => u64::MAX,
            false => CERTIFIED_STATES,
        }
    }

    /// Returns the limits of a search in memory.
    pub(super) fn limits(&self, edges: bool) -> Limits {
        Limits {
            max_states: self.max_states.unwrap_or(MAX_STATES),
            max_depth: self.max_depth.unwrap_or(u32::MAX),
            edges,
        }
    }

    /// Returns the control of a search in memory.
    pub(super) fn control<'a>(&self, observer: &'a dyn Observer) -> Control<'a> {
        interrupt::timed(self.work.control(observer), self.time)
    }

    /// Returns the files to be written, each with its option.
    fn outputs(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let once = [
            ("--csv", &self.csv),
            ("--dot", &self.dot),
            ("--graphml", &self.graphml),
            ("--edges", &self.edges),
            ("--values", &self.values),
            #[cfg(feature = "parquet")]
            ("--parquet", &self.parquet),
            #[cfg(feature = "parquet")]
            ("--parquet-edges", &self.parquet_edges),
        ];
        let once = once.into_iter();
        let once = once.filter_map(|(option, path)| Some((option, path.as_deref()?)));
        let each = self.condensation.iter();
        once.chain(each.map(|path| (CONDENSATION, path.as_path())))
    }

    /// Refuses options about files and figures of the graph if the command has a question about the graph.
    ///
    /// # Errors
    /// The first such option.
    pub(super) fn refuse_files_beside(&self, question: &str) -> Result<(), Diagnostic> {
        let outputs = self.outputs().map(|(option, _)| option);
        if let Some(option) = outputs.chain(self.certify.then_some("--certify")).next() {
            let why = format!("it cannot be combined with {question}");
            return Err(Diagnostic::new(option, why));
        }
        if (self.disk.is_some() || self.workers.asked()) && self.solve {
            let why = format!(
                "{question} reads the values of graphs in memory alone: not with --disk, --processes, --hosts or --state"
            );
            return Err(Diagnostic::new("--solve", why));
        }
        Ok(())
    }

    /// Returns the folder of a search on disk, if it is requested.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.disk.as_deref()
    }

    /// Runs the command and writes the figures to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let variant = self.variant.open(catalog)?;
        let fen = self.named.as_deref().or(self.fen.as_deref());
        if fen == Some("-") {
            return Err(Diagnostic::new("--fen", "one position at a time is explored").into());
        }
        if self.format == Format::Csv && !self.questions.any() {
            let error = Diagnostic::new(
                "--format csv",
                "it is for --find, --always, --count and --bottlenecks",
            );
            return Err(error
                .help("--csv FILE writes the levels of the graph as CSV")
                .into());
        }
        let setup = read_setup(&variant, fen)?;
        note_carried(catalog, &setup);
        let begun = Instant::now();
        let answer = with_setup!(&setup, start => self.on(catalog, start, out));
        if answer.is_ok() {
            say_cost(begun);
        }
        answer
    }

    fn on<W: Layout>(&self, catalog: &Catalog, start: &Start<W>, out: &mut dyn Write) -> Answer {
        if let Some(goal) = self.questions.bottlenecks() {
            return bottlenecks::answer(catalog, self, goal, start, out);
        }
        if self.questions.any() {
            return questions::answer(catalog, self, start, out);
        }
        let mut files = None;
        let found = if self.workers.asked() {
            match stores::on_workers(self, start, &mut files)? {
                Ok(found) => found,
                Err(verdict) => return Ok(verdict),
            }
        } else {
            interrupt::timed(Control::new(), self.time);
            files = Some(Files::open(self)?);
            match &self.disk {
                Some(folder) => stores::on_disk(self, start, folder)?,
                None => stores::in_memory(self, start),
            }
        };
        self.finish(start, found, files, out)
    }

    /// Writes the files and the figures. Without `files`, another process writes them.
    fn finish<W: Layout>(
        &self,
        start: &Start<W>,
        mut found: Found,
        files: Option<Files<'_>>,
        out: &mut dyn Write,
    ) -> Answer {
        let mut verdict = match found.summary.limit {
            None => Verdict::Done,
            Some(Stopped::Interrupted) => Verdict::Interrupted,
            Some(limit) => {
                say_limit(limit.limit());
                Verdict::Undecided
            }
        };
        if found.lacks_structure {
            say("the components and the longest path are missing");
            verdict = verdict.max(interrupt::verdict());
        }
        for fault in &found.faults {
            say(&format!("wrong value: {fault}"));
        }
        match &found.solved {
            None => {}
            Some(Ok(solved)) => {
                verdict = verdict.max(Verdict::found(solved.faulty_states > Some(0)));
                let expander = Expander::new(start.game.as_ref(), &start.position);
                found.figures.solved = Some(Solved::new(&expander, solved));
            }
            Some(Err(why)) => {
                say(&format!("not solved: {why}"));
                verdict = verdict.max(match why.is_interrupted() {
                    true => Verdict::Interrupted,
                    false => Verdict::Undecided,
                });
            }
        }
        let Some(mut files) = files else {
            return Ok(verdict);
        };
        // Write the files first: they are wanted even if standard output is closed.
        files.write_all(start, &found)?;
        match self.format {
            Format::Json => table::json(&found.figures, out)?,
            _ => out.write_all(found.figures.text().as_bytes())?,
        }
        out.flush()?;
        match interrupt::pressed() {
            true => Ok(Verdict::Interrupted),
            false => Ok(verdict.max(files.verdict())),
        }
    }
}

/// Plays a line of turns. Returns the position at its end, and the turns as text.
fn played<W: Layout>(start: &Start<W>, line: &[Turn]) -> (Position<W>, Vec<String>) {
    let game = start.game.as_ref();
    let mut position = start.position;
    let texts = line.iter().map(|turn| {
        let text = turns::print(game, &position, turn);
        position = game.play(&position, turn);
        text
    });
    let texts = texts.collect();
    (position, texts)
}

/// Prints how the regions of a definition are adapted to the board of a position, if that board is smaller
/// than the definition's own.
fn note_carried(catalog: &Catalog, setup: &Setup) {
    let board = with_setup!(setup, start => start.game.board().geometry());
    let Some(definition) = catalog.definition(setup.variant().rule_set.id()) else {
        return;
    };
    if (board.files(), board.ranks()) == (definition.board.files(), definition.board.ranks()) {
        return;
    }
    let Ok(smaller) = definition.on_board(board.files(), board.ranks()) else {
        return;
    };
    for key in smaller.keys.iter().filter(|key| key.own != key.carried) {
        say(&format!(
            "note: on {}, `{} = {}` becomes `{}`: {}",
            board.size(),
            key.key,
            key.own,
            key.carried,
            key.reading
        ));
    }
    if smaller.loses_castling {
        say(&format!("note: on {}, there is no castling", board.size()));
    }
}

/// Returns the ranges of the states at each depth.
fn levels(summary: &Summary) -> Vec<Range<usize>> {
    let rows = summary.depths.iter();
    rows.scan(0, |first, row| {
        let level = *first..*first + row.states as usize;
        *first = level.end;
        Some(level)
    })
    .collect()
}

/// Prints the limit that stopped a search.
fn say_limit(limit: &str) {
    say(&format!(
        "stopped by the limit {limit}: the graph is not complete"
    ));
}

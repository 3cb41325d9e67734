//! The command `explore`: searches the reachable graph in memory, on disk or on several processes, and writes
//! its figures and files.

use super::answer::{Answer, Failure, Verdict, say, say_cost, unwritable};
use super::args::{Expected, Format, VariantArg, WorkArgs, read_setup, within};
use super::disk;
use super::explore_bottlenecks;
use super::explore_query::{self, Questions};
use super::exploring::ExploreRequest;
use super::interrupt;
use super::progress::Bar;
use super::scale::Workers;
use catalog::Catalog;
use control::{Control, Observer, Stopped};
use diagnostics::Diagnostic;
use explore::{Expander, Exploration, Limits, condensation, explore};
use flate2::Compression;
use flate2::write::GzEncoder;
use notation::{Setup, Start, fen, with_setup};
use report::explored::Explored;
use report::solved::{Solved, write_states};
use report::{CondensationFile, GraphFile, GraphFormat, Target, table, write_depths};
use rules::Game;
use scale::{SolvedSummary, Ties};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use values::Layout;
use values::{Unsolved, Values, certify_game, solve_game};

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
/// a process is lost, the others end at once (exit code 3), and with --state DIR the same command continues
/// from the last level that all have saved. The processes' messages are neither encrypted nor authenticated:
/// use a private network.
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
#[cfg(feature = "parquet")]
const PARQUET: &str = "--parquet";
#[cfg(feature = "parquet")]
const PARQUET_EDGES: &str = "--parquet-edges";
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
    /// Returns the request for a search on disk or on several processes.
    pub(super) fn wish(&self) -> ExploreRequest {
        ExploreRequest {
            memory_bytes: self.work.memory.bytes(),
            threads: self.work.threads,
            max_states: self.max_states,
            max_depth: self.max_depth.unwrap_or(u32::MAX),
            solve: self.solve,
            certify: self.certify,
            time: self.time,
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
        self.work.control(observer).with_time(self.time)
    }

    /// Refuses options about files and figures of the graph if the command has a question about the graph.
    ///
    /// # Errors
    /// The first such option.
    pub(super) fn refuse_files_beside(&self, question: &str) -> Result<(), Diagnostic> {
        let given = [
            ("--csv", self.csv.is_some()),
            ("--dot", self.dot.is_some()),
            ("--graphml", self.graphml.is_some()),
            ("--edges", self.edges.is_some()),
            ("--condensation", !self.condensation.is_empty()),
            ("--values", self.values.is_some()),
            ("--certify", self.certify),
            #[cfg(feature = "parquet")]
            (PARQUET, self.parquet.is_some()),
            #[cfg(feature = "parquet")]
            (PARQUET_EDGES, self.parquet_edges.is_some()),
        ];
        let why = format!("it cannot be combined with {question}");
        if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
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

    /// Returns the limits of a search on disk.
    pub(super) fn disk_limits(&self) -> scale::disk::Limits {
        scale::disk::Limits {
            max_states: self.max_states,
            max_depth: self.max_depth.unwrap_or(u32::MAX),
        }
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
            return explore_bottlenecks::answer(catalog, self, goal, start, out);
        }
        if self.questions.any() {
            return explore_query::answer(catalog, self, start, out);
        }
        if self.workers.asked() {
            return self.on_workers(start, out);
        }
        let game = start.game.as_ref();
        let mut files = Files::open(self)?;
        if let Some(folder) = &self.disk {
            return self.on_disk(start, folder, files, out);
        }
        // Values are computed from the edges.
        let limits = self.limits(!self.no_edges || self.solve);
        let bar = Bar::new();
        let control = self.control(&bar);
        let found = explore(game, &start.position, &limits, &control);
        // After Ctrl-C, skip the longest path. Ctrl-C during its computation ends the program at once, since
        // no result would be lost.
        let structure = match found.summary.limit {
            Some(Stopped::Interrupted) => None,
            _ if self.no_edges => None,
            _ => {
                let _nothing_to_lose = interrupt::at_once();
                self.work.threads.install(|| found.structure())
            }
        };
        let fen = fen::print(game, &start.position);
        let mut explored = Explored::new(game.variant().to_string(), fen, &found.summary);
        if let Some(structure) = &structure {
            explored = explored.with_structure(game, &found, structure);
        }
        let mut verdict = stopped_by(found.summary.limit);
        let mut values = None;
        if self.solve {
            match self.solved(game, &found, &control) {
                Ok((solved, all)) => {
                    verdict = verdict.max(Verdict::found(solved.faulty_states > Some(0)));
                    explored.solved = Some(solved);
                    values = Some(all);
                }
                Err(stopped) => verdict = verdict.max(not_solved(stopped)),
            }
        }
        bar.clear();
        // Write the files first: they are wanted even if standard output is closed.
        files.write("--csv", |out| write_depths(&found.summary.depths, out))?;
        if let Some(graph) = &found.graph {
            let (found, values) = (&found, values.as_ref());
            let file = GraphFile {
                game,
                found,
                graph,
                values,
            };
            let size = |format| file.estimated_bytes(format);
            files.announce("--edges", || size(GraphFormat::Edges));
            files.write("--edges", |out| file.write_edges(out))?;
            files.announce("--dot", || size(GraphFormat::Dot));
            files.write("--dot", |out| file.write_dot(out))?;
            files.announce("--graphml", || size(GraphFormat::GraphMl));
            files.write("--graphml", |out| file.write_graphml(out))?;
            if !self.condensation.is_empty() {
                let condensation = &condensation(graph);
                let file = CondensationFile {
                    game,
                    found,
                    condensation,
                    values,
                };
                files.write_each(CONDENSATION, |path, out| {
                    match uncompressed(path)
                        .extension()
                        .is_some_and(|extension| extension == "csv")
                    {
                        true => file.write_csv(out),
                        false => file.write_graphml(out),
                    }
                })?;
            }
        }
        #[cfg(feature = "parquet")]
        write_columns(&mut files, start, &found, values.as_ref())?;
        match &values {
            Some(values) => {
                files.write("--values", |out| write_states(game, &found, values, out))?;
            }
            None if self.values.is_some() => say("the file of --values is not written"),
            None => {}
        }
        self.print(&explored, verdict.max(files.verdict()), out)
    }

    fn print(&self, explored: &Explored, verdict: Verdict, out: &mut dyn Write) -> Answer {
        match self.format {
            Format::Json => table::json(explored, out)?,
            _ => out.write_all(explored.text().as_bytes())?,
        }
        out.flush()?;
        match interrupt::pressed() {
            true => Ok(Verdict::Interrupted),
            false => Ok(verdict),
        }
    }

    /// Explores in a folder and prints the figures.
    fn on_disk<W: Layout>(
        &self,
        start: &Start<W>,
        folder: &Path,
        mut files: Files,
        out: &mut dyn Write,
    ) -> Answer {
        let game = start.game.as_ref();
        let fen = fen::print(game, &start.position);
        let expander = Expander::new(game, &start.position);
        let explore = || disk::explore(folder, &self.wish(), game, &fen, &expander);
        let (summary, solved) = self.work.threads.install(explore)?;
        let mut verdict = stopped_by(summary.limit);
        let mut explored = Explored::new(game.variant().to_string(), fen, &summary);
        match solved {
            None => {}
            Some(Ok(solved)) => {
                verdict = verdict.max(Verdict::found(solved.faulty_states > Some(0)));
                explored.solved = Some(Solved::new(&expander, &solved));
            }
            Some(Err(stopped)) => {
                say(&format!("not solved: {stopped}"));
                verdict = verdict.max(match stopped {
                    disk::Failed::Stopped(Stopped::Interrupted) => Verdict::Interrupted,
                    _ => Verdict::Undecided,
                });
            }
        }
        files.write("--csv", |out| write_depths(&summary.depths, out))?;
        self.print(&explored, verdict.max(files.verdict()), out)
    }

    /// Explores as one of several processes, or starts several of them. Only the first process prints.
    fn on_workers<W: Layout>(&self, start: &Start<W>, out: &mut dyn Write) -> Answer {
        let game = start.game.as_ref();
        let expander = Expander::new(game, &start.position);
        let fen = fen::print(game, &start.position);
        let work = |speaks: bool| {
            if speaks {
                Files::open(self).map(Some)
            } else {
                Ok(None)
            }
        };
        let ran = self
            .workers
            .run(&self.wish(), &expander, game.variant(), &fen, None, work)?;
        let (found, files) = match ran {
            Ok(ran) => ran,
            Err(verdict) => return Ok(verdict),
        };
        let mut verdict = stopped_by(found.summary.limit);
        let mut explored = Explored::new(game.variant().to_string(), fen, &found.summary);
        for fault in &found.faults {
            say(&format!("wrong value: {fault}"));
        }
        match &found.solved {
            None => {}
            Some(Ok(solved)) => {
                verdict = verdict.max(Verdict::found(solved.faulty_states > Some(0)));
                explored.solved = Some(Solved::new(&expander, solved));
            }
            Some(Err(stopped)) => verdict = verdict.max(not_solved(*stopped)),
        }
        let Some(mut files) = files else {
            return Ok(verdict);
        };
        files.write("--csv", |out| write_depths(&found.summary.depths, out))?;
        self.print(&explored, verdict.max(files.verdict()), out)
    }

    /// Solves the graph and certifies its values.
    fn solved<W: Layout>(
        &self,
        game: &dyn Game<W>,
        found: &Exploration,
        control: &Control<'_>,
    ) -> Result<(Solved, Values), Unsolved> {
        let values = solve_game(game, found, control)?;
        let certificate = if self.wish().certifies(values.len() as u64) {
            let check = || certify_game(game, found, &values, control);
            Some(self.work.threads.install(check)?)
        } else {
            None
        };
        for fault in certificate.iter().flat_map(|c| &c.faults) {
            say(&format!("wrong value: {fault}"));
        }
        let graph = found.graph.as_ref().ok_or(Unsolved::Incomplete)?;
        let certified = certificate.as_ref();
        let expander = Expander::new(game, &found.position(0));
        let ties = Ties::LeastKey;
        let summary = SolvedSummary::of_graph(&expander, found, graph, &values, certified, ties);
        Ok((Solved::new(&expander, &summary), values))
    }
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

/// Returns whether a file's name means that the file is compressed.
fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// Returns the name of a file without the ending of compressed files.
fn uncompressed(path: &Path) -> PathBuf {
    match is_compressed(path) {
        true => path.with_extension(""),
        false => path.to_path_buf(),
    }
}

/// Prints the limit that stopped a search, if there is one. Returns the verdict.
fn stopped_by(limit: Option<Stopped>) -> Verdict {
    match limit {
        None => Verdict::Done,
        Some(Stopped::Interrupted) => Verdict::Interrupted,
        Some(stopped) => {
            let limit = stopped.limit();
            say(&format!(
                "stopped by the limit {limit}: the graph is not complete"
            ));
            Verdict::Undecided
        }
    }
}

/// Prints the reason why there are no values. Returns the verdict.
fn not_solved(why: Unsolved) -> Verdict {
    say(&format!("not solved: {why}"));
    match why.is_interrupted() {
        true => Verdict::Interrupted,
        false => Verdict::Undecided,
    }
}

/// The files that options name. Each was checked to be writable before the work begins.
struct Files<'a> {
    targets: Vec<(&'static str, &'a Path, Option<Target>)>,
    /// The time from which on no file is written any more.
    deadline: Option<Instant>,
    /// Whether a file is not written because of the time limit.
    is_late: bool,
}

impl<'a> Files<'a> {
    fn open(args: &'a Args) -> Result<Files<'a>, Failure> {
        let begun = Instant::now();
        let once = [
            ("--csv", &args.csv),
            ("--dot", &args.dot),
            ("--graphml", &args.graphml),
            ("--edges", &args.edges),
            ("--values", &args.values),
            #[cfg(feature = "parquet")]
            (PARQUET, &args.parquet),
            #[cfg(feature = "parquet")]
            (PARQUET_EDGES, &args.parquet_edges),
        ];
        let once = once.into_iter();
        let once = once.filter_map(|(option, path)| Some((option, path.as_ref()?)));
        let each = args.condensation.iter().map(|path| (CONDENSATION, path));
        let mut files: Vec<(&str, &Path, Option<Target>)> = Vec::new();
        for (option, path) in once.chain(each) {
            let target = Target::open(path).map_err(|e| unwritable(option, path, e))?;
            let is_same = |(_, _, other): &&(_, _, Option<Target>)| {
                let other = other.as_ref().and_then(Target::file);
                other.is_some() && other == target.file()
            };
            if let Some((other, _, _)) = files.iter().find(is_same) {
                let why = format!("`{}` is already the file of {other}", path.display());
                let error = Diagnostic::new(option, why);
                return Err(error.help("each output has a file of its own").into());
            }
            files.push((option, path, Some(target)));
        }
        Ok(Files {
            targets: files,
            deadline: args.time.and_then(|time| begun.checked_add(time)),
            is_late: false,
        })
    }

    /// Returns the verdict on the files.
    fn verdict(&self) -> Verdict {
        match self.is_late {
            true => Verdict::Undecided,
            false => Verdict::Done,
        }
    }

    /// Prints the size of the file of an option before it is written, if the option is given and the file is
    /// large.
    fn announce(&self, option: &str, bytes: impl FnOnce() -> u64) {
        const ANNOUNCED_BYTES: u64 = 100 << 20;
        let target = self.targets.iter().find(|(name, ..)| *name == option);
        let Some((_, path, _)) = target else {
            return;
        };
        let bytes = bytes();
        if bytes > ANNOUNCED_BYTES {
            let before = if is_compressed(path) {
                " before compression"
            } else {
                ""
            };
            say(&format!(
                "{option}: writing about {} MB{before}",
                bytes >> 20
            ));
        }
    }

    /// Writes the file of an option, if the option is given.
    fn write(
        &mut self,
        option: &str,
        write: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.write_each(option, |_, out| write(out))
    }

    /// Writes every file of an option that may be repeated.
    fn write_each(
        &mut self,
        option: &str,
        write: impl Fn(&Path, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let deadline = self.deadline;
        let files = self.targets.iter_mut();
        for (_, path, target) in files.filter(|(name, _, _)| *name == option) {
            let Some(target) = target.take() else {
                continue;
            };
            let mut is_late = false;
            let written = target.write(|out| {
                let mut out = interrupt::Hasty::new(out, deadline);
                let written = match is_compressed(path) {
                    true => {
                        let mut packed = GzEncoder::new(&mut out, Compression::default());
                        write(path, &mut packed).and_then(|()| packed.finish().map(|_| ()))
                    }
                    false => write(path, &mut out),
                };
                is_late = written.is_err() && out.is_late();
                written
            });
            match written {
                Err(_) if interrupt::pressed() => {
                    say(&format!("interrupted: the file of {option} is not written"));
                }
                Err(_) if is_late => {
                    say(&format!(
                        "stopped by the limit time: the file of {option} is not written"
                    ));
                    self.is_late = true;
                }
                written => written.map_err(|e| unwritable(option, path, e))?,
            }
        }
        Ok(())
    }
}

/// Writes the states and edges of a graph as Parquet files.
#[cfg(feature = "parquet")]
fn write_columns<W: Layout>(
    files: &mut Files<'_>,
    start: &Start<W>,
    found: &Exploration,
    values: Option<&Values>,
) -> Result<(), Failure> {
    let expander = Expander::new(start.game.as_ref(), &start.position);
    let view = columns::GraphView {
        expander: &expander,
        found,
        values,
    };
    files.write(PARQUET, |out| {
        let states = columns::States::default();
        columns::write_parquet(states.schema(&view), states.batches(&view), out)
    })?;
    files.write(PARQUET_EDGES, |out| {
        let edges = columns::Edges::default();
        columns::write_parquet(edges.schema(), edges.batches(&view), out)
    })?;
    Ok(())
}

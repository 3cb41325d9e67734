//! The command `puzzles`: solves, imports, exports and mines puzzle files.

mod export;
mod import;

use self::export::Export;
use self::import::Import;
use super::answer::{Answer, Failure, Verdict, counted, say, unwritable};
use super::args::{Format, FormatArg, Threads, VariantArg, WorkArgs, read_setup, within};
use super::expressions::Compiler;
use super::interrupt;
use super::progress::Bar;
use super::solve::USUAL_MEMORY_BYTES;
use catalog::Catalog;
use control::files::read_text;
use control::{Control, Stopped};
use diagnostics::Diagnostic;
use language::About;
use puzzle::mine::{self, MineRequest};
use puzzle::solve::{self, Result as Compared};
use puzzle::{self, Posed, Puzzle, read};
use rayon::prelude::*;
use report::puzzles::{self, PuzzleRow};
use report::{Target, make_folder};
use rules::Variant;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Solve puzzle files and compare with the expected answers
///
/// Without a FILE, all files of the folder `puzzles` are solved, and
/// DIR/puzzles.csv is written. If that folder does not exist, the built-in
/// collection is solved, and a report is written only with --out. A FILE is
/// TOML, one theme or source each; every puzzle is a table:
///
///   [[puzzle]]
///   id = "wedding"                       # unique in the file
///   variant = "bachelor"                 # with its options
///   fen = "3k3/Q6/7/7/7/3K3 w - - 0 1"   # left out: the start position
///   stipulation = "marriage 1"           # as for `fairyproof solve`
///   keys = ["a5a1", "a5e1"]              # as `solve --keys` prints, or "none"
///   solutions = 2                        # keys, or whole lines; may be left out
///   source = "by hand"                   # may be left out
///   comment = "the queen joins the king" # may be left out
///
/// The exit code is 1 if a puzzle differs, 3 if one is undecided, 2 if a file
/// is wrong.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    override_usage = "fairyproof puzzles [OPTIONS] [FILE]...\n       fairyproof puzzles <COMMAND>",
    after_help = "Examples:\n  fairyproof puzzles\n  fairyproof puzzles puzzles/bachelor.toml\n  \
                  fairyproof puzzles import problems.epd >puzzles/new.toml\n  \
                  fairyproof puzzles mine bachelor --count 2"
)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    solve: Solve,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Turn problems of other formats into a puzzle file
    ///
    /// FILE is EPD (`dm N`, `bm #N`, `bm`, `id`, `c0`) or in Popeye's input language (`BeginProblem` ...
    /// `EndProblem`, in English, German or French, with twins); lines that are not UTF-8 are read as
    /// Latin-1. Problems without keys are solved, and the keys found are written. Each problem and each
    /// twin is judged by itself. A problem that cannot be imported is named on standard error with its line
    /// and the reason, and the exit code is 2. A problem that is not solved in time (`--time`) is written
    /// without keys and solutions, and the exit code is 3.
    #[command(after_help = "Example:\n  fairyproof puzzles import problems.epd >puzzles/new.toml")]
    Import(Import),
    /// Write the whole solutions of puzzle files as text
    #[command(after_help = "Example:\n  fairyproof puzzles export puzzles/bachelor.toml")]
    Export(Export),
    /// Find new puzzles of a variant
    ///
    /// Positions with few units are searched for sound problems: one solution, none shorter, another
    /// one than in orthodox chess. Random positions serve every stipulation; endgame tables of up to
    /// four units, which are solved first, serve direct play for a win. The same seed finds the same
    /// puzzles. They are written as a puzzle file.
    #[command(
        after_help = "Examples:\n  fairyproof puzzles mine bachelor --count 2 --stipulation 'marriage 2'\n  \
                      fairyproof puzzles mine convergent --source tables --stipulation 'win 4'\n  \
                      fairyproof puzzles mine bachelor --where \"count('pawn') == 1\" --key \"kind == 'king'\""
    )]
    Mine(Mine),
}

#[derive(clap::Args)]
struct Bounds {
    /// Stop solving a puzzle after SECONDS seconds
    #[arg(long, value_name = "SECONDS", value_parser = super::solve::seconds)]
    time: Option<Duration>,
    #[command(flatten)]
    work: WorkArgs,
}

impl Bounds {
    /// Returns the control of one search that begins now, if `together` searches run at the same time and
    /// share the memory.
    fn control(&self, threads: usize, together: usize) -> Control<'static> {
        let memory = self.work.memory.bytes_or_at_most(USUAL_MEMORY_BYTES);
        interrupt::timed(Control::new(), self.time)
            .with_memory(memory / together.max(1) as u64)
            .with_threads(threads)
    }
}

#[derive(clap::Args)]
struct Solve {
    /// Puzzle files [default: all of the folder `puzzles`]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Folder for puzzles.csv [default: `reports`; none if a FILE is named]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    bounds: Bounds,
}

#[derive(clap::Args)]
struct Mine {
    #[command(flatten)]
    variant: VariantArg,
    /// How many puzzles
    #[arg(long, value_name = "N", default_value = "4", value_parser = within(1, 1000usize))]
    count: usize,
    /// Another seed finds other puzzles
    #[arg(long, value_name = "S", default_value = "1")]
    seed: u64,
    /// Stipulations to search for, in turn [default: those that suit the variant]
    #[arg(long, value_name = "STIPULATION")]
    stipulation: Vec<String>,
    /// Where positions come from
    #[arg(long, value_name = "SOURCE", default_value = "both")]
    source: Source,
    /// The most units on the board
    #[arg(long, value_name = "N", default_value = "6", value_parser = within(2, 32usize))]
    units: usize,
    /// Stop searching for a stipulation after N positions
    #[arg(long, value_name = "N", default_value = "20000", value_parser = within(1, 1_000_000_000u64))]
    candidates: u64,
    /// Find only diagrams for which EXPR holds
    #[arg(long = "where", value_name = "EXPR", allow_hyphen_values = true)]
    condition: Option<String>,
    /// Find only puzzles for whose key, a turn from the diagram, EXPR holds
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    key: Option<String>,
    /// Stop searching after SECONDS seconds; the puzzles found by then are written
    #[arg(long, value_name = "SECONDS", value_parser = super::solve::seconds)]
    time: Option<Duration>,
    #[command(flatten)]
    threads: Threads,
}

/// Where the positions come from in which puzzles are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Source {
    /// Random placements and walks
    Random,
    /// Endgame tables
    Tables,
    /// One from here, one from there
    Both,
}

/// A puzzle file: its name without folder and extension, and its puzzles.
pub(super) struct Collection {
    pub(super) name: String,
    pub(super) puzzles: Vec<Puzzle>,
}

/// The default folder of puzzle files.
const FOLDER: &str = "puzzles";

/// The maximum size in bytes of a file of puzzles or problems.
const MAX_FILE_BYTES: u64 = 32 << 20;

/// Reads a file of puzzles or problems. Returns its name for messages, and its text.
fn text_of(path: &Path) -> Result<(String, String), Diagnostic> {
    let name = format!("file `{}`", path.display());
    Ok((name, read_text(path, MAX_FILE_BYTES)?))
}

/// Returns the puzzle files of a folder, in byte order of their names.
pub(super) fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    let name = format!("folder `{}`", folder.display());
    let entries = std::fs::read_dir(folder).map_err(|e| {
        Diagnostic::new(&name, format!("it cannot be read: {e}"))
            .help("name a puzzle file, or go where the folder is")
    })?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    paths.sort();
    if paths.is_empty() {
        return Err(Diagnostic::new(name, "no puzzle file is in it")
            .help("files whose names end in `.toml`"));
    }
    Ok(paths)
}

/// Returns the collection that is compiled into the program.
pub(super) fn built_in(catalog: &Catalog) -> Result<Vec<Collection>, Diagnostic> {
    let files = puzzle::collection::FILES.iter();
    files
        .map(|(name, text)| {
            Ok(Collection {
                name: name.to_string(),
                puzzles: read::parse(catalog, &format!("built-in puzzles `{name}`"), text)?,
            })
        })
        .collect()
}

/// Reads the given files. Without files, reads all files of the folder [`FOLDER`] in byte order of their
/// names. If that folder does not exist, returns the collection that is compiled into the program.
pub(super) fn collections(
    catalog: &Catalog,
    files: &[PathBuf],
) -> Result<Vec<Collection>, Diagnostic> {
    let paths = match files {
        [] if !Path::new(FOLDER).is_dir() => return built_in(catalog),
        [] => files_in(Path::new(FOLDER))?,
        files => files.to_vec(),
    };
    paths
        .iter()
        .map(|path| {
            let (name, text) = text_of(path)?;
            let stem = path
                .file_stem()
                .map_or(String::new(), |s| s.to_string_lossy().into());
            Ok(Collection {
                name: stem,
                puzzles: read::parse(catalog, &name, &text)?,
            })
        })
        .collect()
}

/// Combines the verdict of a command with the reason why a search stopped.
fn stopped(verdict: Verdict, stop: Option<Stopped>) -> Verdict {
    match stop {
        Some(Stopped::Interrupted) => Verdict::Interrupted,
        Some(_) => verdict.max(Verdict::Undecided),
        None => verdict,
    }
}

impl Args {
    /// Runs the command and writes its answer to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        match &self.command {
            None => self.solve.run(catalog, out),
            Some(Command::Import(import)) => import.run(catalog, out),
            Some(Command::Export(export)) => export.run(catalog, out),
            Some(Command::Mine(mine)) => mine.run(catalog, out),
        }
    }
}

impl Solve {
    fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let collections = collections(catalog, &self.files)?;
        let folder = match &self.out {
            Some(folder) => Some(folder.clone()),
            None if self.files.is_empty() && Path::new(FOLDER).is_dir() => {
                Some(PathBuf::from("reports"))
            }
            None => None,
        };
        if self.files.is_empty() && !Path::new(FOLDER).is_dir() {
            say(&format!(
                "there is no folder `{FOLDER}` here: solving the built-in collection"
            ));
        }
        if let Some(folder) = &folder {
            make_folder(folder)
                .and_then(|()| Target::open(&folder.join("puzzles.csv")).map(|_| ()))
                .map_err(|error| unwritable("--out", folder, error))?;
        }
        let mut tasks: Vec<(&str, &Puzzle, Posed)> = Vec::new();
        for collection in &collections {
            for puzzle in &collection.puzzles {
                tasks.push((&collection.name, puzzle, puzzle.open(catalog)?));
            }
        }
        let threads = self.bounds.work.threads.count();
        let bar = Bar::new();
        let done = AtomicUsize::new(0);
        let stop = interrupt::flag();
        // Solve one puzzle on each thread, since most are short.
        let rows: Vec<PuzzleRow> = self.bounds.work.threads.install(|| {
            tasks
                .par_iter()
                .map(|(name, puzzle, posed)| {
                    let answer = solve::solve(posed, &self.bounds.control(1, threads));
                    let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                    bar.show("solving", done, tasks.len(), "puzzles");
                    PuzzleRow::new(name, puzzle, &answer, solve::compare(puzzle, &answer))
                })
                .collect()
        });
        bar.clear();
        let interrupted = stop.load(Ordering::Relaxed);
        // Write the files first: they are wanted even if standard output is closed.
        if let Some(folder) = folder.as_ref().filter(|_| !interrupted) {
            puzzles::write(folder, &rows).map_err(|error| unwritable("--out", folder, error))?;
        }
        match self.format.format {
            Format::Text => puzzles::text(&rows, out)?,
            _ => self.format.write(&rows, out)?,
        }
        out.flush().map_err(Failure::from)?;
        if interrupted {
            say("interrupted: no report is written");
            return Ok(Verdict::Interrupted);
        }
        let count = |result: Compared| {
            rows.iter()
                .filter(|row| row.result == result.word())
                .count()
        };
        let (differ, undecided) = (count(Compared::Differs), count(Compared::Undecided));
        let report = folder.map_or(String::new(), |folder| {
            format!("; report in {}", folder.display())
        });
        say(&format!(
            "{}: {} solved, {differ} differ, {undecided} undecided{report}",
            counted(rows.len(), "puzzle", "puzzles"),
            count(Compared::Solved)
        ));
        Ok(match (differ, undecided) {
            (0, 0) => Verdict::Done,
            (0, _) => Verdict::Undecided,
            _ => Verdict::Finding,
        })
    }
}

impl Mine {
    /// Compiles the conditions on the diagram and the key.
    fn conditions(
        &self,
        catalog: &Catalog,
        variant: &Variant,
    ) -> Result<mine::Conditions, Diagnostic> {
        let game = read_setup(variant, None)?.game();
        let compiled = |what: &str, text: &Option<String>, about| {
            let compiler = Compiler::new(catalog, &game, about);
            let condition = text.as_deref().map(|text| compiler.condition(what, text));
            condition
                .transpose()
                .map(|condition| condition.map(Arc::new))
        };
        Ok(mine::Conditions {
            diagram: compiled("--where", &self.condition, About::POSITION)?,
            key: compiled("--key", &self.key, About::TURN)?,
        })
    }

    fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let variant = self.variant.open(catalog)?;
        let wish = MineRequest {
            conditions: self.conditions(catalog, &variant)?,
            variant,
            stipulations: self.stipulation.clone(),
            count: self.count,
            from: match self.source {
                Source::Random => mine::Sources::Random,
                Source::Tables => mine::Sources::Tables,
                Source::Both => mine::Sources::Both,
            },
            units: self.units,
            seed: self.seed,
            candidates: self.candidates,
        };
        if wish.variant.rule_set.id() == "fide" {
            let why = "its puzzles have the solution that they have in orthodox chess";
            return Err(Diagnostic::new("variant `fide`", why)
                .help("the goal has another meaning in it: name another rule set")
                .into());
        }
        let bar = Bar::new();
        let control = interrupt::timed(Control::new(), self.time)
            .with_threads(self.threads.count())
            .with_observer(&bar);
        let mined = mine::mine(&wish, &control)?;
        bar.clear();
        let rule_set = &wish.variant.rule_set;
        let heads = [
            format!("{}: {}.", rule_set.name(), rule_set.difference()),
            "Each has one solution, none shorter; orthodox chess has another one, a shorter one, or none.".to_string(),
        ];
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        if !mined.puzzles.is_empty() {
            out.write_all(puzzle::file(&heads, &mined.puzzles).as_bytes())?;
        }
        out.flush().map_err(Failure::from)?;
        let found = counted(mined.puzzles.len(), "puzzle", "puzzles");
        say(&format!("{found} found"));
        if mined.no_tables && self.source == Source::Tables && mined.stopped.is_none() {
            say("no ending of this variant is small enough for a table here");
        }
        if mined.stopped == Some(Stopped::Time) {
            say("stopped by the limit of --time");
        }
        let verdict = Verdict::decided(mined.puzzles.len() >= wish.count);
        Ok(stopped(verdict, mined.stopped))
    }
}

//! `report`: surveys of all rule sets.

mod design;
mod endgames;
mod html;
mod starts;

use super::answer::{Answer, Failure, Verdict, counted, say, unwritable};
use super::args::{Format, FormatArg, OutOfRange, WorkArgs, number};
use super::progress::Bar;
use catalog::Catalog;
use control::Control;
use diagnostics::Diagnostic;
use report::reduced::{ReducedScope, reduced};
use report::small_boards::{Array, ReducedLimits, ReducedRows, SmallBoardRow};
use report::table::{Row, csv, csv_of};
use report::{Target, atlas, make_folder, small_boards};
use rules::Variant;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Surveys of all rule sets, as tables
///
/// A report on all rule sets is written to a file in DIR. With IDs, it covers these alone and is written only
/// with --out. An incomplete row names the limit that stopped it, and the exit code is 3. Ctrl-C ends without
/// a file (exit code 130).
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  fairyproof report small-boards\n  \
                        fairyproof report atlas bachelor convergent --games 1000")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Solve reduced arrays: who wins, how soon, and the values of all states (small-boards.csv)
    ///
    /// The compiled rule sets have arrays of their own. For any other rule set, and with --max-files, --max-ranks,
    /// --max-states or --deep for each, the arrays are parts of its start position: runs of files that keep the
    /// royal units, the outer ranks of each side, fewer pawns, then material by material. Regions of definitions are
    /// carried over to the smaller board by their meaning. Arrays that are not legal starts are named and left
    /// out. For arrays whose play cannot go on for ever, the longest and the shortest play are compared with
    /// random games (small-boards-lengths.csv). With a file, the same command resumes what was stopped.
    #[command(after_help = "Examples:\n  fairyproof report small-boards\n  \
                      fairyproof report small-boards glory --format csv\n  \
                      fairyproof report small-boards crazyhouse --max-files 3 --max-ranks 4")]
    SmallBoards(SmallBoards),
    /// Describe the start of each rule set: turns, counts, games that end early, random games (variants.csv)
    #[command(after_help = "Examples:\n  fairyproof report atlas\n  \
                      fairyproof report atlas prop --games 1000 --format json")]
    Atlas(Atlas),
    Design(design::Design),
    Endgames(endgames::Endgames),
    Starts(starts::Starts),
    Html(html::Html),
}

#[derive(clap::Args)]
struct Common {
    /// Variants with their options, such as `bachelor` [default: all]
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Folder of the reports [default: reports, or with IDs none]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    work: WorkArgs,
}

#[derive(clap::Args)]
struct SmallBoards {
    #[command(flatten)]
    common: Common,
    /// Write what is found beyond small-boards.csv to small-boards-deep.csv: the larger arrays, then generated ones
    /// until 2 million states of a rule set are explored
    #[arg(long)]
    deep: bool,
    /// Generate arrays with up to F files [default: 4]
    #[arg(long, value_name = "F", value_parser = side, allow_negative_numbers = true)]
    max_files: Option<u32>,
    /// Generate arrays with up to R ranks [default: 5]
    #[arg(long, value_name = "R", value_parser = side, allow_negative_numbers = true)]
    max_ranks: Option<u32>,
    /// Stop exploring an array before there are more states than N
    #[arg(long, value_name = "N", value_parser = array_states, allow_negative_numbers = true)]
    max_states: Option<u64>,
}

#[derive(clap::Args)]
struct Atlas {
    #[command(flatten)]
    common: Common,
    /// Random games of each rule set
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = games,
          allow_negative_numbers = true)]
    games: u64,
    /// Plies after which a random game is broken off
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = plies,
          allow_negative_numbers = true)]
    cap_plies: u32,
    /// Another seed plays other random games
    #[arg(long, value_name = "S", default_value_t = atlas::SEED)]
    seed: u64,
}

fn side(text: &str) -> Result<u32, OutOfRange<u32>> {
    number(text, 2, 16)
}

fn array_states(text: &str) -> Result<u64, OutOfRange<u64>> {
    number(text, 1, small_boards::MAX_STATES)
}

fn games(text: &str) -> Result<u64, OutOfRange<u64>> {
    number(text, 1, 1_000_000_000)
}

fn plies(text: &str) -> Result<u32, OutOfRange<u32>> {
    number(text, 1, 1_000_000)
}

/// Returns the variants named, each once, or all.
fn variants(catalog: &Catalog, ids: &[String]) -> Result<Vec<Variant>, Diagnostic> {
    if ids.is_empty() {
        let compiled = variants::all().iter().copied();
        return Ok(compiled.map(Variant::from).collect());
    }
    let mut variants: Vec<Variant> = Vec::new();
    for id in ids {
        let variant = catalog.open(id)?;
        if variants.contains(&variant) {
            return Err(Diagnostic::new(
                format!("variant `{id}`"),
                "it occurs twice",
            ));
        }
        variants.push(variant);
    }
    Ok(variants)
}

impl Common {
    /// Returns the variants named, or all.
    fn variants(&self, catalog: &Catalog) -> Result<Vec<Variant>, Diagnostic> {
        variants(catalog, &self.ids)
    }

    /// Returns the file of a report, if one is to be written.
    fn file(&self, name: &str) -> Result<Option<Report>, Failure> {
        let folder = match &self.out {
            Some(folder) => folder.as_path(),
            None if self.ids.is_empty() => Path::new("reports"),
            None => return Ok(None),
        };
        Report::open(folder, name).map(Some)
    }

    /// Writes a report to its file, and answers with it.
    fn answer<R: Row>(
        &self,
        file: Option<Report>,
        rows: &[R],
        text: impl Fn(&R) -> String,
        whole: impl Fn(&R) -> bool,
        out: &mut dyn Write,
    ) -> Answer {
        let place = file.as_ref().map_or(String::new(), |file| {
            format!("; written to {}", file.path.display())
        });
        if let Some(file) = file {
            file.write(|out| csv(rows, out))?;
        }
        match self.format.format {
            Format::Text => {
                for row in rows {
                    writeln!(out, "{}", text(row))?;
                }
            }
            _ => self.format.write(rows, out)?,
        }
        out.flush()?;
        let partial = rows.iter().filter(|row| !whole(row)).count();
        say(&match partial {
            0 => format!(
                "{}, all complete{place}",
                counted(rows.len(), "row", "rows")
            ),
            _ => format!(
                "{}, {partial} NOT complete{place}",
                counted(rows.len(), "row", "rows")
            ),
        });
        Ok(match partial {
            0 => Verdict::Done,
            _ => Verdict::Undecided,
        })
    }
}

/// The file of a report, known to be writable before the work begins.
struct Report {
    path: PathBuf,
    target: Target,
}

impl Report {
    /// Returns a file in a folder, which is made if need be.
    fn open(folder: &Path, name: &str) -> Result<Report, Failure> {
        make_folder(folder).map_err(|e| unwritable("--out", folder, e))?;
        let path = folder.join(name);
        match Target::open(&path) {
            Ok(target) => Ok(Report { path, target }),
            Err(error) => Err(unwritable("--out", &path, error)),
        }
    }

    fn write(
        self,
        write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> Result<(), Failure> {
        let Report { path, target } = self;
        target
            .write(write)
            .map_err(|e| unwritable("--out", &path, e))
    }
}

impl Args {
    /// Answers.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        match &self.command {
            Command::SmallBoards(args) => args.run(catalog, out),
            Command::Atlas(args) => args.run(catalog, out),
            Command::Design(args) => args.run(catalog, out),
            Command::Endgames(args) => args.run(catalog, out),
            Command::Starts(args) => args.run(catalog, out),
            Command::Html(args) => args.run(catalog, out),
        }
    }
}

/// Lines about arrays that are left out, at most, for each rule set.
const MAX_SKIPPED_LINES: usize = 20;

/// The file of the compiled rule sets' arrays and of generated ones.
const SMALL_BOARDS: &str = "small-boards.csv";
/// The file of `--deep`.
const SMALL_BOARDS_DEEP: &str = "small-boards-deep.csv";
/// The file with the lengths of games.
const LENGTHS: &str = "small-boards-lengths.csv";

/// States of a rule set's arrays together after which `--deep` begins no further group: a minute, or less, on one
/// processor.
const DEEP_TOTAL_STATES: u64 = 2_000_000;

impl SmallBoards {
    fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let common = &self.common;
        let variants = common.variants(catalog)?;
        let mut arrays = small_boards::arrays()?;
        arrays.retain(|array| variants.iter().any(|v| v.to_string() == array.variant));
        let has_arrays = |variant: &Variant| {
            let name = variant.to_string();
            arrays.iter().any(|array| array.variant == name)
        };
        let is_limited = [self.max_files, self.max_ranks].iter().any(Option::is_some)
            || self.max_states.is_some();
        if self.deep || is_limited || !variants.iter().all(has_arrays) {
            return self.generated(catalog, &variants, &arrays, is_limited, out);
        }
        arrays.retain(|array| !array.deep);
        let file = common.file(SMALL_BOARDS)?;
        let max_states = small_boards::MAX_STATES;
        let rows = common
            .work
            .run(|control| small_boards::rows(catalog, &arrays, max_states, control))?;
        let Some(rows) = rows else {
            return Ok(Verdict::Interrupted);
        };
        common.answer(
            file,
            &rows,
            small_boards::SmallBoardRow::text,
            small_boards::SmallBoardRow::solved,
            out,
        )
    }

    /// Returns the folder of the files, if they are to be written.
    fn folder(&self) -> Option<&Path> {
        let usual = self.common.ids.is_empty().then_some(Path::new("reports"));
        self.common.out.as_deref().or(usual)
    }

    /// Solves arrays that are generated from the start positions, and the arrays of the program that belong to
    /// them: all without limits of one's own, with `--deep` the larger ones.
    fn generated(
        &self,
        catalog: &Catalog,
        variants: &[Variant],
        arrays: &[Array],
        is_limited: bool,
        out: &mut dyn Write,
    ) -> Answer {
        let name = if self.deep {
            SMALL_BOARDS_DEEP
        } else {
            SMALL_BOARDS
        };
        let part = self.folder().map(|folder| Part {
            path: folder.join(format!("{name}.part")),
            run: self.identity(variants),
        });
        let known = part.as_ref().map_or(Ok(Vec::new()), Part::rows)?;
        if let Some(folder) = self.folder() {
            Report::open(folder, name)?;
        }
        let mut rows: Vec<SmallBoardRow> = Vec::new();
        let mut is_partial = false;
        let bar = Bar::new();
        let control = self.common.work.control(&bar);
        for variant in variants {
            let id = variant.to_string();
            let of_variant = |array: &&Array| array.variant == id;
            let mut own: Vec<Array> = arrays.iter().filter(of_variant).cloned().collect();
            let is_plain = !self.deep && !is_limited && !own.is_empty();
            own.retain(|array| array.deep == self.deep && (self.deep || is_plain));
            let done = self.common.work.threads.install(|| {
                self.of_variant(
                    variant,
                    &own,
                    is_plain,
                    (&known, &rows),
                    part.as_ref(),
                    &control,
                )
            })?;
            rows.extend(done.rows);
            if done.interrupted {
                bar.clear();
                if let Some(part) = &part {
                    let path = part.path.display();
                    say(&format!(
                        "interrupted; the same command resumes from {path}"
                    ));
                }
                return Ok(Verdict::Interrupted);
            }
            for (count, why) in [
                (done.larger, "contain an array that exceeds --max-states"),
                (done.beyond, "come after the total number of states"),
            ] {
                if count > 0 {
                    is_partial = true;
                    bar.clear();
                    say(&format!("{id}: {count} arrays are left out: they {why}"));
                }
            }
        }
        let lengths = small_boards::play_lengths(catalog, &rows)?;
        bar.clear();
        if let Some(folder) = self.folder().filter(|_| !self.deep) {
            Report::open(folder, LENGTHS)?.write(|out| csv(&lengths, out))?;
        }
        let file = match self.folder() {
            Some(folder) => Some(Report::open(folder, name)?),
            None => None,
        };
        let verdict =
            self.common
                .answer(file, &rows, SmallBoardRow::text, SmallBoardRow::solved, out)?;
        if let Some(part) = &part {
            // The report is written; what is left of the part does no harm.
            let _ = std::fs::remove_file(&part.path);
        }
        if matches!(self.common.format.format, Format::Text) {
            for row in &lengths {
                writeln!(out, "{}", row.text())?;
            }
            out.flush()?;
        }
        Ok(match is_partial {
            true => verdict.max(Verdict::Undecided),
            false => verdict,
        })
    }

    /// Returns everything that the rows depend on.
    fn identity(&self, variants: &[Variant]) -> String {
        let ids: Vec<String> = variants.iter().map(Variant::identity).collect();
        let limits = [
            self.max_files.map(u64::from),
            self.max_ranks.map(u64::from),
            self.max_states,
        ];
        let version = env!("CARGO_PKG_VERSION");
        format!("fairyproof {version} {limits:?} {}", ids.join(" "))
    }

    /// Solves the arrays of one rule set. `known` are the rows of a run that was stopped, `before` those of the rule
    /// sets before this one.
    fn of_variant(
        &self,
        variant: &Variant,
        own: &[Array],
        is_plain: bool,
        (known, before): (&[SmallBoardRow], &[SmallBoardRow]),
        part: Option<&Part>,
        control: &Control<'_>,
    ) -> Result<ReducedRows, Failure> {
        let id = variant.to_string();
        let max_states = self.max_states.unwrap_or(match is_plain || self.deep {
            true => small_boards::MAX_STATES,
            false => small_boards::MAX_REDUCED_STATES,
        });
        let mut done = ReducedRows::default();
        if !own.is_empty() {
            match small_boards::rows_of(variant, own, max_states, control)? {
                Some(rows) => done.rows = rows,
                None => done.interrupted = true,
            }
        }
        if is_plain || done.interrupted {
            return Ok(done);
        }
        let usual = match self.deep {
            true => ReducedScope {
                max_files: 5,
                max_ranks: 6,
            },
            false => ReducedScope::default(),
        };
        let scope = ReducedScope {
            max_files: self
                .max_files
                .map_or(usual.max_files, |files| files as usize),
            max_ranks: self
                .max_ranks
                .map_or(usual.max_ranks, |ranks| ranks as usize),
        };
        let mut reduced = reduced(variant, scope)?;
        if self.deep {
            // What small-boards.csv has is not repeated.
            let listed = small_boards::arrays()?;
            let is_listed = |fen: &str| listed.iter().any(|a| a.variant == id && a.fen == fen);
            reduced
                .arrays
                .retain(|reduced| !is_listed(&reduced.array.fen));
        }
        if reduced.arrays.is_empty() && own.is_empty() {
            let why = "no part of its start position on such a board is a legal start";
            let help = format!("`fairyproof explore {id} FEN --solve` solves any position");
            let error = Diagnostic::new(format!("variant `{id}`"), why).help(help);
            if self.common.ids.len() == 1 {
                return Err(error.into());
            }
            say(&format!("{}; skipped", error.line()));
            return Ok(done);
        }
        let lines = if self.deep { 0 } else { MAX_SKIPPED_LINES };
        for skipped in reduced.skipped.iter().take(lines) {
            say(&format!("{id}: skipped {}: {}", skipped.name, skipped.why));
        }
        match reduced.skipped.len().saturating_sub(lines) {
            0 => {}
            more => say(&format!(
                "{id}: skipped {more} more arrays that are not legal starts"
            )),
        }
        let limits = ReducedLimits {
            max_states: match self.deep {
                true => max_states.min(small_boards::MAX_REDUCED_STATES),
                false => max_states,
            },
            total_states: if self.deep {
                DEEP_TOTAL_STATES
            } else {
                u64::MAX
            },
        };
        let first: Vec<SmallBoardRow> = before.iter().chain(&done.rows).cloned().collect();
        let known = |array: &Array| {
            let mut rows = known.iter();
            let row = rows.find(|row| row.variant == array.variant && row.fen == array.fen)?;
            // A row that a limit stopped is solved again: the limit of memory may be another one.
            row.solved().then(|| row.clone())
        };
        let mut keep = |rows: &[SmallBoardRow]| -> Result<(), Failure> {
            let Some(part) = part else { return Ok(()) };
            let all: Vec<&SmallBoardRow> = first.iter().chain(rows).collect();
            part.write(&all)
        };
        let found = small_boards::reduced_rows(
            variant,
            &reduced.arrays,
            limits,
            control,
            &known,
            &mut keep,
        )?;
        done.rows.extend(found.rows);
        Ok(ReducedRows {
            rows: done.rows,
            ..found
        })
    }
}

/// What a run has found so far, in a file that the same command reads again.
struct Part {
    path: PathBuf,
    /// What the rows depend on, the first line of the file.
    run: String,
}

impl Part {
    /// Returns the rows of a run that was stopped; none if there is no file, or if it is of another run.
    fn rows(&self) -> Result<Vec<SmallBoardRow>, Diagnostic> {
        let wrong = |why: String| {
            let why = format!("it is not a part of this report: {why}");
            let file = format!("file `{}`", self.path.display());
            Diagnostic::new(file, why).help("delete it to begin again")
        };
        let text = match std::fs::read_to_string(&self.path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            text => text.map_err(|error| wrong(error.to_string()))?,
        };
        let (run, table) = text.split_once('\n').unwrap_or_default();
        if run != self.run {
            return Ok(Vec::new());
        }
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let rows = reader.deserialize();
        rows.map(|row| row.map_err(|error: csv::Error| wrong(error.to_string())))
            .collect()
    }

    fn write(&self, rows: &[&SmallBoardRow]) -> Result<(), Failure> {
        let written = report::write_whole(&self.path, |out| {
            writeln!(out, "{}", self.run)?;
            csv_of(rows.iter().map(|&row| row.clone()), out)
        });
        written.map_err(|error| unwritable("--out", &self.path, error))
    }
}

impl Atlas {
    fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let common = &self.common;
        let variants = common.variants(catalog)?;
        let file = common.file("variants.csv")?;
        let scope = atlas::AtlasScope {
            games: self.games,
            cap_plies: self.cap_plies,
            seed: self.seed,
        };
        let rows = common
            .work
            .run(|control| atlas::rows(&variants, &scope, control))?;
        let Some(rows) = rows else {
            return Ok(Verdict::Interrupted);
        };
        common.answer(
            file,
            &rows,
            atlas::AtlasRow::text,
            atlas::AtlasRow::complete,
            out,
        )
    }
}

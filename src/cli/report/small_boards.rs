//! `report small-boards`: solves reduced arrays, built-in and generated ones, and writes them to files.

use super::{Common, Report};
use crate::answer::{Answer, Failure, Verdict, say, unwritable};
use crate::args::{Format, within};
use crate::progress::Bar;
use catalog::Catalog;
use control::Control;
use diagnostics::Diagnostic;
use report::reduced::{ReducedArray, ReducedScope, reduced};
use report::small_boards::{self, Array, ReducedLimits, ReducedRows, SmallBoardRow};
use report::table::{csv, csv_of};
use rules::Variant;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct SmallBoards {
    #[command(flatten)]
    common: Common,
    /// Write what is found beyond small-boards.csv to small-boards-deep.csv: the larger arrays, then generated ones
    /// until 2 million states of a rule set are explored
    #[arg(long)]
    deep: bool,
    /// Generate arrays with up to F files [default: 4]
    #[arg(long, value_name = "F", value_parser = within(2, 16u32))]
    max_files: Option<u32>,
    /// Generate arrays with up to R ranks [default: 5]
    #[arg(long, value_name = "R", value_parser = within(2, 16u32))]
    max_ranks: Option<u32>,
    /// Stop exploring an array before there are more states than N
    #[arg(long, value_name = "N", value_parser = within(1, small_boards::MAX_STATES))]
    max_states: Option<u64>,
}

/// The maximum number of lines printed about skipped arrays of one rule set.
const MAX_SKIPPED_LINES: usize = 20;

/// The file for the built-in arrays of the compiled rule sets and for generated arrays.
const SMALL_BOARDS: &str = "small-boards.csv";
/// The file that `--deep` writes.
const SMALL_BOARDS_DEEP: &str = "small-boards-deep.csv";
/// The file for the lengths of games.
const LENGTHS: &str = "small-boards-lengths.csv";

/// The number of states of all arrays of a rule set together after which `--deep` starts no further group.
/// This takes at most a minute on one processor.
const DEEP_TOTAL_STATES: u64 = 2_000_000;

impl SmallBoards {
    /// Runs the command and writes the report to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
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
        let open = |array: &Array| catalog.open(&array.variant);
        let rows = common
            .work
            .run(|control| small_boards::rows(&arrays, open, max_states, control))?;
        common.answer(file, rows, SmallBoardRow::text, SmallBoardRow::solved, out)
    }

    /// Returns the folder of the files, if they are to be written.
    fn folder(&self) -> Option<&Path> {
        super::folder(self.common.out.as_deref(), &self.common.ids)
    }

    /// Solves arrays that are generated from the start positions, together with the rule sets' built-in
    /// arrays: all of the latter if the user sets no limits, or only the larger ones with `--deep`.
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
        let part = self.folder().map(|folder| SavedRows {
            path: folder.join(format!("{name}.part")),
            run: self.identity(variants),
        });
        let known = part.as_ref().map_or(Ok(Vec::new()), SavedRows::rows)?;
        if let Some(folder) = self.folder() {
            Report::open(folder, name)?;
        }
        let mut rows: Vec<SmallBoardRow> = Vec::new();
        let mut is_partial = false;
        let bar = Bar::new();
        let run = GeneratedRun {
            args: self,
            is_limited,
            part: part.as_ref(),
            known: &known,
            control: &self.common.work.control(&bar),
        };
        for variant in variants {
            let id = variant.to_string();
            let own: Vec<Array> = (arrays.iter())
                .filter(|array| array.variant == id)
                .cloned()
                .collect();
            let threads = &self.common.work.threads;
            let done = threads.install(|| run.of_variant(variant, own, &rows))?;
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
        let file = self.common.file(name)?;
        let (text, solved) = (SmallBoardRow::text, SmallBoardRow::solved);
        let verdict = self.common.answer(file, Some(rows), text, solved, out)?;
        if let Some(part) = &part {
            // The report is written, so a leftover file with partial rows does no harm.
            let _ = std::fs::remove_file(&part.path);
        }
        if matches!(self.common.format.format, Format::Text) {
            for row in &lengths {
                writeln!(out, "{}", row.text())?;
            }
            out.flush()?;
        }
        Ok(verdict.max(Verdict::decided(!is_partial)))
    }

    /// Returns the identity of a run: everything that affects its rows.
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
}

/// A run over generated arrays.
struct GeneratedRun<'r> {
    args: &'r SmallBoards,
    /// Whether the user limits the boards or their states.
    is_limited: bool,
    /// The file that saves the rows in case the run is stopped.
    part: Option<&'r SavedRows>,
    /// The rows of an earlier run that was stopped.
    known: &'r [SmallBoardRow],
    control: &'r Control<'r>,
}

impl GeneratedRun<'_> {
    /// Solves the arrays of one rule set: first its built-in arrays (`own`), then generated ones. `before`
    /// contains the rows of the previous rule sets.
    fn of_variant(
        &self,
        variant: &Variant,
        mut own: Vec<Array>,
        before: &[SmallBoardRow],
    ) -> Result<ReducedRows, Failure> {
        let deep = self.args.deep;
        let is_plain = !deep && !self.is_limited && !own.is_empty();
        own.retain(|array| array.deep == deep && (deep || is_plain));
        let max_states = self.args.max_states.unwrap_or(match is_plain || deep {
            true => small_boards::MAX_STATES,
            false => small_boards::MAX_REDUCED_STATES,
        });
        let mut done = ReducedRows::default();
        if !own.is_empty() {
            match small_boards::rows(&own, |_| Ok(variant.clone()), max_states, self.control)? {
                Some(rows) => done.rows = rows,
                None => done.interrupted = true,
            }
        }
        if is_plain || done.interrupted {
            return Ok(done);
        }
        let arrays = self.generated(variant)?;
        if arrays.is_empty() && own.is_empty() {
            let why = "no part of its start position on such a board is a legal start";
            let help = format!("`fairyproof explore {variant} FEN --solve` solves any position");
            let error = Diagnostic::new(format!("variant `{variant}`"), why).help(help);
            if self.args.common.ids.len() == 1 {
                return Err(error.into());
            }
            say(&format!("{}; skipped", error.line()));
            return Ok(done);
        }
        let limits = match deep {
            true => ReducedLimits {
                max_states: max_states.min(small_boards::MAX_REDUCED_STATES),
                total_states: DEEP_TOTAL_STATES,
            },
            false => ReducedLimits {
                max_states,
                total_states: u64::MAX,
            },
        };
        let first: Vec<SmallBoardRow> = before.iter().chain(&done.rows).cloned().collect();
        let known = |array: &Array| {
            let mut rows = self.known.iter();
            let row = rows.find(|row| row.variant == array.variant && row.fen == array.fen)?;
            // Solve an array again if a limit stopped it earlier, since the memory limit may have changed.
            row.solved().then(|| row.clone())
        };
        let mut keep = |rows: &[SmallBoardRow]| -> Result<(), Failure> {
            let Some(part) = self.part else {
                return Ok(());
            };
            let all: Vec<&SmallBoardRow> = first.iter().chain(rows).collect();
            part.write(&all)
        };
        let found =
            small_boards::reduced_rows(variant, &arrays, limits, self.control, &known, &mut keep)?;
        done.rows.extend(found.rows);
        Ok(ReducedRows {
            rows: done.rows,
            ..found
        })
    }

    /// Generates arrays from a start position. Prints which parts of it are not legal start positions.
    fn generated(&self, variant: &Variant) -> Result<Vec<ReducedArray>, Diagnostic> {
        let SmallBoards { deep, .. } = *self.args;
        let mut scope = match deep {
            true => ReducedScope {
                max_files: 5,
                max_ranks: 6,
            },
            false => ReducedScope::default(),
        };
        if let Some(files) = self.args.max_files {
            scope.max_files = files as usize;
        }
        if let Some(ranks) = self.args.max_ranks {
            scope.max_ranks = ranks as usize;
        }
        let mut found = reduced(variant, scope)?;
        if deep {
            // Leave out the arrays that small-boards.csv contains.
            let id = variant.to_string();
            let listed = small_boards::arrays()?;
            let is_listed = |fen: &str| listed.iter().any(|a| a.variant == id && a.fen == fen);
            found
                .arrays
                .retain(|reduced| !is_listed(&reduced.array.fen));
        }
        let lines = if deep { 0 } else { MAX_SKIPPED_LINES };
        for skipped in found.skipped.iter().take(lines) {
            say(&format!(
                "{variant}: skipped {}: {}",
                skipped.name, skipped.why
            ));
        }
        match found.skipped.len().saturating_sub(lines) {
            0 => {}
            more => say(&format!(
                "{variant}: skipped {more} more arrays that are not legal starts"
            )),
        }
        Ok(found.arrays)
    }
}

/// The rows that a run has found so far, in a file that the same command reads when it is repeated.
struct SavedRows {
    path: PathBuf,
    /// The identity of the run, which is the first line of the file.
    run: String,
}

impl SavedRows {
    /// Returns the rows of a run that was stopped. Returns no rows if the file does not exist or belongs to a
    /// different run.
    fn rows(&self) -> Result<Vec<SmallBoardRow>, Diagnostic> {
        let wrong = |why: String| {
            let why = format!("it is not a part of this report: {why}");
            let file = format!("file `{}`", self.path.display());
            Diagnostic::new(file, why).help("delete it to begin again")
        };
        let text = match control::files::read_to_string(&self.path) {
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

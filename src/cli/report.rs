//! The command `report`: surveys of all rule sets.

mod design;
mod endgames;
mod html;
mod small_boards;
mod starts;

use super::answer::{Answer, Failure, Verdict, counted, say, unwritable};
use super::args::{FormatArg, WorkArgs, within};
use catalog::Catalog;
use diagnostics::Diagnostic;
use report::table::{Row, csv};
use report::{Target, atlas, make_folder};
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
    SmallBoards(small_boards::SmallBoards),
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
struct Atlas {
    #[command(flatten)]
    common: Common,
    /// Random games of each rule set
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = within(1, 1_000_000_000u64))]
    games: u64,
    /// Plies after which a random game is broken off
    #[arg(long, value_name = "N", default_value_t = control::MAX_RANDOM_GAME_PLIES, value_parser = within(1, 1_000_000u32))]
    cap_plies: u32,
    /// Another seed plays other random games
    #[arg(long, value_name = "S", default_value_t = atlas::SEED)]
    seed: u64,
}

/// Returns the given variants without duplicates, or all variants.
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

/// Returns the folder in which to write a report: the named folder, or `reports` if the report covers all rule
/// sets. Returns `None` if the report is only printed.
fn folder<'a>(named: Option<&'a Path>, ids: &[String]) -> Option<&'a Path> {
    named.or(ids.is_empty().then_some(Path::new("reports")))
}

impl Common {
    /// Returns the given variants, or all variants.
    fn variants(&self, catalog: &Catalog) -> Result<Vec<Variant>, Diagnostic> {
        variants(catalog, &self.ids)
    }

    /// Opens the file of a report, if it is to be written.
    fn file(&self, name: &str) -> Result<Option<Report>, Failure> {
        let folder = folder(self.out.as_deref(), &self.ids);
        folder.map(|folder| Report::open(folder, name)).transpose()
    }

    /// Writes the rows to the report's file and to `out`. `None` in place of the rows means that the work was
    /// interrupted.
    fn answer<R: Row>(
        &self,
        file: Option<Report>,
        rows: Option<Vec<R>>,
        text: impl Fn(&R) -> String,
        whole: impl Fn(&R) -> bool,
        out: &mut dyn Write,
    ) -> Answer {
        let Some(rows) = rows else {
            return Ok(Verdict::Interrupted);
        };
        let place = file.as_ref().map_or(String::new(), |file| {
            format!("; written to {}", file.path.display())
        });
        if let Some(file) = file {
            file.write(|out| csv(&rows, out))?;
        }
        self.format.write_lines(&rows, text, out)?;
        out.flush()?;
        let partial = rows.iter().filter(|row| !whole(row)).count();
        let count = counted(rows.len(), "row", "rows");
        say(&match partial {
            0 => format!("{count}, all complete{place}"),
            _ => format!("{count}, {partial} NOT complete{place}"),
        });
        Ok(Verdict::decided(partial == 0))
    }
}

/// The file of a report, which was checked to be writable before the work begins.
struct Report {
    path: PathBuf,
    target: Target,
}

impl Report {
    /// Opens a file in a folder. Creates the folder if it does not exist.
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
    /// Runs the command and writes the report to `out`.
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
        use atlas::AtlasRow;
        common.answer(file, rows, AtlasRow::text, AtlasRow::complete, out)
    }
}

use super::answer::{Answer, Failure, Verdict, guarded, say};
use super::args::{FenArg, Threads, number, read_next_setup, within};
use super::input_lines::{ErrorLines, each_fen};
use super::interrupt;
use super::progress::Bar;
use super::suite::{Case, Suite};
use catalog::Catalog;
use control::evaluation::inherited;
use control::{Observer, Progress};
use diagnostics::Diagnostic;
use explore::perft::{self, Divide};
use notation::{Setup, fen, turns, with_setup};
use rayon::prelude::*;
use rules::Variant;
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The maximum depth in plies.
const MAX_TURNS: u32 = 1000;

/// Count the legal lines of DEPTH turns (perft)
///
/// A line ends where its game does; for depth 0 the count is 1. With `--divide`, the count after each first
/// turn is printed, in byte order, then an empty line and the sum.
///
/// With `--suite` the rows of a file are counted and compared: CSV with the columns
/// variant,fen,depth,nodes (others are ignored, an empty fen is the start), or EPD
/// (`FEN ;D1 20 ;D2 400`). Rows that differ are printed as CSV with a last column `counted`, and the exit
/// code is then 1.
#[derive(clap::Args)]
#[command(
    override_usage = "fairyproof perft [OPTIONS] <ID> <DEPTH> [FEN]\n       \
                      fairyproof perft [OPTIONS] --suite <FILE>",
    after_help = "Examples:\n  fairyproof perft bachelor 4 --divide\n  \
                  fairyproof perft --suite counts.csv"
)]
pub struct Args {
    /// Variant with its options, such as `bachelor` or `spartan:moves=40`
    #[arg(value_name = "ID", required_unless_present = "suite")]
    id: Option<String>,
    /// Turns in a line, up to 1000
    #[arg(value_name = "DEPTH", required_unless_present = "suite", value_parser = within(0, MAX_TURNS))]
    depth: Option<u32>,
    #[command(flatten)]
    fen: FenArg,
    /// Print the count after each first turn
    #[arg(long)]
    divide: bool,
    /// Count and compare the rows of this CSV or EPD file (`-`: standard input)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["id", "depth", "fen", "named", "divide"])]
    suite: Option<String>,
    /// Variant of the positions of an EPD suite
    #[arg(long, value_name = "ID", default_value = "fide", requires = "suite")]
    variant: String,
    /// Write the counts of the suite to this file, as Parquet: variant, fen, depth, nodes
    #[cfg(feature = "parquet")]
    #[arg(long, value_name = "FILE", requires = "suite")]
    parquet: Option<std::path::PathBuf>,
    #[command(flatten)]
    threads: Threads,
}

impl Args {
    /// Runs the command and writes the counts to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        match (&self.suite, &self.id, self.depth) {
            (Some(file), _, _) => self.suite(catalog, file, out),
            (None, Some(id), Some(depth)) => self.counts(&catalog.open(id)?, depth, out),
            // Excluded by clap.
            _ => Err(Diagnostic::new("perft", "it takes ID and DEPTH, or --suite FILE").into()),
        }
    }

    fn counts(&self, variant: &Variant, depth: u32, out: &mut dyn Write) -> Answer {
        let mut first = true;
        let mut reader = fen::Reader::new(variant);
        each_fen(self.fen.text(), ErrorLines::InPlace, out, |fen, out| {
            if self.divide && !std::mem::replace(&mut first, false) {
                out.write_all(b"\n")?;
            }
            let setup = read_next_setup(&mut reader, fen)?;
            let outcome = setup.outcome();
            if depth > 0 && fen.is_none() && !outcome.is_ongoing() {
                say(&format!(
                    "note: the game is over before the first turn: {outcome}"
                ));
            }
            let text = self.threads.install(|| {
                let bar = Bar::new();
                if depth > UNWATCHED_DEPTH || depth > 1 && bar.is_drawn() {
                    let divide = watched(&setup, depth, &bar);
                    bar.clear();
                    if self.divide {
                        return divide_text(&divide);
                    }
                    return format!("{}\n", divide.nodes);
                }
                if self.divide {
                    divide_text(&divided(&setup, depth))
                } else {
                    format!("{}\n", count(&setup, depth))
                }
            });
            Ok(out.write_all(text.as_bytes())?)
        })
    }

    fn suite(&self, catalog: &Catalog, file: &str, out: &mut dyn Write) -> Answer {
        let suite = Suite::read_counts(file, &self.variant)?;
        // Read all rows before counting any, so an error in a row is reported at once.
        let tasks = suite
            .cases()
            .map(|case| Task::read(catalog, case))
            .collect::<Result<Vec<Task>, Diagnostic>>()?;
        let (bar, done) = (Bar::new(), AtomicUsize::new(0));
        let counts: Vec<Counted> = tasks.iter().map(|_| OnceLock::new()).collect();
        let stop = interrupt::flag();
        let work = || {
            self.threads.install(|| {
                tasks.par_iter().zip(&counts).for_each(|(task, counted)| {
                    if !stop.load(Ordering::Relaxed) {
                        let count = guarded(|| Ok(count(&task.case.setup(catalog)?, task.depth)));
                        if matches!(count, Err(Failure::Stopped)) {
                            return;
                        }
                        let _ = counted.set(count.map_err(|_| ()));
                        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                        bar.show("counting", done, tasks.len(), "rows");
                    }
                });
            });
        };
        std::thread::scope(|scope| {
            // A row may take hours, so Ctrl-C is handled while rows are being counted.
            let Ok(working) = std::thread::Builder::new().spawn_scoped(scope, inherited(work))
            else {
                work();
                return;
            };
            while !working.is_finished() && !stop.load(Ordering::Relaxed) {
                std::thread::park_timeout(LOOK_AFTER);
            }
            if !working.is_finished() {
                bar.clear();
                let answer = self.compared(&suite, &tasks, &counts, out);
                // Do not wait for the rows that are being counted; they may take hours.
                let _ = out.flush();
                std::process::exit(
                    answer.map_or(Verdict::BadInput, |_| Verdict::Interrupted) as i32
                );
            }
        });
        bar.clear();
        self.compared(&suite, &tasks, &counts, out)
    }

    /// Compares the counts so far with the numbers in the suite.
    fn compared(
        &self,
        suite: &Suite,
        tasks: &[Task],
        counts: &[Counted],
        out: &mut dyn Write,
    ) -> Answer {
        let (mut differing, mut done, mut worst) = (Vec::new(), 0, Verdict::Done);
        for (task, counted) in tasks.iter().zip(counts) {
            match counted.get() {
                None => worst = worst.max(Verdict::Interrupted),
                Some(Ok(count)) => {
                    done += 1;
                    if u128::from(task.nodes) != *count {
                        differing.push((task.case, count.to_string()));
                        worst = worst.max(Verdict::Finding);
                    }
                }
                Some(Err(())) => {
                    done += 1;
                    differing.push((task.case, "panicked".to_string()));
                    worst = worst.max(Verdict::Broken);
                }
            }
        }
        #[cfg(feature = "parquet")]
        if let Some(path) = &self.parquet {
            let rows = tasks.iter().zip(counts).filter_map(|(task, counted)| {
                Some(columns::CountRow {
                    variant: task.case.text("variant").to_owned(),
                    fen: task.case.text("fen").to_owned(),
                    depth: task.depth,
                    nodes: *counted.get()?.as_ref().ok()?,
                })
            });
            let rows: Vec<columns::CountRow> = rows.collect();
            super::parquet::write("--parquet", path, columns::counts(&rows))?;
        }
        suite.write_differing("counted", done, &differing, out)?;
        Ok(worst)
    }
}

/// The interval at which Ctrl-C is checked.
const LOOK_AFTER: Duration = Duration::from_millis(50);

/// The count of a row, once it is known; an error if the program panicked.
type Counted = OnceLock<Result<u128, ()>>;

/// A row of a suite, with its numbers parsed.
struct Task<'a> {
    case: Case<'a>,
    depth: u32,
    nodes: u64,
}

impl<'a> Task<'a> {
    fn read(catalog: &Catalog, case: Case<'a>) -> Result<Task<'a>, Diagnostic> {
        let bad = |column: &str, why: String| {
            let text = case.text(column);
            case.wrong(column, Diagnostic::new(format!("`{text}`"), why))
        };
        // A position takes some 40 KB with the tables of its board, so it is only checked here and read again
        // for counting.
        case.setup(catalog)?;
        Ok(Task {
            case,
            depth: number(case.text("depth"), 0, MAX_TURNS)
                .map_err(|why| bad("depth", why.to_string()))?,
            nodes: number(case.text("nodes"), 0, u64::MAX)
                .map_err(|why| bad("nodes", why.to_string()))?,
        })
    }
}

fn count(setup: &Setup, depth: u32) -> u128 {
    with_setup!(setup, s => perft::count(s.game.as_ref(), &s.position, depth))
}

fn divided(setup: &Setup, depth: u32) -> Divide {
    with_setup!(setup, s => perft::divide(s.game.as_ref(), &s.position, depth))
}

/// The maximum depth that is counted without a progress report if standard error is not a terminal.
const UNWATCHED_DEPTH: u32 = 4;

/// Counts the lines after each first turn, one turn after the other. Reports progress to `bar`.
fn watched(setup: &Setup, depth: u32, bar: &dyn Observer) -> Divide {
    with_setup!(setup, s => {
        let game = s.game.as_ref();
        let sorted = turns::sorted(game, &s.position);
        let total = sorted.len() as u64;
        let mut divide = Divide { turns: Vec::new(), nodes: 0 };
        for (done, (text, turn)) in (1..).zip(sorted) {
            let nodes = perft::count(game, &game.play(&s.position, &turn), depth - 1);
            divide.turns.push((text, nodes));
            divide.nodes += nodes;
            bar.progress(&Progress {
                phase: "counting",
                done,
                total: Some(total),
                unit: "first turns",
                detail: format_args!("{} lines", divide.nodes),
            });
        }
        divide
    })
}

/// Returns a divide in Stockfish's format.
fn divide_text(divide: &Divide) -> String {
    let mut text: String = divide
        .turns
        .iter()
        .map(|(turn, nodes)| format!("{turn}: {nodes}\n"))
        .collect();
    text += &format!("\nNodes searched: {}\n", divide.nodes);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    /// The number of first turns in the last report.
    struct Reports(AtomicU64);

    impl Observer for Reports {
        fn progress(&self, progress: &Progress<'_>) {
            self.0.store(progress.done, Ordering::Relaxed);
        }
    }

    #[test]
    fn watched_counts_are_the_counts() {
        for (id, depth) in [("fide", 3), ("bachelor", 4), ("deadline", 2)] {
            let variant = Catalog::new().open(id).expect("a variant");
            let setup = Setup::read(&variant, None).expect("the start");
            let reports = Reports(AtomicU64::new(0));
            let divide = watched(&setup, depth, &reports);
            assert_eq!(divide, divided(&setup, depth), "{id}");
            assert_eq!(divide.nodes, count(&setup, depth), "{id}");
            assert_eq!(reports.0.into_inner(), divide.turns.len() as u64);
        }
    }
}

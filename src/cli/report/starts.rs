//! `report starts`.

use crate::answer::{Answer, Verdict, say};
use crate::args::{FormatArg, Threads, number};
use crate::interrupt;
use indicatif::ProgressBar;
use input::InputError;
use report::starts::{Scope, USUAL_POSITIONS, answers, variants};
use report::{Observer, table, write_whole};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Who can force a win from the start of each rule set, as far as that is known (starts.csv)
///
/// A row for the side that begins, and one for the other side after each first turn: proven, with a
/// certificate in DIR/proofs if it is short; disproven; or open, with the plies within which there is
/// shown to be none. The rows depend on the limit of positions alone, not on threads or time.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  fairyproof report starts\n  \
                      fairyproof report starts glory ultimate --positions 100000000 --out deep")]
pub struct Starts {
    /// Variants with their options [default: all, and each flag alone]
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Folder of the reports [default: reports, or with IDs none]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Positions searched at most for the side that begins; after each first turn a twentieth of them
    #[arg(long, value_name = "N", default_value_t = USUAL_POSITIONS, value_parser = positions,
          allow_negative_numbers = true)]
    positions: u64,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    threads: Threads,
}

fn positions(text: &str) -> Result<u64, String> {
    number(text, 1, 1_000_000_000_000)
}

struct Bar(ProgressBar);

impl Observer for Bar {
    fn done(&self, done: usize, of: usize) {
        self.0.set_length(of as u64);
        self.0.set_position(done as u64);
    }
}

impl Starts {
    /// Answers.
    pub fn run(&self, out: &mut dyn Write) -> Answer {
        let chosen = if self.ids.is_empty() {
            variants()?
        } else {
            let read = self.ids.iter().map(|id| sets::parse(id));
            read.collect::<Result<_, _>>()?
        };
        let scope = Scope {
            positions: self.positions,
            stop: interrupt::flag(),
        };
        let bar = Bar(ProgressBar::new(0));
        let found = self.threads.install(|| answers(&chosen, &scope, &bar))?;
        bar.0.finish_and_clear();
        let Some(found) = found else {
            say("interrupted; nothing was written");
            return Ok(Verdict::Interrupted);
        };
        let (rows, files): (Vec<_>, Vec<_>) = found
            .into_iter()
            .map(|found| (found.row, found.file))
            .unzip();
        let folder = match &self.out {
            Some(folder) => Some(folder.as_path()),
            None if self.ids.is_empty() => Some(Path::new("reports")),
            None => None,
        };
        if let Some(folder) = folder {
            let cannot = |path: &Path, e: std::io::Error| {
                let why = format!("`{}` cannot be written: {e}", path.display());
                InputError::new("--out", why)
            };
            for (name, bytes) in files.iter().flatten() {
                let path = folder.join(name);
                // The folder of proofs is the report's own; that of the report is not.
                if let Some(own) = path.parent().filter(|own| !own.exists()) {
                    std::fs::create_dir(own).map_err(|e| cannot(&path, e))?;
                }
                write_whole(&path, |file| file.write_all(bytes)).map_err(|e| cannot(&path, e))?;
            }
            let path = folder.join("starts.csv");
            write_whole(&path, |file| table::csv(&rows, file)).map_err(|e| cannot(&path, e))?;
        }
        match self.format.format {
            crate::args::Format::Text => {
                for row in &rows {
                    writeln!(out, "{}", row.text())?;
                }
            }
            _ => self.format.write(&rows, out)?,
        }
        let open = rows.iter().filter(|row| row.status == "open").count();
        say(&format!("{} questions, {open} open", rows.len()));
        Ok(if open == 0 {
            Verdict::Done
        } else {
            Verdict::Undecided
        })
    }
}

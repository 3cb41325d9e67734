//! `report starts`.

use super::Report;
use crate::answer::{Answer, Verdict, say, unwritable};
use crate::args::{FormatArg, Threads, within};
use crate::interrupt;
use crate::progress::Bar;
use catalog::Catalog;
use control::Control;
use diagnostics::Diagnostic;
use report::starts::{
    Answered, MAX_CERTIFICATE, Question, StartRow, StartsScope, USUAL_POSITIONS, answers,
    questions, variants,
};
use report::{make_folder, table, write_whole};
use rules::Variant;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Search for forced wins from the start of each rule set (starts.csv)
///
/// One row covers the side that begins, and one the other side after each first turn: proven, with a
/// certificate in DIR/proofs (for a long one, its SHA-256 and the command that writes it); disproven; or
/// open, with the number of plies within which there is no win. The rows depend only on the limit of
/// positions, not on threads or time. An open row for which an earlier run left a certificate becomes proven
/// after the certificate is checked.
///
/// With `--deep`, each round searches the open rows with four times the limit of the round before, up to
/// `--positions`. Rows go to starts-deep.csv and certificates to DIR/proofs as they are found, so the command
/// can be interrupted at any time and continues from there; the usual report then uses the certificates.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  fairyproof report starts\n  \
                      fairyproof report starts glory ultimate --positions 100000000 --out deep\n  \
                      fairyproof report starts --deep --threads 1 blunder-mate")]
pub struct Starts {
    /// Variants with their options [default: all, and each flag alone]
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Folder of the reports [default: reports, or with IDs and without --deep none]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Positions searched at most for the side that begins; after each first turn a twentieth of them
    /// [default: 400000, or 1000000000 with --deep]
    #[arg(long, value_name = "N", value_parser = within(1, 1_000_000_000_000u64))]
    positions: Option<u64>,
    /// Folder with certificates of earlier runs
    #[arg(long, value_name = "DIR", default_value = "reports/proofs")]
    proofs: PathBuf,
    /// Bytes of the longest certificate to keep; for a longer one, the row has the SHA-256 and the command
    /// that writes it again [default: 200000]
    #[arg(long, value_name = "BYTES", value_parser = within(0, 1_000_000_000usize))]
    longest_certificate: Option<usize>,
    /// Search longer and longer, until interrupted
    #[arg(long)]
    deep: bool,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    threads: Threads,
}

/// The default number of positions at which `--deep` ends.
const DEEP_POSITIONS: u64 = 1_000_000_000;
/// The factor by which the limit of `--deep` grows in each round.
const DEEPER: u64 = 4;
/// The file that `--deep` writes.
const DEEP: &str = "starts-deep.csv";

fn cannot(path: &Path, e: impl std::fmt::Display) -> Diagnostic {
    let why = format!("`{}` cannot be written: {e}", path.display());
    Diagnostic::new("--out", why)
}

/// Writes a certificate to the folder of a report.
fn keep(folder: &Path, answered: &Answered) -> Result<(), Diagnostic> {
    let Some((name, bytes)) = &answered.file else {
        return Ok(());
    };
    let path = folder.join(name);
    if let Some(proofs) = path.parent() {
        make_folder(proofs).map_err(|e| cannot(&path, e))?;
    }
    write_whole(&path, |file| file.write_all(bytes)).map_err(|e| cannot(&path, e))
}

impl Starts {
    /// Runs the command and writes the report to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let chosen = if self.ids.is_empty() {
            variants()
        } else {
            let read = self.ids.iter().map(|id| catalog.open(id));
            read.collect::<Result<_, _>>()?
        };
        if self.deep {
            return self.deeper(&chosen);
        }
        let asked = questions(&chosen)?;
        let scope = StartsScope {
            positions: self.positions.unwrap_or(USUAL_POSITIONS),
            proofs: Some(&self.proofs),
            deep: false,
            longest_certificate: self.longest_certificate(),
        };
        let folder = super::folder(self.out.as_deref(), &self.ids);
        let file = folder.map(|folder| Report::open(folder, "starts.csv"));
        let file = file.transpose()?;
        let found = self.answers(&asked, &scope, &|_, _| Ok(()))?;
        let Some(found) = found else {
            say("interrupted; nothing was written");
            return Ok(Verdict::Interrupted);
        };
        if let Some(folder) = folder {
            for answered in &found {
                keep(folder, answered)?;
            }
        }
        let rows: Vec<StartRow> = found.into_iter().map(|found| found.row).collect();
        if let Some(file) = file {
            file.write(|out| table::csv(&rows, out))?;
        }
        self.format.write_lines(&rows, StartRow::text, out)?;
        let open = rows.iter().filter(|row| row.status == "open").count();
        say(&format!("{} questions, {open} open", rows.len()));
        Ok(Verdict::decided(open == 0))
    }

    /// Answers questions and shows the progress. Returns `None` if the user interrupted the search.
    fn answers(
        &self,
        asked: &[Question<'_>],
        scope: &StartsScope<'_>,
        told: &(dyn Fn(usize, &Answered) -> Result<(), Diagnostic> + Sync),
    ) -> Result<Option<Vec<Answered>>, Diagnostic> {
        let bar = Bar::new();
        let control = Control::new()
            .with_stop(interrupt::flag())
            .with_observer(&bar);
        let found = self
            .threads
            .install(|| answers(asked, scope, told, &control))?;
        bar.clear();
        Ok(found)
    }

    fn longest_certificate(&self) -> usize {
        self.longest_certificate.unwrap_or(MAX_CERTIFICATE)
    }

    /// Searches with higher limits in each round, and saves each answer.
    fn deeper(&self, chosen: &[Variant]) -> Answer {
        let folder = self.out.as_deref().unwrap_or(Path::new("reports"));
        make_folder(folder).map_err(|e| unwritable("--out", folder, e))?;
        let path = folder.join(DEEP);
        let order = questions(chosen)?;
        let everything = variants();
        let mut places: BTreeMap<(String, String), usize> = BTreeMap::new();
        for question in questions(&everything)?.iter().chain(&order) {
            let place = places.len();
            places.entry(question.name()).or_insert(place);
        }
        let kept = Mutex::new(Kept::open(&path, places)?);
        let locked = || kept.lock().unwrap_or_else(PoisonError::into_inner);
        let most = self.positions.unwrap_or(DEEP_POSITIONS);
        let mut positions = USUAL_POSITIONS.min(most / DEEPER);
        while positions < most {
            positions = positions.saturating_mul(DEEPER).clamp(1, most);
            // Select the questions that are open and were not yet searched with this limit.
            let mut left = order.clone();
            left.retain(|question| locked().is_open_below(question, positions));
            let scope = StartsScope {
                positions,
                proofs: None,
                deep: true,
                longest_certificate: self.longest_certificate(),
            };
            let told = |at: usize, answered: &Answered| {
                keep(folder, answered)?;
                locked().note(&path, &left[at], &answered.row)
            };
            let found = self.answers(&left, &scope, &told)?;
            if found.is_none() {
                say(&format!(
                    "interrupted; {} has what was found",
                    path.display()
                ));
                return Ok(Verdict::Interrupted);
            }
        }
        let kept = locked();
        let open = order
            .iter()
            .filter(|question| kept.is_open(question))
            .count();
        say(&format!("{} questions, {open} open", order.len()));
        Ok(Verdict::decided(open == 0))
    }
}

/// The rows of long searches. Each contains the limit of its search in positions.
struct Kept {
    places: BTreeMap<(String, String), usize>,
    rows: BTreeMap<usize, StartRow>,
}

impl Kept {
    /// Returns the rows of an earlier run.
    fn open(path: &Path, places: BTreeMap<(String, String), usize>) -> Result<Kept, Diagnostic> {
        let rows = BTreeMap::new();
        let mut kept = Kept { places, rows };
        kept.read(path)?;
        Ok(kept)
    }

    /// Adds the rows of the file.
    fn read(&mut self, path: &Path) -> Result<(), Diagnostic> {
        if !path.exists() {
            return Ok(());
        }
        let wrong = |why: String| {
            Diagnostic::new("--deep", format!("`{}`: {why}", path.display()))
                .help("delete it to begin again")
        };
        let file = control::files::open(path).map_err(|e| wrong(e.to_string()))?;
        let mut reader = csv::Reader::from_reader(file);
        for row in reader.deserialize() {
            let row: StartRow = row.map_err(|e| wrong(e.to_string()))?;
            let name = (row.variant.clone(), row.after.clone().unwrap_or_default());
            let place = self.places.get(&name);
            let place = *place
                .ok_or_else(|| wrong(format!("there is no question `{} {}`", name.0, name.1)))?;
            self.rows.insert(place, row);
        }
        Ok(())
    }

    fn of(&self, question: &Question<'_>) -> Option<&StartRow> {
        self.rows.get(self.places.get(&question.name())?)
    }

    fn is_open(&self, question: &Question<'_>) -> bool {
        self.of(question).is_none_or(|row| row.status == "open")
    }

    /// Returns whether a question is open and was not yet searched with a limit as high as this one.
    fn is_open_below(&self, question: &Question<'_>, positions: u64) -> bool {
        let searched = self.of(question).and_then(|row| row.round());
        self.is_open(question)
            && searched.is_none_or(|searched| searched < question.limit(positions))
    }

    /// Adds a row to the file, while no other process does.
    fn note(
        &mut self,
        path: &Path,
        question: &Question<'_>,
        row: &StartRow,
    ) -> Result<(), Diagnostic> {
        let folder = path.parent().unwrap_or(path);
        let _lock = control::files::lock_folder(folder).map_err(|e| cannot(path, e))?;
        self.read(path)?;
        if let Some(place) = self.places.get(&question.name()) {
            self.rows.insert(*place, row.clone());
        }
        let rows: Vec<StartRow> = self.rows.values().cloned().collect();
        write_whole(path, |file| table::csv(&rows, file)).map_err(|e| cannot(path, e))
    }
}

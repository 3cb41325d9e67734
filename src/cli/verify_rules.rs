//! `verify --sensitivity` and `verify --rulings`: verify claims without each rule, or with the other reading
//! of a ruling.

use super::answer::{Answer, Failure, Verdict, counted, say};
use super::args::{Format, FormatArg, WorkArgs};
use super::interrupt;
use claims::{Effect, Listed};
use control::Stopped;
use diagnostics::Diagnostic;
use report::ledger;
use report::sensitivity::{self, SensitivityRow};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// The claims to verify and the destination of the matrix.
pub(super) struct Matrix<'a> {
    /// All claims, in the order of the report's rows.
    pub all: &'a [Listed<'a>],
    /// The claims to verify.
    pub chosen: &'a [Listed<'a>],
    /// Whether to use the other readings of rulings instead of removing rules.
    pub rulings: bool,
    /// The folder of the report, if it is to be written.
    pub folder: Option<&'a Path>,
    pub format: &'a FormatArg,
    pub work: &'a WorkArgs,
    /// The time limit.
    pub time: Option<Duration>,
}

impl Matrix<'_> {
    fn file(&self) -> &'static str {
        match self.rulings {
            true => "rulings.csv",
            false => "sensitivity.csv",
        }
    }

    /// Verifies the claims, prints the matrix and writes the report. After Ctrl-C, only the rows of completed
    /// claims are written.
    pub fn run(&self, out: &mut dyn Write) -> Answer {
        let unwritable = |folder: &Path, error: std::io::Error| {
            let why = format!("`{}`: {error}", folder.join(self.file()).display());
            Diagnostic::new("--out", why).help("choose a folder that can be written to")
        };
        if let Some(folder) = self.folder {
            ledger::try_folder(folder)
                .and_then(|()| sensitivity::read(folder, self.file()))
                .map_err(|error| unwritable(folder, error))?;
        }
        let (found, stopped) = self.work.run(|control| {
            let control = interrupt::timed(*control, self.time);
            let found = claims::sensitivity(self.chosen, self.rulings, &control);
            (found, control.check().err())
        });
        let found = found?;
        let rows: Vec<SensitivityRow> = found.iter().map(SensitivityRow::new).collect();
        if let Some(folder) = self.folder {
            sensitivity::update(folder, self.file(), |old| {
                ledger::merged(self.all, self.chosen, (old, &rows), |row| &row.claim)
            })
            .map_err(|error| unwritable(folder, error))?;
        }
        match self.format.format {
            Format::Text => out.write_all(sensitivity::text(&rows).as_bytes())?,
            _ => self.format.write(&rows, out)?,
        }
        out.flush().map_err(Failure::from)?;
        let compiled: Vec<&str> = (self.chosen.iter())
            .filter(|claim| claim.entry().is_none())
            .map(|claim| claim.id)
            .collect();
        if !compiled.is_empty() {
            say(&format!(
                "not verified without rules, because their checks are compiled into the program: {}",
                compiled.join(", ")
            ));
        }
        let count = |effect: Effect| found.iter().filter(|row| row.effect == effect).count();
        say(&format!(
            "{} of a claim and a rule: {} changed, {} same, {} open, {} not applicable",
            counted(found.len(), "pair", "pairs"),
            count(Effect::Changed),
            count(Effect::Same),
            count(Effect::Open),
            count(Effect::NotApplicable)
        ));
        if stopped == Some(Stopped::Time) {
            say("stopped by the limit of --time");
        }
        Ok(match count(Effect::Open) {
            _ if interrupt::pressed() => Verdict::Interrupted,
            _ if stopped.is_some() => Verdict::Undecided,
            0 => Verdict::Done,
            _ => Verdict::Undecided,
        })
    }
}

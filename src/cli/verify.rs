//! `verify`: the ledger.

use super::answer::{Answer, Failure, Verdict, say};
use super::args::{Format, FormatArg, Memory, Threads};
use super::interrupt;
use super::progress::Bar;
use catalog::Catalog;
use claims::{self, Claim, Effort, Finding, Shared};
use control::process::free_bytes;
use control::{Control, Observer, Progress};
use diagnostics::{Diagnostic, nearest};
use report::ledger::{self, ClaimRow};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

/// Check the claims of the variants' source pages
///
/// Each claim, or each claim whose id begins with a PREFIX, is checked from the rules. The answer is its
/// statement, a verdict, the scope of the verdict and a summary. The table claims.csv and an evidence file for
/// each claim are written to DIR. Rows of claims that are not checked now are kept. In a folder without
/// reports/claims.csv, nothing is written unless --out is given. The exit code is 1 if a claim is refuted, 3 if
/// one stays open. Ctrl-C keeps what is finished.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  fairyproof verify\n  \
                        fairyproof verify bachelor convergent/king --out ledger")]
pub struct Args {
    /// Beginnings of claims' ids, such as `bachelor` or `french-revolution/24` [default: all]
    #[arg(value_name = "PREFIX")]
    prefixes: Vec<String>,
    /// Write the reports to DIR [default: reports, if it contains claims.csv]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Search further where a check is bounded; takes about 40 minutes on one core
    #[arg(long)]
    deep: bool,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    threads: Threads,
}

/// Returns the chosen claims, in the order of the ledger.
fn chosen(
    catalog: &Catalog,
    all: &[&'static Claim],
    prefixes: &[String],
) -> Result<Vec<&'static Claim>, Diagnostic> {
    for prefix in prefixes {
        if !all
            .iter()
            .any(|claim| claim.id.starts_with(prefix.as_str()))
        {
            let mut names: Vec<&str> = all.iter().map(|claim| claim.id).collect();
            names.extend(all.iter().filter_map(|claim| claim.id.split('/').next()));
            let why = match catalog.open(prefix) {
                Ok(_) => "this rule set has no claims",
                Err(_) => "no claim's id begins with it",
            };
            let error = Diagnostic::new(format!("PREFIX `{prefix}`"), why);
            let mut pages: Vec<&str> = names[all.len()..].to_vec();
            pages.dedup();
            return Err(error.help(match nearest(prefix, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("ids begin with {}", pages.join(", ")),
            }));
        }
    }
    let wanted = |claim: &&&Claim| {
        prefixes.is_empty() || prefixes.iter().any(|p| claim.id.starts_with(p.as_str()))
    };
    Ok(all.iter().filter(wanted).copied().collect())
}

fn unwritable(folder: &Path, error: std::io::Error) -> Diagnostic {
    Diagnostic::new(
        "--out",
        format!("`{}` cannot be written to: {error}", folder.display()),
    )
    .help("a folder that can be written to, or the name of one to be made")
}

/// Returns the rows of an earlier run in this folder, which is checked to be writable.
fn old_rows(folder: &Path) -> Result<Vec<ClaimRow>, Diagnostic> {
    if folder.as_os_str().is_empty() {
        return Err(Diagnostic::new("--out", "the name of the folder is empty"));
    }
    let old = ledger::read_claims(folder).map_err(|error| {
        let file = folder.join("claims.csv");
        let why = match error.kind() {
            std::io::ErrorKind::InvalidData => "is not a table of claims",
            _ => "cannot be read",
        };
        Diagnostic::new("--out", format!("`{}` {why}: {error}", file.display()))
            .help("choose another folder, or remove the file")
    })?;
    // Better now than after minutes.
    ledger::try_folder(folder).map_err(|error| unwritable(folder, error))?;
    Ok(old)
}

impl Args {
    /// Checks the claims and writes their reports.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let all = claims::all();
        let chosen = chosen(catalog, &all, &self.prefixes)?;
        let folder = self.folder();
        let old = match folder {
            Some(folder) => old_rows(folder)?,
            None => {
                say(
                    "no reports are written: this folder has no reports/claims.csv; --out DIR writes them",
                );
                Vec::new()
            }
        };

        let stop = interrupt::flag();
        let crowded = free_bytes().is_some_and(|free| free < TWO_LANES_BYTES);
        let lanes = Lanes::new(&chosen, if crowded { 1 } else { self.threads.count() });
        let shared = Shared::default();
        let effort = Effort {
            deep: self.deep,
            control: Control::new()
                .with_stop(stop)
                .with_memory(self.memory.bytes() / MAX_LANES as u64),
            shared: Some(&shared),
        };
        thread::scope(|scope| {
            let (sender, findings) = mpsc::channel();
            let lanes = &lanes;
            let running: Vec<_> = (0..lanes.threads.len())
                .map(|lane| {
                    let sender = sender.clone();
                    thread::Builder::new()
                        .spawn_scoped(scope, move || lanes.run(lane, effort, &sender))
                })
                .collect();
            drop(sender);
            // What the one lane does not take the other does.
            let mut refused = None;
            let running: Vec<_> = running
                .into_iter()
                .filter_map(|lane| lane.map_err(|error| refused = Some(error)).ok())
                .collect();
            if let (Some(error), true) = (refused, running.is_empty()) {
                let why = format!("no thread can be started: {error}");
                return Err(Diagnostic::new("--threads", why).into());
            }
            let mut ledger = Ledger {
                args: self,
                all: &all,
                old,
                chosen: &chosen,
                rows: vec![None; chosen.len()],
                shown: 0,
                verdict: Verdict::Done,
                unheard: None,
                bar: Bar::new(),
            };
            let written = ledger.take(findings, out);
            if written.is_err() {
                // Nobody will read what else is found.
                stop.store(true, Ordering::Relaxed);
            }
            for lane in running {
                if let Err(panic) = lane.join() {
                    std::panic::resume_unwind(panic);
                }
            }
            written?;
            let rows: Vec<ClaimRow> = ledger.rows.into_iter().flatten().collect();
            if rows.len() < chosen.len() {
                ledger.verdict = Verdict::Interrupted;
            }
            if let Some(error) = ledger.unheard {
                return Err(error.into());
            }
            if self.format.format != Format::Text {
                self.format.write(&rows, out)?;
                out.flush().map_err(Failure::from)?;
            }
            say(&counted(&rows, chosen.len(), folder));
            Ok(ledger.verdict)
        })
    }

    /// Returns the folder of the reports, if they are written.
    fn folder(&self) -> Option<&Path> {
        let usual = Path::new("reports");
        let is_checkout = || usual.join("claims.csv").is_file();
        self.out
            .as_deref()
            .or_else(|| is_checkout().then_some(usual))
    }
}

/// What two lanes together take, code and stacks included: where less is free, there is one, of one thread.
const TWO_LANES_BYTES: u64 = 640 << 20;

/// Claims that are checked at the same time at most, whatever the number of threads, so that the
/// memory each may take does not depend on it.
const MAX_LANES: usize = 2;

/// Checks in lanes side by side. The first lane goes by the ledger, so that verdicts come soon; the
/// other one begins with what takes longest.
struct Lanes<'a> {
    chosen: &'a [&'static Claim],
    taken: Vec<AtomicBool>,
    /// Threads of each lane.
    threads: Vec<usize>,
}

impl<'a> Lanes<'a> {
    fn new(chosen: &'a [&'static Claim], threads: usize) -> Lanes<'a> {
        let lanes = MAX_LANES.min(threads).min(chosen.len());
        Lanes {
            chosen,
            taken: chosen.iter().map(|_| AtomicBool::new(false)).collect(),
            threads: (0..lanes).map(|i| (threads + i) / lanes).collect(),
        }
    }

    /// Returns the claims, by their places, in the order of a lane.
    fn order(&self, lane: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.chosen.len()).collect();
        if lane > 0 {
            let rank = |id| claims::SLOWEST.iter().position(|long| *long == id);
            order.sort_by_key(|&i| rank(self.chosen[i].id).unwrap_or(usize::MAX));
        }
        order
    }

    /// Checks what no lane has taken; sends each finding with its place.
    fn run(&self, lane: usize, effort: Effort, findings: &mpsc::Sender<(usize, Finding)>) {
        let threads = Threads {
            threads: Some(self.threads[lane]),
        };
        let effort = Effort {
            control: effort.control.with_threads(self.threads[lane]),
            ..effort
        };
        threads.install(|| {
            for i in self.order(lane) {
                if self.taken[i].swap(true, Ordering::Relaxed) {
                    continue;
                }
                let finding = (self.chosen[i].check)(&effort);
                // What the check says after a stop may rest on a part of its work.
                if effort.stopped() || findings.send((i, finding)).is_err() {
                    break;
                }
            }
        });
    }
}

/// What is written of findings as they come.
struct Ledger<'a> {
    args: &'a Args,
    all: &'a [&'static Claim],
    /// Rows of an earlier run.
    old: Vec<ClaimRow>,
    chosen: &'a [&'static Claim],
    rows: Vec<Option<ClaimRow>>,
    /// Rows that are printed, in the order of the ledger.
    shown: usize,
    verdict: Verdict,
    /// Why nothing is printed any more: the reports go on without it.
    unheard: Option<std::io::Error>,
    bar: Bar,
}

impl Ledger<'_> {
    /// Writes findings to their files, and prints them as soon as all before them are there.
    fn take(
        &mut self,
        findings: mpsc::Receiver<(usize, Finding)>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let folder = self.args.folder();
        self.tell();
        for (i, finding) in findings {
            let claim = self.chosen[i];
            self.rows[i] = Some(ClaimRow::new(claim, &finding));
            let fresh: Vec<ClaimRow> = self.rows.iter().flatten().cloned().collect();
            if let Some(folder) = folder {
                let rows = ledger::merged(self.all, &self.old, &fresh);
                ledger::write_evidence(folder, claim, &finding.evidence)
                    .and_then(|()| ledger::write_claims(folder, &rows))
                    .map_err(|error| unwritable(folder, error))?;
            }
            self.verdict = self.verdict.max(match finding.verdict {
                claims::Verdict::Refuted | claims::Verdict::Vacuous => Verdict::Finding,
                claims::Verdict::Open => Verdict::Undecided,
                claims::Verdict::Confirmed
                | claims::Verdict::ConfirmedAsAmended
                | claims::Verdict::Consistent => Verdict::Done,
            });
            self.show(false, out);
            self.tell();
        }
        self.show(true, out);
        self.bar.clear();
        Ok(())
    }

    /// Prints the rows that are next; with `all`, also what comes after a gap.
    fn show(&mut self, all: bool, out: &mut dyn Write) {
        let ids = self.chosen.iter().map(|claim| claim.id.len());
        let width = ids.max().unwrap_or(0);
        while let Some(row) = self.rows.get(self.shown).filter(|row| all || row.is_some()) {
            if self.args.format.format == Format::Text
                && self.unheard.is_none()
                && let Some(row) = row
            {
                let text = ledger::text(row, width);
                let shown = || out.write_all(text.as_bytes()).and_then(|()| out.flush());
                self.unheard = self.bar.suspend(shown).err();
            }
            self.shown += 1;
        }
    }

    /// Tells how far it has come.
    fn tell(&self) {
        let done = self.rows.iter().flatten().count();
        if let Some(claim) = self.chosen.get(self.shown) {
            self.bar.progress(&Progress {
                phase: "verifying",
                done: done as u64,
                total: Some(self.chosen.len() as u64),
                unit: "claims",
                detail: format_args!("next {}", claim.id),
            });
        }
    }
}

/// Returns how many verdicts of each kind.
fn counted(rows: &[ClaimRow], chosen: usize, folder: Option<&Path>) -> String {
    let counts: Vec<String> = claims::Verdict::ALL
        .iter()
        .map(|kind| (kind.to_string(), rows))
        .map(|(kind, rows)| (rows.iter().filter(|row| row.verdict == kind).count(), kind))
        .filter(|(n, _)| *n > 0)
        .map(|(n, kind)| format!("{n} {kind}"))
        .collect();
    let left = match chosen - rows.len() {
        0 => String::new(),
        left => format!(" ({left} left unchecked)"),
    };
    let reports = folder.map_or(String::new(), |folder| {
        format!("; reports in {}", folder.display())
    });
    format!(
        "{} claims{left}: {}{reports}",
        rows.len(),
        if counts.is_empty() {
            "no verdict".to_string()
        } else {
            counts.join(", ")
        }
    )
}

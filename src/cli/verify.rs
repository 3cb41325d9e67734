//! `verify`: the ledger.

use super::answer::{Answer, Failure, Verdict, say};
use super::args::{Format, FormatArg, Memory, Threads};
use super::interrupt;
use claims::{self, Claim, Effort, Shared};
use indicatif::ProgressBar;
use input::{InputError, nearest};
use report::ledger::{self, ClaimRow};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Check what the source pages assert
///
/// Each claim of the ledger, or those whose id begins with a PREFIX, is checked from the rules: a
/// verdict, the scope on which it holds, a summary. The table claims.csv and an evidence file for
/// each claim are written to DIR; rows of claims that are not checked now stay as they are there.
/// The exit code is 1 if a claim is refuted, 3 if one stays open. Ctrl-C keeps what is finished.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  fairyproof verify\n  \
                        fairyproof verify bachelor convergent/king --out ledger")]
pub struct Args {
    /// Beginnings of claims' ids, such as `bachelor` or `french-revolution/24` [default: all]
    #[arg(value_name = "PREFIX")]
    prefixes: Vec<String>,
    /// Folder of the reports
    #[arg(long, value_name = "DIR", default_value = "reports")]
    out: PathBuf,
    /// Go further where a check is bounded; takes about 40 minutes of one processor
    #[arg(long)]
    deep: bool,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    threads: Threads,
}

/// The claims asked for, in the order of the ledger.
fn chosen(all: &[&'static Claim], prefixes: &[String]) -> Result<Vec<&'static Claim>, InputError> {
    for prefix in prefixes {
        if !all
            .iter()
            .any(|claim| claim.id.starts_with(prefix.as_str()))
        {
            let mut names: Vec<&str> = all.iter().map(|claim| claim.id).collect();
            names.extend(all.iter().filter_map(|claim| claim.id.split('/').next()));
            let error =
                InputError::new(format!("PREFIX `{prefix}`"), "no claim's id begins with it");
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

fn unwritable(folder: &Path, error: std::io::Error) -> InputError {
    InputError::new(
        "--out",
        format!("`{}` cannot be written to: {error}", folder.display()),
    )
    .help("a folder that can be written to, or the name of one to be made")
}

impl Args {
    /// Answers.
    pub fn run(&self, out: &mut dyn Write) -> Answer {
        let all = claims::all();
        let chosen = chosen(&all, &self.prefixes)?;
        let folder = self.out.as_path();
        if folder.as_os_str().is_empty() {
            return Err(InputError::new("--out", "the name of the folder is empty").into());
        }
        let old = ledger::read_claims(folder).map_err(|error| {
            let file = folder.join("claims.csv");
            let why = match error.kind() {
                std::io::ErrorKind::InvalidData => "is there and no ledger",
                _ => "cannot be read",
            };
            InputError::new("--out", format!("`{}` {why}: {error}", file.display()))
                .help("choose another folder, or take the file away")
        })?;
        // Better now than after minutes.
        ledger::try_folder(folder).map_err(|error| unwritable(folder, error))?;

        let stop = interrupt::flag();
        let shared = Shared::default();
        let effort = Effort {
            deep: self.deep,
            threads: self.threads.count(),
            memory_bytes: self.memory.bytes(),
            stop: Some(stop),
            shared: Some(&shared),
        };
        let width = chosen.iter().map(|claim| claim.id.len()).max().unwrap_or(0);
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(200));
        let mut rows: Vec<ClaimRow> = Vec::new();
        let mut verdict = Verdict::Done;
        for (i, claim) in chosen.iter().enumerate() {
            bar.set_message(format!("{} of {}: {}", i + 1, chosen.len(), claim.id));
            let finding = self.threads.install(|| (claim.check)(&effort))?;
            if stop.load(Ordering::Relaxed) {
                // What the check says now may rest on a part of its work.
                verdict = Verdict::Interrupted;
                break;
            }
            let row = ClaimRow::new(claim, &finding);
            rows.push(row);
            ledger::write_evidence(folder, claim, &finding.evidence)
                .and_then(|()| ledger::write_claims(folder, &ledger::merged(&all, &old, &rows)))
                .map_err(|error| unwritable(folder, error))?;
            verdict = verdict.max(match finding.verdict {
                claims::Verdict::Refuted => Verdict::Finding,
                claims::Verdict::Open => Verdict::Undecided,
                claims::Verdict::Confirmed | claims::Verdict::ConfirmedAsAmended => Verdict::Done,
            });
            if self.format.format == Format::Text {
                let text = rows
                    .last()
                    .map_or(String::new(), |row| ledger::text(row, width));
                bar.suspend(|| out.write_all(text.as_bytes()).and_then(|()| out.flush()))?;
            }
        }
        bar.finish_and_clear();
        if self.format.format != Format::Text {
            self.format.write(&rows, out)?;
            out.flush().map_err(Failure::from)?;
        }
        say(&counted(&rows, chosen.len(), folder));
        Ok(verdict)
    }
}

/// How many verdicts of each kind.
fn counted(rows: &[ClaimRow], chosen: usize, folder: &Path) -> String {
    let kinds = [
        claims::Verdict::Confirmed,
        claims::Verdict::ConfirmedAsAmended,
        claims::Verdict::Refuted,
        claims::Verdict::Open,
    ];
    let counts: Vec<String> = kinds
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
    format!(
        "{} claims{left}: {}; reports in {}",
        rows.len(),
        if counts.is_empty() {
            "no verdict".to_string()
        } else {
            counts.join(", ")
        },
        folder.display()
    )
}

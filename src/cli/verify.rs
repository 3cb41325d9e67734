//! The command `verify`: verifies the claims of files and of the built-in pages, and writes the ledger.

mod lanes;

use self::lanes::{Lanes, MAX_LANES};
use super::answer::{Answer, Failure, Verdict, say};
use super::args::{Format, FormatArg, VariantArg, WorkArgs};
use super::interrupt;
use super::paths::Paths;
use super::picture::{fill, open};
use super::progress::Bar;
use super::solve::seconds;
use super::verify_rules::Matrix;
use ::picture::claims::Verified;
use catalog::Catalog;
use claims::{self, Effort, Finding, Listed, OpenFile};
use control::evaluation::inherited;
use control::process::free_bytes;
use control::{Control, Observer, Progress};
use diagnostics::{Diagnostic, nearest};
use report::Target;
use report::ledger::{self, ClaimRow};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Verify the claims of claims files, or of the variants' source pages
///
/// Each claim is verified from the rules. The answer is its statement, a verdict, the scope of the verdict
/// and a summary. `fairyproof guide claims` describes claims files. With --out, the table claims.csv and an
/// evidence file for each claim are written to DIR. Rows of claims that are not verified now are kept. Reports
/// of built-in claims are written to reports/ if it contains claims.csv. The exit code is 1 if a claim is
/// refuted or vacuous, otherwise 3 if one stays open or the time is over. An error in a claims file has exit code 2, and nothing is
/// verified. Ctrl-C keeps what is finished.
#[derive(clap::Args)]
#[command(
    override_usage = "fairyproof verify [OPTIONS] [FILE.toml|PREFIX]...\n       \
                            fairyproof verify <COMMAND>"
)]
#[command(after_help = "Examples:\n  fairyproof verify\n  \
                        fairyproof verify bachelor convergent/king --out ledger\n  \
                        fairyproof verify frogs.toml --only no-early")]
pub struct Args {
    /// Claims files (`frogs.toml`), or beginnings of the ids of built-in claims (`bachelor`,
    /// `french-revolution/24`) [default: all built-in claims]
    #[arg(value_name = "FILE.toml|PREFIX")]
    claims: Vec<String>,
    /// Write the reports to DIR [default for built-in claims: reports, if it contains claims.csv]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Verify deep claims too, and go further where a check is bounded; takes about 40 minutes of one
    /// processor
    #[arg(long)]
    deep: bool,
    /// Verify only claims whose id begins with PREFIX, with or without the page's part; repeatable
    #[arg(long, value_name = "PREFIX")]
    only: Vec<String>,
    /// Write a page to FILE: verdicts, boards of witnesses and counterexamples, lines to step through
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Verify again without each rule, and print which rules each verdict depends on. A rule is a hook that differs
    /// from orthodox chess, an option, or a key of a definition. Limits are lower than usual. Writes
    /// sensitivity.csv
    #[arg(long, conflicts_with_all = ["html", "rulings"])]
    sensitivity: bool,
    /// Verify again with the other reading of each rule that can be read in two ways, and print which verdicts depend
    /// on it. Writes rulings.csv
    #[arg(long, conflicts_with = "html")]
    rulings: bool,
    /// Stop after SECONDS seconds. Claims that are not verified by then are left unchecked
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    work: WorkArgs,
}

/// Commands of `verify`.
#[derive(clap::Subcommand)]
enum Command {
    /// Print a first claims file for a rule set: about ten claims with the values found
    #[command(after_help = "Example:\n  fairyproof verify new crazyhouse > crazyhouse.toml")]
    New(New),
}

/// Arguments of `verify new`.
#[derive(clap::Args)]
struct New {
    #[command(flatten)]
    variant: VariantArg,
    #[command(flatten)]
    work: WorkArgs,
}

impl New {
    fn run(&self, catalog: &Arc<Catalog>, out: &mut dyn Write) -> Answer {
        self.variant.open(catalog)?;
        let (text, interrupted) = self.work.run(|control| {
            let text = claims::new_file(catalog, &self.variant.id, control);
            (text, control.is_interrupted())
        });
        if interrupted {
            return Ok(Verdict::Interrupted);
        }
        out.write_all(text?.as_bytes())?;
        Ok(Verdict::Done)
    }
}

/// Returns the claims of a list that match the prefixes, in the order of the list.
fn chosen<'a>(
    catalog: &Catalog,
    all: &[Listed<'a>],
    option: &str,
    prefixes: &[String],
) -> Result<Vec<Listed<'a>>, Diagnostic> {
    let begins = |claim: &Listed<'_>, prefix: &str| {
        let own = claim.id.split_once('/').map_or("", |(_, own)| own);
        claim.id.starts_with(prefix) || option == "--only" && own.starts_with(prefix)
    };
    for prefix in prefixes {
        if !all.iter().any(|claim| begins(claim, prefix)) {
            let mut names: Vec<&str> = all.iter().map(|claim| claim.id).collect();
            names.extend(all.iter().filter_map(|claim| claim.id.split('/').next()));
            let error = |why| Diagnostic::new(format!("{option} `{prefix}`"), why);
            if catalog.open(prefix).is_ok() {
                let help = format!(
                    "`fairyproof verify new {prefix}` writes a first file of claims for `verify`"
                );
                return Err(error("this rule set has no claims").help(help));
            }
            let error = error("no claim's id begins with it");
            let mut pages: Vec<&str> = Vec::new();
            for &page in &names[all.len()..] {
                if !pages.contains(&page) {
                    pages.push(page);
                }
            }
            return Err(error.help(match nearest(prefix, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("ids begin with {}", pages.join(", ")),
            }));
        }
    }
    let wanted = |claim: &&Listed<'_>| {
        prefixes.is_empty() || prefixes.iter().any(|prefix| begins(claim, prefix))
    };
    Ok(all.iter().filter(wanted).copied().collect())
}

/// Reads claims files and checks each claim against its rule set. Prints warnings.
fn read_files(catalog: &Arc<Catalog>, names: &[&String]) -> Result<Vec<OpenFile>, Diagnostic> {
    let mut files = Vec::new();
    for name in names {
        let path = Path::new(name.as_str());
        let bytes = control::files::read_limited(path, MAX_FILE_BYTES)?;
        let text = String::from_utf8(bytes).map_err(|_| {
            Diagnostic::new(name.as_str(), "the file is not UTF-8 text").help("save it as UTF-8")
        })?;
        let file = OpenFile::read(name, &text, path.parent(), catalog)?;
        for warning in file.validate()? {
            say(&format!("note: {name}: {warning}"));
        }
        files.push(file);
    }
    check_ids(&files)?;
    Ok(files)
}

/// Checks that no two claims of different files have the same id or evidence file, which would hide one of
/// their verdicts.
fn check_ids(files: &[OpenFile]) -> Result<(), Diagnostic> {
    let mut seen: BTreeMap<String, (&str, &str)> = BTreeMap::new();
    for file in files {
        let name = file.file.source.name.as_str();
        for entry in &file.file.entries {
            let evidence = claims::evidence_file(&entry.id);
            let Some((other_name, other_id)) = seen.insert(evidence, (name, &entry.id)) else {
                continue;
            };
            let why = match other_id == entry.id {
                true => format!("`{other_name}` has a claim with the id `{}` too", entry.id),
                false => format!(
                    "`{}` and `{other_id}` of `{other_name}` differ in signs alone",
                    entry.id
                ),
            };
            let error = Diagnostic::new(name, why);
            return Err(
                error.help("give one of the pages another `id`, or verify the files one by one")
            );
        }
    }
    Ok(())
}

/// The maximum size of a claims file, in bytes.
const MAX_FILE_BYTES: u64 = 4 << 20;

fn unwritable(folder: &Path, error: std::io::Error) -> Diagnostic {
    Diagnostic::new(
        "--out",
        format!("`{}` cannot be written to: {error}", folder.display()),
    )
    .help("a folder that can be written to, or the name of one to be made")
}

/// Checks that a folder is writable, and that its rows of an earlier run can be read.
fn check_folder(folder: &Path) -> Result<(), Diagnostic> {
    if folder.as_os_str().is_empty() {
        return Err(Diagnostic::new("--out", "the name of the folder is empty"));
    }
    ledger::read_claims(folder).map_err(|error| {
        let file = folder.join("claims.csv");
        let why = match error.kind() {
            std::io::ErrorKind::InvalidData => "is not a table of claims",
            _ => "cannot be read",
        };
        Diagnostic::new("--out", format!("`{}` {why}: {error}", file.display()))
            .help("choose another folder, or remove the file")
    })?;
    // Report an unwritable folder now rather than after minutes of work.
    ledger::try_folder(folder).map_err(|error| unwritable(folder, error))
}

impl Args {
    /// Runs the command and writes the verdicts to `out`.
    pub fn run(&self, catalog: &Arc<Catalog>, out: &mut dyn Write) -> Answer {
        if let Some(Command::New(new)) = &self.command {
            return new.run(catalog, out);
        }
        interrupt::timed(Control::new(), self.time);
        let (files, prefixes): (Vec<&String>, Vec<&String>) =
            (self.claims.iter()).partition(|argument| argument.ends_with(".toml"));
        let prefixes: Vec<String> = prefixes.into_iter().cloned().collect();
        let files = read_files(catalog, &files)?;
        self.check_paths(&files)?;
        let pages = claims::built_in_pages(catalog)?;
        let built_in: Vec<Listed<'_>> = pages
            .iter()
            .flat_map(Listed::of_file)
            .chain(claims::all().into_iter().map(Listed::compiled))
            .collect();
        let filed: Vec<Listed<'_>> = files.iter().flat_map(Listed::of_file).collect();
        let mut listed = match files.is_empty() || !prefixes.is_empty() {
            true => chosen(catalog, &built_in, "PREFIX", &prefixes)?,
            false => Vec::new(),
        };
        // A claim of a file replaces the built-in claim with the same id.
        listed.retain(|claim| !filed.iter().any(|own| own.id == claim.id));
        listed.extend(filed.iter().copied());
        listed.retain(|claim| self.deep || !claim.deep);
        let chosen = chosen(catalog, &listed, "--only", &self.only)?;
        let folder = self.folder(!files.is_empty());
        if self.sensitivity || self.rulings {
            let mut all = built_in.clone();
            all.extend(filed.iter().copied());
            let matrix = Matrix {
                all: &all,
                chosen: &chosen,
                rulings: self.rulings,
                folder,
                format: &self.format,
                work: &self.work,
                time: self.time,
            };
            return matrix.run(out);
        }
        match folder {
            Some(folder) => check_folder(folder)?,
            None if files.is_empty() => say(
                "no reports are written: this folder has no reports/claims.csv; --out DIR writes them",
            ),
            None => {}
        }
        let mut all = built_in;
        all.retain(|claim| !filed.iter().any(|own| own.id == claim.id));
        all.extend(filed.iter().copied());
        self.verify(catalog, &all, &files, &chosen, out)
    }

    /// Checks that no output replaces the rules of a claims file.
    fn check_paths(&self, files: &[OpenFile]) -> Result<(), Diagnostic> {
        let mut paths = Paths::default();
        for (option, path, is_folder) in [("--html", &self.html, false), ("--out", &self.out, true)]
        {
            if let Some(path) = path {
                paths.output(option, path, is_folder);
            }
        }
        for file in files {
            let name = &file.file.source.name;
            let folder = Path::new(name).parent().unwrap_or(Path::new(""));
            for rules in &file.file.page.rules {
                paths.input(format!("`{name}`"), &folder.join(&rules.value), false);
            }
        }
        paths.check()
    }

    /// Verifies the chosen claims and writes their reports.
    fn verify(
        &self,
        catalog: &Catalog,
        all: &[Listed<'_>],
        files: &[OpenFile],
        chosen: &[Listed<'_>],
        out: &mut dyn Write,
    ) -> Answer {
        let folder = self.folder(!files.is_empty());
        let html = self.html.as_deref();
        let html = html
            .map(|file| Ok::<_, Diagnostic>((file, open(file, "--html")?)))
            .transpose()?;
        let stop = interrupt::flag();
        let crowded = free_bytes().is_some_and(|free| free < TWO_LANES_BYTES);
        let bar = Bar::new();
        let lanes = Lanes::new(
            chosen,
            if crowded {
                1
            } else {
                self.work.threads.count()
            },
            &bar,
        );
        let effort = Effort {
            deep: self.deep,
            control: interrupt::timed(Control::new(), self.time)
                .with_memory(self.memory_bytes() / MAX_LANES as u64),
        };
        thread::scope(|scope| {
            let (sender, findings) = mpsc::channel();
            let lanes = &lanes;
            // If a lane cannot start, the other lane verifies all claims.
            let mut refused = None;
            let running: Vec<_> = (0..lanes.threads.len())
                .filter_map(|lane| {
                    let sender = sender.clone();
                    let started = thread::Builder::new()
                        .spawn_scoped(scope, inherited(move || lanes.run(lane, effort, &sender)));
                    started.map_err(|error| refused = Some(error)).ok()
                })
                .collect();
            drop(sender);
            if let (Some(error), true) = (refused, running.is_empty()) {
                let why = format!("no thread can be started: {error}");
                return Err(Diagnostic::new("--threads", why).into());
            }
            let mut ledger = Ledger {
                args: self,
                all,
                files,
                chosen,
                rows: vec![None; chosen.len()],
                findings: vec![None; chosen.len()],
                shown: 0,
                output_error: None,
                bar: &bar,
            };
            let written = ledger.take(findings, folder, out);
            if written.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            for lane in running {
                if let Err(panic) = lane.join() {
                    std::panic::resume_unwind(panic);
                }
            }
            written?;
            ledger.finish(catalog, folder, html, out)
        })
    }

    /// Returns the limit of memory of all lanes together, in bytes.
    fn memory_bytes(&self) -> u64 {
        let memory = &self.work.memory;
        memory
            .memory
            .unwrap_or_else(|| memory.bytes().max(LEAST_BYTES))
    }

    /// Returns the folder of the reports, if they are to be written.
    fn folder(&self, has_files: bool) -> Option<&Path> {
        let usual = Path::new("reports");
        let is_checkout = || !has_files && usual.join("claims.csv").is_file();
        self.out
            .as_deref()
            .or_else(|| is_checkout().then_some(usual))
    }
}

/// The least limit of memory in bytes, unless `--memory` is given: that of two searches with tables of the usual
/// size. The positions that they examine are then the same on every machine.
const LEAST_BYTES: u64 = 512 << 20;

/// The memory that two lanes need together, including code and stacks, in bytes. If less is free, a single
/// lane with one thread is used.
const TWO_LANES_BYTES: u64 = 640 << 20;

/// Collects findings as they arrive, and writes and prints them.
struct Ledger<'a> {
    args: &'a Args,
    all: &'a [Listed<'a>],
    files: &'a [OpenFile],
    chosen: &'a [Listed<'a>],
    rows: Vec<Option<ClaimRow>>,
    findings: Vec<Option<Finding>>,
    /// The number of rows of the ledger that were printed or skipped.
    shown: usize,
    /// The error that ended printing. The reports are still written.
    output_error: Option<std::io::Error>,
    bar: &'a Bar,
}

impl Ledger<'_> {
    /// Writes findings to their files as they arrive. Prints each once all earlier claims have findings.
    fn take(
        &mut self,
        findings: mpsc::Receiver<(usize, Result<Finding, Diagnostic>)>,
        folder: Option<&Path>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        self.report_progress();
        for (i, finding) in findings {
            let claim = &self.chosen[i];
            let finding = finding?;
            self.rows[i] = Some(ClaimRow::new(claim, &finding));
            if let Some(folder) = folder {
                ledger::write_evidence(folder, claim.id, &finding.evidence)
                    .and_then(|()| ledger::update_claims(folder, |old| self.merged(old)))
                    .map_err(|error| unwritable(folder, error))?;
            }
            self.findings[i] = Some(finding);
            self.show(false, out);
            self.report_progress();
        }
        self.show(true, out);
        self.bar.clear();
        Ok(())
    }

    /// Returns the rows of `claims.csv`: those of this run, and earlier rows that are kept.
    fn merged(&self, old: &[ClaimRow]) -> Vec<ClaimRow> {
        let fresh: Vec<ClaimRow> = self.rows.iter().flatten().cloned().collect();
        ledger::merged(self.all, self.chosen, (old, &fresh), |row| &row.claim)
    }

    /// Returns the page of the verified claims.
    fn page(&self, catalog: &Catalog) -> String {
        let mut verified = Vec::new();
        for (at, claim) in self.chosen.iter().enumerate() {
            if let (Some(row), Some(finding)) = (&self.rows[at], &self.findings[at]) {
                verified.push(Verified {
                    row,
                    evidence: &finding.evidence,
                    catalog: claim.entry().map_or(catalog, |(file, _)| &file.catalog),
                });
            }
        }
        let title = match self.files {
            [file] => file.file.page.title.as_str(),
            _ => "Claims",
        };
        ::picture::claims::html(title, &verified)
    }

    /// Writes the page, the table and the summary after all claims are verified. Returns the verdict of the
    /// command.
    fn finish(
        self,
        catalog: &Catalog,
        folder: Option<&Path>,
        html: Option<(&Path, Target)>,
        out: &mut dyn Write,
    ) -> Answer {
        if let Some((file, target)) = html {
            fill(target, file, "--html", &self.page(catalog))?;
        }
        if let Some(error) = self.output_error {
            return Err(error.into());
        }
        let rows: Vec<ClaimRow> = self.rows.into_iter().flatten().collect();
        if self.args.format.format != Format::Text {
            let shown: Vec<ClaimRow> = match self.args.format.format {
                Format::Csv => rows.iter().map(ClaimRow::for_csv).collect(),
                _ => rows.clone(),
            };
            self.args.format.write(&shown, out)?;
            out.flush().map_err(Failure::from)?;
        }
        say(&counted(&rows, self.chosen.len(), folder));
        let worst = self
            .findings
            .iter()
            .flatten()
            .map(|finding| finding.verdict);
        let is_partial = rows.len() < self.chosen.len();
        if is_partial && !interrupt::pressed() {
            say("stopped by the limit of --time");
        }
        Ok(match worst.min() {
            _ if is_partial && interrupt::pressed() => Verdict::Interrupted,
            Some(claims::Verdict::Refuted | claims::Verdict::Vacuous) => Verdict::Finding,
            _ if is_partial => Verdict::Undecided,
            Some(claims::Verdict::Open) => Verdict::Undecided,
            _ => Verdict::Done,
        })
    }

    /// Prints the next rows up to the first missing one, or with `all` every row.
    fn show(&mut self, all: bool, out: &mut dyn Write) {
        let ids = self.chosen.iter().map(|claim| claim.id.len());
        let width = ids.max().unwrap_or(0);
        while let Some(row) = self.rows.get(self.shown).filter(|row| all || row.is_some()) {
            if self.args.format.format == Format::Text
                && self.output_error.is_none()
                && let Some(row) = row
            {
                let text = ledger::text(row, width);
                let shown = || out.write_all(text.as_bytes()).and_then(|()| out.flush());
                self.output_error = self.bar.suspend(shown).err();
            }
            self.shown += 1;
        }
    }

    /// Reports the number of verified claims to the bar.
    fn report_progress(&self) {
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

/// Returns a summary with the number of claims for each verdict.
fn counted(rows: &[ClaimRow], chosen: usize, folder: Option<&Path>) -> String {
    let count = |kind: &String| rows.iter().filter(|row| row.verdict == *kind).count();
    let counts: Vec<String> = claims::Verdict::ALL
        .iter()
        .map(ToString::to_string)
        .map(|kind| (count(&kind), kind))
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
        "{}{left}: {}{reports}",
        control::counted(rows.len(), "claim", "claims"),
        if counts.is_empty() {
            "no verdict".to_string()
        } else {
            counts.join(", ")
        }
    )
}

//! The program `fairyproof-check`: verifies certificates, claims' evidence and puzzle solutions by the naive
//! rules, which share no code with the rules of `fairyproof`.
//!
//! The crate `naive` computes and decides. This crate reads files and compares:
//!
//! - `certificate.rs`: certificates of `prove`.
//! - `columns.rs`: the columns of reports and of claims' evidence, and what each is compared with.
//! - `evidence.rs`: rows of reports and of claims' evidence.
//! - `document.rs`: reads TOML and JSON.
//! - this file: puzzles, and solutions that `solve` writes.
//!
//! A statement is verified only if everything that it says has been compared. Everything else is reported, with the
//! reason. A limit of this program is a reason why something is not checked, never a fault of a file.

pub mod certificate;
mod columns;
mod document;
mod evidence;

#[cfg(test)]
mod damaged_tests;
#[cfg(test)]
mod tests;

use clap::Parser;
use control::files::{read_limited, read_text};
use document::Read;
use naive::problem::{FIELDS, Solutions};
use naive::{Document, RuleSets, Unverified, unchecked};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Checks certificates (.fpp), reports and evidence (.csv), puzzles (.toml) and solutions (.json) of fairyproof by a
/// second, slow implementation of the rules
#[derive(Parser)]
#[command(
    name = "fairyproof-check",
    after_help = "Exit codes: 0 all that could be checked is true; \
    1 something is false; 2 wrong usage or a file that cannot be read (the other files are checked)."
)]
struct Arguments {
    /// Definitions and rule texts of variants (variants.ini) that the files are about; repeatable
    #[arg(long, value_name = "FILE")]
    rules: Vec<PathBuf>,
    /// Positions that one count, value or problem may take; a part of them in rule sets whose turns take long to list
    #[arg(long, value_name = "N", default_value_t = 500_000)]
    positions: u64,
    /// Name each count, value and problem that is not checked
    #[arg(long)]
    verbose: bool,
    /// Files, and folders with all their files
    #[arg(value_name = "FILE|FOLDER", required = true)]
    paths: Vec<PathBuf>,
}

/// The definitions of the known variants: data that the program reads too, as it reads FENs and evidence. The
/// code that reads and plays them here is that of the naive rules.
const KNOWN_VARIANTS: &str = include_str!("../definition/variants.ini");
/// The texts of the compiled rule sets, and the conditions.
const KNOWN_TEXTS: &str = include_str!("../definition/texts.ini");
/// Maximum size of a file of definitions, in bytes.
const MAX_RULES_BYTES: u64 = 1 << 20;
/// Maximum size of a file that is checked, in bytes.
const MAX_BYTES: u64 = 1 << 30;
/// The stack of a thread, in bytes. Long expressions and lines of play are read and followed recursively.
const STACK_BYTES: usize = 128 << 20;

/// The kind of a verified item, or the reason why it is not verified.
type Finding = Result<&'static str, Unverified>;

/// The findings about the items of a file, each item with its name.
type Findings = Vec<(String, Vec<Finding>)>;

/// The state that the checks of all files share.
struct Checks {
    rule_sets: RuleSets,
    /// The maximum number of positions of one count or search.
    positions: u64,
    /// Cache of solved problems, since a report repeats problems of the collection.
    solutions: Solutions,
}

/// Runs the program with its arguments, including the program's name, and writes the result to `out`. Returns
/// the exit code.
pub fn run(arguments: impl Iterator<Item = String>, out: &mut dyn Write) -> u8 {
    let (text, code) = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => {
            let pool = rayon::ThreadPoolBuilder::new()
                .stack_size(STACK_BYTES)
                .build();
            let answer = || answer(&arguments).map_err(|why| why.to_string());
            let answered =
                pool.map_or_else(|why| Err(why.to_string()), |pool| pool.install(answer));
            answered.unwrap_or_else(|why| (format!("error: {why}\n"), 2))
        }
        Err(usage) => (usage.to_string(), usage.exit_code() as u8),
    };
    // Ignore write errors: the reader of a pipe may close it early.
    let _ = out.write_all(text.as_bytes());
    code
}

/// Returns all rule sets: those of the rule book, the known variants, and those of files.
fn rule_sets(files: &[PathBuf]) -> Result<RuleSets, Box<dyn Error>> {
    let read = |path: &PathBuf| read_text(path, MAX_RULES_BYTES).map_err(|why| why.to_string());
    let texts = files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    Ok(RuleSets::with_definitions(
        KNOWN_VARIANTS,
        KNOWN_TEXTS,
        &texts,
    )?)
}

fn answer(arguments: &Arguments) -> Result<(String, u8), Box<dyn Error>> {
    let checks = Checks {
        rule_sets: rule_sets(&arguments.rules)?,
        positions: arguments.positions,
        solutions: Solutions::default(),
    };
    let (mut text, mut files, mut unread, mut sums) = (String::new(), 0, 0, [0; 3]);
    let walk = |path| WalkDir::new(path).follow_links(true).sort_by_file_name();
    for entry in arguments.paths.iter().flat_map(walk) {
        let (name, found) = match entry {
            Ok(entry) if entry.file_type().is_dir() => continue,
            Ok(entry) => (
                entry.path().display().to_string(),
                checks.file(entry.path()),
            ),
            Err(why) => (why.to_string(), Err("it cannot be read".into())),
        };
        match found {
            Ok(findings) => {
                text += &format!("{name}: verified: ");
                let counts = summarize(&findings, arguments.verbose, &mut text);
                sums = std::array::from_fn(|at| sums[at] + counts[at]);
                files += 1;
            }
            Err(why) => {
                text += &format!("error: {name}: {}\n", why.to_string().trim_end());
                unread += 1;
            }
        }
    }
    let [verified, unchecked, wrong] = sums;
    let sums = format!("{verified} verified, {unchecked} not checked, {wrong} wrong");
    text += &format!("{files} files: {sums}\n");
    if unread > 0 {
        text += &format!("{unread} files cannot be read\n");
        return Ok((text, 2));
    }
    Ok((text, u8::from(wrong > 0)))
}

/// Appends a summary: the verified items by kind, and all items that are wrong or were not checked. Returns
/// the numbers of findings that are verified, not checked and wrong.
fn summarize(findings: &Findings, verbose: bool, text: &mut String) -> [usize; 3] {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut unchecked, mut wrong) = (Vec::new(), Vec::new());
    for (name, findings) in findings {
        for finding in findings {
            match finding {
                Ok(kind) => *counts.entry(kind).or_default() += 1,
                Err(Unverified::Unchecked(why)) => unchecked.push(format!("{name}{why}")),
                Err(Unverified::Wrong(why)) => wrong.push(format!("  WRONG {name}{why}\n")),
            }
        }
    }
    let kinds = counts.iter().map(|(kind, count)| format!("{count} {kind}"));
    let kinds = kinds.reduce(|all, kind| format!("{all}, {kind}"));
    let kinds = kinds.as_deref().unwrap_or("nothing");
    *text += &format!("{kinds}\n{}", wrong.concat());
    let numbers = [counts.values().sum(), unchecked.len(), wrong.len()];
    if !verbose && unchecked.len() > 3 {
        let more = format!("{} more; --verbose names them", unchecked.len() - 3);
        unchecked.splice(3.., [more]);
    }
    let line = |why| format!("  not checked: {why}\n");
    text.extend(unchecked.into_iter().map(line));
    numbers
}

/// Reads a document in JSON.
///
/// # Errors
/// If the text is not JSON, or a field occurs twice.
pub fn document(json: &[u8]) -> Result<Document, serde_json::Error> {
    serde_json::from_slice(json).map(|Read(document)| document)
}

impl Checks {
    fn file(&self, path: &Path) -> Result<Findings, Box<dyn Error>> {
        let extension = path.extension().and_then(OsStr::to_str);
        if !matches!(extension, Some("fpp" | "csv" | "toml" | "json")) {
            let why = unchecked("the file: not a .fpp, .csv, .toml or .json");
            return Ok(vec![(String::new(), vec![why])]);
        }
        let bytes = read_limited(path, MAX_BYTES).map_err(|error| error.why)?;
        Ok(match extension {
            Some("fpp") => {
                let found = certificate::check(&bytes, &self.rule_sets).map(|_| "certificate");
                vec![("certificate: ".to_string(), vec![found])]
            }
            Some("csv") => evidence::check(self, path, &bytes)?,
            Some("toml") => {
                let Read(file) = toml::from_slice(&bytes)?;
                let puzzles = file.field("puzzle").ok_or("it has no [[puzzle]]")?;
                let mut findings = self.problems(puzzles)?;
                let others: Vec<&str> = file.names().filter(|name| *name != "puzzle").collect();
                if !others.is_empty() {
                    let others = unchecked(format!("the fields {}", others.join(", ")));
                    findings.push((String::new(), vec![others]));
                }
                findings
            }
            _ => self.problems(&document(&bytes)?)?,
        })
    }

    /// Checks puzzles, and solutions, which have a verdict.
    ///
    /// # Errors
    /// If one of them is not a record.
    fn problems(&self, problems: &Document) -> Result<Findings, Box<dyn Error>> {
        let problems = match problems {
            Document::List(problems) => problems,
            problem => std::slice::from_ref(problem),
        };
        let is_record = |problem: &Document| matches!(problem, Document::Record(_));
        if !problems.iter().all(is_record) {
            return Err("it is neither a record nor a list of records".into());
        }
        let listed = |name: &str| FIELDS.iter().find(|(field, _)| *field == name);
        let check = |(at, problem): (usize, &Document)| {
            let name = match problem.field("verdict") {
                None => format!("{}: ", problem.text("id")),
                Some(_) => format!("solution {}: ", at + 1),
            };
            let mut judged = (self.solutions).judge(problem, &self.rule_sets, self.positions);
            let unknown: Vec<&str> = problem
                .names()
                .filter(|name| listed(name).is_none())
                .collect();
            if !unknown.is_empty() {
                judged.push(unchecked(format!("the fields {}", unknown.join(", "))));
            }
            (name, judged)
        };
        let mut findings: Findings = problems.par_iter().enumerate().map(check).collect();
        let open = |name: &&str| listed(name).is_some_and(|(_, compared)| compared.is_none());
        let open: BTreeSet<&str> = problems
            .iter()
            .flat_map(Document::names)
            .filter(open)
            .collect();
        if !open.is_empty() {
            let open: Vec<&str> = open.into_iter().collect();
            let open = unchecked(format!("the fields {}", open.join(", ")));
            findings.push((String::new(), vec![open]));
        }
        Ok(findings)
    }
}

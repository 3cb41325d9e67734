//! Checks certificates, claims' evidence and puzzle solutions by the naive rules, which share no code with
//! those of `fairyproof`.
//!
//! - `certificate.rs`: certificates of `prove`.
//! - `evidence.rs`: rows of reports: positions, lines, counts, values.
//! - `graph.rs`: counts and values of small graphs.
//! - `problem.rs`: problems, solved by plain search.
//! - `solution.rs`: trees and lines of solutions.
//!
//! Whatever is not verified is named, with the reason.

pub mod certificate;
mod evidence;
mod graph;
pub mod problem;
pub mod solution;

#[cfg(test)]
mod tests;

use naive::{Position, RuleSets};
use problem::{Search, Stipulation};
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Why something is not verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is false.
    Wrong(String),
    /// It was not checked.
    Unchecked(String),
}

/// Returns an error that something is false.
fn wrong<T>(why: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Wrong(why.into()))
}

/// Reads a position by the naive rules.
///
/// # Errors
/// If it is wrong, or the naive rules do not have the variant.
fn position(rule_sets: &RuleSets, variant: &str, fen: &str) -> Result<Position, Fault> {
    let error = |why| match rule_sets.knows(variant) {
        true => Fault::Wrong(why),
        false => Fault::Unchecked(format!(
            "the naive rules do not have `{variant}`; --rules reads definitions"
        )),
    };
    rule_sets.read(variant, Some(fen)).map_err(error)
}

/// What is verified of a file, what is not, and what is wrong.
#[derive(Default)]
pub(crate) struct Checked {
    verified: Vec<String>,
    unchecked: Vec<String>,
    wrong: Vec<String>,
}

impl Checked {
    fn add(&mut self, name: &str, found: Result<String, Fault>) {
        match found {
            Ok(what) => self.verified.push(what),
            Err(Fault::Unchecked(why)) => self.unchecked.push(format!("{name}: {why}")),
            Err(Fault::Wrong(why)) => self.wrong.push(format!("{name}: {why}")),
        }
    }

    fn merge(&mut self, other: Checked) {
        self.verified.extend(other.verified);
        self.unchecked.extend(other.unchecked);
        self.wrong.extend(other.wrong);
    }
}

/// What the checks of all files share.
pub(crate) struct Checks {
    rule_sets: RuleSets,
    /// The largest number of positions that one count or search may take.
    positions: u64,
    /// The problems that were solved: a report names those of the collection again.
    solved: Mutex<HashMap<[String; 3], Solved>>,
}

/// A file of puzzles.
#[derive(Deserialize)]
struct Puzzles {
    puzzle: Vec<Puzzle>,
}

#[derive(Deserialize)]
struct Puzzle {
    id: String,
    variant: String,
    fen: String,
    stipulation: String,
    keys: Option<Keys>,
    solutions: Option<usize>,
}

/// The first turns of all solutions; the word `none` if there are none.
#[derive(Deserialize)]
#[serde(untagged)]
enum Keys {
    Turns(Vec<String>),
    Word(String),
}

/// The first turns of all solutions, and how many solutions there are.
type Solved = Result<(Vec<String>, usize), Fault>;

/// Rule sets whose turns take the naive rules longer to list than those of others, with the factor.
const SLOW: [(&str, u64); 4] = [
    ("french-revolution", 40),
    ("series-helpmate", 20),
    ("blunder-mate", 20),
    ("linkage", 10),
];

const HELP: &str = "\
Checks certificates (.fpp), reports and evidence (.csv), puzzles (.toml) and solutions (.json) of fairyproof by a
second, slow implementation of the rules

Usage: fairyproof-check [OPTIONS] FILE|FOLDER...

  --rules FILE     Definitions of variants (variants.ini) that the files are about
  --positions N    Positions that one count, value or problem may take [default: 500000]; a part of them in rule
                   sets whose turns take long to list
  --verbose        Name each count, value and problem that is not checked
  --help           Print this text

Exit codes: 0 all that could be checked is true; 1 something is false; 2 wrong usage or a file that cannot be read.
";

/// Runs the program with its arguments and writes the result to `out`. Returns the exit code.
pub fn run(arguments: &[String], out: &mut (dyn Write + Send)) -> u8 {
    let (text, code) = match answer(arguments) {
        Ok(answer) => answer,
        Err(why) => (format!("error: {why}\n"), 2),
    };
    // A reader that has seen enough closes the pipe.
    let _ = out.write_all(text.as_bytes());
    code
}

fn answer(arguments: &[String]) -> Result<(String, u8), String> {
    let (mut paths, mut verbose) = (Vec::new(), false);
    let mut checks = Checks {
        rule_sets: RuleSets::default(),
        positions: 500_000,
        solved: Mutex::default(),
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--help" | "-h" => return Ok((HELP.to_string(), 0)),
            "--verbose" => verbose = true,
            "--positions" => {
                let value = value()?;
                checks.positions = value
                    .parse()
                    .map_err(|_| format!("`{value}` is not a number of positions"))?;
            }
            "--rules" => {
                let bytes = read(Path::new(value()?))?;
                checks.rule_sets = RuleSets::with_definitions(&String::from_utf8_lossy(&bytes))?;
            }
            option if option.starts_with('-') => {
                return Err(format!("there is no option {option}; see --help"));
            }
            path => paths.extend(files(Path::new(path))?),
        }
    }
    if paths.is_empty() {
        return Err("name a file or a folder; see --help".to_string());
    }
    let mut text = String::new();
    let (mut verified, mut unchecked, mut wrong) = (0, 0, 0);
    for path in &paths {
        let checked = checks.file(path)?;
        verified += checked.verified.len();
        unchecked += checked.unchecked.len();
        wrong += checked.wrong.len();
        text += &summary(&path.display().to_string(), &checked, verbose);
    }
    text += &format!(
        "{} files: {verified} verified, {unchecked} not checked, {wrong} wrong\n",
        paths.len()
    );
    Ok((text, u8::from(wrong > 0)))
}

/// Returns the lines about one file: what was verified, by kind, then all that is wrong or was not checked.
fn summary(name: &str, checked: &Checked, verbose: bool) -> String {
    let kinds: BTreeSet<&String> = checked.verified.iter().collect();
    let count = |kind: &String| {
        checked
            .verified
            .iter()
            .filter(|other| *other == kind)
            .count()
    };
    let kinds: Vec<String> = kinds
        .into_iter()
        .map(|kind| format!("{} {kind}", count(kind)))
        .collect();
    let verified = if kinds.is_empty() {
        "nothing".to_string()
    } else {
        kinds.join(", ")
    };
    let mut text = format!("{name}: verified: {verified}\n");
    checked
        .wrong
        .iter()
        .for_each(|why| text += &format!("  WRONG {why}\n"));
    let named = if verbose { checked.unchecked.len() } else { 3 };
    checked
        .unchecked
        .iter()
        .take(named)
        .for_each(|why| text += &format!("  not checked: {why}\n"));
    if let more @ 1.. = checked.unchecked.len().saturating_sub(named) {
        text += &format!("  not checked: {more} more; --verbose names them\n");
    }
    text
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|why| format!("{}: {why}", path.display()))
}

/// Returns the files that a path names, those of a folder by name.
fn files(path: &Path) -> Result<Vec<PathBuf>, String> {
    let metadata = path
        .metadata()
        .map_err(|why| format!("{}: {why}", path.display()))?;
    if !metadata.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let entries = path
        .read_dir()
        .map_err(|why| format!("{}: {why}", path.display()))?;
    let mut inner: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    inner.sort();
    let inner: Result<Vec<_>, _> = inner.iter().map(|path| files(path)).collect();
    Ok(inner?.concat())
}

impl Checks {
    /// Returns the positions that one count or search may take: fewer where each takes longer.
    pub(crate) fn limit(&self, variant: &str) -> u64 {
        let slow = SLOW
            .iter()
            .find(|(id, _)| variant.split(':').next() == Some(*id));
        self.positions / slow.map_or(1, |(_, times)| *times)
    }

    fn file(&self, path: &Path) -> Result<Checked, String> {
        let bytes = read(path)?;
        let unreadable = |why: String| format!("{}: {why}", path.display());
        let mut checked = Checked::default();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("fpp") => checked.add(
                "certificate",
                self.certificate(&bytes).map(|_| "certificate".to_string()),
            ),
            Some("csv") => checked = evidence::check(self, path, &bytes).map_err(unreadable)?,
            Some("toml") => {
                let text = String::from_utf8(bytes).map_err(|why| unreadable(why.to_string()))?;
                checked = self.puzzles(&text).map_err(unreadable)?;
            }
            Some("json") => {
                let document =
                    serde_json::from_slice(&bytes).map_err(|why| unreadable(why.to_string()))?;
                let documents = match document {
                    Value::Array(documents) => documents,
                    document => vec![document],
                };
                for (at, document) in documents.iter().enumerate() {
                    self.solution(&format!("solution {}", at + 1), document, &mut checked);
                }
            }
            _ => checked
                .unchecked
                .push("the file: not a .fpp, .csv, .toml or .json".to_string()),
        }
        Ok(checked)
    }

    /// Checks a certificate on a thread with a stack for its longest lines.
    fn certificate(&self, bytes: &[u8]) -> Result<certificate::Header, Fault> {
        let stack = std::thread::Builder::new().stack_size(256 << 20);
        std::thread::scope(|scope| {
            let thread = stack.spawn_scoped(scope, || certificate::check(bytes, &self.rule_sets));
            let thread = thread.map_err(|why| Fault::Unchecked(why.to_string()))?;
            thread
                .join()
                .unwrap_or_else(|_| Err(Fault::Unchecked("it cannot be checked".to_string())))
        })
    }

    /// Solves a problem and compares the keys and the number of solutions, if they are given.
    fn problem(
        &self,
        [variant, fen, stipulation]: [&str; 3],
        keys: Option<Vec<String>>,
        solutions: Option<usize>,
    ) -> Result<String, Fault> {
        let asked = Stipulation::read(stipulation)?;
        let position = position(&self.rule_sets, variant, fen)?;
        let known = || self.solved.lock().unwrap_or_else(PoisonError::into_inner);
        let problem = [variant, fen, stipulation].map(str::to_string);
        let solved = known().get(&problem).cloned();
        let solved = solved.unwrap_or_else(|| {
            let solved = Search::new(&self.rule_sets, asked, self.limit(variant)).solve(&position);
            known().insert(problem, solved.clone());
            solved
        });
        let (found, count) = solved?;
        if keys.is_some_and(|keys| keys != found) {
            return Err(Fault::Wrong(format!(
                "the first turns of the solutions are `{}`",
                found.join(" ")
            )));
        }
        match solutions.is_some_and(|solutions| solutions != count) {
            true => Err(Fault::Wrong(format!("there are {count} solutions"))),
            false => Ok("solved problem".to_string()),
        }
    }

    fn puzzles(&self, text: &str) -> Result<Checked, String> {
        let file: Puzzles = toml::from_str(text).map_err(|why| why.to_string())?;
        let solve = |puzzle: &Puzzle| {
            let asked = [&puzzle.variant, &puzzle.fen, &puzzle.stipulation];
            let asked = asked.map(String::as_str);
            let keys = puzzle.keys.as_ref().map(|keys| match keys {
                Keys::Turns(turns) => turns.clone(),
                Keys::Word(word) if word == "none" => Vec::new(),
                Keys::Word(word) => vec![word.clone()],
            });
            (
                puzzle.id.clone(),
                self.problem(asked, keys, puzzle.solutions),
            )
        };
        let found: Vec<_> = file.puzzle.par_iter().map(solve).collect();
        let mut checked = Checked::default();
        found
            .into_iter()
            .for_each(|(id, found)| checked.add(&id, found));
        Ok(checked)
    }

    fn solution(&self, name: &str, document: &Value, checked: &mut Checked) {
        let (position, asked, keys, solutions) = match solution::judge(document, &self.rule_sets) {
            Ok(judged) => judged,
            Err(fault) => return checked.add(name, Err(fault)),
        };
        checked.add(name, Ok("solution whose play is right".to_string()));
        let limit = self.limit(document["variant"].as_str().unwrap_or_default());
        let all = Search::new(&self.rule_sets, asked, limit)
            .solve(&position)
            .and_then(|found| match found == (keys, solutions) {
                true => Ok("complete list of keys".to_string()),
                false => Err(Fault::Wrong(format!(
                    "the first turns of the solutions are `{}`",
                    found.0.join(" ")
                ))),
            });
        checked.add(&format!("{name}, whether its keys are all"), all);
    }
}

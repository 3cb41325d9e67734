//! The program `fairyproof-check`: verifies certificates, claims' evidence and puzzle solutions by the naive rules,
//! which share no code with those of `fairyproof`.
//!
//! The crate `naive` computes and judges; what is here reads files and compares:
//!
//! - `certificate.rs`: certificates of `prove`.
//! - `evidence.rs`: rows of reports and of claims' evidence.
//! - `solution.rs`: solutions that `solve` writes.
//!
//! Whatever is not verified is named, with the reason.

pub mod certificate;
mod evidence;
pub mod solution;

#[cfg(test)]
mod tests;

use clap::Parser;
use naive::problem::{Search, Solved, Stipulation};
use naive::{RuleSets, Unverified, ensure};
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Checks certificates (.fpp), reports and evidence (.csv), puzzles (.toml) and solutions (.json) of fairyproof by a
/// second, slow implementation of the rules
#[derive(Parser)]
#[command(
    name = "fairyproof-check",
    after_help = "Exit codes: 0 all that could be checked is true; \
    1 something is false; 2 wrong usage or a file that cannot be read."
)]
struct Arguments {
    /// Definitions of variants (variants.ini) that the files are about
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
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

/// What is verified of a file, by kind; what is not, and what is wrong.
#[derive(Default)]
struct Checked {
    verified: BTreeMap<&'static str, usize>,
    unchecked: Vec<String>,
    wrong: Vec<String>,
}

impl Checked {
    fn add(&mut self, name: &str, found: Result<&'static str, Unverified>) {
        match found {
            Ok(kind) => *self.verified.entry(kind).or_default() += 1,
            Err(Unverified::Unchecked(why)) => self.unchecked.push(format!("{name}: {why}")),
            Err(Unverified::Wrong(why)) => self.wrong.push(format!("{name}: {why}")),
        }
    }

    fn merge(&mut self, other: Checked) {
        for (kind, count) in other.verified {
            *self.verified.entry(kind).or_default() += count;
        }
        self.unchecked.extend(other.unchecked);
        self.wrong.extend(other.wrong);
    }

    /// Returns the lines about a file: what was verified, then all that is wrong or was not checked.
    fn summary(&self, name: &str, verbose: bool) -> String {
        let mut verified = Vec::new();
        for (kind, count) in &self.verified {
            verified.push(format!("{count} {kind}"));
        }
        if verified.is_empty() {
            verified.push("nothing".to_string());
        }
        let mut text = format!("{name}: verified: {}\n", verified.join(", "));
        for why in &self.wrong {
            text += &format!("  WRONG {why}\n");
        }
        let named = if verbose { usize::MAX } else { 3 };
        for why in self.unchecked.iter().take(named) {
            text += &format!("  not checked: {why}\n");
        }
        if let more @ 1.. = self.unchecked.len().saturating_sub(named) {
            text += &format!("  not checked: {more} more; --verbose names them\n");
        }
        text
    }
}

/// What the checks of all files share.
struct Checks {
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
    solutions: Option<u64>,
}

/// The first turns of all solutions; the word `none` if there are none.
#[derive(Deserialize)]
#[serde(untagged)]
enum Keys {
    Turns(Vec<String>),
    Word(String),
}

/// Runs the program with its arguments and writes the result to `out`. Returns the exit code.
pub fn run(arguments: &[String], out: &mut (dyn Write + Send)) -> u8 {
    let program = "fairyproof-check".to_string();
    let (text, code) = match Arguments::try_parse_from([&program].into_iter().chain(arguments)) {
        Ok(arguments) => answer(&arguments).unwrap_or_else(|why| (format!("error: {why}\n"), 2)),
        Err(usage) => (usage.to_string(), usage.exit_code() as u8),
    };
    // A reader that has seen enough closes the pipe.
    let _ = out.write_all(text.as_bytes());
    code
}

fn answer(arguments: &Arguments) -> Result<(String, u8), Box<dyn Error>> {
    let rule_sets = match &arguments.rules {
        Some(path) => RuleSets::with_definitions(&in_file(path, std::fs::read_to_string(path))?)?,
        None => RuleSets::default(),
    };
    let checks = Checks {
        rule_sets,
        positions: arguments.positions,
        solved: Mutex::default(),
    };
    let mut paths = Vec::new();
    for path in &arguments.paths {
        in_file(path, add_files(path, &mut paths))?;
    }
    let (mut text, mut all) = (String::new(), Checked::default());
    for path in &paths {
        let checked = in_file(path, checks.file(path))?;
        text += &checked.summary(&path.display().to_string(), arguments.verbose);
        all.merge(checked);
    }
    let verified: usize = all.verified.values().sum();
    let (unchecked, wrong) = (all.unchecked.len(), all.wrong.len());
    text += &format!(
        "{} files: {verified} verified, {unchecked} not checked, {wrong} wrong\n",
        paths.len()
    );
    Ok((text, u8::from(wrong > 0)))
}

/// Puts the path before the reason of an error.
fn in_file<T, E: std::fmt::Display>(path: &Path, found: Result<T, E>) -> Result<T, String> {
    found.map_err(|why| format!("{}: {why}", path.display()))
}

/// Adds the files that a path names, those of a folder by name.
fn add_files(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.metadata()?.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    let inner = path.read_dir()?.map(|entry| Ok(entry?.path()));
    let mut inner: Vec<PathBuf> = inner.collect::<std::io::Result<_>>()?;
    inner.sort();
    inner.iter().try_for_each(|path| add_files(path, files))
}

impl Checks {
    /// Returns the positions that one count or search may take: fewer where each takes longer.
    fn limit(&self, variant: &str) -> u64 {
        self.positions / self.rule_sets.slowness(variant)
    }

    fn file(&self, path: &Path) -> Result<Checked, Box<dyn Error>> {
        let bytes = std::fs::read(path)?;
        let mut checked = Checked::default();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("fpp") => {
                let found = certificate::check(&bytes, &self.rule_sets);
                checked.add("certificate", found.map(|_| "certificate"));
            }
            Some("csv") => checked = evidence::check(self, path, &bytes)?,
            Some("toml") => {
                let puzzles: Puzzles = toml::from_slice(&bytes)?;
                let solve = |puzzle: &Puzzle| self.puzzle(puzzle);
                let found: Vec<_> = puzzles.puzzle.par_iter().map(solve).collect();
                for (puzzle, found) in puzzles.puzzle.iter().zip(found) {
                    checked.add(&puzzle.id, found);
                }
            }
            Some("json") => {
                let solutions = match serde_json::from_slice(&bytes)? {
                    Value::Array(solutions) => solutions,
                    solution => vec![solution],
                };
                for (at, solution) in solutions.iter().enumerate() {
                    self.solution(&format!("solution {}", at + 1), solution, &mut checked);
                }
            }
            _ => checked
                .unchecked
                .push("the file: not a .fpp, .csv, .toml or .json".to_string()),
        }
        Ok(checked)
    }

    /// Solves a problem and compares the keys and the number of solutions, if they are given.
    fn problem(
        &self,
        problem: [&str; 3],
        keys: Option<Vec<String>>,
        solutions: Option<u64>,
    ) -> Result<(), Unverified> {
        let [variant, fen, stipulation] = problem;
        let asked = Stipulation::read(stipulation)?;
        let position = self.rule_sets.position(variant, fen)?;
        let known = || self.solved.lock().unwrap_or_else(PoisonError::into_inner);
        let problem = problem.map(str::to_string);
        let solved = known().get(&problem).cloned();
        let solved = solved.unwrap_or_else(|| {
            let solved = Search::new(&self.rule_sets, asked, self.limit(variant)).solve(&position);
            known().insert(problem, solved.clone());
            solved
        });
        let (found, count) = solved?;
        ensure(keys.is_none_or(|keys| keys == found), || {
            format!("the first turns of the solutions are `{}`", found.join(" "))
        })?;
        ensure(solutions.is_none_or(|given| given == count as u64), || {
            format!("there are {count} solutions")
        })
    }

    fn puzzle(&self, puzzle: &Puzzle) -> Result<&'static str, Unverified> {
        let keys = puzzle.keys.as_ref().map(|keys| match keys {
            Keys::Turns(turns) => turns.clone(),
            Keys::Word(word) if word == "none" => Vec::new(),
            Keys::Word(word) => vec![word.clone()],
        });
        let problem = [&*puzzle.variant, &puzzle.fen, &puzzle.stipulation];
        self.problem(problem, keys, puzzle.solutions)?;
        Ok("solved problem")
    }

    fn solution(&self, name: &str, document: &Value, checked: &mut Checked) {
        match solution::judge(document, &self.rule_sets) {
            Err(fault) => checked.add(name, Err(fault)),
            Ok((problem, said)) => {
                checked.add(name, Ok("solution whose play is right"));
                let problem = problem.each_ref().map(String::as_str);
                let all = self.problem(problem, Some(said.first_turns), Some(said.solutions));
                checked.add(name, all.map(|()| "complete list of keys"));
            }
        }
    }
}

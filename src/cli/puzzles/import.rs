//! `puzzles import`: converts problems in the formats of other programs to a puzzle file.

use super::{Bounds, MAX_FILE_BYTES, stopped};
use crate::answer::{Answer, Failure, Verdict, counted, say, say_error};
use catalog::Catalog;
use control::Stopped;
use control::files::read_limited;
use diagnostics::{Diagnostic, Place, Severity};
use puzzle::import::{self, Imported};
use puzzle::{self, Posed, Puzzle, solve};
use rules::Variant;
use std::io::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Import {
    /// EPD, Popeye input, or puzzle CSV with the columns FEN and Moves
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Variant with its options
    #[arg(long, value_name = "ID", default_value = "fide")]
    variant: String,
    /// Stipulation of EPD lines without `dm`, such as `#2`
    #[arg(long, value_name = "STIPULATION")]
    stipulation: Option<String>,
    #[command(flatten)]
    bounds: Bounds,
}

impl Import {
    /// Writes the problems as puzzles. If the file has no keys for a problem, it is solved to find them.
    pub(super) fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let variant = catalog.open(&self.variant)?;
        let name = format!("file `{}`", self.file.display());
        let text = import::decode(&read_limited(&self.file, MAX_FILE_BYTES)?);
        let file_name = self.file.file_name().unwrap_or_default().to_string_lossy();
        let stipulation = self.stipulation.as_deref();
        let list = import::read(catalog, &variant, &file_name, &text, stipulation)?;
        let stem = self
            .file
            .file_stem()
            .map_or(String::new(), |s| s.to_string_lossy().into());
        let mut verdict = Verdict::Done;
        let mut written: Vec<Puzzle> = Vec::new();
        for (line, problem) in list {
            match problem.and_then(|problem| self.puzzle(catalog, &variant, problem, &stem, line)) {
                Ok((puzzle, _)) if written.iter().any(|other| other.id == puzzle.id) => {
                    let why = format!("another problem has the id `{}`", puzzle.id);
                    say_error(&Diagnostic::new(&name, why).at(format!("line {line}")));
                    verdict = verdict.max(Verdict::BadInput);
                }
                Ok((puzzle, stop)) => {
                    verdict = stopped(verdict, stop);
                    if verdict == Verdict::Interrupted {
                        break;
                    }
                    if let Some(stop) = stop {
                        let id = &puzzle.id;
                        say(&format!(
                            "line {line}: `{id}` is written without keys: {stop}"
                        ));
                    }
                    written.push(puzzle);
                }
                Err(error) => {
                    let place = match &error.place {
                        Some(Place::Words(place)) if place.starts_with("line ") => place.clone(),
                        Some(place) => format!("problem at line {line}, {place}"),
                        None => format!("problem at line {line}"),
                    };
                    let error = error.at(place);
                    if error.severity == Severity::Note {
                        say(&format!("note: {error}"));
                        continue;
                    }
                    say_error(&error);
                    verdict = verdict.max(Verdict::BadInput);
                }
            }
        }
        if !written.is_empty() {
            let head = format!("Imported from {file_name}.");
            out.write_all(puzzle::file(&[&head], &written).as_bytes())?;
        }
        out.flush().map_err(Failure::from)?;
        say(&counted(written.len(), "puzzle", "puzzles"));
        Ok(verdict)
    }

    /// Returns the puzzle, and the reason why the search for its keys was stopped, if it was. The puzzle then
    /// has neither keys nor a number of solutions.
    fn puzzle(
        &self,
        catalog: &Catalog,
        variant: &Variant,
        problem: Imported,
        stem: &str,
        line: usize,
    ) -> Result<(Puzzle, Option<Stopped>), Diagnostic> {
        let own = problem.variant.as_deref().map(|id| catalog.open(id));
        let own = own.transpose()?;
        let variant = own.as_ref().unwrap_or(variant);
        let posed = Posed::new(variant, Some(&problem.fen), &problem.stipulation)?;
        let mut comments = Vec::new();
        let is_plain = |id: &String| id.chars().all(|c| c.is_ascii_graphic() && c != ',');
        let id = match problem.id {
            Some(id) if is_plain(&id) => id,
            unusable => {
                comments.extend(unusable);
                let name = format!("{stem}-{}", problem.label);
                name.chars()
                    .filter(|c| c.is_ascii_graphic() && *c != ',')
                    .collect()
            }
        };
        comments.push(problem.comment);
        let (keys, solutions, stop) = match problem.keys {
            Some(keys) => (Some(keys), None, None),
            None => {
                let control = self.bounds.control(self.bounds.work.threads.count(), 1);
                let answer = solve::solve(&posed, &control);
                match answer.stopped {
                    Some(stop) => {
                        comments.push(format!("not solved: {stop}"));
                        (None, None, Some(stop))
                    }
                    None => {
                        if let Some(key) = problem.key.filter(|key| !answer.keys.contains(key)) {
                            let why = format!(
                                "its first turn `{key}` does not solve `{}`; these do: {}",
                                posed.stipulation,
                                answer.keys.join(" ")
                            );
                            return Err(Diagnostic::new(format!("`{id}`"), why));
                        }
                        if let Some(key) =
                            answer.keys.iter().find(|key| problem.avoided.contains(key))
                        {
                            let why = format!(
                                "`am` excludes `{key}`, which solves `{}`",
                                posed.stipulation
                            );
                            return Err(Diagnostic::new(format!("`{id}`"), why));
                        }
                        comments.push("keys found by solving".to_string());
                        (Some(answer.keys), Some(answer.solutions), None)
                    }
                }
            }
        };
        for aside in problem.asides {
            say(&format!(
                "line {line}: `{id}`: the puzzle does not hold {aside}"
            ));
            comments.push(aside);
        }
        comments.retain(|comment| !comment.is_empty());
        let puzzle = Puzzle {
            id,
            variant: variant.to_string(),
            fen: problem.fen,
            stipulation: posed.stipulation.to_string(),
            keys,
            solutions,
            source: problem.source,
            comment: comments.join("; "),
        };
        Ok((puzzle, stop))
    }
}

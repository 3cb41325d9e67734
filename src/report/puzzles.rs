//! The report on a collection of puzzles, with one row for each puzzle.

use super::write_whole;
use problems::text::Verdict;
use puzzle::Puzzle;
use puzzle::solve::{Answer, Result};
use serde::Serialize;
use std::io;
use std::path::Path;
use struct_field_names_as_array::FieldNamesAsSlice;

/// A puzzle with its expected and actual solution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, FieldNamesAsSlice)]
pub struct PuzzleRow {
    /// The file name without folder and extension.
    pub collection: String,
    /// The id of the puzzle in the collection.
    pub id: String,
    /// The variant with its options.
    pub variant: String,
    /// The position.
    pub fen: String,
    /// The stipulation.
    pub stipulation: String,
    /// The expected number of solutions; `None` if any number will do.
    pub expected_solutions: Option<usize>,
    /// The expected keys, separated by blanks.
    pub expected_keys: String,
    /// The number of solutions found. A solution is a key or, in help and series play, a whole line.
    pub solutions: usize,
    /// The keys found, separated by blanks.
    pub keys: String,
    /// `sound`, `cooked`, `short-solution`, `no-solution` or `undecided`.
    pub verdict: &'static str,
    /// `solved`, `differs` or `undecided`.
    pub result: &'static str,
}

impl PuzzleRow {
    /// Returns the row of a puzzle in a collection.
    pub fn new(collection: &str, puzzle: &Puzzle, answer: &Answer, result: Result) -> PuzzleRow {
        PuzzleRow {
            collection: collection.to_string(),
            id: puzzle.id.clone(),
            variant: puzzle.variant.clone(),
            fen: puzzle.fen.clone(),
            stipulation: puzzle.stipulation.clone(),
            expected_solutions: puzzle.solutions,
            expected_keys: puzzle
                .keys
                .as_ref()
                .map_or(String::new(), |keys| keys.join(" ")),
            solutions: answer.solutions,
            keys: answer.keys.join(" "),
            verdict: match answer.verdict {
                // This column shows only whether the solution is unique. A helpmate may be intended to have
                // several; `expected_solutions` shows how many.
                Verdict::Several => Verdict::Cooked.word(),
                verdict => verdict.word(),
            },
            result: result.word(),
        }
    }
}

/// A short row without the position, for the terminal.
#[derive(Serialize, FieldNamesAsSlice)]
struct Short<'a> {
    collection: &'a str,
    id: &'a str,
    variant: &'a str,
    stipulation: &'a str,
    solutions: usize,
    result: &'a str,
    keys: String,
}

/// Writes the rows as aligned text. For a puzzle whose result differs, the expected solution is included.
///
/// # Errors
/// If `out` cannot be written to.
pub fn text(rows: &[PuzzleRow], out: &mut dyn io::Write) -> io::Result<()> {
    let short: Vec<Short<'_>> = rows
        .iter()
        .map(|row| Short {
            collection: &row.collection,
            id: &row.id,
            variant: &row.variant,
            stipulation: &row.stipulation,
            solutions: row.solutions,
            result: row.result,
            keys: match (row.result, row.expected_solutions) {
                ("differs", Some(n)) => {
                    format!("{} (expected {n}: {})", row.keys, row.expected_keys)
                }
                ("differs", None) => format!("{} (expected {})", row.keys, row.expected_keys),
                _ => row.keys.clone(),
            },
        })
        .collect();
    super::table::text(&short, out)
}

/// Writes `puzzles.csv` to a folder.
///
/// # Errors
/// If the file cannot be written.
pub fn write(folder: &Path, rows: &[PuzzleRow]) -> io::Result<()> {
    write_whole(&folder.join("puzzles.csv"), |out| {
        super::table::csv(rows, out)
    })
}

//! The collection of puzzles: a row each.

use super::write_whole;
use problems::text::Verdict;
use puzzle::Puzzle;
use puzzle::solve::{Answer, Result};
use serde::Serialize;
use std::io;
use std::path::Path;
use struct_field_names_as_array::FieldNamesAsSlice;

/// A puzzle, what is expected of it, and what was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, FieldNamesAsSlice)]
pub struct PuzzleRow {
    /// The file without folder and ending.
    pub collection: String,
    /// The puzzle in it.
    pub id: String,
    /// The variant with its options.
    pub variant: String,
    /// The position.
    pub fen: String,
    /// The stipulation.
    pub stipulation: String,
    /// The number of solutions expected; nothing if any will do.
    pub expected_solutions: Option<usize>,
    /// The keys expected, joined by blanks.
    pub expected_keys: String,
    /// The number of solutions found: keys, or whole lines.
    pub solutions: usize,
    /// The keys found, joined by blanks.
    pub keys: String,
    /// `sound`, `cooked`, `short-solution`, `no-solution` or `undecided`.
    pub verdict: &'static str,
    /// `solved`, `differs` or `undecided`.
    pub result: &'static str,
}

impl PuzzleRow {
    /// Returns the row of a puzzle of a collection.
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
                // The column says whether there is one solution; that several of a helpmate may be
                // meant, `expected_solutions` says.
                Verdict::Several => Verdict::Cooked.word(),
                verdict => verdict.word(),
            },
            result: result.word(),
        }
    }
}

/// A row for people: short, without the position.
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

/// Returns the rows as aligned text; of a puzzle that differs also what was expected.
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

/// Writes `puzzles.csv` in a folder.
///
/// # Errors
/// If the file cannot be written.
pub fn write(folder: &Path, rows: &[PuzzleRow]) -> io::Result<()> {
    write_whole(&folder.join("puzzles.csv"), |out| {
        super::table::csv(rows, out)
    })
}

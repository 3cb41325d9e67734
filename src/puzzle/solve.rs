//! Solves puzzles and compares the answers with the expected ones.

use super::{Posed, Puzzle};
use control::{Control, Stopped};
use diagnostics::Diagnostic;
use notation::with_setup;
use problems::text::{self, Verdict};
use problems::tree::Want;
use problems::{Deadline, Limits, Problem};

/// The answer to a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The number of keys, or of whole lines in help and series play.
    pub solutions: usize,
    /// The first turns of all solutions, in byte order and without duplicates.
    pub keys: Vec<String>,
    /// The verdict on the problem: sound, cooked, ...
    pub verdict: Verdict,
    /// The limit that stopped the search; `None` if it is complete.
    pub stopped: Option<Stopped>,
}

/// The comparison of an answer with the expected one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Result {
    /// The answer is as expected.
    Solved,
    /// The search was stopped.
    Undecided,
    /// The keys or the number of solutions differ.
    Differs,
    /// The puzzle was solved, but has no expected answer.
    Unchecked,
}

impl Result {
    /// Returns the result as a word for tables.
    pub fn word(self) -> &'static str {
        match self {
            Result::Solved => "solved",
            Result::Undecided => "undecided",
            Result::Differs => "differs",
            Result::Unchecked => "unchecked",
        }
    }
}

/// Solves a position with its stipulation, unless `control` stops the search.
pub fn solve(posed: &Posed, control: &Control<'_>) -> Answer {
    solve_within(posed, &Limits::default(), control)
}

/// Like [`solve`], but with additional limits.
pub fn solve_within(posed: &Posed, limits: &Limits, control: &Control<'_>) -> Answer {
    with_setup!(&posed.setup, start => {
        let problem = Problem::new(start.clone(), posed.stipulation.clone());
        let solution = problem.solve(limits, control);
        Answer {
            solutions: solution.count(),
            keys: problem.first_turns(&solution),
            verdict: text::verdict(&problem, &solution),
            stopped: solution.stopped,
        }
    })
}

/// Compares an answer with the expected one. An answer whose search was stopped is undecided.
pub fn compare(puzzle: &Puzzle, answer: &Answer) -> Result {
    if answer.stopped.is_some() {
        Result::Undecided
    } else {
        match &puzzle.keys {
            None => Result::Unchecked,
            Some(keys)
                if answer.keys == *keys
                    && puzzle.solutions.is_none_or(|n| n == answer.solutions) =>
            {
                Result::Solved
            }
            Some(_) => Result::Differs,
        }
    }
}

/// Returns the whole solution as text, in the layout of problem magazines, with the reason if it is
/// incomplete.
///
/// # Errors
/// If a turn of the solution is not legal, which would be an error of the search.
pub fn text(
    posed: &Posed,
    control: &Control<'_>,
) -> std::result::Result<(String, Option<Stopped>), Diagnostic> {
    with_setup!(&posed.setup, start => {
        let problem = Problem::new(start.clone(), posed.stipulation.clone());
        let want = Want { tree: true, ..Want::default() };
        let solution = problem.solve_with(&Limits::default(), want, control);
        let deadline = Deadline::new(control);
        let text = text::print(&problem, &solution, &deadline)?;
        Ok((text, solution.stopped.or(deadline.ended())))
    })
}

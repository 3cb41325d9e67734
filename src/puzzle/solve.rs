//! Solving puzzles and comparing with what is expected of them.

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
    /// Keys, or whole lines.
    pub solutions: usize,
    /// The first turns of all solutions, in byte order, each once.
    pub keys: Vec<String>,
    /// Sound, cooked, ...
    pub verdict: Verdict,
    /// What stopped the search; nothing if it is complete.
    pub stopped: Option<Stopped>,
}

/// How the answer compares with what is expected.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Result {
    /// As expected.
    Solved,
    /// The search was stopped.
    Undecided,
    /// Other keys, or another number of solutions.
    Differs,
    /// Solved, with nothing to compare.
    Unchecked,
}

impl Result {
    /// Returns as a word for tables.
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

/// Like [`solve`], within further limits.
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

/// Compares an answer with what is expected. An answer that was stopped is undecided.
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

/// Returns the whole solution as text, in the layout of problem magazines, and whether it is complete.
///
/// # Errors
/// If a turn of the solution turned out not to be legal, which would be a mistake of the search.
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

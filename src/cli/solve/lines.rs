//! Lists the lines of a solution. Each line is replayed before it is shown.

use diagnostics::Diagnostic;
use problems::check::{self, LineText};
use problems::{Deadline, Problem, Solution};
use puzzle::Layout;

/// The reason why not all lines were listed.
pub(super) enum Unlisted<E> {
    Enough,
    Output(E),
    Wrong(Diagnostic),
}

/// Passes the lines in coordinate notation to `list` until the deadline expires. Each line is replayed first.
pub(super) fn each_line<W: Layout, E>(
    problem: &Problem<W>,
    solution: &Solution,
    deadline: &Deadline<'_>,
    mut list: impl FnMut(LineText<'_>) -> Result<(), E>,
) -> Result<(), Unlisted<E>> {
    if solution.lines.is_empty() {
        return Ok(());
    }
    let (judge, start) = (problem.judge(), &problem.start.position);
    let mut checker =
        check::Checker::new(&judge, &problem.stipulation, start).map_err(Unlisted::Wrong)?;
    solution.lines.each(problem, |line, _| {
        if deadline.is_over() {
            return Err(Unlisted::Enough);
        }
        let line = LineText::of(line);
        checker.line(&line).map_err(Unlisted::Wrong)?;
        list(line).map_err(Unlisted::Output)
    })
}

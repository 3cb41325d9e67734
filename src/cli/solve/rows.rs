//! The answer of `solve` as rows of CSV.

use super::lines::{Unlisted, each_line};
use crate::answer::Failure;
use notation::fen;
use problems::tree::{Move, Reply};
use problems::{Deadline, Problem, Solution};
use puzzle::Layout;
use std::io::Write;

/// Writes one row for each end of the play, until the deadline expires: the position, the kind of line, its
/// first turn, its turns, and how it ends. A header precedes the rows if `first` is set.
pub(super) fn write<W: Layout>(
    problem: &Problem<W>,
    solution: &Solution,
    deadline: &Deadline<'_>,
    first: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut writer = csv::Writer::from_writer(out);
    if first {
        writer
            .write_record(["fen", "kind", "turn", "line", "end"])
            .map_err(std::io::Error::from)?;
    }
    let fen = fen::print(problem.start.game.as_ref(), &problem.start.position);
    let mut row = |kind: &str, turns: &[&str], end: &str| {
        let turn = turns.first().unwrap_or(&"");
        writer
            .write_record([&fen, kind, turn, &turns.join(" "), end])
            .map_err(std::io::Error::from)
    };
    let tree = &solution.tree;
    let all = solution.unparried;
    let mut path = Vec::new();
    for key in &tree.keys {
        moves(key, &mut path, all, deadline, &mut |turns, end| {
            row("key", turns, end)
        })?;
    }
    for attempt in &tree.tries {
        for refutation in &attempt.refutations {
            row("try", &[&attempt.turn, refutation], "refuted")?;
        }
    }
    replies(
        &tree.set_play,
        &mut path,
        all,
        deadline,
        &mut |turns, end| row("set-play", turns, end),
    )?;
    match each_line(problem, solution, deadline, |line| {
        row("line", &line.turns, "goal")
    }) {
        Ok(()) | Err(Unlisted::Enough) => Ok(writer.flush()?),
        Err(Unlisted::Output(error)) => Err(error.into()),
        Err(Unlisted::Wrong(error)) => Err(error.into()),
    }
}

type RowWriter<'r> = dyn FnMut(&[&str], &str) -> std::io::Result<()> + 'r;

fn moves<'t>(
    node: &'t Move,
    path: &mut Vec<&'t str>,
    all: bool,
    deadline: &Deadline<'_>,
    row: &mut RowWriter<'_>,
) -> std::io::Result<()> {
    if deadline.is_over() {
        return Ok(());
    }
    path.push(&node.turn);
    if node.answers.is_empty() {
        row(path, if node.goal { "goal" } else { "cut" })?;
    }
    if !all && !node.answers.is_empty() && node.answers.iter().all(|answer| answer.unparried) {
        // No turn parries the threat.
        row(path, "threat")?;
    }
    replies(&node.answers, path, all, deadline, row)?;
    path.pop();
    Ok(())
}

fn replies<'t>(
    answers: &'t [Reply],
    path: &mut Vec<&'t str>,
    all: bool,
    deadline: &Deadline<'_>,
    row: &mut RowWriter<'_>,
) -> std::io::Result<()> {
    for answer in answers.iter().filter(|answer| all || !answer.unparried) {
        path.push(&answer.turn);
        if answer.next.is_empty() {
            row(path, if answer.goal { "goal" } else { "cut" })?;
        }
        for next in &answer.next {
            moves(next, path, all, deadline, row)?;
        }
        path.pop();
    }
    Ok(())
}

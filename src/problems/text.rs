//! Prints solutions in the layout of problem magazines.
//!
//! Every turn is replayed by the rules before it is printed, so an error of the search cannot reach the
//! output. Nothing here searches.

use super::check::{self, Checker, LineText};
use super::deadline::Deadline;
use super::solution::Solution;
use super::statement::Problem;
use super::tree::Want;
pub use super::verdict::{Verdict, stored_verdict, verdict, verdict_text};
use super::walk::{Item, Printer, walk};
use board::{Kind, Squares};
use control::{Control, Counted, Stopped};
use diagnostics::Diagnostic;
use notation::turns;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::{Action, Outcome, Step, Turn, reason, with_turns};
use search::{Judge, Limits};
use std::io;

/// Returns a turn in long notation: `Rh1-c1`, `e7xd8=Q`, `0-0`. Turns of several steps are in coordinate
/// notation.
#[per_layout]
pub fn long<W: Layout>(judge: &Judge<'_, W>, p: &Position<W>, turn: &Turn) -> String {
    let game = judge.game;
    let geometry = game.board().geometry();
    let men = game.men();
    // A promoted unit moves like any other of its kind, so the sign `~` for it is left out.
    let letter = |kind: Kind| {
        let name = men.name(board::Color::White, kind);
        name.trim_end_matches('~').to_owned()
    };
    let step: Step = turn.first();
    let single = turn.steps[1].is_none() && turn.picks == 0;
    let text = match step.action() {
        Action::Castle => if step.to > step.from { "0-0" } else { "0-0-0" }.to_string(),
        Action::Go | Action::DoubleStep | Action::EnPassant if single => {
            let takes = p.color(!p.side).has(step.to) || step.action() == Action::EnPassant;
            let mut text = String::new();
            if step.kind() != Kind::Pawn {
                text += &letter(step.kind());
            }
            geometry.push_name(step.from, &mut text);
            text.push(if takes { 'x' } else { '-' });
            geometry.push_name(step.to, &mut text);
            if let Some(kind) = step.becomes() {
                text.push('=');
                text += &letter(kind);
            }
            if step.action() == Action::EnPassant {
                text += " ep.";
            }
            text
        }
        _ => turns::print(game, p, turn),
    };
    let after = game.play(p, turn);
    let end = match game.outcome(&after) {
        Outcome::Ongoing if game.in_check(&after, after.side) => " +".to_string(),
        Outcome::Ongoing => String::new(),
        Outcome::Win(winner, reason::CHECKMATE) if winner == p.side => " #".to_string(),
        Outcome::Draw(reason::STALEMATE) => " =".to_string(),
        ended => format!(" [{ended}]"),
    };
    text + &end
}

/// The reason why a solution was not written completely.
#[derive(Debug)]
pub enum Unwritten {
    /// The solution fails when it is replayed, which is a bug of the search.
    Wrong(Diagnostic),
    /// The output failed.
    Output(io::Error),
    /// The deadline expired.
    Stopped,
}

impl From<Diagnostic> for Unwritten {
    fn from(error: Diagnostic) -> Unwritten {
        Unwritten::Wrong(error)
    }
}

impl From<io::Error> for Unwritten {
    fn from(error: io::Error) -> Unwritten {
        Unwritten::Output(error)
    }
}

/// Writes the items of a solution as lines, indented by the moves before them.
struct Lines<'o> {
    out: &'o mut dyn io::Write,
    /// By open item, whether a blank line follows it.
    apart: Vec<bool>,
}

impl Printer for Lines<'_> {
    fn open(&mut self, item: &Item<'_>) -> io::Result<()> {
        self.apart.push(item.apart);
        let width = 3 + item.indent * 6;
        writeln!(self.out, "{:width$}{}", "", item.text)
    }

    fn close(&mut self) -> io::Result<()> {
        match self.apart.pop() {
            Some(true) => writeln!(self.out),
            _ => Ok(()),
        }
    }
}

/// Replays a solution by the rules alone: its lines, or its tree, or only its keys if it has no tree. Returns
/// false if the deadline expired first; the rest was not checked then.
///
/// # Errors
/// The first error in the solution, which would be a bug of the search.
#[per_layout]
pub fn replay<W: Layout>(
    problem: &Problem<W>,
    solution: &Solution,
    deadline: &Deadline<'_>,
) -> Result<bool, Diagnostic> {
    let (judge, p) = (problem.judge(), &problem.start.position);
    for key in &solution.keys {
        legal(&judge, p, &key.turn)?;
    }
    if !solution.lines.is_empty() {
        let mut checker = Checker::new(&judge, &problem.stipulation, p)?;
        let replayed = solution.lines.each(problem, |line, _| {
            if deadline.is_over() {
                return Err(Unwritten::Stopped);
            }
            Ok(checker.line(&LineText::of(line))?)
        });
        return match replayed {
            Ok(()) => Ok(true),
            Err(Unwritten::Wrong(error)) => Err(error),
            Err(_) => Ok(false),
        };
    }
    if !solution.tree.keys.is_empty() && !solution.tree.cut {
        let (stipulation, tree) = (&problem.stipulation, &solution.tree);
        return check::tree_until(&judge, stipulation, p, tree, deadline);
    }
    Ok(true)
}

impl<W: Layout> Problem<W> {
    /// Solves the problem and returns the solution as text: the keys with their threats and variations, or
    /// the lines of help and series play, and then the verdict. If a limit stopped the search, the text names
    /// the limit.
    ///
    /// # Errors
    /// If a turn of the solution is not legal, which would be a bug of the search.
    pub fn answer(&self, control: &Control<'_>) -> Result<String, Diagnostic> {
        let want = Want {
            tree: true,
            ..Want::default()
        };
        let solution = self.solve_with(&Limits::default(), want, control);
        print(self, &solution, &Deadline::new(control))
    }
}

/// Returns a solution as text, as [`write()`] writes it: set play, tries and keys with their play, or lines,
/// and then the verdict. A solution contains only what was requested. In direct, self and reflex play,
/// [`Problem::solve`] finds the keys alone; [`Problem::answer`] solves and prints all play.
///
/// # Errors
/// As for [`replay`], which is called first.
pub fn print<W: Layout>(
    problem: &Problem<W>,
    solution: &Solution,
    deadline: &Deadline<'_>,
) -> Result<String, Diagnostic> {
    let mut text = Vec::new();
    match write(problem, solution, true, &mut text, deadline) {
        Ok(_) => Ok(String::from_utf8_lossy(&text).into_owned()),
        Err(Unwritten::Wrong(error)) => Err(error),
        Err(_) => Err(Diagnostic::new("solution", "it cannot be written")),
    }
}

/// Replays a solution and writes it as text, with the verdict if `judged` is set. (Set play solves nothing,
/// so it has no verdict.) A solution may have millions of lines or turns. Writing them ends when the deadline
/// expires; false is returned then.
///
/// # Errors
/// As for [`replay`], and if the text cannot be written.
#[per_layout]
pub fn write<W: Layout>(
    problem: &Problem<W>,
    solution: &Solution,
    judged: bool,
    out: &mut dyn io::Write,
    deadline: &Deadline<'_>,
) -> Result<bool, Unwritten> {
    let mut lines = Lines {
        out: &mut *out,
        apart: Vec::new(),
    };
    let whole = walk(problem, solution, &mut lines, deadline)?;
    if !judged {
        return Ok(whole);
    }
    writeln!(out, "{}", verdict_text(problem, solution))?;
    match solution.stopped {
        None | Some(Stopped::Count(Counted::Solutions)) => {}
        Some(stop) => writeln!(out, "not complete: {stop}")?,
    }
    Ok(whole)
}

pub(super) fn legal<W: Layout>(
    judge: &Judge<'_, W>,
    p: &Position<W>,
    turn: &Turn,
) -> Result<(), Diagnostic> {
    let found = with_turns(|list| {
        judge.game.turns(p, list);
        judge.reaching(p, list);
        list.contains(turn)
    });
    if found {
        return Ok(());
    }
    let text = turns::print(judge.game, p, turn);
    Err(Diagnostic::new(
        "solution",
        format!("`{text}` is not a legal turn"),
    ))
}

/// Returns all lines in coordinate notation, in byte order, or only the first ones if the deadline expires.
#[per_layout]
pub fn all_coordinates<W: Layout>(
    problem: &Problem<W>,
    solution: &Solution,
    deadline: &Deadline<'_>,
) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    let _ = solution.lines.each(problem, |line, _| {
        if deadline.is_over() {
            return Err(Unwritten::Stopped);
        }
        all.push(line.iter().map(|made| made.text.clone()).collect());
        Ok(())
    });
    all
}

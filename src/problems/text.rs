//! Prints solutions in the layout of problem magazines.
//!
//! Every turn is replayed by the rules before it is printed, so an error of the search cannot reach the
//! output. Nothing here searches.

use super::check::{self, Checker};
use super::deadline::Deadline;
use super::solution::Solution;
use super::statement::Problem;
use super::tree::{Move, Reply, Tree, Try, Want};
pub use super::verdict::{Verdict, stored_verdict, verdict, verdict_text};
use board::{Kind, Squares};
use control::{Control, Counted, Stopped};
use diagnostics::Diagnostic;
use notation::turns;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::{Action, Outcome, Step, Turn, reason, with_turns};
use search::{Judge, Limits, Play, passed};
use std::fmt::Write;
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

/// Replays and writes a solution: a turn is found among the legal turns before it is printed.
struct Writer<'j, 'g, 'o, W: Layout> {
    judge: &'j Judge<'g, W>,
    out: &'o mut dyn io::Write,
    deadline: &'j Deadline<'j>,
    /// Whether play after threats and tries is written, and duals are marked.
    whole: bool,
    /// Whether play after turns that do not parry the threats is written.
    unparried: bool,
}

/// Returns whether an answer allows more than one continuation, of which at least one was not threatened.
fn is_dual(answer: &Reply, threats: &[Move]) -> bool {
    let threatened = |next: &Move| threats.iter().any(|threat| threat.turn == next.turn);
    answer.next.len() > 1 && !answer.next.iter().all(threatened)
}

impl<W: Layout> Writer<'_, '_, '_, W> {
    fn find(&self, p: &Position<W>, text: &str) -> Result<(Turn, String), Diagnostic> {
        let game = self.judge.game;
        let found = with_turns(|list| {
            game.turns(p, list);
            self.judge.reaching(p, list);
            list.iter()
                .find(|t| turns::print(game, p, t) == text)
                .copied()
        });
        match found {
            Some(turn) => Ok((turn, long(self.judge, p, &turn))),
            None => Err(Diagnostic::new(
                "solution",
                format!("`{text}` is not a legal turn"),
            )),
        }
    }

    fn line(&mut self, depth: usize, text: &str) -> io::Result<()> {
        writeln!(self.out, "{:width$}{text}", "", width = 3 + depth * 6)
    }

    /// Writes a turn of the attacker with all play after it, indented by `depth` moves. `mark` follows the
    /// turn.
    fn turn(
        &mut self,
        p: &Position<W>,
        node: &Move,
        number: usize,
        depth: usize,
        mark: &str,
    ) -> Result<(), Unwritten> {
        if self.deadline.is_over() {
            return Err(Unwritten::Stopped);
        }
        let (turn, text) = self.find(p, &node.turn)?;
        let after = self.judge.game.play(p, &turn);
        let hint = match depth == 0 || self.whole {
            true => self.hint(&after, &node.threats, !node.is_bare() && !node.goal, number)?,
            false => String::new(),
        };
        self.line(2 * depth, &format!("{number}.{text}{mark}{hint}"))?;
        self.play_of_threats(&after, &node.threats, number, depth)?;
        self.answers(&after, &node.answers, &node.threats, number, depth + 1)
    }

    /// Writes a try, its play and its refutations.
    fn attempt(&mut self, p: &Position<W>, attempt: &Try) -> Result<(), Unwritten> {
        let (turn, text) = self.find(p, &attempt.turn)?;
        let after = self.judge.game.play(p, &turn);
        let hint = match self.whole {
            true => self.hint(&after, &attempt.threats, !attempt.answers.is_empty(), 1)?,
            false => String::new(),
        };
        self.line(0, &format!("1.{text} ?{hint}"))?;
        self.play_of_threats(&after, &attempt.threats, 1, 0)?;
        let refutes = |answer: &&Reply| attempt.refutations.contains(&answer.turn);
        let allowed = attempt.answers.iter().filter(|answer| !refutes(answer));
        self.answers(&after, allowed, &attempt.threats, 1, 1)?;
        for refutation in &attempt.refutations {
            let (_, text) = self.find(&after, refutation)?;
            self.line(1, &format!("but 1...{text} !"))?;
        }
        Ok(())
    }

    /// Returns whether threats are written on lines of their own, with their play. A threat that reaches the
    /// goal is written on the line of the turn instead.
    fn on_own_lines(&self, threats: &[Move]) -> bool {
        self.whole && !matches!(threats, [] | [Move { goal: true, .. }])
    }

    fn play_of_threats(
        &mut self,
        after: &Position<W>,
        threats: &[Move],
        number: usize,
        depth: usize,
    ) -> Result<(), Unwritten> {
        if self.on_own_lines(threats)
            && let Some(passed) = passed(self.judge.game, after)
        {
            for threat in threats {
                self.turn(&passed, threat, number + 1, depth + 1, "")?;
            }
        }
        Ok(())
    }

    /// Returns ` threat: ...`, ` zugzwang.` or an empty text.
    fn hint(
        &self,
        after: &Position<W>,
        threats: &[Move],
        answered: bool,
        number: usize,
    ) -> Result<String, Diagnostic> {
        if !answered || self.judge.game.in_check(after, after.side) {
            return Ok(String::new());
        }
        let (Some(first), Some(passed)) = (threats.first(), passed(self.judge.game, after)) else {
            return Ok(" zugzwang.".into());
        };
        if self.on_own_lines(threats) {
            return Ok(match threats.len() {
                1 => " threat:".into(),
                _ => " threats:".into(),
            });
        }
        let (_, text) = self.find(&passed, &first.turn)?;
        let more = match threats.len() {
            1 => String::new(),
            n => format!(" and {} more", n - 1),
        };
        Ok(format!(" threat: {}.{text}{more}", number + 1))
    }

    /// Writes set play, tries, and keys with their play, or the keys alone if the solution has no tree.
    fn play(
        &mut self,
        problem: &Problem<W>,
        solution: &Solution,
        tree: &Tree,
    ) -> Result<(), Unwritten> {
        let p = &problem.start.position;
        if !tree.set_play.is_empty()
            && let Some(passed) = passed(self.judge.game, p)
        {
            self.line(0, "set play")?;
            self.answers(&passed, &tree.set_play, &[], 1, 1)?;
            writeln!(self.out)?;
        }
        for attempt in &tree.tries {
            self.attempt(p, attempt)?;
            writeln!(self.out)?;
        }
        if tree.keys.is_empty() {
            for key in &solution.keys {
                let text = long(self.judge, p, &key.turn);
                self.line(0, &format!("1.{text} !"))?;
            }
        }
        for key in &tree.keys {
            self.turn(p, key, 1, 0, " !")?;
            writeln!(self.out)?;
        }
        Ok(())
    }

    /// Replays and writes the lines of help and series play with move numbers, until the deadline expires.
    fn lines(&mut self, problem: &Problem<W>, solution: &Solution) -> Result<(), Unwritten> {
        let judge = self.judge;
        if solution.lines.is_empty() {
            return Ok(());
        }
        let start = &problem.start.position;
        let mut checker = Checker::new(judge, &problem.stipulation, start)?;
        let (series, half) = match problem.stipulation.play {
            Play::Series(..) => (true, 0),
            _ => (false, usize::from(problem.stipulation.half)),
        };
        let starter = problem.start.position.side;
        // The turns of the previous line, and the end of each turn in `text`.
        let mut before: Vec<(Turn, usize)> = Vec::new();
        let mut text = String::new();
        solution.lines.each(problem, |line, answers| {
            if self.deadline.is_over() {
                return Err(Unwritten::Stopped);
            }
            checker.line(&texts(line))?;
            let shared = before.iter().zip(line);
            let shared = shared.take_while(|((turn, _), made)| *turn == made.turn);
            before.truncate(shared.count());
            text.truncate(before.last().map_or(0, |(_, end)| *end));
            for (n, made) in line.iter().enumerate().skip(before.len()) {
                let number = if series { n } else { (n + half) / 2 };
                let opens = if series {
                    made.before.side == starter
                } else {
                    (n + half) % 2 == 0
                };
                if opens || n == 0 {
                    let _ = write!(text, "{}{}.", if n == 0 { "" } else { "   " }, number + 1);
                    if !opens {
                        text += "..";
                    }
                } else {
                    text.push(' ');
                }
                text += &long(judge, &made.before, &made.turn);
                before.push((made.turn, text.len()));
            }
            if let Some(last) = line.last()
                && !answers.is_empty()
            {
                let mut all = Vec::new();
                for turn in answers {
                    legal(judge, &last.after, turn)?;
                    all.push(long(judge, &last.after, turn));
                }
                self.line(0, &format!("{text} {}", all.join(", ")))?;
            } else {
                self.line(0, &text)?;
            }
            Ok(())
        })
    }

    /// Writes answers with all play after them. `threats` are the threats of the turn that is answered.
    fn answers<'t>(
        &mut self,
        p: &Position<W>,
        answers: impl IntoIterator<Item = &'t Reply>,
        threats: &[Move],
        number: usize,
        depth: usize,
    ) -> Result<(), Unwritten> {
        let with_unparried = self.unparried;
        for answer in answers
            .into_iter()
            .filter(|answer| with_unparried || !answer.unparried)
        {
            let (turn, text) = self.find(p, &answer.turn)?;
            let after = self.judge.game.play(p, &turn);
            let refuted = !answer.goal && answer.next.is_empty();
            let mark = match refuted {
                true => " !",
                false if self.whole && is_dual(answer, threats) => " (dual)",
                false => "",
            };
            self.line(2 * depth - 1, &format!("{number}...{text}{mark}"))?;
            for next in &answer.next {
                self.turn(&after, next, number + 1, depth, "")?;
            }
        }
        Ok(())
    }
}

/// Returns the turns of a line as texts.
fn texts<W: Layout>(line: &[crate::Made<W>]) -> Vec<&str> {
    line.iter().map(|made| made.text.as_str()).collect()
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
            Ok(checker.line(&texts(line))?)
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
    let unshown = Tree::unshown();
    let replayed = !solution.lines.is_empty() || replay(problem, solution, deadline)?;
    let tree = if replayed { &solution.tree } else { &unshown };
    let judge = problem.judge();
    let mut writer = Writer {
        judge: &judge,
        out,
        deadline,
        whole: solution.whole,
        unparried: solution.unparried,
    };
    let played = match writer.play(problem, solution, tree) {
        Ok(()) => replayed,
        Err(Unwritten::Stopped) => false,
        Err(error) => return Err(error),
    };
    if tree.cut || !played {
        writer.line(0, "(more play than is printed)")?;
    }
    if tree.asides_cut {
        writer.line(0, "(more play after threats and tries than is printed)")?;
    }
    let listed = match writer.lines(problem, solution) {
        Ok(()) => true,
        Err(Unwritten::Stopped) => false,
        Err(error) => return Err(error),
    };
    if !listed {
        writer.line(0, "(more lines than are printed)")?;
    }
    let whole = played && listed;
    if solution.must_reach {
        writer.line(
            0,
            "The side to move can reach the goal at once, and so must.",
        )?;
    }
    if !judged {
        return Ok(whole);
    }
    writeln!(writer.out, "{}", verdict_text(problem, solution))?;
    match solution.stopped {
        None | Some(Stopped::Count(Counted::Solutions)) => {}
        Some(stop) => writeln!(writer.out, "not complete: {stop}")?,
    }
    Ok(whole)
}

fn legal<W: Layout>(judge: &Judge<'_, W>, p: &Position<W>, turn: &Turn) -> Result<(), Diagnostic> {
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

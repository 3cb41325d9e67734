//! The walk through a solution from which it is printed: set play, tries, keys with their play, or lines.
//!
//! Texts and pages are printed by this walk, so they contain the same. Every turn is replayed by the rules
//! before it is printed. Nothing here searches. Stored solutions contain the tree through which it walks.

use super::check::{Checker, LineText};
use super::deadline::Deadline;
use super::solution::Solution;
use super::statement::Problem;
use super::text::{Unwritten, legal, long, replay};
use super::tree::{Move, Reply, Tree, Try};
use diagnostics::Diagnostic;
use notation::turns;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::{Turn, with_turns};
use search::{Judge, Play, passed};
use std::fmt::Write;
use std::io;

/// An item of a printed solution: a turn with its marks, a line of turns, or a note.
#[derive(Clone, Copy, Debug)]
pub struct Item<'t> {
    /// The number of half moves before the item.
    pub indent: usize,
    /// The text.
    pub text: &'t str,
    /// Whether items follow inside this one.
    pub inner: bool,
    /// Whether the item is a part of the solution of its own: set play, a try, or a key with its play.
    pub apart: bool,
}

/// Prints the items of a solution. The items that follow inside an item are opened before it is closed.
pub trait Printer {
    /// Begins an item.
    ///
    /// # Errors
    /// If the output fails.
    fn open(&mut self, item: &Item<'_>) -> io::Result<()>;
    /// Ends the last item that is open.
    ///
    /// # Errors
    /// If the output fails.
    fn close(&mut self) -> io::Result<()>;
}

/// Replays a solution and prints its items, and notes on what is left out. A solution may have millions of
/// lines or turns. Printing ends when the deadline expires; false is returned then.
///
/// # Errors
/// As for [`replay`], which is called first, and if the output fails.
#[per_layout]
pub fn walk<W: Layout>(
    problem: &Problem<W>,
    solution: &Solution,
    printer: &mut dyn Printer,
    deadline: &Deadline<'_>,
) -> Result<bool, Unwritten> {
    let unshown = Tree::unshown();
    let replayed = !solution.lines.is_empty() || replay(problem, solution, deadline)?;
    let tree = if replayed { &solution.tree } else { &unshown };
    let judge = problem.judge();
    let mut walker = Walker {
        judge: &judge,
        printer,
        open: 0,
        deadline,
        whole: solution.whole,
        unparried: solution.unparried,
    };
    let played = match walker.play(problem, solution, tree) {
        Ok(()) => replayed,
        Err(Unwritten::Stopped) => false,
        Err(error) => return Err(error),
    };
    while walker.open > 0 {
        walker.close()?;
    }
    if tree.cut || !played {
        walker.line(0, "(more play than is printed)")?;
    }
    if tree.asides_cut {
        walker.line(0, "(more play after threats and tries than is printed)")?;
    }
    let listed = match walker.lines(problem, solution) {
        Ok(()) => true,
        Err(Unwritten::Stopped) => false,
        Err(error) => return Err(error),
    };
    if !listed {
        walker.line(0, "(more lines than are printed)")?;
    }
    if solution.must_reach {
        let text = "The side to move can reach the goal at once, and so must.";
        walker.line(0, text)?;
    }
    Ok(played && listed)
}

/// A walk: a turn is found among the legal turns before it is printed.
struct Walker<'j, 'g, 'o, W: Layout> {
    judge: &'j Judge<'g, W>,
    printer: &'o mut dyn Printer,
    /// The number of open items.
    open: usize,
    deadline: &'j Deadline<'j>,
    /// Whether play after threats and tries is printed, and duals are marked.
    whole: bool,
    /// Whether play after turns that do not parry the threats is printed.
    unparried: bool,
}

/// Returns whether an answer allows more than one continuation, of which at least one was not threatened.
fn is_dual(answer: &Reply, threats: &[Move]) -> bool {
    let threatened = |next: &Move| threats.iter().any(|threat| threat.turn == next.turn);
    answer.next.len() > 1 && !answer.next.iter().all(threatened)
}

impl<W: Layout> Walker<'_, '_, '_, W> {
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

    fn open(&mut self, item: &Item<'_>) -> io::Result<()> {
        self.open += 1;
        self.printer.open(item)
    }

    fn close(&mut self) -> io::Result<()> {
        self.open -= 1;
        self.printer.close()
    }

    /// Prints an item without further items inside.
    fn line(&mut self, indent: usize, text: &str) -> io::Result<()> {
        self.open(&Item {
            indent,
            text,
            inner: false,
            apart: false,
        })?;
        self.close()
    }

    /// Returns whether play is printed after a turn with these threats and answers.
    fn has_play(&self, threats: &[Move], answers: &[Reply]) -> bool {
        self.on_own_lines(threats) || answers.iter().any(|answer| self.shows(answer))
    }

    fn shows(&self, answer: &Reply) -> bool {
        self.unparried || !answer.unparried
    }

    /// Prints a turn of the attacker with all play after it, indented by `depth` moves. `mark` follows the
    /// turn, and is that of a key at depth 0.
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
        self.open(&Item {
            indent: 2 * depth,
            text: &format!("{number}.{text}{mark}{hint}"),
            inner: self.has_play(&node.threats, &node.answers),
            apart: depth == 0,
        })?;
        self.play_of_threats(&after, &node.threats, number, depth)?;
        self.answers(&after, &node.answers, &node.threats, number, depth + 1)?;
        Ok(self.close()?)
    }

    /// Prints a try, its play and its refutations.
    fn attempt(&mut self, p: &Position<W>, attempt: &Try) -> Result<(), Unwritten> {
        let (turn, text) = self.find(p, &attempt.turn)?;
        let after = self.judge.game.play(p, &turn);
        let hint = match self.whole {
            true => self.hint(&after, &attempt.threats, !attempt.answers.is_empty(), 1)?,
            false => String::new(),
        };
        self.open(&Item {
            indent: 0,
            text: &format!("1.{text} ?{hint}"),
            inner: true,
            apart: true,
        })?;
        self.play_of_threats(&after, &attempt.threats, 1, 0)?;
        let refutes = |answer: &&Reply| attempt.refutations.contains(&answer.turn);
        let allowed = attempt.answers.iter().filter(|answer| !refutes(answer));
        self.answers(&after, allowed, &attempt.threats, 1, 1)?;
        for refutation in &attempt.refutations {
            let (_, text) = self.find(&after, refutation)?;
            self.line(1, &format!("but 1...{text} !"))?;
        }
        Ok(self.close()?)
    }

    /// Returns whether threats are printed on lines of their own, with their play. A threat that reaches the
    /// goal is printed on the line of the turn instead.
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

    /// Prints set play, tries, and keys with their play, or the keys alone if the solution has no tree.
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
            self.open(&Item {
                indent: 0,
                text: "set play",
                inner: true,
                apart: true,
            })?;
            self.answers(&passed, &tree.set_play, &[], 1, 1)?;
            self.close()?;
        }
        for attempt in &tree.tries {
            self.attempt(p, attempt)?;
        }
        if tree.keys.is_empty() {
            for key in &solution.keys {
                let text = long(self.judge, p, &key.turn);
                self.line(0, &format!("1.{text} !"))?;
            }
        }
        for key in &tree.keys {
            self.turn(p, key, 1, 0, " !")?;
        }
        Ok(())
    }

    /// Replays and prints the lines of help and series play with move numbers, until the deadline expires.
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
        // The turns of the previous line, whether they belong to its introduction, and the end of each turn in `text`.
        let mut before: Vec<(Turn, bool, usize)> = Vec::new();
        let mut text = String::new();
        solution.lines.each(problem, |line, answers| {
            if self.deadline.is_over() {
                return Err(Unwritten::Stopped);
            }
            let played = LineText::of(line);
            checker.line(&played)?;
            let shared = before.iter().zip(line);
            let shared = shared.take_while(|((turn, introduces, _), made)| {
                (*turn, *introduces) == (made.turn, made.introduces)
            });
            before.truncate(shared.count());
            text.truncate(before.last().map_or(0, |(.., end)| *end));
            for (n, made) in line.iter().enumerate().skip(before.len()) {
                let number = match (series, made.introduces) {
                    (true, true) => n,
                    (true, false) => n - played.introduction,
                    (false, _) => (n + half) / 2,
                };
                let opens = if series {
                    made.introduces || (made.before.side == starter) != (played.introduction > 0)
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
                before.push((made.turn, made.introduces, text.len()));
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

    /// Prints answers with all play after them. `threats` are the threats of the turn that is answered.
    fn answers<'t>(
        &mut self,
        p: &Position<W>,
        answers: impl IntoIterator<Item = &'t Reply>,
        threats: &[Move],
        number: usize,
        depth: usize,
    ) -> Result<(), Unwritten> {
        for answer in answers {
            if !self.shows(answer) {
                continue;
            }
            let (turn, text) = self.find(p, &answer.turn)?;
            let after = self.judge.game.play(p, &turn);
            let refuted = !answer.goal && answer.next.is_empty();
            let mark = match refuted {
                true => " !",
                false if self.whole && is_dual(answer, threats) => " (dual)",
                false => "",
            };
            self.open(&Item {
                indent: 2 * depth - 1,
                text: &format!("{number}...{text}{mark}"),
                inner: !answer.next.is_empty(),
                apart: false,
            })?;
            for next in &answer.next {
                self.turn(&after, next, number + 1, depth, "")?;
            }
            self.close()?;
        }
        Ok(())
    }
}

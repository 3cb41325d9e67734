//! Solutions as text in the layout of problem magazines.

use super::check;
use super::goal::Judge;
use super::problem::{Problem, Solution, Stop};
use super::stipulation::{Ending, Play};
use super::tree::{self, Move, Reply};
use crate::board::{Kind, Squares};
use crate::input::InputError;
use crate::notation::turns;
use crate::position::{Layout, Position};
use crate::rules::{Action, Outcome, Step, Turn, reason, with_turns};
use std::fmt::Write;

/// The verdict on a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// One solution, and none shorter.
    Sound,
    /// More than one solution.
    Cooked,
    /// One or more solutions in fewer moves than asked for.
    Short,
    /// No solution.
    None,
    /// The search was stopped.
    Undecided,
}

impl Verdict {
    /// As a word for tables.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Sound => "sound",
            Verdict::Cooked => "cooked",
            Verdict::Short => "short-solution",
            Verdict::None => "no-solution",
            Verdict::Undecided => "undecided",
        }
    }
}

/// Which verdict a solution comes to.
pub fn verdict<W: Layout>(problem: &Problem<W>, solution: &Solution) -> Verdict {
    let asked = problem.stipulation;
    let length = match asked.play {
        Play::Help(Ending::Goal) => asked.plies(),
        Play::Help(_) => asked.plies() - 1,
        Play::Series(Ending::Goal, helped) => asked.moves + u32::from(helped),
        _ => asked.moves,
    };
    let short = solution.keys.iter().any(|key| key.moves < asked.moves)
        || solution
            .lines
            .iter()
            .any(|l| (l.turns.len() as u32) < length);
    match (solution.stopped, solution.count()) {
        (_, 2..) if !short => Verdict::Cooked,
        _ if short => Verdict::Short,
        (Some(_), _) => Verdict::Undecided,
        (None, 0) => Verdict::None,
        (None, _) => Verdict::Sound,
    }
}

/// A turn in long notation: `Rh1-c1`, `e7xd8=Q`, `0-0`; turns of several steps in coordinates.
pub fn long<W: Layout>(judge: &Judge<'_, W>, p: &Position<W>, turn: &Turn) -> String {
    let game = judge.game;
    let geometry = game.board().geometry();
    let men = game.men();
    let letter = |kind: Kind| men.letters[kind.index()] as char;
    let step: Step = turn.first();
    let single = turn.steps[1].is_none() && turn.picks == 0;
    let text = match step.action() {
        Action::Castle => if step.to > step.from { "0-0" } else { "0-0-0" }.to_string(),
        Action::Go | Action::DoubleStep | Action::EnPassant if single => {
            let takes = p.color(!p.side).has(step.to) || step.action() == Action::EnPassant;
            let mut text = String::new();
            if step.kind() != Kind::Pawn {
                text.push(letter(step.kind()));
            }
            text += &geometry.name(step.from);
            text.push(if takes { 'x' } else { '-' });
            text += &geometry.name(step.to);
            if let Some(kind) = step.becomes() {
                text.push('=');
                text.push(letter(kind));
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

/// Writes and replays: every turn that is printed has been found legal just before.
struct Writer<'j, 'g, W: Layout> {
    judge: &'j Judge<'g, W>,
    text: String,
}

impl<W: Layout> Writer<'_, '_, W> {
    fn find(&self, p: &Position<W>, text: &str) -> Result<(Turn, String), InputError> {
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
            None => Err(InputError::new(
                "solution",
                format!("`{text}` is no legal turn"),
            )),
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 3 + depth * 6);
    }

    fn key(&mut self, p: &Position<W>, key: &Move, mark: &str) -> Result<(), InputError> {
        let (turn, text) = self.find(p, &key.turn)?;
        let after = self.judge.game.play(p, &turn);
        let more = self.hint(&after, key)?;
        self.line(0, &format!("1.{text}{mark}{more}"));
        self.answers(&after, &key.answers, 1, 1)
    }

    /// ` threat: ...`, ` zugzwang.` or nothing.
    fn hint(&self, after: &Position<W>, key: &Move) -> Result<String, InputError> {
        if key.goal || key.answers.is_empty() || self.judge.game.in_check(after, after.side) {
            return Ok(String::new());
        }
        let (Some(first), Some(passed)) = (
            key.threats.first(),
            super::line::passed(self.judge.game, after),
        ) else {
            return Ok(" zugzwang.".into());
        };
        let (_, text) = self.find(&passed, first)?;
        let more = match key.threats.len() {
            1 => String::new(),
            n => format!(" and {} more", n - 1),
        };
        Ok(format!(" threat: 2.{text}{more}"))
    }

    fn answers(
        &mut self,
        p: &Position<W>,
        answers: &[Reply],
        number: usize,
        depth: usize,
    ) -> Result<(), InputError> {
        for answer in answers {
            let (turn, text) = self.find(p, &answer.turn)?;
            let after = self.judge.game.play(p, &turn);
            let refuted = !answer.goal && answer.next.is_empty();
            let mark = if refuted { " !" } else { "" };
            self.line(2 * depth - 1, &format!("{number}...{text}{mark}"));
            for next in &answer.next {
                let (turn, text) = self.find(&after, &next.turn)?;
                let there = self.judge.game.play(&after, &turn);
                self.line(2 * depth, &format!("{}.{text}", number + 1));
                self.answers(&there, &next.answers, number + 1, depth + 1)?;
            }
        }
        Ok(())
    }
}

/// Replays a solution by the rules alone: whole lines; trees as far as there are any, else the
/// keys.
///
/// # Errors
/// What is wrong with it, which would be a mistake of the search.
pub fn replay<W: Layout>(problem: &Problem<W>, solution: &Solution) -> Result<(), InputError> {
    let (judge, p) = (problem.judge(), &problem.start.position);
    for key in &solution.keys {
        legal(&judge, p, &key.turn)?;
    }
    if !solution.lines.is_empty() {
        let lines = all_coordinates(problem, solution);
        let lines: Vec<&[String]> = lines.iter().map(Vec::as_slice).collect();
        check::lines(&judge, &problem.stipulation, p, &lines)?;
    } else if !solution.tree.keys.is_empty() && !solution.tree.cut {
        tree::check(&judge, &problem.stipulation, p, &solution.tree)?;
    }
    Ok(())
}

/// The whole answer: keys with their play, tries, set play, or lines; the verdict last.
///
/// # Errors
/// As for [`replay`], which is done first.
pub fn print<W: Layout>(problem: &Problem<W>, solution: &Solution) -> Result<String, InputError> {
    replay(problem, solution)?;
    let judge = problem.judge();
    let p = &problem.start.position;
    let mut writer = Writer {
        judge: &judge,
        text: String::new(),
    };
    let tree = &solution.tree;
    if !tree.set_play.is_empty()
        && let Some(passed) = super::line::passed(judge.game, p)
    {
        writer.line(0, "set play");
        writer.answers(&passed, &tree.set_play, 1, 1)?;
        writer.text.push('\n');
    }
    for attempt in &tree.tries {
        let (turn, text) = writer.find(p, &attempt.turn)?;
        writer.line(0, &format!("1.{text} ?"));
        let after = judge.game.play(p, &turn);
        for refutation in &attempt.refutations {
            let (_, text) = writer.find(&after, refutation)?;
            writer.line(1, &format!("but 1...{text} !"));
        }
        writer.text.push('\n');
    }
    if tree.keys.is_empty() {
        for key in &solution.keys {
            let text = long(&judge, p, &key.turn);
            writer.line(0, &format!("1.{text} !"));
        }
    }
    for key in &tree.keys {
        writer.key(p, key, " !")?;
        writer.text.push('\n');
    }
    if tree.cut {
        writer.line(0, "(more play than is printed)");
    }
    for line in line_texts(problem, solution)? {
        writer.line(0, &line);
    }
    if solution.must_reach {
        writer.line(
            0,
            "The side to move can reach the goal at once, and so must.",
        );
    }
    let verdict = match verdict(problem, solution) {
        Verdict::Sound => "sound: one solution".to_string(),
        Verdict::Cooked => format!("{} solutions", solution.count()),
        Verdict::Short if solution.count() == 1 => "1 solution, shorter than asked for".to_string(),
        Verdict::Short => format!("{} solutions, with shorter ones", solution.count()),
        Verdict::None => "no solution".to_string(),
        Verdict::Undecided => format!("undecided: {} found so far", solution.count()),
    };
    let _ = writeln!(writer.text, "{verdict}");
    match solution.stopped {
        None | Some(Stop::Enough) => {}
        Some(stop) => {
            let _ = writeln!(writer.text, "not complete: {stop}");
        }
    }
    Ok(writer.text)
}

/// The lines of help and series play with move numbers, in byte order of their turns.
fn line_texts<W: Layout>(
    problem: &Problem<W>,
    solution: &Solution,
) -> Result<Vec<String>, InputError> {
    let judge = problem.judge();
    let game = judge.game;
    let (series, half) = match problem.stipulation.play {
        Play::Series(..) => (true, false),
        _ => (false, problem.stipulation.half),
    };
    let mut texts = Vec::new();
    for line in lines(problem, solution) {
        let mut p = problem.start.position;
        let starter = p.side;
        let mut text = String::new();
        for (n, turn) in line.turns.iter().enumerate() {
            if series && n > 0 && p.side != starter && !last_of(problem, n, line.turns.len()) {
                p = super::line::passed(game, &p)
                    .ok_or_else(|| InputError::new("solution", "the other side cannot pass"))?;
            }
            legal(&judge, &p, turn)?;
            let number = if series {
                n
            } else {
                (n + usize::from(half)) / 2
            };
            let first = series && p.side == starter || !series && (n + usize::from(half)) % 2 == 0;
            if first || n == 0 {
                let _ = write!(text, "{}{}.", if n == 0 { "" } else { "   " }, number + 1);
                if !first {
                    text += "..";
                }
            } else {
                text.push(' ');
            }
            text += &long(&judge, &p, turn);
            p = game.play(&p, turn);
        }
        if !line.answers.is_empty() {
            let answers: Vec<String> = line.answers.iter().map(|t| long(&judge, &p, t)).collect();
            for turn in &line.answers {
                legal(&judge, &p, turn)?;
            }
            let _ = write!(text, " {}", answers.join(", "));
        }
        texts.push(text);
    }
    Ok(texts)
}

/// Whether turn `n` of a series is the other side's last one.
fn last_of<W: Layout>(problem: &Problem<W>, n: usize, length: usize) -> bool {
    matches!(problem.stipulation.play, Play::Series(Ending::Goal, true)) && n + 1 == length
}

fn legal<W: Layout>(judge: &Judge<'_, W>, p: &Position<W>, turn: &Turn) -> Result<(), InputError> {
    let found = with_turns(|list| {
        judge.game.turns(p, list);
        judge.reaching(p, list);
        list.contains(turn)
    });
    if found {
        return Ok(());
    }
    let text = turns::print(judge.game, p, turn);
    Err(InputError::new(
        "solution",
        format!("`{text}` is no legal turn"),
    ))
}

/// The lines in byte order of their turns.
fn lines<'s, W: Layout>(
    problem: &Problem<W>,
    solution: &'s Solution,
) -> Vec<&'s super::problem::Line> {
    let mut sorted: Vec<_> = solution
        .lines
        .iter()
        .map(|line| (coordinates(problem, line), line))
        .collect();
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    sorted.into_iter().map(|(_, line)| line).collect()
}

/// A line's turns in coordinate notation, its answers not among them.
pub fn coordinates<W: Layout>(problem: &Problem<W>, line: &super::problem::Line) -> Vec<String> {
    let game = problem.start.game.as_ref();
    let mut p = problem.start.position;
    let series = matches!(problem.stipulation.play, Play::Series(..));
    let starter = p.side;
    let mut texts = Vec::new();
    for (n, turn) in line.turns.iter().enumerate() {
        if series && p.side != starter && !last_of(problem, n, line.turns.len()) {
            p.side = starter;
            p.set_en_passant(None);
        }
        texts.push(turns::print(game, &p, turn));
        p = game.play(&p, turn);
    }
    texts
}

/// All lines in coordinate notation, in byte order.
pub fn all_coordinates<W: Layout>(problem: &Problem<W>, solution: &Solution) -> Vec<Vec<String>> {
    let mut all: Vec<_> = solution
        .lines
        .iter()
        .map(|line| coordinates(problem, line))
        .collect();
    all.sort();
    all
}

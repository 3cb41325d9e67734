//! Checks lines of help and series play by the rules alone, without the search of the solver.
//!
//! Whether other lines exist is never checked.

use crate::branches::Made;
use crate::stipulation::Stipulation;
use board::Color;
use diagnostics::{Diagnostic, shortened};
use notation::turns;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::{Turn, with_turns};
use search::{Ending, Judge, Play, passed};
use std::collections::HashSet;

/// A line in coordinate notation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LineText<'t> {
    /// The turns.
    pub turns: Vec<&'t str>,
    /// The number of turns, from the first on, that are the introduction of a series.
    pub introduction: usize,
}

impl<'t> LineText<'t> {
    /// Returns the text of a line that has been played.
    pub fn of<W: Layout>(line: &'t [Made<W>]) -> LineText<'t> {
        LineText {
            turns: line.iter().map(|made| made.text.as_str()).collect(),
            introduction: line.iter().filter(|made| made.introduces).count(),
        }
    }
}

/// Checks lines in coordinate notation and returns the number of their turns.
///
/// In each line, every turn is legal, in a series the other side can pass between the turns, and the
/// goal is reached by the last turn and not before. For the endings [`Ending::Forced`] and
/// [`Ending::Reflex`], every answer to the last turn reaches the goal, or one can. No line is listed
/// twice.
///
/// # Errors
/// The first error, with the numbers of its line and turn. A stipulation of direct, self or reflex play is an
/// error, too.
#[per_layout]
pub fn lines<W: Layout>(
    judge: &Judge<'_, W>,
    stipulation: &Stipulation,
    p: &Position<W>,
    lines: &[LineText<'_>],
) -> Result<usize, Diagnostic> {
    let mut checker = Checker::new(judge, stipulation, p)?;
    let mut seen = HashSet::new();
    for (index, line) in lines.iter().enumerate() {
        if !seen.insert(line) {
            let error = wrong("an earlier line has the same turns");
            return Err(error.at(format!("line {}", index + 1)));
        }
        checker.line(line)?;
    }
    Ok(checker.turns)
}

fn wrong(why: impl Into<String>) -> Diagnostic {
    Diagnostic::new("lines", why)
}

/// Checks one line after another. Turns that a line shares with the previous one are checked once.
pub struct Checker<'j, 'g, W: Layout> {
    judge: &'j Judge<'g, W>,
    ending: Ending,
    series: bool,
    helped: bool,
    goal_side: Color,
    /// The number of turns, without an introduction, of the longest line that the stipulation allows.
    max_turns: usize,
    /// The number of turns of the longest introduction that the stipulation allows.
    max_introduction: usize,
    /// The number of turns of the previous line's introduction.
    introduction: usize,
    /// The number of lines checked so far.
    lines: usize,
    /// The number of turns of all lines checked so far.
    turns: usize,
    /// The previous line: the position before each of its turns, and the turn.
    path: Vec<Node<W>>,
}

/// A position of a line.
struct Node<W: Layout> {
    /// The position before any null move.
    p: Position<W>,
    /// The turns without and with a preceding null move, generated on demand.
    choices: [Option<Choices<W>>; 2],
    /// The turn of the previous line from this position; `None` if it was the last turn of that line.
    turn: Option<String>,
}

/// The turns that a line can continue with.
struct Choices<W: Layout> {
    p: Position<W>,
    /// Whether the side to move must reach the goal.
    must: bool,
    turns: Vec<(String, Turn)>,
}

#[per_layout]
impl<'j, 'g, W: Layout> Checker<'j, 'g, W> {
    /// Returns a checker of lines that begin at `p`.
    ///
    /// # Errors
    /// If solutions of the stipulation are trees, not lines.
    pub fn new(
        judge: &'j Judge<'g, W>,
        stipulation: &Stipulation,
        p: &Position<W>,
    ) -> Result<Checker<'j, 'g, W>, Diagnostic> {
        let (ending, series, helped) = match stipulation.play {
            Play::Help(ending) => (ending, false, false),
            Play::Series(ending, helped) => (ending, true, helped),
            _ => {
                let why = "direct, self and reflex play is stored as a tree, not as lines";
                return Err(wrong(why));
            }
        };
        // The turns of the longest line, and whether the side to move is to reach the goal.
        let (max_turns, own) = match ending {
            Ending::Goal if series => (stipulation.moves + u32::from(helped), !helped),
            _ if series => (stipulation.moves, false),
            Ending::Goal => (stipulation.plies(), stipulation.half),
            _ => (stipulation.plies() - 1, stipulation.half),
        };
        // The other side makes the introduction.
        let own = own != (stipulation.introduction > 0);
        Ok(Checker {
            judge,
            ending,
            series,
            helped,
            goal_side: if own { p.side } else { !p.side },
            max_turns: max_turns as usize,
            max_introduction: stipulation.introduction as usize,
            introduction: 0,
            lines: 0,
            turns: 0,
            path: vec![Node::new(*p)],
        })
    }

    /// Checks a line.
    ///
    /// # Errors
    /// The first error, with the numbers of the line and the turn.
    pub fn line(&mut self, line: &LineText<'_>) -> Result<(), Diagnostic> {
        self.lines += 1;
        let (introduction, max) = (line.introduction, self.max_introduction);
        if introduction > max || introduction < max.min(1) {
            let why = format!(
                "its introduction has {introduction} turns; the stipulation allows {} to {max}",
                max.min(1)
            );
            return Err(wrong(why).at(format!("line {}", self.lines)));
        }
        let (all, max) = (line.turns.len(), self.max_turns);
        let length = all.saturating_sub(introduction);
        if length == 0 || length > max {
            let why = format!("it has {length} turns; the stipulation allows 1 to {max}");
            return Err(wrong(why).at(format!("line {}", self.lines)));
        }
        // A turn of the introduction is not the same turn in the series.
        let shared = introduction.min(self.introduction);
        if introduction != self.introduction && self.path.len() > shared {
            self.path.truncate(shared + 1);
            self.path[shared].turn = None;
        }
        self.introduction = introduction;
        self.turns += all;
        for (n, &text) in line.turns.iter().enumerate() {
            let last = n + 1 == all;
            if !last && self.path[n].turn.as_deref() == Some(text) {
                continue;
            }
            self.path.truncate(n + 1);
            self.path[n].turn = None;
            let after = self.turn(n, text, last);
            let after =
                after.map_err(|error| error.at(format!("line {}, turn {}", self.lines, n + 1)))?;
            self.path[n].turn = (!last).then(|| text.to_string());
            if !last {
                self.path.push(Node::new(after));
            }
        }
        Ok(())
    }
}

impl<'j, 'g, W: Layout> Checker<'j, 'g, W> {
    /// Checks turn `n` of a line and returns the position after it.
    fn turn(&mut self, n: usize, text: &str, last: bool) -> Result<Position<W>, Diagnostic> {
        let introduces = n < self.introduction;
        let passes = self.series && n > 0 && n != self.introduction && !(self.helped && last);
        let (judge, goal_side, ending) = (self.judge, self.goal_side, self.ending);
        let choices = self.choices(n, passes)?;
        let (p, must) = (choices.p, choices.must);
        let legal = choices.turns.iter().find(|(other, _)| other == text);
        let turn = legal
            .map(|(_, turn)| *turn)
            .or_else(|| {
                // A double mate may leave its own side's king in check, so it need not be a legal turn.
                let mut reaching = Vec::new();
                if p.side == goal_side && ending != Ending::Forced && !introduces {
                    judge.reaching(&p, &mut reaching);
                }
                let named = |turn: &&Turn| turns::print(judge.game, &p, turn) == text;
                reaching.iter().find(named).copied()
            })
            .ok_or_else(|| wrong(format!("`{}` is not a legal turn", shortened(text))))?;
        let after = judge.game.play(&p, &turn);
        if introduces {
            return Ok(after);
        }
        let reaches_goal = |by: Color| p.side == by && judge.reached(&p, &turn, &after);
        if must {
            // The only solution is then a line of one turn.
            if n == 0 && last && reaches_goal(goal_side) {
                return Ok(after);
            }
            return Err(wrong(
                "the side to move can reach the goal before it, and so must",
            ));
        }
        if ending != Ending::Goal && reaches_goal(goal_side) {
            return Err(wrong(format!("`{text}` reaches the goal too early")));
        }
        let done = match ending {
            Ending::Goal if p.side == goal_side => judge.reached(&p, &turn, &after),
            // In a helped series, the goal is reached by a turn of the side that waited.
            Ending::Goal => !self.helped && judge.reached_by_opponent(&after, goal_side),
            Ending::Forced => p.side != goal_side && self.all_reach(&after),
            Ending::Reflex => p.side != goal_side && judge.can_reach(&after),
        };
        // A series may continue after a stalemate, and where the other side could have reached the goal.
        let may_continue =
            self.helped || self.series && (ending == Ending::Forced || judge.goal.is_passable());
        match (last, done) {
            (true, false) => Err(wrong(format!("the goal is not reached after `{text}`"))),
            (false, true) if !may_continue => {
                Err(wrong(format!("the goal is reached after `{text}` already")))
            }
            _ => Ok(after),
        }
    }

    /// Returns the possible turns at turn number `n`, after a null move if `passes`.
    fn choices(&mut self, n: usize, passes: bool) -> Result<&Choices<W>, Diagnostic> {
        let (judge, reflex) = (self.judge, self.ending == Ending::Reflex);
        let Node { p, choices, .. } = &mut self.path[n];
        let slot = &mut choices[usize::from(passes)];
        if let Some(generated) = slot.take() {
            return Ok(slot.insert(generated));
        }
        let p = match passes {
            true => passed(judge.game, p)
                .ok_or_else(|| wrong("the other side cannot pass before it"))?,
            false => *p,
        };
        let must = reflex && judge.can_reach(&p);
        let turns = with_turns(|list| {
            judge.game.turns(&p, list);
            list.iter()
                .map(|turn| (turns::print(judge.game, &p, turn), *turn))
                .collect()
        });
        Ok(slot.insert(Choices { p, must, turns }))
    }

    /// Returns whether there is an answer and every answer reaches the goal.
    fn all_reach(&self, p: &Position<W>) -> bool {
        let game = self.judge.game;
        with_turns(|list| {
            game.turns(p, list);
            let mut answers = list.iter();
            !list.is_empty() && answers.all(|turn| self.judge.reached(p, turn, &game.play(p, turn)))
        })
    }
}

impl<W: Layout> Node<W> {
    fn new(p: Position<W>) -> Node<W> {
        Node {
            p,
            choices: [None, None],
            turn: None,
        }
    }
}

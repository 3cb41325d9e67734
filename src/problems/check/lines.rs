//! Checks lines of help and series play by the rules alone, without the search.

use crate::Layout;
use crate::goal::Judge;
use crate::null_move::passed;
use crate::stipulation::{Ending, Play, Stipulation};
use board::Color;
use diagnostics::{InputError, shortened};
use notation::turns;
use position::Position;
use rules::{Turn, with_turns};
use std::collections::HashSet;

/// Checks that each line, in coordinate notation, does what is asked: its turns are legal, in a
/// series the other side can pass in between, the goal is reached by the last turn (or by any
/// answer, or can be, as the stipulation has it) and not before, in time; and that no line stands
/// there twice. That there are no other lines is not checked. Returns how many turns were made.
///
/// # Errors
/// The line and the turn that are wrong, and why.
#[inline]
pub fn lines<W: Layout>(
    judge: &Judge<'_, W>,
    asked: &Stipulation,
    p: &Position<W>,
    lines: &[&[String]],
) -> Result<usize, InputError> {
    W::check_lines(judge, asked, p, lines)
}

pub(crate) fn lines_generic<W: Layout>(
    judge: &Judge<'_, W>,
    asked: &Stipulation,
    p: &Position<W>,
    lines: &[&[String]],
) -> Result<usize, InputError> {
    let mut checker = Checker::new(judge, asked, p)?;
    let mut seen = HashSet::new();
    for (index, line) in lines.iter().enumerate() {
        if !seen.insert(line) {
            let error = InputError::new("lines", "it stands there already");
            return Err(error.at(format!("line {}", index + 1)));
        }
        checker.line(line.iter().map(String::as_str))?;
    }
    Ok(checker.turns)
}

/// Checks one line after the other. What a line shares with the one before is looked at once.
pub struct Checker<'j, 'g, W: Layout> {
    judge: &'j Judge<'g, W>,
    ending: Ending,
    series: bool,
    helped: bool,
    goal_side: Color,
    /// The turns of the longest line.
    most: usize,
    /// Lines so far.
    count: usize,
    /// Turns so far, counted in every line in which they stand.
    turns: usize,
    /// Where the line before went: the position before each of its turns, and the turn itself.
    way: Vec<Node<W>>,
}

/// A position of a line.
struct Node<W: Layout> {
    /// Before anybody passes.
    p: Position<W>,
    /// What can be done there, with and without passing first; made when asked for.
    open: [Option<Open<W>>; 2],
    /// The turn that was made, if it did not end the line.
    made: Option<String>,
}

/// Where a turn is made, with all of them.
struct Open<W: Layout> {
    p: Position<W>,
    /// Whether the side to move has to reach the goal.
    obliged: bool,
    turns: Vec<(String, Turn)>,
}

impl<'j, 'g, W: Layout> Checker<'j, 'g, W> {
    /// The checker of lines that begin at `p`.
    ///
    /// # Errors
    /// If what is asked has a tree and no lines.
    #[inline]
    pub fn new(
        judge: &'j Judge<'g, W>,
        asked: &Stipulation,
        p: &Position<W>,
    ) -> Result<Checker<'j, 'g, W>, InputError> {
        W::checker(judge, asked, p)
    }

    pub(crate) fn new_generic(
        judge: &'j Judge<'g, W>,
        asked: &Stipulation,
        p: &Position<W>,
    ) -> Result<Checker<'j, 'g, W>, InputError> {
        let (ending, series, helped) = match asked.play {
            Play::Help(ending) => (ending, false, false),
            Play::Series(ending, helped) => (ending, true, helped),
            _ => {
                let why = "direct, self and reflex play have a tree, no lines";
                return Err(InputError::new("lines", why));
            }
        };
        // The turns of the longest line, and who is to reach the goal.
        let (most, own) = match ending {
            Ending::Goal if series => (asked.moves + u32::from(helped), !helped),
            _ if series => (asked.moves, false),
            Ending::Goal => (asked.plies(), asked.half),
            _ => (asked.plies() - 1, asked.half),
        };
        Ok(Checker {
            judge,
            ending,
            series,
            helped,
            goal_side: if own { p.side } else { !p.side },
            most: most as usize,
            count: 0,
            turns: 0,
            way: vec![Node::at(*p)],
        })
    }

    /// Checks a line, given by its turns in coordinate notation.
    ///
    /// # Errors
    /// The number of the line, the turn that is wrong, and why.
    #[inline]
    pub fn line<'t>(&mut self, line: impl Iterator<Item = &'t str>) -> Result<(), InputError> {
        W::check_line(self, &line.collect::<Vec<&str>>())
    }

    pub(crate) fn line_generic(&mut self, line: &[&str]) -> Result<(), InputError> {
        self.count += 1;
        let length = line.len();
        if length == 0 || length > self.most {
            let most = self.most;
            let why = format!("it has {length} turns, from 1 to {most} were asked for");
            return Err(InputError::new("lines", why).at(format!("line {}", self.count)));
        }
        self.turns += length;
        for (n, &text) in line.iter().enumerate() {
            let last = n + 1 == length;
            if !last && self.way[n].made.as_deref() == Some(text) {
                continue;
            }
            self.way.truncate(n + 1);
            self.way[n].made = None;
            let after = self.turn(n, text, last).map_err(|why| {
                InputError::new("lines", why).at(format!("line {}, turn {}", self.count, n + 1))
            })?;
            self.way[n].made = (!last).then(|| text.to_string());
            if !last {
                self.way.push(Node::at(after));
            }
        }
        Ok(())
    }

    /// Makes turn `n` of a line and looks at all that is asked of it.
    fn turn(&mut self, n: usize, text: &str, last: bool) -> Result<Position<W>, String> {
        let passes = self.series && n > 0 && !(self.helped && last);
        let judge = self.judge;
        let open = self.open(n, passes)?;
        let (p, obliged) = (open.p, open.obliged);
        let known = open.turns.iter().find(|(other, _)| other == text);
        let turn = known
            .map(|(_, turn)| *turn)
            .or_else(|| {
                // A double mate may expose the own king, which is no turn of the game.
                let mut more = Vec::new();
                judge.reaching(&p, &mut more);
                let named = |turn: &&Turn| turns::print(judge.game, &p, turn) == text;
                more.iter().find(named).copied()
            })
            .ok_or_else(|| format!("`{}` is not a legal turn", shortened(text)))?;
        let after = judge.game.play(&p, &turn);
        let goal = |by: Color| p.side == by && judge.reached(&p, &turn, &after);
        if obliged {
            // Only at the very beginning that is a solution by itself.
            if n == 0 && last && goal(self.goal_side) {
                return Ok(after);
            }
            return Err("whoever can reach the goal has to, and could before it".into());
        }
        if self.ending != Ending::Goal && goal(self.goal_side) {
            return Err(format!("the goal is reached by `{text}` already"));
        }
        let done = match self.ending {
            Ending::Goal if p.side == self.goal_side => judge.reached(&p, &turn, &after),
            Ending::Goal => judge.late_reached(&after, self.goal_side),
            Ending::Forced => p.side != self.goal_side && self.all_reach(&after),
            Ending::Reflex => p.side != self.goal_side && judge.can_reach(&after),
        };
        // A series with an unhelped goal of the other side may go on where it could have ended.
        let may_go_on = self.helped || self.series && self.ending == Ending::Forced;
        match (last, done) {
            (true, false) => Err(format!("after `{text}` the goal is not reached")),
            (false, true) if !may_go_on => Err(format!("the goal is reached by `{text}` already")),
            _ => Ok(after),
        }
    }

    /// What can be done before turn `n`, where one may have to pass first.
    fn open(&mut self, n: usize, passes: bool) -> Result<&Open<W>, String> {
        let (judge, reflex) = (self.judge, self.ending == Ending::Reflex);
        let Node { p, open, .. } = &mut self.way[n];
        let slot = &mut open[usize::from(passes)];
        if let Some(known) = slot.take() {
            return Ok(slot.insert(known));
        }
        let p = match passes {
            true => passed(judge.game, p).ok_or("the other side cannot pass before it")?,
            false => *p,
        };
        let obliged = reflex && judge.can_reach(&p);
        let turns = with_turns(|list| {
            judge.game.turns(&p, list);
            list.iter()
                .map(|turn| (turns::print(judge.game, &p, turn), *turn))
                .collect()
        });
        Ok(slot.insert(Open { p, obliged, turns }))
    }

    /// Whether every answer reaches the goal, and there is one.
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
    fn at(p: Position<W>) -> Node<W> {
        Node {
            p,
            open: [None, None],
            made: None,
        }
    }
}

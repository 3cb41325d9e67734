//! Checks lines of help and series play by the rules alone, without the search.

use super::goal::Judge;
use super::line::passed;
use super::stipulation::{Ending, Play, Stipulation};
use crate::board::Color;
use crate::input::InputError;
use crate::notation::turns;
use crate::position::{Layout, Position};
use crate::rules::{Turn, with_turns};
use std::collections::HashSet;

/// Checks that each line, in coordinate notation, does what is asked: its turns are legal, in a
/// series the other side can pass in between, the goal is reached by the last turn (or by any
/// answer, or can be, as the stipulation has it) and not before, in time. That there are no other
/// lines is not checked. Returns how many turns were made.
///
/// # Errors
/// The line and the turn that are wrong, and why.
pub fn lines<W: Layout>(
    judge: &Judge<'_, W>,
    asked: &Stipulation,
    p: &Position<W>,
    lines: &[&[String]],
) -> Result<usize, InputError> {
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
    let checker = Checker {
        judge,
        ending,
        series,
        helped,
        goal_side: if own { p.side } else { !p.side },
    };
    let mut made = 0;
    let mut seen = HashSet::new();
    for (index, line) in lines.iter().enumerate() {
        let place = |n: usize| format!("line {}, turn {}", index + 1, n + 1);
        if line.is_empty() || line.len() as u32 > most {
            let why = format!(
                "it has {} turns, from 1 to {most} were asked for",
                line.len()
            );
            return Err(InputError::new("lines", why).at(format!("line {}", index + 1)));
        }
        if !seen.insert(line) {
            let error = InputError::new("lines", "it stands there already");
            return Err(error.at(format!("line {}", index + 1)));
        }
        let mut here = *p;
        for (n, text) in line.iter().enumerate() {
            let last = n + 1 == line.len();
            here = checker
                .turn(here, text, n, last)
                .map_err(|why| InputError::new("lines", why).at(place(n)))?;
            made += 1;
        }
    }
    Ok(made)
}

struct Checker<'g, 'j, W: Layout> {
    judge: &'j Judge<'g, W>,
    ending: Ending,
    series: bool,
    helped: bool,
    goal_side: Color,
}

impl<W: Layout> Checker<'_, '_, W> {
    /// Makes one turn of a line and looks at all that is asked of it.
    fn turn(
        &self,
        mut p: Position<W>,
        text: &str,
        n: usize,
        last: bool,
    ) -> Result<Position<W>, String> {
        let (judge, game) = (self.judge, self.judge.game);
        if self.series && n > 0 && !(self.helped && last) {
            p = passed(game, &p).ok_or("the other side cannot pass before it")?;
        }
        if self.ending == Ending::Reflex && judge.can_reach(&p) {
            return Err("whoever can reach the goal has to, and could before it".into());
        }
        let legal: Option<Turn> = with_turns(|list| {
            game.turns(&p, list);
            judge.reaching(&p, list);
            let mut list = list.iter();
            list.find(|turn| turns::print(game, &p, turn) == text)
                .copied()
        });
        let turn = legal.ok_or_else(|| format!("`{text}` is no legal turn"))?;
        let after = game.play(&p, &turn);
        let goal = |by: Color| p.side == by && judge.reached(&p, &turn, &after);
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

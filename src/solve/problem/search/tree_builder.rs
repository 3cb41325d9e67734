//! Builds the play after the first turns: all answers, and for each all shortest continuations.

use super::and_or::AndOrSearch;
use crate::Layout;
use crate::problem::goal::Judge;
use crate::problem::limits::Stop;
use crate::problem::pass::passed;
use crate::problem::stipulation::Play;
use crate::problem::tree::{Move, Reply};
use notation::turns;
use position::Position;
use rules::{Turn, with_turns};

/// The most turns in a tree.
const MOST_TURNS: usize = 200_000;

/// Builds trees with the help of a search.
pub(super) struct TreeBuilder<'a, 'b, W: Layout> {
    pub search: &'b mut AndOrSearch<'a, W>,
    pub judge: Judge<'a, W>,
    pub play: Play,
    pub left: usize,
    pub cut: bool,
}

impl<'a, 'b, W: Layout> TreeBuilder<'a, 'b, W> {
    pub fn new(
        search: &'b mut AndOrSearch<'a, W>,
        judge: Judge<'a, W>,
        play: Play,
    ) -> TreeBuilder<'a, 'b, W> {
        TreeBuilder {
            search,
            judge,
            play,
            left: MOST_TURNS,
            cut: false,
        }
    }

    fn text(&self, p: &Position<W>, turn: &Turn) -> String {
        turns::print(self.judge.game, p, turn)
    }

    /// The play after a turn that solves within `moves` of the attacker's turns, itself counted.
    pub fn after(&mut self, p: &Position<W>, turn: &Turn, moves: u32) -> Result<Move, Stop> {
        let text = self.text(p, turn);
        let after = self.judge.game.play(p, turn);
        let attacker = p.side;
        let goal = match self.play {
            Play::Direct => self.judge.reached(p, turn, &after),
            _ => self.judge.late_reached(&after, !attacker),
        };
        let mut found = Move {
            turn: text,
            goal,
            threats: Vec::new(),
            answers: Vec::new(),
        };
        if goal {
            return Ok(found);
        }
        if self.left == 0 {
            self.cut = true;
            return Ok(found);
        }
        self.left -= 1;
        if moves > 1
            && let Some(again) = passed(self.judge.game, &after)
        {
            let (_, going) = self.going_on(&again, moves - 1)?;
            found.threats = going.iter().map(|t| self.text(&again, t)).collect();
            found.threats.sort_unstable();
        }
        found.answers = self.answers(&after, moves - 1, false)?;
        Ok(found)
    }

    /// The answers at `p`; with `some`, only those to which there is a continuation.
    pub fn answers(&mut self, p: &Position<W>, moves: u32, some: bool) -> Result<Vec<Reply>, Stop> {
        let mut list = Vec::new();
        let must = matches!(self.play, Play::Reflex | Play::SemiReflex);
        if must {
            self.judge.reaching(p, &mut list);
        }
        let forced = !list.is_empty();
        if !forced {
            self.judge.game.turns(p, &mut list);
        }
        let mut answers = Vec::new();
        for turn in &list {
            let after = self.judge.game.play(p, turn);
            let goal = forced
                || match self.play {
                    Play::Direct => self.judge.late_reached(&after, !p.side),
                    Play::Selfplay => self.judge.reached(p, turn, &after),
                    _ => false,
                };
            let mut next = Vec::new();
            if !goal && moves > 0 {
                let (least, going) = self.going_on(&after, moves)?;
                for turn in going {
                    next.push(self.after(&after, &turn, least)?);
                }
                next.sort_by(|a: &Move, b: &Move| a.turn.cmp(&b.turn));
            }
            if goal || !next.is_empty() || !some {
                answers.push(Reply {
                    turn: self.text(p, turn),
                    goal,
                    next,
                });
            }
        }
        answers.sort_by(|a, b| a.turn.cmp(&b.turn));
        Ok(answers)
    }

    /// The least number of moves, up to `most`, in which the attacker, to move, can do it, and
    /// all turns that do.
    fn going_on(&mut self, p: &Position<W>, most: u32) -> Result<(u32, Vec<Turn>), Stop> {
        for moves in 1..=most {
            if !self.search.attack(p, moves)? {
                continue;
            }
            let mut going = Vec::new();
            if self.play == Play::Direct {
                self.judge.reaching(p, &mut going);
            }
            if !going.is_empty() {
                return Ok((1, going));
            }
            let list = with_turns(|turns| {
                self.judge.game.turns(p, turns);
                turns.clone()
            });
            for turn in list {
                if self.search.forced(&self.judge.game.play(p, &turn), moves)? {
                    going.push(turn);
                }
            }
            return Ok((moves, going));
        }
        Ok((most, Vec::new()))
    }

    /// The answers that refute a turn.
    pub fn refutations(
        &mut self,
        p: &Position<W>,
        turn: &Turn,
        moves: u32,
    ) -> Result<Vec<String>, Stop> {
        let after = self.judge.game.play(p, turn);
        let list = with_turns(|turns| {
            self.judge.game.turns(&after, turns);
            turns.clone()
        });
        let mut refutations = Vec::new();
        for answer in list {
            let there = self.judge.game.play(&after, &answer);
            if !self.search.answered(&after, &answer, &there, moves - 1)? {
                refutations.push(self.text(&after, &answer));
            }
        }
        refutations.sort_unstable();
        Ok(refutations)
    }
}

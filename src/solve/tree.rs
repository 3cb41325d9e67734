//! The whole play after the first turns, as text-free structs with turns in coordinate notation,
//! and a check of such a tree by the rules alone.

use super::battle::Battle;
use super::goal::Judge;
use super::line::passed;
use super::problem::Stop;
use super::stipulation::{Play, Stipulation};
use crate::Layout;
use board::Color;
use input::InputError;
use notation::turns;
use position::Position;
use rules::{Turn, with_turns};
use serde::{Deserialize, Serialize};

/// A turn of the side that forces, and what can be answered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Move {
    /// The turn.
    pub turn: String,
    /// Whether it reaches the goal.
    #[serde(default, skip_serializing_if = "is_false")]
    pub goal: bool,
    /// What it threatens if the opponent could pass: the turns that go on in the least number of
    /// moves. Empty in zugzwang and after check.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threats: Vec<String>,
    /// All answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Reply>,
}

/// An answer, and all turns that go on from it in the least number of moves (more than one: a
/// dual).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reply {
    /// The turn.
    pub turn: String,
    /// Whether it reaches the goal.
    #[serde(default, skip_serializing_if = "is_false")]
    pub goal: bool,
    /// How it goes on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<Move>,
}

/// A first turn that nearly solves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Try {
    /// The turn.
    pub turn: String,
    /// The answers that refute it.
    pub refutations: Vec<String>,
}

/// What is to be written besides the keys.
#[derive(Clone, Copy, Debug, Default)]
pub struct Want {
    /// All variations.
    pub tree: bool,
    /// First turns with exactly one refutation.
    pub tries: bool,
    /// What would happen if the other side began.
    pub set_play: bool,
    /// Of help and series play only the first turns: one line for each is enough.
    pub firsts: bool,
}

/// Everything behind the keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    /// The keys with all play, shortest first, then in byte order.
    pub keys: Vec<Move>,
    /// Tries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tries: Vec<Try>,
    /// Set play: answers to which there is a continuation before the key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_play: Vec<Reply>,
    /// Whether the tree was cut off because it grew too large.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cut: bool,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// The most turns in a tree.
const MOST_TURNS: usize = 200_000;

/// Builds trees with the help of a search.
pub(super) struct Builder<'a, 'b, W: Layout> {
    pub battle: &'b mut Battle<'a, W>,
    pub judge: Judge<'a, W>,
    pub play: Play,
    pub left: usize,
    pub cut: bool,
}

impl<'a, 'b, W: Layout> Builder<'a, 'b, W> {
    pub fn new(
        battle: &'b mut Battle<'a, W>,
        judge: Judge<'a, W>,
        play: Play,
    ) -> Builder<'a, 'b, W> {
        Builder {
            battle,
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
            if !self.battle.attack(p, moves)? {
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
                if self.battle.forced(&self.judge.game.play(p, &turn), moves)? {
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
            if !self.battle.answered(&after, &answer, &there, moves - 1)? {
                refutations.push(self.text(&after, &answer));
            }
        }
        refutations.sort_unstable();
        Ok(refutations)
    }
}

/// Checks that each key of a tree does what is asked: every answer has its continuation, every
/// goal is reached, in time. Uses the rules alone. That there are no other keys is not checked.
#[inline]
pub fn check<W: Layout>(
    judge: &Judge<'_, W>,
    stipulation: &Stipulation,
    p: &Position<W>,
    tree: &Tree,
) -> Result<usize, InputError> {
    W::check_tree(judge, stipulation, p, tree)
}

pub(crate) fn check_generic<W: Layout>(
    judge: &Judge<'_, W>,
    stipulation: &Stipulation,
    p: &Position<W>,
    tree: &Tree,
) -> Result<usize, InputError> {
    let mut checker = Checker {
        judge,
        play: stipulation.play,
        attacker: p.side,
        path: Vec::new(),
        turns: 0,
    };
    if matches!(stipulation.play, Play::Help(_) | Play::Series(..)) {
        return Err(InputError::new(
            "tree",
            "help and series play have lines, no tree",
        ));
    }
    if tree.cut {
        return Err(InputError::new(
            "tree",
            "it was cut off when it was written, so it proves nothing",
        ));
    }
    for key in &tree.keys {
        checker.turn(p, key, stipulation.moves)?;
    }
    Ok(checker.turns)
}

struct Checker<'g, 'j, W: Layout> {
    judge: &'j Judge<'g, W>,
    play: Play,
    attacker: Color,
    path: Vec<String>,
    turns: usize,
}

impl<W: Layout> Checker<'_, '_, W> {
    fn wrong(&self, why: &str) -> InputError {
        InputError::new("tree", why).at(format!("after `{}`", self.path.join(" ")))
    }

    /// The turn with this text: a legal one, or one that reaches the goal.
    fn find(&self, p: &Position<W>, text: &str) -> Result<Turn, InputError> {
        let game = self.judge.game;
        with_turns(|list| {
            game.turns(p, list);
            self.judge.reaching(p, list);
            list.iter()
                .find(|t| turns::print(game, p, t) == text)
                .copied()
        })
        .ok_or_else(|| self.wrong(&format!("`{text}` is no legal turn")))
    }

    fn turn(&mut self, p: &Position<W>, node: &Move, moves: u32) -> Result<(), InputError> {
        let game = self.judge.game;
        if moves == 0 {
            return Err(self.wrong("there are more moves than asked for"));
        }
        if self.play == Play::Reflex && self.judge.can_reach(p) {
            return Err(self.wrong("the side to move would have to reach the goal here"));
        }
        let turn = self.find(p, &node.turn)?;
        let after = game.play(p, &turn);
        self.path.push(node.turn.clone());
        self.turns += 1;
        let goal = match self.play {
            Play::Direct => self.judge.reached(p, &turn, &after),
            _ => self.judge.late_reached(&after, !self.attacker),
        };
        if node.goal {
            if !goal {
                return Err(self.wrong("the goal is not reached"));
            }
        } else {
            self.answers(&after, &node.answers, moves - 1)?;
        }
        self.path.pop();
        Ok(())
    }

    fn answers(
        &mut self,
        p: &Position<W>,
        answers: &[Reply],
        moves: u32,
    ) -> Result<(), InputError> {
        let game = self.judge.game;
        let must = matches!(self.play, Play::Reflex | Play::SemiReflex) && self.judge.can_reach(p);
        let mut legal = Vec::new();
        if must {
            self.judge.reaching(p, &mut legal);
        } else {
            game.turns(p, &mut legal);
        }
        if legal.is_empty() {
            return Err(self.wrong("the game has ended without the goal"));
        }
        for turn in &legal {
            let text = turns::print(game, p, turn);
            let Some(answer) = answers.iter().find(|a| a.turn == text) else {
                return Err(self.wrong(&format!("the answer `{text}` is missing")));
            };
            let after = game.play(p, turn);
            let goal = match self.play {
                Play::Direct => self.judge.late_reached(&after, self.attacker),
                Play::Selfplay => self.judge.reached(p, turn, &after),
                _ => must,
            };
            self.path.push(text);
            self.turns += 1;
            if answer.goal != goal {
                return Err(self.wrong("whether the goal is reached is told wrongly"));
            }
            if !goal {
                if answer.next.is_empty() {
                    return Err(self.wrong("there is no continuation"));
                }
                for next in &answer.next {
                    self.turn(&after, next, moves)?;
                }
            }
            self.path.pop();
        }
        if answers.len() > legal.len() {
            return Err(self.wrong("there are more answers than legal turns"));
        }
        Ok(())
    }
}

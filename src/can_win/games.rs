//! Random games in which both sides play for a win of one side. They find wins in positions with many units,
//! where most games of this kind end with a mate sooner or later, but where a search of all positions gets lost
//! in their number. They prove nothing if they find nothing.
//!
//! Each game has an aim of its own: a square for the king that is to be mated, and weights of features, both
//! random. In each position, the turn that serves the aim best is played, out of some that are chosen at
//! random. Turns after which an argument excludes the win are left out. The aims only choose turns, so any rule set
//! may be played.

use crate::aim::Aim;
use crate::search::is_irreversible;
use crate::{Argument, is_win};
use board::Color;
use control::Random;
use explore::StateId;
use position::{Codec, KEY_WORDS, Layout, Position};
use rules::{Game, Turn};
use std::collections::HashMap;

/// The number of plies of a game after which a new one begins.
const MAX_GAME_PLIES: usize = 160;

/// Random games.
pub(crate) struct Games<'a, W: Layout> {
    game: &'a dyn Game<W>,
    side: Color,
    argument: Argument,
    random: Random,
    /// The state from which the current game began; `None` before the first game.
    start: Option<StateId>,
    /// The position of the current game, and the turns that led there.
    position: Position<W>,
    line: Vec<Turn>,
    aim: Aim,
    turns: Vec<Turn>,
}

impl<'a, W: Layout> Games<'a, W> {
    /// Returns games for a win of `side`, which begin where the `start` of [`play`](Self::play) says. `root` may be any
    /// position of the game.
    pub(crate) fn new(
        game: &'a dyn Game<W>,
        root: &Position<W>,
        side: Color,
        argument: Argument,
    ) -> Games<'a, W> {
        let mut random = Random(1);
        let aim = Aim::random(game, side, &mut random);
        Games {
            game,
            side,
            argument,
            random,
            start: None,
            position: *root,
            line: Vec::new(),
            aim,
            turns: Vec::new(),
        }
    }

    /// Plays `plies` plies, in as many games as that takes. `start` returns a state from which a game begins, with
    /// its position, in which the game must not be over. Returns the first state and the turns of a game that is
    /// won, if there is one. The next call continues with the last game.
    pub(crate) fn play(
        &mut self,
        plies: usize,
        start: &dyn Fn(&mut Random) -> (StateId, Position<W>),
    ) -> Option<(StateId, Vec<Turn>)> {
        for _ in 0..plies {
            let turn = match (self.start, self.line.len()) {
                (None, _) | (_, MAX_GAME_PLIES..) => None,
                (Some(first), _) => match self.choose() {
                    Choice::Win(turn) => {
                        self.line.push(turn);
                        return Some((first, std::mem::take(&mut self.line)));
                    }
                    Choice::Turn(turn) => Some(turn),
                    Choice::None => None,
                },
            };
            match turn {
                Some(turn) => {
                    self.position = self.game.play(&self.position, &turn);
                    self.line.push(turn);
                }
                None => {
                    let (first, position) = start(&mut self.random);
                    (self.start, self.position) = (Some(first), position);
                    self.line.clear();
                    self.aim = Aim::random(self.game, self.side, &mut self.random);
                }
            }
        }
        None
    }

    /// Chooses a turn in the current position.
    fn choose(&mut self) -> Choice {
        let game = self.game;
        self.turns.clear();
        game.turns(&self.position, &mut self.turns);
        let mut ongoing = Vec::with_capacity(self.turns.len());
        for turn in &self.turns {
            let after = game.play(&self.position, turn);
            let outcome = game.outcome(&after);
            if is_win(outcome, self.side) {
                return Choice::Win(*turn);
            }
            if outcome.is_ongoing() {
                ongoing.push((*turn, after));
            }
        }
        let mut best: Option<(i32, Turn)> = None;
        let mut left = self.aim.candidates;
        while left > 0 && !ongoing.is_empty() {
            let (turn, after) = ongoing.swap_remove(self.random.below(ongoing.len()));
            let distance = self.aim.distance(game, &after);
            if best.as_ref().is_some_and(|(least, _)| *least <= distance) {
                left -= 1;
                continue;
            }
            // The argument takes longest, so it comes last.
            let is_dead = is_irreversible(&self.position, &after)
                && self.argument.refutes(game, &after, self.side);
            if !is_dead {
                best = Some((distance, turn));
                left -= 1;
            }
        }
        best.map_or(Choice::None, |(_, turn)| Choice::Turn(turn))
    }
}

/// Returns the turns of a line without those between two equal positions.
pub(crate) fn without_detours<W: Layout>(
    game: &dyn Game<W>,
    root: &Position<W>,
    whole: &[Turn],
) -> Vec<Turn> {
    let codec = Codec::new(game.key_plan(root));
    let words = codec.words();
    let key = |p: &Position<W>| {
        let mut key = [0; KEY_WORDS];
        codec.encode(p, &mut key[..words]);
        key
    };
    let mut p = *root;
    let mut line: Vec<Turn> = Vec::new();
    let mut numbers = HashMap::from([(key(&p), 0)]);
    for turn in whole {
        p = game.play(&p, turn);
        line.push(*turn);
        match numbers.get(&key(&p)) {
            Some(&plies) => {
                line.truncate(plies);
                numbers.retain(|_, number| *number <= plies);
            }
            None => {
                numbers.insert(key(&p), line.len());
            }
        }
    }
    line
}

/// The choice in a position.
enum Choice {
    /// A turn that wins.
    Win(Turn),
    /// A turn after which the game continues.
    Turn(Turn),
    /// There is no such turn.
    None,
}

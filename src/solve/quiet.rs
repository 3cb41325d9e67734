//! Turns that surely do not force the opponent to mate.
//!
//! Precondition: turns are what the men say ([`Plain`]) and kings have orthodox flights, so that
//! checks come from men alone. A quiet turn of the opponent that is there
//! before a turn, by a unit off all lines of both kings, is still there afterward and still
//! quiet, unless the turn gives check, moves the king or touches its squares.

use super::goal::Judge;
use super::stipulation::Goal;
use crate::board::{Kind, Squares};
use crate::position::{Layout, Position};
use crate::rules::{Action, Plain, Turn, with_turns};
use smallvec::SmallVec;

/// The most quiet turns that are looked for: after most turns one is left.
const MOST: usize = 3;

/// Quiet turns of the opponent in a position.
pub struct Quiet<S> {
    /// The squares of each: from, passed, to.
    paths: SmallVec<[S; MOST]>,
    /// The mover's turns that may give check.
    checks: SmallVec<[Turn; 16]>,
}

impl<S: Squares> Quiet<S> {
    /// The quiet turns of the side not to move; `None` if a rule set does not promise what is
    /// needed, or mate is not the goal.
    pub fn new<W: Layout<Set = S>>(judge: Judge<'_, W>, p: &Position<W>) -> Option<Quiet<S>> {
        let game = judge.game;
        if judge.goal != Goal::Mate || game.plain() == Plain::No || !game.flights() {
            return None;
        }
        let board = game.board();
        let king = p.units(p.side, Kind::King).first()?;
        let other = p.units(!p.side, Kind::King).first()?;
        let lines = |at| board.star(at);
        let (near, far) = (lines(king), lines(other));
        let mut swapped = *p;
        swapped.side = !p.side;
        swapped.set_en_passant(None);
        let mut paths = SmallVec::<[S; MOST]>::new();
        with_turns(|turns| {
            game.turns(&swapped, turns);
            for turn in turns.iter() {
                let step = turn.first();
                let quiet = step.action() == Action::Go
                    && turn.steps[1].is_none()
                    && step.kind() != Kind::King
                    && step.becomes().is_none()
                    && !p.occupied().has(step.to)
                    && !(near | far).has(step.from)
                    && !near.has(step.to)
                    && !(board.leaps(step.kind()) && board.leap(step.kind(), step.to).has(king));
                let path = board
                    .between(step.from, step.to)
                    .with(step.from)
                    .with(step.to);
                if quiet && paths.iter().all(|known| (*known & path).is_empty()) {
                    paths.push(path);
                    if paths.len() == MOST {
                        break;
                    }
                }
            }
        });
        let mut checks = SmallVec::new();
        if !paths.is_empty() {
            with_turns(|turns| {
                game.may_check(p, turns);
                checks.extend_from_slice(turns);
            });
        }
        Some(Quiet { paths, checks })
    }

    /// Whether the opponent surely has a turn that does not mate after this one.
    pub fn stays(&self, turn: &Turn) -> bool {
        let step = turn.first();
        matches!(step.action(), Action::Go | Action::DoubleStep)
            && step.kind() != Kind::King
            && self.paths.iter().any(|path| !path.has(step.to))
            && !self.checks.contains(turn)
    }
}

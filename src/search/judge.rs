//! Whether a turn reaches a goal.

use crate::goal::Goal;
use crate::limits::Watch;
use board::{Color, Kind, Squares};
use control::Stopped;
use language::{Expression, Interrupted, Subject};
use per_layout::per_layout;
use position::{Layout, Position};
use rules::{Action, Game, MATE, Outcome, STALEMATE, Turn, reason, with_turns};
use std::panic::resume_unwind;

/// The goal where mate alone wins.
static MATE_GOAL: Goal = Goal::Mate;

/// Judges whether turns of a game reach a goal.
pub struct Judge<'g, W: Layout> {
    /// The rules.
    pub game: &'g dyn Game<W>,
    /// What is to be reached.
    pub goal: &'g Goal,
    late: bool,
    any_win: bool,
}

impl<W: Layout> Clone for Judge<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: Layout> Copy for Judge<'_, W> {}

#[per_layout]
impl<'g, W: Layout> Judge<'g, W> {
    /// Returns a judge of this goal.
    pub fn new(game: &'g dyn Game<W>, goal: &'g Goal) -> Judge<'g, W> {
        // A side that is checkmated, stalemated or without a turn is the side to move: such an
        // end never follows a turn of the side that it would be a goal for, but its opponent's.
        let own = |r| matches!(r, reason::CHECKMATE | reason::STALEMATE | reason::NO_TURN);
        let late = match goal {
            Goal::Win => !game
                .variant()
                .rule_set
                .reasons()
                .iter()
                .all(|(r, _)| own(*r)),
            Goal::Reason(reason) => !own(*reason),
            Goal::NotLose => true,
            _ => false,
        };
        // With the usual meanings of the usual ends alone, a win is a checkmate.
        let usual = || {
            let orthodox = [MATE, STALEMATE];
            game.variant()
                .rule_set
                .reasons()
                .iter()
                .all(|r| orthodox.contains(r))
        };
        let only_mate = *goal == Goal::Reason(reason::CHECKMATE) || *goal == Goal::Win && usual();
        Judge {
            game,
            goal: if only_mate { &MATE_GOAL } else { goal },
            late,
            any_win: *goal == Goal::Win || (only_mate || *goal == Goal::Mate) && usual(),
        }
    }
}

impl<'g, W: Layout> Judge<'g, W> {
    /// Returns whether checkmate is the goal, and nothing else.
    #[inline]
    pub fn is_mate(&self) -> bool {
        matches!(self.goal, Goal::Mate)
    }

    /// Looks whether to stop before turns that reach the goal are looked for: but for checkmate each
    /// turn is played, which in slow rule sets takes long.
    ///
    /// # Errors
    /// If the search is to stop.
    #[inline]
    pub fn glance(&self, watch: &Watch<'_>) -> Result<(), Stopped> {
        match self.goal {
            Goal::Mate => Ok(()),
            _ => watch.check_now(),
        }
    }

    /// Returns as [`can_reach`](Self::can_reach), unless it is to stop.
    ///
    /// # Errors
    /// If the search is to stop.
    #[inline]
    pub fn can_reach_yet(&self, p: &Position<W>, watch: &Watch<'_>) -> Result<bool, Stopped> {
        self.glance(watch)?;
        Ok(self.can_reach(p))
    }

    /// Returns whether every win is the goal, and nothing else.
    pub fn any_win(&self) -> bool {
        self.any_win
    }

    /// Returns whether the goal can also be reached by a turn of the opponent (which then loses by its own
    /// turn).
    pub fn late(&self) -> bool {
        self.late
    }

    /// Returns whether a turn of one side has reached the goal for the other one.
    pub fn late_reached(&self, after: &Position<W>, by: Color) -> bool {
        self.late
            && match self.game.outcome(after) {
                outcome @ (Outcome::Win(..) | Outcome::WeakWin(..)) => {
                    self.goal.is_reached(outcome, by)
                }
                outcome => *self.goal == Goal::NotLose && self.goal.is_reached(outcome, by),
            }
    }
}

#[per_layout]
impl<'g, W: Layout> Judge<'g, W> {
    /// Returns whether a legal turn reaches the goal for the side that makes it.
    ///
    /// # Panics
    /// With [`Interrupted`], without a message, if the expression of the goal has a stop that interrupted its
    /// evaluation: then no answer would be right.
    pub fn reached(&self, before: &Position<W>, turn: &Turn, after: &Position<W>) -> bool {
        let by = before.side;
        match self.goal {
            Goal::Mate => {
                self.game.in_check(after, after.side)
                    && self.goal.is_reached(self.game.outcome(after), by)
            }
            Goal::Stalemate
            | Goal::MateOrStalemate
            | Goal::Win
            | Goal::NotLose
            | Goal::Reason(_) => self.goal.is_reached(self.game.outcome(after), by),
            Goal::DoubleMate => self.both_mated(after),
            Goal::Check => self.game.in_check(after, after.side),
            Goal::Capture => {
                let theirs = before.color(!by);
                after.color(!by).len() < theirs.len()
                    || turn
                        .steps()
                        .any(|step| step.action() == Action::Go && theirs.has(step.to))
            }
            Goal::Target(square) => turn
                .steps()
                .any(|step| step.to == *square && step.action() != Action::Push),
            Goal::Any => true,
            Goal::Expression(condition) => {
                let subject = Subject {
                    after: Some(after),
                    ..Subject::of_turn(self.game, before, *turn)
                };
                let holds = condition.expression().holds(&subject);
                holds
                    .unwrap_or_else(|interrupted: Interrupted| resume_unwind(Box::new(interrupted)))
            }
        }
    }
}

impl<'g, W: Layout> Judge<'g, W> {
    /// Appends the turns of the side to move that reach the goal for it. They are legal, except
    /// that a double mate may expose the own king if there is any legal turn.
    pub fn reaching(&self, p: &Position<W>, out: &mut Vec<Turn>) {
        self.find(p, out, false);
    }

    /// Returns whether a turn of the side to move reaches the goal for it.
    pub fn can_reach(&self, p: &Position<W>) -> bool {
        with_turns(|turns| {
            self.find(p, turns, true);
            !turns.is_empty()
        })
    }
}

#[per_layout]
impl<W: Layout> Judge<'_, W> {
    /// Appends the turns that reach the goal, with `first` at most one of them.
    fn find(&self, p: &Position<W>, out: &mut Vec<Turn>, first: bool) {
        if self.is_mate() {
            return self.game.checkmates(p, out, first);
        }
        with_turns(|turns| {
            match self.goal {
                // Who is mated already, or stalemated, makes no turn any more.
                Goal::DoubleMate => {
                    if self.game.has_turn(p) {
                        self.game.pseudo_turns(p, turns);
                    }
                }
                Goal::Check => self.game.may_check(p, turns),
                Goal::Expression(_) if self.requires(Expression::requires_mate) => {
                    self.game.checkmates(p, turns, false);
                }
                Goal::Expression(_) if self.requires(Expression::requires_check) => {
                    self.game.may_check(p, turns);
                }
                _ => self.game.turns(p, turns),
            }
            for turn in turns.iter() {
                if self.reached(p, turn, &self.game.play(p, turn)) {
                    out.push(*turn);
                    if first {
                        return;
                    }
                }
            }
        });
    }

    /// Returns whether the expression requires something of every turn that reaches the goal.
    fn requires(&self, what: fn(&Expression) -> bool) -> bool {
        match self.goal {
            Goal::Expression(condition) => what(condition.expression()),
            _ => false,
        }
    }

    fn both_mated(&self, p: &Position<W>) -> bool {
        let mut swapped = *p;
        swapped.side = !p.side;
        swapped.set_en_passant(None);
        self.mated(p) && self.mated(&swapped)
    }

    /// Returns whether the side to move is in check and cannot help it, not even by capturing an exposed
    /// king.
    fn mated(&self, p: &Position<W>) -> bool {
        if !self.game.in_check(p, p.side) || self.game.has_turn(p) {
            return false;
        }
        // The enemy royal units as something that can be captured.
        let royals = self.game.royals(p, !p.side);
        let mut bare = *p;
        bare.clear_all(royals);
        bare.fill(!p.side, Kind::Pawn, royals);
        !with_turns(|turns| {
            self.game.turns(&bare, turns);
            turns
                .iter()
                .any(|turn| turn.steps().any(|step| royals.has(step.to)))
        })
    }
}

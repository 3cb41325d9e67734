//! Decides whether a turn reaches a goal, and finds the turns that do.

use crate::goal::Goal;
use crate::limits::Watch;
use board::{Color, Kind, Squares};
use control::Stopped;
use language::{Expression, Interrupted, Subject};
use per_layout::per_layout;
use position::{Layout, Position};
use rules::{Action, Game, MATE, Outcome, STALEMATE, Turn, reason, with_turns};

/// The goal that replaces `win` and `checkmate` if mate alone wins.
static MATE_GOAL: Goal = Goal::Mate;

/// Decides whether turns of a game reach a goal.
pub struct Judge<'g, W: Layout> {
    /// The rules.
    pub game: &'g dyn Game<W>,
    /// The goal, simplified to [`Goal::Mate`] if nothing else can reach it.
    pub goal: &'g Goal,
    opponent_may_reach: bool,
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
    /// Returns a judge for turns of `game` and this goal.
    pub fn new(game: &'g dyn Game<W>, goal: &'g Goal) -> Judge<'g, W> {
        // A side that is checkmated, stalemated or without a turn is the side to move. So a side can reach
        // such an end only by its own turn, not by a turn of its opponent.
        let own = |r| matches!(r, reason::CHECKMATE | reason::STALEMATE | reason::NO_TURN);
        let opponent_may_reach = match goal {
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
        // If the rule set has only orthodox checkmate and stalemate, every win is a checkmate.
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
            opponent_may_reach,
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

    /// Checks whether the search must stop before turns that reach the goal are searched for. For goals other
    /// than checkmate, this search plays each turn, which takes long in slow rule sets. With checkmate as the
    /// goal, the check is skipped.
    ///
    /// # Errors
    /// If the search is to stop.
    #[inline]
    pub fn check_if_slow(&self, watch: &Watch<'_>) -> Result<(), Stopped> {
        match self.goal {
            Goal::Mate => Ok(()),
            _ => watch.check_now(),
        }
    }

    /// Like [`can_reach`](Self::can_reach), but first checks whether the search must stop.
    ///
    /// # Errors
    /// If the search is to stop.
    #[inline]
    pub fn try_can_reach(&self, p: &Position<W>, watch: &Watch<'_>) -> Result<bool, Stopped> {
        self.check_if_slow(watch)?;
        Ok(self.can_reach(p))
    }

    /// Returns whether every win, and nothing else, reaches the goal.
    pub fn any_win(&self) -> bool {
        self.any_win
    }

    /// Returns whether the goal can also be reached by a turn of the opponent, who then loses by its own
    /// turn.
    pub fn opponent_may_reach(&self) -> bool {
        self.opponent_may_reach
    }

    /// Returns whether the turn that led to `after`, made by the opponent of `by`, has reached the goal for
    /// `by`.
    pub fn reached_by_opponent(&self, after: &Position<W>, by: Color) -> bool {
        self.opponent_may_reach
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
    /// With [`Interrupted`] and without a message, if the evaluation of the goal's expression was
    /// interrupted, so that the answer is unknown.
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
                holds.unwrap_or_else(Interrupted::unwind)
            }
        }
    }
}

impl<'g, W: Layout> Judge<'g, W> {
    /// Appends the turns with which the side to move reaches the goal. All are legal, with one exception: a
    /// double mate may leave its own side's king in check, provided that the side has a legal turn.
    pub fn reaching(&self, p: &Position<W>, out: &mut Vec<Turn>) {
        self.find(p, out, false);
    }

    /// Returns whether the side to move can reach the goal with one turn.
    pub fn can_reach(&self, p: &Position<W>) -> bool {
        with_turns(|turns| {
            self.find(p, turns, true);
            !turns.is_empty()
        })
    }
}

#[per_layout]
impl<W: Layout> Judge<'_, W> {
    /// Appends the turns that reach the goal, or only the first of them if `first` is set.
    fn find(&self, p: &Position<W>, out: &mut Vec<Turn>, first: bool) {
        if self.is_mate() {
            return self.game.checkmates(p, out, first);
        }
        with_turns(|turns| {
            match self.goal {
                // A side that is already checkmated or stalemated cannot make a turn.
                Goal::DoubleMate => {
                    if self.game.has_turn(p) {
                        self.game.pseudo_turns(p, turns);
                    }
                }
                Goal::Check => self.game.may_check(p, turns),
                Goal::Expression(_) if self.goal_requires(Expression::requires_mate) => {
                    self.game.checkmates(p, turns, false);
                }
                Goal::Expression(_) if self.goal_requires(Expression::requires_check) => {
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

    /// Returns whether the goal is an expression that has the property `what`, such as requiring a check.
    fn goal_requires(&self, what: fn(&Expression) -> bool) -> bool {
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

    /// Returns whether the side to move is in check and has no legal turn, and cannot capture an enemy royal
    /// unit either.
    fn mated(&self, p: &Position<W>) -> bool {
        if !self.game.in_check(p, p.side) || self.game.has_turn(p) {
            return false;
        }
        // Replace the enemy royal units by pawns, so that they can be captured.
        let royals = self.game.royals(p, !p.side);
        let mut without_royals = *p;
        without_royals.clear_all(royals);
        without_royals.fill(!p.side, Kind::Pawn, royals);
        !with_turns(|turns| {
            self.game.turns(&without_royals, turns);
            turns
                .iter()
                .any(|turn| turn.steps().any(|step| royals.has(step.to)))
        })
    }
}

//! Goals: what a side must reach in a problem, a proof or a claim.
//!
//! An **end** is reached by an outcome of the game, such as checkmate or any win. Every other goal is reached
//! by a turn, such as a check or a turn for which an expression holds. [`Judge`](crate::Judge) decides
//! whether a turn reaches a goal.

use board::{Color, Square};
use diagnostics::{Diagnostic, nearest};
use language::Expression;
use rules::{MATE, Outcome, Reason, RuleSet, STALEMATE, reason};
use std::fmt;
use std::sync::Arc;

/// A goal of one side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// `#`: checkmate of the opponent.
    Mate,
    /// `=`: stalemate of the opponent.
    Stalemate,
    /// `#=`: checkmate or stalemate of the opponent.
    MateOrStalemate,
    /// `##`: a turn that leaves both sides checkmated. The turn may leave its own side's king in check.
    DoubleMate,
    /// `+`: check.
    Check,
    /// `x`: a capture.
    Capture,
    /// `z` and a square: a unit moves to this square.
    Target(Square),
    /// `~`: any turn.
    Any,
    /// The game is won, whatever the reason. A weak win does not count.
    Win,
    /// The game ends, and the side has not lost.
    NotLose,
    /// The game ends for this reason, as a draw or as a win of the side. A weak win counts.
    Reason(Reason),
    /// A turn for which the expression holds.
    Expression(Condition),
}

/// An expression about a turn. Two conditions are equal if their texts are.
#[derive(Clone, Debug)]
pub struct Condition(Arc<Expression>);

impl PartialEq for Condition {
    fn eq(&self, other: &Condition) -> bool {
        self.0.source() == other.0.source()
    }
}

impl Eq for Condition {}

impl Condition {
    /// Returns the expression.
    pub fn expression(&self) -> &Expression {
        &self.0
    }
}

impl Goal {
    /// Returns the goal of making a turn for which the expression holds. The expression must be a condition
    /// on a turn.
    pub fn expression(expression: Expression) -> Goal {
        Goal::Expression(Condition(Arc::new(expression)))
    }

    /// Parses an end: `win`, `not-lose` or one of the rule set's reasons for the end of a game.
    ///
    /// # Errors
    /// If the rule set has no such reason.
    pub fn parse(text: &str, rule_set: &RuleSet) -> Result<Goal, Diagnostic> {
        match text {
            "win" => return Ok(Goal::Win),
            "not-lose" => return Ok(Goal::NotLose),
            _ => {}
        }
        let reasons = || rule_set.reasons().iter().map(|(reason, _)| *reason);
        if let Some(reason) = reasons().find(|reason| *reason == text) {
            return Ok(Goal::Reason(reason));
        }
        let all: Vec<&str> = ["win", "not-lose"].into_iter().chain(reasons()).collect();
        let help = match nearest(text, all.iter().copied()) {
            _ if text.contains('#') => format!(
                "stipulations are solved by `solve {} '{text}'`",
                rule_set.id()
            ),
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("one of {}", all.join(", ")),
        };
        let why = format!("`{}` has no such aim", rule_set.id());
        Err(Diagnostic::new(format!("goal `{text}`"), why).help(help))
    }

    /// Returns whether the goal is an end, which an outcome of the game reaches, rather than a property of a
    /// turn.
    pub fn is_end(&self) -> bool {
        matches!(
            self,
            Goal::Mate
                | Goal::Stalemate
                | Goal::MateOrStalemate
                | Goal::Win
                | Goal::NotLose
                | Goal::Reason(_)
        )
    }

    /// Returns whether a series may continue after a turn that reaches the goal: the other side is stalemated or
    /// checkmated, and passes if it is not in check.
    pub fn is_passable(&self) -> bool {
        matches!(self, Goal::Stalemate | Goal::MateOrStalemate)
    }

    /// Returns whether an outcome reaches the goal for the side `by`. Always false for an ongoing game and
    /// for a goal that is not an end.
    pub fn is_reached(&self, outcome: Outcome, by: Color) -> bool {
        match (self, outcome) {
            (_, Outcome::Ongoing) => false,
            (Goal::Mate, Outcome::Win(winner, r)) => winner == by && r == reason::CHECKMATE,
            (Goal::Win, Outcome::Win(winner, _)) => winner == by,
            (Goal::Reason(want), Outcome::Win(winner, r) | Outcome::WeakWin(winner, r)) => {
                winner == by && r == *want
            }
            (Goal::Reason(want), Outcome::Draw(r)) => r == *want,
            (Goal::Stalemate, ended) => ended.reason() == Some(reason::STALEMATE),
            (Goal::MateOrStalemate, ended) => {
                ended.reason() == Some(reason::STALEMATE) || Goal::Mate.is_reached(ended, by)
            }
            (Goal::NotLose, ended) => ended.worth(by) >= 0,
            _ => false,
        }
    }

    /// Returns whether the goal can also be reached by a turn of the opponent. If orthodox checkmate is the
    /// only win, no such turn exists, because the side that is checkmated is the side to move.
    pub fn may_be_given(&self, rule_set: &RuleSet) -> bool {
        let has_usual_mate = rule_set.reasons().contains(&MATE);
        match self {
            Goal::Win => {
                let is_usual = |r| [MATE, STALEMATE].contains(r);
                !(has_usual_mate && rule_set.reasons().iter().all(is_usual))
            }
            Goal::Mate | Goal::Reason(reason::CHECKMATE) => !has_usual_mate,
            _ => self.is_end(),
        }
    }

    /// Returns whether orthodox checkmate of the opponent, and nothing else, reaches the goal.
    pub fn is_usual_mate(&self, rule_set: &RuleSet) -> bool {
        let may_be_mate = matches!(
            self,
            Goal::Mate | Goal::Win | Goal::Reason(reason::CHECKMATE)
        );
        may_be_mate && !self.may_be_given(rule_set)
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Goal::Mate => "#",
            Goal::Stalemate => "=",
            Goal::MateOrStalemate => "#=",
            Goal::DoubleMate => "##",
            Goal::Check => "+",
            Goal::Capture => "x",
            Goal::Target(_) => "z",
            Goal::Any => "~",
            Goal::Win => "win",
            Goal::NotLose => "not-lose",
            Goal::Reason(reason) => reason,
            Goal::Expression(condition) => condition.expression().source(),
        })
    }
}

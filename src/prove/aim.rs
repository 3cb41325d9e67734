//! What is to be forced: a win, an end for a named reason, not to lose.

use board::Color;
use diagnostics::{Diagnostic, nearest};
use rules::{MATE, Outcome, Reason, RuleSet, STALEMATE, reason};
use std::fmt;

/// What one side is to force, against any defense, by an end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// It wins, for whatever reason. A weak win is none.
    Win,
    /// The game ends for this reason, won by it (weakly, too) or drawn.
    Reason(Reason),
    /// The game ends, and it has not lost.
    NotLose,
}

impl Aim {
    /// Reads `win`, `not-lose` or a reason of the rule set.
    ///
    /// # Errors
    /// If the rule set has no such reason.
    pub fn parse(text: &str, rule_set: &RuleSet) -> Result<Aim, Diagnostic> {
        match text {
            "win" => return Ok(Aim::Win),
            "not-lose" => return Ok(Aim::NotLose),
            _ => {}
        }
        let reasons = || rule_set.reasons().iter().map(|(reason, _)| *reason);
        if let Some(reason) = reasons().find(|reason| *reason == text) {
            return Ok(Aim::Reason(reason));
        }
        let all: Vec<&str> = ["win", "not-lose"].into_iter().chain(reasons()).collect();
        let help = match nearest(text, all.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("one of {}", all.join(", ")),
        };
        let why = format!("`{}` has no such aim", rule_set.id());
        Err(Diagnostic::new(format!("goal `{text}`"), why).help(help))
    }

    /// Returns whether an outcome is what the side wanted. An ongoing game never is.
    pub fn reached(self, outcome: Outcome, by: Color) -> bool {
        match (self, outcome) {
            (_, Outcome::Ongoing) => false,
            (Aim::Win, Outcome::Win(winner, _)) => winner == by,
            (Aim::Reason(wanted), Outcome::Win(winner, r) | Outcome::WeakWin(winner, r)) => {
                winner == by && r == wanted
            }
            (Aim::Reason(wanted), Outcome::Draw(r)) => r == wanted,
            (Aim::NotLose, ended) => ended.worth(by) >= 0,
            _ => false,
        }
    }

    /// Returns whether a turn of the opponent, too, may bring the aim about. Where nothing but the usual
    /// checkmate wins, it never does: who is checkmated is the side to move.
    pub(crate) fn may_be_given(self, rule_set: &RuleSet) -> bool {
        let usual = rule_set.reasons().contains(&MATE);
        match self {
            Aim::Win => {
                !(usual
                    && rule_set
                        .reasons()
                        .iter()
                        .all(|r| [MATE, STALEMATE].contains(r)))
            }
            Aim::Reason(reason::CHECKMATE) => !usual,
            _ => true,
        }
    }

    /// Returns whether checkmate of the opponent, and nothing else, is the aim.
    pub(crate) fn is_mate(self, rule_set: &RuleSet) -> bool {
        self != Aim::NotLose && !self.may_be_given(rule_set)
    }
}

impl fmt::Display for Aim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Aim::Win => "win",
            Aim::Reason(reason) => reason,
            Aim::NotLose => "not-lose",
        })
    }
}

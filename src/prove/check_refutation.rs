//! Checks refutations: certificates that the goal is not forced within a number of plies.
//!
//! A refutation has entries at positions of the defender: one answer, and as its rank the most plies, that answer
//! among them, within which the goal is not reached. An entry of rank `r` holds if its answer does not reach the
//! goal, no turn of the attacker after it does, and each of them ends the game or leads to a position of which
//! the file shows the same for `r - 2` plies. So what an entry says for any `k <= r` plies rests on what others
//! say for `k - 2`, and no line can come back to rest on itself, however positions recur.
//!
//! Positions with at most [`SEARCHED_PLIES`] left have no entry: here all answers are tried. They are nearly all
//! positions of a search, and none of them needs a choice that is hard to find.

use crate::certificate::Certificate;
use crate::check::{Checked, Claim, wrong};
use diagnostics::Diagnostic;
use notation::{fen, turns};
use position::{Codec, KEY_WORDS, Layout, Position};
use rules::{Game, Turn};
use search::Judge;

/// The most plies left at a position of the defender for which an answer is searched, not looked up.
pub const SEARCHED_PLIES: u16 = 2;

/// The check of one refutation.
pub(crate) struct RefutationChecker<'c, W: Layout> {
    game: &'c dyn Game<W>,
    certificate: &'c Certificate,
    claim: &'c Claim,
    /// Decides whether a turn reaches the goal, where that is not an end of the game.
    judge: Option<Judge<'c, W>>,
    codec: Codec,
    is_reached: Vec<bool>,
    /// Entries that have been reached and not yet been examined, with their positions.
    open: Vec<(Position<W>, usize)>,
    checked: Checked,
}

/// What a turn leads to.
enum After {
    /// The goal is reached.
    Goal,
    /// The game is over otherwise.
    Over,
    /// The game continues.
    Ongoing,
}

impl<'c, W: Layout> RefutationChecker<'c, W> {
    /// Returns the check of a refutation whose header is that of its position.
    pub fn new(
        game: &'c dyn Game<W>,
        certificate: &'c Certificate,
        claim: &'c Claim,
        codec: Codec,
        plies: u16,
    ) -> RefutationChecker<'c, W> {
        RefutationChecker {
            game,
            certificate,
            claim,
            judge: (!claim.goal.is_end()).then(|| Judge::new(game, &claim.goal)),
            codec,
            is_reached: vec![false; certificate.len()],
            open: Vec::new(),
            checked: Checked {
                positions: 0,
                answered_turns: 0,
                ends: 0,
                plies: Some(plies),
            },
        }
    }

    /// Checks that the goal is not forced from `root` within `plies`.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn check(mut self, root: &Position<W>, plies: u16) -> Result<Checked, Diagnostic> {
        if root.side == self.claim.side {
            self.attacks(root, plies)?;
        } else {
            self.defends(root, plies)?;
        }
        while let Some((p, at)) = self.open.pop() {
            self.answered(&p, at)?;
        }
        if let Some(at) = self.is_reached.iter().position(|reached| !reached) {
            return Err(wrong(format!("its position {at} is never reached")));
        }
        Ok(self.checked)
    }

    fn at(&self, p: &Position<W>, why: &str) -> Diagnostic {
        wrong(why).at(format!("at `{}`", fen::print(self.game, p)))
    }

    fn after(&self, before: &Position<W>, turn: &Turn, after: &Position<W>) -> After {
        if let Some(judge) = &self.judge
            && before.side == self.claim.side
            && judge.reached(before, turn, after)
        {
            return After::Goal;
        }
        let outcome = self.game.outcome(after);
        if self.claim.goal.is_reached(outcome, self.claim.side) {
            After::Goal
        } else if outcome.is_ongoing() {
            After::Ongoing
        } else {
            After::Over
        }
    }

    /// Checks that no turn of the attacker reaches the goal, and that the defender has an answer to each.
    fn attacks(&mut self, p: &Position<W>, plies: u16) -> Result<(), Diagnostic> {
        if plies == 0 {
            return Ok(());
        }
        let mut list: Vec<Turn> = Vec::new();
        self.game.turns(p, &mut list);
        for turn in &list {
            self.checked.answered_turns += 1;
            let after = self.game.play(p, turn);
            match self.after(p, turn, &after) {
                After::Goal => return Err(self.at(p, "a turn reaches the goal")),
                After::Over => self.checked.ends += 1,
                After::Ongoing => self.defends(&after, plies - 1)?,
            }
        }
        Ok(())
    }

    /// Checks that the defender has an answer with `plies` left; the answer of an entry is checked later.
    fn defends(&mut self, p: &Position<W>, plies: u16) -> Result<(), Diagnostic> {
        if plies == 0 {
            return Ok(());
        }
        if plies <= SEARCHED_PLIES {
            return match self.has_answer(p, plies) {
                true => Ok(()),
                false => Err(self.at(p, "no answer avoids the goal")),
            };
        }
        let mut key = [0; KEY_WORDS];
        self.codec.encode(p, &mut key);
        let at = self
            .certificate
            .find(&key[..self.codec.words()])
            .ok_or_else(|| self.at(p, "a position has no answer"))?;
        let rank = self.certificate.rank(at);
        if rank < plies {
            let why = format!("its answer is for {rank} plies; {plies} are left");
            return Err(self.at(p, &why));
        }
        if !std::mem::replace(&mut self.is_reached[at], true) {
            self.open.push((*p, at));
        }
        Ok(())
    }

    /// Returns whether an answer leaves the attacker without a turn that reaches the goal, with one or two plies
    /// left.
    fn has_answer(&mut self, p: &Position<W>, plies: u16) -> bool {
        let mut answers: Vec<Turn> = Vec::new();
        self.game.turns(p, &mut answers);
        let mut attacks: Vec<Turn> = Vec::new();
        answers.iter().any(|answer| {
            let after = self.game.play(p, answer);
            match self.after(p, answer, &after) {
                After::Goal => false,
                After::Over => true,
                After::Ongoing if plies == 1 => true,
                After::Ongoing => {
                    attacks.clear();
                    self.game.turns(&after, &mut attacks);
                    !attacks.iter().any(|turn| {
                        let last = self.game.play(&after, turn);
                        matches!(self.after(&after, turn, &last), After::Goal)
                    })
                }
            }
        })
    }

    /// Checks the answer of an entry.
    fn answered(&mut self, p: &Position<W>, at: usize) -> Result<(), Diagnostic> {
        self.checked.positions += 1;
        let legal = turns::sorted(self.game, p);
        let (_, turn) = legal.get(self.certificate.turn(at)).ok_or_else(|| {
            self.at(
                p,
                "the number of its turn is greater than the number of turns",
            )
        })?;
        let after = self.game.play(p, turn);
        match self.after(p, turn, &after) {
            After::Goal => Err(self.at(p, "its answer reaches the goal")),
            After::Over => {
                self.checked.ends += 1;
                Ok(())
            }
            After::Ongoing => {
                // The rank is more than the plies that are searched.
                self.attacks(&after, self.certificate.rank(at).saturating_sub(1))
            }
        }
    }
}

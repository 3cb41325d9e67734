//! Checks refutations: certificates that the goal is not forced within a number of plies.
//!
//! A refutation has entries for positions of the defender. Each entry has one answer and a rank: the maximum
//! number of plies, the answer included, within which the goal is not reached. An entry of rank `r` holds
//! under three conditions. Its answer does not reach the goal. No turn of the attacker after the answer
//! reaches the goal. Each of these turns ends the game or leads to a position for which the file shows that
//! the goal is not reached within `r - 2` plies. So a claim for any `k <= r` plies depends only on claims for
//! `k - 2` plies, and no claim depends on itself, even if positions recur.
//!
//! Positions with at most [`SEARCHED_PLIES`] left have no entry; the check tries all answers there. Nearly
//! all positions of a search are of this kind, and none of them needs an answer that is hard to find.

use crate::check::{After, Reading};
use diagnostics::Diagnostic;
use position::{Layout, Position};
use rules::Turn;

/// Maximum number of plies left at a position of the defender for which the check searches for an answer
/// instead of looking one up.
pub const SEARCHED_PLIES: u16 = 2;

/// Checks that the goal is not forced from `root` within `plies`.
///
/// # Errors
/// If the refutation does not hold. The error names the reason and the position.
pub(crate) fn check_refutation<W: Layout>(
    reading: &mut Reading<'_, W>,
    root: &Position<W>,
    plies: u16,
) -> Result<(), Diagnostic> {
    let mut checker = RefutationChecker(reading);
    if root.side == checker.0.claim.side {
        checker.attacks(root, plies)?;
    } else {
        checker.defends(root, plies)?;
    }
    while let Some((p, at)) = checker.0.next() {
        checker.answered(&p, at)?;
    }
    Ok(())
}

/// The check of one refutation.
struct RefutationChecker<'r, 'c, W: Layout>(&'r mut Reading<'c, W>);

impl<W: Layout> RefutationChecker<'_, '_, W> {
    /// Checks that no turn of the attacker reaches the goal, and that the defender has an answer to each.
    fn attacks(&mut self, p: &Position<W>, plies: u16) -> Result<(), Diagnostic> {
        if plies == 0 {
            return Ok(());
        }
        let mut list: Vec<Turn> = Vec::new();
        self.0.game.turns(p, &mut list);
        for turn in &list {
            self.0.checked.answered_turns += 1;
            let after = self.0.game.play(p, turn);
            match self.0.after(p, turn, &after) {
                After::Goal => return Err(self.0.at(p, "a turn reaches the goal")),
                After::Over(_) => self.0.checked.ends += 1,
                After::Ongoing => self.defends(&after, plies - 1)?,
            }
        }
        Ok(())
    }

    /// Checks that the defender has an answer with `plies` left. The answer of an entry is checked later.
    fn defends(&mut self, p: &Position<W>, plies: u16) -> Result<(), Diagnostic> {
        if plies == 0 {
            return Ok(());
        }
        if plies <= SEARCHED_PLIES {
            self.0.go_on()?;
            return match self.has_answer(p, plies) {
                true => Ok(()),
                false => Err(self.0.at(p, "no answer avoids the goal")),
            };
        }
        let rank = self.0.reach(p, "a position has no answer")?;
        if rank < plies {
            let why = format!("its answer is for {rank} plies; {plies} are left");
            return Err(self.0.at(p, &why));
        }
        Ok(())
    }

    /// Returns whether the defender has an answer after which no turn of the attacker reaches the goal. One
    /// or two plies are left.
    fn has_answer(&mut self, p: &Position<W>, plies: u16) -> bool {
        let mut answers: Vec<Turn> = Vec::new();
        self.0.game.turns(p, &mut answers);
        let mut attacks: Vec<Turn> = Vec::new();
        answers.iter().any(|answer| {
            let after = self.0.game.play(p, answer);
            match self.0.after(p, answer, &after) {
                After::Goal => false,
                After::Over(_) => true,
                After::Ongoing if plies == 1 => true,
                After::Ongoing => {
                    attacks.clear();
                    self.0.game.turns(&after, &mut attacks);
                    !attacks.iter().any(|turn| {
                        let last = self.0.game.play(&after, turn);
                        matches!(self.0.after(&after, turn, &last), After::Goal)
                    })
                }
            }
        })
    }

    /// Checks the answer of an entry.
    fn answered(&mut self, p: &Position<W>, at: usize) -> Result<(), Diagnostic> {
        let (turn, after) = self.0.turn(p, at)?;
        match self.0.after(p, &turn, &after) {
            After::Goal => Err(self.0.at(p, "its answer reaches the goal")),
            After::Over(_) => {
                self.0.checked.ends += 1;
                Ok(())
            }
            After::Ongoing => {
                // The rank exceeds the plies for which answers are searched.
                self.attacks(&after, self.0.certificate.rank(at).saturating_sub(1))
            }
        }
    }
}

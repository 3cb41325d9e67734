//! The numbers of a position before it is searched: from the rules, a leaf test, or estimates.
//!
//! A search for a proof of any length begins with estimated numbers (df-pn+, A. Nagai and H. Imai 1999). With
//! the defender to move, they count its replies, of which few parry a threat. With the attacker to move, they
//! count the flights of the king that is to be mated.

use super::Search;
use crate::limits::Pause;
use crate::proof_numbers::{ANY, NEVER, ProofNumbers};
use crate::question::{Estimates, Question};
use position::{Layout, Position};
use rules::with_turns;

/// Number of the attacker's turns that count as one in the initial disproof number. Measured on long wins
/// with few units: compared with counting all turns as one, this saves a tenth of the positions.
const ATTEMPTS: u32 = 8;

/// Number of replies that count as parries of a threat to reach the goal at once, if there are more replies.
/// Measured together with the flights of the king: of 35 mates in 7 to 110 that 9 million positions did not
/// solve, 5 million now solve 10.
const PARRIES: u32 = 3;

/// One in this many of the other replies also counts as a parry.
const PARRIES_PART: u32 = 8;

/// Plies of a win within two turns of the attacker.
pub const LEAF_PLIES: u16 = 3;

/// Positions of this search that take as long as one position counted by a search of direct play, as
/// measured.
pub const DIRECT_POSITIONS: u64 = 4;

impl<W: Layout> Search<'_, '_, W> {
    /// Returns the numbers of a position in which the attacker has one turn left.
    pub(super) fn reaches_at_once(&mut self, p: &Position<W>) -> ProofNumbers {
        let question = self.question;
        let game = question.game;
        let reaches = match &question.judge {
            Some(judge) => judge.can_reach(p),
            None => with_turns(|turns| {
                game.turns(p, turns);
                self.made += turns.len() as u64;
                let mut after = *p;
                turns.iter().any(|turn| {
                    game.play_into(p, turn, &mut after);
                    question
                        .goal
                        .is_reached(game.outcome(&after), question.attacker)
                })
            }),
        };
        if reaches {
            return ProofNumbers::proven(1);
        }
        // An attacker without a turn may have reached the goal that way. Otherwise, it never will.
        if game.has_turn(p) {
            ProofNumbers::disproven(1)
        } else {
            question.ended(game.outcome_without_turn(p))
        }
    }

    /// Returns the numbers of a position that the rules alone settle, because the game is over or the plies
    /// are nearly used up.
    #[inline]
    pub(super) fn ends(&mut self, p: &Position<W>, plies: u16) -> Option<ProofNumbers> {
        let question = self.question;
        let game = question.game;
        if let Some(outcome) = game.settled(p) {
            return Some(question.ended(outcome));
        }
        if plies == 0 {
            return Some(if game.has_turn(p) {
                ProofNumbers::disproven(0)
            } else {
                question.ended(game.outcome_without_turn(p))
            });
        }
        (plies == 1 && p.side == question.attacker).then(|| self.reaches_at_once(p))
    }

    /// Returns the initial numbers of a position that neither the rules nor the table settle.
    ///
    /// The estimate of the defender's replies assumes a threat, because verifying one takes long and most
    /// positions are never searched. The second number is the proof number without the threat, or 0 if no
    /// threat is assumed.
    pub(super) fn guess(
        &mut self,
        p: &Position<W>,
        plies: u16,
    ) -> Result<(ProofNumbers, u32), Pause> {
        let question = self.question;
        let game = question.game;
        let settled = |known| Ok((known, 0));
        if let Some(known) = question.told(p, plies)? {
            return settled(known);
        }
        let attacks = p.side == question.attacker;
        if attacks && let Some(judge) = &question.judge {
            if question.by_turn {
                self.made += game.count(p);
            }
            if judge.can_reach(p) {
                return settled(ProofNumbers::proven(1));
            }
        }
        if attacks
            && plies >= LEAF_PLIES
            && let Some(test) = &mut self.leaf_test
        {
            let before = test.positions();
            let forced = test.is_forced(p).map_err(Pause::Stop)?;
            self.made += (test.positions() - before) * DIRECT_POSITIONS;
            if forced {
                return settled(ProofNumbers::proven(LEAF_PLIES));
            }
            // The attacker's last turn is the last ply, so the test has answered the whole question.
            if plies == LEAF_PLIES {
                return settled(ProofNumbers::disproven(plies));
            }
        }
        let count = u32::try_from(game.count(p)).unwrap_or(NEVER);
        // Bounded searches find shorter proofs without these estimates, and a restricted attacker has little
        // choice.
        let estimates = plies == ANY && !question.forcing;
        let Estimates {
            flight_weight,
            line_part,
        } = question.estimates;
        let before = line_part.filter(|_| estimates);
        let before = before.map_or(0, |part| (self.line.len() / part) as u32);
        match (count, attacks) {
            (0, _) => settled(question.ended(game.outcome_without_turn(p))),
            (_, true) => {
                let flights = if estimates { question.flights(p) } else { 0 };
                let pn = 1 + flights * flight_weight + before;
                settled(ProofNumbers::open(pn, 1 + count / ATTEMPTS, plies))
            }
            (_, false) if count > PARRIES && estimates && self.may_threaten() => {
                let parries = PARRIES + (count - PARRIES) / PARRIES_PART;
                let known = ProofNumbers::open(parries + before, 1, plies);
                Ok((known, count + before))
            }
            (_, false) => settled(ProofNumbers::open(count + before, 1, plies)),
        }
    }

    /// Returns whether threats to reach the goal at once can be found quickly enough.
    fn may_threaten(&self) -> bool {
        self.question.judge.is_some() && !self.question.by_turn
    }

    /// Verifies the threat that the estimate of a child assumes. Returns whether the estimate assumed one.
    pub(super) fn verify_threat(&mut self, child: usize) -> bool {
        let Some(child) = self.children.get_mut(child) else {
            return false;
        };
        let without_threat = std::mem::take(&mut child.without_threat);
        if without_threat == 0 {
            return false;
        }
        if !threatens(&self.question, &child.position) {
            child.known = ProofNumbers::open(without_threat, child.known.dn, child.known.plies);
        }
        true
    }
}

/// Returns whether the attacker would reach the goal at once if the defender, to move, could pass.
fn threatens<W: Layout>(question: &Question<'_, W>, p: &Position<W>) -> bool {
    let passed = search::passed(question.game, p);
    let judge = question.judge.as_ref();
    judge.is_some_and(|judge| passed.is_some_and(|passed| judge.can_reach(&passed)))
}

//! The defender's answers: which refute an attack, and in what order they are searched.

use super::{AndOrSearch, turn_number};
use crate::play::Play;
use crate::transpositions::Keyed;
use board::Squares;
use control::Stopped;
use position::{Layout, Position};
use rules::{Turn, with_turns};
use smallvec::SmallVec;
use std::cmp::Reverse;

/// The minimum number of moves left for which the table entries of all answers are read before an answer is
/// searched. With fewer moves left, searching an answer costs less than the reads (measured on mates in 5 to
/// 8).
const PROBED_MOVES: u32 = 3;

/// The cost of an answer for each turn that it leaves the attacker; each square of the king's room reduces the
/// cost by 1. Measured on mates in 5 to 8.
const TURN_COST: i64 = 2;

/// The maximum number of the defender's units, without the king, for which the king's room and captures order
/// answers. With more units, the king seldom refutes. Measured on mates in 5 to 8.
const MAX_OTHER_UNITS: u32 = 4;

/// An answer of the defender. Answers are searched in this order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct RankedAnswer {
    /// Whether the king captures.
    king_captures: Reverse<bool>,
    /// Estimates the size of the tree below the answer.
    cost: i64,
    /// How often the answer refuted before.
    merit: Reverse<u32>,
    /// The number of the answer.
    at: usize,
}

impl<W: Layout> AndOrSearch<'_, W> {
    /// Returns true only if a step of the defender's king refutes every attack of two more turns.
    pub(super) fn has_refuge(&mut self, p: &Position<W>) -> bool {
        let walks = self.walks.as_mut().filter(|_| self.play == Play::Direct);
        walks.is_some_and(|walks| walks.refuge(p).is_some())
    }

    /// Returns the number of an answer that refutes the attack, 0 if the side to move has no answer, and
    /// `None` if every answer leads to the goal. `hint` is the number of an answer that refuted a shorter
    /// attack, or 0.
    pub(super) fn try_answers(
        &mut self,
        p: &Position<W>,
        moves: u32,
        hint: u32,
    ) -> Result<Option<u32>, Stopped> {
        with_turns(|turns| {
            self.judge.game.turns(p, turns);
            if moves > 1 {
                return self.try_narrowing(p, turns, moves, hint);
            }
            // Answers that refuted before settle most positions, so scores are computed only if they fail.
            let [first, second] = self.killers[moves as usize];
            let mut at = 0;
            for wanted in [hint, first, second] {
                if wanted != 0
                    && let Some(found) = turns[at..].iter().position(|t| turn_number(t) == wanted)
                {
                    turns.swap(at, at + found);
                    if self.refutes(p, &turns[at], moves)? {
                        return Ok(Some(wanted));
                    }
                    at += 1;
                }
            }
            let mut scores: SmallVec<[u32; 96]> =
                turns[at..].iter().map(|turn| self.score(turn, p)).collect();
            let turns = &mut turns[at..];
            for at in 0..turns.len() {
                let best = (at..turns.len())
                    .max_by_key(|&i| (scores[i], Reverse(i)))
                    .unwrap_or(at);
                turns.swap(at, best);
                scores.swap(at, best);
                if self.refutes(p, &turns[at], moves)? {
                    return Ok(Some(turn_number(&turns[at])));
                }
            }
            Ok((at == 0 && turns.is_empty()).then_some(0))
        })
    }

    /// Like [`try_answers`](Self::try_answers), for an attacker with several moves left. The answer that
    /// refuted a shorter attack comes first. Then come the answers that leave the attacker the fewest turns,
    /// because they refute with a small tree. Among answers that leave equally many turns, those that refuted
    /// before come first. If the defender has at most [`MAX_OTHER_UNITS`] other units, captures by its king come
    /// before them, and the king's room counts beside the attacker's turns.
    ///
    /// With at least [`PROBED_MOVES`] moves left, the entries of all answers are read before an answer is
    /// searched (A. Plaat and others 1996: enhanced transposition cutoffs).
    fn try_narrowing(
        &mut self,
        p: &Position<W>,
        turns: &[Turn],
        moves: u32,
        hint: u32,
    ) -> Result<Option<u32>, Stopped> {
        if turns.is_empty() {
            return Ok(Some(0));
        }
        let hinted = match hint {
            0 => None,
            _ => turns.iter().position(|turn| turn_number(turn) == hint),
        };
        if let Some(at) = hinted
            && self.refutes(p, &turns[at], moves)?
        {
            return Ok(Some(hint));
        }
        let probes = self.play == Play::Direct && moves >= PROBED_MOVES;
        let killers = self.killers[moves as usize];
        let mut after = *p;
        let mut key = Keyed::EMPTY;
        let few_units = p.color(p.side).len() <= 1 + MAX_OTHER_UNITS;
        let walks = self.walks.as_mut().filter(|_| few_units);
        let king = walks.and_then(|walks| walks.survey(p));
        let mut ranked: SmallVec<[RankedAnswer; 96]> = SmallVec::new();
        for (at, turn) in turns.iter().enumerate() {
            if hinted == Some(at) {
                continue;
            }
            self.judge.game.play_into(p, turn, &mut after);
            let number = turn_number(turn);
            if probes {
                self.table.key_into(&after, &mut key);
                self.table.prefetch(&key);
            }
            // Counting overlaps with the prefetch of the entry.
            let turn_count = self.judge.game.count(&after);
            if probes {
                let known = self.table.get(&key);
                if u32::from(known.refuted) > moves {
                    return Ok(Some(number));
                }
                if u32::from(known.proved) <= moves {
                    continue;
                }
            }
            let merit = if killers.contains(&number) {
                u32::MAX
            } else {
                self.score(turn, p)
            };
            let step = turn.first();
            let king_moves = king == Some(step.from);
            let room = match (&self.walks, king) {
                (Some(walks), Some(king)) => walks.room(if king_moves { step.to } else { king }),
                _ => 0,
            };
            ranked.push(RankedAnswer {
                king_captures: Reverse(king_moves && p.color(!p.side).has(step.to)),
                cost: turn_count as i64 * TURN_COST - i64::from(room),
                merit: Reverse(merit),
                at,
            });
        }
        ranked.sort_unstable();
        for RankedAnswer { at, .. } in ranked {
            let turn = &turns[at];
            if self.refutes(p, turn, moves)? {
                return Ok(Some(turn_number(turn)));
            }
        }
        Ok(None)
    }

    /// Returns an answer that refutes an attack of `moves` more turns (at least one), or `None` if no answer
    /// does.
    ///
    /// # Errors
    /// If the search is to stop.
    pub fn refutation(&mut self, p: &Position<W>, moves: u32) -> Result<Option<Turn>, Stopped> {
        let key = self.table.key(p);
        let known = match moves {
            1 => self.leaves.get(&key),
            _ => self.table.get(&key),
        };
        let Some(number) = self.try_answers(p, moves, known.hint)? else {
            return Ok(None);
        };
        let mut turns = Vec::new();
        self.judge.game.turns(p, &mut turns);
        for turn in turns.iter().filter(|turn| turn_number(turn) == number) {
            let after = self.judge.game.play(p, turn);
            if !self.answered(p, turn, &after, moves)? {
                return Ok(Some(*turn));
            }
        }
        Ok(None)
    }

    /// Returns whether this answer of the defender refutes the attack, and records a refuting answer for
    /// later ordering.
    fn refutes(&mut self, p: &Position<W>, turn: &Turn, moves: u32) -> Result<bool, Stopped> {
        let after = self.judge.game.play(p, turn);
        if self.answered(p, turn, &after, moves)? {
            return Ok(false);
        }
        let at = self.history_index(p, turn);
        self.history[at] = self.history[at].saturating_add(1 + moves * moves);
        let number = turn_number(turn);
        let killers = &mut self.killers[moves as usize];
        if killers[0] != number {
            killers[1] = killers[0];
            killers[0] = number;
        }
        Ok(true)
    }

    /// Returns whether this answer of the defender leads to the goal within `moves` more turns of the
    /// attacker.
    ///
    /// # Errors
    /// If the search is to stop.
    pub fn answered(
        &mut self,
        before: &Position<W>,
        turn: &Turn,
        after: &Position<W>,
        moves: u32,
    ) -> Result<bool, Stopped> {
        let reached = match self.play {
            Play::Direct => self.judge.reached_by_opponent(after, self.attacker),
            Play::Selfplay => self.judge.reached(before, turn, after),
            // In reflex play, the caller has checked before that no answer reaches the goal.
            _ => false,
        };
        if reached {
            return Ok(true);
        }
        if moves == 0 {
            return Ok(false);
        }
        self.attack(after, moves)
    }

    /// Returns the priority of an answer; answers with the largest score are searched first.
    fn score(&self, turn: &Turn, p: &Position<W>) -> u32 {
        let captures = u32::from(p.color(!p.side).has(turn.first().to));
        self.history[self.history_index(p, turn)].saturating_add(captures * 16)
    }

    fn history_index(&self, p: &Position<W>, turn: &Turn) -> usize {
        let step = if turn.steps[1].is_none() {
            turn.steps[0]
        } else {
            turn.steps[1]
        };
        usize::from(step.to.0) * 16 + (step.kind().index() & 7) * 2 + p.side.index()
    }
}

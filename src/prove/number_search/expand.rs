//! The children of a position: made by the rules, then looked up in the table.

use super::{Child, KILLERS, LINE_SLOTS, Search};
use crate::limits::Pause;
use crate::proof_numbers::{ANY, HOPELESS, ProofNumbers, after_one, one_more};
use crate::table::hash;
use position::{Layout, Position};
use rules::with_turns;
use search::turn_number;

impl<W: Layout> Search<'_, '_, W> {
    /// Adds the children of a position; at once what they come to, if that settles it.
    pub(super) fn expand(
        &mut self,
        p: &Position<W>,
        plies: u16,
    ) -> Result<Option<ProofNumbers>, Pause> {
        let game = self.question.game;
        let attacks = p.side == self.question.attacker;
        let forcing = attacks && self.question.forcing;
        let start = self.children.len();
        with_turns(|turns| {
            game.turns(p, turns);
            if turns.is_empty() {
                return Ok(Some(self.question.ended(game.outcome_without_turn(p))));
            }
            if plies == 0 {
                return Ok(Some(ProofNumbers::disproven(0)));
            }
            let killer = self.killers[self.killer(plies)];
            if let Some(at) = turns.iter().position(|turn| turn_number(turn) == killer) {
                turns[..=at].rotate_right(1);
            }
            self.keys.clear();
            self.hashes.clear();
            let words = self.table.key_words();
            let mut after = *p;
            // First what the rules say, while the memory for the table's say is on its way.
            for (made, turn) in turns.iter().enumerate() {
                game.play_into(p, turn, &mut after);
                let left = self.question.plies(after.side, after_one(plies));
                let known = match self.question.reaches(p, turn, &after) {
                    true => Some(ProofNumbers::proven(0)),
                    false => self.ends(&after, left),
                };
                if let Some(known) = known {
                    if known.settles(attacks) {
                        let turn = turn_number(turn);
                        return self.settled(start, turn, made + 1, plies, known).map(Some);
                    }
                    self.children.push(Child {
                        position: after,
                        hash: 0,
                        turn: turn_number(turn),
                        known,
                        without_threat: 0,
                    });
                    self.hashes.push(0);
                    self.keys.resize(self.keys.len() + words, 0);
                    continue;
                }
                if forcing && !self.forces(&after) {
                    continue;
                }
                let at = self.keys.len();
                self.keys.resize(at + words, 0);
                self.question.codec.encode(&after, &mut self.keys[at..]);
                let hash = hash(&self.keys[at..]);
                if self.hashes.contains(&hash)
                    && self.children[start..]
                        .iter()
                        .any(|child| child.hash == hash && child.position == after)
                {
                    self.keys.truncate(at);
                    continue;
                }
                self.table.prefetch(hash);
                self.hashes.push(hash);
                let hopeless = plies == ANY && self.is_hopeless(hash);
                let pn = if hopeless { HOPELESS } else { 1 };
                self.children.push(Child {
                    position: after,
                    hash,
                    turn: turn_number(turn),
                    known: ProofNumbers::open(pn, 1, left),
                    without_threat: 0,
                });
            }
            for at in start..self.children.len() {
                let Child {
                    position: after,
                    hash,
                    turn,
                    known,
                    ..
                } = self.children[at];
                if hash == 0 || known.is_hopeless() {
                    continue;
                }
                let left = known.plies;
                let key = (at - start) * words;
                let stored = self.table.get(&self.keys[key..key + words], hash, left);
                let (known, without_threat) = match stored {
                    Some(known) => (known, 0),
                    None => self.guess(&after, left),
                };
                if known.settles(attacks) {
                    let made = turns.len();
                    return self.settled(start, turn, made, plies, known).map(Some);
                }
                self.children[at].known = known;
                self.children[at].without_threat = without_threat;
            }
            self.count(turns.len())?;
            Ok(None)
        })
    }

    /// Returns the slot of the last answer that refuted.
    #[inline]
    fn killer(&self, plies: u16) -> usize {
        let level = match plies {
            ANY => self.line.len(),
            _ => usize::from(plies),
        };
        level % KILLERS
    }

    /// Returns whether a position is on the line that is searched, or the line is too long.
    #[inline]
    fn is_hopeless(&self, hash: u64) -> bool {
        self.line.len() >= usize::from(self.max_plies)
            || self.on_line[hash as usize % LINE_SLOTS] > 0 && self.line.contains(&hash)
    }

    /// Returns whether a turn of the attacker's that led here checks, or threatens to reach the goal.
    fn forces(&mut self, after: &Position<W>) -> bool {
        let game = self.question.game;
        if game.in_check(after, after.side) {
            return true;
        }
        let passed = search::passed(game, after);
        passed.is_some_and(|passed| self.reaches_at_once(&passed).is_proven())
    }

    /// Returns the entry of a position that one turn settles, from what is known after it and how many turns
    /// were made.
    fn settled(
        &mut self,
        start: usize,
        turn: u32,
        made: usize,
        plies: u16,
        known: ProofNumbers,
    ) -> Result<ProofNumbers, Pause> {
        self.children.truncate(start);
        let at = self.killer(plies);
        self.killers[at] = turn;
        self.count(made)?;
        Ok(ProofNumbers {
            plies: one_more(known.plies),
            ..known
        })
    }
}

//! The search of one thread: depth-first proof-number search over positions with plies left.
//!
//! Df-pn (A. Nagai 2002), with thresholds a quarter or an eighth above the second-best child (J. Pawlewicz
//! and Ł. Lew 2007: 1+ε), so that the search does not jump between equal children. If all children must be
//! settled, the combined number is that of the hardest child plus one for each of the others (T. Ueda and
//! others 2008: weak proof numbers), so that positions reached by many lines do not count many times. For
//! mates, a quarter of the others' numbers is added ([`Siblings`]). Turns that lead to one position count
//! once.
//!
//! Without a bound on the plies left, a position is examined alone, and a line that returns to one of its
//! positions is given up. A proof found this way depends only on earlier proofs. Given-up positions are not
//! stored, because other lines to them may not repeat a position.
//!
//! The numbers of unsearched children assume a threat if one is possible. Only the threats of the best and
//! the second-best child are verified, because no other number matters yet.
//!
//! * `expand.rs`: the children of a position.
//! * `leaves.rs`: the numbers of a position before it is searched.

mod expand;
mod leaves;

pub use leaves::{DIRECT_POSITIONS, LEAF_PLIES};

use crate::limits::{Counter, MAX_PLIES, Pause};
use crate::proof_numbers::{FOR_EVER, HOPELESS, NEVER, ProofNumbers, after_one, one_more};
use crate::question::Question;
use crate::table::{Table, hash};
use crate::thread_marks::{Mark, ThreadMarks};
use position::{Layout, Position};
use rules::Turn;
use search::LeafTest;

struct Child<W: Layout> {
    position: Position<W>,
    /// 0 if the rules alone have determined the numbers.
    hash: u64,
    /// The number of the turn that leads to the child.
    turn: u32,
    known: ProofNumbers,
    /// The proof number without a threat, if the estimate assumes a threat that is not verified yet;
    /// otherwise 0.
    without_threat: u32,
}

/// The combined proof numbers of a position's children.
struct ChildSummary {
    known: ProofNumbers,
    /// The child to search next.
    best: usize,
    /// The second-best child.
    next: usize,
    /// The smallest number among the children other than the best.
    second: u32,
    /// The amount by which the combined number exceeds that of the hardest child.
    beside: u32,
}

/// Positions after which a thread reads what other threads have found about the children of a position.
const REFRESH_EVERY: u64 = 2000;

/// The weights of the proof numbers of a child's siblings.
#[derive(Clone, Copy)]
struct Siblings {
    /// The threshold of the best child exceeds the second-best child's number by one part in this many.
    epsilon_part: u32,
    /// One part in this many of the other children's sum is added to the number of the hardest child.
    /// `u32::MAX` adds nothing.
    others_part: u32,
}

impl Siblings {
    /// The weights for most goals. On forced wins in 25 rule sets, [`Siblings::WITH_FLIGHTS`] takes 14
    /// percent more positions.
    const USUAL: Siblings = Siblings {
        epsilon_part: 4,
        others_part: u32::MAX,
    };

    /// The weights for goals with which the flights of a king are counted. Measured on 83 mates that take
    /// long, with 8 million positions for a search of any length: with an `epsilon_part` of 2 it finds 47,
    /// with 4 it finds 54, with 8 or 16 it finds 58. With an `epsilon_part` of 8 and an `others_part` of 4 it
    /// finds 64, with 2 it finds 59, with 1 it finds 57.
    const WITH_FLIGHTS: Siblings = Siblings {
        epsilon_part: 8,
        others_part: 4,
    };
}

/// Number of slots for killers: the turns that refuted last, by plies left, which are tried first.
const KILLERS: usize = 1024;

/// Slots of the filter that quickly rules out most positions as not on the current line.
const LINE_SLOTS: usize = 1 << 12;

/// The search of one thread.
pub struct Search<'s, 'a, W: Layout> {
    pub question: Question<'a, W>,
    siblings: Siblings,
    table: &'s Table,
    busy: Option<&'s ThreadMarks>,
    counter: Counter<'s, 'a>,
    /// Finds wins within two turns, if the search of direct play supports the goal.
    leaf_test: Option<LeafTest<'s, W>>,
    /// Length in plies at which a search of any length gives up a line.
    max_plies: u16,
    children: Vec<Child<W>>,
    killers: Vec<u32>,
    /// Scratch buffer for encoding keys.
    key: Vec<u64>,
    /// Keys of the children that are being added. Their hashes are in `hashes`.
    keys: Vec<u64>,
    hashes: Vec<u64>,
    /// Hashes of the positions on the current line. `on_line` counts them by slot of the filter.
    line: Vec<u64>,
    on_line: Vec<u16>,
    /// Positions generated. The counter has received `counted` of them.
    made: u64,
    counted: u64,
}

impl<'s, 'a, W: Layout> Search<'s, 'a, W> {
    /// Returns a search with this table. `busy` is needed if several threads work.
    pub fn new(
        question: Question<'a, W>,
        table: &'s Table,
        busy: Option<&'s ThreadMarks>,
        counter: Counter<'s, 'a>,
        leaf_test: Option<LeafTest<'s, W>>,
    ) -> Search<'s, 'a, W> {
        let siblings = match question.counts_flights() {
            true => Siblings::WITH_FLIGHTS,
            false => Siblings::USUAL,
        };
        Search {
            question,
            siblings,
            table,
            busy,
            counter,
            leaf_test,
            max_plies: MAX_PLIES,
            children: Vec::new(),
            killers: vec![0; KILLERS],
            key: vec![0; table.key_words()],
            keys: Vec::new(),
            hashes: Vec::new(),
            line: Vec::new(),
            on_line: vec![0; LINE_SLOTS],
            made: 0,
            counted: 0,
        }
    }

    /// Makes a search of any length give up lines of `plies` plies or more. The search may still find longer
    /// proofs, because a line may end at a position that was proven before.
    pub fn with_lines_within(self, plies: u16) -> Self {
        Search {
            max_plies: plies,
            ..self
        }
    }

    /// Finds out whether the goal is forced from a position within `plies`. Searches only if the table does
    /// not settle the question. The game must not be over at the position.
    pub fn solve(&mut self, p: &Position<W>, plies: u16) -> Result<ProofNumbers, Pause> {
        let plies = self.question.plies(p.side, plies);
        let hash = self.key(p);
        let known = self.stored(hash, plies);
        if let Some(known) = known.filter(|known| !known.is_open()) {
            return Ok(known);
        }
        self.search(p, hash, plies)
    }

    /// Like [`solve`](Self::solve), but searches even if the table has the numbers. Afterward, the table also
    /// has the entries on which they depend.
    pub fn solve_again(&mut self, p: &Position<W>, plies: u16) -> Result<ProofNumbers, Pause> {
        let plies = self.question.plies(p.side, plies);
        let hash = self.key(p);
        self.search(p, hash, plies)
    }

    fn search(&mut self, p: &Position<W>, hash: u64, plies: u16) -> Result<ProofNumbers, Pause> {
        self.children.clear();
        self.visit(p, hash, plies, NEVER, NEVER)
    }

    /// Encodes a position's key into the buffer. Returns the key's hash.
    fn key(&mut self, p: &Position<W>) -> u64 {
        self.question.codec.encode(p, &mut self.key);
        hash(&self.key)
    }

    /// Returns the table's numbers of the position whose key is in the buffer.
    fn stored(&self, hash: u64, plies: u16) -> Option<ProofNumbers> {
        self.table.get(&self.key, hash, plies)
    }
    /// Counts `made` generated positions, and those that tests for a last turn have generated since the last
    /// call.
    pub(super) fn count(&mut self, made: usize) -> Result<(), Pause> {
        self.made += made as u64;
        let new = self.made - std::mem::replace(&mut self.counted, self.made);
        self.counter.tick(new as u32)
    }
    /// Returns the summary of the children from `start` on, with `plies` left.
    fn sum(&self, start: usize, attacks: bool, plies: u16) -> ChildSummary {
        let mut settled: Option<u16> = None;
        let mut all: u16 = if attacks { FOR_EVER } else { 0 };
        let (mut most, mut sum, mut open) = (0_u32, 0_u32, 0_u32);
        let (mut best, mut least, mut second) = (usize::MAX, u32::MAX, u32::MAX);
        let mut next = usize::MAX;
        let mut exact = NEVER;
        for (at, child) in self.children.iter().enumerate().skip(start) {
            let known = child.known;
            if attacks && known.is_proven() {
                settled = Some(settled.map_or(known.plies, |least| least.min(known.plies)));
                continue;
            }
            if !attacks && known.is_disproven() {
                settled = Some(settled.map_or(known.plies, |most| most.max(known.plies)));
                continue;
            }
            if !known.is_open() {
                all = if attacks {
                    all.min(known.plies)
                } else {
                    all.max(known.plies)
                };
                continue;
            }
            let (mine, summed) = if attacks {
                (known.pn, known.dn)
            } else {
                (known.dn, known.pn)
            };
            exact = exact.min(mine);
            most = most.max(summed);
            sum = sum.saturating_add(summed);
            open += 1;
            let raised = match self.busy {
                Some(busy) => {
                    let threads = busy.count(child.hash);
                    mine.saturating_add(threads.saturating_mul(1 + mine / 2))
                }
                None => mine,
            };
            if raised < least {
                (next, second) = (best, least);
                (best, least) = (at, raised);
            } else if raised < second {
                (next, second) = (at, raised);
            }
        }
        let beside = open
            .saturating_sub(1)
            .saturating_add((sum - most) / self.siblings.others_part);
        let total = most.saturating_add(beside).min(HOPELESS);
        let known = match settled {
            Some(plies) if attacks => ProofNumbers::proven(one_more(plies)),
            Some(plies) => ProofNumbers::disproven(one_more(plies)),
            None if best == usize::MAX && attacks => ProofNumbers::disproven(one_more(all)),
            None if best == usize::MAX => ProofNumbers::proven(one_more(all)),
            None if attacks => ProofNumbers::open(exact, total, plies),
            None => ProofNumbers::open(total, exact, plies),
        };
        ChildSummary {
            known,
            best,
            next,
            second: second.min(NEVER),
            beside,
        }
    }

    /// Searches a position that is not settled, until it is settled or one of its numbers reaches its
    /// threshold.
    fn visit(
        &mut self,
        p: &Position<W>,
        own_hash: u64,
        plies: u16,
        pn_limit: u32,
        dn_limit: u32,
    ) -> Result<ProofNumbers, Pause> {
        let attacks = p.side == self.question.attacker;
        let start = self.children.len();
        let made_before = self.made;
        let slot = own_hash as usize % LINE_SLOTS;
        self.line.push(own_hash);
        self.on_line[slot] += 1;
        let result = match self.expand(p, plies) {
            Ok(Some(known)) => Ok(known),
            Ok(None) => self.go_on(p, own_hash, start, plies, pn_limit, dn_limit),
            Err(pause) => Err(pause),
        };
        self.line.pop();
        self.on_line[slot] -= 1;
        // After a pause, too, the children's combined numbers are stored.
        let known = match result {
            Ok(known) => Some(known),
            Err(_) if self.children.len() > start => {
                let known = self.sum(start, attacks, plies).known;
                known.is_open().then_some(known)
            }
            Err(_) => None,
        };
        self.children.truncate(start);
        if let Some(known) = known.filter(|known| !known.is_hopeless()) {
            let hash = self.key(p);
            let work = u32::try_from(self.made - made_before).unwrap_or(u32::MAX);
            self.table.put(&self.key, hash, known, work);
        }
        result
    }

    fn go_on(
        &mut self,
        p: &Position<W>,
        own_hash: u64,
        start: usize,
        plies: u16,
        pn_limit: u32,
        dn_limit: u32,
    ) -> Result<ProofNumbers, Pause> {
        let attacks = p.side == self.question.attacker;
        let mut mark = Mark::new(self.busy, own_hash);
        let mut refreshed = self.made;
        loop {
            if self.busy.is_some() && self.made - refreshed > REFRESH_EVERY {
                refreshed = self.made;
                if let Some(known) = self.refresh(p, start, plies) {
                    return Ok(known);
                }
            }
            let sum = self.sum(start, attacks, plies);
            if self.verify_threat(sum.best) || self.verify_threat(sum.next) {
                continue;
            }
            let known = sum.known;
            let over = known.pn >= pn_limit || known.dn >= dn_limit;
            if !known.is_open() || over || known.is_hopeless() {
                return Ok(known);
            }
            let child = &self.children[sum.best];
            let (after, hash, now) = (child.position, child.hash, child.known);
            let least_limit = sum
                .second
                .saturating_add(sum.second / self.siblings.epsilon_part)
                .saturating_add(1);
            let (pn, dn) = if attacks {
                (
                    pn_limit.min(least_limit),
                    dn_limit.saturating_sub(sum.beside),
                )
            } else {
                (
                    pn_limit.saturating_sub(sum.beside),
                    dn_limit.min(least_limit),
                )
            };
            // Each threshold is at least one above the current number, so every visit makes progress.
            let (pn, dn) = (pn.clamp(now.pn + 1, NEVER), dn.clamp(now.dn + 1, NEVER));
            let left = self.question.plies(after.side, after_one(plies));
            mark.set();
            let found = self.visit(&after, hash, left, pn, dn)?;
            self.children[sum.best].known = found;
        }
    }

    /// Reads what other threads have found about the children. Returns the position's numbers if it is
    /// settled.
    fn refresh(&mut self, p: &Position<W>, start: usize, plies: u16) -> Option<ProofNumbers> {
        let hash = self.key(p);
        let known = self.stored(hash, plies);
        if let Some(known) = known.filter(|known| !known.is_open()) {
            return Some(known);
        }
        for at in start..self.children.len() {
            let child = &self.children[at];
            if !child.known.is_open() || child.known.is_hopeless() {
                continue;
            }
            let position = child.position;
            let left = self.question.plies(position.side, after_one(plies));
            let hash = self.key(&position);
            if let Some(known) = self.stored(hash, left) {
                self.children[at].known = known;
            }
        }
        None
    }
}

impl<W: Layout> Search<'_, '_, W> {
    /// Returns an answer of the defender, who is to move, after which the goal is not forced within the plies
    /// left, or `None` if no answer achieves that.
    pub fn answer(&mut self, p: &Position<W>, plies: u16) -> Result<Option<Turn>, Pause> {
        let game = self.question.game;
        let mut turns = Vec::new();
        game.turns(p, &mut turns);
        let left = self.question.plies(!p.side, after_one(plies));
        let refutes = |known: ProofNumbers| known.is_disproven() && known.plies >= left;
        // Try answers with known numbers first, because it may take long to find that another answer loses.
        for turn in &turns {
            if self.recall(&game.play(p, turn), left)?.is_some_and(refutes) {
                return Ok(Some(*turn));
            }
        }
        for turn in &turns {
            let after = game.play(p, turn);
            let ended = !game.outcome(&after).is_ongoing();
            if !ended && refutes(self.solve(&after, left)?) {
                return Ok(Some(*turn));
            }
        }
        Ok(None)
    }

    /// Returns the known numbers of a position without searching it. Finished games and mates in one are
    /// known.
    ///
    /// # Errors
    /// [`Stopped::Contradiction`](control::Stopped::Contradiction) if a value of the oracle contradicts the rules.
    pub fn recall(&mut self, p: &Position<W>, plies: u16) -> Result<Option<ProofNumbers>, Pause> {
        let question = self.question;
        let outcome = question.game.outcome(p);
        if !outcome.is_ongoing() {
            return Ok(Some(question.ended(outcome)));
        }
        let plies = question.plies(p.side, plies);
        let hash = self.key(p);
        if let Some(stored) = self.stored(hash, plies) {
            return Ok(Some(stored));
        }
        if let Some(told) = question.told(p, plies)? {
            return Ok(Some(told));
        }
        let mates = p.side == question.attacker
            && plies > 0
            && (question.judge.as_ref()).is_some_and(|judge| judge.can_reach(p));
        Ok(mates.then_some(ProofNumbers::proven(1)))
    }
}

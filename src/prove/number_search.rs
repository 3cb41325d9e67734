//! The search of one thread: depth-first proof-number search over positions with plies left.
//!
//! Df-pn (A. Nagai 2002) with thresholds a quarter above the second-best child (J. Pawlewicz and
//! Ł. Lew 2007: 1+ε) so that the search does not jump between equal children. Where all children
//! have to be settled the hardest one counts, and one for each of the others (T. Ueda and others
//! 2008: weak proof numbers), so that positions which many lines reach do not count many times.
//! Positions reached by different turns of one position count once.
//!
//! Without a bound on the plies left a position is examined alone, and a line that comes back to
//! one of its positions is given up. A proof found so rests on nothing but proofs that were there
//! before it. What was given up is noted nowhere, as another line may not come back.
//!
//! A search for a proof of any length begins with estimates of the numbers (df-pn+, A. Nagai and
//! H. Imai 1999): where the defender is to move, its replies, of which few parry a threat; where
//! the attacker is, the flights of the king that is to be mated.
//!
//! Several threads share the table and keep apart by
//! raised numbers where another one works (T. Kaneko 2010: virtual proof and disproof numbers).

use crate::limits::{Counter, MAX_PLIES, Pause};
use crate::proof_numbers::{ANY, FOR_EVER, HOPELESS, NEVER, ProofNumbers, one_more};
use crate::table::{Table, hash};
use board::{Color, Kind, Squares};
use position::{Codec, Layout, Position};
use rules::{Game, Outcome, Turn, with_turns};
use search::{Goal, Judge, LeafTest, turn_number};
use std::sync::atomic::{AtomicU8, Ordering};
use values::Value;
use values::oracle::Oracle;

/// How a search of any length estimates proof numbers. Answers do not depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Estimates {
    /// What a flight of the king counts.
    pub flight_weight: u32,
    /// One in this many of the plies before a position counts, so that long lines wait.
    pub line_part: Option<usize>,
}

/// What is searched: the same for all threads.
pub struct Question<'a, W: Layout> {
    pub game: &'a dyn Game<W>,
    pub goal: &'a Goal,
    /// The side that is to reach the goal.
    pub attacker: Color,
    pub codec: Codec,
    /// Whether the attacker keeps to turns that check, or threaten to reach the goal at once.
    forcing: bool,
    estimates: Estimates,
    /// Whether a turn of the defender may reach the goal.
    given: bool,
    /// Finds turns that reach the goal: mates, where mate is the goal, and a goal that is not an end.
    judge: Option<Judge<'a, W>>,
    /// Whether a turn reaches the goal, not an outcome of the game.
    pub by_turn: bool,
    /// Knows values, where winning is the goal.
    oracle: Option<&'a dyn Oracle<W>>,
}

impl<W: Layout> Clone for Question<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: Layout> Copy for Question<'_, W> {}

impl<'a, W: Layout> Question<'a, W> {
    /// Returns a question about positions that the codec has room for.
    pub fn new(
        game: &'a dyn Game<W>,
        goal: &'a Goal,
        attacker: Color,
        codec: Codec,
        oracle: Option<&'a dyn Oracle<W>>,
    ) -> Question<'a, W> {
        let rule_set = &game.variant().rule_set;
        // The turn that mates both sides may be illegal, so no certificate could name it.
        let by_turn = !goal.is_end() && *goal != Goal::DoubleMate;
        let judge = if goal.is_usual_mate(rule_set) {
            Some(Judge::new(game, &Goal::Mate))
        } else {
            by_turn.then(|| Judge::new(game, goal))
        };
        Question {
            game,
            goal,
            attacker,
            codec,
            forcing: false,
            estimates: Estimates {
                flight_weight: 1,
                line_part: None,
            },
            given: goal.may_be_given(rule_set),
            judge,
            by_turn,
            oracle: oracle.filter(|_| *goal == Goal::Win),
        }
    }

    /// Like the field above, for an attacker restricted to forcing turns. What it forces is forced.
    pub fn forcing(self) -> Question<'a, W> {
        Question {
            forcing: true,
            ..self
        }
    }

    /// The same question, for a search of any length with other estimates.
    pub fn estimated(self, estimates: Estimates) -> Question<'a, W> {
        Question { estimates, ..self }
    }

    /// Returns whether a search of any length counts the flights of a king.
    pub fn counts_flights(&self) -> bool {
        self.judge.as_ref().is_some_and(Judge::is_mate) && self.game.facts().orthodox_flights()
    }

    /// Returns how an ended game is known.
    pub fn ended(&self, outcome: Outcome) -> ProofNumbers {
        if self.goal.is_reached(outcome, self.attacker) {
            ProofNumbers::proven(0)
        } else {
            ProofNumbers::disproven(FOR_EVER)
        }
    }

    /// Returns whether a turn reaches the goal, where it is not an end of the game.
    #[inline]
    pub fn reaches(&self, before: &Position<W>, turn: &Turn, after: &Position<W>) -> bool {
        self.by_turn
            && before.side == self.attacker
            && self
                .judge
                .as_ref()
                .is_some_and(|judge| judge.reached(before, turn, after))
    }

    /// Returns whether nothing is left to force or to avoid after a turn: it has reached the goal, or the game is
    /// over.
    pub fn is_over(&self, before: &Position<W>, turn: &Turn, after: &Position<W>) -> bool {
        self.reaches(before, turn, after) || !self.game.outcome(after).is_ongoing()
    }

    /// Returns the plies that matter of a number of plies: the last turn is the attacker's where the defender
    /// cannot reach the goal.
    #[inline]
    pub fn plies(&self, side: Color, plies: u16) -> u16 {
        if plies == ANY || self.given || (plies % 2 == 1) == (side == self.attacker) {
            plies
        } else {
            plies.saturating_sub(1)
        }
    }

    /// Returns the number of squares next to the defender's king that hold none of its units and that the attacker
    /// does not attack; zero if kings are not mated as in orthodox chess.
    fn flights(&self, p: &Position<W>) -> u32 {
        let (game, defender) = (self.game, !self.attacker);
        let king = p.units(defender, Kind::King).first();
        let king = king.filter(|_| self.counts_flights());
        king.map_or(0, |king| {
            let mut without = *p;
            without.take(defender, Kind::King, king);
            let near = game.board().neighbors(king) & !p.color(defender);
            let flights = near
                .iter()
                .filter(|&square| game.attackers(&without, square, self.attacker).is_empty());
            flights.count() as u32
        })
    }

    /// Returns what an oracle knows of a position.
    pub fn told(&self, p: &Position<W>, plies: u16) -> Option<ProofNumbers> {
        let value = self.oracle?.value(p)?;
        let won = match value {
            Value::Win(d) if p.side == self.attacker => Some(d),
            Value::Loss(d) if p.side != self.attacker => Some(d),
            _ => None,
        };
        Some(match won {
            None => ProofNumbers::disproven(FOR_EVER),
            Some(d) if d <= plies => ProofNumbers::proven(d),
            Some(d) => ProofNumbers::disproven(d - 1),
        })
    }
}

/// Threads at work, counted by hash. Proof numbers are raised there to spread the threads out; results do not
/// depend on it.
pub struct ThreadMarks(Box<[AtomicU8]>);

const BUSY_SLOTS: usize = 1 << 16;

impl ThreadMarks {
    pub fn new() -> ThreadMarks {
        ThreadMarks((0..BUSY_SLOTS).map(|_| AtomicU8::new(0)).collect())
    }

    fn at(&self, hash: u64) -> &AtomicU8 {
        &self.0[hash as usize % BUSY_SLOTS]
    }
}

/// The mark of one thread on a position, until it is done there. It is set where the thread continues to
/// a child: most positions are left at once, and marks that change keep the processors' memory busy.
struct Mark<'b> {
    slot: Option<&'b AtomicU8>,
    is_set: bool,
}

impl<'b> Mark<'b> {
    /// No mark as yet.
    fn new(busy: Option<&'b ThreadMarks>, hash: u64) -> Mark<'b> {
        Mark {
            slot: busy.map(|busy| busy.at(hash)),
            is_set: false,
        }
    }

    fn set(&mut self) {
        if let Some(slot) = self.slot.filter(|_| !self.is_set) {
            slot.fetch_add(1, Ordering::Relaxed);
            self.is_set = true;
        }
    }
}

impl Drop for Mark<'_> {
    fn drop(&mut self) {
        if let Some(slot) = self.slot.filter(|_| self.is_set) {
            slot.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

struct Child<W: Layout> {
    position: Position<W>,
    /// 0 where the rules alone have determined what is known.
    hash: u64,
    /// The number of the turn that leads there.
    turn: u32,
    known: ProofNumbers,
}

/// What the children of a position come to.
struct ChildSummary {
    known: ProofNumbers,
    /// The child to go on with.
    best: usize,
    /// The least number among the others.
    second: u32,
    /// What the children beside the hardest add to the number that all of them make up.
    beside: u32,
}

/// The number of positions after which a thread reads what others have found about the children of a position.
const REFRESH_EVERY: u64 = 2000;

/// The number of the attacker's turns that count as one to disprove before they are examined. Measured: on
/// long wins of few units this, against 1 for all of them, saves a tenth of the positions.
const ATTEMPTS: u32 = 8;

/// The number of replies that count as parries of a threat to reach the goal at once, if there are more replies.
/// Measured together with the flights of the king: of 35 mates in 7 to 110 for which 9 million positions did not
/// suffice, 5 million find 10.
const PARRIES: u32 = 3;

/// One in this many of the other replies counts as a parry, too.
const PARRIES_PART: u32 = 8;

/// Plies of a win within two turns of the attacker.
pub const LEAF_PLIES: u16 = 3;

/// Positions of this search that take as long as one that a search of direct play counts, as measured.
pub const DIRECT_POSITIONS: u64 = 4;

/// The limit for a child exceeds the next best child's number by this fraction of it.
const EPSILON_PART: u32 = 4;

/// Answers that refuted last are tried first, by plies left.
const KILLERS: usize = 1024;

/// The number of slots of the filter that separates most positions from those on the line.
const LINE_SLOTS: usize = 1 << 12;

/// Returns the plies left after one ply.
#[inline]
pub fn after_one(plies: u16) -> u16 {
    if plies == ANY { ANY } else { plies - 1 }
}

/// The search of one thread.
pub struct Search<'s, 'a, W: Layout> {
    pub question: Question<'a, W>,
    table: &'s Table,
    busy: Option<&'s ThreadMarks>,
    counter: Counter<'s, 'a>,
    /// Finds wins within two turns, if the search of direct play knows the goal.
    leaf_test: Option<LeafTest<'s, W>>,
    children: Vec<Child<W>>,
    killers: Vec<u32>,
    /// A key at hand.
    key: Vec<u64>,
    /// Keys and hashes of the children that are being added.
    keys: Vec<u64>,
    hashes: Vec<u64>,
    /// Hashes of the positions on the line that is searched, and how many of them have a slot.
    line: Vec<u64>,
    on_line: Vec<u16>,
    /// Positions made, and how many of them the counter knows of.
    made: u64,
    counted: u64,
}

impl<'s, 'a, W: Layout> Search<'s, 'a, W> {
    /// Returns a search with this table; `busy` where several threads work.
    pub fn new(
        question: Question<'a, W>,
        table: &'s Table,
        busy: Option<&'s ThreadMarks>,
        counter: Counter<'s, 'a>,
        leaf_test: Option<LeafTest<'s, W>>,
    ) -> Search<'s, 'a, W> {
        Search {
            question,
            table,
            busy,
            counter,
            leaf_test,
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

    /// Returns whether the goal is forced from a position that is not settled, within `plies`.
    pub fn solve(&mut self, p: &Position<W>, plies: u16) -> Result<ProofNumbers, Pause> {
        let plies = self.question.plies(p.side, plies);
        let hash = self.key(p);
        let known = self.stored(hash, plies);
        if let Some(known) = known.filter(|known| !known.is_open()) {
            return Ok(known);
        }
        self.search(p, hash, plies)
    }

    /// The same, though the answer may be known: what it rests on is then known, too.
    pub fn solve_again(&mut self, p: &Position<W>, plies: u16) -> Result<ProofNumbers, Pause> {
        let plies = self.question.plies(p.side, plies);
        let hash = self.key(p);
        self.search(p, hash, plies)
    }

    fn search(&mut self, p: &Position<W>, hash: u64, plies: u16) -> Result<ProofNumbers, Pause> {
        self.children.clear();
        self.visit(p, hash, plies, NEVER, NEVER)
    }

    /// Puts a position's key at hand, with its hash.
    fn key(&mut self, p: &Position<W>) -> u64 {
        self.question.codec.encode(p, &mut self.key);
        hash(&self.key)
    }

    /// Returns what the table knows of the position whose key is at hand.
    fn stored(&self, hash: u64, plies: u16) -> Option<ProofNumbers> {
        self.table.get(&self.key, hash, plies)
    }

    /// Returns whether a turn of the attacker, the last one left, reaches the goal.
    fn reaches_at_once(&mut self, p: &Position<W>) -> ProofNumbers {
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
        // Who has no turn may have reached it so, or never will.
        if game.has_turn(p) {
            ProofNumbers::disproven(1)
        } else {
            question.ended(game.outcome_without_turn(p))
        }
    }

    /// Returns what is known of a position by the rules alone: an end of the game, or of the plies.
    #[inline]
    fn ends(&mut self, p: &Position<W>, plies: u16) -> Option<ProofNumbers> {
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

    /// Returns what is known of a position that is neither at an end nor in the table.
    fn guess(&mut self, p: &Position<W>, plies: u16) -> ProofNumbers {
        let question = self.question;
        let game = question.game;
        if let Some(known) = question.told(p, plies) {
            return known;
        }
        let attacks = p.side == question.attacker;
        if attacks && let Some(judge) = &question.judge {
            if question.by_turn {
                self.made += game.count(p);
            }
            if judge.can_reach(p) {
                return ProofNumbers::proven(1);
            }
        }
        if attacks
            && plies >= LEAF_PLIES
            && let Some(test) = &mut self.leaf_test
        {
            let before = test.positions();
            let forced = test.is_forced(p);
            self.made += (test.positions() - before) * DIRECT_POSITIONS;
            if forced {
                return ProofNumbers::proven(LEAF_PLIES);
            }
            // The attacker's last turn is the last ply, so the test has answered the whole question.
            if plies == LEAF_PLIES {
                return ProofNumbers::disproven(plies);
            }
        }
        let count = u32::try_from(game.count(p)).unwrap_or(NEVER);
        // Bounded searches find shorter proofs without these estimates, and an attacker who is restricted has
        // little choice.
        let estimates = plies == ANY && !question.forcing;
        let Estimates {
            flight_weight,
            line_part,
        } = question.estimates;
        let before = line_part.filter(|_| estimates);
        let before = before.map_or(0, |part| (self.line.len() / part) as u32);
        match (count, attacks) {
            (0, _) => question.ended(game.outcome_without_turn(p)),
            (_, true) => {
                let flights = if estimates { question.flights(p) } else { 0 };
                let pn = 1 + flights * flight_weight + before;
                ProofNumbers::open(pn, 1 + count / ATTEMPTS, plies)
            }
            (_, false) => {
                let parries = match count > PARRIES && estimates && self.threatens(p) {
                    true => PARRIES + (count - PARRIES) / PARRIES_PART,
                    false => count,
                };
                ProofNumbers::open(parries + before, 1, plies)
            }
        }
    }

    /// Returns whether the attacker would reach the goal at once if the defender, to move, could pass. Returns false
    /// where it would take long to find out.
    fn threatens(&mut self, p: &Position<W>) -> bool {
        let judge = self.question.judge.filter(|_| !self.question.by_turn);
        let (Some(judge), Some(passed)) = (judge, search::passed(self.question.game, p)) else {
            return false;
        };
        judge.can_reach(&passed)
    }

    /// Adds the children of a position; at once what they come to, if that settles it.
    fn expand(&mut self, p: &Position<W>, plies: u16) -> Result<Option<ProofNumbers>, Pause> {
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
                });
            }
            for at in start..self.children.len() {
                let Child {
                    position: after,
                    hash,
                    turn,
                    known,
                } = self.children[at];
                if hash == 0 || known.is_hopeless() {
                    continue;
                }
                let left = known.plies;
                let key = (at - start) * words;
                let known = self
                    .table
                    .get(&self.keys[key..key + words], hash, left)
                    .unwrap_or_else(|| self.guess(&after, left));
                if known.settles(attacks) {
                    let made = turns.len();
                    return self.settled(start, turn, made, plies, known).map(Some);
                }
                self.children[at].known = known;
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
        self.line.len() >= usize::from(MAX_PLIES)
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

    /// Counts positions made by a turn, and those made to look for a last one.
    fn count(&mut self, made: usize) -> Result<(), Pause> {
        self.made += made as u64;
        let new = self.made - std::mem::replace(&mut self.counted, self.made);
        self.counter.tick(new as u32)
    }

    /// Returns the summary of the children from `start` on, with `plies` left.
    fn sum(&self, start: usize, attacks: bool, plies: u16) -> ChildSummary {
        let mut settled: Option<u16> = None;
        let mut all: u16 = if attacks { FOR_EVER } else { 0 };
        let (mut most, mut open) = (0_u32, 0_u32);
        let (mut best, mut least, mut second) = (usize::MAX, u32::MAX, u32::MAX);
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
            open += 1;
            let raised = match self.busy {
                Some(busy) => {
                    let threads = u32::from(busy.at(child.hash).load(Ordering::Relaxed));
                    mine.saturating_add(threads.saturating_mul(1 + mine / 2))
                }
                None => mine,
            };
            if raised < least {
                second = least;
                (best, least) = (at, raised);
            } else {
                second = second.min(raised);
            }
        }
        let beside = open.saturating_sub(1);
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
            second: second.min(NEVER),
            beside,
        }
    }

    /// Searches a position that is not settled until it is, or one of its numbers has grown to the
    /// limit given.
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
        // A pause, too, leaves what the children have come to.
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
            let known = sum.known;
            let over = known.pn >= pn_limit || known.dn >= dn_limit;
            if !known.is_open() || over || known.is_hopeless() {
                return Ok(known);
            }
            let child = &self.children[sum.best];
            let (after, hash, now) = (child.position, child.hash, child.known);
            let least_limit = sum
                .second
                .saturating_add(sum.second / EPSILON_PART)
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
            // Every choice makes progress.
            let (pn, dn) = (pn.clamp(now.pn + 1, NEVER), dn.clamp(now.dn + 1, NEVER));
            let left = self.question.plies(after.side, after_one(plies));
            mark.set();
            let found = self.visit(&after, hash, left, pn, dn)?;
            self.children[sum.best].known = found;
        }
    }

    /// Learns what other threads have found out; what is known of the position, if it is settled.
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
    /// Returns an answer of the defender, to move, after which the goal is not forced within the plies left; `None`
    /// if none does that.
    pub fn answer(&mut self, p: &Position<W>, plies: u16) -> Result<Option<Turn>, Pause> {
        let game = self.question.game;
        let mut turns = Vec::new();
        game.turns(p, &mut turns);
        let left = self.question.plies(!p.side, after_one(plies));
        let refutes = |known: ProofNumbers| known.is_disproven() && known.plies >= left;
        // What is known first: to find that another answer loses may take long.
        for turn in &turns {
            if self.recall(&game.play(p, turn), left).is_some_and(refutes) {
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

    /// Returns what is known of a position without searching it, ended games and mates in one included.
    pub fn recall(&mut self, p: &Position<W>, plies: u16) -> Option<ProofNumbers> {
        let question = self.question;
        let outcome = question.game.outcome(p);
        if !outcome.is_ongoing() {
            return Some(question.ended(outcome));
        }
        let plies = question.plies(p.side, plies);
        let hash = self.key(p);
        let told = self.stored(hash, plies);
        told.or_else(|| question.told(p, plies)).or_else(|| {
            let judge = question.judge.as_ref()?;
            let mates = p.side == question.attacker && plies > 0 && judge.can_reach(p);
            mates.then_some(ProofNumbers::proven(1))
        })
    }
}

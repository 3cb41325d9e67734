//! The search of one thread: depth-first proof-number search over positions with plies left.
//!
//! Df-pn (A. Nagai 2002) with thresholds a quarter above the second-best child (J. Pawlewicz and
//! Ł. Lew 2007: 1+ε) so that the search does not jump between equal children. Positions reached
//! by different turns of one position count once. Several threads share the table and keep apart by
//! raised numbers where another one works (T. Kaneko 2010: virtual proof and disproof numbers).

use crate::known::{FOR_EVER, Known, NEVER, one_more};
use crate::limits::{Counter, Pause};
use crate::table::{Table, hash};
use crate::{Aim, Layout};
use board::Color;
use position::{Codec, KEY_WORDS, Position};
use rules::{Game, Outcome, Turn, with_turns};
use solve::oracle::Oracle;
use solve::{Goal, Judge, Value};
use std::sync::atomic::{AtomicU8, Ordering};

/// What is searched: the same for all threads.
pub struct Question<'a, W: Layout> {
    pub game: &'a dyn Game<W>,
    pub aim: Aim,
    /// The side that is to reach the aim.
    pub attacker: Color,
    pub codec: Codec,
    /// Whether a turn of the defender may bring the aim about.
    given: bool,
    /// Finds mates in one, where mate is the aim.
    judge: Option<Judge<'a, W>>,
    /// Knows values, where winning is the aim.
    oracle: Option<&'a dyn Oracle<W>>,
}

impl<W: Layout> Clone for Question<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: Layout> Copy for Question<'_, W> {}

impl<'a, W: Layout> Question<'a, W> {
    /// A question about positions that the codec has room for.
    pub fn new(
        game: &'a dyn Game<W>,
        aim: Aim,
        attacker: Color,
        codec: Codec,
        oracle: Option<&'a dyn Oracle<W>>,
    ) -> Question<'a, W> {
        let card = game.variant().card;
        Question {
            game,
            aim,
            attacker,
            codec,
            given: aim.may_be_given(card),
            judge: aim.is_mate(card).then(|| Judge::new(game, Goal::Mate)),
            oracle: oracle.filter(|_| aim == Aim::Win),
        }
    }

    /// How an ended game is known.
    pub fn ended(&self, outcome: Outcome) -> Known {
        if self.aim.reached(outcome, self.attacker) {
            Known::proven(0)
        } else {
            Known::disproven(FOR_EVER)
        }
    }

    /// Of so many plies those that matter: the last turn is the attacker's where the defender
    /// cannot bring the aim about.
    #[inline]
    pub fn plies(&self, side: Color, plies: u16) -> u16 {
        if self.given || (plies % 2 == 1) == (side == self.attacker) {
            plies
        } else {
            plies.saturating_sub(1)
        }
    }

    /// What an oracle knows of a position.
    pub fn told(&self, p: &Position<W>, plies: u16) -> Option<Known> {
        let value = self.oracle?.value(p)?;
        let won = match value {
            Value::Win(d) if p.side == self.attacker => Some(d),
            Value::Loss(d) if p.side != self.attacker => Some(d),
            _ => None,
        };
        Some(match won {
            None => Known::disproven(FOR_EVER),
            Some(d) if d <= plies => Known::proven(d),
            Some(d) => Known::disproven(d - 1),
        })
    }
}

/// Marks where threads work, by hash: numbers are raised there, nothing else hangs on it.
pub struct Busy(Box<[AtomicU8]>);

const BUSY_SLOTS: usize = 1 << 16;

impl Busy {
    pub fn new() -> Busy {
        Busy((0..BUSY_SLOTS).map(|_| AtomicU8::new(0)).collect())
    }

    fn at(&self, hash: u64) -> &AtomicU8 {
        &self.0[hash as usize % BUSY_SLOTS]
    }
}

struct Child<W: Layout> {
    position: Position<W>,
    hash: u64,
    known: Known,
}

/// What the children of a position come to.
struct Sum {
    known: Known,
    /// The child to go on with.
    best: usize,
    /// The least number among the others.
    second: u32,
    /// What the other children add to the number that is summed.
    others: u32,
}

/// Positions after which a thread asks what others have found out about the children of a position.
const REFRESH_EVERY: u64 = 2000;

/// Answers that refuted last are tried first, by plies left.
const KILLERS: usize = 1024;

/// The search of one thread.
pub struct Search<'s, 'a, W: Layout> {
    pub question: Question<'a, W>,
    table: &'s Table,
    busy: Option<&'s Busy>,
    counter: Counter<'s, 'a>,
    children: Vec<Child<W>>,
    killers: Vec<u32>,
    /// Positions made, and how many of them the counter knows of.
    made: u64,
    counted: u64,
}

fn number(turn: &Turn) -> u32 {
    turn.steps[0].code() ^ turn.steps[1].code().rotate_left(9) ^ turn.picks as u32
}

impl<'s, 'a, W: Layout> Search<'s, 'a, W> {
    /// A search with this table; `busy` where several threads work.
    pub fn new(
        question: Question<'a, W>,
        table: &'s Table,
        busy: Option<&'s Busy>,
        counter: Counter<'s, 'a>,
    ) -> Search<'s, 'a, W> {
        Search {
            question,
            table,
            busy,
            counter,
            children: Vec::new(),
            killers: vec![0; KILLERS],
            made: 0,
            counted: 0,
        }
    }

    /// Whether the aim is forced from a position that is not settled, within so many plies.
    pub fn solve(&mut self, p: &Position<W>, plies: u16) -> Result<Known, Pause> {
        let plies = self.question.plies(p.side, plies);
        let mut key = [0; KEY_WORDS];
        let (key, hash) = self.key(p, &mut key);
        if let Some(known) = self
            .table
            .get(key, hash, plies)
            .filter(|known| !known.is_open())
        {
            return Ok(known);
        }
        self.search(p, hash, plies)
    }

    /// The same, though the answer may be known: what it rests on is then known, too.
    pub fn solve_again(&mut self, p: &Position<W>, plies: u16) -> Result<Known, Pause> {
        let plies = self.question.plies(p.side, plies);
        let (_, hash) = self.key(p, &mut [0; KEY_WORDS]);
        self.search(p, hash, plies)
    }

    fn search(&mut self, p: &Position<W>, hash: u64, plies: u16) -> Result<Known, Pause> {
        self.children.clear();
        self.visit(p, hash, plies, NEVER, NEVER)
    }

    fn key<'k>(&self, p: &Position<W>, key: &'k mut [u64; KEY_WORDS]) -> (&'k [u64], u64) {
        let words = self.table.key_words();
        self.question.codec.encode(p, key);
        let key = &key[..words];
        (key, hash(key))
    }

    /// Whether a turn of the attacker's, the last one left to him, reaches the aim.
    fn reaches_at_once(&mut self, p: &Position<W>) -> Known {
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
                        .aim
                        .reached(game.outcome(&after), question.attacker)
                })
            }),
        };
        if reaches {
            return Known::proven(1);
        }
        // Who has no turn may have reached it so, or never will.
        if game.has_turn(p) {
            Known::disproven(1)
        } else {
            question.ended(game.outcome_without_turn(p))
        }
    }

    /// What is known of a position without searching it.
    fn first(&mut self, p: &Position<W>, plies: u16) -> (u64, Known) {
        let question = self.question;
        let game = question.game;
        if let Some(outcome) = game.settled(p) {
            return (0, question.ended(outcome));
        }
        let plies = question.plies(p.side, plies);
        let attacks = p.side == question.attacker;
        let stuck = || question.ended(game.outcome_without_turn(p));
        if plies == 0 {
            let known = if game.has_turn(p) {
                Known::disproven(0)
            } else {
                stuck()
            };
            return (0, known);
        }
        if attacks && plies == 1 {
            return (0, self.reaches_at_once(p));
        }
        let mut key = [0; KEY_WORDS];
        let (key, hash) = self.key(p, &mut key);
        if let Some(known) = self.table.get(key, hash, plies) {
            return (hash, known);
        }
        if let Some(known) = question.told(p, plies) {
            return (hash, known);
        }
        let known = match &question.judge {
            Some(judge) if attacks => {
                if judge.can_reach(p) {
                    Known::proven(1)
                } else {
                    Known::open(1, 1, plies)
                }
            }
            _ if attacks => Known::open(1, 1, plies),
            _ => match game.count(p) {
                0 => stuck(),
                answers => Known::open(u32::try_from(answers).unwrap_or(NEVER), 1, plies),
            },
        };
        (hash, known)
    }

    /// Adds the children of a position; at once what they come to, if that settles it.
    fn expand(&mut self, p: &Position<W>, plies: u16) -> Result<Option<Known>, Pause> {
        let game = self.question.game;
        let attacks = p.side == self.question.attacker;
        let start = self.children.len();
        with_turns(|turns| {
            game.turns(p, turns);
            if turns.is_empty() {
                return Ok(Some(self.question.ended(game.outcome_without_turn(p))));
            }
            if plies == 0 {
                return Ok(Some(Known::disproven(0)));
            }
            let killer = self.killers[usize::from(plies) % KILLERS];
            if let Some(at) = turns.iter().position(|turn| number(turn) == killer) {
                turns[..=at].rotate_right(1);
            }
            let mut after = *p;
            for (made, turn) in turns.iter().enumerate() {
                game.play_into(p, turn, &mut after);
                let (hash, known) = self.first(&after, plies - 1);
                let settles = if attacks {
                    known.is_proven()
                } else {
                    known.is_disproven()
                };
                if settles {
                    self.count(made + 1)?;
                    self.children.truncate(start);
                    self.killers[usize::from(plies) % KILLERS] = number(turn);
                    return Ok(Some(Known {
                        plies: one_more(known.plies),
                        ..known
                    }));
                }
                let twin = |child: &Child<W>| child.hash == hash && child.position == after;
                if hash == 0 || !self.children[start..].iter().any(twin) {
                    self.children.push(Child {
                        position: after,
                        hash,
                        known,
                    });
                }
            }
            self.count(turns.len())?;
            Ok(None)
        })
    }

    /// Counts positions made by a turn, and those made to look for a last one.
    fn count(&mut self, made: usize) -> Result<(), Pause> {
        self.made += made as u64;
        let new = self.made - std::mem::replace(&mut self.counted, self.made);
        self.counter.tick(new as u32)
    }

    /// What the children from `start` on come to, with so many plies left.
    fn sum(&self, start: usize, attacks: bool, plies: u16) -> Sum {
        let mut settled: Option<u16> = None;
        let mut all: u16 = if attacks { FOR_EVER } else { 0 };
        let mut total: u32 = 0;
        let (mut best, mut least, mut second, mut others) = (usize::MAX, u32::MAX, u32::MAX, 0);
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
            total = total.saturating_add(summed).min(NEVER - 1);
            let raised = match self.busy {
                Some(busy) => {
                    let threads = u32::from(busy.at(child.hash).load(Ordering::Relaxed));
                    mine.saturating_add(threads.saturating_mul(1 + mine / 2))
                }
                None => mine,
            };
            if raised < least {
                second = least;
                (best, least, others) = (at, raised, summed);
            } else {
                second = second.min(raised);
            }
        }
        let known = match settled {
            Some(plies) if attacks => Known::proven(one_more(plies)),
            Some(plies) => Known::disproven(one_more(plies)),
            None if best == usize::MAX && attacks => Known::disproven(one_more(all)),
            None if best == usize::MAX => Known::proven(one_more(all)),
            None if attacks => Known::open(exact, total, plies),
            None => Known::open(total, exact, plies),
        };
        Sum {
            known,
            best,
            second: second.min(NEVER),
            others: total - others.min(total),
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
    ) -> Result<Known, Pause> {
        let attacks = p.side == self.question.attacker;
        let start = self.children.len();
        let made_before = self.made;
        if let Some(busy) = self.busy {
            busy.at(own_hash).fetch_add(1, Ordering::Relaxed);
        }
        let result = match self.expand(p, plies) {
            Ok(Some(known)) => Ok(known),
            Ok(None) => self.go_on(p, start, attacks, plies, pn_limit, dn_limit),
            Err(pause) => Err(pause),
        };
        if let Some(busy) = self.busy {
            busy.at(own_hash).fetch_sub(1, Ordering::Relaxed);
        }
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
        if let Some(known) = known {
            let mut key = [0; KEY_WORDS];
            let (key, hash) = self.key(p, &mut key);
            let work = u32::try_from(self.made - made_before).unwrap_or(u32::MAX);
            self.table.put(key, hash, known, work);
        }
        result
    }

    fn go_on(
        &mut self,
        p: &Position<W>,
        start: usize,
        attacks: bool,
        plies: u16,
        pn_limit: u32,
        dn_limit: u32,
    ) -> Result<Known, Pause> {
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
            if !known.is_open() || known.pn >= pn_limit || known.dn >= dn_limit {
                return Ok(known);
            }
            let child = &self.children[sum.best];
            let (after, hash, now) = (child.position, child.hash, child.known);
            let least_limit = sum.second.saturating_add(sum.second / 4).saturating_add(1);
            let (pn, dn) = if attacks {
                (
                    pn_limit.min(least_limit),
                    dn_limit.saturating_sub(sum.others),
                )
            } else {
                (
                    pn_limit.saturating_sub(sum.others),
                    dn_limit.min(least_limit),
                )
            };
            // Wherever it goes, it gets on.
            let (pn, dn) = (pn.clamp(now.pn + 1, NEVER), dn.clamp(now.dn + 1, NEVER));
            let left = self.question.plies(after.side, plies - 1);
            let found = self.visit(&after, hash, left, pn, dn)?;
            self.children[sum.best].known = found;
        }
    }

    /// Learns what other threads have found out; what is known of the position, if it is settled.
    fn refresh(&mut self, p: &Position<W>, start: usize, plies: u16) -> Option<Known> {
        let mut key = [0; KEY_WORDS];
        let (own, hash) = self.key(p, &mut key);
        let known = self.table.get(own, hash, plies);
        if let Some(known) = known.filter(|known| !known.is_open()) {
            return Some(known);
        }
        for at in start..self.children.len() {
            let child = &self.children[at];
            if !child.known.is_open() {
                continue;
            }
            let left = self.question.plies(child.position.side, plies - 1);
            let (key, hash) = self.key(&child.position, &mut key);
            if let Some(known) = self.table.get(key, hash, left) {
                self.children[at].known = known;
            }
        }
        None
    }
}

impl<W: Layout> Search<'_, '_, W> {
    /// What is known of a position without searching it, ended games and mates in one included.
    pub fn recall(&self, p: &Position<W>, plies: u16) -> Option<Known> {
        let question = &self.question;
        let outcome = question.game.outcome(p);
        if !outcome.is_ongoing() {
            return Some(question.ended(outcome));
        }
        let plies = question.plies(p.side, plies);
        let mut key = [0; KEY_WORDS];
        let (key, hash) = self.key(p, &mut key);
        let told = self.table.get(key, hash, plies);
        told.or_else(|| question.told(p, plies)).or_else(|| {
            let judge = question.judge.as_ref()?;
            let mates = p.side == question.attacker && plies > 0 && judge.can_reach(p);
            mates.then_some(Known::proven(1))
        })
    }
}

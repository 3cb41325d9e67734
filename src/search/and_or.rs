//! Direct, self and reflex play: an AND/OR search, in which one side attacks and the other defends.
//!
//! A depth-first search that decides whether the attacker can reach the goal within `n` of its turns. The
//! answer is monotone in `n`, so one entry of the transposition table covers many lengths. All pruning is
//! sound, and the order of turns affects only the speed. The search never decides which length to try next.
//! `answers.rs` searches the defender's answers.

mod answers;

use crate::judge::Judge;
use crate::king_walk::KingWalks;
use crate::limits::Watch;
use crate::patterns::mate_bound::MateBound;
use crate::play::Play;
use crate::transpositions::{Keyed, LeafTable, MoveBounds, TranspositionTable};
use board::Color;
use control::Stopped;
use position::{Layout, Position};
use rules::{Turn, with_turns};
use std::ops::Range;
use values::Value;
use values::oracle::{Oracle, loses_within, wins_within};

/// Returns a number for a turn, for killers and hints. Equal turns have equal numbers. Different turns may
/// have equal numbers, too, because only the order of turns depends on them.
#[inline(always)]
pub fn turn_number(turn: &Turn) -> u32 {
    turn.steps[0].code() ^ turn.steps[1].code().rotate_left(9) ^ turn.picks as u32
}

/// The minimum number of moves left for which the attacker's turns are ordered. With fewer moves left, nearly
/// all positions are refuted, so every turn is searched anyway.
const ORDERED_MOVES: u32 = 3;

/// The number of dropped turns that count as one position, because they take as long.
const DROPPED_PER_POSITION: usize = 4;

/// The search of one thread.
pub struct AndOrSearch<'a, W: Layout> {
    judge: Judge<'a, W>,
    play: Play,
    attacker: Color,
    table: &'a TranspositionTable,
    /// Bounds of positions to defend with one move left. These positions are many and are soon reached again.
    leaves: &'a LeafTable,
    /// Prunes positions that cannot end in mate even with help, if the rule set allows such a bound.
    mate_bound: Option<&'a MateBound<'a, W>>,
    /// Finds turns after which the defender's king cannot be mated in time.
    walks: Option<KingWalks<'a, 'a, W>>,
    /// An oracle of known values, in direct play with every win as the goal.
    oracle: Option<&'a dyn Oracle<W>>,
    watch: Watch<'a>,
    /// Numbers of the last two refuting answers, by moves left.
    killers: Vec<[u32; 2]>,
    /// Scores of refuting answers, by target square, kind and side.
    history: Vec<u32>,
}

impl<'a, W: Layout> AndOrSearch<'a, W> {
    /// Returns a search for `attacker`.
    pub fn new(
        judge: Judge<'a, W>,
        play: Play,
        attacker: Color,
        table: &'a TranspositionTable,
        leaves: &'a LeafTable,
        mate_bound: Option<&'a MateBound<'a, W>>,
        watch: Watch<'a>,
    ) -> AndOrSearch<'a, W> {
        AndOrSearch {
            judge,
            play,
            attacker,
            table,
            leaves,
            mate_bound,
            walks: mate_bound.and_then(KingWalks::new),
            oracle: None,
            watch,
            killers: vec![[0; 2]; 128],
            history: vec![0; 128 * 8 * 2],
        }
    }

    /// Sets an oracle to probe. The oracle is used only in direct play with every win as the goal, because
    /// its values say nothing about other goals.
    pub fn with_oracle(mut self, oracle: Option<&'a dyn Oracle<W>>) -> Self {
        self.oracle = oracle.filter(|_| self.play == Play::Direct && self.judge.any_win());
        self
    }

    /// Returns the number of positions searched so far.
    pub fn positions(&self) -> u64 {
        self.watch.positions()
    }

    /// Returns the value of a position, if the oracle knows it.
    fn known_value(&self, p: &Position<W>) -> Result<Option<Value>, Stopped> {
        self.oracle.map_or(Ok(None), |oracle| oracle.value(p))
    }

    /// Returns the side that is to reach the goal.
    fn goal_side(&self) -> Color {
        match self.play {
            Play::Direct => self.attacker,
            _ => !self.attacker,
        }
    }

    /// Returns whether the attacker, to move, can reach the goal within `moves` of its turns (at least one).
    ///
    /// # Errors
    /// If the search is to stop.
    pub fn attack(&mut self, p: &Position<W>, moves: u32) -> Result<bool, Stopped> {
        self.watch.tick()?;
        let direct = self.play == Play::Direct;
        if direct && moves == 1 && !self.judge.opponent_may_reach() {
            if self.mate_bound.is_some_and(|bound| !bound.allows(p, 1)) {
                return Ok(false);
            }
            return self.judge.try_can_reach(p, &self.watch);
        }
        if let Some(value) = self.known_value(p)? {
            return Ok(wins_within(value, moves));
        }
        let key = self.table.key(p);
        let known = self.table.get(&key);
        if u32::from(known.proved) <= moves {
            return Ok(true);
        }
        if u32::from(known.refuted) > moves {
            return Ok(false);
        }
        if moves == 1 && self.play == Play::Selfplay && self.judge.is_mate() {
            let forces = self.judge.game.forces_checkmate(p);
            let known = match forces {
                true => MoveBounds::proved(1, 0),
                false => MoveBounds::refuted(1, 0),
            };
            self.table.put(&key, known);
            return Ok(forces);
        }
        if let Some(bound) = self.mate_bound
            && moves <= 3
            && !bound.allows(p, if direct { 2 * moves - 1 } else { 2 * moves })
        {
            return Ok(false);
        }
        if self.play == Play::Reflex && self.judge.try_can_reach(p, &self.watch)? {
            // The attacker must reach the goal itself, so the opponent never will.
            let never = MoveBounds {
                refuted: u8::MAX,
                ..MoveBounds::UNKNOWN
            };
            self.table.put(&key, never);
            return Ok(false);
        }
        // Iterative deepening: fast wins are found fast, and the entries of shorter searches order the turns
        // of longer ones.
        let min_moves = u32::from(known.refuted).max(if direct { 2 } else { 1 });
        with_turns(|turns| {
            self.judge.game.turns(p, turns);
            let settled = match direct && moves > 1 {
                true => self.settle_direct(p, turns, min_moves..moves, known.hint)?,
                false => self.settle(p, turns, min_moves..moves, known.hint)?,
            };
            if let Some(bounds) = settled {
                self.table.put(&key, bounds);
            }
            Ok(settled.is_none_or(|bounds| bounds.refuted == 0))
        })
    }

    /// Searches whether one of these turns reaches the goal within `fewer.end` moves, and returns the
    /// resulting bounds. Returns `None` if a number of moves in `fewer` suffices; its bounds are in the table
    /// then.
    fn settle(
        &mut self,
        p: &Position<W>,
        turns: &mut [Turn],
        fewer: Range<u32>,
        hint: u32,
    ) -> Result<Option<MoveBounds>, Stopped> {
        let moves = fewer.end;
        if self.play == Play::Direct && self.judge.try_can_reach(p, &self.watch)? {
            return Ok(Some(MoveBounds::proved(1, 0)));
        }
        if self.attacks_sooner(p, fewer)? {
            return Ok(None);
        }
        self.order_turns(p, turns, moves, hint);
        for turn in turns.iter() {
            let after = self.judge.game.play(p, turn);
            if self.forced(&after, moves)? {
                return Ok(Some(MoveBounds::proved(moves, turn_number(turn))));
            }
        }
        Ok(Some(MoveBounds::refuted(moves, 0)))
    }

    /// Like [`settle`](Self::settle), in direct play with several moves left.
    fn settle_direct(
        &mut self,
        p: &Position<W>,
        turns: &mut Vec<Turn>,
        mut fewer: Range<u32>,
        hint: u32,
    ) -> Result<Option<MoveBounds>, Stopped> {
        let moves = fewer.end;
        if self.drop_survivable(p, turns, moves as usize - 1)? && turns.is_empty() {
            return Ok(Some(MoveBounds::refuted(moves, 0)));
        }
        if self.judge.try_can_reach(p, &self.watch)? {
            return Ok(Some(MoveBounds::proved(1, 0)));
        }
        while !fewer.is_empty() && self.all_survivable(p, turns, fewer.start as usize - 1) {
            fewer.start += 1;
        }
        if self.attacks_sooner(p, fewer)? {
            return Ok(None);
        }
        self.order_turns(p, turns, moves, hint);
        let found = self.try_direct(p, turns, moves)?;
        Ok(Some(match found {
            Some(turn) => MoveBounds::proved(moves, turn_number(&turn)),
            None => MoveBounds::refuted(moves, 0),
        }))
    }

    /// Drops the turns after which a walk of `steps` steps saves the defender's king from mate. Returns
    /// whether walks can be analyzed here.
    fn drop_survivable(
        &mut self,
        p: &Position<W>,
        turns: &mut Vec<Turn>,
        steps: usize,
    ) -> Result<bool, Stopped> {
        let Some(walks) = self.begin_walks(p, steps) else {
            return Ok(false);
        };
        let all = turns.len();
        turns.retain(|turn| !walks.survives(turn));
        for _ in 0..(all - turns.len()) / DROPPED_PER_POSITION {
            self.watch.tick()?;
        }
        Ok(true)
    }

    /// Returns true only if walks of `steps` steps save the defender's king after each of these turns.
    fn all_survivable(&mut self, p: &Position<W>, turns: &[Turn], steps: usize) -> bool {
        self.begin_walks(p, steps)
            .is_some_and(|walks| turns.iter().all(|turn| walks.survives(turn)))
    }

    /// Begins walks of `steps` steps at `p`. Returns `None` if they cannot be analyzed there.
    fn begin_walks(&mut self, p: &Position<W>, steps: usize) -> Option<&mut KingWalks<'a, 'a, W>> {
        let walks = self.walks.as_mut()?;
        walks.begin(p, steps).then_some(walks)
    }

    /// Returns whether the attacker can reach the goal within one of these numbers of moves.
    fn attacks_sooner(&mut self, p: &Position<W>, fewer: Range<u32>) -> Result<bool, Stopped> {
        for moves in fewer {
            if self.attack(p, moves)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Puts the turn with the number `hint` first. With at least [`ORDERED_MOVES`] moves left, sorts the
    /// others by the number of answers that they leave the defender, fewest first.
    fn order_turns(&self, p: &Position<W>, turns: &mut [Turn], moves: u32, hint: u32) {
        if moves >= ORDERED_MOVES {
            let mut after = *p;
            turns.sort_by_cached_key(|turn| {
                self.judge.game.play_into(p, turn, &mut after);
                self.judge.game.count(&after)
            });
        }
        if hint != 0
            && let Some(at) = turns.iter().position(|t| turn_number(t) == hint)
        {
            turns[..=at].rotate_right(1);
        }
    }

    /// Returns a turn that reaches the goal within `moves` moves, in direct play with several moves left.
    /// While a turn is searched, the entry of the next turn's position is prefetched.
    fn try_direct(
        &mut self,
        p: &Position<W>,
        turns: &[Turn],
        moves: u32,
    ) -> Result<Option<Turn>, Stopped> {
        let game = self.judge.game;
        let mut positions = [*p; 2];
        let mut keys = [Keyed::EMPTY; 2];
        // The turn to search next. Its position is in `positions[1 - at]`.
        let mut waiting: Option<&Turn> = None;
        let mut at = 0;
        for turn in turns {
            let next = &mut positions[at];
            game.play_into(p, turn, next);
            self.table.key_into(next, &mut keys[at]);
            match moves {
                2 => self.leaves.prefetch(&keys[at]),
                _ => self.table.prefetch(&keys[at]),
            }
            at = 1 - at;
            if let Some(before) = waiting.replace(turn)
                && self.defend(&positions[at], moves - 1, Some(&keys[at]))?
            {
                return Ok(Some(*before));
            }
        }
        match waiting {
            Some(last) if self.defend(&positions[1 - at], moves - 1, Some(&keys[1 - at]))? => {
                Ok(Some(*last))
            }
            _ => Ok(None),
        }
    }

    /// Returns whether the attacker's turn that led to `after` forces the goal within `moves` moves, this
    /// turn included.
    ///
    /// # Errors
    /// If the search is to stop.
    pub fn forced(&mut self, after: &Position<W>, moves: u32) -> Result<bool, Stopped> {
        if self.judge.opponent_may_reach()
            && self.play != Play::Direct
            && self.judge.reached_by_opponent(after, self.goal_side())
        {
            return Ok(true);
        }
        self.defend(after, moves - 1, None)
    }

    /// Returns whether every answer leads to the goal within `moves` more turns of the attacker. False
    /// without an answer. `key` is the position's key, if the caller has computed it.
    fn defend(
        &mut self,
        p: &Position<W>,
        moves: u32,
        key: Option<&Keyed>,
    ) -> Result<bool, Stopped> {
        if let Some(value) = self.known_value(p)? {
            return Ok(loses_within(value, moves));
        }
        match self.play {
            Play::Direct => {}
            Play::Reflex | Play::SemiReflex => {
                if self.judge.try_can_reach(p, &self.watch)? {
                    return Ok(true);
                }
                if moves == 0 {
                    return Ok(false);
                }
            }
            _ => {
                if moves == 0 {
                    self.judge.check_if_slow(&self.watch)?;
                    if !self.judge.game.has_turn(p) {
                        return Ok(false);
                    }
                }
            }
        }
        // A position has many answers, so an entry of a position to defend saves much work.
        let own_key;
        let key = match key {
            None if moves > 0 => {
                own_key = self.table.key(p);
                Some(&own_key)
            }
            key => key,
        };
        let mut hint = 0;
        if let Some(key) = key {
            let known = if moves == 1 {
                self.leaves.get(key)
            } else {
                self.table.get(key)
            };
            hint = known.hint;
            if u32::from(known.proved) <= moves {
                return Ok(true);
            }
            if u32::from(known.refuted) > moves {
                return Ok(false);
            }
        }
        let refutation = match moves == 2 && self.has_refuge(p) {
            true => Some(0),
            false => self.try_answers(p, moves, hint)?,
        };
        if let Some(key) = key {
            let known = match refutation {
                None => MoveBounds::proved(moves, 0),
                Some(hint) => MoveBounds::refuted(moves, hint),
            };
            if moves == 1 {
                self.leaves.put(key, known);
            } else {
                self.table.put(key, known);
            }
        }
        Ok(refutation.is_none())
    }
}

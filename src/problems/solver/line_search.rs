//! Help and series play: a depth-first search for all lines of turns that reach the goal.
//!
//! The transposition table records the positions from which no line reaches the goal within a number of
//! turns. Every line is found, whatever entries the table has lost. If the rule set allows it, [`Patterns`]
//! prune positions that cannot reach the goal.

use crate::branches::Branches;
use board::Color;
use control::{Counted, Stopped};
use notation::turns;
use position::{Layout, Position};
use rules::{Turn, with_turns};
use search::{Ending, Judge, MoveBounds, Patterns, TranspositionTable, Watch, passed};

/// The number of turns left up to which turns are searched in the order in which they are generated. With more left,
/// they are searched in printed order, so that lines are passed on while the search continues.
const UNSORTED_TURNS: u32 = 3;

/// Receives the lines found since the last call, in printed order. An error stops the search.
pub type LinesReceiver<'r> = dyn FnMut(Branches) -> Result<(), Stopped> + 'r;

/// The search of one thread.
pub struct LineSearch<'a, W: Layout> {
    pub judge: Judge<'a, W>,
    pub ending: Ending,
    /// In series play, in which one side makes all turns except perhaps the last: the maximum number of turns of
    /// the series. With more turns left, the line is in the introduction, which the other side makes.
    pub series: Option<u32>,
    /// Whether, in a series, the other side makes the last turn to help.
    pub helped: bool,
    /// The side that is to reach the goal.
    pub goal_side: Color,
    pub table: &'a TranspositionTable,
    pub watch: Watch<'a>,
    /// The maximum size of the table and the lines together, in bytes.
    pub memory_bytes: u64,
    /// Prunes positions that cannot reach the goal, if the rule set allows it.
    pub patterns: Option<Patterns<'a, W>>,
    /// If set, only lines with this first turn are searched.
    pub first: Option<Turn>,
    /// The line so far.
    pub path: Vec<Turn>,
    /// The number of turns in the introduction of the line so far.
    pub introduced: usize,
    /// The lines found that have not been passed on.
    pub found: Branches,
    /// The number of all lines found.
    pub lines: usize,
    /// The number of lines after which the search ends.
    pub max_lines: usize,
    /// Whether lines are passed on only after the current node, because shorter lines come between its longer ones.
    pub holds: bool,
}

impl<W: Layout> LineSearch<'_, W> {
    fn record(&mut self, last: &[Turn], answers: Vec<Turn>) -> Result<(), Stopped> {
        let line = self.path.iter().chain(last).copied();
        let bytes = self.found.add(line, self.introduced, answers);
        self.watch.count_line_bytes(bytes, || {
            let remaining = self.memory_bytes.saturating_sub(self.table.bytes() as u64);
            remaining.max(self.memory_bytes / 8)
        })?;
        self.lines += 1;
        if self.lines >= self.max_lines {
            return Err(Stopped::Count(Counted::Solutions));
        }
        Ok(())
    }

    /// Records the lines that end with a turn from `p` that reaches the goal.
    fn record_reaching(&mut self, p: &Position<W>) -> Result<(), Stopped> {
        self.judge.check_if_slow(&self.watch)?;
        with_turns(|turns| {
            self.judge.reaching(p, turns);
            turns.retain(|turn| self.may_continue_with(turn));
            self.holds |= !turns.is_empty();
            turns
                .iter()
                .try_for_each(|turn| self.record(&[*turn], Vec::new()))
        })
    }

    /// Finds all lines from `p` with at most `left` turns. The answer that ends a forced or reflex line is
    /// not counted. Returns whether a line was found. Lines that `receive` has not received are in
    /// [`found`](Self::found).
    pub fn search(
        &mut self,
        p: &Position<W>,
        left: u32,
        receive: &mut LinesReceiver<'_>,
    ) -> Result<bool, Stopped> {
        self.watch.tick()?;
        let root = self.path.is_empty();
        let key = (left > 1 && !root).then(|| self.table.key(p));
        if let Some(key) = &key
            && u32::from(self.table.get(key).refuted) > left
        {
            return Ok(false);
        }
        if !self.enter(p, left) {
            return Ok(false);
        }
        let found = self.search_entered(p, left, receive);
        if !root && let Some(patterns) = &mut self.patterns {
            patterns.leave();
        }
        let found = found?;
        if !found && let Some(key) = &key {
            self.table.put(
                key,
                MoveBounds {
                    refuted: left as u8 + 1,
                    ..MoveBounds::UNKNOWN
                },
            );
        }
        Ok(found)
    }

    /// Finds all lines from a position that has been entered. Returns whether there are any.
    fn search_entered(
        &mut self,
        p: &Position<W>,
        left: u32,
        receive: &mut LinesReceiver<'_>,
    ) -> Result<bool, Stopped> {
        let (before, held) = (self.lines, self.holds);
        match self.series {
            None => self.help_node(p, left, receive)?,
            Some(turns) if left > turns => self.introduction_node(p, left, turns, receive)?,
            Some(_) => self.series_node(p, left, receive)?,
        }
        self.holds = held;
        Ok(self.lines > before)
    }

    /// Enters a position in the patterns. Returns false, and enters nothing, only if the goal cannot be reached
    /// in `left` more turns.
    fn enter(&mut self, p: &Position<W>, left: u32) -> bool {
        let Some(patterns) = &mut self.patterns else {
            return true;
        };
        let reaches = self.ending == Ending::Goal && !self.helped;
        let (turns, helps) = budget(self.series, reaches, left);
        if self.path.is_empty() {
            return patterns.begin(p, turns, helps);
        }
        patterns.enter(p, turns, helps, left < 2)
    }

    /// Returns false only if the next turn cannot reach the goal.
    fn next_turn_may_reach_goal(&mut self, p: &Position<W>) -> bool {
        let patterns = self.patterns.as_mut();
        patterns.is_none_or(|patterns| patterns.may_reach_goal(p, 1, 0))
    }

    /// Returns the answers at `p` if there are any and every one reaches the goal for the side to move.
    pub fn all_reach(&self, p: &Position<W>) -> Option<Vec<Turn>> {
        let game = self.judge.game;
        with_turns(|turns| {
            game.turns(p, turns);
            let all = !turns.is_empty()
                && turns
                    .iter()
                    .all(|turn| self.judge.reached(p, turn, &game.play(p, turn)));
            all.then(|| turns.clone())
        })
    }

    /// Returns the answers at `p` that end the line, if a forced or reflex line may end here.
    fn ended(&mut self, p: &Position<W>) -> Result<Option<Vec<Turn>>, Stopped> {
        if !self.next_turn_may_reach_goal(p) {
            return Ok(None);
        }
        // All answers are examined, which takes long in slow rule sets.
        self.watch.check_now()?;
        Ok(match self.ending {
            Ending::Goal => None,
            Ending::Forced if self.judge.is_mate() && !self.judge.game.must_checkmate(p) => None,
            Ending::Forced => self.all_reach(p),
            Ending::Reflex => {
                let mut answers = Vec::new();
                self.judge.reaching(p, &mut answers);
                (!answers.is_empty()).then_some(answers)
            }
        })
    }

    /// Calls `work` with each turn from `p` that may continue the line, with `left` turns left. If there are many, the
    /// turns come in printed order, and `receive` receives the lines after each turn.
    fn each(
        &mut self,
        p: &Position<W>,
        left: u32,
        receive: &mut LinesReceiver<'_>,
        mut work: impl FnMut(&mut Self, &Turn, &mut LinesReceiver<'_>) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        with_turns(|turns| {
            let game = self.judge.game;
            game.turns(p, turns);
            turns.retain(|turn| self.may_continue_with(turn));
            let sorted = left > UNSORTED_TURNS;
            if sorted && turns.len() > 1 {
                turns::sort(game, p, turns);
            }
            for turn in turns.iter() {
                work(self, turn, receive)?;
                if sorted && !self.holds && !self.found.is_empty() {
                    receive(std::mem::take(&mut self.found))?;
                }
            }
            Ok(())
        })
    }

    /// Like [`each`](Self::each), but also passes whether the line may end with the turn. If `last` is set,
    /// only turns with which the line may end are passed.
    fn each_ending(
        &mut self,
        p: &Position<W>,
        left: u32,
        last: bool,
        receive: &mut LinesReceiver<'_>,
        mut work: impl FnMut(&mut Self, &Turn, bool, &mut LinesReceiver<'_>) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        if self.ending != Ending::Forced || !self.judge.is_mate() {
            return self.each(p, left, receive, |this, turn, receive| {
                work(this, turn, true, receive)
            });
        }
        with_turns(|forcing| {
            // Before the last turn, the caller has tested the patterns already.
            let patterns = self.patterns.as_mut().filter(|_| !last);
            if patterns.is_none_or(|patterns| patterns.may_reach_goal(p, 1, 1)) {
                self.judge.game.may_force_checks(p, forcing);
            }
            if last {
                for turn in forcing.iter() {
                    if self.may_continue_with(turn) {
                        work(self, turn, true, receive)?;
                    }
                }
                return Ok(());
            }
            self.each(p, left, receive, |this, turn, receive| {
                work(this, turn, forcing.contains(turn), receive)
            })
        })
    }

    fn search_after(
        &mut self,
        turn: &Turn,
        after: &Position<W>,
        left: u32,
        receive: &mut LinesReceiver<'_>,
    ) -> Result<(), Stopped> {
        self.path.push(*turn);
        let result = self.search(after, left, receive);
        self.path.pop();
        result.map(|_| ())
    }

    /// Returns whether a line may continue with this turn; only first turns are restricted, by
    /// [`first`](Self::first).
    fn may_continue_with(&self, turn: &Turn) -> bool {
        !self.path.is_empty() || self.first.is_none_or(|first| first == *turn)
    }

    fn help_node(
        &mut self,
        p: &Position<W>,
        left: u32,
        receive: &mut LinesReceiver<'_>,
    ) -> Result<(), Stopped> {
        let to_reach = p.side == self.goal_side;
        match self.ending {
            Ending::Goal if to_reach => {
                self.record_reaching(p)?;
                if left == 1 && !self.judge.opponent_may_reach() {
                    return Ok(());
                }
                self.each(p, left, receive, |this, turn, receive| {
                    let after = this.judge.game.play(p, turn);
                    if left < 2 || this.judge.reached(p, turn, &after) {
                        return Ok(());
                    }
                    this.search_after(turn, &after, left - 1, receive)
                })
            }
            Ending::Goal => self.each(p, left, receive, |this, turn, receive| {
                let after = this.judge.game.play(p, turn);
                if this.judge.reached_by_opponent(&after, this.goal_side) {
                    return this.record(&[*turn], Vec::new());
                }
                if left < 2 {
                    return Ok(());
                }
                this.search_after(turn, &after, left - 1, receive)
            }),
            // The side that is to reach the goal helps until the answer that ends the line.
            _ if to_reach => {
                let reflex = self.ending == Ending::Reflex;
                if reflex && self.judge.try_can_reach(p, &self.watch)? {
                    // The side must reach the goal. In the root, that is a solution; later, the line has
                    // ended with the previous turn.
                    return if self.path.is_empty() {
                        self.record_reaching(p)
                    } else {
                        Ok(())
                    };
                }
                if left < 2 {
                    return Ok(());
                }
                self.each(p, left, receive, |this, turn, receive| {
                    let after = this.judge.game.play(p, turn);
                    if !reflex && this.judge.reached(p, turn, &after) {
                        return Ok(());
                    }
                    this.search_after(turn, &after, left - 1, receive)
                })
            }
            _ => {
                if self.ending == Ending::Reflex && self.judge.try_can_reach(p, &self.watch)? {
                    return Ok(());
                }
                self.each_ending(
                    p,
                    left,
                    left < 3,
                    receive,
                    |this, turn, may_end, receive| {
                        let after = this.judge.game.play(p, turn);
                        if may_end && let Some(answers) = this.ended(&after)? {
                            return this.record(&[*turn], answers);
                        }
                        if left < 3 {
                            return Ok(());
                        }
                        this.search_after(turn, &after, left - 1, receive)
                    },
                )
            }
        }
    }

    /// Searches the lines with a further turn of the introduction. The series can begin after each of its turns.
    fn introduction_node(
        &mut self,
        p: &Position<W>,
        left: u32,
        series: u32,
        receive: &mut LinesReceiver<'_>,
    ) -> Result<(), Stopped> {
        self.each(p, left, receive, |this, turn, receive| {
            let game = this.judge.game;
            let after = game.play(p, turn);
            let further = match left - series {
                1 => None,
                _ => passed(game, &after),
            };
            let held = this.holds;
            // The lines whose series begins here come between those with a longer introduction.
            this.holds |= further.is_some();
            this.introduced = this.path.len() + 1;
            this.search_after(turn, &after, series, receive)?;
            if let Some(further) = further {
                this.search_after(turn, &further, left - 1, receive)?;
            }
            this.holds = held;
            Ok(())
        })
    }

    fn series_node(
        &mut self,
        p: &Position<W>,
        left: u32,
        receive: &mut LinesReceiver<'_>,
    ) -> Result<(), Stopped> {
        if self.ending == Ending::Goal && !self.helped {
            self.record_reaching(p)?;
            if left < 2 {
                return Ok(());
            }
            // A side that is stalemated passes, too. A mate ends the series, because passing leaves the king in
            // check.
            let continues = self.judge.goal.is_passable();
            return self.each(p, left, receive, |this, turn, receive| {
                let after = this.judge.game.play(p, turn);
                if !continues && this.judge.reached(p, turn, &after) {
                    return Ok(());
                }
                match passed(this.judge.game, &after) {
                    Some(next) => this.search_after(turn, &next, left - 1, receive),
                    None => Ok(()),
                }
            });
        }
        if self.ending == Ending::Reflex && self.judge.try_can_reach(p, &self.watch)? {
            return Ok(());
        }
        self.each_ending(
            p,
            left,
            left < 2,
            receive,
            |this, turn, may_end, receive| {
                let after = this.judge.game.play(p, turn);
                let (before, held) = (this.lines, this.holds);
                match this.ending {
                    Ending::Goal => {
                        if this.next_turn_may_reach_goal(&after) {
                            this.judge.check_if_slow(&this.watch)?;
                            with_turns(|turns| {
                                this.judge.reaching(&after, turns);
                                turns
                                    .iter()
                                    .try_for_each(|last| this.record(&[*turn, *last], Vec::new()))
                            })?;
                        }
                    }
                    _ => {
                        if may_end && let Some(answers) = this.ended(&after)? {
                            this.record(&[*turn], answers)?;
                            // In reflex play, a side that can reach the goal must do so, so the series cannot
                            // continue.
                            if this.ending == Ending::Reflex {
                                return Ok(());
                            }
                        }
                    }
                }
                if left < 2 {
                    return Ok(());
                }
                // The lines that end after this turn come between those that continue.
                this.holds |= this.helped && this.lines > before;
                if let Some(next) = passed(this.judge.game, &after) {
                    this.search_after(turn, &next, left - 1, receive)?;
                }
                this.holds = held;
                Ok(())
            },
        )
    }
}

/// Returns the numbers of turns that the side that is to reach the goal and its opponent can make in `left` turns.
/// `series` is as in [`LineSearch::series`]; `reaches` is whether the side that makes the series reaches the goal.
pub fn budget(series: Option<u32>, reaches: bool, left: u32) -> (u32, u32) {
    let Some(turns) = series else {
        return (left.div_ceil(2), left / 2);
    };
    let (introduction, turns) = (left.saturating_sub(turns), left.min(turns));
    match reaches {
        true => (turns, introduction),
        false => (introduction + 1, turns),
    }
}

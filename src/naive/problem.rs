//! Solves problems by plain search with the naive rules. Finds the first turns of all solutions, and the
//! number of solutions.

use crate::{Document, Position, RuleSets, Unverified, ensure, solution, unchecked};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

type Answer<T> = Result<T, Unverified>;

/// A stipulation: the kind of play, the goal and the number of moves.
#[derive(Clone)]
pub struct Stipulation {
    /// The prefix for the kind of play: `s`, `r`, `semi-r`, `h`, `hs`, `hr`, `ser-`, `ser-h`, `ser-s` or
    /// `ser-r`, or an empty text for direct play.
    pub play: &'static str,
    goal: Goal,
    pub(crate) moves: u32,
    half: bool,
}

#[derive(Clone)]
enum Goal {
    Mate,
    Stalemate,
    MateOrStalemate,
    Win,
    Check,
    Capture,
    Square(String),
    Reason(String),
}

/// The maximum number of moves of a stipulation.
const MAX_MOVES: u32 = 99;

const PLAYS: [&str; 11] = [
    "ser-h", "ser-s", "ser-r", "ser-", "semi-r", "hs", "hr", "h", "s", "r", "",
];

impl Stipulation {
    /// Reads a stipulation.
    ///
    /// # Errors
    /// If the text is not a stipulation, or the naive search does not know its goal.
    pub fn read(text: &str) -> Result<Stipulation, Unverified> {
        let unknown = || Unverified::Unchecked(format!("the naive search does not know `{text}`"));
        let head = text.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let mut number = &text[head.len()..];
        let name = head.trim_end();
        let (play, goal) =
            if head.ends_with(' ') && name.chars().all(|c| c.is_ascii_lowercase() || c == '-') {
                let split = |play: &'static str| {
                    let rest = name.strip_prefix(play)?;
                    match play.is_empty() || play.ends_with('-') {
                        true => Some((play, rest)),
                        false => Some((play, rest.strip_prefix('-')?)),
                    }
                };
                let (play, word) = PLAYS.into_iter().find_map(split).ok_or_else(unknown)?;
                match word {
                    "win" => (play, Goal::Win),
                    "goal" => return Err(unknown()),
                    _ => (play, Goal::Reason(word.to_string())),
                }
            } else {
                let sign = name.find(['#', '=', '+', 'x', 'z']).ok_or_else(unknown)?;
                let play = PLAYS
                    .into_iter()
                    .find(|play| *play == &name[..sign])
                    .ok_or_else(unknown)?;
                let goal = match &name[sign..] {
                    "#" => Goal::Mate,
                    "=" => Goal::Stalemate,
                    "#=" => Goal::MateOrStalemate,
                    "+" => Goal::Check,
                    "x" => Goal::Capture,
                    sign if sign.starts_with('z') && sign.len() == 2 && number.len() > 1 => {
                        let square = format!("{}{}", &sign[1..], &number[..1]);
                        number = &number[1..];
                        Goal::Square(square)
                    }
                    _ => return Err(unknown()),
                };
                (play, goal)
            };
        let (whole, half) = match number.strip_suffix(".5") {
            Some(whole) => (whole, true),
            None => (number, false),
        };
        let is_number = |moves: &u32| *moves <= MAX_MOVES && moves.to_string() == whole;
        let moves = whole.parse().ok().filter(is_number).ok_or_else(unknown)?;
        // Only help play has half moves, and without whole ones only the plain kind.
        let fits = match (moves, half) {
            (0, _) => half && play == "h",
            (_, half) => !half || ["h", "hs", "hr"].contains(&play),
        };
        if !fits {
            return Err(unknown());
        }
        Ok(Stipulation {
            play,
            goal,
            moves,
            half,
        })
    }

    /// Checks that the goal exists in the games of a position.
    ///
    /// # Errors
    /// If it does not, or is not known to.
    pub fn check(&self, position: &Position) -> Answer<()> {
        let needed: &[&str] = match &self.goal {
            Goal::Mate | Goal::Check => &["checkmate"],
            Goal::Stalemate => &["stalemate"],
            Goal::MateOrStalemate => &["checkmate", "stalemate"],
            Goal::Reason(reason) => &[reason],
            Goal::Win | Goal::Capture => &[],
            Goal::Square(square) => {
                let fen = position.fen();
                let ranks = fen.split(' ').next().unwrap_or_default().split('/').count();
                let files = position.cells().len() / ranks;
                let mut letters = square.bytes();
                let file = letters
                    .next()
                    .map_or(0, |file| usize::from(file.saturating_sub(b'a')));
                let rank = letters
                    .next()
                    .map_or(0, |rank| usize::from(rank.saturating_sub(b'0')));
                // With more ranks, the number of the square may have two digits.
                let is_known = ranks < 10 && file < files && (1..=ranks).contains(&rank);
                return match is_known {
                    true => Ok(()),
                    false => unchecked(format!("the goal square {square} of this board")),
                };
            }
        };
        // The reasons of definitions are judged, or not, where a game ends.
        let missing = needed.iter().find(|reason| !position.has_reason(reason));
        match missing.filter(|_| position.has_reasons()) {
            None => Ok(()),
            Some(reason) => unchecked(format!("games do not end by `{reason}` here")),
        }
    }

    /// Returns the number of turns of a solution of the stipulated length that is a line.
    pub(crate) fn line_turns(&self) -> usize {
        let turns = match self.play {
            "h" => 2 * self.moves + u32::from(self.half),
            "hs" | "hr" => 2 * self.moves + u32::from(self.half) - 1,
            "ser-h" => self.moves + 1,
            _ => self.moves,
        };
        turns as usize
    }

    /// Returns the verdict on solutions. `short` is whether one of them is shorter than stipulated.
    pub fn verdict(&self, solutions: usize, short: bool) -> &'static str {
        let is_line = self.play.starts_with('h') || self.play.starts_with("ser-");
        match (solutions, short) {
            (_, true) => "short-solution",
            (0, _) => "no-solution",
            (1, _) => "sound",
            _ if is_line => "several-solutions",
            _ => "cooked",
        }
    }

    /// Returns whether a turn reaches the goal for the side `white`.
    ///
    /// # Errors
    /// If the naive rules cannot judge this goal in this variant.
    pub fn reached(
        &self,
        before: &Position,
        turn: &str,
        after: &Position,
        white: bool,
    ) -> Answer<bool> {
        self.is_met(before, turn, after, white, &self.outcome(after)?)
    }

    /// Returns the outcome of a position, or an empty text if the goal does not depend on the outcome.
    fn outcome(&self, after: &Position) -> Answer<String> {
        match self.goal {
            Goal::Square(_) | Goal::Capture | Goal::Check => Ok(String::new()),
            _ => after.outcome(),
        }
    }

    fn is_met(
        &self,
        before: &Position,
        turn: &str,
        after: &Position,
        white: bool,
        outcome: &str,
    ) -> Answer<bool> {
        let units = |position: &Position| position.cells().iter().flatten().count();
        let name = if white { "white" } else { "black" };
        let ends = |win: &str, reason: &str| outcome == format!("{name}-wins{win} {reason}");
        let is_end = !outcome.is_empty() && outcome != "ongoing";
        if is_end && !after.has_reasons() && !matches!(self.goal, Goal::Win) {
            return unchecked("the reason of an end in a definition");
        }
        Ok(match &self.goal {
            Goal::Mate => ends("", "checkmate"),
            Goal::Stalemate => outcome.ends_with(" stalemate"),
            Goal::MateOrStalemate => ends("", "checkmate") || outcome.ends_with(" stalemate"),
            Goal::Win => outcome.starts_with(&format!("{name}-wins ")),
            Goal::Reason(reason) => {
                ends("", reason) || ends("-weakly", reason) || outcome == format!("draw {reason}")
            }
            Goal::Capture if matches!(after, Position::Text(_)) => {
                return unchecked(
                    "captures in a rule text, whose units may come and leave otherwise",
                );
            }
            Goal::Capture => units(before) > units(after),
            Goal::Check => after.in_check()?,
            Goal::Square(_) if turn.contains(['+', '@']) => {
                return unchecked("a goal square of turns of several steps");
            }
            Goal::Square(square) => turn.get(2..).is_some_and(|to| to.starts_with(square)),
        })
    }
}

/// Maximum number of positions after turns that a search stores. Each takes less than a kilobyte.
const KEPT: usize = 200_000;

/// The first turns of all solutions, the number of solutions, and whether one is shorter than stipulated.
pub type Solved = Result<(Vec<String>, usize, bool), Unverified>;

/// Turns with the positions after them.
type Turns = Rc<[(String, Position)]>;

/// A search over the turns of the naive rules, with a limit on the positions whose turns are listed.
pub struct Search<'r> {
    rule_sets: &'r RuleSets,
    pub(crate) asked: Stipulation,
    left: Cell<u64>,
    /// Number of visits that remain. Revisits of positions are limited too, because transpositions multiply
    /// them.
    visits: Cell<u64>,
    /// The turns of the positions that were listed last, at most [`KEPT`] turns together.
    turns: RefCell<HashMap<String, Turns>>,
    kept: Cell<usize>,
    /// The position whose outcome was computed last. Its turns are often listed next.
    last: RefCell<Option<(String, Position)>>,
    /// The positions whose turns were listed.
    listed: RefCell<HashSet<String>>,
    /// Outcomes, each with whether it was counted against the limit. Computing an outcome takes as long as
    /// listing turns.
    judged: RefCell<HashMap<String, (Rc<str>, bool)>>,
    attacks: RefCell<HashMap<(String, u32), bool>>,
}

impl<'r> Search<'r> {
    /// Returns a search that lists the turns of at most `positions` positions.
    pub fn new(rule_sets: &'r RuleSets, asked: Stipulation, positions: u64) -> Search<'r> {
        let (turns, kept, last, listed, judged, attacks) = Default::default();
        Search {
            rule_sets,
            asked,
            left: Cell::new(positions),
            visits: Cell::new(positions.saturating_mul(50)),
            turns,
            kept,
            last,
            listed,
            judged,
            attacks,
        }
    }

    pub(crate) fn turns(&self, position: &Position) -> Answer<Turns> {
        Self::spend(&self.visits)?;
        let identity = position.identity();
        if let Some(turns) = self.turns.borrow().get(&identity) {
            return Ok(turns.clone());
        }
        if self.listed.borrow_mut().insert(identity.clone()) {
            Self::spend(&self.left)?;
        }
        // Use a copy, because a position stores its turns once they are listed.
        let copy = match self.last.take() {
            Some((last, copy)) if last == identity => copy,
            _ => position.clone(),
        };
        let turns: Turns = copy.turns()?.into();
        let kept = self.kept.get() + turns.len();
        let is_full = kept > KEPT;
        self.kept.set(if is_full { turns.len() } else { kept });
        let mut all = self.turns.borrow_mut();
        if is_full {
            all.clear();
        }
        all.insert(identity, turns.clone());
        Ok(turns)
    }

    fn spend(counter: &Cell<u64>) -> Answer<()> {
        let Some(left) = counter.get().checked_sub(1) else {
            return unchecked("it takes more positions than --positions allows");
        };
        counter.set(left);
        Ok(())
    }

    pub(crate) fn reached(
        &self,
        before: &Position,
        turn: &str,
        after: &Position,
        white: bool,
    ) -> Answer<bool> {
        let outcome = self.outcome(after, true)?;
        self.asked.is_met(before, turn, after, white, &outcome)
    }

    fn outcome(&self, after: &Position, counts: bool) -> Answer<Rc<str>> {
        let (mut judged, identity) = (self.judged.borrow_mut(), after.identity());
        if !judged.contains_key(&identity) {
            let copy = after.clone();
            let outcome = self.asked.outcome(&copy)?.into();
            self.last.replace(Some((identity.clone(), copy)));
            judged.insert(identity.clone(), (outcome, false));
        }
        let (outcome, counted) = judged.get_mut(&identity).expect("it was inserted");
        if counts && !std::mem::replace(counted, true) {
            Self::spend(&self.left)?;
        }
        Ok(outcome.clone())
    }

    /// Returns whether a turn reaches the goal for the side that does not make the turn.
    pub(crate) fn late(
        &self,
        before: &Position,
        turn: &str,
        after: &Position,
        white: bool,
    ) -> Answer<bool> {
        let may = matches!(self.asked.goal, Goal::Win | Goal::Reason(_));
        Ok(may
            && !self.outcome(after, false)?.starts_with("draw")
            && self.reached(before, turn, after, white)?)
    }

    pub(crate) fn can(&self, position: &Position) -> Answer<bool> {
        let white = position.is_white();
        for (turn, after) in self.turns(position)?.iter() {
            if self.reached(position, turn, after, white)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether a turn of the attacker solves the problem in `moves` moves.
    pub(crate) fn solves(
        &self,
        before: &Position,
        turn: &str,
        after: &Position,
        moves: u32,
    ) -> Answer<bool> {
        let white = before.is_white();
        let direct = self.asked.play.is_empty();
        let reflex = ["r", "semi-r"].contains(&self.asked.play);
        match direct {
            true if self.reached(before, turn, after, white)? => return Ok(true),
            false if reflex && (self.late(before, turn, after, !white)? || self.can(after)?) => {
                return Ok(true);
            }
            _ => {}
        }
        let answers = self.turns(after)?;
        for (answer, there) in answers.iter() {
            let reached = match direct {
                true => self.late(after, answer, there, white)?,
                false => !reflex && self.reached(after, answer, there, !white)?,
            };
            if !(reached || moves > 1 && self.attack(there, moves - 1)?) {
                return Ok(false);
            }
        }
        Ok(!answers.is_empty())
    }

    pub(crate) fn attack(&self, position: &Position, moves: u32) -> Answer<bool> {
        let known = (position.identity(), moves);
        if let Some(&solved) = self.attacks.borrow().get(&known) {
            return Ok(solved);
        }
        let mut solved = false;
        if self.asked.play != "r" || !self.can(position)? {
            for (turn, after) in self.turns(position)?.iter() {
                solved = self.solves(position, turn, after, moves)?;
                if solved {
                    break;
                }
            }
        }
        self.attacks.borrow_mut().insert(known, solved);
        Ok(solved)
    }

    /// Returns the position after the side to move has passed, if it may pass.
    pub(crate) fn passed(&self, position: &Position) -> Answer<Option<Position>> {
        let outcome = match &*self.outcome(position, false)? {
            "" => position.clone().outcome()?,
            outcome => outcome.to_string(),
        };
        let may =
            outcome == "ongoing" || outcome.ends_with("stalemate") || outcome.ends_with("no-turn");
        Ok(may.then(|| position.passed(self.rule_sets)).flatten())
    }

    /// Returns whether the replies in `after` reach the goal for the side to move, as at the end of hs# and
    /// similar play: all replies if `all` is set, otherwise at least one.
    fn forced(&self, after: &Position, all: bool) -> Answer<bool> {
        let (white, answers) = (after.is_white(), self.turns(after)?);
        for (answer, there) in answers.iter() {
            if self.reached(after, answer, there, white)? != all {
                return Ok(!all);
            }
        }
        Ok(all && !answers.is_empty())
    }

    /// Returns the solutions of help and series play in at most `left` turns.
    fn lines(
        &self,
        position: &Position,
        left: u32,
        goal_is_white: bool,
    ) -> Answer<Vec<Vec<String>>> {
        let (series, ending) = match self.asked.play {
            "ser-" => (true, ' '),
            play => (play.starts_with("ser-"), play.chars().last().unwrap_or(' ')),
        };
        let helped = series && ending == 'h';
        let mut found = Vec::new();
        let white = position.is_white();
        let mine = white == goal_is_white;
        if ending == 'r' && self.can(position)? {
            // In reflex play, the side must reach the goal. If it is the side whose goal this is, that solves a
            // problem that begins with its turn; later, the line has ended with the turn before.
            let is_first = left == self.length() && mine && !series;
            for (turn, after) in self.turns(position)?.iter().filter(|_| is_first) {
                if self.reached(position, turn, after, white)? {
                    found.push(vec![turn.clone()]);
                }
            }
            return Ok(found);
        }
        for (turn, after) in self.turns(position)?.iter() {
            let mut on = left > 1;
            match ending {
                _ if helped => {
                    for (last, there) in self.turns(after)?.iter() {
                        if self.reached(after, last, there, !white)? {
                            found.push(vec![turn.clone(), last.clone()]);
                        }
                    }
                }
                ' ' | 'h' => {
                    let there = match mine {
                        true => self.reached(position, turn, after, white)?,
                        false => self.late(position, turn, after, goal_is_white)?,
                    };
                    if there {
                        found.push(vec![turn.clone()]);
                        on = false;
                    }
                }
                _ if mine => on &= ending == 'r' || !self.reached(position, turn, after, white)?,
                _ => {
                    if self.forced(after, ending == 's')? {
                        found.push(vec![turn.clone()]);
                        on &= series && ending == 's';
                    }
                    on &= series || left > 2;
                }
            }
            let next = match (on, series) {
                (false, _) => None,
                (true, true) => self.passed(after)?,
                (true, false) => Some(after.clone()),
            };
            if let Some(next) = next {
                for mut line in self.lines(&next, left - 1, goal_is_white)? {
                    line.insert(0, turn.clone());
                    found.push(line);
                }
            }
        }
        Ok(found)
    }

    /// Returns the maximum number of turns of both sides in help and series play.
    fn length(&self) -> u32 {
        let Stipulation {
            play, moves, half, ..
        } = self.asked;
        match play.starts_with("ser-") {
            true => moves,
            false => 2 * moves + u32::from(half),
        }
    }

    /// Returns the first turns of all solutions, the number of solutions, and whether one is shorter than stipulated.
    ///
    /// # Errors
    /// If the search reaches its limit, or cannot judge the goal.
    pub fn solve(&self, position: &Position) -> Solved {
        self.asked.check(position)?;
        let Stipulation {
            play, moves, half, ..
        } = self.asked;
        let white = position.is_white();
        let own = match play {
            "ser-" => true,
            _ if play.starts_with("ser-") => false,
            "h" | "hs" | "hr" => half,
            _ => {
                let (mut keys, mut short) = (Vec::new(), false);
                if play != "r" || !self.can(position)? {
                    for (turn, after) in self.turns(position)?.iter() {
                        if self.solves(position, turn, after, moves)? {
                            keys.push(turn.clone());
                            short |= moves > 1 && self.solves(position, turn, after, moves - 1)?;
                        }
                    }
                }
                let count = keys.len();
                return Ok((keys, count, short));
            }
        };
        let lines = self.lines(position, self.length(), white == own)?;
        let firsts: BTreeSet<String> = lines.iter().map(|line| line[0].clone()).collect();
        let short = lines
            .iter()
            .any(|line| line.len() < self.asked.line_turns());
        Ok((firsts.into_iter().collect(), lines.len(), short))
    }
}

/// The fields of puzzles and stored solutions, each with what it is compared with; `None` for what is not checked.
pub const FIELDS: [(&str, Option<&str>); 13] = [
    ("variant", Some("the rules by which it is solved")),
    ("fen", Some("the position that is solved")),
    (
        "stipulation",
        Some("the play, the goal and the number of moves that are searched"),
    ),
    ("keys", Some("the first turns of all solutions")),
    ("solutions", Some("the number of solutions")),
    (
        "verdict",
        Some("the number of solutions, and whether one is shorter"),
    ),
    ("complete", Some("whether the search has ended")),
    ("lines", Some("all solutions of help and series play")),
    ("tree", Some("all play of direct, self and reflex play")),
    ("goal", None),
    ("id", None),
    ("source", None),
    ("comment", None),
];

/// The solutions of the problems that were checked so far, by variant, position and stipulation.
#[derive(Default)]
pub struct Solutions(Mutex<HashMap<[String; 3], Solved>>);

impl Solutions {
    /// Checks the fields of a problem. A stored solution has play, which is checked first. Returns, for each check,
    /// the kind of statement that is verified, or the reason why it is not.
    pub fn judge(
        &self,
        problem: &Document,
        rule_sets: &RuleSets,
        max_positions: u64,
    ) -> Vec<Answer<&'static str>> {
        let is_stored = problem.field("tree").is_some() || problem.field("lines").is_some();
        let mut judged = Vec::new();
        if is_stored {
            let played = solution::judge(problem, rule_sets);
            let is_right = played.is_ok();
            judged.push(played.map(|()| "solution whose play is right"));
            if !is_right {
                return judged;
            }
        }
        let solved = self.judge_keys(problem, rule_sets, max_positions);
        let is_right = solved.is_ok();
        judged.push(solved.map(|()| {
            if is_stored {
                "complete list of keys"
            } else {
                "solved problem"
            }
        }));
        if is_stored && is_right {
            let search = self.search(problem, rule_sets, max_positions);
            let whole =
                search.and_then(|(search, root)| solution::is_whole(&search, &root, problem));
            judged.push(whole.map(|()| "tree with all play"));
        }
        judged
    }

    /// Returns a search for a problem, and its position. The search may examine `max_positions` positions, or fewer in
    /// rule sets whose turns take long to list.
    fn search<'r>(
        &self,
        problem: &Document,
        rule_sets: &'r RuleSets,
        max_positions: u64,
    ) -> Answer<(Search<'r>, Position)> {
        let asked = Stipulation::read(problem.text("stipulation"))?;
        let fen = Some(problem.text("fen")).filter(|fen| !fen.is_empty());
        let variant = problem.text("variant");
        let position = rule_sets.read(variant, fen)?;
        let limit = max_positions / rule_sets.slowness(variant);
        Ok((Search::new(rule_sets, asked, limit), position))
    }

    /// Solves a problem, and compares each of its fields `keys`, `solutions`, `verdict` and `complete` that it has.
    ///
    /// # Errors
    /// If a statement is wrong, or the problem cannot be solved within the limit.
    pub fn judge_keys(
        &self,
        problem: &Document,
        rule_sets: &RuleSets,
        max_positions: u64,
    ) -> Answer<()> {
        let has = |name: &str| problem.field(name).is_some();
        let (verdict, complete) = (problem.text("verdict"), problem.text("complete"));
        if ["undecided", "unchecked"].contains(&verdict) || has("verdict") && verdict.is_empty() {
            return unchecked("it is not solved");
        }
        if !has("keys") && !has("solutions") && !has("verdict") {
            return unchecked("it states no solution");
        }
        let (search, position) = self.search(problem, rule_sets, max_positions)?;
        let names = ["variant", "fen", "stipulation"].map(|name| problem.text(name).to_string());
        let solved = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = solved().get(&names).cloned();
        let found = known.unwrap_or_else(|| search.solve(&position));
        solved().insert(names, found.clone());
        let (found, count, short) = found?;
        let expected = search.asked.verdict(count, short);
        if complete == "false"
            && ["cooked", "several-solutions", "short-solution"].contains(&verdict)
        {
            return unchecked("its search was stopped");
        }
        ensure(
            !has("complete") || complete == "true",
            || "it is complete by the naive rules",
        )?;
        ensure(!has("verdict") || verdict == expected, || {
            format!("the verdict is `{expected}`, not `{verdict}`")
        })?;
        let mut keys = problem.words("keys").unwrap_or_default();
        keys.retain(|key| *key != "none");
        ensure(!has("keys") || keys == found, || {
            format!("the first turns of the solutions are `{}`", found.join(" "))
        })?;
        ensure(
            !has("solutions") || problem.text("solutions") == count.to_string(),
            || format!("there are {count} solutions"),
        )
    }
}

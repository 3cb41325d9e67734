//! Checks solutions of problems: each turn is legal, each goal is reached, each reply of the defender is
//! answered, and the figures agree with the play.
//!
//! Does not detect missing duals, threats, tries and set play. [`problem`](crate::problem) checks that the
//! list of keys is complete.
//!
//! A solution is a record with the fields that `solve --format json` prints. `lines` contains the lines of
//! help and series play, and `tree` contains other play. The `keys`, `tries` and `set_play` of a tree are
//! turns, each with `answers` and `threats`. Each answer has the continuations as `next`.

use crate::problem::Stipulation;
use crate::{Document, Position, RuleSets, Unverified, ensure, wrong};
use std::collections::BTreeSet;

struct Judge<'r> {
    rule_sets: &'r RuleSets,
    asked: &'r Stipulation,
}

impl Judge<'_> {
    fn is_goal(&self, before: &Position, turn: &str, after: &Position) -> Result<bool, Unverified> {
        let white = before.is_white();
        Ok(self.asked.reached(before, turn, after, white)?
            || self.asked.reached(before, turn, after, !white)?)
    }

    fn passed(&self, position: &Position) -> Result<Position, Unverified> {
        let passed = position.passed(self.rule_sets);
        passed.map_or_else(
            || wrong(format!("no side can pass in `{}`", position.fen())),
            Ok,
        )
    }

    fn plays(&self, position: &Position, node: &Document) -> Result<Position, Unverified> {
        let turn = node.text("turn");
        let after = position.play(turn)?;
        let fits = !says_goal(node) || self.is_goal(position, turn, &after)?;
        ensure(fits, || format!("`{turn}` does not reach the goal"))?;
        Ok(after)
    }

    /// Checks a turn of the attacker and the play after it. `whole` is false for threats and tries, which may
    /// leave out replies.
    fn attack(&self, position: &Position, node: &Document, whole: bool) -> Result<(), Unverified> {
        let (turn, after) = (node.text("turn"), self.plays(position, node)?);
        let answers = node.list("answers");
        if says_goal(node) {
            return ensure(answers.is_empty(), || {
                format!("there is play after the goal of `{turn}`")
            });
        }
        for threat in node.list("threats") {
            self.attack(&self.passed(&after)?, threat, false)?;
        }
        let given: BTreeSet<&str> = answers.iter().map(|answer| answer.text("turn")).collect();
        ensure(given.len() == answers.len(), || {
            format!("a reply to `{turn}` is given twice")
        })?;
        // In reflex play, a side that can reach the goal must do so, so not all legal replies are given.
        let free = !self.asked.play.contains('r');
        if whole && free && !answers.is_empty() {
            let turns = after.turns()?;
            let legal: BTreeSet<&str> = turns.iter().map(|(turn, _)| turn.as_str()).collect();
            ensure(given == legal, || {
                format!("the replies to `{turn}` are {legal:?}")
            })?;
        }
        for answer in answers {
            let (after, next) = (self.plays(&after, answer)?, answer.list("next"));
            ensure(!whole || next.is_empty() == says_goal(answer), || {
                let turn = answer.text("turn");
                format!("`{turn}` has {} continuations", next.len())
            })?;
            for node in next {
                self.attack(&after, node, whole)?;
            }
        }
        Ok(())
    }

    fn line(&self, position: &Position, turns: &[&str]) -> Result<(), Unverified> {
        let (mut before, mut now, mut last) = (position.clone(), position.clone(), "");
        for (index, &turn) in turns.iter().enumerate() {
            // In series play, only one side moves. A series helpmate ends with a turn of the other side.
            let helped = self.asked.play == "ser-h" && index + 1 == turns.len();
            if self.asked.play.starts_with("ser-") && index > 0 && !helped {
                now = self.passed(&now)?;
            }
            last = turn;
            before = now;
            now = before.play(last)?;
        }
        let replies = now.turns()?;
        let mut goals = replies
            .iter()
            .map(|(turn, after)| self.is_goal(&now, turn, after));
        let reached = match self.asked.play {
            "ser-s" | "hs" => goals.all(|goal| goal == Ok(true)),
            "hr" | "ser-r" => goals.any(|goal| goal == Ok(true)),
            _ => self.is_goal(&before, last, &now)?,
        };
        ensure(reached && !turns.is_empty(), || {
            format!("the line to `{last}` does not reach the goal")
        })
    }
}

/// Returns whether the document states that a turn reaches the goal.
fn says_goal(node: &Document) -> bool {
    node.text("goal") == "true"
}

/// Checks a solution of a problem.
///
/// # Errors
/// If a statement of the solution is false or cannot be checked. The error describes the first such
/// statement.
pub fn judge(solution: &Document, rule_sets: &RuleSets) -> Result<(), Unverified> {
    let asked = &Stipulation::read(solution.text("stipulation"))?;
    let root = &rule_sets.read(solution.text("variant"), Some(solution.text("fen")))?;
    let judge = Judge { rule_sets, asked };
    let (lines, tree) = (solution.list("lines"), solution.field("tree"));
    let nodes = |name| tree.map_or(&[][..], |tree| tree.list(name));
    let keys = nodes("keys");
    let mut first = BTreeSet::new();
    for (at, line) in lines.iter().enumerate() {
        let turns = line.words("turns").unwrap_or_default();
        judge.line(root, &turns)?;
        first.insert(turns[0]);
        let mut before = lines[..at].iter().map(|line| line.words("turns"));
        ensure(
            before.all(|line| line.as_ref() != Some(&turns)),
            || "a line is given twice",
        )?;
    }
    // With `--brief`, the keys have no play.
    let whole = keys.iter().any(|key| !key.list("answers").is_empty());
    for key in keys {
        judge.attack(root, key, whole)?;
        let turn = key.text("turn");
        ensure(first.insert(turn), || {
            format!("the key {turn} is given twice")
        })?;
    }
    for attempt in nodes("tries") {
        judge.attack(root, attempt, false)?;
        let after = root.play(attempt.text("turn"))?;
        for refutation in attempt.words("refutations").unwrap_or_default() {
            after.play(refutation)?;
        }
    }
    for answer in nodes("set_play") {
        let after = judge.plays(&judge.passed(root)?, answer)?;
        for node in answer.list("next") {
            judge.attack(&after, node, true)?;
        }
    }
    let first: Vec<&str> = first.into_iter().collect();
    ensure(solution.words("keys").unwrap_or_default() == first, || {
        format!("the keys are not those of the play, {first:?}")
    })?;
    let solutions = lines.len() + keys.len();
    ensure(solution.text("solutions") == solutions.to_string(), || {
        format!("{solutions} solutions are given")
    })?;
    let fits = match solution.text("verdict") {
        "sound" => solutions == 1,
        "cooked" | "several-solutions" => solutions > 1,
        "no-solution" => solutions == 0,
        verdict => verdict == "short-solution",
    };
    ensure(fits, || {
        format!("{solutions} solutions do not fit the verdict")
    })
}

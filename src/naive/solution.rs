//! Solutions of problems: whether each turn in them is legal, each goal is reached, each reply of the defender is
//! answered, and the figures agree with the play.
//!
//! Duals, threats, tries and set play that a solution leaves out are not missed. Whether the keys are all that
//! there are is a question for [`problem`](crate::problem).

use crate::problem::Stipulation;
use crate::{Position, RuleSets, Unverified, ensure, wrong};
use std::collections::BTreeSet;

/// A turn of a tree of play.
pub struct Node {
    /// The turn.
    pub turn: String,
    /// Whether it is said to reach the goal.
    pub goal: bool,
    /// The replies to a turn of the attacker.
    pub answers: Vec<Node>,
    /// What the attacker threatens by its turn.
    pub threats: Vec<Node>,
    /// The turns of the attacker after a reply.
    pub next: Vec<Node>,
    /// The replies that refute a try.
    pub refutations: Vec<String>,
}

/// What is said of a problem.
pub struct Solution {
    /// The lines of help and series play.
    pub lines: Vec<Vec<String>>,
    /// The keys of other play, each with the play after it.
    pub keys: Vec<Node>,
    /// The tries.
    pub tries: Vec<Node>,
    /// The replies of the other side, if it were to move.
    pub set_play: Vec<Node>,
    /// The first turns of all solutions.
    pub first_turns: Vec<String>,
    /// The number of solutions.
    pub solutions: u64,
    /// The verdict.
    pub verdict: String,
}

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

    fn plays(&self, position: &Position, node: &Node) -> Result<Position, Unverified> {
        let after = position.play(&node.turn)?;
        let fits = !node.goal || self.is_goal(position, &node.turn, &after)?;
        ensure(fits, || format!("`{}` does not reach the goal", node.turn))?;
        Ok(after)
    }

    /// Judges a turn of the attacker. `whole` is false for threats and tries, where replies may be left out.
    fn attack(&self, position: &Position, node: &Node, whole: bool) -> Result<(), Unverified> {
        let (turn, after) = (&node.turn, self.plays(position, node)?);
        let answers = &node.answers;
        if node.goal {
            return ensure(answers.is_empty(), || {
                format!("there is play after the goal of `{turn}`")
            });
        }
        for threat in &node.threats {
            self.attack(&self.passed(&after)?, threat, false)?;
        }
        let given: BTreeSet<&String> = answers.iter().map(|answer| &answer.turn).collect();
        ensure(given.len() == answers.len(), || {
            format!("a reply to `{turn}` is given twice")
        })?;
        // In reflex play a side has no choice where it can reach the goal.
        let free = !self.asked.play.contains('r');
        if whole && free && !answers.is_empty() {
            let turns = after.turns();
            let legal: BTreeSet<&String> = turns.iter().map(|(turn, _)| turn).collect();
            ensure(given == legal, || {
                format!("the replies to `{turn}` are {legal:?}")
            })?;
        }
        for answer in answers {
            let (after, next) = (self.plays(&after, answer)?, &answer.next);
            ensure(!whole || next.is_empty() == answer.goal, || {
                format!("`{}` has {} continuations", answer.turn, next.len())
            })?;
            for node in next {
                self.attack(&after, node, whole)?;
            }
        }
        Ok(())
    }

    fn line(&self, position: &Position, turns: &[String]) -> Result<(), Unverified> {
        let (mut before, mut now, mut last) = (position.clone(), position.clone(), "");
        for (index, turn) in turns.iter().enumerate() {
            // In a series only its side moves; a helpmate in a series ends with the other side's turn.
            let helped = self.asked.play == "ser-h" && index + 1 == turns.len();
            if self.asked.play.starts_with("ser-") && index > 0 && !helped {
                now = self.passed(&now)?;
            }
            last = turn;
            before = now;
            now = before.play(last)?;
        }
        let replies = now.turns();
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

/// Judges a solution of a problem.
///
/// # Errors
/// The first statement that is false, or why it cannot be judged.
pub fn judge(
    root: &Position,
    asked: &Stipulation,
    solution: &Solution,
    rule_sets: &RuleSets,
) -> Result<(), Unverified> {
    let judge = Judge { rule_sets, asked };
    let (lines, keys) = (&solution.lines, &solution.keys);
    let mut first = BTreeSet::new();
    for (at, turns) in lines.iter().enumerate() {
        judge.line(root, turns)?;
        first.insert(&turns[0]);
        ensure(!lines[..at].contains(turns), || "a line is given twice")?;
    }
    // With `--brief` no key has play.
    let whole = keys.iter().any(|key| !key.answers.is_empty());
    for key in keys {
        judge.attack(root, key, whole)?;
        ensure(first.insert(&key.turn), || {
            format!("the key {} is given twice", key.turn)
        })?;
    }
    for attempt in &solution.tries {
        judge.attack(root, attempt, false)?;
        let after = root.play(&attempt.turn)?;
        for refutation in &attempt.refutations {
            after.play(refutation)?;
        }
    }
    for answer in &solution.set_play {
        let after = judge.plays(&judge.passed(root)?, answer)?;
        for node in &answer.next {
            judge.attack(&after, node, true)?;
        }
    }
    ensure(
        solution.first_turns.iter().eq(first.iter().copied()),
        || format!("the keys are not those of the play, {first:?}"),
    )?;
    let solutions = lines.len() + keys.len();
    ensure(solution.solutions == solutions as u64, || {
        format!("{solutions} solutions are given")
    })?;
    let fits = match &*solution.verdict {
        "sound" => solutions == 1,
        "cooked" | "several-solutions" => solutions > 1,
        "no-solution" => solutions == 0,
        verdict => verdict == "short-solution",
    };
    ensure(fits, || {
        format!("{solutions} solutions do not fit the verdict")
    })
}

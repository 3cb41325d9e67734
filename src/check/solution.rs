//! Solutions that `solve --format json` prints: whether each turn in them is legal, each goal is reached, each
//! reply of the defender is answered, and the figures agree with the play.
//!
//! Duals, threats, tries and set play that a file leaves out are not missed. Whether the keys are all that there
//! are is a question for [`problem`](crate::problem).

use crate::problem::Stipulation;
use crate::{Fault, position, wrong};
use naive::{Position, RuleSets};
use serde_json::Value;
use std::collections::BTreeSet;

struct Judge<'r> {
    rule_sets: &'r RuleSets,
    asked: Stipulation,
}

fn list<'v>(node: &'v Value, field: &str) -> &'v [Value] {
    node[field].as_array().map_or(&[], Vec::as_slice)
}

/// Plays a turn.
///
/// # Errors
/// If the turn is not legal.
pub fn play(position: &Position, turn: &str) -> Result<Position, Fault> {
    let found = position.turns().into_iter().find(|(text, _)| text == turn);
    match found {
        Some((_, after)) => Ok(after),
        None => wrong(format!("`{turn}` is not legal in `{}`", position.fen())),
    }
}

impl Judge<'_> {
    fn is_goal(&self, before: &Position, turn: &str, after: &Position) -> Result<bool, Fault> {
        let white = before.is_white();
        Ok(self.asked.reached(before, turn, after, white)?
            || self.asked.reached(before, turn, after, !white)?)
    }

    fn passed(&self, position: &Position) -> Result<Position, Fault> {
        let passed = position.passed(self.rule_sets);
        passed.ok_or_else(|| Fault::Wrong(format!("no side can pass in `{}`", position.fen())))
    }

    fn plays(&self, position: &Position, node: &Value) -> Result<(String, Position), Fault> {
        let turn = node["turn"].as_str().unwrap_or_default();
        let after = play(position, turn)?;
        match node["goal"] == true && !self.is_goal(position, turn, &after)? {
            true => wrong(format!("`{turn}` does not reach the goal")),
            false => Ok((turn.to_string(), after)),
        }
    }

    /// Judges a turn of the attacker. `whole` is false for threats and tries, where replies may be left out.
    fn attack(&self, position: &Position, node: &Value, whole: bool) -> Result<(), Fault> {
        let (turn, after) = self.plays(position, node)?;
        let answers = list(node, "answers");
        if node["goal"] == true {
            return match answers {
                [] => Ok(()),
                _ => wrong(format!("there is play after the goal of `{turn}`")),
            };
        }
        for threat in list(node, "threats") {
            self.attack(&self.passed(&after)?, threat, false)?;
        }
        let given: BTreeSet<&str> = answers.iter().filter_map(|a| a["turn"].as_str()).collect();
        if given.len() != answers.len() {
            return wrong(format!("a reply to `{turn}` is given twice"));
        }
        // In reflex play a side has no choice where it can reach the goal.
        let free = !self.asked.play.contains('r');
        if whole && free && !answers.is_empty() {
            let turns = after.turns();
            let legal: BTreeSet<&str> = turns.iter().map(|(turn, _)| turn.as_str()).collect();
            if given != legal {
                return wrong(format!("the replies to `{turn}` are {legal:?}"));
            }
        }
        for answer in answers {
            let (reply, after) = self.plays(&after, answer)?;
            let next = list(answer, "next");
            if next.is_empty() == (answer["goal"] != true) && whole {
                return wrong(format!("`{reply}` has {} continuations", next.len()));
            }
            for node in next {
                self.attack(&after, node, whole)?;
            }
        }
        Ok(())
    }

    fn line(&self, position: &Position, turns: &[Value]) -> Result<(), Fault> {
        let (mut before, mut now, mut last) = (position.clone(), position.clone(), "");
        for (index, turn) in turns.iter().enumerate() {
            // In a series only its side moves; a helpmate in a series ends with the other side's turn.
            let helped = self.asked.play == "ser-h" && index + 1 == turns.len();
            if self.asked.play.starts_with("ser-") && index > 0 && !helped {
                now = self.passed(&now)?;
            }
            last = turn.as_str().unwrap_or_default();
            before = now;
            now = play(&before, last)?;
        }
        let replies = now.turns();
        let mut goals = replies
            .iter()
            .map(|(turn, after)| self.is_goal(&now, turn, after));
        let reached = match self.asked.play {
            "ser-s" | "hs" => !goals.any(|goal| !matches!(goal, Ok(true))),
            "hr" | "ser-r" => goals.any(|goal| matches!(goal, Ok(true))),
            _ => self.is_goal(&before, last, &now)?,
        };
        match reached && !turns.is_empty() {
            true => Ok(()),
            false => wrong(format!("the line to `{last}` does not reach the goal")),
        }
    }
}

/// Judges a stored solution. Returns its position, stipulation, keys and number of solutions.
///
/// # Errors
/// The first statement that is false, or why it cannot be judged.
pub fn judge(
    document: &Value,
    rule_sets: &RuleSets,
) -> Result<(Position, Stipulation, Vec<String>, usize), Fault> {
    let text = |field: &str| match document[field].as_str() {
        Some(text) => Ok(text),
        None => wrong(format!("no `{field}`")),
    };
    let variant = text("variant")?;
    let asked = Stipulation::read(text("stipulation")?)?;
    let game = position(rule_sets, variant, text("fen")?)?;
    let judge = Judge { rule_sets, asked };
    let (lines, tree) = (list(document, "lines"), &document["tree"]);
    let keys = list(tree, "keys");
    let mut first = BTreeSet::new();
    for (at, line) in lines.iter().enumerate() {
        let turns = list(line, "turns");
        judge.line(&game, turns)?;
        first.insert(turns[0].as_str().unwrap_or_default());
        if lines[..at].contains(line) {
            return wrong("a line is given twice".to_string());
        }
    }
    // With `--brief` no key has play.
    let whole = keys.iter().any(|key| !list(key, "answers").is_empty());
    for key in keys {
        judge.attack(&game, key, whole)?;
        if !first.insert(key["turn"].as_str().unwrap_or_default()) {
            return wrong(format!("the key {} is given twice", key["turn"]));
        }
    }
    for attempt in list(tree, "tries") {
        judge.attack(&game, attempt, false)?;
        let after = play(&game, attempt["turn"].as_str().unwrap_or_default())?;
        for refutation in list(attempt, "refutations") {
            play(&after, refutation.as_str().unwrap_or_default())?;
        }
    }
    for answer in list(tree, "set_play") {
        let passed = judge.passed(&game)?;
        let (_, after) = judge.plays(&passed, answer)?;
        for node in list(answer, "next") {
            judge.attack(&after, node, true)?;
        }
    }
    let given = list(document, "keys")
        .iter()
        .map(|key| key.as_str().unwrap_or_default());
    if !given.eq(first.iter().copied()) {
        return wrong(format!("the keys are not those of the play, {first:?}"));
    }
    let solutions = lines.len() + keys.len();
    if document["solutions"] != solutions {
        return wrong(format!("{solutions} solutions are given"));
    }
    let fits = match text("verdict")? {
        "sound" => solutions == 1,
        "cooked" | "several-solutions" => solutions > 1,
        "no-solution" => solutions == 0,
        verdict => verdict == "short-solution",
    };
    match fits {
        true => Ok((
            game,
            judge.asked,
            first.into_iter().map(str::to_string).collect(),
            solutions,
        )),
        false => wrong(format!("{solutions} solutions do not fit the verdict")),
    }
}

//! Judges a stored solution by the naive rules: whether every turn in it is legal, every goal is reached,
//! every reply of the defender is answered, and the figures agree with the play.
//!
//! Never judges whether something is missing that a file need not contain: duals, threats, tries, set play
//! and other solutions.

use naive::Game;
use serde_json::Value;
use std::collections::BTreeSet;

/// What a stipulation asks for, as far as the naive rules can judge it.
struct Asked {
    variant: String,
    /// The text before the goal: `h`, `ser-`, `semi-r` ...
    play: String,
    /// A reason of an outcome, or the square of a goal `z`.
    goal: Goal,
}

enum Goal {
    Reason(&'static str),
    Square(String),
}

impl Asked {
    fn of(variant: &str, stipulation: &str) -> Asked {
        let (play, goal) = match stipulation {
            text if text.starts_with("marriage") => ("", Goal::Reason("marriage")),
            text => {
                let at = text.find(['#', '=', 'z']).expect("a goal");
                let goal = match text.as_bytes()[at] {
                    b'#' => Goal::Reason("checkmate"),
                    b'=' => Goal::Reason("stalemate"),
                    _ => Goal::Square(text.get(at + 1..at + 3).unwrap_or("none").to_string()),
                };
                (&text[..at], goal)
            }
        };
        Asked {
            variant: variant.to_string(),
            play: play.to_string(),
            goal,
        }
    }

    fn is_goal(&self, turn: &str, after: &Game) -> bool {
        match &self.goal {
            Goal::Reason(reason) => after.outcome().ends_with(reason),
            Goal::Square(square) => turn[2..].starts_with(square.as_str()),
        }
    }

    /// Returns the position with the other side to move.
    fn passed(&self, game: &Game) -> Result<Game, String> {
        let fen = game.fen();
        let mut fields: Vec<&str> = fen.split(' ').collect();
        fields[1] = if fields[1] == "w" { "b" } else { "w" };
        fields[3] = "-";
        naive::read(&self.variant, &fields.join(" "))
    }

    fn plays(&self, game: &Game, node: &Value) -> Result<(String, Game), String> {
        let turn = node["turn"].as_str().unwrap_or_default();
        let after = play(game, turn)?;
        if node["goal"] == true && !self.is_goal(turn, &after) {
            return Err(format!("{turn} does not reach the goal"));
        }
        Ok((turn.to_string(), after))
    }

    /// Judges a turn of the attacker. `whole` is false for threats and tries, where replies may be left out.
    fn attack(&self, game: &Game, node: &Value, whole: bool) -> Result<(), String> {
        let (turn, after) = self.plays(game, node)?;
        let answers = list(node, "answers");
        if node["goal"] == true {
            return match answers {
                [] => Ok(()),
                _ => Err(format!("there is play after the goal of {turn}")),
            };
        }
        for threat in list(node, "threats") {
            self.attack(&self.passed(&after)?, threat, false)?;
        }
        let given: BTreeSet<&str> = answers.iter().filter_map(|a| a["turn"].as_str()).collect();
        if given.len() != answers.len() {
            return Err(format!("a reply to {turn} is given twice"));
        }
        // In reflex play a side has no choice where it can reach the goal.
        let free = !self.play.contains('r');
        if whole && free && !answers.is_empty() {
            let turns = after.turns();
            let legal: BTreeSet<&str> = turns.iter().map(|(turn, _)| turn.as_str()).collect();
            if given != legal {
                return Err(format!("the replies to {turn} are {legal:?}"));
            }
        }
        for answer in answers {
            let (reply, after) = self.plays(&after, answer)?;
            let next = list(answer, "next");
            if next.is_empty() == (answer["goal"] != true) && whole {
                return Err(format!("{reply} has {} continuations", next.len()));
            }
            for node in next {
                self.attack(&after, node, whole)?;
            }
        }
        Ok(())
    }

    fn line(&self, game: &Game, turns: &[Value]) -> Result<(), String> {
        let (mut game, mut last) = (game.clone(), "");
        for (index, turn) in turns.iter().enumerate() {
            // In a series only its side moves; a helpmate in a series ends with the other side's turn.
            let helped = self.play == "ser-h" && index + 1 == turns.len();
            if self.play.starts_with("ser-") && index > 0 && !helped {
                game = self.passed(&game)?;
            }
            last = turn.as_str().unwrap_or_default();
            game = play(&game, last)?;
        }
        let replies = || game.turns().into_iter();
        let reached = match &*self.play {
            "ser-s" => replies().all(|(turn, after)| self.is_goal(&turn, &after)),
            "hr" => replies().any(|(turn, after)| self.is_goal(&turn, &after)),
            _ => self.is_goal(last, &game),
        };
        match reached && !turns.is_empty() {
            true => Ok(()),
            false => Err(format!("the line to {last} does not reach the goal")),
        }
    }
}

fn play(game: &Game, turn: &str) -> Result<Game, String> {
    let found = game.turns().into_iter().find(|(text, _)| text == turn);
    found
        .map(|(_, after)| after)
        .ok_or_else(|| format!("{turn} is not legal in {}", game.fen()))
}

fn list<'v>(node: &'v Value, field: &str) -> &'v [Value] {
    node[field].as_array().map_or(&[], Vec::as_slice)
}

/// Judges a stored solution.
///
/// # Errors
/// The first statement that is false.
pub fn judge(document: &Value) -> Result<(), String> {
    let text = |field: &str| document[field].as_str().ok_or(format!("no {field}"));
    let asked = Asked::of(text("variant")?, text("stipulation")?);
    let game = naive::read(&asked.variant, text("fen")?)?;
    let (lines, tree) = (list(document, "lines"), &document["tree"]);
    let keys = list(tree, "keys");
    let mut first = BTreeSet::new();
    for line in lines {
        let turns = list(line, "turns");
        asked.line(&game, turns)?;
        first.insert(turns[0].clone().to_string());
    }
    if lines
        .iter()
        .enumerate()
        .any(|(at, line)| lines[..at].contains(line))
    {
        return Err("a line is given twice".to_string());
    }
    // With `--brief` no key has play.
    let whole = keys.iter().any(|key| !list(key, "answers").is_empty());
    for key in keys {
        asked.attack(&game, key, whole)?;
        if !first.insert(key["turn"].to_string()) {
            return Err(format!("the key {} is given twice", key["turn"]));
        }
    }
    for attempt in list(tree, "tries") {
        asked.attack(&game, attempt, false)?;
        let after = play(&game, attempt["turn"].as_str().unwrap_or_default())?;
        for refutation in list(attempt, "refutations") {
            play(&after, refutation.as_str().unwrap_or_default())?;
        }
    }
    if !list(tree, "set_play").is_empty() {
        let passed = asked.passed(&game)?;
        for answer in list(tree, "set_play") {
            let (_, after) = asked.plays(&passed, answer)?;
            for node in list(answer, "next") {
                asked.attack(&after, node, true)?;
            }
        }
    }
    let given: Vec<String> = list(document, "keys")
        .iter()
        .map(Value::to_string)
        .collect();
    if given != first.into_iter().collect::<Vec<_>>() {
        return Err(format!("the keys are not {given:?}"));
    }
    let solutions = lines.len() + keys.len();
    if document["solutions"] != solutions {
        return Err(format!("{solutions} solutions are given"));
    }
    match text("verdict")? {
        "sound" if solutions == 1 => Ok(()),
        "cooked" | "several-solutions" if solutions > 1 => Ok(()),
        "short-solution" => Ok(()),
        other => Err(format!("the verdict {other} does not fit")),
    }
}

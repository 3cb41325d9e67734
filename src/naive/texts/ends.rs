//! Stage 5: `ends`, then the endings of the definition, then checkmate and stalemate.

use super::game::Game;
use super::position::Pos;
use super::rules::{End, PARENT};
use super::value::{Outcome, Value};
use crate::defined::definition::{self, KING, Which};
use crate::defined::outcome::Outcome as Ended;

/// A result and its reason, in the words of the program.
pub type Result = (String, String);

impl Game {
    /// Returns the outcome, or `None` while the game is not over.
    pub fn outcome(&self, pos: &Pos) -> Outcome<Option<Result>> {
        self.outcome_if(pos, self.permitted(pos)?.is_empty())
    }

    /// Returns the outcome of a position, given whether it has no legal turn.
    pub fn outcome_if(&self, pos: &Pos, stuck: bool) -> Outcome<Option<Result>> {
        for (layer, end) in self.entries() {
            if end.no_turn && !stuck {
                continue;
            }
            if let Some(result) = self.entry(pos, layer, &end)? {
                return Ok(Some(result));
            }
        }
        if let Some(result) = self.defined(pos)? {
            return Ok(Some(result));
        }
        if !stuck {
            return Ok(None);
        }
        for reason in ["checkmate", "stalemate"] {
            if let Some(result) = self.inherited(pos, reason)? {
                return Ok(Some(result));
            }
        }
        Ok(None)
    }

    /// Returns the entries that count: those of the conditions in their order, then those of the rule set.
    fn entries(&self) -> Vec<(usize, End)> {
        let groups = self
            .layers()
            .map(|(_, layer)| layer.group)
            .max()
            .unwrap_or(0);
        let mut entries = Vec::new();
        for group in (1..=groups).chain([0]) {
            let own = self.layers().filter(|(_, layer)| layer.group == group);
            let mut of_group: Vec<(usize, End)> = Vec::new();
            for (at, layer) in own {
                let Some(ends) = &layer.ends else { continue };
                let of_parent = std::mem::take(&mut of_group);
                for end in ends {
                    match end.reason == PARENT {
                        true => of_group.extend(of_parent.iter().cloned()),
                        false => of_group.push((at, end.clone())),
                    }
                }
            }
            entries.extend(of_group);
        }
        entries
    }

    /// Returns the result of an entry, if it holds.
    fn entry(&self, pos: &Pos, layer: usize, end: &End) -> Outcome<Option<Result>> {
        let Some(result) = &end.result else {
            // The parent's entry.
            return self.parent_entry(pos, layer, &end.reason);
        };
        if let Some(condition) = &end.condition {
            let mover = Value::Side(Some(1 - pos.base.side));
            let clause = (layer, condition.clone());
            let names = vec![("mover", mover)];
            if !self.open().ask(&clause, pos, None, names)?.bool()? {
                return Ok(None);
            }
        }
        Ok(Some((words(result, pos.base.side), end.reason.clone())))
    }

    /// Returns the result of the entry with this reason that the parent of a layer has.
    fn parent_entry(&self, pos: &Pos, layer: usize, reason: &str) -> Outcome<Option<Result>> {
        let parent = self.parent(layer);
        let entries = parent.entries();
        let named = entries.iter().filter(|(_, end)| end.reason == reason);
        let mut any = false;
        for (at, end) in named {
            any = true;
            if let Some(result) = self.entry(pos, *at, end)? {
                return Ok(Some(result));
            }
        }
        match any {
            true => Ok(None),
            false => self.no_turn(pos, reason),
        }
    }

    /// Returns the result of checkmate or stalemate in a position without legal turns that no entry ends.
    fn inherited(&self, pos: &Pos, reason: &str) -> Outcome<Option<Result>> {
        let entries = self.entries();
        match entries
            .last()
            .filter(|(at, _)| self.rules.layers[*at].group == 0)
        {
            Some((layer, _)) => self.parent_entry(pos, *layer, reason),
            None => self.no_turn(pos, reason),
        }
    }

    /// Returns the result that the definition gives to checkmate or stalemate, if this is one.
    fn no_turn(&self, pos: &Pos, reason: &str) -> Outcome<Option<Result>> {
        let law = &self.rules.law;
        let side = pos.base.side;
        let check = self.in_check(pos, side)?;
        if check != (reason == "checkmate") {
            return Ok(None);
        }
        let value = if check { law.checkmate } else { law.stalemate };
        let value = match law.stalemate_count && !check {
            false => value,
            true => match pos.base.units(side).cmp(&pos.base.units(1 - side)) {
                std::cmp::Ordering::Less => value,
                std::cmp::Ordering::Equal => definition::Value::Draw,
                std::cmp::Ordering::Greater => match value {
                    definition::Value::Win => definition::Value::Loss,
                    definition::Value::Loss => definition::Value::Win,
                    other => other,
                },
            },
        };
        Ok(Some(match value {
            definition::Value::Win if check => (wins(side), "checkmated".to_string()),
            definition::Value::Win => (wins(side), "stalemated".to_string()),
            definition::Value::Loss => (wins(1 - side), reason.to_string()),
            _ => ("draw".to_string(), reason.to_string()),
        }))
    }

    /// Returns the outcome by an ending of the definition that does not depend on turns.
    fn defined(&self, pos: &Pos) -> Outcome<Option<Result>> {
        let law = &self.rules.law;
        // With clauses, a king that may step to the last rank is one by the clauses.
        if law.flag_move && law.flag_kind.contains(&Which::Kind(KING)) {
            return Err(
                "the second implementation does not play flagMove with clauses".to_string(),
            );
        }
        let Some(ended) = law.ended(&pos.base) else {
            return Ok(None);
        };
        let reason = law.reason(&pos.base);
        Ok(Some(match ended {
            Ended::Ongoing => return Ok(None),
            Ended::Draw => ("draw".to_string(), reason.to_string()),
            Ended::Wins(side) => (wins(side), reason.to_string()),
        }))
    }
}

fn wins(side: usize) -> String {
    format!("{}-wins", if side == 0 { "white" } else { "black" })
}

/// Returns a result such as `mover wins weakly` in the words of the program.
fn words(result: &str, side: usize) -> String {
    let mut words = result.split(' ');
    let (who, what) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    let side = match who {
        "draw" => return "draw".to_string(),
        "white" => 0,
        "black" => 1,
        "mover" => 1 - side,
        _ => side,
    };
    let winner = if what == "loses" { 1 - side } else { side };
    match words.next() {
        Some(_) => format!("{}-weakly", wins(winner)),
        None => wins(winner),
    }
}

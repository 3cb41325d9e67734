//! Conditions on turns: expressions that a turn of a position meets or not.

use super::eval::{Context, eval};
use super::game::Game;
use super::rules::{self, Code};
use super::types;
use super::written;
use super::{TextRules, Texts};

/// A condition on the turns of a rule text, or of a rule set of the rule book by its text.
pub struct Condition {
    rules: TextRules,
    code: Code,
}

/// The names of counters. Positions that differ only in counters that no rule reads are one position, so conditions
/// on them are refused.
const COUNTERS: [&str; 3] = ["fen", "halfmove", "fullmove"];

impl Condition {
    /// Reads a condition on the turns of the rules with an id.
    ///
    /// # Errors
    /// If the rules cannot be read, or the text is not a condition that is evaluated here.
    pub fn read(texts: &Texts, id: &str, text: &str) -> Result<Condition, String> {
        if let Some(name) = COUNTERS.into_iter().find(|name| written::uses(text, name)) {
            return Err(format!("it reads `{name}`"));
        }
        let (rules, code) = (texts.open(id)?, rules::parse(text)?);
        types::check_condition(&rules.rules, &code)?;
        Ok(Condition { rules, code })
    }

    /// Returns the legal turns of a position in byte order, each with whether it meets the condition.
    ///
    /// # Errors
    /// If the FEN is not a position, or the condition cannot be evaluated.
    pub fn turns(&self, fen: &str) -> Result<Vec<(String, bool)>, String> {
        let (game, pos) = self.rules.read(fen)?;
        let mut turns = Vec::new();
        for turn in game.turns(&pos)? {
            let text = turn.text.clone();
            let context = Context {
                game: Game::clone(&game),
                scope: 0,
                layer: usize::MAX,
                pos: pos.clone(),
                turn: Some(turn),
                names: Vec::new(),
                movement: false,
            };
            turns.push((
                text,
                eval(&context, &mut Vec::new(), &self.code.expr)?.bool()?,
            ));
        }
        turns.sort();
        Ok(turns)
    }
}

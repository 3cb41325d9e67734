//! A second, naive implementation of rule texts. It reads the sections with its own code, parses expressions
//! with the crate `cel`, and plays on the definitions of `defined/`. It is slow and plain: every question is
//! answered from the board, nothing is kept.

mod check;
mod effects;
mod ends;
mod eval;
mod fen;
mod game;
mod ini;
mod movement;
mod names;
mod position;
mod rules;
mod state;
mod steps;
mod turn;
mod turns;
mod value;

use game::Game;
use rules::Rules;
use std::sync::Arc;

/// The rules that an id of a file names, such as `fide-text+circe` or `spartan-text:moves=40`.
pub struct TextRules {
    file: Arc<String>,
    id: String,
    rules: Arc<Rules>,
}

/// A turn and the position after it.
pub type Played = (String, String);

/// Opens the rules with this id. The file must contain the texts of the compiled rule sets that are named in
/// it; orthodox chess, `chess` and `fide-text`, is known.
///
/// # Errors
/// If a section is missing, or cannot be read or played.
pub fn open(ini_text: &str, id: &str) -> Result<TextRules, String> {
    let file = Arc::new(ini_text.to_string());
    let rules = Arc::new(Rules::read(&file, id, None)?);
    let id = id.to_string();
    Ok(TextRules { file, id, rules })
}

impl TextRules {
    /// Returns the rules for the board of a FEN.
    fn game(&self, fen: &str) -> Result<Game, String> {
        let size = rules::size_of(fen);
        let law = &self.rules.law;
        if !self.rules.orthodox || size == (law.files, law.ranks) {
            return Ok(Game::new(Arc::clone(&self.rules)));
        }
        let rules = Rules::read(&self.file, &self.id, Some(size))?;
        Ok(Game::new(Arc::new(rules)))
    }

    /// Returns the canonical FEN of the start position.
    ///
    /// # Errors
    /// If the section's FEN is not a position.
    pub fn start_fen(&self) -> Result<String, String> {
        self.canonical(&self.rules.law.start)
    }

    /// Returns a FEN as the rules print it.
    ///
    /// # Errors
    /// If the text is not a position.
    pub fn canonical(&self, fen: &str) -> Result<String, String> {
        let game = self.game(fen)?;
        game.print(&game.read(fen)?)
    }

    /// Returns the legal turns in byte order, each with the FEN after it. If the game is over, returns an empty
    /// list.
    ///
    /// # Errors
    /// If the FEN is not a position, or a clause fails.
    pub fn turns(&self, fen: &str) -> Result<Vec<Played>, String> {
        let game = self.game(fen)?;
        let mut turns = Vec::new();
        for turn in game.turns(&game.read(fen)?)? {
            turns.push((turn.text.clone(), game.print(&turn.after)?));
        }
        turns.sort();
        Ok(turns)
    }

    /// Returns whether the side to move is in check.
    ///
    /// # Errors
    /// If the FEN is not a position, or a clause fails.
    pub fn check(&self, fen: &str) -> Result<bool, String> {
        let game = self.game(fen)?;
        let pos = game.read(fen)?;
        game.in_check(&pos, pos.base.side)
    }

    /// Returns the result and the reason, or `None` while the game is not over.
    ///
    /// # Errors
    /// If the FEN is not a position, or a clause fails.
    pub fn outcome(&self, fen: &str) -> Result<Option<(String, String)>, String> {
        let game = self.game(fen)?;
        game.outcome(&game.read(fen)?)
    }
}

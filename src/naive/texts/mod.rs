//! A second, naive implementation of rule texts. It reads the sections with its own code, parses expressions
//! with the crate `cel`, and plays on the definitions of `defined/`. It is slow and plain: every question is
//! answered from the board, nothing is kept, and a wrong name is found when it is evaluated.
//!
//! - `ini.rs`: sections with continuation lines and comments.
//! - `rules.rs`: parents, conditions, options, and the clauses of each section.
//! - `circles.rs`: the names that a definition `let` uses.
//! - `game.rs`: the rules at a stage: which sections and which clauses count.
//! - `value.rs`, `eval.rs`, `names.rs`, `squares.rs`: values, operators, and the names of positions, turns,
//!   units and squares.
//! - `movement.rs`: stage 1. `check.rs`: stage 2. `turns.rs`: stage 3. `ends.rs`: stage 5.
//! - `steps.rs`: the steps of a position. `effects.rs`: stage 4, what a step does to the board.
//! - `state.rs`, `position.rs`: states, computed when they are first read.
//! - `fen.rs`: positions as text.
//!
//! Where the specification is silent, this implementation reads it so:
//!
//! - **Sections.** `state` and `options` of a child add to its parent's, all other keys replace. A `let` of a
//!   child counts in the clauses that it inherits. The name of an option has `_` for `-` in expressions.
//! - **Order.** Where conditions combine one after another (`turnsInto`, `joins`, `prefer`, `rebirth`), the
//!   clause of the rule set comes before those of conditions. A clause of a condition replaces that of the
//!   rule set where only one can count.
//! - **Movement.** In one section, a list of squares counts before `movement.X`; a child's key for a piece
//!   replaces all of its parent's for this piece. `n` and `previous` may be read in `movement` too. A pawn has
//!   a pawn's movement if all parts of it are among the parts of its movement. A square that it reaches
//!   without capture is not its en passant square.
//! - **`ontoOwn`.** Captures of own units go to the squares that a unit attacks, exchanges to those to which
//!   it steps without capture.
//! - **Castling.** `pseudo` contains castling without regard to attacks. `turnsInto` and `joins` are asked for
//!   castling and drops as well.
//! - **`takes`.** The moved unit is never among the captures of its own step.
//! - **Royal units.** A moved or captured unit is royal by the position before the step, a removed or
//!   converted one by the board at that point.
//! - **Texts of turns.** A kind that `turnsInto` names alone is not written; promotion still is.
//! - **`takeOff`.** The turn has no `from`, and `unit` and `kind` are those of the unit that leaves.
//! - **Rebirth.** A unit whose square of rebirth is taken goes to a hand like one that is not reborn. A clause
//!   that gives the missing square gives none, so that the next condition is asked.
//! - **En passant.** Only a pawn of the side that made the double step, still a pawn where it went, can be
//!   captured so.
//! - **Lists of turns.** Ends do not empty the turns that clauses of the same rules read; those of `parent` and
//!   `under` are empty where the game is over by these. `mates` is a check that no turn answers.
//! - **Ends.** Endings of the definition (`flag`, `extinction`, ...) are tested after all entries, before
//!   checkmate and stalemate that no entry names. `checkmate` alone is the parent's entry of this name, or
//!   else that of the definition, with check as it is in these rules.

mod check;
mod circles;
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
mod squares;
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

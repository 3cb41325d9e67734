//! A second, naive implementation of rule texts. It reads the sections with its own code, parses expressions
//! with the crate `cel`, and plays on the definitions of `defined/`. It is slow and plain: every question is
//! answered from the board, and nothing is kept.
//!
//! - `ini.rs`: sections with continuation lines and comments.
//! - `book.rs`: files of sections, and the search for parents and conditions.
//! - `rules.rs`: conditions, options, and the clauses of each section.
//! - `written.rs`: the text that decides the rules.
//! - `circles.rs`: the names that a definition `let` uses.
//! - `game.rs`: the rules at a stage: which sections and which clauses count.
//! - `value.rs`, `eval.rs`, `names.rs`, `squares.rs`: values, operators, and the names of positions, turns,
//!   units and squares.
//! - `types.rs`: what clauses say that means nothing.
//! - `condition.rs`: conditions on turns, such as goals of certificates.
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

mod book;
mod check;
mod circles;
mod condition;
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
mod types;
mod value;
mod written;

use crate::{Unverified, unchecked, wrong};
use book::Book;
pub use condition::Condition;
use game::Game;
use position::Pos;
use rules::Rules;
pub(crate) use rules::is_text_key;
use std::cell::OnceCell;
use std::sync::Arc;

/// Rule texts by their ids.
pub struct Texts {
    book: Arc<Book>,
}

/// The rules that an id of a file names, such as `fide-text+circe` or `spartan-text:moves=40`.
pub struct TextRules {
    book: Arc<Book>,
    id: String,
    rules: Arc<Rules>,
    /// The text that decides the rules.
    text: String,
}

/// A turn and the position after it.
pub type Played = (String, String);

/// Opens the rules with this id. The file must contain the texts of the compiled rule sets that are named in
/// it; orthodox chess, `chess` and `fide-text`, is known.
///
/// # Errors
/// If a section is missing, or cannot be read or played.
pub fn open(ini_text: &str, id: &str) -> Result<TextRules, String> {
    Texts::of_files("", &[ini_text])?.open(id)
}

impl Texts {
    /// Returns the rule texts among the sections of `known`, which everyone has, and of files.
    ///
    /// # Errors
    /// If a heading of a file, or a line before the first heading, cannot be read.
    pub fn of_files(known: &str, files: &[&str]) -> Result<Texts, String> {
        let book = Arc::new(Book::of_files(known, files)?);
        Ok(Texts { book })
    }

    /// Returns whether an id names a rule text: one with conditions, clauses or the parent `fide-text`. It may have
    /// errors.
    pub fn has(&self, id: &str) -> bool {
        self.book.is_text(id)
    }

    /// Returns the text that decides the rules of a rule text or definition. The options of the id do not count.
    ///
    /// # Errors
    /// If a section is missing or cannot be read.
    pub fn rules_text(&self, id: &str) -> Result<String, String> {
        written::rules_text(&self.book, id)
    }

    /// Opens the rules with an id.
    ///
    /// # Errors
    /// If a section is missing, or cannot be read or played.
    pub fn open(&self, id: &str) -> Result<TextRules, String> {
        let book = Arc::clone(&self.book);
        let rules = Arc::new(Rules::read(&book, id, None)?);
        let text = self.rules_text(id)?;
        let id = id.to_string();
        Ok(TextRules {
            book,
            id,
            rules,
            text,
        })
    }
}

/// What the rules say of a position.
struct Judged {
    turns: Vec<Played>,
    outcome: Option<(String, String)>,
}

/// A position with its rules. What they say of it is computed when it is first asked for.
#[derive(Clone)]
pub struct State {
    rules: Arc<TextRules>,
    fen: String,
    judged: OnceCell<Result<Arc<Judged>, String>>,
}

impl State {
    fn new(rules: &Arc<TextRules>, fen: String) -> State {
        State {
            rules: Arc::clone(rules),
            fen,
            judged: OnceCell::new(),
        }
    }

    /// Reads a FEN, or the position in which games begin.
    ///
    /// # Errors
    /// If the text is not a position, or a clause cannot be evaluated.
    pub fn read(rules: &Arc<TextRules>, fen: Option<&str>) -> Result<State, Unverified> {
        let fen = fen.unwrap_or(&rules.rules.law.start);
        let game = rules.game(fen).or_else(unchecked)?;
        let pos = game.read(fen).or_else(unchecked)?.or_else(wrong)?;
        let fen = game.print(&pos).or_else(unchecked)?;
        // The rules of another board are read once.
        let rules = match Arc::ptr_eq(&game.rules, &rules.rules) {
            true => Arc::clone(rules),
            false => Arc::new(TextRules {
                book: Arc::clone(&rules.book),
                id: rules.id.clone(),
                rules: Arc::clone(&game.rules),
                text: rules.text.clone(),
            }),
        };
        Ok(State::new(&rules, fen))
    }

    /// Returns whether games may end for this reason.
    pub fn has_reason(&self, reason: &str) -> bool {
        let layers = self.rules.rules.layers.iter();
        let ends = layers.filter_map(|layer| layer.ends.as_ref()).flatten();
        ["checkmate", "stalemate"].contains(&reason)
            || ends
                .filter(|end| end.reason != rules::PARENT)
                .any(|end| end.reason == reason)
    }

    /// Returns the canonical FEN.
    pub fn fen(&self) -> &str {
        &self.fen
    }

    fn judged(&self) -> Result<Arc<Judged>, Unverified> {
        let judged = self
            .judged
            .get_or_init(|| self.rules.judged(&self.fen).map(Arc::new));
        let fault = |why| format!("`{}` in `{}`: {why}", self.rules.id, self.fen);
        judged.clone().or_else(|why| unchecked(fault(why)))
    }

    /// Returns the legal turns in byte order, each with the position after it. If the game is over, returns an empty
    /// list.
    ///
    /// # Errors
    /// If a clause cannot be evaluated.
    pub fn turns(&self) -> Result<Vec<(String, State)>, Unverified> {
        let judged = self.judged()?;
        let turns = judged.turns.iter();
        let after = |(turn, fen): &Played| (turn.clone(), State::new(&self.rules, fen.clone()));
        Ok(turns.map(after).collect())
    }

    /// Returns the result and the reason, or `None` while the game is not over.
    ///
    /// # Errors
    /// If a clause cannot be evaluated.
    pub fn outcome(&self) -> Result<Option<(String, String)>, Unverified> {
        Ok(self.judged()?.outcome.clone())
    }

    /// Returns whether the side to move is in check.
    ///
    /// # Errors
    /// If a clause cannot be evaluated.
    pub fn in_check(&self) -> Result<bool, Unverified> {
        self.rules.check(&self.fen).or_else(unchecked)
    }

    /// Returns a text that identifies the position: its FEN without the counters that no clause reads.
    pub fn identity(&self) -> String {
        let mut fields: Vec<&str> = self.fen.split(' ').collect();
        let state = usize::from(fields[fields.len() - 1].contains('='));
        let number = fields.len() - 1 - state;
        for (field, name) in [(number, "fullmove"), (number - 1, "halfmove")] {
            if !self.rules.reads(name) {
                fields[field] = "-";
            }
        }
        fields.join(" ")
    }

    /// Returns the position with the other side to move and without en passant, or `None` if that is not a position.
    pub fn passed(&self) -> Option<State> {
        let mut fields: Vec<&str> = self.fen.split(' ').collect();
        fields[1] = if fields[1] == "w" { "b" } else { "w" };
        fields[3] = "-";
        State::read(&self.rules, Some(&fields.join(" "))).ok()
    }
}

impl TextRules {
    /// Returns whether a clause of these rules, or of rules that they ask, reads a counter. `fen` reads them all.
    fn reads(&self, name: &str) -> bool {
        written::uses(&self.text, name) || written::uses(&self.text, "fen")
    }

    /// Returns the rules for the board of a FEN.
    fn game(&self, fen: &str) -> Result<Game, String> {
        let size = rules::size_of(fen);
        let law = &self.rules.law;
        if size == (law.files, law.ranks) {
            return Ok(Game::new(Arc::clone(&self.rules)));
        }
        let rules = Rules::read(&self.book, &self.id, Some(size))?;
        Ok(Game::new(Arc::new(rules)))
    }

    /// Reads a FEN.
    fn read(&self, fen: &str) -> Result<(Game, Pos), String> {
        let game = self.game(fen)?;
        let pos = game.read(fen)??;
        Ok((game, pos))
    }

    fn judged(&self, fen: &str) -> Result<Judged, String> {
        let (game, pos) = self.read(fen)?;
        let mut turns = Vec::new();
        for turn in game.turns(&pos)? {
            turns.push((turn.text.clone(), game.print(&turn.after)?));
        }
        turns.sort();
        let outcome = game.outcome(&pos)?;
        Ok(Judged { turns, outcome })
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
        let (game, pos) = self.read(fen)?;
        game.print(&pos)
    }

    /// Returns the legal turns in byte order, each with the FEN after it. If the game is over, returns an empty
    /// list.
    ///
    /// # Errors
    /// If the FEN is not a position, or a clause fails.
    pub fn turns(&self, fen: &str) -> Result<Vec<Played>, String> {
        Ok(self.judged(fen)?.turns)
    }

    /// Returns whether the side to move is in check.
    ///
    /// # Errors
    /// If the FEN is not a position, or a clause fails.
    pub fn check(&self, fen: &str) -> Result<bool, String> {
        let (game, pos) = self.read(fen)?;
        game.in_check(&pos, pos.base.side)
    }

    /// Returns the result and the reason, or `None` while the game is not over.
    ///
    /// # Errors
    /// If the FEN is not a position, or a clause fails.
    pub fn outcome(&self, fen: &str) -> Result<Option<(String, String)>, String> {
        Ok(self.judged(fen)?.outcome)
    }
}

//! A second, naive implementation of variants that a file defines. It is slow and plain, and shares no code
//! with the other crates of `src/`: it has its own reader of files, its own Betza notation and no tables.
//!
//! A board is an array of cells. The targets of a unit are found by walking square by square. A turn is legal
//! if a copy of the position after the turn breaks no rule.
//!
//! - `ini.rs`: splits a file into sections, keys and values.
//! - `betza.rs`: reads Betza notation.
//! - `definition.rs`: the kinds of pieces and the values of keys.
//! - `keys.rs`: applies the keys of a section to a definition.
//! - `state.rs`: positions.
//! - `fen.rs`: reads and prints positions.
//! - `reach.rs`: the squares that units reach and attack.
//! - `turns.rs`: pseudo-legal turns.
//! - `law.rs`: plays turns and decides whether they are legal.
//! - `outcome.rs`: the outcome of a game.

mod betza;
mod definition;
mod fen;
mod ini;
mod keys;
mod law;
mod outcome;
mod reach;
mod state;
mod turns;

use definition::Definition;
pub use outcome::Outcome;

use state::Position;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Definitions by name. Every library contains orthodox chess, as `chess` and `fide`.
pub struct Library {
    definitions: BTreeMap<String, Definition>,
}

impl Library {
    /// Reads a file of definitions. A parent must precede its children.
    ///
    /// # Errors
    /// If a line or a value cannot be read.
    pub fn read(text: &str) -> Result<Library, String> {
        let mut definitions = BTreeMap::new();
        definitions.insert("fide".to_string(), Definition::chess());
        for section in ini::sections(text)? {
            let base = match &section.parent {
                None => Definition::bare(),
                Some(parent) => definitions
                    .get(if parent == "chess" { "fide" } else { parent })
                    .cloned()
                    .ok_or(format!("[{}]: no parent {parent}", section.name))?,
            };
            let definition = base
                .with(&section)
                .map_err(|why| format!("[{}]: {why}", section.name))?;
            if definitions
                .insert(section.name.clone(), definition)
                .is_some()
            {
                return Err(format!("[{}] occurs twice", section.name));
            }
        }
        definitions
            .entry("chess".to_string())
            .or_insert_with(Definition::chess);
        Ok(Library { definitions })
    }

    /// Returns the names in byte order.
    pub fn names(&self) -> Vec<String> {
        self.definitions.keys().cloned().collect()
    }

    /// Returns the game with this name, or with the name without the suffix `-fsf`. The program adds this
    /// suffix to names that its compiled rule sets have.
    pub fn game(&self, name: &str) -> Option<Game> {
        let short = name.strip_suffix("-fsf").unwrap_or(name);
        let known = self.definitions.get(name);
        let definition = known.or(self.definitions.get(short))?.clone();
        Some(Game {
            law: Arc::new(definition),
        })
    }
}

/// The rules of one variant.
#[derive(Clone)]
pub struct Game {
    law: Arc<Definition>,
}

/// A position with its rules.
#[derive(Clone)]
pub struct State {
    law: Arc<Definition>,
    pos: Position,
    legal: OnceCell<Vec<turns::Turn>>,
}

impl Game {
    /// Returns the FEN of the start position as written in the file.
    pub fn start(&self) -> &str {
        &self.law.start
    }

    /// Reads a FEN.
    ///
    /// # Errors
    /// If the text is not a position of the rule set.
    pub fn read(&self, fen: &str) -> Result<State, String> {
        let pos = fen::read(&self.law, fen)?;
        Ok(State::new(&self.law, pos))
    }
}

impl State {
    fn new(law: &Arc<Definition>, pos: Position) -> State {
        State {
            law: Arc::clone(law),
            pos,
            legal: OnceCell::new(),
        }
    }

    fn legal(&self) -> &[turns::Turn] {
        self.legal.get_or_init(|| self.law.legal(&self.pos))
    }

    /// Returns the position as text.
    pub fn fen(&self) -> String {
        fen::print(&self.law, &self.pos)
    }

    /// Returns a text that identifies the position: it is equal for equal positions only. Unlike a FEN, the
    /// text contains the passes and the last turn's special properties. It does not contain the move number,
    /// nor the clock unless the clock ends games.
    pub fn identity(&self) -> String {
        let mut pos = self.pos.clone();
        pos.number = 0;
        if !self.law.n_moves_kept {
            pos.clock = 0;
        }
        format!("{pos:?}")
    }

    /// Returns whether the first side is to move.
    pub fn is_white(&self) -> bool {
        self.pos.side == state::WHITE
    }

    /// Returns the units on the board in the order of squares, each as side (true for White), letter, and
    /// file and rank from 0.
    pub fn units(&self) -> Vec<(bool, char, i32, i32)> {
        let unit = |square: usize| {
            let unit = self.pos.unit(square)?;
            let (file, rank) = self.law.place(square);
            let letter = self.law.kinds[unit.kind].letter.unwrap_or('?');
            Some((unit.side == state::WHITE, letter, file, rank))
        };
        (0..self.pos.cells.len()).filter_map(unit).collect()
    }

    /// Returns the legal turns in byte order, each with the position after it. If the game is over, returns
    /// an empty list.
    pub fn turns(&self) -> Vec<(String, State)> {
        let mut turns: Vec<(String, State)> = self
            .legal()
            .iter()
            .map(|turn| {
                let state = State::new(&self.law, self.law.play(&self.pos, turn));
                (turns::text(&self.law, &self.pos, turn), state)
            })
            .collect();
        turns.sort_by(|a, b| a.0.cmp(&b.0));
        turns
    }

    /// Prints the position and reads it back. Copies the data on earlier turns that the FEN does not contain.
    ///
    /// # Errors
    /// If the printed text cannot be read.
    pub fn read_again(&self) -> Result<State, String> {
        let mut pos = fen::read(&self.law, &self.fen())?;
        pos.passes = self.pos.passes;
        pos.dropped_pawn = self.pos.dropped_pawn;
        pos.castled = self.pos.castled;
        pos.shak = self.pos.shak;
        pos.extinct = self.pos.extinct;
        let passes = self.law.pass.contains(&true) || self.law.pass_on_stalemate.contains(&true);
        if self.law.castling_dropped || passes {
            // A drop can give rights without opening gates, and a pass can close a gate without removing a
            // right. A FEN does not show this.
            pos.gates = self.pos.gates.clone();
        }
        Ok(State::new(&self.law, pos))
    }

    /// Returns whether the position can follow a legal turn of the side that is not to move.
    pub fn is_sound(&self) -> bool {
        self.law.is_sound(&self.pos)
    }

    /// Returns whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.law.is_checked(&self.pos, self.pos.side)
    }

    /// Returns the outcome of the position.
    pub fn outcome(&self) -> Outcome {
        self.law.outcome(&self.pos, self.legal())
    }

    /// Returns the number of lines of `depth` turns.
    pub fn perft(&self, depth: u32) -> u64 {
        count(&self.law, &self.pos, depth)
    }
}

fn count(law: &Definition, pos: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let turns = law.legal(pos);
    if depth == 1 {
        return turns.len() as u64;
    }
    turns
        .iter()
        .map(|turn| count(law, &law.play(pos, turn), depth - 1))
        .sum()
}

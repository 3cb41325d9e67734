//! Positions of any rule set: one of the rule book, by its name, or one that a file defines.

use crate::{Game, defined, read, start};

/// The rule sets of the rule book, and those of one file of definitions.
#[derive(Default)]
pub struct RuleSets {
    library: Option<defined::Library>,
}

/// A position of any rule set.
#[derive(Clone)]
pub enum Position {
    /// Of a rule set of the rule book.
    Ruled(String, Game),
    /// Of a definition.
    Defined(defined::Game, defined::State),
}

impl RuleSets {
    /// Adds the rule sets that a text defines.
    ///
    /// # Errors
    /// If a definition cannot be read.
    pub fn with_definitions(text: &str) -> Result<RuleSets, String> {
        let library = Some(defined::Library::read(text)?);
        Ok(RuleSets { library })
    }

    /// Reads a position, with all checks; without a FEN the start position.
    ///
    /// # Errors
    /// If there is no such rule set, or the text is not a legal position.
    pub fn read(&self, variant: &str, fen: Option<&str>) -> Result<Position, String> {
        let library = self.library.as_ref();
        if let Some(game) = library.and_then(|library| library.game(variant)) {
            let state = game.read(fen.unwrap_or(game.start()))?;
            return Ok(Position::Defined(game, state));
        }
        let fen = match fen {
            Some(fen) => fen.to_string(),
            None => start_of(variant)?,
        };
        Ok(Position::Ruled(variant.to_string(), read(variant, &fen)?))
    }

    /// Returns whether there is a rule set of this name.
    pub fn knows(&self, variant: &str) -> bool {
        self.read(variant, None).is_ok()
    }
}

fn start_of(variant: &str) -> Result<String, String> {
    crate::law(variant).map(|_| start(variant))
}

impl Position {
    /// Returns the canonical FEN.
    pub fn fen(&self) -> String {
        match self {
            Position::Ruled(_, game) => game.fen(),
            Position::Defined(_, state) => state.fen(),
        }
    }

    /// Returns whether White is to move.
    pub fn is_white(&self) -> bool {
        self.fen().split(' ').nth(1) == Some("w")
    }

    /// Returns the legal turns in byte order, each with the position after it; none if the game is over.
    pub fn turns(&self) -> Vec<(String, Position)> {
        match self {
            Position::Ruled(name, game) => {
                let turns = game.turns().into_iter();
                turns
                    .map(|(turn, after)| (turn, Position::Ruled(name.clone(), after)))
                    .collect()
            }
            Position::Defined(game, state) => {
                let turns = state.turns().into_iter();
                turns
                    .map(|(turn, after)| (turn, Position::Defined(game.clone(), after)))
                    .collect()
            }
        }
    }

    /// `ongoing`, `white-wins REASON`, `black-wins REASON`, `draw REASON`, ... A definition's has no reason.
    pub fn outcome(&self) -> String {
        match self {
            Position::Ruled(_, game) => game.outcome(),
            Position::Defined(_, state) => match state.outcome() {
                defined::Outcome::Ongoing => "ongoing".to_string(),
                defined::Outcome::Draw => "draw ".to_string(),
                defined::Outcome::Wins(0) => "white-wins ".to_string(),
                defined::Outcome::Wins(_) => "black-wins ".to_string(),
            },
        }
    }

    /// Returns whether the side to move is in check; none for a definition.
    pub fn in_check(&self) -> Option<bool> {
        match self {
            Position::Ruled(_, game) => Some(game.in_check()),
            Position::Defined(..) => None,
        }
    }

    /// Returns a text that is equal for equal positions, and for no others: the FEN without the clocks that have
    /// no effect, or what a definition records of its position.
    pub fn identity(&self) -> String {
        let fen = self.fen();
        let name = match self {
            Position::Ruled(name, _) => name,
            Position::Defined(_, state) => return state.identity(),
        };
        let (id, options) = name.split_once(':').unwrap_or((name, ""));
        let mut fields: Vec<&str> = fen.split(' ').collect();
        let clock = match id {
            "prop" => fields[4].parse().unwrap_or(u64::MAX).min(50),
            "spartan" => {
                let moves = options.strip_prefix("moves=").unwrap_or("60");
                let moves: u64 = moves.parse().unwrap_or(60);
                fields[5].parse().unwrap_or(u64::MAX).min(moves + 1)
            }
            _ => 0,
        };
        fields.drain(4..6);
        format!("{} {clock}", fields.join(" "))
    }

    /// Returns the position with the other side to move and without en passant, if that is a legal position.
    pub fn passed(&self, rule_sets: &RuleSets) -> Option<Position> {
        let fen = self.fen();
        let mut fields: Vec<&str> = fen.split(' ').collect();
        fields[1] = if fields[1] == "w" { "b" } else { "w" };
        fields[3] = "-";
        let fen = fields.join(" ");
        match self {
            Position::Ruled(name, _) => rule_sets.read(name, Some(&fen)).ok(),
            Position::Defined(game, _) => {
                let state = game.read(&fen).ok()?;
                Some(Position::Defined(game.clone(), state))
            }
        }
    }
}

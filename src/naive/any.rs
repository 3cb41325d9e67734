//! Positions of any rule set, whether the rule book or a file of definitions contains it.

use crate::{Game, Unverified, defined, read, start, unchecked, wrong};

/// Rule sets whose turns take longer to list than those of others, each with the factor.
const SLOW: [(&str, u64); 4] = [
    ("french-revolution", 40),
    ("series-helpmate", 20),
    ("blunder-mate", 20),
    ("linkage", 10),
];

/// The rule sets of the rule book, and of at most one file of definitions.
#[derive(Default)]
pub struct RuleSets {
    library: Option<defined::Library>,
}

/// A position of any rule set.
#[derive(Clone)]
pub enum Position {
    /// A position of a rule set of the rule book, with the name of the rule set.
    Ruled(String, Game),
    /// A position of a definition.
    Defined(defined::Game, defined::State),
}

impl RuleSets {
    /// Returns the rule sets of the rule book and those that a text defines.
    ///
    /// # Errors
    /// If a definition cannot be read.
    pub fn with_definitions(text: &str) -> Result<RuleSets, String> {
        let library = Some(defined::Library::read(text)?);
        Ok(RuleSets { library })
    }

    /// Reads a FEN with all checks. Without a FEN, returns the start position.
    ///
    /// # Errors
    /// If no rule set has this name, or the text is not a legal position.
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

    /// Reads the position of a statement that is to be verified.
    ///
    /// # Errors
    /// If the FEN is wrong, or no rule set has this name.
    pub fn position(&self, variant: &str, fen: &str) -> Result<Position, Unverified> {
        match self.read(variant, Some(fen)) {
            Ok(position) => Ok(position),
            Err(why) if self.knows(variant) => wrong(why),
            Err(_) => unchecked(format!(
                "the naive rules do not have `{variant}`; --rules reads definitions"
            )),
        }
    }

    /// Returns the factor by which listing turns takes longer than in most rule sets.
    pub fn slowness(&self, variant: &str) -> u64 {
        let id = variant.split(':').next();
        let slow = SLOW.iter().find(|(slow, _)| id == Some(slow));
        slow.map_or(1, |(_, times)| *times)
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

    /// Returns, for each square of the rectangle, the letter of the unit on it, if any. The first rank comes
    /// first.
    pub fn cells(&self) -> Vec<Option<char>> {
        let fen = self.fen();
        let board = fen.split([' ', '[']).next().unwrap_or_default();
        let mut cells = Vec::new();
        for row in board.rsplit('/') {
            let mut run = 0;
            for c in row.chars().chain(['/']) {
                if let Some(digit) = c.to_digit(10) {
                    run = run * 10 + digit as usize;
                    continue;
                }
                cells.extend(std::iter::repeat_n(None, std::mem::take(&mut run)));
                if c.is_ascii_alphabetic() || c == '*' {
                    cells.push(Some(c).filter(|c| *c != '*'));
                }
            }
        }
        cells
    }

    /// Returns the legal turns in byte order, each with the position after it. If the game is over, returns
    /// an empty list.
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

    /// Plays a turn.
    ///
    /// # Errors
    /// If the turn is not legal.
    pub fn play(&self, turn: &str) -> Result<Position, Unverified> {
        let found = self.turns().into_iter().find(|(text, _)| text == turn);
        match found {
            Some((_, after)) => Ok(after),
            None => wrong(format!("`{turn}` is not legal in `{}`", self.fen())),
        }
    }

    /// Plays turns one after the other.
    ///
    /// # Errors
    /// If a turn is not legal.
    pub fn play_all<'t>(
        &self,
        turns: impl IntoIterator<Item = &'t str>,
    ) -> Result<Position, Unverified> {
        let mut turns = turns.into_iter();
        turns.try_fold(self.clone(), |position, turn| position.play(turn))
    }

    /// Returns the number of lines of `depth` turns.
    pub fn perft(&self, depth: u32) -> u64 {
        match self {
            Position::Ruled(_, game) => game.perft(depth),
            Position::Defined(_, state) => state.perft(depth),
        }
    }

    /// Returns the outcome as text: `ongoing`, `white-wins REASON`, `black-wins REASON`, `draw REASON` and so
    /// on. Outcomes of definitions have no reason.
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

    /// Returns whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        match self {
            Position::Ruled(_, game) => game.in_check(),
            Position::Defined(_, state) => state.in_check(),
        }
    }

    /// Returns a text that identifies the position: it is equal for equal positions only. The text is the FEN
    /// without counters that have no effect, or for a definition all that [`defined::State`] records.
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

    /// Returns the position with the other side to move and without en passant, or `None` if that is not a
    /// legal position.
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

//! Positions of any rule set, whether the rule book or a file of definitions or rule texts contains it.

use crate::texts::{Condition, TextRules, Texts};
use crate::{Game, Unverified, defined, read, start, texts, unchecked, wrong};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Rule sets whose turns take longer to list than those of others, each with the factor.
const SLOW: [(&str, u64); 4] = [
    ("french-revolution", 40),
    ("series-helpmate", 20),
    ("blunder-mate", 20),
    ("linkage", 10),
];

/// The reasons for which games end, in rule sets where these are not checkmate and stalemate.
const REASONS: [(&str, &str); 27] = [
    ("bachelor", "marriage checkmate stalemate"),
    ("french-revolution", "checkmate no-turn"),
    ("chromopolis", "king-captured stalemate"),
    ("blunder-mate", "checkmate blunder-mate stalemate"),
    ("clerical", "bishops-captured stalemate"),
    ("contravention", "checkmate check-not-removed stalemate"),
    ("counselor", "queen-checkmated checkmate stalemate"),
    ("decastellation", "king-captured rooks-captured stalemate"),
    ("donnybrook", "monarchs-captured stalemate"),
    ("dynastic", "monarchs-captured stalemate"),
    ("entourage", "king-captured entourage-captured stalemate"),
    ("glory", "checkmate glory stalemate"),
    ("junta", "junta-captured stalemate"),
    ("kingmaker", "checkmate no-turn king-forced"),
    ("linkage", "checkmate linkage-mate stalemate"),
    ("prop", "fifty-half-moves no-turn"),
    ("separation", "checkmate same-quadrant stalemate"),
    ("series-helpmate", "gave-checkmate series-mate stalemate"),
    ("shrapnel", "annihilated stalemate"),
    ("society", "checkmate forced-capture stalemate"),
    ("spartan", "checkmate time stalemate"),
    ("submission", "submission checkmate stalemate"),
    (
        "triple-check",
        "triple-check checkmate forced-check stalemate",
    ),
    (
        "twilight",
        "pawns-eliminated minors-eliminated majors-eliminated checkmate stalemate",
    ),
    ("tyrant", "annihilated stalemate"),
    ("ultimate", "checkmate ultimate-mate stalemate"),
    ("zoo", "four-kinds stalemate"),
];

/// The factor for rule texts, whose clauses are evaluated for each unit and turn.
const SLOW_TEXTS: u64 = 50;

/// The rule sets of the rule book, the known variants and rule texts, and those of files.
pub struct RuleSets {
    library: defined::Library,
    texts: Texts,
    /// The rule texts that were read, or why they cannot be.
    opened: Mutex<BTreeMap<String, Result<Arc<TextRules>, String>>>,
}

/// A position of any rule set.
#[derive(Clone)]
pub enum Position {
    /// A position of a rule set of the rule book, with the name of the rule set.
    Ruled(String, Game),
    /// A position of a definition.
    Defined(defined::Game, defined::State),
    /// A position of a rule text.
    Text(texts::State),
}

/// The rule sets of the rule book alone.
impl Default for RuleSets {
    fn default() -> RuleSets {
        RuleSets::with_definitions("", "", &[]).expect("texts without sections")
    }
}

impl RuleSets {
    /// Returns the rule sets of the rule book, the definitions and rule texts that everyone has, and those of files,
    /// which may have known variants and sections of earlier files as parents. Of equal names, the rule book has
    /// the first, and the files the second.
    ///
    /// # Errors
    /// If a file is not a list of sections, or two of them define the same name.
    pub fn with_definitions(
        definitions: &str,
        texts: &str,
        files: &[&str],
    ) -> Result<RuleSets, String> {
        Ok(RuleSets {
            library: defined::Library::of_files(definitions, files)?,
            texts: Texts::of_files(&format!("{definitions}\n{texts}"), files)?,
            opened: Mutex::default(),
        })
    }

    /// Returns the rule text of an id, if it names one that the rule book does not have.
    fn text(&self, variant: &str) -> Option<Result<Arc<TextRules>, String>> {
        if crate::law(variant).is_ok() || !self.texts.has(variant) {
            return None;
        }
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let open = || self.texts.open(variant).map(Arc::new);
        Some(
            opened
                .entry(variant.to_string())
                .or_insert_with(open)
                .clone(),
        )
    }

    /// Returns the text that decides the rules of a rule text or definition; `None` for a rule set of the rule book.
    ///
    /// # Errors
    /// If the text cannot be read.
    pub fn rules_text(&self, variant: &str) -> Result<Option<String>, Unverified> {
        if crate::law(variant).is_ok() {
            return Ok(None);
        }
        self.texts.rules_text(variant).map(Some).or_else(unchecked)
    }

    /// Returns the definition of a name that the rule book does not have.
    fn definition(&self, variant: &str) -> Option<Result<defined::Game, String>> {
        let is_ruled = crate::law(variant).is_ok();
        (!is_ruled).then(|| self.library.find(variant)).flatten()
    }

    /// Reads a FEN with all checks. Without a FEN, returns the start position.
    ///
    /// # Errors
    /// If the text is not a legal position, or the naive rules cannot read the rule set or the position.
    pub fn read(&self, variant: &str, fen: Option<&str>) -> Result<Position, Unverified> {
        if let Some(rules) = self.text(variant) {
            let why = |why| format!("the naive rules cannot read `{variant}`: {why}");
            let rules = rules.or_else(|fault| unchecked(why(fault)))?;
            return Ok(Position::Text(texts::State::read(&rules, fen)?));
        }
        match self.definition(variant) {
            Some(Ok(game)) => read_defined(&game, fen),
            Some(Err(why)) => unchecked(format!("the naive rules cannot read `{variant}`: {why}")),
            None => {
                let start = start_of(variant).or_else(|_| {
                    unchecked(format!(
                        "the naive rules do not have `{variant}`; --rules reads definitions"
                    ))
                })?;
                let game = read(variant, fen.unwrap_or(&start)).or_else(wrong)?;
                Ok(Position::Ruled(variant.to_string(), game))
            }
        }
    }

    /// Returns the factor by which listing turns takes longer than in most rule sets.
    pub fn slowness(&self, variant: &str) -> u64 {
        let id = variant.split(':').next();
        let slow = SLOW.iter().find(|(slow, _)| id == Some(slow));
        match slow {
            Some((_, times)) => *times,
            None if crate::law(variant).is_err() && self.texts.has(variant) => SLOW_TEXTS,
            None => 1,
        }
    }

    /// Reads a condition on the turns of a rule set.
    ///
    /// # Errors
    /// If the naive rules cannot evaluate it for this rule set.
    pub fn condition(&self, variant: &str, text: &str) -> Result<Condition, Unverified> {
        let read = Condition::read(&self.texts, variant, text);
        read.or_else(|why| unchecked(format!("the naive rules cannot evaluate `{text}`: {why}")))
    }

    /// Returns whether there is a rule set of this name.
    pub fn knows(&self, variant: &str) -> bool {
        let is_text = || self.texts.has(variant);
        crate::law(variant).is_ok() || self.library.find(variant).is_some() || is_text()
    }
}

/// Reads a position of a definition. FENs do not contain all that the rules of a definition may depend on, so
/// a position that no turn may leave could still be one of a game.
fn read_defined(game: &defined::Game, fen: Option<&str>) -> Result<Position, Unverified> {
    let fen = fen.unwrap_or(game.start());
    if fen.contains('=') {
        return unchecked(format!("the naive rules do not read the state of `{fen}`"));
    }
    let game = game.on_board_of(fen).or_else(unchecked)?;
    let state = game.read(fen).or_else(wrong)?;
    match state.is_sound() {
        true => Ok(Position::Defined(game, state)),
        false => unchecked(format!("the side to move may take a royal unit in `{fen}`")),
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
            Position::Text(state) => state.fen().to_string(),
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
    ///
    /// # Errors
    /// If a clause of a rule text cannot be evaluated.
    pub fn turns(&self) -> Result<Vec<(String, Position)>, Unverified> {
        Ok(match self {
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
            Position::Text(state) => {
                let turns = state.turns()?.into_iter();
                turns
                    .map(|(turn, after)| (turn, Position::Text(after)))
                    .collect()
            }
        })
    }

    /// Plays a turn.
    ///
    /// # Errors
    /// If the turn is not legal.
    pub fn play(&self, turn: &str) -> Result<Position, Unverified> {
        let found = self.turns()?.into_iter().find(|(text, _)| text == turn);
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

    /// Returns the positions after each legal turn.
    fn successors(&self) -> Result<Vec<Position>, Unverified> {
        Ok(match self {
            Position::Ruled(name, game) => {
                let after = game.successors().into_iter();
                after
                    .map(|after| Position::Ruled(name.clone(), after))
                    .collect()
            }
            Position::Defined(game, state) => {
                let after = state.successors().into_iter();
                after
                    .map(|after| Position::Defined(game.clone(), after))
                    .collect()
            }
            Position::Text(state) => {
                let turns = state.turns()?.into_iter();
                turns.map(|(_, after)| Position::Text(after)).collect()
            }
        })
    }

    /// Returns the number of lines of `depth` turns, or `None` if it is more than `max_lines`.
    ///
    /// # Errors
    /// If the lines are too long, or more than `max_positions` positions have to be examined.
    pub fn perft(
        &self,
        depth: u32,
        max_lines: u64,
        max_positions: u64,
    ) -> Result<Option<u64>, Unverified> {
        /// The search recurses.
        const MAX_DEPTH: u32 = 200;
        if depth > MAX_DEPTH {
            return unchecked(format!("lines of more than {MAX_DEPTH} turns"));
        }
        let mut lines = 0;
        let mut left = max_positions;
        let counted = self.count_lines(depth, max_lines, &mut lines, &mut left)?;
        Ok(counted.then_some(lines))
    }

    /// Adds the number of lines of `depth` turns. Returns false once there are more than `max_lines`.
    fn count_lines(
        &self,
        depth: u32,
        max_lines: u64,
        lines: &mut u64,
        left: &mut u64,
    ) -> Result<bool, Unverified> {
        if depth <= 1 {
            *lines += match (depth, self) {
                (0, _) => 1,
                (_, Position::Ruled(_, game)) => game.perft(1),
                (_, Position::Defined(_, state)) => state.perft(1),
                (_, Position::Text(state)) => state.turns()?.len() as u64,
            };
            return Ok(*lines <= max_lines);
        }
        *left = match left.checked_sub(1) {
            Some(left) => left,
            None => return unchecked("lines of too many positions; --positions allows more"),
        };
        for after in self.successors()? {
            if !after.count_lines(depth - 1, max_lines, lines, left)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether games may end for this reason. For definitions, the reasons are not known.
    pub fn has_reason(&self, reason: &str) -> bool {
        match self {
            Position::Ruled(name, _) => {
                let id = name.split(':').next().unwrap_or_default();
                let listed = REASONS.iter().find(|(listed, _)| *listed == id);
                let reasons = listed.map_or("checkmate stalemate", |(_, reasons)| reasons);
                reasons.split(' ').any(|known| known == reason)
            }
            Position::Defined(..) => false,
            Position::Text(state) => state.has_reason(reason),
        }
    }

    /// Returns whether outcomes contain the reason. Those of definitions do not.
    pub fn has_reasons(&self) -> bool {
        !matches!(self, Position::Defined(..))
    }

    /// Returns the outcome as text: `ongoing`, `white-wins REASON`, `black-wins REASON`, `draw REASON` and so
    /// on. Outcomes of definitions have no reason.
    ///
    /// # Errors
    /// If a clause of a rule text cannot be evaluated.
    pub fn outcome(&self) -> Result<String, Unverified> {
        Ok(match self {
            Position::Ruled(_, game) => game.outcome(),
            Position::Defined(_, state) => match state.outcome() {
                defined::Outcome::Ongoing => "ongoing".to_string(),
                defined::Outcome::Draw => "draw ".to_string(),
                defined::Outcome::Wins(0) => "white-wins ".to_string(),
                defined::Outcome::Wins(_) => "black-wins ".to_string(),
            },
            Position::Text(state) => match state.outcome()? {
                None => "ongoing".to_string(),
                Some((result, reason)) => format!("{result} {reason}"),
            },
        })
    }

    /// Returns whether the side to move is in check.
    ///
    /// # Errors
    /// If a clause of a rule text cannot be evaluated.
    pub fn in_check(&self) -> Result<bool, Unverified> {
        match self {
            Position::Ruled(_, game) => Ok(game.in_check()),
            Position::Defined(_, state) => Ok(state.in_check()),
            Position::Text(state) => state.in_check(),
        }
    }

    /// Returns a text that identifies the position: it is equal for equal positions only. The text is the FEN
    /// without counters that have no effect, or for a definition all that [`defined::State`] records.
    pub fn identity(&self) -> String {
        let fen = self.fen();
        let name = match self {
            Position::Ruled(name, _) => name,
            Position::Defined(_, state) => return state.identity(),
            Position::Text(state) => return state.identity(),
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
            Position::Text(state) => state.passed().map(Position::Text),
        }
    }
}

//! A position prepared for drawing: units, marks, notes. The diagram contains neither rules nor colors.

use board::{Color, Geometry, Kind, Square, Squares};
use notation::fen;
use position::Position;
use problems::Layout;
use rules::{Action, Game, RuleSet, Turn};

/// Returns the symbol of a letter: the letter itself for the figure of orthodox chess, or the letter in lower
/// case if the rule set has another piece with that letter, so that the letter is drawn.
pub fn symbol(rule_set: &RuleSet, letter: char) -> char {
    match rule_set.drawn_as_letters().contains(letter) {
        true => letter.to_ascii_lowercase(),
        false => letter,
    }
}

/// A unit as it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unit {
    /// The side of the unit.
    pub color: Color,
    /// The letter of the kind in upper case; for a promoted unit, the letter of the kind before promotion.
    pub letter: char,
    /// The [symbol](crate::svg::symbols) by which the unit is drawn.
    pub symbol: char,
    /// Whether the unit is promoted, like `+P` in a FEN.
    pub promoted: bool,
}

impl Unit {
    /// Returns a unit of a kind.
    pub fn new<W: Layout>(game: &dyn Game<W>, color: Color, kind: Kind) -> Unit {
        let name = game.men().name(Color::White, kind);
        let promoted = name.starts_with('+');
        let letter = name[usize::from(promoted)..].chars().next().unwrap_or('?');
        Unit {
            color,
            letter,
            symbol: symbol(&game.variant().rule_set, letter),
            promoted,
        }
    }

    /// Returns the kind in the notation of a FEN for White: the letter, preceded by `+` if the unit is
    /// promoted.
    pub fn name(self) -> String {
        let sign = if self.promoted { "+" } else { "" };
        format!("{sign}{}", self.letter)
    }

    /// Returns the letter in the notation of a FEN: upper case for White.
    pub fn fen_letter(self) -> char {
        match self.color {
            Color::White => self.letter,
            Color::Black => self.letter.to_ascii_lowercase(),
        }
    }
}

/// The contents of a square.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// Whether the square exists, that is, is not a hole.
    pub exists: bool,
    /// The unit on the square.
    pub unit: Option<Unit>,
    /// The bound units on the square.
    pub bound: Vec<Unit>,
    /// Whether the unit is royal.
    pub royal: bool,
    /// Whether the unit is royal and in check.
    pub checked: bool,
    /// Whether the unit gives check.
    pub checks: bool,
}

/// Units off the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hand {
    /// The side and the name of the hand.
    pub name: String,
    /// The units.
    pub units: Vec<Unit>,
}

/// An arrow between two squares, or a ring if they are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// The square at its tail.
    pub from: Square,
    /// The square at its tip.
    pub to: Square,
}

/// The relation between a unit and a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The unit is on this square.
    Origin,
    /// The unit can move here and could not capture here.
    Goes,
    /// The unit can capture here, or could if an enemy were on the square.
    Captures,
    /// The unit can move here and could capture here.
    Both,
    /// The unit can move here only by a pseudo-legal turn.
    Forbidden,
}

impl Mark {
    /// All marks of target squares, in the order of legends.
    pub const TARGETS: [Mark; 4] = [Mark::Goes, Mark::Captures, Mark::Both, Mark::Forbidden];

    /// Returns the name of the mark.
    pub fn word(self) -> &'static str {
        match self {
            Mark::Origin => "unit",
            Mark::Goes => "goes",
            Mark::Captures => "captures",
            Mark::Both => "both",
            Mark::Forbidden => "forbidden",
        }
    }

    /// Returns the meaning of the mark, for legends.
    pub fn meaning(self) -> &'static str {
        match self {
            Mark::Origin => "the unit",
            Mark::Goes => "goes, does not capture",
            Mark::Captures => "captures, does not go",
            Mark::Both => "goes and captures",
            Mark::Forbidden => "forbidden by a rule",
        }
    }

    /// Returns the letter of the mark in texts.
    pub fn letter(self) -> char {
        match self {
            Mark::Origin => '>',
            Mark::Goes => 'g',
            Mark::Captures => 'c',
            Mark::Both => 'b',
            Mark::Forbidden => 'f',
        }
    }
}

/// A marked square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marked {
    /// The square.
    pub square: Square,
    /// The mark.
    pub mark: Mark,
    /// The text of the tooltip.
    pub tip: String,
}

/// A position prepared for drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The rule set's name.
    pub name: String,
    /// Whether the rules are those of orthodox chess. Readers know these rules, so royal units and checks
    /// need no marks.
    pub orthodox: bool,
    /// The shape of the board.
    pub geometry: Geometry,
    /// All squares of the rectangle including holes, by index.
    pub cells: Vec<Cell>,
    /// The side to move.
    pub side: Color,
    /// The outcome, or `ongoing`.
    pub outcome: String,
    /// The units off the board.
    pub hands: Vec<Hand>,
    /// Castling rights, en passant square and variant state, each with a name.
    pub notes: Vec<(&'static str, String)>,
    /// The position as FEN.
    pub fen: String,
    /// Arrows.
    pub arrows: Vec<Arrow>,
    /// Marked squares.
    pub marks: Vec<Marked>,
}

/// The ids of orthodox chess: the compiled rule set and its definition.
const ORTHODOX_IDS: [&str; 2] = ["fide", "chess"];

/// Returns the name of a side.
pub fn side_name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

impl Diagram {
    /// Returns the diagram of a position, without arrows and marks.
    pub fn new<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> Diagram {
        let geometry = game.board().geometry();
        let mut cells = vec![Cell::default(); geometry.len()];
        for (n, cell) in cells.iter_mut().enumerate() {
            let square = Square(n as u8);
            cell.exists = geometry.exists(square);
            cell.unit = p
                .unit(square)
                .map(|(color, kind)| Unit::new(game, color, kind));
        }
        for unit in p.bound_units() {
            cells[unit.square.index()]
                .bound
                .push(Unit::new(game, unit.color, unit.kind));
        }
        for color in Color::BOTH {
            let (royals, intruders) = (game.royals(p, color), game.intruders(p, color));
            for royal in royals.iter() {
                cells[royal.index()].royal = true;
            }
            let attacked = game.royals_in_check(p, color);
            let mut checking = intruders;
            for royal in attacked.iter() {
                checking |= game.attackers(p, royal, !color);
            }
            let checked = match intruders.is_empty() {
                true => attacked,
                false => royals | attacked,
            };
            for royal in checked.iter() {
                cells[royal.index()].checked = true;
            }
            for unit in checking.iter() {
                cells[unit.index()].checks = true;
            }
        }
        let mut notes = Vec::new();
        let rights = fen::rights_text(game, p);
        if rights != "-" {
            notes.push(("castling", rights));
        }
        if let Some(square) = p.en_passant() {
            notes.push(("en passant", geometry.name(square)));
        }
        let state = fen::state_text(game, p);
        if !state.is_empty() {
            notes.push(("state", state));
        }
        let carried = game.carried().fields();
        if let Some(letters) = carried.and_then(|carried| carried.hand(p)) {
            notes.push((
                "in hand",
                if letters.is_empty() {
                    "-".into()
                } else {
                    letters
                },
            ));
        }
        if let Some(left) = carried.and_then(|carried| carried.checks(p)) {
            notes.push(("checks left", left));
        }
        let rule_set = &game.variant().rule_set;
        Diagram {
            name: rule_set.name().to_string(),
            orthodox: ORTHODOX_IDS.contains(&rule_set.id()),
            geometry,
            cells,
            side: p.side,
            outcome: game.outcome(p).to_string(),
            hands: hands(game, p),
            notes,
            fen: fen::print(game, p),
            arrows: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// Returns the diagram of the position after a turn, with the turn as arrows.
    pub fn after<W: Layout>(game: &dyn Game<W>, p: &Position<W>, turn: &Turn) -> Diagram {
        let mut diagram = Diagram::new(game, &game.play(p, turn));
        diagram.arrows = arrows(turn);
        diagram
    }

    /// Returns the diagram with the arrows of a turn added, each once.
    pub fn with_arrows(mut self, turn: &Turn) -> Diagram {
        for arrow in arrows(turn) {
            if !self.arrows.contains(&arrow) {
                self.arrows.push(arrow);
            }
        }
        self
    }

    /// Returns the heading: the rule set, followed by the side to move or the outcome.
    pub fn title(&self) -> String {
        format!("{}: {}", self.name, self.standing())
    }

    /// Returns the side to move, or the outcome of an ended game.
    pub fn standing(&self) -> String {
        match self.outcome.as_str() {
            "ongoing" => format!("{} to move", side_name(self.side)),
            ended => ended.to_string(),
        }
    }

    /// Returns a text alternative with everything that the picture shows.
    pub fn description(&self) -> String {
        let mut text = String::new();
        for color in Color::BOTH {
            let units: Vec<String> = self
                .squares()
                .filter_map(|(square, cell)| {
                    let unit = cell.unit.filter(|unit| unit.color == color)?;
                    Some(unit.name() + &self.geometry.name(square))
                })
                .collect();
            let units = match units.is_empty() {
                true => "nothing".to_string(),
                false => units.join(" "),
            };
            text += &format!("{}: {units}. ", side_name(color));
        }
        for (square, cell) in self.squares().filter(|(_, cell)| !cell.bound.is_empty()) {
            let letters: String = cell.bound.iter().map(|u| u.fen_letter()).collect();
            text += &format!("Bound on {}: {letters}. ", self.geometry.name(square));
        }
        for (square, _) in self.squares().filter(|(_, cell)| cell.checked) {
            text += &format!("{} is in check. ", self.geometry.name(square));
        }
        for marked in &self.marks {
            text += &format!("{}. ", marked.tip);
        }
        text + &self.fen
    }

    /// Returns the squares with their contents.
    pub fn squares(&self) -> impl Iterator<Item = (Square, &Cell)> {
        self.cells
            .iter()
            .enumerate()
            .map(|(n, cell)| (Square(n as u8), cell))
    }

    /// Returns the symbols of all units in the diagram, without duplicates.
    pub fn symbols(&self) -> Vec<char> {
        let cells = self.cells.iter();
        let mut symbols: Vec<char> = cells
            .flat_map(|cell| cell.unit.iter().chain(&cell.bound))
            .chain(self.hands.iter().flat_map(|hand| &hand.units))
            .map(|unit| unit.symbol)
            .collect();
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    }
}

/// Returns the steps of a turn as arrows.
fn arrows(turn: &Turn) -> Vec<Arrow> {
    turn.steps()
        .map(|step| Arrow {
            from: match step.action() {
                Action::Place => step.to,
                _ => step.from,
            },
            to: step.to,
        })
        .collect()
}

/// Returns the units off the board. They are in the hands of definitions, or in the variant state: `hand` has
/// a part for each side or for each half of each side's board, and `return` lists units that will return to
/// the board.
fn hands<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> Vec<Hand> {
    const HALVES: [(&str, Color); 4] = [
        ("White, left", Color::White),
        ("White, right", Color::White),
        ("Black, left", Color::Black),
        ("Black, right", Color::Black),
    ];
    const SIDES: [(&str, Color); 2] = [("White", Color::White), ("Black", Color::Black)];
    let men = game.men();
    let hand = |name: &str, color: Color, text: &str| Hand {
        name: name.to_string(),
        units: text
            .chars()
            .filter_map(|c| men.named(c.encode_utf8(&mut [0; 4])))
            .map(|kind| Unit::new(game, color, kind))
            .collect(),
    };
    let mut hands = Vec::new();
    if let Some(letters) = game.carried().fields().and_then(|carried| carried.hand(p)) {
        let (white, black): (String, String) =
            letters.chars().partition(|c| c.is_ascii_uppercase());
        hands.push(hand("White", Color::White, &white));
        hands.push(hand("Black", Color::Black, &black.to_ascii_uppercase()));
    }
    for (key, value) in game.carried().state_text(game.board(), p) {
        let parts: Vec<&str> = value.split('/').collect();
        let names: &[(&str, Color)] = match (key, parts.len()) {
            ("hand", 4) => &HALVES,
            ("hand", 2) => &SIDES,
            ("return", 1) => match p.side {
                Color::White => &[("White returns", Color::White)],
                Color::Black => &[("Black returns", Color::Black)],
            },
            _ => continue,
        };
        let both = names.iter().zip(parts);
        hands.extend(both.map(|(&(name, color), part)| hand(name, color, part)));
    }
    hands
}

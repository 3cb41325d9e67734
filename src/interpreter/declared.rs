//! The fields of the state and the options that the clauses `state` and `options` declare.

use board::{Color, Geometry, Kind, Square};
use definition::{Clause, Definition, Layer};
use diagnostics::{Diagnostic, LineColumn, whole_number};
use position::{Layout, Position};
use rules::{DeclaredField, FieldType, OptionPurpose, VariantOption, interned, interned_list};

use crate::kinds::Kinds;
use crate::state::Field;

/// The greatest number that a field or an option can hold.
const MAX_NUMBER: u32 = 1_000_000;
/// The maximum number of fields, and of options.
const MAX_DECLARED: usize = 64;

/// What a rule text declares.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// The fields of the state.
    pub fields: Vec<DeclaredField>,
    /// The options.
    pub options: Vec<VariantOption>,
    /// The numbers that options have if they are not given.
    pub defaults: Vec<u32>,
    /// Whether a clause reads the halfmove clock, so that it is part of the position.
    pub keeps_halfmove: bool,
    /// Whether a clause reads the number of the move.
    pub keeps_fullmove: bool,
}

/// Reads the declarations of a definition. `rules_text` contains all clauses that its rules depend on.
///
/// # Errors
/// The first declaration that cannot be read, with its place.
pub fn declared(definition: &Definition, rules_text: &str) -> Result<Declared, Diagnostic> {
    let reads = |word| has_word(rules_text, word) || has_word(rules_text, "fen");
    // Rules that are asked get the halfmove clock, and may count plies by this key.
    let asked = rules_text
        .split_once("\nunder ")
        .map_or("", |(_, asked)| asked);
    let mut declared = Declared {
        keeps_halfmove: reads("halfmove") || has_word(asked, "nMoveRuleKept"),
        keeps_fullmove: reads("fullmove"),
        ..Declared::default()
    };
    for layer in &definition.layers {
        if let Some(clause) = layer.get("state") {
            for (text, place) in items(clause) {
                let field = field(text).map_err(|why| error(layer, place, why))?;
                let fields = &mut declared.fields;
                match fields.iter_mut().find(|known| known.name == field.name) {
                    Some(known) => *known = field,
                    None => fields.push(field),
                }
            }
        }
        if let Some(clause) = layer.get("options") {
            for (text, place) in items(clause) {
                let (option, default) = option(text).map_err(|why| error(layer, place, why))?;
                if declared
                    .options
                    .iter()
                    .any(|known| known.name == option.name)
                {
                    let why = format!("the option `{}` is declared twice", option.name);
                    return Err(error(layer, place, why));
                }
                declared.options.push(option);
                declared.defaults.push(default);
            }
        }
        if declared.fields.len().max(declared.options.len()) > MAX_DECLARED {
            let place = layer.clauses[0].key_place();
            return Err(error(
                layer,
                place,
                format!("more than {MAX_DECLARED} declarations"),
            ));
        }
    }
    Ok(declared)
}

fn error(layer: &Layer, place: LineColumn, why: String) -> Diagnostic {
    Diagnostic::new(&layer.section, why).at(place)
}

/// Returns the declarations of a clause, which semicolons separate, each with its place.
fn items(clause: &Clause) -> Vec<(&str, LineColumn)> {
    let text = &clause.text;
    let place = |part: &str| {
        let offset = part.as_ptr() as usize - text.as_ptr() as usize;
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        clause.place_of(LineColumn {
            line: before.matches('\n').count() as u32 + 1,
            column: before[line_start..].chars().count() as u32 + 1,
        })
    };
    let parts = text
        .split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    parts.map(|part| (part, place(part))).collect()
}

/// Returns whether a text contains a word, outside of quotation marks.
fn has_word(text: &str, word: &str) -> bool {
    let mut quote = None;
    let mut bare = String::with_capacity(text.len());
    for c in text.chars() {
        match quote {
            // A quotation mark without another in its line is an apostrophe.
            Some(open) if c == open || c == '\n' => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            _ => {}
        }
        bare.push(if quote.is_some() { ' ' } else { c });
    }
    let is_part = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    bare.split(is_part).any(|part| part == word)
}

fn is_name(text: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(part)
}

/// Reads a declaration such as `count[side]: 0..3`.
fn field(text: &str) -> Result<DeclaredField, String> {
    let Some((name, kind)) = text.split_once(':') else {
        return Err(format!(
            "`{text}` is not a declaration such as `count: 0..3`"
        ));
    };
    let (name, kind) = (name.trim(), kind.trim());
    let (name, of_side) = match name.strip_suffix("[side]") {
        Some(name) => (name.trim(), true),
        None => (name, false),
    };
    if !is_name(name) {
        return Err(format!("`{name}` is not a name of letters, digits and `_`"));
    }
    if crate::carried::KEYS.contains(&name) {
        return Err(format!("`{name}` is a field of the format already"));
    }
    Ok(DeclaredField {
        name: interned(name),
        kind: field_type(kind)?,
        of_side,
    })
}

fn field_type(text: &str) -> Result<FieldType, String> {
    Ok(match text {
        "flag" => FieldType::Flag,
        "kind" => FieldType::Kind,
        "kinds" => FieldType::Kinds,
        "side" => FieldType::Side,
        "sides" => FieldType::Sides,
        "square" => FieldType::Square,
        _ if text.contains("..") => {
            let (least, most) = range(text)?;
            FieldType::Number { least, most }
        }
        _ => {
            let mut words: Vec<&str> = Vec::new();
            for word in text.split_whitespace() {
                if words.contains(&word) {
                    return Err(format!("the word `{word}` is given twice"));
                }
                if word.contains(['=', ',', '/']) {
                    return Err(format!("the word `{word}` cannot be written in a FEN"));
                }
                words.push(word);
            }
            if words.len() < 2 {
                return Err(format!(
                    "`{text}` is not a type: `a..b`, two or more words, `flag`, `kind`, `kinds`, `side`, `sides` or `square`"
                ));
            }
            FieldType::Words(interned_list(&words))
        }
    })
}

fn range(text: &str) -> Result<(u32, u32), String> {
    let number = |text: &str| {
        let text = text.trim();
        let number = text
            .parse()
            .ok()
            .filter(|n| whole_number(text) && *n <= MAX_NUMBER);
        number.ok_or_else(|| match text.contains('=') {
            true => format!("`{text}`: only options have a default; a field of the state begins with its least number"),
            false => format!("`{text}` is not a whole number up to {MAX_NUMBER}"),
        })
    };
    let (least, most) = text.split_once("..").unwrap_or((text, ""));
    let (least, most) = (number(least)?, number(most)?);
    match least <= most {
        true => Ok((least, most)),
        false => Err(format!("{least}..{most} is an empty range")),
    }
}

/// Reads a declaration such as `moves: 1..9999 = 60` or `weak-loss`, with the default.
fn option(text: &str) -> Result<(VariantOption, u32), String> {
    let (name, rest) = text
        .split_once(':')
        .map_or((text, None), |(name, rest)| (name, Some(rest)));
    let name = name.trim();
    let part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.chars().all(part) {
        return Err(format!("`{name}` is not a name of letters, digits and `-`"));
    }
    let (range, default) = match rest {
        None => (None, 0),
        Some(rest) => {
            let Some((limits, default)) = rest.split_once('=') else {
                return Err(format!(
                    "`{text}` lacks its default: `{name}: 1..9999 = 60`"
                ));
            };
            let (least, most) = range(limits)?;
            let default = default
                .trim()
                .parse()
                .ok()
                .filter(|n| (least..=most).contains(n));
            let why = || format!("the default of `{name}` is not a number from {least} to {most}");
            (Some((least, most)), default.ok_or_else(why)?)
        }
    };
    let option = VariantOption {
        name: interned(name),
        range,
        purpose: OptionPurpose::Play,
        help: "an option of the rule text",
    };
    Ok((option, default))
}

/// Returns the number of bits that a field needs on a board.
pub fn bits(kind: FieldType, pieces: usize, geometry: Geometry) -> u32 {
    let for_numbers = |most: u32| u32::BITS - most.leading_zeros();
    match kind {
        FieldType::Number { least, most } => for_numbers(most - least),
        FieldType::Words(words) => for_numbers(words.len() as u32 - 1),
        FieldType::Flag => 1,
        FieldType::Kind => for_numbers(pieces as u32),
        FieldType::Kinds => pieces as u32,
        FieldType::Side | FieldType::Sides => 2,
        FieldType::Square => for_numbers(geometry.len() as u32),
    }
}

/// What the texts of declared values depend on.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    pub definition: &'a Definition,
    pub kinds: &'a Kinds,
    pub geometry: Geometry,
}

impl Names<'_> {
    /// Returns the value of a field as the language has it; see [`rules::Carried::declared_value`].
    pub fn value<W: Layout>(self, kind: FieldType, field: Field, p: &Position<W>) -> i64 {
        let stored = field.get(p) as i64;
        match kind {
            FieldType::Number { least, .. } => stored + i64::from(least),
            FieldType::Words(_) | FieldType::Flag | FieldType::Sides => stored,
            FieldType::Side | FieldType::Square => stored - 1,
            FieldType::Kind if stored == 0 => -1,
            FieldType::Kind => self.kind(stored as usize - 1).index() as i64,
            FieldType::Kinds => {
                let pieces = (0..self.definition.pieces.len()).filter(|n| stored >> n & 1 == 1);
                pieces.fold(0, |kinds, n| kinds | 1 << self.kind(n).index())
            }
        }
    }

    /// Stores the value of a field. A number out of range becomes the nearest in it.
    pub fn set<W: Layout>(self, kind: FieldType, field: Field, p: &mut Position<W>, value: i64) {
        let stored = match kind {
            FieldType::Number { least, most } => {
                value.clamp(least.into(), most.into()) - i64::from(least)
            }
            FieldType::Words(words) => value.clamp(0, words.len() as i64 - 1),
            FieldType::Flag => i64::from(value > 0),
            FieldType::Sides => value & 3,
            FieldType::Side | FieldType::Square => value + 1,
            FieldType::Kind => match self.piece(value) {
                Some(piece) => piece as i64 + 1,
                None => 0,
            },
            FieldType::Kinds => (0..64)
                .filter(|kind| value >> kind & 1 == 1)
                .filter_map(|kind| self.piece(kind))
                .fold(0, |pieces, n| pieces | 1 << n),
        };
        field.set(p, stored as u64);
    }

    fn kind(self, piece: usize) -> Kind {
        self.kinds.plain(definition::PieceType(piece as u8))
    }

    /// Returns the number of the piece of a kind.
    fn piece(self, kind: i64) -> Option<usize> {
        let kind = usize::try_from(kind)
            .ok()
            .filter(|&kind| kind < Kind::MAX)?;
        self.kinds
            .piece(Kind::from_index(kind))
            .map(definition::PieceType::index)
    }

    fn letter(self, piece: usize) -> char {
        self.definition.pieces[piece].letter as char
    }

    /// Returns the text of a stored value in a FEN.
    pub fn text(self, kind: FieldType, stored: u64) -> String {
        let or_dash = |text: String| {
            if text.is_empty() {
                "-".to_owned()
            } else {
                text
            }
        };
        match kind {
            FieldType::Number { least, .. } => (stored + u64::from(least)).to_string(),
            FieldType::Words(words) => words[stored as usize % words.len()].to_owned(),
            FieldType::Flag => stored.to_string(),
            FieldType::Kind if stored == 0 => "-".to_owned(),
            FieldType::Kind => self.letter(stored as usize - 1).to_string(),
            FieldType::Kinds => {
                let pieces = (0..self.definition.pieces.len()).filter(|n| stored >> n & 1 == 1);
                or_dash(pieces.map(|n| self.letter(n)).collect())
            }
            FieldType::Side => ["-", "w", "b"][stored.min(2) as usize].to_owned(),
            FieldType::Sides => or_dash(
                Color::BOTH
                    .into_iter()
                    .filter(|c| stored >> c.index() & 1 == 1)
                    .map(side_letter)
                    .collect(),
            ),
            FieldType::Square => match stored {
                0 => "-".to_owned(),
                n => self.geometry.name(Square(n as u8 - 1)),
            },
        }
    }

    /// Reads a text that [`text`](Self::text) writes.
    ///
    /// # Errors
    /// What the field takes.
    pub fn read(self, kind: FieldType, text: &str) -> Result<u64, String> {
        let piece = |letter: char| {
            let letter = u8::try_from(letter).ok().filter(u8::is_ascii_uppercase)?;
            let pieces = &self.definition.pieces;
            pieces.iter().position(|piece| piece.letter == letter)
        };
        let stored = match kind {
            FieldType::Number { least, most } => {
                let number = text.parse::<u32>().ok().filter(|_| whole_number(text));
                let number = number.filter(|n| (least..=most).contains(n));
                number.map(|n| u64::from(n - least))
            }
            FieldType::Words(words) => words
                .iter()
                .position(|word| *word == text)
                .map(|n| n as u64),
            FieldType::Flag => ["0", "1"]
                .iter()
                .position(|word| *word == text)
                .map(|n| n as u64),
            FieldType::Side => ["-", "w", "b"]
                .iter()
                .position(|word| *word == text)
                .map(|n| n as u64),
            FieldType::Sides => ["-", "w", "b", "wb"]
                .iter()
                .position(|word| *word == text)
                .map(|n| n as u64),
            FieldType::Kind | FieldType::Square | FieldType::Kinds if text == "-" => Some(0),
            FieldType::Square => {
                let square = self
                    .geometry
                    .named(text)
                    .filter(|&square| self.geometry.exists(square));
                square.map(|square| u64::from(square.0) + 1)
            }
            FieldType::Kind => {
                let mut letters = text.chars();
                let only = letters.next().filter(|_| letters.next().is_none());
                only.and_then(piece).map(|n| n as u64 + 1)
            }
            FieldType::Kinds => {
                let pieces: Option<Vec<usize>> = text.chars().map(piece).collect();
                let sorted =
                    pieces.filter(|pieces| !pieces.is_empty() && pieces.is_sorted_by(|a, b| a < b));
                sorted.map(|pieces| pieces.iter().fold(0, |set, n| set | 1 << n))
            }
        };
        stored.ok_or_else(|| match kind {
            FieldType::Number { least, most } => {
                format!("it takes a whole number from {least} to {most}")
            }
            FieldType::Words(words) => format!("it takes one of {}", words.join(" ")),
            FieldType::Flag => "it takes 0 or 1".to_owned(),
            FieldType::Kind => "it takes the capital letter of a piece, or -".to_owned(),
            FieldType::Kinds => {
                "it takes capital letters of pieces in their order, or -".to_owned()
            }
            FieldType::Side => "it takes w, b or -".to_owned(),
            FieldType::Sides => "it takes w, b, wb or -".to_owned(),
            FieldType::Square => "it takes a square, or -".to_owned(),
        })
    }
}

fn side_letter(color: Color) -> char {
    match color {
        Color::White => 'w',
        Color::Black => 'b',
    }
}

/// Returns what separates the values of both sides in a FEN.
pub fn separator(kind: FieldType) -> char {
    match kind {
        FieldType::Number { .. } | FieldType::Flag => ',',
        _ => '/',
    }
}

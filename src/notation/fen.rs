//! Reads and prints positions as FEN, with the variant state as a seventh field.
//!
//! This file reads FENs; the FEN gives the size of the board. `check` contains the requirements on positions,
//! `print` prints the canonical FEN, and [`board::field`] defines the grammar of board fields.

mod check;
mod print;

use check::was_passed;
pub use check::{accept, double_stepped, qualifies};
pub use print::{board_text, print, rights_text, state_text};

use super::{START, Setup, Start};
use board::field::{BoardField, Cell, Dialect, FieldError, Fields, Mistake, completed};
use board::{Color, Geometry, MAX_FILES, MAX_RANKS, MAX_SQUARES, Square};
use diagnostics::whole_number;
use diagnostics::{Diagnostic, nearest};
use per_layout::per_layout;
use position::{Layout, Position, Rights};
use rules::{AnyGame, Game, RuleSet, Variant, with_game};
use std::sync::Arc;

const FIELDS: [&str; 7] = [
    "board",
    "side to move",
    "castling",
    "en passant",
    "halfmove clock",
    "fullmove number",
    "state",
];

fn wrong(field: usize, why: impl Into<String>) -> Diagnostic {
    Diagnostic::new("FEN", why).at(format!("field {} ({})", field + 1, FIELDS[field]))
}

fn wrong_at(column: usize, why: impl Into<String>) -> Diagnostic {
    Diagnostic::new("FEN", why).at(format!("field 1 (board), column {}", column + 1))
}

/// Reads a FEN of this variant, and opens the game on the board of the FEN.
///
/// # Errors
/// If the text is not a FEN, or its position does not satisfy the rules of FENs.
pub fn read(variant: &Variant, text: &str) -> Result<Setup, Diagnostic> {
    check_length(text)?;
    read_with(&game_for(variant, text)?, text)
}

/// A reader for many FENs of one variant. Consecutive FENs with boards of the same shape share a game, except
/// for definitions, whose games depend on the hands.
pub struct Reader<'v> {
    variant: &'v Variant,
    game: Option<AnyGame>,
}

impl<'v> Reader<'v> {
    /// Returns a reader that has not opened a game yet.
    pub fn new(variant: &'v Variant) -> Reader<'v> {
        Reader {
            variant,
            game: None,
        }
    }

    /// Returns the variant.
    pub fn variant(&self) -> &'v Variant {
        self.variant
    }

    /// Reads a FEN. Without one, or for `startpos`, returns the start position.
    ///
    /// # Errors
    /// As for [`read`].
    pub fn read(&mut self, text: Option<&str>) -> Result<Setup, Diagnostic> {
        let start;
        let text = match text {
            Some(text) if text != START => text,
            _ => {
                start = self.variant.start();
                &start
            }
        };
        check_length(text)?;
        let is_shared = |game: &AnyGame| {
            let geometry = with_game!(game, game => game.board().geometry());
            matches!(self.variant.rule_set, RuleSet::Compiled(_))
                && shape(text).is_ok_and(|shape| shape == geometry)
        };
        let game = match self.game.take().filter(is_shared) {
            Some(game) => game,
            None => game_for(self.variant, text)?,
        };
        let setup = read_with(&game, text);
        self.game = Some(game);
        setup
    }
}

/// Opens the game for the board and the hands of a FEN.
fn game_for(variant: &Variant, text: &str) -> Result<AnyGame, Diagnostic> {
    let field = text.split_ascii_whitespace().next().unwrap_or("");
    let game = board_field(field).and_then(|board| {
        let geometry = geometry_of(&board)?;
        let game = variant.on_for(geometry, &board, board.hand.unwrap_or_default());
        game.map_err(|error| wrong(0, error.why))
    });
    let Err(error) = game else {
        return game;
    };
    match hands_behind(variant, field) {
        Some(game) => game.map_err(|error| wrong(0, error.why)),
        None => Err(error),
    }
}

/// Maximum length of a FEN, in bytes. The longest possible FEN, with 128 squares and full hands, has fewer
/// than 1,000 bytes.
const MAX_FEN_BYTES: usize = 4096;

/// Checks the length of a FEN. Called before any part of the FEN is copied.
fn check_length(text: &str) -> Result<(), Diagnostic> {
    match text.len() {
        0..=MAX_FEN_BYTES => Ok(()),
        bytes => {
            let why = format!("it has {bytes} bytes; the maximum is {MAX_FEN_BYTES}");
            Err(Diagnostic::new("FEN", why))
        }
    }
}

/// Returns the game for a board field that contains the hands as an additional rank. Returns `None` if the
/// field does not have this form, or the variant does not have hands.
fn hands_behind(variant: &Variant, field: &str) -> Option<Result<AnyGame, Diagnostic>> {
    let own = shape(&variant.start()).ok()?;
    let (board, hand) = split_last_rank(field, own.ranks())?;
    let board = board_field(board).ok()?;
    let geometry = geometry_of(&board).ok()?;
    variant.on(geometry).ok()?;
    let game = match variant.on_for(geometry, &board, hand) {
        Ok(game) => game,
        refused => return Some(refused),
    };
    let hands = with_game!(&game, game => {
        let carried = game.carried().fields();
        carried.is_some_and(|carried| carried.hand(&Position::empty()).is_some())
    });
    hands.then_some(Ok(game))
}

/// Reads a FEN for a game that is already open. The board must have the same shape.
///
/// # Errors
/// As for [`read`], and if the board has another shape.
pub fn read_with(game: &AnyGame, text: &str) -> Result<Setup, Diagnostic> {
    with_game!(game, game => {
        let position = read_position(game.as_ref(), text)?;
        let game = Arc::clone(game);
        Ok(Start { game, position }.into())
    })
}

/// Returns the shape of the board in the first field of a FEN. The result does not wrap around, even if the
/// board of the variant does.
///
/// # Errors
/// If the field is not a board.
pub fn shape(text: &str) -> Result<Geometry, Diagnostic> {
    let field = text.split_ascii_whitespace().next().unwrap_or("");
    geometry_of(&board_field(field)?)
}

/// Reads a board field. Checks that all ranks have the same length and that the board is not too large.
pub(crate) fn board_field(field: &str) -> Result<BoardField<'_>, Diagnostic> {
    if field.is_empty() {
        return Err(wrong(0, "the field is empty")
            .help("six fields: board, side, castling, en passant, clock, move number"));
    }
    let read =
        BoardField::read(field, Dialect::POSITION).map_err(|FieldError { column, mistake }| {
            match mistake {
            Mistake::OpenHand => wrong_at(column, "`[` begins the hands, `]` must end them"),
            Mistake::Run(digits) => wrong_at(
                column,
                format!("`{digits}` is not a count of vacant squares"),
            )
            .help("a whole number from 1 to 16 without leading zeros"),
            Mistake::Symbol(c) => wrong_at(
                column,
                format!("`{c}` has no meaning in a board field"),
            )
            .help(
                "letters for units, numbers for vacant squares, `*` for holes, `/` between ranks",
            ),
        }
        })?;
    let ranks = read.ranks.len();
    if ranks > usize::from(MAX_RANKS) {
        return Err(wrong(
            0,
            format!("{ranks} ranks; a board has at most {MAX_RANKS}"),
        ));
    }
    let files = read.ranks[0].cells.len();
    for (index, rank) in read.ranks.iter().enumerate() {
        let (number, squares) = (ranks - index, rank.cells.len());
        let wrong = |why: String| wrong_at(rank.column, why);
        if squares == 0 {
            return Err(
                wrong(format!("rank {number} is empty")).help("write the number of vacant squares")
            );
        }
        if squares > usize::from(MAX_FILES) {
            let why = format!("rank {number} has {squares} squares; at most {MAX_FILES}");
            return Err(wrong(why));
        }
        if squares != files {
            let why = format!("rank {number} has {squares} squares, rank {ranks} has {files}");
            return Err(
                wrong(why).help("every rank has the same number of squares, holes (`*`) counted")
            );
        }
    }
    if files * ranks > MAX_SQUARES {
        let why = format!("{files}x{ranks} squares; a board has at most {MAX_SQUARES}");
        return Err(wrong(0, why));
    }
    Ok(read)
}

/// Returns the squares of a board field with their contents and their columns in the text, in the order of
/// square indices.
pub(crate) fn squares<'f>(
    field: &'f BoardField<'_>,
) -> impl Iterator<Item = (Square, Cell, usize)> + 'f {
    let cells = field.ranks.iter().rev().flat_map(|rank| &rank.cells);
    cells
        .enumerate()
        .map(|(index, &(cell, column))| (Square(index as u8), cell, column))
}

/// Returns the shape of a board field.
pub(crate) fn geometry_of(field: &BoardField<'_>) -> Result<Geometry, Diagnostic> {
    let holes = squares(field)
        .filter(|(_, cell, _)| *cell == Cell::Hole)
        .fold(0, |holes, (square, ..)| holes | 1u128 << square.0);
    let (files, ranks) = (field.ranks[0].cells.len(), field.ranks.len());
    Geometry::new(files as u8, ranks as u8, holes, false)
        .ok_or_else(|| wrong(0, "a board needs a square that is not a hole"))
}

/// Reads and checks a position of this game.
///
/// # Errors
/// If the text is not a FEN of this game.
#[per_layout]
pub fn read_position<W: Layout>(game: &dyn Game<W>, text: &str) -> Result<Position<W>, Diagnostic> {
    check_length(text)?;
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let Fields { fields, checks } = match game.carried().fields() {
        Some(_) => completed(fields),
        None => Fields {
            fields,
            checks: None,
        },
    };
    if !matches!(fields.len(), 4 | 6 | 7) {
        return Err(Diagnostic::new(
            "FEN",
            match fields.len() {
                1 => "1 field, it takes 4, 6 or 7".to_string(),
                n => format!("{n} fields, it takes 4, 6 or 7"),
            },
        )
        .help(
            "board, side, castling, en passant, then clock and move number together, then state",
        ));
    }
    let mut p = Position::empty();
    let geometry = game.board().geometry();
    read_units(game, &mut p, fields[0])?;
    p.side = match fields[1] {
        "w" => Color::White,
        "b" => Color::Black,
        other => return Err(wrong(1, format!("`{other}` is neither `w` nor `b`"))),
    };
    p.rights = read_rights(game, &mut p, fields[2])?;
    if let Some(carried) = game.carried().fields() {
        let squares = read_squares(geometry, fields[3])?;
        carried.set_passed(&mut p, &squares);
        // If the FEN does not contain the checks left, the next check wins.
        let next = carried.checks(&p).map(|_| [1, 1]);
        if let Some(left) = checks.or(next) {
            carried.set_checks(&mut p, left).map_err(|why| {
                Diagnostic::new("FEN", why).at("the field of checks left, behind en passant")
            })?;
        }
    }
    let en_passant = match game.carried().fields() {
        Some(_) => None,
        None => read_square(geometry, fields[3])?,
    };
    if fields.len() > 4 {
        game.carried().set_clock(&mut p, read_number(4, fields[4])?);
        // Some programs count moves from 0.
        let number = read_number(5, fields[5])?.max(1);
        game.carried().set_number(&mut p, number);
    }
    read_state(game, &mut p, fields.get(6).copied())?;
    if game.carried().fields().is_none() {
        p.set_en_passant(en_passant.filter(|&square| qualifies(game, &p, square)));
    }

    accept(game, &p)?;
    Ok(p)
}

/// Puts the units of a board field on the board and into the hands.
fn read_units<W: Layout>(
    game: &dyn Game<W>,
    p: &mut Position<W>,
    field: &str,
) -> Result<(), Diagnostic> {
    if let Some(units) = read_common_units(game, p, field) {
        *p = units;
        return Ok(());
    }
    read_any_units(game, p, field)
}

/// A fast path for common board fields, which does not build a [`BoardField`]. Reads fields of single
/// letters, single digits and slashes for boards without holes or hands. Returns `None` for any other field.
fn read_common_units<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    field: &str,
) -> Option<Position<W>> {
    let (geometry, men) = (game.board().geometry(), game.men());
    if geometry.holes() != 0 || game.carried().fields().is_some() {
        return None;
    }
    let (mut p, mut file, mut rank) = (*p, 0, geometry.ranks() - 1);
    let mut after_digit = false;
    for byte in field.bytes() {
        let is_digit = matches!(byte, b'1'..=b'9');
        match byte {
            b'/' if file == geometry.files() => {
                (file, rank) = (0, rank.checked_sub(1)?);
            }
            _ if is_digit && !after_digit => file += byte - b'0',
            _ if byte.is_ascii_alphabetic() && file < geometry.files() => {
                let letter = byte.to_ascii_uppercase();
                let kind = men.named(std::str::from_utf8(&[letter]).ok()?)?;
                p.put(
                    Color::of_letter(byte.into()),
                    kind,
                    geometry.square(file, rank),
                );
                file += 1;
            }
            _ => return None,
        }
        after_digit = is_digit;
    }
    (rank == 0 && file == geometry.files()).then_some(p)
}

/// Reads any board field, with or without hands.
fn read_any_units<W: Layout>(
    game: &dyn Game<W>,
    p: &mut Position<W>,
    field: &str,
) -> Result<(), Diagnostic> {
    let (geometry, further) = (game.board().geometry(), game.carried().fields());
    let last_rank = further.and_then(|_| split_last_rank(field, geometry.ranks()));
    let field = board_field(last_rank.map_or(field, |(board, _)| board))?;
    let shape = geometry_of(&field)?;
    if shape.files() != geometry.files()
        || shape.ranks() != geometry.ranks()
        || shape.holes() != geometry.holes()
    {
        let why = format!("the board is not the {} of this game", geometry.size());
        return Err(wrong(0, why));
    }
    let men = game.men();
    for (square, cell, column) in squares(&field) {
        let Cell::Unit(unit) = cell else {
            continue;
        };
        let name = unit.name();
        // If the variant's rules do not depend on former kinds, the sign of a promoted unit is ignored.
        let kind = men
            .named(&name)
            .or_else(|| further.and_then(|further| further.kind_named(&name)));
        let Some(kind) = kind else {
            let names: Vec<String> = men
                .kinds()
                .map(|kind| men.name(Color::White, kind).to_string())
                .collect();
            let separator = if men.count() > 6 { " " } else { "" };
            return Err(
                wrong_at(column, format!("`{unit}` is not a unit of this variant"))
                    .help(format!("its units: {}", names.join(separator))),
            );
        };
        p.put(unit.color(), kind, square);
    }
    match (last_rank.map(|(_, hand)| hand).or(field.hand), further) {
        (None, _) => Ok(()),
        (Some(hand), Some(further)) => further.set_hand(p, hand).map_err(|why| wrong(0, why)),
        (Some(_), None) => Err(wrong(0, "this variant has no hands")),
    }
}

/// Splits a board field whose last rank is the hands into the board and the hands. Returns `None` for other
/// fields.
fn split_last_rank(field: &str, ranks: u8) -> Option<(&str, &str)> {
    let (board, hand) = field.rsplit_once('/')?;
    let more = board.matches('/').count() + 1 == usize::from(ranks) && !field.contains('[');
    more.then_some((board, hand))
}

/// Returns whether a letter of the castling field means the right on the higher files (true) or on the lower
/// files (false). Returns `None` for any other letter.
fn castling_letter<W: Layout>(game: &dyn Game<W>, c: char) -> Option<bool> {
    let letters = game.variant().rule_set.castling_letters();
    let index = letters.iter().position(|l| *l == c.to_ascii_uppercase());
    index.map(|index| index == 0)
}

/// Returns whether a letter is a file of the board, with which Chess960 names castling rights.
fn names_a_file<W: Layout>(game: &dyn Game<W>, c: char) -> bool {
    let file = (c.to_ascii_lowercase() as u32).wrapping_sub('a' as u32);
    file < u32::from(game.board().geometry().files())
}

/// Returns notes on the castling rights and the en passant square that reading the FEN has dropped.
#[per_layout]
pub fn losses<W: Layout>(game: &dyn Game<W>, p: &Position<W>, text: &str) -> Vec<String> {
    let mut notes = Vec::new();
    let mut fields = text.split_ascii_whitespace().skip(2);
    let (Some(rights), Some(passed)) = (fields.next(), fields.next()) else {
        return notes;
    };
    if (rights, passed) == ("-", "-") {
        return notes;
    }
    let lost = lost_rights(game, p, rights);
    if !lost.is_empty() {
        notes.push(format!(
            "note: the castling rights `{lost}` are read without: king and rook do not stand for them"
        ));
    }
    let squares = read_squares(game.board().geometry(), passed).unwrap_or_default();
    let never = match game.carried().fields() {
        Some(carried) => carried.never_passed(p, &squares),
        None => {
            let never = |square: &Square| !was_passed(game, p, *square);
            squares.into_iter().filter(never).collect()
        }
    };
    for square in never {
        let square = game.board().geometry().name(square);
        notes.push(format!(
            "note: the en passant square `{square}` is read without: no pawn has just passed it"
        ));
    }
    notes
}

/// Returns the letters of a castling field that the position read from the FEN does not have as rights.
fn lost_rights<W: Layout>(game: &dyn Game<W>, p: &Position<W>, field: &str) -> String {
    let text = rights_text(game, p);
    let lost = |c: &char| {
        let color = Color::of_letter(*c);
        match castling_letter(game, *c) {
            _ if text.contains(*c) => false,
            Some(higher) => !p.rights.has(Rights::bit(color, higher)),
            None => c.is_ascii_alphabetic(),
        }
    };
    field.chars().filter(lost).collect()
}

fn read_rights<W: Layout>(
    game: &dyn Game<W>,
    p: &mut Position<W>,
    field: &str,
) -> Result<Rights, Diagnostic> {
    let mut rights = Rights::default();
    if field == "-" {
        return Ok(rights);
    }
    // The variant's letters are valid even if the board does not have castling.
    let letters = game.variant().rule_set.castling_letters();
    let mut seen = String::new();
    for c in field.chars() {
        let color = Color::of_letter(c);
        // The castling field also contains the files of open gates.
        let index = letters.iter().position(|l| *l == c.to_ascii_uppercase());
        if let Some(carried) = game
            .carried()
            .fields()
            .filter(|carried| carried.gates(p).is_some())
        {
            match index {
                Some(index) => {
                    let homes = game.castling_homes(color, index == 0);
                    let stands = game.has_castling_units(p, color, index == 0);
                    if let Some((king, rook)) = homes.filter(|_| stands) {
                        for square in [king, rook] {
                            carried.set_gate(p, color, game.board().geometry().file(square));
                        }
                    }
                }
                None if c.is_ascii_alphabetic() => {
                    carried.set_gate(p, color, c.to_ascii_lowercase() as u8 - b'a');
                    continue;
                }
                None => {}
            }
        }
        let Some(higher) = castling_letter(game, c) else {
            let [a, b] = letters;
            let files = match names_a_file(game, c) {
                true => "; rights by the files of rooks, as in Chess960, are not read",
                false => "",
            };
            return Err(
                wrong(2, format!("`{c}` is not a castling right")).help(format!(
                    "`-`, or letters of {a}{b}{}{}, each at most once{files}",
                    a.to_ascii_lowercase(),
                    b.to_ascii_lowercase()
                )),
            );
        };
        if seen.contains(c) {
            return Err(wrong(2, format!("`{c}` occurs twice")));
        }
        seen.push(c);
        if game.has_castling_units(p, color, higher) {
            rights.0 |= Rights::bit(color, higher).0;
        }
    }
    Ok(rights)
}

fn read_square(geometry: Geometry, field: &str) -> Result<Option<Square>, Diagnostic> {
    if field == "-" {
        return Ok(None);
    }
    let whole = Geometry::new(geometry.files(), geometry.ranks(), 0, false);
    match whole.and_then(|whole| whole.named(field)) {
        Some(square) => Ok(Some(square)),
        None => Err(wrong(
            3,
            format!(
                "`{field}` is not a square of this {} board",
                geometry.size()
            ),
        )
        .help("`-`, or the square that a pawn has just passed, such as `e3`")),
    }
}

/// Reads a list of squares without separators: `e3`, `f5f6`. Reads `-` as an empty list.
fn read_squares(geometry: Geometry, field: &str) -> Result<Vec<Square>, Diagnostic> {
    let mut squares = Vec::new();
    let mut rest = field;
    while rest != "-" && !rest.is_empty() {
        let end = rest
            .char_indices()
            .skip(1)
            .find(|(_, c)| !c.is_ascii_digit())
            .map_or(rest.len(), |(at, _)| at);
        let (name, behind) = rest.split_at(end);
        squares.extend(read_square(geometry, name)?);
        rest = behind;
    }
    Ok(squares)
}

fn read_number(field: usize, text: &str) -> Result<u32, Diagnostic> {
    let number = whole_number(text)
        .then(|| text.parse::<u32>().ok())
        .flatten();
    number.ok_or_else(|| {
        wrong(field, format!("`{text}` is not a whole number")).help(format!(
            "digits without leading zeros, at most {}",
            u32::MAX
        ))
    })
}

fn read_state<W: Layout>(
    game: &dyn Game<W>,
    p: &mut Position<W>,
    field: Option<&str>,
) -> Result<(), Diagnostic> {
    let Some(field) = field else {
        return Ok(());
    };
    let keys = game.variant().rule_set.state();
    let known = || {
        if keys.is_empty() {
            format!("`{}` has no state", game.variant())
        } else {
            let names: Vec<&str> = keys.iter().map(|(key, _)| *key).collect();
            format!("its keys, in this order: {}", names.join(", "))
        }
    };
    let mut last = None;
    for item in field.split(';') {
        let Some((key, value)) = item.split_once('=') else {
            return Err(wrong(6, format!("`{item}` is not of the form `key=value`")).help(known()));
        };
        let Some(index) = keys.iter().position(|(k, _)| *k == key) else {
            let near = nearest(key, keys.iter().map(|(k, _)| *k));
            let hint = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
            return Err(wrong(6, format!("there is no key `{key}`")).help(hint + &known()));
        };
        match last {
            Some(l) if l == index => return Err(wrong(6, format!("key `{key}` occurs twice"))),
            Some(l) if l > index => {
                return Err(wrong(6, format!("key `{key}` is too late")).help(known()));
            }
            _ => last = Some(index),
        }
        game.carried()
            .read_state(game.board(), p, key, value)
            .map_err(|why| wrong(6, format!("`{item}`: {why}")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::with_setup;

    #[test]
    fn common_board_fields_are_read_as_any_others() {
        let symbols: Vec<char> = "kKqrRnbpP12345678/9+~*[]x0".chars().collect();
        let mut state = 1_u64;
        let mut random = move |n: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % n
        };
        let mut common = 0;
        let (fide, spartan) = (&variants::fide::INFO, &variants::spartan::INFO);
        for (info, start) in [
            (fide, "r3k2r/8/8/1N6/8/8/PP6/4K3"),
            (fide, "r3k2r/8/8/1N6/8/8/PP6/4K3/8/8"),
            (fide, "k2/3/2K"),
            (fide, "k2*/3P/2K1"),
            (spartan, "r3k2r/8/8/1N6/8/8/PP6/4K3"),
        ] {
            let variant = Variant::from(info);
            let setup = read(&variant, &format!("{start} w - - 0 1")).expect("a FEN");
            for _ in 0..20_000 {
                let mut field: Vec<char> = start.chars().collect();
                for _ in 0..random(3) {
                    let (at, symbol) = (random(field.len()), symbols[random(symbols.len())]);
                    match random(3) {
                        0 => field[at] = symbol,
                        1 => field.insert(at, symbol),
                        _ => drop(field.remove(at)),
                    }
                }
                let field: String = field.into_iter().collect();
                with_setup!(&setup, start => {
                    let game = start.game.as_ref();
                    let empty = Position::empty();
                    let mut p = empty;
                    let any = read_any_units(game, &mut p, &field).map(|()| p);
                    if let Some(read) = read_common_units(game, &empty, &field) {
                        assert_eq!(any.ok(), Some(read), "{field}");
                        common += 1;
                    }
                });
            }
        }
        assert!(common > 20_000, "{common}");
    }
}

//! The start array of a definition: reads its units, completes its FEN, and finds attacked royal units.

use crate::{Mode, Path, Piece, Step};
use board::field::{self, BoardField, Dialect, FieldWriter, Fields, Mistake, UnitText};
use board::{Color, Geometry, Square};
use diagnostics::Diagnostic;

fn wrong(why: impl Into<String>) -> Diagnostic {
    Diagnostic::new("`startFen`", why)
}

/// Reads the board field of a start position.
///
/// # Errors
/// If a character has no meaning, a count of vacant squares is wrong, or the hand lacks its `]`.
pub fn array(field: &str) -> Result<BoardField<'_>, Diagnostic> {
    let read =
        BoardField::read(field, Dialect::DEFINITION).map_err(|error| match error.mistake {
            Mistake::OpenHand => wrong("the hand lacks its `]`"),
            Mistake::Run(digits) => wrong(format!("`{digits}` is not a count of vacant squares")),
            Mistake::Symbol('+') => wrong("`+` must precede the letter of a promoted unit"),
            Mistake::Symbol(c) => wrong(format!(
                "`{}` has no meaning on the board",
                c.escape_debug()
            )),
        })?;
    let hand = read.hand.unwrap_or("");
    if let Some(c) = hand
        .chars()
        .find(|c| !c.is_ascii_alphabetic() && hand != "-")
    {
        return Err(wrong(format!(
            "`{}` is not a unit in hand",
            c.escape_debug()
        )));
    }
    Ok(read)
}

/// Adds the fields that a FEN lacks: side, castling, en passant, counters. Numbers of checks given (`+0+0`)
/// become numbers of checks left, out of three. With `state`, fields `name=value` may follow.
///
/// # Errors
/// If a field has no meaning.
pub fn full(fen: &str, hands: bool, checks: bool, state: bool) -> Result<String, Diagnostic> {
    let is_state = |field: &&str| state && field.contains('=');
    let (state, mut fields): (Vec<&str>, Vec<&str>) =
        fen.split_whitespace().partition(|field| is_state(field));
    let board = *fields.first().ok_or_else(|| wrong("the FEN is empty"))?;
    let side = *fields.get(1).unwrap_or(&"w");
    if !matches!(side, "w" | "b") {
        return Err(wrong(format!(
            "the side to move is `w` or `b`, not `{side}`"
        )));
    }
    if fields.len() == 1 {
        fields.push(side);
    }
    let Fields {
        mut fields,
        checks: left,
    } = field::completed(fields);
    for default in &["-", "-", "0", "1"][fields.len().clamp(2, 6) - 2..] {
        fields.push(default);
    }
    let is_word = |field: &&str| !field.starts_with(|c: char| c.is_ascii_digit() || c == '+');
    let is_number = |field: &&str| field.len() <= 6 && field.parse::<u32>().is_ok();
    let words = fields[2..4].iter().find(|field| !is_word(field));
    let numbers = fields[4..].iter().find(|field| !is_number(field));
    if let Some(wrong) = words.or(numbers).or(fields.get(6)) {
        return Err(self::wrong(format!("the field `{wrong}` has no meaning")));
    }
    let mut text = board.to_owned();
    if hands && !text.contains('[') {
        text.push_str("[]");
    }
    text.push_str(&format!(" {side} {} {} ", fields[2], fields[3]));
    if checks {
        // As in the format, a FEN without these numbers means that each side needs one check.
        let [white, black] = left.unwrap_or([1, 1]);
        text.push_str(&format!("{white}+{black} "));
    }
    text.push_str(&format!("{} {}", fields[4], fields[5]));
    for field in state {
        text.push_str(&format!(" {field}"));
    }
    Ok(text)
}

/// Returns a FEN with `*` on every hole of the board.
pub fn with_holes(fen: &str, board: Geometry) -> String {
    let (text, rest) = fen.split_once(' ').unwrap_or((fen, ""));
    let Ok(read) = BoardField::read(text, Dialect::DEFINITION) else {
        return fen.to_owned();
    };
    let ranks = read.ranks.len();
    let mut writer = FieldWriter::default();
    for (row, cells) in read.ranks.iter().enumerate() {
        let rank = ranks - 1 - row;
        for (file, &(cell, _)) in cells.cells.iter().enumerate() {
            let on_board = file < usize::from(board.files()) && rank < usize::from(board.ranks());
            match cell {
                field::Cell::Unit(unit) => writer.occupied(&unit.to_string()),
                field::Cell::Vacant
                    if !on_board || board.exists(board.square(file as u8, rank as u8)) =>
                {
                    writer.vacant();
                }
                _ => writer.occupied("*"),
            }
        }
        if rank > 0 {
            writer.next_rank();
        }
    }
    let hand = read.hand.map_or(String::new(), |hand| format!("[{hand}]"));
    format!("{}{hand} {rest}", writer.finish())
}

/// Returns a full FEN without castling rights.
pub fn without_rights(fen: &str) -> String {
    let mut fields: Vec<&str> = fen.split_whitespace().collect();
    if let Some(rights) = fields.get_mut(2) {
        *rights = "-";
    }
    fields.join(" ")
}

/// Returns the squares that a unit of this side attacks from `from`. Walks each capturing step square by
/// square.
pub fn attacked(
    board: Geometry,
    steps: &[Step],
    color: Color,
    from: Square,
    occupied: &dyn Fn(Square) -> bool,
) -> u128 {
    let mut squares = 0;
    for step in steps
        .iter()
        .filter(|s| s.mode == Mode::Capture && !s.initial)
    {
        let turn = match color {
            Color::White => 1,
            Color::Black => -1,
        };
        let (dx, dy) = (i32::from(step.dx) * turn, i32::from(step.dy) * turn);
        if matches!(step.path, Path::Leap | Path::Lame) {
            let free = |&(x, y): &(i8, i8)| {
                let passed = board.step(from, i32::from(x) * turn, i32::from(y) * turn);
                passed.is_some_and(|s| !occupied(s))
            };
            if step.path == Path::Leap || step.lame_path().iter().all(free) {
                squares |= board.step(from, dx, dy).map_or(0, |s| 1 << s.0);
            }
            continue;
        }
        let mut over = false;
        let mut square = from;
        let mut count = 0;
        while let Some(next) = board.step(square, dx, dy) {
            // On a cylinder, a line can return to its origin.
            if next == from || (step.range > 0 && count == step.range) {
                break;
            }
            square = next;
            count += 1;
            if step.path == Path::Ride || over {
                squares |= 1 << square.0;
                if step.path == Path::Grasshop {
                    break;
                }
            }
            if occupied(square) {
                if step.path == Path::Ride || over {
                    break;
                }
                over = true;
            }
        }
    }
    squares
}

/// Returns the squares of one side's royal units that the other side attacks in an array.
pub fn attacked_kings(
    board: Geometry,
    array: &BoardField<'_>,
    pieces: &[Piece],
    king: u8,
    of: Color,
) -> u128 {
    let units = array.units().map(|(file, rank, unit)| {
        let square = board.square(file as u8, rank as u8);
        (square, unit.color(), unit)
    });
    let units: Vec<(Square, Color, UnitText)> = units.collect();
    let occupied = |square: Square| units.iter().any(|&(s, ..)| s == square);
    let mut attacks = 0;
    let is_of = |unit: &UnitText, letter: u8| unit.letter.eq_ignore_ascii_case(&letter.into());
    for &(from, color, unit) in units.iter().filter(|(_, c, u)| *c != of && !u.promoted) {
        if let Some(piece) = pieces.iter().find(|p| is_of(&unit, p.letter)) {
            attacks |= attacked(board, &piece.movement.steps(), color, from, &occupied);
        }
    }
    let kings = (units.iter())
        .filter(|(_, color, u)| *color == of && is_of(u, king) && !u.promoted)
        .fold(0, |kings, (s, ..)| kings | 1 << s.0);
    attacks & kings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Movement;
    use board::field::Cell;

    #[test]
    fn short_fens_get_all_fields() {
        for (short, long) in [
            ("8/8 w - - 0 1", "8/8 w - - 0 1"),
            ("8/8", "8/8 w - - 0 1"),
            ("8/8 b", "8/8 b - - 0 1"),
            ("8/8 w 0 1", "8/8 w - - 0 1"),
            ("8/8 w - 3 9", "8/8 w - - 3 9"),
            ("8/8 w KQkq e3 3 9", "8/8 w KQkq e3 3 9"),
        ] {
            assert_eq!(full(short, false, false, false).unwrap(), long);
        }
        assert_eq!(
            full("8/8 w - - 7+5 0 1", false, true, false).unwrap(),
            "8/8 w - - 7+5 0 1"
        );
        assert_eq!(
            full("8/8 w - - 0 1 +1+3", true, true, false).unwrap(),
            "8/8[] w - - 2+0 0 1"
        );
        assert_eq!(
            full("8/8 w - - 0 1", false, true, false).unwrap(),
            "8/8 w - - 1+1 0 1"
        );
        for wrong in [
            "",
            "8/8 x",
            "8/8 w - - a",
            "8/8 w - - 0 1 +1",
            "8/8 w - - 1+x",
        ] {
            assert!(full(wrong, false, false, false).is_err(), "{wrong}");
        }
    }

    #[test]
    fn arrays_are_read_with_hands_promoted_units_and_holes() {
        let read = array("n*10/+pP~1[Kk-").unwrap_err();
        assert!(read.why.contains(']'));
        let array = array("n*10/+pP~1[Kk]").unwrap();
        assert_eq!(array.ranks[0].cells.len(), 12);
        assert_eq!(array.cell(1, 1), Some(Cell::Hole));
        assert!(matches!(
            array.cell(0, 0),
            Some(Cell::Unit(UnitText {
                promoted: true,
                letter: 'p',
                ..
            }))
        ));
        assert_eq!(array.hand, Some("Kk"));
    }

    #[test]
    fn attacks_of_each_path_on_an_array() {
        let board = Geometry::new(8, 8, 0, false).unwrap();
        let at = |name: &str| board.named(name).unwrap();
        let attacks = |text: &str, from: &str, units: &[&str]| {
            let steps = Movement::parse(text).unwrap().steps();
            let units: Vec<Square> = units.iter().map(|u| at(u)).collect();
            let set = attacked(board, &steps, Color::White, at(from), &|s| {
                units.contains(&s)
            });
            let mut names: Vec<String> = (0..64)
                .filter(|i| set >> i & 1 == 1)
                .map(|i| board.name(Square(i)))
                .collect();
            names.sort();
            names.join(" ")
        };
        assert_eq!(attacks("fcF", "e4", &[]), "d5 f5");
        assert_eq!(attacks("mfW", "e4", &[]), "");
        assert_eq!(attacks("fR", "a5", &["a7"]), "a6 a7");
        assert_eq!(attacks("fR2", "a1", &[]), "a2 a3");
        assert_eq!(attacks("fpR", "a1", &["a3", "a6"]), "a4 a5 a6");
        assert_eq!(attacks("fgR", "a1", &["a3", "a6"]), "a4");
        assert_eq!(attacks("ffnN", "b1", &["b2"]), "");
        assert_eq!(attacks("ffN", "b1", &["b2"]), "a3 c3");
        assert_eq!(attacks("rfNN", "a1", &[]), "b3 c5 d7");
    }
}

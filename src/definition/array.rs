//! The start array of a definition: its FEN in full, the units it places, and who attacks whom in it.

use crate::{Mode, Path, Piece, Step};
use board::{Color, Geometry, Square};

/// A unit of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Its side.
    pub color: Color,
    /// Its letter in upper case, as written: what a promoted one (`+x`) was before.
    pub letter: u8,
    /// Written with `+`: it has been promoted from `letter`.
    pub promoted: bool,
}

/// The board field of a FEN, taken apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Array {
    /// Row by row from the highest rank: what stands on each square.
    pub rows: Vec<Vec<Cell>>,
    /// Letters in hand.
    pub hand: Vec<u8>,
    /// Whether there were brackets.
    pub brackets: bool,
}

/// One square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// `*`
    Hole,
    /// A unit.
    Unit(Unit),
}

/// Reads the first field of a FEN. The error is why it cannot be read.
pub fn array(field: &str) -> Result<Array, String> {
    let mut array = Array::default();
    let (board, hand) = match field.split_once('[') {
        Some((board, hand)) => {
            array.brackets = true;
            let hand = hand.strip_suffix(']').ok_or("the hand lacks its `]`")?;
            (board.strip_suffix('/').unwrap_or(board), hand)
        }
        None => (field, ""),
    };
    for c in hand.chars() {
        match c {
            '-' if hand == "-" => {}
            _ if c.is_ascii_alphabetic() => array.hand.push(c as u8),
            _ => return Err(format!("`{}` is no unit in hand", c.escape_debug())),
        }
    }
    for (number, text) in board.split('/').enumerate() {
        let mut row = Vec::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let unit = |letter: char, promoted| {
                Cell::Unit(Unit {
                    color: match letter.is_ascii_uppercase() {
                        true => Color::White,
                        false => Color::Black,
                    },
                    letter: letter.to_ascii_uppercase() as u8,
                    promoted,
                })
            };
            match c {
                '0'..='9' => {
                    let mut empty = c as usize - '0' as usize;
                    while let Some(digit) = chars.peek().and_then(|d| d.to_digit(10)) {
                        empty = (empty * 10 + digit as usize).min(1000);
                        chars.next();
                    }
                    row.extend(std::iter::repeat_n(Cell::Empty, empty));
                }
                '*' => row.push(Cell::Hole),
                '+' => match chars.next().filter(char::is_ascii_alphabetic) {
                    Some(letter) => row.push(unit(letter, true)),
                    None => return Err("`+` stands before the letter of a promoted unit".into()),
                },
                _ if c.is_ascii_alphabetic() => {
                    row.push(unit(c, false));
                    if chars.peek() == Some(&'~') {
                        chars.next();
                    }
                }
                _ => {
                    return Err(format!(
                        "`{}` has no meaning on the board",
                        c.escape_debug()
                    ));
                }
            }
            if row.len() > 64 {
                return Err(format!("row {} is too long", number + 1));
            }
        }
        array.rows.push(row);
        if array.rows.len() > 64 {
            return Err("too many rows".into());
        }
    }
    Ok(array)
}

/// Returns a FEN with all its fields, of one that may lack some: without castling and e.p. fields, without
/// counters, without the side. Checks given in the other form (`+0+0`) are turned into checks left of three.
pub fn full(fen: &str, hands: bool, checks: bool) -> Result<String, String> {
    let mut fields = fen.split_whitespace().peekable();
    let mut text = fields.next().ok_or("the FEN is empty")?.to_owned();
    if hands && !text.contains('[') {
        text.push_str("[]");
    }
    let side = match fields.peek() {
        Some(&("w" | "b")) => fields.next().unwrap_or("w"),
        None => "w",
        Some(other) => return Err(format!("the side to move is `w` or `b`, not `{other}`")),
    };
    let mut words = || {
        fields
            .next_if(|f| !f.starts_with(|c: char| c.is_ascii_digit() || c == '+'))
            .unwrap_or("-")
    };
    let (castling, passed) = (words(), words());
    let mut left = None;
    let mut numbers = Vec::new();
    for field in fields {
        match (field.split_once('+'), field.strip_prefix('+')) {
            (_, Some(given)) => {
                let (white, black) = given.split_once('+').ok_or("checks are written `+0+0`")?;
                let rest = |n: &str| n.parse::<u32>().ok().map(|n| 3u32.saturating_sub(n));
                match (rest(white), rest(black)) {
                    (Some(white), Some(black)) => left = Some(format!("{white}+{black}")),
                    _ => return Err(format!("`{field}` does not tell checks")),
                }
            }
            (Some((white, black)), None) => {
                let number = |n: &str| n.len() <= 3 && n.parse::<u32>().is_ok();
                if !number(white) || !number(black) {
                    return Err(format!("`{field}` does not tell checks"));
                }
                left = Some(field.to_owned());
            }
            (None, None) if field.len() <= 6 && field.parse::<u32>().is_ok() => numbers.push(field),
            _ => return Err(format!("the field `{field}` has no meaning")),
        }
    }
    text.push_str(&format!(" {side} {castling} {passed} "));
    if checks {
        // As in the format: a FEN that does not say expects one check of each.
        text.push_str(left.as_deref().unwrap_or("1+1"));
        text.push(' ');
    }
    let mut numbers = numbers.into_iter();
    let (clock, move_number) = (numbers.next().unwrap_or("0"), numbers.next().unwrap_or("1"));
    text.push_str(&format!("{clock} {move_number}"));
    Ok(text)
}

/// The same FEN with `*` on every hole of the board.
pub fn with_holes(fen: &str, board: Geometry) -> String {
    let (field, rest) = fen.split_once(' ').unwrap_or((fen, ""));
    let (cells, hand) = match field.find('[') {
        Some(at) => field.split_at(at),
        None => (field, ""),
    };
    let mut rank = board.ranks();
    let rows = cells.split('/').map(|row| {
        rank = rank.saturating_sub(1);
        row_with_holes(row, |file| {
            file < board.files() && !board.exists(board.square(file, rank))
        })
    });
    let rows: Vec<String> = rows.collect();
    format!("{}{hand} {rest}", rows.join("/"))
}

/// Returns a rank of a FEN with `*` where a file is a hole.
fn row_with_holes(row: &str, is_hole: impl Fn(u8) -> bool) -> String {
    let mut text = String::new();
    let (mut file, mut vacant, mut digits) = (0u8, 0u8, 0u8);
    let mut letters = row.chars().peekable();
    while let Some(letter) = letters.next() {
        if let Some(digit) = letter.to_digit(10) {
            digits = digits.saturating_mul(10).saturating_add(digit as u8);
            if letters.peek().is_some_and(char::is_ascii_digit) {
                continue;
            }
        }
        for _ in 0..digits {
            if is_hole(file) {
                push_vacant(&mut text, &mut vacant);
                text.push('*');
            } else {
                vacant += 1;
            }
            file += 1;
        }
        digits = 0;
        if !letter.is_ascii_digit() {
            push_vacant(&mut text, &mut vacant);
            text.push(letter);
            file += u8::from(!matches!(letter, '+' | '~'));
        }
    }
    push_vacant(&mut text, &mut vacant);
    text
}

fn push_vacant(text: &mut String, vacant: &mut u8) {
    if *vacant > 0 {
        text.push_str(&vacant.to_string());
        *vacant = 0;
    }
}

/// Returns a full FEN with an empty field of castling rights.
pub fn without_rights(fen: &str) -> String {
    let mut fields: Vec<&str> = fen.split_whitespace().collect();
    if let Some(rights) = fields.get_mut(2) {
        *rights = "-";
    }
    fields.join(" ")
}

/// Returns the squares that a unit of this side attacks by its capturing steps, by plain walking.
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
            // A line around a cylinder comes back to where it began.
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

/// Returns the royal units of one side that the other attacks in an array.
pub fn attacked_kings(
    board: Geometry,
    array: &Array,
    pieces: &[Piece],
    king: u8,
    of: Color,
) -> u128 {
    let mut units = Vec::new();
    for (row, cells) in array.rows.iter().enumerate() {
        for (file, cell) in cells.iter().enumerate() {
            if let Cell::Unit(unit) = cell {
                let rank = array.rows.len() - 1 - row;
                units.push((board.square(file as u8, rank as u8), *unit));
            }
        }
    }
    let occupied = |square: Square| units.iter().any(|&(s, _)| s == square);
    let mut attacks = 0;
    for (from, unit) in units.iter().filter(|(_, u)| u.color != of && !u.promoted) {
        if let Some(piece) = pieces.iter().find(|p| p.letter == unit.letter) {
            attacks |= attacked(board, &piece.movement.steps(), unit.color, *from, &occupied);
        }
    }
    let kings = (units.iter())
        .filter(|(_, u)| u.color == of && u.letter == king && !u.promoted)
        .fold(0, |kings, (s, _)| kings | 1 << s.0);
    attacks & kings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Movement;

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
            assert_eq!(full(short, false, false).unwrap(), long);
        }
        assert_eq!(
            full("8/8 w - - 7+5 0 1", false, true).unwrap(),
            "8/8 w - - 7+5 0 1"
        );
        assert_eq!(
            full("8/8 w - - 0 1 +1+3", true, true).unwrap(),
            "8/8[] w - - 2+0 0 1"
        );
        assert_eq!(
            full("8/8 w - - 0 1", false, true).unwrap(),
            "8/8 w - - 1+1 0 1"
        );
        for wrong in [
            "",
            "8/8 x",
            "8/8 w - - a",
            "8/8 w - - 0 1 +1",
            "8/8 w - - 1+x",
        ] {
            assert!(full(wrong, false, false).is_err(), "{wrong}");
        }
    }

    #[test]
    fn arrays_are_read_with_hands_promoted_units_and_holes() {
        let read = array("n*10/+pP~1[Kk-").unwrap_err();
        assert!(read.contains(']'));
        let array = array("n*10/+pP~1[Kk]").unwrap();
        assert_eq!(array.rows[0].len(), 12);
        assert_eq!(array.rows[0][1], Cell::Hole);
        assert!(matches!(
            array.rows[1][0],
            Cell::Unit(Unit {
                promoted: true,
                letter: b'P',
                ..
            })
        ));
        assert_eq!(array.hand, *b"Kk");
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

//! Reads the values of keys. A value of the wrong type is an error with its place and an example.

use crate::draft::{Draft, KindList, MAX_SIDE, OnePiece, Plane};
use crate::keys::{MAX_COUNT, MAX_FEN, MAX_MOVES, Name, Take, Target};
use crate::piece;
use crate::sections::{Spanned, error};
use crate::{CastlingRights, Value};
use diagnostics::{Diagnostic, LineColumn, shortened};

/// A word of a value with its place.
struct Word {
    text: String,
    place: LineColumn,
}

/// Returns the words of a value.
fn words(value: &Spanned) -> impl Iterator<Item = Word> {
    value.text.split_whitespace().map(|text| {
        let offset = text.as_ptr() as usize - value.text.as_ptr() as usize;
        Word {
            text: text.to_owned(),
            place: LineColumn {
                line: value.place.line,
                column: value.place.column + value.text[..offset].chars().count() as u32,
            },
        }
    })
}

/// Returns the characters of a value that are not blanks, with their places.
fn characters(value: &Spanned) -> impl Iterator<Item = (char, LineColumn)> + '_ {
    value
        .text
        .chars()
        .enumerate()
        .filter(|(_, c)| !c.is_whitespace())
        .map(|(n, c)| {
            let column = value.place.column + n as u32;
            (
                c,
                LineColumn {
                    column,
                    ..value.place
                },
            )
        })
}

/// Sets the value of a key in a draft. A value that cannot be read changes nothing.
///
/// # Errors
/// If the value does not have the key's type, or names a piece that the variant does not have.
pub fn take(name: &Name, value: &Spanned, draft: &mut Draft) -> Result<(), Diagnostic> {
    let key = name.key;
    let wrong = || wrong(name, value);
    match &key.take {
        Take::Bool(target) => {
            let value = boolean(&value.text).ok_or_else(wrong)?;
            set(target, name, draft, value);
        }
        Take::Count(target) => {
            let count = number(&value.text, MAX_COUNT).ok_or_else(wrong)?;
            set(target, name, draft, count as u8);
        }
        Take::Moves(target) => {
            let moves = number(&value.text, MAX_MOVES).ok_or_else(wrong)?;
            set(target, name, draft, moves);
        }
        Take::Rank(target) => {
            let rank = rank(&value.text).ok_or_else(wrong)?;
            set(target, name, draft, rank);
        }
        Take::File(target) => {
            let file = file(&value.text).ok_or_else(wrong)?;
            set(target, name, draft, file);
        }
        Take::Value(target) => {
            let result = outcome(&value.text).flatten().ok_or_else(wrong)?;
            set(target, name, draft, result);
        }
        Take::ValueOrNone(target) => {
            let result = outcome(&value.text).ok_or_else(wrong)?;
            set(target, name, draft, result);
        }
        Take::Rights(target) => {
            let rights = rights(value).map_err(|place| at(wrong(), place))?;
            set(target, name, draft, rights);
        }
        Take::Word(list, set, _) => {
            let word = list.iter().position(|w| *w == value.text);
            set(&mut draft.rules, word.ok_or_else(wrong)?);
        }
        Take::Piece(target) => {
            let mut letters = letters(value, draft)?;
            let piece = match (letters.pop(), letters.is_empty()) {
                (Some(one), true) => one.map_or(OnePiece::Any, OnePiece::Slot),
                _ => return Err(wrong()),
            };
            each_row(target, name, draft, piece, Draft::set_piece);
        }
        Take::Pieces(target) => {
            let list = kinds(value, draft)?.ok_or_else(wrong)?;
            let set = |d: &mut Draft, row, side, list| *d.kinds_mut(row, side) = list;
            each_row(target, name, draft, list, set);
        }
        Take::Squares(target) => {
            let plane = squares(name, value)?;
            let set = |d: &mut Draft, row, side, v: [Plane; 2]| d.set_squares_of(row, side, v[0]);
            each_row(target, name, draft, [plane; 2], set);
        }
        Take::Mobility => {
            let plane = squares(name, value)?;
            for &side in name.sides {
                draft.set_mobility(name.slot, side, plane);
            }
        }
        Take::Fen => {
            if value.text.is_empty() || value.text.len() > MAX_FEN {
                let why = format!("`{}`: a FEN has 1 to {MAX_FEN} characters", name.text);
                return Err(error(value.place, why));
            }
            draft.rules.start_fen.clone_from(&value.text);
        }
        Take::Limits => limits(name, value, draft)?,
        Take::Mapping => mapping(name, value, draft)?,
        Take::Synonyms => synonyms(name, value, draft)?,
        Take::Letter => piece::take(name.slot, value, draft)?,
        Take::Cosmetic => {}
    }
    Ok(())
}

/// Sets a value that depends neither on the board nor on the pieces.
fn set<T: Copy>(target: &Target<T>, name: &Name, draft: &mut Draft, value: T) {
    match target {
        Target::Field(_, field) => {
            for &side in name.sides {
                *field(&mut draft.rules, side) = value;
            }
        }
        Target::Draft(set) => set(draft, value),
        Target::Keys(_) => unreachable!("only pieces and squares go to other keys"),
    }
}

/// Sets a value that the draft stores by row and side until the board and the pieces are known.
fn each_row<T: Copy, F>(
    target: &Target<T, F>,
    name: &Name,
    draft: &mut Draft,
    value: T,
    set: impl Fn(&mut Draft, &'static str, usize, T),
) {
    match target {
        Target::Field(..) => {
            for &side in name.sides {
                set(draft, name.key.name, side, value);
            }
        }
        Target::Keys(rows) => {
            for &(row, sides) in *rows {
                for &side in sides {
                    set(draft, row, side, value);
                }
            }
        }
        Target::Draft(set) => set(draft, value),
    }
}

/// Returns the kinds that a list of letters names, or `None` for an empty text.
fn kinds(value: &Spanned, draft: &Draft) -> Result<Option<KindList>, Diagnostic> {
    let mut list = KindList::of(&[]);
    for (c, slot) in characters(value).zip(letters(value, draft)?) {
        list = match slot {
            Some(slot) => list.with(slot),
            None if c.0 == '*' => list.with_star(),
            None => list,
        };
    }
    Ok((!value.text.is_empty()).then_some(list))
}

/// Returns the castling rights that a value lists. The error is the place of a character that is not a right.
fn rights(value: &Spanned) -> Result<CastlingRights, LineColumn> {
    let mut rights = CastlingRights::default();
    for (c, place) in characters(value) {
        match c {
            'K' => rights.kingside[0] = true,
            'Q' => rights.queenside[0] = true,
            'k' => rights.kingside[1] = true,
            'q' => rights.queenside[1] = true,
            '-' => break,
            _ => return Err(place),
        }
    }
    Ok(rights)
}

/// Reads promotion limits, written as letters with numbers: `q:1 r:2`.
fn limits(name: &Name, value: &Spanned, draft: &mut Draft) -> Result<(), Diagnostic> {
    for word in pairs(value) {
        let (slot, rest) = pair(name, value, &word, draft)?;
        let limit = number(rest, MAX_COUNT).ok_or_else(|| at(wrong(name, value), word.place))?;
        draft.limits[slot] = limit as u8;
    }
    Ok(())
}

/// Reads promoted forms, written as letters with letters: `p:g s:-`.
fn mapping(name: &Name, value: &Spanned, draft: &mut Draft) -> Result<(), Diagnostic> {
    for word in pairs(value) {
        if word.text == "-" {
            break;
        }
        let (slot, rest) = pair(name, value, &word, draft)?;
        draft.promoted[slot] = match single(rest) {
            Some('-') => None,
            Some(c) => {
                let to = draft.slot_of(c);
                Some(to.ok_or_else(|| missing(c, word.place, draft))?)
            }
            None => return Err(at(wrong(name, value), word.place)),
        };
    }
    Ok(())
}

/// Reads second letters of pieces: `n:h`.
fn synonyms(name: &Name, value: &Spanned, draft: &mut Draft) -> Result<(), Diagnostic> {
    for word in pairs(value) {
        let (slot, rest) = pair(name, value, &word, draft)?;
        let letter = single(rest).filter(char::is_ascii_alphabetic);
        let letter = letter.ok_or_else(|| at(wrong(name, value), word.place))?;
        let upper = letter.to_ascii_uppercase() as u8;
        if draft.slot_of(letter).is_some() || draft.synonyms.contains(&Some(upper)) {
            let why = format!("`synonyms`: `{letter}` is the letter of a piece already");
            return Err(error(word.place, why));
        }
        draft.synonyms[slot] = Some(upper);
    }
    Ok(())
}

/// Returns the words of a list of pairs. As in the format, blanks around the colon do not separate:
/// `q : 1 r:2` is two words.
fn pairs(value: &Spanned) -> impl Iterator<Item = Word> {
    let mut joined: Vec<Word> = Vec::new();
    for word in words(value) {
        match joined.last_mut() {
            Some(last) if word.text.starts_with(':') || last.text.ends_with(':') => {
                last.text.push_str(&word.text);
            }
            _ => joined.push(word),
        }
    }
    joined.into_iter()
}

/// Returns the error for a value of the wrong type.
fn wrong(name: &Name, value: &Spanned) -> Diagnostic {
    let (take, name) = (&name.key.take, &name.text);
    let why = match take {
        Take::Word(list, ..) => format!(
            "`{name}` is one of {}, not `{}`",
            list.join(", "),
            shortened(&value.text)
        ),
        _ => format!(
            "`{name}` takes {}, not `{}`",
            take.kind(),
            shortened(&value.text)
        ),
    };
    let finding = error(value.place, why);
    let text = &value.text;
    match take {
        _ if text.contains(['#', ';']) => {
            finding.help("a comment has a line of its own: values reach to the end of the line")
        }
        Take::Bool(_) if boolean(&text.to_ascii_lowercase()).is_some() => {
            finding.help("write it in lower case")
        }
        Take::Word(list, ..) => match diagnostics::nearest(text, list.iter().copied()) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding,
        },
        _ => finding,
    }
}

fn at(finding: Diagnostic, place: LineColumn) -> Diagnostic {
    finding.at(place)
}

/// Returns the error for a letter that no piece has.
fn missing(letter: char, place: LineColumn, draft: &Draft) -> Diagnostic {
    let mut letters: Vec<char> = (draft.letters.iter().flatten())
        .map(|&l| l.to_ascii_lowercase() as char)
        .collect();
    letters.sort_unstable();
    let shown = letter.escape_debug();
    let finding = error(place, format!("no piece has the letter `{shown}`"));
    match letters.is_empty() {
        true => finding.help("define pieces first: `pawn = p`, `customPiece1 = x:WA`"),
        false => finding.help(format!(
            "the pieces have the letters {}",
            letters.into_iter().collect::<String>()
        )),
    }
}

/// Returns the slots of a value's letters, with `None` for `*` and for the `-` that ends the list.
fn letters(value: &Spanned, draft: &Draft) -> Result<Vec<Option<usize>>, Diagnostic> {
    let mut slots = Vec::new();
    for (c, place) in characters(value) {
        match c {
            '*' => slots.push(None),
            '-' => {
                slots.push(None);
                break;
            }
            _ => slots.push(Some(
                draft.slot_of(c).ok_or_else(|| missing(c, place, draft))?,
            )),
        }
    }
    Ok(slots)
}

/// Splits a word `x:rest` into the slot of the letter and the rest.
fn pair<'a>(
    name: &Name,
    value: &Spanned,
    word: &'a Word,
    draft: &Draft,
) -> Result<(usize, &'a str), Diagnostic> {
    let mut chars = word.text.chars();
    match (chars.next(), chars.next()) {
        (Some(letter), Some(':')) => {
            let slot = draft.slot_of(letter);
            let slot = slot.ok_or_else(|| missing(letter, word.place, draft))?;
            Ok((slot, chars.as_str()))
        }
        _ => Err(at(wrong(name, value), word.place)),
    }
}

fn single(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

fn boolean(text: &str) -> Option<bool> {
    match text {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

fn number(text: &str, max: u32) -> Option<u32> {
    let digits = !text.is_empty() && text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit());
    let number = digits.then(|| text.parse().ok()).flatten()?;
    (number <= max).then_some(number)
}

/// Returns the rank that a text such as `1` names, counted from 0.
fn rank(text: &str) -> Option<u8> {
    let number = number(text, MAX_SIDE as u32)?;
    number.checked_sub(1).map(|r| r as u8)
}

/// Returns the file that a letter or number names, counted from 0.
fn file(text: &str) -> Option<u8> {
    match single(text) {
        Some(c) if c.is_ascii_lowercase() => Some(c as u8 - b'a').filter(|&f| f < MAX_SIDE as u8),
        _ => rank(text),
    }
}

/// Returns the result that a word names, `Some(None)` for `none`, or `None` for any other text.
fn outcome(text: &str) -> Option<Option<Value>> {
    match text {
        "win" => Some(Some(Value::Win)),
        "loss" => Some(Some(Value::Loss)),
        "draw" => Some(Some(Value::Draw)),
        "none" => Some(None),
        _ => None,
    }
}

/// Reads squares (`e4`), files (`e*`) and ranks (`*4`) up to a `-`.
fn squares(name: &Name, value: &Spanned) -> Result<Plane, Diagnostic> {
    let mut plane = Plane::NONE;
    if value.text.is_empty() {
        return Err(wrong(name, value).help("write `-` for no square"));
    }
    for word in words(value) {
        if word.text == "-" {
            break;
        }
        let mut chars = word.text.chars();
        let first = chars.next().unwrap_or(' ');
        let rest = chars.as_str();
        let file =
            file(&first.to_ascii_lowercase().to_string()).filter(|_| first.is_ascii_alphabetic());
        let squares = match (first, file, rest) {
            ('*', _, rest) => rank(rest).map(|r| Plane::rank(usize::from(r))),
            (_, Some(file), "*") => Some(Plane::file(usize::from(file))),
            (_, Some(file), rest) => {
                rank(rest).map(|rank| Plane::square(usize::from(file), usize::from(rank)))
            }
            _ => None,
        };
        let why = || {
            let why = format!(
                "`{}`: `{}` is not a square, file (`e*`) or rank (`*4`)",
                name.text,
                shortened(&word.text)
            );
            error(word.place, why)
        };
        plane = plane.or(squares.ok_or_else(why)?);
    }
    Ok(plane)
}

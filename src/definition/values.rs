//! The values of keys: text to what a key takes, and what is wrong with it.

use crate::draft::{Draft, MAX_SIDE, OnePiece, Plane, SlotSet};
use crate::finding::{Finding, Place};
use crate::keys::{Key, MAX_COUNT, MAX_FEN, MAX_MOVES, Take};
use crate::sections::{Spanned, shortened};
use crate::{CastlingRights, Value};

/// A value's word with its place.
struct Word<'a> {
    text: &'a str,
    place: Place,
}

/// Returns the words of a value.
fn words(value: &Spanned) -> impl Iterator<Item = Word<'_>> {
    value.text.split_whitespace().map(|text| {
        let offset = text.as_ptr() as usize - value.text.as_ptr() as usize;
        Word {
            text,
            place: Place {
                line: value.place.line,
                column: value.place.column + value.text[..offset].chars().count() as u32,
            },
        }
    })
}

/// Returns the characters of a value that are no blanks, with their places.
fn characters(value: &Spanned) -> impl Iterator<Item = (char, Place)> + '_ {
    value
        .text
        .chars()
        .enumerate()
        .filter(|(_, c)| !c.is_whitespace())
        .map(|(n, c)| {
            let column = value.place.column + n as u32;
            (
                c,
                Place {
                    column,
                    ..value.place
                },
            )
        })
}

/// Lays the value of a key on a draft. A value that cannot be read leaves it as it was, with a finding.
pub fn take(key: &Key, value: &Spanned, draft: &mut Draft) -> Result<(), Finding> {
    let wrong = || wrong(key.name, &key.take, value);
    match &key.take {
        Take::Bool(set) => set(draft, boolean(&value.text).ok_or_else(wrong)?),
        Take::Count(set) => {
            let count = number(&value.text, MAX_COUNT).ok_or_else(wrong)?;
            set(draft, count as u8);
        }
        Take::Number(set) => set(draft, number(&value.text, MAX_MOVES).ok_or_else(wrong)?),
        Take::Rank(set) => set(draft, rank(&value.text).ok_or_else(wrong)?),
        Take::File(set) => set(draft, file(&value.text).ok_or_else(wrong)?),
        Take::Piece(set) => {
            let mut letters = letters(value, draft)?;
            let last = match (letters.pop(), letters.is_empty()) {
                (Some(one), true) => one,
                _ => return Err(wrong()),
            };
            set(draft, last.map_or(OnePiece::Any, OnePiece::Slot));
        }
        Take::Pieces(set) => {
            let mut types = SlotSet::default();
            for (c, slot) in characters(value).zip(letters(value, draft)?) {
                match slot {
                    Some(slot) => types.0 |= 1 << slot,
                    None if c.0 == '*' => types.0 |= SlotSet::STAR.0,
                    None => {}
                }
            }
            if value.text.is_empty() {
                return Err(wrong());
            }
            set(draft, types);
        }
        Take::Squares(set) => set(draft, squares(key, value)?),
        Take::Value(set) => {
            let result = outcome(&value.text).flatten().ok_or_else(wrong)?;
            set(draft, result);
        }
        Take::ValueOrNone(set) => set(draft, outcome(&value.text).ok_or_else(wrong)?),
        Take::Word(list, set) => {
            let word = list.iter().position(|w| *w == value.text);
            set(draft, word.ok_or_else(wrong)?);
        }
        Take::Rights(set) => {
            let mut rights = CastlingRights::default();
            for (c, place) in characters(value) {
                match c {
                    'K' => rights.kingside[0] = true,
                    'Q' => rights.queenside[0] = true,
                    'k' => rights.kingside[1] = true,
                    'q' => rights.queenside[1] = true,
                    '-' => break,
                    _ => return Err(at(wrong(), place)),
                }
            }
            set(draft, rights);
        }
        Take::Fen(set) => {
            if value.text.is_empty() || value.text.len() > MAX_FEN {
                let why = format!("`{}`: a FEN has 1 to {MAX_FEN} characters", key.name);
                return Err(Finding::error(value.place, why));
            }
            set(draft, value.text.clone());
        }
        Take::Limits(set) => {
            for word in words(value) {
                let (slot, rest) = pair(key, value, &word, draft)?;
                let limit = number(rest, MAX_COUNT).ok_or_else(|| at(wrong(), word.place))?;
                set(draft, slot, limit as u8);
            }
        }
        Take::Mapping(set) => {
            for word in words(value) {
                if word.text == "-" {
                    break;
                }
                let (slot, rest) = pair(key, value, &word, draft)?;
                let to = match single(rest) {
                    Some('-') => None,
                    Some(c) => Some(
                        draft
                            .slot_of(c)
                            .ok_or_else(|| missing(c, word.place, draft))?,
                    ),
                    None => return Err(at(wrong(), word.place)),
                };
                set(draft, slot, to);
            }
        }
        Take::Synonyms(set) => {
            for word in words(value) {
                let (slot, rest) = pair(key, value, &word, draft)?;
                let letter = single(rest).filter(char::is_ascii_alphabetic);
                let letter = letter.ok_or_else(|| at(wrong(), word.place))?;
                let upper = letter.to_ascii_uppercase() as u8;
                if draft.slot_of(letter).is_some() || draft.synonyms.contains(&Some(upper)) {
                    let why = format!("`synonyms`: `{letter}` is the letter of a piece already");
                    return Err(Finding::error(word.place, why));
                }
                set(draft, slot, upper);
            }
        }
        Take::Cosmetic => {}
    }
    Ok(())
}

/// Returns what is wrong with a value of the wrong type.
fn wrong(name: &str, take: &Take, value: &Spanned) -> Finding {
    let why = match take {
        Take::Word(list, _) => format!(
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
    let finding = Finding::error(value.place, why);
    let text = &value.text;
    match take {
        _ if text.contains(['#', ';']) => {
            finding.help("a comment has a line of its own: values reach to the end of the line")
        }
        Take::Bool(_) if boolean(&text.to_ascii_lowercase()).is_some() => {
            finding.help("write it in lower case")
        }
        Take::Word(list, _) => match diagnostics::nearest(text, list.iter().copied()) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding,
        },
        _ => finding,
    }
}

fn at(mut finding: Finding, place: Place) -> Finding {
    finding.place = place;
    finding
}

/// Returns a letter that no piece has.
fn missing(letter: char, place: Place, draft: &Draft) -> Finding {
    let mut letters: Vec<char> = (draft.letters.iter().flatten())
        .map(|&l| l.to_ascii_lowercase() as char)
        .collect();
    letters.sort_unstable();
    let shown = letter.escape_debug();
    let finding = Finding::error(place, format!("no piece has the letter `{shown}`"));
    match letters.is_empty() {
        true => finding.help("define pieces first: `pawn = p`, `customPiece1 = x:WA`"),
        false => finding.help(format!(
            "the pieces have the letters {}",
            letters.into_iter().collect::<String>()
        )),
    }
}

/// Returns the slots of a value's letters; `None` for `*` and for the `-` that ends the list.
fn letters(value: &Spanned, draft: &Draft) -> Result<Vec<Option<usize>>, Finding> {
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

/// Returns the last piece that a list of letters names: none for an empty list.
pub fn last_piece(value: &Spanned, draft: &Draft) -> Option<OnePiece> {
    let slots = letters(value, draft).ok()?;
    let last = slots.iter().rev().flatten().next();
    Some(last.map_or(OnePiece::Any, |&slot| OnePiece::Slot(slot)))
}

/// `x:rest` of a word.
fn pair<'a>(
    key: &Key,
    value: &Spanned,
    word: &Word<'a>,
    draft: &Draft,
) -> Result<(usize, &'a str), Finding> {
    let mut chars = word.text.chars();
    match (chars.next(), chars.next()) {
        (Some(letter), Some(':')) => {
            let slot = draft.slot_of(letter);
            let slot = slot.ok_or_else(|| missing(letter, word.place, draft))?;
            Ok((slot, chars.as_str()))
        }
        _ => Err(at(wrong(key.name, &key.take, value), word.place)),
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

fn number(text: &str, most: u32) -> Option<u32> {
    let digits = !text.is_empty() && text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit());
    let number = digits.then(|| text.parse().ok()).flatten()?;
    (number <= most).then_some(number)
}

/// Returns a rank from 0.
fn rank(text: &str) -> Option<u8> {
    let number = number(text, MAX_SIDE as u32)?;
    number.checked_sub(1).map(|r| r as u8)
}

/// Returns a file from 0.
fn file(text: &str) -> Option<u8> {
    match single(text) {
        Some(c) if c.is_ascii_lowercase() => Some(c as u8 - b'a').filter(|&f| f < MAX_SIDE as u8),
        _ => rank(text),
    }
}

/// Returns a result; `Some(None)` for `none`.
fn outcome(text: &str) -> Option<Option<Value>> {
    match text {
        "win" => Some(Some(Value::Win)),
        "loss" => Some(Some(Value::Loss)),
        "draw" => Some(Some(Value::Draw)),
        "none" => Some(None),
        _ => None,
    }
}

/// Squares (`e4`), files (`e*`) and ranks (`*4`) up to a `-`.
fn squares(key: &Key, value: &Spanned) -> Result<Plane, Finding> {
    let mut plane = Plane::NONE;
    if value.text.is_empty() {
        return Err(wrong(key.name, &key.take, value).help("`-` stands for no square"));
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
                "`{}`: `{}` is no square, file (`e*`) or rank (`*4`)",
                key.name,
                shortened(word.text)
            );
            Finding::error(word.place, why)
        };
        plane = plane.or(squares.ok_or_else(why)?);
    }
    Ok(plane)
}

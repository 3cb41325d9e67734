//! Reads the keys of pieces: `letter`, `letter:movement` or `-`.

use crate::Movement;
use crate::draft::Draft;
use crate::sections::{Spanned, error, warning};
use crate::slots::{self, KING};
use diagnostics::{Diagnostic, shortened};

/// Sets the value of a piece's key in a draft.
///
/// # Errors
/// If the value is not a letter, a letter with a movement, or `-`. A doubtful value gives a warning as the
/// error but is set.
pub fn take(slot: usize, value: &Spanned, draft: &mut Draft) -> Result<(), Diagnostic> {
    let name = slots::name(slot);
    let mut chars = value.text.chars();
    let letter = match chars.next() {
        Some('-') => {
            draft.remove_piece(slot);
            // As in the format, a dash removes the piece whatever follows it.
            return match chars.as_str().trim() {
                "" => Ok(()),
                rest => {
                    let why = format!(
                        "`{}` after the `-` of `{name}` is not read",
                        shortened(rest)
                    );
                    let help = format!("`{name} = -`; a comment is a line of its own, with `#`");
                    Err(warning(value.place, why).help(help))
                }
            };
        }
        Some(c) if c.is_ascii_alphabetic() => c,
        _ => {
            let why = format!("`{name}` takes the letter of the piece, or `-` for none");
            return Err(error(value.place, why).help(format!("`{name} = x`")));
        }
    };
    draft.add_piece(slot, letter.to_ascii_uppercase() as u8);
    let rest = chars.as_str();
    let movement = rest.trim_start().strip_prefix(':');
    let skipped =
        value.text.chars().count() - movement.unwrap_or(rest).trim_start().chars().count();
    match movement {
        None if !rest.trim().is_empty() => {
            let why = format!(
                "`{name}`: `{}` is not a single letter",
                shortened(&value.text)
            );
            let help = match slots::is_written(slot) {
                true => {
                    format!("`{name} = x:WA`, a letter, a colon, the movement in Betza notation")
                }
                false => format!("`{name} = x`"),
            };
            Err(error(value.place, why).help(help))
        }
        // Without a text, the king has its usual movement, and other pieces have that of their name.
        None if slot == KING => {
            draft.written[slot] = king();
            Ok(())
        }
        None if slots::is_written(slot) => {
            let why = format!("`{name}` lacks its movement");
            let help = format!("`{name} = {letter}:WA`, in Betza notation");
            Err(error(value.place, why).help(help))
        }
        None => Ok(()),
        Some(_) if !slots::is_written(slot) => {
            let why =
                format!("the movement of `{name}` is fixed; the text after the colon is not read");
            let help = "a piece of another movement is a `customPiece1` to `customPiece25`";
            Err(warning(value.place, why).help(help))
        }
        Some(text) => match Movement::parse(text.trim()) {
            Ok(movement) => {
                // As in the format, `e` makes a custom piece one of `enPassantTypes`. That key, which
                // applies later, can exclude the piece again.
                if movement.captures_en_passant() && slot != KING {
                    for side in 0..2 {
                        draft.kinds_mut("enPassantTypes", side).bits |= 1 << slot;
                    }
                }
                draft.written[slot] = movement;
                Ok(())
            }
            Err(wrong) => {
                let mut place = value.place;
                place.column += (skipped
                    + text.trim()[..wrong.at.min(text.trim().len())]
                        .chars()
                        .count()) as u32;
                Err(error(place, format!("`{name}`: {}", wrong.why)))
            }
        },
    }
}

fn king() -> Movement {
    Movement::parse(slots::movement(KING)).expect("the king's movement reads")
}

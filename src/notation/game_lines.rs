//! Reads games in the notation of variants' source pages: long algebraic notation with marks.
//!
//! A line is a number, White's turn and, unless the game ends there, Black's turn: `13. Ke4-f5 Bc4xf1=QE`. A
//! turn is the unit's letter (none for a pawn), its origin, `-` or `x`, its target, `=` and a letter if it
//! becomes another unit, then marks: `+` check, `#` mate, `E` engaged, `M` married.

use board::Square;
use diagnostics::Diagnostic;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::{Game, Turn, with_turns};

/// The marks of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// `x`: the turn captures.
    pub captures: bool,
    /// `=`: the upper-case letter of the unit that the moving unit becomes.
    pub becomes: Option<char>,
    /// `+`: the opponent is in check.
    pub check: bool,
    /// `#`: the opponent is checkmated.
    pub mate: bool,
    /// `E`: the mover is engaged.
    pub engaged: bool,
    /// `M`: the mover is married.
    pub married: bool,
}

/// A printed turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintedTurn {
    /// The number of its move.
    pub number: u32,
    /// Whether the turn is the second in its line.
    pub black: bool,
    /// The turn as printed.
    pub text: String,
    /// The unit's upper-case letter, `P` for a pawn.
    pub letter: char,
    /// The name of the origin.
    pub from: String,
    /// The name of the target.
    pub to: String,
    /// The marks of the turn.
    pub marks: Marks,
}

impl PrintedTurn {
    /// Returns the move number as players write it: `5.` for White, `5...` for Black.
    pub fn place(&self) -> String {
        format!("{}{}", self.number, if self.black { "..." } else { "." })
    }
}

#[per_layout]
impl PrintedTurn {
    /// Returns the legal turn with this letter, these squares and this promotion. Ignores the other marks.
    pub fn find<W: Layout>(&self, game: &dyn Game<W>, p: &Position<W>) -> Option<Turn> {
        let geometry = game.board().geometry();
        let (from, to) = (geometry.named(&self.from)?, geometry.named(&self.to)?);
        let letter = |kind: board::Kind| game.men().letter(board::Color::White, kind);
        with_turns(|turns| {
            game.turns(p, turns);
            turns
                .iter()
                .find(|turn| {
                    let step = turn.first();
                    turn.steps[1].is_none()
                        && (step.from, step.to) == (from, to)
                        && letter(step.kind()) == self.letter
                        && step.becomes().map(letter) == self.marks.becomes
                })
                .copied()
        })
    }
}

impl PrintedTurn {
    /// Returns the target on this game's board, or `None` if the board does not have that square.
    pub fn target<W: Layout>(&self, game: &dyn Game<W>) -> Option<Square> {
        game.board().geometry().named(&self.to)
    }
}

/// Reads a game, one move per line. Numbers must be consecutive, and only the last line may lack Black's
/// turn.
///
/// # Errors
/// If a line is not a move or has the wrong number. The error gives the first such line.
pub fn read(text: &str) -> Result<Vec<PrintedTurn>, Diagnostic> {
    let mut turns: Vec<PrintedTurn> = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    let mut next: Option<u32> = None;
    for (index, line) in lines.iter().enumerate() {
        let wrong = |why: String| Diagnostic::new("game", why).at(format!("line {}", index + 1));
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else {
            continue;
        };
        let number: u32 = first
            .strip_suffix('.')
            .filter(|n| diagnostics::whole_number(n))
            .and_then(|n| n.parse().ok())
            .ok_or_else(|| {
                wrong(format!("`{first}` is not a move number"))
                    .help("a number and a dot, as `13.`")
            })?;
        if next.is_some_and(|next| next != number) {
            return Err(wrong(format!(
                "move {number} does not follow the line before"
            )));
        }
        next = number.checked_add(1);
        let texts: Vec<&str> = words.collect();
        let last = lines[index + 1..].iter().all(|l| l.trim().is_empty());
        if texts.is_empty() || texts.len() > 2 || (texts.len() == 1 && !last) {
            return Err(wrong(format!("{} turns behind the number", texts.len()))
                .help("White's turn and Black's; only the last line may have one"));
        }
        for (i, text) in texts.iter().enumerate() {
            let printed = turn(text, number, i == 1).ok_or_else(|| {
                wrong(format!("`{text}` is not a turn"))
                    .help("letter, square, - or x, square, marks: `Bc4xf1=QE`, `d2-d3`")
            })?;
            turns.push(printed);
        }
    }
    Ok(turns)
}

fn turn(text: &str, number: u32, black: bool) -> Option<PrintedTurn> {
    let mut rest = text;
    let letter = match rest.chars().next()? {
        c if c.is_ascii_uppercase() => {
            rest = &rest[1..];
            c
        }
        _ => 'P',
    };
    let square = |rest: &mut &str| -> Option<String> {
        let file = rest.chars().next().filter(char::is_ascii_lowercase)?;
        // Files end at `p`, so `x` is never part of a square's name.
        let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        if file > 'p' || digits == 0 {
            return None;
        }
        let (name, behind) = rest.split_at(1 + digits);
        *rest = behind;
        Some(name.to_string())
    };
    let from = square(&mut rest)?;
    let captures = match rest.chars().next()? {
        '-' => false,
        'x' => true,
        _ => return None,
    };
    rest = &rest[1..];
    let to = square(&mut rest)?;
    let mut marks = Marks {
        captures,
        ..Marks::default()
    };
    if let Some(behind) = rest.strip_prefix('=') {
        marks.becomes = Some(behind.chars().next().filter(char::is_ascii_uppercase)?);
        rest = &behind[1..];
    }
    for c in rest.chars() {
        let mark = match c {
            '+' => &mut marks.check,
            '#' => &mut marks.mate,
            'E' => &mut marks.engaged,
            'M' => &mut marks.married,
            _ => return None,
        };
        if std::mem::replace(mark, true) {
            return None;
        }
    }
    Some(PrintedTurn {
        number,
        black,
        text: text.to_string(),
        letter,
        from,
        to,
        marks,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_read_with_all_their_marks() {
        let game = read("12. Ke3xe4 Rg6-e6+\n13. Ke4-f5 Bc4xf1=QE\n14. g5-g6=Q#").expect("a game");
        assert_eq!(game.len(), 5);
        let bishop = &game[3];
        assert_eq!(bishop.place(), "13...");
        assert_eq!(
            (bishop.letter, &*bishop.from, &*bishop.to),
            ('B', "c4", "f1")
        );
        let marks = bishop.marks;
        assert!(marks.captures && marks.engaged && !marks.check && !marks.married);
        assert_eq!(marks.becomes, Some('Q'));
        assert!(game[1].marks.check && !game[1].marks.captures);
        assert!(game[4].marks.mate && game[4].letter == 'P');
    }

    #[test]
    fn lines_of_other_shapes_are_refused_with_their_place() {
        for text in [
            "1 e2-e3",
            "1. e2e3",
            "1. e2-e3 e5-e4\n3. d2-d3",
            "1. e2-e3\n2. d2-d3",
            "1. e2-e3++",
            "1. e2-e3=",
            "1. é2-e3",
            "1. Ne-f3",
            "1.",
            "1. a2-a3 a5-a4 b2-b3",
        ] {
            let error = read(text).expect_err(text);
            assert!(error.place.is_some(), "{error}");
        }
    }
}

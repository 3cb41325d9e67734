//! Changes that can be made to a compiled rule set, one at a time: a hook that reverts to orthodox chess, or
//! a planted fault. `changed.rs` applies them.

use super::{Action, Hook, Reason, fide};
use board::{Color, Kind, Movement};

/// A change of a compiled rule set.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Change {
    /// A hook reverts to orthodox chess.
    Without(Hook),
    /// A hook reverts to orthodox chess for one side.
    WithoutFor(Hook, Color),
    /// A kind has another movement.
    Moves(Kind, Movement),
    /// Pawns promote to one of these kinds.
    Promotions(&'static [Kind]),
    /// Turns with a step of this kind are removed.
    Forbids(Action),
    /// Units of a kind do not capture.
    NoCaptures(Kind),
    /// Outcomes with this reason are scored differently.
    Scores(Reason, Scoring),
    /// The contents of two squares of the array are swapped.
    ArraySwap(&'static str, &'static str),
}

/// The score that a planted fault gives to an outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scoring {
    /// The other side wins.
    OtherWins,
    /// The game is drawn.
    Draw,
    /// The side to move wins.
    MoverWins,
    /// The side to move loses.
    MoverLoses,
    /// The outcome is dropped, so the game continues. Without a legal turn, the game is a draw instead.
    Ignored,
}

impl Change {
    /// Returns whether the change reverts a hook to orthodox chess for both sides.
    pub(crate) fn reverts(self, hook: Hook) -> bool {
        self == Change::Without(hook)
    }

    /// Returns whether the change reverts a hook to orthodox chess for this side, or for both.
    pub(crate) fn reverts_for(self, hook: Hook, color: Color) -> bool {
        self.reverts(hook) || self == Change::WithoutFor(hook, color)
    }

    /// Applies the change to the start position of a rule set.
    pub(crate) fn start(self, start: String) -> String {
        let mut fields: Vec<String> = start.split(' ').map(str::to_owned).collect();
        let mut orthodox = fide::START.split(' ').map(str::to_owned);
        match self {
            Change::Without(Hook::Array) => fields[0] = orthodox.next().unwrap_or_default(),
            Change::Without(Hook::Castling) if fields[0] == orthodox.next().unwrap_or_default() => {
                fields[2] = "KQkq".to_owned();
            }
            Change::Without(Hook::Castling) | Change::Forbids(Action::Castle) => {
                fields[2] = "-".to_owned();
            }
            Change::Without(Hook::State) => fields.retain(|field| !field.contains('=')),
            Change::ArraySwap(a, b) => fields[0] = swapped(&fields[0], a, b),
            _ => {}
        }
        fields.join(" ")
    }
}

/// Returns the board of a FEN with the contents of two squares swapped.
fn swapped(board: &str, a: &str, b: &str) -> String {
    let mut rows: Vec<Vec<char>> = Vec::new();
    for row in board.split('/') {
        let mut cells = Vec::new();
        let mut count = 0;
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(digit) => count = count * 10 + digit as usize,
                None => {
                    cells.extend(std::iter::repeat_n('1', std::mem::take(&mut count)));
                    cells.push(letter);
                }
            }
        }
        cells.extend(std::iter::repeat_n('1', count));
        rows.push(cells);
    }
    let ranks = rows.len();
    let place = |square: &str| {
        let mut letters = square.chars();
        let file = letters
            .next()
            .map_or(0, |file| file as usize - 'a' as usize);
        let rank: usize = letters.as_str().parse().unwrap_or(1);
        (ranks - rank, file)
    };
    let ((row_a, file_a), (row_b, file_b)) = (place(a), place(b));
    let held = rows[row_a][file_a];
    rows[row_a][file_a] = rows[row_b][file_b];
    rows[row_b][file_b] = held;
    let text = |row: &Vec<char>| {
        let mut text = String::new();
        for run in row.chunk_by(|a, b| a == b) {
            match run[0] {
                '1' => text += &run.len().to_string(),
                _ => text.extend(run),
            }
        }
        text
    };
    rows.iter().map(text).collect::<Vec<_>>().join("/")
}

//! Changes of compiled rule sets, one at a time: a hook that returns to orthodox chess, or a planted fault.

use super::{Action, Hook, Reason, fide};
use board::{Color, Kind, Movement};

/// What is changed in a compiled rule set.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Change {
    /// A hook is that of orthodox chess.
    Without(Hook),
    /// A hook is that of orthodox chess for one side.
    WithoutFor(Hook, Color),
    /// A kind moves otherwise.
    Moves(Kind, Movement),
    /// Pawns become one of these kinds.
    Promotions(&'static [Kind]),
    /// There are no turns with a step of this sort.
    Forbids(Action),
    /// Units of a kind do not capture.
    NoCaptures(Kind),
    /// An outcome with this reason is scored otherwise.
    Scores(Reason, Scoring),
    /// Two squares of the array are swapped.
    ArraySwap(&'static str, &'static str),
}

/// How an outcome is scored by a fault.
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
    /// The game is not over for this reason.
    Ignored,
}

impl Change {
    /// Returns whether a hook is that of orthodox chess for both sides.
    pub(crate) fn removes(self, hook: Hook) -> bool {
        self == Change::Without(hook)
    }

    /// Returns whether a hook is that of orthodox chess for this side.
    pub(crate) fn removes_for(self, hook: Hook, color: Color) -> bool {
        self.removes(hook) || self == Change::WithoutFor(hook, color)
    }

    /// Returns the start position of a rule set with the change.
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
        for stretch in row.chunk_by(|a, b| a == b) {
            match stretch[0] {
                '1' => text += &stretch.len().to_string(),
                _ => text.extend(stretch),
            }
        }
        text
    };
    rows.iter().map(text).collect::<Vec<_>>().join("/")
}

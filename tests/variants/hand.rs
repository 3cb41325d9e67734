//! The words in which the positions are described: what a position shows, and what is asserted of
//! it.

use fairyproof::board::{Color, Squares};
use fairyproof::catalog::Catalog;
use fairyproof::notation::{Setup, fen, turns};
use fairyproof::with_setup;

/// A position of a variant: canonical FEN, outcome, legal turns in byte order.
pub struct Seen {
    pub fen: String,
    pub outcome: String,
    pub turns: Vec<String>,
}

impl Seen {
    /// Returns whether a turn is legal.
    pub fn can(&self, turn: &str) -> bool {
        self.turns.iter().any(|t| t == turn)
    }

    /// Returns where the unit on a square may go, in the order of the text.
    pub fn targets(&self, square: &str) -> String {
        let targets: Vec<&str> = self
            .turns
            .iter()
            .filter_map(|turn| turn.strip_prefix(square))
            .collect();
        targets.join(" ")
    }
}

/// Opens a position; `start` is the array at the start.
#[track_caller]
pub fn read(variant: &str, text: &str) -> Setup {
    let variant = Catalog::new().open(variant).expect("a variant");
    let text = (text != "start").then_some(text);
    Setup::read(&variant, text).unwrap_or_else(|e| panic!("{text:?}: {e}"))
}

/// Returns whether a FEN is refused.
pub fn refused(variant: &str, text: &str) -> bool {
    Setup::read(
        &Catalog::new().open(variant).expect("a variant"),
        Some(text),
    )
    .is_err()
}

/// Why a FEN is refused.
#[track_caller]
pub fn why_refused(variant: &str, text: &str) -> String {
    match Setup::read(
        &Catalog::new().open(variant).expect("a variant"),
        Some(text),
    ) {
        Ok(_) => panic!("{variant} accepts {text}"),
        Err(why) => why.to_string(),
    }
}

/// Returns the position after legal turns, parted by blanks.
#[track_caller]
pub fn after(variant: &str, text: &str, line: &str) -> Seen {
    with_setup!(read(variant, text), start => {
        let game = start.game.as_ref();
        let mut p = start.position;
        for (i, turn) in line.split_whitespace().enumerate() {
            let turn = turns::find(game, &p, turn, i + 1).unwrap_or_else(|e| panic!("{e}"));
            p = game.play(&p, &turn);
        }
        Seen {
            fen: fen::print(game, &p),
            outcome: game.outcome(&p).to_string(),
            turns: turns::sorted(game, &p).into_iter().map(|(text, _)| text).collect(),
        }
    })
}

/// Returns a position as it is.
#[track_caller]
pub fn at(variant: &str, text: &str) -> Seen {
    after(variant, text, "")
}

/// Returns whether a turn is legal.
#[track_caller]
pub fn can(variant: &str, text: &str, turn: &str) -> bool {
    at(variant, text).can(turn)
}

/// Returns the legal turns that begin with this text.
#[track_caller]
pub fn legal_from(variant: &str, text: &str, beginning: &str) -> Vec<String> {
    let mut turns = at(variant, text).turns;
    turns.retain(|turn| turn.starts_with(beginning));
    turns
}

/// Returns the squares of White's units that attack a square.
#[track_caller]
pub fn attackers(variant: &str, text: &str, square: &str) -> String {
    with_setup!(&read(variant, text), start => {
        let geometry = start.game.board().geometry();
        let target = geometry.named(square).expect("a square");
        let by = start.game.attackers(&start.position, target, Color::White);
        by.iter().map(|at| geometry.name(at)).collect::<Vec<_>>().join(" ")
    })
}

/// Asserts the outcome after these turns.
#[track_caller]
pub fn ends(variant: &str, text: &str, line: &str, outcome: &str) {
    assert_eq!(after(variant, text, line).outcome, outcome, "{text} {line}");
}

/// Asserts where a unit may go.
#[track_caller]
pub fn goes(variant: &str, text: &str, square: &str, targets: &str) {
    assert_eq!(
        at(variant, text).targets(square),
        targets,
        "{text} {square}"
    );
}

/// Asserts that these are the legal turns.
#[track_caller]
pub fn only(variant: &str, text: &str, turns: &[&str]) {
    assert_eq!(at(variant, text).turns, turns, "{text}");
}

/// Asserts the position after legal turns.
#[track_caller]
pub fn leads(variant: &str, text: &str, line: &str, fen: &str) {
    assert_eq!(after(variant, text, line).fen, fen, "{text} {line}");
}

/// Asserts what a position is read as.
#[track_caller]
pub fn read_as(variant: &str, text: &str, fen: &str) {
    assert_eq!(at(variant, text).fen, fen);
}

/// Asserts that a position is read as it is written.
#[track_caller]
pub fn kept(variant: &str, text: &str) {
    read_as(variant, text, text);
}

/// Asserts that the en passant square of a FEN is dropped; `board` is the board with the side to
/// move.
#[track_caller]
pub fn dropped(variant: &str, board: &str, square: &str) {
    read_as(
        variant,
        &format!("{board} - {square} 0 1"),
        &format!("{board} - - 0 1"),
    );
}

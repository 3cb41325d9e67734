//! Numbers of turns that follow from the measures of both sides, and turns that contradict a measure.

use board::Color;
use control::{Counted, Stopped};
use notation::turns;
use position::{Layout, Position};
use rules::{Game, Turn};

/// The maximum numbers of turns that the sides can make.
pub struct Possible {
    /// Turns of the side that begins.
    pub first: u64,
    /// Turns of the other side.
    pub second: u64,
}

impl Possible {
    /// Returns the larger of the two numbers.
    pub fn max(&self) -> u64 {
        self.first.max(self.second)
    }
}

/// Returns the maximum number of turns of each side, given the measures of both. Turns alternate, so neither
/// side can make more than one turn more than the other.
pub fn turns_possible(values: [i64; 2], first: Color) -> Possible {
    let own = values[first.index()].max(0) as u64;
    let other = values[(!first).index()].max(0) as u64;
    Possible {
        first: own.min(other.saturating_add(1)),
        second: other.min(own),
    }
}

/// Returns the number of turns that the first side makes in `plies` plies.
pub fn turns_made(plies: usize) -> u64 {
    plies.div_ceil(2) as u64
}

/// Returns the reason if a turn of `mover` contradicts a measure with these values before and after the turn.
pub fn contradiction(mover: Color, old: [i64; 2], new: [i64; 2]) -> Option<String> {
    for side in Color::BOTH {
        let (side, value) = (name(side), new[side.index()]);
        if value < 0 {
            return Some(format!("makes the measure of {side} negative: {value}"));
        }
    }
    let raises = |side: Color| {
        let (old, new) = (old[side.index()], new[side.index()]);
        let side = name(side);
        (new > old).then(|| format!("raises the measure of {side} from {old} to {new}"))
    };
    let (own, value) = (name(mover), new[mover.index()]);
    if value == old[mover.index()] {
        return Some(format!("does not lower the measure of {own}: {value}"));
    }
    raises(mover).or_else(|| raises(!mover))
}

/// Returns the name of a side.
pub fn name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// Returns the limit that stopped a search, in words.
pub fn limit_text(stopped: Stopped, max_states: u64) -> String {
    match stopped {
        Stopped::Count(Counted::States) => format!("the limit of {max_states} states"),
        other => other.to_string(),
    }
}

/// Returns a line in coordinate notation, and the position after it.
pub fn printed<W: Layout>(
    game: &dyn Game<W>,
    start: &Position<W>,
    line: &[Turn],
) -> (String, Position<W>) {
    let (mut p, mut texts) = (*start, Vec::new());
    for turn in line {
        texts.push(turns::print(game, &p, turn));
        p = game.play(&p, turn);
    }
    (texts.join(" "), p)
}

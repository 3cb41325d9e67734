//! The value of a position for the side to move, with its distance, and its packed form.

use board::Color;
use diagnostics::Diagnostic;
use rules::Outcome;
use std::cmp::Ordering;
use std::fmt;

/// Maximum distance that a table can hold, in plies.
pub const MAX_DISTANCE_PLIES: u16 = (1 << 13) - 1;

/// The result for the side to move under best play, and the distance to the end in plies. The winner
/// minimizes the distance, and the loser maximizes it. Draws have no distance, because nothing distinguishes
/// a near one from a far one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// The side to move loses in this number of plies. At 0, the game is over.
    Loss(u16),
    /// The side to move loses weakly: it scores 1/3, and the opponent 2/3.
    WeakLoss(u16),
    /// A draw.
    Draw,
    /// The side to move wins weakly.
    WeakWin(u16),
    /// The side to move wins.
    Win(u16),
}

impl Value {
    /// Returns a number that is greater for a better value.
    #[inline]
    pub fn rank(self) -> i32 {
        let worth = i32::from(self.worth());
        let distance = self.distance_plies().map_or(0, i32::from);
        // A distance takes at most sixteen bits, so values of different worth never overlap.
        worth * (1 << 18) + if worth > 0 { -distance } else { distance }
    }

    /// Returns the value of a position whose game has ended, for the side to move.
    pub fn of_outcome(outcome: Outcome, side: Color) -> Value {
        match outcome.worth(side) {
            -2 => Value::Loss(0),
            -1 => Value::WeakLoss(0),
            1 => Value::WeakWin(0),
            2 => Value::Win(0),
            _ => Value::Draw,
        }
    }

    /// Returns the worth, from -2 for a loss to 2 for a win.
    #[inline]
    pub fn worth(self) -> i8 {
        match self {
            Value::Loss(_) => -2,
            Value::WeakLoss(_) => -1,
            Value::Draw => 0,
            Value::WeakWin(_) => 1,
            Value::Win(_) => 2,
        }
    }

    /// Returns the plies to the end under best play, or `None` for a draw.
    #[inline]
    pub fn distance_plies(self) -> Option<u16> {
        match self {
            Value::Draw => None,
            Value::Loss(d) | Value::WeakLoss(d) | Value::WeakWin(d) | Value::Win(d) => Some(d),
        }
    }

    /// Returns the value of a turn for the player who makes it. `self` is the opponent's value of the
    /// position after the turn.
    ///
    /// # Errors
    /// If the distance exceeds what tables can hold.
    #[inline]
    pub fn before_turn(self) -> Result<Value, Diagnostic> {
        let more = |d: u16| {
            if d < MAX_DISTANCE_PLIES {
                Ok(d + 1)
            } else {
                Err(Diagnostic::new(
                    "table",
                    format!("a distance outgrows {MAX_DISTANCE_PLIES} plies"),
                ))
            }
        };
        Ok(match self {
            Value::Loss(d) => Value::Win(more(d)?),
            Value::WeakLoss(d) => Value::WeakWin(more(d)?),
            Value::Draw => Value::Draw,
            Value::WeakWin(d) => Value::WeakLoss(more(d)?),
            Value::Win(d) => Value::Loss(more(d)?),
        })
    }

    /// Returns the word for the result: `loss`, `weak-loss`, `draw`, `weak-win`, `win`.
    pub fn word(self) -> &'static str {
        match self {
            Value::Loss(_) => "loss",
            Value::WeakLoss(_) => "weak-loss",
            Value::Draw => "draw",
            Value::WeakWin(_) => "weak-win",
            Value::Win(_) => "win",
        }
    }
}

/// A greater value is better for the side to move: wins are greater than draws, and draws than losses; near
/// wins are greater than far ones, and far losses than near ones.
impl Ord for Value {
    #[inline]
    fn cmp(&self, other: &Value) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Value {
    #[inline]
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.distance_plies() {
            Some(d) => write!(f, "{} {d}", self.word()),
            None => f.write_str(self.word()),
        }
    }
}

/// A value in sixteen bits, as tables store it: three bits for the class and thirteen for the plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packed(pub u16);

impl Packed {
    /// The index has no placement of units, or another index represents the placement.
    pub const VACANT: Packed = Packed(0);
    /// The placement violates a condition on a FEN.
    pub const REFUSED: Packed = Packed(6 << 13);
    /// Not yet solved.
    pub const OPEN: Packed = Packed(7 << 13);
    /// A draw, which has no plies.
    pub const DRAWN: Packed = Packed(Packed::DRAW << 13);

    /// The class of a loss.
    pub const LOSS: u16 = 1;
    /// The class of a weak loss.
    pub const WEAK_LOSS: u16 = 2;
    /// The class of a draw.
    pub const DRAW: u16 = 3;
    /// The class of a weak win.
    pub const WEAK_WIN: u16 = 4;
    /// The class of a win.
    pub const WIN: u16 = 5;

    /// Returns the class: the top three bits.
    #[inline]
    pub const fn class(self) -> u16 {
        self.0 >> 13
    }

    /// Returns the distance in plies: the low thirteen bits.
    #[inline]
    pub const fn plies(self) -> u16 {
        self.0 & MAX_DISTANCE_PLIES
    }

    /// Packs a class and a distance in plies.
    #[inline]
    pub const fn new(class: u16, plies: u16) -> Packed {
        Packed(class << 13 | plies)
    }

    /// Packs a value.
    pub fn of(value: Value) -> Packed {
        let class = (value.worth() + 3) as u16;
        Packed::new(class, value.distance_plies().unwrap_or(0))
    }

    /// Returns the value, if the position is legal and solved.
    #[inline]
    pub fn value(self) -> Option<Value> {
        let d = self.plies();
        match self.class() {
            Packed::LOSS => Some(Value::Loss(d)),
            Packed::WEAK_LOSS => Some(Value::WeakLoss(d)),
            Packed::DRAW => Some(Value::Draw),
            Packed::WEAK_WIN => Some(Value::WeakWin(d)),
            Packed::WIN => Some(Value::Win(d)),
            _ => None,
        }
    }

    /// Returns the value after the analysis has ended: a position without a value is a draw.
    #[inline]
    pub fn final_value(self) -> Value {
        self.value().unwrap_or(Value::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_wins_and_far_losses_are_better() {
        let rising = [
            Value::Loss(0),
            Value::Loss(4),
            Value::WeakLoss(2),
            Value::Draw,
            Value::WeakWin(5),
            Value::WeakWin(3),
            Value::Win(9),
            Value::Win(0),
        ];
        assert!(rising.is_sorted());
        for value in rising {
            assert_eq!(Packed::of(value).value(), Some(value));
        }
    }
}

//! What the positions of a class have in common: material, state, who moves.

use crate::Layout;
use board::{Color, Kind, Squares};
use position::{BoundUnits, Position};
use rules::Game;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The most units of a table, bound ones included.
pub const MAX_UNITS: usize = 12;

/// What the positions of a class have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ClassKey {
    /// Four bits of number for each kind, White's six kinds in the low 24 bits.
    units: u64,
    /// The same for bound units.
    bound: u64,
    /// The variant's state.
    pub state: u64,
    /// Whether a pawn has just made a double step and can be taken for it.
    pub passed: bool,
    /// Who moves.
    pub side: Color,
}

const SIDE_BITS: u32 = 24;
const SIDE_MASK: u64 = (1 << SIDE_BITS) - 1;

fn shift(color: Color, kind: Kind) -> u32 {
    SIDE_BITS * color as u32 + 4 * kind.index() as u32
}

impl ClassKey {
    /// No units.
    pub fn empty(side: Color) -> ClassKey {
        ClassKey {
            units: 0,
            bound: 0,
            state: 0,
            passed: false,
            side,
        }
    }

    /// One more unit.
    pub fn with(mut self, color: Color, kind: Kind, bound: bool) -> ClassKey {
        let word = if bound {
            &mut self.bound
        } else {
            &mut self.units
        };
        *word += 1 << shift(color, kind);
        self
    }

    /// The class of a position.
    pub fn of<W: Layout>(p: &Position<W>) -> ClassKey {
        let mut key = ClassKey {
            units: 0,
            bound: 0,
            state: p.state,
            passed: p.en_passant().is_some(),
            side: p.side,
        };
        for kind in Kind::ALL {
            let units = p.kind(kind);
            if units.is_empty() {
                continue;
            }
            for color in Color::BOTH {
                key.units += u64::from((units & p.color(color)).len()) << shift(color, kind);
            }
        }
        if <W::Bound as BoundUnits>::CAPACITY > 0 {
            for unit in p.bound.units() {
                key.bound += 1 << shift(unit.color, unit.kind);
            }
        }
        key
    }

    /// How many units of a color and kind stand on the board.
    pub fn count(&self, color: Color, kind: Kind) -> usize {
        (self.units >> shift(color, kind) & 15) as usize
    }

    /// How many units of a color and kind lie bound.
    pub fn bound_count(&self, color: Color, kind: Kind) -> usize {
        (self.bound >> shift(color, kind) & 15) as usize
    }

    /// Whether pawns are among the units, bound ones too.
    pub fn has_pawns(&self) -> bool {
        Color::BOTH
            .into_iter()
            .any(|c| self.count(c, Kind::Pawn) + self.bound_count(c, Kind::Pawn) > 0)
    }

    /// All units.
    pub fn total(&self) -> usize {
        Color::BOTH
            .into_iter()
            .flat_map(|c| Kind::ALL.map(|k| self.count(c, k) + self.bound_count(c, k)))
            .sum()
    }

    /// The class with the sides swapped, whose state is this one.
    pub fn swapped(&self, state: u64) -> ClassKey {
        let swap = |word: u64| (word & SIDE_MASK) << SIDE_BITS | word >> SIDE_BITS;
        ClassKey {
            units: swap(self.units),
            bound: swap(self.bound),
            side: !self.side,
            state,
            ..*self
        }
    }

    /// Of a class and the swapped one, the one that is built: White the stronger side, or, when
    /// both are equal, White to move.
    #[inline]
    pub fn canonical<W: Layout>(&self, game: &dyn Game<W>) -> (ClassKey, bool) {
        W::canonical(self, game)
    }

    pub(crate) fn canonical_generic<W: Layout>(&self, game: &dyn Game<W>) -> (ClassKey, bool) {
        if !game.symmetries().colors {
            return (*self, false);
        }
        let Some(state) = game.swapped_state(self.state) else {
            return (*self, false);
        };
        let white = (self.units & SIDE_MASK, self.bound & SIDE_MASK);
        let black = (self.units >> SIDE_BITS, self.bound >> SIDE_BITS);
        let swap = white < black || white == black && self.side == Color::Black;
        if swap {
            (self.swapped(state), true)
        } else {
            (*self, false)
        }
    }

    /// A name that no other class has: `KRvK-w`, with what is bound, a pawn that has passed, and
    /// the state, where there is such.
    pub fn label(&self, letters: &[u8; 6]) -> String {
        let mut text = String::new();
        for color in Color::BOTH {
            if color == Color::Black {
                text.push('v');
            }
            for kind in Kind::ALL.into_iter().rev() {
                for _ in 0..self.count(color, kind) {
                    text.push(letters[kind.index()] as char);
                }
            }
        }
        if self.bound != 0 {
            text += "-bound";
            for color in Color::BOTH {
                for kind in Kind::ALL.into_iter().rev() {
                    for _ in 0..self.bound_count(color, kind) {
                        // Files of some systems do not tell upper from lower case.
                        text.push(if color == Color::White { '+' } else { '-' });
                        text.push(letters[kind.index()] as char);
                    }
                }
            }
        }
        if self.state != 0 {
            let _ = write!(text, "-state{:x}", self.state);
        }
        if self.passed {
            text += "-passed";
        }
        text.push('-');
        text.push(self.side.letter());
        text
    }
}

//! Gates: the squares of units that have not moved, where a unit from hand may enter when they leave.
//! Whether a turn is legal is asked before the unit enters, so it may be hopped over towards its own king:
//! he stands attacked then, but what is royal by name is never captured.

use super::request::{Choices, Held};
use crate::made::Made;
use board::{Color, Kind, Square, Squares};
use own::PieceType;
use position::{Layout, Position};
use rules::{Consumer, Flow, Step, Turn};

impl<S: Squares> Made<S> {
    /// The squares on which units have not moved at the start.
    pub(crate) fn gate_rank(&self, color: Color) -> S {
        let files = (0..u32::from(self.geometry.files())).fold(0, |all, file| all | 1 << file);
        S::from_bits(files).shift(self.gate_offset[color.index()]) & self.squares
    }

    /// The squares whose units have not moved.
    #[inline(always)]
    pub(crate) fn gates<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color) -> S {
        if !self.law.definition.gating.enabled {
            return S::EMPTY;
        }
        let files = self.law.state.gates[color.index()].get(p.state);
        S::from_bits(files.into()).shift(self.gate_offset[color.index()])
    }

    /// What may enter where units leave.
    #[inline(always)]
    pub(super) fn held<W: Layout<Set = S>>(&self, p: &Position<W>, us: Color, gates: S) -> Held<S> {
        let mut held = Held::new();
        if gates.is_empty()
            || !self.law.definition.gating.seirawan
            || self.law.state.hand[us.index()].get(p.state) == 0
        {
            return held;
        }
        for n in 0..self.law.definition.pieces.len() {
            let piece = PieceType(n as u8);
            if self.in_hand(p, us, piece) > 0 {
                held.push((self.law.kinds.plain(piece), self.drop_squares(p, us, piece)));
            }
        }
        held
    }
}

/// What of the units held may enter on a square.
pub(super) fn entering<S: Squares>(held: &Held<S>, gate: Square) -> Choices {
    let here = held.iter().filter(|(_, squares)| squares.has(gate));
    here.map(|(kind, _)| *kind).collect()
}

/// A turn with each unit from hand that enters on the square behind it.
pub(super) fn gated<S: Squares, K: Consumer<S> + ?Sized>(
    step: Step,
    gate: Square,
    entering: &[Kind],
    consumer: &mut K,
) -> Flow {
    for &kind in entering {
        consumer.turn(Turn::two(step, Step::place(kind, gate)))?;
    }
    Flow::Continue(())
}

//! Gates: the squares of unmoved units, on which a unit from hand may enter when the unmoved unit leaves.
//!
//! The legality of a turn is decided before the unit from hand enters. Afterwards, an enemy unit may attack
//! the mover's king by hopping over the new unit. This is legal, and kings are never captured.

use super::request::{Choices, Held};
use crate::bound_rules::BoundRules;
use board::{Color, Kind, Square, Squares};
use definition::{Definition, PieceType};
use position::{Layout, Position, Rights};
use rules::{Consumer, Flow, Legality, Step, Turn};

impl<S: Squares> BoundRules<S> {
    /// Returns the squares on which a side can have gates.
    pub(crate) fn gate_rank(&self, color: Color) -> S {
        let files = (0..u32::from(self.geometry.files())).fold(0, |all, file| all | 1 << file);
        S::from_bits(files).shift(self.gate_offset[color.index()]) & self.squares
    }

    /// Returns the squares of a side's open gates.
    #[inline(always)]
    pub(crate) fn gates<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color) -> S {
        if !self.law.definition.gating.enabled {
            return S::EMPTY;
        }
        let files = self.law.state.gates[color.index()].get(p);
        S::from_bits(files.into()).shift(self.gate_offset[color.index()])
    }

    /// Returns the squares of kings and castling partners with rights. In a FEN, the letter of a right
    /// implies that their gates are open.
    pub(crate) fn said_by_rights<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color) -> S {
        [false, true]
            .into_iter()
            .filter(|&kingside| p.rights.has(Rights::bit(color, kingside)))
            .filter_map(|kingside| self.wings[color.index()][usize::from(kingside)].as_ref())
            .fold(S::EMPTY, |said, wing| said.with(wing.king).with(wing.rook))
    }

    /// Returns whether a side never uses its gates again: no unit is in hand or can come into it, and no
    /// first leap depends on the gates.
    pub(crate) fn has_gated<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color) -> bool {
        let d = &self.law.definition;
        d.gating.seirawan
            && !d.gating.cambodian
            && !d.drops.captures_to_hand
            && !self.law.state.hand[color.index()].holds(p)
    }

    /// Returns the closed gates that the letters of rights in a FEN would imply to be open.
    pub(crate) fn shut_gates<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color) -> S {
        match shuts(&self.law.definition) && !self.has_gated(p, color) {
            true => self.said_by_rights(p, color) & !self.gates(p, color),
            false => S::EMPTY,
        }
    }

    /// Closes the gate on the named square, which the letter of a right in the FEN has opened.
    pub(crate) fn shut_gate<W: Layout<Set = S>>(
        &self,
        p: &mut Position<W>,
        name: &str,
    ) -> Legality {
        let none = || format!("`{name}` is not an open gate of a unit that may castle");
        let square = self.geometry.named(name).ok_or_else(none)?;
        let color = Color::BOTH
            .into_iter()
            .find(|&color| (self.said_by_rights(p, color) & self.gates(p, color)).has(square))
            .ok_or_else(none)?;
        let field = self.law.state.gates[color.index()];
        let files = field.get(p) & !(1 << self.geometry.file(square));
        field.set(p, files);
        Ok(())
    }

    /// Returns the kinds in hand that may enter when an unmoved unit leaves, each with its allowed squares.
    #[inline(always)]
    pub(super) fn held<W: Layout<Set = S>>(&self, p: &Position<W>, us: Color, gates: S) -> Held<S> {
        let mut held = Held::new();
        if gates.is_empty()
            || !self.law.definition.gating.seirawan
            || !self.law.state.hand[us.index()].holds(p)
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

/// Returns whether units with closed gates may castle: units that were dropped, or a king that passed, which
/// closes only its own gate. In a FEN, the letters of their rights would open these gates.
pub(crate) fn shuts(definition: &Definition) -> bool {
    let passing = &definition.passing;
    let passes = passing.allowed != [false; 2] || passing.on_stalemate != [false; 2];
    definition.gating.enabled && (definition.castling.dropped || passes)
}

/// Returns the kinds in hand that may enter on a square.
pub(super) fn entering<S: Squares>(held: &Held<S>, gate: Square) -> Choices {
    let here = held.iter().filter(|(_, squares)| squares.has(gate));
    here.map(|(kind, _)| *kind).collect()
}

/// Passes a turn to the consumer for each kind of `entering`: the step, and a unit of that kind that enters
/// on `gate`.
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

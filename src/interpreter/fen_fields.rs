//! The fields of a FEN that a definition adds: hands, remaining checks, gates, en passant squares.

use crate::bound_rules::BoundRules;
use crate::kinds::Memory;
use crate::lines::{between, distance};
use crate::state;
use board::{Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::{FenFields, Legality};

impl<W: Layout> FenFields<W> for BoundRules<W::Set> {
    fn hand(&self, p: &Position<W>) -> Option<String> {
        let d = &self.law.definition;
        d.has_hands()
            .then(|| state::hand_text(d, &self.law.state, p))
    }

    fn set_hand(&self, p: &mut Position<W>, text: &str) -> Legality {
        let d = &self.law.definition;
        let hands = crate::compiled_definition::read_hand(d, text)?;
        if !d.has_hands() && !text.trim_matches('-').is_empty() {
            return Err("this variant has no hands".into());
        }
        for (side, hand) in hands.iter().enumerate() {
            for (n, &count) in hand.iter().enumerate() {
                let field = self.law.state.hands[side][n];
                if u64::from(count) > field.most() {
                    return Err(format!(
                        "{count} units `{}` in hand; {}",
                        d.pieces[n].letter as char,
                        self.room(field.most())
                    )
                    .into());
                }
                field.set(p, count.into());
            }
        }
        Ok(())
    }

    fn checks(&self, p: &Position<W>) -> Option<String> {
        let map = &self.law.state;
        self.law.definition.checks.counting.then(|| {
            let left = |side: usize| self.law.checks[side].saturating_sub(map.checks[side].get(p));
            format!("{}+{}", left(0), left(1))
        })
    }

    fn set_checks(&self, p: &mut Position<W>, left: [u64; 2]) -> Legality {
        for (side, left) in left.into_iter().enumerate() {
            let all = self.law.checks[side];
            if left > all {
                return Err(format!("{left} checks left; the start has {all}").into());
            }
            self.law.state.checks[side].set(p, all - left);
        }
        Ok(())
    }

    fn gates(&self, p: &Position<W>) -> Option<String> {
        let d = &self.law.definition;
        d.gating.enabled.then(|| {
            let mut text = String::new();
            for color in Color::BOTH {
                for square in (self.gates(p, color) & !self.said_by_rights(p, color)).iter() {
                    let letter = b'a' + self.geometry.file(square);
                    text.push(color.letter_of_unit(letter.into()));
                }
            }
            text
        })
    }

    fn set_gate(&self, p: &mut Position<W>, color: Color, file: u8) {
        let d = &self.law.definition;
        if !d.gating.enabled || self.has_gated(p, color) || file >= self.geometry.files() {
            return;
        }
        let rank = self.geometry.rank_of(color, d.castling.rank);
        // A gate stays open if its unit was removed by a blast. A unit that leaves the square later can use
        // it.
        if d.captures.blast || p.color(color).has(self.geometry.square(file, rank)) {
            let field = self.law.state.gates[color.index()];
            field.set(p, field.get(p) | 1 << file);
        }
    }

    fn kind_named(&self, name: &str) -> Option<Kind> {
        let d = &self.law.definition;
        let kinds = &self.law.kinds;
        let piece = |letter: u8| d.piece_of(letter);
        match *name.as_bytes() {
            [letter] => piece(letter).map(|piece| kinds.plain(piece)),
            [letter, b'~'] => piece(letter).map(|piece| kinds.form(piece, Memory::Pawn)),
            [b'+', letter] => piece(letter).and_then(|piece| {
                let became = d.promotion.promoted[piece.index()]?;
                Some(kinds.form(became, Memory::Piece(piece)))
            }),
            _ => None,
        }
    }

    fn passed(&self, p: &Position<W>) -> Vec<Square> {
        let Some((squares, unit)) = BoundRules::passed(self, p) else {
            return Vec::new();
        };
        let mut all: Vec<Square> = squares.iter().collect();
        if self.law.state.passer.get(p) > 0 && !self.is_ahead(p, unit) {
            all.push(unit);
            all.sort_unstable();
        }
        all
    }

    fn set_passed(&self, p: &mut Position<W>, squares: &[Square]) {
        self.set_passed_where(p, squares, &|p, square, unit| self.is_open(p, square, unit));
    }

    fn never_passed(&self, p: &Position<W>, squares: &[Square]) -> Vec<Square> {
        self.never_passed_where(p, squares, self.law.definition.gating.enabled)
    }

    fn double_step_passed(&self, p: &Position<W>, square: Square) -> bool {
        self.double_step_passed_where(p, square, &|p, square, unit| self.is_open(p, square, unit))
    }

    fn is_valid_en_passant(&self, p: &Position<W>) -> bool {
        self.is_valid_en_passant_where(p, &|p, square, unit| self.is_open(p, square, unit))
    }
}

/// Whether the unit on the second square can have passed the first in the last turn, so that a unit of the side to move
/// could capture it there.
pub(crate) type IsOpen<'a, W> = &'a dyn Fn(&Position<W>, Square, Square) -> bool;

impl<S: Squares> BoundRules<S> {
    fn is_open<W: Layout<Set = S>>(&self, p: &Position<W>, square: Square, unit: Square) -> bool {
        self.can_have_passed(p, square, unit, self.law.definition.gating.enabled)
            && self.enters(p, square)
    }

    /// Sets the en passant squares that a unit can have passed and on which a capture is possible.
    pub(crate) fn set_passed_where<W: Layout<Set = S>>(
        &self,
        p: &mut Position<W>,
        squares: &[Square],
        is_open: IsOpen<'_, W>,
    ) {
        let named = self.named_passer(p, squares);
        let open = squares.iter().filter_map(|&square| {
            let unit = named.or_else(|| self.passer_of(p, square))?;
            is_open(p, square, unit).then_some((square, unit))
        });
        let (mut open, units): (Vec<Square>, Vec<Square>) = open.unzip();
        let Some(&unit) = units.first() else {
            return;
        };
        // The square farthest from the unit is recorded, and with it the squares between them on the same
        // line.
        open.sort_by_key(|&square| std::cmp::Reverse(distance(self.geometry, unit, square)));
        let lead = open[0];
        let line: Vec<Square> = between(self.geometry, unit, lead).collect();
        open.retain(|square| *square == lead || line.contains(square));
        self.note_passed(p, &open, unit);
    }

    /// Returns the vulnerable unit, if the en passant field of a FEN has its square.
    fn named_passer<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        squares: &[Square],
    ) -> Option<Square> {
        let units = p.color(!p.side) & self.passing_zone[p.side.index()];
        squares.iter().copied().find(|&square| units.has(square))
    }

    /// Returns the unit that a FEN means as vulnerable if it has this en passant square alone.
    fn passer_of<W: Layout<Set = S>>(&self, p: &Position<W>, square: Square) -> Option<Square> {
        let mut there = *p;
        self.law.state.passer.set(&mut there, 0);
        there.set_en_passant(Some(square));
        self.passed(&there).map(|(_, unit)| unit)
    }

    /// Returns whether a unit of the opponent can have passed a square in the last turn. `refills` is whether that
    /// turn can have put units on the squares that the unit has left or passed.
    pub(crate) fn can_have_passed<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        square: Square,
        unit: Square,
        refills: bool,
    ) -> bool {
        let (them, kind) = (!p.side, p.kind_on(unit));
        let others = match refills {
            true => S::EMPTY,
            false => p.occupied().without(unit),
        };
        // If squares can be refilled, a unit may have hopped over one that has left.
        let any_hurdle = refills && !self.is_pawn(kind);
        (self.squares & !others).iter().any(|from| {
            let passed = self.passing(p, them, kind, from, unit, None);
            let reaches = || self.moves.reach(them, kind, from, others).0.has(unit);
            passed.contains(&square) && (any_hurdle || reaches())
        })
    }

    /// Returns the en passant squares of a FEN that no unit can have passed in the last turn.
    pub(crate) fn never_passed_where<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        squares: &[Square],
        refills: bool,
    ) -> Vec<Square> {
        let named = self.named_passer(p, squares);
        let is_possible = |square: Square| {
            let unit = named.or_else(|| self.passer_of(p, square));
            squares.len() > 1 && named == Some(square)
                || unit.is_some_and(|unit| self.can_have_passed(p, square, unit, refills))
        };
        let mut never = squares.to_vec();
        never.retain(|&square| !is_possible(square));
        never
    }

    /// Returns whether a pawn can have passed a square with a double step, so that a capture is possible.
    pub(crate) fn double_step_passed_where<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        square: Square,
        is_open: IsOpen<'_, W>,
    ) -> bool {
        self.ahead(square, p.side == Color::Black)
            .is_some_and(|to| p.units(!p.side, Kind::Pawn).has(to) && is_open(p, square, to))
    }

    /// Returns whether the en passant state survives being written to a FEN and read back.
    pub(crate) fn is_valid_en_passant_where<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        is_open: IsOpen<'_, W>,
    ) -> bool {
        let mut again = *p;
        again.set_en_passant(None);
        self.law.state.passer.set(&mut again, 0);
        self.law.state.passed_near.set(&mut again, 0);
        let bare = again;
        self.set_passed_where(&mut again, &FenFields::<W>::passed(self, p), is_open);
        again == *p && bare != *p
    }
}

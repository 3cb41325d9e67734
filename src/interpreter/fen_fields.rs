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
        self.set_passed_where(p, squares, &|p, square, _| self.enters(p, square));
    }

    fn double_step_passed(&self, p: &Position<W>, square: Square) -> bool {
        self.double_step_passed_where(p, square, &|p, square, _| self.enters(p, square))
    }

    fn is_valid_en_passant(&self, p: &Position<W>) -> bool {
        self.is_valid_en_passant_where(p, &|p, square, _| self.enters(p, square))
    }
}

/// Whether a unit of the side to move could capture en passant on a square the unit on another.
pub(crate) type Enters<'a, W> = &'a dyn Fn(&Position<W>, Square, Square) -> bool;

impl<S: Squares> BoundRules<S> {
    /// Sets the en passant squares on which a capture is possible.
    pub(crate) fn set_passed_where<W: Layout<Set = S>>(
        &self,
        p: &mut Position<W>,
        squares: &[Square],
        enters: Enters<'_, W>,
    ) {
        let zone = self.passing_zone[p.side.index()];
        let enemy = p.color(!p.side);
        let unit = squares
            .iter()
            .copied()
            .find(|&square| enemy.has(square) && zone.has(square));
        let passer = |square: Square| {
            let mut there = *p;
            there.set_en_passant(Some(square));
            unit.or_else(|| self.passed(&there).map(|(_, unit)| unit))
        };
        let is_open = |square: &Square| {
            zone.has(*square) && passer(*square).is_some_and(|unit| enters(p, *square, unit))
        };
        let mut open: Vec<Square> = squares.iter().copied().filter(is_open).collect();
        let Some(unit) = open.first().and_then(|&first| passer(first)) else {
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

    /// Returns whether a pawn can have passed a square with a double step, so that a capture is possible.
    pub(crate) fn double_step_passed_where<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        square: Square,
        enters: Enters<'_, W>,
    ) -> bool {
        let them = !p.side;
        let north = them == Color::White;
        let (Some(from), Some(to)) = (self.ahead(square, !north), self.ahead(square, north)) else {
            return false;
        };
        let before = p.occupied().without(to);
        p.units(them, Kind::Pawn).has(to)
            && !before.has(from)
            && self.steps_twice(them, from, square, to, before)
            && enters(p, square, to)
    }

    /// Returns whether the en passant state survives being written to a FEN and read back.
    pub(crate) fn is_valid_en_passant_where<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        enters: Enters<'_, W>,
    ) -> bool {
        let mut again = *p;
        again.set_en_passant(None);
        self.law.state.passer.set(&mut again, 0);
        self.law.state.passed_near.set(&mut again, 0);
        let bare = again;
        self.set_passed_where(&mut again, &FenFields::<W>::passed(self, p), enters);
        again == *p && bare != *p
    }
}

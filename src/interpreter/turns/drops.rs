//! Drops of units from hand, and the pieces that captured units become in hand.

use super::request::{Request, Want};
use super::safety::Attempt;
use crate::bound_rules::BoundRules;
use crate::kinds::Memory;
use board::{Color, Kind, Squares};
use definition::PieceType;
use position::{Layout, Position};
use rules::{Consumer, Flow};

impl<S: Squares> BoundRules<S> {
    /// Generates drops.
    pub(super) fn drop_turns<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        request: &Request<'_, W>,
        consumer: &mut K,
    ) -> Flow {
        let (p, analysis) = (request.position, request.analysis);
        let (want, legal) = (request.want, request.legal);
        let d = &self.law.definition;
        let us = analysis.us;
        // While a unit of the kind that must be dropped is in hand, no other kind is dropped, even if the
        // former cannot be dropped anywhere.
        let due = match d.drops.must_drop && (legal || want == Want::Drops) {
            true => d.drops.must_drop_type,
            false => None,
        };
        let due = due.filter(|&must| self.in_hand(p, us, must) > 0);
        for n in 0..d.pieces.len() {
            let piece = PieceType(n as u8);
            if self.in_hand(p, us, piece) == 0 || due.is_some_and(|must| must != piece) {
                continue;
            }
            let vacant = self.drop_squares(p, us, piece) & !analysis.occupied;
            let kind = self.law.kinds.plain(piece);
            // Returns the squares on which a unit may be dropped as this kind.
            let standing = |kind: Kind| {
                if !legal {
                    return vacant;
                }
                let king = d.checks.king.is_some() && self.law.kinds.piece(kind) == d.checks.king;
                let royal = self.has_pseudo() || king;
                let asks = match analysis.watch.unsure || royal {
                    true => vacant,
                    false => vacant & analysis.asked,
                };
                let mut safe = vacant & !asks & analysis.watch.mask;
                for to in asks.iter() {
                    let attempt = Attempt {
                        kind,
                        from: None,
                        to,
                        captured: S::EMPTY,
                        becomes: None,
                    };
                    if self.leaves_royals_safe(p, analysis, attempt) {
                        safe = safe.with(to);
                    }
                }
                safe
            };
            let squares = standing(kind);
            let mobile = match d.checks.immobility_illegal {
                true => self.moves.of(us, kind).mobile,
                false => !S::EMPTY,
            };
            consumer.placed(kind, squares & mobile)?;
            if d.drops.promoted
                && let Some(promoted) = self.roles[us.index()][kind.index()].promoted
            {
                let mobile = match d.checks.immobility_illegal {
                    true => self.moves.of(us, promoted).mobile,
                    false => !S::EMPTY,
                };
                let squares = match self.has_pseudo() {
                    true => standing(promoted),
                    false => squares,
                };
                consumer.placed(promoted, squares & mobile)?;
            }
        }
        Flow::Continue(())
    }

    /// Returns the squares on which a piece could be dropped if they were all vacant.
    pub(crate) fn drop_squares<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        us: Color,
        piece: PieceType,
    ) -> S {
        let drops = &self.law.definition.drops;
        let mut squares = self.drops[us.index()][piece.index()];
        if drops.no_doubled == Some(piece) {
            let units = self.units(p, us, piece);
            for &file in &self.files {
                if (units & file).len() >= u32::from(drops.no_doubled_count) {
                    squares &= !file;
                }
            }
        }
        squares
    }

    /// Returns whether the mover has a unit in hand that must be dropped first.
    pub(crate) fn has_to_drop<W: Layout<Set = S>>(&self, p: &Position<W>) -> bool {
        match self.law.definition.drops.must_drop_type {
            Some(piece) => self.in_hand(p, p.side, piece) > 0,
            None => self.law.state.hand[p.side.index()].holds(p),
        }
    }

    /// Returns the piece that a captured unit becomes in its captor's hand.
    pub(crate) fn hand_piece(&self, kind: Kind, owner: Color) -> Option<PieceType> {
        crate::state::reverted(&self.law.definition, &self.law.kinds, kind, owner)
    }

    /// Returns the piece that leaves the hand if a unit of this kind is dropped.
    pub(crate) fn dropped_piece(&self, kind: Kind) -> Option<PieceType> {
        match self.law.kinds.memory(kind) {
            Memory::Piece(was) => Some(was),
            _ => self.law.kinds.piece(kind),
        }
    }
}

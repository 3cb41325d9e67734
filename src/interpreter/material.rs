//! The material that a definition allows: how many units of a kind a side can have in games from the start.

use crate::kinds::Kinds;
use board::{Color, Kind};
use definition::{Definition, PieceSet, PieceType};

/// What a side has at the start and can get in a game.
pub(crate) struct Material<'d> {
    definition: &'d Definition,
    kinds: &'d Kinds,
    /// By side and piece, the numbers of units on the board and in hand at the start.
    start: [Vec<[u32; 2]>; 2],
    /// By side, the pieces that it can have.
    obtainable: [PieceSet; 2],
}

impl<'d> Material<'d> {
    /// Returns the material of a definition with these units at the start.
    pub(crate) fn new(
        definition: &'d Definition,
        kinds: &'d Kinds,
        units: &[(Kind, Color, usize)],
        hands: &[Vec<u32>; 2],
    ) -> Material<'d> {
        let start = Color::BOTH.map(|color| {
            let counts = definition.pieces.iter().enumerate().map(|(n, _)| {
                let is_such = |unit: &&(Kind, Color, usize)| {
                    unit.1 == color && kinds.piece(unit.0) == Some(PieceType(n as u8))
                };
                let on_board = units.iter().filter(is_such).count() as u32;
                [on_board, hands[color.index()][n]]
            });
            counts.collect()
        });
        let mut material = Material {
            definition,
            kinds,
            start,
            obtainable: Default::default(),
        };
        for (side, pieces) in material.obtainable.iter_mut().enumerate() {
            for (n, counts) in material.start[side].iter().enumerate() {
                if counts.iter().any(|&count| count > 0) {
                    pieces.0 |= 1 << n;
                }
            }
        }
        // A unit that has promoted before the start can be demoted, and reverts in a hand.
        for &(kind, color, _) in units {
            if let crate::kinds::Memory::Piece(was) = kinds.memory(kind) {
                material.obtainable[color.index()].0 |= 1 << was.0;
            }
        }
        loop {
            let grown = Color::BOTH.map(|color| material.grown(color));
            if grown == material.obtainable {
                return material;
            }
            material.obtainable = grown;
        }
    }

    /// Returns the pieces that a side has, can make of these by promotion, or can take into its hand.
    fn grown(&self, color: Color) -> PieceSet {
        let d = self.definition;
        let own = self.obtainable[color.index()];
        let mut grown = own;
        for piece in own.iter() {
            if self.is_pawn(color, piece) {
                grown.0 |= d.promotion.choices[color.index()].0;
            }
            if let Some(promoted) = d.promotion.promoted[piece.index()] {
                grown.0 |= 1 << promoted.0;
            }
        }
        if d.drops.two_boards {
            grown.0 |= PieceSet::first(d.pieces.len()).0;
        } else if d.drops.captures_to_hand {
            let theirs = self.obtainable[(!color).index()];
            let taken = theirs.iter().filter(|&piece| Some(piece) != d.checks.king);
            grown.0 |= taken.fold(0, |all, piece| all | 1 << piece.0);
        }
        grown
    }

    fn is_pawn(&self, color: Color, piece: PieceType) -> bool {
        let d = self.definition;
        d.pawns.pawn == Some(piece) || d.promotion.pawns[color.index()].has(piece)
    }

    /// Returns whether units of a piece can become other pieces.
    fn changes(&self, color: Color, piece: PieceType) -> bool {
        let promotion = &self.definition.promotion;
        self.is_pawn(color, piece)
            || promotion.promoted[piece.index()].is_some()
            || promotion.demotion && promotion.promoted.contains(&Some(piece))
    }

    /// Returns the number of a side's kings that a FEN may have, as `(kind, min, max)`.
    pub(crate) fn kings(&self, color: Color) -> Option<(Kind, u32, u32)> {
        let king = self.definition.checks.king?;
        let [on_board, _] = self.start[color.index()][king.index()];
        let stays = on_board > 0 && !self.changes(color, king);
        let can_have = self.obtainable[color.index()].has(king);
        Some((self.kinds.plain(king), stays.into(), can_have.into()))
    }

    /// Returns the least and the greatest number of a side's units of a kind on the board.
    pub(crate) fn range(&self, color: Color, kind: Kind) -> (u32, u32) {
        let d = self.definition;
        if let Some((king, min, max)) = self.kings(color)
            && king == kind
        {
            return (min, max);
        }
        let Some(piece) = self.kinds.piece(kind) else {
            return (0, u32::MAX);
        };
        if !self.obtainable[color.index()].has(piece) {
            return (0, 0);
        }
        // The last units of a pseudo-royal piece are never captured.
        let e = &d.extinction;
        let [on_board, _] = self.start[color.index()][piece.index()];
        let royals = u32::from(e.count) + 1;
        let stays = e.pseudo_royal
            && e.value.is_some()
            && e.types.has(piece)
            && !d.captures.blast
            && !d.last_royals_can_go()
            && on_board >= royals
            && self.kinds.forms(piece).len() == 1;
        (if stays { royals } else { 0 }, u32::MAX)
    }
}

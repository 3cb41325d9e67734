//! Generates the pseudo-legal turns of a position, and their texts.

use super::definition::{Definition, FERS, KING, PAWN, ROOK, Which, among};
use super::state::{Position, Unit};

/// The action of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    Move,
    /// A step with promotion to a kind chosen from several.
    Promote(usize),
    /// A step with promotion as in shogi, to the kind that the unit's kind determines.
    Turn,
    /// A step with demotion to the former kind.
    TurnBack,
    /// Castling. The turn's `to` is the target of the king.
    Castle {
        rook: usize,
        rook_to: usize,
    },
    /// A drop: the kind in hand, and the kind that the unit has on the board.
    Drop {
        hand: usize,
        kind: usize,
    },
    Pass,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub deed: Deed,
    pub from: usize,
    pub to: usize,
    /// The square of the unit that is captured en passant, if any.
    pub passing: Option<usize>,
    /// The kind from hand that enters by gating, and its square.
    pub gate: Option<(usize, usize)>,
}

impl Turn {
    pub fn plain(deed: Deed, from: usize, to: usize) -> Turn {
        Turn {
            deed,
            from,
            to,
            passing: None,
            gate: None,
        }
    }

    pub fn is_drop(&self) -> bool {
        matches!(self.deed, Deed::Drop { .. })
    }

    pub fn is_castling(&self) -> bool {
        matches!(self.deed, Deed::Castle { .. })
    }

    /// Returns whether the turn captures.
    pub fn captures(&self, pos: &Position) -> bool {
        self.passing.is_some() || pos.is_of(self.to, 1 - pos.side)
    }
}

/// Returns the turn in coordinate notation.
pub fn text(law: &Definition, pos: &Position, turn: &Turn) -> String {
    let letter = |kind: usize| law.kinds[kind].letter.unwrap_or('?');
    let low = |kind: usize| letter(kind).to_ascii_lowercase();
    let squares = format!("{}{}", law.name(turn.from), law.name(turn.to));
    let mut text = match turn.deed {
        Deed::Move | Deed::Pass => squares,
        Deed::Promote(kind) => format!("{squares}{}", low(kind)),
        Deed::Turn => format!("{squares}+"),
        Deed::TurnBack => format!("{squares}-"),
        Deed::Drop { hand, kind } => {
            let plus = if hand == kind { "" } else { "+" };
            format!("{plus}{}@{}", letter(hand), law.name(turn.to))
        }
        Deed::Castle { rook, .. } => {
            // If a step of the king has the same text, castling is written as the king capturing its rook.
            let step = law.pseudo(pos).into_iter().any(|other| {
                other.deed == Deed::Move && (other.from, other.to) == (turn.from, turn.to)
            });
            match step {
                true => format!("{}{}", law.name(turn.from), law.name(rook)),
                false => squares,
            }
        }
    };
    if let Some((kind, square)) = turn.gate {
        text += &format!("+{}@{}", letter(kind), law.name(square));
    }
    text
}

impl Definition {
    /// Returns the pseudo-legal turns.
    pub fn pseudo(&self, pos: &Position) -> Vec<Turn> {
        let side = pos.side;
        let mut turns = Vec::new();
        for from in 0..pos.cells.len() {
            match pos.unit(from) {
                Some(unit) if unit.side == side => match unit.kind {
                    PAWN => self.pawn_turns(pos, from, &mut turns),
                    KING => self.king_turns(pos, from, &mut turns),
                    _ => self.unit_turns(pos, from, unit, &mut turns),
                },
                _ => {}
            }
        }
        // Gating can leave a king attacked by a hopper. The king is not captured.
        turns.retain(|turn| !pos.holds(turn.to, 1 - side, KING));
        if self.castling {
            self.castlings(pos, &mut turns);
        }
        if self.cambodian {
            self.leaps(pos, &mut turns);
        }
        if self.drops {
            self.placements(pos, &mut turns);
        }
        if self.pass[side] || self.pass_on_stalemate[side] {
            self.passes(pos, &mut turns);
        }
        if self.seirawan {
            self.gatings(pos, &mut turns);
        }
        // A promotion as in shogi, or a demotion, and the choice of the same kind are one turn if the
        // positions after them are equal.
        let reverts = self.reverts();
        let all = turns.clone();
        turns.retain(|turn| {
            let unit = pos.unit(turn.from);
            let becomes = match turn.deed {
                Deed::Turn if !self.remembers() => unit.and_then(|unit| self.promoted[unit.kind]),
                Deed::TurnBack if !reverts => unit.and_then(|unit| unit.was),
                _ => None,
            };
            let chosen = becomes.map(|kind| Turn::plain(Deed::Promote(kind), turn.from, turn.to));
            !chosen.is_some_and(|chosen| all.contains(&chosen))
        });
        turns
    }

    /// Returns whether the promotion limit of a kind allows one more unit.
    fn below_limit(&self, pos: &Position, kind: usize) -> bool {
        let limit = self.limits[kind] as usize;
        limit == 0 || pos.squares_of(pos.side, kind).len() < limit
    }

    /// Returns the kinds that a pawn may become.
    pub fn promotion_kinds(&self, pos: &Position) -> Vec<usize> {
        (0..self.kinds.len())
            .filter(|&kind| self.promotions[pos.side].contains(&Which::Kind(kind)))
            .filter(|&kind| self.below_limit(pos, kind))
            .collect()
    }

    pub fn pawn_turns(&self, pos: &Position, from: usize, turns: &mut Vec<Turn>) {
        let side = pos.side;
        let free = |square: usize| pos.vacant(square) && self.may_stand(side, PAWN, square);
        let mut targets = Vec::new();
        let mut at = from;
        for length in 1..=3 {
            let Some(square) = self.step(side, at, 1, 0).filter(|&square| free(square)) else {
                break;
            };
            let allowed = match length {
                1 => true,
                2 => self.inside(&self.double_region[side], from),
                _ => self.inside(&self.triple_region[side], from),
            };
            if allowed {
                targets.push(square);
            }
            at = square;
        }
        for square in self.pawn_captures(side, from) {
            if pos.is_of(square, 1 - side) {
                targets.push(square);
            } else if pos.passed.contains(&square) && pos.vacant(square) {
                let victim = self.victim(pos, square);
                if victim.is_some() {
                    turns.push(Turn {
                        passing: victim,
                        ..Turn::plain(Deed::Move, from, square)
                    });
                }
            }
        }
        for to in targets {
            let zone = !self.sittuyin_promotion && self.inside(&self.promotion_region[side], to);
            if zone {
                for kind in self.promotion_kinds(pos) {
                    turns.push(Turn::plain(Deed::Promote(kind), from, to));
                }
                let turned = self.promoted[PAWN].is_some();
                if turned && !(self.promotion_on_capture && pos.vacant(to)) {
                    turns.push(Turn::plain(Deed::Turn, from, to));
                }
            }
            if !zone || !self.must_promote_pawn {
                turns.push(Turn::plain(Deed::Move, from, to));
            }
        }
        if self.sittuyin_promotion {
            self.promotions_aside(pos, from, turns);
        }
    }

    /// Adds the promotions of Sittuyin. A pawn in the zone, or the side's only pawn anywhere, becomes another
    /// piece on its square or on a square that the new piece attacks from there. The new piece must not
    /// attack enemy units.
    fn promotions_aside(&self, pos: &Position, from: usize, turns: &mut Vec<Turn>) {
        let side = pos.side;
        let last = pos.squares_of(side, PAWN).len() == 1;
        if !last && !self.inside(&self.promotion_region[side], from) {
            return;
        }
        for kind in self.promotion_kinds(pos) {
            let mut squares = self.attacks(pos, side, kind, from);
            squares.retain(|&square| pos.vacant(square));
            squares.push(from);
            for to in squares {
                let mut without = pos.clone();
                without.cells[from] = super::state::Cell::Vacant;
                let harmless = self
                    .attacks(&without, side, kind, to)
                    .iter()
                    .all(|&square| !pos.is_of(square, 1 - side));
                if harmless {
                    turns.push(Turn::plain(Deed::Promote(kind), from, to));
                }
            }
        }
    }

    /// Returns the square of the unit that an en passant capture on a square captures. This is the marked
    /// unit, or else the first enemy unit beyond the square.
    pub fn victim(&self, pos: &Position, square: usize) -> Option<usize> {
        let enemy = 1 - pos.side;
        if let Some(&marked) = pos.passed.iter().find(|&&square| pos.is_of(square, enemy)) {
            return Some(marked);
        }
        let mut at = square;
        loop {
            at = self.step(enemy, at, 1, 0)?;
            if pos.is_of(at, enemy) {
                return Some(at);
            }
        }
    }

    fn king_turns(&self, pos: &Position, from: usize, turns: &mut Vec<Turn>) {
        for to in self.destinations(pos, KING, from) {
            turns.push(Turn::plain(Deed::Move, from, to));
        }
    }

    /// Returns the squares to which a unit can go, with or without a capture.
    pub fn destinations(&self, pos: &Position, kind: usize, from: usize) -> Vec<usize> {
        let side = pos.side;
        let mut squares = self.quiets(pos, side, kind, from);
        squares.retain(|&square| pos.vacant(square));
        let mut captures = self.attacks(pos, side, kind, from);
        captures.retain(|&square| pos.is_of(square, 1 - side));
        squares.extend(captures);
        squares
    }

    pub fn unit_turns(&self, pos: &Position, from: usize, unit: Unit, turns: &mut Vec<Turn>) {
        let side = pos.side;
        let zone = |square: usize| self.inside(&self.promotion_region[side], square);
        let all = self.destinations(pos, unit.kind, from);
        let pawn = among(&self.pawns[side], unit.kind);
        let turned = self.promoted[unit.kind].filter(|&kind| self.below_limit(pos, kind));
        let back = unit.was.filter(|_| self.demotion);
        let changes = turned.is_some() || back.is_some();
        for &to in &all {
            let capture = pos.is_of(to, 1 - side);
            let promotes = pawn && zone(to);
            let may_change = (zone(from) || zone(to)) && (capture || !self.promotion_on_capture);
            // A unit that must promote may keep its kind on moves by which it cannot promote.
            let must_change = changes && self.must_promote_piece && may_change;
            let must_promote = promotes && self.must_promote_pawn;
            if !must_promote && !must_change {
                turns.push(Turn::plain(Deed::Move, from, to));
            }
            if turned.is_some() && may_change {
                turns.push(Turn::plain(Deed::Turn, from, to));
            }
            if back.is_some() && may_change {
                turns.push(Turn::plain(Deed::TurnBack, from, to));
            }
            if promotes {
                for kind in self.promotion_kinds(pos) {
                    turns.push(Turn::plain(Deed::Promote(kind), from, to));
                }
            }
        }
        if among(&self.passing_kinds[side], unit.kind) {
            let quiets = self.quiets(pos, side, unit.kind, from);
            for to in self.attacks(pos, side, unit.kind, from) {
                if pos.passed.contains(&to) && pos.vacant(to) && !quiets.contains(&to) {
                    let victim = self.victim(pos, to);
                    if victim.is_some() {
                        turns.push(Turn {
                            passing: victim,
                            ..Turn::plain(Deed::Move, from, to)
                        });
                    }
                }
            }
        }
    }

    pub fn castlings(&self, pos: &Position, turns: &mut Vec<Turn>) {
        let side = pos.side;
        let Some(king) = pos.castler[side] else {
            return;
        };
        let rank = self.castling_rank_of(side);
        for wing in [1, 0] {
            let Some(rook) = pos.rooks[side][wing] else {
                continue;
            };
            let (file, rook_file) = match wing {
                1 => (self.castling_king_side, self.castling_king_side - 1),
                _ => (self.castling_queen_side, self.castling_queen_side + 1),
            };
            let (Some(to), Some(rook_to)) = (self.square(file, rank), self.square(rook_file, rank))
            else {
                continue;
            };
            let free = |a: usize, b: usize| {
                (a.min(b)..=a.max(b))
                    .filter(|&square| square != king && square != rook)
                    .all(|square| pos.vacant(square))
            };
            if free(king, to) && free(rook, rook_to) {
                turns.push(Turn::plain(Deed::Castle { rook, rook_to }, king, to));
            }
        }
    }

    /// Adds the first leaps of the king and the met in Cambodian chess.
    fn leaps(&self, pos: &Position, turns: &mut Vec<Turn>) {
        let side = pos.side;
        for &from in &pos.gates[side] {
            let steps: &[(i32, i32)] = match pos.unit(from) {
                Some(unit) if unit.side == side && unit.kind == KING => {
                    if self.in_check(pos, side) {
                        continue;
                    }
                    &[(1, -2), (1, 2)]
                }
                Some(unit) if unit.side == side && unit.kind == FERS => &[(2, 0)],
                _ => continue,
            };
            for &(forward, right) in steps {
                let Some(to) = self.step(side, from, forward, right) else {
                    continue;
                };
                let leap = Turn::plain(Deed::Move, from, to);
                if pos.vacant(to) && !turns.contains(&leap) {
                    turns.push(leap);
                }
            }
        }
    }

    fn placements(&self, pos: &Position, turns: &mut Vec<Turn>) {
        for hand in 0..self.kinds.len() {
            if pos.hand[pos.side][hand] == 0 {
                continue;
            }
            for to in (0..pos.cells.len()).filter(|&to| pos.vacant(to)) {
                if !self.may_drop(pos, hand, to) {
                    continue;
                }
                turns.push(Turn::plain(Deed::Drop { hand, kind: hand }, to, to));
                if let Some(kind) = self.promoted[hand].filter(|_| self.drop_promoted) {
                    turns.push(Turn::plain(Deed::Drop { hand, kind }, to, to));
                }
            }
        }
    }

    /// Returns whether the side to move may drop a unit of this kind on a square, if the square is vacant.
    pub fn may_drop(&self, pos: &Position, kind: usize, square: usize) -> bool {
        let side = pos.side;
        let (file, rank) = self.place(square);
        let first = rank == self.rank_of(side, 0);
        let region = match &self.drop_region[side] {
            None => true,
            Some(region) => self.inside(region, square),
        };
        let zone = self.inside(&self.promotion_region[side], square);
        let pawn = kind != PAWN
            || (self.promotion_zone_pawn_drops || !zone) && (self.first_rank_pawn_drops || !first);
        let doubled = self.drop_not_doubled == Some(kind) && {
            let on_file = |&at: &usize| self.place(at).0 == file;
            let there = pos
                .squares_of(side, kind)
                .into_iter()
                .filter(on_file)
                .count();
            there >= self.drop_not_doubled_count as usize
        };
        let rook = !self.sittuyin_rook_drop || kind != ROOK || first;
        region && self.may_stand(side, kind, square) && pawn && !doubled && rook
    }

    fn passes(&self, pos: &Position, turns: &mut Vec<Turn>) {
        let side = pos.side;
        let king = pos.squares_of(side, KING).into_iter().next();
        let any = (0..pos.cells.len()).find(|&square| pos.is_of(square, side));
        if let Some(at) = king.or(any) {
            turns.push(Turn::plain(Deed::Pass, at, at));
        }
    }

    /// Adds the gating turns: when an unmoved unit leaves its square, a unit from hand may enter there.
    fn gatings(&self, pos: &Position, turns: &mut Vec<Turn>) {
        let side = pos.side;
        for turn in turns.clone() {
            // Pieces that promote as in shogi do not let units enter.
            let turns_over = matches!(turn.deed, Deed::Turn | Deed::TurnBack)
                && !pos.holds(turn.from, side, PAWN);
            // Pawns that promote as in Sittuyin do not let units enter either.
            let aside = self.sittuyin_promotion
                && matches!(turn.deed, Deed::Promote(_))
                && pos.holds(turn.from, side, PAWN);
            if turn.is_drop() || turn.deed == Deed::Pass || turns_over || aside {
                continue;
            }
            let mut squares = vec![turn.from];
            if let Deed::Castle { rook, .. } = turn.deed {
                squares.push(rook);
            }
            for square in squares {
                if !pos.gates[side].contains(&square) {
                    continue;
                }
                for kind in 0..self.kinds.len() {
                    if pos.hand[side][kind] > 0 && self.may_drop(pos, kind, square) {
                        turns.push(Turn {
                            gate: Some((kind, square)),
                            ..turn.clone()
                        });
                    }
                }
            }
        }
    }
}

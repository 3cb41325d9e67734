//! Plays turns, and decides whether they are legal by examining a copy of the position after the turn.

use super::definition::{
    BERS, BISHOP, Definition, KING, KNIGHT, PAWN, ROOK, SHOGI_PAWN, Which, among,
};
use super::state::{Cell, Position, Unit};
use super::turns::{Deed, Turn};

impl Definition {
    /// Returns the position after a turn.
    pub fn play(&self, pos: &Position, turn: &Turn) -> Position {
        let side = pos.side;
        let enemy = 1 - side;
        let mut next = pos.clone();
        next.passed.clear();
        next.clock += 1;
        next.number += side as u32;
        next.passes = match turn.deed {
            Deed::Pass => pos.passes + 1,
            _ => 0,
        };
        next.dropped_pawn = matches!(turn.deed, Deed::Drop { kind, .. } if kind == SHOGI_PAWN);
        next.castled = match turn.deed {
            Deed::Castle { rook, .. } => Some((side, usize::from(turn.from < rook))),
            _ => None,
        };
        let mover = pos.unit(turn.from);
        let mut captured = false;
        match turn.deed {
            Deed::Pass => {}
            Deed::Drop { hand, kind } => {
                next.hand[side][hand] -= 1;
                next.clock = 0;
                next.cells[turn.to] = Cell::Unit(self.remember(Unit {
                    side,
                    kind,
                    promoted: hand != kind,
                    was: (hand != kind).then_some(hand),
                }));
                if self.castling_dropped {
                    self.grant_castling(&mut next, kind, turn.to);
                }
            }
            Deed::Castle { rook, rook_to } => {
                let other = pos.cells[rook];
                next.cells[turn.from] = Cell::Vacant;
                next.cells[rook] = Cell::Vacant;
                next.cells[turn.to] = pos.cells[turn.from];
                next.cells[rook_to] = other;
                if self.opposite_castling {
                    next.rooks[enemy][usize::from(turn.from < rook)] = None;
                }
            }
            Deed::Move | Deed::Promote(_) | Deed::Turn | Deed::TurnBack => {
                let mover = mover.expect("a unit moves");
                if turn.captures(pos) {
                    self.capture(&mut next, turn.passing.unwrap_or(turn.to));
                    captured = true;
                }
                next.cells[turn.from] = Cell::Vacant;
                next.cells[turn.to] = Cell::Unit(self.arriving(mover, turn.deed));
                if captured || mover.kind == PAWN || turn.deed != Deed::Move {
                    next.clock = 0;
                }
                if turn.deed == Deed::Move && !captured {
                    next.passed = self.passed(pos, mover, turn);
                }
            }
        }
        if !turn.is_drop() && turn.deed != Deed::Pass {
            lose_castling(&mut next, turn.from);
            lose_castling(&mut next, turn.to);
        }
        if let Some((kind, square)) = turn.gate {
            next.hand[side][kind] -= 1;
            next.cells[square] = Cell::Unit(Unit {
                side,
                kind,
                promoted: false,
                was: None,
            });
            next.close_gate(side, square);
        }
        if self.gating {
            self.close_gates(&mut next, turn, mover);
        }
        if captured && self.blast {
            self.explode(&mut next, turn.to);
        }
        if self.check_counting && self.is_checked(&next, enemy) {
            next.checks[side] = next.checks[side].saturating_sub(1);
        }
        next.shak[side] = self.shatar && self.has_shak(&next, enemy, pos.shak[side]);
        next.extinct = [0, 1].map(|of_side| self.has_died_out(pos, &next, of_side));
        next.side = enemy;
        self.forget_passed(&mut next);
        if self.n_moves_kept {
            next.clock = match captured || self.is_progress(pos, turn) {
                true => 0,
                false => pos.clock + 1,
            };
        }
        next
    }

    /// Returns whether a side has used up a kind whose last units are royal, in the turn from `pos` to `next`
    /// or before.
    fn has_died_out(&self, pos: &Position, next: &Position, of_side: usize) -> bool {
        let few = |pos: &Position, which: Which| {
            self.count_of(pos, of_side, which) <= self.extinct_count as usize
        };
        let mut kinds = self.extinct.iter();
        self.pseudo_royal
            && !self.blast
            && kinds.any(|&which| few(next, which) && (pos.extinct[of_side] || !few(pos, which)))
    }

    /// Returns whether a turn without capture is progress for the n-move rule.
    fn is_progress(&self, pos: &Position, turn: &Turn) -> bool {
        let side = pos.side;
        let stays = || {
            let kind = pos.unit(turn.from).expect("a unit moves").kind;
            among(&self.n_move_kinds[side], kind)
                && !self.might_go(pos, side, kind, turn.to, turn.from)
        };
        match turn.deed {
            Deed::Pass => false,
            Deed::Drop { .. } | Deed::Promote(_) => true,
            Deed::Turn | Deed::TurnBack => !self.demotion || stays(),
            Deed::Move | Deed::Castle { .. } => stays(),
        }
    }

    /// Returns whether an unbroken series of checks on this side's king contains a check by a rook, bers or
    /// knight. `before` is whether the series contained one before this position.
    pub fn has_shak(&self, pos: &Position, side: usize, before: bool) -> bool {
        let checkers = self.checkers(pos, side);
        let shak = |&square: &usize| {
            [KNIGHT, ROOK, BERS]
                .iter()
                .any(|&kind| pos.holds(square, 1 - side, kind))
        };
        !checkers.is_empty() && (before || checkers.iter().any(shak))
    }

    /// Returns the unit after its step, with its new kind if it promotes or is demoted.
    fn arriving(&self, mover: Unit, deed: Deed) -> Unit {
        match deed {
            Deed::Promote(kind) => self.remember(Unit {
                kind,
                promoted: true,
                was: None,
                ..mover
            }),
            Deed::Turn => self.remember(Unit {
                kind: self.promoted[mover.kind].expect("a kind to turn to"),
                promoted: true,
                was: Some(mover.kind),
                ..mover
            }),
            Deed::TurnBack => Unit {
                kind: mover.was.expect("a kind to turn back to"),
                promoted: false,
                was: None,
                ..mover
            },
            _ => mover,
        }
    }

    /// Returns whether a side may pass, always or on stalemate.
    pub fn passes_at_all(&self) -> bool {
        self.pass.contains(&true) || self.pass_on_stalemate.contains(&true)
    }

    /// Returns whether a captured unit that has promoted goes to a hand as what it was.
    pub fn reverts(&self) -> bool {
        (self.captures_to_hand || self.clause_to_hand) && !self.drop_loop
    }

    /// Returns whether a rule depends on the former kind of a unit that has promoted as in shogi.
    pub fn remembers(&self) -> bool {
        self.reverts() || self.demotion || self.drop_promoted
    }

    /// Returns the unit without records of its promotion on which no rule depends.
    pub fn remember(&self, unit: Unit) -> Unit {
        let kept = if unit.was.is_some() {
            self.remembers()
        } else {
            self.reverts()
        };
        Unit {
            promoted: unit.promoted && kept,
            was: unit.was.filter(|_| kept),
            ..unit
        }
    }

    /// Returns the unit with another kind. A promoted pawn stays one if pawns promote to this kind.
    pub fn changed(&self, unit: Unit, kind: usize) -> Unit {
        let promotes = self
            .promotions
            .iter()
            .any(|kinds| kinds.contains(&Which::Kind(kind)));
        Unit {
            kind,
            promoted: unit.promoted && unit.was.is_none() && promotes,
            was: None,
            ..unit
        }
    }

    /// Removes a unit from the board. If captures go to hand, adds it to the other side's hand.
    fn capture(&self, next: &mut Position, square: usize) {
        let unit = next.unit(square).expect("a unit is captured");
        if self.captures_to_hand {
            let kind = match (unit.promoted && !self.drop_loop, unit.was) {
                (false, _) => unit.kind,
                (true, Some(was)) => was,
                (true, None) => self.main_pawn[unit.side].unwrap_or(PAWN),
            };
            next.hand[1 - unit.side][kind] += 1;
        }
        next.cells[square] = Cell::Vacant;
        // As in Fairy-Stockfish, a gate closes if a unit leaves it or arrives on it, but not if a blast
        // removes the unit.
        lose_castling(next, square);
    }

    /// Returns the squares that a double, triple or initial step has passed. For units other than pawns, the
    /// unit's own square is included.
    pub fn passed(&self, pos: &Position, mover: Unit, turn: &Turn) -> Vec<usize> {
        let (from, to) = (self.place(turn.from), self.place(turn.to));
        let (across, up) = (to.0 - from.0, to.1 - from.1);
        let mut squares = Vec::new();
        if mover.kind == PAWN {
            if up.abs() < 2 {
                return squares;
            }
        } else {
            // A unit outside the region has no mark, so it cannot be captured en passant.
            if !self.is_initial(pos, mover.side, mover.kind, turn.from, turn.to)
                || !self.may_be_passed(1 - mover.side, turn.to)
            {
                return squares;
            }
            squares.push(turn.to);
            if across != 0 && up != 0 && across.abs() != up.abs() {
                return squares;
            }
        }
        for length in 1..across.abs().max(up.abs()) {
            let file = from.0 + length * across.signum();
            squares.extend(self.square(file, from.1 + length * up.signum()));
        }
        // Squares of units that were hopped over do not count as passed.
        squares.retain(|&square| square == turn.to || pos.vacant(square));
        squares.retain(|&square| self.may_be_passed(1 - mover.side, square));
        squares
    }

    /// Adds castling rights if a king or rook is dropped on its home square.
    fn grant_castling(&self, next: &mut Position, kind: usize, to: usize) {
        let side = next.side;
        let rank = self.castling_rank_of(side);
        let (file, own_rank) = self.place(to);
        let home = self.square(self.castling_king_file, rank);
        if own_rank != rank
            || !home
                .zip(self.castling_king[side])
                .is_some_and(|(home, king)| next.holds(home, side, king))
        {
            return;
        }
        let corners: Vec<i32> = if Some(kind) == self.castling_king[side] && Some(to) == home {
            vec![0, self.files - 1]
        } else {
            vec![file]
        };
        for file in corners {
            let Some(square) = self.square(file, rank) else {
                continue;
            };
            let corner = file == 0 || file == self.files - 1;
            let rook = next
                .unit(square)
                .is_some_and(|unit| unit.side == side && self.castles_as_rook(unit));
            if corner && rook && Some(square) != home {
                next.castler[side] = home;
                next.rooks[side][usize::from(file > self.castling_king_file)] = Some(square);
            }
        }
    }

    fn close_gates(&self, next: &mut Position, turn: &Turn, mover: Option<Unit>) {
        let side = next.side;
        if !turn.is_drop() {
            next.close_gate(side, turn.from);
        }
        if let Deed::Castle { rook, .. } = turn.deed {
            next.close_gate(side, rook);
        }
        next.close_gate(1 - side, turn.to);
        self.forget_gates(next, side);
        // A king on a line with an enemy rook can no longer leap, whether or not units are between them.
        let rook = match turn.deed {
            Deed::Drop { kind, .. } => kind == ROOK,
            _ => mover.is_some_and(|unit| unit.kind == ROOK),
        };
        if self.cambodian && rook {
            for king in next.squares_of(1 - side, KING) {
                let (a, b) = (self.place(king), self.place(turn.to));
                if a.0 == b.0 || a.1 == b.1 {
                    next.close_gate(1 - side, king);
                }
            }
        }
    }

    /// Clears the gates of a side if no unit can ever enter on them.
    pub fn forget_gates(&self, pos: &mut Position, side: usize) {
        let hand: u32 = pos.hand[side].iter().sum();
        if self.seirawan && !self.cambodian && hand == 0 && !self.captures_to_hand {
            pos.gates[side].clear();
        }
    }

    /// Removes the units that the blast of a capture on this square destroys.
    fn explode(&self, next: &mut Position, to: usize) {
        for square in 0..next.cells.len() {
            let Some(unit) = next.unit(square) else {
                continue;
            };
            let hit = square == to || self.touch(square, to) && unit.kind != PAWN;
            if hit && !among(&self.blast_immune, unit.kind) {
                self.capture(next, square);
            }
        }
    }

    /// Returns whether two squares are a king's step apart.
    pub fn touch(&self, a: usize, b: usize) -> bool {
        let steps = (-1..=1).flat_map(|up| (-1..=1).map(move |right| (up, right)));
        let mut near = steps.filter_map(|(up, right)| self.step(0, a, up, right));
        a != b && near.any(|square| square == b)
    }

    /// Returns the legal turns, or an empty list if the game is over.
    pub fn legal(&self, pos: &Position) -> Vec<Turn> {
        match self.ended(pos) {
            Some(_) => Vec::new(),
            None => self.permitted(pos),
        }
    }

    /// Returns the legal turns of a game that continues.
    pub fn permitted(&self, pos: &Position) -> Vec<Turn> {
        let side = pos.side;
        let mut turns: Vec<Turn> = self
            .pseudo(pos)
            .into_iter()
            .filter(|turn| self.stands(pos, turn))
            .collect();
        if self.must_drop {
            let due = match self.must_drop_kind {
                Which::All => pos.hand[side].iter().sum(),
                Which::Kind(kind) => pos.hand[side][kind],
            };
            if due > 0 {
                turns.retain(|turn| match (turn.deed, self.must_drop_kind) {
                    (Deed::Drop { hand, .. }, Which::Kind(kind)) => hand == kind,
                    _ => true,
                });
                if turns.iter().any(Turn::is_drop) {
                    turns.retain(Turn::is_drop);
                }
            }
        }
        if self.must_capture && turns.iter().any(|turn| turn.captures(pos)) {
            turns.retain(|turn| turn.captures(pos));
        }
        if self.pass_on_stalemate[side] && turns.iter().any(|turn| turn.deed != Deed::Pass) {
            turns.retain(|turn| turn.deed != Deed::Pass);
        }
        turns
    }

    /// Returns whether the position can follow a legal turn of the side that is not to move: none of its
    /// royal units is attacked, and it does not give a forbidden check.
    pub fn is_sound(&self, pos: &Position) -> bool {
        let enemy = 1 - pos.side;
        let kings = pos.squares_of(enemy, KING);
        let faces = self.flying_general && kings.iter().any(|&king| self.faces(pos, enemy, king));
        let checks = !self.checking && self.in_check(pos, pos.side);
        !faces && !checks && !self.is_checked(pos, enemy)
    }

    /// Returns whether a turn is legal, ignoring rules that make other turns mandatory.
    pub fn stands(&self, pos: &Position, turn: &Turn) -> bool {
        let side = pos.side;
        let enemy = 1 - side;
        // A unit that enters by gating does not shield its king.
        let alone = Turn {
            gate: None,
            ..turn.clone()
        };
        let next = self.play(pos, &alone);
        let no_checks = !self.checking
            || self.sittuyin_promotion && matches!(turn.deed, Deed::Promote(_))
            || !self.drop_checks && turn.is_drop();
        if no_checks && self.in_check(&self.play(pos, turn), enemy) {
            return false;
        }
        if self.drop_opposite_bishop && !self.bishops_part(pos, turn) {
            return false;
        }
        if self.immobility_illegal && turn.passing.is_none() {
            let kind = match turn.deed {
                // First leaps of Cambodian chess are exempt from the rule.
                Deed::Move => pos.unit(turn.from).map(|unit| unit.kind).filter(|&kind| {
                    self.destinations(pos, kind, turn.from).contains(&turn.to) || kind == PAWN
                }),
                Deed::Drop { kind, .. } => Some(kind),
                _ => None,
            };
            if kind.is_some_and(|kind| !self.is_mobile(pos, side, kind, turn.to)) {
                return false;
            }
        }
        if self.pseudo_royal && !self.royals_stand(pos, turn, &next) {
            return false;
        }
        if let (Some(mover), Some(victim)) = (pos.unit(turn.from), pos.unit(turn.to))
            && victim.side == enemy
            && victim.kind == mover.kind
            && among(&self.mutually_immune, mover.kind)
        {
            return false;
        }
        if turn.is_castling() && !self.may_castle(pos, turn) {
            return false;
        }
        if self.makpong && pos.holds(turn.from, side, KING) && turn.deed == Deed::Move {
            let checkers = self.checkers(pos, side);
            if !checkers.is_empty() && checkers != [turn.to] {
                return false;
            }
        }
        if self.flying_general {
            let kings = next.squares_of(side, KING);
            if kings.iter().any(|&king| self.faces(&next, side, king)) {
                return false;
            }
        }
        !self.in_check(&next, side)
    }

    /// Returns whether a drop lets the side's bishops be distributed over both colors of squares.
    fn bishops_part(&self, pos: &Position, turn: &Turn) -> bool {
        let Deed::Drop { kind, .. } = turn.deed else {
            return true;
        };
        let side = pos.side;
        let dark = |square: usize| {
            let (file, rank) = self.place(square);
            (file + rank) % 2 == 0
        };
        let standing = pos.squares_of(side, BISHOP);
        let all = standing.len() + pos.hand[side][BISHOP] as usize;
        let of_color = |color: bool| standing.iter().filter(|&&at| dark(at) == color).count();
        if kind == BISHOP {
            return of_color(dark(turn.to)) < all.div_ceil(2);
        }
        [true, false].into_iter().all(|color| {
            let room = (0..pos.cells.len())
                .filter(|&at| at != turn.to && dark(at) == color && pos.vacant(at))
                .filter(|&at| self.may_drop(pos, BISHOP, at))
                .count();
            of_color(color) + room >= all / 2
        })
    }

    fn may_castle(&self, pos: &Position, turn: &Turn) -> bool {
        let side = pos.side;
        let enemy = 1 - side;
        let Deed::Castle { rook_to, .. } = turn.deed else {
            return false;
        };
        if let Some((_, gate)) = turn.gate
            && (gate == turn.to || gate == rook_to)
        {
            return false;
        }
        let (low, high) = (turn.from.min(turn.to), turn.from.max(turn.to));
        if pos.holds(turn.from, side, KING) {
            return (low..=high).all(|square| {
                let mut there = pos.clone();
                there.cells[turn.from] = Cell::Vacant;
                let faces = self.flying_general && self.faces(&there, side, square);
                !faces && !self.attacked(pos, square, enemy)
            });
        }
        if self.pseudo_royal && self.royals(pos, side).contains(&turn.from) {
            return (low..=high)
                .filter(|&square| square != turn.to)
                .all(|square| {
                    self.shielded(pos, square, side) || !self.attacked(pos, square, enemy)
                });
        }
        true
    }

    /// Returns the squares of units that are pseudo-royal because few units of their kind are left.
    pub fn royals(&self, pos: &Position, side: usize) -> Vec<usize> {
        let mut squares = Vec::new();
        for which in &self.extinct {
            let of_kind: Vec<usize> = match *which {
                Which::Kind(kind) => pos.squares_of(side, kind),
                Which::All => (0..pos.cells.len())
                    .filter(|&square| pos.is_of(square, side))
                    .collect(),
            };
            if of_kind.len() <= self.extinct_count as usize + 1 {
                squares.extend(of_kind);
            }
        }
        squares
    }

    /// Returns whether a unit of `side` on this square cannot be captured, because the blast would destroy a
    /// royal unit of the captor.
    pub fn shielded(&self, pos: &Position, square: usize, side: usize) -> bool {
        let theirs = self.royals(pos, 1 - side);
        self.blast && theirs.iter().any(|&royal| self.touch(royal, square))
    }

    /// Returns the squares of a side's units of the kinds that can be pseudo-royal.
    fn candidates(&self, pos: &Position, side: usize) -> Vec<usize> {
        (0..pos.cells.len())
            .filter(|&square| {
                pos.unit(square)
                    .is_some_and(|unit| unit.side == side && among(&self.extinct, unit.kind))
            })
            .collect()
    }

    /// Returns whether a side is in check: its king is attacked, or the opponent could take a unit that is
    /// royal because few of its kind are left.
    pub fn is_checked(&self, pos: &Position, side: usize) -> bool {
        let takes = |&square: &usize| {
            !self.shielded(pos, square, side) && self.attacked(pos, square, 1 - side)
        };
        self.in_check(pos, side)
            || self.pseudo_royal
                && (self.royals(pos, side).iter().any(takes)
                    || self.duple_check && self.all_attacked(pos, side))
    }

    /// Returns whether all of a side's units that can be pseudo-royal are attacked at once.
    pub fn all_attacked(&self, pos: &Position, side: usize) -> bool {
        let candidates = self.candidates(pos, side);
        !candidates.is_empty()
            && candidates.iter().all(|&square| {
                !self.shielded(pos, square, side) && self.attacked(pos, square, 1 - side)
            })
    }

    /// Returns whether a turn leaves the mover's pseudo-royal units safe: they are still on the board and not
    /// attacked. A turn that destroys an enemy royal unit may leave them attacked.
    fn royals_stand(&self, pos: &Position, turn: &Turn, next: &Position) -> bool {
        let side = pos.side;
        let enemy = 1 - side;
        let moved = |square: usize| match turn.deed {
            _ if square == turn.from && !turn.is_drop() => turn.to,
            _ => square,
        };
        let mut royals: Vec<usize> = self.royals(pos, side).into_iter().map(moved).collect();
        // Only promotions by choice are considered. A promotion as in shogi makes units royal only after the
        // turn.
        let becomes = match turn.deed {
            Deed::Promote(kind) => Some(kind),
            _ => None,
        };
        // A dropped or promoted unit counts as royal. After a promotion, the kind is not royal if there are
        // too many units of it.
        match (turn.deed, becomes) {
            (Deed::Drop { kind, .. }, _) if self.extinct.contains(&Which::Kind(kind)) => {
                royals.push(turn.to);
            }
            (_, Some(kind)) if self.extinct.contains(&Which::Kind(kind)) => {
                let others = pos.squares_of(side, kind);
                match others.len() > self.extinct_count as usize {
                    true => royals.retain(|royal| !others.contains(royal)),
                    false => royals.push(turn.to),
                }
            }
            _ => {}
        }
        if royals.iter().any(|&royal| !next.is_of(royal, side)) {
            return false;
        }
        let exploded = |&royal: &usize| match royal == turn.to {
            true => next.vacant(royal),
            false => !next.is_of(royal, enemy),
        };
        let hit = |&square: &usize| {
            !self.shielded(pos, square, side) && self.attacked(next, square, enemy)
        };
        if !self.royals(pos, enemy).iter().any(exploded) && royals.iter().any(hit) {
            return false;
        }
        let mut candidates: Vec<usize> =
            self.candidates(pos, side).into_iter().map(moved).collect();
        if becomes.is_some_and(|kind| self.extinct.contains(&Which::Kind(kind))) {
            candidates.push(turn.to);
        }
        !(self.duple_check && !candidates.is_empty() && candidates.iter().all(hit))
    }
}

/// Removes the castling rights of a king or rook on a square.
fn lose_castling(pos: &mut Position, square: usize) {
    for side in 0..2 {
        for wing in 0..2 {
            let rook = pos.rooks[side][wing];
            if rook == Some(square) || rook.is_some() && pos.castler[side] == Some(square) {
                pos.rooks[side][wing] = None;
            }
        }
    }
}

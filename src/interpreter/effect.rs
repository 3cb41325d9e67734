//! Plays turns of a definition: updates units, hands, castling rights, gates and counters.

use crate::bound_rules::BoundRules;
use crate::lines::{between, distance, way};
use board::{Color, Kind, Square, Squares};
use definition::PieceType;
use position::{Layout, Position, Rights};
use rules::{Action, Attack, Turn, fide};
use smallvec::SmallVec;

/// The squares that a step has passed.
pub(crate) type Passed = SmallVec<[Square; 4]>;

/// What the units of a turn have done.
#[derive(Default)]
pub(crate) struct Moved {
    /// Whether a unit was captured.
    pub captured: bool,
    /// The squares that can become en passant squares, the nearest to the origin first.
    pub passed: Passed,
    /// Whether the halfmove clock starts again.
    pub resets: bool,
    /// Whether the side wins by castling.
    pub wins: bool,
}

impl<S: Squares> BoundRules<S> {
    /// Changes `after`, a copy of `p`, into the position after a turn.
    pub(crate) fn carry_out<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        turn: &Turn,
        after: &mut Position<W>,
    ) {
        let moved = self.move_units(p, turn, after);
        self.finish(p, turn, &moved, after);
        if !moved.passed.is_empty() {
            self.offer(after, &moved.passed, turn.first().to);
        }
        self.note_check(p.side, after);
        if self.law.definition.checks.shatar {
            self.note_shak(p, after);
        }
        if self.law.state.extinct[0].most() > 0 {
            self.note_extinct(p, after);
        }
    }

    /// Moves, places and removes the units of a turn.
    #[inline]
    pub(crate) fn move_units<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        turn: &Turn,
        after: &mut Position<W>,
    ) -> Moved {
        let d = &self.law.definition;
        let us = p.side;
        let step = turn.first();
        let (from, to, kind) = (step.from, step.to, step.kind());
        let mut captured = false;
        let mut passed = Passed::new();
        let mut resets = false;
        let mut wins = false;
        match step.action() {
            Action::Place => {
                after.put(us, kind, to);
                if let Some(piece) = self.dropped_piece(kind) {
                    self.change_hand(after, us, piece, false);
                }
                if d.castling.dropped {
                    self.dropped_rights(after, us, to);
                }
                resets = true;
            }
            Action::Castle => wins = self.castle(p, from, to, after),
            _ => {
                let pass = from == to && step.becomes().is_none();
                let taken = match step.action() {
                    Action::EnPassant => self.passed(p).map(|(_, unit)| unit),
                    _ if from != to && p.color(!us).has(to) => Some(to),
                    _ => None,
                };
                if let Some(square) = taken {
                    self.capture(p, after, square, us);
                    captured = true;
                }
                if !pass {
                    match step.becomes() {
                        None if from != to => after.shift(us, kind, from, to),
                        _ => {
                            after.take(us, kind, from);
                            after.put(us, step.result(), to);
                        }
                    }
                    let marks = self.marks[from.index()] | self.marks[to.index()];
                    if marks != 0 {
                        after.rights = after.rights.without(Rights(marks));
                    }
                    passed = self.passing(p, us, kind, from, to, step.becomes());
                }
                resets = captured || step.becomes().is_some() || !pass && self.is_pawn(kind);
            }
        }
        let second = turn.steps[1];
        if !second.is_none() {
            after.put(us, second.kind(), second.to);
            if let Some(piece) = self.dropped_piece(second.kind()) {
                self.change_hand(after, us, piece, false);
            }
        }
        if d.gating.enabled {
            self.close_gates(p, after, turn);
        }
        if captured && d.captures.blast {
            self.explode(after, to);
        }
        Moved {
            captured,
            passed,
            resets,
            wins,
        }
    }

    /// Passes the turn to the opponent, and updates clocks and counts.
    #[inline]
    pub(crate) fn finish<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        turn: &Turn,
        moved: &Moved,
        after: &mut Position<W>,
    ) {
        fide::pass(after, moved.resets);
        self.update_counts(p, turn, (moved.captured, moved.wins), after);
    }

    /// Castles with the unit on `from`. Returns whether the side wins by this castling.
    fn castle<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        from: Square,
        to: Square,
        after: &mut Position<W>,
    ) -> bool {
        let us = p.side;
        let castling = &self.law.definition.castling;
        let mut wings = self.wings[us.index()].iter().flatten();
        let Some(wing) = wings.find(|wing| wing.castles(from, to)) else {
            return false;
        };
        let (kind, partner) = (p.kind_on(wing.king), p.kind_on(wing.rook));
        after.take(us, kind, wing.king);
        after.take(us, partner, wing.rook);
        after.put(us, kind, wing.king_to);
        after.put(us, partner, wing.rook_to);
        after.rights = after.rights.without(Rights(
            self.marks[wing.king.index()] | self.marks[wing.rook.index()],
        ));
        let kingside = wing.king < wing.rook;
        if castling.opposite {
            after.rights = after.rights.without(Rights::bit(!us, kingside));
        }
        match kingside {
            true => castling.wins.kingside[us.index()],
            false => castling.wins.queenside[us.index()],
        }
    }

    /// Updates the counters and flags of the variant state after a turn. `captured` is whether the turn has
    /// captured, `wins` whether it has won by castling.
    #[inline]
    fn update_counts<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        turn: &Turn,
        (captured, wins): (bool, bool),
        after: &mut Position<W>,
    ) {
        let map = &self.law.state;
        let step = turn.first();
        if map.quiet.most() > 0 {
            self.count_quiet(p, turn, captured, after);
        }
        if map.passes.most() > 0 {
            let pass =
                step.action() == Action::Go && step.from == step.to && step.becomes().is_none();
            let passes = if pass { map.passes.get(p) + 1 } else { 0 };
            map.passes.set(after, passes);
        }
        if map.dropped_pawn.most() > 0 {
            let drop = step.action() == Action::Place
                && self.law.kinds.piece(step.kind()) == self.law.named("shogiPawn");
            map.dropped_pawn.set(after, u64::from(drop));
        }
        if map.castled.most() > 0 {
            map.castled.set(after, u64::from(wins));
        }
        if map.passer.most() > 0 {
            map.passer.set(after, 0);
            map.passed_near.set(after, 0);
        }
    }

    /// Counts a check by the side that has just moved, if checks are counted.
    #[inline]
    pub(crate) fn note_check<W: Layout<Set = S>>(&self, us: Color, after: &mut Position<W>) {
        if self.law.definition.checks.counting && !self.royals_in_check(after, !us).is_empty() {
            self.law.state.checks[us.index()].add(after);
        }
    }

    /// Records whether a side's unbroken series of checks contains a shak, the check that mate in Shatar
    /// requires. A shak in the position itself is not recorded, because the units show it. A FEN of such a
    /// position is therefore complete.
    fn note_shak<W: Layout<Set = S>>(&self, p: &Position<W>, after: &mut Position<W>) {
        let us = p.side;
        let [own, theirs] = [us, !us].map(|color| self.law.state.shak[color.index()]);
        if self.gives_shak(p, self.checkers(p, us)) {
            theirs.set(after, 1);
        }
        let checkers = self.checkers(after, !us);
        if checkers.is_empty() || self.gives_shak(after, checkers) {
            own.set(after, 0);
        }
    }

    /// Returns the units that attack the king of a side.
    pub(crate) fn checkers<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color) -> S {
        self.kings(p, color).iter().fold(S::EMPTY, |all, king| {
            let attack = Attack::on(king, !color, p.occupied());
            all | self.attackers(p, attack, p.color(!color), false)
        })
    }

    /// Returns whether one of these units gives shak, the check that mate in Shatar requires.
    pub(crate) fn gives_shak<W: Layout<Set = S>>(&self, p: &Position<W>, checkers: S) -> bool {
        let piece = |square: Square| self.law.kinds.piece(p.kind_on(square));
        definition::SHAK
            .iter()
            .filter_map(|name| self.law.named(name))
            .any(|shak| checkers.iter().any(|square| piece(square) == Some(shak)))
    }

    /// Captures the unit on a square. If captures go to hand, the unit goes to the captor's hand.
    fn capture<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        after: &mut Position<W>,
        square: Square,
        us: Color,
    ) {
        let kind = p.kind_on(square);
        after.take(!us, kind, square);
        self.to_hand(after, kind, !us);
    }

    /// Puts a captured unit of `owner` into the other side's hand, if captures go to hand.
    pub(crate) fn to_hand<W: Layout<Set = S>>(
        &self,
        after: &mut Position<W>,
        kind: Kind,
        owner: Color,
    ) {
        if self.law.definition.drops.captures_to_hand
            && let Some(piece) = self.hand_piece(kind, owner)
        {
            self.change_hand(after, !owner, piece, true);
        }
    }

    pub(crate) fn change_hand<W: Layout<Set = S>>(
        &self,
        after: &mut Position<W>,
        color: Color,
        piece: PieceType,
        more: bool,
    ) {
        let field = self.law.state.hands[color.index()][piece.index()];
        match more {
            true => field.add(after),
            false => field.take(after),
        }
    }

    /// Carries out a blast on a square. The captor, which is on that square, is removed too.
    fn explode<W: Layout<Set = S>>(&self, after: &mut Position<W>, to: Square) {
        let mut gone = self.blast(after, to, None);
        let immune = self.units_of_kinds(after, self.immune);
        if after.occupied().has(to) && !immune.has(to) {
            gone = gone.with(to);
        }
        for square in gone.iter() {
            if let Some((owner, kind)) = after.unit(square) {
                after.take(owner, kind, square);
                self.to_hand(after, kind, owner);
                after.rights = after.rights.without(Rights(self.marks[square.index()]));
            }
        }
    }

    /// Returns the squares that a step passes and that can become en passant squares, starting with the
    /// square nearest to its origin.
    pub(crate) fn passing<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        us: Color,
        kind: Kind,
        from: Square,
        to: Square,
        becomes: Option<Kind>,
    ) -> Passed {
        let mut passed = Passed::new();
        if becomes.is_some() || p.color(!us).has(to) {
            return passed;
        }
        let zone = self.passing_zone[(!us).index()];
        if self.is_pawn(kind) {
            // Only steps of two or three squares straight ahead pass squares.
            let mut at = from;
            for _ in 0..3 {
                let Some(next) = self.ahead(at, us == Color::White) else {
                    break;
                };
                at = next;
                if at == to {
                    passed.retain(|square| zone.has(*square));
                    return passed;
                }
                passed.push(at);
            }
            return Passed::new();
        }
        // The target of the step must be in the region too.
        if !self.moves.of(us, kind).only_first[from.index()].has(to) || !zone.has(to) {
            return passed;
        }
        passed.extend(between(self.geometry, from, to).filter(|&square| zone.has(square)));
        passed
    }

    /// Records as en passant squares the passed squares on which a unit of the side to move could capture.
    fn offer<W: Layout<Set = S>>(&self, after: &mut Position<W>, passed: &[Square], unit: Square) {
        let open: Passed = passed
            .iter()
            .copied()
            .filter(|&square| self.enters(after, square))
            .collect();
        self.note_passed(after, &open, unit);
    }

    /// Records these squares as en passant squares. `open` starts with the square farthest from the unit.
    pub(crate) fn note_passed<W: Layout<Set = S>>(
        &self,
        after: &mut Position<W>,
        open: &[Square],
        unit: Square,
    ) {
        let map = &self.law.state;
        let Some((&lead, rest)) = open.split_first() else {
            return;
        };
        after.set_en_passant(Some(lead));
        let near = rest.iter().fold(0, |near, &square| {
            near | 1 << (distance(self.geometry, unit, square) - 1)
        });
        map.passer.set(after, u64::from(unit.0) + 1);
        map.passed_near.set(after, near);
    }

    /// Returns the further en passant squares, which are between the vulnerable unit and the recorded square
    /// `lead`.
    pub(crate) fn passed_near<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        lead: Square,
        unit: Square,
    ) -> S {
        let near = self.law.state.passed_near.get(p);
        if near == 0 {
            return S::EMPTY;
        }
        let (dx, dy) = way(self.geometry, unit, lead);
        (1..dx.abs().max(dy.abs()))
            .filter(|n| near >> (n - 1) & 1 != 0)
            .filter_map(|n| self.geometry.step(unit, n * dx.signum(), n * dy.signum()))
            .fold(S::EMPTY, S::with)
    }

    /// Returns whether a unit of the side to move could capture en passant by moving to this square.
    pub(crate) fn enters<W: Layout<Set = S>>(&self, p: &Position<W>, square: Square) -> bool {
        let us = p.side;
        let units = p.color(us) & self.passers[us.index()][square.index()];
        if p.occupied().has(square) || units.is_empty() {
            return false;
        }
        let near = self.attackers(p, Attack::on(square, us, p.occupied()), units, false);
        near.iter().any(|from| {
            let kind = p.kind_on(from);
            self.roles[us.index()][kind.index()].takes_passers
                && !self.moves.reach(us, kind, from, p.occupied()).0.has(square)
        })
    }

    /// Closes the gates that a turn closes.
    fn close_gates<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        after: &mut Position<W>,
        turn: &Turn,
    ) {
        let d = &self.law.definition;
        let us = p.side;
        let step = turn.first();
        let mut gates = [Color::White, Color::Black].map(|color| self.gates(p, color));
        if step.action() != Action::Place {
            gates[us.index()] = gates[us.index()].without(step.from);
        }
        if step.action() == Action::Castle
            && let Some(wing) = self.wings[us.index()]
                .iter()
                .flatten()
                .find(|wing| wing.castles(step.from, step.to))
        {
            gates[us.index()] = gates[us.index()].without(wing.rook);
        }
        gates[(!us).index()] = gates[(!us).index()].without(step.to);
        if self.has_gated(after, us) {
            gates[us.index()] = S::EMPTY;
        }
        if d.gating.cambodian
            && let Some(rook) = self.law.named("rook")
            && self.law.kinds.piece(step.kind()) == Some(rook)
        {
            // Units and holes between the rook and the king do not matter.
            let king = self.kings(after, !us) & gates[(!us).index()];
            if king.iter().any(|king| {
                let (across, up) = way(self.geometry, step.to, king);
                across == 0 || up == 0
            }) {
                gates[(!us).index()] &= !king;
            }
        }
        for color in Color::BOTH {
            let files = gates[color.index()]
                .iter()
                .fold(0, |files, square| files | 1 << self.geometry.file(square));
            self.law.state.gates[color.index()].set(after, files);
        }
    }

    /// Adds the castling rights that a dropped king or partner gives.
    pub(crate) fn dropped_rights<W: Layout<Set = S>>(
        &self,
        after: &mut Position<W>,
        us: Color,
        to: Square,
    ) {
        for kingside in [true, false] {
            let Some(wing) = &self.wings[us.index()][usize::from(kingside)] else {
                continue;
            };
            if (to == wing.king || to == wing.rook) && self.stands_for(after, us, kingside) {
                after.rights.0 |= Rights::bit(us, kingside).0;
            }
        }
    }

    /// Returns whether king and partner of a castling are on their home squares.
    pub(crate) fn stands_for<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        color: Color,
        kingside: bool,
    ) -> bool {
        let castling = &self.law.definition.castling;
        let Some(wing) = &self.wings[color.index()][usize::from(kingside)] else {
            return false;
        };
        let king = castling.king[color.index()]
            .is_some_and(|king| self.units(p, color, king).has(wing.king));
        king && castling.rooks[color.index()]
            .iter()
            .any(|rook| self.units(p, color, rook).has(wing.rook))
    }
}

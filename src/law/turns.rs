//! The turns of a definition: pseudo-legal ones, and which of them are legal.

use crate::kinds::Memory;
use crate::made::{Made, Role, Scene};
use crate::state::gate_squares;
use board::{Color, Kind, Square, Squares};
use own::PieceType;
use position::{Layout, Position, Rights};
use rules::{Action, Any, Consumer, Each, Flow, Step, Turn};
use smallvec::SmallVec;

/// Which turns are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Want {
    /// All.
    All,
    /// Captures.
    Captures,
    /// Units from hand put on the board.
    Drops,
}

type Choices = SmallVec<[Kind; 8]>;

impl<S: Squares> Made<S> {
    /// The legal turns; all rules heeded.
    #[inline(always)]
    pub(crate) fn legal_turns<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        consumer: &mut K,
    ) -> Flow {
        let d = &self.law.definition;
        let scene = self.scene(p);
        let mut want = Want::All;
        if d.captures.mandatory && self.any(p, &scene, Want::Captures) {
            want = Want::Captures;
        }
        if d.drops.must_drop && self.has_to_drop(p) && self.any(p, &scene, Want::Drops) {
            if want == Want::Captures {
                // Nothing is a capture and a drop.
                return Flow::Continue(());
            }
            want = Want::Drops;
        }
        self.asked(p, &scene, want, true, consumer)?;
        self.passes(p, &scene, want, consumer)
    }

    /// The pseudo-legal turns: those that only royal units could forbid, and the look at all turns.
    pub(crate) fn pseudo_turns<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        consumer: &mut dyn Consumer<S>,
    ) -> Flow {
        let scene = self.scene(p);
        self.generate(p, &scene, Want::All, false, consumer)?;
        self.passes(p, &scene, Want::All, consumer)
    }

    /// Whether there is a legal turn of a kind.
    #[inline(never)]
    pub(crate) fn any<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        scene: &Scene<S>,
        want: Want,
    ) -> bool {
        let mut any = Any::default();
        let _: Flow = self.asked(p, scene, want, true, &mut any as &mut dyn Consumer<S>);
        any.0
    }

    /// Whether the mover holds what has to be dropped first.
    pub(crate) fn has_to_drop<W: Layout<Set = S>>(&self, p: &Position<W>) -> bool {
        match self.law.definition.drops.must_drop_type {
            Some(piece) => self.in_hand(p, p.side, piece) > 0,
            None => self.law.state.hand[p.side.index()].get(p.state) > 0,
        }
    }

    /// The turns, those dropped that have to be played to be judged.
    #[inline(always)]
    fn asked<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        scene: &Scene<S>,
        want: Want,
        legal: bool,
        consumer: &mut K,
    ) -> Flow {
        if self.asks_checks {
            let mut each = Each(|turn: Turn| {
                if self.allowed(p, &turn) {
                    consumer.turn(turn)
                } else {
                    Flow::Continue(())
                }
            });
            let each: &mut dyn Consumer<S> = &mut each;
            self.generate(p, scene, want, legal, each)
        } else {
            self.generate(p, scene, want, legal, consumer)
        }
    }

    /// Whether a turn gives no check where it may not, and leaves room for bishops.
    pub(crate) fn allowed<W: Layout<Set = S>>(&self, p: &Position<W>, turn: &Turn) -> bool {
        let d = &self.law.definition;
        let step = turn.first();
        let drop = step.action() == Action::Place;
        let promotes_in_place = d.promotion.sittuyin
            && step.becomes().is_some()
            && self.law.kinds.piece(step.kind()) == d.pawns.pawn;
        if !d.checks.allowed || drop && !d.drops.checks || promotes_in_place {
            let mut after = *p;
            self.carry_out(p, turn, &mut after);
            if self.king_attacked(&after, !p.side) {
                return false;
            }
        }
        !(drop && d.drops.opposite_bishops) || self.leaves_colors(p, step)
    }

    /// Whether a drop lets the bishops spread over both colors of square.
    fn leaves_colors<W: Layout<Set = S>>(&self, p: &Position<W>, step: Step) -> bool {
        let Some(bishop) = self.law.named("bishop") else {
            return true;
        };
        let us = p.side;
        let bishops = self.units(p, us, bishop);
        let all = bishops.len() + self.in_hand(p, us, bishop) as u32;
        if self.law.kinds.piece(step.kind()) == Some(bishop) {
            let color = if self.dark.has(step.to) {
                self.dark
            } else {
                !self.dark
            };
            return (bishops & color).len() < all.div_ceil(2);
        }
        let left = self.drops[us.index()][bishop.index()] & !p.occupied() & !S::of(step.to);
        let room = |color: S| ((bishops | left) & color).len() >= all / 2;
        room(self.dark) && room(!self.dark)
    }

    /// Passes, where they are allowed.
    #[inline(always)]
    fn passes<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        scene: &Scene<S>,
        want: Want,
        consumer: &mut K,
    ) -> Flow {
        let passing = &self.law.definition.passing;
        let side = scene.us.index();
        if !(passing.allowed[side] || passing.on_stalemate[side])
            || scene.exposed
            || scene.duple && !self.royals_attacked(p, scene.us).is_empty()
            || matches!(want, Want::Captures | Want::Drops)
        {
            return Flow::Continue(());
        }
        let Some(unit) = scene.kings.first().or(scene.own.first()) else {
            return Flow::Continue(());
        };
        if passing.on_stalemate[side] && self.any(p, scene, want) {
            return Flow::Continue(());
        }
        consumer.turn(Turn::of(Step::go(p.kind_on(unit), unit, unit)))
    }

    /// Everything but passes.
    #[inline(always)]
    fn generate<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        scene: &Scene<S>,
        want: Want,
        legal: bool,
        consumer: &mut K,
    ) -> Flow {
        let d = &self.law.definition;
        let side = scene.us.index();
        if want != Want::Drops {
            let gates = self.gates(p, scene.us);
            for from in scene.own.iter() {
                let kind = p.kind_on(from);
                let role = self.roles[side][kind.index()];
                let (quiet, attack) = self.moves.reach(scene.us, kind, from, scene.occupied);
                let mut prey = scene.prey;
                if self.mutually_immune >> kind.index() & 1 != 0
                    && let Some(piece) = self.law.kinds.piece(kind)
                {
                    prey &= !self.units(p, !scene.us, piece);
                }
                let captures = attack & prey;
                let targets = match want {
                    Want::Captures => captures,
                    _ => captures | quiet & !scene.occupied,
                };
                // What a royal unit forbids may depend on what the unit becomes.
                let all = targets;
                let targets = match legal {
                    true => self.kept(p, scene, kind, from, targets),
                    false => targets,
                };
                let changing = if self.has_pseudo() { all } else { targets };
                let gate = gates.has(from);
                self.unit_turns(
                    p,
                    scene,
                    (kind, role, from),
                    (targets, changing),
                    gate,
                    legal,
                    consumer,
                )?;
                if role.takes_passers && p.en_passant().is_some() {
                    self.passer_turns(
                        p,
                        scene,
                        (kind, from),
                        attack & !quiet,
                        gate,
                        legal,
                        consumer,
                    )?;
                }
                if d.promotion.sittuyin && self.law.kinds.piece(kind) == d.pawns.pawn {
                    self.sittuyin_turns(p, scene, (kind, from), want, legal, consumer)?;
                }
            }
            if want != Want::Captures {
                self.castlings(p, scene, legal, gates, consumer)?;
                if d.gating.cambodian && !gates.is_empty() {
                    self.first_leaps(p, scene, gates, legal, consumer)?;
                }
            }
        }
        if d.drops.enabled && want != Want::Captures && self.law.state.hand[side].get(p.state) > 0 {
            self.drop_turns(p, scene, want, legal, consumer)?;
        }
        Flow::Continue(())
    }

    /// The squares whose units have not moved.
    #[inline(always)]
    pub(crate) fn gates<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color) -> S {
        if !self.law.definition.gating.enabled {
            return S::EMPTY;
        }
        gate_squares(
            &self.law.definition,
            &self.law.state,
            self.geometry,
            color,
            p.state,
        )
        .fold(S::EMPTY, S::with)
    }

    /// Turns of one unit to these squares: to the first as what it is, to the others becoming another.
    #[allow(clippy::too_many_arguments)]
    #[inline(always)]
    fn unit_turns<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        scene: &Scene<S>,
        (kind, role, from): (Kind, Role, Square),
        (staying, targets): (S, S),
        gate: bool,
        legal: bool,
        consumer: &mut K,
    ) -> Flow {
        let d = &self.law.definition;
        let zone = self.zone[scene.us.index()];
        let mut plain = staying;
        let mut promoting = S::EMPTY;
        if role.pawn {
            promoting = targets & zone;
            if d.promotion.mandatory_for_pawns {
                plain &= !promoting;
            }
        }
        // What a unit becomes by its kind alone makes nothing royal before the next turn.
        let mut raised = S::EMPTY;
        let mut lowered = S::EMPTY;
        if role.promoted.is_some() || role.demoted.is_some() {
            let is_pawn = d.pawns.pawn.is_some() && self.law.kinds.piece(kind) == d.pawns.pawn;
            let by_capture = match d.promotion.by_capture_only {
                true => scene.occupied,
                false => !S::EMPTY,
            };
            if is_pawn {
                if !d.promotion.sittuyin {
                    raised = staying & zone & by_capture;
                }
            } else {
                let here = if zone.has(from) { !S::EMPTY } else { zone };
                let room = role
                    .promoted
                    .is_some_and(|to| self.has_room(p, scene.us, to));
                if room {
                    raised = staying & by_capture & here;
                }
                if role.demoted.is_some() {
                    lowered = staying & by_capture & here;
                }
                if d.promotion.mandatory_for_pieces && (room || role.demoted.is_some()) {
                    let may_stay = match d.promotion.by_capture_only {
                        true => !scene.occupied,
                        false => S::EMPTY,
                    };
                    let outside = if zone.has(from) { S::EMPTY } else { !zone };
                    plain &= outside | may_stay;
                }
            }
        }
        let choices = match promoting.is_empty() {
            true => Choices::new(),
            false => self.choices(p, scene.us),
        };
        // Turns to what is to be chosen too are the same turns.
        if role
            .promoted
            .is_some_and(|becomes| choices.contains(&becomes))
        {
            raised &= !promoting;
        }
        if role
            .demoted
            .is_some_and(|becomes| choices.contains(&becomes))
        {
            lowered &= !promoting;
        }
        if d.checks.immobility_illegal {
            plain &= self.moves.of(scene.us, kind).mobile;
        }
        consumer.unit(kind, from, plain)?;
        if gate {
            for to in plain.iter() {
                self.gated(p, scene.us, Step::go(kind, from, to), from, consumer)?;
            }
        }
        if !promoting.is_empty() {
            // What it becomes may be royal, or make others so.
            let royal = self.has_pseudo();
            if gate || royal && legal {
                for to in promoting.iter() {
                    for &choice in &choices {
                        let step = Step::go(kind, from, to).becoming(choice);
                        let captured = S::of(to) & scene.enemy;
                        if legal
                            && royal
                            && !self.lawful(p, scene, Some(from), to, captured, Some(choice), kind)
                        {
                            continue;
                        }
                        consumer.turn(Turn::of(step))?;
                        if gate {
                            self.gated(p, scene.us, step, from, consumer)?;
                        }
                    }
                }
            } else {
                consumer.unit_becoming(kind, from, promoting, &choices)?;
            }
        }
        for (becomes, targets) in [(role.promoted, raised), (role.demoted, lowered)] {
            let Some(becomes) = becomes.filter(|_| !targets.is_empty()) else {
                continue;
            };
            consumer.unit_becoming(kind, from, targets, &[becomes])?;
            // Of what turns over only pawns let others in behind them.
            if gate && d.pawns.pawn.is_some() && self.law.kinds.piece(kind) == d.pawns.pawn {
                for to in targets.iter() {
                    let step = Step::go(kind, from, to).becoming(becomes);
                    self.gated(p, scene.us, step, from, consumer)?;
                }
            }
        }
        Flow::Continue(())
    }

    /// Whether a side may have one more of a kind on the board by promotion.
    fn has_room<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color, kind: Kind) -> bool {
        let Some(piece) = self.law.kinds.piece(kind) else {
            return false;
        };
        match self.law.definition.promotion.limits.get(piece.index()) {
            None | Some(0) => true,
            Some(&limit) => self.units(p, color, piece).len() < u32::from(limit),
        }
    }

    /// What pawns may become now.
    fn choices<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color) -> Choices {
        let all = &self.law.choices[color.index()];
        all.iter()
            .copied()
            .filter(|&kind| self.has_room(p, color, kind))
            .collect()
    }

    /// A turn with each unit from hand that may enter on a square behind it.
    fn gated<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        us: Color,
        step: Step,
        gate: Square,
        consumer: &mut K,
    ) -> Flow {
        let d = &self.law.definition;
        if !d.gating.seirawan {
            return Flow::Continue(());
        }
        for n in 0..d.pieces.len() {
            let piece = PieceType(n as u8);
            if self.in_hand(p, us, piece) > 0 && self.drop_squares(p, us, piece).has(gate) {
                let place = Step::place(self.law.kinds.plain(piece), gate);
                consumer.turn(Turn::two(step, place))?;
            }
        }
        Flow::Continue(())
    }

    /// Where a piece may be dropped, were all squares vacant.
    fn drop_squares<W: Layout<Set = S>>(&self, p: &Position<W>, us: Color, piece: PieceType) -> S {
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

    /// Units put on the board from hand.
    fn drop_turns<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        scene: &Scene<S>,
        want: Want,
        legal: bool,
        consumer: &mut K,
    ) -> Flow {
        let d = &self.law.definition;
        let us = scene.us;
        // While one kind is due no other is dropped, even where the one that is due has no place.
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
            let vacant = self.drop_squares(p, us, piece) & !scene.occupied;
            let kind = self.law.kinds.plain(piece);
            // Where a unit of a form may stand, by what it is and not by what it was.
            let standing = |kind: Kind| {
                if !legal {
                    return vacant;
                }
                let king = d.checks.king.is_some() && self.law.kinds.piece(kind) == d.checks.king;
                let royal = self.has_pseudo() || king;
                let mut sure = match scene.exposed || scene.duple || royal {
                    true => S::EMPTY,
                    false => vacant & !scene.to_zone,
                };
                for to in (vacant & !sure).iter() {
                    if self.lawful(p, scene, None, to, S::EMPTY, None, kind) {
                        sure = sure.with(to);
                    }
                }
                sure
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

    /// The squares that may be entered in passing, and the unit that has passed them.
    pub(crate) fn passed<W: Layout<Set = S>>(&self, p: &Position<W>) -> Option<(S, Square)> {
        let square = p.en_passant()?;
        let map = &self.law.state;
        let mut squares = S::of(square);
        let noted = map.passer.get(p.state);
        let unit = if noted > 0 {
            let unit = Square((noted - 1) as u8);
            squares |= self.passed_near(p, square, unit);
            unit
        } else {
            // The next unit of the opponent ahead of the square, as he goes.
            let north = p.side == Color::Black;
            let enemy = p.color(!p.side);
            let mut at = square;
            loop {
                at = self.ahead(at, north)?;
                if enemy.has(at) {
                    break at;
                }
            }
        };
        Some((squares, unit))
    }

    /// The next square up or down the file.
    pub(crate) fn ahead(&self, from: Square, north: bool) -> Option<Square> {
        self.next[if north { 2 } else { 6 }][from.index()]
    }

    /// Captures in passing by one unit, whose squares of pure attack are given.
    #[allow(clippy::too_many_arguments)]
    fn passer_turns<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        scene: &Scene<S>,
        (kind, from): (Kind, Square),
        attack: S,
        gate: bool,
        legal: bool,
        consumer: &mut K,
    ) -> Flow {
        let Some((squares, unit)) = self.passed(p) else {
            return Flow::Continue(());
        };
        for to in (squares & attack & !scene.occupied).iter() {
            let captured = S::of(unit);
            if legal && !self.lawful(p, scene, Some(from), to, captured, None, kind) {
                continue;
            }
            let step = Step::new(Action::EnPassant, kind, from, to);
            consumer.turn(Turn::of(step))?;
            if gate {
                self.gated(p, scene.us, step, from, consumer)?;
            }
        }
        Flow::Continue(())
    }

    /// Promotions of Sittuyin: in place or to a vacant square that the new unit attacks.
    fn sittuyin_turns<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        scene: &Scene<S>,
        (kind, from): (Kind, Square),
        want: Want,
        legal: bool,
        consumer: &mut K,
    ) -> Flow {
        let us = scene.us;
        // Those that were promoted to pawns count, too.
        let piece = self.law.kinds.piece(kind);
        let several = piece.is_some_and(|pawn| self.units(p, us, pawn).several());
        if want == Want::Captures || several && !self.zone[us.index()].has(from) {
            return Flow::Continue(());
        }
        for choice in self.choices(p, us) {
            let (_, attack) = self.moves.reach(us, choice, from, scene.occupied);
            let lifted = scene.occupied.without(from);
            for to in (attack & !scene.occupied).with(from).iter() {
                let (_, then) = self.moves.reach(us, choice, to, lifted);
                if !(then & scene.enemy).is_empty()
                    || legal && !self.lawful(p, scene, Some(from), to, S::EMPTY, Some(choice), kind)
                {
                    continue;
                }
                consumer.turn(Turn::of(Step::go(kind, from, to).becoming(choice)))?;
            }
        }
        Flow::Continue(())
    }

    /// First leaps of Cambodian chess.
    fn first_leaps<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        scene: &Scene<S>,
        gates: S,
        legal: bool,
        consumer: &mut K,
    ) -> Flow {
        let ahead: i32 = if scene.us == Color::White { 1 } else { -1 };
        let ferses = match self.law.named("fers") {
            Some(fers) => self.units(p, scene.us, fers),
            None => S::EMPTY,
        };
        let kings = if scene.in_check {
            S::EMPTY
        } else {
            scene.kings
        };
        for from in ((kings | ferses) & gates).iter() {
            let kind = p.kind_on(from);
            let goals: &[(i32, i32)] = if scene.kings.has(from) {
                &[(-2, 1), (2, 1)]
            } else {
                &[(0, 2)]
            };
            let mut targets = S::EMPTY;
            for &(dx, dy) in goals {
                if let Some(to) = self.geometry.step(from, dx, dy * ahead) {
                    targets = targets.with(to);
                }
            }
            // What it reaches anyway is no leap.
            let (quiet, _) = self.moves.reach(scene.us, kind, from, scene.occupied);
            targets &= !(scene.occupied | quiet);
            if legal {
                targets = self.kept(p, scene, kind, from, targets);
            }
            consumer.unit(kind, from, targets)?;
        }
        Flow::Continue(())
    }

    /// Castlings.
    fn castlings<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        scene: &Scene<S>,
        legal: bool,
        gates: S,
        consumer: &mut K,
    ) -> Flow {
        let us = scene.us;
        if !p.may_castle(us) {
            return Flow::Continue(());
        }
        for kingside in [true, false] {
            let Some(wing) = &self.wings[us.index()][usize::from(kingside)] else {
                continue;
            };
            if !p.rights.has(Rights::bit(us, kingside))
                || !(wing.vacant & scene.occupied).is_empty()
                || legal && !self.castles(p, scene, kingside)
            {
                continue;
            }
            let kind = p.kind_on(wing.king);
            let (steps, _) = self.moves.reach(us, kind, wing.king, scene.occupied);
            let to = if steps.has(wing.king_to) {
                wing.rook
            } else {
                wing.king_to
            };
            let step = Step::new(Action::Castle, kind, wing.king, to);
            consumer.turn(Turn::of(step))?;
            for gate in [wing.king, wing.rook] {
                if gates.has(gate) && gate != wing.king_to && gate != wing.rook_to {
                    self.gated(p, us, step, gate, consumer)?;
                }
            }
        }
        Flow::Continue(())
    }

    /// Whether a castling whose way is vacant leaves royal units safe.
    fn castles<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        scene: &Scene<S>,
        kingside: bool,
    ) -> bool {
        let us = scene.us;
        let Some(wing) = &self.wings[us.index()][usize::from(kingside)] else {
            return false;
        };
        let attacked = |square: Square, occupied: S, royal: bool| {
            !self
                .attackers(p, square, !us, scene.enemy, occupied, royal)
                .is_empty()
        };
        let lifted = scene.occupied.without(wing.king).without(wing.rook);
        let after = lifted.with(wing.king_to).with(wing.rook_to);
        if scene.kings.has(wing.king) {
            // The king himself shields squares behind him as he stands; after it the rook does not.
            if scene.in_check
                || wing
                    .passed
                    .iter()
                    .any(|&square| attacked(square, scene.occupied, true))
                || attacked(wing.king_to, scene.occupied.without(wing.rook), false)
            {
                return false;
            }
        } else if !scene.kings.is_empty() {
            // Another unit castles: the king must not come to be attacked.
            if scene.in_check || scene.kings.iter().any(|king| attacked(king, after, true)) {
                return false;
            }
        }
        // A royal partner does not castle: what is royal has to stand where it stood, the castling unit
        // itself aside.
        let castled = |set: S| match set.has(wing.king) {
            true => set.without(wing.king).with(wing.king_to),
            false => set,
        };
        if scene.duple
            && castled(self.candidates(p, us)).iter().all(|royal| {
                !self.touched(royal, scene.their_royals) && attacked(royal, after, false)
            })
        {
            return false;
        }
        let mut royals = scene.royals;
        if royals.is_empty() {
            return true;
        }
        let travels = royals.has(wing.king);
        royals = castled(royals);
        if !(royals & !after).is_empty() {
            return false;
        }
        if travels {
            let way = [wing.king].into_iter().chain(wing.passed.iter().copied());
            let lifted = scene.occupied.without(wing.king);
            for square in way.filter(|&square| square != wing.king_to) {
                if !self.touched(square, scene.their_royals) && attacked(square, lifted, false) {
                    return false;
                }
            }
        }
        royals
            .iter()
            .all(|royal| self.touched(royal, scene.their_royals) || !attacked(royal, after, false))
    }

    /// Of these squares those to which the unit may go without leaving a royal unit attacked.
    #[inline(always)]
    pub(crate) fn kept<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        scene: &Scene<S>,
        kind: Kind,
        from: Square,
        targets: S,
    ) -> S {
        let royals = scene.kings | scene.royals;
        if royals.is_empty() && !scene.duple || targets.is_empty() {
            return targets;
        }
        let mut sure = S::EMPTY;
        if !scene.duple && !scene.exposed && !scene.from_zone.has(from) && !royals.has(from) {
            sure = targets & !scene.to_zone;
            if self.law.definition.captures.blast {
                sure &= !scene.enemy;
            }
        }
        for to in (targets & !sure).iter() {
            let captured = S::of(to) & scene.enemy;
            if self.lawful(p, scene, Some(from), to, captured, None, kind) {
                sure = sure.with(to);
            }
        }
        sure
    }

    /// Whether a step or drop leaves the mover's royal units as the law wants them. `captured` holds
    /// what is captured, a blast aside.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn lawful<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        scene: &Scene<S>,
        from: Option<Square>,
        to: Square,
        captured: S,
        becomes: Option<Kind>,
        kind: Kind,
    ) -> bool {
        let d = &self.law.definition;
        let us = scene.us;
        let mut occupied = scene.occupied & !captured;
        if let Some(from) = from {
            occupied = occupied.without(from);
        }
        occupied = occupied.with(to);
        if d.captures.blast && !captured.is_empty() {
            occupied &= !self.blast(p, to, from);
        }
        let theirs = scene.enemy & occupied & !S::of(to);
        let attacked = |square: Square, royal: bool| {
            !self
                .attackers(p, square, !us, theirs, occupied, royal)
                .is_empty()
        };
        let moved = |royals: S| match from {
            Some(from) if royals.has(from) => royals.without(from).with(to),
            _ => royals,
        };
        if self.has_pseudo() {
            // What was royal stands and is not attacked; so does what is dropped, and what a unit
            // becomes, unless there are then so many of the kind that none is royal.
            let piece = self.law.kinds.piece(becomes.unwrap_or(kind));
            // Only kinds that are named make royal what comes: `*` counts units of all kinds alone.
            let is_candidate = |piece: PieceType| self.pseudo.has(piece);
            let mut royals = moved(scene.royals);
            if from.is_none() && piece.is_some_and(is_candidate) {
                royals = royals.with(to);
            }
            if becomes.is_some()
                && let Some(piece) = piece.filter(|&piece| self.pseudo.has(piece))
            {
                let units = self.units(p, us, piece);
                royals = match units.len() > u32::from(d.extinction.count) {
                    true => royals & !units,
                    false => royals.with(to),
                };
            }
            if !(royals & !occupied).is_empty() {
                return false;
            }
            let destroyed = !(scene.their_royals & !occupied).is_empty();
            let open =
                |royal: Square| !self.touched(royal, scene.their_royals) && attacked(royal, false);
            if !destroyed && royals.iter().any(open) {
                return false;
            }
            if d.extinction.duple_check {
                let mut candidates = moved(self.candidates(p, us));
                if becomes.is_some() && piece.is_some_and(is_candidate) {
                    candidates = candidates.with(to);
                }
                if !candidates.is_empty() && candidates.iter().all(open) {
                    return false;
                }
            }
        }
        let mut kings = moved(scene.kings);
        if from.is_none() && d.checks.king.is_some() && self.law.kinds.piece(kind) == d.checks.king
        {
            kings = kings.with(to);
        }
        if kings.is_empty() {
            return true;
        }
        if d.checks.makpong && scene.in_check && from.is_some_and(|from| scene.kings.has(from)) {
            let checkers = scene.kings.iter().fold(S::EMPTY, |all, king| {
                all | self.attackers(p, king, !us, scene.enemy, scene.occupied, false)
            });
            if checkers != S::of(to) {
                return false;
            }
        }
        if !(kings & !occupied).is_empty() {
            return false;
        }
        !kings.iter().any(|king| attacked(king, true))
    }

    /// What a capture on a square destroys around it and on it; `from` is where the captor came from.
    pub(crate) fn blast<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        to: Square,
        from: Option<Square>,
    ) -> S {
        let pawns = match self.law.definition.pawns.pawn {
            Some(pawn) => self
                .law
                .kinds
                .forms(pawn)
                .iter()
                .fold(S::EMPTY, |all, &kind| all | p.kind(kind)),
            None => S::EMPTY,
        };
        let immune = self.units_of_kinds(p, self.immune);
        let around = self.moves.ring[to.index()] & p.occupied() & !pawns & !immune;
        match from {
            Some(from) => {
                let spared = immune.has(from);
                let around = around.without(from);
                if spared { around } else { around.with(to) }
            }
            None => around,
        }
    }

    /// What a unit that had promoted is in hand, as its owner's opponent takes it.
    pub(crate) fn hand_piece(&self, kind: Kind, owner: Color) -> Option<PieceType> {
        crate::state::reverted(&self.law.definition, &self.law.kinds, kind, owner)
    }

    /// What lies in hand of a unit that is put on the board as this kind.
    pub(crate) fn dropped_piece(&self, kind: Kind) -> Option<PieceType> {
        match self.law.kinds.memory(kind) {
            Memory::Piece(was) => Some(was),
            _ => self.law.kinds.piece(kind),
        }
    }
}

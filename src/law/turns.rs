//! The turns of a definition: pseudo-legal ones, and which of them are legal.

use crate::asking::Asking;
use crate::kinds::Memory;
use crate::made::{Made, Role};
use crate::moves::{ATTACK, Moves, QUIET};
use crate::scene::{Notes, Scene};
use board::{Color, Kind, Square, Squares};
use own::PieceType;
use position::{Layout, Position, Rights};
use rules::{Action, Any, Consumer, Flow, Step, Turn, list, with_turns};
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

/// Units in hand that may enter where others leave, with the squares where they may.
type Held<S> = SmallVec<[(Kind, S); 4]>;

/// Hands turns on and notes whether there was one.
struct Noting<'a, K: ?Sized> {
    consumer: &'a mut K,
    any: bool,
}

impl<S: Squares, K: Consumer<S> + ?Sized> Consumer<S> for Noting<'_, K> {
    fn looks(&self) -> bool {
        self.consumer.looks()
    }

    fn unit(&mut self, kind: Kind, from: Square, targets: S) -> Flow {
        self.any |= !targets.is_empty();
        self.consumer.unit(kind, from, targets)
    }

    fn pawns(&mut self, offset: i32, targets: S, action: Action) -> Flow {
        self.any |= !targets.is_empty();
        self.consumer.pawns(offset, targets, action)
    }

    fn unit_becoming(&mut self, kind: Kind, from: Square, targets: S, choices: &[Kind]) -> Flow {
        self.any |= !targets.is_empty() && !choices.is_empty();
        self.consumer.unit_becoming(kind, from, targets, choices)
    }

    fn pawns_becoming(&mut self, offset: i32, targets: S, choices: &[Kind]) -> Flow {
        self.any |= !targets.is_empty() && !choices.is_empty();
        self.consumer.pawns_becoming(offset, targets, choices)
    }

    fn placed(&mut self, kind: Kind, targets: S) -> Flow {
        self.any |= !targets.is_empty();
        self.consumer.placed(kind, targets)
    }

    fn turn(&mut self, turn: Turn) -> Flow {
        self.any = true;
        self.consumer.turn(turn)
    }
}

/// Counts turns, and those of them that capture.
#[derive(Default)]
struct Tally<S> {
    all: u64,
    captures: u64,
    /// What may be captured.
    prey: S,
}

impl<S: Squares> Tally<S> {
    #[inline(always)]
    fn add(&mut self, targets: S, each: usize) -> Flow {
        self.all += u64::from(targets.len()) * each as u64;
        self.captures += u64::from((targets & self.prey).len()) * each as u64;
        Flow::Continue(())
    }
}

impl<S: Squares> Consumer<S> for Tally<S> {
    #[inline(always)]
    fn looks(&self) -> bool {
        false
    }

    #[inline(always)]
    fn unit(&mut self, _: Kind, _: Square, targets: S) -> Flow {
        self.add(targets, 1)
    }

    #[inline(always)]
    fn pawns(&mut self, _: i32, targets: S, _: Action) -> Flow {
        self.add(targets, 1)
    }

    #[inline(always)]
    fn unit_becoming(&mut self, _: Kind, _: Square, targets: S, choices: &[Kind]) -> Flow {
        self.add(targets, choices.len())
    }

    #[inline(always)]
    fn pawns_becoming(&mut self, _: i32, targets: S, choices: &[Kind]) -> Flow {
        self.add(targets, choices.len())
    }

    #[inline(always)]
    fn placed(&mut self, _: Kind, targets: S) -> Flow {
        self.add(targets, 1)
    }

    #[inline(always)]
    fn turn(&mut self, turn: Turn) -> Flow {
        let step = turn.first();
        let passing = step.action() == Action::EnPassant;
        self.all += 1;
        self.captures += u64::from(passing || self.prey.has(step.to));
        Flow::Continue(())
    }
}

/// A kind of the mover as its units are gone through.
struct Mover<'a, S> {
    kind: Kind,
    role: Role,
    moves: &'a Moves<S>,
    /// What it may capture.
    prey: S,
}

impl<S: Squares> Made<S> {
    /// The legal turns; all rules heeded.
    #[inline(always)]
    pub(crate) fn legal_turns<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        consumer: &mut K,
    ) -> Flow {
        let mut notes = Notes::new();
        self.legal_noted(p, &mut notes, consumer)
    }

    /// The same with notes to be used again.
    #[inline(always)]
    fn legal_noted<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        notes: &mut Notes<S>,
        consumer: &mut K,
    ) -> Flow {
        let d = &self.law.definition;
        let scene = self.scene(p, notes);
        let mut want = Want::All;
        if d.captures.mandatory {
            if d.drops.must_drop {
                if self.any(p, &scene, Want::Captures) {
                    want = Want::Captures;
                }
            } else {
                let mut noting = Noting {
                    consumer: &mut *consumer,
                    any: false,
                };
                let captures: &mut dyn Consumer<S> = &mut noting;
                self.asked(p, &scene, Want::Captures, true, captures)?;
                if noting.any {
                    return Flow::Continue(());
                }
            }
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

    /// How many legal turns a position has that is not settled.
    fn count<W: Layout<Set = S>>(&self, p: &Position<W>, notes: &mut Notes<S>) -> u64 {
        let d = &self.law.definition;
        let mut tally = Tally {
            prey: p.color(!p.side),
            ..Tally::default()
        };
        if d.captures.mandatory && !d.drops.must_drop {
            // Both at once, and then what counts.
            let scene = self.scene(p, notes);
            let _: Flow = self.asked(p, &scene, Want::All, true, &mut tally);
            if tally.captures > 0 {
                return tally.captures;
            }
            let _: Flow = self.passes(p, &scene, Want::All, &mut tally);
        } else {
            let _: Flow = self.legal_noted(p, notes, &mut tally);
        }
        tally.all
    }

    #[inline(never)]
    fn list<W: Layout<Set = S>>(&self, p: &Position<W>, turns: &mut Vec<Turn>) {
        let consumer: &mut dyn Consumer<S> = &mut list(turns);
        let _: Flow = self.legal_turns(p, consumer);
    }

    /// How many lines of two turns there are.
    pub(crate) fn pairs<W: Layout<Set = S>>(&self, p: &Position<W>) -> u64 {
        with_turns(|turns| {
            self.list(p, turns);
            let mut notes = Notes::new();
            let mut count = 0;
            for turn in turns.iter() {
                let mut after = *p;
                self.carry_out(p, turn, &mut after);
                if self.ended(&after).is_none() {
                    count += self.count(&after, &mut notes);
                }
            }
            count
        })
    }

    /// The pseudo-legal turns: those that only royal units could forbid, and the look at all turns.
    pub(crate) fn pseudo_turns<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        consumer: &mut dyn Consumer<S>,
    ) -> Flow {
        let mut notes = Notes::new();
        let scene = self.scene(p, &mut notes);
        self.generate(p, &scene, Want::All, false, consumer)?;
        self.passes(p, &scene, Want::All, consumer)
    }

    /// Whether there is a legal turn of a kind.
    #[inline(never)]
    pub(crate) fn any<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        scene: &Scene<'_, S>,
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
    #[inline]
    fn asked<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        scene: &Scene<'_, S>,
        want: Want,
        legal: bool,
        consumer: &mut K,
    ) -> Flow {
        if self.asks_checks {
            let asking: &mut dyn Consumer<S> = &mut Asking::new(self, p, consumer);
            self.generate(p, scene, want, legal, asking)
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
        scene: &Scene<'_, S>,
        want: Want,
        consumer: &mut K,
    ) -> Flow {
        let passing = &self.law.definition.passing;
        let side = scene.us.index();
        if !(passing.allowed[side] || passing.on_stalemate[side])
            || scene.watch.exposed
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
    #[inline]
    fn generate<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        scene: &Scene<'_, S>,
        want: Want,
        legal: bool,
        consumer: &mut K,
    ) -> Flow {
        let d = &self.law.definition;
        let side = scene.us.index();
        if want != Want::Drops {
            let gates = self.gates(p, scene.us);
            let held = self.held(p, scene.us, gates);
            if consumer.looks() {
                for from in scene.own.iter() {
                    let mover = self.mover(scene, p.kind_on(from));
                    self.unit(
                        p,
                        scene,
                        &mover,
                        from,
                        (gates, &held),
                        (want, legal),
                        consumer,
                    )?;
                }
            } else {
                for kind in self.law.kinds.all() {
                    let mut units = scene.units.kinds[kind.index()] & scene.own;
                    if units.is_empty() {
                        continue;
                    }
                    let mover = self.mover(scene, kind);
                    if legal && mover.role.together && mover.moves.ways.is_some() {
                        let apart = self.apart(p, scene, &mover) | gates;
                        self.together(p, scene, &mover, units & !apart, want, consumer)?;
                        units &= apart;
                    }
                    for from in units.iter() {
                        self.unit(
                            p,
                            scene,
                            &mover,
                            from,
                            (gates, &held),
                            (want, legal),
                            consumer,
                        )?;
                    }
                }
            }
            if want != Want::Captures {
                self.castlings(p, scene, legal, (gates, &held), consumer)?;
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

    /// What is the same for all units of a kind.
    #[inline(always)]
    fn mover(&self, scene: &Scene<'_, S>, kind: Kind) -> Mover<'_, S> {
        let mut prey = scene.prey;
        if self.mutually_immune >> kind.index() & 1 != 0
            && let Some(piece) = self.law.kinds.piece(kind)
        {
            for form in self.law.kinds.forms(piece) {
                prey &= !scene.units.kinds[form.index()];
            }
        }
        Mover {
            kind,
            role: self.roles[scene.us.index()][kind.index()],
            moves: self.moves.of(scene.us, kind),
            prey,
        }
    }

    /// Units of a kind that cannot be taken together with the others: what they may do depends on where
    /// they stand, or has to be asked.
    #[inline(always)]
    fn apart<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        scene: &Scene<'_, S>,
        mover: &Mover<'_, S>,
    ) -> S {
        if scene.watch.unsure {
            return !S::EMPTY;
        }
        let mut apart = scene.kings | scene.royals | scene.watch.pinned | scene.watch.from_zone;
        if mover.role.takes_passers
            && let Some(square) = p.en_passant()
        {
            apart |= match self.law.passer {
                true => !S::EMPTY,
                false => self.passers[scene.us.index()][square.index()],
            };
        }
        if mover.role.pawn && self.has_pseudo() {
            let zone = self.zone[scene.us.index()];
            for way in mover.moves.ways.iter().flatten() {
                apart |= zone.shift(-way.by);
            }
        }
        apart
    }

    /// The turns of units of a kind that step together, for those that only count turns: nothing forbids
    /// them but squares.
    #[inline(always)]
    fn together<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        scene: &Scene<'_, S>,
        mover: &Mover<'_, S>,
        units: S,
        want: Want,
        consumer: &mut K,
    ) -> Flow {
        if units.is_empty() {
            return Flow::Continue(());
        }
        let d = &self.law.definition;
        let zone = self.zone[scene.us.index()];
        for way in mover.moves.ways.iter().flatten() {
            let goals = way.goals(units, scene.occupied);
            let mut targets = S::EMPTY;
            if way.uses & QUIET != 0 && want != Want::Captures {
                targets |= goals & !scene.occupied;
            }
            if way.uses & ATTACK != 0 {
                targets |= goals & mover.prey;
            }
            if scene.guarded {
                let mut kept = targets & scene.watch.mask & !scene.asked;
                for to in (targets & scene.asked).iter() {
                    let from = rules::before(to, way.by);
                    let captured = S::of(to) & scene.enemy;
                    if self.lawful(p, scene, Some(from), to, captured, None, mover.kind) {
                        kept = kept.with(to);
                    }
                }
                targets = kept;
            }
            if targets.is_empty() {
                continue;
            }
            let from = targets.lowest();
            let mut plain = targets;
            if mover.role.pawn {
                let promoting = targets & zone;
                if !promoting.is_empty() {
                    let choices = self.choices(p, scene.us);
                    consumer.unit_becoming(mover.kind, from, promoting, &choices)?;
                    if d.promotion.mandatory_for_pawns {
                        plain &= !promoting;
                    }
                }
            }
            if d.checks.immobility_illegal {
                plain &= mover.moves.mobile;
            }
            consumer.unit(mover.kind, from, plain)?;
        }
        Flow::Continue(())
    }

    /// The turns of one unit, castling aside.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    fn unit<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        scene: &Scene<'_, S>,
        mover: &Mover<'_, S>,
        from: Square,
        (gates, held): (S, &Held<S>),
        (want, legal): (Want, bool),
        consumer: &mut K,
    ) -> Flow {
        let d = &self.law.definition;
        let kind = mover.kind;
        let (quiet, attack) = self.moves.reach_of(mover.moves, from, scene.occupied);
        let captures = attack & mover.prey;
        let all = match want {
            Want::Captures => captures,
            _ => captures | quiet & !scene.occupied,
        };
        let targets = match legal {
            true => self.kept(p, scene, kind, from, all),
            false => all,
        };
        let gate = gates.has(from);
        if mover.role.plain && !gate {
            consumer.unit(kind, from, targets)?;
        } else {
            // What a royal unit forbids may depend on what the unit becomes.
            let changing = if self.has_pseudo() { all } else { targets };
            let entering = if gate {
                entering(held, from)
            } else {
                Choices::new()
            };
            self.unit_turns(
                p,
                scene,
                mover,
                from,
                (targets, changing),
                &entering,
                legal,
                consumer,
            )?;
        }
        if mover.role.takes_passers && p.en_passant().is_some() {
            let entering = if gate {
                entering(held, from)
            } else {
                Choices::new()
            };
            self.passer_turns(
                p,
                scene,
                (kind, from),
                attack & !quiet,
                &entering,
                legal,
                consumer,
            )?;
        }
        if d.promotion.sittuyin && self.law.kinds.piece(kind) == d.pawns.pawn {
            self.sittuyin_turns(p, scene, (kind, from), want, legal, consumer)?;
        }
        Flow::Continue(())
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
    fn held<W: Layout<Set = S>>(&self, p: &Position<W>, us: Color, gates: S) -> Held<S> {
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

    /// Turns of one unit to these squares: to the first as what it is, to the others becoming another.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    fn unit_turns<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        scene: &Scene<'_, S>,
        mover: &Mover<'_, S>,
        from: Square,
        (staying, targets): (S, S),
        entering: &[Kind],
        legal: bool,
        consumer: &mut K,
    ) -> Flow {
        let d = &self.law.definition;
        let (kind, role) = (mover.kind, mover.role);
        let gate = !entering.is_empty();
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
            plain &= mover.moves.mobile;
        }
        consumer.unit(kind, from, plain)?;
        if gate && !consumer.looks() {
            // As many turns as there are units that may enter.
            consumer.unit_becoming(kind, from, plain, entering)?;
        } else if gate {
            for to in plain.iter() {
                gated(Step::go(kind, from, to), from, entering, consumer)?;
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
                        gated(step, from, entering, consumer)?;
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
                    gated(step, from, entering, consumer)?;
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
        scene: &Scene<'_, S>,
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
                let asks = match scene.watch.unsure || royal {
                    true => vacant,
                    false => vacant & scene.asked,
                };
                let mut kept = vacant & !asks & scene.watch.mask;
                for to in asks.iter() {
                    if self.lawful(p, scene, None, to, S::EMPTY, None, kind) {
                        kept = kept.with(to);
                    }
                }
                kept
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
        scene: &Scene<'_, S>,
        (kind, from): (Kind, Square),
        attack: S,
        entering: &[Kind],
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
            gated(step, from, entering, consumer)?;
        }
        Flow::Continue(())
    }

    /// Promotions of Sittuyin: in place or to a vacant square that the new unit attacks.
    fn sittuyin_turns<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        scene: &Scene<'_, S>,
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
        scene: &Scene<'_, S>,
        gates: S,
        legal: bool,
        consumer: &mut K,
    ) -> Flow {
        let ahead: i32 = if scene.us == Color::White { 1 } else { -1 };
        let ferses = match self.law.named("fers") {
            Some(fers) => self.units(p, scene.us, fers),
            None => S::EMPTY,
        };
        let kings = if scene.watch.in_check {
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
        scene: &Scene<'_, S>,
        legal: bool,
        (gates, held): (S, &Held<S>),
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
                    gated(step, gate, &entering(held, gate), consumer)?;
                }
            }
        }
        Flow::Continue(())
    }

    /// Whether a castling whose way is vacant leaves royal units safe.
    fn castles<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        scene: &Scene<'_, S>,
        kingside: bool,
    ) -> bool {
        let us = scene.us;
        let Some(wing) = &self.wings[us.index()][usize::from(kingside)] else {
            return false;
        };
        let attacked = |square: Square, occupied: S, royal: bool| {
            self.exposes(scene, square, scene.enemy, occupied, royal)
        };
        let lifted = scene.occupied.without(wing.king).without(wing.rook);
        let after = lifted.with(wing.king_to).with(wing.rook_to);
        if scene.kings.has(wing.king) {
            // The king himself shields squares behind him as he stands; after it the rook does not.
            if scene.watch.in_check
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
            if scene.watch.in_check || scene.kings.iter().any(|king| attacked(king, after, true)) {
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
        scene: &Scene<'_, S>,
        kind: Kind,
        from: Square,
        targets: S,
    ) -> S {
        if !scene.guarded || targets.is_empty() {
            return targets;
        }
        let royal = (scene.kings | scene.royals).has(from);
        let mut asks = targets;
        let mut kept = S::EMPTY;
        if royal && scene.lone {
            asks &= scene.asked;
            let lifted = scene.occupied.without(from);
            kept = (targets & !asks)
                .iter()
                .filter(|&to| {
                    !self.exposes(scene, to, scene.enemy.without(to), lifted.with(to), true)
                })
                .fold(S::EMPTY, S::with);
        } else if !royal && !scene.watch.unsure && !scene.watch.from_zone.has(from) {
            asks &= scene.asked;
            kept = targets & !asks & scene.watch.allowed(from);
        }
        for to in asks.iter() {
            let captured = S::of(to) & scene.enemy;
            if self.lawful(p, scene, Some(from), to, captured, None, kind) {
                kept = kept.with(to);
            }
        }
        kept
    }

    /// Whether a step or drop leaves the mover's royal units as the law wants them. `captured` holds
    /// what is captured, a blast aside.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn lawful<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        scene: &Scene<'_, S>,
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
        let attacked =
            |square: Square, royal: bool| self.exposes(scene, square, theirs, occupied, royal);
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
        if d.checks.makpong
            && scene.watch.in_check
            && from.is_some_and(|from| scene.kings.has(from))
        {
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

/// What of the units held may enter on a square.
fn entering<S: Squares>(held: &Held<S>, gate: Square) -> Choices {
    let here = held.iter().filter(|(_, squares)| squares.has(gate));
    here.map(|(kind, _)| *kind).collect()
}

/// A turn with each unit from hand that enters on the square behind it.
fn gated<S: Squares, K: Consumer<S> + ?Sized>(
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

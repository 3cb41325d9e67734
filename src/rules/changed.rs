//! A compiled rule set with one [`Change`]: a hook that reverts to orthodox chess, or a planted fault.
//!
//! With such rule sets, `verify --sensitivity` shows which rule makes a claim true, and tests whether a claim
//! detects a wrong rule. [`Changed`] calls the hooks of the original rule set through an object. Speed does
//! not matter here: turns are found by trial, and no fact is promised that would let searches be faster.
//!
//! A hook that the original rule set defines calls the original's other hooks, not the changed ones. So a
//! change of castling, double steps or promotions is applied to the turns that the original's own generator
//! finds.

use super::carried::CarriesNothing;
use super::change::{Change, Scoring};
use super::{
    Action, Attack, Carried, Castling, Consumer, DynRules, Facts, Flow, Generator, Hook, Hooks,
    IndependentSteps, KnownSafe, Legality, Outcome, Placements, Plain, RuleSet, Rules, Safety,
    Sink, Step, Symmetries, TableRules, Turn, TurnBuffer, Variant, fide,
};
use board::{Color, Kind, Men, Square, Squares};
use position::{BoardOf, Layout, Position, STATE_WORDS};

/// For hooks that have a default which calls other hooks: whether the original rule set defines the hook.
#[derive(Clone, Copy, Debug)]
struct Defines {
    pseudo: bool,
    unfiltered: bool,
    pawn_steps: bool,
    is_safe: bool,
    effect: bool,
    no_turn: bool,
    capturable: bool,
    reach: bool,
    attackers: bool,
    attack_path: bool,
    royals_in_check: bool,
    no_opposite_check: bool,
    refusal: bool,
}

/// A rule set with a change.
pub(crate) struct Changed<W: Layout> {
    original: Box<dyn Hooks<W>>,
    change: Change,
    defines: Defines,
    diff: &'static [Hook],
    facts: &'static Facts,
    men: Men,
}

impl Facts {
    /// Returns the facts that still hold after a change. Each flag is whether that hook reverts to orthodox
    /// chess.
    const fn changed(self, royal: bool, filter: bool, promotion: bool) -> Facts {
        let no_royals = matches!(self.safety, Safety::NoRoyals) && !royal;
        Facts {
            safety: if no_royals {
                Safety::NoRoyals
            } else {
                Safety::Trial
            },
            filters: self.filters && !filter,
            flights: false,
            changes: if promotion { &[] } else { self.changes },
            settled_by_material: false,
            plain: Plain::No,
            symmetries: Symmetries::NONE,
            ..self
        }
    }
}

impl<W: Layout> Changed<W> {
    /// Returns a compiled rule set with a change, as a rule set behind an object.
    pub(crate) fn of<R: Rules<W> + 'static>(
        rules: R,
        variant: &Variant,
        change: Change,
    ) -> DynRules<Box<dyn Hooks<W>>> {
        let facts = match change {
            Change::Without(Hook::Royal) => const { &R::FACTS.changed(true, false, false) },
            Change::Without(Hook::Filter) => const { &R::FACTS.changed(false, true, false) },
            Change::Without(Hook::Promotion) => const { &R::FACTS.changed(false, false, true) },
            _ => const { &R::FACTS.changed(false, false, false) },
        };
        let own_men = *rules.men();
        let men = match change {
            Change::Without(Hook::Men) => Men::FIDE,
            Change::Moves(kind, movement) => own_men.with(kind, movement),
            _ => own_men,
        };
        let info = match &variant.rule_set {
            RuleSet::Compiled(info) => Some(*info),
            RuleSet::Defined(_) => None,
        };
        let defines = |hook: &str| info.is_none_or(|info| info.defines(hook));
        let defines = Defines {
            pseudo: defines("pseudo"),
            unfiltered: defines("unfiltered"),
            pawn_steps: defines("pawn_steps"),
            is_safe: defines("is_safe"),
            effect: defines("effect"),
            no_turn: defines("no_turn"),
            capturable: defines("capturable"),
            reach: defines("reach"),
            attackers: defines("attackers"),
            attack_path: defines("attack_path"),
            royals_in_check: defines("royals_in_check"),
            no_opposite_check: defines("check_no_opposite_check"),
            refusal: defines("refusal"),
        };
        DynRules::owning(Changed {
            original: DynRules::owning(rules).into_object(),
            change,
            defines,
            diff: info.map_or(&[], |info| info.diff),
            facts,
            men,
        })
    }

    fn reverts(&self, hook: Hook) -> bool {
        self.change.reverts(hook)
    }

    fn reverts_for(&self, hook: Hook, color: Color) -> bool {
        self.change.reverts_for(hook, color)
    }

    /// Returns whether to use the original's own `unfiltered`. It implements rules about safety if the rule
    /// set declares such a difference, otherwise rules about pseudo-legal turns.
    fn has_own_unfiltered(&self, color: Color) -> bool {
        let hook = match self.diff.contains(&Hook::Safety) {
            true => Hook::Safety,
            false => Hook::Pseudo,
        };
        self.defines.unfiltered && !self.reverts_for(hook, color)
    }

    fn scored(&self, p: &Position<W>, outcome: Outcome) -> Option<Outcome> {
        let Change::Scores(reason, scoring) = self.change else {
            return Some(outcome);
        };
        if outcome.reason() != Some(reason) {
            return Some(outcome);
        }
        match (scoring, outcome) {
            (Scoring::Ignored, _) => None,
            (Scoring::Draw, _) => Some(Outcome::Draw(reason)),
            (Scoring::MoverWins, _) => Some(Outcome::Win(p.side, reason)),
            (Scoring::MoverLoses, _) => Some(Outcome::Win(!p.side, reason)),
            (Scoring::OtherWins, Outcome::Win(color, _)) => Some(Outcome::Win(!color, reason)),
            (Scoring::OtherWins, Outcome::WeakWin(color, _)) => {
                Some(Outcome::WeakWin(!color, reason))
            }
            (Scoring::OtherWins, outcome) => Some(outcome),
        }
    }

    /// Generates the orthodox turns that the original's own generator omits, if the change requires them.
    fn added_turns<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        if self.reverts(Hook::Castling) && p.may_castle(p.side) {
            for turn in fide::castlings(self, b, p, self.facts.safety != Safety::NoRoyals).turns() {
                c.turn(turn)?;
            }
        }
        if self.reverts(Hook::DoubleStep) && b.geometry().ranks() >= 6 {
            let vacant = !p.occupied();
            let pawns = p.units(p.side, Kind::Pawn) & b.rank_of(p.side, 1);
            let passed = b.pushed(pawns, p.side) & vacant;
            let two = b.pushed(passed, p.side) & vacant;
            c.pawns(2 * b.ahead(p.side), two, Action::DoubleStep)?;
        }
        Flow::Continue(())
    }

    fn edited<'k, K: Consumer<W::Set> + ?Sized>(
        &'k self,
        p: &'k Position<W>,
        consumer: &'k mut K,
    ) -> Edited<'k, W, K> {
        let promotions = match self.change {
            Change::Promotions(kinds) => Some(kinds),
            _ if self.reverts_for(Hook::Promotion, p.side) => Some(ORTHODOX_PROMOTIONS),
            _ => None,
        };
        Edited {
            change: self.change,
            promotions,
            p,
            consumer,
        }
    }
}

const ORTHODOX_PROMOTIONS: &[Kind] = &[Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

/// A consumer that passes on turns after applying the change.
struct Edited<'k, W: Layout, K: ?Sized> {
    change: Change,
    /// The kinds to which pawns promote instead.
    promotions: Option<&'static [Kind]>,
    p: &'k Position<W>,
    consumer: &'k mut K,
}

impl<W: Layout, K: Consumer<W::Set> + ?Sized> Edited<'_, W, K> {
    /// Returns the targets to which a unit of this kind may still go.
    fn targets(&self, kind: Kind, targets: W::Set) -> W::Set {
        match self.change {
            Change::NoCaptures(other) if other == kind => targets & !self.p.occupied(),
            _ => targets,
        }
    }
}

impl<W: Layout, K: Consumer<W::Set> + ?Sized> Consumer<W::Set> for Edited<'_, W, K> {
    fn unit(&mut self, kind: Kind, from: Square, targets: W::Set) -> Flow {
        let targets = self.targets(kind, targets);
        self.consumer.unit(kind, from, targets)
    }

    fn pawns(&mut self, offset: i32, targets: W::Set, action: Action) -> Flow {
        if self.change == Change::Forbids(action) {
            return Flow::Continue(());
        }
        let targets = self.targets(Kind::Pawn, targets);
        self.consumer.pawns(offset, targets, action)
    }

    fn unit_becoming(&mut self, kind: Kind, from: Square, targets: W::Set, kinds: &[Kind]) -> Flow {
        let targets = self.targets(kind, targets);
        let pawn = (kind == Kind::Pawn).then_some(self.promotions).flatten();
        self.consumer
            .unit_becoming(kind, from, targets, pawn.unwrap_or(kinds))
    }

    fn pawns_becoming(&mut self, offset: i32, targets: W::Set, kinds: &[Kind]) -> Flow {
        let targets = self.targets(Kind::Pawn, targets);
        self.consumer
            .pawns_becoming(offset, targets, self.promotions.unwrap_or(kinds))
    }

    fn placed(&mut self, kind: Kind, targets: W::Set) -> Flow {
        match self.change {
            Change::Forbids(Action::Place) => Flow::Continue(()),
            _ => self.consumer.placed(kind, targets),
        }
    }

    fn turn(&mut self, turn: Turn) -> Flow {
        let refused = |step: Step| match self.change {
            Change::Forbids(action) => step.action() == action,
            Change::NoCaptures(kind) => {
                step.action() == Action::Go
                    && step.kind() == kind
                    && self.p.color(!self.p.side).has(step.to)
            }
            _ => false,
        };
        match turn.steps().any(refused) {
            true => Flow::Continue(()),
            false => self.consumer.turn(turn),
        }
    }
}

impl<W: Layout> Rules<W> for Changed<W> {
    const GENERATOR: Generator = Generator::AtRunTime;

    fn facts(&self) -> &'static Facts {
        self.facts
    }

    fn carried(&self) -> &dyn Carried<W> {
        match self.reverts(Hook::State) {
            true => &CarriesNothing,
            false => self.original.carried(),
        }
    }

    fn tables(&self) -> Option<&dyn TableRules<W>> {
        self.original.tables()
    }

    fn independent_steps(&self) -> Option<IndependentSteps> {
        self.original.independent_steps()
    }

    fn men(&self) -> &Men {
        &self.men
    }

    fn wraps(&self) -> bool {
        !self.reverts(Hook::Geometry) && self.original.wraps()
    }

    fn zones(&self, b: &BoardOf<W>) -> [W::Set; 4] {
        self.original.zones(b)
    }

    fn castling(&self) -> Option<Castling> {
        match self.change {
            Change::Without(Hook::Castling) => Some(Castling::FIDE),
            Change::Forbids(Action::Castle) => None,
            _ => self.original.castling(),
        }
    }

    fn double_step(&self) -> bool {
        match self.change {
            Change::Without(Hook::DoubleStep) => true,
            Change::Forbids(Action::DoubleStep) => false,
            _ => self.original.double_step(),
        }
    }

    fn en_passant(&self, p: &Position<W>) -> bool {
        match self.change {
            Change::Forbids(Action::EnPassant) => false,
            Change::Without(Hook::DoubleStep) => true,
            _ => self.original.en_passant(p),
        }
    }

    fn promotions(&self, p: &Position<W>) -> &[Kind] {
        match self.change {
            Change::Promotions(kinds) => kinds,
            _ if self.reverts_for(Hook::Promotion, p.side) => ORTHODOX_PROMOTIONS,
            _ => self.original.promotions(p),
        }
    }

    fn royals(&self, p: &Position<W>, color: Color) -> W::Set {
        match self.reverts_for(Hook::Royal, color) {
            true => p.units(color, Kind::King),
            false => self.original.royals(p, color),
        }
    }

    fn attackers(&self, b: &BoardOf<W>, p: &Position<W>, attack: Attack<W::Set>) -> W::Set {
        match self.defines.attackers && !self.reverts_for(Hook::Attack, attack.by) {
            true => self.original.attackers(b, p, attack),
            false => fide::attackers(&self.men, b, p, attack),
        }
    }

    fn attack_path(
        &self,
        b: &BoardOf<W>,
        p: &Position<W>,
        attacker: Square,
        target: Square,
    ) -> W::Set {
        match self.defines.attack_path && !self.reverts(Hook::Attack) {
            true => self.original.attack_path(b, p, attacker, target),
            false => b.between(attacker, target),
        }
    }

    fn guarded_royals(&self, b: &BoardOf<W>, p: &Position<W>) -> W::Set {
        match self.reverts_for(Hook::Royal, p.side) {
            true => Rules::royals(self, p, p.side),
            false => self.original.guarded_royals(b, p),
        }
    }

    fn royal_targets(&self, b: &BoardOf<W>, p: &Position<W>, kind: Kind) -> W::Set {
        match self.reverts_for(Hook::Royal, p.side) {
            true => b.squares(),
            false => self.original.royal_targets(b, p, kind),
        }
    }

    fn royals_in_check(&self, b: &BoardOf<W>, p: &Position<W>, color: Color) -> W::Set {
        let reverts =
            self.reverts_for(Hook::Royal, color) || self.reverts_for(Hook::Attack, !color);
        match self.defines.royals_in_check && !reverts {
            true => self.original.royals_in_check(b, p, color),
            false => fide::royals_attacked(self, b, p, color),
        }
    }

    fn intruders(&self, b: &BoardOf<W>, p: &Position<W>, color: Color) -> W::Set {
        match self.reverts_for(Hook::Safety, color) {
            true => W::Set::EMPTY,
            false => self.original.intruders(b, p, color),
        }
    }

    fn capturable(&self, b: &BoardOf<W>, p: &Position<W>, by: Kind) -> W::Set {
        match self.defines.capturable && !self.reverts_for(Hook::Pseudo, p.side) {
            true => self.original.capturable(b, p, by),
            false => p.color(!p.side) & !Rules::royals(self, p, !p.side),
        }
    }

    fn reach(&self, b: &BoardOf<W>, p: &Position<W>, kind: Kind, from: Square) -> W::Set {
        match self.defines.reach && !self.reverts_for(Hook::Pseudo, p.side) {
            true => self.original.reach(b, p, kind, from),
            false => fide::reach(&self.men, b, kind, from, p.occupied()),
        }
    }

    fn pawn_steps<K: Sink<W> + ?Sized>(
        &self,
        b: &BoardOf<W>,
        p: &Position<W>,
        pawns: W::Set,
        targets: W::Set,
        c: &mut K,
    ) -> Flow {
        match self.defines.pawn_steps && !self.reverts_for(Hook::Pseudo, p.side) {
            true => self.original.pawn_steps(b, p, pawns, targets, c.object()),
            false => fide::pawn_steps(self, b, p, pawns, targets, c),
        }
    }

    fn pseudo<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        let c: &mut dyn Consumer<W::Set> = c.object();
        let mut edited = self.edited(p, c);
        match self.defines.pseudo && !self.reverts_for(Hook::Pseudo, p.side) {
            true => {
                self.original.pseudo(b, p, &mut edited)?;
                self.added_turns(b, p, &mut edited)
            }
            false => fide::pseudo(self, b, p, &mut edited as &mut dyn Consumer<W::Set>),
        }
    }

    fn is_safe(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &Position<W>) -> bool {
        match self.defines.is_safe && !self.reverts_for(Hook::Safety, p.side) {
            true => self.original.is_safe(b, p, turn, after),
            false => !fide::in_check(self, b, after, p.side),
        }
    }

    fn known_safe(&self, _b: &BoardOf<W>, _p: &Position<W>) -> KnownSafe<W::Set> {
        KnownSafe::NONE
    }

    fn unfiltered<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        let c: &mut dyn Consumer<W::Set> = c.object();
        if self.has_own_unfiltered(p.side) {
            let mut edited = self.edited(p, c);
            self.original.unfiltered(b, p, &mut edited)?;
            return self.added_turns(b, p, &mut edited);
        }
        match self.facts.safety {
            Safety::NoRoyals => Rules::pseudo(self, b, p, c),
            _ => fide::unfiltered_by_trial(self, b, p, c),
        }
    }

    fn filter(&self, b: &BoardOf<W>, p: &Position<W>, turns: &mut TurnBuffer<W::Set>) {
        if !self.reverts_for(Hook::Filter, p.side) {
            self.original.filter(b, p, turns);
        }
    }

    fn effect(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        match self.defines.effect && !self.reverts_for(Hook::Effect, p.side) {
            true => self.original.effect(b, p, turn, after),
            false => fide::effect(self, b, p, turn, after),
        }
        if self.reverts(Hook::State) {
            after.set_state_words(&[0; STATE_WORDS]);
        }
    }

    fn update_state(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        // A rule set that declares a different effect without defining `effect` implements it in
        // `update_state`.
        let effect = self.reverts_for(Hook::Effect, p.side) && !self.defines.effect;
        if !self.reverts_for(Hook::State, p.side) && !effect {
            self.original.update_state(b, p, turn, after);
        }
    }

    fn settled(&self, b: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        match self.reverts_for(Hook::Settled, p.side) {
            true => None,
            false => self
                .original
                .settled(b, p)
                .and_then(|outcome| self.scored(p, outcome)),
        }
    }

    fn no_turn(&self, b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        let outcome = match self.defines.no_turn && !self.reverts_for(Hook::NoTurn, p.side) {
            true => self.original.no_turn(b, p),
            false => fide::no_turn(self, b, p),
        };
        let drawn = || Outcome::Draw(outcome.reason().unwrap_or_default());
        self.scored(p, outcome).unwrap_or_else(drawn)
    }

    fn unit_bounds(&self, color: Color) -> &[(Kind, u32, u32)] {
        match self.reverts(Hook::Royal) {
            true => &[(Kind::King, 1, 1)],
            false => self.original.unit_bounds(color),
        }
    }

    fn no_pawns(&self, b: &BoardOf<W>, color: Color) -> W::Set {
        self.original.no_pawns(b, color)
    }

    fn check_no_opposite_check(&self, b: &BoardOf<W>, p: &Position<W>) -> Legality {
        match self.defines.no_opposite_check && !self.reverts_for(Hook::Safety, p.side) {
            true => self.original.check_no_opposite_check(b, p),
            false => fide::check_no_opposite_check(self, b, p),
        }
    }

    fn check_position(&self, b: &BoardOf<W>, p: &Position<W>) -> Legality {
        match self.reverts(Hook::State) {
            true => Ok(()),
            false => self.original.check_position(b, p),
        }
    }

    fn shown_placements(
        &self,
        b: &BoardOf<W>,
        p: &Position<W>,
        turn: &Turn,
        step: usize,
    ) -> Placements {
        self.original.shown_placements(b, p, turn, step)
    }

    fn refusal(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> String {
        match self.defines.refusal {
            true => self.original.refusal(b, p, turn),
            false => fide::refusal(self, b, p, turn),
        }
    }

    fn symmetries(&self, _b: &BoardOf<W>) -> Symmetries {
        Symmetries::NONE
    }
}

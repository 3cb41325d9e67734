//! The clauses of a stage, in the form that the interpreter evaluates.

use crate::entries::{End, Verdict, Winner};
use crate::rule::Rule;
use crate::unit_rule::UnitRule;
use crate::{effects, ends, steps, turns, units};
use board::{Color, Kind, Square};
use interpreter::{
    Aspects, Base, Captured, Clauses, Continues, KindChoices, OntoOwn, ParentEnds, Place, Play,
    Reach, Rebirth, Target,
};
use position::{Layout, Position};
use rules::{FieldType, NestedLists, Outcome, Symmetries};
use smallvec::SmallVec;
use std::sync::Arc;

/// A shared compiled clause.
pub type Shared<W> = Arc<Rule<W>>;

/// The movement of a piece, or of all pieces.
pub struct MovementRule<W: Layout> {
    /// The kinds, one bit for each.
    pub kinds: u64,
    /// What the clause gives.
    pub of: MovementOf,
    /// The clause.
    pub rule: Shared<W>,
}

impl<W: Layout> Clone for MovementRule<W> {
    fn clone(&self) -> Self {
        MovementRule {
            kinds: self.kinds,
            of: self.of,
            rule: Arc::clone(&self.rule),
        }
    }
}

/// What a clause about movement gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MovementOf {
    /// Movements in Betza notation.
    Betza,
    /// Squares of quiet steps and attacks.
    Targets,
    /// Squares of quiet steps.
    Quiet,
    /// Attacked squares.
    Attacks,
}

/// The clauses about the rebirth of captured units, of one section.
pub struct RebirthRules<W: Layout> {
    pub condition: Option<Shared<W>>,
    pub squares: Shared<W>,
    /// Whether the clause gives a list, of which the mover chooses.
    pub is_list: bool,
    pub side: Option<Shared<W>>,
    pub kind: Option<Shared<W>>,
}

impl<W: Layout> Clone for RebirthRules<W> {
    fn clone(&self) -> Self {
        RebirthRules {
            condition: self.condition.clone(),
            squares: Arc::clone(&self.squares),
            is_list: self.is_list,
            side: self.side.clone(),
            kind: self.kind.clone(),
        }
    }
}

/// The symmetries that are looked for in clauses.
const REFLECTIONS: Symmetries = Symmetries {
    files: true,
    colors: true,
    ..Symmetries::NONE
};

/// The clauses of a stage.
pub struct ClauseSet<W: Layout> {
    pub base: Base<W>,
    pub aspects: Aspects,
    /// The symmetries of all expressions.
    pub symmetries: Symmetries,
    /// How deeply the expressions nest lists of turns.
    pub nested_lists: NestedLists,
    pub movement: Vec<MovementRule<W>>,
    pub onto_own: Option<Shared<W>>,
    pub active: Vec<UnitRule<W>>,
    pub capture: Vec<UnitRule<W>>,
    pub royal: Option<UnitRule<W>>,
    pub check: Vec<Shared<W>>,
    pub legal: Vec<Shared<W>>,
    /// The preferences, each with whether it is a condition.
    pub prefer: Vec<Shared<W>>,
    pub step_count: Option<Shared<W>>,
    pub continues: Option<Shared<W>>,
    pub step_if: Vec<Shared<W>>,
    pub step_side: Option<Shared<W>>,
    pub takes: Option<Shared<W>>,
    pub lands: Option<Shared<W>>,
    /// The kinds of the moved unit, each with whether the mover chooses.
    pub turns_into: Vec<(Shared<W>, bool)>,
    pub joins: Vec<Shared<W>>,
    pub ends_on: Option<Shared<W>>,
    pub removes: Vec<Shared<W>>,
    pub converts: Vec<Shared<W>>,
    pub rebirth: Vec<RebirthRules<W>>,
    pub hand: Option<Shared<W>>,
    pub hand_kind: Option<Shared<W>>,
    pub take_off: Option<Shared<W>>,
    pub drops: Option<Shared<W>>,
    pub drop_if: Vec<Shared<W>>,
    /// The fields of the state with their new values.
    pub state: Vec<(usize, Shared<W>)>,
    pub fen: Vec<(Shared<W>, String)>,
    pub ends: Vec<(End, Option<Shared<W>>)>,
    /// Whether no position ends a game: clauses list turns before ends are decided.
    pub ignores_ends: bool,
}

impl<W: Layout> ClauseSet<W> {
    /// Returns the set without clauses.
    pub fn new(base: Base<W>) -> ClauseSet<W> {
        ClauseSet {
            base,
            aspects: Aspects::NONE,
            symmetries: REFLECTIONS,
            nested_lists: NestedLists::default(),
            movement: Vec::new(),
            onto_own: None,
            active: Vec::new(),
            capture: Vec::new(),
            royal: None,
            check: Vec::new(),
            legal: Vec::new(),
            prefer: Vec::new(),
            step_count: None,
            continues: None,
            step_if: Vec::new(),
            step_side: None,
            takes: None,
            lands: None,
            turns_into: Vec::new(),
            joins: Vec::new(),
            ends_on: None,
            removes: Vec::new(),
            converts: Vec::new(),
            rebirth: Vec::new(),
            hand: None,
            hand_kind: None,
            take_off: None,
            drops: None,
            drop_if: Vec::new(),
            state: Vec::new(),
            fen: Vec::new(),
            ends: Vec::new(),
            ignores_ends: false,
        }
    }
}

impl<W: Layout> Clone for ClauseSet<W> {
    fn clone(&self) -> Self {
        ClauseSet {
            base: self.base.clone(),
            aspects: self.aspects,
            symmetries: self.symmetries,
            nested_lists: self.nested_lists,
            movement: self.movement.clone(),
            onto_own: self.onto_own.clone(),
            active: self.active.clone(),
            capture: self.capture.clone(),
            royal: self.royal.clone(),
            check: self.check.clone(),
            legal: self.legal.clone(),
            prefer: self.prefer.clone(),
            step_count: self.step_count.clone(),
            continues: self.continues.clone(),
            step_if: self.step_if.clone(),
            step_side: self.step_side.clone(),
            takes: self.takes.clone(),
            lands: self.lands.clone(),
            turns_into: self.turns_into.clone(),
            joins: self.joins.clone(),
            ends_on: self.ends_on.clone(),
            removes: self.removes.clone(),
            converts: self.converts.clone(),
            rebirth: self.rebirth.clone(),
            hand: self.hand.clone(),
            hand_kind: self.hand_kind.clone(),
            take_off: self.take_off.clone(),
            drops: self.drops.clone(),
            drop_if: self.drop_if.clone(),
            state: self.state.clone(),
            fen: self.fen.clone(),
            ends: self.ends.clone(),
            ignores_ends: self.ignores_ends,
        }
    }
}

impl<W: Layout> Clauses<W> for ClauseSet<W> {
    fn aspects(&self) -> Aspects {
        self.aspects
    }

    fn symmetries(&self) -> Symmetries {
        // Of several captured units, the one on the first square is reborn first.
        if self.aspects.any(Aspects::TAKES) && self.aspects.any(Aspects::REBIRTH) {
            return Symmetries::NONE;
        }
        let declared = self.base.declared();
        let names_side = |(end, _): &(End, Option<Shared<W>>)| match end.verdict {
            Verdict::Outcome { result, .. } => matches!(result, Winner::Color(_)),
            _ => false,
        };
        self.symmetries.and(Symmetries {
            files: declared.iter().all(|field| field.kind != FieldType::Square),
            colors: declared.is_empty() && !self.ends.iter().any(names_side),
            ..Symmetries::NONE
        })
    }

    fn nested_lists(&self) -> NestedLists {
        self.nested_lists
    }

    fn moved_kinds(&self) -> u64 {
        let kinds = self.movement.iter().map(|clause| clause.kinds);
        kinds.fold(0, |all, kinds| all | kinds)
    }

    fn movement(&self, p: &Position<W>, unit: Square, place: Place<'_, W>) -> Reach<W::Set> {
        units::movement(self, p, unit, place)
    }

    fn onto_own(&self, p: &Position<W>, unit: Square, target: Square) -> OntoOwn {
        units::onto_own(self, p, unit, target)
    }

    fn is_active(&self, p: &Position<W>, unit: Square) -> bool {
        units::is_active(self, p, unit)
    }

    fn may_capture(&self, p: &Position<W>, unit: Square, target: Target) -> bool {
        units::may_capture(self, p, unit, target)
    }

    fn royal(&self, p: &Position<W>, side: Color) -> W::Set {
        units::royal(self, p, side)
    }

    fn is_checked(&self, p: &Position<W>, side: Color) -> bool {
        units::is_checked(self, p, side)
    }

    fn is_legal(&self, play: &Play<'_, W>) -> bool {
        self.legal.iter().all(|rule| rule.number_of(play) != 0)
    }

    fn preference(&self, play: &Play<'_, W>) -> SmallVec<[i64; 4]> {
        self.prefer
            .iter()
            .map(|rule| rule.number_of(play))
            .collect()
    }

    fn steps(&self, p: &Position<W>) -> u8 {
        steps::count(self, p)
    }

    fn continues(&self, step: &Play<'_, W>) -> Continues {
        steps::continues(self, step)
    }

    fn may_step(&self, step: &Play<'_, W>) -> bool {
        self.step_if.iter().all(|rule| rule.number_of(step) != 0)
    }

    fn step_side(&self, p: &Position<W>, place: Place<'_, W>) -> Color {
        steps::side(self, p, place)
    }

    fn taken(&self, step: &Play<'_, W>) -> W::Set {
        effects::taken(self, step)
    }

    fn landing(&self, step: &Play<'_, W>) -> Option<Square> {
        effects::landing(self, step)
    }

    fn chooses_kind(&self) -> bool {
        self.turns_into.iter().any(|(_, chooses)| *chooses)
    }

    fn kinds_after(&self, step: &Play<'_, W>) -> KindChoices {
        effects::kinds_after(self, step)
    }

    fn side_after(&self, step: &Play<'_, W>) -> Color {
        effects::side_after(self, step)
    }

    fn last_square(&self, step: &Play<'_, W>) -> Option<Square> {
        effects::last_square(self, step)
    }

    fn removed(&self, step: &Play<'_, W>) -> W::Set {
        effects::united(&self.removes, step)
    }

    fn converted(&self, step: &Play<'_, W>) -> W::Set {
        effects::united(&self.converts, step)
    }

    fn rebirth(&self, step: &Play<'_, W>, unit: Captured) -> Rebirth<W::Set> {
        effects::rebirth(self, step, unit)
    }

    fn reborn(&self, step: &Play<'_, W>, unit: Captured) -> (Color, Kind) {
        effects::reborn(self, step, unit)
    }

    fn hand(&self, step: &Play<'_, W>, unit: Captured) -> Option<(Color, Option<Kind>)> {
        effects::hand(self, step, unit)
    }

    fn taken_off(&self, p: &Position<W>, place: Place<'_, W>) -> W::Set {
        steps::taken_off(self, p, place)
    }

    fn dropped(&self, p: &Position<W>, place: Place<'_, W>) -> KindChoices {
        steps::dropped(self, p, place)
    }

    fn may_drop(&self, p: &Position<W>, kind: Kind, to: Square, place: Place<'_, W>) -> bool {
        steps::may_drop(self, p, (kind, to), place)
    }

    fn update_state(&self, play: &Play<'_, W>, after: &mut Position<W>) {
        turns::update_state(self, play, after);
    }

    fn fen_error(&self, p: &Position<W>) -> Option<String> {
        let holds = |rule: &Shared<W>| rule.holds_at_end(p, crate::rule::of_position(p));
        self.fen
            .iter()
            .find(|(rule, _)| !holds(rule))
            .map(|(_, message)| message.clone())
    }

    fn ended(&self, p: &Position<W>, parent: &dyn ParentEnds<W>) -> Option<Outcome> {
        match self.ignores_ends {
            true => None,
            false => ends::ended(self, p, parent),
        }
    }

    fn without_turn(&self, p: &Position<W>, parent: &dyn ParentEnds<W>) -> Outcome {
        ends::without_turn(self, p, parent)
    }

    fn refusing(&self, play: &Play<'_, W>) -> Option<String> {
        let refuses = self.legal.iter().find(|rule| rule.number_of(play) == 0)?;
        Some(format!("`{}` forbids it", refuses.text))
    }
}

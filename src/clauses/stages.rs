//! The games of all stages, and the compilation of each clause for its stage.
//!
//! The rules of a level contain the clauses of that level and of those before it. A clause of a level uses the rules of
//! the level before, so no rule depends on itself. `parent` uses the rules of other layers, which are compiled when they
//! are needed.

use crate::open::Opener;
use crate::rule::Rule;
use crate::set::{ClauseSet, MovementOf, MovementRule, RebirthRules, Shared};
use crate::text::{Layers, Part, Text, error};
use crate::unit_rule::UnitRule;
use definition::PieceType;
use diagnostics::Diagnostic;
use interpreter::{Aspects, Base, Clauses};
use language::{About, Environment, Expression, Given, Item, RuleText, Stage, Type};
use position::Layout;
use rules::{AnyGame, FieldType, Game, Symmetries};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The levels of the rules, each with more clauses than the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Movement.
    Moved,
    /// Which units move and what they capture.
    Captured,
    /// Royal units and checks.
    Checked,
    /// Steps and effects.
    Played,
    /// The state.
    Stated,
    /// Legal turns.
    Legal,
    /// Ends.
    Full,
}

/// The type of conditions.
const BOOL: &[Type] = &[Type::BOOL];
const INT: &[Type] = &[Type::INT];
const WORD: &[Type] = &[Type::One(Item::Text)];
const SQUARES: &[Type] = &[Type::List(Item::Square), Type::List(Item::Unit)];
const UNITS: &[Type] = &[Type::List(Item::Unit)];
const SIDE: &[Type] = &[Type::One(Item::Side)];
const KIND: &[Type] = &[Type::One(Item::Kind)];
const KINDS: &[Type] = &[Type::List(Item::Kind)];
const SQUARE: &[Type] = &[Type::One(Item::Square)];
const NUMBER: &[Type] = &[Type::BOOL, Type::INT];
const KIND_OR_KINDS: &[Type] = &[Type::One(Item::Kind), Type::List(Item::Kind)];
const SQUARE_OR_SQUARES: &[Type] = &[
    Type::One(Item::Square),
    Type::List(Item::Square),
    Type::List(Item::Unit),
];
const MOVEMENT: &[Type] = &[Type::One(Item::Movement)];

/// The subject of a clause, the names that it knows, and its stage.
struct Kind {
    about: About,
    given: &'static [Given],
    stage: Stage,
    wanted: &'static [Type],
}

const POSITION: About = About::POSITION;
const TURN: About = About {
    mover: true,
    ..About::TURN
};
const OF_MOVEMENT: &[Given] = &[
    Given::Unit,
    Given::Owner,
    Given::Foe,
    Given::Number,
    Given::Previous,
    Given::Halfmove,
    Given::Fullmove,
];
const OF_UNIT: &[Given] = &[
    Given::Unit,
    Given::Owner,
    Given::Foe,
    Given::Halfmove,
    Given::Fullmove,
];
const OF_TARGET: &[Given] = &[
    Given::Unit,
    Given::Target,
    Given::Owner,
    Given::Foe,
    Given::Halfmove,
    Given::Fullmove,
];
const OF_SIDE: &[Given] = &[Given::Owner, Given::Foe, Given::Halfmove, Given::Fullmove];
const OF_STEP: &[Given] = &[
    Given::Unit,
    Given::Owner,
    Given::Foe,
    Given::Number,
    Given::Previous,
    Given::Halfmove,
    Given::Fullmove,
];
const OF_STEPS: &[Given] = &[
    Given::Number,
    Given::Previous,
    Given::Halfmove,
    Given::Fullmove,
];
const OF_TURN: &[Given] = &[
    Given::Unit,
    Given::Owner,
    Given::Foe,
    Given::Halfmove,
    Given::Fullmove,
];
const OF_ENDS: &[Given] = &[Given::FirstSteps, Given::Halfmove, Given::Fullmove];

/// Compiles the clauses of a definition on a board.
pub struct Stages<'a, W: Layout> {
    base: Base<W>,
    opener: &'a Opener,
    /// The movements that clauses name, with their numbers.
    movements: &'a [(String, u32)],
    games: BTreeMap<(Layers, Level), Arc<dyn Game<W>>>,
    sets: BTreeMap<(Layers, Level), ClauseSet<W>>,
    texts: BTreeMap<Layers, Arc<Text>>,
}

impl<'a, W: Layout> Stages<'a, W> {
    /// Returns stages without games.
    pub fn new(base: Base<W>, opener: &'a Opener, movements: &'a [(String, u32)]) -> Self {
        Stages {
            base,
            opener,
            movements,
            games: BTreeMap::new(),
            sets: BTreeMap::new(),
            texts: BTreeMap::new(),
        }
    }

    /// Returns the game with all clauses.
    ///
    /// # Errors
    /// The first error in a clause.
    pub fn full(&mut self) -> Result<Arc<dyn Game<W>>, Diagnostic> {
        let layers = self.base.definition().layers.len();
        self.game(Layers((1 << layers) - 1), Level::Full)
    }

    /// Returns the rules of a level with the clauses of some layers.
    fn game(&mut self, layers: Layers, level: Level) -> Result<Arc<dyn Game<W>>, Diagnostic> {
        if let Some(game) = self.games.get(&(layers, level)) {
            return Ok(Arc::clone(game));
        }
        let mut set = self.set(layers, level)?;
        if level != Level::Full {
            set.ignores_ends = true;
            set.aspects = set.aspects | Aspects::ENDS;
        }
        let game = self.base.game(Arc::new(set));
        self.games.insert((layers, level), Arc::clone(&game));
        Ok(game)
    }

    fn text(&mut self, layers: Layers) -> Result<Arc<Text>, Diagnostic> {
        if let Some(text) = self.texts.get(&layers) {
            return Ok(Arc::clone(text));
        }
        let text = Arc::new(Text::of(self.base.definition(), layers)?);
        self.texts.insert(layers, Arc::clone(&text));
        Ok(text)
    }

    /// Returns the clauses of a level.
    fn set(&mut self, layers: Layers, level: Level) -> Result<ClauseSet<W>, Diagnostic> {
        if let Some(set) = self.sets.get(&(layers, level)) {
            return Ok(set.clone());
        }
        let before = match level {
            Level::Moved => ClauseSet::new(self.base.clone()),
            Level::Captured => self.set(layers, Level::Moved)?,
            Level::Checked => self.set(layers, Level::Captured)?,
            Level::Played => self.set(layers, Level::Checked)?,
            Level::Stated => self.set(layers, Level::Played)?,
            Level::Legal => self.set(layers, Level::Stated)?,
            Level::Full => self.set(layers, Level::Legal)?,
        };
        let text = self.text(layers)?;
        let mut adding = Adding {
            stages: self,
            layers,
            text: &text,
            set: before,
        };
        match level {
            Level::Moved => adding.movement()?,
            Level::Captured => adding.captures()?,
            Level::Checked => adding.checks()?,
            Level::Played => adding.effects()?,
            Level::Stated => adding.state()?,
            Level::Legal => adding.turns()?,
            Level::Full => adding.ends()?,
        }
        let set = adding.set;
        self.sets.insert((layers, level), set.clone());
        Ok(set)
    }

    /// Returns the layers that `parent` means in a layer: those above it in its chain, and the conditions; for a
    /// condition, all others.
    fn of_parent(&self, layers: Layers, layer: usize) -> Layers {
        let all = &self.base.definition().layers;
        let kept = (0..all.len()).filter(|&n| match all[layer].is_condition {
            true => n != layer,
            false => n < layer || all[n].is_condition,
        });
        Layers(kept.fold(0, |kept, n| kept | 1 << n) & layers.0)
    }
}

/// Returns whether a movement distinguishes left from right.
fn names_left_or_right(movements: &[(String, u32)]) -> bool {
    movements.iter().any(|(text, _)| text.contains(['l', 'r']))
}

/// The addition of a level's clauses to those before.
struct Adding<'s, 'a, W: Layout> {
    stages: &'s mut Stages<'a, W>,
    layers: Layers,
    text: &'s Text,
    set: ClauseSet<W>,
}

impl<W: Layout> Adding<'_, '_, W> {
    /// Compiles a clause that uses a game.
    fn compile(
        &mut self,
        part: &Part,
        kind: &Kind,
        game: &Arc<dyn Game<W>>,
    ) -> Result<Shared<W>, Diagnostic> {
        let layer = &self.text.layers[part.layer];
        let Some(tree) = &part.tree else {
            return Err(Diagnostic::new(
                &layer.section,
                "the clause has no expression",
            ));
        };
        let (parent, of_parent) = match language::names(tree, "parent") {
            true => {
                let layers = self.stages.of_parent(self.layers, part.layer);
                let game = self.stages.game(layers, Level::Full)?;
                let set = self.stages.set(layers, Level::Full)?;
                (Some(game), set.symmetries())
            }
            false => (None, Symmetries::ALL),
        };
        let any_parent = parent
            .as_ref()
            .map(|parent| AnyGame::from(Arc::clone(parent)));
        let base = &self.stages.base;
        let option = |name: &str| {
            base.option(name)
                .map(|(n, is_flag)| (i64::from(n), is_flag))
        };
        let movements = self.stages.movements;
        let movement = |text: &str| {
            let known = movements.iter().find(|(known, _)| known == text);
            known.map(|(_, number)| *number).ok_or_else(|| {
                match definition::Movement::parse(text) {
                    Err(wrong) => format!("'{}': {wrong}", diagnostics::shortened(text)),
                    Ok(_) => format!(
                        "'{}' is not known as a movement",
                        diagnostics::shortened(text)
                    ),
                }
            })
        };
        let known = RuleText {
            given: kind.given,
            stage: kind.stage,
            parent: any_parent.as_ref(),
            option: &option,
            movement: &movement,
        };
        let any: AnyGame = AnyGame::from(Arc::clone(game));
        let opener = self.stages.opener;
        let environment = Environment {
            kinds_elsewhere: opener.kinds.clone(),
            open: &|id, geometry| (opener.open)(id, geometry),
            text: Some(&known),
            ..Environment::new(&any, kind.about)
        };
        let expression = Expression::compile_tree(&part.source, tree, &environment, kind.wanted)
            .map_err(|wrong| error(layer, &part.clause, &wrong, &part.source))?;
        // Movements turn for Black, so a swap of the sides by the order of the ranks exchanges left and right as well.
        let is_movement = part.key.starts_with("movement.");
        let of_movement = match is_movement && names_left_or_right(self.stages.movements) {
            true => Symmetries::NONE,
            false => Symmetries::ALL,
        };
        let own = expression.symmetries().and(of_parent).and(of_movement);
        self.set.symmetries = self.set.symmetries.and(own);
        let nested = &mut self.set.nested_lists;
        let depth = match kind.stage {
            Stage::Ends => &mut nested.per_position,
            _ => &mut nested.per_turn,
        };
        *depth = (*depth).max(expression.nested_lists());
        Ok(Arc::new(Rule {
            expression,
            game: Arc::clone(game),
            parent,
            text: format!("{} = {}", part.clause.key, shown(&part.clause.text)),
        }))
    }

    /// Compiles all clauses of a key.
    fn all(
        &mut self,
        key: &str,
        kind: &Kind,
        game: &Arc<dyn Game<W>>,
        aspect: Aspects,
    ) -> Result<Vec<Shared<W>>, Diagnostic> {
        let parts = self.text.get(key);
        if !parts.is_empty() {
            self.set.aspects = self.set.aspects | aspect;
        }
        parts
            .iter()
            .map(|part| self.compile(part, kind, game))
            .collect()
    }

    /// Compiles the only clause of a key.
    fn one(
        &mut self,
        key: &str,
        kind: &Kind,
        game: &Arc<dyn Game<W>>,
        aspect: Aspects,
    ) -> Result<Option<Shared<W>>, Diagnostic> {
        Ok(self.all(key, kind, game, aspect)?.pop())
    }

    /// Returns the rules that a level's clauses use.
    fn asked(&mut self, level: Level) -> Result<Arc<dyn Game<W>>, Diagnostic> {
        self.stages.game(self.layers, level)
    }

    fn movement(&mut self) -> Result<(), Diagnostic> {
        const FORMS: [(&str, MovementOf); 4] = [
            ("targets.", MovementOf::Targets),
            ("quiet.", MovementOf::Quiet),
            ("attacks.", MovementOf::Attacks),
            ("movement.", MovementOf::Betza),
        ];
        for (form, of) in FORMS {
            let keys: Vec<String> = self
                .text
                .parts
                .keys()
                .filter(|key| key.starts_with(form))
                .cloned()
                .collect();
            for key in keys {
                let Some(part) = self.text.one(&key) else {
                    continue;
                };
                let name = &key[form.len()..];
                let kinds = self.kinds_named(name, part)?;
                let kind = Kind {
                    about: POSITION,
                    given: OF_MOVEMENT,
                    stage: Stage::Movement,
                    wanted: if of == MovementOf::Betza {
                        MOVEMENT
                    } else {
                        SQUARES
                    },
                };
                // Attacks are those of the parent.
                let layers = self.stages.of_parent(self.layers, part.layer);
                let layers = Layers(layers.0 & !(1 << part.layer));
                let game = self.stages.game(layers, Level::Captured)?;
                let rule = self.compile(part, &kind, &game)?;
                let clause = MovementRule { kinds, of, rule };
                // A clause for one piece comes before one for all.
                match name {
                    "*" => self.set.movement.push(clause),
                    _ => self.set.movement.insert(0, clause),
                }
                self.set.aspects = self.set.aspects | Aspects::MOVEMENT;
            }
        }
        Ok(())
    }

    /// Returns the kinds of a piece that a key names, by name or letter; `*` is all.
    fn kinds_named(&self, name: &str, part: &Part) -> Result<u64, Diagnostic> {
        if name == "*" {
            return Ok(u64::MAX);
        }
        let base = &self.stages.base;
        let pieces = &base.definition().pieces;
        let by_name = pieces
            .iter()
            .position(|piece| piece.name.eq_ignore_ascii_case(name));
        let by_letter = || {
            let letter = name.as_bytes()[0].to_ascii_uppercase();
            pieces
                .iter()
                .position(|piece| name.len() == 1 && piece.letter == letter)
        };
        let piece = by_name.or_else(by_letter).map(|n| PieceType(n as u8));
        let Some(piece) = piece else {
            let layer = &self.text.layers[part.layer];
            let names: Vec<&str> = pieces.iter().map(|piece| piece.name.as_str()).collect();
            let why = format!(
                "`{}`: there is no piece `{}`",
                part.key,
                diagnostics::shortened(name)
            );
            let error = Diagnostic::new(&layer.section, why).at(part.clause.key_place());
            return Err(match diagnostics::nearest(name, names.iter().copied()) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help(format!("the pieces: {}, or `*`", names.join(", "))),
            });
        };
        Ok(base.kinds_of(piece))
    }

    fn captures(&mut self) -> Result<(), Diagnostic> {
        let game = self.asked(Level::Moved)?;
        let kind = |given, wanted| Kind {
            about: POSITION,
            given,
            stage: Stage::Movement,
            wanted,
        };
        let looks_up = self.stages.opener.looks_up;
        let active = self.all("activeIf", &kind(OF_UNIT, BOOL), &game, Aspects::ACTIVE)?;
        let capture = self.all("captureIf", &kind(OF_TARGET, BOOL), &game, Aspects::CAPTURE)?;
        self.set.active = active
            .into_iter()
            .map(|rule| UnitRule::about_unit(rule, looks_up))
            .collect();
        self.set.capture = capture
            .into_iter()
            .map(|rule| UnitRule::about_target(rule, looks_up))
            .collect();
        Ok(())
    }

    fn checks(&mut self) -> Result<(), Diagnostic> {
        let game = self.asked(Level::Captured)?;
        let kind = |given| Kind {
            about: POSITION,
            given,
            stage: Stage::Check,
            wanted: BOOL,
        };
        let royal = self.one("royalIf", &kind(OF_UNIT), &game, Aspects::ROYAL)?;
        self.set.royal = royal.map(|rule| UnitRule::about_unit(rule, self.stages.opener.looks_up));
        self.set.check = self.all("checkIf", &kind(OF_SIDE), &game, Aspects::CHECK)?;
        self.flag("ownCheck", Aspects::OWN_CHECK);
        let kind = Kind {
            stage: Stage::Movement,
            wanted: WORD,
            ..kind(OF_TARGET)
        };
        self.set.onto_own = self.one("ontoOwn", &kind, &game, Aspects::ONTO_OWN)?;
        Ok(())
    }

    /// Adds an aspect if a key is true.
    fn flag(&mut self, key: &str, aspect: Aspects) {
        if self.text.flag(key) {
            self.set.aspects = self.set.aspects | aspect;
        }
    }

    fn effects(&mut self) -> Result<(), Diagnostic> {
        let game = &self.asked(Level::Checked)?;
        let of_position = |wanted| Kind {
            about: POSITION,
            given: OF_STEPS,
            stage: Stage::Effects,
            wanted,
        };
        let of_step = |wanted| Kind {
            about: TURN,
            given: OF_STEP,
            stage: Stage::Effects,
            wanted,
        };
        let mut new = self.set.clone();
        new.step_count = self.one("stepCount", &of_position(INT), game, Aspects::STEPS)?;
        let count = new.step_count.as_ref();
        if let Some(n) = count.and_then(|rule| rule.expression.constant())
            && !(1..=2).contains(&n)
        {
            self.refuse(
                "stepCount",
                format!("`stepCount`: a turn has 1 or 2 steps, not {n}"),
            )?;
        }
        new.continues = self.one("continues", &of_step(WORD), game, Aspects::CONTINUES)?;
        new.step_if = self.all("stepIf", &of_step(BOOL), game, Aspects::STEP_IF)?;
        new.step_side = self.one("stepSide", &of_position(SIDE), game, Aspects::STEP_SIDE)?;
        new.takes = self.one("takes", &of_step(UNITS), game, Aspects::TAKES)?;
        let takes = new.takes.as_ref();
        if takes.is_some_and(|rule| rule.expression.lists_moved_unit()) {
            let why = "`takes`: a step cannot capture the unit that makes it; `removes` takes that unit off the board";
            self.refuse("takes", why.to_owned())?;
        }
        new.lands = self.one("landsOn", &of_step(SQUARE), game, Aspects::LANDS)?;
        let turns_into = self.all(
            "turnsInto",
            &of_step(KIND_OR_KINDS),
            game,
            Aspects::TURNS_INTO,
        )?;
        let chooses = |rule: &Shared<W>| matches!(rule.expression.result(), Type::List(_));
        new.turns_into = turns_into
            .into_iter()
            .map(|rule| (Arc::clone(&rule), chooses(&rule)))
            .collect();
        new.joins = self.all("joins", &of_step(SIDE), game, Aspects::JOINS)?;
        new.ends_on = self.one("endsOn", &of_step(SQUARE), game, Aspects::ENDS_ON)?;
        new.removes = self.all("removes", &of_step(UNITS), game, Aspects::REMOVES)?;
        new.converts = self.all("converts", &of_step(UNITS), game, Aspects::CONVERTS)?;
        new.rebirth = self.rebirth(&of_step, game)?;
        new.hand = self.one("toHand", &of_step(SIDE), game, Aspects::HAND)?;
        // Without `toHand`, units go to the hand only by the definition.
        let hand = match self.stages.base.definition().drops.captures_to_hand {
            true => Aspects::HAND,
            false => Aspects::NONE,
        };
        new.hand_kind = self.one("handKind", &of_step(KIND), game, hand)?;
        new.take_off = self.one("takeOff", &of_position(UNITS), game, Aspects::TAKE_OFF)?;
        new.drops = self.one("drops", &of_position(KINDS), game, Aspects::DROPS)?;
        new.drop_if = self.all("dropIf", &of_step(BOOL), game, Aspects::DROP_IF)?;
        self.flag("rebirthRights", Aspects::REBIRTH_RIGHTS);
        if self
            .text
            .one("stepSafety")
            .is_some_and(|part| part.clause.text.trim() == "each")
        {
            self.set.aspects = self.set.aspects | Aspects::EACH_STEP_SAFE;
        }
        new.aspects = self.set.aspects;
        new.symmetries = self.set.symmetries;
        self.set = new;
        Ok(())
    }

    /// Compiles the clauses about rebirth, which belong together in each layer.
    fn rebirth(
        &mut self,
        of_step: &dyn Fn(&'static [Type]) -> Kind,
        game: &Arc<dyn Game<W>>,
    ) -> Result<Vec<RebirthRules<W>>, Diagnostic> {
        let mut all = Vec::new();
        for part in self.text.get("rebirth") {
            let squares = self.compile(part, &of_step(SQUARE_OR_SQUARES), game)?;
            let is_condition = self.text.layers[part.layer].is_condition;
            let mut other = |key: &str, wanted| {
                let text = self.text;
                // The clauses of the rule set's own chain belong together, and those of each condition.
                let own = text.get(key).iter().find(|other| match is_condition {
                    true => other.layer == part.layer,
                    false => !text.layers[other.layer].is_condition,
                });
                own.map(|own| self.compile(own, &of_step(wanted), game))
                    .transpose()
            };
            all.push(RebirthRules {
                condition: other("rebirthIf", BOOL)?,
                side: other("rebirthSide", SIDE)?,
                kind: other("rebirthKind", KIND)?,
                is_list: matches!(squares.expression.result(), Type::List(_)),
                squares,
            });
            self.set.aspects = self.set.aspects | Aspects::REBIRTH;
        }
        Ok(all)
    }

    fn state(&mut self) -> Result<(), Diagnostic> {
        let game = &self.asked(Level::Played)?;
        for n in 0..self.stages.base.declared().len() {
            let field = self.stages.base.declared()[n];
            let wanted = match field.kind {
                FieldType::Number { .. } => INT,
                FieldType::Flag => NUMBER,
                FieldType::Words(_) => WORD,
                FieldType::Kind => KIND,
                FieldType::Kinds => KINDS,
                FieldType::Side => SIDE,
                FieldType::Sides => &[Type::List(Item::Side)],
                FieldType::Square => SQUARE,
            };
            let kind = Kind {
                about: TURN,
                given: OF_TURN,
                stage: Stage::Turns,
                wanted,
            };
            let key = format!("state.{}", field.name);
            if let Some(rule) = self.one(&key, &kind, game, Aspects::STATE)? {
                self.check_constant(&key, field.kind, &rule)?;
                self.set.state.push((n, rule));
            }
        }
        let declared = self.stages.base.declared();
        let unknown = self.text.parts.iter().find(|(key, _)| {
            let field = key.strip_prefix("state.");
            field.is_some_and(|name| declared.iter().all(|field| field.name != name))
        });
        if let Some((key, parts)) = unknown {
            let layer = &self.text.layers[parts[0].layer];
            let why = format!("`{key}`: the state has no such field");
            let error = Diagnostic::new(&layer.section, why).at(parts[0].clause.key_place());
            return Err(error.help("`state = NAME: TYPE` declares one"));
        }
        Ok(())
    }

    /// Checks that a constant fits a field, and that all texts that the value can be are words of it.
    fn check_constant(
        &self,
        key: &str,
        kind: FieldType,
        rule: &Shared<W>,
    ) -> Result<(), Diagnostic> {
        let why = match kind {
            FieldType::Number { least, most } => {
                let n = rule.expression.constant();
                n.filter(|n| !(i64::from(least)..=i64::from(most)).contains(n))
                    .map(|n| format!("numbers from {least} to {most}, not {n}"))
            }
            FieldType::Words(words) => {
                let mut texts = rule.expression.result_texts().into_iter();
                let other = texts.find(|text| !words.contains(text));
                other.map(|word| format!("one of {}, not `{word}`", words.join(" ")))
            }
            _ => None,
        };
        match why {
            Some(why) => self.refuse(key, format!("`{key}`: the field holds {why}")),
            None => Ok(()),
        }
    }

    /// Returns an error at a clause, if the text has it.
    fn refuse(&self, key: &str, why: String) -> Result<(), Diagnostic> {
        let Some(part) = self.text.one(key) else {
            return Ok(());
        };
        let layer = &self.text.layers[part.layer];
        Err(Diagnostic::new(&layer.section, why).at(part.clause.key_place()))
    }

    fn turns(&mut self) -> Result<(), Diagnostic> {
        let game = &self.asked(Level::Stated)?;
        let kind = |wanted| Kind {
            about: TURN,
            given: OF_TURN,
            stage: Stage::Turns,
            wanted,
        };
        self.set.legal = self.all("legalIf", &kind(BOOL), game, Aspects::LEGAL)?;
        self.set.prefer = self.all("prefer", &kind(NUMBER), game, Aspects::PREFER)?;
        Ok(())
    }

    fn ends(&mut self) -> Result<(), Diagnostic> {
        let game = &self.asked(Level::Legal)?;
        let kind = Kind {
            about: About {
                mover: true,
                ..POSITION
            },
            given: OF_ENDS,
            stage: Stage::Ends,
            wanted: BOOL,
        };
        for part in self.text.get("ends") {
            let rule = part
                .tree
                .as_ref()
                .map(|_| self.compile(part, &kind, game))
                .transpose()?;
            if let Some(end) = &part.end {
                self.set.ends.push((end.clone(), rule));
                self.set.aspects = self.set.aspects | Aspects::ENDS;
            }
        }
        for part in self.text.get("fenIf") {
            let rule = self.compile(part, &kind, game)?;
            self.set.fen.push((rule, part.message.clone()));
            self.set.aspects = self.set.aspects | Aspects::FEN;
        }
        Ok(())
    }
}

/// Returns a clause on one line.
fn shown(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

//! Turns a definition into a variant, which is then used like a compiled one.

use crate::bound_rules::BoundRules;
use crate::carried::state_keys;
use crate::compiled_definition::{CompiledDefinition, larger};
use crate::declared::{Declared, declared};
use crate::ends::reasons;
use crate::open_extended::{Binder, bind_extended};
use crate::orthodox::{Orthodox, promise};
use board::field::BoardField;
use board::{Geometry, Squares};
use definition::{Definition, PieceType, Refusal};
use diagnostics::Diagnostic;
use position::{KindSets, Layout, Narrow, Open, Six, Wide};
use rules::{
    AnyGame, DefinedRules, Game, Options, Reason, RuleSet, Ruled, UnsupportedBoard, Variant,
    VariantOption,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Turns a definition into a variant. The compiled definition is freed with the last variant or game that
/// uses it.
///
/// # Errors
/// If a rule of the definition is not supported. The error names its key.
pub fn open(definition: Definition) -> Result<Variant, Refusal> {
    open_with(definition, true)
}

/// Like [`open`], but without symmetries of the board. Tests use it to check that no result depends on them.
///
/// # Errors
/// If a rule of the definition is not supported. The error names its key.
pub fn open_without_symmetries(definition: Definition) -> Result<Variant, Refusal> {
    open_with(definition, false)
}

fn open_with(definition: Definition, symmetric: bool) -> Result<Variant, Refusal> {
    let (difference, page) = (definition.summary(), definition.page());
    let law = CompiledDefinition {
        symmetric,
        ..CompiledDefinition::new(definition, page, Declared::default())?
    };
    let digest = definition::digest(&law.definition.rules_text());
    let defined = DefinedVariant::new(law, difference, digest, None);
    Ok(RuleSet::Defined(Arc::new(defined)).into())
}

/// Turns a definition with clauses into a variant. `rules_text` is the text that decides its rules, with those of the
/// rule sets that it names.
///
/// # Errors
/// If a rule of the definition or a clause is not supported or has an error. The error is at the place of a clause, or
/// names a key.
pub fn open_extended(
    definition: Definition,
    rules_text: &str,
    binder: Arc<dyn Binder>,
) -> Result<Variant, Diagnostic> {
    let declared = declared(&definition, rules_text)?;
    let name = definition.name.clone();
    let (difference, page) = (definition.summary(), definition.page());
    let law = CompiledDefinition::new(definition, page, declared).map_err(|refusal| {
        let why = format!(
            "`{}` is known but not supported: {}",
            refusal.key, refusal.why
        );
        Diagnostic::new(&name, why)
    })?;
    let defined = DefinedVariant::new(
        law,
        difference,
        definition::digest(rules_text),
        Some(binder),
    );
    // Reports the errors of all clauses.
    defined.game(&defined.law, &Options::new())?;
    Ok(RuleSet::Defined(Arc::new(defined)).into())
}

/// A compiled definition as a rule set, with its description.
struct DefinedVariant {
    law: Arc<CompiledDefinition>,
    /// For a game from a position other than the start, the rules with hands that have room for its units.
    other_hands: Option<Arc<CompiledDefinition>>,
    fingerprint: u64,
    digest: String,
    difference: String,
    state: Vec<(&'static str, &'static str)>,
    reasons: Vec<(Reason, &'static str)>,
    options: Vec<VariantOption>,
    /// What compiles the clauses, if there are any.
    binder: Option<Arc<dyn Binder>>,
    /// What has been opened, which is shared with the variants of the games in it.
    opened: Weak<Mutex<Opened>>,
    /// Keeps what has been opened. `None` for the variants of these games, which would keep themselves.
    _owner: Option<Arc<Mutex<Opened>>>,
}

/// What has been opened of a definition.
#[derive(Default)]
struct Opened {
    /// The rules on smaller boards, by numbers of files and ranks.
    smaller: BTreeMap<(u8, u8), Arc<CompiledDefinition>>,
    /// The games, or the errors for which there is none.
    games: BTreeMap<GameKey, Result<AnyGame, Diagnostic>>,
}

/// The options of a game, its numbers of files and ranks and, if its hands are not those of games from the start, the
/// layout of its hands.
type GameKey = (Options, (u8, u8), Option<String>);

/// The number of games that are kept. Batches have few boards and few layouts of hands.
const MAX_KEPT_GAMES: usize = 64;

impl DefinedVariant {
    fn new(
        law: CompiledDefinition,
        difference: String,
        digest: String,
        binder: Option<Arc<dyn Binder>>,
    ) -> DefinedVariant {
        let mut all = match &binder {
            Some(binder) => binder.reasons(&law.definition),
            None => Vec::new(),
        };
        for (reason, meaning) in reasons(&law.definition) {
            if all.iter().all(|(known, _)| *known != reason) {
                all.push((reason, meaning));
            }
        }
        let opened = Arc::new(Mutex::new(Opened::default()));
        DefinedVariant {
            fingerprint: hash(&format!("{:?} {digest}", law.definition)),
            digest,
            other_hands: None,
            difference,
            state: state_keys(&law.definition, &law.state, &law.declared),
            reasons: all,
            options: law.declared.options.clone(),
            law: Arc::new(law),
            binder,
            opened: Arc::downgrade(&opened),
            _owner: Some(opened),
        }
    }

    /// Returns the rule set of a game with these rules, which does not keep what has been opened.
    fn of_game(&self, law: &Arc<CompiledDefinition>) -> DefinedVariant {
        let (fingerprint, other_hands) = match law.has_other_hands {
            false => (self.fingerprint, None),
            // Its positions have another state layout, so files of games from the start must not match.
            true => {
                let text = format!("{:?} {} {:?}", law.definition, self.digest, law.state.hands);
                (hash(&text), Some(Arc::clone(law)))
            }
        };
        DefinedVariant {
            law: Arc::clone(&self.law),
            other_hands,
            fingerprint,
            digest: self.digest.clone(),
            difference: self.difference.clone(),
            state: self.state.clone(),
            reasons: self.reasons.clone(),
            options: self.options.clone(),
            binder: self.binder.clone(),
            opened: Weak::clone(&self.opened),
            _owner: None,
        }
    }

    /// Binds rules with options to their board, in the narrowest layout, unless they have been bound before.
    ///
    /// # Errors
    /// The first error in a clause.
    fn game(
        &self,
        law: &Arc<CompiledDefinition>,
        options: &Options,
    ) -> Result<AnyGame, Diagnostic> {
        let board = law.definition.board;
        let size = (board.files(), board.ranks());
        let hands = law
            .has_other_hands
            .then(|| format!("{:?}", law.state.hands));
        let key = (options.clone(), size, hands);
        let opened = self.opened.upgrade();
        if let Some(opened) = &opened
            && let Some(game) = lock(opened).games.get(&key)
        {
            return game.clone();
        }
        let variant = Variant {
            rule_set: RuleSet::Defined(Arc::new(self.of_game(law))),
            options: options.clone(),
        };
        let game = match &self.binder {
            None => Ok(bind_any(law, &variant)),
            Some(binder) => bind_extended(law, &variant, binder.as_ref())
                .map_err(|error| self.explained(error, board, &variant)),
        };
        if let Some(opened) = &opened {
            let games = &mut lock(opened).games;
            if games.len() >= MAX_KEPT_GAMES {
                games.clear();
            }
            games.insert(key, game.clone());
        }
        game
    }

    /// Returns the error for a board or hands with which the definition cannot be played.
    fn refusal(&self, why: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.id(), why)
    }

    /// Returns an error in a clause with what the clause was compiled for, if this is not the own board without options.
    fn explained(&self, mut error: Diagnostic, board: Geometry, variant: &Variant) -> Diagnostic {
        if !variant.options.is_empty() {
            let text = variant.to_string();
            let options = &text[self.id().len() + 1..];
            error.why = format!("with `{options}`, {}", error.why);
        }
        if board != self.law.definition.board {
            error.why = format!("on {}, {}", board.size(), error.why);
        }
        error
    }

    /// Returns the rules on a board: the definition's own board, or a smaller board to which the regions are
    /// carried over.
    ///
    /// # Errors
    /// If the board is larger or has other holes, or if a key has no meaning on it.
    fn on_board(&self, geometry: Geometry) -> Result<Arc<CompiledDefinition>, UnsupportedBoard> {
        let board = self.law.definition.board;
        let (files, ranks) = (geometry.files(), geometry.ranks());
        let is_same = |law: &&Arc<CompiledDefinition>| {
            let board = law.definition.board;
            (board.files(), board.ranks(), board.holes()) == (files, ranks, geometry.holes())
        };
        if let Some(law) = self.other_hands.as_ref().filter(is_same) {
            return Ok(Arc::clone(law));
        }
        if (files, ranks) == (board.files(), board.ranks()) {
            return match geometry.holes() == board.holes() {
                true => Ok(Arc::clone(&self.law)),
                false => Err("holes are not where the definition has them".into()),
            };
        }
        if files > board.files() || ranks > board.ranks() {
            return Err(larger(board, &geometry.size()));
        }
        let opened = self.opened.upgrade();
        if let Some(opened) = &opened
            && let Some(law) = lock(opened).smaller.get(&(files, ranks))
            && is_same(&law)
        {
            return Ok(Arc::clone(law));
        }
        let law = Arc::new(self.law.on_board(geometry)?);
        if let Some(opened) = &opened {
            lock(opened)
                .smaller
                .insert((files, ranks), Arc::clone(&law));
        }
        Ok(law)
    }
}

/// Binds rules to their board.
fn bind<W: Layout>(law: &Arc<CompiledDefinition>, variant: &Variant) -> Arc<dyn Game<W>> {
    let rules = BoundRules::<W::Set>::new(law);
    Arc::new(Ruled::new(rules, variant.clone(), law.definition.board))
}

/// Binds rules to their board, in the narrowest layout.
fn bind_any(law: &Arc<CompiledDefinition>, variant: &Variant) -> AnyGame {
    let board = law.definition.board;
    let narrow = board.len() <= <u64 as Squares>::CAPACITY;
    let six = law.kinds.count() <= <Six<u64> as KindSets<u64>>::COUNT;
    if let Some(promise) = promise(law) {
        let rules = Orthodox::new(BoundRules::new(law), promise);
        let game: Arc<dyn Game<Narrow>> = Arc::new(Ruled::new(rules, variant.clone(), board));
        return game.into();
    }
    let short = law.state.bits <= u64::BITS;
    match (six, narrow && short) {
        (true, true) => bind::<Narrow>(law, variant).into(),
        (false, true) => bind::<Open>(law, variant).into(),
        (_, false) => bind::<Wide>(law, variant).into(),
    }
}

fn lock(opened: &Mutex<Opened>) -> MutexGuard<'_, Opened> {
    opened.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the FNV-1a hash of a text.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

impl DefinedRules for DefinedVariant {
    fn id(&self) -> &str {
        &self.law.definition.name
    }

    fn difference(&self) -> &str {
        &self.difference
    }

    fn state(&self) -> &[(&'static str, &'static str)] {
        &self.state
    }

    fn reasons(&self) -> &[(Reason, &'static str)] {
        &self.reasons
    }

    fn piece_names(&self) -> Vec<(String, u64)> {
        let pieces = self.law.definition.pieces.iter().enumerate();
        let kinds = |n| {
            let forms = self.law.kinds.forms(PieceType(n as u8)).iter();
            forms.fold(0, |kinds, kind| kinds | 1 << kind.index())
        };
        pieces
            .map(|(n, piece)| (piece.name.clone(), kinds(n)))
            .collect()
    }

    fn options(&self) -> &[VariantOption] {
        &self.options
    }

    fn sections(&self) -> Vec<&str> {
        let layers = self.law.definition.layers.iter();
        layers.map(|layer| layer.section.as_str()).collect()
    }

    fn drawn_as_letters(&self) -> String {
        let pieces = self.law.definition.pieces.iter();
        let others = pieces.filter(|piece| !piece.is_orthodox());
        let letters = others.map(|piece| char::from(piece.letter));
        letters
            .filter(|&letter| "KQRBNP".contains(letter))
            .collect()
    }

    fn start(&self) -> &str {
        &self.law.definition.start_fen
    }

    fn page_text(&self) -> &str {
        &self.law.page
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn digest(&self) -> &str {
        &self.digest
    }

    fn board(&self, files: u8, ranks: u8) -> Result<Geometry, UnsupportedBoard> {
        self.law.board(files, ranks)
    }

    fn open(&self, options: &Options, geometry: Geometry) -> Result<AnyGame, Diagnostic> {
        self.game(
            &self.on_board(geometry).map_err(|why| self.refusal(why))?,
            options,
        )
    }

    fn open_for(
        &self,
        options: &Options,
        geometry: Geometry,
        board: &BoardField<'_>,
        hand: &str,
    ) -> Result<AnyGame, Diagnostic> {
        let law = self.on_board(geometry).map_err(|why| self.refusal(why))?;
        let other = law
            .for_position(board, hand)
            .map_err(|why| self.refusal(why))?;
        self.game(&other.map_or(law, Arc::new), options)
    }
}

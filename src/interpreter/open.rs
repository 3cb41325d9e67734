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
use position::{KindSets, Layout, Six};
use rules::{
    AnyGame, DefinedRules, IllegalPosition, Reason, RuleSet, Ruled, UnsupportedBoard, Variant,
    VariantOption,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

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
        Some(Arc::clone(&binder)),
    );
    let law = Arc::clone(&defined.law);
    let variant: Variant = RuleSet::Defined(Arc::new(defined)).into();
    // Reports the errors of all clauses.
    bind_extended(&law, &variant, binder.as_ref())?;
    Ok(variant)
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
    /// The rules on the smaller boards that have been opened, by numbers of files and ranks.
    smaller: Mutex<BTreeMap<(u8, u8), Arc<CompiledDefinition>>>,
    options: Vec<VariantOption>,
    /// What compiles the clauses, if there are any.
    binder: Option<Arc<dyn Binder>>,
    /// Whether the clauses fit smaller boards, and the reason why not, by numbers of files and ranks.
    unfit: Mutex<BTreeMap<(u8, u8), Option<String>>>,
}

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
        DefinedVariant {
            fingerprint: hash(&format!("{:?} {digest}", law.definition)),
            digest,
            other_hands: None,
            difference,
            state: state_keys(&law.definition, &law.state, &law.declared),
            reasons: all,
            options: law.declared.options.clone(),
            law: Arc::new(law),
            smaller: Mutex::new(BTreeMap::new()),
            binder,
            unfit: Mutex::new(BTreeMap::new()),
        }
    }

    /// Checks that the clauses have a meaning on a board.
    fn fits_clauses(&self, law: &Arc<CompiledDefinition>) -> Result<(), UnsupportedBoard> {
        let Some(binder) = &self.binder else {
            return Ok(());
        };
        let board = law.definition.board;
        let size = (board.files(), board.ranks());
        let mut unfit = self.unfit.lock().unwrap_or_else(PoisonError::into_inner);
        let why = unfit.entry(size).or_insert_with(|| {
            // The names of the rule set are enough to compile the clauses.
            let variant: Variant = RuleSet::Defined(Arc::new(self.shared())).into();
            let error = bind_extended(law, &variant, binder.as_ref()).err()?;
            Some(format!("on {}, {}", board.size(), error.why))
        });
        match why {
            Some(why) => Err(why.as_str().into()),
            None => Ok(()),
        }
    }

    /// Returns the same rule set, without the boards that were opened.
    fn shared(&self) -> DefinedVariant {
        DefinedVariant {
            law: Arc::clone(&self.law),
            other_hands: self.other_hands.clone(),
            fingerprint: self.fingerprint,
            digest: self.digest.clone(),
            difference: self.difference.clone(),
            state: self.state.clone(),
            reasons: self.reasons.clone(),
            options: self.options.clone(),
            smaller: Mutex::new(BTreeMap::new()),
            binder: self.binder.clone(),
            unfit: Mutex::new(BTreeMap::new()),
        }
    }

    /// Binds rules to their board, in the narrowest layout.
    fn bind(&self, law: &Arc<CompiledDefinition>, variant: &Variant) -> Option<AnyGame> {
        match &self.binder {
            Some(binder) => bind_extended(law, variant, binder.as_ref()).ok(),
            None => Some(bind_any(law, variant)),
        }
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
        let mut smaller = self.smaller.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(law) = smaller.get(&(files, ranks)) {
            let has_same_holes = law.definition.board.holes() == geometry.holes();
            if has_same_holes {
                return Ok(Arc::clone(law));
            }
        }
        let law = Arc::new(self.law.on_board(geometry)?);
        smaller.insert((files, ranks), Arc::clone(&law));
        Ok(law)
    }
}

/// Binds rules to their board.
fn bind<W: Layout>(
    law: &Arc<CompiledDefinition>,
    variant: &Variant,
) -> Arc<Ruled<W, BoundRules<W::Set>>> {
    let rules = BoundRules::new(law);
    Arc::new(Ruled::new(rules, variant.clone(), law.definition.board))
}

/// Binds rules to their board, in the narrowest layout.
fn bind_any(law: &Arc<CompiledDefinition>, variant: &Variant) -> AnyGame {
    let board = law.definition.board;
    let narrow = board.len() <= <u64 as Squares>::CAPACITY;
    let six = law.kinds.count() <= <Six<u64> as KindSets<u64>>::COUNT;
    if let Some(promise) = promise(law) {
        let rules = Orthodox::new(BoundRules::new(law), promise);
        return AnyGame::Narrow(Arc::new(Ruled::new(rules, variant.clone(), board)));
    }
    let short = law.state.bits <= u64::BITS;
    match (six, narrow && short) {
        (true, true) => AnyGame::Narrow(bind(law, variant)),
        (false, true) => AnyGame::Open(bind(law, variant)),
        (_, false) => AnyGame::Wide(bind(law, variant)),
    }
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

    fn fits(&self, geometry: Geometry) -> Result<(), UnsupportedBoard> {
        self.fits_clauses(&self.on_board(geometry)?)
    }

    fn board(&self, files: u8, ranks: u8) -> Result<Geometry, UnsupportedBoard> {
        self.law.board(files, ranks)
    }

    fn open(&self, variant: &Variant, geometry: Geometry) -> AnyGame {
        // The caller has checked the board. The definition's own board is always valid.
        let law = self
            .on_board(geometry)
            .unwrap_or_else(|_| Arc::clone(&self.law));
        let game = self
            .bind(&law, variant)
            .or_else(|| self.bind(&self.law, variant));
        // The clauses were compiled on the own board when the definition was opened.
        game.unwrap_or_else(|| bind_any(&self.law, variant))
    }

    fn open_for(
        &self,
        variant: &Variant,
        geometry: Geometry,
        board: &BoardField<'_>,
        hand: &str,
    ) -> Result<AnyGame, IllegalPosition> {
        let law = self.on_board(geometry)?;
        let Some(other) = law.for_position(board, hand)? else {
            self.fits_clauses(&law)?;
            return Ok(self.open(variant, geometry));
        };
        let law = Arc::new(other);
        let defined = DefinedVariant {
            // Its positions have another state layout, so files of games from the start must not match.
            fingerprint: hash(&format!(
                "{:?} {} {:?}",
                law.definition, self.digest, law.state.hands
            )),
            other_hands: Some(Arc::clone(&law)),
            ..self.shared()
        };
        let variant = Variant {
            rule_set: RuleSet::Defined(Arc::new(defined)),
            ..variant.clone()
        };
        self.fits_clauses(&law)?;
        Ok(self
            .bind(&law, &variant)
            .unwrap_or_else(|| bind_any(&law, &variant)))
    }
}

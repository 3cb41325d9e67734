//! Turns a definition into a variant that is opened like a compiled one.

use crate::bound_rules::BoundRules;
use crate::compiled_definition::CompiledDefinition;
use crate::ends::reasons;
use crate::hooks::state_keys;
use crate::orthodox::{Orthodox, promise};
use board::{Geometry, Squares};
use definition::{Definition, PieceType, Refusal};
use position::{KindSets, Layout, Six};
use rules::{AnyGame, DefinedRules, Reason, RuleSet, Ruled, Variant};
use std::sync::Arc;

/// Turns a definition into a variant. The compiled definition is freed with the last variant or game that uses
/// it.
///
/// # Errors
/// A clause that is not supported, by its key.
pub fn open(definition: Definition) -> Result<Variant, Refusal> {
    open_with(definition, true)
}

/// Like [`open`], but without symmetries of the board: to check that no result depends on them.
///
/// # Errors
/// A clause that is not supported, by its key.
pub fn open_without_symmetries(definition: Definition) -> Result<Variant, Refusal> {
    open_with(definition, false)
}

fn open_with(definition: Definition, symmetric: bool) -> Result<Variant, Refusal> {
    let (difference, page) = (definition.summary(), definition.page());
    let law = CompiledDefinition {
        symmetric,
        ..CompiledDefinition::new(definition, page)?
    };
    let defined = DefinedVariant {
        difference,
        state: state_keys(&law.definition, &law.state),
        reasons: reasons(&law.definition),
        law: Arc::new(law),
    };
    Ok(RuleSet::Defined(Arc::new(defined)).into())
}

/// A compiled definition and what it declares about itself.
struct DefinedVariant {
    law: Arc<CompiledDefinition>,
    difference: String,
    state: Vec<(&'static str, &'static str)>,
    reasons: Vec<(Reason, &'static str)>,
}

impl DefinedVariant {
    fn bind<W: Layout>(&self, variant: &Variant) -> Arc<Ruled<W, BoundRules<W::Set>>> {
        let rules = BoundRules::new(&self.law);
        let board = self.law.definition.board;
        Arc::new(Ruled::new(rules, variant.clone(), board))
    }
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

    fn start(&self) -> &str {
        &self.law.definition.start_fen
    }

    fn page_text(&self) -> &str {
        &self.law.page
    }

    fn fingerprint(&self) -> u64 {
        // FNV-1a of the whole definition.
        format!("{:?}", self.law.definition)
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            })
    }

    fn fits(&self, geometry: Geometry) -> Result<(), String> {
        let board = self.law.definition.board;
        let shape = |g: Geometry| (g.files(), g.ranks(), g.holes());
        if shape(geometry) == shape(board) {
            Ok(())
        } else {
            Err(format!(
                "the definition is for its own board of {} alone, holes where it has them",
                board.size()
            ))
        }
    }

    fn open(&self, variant: &Variant, _geometry: Geometry) -> AnyGame {
        let board = self.law.definition.board;
        let narrow = board.len() <= <u64 as Squares>::CAPACITY;
        let six = self.law.kinds.count() <= <Six<u64> as KindSets<u64>>::COUNT;
        if let Some(promise) = promise(&self.law) {
            let rules = Orthodox::new(BoundRules::new(&self.law), promise);
            return AnyGame::Narrow(Arc::new(Ruled::new(rules, variant.clone(), board)));
        }
        match (six, narrow) {
            (true, true) => AnyGame::Narrow(self.bind(variant)),
            (false, true) => AnyGame::Open(self.bind(variant)),
            (_, false) => AnyGame::Wide(self.bind(variant)),
        }
    }
}

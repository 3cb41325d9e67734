//! From a definition to a variant that everything else opens like a compiled one.

use crate::bound_rules::BoundRules;
use crate::compiled_definition::{CompiledDefinition, Refusal};
use crate::ends::reasons;
use crate::hooks::state_keys;
use crate::orthodox::{Orthodox, promise};
use board::{Geometry, Squares};
use definition::Definition;
use position::{KindSets, Layout, Six};
use rules::{AnyGame, MadeRules, Ruled, Variant, VariantInfo};
use std::sync::Arc;

/// Makes a definition a variant.
///
/// The definition stays in memory until the program ends, as compiled rule sets do: a variant holds
/// its rule set's card for good, and a program reads few files.
///
/// # Errors
/// A clause that is not supported, by its key.
pub fn open(definition: Definition) -> Result<Variant, Refusal> {
    open_with(definition, true)
}

/// The same, but no symmetry of the board is made use of: for checks that nothing depends on them.
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
    let law: &'static CompiledDefinition = Box::leak(Box::new(law));
    let d = &law.definition;
    let card = VariantInfo {
        id: &d.name,
        name: &d.name,
        inventor: "a definition",
        page: "a definition",
        difference: String::leak(difference),
        state: Vec::leak(state_keys(&law.definition, &law.state)),
        reasons: Vec::leak(reasons(d)),
        diff: &[],
        made: Some(Box::leak(Box::new(Source(law)))),
        ..VariantInfo::FIDE
    };
    Ok(Variant {
        card: Box::leak(Box::new(card)),
        options: Vec::new(),
    })
}

/// A law as the source of games.
struct Source(&'static CompiledDefinition);

impl MadeRules for Source {
    fn start(&self) -> String {
        self.0.definition.start_fen.clone()
    }

    fn fits(&self, geometry: Geometry) -> Result<(), String> {
        let board = self.0.definition.board;
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

    fn open(&self, variant: &Variant, geometry: Geometry) -> AnyGame {
        let variant = variant.clone();
        let narrow = geometry.len() <= <u64 as Squares>::CAPACITY;
        let six = self.0.kinds.count() <= <Six<u64> as KindSets<u64>>::COUNT;
        if let Some(promise) = promise(self.0) {
            let made = BoundRules::new(self.0);
            let board = self.0.definition.board;
            let rules = Orthodox::new(made, promise);
            return AnyGame::Narrow(Arc::new(Ruled::new(rules, variant, board)));
        }
        match (six, narrow) {
            (true, true) => AnyGame::Narrow(game(self.0, variant)),
            (false, true) => AnyGame::Open(game(self.0, variant)),
            (_, false) => AnyGame::Wide(game(self.0, variant)),
        }
    }

    fn page(&self) -> String {
        self.0.page.clone()
    }

    fn fingerprint(&self) -> u64 {
        // FNV-1a of everything that the definition says.
        format!("{:?}", self.0.definition)
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            })
    }
}

fn game<W: Layout>(
    law: &'static CompiledDefinition,
    variant: Variant,
) -> Arc<Ruled<W, BoundRules<W::Set>>> {
    Arc::new(Ruled::new(
        BoundRules::new(law),
        variant,
        law.definition.board,
    ))
}

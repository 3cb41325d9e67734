//! Adds clauses to definitions. A higher crate compiles the clauses, for each board and each choice of options:
//! [`Binder`].

use crate::bound_rules::BoundRules;
use crate::compiled_definition::CompiledDefinition;
use crate::extended::{Extended, Shared, contained};
use crate::extension::Clauses;
use crate::moves::MoveTables;
use board::{Geometry, Squares};
use definition::{Definition, Movement, PieceType};
use diagnostics::Diagnostic;
use position::{KindSets, Layout, Narrow, Open, Six, Wide};
use rules::{AnyGame, DeclaredField, Game, Reason, Ruled, Variant};
use std::sync::Arc;

/// A definition on a board, to which clauses are added.
pub struct Base<W: Layout> {
    shared: Arc<Shared<W::Set>>,
    variant: Variant,
    geometry: Geometry,
}

impl<W: Layout> Clone for Base<W> {
    fn clone(&self) -> Base<W> {
        Base {
            shared: Arc::clone(&self.shared),
            variant: self.variant.clone(),
            geometry: self.geometry,
        }
    }
}

impl<W: Layout> Base<W> {
    /// Returns the definition on this board.
    pub fn definition(&self) -> &Definition {
        &self.shared.base.law.definition
    }

    /// Returns the variant with its options.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// Returns the board.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// Returns the kind of a piece.
    pub fn kind(&self, piece: PieceType) -> board::Kind {
        self.shared.base.law.kinds.plain(piece)
    }

    /// Returns the kinds of a piece, one bit for each.
    pub fn kinds_of(&self, piece: PieceType) -> u64 {
        let forms = self.shared.base.law.kinds.forms(piece).iter();
        forms.fold(0, |kinds, kind| kinds | 1 << kind.index())
    }

    /// Returns the piece of a kind.
    pub fn piece(&self, kind: board::Kind) -> Option<PieceType> {
        self.shared.base.law.kinds.piece(kind)
    }

    /// Returns the declared fields of the state.
    pub fn declared(&self) -> &[DeclaredField] {
        &self.shared.base.law.declared.fields
    }

    /// Returns the number that an option has, and whether it is a flag. Returns `None` if no option has this name.
    pub fn option(&self, name: &str) -> Option<(u32, bool)> {
        let declared = &self.shared.base.law.declared;
        let n = declared
            .options
            .iter()
            .position(|option| option.name == name)?;
        Some(match declared.options[n].range {
            None => (u32::from(self.variant.has(name)), true),
            Some(_) => (
                self.variant.number(name).unwrap_or(declared.defaults[n]),
                false,
            ),
        })
    }

    /// Sets a declared field of a position, given as in [`rules::Carried::declared_value`].
    pub fn set_declared(
        &self,
        p: &mut position::Position<W>,
        field: usize,
        side: board::Color,
        value: i64,
    ) {
        let base = &self.shared.base;
        let kind = base.law.declared.fields[field].kind;
        base.names()
            .set(kind, base.law.state.declared[field][side.index()], p, value);
    }

    /// Returns the game with these clauses.
    pub fn game(&self, clauses: Arc<dyn Clauses<W>>) -> Arc<dyn Game<W>> {
        let rules = Extended::new(Arc::clone(&self.shared), clauses);
        Arc::new(Ruled::new(rules, self.variant.clone(), self.geometry))
    }
}

/// What compiles the clauses of a definition.
pub trait Binder: Send + Sync {
    /// Returns the movements that the clauses use besides those of the pieces.
    ///
    /// # Errors
    /// The first error in a clause.
    fn movements(&self, definition: &Definition) -> Result<Vec<Movement>, Diagnostic>;
    /// Returns the reasons of the clauses with their meaning, in the order in which they are tested.
    fn reasons(&self, definition: &Definition) -> Vec<(Reason, &'static str)>;
    /// Adds the clauses to a definition on a board of up to 64 squares.
    ///
    /// # Errors
    /// The first error in a clause.
    fn narrow(&self, base: Base<Narrow>) -> Result<Arc<dyn Game<Narrow>>, Diagnostic>;
    /// Adds the clauses to a definition with many kinds.
    ///
    /// # Errors
    /// The first error in a clause.
    fn open(&self, base: Base<Open>) -> Result<Arc<dyn Game<Open>>, Diagnostic>;
    /// Adds the clauses to a definition on a large board or with a long state.
    ///
    /// # Errors
    /// The first error in a clause.
    fn wide(&self, base: Base<Wide>) -> Result<Arc<dyn Game<Wide>>, Diagnostic>;
}

/// The greatest number of movements of a definition and its clauses.
const MAX_MOVEMENTS: usize = 64;

/// Adds clauses to a definition on its board.
fn extend<W: Layout, G>(
    law: &Arc<CompiledDefinition>,
    variant: &Variant,
    binder: &dyn Binder,
    add: impl FnOnce(Base<W>) -> Result<G, Diagnostic>,
) -> Result<G, Diagnostic> {
    let d = &law.definition;
    let own = d.pieces.iter().map(|piece| piece.movement.clone());
    let movements: Vec<Movement> = own.chain(binder.movements(d)?).collect();
    if movements.len() > MAX_MOVEMENTS {
        let why = format!("more than {MAX_MOVEMENTS} movements of pieces and clauses");
        return Err(Diagnostic::new(&d.name, why));
    }
    let pawn = d.pawns.pawn.map(|pawn| &d.pieces[pawn.index()].movement);
    let parts = |movement| pawn.map_or(0, |pawn| contained(pawn, movement));
    let shared = Shared {
        base: BoundRules::new(law),
        movements: MoveTables::of_movements(d, &movements, d.board),
        pawn_parts: movements.iter().map(parts).collect(),
        pawn: pawn.map_or(0, |pawn| contained(pawn, pawn)),
    };
    add(Base {
        shared: Arc::new(shared),
        variant: variant.clone(),
        geometry: d.board,
    })
}

/// Binds a definition with clauses to its board, in the narrowest layout.
///
/// # Errors
/// The first error in a clause.
pub(crate) fn bind_extended(
    law: &Arc<CompiledDefinition>,
    variant: &Variant,
    binder: &dyn Binder,
) -> Result<AnyGame, Diagnostic> {
    let narrow = law.definition.board.len() <= <u64 as Squares>::CAPACITY;
    let short = law.state.bits <= u64::BITS;
    let six = law.kinds.count() <= <Six<u64> as KindSets<u64>>::COUNT;
    Ok(match (six, narrow && short) {
        (true, true) => extend(law, variant, binder, |base| binder.narrow(base))?.into(),
        (false, true) => extend(law, variant, binder, |base| binder.open(base))?.into(),
        (_, false) => extend(law, variant, binder, |base| binder.wide(base))?.into(),
    })
}

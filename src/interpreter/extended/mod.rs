//! The rules of a definition with clauses: [`Extended`].
//!
//! Movement tables, castling, promotion, hands and clocks are those of [`BoundRules`]. Whatever a clause can change is
//! computed here, with the clauses evaluated at each place:
//!
//! * `attacks`: what units reach and attack, royal units, checks.
//! * `steps`: pseudo-legal steps.
//! * `effects`: what a step does to the board.
//! * `turns`: turns of one or two steps, and which of them are legal.
//! * `hooks`: the implementation of [`rules::Rules`].
//!
//! Every turn is tested by trial: it is played, and the result is examined. Rule texts whose clauses concern whole turns
//! only ([`Aspects::OF_WHOLE_TURNS`]) use the generator of the definition, which gives the same turns.

mod attacks;
mod effects;
mod hooks;
mod steps;
mod turns;

use crate::bound_rules::BoundRules;
use crate::extension::{Aspects, Clauses};
use crate::moves::MoveTables;
use definition::{Movement, Term};
use position::Layout;
use rules::Symmetries;
use std::sync::Arc;

/// What all games of a rule text on a board share.
pub struct Shared<S> {
    /// The definition without clauses.
    pub base: BoundRules<S>,
    /// The movements of the definition's pieces and those of the rule text, by number.
    pub movements: MoveTables<S>,
    /// By movement, the parts of the pawn's movement that it contains, one bit for each.
    pub pawn_parts: Vec<u64>,
    /// All parts of the pawn's movement; 0 if there is no pawn.
    pub pawn: u64,
}

/// Returns which terms of a movement another one contains, one bit for each. Whether they capture en passant does not
/// matter.
pub fn contained(of: &Movement, by: &Movement) -> u64 {
    let plain = |term: &Term| Term {
        en_passant: false,
        ..term.clone()
    };
    let terms: Vec<Term> = by.terms.iter().map(plain).collect();
    let contained = of
        .terms
        .iter()
        .enumerate()
        .filter(|(_, term)| terms.contains(&plain(term)));
    contained.fold(0, |parts, (n, _)| parts | 1 << n.min(63))
}

/// The rules of a definition with clauses.
pub struct Extended<W: Layout> {
    shared: Arc<Shared<W::Set>>,
    clauses: Arc<dyn Clauses<W>>,
    has: Aspects,
    /// The symmetries of the clauses.
    symmetries: Symmetries,
}

impl<W: Layout> Extended<W> {
    /// Returns the rules with these clauses.
    pub fn new(shared: Arc<Shared<W::Set>>, clauses: Arc<dyn Clauses<W>>) -> Extended<W> {
        Extended {
            symmetries: clauses.symmetries(),
            shared,
            has: clauses.aspects(),
            clauses,
        }
    }

    fn base(&self) -> &BoundRules<W::Set> {
        &self.shared.base
    }

    /// Returns whether turns are generated and played like those of the definition.
    fn is_of_whole_turns(&self) -> bool {
        self.has.within(Aspects::OF_WHOLE_TURNS)
    }
}

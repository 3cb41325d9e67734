//! The interface to the interpreter: compiles the clauses of a definition for each board.

use crate::entries::Verdict;
use crate::stages::Stages;
use crate::text::{Text, error};
use board::Geometry;
use definition::{Definition, Movement};
use diagnostics::Diagnostic;
use interpreter::{Base, Binder};
use position::{Layout, Narrow, Open, Wide};
use rules::{AnyGame, Game, Reason, Variant, interned};
use std::sync::Arc;

/// Opens a rule set by its name on a board.
pub type OpenRuleSet = dyn Fn(&str, Geometry) -> Result<AnyGame, Diagnostic> + Send + Sync;

/// What clauses need of a catalog.
pub struct Opener {
    /// Opens other rule sets, for `under`.
    pub open: Box<OpenRuleSet>,
    /// Names of kinds that only other rule sets have.
    pub kinds: Vec<&'static str>,
    /// The text that decides the rules, with those of the rule sets that it names.
    pub rules_text: String,
    /// Whether conditions that depend only on the kinds of units are looked up instead of evaluated. Tests compare both.
    pub looks_up: bool,
}

/// Turns a definition with clauses into a variant.
///
/// # Errors
/// The first error in a clause, with its place, or a rule of the definition that is not supported.
pub fn open(definition: Definition, opener: Opener) -> Result<Variant, Diagnostic> {
    let text = Text::new(&definition)?;
    refuse_keys(&definition, &text)?;
    let rules_text = opener.rules_text.clone();
    interpreter::open_extended(definition, &rules_text, Arc::new(Bound { opener, text }))
}

/// Checks a condition on its own: whether its clauses can be read.
///
/// # Errors
/// The first clause that cannot be read, with its place.
pub fn check(condition: &definition::Layer) -> Result<(), Diagnostic> {
    let definition = Definition {
        name: condition.section.clone(),
        layers: vec![condition.clone()],
        ..Definition::default()
    };
    Text::new(&definition).map(|_| ())
}

/// A test of whether a definition has a rule.
type Has = fn(&Definition) -> bool;

/// Keys of the format that rule texts with clauses about more than whole turns do not play, each with a test.
const NOT_WITH_CLAUSES: [(&str, Has); 19] = [
    ("blastOnCapture", |d| d.captures.blast),
    ("castlingWins", |d| d.castling.wins != Default::default()),
    ("checkCounting", |d| d.checks.counting),
    ("checking", |d| !d.checks.allowed),
    ("cambodianMoves", |d| d.gating.cambodian),
    ("sittuyinPromotion", |d| d.promotion.sittuyin),
    ("dropChecks", |d| d.drops.enabled && !d.drops.checks),
    ("dropOppositeColoredBishop", |d| d.drops.opposite_bishops),
    ("extinctionPseudoRoyal", |d| d.extinction.pseudo_royal),
    ("flyingGeneral", |d| d.checks.flying_general),
    ("gating", |d| d.gating.enabled),
    ("makpongRule", |d| d.checks.makpong),
    ("mustCapture", |d| d.captures.mandatory),
    ("mustDrop", |d| d.drops.must_drop),
    ("nMoveRuleKept", |d| d.quiet_plies() > 0),
    ("pass", |d| d.passing.allowed != [false; 2]),
    ("passOnStalemate", |d| d.passing.on_stalemate != [false; 2]),
    ("shatarMateRule", |d| d.checks.shatar),
    ("shogiPawnDropMateIllegal", |d| {
        d.drops.shogi_pawn_mate_illegal && d.named("shogiPawn").is_some()
    }),
];

/// Returns whether a key concerns whole turns and positions only, or declares a name.
fn concerns_whole_turns(key: &str) -> bool {
    const KEYS: [&str; 6] = ["legalIf", "prefer", "ends", "fenIf", "state", "options"];
    KEYS.contains(&key) || key.starts_with("state.") || key.starts_with("let.")
}

/// Returns whether all clauses of a definition concern whole turns and positions only, so that its turns are those of the
/// format, some of them left out.
pub fn concern_whole_turns(definition: &Definition) -> bool {
    let mut clauses = definition.layers.iter().flat_map(|layer| &layer.clauses);
    clauses.all(|clause| concerns_whole_turns(&clause.key))
}

/// Refuses keys of the format that cannot be combined with the clauses.
fn refuse_keys(definition: &Definition, text: &Text) -> Result<(), Diagnostic> {
    let is_special = |key: &&String| !concerns_whole_turns(key);
    let Some(clause) = text.parts.keys().find(is_special) else {
        return Ok(());
    };
    match NOT_WITH_CLAUSES.iter().find(|(_, has)| has(definition)) {
        None => Ok(()),
        Some((key, _)) => {
            let part = &text.get(clause)[0];
            let why =
                format!("`{key}` of the format is not played together with the clause `{clause}`");
            Err(Diagnostic::new(&definition.name, why).at(part.clause.key_place()))
        }
    }
}

/// The clauses of a definition, which are compiled for each board.
struct Bound {
    opener: Opener,
    text: Text,
}

impl Bound {
    /// Returns the movements that the clauses name, with their texts.
    fn named(&self, definition: &Definition) -> Result<Vec<(String, Movement)>, Diagnostic> {
        let mut named: Vec<(String, Movement)> = Vec::new();
        for part in &self.text.movements {
            let Some(tree) = &part.tree else { continue };
            language::each_text(tree, &mut |text| {
                let known = named.iter().any(|(known, _)| known == text);
                if !known && let Ok(movement) = Movement::parse(text) {
                    named.push((text.to_owned(), movement));
                }
            });
            if named.len() > 64 {
                let layer = &definition.layers[part.layer];
                let why = language::ExpressionError::new(0..0, "more than 64 movements are named");
                return Err(error(layer, &part.clause, &why, &part.source));
            }
        }
        Ok(named)
    }

    fn game<W: Layout>(&self, base: Base<W>) -> Result<Arc<dyn Game<W>>, Diagnostic> {
        let definition = base.definition().clone();
        let pieces = &definition.pieces;
        let pawn = definition.pawns.pawn;
        let named = self.named(&definition)?.into_iter().enumerate();
        let numbers: Vec<(String, u32)> = named
            .map(|(n, (text, movement))| {
                // The pawn's movement has its number, with which pawns make double steps.
                let is_pawns = pawn.filter(|pawn| pieces[pawn.index()].movement == movement);
                let number = is_pawns.map_or(pieces.len() + n, definition::PieceType::index);
                (text, number as u32)
            })
            .collect();
        Stages::new(base, &self.opener, &numbers).full()
    }
}

impl Binder for Bound {
    fn movements(&self, definition: &Definition) -> Result<Vec<Movement>, Diagnostic> {
        Ok(self
            .named(definition)?
            .into_iter()
            .map(|(_, movement)| movement)
            .collect())
    }

    fn reasons(&self, _definition: &Definition) -> Vec<(Reason, &'static str)> {
        let mut reasons: Vec<(Reason, &'static str)> = Vec::new();
        for part in self.text.get("ends") {
            if let Some(end) = &part.end
                && let Verdict::Outcome { reason, .. } = end.verdict
                && reasons.iter().all(|(known, _)| *known != reason)
            {
                let said: Vec<&str> = part.source[end.span.clone()].split_whitespace().collect();
                reasons.push((
                    reason,
                    interned(&format!("by the rule text: `{}`", said.join(" "))),
                ));
            }
        }
        reasons
    }

    fn narrow(&self, base: Base<Narrow>) -> Result<Arc<dyn Game<Narrow>>, Diagnostic> {
        self.game(base)
    }

    fn open(&self, base: Base<Open>) -> Result<Arc<dyn Game<Open>>, Diagnostic> {
        self.game(base)
    }

    fn wide(&self, base: Base<Wide>) -> Result<Arc<dyn Game<Wide>>, Diagnostic> {
        self.game(base)
    }
}

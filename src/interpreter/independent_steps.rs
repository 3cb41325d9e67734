//! Decides whether the effect of each step depends only on the units that take part in it.

use crate::compiled_definition::CompiledDefinition;
use definition::{Captures, Checks, Definition, Drops, Gating, Passing, Path, Promotion};

/// Returns whether a definition keeps the promise of [`rules::IndependentSteps`], in every state and for both
/// sides, with steps that are the same in every state. Only rules that are known to keep the promise are accepted, so the answer may be false although it
/// is kept.
pub fn has_independent_steps(law: &CompiledDefinition) -> bool {
    law.state.has_only_hands_and_counters() && !law.passer && has_independent_rules(&law.definition)
}

/// Returns whether all rules of a definition are among those whose steps are independent. The parts of the
/// definition are listed without `..`, so that a new field must be considered here.
fn has_independent_rules(definition: &Definition) -> bool {
    let Definition {
        pieces,
        promotion,
        drops,
        castling,
        gating,
        walling,
        captures,
        passing,
        checks,
        extinction,
        // These decide where steps lead, by squares alone.
        board: _,
        pawns: _,
        en_passant: _,
        chess960: _,
        // These decide when games end, not which steps there are.
        flag: _,
        connection: _,
        no_turn: _,
        ended: _,
        history: _,
        // These are not rules.
        name: _,
        parent: _,
        start_fen: _,
        has_fide_boards: _,
        written: _,
        // Rule texts promise nothing.
        layers: _,
    } = definition;
    // A hopper steps only over a further unit.
    let hops = |path: Path| matches!(path, Path::Hop | Path::Grasshop);
    let terms = pieces.iter().flat_map(|piece| &piece.movement.terms);
    !terms.into_iter().any(|term| hops(term.path))
        && has_plain_promotions(promotion)
        && has_plain_drops(drops)
        // A drop could bring a right of castling.
        && !castling.dropped
        && !has_gates(gating)
        && walling.rule.is_none()
        && has_plain_captures(captures)
        && !can_pass(passing)
        && has_plain_kings(checks)
        // Whether a pseudo-royal unit can be captured depends on the number of such units.
        && !extinction.pseudo_royal
}

/// Returns whether a unit's promotions depend on its squares and its capture alone. A limit on the number of
/// units makes them depend on other units.
fn has_plain_promotions(promotion: &Promotion) -> bool {
    !promotion.sittuyin && promotion.limits.iter().all(|&limit| limit == 0)
}

/// Returns whether a unit in hand goes to a vacant square of its region and changes no other unit, and hands grow
/// only by captures. Other conditions on drops only prevent them.
fn has_plain_drops(drops: &Drops) -> bool {
    !drops.two_boards && drops.enclosing.is_none() && drops.flip.is_none()
}

fn has_gates(gating: &Gating) -> bool {
    gating.enabled || gating.seirawan || gating.cambodian
}

/// Returns whether a capture removes the captured unit and nothing else. Rules that forbid captures, or all
/// other turns, only remove turns.
fn has_plain_captures(captures: &Captures) -> bool {
    !captures.blast && captures.petrify.is_empty() && !captures.petrify_blast
}

fn can_pass(passing: &Passing) -> bool {
    passing.allowed.contains(&true) || passing.on_stalemate.contains(&true)
}

fn has_plain_kings(checks: &Checks) -> bool {
    !checks.flying_general && !checks.bikjang && checks.diagonal_lines == 0
}

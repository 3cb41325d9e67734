//! The checks `always`, `never` and `exists`: conditions over a set of positions.

use crate::file::{Property, Quantifier, SetKind};
use crate::scan::{self, Scanned, Wanted, Witness};
use crate::subject::{Subject, compile};
use crate::vacuity::{Premise, premises, premises_with_bodies};
use crate::{Evidence, Finding, Scope, Verdict};
use control::Control;
use diagnostics::Diagnostic;

/// The maximum number of plies of a line that a summary shows. The evidence contains the whole line.
const MAX_SHOWN_PLIES: usize = 40;

/// Compiles the expressions for the rule set.
///
/// # Errors
/// If an expression is wrong, with its place in the file.
pub fn validate(property: &Property, subject: &Subject<'_>) -> Result<(), Diagnostic> {
    let set = &property.set.kind;
    scan::validate(set, &wanted(property, &[]), subject)?;
    if let Some(nonvacuous) = &property.nonvacuous {
        let wanted = Wanted {
            condition: Some(nonvacuous),
            ..Wanted::default()
        };
        scan::validate(set, &wanted, subject)?;
    }
    Ok(())
}

/// Verifies the property.
///
/// # Errors
/// The errors of [`validate`].
pub fn run(
    property: &Property,
    subject: &Subject<'_>,
    control: &Control<'_>,
) -> Result<Finding, Diagnostic> {
    let premises = compiling_premises(property, subject)?;
    let wanted = wanted(property, &premises);
    let scanned = scan::scan(&property.set.kind, &wanted, subject, control)?;
    let Some((scanned, mut never_held, unread)) = scanned else {
        return Ok(interrupted());
    };
    if property.quantifier == Quantifier::Exists
        && scanned.tally.first.is_some()
        && !never_held.is_empty()
        && let Some(nonvacuous) = &property.nonvacuous
    {
        // The scan ended at the witness, so search the whole set for a position in which `nonvacuous` holds.
        let wanted = Wanted {
            condition: Some(nonvacuous),
            decisive: Some(true),
            ..Wanted::default()
        };
        match scan::scan(&property.set.kind, &wanted, subject, control)? {
            None => return Ok(interrupted()),
            Some((found, ..)) if found.tally.first.is_some() => never_held.clear(),
            Some(_) => {}
        }
    }
    let written = |at: usize| match premises.get(at) {
        Some(premise) => premise.written.clone(),
        None => property
            .nonvacuous
            .as_ref()
            .map_or(String::new(), ToString::to_string),
    };
    let never_held: Vec<String> = never_held.into_iter().map(written).collect();
    let (mut verdict, scope) = judged(property, &scanned, &never_held);
    let witness = scanned.tally.first.clone();
    let mut summary = summary(property, &scanned, verdict, &never_held);
    // A statement with a premise that cannot be examined may assert nothing.
    if let (Some(&at), Verdict::Confirmed | Verdict::Consistent) = (unread.first(), verdict) {
        verdict = Verdict::Open;
        summary += &format!("; whether `{}` ever holds cannot be examined", written(at));
    }
    Ok(Finding {
        verdict,
        scope,
        summary,
        evidence: evidence(property, subject, &scanned, verdict, witness),
    })
}

/// Returns the finding of an interrupted check. The caller discards it.
pub fn interrupted() -> Finding {
    Finding {
        verdict: Verdict::Open,
        scope: Scope::Sample,
        summary: "interrupted".to_owned(),
        evidence: Evidence::default(),
    }
}

/// The maximum length of an expression whose premises are written again with their bodies, in bytes.
const MAX_REPEATED_BYTES: usize = 10_000;

/// Returns the premises of what a property asserts, each in a form that compiles if there is one.
///
/// # Errors
/// If the set is wrong, with its place in the file.
fn compiling_premises(
    property: &Property,
    subject: &Subject<'_>,
) -> Result<Vec<Premise>, Diagnostic> {
    let text = &property.condition.value;
    let asserted = match property.quantifier {
        Quantifier::Always => text.as_str(),
        // A claim with `never = "!(...)"` asserts the expression in parentheses.
        Quantifier::Never => match language::parse(text).map(|tree| tree.node) {
            Ok(language::Node::Not(inner)) => &text[inner.span],
            _ => return Ok(Vec::new()),
        },
        Quantifier::Exists => return Ok(Vec::new()),
    };
    let mut found = premises(asserted);
    let games = scan::games_of(&property.set.kind, subject)?;
    let compiles = |premise: &Premise| {
        let about = scan::about(&property.set.kind);
        let compiled = |game| compile(subject.catalog, &premise.expression, game, about).is_ok();
        games.iter().all(compiled)
    };
    if asserted.len() <= MAX_REPEATED_BYTES && !found.iter().all(compiles) {
        for (premise, longer) in found.iter_mut().zip(premises_with_bodies(asserted)) {
            if !compiles(premise) {
                *premise = longer;
            }
        }
    }
    Ok(found)
}

fn wanted<'p>(property: &'p Property, premises: &[Premise]) -> Wanted<'p> {
    let somewhere = premises.iter().map(|premise| premise.expression.clone());
    let nonvacuous = property.nonvacuous.iter().map(|text| text.value.clone());
    Wanted {
        condition: Some(&property.condition),
        decisive: Some(property.quantifier != Quantifier::Always),
        somewhere: somewhere.chain(nonvacuous).collect(),
        ..Wanted::default()
    }
}

/// Returns the verdict and its scope.
fn judged(property: &Property, scanned: &Scanned, never_held: &[String]) -> (Verdict, Scope) {
    let exists = property.quantifier == Quantifier::Exists;
    if exists && scanned.tally.first.is_some() && !never_held.is_empty() {
        return (Verdict::Vacuous, Scope::Witness);
    }
    if scanned.tally.first.is_some() {
        return (Verdict::of(exists), Scope::Witness);
    }
    let is_sample = matches!(property.set.kind, SetKind::Games { .. });
    let scope = match is_sample {
        true => Scope::Sample,
        false => Scope::Exhaustive,
    };
    let verdict = match scanned.limit {
        Some(_) => Verdict::Open,
        None if scanned.tally.positions == 0 => Verdict::Vacuous,
        None if exists && is_sample => Verdict::Open,
        None if exists => Verdict::Refuted,
        None if !never_held.is_empty() => Verdict::Vacuous,
        None if is_sample => Verdict::Consistent,
        None => Verdict::Confirmed,
    };
    (verdict, scope)
}

fn summary(
    property: &Property,
    scanned: &Scanned,
    verdict: Verdict,
    never_held: &[String],
) -> String {
    let positions = match property.set.kind {
        SetKind::Steps => "steps",
        SetKind::Line(_) => "turns",
        _ => "positions",
    };
    let Scanned { set, tally, .. } = scanned;
    if let Some(witness) = &tally.first {
        let what = match property.quantifier {
            Quantifier::Exists => "a position",
            Quantifier::Always | Quantifier::Never => "a counterexample",
        };
        let found = format!("{what} in {set}: {}", place(witness));
        return match never_held.is_empty() || verdict != Verdict::Vacuous {
            true => found,
            false => format!(
                "{found}; `{}` holds nowhere in the set",
                never_held.join(" and ")
            ),
        };
    }
    let examined = match scanned.tally.positions {
        1 => format!("{set} examined"),
        n => format!("all {n} {positions} of {set} examined"),
    };
    if let Some(limit) = &scanned.limit {
        return format!(
            "undecided: limit {limit} reached after {} {positions} of {set}",
            tally.positions
        );
    }
    match verdict {
        Verdict::Vacuous if tally.positions == 0 => format!("{set}: the set is empty"),
        Verdict::Vacuous => {
            let never: Vec<String> = never_held.iter().map(|text| format!("`{text}`")).collect();
            let never = never.join(" and ");
            format!("{examined}; {never} holds in none of them, so that nothing was asserted")
        }
        Verdict::Refuted => format!("{examined}; the condition holds in none of them"),
        Verdict::Open => format!("{examined}; no witness among them (limit games)"),
        _ => match property.quantifier {
            Quantifier::Never => format!("{examined}; the condition holds in none of them"),
            Quantifier::Always | Quantifier::Exists => {
                format!("{examined}; the condition holds in each of them")
            }
        },
    }
}

/// Returns the place of a witness in words.
pub fn place(witness: &Witness) -> String {
    let line = match (&witness.turn, witness.line.is_empty()) {
        (Some(turn), _) => return format!("{turn} in {}", witness.fen),
        (None, true) => String::new(),
        (None, false) => {
            let plies = control::counted(witness.line.len(), "ply", "plies");
            let shown = witness.line.len().min(MAX_SHOWN_PLIES);
            let more = if shown < witness.line.len() {
                " ..."
            } else {
                ""
            };
            format!(" after {plies} ({}{more})", witness.line[..shown].join(" "))
        }
    };
    format!("{}{line}", witness.fen)
}

fn evidence(
    property: &Property,
    subject: &Subject<'_>,
    scanned: &Scanned,
    verdict: Verdict,
    witness: Option<Witness>,
) -> Evidence {
    let mut evidence = Evidence::new(&[
        "variant",
        "expression",
        "set",
        "positions",
        "result",
        "plies",
        "root",
        "line",
        "turn",
        "fen",
    ]);
    let result = match (&witness, property.quantifier) {
        (Some(_), Quantifier::Exists) => "witness",
        (Some(_), _) => "counterexample",
        (None, _) => match verdict {
            Verdict::Open => "limit",
            Verdict::Vacuous => "vacuous",
            Verdict::Refuted => "none",
            _ => "holds",
        },
    };
    let expression = match property.quantifier {
        Quantifier::Always => format!("always {}", property.condition),
        Quantifier::Never => format!("never {}", property.condition),
        Quantifier::Exists => format!("exists {}", property.condition),
    };
    let plies = witness
        .as_ref()
        .map(|witness| witness.line.len().to_string());
    let Witness {
        root,
        line,
        fen,
        turn,
    } = witness.unwrap_or_default();
    evidence.row([
        subject.variant.to_string(),
        expression,
        scanned.set.clone(),
        scanned.tally.positions.to_string(),
        result.to_owned(),
        plies.unwrap_or_default(),
        root,
        line.join(" "),
        turn.unwrap_or_default(),
        fen,
    ]);
    evidence
}

//! Reads the keys `limits` and `amend` of a claim: the limits of its check, and the misprints that may be
//! corrected.

use super::fields::{Fields, count_of};
use super::node::{Node, Value};
use super::read_check::MAX_PLIES;
use super::source_text::SourceText;
use super::spec::{Amendment, Limits};
use diagnostics::Diagnostic;
use std::mem::discriminant;

/// Returns the limits of a claim, with defaults for missing keys.
///
/// # Errors
/// If a limit is unknown or not a number.
pub fn read_limits(fields: &Fields<'_>) -> Result<Limits, Diagnostic> {
    let mut limits = Limits::default();
    let Some(given) = fields.table("limits", "`limits`", "{ states = 5_000_000 }")? else {
        return Ok(limits);
    };
    given.only(&["states", "positions", "plies", "games"])?;
    // The explorer numbers states with 32 bits.
    if let Some(states) = given.count("states", 1, u64::from(u32::MAX) - 1)? {
        limits.states = states;
    }
    if let Some(positions) = given.count("positions", 1, u64::MAX)? {
        limits.positions = positions;
    }
    if let Some(plies) = given.count("plies", 1, MAX_PLIES)? {
        limits.plies = plies as u32;
    }
    limits.games = given.count("games", 1, u64::MAX)?;
    Ok(limits)
}

/// Returns the corrections that a claim allows.
///
/// # Errors
/// If an amendment is wrong.
pub fn read_amendments(fields: &Fields<'_>) -> Result<Vec<Amendment>, Diagnostic> {
    const EXAMPLE: &str = "[ { replace_turn = true } ]";
    let Some(field) = fields.get("amend") else {
        return Ok(Vec::new());
    };
    match &field.node.value {
        Value::List(list) => {
            let mut amendments: Vec<Amendment> = Vec::new();
            for node in list {
                let amendment = amendment(fields.file, node)?;
                corrects(fields, &amendment, node)?;
                let kind = discriminant(&amendment);
                if amendments.iter().any(|other| discriminant(other) == kind) {
                    let why = "a second amendment of the same kind";
                    let help = "write one table, such as `{ replace_turn = 2, at = [3, 5] }`";
                    return Err(fields.file.error(&node.span, why).help(help));
                }
                amendments.push(amendment);
            }
            Ok(amendments)
        }
        _ => Err(fields.wrong_type(field, "a list of tables", EXAMPLE)),
    }
}

/// Checks that the claim has the part that an amendment would correct.
fn corrects(fields: &Fields<'_>, amendment: &Amendment, node: &Node) -> Result<(), Diagnostic> {
    let (what, keys): (&str, &[&str]) = match amendment {
        Amendment::InsertTurns { .. } | Amendment::ReplaceTurns { .. } => {
            ("turns", &["line", "replies"])
        }
        Amendment::Number(..) => ("number", &["is", "at_least", "at_most", "turns", "within"]),
        Amendment::Mark(_) => ("marks", &["marks"]),
        Amendment::AddUnit { .. } | Amendment::MoveUnit(_) => return Ok(()),
    };
    if keys.iter().any(|key| fields.has(key)) {
        return Ok(());
    }
    let why = format!("this claim has no {what} to correct");
    let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    let error = fields.file.error(&node.span, why);
    Err(error.help(format!("the amendment belongs to {}", keys.join(", "))))
}

fn amendment(file: &SourceText, node: &Node) -> Result<Amendment, Diagnostic> {
    const KINDS: [&str; 6] = [
        "insert_turns",
        "replace_turn",
        "add_unit",
        "move_unit",
        "number",
        "mark",
    ];
    /// The search for larger corrections would take too long.
    const MAX_SIZE: u64 = 6;
    let fields = Fields::of(file, node, "an amendment", "{ replace_turn = true }")?;
    let known: Vec<&str> = KINDS.into_iter().chain(["at", "of"]).collect();
    fields.only(&known)?;
    let mut named = KINDS.iter().filter(|kind| fields.has(kind));
    let kind = match (named.next(), named.next()) {
        (Some(kind), None) => *kind,
        (Some(one), Some(two)) => {
            let why = format!("two kinds of amendment in one table: `{one}` and `{two}`");
            return Err(file.error(&node.span, why).help("write two tables"));
        }
        (None, _) => {
            let error = file.error(&node.span, "an amendment without a kind");
            return Err(error.help(format!("one of {}", KINDS.join(", "))));
        }
    };
    let at = places(&fields)?;
    if let (Some(field), false) = (
        fields.get("at"),
        matches!(kind, "insert_turns" | "replace_turn"),
    ) {
        let why = format!("`at` does not belong to `{kind}`");
        return Err(file.error(&field.key.span, why));
    }
    if let (Some(field), true) = (fields.get("of"), kind != "add_unit") {
        let why = format!("`of` does not belong to `{kind}`");
        return Err(file.error(&field.key.span, why));
    }
    let size = || -> Result<u32, Diagnostic> {
        // `true` means a size of 1.
        if fields
            .get(kind)
            .is_some_and(|field| field.node.as_bool() == Some(true))
        {
            return Ok(1);
        }
        Ok(fields.count(kind, 1, MAX_SIZE)?.unwrap_or(1) as u32)
    };
    Ok(match kind {
        "insert_turns" => Amendment::InsertTurns { turns: size()?, at },
        "replace_turn" => Amendment::ReplaceTurns { turns: size()?, at },
        "add_unit" => Amendment::AddUnit {
            units: size()?,
            of: fields.text("of")?.map(|text| text.value),
        },
        "move_unit" => Amendment::MoveUnit(size()?),
        "mark" => Amendment::Mark(size()?),
        _ => range(&fields)?,
    })
}

/// Returns the places after `at`, which is one number or a list. Returns an empty list without `at`.
fn places(fields: &Fields<'_>) -> Result<Vec<u32>, Diagnostic> {
    let Some(field) = fields.get("at") else {
        return Ok(Vec::new());
    };
    let nodes = match &field.node.value {
        Value::List(list) if list.is_empty() => {
            return Err(fields.file.error(&field.node.span, "`at` has no place"));
        }
        Value::List(list) => &list[..],
        _ => std::slice::from_ref(&field.node),
    };
    let place = |node: &Node| count_of(fields.file, "at", node, 1, MAX_PLIES).map(|n| n as u32);
    nodes.iter().map(place).collect()
}

fn range(fields: &Fields<'_>) -> Result<Amendment, Diagnostic> {
    let Some(field) = fields.get("number") else {
        return Err(fields.missing("number"));
    };
    let wrong = || fields.wrong_type(field, "a list of two whole numbers", "[10, 40]");
    let Value::List(list) = &field.node.value else {
        return Err(wrong());
    };
    let number = |node: &Node| {
        node.as_number()
            .and_then(|digits| digits.parse::<i64>().ok())
    };
    match list[..]
        .iter()
        .map(number)
        .collect::<Option<Vec<_>>>()
        .as_deref()
    {
        Some([min, max]) if min <= max => Ok(Amendment::Number(*min, *max)),
        Some([min, max]) => {
            let why = format!("the range from {min} to {max} is empty");
            Err(fields.file.error(&field.node.span, why))
        }
        _ => Err(wrong()),
    }
}

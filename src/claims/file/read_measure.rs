//! Reads a measure: the measured quantity, the set of positions, and the numbers that it is compared with.

use super::fields::{Fields, count_of};
use super::node::Field;
use super::number::Number;
use super::read_set::set;
use super::source_text::Text;
use super::spec::{Check, Longest, Measure, MeasureKind, Operand, Relation, SetKind};
use diagnostics::Diagnostic;

/// The maximum depth of a perft, in plies.
const MAX_PERFT: u64 = 100;

/// Reads the measure that `field` names.
///
/// # Errors
/// If a value has the wrong type, or nothing is asserted.
pub fn measure(fields: &Fields<'_>, field: &Field) -> Result<Check, Diagnostic> {
    let key = field.key.value.as_str();
    let text = || fields.needed_text(key);
    let only_true = || match fields.flag(key)? {
        Some(true) => Ok(()),
        _ => Err(fields.wrong_type(field, "`true`", "true")),
    };
    let mut default_set = SetKind::One;
    let kind = match key {
        "count" => MeasureKind::Count(text()?),
        "share" => MeasureKind::Share(text()?),
        "mean" => MeasureKind::Mean(text()?),
        "min" => MeasureKind::Min(text()?),
        "max" => MeasureKind::Max(text()?),
        "sum" => MeasureKind::Sum(text()?),
        "perft" => MeasureKind::Perft {
            depth: fields.count(key, 0, MAX_PERFT)?.unwrap_or(0) as u32,
            divide: divide(fields)?,
        },
        "longest" => {
            default_set = SetKind::Graph { depth: None };
            let word = text()?;
            MeasureKind::Longest(match word.value.as_str() {
                "win" => Longest::Win,
                "loss" => Longest::Loss,
                "play" => Longest::Play,
                other => {
                    let why = format!("`longest` is `{other}`");
                    let error = fields.file.error(&word.span, why);
                    return Err(error.help("`win`, `loss` or `play`"));
                }
            })
        }
        "states" => {
            only_true()?;
            default_set = SetKind::Graph { depth: None };
            MeasureKind::States
        }
        _ => {
            only_true()?;
            default_set = SetKind::Graph { depth: None };
            MeasureKind::Value
        }
    };
    let mut set = set(fields, &field.key.span)?;
    if !fields.has("over") {
        set.kind = default_set;
    }
    let allowed = match &kind {
        MeasureKind::Longest(Longest::Play) | MeasureKind::States | MeasureKind::Value => {
            matches!(set.kind, SetKind::Graph { .. })
        }
        MeasureKind::Longest(_) => {
            matches!(
                set.kind,
                SetKind::Graph { depth: None } | SetKind::Table { .. }
            )
        }
        _ => true,
    };
    if !allowed {
        let why = format!("`{key}` is measured over a graph, not over this set");
        return Err(fields.file.error(&set.at, why).help("`over = \"graph\"`"));
    }
    let mut relations = Vec::new();
    for relation in [Relation::Is, Relation::AtLeast, Relation::AtMost] {
        if let Some(field) = fields.get(relation.key()) {
            relations.push((relation, operand(fields, field, &kind)?));
        }
    }
    let states_divide = matches!(&kind, MeasureKind::Perft { divide, .. } if !divide.is_empty());
    if relations.is_empty() && !states_divide {
        let why = format!("`{key}` without `is`, `at_least` or `at_most`: nothing is asserted");
        return Err(fields.file.error(&field.key.span, why));
    }
    Ok(Check::Measure(Measure {
        kind,
        set,
        among: fields.text("among")?,
        relations,
    }))
}

fn divide(fields: &Fields<'_>) -> Result<Vec<(Text, u64)>, Diagnostic> {
    let Some(turns) = fields.table("divide", "`divide`", "{ e2e4 = 600 }")? else {
        return Ok(Vec::new());
    };
    let read = |turn: &Field| {
        let count = count_of(fields.file, &turn.key.value, &turn.node, 0, u64::MAX)?;
        Ok((turn.key.clone(), count))
    };
    turns.fields.iter().map(read).collect()
}

fn operand(fields: &Fields<'_>, field: &Field, kind: &MeasureKind) -> Result<Operand, Diagnostic> {
    if let MeasureKind::Value = kind {
        const WORDS: [&str; 5] = ["win", "draw", "loss", "weak-win", "weak-loss"];
        return match field.node.as_text() {
            Some(word) if WORDS.contains(&word.value.as_str()) => Ok(Operand::Word(word)),
            _ => Err(fields
                .wrong_type(field, "the value of a position", "\"win\"")
                .help(format!("one of {}", WORDS.join(", ")))),
        };
    }
    if let Some(number) = field.node.as_number().and_then(Number::parse) {
        return Ok(Operand::Number(number));
    }
    let Some(text) = field.node.as_text() else {
        return Err(fields.wrong_type(field, "a number or the id of another measure", "20"));
    };
    Ok(match Number::parse(&text.value) {
        Some(number) if number.places.is_none() => Operand::Number(number),
        _ => Operand::Reference(text),
    })
}

//! Reads the check of a claim: the key that names the check, and the further keys that belong to it.

use super::fields::Fields;
use super::node::Field;
use super::read::COMMON;
use super::read_measure::measure;
use super::read_set::{set, texts};
use super::source_text::Text;
use super::spec::{Bound, Check, Force, LineCheck, Property, Quantifier, Solve};
use diagnostics::Diagnostic;

/// The key of each check, and the further keys that it takes.
const CHECKS: [(&str, &[&str]); 18] = [
    ("always", &["over", "nonvacuous"]),
    ("never", &["over", "nonvacuous"]),
    ("exists", &["over", "nonvacuous"]),
    ("count", &["over", "among", "is", "at_least", "at_most"]),
    ("share", &["over", "among", "is", "at_least", "at_most"]),
    ("mean", &["over", "among", "is", "at_least", "at_most"]),
    ("min", &["over", "among", "is", "at_least", "at_most"]),
    ("max", &["over", "among", "is", "at_least", "at_most"]),
    ("sum", &["over", "among", "is", "at_least", "at_most"]),
    ("perft", &["divide", "is", "at_least", "at_most"]),
    ("longest", &["over", "is", "at_least", "at_most"]),
    ("states", &["over", "is", "at_least", "at_most"]),
    ("value", &["over", "is"]),
    ("solve", &["goal", "keys", "solutions", "sound"]),
    ("force", &["by", "within", "holds"]),
    ("bound", &["turns", "tight"]),
    ("replies", &[]),
    ("line", &["legal", "ends", "marks"]),
];

/// The maximum for numbers of turns and plies. No game is longer.
pub const MAX_PLIES: u64 = u32::MAX as u64;

const CHECK_HELP: &str = "one of `always`, `never`, `exists`; `count`, `share`, `mean`, `min`, `max`, `sum`, \
                          `perft`, `longest`, `states`, `value`; `solve`; `force`; `bound`; `replies`; or `line` alone";

/// Returns the keys of all checks, including their further keys.
pub fn keys() -> impl Iterator<Item = &'static str> {
    let keys = |(check, keys): &(&'static str, &'static [&'static str])| {
        [*check].into_iter().chain(keys.iter().copied())
    };
    CHECKS.iter().flat_map(keys)
}

/// Returns the key that names the check, and the check.
///
/// # Errors
/// If the claim has not exactly one check, or a key does not belong to it.
pub fn read_check<'a>(fields: &Fields<'a>) -> Result<(&'a Field, Check), Diagnostic> {
    let source = fields.file;
    let named: Vec<&Field> = (fields.fields.iter())
        .filter(|field| {
            let key = field.key.value.as_str();
            key != "line" && CHECKS.iter().any(|(check, _)| *check == key)
        })
        .collect();
    let field = match (named[..].first(), named.get(1)) {
        (Some(first), Some(second)) => {
            let why = format!(
                "two checks in one claim: `{}` and `{}`",
                first.key, second.key
            );
            let error = source.error(&second.key.span, why);
            return Err(error.help("write two claims"));
        }
        (Some(field), None) => *field,
        (None, _) => match fields.get("line") {
            Some(field) => field,
            None => {
                let mut error = fields.missing("a check");
                error.why = "a claim without a check".to_owned();
                return Err(error.help(CHECK_HELP));
            }
        },
    };
    let key = field.key.value.as_str();
    let takes = CHECKS.iter().find(|(check, _)| *check == key);
    let takes = takes.map_or(&[][..], |(_, keys)| keys);
    let foreign = |field: &&Field| {
        let other = field.key.value.as_str();
        other != key && !COMMON.contains(&other) && !takes.contains(&other)
    };
    if let Some(other) = fields.fields.iter().find(foreign) {
        let homes: Vec<String> = (CHECKS.iter())
            .filter(|(_, keys)| keys.contains(&other.key.value.as_str()))
            .map(|(check, _)| format!("`{check}`"))
            .collect();
        let why = format!("`{}` does not belong to the check `{key}`", other.key);
        let error = source.error(&other.key.span, why);
        return Err(error.help(format!("it belongs to {}", homes.join(", "))));
    }
    Ok((field, check_of(fields, field)?))
}

fn check_of(fields: &Fields<'_>, field: &Field) -> Result<Check, Diagnostic> {
    let key = field.key.value.as_str();
    let text = || fields.needed_text(key);
    Ok(match key {
        "always" => property(fields, Quantifier::Always, text()?)?,
        "never" => property(fields, Quantifier::Never, text()?)?,
        "exists" => property(fields, Quantifier::Exists, text()?)?,
        "solve" => solve(fields)?,
        "force" => Check::Force(Force {
            goal: text()?,
            by: fields.text("by")?,
            within: fields.count("within", 1, MAX_PLIES)?.map(|n| n as u32),
            holds: fields.flag("holds")?.unwrap_or(true),
        }),
        "bound" => {
            if !fields.has("turns") {
                let error = fields
                    .file
                    .error(&field.key.span, "`bound` without `turns`");
                return Err(error.help("add `turns = 24`: the most turns of each side"));
            }
            Check::Bound(Bound {
                measure: text()?,
                turns: fields.count("turns", 0, MAX_PLIES)?.unwrap_or(0),
                tight: fields.flag("tight")?.unwrap_or(false),
            })
        }
        "replies" => Check::Replies(text()?),
        "line" => Check::Line(LineCheck {
            line: text()?,
            legal: fields.flag("legal")?.unwrap_or(true),
            ends: fields.text("ends")?,
            marks: marks(fields)?,
        }),
        _ => measure(fields, field)?,
    })
}

fn property(
    fields: &Fields<'_>,
    quantifier: Quantifier,
    condition: Text,
) -> Result<Check, Diagnostic> {
    Ok(Check::Property(Property {
        set: set(fields, &condition.span)?,
        quantifier,
        condition,
        nonvacuous: fields.text("nonvacuous")?,
    }))
}

fn marks(fields: &Fields<'_>) -> Result<Vec<(Text, Text)>, Diagnostic> {
    let Some(marks) = fields.table("marks", "`marks`", "{ \"+\" = \"check\" }")? else {
        return Ok(Vec::new());
    };
    let read = |mark: &Field| match mark.node.as_text() {
        Some(condition) => Ok((mark.key.clone(), condition)),
        None => Err(marks.wrong_type(mark, "an expression in quotation marks", "\"check\"")),
    };
    marks.fields.iter().map(read).collect()
}

fn solve(fields: &Fields<'_>) -> Result<Check, Diagnostic> {
    let keys = match fields.get("keys") {
        Some(field) => Some(texts(fields, field, "[\"g6g7\"]")?),
        None => None,
    };
    let solve = Solve {
        stipulation: fields.needed_text("solve")?,
        goal: fields.text("goal")?,
        keys,
        solutions: fields.count("solutions", 0, u64::MAX)?,
        sound: fields.flag("sound")?,
    };
    if solve.keys.is_none() && solve.solutions.is_none() && solve.sound.is_none() {
        let why = "`solve` without `keys`, `solutions` or `sound`: nothing is asserted";
        let error = fields.file.error(&solve.stipulation.span, why);
        return Err(error.help("add `sound = true`, `solutions = 1` or `keys = [\"g6g7\"]`"));
    }
    Ok(Check::Solve(solve))
}

//! Reads `over`: the set of positions of a property or a measure.

use super::fields::Fields;
use super::node::{Field, Node, Value};
use super::read_check::MAX_PLIES;
use super::source_text::Text;
use super::spec::{Set, SetKind};
use diagnostics::Diagnostic;
use language::Span;

/// Reads `over`. If the key is missing, the set is the position of the claim.
///
/// # Errors
/// If the value of `over` does not describe a set.
pub fn set(fields: &Fields<'_>, at: &Span) -> Result<Set, Diagnostic> {
    const HELP: &str = "`over = \"graph\"`, or a table with `graph`, `placements`, `table`, `games`, \
                        `positions`, `line` or `steps`";
    const KINDS: [(&str, &[&str]); 7] = [
        ("graph", &[]),
        ("placements", &["legal", "board"]),
        ("table", &["board"]),
        ("games", &["ends"]),
        ("positions", &[]),
        ("line", &[]),
        ("steps", &[]),
    ];
    let Some(field) = fields.get("over") else {
        return Ok(Set {
            kind: SetKind::One,
            at: at.clone(),
        });
    };
    let file = fields.file;
    let at = field.node.span.clone();
    if let Some(text) = field.node.as_text() {
        let kind = match text.value.as_str() {
            "graph" => SetKind::Graph { depth: None },
            "steps" => SetKind::Steps,
            other => {
                let why = format!(
                    "`{}` is not a set of positions",
                    diagnostics::shortened(other)
                );
                return Err(file.error(&at, why).help(HELP));
            }
        };
        return Ok(Set { kind, at });
    }
    let over = Fields::of(
        file,
        &field.node,
        "`over`",
        "over = { graph = { depth = 6 } }",
    )?;
    let keys: Vec<&str> = (KINDS.iter())
        .flat_map(|(kind, keys)| [*kind].into_iter().chain(keys.iter().copied()))
        .collect();
    over.only(&keys)?;
    let mut named = KINDS.iter().filter(|(kind, _)| over.has(kind));
    let (kind, takes) = match (named.next(), named.next()) {
        (Some(kind), None) => kind,
        (Some((one, _)), Some((two, _))) => {
            let why = format!("two sets in one `over`: `{one}` and `{two}`");
            return Err(file.error(&at, why));
        }
        (None, _) => {
            return Err(file
                .error(&at, "`over` names no set of positions")
                .help(HELP));
        }
    };
    let foreign = |field: &&Field| {
        let key = field.key.value.as_str();
        key != *kind && !takes.contains(&key)
    };
    if let Some(other) = over.fields.iter().find(foreign) {
        let why = format!("`{}` does not belong to `{kind}`", other.key);
        return Err(file.error(&other.key.span, why));
    }
    let kind = kind_of(&over, kind)?;
    Ok(Set { kind, at })
}

/// Reads the kind of set that a key of `over` names.
fn kind_of(over: &Fields<'_>, kind: &str) -> Result<SetKind, Diagnostic> {
    Ok(match kind {
        "graph" => graph(over)?,
        "placements" => SetKind::Placements {
            units: over.needed_text("placements")?,
            legal: over.flag("legal")?.unwrap_or(true),
            board: over.text("board")?,
        },
        "table" => SetKind::Table {
            signature: over.needed_text("table")?,
            board: over.text("board")?,
        },
        "games" => SetKind::Games {
            games: over.count("games", 1, 1_000_000_000)?.unwrap_or(1),
            ends: over.flag("ends")?.unwrap_or(false),
        },
        "positions" => match over.get("positions") {
            Some(field) => {
                let texts = texts(over, field, "[\"FEN\", \"FEN\"]")?;
                if texts.is_empty() {
                    return Err(over
                        .file
                        .error(&field.node.span, "`positions` is an empty list"));
                }
                SetKind::Positions(texts)
            }
            None => return Err(over.missing("positions")),
        },
        "line" => SetKind::Line(over.needed_text("line")?),
        _ => match over.flag("steps")? {
            Some(true) => SetKind::Steps,
            _ => return Err(over.file.error(over.at, "`steps` can only be `true`")),
        },
    })
}

fn graph(over: &Fields<'_>) -> Result<SetKind, Diagnostic> {
    let Some(field) = over.get("graph") else {
        return Err(over.missing("graph"));
    };
    if field.node.as_bool() == Some(true) {
        return Ok(SetKind::Graph { depth: None });
    }
    let graph = Fields::of(
        over.file,
        &field.node,
        "`graph`",
        "over = { graph = { depth = 6 } }",
    )?;
    graph.only(&["depth"])?;
    Ok(SetKind::Graph {
        depth: graph.count("depth", 0, MAX_PLIES)?.map(|n| n as u32),
    })
}

/// Returns the strings of a list.
///
/// # Errors
/// If the value is not a list of strings.
pub fn texts(fields: &Fields<'_>, field: &Field, example: &str) -> Result<Vec<Text>, Diagnostic> {
    let texts = match &field.node.value {
        Value::List(list) => list.iter().map(Node::as_text).collect(),
        _ => None,
    };
    texts.ok_or_else(|| fields.wrong_type(field, "a list of texts", example))
}

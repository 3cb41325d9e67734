//! Reads a claims file: every key is known and has the right type, ids are unique, each claim has one check.
//!
//! Relies on `expand` for the instances of a claim. Never opens a rule set: expressions, FENs and lines are
//! checked later, against the rule set that they are about.

use super::expand::{self, Bindings};
use super::fields::{Fields, count_of};
use super::node::{Field, Node, Value, parse};
use super::number::Number;
use super::source_text::{SourceText, Text};
use super::spec::{
    Amendment, Bound, Check, ClaimSpec, ClaimsFile, Entry, Force, Instance, Limits, LineCheck,
    Longest, Measure, MeasureKind, Operand, Page, Property, Quantifier, Relation, Set, SetKind,
    Solve,
};
use diagnostics::{Diagnostic, nearest};
use language::Span;

/// Keys that every claim may have.
const COMMON: [&str; 10] = [
    "id", "says", "source", "variant", "fen", "line", "for", "limits", "amend", "deep",
];

/// The key of each check, and the further keys that it takes.
const CHECKS: [(&str, &[&str]); 18] = [
    ("always", &["over", "nonvacuous"]),
    ("never", &["over", "nonvacuous"]),
    ("exists", &["over", "nonvacuous"]),
    ("count", &["over", "is", "at_least", "at_most"]),
    ("share", &["over", "is", "at_least", "at_most"]),
    ("mean", &["over", "is", "at_least", "at_most"]),
    ("min", &["over", "is", "at_least", "at_most"]),
    ("max", &["over", "is", "at_least", "at_most"]),
    ("sum", &["over", "is", "at_least", "at_most"]),
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

/// Turns of a bound, plies of a limit: no game is longer.
const MAX_PLIES: u64 = u32::MAX as u64;
/// The deepest perft.
const MAX_PERFT: u64 = 100;

const CHECK_HELP: &str = "one of `always`, `never`, `exists`; `count`, `share`, `mean`, `min`, `max`, `sum`, \
                          `perft`, `longest`, `states`, `value`; `solve`; `force`; `bound`; `replies`; or `line` alone";

/// Reads a claims file. `name` is its name in messages and, without `.toml` and folders, its default id.
///
/// # Errors
/// The first thing that is wrong with it, with its place.
pub fn read(name: &str, text: &str) -> Result<ClaimsFile, Diagnostic> {
    let source = SourceText {
        name: name.to_owned(),
        text: text.to_owned(),
    };
    let root = parse(&source)?;
    let fields = Fields::of(&source, &root, "a claims file", "[page]")?;
    fields.only(&["page", "claim"])?;
    let Some(page) = fields.get("page") else {
        let error = source.error(&(0..0), "a claims file without the table `[page]`");
        return Err(error.help("begin with `[page]` and `title = \"...\"`"));
    };
    let page = read_page(&source, &page.node)?;
    let claims = match fields.get("claim") {
        None => {
            let error = source.error(&(0..0), "a claims file without a claim");
            return Err(error.help("add a table `[[claim]]`"));
        }
        Some(field) => match &field.node.value {
            Value::List(claims) => claims,
            _ => {
                let why = format!("`claim` is {}, not a list of tables", field.node.kind());
                return Err(source
                    .error(&field.key.span, why)
                    .help("write `[[claim]]` with two brackets"));
            }
        },
    };
    let mut entries = Vec::new();
    for claim in claims {
        read_claim(&source, &page, claim, &mut entries)?;
    }
    check_ids(&source, &entries)?;
    check_references(&source, &page, &entries)?;
    Ok(ClaimsFile {
        source,
        page,
        entries,
    })
}

fn read_page(source: &SourceText, node: &Node) -> Result<Page, Diagnostic> {
    let fields = Fields::of(source, node, "a page", "[page]")?;
    fields.only(&["title", "source", "id", "variant", "rules"])?;
    let title = fields.needed_text("title")?.value;
    let id = match fields.text("id")? {
        Some(id) => {
            check_id(source, &id)?;
            id.value
        }
        None => default_id(&source.name),
    };
    let rules = match fields.get("rules") {
        Some(field) => texts(&fields, field, "[\"frogs.ini\"]")?,
        None => Vec::new(),
    };
    let source = fields.text("source")?;
    Ok(Page {
        id,
        source: source.map_or_else(|| title.clone(), |source| source.value),
        title,
        variant: fields.text("variant")?,
        rules,
    })
}

/// Returns the name of a file without folders and `.toml`.
fn default_id(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = file.strip_suffix(".toml").unwrap_or(file);
    let visible = |c: char| {
        if c.is_ascii_graphic() && c != ',' {
            c
        } else {
            '-'
        }
    };
    match stem.is_empty() {
        true => "page".to_owned(),
        false => stem.chars().map(visible).collect(),
    }
}

fn check_id(source: &SourceText, id: &Text) -> Result<(), Diagnostic> {
    match id.value.chars().all(|c| c.is_ascii_graphic()) {
        true => Ok(()),
        false => Err(source
            .error(
                &id.span,
                "an id consists of visible ASCII characters without blanks",
            )
            .help("such as `no-early-win`")),
    }
}

/// Reads a claim, all instances of it, as one or several entries.
fn read_claim(
    source: &SourceText,
    page: &Page,
    node: &Node,
    entries: &mut Vec<Entry>,
) -> Result<(), Diagnostic> {
    let fields = Fields::of(source, node, "a claim", "[[claim]]")?;
    let known: Vec<&str> = (CHECKS.iter())
        .flat_map(|(check, keys)| [*check].into_iter().chain(keys.iter().copied()))
        .chain(COMMON)
        .collect();
    let mut known: Vec<&str> = known;
    known.sort_unstable();
    known.dedup();
    fields.only(&known)?;
    let all = expand::bindings(source, fields.fields)?;
    let written_id = fields.needed_text("id")?;
    let separate = expand::placeholders(&written_id.value).next().is_some();
    let mut entry: Option<Entry> = None;
    for bindings in all {
        let (says, from, deep, claim) = read_instance(source, page, node, &bindings)?;
        let instance = Instance { bindings, claim };
        match &mut entry {
            Some(entry) if !separate => entry.instances.push(instance),
            _ => {
                let id = match instance.claim.id.value.contains('/') {
                    true => instance.claim.id.value.clone(),
                    false => format!("{}/{}", page.id, instance.claim.id),
                };
                let next = Entry {
                    id,
                    says: match separate {
                        true => says,
                        false => fields.needed_text("says")?.value,
                    },
                    source: from,
                    deep,
                    instances: vec![instance],
                };
                entries.extend(entry.replace(next));
            }
        }
    }
    entries.extend(entry);
    Ok(())
}

/// Reads one instance: its words, its source, whether it is deep, and the claim.
fn read_instance(
    source: &SourceText,
    page: &Page,
    node: &Node,
    bindings: &Bindings,
) -> Result<(String, String, bool, ClaimSpec), Diagnostic> {
    let instance = expand::instance(source, node, bindings)?;
    let fields = Fields {
        file: source,
        fields: &instance,
        at: &node.span,
        what: "a claim",
    };
    let id = fields.needed_text("id")?;
    check_id(source, &id)?;
    let says = fields.needed_text("says")?.value;
    let from = match fields.text("source")? {
        Some(text) => format!("{}: {}", page.source, text.value),
        None => page.source.clone(),
    };
    let variant = match (fields.text("variant")?, &page.variant) {
        (Some(variant), _) => variant,
        (None, Some(variant)) => variant.clone(),
        (None, None) => {
            let error = fields.missing("variant");
            return Err(error.help("name the rule set in the claim or in `[page]`"));
        }
    };
    let (check_field, check) = read_check(&fields)?;
    let is_line = matches!(check, Check::Line(_));
    let claim = ClaimSpec {
        id,
        variant,
        fen: fields.text("fen")?,
        line: fields.text("line")?.filter(|_| !is_line),
        limits: read_limits(&fields)?,
        amend: read_amendments(&fields)?,
        check,
        at: check_field.key.span.clone(),
    };
    Ok((says, from, fields.flag("deep")?.unwrap_or(false), claim))
}

fn read_check<'a>(fields: &Fields<'a>) -> Result<(&'a Field, Check), Diagnostic> {
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
            within_at: fields.get("within").map(|field| field.node.span.clone()),
            holds: fields.flag("holds")?.unwrap_or(true),
        }),
        "bound" => {
            let Some(turns) = fields.get("turns") else {
                let error = fields
                    .file
                    .error(&field.key.span, "`bound` without `turns`");
                return Err(error.help("add `turns = 24`: the most turns of each side"));
            };
            Check::Bound(Bound {
                measure: text()?,
                turns: fields.count("turns", 0, MAX_PLIES)?.unwrap_or(0),
                turns_at: turns.node.span.clone(),
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
    const EXAMPLE: &str = "{ \"+\" = \"check\" }";
    let Some(field) = fields.get("marks") else {
        return Ok(Vec::new());
    };
    let marks = Fields::of(
        fields.file,
        &field.node,
        "`marks`",
        &format!("marks = {EXAMPLE}"),
    )?;
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

fn measure(fields: &Fields<'_>, field: &Field) -> Result<Check, Diagnostic> {
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
        relations,
    }))
}

fn divide(fields: &Fields<'_>) -> Result<Vec<(Text, u64)>, Diagnostic> {
    let Some(field) = fields.get("divide") else {
        return Ok(Vec::new());
    };
    let turns = Fields::of(
        fields.file,
        &field.node,
        "`divide`",
        "divide = { e2e4 = 600 }",
    )?;
    let read = |turn: &Field| {
        let count = count_of(fields.file, &turn.key.value, &turn.node, 0, u64::MAX)?;
        Ok((turn.key.clone(), count))
    };
    turns.fields.iter().map(read).collect()
}

fn operand(fields: &Fields<'_>, field: &Field, kind: &MeasureKind) -> Result<Operand, Diagnostic> {
    let span = field.node.span.clone();
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
        return Ok(Operand::Number(number, span));
    }
    let Some(text) = field.node.as_text() else {
        return Err(fields.wrong_type(field, "a number or the id of another measure", "20"));
    };
    Ok(match Number::parse(&text.value) {
        Some(number) if number.places.is_none() => Operand::Number(number, span),
        _ => Operand::Reference(text),
    })
}

/// Reads `over`. Without it, the set is the position of the claim.
fn set(fields: &Fields<'_>, at: &Span) -> Result<Set, Diagnostic> {
    const HELP: &str = "`over = \"graph\"`, or a table with `graph`, `placements`, `table`, `games`, \
                        `positions` or `steps`";
    const KINDS: [(&str, &[&str]); 6] = [
        ("graph", &[]),
        ("placements", &["legal", "board"]),
        ("table", &["board"]),
        ("games", &["ends"]),
        ("positions", &[]),
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
    let kind = match *kind {
        "graph" => graph(&over)?,
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
                let texts = texts(&over, field, "[\"FEN\", \"FEN\"]")?;
                if texts.is_empty() {
                    return Err(file.error(&field.node.span, "`positions` is an empty list"));
                }
                SetKind::Positions(texts)
            }
            None => return Err(over.missing("positions")),
        },
        _ => match over.flag("steps")? {
            Some(true) => SetKind::Steps,
            _ => return Err(file.error(&at, "`steps` can only be `true`")),
        },
    };
    Ok(Set { kind, at })
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

fn read_limits(fields: &Fields<'_>) -> Result<Limits, Diagnostic> {
    let mut limits = Limits::default();
    let Some(field) = fields.get("limits") else {
        return Ok(limits);
    };
    let given = Fields::of(
        fields.file,
        &field.node,
        "`limits`",
        "limits = { states = 5_000_000 }",
    )?;
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

fn read_amendments(fields: &Fields<'_>) -> Result<Vec<Amendment>, Diagnostic> {
    const EXAMPLE: &str = "[ { replace_turn = true } ]";
    let Some(field) = fields.get("amend") else {
        return Ok(Vec::new());
    };
    match &field.node.value {
        Value::List(list) => list
            .iter()
            .map(|node| amendment(fields.file, node))
            .collect(),
        _ => Err(fields.wrong_type(field, "a list of tables", EXAMPLE)),
    }
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
    /// More would take longer to search than a person would wait.
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
    let at = fields.count("at", 1, MAX_PLIES)?.map(|n| n as u32);
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
        // `true` is one of them.
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
        "replace_turn" => {
            size()?;
            Amendment::ReplaceTurn { at }
        }
        "add_unit" => Amendment::AddUnit {
            units: size()?,
            of: fields.text("of")?.map(|text| text.value),
        },
        "move_unit" => Amendment::MoveUnit(size()?),
        "mark" => Amendment::Mark(size()?),
        _ => range(&fields)?,
    })
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

fn texts(fields: &Fields<'_>, field: &Field, example: &str) -> Result<Vec<Text>, Diagnostic> {
    match &field.node.value {
        Value::List(list) => {
            let text = |node: &Node| node.as_text();
            let texts: Option<Vec<Text>> = list.iter().map(text).collect();
            texts.ok_or_else(|| fields.wrong_type(field, "a list of texts", example))
        }
        _ => Err(fields.wrong_type(field, "a list of texts", example)),
    }
}

/// Checks that ids, and the names of the evidence files that follow from them, are unique.
fn check_ids(source: &SourceText, entries: &[Entry]) -> Result<(), Diagnostic> {
    let mut seen = std::collections::BTreeMap::new();
    for entry in entries {
        let at = &entry.instances[0].claim.id;
        let file = crate::evidence_file(&entry.id);
        if let Some(other) = seen.insert(file, &entry.id) {
            let why = match *other == entry.id {
                true => format!("another claim of this file has the id `{}`", at.value),
                false => format!("`{}` and `{other}` differ in signs alone", entry.id),
            };
            let error = source.error(&at.span, why);
            return Err(match entry.instances[0].bindings.is_empty() {
                true => error,
                false => error.help("every name of `for` has to be in the id, or none"),
            });
        }
    }
    Ok(())
}

/// Checks that every id after `is`, `at_least` and `at_most` is that of another measure.
fn check_references(source: &SourceText, page: &Page, entries: &[Entry]) -> Result<(), Diagnostic> {
    for entry in entries {
        for instance in &entry.instances {
            let Check::Measure(measure) = &instance.claim.check else {
                continue;
            };
            for (_, operand) in &measure.relations {
                let Operand::Reference(id) = operand else {
                    continue;
                };
                if id.value == instance.claim.id.value {
                    return Err(source.error(&id.span, "a measure compared with itself"));
                }
                check_reference(source, page, entries, id)?;
            }
        }
    }
    Ok(())
}

fn check_reference(
    source: &SourceText,
    page: &Page,
    entries: &[Entry],
    id: &Text,
) -> Result<(), Diagnostic> {
    let Some(target) = referred(page, entries, &id.value) else {
        let ids = || {
            entries
                .iter()
                .map(|entry| entry.instances[0].claim.id.value.as_str())
        };
        let why = format!(
            "`{}` is neither a number nor the id of a measure of this file",
            diagnostics::shortened(&id.value)
        );
        let error = source.error(&id.span, why);
        return Err(match nearest(&id.value, ids()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help("such as `20`, `\"1/3\"` or the id of another measure"),
        });
    };
    match target.instances[..] {
        [
            Instance {
                claim:
                    ClaimSpec {
                        check: Check::Measure(ref measure),
                        ..
                    },
                ..
            },
        ] if !matches!(measure.kind, MeasureKind::Value) => Ok(()),
        [_] => Err(source.error(
            &id.span,
            format!("`{}` does not measure a number", id.value),
        )),
        _ => Err(source
            .error(&id.span, format!("`{}` has several values", id.value))
            .help("give it an id with a placeholder, and name one instance")),
    }
}

/// Returns the entry with this id, with or without the page's.
pub fn referred<'e>(page: &Page, entries: &'e [Entry], id: &str) -> Option<&'e Entry> {
    let full = format!("{}/{id}", page.id);
    let mut entries = entries.iter();
    entries.find(|entry| entry.id == id || entry.id == full)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "[page]\ntitle = 'T'\nvariant = 'fide'\n";

    fn error(claim: &str) -> Diagnostic {
        let text = format!("{HEAD}[[claim]]\nid = 'a'\nsays = 's'\n{claim}\n");
        read("t.toml", &text).expect_err(claim)
    }

    fn entries(claims: &str) -> Vec<Entry> {
        read("t.toml", &format!("{HEAD}{claims}"))
            .expect("it reads")
            .entries
    }

    #[test]
    fn ids_begin_with_the_page_unless_they_contain_a_slash() {
        let claim = |id: &str| format!("[[claim]]\nid = '{id}'\nsays = 's'\nalways = 'check'\n");
        let read = entries(&(claim("a") + &claim("x/b")));
        assert_eq!(read[0].id, "t/a");
        assert_eq!(read[1].id, "x/b");
    }

    #[test]
    fn id_with_placeholder_makes_claims_and_one_without_makes_instances() {
        let claim = |id: &str| {
            format!(
                "[[claim]]\nid = '{id}'\nsays = 'n is {{n}}'\nfor = {{ n = [1, 2] }}\n\
                 perft = '{{n}}'\nis = '{{n}}'\n"
            )
        };
        let separate = entries(&claim("a-{n}"));
        assert_eq!(separate.len(), 2);
        assert_eq!(separate[1].id, "t/a-2");
        assert_eq!(separate[1].says, "n is 2");
        let Check::Measure(measure) = &separate[1].instances[0].claim.check else {
            panic!("a measure");
        };
        assert!(matches!(measure.kind, MeasureKind::Perft { depth: 2, .. }));
        assert!(
            matches!(&measure.relations[..], [(Relation::Is, Operand::Number(n, _))] if n.text == "2")
        );
        let rows = entries(&claim("a"));
        assert_eq!((rows.len(), rows[0].instances.len()), (1, 2));
    }

    /// Faulty claims with the reason why each is refused.
    const FAULTS: &[(&str, &str)] = &[
        ("alwys = 'check'", "`alwys` is not a key of a claim"),
        ("", "a claim without a check"),
        ("always = 3", "`always` is a number, not a text"),
        ("always = ''", "`always` is empty"),
        (
            "always = 'a'\ncount = 'b'",
            "two checks in one claim: `always` and `count`",
        ),
        (
            "always = 'a'\nends = 'draw'",
            "`ends` does not belong to the check `always`",
        ),
        (
            "always = 'a'\nis = 3",
            "`is` does not belong to the check `always`",
        ),
        (
            "always = 'a'\nover = 'grph'",
            "`grph` is not a set of positions",
        ),
        (
            "always = 'a'\nover = 3",
            "`over` is a table, but this is a number",
        ),
        (
            "always = 'a'\nover = {}",
            "`over` names no set of positions",
        ),
        (
            "always = 'a'\nover = { grap = 3 }",
            "`grap` is not a key of `over`",
        ),
        (
            "always = 'a'\nover = { graph = { depht = 3 } }",
            "`depht` is not a key of `graph`",
        ),
        (
            "always = 'a'\nover = { graph = { depth = 'x' } }",
            "`depth` is a text, not a whole number from 0 to 4294967295",
        ),
        (
            "always = 'a'\nover = { graph = { depth = -1 } }",
            "`depth` is -1, not a whole number from 0 to 4294967295",
        ),
        (
            "always = 'a'\nover = { games = 0 }",
            "`games` is 0; it must be a whole number from 1 to 1000000000",
        ),
        (
            "always = 'a'\nover = { games = 1, table = 'KvK' }",
            "two sets in one `over`: `table` and `games`",
        ),
        (
            "always = 'a'\nover = { games = 1, board = '4x4' }",
            "`board` does not belong to `games`",
        ),
        (
            "always = 'a'\nover = { placements = 3 }",
            "`placements` is a number, not a text",
        ),
        (
            "always = 'a'\nover = { placements = 'K', legal = 1 }",
            "`legal` is a number, not true or false",
        ),
        (
            "always = 'a'\nover = { positions = [] }",
            "`positions` is an empty list",
        ),
        (
            "always = 'a'\nover = { positions = [1] }",
            "`positions` is a list, not a list of texts",
        ),
        (
            "always = 'a'\nover = { steps = false }",
            "`steps` can only be `true`",
        ),
        (
            "always = 'a'\nlimits = 3",
            "`limits` is a table, but this is a number",
        ),
        (
            "always = 'a'\nlimits = { seconds = 3 }",
            "`seconds` is not a key of `limits`",
        ),
        (
            "always = 'a'\nlimits = { states = 0 }",
            "`states` is 0; it must be a whole number from 1 to 4294967294",
        ),
        (
            "always = 'a'\namend = true",
            "`amend` is true or false, not a list of tables",
        ),
        ("always = 'a'\namend = [{}]", "an amendment without a kind"),
        (
            "always = 'a'\namend = [{ mark = 1, add_unit = 1 }]",
            "two kinds of amendment in one table: `add_unit` and `mark`",
        ),
        (
            "always = 'a'\namend = [{ mark = 1, at = 1 }]",
            "`at` does not belong to `mark`",
        ),
        (
            "always = 'a'\namend = [{ number = [3, 1] }]",
            "the range from 3 to 1 is empty",
        ),
        (
            "always = 'a'\namend = [{ number = 3 }]",
            "`number` is a number, not a list of two whole numbers",
        ),
        (
            "always = 'a'\ndeep = 'yes'",
            "`deep` is a text, not true or false",
        ),
        (
            "always = 'a'\nnonvacuous = 1",
            "`nonvacuous` is a number, not a text",
        ),
        (
            "always = 'a'\nvariant = 1",
            "`variant` is a number, not a text",
        ),
        ("always = 'a'\nfen = 1", "`fen` is a number, not a text"),
        (
            "always = '{n}'",
            "`{n}` is not a placeholder: `for` does not name it",
        ),
        (
            "count = 'a'",
            "`count` without `is`, `at_least` or `at_most`: nothing is asserted",
        ),
        (
            "count = 'a'\nis = true",
            "`is` is true or false, not a number or the id of another measure",
        ),
        (
            "count = 'a'\nis = 'b'",
            "`b` is neither a number nor the id of a measure of this file",
        ),
        ("count = 'a'\nis = 'a'", "a measure compared with itself"),
        (
            "perft = 'x'\nis = 1",
            "`perft` is a text, not a whole number from 0 to 100",
        ),
        (
            "perft = 1\ndivide = 3",
            "`divide` is a table, but this is a number",
        ),
        (
            "perft = 1\ndivide = { e2e4 = 'x' }",
            "`e2e4` is a text, not a whole number from 0",
        ),
        ("longest = 'game'\nis = 1", "`longest` is `game`"),
        (
            "longest = 'win'\nover = { games = 3 }\nis = 1",
            "`longest` is measured over a graph, not over this set",
        ),
        (
            "states = 'x'\nis = 1",
            "`states` is a text, not true or false",
        ),
        (
            "value = true\nis = 'won'",
            "`is` is a text, not the value of a position",
        ),
        (
            "solve = '#2'",
            "`solve` without `keys`, `solutions` or `sound`: nothing is asserted",
        ),
        (
            "solve = '#2'\nkeys = 'a'",
            "`keys` is a text, not a list of texts",
        ),
        (
            "force = 'win'\nwithin = 0",
            "`within` is 0; it must be a whole number from 1 to 4294967295",
        ),
        ("bound = '1'", "`bound` without `turns`"),
        (
            "bound = '1'\nturns = 'x'",
            "`turns` is a text, not a whole number from 0 to 4294967295",
        ),
        (
            "line = 'e4'\nmarks = 'x'",
            "`marks` is a table, but this is a text",
        ),
        (
            "line = 'e4'\nmarks = { '+' = 1 }",
            "`+` is a number, not an expression in quotation marks",
        ),
        (
            "line = 'e4'\nlegal = 1",
            "`legal` is a number, not true or false",
        ),
    ];

    #[test]
    fn every_wrong_value_is_refused_at_its_line() {
        for (claim, why) in FAULTS {
            let error = error(claim);
            assert_eq!(error.why, *why, "{claim}");
            let place = error.position().expect("a place");
            assert!((4..=8).contains(&place.line), "{claim}: {place}");
            assert!(error.excerpt.is_some(), "{claim}");
        }
    }

    #[test]
    fn nearest_key_is_named() {
        assert_eq!(
            error("alwys = 'check'").help.as_deref(),
            Some("did you mean `always`?")
        );
        assert_eq!(
            error("always = 'a'\nlimits = { state = 3 }")
                .help
                .as_deref(),
            Some("did you mean `states`?")
        );
    }

    #[test]
    fn wrong_files_are_refused() {
        for (text, why) in [
            ("", "a claims file without the table `[page]`"),
            ("[page]\ntitle = 'T'", "a claims file without a claim"),
            ("[page]\n", "a page without `title`"),
            (
                "[page]\ntitle = 'T'\nname = 'x'",
                "`name` is not a key of a page",
            ),
            (
                "[page]\ntitle = 'T'\nrules = 'x'",
                "`rules` is a text, not a list of texts",
            ),
            (
                "[page]\ntitle = 'T'\nid = 'a b'",
                "an id consists of visible ASCII characters without blanks",
            ),
            (
                "[page]\ntitle = 'T'\n[claim]\n",
                "`claim` is a table, not a list of tables",
            ),
            ("[page]\ntitle = 'T'\n[[claim]]\n", "a claim without `id`"),
            (
                "[page]\ntitle = 'T'\n[[claims]]\n",
                "`claims` is not a key of a claims file",
            ),
            (
                "[page]\ntitle = 'T'\n[[claim]]\nid = 'a'\nsays = 's'\nalways = 'x'",
                "a claim without `variant`",
            ),
            (
                "[page]\ntitle = 'T'\nvariant = 'fide'\n[[claim]]\nid = 'a'\nalways = 'x'",
                "a claim without `says`",
            ),
        ] {
            assert_eq!(read("t.toml", text).expect_err(text).why, why, "{text}");
        }
        let twice = "[[claim]]\nid = 'a'\nsays = 's'\nalways = 'x'\n".repeat(2);
        let error = read("t.toml", &format!("{HEAD}{twice}")).expect_err("twice");
        assert_eq!(error.why, "another claim of this file has the id `a`");
        assert_eq!(error.position().map(|place| place.line), Some(9));
        let broken = read("t.toml", "[page]\ntitle = \n").expect_err("broken");
        assert!(broken.why.starts_with("not TOML: "), "{}", broken.why);
    }
}

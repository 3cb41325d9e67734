//! Reads a claims file into plain structs. Checks that every key is known and has the right type, that ids
//! are unique, and that each claim has exactly one check.
//!
//! Relies on `expand` for the instances of a claim. Never opens a rule set: expressions, FENs and lines are
//! checked later, against the rule set of their claim.

use super::expand::{self, Bindings};
use super::fields::Fields;
use super::node::{Field, Node, Value, parse};
use super::read_amend::{read_amendments, read_limits};
use super::read_check::{self, read_check};
use super::read_ids::{check_ids, check_references};
use super::read_set::texts;
use super::source_text::{SourceText, Text};
use super::spec::{Check, ClaimSpec, ClaimsFile, Entry, Instance, Page};
use diagnostics::Diagnostic;

/// The ticks that an instance of a claim counts as, in checks of whether to stop.
const TICKS_PER_INSTANCE: u32 = 64;

/// Keys that every claim may have.
pub const COMMON: [&str; 10] = [
    "id", "says", "source", "variant", "fen", "line", "for", "limits", "amend", "deep",
];

/// Reads a claims file. `name` is the file's name in messages. Without folders and `.toml`, it is also the
/// page's default id.
///
/// # Errors
/// The first error in the file, with its place.
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
    let (mut entries, mut room) = (Vec::new(), expand::MAX_EXPANDED_BYTES);
    for claim in claims {
        read_claim(&source, &page, claim, &mut entries, &mut room)?;
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

/// Returns the name of a file without folders and `.toml`, with unprintable characters and commas replaced.
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

/// Reads a claim with all of its instances. They become one entry, or one entry each if the id has a
/// placeholder. `room` is the number of bytes that the texts of instances may still have.
fn read_claim(
    source: &SourceText,
    page: &Page,
    node: &Node,
    entries: &mut Vec<Entry>,
    room: &mut u64,
) -> Result<(), Diagnostic> {
    let fields = Fields::of(source, node, "a claim", "[[claim]]")?;
    let mut known: Vec<&str> = read_check::keys().chain(COMMON).collect();
    known.sort_unstable();
    known.dedup();
    fields.only(&known)?;
    let all = expand::bindings(source, fields.fields)?;
    let written_id = fields.needed_text("id")?;
    let separate = expand::placeholders(&written_id.value).next().is_some();
    let mut entry: Option<Entry> = None;
    for bindings in all {
        control::evaluation::check(TICKS_PER_INSTANCE);
        if !bindings.is_empty() {
            expand::check_size(source, fields.fields, &bindings, room)?;
        }
        let next = read_instance(source, page, node, bindings)?;
        match &mut entry {
            Some(entry) if !separate => entry.instances.extend(next.instances),
            _ => entries.extend(entry.replace(next)),
        }
    }
    if let Some(entry) = entry.as_mut().filter(|_| !separate) {
        entry.says = fields.needed_text("says")?.value;
    }
    entries.extend(entry);
    Ok(())
}

/// Reads one instance of a claim as an entry of its own.
fn read_instance(
    source: &SourceText,
    page: &Page,
    node: &Node,
    bindings: Bindings,
) -> Result<Entry, Diagnostic> {
    let instance = expand::instance(source, node, &bindings)?;
    let fields = Fields {
        file: source,
        fields: &instance,
        at: &node.span,
        what: "a claim",
    };
    let says = fields.needed_text("says")?.value;
    let from = match fields.text("source")? {
        Some(text) => format!("{}: {}", page.source, text.value),
        None => page.source.clone(),
    };
    let deeper = match deeper_fields(&fields)? {
        Some(deeper) => {
            let fields = Fields {
                fields: &deeper,
                ..fields
            };
            Some(read_spec(&fields, page)?)
        }
        None => None,
    };
    let deep = deeper.is_none() && fields.flag("deep")?.unwrap_or(false);
    let claim = read_spec(&fields, page)?;
    Ok(Entry {
        id: match claim.id.value.contains('/') {
            true => claim.id.value.clone(),
            false => format!("{}/{}", page.id, claim.id),
        },
        says,
        source: from,
        deep,
        instances: vec![Instance {
            bindings,
            claim,
            deeper,
        }],
    })
}

/// Keys whose values the table `deep` may replace.
const DEEPER: [&str; 8] = [
    "over",
    "limits",
    "nonvacuous",
    "is",
    "at_least",
    "at_most",
    "turns",
    "within",
];

/// Returns the fields of a claim, with those of its table `deep` replacing fields of the same name. Returns
/// `None` without such a table.
fn deeper_fields(fields: &Fields<'_>) -> Result<Option<Vec<Field>>, Diagnostic> {
    let Some(deep) = fields
        .get("deep")
        .filter(|field| field.node.as_bool().is_none())
    else {
        return Ok(None);
    };
    let example = "deep = { over = { games = 10000 } }";
    let deep = Fields::of(fields.file, &deep.node, "`deep`", example)?;
    deep.only(&DEEPER)?;
    let kept = |field: &&Field| field.key.value != "deep" && !deep.has(&field.key.value);
    let kept = fields.fields.iter().filter(kept);
    Ok(Some(kept.chain(deep.fields).cloned().collect()))
}

/// Reads the part of a claim that is verified.
fn read_spec(fields: &Fields<'_>, page: &Page) -> Result<ClaimSpec, Diagnostic> {
    let id = fields.needed_text("id")?;
    check_id(fields.file, &id)?;
    let variant = match (fields.text("variant")?, &page.variant) {
        (Some(variant), _) => variant,
        (None, Some(variant)) => variant.clone(),
        (None, None) => {
            let error = fields.missing("variant");
            return Err(error.help("name the rule set in the claim or in `[page]`"));
        }
    };
    let (check_field, check) = read_check(fields)?;
    let is_line = matches!(check, Check::Line(_));
    Ok(ClaimSpec {
        id,
        variant,
        fen: fields.text("fen")?,
        line: fields.text("line")?.filter(|_| !is_line),
        limits: read_limits(fields)?,
        amend: read_amendments(fields)?,
        check,
        at: check_field.key.span.clone(),
    })
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;

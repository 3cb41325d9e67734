//! Expands the key `for`: makes one instance of a claim for each combination of values, with the placeholders
//! replaced.

use super::node::{Field, Node, Value};
use super::source_text::SourceText;
use diagnostics::{Diagnostic, nearest};
use language::Span;

/// The maximum number of instances that one `for` may make.
const MAX_INSTANCES: usize = 10_000;

/// The names of `for` with their values.
pub type Bindings = Vec<(String, String)>;

/// Returns the bindings of each instance of a claim. A claim without `for` has one instance with no bindings.
///
/// # Errors
/// If `for` is not a table of lists or a list of tables, or makes too many instances.
pub fn bindings(file: &SourceText, fields: &[Field]) -> Result<Vec<Bindings>, Diagnostic> {
    let Some(field) = fields.iter().find(|field| field.key.value == "for") else {
        return Ok(vec![Bindings::new()]);
    };
    let all = match &field.node.value {
        Value::Table(lists) => combinations(file, &field.node, lists)?,
        Value::List(tables) => {
            let read = |table| table_bindings(file, table);
            tables.iter().map(read).collect::<Result<Vec<_>, _>>()?
        }
        _ => {
            let why = format!("`for` is {}, not a table of lists", field.node.kind());
            return Err(file.error(&field.node.span, why).help(SHAPE));
        }
    };
    if all.is_empty() {
        let error = file.error(
            &field.node.span,
            "`for` has no values, so there is no claim",
        );
        return Err(error.help(SHAPE));
    }
    Ok(all)
}

const SHAPE: &str = "`for = { variant = [\"fide\", \"bachelor\"], n = [1, 2] }`, or a list of tables, \
                     `for = [ { variant = \"fide\", n = 20 } ]`";

fn combinations(
    file: &SourceText,
    node: &Node,
    lists: &[Field],
) -> Result<Vec<Bindings>, Diagnostic> {
    let mut all = vec![Bindings::new()];
    for list in lists {
        check_name(file, list)?;
        let values = match &list.node.value {
            Value::List(values) => {
                let values = values.iter().map(|value| scalar(file, value));
                values.collect::<Result<Vec<_>, _>>()?
            }
            Value::Table(fields) => rule_sets(file, &list.node, fields)?,
            _ => {
                let why = format!("`{}` is {}, not a list", list.key, list.node.kind());
                return Err(file.error(&list.node.span, why).help(SHAPE));
            }
        };
        if all.len() * values.len() > MAX_INSTANCES {
            let why = format!("`for` makes more than {MAX_INSTANCES} claims");
            return Err(file.error(&node.span, why));
        }
        let of_row = |row: &Bindings| row.iter().map(|(_, value)| value.len() as u64).sum::<u64>();
        let old: u64 = all.iter().map(of_row).sum();
        let new: u64 = values.iter().map(|value| value.len() as u64).sum();
        let bytes = old * values.len() as u64 + new * all.len() as u64;
        if bytes > MAX_EXPANDED_BYTES {
            return Err(too_long(file, &node.span));
        }
        let with = |bindings: &Bindings| {
            let mut rows = Vec::new();
            for value in &values {
                let mut row = bindings.clone();
                row.push((list.key.value.clone(), value.clone()));
                rows.push(row);
            }
            rows
        };
        all = all.iter().flat_map(with).collect();
    }
    match lists.is_empty() {
        true => Ok(Vec::new()),
        false => Ok(all),
    }
}

const OF_PAGE: &str =
    "`{ page = \"GOAL\", except = [\"glory\"] }`, the compiled rule sets whose page has this name";

/// Returns the compiled rule sets of a page, in their order, except for those that a list names.
fn rule_sets(file: &SourceText, node: &Node, fields: &[Field]) -> Result<Vec<String>, Diagnostic> {
    let wrong = |span: &Span, why: String| Err(file.error(span, why).help(OF_PAGE));
    let (mut page, mut except) = (None, Vec::new());
    for field in fields {
        match (field.key.value.as_str(), &field.node.value) {
            ("page", Value::Text(text, _)) => page = Some(text),
            ("except", Value::List(values)) => except.extend(values),
            _ => {
                return wrong(
                    &field.key.span,
                    format!("`{}` does not select rule sets", field.key),
                );
            }
        }
    }
    let Some(page) = page else {
        return wrong(
            &node.span,
            "a table without `page` selects no rule sets".into(),
        );
    };
    let ids = variants::all()
        .iter()
        .filter(|info| info.page.contains(page.as_str()));
    let mut ids: Vec<String> = ids.map(|info| info.id.to_owned()).collect();
    if ids.is_empty() {
        return wrong(
            &node.span,
            format!("no compiled rule set has the page `{page}`"),
        );
    }
    for value in except {
        let id = scalar(file, value)?;
        match ids.iter().position(|known| *known == id) {
            Some(at) => ids.remove(at),
            None => {
                return wrong(
                    &value.span,
                    format!("`{id}` is no rule set of the page `{page}`"),
                );
            }
        };
    }
    Ok(ids)
}

fn table_bindings(file: &SourceText, table: &Node) -> Result<Bindings, Diagnostic> {
    let Value::Table(fields) = &table.value else {
        let why = format!("{} in the list of `for`, not a table", table.kind());
        return Err(file.error(&table.span, why).help(SHAPE));
    };
    let read = |field: &Field| {
        check_name(file, field)?;
        Ok((field.key.value.clone(), scalar(file, &field.node)?))
    };
    fields.iter().map(read).collect()
}

fn check_name(file: &SourceText, field: &Field) -> Result<(), Diagnostic> {
    match is_name(&field.key.value) {
        true => Ok(()),
        false => {
            let why = format!("`{}` cannot be the name of a placeholder", field.key);
            Err(file
                .error(&field.key.span, why)
                .help("letters, digits and `_`"))
        }
    }
}

fn scalar(file: &SourceText, node: &Node) -> Result<String, Diagnostic> {
    match &node.value {
        Value::Text(text, _) => Ok(text.clone()),
        Value::Number(digits) => Ok(digits.clone()),
        Value::Bool(value) => Ok(value.to_string()),
        _ => {
            let why = format!("{} cannot replace a placeholder", node.kind());
            Err(file
                .error(&node.span, why)
                .help("a text, a number, true or false"))
        }
    }
}

/// Returns a claim with the placeholders replaced, without its key `for`.
///
/// # Errors
/// If a text has a placeholder that `for` does not name.
pub fn instance(
    file: &SourceText,
    claim: &Node,
    bindings: &Bindings,
) -> Result<Vec<Field>, Diagnostic> {
    let mut claim = match &claim.value {
        Value::Table(fields) => Node {
            value: Value::Table(
                fields
                    .iter()
                    .filter(|field| field.key.value != "for")
                    .cloned()
                    .collect(),
            ),
            span: claim.span.clone(),
        },
        _ => claim.clone(),
    };
    let mut unknown = None;
    if let Value::Table(fields) = &claim.value {
        // `says` and `source` may contain other text in braces, so unknown placeholders are an error only
        // elsewhere.
        let strict = |field: &&Field| !matches!(field.key.value.as_str(), "says" | "source");
        for field in fields.iter().filter(strict) {
            field.node.each_text(&mut |text, span| {
                for name in placeholders(text) {
                    if unknown.is_none() && !bindings.iter().any(|(known, _)| known == name) {
                        unknown = Some((name.to_owned(), span.clone()));
                    }
                }
            });
        }
    }
    if let Some((name, span)) = unknown {
        let why = format!("`{{{name}}}` is not a placeholder: `for` does not name it");
        let known = bindings.iter().map(|(name, _)| name.as_str());
        let error = file.error(&span, why);
        return Err(match nearest(&name, known) {
            Some(near) => error.help(format!("did you mean `{{{near}}}`?")),
            None => error.help(format!("add `for = {{ {name} = [...] }}`")),
        });
    }
    claim.replace(&|text| replaced(text, bindings));
    match claim.value {
        Value::Table(fields) => Ok(fields),
        _ => Ok(Vec::new()),
    }
}

/// Returns the names between braces in a text.
pub fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split('{').skip(1);
    parts
        .filter_map(|part| Some(part.split_once('}')?.0))
        .filter(|name| is_name(name))
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn replaced(text: &str, bindings: &Bindings) -> Option<String> {
    let (mut new, mut changed) = (String::new(), false);
    each_part(text, bindings, &mut |part, is_value| {
        new += part;
        changed |= is_value;
    });
    changed.then_some(new)
}

/// Calls `visit` for the parts of a text in which the placeholders are replaced, each with whether it is a
/// value.
fn each_part<'t>(text: &'t str, bindings: &'t Bindings, visit: &mut dyn FnMut(&'t str, bool)) {
    let mut rest = text;
    // The end of the text before the next placeholder.
    let mut at = 0;
    while let Some(brace) = rest[at..].find('{').map(|brace| at + brace) {
        let after = &rest[brace + 1..];
        let length = after.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let name = length.filter(|&end| after[end..].starts_with('}'));
        let value = name.and_then(|end| {
            let (_, value) = bindings.iter().find(|(known, _)| *known == after[..end])?;
            Some((value, &after[end + 1..]))
        });
        match value {
            Some((value, behind)) => {
                visit(&rest[..brace], false);
                visit(value, true);
                (rest, at) = (behind, 0);
            }
            None => at = brace + 1,
        }
    }
    visit(rest, false);
}

/// The maximum number of bytes of all texts of a file after placeholders are replaced.
pub const MAX_EXPANDED_BYTES: u64 = 32 << 20;

/// Subtracts the length of the texts of an instance from `room`, before the instance is made.
///
/// # Errors
/// If they are longer.
pub fn check_size(
    file: &SourceText,
    fields: &[Field],
    bindings: &Bindings,
    room: &mut u64,
) -> Result<(), Diagnostic> {
    let mut bytes: u64 = 0;
    let mut span = 0..0;
    for field in fields {
        if field.key.value == "for" {
            span = field.key.span.clone();
            continue;
        }
        field.node.each_text(&mut |text, _| {
            each_part(text, bindings, &mut |part, _| bytes += part.len() as u64);
        });
    }
    let values = bindings
        .iter()
        .map(|(name, value)| name.len() + value.len());
    bytes += values.sum::<usize>() as u64;
    match room.checked_sub(bytes) {
        Some(left) => {
            *room = left;
            Ok(())
        }
        None => Err(too_long(file, &span)),
    }
}

fn too_long(file: &SourceText, span: &Span) -> Diagnostic {
    let why = format!(
        "the claims of this file have more than {} MB of text after placeholders are replaced",
        MAX_EXPANDED_BYTES >> 20
    );
    let error = file.error(span, why);
    error.help("write shorter values, or divide the file")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::node::parse;

    fn claim(text: &str) -> (SourceText, Vec<Field>) {
        let file = SourceText {
            name: "t.toml".to_owned(),
            text: text.to_owned(),
        };
        match parse(&file).expect("TOML").value {
            Value::Table(fields) => (file, fields),
            _ => unreachable!("a document is a table"),
        }
    }

    #[test]
    fn lists_make_all_combinations_and_tables_make_themselves() {
        let (file, fields) = claim("for = { a = [1, 2], b = ['x', 'y'] }");
        let all = bindings(&file, &fields).expect("bindings");
        let texts: Vec<String> = (all.iter())
            .map(|row| row.iter().map(|(_, value)| value.as_str()).collect())
            .collect();
        assert_eq!(texts, ["1x", "1y", "2x", "2y"]);
        let (file, fields) = claim("for = [{ a = 1, b = 'x' }, { a = 2, b = 'y' }]");
        assert_eq!(bindings(&file, &fields).expect("bindings").len(), 2);
        let (file, fields) = claim("id = 'a'");
        assert_eq!(bindings(&file, &fields), Ok(vec![Vec::new()]));
    }

    #[test]
    fn tables_select_the_rule_sets_of_a_page() {
        let (file, fields) = claim("for = { v = { page = '32-turn', except = [] } }");
        let all = bindings(&file, &fields).expect("bindings");
        assert_eq!(all, [[("v".to_owned(), "french-revolution".to_owned())]]);
        let (file, fields) = claim("for = { v = { page = 'GOAL', except = ['glory'] } }");
        let all = bindings(&file, &fields).expect("bindings");
        assert_eq!(all.len(), 30);
        assert!(
            all.iter()
                .all(|row| row[0].1 != "glory" && row[0].1 != "fide")
        );
        for (text, why) in [
            (
                "for = { v = {} }",
                "a table without `page` selects no rule sets",
            ),
            (
                "for = { v = { page = 'x' } }",
                "no compiled rule set has the page `x`",
            ),
            (
                "for = { v = { page = 'GOAL', except = ['fide'] } }",
                "`fide` is no rule set of the page `GOAL`",
            ),
            (
                "for = { v = { pages = 'GOAL' } }",
                "`pages` does not select rule sets",
            ),
        ] {
            let (file, fields) = claim(text);
            assert_eq!(bindings(&file, &fields).expect_err(text).why, why);
        }
    }

    #[test]
    fn values_replace_placeholders_in_all_texts_and_other_braces_stay() {
        let values = vec![("n".to_owned(), "20".to_owned())];
        assert_eq!(
            replaced("{n} of {m} {n", &values).as_deref(),
            Some("20 of {m} {n")
        );
        assert_eq!(replaced("none {m}", &values), None);
        assert_eq!(
            placeholders("{a} { b } {c1}{}").collect::<Vec<_>>(),
            ["a", "c1"]
        );
    }

    #[test]
    fn values_that_would_make_too_much_text_are_refused_before_it_is_made() {
        // 10,000 claims, of which each repeats a value of 80,000 letters twice.
        let digits: Vec<String> = (0..100).map(|n| n.to_string()).collect();
        let list = digits.join(", ");
        let long = "x".repeat(80_000);
        let text =
            format!("says = '{{a}} {{a}}'\nfor = {{ a = ['{long}'], b = [{list}], c = [{list}] }}");
        let (file, fields) = claim(&text);
        let error = bindings(&file, &fields).expect_err("too long");
        assert!(error.why.contains("32 MB"), "{error}");
        let text = format!("says = '{}'\nfor = {{ a = ['{long}'] }}", "{a}".repeat(500));
        let (file, fields) = claim(&text);
        let all = bindings(&file, &fields).expect("bindings");
        let mut room = MAX_EXPANDED_BYTES;
        let error = check_size(&file, &fields, &all[0], &mut room).expect_err("too long");
        assert!(error.why.contains("32 MB"), "{error}");
        assert_eq!(room, MAX_EXPANDED_BYTES);
    }

    #[test]
    fn wrong_for_is_refused_with_its_place() {
        for (text, why) in [
            ("for = 3", "`for` is a number, not a table of lists"),
            ("for = {}", "`for` has no values, so there is no claim"),
            ("for = { a = 1 }", "`a` is a number, not a list"),
            (
                "for = { a = [] }",
                "`for` has no values, so there is no claim",
            ),
            (
                "for = { 'a b' = [1] }",
                "`a b` cannot be the name of a placeholder",
            ),
            ("for = [1]", "a number in the list of `for`, not a table"),
            ("for = { a = [[1]] }", "a list cannot replace a placeholder"),
        ] {
            let (file, fields) = claim(text);
            let error = bindings(&file, &fields).expect_err(text);
            assert_eq!(error.why, why);
            assert_eq!(error.position().map(|place| place.line), Some(1));
        }
    }
}

//! A strict look at XML: elements that are closed in order, attributes in quotes, entities that are
//! known. Shares nothing with what writes it.

/// Returns what is wrong with a text as XML; nothing if it is well formed. With `html`, the elements that
/// HTML never closes, attributes without a value, and raw script and style are known.
pub fn fault(text: &str, html: bool) -> Option<String> {
    const NEVER_CLOSED: [&str; 5] = ["meta", "link", "br", "input", "!DOCTYPE"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    loop {
        let Some(at) = rest.find('<') else {
            return entity(rest)
                .or_else(|| open.last().map(|name| format!("`{name}` is not closed")));
        };
        if let Some(fault) = entity(&rest[..at]) {
            return Some(fault);
        }
        rest = &rest[at + 1..];
        // The end of the tag, quotes passed over.
        let mut quote = None;
        let end = rest.char_indices().find(|&(_, c)| match (quote, c) {
            (None, '"' | '\'') => {
                quote = Some(c);
                false
            }
            (Some(q), c) if q == c => {
                quote = None;
                false
            }
            (None, '>') => true,
            _ => false,
        });
        let Some((end, _)) = end else {
            return Some(format!(
                "a tag does not end: {}",
                &rest[..rest.len().min(60)]
            ));
        };
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Some(format!("`{name}` is closed, and was not opened last"));
            }
            continue;
        }
        let closed = tag.ends_with('/');
        let tag = tag.trim_end_matches('/');
        let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        if let Some(fault) = wrong_attributes(attributes, html) {
            return Some(format!("{fault} in <{tag}>"));
        }
        if closed || html && NEVER_CLOSED.contains(&name) {
            continue;
        }
        if html && ["script", "style"].contains(&name) {
            let close = format!("</{name}>");
            match rest.find(&close) {
                Some(at) => rest = &rest[at + close.len()..],
                None => return Some(format!("`{name}` is not closed")),
            }
            continue;
        }
        open.push(name);
    }
}

fn wrong_attributes(text: &str, html: bool) -> Option<String> {
    let mut rest = text.trim();
    while !rest.is_empty() {
        let name = rest.find(|c: char| c == '=' || c.is_whitespace());
        let (name, after) = rest.split_at(name.unwrap_or(rest.len()));
        if name.is_empty()
            || !name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-:_".contains(c))
        {
            return Some(format!("`{name}` is not an attribute"));
        }
        rest = match after.strip_prefix('=') {
            None if html => after.trim_start(),
            None => return Some(format!("`{name}` has no value")),
            Some(value) => {
                let Some(quote) = value.chars().next().filter(|c| ['"', '\''].contains(c)) else {
                    return Some(format!("`{name}` has a bare value"));
                };
                let Some((value, more)) = value[1..].split_once(quote) else {
                    return Some(format!("`{name}` does not end"));
                };
                if value.contains('<') {
                    return Some(format!("`{name}` holds a tag"));
                }
                if let Some(fault) = entity(value) {
                    return Some(fault);
                }
                more.trim_start()
            }
        };
    }
    None
}

fn entity(text: &str) -> Option<String> {
    let known = ["amp;", "lt;", "gt;", "quot;", "#39;"];
    let mut parts = text.split('&').skip(1);
    let wrong = parts.find(|part| !known.iter().any(|entity| part.starts_with(entity)))?;
    Some(format!(
        "`&{}` is not an entity",
        &wrong[..wrong.len().min(8)]
    ))
}

#[test]
fn faults_of_xml_are_seen() {
    for (text, html) in [
        ("<a><b></a></b>", false),
        ("<a x=1/>", false),
        ("<a x/>", false),
        ("<a x=\"<b>\"/>", false),
        ("<a>&nbsp;</a>", false),
        ("<a>", false),
        ("</a>", false),
        ("<a", false),
        ("<script>", true),
    ] {
        assert!(fault(text, html).is_some(), "{text}");
    }
    for (text, html) in [
        ("<a x=\"1 > 2\" y='&amp;'><b/>t &lt;</a>", false),
        (
            "<!DOCTYPE html><meta a=\"b\"><p hidden>x<br></p><style>a>b{}</style>",
            true,
        ),
    ] {
        assert_eq!(fault(text, html), None, "{text}");
    }
}

//! Converts the pages of the rule book to HTML. Supports only the Markdown that they use.
//!
//! Supports headings, paragraphs, lists with wrapped lines, tables and fenced text, and code and bold text
//! within a line. Everything else is copied as written.

use crate::markup::escaped;
use std::fmt::Write;

/// Converts Markdown to HTML. Headings become one level deeper, and the title is left out.
pub fn html(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("## ") {
            let _ = writeln!(out, "<h3>{}</h3>", inline(title));
        } else if line.starts_with("# ") || line.trim().is_empty() {
            continue;
        } else if line.starts_with("```") {
            let mut fenced = String::new();
            for line in lines.by_ref().take_while(|line| !line.starts_with("```")) {
                let _ = writeln!(fenced, "{}", escaped(line));
            }
            let _ = writeln!(out, "<pre>{fenced}</pre>");
        } else if line.starts_with("| ") {
            let _ = writeln!(out, "<table><thead>{}</thead><tbody>", row(line, "th"));
            while let Some(line) = lines.next_if(|line| line.starts_with('|')) {
                if !line.starts_with("|-") {
                    let _ = writeln!(out, "{}", row(line, "td"));
                }
            }
            out.push_str("</tbody></table>\n");
        } else if let Some(first) = line.strip_prefix("* ") {
            out.push_str("<ul>\n");
            let mut item = first.to_string();
            while let Some(line) = lines.next_if(|l| l.starts_with("* ") || l.starts_with("  ")) {
                match line.strip_prefix("* ") {
                    Some(next) => {
                        let _ = writeln!(out, "<li>{}</li>", inline(&item));
                        item = next.to_string();
                    }
                    None => item = item + " " + line.trim_start(),
                }
            }
            let _ = writeln!(out, "<li>{}</li>\n</ul>", inline(&item));
        } else {
            let mut paragraph = line.to_string();
            let continues = |line: &&str| {
                !line.trim().is_empty()
                    && !["#", "|", "* ", "```"]
                        .iter()
                        .any(|mark| line.starts_with(mark))
            };
            while let Some(line) = lines.next_if(continues) {
                paragraph = paragraph + " " + line;
            }
            let _ = writeln!(out, "<p>{}</p>", inline(&paragraph));
        }
    }
    out
}

/// Returns a table row.
fn row(line: &str, tag: &str) -> String {
    let cells = line.trim().trim_matches('|').split('|');
    let cells: String = cells
        .map(|cell| format!("<{tag}>{}</{tag}>", inline(cell.trim())))
        .collect();
    format!("<tr>{cells}</tr>")
}

/// Returns a line with code and bold text. An unclosed mark is kept as it is.
fn inline(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*']) {
        let (before, mark) = rest.split_at(at);
        let _ = write!(out, "{}", escaped(before));
        let (mark, tag) = match mark.starts_with("**") {
            true => ("**", "strong"),
            false if mark.starts_with('`') => ("`", "code"),
            false => {
                out.push('*');
                rest = &mark[1..];
                continue;
            }
        };
        let inner = &rest[at + mark.len()..];
        match inner.find(mark) {
            Some(end) => {
                let _ = write!(out, "<{tag}>{}</{tag}>", escaped(&inner[..end]));
                rest = &inner[end + mark.len()..];
            }
            None => {
                out.push_str(mark);
                rest = inner;
            }
        }
    }
    let _ = write!(out, "{}", escaped(rest));
    out
}

#[cfg(test)]
mod tests {
    use super::html;

    #[test]
    fn the_shapes_of_pages_become_html() {
        let page = "# Title\n\nOne `a<b>`\nline **bold**.\n\n## Rows\n| A | B |\n|---|---|\n| x | `y` |\n\n\
                    * first\n  goes on\n* second\n\n```text\n<8>\n```\n5 * 4 ` open";
        assert_eq!(
            html(page),
            "<p>One <code>a&lt;b&gt;</code> line <strong>bold</strong>.</p>\n<h3>Rows</h3>\n\
             <table><thead><tr><th>A</th><th>B</th></tr></thead><tbody>\n\
             <tr><td>x</td><td><code>y</code></td></tr>\n</tbody></table>\n\
             <ul>\n<li>first goes on</li>\n<li>second</li>\n</ul>\n\
             <pre>&lt;8&gt;\n</pre>\n<p>5 * 4 ` open</p>\n"
        );
    }
}

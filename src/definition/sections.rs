//! Splits a file of definitions into sections of keys and values, each with its place.
//!
//! A line that begins with `[` opens a section, `#` and `;` at the beginning of a line make it a comment,
//! everything else is `key = value`; values reach to the end of the line. A line that cannot be read is
//! an error of its section. An error in a heading, or before the first heading, belongs to no section and
//! makes the whole file unusable. No line is ever left out without an error.

use crate::finding::{Finding, Place};

/// The largest file, in bytes.
pub const MAX_FILE: usize = 1 << 20;
/// The most sections of a file.
pub const MAX_SECTIONS: usize = 2_000;
/// The most lines of a section that hold keys.
pub const MAX_ENTRIES: usize = 1_000;
/// The longest line, in bytes.
pub const MAX_LINE: usize = 4_096;
/// The longest name of a section, in bytes.
pub const MAX_NAME: usize = 64;
/// The most findings of a file: further ones are counted in one.
pub const MAX_FINDINGS: usize = 1_000;

/// A piece of text with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spanned {
    /// The text, without blanks around it.
    pub text: String,
    /// Its first character.
    pub place: Place,
}

/// `key = value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The key.
    pub key: Spanned,
    /// The value.
    pub value: Spanned,
}

/// `[name:parent]` and the lines that follow it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// The name.
    pub name: Spanned,
    /// The parent, if one is named.
    pub parent: Option<Spanned>,
    /// The keys in the order of the file; of a key written twice only the last.
    pub entries: Vec<Entry>,
    /// Whether a line of the section could not be read. Such a section, and every section with it as
    /// a parent, is never played: what it means is not known.
    pub has_unreadable_line: bool,
}

impl Section {
    /// The entry of a key.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key.text == key)
    }
}

/// Splits a file into sections. Findings report what is wrong with its lines. Of sections with the same
/// name only the first is returned; the others are errors.
pub fn sections(bytes: &[u8]) -> (Vec<Section>, Vec<Finding>) {
    let mut sections: Vec<Section> = Vec::new();
    let mut findings = Vec::new();
    let start = Place { line: 1, column: 1 };
    if bytes.len() > MAX_FILE {
        let why = format!(
            "the file has {} bytes; at most {MAX_FILE} are read",
            bytes.len()
        );
        return (sections, vec![Finding::error(start, why)]);
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    // Keys behind a heading that cannot be used belong to nothing.
    let mut open = false;
    let mut skipping = false;
    for (number, line) in bytes.split(|&b| b == b'\n').enumerate() {
        let at = |column: usize| Place {
            line: number as u32 + 1,
            column: column as u32 + 1,
        };
        if findings.len() >= MAX_FINDINGS {
            findings.push(Finding::error(
                at(0),
                "too many findings; the rest of the file is not read",
            ));
            break;
        }
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // An error of a line belongs to the section that is open.
        let mut unreadable = |finding: Finding| {
            findings.push(match sections.last_mut().filter(|_| open) {
                Some(section) => {
                    section.has_unreadable_line = true;
                    finding.within(&section.name.text)
                }
                None => finding,
            });
        };
        if line.len() > MAX_LINE {
            let why = format!(
                "a line of {} bytes; at most {MAX_LINE} are read",
                line.len()
            );
            unreadable(Finding::error(at(0), why));
            continue;
        }
        let line = match std::str::from_utf8(line) {
            Ok(line) => line,
            Err(error) => {
                let column = String::from_utf8_lossy(&line[..error.valid_up_to()])
                    .chars()
                    .count();
                let help = "save the file as UTF-8";
                unreadable(Finding::error(at(column), "bytes that are not UTF-8").help(help));
                continue;
            }
        };
        let text = line.trim();
        if text.is_empty() || text.starts_with(['#', ';']) {
            continue;
        }
        // Characters, not bytes, before a slice of this line.
        let column = |part: &str| {
            let offset = part.as_ptr() as usize - line.as_ptr() as usize;
            line[..offset].chars().count()
        };
        let spanned = |part: &str| {
            let trimmed = part.trim();
            Spanned {
                text: trimmed.to_owned(),
                place: at(column(if trimmed.is_empty() { part } else { trimmed })),
            }
        };
        if let Some(heading) = text.strip_prefix('[') {
            (open, skipping) = (false, true);
            let Some((inside, rest)) = heading.split_once(']') else {
                findings.push(Finding::error(
                    at(column(text)),
                    "a section's heading lacks its `]`",
                ));
                continue;
            };
            if !rest.trim().is_empty() {
                let why = "text behind a section's heading is not read";
                findings.push(Finding::warning(at(column(rest.trim())), why));
            }
            let (name, parent) = match inside.split_once(':') {
                Some((name, parent)) => (spanned(name), Some(spanned(parent))),
                None => (spanned(inside), None),
            };
            if let Some(why) = misnamed(&name.text) {
                findings.push(Finding::error(name.place, why));
                continue;
            }
            if let Some(why) = parent.as_ref().and_then(|p| misnamed(&p.text)) {
                let place = parent.map_or(name.place, |p| p.place);
                findings.push(Finding::error(place, format!("parent: {why}")));
                continue;
            }
            if let Some(first) = sections.iter().find(|s| s.name.text == name.text) {
                let why = format!(
                    "there is a section `{}` already, in line {}",
                    name.text, first.name.place.line
                );
                findings.push(Finding::error(name.place, why));
                continue;
            }
            if sections.len() == MAX_SECTIONS {
                let why = format!("more than {MAX_SECTIONS} sections; the rest is not read");
                findings.push(Finding::error(name.place, why));
                break;
            }
            (open, skipping) = (true, false);
            sections.push(Section {
                name,
                parent,
                entries: Vec::new(),
                has_unreadable_line: false,
            });
            continue;
        }
        let section = match sections.last_mut() {
            Some(section) if open => section,
            _ => {
                // One message is enough for a heading that could not be read.
                if !skipping {
                    let why = "text before the first section";
                    let help = "a section begins with a line such as `[name:chess]`";
                    findings.push(Finding::error(at(column(text)), why).help(help));
                    skipping = true;
                }
                continue;
            }
        };
        let Some((key, value)) = line.split_once('=') else {
            let why = format!("`{}` is not `key = value`", shortened(text));
            section.has_unreadable_line = true;
            findings.push(
                Finding::error(at(column(text)), why)
                    .within(&section.name.text)
                    .help("a comment begins with `#`"),
            );
            continue;
        };
        let entry = Entry {
            key: spanned(key),
            value: spanned(value),
        };
        if entry.key.text.is_empty() {
            section.has_unreadable_line = true;
            findings.push(
                Finding::error(entry.key.place, "a value without a key").within(&section.name.text),
            );
            continue;
        }
        if let Some(old) = section
            .entries
            .iter_mut()
            .find(|e| e.key.text == entry.key.text)
        {
            let why = format!(
                "`{}` stands already in line {}; this one counts",
                entry.key.text, old.key.place.line
            );
            findings.push(Finding::warning(entry.key.place, why).within(&section.name.text));
            *old = entry;
        } else if section.entries.len() < MAX_ENTRIES {
            section.entries.push(entry);
        } else {
            let why = format!("a section of more than {MAX_ENTRIES} keys; the rest is not read");
            section.has_unreadable_line = true;
            findings.push(Finding::error(entry.key.place, why).within(&section.name.text));
            (open, skipping) = (false, true);
        }
    }
    (sections, findings)
}

/// Why a name is none, if so. IDs carry options behind `:` and are words in commands and file names.
fn misnamed(name: &str) -> Option<String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    match name {
        "" => Some("a section needs a name".into()),
        _ if name.len() > MAX_NAME => Some(format!("a name has at most {MAX_NAME} characters")),
        _ if !name.starts_with(|c: char| c.is_ascii_alphanumeric()) => Some(format!(
            "`{}`: a name begins with a letter or digit",
            shortened(name)
        )),
        _ => name.chars().find(|&c| !fits(c)).map(|c| {
            format!(
                "`{}`: `{}` cannot stand in a name",
                shortened(name),
                c.escape_debug()
            )
        }),
    }
}

/// A text cut to what a message can show.
pub(crate) fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().nth(60).is_some() {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_lines_and_columns_of_characters() {
        let (sections, findings) = sections("# é\n[a : chess]\r\n  kéy  =  välue x \n".as_bytes());
        assert_eq!(findings, []);
        let [section] = &sections[..] else { panic!() };
        assert_eq!(section.name.place, Place { line: 2, column: 2 });
        let parent = section.parent.as_ref().unwrap();
        assert_eq!(
            (parent.text.as_str(), parent.place),
            ("chess", Place { line: 2, column: 6 })
        );
        let entry = &section.entries[0];
        assert_eq!(
            (entry.key.text.as_str(), entry.key.place),
            ("kéy", Place { line: 3, column: 3 })
        );
        assert_eq!(
            (entry.value.text.as_str(), entry.value.place),
            (
                "välue x",
                Place {
                    line: 3,
                    column: 11
                }
            )
        );
    }

    #[test]
    fn wrong_lines_are_found_and_the_rest_is_read() {
        let text =
            b"stray\n[a]\nx\n= 1\nk = 1\nk = 2\n[a]\nz = 1\n[b\n[]\n[c:]\n[d] tail\n\xff\nq = 3";
        let (sections, findings) = sections(text);
        let names: Vec<_> = sections.iter().map(|s| s.name.text.as_str()).collect();
        assert_eq!(names, ["a", "d"]);
        assert_eq!(sections[0].get("k").unwrap().value.text, "2");
        assert_eq!(sections[1].get("q").unwrap().value.text, "3");
        let lines: Vec<_> = findings.iter().map(|f| f.place.line).collect();
        assert_eq!(lines, [1, 3, 4, 6, 7, 9, 10, 11, 12, 13]);
    }

    #[test]
    fn sizes_are_limited() {
        let long = vec![b'x'; MAX_FILE + 1];
        assert!(sections(&long).0.is_empty());
        let many = "[a]\n".repeat(MAX_FINDINGS * 3);
        assert_eq!(sections(many.as_bytes()).1.len(), MAX_FINDINGS + 1);
        let many: String = (0..MAX_SECTIONS + 5).map(|i| format!("[a{i}]\n")).collect();
        assert_eq!(sections(many.as_bytes()).0.len(), MAX_SECTIONS);
        let keys: String = (0..MAX_ENTRIES + 5)
            .map(|i| format!("k{i} = 1\n"))
            .collect();
        assert_eq!(
            sections(format!("[a]\n{keys}").as_bytes()).0[0]
                .entries
                .len(),
            MAX_ENTRIES
        );
    }
}

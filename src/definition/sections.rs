//! Splits a file of definitions into sections of keys and values, each with its place.
//!
//! A line that begins with `[` opens a section; `#` or `;` at the beginning of a line makes it a comment;
//! every other line is `key = value`, and the value reaches to the end of the line. Lines end with LF or
//! CRLF. The values of rule texts ([`clauses`](crate::clauses)) continue on following lines that begin with a blank,
//! and ` #` outside of quotation marks begins a comment in them.
//!
//! Only comments and empty lines are ignored. A line that cannot be read is an error of its section. An error
//! in a heading, or before the first heading, belongs to no section. It makes the whole file unusable,
//! because the section of the following lines is unknown.

use crate::clauses::is_text;
use diagnostics::{Diagnostic, LineColumn, shortened};

/// Maximum size of a file, in bytes.
pub const MAX_FILE: usize = 1 << 20;
/// Maximum number of sections in a file.
pub const MAX_SECTIONS: usize = 2_000;
/// Maximum number of lines with keys in a section.
pub const MAX_ENTRIES: usize = 1_000;
/// Maximum length of a line that is not a comment, in bytes.
pub const MAX_LINE: usize = 4_096;
/// Maximum length of a value on several lines, in bytes.
pub const MAX_VALUE: usize = 64 << 10;
/// Maximum length of a section's name, in bytes.
pub const MAX_NAME: usize = 64;
/// Maximum number of findings on the lines of a file. After that, the rest of the file is not read.
pub const MAX_FINDINGS: usize = 1_000;

/// Characters that some editors show as the end of a line. The text after such a character would look like a
/// line of its own but be read as part of the line before, so a line must not contain them.
const OTHER_LINE_BREAKS: [char; 4] = ['\r', '\u{85}', '\u{2028}', '\u{2029}'];

/// A piece of text with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spanned {
    /// The text, without blanks around it.
    pub text: String,
    /// The line and column of the first character.
    pub place: LineColumn,
}

/// A line `key = value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The key.
    pub key: Spanned,
    /// The value.
    pub value: Spanned,
}

/// A heading `[name:parent]` and the lines that follow it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// The name.
    pub name: Spanned,
    /// The parent, if one is named.
    pub parent: Option<Spanned>,
    /// The keys in the order of the file. If a key is given twice, only the last entry is included.
    pub entries: Vec<Entry>,
    /// Whether a line of the section could not be read. Such a section and its children are never played,
    /// because their meaning is unknown.
    pub has_unreadable_line: bool,
}

impl Section {
    /// Returns the entry of a key.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key.text == key)
    }
}

/// Splits a file into sections and reports what is wrong with its lines. Of several sections with the same
/// name, only the first is returned; the others are errors.
pub fn sections(bytes: &[u8]) -> (Vec<Section>, Vec<Diagnostic>) {
    let mut splitter = Splitter {
        sections: Vec::new(),
        findings: Vec::new(),
        context: Context::BeforeSections,
        has_odd_comment: false,
        is_full: false,
        continues: false,
    };
    splitter.file(bytes);
    (splitter.sections, splitter.findings)
}

/// The section to which a line with a key belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Context {
    /// No section has begun. The line is an error.
    BeforeSections,
    /// The last section.
    Section,
    /// A section that is not read further. The reason, a wrong heading or too many lines, has been reported.
    Reported,
}

struct Splitter {
    sections: Vec<Section>,
    findings: Vec<Diagnostic>,
    context: Context,
    /// Whether a comment that is not UTF-8 has been reported.
    has_odd_comment: bool,
    /// Whether too many sections have been reported.
    is_full: bool,
    /// Whether a line that begins with a blank continues the last entry of the last section.
    continues: bool,
}

impl Splitter {
    fn file(&mut self, bytes: &[u8]) {
        if bytes.len() > MAX_FILE {
            let why = format!("{} bytes; the maximum is {MAX_FILE}", bytes.len());
            let start = LineColumn { line: 1, column: 1 };
            self.findings.push(error(start, why));
            return;
        }
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        for (number, line) in (1..).zip(bytes.split(|&b| b == b'\n')) {
            let start = LineColumn {
                line: number,
                column: 1,
            };
            if self.findings.len() >= MAX_FINDINGS {
                let why =
                    format!("more than {MAX_FINDINGS} findings; the rest of the file is not read");
                self.findings.push(error(start, why));
                return;
            }
            self.line(line.strip_suffix(b"\r").unwrap_or(line), start);
            if self.is_full {
                return;
            }
        }
    }

    fn line(&mut self, bytes: &[u8], start: LineColumn) {
        let at = |column: usize| LineColumn {
            column: column as u32 + 1,
            ..start
        };
        let first = bytes.trim_ascii_start().first();
        let is_comment = matches!(first, Some(b'#' | b';'));
        let is_heading = first == Some(&b'[');
        let line = match std::str::from_utf8(bytes) {
            Ok(line) if is_comment || line.len() <= MAX_LINE => line,
            Ok(_) => {
                let why = format!("a line of {} bytes; the maximum is {MAX_LINE}", bytes.len());
                return self.unreadable(error(start, why), is_heading);
            }
            // A comment in another encoding begins and ends at the same bytes.
            Err(_) if is_comment && !bytes.contains(&b'\r') => return self.odd_comment(start),
            Err(wrong) => {
                let valid = String::from_utf8_lossy(&bytes[..wrong.valid_up_to()]);
                let finding = error(at(valid.chars().count()), "bytes that are not UTF-8");
                return self.unreadable(finding.help("save the file as UTF-8"), is_heading);
            }
        };
        let text = line.trim();
        if let Some(offset) = text.find(OTHER_LINE_BREAKS) {
            let column = column_of(line, &text[offset..]);
            let finding = error(at(column), "a line break that is neither LF nor CRLF");
            return self.unreadable(finding.help("end lines with LF or CRLF"), is_heading);
        }
        if text.is_empty() || text.starts_with(['#', ';']) {
            return;
        }
        if self.continues && line.starts_with([' ', '\t']) {
            return self.continuation(line, start);
        }
        self.continues = false;
        let line = Line { line, start };
        match text.starts_with('[') {
            true => self.heading(&line, text),
            false => self.entry(&line, text),
        }
    }

    /// Adds a line to the value of the last entry.
    fn continuation(&mut self, line: &str, start: LineColumn) {
        let section = self.sections.last_mut();
        let Some(entry) = section.and_then(|section| section.entries.last_mut()) else {
            return;
        };
        let value = &mut entry.value;
        if value.text.is_empty() {
            value.place = start;
        }
        // Lines between that are empty or comments keep their numbers.
        let lines = value.text.matches('\n').count() as u32;
        let missing = (start.line - value.place.line).saturating_sub(lines);
        value
            .text
            .extend(std::iter::repeat_n('\n', missing as usize));
        value.text.push_str(without_comment(line).trim_end());
        if value.text.len() > MAX_VALUE {
            let why = format!("a value of more than {MAX_VALUE} bytes");
            self.continues = false;
            self.unreadable(error(start, why), false);
        }
    }

    /// Adds an error on a line. Unless the line is a heading, the error belongs to the section of the line.
    fn unreadable(&mut self, finding: Diagnostic, is_heading: bool) {
        if is_heading {
            self.findings.push(finding);
            self.context = Context::Reported;
            return;
        }
        let section = match self.context {
            Context::Section => self.sections.last_mut(),
            _ => None,
        };
        self.findings.push(match section {
            Some(section) => {
                section.has_unreadable_line = true;
                finding.about(&section.name.text)
            }
            None => finding,
        });
    }

    /// Adds a warning for the first comment that is not UTF-8. This is not an error, because comments do not
    /// affect rules.
    fn odd_comment(&mut self, place: LineColumn) {
        if !self.has_odd_comment {
            self.has_odd_comment = true;
            let finding = warning(place, "a comment that is not UTF-8");
            self.findings.push(finding.help("save the file as UTF-8"));
        }
    }

    /// Reads a heading.
    fn heading(&mut self, line: &Line<'_>, text: &str) {
        self.context = Context::Reported;
        let Some((inside, rest)) = text[1..].split_once(']') else {
            let why = "the heading of a section lacks its `]`";
            return self.findings.push(error(line.place(text), why));
        };
        let (name, parent) = match inside.split_once(':') {
            Some((name, parent)) => (line.spanned(name), Some(line.spanned(parent))),
            None => (line.spanned(inside), None),
        };
        if let Some(why) = misnamed(&name.text) {
            return self.findings.push(error(name.place, why));
        }
        if let Some(parent) = &parent
            && let Some(why) = misnamed(&parent.text)
        {
            let why = format!("parent: {why}");
            return self.findings.push(error(parent.place, why));
        }
        if let Some(first) = self.sections.iter().find(|s| s.name.text == name.text) {
            let why = format!(
                "the file has a section `{}` already, in line {}",
                name.text, first.name.place.line
            );
            return self.findings.push(error(name.place, why));
        }
        if self.sections.len() == MAX_SECTIONS {
            self.is_full = true;
            let why = format!("more than {MAX_SECTIONS} sections; the rest is not read");
            return self.findings.push(error(name.place, why));
        }
        self.context = Context::Section;
        self.sections.push(Section {
            name,
            parent,
            entries: Vec::new(),
            has_unreadable_line: false,
        });
        let rest = rest.trim();
        if !rest.is_empty() && !rest.starts_with(['#', ';']) {
            let why = format!("`{}` after the heading", shortened(rest));
            let finding = error(line.place(rest), why);
            self.unreadable(finding.help("a key has a line of its own"), false);
        }
    }

    /// Reads a line `key = value`.
    fn entry(&mut self, line: &Line<'_>, text: &str) {
        let section = match self.context {
            Context::Section => self.sections.last_mut(),
            Context::BeforeSections | Context::Reported => None,
        };
        let Some(section) = section else {
            if self.context == Context::BeforeSections {
                let finding = error(line.place(text), "text before the first section");
                let help = "a section begins with a line such as `[name:chess]`";
                self.findings.push(finding.help(help));
                self.context = Context::Reported;
            }
            return;
        };
        let Some((key, value)) = line.line.split_once('=') else {
            let why = format!("`{}` is not `key = value`", shortened(text));
            let finding = error(line.place(text), why);
            return self.unreadable(finding.help("a comment begins with `#`"), false);
        };
        let is_text = is_text(key.trim());
        let value = if is_text {
            without_comment(value)
        } else {
            value
        };
        let entry = Entry {
            key: line.spanned(key),
            value: line.spanned(value),
        };
        self.continues = is_text;
        if entry.key.text.is_empty() {
            let finding = error(entry.key.place, "a value without a key");
            return self.unreadable(finding, false);
        }
        let name = &section.name.text;
        let same_key = |e: &&mut Entry| e.key.text == entry.key.text;
        if let Some(earlier) = section.entries.iter_mut().find(same_key) {
            let (key, line) = (shortened(&entry.key.text), earlier.key.place.line);
            let why = format!("`{key}` is given twice; the value in line {line} is not used");
            let finding = warning(entry.key.place, why);
            self.findings.push(finding.about(name));
            // The last entry is the one that following lines continue.
            section.entries.retain(|e| e.key.text != entry.key.text);
            section.entries.push(entry);
        } else if section.entries.len() < MAX_ENTRIES {
            section.entries.push(entry);
        } else {
            let why = format!("more than {MAX_ENTRIES} keys; the rest of the section is not read");
            self.unreadable(error(entry.key.place, why), false);
            self.context = Context::Reported;
        }
    }
}

/// A line and the place where it starts.
struct Line<'a> {
    line: &'a str,
    start: LineColumn,
}

impl Line<'_> {
    /// Returns the place of a part of the line.
    fn place(&self, part: &str) -> LineColumn {
        LineColumn {
            column: column_of(self.line, part) as u32 + 1,
            ..self.start
        }
    }

    /// Returns a part of the line without the blanks around it.
    fn spanned(&self, part: &str) -> Spanned {
        let trimmed = part.trim();
        Spanned {
            text: trimmed.to_owned(),
            place: self.place(if trimmed.is_empty() { part } else { trimmed }),
        }
    }
}

/// Returns a text up to the first ` #` outside of quotation marks.
fn without_comment(text: &str) -> &str {
    let (mut quote, mut before) = (None, ' ');
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if c == open && before != '\\' => quote = None,
            Some(_) => {}
            None if c == '#' && before.is_whitespace() => return &text[..at],
            None if c == '\'' || c == '"' => quote = Some(c),
            None => {}
        }
        before = c;
    }
    text
}

/// Returns the number of characters before a part of a line. The part must be a slice of `line`.
fn column_of(line: &str, part: &str) -> usize {
    let offset = part.as_ptr() as usize - line.as_ptr() as usize;
    line[..offset].chars().count()
}

/// Returns the reason why a text is not a valid name, or `None` if it is valid. Names are used in IDs (where
/// options follow a `:`), in commands and in file names.
fn misnamed(name: &str) -> Option<String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    let quoted = shortened(name);
    match name {
        "" => Some("the name is missing".into()),
        _ if name.len() > MAX_NAME => Some(format!(
            "`{quoted}`: a name of {} bytes; the maximum is {MAX_NAME}",
            name.len()
        )),
        _ if !name.starts_with(|c: char| c.is_ascii_alphanumeric()) => {
            Some(format!("`{quoted}`: a name begins with a letter or digit"))
        }
        _ => name.chars().find(|&c| !fits(c)).map(|c| {
            let c = c.escape_debug();
            format!("`{quoted}`: a name cannot contain `{c}`")
        }),
    }
}

/// Returns an error at a place in a file. The caller adds the name of the section, if it is known.
pub(crate) fn error(place: LineColumn, why: impl Into<String>) -> Diagnostic {
    Diagnostic::new("", why).at(place)
}

/// Returns a warning at a place in a file. The caller adds the name of the section, if it is known.
pub(crate) fn warning(place: LineColumn, why: impl Into<String>) -> Diagnostic {
    Diagnostic::warning("", why).at(place)
}

/// Returns a note at a place.
pub(crate) fn note(place: LineColumn, why: impl Into<String>) -> Diagnostic {
    Diagnostic::note("", why).at(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use diagnostics::Severity;

    #[test]
    fn places_are_lines_and_columns_of_characters() {
        let (sections, findings) = sections("# é\n[a : chess]\r\n  kéy  =  välue x \n".as_bytes());
        assert_eq!(findings, []);
        let [section] = &sections[..] else { panic!() };
        assert_eq!(section.name.place, LineColumn { line: 2, column: 2 });
        let parent = section.parent.as_ref().unwrap();
        assert_eq!(
            (parent.text.as_str(), parent.place),
            ("chess", LineColumn { line: 2, column: 6 })
        );
        let entry = &section.entries[0];
        assert_eq!(
            (entry.key.text.as_str(), entry.key.place),
            ("kéy", LineColumn { line: 3, column: 3 })
        );
        assert_eq!(
            (entry.value.text.as_str(), entry.value.place),
            (
                "välue x",
                LineColumn {
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
        let lines: Vec<_> = findings
            .iter()
            .map(|f| f.position().unwrap().line)
            .collect();
        assert_eq!(lines, [1, 3, 4, 6, 7, 9, 10, 11, 12, 13]);
    }

    /// Checks that every line that is neither empty nor a comment is a heading or an entry, or has an error.
    #[test]
    fn no_line_is_left_out_without_an_error() {
        let pieces: [&[u8]; 14] = [
            b"[a:chess]",
            b"[b:a] # c",
            b"[b:a] k = 1",
            b"[c",
            b"k = 1",
            b"k",
            b" # c\xfc",
            b"; c\rk = 2",
            b"k = \xfc",
            b"[\xfc]",
            b"",
            b"k\r= 1",
            "\u{a0}# c\u{2028}k = 1".as_bytes(),
            b"[e:]",
        ];
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    let text = [first, second, third].join(&b'\n');
                    let (sections, findings) = sections(&text);
                    let has_error = findings.iter().any(|f| f.severity == Severity::Error);
                    let keys = text.split(|b| b"\r\n".contains(b)).filter(|line| {
                        !line.is_empty() && !line.starts_with(b"[") && !line.starts_with(b" #")
                    });
                    let last_of_each: usize = sections.iter().map(|s| s.entries.len()).sum();
                    let twice = findings.iter().filter(|f| f.why.contains("twice")).count();
                    assert!(
                        has_error || keys.count() == last_of_each + twice,
                        "{}: {sections:?} {findings:?}",
                        text.escape_ascii()
                    );
                }
            }
        }
    }

    #[test]
    fn comments_of_any_bytes_and_length_change_nothing() {
        let long = [&b"# "[..], &vec![b'x'; 2 * MAX_LINE]].concat();
        let text = [
            b"# f\xfcr\n[a:chess] ; f\n;\xff\0\n",
            &long[..],
            b"\nk = 1\n",
        ]
        .concat();
        let (sections, findings) = sections(&text);
        assert_eq!(sections[0].get("k").unwrap().key.place.line, 5);
        assert!(!sections[0].has_unreadable_line);
        let found: Vec<_> = findings.iter().map(|f| f.line().to_string()).collect();
        assert_eq!(
            found,
            ["1:1: warning: a comment that is not UTF-8; save the file as UTF-8"]
        );
    }

    #[test]
    fn errors_of_headings_belong_to_no_section() {
        for heading in [
            &b"[b"[..],
            b"[\xfcb]",
            b"[b\rk = 1]",
            b"[]",
            b"[b:]",
            b"[a]",
            b"[b c]",
            &[&b"[b] # "[..], &vec![b'x'; MAX_LINE]].concat(),
        ] {
            let text = [b"[a]\nj = 1\n", heading, b"\nk = 1\n"].concat();
            let (sections, findings) = sections(&text);
            assert_eq!(sections.len(), 1);
            assert_eq!(sections[0].entries.len(), 1, "{}", text.escape_ascii());
            assert_eq!(findings.len(), 1);
            assert_eq!(findings[0].position().unwrap().line, 3);
            assert_eq!(findings[0].what, "");
        }
    }

    #[test]
    fn sizes_are_limited() {
        let long = vec![b'x'; MAX_FILE + 1];
        assert!(sections(&long).0.is_empty());
        let many = "[a]\n".repeat(MAX_FINDINGS * 3);
        assert_eq!(sections(many.as_bytes()).1.len(), MAX_FINDINGS + 1);
        for (more, errors) in [(0, 0), (5, 1)] {
            let many: String = (0..MAX_SECTIONS + more)
                .map(|i| format!("[a{i}]\n"))
                .collect();
            let (sections, findings) = sections(many.as_bytes());
            assert_eq!((sections.len(), findings.len()), (MAX_SECTIONS, errors));
        }
        let keys: String = (0..MAX_ENTRIES + 5)
            .map(|i| format!("k{i} = 1\n"))
            .collect();
        let (sections, findings) = sections(format!("[a]\n{keys}").as_bytes());
        assert_eq!(
            (sections[0].entries.len(), findings.len()),
            (MAX_ENTRIES, 1)
        );
        assert!(sections[0].has_unreadable_line);
    }
}

//! Splits a file into sections, keys and values, as rule texts write them: a value continues on lines that
//! begin with a blank, and a comment follows ` #` outside of quotes.

use super::rules::is_text_key;

pub struct Section {
    pub name: String,
    pub parent: Option<String>,
    pub keys: Vec<Key>,
    /// Why a line cannot be read, if one cannot.
    pub fault: Option<String>,
}

pub struct Key {
    pub name: String,
    /// The value's lines without comments and outer blanks.
    pub lines: Vec<String>,
    pub number: usize,
}

impl Key {
    /// Returns the value as one line.
    pub fn value(&self) -> String {
        self.lines.join(" ").trim().to_string()
    }

    /// Returns the entries of a value with one entry a line. A line that begins with an operator belongs to
    /// the entry before it.
    pub fn entries(&self) -> Vec<String> {
        let mut entries: Vec<String> = Vec::new();
        for line in self.lines.iter().filter(|line| !line.is_empty()) {
            match entries.last_mut() {
                Some(last) if continues(line) => *last = format!("{last} {line}"),
                _ => entries.push(line.clone()),
            }
        }
        entries
    }
}

/// Returns whether a line belongs to the entry before it.
pub fn continues(line: &str) -> bool {
    let operators = ["&&", "||", "?", ":", "+"];
    operators.iter().any(|sign| line.starts_with(sign))
}

/// Returns the line without its comment.
fn uncommented(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, letter) in line.char_indices() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => {}
            None if letter == '\'' || letter == '"' => quote = Some(letter),
            None if letter == '#' && before.is_whitespace() => return &line[..at],
            None => {}
        }
        before = letter;
    }
    line
}

/// Returns the sections in their order. Of equal keys of a section, the last counts. A line that is neither a
/// comment, a heading, a key with a value nor the continuation of a value is a fault of its section.
///
/// # Errors
/// If a heading, or a line before the first heading, cannot be read.
pub fn sections(text: &str) -> Result<Vec<Section>, String> {
    let mut sections: Vec<Section> = Vec::new();
    let mut continues = false;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let blank = line.starts_with([' ', '\t']);
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') || trimmed.starts_with(';') {
            continue;
        }
        let last = sections
            .last_mut()
            .and_then(|section| section.keys.last_mut());
        if blank
            && continues
            && let Some(key) = last
        {
            key.lines.push(uncommented(line).trim().to_string());
            continue;
        }
        continues = false;
        if let Some(rest) = trimmed.strip_prefix('[') {
            let end = rest.find(']').ok_or(format!("line {number}: no ]"))?;
            let (name, parent) = match rest[..end].split_once(':') {
                Some((name, parent)) => (name, Some(parent.trim().to_string())),
                None => (&rest[..end], None),
            };
            let name = name.trim().to_string();
            sections.push(Section {
                name,
                parent,
                keys: Vec::new(),
                fault: None,
            });
            continue;
        }
        let section = sections.last_mut();
        let section = section.ok_or(format!("line {number}: a key before any section"))?;
        let Some((name, value)) = line.split_once('=') else {
            let why = format!("line {number}: neither a key nor a section");
            section.fault.get_or_insert(why);
            continue;
        };
        let name = name.trim().to_string();
        continues = is_text_key(&name);
        let value = if continues { uncommented(value) } else { value };
        section.keys.retain(|key| key.name != name);
        section.keys.push(Key {
            name,
            lines: vec![value.trim().to_string()],
            number,
        });
    }
    Ok(sections)
}

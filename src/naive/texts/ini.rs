//! Splits a file into sections, keys and values, as rule texts write them: a value continues on lines that
//! begin with a blank, and a comment follows ` #` outside of quotes.

pub struct Section {
    pub name: String,
    pub parent: Option<String>,
    pub keys: Vec<Key>,
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
            let operator = ["&&", "||", "?", ":", "+"];
            let continues = operator.iter().any(|sign| line.starts_with(sign));
            match entries.last_mut() {
                Some(last) if continues => *last = format!("{last} {line}"),
                _ => entries.push(line.clone()),
            }
        }
        entries
    }
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

/// Returns the sections in their order.
///
/// # Errors
/// If a line is neither a comment, a heading, a key with a value nor the continuation of a value.
pub fn sections(text: &str) -> Result<Vec<Section>, String> {
    let mut sections: Vec<Section> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let blank = line.starts_with([' ', '\t']);
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') || trimmed.starts_with(';') {
            continue;
        }
        let part = uncommented(line).trim().to_string();
        let last = sections
            .last_mut()
            .and_then(|section| section.keys.last_mut());
        if blank && let Some(key) = last {
            key.lines.push(part);
            continue;
        }
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
            });
            continue;
        }
        let (name, value) = part
            .split_once('=')
            .ok_or(format!("line {number}: neither a key nor a section"))?;
        let section = sections.last_mut();
        let section = section.ok_or(format!("line {number}: a key before any section"))?;
        section.keys.push(Key {
            name: name.trim().to_string(),
            lines: vec![value.trim().to_string()],
            number,
        });
    }
    Ok(sections)
}

//! Splits a file of definitions into sections, keys and values, with their line numbers.

/// A section: a heading `[name:parent]` and the keys below it.
pub struct Section {
    pub name: String,
    pub parent: Option<String>,
    pub keys: Vec<Key>,
}

/// A line `name = value`.
pub struct Key {
    pub name: String,
    pub value: String,
    pub line: usize,
}

/// Returns the sections in their order. Lines that start with `#` or `;` are comments.
///
/// # Errors
/// If a line is neither a comment, a heading nor a key with a value.
pub fn sections(text: &str) -> Result<Vec<Section>, String> {
    let mut sections: Vec<Section> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = index + 1;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line.starts_with(';') {
            continue;
        }
        if let Some(rest) = line.strip_prefix('[') {
            let head = rest
                .split(']')
                .next()
                .ok_or(format!("line {line_number}: no ]"))?;
            let (name, parent) = match head.split_once(':') {
                Some((name, parent)) => (name, Some(parent.trim().to_string())),
                None => (head, None),
            };
            sections.push(Section {
                name: name.trim().to_string(),
                parent,
                keys: Vec::new(),
            });
            continue;
        }
        let (name, value) = line
            .split_once('=')
            .ok_or(format!("line {line_number}: neither a key nor a section"))?;
        sections
            .last_mut()
            .ok_or(format!("line {line_number}: a key before any section"))?
            .keys
            .push(Key {
                name: name.trim().to_string(),
                value: value.trim().to_string(),
                line: line_number,
            });
    }
    Ok(sections)
}

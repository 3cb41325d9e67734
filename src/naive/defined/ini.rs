//! Splits a file of definitions into sections, keys and values, with their line numbers.

use crate::texts::is_text_key;

/// A section: a heading `[name:parent]` and the keys below it.
pub struct Section {
    pub name: String,
    pub parent: Option<String>,
    /// The keys, each once: the last value counts.
    pub keys: Vec<Key>,
    /// The first line that is neither a comment nor a key with a value.
    pub fault: Option<String>,
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
/// If a heading or a line before the first heading cannot be read, or a name occurs twice.
pub fn sections(text: &str) -> Result<Vec<Section>, String> {
    let mut sections: Vec<Section> = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut continues = false;
    for (index, line) in text.lines().enumerate() {
        let line_number = index + 1;
        let is_blank = line.starts_with([' ', '\t']);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line.starts_with(';') {
            continue;
        }
        // The values of rule texts, which are read elsewhere, may continue on such lines.
        if continues && is_blank {
            continue;
        }
        continues = false;
        if let Some(rest) = line.strip_prefix('[') {
            let (head, _) = rest
                .split_once(']')
                .ok_or(format!("line {line_number}: no ]"))?;
            let (name, parent) = match head.split_once(':') {
                Some((name, parent)) => (name, Some(parent.trim().to_string())),
                None => (head, None),
            };
            let name = name.trim().to_string();
            if sections.iter().any(|section| section.name == name) {
                return Err(format!("line {line_number}: [{name}] occurs twice"));
            }
            sections.push(Section {
                name,
                parent,
                keys: Vec::new(),
                fault: None,
            });
            continue;
        }
        let section = sections
            .last_mut()
            .ok_or(format!("line {line_number}: a key before any section"))?;
        let Some((name, value)) = line.split_once('=') else {
            let why = format!("line {line_number}: neither a key nor a section");
            section.fault.get_or_insert(why);
            continue;
        };
        let name = name.trim().to_string();
        continues = is_text_key(&name);
        section.keys.retain(|key| key.name != name);
        section.keys.push(Key {
            name,
            value: value.trim().to_string(),
            line: line_number,
        });
    }
    Ok(sections)
}

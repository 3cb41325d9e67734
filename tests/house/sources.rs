//! Source files as text: the code without comments, and the names that stand in it.

use std::fs;
use std::path::{Path, PathBuf};

/// A source file: its place below the folder that was read, as modules, and its code.
pub struct Source {
    /// Such as `prop`, `lanes` for `prop/lanes.rs`; a `mod.rs` is named after its folder.
    pub modules: Vec<String>,
    pub code: String,
}

/// Returns the place of something in the project, from its top.
pub fn place(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns the source files below a folder, by name.
pub fn sources(folder: &str) -> Vec<Source> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    let root = place(folder);
    let mut paths = Vec::new();
    walk(&root, &mut paths);
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let inner = path.strip_prefix(&root).expect("inside").with_extension("");
            let mut modules: Vec<String> = inner
                .iter()
                .map(|part| part.to_string_lossy().into_owned())
                .collect();
            if modules.last().is_some_and(|m| m == "mod") {
                modules.pop();
            }
            let code = code_of(&fs::read_to_string(&path).expect("text"));
            Source { modules, code }
        })
        .collect()
}

/// Returns the names of the rule sets: their files in `src/variants`.
pub fn rule_sets() -> Vec<String> {
    sources("src/variants")
        .into_iter()
        .filter(|source| source.modules.len() == 1)
        .map(|source| source.modules[0].clone())
        .filter(|name| !["lib", "parts"].contains(&name.as_str()))
        .collect()
}

/// Returns the code without comments, and without blanks between the parts of a path.
pub fn code_of(text: &str) -> String {
    let code: Vec<&str> = text
        .lines()
        .map(|line| match line.find("//") {
            // An address in a string is no comment.
            Some(at) if !line[..at].ends_with(':') => &line[..at],
            _ => line,
        })
        .flat_map(str::split_whitespace)
        .collect();
    let mut code = code.join(" ");
    for (loose, tight) in [
        (":: ", "::"),
        (" ::", "::"),
        ("{ ", "{"),
        (", ", ","),
        (" }", "}"),
    ] {
        code = code.replace(loose, tight);
    }
    code
}

/// Returns whether a character can be part of a name.
fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn name_at(code: &str) -> &str {
    &code[..code.find(|c| !is_name(c)).unwrap_or(code.len())]
}

/// Returns the names that follow a prefix such as `crate::`, also those of a group in braces.
pub fn names_after<'a>(code: &'a str, prefix: &str) -> Vec<&'a str> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at].ends_with(is_name) || code[..at].ends_with("::") {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            names.push(name_at(rest));
            continue;
        };
        let mut depth = 0;
        let mut start = true;
        for (i, c) in group.char_indices() {
            if start && depth == 0 {
                names.push(name_at(&group[i..]));
            }
            start = c == ',';
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                _ => {}
            }
        }
    }
    names
}

/// Returns the first of these that stands in the code and does not go on a longer name.
pub fn names_any<'a>(code: &str, names: &[&'a str]) -> Option<&'a str> {
    names.iter().copied().find(|name| {
        code.match_indices(name)
            .any(|(at, _)| !code[..at].ends_with(is_name))
    })
}

//! Files and texts of definitions, and the errors for variants in them that cannot be opened.

use definition::{Book, Read};
use diagnostics::{Diagnostic, Severity};
use interpreter::Refusal;
use std::path::{Path, PathBuf};

/// A file or text of definitions.
#[derive(Debug)]
pub struct Source {
    /// The name in messages. For a file, this is the path as the user wrote it.
    pub name: String,
    /// The path of a file, or `None` for a text.
    pub path: Option<PathBuf>,
    /// The content.
    pub book: Book,
}

impl Source {
    /// Returns whether a path leads to this file.
    pub fn is_file(&self, path: &Path) -> bool {
        (self.path.as_ref()).is_some_and(|own| is_same_file(own, path))
    }
}

/// Returns whether two paths lead to the same file.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let full = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    one == other || full(one) == full(other)
}

/// Returns the error for a finding outside the sections of a file or text.
pub fn error_outside_sections(source: &Source, finding: &Diagnostic) -> Diagnostic {
    error(Some(source), None, finding)
}

/// Returns the error for a section that cannot be played: the interpreter's refusal or, if there is none, the
/// first error of the section. `source` is `None` for the library.
pub fn error_of_section(
    source: Option<&Source>,
    read: &Read,
    refusal: Option<&Refusal>,
) -> Diagnostic {
    let name = &read.section.name;
    if let Some(Refusal { key, why }) = refusal {
        let entry = read.section.get(key);
        let place = entry.map_or(name.place, |entry| entry.key.place);
        let why = format!("`{key}` is known but not supported: {why}");
        let finding = Diagnostic::new(&name.text, why).at(place);
        return error(source, Some(&name.text), &finding);
    }
    let findings = source.map_or(&[][..], |source| &source.book.findings[..]);
    let mut errors = findings.iter().filter(|f| f.severity == Severity::Error);
    let first = errors.find(|f| f.what == name.text);
    let unknown = Diagnostic::new(&name.text, "the section cannot be read").at(name.place);
    error(source, Some(&name.text), first.unwrap_or(&unknown))
}

/// Returns the error for a clause of a section.
pub fn error_of_clause(source: Option<&Source>, read: &Read, clause: Diagnostic) -> Diagnostic {
    let excerpt = clause.excerpt.clone();
    let mut error = error(source, Some(&read.section.name.text), &clause);
    error.excerpt = excerpt;
    error
}

fn error(source: Option<&Source>, section: Option<&str>, finding: &Diagnostic) -> Diagnostic {
    let what = match source {
        Some(source) => source.name.clone(),
        None => format!("variant `{}`", section.unwrap_or_default()),
    };
    let check = source.and_then(|source| source.path.as_ref()).map(|path| {
        let path = path.display();
        format!("`fairyproof rules check {path}` lists all errors")
    });
    let section = section.map_or(String::new(), |name| format!("[{name}] "));
    let mut error = Diagnostic::new(what, format!("{section}{}", finding.why));
    error.place.clone_from(&finding.place);
    error.help = finding.help.clone().or(check);
    error
}

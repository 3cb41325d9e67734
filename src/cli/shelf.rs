//! Variants from files: those of `--rules`, of FAIRYPROOF_RULES, and the library that the program
//! carries, for whoever asks the registry for a name that is no compiled rule set.

use super::answer::say;
use control::files::read_limited;
use definition::{Book, Compiled, Lent};
use diagnostics::{Diagnostic, InputError, Severity};
use rules::{RuleSet, Variant};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

/// The variable that holds files of definitions, as PATH holds folders.
pub const VARIABLE: &str = "FAIRYPROOF_RULES";

/// The compiled rule sets, as definitions may name them.
pub struct Sets;

impl Compiled for Sets {
    fn has(&self, name: &str) -> bool {
        variants::find(name).is_some()
    }

    fn lent(&self, name: &str) -> Option<Lent> {
        let start_fen = Variant::from(variants::find(name)?).start();
        let board = notation::fen::shape(&start_fen).ok()?;
        Some(Lent { board, start_fen })
    }
}

/// A file of definitions.
pub struct File {
    /// The path as the user wrote it.
    pub path: PathBuf,
    /// What it contains.
    pub book: Book,
}

/// Returns whether two paths lead to the same file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let full = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    one == other || full(one) == full(other)
}

/// Reads a file. Sections of `earlier` files can be parents of its own. A name that an earlier file has is an
/// error of the file.
///
/// # Errors
/// If the file cannot be read or is too long. What is wrong inside is among the book's findings.
pub fn read(path: &Path, earlier: &[File]) -> Result<File, InputError> {
    let bytes = read_limited(path, definition::MAX_FILE as u64)?;
    let sections = |file: &File| -> Vec<definition::Section> {
        let sections = file.book.sections.iter();
        sections.map(|read| read.section.clone()).collect()
    };
    let sections: Vec<Vec<definition::Section>> = earlier.iter().map(sections).collect();
    let mut book = definition::read_after(&bytes, &sections, &Sets);
    let names = book.sections.iter().map(|read| read.section.name.clone());
    for name in names.collect::<Vec<_>>() {
        let has = |sections: &Vec<definition::Section>| {
            sections
                .iter()
                .any(|section| section.name.text == name.text)
        };
        if let Some(index) = sections.iter().position(has) {
            let other = earlier[index].path.display();
            let why = format!("`{}` is defined in {other} too", name.text);
            book.refuse_file(name.place, why);
        }
    }
    Ok(File {
        path: path.to_owned(),
        book,
    })
}

/// Looks for clauses that are not played, in sections with other errors too, has every definition of a
/// book compiled, and takes those back that cannot be played.
pub fn refuse_unsupported(book: &mut Book) {
    let meant: Vec<definition::Definition> = (book.sections.iter())
        .filter_map(|read| read.meant.clone())
        .collect();
    for definition in &meant {
        for refusal in definition.refusals() {
            book.refuse(&definition.name, refusal.key, &refusal.why);
        }
    }
    let definitions: Vec<definition::Definition> = book.definitions().cloned().collect();
    for definition in definitions {
        let name = definition.name.clone();
        match interpreter::open(definition) {
            Err(refusal) => book.refuse(&name, refusal.key, &refusal.why),
            // Every use begins by setting up a position.
            Ok(variant) => {
                if let Err(error) = notation::Setup::read(&variant, None) {
                    book.refuse_start(&name, &error.why);
                }
            }
        }
    }
}

/// The files in use and the library.
struct Shelf {
    files: Vec<File>,
    library: OnceLock<Book>,
    /// Variants opened so far.
    open: Mutex<BTreeMap<String, RuleSet>>,
}

/// Loads the files of `--rules` and of FAIRYPROOF_RULES, in this order, and registers their variants and
/// the library's. A file with an error outside its sections is left out if it is the file that
/// `rules check` reports on (`checked`).
///
/// # Errors
/// If a file cannot be read or has an error outside its sections.
pub fn install(rules: &[PathBuf], checked: Option<&Path>) -> Result<(), InputError> {
    let variable = std::env::var_os(VARIABLE).unwrap_or_default();
    let further = std::env::split_paths(&variable).filter(|path| !path.as_os_str().is_empty());
    let mut files: Vec<File> = Vec::new();
    for path in rules.iter().cloned().chain(further) {
        if files.iter().any(|file| is_same_file(&file.path, &path)) {
            continue;
        }
        let file = read(&path, &files)?;
        match file.book.error_outside_sections() {
            None => files.push(file),
            Some(_) if checked.is_some_and(|checked| is_same_file(checked, &path)) => {}
            Some(finding) => return Err(finding_error(Some(&path), None, finding)),
        }
    }
    let shelf = SHELF.get_or_init(|| Shelf {
        files,
        library: OnceLock::new(),
        open: Mutex::default(),
    });
    variants::register(Box::new(Names(shelf)));
    Ok(())
}

/// Returns the files in use that are read before this one; all of them if it is not in use itself.
pub fn files_beside(path: &Path) -> &'static [File] {
    let files = SHELF.get().map_or(&[][..], |shelf| &shelf.files);
    let before = files.iter().position(|file| is_same_file(&file.path, path));
    &files[..before.unwrap_or(files.len())]
}

static SHELF: OnceLock<Shelf> = OnceLock::new();

/// Returns the definition of this name, if a file or the library has it without errors.
pub fn definition(name: &str) -> Option<&'static definition::Definition> {
    let (read, _) = SHELF.get()?.find(name)?;
    read.definition.as_ref()
}

/// Returns all definitions without errors, those of files first; each name once.
pub fn definitions() -> Vec<&'static definition::Definition> {
    let Some(shelf) = SHELF.get() else {
        return Vec::new();
    };
    let names = shelf.names();
    names.iter().filter_map(|name| definition(name)).collect()
}

impl Shelf {
    fn library(&self) -> &Book {
        self.library.get_or_init(|| {
            let mut library = definition::library();
            for read in &mut library.sections {
                let name = definition::known_as(&read.section.name.text, &Sets);
                if let Some(definition) = &mut read.definition {
                    definition.name.clone_from(&name);
                }
                read.section.name.text = name;
            }
            library
        })
    }

    /// Returns the definition of a name, with the file it is from, unless it is the library's.
    fn find(&self, name: &str) -> Option<(&definition::Read, Option<&File>)> {
        let named = |read: &&definition::Read| read.section.name.text == name;
        let in_files = self.files.iter().find_map(|file| {
            let read = file.book.sections.iter().find(named)?;
            Some((read, Some(file)))
        });
        in_files.or_else(|| {
            let read = self.library().sections.iter().find(named)?;
            Some((read, None))
        })
    }
}

/// The shelf as the registry asks it.
struct Names(&'static Shelf);

impl variants::More for Names {
    fn ids(&self) -> Vec<String> {
        self.0.names()
    }

    fn find(&self, id: &str) -> Option<Result<RuleSet, InputError>> {
        self.0.open(id)
    }
}

impl Shelf {
    /// Returns every name, each once.
    fn names(&self) -> Vec<String> {
        let own = self.files.iter().flat_map(|file| &file.book.sections);
        let mut names: Vec<String> = Vec::new();
        for read in own.chain(&self.library().sections) {
            if !names.contains(&read.section.name.text) {
                names.push(read.section.name.text.clone());
            }
        }
        names
    }

    /// Returns the rule set of this name; nothing if there is none.
    fn open(&self, name: &str) -> Option<Result<RuleSet, InputError>> {
        let mut open = self.open.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(rule_set) = open.get(name) {
            return Some(Ok(rule_set.clone()));
        }
        let (read, file) = self.find(name)?;
        let rule_set = rule_set(read, file);
        if let Ok(rule_set) = &rule_set {
            open.insert(name.to_owned(), rule_set.clone());
        }
        Some(rule_set)
    }
}

/// Returns an error for a finding in a section, if one is given, of a file, or of the library.
fn finding_error(file: Option<&Path>, section: Option<&str>, finding: &Diagnostic) -> InputError {
    let name = section.unwrap_or_default();
    let (what, check) = match file.map(Path::display) {
        Some(file) => {
            let check = format!("`fairyproof rules check {file}` lists all errors");
            (file.to_string(), Some(check))
        }
        None => (format!("variant `{name}`"), None),
    };
    let section = section.map_or(String::new(), |name| format!("[{name}] "));
    let mut error = InputError::new(what, format!("{section}{}", finding.why));
    error.place.clone_from(&finding.place);
    error.help = finding.help.clone().or(check);
    error
}

/// Opens a section's rule set. Prints the section's warnings.
///
/// # Errors
/// If the section has an error, or a key that is not supported.
fn rule_set(read: &definition::Read, file: Option<&File>) -> Result<RuleSet, InputError> {
    let name = &read.section.name;
    let findings = file.map_or(&[][..], |file| &file.book.findings[..]);
    let of_section = |f: &&Diagnostic| f.what == name.text;
    let path = file.map(|file| file.path.as_path());
    let Some(definition) = read.definition.clone() else {
        let mut errors = findings.iter().filter(|f| f.severity == Severity::Error);
        let unknown = Diagnostic::new(&name.text, "the section cannot be read").at(name.place);
        let first = errors.find(of_section).unwrap_or(&unknown);
        return Err(finding_error(path, Some(&name.text), first));
    };
    if let Some(path) = path {
        for finding in findings.iter().filter(of_section) {
            say(&format!("{}:{}", path.display(), finding.line()));
        }
    }
    match interpreter::open(definition) {
        Ok(variant) => Ok(variant.rule_set),
        Err(refusal) => {
            let entry = read.section.get(refusal.key);
            let place = entry.map_or(name.place, |entry| entry.key.place);
            let why = format!(
                "`{}` is known but not supported: {}",
                refusal.key, refusal.why
            );
            let finding = Diagnostic::new(&name.text, why).at(place);
            Err(finding_error(path, Some(&name.text), &finding))
        }
    }
}

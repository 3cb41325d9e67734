//! Variants from files: those of `--rules`, of FAIRYPROOF_RULES, and the library that the program
//! carries, for whoever asks the registry for a name that is no compiled rule set.

use super::answer::say;
use control::files::read_limited;
use definition::{Book, Compiled, Finding, Lent, Place, Severity};
use diagnostics::InputError;
use rules::VariantInfo;
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
        let start_fen = variants::find(name)?.start();
        let board = notation::fen::shape(&start_fen).ok()?;
        Some(Lent { board, start_fen })
    }
}

/// A file of definitions.
pub struct File {
    /// Where it stands.
    pub path: PathBuf,
    /// What it says.
    pub book: Book,
}

/// Reads a file behind others, whose sections may be parents of its own.
///
/// # Errors
/// A file that cannot be read. What is wrong inside is among the book's findings.
pub fn read(path: &Path, earlier: &[File]) -> Result<File, InputError> {
    let bytes = read_limited(path, definition::MAX_FILE as u64)?;
    let earlier = earlier.iter().flat_map(|file| &file.book.sections);
    let sections: Vec<definition::Section> = earlier.map(|read| read.section.clone()).collect();
    Ok(File {
        path: path.to_owned(),
        book: definition::read_after(&bytes, &sections, &Sets),
    })
}

/// Looks for clauses that are not played, in sections with other errors too, has every definition of a
/// book compiled, and takes those back that cannot be played.
pub fn refuse_unsupported(book: &mut Book) {
    let meant: Vec<definition::Definition> = (book.sections.iter())
        .filter_map(|read| read.meant.clone())
        .collect();
    for definition in &meant {
        for refusal in interpreter::refusals(definition) {
            book.refuse(&definition.name, refusal.key, &refusal.why);
        }
    }
    let definitions: Vec<definition::Definition> = book.definitions().cloned().collect();
    for definition in definitions {
        let name = definition.name.clone();
        if let Err(refusal) = interpreter::open(definition) {
            book.refuse(&name, refusal.key, &refusal.why);
        }
    }
}

/// The files in use and the library.
struct Shelf {
    files: Vec<File>,
    library: OnceLock<Book>,
    /// Variants opened so far.
    open: Mutex<BTreeMap<String, &'static VariantInfo>>,
}

/// Loads the files of `--rules` and of FAIRYPROOF_RULES, in this order, and registers their variants and
/// the library's. A file with an error outside its sections is left out if it is the file that
/// `rules check` reports on (`checked`).
///
/// # Errors
/// If a file cannot be read or has an error outside its sections, or if a name is defined in two files or
/// is the name of a compiled rule set.
pub fn install(rules: &[PathBuf], checked: Option<&Path>) -> Result<(), InputError> {
    let variable = std::env::var_os(VARIABLE).unwrap_or_default();
    let further = std::env::split_paths(&variable).filter(|path| !path.as_os_str().is_empty());
    let mut files: Vec<File> = Vec::new();
    for path in rules.iter().cloned().chain(further) {
        if files.iter().any(|file| file.path == path) {
            continue;
        }
        let file = read(&path, &files)?;
        if let Some(finding) = file.book.error_outside_sections() {
            if checked == Some(path.as_path()) {
                continue;
            }
            let Place { line, column } = finding.place;
            let mut error = InputError::new(path.display().to_string(), finding.why.clone())
                .at(format!("line {line}, column {column}"));
            let check = format!(
                "`fairyproof rules check {}` lists all errors",
                path.display()
            );
            error.help = finding.help.clone().or(Some(check));
            return Err(error);
        }
        for read in &file.book.sections {
            let name = &read.section.name;
            let place = format!("line {}", name.place.line);
            let wrong =
                |why: String| InputError::new(path.display().to_string(), why).at(place.clone());
            if variants::find(&name.text).is_some() {
                let why = format!("`{}` is the name of a compiled rule set", name.text);
                return Err(wrong(why).help("choose another name"));
            }
            let has = |other: &&File| {
                other
                    .book
                    .sections
                    .iter()
                    .any(|s| s.section.name.text == name.text)
            };
            if let Some(other) = files.iter().find(has) {
                let why = format!("`{}` is defined in {} too", name.text, other.path.display());
                return Err(wrong(why));
            }
        }
        files.push(file);
    }
    let shelf = SHELF.get_or_init(|| Shelf {
        files,
        library: OnceLock::new(),
        open: Mutex::default(),
    });
    variants::register(Box::new(Names(shelf)));
    Ok(())
}

/// The files in use, apart from this one.
pub fn files_beside(path: &Path) -> &'static [File] {
    let files = SHELF.get().map_or(&[][..], |shelf| &shelf.files);
    let before = files.iter().position(|file| file.path == path);
    &files[..before.unwrap_or(files.len())]
}

static SHELF: OnceLock<Shelf> = OnceLock::new();

/// The definition of this name, if a file or the library has it without errors.
pub fn definition(name: &str) -> Option<&'static definition::Definition> {
    let (read, _) = SHELF.get()?.find(name)?;
    read.definition.as_ref()
}

/// All definitions without errors, those of files first; each name once.
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

    /// The definition of a name, with the file it is from, unless it is the library's.
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

    fn find(&self, id: &str) -> Option<Result<&'static VariantInfo, InputError>> {
        self.0.open(id)
    }
}

impl Shelf {
    /// Every name, each once.
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

    /// The rule set of this name; nothing if there is none.
    fn open(&self, name: &str) -> Option<Result<&'static VariantInfo, InputError>> {
        let mut open = self.open.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(card) = open.get(name) {
            return Some(Ok(card));
        }
        let (read, file) = self.find(name)?;
        let card = card(read, file);
        if let Ok(card) = &card {
            open.insert(name.to_owned(), *card);
        }
        Some(card)
    }
}

/// The card of a section; its warnings are said.
fn card(read: &definition::Read, file: Option<&File>) -> Result<&'static VariantInfo, InputError> {
    let name = &read.section.name;
    let of_section = |f: &&Finding| f.section.as_ref() == Some(&name.text);
    let what = match file {
        Some(file) => file.path.display().to_string(),
        None => format!("variant `{}`", name.text),
    };
    let Some(definition) = read.definition.clone() else {
        let findings = file.map(|f| f.book.findings.as_slice()).unwrap_or_default();
        let error = |f: &&Finding| f.severity == Severity::Error;
        let first = findings.iter().filter(of_section).find(error);
        let (place, why, help) = match first {
            Some(f) => (
                f.place,
                format!("[{}] {}", name.text, f.why),
                f.help.clone(),
            ),
            None => (name.place, format!("[{}] cannot be read", name.text), None),
        };
        let mut error = InputError::new(what.clone(), why)
            .at(format!("line {}, column {}", place.line, place.column));
        error.help =
            Some(help.unwrap_or_else(|| {
                format!("`fairyproof rules check {what}` tells all that is wrong")
            }));
        return Err(error);
    };
    if let Some(file) = file {
        for finding in file.book.findings.iter().filter(of_section) {
            say(&format!("{}:{finding}", file.path.display()));
        }
    }
    match interpreter::open(definition) {
        Ok(variant) => Ok(variant.card),
        Err(refusal) => {
            let place = read
                .section
                .get(refusal.key)
                .map_or(name.place, |e| e.key.place);
            let why = format!(
                "[{}] `{}` is known but not supported: {}",
                name.text, refusal.key, refusal.why
            );
            Err(InputError::new(what, why)
                .at(format!("line {}, column {}", place.line, place.column)))
        }
    }
}

//! Variants by name: those of files and those of the library of known ones, opened when asked for.

use crate::open;
use board::Geometry;
use input::InputError;
use own::{Book, Compiled, Definition, Finding, Severity};
use rules::Card;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Definitions of files and of the library.
pub struct Shelf {
    /// Each file's name and sections; the library last.
    books: Vec<(String, Book)>,
    /// What has been opened: a definition is kept in memory once.
    opened: Mutex<BTreeMap<String, &'static Card>>,
}

fn first_error(file: &str, findings: &[Finding]) -> Option<InputError> {
    let finding = findings.iter().find(|f| f.severity == Severity::Error)?;
    let place = finding.place;
    let error = InputError::new(format!("rules file {file}"), finding.why.clone())
        .at(format!("line {}, column {}", place.line, place.column));
    Some(match &finding.help {
        Some(help) => error.help(help.clone()),
        None => error,
    })
}

impl Shelf {
    /// The definitions of these files, by name and content, and of the library.
    ///
    /// # Errors
    /// The first thing wrong in a file, or a name that stands in two of them.
    pub fn new(files: &[(String, Vec<u8>)], compiled: &dyn Compiled) -> Result<Shelf, InputError> {
        let mut books: Vec<(String, Book)> = Vec::new();
        for (name, bytes) in files {
            let book = own::read(bytes, compiled);
            if let Some(error) = first_error(name, &book.findings) {
                return Err(error.help(format!("`fairyproof rules check {name}` tells everything")));
            }
            for definition in book.definitions() {
                let id = &definition.name;
                if let Some((other, _)) = books
                    .iter()
                    .find(|(_, book)| book.definitions().any(|d| d.name == *id))
                {
                    return Err(InputError::new(
                        format!("rules file {name}"),
                        format!("`{id}` stands in {other}, too"),
                    )
                    .help("rename one of them"));
                }
            }
            books.push((name.clone(), book));
        }
        books.push(("the library".to_string(), own::library()));
        Ok(Shelf {
            books,
            opened: Mutex::default(),
        })
    }

    /// The definitions, those of files first; a file's takes the place of the library's of its name.
    pub fn definitions(&self) -> impl Iterator<Item = (&str, &Definition)> {
        self.books.iter().enumerate().flat_map(move |(at, (file, book))| {
            book.definitions()
                .filter(move |d| {
                    !self.books[..at]
                        .iter()
                        .any(|(_, before)| before.definitions().any(|b| b.name == d.name))
                })
                .map(move |d| (file.as_str(), d))
        })
    }

    /// The definition of this name.
    pub fn find(&self, name: &str) -> Option<&Definition> {
        self.definitions()
            .map(|(_, definition)| definition)
            .find(|definition| definition.name == name)
    }

    /// The rule set of this name; nothing if there is none.
    ///
    /// # Errors
    /// A clause that is not played, by its key.
    pub fn open(&self, name: &str) -> Option<Result<&'static Card, InputError>> {
        let definition = self.find(name)?;
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&card) = opened.get(name) {
            return Some(Ok(card));
        }
        Some(match open(definition.clone()) {
            Ok(variant) => {
                opened.insert(name.to_string(), variant.card);
                Ok(variant.card)
            }
            Err(refusal) => Err(InputError::new(
                format!("variant `{name}`"),
                format!("its key `{}`: {}", refusal.key, refusal.why),
            )
            .help("a rule that is not played is refused, never left out")),
        })
    }
}

/// What a compiled rule set lends to definitions: its board and start position.
pub fn lent(card: &Card, board: Geometry) -> own::Lent {
    own::Lent {
        board,
        start_fen: card.start(),
    }
}

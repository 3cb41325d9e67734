//! The catalog of rule sets by name: compiled rule sets, the built-in library of definitions, and files and
//! texts of definitions that the caller adds.
//!
//! A [`Catalog`] is a plain value; this crate has no global list of added definitions. Dropping the last
//! catalog with a file or text frees its definitions, except for those of variants that are still in use.

mod entry;
mod foreign;
mod source;
#[cfg(test)]
mod tests;

pub use entry::Entry;
pub use foreign::written_name;
pub use source::is_same_file;

pub use clauses::concern_whole_turns;

use board::Geometry;
use definition::{Book, Compiled, Definition, Layer, Lent, Read, Section};
use diagnostics::{Diagnostic, Severity, nearest};
use position::{Layout, Position};
use rules::{AnyGame, Game, Options, RuleSet, Variant, reason, with_game};
use source::{Source, error_of_clause, error_of_section, error_outside_sections};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A function that receives the warnings of sections.
type WarningObserver = Arc<dyn Fn(&str) + Send + Sync>;

/// A list of rule sets by name.
///
/// If several rule sets have the same name, a compiled rule set takes precedence, then the files and texts in
/// the order in which they were added, then the library.
#[derive(Default)]
pub struct Catalog {
    sources: Vec<Arc<Source>>,
    /// The built-in definitions, read at the first lookup that needs them.
    library: OnceLock<Book>,
    /// The built-in rule texts and conditions, read at the first lookup that needs them.
    texts: OnceLock<Book>,
    /// The definitions that have been opened, so that each definition is compiled only once.
    opened: Mutex<BTreeMap<String, RuleSet>>,
    observer: Option<WarningObserver>,
    /// The ID of a rule set, and the rules that are opened by it instead of its own, with the text that decides them.
    replaced: Option<(String, RuleSet, String)>,
    /// The rule texts that are being opened, each by an expression of the one before.
    opening: Vec<String>,
    /// Whether clauses are evaluated even where their values can be looked up.
    evaluates_all: bool,
}

impl Catalog {
    /// Returns a catalog of the compiled rule sets and the library.
    pub fn new() -> Catalog {
        Catalog::default()
    }

    /// Evaluates clauses even where their values can be looked up, so that tests can compare both.
    #[must_use]
    pub fn evaluating_all(mut self) -> Catalog {
        self.evaluates_all = true;
        self
    }

    /// Returns a new catalog with the same files, texts and observer. More files and texts can be added to
    /// it.
    #[must_use]
    pub fn extended(&self) -> Catalog {
        Catalog {
            sources: self.sources.clone(),
            observer: self.observer.clone(),
            replaced: self.replaced.clone(),
            opening: self.opening.clone(),
            evaluates_all: self.evaluates_all,
            ..Catalog::default()
        }
    }

    /// Returns the rule text of a rule set as it is written, or `None` if it has no text or there is no rule set of
    /// this name. A compiled rule set is written by the section of its text.
    pub fn written(&self, id: &str) -> Option<Written> {
        let mut names = id.split('+');
        let base = names.next()?;
        let name = match variants::find(base) {
            Some(_) => format!("{base}{}", definition::TEXT),
            None => base.to_owned(),
        };
        let (read, _) = self.find(&name)?;
        read.definition.as_ref()?;
        let mut conditions = Vec::new();
        for name in names {
            let (read, _) = self.find(name)?;
            read.condition.as_ref()?;
            conditions.push(read.section.clone());
        }
        Some(Written {
            section: read.section.clone(),
            conditions,
        })
    }

    /// Returns a new catalog with the same files and texts that opens a rule set by another text, with its options.
    ///
    /// # Errors
    /// If the text has an error, or its start position cannot be set up.
    pub fn with_text(&self, id: &str, text: &Written) -> Result<Catalog, Diagnostic> {
        let mut book = self::read(text.renamed(self).as_bytes(), &self.sources);
        let mut sections = book.sections.drain(..);
        let own = sections.next().and_then(|read| read.definition);
        let conditions: Option<Vec<Layer>> = sections.map(|read| read.condition).collect();
        let (Some(mut definition), Some(conditions)) = (own, conditions) else {
            let mut findings = book.findings.into_iter();
            let error = findings.find(|finding| finding.severity == Severity::Error);
            return Err(error.unwrap_or_else(|| Diagnostic::new(id, "it cannot be played")));
        };
        definition.layers.extend(conditions);
        definition.name = id.to_owned();
        let rules_text = definition.rules_text();
        let opened = self.open_definition(definition)?;
        notation::Setup::read(&opened, None)?;
        Ok(Catalog {
            replaced: Some((id.to_owned(), opened.rule_set, rules_text)),
            observer: None,
            ..self.extended()
        })
    }

    /// Sets the observer, which receives the warnings of a section when its variant is first opened.
    #[must_use]
    pub fn on_warning(mut self, observer: impl Fn(&str) + Send + Sync + 'static) -> Catalog {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Adds the definitions of a file in the format of `variants.ini`. Its sections can have sections of
    /// earlier files and texts as parents. A file that has been added before is not read again.
    ///
    /// Errors within a section are reported only when its variant is opened.
    ///
    /// # Errors
    /// If the file cannot be read, is longer than [`definition::MAX_FILE`], has an error outside its
    /// sections, or defines a name that an earlier file or text defines.
    pub fn add_file(&mut self, path: &Path) -> Result<(), Diagnostic> {
        if self.sources.iter().any(|source| source.is_file(path)) {
            return Ok(());
        }
        self.add(Source {
            name: path.display().to_string(),
            path: Some(path.to_owned()),
            book: self.read_file(path, &self.sources)?,
        })
    }

    /// Like [`add_file`](Self::add_file), but adds the definitions of a text. Messages call the text `name`.
    ///
    /// # Errors
    /// If the text has an error outside its sections, or defines a name that an earlier file or text defines.
    pub fn add_text(&mut self, name: &str, text: &str) -> Result<(), Diagnostic> {
        self.add(Source {
            name: name.to_owned(),
            path: None,
            book: read(text.as_bytes(), &self.sources),
        })
    }

    fn add(&mut self, source: Source) -> Result<(), Diagnostic> {
        if let Some(finding) = source.book.error_outside_sections() {
            return Err(error_outside_sections(&source, finding));
        }
        self.sources.push(Arc::new(source));
        // A name may now belong to another definition.
        let opened = self.opened.get_mut();
        opened.unwrap_or_else(PoisonError::into_inner).clear();
        Ok(())
    }

    /// Reads a file as [`add_file`](Self::add_file) would, and compiles each of its definitions without
    /// adding them. Errors in the content are among the findings of the returned book. The book does not
    /// contain definitions that cannot be played. Also returns a catalog that has all sections of the file, with which
    /// its rules can be opened: sections may ask one another by `under`.
    ///
    /// If the catalog contains the file, only the files and texts added before it count as earlier.
    ///
    /// # Errors
    /// If the file cannot be read, or is longer than [`definition::MAX_FILE`].
    pub fn check_file(&self, path: &Path) -> Result<(Book, Catalog), Diagnostic> {
        let before = self.sources.iter().position(|source| source.is_file(path));
        let earlier = &self.sources[..before.unwrap_or(self.sources.len())];
        let book = self.read_file(path, earlier)?;
        Ok(self.checked(book, &path.display().to_string(), earlier))
    }

    /// Like [`check_file`](Self::check_file), but checks a text.
    pub fn check_text(&self, text: &str) -> Book {
        let book = read(text.as_bytes(), &self.sources);
        self.checked(book, "the text", &self.sources).0
    }

    /// Returns a book without the definitions that cannot be played, and a catalog with the sections of the book.
    fn checked(&self, mut book: Book, name: &str, earlier: &[Arc<Source>]) -> (Book, Catalog) {
        let own = Source {
            name: name.to_owned(),
            path: None,
            book: book.clone(),
        };
        let mut catalog = self.extended();
        catalog.observer = None;
        catalog.sources = earlier.to_vec();
        catalog.sources.push(Arc::new(own));
        catalog.refuse_unsupported(&mut book);
        (book, catalog)
    }

    fn read_file(&self, path: &Path, earlier: &[Arc<Source>]) -> Result<Book, Diagnostic> {
        let bytes = control::files::read_limited(path, definition::MAX_FILE as u64)?;
        Ok(read(&bytes, earlier))
    }

    /// Opens the rule set that a text names: `id` or `id:option,option=value`.
    ///
    /// # Errors
    /// If no rule set has this name, its definition has an error or a key that is not supported, or an option
    /// is not valid or has a value that a clause cannot take.
    pub fn open(&self, text: &str) -> Result<Variant, Diagnostic> {
        let (id, options) = match text.split_once(':') {
            Some((id, options)) => (id, Some(options)),
            None => (text, None),
        };
        let variant = Variant::new(self.rule_set(id, text)?, options)?;
        if let (RuleSet::Defined(_), Some(_)) = (&variant.rule_set, options) {
            variant.on(notation::fen::shape(&variant.start())?)?;
        }
        Ok(variant)
    }

    /// Opens a rule set on a board of this shape.
    ///
    /// # Errors
    /// As for [`Catalog::open`], and if the rule set cannot be played on such a board.
    pub fn open_on(&self, text: &str, geometry: Geometry) -> Result<AnyGame, Diagnostic> {
        self.open(text)?.on(geometry)
    }

    fn rule_set(&self, id: &str, text: &str) -> Result<RuleSet, Diagnostic> {
        if let Some((replaced, rule_set, _)) = &self.replaced
            && replaced == id
        {
            return Ok(rule_set.clone());
        }
        if let Some(info) = variants::find(id) {
            return Ok(info.into());
        }
        if let Some(rule_set) = self.opened().get(id) {
            return Ok(rule_set.clone());
        }
        if self.opening.iter().any(|opening| opening == id) {
            let circle = self.opening.join("`, `");
            let why = format!("its rules ask `{id}`, whose rules ask them again: `{circle}`");
            return Err(Diagnostic::new(format!("variant `{text}`"), why));
        }
        let rule_set = match (self.find(id), id.split_once('+')) {
            (Some((read, source)), _) => self.compile(read, source)?,
            (None, Some(_)) => self.open_definition(self.combined(id)?)?.rule_set,
            (None, None) => return Err(self.unknown(id, text)),
        };
        self.opened().insert(id.to_owned(), rule_set.clone());
        Ok(rule_set)
    }

    fn opened(&self) -> MutexGuard<'_, BTreeMap<String, RuleSet>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Compiles a definition, with its clauses if it has any.
    ///
    /// # Errors
    /// If a key of the definition is not supported, or a clause has an error.
    pub fn open_definition(&self, definition: Definition) -> Result<Variant, Diagnostic> {
        if definition.layers.is_empty() {
            return interpreter::open(definition)
                .map_err(|refusal| Diagnostic::new(format!("`{}`", refusal.key), refusal.why));
        }
        let (rules_text, named) = self.rules_text(&definition);
        let mut asked = self.extended();
        asked.observer = None;
        asked.opening.push(definition.name.clone());
        let opener = clauses::Opener {
            open: Box::new(move |id, geometry| {
                let game = asked.open_on(id, geometry)?;
                match named.iter().any(|name| name == id) {
                    true => Ok(game),
                    // The digest of the rules would miss this rule set.
                    false => Err(Diagnostic::new(
                        format!("rule set `{id}`"),
                        "its name is not written in the clauses as it is",
                    )),
                }
            }),
            kinds: definition::predefined_names().collect(),
            rules_text,
            looks_up: !self.evaluates_all,
        };
        clauses::open(definition, opener)
    }

    /// Returns the text that decides the rules of a definition: its own, and those of the rule sets that it names in
    /// `under`. Also returns these names. A rule set that cannot be found has its name alone; opening it is an error.
    fn rules_text(&self, definition: &Definition) -> (String, Vec<String>) {
        let of = |name: &str| {
            let (id, _) = name.split_once(':').unwrap_or((name, ""));
            match &self.replaced {
                Some((replaced, _, text)) if replaced == id => Some(text.clone()),
                _ => self.combined(id).ok().map(|other| other.rules_text()),
            }
        };
        let is_rule_set = |name: &str| variants::find(name).is_some() || of(name).is_some();
        let mut text = definition.rules_text();
        let mut names: Vec<String> = Vec::new();
        let mut asked = definition::asked(&text, is_rule_set);
        while let Some(name) = asked.pop() {
            if !names.contains(&name) {
                let other = of(&name).unwrap_or_default();
                text += &format!("under {name}\n{other}");
                asked.extend(definition::asked(&other, is_rule_set));
                names.push(name);
            }
        }
        (text, names)
    }

    /// Returns the definition of a rule set with its conditions: `fide+circe+madrasi`.
    fn combined(&self, id: &str) -> Result<Definition, Diagnostic> {
        let mut names = id.split('+');
        let base = names.next().unwrap_or_default();
        let wrong = |why: String| Diagnostic::new(format!("variant `{id}`"), why);
        let Some(mut definition) = self.text_of(base).cloned() else {
            let is_known = variants::find(base).is_some() || self.find(base).is_some();
            return Err(match is_known {
                true => wrong(format!(
                    "conditions cannot be applied to `{base}`, which has no rule text"
                )),
                false => self.unknown(base, base),
            });
        };
        for name in names {
            let found = self
                .find(name)
                .map(|(read, source)| (read.condition.as_ref(), read, source));
            match found {
                Some((Some(layer), _, _)) => {
                    if definition
                        .layers
                        .iter()
                        .any(|known| known.section == layer.section)
                    {
                        return Err(wrong(format!("the condition `{name}` is applied twice")));
                    }
                    definition.layers.push(layer.clone());
                }
                Some((None, read, source)) if read.section.get(definition::CONDITION).is_some() => {
                    return Err(error_of_section(source, read, None));
                }
                Some(_) => {
                    let why = format!("`{name}` is not a condition, which has `condition = true`");
                    return Err(wrong(why));
                }
                None => {
                    let error = wrong(format!("there is no condition `{name}`"));
                    return Err(match nearest(name, self.conditions()) {
                        Some(near) => error.help(format!("did you mean `{near}`?")),
                        None => error.help("`fairyproof variants --texts` lists them"),
                    });
                }
            }
        }
        definition.name = id.to_owned();
        Ok(definition)
    }

    /// Returns the rule text of a rule set: its definition or, for a compiled rule set, the definition that plays the
    /// same. Returns `None` for a compiled rule set without a text, and if there is no rule set of this name.
    pub fn text_of(&self, id: &str) -> Option<&Definition> {
        match variants::find(id) {
            Some(_) => self.definition(&format!("{id}{}", definition::TEXT)),
            None => self.definition(id),
        }
    }

    /// Returns orthodox chess with a condition: `fide+NAME`.
    pub fn fide_with(&self, condition: &definition::Layer) -> Option<Definition> {
        let mut definition = self.text_of("fide")?.clone();
        definition.name = format!("fide+{}", condition.section);
        definition.layers.push(condition.clone());
        Some(definition)
    }

    /// Returns the names of the built-in rule texts and conditions.
    pub fn texts(&self) -> impl Iterator<Item = (&str, Entry<'_>)> {
        let sections = self.texts_book().sections.iter();
        sections.filter_map(|read| {
            let definition = read.definition.as_ref()?;
            Some((read.section.name.text.as_str(), Entry::Defined(definition)))
        })
    }

    /// Returns the names of all conditions: those of files and texts, then the built-in ones.
    pub fn conditions(&self) -> impl Iterator<Item = &str> {
        let added = self.sources.iter().map(|source| &source.book);
        let sections = added
            .chain([self.texts_book()])
            .flat_map(|book| &book.sections);
        sections
            .filter(|read| read.condition.is_some())
            .map(|read| read.section.name.text.as_str())
    }

    /// Returns the clauses of a condition.
    pub fn condition(&self, name: &str) -> Option<&Layer> {
        self.find(name)?.0.condition.as_ref()
    }

    fn texts_book(&self) -> &Book {
        self.texts.get_or_init(definition::texts)
    }

    /// Compiles a section and reports its warnings.
    fn compile(&self, read: &Read, source: Option<&Source>) -> Result<RuleSet, Diagnostic> {
        let name = &read.section.name.text;
        let Some(definition) = &read.definition else {
            return Err(error_of_section(source, read, None));
        };
        if let (Some(source), Some(observer)) = (source, &self.observer) {
            let findings = source.book.findings.iter();
            let is_reported = |f: &&Diagnostic| f.what == *name && f.severity != Severity::Note;
            for finding in findings.filter(is_reported) {
                observer(&format!("{}:{}", source.name, finding.line()));
            }
        }
        if definition.layers.is_empty() {
            return match interpreter::open(definition.clone()) {
                Ok(variant) => Ok(variant.rule_set),
                Err(refusal) => Err(error_of_section(source, read, Some(&refusal))),
            };
        }
        let opened = self.open_definition(definition.clone());
        opened
            .map(|variant| variant.rule_set)
            .map_err(|error| error_of_clause(source, read, error))
    }

    fn unknown(&self, id: &str, text: &str) -> Diagnostic {
        let error = Diagnostic::new(
            format!("variant `{text}`"),
            "there is no rule set of this name",
        );
        error.help(match self.similar(id) {
            Some(near) => format!("did you mean `{near}`? `fairyproof variants` lists them all"),
            None => "`fairyproof variants` lists them all".to_string(),
        })
    }

    /// Returns the name of the rule set that is most similar to this name, or `None` if no name is similar.
    pub fn similar(&self, name: &str) -> Option<&str> {
        nearest(name, self.ids())
    }

    /// Returns all names, each once: first the compiled rule sets, then files and texts, last the library.
    /// Definitions with errors are included.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let compiled = variants::all().iter().map(|info| info.id);
        let sections = self.sections().into_iter();
        compiled.chain(sections.map(|read| read.section.name.text.as_str()))
    }

    /// Returns the entries in the order of [`ids`](Self::ids), without definitions that have errors. Does not
    /// compile any definition.
    pub fn iter(&self) -> impl Iterator<Item = Entry<'_>> {
        let compiled = variants::all().iter().copied().map(Entry::Compiled);
        let sections = self.sections().into_iter();
        compiled.chain(sections.filter_map(|read| read.definition.as_ref().map(Entry::Defined)))
    }

    /// Returns the sections of files, texts and the library. Of several sections with the same name, only the
    /// first is included.
    fn sections(&self) -> Vec<&Read> {
        let mut names = BTreeSet::new();
        let added = self.sources.iter().map(|source| &source.book);
        let mut sections: Vec<&Read> = Vec::new();
        for read in added
            .chain([self.library()])
            .flat_map(|book| &book.sections)
        {
            if names.insert(&read.section.name.text) {
                sections.push(read);
            }
        }
        sections
    }

    /// Returns the definition with this name, or `None` if there is none or it has errors.
    pub fn definition(&self, id: &str) -> Option<&Definition> {
        self.find(id)?.0.definition.as_ref()
    }

    /// Returns the files that define the rule set of this name and its conditions (`ID+CONDITION`), each once. Compiled
    /// rule sets, texts and the library have none.
    pub fn files_of(&self, id: &str) -> Vec<&Path> {
        let mut files = Vec::new();
        for name in id.split('+').filter(|name| variants::find(name).is_none()) {
            let source = self.find(name).and_then(|(_, source)| source);
            if let Some(path) = source.and_then(|source| source.path.as_deref())
                && !files.contains(&path)
            {
                files.push(path);
            }
        }
        files
    }

    /// Returns whether there is a rule set of this name, and each condition after a `+`. It may have errors.
    pub fn has(&self, id: &str) -> bool {
        id.split('+')
            .all(|name| variants::find(name).is_some() || self.find(name).is_some())
    }

    /// Returns the section with this name, and its file or text. The source of library sections is `None`.
    fn find(&self, id: &str) -> Option<(&Read, Option<&Source>)> {
        let added = self.sources.iter().map(Arc::as_ref);
        added
            .filter_map(|source| Some((section(&source.book, id)?, Some(source))))
            .next()
            .or_else(|| Some((section(self.library(), id)?, None)))
            .or_else(|| Some((section(self.texts_book(), id)?, None)))
    }

    fn library(&self) -> &Book {
        self.library.get_or_init(|| {
            let mut library = definition::library();
            for read in &mut library.sections {
                let name = definition::known_as(&read.section.name.text, &CompiledVariants);
                if let Some(definition) = &mut read.definition {
                    definition.name.clone_from(&name);
                }
                read.section.name.text = name;
            }
            library
        })
    }
}

/// The rule text of a rule set as it is written.
#[derive(Clone, Debug)]
pub struct Written {
    /// The rule set's own section.
    pub section: Section,
    /// The sections of the conditions in `ID+CONDITION`, in the order in which they are applied.
    pub conditions: Vec<Section>,
}

impl Written {
    /// Returns the text of the sections, with names that no section of the catalog has.
    fn renamed(&self, catalog: &Catalog) -> String {
        let mut text = String::new();
        let numbered = (1..).map(|number: u64| format!("changed-{number}"));
        let names = numbered.filter(|name| !catalog.has(name));
        for (section, name) in std::iter::once(&self.section)
            .chain(&self.conditions)
            .zip(names)
        {
            let parent = section.parent.as_ref();
            let parent = parent.map_or(String::new(), |parent| format!(":{}", parent.text));
            text += &format!("[{name}{parent}]\n");
            for entry in &section.entries {
                text += &format!("{} = {}\n", entry.key.text, entry.value.text);
            }
        }
        text
    }
}

impl std::fmt::Debug for Catalog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Catalog")
            .field("sources", &self.sources)
            .finish_non_exhaustive()
    }
}

fn section<'b>(book: &'b Book, id: &str) -> Option<&'b Read> {
    let mut sections = book.sections.iter();
    sections.find(|read| read.section.name.text == id)
}

/// Returns notes on what reading the FEN has dropped: castling rights, the en passant square, and a counter that a rule
/// text keeps in its state, while the compiled rule set of the same name reads it.
pub fn losses<W: Layout>(game: &dyn Game<W>, p: &Position<W>, text: &str) -> Vec<String> {
    let mut notes = notation::fen::losses(game, p, text);
    let RuleSet::Defined(defined) = &game.variant().rule_set else {
        return notes;
    };
    let sections = defined.sections();
    let compiled = sections.iter().find_map(|section| {
        let name = section.strip_suffix(definition::TEXT)?;
        Some(Variant::from(variants::find(name)?))
    });
    let geometry = game.board().geometry();
    let Some(compiled) = compiled.and_then(|compiled| compiled.on(geometry).ok()) else {
        // There is no compiled rule set, or it does not play this board.
        return notes;
    };
    let mut counters = text.split_ascii_whitespace().skip(4);
    for (is_clock, name) in [(true, "halfmove clock"), (false, "move number")] {
        let Some(count) = counters.next().and_then(|count| count.parse().ok()) else {
            break;
        };
        let is_read = with_game!(&compiled, compiled => counts(compiled.as_ref(), is_clock, count));
        if is_read && !counts(game, is_clock, count) {
            let keys: Vec<&str> = defined.state().iter().map(|(key, _)| *key).collect();
            notes.push(format!(
                "note: the {name} `{count}` has no effect: `{}` counts in its state, {}",
                defined.id(),
                keys.join(", ")
            ));
        }
    }
    notes
}

/// Returns whether a rule set stores a counter of a FEN, with this value, as part of the position.
fn counts<W: Layout>(game: &dyn Game<W>, is_clock: bool, count: u32) -> bool {
    let state = |count: u32| {
        let mut p = Position::<W>::empty();
        match is_clock {
            true => game.carried().set_clock(&mut p, count),
            false => game.carried().set_number(&mut p, count),
        }
        p.state
    };
    state(count) != state(u32::from(!is_clock))
}

/// Reads definitions, whose parents can be sections of `earlier` sources. If an earlier source already
/// defines one of the names, the whole text is unusable.
fn read(bytes: &[u8], earlier: &[Arc<Source>]) -> Book {
    let sections = |source: &Arc<Source>| -> Vec<Section> {
        let sections = source.book.sections.iter();
        sections.map(|read| read.section.clone()).collect()
    };
    let sections: Vec<Vec<Section>> = earlier.iter().map(sections).collect();
    let mut book = definition::read_after(bytes, &sections, &CompiledVariants);
    let names = book.sections.iter().map(|read| read.section.name.clone());
    for name in names.collect::<Vec<_>>() {
        let defines = |source: &&Arc<Source>| section(&source.book, &name.text).is_some();
        if let Some(source) = earlier.iter().find(defines) {
            let why = format!("`{}` is defined in {} too", name.text, source.name);
            book.refuse_file(name.place, why);
        }
    }
    book
}

impl Catalog {
    /// Adds an error for each key that is not supported, even in sections with other errors, and for each definition
    /// that cannot be compiled or whose start position cannot be set up. Removes these definitions.
    fn refuse_unsupported(&self, book: &mut Book) {
        let tentative: Vec<Definition> = (book.sections.iter())
            .filter_map(|read| read.meant.clone())
            .collect();
        for definition in &tentative {
            for refusal in definition.refusals() {
                book.refuse(&definition.name, refusal.key, &refusal.why);
            }
        }
        let conditions = book
            .sections
            .iter()
            .filter_map(|read| read.condition.clone());
        for condition in conditions.collect::<Vec<_>>() {
            let is_applied = book.definitions().any(|definition| {
                let mut layers = definition.layers.iter();
                layers.any(|layer| layer.section == condition.section)
            });
            let checked = match clauses::check(&condition) {
                // A section of the file that applies it is checked with it.
                Ok(()) if !is_applied => {
                    let applied = self.fide_with(&condition);
                    applied.map_or(Ok(()), |definition| {
                        self.open_definition(definition).map(|_| ())
                    })
                }
                checked => checked,
            };
            if let Err(error) = checked {
                book.refuse_clause(&condition.section, error);
            }
        }
        let definitions: Vec<Definition> = book.definitions().cloned().collect();
        for definition in definitions {
            let name = definition.name.clone();
            let opened = match definition.layers.is_empty() {
                true => interpreter::open(definition).map_err(Fault::Key),
                false => self.open_definition(definition).map_err(Fault::Clause),
            };
            match opened {
                Err(Fault::Key(refusal)) => book.refuse(&name, refusal.key, &refusal.why),
                Err(Fault::Clause(error)) => book.refuse_clause(&name, error),
                // All uses of a variant set up a position first, so an invalid start position is an error too.
                Ok(variant) => match notation::Setup::read(&variant, None) {
                    Err(error) => book.refuse_start(&name, &error),
                    Ok(setup) => {
                        if let Some(why) = over_at_start(&setup) {
                            book.warn(&name, &ENDING_KEYS, why);
                        }
                        if let Err(error) = check_options(&setup) {
                            book.refuse_clause(&name, error);
                        }
                    }
                },
            }
        }
    }
}

/// The keys that can end a game before its first turn.
const ENDING_KEYS: [&str; 8] = [
    "connectN",
    "connectNxN",
    "collinearN",
    "flagRegion",
    "flagRegionWhite",
    "extinctionPieceCount",
    "extinctionPieceTypes",
    "startFen",
];

/// Returns the warning that the game is over in its start position, or `None` if it continues.
fn over_at_start(setup: &notation::Setup) -> Option<String> {
    let outcome = setup.outcome();
    if outcome.is_ongoing() {
        return None;
    }
    Some(match outcome.reason() {
        Some(reason::CHECKMATE | reason::STALEMATE) => {
            format!("no legal turn at the start: {outcome}")
        }
        _ => format!("the game is over before the first turn: {outcome}"),
    })
}

/// Checks that the clauses take the least and the greatest value of each option, of one at a time and of all together.
fn check_options(setup: &notation::Setup) -> Result<(), Diagnostic> {
    let RuleSet::Defined(defined) = &setup.variant().rule_set else {
        return Ok(());
    };
    let board = notation::with_setup!(setup, start => start.game.board().geometry());
    let extremes = [false, true].map(|greatest| -> Options {
        let values = defined.options().iter().map(|option| {
            let value = |(least, most)| if greatest { most } else { least };
            (option.name, option.range.map(value))
        });
        values.collect()
    });
    let alone = extremes.iter().flatten().map(|one| vec![*one]);
    for options in alone.chain(extremes.clone()) {
        defined.open(&options, board)?;
    }
    Ok(())
}

/// Why a definition cannot be played.
enum Fault {
    Key(interpreter::Refusal),
    Clause(Diagnostic),
}

/// The compiled rule sets, which sections can have as parents.
struct CompiledVariants;

impl Compiled for CompiledVariants {
    fn has(&self, name: &str) -> bool {
        variants::find(name).is_some()
    }

    fn lent(&self, name: &str) -> Option<Lent> {
        let start_fen = Variant::from(variants::find(name)?).start();
        let board = notation::fen::shape(&start_fen).ok()?;
        Some(Lent { board, start_fen })
    }
}

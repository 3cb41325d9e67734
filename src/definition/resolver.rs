//! Resolves the sections of a definition file: finds each section's parent, applies the section's keys,
//! builds the definition. Collects all problems as findings.

use crate::Definition;
use crate::apply::apply;
use crate::assemble::finish;
use crate::clauses::{CONDITION, CONDITIONS, Layer, clause_key, is_condition, is_rule_text};
use crate::draft::{Draft, Plane};
use crate::sections::{Section, Spanned, error, sections, warning};
use crate::written::Written;
use board::Geometry;
use diagnostics::{Diagnostic, LineColumn, Severity, nearest, shortened};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// The built-in library of known variants, as a definition file.
pub const LIBRARY: &str = include_str!("variants.ini");

/// The rule sets of the pages as rule texts, as a definition file. Their names end in `-text`.
pub const TEXTS: &str = concat!("[fide-text:fide-text]\n", include_str!("texts.ini"));

/// The end of the names of the rule texts of compiled rule sets.
pub const TEXT: &str = "-text";

/// Maximum number of ancestors of a section.
pub const MAX_PARENTS: usize = 64;

/// Maximum number of similar names that are looked up for a file's wrong parents and unknown keys. Each
/// lookup compares all names, so a file with many errors would take long.
const MAX_SUGGESTIONS: usize = 100;

/// The board and start position of a compiled rule set, for sections that have it as their parent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lent {
    /// The board.
    pub board: Geometry,
    /// The start position.
    pub start_fen: String,
}

/// The compiled rule sets. A section may not reuse their names but may have one as its parent.
pub trait Compiled {
    /// Returns whether there is a rule set of this name.
    fn has(&self, name: &str) -> bool;
    /// Returns the board and array of the rule set of this name.
    fn lent(&self, name: &str) -> Option<Lent>;
}

/// An empty list of compiled rule sets.
pub struct NoneCompiled;

impl Compiled for NoneCompiled {
    fn has(&self, _: &str) -> bool {
        false
    }

    fn lent(&self, _: &str) -> Option<Lent> {
        None
    }
}

/// A section and its definition.
#[derive(Clone, PartialEq, Debug)]
pub struct Read {
    /// The section as written.
    pub section: Section,
    /// The definition, if the section has no error.
    pub definition: Option<Definition>,
    /// The definition without the section's invalid keys. Used to find further errors; never played.
    pub meant: Option<Definition>,
    /// The clauses of a section that is a condition and has no error.
    pub condition: Option<Layer>,
}

/// A file and its definitions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Book {
    /// Sections in the order of the file.
    pub sections: Vec<Read>,
    /// All findings, by place.
    pub findings: Vec<Diagnostic>,
}

impl Book {
    /// Returns whether at least one finding is an error.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|f| f.severity == Severity::Error)
    }

    /// Returns the first error that belongs to no section. Such an error makes the whole file unusable,
    /// because the line could have concerned any section. No section then has a definition.
    pub fn error_outside_sections(&self) -> Option<&Diagnostic> {
        let error = |f: &&Diagnostic| f.severity == Severity::Error && f.what.is_empty();
        self.findings.iter().find(error)
    }

    /// Adds an error that belongs to no section, and removes the definitions of all sections.
    pub fn refuse_file(&mut self, place: LineColumn, why: String) {
        for read in &mut self.sections {
            read.definition = None;
            read.condition = None;
        }
        self.findings.push(error(place, why));
        self.findings.sort_by_key(Diagnostic::position);
    }

    /// Adds the error that a key of a section is known but not played, and removes the section's definition.
    pub fn refuse(&mut self, name: &str, key: &str, why: &str) {
        let why = format!("`{key}` is known but not supported: {why}");
        self.remove(name, key, why, None);
    }

    /// Adds an error of a section's clauses, and removes the section's definition.
    pub fn refuse_clause(&mut self, name: &str, finding: Diagnostic) {
        let mut sections = self.sections.iter_mut();
        if let Some(read) = sections.find(|s| s.section.name.text == name) {
            read.definition = None;
            read.condition = None;
            self.findings.push(finding.about(name));
            self.findings.sort_by_key(Diagnostic::position);
        }
    }

    /// Adds the error that a section's start position cannot be set up, and removes the section's definition.
    pub fn refuse_start(&mut self, name: &str, why: &Diagnostic) {
        let text = format!("the start position cannot be set up: {}", why.why);
        self.remove(name, "startFen", text, why.help.as_deref());
    }

    /// Adds a warning about the start position of a section, at the first of these keys that the section contains.
    pub fn warn(&mut self, name: &str, keys: &[&str], why: String) {
        if let Some(read) = self.sections.iter().find(|s| s.section.name.text == name) {
            let own = keys.iter().find_map(|key| read.section.get(key));
            let place = own.map_or(read.section.name.place, |entry| entry.value.place);
            self.findings.push(warning(place, why).about(name));
            self.findings.sort_by_key(Diagnostic::position);
        }
    }

    /// Removes the definition of a section, and adds an error at one of its keys.
    fn remove(&mut self, name: &str, key: &str, why: String, help: Option<&str>) {
        let mut sections = self.sections.iter_mut();
        let Some(read) = sections.find(|s| s.section.name.text == name) else {
            return;
        };
        read.definition = None;
        // The section may have inherited the key from a parent.
        let place = match read.section.get(key) {
            Some(entry) => entry.key.place,
            None => read.section.name.place,
        };
        let mut finding = error(place, why).about(name);
        finding.help = help.map(str::to_owned);
        self.findings.push(finding);
        self.findings.sort_by_key(Diagnostic::position);
    }

    /// Returns the definitions of the sections without errors, in the order of the file.
    pub fn definitions(&self) -> impl Iterator<Item = &Definition> {
        self.sections.iter().filter_map(|s| s.definition.as_ref())
    }
}

/// Returns the library's definitions. A test checks that they have no errors.
pub fn library() -> Book {
    let (sections, findings) = sections(LIBRARY.as_bytes());
    Resolver::new(vec![&sections], &NoneCompiled).resolve(findings)
}

/// Returns the rule texts of the compiled rule sets. A test checks that they have no errors.
pub fn texts() -> Book {
    let (texts, findings) = sections(TEXTS.as_bytes());
    let library = sections(LIBRARY.as_bytes()).0;
    let known = [library.clone(), texts].concat();
    let mut book = Resolver::new(vec![&known], &NoneCompiled).resolve(findings);
    book.sections.drain(..library.len());
    book
}

/// Reads a file. A section's parent can be another section of the file, a section of the library, `chess`, or
/// one of the `compiled` rule sets.
pub fn read(file: &[u8], compiled: &dyn Compiled) -> Book {
    read_after(file, &[], compiled)
}

/// Like [`read`], but parents can also be sections of `earlier` files. Each earlier file is a list of
/// sections.
pub fn read_after(file: &[u8], earlier: &[Vec<Section>], compiled: &dyn Compiled) -> Book {
    static KNOWN: OnceLock<Vec<Section>> = OnceLock::new();
    let library = KNOWN.get_or_init(|| {
        let files = [LIBRARY, TEXTS].map(|text| sections(text.as_bytes()).0);
        files.concat()
    });
    let (in_file, findings) = sections(file);
    let earlier = earlier.iter().map(Vec::as_slice);
    let files = [&library[..]]
        .into_iter()
        .chain(earlier)
        .chain([&in_file[..]]);
    Resolver::new(files.collect(), compiled).resolve(findings)
}

/// The identity of a section: the index of its file in [`Resolver::files`], and its index in that file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct SectionId {
    file: usize,
    index: usize,
}

/// The index of the library in [`Resolver::files`].
const LIBRARY_FILE: usize = 0;

/// The progress of a section's draft.
enum DraftState {
    /// In progress. A parent in this state means that the section is its own ancestor.
    Started,
    /// Finished. The draft is `None` if the parent is missing.
    Finished(Option<Box<Draft>>),
}

struct Resolver<'a> {
    /// The sections of each file: first the library, then the earlier files, last the file to resolve. To
    /// resolve the library itself, the list contains only the library.
    files: Vec<&'a [Section]>,
    compiled: &'a dyn Compiled,
    states: BTreeMap<SectionId, DraftState>,
    /// The sections with an error in a line or key, and their descendants, each with the first error. Their
    /// children inherit unknown values. Errors of the definition as a whole are not included, because a child
    /// can resolve a contradiction.
    faulty: BTreeMap<SectionId, String>,
    /// Number of similar names that may still be looked up.
    suggestions: usize,
    findings: Vec<Diagnostic>,
}

impl<'a> Resolver<'a> {
    fn new(files: Vec<&'a [Section]>, compiled: &'a dyn Compiled) -> Resolver<'a> {
        Resolver {
            files,
            compiled,
            states: BTreeMap::new(),
            faulty: BTreeMap::new(),
            suggestions: MAX_SUGGESTIONS,
            findings: Vec::new(),
        }
    }

    /// Resolves all sections of the file. `findings` are the findings on its lines.
    fn resolve(mut self, findings: Vec<Diagnostic>) -> Book {
        self.findings = findings;
        let mut sections = Vec::new();
        let file = self.resolved_file();
        for (index, section) in self.files[file].iter().enumerate() {
            self.check_name(&section.name);
            let (meant, condition) = match is_condition(section) {
                true => (None, Some(self.condition(section))),
                false => {
                    let draft = self.draft(SectionId { file, index }, 0);
                    let meant = draft.and_then(|d| finish(&d, section, &mut self.findings));
                    (meant, None)
                }
            };
            sections.push(Read {
                section: section.clone(),
                definition: meant.clone(),
                meant,
                condition,
            });
        }
        let errors = || (self.findings.iter()).filter(|f| f.severity == Severity::Error);
        let wrong: BTreeSet<&str> = errors().map(|f| f.what.as_str()).collect();
        let file_is_wrong = errors().any(|f| f.what.is_empty());
        for read in &mut sections {
            if file_is_wrong || wrong.contains(read.section.name.text.as_str()) {
                read.definition = None;
                read.condition = None;
            }
        }
        self.findings.sort_by_key(Diagnostic::position);
        Book {
            sections,
            findings: self.findings,
        }
    }

    /// Returns the index of the file to resolve.
    fn resolved_file(&self) -> usize {
        self.files.len() - 1
    }

    /// Checks that a section does not have the name of a compiled rule set or of orthodox chess. Commands
    /// with that ID would not play the section, so the file cannot be used.
    fn check_name(&mut self, name: &Spanned) {
        let text = name.text.as_str();
        if self.resolved_file() == LIBRARY_FILE {
            return;
        }
        let other = match text {
            _ if self.compiled.has(text) => "the name of a compiled rule set",
            _ if ROOTS.contains(&text) => "a name of orthodox chess",
            _ => {
                let mut library = self.files[LIBRARY_FILE].iter();
                if library.any(|s| s.name.text == text && !is_condition(s)) {
                    let why = format!("`{text}` replaces the known variant of that name");
                    let finding = warning(name.place, why);
                    self.findings.push(finding.about(text));
                }
                return;
            }
        };
        let finding = error(name.place, format!("`{text}` is {other}"));
        self.findings.push(finding.help("choose another name"));
    }

    /// Returns the draft of a section: its parent's draft with its own keys applied.
    fn draft(&mut self, id: SectionId, depth: usize) -> Option<Draft> {
        match self.states.get(&id) {
            Some(DraftState::Finished(draft)) => return draft.as_deref().cloned(),
            // A cycle. The caller, which named this section as its parent, reports it.
            Some(DraftState::Started) => return None,
            None => {}
        }
        self.states.insert(id, DraftState::Started);
        let draft = self.make_draft(id, depth);
        let finished = DraftState::Finished(draft.clone().map(Box::new));
        self.states.insert(id, finished);
        draft
    }

    fn make_draft(&mut self, id: SectionId, depth: usize) -> Option<Draft> {
        let section = &self.files[id.file][id.index];
        let name = &section.name.text;
        let mut findings = Vec::new();
        let parent = match &section.parent {
            None => Some(Draft::empty()),
            Some(parent) => self.parent_draft(id, section, parent, depth, &mut findings),
        };
        let has_parent = parent.is_some();
        let mut draft = parent.unwrap_or_else(Draft::chess);
        // If the parent is missing, still report errors of the section itself.
        let suggestions = &mut self.suggestions;
        apply(section, &mut draft, has_parent, suggestions, &mut findings);
        let layer = Layer::of(section);
        if !layer.clauses.is_empty() {
            draft.chain.push(layer);
        }
        if let Some(entry) = section.get(CONDITIONS) {
            draft.conditions = self.conditions(id, &entry.value, &mut findings);
        }
        draft.rules.written.add(section);
        draft.rules.layers = draft
            .chain
            .iter()
            .chain(&draft.conditions)
            .cloned()
            .collect();
        let mut findings: Vec<Diagnostic> = findings.into_iter().map(|f| f.about(name)).collect();
        if let Some(reason) = self.first_error(id, section, &findings) {
            self.faulty.entry(id).or_insert(reason);
        }
        // Findings on earlier files are reported when those files are read, and tests check the library.
        if id.file == self.resolved_file() {
            self.findings.append(&mut findings);
        }
        has_parent.then_some(draft)
    }

    /// Returns the clauses of a condition. Its other keys are errors.
    fn condition(&mut self, section: &Section) -> Layer {
        let name = &section.name.text;
        if let Some(parent) = &section.parent {
            let finding = error(parent.place, "a condition has no parent");
            let help = "it is applied to rule sets: `ID+CONDITION`";
            self.findings.push(finding.about(name).help(help));
        }
        for entry in &section.entries {
            let key = entry.key.text.as_str();
            if key != CONDITION && clause_key(key).is_none() {
                let why = format!(
                    "`{}` in a condition, which has clauses only",
                    shortened(key)
                );
                self.findings.push(error(entry.key.place, why).about(name));
            }
        }
        Layer::of(section)
    }

    /// Returns the clauses of the conditions that a list names. Adds an error for each wrong name.
    fn conditions(
        &mut self,
        id: SectionId,
        list: &Spanned,
        findings: &mut Vec<Diagnostic>,
    ) -> Vec<Layer> {
        let mut layers: Vec<Layer> = Vec::new();
        for name in list.text.split(',').map(str::trim) {
            let found = self
                .find_parent(id, name)
                .map(|id| &self.files[id.file][id.index]);
            let why = match found {
                Some(section)
                    if layers
                        .iter()
                        .any(|layer| layer.section == section.name.text) =>
                {
                    format!("the condition `{name}` is named twice")
                }
                Some(section) if is_condition(section) => {
                    layers.push(Layer::of(section));
                    continue;
                }
                Some(_) => format!("`{name}` is not a condition, which has `condition = true`"),
                None => format!("there is no condition `{}`", shortened(name)),
            };
            findings.push(error(list.place, why));
        }
        layers
    }

    /// Returns the place and text of the first error in the lines and keys of a section, or `None` without
    /// errors. `findings` are the findings on its parent and keys.
    fn first_error(
        &self,
        id: SectionId,
        section: &Section,
        findings: &[Diagnostic],
    ) -> Option<String> {
        let (file, on_lines) = match id.file == self.resolved_file() {
            true => ("", &self.findings[..]),
            // Findings on the lines of earlier files are not stored.
            false => (" of an earlier file", &[][..]),
        };
        let name = &section.name.text;
        let first = on_lines
            .iter()
            .chain(findings)
            .filter(|f| f.severity == Severity::Error && f.what == *name)
            .min_by_key(|f| f.position());
        match first {
            Some(first) => {
                let line = first.position().map_or(0, |place| place.line);
                Some(format!("line {line}{file}: {}", first.why))
            }
            None => (section.has_unreadable_line)
                .then(|| format!("section `{name}`{file}: an unreadable line")),
        }
    }

    /// Returns the draft of a section's parent. If there is none, adds the reason to `findings`.
    fn parent_draft(
        &mut self,
        id: SectionId,
        section: &Section,
        parent: &Spanned,
        depth: usize,
        findings: &mut Vec<Diagnostic>,
    ) -> Option<Draft> {
        let name = parent.text.as_str();
        let mut wrong = |why: String| findings.push(error(parent.place, why));
        if depth == MAX_PARENTS {
            wrong(format!("more than {MAX_PARENTS} parents above one section"));
            return None;
        }
        let text_of = || match is_rule_text(section) && self.compiled.has(name) {
            true => self.find_parent(id, &format!("{name}{TEXT}")),
            false => None,
        };
        if let Some(parent_id) = self.find_parent(id, name).or_else(text_of) {
            if is_condition(&self.files[parent_id.file][parent_id.index]) {
                wrong(format!(
                    "`{name}` is a condition, which is applied and never a parent"
                ));
                return None;
            }
            if matches!(self.states.get(&parent_id), Some(DraftState::Started)) {
                wrong(format!("`{name}` is a parent of itself"));
                return None;
            }
            let draft = self.draft(parent_id, depth + 1);
            if let Some(reason) = self.faulty.get(&parent_id).cloned() {
                wrong(format!(
                    "the parent `{name}` has errors, the first in {reason}"
                ));
                self.faulty.insert(id, reason);
            }
            return draft;
        }
        if name == FIDE_TEXT || name == "fide" && is_rule_text(section) {
            return Some(Draft::fide_text());
        }
        if ROOTS.contains(&name) {
            return Some(Draft::chess());
        }
        if is_rule_text(section) && self.compiled.has(name) {
            wrong(format!(
                "`{name}` has no rule text, so clauses cannot be added to it"
            ));
            return None;
        }
        if let Some(lent) = self.compiled.lent(name) {
            let why = format!(
                "`{name}` is a compiled rule set: its board and array are taken, none of its rules"
            );
            findings.push(warning(parent.place, why));
            let mut draft = lend(&lent);
            draft.rules.written = Written::root(name);
            return Some(draft);
        }
        if name == section.name.text {
            wrong(format!("`{name}` is a parent of itself"));
            return None;
        }
        let why = format!("there is no variant `{name}` to be a parent");
        let mut finding = error(parent.place, why);
        if self.suggestions > 0 {
            self.suggestions -= 1;
            let names = (self.files.iter().rev())
                .flat_map(|file| file.iter())
                .map(|s| s.name.text.as_str());
            if let Some(near) = nearest(name, names.chain(ROOTS)) {
                finding = finding.help(format!("did you mean `{near}`?"));
            }
        }
        findings.push(finding);
        None
    }

    /// Finds a section by the name that a child gives. Searches the child's own file, then the earlier files,
    /// last the library. A section therefore has the same meaning for every later file, and a section that
    /// replaces a known variant can still have that variant as its parent.
    fn find_parent(&self, child: SectionId, name: &str) -> Option<SectionId> {
        let in_file = |file: usize| {
            let is_named = |index: usize, section: &Section| match file == child.file {
                true => section.name.text == name && index != child.index,
                false => known_as(&section.name.text, self.compiled) == name,
            };
            let mut sections = self.files[file].iter().enumerate();
            let (index, _) = sections.find(|&(index, section)| is_named(index, section))?;
            Some(SectionId { file, index })
        };
        let earlier = (LIBRARY_FILE + 1..child.file).chain([LIBRARY_FILE]);
        in_file(child.file).or_else(|| earlier.filter(|&f| f != child.file).find_map(in_file))
    }
}

/// Returns the name under which a library variant is available: its own name, with the suffix `-fsf` if a
/// compiled rule set (a different game) has that name.
pub fn known_as(name: &str, compiled: &dyn Compiled) -> String {
    match compiled.has(name) {
        true => format!("{name}-fsf"),
        false => name.to_owned(),
    }
}

/// The names of orthodox chess.
pub(crate) const ROOTS: [&str; 3] = ["chess", "fide", FIDE_TEXT];

/// The rule text of compiled orthodox chess.
pub(crate) const FIDE_TEXT: &str = "fide-text";

/// Returns the draft of orthodox chess on the board of a compiled rule set, with its start array.
fn lend(lent: &Lent) -> Draft {
    let mut draft = Draft::chess();
    draft.max_file = lent.board.files();
    draft.max_rank = lent.board.ranks();
    draft.cylinder = lent.board.wraps();
    for i in 0..lent.board.len() as u8 {
        let square = board::Square(i);
        if !lent.board.exists(square) {
            let (file, rank) = (lent.board.file(square), lent.board.rank(square));
            draft.holes = draft
                .holes
                .or(Plane::square(usize::from(file), usize::from(rank)));
        }
    }
    // Leave out variant state and castling rights, which depend on the rules of the rule set.
    let mut fields = lent.start_fen.split_whitespace();
    let (board, side) = (
        fields.next().unwrap_or_default(),
        fields.next().unwrap_or("w"),
    );
    draft.rules.start_fen = format!("{board} {side} - - 0 1");
    let last = usize::from(lent.board.ranks() - 1);
    let ranks = |white: usize, black: usize| [Plane::rank(white), Plane::rank(black)];
    draft.set_squares("promotionRegion", ranks(last, 0));
    draft.set_squares(
        "doubleStepRegion",
        ranks(1.min(last), last.saturating_sub(1)),
    );
    draft
}

#[cfg(test)]
mod tests;

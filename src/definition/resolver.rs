//! Files of definitions put together: parents found, keys applied, definitions made.

use crate::draft::{Draft, Plane};
use crate::finding::{Finding, Place, Severity};
use crate::finish::finish;
use crate::keys::{self, KEYS, Key, SIZE, Take};
use crate::sections::{Entry, Section, Spanned, sections, shortened};
use crate::slots::{self, KING, SLOTS};
use crate::values::{last_piece, take};
use crate::{Definition, Movement, array};
use board::{Color, Geometry};
use diagnostics::nearest;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// The library of known variants that the program carries.
pub const LIBRARY: &str = include_str!("variants.ini");

/// The most parents above a section.
pub const MAX_PARENTS: usize = 64;

/// The most unknown keys of a section that are told one by one.
const MAX_UNKNOWN: usize = 50;

/// Wrong parents and unknown keys of a file for which a similar name is looked up. Each look-up compares all
/// names.
const MAX_SUGGESTIONS: usize = 100;

/// What a compiled rule set lends to sections that name it as parent: its board and array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lent {
    /// The board.
    pub board: Geometry,
    /// The start position.
    pub start_fen: String,
}

/// What stands beside files: the compiled rule sets, whose names sections may not take.
pub trait Compiled {
    /// Returns whether there is a rule set of this name.
    fn has(&self, name: &str) -> bool;
    /// Returns the board and array of the rule set of this name.
    fn lent(&self, name: &str) -> Option<Lent>;
}

/// No compiled rule sets at all.
pub struct NoneCompiled;

impl Compiled for NoneCompiled {
    fn has(&self, _: &str) -> bool {
        false
    }

    fn lent(&self, _: &str) -> Option<Lent> {
        None
    }
}

/// One section and what came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Read {
    /// The section as written.
    pub section: Section,
    /// Its definition, if it has no error.
    pub definition: Option<Definition>,
    /// What it would be without those of its keys that are wrong, as far as that can be told: to look for
    /// more that is wrong, never to be played.
    pub meant: Option<Definition>,
}

/// A file and what came of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Book {
    /// Sections in the order of the file.
    pub sections: Vec<Read>,
    /// All findings, by place.
    pub findings: Vec<Finding>,
}

impl Book {
    /// Returns whether a finding is an error.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|f| f.severity == Severity::Error)
    }

    /// Returns the first error that belongs to no section. It makes the whole file unusable, and no section
    /// has a definition: what the line would have meant for the sections is not known.
    pub fn error_outside_sections(&self) -> Option<&Finding> {
        let error = |f: &&Finding| f.severity == Severity::Error && f.section.is_none();
        self.findings.iter().find(error)
    }

    /// Adds an error that belongs to no section. No section has a definition afterwards.
    pub fn refuse_file(&mut self, place: Place, why: String) {
        for read in &mut self.sections {
            read.definition = None;
        }
        self.findings.push(Finding::error(place, why));
        self.findings.sort_by_key(|f| f.place);
    }

    /// Takes a section's definition back: a key of it is known, but cannot be carried out.
    pub fn refuse(&mut self, name: &str, key: &str, why: &str) {
        let Some(read) = self
            .sections
            .iter_mut()
            .find(|s| s.section.name.text == name)
        else {
            return;
        };
        read.definition = None;
        // A parent may have said it.
        let place = match read.section.get(key) {
            Some(entry) => entry.key.place,
            None => read.section.name.place,
        };
        let why = format!("`{key}` is known but not supported: {why}");
        self.findings.push(Finding::error(place, why).within(name));
        self.findings.sort_by_key(|f| f.place);
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

/// Reads a file. Parents of its sections can be other sections, sections of the library, `chess` and the
/// `compiled` rule sets.
pub fn read(file: &[u8], compiled: &dyn Compiled) -> Book {
    read_after(file, &[], compiled)
}

/// Like [`read`], but the sections of `earlier` files, each a list, can be parents too.
pub fn read_after(file: &[u8], earlier: &[Vec<Section>], compiled: &dyn Compiled) -> Book {
    static KNOWN: OnceLock<Vec<Section>> = OnceLock::new();
    let library = KNOWN.get_or_init(|| sections(LIBRARY.as_bytes()).0);
    let (in_file, findings) = sections(file);
    let earlier = earlier.iter().map(Vec::as_slice);
    let files = [&library[..]]
        .into_iter()
        .chain(earlier)
        .chain([&in_file[..]]);
    Resolver::new(files.collect(), compiled).resolve(findings)
}

/// A section by its file (an index of [`Resolver::files`]) and its index there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct SectionId {
    file: usize,
    index: usize,
}

/// The library's index in [`Resolver::files`].
const LIBRARY_FILE: usize = 0;

/// The progress of a section's draft.
enum State {
    /// In progress. A section that needs itself as a parent finds this state.
    Started,
    /// Finished; without a draft if the parent is missing.
    Finished(Option<Box<Draft>>),
}

struct Resolver<'a> {
    /// The sections of the library, then of earlier files, last of the file that is resolved. The library
    /// itself is resolved with this list of one.
    files: Vec<&'a [Section]>,
    compiled: &'a dyn Compiled,
    states: BTreeMap<SectionId, State>,
    /// Sections with an error in a line or key, or with such a parent, and what that first error is. What a
    /// child inherits from such a section is not known. Errors of the definition as a whole are not
    /// included: a child may mend a contradiction.
    faulty: BTreeMap<SectionId, String>,
    /// Number of similar names that may still be looked up.
    suggestions: usize,
    findings: Vec<Finding>,
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

    /// Resolves all sections. `findings` are those on the lines of the file.
    fn resolve(mut self, findings: Vec<Finding>) -> Book {
        self.findings = findings;
        let mut sections = Vec::new();
        let file = self.resolved_file();
        for (index, section) in self.files[file].iter().enumerate() {
            self.check_name(&section.name);
            let draft = self.draft(SectionId { file, index }, 0);
            let meant = draft.and_then(|d| finish(&d, section, &mut self.findings));
            sections.push(Read {
                section: section.clone(),
                definition: meant.clone(),
                meant,
            });
        }
        let errors = || (self.findings.iter()).filter(|f| f.severity == Severity::Error);
        let wrong: BTreeSet<&str> = errors().filter_map(|f| f.section.as_deref()).collect();
        let file_is_wrong = errors().any(|f| f.section.is_none());
        for read in &mut sections {
            if file_is_wrong || wrong.contains(read.section.name.text.as_str()) {
                read.definition = None;
            }
        }
        self.findings.sort_by_key(|f| f.place);
        Book {
            sections,
            findings: self.findings,
        }
    }

    /// Returns the index of the file that is resolved.
    fn resolved_file(&self) -> usize {
        self.files.len() - 1
    }

    /// Checks that no other rule set has a section's name. If one has, commands with this ID would play it
    /// instead of the section, so that the file must not be used.
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
                if library.any(|s| s.name.text == text) {
                    let why = format!("`{text}` replaces the known variant of that name");
                    let finding = Finding::warning(name.place, why);
                    self.findings.push(finding.within(text));
                }
                return;
            }
        };
        let finding = Finding::error(name.place, format!("`{text}` is {other}"));
        self.findings.push(finding.help("choose another name"));
    }

    /// Returns the draft of a section: its parent's draft with its own keys applied.
    fn draft(&mut self, id: SectionId, depth: usize) -> Option<Draft> {
        match self.states.get(&id) {
            Some(State::Finished(draft)) => return draft.as_deref().cloned(),
            // A cycle. The caller, which named this section as its parent, reports it.
            Some(State::Started) => return None,
            None => {}
        }
        self.states.insert(id, State::Started);
        let draft = self.make_draft(id, depth);
        let finished = State::Finished(draft.clone().map(Box::new));
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
        // Without its parent, what a section says by itself can still be wrong.
        let is_applied = |take: &Take| has_parent || !take.needs_parent();
        let suggestions = &mut self.suggestions;
        apply(section, &mut draft, is_applied, suggestions, &mut findings);
        let mut findings: Vec<Finding> = findings.into_iter().map(|f| f.within(name)).collect();
        if let Some(reason) = self.first_error(id, section, &findings) {
            self.faulty.entry(id).or_insert(reason);
        }
        // Findings on earlier files are reported with those files, and tests check the library.
        if id.file == self.resolved_file() {
            self.findings.append(&mut findings);
        }
        has_parent.then_some(draft)
    }

    /// Returns the place and text of the first error in the lines and keys of a section, if there is one.
    /// `findings` are those on its parent and keys.
    fn first_error(
        &self,
        id: SectionId,
        section: &Section,
        findings: &[Finding],
    ) -> Option<String> {
        let (file, on_lines) = match id.file == self.resolved_file() {
            true => ("", &self.findings[..]),
            // The findings on its lines are not kept.
            false => (" of an earlier file", &[][..]),
        };
        let name = &section.name.text;
        let first = on_lines
            .iter()
            .chain(findings)
            .filter(|f| f.severity == Severity::Error && f.section.as_ref() == Some(name))
            .min_by_key(|f| f.place);
        match first {
            Some(Finding { place, why, .. }) => Some(format!("line {}{file}: {why}", place.line)),
            None => (section.has_unreadable_line)
                .then(|| format!("section `{name}`{file}: an unreadable line")),
        }
    }

    /// Returns the draft of a section's parent. Without one, `findings` contains the reason.
    fn parent_draft(
        &mut self,
        id: SectionId,
        section: &Section,
        parent: &Spanned,
        depth: usize,
        findings: &mut Vec<Finding>,
    ) -> Option<Draft> {
        let name = parent.text.as_str();
        let mut wrong = |why: String| findings.push(Finding::error(parent.place, why));
        if depth == MAX_PARENTS {
            wrong(format!("more than {MAX_PARENTS} parents above one section"));
            return None;
        }
        if let Some(parent_id) = self.find_parent(id, name) {
            if matches!(self.states.get(&parent_id), Some(State::Started)) {
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
        if ROOTS.contains(&name) {
            return Some(Draft::chess());
        }
        if let Some(lent) = self.compiled.lent(name) {
            let why = format!(
                "`{name}` is a compiled rule set: its board and array are taken, none of its rules"
            );
            findings.push(Finding::warning(parent.place, why));
            return Some(lend(&lent));
        }
        if name == section.name.text {
            wrong(format!("`{name}` is a parent of itself"));
            return None;
        }
        let why = format!("there is no variant `{name}` to be a parent");
        let mut finding = Finding::error(parent.place, why);
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

    /// Finds a section by the name that a child gives: first in the child's own file, then in those before
    /// it, last in the library. So a section means the same in every later file, and one that replaces a
    /// known variant may still have that variant as its parent.
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

/// Returns the name by which a variant of the library is known: its own, or with `-fsf` behind it where a
/// compiled rule set, which is another game, has that name.
pub fn known_as(name: &str, compiled: &dyn Compiled) -> String {
    match compiled.has(name) {
        true => format!("{name}-fsf"),
        false => name.to_owned(),
    }
}

/// The names of orthodox chess.
pub(crate) const ROOTS: [&str; 2] = ["chess", "fide"];

/// Orthodox chess on the board of a compiled rule set.
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
    // Without its own state, and without castling, which is part of its law.
    let mut fields = lent.start_fen.split_whitespace();
    let (board, side) = (
        fields.next().unwrap_or_default(),
        fields.next().unwrap_or("w"),
    );
    draft.start_fen = format!("{board} {side} - - 0 1");
    let last = usize::from(lent.board.ranks() - 1);
    draft.promotion_region = [Plane::rank(last), Plane::rank(0)];
    draft.double_step_region = [
        Plane::rank(1.min(last)),
        Plane::rank(last.saturating_sub(1)),
    ];
    draft
}

/// Lays a section's keys on a draft, those whose values are of types that are looked at.
fn apply(
    section: &Section,
    draft: &mut Draft,
    is_applied: impl Fn(&Take) -> bool,
    suggestions: &mut usize,
    findings: &mut Vec<Finding>,
) {
    let entry = |name: &str| section.get(name);
    for key in &SIZE {
        if let Some(entry) = entry(key.name).filter(|_| is_applied(&key.take)) {
            lay(key, entry, draft, findings);
        }
    }
    let mut known: Vec<String> = Vec::new();
    for slot in 0..SLOTS {
        let name = slots::name(slot);
        if let Some(entry) = entry(&name)
            && let Err(finding) = piece(slot, &entry.value, draft)
        {
            findings.push(finding);
        }
        known.push(name);
    }
    for slot in 0..SLOTS {
        for color in Color::BOTH {
            let side = match color {
                Color::White => "White",
                Color::Black => "Black",
            };
            let name = format!("mobilityRegion{side}{}", slots::capitalized(slot));
            let key = Key {
                name: "mobilityRegion",
                meaning: "squares to which the unit may move",
                take: Take::Squares(|d, v| d.holes = v),
                old: None,
            };
            if let Some(entry) = entry(&name).filter(|_| is_applied(&key.take)) {
                let mut plane = Draft::empty();
                lay(&key, entry, &mut plane, findings);
                draft.mobility[slot][color.index()] = plane.holes;
            }
            known.push(name);
        }
    }
    for key in KEYS {
        if let Some(entry) = entry(key.name).filter(|_| is_applied(&key.take)) {
            lay(key, entry, draft, findings);
        }
        known.push(key.name.to_owned());
    }
    known.extend(SIZE.iter().map(|key| key.name.to_owned()));
    for (name, sides) in keys::MAIN_PAWN {
        if let Some(last) = entry(name).and_then(|e| last_piece(&e.value, draft)) {
            for &side in sides {
                draft.main_pawn[side] = last;
            }
        }
    }
    let mut unknown = 0;
    for entry in &section.entries {
        let name = entry.key.text.as_str();
        if !known.iter().any(|k| k == name) {
            unknown += 1;
            if unknown > MAX_UNKNOWN {
                let why = format!(
                    "more than {MAX_UNKNOWN} unknown keys in this section; the rest are not listed"
                );
                findings.push(Finding::error(entry.key.place, why));
                break;
            }
            let why = format!("there is no key `{}`", shortened(name));
            let finding = Finding::error(entry.key.place, why);
            let finding = finding.help(help_on_key(name, &known, suggestions));
            findings.push(finding);
        }
    }
    past(section, draft.n_move_kept, findings);
}

/// Lays one key on a draft.
fn lay(key: &Key, entry: &Entry, draft: &mut Draft, findings: &mut Vec<Finding>) {
    if let Some(now) = key.old {
        let why = format!("`{}` is an old name", key.name);
        findings.push(Finding::warning(entry.key.place, why).help(format!("write `{now}`")));
    }
    if let Err(finding) = take(key, &entry.value, draft) {
        findings.push(finding);
    }
}

/// Returns what to write instead of a key that does not exist.
fn help_on_key(name: &str, known: &[String], suggestions: &mut usize) -> String {
    if *suggestions == 0 {
        return "`fairyproof rules keys` lists all keys".to_owned();
    }
    *suggestions -= 1;
    match (near(name, known), &keys::related_keys(name)[..]) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, []) => "no key expresses it; `fairyproof rules keys` lists all keys".to_owned(),
        (None, related) => format!(
            "the nearest keys by meaning are `{}`; `fairyproof rules keys` lists all keys",
            related.join("`, `")
        ),
    }
}

/// Returns the known key nearest to a mistyped one, whatever its case.
fn near<'a>(typed: &str, known: &'a [String]) -> Option<&'a str> {
    // A key is short; a long text is near to none.
    if typed.chars().count() > 60 {
        return None;
    }
    // Names much longer or shorter are not near; the rest is compared letter by letter.
    let close =
        |k: &&String| k.len().abs_diff(typed.len()) <= 1 + k.len() / 4 || k.len() > typed.len();
    let known: Vec<&'a String> = known.iter().filter(close).collect();
    let lower: Vec<String> = known.iter().map(|k| k.to_ascii_lowercase()).collect();
    let near = nearest(typed, lower.iter().map(String::as_str))?;
    let index = lower.iter().position(|k| k == near)?;
    Some(known[index])
}

/// One warning for all keys of a section that speak of the game's past, but for the n-move rule where it
/// is kept.
fn past(section: &Section, keeps_n_move: bool, findings: &mut Vec<Finding>) {
    const PAST: [&str; 8] = [
        "nMoveRule",
        "nFoldRule",
        "nFoldValue",
        "perpetualCheckIllegal",
        "moveRepetitionIllegal",
        "chasingRule",
        "countingRule",
        "nFoldValueAbsolute",
    ];
    let off = |entry: &&Entry| ["false", "none", "0"].contains(&entry.value.text.as_str());
    let said: Vec<&Entry> = (section.entries.iter())
        .filter(|e| PAST.contains(&e.key.text.as_str()) && !off(e))
        .filter(|e| !(keeps_n_move && e.key.text == "nMoveRule"))
        .collect();
    if let Some(first) = said.first() {
        let names: Vec<_> = said.iter().map(|e| format!("`{}`", e.key.text)).collect();
        let why = format!(
            "{} left out: positions here have no past",
            match names.len() {
                1 => format!("{} is", names[0]),
                _ => format!("{} are", names.join(", ")),
            }
        );
        let finding = Finding::warning(first.key.place, why);
        let counts = said.iter().any(|e| e.key.text == "nMoveRule");
        findings.push(match counts {
            true => finding.help("`nMoveRuleKept = true` makes the count a part of the position"),
            false => finding,
        });
    }
}

/// `letter`, `letter:betza` or `-` for a piece.
fn piece(slot: usize, value: &Spanned, draft: &mut Draft) -> Result<(), Finding> {
    let name = slots::name(slot);
    let mut chars = value.text.chars();
    let letter = match chars.next() {
        Some('-') => {
            draft.remove_piece(slot);
            return Ok(());
        }
        Some(c) if c.is_ascii_alphabetic() => c,
        _ => {
            let why = format!("`{name}` takes the letter of the piece, or `-` for none");
            return Err(Finding::error(value.place, why).help(format!("`{name} = x`")));
        }
    };
    draft.add_piece(slot, letter.to_ascii_uppercase() as u8);
    let rest = chars.as_str();
    let movement = rest.trim_start().strip_prefix(':');
    let skipped =
        value.text.chars().count() - movement.unwrap_or(rest).trim_start().chars().count();
    match movement {
        None if !rest.trim().is_empty() => {
            let why = format!("`{name}`: `{}` is no single letter", shortened(&value.text));
            let help = match slots::is_written(slot) {
                true => {
                    format!("`{name} = x:WA`, a letter, a colon, the movement in Betza notation")
                }
                false => format!("`{name} = x`"),
            };
            Err(Finding::error(value.place, why).help(help))
        }
        // The king moves as it always does, other pieces as their name says.
        None if slot == KING => {
            draft.written[slot] = king();
            Ok(())
        }
        None if slots::is_written(slot) => {
            let why = format!("`{name}` lacks its movement");
            let help = format!("`{name} = {letter}:WA`, in Betza notation");
            Err(Finding::error(value.place, why).help(help))
        }
        None => Ok(()),
        Some(_) if !slots::is_written(slot) => {
            let why = format!(
                "the movement of `{name}` is fixed; what stands behind the colon is not read"
            );
            let help = "a piece of another movement is a `customPiece1` to `customPiece25`";
            Err(Finding::warning(value.place, why).help(help))
        }
        Some(text) => match Movement::parse(text.trim()) {
            Ok(movement) => {
                // As in the format: a custom piece whose movement says so captures en passant, unless
                // a key that comes later says otherwise.
                if movement.captures_en_passant() && slot != KING {
                    for types in &mut draft.en_passant_types {
                        types.0 |= 1 << slot;
                    }
                }
                draft.written[slot] = movement;
                Ok(())
            }
            Err(error) => {
                let mut place = value.place;
                place.column += (skipped
                    + text.trim()[..error.at.min(text.trim().len())]
                        .chars()
                        .count()) as u32;
                Err(Finding::error(place, format!("`{name}`: {}", error.why)))
            }
        },
    }
}

fn king() -> Movement {
    Movement::parse(slots::movement(KING)).expect("the king's movement reads")
}

/// Returns the board that a FEN's first field shows, for those who lend one.
pub fn shape(field: &str) -> Option<(usize, usize)> {
    let array = array::array(field).ok()?;
    Some((array.rows.first()?.len(), array.rows.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PieceSet, Value};

    fn findings(text: &str) -> Vec<String> {
        let book = read(text.as_bytes(), &NoneCompiled);
        book.findings.iter().map(Finding::to_string).collect()
    }

    fn definition(text: &str) -> Definition {
        let book = read(text.as_bytes(), &NoneCompiled);
        assert!(!book.has_errors(), "{:#?}", book.findings);
        book.definitions().last().unwrap().clone()
    }

    #[test]
    fn every_definition_of_the_library_is_without_errors() {
        let book = library();
        let errors: Vec<_> = (book.findings.iter())
            .filter(|f| f.severity == Severity::Error)
            .map(Finding::to_string)
            .collect();
        assert!(errors.is_empty(), "{errors:#?}");
        assert!(book.definitions().count() >= 60);
        assert_eq!(book.definitions().count(), book.sections.len());
    }

    #[test]
    fn chess_is_the_root_and_the_empty_section_has_no_pieces() {
        let chess = definition("[a:chess]\n");
        assert_eq!(chess.pieces.len(), 6);
        assert_eq!(chess.promotion.choices[0].len(), 4);
        assert_eq!(chess.promotion.region, [0xff << 56, 0xff]);
        assert_eq!(chess.pawns.double_step, [0xff00, 0xff << 48]);
        assert_eq!(chess.checks.king, chess.named("king"));
        assert_eq!(definition("[a:fide]\n").pieces, chess.pieces);
        let found = findings("[a]\n");
        assert!(found[0].contains("no pieces") || found.iter().any(|f| f.contains("no pieces")));
    }

    #[test]
    fn children_inherit_kinds_by_name_not_by_letter() {
        let text = "[a:chess]\nstartFen = 8/8/8/8/8/8/8/8 w - - 0 1\nking = -\ncommoner = k\n\
                    extinctionValue = loss\nextinctionPieceTypes = q\n[b:a]\nqueen = d\n";
        let child = definition(text);
        let queen = child.piece_of(b'd').unwrap();
        assert_eq!(child.extinction.types, PieceSet::one(queen));
        assert_eq!(child.extinction.value, Some(Value::Loss));
        // As in the format: a piece that gets a letter it had is no longer what pawns become.
        assert!(child.promotion.choices[0].has(queen));
        let again = definition("[a:chess]\nqueen = q\n");
        assert!(!again.promotion.choices[0].has(again.piece_of(b'q').unwrap()));
    }

    #[test]
    fn parents_may_stand_behind_their_children_and_cycles_are_found() {
        let child = definition("[b:a]\ncheckCounting = true\n[a:chess]\ncastling = false\n[c:b]\n");
        assert!(!child.castling.enabled && child.checks.counting);
        let found = findings("[a:b]\n[b:c]\n[c:a]\n[d:d]\n");
        assert!(
            found.iter().any(|f| f.contains("parent of itself")),
            "{found:?}"
        );
        assert!(
            found
                .iter()
                .any(|f| f.starts_with("4:4") && f.contains("`d` is a parent of itself"))
        );
        assert_eq!(found.len(), 4);
    }

    #[test]
    fn a_long_chain_of_parents_is_refused() {
        let text: String = (0..2_000).map(|i| format!("[a{i}:a{}]\n", i + 1)).collect();
        let found = findings(&text);
        assert!(found.iter().any(|f| f.contains("more than 64 parents")));
    }

    #[test]
    fn each_kind_of_wrong_value_is_told_with_place_and_help() {
        for (line, expected) in [
            (
                "casteling = false",
                "2:1: error: [a] there is no key `casteling`; did you mean `castling`?",
            ),
            (
                "Castling = false",
                "2:1: error: [a] there is no key `Castling`; did you mean `castling`?",
            ),
            (
                "castling = no",
                "2:12: error: [a] `castling` takes `true` or `false`, not `no`",
            ),
            (
                "castling = TRUE",
                "2:12: error: [a] `castling` takes `true` or `false`, not `TRUE`; write it in lower case",
            ),
            ("castling = false # none", "a comment has a line of its own"),
            (
                "maxRank = 17",
                "2:11: error: [a] `maxRank` takes a rank from 1 to 16, not `17`",
            ),
            ("maxFile = z", "2:11: error: [a] `maxFile` takes a file"),
            (
                "flagRegion = d4 x99 e5",
                "2:17: error: [a] `flagRegion`: `x99` is no square",
            ),
            (
                "flagPiece = z",
                "2:13: error: [a] no piece has the letter `z`; the pieces have the letters bknpqr",
            ),
            (
                "promotionPieceTypes = nbx",
                "2:25: error: [a] no piece has the letter `x`",
            ),
            (
                "stalemateValue = lose",
                "`stalemateValue` takes `win`, `loss` or `draw`, not `lose`",
            ),
            ("extinctionPieceCount = 300", "a number from 0 to 255"),
            ("wallingRule = ducks", "did you mean `duck`?"),
            (
                "promotionLimit = q:x",
                "2:18: error: [a] `promotionLimit` takes letters with numbers",
            ),
            ("promotedPieceType = p:z", "no piece has the letter `z`"),
            ("customPiece1 = x", "`customPiece1` lacks its movement"),
            (
                "customPiece1 = x:Wy",
                "2:19: error: [a] `customPiece1`: the modifier `y` is not supported",
            ),
            ("customPiece1 = xy", "no single letter"),
            ("customPiece1 = 1", "takes the letter of the piece"),
            (
                "knight = n:NN",
                "2:10: warning: [a] the movement of `knight` is fixed",
            ),
            ("checkCounting = true\nchecking = false", "contradicts"),
            (
                "blastOnCapture = true",
                "does not go with a royal `king`; make it a common piece",
            ),
            ("castlingQueensideFile = h", "lies to the right"),
            ("seirawanGating = true", "need `gating = true`"),
            (
                "maxFile = 16\nmaxRank = 16",
                "2:11: error: [a] a board of 16x16 squares is too large",
            ),
            (
                "maxFile = 10",
                "2:11: error: [a] `startFen`: rank 8 has 8 squares, the board 10 files",
            ),
            (
                "maxRank = 10",
                "2:11: error: [a] `startFen` has 8 rows, the board 10 ranks",
            ),
            (
                "startFen = 8/8/8/8/8/8/8/7x w - - 0 1",
                "2:12: error: [a] `startFen` has the letter `x`",
            ),
            (
                "startFen = 8/8/8/8/8/8/8/7% w - - 0 1",
                "`%` has no meaning on the board",
            ),
            (
                "startFen = k3R3/8/8/8/8/8/8/K3r3 w - - 0 1",
                "both kings are in check",
            ),
            (
                "startFen = k3R3/8/8/8/8/8/8/K7 w - - 0 1",
                "Black is in check in the start position, and not to move",
            ),
            (
                "startFen = kk6/8/8/8/8/8/8/K7 w - - 0 1",
                "Black starts with 2 royal kings",
            ),
            (
                "king = -\nstartFen = 8/8/8/8/8/8/8/7P w - - 0 1",
                "the variant has no goal",
            ),
            ("customPiece1 = x:", "`customPiece1` (X) has no moves"),
            (
                "nFoldRule = 4",
                "2:1: warning: [a] `nFoldRule` is left out: positions here have no past",
            ),
            ("promotionPieceTypes = -", "pawns have nothing to become"),
            (
                "promotionRank = 7",
                "2:1: warning: [a] `promotionRank` is an old name",
            ),
            ("dupleCheck = true", "says nothing"),
            ("extinctionValue = loss", "nothing runs out"),
            ("capturesToHand = true", "nothing is ever dropped"),
        ] {
            let found = findings(&format!("[a:chess]\n{line}\n"));
            assert!(
                found.iter().any(|f| f.contains(expected)),
                "{line}: {found:#?}"
            );
        }
    }

    #[test]
    fn names_of_compiled_rule_sets_and_roots_are_refused() {
        struct Three;
        impl Compiled for Three {
            fn has(&self, name: &str) -> bool {
                ["bachelor", "zoo", "spartan"].contains(&name)
            }
            fn lent(&self, name: &str) -> Option<Lent> {
                self.has(name).then(|| Lent {
                    board: Geometry::new(4, 3, 1 << 5, true).unwrap(),
                    start_fen: "k3/1*2/3K b KQkq - x=1 0 1".into(),
                })
            }
        }
        for (text, why) in [
            (
                "[a:chess]\n[bachelor:chess]\n",
                "2:2: error: `bachelor` is the name of a compiled rule set; choose another name",
            ),
            (
                "[a:chess]\n[chess]\nking = k\n",
                "2:2: error: `chess` is a name of orthodox chess; choose another name",
            ),
            (
                "[a:chess]\n[fide:chess]\n",
                "2:2: error: `fide` is a name of orthodox chess; choose another name",
            ),
        ] {
            let book = read(text.as_bytes(), &Three);
            let error = book.error_outside_sections().expect("an error");
            assert_eq!(error.to_string(), why);
            // The file is unusable.
            assert_eq!(book.definitions().count(), 0);
        }
        let book = read(b"[c:zoo]\n[kingofthehill:chess]\n", &Three);
        let found: Vec<_> = book.findings.iter().map(Finding::to_string).collect();
        assert!(
            found
                .iter()
                .any(|f| f.contains("its board and array are taken"))
        );
        assert!(
            found
                .iter()
                .any(|f| f.contains("replaces the known variant of that name"))
        );
        let book_of_two = read(b"[a:spartan-fsf]\n[b:spartan]\n", &Three);
        let names: Vec<_> = book_of_two.definitions().map(|d| d.pieces.len()).collect();
        assert_eq!(names, [11, 6]);
        let lent = &book.sections[0].definition.as_ref().unwrap();
        assert_eq!(lent.board, Geometry::new(4, 3, 1 << 5, true).unwrap());
        assert_eq!(lent.start_fen, "k3/1*2/3K b - - 0 1");
    }

    #[test]
    fn sections_of_earlier_files_may_be_parents() {
        let earlier = read(b"[one:chess]\ncastling = false\n", &NoneCompiled);
        let sections: Vec<Section> = earlier.sections.iter().map(|s| s.section.clone()).collect();
        let book = read_after(
            b"[two:one]\n[three:two]\n[four:atomic]\n",
            &[sections],
            &NoneCompiled,
        );
        assert!(book.findings.is_empty(), "{:?}", book.findings);
        let castling: Vec<bool> = book.definitions().map(|d| d.castling.enabled).collect();
        assert_eq!(castling, [false, false, true]);
    }

    #[test]
    fn sections_mean_the_same_in_later_files() {
        let sections = |text: &str, earlier: &[Vec<Section>]| -> Vec<Section> {
            let book = read_after(text.as_bytes(), earlier, &NoneCompiled);
            assert!(!book.has_errors(), "{:?}", book.findings);
            book.sections.into_iter().map(|s| s.section).collect()
        };
        // A parent from the library, which the second file replaces with a section that has it as parent.
        let one = sections("[a:atomic]\n", &[]);
        let two = sections(
            "[atomic:atomic]\nblastOnCapture = false\n",
            std::slice::from_ref(&one),
        );
        let text = "[b:a]\n[c:atomic]\n[d:nocheckatomic]\n[nocheckatomic:chess]\n";
        let book = read_after(text.as_bytes(), &[one, two], &NoneCompiled);
        let blasts: Vec<bool> = book.definitions().map(|d| d.captures.blast).collect();
        assert_eq!(blasts, [true, false, false, false], "{:?}", book.findings);
        let replaced = read_after(
            b"[e:atomic]\n",
            &[sections("[nocheckatomic:chess]\n", &[])],
            &NoneCompiled,
        );
        assert!(replaced.definitions().all(|d| d.captures.blast));
        assert_eq!(replaced.definitions().count(), 1);
    }

    #[test]
    fn errors_of_earlier_files_are_reported_at_the_child() {
        let earlier = "[a:none]\n[b:chess]\ncasteling = true\n[c:b]\n[d:chess]\nx\n";
        let earlier = read(earlier.as_bytes(), &NoneCompiled).sections;
        let earlier: Vec<Section> = earlier.into_iter().map(|s| s.section).collect();
        let book = read_after(b"[p:a]\n[q:c]\n[r:q]\n[s:d]\n", &[earlier], &NoneCompiled);
        assert_eq!(book.definitions().count(), 0);
        let found: Vec<_> = book.findings.iter().map(Finding::to_string).collect();
        let in_b = "the first in line 3 of an earlier file: there is no key `casteling`";
        assert_eq!(
            found,
            [
                "1:4: error: [p] the parent `a` has errors, the first in line 1 of an earlier file: \
                 there is no variant `none` to be a parent"
                    .to_owned(),
                format!("2:4: error: [q] the parent `c` has errors, {in_b}"),
                format!("3:4: error: [r] the parent `q` has errors, {in_b}"),
                "4:4: error: [s] the parent `d` has errors, the first in section `d` of an earlier file: \
                 an unreadable line"
                    .to_owned(),
            ]
        );
    }

    #[test]
    fn contradictions_of_a_parent_may_be_mended() {
        let text = "[base]\npawn = p\nking = k\n[a:base]\nstartFen = k7/8/8/8/8/8/8/K7 w - - 0 1\n";
        let book = read(text.as_bytes(), &NoneCompiled);
        assert!(book.sections[0].definition.is_none());
        assert!(book.sections[1].definition.is_some(), "{:?}", book.findings);
    }

    #[test]
    fn similar_names_are_looked_up_for_few_errors() {
        let text: String = (0..50)
            .map(|i| format!("[a{i}:ches]\n[b{i}:chess]\nc{i}astling = true\ncasteling = true\n"))
            .collect();
        let book = read(text.as_bytes(), &NoneCompiled);
        let suggested = (book.findings.iter()).filter(|f| {
            f.help
                .as_ref()
                .is_some_and(|h| h.starts_with("did you mean"))
        });
        assert_eq!(suggested.count(), MAX_SUGGESTIONS);
        assert_eq!(book.findings.len(), 150);
    }

    #[test]
    fn sections_without_a_parent_are_looked_at_as_far_as_that_goes() {
        let text = "[a:none]\nfoo = 3\nmaxRank = 20\nflagPiece = z\ncustomPiece1 = z:Y\n\
                    [b:a]\nchecking = maybe\n[c:c]\nstalemateValue = x\n";
        let book = read(text.as_bytes(), &NoneCompiled);
        let at: Vec<_> = (book.findings.iter())
            .map(|f| (f.place.line, f.place.column))
            .collect();
        // What letter `z` is, the parent might say.
        let places = [
            (1, 4),
            (2, 1),
            (3, 11),
            (5, 18),
            (6, 4),
            (7, 12),
            (8, 4),
            (9, 18),
        ];
        assert_eq!(at, places, "{:?}", book.findings);
        assert_eq!(book.definitions().count(), 0);
    }

    #[test]
    fn refused_keys_take_the_definition_back_and_point_at_their_line() {
        let text = "[a:chess]\ncastling = false\nwallingRule = duck\n[b:a]\n";
        let mut book = read(text.as_bytes(), &NoneCompiled);
        assert_eq!(book.definitions().count(), 2);
        book.refuse("a", "wallingRule", "no walls");
        book.refuse("b", "wallingRule", "no walls");
        let found: Vec<_> = book.findings.iter().map(Finding::to_string).collect();
        assert_eq!(
            found,
            [
                "3:1: error: [a] `wallingRule` is known but not supported: no walls",
                "4:2: error: [b] `wallingRule` is known but not supported: no walls",
            ]
        );
        assert_eq!(book.definitions().count(), 0);
    }

    #[test]
    fn old_names_mean_what_they_meant() {
        let old = definition(
            "[a:chess]\npromotionRank = 7\ndoubleStepRank = 3\nwhiteFlag = e4\nflagPiece = k\n",
        );
        assert_eq!(old.promotion.region, [0xffff << 48, 0xffff]);
        assert_eq!(old.pawns.double_step, [0xffff00, 0xffff << 40]);
        assert_eq!(old.flag.region, [1 << 28, 0]);
    }

    #[test]
    fn en_passant_in_a_movement_makes_its_piece_capture_so() {
        let a = definition("[a:chess]\ncustomPiece1 = x:fmWfceF\n");
        let x = a.piece_of(b'x').unwrap();
        assert!(a.en_passant.types.iter().all(|set| set.has(x)));
        assert_eq!(a.promotion.main_pawn, [a.named("pawn"); 2]);
        let b = definition("[a:chess]\ncustomPiece1 = x:fmW\npromotionPawnTypes = px\n");
        assert_eq!(b.promotion.main_pawn, [b.piece_of(b'x'); 2]);
    }
}

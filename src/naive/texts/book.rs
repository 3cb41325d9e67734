//! Files of sections, and the search for a section by its name: for an id, as a parent, or as a condition.

use super::ini::{self, Key, Section};
use super::rules::is_text_key;
use super::value::Outcome;

/// Files of rule texts and definitions.
pub struct Book {
    /// The known variants and texts, then files in their order.
    files: Vec<Vec<Section>>,
}

/// The place of a section: its file, and its index there.
type Place = (usize, usize);

/// A section with its ancestors.
pub struct Line<'b> {
    /// The sections, the oldest ancestor first.
    pub sections: Vec<&'b Section>,
    /// The parent of the oldest ancestor: `chess` or `fide-text`, or none.
    pub root: Option<&'static str>,
}

/// The maximum number of ancestors.
const MAX_PARENTS: usize = 100;

/// The texts of compiled rule sets end with this.
const TEXT: &str = "-text";

impl Book {
    /// Reads the sections of texts that everyone has, and of files.
    ///
    /// # Errors
    /// If a heading or a line before the first heading cannot be read.
    pub fn of_files(known: &str, files: &[&str]) -> Outcome<Book> {
        let all = [known].into_iter().chain(files.iter().copied());
        let files: Outcome<Vec<_>> = all.map(ini::sections).collect();
        Ok(Book { files: files? })
    }

    fn section(&self, (file, index): Place) -> &Section {
        &self.files[file][index]
    }

    /// Returns whether a section has a name for other files. A known variant with the name of a rule set of the
    /// rule book has the suffix `-fsf`.
    fn is_called(&self, (file, index): Place, name: &str) -> bool {
        let own = self.files[file][index].name.as_str();
        match file == 0 && crate::law(own).is_ok() {
            true => name.strip_suffix("-fsf") == Some(own),
            false => name == own,
        }
    }

    fn in_file(&self, file: usize, name: &str) -> Option<Place> {
        let mut places = (0..self.files[file].len()).map(|index| (file, index));
        places.find(|place| self.is_called(*place, name))
    }

    /// Finds a section by an id: in the files, then among the known ones.
    fn find(&self, name: &str) -> Option<Place> {
        let mut files = (1..self.files.len()).chain([0]);
        files.find_map(|file| self.in_file(file, name))
    }

    /// Finds the parent of a section: in its own file, in the files before it, then among the known ones.
    fn parent(&self, child: Place, name: &str) -> Option<Place> {
        let mut own = (0..self.files[child.0].len()).map(|index| (child.0, index));
        let own = own.find(|place| *place != child && self.section(*place).name == name);
        let mut others = (1..child.0).chain([0]).filter(|file| *file != child.0);
        own.or_else(|| others.find_map(|file| self.in_file(file, name)))
    }

    /// Returns the section of a condition.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn condition(&self, name: &str) -> Outcome<Line<'_>> {
        let place = self.find(name).ok_or(format!("no condition {name}"))?;
        let section = self.section(place);
        let is_condition = section
            .get("condition")
            .is_some_and(|key| key.value() == "true");
        match (is_condition, &section.fault) {
            (false, _) => Err(format!("{name} is not a condition")),
            (true, Some(fault)) => Err(format!("[{name}]: {fault}")),
            (true, None) => Ok(Line {
                sections: vec![section],
                root: None,
            }),
        }
    }

    /// Returns whether an id names a rule text: one with conditions, clauses or the parent `fide-text`.
    pub fn is_text(&self, id: &str) -> bool {
        let (base, _) = id.split_once(':').unwrap_or((id, ""));
        let Ok(line) = self.line(base.split('+').next().unwrap_or_default()) else {
            return false;
        };
        let mut sections = line.sections.iter();
        base.contains('+')
            || line.root == Some("fide-text")
            || sections.any(|section| section.is_text())
    }

    /// Returns the section with a name and its ancestors. A rule set of the rule book means its text.
    ///
    /// # Errors
    /// If a section is missing or has a line that cannot be read.
    pub fn line(&self, name: &str) -> Outcome<Line<'_>> {
        let mut sections: Vec<&Section> = Vec::new();
        let text = format!("{name}{TEXT}");
        let mut found = match crate::law(name).is_ok() {
            true => self.find(&text),
            false => self.find(name),
        };
        if found.is_none() {
            let root = match name {
                "fide" | "fide-text" => "fide-text",
                "chess" => "chess",
                _ => return Err(format!("no rule set {name}")),
            };
            return Ok(Line {
                sections,
                root: Some(root),
            });
        }
        let mut root = None;
        while let Some(place) = found.take() {
            let section = self.section(place);
            if sections.len() > MAX_PARENTS {
                return Err(format!("{name} is its own parent"));
            }
            if let Some(fault) = &section.fault {
                return Err(format!("[{}]: {fault}", section.name));
            }
            sections.insert(0, section);
            let Some(parent) = &section.parent else { break };
            let text = format!("{parent}{TEXT}");
            let is_compiled = crate::law(parent).is_ok();
            let of_text = || match section.is_text() && is_compiled {
                true => self.parent(place, &text),
                false => None,
            };
            found = self.parent(place, parent).or_else(of_text);
            if found.is_none() {
                root = Some(match parent.as_str() {
                    "fide-text" => "fide-text",
                    "fide" if section.is_text() => "fide-text",
                    "chess" | "fide" => "chess",
                    _ if is_compiled => {
                        return Err(format!("[{}] has the board of a rule set", section.name));
                    }
                    _ => return Err(format!("no rule set {parent}")),
                });
            }
        }
        Ok(Line { sections, root })
    }
}

impl Section {
    pub fn get(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// Returns whether the section has a key of rule texts.
    fn is_text(&self) -> bool {
        self.keys.iter().any(|key| is_text_key(&key.name))
    }
}

//! Consistency of a whole file: ids are unique, and references name measures of the file.

use super::source_text::{SourceText, Text};
use super::spec::{Check, ClaimSpec, Entry, Instance, MeasureKind, Operand, Page};
use diagnostics::{Diagnostic, nearest};

/// The maximum length of a claim's id with that of its page, in bytes. The id is the name of the evidence file,
/// and many file systems allow 255 bytes.
const MAX_ID_BYTES: usize = 200;

/// Checks that ids are unique, and that the evidence file names derived from them are unique and not too long.
///
/// # Errors
/// If two claims have the same id or evidence file, or an id is too long. The error points to the second of
/// two, or the id.
pub fn check_ids(source: &SourceText, entries: &[Entry]) -> Result<(), Diagnostic> {
    let mut seen = std::collections::BTreeMap::new();
    for entry in entries {
        let at = &entry.instances[0].claim.id;
        if entry.id.len() > MAX_ID_BYTES {
            let why = format!(
                "the id, with that of the page, has {} letters; at most {MAX_ID_BYTES} fit the name of a file",
                entry.id.len()
            );
            return Err(source.error(&at.span, why));
        }
        let file = crate::evidence_file(&entry.id);
        if let Some(other) = seen.insert(file, &entry.id) {
            let why = match *other == entry.id {
                true => format!("another claim of this file has the id `{}`", at.value),
                false => format!("`{}` and `{other}` differ in signs alone", entry.id),
            };
            let error = source.error(&at.span, why);
            return Err(match entry.instances[0].bindings.is_empty() {
                true => error,
                false => error.help("every name of `for` has to be in the id, or none"),
            });
        }
    }
    Ok(())
}

/// Checks that every id after `is`, `at_least` and `at_most` names another measure of the file.
///
/// # Errors
/// At the first reference that names no measure.
pub fn check_references(
    source: &SourceText,
    page: &Page,
    entries: &[Entry],
) -> Result<(), Diagnostic> {
    for entry in entries {
        for instance in &entry.instances {
            let Check::Measure(measure) = &instance.claim.check else {
                continue;
            };
            for (_, operand) in &measure.relations {
                let Operand::Reference(id) = operand else {
                    continue;
                };
                if id.value == instance.claim.id.value {
                    return Err(source.error(&id.span, "a measure compared with itself"));
                }
                check_reference(source, page, entries, id)?;
            }
        }
    }
    Ok(())
}

fn check_reference(
    source: &SourceText,
    page: &Page,
    entries: &[Entry],
    id: &Text,
) -> Result<(), Diagnostic> {
    let Some(target) = referred(page, entries, &id.value) else {
        let ids = || {
            entries
                .iter()
                .map(|entry| entry.instances[0].claim.id.value.as_str())
        };
        let why = format!(
            "`{}` is neither a number nor the id of a measure of this file",
            diagnostics::shortened(&id.value)
        );
        let error = source.error(&id.span, why);
        return Err(match nearest(&id.value, ids()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help("such as `20`, `\"1/3\"` or the id of another measure"),
        });
    };
    match target.instances[..] {
        [
            Instance {
                claim:
                    ClaimSpec {
                        check: Check::Measure(ref measure),
                        ..
                    },
                ..
            },
        ] if !matches!(measure.kind, MeasureKind::Value) => Ok(()),
        [_] => Err(source.error(
            &id.span,
            format!("`{}` does not measure a number", id.value),
        )),
        _ => Err(source
            .error(&id.span, format!("`{}` has several values", id.value))
            .help("give it an id with a placeholder, and name one instance")),
    }
}

/// Returns the entry with this id, which may be written with or without the page's id.
pub fn referred<'e>(page: &Page, entries: &'e [Entry], id: &str) -> Option<&'e Entry> {
    let full = format!("{}/{id}", page.id);
    let mut entries = entries.iter();
    entries.find(|entry| entry.id == id || entry.id == full)
}

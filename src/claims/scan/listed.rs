//! Single positions: the position of the claim, or the positions of a list.

use super::{Question, ScanResult, Scanned, Tally, Wanted, Witness};
use crate::file::Text;
use crate::subject::Subject;
use control::Control;
use diagnostics::Diagnostic;
use language::{About, Interrupted};
use notation::{Setup, with_setup};

/// Reads the positions of a list.
///
/// # Errors
/// If a text is not a position of the rule set, with its place in the file.
pub fn setups(subject: &Subject<'_>, texts: &[Text]) -> Result<Vec<Setup>, Diagnostic> {
    let read = |text: &Text| {
        Setup::read(&subject.variant, Some(&text.value))
            .map_err(|error| subject.file.error_of(text, &error))
    };
    texts.iter().map(read).collect()
}

/// Visits the positions in order. Returns `None` if `control` stopped it.
///
/// # Errors
/// If an expression is wrong, with its place in the file.
pub fn scan(
    setups: &[Setup],
    wanted: &Wanted<'_>,
    subject: &Subject<'_>,
    control: &Control<'_>,
) -> ScanResult {
    let stop = || control.check().is_err();
    let mut tally = Tally::default();
    // Conditions that have not held yet, and those that did not compile for some position. Each position has a
    // question of its own, since board sizes may differ.
    let mut never: Vec<usize> = (0..wanted.somewhere.len()).collect();
    let mut unread: Vec<usize> = Vec::new();
    for setup in setups {
        let question = Question::new(wanted, subject, &setup.game(), About::POSITION)?;
        let mut mark = || match subject.line.is_empty() || setups.len() > 1 {
            true => Witness {
                fen: setup.fen(),
                ..Witness::default()
            },
            false => Witness {
                root: subject.root.fen(),
                line: subject.line.clone(),
                fen: setup.fen(),
                turn: None,
            },
        };
        let decided = with_setup!(setup, start => {
            let position = language::Subject {
                stop: Some(&stop),
                ..language::Subject::new(start.game.as_ref(), &start.position)
            };
            question.examine(&position, &mut tally, &mut mark)
        });
        unread.extend(question.unread());
        let held_nowhere = question.never_held();
        never.retain(|at| held_nowhere.contains(at) || unread.contains(at));
        match decided {
            Ok(false) => {}
            Ok(true) => break,
            Err(Interrupted) => return Ok(None),
        }
    }
    let set = match setups.len() {
        1 => "the position".to_owned(),
        n => format!("the {n} positions"),
    };
    let scanned = Scanned {
        tally,
        limit: None,
        set,
        games: None,
    };
    let (unread, never) = never.into_iter().partition(|at| unread.contains(at));
    Ok(Some((scanned, never, unread)))
}

//! Printed lists of replies: checks whether they contain exactly the legal turns of a position.

use crate::file::Text;
use crate::subject::Subject;
use crate::{Evidence, Finding, Scope, Verdict};
use control::counted;
use diagnostics::Diagnostic;
use notation::{Start, fen, turns, with_setup};
use position::Layout;

/// A printed list compared with the legal turns.
struct Compared {
    fen: String,
    /// Each printed turn, with the legal turn that it means in coordinate notation, if there is one.
    printed: Vec<(String, Option<String>)>,
    /// Legal turns that are not printed.
    missing: Vec<String>,
}

/// Returns the printed turns. Commas separate them, or blanks if the list has no comma.
fn items(list: &str) -> Vec<&str> {
    let separated: Vec<&str> = match list.contains(',') {
        true => list.split(',').map(str::trim).collect(),
        false => list.split_whitespace().collect(),
    };
    separated
        .into_iter()
        .filter(|item| !item.is_empty())
        .collect()
}

fn compared<W: Layout>(list: &Text, start: &Start<W>) -> Compared {
    let (game, p) = (start.game.as_ref(), &start.position);
    let legal = turns::sorted(game, p);
    let mut left: Vec<String> = legal.into_iter().map(|(text, _)| text).collect();
    let mut printed = Vec::new();
    for item in items(&list.value) {
        let meant = turns::matching(game, p, item);
        // If the text is ambiguous, take a turn that no other text of the list means.
        let texts = meant.iter().map(|turn| turns::print(game, p, turn));
        let place = texts
            .filter_map(|text| left.iter().position(|l| *l == text))
            .next();
        printed.push((item.to_owned(), place.map(|place| left.remove(place))));
    }
    Compared {
        fen: fen::print(game, p),
        printed,
        missing: left,
    }
}

/// Checks that a list has turns.
///
/// # Errors
/// If the list is empty, with its place in the file.
pub fn validate(list: &Text, subject: &Subject<'_>) -> Result<(), Diagnostic> {
    match items(&list.value).is_empty() {
        true => Err(subject.file.error(&list.span, "the list has no turn")),
        false => Ok(()),
    }
}

impl Compared {
    fn wrong(&self) -> Vec<&str> {
        let wrong = self.printed.iter().filter(|(_, turn)| turn.is_none());
        wrong.map(|(item, _)| item.as_str()).collect()
    }

    fn finding(&self, verdict: Verdict, summary: String) -> Finding {
        let mut evidence = Evidence::new(&["fen", "printed", "turn", "legal"]);
        for (item, turn) in &self.printed {
            evidence.row([
                self.fen.clone(),
                item.clone(),
                turn.clone().unwrap_or_default(),
                turn.is_some().to_string(),
            ]);
        }
        for turn in &self.missing {
            evidence.row([
                self.fen.clone(),
                String::new(),
                turn.clone(),
                "true".to_owned(),
            ]);
        }
        Finding {
            verdict,
            scope: Scope::Exhaustive,
            summary,
            evidence,
        }
    }

    fn counts(&self) -> String {
        let legal = self.printed.len() - self.wrong().len() + self.missing.len();
        let legal = counted(legal, "legal turn", "legal turns");
        format!("{legal}, {} printed", self.printed.len())
    }
}

/// Verifies a list.
pub fn run(list: &Text, subject: &Subject<'_>) -> Finding {
    let compared = with_setup!(&subject.setup, start => compared(list, start));
    let mut faults = Vec::new();
    if !compared.wrong().is_empty() {
        faults.push(format!(
            "printed, but not a further legal turn: {}",
            compared.wrong().join(", ")
        ));
    }
    if !compared.missing.is_empty() {
        faults.push(format!(
            "legal, but not printed: {}",
            compared.missing.join(", ")
        ));
    }
    let counts = compared.counts();
    match faults.is_empty() {
        true => compared.finding(Verdict::Confirmed, format!("{counts}, the same ones")),
        false => compared.finding(Verdict::Refuted, format!("{counts}; {}", faults.join("; "))),
    }
}

/// Corrects a list in which at most `replaced` turns are wrong and at most `inserted` turns are missing.
pub fn amended(
    list: &Text,
    subject: &Subject<'_>,
    max_wrong: usize,
    max_missing: usize,
    printed: Finding,
) -> Finding {
    let compared = with_setup!(&subject.setup, start => compared(list, start));
    let (wrong, missing) = (compared.wrong(), &compared.missing);
    let inserted = missing.len().checked_sub(wrong.len());
    let fits = wrong.len() <= max_wrong && inserted.is_some_and(|n| n <= max_missing);
    if !fits {
        let summary = format!("{}; no correction makes it true", printed.summary);
        return Finding { summary, ..printed };
    }
    let change = match wrong.is_empty() {
        true => format!("insert {}", missing.join(", ")),
        false => format!("{} for {}", missing.join(", "), wrong.join(", ")),
    };
    let size = counted(missing.len(), "correction", "corrections");
    let summary = format!("{}; true with {size}: {change}", compared.counts());
    compared.finding(Verdict::ConfirmedAsAmended, summary)
}

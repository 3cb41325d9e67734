//! What the page says of positions that a line of turns from the start leads to.

use super::{Line, yes};
use crate::{Effort, Evidence, Finding, Scope, Verdict, listed};
use board::{Color, Kind};
use notation::turns;
use position::Narrow;
use rules::{Game, Turn};

/// Returns what was found, or that the line is illegal.
fn either(found: Result<Finding, Finding>) -> Finding {
    match found {
        Ok(finding) | Err(finding) => finding,
    }
}

/// The replies as the page prints them.
const REPLIES: &str = "a6/b5, Be6/Bd7, Bf5/Bd7, Bg4/Bd7, Bh3/Bd7, Nf3/Nd7";

/// The meanings that a printed letter may have had.
const LETTERS: &str = "abcdefgh12345678KQRBN";

pub(super) fn deadline(_: &Effort) -> Finding {
    either(replies("e2e3 d7d6 f1b5", REPLIES))
}

/// Returns the steps of a turn as the page prints them: letter (none for a pawn) and target of each.
fn printed_steps(game: &dyn Game<Narrow>, turn: &Turn) -> String {
    let step = |step: rules::Step| {
        let letter = match step.kind() {
            Kind::Pawn => String::new(),
            kind => game.men().letter(Color::White, kind).to_string(),
        };
        letter + &game.board().geometry().name(step.to)
    };
    let steps: Vec<String> = turn.steps().map(step).collect();
    steps.join("/")
}

/// Returns the list with one letter replaced, in every way.
fn readings(printed: &str) -> Vec<String> {
    let letters: Vec<char> = printed.chars().collect();
    let mut found = Vec::new();
    for (i, &old) in letters.iter().enumerate() {
        if !old.is_ascii_alphanumeric() {
            continue;
        }
        for new in LETTERS.chars().filter(|&new| new != old) {
            let mut other = letters.clone();
            other[i] = new;
            found.push(other.into_iter().collect());
        }
    }
    found
}

/// Returns the items of a printed list, in order.
fn items(printed: &str) -> Vec<String> {
    let mut items: Vec<String> = printed.split(", ").map(str::to_string).collect();
    items.sort_unstable();
    items
}

/// Returns whether a printed list names all legal turns after a line and nothing else: as printed, or with
/// one letter or figure replaced, or two.
///
/// # Errors
/// The finding that refutes the claim.
pub fn replies(text: &str, printed: &str) -> Result<Finding, Finding> {
    let line = Line::play("deadline", text)?;
    let (game, p) = (line.game(), line.last());
    let legal = turns::sorted(game, &p);
    let mut wanted: Vec<String> = legal
        .iter()
        .map(|(_, turn)| printed_steps(game, turn))
        .collect();
    wanted.sort_unstable();
    let mut evidence = Evidence::new(&["fen", "turn", "in_words_of_the_page", "printed"]);
    let on_page = items(printed);
    for (text, turn) in &legal {
        let words = printed_steps(game, turn);
        let there = on_page.contains(&words);
        evidence.row([line.fen(), text.clone(), words, yes(there)]);
    }
    let mut tried = 1;
    let mut fits: Vec<String> = Vec::new();
    let mut letters = 0;
    if on_page == wanted {
        fits.push(printed.to_string());
    }
    let mut front = vec![printed.to_string()];
    while fits.is_empty() && letters < 2 {
        letters += 1;
        front = front.iter().flat_map(|list| readings(list)).collect();
        tried += front.len();
        fits = front
            .iter()
            .filter(|r| items(r) == wanted)
            .cloned()
            .collect();
        fits.sort_unstable();
        fits.dedup();
    }
    let missing: Vec<String> = wanted
        .iter()
        .filter(|item| !on_page.contains(item))
        .cloned()
        .collect();
    let extra: Vec<String> = on_page
        .iter()
        .filter(|item| !wanted.contains(item))
        .cloned()
        .collect();
    let count = format!("{} legal replies, {} printed", wanted.len(), on_page.len());
    let (verdict, summary) = if fits.is_empty() {
        let summary = format!(
            "{count}; printed but illegal: {}; legal but not printed: {}; none of {tried} \
             readings with up to {letters} letters replaced is right",
            listed(&extra),
            listed(&missing)
        );
        (Verdict::Refuted, summary)
    } else if letters == 0 {
        (Verdict::Confirmed, format!("{count}, the same ones"))
    } else {
        let amendments: Vec<String> = fits
            .iter()
            .map(|list| {
                let was = printed.split(", ").zip(list.split(", "));
                let pairs: Vec<String> = was
                    .filter(|(old, new)| old != new)
                    .map(|(old, new)| format!("{new} for {old}"))
                    .collect();
                listed(&pairs)
            })
            .collect();
        let summary = format!(
            "{count}; the list is right with {letters} letter{} replaced: {} ({} of {tried} \
             readings fit)",
            if letters == 1 { "" } else { "s" },
            amendments.join(" or "),
            fits.len()
        );
        (Verdict::ConfirmedAsAmended, summary)
    };
    Ok(Finding {
        verdict,
        scope: Scope::Exhaustive,
        summary,
        evidence,
    })
}

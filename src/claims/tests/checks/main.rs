//! Tests of the checks of claims files, with known answers.

mod amend;
mod bound;
mod limits;
mod line;
mod random_amendments;
mod random_bounds;
mod random_lines;
mod solve;
mod steps;
mod vacuity;

use catalog::Catalog;
use control::Control;
use fairyproof_claims::{Finding, OpenFile, Verdict};
use notation::{Setup, with_setup};
use position::Layout;
use rules::Game;
use std::sync::Arc;

/// Pawns that advance and capture, without kings: on 5x5, and on 3x4.
const FROGS: &str = "[frogs]
maxRank = 5
maxFile = e
pawn = p
king = -
promotionPieceTypes = -
doubleStep = false
stalemateValue = loss
startFen = ppppp/5/5/5/PPPPP w - - 0 1

[toads:frogs]
maxRank = 4
maxFile = c
startFen = ppp/3/3/PPP w - - 0 1
";

/// Returns the plies of the longest game, by trying every line.
fn longest<W: Layout>(game: &dyn Game<W>, p: &position::Position<W>) -> u64 {
    let mut turns = Vec::new();
    game.turns(p, &mut turns);
    turns
        .iter()
        .map(|turn| 1 + longest(game, &game.play(p, turn)))
        .max()
        .unwrap_or(0)
}

/// Returns the plies of the longest game of `toads`.
fn longest_game_of_toads() -> u64 {
    let mut catalog = Catalog::new();
    catalog.add_text("rules.ini", FROGS).expect("definitions");
    let variant = catalog.open("toads").expect("a variant");
    let start = Setup::read(&variant, None).expect("a start");
    with_setup!(start, start => longest(start.game.as_ref(), &start.position))
}

/// Asserts that a finding has a verdict.
#[track_caller]
fn judged(found: &Finding, verdict: Verdict) {
    assert_eq!(found.verdict, verdict, "{}", found.summary);
}

/// Returns the cells of a column of the evidence.
fn cells(found: &Finding, column: usize) -> Vec<&str> {
    let rows = found.evidence.rows.iter();
    rows.map(|row| row[column].as_str()).collect()
}

/// Asserts that the summary of a finding contains a text.
#[track_caller]
fn says(found: &Finding, part: &str) {
    assert!(found.summary.contains(part), "{}", found.summary);
}

/// Reads a claims file with definitions.
fn opened(claims: &str, rules: &str) -> OpenFile {
    let mut catalog = Catalog::new();
    if !rules.is_empty() {
        catalog.add_text("rules.ini", rules).expect("definitions");
    }
    let claims = format!("[page]\ntitle = 'A page'\nvariant = 'fide'\n{claims}");
    match OpenFile::read("a.toml", &claims, None, &Arc::new(catalog)) {
        Ok(file) => file,
        Err(error) => panic!("{error} {:?}", error.help),
    }
}

/// Verifies a claims file with definitions. Returns the findings in the order of the file.
fn verified_with(claims: &str, rules: &str) -> Vec<Finding> {
    let file = opened(claims, rules);
    file.validate().expect("valid claims");
    let verify = |threads: usize| -> Vec<Finding> {
        control::parallel::in_pool(threads, || {
            let control = Control::new().with_threads(threads).with_memory(2 << 30);
            let entries = file.file.entries.iter();
            entries
                .map(|entry| file.verify(entry, &control).expect("a finding"))
                .collect()
        })
    };
    let findings = verify(2);
    assert_eq!(
        findings,
        verify(1),
        "findings do not depend on the number of threads"
    );
    findings
}

/// Verifies a slow claim once, on two threads.
fn verified_once(claim: &str) -> Finding {
    let file = opened(&format!("[[claim]]\nid = 'a'\nsays = 'a'\n{claim}"), "");
    let control = Control::new().with_threads(2).with_memory(2 << 30);
    control::parallel::in_pool(2, || file.verify(&file.file.entries[0], &control))
        .expect("a finding")
}

/// Verifies one claim.
fn verified(claim: &str) -> Finding {
    verified_with(&format!("[[claim]]\nid = 'a'\nsays = 'a'\n{claim}"), "").remove(0)
}

/// Returns the error that a faulty claim causes.
fn refused(claim: &str) -> String {
    let claims = format!("[[claim]]\nid = 'a'\nsays = 'a'\n{claim}");
    let error = opened(&claims, "").validate().expect_err(claim.trim());
    format!("{error}; {}", error.help.clone().unwrap_or_default())
}

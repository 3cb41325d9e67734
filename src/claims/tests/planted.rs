//! Planted faults: ten wrong rules in every rule set, each of which should change the verdict of a claim about it.
//!
//! `cargo test --release --test planted -- --ignored` plants all; with `FAIRYPROOF_FAULTS=FILE` it
//! writes the table.

use board::{Color, Kind, Movement};
use catalog::Catalog;
use control::Control;
use fairyproof_claims::{self as claims, ClaimsAbout, Listed};
use rayon::prelude::*;
use rules::{Action, Change, Hook, Scoring, VariantInfo};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Faults in each rule set.
const EACH: usize = 10;

const CAMEL: Movement = Movement::Leaper(&[
    (1, 3),
    (3, 1),
    (3, -1),
    (1, -3),
    (-1, -3),
    (-3, -1),
    (-3, 1),
    (-1, 3),
]);
const LONG_KING: Movement = Movement::Leaper(&[
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
    (2, 0),
    (0, 2),
    (-2, 0),
    (0, -2),
]);

/// Returns the faults of a rule set: first those in its own rules and outcomes, then those in the rules that it shares
/// with orthodox chess.
fn faults(info: &'static VariantInfo) -> Vec<Change> {
    let mut faults: Vec<Change> = Vec::new();
    let shapes = [Hook::Array, Hook::Geometry];
    let rules = || {
        info.diff
            .iter()
            .copied()
            .filter(|hook| !shapes.contains(hook))
    };
    faults.extend(rules().map(Change::Without));
    faults.truncate(6);
    for (at, (reason, _)) in info.reasons.iter().enumerate().take(3) {
        let scorings = [Scoring::OtherWins, Scoring::Draw, Scoring::MoverWins];
        faults.push(Change::Scores(reason, scorings[at % 2]));
    }
    for hook in [
        Hook::Settled,
        Hook::Filter,
        Hook::Safety,
        Hook::NoTurn,
        Hook::Pseudo,
    ] {
        if info.diff.contains(&hook) && faults.len() < 8 {
            faults.push(Change::WithoutFor(hook, Color::Black));
        }
    }
    let start = (info.start)(&Vec::new());
    let has_double_step = !info.diff.contains(&Hook::DoubleStep);
    if start.contains("KQkq") {
        faults.push(Change::Forbids(Action::Castle));
    }
    if has_double_step {
        faults.push(Change::Forbids(Action::EnPassant));
    }
    faults.push(match info.id {
        "bachelor" => Change::ArraySwap("a1", "b1"),
        _ => Change::ArraySwap("b1", "c1"),
    });
    faults.push(Change::NoCaptures(Kind::Pawn));
    faults.push(Change::Moves(Kind::Knight, CAMEL));
    faults.push(Change::Moves(Kind::King, LONG_KING));
    faults.push(Change::Promotions(&[Kind::Rook]));
    faults.push(Change::Forbids(Action::DoubleStep));
    faults.push(Change::Moves(Kind::Bishop, Movement::bishop(4)));
    faults.dedup();
    faults.truncate(EACH);
    faults
}

fn all_faults() -> Vec<(&'static VariantInfo, usize, Change)> {
    let mut all = Vec::new();
    for info in variants::all() {
        let faults = faults(info);
        assert_eq!(faults.len(), EACH, "{}", info.id);
        all.extend(
            faults
                .into_iter()
                .enumerate()
                .map(|(at, change)| (*info, at, change)),
        );
    }
    all
}

/// A row of the table: rule set, number, fault, the claim that noticed it, its verdict, and its verdict with the fault.
type Row = [String; 6];

/// Plants these faults and returns the rows of the table.
fn planted(faults: &[(&'static VariantInfo, usize, Change)]) -> Vec<Row> {
    let catalog = Arc::new(Catalog::new());
    let pages = claims::built_in_pages(&catalog).expect("the pages");
    let listed: Vec<Listed<'_>> = pages.iter().flat_map(Listed::of_file).collect();
    let listed: Vec<Listed<'_>> = listed.into_iter().filter(|claim| !claim.deep).collect();
    let mut about: BTreeMap<&str, ClaimsAbout<'_>> = BTreeMap::new();
    for (info, ..) in faults {
        about
            .entry(info.id)
            .or_insert_with(|| ClaimsAbout::new(&listed, info.id));
    }
    let control = Control::new();
    let row = |(info, at, change): &(&'static VariantInfo, usize, Change)| {
        let (claim, verdict, changed) = match about[info.id].noticing(*change, &control) {
            Some((claim, verdict, changed)) => (
                claim.to_owned(),
                verdict.to_string(),
                changed.map_or("position refused".to_owned(), |changed| changed.to_string()),
            ),
            None => Default::default(),
        };
        [
            info.id.to_owned(),
            (at + 1).to_string(),
            name(*change),
            claim,
            verdict,
            changed,
        ]
    };
    faults.par_iter().map(row).collect()
}

/// Returns a fault in words.
fn name(change: Change) -> String {
    match change {
        Change::Without(hook) => format!("{hook:?} is that of orthodox chess"),
        Change::WithoutFor(hook, color) => {
            format!("{hook:?} is that of orthodox chess for {color:?}")
        }
        Change::Moves(kind, Movement::Slider(_)) => format!("{kind:?}: a slide is too short"),
        Change::Moves(kind, _) => format!("{kind:?}: a step is too long"),
        Change::Promotions(kinds) => format!("pawns promote to {kinds:?}"),
        Change::Forbids(action) => format!("{action:?} does not exist"),
        Change::NoCaptures(kind) => format!("{kind:?} does not capture"),
        Change::Scores(reason, scoring) => format!("{reason} is scored {scoring:?}"),
        Change::ArraySwap(a, b) => format!("{a} and {b} are swapped in the array"),
    }
}

const COLUMNS: [&str; 6] = [
    "rule_set",
    "number",
    "fault",
    "noticed_by",
    "verdict",
    "verdict_with_fault",
];

#[test]
#[ignore = "takes minutes; writes the table to FAIRYPROOF_FAULTS"]
fn all_planted_faults_are_noticed() {
    let rows = planted(&all_faults());
    if let Ok(file) = std::env::var("FAIRYPROOF_FAULTS") {
        let mut writer = csv::Writer::from_path(file).expect("a file");
        writer.write_record(COLUMNS).expect("a row");
        for row in &rows {
            writer.write_record(row).expect("a row");
        }
        writer.flush().expect("a file");
    }
    let unnoticed: Vec<&Row> = rows.iter().filter(|row| row[3].is_empty()).collect();
    for info in variants::all() {
        let missed = unnoticed.iter().filter(|row| row[0] == info.id).count();
        assert!(
            missed <= 2,
            "{}: {missed} unnoticed: {unnoticed:?}",
            info.id
        );
    }
    assert!(
        unnoticed.len() * 20 <= rows.len(),
        "{} of {} unnoticed: {unnoticed:?}",
        unnoticed.len(),
        rows.len()
    );
}

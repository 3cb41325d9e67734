//! Planted faults: ten wrong rules in every rule set, each of which should change the verdict of a claim
//! about that rule set.
//!
//! The table `tests/data/planted-faults.csv` names the claim that detects each fault. Every run plants a
//! sample. `FAIRYPROOF_FAULTS=FILE cargo test --release --test planted -- --ignored` plants all faults and
//! writes the table; `FAIRYPROOF_FAULTS_OF=glory` plants only those of one rule set.

use board::{Color, Kind, Movement, Squares};
use catalog::Catalog;
use control::{Control, Random};
use fairyproof_claims::{self as claims, ClaimsAbout, Listed, OpenFile};
use notation::{Setup, fen, turns, with_setup};
use rayon::prelude::*;
use rules::{Action, Change, Hook, Scoring, Variant, VariantInfo};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The number of faults in each rule set.
const EACH: usize = 10;

/// The number of rows of the table that every run verifies.
const SAMPLE: usize = 60;

/// The number of random games that search for an effect of an undetected fault, their maximum length in plies
/// and their seed.
const GAMES: u64 = 20;
const PLIES: usize = 80;
const SEED: u64 = 1;

/// The last column of the table for a fault without an effect.
const NO_EFFECT: &str = "no effect";

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

/// Returns the faults of a rule set: first those in its own rules and outcomes, then those in the rules that
/// it shares with orthodox chess.
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
    for (at, (reason, meaning)) in info.reasons.iter().enumerate().take(3) {
        let scoring = match (meaning.contains("a draw"), at % 2) {
            (true, _) => Scoring::MoverWins,
            (false, 0) => Scoring::OtherWins,
            (false, _) => Scoring::Draw,
        };
        faults.push(Change::Scores(reason, scoring));
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
    faults.push(Change::Moves(Kind::Knight, Movement::CAMEL));
    faults.push(Change::Moves(Kind::King, LONG_KING));
    faults.push(Change::Promotions(&[Kind::Rook]));
    faults.push(Change::Forbids(Action::DoubleStep));
    faults.push(Change::Moves(Kind::Bishop, Movement::bishop(4)));
    let catalog = Catalog::new();
    faults.retain(|change| claims::is_playable(&catalog, info.id, *change));
    faults.dedup();
    faults.truncate(EACH);
    faults
}

/// A rule set, the number of a fault from 0, and the fault.
type Fault = (&'static VariantInfo, usize, Change);

fn all_faults() -> Vec<Fault> {
    let only = std::env::var("FAIRYPROOF_FAULTS_OF").ok();
    let mut all = Vec::new();
    let chosen = |info: &&&VariantInfo| only.as_ref().is_none_or(|only| only == info.id);
    for info in variants::all().iter().filter(chosen) {
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

/// A row of the table: rule set, number, fault, the claim that detected it, its verdict without the fault,
/// and its verdict with the fault.
type FaultRow = [String; 6];

fn pages() -> Vec<OpenFile> {
    claims::built_in_pages(&Arc::new(Catalog::new())).expect("the pages")
}

/// Plants faults and returns the rows of the table.
fn planted(faults: &[Fault]) -> Vec<FaultRow> {
    let pages = pages();
    let listed: Vec<Listed<'_>> = pages.iter().flat_map(Listed::of_file).collect();
    let listed: Vec<Listed<'_>> = listed.into_iter().filter(|claim| !claim.deep).collect();
    let mut about: BTreeMap<&str, ClaimsAbout<'_>> = BTreeMap::new();
    for (info, ..) in faults {
        about
            .entry(info.id)
            .or_insert_with(|| ClaimsAbout::new(&listed, info.id));
    }
    let row = |fault: &Fault| row(fault, &about[fault.0.id]);
    faults.par_iter().map(row).collect()
}

/// Plants a fault and returns its row of the table.
fn row((info, at, change): &Fault, about: &ClaimsAbout<'_>) -> FaultRow {
    let (claim, verdict, changed) = match about.noticing(*change, &Control::new()) {
        Some((claim, verdict, changed)) => (
            claim.to_owned(),
            verdict.to_string(),
            changed.map_or("position refused".to_owned(), |changed| changed.to_string()),
        ),
        None if has_effect(info, *change) => Default::default(),
        None => (String::new(), String::new(), NO_EFFECT.to_owned()),
    };
    [
        info.id.to_owned(),
        (at + 1).to_string(),
        name(*change),
        claim,
        verdict,
        changed,
    ]
}

/// Returns whether the start position or a position of random games differs under a change: in its outcome,
/// its legal turns, the positions after them, or the attackers of a square. A changed score always counts as
/// an effect, since games can end in each way even if these games do not.
fn has_effect(info: &'static VariantInfo, change: Change) -> bool {
    if matches!(change, Change::Scores(..)) {
        return true;
    }
    let variant = Variant::from(info);
    let changed = Catalog::new().with_change(info.id, change);
    let changed = changed.open(info.id).expect("a rule set");
    if variant.start() != changed.start() {
        return described(&variant, &variant.start()).0 != described(&changed, &changed.start()).0;
    }
    (0..GAMES).any(|game| {
        let mut position = variant.start();
        let mut random = Random::numbered(SEED, game);
        for _ in 0..PLIES {
            let (text, next) = described(&variant, &position);
            if described(&changed, &position).0 != text {
                return true;
            }
            if next.is_empty() {
                break;
            }
            position = random.pick(&next);
        }
        false
    })
}

/// Returns a description of a position, and the positions after its turns.
fn described(variant: &Variant, position: &str) -> (String, Vec<String>) {
    let Ok(setup) = Setup::read(variant, Some(position)) else {
        return ("refused".to_owned(), Vec::new());
    };
    with_setup!(&setup, start => {
        let (game, p) = (start.game.as_ref(), &start.position);
        let legal = turns::sorted(game, p);
        let (texts, next): (Vec<String>, Vec<String>) = legal
            .into_iter()
            .map(|(text, turn)| (text, fen::print(game, &game.play(p, &turn))))
            .unzip();
        let geometry = game.board().geometry();
        let attackers: Vec<u128> = Color::BOTH
            .into_iter()
            .flat_map(|color| game.board().squares().iter().map(move |square| (color, square)))
            .map(|(color, square)| game.attackers(p, square, color).bits())
            .collect();
        let text = format!(
            "{} {} {} {texts:?} {next:?} {attackers:?}",
            geometry.files(), fen::print(game, p), game.outcome(p)
        );
        (text, next)
    })
}

/// Returns the description of a fault.
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
    let (mut all, mut missed) = (0, Vec::new());
    for info in variants::all() {
        let own: Vec<&FaultRow> = rows
            .iter()
            .filter(|row| row[0] == info.id && row[5] != NO_EFFECT)
            .collect();
        let unnoticed: Vec<&FaultRow> = own
            .iter()
            .filter(|row| row[3].is_empty())
            .copied()
            .collect();
        assert!(unnoticed.len() * 5 <= own.len(), "{unnoticed:?}");
        all += own.len();
        missed.extend(unnoticed);
    }
    assert!(
        missed.len() * 20 <= all,
        "{} of {all}: {missed:?}",
        missed.len()
    );
}

/// Plants some faults of each rule set, and verifies the claims that the table names.
#[test]
fn sample_of_planted_faults_is_noticed_as_recorded() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/planted-faults.csv");
    let mut reader = csv::Reader::from_path(file).expect("the table");
    let recorded: Vec<FaultRow> = reader
        .deserialize()
        .map(|row| row.expect("a row"))
        .collect();
    let faults = all_faults();
    let names = |row: &FaultRow| row[..3].to_vec();
    let planted: Vec<Vec<String>> = faults
        .iter()
        .map(|(info, at, change)| vec![info.id.to_owned(), (at + 1).to_string(), name(*change)])
        .collect();
    assert_eq!(recorded.iter().map(names).collect::<Vec<_>>(), planted);
    // Take the first detected fault of each rule set, then the second of each, and so on.
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut noticed: Vec<(usize, usize)> = Vec::new();
    for (at, row) in recorded
        .iter()
        .enumerate()
        .filter(|(_, row)| !row[3].is_empty())
    {
        let before = seen.entry(&row[0]).or_default();
        noticed.push((*before, at));
        *before += 1;
    }
    noticed.sort_unstable();
    noticed.truncate(SAMPLE);
    let pages = pages();
    noticed.par_iter().for_each(|(_, at)| {
        let claims = pages.iter().flat_map(Listed::of_file);
        let named: Vec<Listed<'_>> = claims
            .filter(|claim| claim.id == recorded[*at][3])
            .collect();
        let about = ClaimsAbout::new(&named, faults[*at].0.id);
        assert_eq!(row(&faults[*at], &about), recorded[*at]);
    });
}

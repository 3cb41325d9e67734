//! Planted faults: wrong rules in the text of every rule set, each of which should change the verdict of a claim
//! about that rule set.
//!
//! The table `tests/data/planted-faults.csv` names the claim that detects each fault. Every run plants a
//! sample. `FAIRYPROOF_FAULTS=FILE cargo test --release --test claims planted -- --ignored` plants all faults and
//! writes the table; `FAIRYPROOF_FAULTS_OF=glory` plants only those of one rule set.

use crate::faults::{EACH, Fault, TOO_SLOW, faults, rule_sets};
use crate::random::{Random, few_units_of, random_fen};
use fairyproof::catalog::Catalog;
use fairyproof::claims::{self, ClaimsAbout, Limits, Listed, OpenFile};
use fairyproof::control::Control;
use fairyproof::notation::{Setup, Start, turns, with_setup};
use fairyproof::position::Layout;
use fairyproof::rules::Variant;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// The number of rows of the table that every run verifies.
const SAMPLE: usize = 60;

/// The limits of each claim.
const LIMITS: Limits = Limits {
    states: 5_000,
    positions: 5_000,
    games: 10,
};

/// The limits of each claim when it is verified with the text alone.
const FEW: Limits = Limits {
    states: 500,
    positions: 500,
    games: 2,
};

/// The number of positions in which an undetected fault must not change a turn or an outcome.
const POSITIONS: usize = 20_000;

/// The maximum length of the random games through these positions, in plies, and their seed.
const PLIES: usize = 80;
const SEED: u64 = 1;

/// The last column of the table for a fault without an effect.
const NO_EFFECT: &str = "no effect";

/// Why no game shows the order of two ends: it matters only where both hold.
const BOTH_SIDES: &str = "both sides would have to lose their units at once, which no turn does";

/// The faults with an effect that no claim notices within these limits, by rule set and the first words of the fault, with
/// the reason: the claim that notices them within limits of its own, or why no game shows them.
const UNNOTICED: [(&str, &str, &str); 13] = [
    (
        "fide",
        "turnsInto = size(captures) > 0",
        "fide/perft-of-a-full-position-3",
    ),
    ("clerical", "ends 2 comes", BOTH_SIDES),
    ("counselor", "prefer", "counselor/turns-as-written"),
    (
        "decastellation",
        "ends 4, rooks-captured",
        "decastellation/ends-as-written",
    ),
    (
        "decastellation",
        "ends: `mover` 4",
        "decastellation/ends-as-written",
    ),
    ("decastellation", "ends ", BOTH_SIDES),
    ("dowager", "movement.queen", "dowager/games-end-as-written"),
    ("dynastic", "movement.queen", "dynastic/monarchs-move"),
    ("entourage", "ends 2 comes", BOTH_SIDES),
    ("linkage", "ends ", "linkage/games-end-as-written"),
    (
        "separation",
        "let.quadrant(u): `0` 2",
        "separation/games-end-as-written",
    ),
    ("shrapnel", "ends 2 comes", BOTH_SIDES),
    ("ultimate", "ends ", "ultimate/games-end-as-written"),
];

fn all_faults() -> Vec<Fault> {
    let catalog = Catalog::new();
    let only = std::env::var("FAIRYPROOF_FAULTS_OF").ok();
    let mut chosen = rule_sets(&catalog);
    chosen.retain(|id| !TOO_SLOW.contains(id) && only.as_deref().is_none_or(|only| only == *id));
    let found: Vec<Vec<Fault>> = chosen.par_iter().map(|id| faults(&catalog, id)).collect();
    for (id, found) in chosen.iter().zip(&found) {
        assert_eq!(found.len(), EACH, "{id}");
    }
    found.into_iter().flatten().collect()
}

/// A row of the table: rule set, fault, the claim that detected it, its verdict without the fault, and its verdict with
/// the fault.
type FaultRow = [String; 5];

fn pages() -> Vec<OpenFile> {
    claims::built_in_pages(&Arc::new(Catalog::new())).expect("the pages")
}

/// Plants faults and returns the rows of the table.
fn planted(faults: &[Fault]) -> Vec<FaultRow> {
    let pages = pages();
    let listed: Vec<Listed<'_>> = pages.iter().flat_map(Listed::of_file).collect();
    let listed: Vec<Listed<'_>> = listed.into_iter().filter(|claim| !claim.deep).collect();
    let mut about: BTreeMap<&str, ClaimsAbout<'_>> = BTreeMap::new();
    for fault in faults {
        about
            .entry(&fault.id)
            .or_insert_with(|| ClaimsAbout::new(&listed, &fault.id, LIMITS));
    }
    let row = |fault: &Fault| row(fault, &about[fault.id.as_str()]);
    faults.par_iter().map(row).collect()
}

/// Plants a fault and returns its row of the table.
fn row(fault: &Fault, about: &ClaimsAbout<'_>) -> FaultRow {
    let (claim, verdict, changed) = match about.noticing(&fault.catalog, &Control::new()) {
        Some((claim, verdict, changed)) => (
            claim.to_owned(),
            verdict.to_string(),
            changed.map_or("position refused".to_owned(), |changed| changed.to_string()),
        ),
        None if has_effect(fault) => Default::default(),
        None => (String::new(), String::new(), NO_EFFECT.to_owned()),
    };
    [
        fault.id.clone(),
        fault.what.clone(),
        claim,
        verdict,
        changed,
    ]
}

/// Returns whether a turn or an outcome differs under a fault in random games from the start and from random positions.
fn has_effect(fault: &Fault) -> bool {
    let own = Variant::from(fairyproof::variants::find(&fault.id).expect("a rule set"));
    let changed = fault.catalog.open(&fault.id).expect("a rule set");
    if own.start() != changed.start() {
        return true;
    }
    let mut examined = 0;
    let mut random = Random(SEED);
    while examined < POSITIONS {
        let start = match random.below(32) {
            0 => random_fen(&fault.id, &mut random),
            1..8 => own.start(),
            _ => few_units_of(&own.start(), &mut random),
        };
        let (own, changed) = (
            Setup::read(&own, Some(&start)),
            Setup::read(&changed, Some(&start)),
        );
        if let (Ok(own), Ok(changed)) = (own, changed)
            && with_setup!(&own, own => with_setup!(&changed, changed => {
                games_differ(own, changed, &mut random, &mut examined)
            }))
        {
            return true;
        }
    }
    false
}

/// Plays the same random turns with two rule sets, and returns whether a turn or an outcome differs.
fn games_differ<V: Layout, W: Layout>(
    one: &Start<V>,
    other: &Start<W>,
    random: &mut Random,
    examined: &mut usize,
) -> bool {
    let (mut p, mut q) = (one.position, other.position);
    for _ in 0..PLIES {
        *examined += 1;
        let (ours, theirs) = (
            turns::sorted(one.game.as_ref(), &p),
            turns::sorted(other.game.as_ref(), &q),
        );
        let same = ours
            .iter()
            .map(|(text, _)| text)
            .eq(theirs.iter().map(|(text, _)| text));
        if !same || one.game.outcome(&p) != other.game.outcome(&q) {
            return true;
        }
        if ours.is_empty() {
            break;
        }
        let chosen = random.below(ours.len());
        p = one.game.play(&p, &ours[chosen].1);
        q = other.game.play(&q, &theirs[chosen].1);
    }
    false
}

const COLUMNS: [&str; 5] = [
    "rule_set",
    "fault",
    "noticed_by",
    "verdict",
    "verdict_with_fault",
];

#[test]
#[ignore = "takes long; writes the table to FAIRYPROOF_FAULTS"]
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
    assert_noticed(&rows);
}

/// Nineteen of twenty faults with an effect are noticed.
fn assert_noticed(rows: &[FaultRow]) {
    let effective: Vec<&FaultRow> = rows.iter().filter(|row| row[4] != NO_EFFECT).collect();
    let missed: Vec<&&FaultRow> = effective.iter().filter(|row| row[2].is_empty()).collect();
    assert!(
        missed.len() * 20 <= effective.len(),
        "{} of {}: {missed:#?}",
        missed.len(),
        effective.len()
    );
}

/// Checks that there is a reason for each fault that is not noticed, and no reason for others.
fn assert_explained(rows: &[FaultRow]) {
    let reason = |row: &FaultRow| {
        UNNOTICED
            .iter()
            .position(|(id, words, _)| row[0] == *id && row[1].starts_with(words))
    };
    let missed = rows
        .iter()
        .filter(|row| row[2].is_empty() && row[4] != NO_EFFECT);
    let used: BTreeSet<usize> = missed
        .map(|row| reason(row).unwrap_or_else(|| panic!("{row:?} has no reason")))
        .collect();
    assert_eq!(used.len(), UNNOTICED.len(), "{used:?}");
    let claims: BTreeSet<String> = pages()
        .iter()
        .flat_map(Listed::of_file)
        .map(|claim| claim.id.to_owned())
        .collect();
    for (_, _, reason) in UNNOTICED {
        assert!(reason == BOTH_SIDES || claims.contains(reason), "{reason}");
    }
}

/// Plants some faults of each rule set, and verifies the claims that the table names.
#[test]
fn sample_of_planted_faults_is_noticed_as_recorded() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/planted-faults.csv");
    let mut reader = csv::Reader::from_path(file).expect("the table");
    let recorded: Vec<FaultRow> = reader
        .deserialize()
        .map(|row| row.expect("a row"))
        .collect();
    assert_noticed(&recorded);
    assert_explained(&recorded);
    let faults = all_faults();
    let planted: Vec<[&str; 2]> = (faults.iter())
        .map(|fault| [fault.id.as_str(), fault.what.as_str()])
        .collect();
    let named = recorded
        .iter()
        .map(|row| [row[0].as_str(), row[1].as_str()]);
    assert_eq!(named.collect::<Vec<_>>(), planted);
    // Take the first detected fault of each rule set, then the second of each, and so on.
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut noticed: Vec<(usize, usize)> = Vec::new();
    for (at, row) in recorded
        .iter()
        .enumerate()
        .filter(|(_, row)| !row[2].is_empty())
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
            .filter(|claim| claim.id == recorded[*at][2])
            .collect();
        let about = ClaimsAbout::new(&named, &faults[*at].id, LIMITS);
        assert_eq!(row(&faults[*at], &about), recorded[*at]);
    });
}

/// Claims that the text of a rule set cannot be asked, because it writes what they name in another way, with the reason.
const WRITTEN_OTHERWISE: &[(&str, &str)] = &[
    ("contravention/", "the state is one text for both sides"),
    ("bachelor/castling", "castling rights are named by files"),
    (
        "bachelor/castling-conditions",
        "castling rights are named by files",
    ),
    (
        "convergent/stalemate-wins",
        "a board without the holes of the array",
    ),
    (
        "french-revolution/",
        "boards of ten ranks are an option of the compiled rule set alone",
    ),
    ("junta/", "the state is one text for both sides"),
    ("moderation/", "the state is one text for both sides"),
    ("prop/fifty", "captures are counted in the clock"),
    ("zoo/", "the state is one text for both sides"),
];

/// Rule sets whose claims take minutes with their texts.
const SLOW: [&str; 3] = ["concurrent", "donnybrook", "french-revolution"];

/// Returns the claims whose verdicts differ with the texts of rule sets, except for those that say how a text writes
/// something.
fn differing(ids: &[&'static str]) -> Vec<String> {
    let pages = pages();
    let listed: Vec<Listed<'_>> = pages.iter().flat_map(Listed::of_file).collect();
    let listed: Vec<Listed<'_>> = listed.into_iter().filter(|claim| !claim.deep).collect();
    let catalog = Arc::new(Catalog::new());
    let control = Control::new();
    let differing = |id: &&'static str| {
        let written = catalog.written(id).expect("a text");
        let text = Arc::new(catalog.with_text(id, &written).expect("a rule set"));
        let about = ClaimsAbout::new(&listed, id, FEW);
        let both = about
            .verdicts(&catalog, &control)
            .into_iter()
            .zip(about.verdicts(&text, &control));
        let different = both.filter(|(own, other)| own != other);
        different
            .map(|(own, other)| format!("{own:?} {other:?}"))
            .collect::<Vec<_>>()
    };
    let mut found: Vec<String> = ids.par_iter().flat_map(differing).collect();
    found.retain(|text| {
        !WRITTEN_OTHERWISE
            .iter()
            .any(|(claim, _)| text.contains(claim))
    });
    found
}

#[test]
fn texts_have_the_verdicts_of_their_rule_sets() {
    let mut ids = rule_sets(&Catalog::new());
    ids.retain(|id| !SLOW.contains(id));
    assert_eq!(differing(&ids), [""; 0]);
}

#[test]
#[ignore = "takes minutes"]
fn slow_texts_have_the_verdicts_of_their_rule_sets() {
    assert_eq!(differing(&SLOW), [""; 0]);
}

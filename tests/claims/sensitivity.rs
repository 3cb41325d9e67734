//! Claims without each rule: what changes, what does not, and the recorded matrix.

use fairyproof::catalog::Catalog;
use fairyproof::claims::{self, Effect, Listed, OpenFile, Sensitivity, Verdict};
use fairyproof::control::Control;
use fairyproof::report::sensitivity::{self as report, SensitivityRow};
use std::path::Path;
use std::sync::Arc;

fn rows(file: &OpenFile, rulings: bool) -> Vec<Sensitivity> {
    let listed: Vec<Listed<'_>> = Listed::of_file(file).collect();
    claims::sensitivity(&listed, rulings, &Control::new()).expect("rule sets that exist")
}

fn effect(rows: &[Sensitivity], claim: &str, rule: &str) -> Effect {
    let row = rows
        .iter()
        .find(|row| row.claim.ends_with(&format!("/{claim}")) && row.rule == rule);
    row.unwrap_or_else(|| panic!("{claim} without {rule}: {rows:?}"))
        .effect
}

/// Opens a claims file with the definitions that its claims are about.
fn opened(name: &str, definitions: &str, claims: &str) -> OpenFile {
    let mut catalog = Catalog::new();
    let added = catalog.add_text(&format!("{name}.ini"), definitions);
    added.expect("definitions");
    let name = format!("{name}.toml");
    OpenFile::read(&name, claims, None, &Arc::new(catalog)).expect("a claims file")
}

#[test]
fn key_of_a_definition_returns_to_its_parent() {
    let file = opened(
        "slow",
        "[slow:chess]\ndoubleStep = false\ncastling = false\n",
        "[page]\ntitle = 'T'\nvariant = 'slow'\n\
         [[claim]]\nid = 'turns'\nsays = 's'\nsum = 'size(turns)'\nis = 12\n\
         [[claim]]\nid = 'castles'\nsays = 's'\nfen = '4k3/8/8/8/8/8/8/4K2R w K - 0 1'\n\
         never = 'turns.exists(t, t.castles)'\n\
         [[claim]]\nid = 'empty'\nsays = 's'\nalways = 'files == 8'\n",
    );
    let rows = rows(&file, false);
    assert_eq!(rows.len(), 6);
    assert_eq!(effect(&rows, "turns", "doubleStep"), Effect::Changed);
    assert_eq!(effect(&rows, "turns", "castling"), Effect::Same);
    assert_eq!(effect(&rows, "castles", "castling"), Effect::Changed);
    assert_eq!(effect(&rows, "castles", "doubleStep"), Effect::Same);
    assert_eq!(effect(&rows, "empty", "castling"), Effect::Same);
    let csv: Vec<SensitivityRow> = rows.iter().map(SensitivityRow::new).collect();
    let text = report::text(&csv);
    assert!(
        text.contains("claims that no rule touches (1): slow/empty\n"),
        "{text}"
    );
    assert!(
        text.contains("rules that no claim touches: none\n"),
        "{text}"
    );
}

#[test]
fn key_without_which_nothing_is_playable_is_not_applicable() {
    let file = opened(
        "lone",
        "[lone]\nmaxRank = 3\nmaxFile = 3\nking = k\nstartFen = k2/3/2K w - - 0 1\n",
        "[page]\ntitle = 'T'\nvariant = 'lone'\n\
         [[claim]]\nid = 'turns'\nsays = 's'\nsum = 'size(turns)'\nis = 2\n",
    );
    assert_eq!(
        effect(&rows(&file, false), "turns", "king"),
        Effect::NotApplicable
    );
}

#[test]
fn parts_of_the_text_of_a_compiled_rule_set_are_left_out() {
    let file = opened(
        "glory",
        "",
        "[page]\ntitle = 'T'\nvariant = 'glory'\n\
         [[claim]]\nid = 'turns'\nsays = 's'\nsum = 'size(turns)'\nis = 12\n\
         [[claim]]\nid = 'wins'\nsays = 's'\nfen = '8/4P3/8/k7/8/8/8/4K3 b - - 0 1'\n\
         always = 'size(turns) > 0'\n\
         [[claim]]\nid = 'ends'\nsays = 's'\nfen = 'k7/8/8/8/4K3/8/4P3/8 b - - 0 1'\n\
         always = '!over'\n",
    );
    let rows = rows(&file, false);
    assert_eq!(effect(&rows, "turns", "doubleStep"), Effect::Changed);
    assert_eq!(effect(&rows, "turns", "ends glory"), Effect::Same);
    assert_eq!(effect(&rows, "wins", "doubleStep"), Effect::Same);
    assert_eq!(effect(&rows, "ends", "ends checkmate"), Effect::Same);
    assert!(rows.iter().all(|row| !row.rule.starts_with("let.")));
}

#[test]
fn conditions_of_rule_sets_are_left_out() {
    let file = opened(
        "calm",
        "[calm]\ncondition = true\nlegalIf = size(captures) == 0\n",
        "[page]\ntitle = 'T'\nvariant = 'fide+calm'\n\
         [[claim]]\nid = 'keeps'\nsays = 's'\nfen = '4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1'\n\
         never = 'turns.exists(t, size(t.captures) > 0)'\n",
    );
    let rows = rows(&file, false);
    assert_eq!(effect(&rows, "keeps", "condition calm"), Effect::Changed);
    assert_eq!(effect(&rows, "keeps", "legalIf"), Effect::Changed);
    assert_eq!(rows.len(), 2);
}

#[test]
fn option_is_toggled() {
    let file = opened(
        "fr",
        "",
        "[page]\ntitle = 'T'\nvariant = 'french-revolution:avalanche'\n\
         [[claim]]\nid = 'turns'\nsays = 's'\nperft = 1\nis = 1\n\
         [[claim]]\nid = 'plain'\nsays = 's'\nvariant = 'french-revolution'\nperft = 2\nis = 1\n",
    );
    let rows = rows(&file, false);
    assert!(rows.iter().any(|row| row.rule == "option avalanche"));
    assert!(rows.iter().all(|row| row.verdict == Some(Verdict::Refuted)));
}

#[test]
fn ruling_is_an_option_that_lists_leave_out() {
    let file = opened(
        "m",
        "",
        "[page]\ntitle = 'T'\nvariant = 'moderation'\n\
         [[claim]]\nid = 'fourth'\nsays = 's'\nfen = '4r1rk/6p1/8/3R4/4b3/8/8/4K3 w - - 0 1 checks=3,3'\n\
         exists = \"turns.exists(t, t.text == 'd5h5')\"\n\
         [[claim]]\nid = 'row'\nsays = 's'\nvariant = 'linkage'\n\
         fen = '4r1k1/8/8/8/8/8/P7/4BRKN w - - 0 1'\nexists = 'over || size(turns) < 8'\n",
    );
    let rows = rows(&file, true);
    assert_eq!(
        effect(&rows, "fourth", "option fourth=own"),
        Effect::Changed,
        "{rows:?}"
    );
    assert_eq!(rows.len(), 2);
}

/// Claims about a few positions, beside those about arrays.
const SHORT: [&str; 8] = [
    "convergent/pawns-capture",
    "dowager/pawns-capture",
    "dynastic/attack",
    "prop/castling",
    "prop/en-passant",
    "separation/same-quadrant-loses",
    "triple-check/forced-check-loses",
    "tyrant/attack",
];

/// The recorded matrices take long to write again, so only the rows of short claims are.
#[test]
fn recorded_rows_of_short_claims_are_reproduced() {
    let pages = claims::built_in_pages(&Arc::new(Catalog::new())).expect("the pages");
    let is_short = |id: &str| id.ends_with("/array-as-printed") || SHORT.contains(&id);
    let chosen: Vec<Listed<'_>> = (pages.iter().flat_map(Listed::of_file))
        .filter(|claim| is_short(claim.id))
        .collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports");
    for (file, rulings, least) in [("sensitivity.csv", false, 200), ("rulings.csv", true, 4)] {
        let mut recorded = report::read(&folder, file).expect("a table");
        recorded.retain(|row| is_short(&row.claim));
        let rows = claims::sensitivity(&chosen, rulings, &Control::new()).expect("rule sets");
        let rows: Vec<SensitivityRow> = rows.iter().map(SensitivityRow::new).collect();
        assert!(rows.len() >= least, "{file}: {}", rows.len());
        assert_eq!(rows, recorded, "{file}");
    }
}

#[test]
fn matrix_does_not_depend_on_threads() {
    let catalog = Arc::new(Catalog::new());
    let pages = claims::built_in_pages(&catalog).expect("the pages");
    let listed: Vec<Listed<'_>> = pages.iter().flat_map(Listed::of_file).collect();
    let chosen: Vec<Listed<'_>> = listed
        .into_iter()
        .filter(|claim| claim.id.starts_with("regent/"))
        .collect();
    assert!(!chosen.is_empty());
    let on = |threads: usize| -> Vec<SensitivityRow> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let control = Control::new().with_threads(threads);
        let rows = pool
            .expect("a pool")
            .install(|| claims::sensitivity(&chosen, false, &control));
        rows.expect("rows")
            .iter()
            .map(SensitivityRow::new)
            .collect()
    };
    assert_eq!(on(1), on(3));
}

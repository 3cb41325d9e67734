//! What a check finds, and what its evidence is held against.

use crate::random::board_of;
use fairyproof::catalog::Catalog;
use fairyproof::claims::{self, Effort, Evidence, Finding, Listed, Verdict};
use fairyproof::notation::Setup;
use fairyproof::position::Narrow;
use fairyproof::rules::Game;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};

/// Returns what the check of the claim with this id finds; it is made once for all tests.
pub fn check(id: &str) -> Finding {
    static FOUND: Mutex<BTreeMap<String, Arc<OnceLock<Finding>>>> = Mutex::new(BTreeMap::new());
    let found = {
        let mut known = FOUND.lock().unwrap_or_else(|e| e.into_inner());
        Arc::clone(known.entry(id.to_string()).or_default())
    };
    let made = found.get_or_init(|| listed(id, &Effort::SMALL));
    made.clone()
}

/// Verifies the compiled claim or the claim of the built-in pages with this id.
pub fn listed(id: &str, effort: &Effort<'_>) -> Finding {
    let pages = claims::built_in_pages(&Arc::new(Catalog::new())).expect("the built-in pages");
    let compiled = claims::all().into_iter().map(Listed::compiled);
    let mut all = pages.iter().flat_map(Listed::of_file).chain(compiled);
    let claim = all.find(|claim| claim.id == id).expect(id);
    claim.verify(effort).expect("a finding")
}

/// Verifies the first instance of a claim of the built-in pages.
pub fn first_instance(id: &str) -> Finding {
    let pages = claims::built_in_pages(&Arc::new(Catalog::new())).expect("the built-in pages");
    let mut all = pages.iter().flat_map(Listed::of_file);
    let (file, entry) = all
        .find_map(|claim| claim.entry().filter(|_| claim.id == id))
        .expect(id);
    file.verify_claim(&entry.instances[0].claim, &Effort::SMALL.control)
        .expect("a finding")
}

/// Asserts the verdict of a finding, and a part of its summary.
#[track_caller]
pub fn judged(found: &Finding, verdict: Verdict, part: &str) {
    assert_eq!(found.verdict, verdict, "{}", found.summary);
    assert!(found.summary.contains(part), "{}", found.summary);
}

/// Returns the cells of one column.
pub fn column(evidence: &Evidence, name: &str) -> Vec<String> {
    let at = evidence.columns.iter().position(|c| c == name).expect(name);
    evidence.rows.iter().map(|row| row[at].clone()).collect()
}

/// Returns the cells of one column as numbers.
pub fn numbers(evidence: &Evidence, name: &str) -> Vec<u64> {
    column(evidence, name)
        .iter()
        .map(|n| n.parse().expect(n))
        .collect()
}

/// Replays turns with the naive implementation; the outcome after each.
pub fn replay(variant: &str, fen: &str, line: &str) -> Vec<String> {
    let mut game = naive::read(variant, fen).expect(fen);
    let mut outcomes = Vec::new();
    for text in line.split_ascii_whitespace() {
        let after = game.turns().into_iter().find(|(t, _)| t == text);
        let Some((_, next)) = after else {
            panic!("{variant}: {text} is not legal in {}", game.fen());
        };
        game = next;
        outcomes.push(game.outcome());
    }
    outcomes
}

/// Returns a game without bound units on a narrow board.
pub fn narrow(variant: &str, fen: &str) -> Arc<dyn Game<Narrow>> {
    let variant = Catalog::new().open(variant).expect(variant);
    let game = Setup::read(&variant, Some(fen)).expect(fen).game();
    Arc::clone(game.get().expect("up to 64 squares"))
}

/// Returns the board of a FEN from letters, the first rank first.
pub fn fen_of(cells: &[char], files: usize) -> String {
    let rows: Vec<&[char]> = cells.chunks(files).rev().collect();
    board_of(&rows)
}

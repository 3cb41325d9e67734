//! Claims about random definitions, against a brute force over the naive implementation: verdicts of
//! properties, and every measured number.

use crate::drawn::{Drawn, Random};
use fairyproof::catalog::Catalog;
use fairyproof::claims::{OpenFile, Verdict};
use fairyproof::control::Control;
use naive::defined::{Outcome, State};
use quickcheck::{QuickCheck, TestResult};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The depth of the graphs.
const DEPTH: u32 = 2;

/// Returns a FEN without its clocks, which do not belong to a position's identity.
fn identity(state: &State) -> String {
    let fen = state.fen();
    let fields = fen.split(' ').enumerate();
    let kept: Vec<&str> = fields
        .filter(|(at, _)| !(4..=5).contains(at))
        .map(|(_, field)| field)
        .collect();
    kept.join(" ")
}

/// Returns the positions within [`DEPTH`] plies, by the naive rules: the number of turns of each, and whether
/// the game is over there.
fn positions(root: State) -> Vec<(u64, bool)> {
    let mut seen = BTreeSet::from([identity(&root)]);
    let (mut level, mut found) = (vec![root], Vec::new());
    for depth in 0..=DEPTH {
        let mut next = Vec::new();
        for state in &level {
            let turns = state.turns();
            found.push((
                turns.len() as u64,
                !matches!(state.outcome(), Outcome::Ongoing),
            ));
            if depth < DEPTH {
                let new = turns.into_iter().map(|(_, after)| after);
                next.extend(new.filter(|after| seen.insert(identity(after))));
            }
        }
        level = next;
    }
    found
}

#[test]
fn claims_agree_with_brute_force_by_the_naive_rules() {
    fn holds(seed: u64) -> TestResult {
        let drawn = Drawn::small(seed);
        let mut random = Random(seed);
        let naive = positions(drawn.naive().expect("a drawn definition"));
        let n = naive.len() as u64;
        let turns = || naive.iter().map(|(turns, _)| *turns);
        let (min, max) = (turns().min().unwrap_or(0), turns().max().unwrap_or(0));
        let sum: u64 = turns().sum();
        let some = turns().nth(random.below(naive.len())).unwrap_or(0);
        let count = turns().filter(|turns| *turns == some).count();
        let overs = naive.iter().filter(|(_, over)| *over).count();
        let bound = random.below(max as usize + 2) as u64;
        let verdict = |holds: bool| {
            if holds {
                Verdict::Confirmed
            } else {
                Verdict::Refuted
            }
        };
        let cases = [
            (
                "states = true\nis = ".to_owned() + &n.to_string(),
                Verdict::Confirmed,
            ),
            (
                format!("count = 'size(turns) == {some}'\nis = {count}"),
                Verdict::Confirmed,
            ),
            (
                format!("count = 'over'\nis = {}", overs + 1),
                Verdict::Refuted,
            ),
            (
                format!("share = 'over'\nis = '{overs}/{n}'"),
                Verdict::Confirmed,
            ),
            (
                format!("min = 'size(turns)'\nis = {min}"),
                Verdict::Confirmed,
            ),
            (
                format!("max = 'size(turns)'\nat_most = {max}"),
                Verdict::Confirmed,
            ),
            (
                format!("mean = 'size(turns)'\nis = '{sum}/{n}'"),
                Verdict::Confirmed,
            ),
            (
                format!("sum = 'size(turns)'\nis = {sum}"),
                Verdict::Confirmed,
            ),
            (
                format!("always = 'size(turns) < {bound}'"),
                verdict(max < bound),
            ),
            (
                format!("exists = 'size(turns) == {bound}'"),
                verdict(turns().any(|t| t == bound)),
            ),
            ("never = 'over'".to_owned(), verdict(overs == 0)),
        ];
        let mut text = "[page]\ntitle = 'T'\nvariant = 'drawn'\n".to_owned();
        for (at, (keys, _)) in cases.iter().enumerate() {
            text += &format!(
                "[[claim]]\nid = 'c{at}'\nsays = 's'\nover = {{ graph = {{ depth = {DEPTH} }} }}\n{keys}\n"
            );
        }
        let mut catalog = Catalog::new();
        if catalog.add_text("drawn.ini", &drawn.text()).is_err() || catalog.open("drawn").is_err() {
            return TestResult::discard();
        }
        let file = OpenFile::read("t.toml", &text, None, &Arc::new(catalog)).expect("it reads");
        file.validate().expect("it is valid");
        for (entry, (keys, expected)) in file.file.entries.iter().zip(&cases) {
            let finding = file.verify(entry, &Control::new()).expect("it is verified");
            if finding.verdict != *expected {
                let summary = finding.summary;
                return TestResult::error(format!("{keys}: {summary}\n{}", drawn.text()));
            }
        }
        TestResult::passed()
    }
    QuickCheck::new()
        .tests(60)
        .max_tests(400)
        .quickcheck(holds as fn(u64) -> TestResult);
}

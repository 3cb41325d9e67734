//! Forced wins in 25 rule sets and 6 definitions, with their shortest lengths from certified endgame tables and
//! solved graphs: `tests/data/forced-wins.csv`. Checks that no proof is shorter than possible and that no length is
//! wrongly called shortest, and counts what is found.

use crate::proof;
use fairyproof::catalog::Catalog;
use fairyproof::notation::Setup;
use fairyproof::prove::check::check;
use fairyproof::prove::{Goal, Limits, Status};
use fairyproof::with_setup;
use std::collections::BTreeSet;

/// Returns the positions that each search makes; `FAIRYPROOF_PROVE_POSITIONS` sets another number.
fn positions() -> u64 {
    std::env::var("FAIRYPROOF_PROVE_POSITIONS").map_or(20_000, |number| {
        number.parse().expect("a number of positions")
    })
}

#[test]
fn no_win_is_shorter_than_its_table_says() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/forced-wins.csv");
    let mut reader = csv::Reader::from_path(file).expect("the suite");
    let (mut found, mut short, mut shown) = (0, 0, 0);
    let mut variants = BTreeSet::new();
    let rows: Vec<_> = reader.records().map(|row| row.expect("a row")).collect();
    for row in &rows {
        let shortest: u16 = row[3].parse().expect("plies");
        let name = format!("{} {}", &row[0], &row[2]);
        let variant = Catalog::new().open(&row[0]).expect("a variant");
        variants.insert(row[0].to_string());
        let setup = Setup::read(&variant, Some(&row[2])).expect("a position");
        with_setup!(&setup, start => {
            let limits = Limits {
                positions: Some(positions()),
                improve: true,
                ..Limits::default()
            };
            let proof = proof(start, start.position.side, &Goal::Win, limits);
            assert!(matches!(proof.status, Status::Proven | Status::Open), "{name}");
            assert!(proof.none_within_plies < shortest, "{name}");
            if let Some(plies) = proof.plies {
                assert!(plies >= shortest, "{name}: {plies} < {shortest}");
                assert!(!proof.shortest || plies == shortest, "{name}");
                let certificate = proof.certificate.as_ref().expect("a certificate");
                check(start.game.as_ref(), &start.position, certificate).expect(&name);
                found += 1;
                short += usize::from(plies == shortest);
                shown += usize::from(proof.shortest);
            }
        });
    }
    println!(
        "of {}: {found} found, {short} shortest, {shown} shown to be so",
        rows.len()
    );
    assert_eq!((rows.len(), variants.len()), (120, 31));
    assert!(
        found > 0 && short > 0 && shown > 0,
        "{found} {short} {shown}"
    );
}

//! Boards of one, two and three files or ranks, where ranks that the law speaks of do not exist:
//! every rule set against the naive second implementation.

use super::turns::compare;
use crate::random::{Random, random_fen_on};

/// The rule sets, with the options that change a small board.
const VARIANTS: [&str; 3] = [
    "french-revolution:avalanche",
    "french-revolution:weak-loss",
    "spartan:moves=2",
];

/// Returns all boards up to 3x3, and strips of one to three files or ranks.
fn sizes() -> impl Iterator<Item = (usize, usize)> {
    let strips = [5, 6, 8, 16]
        .into_iter()
        .flat_map(|long| (1..=3).flat_map(move |short| [(short, long), (long, short)]));
    (1..=3)
        .flat_map(|files| (1..=3).map(move |ranks| (files, ranks)))
        .chain(strips)
}

#[test]
fn every_rule_set_keeps_to_its_law_on_boards_of_few_ranks_or_files() {
    let cases: u64 = std::env::var("FAIRYPROOF_CASES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(400);
    let plain = fairyproof::variants::all().iter().map(|info| info.id);
    for variant in plain.chain(VARIANTS) {
        let mut accepted = 0;
        for (files, ranks) in sizes() {
            for case in 0..cases / 8 {
                let mut random = Random(case << 16 | (files as u64) << 8 | ranks as u64);
                let text = random_fen_on(variant, Some((files, ranks)), &mut random);
                match compare(variant, &text, 6, &mut random) {
                    Ok(held) => accepted += u32::from(held),
                    Err(why) => panic!("{variant}: {why}"),
                }
            }
        }
        assert!(accepted > 0, "{variant}: no position on any small board");
    }
}

/// Positions that made the program panic, with their turns.
#[test]
fn kings_in_a_row_have_the_turns_of_their_rule_set() {
    for (variant, fen) in [
        ("series-helpmate", "K1k w - - 0 1"),
        ("blunder-mate", "k1**1K2 w - - 0 1"),
        ("fide", "K2/2k w - - 0 1"),
    ] {
        let mut random = Random(1);
        assert!(naive::read(variant, fen).is_ok(), "{fen}");
        assert_eq!(
            compare(variant, fen, 8, &mut random),
            Ok(true),
            "{variant} {fen}"
        );
    }
}

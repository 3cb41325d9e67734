//! Conditions in positions of which Popeye 4.104 has counted the turns, or the problem's solutions.

use crate::play::{RULE_SETS, RULES};
use naive::texts::{TextRules, open};

/// What is counted.
#[derive(Clone, Copy)]
enum Count {
    /// Turns of the side to move.
    Turns,
    /// Lines of this many turns of which the last mates.
    Mates(u32),
    /// Lines of two turns.
    Pairs,
}

const COUNTS: [(&str, &str, Count, usize); 19] = [
    (
        "circe-castling",
        "4k3/6K1/8/p7/8/8/8/7b w - - 0 1",
        Count::Turns,
        6,
    ),
    (
        "circe-castling",
        "2b5/8/3Q4/2pq1b1k/3P4/4N2K/8/8 w - - 0 1",
        Count::Turns,
        4,
    ),
    (
        "circe-castling",
        "2K2R2/r7/1r4k1/pp6/5b2/3rb3/8/6B1 b - - 0 1",
        Count::Pairs,
        486,
    ),
    (
        "mirror-circe",
        "1k3N2/1n6/3b4/n7/2P5/1R6/R7/3K4 w - - 0 1",
        Count::Turns,
        34,
    ),
    (
        "mirror-circe",
        "8/6k1/8/8/2p3P1/3N3B/5K1P/8 b - - 0 1",
        Count::Pairs,
        175,
    ),
    (
        "madrasi",
        "q6k/8/8/2K5/8/5Pq1/8/8 w - - 0 1",
        Count::Turns,
        6,
    ),
    (
        "madrasi",
        "1R1n4/8/p5P1/4qP1q/3Q4/k5b1/2K5/8 w - - 0 1",
        Count::Mates(3),
        4,
    ),
    (
        "madrasi",
        "1Q6/8/1r6/8/8/P3rkN1/8/7K w - - 0 1",
        Count::Mates(3),
        1,
    ),
    (
        "patrol",
        "8/8/b2RB3/1k6/5PK1/8/2P5/8 w - - 0 1",
        Count::Turns,
        28,
    ),
    (
        "patrol",
        "1N6/8/8/8/5P2/5K1n/7p/7k w - - 0 1",
        Count::Turns,
        11,
    ),
    (
        "patrol",
        "4K3/5P2/1k4p1/2Q5/7n/5N2/8/2b5 b - - 0 1",
        Count::Pairs,
        628,
    ),
    (
        "andernach",
        "8/1p2K3/5R2/8/8/4k3/b5p1/8 w - - 0 1",
        Count::Turns,
        19,
    ),
    (
        "andernach",
        "5K2/4Q3/n1n5/8/4B1P1/1qk2n2/8/6Q1 w - - 0 1",
        Count::Mates(3),
        18,
    ),
    (
        "grid",
        "2B1n3/2q2p2/8/7B/8/n2K4/1Q2p3/k2B4 w - - 0 1",
        Count::Mates(1),
        1,
    ),
    (
        "maximummer",
        "2k5/8/8/4p3/4K3/8/4Q3/7B b - - 0 1",
        Count::Pairs,
        52,
    ),
    (
        "monochromatic",
        "8/7K/B2Q3q/Q5N1/3b4/4kP2/8/8 w - - 0 1",
        Count::Mates(1),
        1,
    ),
    (
        "koeko",
        "8/6K1/1R4n1/3kp2P/2p5/2n1Q3/3r1b2/8 w - - 0 1",
        Count::Mates(3),
        17,
    ),
    ("annan", "8/8/8/8/8/8/8/K1k5 b - - 0 1", Count::Mates(2), 0),
    (
        "take-and-make",
        "8/4nR2/5bP1/1b1rN2K/2p2kP1/N4p2/3r1P2/2B2n2 w - - 0 1",
        Count::Mates(3),
        1,
    ),
];

/// Returns the FENs after the turns of a position.
fn next(rules: &TextRules, fen: &str) -> Vec<String> {
    let turns = rules
        .turns(fen)
        .unwrap_or_else(|why| panic!("{fen}: {why}"));
    turns.into_iter().map(|(_, after)| after).collect()
}

fn lines_to_mate(rules: &TextRules, fen: &str, length: u32) -> usize {
    if length == 0 {
        let check = rules
            .check(fen)
            .unwrap_or_else(|why| panic!("{fen}: {why}"));
        return usize::from(check && next(rules, fen).is_empty());
    }
    let after = next(rules, fen);
    after
        .iter()
        .map(|fen| lines_to_mate(rules, fen, length - 1))
        .sum()
}

#[test]
fn conditions_agree_with_popeye() {
    let file = format!("{RULE_SETS}\n{RULES}");
    for (condition, fen, count, expected) in COUNTS {
        let id = match condition {
            "annan" | "take-and-make" => condition.to_string(),
            condition => format!("fide-text+{condition}"),
        };
        let rules = open(&file, &id).unwrap_or_else(|why| panic!("{id}: {why}"));
        let found = match count {
            Count::Turns => next(&rules, fen).len(),
            Count::Pairs => next(&rules, fen)
                .iter()
                .map(|fen| next(&rules, fen).len())
                .sum(),
            Count::Mates(length) => lines_to_mate(&rules, fen, length),
        };
        assert_eq!(found, expected, "{id} {fen}");
    }
}

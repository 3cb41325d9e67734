//! Counts of turns for every rule set: `data/perft.csv` says for each what confirmed it.

mod naive;

use fairyproof::notation::Setup;
use fairyproof::rules::{Variant, registry};
use fairyproof::with_setup;
use std::collections::BTreeMap;

struct Row {
    variant: String,
    fen: String,
    depth: u32,
    nodes: u64,
}

fn rows() -> Vec<Row> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/perft.csv");
    let mut file = csv::Reader::from_path(path).expect("the fixtures");
    file.records()
        .map(|record| {
            let record = record.expect("a row");
            assert!(!record[4].is_empty(), "what confirmed {record:?}?");
            Row {
                variant: record[0].to_string(),
                fen: record[1].to_string(),
                depth: record[2].parse().expect("a depth"),
                nodes: record[3].parse().expect("a count"),
            }
        })
        .collect()
}

fn count(row: &Row, depth: u32) -> u64 {
    let variant = Variant::parse(&row.variant).expect("a registered variant");
    let setup = Setup::read(&variant, Some(&row.fen)).unwrap_or_else(|e| panic!("{e}"));
    with_setup!(&setup, s => s.game.perft(&s.position, depth))
}

#[test]
fn counts_are_as_recorded() {
    for row in rows() {
        assert_eq!(
            count(&row, row.depth),
            row.nodes,
            "{} {} depth {}",
            row.variant,
            row.fen,
            row.depth
        );
    }
}

/// The deepest count of each row that the naive implementation can make in a moment.
#[test]
fn naive_counts_are_the_same() {
    const LARGEST: u64 = 4_000;
    for row in rows() {
        let depth = (1..=row.depth)
            .take_while(|&depth| count(&row, depth) <= LARGEST)
            .last()
            .unwrap_or(1);
        let game = naive::read(&row.variant, &row.fen).expect("a position");
        assert_eq!(
            game.perft(depth),
            count(&row, depth),
            "{} {} depth {depth}",
            row.variant,
            row.fen
        );
    }
}

#[test]
fn every_variant_and_option_is_counted_from_its_start() {
    let mut deepest: BTreeMap<String, u32> = BTreeMap::new();
    for row in rows() {
        let start = Variant::parse(&row.variant).expect("a variant").start();
        if row.fen == start {
            let depth = deepest.entry(row.variant).or_default();
            *depth = (*depth).max(row.depth);
        }
    }
    for card in registry::all() {
        let depth = deepest.get(card.id).copied().unwrap_or(0);
        assert!(depth >= 4, "{} to depth {depth} alone", card.id);
        for option in card.options {
            let named = deepest.keys().any(|v| v.contains(option.name));
            assert!(named, "{} with {} is not counted", card.id, option.name);
        }
    }
}

/// cozy-chess, from the same positions, where it can read them.
#[test]
fn orthodox_counts_are_those_of_cozy_chess() {
    fn cozy(board: &cozy_chess::Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut nodes = 0;
        board.generate_moves(|moves| {
            for m in moves {
                let mut after = board.clone();
                after.play_unchecked(m);
                nodes += cozy(&after, depth - 1);
            }
            false
        });
        nodes
    }
    let mut compared = 0;
    for row in rows().iter().filter(|row| row.variant == "fide") {
        if let Ok(board) = row.fen.parse::<cozy_chess::Board>() {
            let depth = row.depth.min(4);
            assert_eq!(count(row, depth), cozy(&board, depth), "{}", row.fen);
            compared += 1;
        }
    }
    assert!(compared >= 5);
}

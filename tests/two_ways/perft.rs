//! Counts of turns for every rule set: `data/perft.csv` says for each what confirmed it.

use crate::random::{Random, random_fen};
use fairyproof::catalog::Catalog;
use fairyproof::notation::Setup;
use fairyproof::position::Position;
use fairyproof::rules::Game;
use fairyproof::values::Layout;
use fairyproof::variants;
use fairyproof::with_setup;
use std::collections::BTreeMap;

struct NodeCount {
    variant: String,
    fen: String,
    depth: u32,
    nodes: u64,
}

fn rows() -> Vec<NodeCount> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/perft.csv");
    let mut file = csv::Reader::from_path(path).expect("the fixtures");
    file.records()
        .map(|record| {
            let record = record.expect("a row");
            assert!(!record[4].is_empty(), "what confirmed {record:?}?");
            NodeCount {
                variant: record[0].to_string(),
                fen: record[1].to_string(),
                depth: record[2].parse().expect("a depth"),
                nodes: record[3].parse().expect("a count"),
            }
        })
        .collect()
}

fn count(row: &NodeCount, depth: u32) -> u64 {
    let variant = Catalog::new()
        .open(&row.variant)
        .expect("a registered variant");
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
        let start = Catalog::new()
            .open(&row.variant)
            .expect("a variant")
            .start();
        if row.fen == start {
            let depth = deepest.entry(row.variant).or_default();
            *depth = (*depth).max(row.depth);
        }
    }
    for info in variants::all() {
        let depth = deepest.get(info.id).copied().unwrap_or(0);
        assert!(depth >= 4, "{} to depth {depth} alone", info.id);
        for option in info.options.iter().filter(|option| option.is_listed()) {
            let named = deepest.keys().any(|v| v.contains(option.name));
            assert!(named, "{} with {} is not counted", info.id, option.name);
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

/// Returns every turn made, by what every other test is about.
fn played<W: Layout>(game: &dyn Game<W>, p: &Position<W>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut turns = Vec::new();
    game.turns(p, &mut turns);
    turns
        .iter()
        .map(|turn| played(game, &game.play(p, turn), depth - 1))
        .sum()
}

/// Counts a position both ways, and what comes after it in a random game.
fn counted_both_ways<W: Layout>(
    game: &dyn Game<W>,
    mut p: Position<W>,
    plies: usize,
    random: &mut Random,
) -> u64 {
    let mut lines = 0;
    for ply in 0..=plies {
        let count = game.perft(&p, 3);
        let text = fairyproof::notation::fen::print(game, &p);
        assert_eq!(count, played(game, &p, 3), "{text}");
        lines += count;
        let mut turns = Vec::new();
        game.turns(&p, &mut turns);
        if turns.is_empty() || ply == plies {
            break;
        }
        p = game.play(&p, &random.pick(&turns));
    }
    lines
}

/// Prop counts lines of three turns without making all of them: the same as those made, in random
/// games (castling, double steps, promotions) and on boards of all shapes, up to the last
/// half-moves before the draw.
#[test]
fn lines_counted_side_by_side_are_those_made() {
    let variant = Catalog::new().open("prop").expect("a variant");
    let mut random = Random(7);
    let mut lines = 0;
    for _ in 0..40 {
        let setup = Setup::read(&variant, None).expect("the start");
        lines += with_setup!(&setup, s => {
            counted_both_ways(s.game.as_ref(), s.position, 90, &mut random)
        });
    }
    assert!(lines > 500_000, "{lines} lines in games");
    let mut positions = 0;
    for _ in 0..25_000 {
        let fen = random_fen("prop", &mut random);
        let clock = random.pick(&[0, 0, 46, 47, 48, 49, 50]);
        if let Ok(mut setup) = Setup::read(&variant, Some(&fen)) {
            with_setup!(&mut setup, s => {
                s.game.carried().set_clock(&mut s.position, clock);
                positions += u32::from(counted_both_ways(s.game.as_ref(), s.position, 2, &mut random) > 0);
            });
        }
    }
    assert!(positions > 2_000, "{positions} positions with lines");
    // One rank and two: nothing goes ahead, or hardly anything.
    for fen in ["1K1RR4r1k w - - 0 1", "k1r2/1K1R1 w - - 0 1"] {
        let setup = Setup::read(&variant, Some(fen)).expect("a position");
        let found = with_setup!(&setup, s => {
            counted_both_ways(s.game.as_ref(), s.position, 0, &mut random)
        });
        assert!(found > 0, "{fen}");
    }
}

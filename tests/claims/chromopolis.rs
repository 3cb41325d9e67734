//! The claims of Chromopolis's page, found again by other means.

use crate::evidence::{check, column, numbers};
use std::collections::{BTreeMap, BTreeSet};

/// Parts into which steps divide a cylinder or a flat board, by flooding.
fn parts(files: i32, ranks: i32, wraps: bool, missing: bool, offsets: &[(i32, i32)]) -> usize {
    let there = |f: i32, r: i32| {
        (0..files).contains(&f)
            && (0..ranks).contains(&r)
            && !(missing && f == 0 && (r == 0 || r == ranks - 1))
    };
    let mut unseen: BTreeSet<(i32, i32)> = (0..files)
        .flat_map(|f| (0..ranks).map(move |r| (f, r)))
        .filter(|&(f, r)| there(f, r))
        .collect();
    let mut parts = 0;
    while let Some(first) = unseen.pop_first() {
        parts += 1;
        let mut edge = vec![first];
        while let Some((f, r)) = edge.pop() {
            for (df, dr) in offsets {
                let to = if wraps {
                    (f + df).rem_euclid(files)
                } else {
                    f + df
                };
                if there(to, r + dr) && unseen.remove(&(to, r + dr)) {
                    edge.push((to, r + dr));
                }
            }
        }
    }
    parts
}

#[test]
fn parts_are_found_again_by_flooding() {
    let evidence = check("chromopolis/colours").evidence;
    let diagonal = vec![(1, 1), (-1, 1), (1, -1), (-1, -1)];
    let mut advocate = diagonal.clone();
    advocate.extend([(2, 0), (-2, 0), (0, 2), (0, -2)]);
    let rows = column(&evidence, "board")
        .into_iter()
        .zip(column(&evidence, "unit"));
    let mut odd = 0;
    for ((board, unit), components) in rows.zip(numbers(&evidence, "components")) {
        let files = board
            .split(&[' ', 'x'][..])
            .find_map(|w| w.parse().ok())
            .expect("files");
        let offsets = if unit == "A" { &advocate } else { &diagonal };
        let wraps = board.starts_with("cylinder");
        let found = parts(files, 6, wraps, board.contains("without"), offsets);
        assert_eq!(components as usize, found, "{board} {unit}");
        odd += usize::from(found == 1);
    }
    assert!(odd > 0);
}

#[test]
fn pairs_of_the_cycle_are_counted_again() {
    let evidence = check("chromopolis/dominance").evidence;
    let row = |a: &str, l: &str| -> (u64, u64) {
        let rows = column(&evidence, "board")
            .into_iter()
            .zip(column(&evidence, "advocate_on"))
            .zip(column(&evidence, "prelate_on"));
        let at = rows
            .into_iter()
            .position(|((board, x), y)| board == "flat 8x6" && x == a && y == l)
            .expect("a row");
        (
            numbers(&evidence, "advocate_attacks")[at],
            numbers(&evidence, "prelate_attacks")[at],
        )
    };
    let mut counts: BTreeMap<(bool, bool), (u64, u64)> = BTreeMap::new();
    for a in 0..48i32 {
        for l in (0..48).filter(|&l| l != a) {
            let (df, dr) = ((a % 8 - l % 8).abs(), (a / 8 - l / 8).abs());
            let dark = |s: i32| (s % 8 + s / 8) % 2 == 0;
            let count = counts.entry((dark(a), dark(l))).or_default();
            count.0 += u64::from(matches!((df, dr), (1, 1) | (2, 0) | (0, 2)));
            count.1 += u64::from(matches!((df, dr), (1, 2) | (2, 1) | (1, 0) | (0, 1)));
        }
    }
    for (a, x) in [("dark", true), ("light", false)] {
        for (l, y) in [("dark", true), ("light", false)] {
            assert_eq!(row(a, l), counts[&(x, y)], "A on {a}, L on {l}");
        }
    }
}

#[test]
fn pawns_promote_on_their_file_in_the_naive_game_too() {
    let evidence = check("chromopolis/pawn-file").evidence;
    let in_array = column(&evidence, "in_array");
    let reached = numbers(&evidence, "squares_reached");
    for (i, from) in column(&evidence, "from").iter().enumerate() {
        if in_array[i] == "true" {
            // From the second rank to the sixth, by files b to g.
            assert!(('b'..='g').any(|f| from.starts_with(f)));
            assert_eq!(reached[i], 5, "{from}");
        }
    }
    let mut game = naive::read("chromopolis", "*5k/7/7/7/1P5/*5K w - - 0 1").expect("a game");
    for text in ["b2b3", "b3b4", "b4b5", "b5b6n"] {
        let pawn: Vec<String> = game
            .turns()
            .into_iter()
            .map(|(t, _)| t)
            .filter(|t| t.starts_with('b'))
            .collect();
        assert!(pawn.iter().all(|t| t[2..].starts_with('b')), "{pawn:?}");
        game = game
            .turns()
            .into_iter()
            .find(|(t, _)| t == text)
            .expect(text)
            .1;
        // Black's king stays out of the way.
        game = game
            .turns()
            .into_iter()
            .find(|(t, _)| matches!(t.as_bytes()[2], b'f' | b'g'))
            .expect("a king step")
            .1;
    }
}

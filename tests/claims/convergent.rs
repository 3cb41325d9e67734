//! The claims of Convergent's page, found again with the naive second implementation.

use crate::evidence::{check, column, fen_of, narrow, numbers};
use fairyproof::claims::compiled::intruders;
use fairyproof::claims::{Effort, Verdict};
use fairyproof::position::Narrow;
use fairyproof::rules::Variant;
use fairyproof::variants;

#[test]
fn mean_targets_are_counted_again() {
    let there = |file: i32, rank: i32| {
        ((1..7).contains(&file) && (1..7).contains(&rank))
            || ((file == 3 || file == 4) && (rank == 0 || rank == 7))
    };
    let squares: Vec<(i32, i32)> = (0..64)
        .map(|i| (i % 8, i / 8))
        .filter(|&(f, r)| there(f, r))
        .collect();
    // Rays of a length, stopped by what is missing; leaps not.
    let rays = |directions: &[(i32, i32)], most: i32| -> u64 {
        let mut n = 0;
        for &(f, r) in &squares {
            for &(df, dr) in directions {
                n += (1..=most)
                    .take_while(|k| there(f + k * df, r + k * dr))
                    .count() as u64;
            }
        }
        n
    };
    let leaps = |offsets: &[(i32, i32)]| -> u64 {
        let to = |&(f, r): &(i32, i32)| {
            offsets
                .iter()
                .filter(|(df, dr)| there(f + df, r + dr))
                .count()
        };
        squares.iter().map(|square| to(square) as u64).sum()
    };
    let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    let diagonal = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
    let all: Vec<(i32, i32)> = straight.iter().chain(&diagonal).copied().collect();
    let far: Vec<(i32, i32)> = all
        .iter()
        .flat_map(|&(f, r)| [(f, r), (2 * f, 2 * r)])
        .collect();
    for (kind, ours, orthodox) in [
        ("bishop", rays(&diagonal, 3), rays(&diagonal, 7)),
        ("rook", rays(&straight, 3), rays(&straight, 7)),
        ("queen", leaps(&far), rays(&all, 7)),
        ("king", leaps(&all), leaps(&all)),
    ] {
        let found = check(&format!("convergent/targets-of-{kind}"));
        assert_eq!(found.verdict, Verdict::Confirmed);
        let [expression] = &column(&found.evidence, "expression")[..] else {
            panic!("{kind}");
        };
        assert!(
            expression.contains(&format!("== {ours}\n")),
            "{kind} {ours}"
        );
        assert!(expression.ends_with(&format!("== {orthodox}")), "{kind}");
    }
}

#[test]
fn intrusions_of_three_units_are_counted_again() {
    let fen = naive::start("convergent");
    let game = narrow("convergent", &fen);
    let found = intruders::intrusions(game.as_ref(), 3, &Effort::SMALL);
    let said: u64 = numbers(&found.evidence, "positions").iter().sum();
    let mates: u64 = numbers(&found.evidence, "not_capturable_and_mate")
        .iter()
        .sum();
    // White to move, an intruder on d1 or e1; Black's half is the same upside down.
    let empty: Vec<char> = (0..64)
        .map(|i| {
            let (file, rank) = (i % 8, i / 8);
            let inside = (1..7).contains(&file) && (1..7).contains(&rank);
            let royal = (rank == 0 || rank == 7) && (file == 3 || file == 4);
            if inside || royal { '.' } else { '*' }
        })
        .collect();
    let squares: Vec<usize> = (0..64).filter(|&i| empty[i] == '.').collect();
    let royal = [3, 4];
    let (mut positions, mut mated) = (0, 0);
    let mut count = |cells: &[char]| {
        let fen = format!("{} w - - 0 1", fen_of(cells, 8));
        if let Ok(game) = naive::read("convergent", &fen) {
            positions += 1;
            mated += u64::from(game.outcome() == "black-wins checkmate");
        }
    };
    for &king in &squares {
        for &other in squares.iter().filter(|&&s| s != king) {
            let mut cells = empty.clone();
            cells[king] = 'K';
            cells[other] = 'k';
            if royal.contains(&other) {
                count(&cells);
            }
            // A sample of the third unit's kinds keeps this short: knight and pawn.
            for &third in squares.iter().filter(|&&s| s != king && s != other) {
                for letter in ['n', 'N', 'b', 'B', 'r', 'R', 'q', 'Q', 'p', 'P'] {
                    let enters = letter.is_ascii_lowercase() && royal.contains(&third);
                    if enters || royal.contains(&other) {
                        let mut cells = cells.clone();
                        cells[third] = letter;
                        count(&cells);
                    }
                }
            }
        }
    }
    assert_eq!((said, mates), (2 * positions, 2 * mated));
}

#[test]
fn under_orthodox_rules_an_intruder_does_not_mate() {
    let geometry = narrow("convergent", &naive::start("convergent"))
        .board()
        .geometry();
    let any = Variant::from(&variants::fide::INFO)
        .on(geometry)
        .expect("a board");
    let orthodox = any.get::<Narrow>().expect("64 squares");
    let found = intruders::intrusions(orthodox.as_ref(), 3, &Effort::SMALL);
    assert_eq!(found.verdict, Verdict::Refuted, "{}", found.summary);
}

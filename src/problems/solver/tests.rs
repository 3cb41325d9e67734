//! Help and series play with patterns against the plain search, on random problems.
//!
//! `FAIRYPROOF_CASES` sets the number of problems.

use super::lines::Lines;
use crate::branches::Branches;
use crate::statement::Problem;
use crate::stipulation::Stipulation;
use crate::tree::Want;
use control::{Control, Random};
use notation::{Setup, with_setup};
use position::Layout;
use rules::Variant;
use search::{Limits, Shared, TranspositionTable};

/// Stipulations, and the maximum number of units with which the plain search takes milliseconds.
const ASKED: [(&str, usize); 18] = [
    ("h#1", 16),
    ("h#1.5", 12),
    ("h#2", 9),
    ("h#2.5", 6),
    ("h#3", 5),
    ("h=1.5", 10),
    ("h=2", 8),
    ("h=2.5", 5),
    ("ser-h#2", 12),
    ("ser-h#3", 9),
    ("ser-h#4", 6),
    ("ser-h=3", 8),
    ("ser-#2", 12),
    ("ser-#3", 8),
    ("ser-#4", 6),
    ("ser-=3", 8),
    ("hs#2", 6),
    ("ser-s#2", 8),
];

/// Returns a random position with at most `units` units. A third has castling rights, and a third has pawns near
/// promotion. Some pawns may be captured en passant.
fn position(random: &mut Random, units: usize) -> String {
    let mut board = [['.'; 8]; 8];
    let mut fields = [String::from("-"), String::from("-")];
    let side = ['w', 'b'][random.below(2)];
    let put = |board: &mut [[char; 8]; 8], unit, rank: usize, file: usize| {
        let vacant = board[rank][file] == '.';
        if vacant {
            board[rank][file] = unit;
        }
        vacant
    };
    let group = random.below(3);
    if group == 0 {
        let (white, black) = [(true, false), (false, true), (true, true)][random.below(3)];
        let mut rights = String::new();
        for (castles, rank, king, rook, letters) in [
            (white, 7, 'K', 'R', ['K', 'Q']),
            (black, 0, 'k', 'r', ['k', 'q']),
        ] {
            if !castles {
                continue;
            }
            put(&mut board, king, rank, 4);
            let wings = 1 + random.below(3);
            for (bit, file) in [(1, 7), (2, 0)] {
                if wings & bit > 0 {
                    put(&mut board, rook, rank, file);
                    rights.push(letters[bit - 1]);
                }
            }
        }
        fields[0] = rights;
    }
    if random.below(5) == 0 {
        // A double step was the last turn.
        let file = random.below(7);
        let (rank, taker, taken, passed) = match side {
            'w' => (3, 'P', 'p', '6'),
            _ => (4, 'p', 'P', '3'),
        };
        put(&mut board, taken, rank, file);
        put(&mut board, taker, rank, file + 1);
        fields[1] = format!("{}{passed}", (b'a' + file as u8) as char);
    }
    for king in ['K', 'k'] {
        let on_board = |board: &[[char; 8]; 8]| board.iter().flatten().any(|&unit| unit == king);
        while !on_board(&board) {
            // Mates and stalemates are frequent at the edge.
            let (rank, file) = (random.below(8), random.below(8));
            if random.below(2) == 0 || rank % 7 == 0 || file % 7 == 0 {
                put(&mut board, king, rank, file);
            }
        }
    }
    for _ in 0..random.below(units) {
        let unit = ["PPBNRQ", "ppbnrq"][random.below(2)].as_bytes()[random.below(6)] as char;
        let rank = match (unit, group) {
            ('P', 1) => 1 + random.below(2),
            ('p', 1) => 5 + random.below(2),
            ('P' | 'p', _) => 1 + random.below(6),
            _ => random.below(8),
        };
        put(&mut board, unit, rank, random.below(8));
    }
    let ranks: Vec<String> = board
        .iter()
        .map(|rank| {
            let cells = rank.chunk_by(|a, b| a == b);
            cells
                .map(|cells| match cells[0] {
                    '.' => cells.len().to_string(),
                    _ => cells.iter().collect(),
                })
                .collect()
        })
        .collect();
    format!("{} {side} {} {} 0 1", ranks.join("/"), fields[0], fields[1])
}

/// Returns all lines, found with or without patterns.
fn lines<W: Layout>(problem: &Problem<W>, prunes: bool) -> Branches {
    let control = Control::new();
    let limits = Limits::default();
    let shared = Shared::new(&limits, &control);
    let game = problem.start.game.as_ref();
    let table = TranspositionTable::new(game.codec(&problem.start.position), 1 << 22);
    let lines = Lines {
        problem,
        limits: &limits,
        want: Want::default(),
        table: &table,
        shared: &shared,
        prunes,
    };
    let solution = lines.solve(&mut |_| true);
    assert_eq!(solution.stopped, None);
    solution.lines
}

#[test]
fn patterns_lose_no_line() {
    let cases = std::env::var("FAIRYPROOF_CASES").map_or(150, |n| n.parse().expect("a number"));
    let variant = Variant::from(&variants::fide::INFO);
    let mut random = Random(12);
    let (mut done, mut solved) = (0, 0);
    while done < cases {
        let (asked, units) = ASKED[random.below(ASKED.len())];
        let position = position(&mut random, units);
        let Ok(setup) = Setup::read(&variant, Some(&position)) else {
            continue;
        };
        done += 1;
        with_setup!(&setup, start => {
            let geometry = start.game.board().geometry();
            let stipulation = Stipulation::parse(asked, &variant.rule_set, geometry);
            let stipulation = stipulation.expect("a stipulation");
            let problem = Problem::new(start.clone(), stipulation);
            let (found, plain) = (lines(&problem, true), lines(&problem, false));
            assert!(found == plain, "{position} {asked}: {} of {}", found.len(), plain.len());
            solved += usize::from(!plain.is_empty());
        });
    }
    assert!(
        solved * 10 > cases,
        "{solved} of {cases} problems have solutions"
    );
}

/// Solves a helpmate with many lines. Returns the lines that were received, by first turn, and all lines. The
/// receiver refuses more after `parts` first turns.
fn received(threads: usize, parts: usize) -> (Vec<Vec<String>>, Vec<String>) {
    let variant = Variant::from(&variants::fide::INFO);
    let position = "n5Q1/8/8/8/6N1/K7/8/k7 b - - 0 1";
    let setup = Setup::read(&variant, Some(position)).expect("a position");
    with_setup!(&setup, start => {
        let geometry = start.game.board().geometry();
        let stipulation = Stipulation::parse("h#2", &variant.rule_set, geometry);
        let problem = Problem::new(start.clone(), stipulation.expect("a stipulation"));
        let texts = |branches: &Branches| {
            let mut lines = Vec::new();
            let each = branches.each::<_, ()>(&problem, |line, _| {
                let turns: Vec<&str> = line.iter().map(|made| made.text.as_str()).collect();
                lines.push(turns.join(" "));
                Ok(())
            });
            assert_eq!(each, Ok(()));
            lines
        };
        let mut received = Vec::new();
        let control = Control::new().with_threads(threads);
        let solution = problem.solve_in_order(
            &Limits::default(),
            Want::default(),
            None,
            &control,
            &mut |part| {
                received.push(texts(&part.lines));
                received.len() < parts
            },
        );
        (received, texts(&solution.lines))
    })
}

#[test]
fn lines_are_received_in_printed_order() {
    let (parts, all) = received(1, usize::MAX);
    assert!(parts.len() > 1 && all.len() == 342);
    assert_eq!(parts.concat(), all);
    assert_eq!(received(2, usize::MAX), (parts.clone(), all));
    // The first lines are received before the others are searched.
    let (first, found) = received(1, 1);
    assert_eq!((&first[..], found), (&parts[..1], parts[0].clone()));
}

//! Help and series play with patterns against the plain search, on random and published problems.
//!
//! `FAIRYPROOF_CASES` sets the number of random problems. Each is also compared in duplex play and, in help play, with
//! its set play.

use super::lines::Lines;
use crate::branches::Branches;
use crate::statement::Problem;
use crate::stipulation::Stipulation;
use crate::tree::Want;
use control::{Control, Random};
use notation::{Setup, Start, with_setup};
use position::Layout;
use rules::Variant;
use search::{Ending, Limits, Play, Shared, TranspositionTable, passed};

/// Stipulations, and the maximum number of units with which the plain search takes milliseconds.
const ASKED: [(&str, usize); 20] = [
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
    ("ser-=4", 6),
    ("ser-h=4", 5),
    ("hs#2", 6),
    ("ser-s#2", 8),
];

/// Stipulations for crowded small boards.
const CROWDED: [&str; 13] = [
    "h=1", "h=1.5", "h=2", "h=2.5", "ser-h=1", "ser-h=2", "ser-h=3", "ser-=1", "ser-=2", "ser-=3",
    "ser-=4", "h#2", "ser-h#3",
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
    format!(
        "{} {side} {} {} 0 1",
        board_text(&board),
        fields[0],
        fields[1]
    )
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

/// Returns a random position on a small board with a king in a corner and pieces of its side around it, which are
/// walled in, captured or pinned in a stalemate.
fn crowded_position(random: &mut Random) -> String {
    const CROWDS: [&str; 16] = [
        "", "q", "r", "b", "n", "qr", "rb", "rr", "bb", "nr", "bbp", "bbpp", "bpp", "rpp", "qrb",
        "qbpp",
    ];
    const OTHERS: [&str; 9] = ["Q", "R", "RB", "BB", "N", "NN", "P", "PN", ""];
    let (files, ranks) = [(3, 4), (4, 3), (4, 4), (3, 5), (5, 5)][random.below(5)];
    let mut board = vec![vec!['.'; files]; ranks];
    let (crowd, others) = (
        CROWDS[random.below(CROWDS.len())],
        OTHERS[random.below(OTHERS.len())],
    );
    for unit in format!("k{crowd}{others}K").chars() {
        let (rank, file) = match unit {
            'k' => (0, 0),
            'p' => (1, random.below(3)),
            'P' => (ranks - 2, random.below(files)),
            _ if unit.is_ascii_lowercase() => (random.below(2), random.below(3)),
            _ => (random.below(ranks), random.below(files)),
        };
        board[rank][file] = unit;
    }
    let mut swapped = random.below(2) == 0;
    if swapped {
        board.reverse();
    }
    for unit in board.iter_mut().flatten().filter(|_| swapped) {
        *unit = match unit.is_ascii_uppercase() {
            true => unit.to_ascii_lowercase(),
            false => unit.to_ascii_uppercase(),
        };
    }
    swapped ^= random.below(5) == 0;
    format!(
        "{} {} - - 0 1",
        board_text(&board),
        if swapped { 'w' } else { 'b' }
    )
}

/// Returns the board of a FEN.
fn board_text<R: AsRef<[char]>>(board: &[R]) -> String {
    let ranks = board.iter().map(|rank| {
        let cells = rank.as_ref().chunk_by(|a, b| a == b);
        let text = cells.map(|cells| match cells[0] {
            '.' => cells.len().to_string(),
            _ => cells.iter().collect(),
        });
        text.collect::<String>()
    });
    ranks.collect::<Vec<_>>().join("/")
}

/// Compares the lines found with patterns and without. Returns their number.
fn compared<W: Layout>(problem: &Problem<W>, position: &str) -> usize {
    let (found, plain) = (lines(problem, true), lines(problem, false));
    let asked = &problem.stipulation;
    assert!(
        found == plain,
        "{position} {asked}, {:?} moves: {} of {} lines",
        problem.start.position.side,
        found.len(),
        plain.len()
    );
    plain.len()
}

/// Compares the lines of a problem, of its set play and of its duplex play, in which the other side begins. Returns the
/// number of lines of the problem.
fn compared_with_set_play_and_duplex<W: Layout>(problem: &Problem<W>, position: &str) -> usize {
    let game = &problem.start.game;
    if let Some(passed) = passed(game.as_ref(), &problem.start.position) {
        let start = || Start {
            game: game.clone(),
            position: passed,
        };
        compared(
            &Problem::new(start(), problem.stipulation.clone()),
            position,
        );
        let mut set_play = problem.stipulation.clone();
        if matches!(set_play.play, Play::Help(Ending::Goal)) && !set_play.half && set_play.moves > 1
        {
            (set_play.moves, set_play.half) = (set_play.moves - 1, true);
            compared(&Problem::new(start(), set_play), position);
        }
    }
    compared(problem, position)
}

#[test]
fn patterns_lose_no_line() {
    let cases = std::env::var("FAIRYPROOF_CASES").map_or(90, |n| n.parse().expect("a number"));
    let variant = Variant::from(&variants::fide::INFO);
    let mut random = Random(12);
    let (mut done, mut solved) = (0, 0);
    while done < cases {
        let crowded = random.below(3) == 0;
        let (asked, position) = match crowded {
            true => {
                let asked = CROWDED[random.below(CROWDED.len())];
                (asked, crowded_position(&mut random))
            }
            false => {
                let (asked, units) = ASKED[random.below(ASKED.len())];
                (asked, position(&mut random, units))
            }
        };
        let Ok(setup) = Setup::read(&variant, Some(&position)) else {
            continue;
        };
        done += 1;
        with_setup!(&setup, start => {
            let geometry = start.game.board().geometry();
            let stipulation = Stipulation::parse(asked, &variant.rule_set, geometry);
            let problem = Problem::new(start.clone(), stipulation.expect("a stipulation"));
            solved += usize::from(compared_with_set_play_and_duplex(&problem, &position) > 0);
        });
    }
    assert!(
        solved * 10 > cases,
        "{solved} of {cases} problems have solutions"
    );
}

/// Published problems, with the number of their lines according to Popeye 4.104, which solved them without its option
/// `Intelligent`.
const PUBLISHED: [(&str, &str, usize); 9] = [
    ("7b/8/5N2/3bK3/8/4k3/1N6/8 b - - 0 1", "h#4", 3),
    ("8/5K2/3q4/3pBN2/3pkb2/8/8/8 b - - 0 1", "h#3", 2),
    ("8/5K2/8/5P1k/5b2/8/8/8 b - - 0 1", "h#4", 1),
    (
        "8/8/3r4/2kP4/2pp2P1/1p2pN2/1P1N2B1/3R1K2 w - - 0 1",
        "h#2.5",
        2,
    ),
    ("4N3/8/5n2/5P2/1kP5/4K3/8/8 b - - 0 1", "h=4", 2),
    ("8/3K1P1P/5k2/8/8/8/8/8 w - - 0 1", "ser-=6", 1),
    ("8/8/4K3/8/2kpn3/2rb2B1/8/8 b - - 0 1", "ser-h#6", 1),
    ("6b1/4p3/4k3/5p2/5P2/8/K3P2B/3R4 b - - 0 1", "ser-h#9", 1),
    ("8/3p4/8/1KPp4/3P4/8/k2P4/2B2B2 b - - 0 1", "ser-h#14", 1),
];

/// Series after an introduction, with the numbers of lines and of first turns according to Popeye 4.104.
const INTRODUCED: [(&str, &str, usize, usize); 6] = [
    (
        "1R4b1/8/6K1/8/6R1/2pQB3/B2P2k1/5R2 b - - 0 1",
        "2->ser-=2",
        4,
        1,
    ),
    ("8/1NK5/4R3/6P1/8/6R1/5pkr/8 b - - 0 1", "2->ser-=2", 44, 1),
    ("k7/8/8/7P/b1K3N1/8/8/1Q2N3 b - - 0 1", "2->ser-=2", 34, 7),
    ("8/8/1P5k/1Q6/8/4K3/5P2/7n w - - 0 1", "2->ser-h#2", 58, 8),
    (
        "8/r7/1P6/B4r2/2kP4/8/R2p2K1/8 w - - 0 1",
        "2->ser-h#2",
        28,
        1,
    ),
    ("8/1Q6/6b1/8/8/2k5/K7/Q5b1 b - - 0 1", "1->ser-#2", 32, 3),
];

#[test]
fn introductions_of_series_are_those_of_popeye() {
    let variant = Variant::from(&variants::fide::INFO);
    for (position, asked, lines, firsts) in INTRODUCED {
        let setup = Setup::read(&variant, Some(position)).expect("a position");
        with_setup!(setup, start => {
            let geometry = start.game.board().geometry();
            let stipulation = Stipulation::parse(asked, &variant.rule_set, geometry);
            let problem = Problem::new(start, stipulation.expect("a stipulation"));
            let solution = problem.solve(&Limits::default(), &Control::new());
            let found = (solution.lines.len(), problem.first_turns(&solution).len());
            assert_eq!(found, (lines, firsts), "{position} {asked}");
        });
    }
}

/// `FAIRYPROOF_PROBLEMS` names a file of more problems, one a line: position, stipulation and number of lines, with `|`
/// between them. They are also compared with the plain search.
#[test]
fn published_problems_have_all_their_lines() {
    let variant = Variant::from(&variants::fide::INFO);
    let file = std::env::var("FAIRYPROOF_PROBLEMS");
    let text = file.map(|file| std::fs::read_to_string(file).expect("a file"));
    let more = text.as_deref().unwrap_or_default().lines().map(|line| {
        let fields: Vec<&str> = line.split('|').collect();
        (fields[0], fields[1], fields[2].parse().expect("a number"))
    });
    for (n, (position, asked, count)) in PUBLISHED.into_iter().chain(more).enumerate() {
        let setup = Setup::read(&variant, Some(position)).expect("a position");
        with_setup!(&setup, start => {
            let geometry = start.game.board().geometry();
            let stipulation = Stipulation::parse(asked, &variant.rule_set, geometry);
            let problem = Problem::new(start.clone(), stipulation.expect("a stipulation"));
            let found = match n < PUBLISHED.len() {
                true => lines(&problem, true).len(),
                false => compared(&problem, position),
            };
            assert_eq!(found, count, "{position} {asked}");
        });
    }
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
    assert_eq!(received(3, usize::MAX).1, received(1, usize::MAX).1);
    // The first lines are received before the others are searched.
    let (first, found) = received(1, 1);
    assert_eq!((&first[..], found), (&parts[..1], parts[0].clone()));
}

/// Solves a problem with a number of threads. Returns the lines in the order in which they are received, and in the
/// order of the solution.
fn received_lines(position: &str, asked: &str, threads: usize) -> [Vec<String>; 2] {
    let variant = Variant::from(&variants::fide::INFO);
    let setup = Setup::read(&variant, Some(position)).expect("a position");
    with_setup!(&setup, start => {
        let geometry = start.game.board().geometry();
        let stipulation = Stipulation::parse(asked, &variant.rule_set, geometry);
        let problem = Problem::new(start.clone(), stipulation.expect("a stipulation"));
        let add = |branches: &Branches, all: &mut Vec<String>| {
            let each = branches.each::<_, ()>(&problem, |line, _| {
                let turns: Vec<&str> = line.iter().map(|made| made.text.as_str()).collect();
                all.push(turns.join(" "));
                Ok(())
            });
            assert_eq!(each, Ok(()));
        };
        let (mut received, mut all) = (Vec::new(), Vec::new());
        let control = Control::new().with_threads(threads);
        let solution = problem.solve_in_order(
            &Limits::default(),
            Want::default(),
            None,
            &control,
            &mut |part| {
                add(&part.lines, &mut received);
                true
            },
        );
        add(&solution.lines, &mut all);
        [received, all]
    })
}

/// Problems with many lines, also short ones, and with lines that continue after a goal.
#[test]
fn lines_are_received_in_order_with_any_number_of_threads() {
    for (position, asked, least) in [
        ("8/8/8/8/8/1K6/7Q/k7 w - - 0 1", "ser-=3", 20),
        ("8/8/8/8/8/1K6/7Q/k7 w - - 0 1", "ser-#3", 5),
        ("8/8/8/8/8/K7/7R/k7 b - - 0 1", "ser-h#5", 2),
        ("8/8/8/8/8/K7/7Q/k7 w - - 0 1", "h=2.5", 1),
        ("7R/8/8/8/8/K7/8/k7 b - - 0 1", "h#3", 2),
        ("8/8/8/8/8/1K6/7Q/k7 b - - 0 1", "2->ser-#2", 5),
        ("8/8/8/8/8/K7/7R/k7 w - - 0 1", "2->ser-h#3", 2),
    ] {
        let [received, all] = received_lines(position, asked, 1);
        assert!(all.len() >= least, "{asked}: {} lines", all.len());
        assert_eq!(received, all, "{position} {asked}");
        assert!(all.is_sorted(), "{position} {asked}");
        for threads in [2, 3] {
            let found = received_lines(position, asked, threads);
            assert_eq!(found, [all.clone(), all.clone()], "{position} {asked}");
        }
    }
}

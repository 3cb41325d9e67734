//! Positions that no game from the start reaches, but FENs may show: with more units in hand than the start
//! provides for, and with pawns on their own first rank.

use crate::counts::LIBRARY;
use control::{Control, Random};
use naive::defined::Library;
use notation::{Setup, fen, turns, with_setup};
use rules::Variant;
use std::sync::Arc;
use tables::{Signature, Tables, build};

/// Returns a variant of the library.
fn listed(name: &str) -> Variant {
    let book = definition::library();
    let found = book.definitions().find(|d| d.name == name);
    interpreter::open(found.expect("a definition").clone()).expect("a variant")
}

/// Returns the text of a variant of orthodox chess with these keys, and the variant.
fn own(keys: &str) -> (String, Variant) {
    let text = format!("[own:chess]\n{keys}\n");
    let variant = opened(&text);
    (text, variant)
}

/// Returns the variant of a text.
fn opened(text: &str) -> Variant {
    let book = definition::read(text.as_bytes(), &definition::NoneCompiled);
    let definition = book.definitions().next().expect("a definition").clone();
    interpreter::open(definition).unwrap_or_else(|why| panic!("{text}{why:?}"))
}

fn read(variant: &Variant, text: &str) -> Setup {
    Setup::read(variant, Some(text)).unwrap_or_else(|why| panic!("{variant} {text}: {why}"))
}

/// Checks that lines of one turn, two turns ... are as many as in the naive implementation, and that what is printed
/// is read as the same position.
fn assert_counts(variant: &Variant, rules: &str, text: &str, depth: u32) {
    let library = Library::read(rules).unwrap_or_else(|why| panic!("{why}"));
    let game = library.game(variant.rule_set.id()).expect("a game");
    let state = game.read(text).expect("a position");
    with_setup!(read(variant, text), start => {
        let (game, p) = (start.game.as_ref(), &start.position);
        assert_eq!(fen::read_position(game, &fen::print(game, p)).ok(), Some(*p), "{text}");
        for depth in 1..=depth {
            assert_eq!(game.perft(p, depth), state.perft(depth), "{variant} {text} {depth}");
        }
    });
}

#[test]
fn hands_hold_what_a_position_brings_into_them() {
    for (name, text, depth) in [
        (
            "crazyhouse",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[QQQQQQQQnnnnnnnnnnnnnnnnnPP] w KQkq - 0 1",
            2,
        ),
        // Promoted units of which there are too many at the start return as pawns.
        (
            "crazyhouse",
            "4k3/q~q~q~q~q~q~q~q~/q~q~q~q~q~q~q~q~/q~q~q~q~q~q~q~q~/q~q~q~q~q~q~q~q~/8/8/4K2R[] w - - 0 1",
            2,
        ),
        (
            "crazyhouse",
            "4k3/8/8/8/8/8/8/4K3[QQQQQQQQQrn] b - - 0 1",
            2,
        ),
        (
            "chessgi",
            "4k3/8/8/3q4/8/8/8/3QK3[PPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPp] w - - 0 1",
            2,
        ),
        ("pocketknight", "4k3/8/8/8/8/8/8/4K3[NNNNNnn] w - - 0 1", 2),
        ("seirawan", "r3k3/8/8/8/8/8/8/R3K3[HHHEhe] w Qq - 0 1", 2),
        (
            "shogi",
            "4k4/9/9/9/4p4/4R4/9/9/4K4[GGGGGGGGPPgp] w - - 0 1",
            2,
        ),
        (
            "supply",
            "4k4/9/9/9/9/9/9/9/9/3K5[PPPPPPPPPPPPPPPPPPPPn] w - - 0 1",
            2,
        ),
    ] {
        assert_counts(&listed(name), LIBRARY, text, depth);
    }
    // Hands behind the board are read in the same way.
    let behind = read(
        &listed("crazyhouse"),
        "4k3/8/8/8/8/8/8/4K3/QQQQQQQQQ w - - 0 1",
    );
    assert_eq!(behind.fen(), "4k3/8/8/8/8/8/8/4K3[QQQQQQQQQ] w - - 0 1");
}

/// Files name the rules by their identity, and keys contain the hands.
#[test]
fn only_positions_with_larger_hands_have_games_of_their_own() {
    let variant = listed("crazyhouse");
    let start = read(&variant, &variant.start());
    let small = read(&variant, "4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1");
    let large = read(&variant, "4k3/8/8/8/8/8/8/4K3[QQQQQQQQQ] w - - 0 1");
    assert_eq!(start.variant().identity(), variant.identity());
    assert_eq!(small.variant().identity(), variant.identity());
    assert_ne!(large.variant().identity(), variant.identity());
    assert_eq!(large.variant().to_string(), "crazyhouse");
    // Neither game holds the positions of the other in its tables.
    with_setup!(large, start => {
        let error = Signature::parse(start.game.as_ref(), "KvK;hand=Q").expect_err("no table");
        assert!(error.to_string().contains("hands as large as in games from the start"), "{error}");
        let tables = Tables::new(Arc::clone(&start.game), None);
        assert_eq!(tables.value(&start.position).ok(), Some(None));
    });
    let error = with_setup!(start, start => {
        fen::read_position(start.game.as_ref(), "4k3/8/8/8/8/8/8/4K3[QQQQQQQQQ] w - - 0 1").err()
    });
    let error = error.expect("no room").to_string();
    assert!(
        error.contains("must be opened as a game of its own"),
        "{error}"
    );
}

/// Returns a value of `promotedPieceType` with which pieces become each other in a circle. If they keep in hand what
/// they became, there may be as many of each as of all.
fn circle(letters: &[char]) -> String {
    let next = letters.iter().cycle().skip(1);
    let pairs = letters.iter().zip(next);
    pairs.map(|(from, to)| format!("{from}:{to} ")).collect()
}

/// Returns the keys of pieces with these letters.
fn wazirs(letters: &[char]) -> String {
    let named = (1..).zip(letters);
    named
        .map(|(n, letter)| format!("customPiece{n} = {letter}:W\n"))
        .collect()
}

/// Hands fill the state to its last bit; the fields after them have no bits.
#[test]
fn a_state_may_take_all_of_its_bits() {
    // Four fields of eleven bits and two of ten fill a word, and twenty-four letters four words for each side.
    let letters: Vec<char> = ('a'..='y').filter(|letter| *letter != 'k').collect();
    let (many, few): (Vec<usize>, Vec<usize>) = (0..letters.len()).partition(|n| n % 6 < 4);
    let [many, few] =
        [many, few].map(|group| group.into_iter().map(|n| letters[n]).collect::<Vec<char>>());
    let text = format!(
        "[own]\nking = k\n{}promotedPieceType = {}{}\nmaxFile = 3\nmaxRank = 3\npieceDrops = true\n\
         capturesToHand = true\ndropLoop = true\nstartFen = 1k1/3/1K1[] w - - 0 1\n",
        wazirs(&letters),
        circle(&many),
        circle(&few),
    );
    let variant = opened(&text);
    let hand: String = letters
        .iter()
        .map(|letter| letter.to_string().repeat(70))
        .collect();
    let fen = format!("1k1/3/1K1[{hand}] b - - 0 1");
    with_setup!(read(&variant, &fen), start => {
        assert_eq!(start.game.carried().state_bits(), 512);
    });
    assert_counts(&variant, &text, &fen, 2);
}

#[test]
fn hands_that_no_state_holds_are_refused() {
    let letters: Vec<char> = ('a'..='z').filter(|letter| *letter != 'k').collect();
    let keys = "king = k\npieceDrops = true\ncapturesToHand = true\ndropLoop = true\n\
                startFen = 4k3/8/8/8/8/8/8/4K3[] w - - 0 1";
    let circle = circle(&letters);
    let text = format!(
        "[own]\n{}{keys}\npromotedPieceType = {circle}\n",
        wazirs(&letters)
    );
    let variant = opened(&text);
    // Seven of the fifty fields fill a word if there are fewer than 512 units, and six if there are more.
    for (each, fits) in [(20, true), (21, false)] {
        let hand: String = letters
            .iter()
            .map(|letter| letter.to_string().repeat(each))
            .collect();
        for text in [
            format!("4k3/8/8/8/8/8/8/4K3[{hand}] w - - 0 1"),
            format!("4k3/8/8/8/8/8/8/4K3/{hand} w - - 0 1"),
        ] {
            match Setup::read(&variant, Some(&text)) {
                Ok(setup) => with_setup!(setup, start => {
                    let (game, p) = (start.game.as_ref(), &start.position);
                    assert_eq!(fen::read_position(game, &fen::print(game, p)).ok(), Some(*p));
                    assert!(fits, "{text}");
                }),
                Err(error) => {
                    let error = error.to_string();
                    assert!(!fits && error.contains("there is room for 512"), "{error}");
                }
            }
        }
    }
    let variant = listed("crazyhouse");
    let kings = Setup::read(&variant, Some("4k3/8/8/8/8/8/8/4K3[K] w - - 0 1"));
    let error = kings.err().expect("a refusal").to_string();
    assert!(error.contains("2 units `K`"), "{error}");
}

/// A bishop that may not be doubled on a file leaves fewer squares of its color to those in hand.
#[test]
fn hands_have_no_room_for_more_units_of_a_piece_than_their_bits_hold() {
    // Pieces, and how many of them the bits for those of the start can count.
    for (name, files, rooms) in [
        ("crazyhouse", 8, "P31 N7 B7 R7 Q3"),
        ("capahouse", 10, "P31 N7 B7 R7 Q3 A3 C3"),
    ] {
        let rooms: Vec<(char, usize)> = rooms
            .split(' ')
            .map(|room| {
                (
                    room.as_bytes()[0] as char,
                    room[1..].parse().expect("a number"),
                )
            })
            .collect();
        let variant = listed(name);
        let game = variant
            .on(fen::shape(&variant.start()).expect("a board"))
            .expect("a game");
        let mut random = Random::numbered(1, files as u64);
        let mut refused = 0;
        for n in 0..3_000 {
            let mut counts = vec![0; rooms.len()];
            let mut unit = |board: bool| {
                let piece = random.scaled_below(rooms.len());
                let promoted = board && piece > 0 && random.scaled_below(4) == 0;
                counts[if promoted { 0 } else { piece }] += 1;
                let letter = match random.scaled_below(2) {
                    0 => rooms[piece].0,
                    _ => rooms[piece].0.to_ascii_lowercase(),
                };
                format!("{letter}{}", if promoted { "~" } else { "" })
            };
            let ranks: Vec<String> = (0..n % 4)
                .map(|_| (0..files).map(|_| unit(true)).collect())
                .chain((n % 4..4).map(|_| files.to_string()))
                .collect();
            let hand: String = (0..n % 23).map(|_| unit(false)).collect();
            let rest = files - 1;
            let text = format!(
                "k{rest}/{files}/{}/{files}/K{rest}[{hand}] w - - 0 1",
                ranks.join("/")
            );
            let expected = rooms
                .iter()
                .zip(&counts)
                .any(|(room, count)| *count > room.1);
            let found = fen::read_with(&game, &text)
                .err()
                .is_some_and(|why| why.to_string().contains("has room for"));
            assert_eq!(found, expected, "{name} {text}");
            refused += usize::from(expected);
        }
        assert!((500..2_500).contains(&refused), "{name}: {refused}");
    }
}

#[test]
fn drops_leave_room_for_bishops_that_are_not_doubled() {
    let keys = "king = k\npawn = r\nbishop = q\nmaxFile = 5\npromotionRegionBlack = *1 *2\n\
        pieceDrops = true\ndropNoDoubled = q\ndropOppositeColoredBishop = true\n\
        startFen = 2k2/5/2q1q/5/5/Q1Q2/5/2K2[Qq] w - - 0 1";
    let text = format!("[own]\n{keys}\n");
    let fen = "rrk2/5/q1q1q/1Q1q1/4Q/Q1Q2/5/R1KR1[QQQqqqrrr] b - - 1 4";
    assert_counts(&opened(&text), &text, fen, 1);
}

#[test]
fn squares_that_no_unit_can_have_passed_are_set_aside() {
    let initial = "customPiece1 = a:WifmnD\nenPassantTypes = pa";
    for (keys, fen, square) in [
        ("", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "e3"),
        // The generator of definitions plays this one.
        (
            "mustCapture = true",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "e3",
        ),
        ("", "4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 0 1", "-"),
        ("", "4k3/8/8/8/3pN3/8/8/4K3 b - e3 0 1", "-"),
        ("", "4k3/8/8/3pP3/8/8/8/4K3 b - e4 0 1", "-"),
        (
            "doubleStep = false",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "-",
        ),
        (
            "enPassantRegion = d3",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "-",
        ),
        (
            "tripleStepRegionWhite = *2",
            "4k3/8/8/3pP3/8/8/8/4K3 b - e4 0 1",
            "e4",
        ),
        (
            "tripleStepRegionWhite = *2",
            "4k3/8/8/3pP3/3p4/8/8/4K3 b - e3e4 0 1",
            "e3e4",
        ),
        (
            "tripleStepRegionWhite = *2",
            "4k3/8/8/3pP3/3p4/4N3/8/4K3 b - e4 0 1",
            "-",
        ),
        (
            "tripleStepRegionWhite = *1",
            "4k3/8/8/8/3pP3/3p4/8/4K3 b - e2e3 0 1",
            "e3",
        ),
        (initial, "4k3/8/8/8/3pA3/8/8/4K3 b - e3 0 1", "e3"),
        (initial, "4k3/8/8/3pA3/8/8/8/4K3 b - e4 0 1", "-"),
        (initial, "4k3/8/8/8/3pA3/8/4N3/4K3 b - e3 0 1", "-"),
    ] {
        let (text, variant) = own(keys);
        let setup = read(&variant, fen);
        assert_eq!(setup.fen().split(' ').nth(3), Some(square), "{keys} {fen}");
        assert_counts(&variant, &text, fen, 2);
        let fields: Vec<&str> = fen.split(' ').collect();
        let without = fen.replace(&format!(" {} ", fields[3]), " - ");
        let state = |setup: &Setup| with_setup!(setup, start => format!("{:?}", start.position));
        let is_same = state(&setup) == state(&read(&variant, &without));
        assert_eq!(is_same, square == "-", "{keys} {fen}");
    }
}

#[test]
fn pawns_stand_on_their_first_rank_in_fens() {
    let region = "doubleStepRegionWhite = *1 *2\ndoubleStepRegionBlack = *8";
    for (keys, from_a1) in [
        // The orthodox generator plays this one, the interpreter's own the others.
        ("", &["a1a2"][..]),
        ("mustCapture = true", &["a1a2"]),
        (region, &["a1a2", "a1a3"]),
        (
            "doubleStep = false\nmandatoryPawnPromotion = false",
            &["a1a2"],
        ),
    ] {
        let (text, variant) = own(keys);
        for fen in [
            "4k2p/8/8/8/8/8/8/P3K3 w - - 0 1",
            "p2pk2p/1p4P1/8/8/8/1n6/1p4P1/P2PK2P b - - 0 1",
            "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w KQkq - 0 1",
            "4k2p/6p1/5P2/8/2p5/2p5/1r6/P1P1K3 w - - 0 1",
        ] {
            assert_counts(&variant, &text, fen, 3);
        }
        with_setup!(read(&variant, "4k2p/8/8/8/8/8/8/P3K3 w - - 0 1"), start => {
            let all = turns::sorted(start.game.as_ref(), &start.position);
            let steps: Vec<&str> =
                all.iter().map(|(text, _)| text.as_str()).filter(|t| t.starts_with("a1")).collect();
            assert_eq!(steps, from_a1, "{keys}");
        });
    }
    let (_, variant) = own("");
    let error = Setup::read(&variant, Some("P3k3/8/8/8/8/8/8/4K3 b - - 0 1")).err();
    let error = error.expect("a refusal").to_string();
    assert!(
        error.contains("a pawn of White cannot stand on a8"),
        "{error}"
    );
}

#[test]
fn tables_have_no_values_of_pawns_on_their_first_rank() {
    let (_, variant) = own("");
    with_setup!(read(&variant, "4k3/8/8/8/8/8/8/P3K3 w - - 0 1"), start => {
        let tables = Tables::new(Arc::clone(&start.game), None);
        let signature = Signature::parse(start.game.as_ref(), "KPvK").expect("a signature");
        build(&tables, &signature, &Control::new()).expect("a table");
        let value = |text: &str| {
            let p = fen::read_position(start.game.as_ref(), text).expect("a position");
            tables.value(&p).expect("tables").is_some()
        };
        assert!(!value("4k3/8/8/8/8/8/8/P3K3 w - - 0 1"));
        assert!(value("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"));
        let stats = tables::stats(&tables, &signature, tables::Counting::All).expect("counts");
        // The numbers of the orthodox ending, without a pawn on an end rank.
        let legal = [stats[0].legal, stats[1].legal];
        assert_eq!(legal, [163_328, 168_024]);
    });
}

/// A reader of many FENs shares games, but each FEN is read as it is read alone: other boards, larger hands, errors.
#[test]
fn one_of_many_fens_is_read_as_it_is_alone() {
    let library = ["crazyhouse", "shogi", "seirawan"].map(listed);
    let compiled = [&variants::fide::INFO, &variants::chromopolis::INFO].map(Variant::from);
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/4K3[PPPPPPPPPPPPPPPPPPPPQQQQQ] w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3[P] b - - 0 1",
        "4k3/8/8/8/8/8/4r3/4K3 b - - 0 1",
        "k4/5/5/5/K1Q2 b - - 0 1",
        "k4/5/2*2/5/K1Q2 b - - 0 1",
        "k4/5/5/5/K1Q2 b - - 0 1",
        "k4/5/5/K1Q2 b - x 0 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-] w 0 1",
        "",
        "startpos",
        "k",
    ];
    for variant in library.iter().chain(&compiled) {
        let mut reader = fen::Reader::new(variant);
        let mut shared = |text| reader.read(text).map(|setup| (setup.fen(), setup.turns()));
        let alone = |text| Setup::read(variant, text).map(|setup| (setup.fen(), setup.turns()));
        for text in fens.iter().chain(fens.iter().rev()) {
            assert_eq!(shared(Some(text)), alone(Some(text)), "{variant} {text}");
        }
        assert_eq!(shared(None), alone(None), "{variant}");
    }
}

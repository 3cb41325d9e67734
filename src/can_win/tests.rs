//! The argument and the search against a plain search of all positions, and known dead positions.

use super::games::{Games, without_detours};
use super::{Answer, Argument, Proof, can_win, is_win, search};
use board::Color;
use catalog::Catalog;
use control::{Control, Stopped};
use notation::{Setup, fen, with_setup};
use position::{Layout, Position};
use rules::Game;
use std::collections::HashSet;
use std::time::Duration;

const LIMITS: Control<'static> = Control::new().with_memory(1 << 30);

fn answer(variant: &str, text: &str, side: Color) -> Answer {
    let variant = Catalog::new().open(variant).expect("a variant");
    let setup = Setup::read(&variant, Some(text)).expect("a FEN");
    with_setup!(&setup, start => can_win(start.game.as_ref(), &start.position, side, &LIMITS))
}

/// Replays a line and returns whether it ends with a win of the side.
fn ends_with_win(variant: &str, text: &str, side: Color, answer: &Answer) -> bool {
    let Answer::Yes(line) = answer else {
        return false;
    };
    let variant = Catalog::new().open(variant).expect("a variant");
    let setup = Setup::read(&variant, Some(text)).expect("a FEN");
    with_setup!(&setup, start => {
        let mut p = start.position;
        for turn in line {
            let mut legal = Vec::new();
            start.game.turns(&p, &mut legal);
            assert!(legal.contains(turn));
            p = start.game.play(&p, turn);
        }
        is_win(start.game.outcome(&p), side)
    })
}

/// Searches all positions by their FENs, breadth first. Returns the sides that can win, or `None` if there are
/// more than `most` positions.
fn winners<W: Layout>(game: &dyn Game<W>, root: &Position<W>, most: usize) -> Option<[bool; 2]> {
    let name = |p: &Position<W>| {
        let text = fen::print(game, p);
        let fields: Vec<&str> = text.split(' ').take(4).collect();
        fields.join(" ")
    };
    let (mut seen, mut list, mut at) = (HashSet::from([name(root)]), vec![*root], 0);
    let mut found = [false; 2];
    while let Some(&p) = list.get(at) {
        at += 1;
        let outcome = game.outcome(&p);
        for side in Color::BOTH {
            found[side as usize] |= is_win(outcome, side);
        }
        let mut turns = Vec::new();
        game.turns(&p, &mut turns);
        for turn in turns {
            let after = game.play(&p, &turn);
            if seen.insert(name(&after)) {
                list.push(after);
            }
        }
        if list.len() > most {
            return None;
        }
    }
    Some(found)
}

/// Returns a random FEN with some pawns, which often block each other, and a few pieces.
fn random_fen(random: &mut control::Random, files: usize, ranks: usize) -> String {
    let mut board = vec![vec!['.'; files]; ranks];
    let mut put = |rank: usize, file: usize, unit| board[rank][file] = unit;
    for file in 0..files {
        if random.below(4) > 0 {
            let rank = 1 + random.below(ranks - 3);
            put(rank, file, 'P');
            if random.below(5) > 0 {
                put(rank + 1, file, 'p');
            }
        }
    }
    for (unit, chance) in [
        ('B', 2),
        ('b', 2),
        ('N', 5),
        ('n', 5),
        ('R', 6),
        ('K', 1),
        ('k', 1),
    ] {
        if random.below(chance) > 0 {
            continue;
        }
        for _ in 0..50 {
            let (rank, file) = (random.below(ranks), random.below(files));
            if board[rank][file] == '.' {
                board[rank][file] = unit;
                break;
            }
        }
    }
    let ranks: Vec<String> = (board.iter().rev())
        .map(|rank| rank.iter().collect::<String>().replace('.', "1"))
        .map(|rank| {
            let mut text = String::new();
            for c in rank.chars() {
                match (text.pop(), c) {
                    (Some(last), '1') if last.is_ascii_digit() => {
                        text.push(char::from(last as u8 + 1));
                    }
                    (last, c) => {
                        text.extend(last);
                        text.push(c);
                    }
                }
            }
            text
        })
        .collect();
    let side = ["w", "b"][random.below(2)];
    format!("{} {side} - - 0 1", ranks.join("/"))
}

#[test]
fn answers_are_those_of_a_plain_search_of_all_positions() {
    let catalog = Catalog::new();
    let variant = catalog.open("fide").expect("a variant");
    let mut random = control::Random(7);
    let (mut refuted, mut searched, mut won) = (0, 0, 0);
    for (files, ranks, games) in [(3, 5, 400), (4, 5, 300), (4, 6, 150), (5, 5, 100)] {
        for _ in 0..games {
            let text = random_fen(&mut random, files, ranks);
            let Ok(setup) = Setup::read(&variant, Some(&text)) else {
                continue;
            };
            with_setup!(&setup, start => {
                let (game, p) = (start.game.as_ref(), &start.position);
                let Some(expected) = winners(game, p, 20_000) else {
                    continue;
                };
                for side in Color::BOTH {
                    let expected = expected[side as usize];
                    let found = can_win(game, p, side, &LIMITS);
                    match found {
                        Answer::Yes(_) => {
                            assert!(expected, "{text} {side:?}");
                            assert!(ends_with_win("fide", &text, side, &found), "{text}");
                            won += 1;
                        }
                        Answer::No(proof) => {
                            assert!(!expected, "{text} {side:?}: {proof}");
                            match proof {
                                Proof::NoMate => refuted += 1,
                                _ => searched += 1,
                            }
                        }
                        Answer::Unsettled(stopped) => panic!("{text}: {stopped}"),
                    }
                    // Where the argument says nothing, it must not have pruned either.
                    let alone = search::search(game, p, side, Argument::None, &LIMITS);
                    if game.outcome(p).is_ongoing() {
                        assert_eq!(matches!(alone, Answer::Yes(_)), expected, "{text} {side:?}");
                    }
                }
            });
        }
    }
    // All three ways are taken.
    assert!(
        refuted > 10 && searched > 10 && won > 1,
        "{refuted} {searched} {won}"
    );
}

/// Returns a random FEN with kings, one or two lighter pieces of White or bishops of one color, and some of Black's
/// pieces.
fn few_pieces(random: &mut control::Random, files: usize, ranks: usize) -> String {
    let mut board = vec![vec!['.'; files]; ranks];
    let mut units = vec!['K', 'k', ['B', 'N'][random.below(2)]];
    units.extend((0..random.below(2)).map(|_| 'B'));
    units.extend((0..1 + random.below(2)).map(|_| ['q', 'r', 'b', 'n', 'q'][random.below(5)]));
    for unit in units {
        let square = |random: &mut control::Random| (random.below(ranks), random.below(files));
        let (rank, file) = std::iter::repeat_with(|| square(random))
            .find(|&(rank, file)| board[rank][file] == '.')
            .expect("an empty square");
        board[rank][file] = unit;
    }
    let rank = |rank: &Vec<char>| {
        let text: String = rank.iter().collect();
        let empty = (1..=files).rev();
        empty.fold(text, |text, n| text.replace(&".".repeat(n), &n.to_string()))
    };
    let ranks: Vec<String> = board.iter().map(rank).collect();
    let side = ["w", "b"][random.below(2)];
    format!("{} {side} - - 0 1", ranks.join("/"))
}

#[test]
fn mates_of_few_pieces_are_those_of_a_plain_search() {
    let variant = Catalog::new().open("fide").expect("a variant");
    let mut random = control::Random(3);
    let mut counts = [0; 2];
    for (files, ranks, games) in [(3, 4, 150), (4, 4, 15), (3, 5, 15)] {
        for _ in 0..games {
            let text = few_pieces(&mut random, files, ranks);
            let Ok(setup) = Setup::read(&variant, Some(&text)) else {
                continue;
            };
            with_setup!(&setup, start => {
                let (game, p) = (start.game.as_ref(), &start.position);
                let Some(expected) = winners(game, p, 60_000) else {
                    continue;
                };
                let expected = expected[Color::White as usize];
                let found = can_win(game, p, Color::White, &LIMITS);
                assert!(!matches!(found, Answer::Unsettled(_)), "{text}");
                assert_eq!(matches!(found, Answer::Yes(_)), expected, "{text}: {found:?}");
                let refuted = matches!(found, Answer::No(Proof::NoMate));
                counts[0] += usize::from(refuted);
                counts[1] += usize::from(expected);
            });
        }
    }
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}

#[test]
fn known_positions_are_answered() {
    let (white, black) = (Color::White, Color::Black);
    for (text, side, wins) in [
        // Material.
        ("8/8/8/3k4/8/8/8/K7 w - - 0 1", white, false),
        ("8/8/8/3k4/8/8/8/KB6 w - - 0 1", white, false),
        ("8/8/8/3k4/8/8/8/KN6 w - - 0 1", white, false),
        ("8/8/8/3k1n2/8/8/8/KN6 w - - 0 1", white, true),
        ("8/8/8/3k4/8/8/8/KNN5 w - - 0 1", white, true),
        // Bishops on squares of one color, and of both.
        ("2b5/8/8/3k4/8/8/8/KB6 w - - 0 1", white, false),
        ("5b2/8/8/3k4/8/8/8/KB6 w - - 0 1", white, true),
        // A queen or rooks next to their king parry the check of a single bishop or knight.
        ("k7/2K5/q7/8/8/8/5B2/8 b - - 0 1", white, false),
        ("1q1q1q2/1k6/8/8/8/2K5/2N5/8 b - - 0 1", white, false),
        ("rr6/rk6/8/8/8/2K5/2B5/8 b - - 0 1", white, false),
        ("8/8/8/8/8/2K5/N7/kB6 b - - 0 1", white, false),
        // The opponent's pawn becomes a piece that blocks.
        ("2k5/3p4/8/8/8/8/8/2KB4 w - - 0 1", white, true),
        ("8/2P1K3/8/4k3/b7/8/8/8 w - - 0 1", black, true),
        ("1k2b1b1/8/8/8/3KP3/8/8/8 w - - 0 1", black, true),
        // A single knight or bishop needs a blocking piece; few placements are mates.
        ("4kn2/8/8/8/8/8/8/RK6 w - - 0 1", black, true),
        ("8/2k5/8/4K3/1n6/8/8/B7 w - - 0 1", white, true),
        ("4k3/8/8/8/8/8/8/4KNB1 w - - 0 1", white, true),
        // A wall of pawns.
        ("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", white, false),
        (
            "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1",
            white,
            false,
        ),
        // The same, closed by the last turn, with a capture en passant that opens it and without.
        (
            "4k3/8/4p3/1p1pPp1p/1P1P1P1P/8/8/4K3 w - d6 0 1",
            white,
            true,
        ),
        (
            "4k3/8/4p3/1p1pPp1p/1P1P1P1P/8/8/4K3 w - - 0 1",
            white,
            false,
        ),
        // A pawn promotes with help.
        ("8/8/8/8/8/k7/p7/K7 w - - 0 1", black, false),
        ("8/8/8/8/8/k7/p7/1K6 w - - 0 1", black, true),
    ] {
        let found = answer("fide", text, side);
        match wins {
            true => assert!(
                ends_with_win("fide", text, side, &found),
                "{text}: {found:?}"
            ),
            false => assert!(matches!(found, Answer::No(_)), "{text}: {found:?}"),
        }
    }
    // The game is over.
    let mated = "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1";
    assert_eq!(answer("fide", mated, white), Answer::Yes(Vec::new()));
    assert!(matches!(
        answer("fide", mated, black),
        Answer::No(Proof::Over(_))
    ));
}

#[test]
fn other_rule_sets_are_searched() {
    // A single king can win by marching.
    let text = "8/8/8/8/8/8/k7/4K3 w - - 0 1";
    let found = answer("kingofthehill", text, Color::White);
    assert!(
        ends_with_win("kingofthehill", text, Color::White, &found),
        "{found:?}"
    );
    // Bare kings on a small board, whose positions are all searched.
    let found = answer("bachelor", "2k/3/K2 w - - 0 1", Color::White);
    assert!(
        matches!(found, Answer::No(Proof::Searched(n)) if n > 1),
        "{found:?}"
    );
}

#[test]
fn limits_leave_the_question_open() {
    let variant = Catalog::new().open("fide").expect("a variant");
    let setup = Setup::read(&variant, None).expect("a start");
    let limits = LIMITS.with_time(Some(Duration::from_nanos(1)));
    with_setup!(&setup, start => {
        let found = can_win(start.game.as_ref(), &start.position, Color::White, &limits);
        assert_eq!(found, Answer::Unsettled(Stopped::Time));
    });
}

#[test]
fn the_argument_applies_where_turns_men_and_ends_are_orthodox() {
    let catalog = Catalog::new();
    for (id, text, applies) in [
        ("fide", None, true),
        ("fide", Some("4k3/4p3/8/4P3/4K3 w - - 0 1"), true),
        ("fide", Some("2**k3/4p3/8/4P3/4K3 w - - 0 1"), true),
        ("chess", None, true),
        ("bachelor", None, false),
        ("convergent", None, false),
        ("spartan", None, false),
        ("atomic", None, false),
        ("crazyhouse", None, false),
        ("suicide", None, false),
    ] {
        let variant = catalog.open(id).expect("a variant");
        let setup = Setup::read(&variant, text).expect("a FEN");
        let found = with_setup!(&setup, start => Argument::of(start.game.as_ref()));
        assert_eq!(found == Argument::Mates, applies, "{id} {text:?}");
    }
}

#[test]
fn positions_with_many_units_are_settled() {
    for (variant, text, side) in [
        ("fide", None, Color::White),
        ("fide", None, Color::Black),
        (
            "fide",
            Some("r1bqkb1r/ppp2ppp/2nppn2/8/8/1PNPP3/PBP2PPP/R2QKBNR w KQkq - 0 1"),
            Color::White,
        ),
        (
            "fide",
            Some("5b2/2k5/5b2/p1p1pBp1/P1P1P1P1/5K2/4B3/8 w - - 0 1"),
            Color::White,
        ),
        ("atomic", None, Color::Black),
        ("spartan", None, Color::White),
    ] {
        let opened = Catalog::new().open(variant).expect("a variant");
        let text = text.map_or_else(|| opened.start(), String::from);
        let found = answer(variant, &text, side);
        assert!(
            ends_with_win(variant, &text, side, &found),
            "{variant} {text}"
        );
        let Answer::Yes(line) = found else {
            continue;
        };
        assert!(line.len() < 300, "{} plies", line.len());
    }
}

#[test]
fn random_games_alone_find_wins_and_nothing_else() {
    for (text, plies, wins) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            50_000,
            true,
        ),
        ("4k3/8/8/8/8/8/8/4KQR1 w - - 0 1", 50_000, true),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", 2_000, false),
    ] {
        let variant = Catalog::new().open("fide").expect("a variant");
        let setup = Setup::read(&variant, Some(text)).expect("a FEN");
        with_setup!(&setup, start => {
            let (game, root) = (start.game.as_ref(), start.position);
            // Without the argument, games in dead positions go on.
            let mut games = Games::new(game, &root, Color::White, Argument::None);
            let found = games.play(plies, &|_| (0, root));
            assert_eq!(found.is_some(), wins, "{text}");
            if let Some((_, whole)) = found {
                let line = without_detours(game, &root, &whole);
                assert!(line.len() <= whole.len());
                assert!(ends_with_win("fide", text, Color::White, &Answer::Yes(line)));
            }
        });
    }
}

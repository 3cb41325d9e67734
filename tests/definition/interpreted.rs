//! The rule set made of data: counts of another engine, and turns, positions and outcomes beside the
//! naive implementation, for the library and for definitions made at random.
//!
//! `OWN_COUNTS_NODES=1000000` counts rows of up to so many nodes instead of 20,000;
//! `OWN_RANDOM_DEFINITIONS=10000` draws that many definitions instead of 2,000 (200 in a build for debugging),
//! `OWN_RANDOM_SEED=7` others than usual.

use crate::checks::contradiction;
use crate::counts::{self, LIBRARY};
use crate::drawn::{Drawn, Random, row_text};
use crate::number;
use naive::defined::{Library, Outcome, State};
use notation::{Setup, fen, turns, with_setup};
use quickcheck::{Gen, QuickCheck};
use rules::{Game, Variant};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

/// Turns of a random game at most.
const PLIES: usize = 24;

/// Returns the variants of the library that are played, and orthodox chess as the root of all.
fn library() -> BTreeMap<String, Variant> {
    let book = definition::library();
    assert!(!book.has_errors(), "{:?}", book.findings);
    let open = |definition: definition::Definition| {
        let name = definition.name.clone();
        let variant = interpreter::open(definition).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        (name, variant)
    };
    book.definitions().cloned().map(open).collect()
}

#[test]
fn made_rules_count_as_the_other_engine_does() {
    let variants = library();
    let most = number("OWN_COUNTS_NODES", 20_000);
    let mut wrong = Vec::new();
    let (mut all, mut right) = (BTreeSet::new(), BTreeSet::new());
    for row in counts::rows() {
        let (name, text, nodes) = (&row.variant, &row.fen, row.nodes);
        all.insert(name.to_string());
        let Some(variant) = variants.get(name).filter(|_| nodes <= most) else {
            continue;
        };
        let setup =
            Setup::read(variant, Some(text)).unwrap_or_else(|e| panic!("{name} {text}: {e}"));
        let counted = with_setup!(&setup, start => {
            // What is printed is read as the same position.
            let game = start.game.as_ref();
            let again = fen::read_position(game, &fen::print(game, &start.position));
            assert_eq!(again.ok(), Some(start.position), "{name} {text}");
            game.perft(&start.position, row.depth)
        });
        if counted == nodes {
            right.insert(name.to_string());
        } else {
            let depth = row.depth;
            wrong.push(format!("{name} {text} {depth}: {nodes}, not {counted}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let missing: Vec<&String> = all.difference(&right).collect();
    assert!(missing.is_empty(), "not counted: {missing:?}");
}

/// Returns a FEN of the naive implementation as this one prints the same position, the count of passes left
/// aside: the naive one keeps none.
fn as_printed<W: notation::Layout>(game: &dyn Game<W>, text: &str) -> String {
    match fen::read_position(game, text) {
        Ok(p) => bare(&fen::print(game, &p)),
        Err(error) => format!("{text} is not read: {error}"),
    }
}

/// Returns a FEN without the state field.
fn bare(text: &str) -> String {
    let fields: Vec<&str> = text.split(' ').filter(|f| !f.contains('=')).collect();
    fields.join(" ")
}

/// Plays a random game in both; the first difference.
fn differ(variant: &Variant, start: &str, state: State, random: &mut Random) -> Option<String> {
    let setup = match Setup::read(variant, Some(start)) {
        Ok(setup) => setup,
        Err(error) => return Some(format!("{start} is not read: {error}")),
    };
    with_setup!(setup, start => {
        let (game, mut p, mut state) = (start.game.as_ref(), start.position, state);
        for _ in 0..PLIES {
            let printed = fen::print(game, &p);
            if fen::read_position(game, &printed).ok() != Some(p) {
                return Some(format!("{printed} is not read as what was printed"));
            }
            let here = bare(&printed);
            let outcome = match game.outcome(&p) {
                rules::Outcome::Ongoing => Outcome::Ongoing,
                rules::Outcome::Win(winner, _) => Outcome::Wins(winner.index()),
                _ => Outcome::Draw,
            };
            if outcome != state.outcome() {
                return Some(format!("{here}: {outcome:?}, not {:?}", state.outcome()));
            }
            if game.in_check(&p, p.side) != state.in_check() {
                return Some(format!("{here}: check is not {}", state.in_check()));
            }
            if let Some(why) = contradiction(game, &p) {
                return Some(format!("{here}: {why}"));
            }
            let mut turns = Vec::new();
            game.turns(&p, &mut turns);
            if game.count(&p) != turns.len() as u64 || game.has_turn(&p) == turns.is_empty() {
                return Some(format!("{here}: counts {}, lists {}", game.count(&p), turns.len()));
            }
            let behind: u64 = turns.iter().map(|turn| game.count(&game.play(&p, turn))).sum();
            if game.perft(&p, 2) != behind {
                return Some(format!("{here}: {} lines of two turns, not {behind}", game.perft(&p, 2)));
            }
            let texts: BTreeSet<String> =
                turns.iter().map(|turn| notation::turns::print(game, &p, turn)).collect();
            if texts.len() != turns.len() {
                return Some(format!("{here}: two turns have one notation: {texts:?}"));
            }
            let mut own: Vec<_> = turns
                .iter()
                .map(|turn| (bare(&fen::print(game, &game.play(&p, turn))), *turn))
                .collect();
            own.sort();
            let mut naive: Vec<(String, State)> = state
                .turns()
                .into_iter()
                .map(|(_, after)| (as_printed(game, &after.fen()), after))
                .collect();
            naive.sort_by(|a, b| a.0.cmp(&b.0));
            let texts = |all: Vec<&String>| all.into_iter().cloned().collect::<Vec<String>>();
            let (a, b) = (
                texts(own.iter().map(|(text, _)| text).collect()),
                texts(naive.iter().map(|(text, _)| text).collect()),
            );
            if a != b {
                let only = |a: &[String], b: &[String]| {
                    a.iter().filter(|text| !b.contains(text)).take(3).cloned().collect::<Vec<_>>()
                };
                return Some(format!(
                    "{here}: {} turns, not {}; here alone {:?}, there alone {:?}",
                    a.len(), b.len(), only(&a, &b), only(&b, &a)
                ));
            }
            if own.is_empty() {
                return None;
            }
            let chosen = random.below(own.len());
            p = game.play(&p, &own[chosen].1);
            state = naive.swap_remove(chosen).1;
        }
        None
    })
}

#[test]
fn games_of_the_library_are_those_of_the_naive_implementation() {
    let naive = Library::read(LIBRARY).unwrap_or_else(|why| panic!("{why}"));
    let mut wrong = Vec::new();
    for (name, variant) in library() {
        let game = naive.game(&name).unwrap_or_else(|| panic!("no {name}"));
        let start = game.read(game.start()).expect("the start");
        wrong.extend(
            differ(&variant, game.start(), start, &mut Random(7))
                .map(|why| format!("{name}: {why}")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns a position on a board of this size: the kings in opposite corners, and other units of the start
/// position between them.
fn on_smaller_board(
    game: &naive::defined::Game,
    size: (usize, usize),
    random: &mut Random,
) -> String {
    let start = game.start();
    let board: String = start.split([' ', '[']).next().expect("a board").into();
    let letters: Vec<char> = board.chars().filter(char::is_ascii_alphabetic).collect();
    let is_king = |letter: &&char| letter.eq_ignore_ascii_case(&'k');
    let others: Vec<char> = letters
        .iter()
        .filter(|letter| !is_king(letter))
        .copied()
        .collect();
    let (files, ranks) = size;
    let mut rows = vec![vec!['.'; files]; ranks];
    for letter in letters.iter().filter(is_king) {
        match letter.is_ascii_uppercase() {
            true => rows[ranks - 1][0] = *letter,
            false => rows[0][files - 1] = *letter,
        }
    }
    for _ in 0..files * ranks / 4 {
        let (row, file) = (random.below(ranks), random.below(files));
        if rows[row][file] == '.' && !others.is_empty() {
            rows[row][file] = random.pick(&others);
        }
    }
    let rows: Vec<String> = rows.iter().map(|row| row_text(row)).collect();
    let hand = if start.contains('[') { "[]" } else { "" };
    let checks = if start.contains('+') { "1+1 " } else { "" };
    format!("{}{hand} w - - {checks}0 1", rows.join("/"))
}

/// The regions of a definition are carried over to smaller boards in both implementations, each by its own
/// code, from the same description in the guide.
#[test]
fn games_on_smaller_boards_are_those_of_the_naive_implementation() {
    let naive = Library::read(LIBRARY).unwrap_or_else(|why| panic!("{why}"));
    let (mut wrong, mut played) = (Vec::new(), BTreeSet::new());
    for (name, variant) in library() {
        let game = naive.game(&name).unwrap_or_else(|| panic!("no {name}"));
        let sizes = [(3, 4), (4, 4), (5, 5), (6, 4), (7, 7), (5, 8), (8, 3)];
        for (seed, &size) in (0..).zip(sizes.iter().cycle().take(6 * sizes.len())) {
            let text = on_smaller_board(&game, size, &mut Random(seed));
            if Setup::read(&variant, Some(&text)).is_err() {
                continue;
            }
            let small = game.on_board_of(&text).and_then(|game| game.read(&text));
            let why = match small {
                Ok(state) => differ(&variant, &text, state, &mut Random(seed)),
                Err(why) => Some(format!("{text} is not read: {why}")),
            };
            wrong.extend(why.map(|why| format!("{name}: {why}")));
            played.insert(name.clone());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(played.len() > 60, "{played:?}");
}

/// A piece that a section takes from the variant cannot become extinct, whatever its parent's keys name.
#[test]
fn pieces_that_the_variant_lacks_do_not_end_the_game() {
    let text = format!("{LIBRARY}\n[without:extinction]\nimmobile = r\n");
    let only = "[without:extinction]\nimmobile = r\n";
    let variant = variant_of(only);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    for seed in 0..5 {
        compare(&variant, &text, "without", start, seed);
    }
}

/// Reads a section of each key with its example: what the program plays is read, and what it does not play is
/// refused.
#[test]
fn keys_that_the_program_reads_are_read() {
    let mut read = 0;
    for key in definition::key_infos() {
        let text = format!("[own:chess]\n{}\n", key.example);
        let book = definition::read(text.as_bytes(), &definition::NoneCompiled);
        let Some(definition) = book.definitions().next() else {
            continue;
        };
        if interpreter::open(definition.clone()).is_err() {
            continue;
        }
        let naive = Library::read(&text);
        assert!(naive.is_ok(), "{text}{:?}", naive.err());
        read += 1;
    }
    assert!(read > 100, "{read}");
    for on in [
        "chess960 = true",
        "wallingRule = duck",
        "petrifyOnCaptureTypes = n",
        "bikjangRule = true",
        "diagonalLines = a1",
        "enclosingDrop = reversi",
        "flipEnclosedPieces = reversi",
        "dropOnTop = true",
    ] {
        assert!(
            Library::read(&format!("[own:chess]\n{on}\n")).is_err(),
            "{on}"
        );
    }
    for off in [
        "chess960 = false",
        "wallingRule = none",
        "petrifyOnCaptureTypes = -",
        "castlingKingPiece = -",
        "flagPiece = -",
        "mustDropType = *",
        "dropNoDoubled = -",
        "enclosingDrop = none",
        "promotedPieceType = p : n",
        "queen = q",
        "customPiece1 = a : WF",
        "customPiece1 = a:R12\nstartFen = k7/8/8/8/8/8/8/K6A w - - 0 1",
        "nFoldRule = 0",
    ] {
        let text = format!("[own:chess]\n{off}\n");
        let variant = variant_of(&text);
        let naive = Library::read(&text).unwrap_or_else(|why| panic!("{text}{why}"));
        let game = naive.game("own").expect("a game");
        let start = game.read(game.start()).expect("the start");
        let why = differ(&variant, game.start(), start, &mut Random(3));
        assert_eq!(why, None, "{text}");
    }
}

/// What blasts are on gates stays open without a unit, but a right whose units are missing opens none.
#[test]
fn a_start_opens_gates_only_for_castlings_whose_units_stand_there() {
    let keys = "king = -\ncommoner = k\ncastlingKingPiece = k\nextinctionValue = loss\n\
        extinctionPieceTypes = k\nblastOnCapture = true\nseirawanGating = true\ngating = true\n";
    for (rights, opened) in [("Q", "-"), ("KQkq", "Kk"), ("Qk", "k"), ("KDd", "KDd")] {
        let start = format!("r2qk2r/8/8/8/8/8/8/3QK2R[Nn] w {rights} - 0 1");
        let start = match rights.contains('q') {
            true => start.replace("r2q", "3q"),
            false => start,
        };
        let text = format!("[gates:chess]\n{keys}startFen = {start}\n");
        let book = definition::read(text.as_bytes(), &definition::NoneCompiled);
        let definition = book
            .definitions()
            .next()
            .unwrap_or_else(|| panic!("{text}{:?}", book.findings));
        let variant =
            interpreter::open(definition.clone()).unwrap_or_else(|why| panic!("{text}{why:?}"));
        let setup = Setup::read(&variant, None).unwrap_or_else(|why| panic!("{text}{why}"));
        let printed = with_setup!(setup, start => fen::print(start.game.as_ref(), &start.position));
        assert_eq!(printed.split(' ').nth(2), Some(opened), "{text}{printed}");
    }
}

/// A dropped rook brings a right but opens no gate, which the letter of the right alone would do.
#[test]
fn gates_that_a_drop_leaves_shut_are_printed_and_read() {
    let text = "[gates:seirawan]\npieceDrops = true\ncastlingDroppedPiece = true\n\
        startFen = 4k3/8/8/8/8/8/8/4K3[RHrh] w - - 0 1\n";
    let book = definition::read(text.as_bytes(), &definition::NoneCompiled);
    let definition = book.definitions().next().expect("a definition").clone();
    let variant = interpreter::open(definition).unwrap_or_else(|why| panic!("{why:?}"));
    let entering = |fen: &str| {
        let setup = Setup::read(&variant, Some(fen)).unwrap_or_else(|why| panic!("{fen}: {why}"));
        with_setup!(setup, start => {
            let (game, p) = (start.game.as_ref(), &start.position);
            let all = turns::sorted(game, p);
            all.iter().filter(|(text, _)| text.starts_with("h1") && text.ends_with('h')).count()
        })
    };
    let setup = Setup::read(&variant, None).unwrap_or_else(|why| panic!("{why}"));
    let printed = with_setup!(setup, start => {
        let game = start.game.as_ref();
        let p = ["R@h1", "e8e7"].iter().fold(start.position, |p, text| {
            game.play(&p, &turns::read(game, &p, text, 1).unwrap_or_else(|why| panic!("{why}")))
        });
        fen::print(game, &p)
    });
    assert_eq!(printed, "8/4k3/8/8/8/8/8/4K2R[Hhr] w K - 1 2 shut=e1,h1");
    assert_eq!(entering(&printed), 0);
    let open = "8/4k3/8/8/8/8/8/4K2R[Hhr] w K - 1 2";
    assert!(entering(open) > 0);
    assert_eq!(entering(&format!("{open} shut=h1")), 0);
    for wrong in ["shut=a1", "shut=zz", "shut=", "shut=h1,h1", "shut=e8"] {
        assert!(
            Setup::read(&variant, Some(&format!("{open} {wrong}"))).is_err(),
            "{wrong}"
        );
    }
}

/// Definitions that were played, others being refused.
static PLAYED: AtomicU64 = AtomicU64::new(0);
/// Of these, definitions that were played from an unusual position too.
static UNUSUAL: AtomicU64 = AtomicU64::new(0);

/// Plays a definition in both implementations; an error tells the first difference.
pub fn check(drawn: &Drawn) -> Result<(), String> {
    let text = drawn.text();
    let book = definition::read(text.as_bytes(), &definition::NoneCompiled);
    let Some(definition) = book.definitions().next().cloned() else {
        // What the reader finds senseless is no game.
        return Ok(());
    };
    let Ok(variant) = interpreter::open(definition) else {
        return Ok(());
    };
    PLAYED.fetch_add(1, Ordering::Relaxed);
    let state = drawn.naive()?;
    let start = Setup::read(&variant, None).map_err(|e| format!("{text}\n{e}"))?;
    let (own, naive) = with_setup!(start, start => {
        let game = start.game.as_ref();
        (bare(&fen::print(game, &start.position)), as_printed(game, &state.fen()))
    });
    if own != naive {
        return Err(format!("{text}\nstarts with {own}, not {naive}"));
    }
    let mut why = differ(&variant, &state.fen(), state, &mut Random(drawn.seed));
    if why.is_none()
        && let Some(state) = drawn.unusual()
    {
        let fen = state.fen();
        UNUSUAL.fetch_add(1, Ordering::Relaxed);
        why = differ(&variant, &fen, state, &mut Random(drawn.seed));
    }
    match why {
        None => Ok(()),
        Some(why) => Err(format!("{text}\n{why}")),
    }
}

/// Definitions with so many kinds in hand that their states take more than a word, on boards of up to and over
/// 64 squares.
#[test]
fn long_states_are_played_as_the_naive_implementation_plays_them() {
    const RULES: [&str; 4] = [
        "capturesToHand = true",
        "capturesToHand = true\ndropLoop = true\npromotionPieceTypes = abcdefgh",
        "twoBoards = true",
        "gating = true\nseirawanGating = true\ncapturesToHand = true",
    ];
    const BOARDS: [(usize, usize); 3] = [(8, 8), (6, 7), (10, 8)];
    const MOVES: [&str; 6] = ["W", "F", "N", "R", "B", "D"];
    for (n, (rules, (files, ranks))) in RULES
        .iter()
        .flat_map(|rules| BOARDS.map(|board| (*rules, board)))
        .enumerate()
    {
        let letters: Vec<char> = ('a'..='z')
            .filter(|letter| !"kp".contains(*letter))
            .collect();
        let pieces: String = letters
            .iter()
            .enumerate()
            .map(|(n, letter)| {
                let moves = MOVES[n % MOVES.len()];
                format!("customPiece{} = {letter}:{moves}\n", n + 1)
            })
            .collect();
        let row = |from: usize| -> String {
            let others = letters.iter().cycle().skip(from);
            let mut row: Vec<char> = others.take(files - 1).copied().collect();
            row.insert(files / 2, 'k');
            row.into_iter().collect()
        };
        let (first, second) = (row(n), row(n + files));
        let hand: String = letters.iter().collect();
        let start = format!(
            "{first}/{}/{}{}/{}[{}{hand}] w - - 0 1",
            "p".repeat(files),
            format!("{files}/").repeat(ranks - 4),
            "P".repeat(files),
            second.to_uppercase(),
            hand.to_uppercase(),
        );
        let file = char::from(b'a' + files as u8 - 1);
        let text = format!(
            "[long]\nking = k\npawn = p\n{pieces}maxFile = {file}\nmaxRank = {ranks}\npieceDrops = true\n\
             {rules}\nstartFen = {start}\n"
        );
        let variant = variant_of(&text);
        let bits = with_setup!(Setup::read(&variant, None).expect("a start"), start => {
            start.game.carried().state_bits()
        });
        assert!(bits > 64, "{text}{bits} bits");
        compare(&variant, &text, "long", &start, n as u64);
    }
}

/// Returns the variant that the only section of a file defines.
fn variant_of(text: &str) -> Variant {
    let book = definition::read(text.as_bytes(), &definition::NoneCompiled);
    let definition = book.definitions().next();
    let definition = definition.unwrap_or_else(|| panic!("{text}"));
    interpreter::open(definition.clone()).unwrap_or_else(|why| panic!("{text}{why:?}"))
}

/// Plays a random game of a variant, and fails if the naive implementation of its definition plays another one.
fn compare(variant: &Variant, text: &str, name: &str, start: &str, seed: u64) {
    let library = Library::read(text).unwrap_or_else(|why| panic!("{why}"));
    let game = library.game(name).expect("a game");
    let state = game.read(start).expect("a position");
    let why = differ(variant, start, state, &mut Random(seed));
    assert_eq!(why, None, "{text}");
}

#[test]
fn promoted_units_become_pawns_in_hand_if_no_kind_is_listed() {
    let start = "1r1rk3/P1P5/8/8/8/8/2p1p3/R2K2R1[] w - - 0 1";
    let text = format!(
        "[unlisted]\nking = k\npawn = p\nrook = r\nqueen = q\npromotionPieceTypes = qr\npieceDrops = true\n\
         capturesToHand = true\npromotionPawnTypes = -\nstartFen = {start}\n"
    );
    let variant = variant_of(&text);
    for seed in 0..50 {
        compare(&variant, &text, "unlisted", start, seed);
    }
}

/// What hardly happens by chance is drawn on purpose.
#[test]
fn directed_definitions_are_played_as_the_naive_implementation_plays_them() {
    for seed in 0..100 {
        check(&Drawn::directed(seed)).unwrap_or_else(|why| panic!("{why}"));
    }
}

#[test]
fn random_definitions_are_played_as_the_naive_implementation_plays_them() {
    fn holds(drawn: Drawn) -> Result<bool, String> {
        check(&drawn).map(|()| true)
    }
    // Not optimized, the naive implementation takes minutes for so many.
    let usual = if cfg!(debug_assertions) { 200 } else { 2_000 };
    let count = number("OWN_RANDOM_DEFINITIONS", usual);
    QuickCheck::new()
        .rng(Gen::from_size_and_seed(10, number("OWN_RANDOM_SEED", 1)))
        .tests(count)
        .max_tests(count)
        .quickcheck(holds as fn(Drawn) -> Result<bool, String>);
    // Those that the reader or the law refuses are few.
    let played = PLAYED.load(Ordering::Relaxed);
    assert!(played * 10 >= count * 9, "{played} of {count} were played");
    let unusual = UNUSUAL.load(Ordering::Relaxed);
    assert!(
        unusual * 4 >= count,
        "{unusual} of {count} had unusual positions"
    );
}

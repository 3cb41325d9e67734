//! Games exchanged with the library python-chess, as PGN, in the variants that both know.
//!
//! Python with the package `chess` is looked for in `$FAIRYPROOF_PYTHON`, then as `python3`. Without it, the tests
//! print what they leave out.

use crate::run::{file, run};
use fairyproof::control::Random;
use fairyproof::notation::pgn::{self, Played, Printed, Record};
use fairyproof::{Catalog, Setup};
use std::process::Command;

/// The variants that both programs know: the identifier here, and python-chess's name. Not `suicide`, in which
/// python-chess allows castling and Fairy-Stockfish's rules do not.
const VARIANTS: [(&str, &str); 9] = [
    ("fide", "chess"),
    ("crazyhouse", "crazyhouse"),
    ("atomic", "atomic"),
    ("antichess", "antichess"),
    ("giveaway", "giveaway"),
    ("kingofthehill", "kingofthehill"),
    ("racingkings", "racingkings"),
    ("horde", "horde"),
    ("3check", "3check"),
];

/// Writes random games, each with the position at its end in a tag.
const WRITE: &str = "
import random, sys, chess, chess.pgn, chess.variant
random.seed(1)
for name in sys.argv[2:]:
    for number in range(int(sys.argv[1])):
        board = chess.variant.find_variant(name)()
        game = chess.pgn.Game.from_board(board)
        node = game
        for ply in range(random.randrange(1, 120)):
            moves = list(board.legal_moves)
            if not moves:
                break
            move = random.choice(moves)
            if ply % 9 == 4:
                other = node.add_variation(random.choice(moves)) if len(moves) > 1 else node
                other.comment = 'or so'
                if other is not node and other.move == move:
                    node.remove_variation(other)
            node = node.add_main_variation(move)
            node.nags.add(1 + ply % 6)
            board.push(move)
        game.headers['End'] = board.fen(en_passant='legal')
        print(game, end='\\n\\n')
";

/// Reads games and prints the position at the end of each.
const READ: &str = "
import sys, chess.pgn, chess.variant
with open(sys.argv[1]) as file:
    while True:
        game = chess.pgn.read_game(file)
        if game is None:
            break
        if game.errors:
            print('errors', game.errors)
        else:
            print(game.end().board().fen(en_passant='legal'))
";

/// Returns what a Python script prints, or `None` where Python or the package is missing.
fn python(test: &str, script: &str, arguments: &[&str]) -> Option<String> {
    let program = std::env::var("FAIRYPROOF_PYTHON").unwrap_or_else(|_| "python3".to_string());
    let has_package = Command::new(&program)
        .args(["-c", "import chess.pgn, chess.variant"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !has_package {
        eprintln!("left out: {test}, since `{program}` does not have the package `chess`");
        return None;
    }
    let output = Command::new(&program)
        .args(["-c", script])
        .args(arguments)
        .output()
        .expect("Python runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

/// Returns the board with the hands, and the side to move.
fn board_and_side(fen: &str) -> Vec<&str> {
    fen.split(' ').take(2).collect()
}

#[test]
fn games_of_python_chess_are_read() {
    let mut arguments = vec!["34"];
    arguments.extend(VARIANTS.iter().map(|(_, name)| *name));
    let Some(text) = python("games_of_python_chess_are_read", WRITE, &arguments) else {
        return;
    };
    let expected: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("[End \"")?.strip_suffix("\"]"))
        .collect();
    assert_eq!(expected.len(), 34 * VARIANTS.len());
    let (_folder, name) = file(&text);
    let run = run(&["play", "fide", "--games", &name]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let found: Vec<&str> = run.out.lines().step_by(2).collect();
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(board_and_side(found), board_and_side(expected));
    }
}

/// Returns a random game of at most `plies` turns, and the position at its end.
fn random_game(start: &Setup, plies: usize, random: &mut Random) -> (Record, Setup) {
    let (mut record, mut setup) = (Record::default(), start.clone());
    for _ in 0..plies {
        let turns = setup.turns();
        if turns.is_empty() {
            break;
        }
        let turn = &turns[random.below(turns.len())];
        record.line.turns.push(Played::from(turn.as_str()));
        setup = setup.play(turn).expect("a legal turn");
    }
    let end = pgn::replay(start, &mut record.line).expect("legal turns");
    (record, end)
}

#[test]
fn python_chess_reads_the_games_that_are_written() {
    let catalog = Catalog::new();
    let mut random = Random(3);
    let (mut text, mut expected) = (String::new(), Vec::new());
    for (id, _) in VARIANTS {
        let start = Setup::read(&catalog.open(id).expect(id), None).expect("a position");
        for _ in 0..10 {
            let (mut record, end) = random_game(&start, 80, &mut random);
            pgn::complete(
                &mut record,
                fairyproof::catalog::written_name(id),
                &start,
                &end,
            );
            text += &format!(
                "{}\n",
                Printed {
                    record: &record,
                    start: &start
                }
            );
            expected.push(end.fen());
        }
    }
    let (_folder, name) = file(&text);
    let Some(out) = python(
        "python_chess_reads_the_games_that_are_written",
        READ,
        &[&name],
    ) else {
        return;
    };
    let found: Vec<&str> = out.lines().collect();
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(board_and_side(found), board_and_side(expected));
    }
}

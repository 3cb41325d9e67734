//! `fairyproof puzzles mine` in endgame tables.

use crate::run::{program, run};
#[cfg(unix)]
use crate::signals;
use assert_cmd::assert::Assert;
use predicates::prelude::*;

fn mine(args: &[&str]) -> Assert {
    program(&["puzzles", "mine"]).args(args).assert()
}

fn written(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).expect("text")
}

#[test]
fn tables_give_the_same_whatever_the_number_of_threads() {
    let args = ["bachelor", "--units", "3", "--count", "2"];
    let asked = ["--stipulation", "win 3", "--source", "tables"];
    let run = |threads| {
        written(&mine(
            &[&args[..], &asked, &["--threads", threads]].concat(),
        ))
    };
    let text = run("1");
    assert_eq!(text, run("2"));
    // The same stipulation twice: not the same puzzle.
    let fens: Vec<&str> = text.lines().filter(|l| l.starts_with("fen = ")).collect();
    assert!(fens.len() == 2 && fens[0] != fens[1], "{text}");
    assert!(text.contains("in an endgame table"), "{text}");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("new.toml");
    std::fs::write(&file, text).expect("a file");
    program(&["puzzles"]).arg(file).assert().code(0);
}

#[test]
fn puzzles_of_a_definition_have_the_royal_units_of_its_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = folder.path().join("rules.ini");
    let text = "[race:chess]\nmaxFile = 6\nmaxRank = 7\nbishop = -\nqueen = -\ncustomPiece1 = h:NmW\n\
                startFen = rhkhnr/pppppp/6/6/6/PPPPPP/RHKHNR w - - 0 1\npromotionPieceTypes = rn\n\
                doubleStep = false\ncastling = false\nextinctionValue = loss\nextinctionPieceTypes = h\n";
    std::fs::write(&rules, text).expect("a file");
    let rules = rules.to_str().expect("a path");
    let found = mine(&[
        "race", "--rules", rules, "--source", "random", "--count", "3", "--seed", "4",
    ]);
    let text = written(&found);
    let fens: Vec<&str> = text.lines().filter(|l| l.starts_with("fen = ")).collect();
    assert!(!fens.is_empty(), "{text}");
    for fen in fens {
        assert!(fen.contains('K') && fen.contains('k'), "{fen}");
    }
}

#[test]
fn a_source_that_there_is_not_is_refused() {
    mine(&["bachelor", "--source", "table"])
        .code(2)
        .stdout("")
        .stderr(predicate::str::contains("tables").and(predicate::str::contains("random")));
    mine(&[
        "bachelor",
        "--source",
        "tables",
        "--stipulation",
        "win 3",
        "--stipulation",
        "h#2",
    ])
    .code(2)
    .stdout("")
    .stderr(predicate::str::contains("`h#2`").and(predicate::str::contains("win 3")));
}

#[test]
fn a_game_without_small_endings_has_none_to_look_at() {
    // A turn is a step of a piece and one of a pawn: kings alone have none.
    mine(&["french-revolution", "--source", "tables", "--units", "2"])
        .code(3)
        .stdout("")
        .stderr(predicate::str::contains("small enough"));
}

/// Returns the texts of a key of a puzzle file.
fn texts(file: &str, key: &str) -> Vec<String> {
    let lines = file.lines().filter_map(|line| line.strip_prefix(key));
    lines
        .map(|text| text.split('"').nth(1).expect("a text").to_owned())
        .collect()
}

/// Returns the value of an expression.
fn value(args: &[&str]) -> String {
    let run = run(&[&["eval", "bachelor"], args].concat());
    run.out.trim().to_owned()
}

#[test]
fn only_diagrams_and_keys_for_which_conditions_hold_are_found() {
    let ask = [
        "bachelor",
        "--stipulation",
        "win 2",
        "--source",
        "random",
        "--count",
        "2",
        "--candidates",
        "3000",
    ];
    let diagram = "count('pawn') == 0 && count() <= 5";
    let key = "kind == 'rook' && !checks";
    let file = written(&mine(
        &[&ask[..], &["--where", diagram, "--key", key]].concat(),
    ));
    let (fens, keys) = (texts(&file, "fen = "), texts(&file, "keys = "));
    assert!(!fens.is_empty() && fens.len() == keys.len(), "{file}");
    for (fen, key) in fens.iter().zip(&keys) {
        assert_eq!(value(&[fen, diagram]), "true", "{fen}");
        let is_key = format!("turns.exists(t, t.text == '{key}' && t.kind == 'rook' && !t.checks)");
        assert_eq!(value(&[fen, &is_key]), "true", "{fen} {key}");
    }
    let without = written(&mine(&ask));
    assert_ne!(file, without, "the conditions choose");
}

#[test]
fn a_condition_that_is_wrong_is_refused() {
    for (option, condition, place, help) in [
        (
            "--where",
            "kind == 'king'",
            "--where, line 1, column 1",
            "belongs to turns",
        ),
        (
            "--key",
            "count('quen') == 1",
            "--key",
            "did you mean 'queen'?",
        ),
    ] {
        let told = predicate::str::contains(place).and(predicate::str::contains(help));
        mine(&["bachelor", option, condition])
            .code(2)
            .stdout("")
            .stderr(told);
    }
}

/// Ctrl-C while tables are being solved, or looked through.
#[cfg(unix)]
#[test]
fn an_interrupted_search_says_so() {
    let args = "puzzles mine junta --source tables --count 1000 --threads 1";
    for millis in [300, 3000] {
        let output = signals::interrupted_after(&args.split(' ').collect::<Vec<_>>(), millis);
        assert_eq!(output.status.code(), Some(130));
    }
}

//! `fairyproof puzzles` as its users meet it.

use crate::run::{holds, program};
use assert_cmd::assert::Assert;
use predicates::prelude::*;
use std::path::Path;

const GOOD: &str = r##"
[[puzzle]]
id = "two"
variant = "fide"
fen = "8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1"
stipulation = "#2"
keys = ["a4a3"]

[[puzzle]]
id = "none"
variant = "fide"
fen = "8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1"
stipulation = "#1"
keys = "none"
solutions = 0
"##;

fn puzzles(folder: &Path, args: &[&str]) -> Assert {
    program(&["puzzles"])
        .args(args)
        .current_dir(folder)
        .assert()
}

fn written(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).expect("text")
}

/// Imports a file of problems, not all of which can be. Returns the puzzles.
fn imported(folder: &Path, name: &str, problems: impl AsRef<[u8]>, told: &[&str]) -> String {
    std::fs::write(folder.join(name), problems).expect("a file");
    let run = puzzles(folder, &["import", name]).code(2);
    holds(&String::from_utf8_lossy(&run.get_output().stderr), told);
    written(&run)
}

/// Asserts that the puzzles of a file of problems, not all of which can be imported, contain these parts and are solved
/// as they say.
fn assert_imported_and_solved(name: &str, problems: &str, told: &[&str], parts: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let text = imported(folder.path(), name, problems, told);
    holds(&text, parts);
    std::fs::write(folder.path().join("new.toml"), text).expect("a file");
    puzzles(folder.path(), &["new.toml"]).code(0);
}

/// Returns a folder with a collection of one file.
fn folder(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("puzzles")).expect("a folder");
    std::fs::write(folder.path().join("puzzles/good.toml"), text).expect("a file");
    folder
}

#[test]
fn the_collection_is_solved_and_a_report_written() {
    let folder = folder(GOOD);
    let run = puzzles(folder.path(), &[]).code(0);
    let run = run.stderr(predicate::str::contains("2 puzzles: 2 solved, 0 differ"));
    assert_eq!(written(&run).lines().count(), 2);
    let report = folder.path().join("reports/puzzles.csv");
    let first = std::fs::read_to_string(&report).expect("the report");
    let header = "collection,id,variant,fen,stipulation,expected_solutions,expected_keys,\
                  solutions,keys,verdict,result\n";
    assert!(first.starts_with(header), "{first}");
    assert!(first.contains("good,two,fide,") && first.contains(",1,a4a3,sound,solved\n"));
    assert!(first.contains(",0,,0,,no-solution,solved\n"), "{first}");
    puzzles(folder.path(), &["--threads", "1"]).code(0);
    assert_eq!(std::fs::read_to_string(&report).expect("the report"), first);
    // A named file leaves the report alone.
    std::fs::remove_file(&report).expect("it is there");
    puzzles(folder.path(), &["puzzles/good.toml"]).code(0);
    assert!(!report.exists());
    puzzles(folder.path(), &["puzzles/good.toml", "--out", "elsewhere"]).code(0);
    let other = folder.path().join("elsewhere/puzzles.csv");
    assert_eq!(std::fs::read_to_string(other).expect("the report"), first);
}

#[test]
fn a_puzzle_that_differs_is_a_finding() {
    let folder = folder(&GOOD.replace("\"a4a3\"", "\"a4b4\""));
    puzzles(folder.path(), &[])
        .code(1)
        .stdout(predicate::str::contains("differs").and(predicate::str::contains("expected a4b4")))
        .stderr(predicate::str::contains("1 differ"));
    let other = GOOD
        .replace("solutions = 0\n", "")
        .replace("\"#1\"", "\"#2\"");
    std::fs::write(folder.path().join("puzzles/good.toml"), other).expect("a file");
    puzzles(folder.path(), &["--format", "json"])
        .code(1)
        .stdout(predicate::str::contains("\"result\": \"differs\""));
}

#[test]
fn a_limit_is_undecided() {
    let long = "[[puzzle]]\nid = \"long\"\nvariant = \"fide\"\nstipulation = \"#9\"\n\
                keys = \"none\"\n";
    let folder = folder(long);
    puzzles(folder.path(), &["--time", "0.05"])
        .code(3)
        .stdout(predicate::str::contains("undecided"));
}

#[test]
fn wrong_files_are_told_and_nothing_is_written() {
    let folder = folder(&GOOD.replace("stipulation = \"#1\"", "stipulatoin = \"#1\""));
    puzzles(folder.path(), &[])
        .code(2)
        .stdout("")
        .stderr(predicate::str::contains("line 13, field `stipulatoin`"))
        .stderr(predicate::str::contains("did you mean `stipulation`?"));
    assert!(!folder.path().join("reports").exists());
    puzzles(folder.path(), &["nowhere.toml"])
        .code(2)
        .stderr(predicate::str::contains("nowhere.toml"));
    let empty = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(empty.path().join("puzzles")).expect("a folder");
    puzzles(empty.path(), &[])
        .code(2)
        .stderr(predicate::str::contains("folder `puzzles`"));
}

#[test]
fn epd_is_imported_and_solves() {
    let epd = "8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - dm 2; bm Qa3; id \"two\";\n\
               4k3/8/4K3/8/8/8/8/7R w - - dm 1; c0 \"no keys\";\n\
               4k3/8/4K3/8/8/8/8/7R w - - bm Rh7;\n";
    let told = ["line 3", "`dm`", "2 puzzles"];
    let parts = [
        "# Imported from some.epd.",
        "id = \"two\"",
        "id = \"some-2\"",
        "keys = [\"h1h8\"]",
        "no keys; keys found",
    ];
    assert_imported_and_solved("some.epd", epd, &told, &parts);
}

#[test]
fn what_a_file_says_twice_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text, told) in [
        ("a.epd", "dm 2; dm 3;", "line 1: a second `dm`: `dm 3`"),
        ("a.epd", "dm 2; bm Qa3; bm Qb3;", "a second `bm`: `bm Qb3`"),
        ("a.epd", "dm 2; eval #3;", "`eval #3`, after 2 moves"),
        (
            "a.epd",
            "dm 2; bm Qa3; am Qa3;",
            "`am` excludes the key `a4a3`",
        ),
        (
            "a.epd",
            "dm 2; pv Qa3; am Qb3 Qa3;",
            "`am` excludes the key `a4a3`",
        ),
        (
            "a.epd",
            "dm 2; am Qa3;",
            "`am` excludes `a4a3`, which solves `#2`",
        ),
        (
            "a.inp",
            "White Kc3 Qa4\nBlack Ka1 pa4",
            "line 3: `pa4`: another unit is on a4",
        ),
        (
            "a.csv",
            "FEN,Moves,fen\nx,e2e4,y",
            "columns 1 (`FEN`) and 3 (`fen`) have the same meaning",
        ),
        (
            "a.csv",
            "PuzzleId,FEN,Moves,id\n1,x,e2e4,1",
            "columns 1 (`PuzzleId`) and 4 (`id`)",
        ),
    ] {
        let text = match name {
            "a.epd" => format!("8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - {text}\n"),
            "a.inp" => format!("BeginProblem\nPieces {text}\nStip #2\nEndProblem\n"),
            _ => format!("{text}\n"),
        };
        std::fs::write(folder.path().join(name), text).expect("a file");
        puzzles(folder.path(), &["import", name])
            .code(2)
            .stderr(predicate::str::contains(told));
    }
    // The same number twice, and turns that are not keys.
    let epd = "8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - dm 2; eval #2; am Qb3 Qd1;\n";
    std::fs::write(folder.path().join("a.epd"), epd).expect("a file");
    puzzles(folder.path(), &["import", "a.epd"]).code(0);
}

#[test]
fn popeye_input_in_german_and_french_is_imported_with_its_twins() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [
        (
            "deutsch.inp",
            "AnfangProblem\nAutor A. Komponist\nSteine Weiss Kc3 Da4 bd2 Schwarz Ka1 La2 ba5d3\n\
             Forderung #2\nZwilling versetze a4 a3 Forderung #1\nEndeProblem\n",
        ),
        (
            "francais.inp",
            "debutprobleme\nauteur A. Compositeur\npieces blanc Rc3 Da4 pd2 noir Ra1 Fa2 pa5d3\n\
             enonce #2\njumeau deplacement a4 a3 enonce #1\nfinprobleme\n",
        ),
    ] {
        std::fs::write(folder.path().join(name), text).expect("a file");
        let run = puzzles(folder.path(), &["import", name]).code(0);
        let text = written(&run);
        assert!(text.contains("keys = [\"a4a3\"]"), "{text}");
        assert!(text.contains("keys = [\"a3b2\"]"), "{text}");
        assert!(text.contains("twin b) move a4 a3"), "{text}");
    }
}

#[test]
fn popeye_input_is_imported_and_solves() {
    let text = "BeginProblem\nAuthor A. Composer\nPieces White Kc3 Qa4 pd2 Black Ka1 Ba2 pa5d3\n\
                Stipulation #2\nOption SetPlay Variation\nNextProblem\nPieces White Kb3 Rh1\n\
                Black Ka1\nStip h#2\nNextProblem\nCondition Circe\nPieces White Kb3 Black Ka1\n\
                Stip #1\nEndProblem\n";
    let told = ["condition `Circe`"];
    let parts = [
        "source = \"A. Composer\"",
        "[\"a4a3\"]",
        " b - - 0 1",
        "stipulation = \"h#2\"",
    ];
    assert_imported_and_solved("some.inp", text, &told, &parts);
}

#[test]
fn solutions_are_exported_as_text() {
    let folder = folder(GOOD);
    puzzles(folder.path(), &["export"])
        .code(0)
        .stdout(
            predicate::str::contains("good/two")
                .and(predicate::str::contains("1.Qa4-a3 ! threat: 2.Qa3-b2 #")),
        )
        .stdout(predicate::str::contains("no solution"));
}

#[test]
fn mining_is_repeatable_and_what_it_finds_solves() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = [
        "mine",
        "bachelor",
        "--stipulation",
        "marriage 2",
        "--count",
        "1",
    ];
    let one = [&args[..], &["--threads", "1"]].concat();
    let two = [&args[..], &["--threads", "2"]].concat();
    let text = written(&puzzles(folder.path(), &one).code(0));
    assert_eq!(text, written(&puzzles(folder.path(), &two).code(0)));
    assert!(text.contains("stipulation = \"marriage 2\"") && text.contains("ends by marriage"));
    std::fs::write(folder.path().join("new.toml"), text).expect("a file");
    puzzles(folder.path(), &["new.toml"]).code(0);
    puzzles(
        folder.path(),
        &["mine", "bachelor", "--stipulation", "mariage 2"],
    )
    .code(2)
    .stderr(predicate::str::contains("did you mean `marriage`?"));
    // Nothing is found in one position: that is undecided, not nothing to find.
    puzzles(folder.path(), &["mine", "fide", "--candidates", "1"]).code(2);
    puzzles(folder.path(), &["mine", "bachelor", "--candidates", "1"]).code(3);
}

#[test]
fn built_in_collection_is_solved_where_no_folder_exists() {
    let empty = tempfile::tempdir().expect("a folder");
    let run = puzzles(empty.path(), &["--time", "0.001", "--format", "csv"]);
    let run = run.stderr(predicate::str::contains("built-in collection"));
    let rows = written(&run);
    let listed = std::fs::read_to_string("puzzles/bachelor.toml").expect("a file");
    let ids = listed
        .lines()
        .filter_map(|line| line.strip_prefix("id = \""));
    for id in ids.map(|id| id.trim_end_matches('"')) {
        assert!(rows.contains(id), "{id}");
    }
    assert_eq!(
        std::fs::read_dir(empty.path()).expect("a folder").count(),
        0
    );
}

#[test]
fn import_judges_each_problem_by_itself_and_keeps_latin_1() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bytes = b"BeginProblem\nAuthor J. M\xfcller\nPieces White Kc3, Qa4, pd2 Black Ka1 Ba2 \
                      pa5d3\nStipulation # 2\nOption Try Intelligent 2\n"
        .to_vec();
    bytes.extend(
        b"NextProblem\nCondition Circe\nTitle the end of the next\nPieces White Kb3 Black Ka1\nStip #1\n\
          NextProblem\nPieces White Kb3 Rh2 Black Ka1\nStip h#2\nOption WhiteToPlay\n\
          NextProblem\nPieces White Kb3 Sh2 Black Ka1\nStip h#2\nTwin Move b2 c8\nEndProblem\n",
    );
    let told = ["condition `Circe`", "`solve --tries`"];
    let text = imported(folder.path(), "some.inp", bytes, &told);
    let parts = [
        "source = \"J. Müller\"",
        "id = \"some-1\"",
        "id = \"some-3\"",
        "id = \"some-4a\"",
        "fen = \"8/8/8/8/8/1K6/7N/k7 b - - 0 1\"",
        "stipulation = \"h#1.5\"",
        "tries (`solve --tries`)",
    ];
    holds(&text, &parts);
    assert!(!text.contains("some-2"), "{text}");
}

#[test]
fn problem_without_time_is_written_without_keys_and_can_be_solved_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "BeginProblem Pieces White Ke1 Qd1 Ra1h1 pa2b2c2 Black Ke8 Qd8 Ra8h8 pf7g7h7 Stip #5 EndProblem";
    std::fs::write(folder.path().join("hard.inp"), text).expect("a file");
    let run = puzzles(folder.path(), &["import", "hard.inp", "--time", "0.01"]).code(3);
    let text = written(&run);
    assert!(text.contains("stipulation = \"#5\""), "{text}");
    assert!(
        !text.contains("keys =") && !text.contains("solutions ="),
        "{text}"
    );
    let open = text.replace("#5", "#1");
    std::fs::write(folder.path().join("open.toml"), open).expect("a file");
    puzzles(folder.path(), &["open.toml"])
        .code(0)
        .stdout(predicate::str::contains("unchecked"));
}

#[test]
fn stipulation_of_epd_lines_can_be_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let epd = "8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1 bm Qa4-a3; id \"two\";\n";
    std::fs::write(folder.path().join("some.epd"), epd).expect("a file");
    puzzles(folder.path(), &["import", "some.epd"])
        .code(2)
        .stderr(predicate::str::contains("--stipulation"));
    puzzles(
        folder.path(),
        &["import", "some.epd", "--stipulation", "#2"],
    )
    .code(0)
    .stdout(predicate::str::contains("keys = [\"a4a3\"]"));
}

#[test]
fn epd_line_with_too_few_fields_is_refused_with_both_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.epd"), "4k3/8/4K3/8/8/8/8/7R\n").expect("a file");
    puzzles(folder.path(), &["import", "a.epd"])
        .code(2)
        .stderr(predicate::str::contains("expected 4 fields, found 1"));
}

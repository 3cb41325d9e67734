//! `fairyproof solve` as its users meet it.

use assert_cmd::Command;
use predicates::prelude::*;

const TWO: &str = "8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1";

fn solve(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("fairyproof")
        .expect("the program")
        .arg("solve")
        .args(args)
        .assert()
}

#[test]
fn keys_stand_alone_one_a_line() {
    solve(&["fide", "--fen", TWO, "#2", "--keys"])
        .code(0)
        .stdout("a4a3\n");
    solve(&["fide", "--fen", TWO, "#1", "--keys"])
        .code(1)
        .stdout("");
}

#[test]
fn the_play_is_written_out() {
    let text = predicate::str::contains("1.Qa4-a3 ! threat: 2.Qa3-b2 #")
        .and(predicate::str::contains("1...a5-a4"))
        .and(predicate::str::contains("sound"));
    solve(&["fide", "--fen", TWO, "#2"]).code(0).stdout(text);
}

#[test]
fn marriages_are_found() {
    let fen = "3k3/Q6/7/7/7/3K3 w - - 0 1";
    let text = predicate::str::contains("[white-wins marriage]");
    solve(&["bachelor", "--fen", fen, "marriage 1"])
        .code(0)
        .stdout(text);
}

#[test]
fn mistyped_stipulations_are_told() {
    let told = predicate::str::contains("help: did you mean `marriage`?");
    solve(&["bachelor", "mariage 3"])
        .code(2)
        .stdout("")
        .stderr(told);
    solve(&["fide", "#2.5"])
        .code(2)
        .stderr(predicate::str::contains("half moves"));
}

#[test]
fn a_limit_is_undecided_and_says_so() {
    let told = predicate::str::contains("not complete");
    solve(&["fide", "#9", "--time", "0.05"])
        .code(3)
        .stderr(told);
}

#[test]
fn stored_trees_are_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tree.json");
    let output = solve(&["fide", "--fen", TWO, "#2", "--format", "json"]).code(0);
    let text = String::from_utf8(output.get_output().stdout.clone()).expect("text");
    std::fs::write(&file, &text).expect("a file");
    let path = file.to_str().expect("a path");
    solve(&["--check", path])
        .code(0)
        .stdout(predicate::str::contains("1 keys verified"));
    std::fs::write(&file, text.replacen("\"goal\": true", "\"goal\": false", 1)).expect("a file");
    solve(&["--check", path]).code(1);
}

#[test]
fn suites_are_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("suite.csv");
    let rows = format!(
        "variant,fen,stipulation,solutions,keys\nfide,{TWO},#2,1,a4a3\nfide,{TWO},#2,2,a4a3\n"
    );
    std::fs::write(&file, rows).expect("a file");
    solve(&["--suite", file.to_str().expect("a path")])
        .code(1)
        .stdout(predicate::str::contains("1 a4a3"))
        .stderr(predicate::str::contains("2 rows, 1 differ"));
}

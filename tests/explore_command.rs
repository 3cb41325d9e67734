//! `explore` from the command line: the answer, the files it writes, the limits that stop it, and
//! what a user may mistype.

use assert_cmd::Command;
use std::fs;

const SMALL: &str = "k1/2/PP/pp/2/1K w - - 0 1 first=1";

fn explore(args: &[&str]) -> std::process::Output {
    Command::cargo_bin("fairyproof")
        .expect("the program")
        .arg("explore")
        .args(args)
        .output()
        .expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

#[test]
fn complete_graph_is_reported_and_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| {
        folder
            .path()
            .join(name)
            .to_str()
            .expect("a path")
            .to_string()
    };
    let (csv, dot, graphml) = (path("a.csv"), path("a.dot"), path("a.graphml"));
    let out = explore(&[
        "french-revolution",
        "--fen",
        SMALL,
        "--csv",
        &csv,
        "--dot",
        &dot,
        "--graphml",
        &graphml,
    ]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let answer = text(&out.stdout);
    assert!(answer.contains("complete") && !answer.contains("NOT"));
    let states: usize = answer
        .lines()
        .find_map(|line| line.strip_prefix("states "))
        .and_then(|n| n.trim().parse().ok())
        .expect("the number of states");
    let levels = fs::read_to_string(csv).expect("the levels");
    let sum: usize = levels
        .lines()
        .skip(1)
        .map(|line| {
            line.split(',')
                .nth(1)
                .and_then(|n| n.parse::<usize>().ok())
                .expect("states")
        })
        .sum();
    assert_eq!(sum, states);
    let dot = fs::read_to_string(dot).expect("the graph");
    assert_eq!(
        dot.lines()
            .filter(|l| l.contains("[label=") && !l.contains("->"))
            .count(),
        states
    );
    let graphml = fs::read_to_string(graphml).expect("the graph");
    assert_eq!(graphml.matches("<node ").count(), states);
    assert_eq!(
        graphml.matches("<edge ").count(),
        dot.matches(" -> ").count()
    );
}

#[test]
fn json_has_the_same_figures() {
    let out = explore(&["french-revolution", "--fen", SMALL, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!(json["limit"], "complete");
    assert_eq!(json["acyclic"], true);
    assert!(json["longest_path_turns"].as_u64() > Some(0));
}

#[test]
fn limit_is_named_and_ends_with_three() {
    for (option, value, name) in [
        ("--max-depth", "2", "max-depth"),
        ("--max-states", "50", "max-states"),
        ("--memory", "4K", "memory"),
    ] {
        let out = explore(&["fide", option, value]);
        assert_eq!(out.status.code(), Some(3), "{option}");
        assert!(text(&out.stdout).contains(&format!("NOT complete, stopped by: {name}")));
    }
}

#[test]
fn mistakes_are_told_and_write_nothing() {
    for (args, why) in [
        (vec!["fid"], "did you mean `fide`"),
        (vec!["fide", "--fen", "8/8 w - - 0 1"], "FEN"),
        (vec!["fide", "--fen", "-"], "one position at a time"),
        (vec!["fide", "--max-states", "0"], "from 1 to"),
        (vec!["fide", "--max-depth", "x"], "whole number"),
        (vec!["fide", "--memory", "1X"], "512M or 2G"),
        (vec!["fide", "--format", "csv"], "--csv FILE"),
        (
            vec!["fide", "--no-edges", "--dot", "x.dot"],
            "cannot be used with",
        ),
    ] {
        let out = explore(&args);
        assert_eq!(out.status.code(), Some(2), "{args:?}");
        assert!(
            text(&out.stderr).contains(why),
            "{args:?}: {}",
            text(&out.stderr)
        );
        assert!(out.stdout.is_empty());
    }
    let out = explore(&[
        "french-revolution",
        "--fen",
        SMALL,
        "--csv",
        "/dev/null/no.csv",
    ]);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("cannot be written"));
}

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

const ROOK: &str = "3k/4/4/KR2 w - - 0 1";

#[test]
fn solved_graph_is_reported_and_every_state_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("values.csv");
    let path = path.to_str().expect("a path");
    let args = ["fide", "--fen", ROOK, "--solve", "--values", path];
    let out = explore(&[&args[..], &["--format", "json"]].concat());
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let json: serde_json::Value = serde_json::from_slice(&out.stdout).expect("JSON");
    let solved = &json["solved"];
    assert_eq!(solved["value"], "win");
    assert_eq!(solved["certified_states"], json["states"]);
    assert_eq!(solved["faulty_states"], 0);
    let line = solved["line"]["turns"].as_str().expect("a line");
    let plies = solved["plies"].as_u64().expect("a distance");
    assert_eq!(line.split(' ').count() as u64, plies);
    assert_eq!(solved["line"]["end"], "white-wins checkmate");

    let mut rows = csv::Reader::from_path(path).expect("the values");
    assert_eq!(
        rows.headers().expect("a header"),
        vec![
            "state",
            "fen",
            "outcome",
            "value",
            "plies",
            "turns",
            "best_turns",
            "turn"
        ]
    );
    let rows: Vec<csv::StringRecord> = rows.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len() as u64, json["states"].as_u64().expect("states"));
    for value in ["win", "draw", "loss"] {
        let all = rows.iter().filter(|row| &row[3] == value).count() as u64;
        let said = match value {
            "win" => &solved["wins"],
            "draw" => &solved["draws"],
            _ => &solved["losses"],
        };
        assert_eq!(Some(all), said.as_u64(), "{value}");
    }
    for row in &rows {
        // An ended game has no turns, any other has a best one.
        assert_eq!(&row[2] == "ongoing", !row[7].is_empty(), "{row:?}");
        assert_eq!(&row[3] == "draw", row[4].is_empty(), "{row:?}");
    }
    // What people read says the same.
    let out = explore(&args);
    let answer = text(&out.stdout);
    assert!(answer.contains(&format!("win in {plies} plies")));
    assert!(answer.contains(&format!("certified, {} states", rows.len())));
}

#[test]
fn stopped_graph_is_not_solved() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("values.csv");
    for limit in [
        ["--max-states", "100"],
        ["--max-depth", "2"],
        ["--memory", "8K"],
    ] {
        let args = ["fide", "--fen", ROOK, "--solve", "--certify", "--values"];
        let path = [path.to_str().expect("a path")];
        let out = explore(&[&args[..], &path, &limit].concat());
        assert_eq!(out.status.code(), Some(3), "{limit:?}");
        assert!(text(&out.stderr).contains("not solved: "), "{limit:?}");
        assert!(!text(&out.stdout).contains("value, side to move"));
    }
    assert!(!path.exists());
}

#[test]
fn solving_is_asked_for_rightly() {
    for (args, why) in [
        (vec!["fide", "--certify"], "--solve"),
        (vec!["fide", "--values", "v.csv"], "--solve"),
        (
            vec![
                "fide",
                "--fen",
                ROOK,
                "--solve",
                "--values",
                "/dev/null/v.csv",
            ],
            "cannot be written",
        ),
    ] {
        let out = explore(&args);
        assert_eq!(out.status.code(), Some(2), "{args:?}");
        assert!(
            text(&out.stderr).contains(why),
            "{args:?}: {}",
            text(&out.stderr)
        );
    }
}

#[test]
fn what_it_cost_is_told_beside_the_answer() {
    let out = explore(&["french-revolution", "--fen", SMALL, "--format", "json"]);
    let told = text(&out.stderr);
    assert!(
        told.contains(" s, at most ") && told.contains(" MB of memory\n"),
        "{told}"
    );
    let answer: serde_json::Value = serde_json::from_slice(&out.stdout).expect("JSON");
    let path = answer["longest_path"].as_array().expect("turns");
    assert_eq!(
        answer["longest_path_turns"].as_u64(),
        Some(path.len() as u64)
    );
}

#[test]
fn graphs_have_values_and_plies_if_solved() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (dot, graphml) = (path("a.dot"), path("a.graphml"));
    let root = [
        "french-revolution",
        "--fen",
        SMALL,
        "--dot",
        &dot,
        "--graphml",
        &graphml,
    ];
    explore(&root);
    let read = |path: &str| fs::read_to_string(path).expect("a file");
    assert!(!read(&dot).contains("value=") && !read(&graphml).contains("plies"));
    let out = explore(&[&root[..], &["--solve"]].concat());
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let (dot, graphml) = (read(&dot), read(&graphml));
    let states = graphml.matches("<node ").count();
    assert_eq!(graphml.matches("<data key=\"value\">").count(), states);
    assert_eq!(dot.matches(", value=\"").count(), states);
    assert_eq!(
        graphml.matches("<data key=\"plies\">").count(),
        dot.matches(", plies=").count()
    );
    assert!(graphml.contains("attr.name=\"plies\" attr.type=\"int\""));
}

/// The graph of a king and a queen against a king on a small board.
const QUEEN_ENDING: &str = "3k/4/Q3/3K w - - 0 1";

fn asked(args: &[&str]) -> (String, i32) {
    let output = explore(&[&["bachelor", "--fen", QUEEN_ENDING], args].concat());
    (text(&output.stdout), output.status.code().expect("a code"))
}

#[test]
fn questions_on_disk_have_the_answers_of_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let disk = folder.path().join("disk");
    let disk = ["--disk", disk.to_str().expect("text")];
    let questions: [&[&str]; 6] = [
        &["--count", "check", "--by", "depth"],
        &["--count", "out_degree > 20", "--by", "reason"],
        &["--count", "true"],
        &["--find", "won(black)"],
        &[
            "--always",
            "over || distance(units(white, 'king')[0].square, units(black, 'king')[0].square) > 1",
        ],
        &["--find", "fen == ''", "--format", "csv"],
    ];
    for question in questions {
        let memory = asked(question);
        // The first begins the folder, the others resume from it.
        assert_eq!(asked(&[question, &disk].concat()), memory, "{question:?}");
    }
    let find = [
        "--find",
        "won(white, 'checkmate') && count() == 3",
        "--format",
        "json",
    ];
    let json = |args: &[&str]| -> serde_json::Value {
        let (text, code) = asked(args);
        assert_eq!(code, 0, "{text}");
        serde_json::from_str(&text).expect("JSON")
    };
    let other = folder.path().join("other");
    let other = ["--disk", other.to_str().expect("text")];
    let (memory, found) = (json(&find), json(&[&find[..], &other].concat()));
    assert_eq!(found["plies"], memory["plies"]);
    let line: Vec<&str> = found["line"]
        .as_array()
        .expect("turns")
        .iter()
        .map(|t| t.as_str().expect("text"))
        .collect();
    let mut program = assert_cmd::Command::cargo_bin("fairyproof").expect("the program");
    let played = program
        .args(["play", "bachelor", "--fen", QUEEN_ENDING])
        .args(&line)
        .output()
        .expect("it runs");
    let played = text(&played.stdout);
    assert_eq!(played.lines().next(), found["fen"].as_str());
    assert!(played.contains("white-wins checkmate"), "{played}");
}

#[test]
fn questions_on_disk_name_the_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let disk = [
        "--disk",
        folder.path().to_str().expect("text"),
        "--max-depth",
        "2",
    ];
    let (_, code) = asked(&[&["--find", "won(black)"], &disk[..]].concat());
    assert_eq!(code, 3);
    let (count, code) = asked(&[&["--count", "true"], &disk[..]].concat());
    assert_eq!(
        (count, code),
        asked(&["--count", "true", "--max-depth", "2"])
    );
    let (_, code) = asked(&[&["--count", "value == 'win'", "--solve"], &disk[..]].concat());
    assert_eq!(code, 2);
}

#[test]
fn time_ends_a_question() {
    let begun = std::time::Instant::now();
    let output = explore(&[
        "fide",
        "--time",
        "0.5",
        "--count",
        "units.all(a, units.all(b, units.all(c, distance(a.square, b.square) + distance(b.square, c.square) >= 0)))",
    ]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        text(&output.stderr).contains("the limit time"),
        "{}",
        text(&output.stderr)
    );
    assert!(begun.elapsed().as_secs() < 20);
}

//! `explore` from the command line: the answer, the files it writes, the limits that stop it, and
//! what a user may mistype.

use crate::files::path_in;
use crate::run::{Run, run};
use std::fs;

const SMALL: &str = "k1/2/PP/pp/2/1K w - - 0 1 first=1";

fn explore(args: &[&str]) -> Run {
    run(&[&["explore"], args].concat())
}

/// Asserts that arguments are refused for this reason.
#[track_caller]
fn refused(args: &[&str], why: &str) -> Run {
    let out = explore(args);
    assert_eq!(out.code, 2, "{args:?}");
    let told = &out.err;
    assert!(told.contains(why), "{args:?}: {told}");
    out
}

#[test]
fn complete_graph_is_reported_and_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| path_in(folder.path(), name);
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
    assert_eq!(out.code, 0, "{}", out.err);
    let answer = &out.out;
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
    let json: serde_json::Value = serde_json::from_str(&out.out).expect("JSON");
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
        assert_eq!(out.code, 3, "{option}");
        assert!(
            out.out
                .contains(&format!("NOT complete, stopped by: {name}"))
        );
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
        let out = refused(&args, why);
        assert!(out.out.is_empty());
    }
    let out = explore(&[
        "french-revolution",
        "--fen",
        SMALL,
        "--csv",
        "/dev/null/no.csv",
    ]);
    assert_eq!(out.code, 2);
    assert!(out.err.contains("cannot be written"));
}

const ROOK: &str = "3k/4/4/KR2 w - - 0 1";

#[test]
fn solved_graph_is_reported_and_every_state_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("values.csv");
    let path = path.to_str().expect("a path");
    let args = ["fide", "--fen", ROOK, "--solve", "--values", path];
    let out = explore(&[&args[..], &["--format", "json"]].concat());
    assert_eq!(out.code, 0, "{}", out.err);
    let json: serde_json::Value = serde_json::from_str(&out.out).expect("JSON");
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
    let answer = &out.out;
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
        assert_eq!(out.code, 3, "{limit:?}");
        assert!(out.err.contains("not solved: "), "{limit:?}");
        assert!(!out.out.contains("value, side to move"));
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
        refused(&args, why);
    }
}

#[test]
fn what_it_cost_is_told_beside_the_answer() {
    let out = explore(&["french-revolution", "--fen", SMALL, "--format", "json"]);
    let told = &out.err;
    assert!(
        told.contains(" s, at most ") && told.contains(" MB of memory\n"),
        "{told}"
    );
    let answer: serde_json::Value = serde_json::from_str(&out.out).expect("JSON");
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
    assert_eq!(out.code, 0, "{}", out.err);
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
    (output.out, output.code)
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
    // A solved folder has its states in another file.
    assert_eq!(asked(&[&["--solve"], &disk[..]].concat()).1, 0);
    for question in questions {
        let memory = asked(question);
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
    let played = run(&[&["play", "bachelor", "--fen", QUEEN_ENDING], &line[..]].concat()).out;
    assert_eq!(played.lines().next(), found["fen"].as_str());
    assert!(played.contains("white-wins checkmate"), "{played}");
}

#[test]
fn questions_to_several_processes_have_the_answers_of_one() {
    let questions: [&[&str]; 5] = [
        &["--count", "check", "--by", "depth"],
        &["--count", "true", "--by", "reason"],
        &["--find", "won(black)"],
        &["--count", "true", "--max-depth", "3"],
        &[
            "--find",
            "won(black)",
            "--max-depth",
            "3",
            "--format",
            "csv",
        ],
    ];
    let many = ["--processes", "2", "--threads", "1"];
    for question in questions {
        assert_eq!(
            asked(&[question, &many].concat()).1,
            asked(question).1,
            "{question:?}"
        );
        if !question.contains(&"csv") {
            assert_eq!(
                asked(&[question, &many].concat()),
                asked(question),
                "{question:?}"
            );
        }
    }
    // The nearest state with the least key, as on disk.
    let folder = tempfile::tempdir().expect("a folder");
    let disk = ["--disk", folder.path().to_str().expect("text")];
    let find = ["--find", "won(white, 'checkmate') && count() == 3"];
    assert_eq!(
        asked(&[&find[..], &many[..2]].concat()),
        asked(&[&find[..], &disk[..]].concat())
    );
    let (_, code) = asked(&[&["--count", "value == 'win'", "--solve"], &many[..]].concat());
    assert_eq!(code, 2);
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
    assert_eq!(output.code, 3);
    assert!(output.err.contains("the limit time"), "{}", output.err);
    assert!(begun.elapsed().as_secs() < 20);
}

#[test]
fn bottlenecks_are_named_with_a_line_and_certified() {
    // Every win of White passes through the promotion.
    let fen = "2k/1P1/K2 b - - 0 1";
    let bottlenecks = |format: &str| {
        let args = ["fide", "--fen", fen, "--bottlenecks", "white"];
        explore(&[&args[..], &["--format", format]].concat())
    };
    let out = bottlenecks("csv");
    assert_eq!(out.code, 0, "{}", out.err);
    let table = &out.out;
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let at = |name: &str| header.iter().position(|column| column == name).expect(name);
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    for (number, row) in (1..).zip(&rows) {
        assert_eq!(row[at("number")], number.to_string());
        assert_eq!(&row[at("goal")], "won(white)");
        assert_eq!(&row[at("certified")], "true");
        let plies = row[at("line")].split_whitespace().count();
        assert_eq!(row[at("plies")], plies.to_string());
        // Without the position, no goal: the position is on the shortest line to a goal, too.
        let find = explore(&["fide", "--fen", fen, "--find", "won(white)"]);
        let line = &find.out;
        assert!(line.starts_with("found after "), "{line}");
    }
    let said = explore(&["fide", "--fen", fen, "--bottlenecks", "white", "--solve"]);
    let said = &said.out;
    assert!(said.contains("on every line from the root to"), "{said}");
    let json = bottlenecks("json");
    let json: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(json["complete"], true);
    assert_eq!(
        json["bottlenecks"].as_array().expect("a list").len(),
        rows.len()
    );
}

#[test]
fn bottlenecks_without_lines_to_a_goal_are_a_finding() {
    let fen = "k2/3/2K w - - 0 1";
    let run = |goal: &str| {
        let out = explore(&["fide", "--fen", fen, "--bottlenecks", goal]);
        (out.code, out.out, out.err)
    };
    let (code, out, _) = run("black");
    assert_eq!(code, 1);
    assert!(out.contains("`won(black)` holds in none of the"), "{out}");
    let (code, out, _) = run("true");
    assert_eq!(code, 1);
    assert!(out.contains("holds at the root"), "{out}");
    let (code, out, err) = run("won(");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("--bottlenecks"), "{err}");
    let limited = ["fide", "--max-depth", "2", "--bottlenecks", "white"];
    let out = explore(&limited);
    assert_eq!(out.code, 3);
    assert!(out.out.starts_with("undecided: "));
    for (option, value) in [("--find", "true"), ("--csv", "x.csv"), ("--disk", "x")] {
        let args = [
            "fide",
            "--fen",
            fen,
            "--bottlenecks",
            "white",
            option,
            value,
        ];
        refused(&args, option);
    }
}

#[test]
fn outputs_with_one_file_are_refused_before_the_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_in(folder.path(), "x");
    let again = folder.path().join("./../").join(folder.path()).join("x");
    let again = again.to_str().expect("UTF-8");
    let why = "is already the file of --csv";
    refused(
        &["fide", "--max-depth", "1", "--csv", &path, "--dot", again],
        why,
    );
    assert!(!folder.path().join("x").exists());
    let twice = ["--condensation", &path, "--condensation", &path];
    let why = "is already the file of --condensation";
    refused(&[&["fide", "--max-depth", "1"][..], &twice].concat(), why);
    // A stream takes them one after the other.
    let streams = [
        "fide",
        "--max-depth",
        "1",
        "--csv",
        "/dev/null",
        "--dot",
        "/dev/null",
    ];
    assert_eq!(explore(&streams).code, 3);
    // The temporary name of a file is not shown.
    let none = path_in(folder.path(), "none/x");
    let out = refused(&["fide", "--csv", &none], "cannot be written: No such file");
    assert!(!out.err.contains("unfinished"));
}

#[test]
fn condensation_is_written_as_graphml_and_csv() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| path_in(folder.path(), name);
    let (graphml, table) = (path("a.graphml"), path("a.csv"));
    let fen = "k2/2P/K2 w - - 0 1";
    let out = explore(&[
        "fide",
        "--fen",
        fen,
        "--solve",
        "--condensation",
        &graphml,
        "--condensation",
        &table,
        "--format",
        "json",
    ]);
    assert_eq!(out.code, 0, "{}", out.err);
    let answer: serde_json::Value = serde_json::from_str(&out.out).expect("JSON");
    let graphml = fs::read_to_string(graphml).expect("the graph");
    let table = fs::read_to_string(table).expect("the table");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let at = |name: &str| header.iter().position(|column| column == name).expect(name);
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let sum = |name: &str| -> u64 {
        let cells = rows
            .iter()
            .map(|row| row[at(name)].parse::<u64>().expect("a number"));
        cells.sum()
    };
    assert_eq!(graphml.matches("<node ").count(), rows.len());
    let edges: usize = rows
        .iter()
        .map(|row| row[at("successors")].split_whitespace().count())
        .sum();
    assert_eq!(graphml.matches("<edge ").count(), edges);
    let states = sum("states");
    let values = ["wins", "weak_wins", "draws", "weak_losses", "losses"];
    assert_eq!(values.iter().map(|name| sum(name)).sum::<u64>(), states);
    assert_eq!(answer["states"].as_u64(), Some(states), "{answer}");
    assert_eq!(
        answer["edges"].as_u64(),
        Some(sum("turns_within") + sum("turns_out")),
        "{answer}"
    );
    assert!(rows.iter().any(|row| row[at("states")] != *"1"));
    let refused = explore(&[
        "fide",
        "--fen",
        fen,
        "--no-edges",
        "--condensation",
        "x.csv",
    ]);
    assert_eq!(refused.code, 2);
}

#[test]
fn smaller_boards_of_definitions_say_how_regions_are_carried_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hill.ini");
    let hill = "[hill:chess]\nflagPiece = k\nflagRegion = d4 e4 d5 e5\n";
    fs::write(&path, hill).expect("a file");
    let rules = path.to_str().expect("UTF-8");
    let fen = "k3/4/4/3K w - - 0 1";
    let out = explore(&["hill", "--rules", rules, "--fen", fen]);
    assert_eq!(out.code, 0, "{}", out.err);
    let said = &out.err;
    for words in [
        "on 4x4, `flagRegionWhite = d4 e4 d5 e5` becomes `b2 c2 b3 c3`: files around the center, ranks around",
        "on 4x4, `promotionRegionWhite = *8` becomes `*4`: ranks counted from the edge",
        "on 4x4, there is no castling",
    ] {
        assert!(said.contains(words), "{words}\n{said}");
    }
    let refused = explore(&["sittuyin", "--fen", "k4/5/5/5/4K w - - 0 1"]);
    assert_eq!(refused.code, 2);
    let said = &refused.err;
    assert!(
        said.contains("`promotionRegionWhite = ") && said.contains("no meaning on 5x5"),
        "{said}"
    );
}

#[test]
fn count_by_groups_without_a_hit_prints_0() {
    let out = explore(&[
        "french-revolution",
        SMALL,
        "--count",
        "false",
        "--by",
        "depth",
    ]);
    assert_eq!((out.code, out.out.as_str()), (0, "0\n"), "{out:?}");
}

/// Returns the answer to a question about the start position of bachelor chess, and the exit code.
fn bachelor(args: &[&str]) -> (i32, String) {
    let out = explore(&[&["bachelor"], args].concat());
    (out.code, out.out)
}

#[test]
fn found_line_does_not_make_the_graph_complete() {
    let (code, out) = bachelor(&["--find", "true", "--format", "json"]);
    assert!(code == 0 && out.contains("\"complete\": false"), "{out}");
    let (_, out) = bachelor(&["--find", "true", "--format", "csv"]);
    assert!(out.trim_end().ends_with(",false,"), "{out}");
    let small = ["--fen", "4k/5/5/5/4K w - - 0 1", "--format", "json"];
    let (_, out) = bachelor(&[&small[..], &["--find", "true", "--solve"]].concat());
    assert!(out.contains("\"complete\": true"), "{out}");
    let (_, out) = bachelor(&[&small[..], &["--find", "false"]].concat());
    assert!(out.contains("\"complete\": true"), "{out}");
}

#[test]
fn count_needs_values_only_if_it_reads_them() {
    let plain = bachelor(&["--count", "check || true", "--max-depth", "2"]);
    assert_eq!(plain, (3, "133\n".to_string()));
    let solved = bachelor(&["--count", "check || true", "--max-depth", "2", "--solve"]);
    assert_eq!(solved, plain);
    for by in [&["--by", "depth"][..], &[]] {
        let valued = ["--count", "value == 'win'", "--max-depth", "2", "--solve"];
        let (code, out) = bachelor(&[&valued[..], by].concat());
        assert_eq!(
            (code, out.as_str()),
            (3, "undecided: 133 states, then the limit max-depth\n")
        );
        let (_, out) = bachelor(&[&valued[..], by, &["--format", "json"]].concat());
        assert!(
            out.contains("\"count\": null") && out.contains("\"result\": \"limit\""),
            "{out}"
        );
        let (_, out) = bachelor(&[&valued[..], by, &["--format", "csv"]].concat());
        assert!(out.contains("value == 'win',,,false,max-depth"), "{out}");
    }
}

#[test]
fn count_on_disk_includes_the_states_of_a_cut_level() {
    let folder = tempfile::tempdir().expect("a folder");
    let disk = path_in(folder.path(), "states");
    let by_depth = ["--count", "true", "--by", "depth", "--max-states", "100"];
    let (code, in_memory) = bachelor(&by_depth);
    assert_eq!(code, 3);
    assert!(in_memory.contains("88"), "{in_memory}");
    for _ in 0..2 {
        let on_disk = bachelor(&[&by_depth[..], &["--disk", &disk]].concat());
        assert_eq!(on_disk, (3, in_memory.clone()));
    }
}

#[test]
fn find_on_disk_includes_the_states_of_a_cut_level() {
    let folder = tempfile::tempdir().expect("a folder");
    let disk = path_in(folder.path(), "states");
    let question = |last: &[&str]| {
        let (code, out) = bachelor(&[&["--max-states", "100"][..], last].concat());
        (code, out.lines().next().map(str::to_owned))
    };
    for (expression, code) in [("depth == 2", 0), ("depth == 3", 3)] {
        let find = ["--find", expression];
        let in_memory = question(&find);
        assert_eq!(in_memory.0, code);
        assert_eq!(
            question(&[&find[..], &["--disk", &disk]].concat()),
            in_memory
        );
    }
}

/// A folder that holds more than the limits allow has figures and answers about other states than a new search.
#[test]
fn a_limit_below_what_a_folder_holds_is_refused_by_figures_and_questions() {
    let place = tempfile::tempdir().expect("a folder");
    for option in ["--disk", "--state"] {
        let folder = path_in(place.path(), option);
        let run = |arguments: &[&str]| {
            let kept = [option, &folder, "--threads", "1"];
            explore(&[&["bachelor"][..], arguments, &kept].concat())
        };
        let first = run(&["--max-states", "9000", "--max-depth", "3"]);
        assert_eq!(first.code, 3, "{first:?}");
        for question in [&[][..], &["--count", "true"], &["--find", "depth == 9"]] {
            let equal = run(&[&["--max-states", "9000", "--max-depth", "3"], question].concat());
            assert_eq!(equal.code, 3, "{equal:?}");
            for (limits, why) in [
                (
                    &["--max-depth", "2"][..],
                    "holds 3 complete levels already; the limit is depth 2",
                ),
                (&["--max-states", "100"], "states already; the limit is 100"),
            ] {
                let lower = run(&[limits, question].concat());
                assert_eq!((lower.code, &*lower.out), (2, ""), "{lower:?}");
                assert!(lower.err.contains(why), "{lower:?}");
            }
        }
    }
}

#[test]
fn groups_stay_within_the_memory_limit() {
    let args = ["fide", "--max-states", "60000", "--count", "true", "--by"];
    let limited = |by: &str, memory: &str| {
        let out = explore(&[&args[..], &[by, "--memory", memory]].concat());
        (out.code, out.out)
    };
    // The states take about 4 MB, and their FENs 10 MB more.
    let (code, out) = limited("fen", "8M");
    assert_eq!(code, 3);
    assert!(
        out.contains("undecided") && out.contains("limit memory"),
        "{out}"
    );
    let (_, out) = limited("depth", "8M");
    assert!(out.contains("54217"), "{out}");
}

#[test]
fn files_of_graphs_are_written_within_the_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_in(folder.path(), "graph.graphml");
    let args = [
        "fide",
        "--max-states",
        "3000000",
        "--time",
        "1",
        "--graphml",
        &path,
    ];
    let begun = std::time::Instant::now();
    let out = explore(&args);
    assert_eq!(out.code, 3, "{}", out.err);
    assert!(
        out.err.contains("the file of --graphml is not written"),
        "{}",
        out.err
    );
    assert!(begun.elapsed().as_secs() < 20 && !std::path::Path::new(&path).exists());
}

#[test]
fn edges_are_written_and_files_are_compressed_by_their_names() {
    let (_folder, name) = crate::run::folder();
    let fen = "2k/3/K2 w - - 0 1";
    let (plain, packed) = (format!("{name}/edges.csv"), format!("{name}/edges.csv.gz"));
    let run = crate::run::run(&["explore", "fide", fen, "--edges", &plain]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(!run.err.contains("writing about"), "{run:?}");
    let edges = std::fs::read_to_string(&plain).expect("a file");
    let mut lines = edges.lines();
    assert_eq!(lines.next(), Some("source,target,turn"));
    let counted = run.out.lines().find_map(|line| line.strip_prefix("edges"));
    let counted = counted
        .expect("a number of edges")
        .trim_start_matches(" (turns)")
        .trim();
    assert_eq!(lines.clone().count().to_string(), counted.replace(',', ""));
    assert!(
        lines.next().is_some_and(|line| line.starts_with("0,1,a1")),
        "{edges}"
    );
    let run = crate::run::run(&["explore", "fide", fen, "--edges", &packed]);
    assert_eq!(run.code, 0, "{run:?}");
    let bytes = std::fs::read(&packed).expect("a file");
    assert_eq!(bytes[..2], [0x1f, 0x8b]);
    let mut text = String::new();
    let mut unpacked = flate2::read::GzDecoder::new(bytes.as_slice());
    std::io::Read::read_to_string(&mut unpacked, &mut text).expect("gzip");
    assert_eq!(text, edges);
    let refused = crate::run::run(&["explore", "fide", fen, "--edges", &plain, "--no-edges"]);
    assert_eq!(refused.code, 2);
}

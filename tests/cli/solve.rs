//! `fairyproof solve` as its users meet it.

use crate::run::{file, program, run_with};
#[cfg(unix)]
use crate::signals;
use predicates::prelude::*;

const TWO: &str = "8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1";

fn solve(args: &[&str]) -> assert_cmd::assert::Assert {
    program(&["solve"]).args(args).assert()
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
    solve(&["fide", "--fen", TWO, "#2", "--all"])
        .code(0)
        .stdout(text);
}

/// The sign `+` of a promoted unit is part of its name, `~` is not.
#[test]
fn promoted_units_are_named_in_the_play() {
    let shogi = ["--fen", "1k3/5/1G1+P1/5/K4[] w - - 0 1", "#2"];
    solve(&[&["minishogi"], &shogi[..]].concat())
        .code(0)
        .stdout(
            predicate::str::contains("1.+Pd3-c3 !").and(predicate::str::contains("2.+Pc3-b4 #")),
        );
    let drops = ["--fen", "6k1/5ppp/8/8/8/8/Q~7/K7[] w - - 0 1", "#1"];
    solve(&[&["crazyhouse"], &drops[..]].concat())
        .code(0)
        .stdout(predicate::str::contains("1.Qa2-a8 #"));
}

#[test]
fn only_turns_that_parry_the_threat_are_variations() {
    let fen = "5RK1/8/3p1N1p/3P3R/5k2/3r1r2/5P2/1B3Q2 w - - 0 1";
    let default = text(&["fide", "--fen", fen, "#2"], 0);
    let all = text(&["fide", "--fen", fen, "#2", "--all"], 0);
    // 1...Rxd5 leaves the threat, and 1...Ra3 allows it beside other mates.
    for unparried in ["1...Rd3xd5", "1...Rd3-a3"] {
        assert!(!default.contains(unparried), "{default}");
        assert!(all.contains(unparried), "{all}");
    }
    assert!(default.contains("threat: 2.Qe2-e4 #"), "{default}");
    assert!(default.contains("1...") && default.lines().count() < all.lines().count());
    // In zugzwang every turn is a variation.
    let zugzwang = "8/8/3R4/8/b3N3/8/5R2/K1k3N1 w - - 0 1";
    let default = text(&["fide", "--fen", zugzwang, "#2"], 0);
    assert_eq!(
        default,
        text(&["fide", "--fen", zugzwang, "#2", "--all"], 0)
    );
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
        .stdout(predicate::str::contains("1 key verified"));
    // The last goal is that of an answer, and not of a threat.
    let at = text.rfind("\"goal\": true").expect("a goal");
    let wrong = text[..at].to_string() + &text[at..].replacen("true", "false", 1);
    std::fs::write(&file, wrong).expect("a file");
    solve(&["--check", path]).code(1);
}

/// A mate in three with two threats, of which one is a mate in two itself.
const THREATS: &str = "8/5p2/3N4/1BPp1P2/1Bpk1Pp1/2p2pP1/2p2K2/2N5 w - - 0 1";

#[test]
fn every_threat_is_printed_with_its_continuation() {
    let brief = text(&["fide", "--fen", THREATS, "#3", "--brief"], 0);
    assert!(brief.contains(" and 1 more\n"), "{brief}");
    let whole = text(&["fide", "--fen", THREATS, "#3", "--all"], 0);
    let mut lines = whole.lines().skip_while(|line| !line.starts_with("   1."));
    assert!(
        lines.next().is_some_and(|key| key.ends_with(" ! threats:")),
        "{whole}"
    );
    // What is threatened stands before the first answer to the key.
    let threatened = lines.take_while(|line| !line.trim().starts_with("1..."));
    let threatened: Vec<&str> = threatened.map(str::trim).collect();
    let second = |line: &&&str| line.starts_with("2.") && !line.starts_with("2...");
    let seconds = threatened.iter().filter(second).count();
    assert_eq!(seconds, 2, "{whole}");
    assert!(
        threatened.iter().any(|line| line.starts_with("2...")),
        "{whole}"
    );
    let mates = threatened
        .iter()
        .filter(|line| line.starts_with("3.") && line.ends_with('#'));
    assert!(mates.count() > 1, "{whole}");
    assert!(!whole.contains(" more"), "{whole}");
}

#[test]
fn tries_are_printed_with_what_they_allow() {
    let whole = text(&["fide", "--fen", TWO, "#2", "--tries", "--all"], 0);
    let (mut attempts, mut allowed) = (0, 0);
    for part in whole.split("\n\n").filter(|part| part.contains(" ?")) {
        let lines: Vec<&str> = part.lines().map(str::trim).collect();
        let last = lines.last().expect("a line");
        assert!(
            last.starts_with("but 1...") && last.ends_with('!'),
            "{part}"
        );
        let refuting = last.trim_start_matches("but ").trim_end_matches(" !");
        let answers = lines.iter().filter(|line| line.starts_with("1..."));
        assert!(answers.clone().all(|line| *line != refuting), "{part}");
        attempts += 1;
        let mates = lines
            .iter()
            .filter(|line| line.starts_with("2.") && line.ends_with('#'));
        allowed += mates.count();
    }
    assert!(attempts > 3 && allowed > 3, "{whole}");
}

#[test]
fn duals_are_marked_where_a_defense_leaves_two_ways() {
    // After a check on d4 and the only answer there are three mates.
    let fen = "8/4p3/1Q6/8/8/6N1/2K5/k7 w - - 0 1";
    let whole = text(&["fide", "--fen", fen, "#2"], 0);
    assert!(whole.contains(" (dual)\n"), "{whole}");
    let brief = text(&["fide", "--fen", fen, "#2", "--brief"], 0);
    assert!(!brief.contains("(dual)"), "{brief}");
    // One way after each answer.
    let one = text(&["fide", "--fen", "k7/8/1K6/8/8/8/8/7R w - - 0 1", "#2"], 0);
    assert!(!one.contains("(dual)"), "{one}");
}

#[test]
fn stored_threats_and_tries_are_checked_to_their_ends() {
    let whole = stored_tree(THREATS, "#3");
    assert!(!check(&whole, 0).contains("without play"));
    // A threat that does not mate, or answers to it that are left out, or a refutation that does not
    // refute.
    let threat = &whole["tree"]["keys"][0]["threats"];
    let long = threat
        .as_array()
        .expect("threats")
        .iter()
        .position(|t| t["answers"].is_array());
    let long = long.expect("a threat of two moves");
    let mut wrong = whole.clone();
    wrong["tree"]["keys"][0]["threats"][long]["answers"][0]["turn"] = "f7f5".into();
    check(&wrong, 1);
    let mut wrong = whole.clone();
    let answers = &mut wrong["tree"]["keys"][0]["threats"][long]["answers"];
    answers[0]["next"] = serde_json::json!([]);
    check(&wrong, 1);
    let mut bare = whole.clone();
    let turn = bare["tree"]["keys"][0]["threats"][long]["turn"].clone();
    bare["tree"]["keys"][0]["threats"][long] = turn;
    assert!(check(&bare, 0).contains("what threats and tries without play lead to"));
    // A try, and one of its answers that allows the goal.
    let attempts = whole["tree"]["tries"].as_array().expect("tries");
    let allowing = |attempt: &serde_json::Value| {
        let answers = attempt["answers"].as_array()?;
        let answer = answers.iter().find(|answer| answer["next"].is_array())?;
        Some(answer["turn"].clone())
    };
    let found = attempts.iter().enumerate();
    let mut found = found.filter_map(|(n, attempt)| Some((n, allowing(attempt)?)));
    let (n, allowed) = found.next_back().expect("a try that allows the goal");
    let mut wrong = whole.clone();
    wrong["tree"]["tries"][n]["refutations"][0] = allowed;
    check(&wrong, 1);
}

#[test]
fn several_positions_make_one_document() {
    let stream = |format: &str, lines: String| {
        let args = ["solve", "fide", "--fen", "-", "#2", "--format", format];
        run_with(&args, lines.as_bytes()).out
    };
    let two = format!("{TWO}\nnonsense\n{TWO}\n");
    let folder = tempfile::tempdir().expect("a folder");
    for (lines, count) in [
        (two.clone(), 2),
        (TWO.to_string(), 1),
        ("x\n".to_string(), 0),
    ] {
        let text = stream("json", lines);
        let stored: Vec<serde_json::Value> = serde_json::from_str(&text).expect("JSON");
        assert_eq!(stored.len(), count, "{text}");
        assert!(stored.iter().all(|answer| answer["fen"] == TWO), "{text}");
        let file = folder.path().join("stored.json");
        std::fs::write(&file, text).expect("a file");
        let code = i32::from(count == 0);
        let checked = solve(&["--check", file.to_str().expect("a path")]).code(code);
        let checked = String::from_utf8(checked.get_output().stdout.clone()).expect("text");
        let expected = match count {
            0 => vec!["nothing verified: the file is an empty list"],
            _ => vec!["1 key verified, 6 turns"; count],
        };
        assert_eq!(checked.lines().collect::<Vec<_>>(), expected);
    }
    let csv = stream("csv", two);
    assert_eq!(
        csv.lines().filter(|line| line.starts_with("fen,")).count(),
        1,
        "{csv}"
    );
    assert!(
        csv.lines().filter(|line| line.starts_with(TWO)).count() == 2,
        "{csv}"
    );
}

#[test]
fn several_solutions_of_a_helpmate_are_no_cooks() {
    let verdict = |fen: &str, asked: &str| -> serde_json::Value {
        let text = text(&["fide", "--fen", fen, asked, "--format", "json"], 0);
        let answer: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        answer["verdict"].clone()
    };
    let help = "1r6/pk6/8/3N4/4B3/8/8/7K b - - 0 1";
    assert_eq!(verdict(help, "h#1"), "several-solutions");
    assert_eq!(verdict("7k/RR6/8/8/8/8/8/7K w - - 0 1", "#1"), "cooked");
    // Set play is no solution, and has no verdict of its own.
    let set = text(
        &[
            "fide",
            "--fen",
            "k7/8/1K6/8/8/8/8/7R b - - 0 1",
            "h#1",
            "--set-play",
        ],
        0,
    );
    let verdicts = ["sound", "solution"].map(|word| set.matches(word).count());
    assert!(verdicts.iter().all(|n| *n <= 1), "{set}");
}

#[test]
fn suites_read_keys_as_people_write_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("suite.csv");
    for (keys, code) in [("Qa4-a3", 0), ("Qa3!", 0), ("1.Qa3", 0), ("Qa1", 1)] {
        let rows = format!("variant,fen,stipulation,solutions,keys\nfide,{TWO},#2,1,{keys}\n");
        std::fs::write(&file, rows).expect("a file");
        solve(&["--suite", file.to_str().expect("a path")]).code(code);
    }
}

#[test]
fn what_is_excluded_is_told_when_the_time_is_over() {
    let told = solve(&["fide", "#9", "--time", "1", "--threads", "1"]).code(3);
    let told = String::from_utf8(told.get_output().stderr.clone()).expect("text");
    assert!(told.contains("no first turn solves in "), "{told}");
    assert!(told.contains("the time is over"), "{told}");
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

/// Returns the answer as text, in a row of arguments that has to end with this code.
fn text(args: &[&str], code: i32) -> String {
    let output = solve(args).code(code);
    String::from_utf8(output.get_output().stdout.clone()).expect("text")
}

/// Returns a solution with its tries as JSON.
fn stored_tree(fen: &str, asked: &str) -> serde_json::Value {
    let args = ["fide", "--fen", fen, asked, "--format", "json", "--tries"];
    serde_json::from_str(&text(&args, 0)).expect("JSON")
}

/// Checks a stored solution, and returns the messages.
fn check(stored: &serde_json::Value, code: i32) -> String {
    let (_folder, path) = file(stored.to_string());
    let told = solve(&["--check", &path]).code(code);
    String::from_utf8(told.get_output().stderr.clone()).expect("text")
}

#[test]
fn tries_come_with_their_refutations() {
    let text = text(&["fide", "--fen", TWO, "#2", "--tries", "--brief"], 0);
    let attempts = text.lines().filter(|line| line.ends_with(" ?")).count();
    let refutations = text
        .lines()
        .filter(|line| line.trim().starts_with("but "))
        .count();
    assert!(attempts > 0 && refutations == attempts, "{text}");
    let without = solve(&["fide", "--fen", TWO, "#2"]).code(0);
    let without = String::from_utf8(without.get_output().stdout.clone()).expect("text");
    assert!(!without.contains(" ?"), "{without}");
}

#[test]
fn set_play_shows_what_would_follow_if_the_other_side_began() {
    let fen = "k7/8/1K6/8/8/8/8/7R w - - 0 1";
    let with = text(&["fide", "--fen", fen, "#2", "--set-play"], 0);
    assert!(with.contains("set play"), "{with}");
    let set = with.split("   1.R").next().expect("a beginning");
    assert!(
        set.contains("1...Ka8-b8") && set.contains("2.Rh1-h8 #"),
        "{with}"
    );
    assert!(!text(&["fide", "--fen", fen, "#2"], 0).contains("set play"));
}

#[test]
fn the_whole_tree_is_written_as_csv() {
    let csv = text(
        &[
            "fide", "--fen", TWO, "#2", "--tries", "--format", "csv", "--all",
        ],
        0,
    );
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().expect("a header").clone();
    assert_eq!(
        header.iter().collect::<Vec<_>>(),
        ["fen", "kind", "turn", "line", "end"]
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let of = |kind: &str| rows.iter().filter(|row| &row[1] == kind).count();
    assert!(of("key") > 1 && of("try") > 0, "{csv}");
    for row in rows.iter().filter(|row| &row[1] == "key") {
        assert_eq!((&row[0], &row[2], &row[4]), (TWO, "a4a3", "goal"), "{csv}");
        assert!(
            row[3].starts_with("a4a3 ") && row[3].split(' ').count() == 3,
            "{csv}"
        );
    }
    let fen = "8/8/8/8/8/3k4/7r/3K4 b - - 0 1";
    let csv = text(&["fide", "--fen", fen, "h#1.5", "--format", "csv"], 0);
    assert_eq!(
        csv,
        format!(
            "fen,kind,turn,line,end\n{fen},line,d3c3,d3c3 d1c1 h2h1,goal\n\
             {fen},line,d3e3,d3e3 d1e1 h2h1,goal\n{fen},line,h2h1,h2h1,goal\n"
        )
    );
}

#[test]
fn solutions_can_be_bounded() {
    let fen = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1";
    let all = text(&["fide", "--fen", fen, "#2", "--keys"], 0)
        .lines()
        .count();
    assert!(all > 2, "{all}");
    for (args, count) in [(&["--first"][..], 1), (&["--max-solutions", "2"][..], 2)] {
        let mut whole = vec!["fide", "--fen", fen, "#2", "--keys"];
        whole.extend(args);
        let output = solve(&whole).code(3).stderr(predicate::str::contains(
            "the requested number of solutions",
        ));
        let text = String::from_utf8(output.get_output().stdout.clone()).expect("text");
        assert_eq!(text.lines().count(), count, "{args:?}");
    }
    let most = (all + 100).to_string();
    let args = [
        "fide",
        "--fen",
        fen,
        "#2",
        "--keys",
        "--max-solutions",
        &most,
    ];
    assert_eq!(text(&args, 0).lines().count(), all);
}

#[test]
fn memory_may_be_small_and_changes_nothing() {
    let fen = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";
    let small = text(
        &["fide", "--fen", fen, "#4", "--keys", "--memory", "64K"],
        1,
    );
    assert_eq!(small, text(&["fide", "--fen", fen, "#4", "--keys"], 1));
    solve(&["fide", "#2", "--memory", "0"])
        .code(2)
        .stderr(predicate::str::contains("512M"));
    solve(&["fide", "#2", "--time", "0"])
        .code(2)
        .stderr(predicate::str::contains("above 0"));
}

#[test]
fn introductions_of_series_are_printed_stored_and_checked() {
    let args = [
        "fide",
        "--fen",
        "8/8/8/8/8/1K6/7Q/k7 b - - 0 1",
        "2->ser-#2",
    ];
    let found = text(&args, 0);
    let printed = |line: &str| found.lines().any(|other| other.trim() == line);
    assert!(printed("1.Ka1-b1   1.Kb3-c3   2.Qh2-b2 #"), "{found}");
    assert!(printed("1.Ka1-b1   2.Kb1-a1   1.Qh2-b2 #"), "{found}");

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lines.json");
    let path = file.to_str().expect("a path");
    let genuine = text(&[&args[..], &["--format", "json"]].concat(), 0);
    let stored: serde_json::Value = serde_json::from_str(&genuine).expect("JSON");
    for (introduction, code) in [(2, 0), (0, 1), (1, 1), (3, 1)] {
        let mut changed = stored.clone();
        // In the first line, the king goes to b1 and back.
        assert_eq!(changed["lines"][0]["introduction"], 2, "{genuine}");
        changed["lines"][0]["introduction"] = introduction.into();
        std::fs::write(&file, changed.to_string()).expect("a file");
        solve(&["--check", path]).code(code);
    }
}

#[test]
fn stored_lines_are_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lines.json");
    let path = file.to_str().expect("a path");
    for (fen, asked) in [
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", "h#2"),
        ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", "ser-#4"),
        ("8/2p5/8/4B3/8/8/8/5K1k b - - 0 1", "ser-h=6"),
        ("8/8/7p/8/8/kp3P2/p7/K7 w - - 0 1", "hr#2"),
        ("8/8/8/8/8/1K6/7Q/k7 b - - 0 1", "2->ser-#2"),
    ] {
        let text = text(&["fide", "--fen", fen, asked, "--format", "json"], 0);
        std::fs::write(&file, &text).expect("a file");
        solve(&["--check", path])
            .code(0)
            .stdout(predicate::str::contains(" verified"));
        // The last turn of the first line is taken away, and then replaced.
        let mut stored: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let turns = stored["lines"][0]["turns"].as_array_mut().expect("turns");
        let last = turns.pop().expect("a turn");
        let short = !turns.is_empty();
        if short {
            std::fs::write(&file, stored.to_string()).expect("a file");
            solve(&["--check", path]).code(1);
        }
        let turns = stored["lines"][0]["turns"].as_array_mut().expect("turns");
        turns.push("a1a1".into());
        std::fs::write(&file, stored.to_string()).expect("a file");
        solve(&["--check", path]).code(1);
        let turns = stored["lines"][0]["turns"].as_array_mut().expect("turns");
        turns.pop();
        turns.push(last);
        stored["solutions"] = 77.into();
        std::fs::write(&file, stored.to_string()).expect("a file");
        solve(&["--check", path]).code(1);
    }
    std::fs::write(&file, "{}").expect("a file");
    solve(&["--check", path])
        .code(2)
        .stderr(predicate::str::contains("not a stored solution"));
}

#[test]
fn senseless_stipulations_say_why() {
    for (id, asked, told) in [
        (
            "clerical",
            "#2",
            "there is no checkmate under the rules of `clerical`",
        ),
        ("zoo", "+2", "there is no check"),
        ("glory", "marriage 2", "is not a play with a goal"),
        ("bachelor", "mariage 2", "did you mean `marriage`?"),
        ("fide", "h#2.25", "not a number of moves"),
        ("fide", "win3", "blank"),
        ("fide", "ser#3", "ser-#"),
        ("fide", "#-2", "not a play"),
        ("fide", "2->h#3", "only a series can follow"),
        ("fide", "0->ser-h#3", "a whole number from 1 to 99"),
        (
            "fide",
            "x->ser-h#3",
            "`x` is not a number of turns before the series",
        ),
    ] {
        solve(&[id, asked])
            .code(2)
            .stdout("")
            .stderr(predicate::str::contains(told));
    }
}

#[test]
fn invalid_stipulation_is_reported_in_two_lines() {
    for asked in ["mate in two", "#", "", "ser#3", "h#2.25"] {
        let output = solve(&["fide", asked]).code(2);
        let error = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        let short = |line: &str| line.chars().count() <= 120;
        assert!(
            error.lines().count() <= 2 && error.lines().all(short),
            "{error}"
        );
    }
}

/// What a new user tries first.
#[test]
fn first_tries_are_answered() {
    let three = text(&["fide", "--fen", "8/8/8/8/8/k1K5/8/7R w - - 0 1", "#3"], 0);
    assert!(three.contains("3.") && three.contains(" #\n"), "{three}");
    let marriage = text(
        &[
            "bachelor",
            "--fen",
            "6k/7/P6/7/7/4K2 w - - 0 1",
            "marriage 3",
        ],
        0,
    );
    assert!(marriage.contains("[white-wins marriage]"), "{marriage}");
    let convergent = "***1k***/*6*/*3Q2*/*6*/*6*/*6*/*6*/***K1*** b - - 0 1";
    let helped = text(&["convergent", "--fen", convergent, "h#2"], 0);
    assert!(helped.contains("1.") && helped.contains(" #"), "{helped}");
    let none = text(&["fide", "--fen", TWO, "#1"], 1);
    assert!(none.contains("no solution"), "{none}");
}

/// Popeye 4.104 finds as many solutions.
#[test]
fn conditions_that_put_units_elsewhere_are_solved() {
    for (variant, fen, stipulation, solutions) in [
        (
            "fide+anticirce",
            "4qnK1/4P1P1/8/8/3p4/8/1pp1p3/2k2N2 b - - 0 1",
            "h#2",
            "25 solutions",
        ),
        (
            "fide+anticirce",
            "8/2P3P1/8/8/6Q1/4K3/5pN1/5k2 w - - 0 1",
            "#2",
            "1.Ng2-e1 !",
        ),
        (
            "fide+mirror-circe",
            "8/6P1/8/4Q3/7k/8/5p1p/5K2 w - - 0 1",
            "h=1.5",
            "2 solutions",
        ),
    ] {
        let play = text(&[variant, "--fen", fen, stipulation], 0);
        assert!(play.contains(solutions), "{variant} {stipulation}: {play}");
    }
}

/// Ctrl-C in a long search.
#[cfg(unix)]
#[test]
fn an_interrupted_search_says_so() {
    let args = ["solve", "fide", "#9", "--threads", "2"];
    let output = signals::interrupted_after(&args, 700);
    assert_eq!(output.status.code(), Some(130));
    let told = String::from_utf8_lossy(&output.stderr).to_string();
    assert!(told.contains("interrupted"), "{told}");
}

/// The board stands above the solution, with figures, on a terminal alone.
#[cfg(unix)]
#[test]
fn the_board_is_drawn_on_a_terminal() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let (mut master, slave) = terminal();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("fairyproof"))
        .args(["solve", "fide", "--fen", TWO, "#2"])
        .stdout(Stdio::from(slave))
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    assert_eq!(child.wait().expect("an end").code(), Some(0));
    let mut bytes = Vec::new();
    // Linux ends what a closed terminal has written with an error.
    let _ = master.read_to_end(&mut bytes);
    let shown = String::from_utf8_lossy(&bytes).to_string();
    assert!(shown.contains('♕') && shown.contains('♚'), "{shown}");
    let piped = text(&["fide", "--fen", TWO, "#2"], 0);
    assert!(
        !piped.contains('♕') && piped.contains("1.Qa4-a3 !"),
        "{piped}"
    );
}

/// Returns the two ends of a new terminal.
#[cfg(unix)]
fn terminal() -> (std::fs::File, std::fs::File) {
    use std::os::fd::FromRawFd;
    let (mut master, mut slave) = (0, 0);
    // SAFETY: both places are there for the answer, name and settings may be null.
    let status = unsafe {
        libc::openpty(
            &mut master,
            &mut slave,
            std::ptr::null_mut(),
            std::ptr::null_mut(),
            std::ptr::null_mut(),
        )
    };
    assert_eq!(status, 0, "no terminal");
    // SAFETY: the two were opened just now, and nobody else has them.
    unsafe {
        (
            std::fs::File::from_raw_fd(master),
            std::fs::File::from_raw_fd(slave),
        )
    }
}

#[test]
fn first_turns_are_those_of_all_lines() {
    for (fen, asked) in [
        ("r3k3/2QpP2R/1p6/1b2K3/4p3/8/5p2/8 b q - 0 1", "h#2"),
        (
            "q6n/5QQ1/2p2p1R/2Pk1P2/3P3p/4PPb1/2PK4/8 b - - 0 1",
            "ser-h#3",
        ),
        ("8/2K3B1/p6B/8/1k6/7Q/8/8 w - - 0 1", "h=1.5"),
    ] {
        let json = text(&["fide", "--fen", fen, asked, "--format", "json"], 0);
        let stored: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        let lines = stored["lines"].as_array().expect("lines");
        let mut firsts: Vec<&str> = lines
            .iter()
            .map(|line| line["turns"][0].as_str().expect("a turn"))
            .collect();
        assert!(firsts.is_sorted(), "{asked}");
        firsts.dedup();
        assert!(firsts.len() < lines.len(), "{asked}: one line each");
        for threads in ["1", "2"] {
            let keys = text(
                &["fide", "--fen", fen, asked, "--keys", "--threads", threads],
                0,
            );
            assert_eq!(keys.lines().collect::<Vec<_>>(), firsts, "{asked}");
        }
    }
}

#[test]
fn bounds_on_solutions_cut_alike_on_any_number_of_threads() {
    // Mates in one, two and three.
    let fen = "7k/8/5K2/8/8/8/8/QR6 w - - 0 1";
    let all = text(&["fide", "--fen", fen, "#3", "--keys"], 0);
    assert!(all.lines().count() > 8, "{all}");
    for bound in ["1", "2", "5", "8"] {
        let of = |threads| {
            let args = [
                "fide",
                "--fen",
                fen,
                "#3",
                "--keys",
                "--max-solutions",
                bound,
                "--threads",
                threads,
            ];
            text(&args, 3)
        };
        let one = of("1");
        assert_eq!(one.lines().count().to_string(), bound);
        assert!(one.lines().all(|key| all.contains(key)));
        assert_eq!(one, of("2"));
        assert_eq!(one, of("3"));
    }
}

#[test]
fn whoever_has_to_reach_the_goal_at_the_beginning_solves_a_help_reflexmate() {
    let fen = "4R3/2R3p1/1pPk1b1r/1Ppp4/7q/5Qp1/6P1/5NK1 b - - 0 1";
    assert_eq!(
        text(&["fide", "--fen", fen, "hr#1.5", "--keys"], 0),
        "h4h1\n"
    );
    let forced = text(&["fide", "--fen", fen, "hs#1.5", "--keys"], 1);
    assert_eq!(forced, "", "nothing forces a selfmate");
}

#[test]
fn a_double_mate_is_no_turn_of_a_side_that_is_mated_already() {
    let fen = "8/8/8/6p1/4K1kN/6P1/4p1pq/7R b - - 0 1";
    assert_eq!(text(&["fide", "--fen", fen, "h##2", "--keys"], 0), "g4h3\n");
    let mated = "2b1k1r1/N1r2p2/4pQ2/4R3/4pP2/pN6/PPq3PP/2KR4 w - - 0 1";
    text(&["fide", "--fen", mated, "##1", "--keys"], 1);
}

#[test]
fn the_position_may_stand_beside_the_stipulation() {
    let named = text(&["fide", "--fen", TWO, "#2", "--keys"], 0);
    assert_eq!(text(&["fide", TWO, "#2", "--keys"], 0), named);
    assert_eq!(text(&["fide", "#2", TWO, "--keys"], 0), named);
    solve(&["fide", "#2", "8/8", "w", "-", "-"])
        .code(2)
        .stderr(predicate::str::contains("put it into quotes"));
}

#[test]
fn positions_are_solved_line_by_line() {
    let lines = format!("{TWO}\nnonsense\n{TWO}\n");
    program(&["solve", "fide", "--fen", "-", "#2", "--keys"])
        .write_stdin(lines)
        .assert()
        .code(2)
        .stdout(predicate::str::starts_with("a4a3\n\nerror: FEN, field 1"))
        .stdout(predicate::str::ends_with("\n\na4a3\n"))
        .stderr(predicate::str::contains("line 2: FEN"));
}

#[test]
fn tries_and_set_play_are_shown_or_refused() {
    let fen = "k7/8/1K6/8/8/8/8/7R b - - 0 1";
    for wrong in [
        &["fide", "--fen", fen, "h#2", "--tries"][..],
        &["fide", "--fen", fen, "ser-h#2", "--set-play"],
        &["fide", "--fen", fen, "h#2.5", "--set-play"],
        &[
            "fide",
            "--fen",
            fen,
            "h#2",
            "--set-play",
            "--format",
            "json",
        ],
    ] {
        solve(wrong).code(2).stdout("");
    }
    let set = text(&["fide", "--fen", fen, "h#1", "--set-play"], 0);
    assert!(set.contains("   set play\n   1...Rh1-h8 #\n"), "{set}");
}

#[test]
fn a_suite_takes_none() {
    let rows = format!("variant,fen,stipulation,solutions,keys\nfide,{TWO},#1,none,none\n");
    let (_folder, path) = file(rows);
    solve(&["--suite", &path]).code(0);
}

#[test]
fn what_stands_twice_or_is_no_turn_is_found_in_stored_trees() {
    let whole = stored_tree(TWO, "#2");
    check(&whole, 0);
    let mut twice = whole.clone();
    let next = &mut twice["tree"]["keys"][0]["answers"][0]["next"];
    let first = next[0].clone();
    next.as_array_mut().expect("continuations").push(first);
    check(&twice, 1);
    let mut threat = whole.clone();
    threat["tree"]["keys"][0]["threats"][0] = "a1a1".into();
    check(&threat, 1);
    let mut tries = whole.clone();
    tries["tree"]["tries"] = serde_json::json!([{"turn": "a4a1", "refutations": []}]);
    check(&tries, 1);
    let mut verdict = whole;
    verdict["verdict"] = "no-solution".into();
    check(&verdict, 1);
}

//! `solve --check`: genuine solutions are verified, and forged ones are refused.

use crate::run::{Run, run};
use naive::{RuleSets, Unverified};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// Judges a stored solution by the naive rules.
fn judge(document: &Value) -> Result<(), Unverified> {
    let document = check::document(document.to_string().as_bytes()).expect("JSON");
    naive::solution::judge(&document, &RuleSets::default())
}

/// Runs `solve --check` on a text.
fn check_text(text: &str, more: &[&str]) -> Run {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stored.json");
    std::fs::write(&file, text).expect("a file");
    let path = file.to_str().expect("a path");
    run(&[&["solve", "--check", path], more].concat())
}

/// Runs `solve --check` on a document.
fn check(document: &Value) -> Run {
    check_text(&document.to_string(), &[])
}

/// Checks that documents are refused: exit code 1, nothing verified, and a reason with these words.
fn assert_refused(cases: &[(&str, Value)]) {
    for (reason, document) in cases {
        let checked = check(document);
        assert_eq!(checked.code, 1, "{document}: {checked:?}");
        assert_eq!(checked.out, "", "{document}: {checked:?}");
        assert!(checked.err.contains(reason), "{document}: {checked:?}");
    }
}

/// Returns the solution of a problem as JSON.
fn solution(id: &str, fen: &str, stipulation: &str, more: &[&str]) -> Value {
    let asked = ["solve", id, "--fen", fen, stipulation, "--format", "json"];
    serde_json::from_str(&run(&[&asked[..], more].concat()).out).expect("JSON")
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// One key in two moves, `a4a3`, with tries.
const TWO: &str = "8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1";
/// Several keys in two moves, `f6f7` among them.
const MATE: &str = "7k/8/5K2/8/8/8/8/6R1 w - - 0 1";

/// Returns a document with one solution.
fn forged(fen: &str, stipulation: &str, keys: &[&str], lines: Value, tree: Value) -> Value {
    json!({
        "variant": "fide", "fen": fen, "stipulation": stipulation, "verdict": "sound",
        "complete": true, "solutions": 1, "keys": keys, "lines": lines, "tree": tree,
    })
}

/// Returns a document without solutions and with this tree.
fn unsolved(fen: &str, stipulation: &str, tree: Value) -> Value {
    json!({
        "variant": "fide", "fen": fen, "stipulation": stipulation, "verdict": "no-solution",
        "complete": true, "solutions": 0, "keys": [], "tree": tree,
    })
}

/// Returns a tree whose only key reaches the goal.
fn key(turn: &str) -> Value {
    json!({"keys": [{"turn": turn, "goal": true}]})
}

#[test]
fn play_of_another_kind_is_refused() {
    let line = |turns: &[&str]| json!([{"turns": turns}]);
    let none = || json!({"keys": []});
    let tree_too = "this file has a tree as well";
    let lines_too = "this file has lines as well";
    assert_refused(&[
        (
            tree_too,
            forged(START, "h#1", &["e2e4"], json!([]), key("e2e4")),
        ),
        (
            tree_too,
            forged(START, "h#1", &["zz"], json!([]), key("zz")),
        ),
        (
            tree_too,
            forged(START, "ser-#1", &["zz"], json!([]), key("zz")),
        ),
        (
            lines_too,
            forged(START, "#1", &["e2e4"], line(&["e2e4"]), none()),
        ),
        (
            lines_too,
            forged(START, "s#1", &["zz"], line(&["zz"]), none()),
        ),
    ]);
}

#[test]
fn illegal_turns_and_missed_goals_are_refused() {
    let line = |turns: &[&str]| json!([{"turns": turns}]);
    let none = || json!({"keys": []});
    let illegal = "`zz` is not a legal turn";
    let missed = "the goal is not reached";
    assert_refused(&[
        (illegal, forged(START, "#1", &["zz"], json!([]), key("zz"))),
        (
            illegal,
            forged(START, "h#1", &["e2e4"], line(&["e2e4", "zz"]), none()),
        ),
        (
            illegal,
            forged(START, "ser-#1", &["zz"], line(&["zz"]), none()),
        ),
        (
            missed,
            forged(START, "ser-#1", &["e2e4"], line(&["e2e4"]), none()),
        ),
        (
            missed,
            forged(START, "h#1", &["e2e4"], line(&["e2e4", "e7e5"]), none()),
        ),
        (
            "does not reach the goal",
            forged(START, "#1", &["e2e4"], json!([]), key("e2e4")),
        ),
    ]);
}

#[test]
fn files_without_solutions_are_searched() {
    for stipulation in ["#1", "s#1", "h#1", "ser-#1"] {
        let checked = check(&unsolved(START, stipulation, json!({"keys": []})));
        assert_eq!(checked.code, 0, "{stipulation}");
        assert_eq!(checked.out, "verified by a search: there is no solution\n");
        assert!(
            !checked.err.contains("that there is no solution"),
            "{checked:?}"
        );
    }
    for (fen, stipulation, key) in [(TWO, "#2", "a4a3"), (START, "h#2", "f2f3")] {
        let checked = check(&unsolved(fen, stipulation, json!({"keys": []})));
        assert_eq!((checked.code, &*checked.out), (1, ""), "{checked:?}");
        assert!(
            checked
                .err
                .contains(&format!("no solution, but `{key}` begins one")),
            "{checked:?}"
        );
    }
    let long = check_text(
        &unsolved(START, "#40", json!({"keys": []})).to_string(),
        &["--time", "0.2"],
    );
    assert_eq!(long.code, 3, "{long:?}");
    assert!(long.err.contains("undecided"), "{long:?}");
    for text in ["[]", " [ ]\n"] {
        let checked = check_text(text, &[]);
        assert_eq!(checked.code, 1);
        assert_eq!(checked.out, "nothing verified: the file is an empty list\n");
    }
}

#[test]
fn tries_and_set_play_alone_are_not_a_solution() {
    let genuine = solution("fide", TWO, "#2", &["--tries", "--set-play"]);
    let tries = json!({"keys": [], "tries": genuine["tree"]["tries"]});
    let checked = check(&unsolved(TWO, "#2", tries));
    let set_play = json!({"keys": [], "set_play": genuine["tree"]["set_play"]});
    // Without its play, a try is not verified.
    let bare = json!({"keys": [], "tries": [{"turn": "g1g2", "refutations": ["h8h7"]}]});
    for unsolved in [
        checked,
        check(&unsolved(TWO, "#2", set_play)),
        check(&unsolved(MATE, "#2", bare)),
    ] {
        assert_eq!((unsolved.code, &*unsolved.out), (1, ""), "{unsolved:?}");
        assert!(unsolved.err.contains("begins one"), "{unsolved:?}");
    }
}

#[test]
fn refutations_that_lose_are_refused() {
    let attempt = |turn: &str, refutations: &[&str]| json!({"keys": [], "tries": [{"turn": turn, "refutations": refutations}]});
    let selfmate = "1r6/8/8/8/8/7N/P7/K1k5 w - - 0 1";
    let mate_at_once = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
    let one_refutation = "exactly one refutation";
    assert_refused(&[
        // This turn is a key.
        (
            "`h8h7` is listed as a refutation",
            unsolved(MATE, "#2", attempt("f6f7", &["h8h7"])),
        ),
        (
            one_refutation,
            unsolved(MATE, "#2", attempt("g1g2", &["h8h7", "h8h7"])),
        ),
        (one_refutation, unsolved(MATE, "#2", attempt("g1g2", &[]))),
        // The defense reaches the goal of the selfmate.
        (
            "`b8b1` is listed as a refutation",
            unsolved(selfmate, "s#1", attempt("h3g5", &["b8b1"])),
        ),
        (
            "so it is a key",
            unsolved(mate_at_once, "#1", attempt("a1a8", &["h8g8"])),
        ),
    ]);
}

#[test]
fn threats_that_come_too_late_are_refused() {
    let mut bare = solution("fide", TWO, "#2", &["--brief"]);
    assert_eq!(bare["tree"]["keys"][0]["threats"][0]["turn"], "a3b2");
    bare["tree"]["keys"][0]["threats"][0]["turn"] = "a3a2".into();
    let mut after_last_move = solution("fide", TWO, "#2", &[]);
    let answers = after_last_move["tree"]["keys"][0]["answers"].as_array_mut();
    let next = &mut answers.expect("answers")[0]["next"][0];
    next["goal"] = false.into();
    next["threats"] = json!(["a1a2"]);
    assert_refused(&[
        ("`a3a2` threatens nothing in one move", bare),
        ("field `goal` is false", after_last_move),
    ]);
}

#[test]
fn turns_that_parry_are_recomputed() {
    for more in [&[][..], &["--brief"]] {
        let genuine = solution("fide", TWO, "#2", more);
        let place = "/tree/keys/0/answers/0/unparried";
        assert_eq!(genuine.pointer(place), Some(&json!(true)));
        let checked = check(&genuine);
        assert!(
            checked.code == 0 && !checked.err.contains("parry"),
            "{checked:?}"
        );
        let mut parried = genuine.clone();
        *parried.pointer_mut(place).expect("a field") = false.into();
        let mut no_threat = genuine.clone();
        no_threat["tree"]["keys"][0]["threats"] = json!([]);
        let mut set_play = genuine.clone();
        let answer = genuine["tree"]["keys"][0]["answers"][0].clone();
        set_play["tree"]["set_play"] = json!([answer]);
        assert_refused(&[
            ("field `unparried` is false", parried),
            ("field `unparried` is true", no_threat),
            ("(pass)", set_play),
        ]);
    }
}

#[test]
fn longer_continuations_are_not_duals() {
    let mut document = solution("fide", "8/7k/4K3/8/8/8/8/6R1 w - - 0 1", "#4", &[]);
    // After e6f6 h7h8 it is a mate in two by f6f7, and in three by f6g6.
    let after = solution("fide", MATE, "#3", &[]);
    let find = |document: &Value, turn: &str| {
        let keys = document["tree"]["keys"].as_array().expect("keys");
        keys.iter()
            .find(|key| key["turn"] == turn)
            .expect("a key")
            .clone()
    };
    let mut key = find(&document, "e6f6");
    document["keys"] = json!(["e6f6"]);
    document["solutions"] = 1.into();
    document["tree"] = json!({"keys": [key]});
    assert_eq!(check(&document).code, 0);
    let answers = key["answers"].as_array_mut().expect("answers");
    let answer = answers
        .iter_mut()
        .find(|answer| answer["turn"] == "h7h8")
        .expect("an answer");
    let next = answer["next"].as_array_mut().expect("continuations");
    assert_eq!(*next, [find(&after, "f6f7")]);
    next.push(find(&after, "f6g6"));
    document["tree"] = json!({"keys": [key]});
    document["verdict"] = "sound".into();
    assert_refused(&[("of different lengths", document)]);
}

#[test]
fn verdicts_are_recomputed() {
    let genuine = solution("fide", MATE, "#2", &[]);
    assert_eq!(check(&genuine).code, 0);
    for verdict in [
        "sound",
        "cooked",
        "several-solutions",
        "short-solution",
        "no-solution",
        "undecided",
        "proved",
    ] {
        let mut document = genuine.clone();
        document["verdict"] = verdict.into();
        let expected = i32::from(genuine["verdict"] != verdict);
        assert_eq!(check(&document).code, expected, "{verdict}");
    }
}

/// Returns every document that differs from `whole` in one place, with the place.
fn mutations(whole: &Value) -> Vec<(String, Value)> {
    fn places(value: &Value, at: String, found: &mut Vec<String>) {
        found.push(at.clone());
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    places(item, format!("{at}/{index}"), found);
                }
            }
            Value::Object(fields) => {
                for (name, field) in fields {
                    places(field, format!("{at}/{name}"), found);
                }
            }
            _ => {}
        }
    }
    let mut all = Vec::new();
    places(whole, String::new(), &mut all);
    let mut mutated = Vec::new();
    for place in all {
        let old = whole.pointer(&place).expect("a place");
        let mut with = |what: &str, value: Value| {
            let mut document = whole.clone();
            *document.pointer_mut(&place).expect("a place") = value;
            mutated.push((format!("{place} {what}"), document));
        };
        match old {
            Value::String(_) => with("zz", "zz".into()),
            Value::Bool(flag) => with("flipped", (!flag).into()),
            Value::Number(number) => with("plus 1", (number.as_u64().expect("a count") + 1).into()),
            Value::Array(items) if !items.is_empty() => {
                let mut twice = items.clone();
                twice.push(items[0].clone());
                with("first twice", twice.into());
                with("without last", items[..items.len() - 1].into());
            }
            Value::Object(fields) => {
                let mut more = fields.clone();
                more.insert("unknown".into(), 1.into());
                with("unknown field", more.into());
                if !fields.contains_key("goal") && fields.contains_key("turn") {
                    let mut goal = fields.clone();
                    goal.insert("goal".into(), true.into());
                    with("goal", goal.into());
                }
            }
            _ => {}
        }
    }
    mutated
}

/// What is accepted after a mutation is true: it only leaves out a dual, a threat, a try or set play. The
/// naive rules decide.
#[test]
fn every_mutation_of_a_genuine_answer_is_refused_or_true() {
    let (mut refused, mut false_by_naive_rules) = (0, 0);
    let whole_play: &[&str] = &["--tries", "--set-play"];
    for (id, fen, stipulation, more) in [
        ("fide", MATE, "#2", whole_play),
        ("fide", "8/8/8/8/8/1k6/2q5/K7 b - - 0 1", "#1", &[]),
        ("fide", "k7/8/1K6/8/8/8/8/7R b - - 0 1", "h#2", &[]),
        ("fide", "7k/8/5K2/8/8/8/8/6R1 w - - 0 1", "ser-#4", &[]),
        ("fide", "8/8/7p/8/8/kp3P2/p7/K7 w - - 0 1", "hr#2", &[]),
        ("bachelor", "3k3/Q6/7/7/7/3K3 w - - 0 1", "marriage 1", &[]),
        ("fide", TWO, "#2", whole_play),
        ("fide", TWO, "#2", &["--brief"]),
        (
            "convergent",
            "***2***/*6*/*6*/*1K4*/*4R1*/*6*/*3k2*/***2*** w - - 0 1",
            "s#2",
            whole_play,
        ),
        ("fide", "8/8/8/8/8/k6P/p7/K3n3 w - - 0 1", "r#1", whole_play),
        (
            "fide",
            "8/6B1/8/8/p7/kp6/p7/K7 w - - 0 1",
            "semi-r#2",
            whole_play,
        ),
        ("fide", "k7/8/1K6/8/8/8/8/7R w - - 0 1", "h#1.5", &[]),
        (
            "concurrent",
            "8/4P3/8/5k2/3q4/7K/8/8 b - - 0 1",
            "ser-h#2",
            &[],
        ),
        (
            "fide",
            "8/8/8/7r/6kn/8/5PP1/4KBNR w K - 0 1",
            "ser-s#6",
            &[],
        ),
        ("fide", "8/8/8/8/8/P2K4/p2B4/3k4 b - - 0 1", "ser-h=3", &[]),
        (
            "fide",
            "4k1N1/2Pp4/2P1N1P1/4P3/B7/3p4/3P4/R3K3 w Q - 0 1",
            "=2",
            whole_play,
        ),
        ("fide", "k1K5/p7/1P6/8/8/8/8/8 w - - 0 1", "ser-zd36", &[]),
        (
            "fide",
            "6K1/8/1p1N2p1/3B2p1/6Pb/1r4p1/k1p3P1/rbB5 w - - 0 1",
            "zh35",
            &[],
        ),
    ] {
        let genuine = solution(id, fen, stipulation, more);
        let Run {
            code, out: text, ..
        } = check(&genuine);
        assert_eq!(code, 0, "{stipulation}: {text}");
        assert_eq!(judge(&genuine), Ok(()), "{stipulation}");
        let mutated = mutations(&genuine);
        // Answers with many lines repeat themselves: some 60 places of each are enough.
        let step = mutated.len() / 60 + 1;
        for (place, document) in mutated.into_iter().step_by(step) {
            let Run {
                code, out: text, ..
            } = check(&document);
            let judged = judge(&document);
            assert!(
                code == 1 || code == 2 || judged.is_ok() && code == 0,
                "{stipulation}: {place}: {text}: {judged:?}"
            );
            assert!(
                code == 0 || text.is_empty() || text.starts_with("nothing"),
                "{place}: {text}"
            );
            refused += i32::from(code > 0);
            false_by_naive_rules += i32::from(judged.is_err());
        }
    }
    // The naive rules notice most of what is wrong, so that they could notice a wrong acceptance.
    assert!(
        2 * false_by_naive_rules > refused,
        "{false_by_naive_rules} of {refused}"
    );
}

#[test]
fn each_solution_of_a_list_is_checked_by_itself() {
    let genuine = solution("fide", TWO, "#2", &[]);
    let mut wrong = genuine.clone();
    wrong["solutions"] = 2.into();
    let mut unreadable = genuine.clone();
    unreadable["fen"] = "8/8 w".into();
    let checked = check(&json!([wrong, unreadable, genuine]));
    assert_eq!(checked.code, 2, "{checked:?}");
    assert_eq!(checked.out, "1 key verified, 6 turns\n");
    for part in [
        "solution 1: field `solutions` is 2, but 1 are stored",
        "error: solution 2: FEN",
        "solution 3: not checked: that there is no other solution",
    ] {
        assert!(checked.err.contains(part), "{part}: {checked:?}");
    }
}

#[test]
fn long_texts_are_not_repeated_in_messages() {
    let long = "x".repeat(1 << 20);
    let genuine = solution("fide", TWO, "#2", &["--tries"]);
    for place in [
        "/variant",
        "/fen",
        "/stipulation",
        "/verdict",
        "/complete",
        "/keys/0",
        "/tree/keys/0/turn",
        "/tree/keys/0/answers/0/turn",
        "/tree/tries/0/refutations/0",
    ] {
        let mut document = genuine.clone();
        *document.pointer_mut(place).expect("a place") = long.clone().into();
        let checked = check(&document);
        assert!(checked.code > 0 && checked.err.len() < 2000, "{place}");
    }
    let mut twice = genuine.clone();
    let attempt = json!({"turn": long, "refutations": ["a1b1"]});
    twice["tree"]["tries"] = json!([attempt, attempt]);
    assert!(check(&twice).err.len() < 2000);
    let unknown = genuine
        .to_string()
        .replace("\"complete\"", &format!("\"{long}\""));
    assert!(check_text(&unknown, &[]).err.len() < 2000);
}

#[test]
fn options_without_effect_are_refused() {
    let genuine = solution("fide", TWO, "#2", &[]).to_string();
    for option in [&["--first"][..], &["--format", "csv"], &["--tables"]] {
        let checked = check_text(&genuine, option);
        assert_eq!(checked.code, 2, "{option:?}: {checked:?}");
    }
}

/// Checks that a file is refused before it is parsed, with these words.
fn assert_not_read(file: &str, stdin: Stdio, more: &[&str], reason: &str) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_fairyproof"))
        .args(["solve", "--check", file])
        .args(more)
        .stdin(stdin)
        .output()
        .expect("it runs");
    let err = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains(reason) && output.stdout.is_empty(), "{err}");
}

#[test]
fn devices_and_pipes_without_end_are_refused() {
    if !Path::new("/dev/zero").exists() {
        return;
    }
    assert_not_read("/dev/zero", Stdio::null(), &[], "it is a device");
    let most = "at most 268435456 are read";
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    let writing = std::thread::spawn(move || while writer.write_all(&[b' '; 1 << 16]).is_ok() {});
    assert_not_read("/dev/stdin", reader.into(), &["--memory", "1G"], most);
    writing.join().expect("the writer");
    let zero = std::fs::File::open("/dev/zero").expect("a device");
    let less = "at most 67108864 are read";
    assert_not_read("/dev/stdin", zero.into(), &["--memory", "64M"], less);
}

#[test]
fn files_that_take_more_memory_than_allowed_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("large.json");
    let turns = "\"a\",".repeat(1 << 20);
    std::fs::write(&file, format!("{{\"keys\":[{turns}\"a\"]}}")).expect("a file");
    let file = file.to_str().expect("a path");
    assert_not_read(
        file,
        Stdio::null(),
        &["--memory", "64M"],
        "67108864 are allowed",
    );
}

#[test]
fn solution_of_an_unknown_variant_names_the_option_that_defines_it() {
    let mut document = solution("fide", "7k/8/5K2/8/8/8/8/6R1 w - - 0 1", "#2", &[]);
    document["variant"] = json!("lancer");
    let checked = check(&document);
    assert_eq!((checked.code, checked.out.as_str()), (2, ""));
    crate::run::holds(
        &checked.err,
        &["solution", "`lancer`", "not known", "--rules FILE"],
    );
}

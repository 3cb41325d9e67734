//! `solve --check`: what is verified, and that forged answers are refused.

use assert_cmd::Command;
use serde_json::{Value, json};
use std::path::Path;

/// Runs `solve --check` on a document and returns the exit code and what is printed.
fn check(file: &Path, document: &Value) -> (i32, String) {
    std::fs::write(file, document.to_string()).expect("a file");
    let output = Command::cargo_bin("fairyproof")
        .expect("the program")
        .args(["solve", "--check", file.to_str().expect("a path")])
        .output()
        .expect("it runs");
    let text = String::from_utf8(output.stdout).expect("text");
    (output.status.code().expect("an exit code"), text)
}

/// The answer of `solve` as JSON.
fn answer(id: &str, fen: &str, stipulation: &str, more: &[&str]) -> Value {
    let output = Command::cargo_bin("fairyproof")
        .expect("the program")
        .args(["solve", id, "--fen", fen, stipulation, "--format", "json"])
        .args(more)
        .output()
        .expect("it runs");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MATE: &str = "7k/8/5K2/8/8/8/8/6R1 w - - 0 1";

fn forged(fen: &str, stipulation: &str, keys: &[&str], lines: Value, tree: Value) -> Value {
    json!({
        "variant": "fide", "fen": fen, "stipulation": stipulation, "verdict": "sound",
        "complete": true, "solutions": 1, "keys": keys, "lines": lines, "tree": tree,
    })
}

#[test]
fn play_of_another_kind_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("forged.json");
    let key = |turn: &str| json!({"keys": [{"turn": turn, "goal": true}]});
    let line = |turns: &[&str]| json!([{"turns": turns}]);
    for document in [
        forged(START, "h#1", &["e2e4"], json!([]), key("e2e4")),
        forged(START, "h#1", &["zz"], json!([]), key("zz")),
        forged(START, "ser-#1", &["zz"], json!([]), key("zz")),
        forged(START, "#1", &["e2e4"], line(&["e2e4"]), json!({"keys": []})),
        forged(START, "#1", &["zz"], line(&["zz"]), json!({"keys": []})),
        forged(START, "s#1", &["zz"], line(&["zz"]), json!({"keys": []})),
        forged(START, "#1", &["zz"], json!([]), key("zz")),
        forged(START, "#1", &["e2e4"], json!([]), key("e2e4")),
        forged(START, "h#1", &["zz"], line(&["zz"]), json!({"keys": []})),
    ] {
        let (code, text) = check(&file, &document);
        assert_eq!((code, text.as_str()), (1, ""), "{document}");
    }
}

#[test]
fn a_file_that_claims_nothing_verifies_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("empty.json");
    for stipulation in ["#1", "s#1", "h#1", "ser-#1"] {
        let document = json!({
            "variant": "fide", "fen": START, "stipulation": stipulation, "verdict": "no-solution",
            "complete": true, "solutions": 0, "keys": [], "tree": {"keys": []},
        });
        let (code, text) = check(&file, &document);
        assert_eq!(code, 1, "{stipulation}");
        assert_eq!(
            text, "nothing verified: no play is stored\n",
            "{stipulation}"
        );
    }
}

#[test]
fn verdicts_are_recomputed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("verdict.json");
    let genuine = answer("fide", MATE, "#2", &[]);
    assert_eq!(check(&file, &genuine).0, 0);
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
        assert_eq!(check(&file, &document).0, expected, "{verdict}");
    }
}

/// Every document that differs from `whole` in one place, with the place.
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

/// Returns whether a mutation only leaves something out, so that the rest is still true: a dual, a
/// threat, a try, or set play. Whether such a thing is missing is reported as not checked.
fn claims_less(place: &str, document: &Value) -> bool {
    let (path, what) = place.split_once(' ').expect("a place and a change");
    let list = path.rsplit('/').next().expect("a name");
    (what == "without last" && ["next", "threats", "tries", "set_play"].contains(&list))
        // Without any answers, a try only names its refutations.
        || path.starts_with("/tree/tries/") && document.pointer(path) == Some(&json!([]))
        // A threat without `goal` and answers is only a legal turn.
        || path.contains("/threats/") && list == "goal"
        // Which turns parry the threats is not checked.
        || list == "unparried"
        // Whether other solutions exist is not checked.
        || path == "/complete"
}

#[test]
fn every_mutation_of_a_genuine_answer_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mutated.json");
    let whole_play: &[&str] = &["--tries", "--set-play"];
    for (id, fen, stipulation, more) in [
        ("fide", MATE, "#2", whole_play),
        ("fide", "8/8/8/8/8/1k6/2q5/K7 b - - 0 1", "#1", &[]),
        ("fide", "k7/8/1K6/8/8/8/8/7R b - - 0 1", "h#2", &[]),
        ("fide", "7k/8/5K2/8/8/8/8/6R1 w - - 0 1", "ser-#4", &[]),
        ("fide", "8/8/7p/8/8/kp3P2/p7/K7 w - - 0 1", "hr#2", &[]),
        ("bachelor", "3k3/Q6/7/7/7/3K3 w - - 0 1", "marriage 1", &[]),
    ] {
        let genuine = answer(id, fen, stipulation, more);
        let (code, text) = check(&file, &genuine);
        assert_eq!(code, 0, "{stipulation}: {text}");
        let mutated = mutations(&genuine);
        // Answers with many lines repeat themselves: some 80 places of each are enough.
        let step = mutated.len() / 80 + 1;
        for (place, document) in mutated.into_iter().step_by(step) {
            let (code, text) = check(&file, &document);
            let passes = claims_less(&place, &document);
            assert!(
                code == 1 || code == 2 || passes && code == 0,
                "{stipulation}: {place}: {text}"
            );
            assert!(
                passes || text.is_empty() || text.starts_with("nothing"),
                "{place}: {text}"
            );
        }
    }
}

#[test]
fn a_file_without_end_is_refused() {
    if !Path::new("/dev/zero").exists() {
        return;
    }
    Command::cargo_bin("fairyproof")
        .expect("the program")
        .args(["solve", "--check", "/dev/zero"])
        .assert()
        .code(2)
        .stderr(predicates::str::contains("at most 268435456 are read"));
}

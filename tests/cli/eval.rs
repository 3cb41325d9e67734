//! `eval` and `turns --where`.

use crate::run::run_with;
use fairyproof::language::{FORMS, NAMES};
use std::collections::BTreeSet;

fn run(args: &[&str], input: &str) -> (String, String, i32) {
    let run = run_with(args, input.as_bytes());
    (run.out, run.err, run.code)
}

const MATE_IN_1: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";

#[test]
fn eval_prints_values() {
    let cases = [
        (vec!["eval", "fide", "size(turns)"], "20\n"),
        (
            vec!["eval", "fide", MATE_IN_1, "turns.filter(t, t.mates)"],
            "a1a8\n",
        ),
        (
            vec!["eval", "fide", "--fen", MATE_IN_1, "units"],
            "Ra1 Ke1 pf7 pg7 ph7 kg8\n",
        ),
        (vec!["eval", "fide", "-1 + 1"], "0\n"),
        // Options behind the expression are options.
        (vec!["eval", "fide", "size(turns)", "--time", "9"], "20\n"),
        (vec!["eval", "fide", "-1 + 1", "--fen", MATE_IN_1], "0\n"),
        (vec!["eval", "fide", "startpos", "check"], "false\n"),
    ];
    for (args, answer) in cases {
        assert_eq!(
            run(&args, ""),
            (answer.into(), String::new(), 0),
            "{args:?}"
        );
    }
}

#[test]
fn eval_answers_line_by_line() {
    let input = format!(
        "{MATE_IN_1}\nnot a fen\n\n4k3/8/8/8/8/8/8/4K3 b - - 0 1\n7/7/2k4/7/7/4K2 w - - 0 1\n"
    );
    let (out, _, code) = run(&["eval", "fide", "-", "side"], &input);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        (lines[0], lines[3], lines[4], code),
        ("white", "black", "white", 2)
    );
    assert!(
        lines[1].starts_with("error: FEN") && lines[2].starts_with("error: FEN"),
        "{out}"
    );
    let (out, err, code) = run(&["eval", "fide", "-", "chek"], &input);
    assert_eq!((out.as_str(), code), ("", 2));
    assert_eq!(err.matches("there is no name").count(), 1, "{err}");
}

#[test]
fn errors_have_a_caret() {
    let (_, err, code) = run(&["eval", "fide", "won(white) || chek"], "");
    let expected = "error: expression, line 1, column 15: there is no name `chek`\n  \
        won(white) || chek\n                \
        ^^^^\nhelp: did you mean `check`?\n";
    assert_eq!((err.as_str(), code), (expected, 2));
}

#[test]
fn turns_are_chosen_by_a_condition() {
    let (out, _, code) = run(&["turns", "fide", MATE_IN_1, "--where", "mates"], "");
    assert_eq!((out.as_str(), code), ("a1a8\n", 0));
    let (out, _, code) = run(
        &[
            "turns",
            "fide",
            "--where",
            "kind == 'knight' && to.file < 4",
        ],
        "",
    );
    assert_eq!((out.as_str(), code), ("b1a3\nb1c3\n", 0));
    let (_, err, code) = run(&["turns", "fide", "--where", "size(turns)"], "");
    assert_eq!(code, 2);
    assert!(
        err.contains("a condition is wanted, true or false; this is an int"),
        "{err}"
    );
}

/// Every example that is printed runs as it is printed, and prints what it is said to print.
#[test]
fn printed_examples_run_as_printed() {
    let names = NAMES.iter().map(|row| row.name);
    let names: BTreeSet<&str> = names.chain(FORMS.iter().map(|form| form.0)).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let mut examples = 0;
    for name in names {
        let (out, _, code) = run(&["eval", "fide", "--names", name], "");
        assert_eq!(code, 0, "{name}");
        let lines: Vec<&str> = out.lines().collect();
        for line in lines
            .iter()
            .filter_map(|line| line.strip_prefix("  for example, "))
        {
            examples += 1;
            if let Some(bound) = line.strip_suffix(" in a claims file") {
                let claim = format!(
                    "[page]\ntitle = 'A page'\nvariant = 'french-revolution'\n[[claim]]\nid = 'a'\n\
                     says = 'a'\n{bound}\nturns = 24\n"
                );
                let path = folder.path().join("claims.toml");
                std::fs::write(&path, claim).expect("a file");
                let (out, err, code) = run(&["verify", path.to_str().expect("a path")], "");
                assert_eq!(
                    (code, err.contains("error")),
                    (0, false),
                    "{bound}: {out}{err}"
                );
                continue;
            }
            let (command, answer) = line.rsplit_once(" prints ").expect("a command");
            let args = shlex::split(command).expect("a command line");
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let (out, err, _) = run(&args, "");
            assert_eq!(out.trim_end(), answer, "{command}: {err}");
        }
    }
    assert!(examples >= NAMES.len() + FORMS.len(), "{examples}");
}

#[test]
fn names_are_listed_and_described() {
    let (out, _, code) = run(&["eval", "blunder-mate", "--names"], "");
    assert_eq!(code, 0);
    for part in [
        "attacked(square, side)",
        "list.exists(x, condition)",
        "'queen' or 'Q'",
        "state.blunder",
    ] {
        assert!(out.contains(part), "{part}");
    }
    let (out, _, _) = run(&["eval", "fide", "--names", "walk"], "");
    assert!(out.contains("prints 6"), "{out}");
    let (_, err, code) = run(&["eval", "fide", "--names", "wlak"], "");
    assert_eq!(code, 2);
    assert!(err.contains("did you mean `walk`?"), "{err}");
}

//! Variants of the user's own: `--rules`, FAIRYPROOF_RULES, `rules check`, `rules export`, and the known
//! variants that the program has as definitions.

use crate::run::{answer, file, holds, refusal, run};
use assert_cmd::Command;

/// A hill that kings walk to, and a piece that leaps.
const HILL: &str = "\
[hill:chess]
flagPiece = k
flagRegion = d4 e4 d5 e5
castling = false

[leap:hill]
customPiece1 = l:NnD
startFen = rlbqkblr/pppppppp/8/8/8/8/PPPPPPPP/RLBQKBLR w - - 0 1
knight = -
promotionPieceTypes = qrbl
";

#[test]
fn every_command_takes_the_variants_of_a_file() {
    let (_folder, path) = file(HILL);
    let with = |words: &[&str]| answer(&[words, &["--rules", &path]].concat());
    assert_eq!(with(&["perft", "hill", "3"]), "8902\n");
    assert_eq!(with(&["perft", "leap", "1"]), "20\n");
    assert_eq!(
        with(&["start", "hill"]),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1\n"
    );
    holds(&with(&["show", "leap"]), &["r l b q k b l r"]);
    holds(&with(&["turns", "leap"]), &["b1a3\n"]);
    let fen = "8/8/8/8/8/3K4/8/7k w - - 0 1";
    holds(
        &with(&["play", "hill", "--fen", fen, "d3d4"]),
        &["8/8/8/8/3K4/8/8/7k b - - 1 1\nwhite-wins "],
    );
    let rows = with(&["variants"]);
    holds(
        &rows,
        &["\nhill ", "\nleap ", "White wins with king on d4 e4 d5 e5"],
    );
    let page = with(&["rules", "leap"]);
    holds(
        &page,
        &[
            "# leap\n",
            "## Against FIDE\n| FIDE | leap |",
            "| no castling |",
            "| L | custom piece 1 | `NnD` | leaps like a knight, and leaps two squares orthogonally",
            "* White wins with king on d4 e4 d5 e5",
            "* `nFoldRule = 3`",
            "## Start",
            "## Example",
        ],
    );
    assert_eq!(
        with(&["solve", "hill", "--fen", fen, "win 1", "--keys"]).trim(),
        "d3d4\nd3e4"
    );
}

#[test]
fn the_variable_holds_files_as_path_holds_folders() {
    let (_one, hill) = file(HILL);
    let (_two, other) = file("[other:chess]\ncastling = false\n");
    let list = std::env::join_paths([&hill, &other]).expect("paths without separators");
    for id in ["hill", "leap", "other"] {
        Command::cargo_bin("fairyproof")
            .expect("the program")
            .args(["perft", id, "1"])
            .env("FAIRYPROOF_RULES", &list)
            .assert()
            .success()
            .stdout("20\n");
    }
}

/// Writes a file of any bytes and returns the exit code and standard error of `turns` with it.
fn turns_with(bytes: &[u8], id: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own.ini");
    std::fs::write(&path, bytes).expect("a file");
    let output = Command::cargo_bin("fairyproof")
        .expect("the program")
        .args(["turns", id, "--rules"])
        .arg(&path)
        .output()
        .expect("it runs");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.stdout.is_empty(), !output.status.success());
    (output.status.code(), told)
}

#[test]
fn unreadable_lines_make_their_section_unusable() {
    let long = format!("[hill:chess]\n# {}\nflagPiece = k\n", "x".repeat(5000));
    for (bytes, place) in [
        (
            &b"[hill:chess]\n# f\xfcr alle\ncastling = false\n"[..],
            "line 2",
        ),
        (&b"[hill:chess]\ncastling = false\xfc\n"[..], "line 2"),
        (&b"[hill:chess]\ncastling false\n"[..], "line 2"),
        (&b"[hill:chess]\n= false\n"[..], "line 2"),
        (long.as_bytes(), "line 2"),
    ] {
        let (code, told) = turns_with(bytes, "hill");
        assert_eq!(code, Some(2), "{told}");
        holds(&told, &[place, "[hill]"]);
        // Another section of the file is not affected.
        let both = [bytes, b"[other:chess]\ncastling = false\n"].concat();
        assert_eq!(turns_with(&both, "other"), (Some(0), String::new()));
        // What such a section means for its children is not known.
        let child = [
            bytes,
            b"[child:hill]\nstalemateValue = loss\n[grandchild:child]\n",
        ]
        .concat();
        for id in ["child", "grandchild"] {
            let (code, told) = turns_with(&child, id);
            assert_eq!(code, Some(2), "{told}");
            holds(&told, &["has errors"]);
        }
    }
}

#[test]
fn wrong_keys_make_children_unusable() {
    let text = b"[hill:chess]\nflagPeace = k\n[child:hill]\nqueen = -\n";
    for id in ["hill", "child"] {
        assert_eq!(turns_with(text, id).0, Some(2), "{id}");
    }
}

#[test]
fn errors_outside_sections_make_the_file_unusable() {
    for (text, place) in [
        ("castling = false\n[hill:chess]\n", "line 1, column 1"),
        (
            "[hill:chess]\n[leap:chess\ncastling = false\n",
            "line 2, column 1",
        ),
        (
            "[hill:chess]\n\n[hill:chess]\ncastling = false\n",
            "line 3, column 2",
        ),
        ("[]\n[hill:chess]\n", "line 1"),
        ("[a:]\n[hill:chess]\n", "line 1"),
    ] {
        let (code, told) = turns_with(text.as_bytes(), "hill");
        assert_eq!(code, Some(2), "{text}: {told}");
        holds(&told, &[place]);
        // `rules check` still reports on such a file.
        let (_folder, path) = file(text);
        let run = run(&["rules", "check", &path, "--rules", &path]);
        assert_eq!(run.code, 2);
        holds(&run.out, &["error: ", ", 1 error, "]);
    }
}

#[test]
fn devices_are_refused_as_files_of_definitions() {
    if !std::path::Path::new("/dev/zero").exists() {
        return;
    }
    for arguments in [
        ["start", "fide", "--rules", "/dev/zero"],
        ["rules", "check", "/dev/zero", "--format=text"],
    ] {
        let arguments: Vec<&str> = arguments
            .into_iter()
            .filter(|a| !a.starts_with("--format"))
            .collect();
        holds(
            &refusal(&arguments),
            &["/dev/zero", "more than 1048576 bytes"],
        );
    }
}

#[test]
fn a_file_may_have_its_parents_in_an_earlier_one() {
    let (_one, hill) = file(HILL);
    let (_two, child) = file("[child:leap]\ncheckCounting = true\n");
    let words = ["start", "child", "--rules", &hill, "--rules", &child];
    holds(&answer(&words), &["RLBQKBLR w - - 1+1 0 1"]);
    holds(
        &refusal(&["start", "child", "--rules", &child]),
        &["there is no variant `leap` to be a parent"],
    );
}

#[test]
fn known_variants_open_by_name() {
    assert_eq!(answer(&["perft", "crazyhouse", "2"]), "400\n");
    assert_eq!(answer(&["perft", "losalamos", "2"]), "100\n");
    assert_eq!(answer(&["perft", "chess", "3"]), "8902\n");
    holds(
        &answer(&["rules", "atomic"]),
        &["a capture destroys the capturing unit"],
    );
    // The compiled rule set keeps its name.
    holds(&answer(&["start", "spartan-fsf"]), &["lgkcckwl"]);
    holds(
        &refusal(&["start", "crazyhous"]),
        &["did you mean `crazyhouse`?"],
    );
}

#[test]
fn a_name_that_is_taken_is_refused() {
    let (_folder, path) = file("[a:chess]\n\n[bachelor:chess]\ncastling = false\n");
    let message = refusal(&["start", "bachelor", "--rules", &path]);
    holds(
        &message,
        &["line 3", "`bachelor` is the name of a compiled rule set"],
    );
    let (_one, one) = file("[twin:chess]\n");
    let (_two, two) = file("[twin:chess]\n");
    holds(
        &refusal(&["start", "twin", "--rules", &one, "--rules", &two]),
        &["`twin` is defined in"],
    );
}

#[test]
fn a_section_with_an_error_is_refused_with_its_place_and_the_others_are_not() {
    let (_folder, path) = file("[good:chess]\n\n[bad:chess]\ncasteling = false\n");
    assert_eq!(answer(&["perft", "good", "1", "--rules", &path]), "20\n");
    let message = refusal(&["perft", "bad", "1", "--rules", &path]);
    holds(
        &message,
        &[
            &path,
            "line 4, column 1",
            "[bad] there is no key `casteling`",
            "did you mean `castling`?",
        ],
    );
    holds(
        &refusal(&["start", "fide", "--rules", "/no/such/file.ini"]),
        &["/no/such/file.ini", "cannot be read"],
    );
}

#[test]
fn warnings_of_the_section_in_use_are_said_and_the_answer_is_given() {
    let (_folder, path) = file("[a:chess]\nnFoldRule = 4\n[b:chess]\nnFoldRule = 5\n");
    let run = run(&["perft", "a", "1", "--rules", &path]);
    assert_eq!((run.code, run.out.as_str()), (0, "20\n"));
    holds(&run.err, &[":2:1: warning: [a] `nFoldRule` is left out"]);
    assert_eq!(run.err.lines().count(), 1);
}

#[test]
fn check_tells_all_findings_with_line_and_column_and_what_it_took_each_section_to_mean() {
    let (_folder, path) = file(HILL);
    let out = answer(&["rules", "check", &path]);
    holds(
        &out,
        &["# hill\n", "# leap\n", "2 sections, 0 errors, 0 warnings\n"],
    );

    let bad = "[a:chess]\ncasteling = false\nstalemateValue = lose\nmaxRank = 20\n[b:a]\n[c:d]\n\
               [e:chess]\nnMoveRule = 60\nwallingRule = duck\n";
    let (_folder, path) = file(bad);
    let run = run(&["rules", "check", &path]);
    assert_eq!(run.code, 2);
    assert_eq!(run.err, "");
    let lines: Vec<&str> = run.out.lines().take_while(|l| !l.is_empty()).collect();
    let expected = [
        ":2:1: error: [a] there is no key `casteling`; did you mean `castling`?",
        ":3:18: error: [a] `stalemateValue` takes `win`, `loss` or `draw`, not `lose`",
        ":4:11: error: [a] `maxRank` takes a rank from 1 to 16, not `20`",
        ":5:4: error: [b] the parent `a` has errors",
        ":6:4: error: [c] there is no variant `d` to be a parent",
        ":8:1: warning: [e] `nMoveRule` is left out: positions here have no past",
        ":9:1: error: [e] `wallingRule` is known but not supported: ",
    ];
    for part in expected {
        assert!(
            lines.iter().any(|l| l.contains(part)),
            "{part}\n{}",
            run.out
        );
    }
    holds(&run.out, &["4 sections, 6 errors, 1 warning\n"]);
}

#[test]
fn check_tells_what_is_not_supported_beside_whatever_else_is_wrong() {
    let bad = "[a:chess]\ncasteling = false\nwallingRule = duck\nmaxFile = 20\nbikjangRule = true\n\
               [b:a]\nenclosingDrop = reversi\n";
    let (_folder, path) = file(bad);
    let run = run(&["rules", "check", &path]);
    assert_eq!(run.code, 2);
    let told = |what: &str| format!("{path}:{what}");
    let findings = [
        "2:1: error: [a] there is no key `casteling`; did you mean `castling`?",
        "3:1: error: [a] `wallingRule` is known but not supported: walls are not played",
        "4:11: error: [a] `maxFile` takes a file, as a letter from a to p or a number from 1 to 16, \
         not `20`",
        "5:1: error: [a] `bikjangRule` is known but not supported: it is not played",
        "6:2: error: [b] `wallingRule` is known but not supported: walls are not played",
        "6:2: error: [b] `bikjangRule` is known but not supported: it is not played",
        "6:4: error: [b] the parent `a` has errors",
        "7:1: error: [b] `enclosingDrop` is known but not supported: it is not played",
    ];
    let lines: Vec<&str> = run.out.lines().take_while(|l| !l.is_empty()).collect();
    assert_eq!(lines, findings.map(told));
    holds(&run.out, &["2 sections, 8 errors, 0 warnings\n"]);
}

#[test]
fn files_of_any_bytes_are_answered() {
    for bytes in [
        &b"\xff\xfe[a]"[..],
        b"",
        b"[",
        b"[a:chess]\nstartFen = \xf0\x9f\x8c\x9f",
        b"\0\0=\0",
    ] {
        let (_folder, path) = file(bytes);
        let run = run(&["rules", "check", &path]);
        assert!([0, 2].contains(&run.code), "{run:?}");
        holds(&run.out, &[" error"]);
    }
}

#[test]
fn export_prints_sections_that_play_the_same() {
    for (id, own) in [
        ("fide", "own-fide"),
        ("decastellation", "own-decastellation"),
    ] {
        let section = answer(&["rules", "export", id]);
        holds(&section, &[&format!("[{own}:chess]\n")]);
        let (_folder, path) = file(&section);
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "4k2r/6P1/8/8/8/8/8/4K2R w K - 0 1",
        ] {
            let count = |words: &[&str]| {
                answer(&[&["perft"], words, &["3", "--fen", fen, "--rules", &path]].concat())
            };
            assert_eq!(count(&[own]), count(&[id]), "{id} {fen}");
        }
    }
    holds(
        &refusal(&["rules", "export", "bachelor"]),
        &[
            "the format of definitions has no keys for its law",
            "fide and decastellation",
        ],
    );
    let (_folder, path) = file(answer(&["rules", "export", "capablanca"]));
    let run = run(&["rules", "check", &path]);
    holds(&run.out, &["1 section, 0 errors, "]);
}

#[test]
fn compiled_rule_sets_lend_their_board_and_array() {
    let (_folder, path) = file("[lent:bachelor]\n");
    let run = run(&["show", "lent", "--rules", &path]);
    assert_eq!(run.code, 0);
    holds(
        &run.err,
        &["its board and array are taken, none of its law"],
    );
    holds(&run.out, &["r n n k b b r"]);
}

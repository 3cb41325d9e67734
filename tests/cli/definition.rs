//! Variants of the user's own: `--rules`, FAIRYPROOF_RULES, `rules check`, `rules export`, and the known
//! variants that the program has as definitions.

use crate::run::{answer, file, folder, holds, piped, program, refusal, run, run_with};
use crate::server::Server;

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
        program(&["perft", id, "1"])
            .env("FAIRYPROOF_RULES", &list)
            .assert()
            .success()
            .stdout("20\n");
    }
}

/// A start position that no command could set up is an error of the section.
#[test]
fn check_reports_start_positions_that_cannot_be_set_up() {
    let royal = "king = -\ncommoner = k\ncastlingKingPiece = k\nextinctionValue = loss\n\
                 extinctionPieceTypes = k\nextinctionPseudoRoyal = true\n";
    for (keys, start, place) in [
        (
            "flyingGeneral = true\n",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "3:1",
        ),
        (royal, "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "8:1"),
    ] {
        let (_folder, path) = file(format!("[faulty:chess]\n{keys}startFen = {start}\n"));
        let run = crate::run::run(&["rules", "check", &path]);
        let error =
            format!("{path}:{place}: error: [faulty] the start position cannot be set up: ");
        holds(&run.out, &[&error, "1 section, 1 error"]);
    }
}

/// Writes a file of any bytes and returns the exit code and standard error of `turns` with it.
fn turns_with(bytes: &[u8], id: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own.ini");
    std::fs::write(&path, bytes).expect("a file");
    let output = program(&["turns", id, "--rules"])
        .arg(&path)
        .output()
        .expect("it runs");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.stdout.is_empty(), !output.status.success());
    (output.status.code(), told)
}

/// Lines that cannot be read, for a section `[hill:chess]` in line 1, each with its place.
fn unreadable_lines() -> Vec<(Vec<u8>, &'static str)> {
    let long = format!("flagPiece = k{}", " ".repeat(5000));
    [
        (&b"castling = false\xfc"[..], "line 2, column 17"),
        (b"c\xfcstling = false", "line 2, column 2"),
        (b"castling false", "line 2, column 1"),
        (b"// castling", "line 2, column 1"),
        (b"= false", "line 2, column 1"),
        (b"\0", "line 2, column 1"),
        (b"# no castling\rcastling = false", "line 2, column 14"),
        (
            "; no castling\u{2028}castling = false".as_bytes(),
            "line 2, column 14",
        ),
        (long.as_bytes(), "line 2, column 1"),
    ]
    .into_iter()
    .map(|(line, place)| ([b"[hill:chess]\n", line, b"\n"].concat(), place))
    .chain([
        (
            b"[hill:chess] castling = false\n".to_vec(),
            "line 1, column 14",
        ),
        (b"[hill:chess]]\n".to_vec(), "line 1, column 13"),
        (b"[hill:chess][leap:chess]\n".to_vec(), "line 1, column 13"),
        (
            b"[hill:chess]\rcastling = false\r".to_vec(),
            "line 1, column 13",
        ),
    ])
    .collect()
}

#[test]
fn unreadable_lines_make_their_section_and_its_children_unusable() {
    for (bytes, place) in unreadable_lines() {
        let (code, told) = turns_with(&bytes, "hill");
        assert_eq!(code, Some(2), "{}: {told}", bytes.escape_ascii());
        holds(&told, &[place]);
        // A heading with a wrong line break is an error of the file: nothing after it is read.
        let file_is_unusable = bytes.starts_with(b"[hill:chess]\r");
        assert_eq!(told.contains("[hill]"), !file_is_unusable, "{told}");
        let both = [&bytes[..], b"[other:chess]\ncastling = false\n"].concat();
        let code = if file_is_unusable { 2 } else { 0 };
        assert_eq!(turns_with(&both, "other").0, Some(code));
        let children = [
            &bytes[..],
            b"[child:hill]\nstalemateValue = loss\n[grandchild:child]\n",
        ]
        .concat();
        for id in ["child", "grandchild"] {
            let (code, told) = turns_with(&children, id);
            assert_eq!(code, Some(2), "{told}");
            let line = place.split(',').next().expect("a line");
            holds(&told, &[line]);
        }
    }
}

#[test]
fn comments_change_nothing() {
    let long = format!("#{}\n", "x".repeat(5000));
    for comment in [
        &b"# f\xfcr alle\n"[..],
        b"  ; \0\xff\xfe\n",
        long.as_bytes(),
    ] {
        for text in [
            [comment, b"[hill:chess]\nking = k:KN\n"].concat(),
            [b"[hill:chess]\n", comment, b"king = k:KN\n"].concat(),
        ] {
            let (_folder, path) = file(&text);
            let run = run(&["turns", "hill", "--rules", &path]);
            assert_eq!((run.code, run.err.as_str()), (0, ""));
            // The knight's turns of the king.
            assert_eq!(run.out.lines().count(), 22, "{}", run.out);
        }
    }
    let (_folder, path) = file(b"[hill:chess]\n# f\xfcr\n# f\xfcr\n");
    let run = run(&["rules", "check", &path]);
    assert_eq!(run.code, 0);
    holds(
        &run.out,
        &[
            ":2:1: warning: a comment that is not UTF-8; save the file as UTF-8\n",
            "1 section, 0 errors, 1 warning\n",
        ],
    );
}

#[test]
fn byte_order_marks_and_crlf_are_read() {
    for text in [
        &b"\xef\xbb\xbf[hill:chess]\r\nking = k:KN\r\n"[..],
        b"\xef\xbb\xbf# a comment\n\n  [hill:chess] # another\n\tking = k:KN",
    ] {
        let (_folder, path) = file(text);
        assert_eq!(
            answer(&["turns", "hill", "--rules", &path]).lines().count(),
            22
        );
        holds(
            &answer(&["rules", "check", &path]),
            &["1 section, 0 errors, 0 warnings"],
        );
    }
    let utf16: Vec<u8> = "\u{feff}[hill:chess]\nking = k:KN\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let (code, told) = turns_with(&utf16, "hill");
    assert_eq!(code, Some(2));
    holds(&told, &["line 1, column 1: bytes that are not UTF-8"]);
}

/// `rules check` finds an error in exactly those sections, or in the file, that other commands refuse.
#[test]
fn commands_refuse_what_rules_check_calls_an_error() {
    let mut files: Vec<Vec<u8>> = unreadable_lines()
        .into_iter()
        .map(|(text, _)| text)
        .collect();
    let texts = [
        "[hill:chess]\nflagPeace = k\n",
        "[hill:chess]\nflagPiece = zz\n",
        "[hill:chess]\nwallingRule = duck\n",
        "[hill:chess]\ncustomPiece1 = x\n",
        "[hill:chess]\nstartFen = kk6/8/8/8/8/8/8/K7 w - - 0 1\n",
        "[hill:chess]\nnFoldRule = 4\n",
        "[hill:chess]\ncastling = true\ncastling = false\n",
        "[hill]\n",
        "[hill:none]\n",
        "[hill:hill]\n",
        "[hill:bachelor]\n",
        "[hill:chess]\n[hill:chess]\n",
        "[hill:chess\n",
        "[hill chess]\n",
        "[hill:]\n",
        "[hill:chess]\n[bachelor:chess]\n",
        "[hill:chess]\n[chess]\nking = k\n",
        "castling = false\n[hill:chess]\n",
        "[atomic:chess]\ncastling\n[hill:atomic]\n",
        "[atomic:chess]\n[hill:atomic]\n",
    ];
    files.extend(texts.map(|text| text.as_bytes().to_vec()));
    for text in files {
        let text = [
            &text[..],
            b"[other:chess]\ncastling = false\n[child:hill]\n",
        ]
        .concat();
        let (_folder, path) = file(&text);
        let check = run(&["rules", "check", &path]);
        let lines = check.out.lines().take_while(|line| !line.is_empty());
        let errors: Vec<&str> = lines
            .filter_map(|l| l.split_once(": error: "))
            .map(|e| e.1)
            .collect();
        assert_eq!(
            check.code,
            if errors.is_empty() { 0 } else { 2 },
            "{check:?}"
        );
        let file_is_wrong = errors.iter().any(|error| !error.starts_with('['));
        for id in ["hill", "other", "child"] {
            let section = format!("[{id}] ");
            let is_wrong = file_is_wrong || errors.iter().any(|e| e.starts_with(&section));
            let run = run(&["turns", id, "--rules", &path]);
            let expected = if is_wrong { 2 } else { 0 };
            assert_eq!(
                run.code,
                expected,
                "{id} {}\n{check:?}\n{run:?}",
                text.escape_ascii()
            );
            assert_eq!(run.out.is_empty(), is_wrong);
        }
        let run = run(&["start", "fide", "--rules", &path]);
        assert_eq!(run.code, if file_is_wrong { 2 } else { 0 });
    }
}

#[test]
fn sections_in_two_files_are_refused() {
    let (_one, one) = file("[a:chess]\n[twin:chess]\n");
    let (_two, two) = file("[b:chess]\n\n[twin:chess]\n");
    let why = format!("`twin` is defined in {one} too");
    let message = refusal(&["start", "fide", "--rules", &one, "--rules", &two]);
    holds(&message, &[&two, "line 3, column 2", &why]);
    let check = run(&["rules", "check", &two, "--rules", &one]);
    assert_eq!(check.code, 2);
    holds(&check.out, &[&format!("{two}:3:2: error: {why}\n")]);
    // The same file under two names is read once.
    let folder = std::path::Path::new(&one).parent().expect("a folder");
    let other_name = folder.join(".").join("suite.csv");
    let other_name = other_name.to_str().expect("UTF-8");
    assert_eq!(
        answer(&["perft", "twin", "1", "--rules", &one, "--rules", other_name]),
        "20\n"
    );
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
fn a_file_may_have_its_parents_in_an_earlier_one() {
    let (_one, hill) = file(HILL);
    let (_two, child) = file("[child:leap]\ncheckCounting = true\n");
    let words = ["start", "child", "--rules", &hill, "--rules", &child];
    holds(&run(&words).out, &["RLBQKBLR w - - 1+1 0 1"]);
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
    for (name, why) in [
        ("bachelor", "`bachelor` is the name of a compiled rule set"),
        ("chess", "`chess` is a name of orthodox chess"),
        ("fide", "is the name of a compiled rule set"),
    ] {
        let (_folder, path) = file(format!("[a:chess]\n\n[{name}:chess]\ncastling = false\n"));
        let message = refusal(&["start", name, "--rules", &path]);
        holds(&message, &["line 3, column 2", why, "choose another name"]);
    }
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
    let (_folder, path) = file("[a:chess]\ncheckCounting = true\n[b:chess]\ndropNoDoubled = p\n");
    let run = run(&["perft", "a", "1", "--rules", &path]);
    assert_eq!((run.code, run.out.as_str()), (0, "20\n"));
    holds(
        &run.err,
        &[":2:17: warning: [a] `startFen` gives no numbers of checks"],
    );
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
        ":5:4: error: [b] the parent `a` has errors, the first in line 2: there is no key `casteling`",
        ":6:4: error: [c] there is no variant `d` to be a parent",
        ":8:1: note: [e] `nMoveRule` is left out: positions here have no past",
        ":9:1: error: [e] `wallingRule` is known but not supported: ",
    ];
    for part in expected {
        assert!(
            lines.iter().any(|l| l.contains(part)),
            "{part}\n{}",
            run.out
        );
    }
    holds(&run.out, &["4 sections, 6 errors, 0 warnings, 1 note\n"]);
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
        "6:4: error: [b] the parent `a` has errors, the first in line 2: there is no key `casteling`",
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
        &refusal(&["rules", "export", "reentrant"]),
        &[
            "the format of definitions has no keys for its law",
            "`variants --texts`",
        ],
    );
    let mut texts = 0;
    for info in fairyproof::variants::all() {
        let (id, text) = (info.id, format!("{}-text", info.id));
        let section = run(&["rules", "export", id]).out;
        if !section.contains(&format!("[{text}:")) {
            continue;
        }
        texts += 1;
        assert!(section.lines().count() <= 30, "{section}");
        let (_folder, path) = file(section.replace(&text, "own"));
        // What the format leaves out, or carries over to another board, is a warning.
        let counted = run(&["perft", "own", "2", "--rules", &path]);
        assert_eq!(counted.out, answer(&["perft", id, "2"]), "{id}");
    }
    // All but Chromopolis, Reentrant and the two of the format's own keys.
    assert_eq!(texts, fairyproof::variants::all().len() - 4);
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
        &["its board and array are taken, none of its rules"],
    );
    holds(&run.out, &["r n n k b b r"]);
}

/// A text that has no meaning on a board without h8, one that asks it, and two with an option that clauses take only in
/// part.
const CORNER: &str = "\
[corner:fide-text]
legalIf = to != 'h8'

[asks:fide-text]
legalIf = size(under('corner').turns) > 0

[few:fide-text]
options = k: 0..9 = 1
state = x: 0..3
state.x = option.k
legalIf = kind == 'king'

[steps:fide-text]
options = k: 1..9 = 1
stepCount = option.k
";

#[test]
fn a_text_is_refused_on_a_board_where_a_clause_has_no_meaning() {
    const FEN: &str = "k3/4/K3/3R w - - 0 1";
    const WHY: &str = "on 4x4, `legalIf`: 'h8' is not a square of this 4x4 board";
    let (_folder, name) = folder();
    let write = |name_of: &str, text: &str| {
        let path = format!("{name}/{name_of}");
        std::fs::write(&path, text).expect("a file");
        path
    };
    let rules = write("rules.ini", CORNER);
    let claims = |variant: &str, over: &str| {
        format!(
            "[page]\ntitle = \"t\"\n[[claim]]\nid = \"t/a\"\nsays = \"s\"\nvariant = \"{variant}\"\n\
             over = {over}\nnever = \"check\"\n"
        )
    };
    let placed = "{ placements = \"K, Q, k\", board = \"4x4\" }";
    let of_placements = write("a.toml", &claims("corner", placed));
    let of_games = write(
        "b.toml",
        &claims("corner", &format!("{{ positions = [\"{FEN}\"] }}")),
    );
    let puzzle = write(
        "c.toml",
        &format!(
            "[[puzzle]]\nid = \"c\"\nvariant = \"corner\"\nfen = \"{FEN}\"\nstipulation = \"#1\"\n\
             keys = [\"d1d4\"]\nsolutions = 1\n"
        ),
    );
    let tables = format!("{name}/tables");
    for words in [
        &["turns", "corner", FEN][..],
        &["outcome", "corner", FEN],
        &["show", "corner", FEN],
        &["play", "corner", "--fen", FEN, "d1d2"],
        &["perft", "corner", "1", FEN],
        &["can-win", "corner", "white", "--fen", FEN],
        &["eval", "corner", "size(turns)", "--fen", FEN],
        &["eval", "fide", "size(under('corner').turns)", "--fen", FEN],
        &["compare", "corner", "fide", FEN],
        &["explore", "corner", FEN, "--solve"],
        &["solve", "corner", "--fen", FEN, "#1"],
        &["prove", "corner", FEN],
        &[
            "table", "build", "corner", "KRvK", "--board", "4x4", "--tables", &tables,
        ],
        &["table", "stats", "corner", "KRvK", "--board", "4x4"],
        &["turns", "asks", FEN],
        &["table", "stats", "asks", "KRvK", "--board", "4x4"],
        &["puzzles", &puzzle],
        &["verify", &of_placements],
        &["verify", &of_games],
    ] {
        let said = refusal(&[&["--rules", &rules], words].concat());
        assert!(said.contains(WHY), "{words:?}: {said}");
    }
    assert!(!std::path::Path::new(&tables).exists());
    for words in [
        &["turns", "corner", "-"][..],
        &["outcome", "corner", "-"],
        &["show", "corner", "-"],
        &["perft", "corner", "1", "-"],
        &["table", "probe", "corner", "-"],
        &["solve", "corner", "--fen", "-", "#1"],
    ] {
        let lines = format!("{FEN}\n{FEN}\n");
        let said = run_with(&[&["--rules", &rules], words].concat(), lines.as_bytes());
        assert!(
            said.code == 2 && said.err.contains(WHY),
            "{words:?}: {said:?}"
        );
        assert!(!said.out.contains("d1d2"), "{words:?}: {said:?}");
    }
    let server = Server::run(piped(&["--rules", &rules]), "256M");
    let fen = FEN.replace(' ', "%20").replace('/', "%2F");
    for path in ["position?", "eval?expression=size(turns)&"] {
        let (status, answer) = server.get(&format!("/api/{path}variant=corner&fen={fen}"));
        assert_eq!(status, 400, "{answer}");
        assert!(
            answer
                .to_string()
                .contains("is not a square of this 4x4 board"),
            "{answer}"
        );
    }
}

#[test]
fn options_that_a_clause_cannot_take_are_errors() {
    let (_folder, rules) = file(CORNER);
    let fen = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
    for (id, why) in [
        (
            "few:k=4",
            "variant `few:k=4`: with `k=4`, `state.x`: the field holds numbers from 0 to 3, not 4",
        ),
        (
            "steps:k=3",
            "variant `steps:k=3`: with `k=3`, `stepCount`: a turn has 1 or 2 steps, not 3",
        ),
    ] {
        for words in [
            &["turns", id, fen][..],
            &["prove", id, fen],
            &["explore", id, fen],
            &["rules", id],
            &["eval", "fide", &format!("size(under('{id}').turns)")],
        ] {
            let said = refusal(&[&["--rules", &rules], words].concat());
            assert!(said.contains(why), "{words:?}: {said}");
        }
    }
    let turns = |id: &str| answer(&["--rules", &rules, "turns", id, fen]);
    assert_eq!(turns("few:k=3"), "a1a2\na1b1\na1b2\n");
    assert_eq!(turns("few:k=0"), turns("few"));
    assert!(turns("steps:k=2").contains("d1d8+"));
    // The extreme values are tried, though none of them is the default.
    let said = run(&["rules", "check", &rules]);
    assert_eq!(said.code, 2, "{said:?}");
    holds(
        &said.out,
        &[
            "error: [few] with `k=9`, `state.x`: the field holds numbers from 0 to 3, not 9",
            "error: [steps] with `k=9`, `stepCount`: a turn has 1 or 2 steps, not 9",
        ],
    );
}

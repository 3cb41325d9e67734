//! `fairyproof prove` as a user types it.

use crate::run::{answer, holds, refusal, run};

const MATE: &str = "7k/8/5K2/8/8/8/8/6R1 w - - 0 1";

/// Returns a folder and the path of a certificate of [`MATE`] in it.
fn proven() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mate.fpp").display().to_string();
    let text = answer(&["prove", "fide", "--fen", MATE, "--out", &file, "--shortest"]);
    holds(
        &text,
        &[
            "proven: win for white",
            "in 3 plies",
            "no proof is shorter",
            "checked; written",
        ],
    );
    (folder, file)
}

#[test]
fn a_proof_is_written_checked_and_played_from() {
    let (_folder, file) = proven();
    holds(
        &answer(&["prove", "check", &file]),
        &["the certificate holds", "forced in 3 plies"],
    );
    let first = answer(&["prove", "line", &file]);
    holds(&first, &["2 plies to the end", "h8h7: ", ", then 0 plies"]);
    let theirs = first.lines().last().and_then(|line| line.split(':').next());
    let second = answer(&["prove", "line", &file, theirs.expect("a turn")]);
    holds(&second, &["white-wins checkmate"]);
    holds(
        &answer(&["prove", "tree", &file]),
        &["1.", "1...", "white-wins checkmate"],
    );
    holds(
        &answer(&["prove", "tree", &file, "--dot"]),
        &["digraph", "->"],
    );
    holds(
        &refusal(&["prove", "line", &file, "h8a1"]),
        &["turn 1 (`h8a1`)"],
    );
}

#[test]
fn a_check_ends_with_its_time() {
    let society = format!(
        "{}/reports/proofs/society-g2g4.fpp",
        env!("CARGO_MANIFEST_DIR")
    );
    for arguments in [
        &["prove", "check", &society][..],
        &["prove", "line", &society],
        &["prove", "tree", &society],
    ] {
        let run = run(&[arguments, &["--time", "0.001"]].concat());
        assert_eq!(
            (run.code, run.out.as_str()),
            (3, ""),
            "{arguments:?}: {}",
            run.err
        );
        holds(
            &run.err,
            &["the time is over; the certificate is not checked"],
        );
    }
    let run = run(&["prove", "check", &society, "--time", "600"]);
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn a_proof_and_a_refutation_have_a_file_each() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("x.fpp").display().to_string();
    let same = folder.path().join(".").join("x.fpp").display().to_string();
    let message = refusal(&[
        "prove",
        "fide",
        "--fen",
        MATE,
        "--out",
        &file,
        "--refutation",
        &same,
    ]);
    holds(&message, &["--refutation", "already the file of --out"]);
    assert_eq!(folder.path().read_dir().expect("a folder").count(), 0);
}

#[test]
fn an_edited_certificate_is_refused() {
    let (folder, file) = proven();
    let bytes = std::fs::read(&file).expect("a file");
    let other = folder.path().join("edited.fpp").display().to_string();
    for at in (0..bytes.len()).step_by(7) {
        let mut edited = bytes.clone();
        edited[at] ^= 0x11;
        std::fs::write(&other, &edited).expect("a file");
        for how in ["check", "line", "tree"] {
            holds(&refusal(&["prove", how, &other]), &["certificate"]);
        }
    }
    std::fs::write(&other, b"").expect("a file");
    holds(
        &refusal(&["prove", "check", &other]),
        &["it is not a certificate"],
    );
    holds(
        &refusal(&["prove", "check", "no-such-file"]),
        &["no-such-file"],
    );
}

#[test]
fn exit_codes_say_what_was_shown() {
    let within = |plies| run(&["prove", "fide", "--fen", MATE, "--within", plies]);
    let none = within("2");
    assert_eq!(none.code, 1, "{none:?}");
    holds(&none.out, &["none-within", "within 2 plies"]);
    assert_eq!(within("3").code, 0);

    let lost = run(&["prove", "fide", "--fen", MATE, "--for", "black"]);
    assert_eq!(lost.code, 1, "{lost:?}");
    holds(&lost.out, &["disproven", "avoided forever"]);

    // Without `--within`, a search that ends has not shown that there is no proof.
    let question = [
        "prove",
        "fide",
        "--fen",
        "k4K w - - 0 1",
        "--goal",
        "promotes",
    ];
    let unbounded = run(&question);
    assert_eq!(unbounded.code, 3, "{unbounded:?}");
    holds(&unbounded.out, &["open: ", "no proof within "]);
    holds(&unbounded.err, &["`--within PLIES`"]);
    let within = run(&[&question[..], &["--within", "201"]].concat());
    assert_eq!(within.code, 1, "{within:?}");
    holds(&within.out, &["none-within: ", "no proof within 201 plies"]);

    let open = run(&["prove", "fide", "--positions", "100000", "--threads", "1"]);
    assert_eq!(open.code, 3, "{open:?}");
    holds(
        &open.out,
        &[
            "open: win for white",
            "no proof within 5 plies",
            "best line: ",
        ],
    );
    holds(&open.err, &["the limit on positions was reached"]);
}

#[test]
fn a_search_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().display().to_string();
    let ending = "8/8/8/3k4/8/8/8/KR6 w - - 0 1";
    let search = |positions| {
        let question = [
            "prove",
            "fide",
            "--fen",
            ending,
            "--state",
            &state,
            "--threads",
            "1",
        ];
        run(&[&question[..], &["--positions", positions]].concat())
    };
    assert_eq!(search("30000").code, 3);
    let last = search("100000000");
    assert_eq!(last.code, 0, "{last:?}");
    // What is known is not searched again.
    let again = search("1000");
    assert_eq!(again.code, 0, "{again:?}");
    let other = refusal(&["prove", "fide", "--state", &state]);
    holds(&other, &["about another rule set, position"]);
}

/// Anyone can write a file with a right checksum, and nothing shows that a proof does not exist.
#[test]
fn a_forged_search_is_not_believed() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().display().to_string();
    let file = folder.path().join("search.fps");
    let search = |options: &[&str]| {
        let question = [
            "prove",
            "fide",
            "--fen",
            "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1",
            "--state",
            &state,
            "--threads",
            "1",
        ];
        run(&[&question[..], options].concat())
    };
    let begun = search(&["--positions", "1"]);
    assert_eq!(begun.code, 3, "{begun:?}");
    assert!(!begun.out.contains("saved search"), "{begun:?}");
    let genuine = std::fs::read(&file).expect("the search");
    let forge = |from: &str, to: &str| {
        let length = u32::from_le_bytes(genuine[8..12].try_into().expect("four bytes")) as usize;
        let header = std::str::from_utf8(&genuine[12..12 + length]).expect("JSON");
        let at = header.find(from).expect("the field") + from.len();
        let end = at + header[at..].find([',', '}']).expect("its end");
        let header = format!("{}{to}{}", &header[..at], &header[end..]);
        let mut bytes = genuine[..8].to_vec();
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(&genuine[12 + length..genuine.len() - 4]);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        std::fs::write(&file, bytes).expect("a file");
    };
    std::fs::write(&file, [&genuine[..], b"x"].concat()).expect("a file");
    let longer = search(&[]);
    assert_eq!((longer.code, &*longer.out), (2, ""), "{longer:?}");
    holds(
        &longer.err,
        &["saved search", "extra bytes after the checksum"],
    );
    forge("\"none_within\":", "900");
    let none = search(&["--within", "2"]);
    assert_eq!(none.code, 1, "{none:?}");
    holds(
        &none.out,
        &["none-within: ", "according to the saved search"],
    );
    forge("\"none_within\":", "900");
    let proven = search(&[]);
    assert_eq!(proven.code, 0, "{proven:?}");
    holds(
        &proven.out,
        &["no proof is shorter, according to the saved search"],
    );
    for (field, value) in [
        ("\"none_within\":", "5000"),
        ("\"share\":", "0"),
        ("\"tried\":", "18446744073709551615"),
        ("\"positions\":", "18446744073709551615"),
        ("\"spent\":[", "18446744073709551614"),
    ] {
        forge(field, value);
        let refused = search(&["--positions", "1000"]);
        assert_eq!(refused.code, 2, "{field}: {refused:?}");
        holds(&refused.err, &["contradict each other"]);
    }
}

#[test]
fn a_search_under_other_rules_of_the_same_name_is_not_taken() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().display().to_string();
    let file = folder.path().join("rules.ini").display().to_string();
    let search = |stalemate| {
        let text = format!("[mine:chess]\nstalemateValue = {stalemate}\n");
        std::fs::write(&file, text).expect("a file");
        let question = ["prove", "mine", "--rules", &file, "--state", &state];
        run(&[&question[..], &["--positions", "2000", "--threads", "1"]].concat())
    };
    assert_eq!(search("draw").code, 3);
    assert_eq!(search("draw").code, 3);
    let other = search("loss");
    assert_eq!(other.code, 2, "{other:?}");
    holds(&other.err, &["about another rule set"]);
}

#[test]
fn wrong_questions_are_told() {
    holds(&refusal(&["prove"]), &["<ID|GOAL|FEN>"]);
    holds(
        &refusal(&["prove", "fide", "marriage"]),
        &["`fide` has no such aim", "checkmate"],
    );
    holds(
        &refusal(&["prove", "fide", "checkmat"]),
        &["did you mean `checkmate`"],
    );
    holds(
        &refusal(&["prove", "fide", "mate"]),
        &["did you mean `checkmate`"],
    );
    holds(
        &refusal(&["prove", "fide", "#3"]),
        &["solved by `solve fide '#3'`"],
    );
    holds(
        &refusal(&["prove", "fide", "win", "more"]),
        &["at most one GOAL"],
    );
    holds(&refusal(&["prove", "fide", "--for", "green"]), &["green"]);
    let over = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    holds(
        &refusal(&["prove", "fide", "--fen", over]),
        &["the game is over"],
    );
}

/// A goal that is an expression: a turn of the attacker, not an end of the game.
#[test]
fn an_expression_is_a_goal_that_a_certificate_states() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("goal.fpp").display().to_string();
    let mate = "7k/5K2/6P1/8/4B3/8/8/8 w - - 0 1";
    let goal = "mates && kind == 'pawn'";
    let text = answer(&[
        "prove", "fide", "--fen", mate, "--goal", goal, "--out", &file, "--within", "9",
    ]);
    holds(
        &text,
        &[
            "proven: mates && kind == 'pawn' for white",
            "no proof is shorter",
            "checked; written",
        ],
    );
    let checked = answer(&["prove", "check", &file]);
    holds(
        &checked,
        &["the certificate holds: fide mates && kind", "forced in"],
    );
    // The game continues where the goal is a check.
    let fen = "7k/5Q2/8/6P1/8/8/8/K7 w - - 0 1";
    let check = folder.path().join("check.fpp").display().to_string();
    let goal = "checks && kind == 'pawn'";
    let text = answer(&[
        "prove",
        "fide",
        "--fen",
        fen,
        "--goal",
        goal,
        "--out",
        &check,
        "--shortest",
    ]);
    holds(&text, &["proven: checks", "no proof is shorter"]);
    holds(
        &answer(&["prove", "check", &check]),
        &["the certificate holds"],
    );
    holds(
        &answer(&["prove", "tree", &check, "--depth", "9"]),
        &[" goal\n"],
    );
    // No plan of White's leads to a check by a knight.
    let none = run(&[
        "prove",
        "fide",
        "--fen",
        fen,
        "--goal",
        "checks && kind == 'knight'",
        "--within",
        "3",
    ]);
    assert_eq!(none.code, 1, "{none:?}");
    for wrong in [
        ["--goal", "mates &&"],
        ["--goal", "1"],
        ["--goal", "fen == ''"],
    ] {
        let args = [&["prove", "fide", "--fen", fen][..], &wrong[..]].concat();
        holds(&refusal(&args), &["--goal"]);
    }
    let both = [
        "prove",
        "fide",
        "checkmate",
        "--fen",
        fen,
        "--goal",
        "mates",
    ];
    holds(&refusal(&both), &["is a goal of its own"]);
}

#[test]
fn a_proof_and_a_refutation_certify_the_shortest_length() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (proof, none) = (path("mate.fpp"), path("none.fpp"));
    let fen = "7B/2p5/5p2/2P1kP2/4B3/4K3/8/8 w - - 0 1";
    let seven = "8/8/5k2/8/8/8/8/KQR5 w - - 0 1";
    let text = answer(&[
        "prove",
        "fide",
        "--fen",
        seven,
        "--shortest",
        "--out",
        &proof,
        "--refutation",
        &none,
    ]);
    holds(
        &text,
        &[
            "no proof is shorter",
            "refutation: no proof within",
            "checked; written",
        ],
    );
    let both = answer(&["prove", "check", &proof, &none]);
    holds(
        &both,
        &["forced in", "not forced within", "no proof is shorter than"],
    );
    // Neither of them shows it alone, nor does a refutation of less.
    for file in [&proof, &none] {
        assert!(!answer(&["prove", "check", file]).contains("no proof is shorter"));
    }
    let less = path("less.fpp");
    let limits = ["--within", "3", "--refutation", &less];
    let args = [&["prove", "fide", "--fen", seven][..], &limits[..]].concat();
    assert_eq!(run(&args).code, 1);
    assert!(!answer(&["prove", "check", &proof, &less]).contains("no proof is shorter"));
    for how in ["line", "tree"] {
        holds(&refusal(&["prove", how, &none]), &["it refutes a win"]);
    }
    let with = ["prove", "fide", "--fen", seven, "--with", &none];
    holds(&refusal(&with), &["helps no proof"]);
    // Of another position.
    let other = path("other.fpp");
    let limits = ["--within", "7", "--refutation", &other];
    let args = [&["prove", "fide", "--fen", fen][..], &limits[..]].concat();
    assert_eq!(run(&args).code, 1);
    assert!(!answer(&["prove", "check", &proof, &other]).contains("no proof is shorter"));
}

#[test]
fn certificate_of_an_unknown_variant_names_the_option_that_defines_it() {
    let (folder, own) = crate::run::file("[lancer:chess]\n");
    let certificate = folder.path().join("mate.fpp").display().to_string();
    let goal = ["prove", "lancer", "--rules", &own, "--fen", MATE];
    answer(&[&goal[..], &["--out", &certificate]].concat());
    for how in ["check", "line", "tree"] {
        let message = refusal(&["prove", how, &certificate]);
        holds(
            &message,
            &["certificate", "`lancer`", "not known", "--rules FILE"],
        );
    }
    let checked = answer(&["prove", "--rules", &own, "check", &certificate]);
    holds(&checked, &["the certificate holds: lancer"]);
}

#[test]
fn certificates_of_rule_texts_are_checked() {
    let text = "[calm]\ncondition = true\nlegalIf = kind != 'rook' || !checks || mates\n";
    let (folder, own) = crate::run::file(text);
    let certificate = folder.path().join("mate.fpp").display().to_string();
    for id in ["fide+circe", "fide+calm", "ultimate-text"] {
        let goal = ["prove", id, "--rules", &own, "--fen", MATE];
        let proof = run(&[&goal[..], &["--out", &certificate]].concat());
        assert_eq!(proof.code, 0, "{proof:?}");
        let checked = answer(&["prove", "--rules", &own, "check", &certificate]);
        holds(&checked, &[&format!("the certificate holds: {id}")]);
    }
}

#[test]
fn certificate_with_one_position_is_counted_in_the_singular() {
    let text = answer(&["prove", "fide", "--fen", "7k/8/6K1/8/8/8/8/1R6 w - - 0 1"]);
    holds(&text, &["certificate: 1 position, checked"]);
}

//! The command line as users meet it: what each command answers, and what each mistake is told.

#[cfg(unix)]
mod signals;

use assert_cmd::Command;
use fairyproof::sets;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

const EMPTY_BOARD: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
const FOOLS_MATE: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];

/// What a run gave: exit code, standard output, standard error.
#[derive(Debug)]
struct Run {
    code: i32,
    out: String,
    err: String,
}

fn run_with(arguments: &[&str], input: &[u8]) -> Run {
    let output = Command::cargo_bin("fairyproof")
        .expect("the program")
        .args(arguments)
        .write_stdin(input)
        .output()
        .expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let run = Run {
        code: output.status.code().expect("no signal"),
        out: text(output.stdout),
        err: text(output.stderr),
    };
    assert!(!run.err.contains("panicked"), "{run:?}");
    run
}

fn run(arguments: &[&str]) -> Run {
    run_with(arguments, b"")
}

/// The answer of a run that finds nothing and says nothing.
fn answer(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?}");
    run.out
}

/// The message of a run that is wrong usage or input and answers nothing.
fn refusal(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
    assert!(run.err.starts_with("error: "), "{run:?}");
    run.err
}

#[track_caller]
fn holds(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
}

/// A file in a folder of its own, which lives as long as the first value.
fn file(text: impl AsRef<[u8]>) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("suite.csv");
    std::fs::write(&path, text).expect("a file");
    let name = path.to_str().expect("UTF-8").to_string();
    (folder, name)
}

/// The program, all three streams piped.
fn piped(arguments: &[&str]) -> std::process::Command {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fairyproof"));
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The same, running.
fn started(arguments: &[&str]) -> Child {
    piped(arguments).spawn().expect("it starts")
}

// Help, version, wrong usage.

const COMMANDS: [&str; 11] = [
    "variants",
    "rules",
    "start",
    "show",
    "turns",
    "outcome",
    "play",
    "perft",
    "compare",
    "completions",
    "man",
];

#[test]
fn help_names_every_command() {
    holds(&answer(&["--help"]), &COMMANDS);
}

#[test]
fn help_of_every_command_has_an_example() {
    for command in COMMANDS {
        let help = answer(&[command, "--help"]);
        holds(&help, &["Example", &format!("fairyproof {command}")]);
    }
}

#[test]
fn examples_of_help_run() {
    for command in COMMANDS {
        let help = answer(&[command, "--help"]);
        let example = help
            .lines()
            .skip_while(|line| !line.starts_with("Example"))
            .find_map(|line| line.strip_prefix("  fairyproof "))
            .expect("an example");
        // Quotes as a shell reads them, redirections cut off.
        let example = example.split(" > ").next().expect("a first part");
        let words: Vec<&str> = example
            .split('\'')
            .enumerate()
            .flat_map(|(i, part)| match i % 2 {
                0 => part.split_whitespace().collect::<Vec<_>>(),
                _ => vec![part],
            })
            .collect();
        let run = run(&words);
        assert!(run.code <= 1, "{words:?}: {run:?}");
        assert!(!run.out.is_empty(), "{words:?}");
    }
}

#[test]
fn version_is_printed() {
    let version = format!("fairyproof {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(answer(&["--version"]), version);
}

#[test]
fn no_command_shows_usage() {
    let run = run(&[]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    holds(&run.err, &["Usage: fairyproof"]);
}

#[test]
fn unknown_command_is_told_with_a_near_one() {
    holds(&refusal(&["turn", "fide"]), &["'turn'", "'turns'"]);
}

#[test]
fn unknown_option_is_told() {
    holds(&refusal(&["turns", "fide", "--quick"]), &["'--quick'"]);
}

#[test]
fn missing_argument_is_told() {
    holds(&refusal(&["turns"]), &["<ID>"]);
    holds(&refusal(&["perft", "fide"]), &["<DEPTH>"]);
    holds(&refusal(&["compare", "fide"]), &["<ID2>"]);
}

#[test]
fn argument_too_many_is_told() {
    let words = EMPTY_BOARD.split(' ').collect::<Vec<_>>();
    let unquoted = [&["turns", "fide"], words.as_slice()].concat();
    holds(&refusal(&unquoted), &["unexpected argument 'w'"]);
}

// Variants and their rules.

#[test]
fn variants_has_a_line_for_each() {
    let out = answer(&["variants"]);
    assert_eq!(out.lines().count(), sets::all().len());
    for (line, card) in out.lines().zip(sets::all()) {
        assert!(line.starts_with(card.id), "{line}");
        holds(
            line,
            &[card.name, card.inventor, card.page, card.difference],
        );
    }
    holds(&out, &["7x6"]);
}

#[test]
fn variants_as_csv_has_a_header_and_quotes_commas() {
    let out = answer(&["variants", "--format", "csv"]);
    let mut reader = csv::Reader::from_reader(out.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let columns: Vec<&str> = header.iter().collect();
    assert_eq!(
        columns,
        ["id", "name", "inventor", "page", "board", "difference"]
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(|r| r.expect("a row")).collect();
    for (row, card) in rows.iter().zip(sets::all()) {
        assert_eq!((&row[0], &row[3]), (card.id, card.page));
    }
    assert_eq!(rows.len(), sets::all().len());
}

#[test]
fn variants_as_json_is_an_array_of_objects() {
    let out = answer(&["variants", "--format", "json"]);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&out).expect("JSON");
    assert_eq!(rows.len(), sets::all().len());
    assert_eq!(rows[0]["id"], "fide");
    assert_eq!(rows[1]["board"], "7x6");
}

#[test]
fn unknown_format_is_told_with_the_known_ones() {
    let err = refusal(&["variants", "--format", "xml"]);
    holds(&err, &["'xml'", "text, csv, json"]);
}

#[test]
fn rules_shows_the_page_and_what_follows_from_the_card() {
    let out = answer(&["rules", "bachelor"]);
    holds(
        &out,
        &[
            "# Bachelor Chess",
            "## Against FIDE",
            "## Rulings",
            "## Options\nNone.",
            "## State",
            "* `marriage`: ",
            "`rnnkbbr/ppppppp/7/7/PPPPPPP/RNNKBBR w AGag - 0 1`",
            "6  r n n k b b r\n",
            "There are 11 legal turns at the start. After `a2a3`:",
        ],
    );
}

#[test]
fn every_variant_has_its_pages_and_a_start_that_reads() {
    for card in sets::all() {
        let page = answer(&["rules", card.id]);
        holds(&page, &["# ", "## Outcomes", "## Start", "## Example"]);
        for (reason, _) in card.reasons {
            holds(&page, &[&format!("* `{reason}`: ")]);
        }
        for (key, _) in card.state {
            holds(&page, &[&format!("* `{key}=`: ")]);
        }
        for option in card.options {
            holds(&page, &[&format!("* `{}:{}", card.id, option.name)]);
        }
        let start = answer(&["start", card.id]);
        assert_eq!(
            answer(&["play", card.id, "--fen", start.trim()])
                .lines()
                .next(),
            Some(start.trim())
        );
        assert_eq!(answer(&["perft", card.id, "0"]), "1\n");
    }
}

#[test]
fn unknown_variant_is_told_with_a_near_one() {
    for command in ["rules", "start", "show", "turns", "outcome", "play"] {
        let err = refusal(&[command, "bachelr"]);
        holds(
            &err,
            &[
                "error: variant `bachelr`: ",
                "\nhelp: did you mean `bachelor`?",
            ],
        );
    }
    holds(&refusal(&["perft", "bachelr", "1"]), &["`bachelor`"]);
    holds(&refusal(&["compare", "fide", "bachelr"]), &["`bachelor`"]);
    holds(
        &refusal(&["turns", "Fide"]),
        &["`Fide`", "did you mean `fide`?"],
    );
    holds(&refusal(&["turns", ""]), &["fairyproof variants"]);
}

#[test]
fn unknown_option_of_a_variant_is_told() {
    holds(
        &refusal(&["turns", "fide:fast"]),
        &[
            "variant `fide:fast`",
            "no option `fast`",
            "takes no options",
        ],
    );
}

#[test]
fn wrong_options_of_a_variant_with_options_are_told() {
    for (id, words) in [
        (
            "french-revolution:tenrows",
            ["no option `tenrows`", "did you mean `ten-rows`?"],
        ),
        (
            "french-revolution:ten-rows,ten-rows",
            ["`ten-rows` stands twice", ""],
        ),
        (
            "french-revolution:ten-rows=1",
            ["`ten-rows` takes no value", ""],
        ),
        ("french-revolution:", ["no option ``", "its options: "]),
    ] {
        holds(&refusal(&["start", id]), &words);
    }
}

#[test]
fn options_of_a_variant_have_their_effect() {
    holds(
        &answer(&["start", "french-revolution:ten-rows"]),
        &["rnbqkbnr/8/8/8/PPPPPPPP/"],
    );
    holds(
        &answer(&["turns", "french-revolution:avalanche"]),
        &["a4a3\n"],
    );
    holds(
        &answer(&["rules", "french-revolution:ten-rows"]),
        &["* `french-revolution:weak-loss`: ", "10  r n b q k b n r\n"],
    );
}

#[test]
fn control_characters_of_input_do_not_reach_the_terminal() {
    let err = refusal(&["turns", "fi\x1b[31m\nde"]);
    assert!(!err.contains('\x1b'));
    holds(&err, &["\\u{1b}", "\\n"]);
    assert_eq!(err.lines().count(), 2);
}

// Start, show, turns, outcome.

#[test]
fn start_is_the_start_fen() {
    assert_eq!(
        answer(&["start", "fide"]),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
    );
}

#[test]
fn show_draws_board_coordinates_side_and_rights() {
    assert_eq!(
        answer(&["show", "fide", "4k3/8/8/8/3pP3/8/8/R3K2R b KQ e3 0 1"]),
        "8  . . . . k . . .\n7  . . . . . . . .\n6  . . . . . . . .\n5  . . . . . . . .\n\
         4  . . . p P . . .\n3  . . . . . . . .\n2  . . . . . . . .\n1  R . . . K . . R\n   \
         a b c d e f g h\nBlack to move\ncastling: KQ\nen passant: e3\n"
    );
}

#[test]
fn show_leaves_holes_blank() {
    let out = answer(&["show", "convergent"]);
    assert_eq!(out.lines().next(), Some("8        q k"));
    holds(&out, &["White to move"]);
}

#[test]
fn show_aligns_ranks_of_two_digits() {
    let out = answer(&["show", "fide", "k3/4/4/4/4/4/4/4/4/K3 w - - 0 1"]);
    holds(
        &out,
        &["10  k . . .\n", "\n 9  . . . .\n", "\n    a b c d\n"],
    );
}

#[test]
fn turns_come_one_a_line_in_byte_order() {
    let out = answer(&["turns", "fide", "4k3/P7/8/8/8/8/8/R3K3 w Q - 0 1"]);
    let turns: Vec<&str> = out.lines().collect();
    assert!(turns.is_sorted());
    assert_eq!(turns.len(), 18);
    holds(&out, &["a7a8q\n", "e1c1\n"]);
}

#[test]
fn turns_of_the_start_without_a_fen() {
    assert_eq!(answer(&["turns", "fide"]).lines().count(), 20);
}

#[test]
fn turns_of_a_terminal_position_are_nothing() {
    assert_eq!(
        answer(&["turns", "fide", "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"]),
        ""
    );
}

#[test]
fn outcome_names_winner_and_reason() {
    let mate = "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1";
    let stalemate = "k7/8/1Q6/8/8/8/8/1K6 b - - 0 1";
    assert_eq!(answer(&["outcome", "fide"]), "ongoing\n");
    assert_eq!(answer(&["outcome", "fide", mate]), "white-wins checkmate\n");
    assert_eq!(answer(&["outcome", "fide", stalemate]), "draw stalemate\n");
    assert_eq!(
        answer(&["outcome", "bachelor", "3k3/7/7/7/7/3KQ2 b - - 0 1"]),
        "white-wins marriage\n"
    );
}

// FENs from standard input.

#[test]
fn lines_of_standard_input_are_answered_in_order() {
    let input = format!("{EMPTY_BOARD}\r\nk7/1Q6/1K6/8/8/8/8/8 b - - 0 1");
    let run = run_with(&["outcome", "fide", "-"], input.as_bytes());
    assert_eq!(run.out, "ongoing\nwhite-wins checkmate\n");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
}

#[test]
fn several_lists_of_turns_are_set_apart_by_an_empty_line() {
    let mate = "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1";
    let few = "7k/8/8/8/8/8/r7/K7 w - - 0 1";
    let input = format!("{few}\n{mate}\n{few}\n");
    let run = run_with(&["turns", "fide", "-"], input.as_bytes());
    assert_eq!(run.out, "a1a2\na1b1\n\n\na1a2\na1b1\n");
    let boards = run_with(&["show", "fide", "-"], format!("{few}\n{few}\n").as_bytes());
    assert_eq!(boards.out.matches("White to move\n").count(), 2);
    holds(&boards.out, &["White to move\n\n8 "]);
}

#[test]
fn bad_lines_are_told_with_their_number_and_the_others_answered() {
    let input = format!("{EMPTY_BOARD}\nnonsense\n\n{EMPTY_BOARD}\n\u{ff}");
    let mut bytes = input.into_bytes();
    bytes.extend(b"\xff\n");
    bytes.extend(EMPTY_BOARD.as_bytes());
    let run = run_with(&["outcome", "fide", "-"], &bytes);
    assert_eq!(run.code, 2);
    assert_eq!(run.out, "ongoing\n".repeat(3));
    holds(
        &run.err,
        &[
            "error: line 2: FEN: 1 field, it takes",
            "error: line 3: FEN, ",
            "error: line 5: FEN: it is no text in UTF-8",
        ],
    );
    assert!(!run.err.contains("line 1:") && !run.err.contains("line 4:"));
}

#[test]
fn no_line_at_all_is_no_answer() {
    assert_eq!(answer(&["turns", "fide", "-"]), "");
}

#[test]
fn a_line_without_end_is_refused() {
    let input = vec![b'8'; 3 << 20];
    let run = run_with(&["turns", "fide", "-"], &input);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    holds(&run.err, &["error: standard input, line 1: more than"]);
}

#[test]
fn answers_come_line_by_line() {
    let mut child = started(&["outcome", "fide", "-"]);
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    for _ in 0..3 {
        writeln!(input, "{EMPTY_BOARD}").expect("it reads");
        assert_eq!(output.next().expect("a line").expect("text"), "ongoing");
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn play_and_perft_take_lines_too() {
    let input = format!("{EMPTY_BOARD}\nbad\n{EMPTY_BOARD}\n");
    let run = run_with(&["play", "fide", "--fen", "-", "e1e2"], input.as_bytes());
    assert_eq!(run.code, 2);
    assert_eq!(
        run.out,
        "4k3/8/8/8/8/8/4K3/8 b - - 1 1\nongoing\n".repeat(2)
    );
    let run = run_with(&["perft", "fide", "2", "--fen", "-"], input.as_bytes());
    assert_eq!((run.code, run.out.as_str()), (2, "25\n25\n"));
    let run = run_with(
        &["perft", "fide", "0", "--divide", "--fen", "-"],
        input.as_bytes(),
    );
    assert_eq!(run.out, "\nNodes searched: 1\n\n\nNodes searched: 1\n");
}

// What is wrong with a FEN, field by field.

/// The FEN is refused by `turns`, at this place, with these words.
#[track_caller]
fn fen_refused(variant: &str, fen: &str, words: &[&str]) {
    let err = refusal(&["turns", variant, fen]);
    assert!(err.starts_with("error: FEN"), "{fen}: {err}");
    holds(&err, words);
}

#[test]
fn wrong_letter_on_the_board_refused() {
    fen_refused(
        "fide",
        "4k3/8/8/3x4/8/8/8/4K3 w - - 0 1",
        &[
            "error: FEN, field 1 (board), column 10: `x` is no unit",
            "\nhelp: its units: PNBRQK",
        ],
    );
    fen_refused(
        "fide",
        "4k3/8/8/3é4/8/8/8/4K3 w - - 0 1",
        &["column 10", "`é`"],
    );
}

#[test]
fn short_rank_refused() {
    fen_refused(
        "fide",
        "4k3/8/7/8/8/8/8/4K3 w - - 0 1",
        &[
            "field 1 (board), column 7",
            "rank 6 has 7 squares, rank 8 has 8",
        ],
    );
    fen_refused(
        "fide",
        "4k3/8//8/8/8/8/4K3 w - - 0 1",
        &["column 7", "rank 6"],
    );
}

#[test]
fn too_many_squares_refused() {
    fen_refused(
        "fide",
        "k16/17/K16 w - - 0 1",
        &["field 1 (board), column 1", "17 squares"],
    );
    fen_refused(
        "fide",
        &format!("{}/16 w - - 0 1", ["16"; 8].join("/")),
        &["at most 128"],
    );
    fen_refused(
        "fide",
        &format!("{}/1 w - - 0 1", ["1"; 16].join("/")),
        &["17 ranks"],
    );
    fen_refused(
        "fide",
        "k99999999999999999999999999/K7 w - - 0 1",
        &["column 2", "no count of vacant squares"],
    );
}

#[test]
fn runs_of_zero_or_with_a_leading_zero_refused() {
    fen_refused(
        "fide",
        "4k3/0/8/8/8/8/8/4K3 w - - 0 1",
        &["column 5", "`0`"],
    );
    fen_refused(
        "fide",
        "4k3/08/8/8/8/8/8/4K3 w - - 0 1",
        &["column 5", "`08`"],
    );
    fen_refused(
        "fide",
        "4k4/09/9/9/9/9/9/4K4 w - - 0 1",
        &["column 5", "`09`", "leading zeros"],
    );
}

#[test]
fn missing_or_second_king_refused() {
    fen_refused(
        "fide",
        "8/8/8/8/8/8/8/4K3 w - - 0 1",
        &["Black has 0 units `k`", "exactly 1"],
    );
    fen_refused(
        "fide",
        "4k3/8/8/8/8/8/8/KK6 w - - 0 1",
        &["White has 2 units `K`"],
    );
}

#[test]
fn pawn_on_the_last_rank_refused() {
    fen_refused(
        "fide",
        "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        &["pawn of White", "a8"],
    );
}

#[test]
fn mover_left_in_check_refused() {
    fen_refused(
        "fide",
        "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
        &["e8", "attacked"],
    );
}

#[test]
fn wrong_side_to_move_refused() {
    fen_refused(
        "fide",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        &["field 2 (side to move)", "`x` is neither `w` nor `b`"],
    );
}

#[test]
fn wrong_castling_field_refused() {
    fen_refused(
        "fide",
        "4k3/8/8/8/8/8/8/4K3 w X - 0 1",
        &["field 3 (castling)", "`X`"],
    );
    fen_refused(
        "fide",
        "4k3/8/8/8/8/8/8/4K3 w KK - 0 1",
        &["field 3 (castling)", "twice"],
    );
    fen_refused(
        "bachelor",
        "3k3/7/7/7/7/3K3 w KQkq - 0 1",
        &["field 3 (castling)", "GAga"],
    );
}

#[test]
fn castling_right_without_its_rook_is_dropped() {
    let out = answer(&["play", "fide", "--fen", "4k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1"]);
    assert_eq!(out, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\nongoing\n");
}

#[test]
fn wrong_en_passant_field_refused() {
    for field in ["e9", "i3", "e", "e03", "33"] {
        let fen = format!("4k3/8/8/8/8/8/8/4K3 w - {field} 0 1");
        fen_refused(
            "fide",
            &fen,
            &["field 4 (en passant)", &format!("`{field}`")],
        );
    }
}

#[test]
fn en_passant_square_without_a_capture_is_dropped() {
    let out = answer(&["play", "fide", "--fen", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"]);
    assert_eq!(out.lines().next(), Some("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"));
}

#[test]
fn wrong_clock_and_number_refused() {
    for clock in ["x", "-1", "01", "1.5", "4294967296"] {
        let fen = format!("4k3/8/8/8/8/8/8/4K3 w - - {clock} 1");
        fen_refused(
            "fide",
            &fen,
            &["field 5 (halfmove clock)", &format!("`{clock}`")],
        );
    }
    for (number, why) in [
        ("0", "counts from 1"),
        ("x", "whole number"),
        ("01", "whole number"),
    ] {
        let fen = format!("4k3/8/8/8/8/8/8/4K3 w - - 0 {number}");
        fen_refused("fide", &fen, &["field 6 (fullmove number)", why]);
    }
}

#[test]
fn wrong_state_refused() {
    fen_refused(
        "fide",
        &format!("{EMPTY_BOARD} checks=1,0"),
        &["field 7 (state)", "`checks`"],
    );
    fen_refused(
        "fide",
        &format!("{EMPTY_BOARD} nonsense"),
        &["field 7 (state)", "key=value"],
    );
}

#[test]
fn wrong_state_of_a_variant_with_state_refused() {
    let french = |state: &str, words: &[&str]| {
        fen_refused(
            "french-revolution",
            &format!("{EMPTY_BOARD} {state}"),
            words,
        );
    };
    french("first=2", &["field 7 (state)", "`first=2`"]);
    french("frist=1", &["no key `frist`", "did you mean `first`?"]);
    french("first=1;first=1", &["key `first` stands twice"]);
    let chromopolis = |state: &str| {
        let fen = format!("k6/7/7/7/7/6K w - - 0 1 {state}");
        fen_refused("chromopolis", &fen, &["field 7 (state)"]);
    };
    for state in [
        "bound=",
        "bound=h9N",
        "bound=c3",
        "bound=c3X",
        "bound=c3nN",
        "bound=d4P,c3N",
    ] {
        chromopolis(state);
    }
}

#[test]
fn state_and_bound_units_are_shown() {
    let fen = "k6/7/7/7/7/6K w - - 0 1 bound=c3Nn,d3P";
    let out = answer(&["show", "chromopolis", fen]);
    holds(
        &out,
        &[
            "3  . . + + . . .\n",
            "bound: c3:Nn d3:P\n",
            "state: bound=c3Nn,d3P\n",
        ],
    );
    assert_eq!(
        answer(&["play", "chromopolis", "--fen", fen])
            .lines()
            .next(),
        Some(fen)
    );
}

#[test]
fn wrong_number_of_fields_refused() {
    fen_refused(
        "fide",
        "4k3/8/8/8/8/8/8/4K3 w -",
        &["3 fields, it takes 4, 6 or 7"],
    );
    fen_refused("fide", "4k3/8/8/8/8/8/8/4K3 w - - 0", &["5 fields"]);
    fen_refused("fide", &format!("{EMPTY_BOARD} a=1 b=2"), &["8 fields"]);
    fen_refused("fide", "", &["nothing in it"]);
}

#[test]
fn clocks_may_be_left_out_together() {
    let out = answer(&["play", "fide", "--fen", "4k3/8/8/8/8/8/8/4K3 w - -"]);
    assert_eq!(out, format!("{EMPTY_BOARD}\nongoing\n"));
}

// Play.

#[test]
fn play_prints_position_and_outcome() {
    let arguments = [&["play", "fide"], FOOLS_MATE.as_slice()].concat();
    let after = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\n";
    assert_eq!(answer(&arguments), format!("{after}black-wins checkmate\n"));
    let one = FOOLS_MATE.join(" ");
    assert_eq!(answer(&["play", "fide", &one]), answer(&arguments));
}

#[test]
fn impossible_turn_refused_with_its_number() {
    holds(
        &refusal(&["play", "fide", "e2e4", "e7e4"]),
        &[
            "error: turn 2 (`e7e4`): the unit on e7 cannot go to e4",
            "\nhelp: ",
        ],
    );
    for turn in ["nonsense", "e2", "e2e9", "", "e2e4q"] {
        let run = run(&["play", "fide", "e2e4", turn]);
        assert_eq!(run.code, if turn.is_empty() { 0 } else { 2 }, "{turn}");
    }
}

#[test]
fn what_is_no_turn_refused_with_what_is_wrong_with_it() {
    let pawn = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    let exile = "3qk3/p7/8/8/8/8/Pp6/3QK3 w - - 0 1";
    let hand = "rnq2knr/pppppppp/8/8/8/8/PPPPPPPP/RNQ2KNR w - - 0 1 hand=N/-/-/-";
    let full = "rnq2knr/pppppppp/8/8/3pP3/8/PPPP1PPP/RNQ2KNR w - - 0 1 hand=N/-/-/-";
    for (variant, fen, turn, why) in [
        ("fide", pawn, "b2b3", "b2 is vacant"),
        ("fide", pawn, "h7h6", "the unit on h7 is not the mover's"),
        (
            "fide",
            pawn,
            "a7a8",
            "has to become another there, as in `a7a8b`",
        ),
        ("fide", pawn, "a7a8k", "cannot become `k` there"),
        ("fide", pawn, "a1a4", "the unit on a1 cannot go to a4"),
        ("fide", pawn, "a1a9", "there is no square `a9`"),
        ("fide", pawn, "i1a1", "there is no square `i1`"),
        ("fide", pawn, "nonsense", "a step is written as in `e2e4`"),
        ("fide", pawn, "a1\u{e9}2", "a step is written as in `e2e4`"),
        ("fide", pawn, "a1a2+a7a8q", "nothing can follow `a1a2` here"),
        ("fide", pawn, "N@e4", "no `N` can be placed here"),
        (
            "tyrant",
            exile,
            "d1d8",
            "the turn has to go on, as in `d1d8+Q@a1`",
        ),
        (
            "tyrant",
            exile,
            "d1d8+Q@d2",
            "`d1d8` cannot go on with `Q@d2` here",
        ),
        (
            "reentrant",
            hand,
            "N@f4",
            "`N` can be placed on a3 a4 a5 a6 b3 b4 b5 b6 and 10 more",
        ),
        ("reentrant", hand, "N@j4", "there is no square `j4`"),
        ("reentrant", full, "P@a4", "no `P` can be placed here"),
    ] {
        let told = refusal(&["play", variant, "--fen", fen, turn]);
        holds(&told, &["error: turn 1 (", why]);
    }
    let one = "rnq2knr/pppppppp/PPPP4/PPPP4/PPPP4/PPP5/PPPPPPPP/RNQ2KNR w - - 0 1 hand=N/-/-/-";
    holds(
        &refusal(&["play", "reentrant", "--fen", one, "N@e5"]),
        &["`N` can be placed on d1 d3 d8 alone"],
    );
}

#[test]
fn pseudo_legal_turn_refused_with_the_reason() {
    let pinned = "4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1";
    holds(
        &refusal(&["play", "fide", "--fen", pinned, "e2a2"]),
        &["error: turn 1 (`e2a2`): illegal: ", "e1 attacked from e8"],
    );
    holds(
        &refusal(&[
            "play",
            "convergent",
            "--fen",
            "7k/8/8/8/8/8/8/K2q2R1 w - - 0 1",
            "g1g2",
        ]),
        &["turn 1 (`g1g2`): illegal: ", "intruder on d1"],
    );
}

#[test]
fn turn_after_the_end_refused_with_the_outcome() {
    let arguments = [&["play", "fide"], FOOLS_MATE.as_slice(), &["e2e3"]].concat();
    holds(
        &refusal(&arguments),
        &["error: turn 5 (`e2e3`): the game is over before it: black-wins checkmate"],
    );
}

// Perft.

#[test]
fn perft_counts_lines() {
    assert_eq!(answer(&["perft", "fide", "0"]), "1\n");
    assert_eq!(answer(&["perft", "fide", "1"]), "20\n");
    assert_eq!(answer(&["perft", "fide", "4"]), "197281\n");
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!(
        answer(&["perft", "fide", "3", "--fen", kiwipete]),
        "97862\n"
    );
}

#[test]
fn perft_beyond_the_end_is_zero() {
    let mate = "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1";
    assert_eq!(answer(&["perft", "fide", "0", "--fen", mate]), "1\n");
    assert_eq!(answer(&["perft", "fide", "5", "--fen", mate]), "0\n");
}

#[test]
fn perft_divide_has_the_shape_of_stockfish() {
    let fen = "7k/8/8/8/8/8/r7/K7 w - - 0 1";
    assert_eq!(
        answer(&["perft", "fide", "2", "--fen", fen, "--divide"]),
        "a1a2: 3\na1b1: 17\n\nNodes searched: 20\n"
    );
    let out = answer(&["perft", "fide", "2", "--divide"]);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[..20].is_sorted());
    assert_eq!(lines[11], "e2e4: 20");
    assert_eq!(lines[20..], ["", "Nodes searched: 400"]);
    assert_eq!(
        answer(&["perft", "fide", "0", "--divide"]),
        "\nNodes searched: 1\n"
    );
}

#[test]
fn perft_is_the_same_on_any_number_of_threads() {
    let one = answer(&["perft", "bachelor", "4", "--divide", "--threads", "1"]);
    for threads in ["2", "5"] {
        assert_eq!(
            answer(&["perft", "bachelor", "4", "--divide", "--threads", threads]),
            one
        );
    }
}

#[test]
fn perft_of_a_thousand_forced_turns_is_one() {
    let shuttle = "K1*k1 w - - 0 1";
    assert_eq!(answer(&["perft", "fide", "1000", "--fen", shuttle]), "1\n");
}

#[test]
fn wrong_numbers_are_told() {
    for depth in ["-1", "1001", "x", "1.5", "01", "99999999999999999999", ""] {
        let err = refusal(&["perft", "fide", depth]);
        holds(
            &err,
            &[&format!("'{depth}'"), "whole number from 0 to 1000"],
        );
    }
    for threads in ["0", "-2", "x", "100000"] {
        let err = refusal(&["perft", "fide", "1", "--threads", threads]);
        holds(
            &err,
            &[
                &format!("'{threads}'"),
                "--threads",
                "whole number from 1 to 1024",
            ],
        );
    }
}

#[test]
fn perft_takes_a_suite_or_a_position_but_not_both() {
    holds(
        &refusal(&["perft", "fide", "2", "--suite", "x.csv"]),
        &["cannot be used with"],
    );
    holds(
        &refusal(&["perft", "--suite", "x.csv", "--divide"]),
        &["cannot be used with"],
    );
}

// Suites.

#[test]
fn suite_without_differences_prints_the_header_alone() {
    let (_folder, path) = file(format!(
        "name,nodes,variant,depth,fen\nstart,400,fide,2,\n\"a, b\",25,fide,2,{EMPTY_BOARD}\n"
    ));
    let run = run(&["perft", "--suite", &path]);
    assert_eq!(run.code, 0);
    assert_eq!(run.out, "name,nodes,variant,depth,fen,counted\n");
    assert_eq!(run.err, "2 rows, 0 differ\n");
}

#[test]
fn suite_quotes_fens_with_commas_in_their_state() {
    let fen = "k6/7/7/7/7/6K w - - 0 1 bound=c3Nn,d3P";
    let (_folder, path) = file(format!(
        "variant,fen,depth,nodes\nchromopolis,\"{fen}\",0,2\n"
    ));
    let run = run(&["perft", "--suite", &path]);
    let expected = format!("variant,fen,depth,nodes,counted\nchromopolis,\"{fen}\",0,2,1\n");
    assert_eq!((run.code, run.out), (1, expected));
}

#[test]
fn suite_prints_differing_rows_with_what_was_counted() {
    let text = format!(
        "name,nodes,variant,depth,fen\nstart,401,fide,2,\n\"a, b\",25,fide,2,{EMPTY_BOARD}\n\
         \"c, d\",24,fide,2,{EMPTY_BOARD}\n"
    );
    let (_folder, path) = file(&text);
    let run = run(&["perft", "--suite", &path, "--threads", "2"]);
    let differing = format!(
        "name,nodes,variant,depth,fen,counted\nstart,401,fide,2,,400\n\
         \"c, d\",24,fide,2,{EMPTY_BOARD},25\n"
    );
    assert_eq!((run.code, run.out.as_str()), (1, differing.as_str()));
    assert_eq!(run.err, "3 rows, 2 differ\n");
    // From standard input, and what was printed can be read again.
    let again = run_with(&["perft", "--suite", "-"], differing.as_bytes());
    assert_eq!((again.code, again.out), (1, differing));
}

#[test]
fn suite_of_a_header_alone_has_no_rows() {
    let (_folder, path) = file("variant,fen,depth,nodes\n");
    let run = run(&["perft", "--suite", &path]);
    assert_eq!((run.code, run.err.as_str()), (0, "0 rows, 0 differ\n"));
}

/// The suite is refused with these words.
#[track_caller]
fn suite_refused(text: impl AsRef<[u8]>, words: &[&str]) {
    let (_folder, path) = file(text);
    let err = refusal(&["perft", "--suite", &path]);
    holds(&err, &["error: file `", "suite.csv`"]);
    holds(&err, words);
}

#[test]
fn suite_without_a_column_refused() {
    suite_refused(
        "variant,fen,dept,nodes\n",
        &["line 1: there is no column `depth`", "`dept`"],
    );
    suite_refused("", &["line 1: there is no column `variant`"]);
    suite_refused("variant,fen,depth,nodes,depth\n", &["`depth` stands twice"]);
}

#[test]
fn suite_with_a_bad_row_refused_with_line_and_column() {
    let header = "variant,fen,depth,nodes\nfide,,1,20\n\n";
    for (row, words) in [
        ("fid,,1,20", ["column `variant`", "did you mean `fide`?"]),
        ("fide,x,1,20", ["column `fen`", "FEN: 1 field, it takes"]),
        ("fide,,one,20", ["column `depth`", "`one`"]),
        ("fide,,1001,20", ["column `depth`", "from 0 to 1000"]),
        ("fide,,1,-20", ["column `nodes`", "`-20`"]),
        ("fide,,1,", ["column `nodes`", "whole number"]),
        ("fide,,1", ["3 columns", "the header has 4"]),
    ] {
        suite_refused(format!("{header}{row}\n"), &["line 4", words[0], words[1]]);
    }
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend(b"\xff,,1,20\n");
    suite_refused(bytes, &["line 4", "UTF-8"]);
}

#[test]
fn missing_or_unreadable_file_is_told() {
    let (folder, path) = file("");
    let err = refusal(&["perft", "--suite", &format!("{path}.missing")]);
    holds(
        &err,
        &["suite.csv.missing`: it cannot be read: No such file"],
    );
    let err = refusal(&["perft", "--suite", folder.path().to_str().expect("UTF-8")]);
    holds(&err, &["it cannot be read: Is a directory"]);
}

// Compare.

#[test]
fn the_same_variant_does_not_differ() {
    let out = answer(&["compare", "fide", "fide"]);
    holds(&out, &["fide and fide at rnbqkbnr/", "\nno difference\n"]);
    assert_eq!(
        answer(&["compare", "fide", "fide", "--format", "json"]),
        "[]\n"
    );
}

#[test]
fn compare_tells_turns_of_one_variant_and_other_effects() {
    let fen = "3k3/P6/7/7/P6/3K3 w - - 0 1";
    let run = run(&["compare", "fide", "bachelor", fen, "--format", "csv"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    let mut reader = csv::Reader::from_reader(run.out.as_bytes());
    let header = reader.headers().expect("a header").clone();
    assert_eq!(
        header.iter().collect::<Vec<_>>().join(","),
        "first_variant,second_variant,fen,turn,difference,first_fen,first_outcome,second_fen,\
         second_outcome"
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(|r| r.expect("a row")).collect();
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(
        rows[0].iter().collect::<Vec<_>>(),
        [
            "fide",
            "bachelor",
            fen,
            "a2a4",
            "only-first",
            "3k3/P6/P6/7/7/3K3 b - - 0 1",
            "ongoing",
            "",
            ""
        ]
    );
}

#[test]
fn compare_tells_another_outcome_after_a_turn() {
    let fen = "6k/Q6/7/7/7/3K3 w - - 0 1";
    let run = run(&["compare", "fide", "bachelor", fen, "--format", "json"]);
    assert_eq!(run.code, 1);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&run.out).expect("JSON");
    let row = rows
        .iter()
        .find(|row| row["turn"] == "a5e1")
        .expect("the marriage");
    assert_eq!(row["difference"], "effect");
    assert_eq!(row["first_fen"], row["second_fen"]);
    assert_eq!(row["first_outcome"], "ongoing");
    assert_eq!(row["second_outcome"], "white-wins marriage");
    let change = rows
        .iter()
        .find(|row| row["turn"] == "a5a6r")
        .expect("the change");
    assert_eq!(change["difference"], "only-second");
    assert_eq!(change["first_fen"], serde_json::Value::Null);
}

#[test]
fn compare_tells_castling_rights_once() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let run = run(&["compare", "fide", "convergent", fen]);
    assert_eq!(run.code, 1);
    holds(
        &run.out,
        &["the position is read differently\n", "e1g1 only in fide\n"],
    );
    assert!(!run.out.contains("e1d1 "), "{}", run.out);
}

#[test]
fn compare_tells_another_outcome_of_the_position() {
    let stalemate = "k7/8/1Q6/8/8/8/8/1K6 b - - 0 1";
    let run = run(&["compare", "fide", "convergent", stalemate]);
    assert_eq!(run.code, 1);
    holds(
        &run.out,
        &["the position is read differently\n", "draw stalemate\n"],
    );
}

#[test]
fn compare_drops_from_the_start_what_the_second_does_not_know() {
    let run = run(&["compare", "bachelor", "fide"]);
    assert_eq!(run.code, 1);
    assert_eq!(
        run.err,
        "note: `fide` does not know `AGag` of the start of `bachelor` and reads it without\n"
    );
    holds(&run.out, &["a2a4 only in fide\n"]);
}

#[test]
fn compare_drops_a_state_that_the_second_does_not_know() {
    let run = run(&["compare", "french-revolution", "fide"]);
    assert_eq!(run.code, 1);
    holds(&run.err, &["note: `fide` does not know `first=1`"]);
    holds(
        &run.out,
        &["the position is read differently\n", "b1c3 only in fide\n"],
    );
    assert!(!run.out.contains("a5a6"), "legal in both:\n{}", run.out);
    let err = refusal(&[
        "compare",
        "french-revolution",
        "fide",
        &format!("{EMPTY_BOARD} first=1"),
    ]);
    holds(&err, &["FEN as `fide` reads it, field 7 (state)"]);
}

#[test]
fn compare_refuses_a_fen_that_one_of_them_cannot_read() {
    let fen = "3k3/7/7/7/7/3K3 w AGag - 0 1";
    holds(
        &refusal(&["compare", "bachelor", "fide", fen]),
        &["error: FEN as `fide` reads it, field 3 (castling)"],
    );
}

#[test]
fn compare_takes_lines_and_gathers_their_rows() {
    let fen = "3k3/P6/7/7/P6/3K3 w - - 0 1";
    let input = format!("{fen}\nbad\n{fen}\n");
    let arguments = ["compare", "fide", "bachelor", "-", "--format", "csv"];
    let run = run_with(&arguments, input.as_bytes());
    assert_eq!(run.code, 2);
    assert_eq!(run.out.lines().count(), 3);
    holds(&run.err, &["error: line 2: FEN as `fide` reads it"]);
    let texts = run_with(&arguments[..4], input.as_bytes());
    assert_eq!(texts.out.matches("a2a4 only in fide\n").count(), 2);
    holds(&texts.out, &["\n\nfide and bachelor at "]);
}

// Completions and manual.

#[test]
fn completions_of_every_shell_name_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        holds(&answer(&["completions", shell]), &COMMANDS);
    }
    holds(&refusal(&["completions", "sh"]), &["'sh'", "bash"]);
}

#[test]
fn manual_has_a_section_for_every_command() {
    let page = answer(&["man"]);
    holds(&page, &[".TH fairyproof 1", ".SH NAME", ".SS OPTIONS"]);
    for command in COMMANDS {
        holds(&page, &[&format!(".SH \"fairyproof {command}\"\n")]);
    }
    assert_eq!(page.matches("\n.TH ").count() + 1, 2, "one page");
}

// Pipes, disks, signals.

#[test]
fn closed_pipe_ends_silently_without_error() {
    let mut child = started(&["turns", "fide", "-"]);
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("a pipe");
    for _ in 0..100 {
        // It may have ended already.
        if writeln!(input, "{EMPTY_BOARD}").is_err() {
            break;
        }
    }
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
#[cfg(target_os = "linux")]
fn full_disk_is_told() {
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["variants"],
        &["variants", "--format", "json"],
        &["rules", "fide"],
        &["turns", "fide"],
        &["perft", "fide", "2", "--divide"],
        &["compare", "fide", "bachelor", "--format", "csv"],
        &["completions", "zsh"],
        &["man"],
    ] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("it opens");
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_fairyproof"))
            .args(arguments)
            .stdout(full)
            .output()
            .expect("it runs");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {err}");
        holds(
            &err,
            &["error: the answer cannot be written: No space left"],
        );
        assert!(!err.contains("panicked"), "{err}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn full_standard_error_is_no_panic() {
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .expect("it opens");
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_fairyproof"))
        .args(["turns", "nonsense"])
        .stderr(full)
        .status()
        .expect("it runs");
    assert_eq!(status.code(), Some(2));
}

#[test]
#[cfg(unix)]
fn interrupt_ends_with_130() {
    let mut child = signals::heard(&mut piped(&["outcome", "fide", "-"]))
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    writeln!(input, "{EMPTY_BOARD}").expect("it reads");
    output.next().expect("a line").expect("text");
    let sent = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill runs");
    assert!(sent.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

// ---- verify

/// A folder of its own, and its name.
fn folder() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder.path().to_str().expect("UTF-8").to_string();
    (folder, name)
}

#[test]
fn verify_writes_table_and_evidence_and_keeps_other_rows() {
    let (_folder, name) = folder();
    let first = run(&["verify", "chromopolis/squares", "--out", &name]);
    assert_eq!(first.code, 0, "{first:?}");
    holds(
        &first.out,
        &["chromopolis/squares", "confirmed", "exhaustive"],
    );
    let second = run(&[
        "verify",
        "bachelor/squares",
        "--out",
        &name,
        "--format",
        "csv",
    ]);
    assert_eq!(second.code, 0, "{second:?}");
    holds(
        &second.out,
        &["claim,statement,source,verdict,scope,summary,evidence_file\n"],
    );
    let table = std::fs::read_to_string(format!("{name}/claims.csv")).expect("a table");
    let ids: Vec<&str> = table.lines().filter_map(|l| l.split(',').next()).collect();
    assert_eq!(ids, ["claim", "bachelor/squares", "chromopolis/squares"]);
    for file in ["bachelor-squares", "chromopolis-squares"] {
        let evidence = std::fs::read_to_string(format!("{name}/evidence/{file}.csv"));
        assert!(evidence.expect("evidence").lines().count() > 1);
    }
    let files = std::fs::read_dir(&name).expect("a folder").count();
    assert_eq!(files, 2, "nothing unfinished is left");
}

#[test]
fn verify_tells_refuted_claims_by_its_exit_code() {
    let (_folder, name) = folder();
    let found = run(&["verify", "bachelor/sample", "--out", &name]);
    let refuted = found.out.contains(" refuted ");
    assert_eq!(found.code, i32::from(refuted), "{found:?}");
}

#[test]
fn verify_refuses_what_it_does_not_know_and_writes_nothing() {
    let (folder, name) = folder();
    let told = refusal(&["verify", "bachelro", "--out", &name]);
    holds(&told, &["bachelro", "did you mean `bachelor`?"]);
    holds(
        &refusal(&["verify", "bachelor/sample-legla", "--out", &name]),
        &["did you mean `bachelor/sample-legal`?"],
    );
    holds(
        &refusal(&["verify", "zzz", "--out", &name]),
        &["ids begin with"],
    );
    refusal(&["verify", "bachelor", "--out", ""]);
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a folder").count(),
        0
    );
}

#[test]
fn verify_refuses_folders_that_are_none() {
    let (_folder, path) = file("something");
    let told = refusal(&["verify", "bachelor/squares", "--out", &path]);
    holds(&told, &["--out", "cannot be"]);
    let (folder, name) = folder();
    let table = folder.path().join("claims.csv");
    std::fs::write(&table, "a,b\n1,2\n").expect("a file");
    let told = refusal(&["verify", "bachelor/squares", "--out", &name]);
    holds(&told, &["claims.csv", "no ledger"]);
    assert_eq!(
        std::fs::read_to_string(&table).expect("a file"),
        "a,b\n1,2\n"
    );
}

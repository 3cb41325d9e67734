//! `fairyproof perft --suite`: many counts compared.

use crate::run::{EMPTY_BOARD, file, holds, refusal, run, run_with};

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
    suite_refused("variant,fen,depth,nodes,depth\n", &["`depth` occurs twice"]);
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
    holds(&err, &["it cannot be read: it is a folder"]);
}

#[test]
fn epd_suite_has_a_row_for_each_depth() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let (_folder, path) = file(format!(
        "# counts\n{start} ;D1 20 ;D2 400\n{EMPTY_BOARD}; D1 5; D2 26; id \"kings\";\n"
    ));
    let run = run(&["perft", "--suite", &path]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(
        run.out,
        format!("variant,fen,depth,nodes,counted\nfide,{EMPTY_BOARD},2,26,25\n")
    );
    assert_eq!(run.err, "4 rows, 1 differ\n");
    let (_folder, path) = file(format!("{EMPTY_BOARD} ;D1 5\n{EMPTY_BOARD}\n"));
    let run = crate::run::run(&["perft", "--suite", &path]);
    assert_eq!(run.code, 2);
    holds(&run.err, &["line 2", ";D1 20"]);
}

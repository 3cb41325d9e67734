//! FENs from standard input, one a line, for every command that takes one.

use crate::run::{EMPTY_BOARD, answer, holds, run_with, started};
use std::io::{BufRead, BufReader, Write};

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

/// Lines with rights are answered as fast as others, but those with rights that are lost say so.
#[test]
fn lost_rights_of_lines_are_noted() {
    let [held, lost, none] = ["4k3/8/8/8/8/8/8/4K2R", "4k3/8/8/8/8/8/8/4K1R1", EMPTY_BOARD];
    let input = format!("{held} w K - 0 1\n{lost} w K - 0 1\n{lost} w - e3 0 1\n{none}\n");
    for command in ["outcome", "show"] {
        let run = run_with(&[command, "fide", "-"], input.as_bytes());
        let notes: Vec<&str> = run.err.lines().collect();
        assert_eq!(run.code, 0);
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(notes[0].contains("the castling rights `K` are read without"));
        assert!(notes[1].contains("the en passant square `e3` is read without"));
    }
}

#[test]
fn bad_lines_are_answered_with_an_error_in_their_place() {
    let input = format!("{EMPTY_BOARD}\nnonsense\n\n{EMPTY_BOARD}\n\u{ff}");
    let mut bytes = input.into_bytes();
    bytes.extend(b"\xff\n");
    bytes.extend(EMPTY_BOARD.as_bytes());
    let run = run_with(&["outcome", "fide", "-"], &bytes);
    assert_eq!(run.code, 2);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), 6, "{lines:?}");
    for (at, line) in lines.iter().enumerate() {
        match at {
            0 | 3 | 5 => assert_eq!(*line, "ongoing"),
            _ => assert!(line.starts_with("error: FEN"), "{line}"),
        }
    }
    holds(
        &run.err,
        &[
            "error: line 2: FEN: 1 field, it takes",
            "error: line 3: FEN, ",
            "error: line 5: FEN: it is not UTF-8",
        ],
    );
    assert!(!run.err.contains("line 1:") && !run.err.contains("line 4:"));
}

/// Several threads answer parts of so many lines, which arrive in several batches.
#[test]
fn many_lines_are_answered_in_their_order_with_their_numbers() {
    let mate = "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1";
    let (mut input, mut answers, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for number in 1..=20_000 {
        let (line, answer) = match number {
            // The last lines of a file and lines next to each other are among these.
            _ if number % 997 < 2 || number == 20_000 => (&b"x"[..], "error"),
            _ if number % 1009 == 0 => (&b"\xff"[..], "error"),
            _ if number % 7 == 0 => (mate.as_bytes(), "white-wins checkmate"),
            _ => (EMPTY_BOARD.as_bytes(), "ongoing"),
        };
        input.extend([line, b"\n"].concat());
        answers.push(answer);
        if answer == "error" {
            errors.push(number.to_string());
        }
    }
    for threads in ["1", "3"] {
        let run = run_with(&["outcome", "fide", "-", "--threads", threads], &input);
        assert_eq!(run.code, 2);
        let lines: Vec<&str> = run.out.lines().collect();
        assert_eq!(lines.len(), answers.len());
        for (line, answer) in lines.iter().zip(&answers) {
            assert!(line.starts_with(answer), "{line} {answer}");
        }
        let numbers = run.err.lines().filter_map(|line| {
            let (number, _) = line.strip_prefix("error: line ")?.split_once(':')?;
            Some(number.split(',').next().unwrap_or(number).to_string())
        });
        assert_eq!(numbers.collect::<Vec<_>>(), errors);
    }
}

#[test]
fn no_line_at_all_is_no_answer() {
    assert_eq!(answer(&["turns", "fide", "-"]), "");
}

#[test]
fn a_line_that_is_too_long_is_passed_over() {
    let mut input = vec![b'8'; 3 << 20];
    input.extend(format!("\n{EMPTY_BOARD}\n").bytes());
    let run = run_with(&["outcome", "fide", "-"], &input);
    let out = "error: FEN: more than 1048576 bytes\nongoing\n";
    assert_eq!((run.code, run.out.as_str()), (2, out));
    holds(&run.err, &["error: line 1: FEN: more than 1048576 bytes"]);
}

#[test]
fn a_line_without_end_is_refused() {
    let run = run_with(&["outcome", "fide", "-"], &vec![b'8'; 66 << 20]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    holds(&run.err, &["line 1: more than", "without an end of line"]);
}

/// Scripts match answers with lines by their order.
#[test]
fn every_command_answers_bad_lines_in_their_place() {
    let rook = "6R1/8/8/8/8/8/8/K1k5 w - - 0 1";
    let input = format!("bad\n{rook}\n\n{rook}\n");
    for arguments in [
        &["show", "fide", "-"][..],
        &["turns", "fide", "-"],
        &["outcome", "fide", "-"],
        &["play", "fide", "-", "g8g2"],
        &["perft", "fide", "1", "--fen", "-"],
        &["perft", "fide", "1", "--divide", "--fen", "-"],
        &["compare", "fide", "bachelor", "-"],
        &["solve", "fide", "#1", "-"],
        &["solve", "fide", "#1", "-", "--keys"],
        &["table", "probe", "fide", "-", "--tables", "none"],
    ] {
        let run = run_with(arguments, input.as_bytes());
        assert_eq!(run.code, 2, "{arguments:?}: {run:?}");
        let errors: Vec<usize> = (0..)
            .zip(run.out.lines())
            .filter(|(_, line)| line.starts_with("error: "))
            .map(|(at, _)| at)
            .collect();
        assert_eq!(errors.first(), Some(&0), "{arguments:?}: {run:?}");
        let bad = if arguments[0] == "table" { 4 } else { 2 };
        assert_eq!(errors.len(), bad, "{arguments:?}: {run:?}");
        // An answer before and an answer after the second error.
        if bad == 2 {
            let lines = run.out.lines().count();
            assert!(
                errors[1] > 1 && errors[1] + 1 < lines,
                "{arguments:?}: {run:?}"
            );
        }
    }
    // A document stays a document.
    let run = run_with(
        &["solve", "fide", "#1", "-", "--format", "json"],
        input.as_bytes(),
    );
    assert_eq!(run.code, 2);
    assert!(
        run.out.starts_with('[') && !run.out.contains("error"),
        "{run:?}"
    );
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
    let played = "4k3/8/8/8/8/8/4K3/8 b - - 1 1\nongoing\n";
    let error = run.out.lines().nth(2).unwrap_or_default();
    holds(error, &["error: FEN: "]);
    assert_eq!(run.out, format!("{played}{error}\n{played}"));
    let run = run_with(&["perft", "fide", "2", "--fen", "-"], input.as_bytes());
    assert_eq!((run.code, run.out), (2, format!("25\n{error}\n25\n")));
    let run = run_with(
        &["perft", "fide", "0", "--divide", "--fen", "-"],
        input.as_bytes(),
    );
    let count = "\nNodes searched: 1\n";
    assert_eq!(run.out, format!("{count}\n{error}\n\n{count}"));
}

#[cfg(unix)]
#[test]
fn devices_without_end_are_refused_wherever_a_file_is_named() {
    for arguments in [
        &["puzzles", "/dev/zero"][..],
        &["puzzles", "import", "/dev/zero"],
        &["perft", "--suite", "/dev/zero"],
        &["solve", "--suite", "/dev/zero"],
        &["solve", "--check", "/dev/zero"],
        &["rules", "check", "/dev/zero"],
        &["start", "fide", "--rules", "/dev/zero"],
        &["explore", "fide", "--hosts", "/dev/zero", "--process", "0"],
    ] {
        crate::run::holds(
            &crate::run::refusal(arguments),
            &["/dev/zero", "it is a device"],
        );
    }
    crate::run::holds(
        &crate::run::refusal(&["prove", "check", "/dev/zero"]),
        &["it is a device"],
    );
}

/// Reading such a file would wait until the system has something to say.
#[cfg(target_os = "linux")]
#[test]
fn files_of_the_system_that_wait_are_refused() {
    let mut child = started(&["start", "fide", "--rules", "/proc/kmsg"]);
    let begun = std::time::Instant::now();
    while child.try_wait().expect("its state").is_none() {
        if begun.elapsed() > std::time::Duration::from_secs(10) {
            child.kill().expect("it is ended");
            panic!("it waits for messages");
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert_eq!(child.wait().expect("its code").code(), Some(2));
}

#[test]
fn texts_that_are_too_long_are_refused_in_short_messages() {
    let long = "k".repeat(100_000);
    let suite = format!("variant,fen,depth,nodes\nfide,{long},1,1\n");
    let (_folder, path) = crate::run::file(&suite);
    let fen = crate::run::refusal(&["perft", "--suite", &path]);
    crate::run::holds(&fen, &["100000 bytes"]);
    let id = crate::run::refusal(&["start", &long]);
    let puzzle = format!(
        "[[puzzle]]\nid = \"{long}\"\nvariant = \"fide\"\nfen = \"7k/8/5K2/8/8/8/8/6R1 w - - 0 1\"\n\
         stipulation = \"#1\"\nkeys = \"none\"\n"
    );
    let (_folder, path) = crate::run::file(&puzzle);
    let puzzle = crate::run::refusal(&["puzzles", &path]);
    crate::run::holds(&puzzle, &["200"]);
    let (_folder, hosts) = crate::run::file(&long);
    let hosts = crate::run::refusal(&["explore", "fide", "--hosts", &hosts, "--process", "0"]);
    for message in [fen, id, puzzle, hosts] {
        assert!(message.len() < 2000, "{} bytes", message.len());
    }
}

/// Makes a named pipe in a folder; returns the folder and the pipe's path.
#[cfg(unix)]
fn named_pipe() -> (tempfile::TempDir, String) {
    let (folder, name) = crate::run::folder();
    let path = format!("{name}/pipe");
    let text = std::ffi::CString::new(&*path).expect("no zero byte");
    // SAFETY: a plain system call with a text that ends in zero.
    assert_eq!(unsafe { libc::mkfifo(text.as_ptr(), 0o600) }, 0);
    (folder, path)
}

#[cfg(unix)]
#[test]
fn named_pipes_without_a_writer_are_refused_wherever_a_file_is_named() {
    let (_folder, pipe) = named_pipe();
    let (folder, state) = crate::run::folder();
    let (disk_folder, disk) = crate::run::folder();
    let linked = |folder: &tempfile::TempDir, name| {
        std::os::unix::fs::symlink(&pipe, folder.path().join(name)).expect("a link");
    };
    linked(&folder, "search.fps");
    linked(&disk_folder, "state");
    for arguments in [
        &["puzzles", &pipe][..],
        &["puzzles", "import", &pipe],
        &["perft", "--suite", &pipe],
        &["solve", "--suite", &pipe],
        &["solve", "--check", &pipe],
        &["rules", "check", &pipe],
        &["start", "fide", "--rules", &pipe],
        &["explore", "fide", "--hosts", &pipe, "--process", "0"],
        &["prove", "check", &pipe],
        &["prove", "line", &pipe],
        &["prove", "fide", "--with", &pipe],
        &["prove", "fide", "--state", &state],
        &["explore", "fide", "--disk", &disk],
    ] {
        let mut child = started(arguments);
        let begun = std::time::Instant::now();
        while child.try_wait().expect("its state").is_none() {
            if begun.elapsed() > std::time::Duration::from_secs(10) {
                child.kill().expect("it is ended");
                panic!("{arguments:?} waits for a writer");
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let output = child.wait_with_output().expect("it ends");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {err}");
        holds(&err, &["error: ", "named pipe"]);
    }
}

/// Streams that a shell makes are read to their end, however late they are written.
#[cfg(unix)]
#[test]
fn streams_named_by_descriptors_are_read() {
    const SUITE: &str = "printf 'variant,fen,depth,nodes\\nfide,,1,20\\n'";
    for script in [
        format!("\"$0\" perft --suite <(sleep 0.2; {SUITE})"),
        format!("{SUITE} | \"$0\" perft --suite /dev/stdin"),
        format!("(sleep 0.2; {SUITE}) | \"$0\" perft --suite /proc/self/fd/0"),
    ] {
        let output = std::process::Command::new("bash")
            .args(["-c", &script, env!("CARGO_BIN_EXE_fairyproof")])
            .output()
            .expect("bash");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{script}: {err}");
        holds(&err, &["1 rows, 0 differ"]);
    }
}

#[test]
fn folders_are_called_folders() {
    let (_folder, name) = crate::run::folder();
    for arguments in [
        &["prove", "check", &name][..],
        &["perft", "--suite", &name],
        &["solve", "--check", &name],
        &["rules", "check", &name],
        &["puzzles", "import", &name],
    ] {
        holds(&crate::run::refusal(arguments), &["it is a folder"]);
    }
}

/// Many short rows would take many times the bytes of their file.
#[test]
fn suites_with_too_many_rows_or_cells_are_refused() {
    let rows = "variant,fen,depth,nodes\n".to_string() + &",,,\n".repeat(1_000_001);
    let cells = "variant,fen,depth,nodes".to_string() + &",".repeat(20_000) + "\n";
    let cells = cells + &(",".repeat(20_003) + "\n").repeat(1_000);
    let row = format!(
        "variant,fen,depth,nodes\nfide,,1,\"{}\"\n",
        "x".repeat(2 << 20)
    );
    let header = format!("variant,fen,depth,nodes,{}\n", "x".repeat(2 << 20));
    for (suite, message) in [
        (rows, "line 1000002: more than 1000000 rows"),
        (cells, "more than 799 rows"),
        (row, "line 2: more than 1048576 bytes in a row"),
        (header, "line 1: more than 1048576 bytes in a row"),
    ] {
        let (_folder, path) = crate::run::file(suite);
        let refusal = crate::run::refusal(&["perft", "--suite", &path]);
        holds(&refusal, &[message]);
        assert!(refusal.len() < 2000, "{} bytes", refusal.len());
    }
}

#[test]
fn import_ends_after_a_thousand_unreadable_problems() {
    for (text, problem) in [("", "x\n"), ("BeginProblem\n", "Pieces ?\nNextProblem\n")] {
        let text = text.to_string() + &problem.repeat(100_000);
        let (_folder, path) = crate::run::file(text);
        let run = crate::run::run(&["puzzles", "import", &path]);
        assert_eq!(run.code, 2);
        holds(&run.err, &["more than 1000 problems cannot be read"]);
        let errors = run.err.matches("error: ").count();
        assert_eq!(errors, 1_002, "{problem}");
    }
}

/// Half of the free memory would be allowed otherwise.
#[test]
fn solutions_are_read_within_a_usual_memory() {
    let text = "[".to_string() + &"{},".repeat(9_000_000) + "{}]";
    let (_folder, path) = crate::run::file(text);
    let refusal = crate::run::refusal(&["solve", "--check", &path]);
    holds(&refusal, &["1073741824 are allowed", "--memory"]);
}

/// The kernel passes arguments of up to 128 KB.
#[test]
fn long_arguments_are_refused_in_short_messages() {
    let long = "k".repeat(130_000);
    for arguments in [
        &[&*long][..],
        &["turns", "fide", "--format", &long],
        &["explore", "fide", "--max-depth", &long],
        &["perft", &long, "1"],
        &["perft", "fide", &long],
        &["solve", "fide", &long],
        &["solve", "fide", "#2", "--fen", &long],
        &["play", "fide", &long],
        &["prove", "fide", &long],
        &["table", "stats", "fide", &long],
        &["table", "build", "fide", "KvK", "--board", &long],
        &["guide", &long],
        &["puzzles", &long],
        &["explore", "fide", "--csv", &long],
        &["rules", "keys", &long],
    ] {
        let refusal = crate::run::refusal(arguments);
        let shown: Vec<&str> = arguments.iter().map(|a| &a[..a.len().min(20)]).collect();
        assert!(refusal.len() < 5_000, "{shown:?}: {} bytes", refusal.len());
    }
}

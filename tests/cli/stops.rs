//! `--time` and Ctrl-C end every command that evaluates an expression, also one whose value would take days.

use crate::signals;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Six lists of 64 squares in each other: 69 billion evaluations of the body on a board of 8x8, more than
/// 4 billion on one of 7x6.
const ENDLESS: &str = "squares.all(a, squares.all(b, squares.all(c, squares.all(d, squares.all(e, \
    squares.all(f, distance(a, b) + distance(c, d) + distance(e, f) >= 0))))))";

/// The time after which a command must have ended that is stopped at once. A query takes less than a second; the
/// rest is for a machine that is busy with other tests.
const LATEST: Duration = Duration::from_secs(20);

/// Returns the commands that take an expression, each with the arguments before `--time`.
fn commands(folder: &Path) -> Vec<Vec<String>> {
    let disk = folder.join("disk");
    let disk = disk.to_str().expect("UTF-8");
    let explored = |question: &[&'static str]| {
        let on_disk = [question, &["--disk", disk]].concat();
        let shared_out = [question, &["--processes", "2"]].concat();
        [question.to_vec(), on_disk, shared_out].map(|question| {
            let graph = ["explore", "bachelor", "--max-depth", "1"];
            owned(&[&graph, &question[..]].concat())
        })
    };
    let others: [&[&str]; 9] = [
        &["eval", "fide", ENDLESS],
        &["turns", "fide", "--where", ENDLESS],
        &["table", "find", "fide", "KQvK", ENDLESS],
        &[
            "table", "find", "fide", "KQvK", "true", "--count", "--by", ENDLESS,
        ],
        &["solve", "fide", "--goal", ENDLESS, "goal 1"],
        &["solve", "fide", "--goal", ENDLESS, "h-goal 1"],
        &["prove", "fide", "--goal", ENDLESS],
        &["puzzles", "mine", "bachelor", "--where", ENDLESS],
        &["puzzles", "mine", "bachelor", "--key", ENDLESS],
    ];
    let mut commands: Vec<Vec<String>> = others.into_iter().map(owned).collect();
    commands.extend(explored(&["--find", ENDLESS]));
    commands.extend(explored(&["--always", ENDLESS]));
    commands.extend(explored(&["--count", ENDLESS]));
    commands.extend(explored(&["--count", "true", "--by", ENDLESS]));
    commands
}

fn owned(command: &[&str]) -> Vec<String> {
    command.iter().map(|&word| word.to_owned()).collect()
}

fn start(folder: &Path, arguments: &[String]) -> Child {
    let program = assert_cmd::cargo::cargo_bin("fairyproof");
    signals::heard(&mut Command::new(program))
        .args(arguments)
        .env("FAIRYPROOF_TABLES", folder.join("tables"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program")
}

/// Returns the exit code and the messages of a program, or panics once it has run too long.
fn end(mut child: Child, what: &[String]) -> (Option<i32>, String) {
    let begun = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if begun.elapsed() > LATEST {
            child.kill().expect("a child");
            panic!("it did not end: {what:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().expect("a child");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), err)
}

fn folder_with_a_table() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let build = ["table", "build", "fide", "KQvK"].map(str::to_owned);
    let (code, err) = end(start(folder.path(), &build), &build);
    assert_eq!(code, Some(0), "{err}");
    folder
}

#[test]
fn time_ends_every_expression() {
    let folder = folder_with_a_table();
    for command in commands(folder.path()) {
        // An expression may begin with a hyphen, so options of `eval` come before it.
        let id = command
            .iter()
            .position(|word| ["fide", "bachelor"].contains(&&**word));
        let (begin, rest) = command.split_at(id.expect("a variant") + 1);
        let command = [begin, &["--time".to_owned(), "0.3".to_owned()], rest].concat();
        let (code, err) = end(start(folder.path(), &command), &command);
        assert_eq!(code, Some(3), "{command:?}: {err}");
        assert!(err.contains("time"), "{command:?}: {err}");
        assert!(!err.contains("panicked"), "{command:?}: {err}");
    }
}

#[test]
fn an_interrupt_ends_every_expression() {
    let folder = folder_with_a_table();
    for command in commands(folder.path()) {
        let child = start(folder.path(), &command);
        std::thread::sleep(Duration::from_millis(700));
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status();
        assert!(sent.expect("kill").success());
        let (code, err) = end(child, &command);
        assert_eq!(code, Some(130), "{command:?}: {err}");
        assert!(!err.contains("panicked"), "{command:?}: {err}");
    }
}

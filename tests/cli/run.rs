//! Runs of the program: what they answer, and what they are told.

use assert_cmd::Command;
use std::process::{Child, Stdio};

/// Two kings alone.
pub const EMPTY_BOARD: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

/// The commands that look at a rule set or a position: each answers in a moment.
pub const COMMANDS: [&str; 11] = [
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

/// What a run gave: exit code, standard output, standard error.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// How the lines begin that a run of more than ten seconds prints on standard error about its progress.
const PROGRESS: [&str; 11] = [
    "building: ",
    "certifying: ",
    "counting: ",
    "exploring: ",
    "planning: ",
    "proving: ",
    "searching for puzzles: ",
    "solving: ",
    "surveying: ",
    "verifying: ",
    "writing: ",
];

/// Returns the messages of a run without its progress, which depends on the machine.
fn without_progress(err: &str) -> String {
    let progress = |line: &str| PROGRESS.iter().any(|phase| line.starts_with(phase));
    err.split_inclusive('\n')
        .filter(|line| !progress(line))
        .collect()
}

/// Returns the program with these arguments.
pub fn program(arguments: &[&str]) -> Command {
    let mut program = Command::cargo_bin("fairyproof").expect("the program");
    program.args(arguments);
    program
}

/// Runs the program with this standard input.
pub fn run_with(arguments: &[&str], input: &[u8]) -> Run {
    let output = program(arguments)
        .write_stdin(input)
        .output()
        .expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let run = Run {
        code: output.status.code().expect("no signal"),
        out: text(output.stdout),
        err: without_progress(&text(output.stderr)),
    };
    assert!(!run.err.contains("panicked"), "{run:?}");
    run
}

/// Runs the program.
pub fn run(arguments: &[&str]) -> Run {
    run_with(arguments, b"")
}

/// Returns the answer of a run that finds nothing and says nothing.
pub fn answer(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?}");
    run.out
}

/// Returns the message of a run that is wrong usage or input and answers nothing.
pub fn refusal(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
    assert!(run.err.starts_with("error: "), "{run:?}");
    run.err
}

/// Asserts that all parts stand in a text.
#[track_caller]
pub fn holds(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
}

/// Returns a file in a folder of its own, which lives as long as the first value.
pub fn file(text: impl AsRef<[u8]>) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("suite.csv");
    std::fs::write(&path, text).expect("a file");
    let name = path.to_str().expect("UTF-8").to_string();
    (folder, name)
}

/// Returns the program, all three streams piped.
pub fn piped(arguments: &[&str]) -> std::process::Command {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fairyproof"));
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The same, running.
pub fn started(arguments: &[&str]) -> Child {
    piped(arguments).spawn().expect("it starts")
}

/// Returns a folder of its own, and its name.
pub fn folder() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder.path().to_str().expect("UTF-8").to_string();
    (folder, name)
}

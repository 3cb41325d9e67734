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

/// A rule text for which one list of turns takes half an hour: the rules of `slow` list the turns of `inner` for each
/// pair of squares.
const ENDLESS_RULES: &str = "\
[inner:fide-text]
legalIf = squares.all(a, squares.all(b, squares.all(c, distance(a, b) + distance(b, c) >= 0)))
[slow:inner]
legalIf = squares.all(a, squares.all(b, distance(a, b) >= 0 && !parent.over))
";

/// Commands that play the rules of [`ENDLESS_RULES`], each with whether it has a time limit.
const PLAYING: [(&[&str], bool); 12] = [
    (&["turns", "slow"], true),
    (&["eval", "slow", "size(turns)"], true),
    (&["explore", "slow", "--max-depth", "2"], true),
    (
        &["explore", "slow", "--max-depth", "2", "--find", "check"],
        true,
    ),
    (&["solve", "slow", "#2"], true),
    (&["solve", "slow", "h#2"], true),
    (&["prove", "slow"], true),
    (&["can-win", "slow", "white"], true),
    (&["perft", "slow", "2"], false),
    (&["play", "slow", "e2e4"], false),
    (&["outcome", "slow"], false),
    (&["table", "build", "slow", "KQvK"], false),
];

fn playing(folder: &Path, time: &[&str], command: &[&str]) -> Vec<String> {
    let file = folder.join("rules.ini");
    std::fs::write(&file, ENDLESS_RULES).expect("a file");
    let rules = ["--rules", file.to_str().expect("UTF-8")];
    owned(&[&command[..1], time, &command[1..], &rules].concat())
}

#[test]
fn time_ends_evaluations_inside_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    for (command, has_time) in PLAYING {
        if has_time {
            let command = playing(folder.path(), &["--time", "0.3"], command);
            let (code, err) = end(start(folder.path(), &command), &command);
            assert_eq!(code, Some(3), "{command:?}: {err}");
            assert!(err.contains("time"), "{command:?}: {err}");
            assert!(!err.contains("panicked"), "{command:?}: {err}");
        }
    }
}

#[test]
fn an_interrupt_ends_evaluations_inside_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    for (command, _) in PLAYING {
        let command = playing(folder.path(), &[], command);
        interrupted(start(folder.path(), &command), &command);
    }
}

/// Interrupts a command that cannot have ended, and checks how it ends.
fn interrupted(child: Child, command: &[String]) {
    std::thread::sleep(Duration::from_millis(700));
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("kill").success());
    let (code, err) = end(child, command);
    assert_eq!(code, Some(130), "{command:?}: {err}");
    assert!(!err.contains("panicked"), "{command:?}: {err}");
}

/// Each section lists the turns of the one before for each of its own turns: with `depth` sections, lists are nested
/// that deeply.
#[test]
fn lists_of_turns_are_not_nested_deeper_through_sections() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("rules.ini");
    for position in ["parent", "under('BEFORE')"] {
        let mut text = "[s0:fide-text]\nlegalIf = true\n".to_owned();
        for n in 1..=12 {
            let position = position.replace("BEFORE", &format!("s{}", n - 1));
            let parent = if position == "parent" {
                format!("s{}", n - 1)
            } else {
                "fide-text".to_owned()
            };
            text += &format!("[s{n}:{parent}]\nlegalIf = size({position}.turns) > 0\n");
        }
        std::fs::write(&file, text).expect("a file");
        let file = file.to_str().expect("UTF-8");
        for (n, code) in [(1, 0), (2, 0), (3, 2), (12, 2)] {
            let command = owned(&["turns", &format!("s{n}"), "--rules", file]);
            let (found, err) = end(start(folder.path(), &command), &command);
            assert_eq!(found, Some(code), "{command:?}: {err}");
            assert_eq!(
                err.contains("nested in each other"),
                code == 2,
                "{command:?}: {err}"
            );
        }
    }
}

/// A pipe that no process reads: the program waits for a reader until it is stopped.
#[test]
#[cfg(unix)]
fn waiting_for_the_reader_of_a_pipe_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let pipe = pipe.to_str().expect("UTF-8");
    let command = ["explore", "bachelor", "--max-depth", "1", "--csv", pipe];
    let timed = owned(&[&command[..], &["--time", "0.3"]].concat());
    let (code, err) = end(start(folder.path(), &timed), &timed);
    assert_eq!(code, Some(3), "{err}");
    let command = owned(&command);
    interrupted(start(folder.path(), &command), &command);
    // A pipe is never read: without a writer, it would wait too.
    let named = folder.path().join("page.toml");
    std::fs::rename(pipe, &named).expect("a name");
    let command = owned(&["verify", named.to_str().expect("UTF-8")]);
    let (code, err) = end(start(folder.path(), &command), &command);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("named pipe"), "{err}");
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
        interrupted(start(folder.path(), &command), &command);
    }
}

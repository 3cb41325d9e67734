//! Closed pipes, full disks, interrupts.

use crate::run::{EMPTY_BOARD, holds, piped, started};
#[cfg(unix)]
use crate::signals;
use std::io::{BufRead, BufReader, Write};

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
fn closed_pipe_of_a_table_is_not_an_error() {
    for arguments in [
        &["variants", "--format", "csv"][..],
        &["variants", "--format", "json"],
        &["compare", "fide", "bachelor", "--format", "csv"],
        &[
            "explore",
            "fide",
            "--max-depth",
            "1",
            "--count",
            "true",
            "--format",
            "csv",
        ],
        &["report", "atlas", "prop", "--games", "3", "--format", "csv"],
    ] {
        let mut child = started(arguments);
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!told.contains("error"), "{arguments:?}: {told}");
        assert_ne!(output.status.code(), Some(2), "{arguments:?}");
    }
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

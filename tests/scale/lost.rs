//! A process that is lost ends the others in seconds, and the run goes on from what is saved.

use crate::run::{Hosts, LARGE, assert_contains, end, explore, run, start, wait_for};
use std::time::{Duration, Instant};
use tempfile::TempDir;

#[test]
fn a_killed_process_ends_the_other_and_the_run_goes_on_from_the_last_whole_level() {
    let folders = [(); 2].map(|()| TempDir::new().expect("a folder"));
    let state = |killed: usize| folders[killed].path();
    let saving = |killed: usize| {
        let state = folders[killed].path().to_str().expect("UTF-8");
        [&LARGE[..], &["--state", state]].concat()
    };
    for killed in [1, 0] {
        let saving = saving(killed);
        let hosts = Hosts::new(2);
        let mut processes = vec![hosts.start(0, &saving), hosts.start(1, &saving)];
        wait_for(&state(killed).join("level-00004-worker-0001"));
        let mut lost = processes.remove(killed);
        lost.kill().expect("it runs");
        lost.wait().expect("it ends");
        let since = Instant::now();
        let other = end(processes.remove(0));
        assert!(
            since.elapsed() < Duration::from_secs(15),
            "{:?}",
            since.elapsed()
        );
        assert_eq!((other.code, &*other.out), (Some(3), ""), "{}", other.err);
        let told = format!("stopped: process {killed} is lost");
        assert_eq!(other.err.matches("is lost").count(), 1, "{}", other.err);
        assert_contains(&other.err, &told);
        assert_contains(&other.err, "resumes from the last complete level");
    }

    // The limit is no part of what was saved.
    let hosts = Hosts::new(2);
    let limited = [&saving(1)[..], &["--max-depth", "6"]].concat();
    let second = hosts.start(1, &limited);
    let first = end(hosts.start(0, &limited));
    assert_eq!(end(second).code, Some(3));
    let plain = run(&[&LARGE[..], &["--no-edges", "--max-depth", "6"]].concat());
    assert_eq!((first.code, &first.out), (plain.code, &plain.out));
    assert_contains(&first.err, "going on from depth ");
}

/// Returns the processes that a process has started.
#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<i32> {
    let path = format!("/proc/{parent}/task/{parent}/children");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.split_ascii_whitespace()
        .filter_map(|id| id.parse().ok())
        .collect()
}

#[cfg(target_os = "linux")]
#[test]
fn processes_that_were_started_end_with_the_first_and_it_with_them() {
    let folder = TempDir::new().expect("a folder");
    let state = folder.path().join("state");
    let started = |name: &str| {
        let state = state.join(name);
        let three = ["--processes", "3", "--threads", "1", "--state"];
        start(&[&LARGE[..], &three, &[state.to_str().expect("UTF-8")]].concat())
    };

    let parent = started("one");
    wait_for(&state.join("one/level-00003-worker-0002"));
    let ids = children(parent.id());
    assert_eq!(ids.len(), 2);
    // SAFETY: a signal to a process that this test has started.
    unsafe { libc::kill(ids[1], libc::SIGKILL) };
    let ended = end(parent);
    assert_eq!((ended.code, &*ended.out), (Some(3), ""), "{}", ended.err);
    assert_contains(&ended.err, "process 2 is lost");
    assert!(children_are_gone(&ids));

    let mut parent = started("two");
    wait_for(&state.join("two/level-00003-worker-0002"));
    let ids = children(parent.id());
    parent.kill().expect("it runs");
    parent.wait().expect("it ends");
    assert!(children_are_gone(&ids));
}

/// A process may be killed before it has sent a word to those that it has started.
#[cfg(target_os = "linux")]
#[test]
fn processes_end_with_their_parent_whenever_it_is_killed() {
    for round in 0..30u64 {
        let three = ["--processes", "3", "--threads", "1"];
        let mut parent = start(&[&LARGE[..], &three].concat());
        let begun = Instant::now();
        let mut ids = Vec::new();
        // The first rounds kill as soon as a process is started, the others at a later moment.
        while ids.len() < 1 + (round % 2) as usize && begun.elapsed() < Duration::from_secs(10) {
            ids = children(parent.id());
        }
        std::thread::sleep(Duration::from_millis(round / 2 * 4));
        ids.extend(children(parent.id()));
        parent.kill().expect("it runs");
        parent.wait().expect("it ends");
        assert!(!ids.is_empty());
        assert!(children_are_gone(&ids), "round {round}: {ids:?}");
    }
}

#[cfg(target_os = "linux")]
fn children_are_gone(ids: &[i32]) -> bool {
    let until = Instant::now() + Duration::from_secs(15);
    let gone = |id: &i32| {
        let status = std::fs::read_to_string(format!("/proc/{id}/stat"));
        // What nobody has waited for yet is dead all the same.
        status.map_or(true, |status| status.contains(") Z "))
    };
    while !ids.iter().all(gone) {
        if Instant::now() > until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

#[cfg(unix)]
#[test]
fn an_interrupt_tells_the_whole_levels() {
    use std::os::unix::process::CommandExt;
    let folder = TempDir::new().expect("a folder");
    let state = folder.path().join("state");
    let state_name = state.to_str().expect("UTF-8");
    let mut command = explore(&LARGE);
    command.args(["--processes", "2", "--threads", "1", "--state", state_name]);
    // SAFETY: between fork and exec nothing is called but signal(2), which is safe there.
    unsafe {
        command.pre_exec(|| {
            libc::signal(libc::SIGHUP, libc::SIG_DFL);
            libc::signal(libc::SIGINT, libc::SIG_DFL);
            Ok(())
        });
    }
    let child = command.spawn().expect("it starts");
    wait_for(&state.join("level-00003-worker-0001"));
    // SAFETY: a signal to a process that this test has started.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    let ended = end(child);
    assert_eq!(ended.code, Some(130), "{}", ended.err);
    assert_contains(&ended.out, "stopped by: interrupted");
}

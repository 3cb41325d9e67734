//! The answer is that of one process without any of it, to the last byte.

use crate::files::path_in;
use crate::run::{Run, assert_contains, run};
use std::fs;
use tempfile::TempDir;

/// Bachelor on 5x5; a rule set with state; one with weak wins and a state.
const GRAPHS: [[&str; 2]; 3] = [
    ["bachelor", "4k/5/5/Q4/4K w - - 0 1"],
    ["triple-check", "kq2/4/4/2QK w - - 0 1"],
    [
        "french-revolution:weak-loss",
        "k1/2/PP/pp/2/1K w - - 0 1 first=1",
    ],
];

const WAYS: [&[&str]; 6] = [
    &["--processes", "1", "--threads", "1"],
    &["--processes", "1", "--threads", "2"],
    &["--processes", "2", "--threads", "1"],
    &["--processes", "2", "--threads", "2"],
    &["--processes", "4", "--threads", "1"],
    &["--processes", "4", "--threads", "2"],
];

/// Returns what was said, but for what the run has cost.
fn said(run: &Run) -> Vec<&str> {
    let cost = |line: &&str| line.contains(" s, at most ") || line.ends_with(" s");
    run.err.lines().filter(|line| !cost(line)).collect()
}

fn same(one: &Run, other: &Run) {
    assert_eq!(
        (one.code, &one.out),
        (other.code, &other.out),
        "{}",
        other.err
    );
    assert_eq!(said(one), said(other));
}

#[test]
fn figures_and_levels_are_those_of_one_process() {
    for [id, fen] in GRAPHS {
        let game = [id, "--fen", fen];
        let plain = run(&[&game[..], &["--no-edges"]].concat());
        assert_eq!(plain.code, Some(0), "{}", plain.err);
        assert_contains(&plain.out, "terminal");
        for way in WAYS {
            same(&plain, &run(&[&game[..], way].concat()));
        }
    }
}

#[test]
fn json_and_levels_are_those_of_one_process() {
    let folder = TempDir::new().expect("a folder");
    let file = |name: &str| path_in(folder.path(), name);
    let (plain, shared) = (file("plain.csv"), file("shared.csv"));
    for [id, fen] in GRAPHS {
        let game = [id, "--fen", fen, "--format", "json", "--csv"];
        let alone = run(&[&game[..], &[&*plain, "--no-edges"]].concat());
        assert_eq!(alone.code, Some(0), "{}", alone.err);
        same(&alone, &run(&[&game[..], &[&*shared], WAYS[3]].concat()));
        let read = |name: &str| fs::read_to_string(name).expect("levels");
        assert_eq!(read(&plain), read(&shared));
    }
}

#[test]
fn a_limit_of_depth_gives_the_same_answer() {
    for depth in ["0", "1", "3"] {
        let limited = ["spartan", "--max-depth", depth];
        let plain = run(&[&limited[..], &["--no-edges"]].concat());
        assert_eq!(plain.code, Some(3));
        for way in [WAYS[0], WAYS[3]] {
            same(&plain, &run(&[&limited[..], way].concat()));
        }
    }
}

#[test]
fn a_limit_of_states_stops_after_the_last_whole_level() {
    let [id, fen] = GRAPHS[0];
    let limited = [id, "--fen", fen, "--max-states", "20000"];
    let one = run(&[&limited[..], WAYS[0]].concat());
    assert_eq!(one.code, Some(3));
    assert_contains(&one.err, "max-states");
    for way in WAYS {
        same(&one, &run(&[&limited[..], way].concat()));
    }
    let depth = one
        .out
        .lines()
        .find_map(|line| line.strip_prefix("depth, turns"));
    let depth = depth.expect("a depth").trim();
    let whole = run(&[id, "--fen", fen, "--no-edges", "--max-depth", depth]);
    assert_eq!(one.out, whole.out.replace("max-depth", "max-states"));
}

/// One message names the search on disk, which finds values.
#[test]
fn values_on_several_processes_are_refused() {
    let [id, fen] = GRAPHS[0];
    let hosts = crate::run::Hosts::new(2);
    let hosts = hosts.path();
    let hosts = ["--hosts", hosts.to_str().expect("UTF-8"), "--process", "1"];
    for way in [WAYS[0], WAYS[2], &hosts[..], &["--state", "x"]] {
        for more in [&["--solve"][..], &["--solve", "--certify"]] {
            let refused = run(&[&[id, "--fen", fen], more, way].concat());
            let gave = (refused.code, &*refused.out);
            assert_eq!(gave, (Some(2), ""), "{}", refused.err);
            assert_contains(
                &refused.err,
                "--solve: several processes do not find values",
            );
            assert_contains(&refused.err, "help: --disk DIR finds the values");
        }
    }
}

#[test]
fn too_little_memory_is_told() {
    let [id, fen] = GRAPHS[0];
    let little = ["--memory", "1K", "--processes", "2", "--threads", "1"];
    let stopped = run(&[&[id, "--fen", fen][..], &little].concat());
    assert_eq!(stopped.code, Some(3));
    assert!(
        stopped.err.contains("stopped by the limit memory"),
        "{stopped:?}"
    );
}

#[test]
fn levels_that_are_saved_are_gone_on_from() {
    let folder = TempDir::new().expect("a folder");
    let state = folder.path().join("state");
    let state = state.to_str().expect("UTF-8");
    let [id, fen] = GRAPHS[1];
    let game = [id, "--fen", fen];
    let plain = run(&[&game[..], &["--no-edges"]].concat());
    let saving = [WAYS[2], &["--state", state]].concat();
    let part = run(&[&game[..], &["--max-depth", "5"], &saving].concat());
    assert_eq!(part.code, Some(3), "{}", part.err);
    for _ in 0..2 {
        let whole = run(&[&game[..], &saving].concat());
        assert_eq!((whole.code, &whole.out), (plain.code, &plain.out));
        assert!(
            whole.err.starts_with("going on from depth "),
            "{}",
            whole.err
        );
    }
    // A file that is damaged costs its level and what lies below it.
    let damaged = folder.path().join("state/level-00007-worker-0001");
    let mut bytes = fs::read(&damaged).expect("a level");
    let last = bytes.len() - 9;
    bytes[last] ^= 1;
    fs::write(&damaged, bytes).expect("a level");
    let whole = run(&[&game[..], &saving].concat());
    assert_eq!((whole.code, &whole.out), (plain.code, &plain.out));
    assert_contains(&whole.err, "going on from depth 6,");
    // So does a file of another level, or of another worker, under its name.
    for copied in ["level-00005-worker-0001", "level-00007-worker-0000"] {
        fs::copy(folder.path().join("state").join(copied), &damaged).expect("a copy");
        let whole = run(&[&game[..], &saving].concat());
        assert_eq!((whole.code, &whole.out), (plain.code, &plain.out));
        assert_contains(&whole.err, "going on from depth 6,");
    }
    // The folder belongs to this run alone.
    for other in [
        [&["bachelor"][..], &saving].concat(),
        [&game[..1], &saving].concat(),
        [&game[..], WAYS[0], &["--state", state]].concat(),
    ] {
        let refused = run(&other);
        assert_eq!(
            (refused.code, &*refused.out),
            (Some(2), ""),
            "{}",
            refused.err
        );
        assert_contains(&refused.err, "is of another run");
    }
}

/// The processes of a run share the memory that was allowed, with all that they need besides states.
#[cfg(target_os = "linux")]
#[test]
fn all_processes_together_keep_to_the_memory_allowed() {
    const MEGABYTES: u64 = 120;
    let memory = format!("{MEGABYTES}M");
    let ending = ["fide", "--fen", "7k/5r2/8/8/8/8/Q7/K7 w - - 0 1"];
    let two = ["--processes", "2", "--threads", "1", "--memory", &memory];
    let mut parent = crate::run::start(&[&ending[..], &two].concat());
    let peak = |id: &str| -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().strip_suffix("kB")?.trim().parse().ok()
    };
    let id = parent.id().to_string();
    let mut peaks = std::collections::BTreeMap::new();
    while parent.try_wait().expect("its state").is_none() {
        let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children"));
        let children = children.unwrap_or_default();
        for id in children.split_ascii_whitespace().chain([&*id]) {
            if let Some(peak) = peak(id) {
                peaks.insert(id.to_string(), peak);
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let ended = crate::run::end(parent);
    assert_eq!(ended.code, Some(3), "{}", ended.err);
    assert_contains(&ended.out, "stopped by: memory");
    assert_eq!(peaks.len(), 2);
    let sum = peaks.values().sum::<u64>();
    assert!(sum <= MEGABYTES * 1024 * 11 / 10, "{peaks:?} kB");
}

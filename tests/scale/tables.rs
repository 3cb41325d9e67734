//! `table build` by several processes that share a folder: each class is built once, whoever dies, and
//! the files are those of one builder.

use crate::files::{self, Files};
use crate::run::{limit_files, program};
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

fn builder(folder: &Path) -> Command {
    let mut command = program(&["table", "build", "fide", "KRPvK", "--board", "6x5"]);
    command.args(["--threads", "1", "--tables"]).arg(folder);
    command
}

/// Returns how many classes a builder says it has built, and how many it found.
fn told(child: Child) -> (u64, u64) {
    let output = child.wait_with_output().expect("it ends");
    let (out, err) = (
        String::from_utf8(output.stdout).expect("UTF-8"),
        String::from_utf8(output.stderr).expect("UTF-8"),
    );
    assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "{out}");
    let numbers: Vec<u64> = out
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    (numbers[0], numbers[1])
}

#[test]
fn builders_that_share_a_folder_build_each_class_once() {
    let alone = tempfile::tempdir().expect("a folder");
    let (classes, none) = told(builder(alone.path()).spawn().expect("it starts"));
    assert!(classes > 5 && none == 0, "{classes}");
    let wanted = files::below(alone.path());
    assert_eq!(wanted.len() as u64, classes);

    let shared = tempfile::tempdir().expect("a folder");
    let builders: Vec<Child> = (0..3)
        .map(|_| builder(shared.path()).spawn().expect("it starts"))
        .collect();
    let mut built = 0;
    for child in builders {
        let (own, others) = told(child);
        assert_eq!(own + others, classes);
        built += own;
    }
    assert_eq!(built, classes);
    assert!(
        files::below(shared.path()) == wanted,
        "other files than one builder writes"
    );
}

#[test]
fn a_builder_that_is_killed_holds_nobody_up() {
    let shared = tempfile::tempdir().expect("a folder");
    let claimed = |folder: &Path| {
        let names: Vec<String> = files::below(folder).into_keys().collect();
        names.iter().any(|name| name.ends_with(".claim"))
    };
    let mut first = builder(shared.path()).spawn().expect("it starts");
    while !claimed(shared.path()) && first.try_wait().expect("its state").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let second = builder(shared.path()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_millis(50));
    first.kill().expect("killed");
    first.wait().expect("it ends");
    told(second);
    let alone = tempfile::tempdir().expect("a folder");
    told(builder(alone.path()).spawn().expect("it starts"));
    let mut left = files::below(shared.path());
    // A file that was half written stays until somebody builds again.
    left.retain(|name, _| name.ends_with(".fpt"));
    assert!(
        left == files::below(alone.path()),
        "other files than one builder writes"
    );
}

/// A class of seconds which the memory of the builder does not hold, and that memory.
const CLASS: [&str; 6] = ["table", "build", "fide", "KPvKP", "--board", "6x7"];
const MEMORY: &str = "70M";

/// Returns the builder of [`CLASS`] in little memory, with folders for tables and for work.
fn on_disk(tables: &Path, work: &Path) -> Command {
    let mut command = program(&CLASS);
    command
        .args(["--threads", "2", "--memory", MEMORY, "--tables"])
        .args([tables, Path::new("--disk"), work]);
    command
}

/// Two folders, in memory if there is such a place.
fn places() -> [tempfile::TempDir; 2] {
    let place = || tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    [(); 2].map(|()| place().expect("a folder"))
}

fn in_memory() -> Files {
    let folder = tempfile::tempdir().expect("a folder");
    let output = program(&CLASS)
        .arg("--tables")
        .arg(folder.path())
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    files::below(folder.path())
}

/// Whether files are those that are wanted, and nothing is left of the work.
fn done([tables, work]: &[tempfile::TempDir; 2], wanted: &Files) {
    let mut found = files::below(tables.path());
    // A file that was half written stays until somebody builds again.
    found.retain(|name, _| name.ends_with(".fpt"));
    assert!(found == *wanted, "other files than in memory");
    let left = files::below(work.path());
    assert!(left.is_empty(), "{:?}", left.keys());
}

#[test]
fn a_class_that_the_memory_does_not_hold_is_built_on_disk() {
    let places = places();
    let [tables, work] = &places;
    let refused = program(&CLASS)
        .args(["--memory", MEMORY, "--tables"])
        .arg(tables.path())
        .output()
        .expect("it runs");
    assert_eq!(refused.status.code(), Some(3), "{refused:?}");
    let child = on_disk(tables.path(), work.path()).spawn();
    let mut child = child.expect("it starts");
    let most = crate::disk::most_held(&mut child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(told.contains(" on disk: "), "{told}");
    assert!(most > 0 && most <= 70 << 20, "{most} bytes");
    done(&places, &in_memory());
}

#[test]
fn a_build_on_disk_that_is_killed_goes_on() {
    let wanted = in_memory();
    let places = places();
    let [tables, work] = &places;
    let mut at: u64 = 7;
    let mut kills = 0;
    loop {
        at = at
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let child = on_disk(tables.path(), work.path()).spawn();
        let mut child = child.expect("it starts");
        // Longer and longer, so that it gets on on a slow machine too.
        std::thread::sleep(Duration::from_millis((at >> 33) % 1000 + 50 * kills));
        child.kill().expect("killed");
        let output = child.wait_with_output().expect("it ends");
        if output.status.code().is_some() {
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            break;
        }
        kills += 1;
    }
    assert!(kills > 1, "{kills}");
    done(&places, &wanted);
}

#[test]
fn a_build_on_disk_that_finds_no_room_goes_on_when_there_is_some() {
    let wanted = in_memory();
    let places = places();
    let [tables, work] = &places;
    let (mut told, mut on_disk_told) = (0, 0);
    for bytes in [
        500_000,
        2_000_000,
        3_000_000,
        4_000_000,
        6_000_000,
        u64::MAX,
    ] {
        let mut command = on_disk(tables.path(), work.path());
        let output = limit_files(&mut command, bytes).output().expect("it runs");
        if output.status.code() == Some(0) {
            continue;
        }
        let err = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{err}");
        // Of a table there is nothing to keep; of the work in files there is.
        assert!(err.contains("cannot be written"), "{err}");
        on_disk_told += u32::from(err.contains("make room"));
        let left = files::below(work.path());
        assert!(
            left.keys().all(|name| !name.ends_with("unfinished")),
            "{:?}",
            left.keys()
        );
        told += 1;
    }
    assert!(told >= 2 && on_disk_told >= 1, "{told}, {on_disk_told}");
    done(&places, &wanted);
}

//! `table build` by several processes that share a folder: each class is built once, whoever dies, and
//! the files are those of one builder.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn builder(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairyproof"));
    command
        .args([
            "table",
            "build",
            "fide",
            "KRPvK",
            "--board",
            "6x5",
            "--threads",
            "1",
        ])
        .arg("--tables")
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// How many classes a builder says it has built, and how many it found.
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

/// All files below a folder, by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            let inside = files(&path);
            found.extend(
                inside
                    .into_iter()
                    .map(|(file, bytes)| (format!("{name}/{file}"), bytes)),
            );
        } else {
            found.insert(name, std::fs::read(&path).expect("a file"));
        }
    }
    found
}

#[test]
fn builders_that_share_a_folder_build_each_class_once() {
    let alone = tempfile::tempdir().expect("a folder");
    let (classes, none) = told(builder(alone.path()).spawn().expect("it starts"));
    assert!(classes > 5 && none == 0, "{classes}");
    let wanted = files(alone.path());
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
        files(shared.path()) == wanted,
        "other files than one builder writes"
    );
}

#[test]
fn a_builder_that_is_killed_holds_nobody_up() {
    let shared = tempfile::tempdir().expect("a folder");
    let claimed = |folder: &Path| {
        let names: Vec<String> = files(folder).into_keys().collect();
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
    let mut left = files(shared.path());
    // A file that was half written stays until somebody builds again.
    left.retain(|name, _| name.ends_with(".fpt"));
    assert!(
        left == files(alone.path()),
        "other files than one builder writes"
    );
}

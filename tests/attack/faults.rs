//! Faults of the machine: full disks, closed pipes, outputs that are no files, kills at random
//! moments, damaged and swapped files. Nothing that was asked for is lost, nothing wrong is told.

use crate::attempt::{Ran, program, run, words};
use crate::random::Random;
use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn runs(tables: &Path, arguments: &[&str]) -> Ran {
    run(
        program().args(arguments).env("FAIRYPROOF_TABLES", tables),
        b"",
        None,
    )
}

fn code(ran: &Ran) -> Option<i32> {
    ran.status.and_then(|status| status.code())
}

#[test]
fn a_full_standard_output_is_told_and_costs_no_file() {
    let folder = folder();
    let csv = folder.path().join("levels.csv");
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("/dev/full");
    let output = program()
        .args(["explore", "fide", "--max-depth", "1", "--csv"])
        .arg(&csv)
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .expect("it runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("the answer cannot be written"), "{told}");
    assert!(fs::read_to_string(csv).expect("the file").contains("depth"));
}

/// Returns a pipe that nobody reads from, already before anything is written into it.
fn closed_pipe() -> std::io::PipeWriter {
    std::io::pipe().expect("a pipe").1
}

#[test]
fn a_closed_pipe_costs_no_file() {
    let folder = folder();
    let csv = folder.path().join("levels.csv");
    let ended = program()
        .args(["explore", "fide", "--max-depth", "2", "--csv"])
        .arg(&csv)
        .stdout(closed_pipe())
        .stderr(Stdio::null())
        .status()
        .expect("it runs");
    assert_eq!(ended.code(), Some(0));
    assert!(fs::read_to_string(csv).expect("the file").contains("depth"));
}

#[test]
fn a_closed_pipe_does_not_end_the_reports_of_verify() {
    let folder = folder();
    let ended = program()
        .args(["verify", "bachelor/squares", "chromopolis/squares", "--out"])
        .arg(folder.path())
        .stdout(closed_pipe())
        .stderr(Stdio::null())
        .status()
        .expect("it runs");
    assert_eq!(ended.code(), Some(0));
    let claims = fs::read_to_string(folder.path().join("claims.csv")).expect("the ledger");
    assert_eq!(claims.lines().count(), 3, "{claims}");
}

#[test]
fn outputs_that_are_no_files_are_written_to() {
    let folder = folder();
    let arguments = ["explore", "fide", "--max-depth", "1", "--csv"];
    for path in ["-", "/dev/stdout"] {
        let ran = runs(folder.path(), &[&arguments[..], &[path]].concat());
        assert_eq!(code(&ran), Some(3), "{ran:?}");
        assert!(ran.out.contains("depth,states"), "{ran:?}");
    }
    let pipe = folder.path().join("pipe");
    let name = std::ffi::CString::new(pipe.to_str().expect("UTF-8")).expect("no zero byte");
    // Sound: a plain system call with a text that ends in zero.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe)
    });
    let path = pipe.to_str().expect("UTF-8");
    let ran = runs(folder.path(), &[&arguments[..], &[path]].concat());
    assert_eq!(code(&ran), Some(3), "{ran:?}");
    let read = reader.join().expect("it reads").expect("a text");
    assert!(read.contains("depth,states"), "{read}");
    assert!(fs::metadata(&pipe).expect("the pipe").file_type().is_fifo());
}

#[test]
fn outputs_that_cannot_be_written_are_told_before_the_work() {
    let folder = folder();
    let none = folder.path().join("none/levels.csv");
    let none = none.to_str().expect("UTF-8");
    for arguments in [
        &["explore", "fide", "--csv", none][..],
        &["report", "endgames", "--deep", "--out", none],
        &["report", "atlas", "--out", none],
        &["report", "small-boards", "--out", none],
        &["verify", "--out", none],
        &["puzzles", "--out", none],
        &["solve", "fide", "#9", "--svg", none],
        &["solve", "fide", "#9", "--html", none],
        &["prove", "fide", "--out", none],
        &["prove", "fide", "--state", none],
    ] {
        let ran = runs(folder.path(), arguments);
        assert_eq!(code(&ran), Some(2), "{arguments:?}: {ran:?}");
        assert!(ran.took < Duration::from_secs(5), "{arguments:?}: {ran:?}");
    }
    assert!(!folder.path().join("none").exists());
}

/// Returns the table of KQ against KR on a small board, whole.
fn built(folder: &Path) -> String {
    let build = [
        "table", "build", "fide", "KQvKR", "--board", "4x5", "--memory", "200M",
    ];
    let ran = runs(folder, &build);
    assert_eq!(code(&ran), Some(0), "{ran:?}");
    let ran = runs(
        folder,
        &["table", "stats", "fide", "KQvKR", "--board", "4x5"],
    );
    assert_eq!(code(&ran), Some(0), "{ran:?}");
    ran.out
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let place = folder.join("fide/4x5");
    let mut files: Vec<_> = fs::read_dir(place)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    files.sort();
    files
}

#[test]
fn kills_at_random_moments_leave_a_build_that_goes_on() {
    let whole = folder();
    let stats = built(whole.path());
    let mut random = Random(7);
    let cut = folder();
    for _ in 0..6 {
        let mut child = program()
            .args([
                "table", "build", "fide", "KQvKR", "--board", "4x5", "--memory", "200M",
            ])
            .env("FAIRYPROOF_TABLES", cut.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        std::thread::sleep(Duration::from_millis(5 + random.below(60) as u64));
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
    }
    // What a killed process leaves.
    let left = cut.path().join("fide/4x5/.unfinished-4294967295-left");
    fs::create_dir_all(cut.path().join("fide/4x5")).expect("a folder");
    fs::write(&left, "half").expect("a file");
    assert_eq!(built(cut.path()), stats);
    assert!(!left.exists());
    let names = |folder: &Path| -> Vec<_> {
        files(folder)
            .iter()
            .map(|path| path.file_name().map(ToOwned::to_owned))
            .collect()
    };
    assert_eq!(names(cut.path()), names(whole.path()));
    for (a, b) in files(cut.path()).iter().zip(files(whole.path())) {
        assert_eq!(
            fs::read(a).expect("a table"),
            fs::read(b).expect("a table"),
            "{a:?}"
        );
    }
}

#[test]
fn damaged_and_swapped_tables_are_told_and_built_again() {
    let folder = folder();
    let stats = built(folder.path());
    let all = files(folder.path());
    let whole: Vec<Vec<u8>> = all
        .iter()
        .map(|file| fs::read(file).expect("a table"))
        .collect();
    let mut random = Random(5);
    for round in 0..6 {
        let (a, b) = (random.below(all.len()), random.below(all.len()));
        match round {
            0 | 1 if a != b => {
                fs::write(&all[a], &whole[b]).expect("a file");
                fs::write(&all[b], &whole[a]).expect("a file");
            }
            2 => fs::write(&all[a], &whole[a][..random.below(whole[a].len())]).expect("a file"),
            3 => fs::write(&all[a], "").expect("a file"),
            _ => {
                let mut bytes = whole[a].clone();
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
                fs::write(&all[a], bytes).expect("a file");
            }
        }
        // Every answer is right or refused.
        let ran = runs(
            folder.path(),
            &["table", "stats", "fide", "KQvKR", "--board", "4x5"],
        );
        assert!(code(&ran) == Some(2) || ran.out == stats, "{ran:?}");
        let ran = runs(folder.path(), &["table", "list"]);
        assert!(
            !ran.err.contains("panicked") && ran.out.contains("KQvKR-w"),
            "{ran:?}"
        );
        assert_eq!(built(folder.path()), stats, "round {round}");
        for (file, bytes) in all.iter().zip(&whole) {
            assert!(
                fs::read(file).expect("a table") == *bytes,
                "{file:?}, round {round}"
            );
        }
    }
}

#[test]
fn a_disk_that_is_full_leaves_no_half_table() {
    let folder = folder();
    let mut command = program();
    command
        .args([
            "table", "build", "fide", "KQvKR", "--board", "4x5", "--memory", "200M",
        ])
        .env("FAIRYPROOF_TABLES", folder.path());
    // Sound: both calls are safe between fork and exec.
    unsafe {
        command.pre_exec(|| {
            libc::signal(libc::SIGXFSZ, libc::SIG_DFL);
            let limit = libc::rlimit {
                rlim_cur: 2000,
                rlim_max: 2000,
            };
            libc::setrlimit(libc::RLIMIT_FSIZE, &limit);
            Ok(())
        });
    }
    let ran = run(&mut command, b"", None);
    assert_eq!(code(&ran), Some(2), "{ran:?}");
    assert!(ran.err.contains("cannot be written"), "{ran:?}");
    let ran = runs(folder.path(), &["table", "list"]);
    assert_eq!(code(&ran), Some(0), "{ran:?}");
    built(folder.path());
}

/// Runs a command with this much address space.
fn within(megabytes: u64, folder: &Path, arguments: &[&str]) -> Ran {
    let mut command = program();
    command
        .args(arguments)
        .env("FAIRYPROOF_TABLES", folder)
        .current_dir(folder);
    let limit = libc::rlimit {
        rlim_cur: megabytes << 20,
        rlim_max: megabytes << 20,
    };
    // SAFETY: setrlimit(2) is safe between fork and exec.
    unsafe {
        command.pre_exec(move || match libc::setrlimit(libc::RLIMIT_AS, &limit) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        });
    }
    run(&mut command, b"", Some(Duration::from_secs(4)))
}

#[test]
fn too_little_address_space_is_reported_as_a_limit() {
    let folder = folder();
    let state = folder.path().join("state");
    let state = state.to_str().expect("UTF-8");
    let puzzle = folder.path().join("p.toml");
    let text = "[[puzzle]]\nid = \"a\"\nvariant = \"fide\"\nfen = \"7k/8/5K2/8/8/8/8/6R1 w - - 0 1\"\n\
                stipulation = \"#2\"\nkeys = [\"g1g2\"]\n";
    fs::write(&puzzle, text).expect("a file");
    let mut refused = 0;
    for megabytes in [24, 40, 48, 52, 64, 96, 160, 280, 500] {
        // Below some size not even the loader starts the program.
        if code(&within(megabytes, folder.path(), &["--version"])) != Some(0) {
            continue;
        }
        for line in [
            "perft fide 4",
            "explore fide --max-depth 4 --memory 4G",
            "explore fide --max-depth 4 --memory 4G --threads 8",
            &format!("explore fide --max-depth 3 --memory 4G --state '{state}'"),
            "explore fide --max-depth 3 --processes 2",
            "explore fide --max-depth 3 --disk disk --memory 300M",
            "solve fide #3 --time 1 --memory 4G --threads 8",
            "prove fide --time 1 --memory 4G",
            "prove fide --time 1 --memory 4G --threads 8",
            "puzzles p.toml --threads 8",
            "puzzles mine fide --stipulation #2 --threads 4",
            "table build fide KQvKR --board 4x5 --memory 4G --threads 8",
            "verify bachelor/squares",
            "report small-boards fide --out .",
        ] {
            let ran = within(megabytes, folder.path(), &words(line));
            let code = code(&ran);
            assert!(
                matches!(code, Some(0..=3 | 130)) && !ran.err.contains("panicked"),
                "{megabytes} MB, {line}: {ran:?}"
            );
            // One message names the cause.
            let cause = ["not enough memory", "thread can", "memory", "limit"];
            if code == Some(3) && ran.out.is_empty() {
                refused += 1;
                assert!(
                    cause.iter().any(|cause| ran.err.contains(cause)),
                    "{megabytes} MB, {line}: {ran:?}"
                );
            }
            assert!(
                !(ran.err.contains("interrupted") && ran.took < Duration::from_secs(1)),
                "{megabytes} MB, {line}: {ran:?}"
            );
        }
    }
    // The other runs need less than the limit, or answer within what they got.
    assert!(refused >= 3, "{refused} of the runs lacked memory");
}

/// Returns the processes that a process has started.
#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<u32> {
    let path = format!("/proc/{parent}/task/{parent}/children");
    let text = fs::read_to_string(path).unwrap_or_default();
    let ids = text.split_ascii_whitespace();
    ids.filter_map(|id| id.parse().ok()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn killed_parents_leave_no_processes() {
    let mut random = Random(3);
    let mut started = Vec::new();
    for _ in 0..20 {
        let mut parent = program()
            .args(["explore", "fide", "--max-depth", "5", "--processes", "3"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let begin = std::time::Instant::now();
        let until = begin + Duration::from_millis(random.below(120) as u64);
        // One of them at least has started others, however slow the machine is.
        let late = begin + Duration::from_secs(60);
        while std::time::Instant::now() < if started.is_empty() { late } else { until } {
            started.extend(children(parent.id()));
            std::thread::sleep(Duration::from_millis(1));
        }
        started.extend(children(parent.id()));
        parent.kill().expect("it is killed");
        parent.wait().expect("it ends");
    }
    assert!(!started.is_empty());
    let lives = |id: &u32| {
        let status = fs::read_to_string(format!("/proc/{id}/stat"));
        status.is_ok_and(|status| !status.contains(") Z "))
    };
    let until = std::time::Instant::now() + Duration::from_secs(10);
    while started.iter().any(lives) {
        assert!(std::time::Instant::now() < until, "processes live on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_suite_of_many_rows_takes_little_memory() {
    let folder = folder();
    let path = folder.path().join("suite.csv");
    let rows = "fide,,1,20\n".repeat(2_500);
    fs::write(&path, format!("variant,fen,depth,nodes\n{rows}")).expect("a file");
    let ran = runs(
        folder.path(),
        &["perft", "--suite", path.to_str().expect("UTF-8")],
    );
    assert_eq!(code(&ran), Some(0), "{ran:?}");
    assert!(ran.memory_bytes < 70 << 20, "{} MB", ran.memory_bytes >> 20);
}

//! `explore --disk` as users run it: the same bytes as in memory, little memory, and nothing lost that
//! was done when it is killed, stopped, or has no room left.

use crate::run::{Run, explore, limit_files, without_cost};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

fn run_of(command: &mut Command) -> Run {
    let output = command.output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Run {
        code: output.status.code(),
        out: text(output.stdout),
        err: without_cost(&text(output.stderr)),
    }
}

fn run(arguments: &[&str]) -> Run {
    run_of(&mut explore(arguments))
}

/// Returns a folder of its own, in memory if there is such a place: nothing there survives a loss of power,
/// so that nobody waits for disks.
fn place() -> tempfile::TempDir {
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    folder.expect("a folder")
}

/// Returns a run in a folder of its own.
fn on_disk(arguments: &[&str]) -> Run {
    let folder = place();
    run(&with_disk(arguments, folder.path()))
}

fn with_disk<'a>(arguments: &[&'a str], folder: &'a Path) -> Vec<&'a str> {
    let folder = folder.to_str().expect("UTF-8");
    [arguments, &["--disk", folder]].concat()
}

/// Small graphs: pawns alone, with a state of the game; a board with holes; promotions; draws by
/// endless play; checks that are counted.
const GRAPHS: [&[&str]; 5] = [
    &["french-revolution", "k1/2/PP/pp/2/1K w - - 0 1 first=1"],
    &["convergent", "1k1/1p1/3/3/3/3/1P1/1K1 w - - 0 1"],
    &["bachelor", "4k/5/5/Q4/4K w - - 0 1"],
    &["fide", "2k/3/p1P/K2 w - - 0 1"],
    &["triple-check", "3k/4/4/KR2 w - - 0 1"],
];

#[test]
fn what_is_printed_is_what_the_search_in_memory_prints() {
    for graph in GRAPHS {
        for more in [
            &[][..],
            &["--format", "json"],
            &["--csv", "-"],
            &["--max-depth", "3"],
            &["--max-depth", "0"],
            &["--max-states", "1"],
            &["--max-states", "77", "--csv", "-"],
            &["--max-states", "200", "--format", "json"],
            &["--threads", "1"],
            &["--solve"],
            &["--solve", "--format", "json"],
            &["--solve", "--max-depth", "2"],
        ] {
            let arguments = [graph, more].concat();
            let memory = run(&[&arguments[..], &["--no-edges"]].concat());
            assert!(
                matches!(memory.code, Some(0 | 3)),
                "{arguments:?}: {memory:?}"
            );
            assert_eq!(on_disk(&arguments), memory, "{arguments:?}");
        }
    }
}

#[test]
fn a_search_goes_on_where_it_stopped_with_other_limits() {
    let folder = place();
    let graph = GRAPHS[0];
    for more in [
        &["--max-depth", "2"][..],
        &["--max-depth", "5"],
        &[],
        &["--solve"],
        &["--solve", "--format", "json"],
        &["--csv", "-"],
    ] {
        let arguments = [graph, more].concat();
        let memory = run(&[&arguments[..], &["--no-edges"]].concat());
        assert_eq!(
            run(&with_disk(&arguments, folder.path())),
            memory,
            "{more:?}"
        );
    }
    for (arguments, why) in [
        (
            [GRAPHS[0], &["--max-depth", "2"]].concat(),
            "complete levels already; the limit is depth 2",
        ),
        (
            [GRAPHS[0], &["--max-states", "2"]].concat(),
            "states already; the limit is 2",
        ),
        (GRAPHS[1].to_vec(), "holds a search of"),
        (
            vec!["french-revolution", "k1/2/PP/pp/2/K1 w - - 0 1 first=1"],
            "holds a search from",
        ),
    ] {
        let refused = run(&with_disk(&arguments, folder.path()));
        assert_eq!(
            (refused.code, refused.out.as_str()),
            (Some(2), ""),
            "{refused:?}"
        );
        assert!(refused.err.contains(why), "{refused:?}");
    }
}

#[test]
fn a_folder_with_other_files_and_too_little_memory_are_refused() {
    let folder = place();
    std::fs::write(folder.path().join("notes"), "mine").expect("written");
    let refused = run(&with_disk(GRAPHS[0], folder.path()));
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused.err.contains("other files in it, such as `notes`"),
        "{refused:?}"
    );
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a folder").count(),
        1
    );
    let refused = on_disk(&[GRAPHS[0], &["--memory", "2M"]].concat());
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("too little"), "{refused:?}");
}

/// A graph of some hundred thousand states, which takes a moment.
const MIDDLE: &[&str] = &["fide", "5k/6/6/6/6/KR4 w - - 0 1"];

/// Returns the most that a process has held in memory, as long as it can be asked.
pub fn most_held(child: &mut Child) -> u64 {
    let path = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().expect("its state").is_none() {
        let status = std::fs::read_to_string(&path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
        most = most.max(kib.unwrap_or(0u64) << 10);
        std::thread::sleep(Duration::from_millis(3));
    }
    most
}

fn rest_of(mut child: Child) -> Run {
    let (mut out, mut err) = (String::new(), String::new());
    let streams = (child.stdout.take(), child.stderr.take());
    streams
        .0
        .expect("piped")
        .read_to_string(&mut out)
        .expect("UTF-8");
    streams
        .1
        .expect("piped")
        .read_to_string(&mut err)
        .expect("UTF-8");
    let code = child.wait().expect("it ends").code();
    Run {
        code,
        out,
        err: without_cost(&err),
    }
}

#[test]
fn killed_at_twenty_moments_it_ends_with_the_same_bytes() {
    let arguments = [MIDDLE, &["--solve", "--memory", "64M"]].concat();
    let memory = run(&[MIDDLE, &["--solve", "--no-edges"]].concat());
    let folder = place();
    let arguments = with_disk(&arguments, folder.path());
    // How long it takes whole, so that the moments are spread over all of it.
    let begun = Instant::now();
    assert_eq!(run(&arguments), memory);
    let whole = begun.elapsed();
    let mut kills = 0;
    let mut at: u64 = 1;
    while kills < 20 {
        let folder = place();
        let arguments = with_disk(&arguments[..arguments.len() - 2], folder.path());
        // Killed several times in one folder, each time a random while after it goes on.
        loop {
            at = at
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let mut child = explore(&arguments).spawn().expect("it starts");
            std::thread::sleep(whole.mul_f64((at >> 40) as f64 / (1 << 24) as f64));
            let going = child.try_wait().expect("its state").is_none();
            child.kill().expect("killed");
            let run = rest_of(child);
            if !going {
                assert_eq!(run, memory);
                break;
            }
            kills += usize::from(run.code.is_none());
            if kills >= 20 {
                break;
            }
        }
        assert_eq!(run(&arguments), memory);
    }
}

#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let memory = run(&[MIDDLE, &["--solve", "--no-edges"]].concat());
    let folder = place();
    let arguments = [MIDDLE, &["--solve"]].concat();
    let arguments = with_disk(&arguments, folder.path());
    // Files no longer than so many bytes: each time a little further.
    let mut told = 0;
    for bytes in [1000, 30_000, 200_000, 500_000, 2_000_000, u64::MAX] {
        let run = run_of(limit_files(&mut explore(&arguments), bytes));
        if run.code == Some(0) {
            assert_eq!(run, memory);
            continue;
        }
        assert_eq!(
            (run.code, run.out.as_str()),
            (Some(2), ""),
            "{bytes}: {run:?}"
        );
        assert!(run.err.contains("cannot be written"), "{run:?}");
        assert!(run.err.contains("make room"), "{run:?}");
        told += 1;
        // What was begun and not finished has given its room back.
        for entry in std::fs::read_dir(folder.path()).expect("a folder") {
            let name = entry.expect("a file").file_name();
            assert!(!name.to_string_lossy().ends_with("unfinished"), "{name:?}");
        }
    }
    assert!(told >= 3, "{told}");
    assert_eq!(run(&arguments), memory);
}

#[test]
fn a_damaged_run_is_refused() {
    let folder = place();
    let arguments = [GRAPHS[2], &["--max-depth", "9"]].concat();
    run(&with_disk(&arguments, folder.path()));
    let mut damaged = 0;
    for entry in std::fs::read_dir(folder.path()).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|ending| ending != "run") {
            continue;
        }
        let whole = std::fs::read(&path).expect("read");
        for at in [0, whole.len() / 3, whole.len() - 20] {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            std::fs::write(&path, &bytes).expect("written");
            let refused = run(&with_disk(GRAPHS[2], folder.path()));
            assert_eq!(
                (refused.code, refused.out.as_str()),
                (Some(2), ""),
                "{refused:?}"
            );
            assert!(refused.err.contains("is damaged"), "{refused:?}");
            damaged += 1;
        }
        std::fs::write(&path, &whole).expect("written");
    }
    assert!(damaged >= 3);
    assert_eq!(
        run(&with_disk(GRAPHS[2], folder.path())),
        run(&[GRAPHS[2], &["--no-edges"]].concat())
    );
}

#[test]
fn two_processes_do_not_work_in_one_folder() {
    // A graph that no process completes.
    let endless = &[
        "fide",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ];
    let folder = place();
    let arguments = with_disk(endless, folder.path());
    let mut first = explore(&arguments).spawn().expect("it starts");
    while !folder.path().join("state").exists() {
        assert!(first.try_wait().expect("its state").is_none());
        std::thread::sleep(Duration::from_millis(1));
    }
    let second = run(&arguments);
    first.kill().expect("it runs");
    first.wait().expect("it ends");
    assert_eq!(
        (second.code, second.out.as_str()),
        (Some(2), ""),
        "{second:?}"
    );
    assert!(second.err.contains("another process works"), "{second:?}");
}

/// The memory of the process that explores [`LARGE`] on one thread.
const SMALL_MEGABYTES: u64 = 32;
const LARGE: &[&str] = &["french-revolution", "k2/3/PPP/ppp/3/2K w - - 0 1 first=1"];

/// Returns how many states a run says it has found.
fn states(run: &Run) -> u64 {
    let mut lines = run.out.lines();
    let line = lines.find_map(|line| line.strip_prefix("states  "));
    line.and_then(|n| n.trim().parse().ok()).expect("a number")
}

/// Runs in a folder of its own on disk; what it gives, and the most that it held in memory.
fn measured(arguments: &[&str]) -> (Run, u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let child = explore(&with_disk(arguments, folder.path())).spawn();
    let mut child = child.expect("it starts");
    let most = most_held(&mut child);
    (rest_of(child), most)
}

/// Four hundred thousand states, with their values.
const VALUES: &[&str] = &["fide", "7k/8/8/8/8/8/8/KR6 w - - 0 1", "--solve"];

/// Returns what the search in memory prints of [`LARGE`].
fn large_in_memory() -> &'static Run {
    static FOUND: OnceLock<Run> = OnceLock::new();
    FOUND.get_or_init(|| run(&[LARGE, &["--no-edges"]].concat()))
}

/// Runs on disk and says what the search in memory says, with so many megabytes on so many threads.
fn keeps_to(graph: &[&str], memory: &Run, megabytes: u64, threads: &str) {
    let limit = format!("{megabytes}M");
    let more = ["--memory", &limit, "--threads", threads];
    let (found, most) = measured(&[graph, &more].concat());
    assert_eq!(found, *memory, "{more:?}");
    assert!(
        most > 0 && most <= megabytes << 20,
        "{more:?}: {most} bytes"
    );
}

#[test]
fn ten_times_more_states_than_memory_holds_are_found_in_little_memory() {
    let memory = large_in_memory();
    let limit = format!("{SMALL_MEGABYTES}M");
    let held = run(&[LARGE, &["--no-edges", "--memory", &limit]].concat());
    assert_eq!(held.code, Some(3), "{held:?}");
    assert!(states(memory) >= 10 * states(&held), "{held:?}, {memory:?}");
    keeps_to(LARGE, memory, SMALL_MEGABYTES, "1");
}

#[test]
fn two_threads_and_values_keep_to_the_memory() {
    let values = run(&[VALUES, &["--no-edges"]].concat());
    for threads in ["1", "2"] {
        keeps_to(VALUES, &values, 40, threads);
    }
    keeps_to(LARGE, large_in_memory(), 36, "2");
}

#[test]
#[ignore = "takes some ten minutes and 4 GB for the search in memory; run it by name"]
fn ten_times_more_states_than_200_megabytes_hold_are_found_in_them() {
    let graph = &["fide", "8k/r8/9/9/9/9/P8/K8 w - - 0 1"][..];
    let held = run(&[graph, &["--no-edges", "--memory", "200M"]].concat());
    assert_eq!(held.code, Some(3), "{held:?}");
    let (found, most) = measured(&[graph, &["--memory", "200M", "--threads", "2"]].concat());
    assert!(states(&found) >= 10 * states(&held), "{held:?}, {found:?}");
    assert!(most > 0 && most <= 200 << 20, "{most} bytes");
    assert_eq!(
        found,
        run(&[graph, &["--no-edges", "--memory", "16G"]].concat())
    );
}

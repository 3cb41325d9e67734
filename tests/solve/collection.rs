//! The collection: every puzzle of `puzzles/` has exactly the solutions that stand there.
//!
//! `FAIRYPROOF_PROBLEM` names one puzzle (`orthodox/s033`, or the beginning of its name) to solve
//! it alone, with its time; `FAIRYPROOF_THREADS` sets the threads of a search (1 if left out);
//! `FAIRYPROOF_PROBLEMS` names another folder or file.

use fairyproof::catalog::Catalog;
use fairyproof::control::Control;
use fairyproof::puzzle::read;
use fairyproof::puzzle::solve::{Result, compare, solve};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time that this thread has worked, where the system tells; else zero.
fn cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|n| n.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// Returns the puzzle files.
fn files() -> Vec<PathBuf> {
    let folder = std::env::var("FAIRYPROOF_PROBLEMS")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles").into());
    if Path::new(&folder).is_file() {
        return vec![folder.into()];
    }
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the collection")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    files
}

#[test]
fn puzzles_have_the_known_solutions() {
    let filter = std::env::var("FAIRYPROOF_PROBLEM").unwrap_or_default();
    let threads = std::env::var("FAIRYPROOF_THREADS").map_or(1, |n| n.parse().expect("a number"));
    let control = Control::new().with_threads(threads);
    let catalog = Catalog::new();
    let (mut wrong, mut solved) = (Vec::new(), 0);
    for file in files() {
        let stem = file.file_stem().expect("a name").to_string_lossy();
        let text = std::fs::read_to_string(&file).expect("a puzzle file");
        for puzzle in read::parse(&catalog, &stem, &text).unwrap_or_else(|e| panic!("{e}")) {
            let name = format!("{stem}/{}", puzzle.id);
            if !name.contains(&filter) {
                continue;
            }
            let posed = puzzle
                .open(&catalog)
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            let begun = cpu();
            let answer = solve(&posed, &control);
            let took = cpu() - begun;
            let fine = compare(&puzzle, &answer) == Result::Solved;
            if !filter.is_empty() || took.as_millis() > 200 || !fine {
                let seconds = took.as_secs_f64();
                println!("{name} {} {seconds:.3} s", puzzle.stipulation);
            }
            if !fine {
                wrong.push(format!(
                    "{name} {}: {} `{}`, not {:?} `{}`",
                    puzzle.stipulation,
                    answer.solutions,
                    answer.keys.join(" "),
                    puzzle.solutions,
                    puzzle.keys.as_deref().unwrap_or_default().join(" ")
                ));
            }
            solved += 1;
        }
    }
    assert!(solved > 0, "there is no such puzzle");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

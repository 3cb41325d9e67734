//! Planted faults: ten wrong rules in the naive rules of every rule set. The tests determine whether the
//! repository's data about the rule set detects each fault: reports, claims' evidence, puzzles and counts of
//! turns.
//!
//! The usual test plants a sample of 60. `cargo test -p fairyproof-check --test faults -- --ignored` plants
//! all faults, and `FAIRYPROOF_FAULTS=FILE` writes a table of the faults and of the files that detected them.

use fairyproof_check as check;
use naive::faults::{ALL, Fault, plant};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A fault applies to the whole process, so only one test may run at a time.
static ONE: Mutex<()> = Mutex::new(());

const FILES: [&str; 5] = [
    "reports/variants.csv",
    "reports/starts.csv",
    "reports/small-boards.csv",
    "reports/puzzles.csv",
    "tests/data/perft.csv",
];

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the rule sets that the report on all of them lists.
fn rule_sets() -> Vec<String> {
    let mut report =
        csv::Reader::from_path(top().join("reports/variants.csv")).expect("the report");
    report
        .records()
        .map(|row| row.expect("a row")[0].to_string())
        .collect()
}

/// Writes the rows about one rule set to a folder, at most `max` rows of each file.
fn write_rows(variant: &str, max: usize, folder: &Path) {
    for file in FILES {
        let mut report = csv::Reader::from_path(top().join(file)).expect("a report");
        let header = report.headers().expect("a header").clone();
        let column = header
            .iter()
            .position(|name| name == "variant")
            .expect("a rule set");
        let mut writer =
            csv::Writer::from_path(folder.join(file.rsplit('/').next().expect("a name")))
                .expect("a file");
        writer.write_record(&header).expect("a row");
        let rows = report.records().map(|row| row.expect("a row"));
        for row in rows.filter(|row| &row[column] == variant).take(max) {
            writer.write_record(&row).expect("a row");
        }
        writer.flush().expect("a file");
    }
    for entry in top().join("reports/evidence").read_dir().expect("evidence") {
        let entry = entry.expect("an entry");
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if name.starts_with(&format!("{variant}-"))
            && path.metadata().expect("a file").len() < 20_000
        {
            std::fs::copy(&path, folder.join(&*name)).expect("a copy");
        }
    }
}

/// Returns the first file with a wrong row, or `None` if no row is wrong.
fn noticed_by(folder: &Path) -> Option<String> {
    let folder = folder.to_str().expect("a path");
    let arguments = ["fairyproof-check", "--positions", "60", folder].map(str::to_string);
    let mut out = Vec::new();
    let code = check::run(arguments.into_iter(), &mut out);
    let text = String::from_utf8(out).expect("text");
    let mut file = "";
    for line in text.lines() {
        match line.split_once(": verified: ") {
            Some((name, _)) => file = name.rsplit('/').next().unwrap_or_default(),
            None if line.starts_with("  WRONG") => return Some(file.to_string()),
            None => {}
        }
    }
    assert_eq!(code, 0, "{text}");
    None
}

/// Returns whether a fault changes a turn or an outcome in games under the correct rules.
fn has_effect(variant: &str, fault: Fault) -> bool {
    let mut seed = 1_u64;
    for _ in 0..6 {
        let mut game = naive::read(variant, &naive::start(variant)).expect("the start");
        for _ in 0..80 {
            let (turns, outcome, fen) = (game.turns(), game.outcome(), game.fen());
            plant(Some(fault));
            let other = naive::read(variant, &fen);
            let same = other.is_ok_and(|other| {
                let texts = |turns: &[(String, naive::Game)]| {
                    turns.iter().map(|turn| turn.0.clone()).collect::<Vec<_>>()
                };
                other.outcome() == outcome && texts(&other.turns()) == texts(&turns)
            });
            plant(None);
            if !same {
                return true;
            }
            if turns.is_empty() {
                break;
            }
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let choice = (seed >> 33) as usize % turns.len();
            game = turns.into_iter().nth(choice).expect("a turn").1;
        }
    }
    false
}

/// Plants faults. Returns the number of faults with an effect, and how many of these were detected.
fn plant_all(step: usize) -> (usize, usize) {
    let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
    let mut table = String::from("variant,fault,noticed_by\n");
    let (mut planted, mut noticed) = (0, 0);
    let all = rule_sets()
        .into_iter()
        .flat_map(|variant| ALL.map(|fault| (variant.clone(), fault)));
    for (variant, fault) in all.step_by(step) {
        let folder = tempfile::tempdir().expect("a folder");
        write_rows(&variant, 40, folder.path());
        let found = match has_effect(&variant, fault) {
            false => "no effect in random games".to_string(),
            true => {
                plant(Some(fault));
                let found = noticed_by(folder.path());
                plant(None);
                planted += 1;
                noticed += usize::from(found.is_some());
                found.unwrap_or_else(|| "nothing".to_string())
            }
        };
        table += &format!("{variant},{fault:?},{found}\n");
    }
    if let Some(path) = std::env::var_os("FAIRYPROOF_FAULTS") {
        std::fs::write(path, &table).expect("the table");
    }
    assert!(
        planted * 2 > 360 / step,
        "only {planted} have an effect:\n{table}"
    );
    assert!(
        noticed * 10 >= planted * 6,
        "{noticed} of {planted} are noticed:\n{table}"
    );
    (planted, noticed)
}

#[test]
fn a_sample_of_planted_faults_is_noticed() {
    plant_all(7);
}

#[test]
#[ignore = "takes minutes"]
fn planted_faults_are_noticed() {
    plant_all(1);
}

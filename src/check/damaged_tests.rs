//! Random test: no cell of a committed report can be changed without the row being called wrong, the table
//! refused, or the cell named as not checked.

use crate::tests::place;
use crate::{Checks, KNOWN_TEXTS, KNOWN_VARIANTS, evidence};
use csv::StringRecord;
use naive::problem::Solutions;
use naive::{RuleSets, Unverified};
use std::path::{Path, PathBuf};

/// Positions of one count, so that a row takes little time.
const POSITIONS: u64 = 150;

fn checks() -> Checks {
    Checks {
        rule_sets: RuleSets::with_definitions(KNOWN_VARIANTS, KNOWN_TEXTS, &[])
            .expect("the known variants"),
        positions: POSITIONS,
        solutions: Solutions::default(),
    }
}

/// Random numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

fn table(header: &StringRecord, row: &[String]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header).expect("a header");
    writer.write_record(row).expect("a row");
    writer.into_inner().expect("a table")
}

/// Returns whether the only row of a table is called wrong or the table is refused, and the columns that are
/// named as not checked.
fn judged(checks: &Checks, path: &Path, table: &[u8]) -> (bool, Vec<String>) {
    let Ok(findings) = evidence::check(checks, path, table) else {
        return (true, Vec::new());
    };
    let (mut is_wrong, mut named) = (false, Vec::new());
    for finding in findings.into_iter().flat_map(|(_, findings)| findings) {
        match finding {
            Ok(_) => {}
            Err(Unverified::Wrong(_)) => is_wrong = true,
            Err(Unverified::Unchecked(why)) => {
                let list = why
                    .strip_prefix("the columns ")
                    .or(why.strip_prefix("the cells "));
                let list = list.map_or("", |list| list.split(": ").next().unwrap_or_default());
                named.extend(list.split(", ").map(str::to_string));
            }
        }
    }
    (is_wrong, named)
}

/// Returns a text that says something else than the text of a cell, or says it as no report would.
fn damaged(text: &str, random: &mut Random) -> String {
    let number = text.parse::<u64>().ok();
    match (random.below(7), number) {
        (0, Some(number)) => (number + 1).to_string(),
        (1, Some(number)) => number.saturating_sub(1 + number / 3).to_string(),
        (2, Some(_)) => format!("0{text}"),
        (3, _) => format!(" {text}"),
        (4, _) => format!("{text} "),
        (5, _) => format!("{text}x"),
        (6, Some(_)) => format!("+{text}"),
        (_, _) => format!("x{text}"),
    }
}

/// Returns the reports and the evidence of claims that are not too long.
fn reports() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in ["reports", "reports/evidence"] {
        for entry in Path::new(&place(folder)).read_dir().expect("a folder") {
            let path = entry.expect("an entry").path();
            files.extend(Some(path).filter(|path| path.extension().is_some_and(|e| e == "csv")));
        }
    }
    files.sort();
    files
}

/// Columns whose other values can make the row a true statement about something else.
const SUBJECTS: [&str; 6] = ["variant", "stipulation", "line", "turns", "turn", "after"];

#[test]
fn damaged_cells_are_never_passed_in_silence() {
    let (checks, mut random) = (checks(), Random(1));
    let (mut caught, mut named) = (0, 0);
    for path in reports() {
        let mut reader = csv::Reader::from_path(&path).expect("a report");
        let header = reader.headers().expect("a header").clone();
        let rows: Vec<StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
        let is_large = rows.len() > 100;
        for _ in 0..if is_large { 120 } else { 5 } {
            let Some(pick) = rows.get(random.below(rows.len().max(1))) else {
                continue;
            };
            let mut row: Vec<String> = pick.iter().map(str::to_string).collect();
            let (is_wrong, open) = judged(&checks, &path, &table(&header, &row));
            assert!(!is_wrong, "{}: {row:?}", path.display());
            let is_verified =
                |at: &usize| !row[*at].is_empty() && !open.iter().any(|c| *c == header[*at]);
            let verified: Vec<usize> = (0..row.len()).filter(is_verified).collect();
            let Some(&at) = verified.get(random.below(verified.len().max(1))) else {
                continue;
            };
            let column = &header[at];
            let is_subject =
                SUBJECTS.contains(&column) || column.contains("fen") || column == "root";
            let other = rows[random.below(rows.len())][at].to_string();
            let whole = std::mem::take(&mut row[at]);
            row[at] = match random.below(4) == 0 && !is_subject && !other.is_empty() {
                true => other,
                false => damaged(&whole, &mut random),
            };
            if row[at] == whole {
                continue;
            }
            let (is_wrong, open) = judged(&checks, &path, &table(&header, &row));
            let is_named = open.iter().any(|name| name == column);
            let now = &row[at];
            assert!(
                is_wrong || is_named,
                "{}: {column} `{whole}` is now `{now}`: {row:?}",
                path.display(),
            );
            caught += usize::from(is_wrong);
            named += usize::from(is_named);
        }
    }
    assert!(caught > 300, "{caught} are wrong, {named} not checked");
}

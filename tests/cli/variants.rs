//! `fairyproof variants`: the list of rule sets, in three formats.

use crate::run::{answer, holds, refusal};
use fairyproof::{definition, variants};

/// Returns the compiled rule sets and the known variants that the program has as definitions.
fn count() -> usize {
    variants::all().len() + definition::library().sections.len()
}

#[test]
fn variants_has_a_line_for_each_rule_set_and_then_for_each_known_variant() {
    let out = answer(&["variants"]);
    assert_eq!(out.lines().count(), count());
    for (line, info) in out.lines().zip(variants::all()) {
        assert!(line.starts_with(info.id), "{line}");
        holds(
            line,
            &[info.name, info.inventor, info.page, info.difference],
        );
    }
    holds(
        &out,
        &[
            "7x6",
            "\ncrazyhouse ",
            "\nspartan-fsf ",
            "captured units go to the capturer's hand",
        ],
    );
}

#[test]
fn variants_as_csv_has_a_header_and_quotes_commas() {
    let out = answer(&["variants", "--format", "csv"]);
    let mut reader = csv::Reader::from_reader(out.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let columns: Vec<&str> = header.iter().collect();
    assert_eq!(
        columns,
        ["id", "name", "inventor", "page", "board", "difference"]
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(|r| r.expect("a row")).collect();
    for (row, info) in rows.iter().zip(variants::all()) {
        assert_eq!((&row[0], &row[3]), (info.id, info.page));
    }
    assert_eq!(rows.len(), count());
}

#[test]
fn variants_as_json_is_an_array_of_objects() {
    let out = answer(&["variants", "--format", "json"]);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&out).expect("JSON");
    assert_eq!(rows.len(), count());
    assert_eq!(rows[0]["id"], "fide");
    assert_eq!(rows[1]["board"], "7x6");
}

#[test]
fn unknown_format_is_told_with_the_known_ones() {
    let err = refusal(&["variants", "--format", "xml"]);
    holds(&err, &["'xml'", "text, csv, json"]);
}

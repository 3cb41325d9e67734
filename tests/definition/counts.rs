//! The library of variants against counts that Fairy-Stockfish made.
//!
//! `OWN_COUNTS_NODES=1000000` counts rows of up to so many nodes instead of 20,000;
//! `OWN_COUNTS_ROWS=FILE` takes the rows of another file.

use naive::defined::Library;

/// The library that the program carries.
pub const LIBRARY: &str = include_str!("../../src/definition/variants.ini");

/// Rows of variant, number, FEN, depth and nodes. Counts by Fairy-Stockfish (its Python module pyffish
/// 0.0.90) for its built-in variants; number 0 is the start, the others come from random games.
pub const ROWS: &str = include_str!("../data/variants-perft.csv");

/// The number of lines of `depth` turns from a position.
pub struct Row {
    pub variant: String,
    pub fen: String,
    pub depth: u32,
    pub nodes: u64,
}

/// Returns the rows to count: those above, or those of the file that `OWN_COUNTS_ROWS` names.
pub fn rows() -> Vec<Row> {
    let text = match std::env::var("OWN_COUNTS_ROWS") {
        Ok(path) => std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}")),
        Err(_) => ROWS.to_string(),
    };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.deserialize::<(String, String, String, u32, u64)>();
    rows.map(|row| {
        let (variant, _number, fen, depth, nodes) = row.expect("a row");
        Row {
            variant,
            fen,
            depth,
            nodes,
        }
    })
    .collect()
}

/// Returns whether all the rows are those above.
pub fn rows_are_ours() -> bool {
    std::env::var_os("OWN_COUNTS_ROWS").is_none()
}

fn nodes_at_most() -> u64 {
    match std::env::var("OWN_COUNTS_NODES") {
        Ok(text) => text.parse().expect("OWN_COUNTS_NODES is a number"),
        Err(_) => 20_000,
    }
}

#[test]
fn naive_counts_are_those_of_the_other_engine() {
    let library = Library::read(LIBRARY).unwrap_or_else(|why| panic!("{why}"));
    let only = std::env::var("OWN_COUNTS_VARIANT").ok();
    let mut wrong = Vec::new();
    let mut variants = std::collections::BTreeSet::new();
    for row in rows() {
        let Row {
            variant,
            fen,
            depth,
            nodes,
        } = row;
        if nodes > nodes_at_most() || only.as_ref().is_some_and(|only| *only != variant) {
            continue;
        }
        variants.insert(variant.clone());
        let game = library
            .game(&variant)
            .unwrap_or_else(|| panic!("no {variant}"));
        let counted = game.read(&fen).map(|state| state.perft(depth));
        if counted != Ok(nodes) {
            wrong.push(format!("{variant} {fen} {depth}: {nodes}, not {counted:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} rows differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(only.is_some() || !rows_are_ours() || variants.len() == 86);
}

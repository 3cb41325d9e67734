//! Rows of reports and of claims' evidence: positions, lines, outcomes, counts, values, problems.
//!
//! What a row says is known from the names of its columns. Columns that are not known are named as unchecked.

use crate::graph::Graph;
use crate::solution::play;
use crate::{Checked, Checks, Fault, certificate};
use naive::Position;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A row: its columns that are not empty.
type Row = BTreeMap<String, String>;

/// One row while it is checked.
struct RowCheck<'c> {
    checks: &'c Checks,
    path: &'c Path,
    row: &'c Row,
    variant: String,
    /// The columns that were used.
    used: RefCell<BTreeSet<String>>,
    checked: Checked,
    name: String,
}

const POSITIONS: [&str; 2] = ["fen", "fen_before"];
const LINES: [&str; 6] = ["turns", "line", "turn", "reply", "winning_turn", "after"];

/// Checks a file of rows.
///
/// # Errors
/// If the text is not a CSV file.
pub(crate) fn check(checks: &Checks, path: &Path, bytes: &[u8]) -> Result<Checked, String> {
    let mut reader = csv::Reader::from_reader(bytes);
    let header = reader.headers().map_err(|why| why.to_string())?.clone();
    let rows: Result<Vec<Row>, csv::Error> = reader.deserialize().collect();
    let mut rows = rows.map_err(|why| why.to_string())?;
    rows.iter_mut()
        .for_each(|row| row.retain(|_, field| !field.is_empty()));
    let rows_checked: Vec<(Checked, BTreeSet<String>)> = rows
        .par_iter()
        .enumerate()
        .map(|(at, row)| {
            let name = format!("row {}", at + 1);
            let variant = variant_of(path, row);
            let (used, checked) = Default::default();
            let mut check = RowCheck {
                checks,
                path,
                row,
                variant,
                used,
                checked,
                name,
            };
            // A line printed turn by turn continues the row before.
            check.row(
                at.checked_sub(1)
                    .and_then(|before| rows[before].get("fen_after")),
            );
            (check.checked, check.used.into_inner())
        })
        .collect();
    let mut all = Checked::default();
    let mut unused: BTreeSet<&str> = header.iter().collect();
    for (checked, used) in rows_checked {
        all.merge(checked);
        unused.retain(|column| !used.contains(*column));
    }
    if !unused.is_empty() {
        let unused: Vec<&str> = header
            .iter()
            .filter(|column| unused.contains(column))
            .collect();
        all.unchecked
            .insert(0, format!("the columns {}", unused.join(", ")));
    }
    Ok(all)
}

/// Returns the rule set of a row: its own column, else the longest name that the file's name begins with.
fn variant_of(path: &Path, row: &Row) -> String {
    if let Some(variant) = row.get("variant") {
        return variant.clone();
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let ends = name.match_indices('-').map(|(at, _)| at).rev();
    let prefixes = ends.map(|at| &name[..at]);
    let known = prefixes
        .into_iter()
        .find(|prefix| naive::RuleSets::default().knows(prefix));
    known.unwrap_or_default().to_string()
}

fn is_outcome(text: &str) -> bool {
    let first = text.split(' ').next().unwrap_or_default();
    ["ongoing", "draw"].contains(&first)
        || first.starts_with("white-wins")
        || first.starts_with("black-wins")
}

impl RowCheck<'_> {
    /// Returns a column that the row has, and notes that it was used.
    fn field(&self, column: &str) -> Option<&str> {
        let (column, value) = self.row.get_key_value(column)?;
        self.used.borrow_mut().insert(column.clone());
        Some(value)
    }

    fn number(&self, column: &str) -> Option<usize> {
        self.field(column)?.parse().ok()
    }

    fn add(&mut self, found: Result<String, Fault>) {
        self.checked.add(&self.name.clone(), found);
    }

    /// Adds that a column has the value that the naive rules give.
    fn equal(&mut self, what: &str, column: &str, computed: &str) {
        let Some(given) = self.field(column).map(str::to_string) else {
            return;
        };
        self.add(match given == computed {
            true => Ok(what.to_string()),
            false => Err(Fault::Wrong(format!(
                "{column} is `{given}`, by the naive rules `{computed}`"
            ))),
        });
    }

    fn row(&mut self, fen_before: Option<&String>) {
        for column in ["variant", "id"] {
            if let Some(value) = self.field(column) {
                self.name = format!("{}, {value}", self.name);
            }
        }
        let rule_sets = &self.checks.rule_sets;
        if self.variant.is_empty() || !rule_sets.knows(&self.variant) {
            if self.row.contains_key("variant") {
                self.add(Err(Fault::Unchecked(format!(
                    "the naive rules do not have `{}`",
                    self.variant
                ))));
            }
            return;
        }
        if self
            .row
            .get("set")
            .is_some_and(|set| set.contains("single steps"))
        {
            let why = "a single step is printed on a board with its own units alone";
            return self.add(Err(Fault::Unchecked(why.to_string())));
        }
        if let Some(root) = self.field("root").map(str::to_string) {
            let found = self.rooted(&root);
            return self.add(found);
        }
        let given = POSITIONS
            .into_iter()
            .filter(|column| self.row.get(*column).is_some_and(|text| text.contains(' ')))
            .find_map(|column| self.field(column).map(str::to_string));
        let fen = given
            .as_ref()
            .or(fen_before.filter(|_| self.row.contains_key("turn")));
        if fen.is_none()
            && !["after", "perft_1"]
                .iter()
                .any(|column| self.row.contains_key(*column))
        {
            return self.other_positions();
        }
        let position = rule_sets.read(&self.variant, fen.map(String::as_str));
        let illegal = self
            .row
            .get("complete")
            .is_some_and(|text| text.starts_with("no legal start"));
        let position = match position {
            Err(_) if illegal => return self.add(Ok("array that is not legal".to_string())),
            Err(why) => {
                return self.add(Err(Fault::Wrong(format!(
                    "{}: {why}",
                    fen.map_or("", |fen| fen)
                ))));
            }
            Ok(_) if illegal => {
                return self.add(Err(Fault::Wrong("the array is legal".to_string())));
            }
            Ok(position) => position,
        };
        if let Some(fen) = fen {
            self.add(match position.fen() == *fen {
                true => Ok("position".to_string()),
                false => Err(Fault::Wrong(format!("`{fen}` is not written as printed"))),
            });
        }
        if self.row.contains_key("stipulation") {
            return self.puzzle();
        }
        self.counts(&position);
        match self.line(&position) {
            Ok(Some(after)) => self.ends(&after),
            Ok(None) => {}
            Err(fault) => self.add(Err(fault)),
        }
        self.other_positions();
    }

    /// Plays the line of the row from its root and compares the position after it. If the row is about a turn,
    /// that is the last one of the line, and the position is the one before it.
    fn rooted(&mut self, root: &str) -> Result<String, Fault> {
        let rule_sets = &self.checks.rule_sets;
        let root = rule_sets.read(&self.variant, Some(root));
        let mut now = root.map_err(Fault::Wrong)?;
        let line = self.field("line").unwrap_or_default().to_string();
        let mut turns: Vec<&str> = line.split_ascii_whitespace().collect();
        self.equal("length", "plies", &turns.len().to_string());
        let last = match self.field("turn") {
            Some(_) => turns.pop(),
            None => None,
        };
        for turn in turns {
            now = play(&now, turn)?;
        }
        self.equal("position after a line", "fen", &now.fen());
        if let Some(turn) = last {
            play(&now, turn)?;
        }
        Ok("line".to_string())
    }

    /// Plays the line of the row, if it has one. Returns the last position.
    fn line(&mut self, position: &Position) -> Result<Option<Position>, Fault> {
        let is_line = |text: &str| text.parse::<f64>().is_err() && !text.contains('.');
        // Replies that are listed to be refuted need not be legal.
        let column = LINES
            .into_iter()
            .filter(|&column| column != "reply" || self.row.contains_key("outcome"))
            .find(|&column| self.row.get(column).is_some_and(|text| is_line(text)));
        let Some(text) = column
            .and_then(|column| self.field(column))
            .map(str::to_string)
        else {
            return Ok(None);
        };
        let mut now = position.clone();
        let illegal = self.field("legal") == Some("false");
        for turn in text.split(' ') {
            now = match (play(&now, turn), illegal) {
                (Err(_), true) => {
                    self.add(Ok("turn that is not legal".to_string()));
                    return Ok(None);
                }
                (Ok(_), true) => return Err(Fault::Wrong(format!("`{turn}` is legal"))),
                (played, false) => played?,
            };
        }
        self.add(Ok("line".to_string()));
        if column == Some("turns") {
            self.equal("length", "plies", &text.split(' ').count().to_string());
        }
        Ok(Some(now))
    }

    /// Checks what the row says of the position after its line.
    fn ends(&mut self, after: &Position) {
        self.equal("position after a line", "fen_after", &after.fen());
        for column in ["outcome", "line_end"] {
            if self.row.get(column).is_some_and(|text| is_outcome(text)) {
                self.equal("outcome", column, &after.outcome());
            }
        }
        if self.row.contains_key("certificate") {
            let found = self.certificate(after);
            self.add(found);
        }
    }

    /// Checks that the row's certificate is about this position, and as the row says.
    fn certificate(&self, position: &Position) -> Result<String, Fault> {
        let name = self.field("certificate").unwrap_or_default();
        let place = self.path.parent().unwrap_or(Path::new("")).join(name);
        let Ok(bytes) = std::fs::read(&place) else {
            return Err(Fault::Unchecked(format!(
                "the certificate {name} is not there"
            )));
        };
        let header: certificate::Header = self.checks.certificate(&bytes)?;
        let digest: String = Sha256::digest(&bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let plies = header.plies.map(|n| n.to_string());
        let same = [
            self.field("certificate_sha256")
                .is_none_or(|given| given == digest),
            self.field("plies").map(str::to_string) == plies,
            self.field("side") == Some(&header.side),
            self.field("goal") == Some(&header.goal),
            header.fen == position.fen(),
        ];
        match same.iter().all(|&same| same) {
            true => Ok("row of a certificate".to_string()),
            false => Err(Fault::Wrong(format!(
                "{name} is not the certificate of this row"
            ))),
        }
    }

    fn puzzle(&mut self) {
        let text = |column: &str| self.field(column).unwrap_or_default().to_string();
        let asked = [self.variant.clone(), text("fen"), text("stipulation")];
        let found = match self.field("verdict") {
            Some("undecided" | "unchecked") | None => {
                Err(Fault::Unchecked("it is not solved".to_string()))
            }
            _ => {
                let keys = text("keys")
                    .split_ascii_whitespace()
                    .map(str::to_string)
                    .collect();
                self.checks.problem(
                    asked.each_ref().map(String::as_str),
                    Some(keys),
                    self.number("solutions"),
                )
            }
        };
        self.add(found);
    }

    /// Counts lines, positions and values.
    fn counts(&mut self, position: &Position) {
        if self
            .row
            .get("turns")
            .is_some_and(|text| text.parse::<usize>().is_ok())
        {
            self.equal(
                "number of turns",
                "turns",
                &position.turns().len().to_string(),
            );
        }
        for depth in 1..=6 {
            let column = format!("perft_{depth}");
            if let Some(given) = self.number(&column) {
                // The last turns are counted where the positions before them are listed.
                let before = self.number(&format!("perft_{}", depth - 1)).unwrap_or(1);
                match before as u64 <= self.checks.limit(&self.variant) {
                    true => self.equal("perft", &column, &perft(position, depth).to_string()),
                    false => self.add(Err(Fault::Unchecked(format!("{column} {given}")))),
                }
            }
        }
        if let (Some(depth), Some(nodes)) = (self.number("depth"), self.number("nodes")) {
            // About twenty turns are counted where the turns of one position are listed.
            match nodes as u64 <= 20 * self.checks.limit(&self.variant) {
                true => {
                    let lines = perft(position, depth as u32);
                    self.equal("perft", "nodes", &lines.to_string());
                }
                false => self.add(Err(Fault::Unchecked(format!("{nodes} nodes")))),
            }
        }
        let complete = self
            .field("complete")
            .is_some_and(|text| ["true", "complete"].contains(&text));
        let Some(states) = self.number("states").filter(|_| complete) else {
            return;
        };
        let depth = self.number("depth");
        if states as u64 > self.checks.limit(&self.variant) {
            return self.add(Err(Fault::Unchecked(format!(
                "a graph of {states} positions"
            ))));
        }
        match Graph::explore(
            position.clone(),
            depth.unwrap_or(usize::MAX),
            self.checks.limit(&self.variant),
        ) {
            Ok(graph) => self.graph(&graph, depth.is_none()),
            Err(fault) => self.add(Err(fault)),
        }
    }

    fn graph(&mut self, graph: &Graph, whole: bool) {
        self.equal("count of positions", "states", &graph.states().to_string());
        self.equal(
            "count of ends",
            "terminal_states",
            &graph.terminal_states().to_string(),
        );
        if !whole || !self.row.contains_key("value") {
            return;
        }
        self.equal("count of turns", "edges", &graph.edges.to_string());
        let values = graph.values();
        let names = ["loss", "weak-loss", "draw", "weak-win", "win"];
        self.equal("value", "value", names[(values[0].0 + 2) as usize]);
        for (column, wanted) in [
            ("win", 2),
            ("weak_win", 1),
            ("draw", 0),
            ("weak_loss", -1),
            ("loss", -2),
        ] {
            let count = values.iter().filter(|(value, _)| *value == wanted).count();
            let share = format!("{:.4}", count as f64 / values.len() as f64);
            self.equal("share of values", &format!("{column}_share"), &share);
        }
        if let (-2 | 2, Some(plies)) = values[0] {
            self.equal("plies to the end", "plies", &plies.to_string());
        }
        let longest = values
            .iter()
            .filter(|(value, _)| *value == 2)
            .filter_map(|(_, plies)| *plies)
            .max();
        if let Some(longest) = longest {
            self.equal("longest win", "longest_win_plies", &longest.to_string());
        }
    }

    /// Checks that the further positions of the row are legal.
    fn other_positions(&mut self) {
        let columns: Vec<String> = self
            .row
            .keys()
            .filter(|column| column.ends_with("_fen"))
            .cloned()
            .collect();
        for column in columns {
            let fen = self.field(&column).unwrap_or_default().to_string();
            let found = self.checks.rule_sets.read(&self.variant, Some(&fen));
            self.add(match found {
                Ok(position) if position.fen() == fen => Ok("position".to_string()),
                Ok(_) => Err(Fault::Wrong(format!("`{fen}` is not written as printed"))),
                Err(why) => Err(Fault::Wrong(format!("{fen}: {why}"))),
            });
        }
    }
}

fn perft(position: &Position, depth: u32) -> usize {
    let turns = position.turns();
    match depth {
        0 => 1,
        1 => turns.len(),
        _ => turns.iter().map(|(_, after)| perft(after, depth - 1)).sum(),
    }
}

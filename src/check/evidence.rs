//! Rows of reports and of claims' evidence: positions, lines, outcomes, counts, values, problems.
//!
//! What a row says is known from the names of its columns. Columns that are not known are named as unchecked.

use crate::{Checked, Checks, certificate};
use naive::graph::Graph;
use naive::{Position, Unverified, ensure, unchecked, wrong};
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The columns of a row that are not empty.
type Fields = BTreeMap<String, String>;

/// One row while it is checked.
struct Row<'c> {
    checks: &'c Checks,
    path: &'c Path,
    fields: &'c Fields,
    variant: String,
    /// The columns that were used.
    used: BTreeSet<&'c str>,
    checked: Checked,
    name: String,
}

/// Columns that hold a position, or a line that is played from it.
const POSITIONS: [&str; 2] = ["fen", "fen_before"];
const LINES: [&str; 6] = ["turns", "line", "turn", "reply", "winning_turn", "after"];

/// Checks a file of rows.
///
/// # Errors
/// If the text is not a CSV file.
pub(crate) fn check(checks: &Checks, path: &Path, text: &[u8]) -> Result<Checked, csv::Error> {
    let mut reader = csv::Reader::from_reader(text);
    let header = reader.headers()?.clone();
    let rows = reader.deserialize().map(|row: Result<Fields, _>| {
        let fields = row?.into_iter().filter(|(_, field)| !field.is_empty());
        Ok(fields.collect())
    });
    let rows: Vec<Fields> = rows.collect::<Result<_, csv::Error>>()?;
    let check = |at: usize| {
        let fields = &rows[at];
        let mut row = Row {
            checks,
            path,
            fields,
            variant: variant_of(checks, path, fields),
            used: BTreeSet::new(),
            checked: Checked::default(),
            name: format!("row {}", at + 1),
        };
        // A line printed turn by turn continues the row before.
        let before = at.checked_sub(1).map(|before| &rows[before]);
        if let Err(fault) = row.check(before.and_then(|row| row.get("fen_after"))) {
            row.add(Err(fault));
        }
        (row.checked, row.used)
    };
    let found: Vec<_> = (0..rows.len()).into_par_iter().map(check).collect();
    let mut all = Checked::default();
    let mut unused: Vec<&str> = header.iter().collect();
    for (checked, used) in found {
        unused.retain(|column| !used.contains(column));
        all.merge(checked);
    }
    if !unused.is_empty() {
        let why = format!("the columns {}", unused.join(", "));
        all.unchecked.insert(0, why);
    }
    Ok(all)
}

/// Returns the rule set of a row: its own column, else the longest name that the file's name begins with.
fn variant_of(checks: &Checks, path: &Path, fields: &Fields) -> String {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut prefixes = name.match_indices('-').rev().map(|(at, _)| &name[..at]);
    let known = |prefix: &&str| checks.rule_sets.knows(prefix);
    let variant = fields.get("variant").map(String::as_str);
    variant
        .or_else(|| prefixes.find(known))
        .unwrap_or_default()
        .to_string()
}

impl<'c> Row<'c> {
    /// Returns a column that the row has, and notes that it was used.
    fn field(&mut self, column: &str) -> Option<&'c str> {
        let (column, value) = self.fields.get_key_value(column)?;
        self.used.insert(column);
        Some(value)
    }

    fn number(&mut self, column: &str) -> Option<u64> {
        self.field(column)?.parse().ok()
    }

    /// Returns whether the row has a column with such a text, which is not used by that.
    fn has(&self, column: &str, is_meant: impl Fn(&str) -> bool) -> bool {
        self.fields.get(column).is_some_and(|text| is_meant(text))
    }

    fn limit(&self) -> u64 {
        self.checks.limit(&self.variant)
    }

    fn add(&mut self, found: Result<&'static str, Unverified>) {
        self.checked.add(&self.name, found);
    }

    /// Adds that a column has the value that the naive rules give.
    fn equal(&mut self, what: &'static str, column: &str, computed: impl ToString) {
        let Some(given) = self.field(column) else {
            return;
        };
        let computed = computed.to_string();
        let equal = ensure(given == computed, || {
            format!("{column} is `{given}`, by the naive rules `{computed}`")
        });
        self.add(equal.map(|()| what));
    }

    /// Reads a position and adds whether it is written as printed.
    fn position(&mut self, fen: &str) -> Result<Position, Unverified> {
        let read = self.checks.rule_sets.read(&self.variant, Some(fen));
        let position = read.or_else(|why| wrong(format!("{fen}: {why}")))?;
        let same = ensure(position.fen() == fen, || {
            format!("`{fen}` is not written as printed")
        });
        self.add(same.map(|()| "position"));
        Ok(position)
    }

    fn check(&mut self, fen_before: Option<&String>) -> Result<(), Unverified> {
        for column in ["variant", "id"] {
            if let Some(value) = self.field(column) {
                self.name += &format!(", {value}");
            }
        }
        if !self.checks.rule_sets.knows(&self.variant) {
            return match self.has("variant", |_| true) {
                true => unchecked(format!("the naive rules do not have `{}`", self.variant)),
                false => Ok(()),
            };
        }
        if self.has("set", |set| set.contains("single steps")) {
            return unchecked("a single step is printed on a board with its own units alone");
        }
        if let Some(root) = self.field("root") {
            return self.rooted(root);
        }
        for column in self.fields.keys().filter(|column| column.ends_with("_fen")) {
            let fen = self.field(column).unwrap_or_default();
            if let Err(fault) = self.position(fen) {
                self.add(Err(fault));
            }
        }
        let is_position = |text: &str| text.contains(' ');
        let mut given = POSITIONS.iter().filter(|c| self.has(c, is_position));
        let fen = match given.next() {
            Some(column) => self.field(column),
            None if self.has("turn", |_| true) => fen_before.map(String::as_str),
            None => None,
        };
        let from_start = self.has("after", |_| true) || self.has("perft_1", |_| true);
        if self.has("complete", |text| text.starts_with("no legal start")) {
            let read = self.checks.rule_sets.read(&self.variant, fen);
            ensure(read.is_err(), || "the array is legal")?;
            self.add(Ok("array that is not legal"));
            return Ok(());
        }
        let position = match fen {
            Some(fen) => self.position(fen)?,
            None if !from_start => return Ok(()),
            None => (self.checks.rule_sets.read(&self.variant, None)).or_else(wrong)?,
        };
        if self.has("stipulation", |_| true) {
            return self.puzzle();
        }
        self.counts(&position);
        self.line(&position)
    }

    /// Plays the line of the row from its root and compares the position after it. If the row is about a turn,
    /// that is the last one of the line, and the position is the one before it.
    fn rooted(&mut self, root: &str) -> Result<(), Unverified> {
        let root = self.checks.rule_sets.read(&self.variant, Some(root));
        let mut now = root.or_else(wrong)?;
        let line = self.field("line").unwrap_or_default();
        let mut turns: Vec<&str> = line.split_ascii_whitespace().collect();
        self.equal("length", "plies", turns.len());
        let last = self.field("turn").and_then(|_| turns.pop());
        for turn in turns {
            now = now.play(turn)?;
        }
        self.equal("position after a line", "fen", now.fen());
        last.map(|turn| now.play(turn)).transpose()?;
        self.add(Ok("line"));
        Ok(())
    }

    /// Plays the line of the row, if it has one, and checks what the row says of the position after it.
    fn line(&mut self, position: &Position) -> Result<(), Unverified> {
        let is_line = |text: &str| text.parse::<f64>().is_err() && !text.contains('.');
        // Replies that are listed to be refuted need not be legal.
        let may_be = |column: &&str| *column != "reply" || self.has("outcome", |_| true);
        let mut columns = LINES.into_iter().filter(may_be);
        let Some(column) = columns.find(|column| self.has(column, is_line)) else {
            return Ok(());
        };
        let line = self.field(column).unwrap_or_default();
        let mut now = position.clone();
        let is_illegal = self.field("legal") == Some("false");
        for turn in line.split(' ') {
            let played = now.play(turn);
            if is_illegal {
                ensure(played.is_err(), || format!("`{turn}` is legal"))?;
                self.add(Ok("turn that is not legal"));
                return Ok(());
            }
            now = played?;
        }
        self.add(Ok("line"));
        if column == "turns" {
            self.equal("length", "plies", line.split(' ').count());
        }
        self.equal("position after a line", "fen_after", now.fen());
        for column in ["outcome", "line_end"] {
            let is_outcome = |text: &str| {
                let word = text.split(' ').next().unwrap_or_default();
                ["ongoing", "draw"].contains(&word) || word.contains("-wins")
            };
            if self.has(column, is_outcome) {
                self.equal("outcome", column, now.outcome());
            }
        }
        match self.field("certificate") {
            Some(name) => self.certificate(name, &now),
            None => Ok(()),
        }
    }

    /// Checks that the row's certificate is about this position, and as the row says.
    fn certificate(&mut self, name: &str, position: &Position) -> Result<(), Unverified> {
        let Ok(bytes) = std::fs::read(self.path.with_file_name(name)) else {
            return unchecked(format!("the certificate {name} is not there"));
        };
        let header = certificate::check(&bytes, &self.checks.rule_sets)?;
        let digest = Sha256::digest(&bytes);
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let plies = header.plies.map(u64::from);
        let given = self.field("certificate_sha256");
        let same = given.is_none_or(|given| given == digest)
            && self.number("plies") == plies
            && self.field("side") == Some(&header.side)
            && self.field("goal") == Some(&header.goal)
            && header.fen == position.fen();
        ensure(same, || {
            format!("{name} is not the certificate of this row")
        })?;
        self.add(Ok("row of a certificate"));
        Ok(())
    }

    fn puzzle(&mut self) -> Result<(), Unverified> {
        let fen = self.field("fen").unwrap_or_default();
        let stipulation = self.field("stipulation").unwrap_or_default();
        if let Some("undecided" | "unchecked") | None = self.field("verdict") {
            return unchecked("it is not solved");
        }
        let keys = self.field("keys").unwrap_or_default();
        let keys = keys.split_ascii_whitespace().map(str::to_string).collect();
        let solutions = self.number("solutions");
        let asked = [&*self.variant, fen, stipulation];
        self.checks.problem(asked, Some(keys), solutions)?;
        self.add(Ok("solved problem"));
        Ok(())
    }

    /// Counts lines, positions and values.
    fn counts(&mut self, position: &Position) {
        if self.has("turns", |text| text.parse::<u64>().is_ok()) {
            self.equal("number of turns", "turns", position.turns().len());
        }
        for depth in 1..=6 {
            let column = format!("perft_{depth}");
            let Some(given) = self.number(&column) else {
                continue;
            };
            // The last turns are counted where the positions before them are listed.
            let before = self.number(&format!("perft_{}", depth - 1)).unwrap_or(1);
            match before <= self.limit() {
                true => self.equal("perft", &column, position.perft(depth)),
                false => self.add(unchecked(format!("{column} {given}"))),
            }
        }
        let (depth, nodes) = (self.number("depth"), self.number("nodes"));
        if let (Some(depth), Some(nodes)) = (depth, nodes) {
            // About twenty turns are counted where the turns of one position are listed.
            match nodes <= 20 * self.limit() {
                true => self.equal("perft", "nodes", position.perft(depth as u32)),
                false => self.add(unchecked(format!("{nodes} nodes"))),
            }
        }
        let complete = self.field("complete");
        let states = self.number("states");
        let (Some("true" | "complete"), Some(states)) = (complete, states) else {
            return;
        };
        if states > self.limit() {
            return self.add(unchecked(format!("a graph of {states} positions")));
        }
        let most_plies = depth.map_or(usize::MAX, |depth| depth as usize);
        match Graph::explore(position, most_plies, self.limit()) {
            Ok(graph) => self.graph(&graph, depth.is_none()),
            Err(fault) => self.add(Err(fault)),
        }
    }

    fn graph(&mut self, graph: &Graph, is_whole: bool) {
        self.equal("count of positions", "states", graph.states());
        let terminal_states: u64 = graph.terminals().values().sum();
        self.equal("count of ends", "terminal_states", terminal_states);
        if !is_whole || !self.has("value", |_| true) {
            return;
        }
        self.equal("count of turns", "edges", graph.edges);
        let census = graph.census();
        self.equal("value", "value", census.value);
        for (value, count) in census.counts {
            let share = format!("{:.4}", count as f64 / graph.states() as f64);
            let column = format!("{}_share", value.replace('-', "_"));
            self.equal("share of values", &column, share);
        }
        if let Some(plies) = census.plies {
            self.equal("plies to the end", "plies", plies);
        }
        if let Some(longest) = census.longest_win_plies {
            self.equal("longest win", "longest_win_plies", longest);
        }
    }
}

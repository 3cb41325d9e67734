//! Checks rows of reports and of claims' evidence: positions, lines, outcomes, counts, values, problems.
//!
//! The names of the columns determine the meaning of a row. Unknown columns are reported as unchecked.

use crate::{Checks, Finding, Findings, certificate};
use csv::StringRecord;
use naive::graph::Graph;
use naive::{Document, Position, Unverified, ensure, unchecked, wrong};
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// One row that is being checked.
struct RowCheck<'c> {
    checks: &'c Checks,
    path: &'c Path,
    fields: &'c Document,
    variant: &'c str,
    /// The maximum number of positions of one count.
    limit: u64,
    /// The columns that were used so far.
    used: BTreeSet<String>,
    findings: Vec<Finding>,
}

/// Columns that contain a line from the position of a row.
const LINES: [&str; 6] = ["turns", "line", "turn", "reply", "winning_turn", "after"];

/// Checks the rows of a file.
///
/// # Errors
/// If the text is not a CSV file.
pub(crate) fn check(checks: &Checks, path: &Path, bytes: &[u8]) -> csv::Result<Findings> {
    let mut reader = csv::Reader::from_reader(bytes);
    let header = reader.headers()?.clone();
    let rows = reader.deserialize::<BTreeMap<String, String>>();
    let rows: Vec<Document> = rows
        .map(|row| row.map(Document::from))
        .collect::<csv::Result<_>>()?;
    // Without a column for the rule set, use the longest known rule set with which the file name begins.
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut prefixes = name.rmatch_indices('-').map(|(at, _)| &name[..at]);
    let of_file = prefixes.find(|prefix| checks.rule_sets.knows(prefix));
    let check = |at: usize| {
        let fields = &rows[at];
        let variant = match fields.text("variant") {
            "" => of_file.unwrap_or_default(),
            variant => variant,
        };
        let mut row = RowCheck {
            checks,
            path,
            fields,
            variant,
            limit: checks.positions / checks.rule_sets.slowness(variant),
            used: BTreeSet::new(),
            findings: Vec::new(),
        };
        let names = ["variant", "id"].map(|column| row.field(column));
        let names = names.into_iter().flatten().map(|name| format!(", {name}"));
        let name = format!("row {}{}: ", at + 1, names.collect::<String>());
        // A line that is printed turn by turn continues from the previous row.
        let before = at
            .checked_sub(1)
            .map_or("", |before| rows[before].text("fen_after"));
        let fault = row.check(&header, before).err();
        row.findings.extend(fault.map(Err));
        ((name, row.findings), row.used)
    };
    let checked = (0..rows.len()).into_par_iter().map(check);
    let (mut findings, used): (Findings, Vec<_>) = checked.unzip();
    let mut unused: Vec<&str> = header.iter().collect();
    unused.retain(|&column| !used.iter().any(|used| used.contains(column)));
    if !unused.is_empty() {
        let columns = unchecked(format!("the columns {}", unused.join(", ")));
        findings.insert(0, (String::new(), vec![columns]));
    }
    Ok(findings)
}

impl<'c> RowCheck<'c> {
    /// Returns the text of a column without marking the column as used.
    fn text(&self, column: &str) -> &'c str {
        self.fields.text(column)
    }

    /// Returns the text of a column if it is not empty, and marks the column as used.
    fn field(&mut self, column: &str) -> Option<&'c str> {
        let text = Some(self.text(column)).filter(|text| !text.is_empty())?;
        self.used.insert(column.to_string());
        Some(text)
    }

    fn number(&mut self, column: &str) -> Option<u64> {
        self.field(column)?.parse().ok()
    }

    /// Adds whether a column has the value that the naive rules compute.
    fn equal(&mut self, kind: &'static str, column: &str, computed: impl ToString) {
        if let Some(given) = self.field(column) {
            let computed = computed.to_string();
            let why = || format!("{column} is `{given}`, by the naive rules `{computed}`");
            self.findings
                .push(ensure(given == computed, why).map(|()| kind));
        }
    }

    /// Reads a position. An empty text means the start position.
    fn read(&self, fen: &str) -> Result<Position, Unverified> {
        let given = Some(fen).filter(|fen| !fen.is_empty());
        let read = self.checks.rule_sets.read(self.variant, given);
        read.or_else(|why| wrong(format!("{fen}: {why}")))
    }

    /// Reads the position in a column, and adds whether the naive rules print the same FEN.
    fn position(&mut self, column: &str) -> Result<Position, Unverified> {
        let position = self.read(self.text(column))?;
        self.equal("position", column, position.fen());
        Ok(position)
    }

    fn check(&mut self, header: &StringRecord, fen_before: &str) -> Result<(), Unverified> {
        if !self.checks.rule_sets.knows(self.variant) {
            return match self.text("variant") {
                "" => Ok(()),
                variant => unchecked(format!("the naive rules do not have `{variant}`")),
            };
        }
        if self.text("set").contains("single steps") {
            return unchecked("a single step is printed on a board with its own units alone");
        }
        if let Some(root) = self.field("root") {
            let root = self.read(root)?;
            return self.line(&root, "line");
        }
        for column in header.iter().filter(|column| column.ends_with("_fen")) {
            if !self.text(column).is_empty() {
                let fault = self.position(column).err();
                self.findings.extend(fault.map(Err));
            }
        }
        if self.text("complete").starts_with("no legal start") {
            let fen = self.text("fen");
            ensure(self.read(fen).is_err(), || "the array is legal")?;
            self.findings.push(Ok("array that is not legal"));
            return Ok(());
        }
        let mut columns = ["fen", "fen_before"].into_iter();
        let position = match columns.find(|column| self.text(column).contains(' ')) {
            Some(column) => self.position(column)?,
            None if !fen_before.is_empty() && !self.text("turn").is_empty() => {
                self.read(fen_before)?
            }
            None if !self.text("after").is_empty() || !self.text("perft_1").is_empty() => {
                self.read("")?
            }
            None => return Ok(()),
        };
        if self.field("stipulation").is_some() {
            if let Some("undecided" | "unchecked") | None = self.field("verdict") {
                return unchecked("it is not solved");
            }
            self.used.extend(["keys", "solutions"].map(str::to_string));
            let (solutions, rule_sets) = (&self.checks.solutions, &self.checks.rule_sets);
            solutions.judge_keys(self.fields, rule_sets, self.checks.positions)?;
            self.findings.push(Ok("solved problem"));
            return Ok(());
        }
        self.counts(&position);
        let is_line = |column: &&str| {
            let text = self.text(column);
            // Replies that are listed only to be refuted need not be legal.
            let may_be_illegal = *column == "reply" && self.text("outcome").is_empty();
            !text.is_empty()
                && text.parse::<f64>().is_err()
                && !text.contains('.')
                && !may_be_illegal
        };
        let column = LINES.into_iter().find(is_line);
        column.map_or(Ok(()), |column| self.line(&position, column))
    }

    /// Plays the line of the row and checks the row's statements about the position after the line. If the
    /// row has a root and a turn, the turn is the last of the line, and the statements are about the position
    /// before that turn.
    fn line(&mut self, start: &Position, column: &str) -> Result<(), Unverified> {
        let is_rooted = !self.text("root").is_empty();
        let line = self.field(column).unwrap_or_default();
        let mut turns: Vec<&str> = line.split_ascii_whitespace().collect();
        if is_rooted || column == "turns" {
            self.equal("length", "plies", turns.len());
        }
        let ends_with_turn = is_rooted && self.field("turn").is_some();
        let last = if ends_with_turn { turns.pop() } else { None };
        let played = start.play_all(turns);
        if self.field("legal") == Some("false") {
            ensure(played.is_err(), || format!("`{line}` is legal"))?;
            self.findings.push(Ok("turn that is not legal"));
            return Ok(());
        }
        let now = played?;
        let after = if is_rooted { "fen" } else { "fen_after" };
        self.equal("position after a line", after, now.fen());
        now.play_all(last)?;
        self.findings.push(Ok("line"));
        for column in ["outcome", "line_end"] {
            let word = self.text(column).split(' ').next().unwrap_or_default();
            if ["ongoing", "draw"].contains(&word) || word.contains("-wins") {
                self.equal("outcome", column, now.outcome());
            }
        }
        let certificate = self.field("certificate");
        certificate.map_or(Ok(()), |name| self.certificate(name, &now))
    }

    /// Checks the row's certificate, and that it is about this position and agrees with the row.
    fn certificate(&mut self, name: &str, position: &Position) -> Result<(), Unverified> {
        let Ok(bytes) = std::fs::read(self.path.with_file_name(name)) else {
            return unchecked(format!("the certificate {name} is not there"));
        };
        let header = certificate::check(&bytes, &self.checks.rule_sets)?;
        let plies = header.plies.map(u64::from);
        let digest = format!("{:x}", Sha256::digest(&bytes));
        let digests = [None, Some(&*digest)];
        let same = digests.contains(&self.field("certificate_sha256"))
            && self.number("plies") == plies
            && self.field("side") == Some(&header.side)
            && self.field("goal") == Some(&header.goal)
            && header.fen == position.fen();
        let why = || format!("{name} is not the certificate of this row");
        ensure(same, why)?;
        self.findings.push(Ok("row of a certificate"));
        Ok(())
    }

    /// Checks the counts of lines, positions and values.
    fn counts(&mut self, position: &Position) {
        if self.text("turns").parse::<u64>().is_ok() {
            self.equal("number of turns", "turns", position.turns().len());
        }
        let depth = self.number("depth");
        let counts = (1..=6).map(|depth| (depth, format!("perft_{depth}")));
        for (depth, column) in counts.chain(depth.map(|depth| (depth, "nodes".to_string()))) {
            let Some(count) = self.number(&column) else {
                continue;
            };
            // The last turns are counted without being played, so the cost is the number of positions before
            // them: listed, or about a twentieth of the count.
            let before = self.number(&format!("perft_{}", depth.saturating_sub(1)));
            match before.unwrap_or(count / 20) <= self.limit {
                true => self.equal("perft", &column, position.perft(depth as u32)),
                false => self.findings.push(unchecked(format!("{column} {count}"))),
            }
        }
        let (complete, states) = (self.field("complete"), self.number("states"));
        let (Some("true" | "complete"), Some(states)) = (complete, states) else {
            return;
        };
        if states > self.limit {
            return self
                .findings
                .push(unchecked(format!("a graph of {states} positions")));
        }
        let valued = depth.is_none() && !self.text("value").is_empty();
        let most_plies = depth.map_or(usize::MAX, |depth| depth as usize);
        match Graph::explore(position, most_plies, self.limit) {
            Ok(graph) => {
                for (kind, column, figure) in graph.figures(valued) {
                    self.equal(kind, &column, figure);
                }
            }
            Err(fault) => self.findings.push(Err(fault)),
        }
    }
}

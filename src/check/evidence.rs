//! Checks rows of reports and of claims' evidence: positions, lines, outcomes, counts, values, problems.
//!
//! The names of the columns determine the meaning of a row. Each cell is verified, wrong, or named as not
//! checked.

use crate::{Checks, Finding, Findings, MAX_BYTES, certificate};
use control::files::read_limited;
use csv::StringRecord;
use naive::graph::Graph;
use naive::{Document, Position, Unverified, ensure, unchecked, wrong};
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;

/// One row that is being checked.
struct RowCheck<'c> {
    checks: &'c Checks,
    path: &'c Path,
    header: &'c StringRecord,
    fields: &'c Document,
    variant: &'c str,
    /// The maximum number of positions of one count.
    limit: u64,
    /// The columns whose cells are verified or wrong.
    judged: BTreeSet<String>,
    findings: Vec<Finding>,
}

/// Columns that contain a line from the position of a row.
const LINES: [&str; 6] = ["turns", "line", "turn", "reply", "winning_turn", "after"];

/// Checks the rows of a file.
///
/// # Errors
/// If the text is not a table in which each column has a name of its own.
pub(crate) fn check(
    checks: &Checks,
    path: &Path,
    bytes: &[u8],
) -> Result<Findings, Box<dyn Error>> {
    let mut reader = csv::Reader::from_reader(bytes);
    let header = reader.headers()?.clone();
    for (at, column) in header.iter().enumerate() {
        if header.iter().take(at).any(|other| other == column) {
            return Err(format!("the column `{column}` occurs twice").into());
        }
    }
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
            header: &header,
            fields,
            variant,
            limit: checks.positions / checks.rule_sets.slowness(variant),
            judged: BTreeSet::new(),
            findings: Vec::new(),
        };
        // A line that is printed turn by turn continues from the previous row.
        let before = at
            .checked_sub(1)
            .map_or("", |before| rows[before].text("fen_after"));
        let fault = row.check(before).err();
        row.findings.extend(fault.map(Err));
        // Whichever rule set a row names, only a statement about it verifies the name.
        if row.findings.iter().any(Result::is_ok) {
            row.judge(["variant"]);
        }
        (row.findings, row.judged)
    };
    let checked: Vec<_> = (0..rows.len()).into_par_iter().map(check).collect();
    Ok(with_unjudged_cells(&header, &rows, checked))
}

/// Names what is not checked: columns of which no cell was judged, and in each row the other such cells with
/// the reasons, if there are any.
fn with_unjudged_cells(
    header: &StringRecord,
    rows: &[Document],
    checked: Vec<(Vec<Finding>, BTreeSet<String>)>,
) -> Findings {
    let is_judged = |column: &str| checked.iter().any(|(_, judged)| judged.contains(column));
    let is_filled = |column: &str| rows.iter().any(|row| !row.text(column).is_empty());
    let (some, mut none): (Vec<&str>, Vec<&str>) =
        header.iter().partition(|column| is_judged(column));
    none.retain(|column| is_filled(column));
    let mut findings = Findings::new();
    if !none.is_empty() {
        let columns = unchecked(format!("the columns {}", none.join(", ")));
        findings.push((String::new(), vec![columns]));
    }
    for (at, (found, judged)) in checked.into_iter().enumerate() {
        let fields = &rows[at];
        let names = ["variant", "id"].map(|column| fields.text(column));
        let names = names.iter().filter(|name| !name.is_empty());
        let names: String = names.map(|name| format!(", {name}")).collect();
        let mut cells = some.clone();
        cells.retain(|column| !fields.text(column).is_empty() && !judged.contains(*column));
        let (open, mut found): (Vec<Finding>, Vec<Finding>) = (found.into_iter())
            .partition(|finding| matches!(finding, Err(Unverified::Unchecked(_))));
        let mut reasons: Vec<String> = (open.into_iter())
            .filter_map(|finding| Some(finding.err()?.to_string()))
            .collect();
        if !cells.is_empty() {
            reasons.insert(0, format!("the cells {}", cells.join(", ")));
        }
        if !reasons.is_empty() {
            found.push(unchecked(reasons.join(": ")));
        }
        findings.push((format!("row {}{names}: ", at + 1), found));
    }
    findings
}

impl<'c> RowCheck<'c> {
    /// Returns the text of a column.
    fn text(&self, column: &str) -> &'c str {
        self.fields.text(column)
    }

    fn has(&self, column: &str) -> bool {
        !self.text(column).is_empty()
    }

    fn judge<'a>(&mut self, columns: impl IntoIterator<Item = &'a str>) {
        self.judged.extend(columns.into_iter().map(str::to_string));
    }

    /// Returns the result of a check of these columns. They are judged unless the check was not possible.
    fn judged<T>(
        &mut self,
        columns: &[&str],
        found: Result<T, Unverified>,
    ) -> Result<T, Unverified> {
        if !matches!(found, Err(Unverified::Unchecked(_))) {
            self.judge(columns.iter().copied());
        }
        found
    }

    /// Adds the result of a check of these columns. Returns whether they are verified.
    fn find(
        &mut self,
        kind: &'static str,
        columns: &[&str],
        found: Result<(), Unverified>,
    ) -> bool {
        let found = self.judged(columns, found).map(|()| kind);
        self.findings.push(found);
        matches!(self.findings.last(), Some(Ok(_)))
    }

    /// Returns the number in a column, or `None` if the cell is empty. A text that is not a number, or not
    /// written as numbers are, is wrong.
    fn number(&mut self, column: &str) -> Option<u64> {
        let text = self.text(column);
        let number = text.parse::<u64>().ok();
        let number = number.filter(|number| number.to_string() == text);
        if number.is_none() && !text.is_empty() && self.judged.insert(column.to_string()) {
            let why = wrong(format!("{column} is `{text}`, which is not a number"));
            self.findings.push(why);
        }
        number
    }

    /// Adds whether a column has the value that the naive rules compute.
    fn equal(&mut self, kind: &'static str, column: &str, computed: impl ToString) {
        let (given, computed) = (self.text(column), computed.to_string());
        if !given.is_empty() {
            let why = || format!("{column} is `{given}`, by the naive rules `{computed}`");
            self.find(kind, &[column], ensure(given == computed, why));
        }
    }

    /// Reads a position. An empty text means the start position.
    fn read(&self, fen: &str) -> Result<Position, Unverified> {
        let given = Some(fen).filter(|fen| !fen.is_empty());
        match self.checks.rule_sets.read(self.variant, given) {
            Err(Unverified::Wrong(why)) => wrong(format!("{fen}: {why}")),
            read => read,
        }
    }

    /// Reads the position in a column, and adds whether the naive rules print the same FEN.
    fn position(&mut self, column: &str) -> Result<Position, Unverified> {
        let read = self.read(self.text(column));
        let position = self.judged(&[column], read)?;
        self.equal("position", column, position.fen());
        Ok(position)
    }

    fn check(&mut self, fen_before: &str) -> Result<(), Unverified> {
        if self.variant.is_empty() {
            return Ok(());
        }
        if let Err(Unverified::Unchecked(why)) = self.read("") {
            return unchecked(why);
        }
        if self.text("set").contains("single steps") {
            return unchecked("a single step is printed on a board with its own units alone");
        }
        if self.has("root") {
            let root = self.position("root")?;
            return self.line(&root, "line");
        }
        let is_fen = |column: &&str| column.ends_with("_fen") && !self.text(column).is_empty();
        let mut fens: BTreeMap<&str, Position> = BTreeMap::new();
        for column in self.header.iter().filter(is_fen).collect::<Vec<_>>() {
            match self.position(column) {
                Ok(position) => _ = fens.insert(column, position),
                Err(fault) => self.findings.push(Err(fault)),
            }
        }
        if self.text("complete").starts_with("no legal start") {
            let found = match self.read(self.text("fen")) {
                Ok(position) if position.has_reasons() => wrong("the array is legal"),
                Ok(_) => unchecked("whether the array is legal"),
                Err(Unverified::Wrong(_)) => Ok(()),
                Err(fault) => Err(fault),
            };
            self.find("array that is not legal", &["complete", "fen"], found);
            return Ok(());
        }
        let mut columns = ["fen", "fen_before"].into_iter();
        let position = match columns.find(|column| self.text(column).contains(' ')) {
            Some(column) => self.position(column)?,
            None if !fen_before.is_empty() && self.has("turn") => self.read(fen_before)?,
            None if self.has("after") || self.has("perft_1") => self.read("")?,
            None => return Ok(()),
        };
        if self.has("stipulation") {
            self.problem();
            return Ok(());
        }
        self.counts(&position, fens.get("longest_win_fen"));
        let is_line = |column: &&str| {
            let text = self.text(column);
            // Replies that are listed only to be refuted need not be legal.
            let may_be_illegal = *column == "reply" && !self.has("outcome");
            !text.is_empty()
                && text.parse::<f64>().is_err()
                && !text.contains('.')
                && !may_be_illegal
        };
        let column = LINES.into_iter().find(is_line);
        column.map_or(Ok(()), |column| self.line(&position, column))
    }

    /// Checks the first turns and the number of the solutions of a problem, and whether the verdict fits them.
    fn problem(&mut self) {
        let mut columns = vec!["stipulation", "keys", "solutions"];
        let count = self.text("solutions");
        let fits = match self.text("verdict") {
            "undecided" | "unchecked" | "" => {
                return self.findings.push(unchecked("it is not solved"));
            }
            "sound" => Some(count == "1"),
            "cooked" | "several-solutions" => Some(!["0", "1"].contains(&count)),
            "no-solution" => Some(count == "0"),
            _ => None,
        };
        if fits.is_some() {
            columns.push("verdict");
        }
        let keys: Vec<&str> = self.text("keys").split(' ').collect();
        let is_word = |key: &&str| !key.is_empty() && !key.contains(char::is_whitespace);
        let is_printed = !count.is_empty() && (keys == [""] || keys.iter().all(is_word));
        let (solutions, rule_sets) = (&self.checks.solutions, &self.checks.rule_sets);
        let found = solutions
            .judge_keys(self.fields, rule_sets, self.checks.positions)
            .and_then(|()| ensure(is_printed, || "its solutions are not written as printed"))
            .and_then(|()| {
                ensure(fits != Some(false), || {
                    format!("{count} solutions do not fit the verdict")
                })
            });
        self.find("solved problem", &columns, found);
    }

    /// Plays the line of the row and checks the row's statements about the position after the line. If the
    /// row has a root and a turn, the turn is the last of the line, and the statements are about the position
    /// before that turn.
    fn line(&mut self, start: &Position, column: &str) -> Result<(), Unverified> {
        let is_rooted = self.has("root");
        let line = self.text(column);
        let mut turns: Vec<&str> = line.split(' ').filter(|_| !line.is_empty()).collect();
        if is_rooted || column == "turns" {
            self.equal("length", "plies", turns.len());
        }
        let last = match is_rooted && self.has("turn") {
            true => turns.pop(),
            false => None,
        };
        let played = start.play_all(turns);
        if self.text("legal") == "false" {
            let found = match played {
                Err(Unverified::Wrong(_)) => Ok(()),
                Err(fault) => Err(fault),
                Ok(_) => wrong(format!("`{line}` is legal")),
            };
            self.find("turn that is not legal", &["legal", column], found);
            return Ok(());
        }
        let now = self.judged(&[column], played)?;
        let after = if is_rooted { "fen" } else { "fen_after" };
        self.equal("position after a line", after, now.fen());
        if let Some(last) = last {
            self.judge(["turn"]);
            now.play(last)?;
            let turn = self.text("turn");
            ensure(last == turn, || {
                format!("the line ends with `{last}`, not `{turn}`")
            })?;
        }
        if self.text("legal") == "true" {
            self.judge(["legal"]);
        }
        self.findings.push(Ok("line"));
        for column in ["outcome", "line_end"] {
            self.outcome(column, &now);
        }
        self.endless(start, line, &now);
        match self.has("certificate") {
            true => self.certificate(&now),
            false => Ok(()),
        }
    }

    /// Checks the outcome in a column. The naive rules give no reasons for the ends in definitions.
    fn outcome(&mut self, column: &str, position: &Position) {
        let given = self.text(column);
        let word = given.split(' ').next().unwrap_or_default();
        if !["ongoing", "draw"].contains(&word) && !word.contains("-wins") {
            return;
        }
        let computed = match position.outcome() {
            Ok(computed) => computed,
            Err(fault) => return self.findings.push(Err(fault)),
        };
        if position.has_reasons() || computed == "ongoing" || word == "ongoing" {
            return self.equal("outcome", column, computed);
        }
        let computed = computed.trim_end();
        let why = || format!("{column} is `{given}`, by the naive rules `{computed}`");
        let reason = || unchecked(format!("the reason of `{given}`, an end in a definition"));
        let found = ensure(word == computed, why).and_then(|()| reason());
        self.find("outcome", &[column], found);
    }

    /// Checks that a line ends with a position that it contains before, if the row says so.
    fn endless(&mut self, start: &Position, line: &str, now: &Position) {
        let given = self.text("line_end");
        let after = given.strip_prefix("endless, repeating the position after ");
        let after =
            after.and_then(|text| text.strip_suffix(" turns").or(text.strip_suffix(" turn")));
        let Some(after) = after.and_then(|number| number.parse::<usize>().ok()) else {
            return;
        };
        let earlier = start.play_all(line.split(' ').take(after));
        let found = earlier.and_then(|earlier| {
            let repeats = after < line.split(' ').count() && earlier.identity() == now.identity();
            ensure(repeats, || format!("the line is not {given}"))
        });
        self.find("repetition", &["line_end"], found);
    }

    /// Checks the row's certificate, and that it is about this position and agrees with the row.
    fn certificate(&mut self, position: &Position) -> Result<(), Unverified> {
        const COLUMNS: [&str; 5] = ["certificate", "certificate_sha256", "plies", "side", "goal"];
        let name = self.text("certificate");
        let plies = self.number("plies");
        let Ok(bytes) = read_limited(&self.path.with_file_name(name), MAX_BYTES) else {
            return unchecked(format!("the certificate {name} cannot be read"));
        };
        let found = certificate::check(&bytes, &self.checks.rule_sets);
        let header = self.judged(&COLUMNS, found)?;
        let digest = format!("{:x}", Sha256::digest(&bytes));
        let same = ["", &*digest].contains(&self.text("certificate_sha256"))
            && plies == header.plies.map(u64::from)
            && self.text("side") == header.side
            && self.text("goal") == header.goal
            && header.fen == position.fen();
        let why = || format!("{name} is not the certificate of this row");
        self.find("row of a certificate", &COLUMNS, ensure(same, why));
        Ok(())
    }

    /// Checks the counts of lines, positions and values.
    fn counts(&mut self, position: &Position, longest_win: Option<&Position>) {
        if self.text("turns").parse::<u64>().is_ok() {
            match position.turns() {
                Ok(turns) => self.equal("number of turns", "turns", turns.len()),
                Err(fault) => self.findings.push(Err(fault)),
            }
        }
        let depth = self.number("depth");
        let depth_of = |column: &str| column.strip_prefix("perft_")?.parse::<u64>().ok();
        let columns = self.header.iter();
        let perft: Vec<_> = columns
            .filter_map(|column| Some((depth_of(column)?, column)))
            .collect();
        for (depth, column) in perft {
            self.perft(position, depth, column);
        }
        if let Some(depth) = depth
            && self.has("nodes")
        {
            self.perft(position, depth, "nodes");
        }
        let states = self.number("states");
        if let ("true" | "complete", Some(states)) = (self.text("complete"), states) {
            self.graph(position, states, depth, longest_win);
        }
    }

    /// Checks the number of lines of `depth` turns in a column.
    fn perft(&mut self, position: &Position, depth: u64, column: &str) {
        let Some(lines) = self.number(column) else {
            return;
        };
        let mut columns = vec![column];
        columns.extend(["depth"].into_iter().filter(|_| column == "nodes"));
        // The last turns are counted without being played, so the cost is the number of positions before
        // them: listed, or about a twentieth of the count.
        let listed = self.text(&format!("perft_{}", depth.saturating_sub(1)));
        let before = listed.parse().unwrap_or(lines / 20);
        let counted = match (before <= self.limit, u32::try_from(depth)) {
            (true, Ok(depth)) => position.perft(depth, lines, self.limit.saturating_mul(20)),
            _ => unchecked(format!("{column} {lines}")),
        };
        let found = counted.and_then(|counted| {
            ensure(counted == Some(lines), || {
                let counted = counted.map_or("more".to_string(), |counted| counted.to_string());
                format!("{column} is `{lines}`, by the naive rules `{counted}`")
            })
        });
        self.find("perft", &columns, found);
    }

    /// Checks the figures of the graph of a position: complete, or to a depth.
    fn graph(
        &mut self,
        position: &Position,
        states: u64,
        depth: Option<u64>,
        longest_win: Option<&Position>,
    ) {
        let valued = depth.is_none() && self.has("value");
        let most_plies = depth.map_or(usize::MAX, |depth| depth as usize);
        let graph = match states > self.limit {
            true => unchecked(format!("a graph of {states} positions")),
            false => match Graph::explore(position, most_plies, states) {
                Err(Unverified::Unchecked(_)) => {
                    wrong(format!("states is `{states}`, by the naive rules more"))
                }
                graph => graph,
            },
        };
        let graph = match self.judged(&["complete", "states"], graph) {
            Ok(graph) => graph,
            Err(fault) => return self.findings.push(Err(fault)),
        };
        self.judge(["complete", "depth"]);
        let census = valued.then(|| graph.census());
        for (kind, column, figure) in graph.figures(census.as_ref()) {
            // A win without its length would say that there is none.
            if !self.has(&column) && !figure.is_empty() && self.header.iter().any(|c| c == column) {
                let why = format!("{column} is empty, by the naive rules `{figure}`");
                self.findings.push(wrong(why));
            }
            self.equal(kind, &column, figure);
        }
        if let (Some(census), Some(longest_win)) = (&census, longest_win) {
            let holds = graph.is_longest_win(census, longest_win);
            let found = ensure(holds, || "longest_win_fen is not one of the longest wins");
            self.findings
                .push(found.map(|()| "position of a longest win"));
        }
    }
}

//! Checks rows of reports and of claims' evidence: positions, lines, outcomes, counts, values, problems.
//!
//! The names of the columns determine the meaning of a row. Each cell is verified, wrong, or named as not
//! checked. A cell is verified if all that it says has been compared, as `columns.rs` lists.

use crate::{Checks, Finding, Findings, MAX_BYTES, certificate, columns};
use ::certificate::Kind;
use control::files::read_limited;
use csv::StringRecord;
use naive::graph::{Census, Graph};
use naive::problem::Stipulation;
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

/// Kinds of findings that hold in many rule sets.
const WEAK: [&str; 6] = [
    "position",
    "size of the board",
    "side to move",
    "units",
    "line",
    "length",
];

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
        let named = ["variant_of_row", "variant"].map(|column| fields.text(column));
        let variant = named.into_iter().find(|variant| !variant.is_empty());
        let variant = variant.or(of_file).unwrap_or_default();
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
        // A rule set and a position are verified with what the row says of them. That a position or a line is legal holds
        // in many rule sets, so it is enough only in rows that say nothing else.
        let subjects = ["variant", "variant_of_row", "after", "fen", "fen_of_row"];
        let is_open = |column: &&str| {
            !subjects.contains(column) && row.has(column) && !row.judged.contains(*column)
        };
        let weak = WEAK.iter().map(|kind| Ok(*kind)).collect::<Vec<Finding>>();
        let mut verified = row.findings.iter().filter(|finding| finding.is_ok());
        if verified.clone().any(|finding| !weak.contains(finding))
            || verified.next().is_some() && !header.iter().any(|column| is_open(&column))
        {
            let named = |column: &&str| fields.text(column) == variant;
            row.judge(subjects.into_iter().filter(named));
        } else {
            subjects
                .iter()
                .for_each(|column| _ = row.judged.remove(*column));
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
    let is_filled =
        |column: &str| rows.is_empty() || rows.iter().any(|row| !row.text(column).is_empty());
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
        let known = columns
            .into_iter()
            .filter(|column| columns::is_known(column));
        self.judged.extend(known.map(str::to_string));
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
        for column in self.header.iter().filter(is_fen).collect::<Vec<_>>() {
            let found = self.printed(column);
            self.find("position", &[], found);
        }
        if self.has("signature") {
            self.endgame("longest_win_fen", "longest_win_plies", "win");
            self.endgame("longest_loss_fen", "longest_loss_plies", "loss");
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
        let mut columns = ["fen_of_row", "fen", "fen_before"].into_iter();
        let position = match columns.find(|column| self.text(column).contains(' ')) {
            Some(column) => self.position(column)?,
            None if !fen_before.is_empty() && self.has("turn") => self.read(fen_before)?,
            None if self.has("after") || self.has("perft_1") => self.read("")?,
            None => return Ok(()),
        };
        if self.has("fen") {
            self.equal("size of the board", "board", board_of(&position));
        }
        if self.has("signature") {
            let found = self.fits_signature(&position);
            self.find("units", &["signature"], found);
        }
        if self.has("stipulation") {
            self.problem();
            return Ok(());
        }
        self.counts(&position);
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

    /// Checks that a FEN is written as the naive rules print it.
    fn printed(&self, column: &str) -> Result<(), Unverified> {
        let given = self.text(column);
        let computed = self.read(given)?.fen();
        ensure(given == computed, || {
            format!("{column} is `{given}`, by the naive rules `{computed}`")
        })
    }

    /// Checks that a position has the units of the row's signature, White's first.
    fn fits_signature(&self, position: &Position) -> Result<(), Unverified> {
        let (mut white, mut black): (Vec<char>, Vec<char>) =
            (position.cells().into_iter().flatten()).partition(char::is_ascii_uppercase);
        black
            .iter_mut()
            .for_each(|unit| unit.make_ascii_uppercase());
        let sorted = |units: &mut Vec<char>| {
            units.sort_unstable();
            units.iter().collect::<String>()
        };
        let sides = [sorted(&mut white), sorted(&mut black)];
        let signature = self.text("signature");
        let (first, second) = signature.split_once('v').unwrap_or((signature, ""));
        let given = [first, second].map(|units| sorted(&mut units.chars().collect()));
        ensure(sides == given, || {
            format!("`{}` does not have the units {signature}", position.fen())
        })
    }

    /// Checks a position of an endgame table: its units, board and side to move, and its value and distance, if it is
    /// not too large. That no win or loss of the class is longer is not checked.
    fn endgame(&mut self, column: &'static str, plies: &str, value: &'static str) {
        let fen = self.text(column);
        let Ok(position) = self.read(fen) else {
            return;
        };
        if fen.is_empty() {
            return;
        }
        self.equal("size of the board", "board", board_of(&position));
        self.equal(
            "side to move",
            "side",
            if position.is_white() { "w" } else { "b" },
        );
        let found = self.fits_signature(&position);
        if !self.find("units", &["signature"], found) {
            return;
        }
        let (distance, legal) = (self.number(plies), self.number("legal"));
        let found = match legal.filter(|legal| *legal <= self.limit) {
            None => unchecked(format!("the value of {column}")),
            Some(_) => Graph::explore(&position, usize::MAX, self.limit).and_then(|graph| {
                let census = graph.census();
                let holds = census.value == value && census.plies.map(|n| n as u64) == distance;
                ensure(holds, || {
                    let end = census
                        .plies
                        .map_or_else(String::new, |n| format!(" in {n} plies"));
                    format!("{column} is a {}{end} by the naive rules", census.value)
                })
            }),
        };
        self.find("value of a position", &[column], found);
    }

    /// Checks the solutions of a problem and the verdict, and whether they are those that were expected.
    fn problem(&mut self) {
        let keys: Vec<&str> = self.text("keys").split(' ').collect();
        let is_word = |key: &&str| !key.is_empty() && !key.contains(char::is_whitespace);
        let is_printed = keys == [""] || keys.iter().all(is_word);
        // In tables, help and series play with several solutions is called cooked, too.
        let several =
            Stipulation::read(self.text("stipulation")).map(|asked| asked.verdict(2, false));
        let verdict = match (self.text("verdict"), several) {
            ("cooked", Ok(several)) => several,
            (verdict, _) => verdict,
        };
        let columns = [
            "variant",
            "fen",
            "stipulation",
            "solutions",
            "keys",
            "verdict",
        ];
        let texts = columns
            .into_iter()
            .map(|column| (column, self.text(column)));
        let texts = texts.map(|(column, text)| match column {
            "variant" => (column, self.variant),
            "verdict" => (column, verdict),
            _ => (column, text),
        });
        let is_solved = !["undecided", "unchecked"].contains(&verdict);
        // An empty cell of a row with a verdict says that there is nothing.
        let is_said = |(column, text): &(&str, &str)| {
            self.header.iter().any(|known| known == *column)
                && (self.has("verdict") || !text.is_empty())
                || *column == "variant"
        };
        let texts = texts
            .filter(is_said)
            .map(|(column, text)| (column.to_string(), text.to_string()));
        let stated = Document::from(texts.collect::<BTreeMap<_, _>>());
        let (solutions, rule_sets) = (&self.checks.solutions, &self.checks.rule_sets);
        let found = match is_solved {
            true => solutions.judge_keys(&stated, rule_sets, self.checks.positions),
            false => unchecked("it is not solved"),
        };
        let found =
            found.and_then(|()| ensure(is_printed, || "its solutions are not written as printed"));
        if !self.find("solved problem", &columns[2..], found) || self.text("result") != "solved" {
            return;
        }
        let expected = ["expected_solutions", "expected_keys"];
        let pairs = expected.into_iter().zip(["solutions", "keys"]);
        let differs = |(expected, found): (&str, &str)| {
            self.has(expected) && self.text(expected) != self.text(found)
        };
        let differs = pairs.clone().any(differs);
        let found = ensure(!differs, || "it is not the expected solution");
        self.find(
            "expected solution",
            &["expected_solutions", "expected_keys", "result"],
            found,
        );
    }

    /// Plays the line of the row and checks the row's statements about the position after the line. If the
    /// row has a root and a turn, the turn is the last of the line, and the statements are about the position
    /// before that turn.
    fn line(&mut self, start: &Position, column: &str) -> Result<(), Unverified> {
        let is_rooted = self.has("root");
        let line = self.text(column);
        let mut turns: Vec<&str> = line.split(' ').filter(|_| !line.is_empty()).collect();
        // Lines of best play and longest games say more than that their turns are legal.
        let says_more = ["value", "answer", "longest_plies", "signature"];
        let is_best = !is_rooted && self.header.iter().any(|other| says_more.contains(&other));
        if is_rooted || column == "turns" && !is_best {
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
        let columns = if is_best { &[][..] } else { &[column] };
        let now = match played {
            Err(Unverified::Wrong(why)) => self.judged(&[column], wrong(why))?,
            played => self.judged(columns, played)?,
        };
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
        for column in ["outcome", "outcome_after", "line_end"] {
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
        const COLUMNS: [&str; 7] = [
            "certificate",
            "certificate_sha256",
            "certificate_positions",
            "status",
            "plies",
            "side",
            "goal",
        ];
        let name = self.text("certificate");
        let plies = self.number("plies");
        let Ok(bytes) = read_limited(&self.path.with_file_name(name), MAX_BYTES) else {
            return unchecked(format!("the certificate {name} cannot be read"));
        };
        let found = certificate::check(&bytes, &self.checks.rule_sets);
        let header = self.judged(&COLUMNS, found)?;
        let digest = format!("{:x}", Sha256::digest(&bytes));
        let status = match header.kind {
            Kind::Force => "proven",
            Kind::Avoid => "disproven",
            Kind::Refute => "open",
        };
        let is_or_empty = |column: &str, text: &str| ["", text].contains(&self.text(column));
        // Without a status, the row says by its plies that the goal is forced.
        let same = header.variant == self.variant
            && (self.text("status") == status || !self.has("status") && header.kind == Kind::Force)
            && is_or_empty("certificate_sha256", &digest)
            && is_or_empty("certificate_positions", &header.positions.to_string())
            && plies == header.plies.map(u64::from)
            && self.text("side") == header.side
            && self.text("goal") == header.goal
            && header.fen == position.fen();
        let why = || format!("{name} is not the certificate of this row");
        self.find("row of a certificate", &COLUMNS, ensure(same, why));
        Ok(())
    }

    /// Checks the counts of lines, positions and values.
    fn counts(&mut self, position: &Position) {
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
            self.graph(position, states, depth);
        }
        if self.has("checked") && self.has("longest_plies") {
            let found = self.bounded(position);
            self.find(
                "longest game",
                &["checked", "longest_plies", "turns"],
                found,
            );
        }
    }

    /// Checks the longest game of a complete graph, which an array of a bound has.
    fn bounded(&self, position: &Position) -> Result<(), Unverified> {
        let checked = self.text("checked").strip_prefix("complete, ");
        let counts = checked.and_then(|text| text.strip_suffix(" edges, within the bound"));
        let counts = counts.and_then(|text| text.split_once(" states, "));
        let counts =
            counts.and_then(|(a, b)| Some((a.parse::<u64>().ok()?, b.parse::<u64>().ok()?)));
        let Some((states, edges)) = counts.filter(|(states, _)| *states <= self.limit) else {
            return unchecked("the longest game");
        };
        let graph = Graph::explore(position, usize::MAX, self.limit)?;
        let line: Vec<&str> = self
            .text("turns")
            .split(' ')
            .filter(|turn| !turn.is_empty())
            .collect();
        position.play_all(line.iter().copied())?;
        let longest = graph.longest_path();
        let holds = (graph.states() as u64, graph.edges as u64) == (states, edges)
            && longest.is_some_and(|plies| plies.to_string() == self.text("longest_plies"))
            && longest == Some(line.len());
        ensure(holds, || {
            format!(
                "the graph has {} states and {} edges, its longest game {longest:?} plies",
                graph.states(),
                graph.edges
            )
        })
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
    fn graph(&mut self, position: &Position, states: u64, depth: Option<u64>) {
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
        if self.has("terminals") {
            let given: BTreeSet<&str> = self.text("terminals").split("; ").collect();
            let computed = graph.terminals();
            let computed: Vec<String> = computed
                .iter()
                .map(|(end, n)| format!("{end} {n}"))
                .collect();
            let holds = given == computed.iter().map(String::as_str).collect();
            let found = ensure(holds, || format!("the ends are {}", computed.join("; ")));
            self.find("ends by outcome", &["terminals"], found);
        }
        if let Some(census) = &census {
            self.best_play(position, &graph, census);
        }
    }

    /// Checks the line of best play and the position of the longest win.
    fn best_play(&mut self, position: &Position, graph: &Graph, census: &Census) {
        if self.has("line") {
            let turns = self.text("line").split(' ');
            let found = turns.clone().enumerate().try_fold(
                vec![position.clone()],
                |mut line, (at, turn)| {
                    line.push(line[at].play(turn)?);
                    Ok(line)
                },
            );
            let found = found.and_then(|line| {
                let why = || "the line is not one of best play";
                ensure(graph.is_best_line(census, &line), why)
            });
            self.find("line of best play", &["line"], found);
        }
        if self.header.iter().any(|column| column == "longest_win_fen") {
            let found = match (self.text("longest_win_fen"), census.longest_win_plies) {
                ("", None) => return,
                ("", Some(_)) => wrong("longest_win_fen is empty"),
                (fen, _) => self.read(fen).and_then(|position| {
                    let holds = graph.is_longest_win(census, &position);
                    ensure(holds, || "longest_win_fen is not one of the longest wins")
                }),
            };
            self.find("position of a longest win", &["longest_win_fen"], found);
        }
    }
}

/// Returns the size of a position's board in words, such as `8x8`.
fn board_of(position: &Position) -> String {
    let fen = position.fen();
    let board = fen.split([' ', '[']).next().unwrap_or_default();
    let ranks = board.split('/').count();
    format!("{}x{ranks}", position.cells().len() / ranks)
}

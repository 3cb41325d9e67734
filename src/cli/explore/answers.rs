//! The answers to `explore --find`, `--always` and `--count`, as text, JSON and CSV.

use super::questions::{Finding, OpenQuestion, Question};
use super::say_limit;
use crate::answer::{Answer, Verdict};
use crate::args::Format;
use control::{Stopped, counted};
use notation::fen;
use position::Layout;
use report::table;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::io::{self, Write};
use struct_field_names_as_array::FieldNamesAsSlice;

/// An answer, as the object of the JSON format.
#[derive(Serialize)]
struct Object<'a> {
    expression: &'a str,
    result: &'static str,
    /// The number of turns of the line.
    plies: Option<usize>,
    /// A shortest line to the position that answers the question.
    line: Option<&'a [String]>,
    /// The position at the end of the line.
    fen: Option<&'a str>,
    count: Option<u64>,
    /// The numbers of states by group, in the order of the groups.
    #[serde(serialize_with = "by_name")]
    groups: Option<Vec<(String, u64)>>,
    /// Whether all states of the complete graph were examined.
    complete: bool,
    limit: Option<&'a str>,
}

/// The row that answers `--find` or `--always`.
#[derive(Serialize, FieldNamesAsSlice)]
struct WitnessRow<'a> {
    variant: String,
    root: String,
    expression: &'a str,
    result: &'static str,
    plies: Option<usize>,
    line: Option<String>,
    fen: Option<&'a str>,
    complete: bool,
    limit: Option<&'a str>,
}

/// The row of one group of `--count`.
#[derive(Serialize, FieldNamesAsSlice)]
struct GroupRow<'a> {
    variant: &'a str,
    root: &'a str,
    expression: &'a str,
    group: String,
    count: Option<u64>,
    complete: bool,
    limit: Option<&'a str>,
}

/// The row of one group of `--count` in text format.
#[derive(Serialize, FieldNamesAsSlice)]
struct ShortRow {
    group: String,
    count: u64,
}

impl<W: Layout> OpenQuestion<'_, W> {
    /// Writes an answer to `out`, and prints the limit if one matters. Returns the verdict.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn print(&self, finding: &Finding, out: &mut dyn Write) -> Answer {
        let limit = finding.limit.map(|limit| limit.limit());
        let limit = limit.or(finding.missing.as_deref());
        let witness = finding.witness.as_ref();
        let result = match (self.question, witness) {
            (Question::Count, _) if finding.missing.is_some() => "limit",
            (Question::Count, _) => "count",
            (Question::Find, Some(_)) => "found",
            (Question::Always, Some(_)) => "counterexample",
            (_, None) if limit.is_some() => "limit",
            (Question::Find, None) => "none",
            (Question::Always, None) => "holds",
        };
        let is_counted = result == "count";
        let answer = Object {
            expression: self.text,
            result,
            plies: witness.map(|(_, line)| line.len()),
            line: witness.map(|(_, line)| &line[..]),
            fen: witness.map(|(fen, _)| &fen[..]),
            count: is_counted.then(|| finding.groups.values().sum()),
            groups: self.by.as_ref().filter(|_| is_counted).map(|_| {
                let groups = finding.groups.iter();
                groups.map(|(group, &n)| (group.to_string(), n)).collect()
            }),
            complete: finding.whole && limit.is_none(),
            limit,
        };
        match self.format {
            Format::Json => table::json(&answer, out)?,
            Format::Csv => self.print_csv(answer, out)?,
            Format::Text => print_text(answer, finding.states, out)?,
        }
        out.flush()?;
        if let (Some(limit), None) = (limit, witness) {
            say_limit(limit);
        }
        Ok(match result {
            _ if finding.limit == Some(Stopped::Interrupted) => Verdict::Interrupted,
            "limit" => Verdict::Undecided,
            "count" if limit.is_some() => Verdict::Undecided,
            "none" | "counterexample" => Verdict::Finding,
            _ => Verdict::Done,
        })
    }

    fn print_csv(&self, answer: Object<'_>, out: &mut dyn Write) -> io::Result<()> {
        let game = self.start.game.as_ref();
        let variant = game.variant().to_string();
        let root = fen::print(game, &self.start.position);
        if self.question != Question::Count {
            let row = WitnessRow {
                variant,
                root,
                expression: answer.expression,
                result: answer.result,
                plies: answer.plies,
                line: answer.line.map(|line| line.join(" ")),
                fen: answer.fen,
                complete: answer.complete,
                limit: answer.limit,
            };
            return table::csv(&[row], out);
        }
        let groups: Vec<(String, Option<u64>)> = match answer.groups {
            Some(groups) => groups
                .into_iter()
                .map(|(name, n)| (name, Some(n)))
                .collect(),
            None => vec![(String::new(), answer.count)],
        };
        let rows = groups.into_iter().map(|(group, count)| GroupRow {
            variant: &variant,
            root: &root,
            expression: answer.expression,
            group,
            count,
            complete: answer.complete,
            limit: answer.limit,
        });
        table::csv_of(rows, out)
    }
}

/// Serializes groups as an object, sorted by name.
fn by_name<S: Serializer>(groups: &Option<Vec<(String, u64)>>, to: S) -> Result<S::Ok, S::Error> {
    let groups = groups.as_ref();
    let sorted = groups.map(|groups| groups.iter().cloned().collect::<BTreeMap<_, _>>());
    sorted.serialize(to)
}

fn print_text(answer: Object<'_>, states: u64, out: &mut dyn Write) -> io::Result<()> {
    if let (Some(line), Some(fen)) = (answer.line, answer.fen) {
        let plies = counted(line.len() as u64, "ply", "plies");
        writeln!(out, "{} after {plies}", answer.result)?;
        if !line.is_empty() {
            writeln!(out, "{}", line.join(" "))?;
        }
        return writeln!(out, "{fen}");
    }
    match (answer.result, answer.limit) {
        ("count", _) => match answer.groups.filter(|groups| !groups.is_empty()) {
            Some(groups) => {
                let row = |(group, count)| ShortRow { group, count };
                let rows: Vec<ShortRow> = groups.into_iter().map(row).collect();
                table::text(&rows, out)
            }
            None => writeln!(out, "{}", answer.count.unwrap_or(0)),
        },
        (_, Some(limit)) => writeln!(out, "undecided: {states} states, then the limit {limit}"),
        ("holds", None) => writeln!(out, "holds in all {states} states of the complete graph"),
        (_, None) => writeln!(out, "none of the {states} states of the complete graph"),
    }
}

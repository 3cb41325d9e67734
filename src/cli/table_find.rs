//! `table find`: the positions of an endgame table for which an expression holds.

use super::answer::{Answer, Failure, Verdict, say};
use super::args::Format;
use super::expressions::Compiler;
use super::interrupt;
use super::table::Find;
use catalog::Catalog;
use control::{Control, parallel};
use language::About;
use report::table;
use rules::AnyGame;
use serde::Serialize;
use std::io::{self, Write};
use tables::{FoundPosition, Layout, Query, QueryError, Signature, Tables, find_positions};

/// The limit that stops a query.
const LIMIT: &str = "time";

/// The JSON format of a position.
#[derive(Serialize)]
struct PositionObject<'a> {
    fen: &'a str,
    value: &'static str,
    plies: Option<u16>,
    by: &'a [String],
}

/// A writer for positions as they are found.
struct Listing<'a> {
    format: Format,
    /// The columns before the FEN: variant, board, signature.
    table: [String; 3],
    by: &'a [String],
    expression: &'a str,
    rows: u64,
}

impl Listing<'_> {
    fn begin(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.format {
            Format::Text => Ok(()),
            Format::Csv => {
                let columns = ["variant", "board", "signature", "fen", "value", "plies"];
                let by = self.by.iter().map(String::as_str);
                record(columns.into_iter().chain(by), out)
            }
            Format::Json => {
                let expression = serde_json::to_string(self.expression)?;
                write!(
                    out,
                    "{{\n  \"expression\": {expression},\n  \"positions\": ["
                )
            }
        }
    }

    fn row(&mut self, found: &FoundPosition, out: &mut dyn Write) -> io::Result<()> {
        let plies = found.plies;
        let plies_text = plies.map_or(String::new(), |plies| plies.to_string());
        self.rows += 1;
        match self.format {
            Format::Text => {
                let value = match plies {
                    Some(plies) => format!("{} {plies}", found.word),
                    None => found.word.to_owned(),
                };
                write!(out, "{}  {value}", found.fen)?;
                for by in &found.by {
                    write!(out, "  {by}")?;
                }
                out.write_all(b"\n")
            }
            Format::Csv => {
                let table = self.table.iter().map(String::as_str);
                let own = [found.fen.as_str(), found.word, &plies_text];
                let by = found.by.iter().map(String::as_str);
                record(table.chain(own).chain(by), out)
            }
            Format::Json => {
                out.write_all(if self.rows == 1 {
                    b"\n    "
                } else {
                    b",\n    "
                })?;
                serde_json::to_writer(
                    &mut *out,
                    &PositionObject {
                        fen: &found.fen,
                        value: found.word,
                        plies,
                        by: &found.by,
                    },
                )?;
                Ok(())
            }
        }
    }

    fn end(&self, complete: bool, out: &mut dyn Write) -> io::Result<()> {
        if self.format == Format::Json {
            let result = if self.rows > 0 { "found" } else { "none" };
            let count = self.rows;
            let limit = match complete {
                true => "null".to_string(),
                false => format!("\"{LIMIT}\""),
            };
            writeln!(
                out,
                "\n  ],\n  \"result\": \"{result}\",\n  \"count\": {count},\n  \"complete\": {complete},\n  \"limit\": {limit}\n}}"
            )?;
        }
        Ok(())
    }
}

fn record<'a>(fields: impl Iterator<Item = &'a str>, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(fields).map_err(io::Error::from)?;
    writer.flush()
}

/// Runs the command and writes the positions to `out`.
pub fn answer<W: Layout>(
    catalog: &Catalog,
    args: &Find,
    any: &AnyGame,
    tables: &Tables<W>,
    signature: &Signature,
    out: &mut dyn Write,
) -> Answer {
    let compiler = Compiler::new(catalog, any, About::VALUED);
    let condition = compiler.condition("expression", &args.condition)?;
    let by = args.by.iter().map(|by| compiler.read("--by", by));
    let by = by.collect::<Result<Vec<_>, _>>()?;
    interrupt::timed(Control::new(), args.time);
    let pool = parallel::pool(args.threads.count());
    let query = Query {
        tables,
        signature,
        condition: &condition,
        by: &by,
        counting: args.counting(),
        counts: args.count,
        pool: pool.as_ref(),
        stop: &interrupt::is_due,
    };
    let game = tables.game();
    let mut listing = Listing {
        format: args.format.format,
        table: [
            game.variant().to_string(),
            game.board().geometry().size(),
            signature.to_string(),
        ],
        by: &args.by,
        expression: &args.condition,
        rows: 0,
    };
    if !args.count {
        listing.begin(out)?;
    }
    let found = find_positions(&query, &mut |found| listing.row(&found, out));
    let mut stopped = None;
    let groups = match found {
        Ok(groups) => groups,
        Err(QueryError::Input(error)) => return Err(error.into()),
        Err(QueryError::Output(error)) => return Err(Failure::Output(error)),
        // What was counted so far is printed too, labeled as incomplete.
        Err(QueryError::Interrupted(groups)) => {
            stopped = Some(interrupt::verdict());
            groups
        }
    };
    let complete = stopped.is_none();
    if !args.count {
        listing.end(complete, out)?;
        return Ok(stopped.unwrap_or(Verdict::found(listing.rows == 0)));
    }
    if !complete {
        say("not complete: the count is that of the positions examined so far");
    }
    let count: u64 = groups.values().sum();
    let grouped = !args.by.is_empty();
    match args.format.format {
        Format::Text if !grouped => writeln!(out, "{count}")?,
        Format::Text => {
            for (group, count) in &groups {
                writeln!(out, "{group}: {count}")?;
            }
        }
        Format::Csv => {
            record(
                ["variant", "board", "signature", "group", "count"].into_iter(),
                out,
            )?;
            for (group, count) in &groups {
                let [variant, board, signature] = &listing.table;
                let (group, count) = (group.to_string(), count.to_string());
                record(
                    [variant, board, signature, &group, &count]
                        .into_iter()
                        .map(String::as_str),
                    out,
                )?;
            }
        }
        Format::Json => {
            let groups: std::collections::BTreeMap<String, u64> = groups
                .iter()
                .map(|(group, &count)| (group.to_string(), count))
                .collect();
            let object = serde_json::json!({
                "expression": args.condition,
                "result": "count",
                "count": count,
                "groups": grouped.then_some(groups),
                "complete": complete,
                "limit": (!complete).then_some(LIMIT),
            });
            table::json(&object, out)?;
        }
    }
    Ok(stopped.unwrap_or(Verdict::found(count == 0)))
}

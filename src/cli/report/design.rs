//! `report design`.

use super::Report;
use crate::answer::{Answer, Verdict, counted, say};
use crate::args::{Format, FormatArg, WorkArgs};
use catalog::Catalog;
use picture::markup::escaped;
use report::design::{DesignRow, rows, text};
use report::table;
use std::io::Write;
use std::path::PathBuf;

/// Examine whether a game is sound: its start, first turns, random games, endings, small boards
///
/// Prints turns at the start, units that cannot move, first turns that win, lose or lose soon, random games
/// (shares, lengths, branching factor, stalemates), the longest play or a bound, endings of few units,
/// reduced arrays, and whether the sides are alike. Each figure has its scope. Every search is bounded by
/// counts, so the answer is the same on every machine with 2 GB of memory to use; it takes less than a minute
/// on two cores. A figure that is not complete names the bound that stopped it, and the exit code is then 3.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  fairyproof report design bachelor\n  \
                      fairyproof report design mygame --rules mygame.ini --out pages")]
pub struct Design {
    /// Variants with their options, also those of --rules and of the library
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    /// Write design.csv and design.html into the folder DIR
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    work: WorkArgs,
}

impl Design {
    /// Examines the rule sets. Prints the figures, or writes them to files.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let variants = super::variants(catalog, &self.ids)?;
        let files = match &self.out {
            Some(folder) => Some([
                Report::open(folder, "design.csv")?,
                Report::open(folder, "design.html")?,
            ]),
            None => None,
        };
        let mut found: Vec<DesignRow> = Vec::new();
        for variant in &variants {
            let Some(made) = self.work.run(|control| rows(variant, control))? else {
                say("interrupted; nothing was written");
                return Ok(Verdict::Interrupted);
            };
            found.extend(made);
        }
        if let Some([csv, html]) = files {
            csv.write(|out| table::csv(&found, out))?;
            html.write(|out| out.write_all(page(&found).as_bytes()))?;
        }
        match self.format.format {
            Format::Text => out.write_all(text(&found).as_bytes())?,
            _ => self.format.write(&found, out)?,
        }
        out.flush()?;
        let partial = found.iter().filter(|row| !row.is_complete()).count();
        say(&format!(
            "{}, {partial} not complete",
            counted(found.len(), "figure", "figures")
        ));
        Ok(Verdict::decided(partial == 0))
    }
}

/// Returns a page with a table for each rule set and each topic.
fn page(rows: &[DesignRow]) -> String {
    let mut body = String::from("<main>\n");
    for variant in rows.chunk_by(|a, b| a.variant == b.variant) {
        body += &format!("<h1>{}</h1>\n", escaped(&variant[0].variant));
        for topic in variant.chunk_by(|a, b| a.topic == b.topic) {
            body += &format!("<h2>{}</h2>\n<table>\n", escaped(topic[0].topic));
            body += "<tr><th>figure</th><th>value</th><th>scope</th><th>complete</th></tr>\n";
            for row in topic {
                let cells = [&row.figure, &row.value, &row.scope, &row.complete];
                let cells: String = cells
                    .map(|cell| format!("<td>{}</td>", escaped(cell)))
                    .concat();
                body += &format!("<tr>{cells}</tr>\n");
            }
            body += "</table>\n";
        }
    }
    body += "</main>\n";
    picture::page("Design", &body)
}

//! `report endgames`.

use super::Report;
use crate::answer::{Answer, Verdict, say};
use crate::args::{FormatArg, WorkArgs};
use catalog::Catalog;
use control::Stopped;
use report::endgames::{Depth, Plan, endgames, summary};
use report::table;
use std::io::Write;
use std::path::PathBuf;
use tables::Failed;

/// Solve the small endings of each rule set: who wins, and how soon (endgames.csv)
///
/// On its own board every ending of two units against one, and in Bachelor, Chromopolis and
/// Convergent every ending of up to four units with both kings. The columns are those of `table
/// stats`, and `limit`: `complete`, or what stopped the solution. Minutes on two cores. The answer
/// is a line for each rule set: endings, those that are complete, the longest win.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  fairyproof report endgames\n  \
                      fairyproof report endgames xenophobic --out endings")]
pub struct Endgames {
    /// Variants with their options, also those of --rules and of the library [default: all compiled ones]
    #[arg(value_name = "ID")]
    variants: Vec<String>,
    /// Folder of the reports [default: reports, or with IDs none]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Endings of up to four units in every rule set; takes hours
    #[arg(long)]
    deep: bool,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    work: WorkArgs,
}

impl Endgames {
    /// Runs the command and writes the report to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let depth = match self.deep {
            true => Depth::Four,
            false => Depth::Usual,
        };
        let mut plan = Plan::all(depth);
        if !self.variants.is_empty() {
            plan.variants = super::variants(catalog, &self.variants)?;
        }
        let file = super::folder(self.out.as_deref(), &self.variants)
            .map(|folder| Report::open(folder, "endgames.csv"))
            .transpose()?;
        let rows = match self.work.run(|control| endgames(&plan, control)) {
            Ok(rows) => rows,
            Err(Failed::Stopped(Stopped::Interrupted)) => {
                say("interrupted; nothing was written");
                return Ok(Verdict::Interrupted);
            }
            Err(Failed::Wrong(error)) => return Err(error.into()),
            Err(Failed::File(error)) => return Err(error.into()),
            Err(limit) => {
                say(&format!("undecided: {limit}; see --memory"));
                return Ok(Verdict::Undecided);
            }
        };
        if let Some(file) = file {
            file.write(|out| table::csv(&rows, out))?;
        }
        let summary = summary(&plan, &rows)?;
        self.format.write(&summary, out)?;
        let whole = summary.iter().all(|row| row.complete == row.endings);
        Ok(Verdict::decided(whole))
    }
}

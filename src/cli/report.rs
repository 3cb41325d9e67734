//! `report`: files of figures that anybody can make again.

use super::answer::{Answer, Failure, Verdict, say};
use super::args::{FormatArg, Memory, Threads};
use super::interrupt;
use crate::report::endgames::{Plan, endgames, summary};
use crate::report::{table, write_whole};
use crate::solve::table::{Limits, Observer, Stopped};
use indicatif::ProgressBar;
use std::io::Write;
use std::path::PathBuf;

/// Write reports: figures of every rule set, made again byte for byte by whoever asks
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof report endgames")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Solve the small endings of every rule set
    ///
    /// For each rule set on its own board every ending of two units against one, and in Bachelor,
    /// Chromopolis and Convergent every ending of up to four units (four with kings). The columns of endgames.csv
    /// are those of `table stats`, and `limit`: `complete`, or what stopped the solution. Minutes
    /// on two cores; Ctrl-C ends it without a file.
    #[command(after_help = "Example:\n  fairyproof report endgames --out reports")]
    Endgames(Endgames),
}

#[derive(clap::Args)]
struct Endgames {
    /// Rule sets [default: all]
    #[arg(value_name = "ID", value_parser = rule_set)]
    variants: Vec<&'static str>,
    /// Folder of the reports
    #[arg(long, value_name = "DIR", default_value = "reports")]
    out: PathBuf,
    /// Endings of up to four units in every rule set; takes hours
    #[arg(long)]
    deep: bool,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    threads: Threads,
}

fn rule_set(text: &str) -> Result<&'static str, String> {
    let variant = crate::rules::Variant::parse(text).map_err(|e| e.to_string())?;
    if variant.to_string() != variant.card.id {
        return Err("a rule set without options is asked for".to_string());
    }
    Ok(variant.card.id)
}

struct Bar(ProgressBar);

impl Observer for Bar {
    fn group(&self, _: &str, _: u64, done: usize, known: usize) {
        self.0.set_length(known as u64);
        self.0.set_position(done as u64);
    }
}

impl Args {
    /// Answers.
    pub fn run(&self, out: &mut dyn Write) -> Answer {
        match &self.command {
            Command::Endgames(args) => args.run(out),
        }
    }
}

impl Endgames {
    fn run(&self, out: &mut dyn Write) -> Answer {
        let mut plan = Plan::all(self.deep);
        if !self.variants.is_empty() {
            plan.variants.retain(|id| self.variants.contains(id));
        }
        let limits = Limits {
            memory_bytes: self.memory.bytes(),
            threads: self.threads.count(),
            stop: Some(interrupt::flag()),
        };
        let bar = Bar(ProgressBar::new(0));
        let found = self.threads.install(|| endgames(&plan, &limits, &bar))?;
        bar.0.finish_and_clear();
        let rows = match found {
            Ok(rows) => rows,
            Err(Stopped::Interrupted) => {
                say("interrupted; nothing was written");
                return Ok(Verdict::Interrupted);
            }
            Err(Stopped::Wrong(error)) => return Err(error.into()),
            Err(memory @ Stopped::Memory { .. }) => {
                say(&format!("undecided: {memory}; see --memory"));
                return Ok(Verdict::Undecided);
            }
        };
        let path = self.out.join("endgames.csv");
        write_whole(&path, |file| table::csv(&rows, file)).map_err(|e| {
            Failure::Input(crate::input::InputError::new(
                format!("file {}", path.display()),
                format!("it cannot be written: {e}"),
            ))
        })?;
        let summary = summary(&plan, &rows)?;
        self.format.write(&summary, out)?;
        let whole = summary.iter().all(|row| row.complete == row.endings);
        Ok(if whole {
            Verdict::Done
        } else {
            Verdict::Undecided
        })
    }
}

//! `report html`.

use super::within;
use crate::answer::{Answer, Verdict, say, unwritable};
use crate::args::{Memory, TablesOption, Threads, table_folder};
use crate::interrupt;
use crate::picture::write_text;
use crate::progress::Bar;
use ::picture::rule_pages::{self, Facts, PageScope};
use ::report::make_folder;
use catalog::Catalog;
use control::Control;
use diagnostics::Diagnostic;
use puzzle::Puzzle;
use rules::Variant;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Write a web page for each rule set, and an index (ID.html, index.html)
///
/// A page is one file without external parts and can be read without scripts: rules, array, mobility, counts,
/// random games, reduced boards and longest wins to step through, claims with their verdicts, puzzles with
/// folded solutions. Counts, endings and claims are taken from the reports; missing ones are named on the
/// page.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof report html linkage --out pages")]
pub struct Html {
    /// Variants with their options, such as `bachelor` [default: all]
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Folder of the pages; created if it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Folder of the reports
    #[arg(long, value_name = "DIR", default_value = "reports")]
    reports: PathBuf,
    /// Folder of the puzzles; the built-in ones if it does not exist
    #[arg(long, value_name = "DIR", default_value = "puzzles")]
    puzzles: PathBuf,
    /// Random games of each rule set
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = within(1, 1_000_000u64))]
    games: u64,
    /// Stop solving a puzzle after SECONDS seconds
    #[arg(long, value_name = "SECONDS", value_parser = crate::solve::seconds, default_value = "60")]
    time: Duration,
    /// Look longest wins up in tables
    #[command(flatten)]
    tables: TablesOption,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    threads: Threads,
}

/// Returns the puzzles of a folder, or the built-in ones if the folder does not exist.
fn puzzles_of(catalog: &Catalog, folder: &Path) -> Result<Vec<Puzzle>, Diagnostic> {
    let collections = match folder.is_dir() {
        true => crate::puzzles::collections(catalog, &crate::puzzles::files_in(folder)?)?,
        false => crate::puzzles::built_in(catalog)?,
    };
    Ok(collections.into_iter().flat_map(|c| c.puzzles).collect())
}

/// Returns the names of the pages in a folder that do not belong to the known variants, in byte order.
fn other_pages(folder: &Path, known: &[(Variant, bool)]) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut pages: Vec<String> = names
        .filter(|name| name.ends_with(".html") && name != "index.html")
        .filter(|name| {
            known
                .iter()
                .all(|(variant, _)| rule_pages::file_name(variant) != *name)
        })
        .collect();
    pages.sort();
    pages
}

impl Html {
    pub(super) fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let variants = super::variants(catalog, &self.ids)?;
        let facts = Facts::read(&self.reports)?;
        let puzzles = puzzles_of(catalog, &self.puzzles)?;
        let named = self
            .tables
            .tables
            .as_ref()
            .filter(|folder| !folder.is_empty());
        let store = match &self.tables.tables {
            Some(_) => Some(table_folder(named.map(PathBuf::from))?),
            None => None,
        };
        let memory_bytes = self.memory.bytes().min(1 << 30);
        let scope = PageScope {
            catalog,
            facts: &facts,
            puzzles: &puzzles,
            puzzle_time: self.time,
            games: self.games,
            store: store.as_ref(),
            control: Control::new()
                .with_stop(interrupt::flag())
                .with_memory(memory_bytes)
                .with_threads(self.threads.count()),
        };
        make_folder(&self.out).map_err(|e| unwritable("--out", &self.out, e))?;
        let bar = Bar::new();
        for (done, variant) in (1..).zip(&variants) {
            let Some(page) = self.threads.install(|| rule_pages::html(variant, &scope))? else {
                bar.clear();
                say("interrupted; the pages that were finished are kept");
                return Ok(Verdict::Interrupted);
            };
            write_text(
                &self.out.join(rule_pages::file_name(variant)),
                "--out",
                &page,
            )?;
            bar.show("writing", done, variants.len(), "pages");
        }
        bar.clear();
        let mut listed: Vec<Variant> = super::variants(catalog, &[])?;
        let more = variants.iter().filter(|variant| !listed.contains(variant));
        let more: Vec<Variant> = more.cloned().collect();
        listed.extend(more);
        let listed: Vec<(Variant, bool)> = listed
            .into_iter()
            .map(|variant| {
                let there = self.out.join(rule_pages::file_name(&variant)).is_file();
                (variant, there)
            })
            .collect();
        let index = self.out.join("index.html");
        let others = other_pages(&self.out, &listed);
        write_text(&index, "--out", &rule_pages::index(&listed, &others)?)?;
        writeln!(out, "{}", index.display())?;
        say(&match variants.len() {
            1 => "1 page and an index written".to_owned(),
            count => format!("{count} pages and an index written"),
        });
        Ok(Verdict::Done)
    }
}

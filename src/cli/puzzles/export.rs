//! `puzzles export`: puzzles with their diagrams and solutions, as text or as pages.

use super::{Bounds, collections, stopped};
use crate::answer::{Answer, Verdict, say, unwritable};
use crate::interrupt;
use crate::picture::write_text;
use catalog::Catalog;
use notation::{board_text, with_setup};
use picture::markup::escaped;
use puzzle::solve;
use report::make_folder;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// The maximum size in bytes of a solution that a page shows completely.
const MAX_BYTES: usize = 64 << 10;

#[derive(clap::Args)]
pub(super) struct Export {
    /// Puzzle files [default: all of the folder `puzzles`]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write a page for each file into DIR instead, with diagrams and folded solutions
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,
    #[command(flatten)]
    bounds: Bounds,
}

impl Export {
    /// Prints the puzzles with diagrams and solutions, or writes pages.
    pub(super) fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        if let Some(folder) = &self.html {
            return self.pages(catalog, folder, out);
        }
        let mut verdict = Verdict::Done;
        for (n, collection) in collections(catalog, &self.files)?.iter().enumerate() {
            for (m, puzzle) in collection.puzzles.iter().enumerate() {
                let posed = puzzle.open(catalog)?;
                if n + m > 0 {
                    writeln!(out)?;
                }
                writeln!(out, "{}/{}", collection.name, puzzle.id)?;
                for note in [&puzzle.source, &puzzle.comment] {
                    if !note.is_empty() {
                        writeln!(out, "{note}")?;
                    }
                }
                let board = with_setup!(&posed.setup, start => {
                    board_text::print(start.game.as_ref(), &start.position)
                });
                let (text, stop) = {
                    let control = self.bounds.control(self.bounds.work.threads.count(), 1);
                    solve::text(&posed, &control)?
                };
                writeln!(
                    out,
                    "\n{board}\n{} {}\n\n{text}",
                    puzzle.variant, posed.stipulation
                )?;
                verdict = stopped(verdict, stop);
                if verdict == Verdict::Interrupted {
                    return Ok(verdict);
                }
            }
        }
        Ok(verdict)
    }

    /// Writes a page for each puzzle file.
    fn pages(&self, catalog: &Catalog, folder: &Path, out: &mut dyn Write) -> Answer {
        let stop = interrupt::flag();
        make_folder(folder).map_err(|e| unwritable("--html", folder, e))?;
        for collection in collections(catalog, &self.files)? {
            let mut body = picture::svg::symbols(&picture::svg::all_symbols());
            body += &format!("<main>\n<h1>{}</h1>\n", escaped(&collection.name));
            for puzzle in &collection.puzzles {
                let control = self.bounds.control(self.bounds.work.threads.count(), 1);
                body +=
                    &picture::rule_pages::puzzle_html(catalog, puzzle, Some(MAX_BYTES), &control)?;
                if stop.load(Ordering::Relaxed) {
                    say("interrupted; the pages that were finished are kept");
                    return Ok(Verdict::Interrupted);
                }
            }
            body += "</main>\n";
            let file = folder.join(format!("{}.html", collection.name));
            write_text(&file, "--html", &picture::page(&collection.name, &body))?;
            writeln!(out, "{}", file.display())?;
        }
        Ok(Verdict::Done)
    }
}

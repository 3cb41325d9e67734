//! The files of `explore`, which appear complete or not at all.

use super::stores::Found;
use super::{Args, CONDENSATION};
use crate::answer::{Failure, Verdict, say, unwritable};
use crate::interrupt;
#[cfg(feature = "parquet")]
use explore::Expander;
use explore::condensation;
use flate2::Compression;
use flate2::write::GzEncoder;
use notation::Start;
use report::solved::write_states;
use report::{CondensationFile, GraphFile, GraphFormat, Target, write_depths};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;
use values::Layout;

/// The files that options name. Each was checked to be writable before the work begins.
pub struct Files<'a> {
    targets: Vec<(&'static str, &'a Path, Option<Target>)>,
    /// The time from which on no file is written any more.
    deadline: Option<Instant>,
    /// Whether a file is not written because of the time limit.
    is_late: bool,
}

impl<'a> Files<'a> {
    pub fn open(args: &'a Args) -> Result<Files<'a>, Failure> {
        let begun = Instant::now();
        let mut targets: Vec<(&str, &Path, Option<Target>)> = Vec::new();
        for (option, path) in args.outputs() {
            let target = Target::open(path).map_err(|e| unwritable(option, path, e))?;
            targets.push((option, path, Some(target)));
        }
        Ok(Files {
            targets,
            deadline: args.time.and_then(|time| begun.checked_add(time)),
            is_late: false,
        })
    }

    /// Returns the verdict on the files.
    pub fn verdict(&self) -> Verdict {
        match self.is_late {
            true => Verdict::Undecided,
            false => Verdict::Done,
        }
    }

    /// Writes all files about a graph. Those that need a graph in memory, or its values, are not written without it.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write_all<W: Layout>(&mut self, start: &Start<W>, found: &Found) -> Result<(), Failure> {
        self.write("--csv", |out| write_depths(&found.summary.depths, out))?;
        let Some((found, values)) = &found.memory else {
            return Ok(());
        };
        let (game, values) = (start.game.as_ref(), values.as_ref());
        if let Some(graph) = &found.graph {
            let file = GraphFile {
                game,
                found,
                graph,
                values,
            };
            for (option, format) in [
                ("--edges", GraphFormat::Edges),
                ("--dot", GraphFormat::Dot),
                ("--graphml", GraphFormat::GraphMl),
            ] {
                self.announce(option, || file.estimated_bytes(format));
                self.write(option, |out| file.write(format, out))?;
            }
            if self.has(CONDENSATION) {
                let condensation = &condensation(graph);
                let file = CondensationFile {
                    game,
                    found,
                    condensation,
                    values,
                };
                self.write_each(CONDENSATION, |path, out| match is_csv(path) {
                    true => file.write_csv(out),
                    false => file.write_graphml(out),
                })?;
            }
        }
        match values {
            Some(values) => {
                self.write("--values", |out| write_states(game, found, values, out))?;
            }
            None if self.has("--values") => say("the file of --values is not written"),
            None => {}
        }
        #[cfg(feature = "parquet")]
        {
            let expander = Expander::new(game, &start.position);
            let view = columns::GraphView {
                expander: &expander,
                found,
                values,
            };
            self.write("--parquet", |out| {
                let states = columns::States::default();
                columns::write_parquet(states.schema(&view), states.batches(&view), out)
            })?;
            self.write("--parquet-edges", |out| {
                let edges = columns::Edges::default();
                columns::write_parquet(edges.schema(), edges.batches(&view), out)
            })?;
        }
        Ok(())
    }

    /// Returns whether an option names a file.
    fn has(&self, option: &str) -> bool {
        self.targets.iter().any(|(name, ..)| *name == option)
    }

    /// Prints the size of the file of an option before it is written, if the option is given and the file is
    /// large.
    fn announce(&self, option: &str, bytes: impl FnOnce() -> u64) {
        const ANNOUNCED_BYTES: u64 = 100 << 20;
        let target = self.targets.iter().find(|(name, ..)| *name == option);
        let Some((_, path, _)) = target else {
            return;
        };
        let bytes = bytes();
        if bytes > ANNOUNCED_BYTES {
            let before = if is_compressed(path) {
                " before compression"
            } else {
                ""
            };
            say(&format!(
                "{option}: writing about {} MB{before}",
                bytes >> 20
            ));
        }
    }

    /// Writes the file of an option, if the option is given.
    fn write(
        &mut self,
        option: &str,
        write: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.write_each(option, |_, out| write(out))
    }

    /// Writes every file of an option that may be repeated.
    fn write_each(
        &mut self,
        option: &str,
        write: impl Fn(&Path, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let deadline = self.deadline;
        let files = self.targets.iter_mut();
        for (_, path, target) in files.filter(|(name, _, _)| *name == option) {
            let Some(target) = target.take() else {
                continue;
            };
            let mut is_late = false;
            let written = target.write(|out| {
                let mut out = interrupt::Hasty::new(out, deadline);
                let written = match is_compressed(path) {
                    true => {
                        let mut packed = GzEncoder::new(&mut out, Compression::default());
                        write(path, &mut packed).and_then(|()| packed.finish().map(|_| ()))
                    }
                    false => write(path, &mut out),
                };
                is_late = written.is_err() && out.is_late();
                written
            });
            match written {
                Err(_) if interrupt::pressed() => {
                    say(&format!("interrupted: the file of {option} is not written"));
                }
                Err(_) if is_late => {
                    say(&format!(
                        "stopped by the limit time: the file of {option} is not written"
                    ));
                    self.is_late = true;
                }
                written => written.map_err(|e| unwritable(option, path, e))?,
            }
        }
        Ok(())
    }
}

/// Returns whether a file's name means that the file is compressed.
fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// Returns whether a file's name, without the ending of compressed files, is that of a CSV file.
fn is_csv(path: &Path) -> bool {
    let name = match is_compressed(path) {
        true => path.with_extension(""),
        false => PathBuf::from(path),
    };
    name.extension().is_some_and(|extension| extension == "csv")
}

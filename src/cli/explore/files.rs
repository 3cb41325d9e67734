//! The files of `explore`, which appear complete or not at all.

use super::{Args, CONDENSATION, is_compressed};
#[cfg(feature = "parquet")]
use super::{PARQUET, PARQUET_EDGES};
use crate::answer::{Failure, Verdict, say, unwritable};
use crate::interrupt;
use diagnostics::Diagnostic;
use flate2::Compression;
use flate2::write::GzEncoder;
use report::Target;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

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
        let once = [
            ("--csv", &args.csv),
            ("--dot", &args.dot),
            ("--graphml", &args.graphml),
            ("--edges", &args.edges),
            ("--values", &args.values),
            #[cfg(feature = "parquet")]
            (PARQUET, &args.parquet),
            #[cfg(feature = "parquet")]
            (PARQUET_EDGES, &args.parquet_edges),
        ];
        let once = once.into_iter();
        let once = once.filter_map(|(option, path)| Some((option, path.as_ref()?)));
        let each = args.condensation.iter().map(|path| (CONDENSATION, path));
        let mut files: Vec<(&str, &Path, Option<Target>)> = Vec::new();
        for (option, path) in once.chain(each) {
            let target = Target::open(path).map_err(|e| unwritable(option, path, e))?;
            let is_same = |(_, _, other): &&(_, _, Option<Target>)| {
                let other = other.as_ref().and_then(Target::file);
                other.is_some() && other == target.file()
            };
            if let Some((other, _, _)) = files.iter().find(is_same) {
                let why = format!("`{}` is already the file of {other}", path.display());
                let error = Diagnostic::new(option, why);
                return Err(error.help("each output has a file of its own").into());
            }
            files.push((option, path, Some(target)));
        }
        Ok(Files {
            targets: files,
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

    /// Prints the size of the file of an option before it is written, if the option is given and the file is
    /// large.
    pub fn announce(&self, option: &str, bytes: impl FnOnce() -> u64) {
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
    pub fn write(
        &mut self,
        option: &str,
        write: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.write_each(option, |_, out| write(out))
    }

    /// Writes every file of an option that may be repeated.
    pub fn write_each(
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

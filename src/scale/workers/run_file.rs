//! The format of a worker's files: containers with the run that a file belongs to, followed by lists of numbers.
//!
//! A list is a series of sections of [`BLOCK`] numbers each, of which the last has fewer. Nothing here decides
//! what a file contains.

use super::Failed;
use control::container::{self, Kind, NO_LAW};
use control::files::FileError;
use diagnostics::Diagnostic;
use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::path::PathBuf;

/// The number of numbers of a section, unless it ends a list.
const BLOCK: usize = 1 << 12;
/// The maximum length of a run's description in bytes.
const MAX_RUN_BYTES: u64 = 1 << 20;

/// A file that is being written.
pub(super) type Out<'f> = container::Writer<&'f mut BufWriter<File>>;
/// A file that is being read.
pub(super) type From = container::Reader<BufReader<File>>;

/// A file of one worker.
pub(super) struct RunFile<'f> {
    pub path: PathBuf,
    pub kind: &'static Kind,
    /// The description of the run that the file belongs to. It identifies the build, and so the rules.
    pub run: &'f str,
}

impl RunFile<'_> {
    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, body: impl FnOnce(&mut Out<'_>) -> io::Result<()>) -> Result<(), Failed> {
        let written = container::write(&self.path, (self.kind, NO_LAW), true, |out| {
            out.section(self.run.as_bytes())?;
            body(out)
        });
        written.map_err(|error| unusable(&error))
    }

    /// Reads the file. If it belongs to another run, returns the description of that run instead.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub fn read<T>(
        &self,
        body: impl FnOnce(&mut From) -> io::Result<T>,
    ) -> io::Result<Result<T, String>> {
        let read = || {
            let file = control::files::open(&self.path)?;
            let mut from =
                container::Reader::new(BufReader::with_capacity(1 << 16, file), self.kind)?;
            let run = String::from_utf8(from.section(MAX_RUN_BYTES)?);
            let run = run.map_err(|_| damaged())?;
            if run != self.run {
                return Ok(Err(run));
            }
            let found = body(&mut from)?;
            from.finish()?;
            Ok(Ok(found))
        };
        read().map_err(|error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => damaged(),
            _ => error,
        })
    }
}

/// Returns the failure to report for a file that cannot be read or written.
pub(super) fn unusable(error: &FileError) -> Failed {
    let error = Diagnostic::new("--state", error.to_string());
    Failed::Input(error.help("the same command resumes from the last complete level"))
}

pub(super) fn damaged() -> io::Error {
    container::damaged("it is damaged")
}

/// A number that can be written.
pub(super) trait Number: Copy {
    const BYTES: usize;
    fn put(self, bytes: &mut [u8]);
    fn take(bytes: &[u8]) -> Self;
}

macro_rules! numbers {
    ($($name:ty),*) => {$(
        impl Number for $name {
            const BYTES: usize = size_of::<$name>();

            fn put(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }

            fn take(bytes: &[u8]) -> Self {
                let mut number = [0; size_of::<$name>()];
                number.copy_from_slice(bytes);
                <$name>::from_le_bytes(number)
            }
        }
    )*};
}

numbers!(u8, u16, u32, u64);

/// Writes a list of numbers.
pub(super) fn put<T: Number>(out: &mut Out<'_>, list: &[T]) -> io::Result<()> {
    let mut bytes = vec![0; BLOCK * T::BYTES];
    let whole = list.chunks_exact(BLOCK);
    for some in whole.clone().chain([whole.remainder()]) {
        let bytes = &mut bytes[..some.len() * T::BYTES];
        for (place, &number) in bytes.chunks_exact_mut(T::BYTES).zip(some) {
            number.put(place);
        }
        out.section(bytes)?;
    }
    Ok(())
}

/// Reads a list of at most `most` numbers.
pub(super) fn take<T: Number>(from: &mut From, most: u64) -> io::Result<Vec<T>> {
    let mut list = Vec::new();
    loop {
        let bytes = from.section((BLOCK * T::BYTES) as u64)?;
        let whole = bytes.chunks_exact(T::BYTES);
        if !whole.remainder().is_empty() || (list.len() + whole.len()) as u64 > most {
            return Err(damaged());
        }
        let is_last = whole.len() < BLOCK;
        list.extend(whole.map(T::take));
        if is_last {
            return Ok(list);
        }
    }
}

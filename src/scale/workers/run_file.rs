//! The format of a worker's files: the run that a file belongs to, lists of numbers, and a checksum.
//!
//! A file is written under a temporary name, flushed to disk, and renamed. The checksum shows whether it is
//! complete. Nothing here decides what a file contains.

use super::Failed;
use control::checksum::Summed;
use control::files::{FileError, write_complete};
use diagnostics::Diagnostic;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;

/// The number of numbers that are read or written at a time.
const BLOCK: usize = 1 << 12;
/// The maximum length of a run's description in bytes.
const MAX_RUN_BYTES: u64 = 1 << 20;

/// A file of one worker.
pub(super) struct RunFile<'f> {
    pub path: PathBuf,
    /// The first bytes, which name the kind of file.
    pub magic: &'static [u8],
    /// The description of the run that the file belongs to.
    pub run: &'f str,
}

impl RunFile<'_> {
    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, body: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failed> {
        let write = |file: &mut BufWriter<File>| {
            let mut out = Summed::new(file);
            out.write_all(self.magic)?;
            put(&mut out, self.run.as_bytes())?;
            body(&mut out)?;
            out.finish()?;
            Ok(())
        };
        write_complete(&self.path, true, write).map_err(|error| unusable(&error))
    }

    /// Reads the file. If it belongs to another run, returns the description of that run instead.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub fn read<T>(
        &self,
        body: impl FnOnce(&mut dyn Read) -> io::Result<T>,
    ) -> io::Result<Result<T, String>> {
        let read = || {
            let file = control::files::open(&self.path)?;
            let mut from = Summed::new(BufReader::with_capacity(1 << 16, file));
            let mut magic = vec![0; self.magic.len()];
            from.read_exact(&mut magic)?;
            if magic != self.magic {
                return Err(damaged());
            }
            let run = String::from_utf8(take(&mut from, MAX_RUN_BYTES)?);
            let run = run.map_err(|_| damaged())?;
            if run != self.run {
                return Ok(Err(run));
            }
            let found = body(&mut from)?;
            let (mut file, equal) = from.verify()?;
            match equal && file.read(&mut [0])? == 0 {
                true => Ok(Ok(found)),
                false => Err(damaged()),
            }
        };
        read().map_err(|error| match error.kind() {
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
    io::Error::new(io::ErrorKind::InvalidData, "it is damaged")
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
pub(super) fn put<T: Number>(out: &mut dyn Write, list: &[T]) -> io::Result<()> {
    out.write_all(&(list.len() as u64).to_le_bytes())?;
    let mut bytes = vec![0; BLOCK * T::BYTES];
    for some in list.chunks(BLOCK) {
        let bytes = &mut bytes[..some.len() * T::BYTES];
        for (place, &number) in bytes.chunks_exact_mut(T::BYTES).zip(some) {
            number.put(place);
        }
        out.write_all(bytes)?;
    }
    Ok(())
}

/// Reads a list of at most `most` numbers.
pub(super) fn take<T: Number>(from: &mut dyn Read, most: u64) -> io::Result<Vec<T>> {
    let mut length = [0; 8];
    from.read_exact(&mut length)?;
    let n = u64::from_le_bytes(length);
    if n > most {
        return Err(damaged());
    }
    // A damaged count may be any number. A list that does not fit in memory cannot be in the file.
    let mut list = Vec::new();
    list.try_reserve_exact(n as usize).map_err(|_| damaged())?;
    let mut bytes = vec![0; BLOCK * T::BYTES];
    while list.len() < n as usize {
        let some = BLOCK.min(n as usize - list.len());
        let bytes = &mut bytes[..some * T::BYTES];
        from.read_exact(bytes)?;
        list.extend(bytes.chunks_exact(T::BYTES).map(T::take));
    }
    Ok(list)
}

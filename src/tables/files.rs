//! Access to the files of builds: reads and writes at offsets, and the errors for files that are inaccessible
//! or damaged.

use super::Failed;
use control::files::{FileError, write_complete};
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind};
use std::path::Path;

/// Fills a buffer from the bytes of a file at offset `at`.
#[cfg(unix)]
pub fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

/// Writes all of a buffer to a file at offset `at`.
#[cfg(unix)]
pub fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

/// Fills a buffer from the bytes of a file at offset `at`.
#[cfg(windows)]
pub fn read_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, at)? {
            0 => return Err(ErrorKind::UnexpectedEof.into()),
            n => (bytes, at) = (&mut bytes[n..], at + n as u64),
        }
    }
    Ok(())
}

/// Writes all of a buffer to a file at offset `at`.
#[cfg(windows)]
pub fn write_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let n = std::os::windows::fs::FileExt::seek_write(file, bytes, at)?;
        (bytes, at) = (&bytes[n..], at + n as u64);
    }
    Ok(())
}

/// Returns the error for a file that cannot be written.
pub fn unwritable(path: &Path, error: &io::Error) -> Failed {
    FileError::unwritable(path, error).into()
}

/// Returns the error for a file that cannot be read. A file that ends early is damaged.
pub fn unreadable(path: &Path, error: &io::Error) -> Failed {
    match error.kind() {
        ErrorKind::UnexpectedEof => damaged(path, "it is too short"),
        _ => FileError::unreadable(path, error).into(),
    }
}

/// Returns the error for a damaged file of a class that is being built.
pub fn damaged(path: &Path, why: &str) -> Failed {
    FileError::damaged(path, why)
        .help("remove the folder: the class begins again")
        .into()
}

/// Writes a file under a temporary name and renames it when it is complete. With `sync`, the file has reached
/// the disk when this function returns.
///
/// # Errors
/// If the file cannot be written.
pub fn write_whole(
    path: &Path,
    sync: bool,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Failed> {
    Ok(write_complete(path, sync, write)?)
}

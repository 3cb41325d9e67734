//! Files of tables and of their making: read and written at places, written whole under another name
//! first, and what is said when that fails.

use super::Stopped;
use diagnostics::InputError;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

/// How the names of files end that are not yet whole.
const UNFINISHED: &str = "unfinished";

/// Fills a buffer from a place in a file.
#[cfg(unix)]
pub fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

/// Writes all of a buffer to a place in a file.
#[cfg(unix)]
pub fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

/// Fills a buffer from a place in a file.
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

/// Writes all of a buffer to a place in a file.
#[cfg(windows)]
pub fn write_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let n = std::os::windows::fs::FileExt::seek_write(file, bytes, at)?;
        (bytes, at) = (&bytes[n..], at + n as u64);
    }
    Ok(())
}

/// Writes a file under another name and renames it when it is whole; with `sync` it has then reached
/// the disk.
pub fn write_whole(
    path: &Path,
    sync: bool,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Stopped> {
    let unfinished = path.with_extension(UNFINISHED);
    let whole = || {
        let mut file = BufWriter::new(control::files::create(&unfinished)?);
        write(&mut file)?;
        file.flush()?;
        if sync {
            file.get_ref().sync_all()?;
        }
        fs::rename(&unfinished, path)
    };
    whole().map_err(|e| {
        let _ = fs::remove_file(&unfinished);
        unwritable(path, &e)
    })
}

/// Returns a file that cannot be written.
pub fn unwritable(path: &Path, error: &io::Error) -> Stopped {
    let full = [
        ErrorKind::StorageFull,
        ErrorKind::QuotaExceeded,
        ErrorKind::FileTooLarge,
    ];
    let why = format!("`{}` cannot be written: {error}", path.display());
    let wrong = InputError::new("disk", why);
    Stopped::Wrong(match full.contains(&error.kind()) {
        true => wrong.help("make room: the same command goes on from the last whole step"),
        false => wrong,
    })
}

/// Returns a file that cannot be read.
pub fn unreadable(path: &Path, error: &io::Error) -> Stopped {
    match error.kind() {
        ErrorKind::UnexpectedEof => damaged(path, "it is too short"),
        _ => {
            let why = format!("`{}` cannot be read: {error}", path.display());
            Stopped::Wrong(InputError::new("disk", why))
        }
    }
}

/// Returns a file that holds something else than was written.
pub fn damaged(path: &Path, why: &str) -> Stopped {
    let why = format!("`{}` is damaged: {why}", path.display());
    Stopped::Wrong(InputError::new("disk", why).help("remove the folder: the class begins anew"))
}

/// Returns the resident memory of the process, as Linux reports it.
pub fn resident_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

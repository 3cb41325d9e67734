//! Files: reading within a size limit, writing under a temporary name with a rename at the end, locks, and
//! the error for a file that cannot be read or written, or is damaged.
//!
//! Files of users are read by [`read_limited`] and [`open`]. These read regular files, and streams that are
//! given as such (`/dev/stdin`, `/dev/fd/63`), and never wait for another process: a named pipe, a device and
//! a file of the system that delivers its content now and then are refused. Size limits hold for streams too:
//! a stream that never ends is refused once it has delivered more than the limit.

use crate::evaluation::waiting;
use diagnostics::Diagnostic;
use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// A file that cannot be read or written, or is damaged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileError {
    /// The path of the file.
    pub path: PathBuf,
    /// The kind of failure.
    pub kind: FileErrorKind,
    /// The reason, in words.
    pub why: String,
    /// The remedy, if there is one.
    pub help: Option<&'static str>,
}

/// The kind of failure of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileErrorKind {
    /// The file cannot be read.
    Unreadable,
    /// The file cannot be written.
    Unwritable,
    /// The file was read, but its content is not what was written.
    Damaged,
}

impl FileError {
    /// Returns the error for a file that cannot be read. A file that ends early, or has invalid data, is damaged.
    pub fn unreadable(path: &Path, error: &io::Error) -> FileError {
        match error.kind() {
            ErrorKind::UnexpectedEof => FileError::damaged(path, "it is too short"),
            ErrorKind::InvalidData => FileError::damaged(path, error.to_string()),
            _ => FileError::new(path, FileErrorKind::Unreadable, error.to_string()),
        }
    }

    /// Returns the error for a file that cannot be written. If the disk is full, the error has a remedy.
    pub fn unwritable(path: &Path, error: &io::Error) -> FileError {
        let full = [
            ErrorKind::StorageFull,
            ErrorKind::QuotaExceeded,
            ErrorKind::FileTooLarge,
        ]
        .contains(&error.kind());
        let failed = FileError::new(path, FileErrorKind::Unwritable, error.to_string());
        match full {
            true => failed.help(
                "make room on the disk; the same command resumes from the last complete step",
            ),
            false => failed,
        }
    }

    /// Returns the error for a file whose content is not what was written.
    pub fn damaged(path: &Path, why: impl Into<String>) -> FileError {
        FileError::new(path, FileErrorKind::Damaged, why.into())
    }

    /// Returns the error with a remedy.
    pub fn help(mut self, help: &'static str) -> FileError {
        self.help = Some(help);
        self
    }

    fn new(path: &Path, kind: FileErrorKind, why: String) -> FileError {
        FileError {
            path: path.to_path_buf(),
            kind,
            why,
            help: None,
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let failed = match self.kind {
            FileErrorKind::Unreadable => "cannot be read",
            FileErrorKind::Unwritable => "cannot be written",
            FileErrorKind::Damaged => "is damaged",
        };
        write!(f, "`{}` {failed}: {}", self.path.display(), self.why)
    }
}

impl std::error::Error for FileError {}

/// Writes a file under its name with the extension `unfinished`, and renames the file when it is complete.
/// With `sync`, waits until the content has reached the disk. If several processes may write the file at the
/// same time, use `tempfile` instead.
///
/// # Errors
/// If the file cannot be written. An existing file is then unchanged.
pub fn write_complete(
    path: &Path,
    sync: bool,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), FileError> {
    let unfinished = path.with_extension(UNFINISHED);
    let complete = || {
        let mut file = BufWriter::new(create(&unfinished)?);
        write(&mut file)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        if sync {
            file.sync_all()?;
        }
        fs::rename(&unfinished, path)
    };
    complete().map_err(|error| {
        let _ = fs::remove_file(&unfinished);
        FileError::unwritable(path, &error)
    })
}

/// The extension of files that are not complete yet.
pub const UNFINISHED: &str = "unfinished";

/// Locks a file for this process until it is closed. Returns false if another process holds the lock. A file
/// system without locks counts as unlocked.
pub fn try_lock(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Locks a folder until the returned file is closed, and waits while another process holds the lock. A file system
/// without locks counts as unlocked. Systems that cannot open folders lock a file `lock` in the folder.
///
/// # Errors
/// If the folder cannot be opened.
pub fn lock_folder(folder: &Path) -> io::Result<File> {
    let file = match cfg!(unix) {
        true => File::open(folder)?,
        false => File::create(folder.join("lock"))?,
    };
    while file
        .lock()
        .is_err_and(|error| error.kind() == ErrorKind::Interrupted)
    {}
    Ok(file)
}

/// Opens a file for reading, without waiting for another process.
///
/// # Errors
/// If the file cannot be opened, or is neither a regular file nor named as a stream.
pub fn open(path: &Path) -> io::Result<File> {
    let file = open_with(OpenOptions::new().read(true), path)?;
    #[cfg(unix)]
    if !is_stream(path) && !file.metadata()?.is_file() {
        let why = "it is a device; give its contents as /dev/stdin or <(head -c N DEVICE)";
        return Err(io::Error::other(why));
    }
    Ok(file)
}

/// Opens a file or a device with `options`, without waiting for another process.
///
/// # Errors
/// If the file cannot be opened, is a folder, or is a named pipe that is not named as a stream.
pub fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
        if is_stream(path) {
            return options.open(path);
        }
        let is_pipe = |kind: std::fs::FileType| kind.is_fifo();
        let no_wait = rustix::fs::OFlags::NONBLOCK.bits() as i32;
        let opened = options.custom_flags(no_wait).open(path);
        options.custom_flags(0);
        let kind = match &opened {
            Ok(file) => file.metadata()?.file_type(),
            // A pipe without a reader cannot be opened for writing.
            Err(_) if std::fs::metadata(path).is_ok_and(|about| is_pipe(about.file_type())) => {
                return Err(named_pipe());
            }
            Err(_) => return opened,
        };
        if is_pipe(kind) {
            return Err(named_pipe());
        }
        if kind.is_dir() {
            return Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                "it is a folder",
            ));
        }
        if kind.is_file() {
            return opened;
        }
        // Devices are opened again without the flag, so that reading waits as usual.
    }
    options.open(path)
}

/// Creates a file, or truncates the existing one, without waiting for another process.
///
/// # Errors
/// As for [`open_with`].
pub fn create(path: &Path) -> io::Result<File> {
    open_with(
        OpenOptions::new().write(true).create(true).truncate(true),
        path,
    )
}

/// Returns the error for a named pipe.
#[cfg(unix)]
fn named_pipe() -> io::Error {
    io::Error::other("it is a named pipe; give its contents as /dev/stdin or <(cat PIPE)")
}

/// Returns whether a path names an open descriptor of the process, directly or through links.
#[cfg(unix)]
fn is_stream(path: &Path) -> bool {
    const MAX_LINKS: usize = 40;
    let mut path = PathBuf::from(path);
    for _ in 0..MAX_LINKS {
        let is_descriptor = |part| path.components().any(|name| name.as_os_str() == part);
        if path.starts_with("/dev/fd") || path.starts_with("/proc") && is_descriptor("fd") {
            return true;
        }
        let Ok(next) = std::fs::read_link(&path) else {
            return false;
        };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    false
}

/// Fills a buffer from the bytes of a file at offset `at`.
///
/// # Errors
/// If the file cannot be read, or ends early.
#[cfg(unix)]
pub fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

/// Writes all of a buffer to a file at offset `at`.
///
/// # Errors
/// If the file cannot be written.
#[cfg(unix)]
pub fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

/// Fills a buffer from the bytes of a file at offset `at`.
///
/// # Errors
/// If the file cannot be read, or ends early.
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
///
/// # Errors
/// If the file cannot be written.
#[cfg(windows)]
pub fn write_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let n = std::os::windows::fs::FileExt::seek_write(file, bytes, at)?;
        (bytes, at) = (&bytes[n..], at + n as u64);
    }
    Ok(())
}

/// Reads a whole file that the program itself wrote, without waiting for another process.
///
/// # Errors
/// As for [`open`], and if reading fails.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Like [`read`], for a text.
///
/// # Errors
/// As for [`read`], and if the file is not UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))
}

/// Reads a file of at most `max_bytes` bytes.
///
/// # Errors
/// If the file cannot be read, is a folder, or is longer than `max_bytes`. The message names the file.
pub fn read_limited(path: &Path, max_bytes: u64) -> Result<Vec<u8>, Diagnostic> {
    let wrong = |why: String| Diagnostic::new(format!("file `{}`", path.display()), why);
    let unreadable = |e: std::io::Error| wrong(format!("it cannot be read: {e}"));
    let too_long = |bytes: String| {
        wrong(format!(
            "it has {bytes} bytes; at most {max_bytes} are read"
        ))
    };
    let file = open(path).map_err(unreadable)?;
    let about = file.metadata().map_err(unreadable)?;
    if about.is_file() && about.len() > max_bytes {
        return Err(too_long(about.len().to_string()));
    }
    let read = match about.is_file() {
        true => read_stream(file, max_bytes),
        false => waiting(move || read_stream(file, max_bytes)),
    };
    read.map_err(unreadable)?
        .ok_or_else(|| too_long(format!("more than {max_bytes}")))
}

/// Reads at most `max_bytes` bytes from the standard input.
///
/// # Errors
/// If the standard input cannot be read or is longer than `max_bytes`.
pub fn read_standard_input(max_bytes: u64) -> Result<Vec<u8>, Diagnostic> {
    let wrong = |why: String| Diagnostic::new("standard input", why);
    waiting(move || read_stream(std::io::stdin().lock(), max_bytes))
        .map_err(|e| wrong(format!("it cannot be read: {e}")))?
        .ok_or_else(|| {
            wrong(format!(
                "it has more than {max_bytes} bytes; at most {max_bytes} are read"
            ))
        })
}

/// Reads a stream to its end, or returns `None` once it has delivered more than `max_bytes`.
fn read_stream(stream: impl Read, max_bytes: u64) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    stream
        .take(max_bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= max_bytes).then_some(bytes))
}

/// Like [`read_limited`], for a text in UTF-8.
///
/// # Errors
/// As for [`read_limited`], and if the file is not UTF-8. The message contains the line and the byte.
pub fn read_text(path: &Path, max_bytes: u64) -> Result<String, Diagnostic> {
    String::from_utf8(read_limited(path, max_bytes)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let line = 1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
        let why = format!("it is not UTF-8 (byte {:#04x})", bytes[at]);
        Diagnostic::new(format!("file `{}`", path.display()), why).at(format!("line {line}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn files_up_to_the_limit_are_read_and_longer_ones_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::fs::write(&path, b"12345").expect("a file");
        assert_eq!(read_limited(&path, 5), Ok(b"12345".to_vec()));
        let error = read_limited(&path, 4).expect_err("too long").to_string();
        assert!(error.contains("5 bytes; at most 4"), "{error}");
        std::fs::write(&path, b"a\nb\xe9").expect("a file");
        let error = read_text(&path, 9).expect_err("not UTF-8").to_string();
        assert!(
            error.contains("line 2") && error.contains("0xe9"),
            "{error}"
        );
    }

    #[test]
    fn files_appear_complete_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        write_complete(&path, true, |file| file.write_all(b"one")).expect("written");
        let failed = write_complete(&path, false, |file| {
            file.write_all(b"two")?;
            Err(ErrorKind::StorageFull.into())
        });
        let error = failed.expect_err("a full disk");
        assert_eq!(error.kind, FileErrorKind::Unwritable);
        assert!(error.help.is_some(), "{error}");
        assert_eq!(fs::read(&path).expect("a file"), b"one");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_lock_is_held_until_the_file_is_closed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let first = File::create(&path).expect("a file");
        assert!(try_lock(&first));
        let second = File::open(&path).expect("a file");
        assert!(!try_lock(&second));
        drop(first);
        assert!(try_lock(&second));
    }

    #[cfg(unix)]
    #[test]
    fn named_pipes_are_refused_at_once() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = std::env::temp_dir();
        let pipe = folder.join(format!("fairyproof-pipe-{}", std::process::id()));
        let link = folder.join(format!("fairyproof-link-{}", std::process::id()));
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RWXU, 0).expect("a pipe");
        std::os::unix::fs::symlink(&pipe, &link).expect("a link");
        for path in [&pipe, &link] {
            let mut appending = OpenOptions::new();
            for options in [OpenOptions::new().read(true), appending.append(true)] {
                let error = open_with(options, path).expect_err("a pipe");
                assert!(error.to_string().contains("named pipe"), "{error}");
            }
        }
        for path in [&link, &pipe] {
            std::fs::remove_file(path).expect("removed");
        }
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_files_that_wait_are_refused_at_once() {
        let refused = |path: &str| read_limited(Path::new(path), 1000).expect_err(path);
        for path in ["/dev/zero", "/dev/null", "/dev/tty"] {
            let error = refused(path).to_string();
            assert!(error.contains("cannot be read"), "{path}: {error}");
        }
        let error = refused("/dev/zero").to_string();
        assert!(error.contains("it is a device"), "{error}");
        // Reading this file waits for messages of the system, if it may be opened at all.
        if Path::new("/proc/kmsg").exists() {
            refused("/proc/kmsg");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn streams_without_end_are_refused() {
        let zero = File::open("/dev/zero").expect("a device");
        let stream = format!("/dev/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&zero));
        let error = read_limited(Path::new(&stream), 1000).expect_err("no end");
        assert!(
            error.to_string().contains("more than 1000 bytes"),
            "{error}"
        );
    }
}

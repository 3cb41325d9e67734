//! Output targets: files, which appear complete or not at all, and streams such as pipes, devices and
//! standard output.

use control::evaluation::waiting;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The prefix of temporary file names.
const UNFINISHED: &str = ".unfinished-";

/// An output that was checked to be writable before anything is computed.
#[derive(Debug)]
pub struct Target(Destination);

#[derive(Debug)]
enum Destination {
    /// Standard output.
    Stdout,
    /// A device, a pipe, or a file that another process holds open. It is written to directly.
    Open(File),
    /// A file, with all links resolved.
    File(PathBuf),
}

impl Target {
    /// Checks that a path can be written to, without changing anything. `-` is standard output. Links are
    /// followed. Devices and pipes are opened, which waits for the reader of a pipe.
    ///
    /// # Errors
    /// If the path is a folder or is not writable, or its folder does not exist or is not writable.
    pub fn open(path: &Path) -> io::Result<Target> {
        if is_stdout(path) {
            return Ok(Target(Destination::Stdout));
        }
        let about = fs::metadata(path);
        let (may_wait, pipe) = (about.as_ref().is_ok_and(is_pipe), path.to_path_buf());
        let open = match may_wait {
            true => waiting(move || OpenOptions::new().append(true).open(pipe)),
            false => OpenOptions::new().append(true).open(path),
        };
        let file = match (about, open) {
            (Ok(data), _) if data.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            (Ok(data), open) => {
                let open = open?;
                // A file that is named by its descriptor is open elsewhere and must not be replaced.
                let descriptor = path.starts_with("/dev/fd") || path.starts_with("/proc");
                if !data.is_file() || descriptor {
                    return Ok(Target(Destination::Open(open)));
                }
                resolved(path)?
            }
            (Err(error), _) if error.kind() == io::ErrorKind::NotFound => resolved(path)?,
            (Err(error), _) => return Err(error),
        };
        unfinished(&file)?.close()?;
        Ok(Target(Destination::File(file)))
    }

    /// Writes the target. A file is written under a temporary name in its folder and then renamed, so no
    /// process ever sees a part of it. If the file existed before, it keeps its mode.
    ///
    /// # Errors
    /// If the target cannot be written. A file then remains unchanged.
    pub fn write(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        fn all(
            into: &mut dyn Write,
            write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        ) -> io::Result<()> {
            let mut out = io::BufWriter::new(into);
            write(&mut out)?;
            out.flush()
        }
        match self.0 {
            Destination::Stdout => all(&mut io::stdout().lock(), write),
            Destination::Open(mut file) => all(&mut file, write),
            Destination::File(path) => {
                let mut file = unfinished(&path)?;
                all(file.as_file_mut(), write)?;
                file.as_file().sync_all()?;
                file.persist(path).map_err(|e| e.error)?;
                Ok(())
            }
        }
    }
}

/// Returns whether a path names standard output.
pub fn is_stdout(path: &Path) -> bool {
    let names = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    names.iter().any(|name| path == Path::new(name))
}

/// Returns the path of the file that writing to `path` replaces or creates, with all links resolved.
///
/// # Errors
/// If the folder of the file does not exist or cannot be read.
pub fn resolved(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let path = behind_links(path)?;
            let name = path.file_name().ok_or(error)?;
            Ok(fs::canonicalize(folder_of(&path))?.join(name))
        }
        resolved => resolved,
    }
}

/// Returns whether a path leads to a pipe, which opens once another process reads it.
fn is_pipe(about: &fs::Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::FileTypeExt::is_fifo(&about.file_type());
    #[cfg(not(unix))]
    false
}

/// Returns a file under a temporary name in the same folder, with the mode of `path` or the default one.
fn unfinished(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED);
    // The mode of an ordinary new file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let file = builder.tempfile_in(folder_of(path)).map_err(without_path)?;
    if let Ok(data) = fs::metadata(path) {
        file.as_file().set_permissions(data.permissions())?;
    }
    Ok(file)
}

/// Returns the folder of a file.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Removes the path that `tempfile` adds to an error. The temporary name means nothing to users, and messages
/// name the path of the output.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((why, _)) => io::Error::new(error.kind(), why),
        None => error,
    }
}

/// Follows a chain of links to a name that does not exist. Returns any other name unchanged.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    const MAX_LINKS: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&path) else {
            return Ok(path);
        };
        path = match path.parent() {
            Some(folder) => folder.join(next),
            None => next,
        };
    }
    Err(io::Error::other("too many links"))
}

/// Opens a target and writes it.
///
/// # Errors
/// The errors of [`Target::open`] and [`Target::write`].
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    Target::open(path)?.write(write)
}

/// Creates a folder for reports if it does not exist. Its parent folder must exist.
///
/// # Errors
/// If the folder cannot be created.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Err(error) if !folder.is_dir() => Err(error),
        _ => Ok(()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn write(path: &Path, text: &str) -> io::Result<()> {
        write_whole(path, |out| out.write_all(text.as_bytes()))
    }

    #[test]
    fn a_link_leads_to_the_file_that_is_written() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        symlink("file", &link)?;
        for text in ["one", "two"] {
            write(&link, text)?;
            assert_eq!(fs::read_to_string(&file)?, text);
            assert!(fs::symlink_metadata(&link)?.is_symlink());
        }
        assert_eq!(fs::read_dir(folder.path())?.count(), 2);
        Ok(())
    }

    #[test]
    fn a_file_keeps_its_mode() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("file");
        write(&file, "one")?;
        assert_eq!(fs::metadata(&file)?.permissions().mode() & 0o777, 0o644);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600))?;
        write(&file, "two")?;
        assert_eq!(fs::metadata(&file)?.permissions().mode() & 0o777, 0o600);
        Ok(())
    }

    #[test]
    fn devices_stay_devices() -> io::Result<()> {
        write(Path::new("/dev/null"), "one")?;
        assert!(!fs::metadata("/dev/null")?.is_file());
        Ok(())
    }

    #[test]
    fn what_cannot_be_written_is_found_out_before() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        assert!(Target::open(folder.path()).is_err());
        let none = folder.path().join("none");
        let error = Target::open(&none.join("file")).expect_err("no folder");
        assert!(!error.to_string().contains(UNFINISHED), "{error}");
        assert!(!none.exists());
        assert!(make_folder(&none.join("deep")).is_err());
        make_folder(&none)?;
        make_folder(&none)?;
        Target::open(&none.join("file"))?;
        let same = resolved(&none.join("..").join("none").join("file"))?;
        assert_eq!(resolved(&none.join("file"))?, same);
        assert_eq!(fs::read_dir(&none)?.count(), 0);
        Ok(())
    }
}

//! Access to the files of builds, and the errors for files that are inaccessible or damaged.

use super::Failed;
use control::files::{FileError, FileErrorKind};
use std::io;
use std::path::Path;

/// Returns the error for a file that cannot be written.
pub fn unwritable(path: &Path, error: &io::Error) -> Failed {
    FileError::unwritable(path, error).into()
}

/// Returns the error for a file that cannot be read. A file that ends early is damaged.
pub fn unreadable(path: &Path, error: &io::Error) -> Failed {
    with_help(FileError::unreadable(path, error))
}

/// Returns the error for a damaged file of a class that is being built.
pub fn damaged(path: &Path, why: &str) -> Failed {
    with_help(FileError::damaged(path, why))
}

/// Returns the failure for an error of a file, with the remedy if the file is damaged.
pub fn with_help(error: FileError) -> Failed {
    match error.kind {
        FileErrorKind::Damaged => error
            .help("remove the folder: the class begins again")
            .into(),
        _ => error.into(),
    }
}

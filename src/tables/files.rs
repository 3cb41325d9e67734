//! The errors for files of builds.

use super::Failed;
use control::files::{FileError, FileErrorKind};
use std::io;
use std::path::Path;

/// Returns the error for a file that cannot be written.
pub fn unwritable(path: &Path, error: &io::Error) -> Failed {
    FileError::unwritable(path, error).into()
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

//! Claims: which classes a process is building, so that others that share the folder take other ones.
//!
//! A claim is a file beside the table's, locked as long as its process lives. It only saves work:
//! no table depends on it, because a table is written whole and then renamed, and two builders of
//! one class write the same bytes.

use control::files::try_lock;
use std::fs::File;
use std::path::{Path, PathBuf};

/// How the names of claims end.
pub const ENDING: &str = "claim";

/// A class that other processes leave to this one, until it is dropped.
#[derive(Debug)]
pub struct BuildLock {
    path: PathBuf,
    // The lock goes with it, also when the process is killed.
    file: Option<File>,
}

impl BuildLock {
    /// Claims the table that this path would have; nothing if a process that lives has claimed it.
    /// If files cannot be created or locked, every process may claim.
    pub fn take(table: &Path) -> Option<BuildLock> {
        let path = table.with_extension(ENDING);
        let open = || {
            std::fs::create_dir_all(path.parent()?).ok()?;
            let mut options = File::options();
            options.create(true).truncate(false).write(true);
            control::files::open_with(&mut options, &path).ok()
        };
        let file = open();
        if file.as_ref().is_some_and(|file| !try_lock(file)) {
            return None;
        }
        Some(BuildLock { path, file })
    }
}

impl Drop for BuildLock {
    fn drop(&mut self) {
        if self.file.is_some() {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_class_is_claimed_once_and_again_when_it_is_free() {
        let folder = tempfile::tempdir().expect("a folder");
        let table = folder.path().join("deep/KQvK.fpt");
        let first = BuildLock::take(&table).expect("free");
        assert!(BuildLock::take(&table).is_none());
        assert!(BuildLock::take(&table.with_file_name("KRvK.fpt")).is_some());
        drop(first);
        let left = std::fs::read_dir(folder.path().join("deep")).expect("a folder");
        assert_eq!(left.count(), 0);
        assert!(BuildLock::take(&table).is_some());
    }
}

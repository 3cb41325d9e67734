//! Build locks. A process locks the class it builds, so that other processes on the same folder build
//! different ones.
//!
//! A build lock is a file next to the table's, locked until the class is built or the process ends. Build
//! locks only save work; no table depends on them. A table is written under a temporary name and then
//! renamed, and two builders of one class write the same bytes.

use control::files::try_lock;
use std::fs::File;
use std::path::{Path, PathBuf};

/// File name extension of build locks.
pub const ENDING: &str = "claim";

/// A lock on a class that this process builds. Dropping the value releases the lock.
#[derive(Debug)]
pub struct BuildLock {
    path: PathBuf,
    // The operating system releases the lock with this file, even if the process is killed.
    file: Option<File>,
}

impl BuildLock {
    /// Locks the class whose table has the path `table`. Returns `None` if a running process holds the lock.
    /// Where files cannot be created or locked, every call succeeds.
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

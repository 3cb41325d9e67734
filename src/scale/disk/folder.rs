//! The folder of a search on disk. One process at a time uses it, and its state file always names complete
//! files.
//!
//! The state file lists the finished steps and the files that hold their results. This file is replaced at the
//! end of each step, after the files that it names have reached the disk. So whatever happens in between, the
//! folder holds the last complete step. Files that the state does not name are left over from an unfinished
//! step.

use super::run::{Run, UNFINISHED};
use super::{Failed, damaged, unreadable, unwritable, with_help};
use control::container::{self, Kind, Law};
use control::files::try_lock;
use diagnostics::Diagnostic;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};

/// The kind of the state file.
const KIND: &Kind = b"search  ";
const STATE: &str = "state";
const LOCK: &str = "lock";
/// File name extension of runs.
pub const RUN: &str = "run";
/// The name of the folder of the backward pass.
pub const VALUES: &str = "values";

/// The question of a folder. Only a search with an equal question resumes in the folder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Question {
    /// The variant with its options. For a variant from a file, the fingerprint of its definition is
    /// included.
    pub variant: String,
    /// The position at which the search begins.
    pub position: String,
    /// Versions of the rules, which change with every correction: of those shared by all rule sets, and of
    /// this rule set.
    pub law: [u32; 2],
}

/// The entry of a run in the state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Named {
    name: String,
    records: u64,
    sum: u32,
}

impl Named {
    /// Returns the number of records of the run.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Returns the number that is the run's name, or `None` if the name is another text, such as a path.
    pub fn number(&self) -> Option<u64> {
        let number = self.name.parse::<u64>().ok()?;
        (number.to_string() == self.name).then_some(number)
    }
}

/// A folder that no other process writes to.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    // The system releases the lock when this file is closed, even if the process is killed.
    _lock: File,
}

/// Returns whether a file has a name that searches use.
fn ours(name: &str) -> bool {
    let ending = Path::new(name).extension().and_then(|e| e.to_str());
    [STATE, LOCK, VALUES].contains(&name) || ending.is_some_and(|e| [RUN, UNFINISHED].contains(&e))
}

impl Folder {
    /// Creates the folder if it does not exist, and locks it.
    ///
    /// # Errors
    /// If the folder cannot be created or written to, contains other files, or is used by another process.
    pub fn claim(path: &Path) -> Result<Folder, Failed> {
        fs::create_dir_all(path).map_err(|e| unwritable(path, e))?;
        let names = names(path)?;
        if let Some(name) = names.iter().find(|name| !ours(name)) {
            let why = format!(
                "`{}` has other files in it, such as `{name}`",
                path.display()
            );
            return Err(Diagnostic::new("disk", why)
                .help("an empty folder, or one where a search was begun")
                .into());
        }
        let place = path.join(LOCK);
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true);
        let lock = control::files::open_with(&mut options, &place);
        let lock = lock.map_err(|e| unwritable(&place, e))?;
        if !try_lock(&lock) {
            let why = format!("another process works in `{}`", path.display());
            return Err(Diagnostic::new("disk", why).into());
        }
        Ok(Folder {
            path: path.to_path_buf(),
            _lock: lock,
        })
    }

    /// Returns the path of a file in the folder.
    pub fn place(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Returns the path of a run in the folder.
    pub fn run(&self, name: &str) -> PathBuf {
        self.path.join(name).with_extension(RUN)
    }

    /// Returns the state that was saved last, or `None` if there is none yet.
    ///
    /// # Errors
    /// If the state cannot be read or is damaged.
    pub fn load<S: for<'de> Deserialize<'de>>(&self) -> Result<Option<S>, Failed> {
        container::read_json(&self.place(STATE), KIND).map_err(with_help)
    }

    /// Replaces the state. Once this function has returned, the new state survives a power failure.
    ///
    /// # Errors
    /// If the state cannot be written. The previous state then remains.
    pub fn save<S: Serialize>(&self, law: Law, state: &S) -> Result<(), Failed> {
        let path = self.place(STATE);
        // The names of the runs must reach the disk before the state that contains them.
        self.sync().map_err(|e| unwritable(&path, e))?;
        container::write_json(&path, (KIND, law), true, state)?;
        self.sync().map_err(|e| unwritable(&path, e))
    }

    /// Waits until the file names in the folder have reached the disk.
    fn sync(&self) -> std::io::Result<()> {
        if cfg!(unix) {
            File::open(&self.path)?.sync_all()?;
        }
        Ok(())
    }

    /// Returns the entry of a run for the state.
    pub fn named(&self, run: &Run) -> Named {
        let name = run.path().file_stem().and_then(|name| name.to_str());
        Named {
            name: name.unwrap_or_default().to_string(),
            records: run.records(),
            sum: run.sum(),
        }
    }

    /// Opens a run that the state names.
    ///
    /// # Errors
    /// If the run cannot be read, is damaged, or is not the one that the state names.
    pub fn open(&self, named: &Named, width: usize) -> Result<Run, Failed> {
        let path = self.run(&named.name);
        let run = Run::open(&path, width)?;
        if run.sum() != named.sum || run.records() != named.records {
            return Err(damaged(&path, "it is another one"));
        }
        Ok(run)
    }

    /// Removes the files of a search that the state does not name, but not the folder of the backward pass.
    ///
    /// # Errors
    /// If the folder cannot be read. A file that cannot be removed stays.
    pub fn clear(&self, named: &[&Named]) -> Result<(), Failed> {
        let kept: BTreeSet<PathBuf> = named.iter().map(|named| self.run(&named.name)).collect();
        for name in names(&self.path)? {
            let path = self.place(&name);
            if ours(&name) && ![STATE, LOCK, VALUES].contains(&&name[..]) && !kept.contains(&path) {
                let _ = fs::remove_file(path);
            }
        }
        Ok(())
    }
}

/// Returns the names of a folder's entries.
fn names(path: &Path) -> Result<Vec<String>, Failed> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path).map_err(|e| unreadable(path, e))? {
        let entry = entry.map_err(|e| unreadable(path, e))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_other_files_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("letter.txt"), "dear").expect("written");
        let refused = Folder::claim(folder.path()).map(|_| ()).unwrap_err();
        assert!(refused.to_string().contains("letter.txt"), "{refused}");
        assert_eq!(fs::read_dir(folder.path()).expect("read").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_is_claimed_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = Folder::claim(folder.path()).expect("claimed");
        let second = Folder::claim(folder.path()).map(|_| ()).unwrap_err();
        assert!(second.to_string().contains("another process"), "{second}");
        drop(first);
        Folder::claim(folder.path()).expect("claimed again");
    }

    #[test]
    fn a_damaged_state_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let claimed = Folder::claim(folder.path()).expect("claimed");
        assert_eq!(claimed.load::<Vec<u64>>().expect("none"), None);
        claimed.save([1, 1], &vec![1u64, 20, 300]).expect("saved");
        assert_eq!(claimed.load().expect("saved"), Some(vec![1u64, 20, 300]));
        let path = claimed.place(STATE);
        let whole = fs::read(&path).expect("read");
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&path, &bytes).expect("written");
            assert!(claimed.load::<Vec<u64>>().is_err(), "byte {at}");
        }
    }

    #[test]
    fn what_no_state_names_is_cleared() {
        let folder = tempfile::tempdir().expect("a folder");
        let claimed = Folder::claim(folder.path()).expect("claimed");
        let write = |name: &str| {
            let writer = super::super::run::Writer::create(&claimed.run(name), 1);
            writer
                .and_then(|writer| writer.finish(true))
                .expect("a run")
        };
        let (kept, _) = (claimed.named(&write("kept")), write("left"));
        fs::write(claimed.place("x.unfinished"), "x").expect("written");
        claimed.save([1, 1], &0).expect("saved");
        claimed.clear(&[&kept]).expect("cleared");
        let left = names(folder.path()).expect("read");
        assert_eq!(left, ["kept.run", LOCK, STATE]);
        assert!(claimed.open(&kept, 1).is_ok());
        assert!(claimed.open(&kept, 2).is_err());
    }
}

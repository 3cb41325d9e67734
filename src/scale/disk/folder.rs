//! The folder of a search: one process at a time, and a state that always names whole files.
//!
//! `state.json` says what is done and which files hold it. It is replaced at the end of each step,
//! after the files that it names have reached the disk: whatever happens in between, the folder
//! holds the step before. Files that it does not name are left over from a step that did not end.

use super::run::{Run, UNFINISHED};
use super::{Failed, damaged, unreadable, unwritable};
use control::files::try_lock;
use diagnostics::Diagnostic;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// How the state begins; its checksum and a line's end follow, then the state itself.
const MAGIC: &str = "fairyproof search on disk, format 1, ";
const STATE: &str = "state.json";
const LOCK: &str = "lock";
/// How the names of runs end.
pub const RUN: &str = "run";
/// The name of the file that values are worked out in.
pub const SCRATCH: &str = "values.scratch";

/// The question of a folder: only the same question resumes in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Question {
    /// The variant with its options; one read from a file with the fingerprint of its definition.
    pub variant: String,
    /// The position that the search begins at.
    pub position: String,
    /// Numbers that change with every correction of the rules: of all rule sets, and of this one.
    pub law: [u32; 2],
}

/// A run as the state names it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Named {
    name: String,
    records: u64,
    sum: u32,
}

impl Named {
    /// Returns how many records it has.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Returns its number, which is its name; `None` if the name is another text, such as a path.
    pub fn number(&self) -> Option<u64> {
        let number = self.name.parse::<u64>().ok()?;
        (number.to_string() == self.name).then_some(number)
    }
}

/// A folder that no other process writes to.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    // Open as long as the folder is claimed: the lock goes with it, also when the process is killed.
    _lock: File,
}

/// Returns whether a file is one that a search makes.
fn ours(name: &str) -> bool {
    let ending = Path::new(name).extension().and_then(|e| e.to_str());
    [STATE, LOCK, SCRATCH].contains(&name) || ending.is_some_and(|e| [RUN, UNFINISHED].contains(&e))
}

impl Folder {
    /// Makes the folder if there is none, and claims it.
    ///
    /// # Errors
    /// If it cannot be made or written to, has other files in it, or another process works there.
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

    /// Returns the place of a file.
    pub fn place(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Returns the place of a run.
    pub fn run(&self, name: &str) -> PathBuf {
        self.path.join(name).with_extension(RUN)
    }

    /// Returns the state that was saved last; none if there is none yet.
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub fn load<S: for<'de> Deserialize<'de>>(&self) -> Result<Option<S>, Failed> {
        let path = self.place(STATE);
        let text = match control::files::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(unreadable(&path, e)),
        };
        let body = text.strip_prefix(MAGIC).and_then(|rest| {
            let (sum, body) = rest.split_once('\n')?;
            (sum == checksum(body)).then_some(body)
        });
        let Some(body) = body else {
            return Err(damaged(&path, "its checksum is wrong"));
        };
        let state = serde_json::from_str(body).map_err(|e| damaged(&path, &e.to_string()))?;
        Ok(Some(state))
    }

    /// Replaces the state. Once this has returned, it outlives a loss of power.
    ///
    /// # Errors
    /// If it cannot be written; the one before is then still there.
    pub fn save<S: Serialize>(&self, state: &S) -> Result<(), Failed> {
        let path = self.place(STATE);
        let body = serde_json::to_string(state).map_err(|e| damaged(&path, &e.to_string()))?;
        let unfinished = path.with_extension(UNFINISHED);
        let write = || {
            // The runs that it names have got their names before.
            self.sync()?;
            let mut file = control::files::create(&unfinished)?;
            file.write_all(format!("{MAGIC}{}\n{body}", checksum(&body)).as_bytes())?;
            file.sync_all()?;
            fs::rename(&unfinished, &path)?;
            self.sync()
        };
        write().map_err(|e| {
            let _ = fs::remove_file(&unfinished);
            unwritable(&path, e)
        })
    }

    /// Has the names in the folder reach the disk.
    fn sync(&self) -> std::io::Result<()> {
        if cfg!(unix) {
            File::open(&self.path)?.sync_all()?;
        }
        Ok(())
    }

    /// Returns what the state says of a run.
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
    /// If it cannot be read, is damaged, or is another one.
    pub fn open(&self, named: &Named, width: usize) -> Result<Run, Failed> {
        let path = self.run(&named.name);
        let run = Run::open(&path, width)?;
        if run.sum() != named.sum || run.records() != named.records {
            return Err(damaged(&path, "it is another one"));
        }
        Ok(run)
    }

    /// Takes away what a search has left here and the state does not name; the scratch file may stay.
    ///
    /// # Errors
    /// If the folder cannot be read; a file that cannot be removed stays.
    pub fn clear(&self, named: &[&Named], scratch: bool) -> Result<(), Failed> {
        let mut kept: BTreeSet<PathBuf> = named.iter().map(|named| self.run(&named.name)).collect();
        if scratch {
            kept.insert(self.place(SCRATCH));
        }
        for name in names(&self.path)? {
            let path = self.place(&name);
            if ours(&name) && name != STATE && name != LOCK && !kept.contains(&path) {
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

fn checksum(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
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
        claimed.save(&vec![1u64, 20, 300]).expect("saved");
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
        claimed.save(&0).expect("saved");
        claimed.clear(&[&kept], false).expect("cleared");
        let left = names(folder.path()).expect("read");
        assert_eq!(left, ["kept.run", LOCK, STATE]);
        assert!(claimed.open(&kept, 1).is_ok());
        assert!(claimed.open(&kept, 2).is_err());
    }
}

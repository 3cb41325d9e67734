//! Complete levels in files, from which a lost run resumes.
//!
//! A file holds what one worker found at one level: the description of the run, the numbers of the level and the
//! worker with the counts of the level above, and the keys of its states, in sections of which the last is empty. The file is written under a temporary
//! name, flushed to disk, and renamed. A checksum shows whether it is complete. A level counts once all workers
//! have it. Nothing here decides when a level is saved.

use super::flow::Flow;
use super::part::{PackedLevel, WorkerStates, owner, pack, unpack};
use super::search::Store;
use super::{Failed, Shared, Task};
use crate::check_limits;
use control::container::{self, Kind, NO_LAW};
use control::files::FileError;
use diagnostics::Diagnostic;
use explore::{Expander, LevelCount};
use std::cell::RefCell;
use std::fs;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

const KIND: &Kind = b"level 3 ";
/// Maximum length in bytes of a run's description, and of the counts.
const MAX_TEXT_BYTES: u64 = 1 << 20;
/// More than is ever counted, and small enough for sums not to overflow.
const MAX_COUNT: u64 = 1 << 48;
/// Keys in a section.
const BLOCK: usize = 1 << 12;

/// The level files of a worker.
pub(super) struct Saved<'s> {
    folder: &'s Path,
    /// The description of the run that the files belong to. It identifies the build, and so the rules.
    run: String,
    game: &'s Expander<'s>,
    me: usize,
    workers: usize,
}

/// Returns the failure to report in all processes for a file that cannot be read or written.
pub(super) fn unusable(why: String) -> Failed {
    let error = Diagnostic::new("--state", why);
    Failed::Agreed(error.help("the same command resumes from the last complete level"))
}

fn damaged() -> io::Error {
    container::damaged("it is damaged")
}

impl<'s> Saved<'s> {
    /// Returns the level files of a worker in a folder.
    pub fn new(folder: &'s Path, shared: &Shared<'s>, me: usize, workers: usize) -> Saved<'s> {
        let mut run = String::new();
        for (name, value) in &shared.task.identity {
            run.push_str(&format!("{name} `{value}`, "));
        }
        Saved {
            folder,
            run: run + &format!("{workers} workers"),
            game: shared.task.game,
            me,
            workers,
        }
    }

    fn path(&self, depth: usize) -> PathBuf {
        let name = format!("level-{depth:05}-worker-{:04}", self.me);
        self.folder.join(name)
    }

    /// Writes the deepest level of a part, and the counts of the level above.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, part: &WorkerStates, level: &LevelCount) -> Result<(), FileError> {
        let depth = part.levels.len() - 2;
        container::write(&self.path(depth), (KIND, NO_LAW), true, |out| {
            out.section(self.run.as_bytes())?;
            out.json(&(depth, self.me, pack(level)))?;
            let end = part.levels[depth + 1];
            for first in (part.levels[depth]..end).step_by(BLOCK) {
                let keys = part.keys(first..end.min(first + BLOCK));
                let bytes: Vec<u8> = keys.iter().flat_map(|word| word.to_le_bytes()).collect();
                out.section(&bytes)?;
            }
            out.section(&[])
        })
    }

    /// Reads a whole file and calls `receive` with its keys, many at a time. Returns the counts of the level above, or
    /// the description of the other run that the file belongs to.
    fn read(
        &self,
        depth: usize,
        receive: &mut dyn FnMut(&[u64]),
    ) -> io::Result<Result<LevelCount, String>> {
        let words = self.game.words();
        let mut read = || {
            let file = control::files::open(&self.path(depth))?;
            let mut from = container::Reader::new(BufReader::with_capacity(1 << 16, file), KIND)?;
            let run = String::from_utf8(from.section(MAX_TEXT_BYTES)?);
            let run = run.map_err(|_| damaged())?;
            if run != self.run {
                return Ok(Err(run));
            }
            let (level, worker, counts): (usize, usize, PackedLevel) = from.json(MAX_TEXT_BYTES)?;
            if (level, worker) != (depth, self.me) {
                return Err(damaged());
            }
            loop {
                let bytes = from.section((BLOCK * words * 8) as u64)?;
                if bytes.is_empty() {
                    break;
                }
                let (keys, rest) = bytes.as_chunks();
                let keys: Vec<u64> = keys.iter().map(|&word| u64::from_le_bytes(word)).collect();
                if !rest.is_empty() || !keys.len().is_multiple_of(words) {
                    return Err(damaged());
                }
                receive(&keys);
            }
            from.finish()?;
            Ok(Ok(unpack(&counts)))
        };
        read().map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => damaged(),
            _ => error,
        })
    }

    /// Like [`Saved::read`], but also checks that the states of the file can be states of this worker.
    fn check(&self, depth: usize) -> io::Result<Result<LevelCount, String>> {
        let mut are_own = true;
        let read = self.read(depth, &mut |keys| {
            let is_own =
                |key: &[u64]| owner(key, self.workers) == self.me && self.game.accepts(key);
            are_own &= keys.chunks_exact(self.game.words()).all(is_own);
        })?;
        if let Ok(level) = &read {
            let counts = [level.new, level.expanded, level.edges];
            let counts = counts.into_iter().chain(level.terminals.values().copied());
            if !are_own || counts.max() >= Some(MAX_COUNT) {
                return Err(damaged());
            }
        }
        Ok(read)
    }

    /// Returns the counts of the complete levels of this worker. `wrong` becomes the reason, if there is one,
    /// why the folder cannot be used.
    fn complete(&self, shared: &Shared<'_>, wrong: &mut Option<String>) -> Vec<LevelCount> {
        let mut levels = Vec::new();
        if let Err(error) = fs::create_dir_all(self.folder) {
            *wrong = Some(FileError::unwritable(self.folder, &error).to_string());
        }
        while wrong.is_none() {
            let path = self.path(levels.len());
            let path = path.display();
            match self.check(levels.len()) {
                Ok(Ok(level)) => levels.push(level),
                Ok(Err(run)) => {
                    *wrong = Some(format!(
                        "`{path}` is of another run: {run}, not {}",
                        self.run
                    ));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    let note = format!("`{path}` is damaged: its level is explored again");
                    shared.means.control.note(&note);
                    break;
                }
                Err(error) => *wrong = Some(format!("`{path}` cannot be read: {error}")),
            }
        }
        levels
    }

    /// Reads the levels that all workers have. Returns the counts, by all workers together, of each of these
    /// levels but the last.
    pub fn resume(
        &self,
        flow: &mut Flow<'_>,
        shared: &Shared<'_>,
        local: usize,
        store: &RefCell<Store>,
    ) -> Result<Vec<LevelCount>, Failed> {
        let mut wrong = None;
        let levels = self.complete(shared, &mut wrong);
        let mut whole = levels.len();
        for (levels, why) in flow.gather(&(whole, wrong))? {
            whole = whole.min(levels);
            if let Some(why) = why {
                let error = Diagnostic::new("--state", why).help("name another folder");
                return Err(Failed::Agreed(error));
            }
        }
        for depth in 0..whole {
            let part = &mut store.borrow_mut().part;
            let insert = &mut |keys: &[u64]| {
                part.insert(keys);
            };
            let read = self.read(depth, insert);
            let read = read.and_then(|level| level.map_err(|_| damaged()));
            // The root is not counted as new. A state of an earlier level is not inserted again.
            let states = part.states.len();
            let is_whole = |level: &LevelCount| {
                depth == 0 || level.new == (states - part.levels[depth]) as u64
            };
            let read = read.and_then(|level| is_whole(&level).then_some(()).ok_or_else(damaged));
            read.map_err(|error| {
                unusable(FileError::unreadable(&self.path(depth), &error).to_string())
            })?;
            part.levels.push(states);
        }
        // No worker continues before all have read their levels.
        let counts: Vec<PackedLevel> = levels[..whole].iter().skip(1).map(pack).collect();
        let mut all = vec![LevelCount::default(); counts.len()];
        for share in flow.gather(&counts)? {
            for (sum, level) in all.iter_mut().zip(&share) {
                sum.add(&unpack(level));
            }
        }
        let states: u64 = 1 + all.iter().map(|level| level.new).sum::<u64>();
        let Task {
            max_depth,
            max_states,
            ..
        } = *shared.task;
        let levels = (all.len() as u64, max_depth);
        check_limits("--state", self.folder, levels, (states, max_states))
            .map_err(Failed::Agreed)?;
        if whole > 0
            && flow.me() == 0
            && let Some(control) = shared.reporter(local)
        {
            let depth = whole - 1;
            control.note(&format!("going on from depth {depth}, {states} states"));
        }
        Ok(all)
    }
}

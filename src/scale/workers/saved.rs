//! Complete levels in files, from which a lost run resumes.
//!
//! A file holds what one worker found at one level: the keys of its states there, and its counts of the level
//! above. The file is written under a temporary name, flushed to disk, and renamed. A checksum shows whether
//! it is complete. A level counts once all workers have it.

use super::exchange::Post;
use super::part::{PackedLevel, WorkerStates, owner, pack, unpack};
use super::run_file::{RunFile, damaged, put, take, unusable};
use super::{Failed, Shared};
use control::container::Kind;
use control::files::FileError;
use diagnostics::Diagnostic;
use explore::{Expander, LevelCount, StateId};
use std::fs;
use std::io;
use std::path::Path;

const KIND: &Kind = b"level   ";
/// Maximum length of the counts in bytes.
const MAX_COUNTS_BYTES: u64 = 1 << 20;
/// More than is ever counted, and small enough for sums not to overflow.
const MAX_COUNT: u64 = 1 << 48;
/// Keys read at a time.
const BLOCK: usize = 1 << 12;

/// The level files of a worker.
pub(super) struct Saved<'s> {
    folder: &'s Path,
    /// The description of the run that the files belong to.
    run: String,
    game: &'s Expander<'s>,
    me: usize,
    workers: usize,
}

impl<'s> Saved<'s> {
    /// Returns the level files of a worker in a folder.
    pub fn new(folder: &'s Path, shared: &Shared<'s>, me: usize, workers: usize) -> Saved<'s> {
        Saved {
            folder,
            run: shared.run(workers),
            game: shared.task.game,
            me,
            workers,
        }
    }

    fn file(&self, depth: usize) -> RunFile<'_> {
        let name = format!("level-{depth:05}-worker-{:04}", self.me);
        RunFile {
            path: self.folder.join(name),
            kind: KIND,
            run: &self.run,
        }
    }

    /// Writes the deepest level of a part, and the counts of the level above.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, part: &WorkerStates, level: &LevelCount) -> Result<(), Failed> {
        let depth = part.levels.len() - 2;
        self.file(depth).write(|out| {
            out.json(&pack(level))?;
            let end = part.states.len();
            for first in (part.levels[depth]..end).step_by(BLOCK) {
                let ids = first..end.min(first + BLOCK);
                let keys = ids.flat_map(|id| part.states.key(id as StateId));
                put(out, &keys.copied().collect::<Vec<u64>>())?;
            }
            put::<u64>(out, &[])
        })
    }

    /// Reads a whole file and calls `hear` with its keys, many at a time. Returns the counts of the level above, or
    /// the description of the other run that the file belongs to.
    fn read(
        &self,
        depth: usize,
        hear: &mut dyn FnMut(&[u64]),
    ) -> io::Result<Result<LevelCount, String>> {
        let words = self.game.words();
        self.file(depth).read(|from| {
            let counts: PackedLevel = from.json(MAX_COUNTS_BYTES)?;
            loop {
                let keys = take(from, (BLOCK * words) as u64)?;
                if keys.is_empty() {
                    return Ok(unpack(&counts));
                }
                if !keys.len().is_multiple_of(words) {
                    return Err(damaged());
                }
                hear(&keys);
            }
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

    /// Reads the levels that all workers have into a part. Returns the counts, by all workers together, of
    /// each of these levels but the last.
    pub fn resume(
        &mut self,
        post: &mut Post<'_>,
        shared: &Shared<'_>,
        local: usize,
        part: &mut WorkerStates,
    ) -> Result<Vec<LevelCount>, Failed> {
        fs::create_dir_all(self.folder)
            .map_err(|error| unusable(&FileError::unwritable(self.folder, &error)))?;
        let mut levels = Vec::new();
        let mut wrong = None;
        while wrong.is_none() {
            let path = self.file(levels.len()).path;
            match self.check(levels.len()) {
                Ok(Ok(level)) => levels.push(level),
                Ok(Err(run)) => {
                    let why = format!(
                        "`{}` is of another run: {run}, not {}",
                        path.display(),
                        self.run
                    );
                    wrong = Some(why);
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    shared.means.control.note(&format!(
                        "`{}` is damaged: its level is explored again",
                        path.display()
                    ));
                    break;
                }
                Err(error) => wrong = Some(format!("`{}` cannot be read: {error}", path.display())),
            }
        }
        let mut whole = levels.len();
        for (levels, why) in post.gather(&(whole, wrong.clone()))? {
            whole = whole.min(levels);
            wrong = wrong.or(why);
        }
        if let Some(why) = wrong {
            let error = Diagnostic::new("--state", why).help("name another folder");
            return Err(Failed::Agreed(error));
        }
        for depth in 0..whole {
            let insert = &mut |keys: &[u64]| {
                part.insert(keys);
            };
            let read = self.read(depth, insert);
            let read = read.and_then(|level| level.map_err(|_| damaged()));
            read.map_err(|error| unusable(&FileError::unreadable(&self.file(depth).path, &error)))?;
            part.levels.push(part.states.len());
        }
        let counts: Vec<PackedLevel> = levels[..whole].iter().skip(1).map(pack).collect();
        let mut all = vec![LevelCount::default(); counts.len()];
        for share in post.gather(&counts)? {
            for (sum, level) in all.iter_mut().zip(&share) {
                sum.add(&unpack(level));
            }
        }
        if whole > 0
            && post.me() == 0
            && let Some(control) = shared.reporter(local)
        {
            let states: u64 = 1 + all.iter().map(|level| level.new).sum::<u64>();
            let depth = whole - 1;
            control.note(&format!("going on from depth {depth}, {states} states"));
        }
        Ok(all)
    }
}

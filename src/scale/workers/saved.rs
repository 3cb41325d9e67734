//! Complete levels in files, from which a lost run resumes.
//!
//! A file holds what one worker found at one level: the keys of its states there, and its counts of the level
//! above. The file is written under a temporary name, flushed to disk, and renamed. A checksum shows whether
//! it is complete. A level counts once all workers have it.

use super::exchange::Post;
use super::message::{WordReader, pack_text};
use super::part::{WorkerStates, owner, pack, unpack};
use super::{Failed, Shared};
use control::checksum::Summed;
use control::files::{FileError, write_complete};
use diagnostics::Diagnostic;
use explore::{Expander, LevelCount};
use std::fs;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// The first bytes of a file.
const MAGIC: &[u8] = b"fairyproof level 1\n";
/// Maximum length of a run's description in bytes, and maximum number of words of counts.
const MAX_SAVED_BYTES: u64 = 1 << 20;
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

/// The part of a file before its keys.
struct Head {
    run: String,
    level: LevelCount,
    keys: u64,
}

pub(super) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is damaged")
}

/// Returns the error for a damaged file if a file ends early, otherwise the error itself.
pub(super) fn cut_off(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => damaged(),
        _ => error,
    }
}

pub(super) fn read_word(from: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn read_head(from: &mut impl Read) -> io::Result<Head> {
    let mut magic = [0; MAGIC.len()];
    from.read_exact(&mut magic)?;
    if magic != *MAGIC {
        return Err(damaged());
    }
    let length = read_word(from)?;
    if length > MAX_SAVED_BYTES {
        return Err(damaged());
    }
    let mut run = vec![0; length as usize];
    from.read_exact(&mut run)?;
    let words = read_word(from)?;
    if words > MAX_SAVED_BYTES {
        return Err(damaged());
    }
    let words = (0..words)
        .map(|_| read_word(from))
        .collect::<io::Result<Vec<u64>>>()?;
    Ok(Head {
        run: String::from_utf8(run).map_err(|_| damaged())?,
        level: unpack(&mut WordReader(&words)),
        keys: read_word(from)?,
    })
}

impl<'s> Saved<'s> {
    /// Returns the level files of a worker in a folder.
    pub fn new(folder: &'s Path, shared: &Shared<'s>, me: usize, workers: usize) -> Saved<'s> {
        let mut run = String::new();
        for (name, value) in &shared.task.identity {
            run.push_str(&format!("{name} `{value}`, "));
        }
        run.push_str(&format!("{workers} workers"));
        Saved {
            folder,
            run,
            game: shared.task.game,
            me,
            workers,
        }
    }

    /// Returns the description of the run that the files belong to.
    pub fn run(&self) -> &str {
        &self.run
    }

    fn path(&self, depth: usize) -> PathBuf {
        let name = format!("level-{depth:05}-worker-{:04}", self.me);
        self.folder.join(name)
    }

    /// Returns the failure for a file that cannot be read or written.
    pub fn unusable(error: &FileError) -> Failed {
        let error = Diagnostic::new("--state", error.to_string());
        Failed::Input(error.help("the same command resumes from the last complete level"))
    }

    /// Writes the deepest level of a part, and the counts of the level above.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, part: &WorkerStates, level: &LevelCount) -> Result<(), Failed> {
        let path = self.path(part.levels.len() - 2);
        write_complete(&path, true, |file| self.write_to(file, part, level))
            .map_err(|error| Saved::unusable(&error))
    }

    fn write_to(
        &self,
        file: &mut impl Write,
        part: &WorkerStates,
        level: &LevelCount,
    ) -> io::Result<()> {
        let mut out = Summed::new(file);
        let mut counts = Vec::new();
        pack(level, &mut counts);
        out.write_all(MAGIC)?;
        out.write_all(&(self.run.len() as u64).to_le_bytes())?;
        out.write_all(self.run.as_bytes())?;
        out.write_all(&(counts.len() as u64).to_le_bytes())?;
        for word in counts {
            out.write_all(&word.to_le_bytes())?;
        }
        let ids = part.levels[part.levels.len() - 2]..part.states.len();
        out.write_all(&(ids.len() as u64).to_le_bytes())?;
        let mut block = Vec::with_capacity(8 * BLOCK + 8 * part.states.words());
        for id in ids {
            for word in part.states.key(id as u32) {
                block.extend_from_slice(&word.to_le_bytes());
            }
            if block.len() >= 8 * BLOCK {
                out.write_all(&block)?;
                block.clear();
            }
        }
        out.write_all(&block)?;
        out.finish()?;
        Ok(())
    }

    /// Reads a whole file and passes its keys on, many at a time.
    fn read(&self, path: &Path, words: usize, hear: &mut dyn FnMut(&[u64])) -> io::Result<Head> {
        let file = BufReader::with_capacity(1 << 16, control::files::open(path)?);
        let mut from = Summed::new(file);
        let head = read_head(&mut from)?;
        let mut left = head.keys;
        let (mut bytes, mut keys) = (vec![0; 8 * BLOCK * words], Vec::new());
        while left > 0 {
            let n = left.min(BLOCK as u64) as usize;
            let bytes = &mut bytes[..8 * n * words];
            from.read_exact(bytes)?;
            keys.clear();
            keys.extend(
                bytes
                    .as_chunks()
                    .0
                    .iter()
                    .map(|&word| u64::from_le_bytes(word)),
            );
            hear(&keys);
            left -= n as u64;
        }
        let (mut file, equal) = from.verify()?;
        if !equal || file.read(&mut [0])? > 0 {
            return Err(damaged());
        }
        Ok(head)
    }

    /// Returns the head of a file. If the file belongs to this run, verifies the whole file.
    fn check(&self, path: &Path, words: usize) -> io::Result<Head> {
        let head = read_head(&mut BufReader::new(control::files::open(path)?)).map_err(cut_off)?;
        if head.run != self.run {
            return Ok(head);
        }
        let mut are_own = true;
        let head = self.read(path, words, &mut |keys| {
            let is_own =
                |key: &[u64]| owner(key, self.workers) == self.me && self.game.accepts(key);
            are_own &= keys.chunks_exact(words).all(is_own);
        });
        let head = head.map_err(cut_off)?;
        let level = &head.level;
        let counts = [level.new, level.expanded, level.edges];
        let counts = counts.into_iter().chain(level.terminals.values().copied());
        match are_own && counts.max() < Some(MAX_COUNT) {
            true => Ok(head),
            false => Err(damaged()),
        }
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
            .map_err(|error| Saved::unusable(&FileError::unwritable(self.folder, &error)))?;
        let words = part.states.words();
        let mut levels = Vec::new();
        let mut wrong = None;
        while wrong.is_none() {
            let path = self.path(levels.len());
            match self.check(&path, words) {
                Ok(head) if head.run == self.run => levels.push(head.level),
                Ok(Head { run, .. }) => {
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
        let mut words_of_mine = vec![whole as u64];
        pack_text(wrong.as_deref().unwrap_or(""), &mut words_of_mine);
        for share in post.gather(words_of_mine)? {
            let mut share = WordReader(&share);
            whole = whole.min(share.word() as usize);
            let why = share.text();
            if !why.is_empty() && wrong.is_none() {
                wrong = Some(why);
            }
        }
        if let Some(why) = wrong {
            let error = Diagnostic::new("--state", why).help("name another folder");
            return Err(Failed::Agreed(error));
        }
        for depth in 0..whole {
            let path = self.path(depth);
            self.read(&path, words, &mut |keys| {
                part.insert(keys);
            })
            .map_err(|error| Saved::unusable(&FileError::unreadable(&path, &error)))?;
            part.levels.push(part.states.len());
        }
        let mut counts = Vec::new();
        for level in levels.iter().take(whole).skip(1) {
            pack(level, &mut counts);
        }
        let mut all = vec![LevelCount::default(); whole.saturating_sub(1)];
        for share in post.gather(counts)? {
            let mut share = WordReader(&share);
            for level in &mut all {
                level.add(&unpack(&mut share));
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

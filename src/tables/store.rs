//! Tables on disk: one file for each class, in a folder for the variant and, within that, one for the board.
//!
//! A file consists of `FPTABLE1`, the length of the header (four bytes, little-endian), the header, the
//! blocks, and a CRC-32 checksum of all preceding bytes. The header is JSON: format version, versions of the
//! rules, variant with options, board, class, symmetry, number of indices, the classes it leads to, and the
//! length and checksum of each block. A block holds the low bytes of 65,536 values, then the high bytes,
//! compressed with LZ4.

use super::Failed;
use super::build_lock::{self, BuildLock};
use super::class::Class;
use super::class_table::{Table, Values};
use super::files;
use super::key::ClassKey;
use super::paged::{BLOCK, Paged, Room, unpack};
use board::Geometry;
use control::checksum::Summed;
use control::files::FileError;
use control::parallel;
use diagnostics::Diagnostic;
use position::Layout;
use rayon::prelude::*;
use rules::{Game, Variant};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read as _, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const MAGIC: &[u8; 8] = b"FPTABLE1";
const FORMAT: u32 = 1;
/// Version of the rules that all rule sets share. Raised by one whenever these are corrected, so that tables
/// stored before are built again.
pub const PROGRAM_LAW: u32 = 1;
/// Prefix of temporary files. The ID of the writing process follows.
const UNFINISHED: &str = ".unfinished-";
/// File name extension of tables.
const ENDING: &str = "fpt";

/// Returns the default folder for tables: `FAIRYPROOF_TABLES`, or `fairyproof/tables` in the user's cache
/// folder.
pub fn default_folder() -> Option<PathBuf> {
    let var = |name: &str| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    if let Some(folder) = var("FAIRYPROOF_TABLES") {
        return Some(folder);
    }
    let cache = if cfg!(windows) {
        var("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        var("HOME").map(|home| home.join("Library/Caches"))
    } else {
        var("XDG_CACHE_HOME")
            .filter(|p| p.is_absolute())
            .or_else(|| var("HOME").map(|home| home.join(".cache")))
    };
    cache.map(|cache| cache.join("fairyproof").join("tables"))
}

/// A folder of tables.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Header {
    format: u32,
    /// [`PROGRAM_LAW`] and the version of the rule set. Zeros in files that are older than this field.
    #[serde(default)]
    law: [u32; 2],
    variant: String,
    board: String,
    class: String,
    /// The key of the class. `None` in files that are older than this field.
    #[serde(default)]
    key: Option<ClassKey>,
    symmetry: usize,
    indices: u64,
    block_indices: usize,
    leads_to: Vec<ClassKey>,
    blocks: Vec<(u32, u32)>,
}

/// Tables with more indices than this are flushed to disk before they are renamed.
const SYNCED_INDICES: u64 = 100_000;

/// The header data of a table file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The variant with its options.
    pub variant: String,
    /// The board's shape.
    pub board: String,
    /// The label of the class.
    pub class: String,
    /// The key of the class. `None` in files that are older than this field.
    pub key: Option<ClassKey>,
    /// Number of indices.
    pub indices: u64,
    /// Size of the file in bytes.
    pub table_bytes: u64,
}

fn shape(geometry: Geometry) -> String {
    let mut text = geometry.size();
    if geometry.holes() != 0 {
        text += &format!("-holes{:x}", geometry.holes());
    }
    text
}

fn folder_name(variant: &Variant) -> String {
    variant.identity().replace([':', ','], "+")
}

/// Returns the path of a class in a folder, without an extension.
pub(super) fn place<W: Layout>(folder: &Path, game: &dyn Game<W>, key: &ClassKey) -> PathBuf {
    folder
        .join(folder_name(game.variant()))
        .join(shape(game.board().geometry()))
        .join(key.label(game.men()))
}

/// Returns a text that identifies the versions of the rules, the variant and the board.
pub(super) fn origin<W: Layout>(game: &dyn Game<W>) -> String {
    let (variant, board) = (game.variant().identity(), shape(game.board().geometry()));
    format!("{PROGRAM_LAW}.{} {variant} {board}", game.facts().law)
}

fn cannot(path: &Path, doing: &str, e: std::io::Error) -> Diagnostic {
    Diagnostic::new(
        format!("table file {}", path.display()),
        format!("cannot be {doing}: {e}"),
    )
}

fn damaged(path: &Path, why: &str) -> Diagnostic {
    Diagnostic::new(format!("table file {}", path.display()), why)
        .help("`fairyproof table build` builds it again")
}

/// The result of reading the table of a class.
#[derive(Debug)]
pub(super) enum Read {
    /// The file does not exist.
    None,
    /// The table.
    Table(Box<Table>),
    /// The file was built with rules that have been corrected since.
    Outdated(PathBuf),
}

impl Store {
    /// Returns the store in a folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Store {
        Store {
            folder: folder.into(),
        }
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn path<W: Layout>(&self, game: &dyn Game<W>, key: &ClassKey) -> PathBuf {
        place(&self.folder, game, key).with_extension(ENDING)
    }

    /// Locks a class for building. Returns `None` if another running process is building it.
    pub(super) fn claim<W: Layout>(&self, game: &dyn Game<W>, key: &ClassKey) -> Option<BuildLock> {
        BuildLock::take(&self.path(game, key))
    }

    /// Writes a table that is held in memory under a temporary name, and then renames the file. Does nothing
    /// for a table that stays on disk.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write<W: Layout>(&self, game: &dyn Game<W>, table: &Table) -> Result<(), Failed> {
        let Values::Held(values) = &table.values else {
            return Ok(());
        };
        let blocks: Vec<Vec<u8>> = values.par_chunks(BLOCK).map(pack).collect();
        let parts = blocks.iter().map(|b| part(b)).collect();
        let path = self.path(game, &table.class.key);
        let text = header(game, &table.class, &table.leads_to, parts)?;
        let folder = path.parent().unwrap_or(&self.folder);
        let write = || -> std::io::Result<()> {
            let mut file = self.unfinished(folder)?;
            let mut out = begin(file.as_file_mut(), &text)?;
            for block in &blocks {
                out.write_all(block)?;
            }
            out.finish()?.flush()?;
            // If a power failure damages a small table, this is detected and the table is soon built again.
            // Flushing thousands of small tables would take minutes.
            if table.class.len() > SYNCED_INDICES {
                file.as_file().sync_all()?;
            }
            file.persist(&path).map_err(|e| e.error)?;
            Ok(())
        };
        write().map_err(|e| FileError::unwritable(&path, &e).into())
    }

    /// Creates a temporary file, whose name shows that it is not complete.
    fn unfinished(&self, folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
        std::fs::create_dir_all(folder)?;
        let prefix = format!("{UNFINISHED}{}-", std::process::id());
        tempfile::Builder::new().prefix(&prefix).tempfile_in(folder)
    }

    /// Writes a table whose values come block by block, in order. `Unnamed::persist` gives the file its final
    /// name.
    pub(super) fn write_blocks<W: Layout>(
        &self,
        game: &dyn Game<W>,
        class: &Class,
        leads_to: &BTreeSet<ClassKey>,
        mut values: impl FnMut(std::ops::Range<u64>) -> Result<Vec<u16>, Failed>,
    ) -> Result<Unnamed, Failed> {
        let path = self.path(game, &class.key);
        let folder = path.parent().unwrap_or(&self.folder);
        let failed = |e: std::io::Error| files::unwritable(&path, &e);
        // The header precedes the blocks and lists all of them, so the blocks are first written to a file of
        // their own.
        let mut blocks = self.unfinished(folder).map_err(failed)?;
        let mut parts = Vec::new();
        for first in (0..class.len()).step_by(BLOCK) {
            let block = pack(&values(first..class.len().min(first + BLOCK as u64))?);
            parts.push(part(&block));
            blocks.write_all(&block).map_err(failed)?;
        }
        let text = header(game, class, leads_to, parts)?;
        let mut file = self.unfinished(folder).map_err(failed)?;
        let mut write = || -> std::io::Result<()> {
            let mut out = begin(file.as_file_mut(), &text)?;
            blocks.rewind()?;
            std::io::copy(&mut blocks, &mut out)?;
            out.finish()?.flush()?;
            match class.len() > SYNCED_INDICES {
                true => file.as_file().sync_all(),
                false => Ok(()),
            }
        };
        write().map_err(failed)?;
        Ok(Unnamed { file, path })
    }

    /// Reads the table of a class, if there is a file, and verifies the whole file. Values that do not fit in
    /// the cache stay on disk.
    pub(super) fn read<W: Layout>(
        &self,
        game: &dyn Game<W>,
        key: ClassKey,
        room: Option<&Arc<Room>>,
    ) -> Result<Read, Diagnostic> {
        let path = self.path(game, &key);
        let class = Class::new(game, key);
        if let Some(room) = room
            && path.exists()
            && !room.take(2 * class.len())
        {
            return paged(game, path, class, Arc::clone(room));
        }
        let bytes = match control::files::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Read::None),
            Err(e) => return Err(cannot(&path, "read", e)),
        };
        let (header, mut blocks) = open(&path, &bytes)?;
        if header.format == FORMAT && header.law != [PROGRAM_LAW, game.facts().law] {
            return Ok(Read::Outdated(path));
        }
        belongs(game, &path, &class, &header)?;
        let mut parts = Vec::new();
        for &(length, sum) in &header.blocks {
            let Some((block, rest)) = blocks.split_at_checked(length as usize) else {
                return Err(damaged(&path, "it is too short"));
            };
            parts.push((block, sum));
            blocks = rest;
        }
        let len = class.len() as usize;
        let Some(values) = unpack_all(&parts, len) else {
            return Err(damaged(&path, "a block is damaged"));
        };
        Ok(Read::Table(Box::new(Table {
            class,
            leads_to: header.leads_to.into_iter().collect(),
            values: Values::Held(values),
        })))
    }

    /// Returns the header data of the table files in this folder and its subfolders, sorted by path. An
    /// invalid file appears as an error. Links to folders are not followed, and anything but a file is
    /// skipped.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn list(&self) -> Result<Vec<Result<Listed, Diagnostic>>, Diagnostic> {
        let files = self.files()?;
        Ok(files
            .iter()
            .filter(|path| path.extension().is_some_and(|e| e == ENDING))
            .map(|path| {
                let bytes = control::files::read(path).map_err(|e| cannot(path, "read", e))?;
                let (header, _) = open(path, &bytes)?;
                Ok(Listed {
                    variant: header.variant,
                    board: header.board,
                    class: header.class,
                    key: header.key,
                    indices: header.indices,
                    table_bytes: bytes.len() as u64,
                })
            })
            .collect())
    }

    /// Returns all files of this folder and its subfolders, sorted by path.
    fn files(&self) -> Result<Vec<PathBuf>, Diagnostic> {
        let mut folders = vec![self.folder.clone()];
        let mut files = Vec::new();
        while let Some(folder) = folders.pop() {
            let entries = match std::fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
                Err(e) => return Err(cannot(&folder, "read", e)),
            };
            for entry in entries {
                let entry = entry.map_err(|e| cannot(&folder, "read", e))?;
                let path = entry.path();
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => folders.push(path),
                    // A link to a file counts as a file. A pipe does not, because reading one might never
                    // end.
                    Ok(_) if path.is_file() => files.push(path),
                    _ => {}
                }
            }
        }
        files.sort();
        Ok(files)
    }

    /// Removes files of processes that were killed while they wrote. Does nothing where the system does not
    /// report whether a process is running.
    pub(super) fn clear(&self) {
        let alive = |process: &str| Path::new("/proc").join(process).exists();
        if !alive("self") {
            return;
        }
        for path in self.files().unwrap_or_default() {
            if path
                .extension()
                .is_some_and(|ending| ending == build_lock::ENDING)
            {
                // The lock of a running process cannot be taken. Any other lock file is removed when the lock
                // is dropped.
                drop(BuildLock::take(&path));
                continue;
            }
            let left = path
                .file_name()
                .and_then(|name| name.to_str()?.strip_prefix(UNFINISHED)?.split_once('-'))
                .is_some_and(|(process, _)| process.parse::<u32>().is_ok() && !alive(process));
            if left {
                // Another process may have removed it already.
                let _ = std::fs::remove_file(path);
            }
        }
    }
}

/// A table that is written but has no final name yet.
pub(super) struct Unnamed {
    file: tempfile::NamedTempFile,
    path: PathBuf,
}

impl Unnamed {
    /// Gives the file its final name.
    pub fn persist(self) -> Result<(), Failed> {
        let named = self.file.persist(&self.path);
        named.map_err(|e| files::unwritable(&self.path, &e.error))?;
        Ok(())
    }
}

/// Returns the length in bytes and the checksum of a block.
fn part(block: &[u8]) -> (u32, u32) {
    (block.len() as u32, crc32fast::hash(block))
}

/// Returns the header of a table as JSON.
fn header<W: Layout>(
    game: &dyn Game<W>,
    class: &Class,
    leads_to: &BTreeSet<ClassKey>,
    parts: Vec<(u32, u32)>,
) -> Result<Vec<u8>, Diagnostic> {
    let header = Header {
        format: FORMAT,
        law: [PROGRAM_LAW, game.facts().law],
        key: Some(class.key),
        variant: game.variant().identity(),
        board: shape(game.board().geometry()),
        class: class.key.label(game.men()),
        symmetry: class.symmetry(),
        indices: class.len(),
        block_indices: BLOCK,
        leads_to: leads_to.iter().copied().collect(),
        blocks: parts,
    };
    serde_json::to_vec(&header).map_err(|e| Diagnostic::new("table header", e.to_string()))
}

/// Checks that a file holds the table of this class.
fn belongs<W: Layout>(
    game: &dyn Game<W>,
    path: &Path,
    class: &Class,
    header: &Header,
) -> Result<(), Diagnostic> {
    let foreign = [
        (header.format != FORMAT, "its format version is another"),
        (
            header.variant != game.variant().identity(),
            "it belongs to another variant",
        ),
        (
            header.board != shape(game.board().geometry()),
            "it belongs to another board",
        ),
        (
            header.class != class.key.label(game.men()),
            "it holds another class",
        ),
        (
            header.symmetry != class.symmetry() || header.indices != class.len(),
            "its index is another",
        ),
        (
            header.block_indices != BLOCK
                || header.blocks.len() as u64 != class.len().div_ceil(BLOCK as u64),
            "its blocks do not fit its header",
        ),
    ];
    if let Some((_, why)) = foreign.iter().find(|(is, _)| *is) {
        return Err(damaged(path, why));
    }
    Ok(())
}

/// Returns a table whose values stay in its file. Reads the whole file once to verify its checksum.
fn paged<W: Layout>(
    game: &dyn Game<W>,
    path: PathBuf,
    class: Class,
    room: Arc<Room>,
) -> Result<Read, Diagnostic> {
    let (header, first) = look_through(&path)?;
    if header.format == FORMAT && header.law != [PROGRAM_LAW, game.facts().law] {
        return Ok(Read::Outdated(path));
    }
    belongs(game, &path, &class, &header)?;
    let values = Paged::new(path, class.len(), first, &header.blocks, room);
    Ok(Read::Table(Box::new(Table {
        class,
        leads_to: header.leads_to.into_iter().collect(),
        values: Values::Paged(Arc::new(values)),
    })))
}

/// Returns the header of a file and the offset of its first block. Verifies the checksum; the file is read
/// piece by piece.
fn look_through(path: &Path) -> Result<(Header, u64), Diagnostic> {
    const PIECE: usize = 1 << 18;
    let unread = |e| cannot(path, "read", e);
    let short = || damaged(path, "it is damaged or cut short");
    let file = control::files::open(path).map_err(unread)?;
    let bytes = file.metadata().map_err(unread)?.len();
    let mut file = Summed::new(BufReader::with_capacity(PIECE, file));
    let mut head = [0; MAGIC.len() + 4];
    if bytes < head.len() as u64 + 4 {
        return Err(damaged(path, "it is not a table"));
    }
    file.read_exact(&mut head).map_err(unread)?;
    let (magic, length) = head.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(damaged(path, "it is not a table"));
    }
    let length = length.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
    let body = bytes - 4 - head.len() as u64;
    if length > body {
        return Err(short());
    }
    let mut text = vec![0; length as usize];
    file.read_exact(&mut text).map_err(unread)?;
    std::io::copy(&mut file.by_ref().take(body - length), &mut std::io::sink()).map_err(unread)?;
    if !file.verify().map_err(unread)?.1 {
        return Err(short());
    }
    let header: Header = serde_json::from_slice(&text)
        .map_err(|e| damaged(path, &format!("its header cannot be read: {e}")))?;
    let blocks: u64 = header.blocks.iter().map(|b| u64::from(b.0)).sum();
    if blocks != body - length {
        return Err(damaged(path, "it is too short"));
    }
    Ok((header, head.len() as u64 + length))
}

/// Writes everything that precedes the blocks. Returns a writer that computes the checksum.
fn begin<'f>(
    file: &'f mut File,
    header: &[u8],
) -> std::io::Result<Summed<BufWriter<&'f mut File>>> {
    let mut out = Summed::new(BufWriter::new(file));
    out.write_all(MAGIC)?;
    out.write_all(&(header.len() as u32).to_le_bytes())?;
    out.write_all(header)?;
    Ok(out)
}

/// Returns the header and the blocks of a file after verifying its checksum.
fn open<'a>(path: &Path, bytes: &'a [u8]) -> Result<(Header, &'a [u8]), Diagnostic> {
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or_else(|| damaged(path, "it is not a table"))?;
    let split = || {
        let (body, sum) = bytes.split_last_chunk::<4>()?;
        if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
            return None;
        }
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let rest = rest.get(..rest.len().checked_sub(4)?)?;
        rest.split_at_checked(u32::from_le_bytes(*length) as usize)
    };
    let (header, blocks) = split().ok_or_else(|| damaged(path, "it is damaged or cut short"))?;
    let header = serde_json::from_slice(header)
        .map_err(|e| damaged(path, &format!("its header cannot be read: {e}")))?;
    Ok((header, blocks))
}

fn pack(values: &[u16]) -> Vec<u8> {
    let low = values.iter().map(|v| *v as u8);
    let high = values.iter().map(|v| (*v >> 8) as u8);
    let bytes: Vec<u8> = low.chain(high).collect();
    lz4_flex::block::compress(&bytes)
}

/// Returns the `len` values of all blocks, or `None` if a block is damaged. Each part is a block and its
/// checksum.
fn unpack_all(parts: &[(&[u8], u32)], len: usize) -> Option<Vec<u16>> {
    let one = |i: usize| {
        let (block, sum) = parts[i];
        let wanted = BLOCK.min(len - i * BLOCK);
        (crc32fast::hash(block) == sum)
            .then(|| unpack(block, wanted))
            .flatten()
    };
    // Outside a thread pool, create one if there are enough blocks.
    const WORTH: usize = 16;
    let all = || parallel::map(parts.len(), one);
    let values = if rayon::current_thread_index().is_some() {
        all()
    } else if parts.len() < WORTH {
        (0..parts.len()).map(one).collect()
    } else {
        parallel::in_pool(parallel::processors(), all)
    };
    Some(values.into_iter().collect::<Option<Vec<_>>>()?.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Signature, Tables, build};
    use control::Control;
    use rules::with_game;
    use std::sync::Arc;

    const LIMITS: Control<'static> = Control::new().with_memory(1 << 28);

    /// Returns the file with a text in its header replaced by another one of equal length.
    fn changed(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
        let at = bytes.windows(from.len()).position(|w| w == from.as_bytes());
        let at = at.expect("the text stands in the header");
        let mut bytes = bytes.to_vec();
        bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        let body = bytes.len() - 4;
        let sum = crc32fast::hash(&bytes[..body]);
        bytes[body..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    #[test]
    fn tables_of_an_older_law_count_as_none_and_are_built_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let geometry = Geometry::new(3, 3, 0, false).expect("a board");
        let variant = Variant::from(&variants::fide::INFO);
        with_game!(&variant.on(geometry), game => {
            let fresh = || Tables::new(Arc::clone(game), Some(Store::new(folder.path())));
            let signature = Signature::parse(game.as_ref(), "KQvK").expect("a signature");
            let key = fresh().canonical(&signature.keys()[0]).0;
            let first = build(&fresh(), &signature, &LIMITS).expect("tables");
            let path = Store::new(folder.path()).path(game.as_ref(), &key);
            let whole = std::fs::read(&path).expect("a file");
            let law = format!("\"law\":[{PROGRAM_LAW},1]");
            for older in ["\"law\":[0,1]", "\"law\":[1,0]"] {
                std::fs::write(&path, changed(&whole, &law, older)).expect("a file");
                let tables = fresh();
                assert!(tables.table(&key).expect("no error").is_none());
                assert_eq!(tables.notes().len(), 1);
                let tables = fresh();
                let again = build(&tables, &signature, &LIMITS).expect("tables");
                assert_eq!((again.solved, again.reused), (1, first.solved - 1));
                assert_eq!(tables.notes().len(), 1);
                assert_eq!(std::fs::read(&path).expect("a file"), whole);
            }
        });
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_dead_processes_left_is_cleared() {
        let folder = tempfile::tempdir().expect("a folder");
        let own = format!("{UNFINISHED}{}-x", std::process::id());
        // No process has such a number.
        let dead = format!("{UNFINISHED}4294967295-x");
        for name in [&own, &dead, &"kept".to_string()] {
            std::fs::write(folder.path().join(name), "").expect("a file");
        }
        Store::new(folder.path()).clear();
        assert!(folder.path().join(own).exists() && folder.path().join("kept").exists());
        assert!(!folder.path().join(dead).exists());
    }

    #[cfg(unix)]
    #[test]
    fn links_in_circles_end() {
        let folder = tempfile::tempdir().expect("a folder");
        std::os::unix::fs::symlink(folder.path(), folder.path().join("again")).expect("a link");
        std::fs::write(folder.path().join("x.fpt"), "none").expect("a file");
        let listed = Store::new(folder.path()).list().expect("a list");
        assert_eq!(listed.len(), 1);
        assert!(listed[0].is_err());
    }
}

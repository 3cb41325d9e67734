//! Tables on disk: one file for each class, in a folder for the variant and, within that, one for the board.
//!
//! A file is a [container](control::container) whose sections are the blocks of values and, as the last one, the
//! header: in JSON format, variant with options, board, class, symmetry, number of indices, and the classes it
//! leads to. A block holds the low bytes of 65,536 values, then the high bytes, compressed with LZ4.

use super::Failed;
use super::build_lock::{self, BuildLock};
use super::class::Class;
use super::class_table::{Table, Values};
use super::files;
use super::key::ClassKey;
use super::paged::{BLOCK, Paged, Room, unpack};
use super::values_only;
use board::Geometry;
use control::container::{Kind, Law, Sections, Writer};
use control::files::FileError;
use control::parallel;
use diagnostics::Diagnostic;
use position::Layout;
use rayon::prelude::*;
use rules::{Game, Variant};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use values::Packed;

const KIND: &Kind = b"table   ";
/// Version of the rules that all rule sets share. Raised by one whenever these are corrected, so that tables
/// stored before are built again.
pub const PROGRAM_LAW: u32 = 1;
/// Prefix of temporary files. The ID of the writing process follows.
const UNFINISHED: &str = ".unfinished-";
/// File name extension of tables.
pub(crate) const ENDING: &str = "fpt";

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
    is_read_only: bool,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Header {
    variant: String,
    board: String,
    class: String,
    key: ClassKey,
    symmetry: usize,
    indices: u64,
    block_indices: usize,
    leads_to: Vec<ClassKey>,
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
    /// The key of the class.
    pub key: ClassKey,
    /// Number of indices.
    pub indices: u64,
    /// Whether an index has a value. Values without distances have one for each index.
    pub has_values: bool,
    /// The versions of the rules.
    pub law: Law,
    /// Size of the file in bytes.
    pub table_bytes: u64,
    /// What the file holds.
    pub form: StoredForm,
}

/// What a table file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoredForm {
    /// Values with distances.
    Full,
    /// Values without distances.
    ValuesOnly,
}

impl Listed {
    /// Returns whether the file was built with the present rules of a game.
    pub fn is_current<W: Layout>(&self, game: &dyn Game<W>) -> bool {
        self.law == law(game) && self.variant == game.variant().identity()
    }
}

pub(crate) fn shape(geometry: Geometry) -> String {
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
pub(crate) fn place<W: Layout>(folder: &Path, game: &dyn Game<W>, key: &ClassKey) -> PathBuf {
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

/// Returns the error for a table that cannot be read or is damaged.
pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Diagnostic {
    match error.kind() {
        ErrorKind::UnexpectedEof => damaged(path, "it is damaged or cut short"),
        ErrorKind::InvalidData => damaged(path, &error.to_string()),
        _ => Diagnostic::new(
            format!("table file {}", path.display()),
            format!("cannot be read: {error}"),
        ),
    }
}

pub(crate) fn damaged(path: &Path, why: &str) -> Diagnostic {
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
            is_read_only: false,
        }
    }

    /// Returns the same store, into which builds write no tables and no locks.
    pub fn read_only(mut self) -> Store {
        self.is_read_only = true;
        self
    }

    /// Returns whether builds write nothing.
    pub(super) fn is_read_only(&self) -> bool {
        self.is_read_only
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
        if self.is_read_only {
            return Ok(());
        }
        let blocks: Vec<Vec<u8>> = values.par_chunks(BLOCK).map(pack).collect();
        self.write_packed(
            game,
            &table.class,
            &table.leads_to,
            blocks.into_iter().map(Ok),
        )?
        .persist()
    }

    /// Creates a temporary file, whose name shows that it is not complete.
    pub(crate) fn unfinished(&self, folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
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
        let firsts = (0..class.len()).step_by(BLOCK);
        let blocks = firsts.map(|first| {
            let last = class.len().min(first + BLOCK as u64);
            Ok(pack(&values(first..last)?))
        });
        self.write_packed(game, class, leads_to, blocks)
    }

    /// Writes a table from its packed blocks.
    fn write_packed<W: Layout>(
        &self,
        game: &dyn Game<W>,
        class: &Class,
        leads_to: &BTreeSet<ClassKey>,
        blocks: impl Iterator<Item = Result<Vec<u8>, Failed>>,
    ) -> Result<Unnamed, Failed> {
        let path = self.path(game, &class.key);
        let folder = path.parent().unwrap_or(&self.folder);
        let failed = |e: io::Error| Failed::from(FileError::unwritable(&path, &e));
        let file = self.unfinished(folder).map_err(failed)?;
        let out = BufWriter::new(file.as_file());
        let mut out = Writer::new(out, KIND, law(game)).map_err(failed)?;
        for block in blocks {
            out.section(&block?).map_err(failed)?;
        }
        let end = || {
            out.json(&Header::of(game, class, leads_to))?;
            out.finish()?
                .0
                .into_inner()
                .map_err(io::IntoInnerError::into_error)?;
            // If a power failure damages a small table, this is detected and the table is soon built again.
            // Flushing thousands of small tables would take minutes.
            match class.len() > SYNCED_INDICES {
                true => file.as_file().sync_all(),
                false => Ok(()),
            }
        };
        end().map_err(failed)?;
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
        let stored = match Stored::open(&path) {
            Ok(stored) => stored,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Read::None),
            Err(e) => return Err(unreadable(&path, &e)),
        };
        if stored.sections.law() != law(game) {
            return Ok(Read::Outdated(path));
        }
        let class = Class::new(game, key);
        stored.belongs(game, &path, &class)?;
        let leads_to = stored.header.leads_to.iter().copied().collect();
        let values = match room {
            Some(room) if !room.take(2 * class.len()) => {
                stored.verify().map_err(|e| unreadable(&path, &e))?;
                let paged = Paged::new(path, class.len(), stored.sections, Arc::clone(room));
                Values::Paged(Arc::new(paged))
            }
            _ => Values::Held(stored.values(&path, class.len() as usize)?),
        };
        Ok(Read::Table(Box::new(Table {
            class,
            leads_to,
            values,
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
            .filter(|path| {
                path.extension().is_some_and(|e| {
                    [ENDING, values_only::ENDING].contains(&e.to_str().unwrap_or(""))
                })
            })
            .map(|path| {
                if path.extension().is_some_and(|e| e == values_only::ENDING) {
                    return values_only::listed(path);
                }
                let open = || {
                    let stored = Stored::open(path)?;
                    let has_values = stored.verify()?;
                    Ok((stored.file.metadata()?.len(), has_values, stored))
                };
                let (table_bytes, has_values, stored) = open().map_err(|e| unreadable(path, &e))?;
                let header = stored.header;
                Ok(Listed {
                    variant: header.variant,
                    board: header.board,
                    class: header.class,
                    key: header.key,
                    indices: header.indices,
                    has_values,
                    law: stored.sections.law(),
                    table_bytes,
                    form: StoredForm::Full,
                })
            })
            .collect())
    }

    /// Returns all files of this folder and its subfolders, sorted by path.
    pub(crate) fn files(&self) -> Result<Vec<PathBuf>, Diagnostic> {
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
pub(crate) struct Unnamed {
    file: tempfile::NamedTempFile,
    path: PathBuf,
}

impl Unnamed {
    /// Returns the table in `file`, which will be named `path`.
    pub fn new(file: tempfile::NamedTempFile, path: PathBuf) -> Unnamed {
        Unnamed { file, path }
    }

    /// Gives the file its final name.
    pub fn persist(self) -> Result<(), Failed> {
        let named = self.file.persist(&self.path);
        named.map_err(|e| files::unwritable(&self.path, &e.error))?;
        Ok(())
    }
}

/// Returns the versions of the rules of a game.
pub(crate) fn law<W: Layout>(game: &dyn Game<W>) -> Law {
    [PROGRAM_LAW, game.facts().law]
}

impl Header {
    fn of<W: Layout>(game: &dyn Game<W>, class: &Class, leads_to: &BTreeSet<ClassKey>) -> Header {
        Header {
            key: class.key,
            variant: game.variant().identity(),
            board: shape(game.board().geometry()),
            class: class.key.label(game.men()),
            symmetry: class.symmetry(),
            indices: class.len(),
            block_indices: BLOCK,
            leads_to: leads_to.iter().copied().collect(),
        }
    }
}

/// The open file of a table.
struct Stored {
    file: File,
    sections: Sections,
    header: Header,
}

impl Stored {
    /// Opens a file and reads its header.
    fn open(path: &Path) -> io::Result<Stored> {
        let file = control::files::open(path)?;
        let sections = Sections::read(&file, KIND)?;
        let (header, _) = sections.last_json(&file)?;
        Ok(Stored {
            header,
            sections,
            file,
        })
    }

    /// Checks that the file holds the table of this class.
    fn belongs<W: Layout>(
        &self,
        game: &dyn Game<W>,
        path: &Path,
        class: &Class,
    ) -> Result<(), Diagnostic> {
        let (header, right) = (&self.header, Header::of(game, class, &BTreeSet::new()));
        let foreign = [
            (
                header.variant != right.variant,
                "it belongs to another variant",
            ),
            (header.board != right.board, "it belongs to another board"),
            (
                header.class != right.class || header.key != right.key,
                "it holds another class",
            ),
            (
                header.symmetry != right.symmetry || header.indices != right.indices,
                "its index is another",
            ),
            (
                header.block_indices != BLOCK
                    || self.sections.len() as u64 != class.len().div_ceil(BLOCK as u64) + 1,
                "its blocks do not fit its header",
            ),
        ];
        match foreign.iter().find(|(is, _)| *is) {
            Some((_, why)) => Err(damaged(path, why)),
            None => Ok(()),
        }
    }

    /// Reads all blocks to verify their checksums. Returns whether an index has a value.
    fn verify(&self) -> io::Result<bool> {
        let mut buffer = Vec::new();
        let mut has_values = false;
        let mut left = self.header.indices;
        for section in 0..self.sections.len() {
            let block = self.sections.load(&self.file, section, &mut buffer)?;
            let len = left.min(BLOCK as u64);
            left -= len;
            if !has_values && len > 0 {
                let values = unpack(block, len as usize).unwrap_or_default();
                has_values = values
                    .iter()
                    .any(|&packed| Packed(packed).value().is_some());
            }
        }
        Ok(has_values)
    }

    /// Reads the `len` values of all blocks.
    fn values(&self, path: &Path, len: usize) -> Result<Vec<u16>, Diagnostic> {
        let blocks = self.sections.len() - 1;
        let read = |n: usize| {
            let mut buffer = Vec::new();
            let block = self.sections.load(&self.file, n, &mut buffer);
            let block = block.map_err(|e| unreadable(path, &e))?;
            let values = unpack(block, BLOCK.min(len - n * BLOCK));
            values.ok_or_else(|| damaged(path, "a block is damaged"))
        };
        // Outside a thread pool, create one if there are enough blocks.
        const WORTH: usize = 16;
        let all = || parallel::try_map(blocks, read);
        let values: Vec<Vec<u16>> = if rayon::current_thread_index().is_some() {
            all()?
        } else if blocks < WORTH {
            (0..blocks).map(read).collect::<Result<_, _>>()?
        } else {
            parallel::in_pool(parallel::processors(), all)?
        };
        Ok(values.concat())
    }
}

fn pack(values: &[u16]) -> Vec<u8> {
    let low = values.iter().map(|v| *v as u8);
    let high = values.iter().map(|v| (*v >> 8) as u8);
    let bytes: Vec<u8> = low.chain(high).collect();
    lz4_flex::block::compress(&bytes)
}

#[cfg(test)]
mod tests;

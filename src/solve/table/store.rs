//! Tables on disk: one file for each class, under a folder for the variant and one for the board.
//!
//! A file is `FPTABLE1`, the length of the header (four bytes, little-endian), the header (JSON:
//! format version, variant with options, board, class, symmetry, number of indices, what it leads
//! to, length and checksum of each block), the blocks, and a checksum of all that (CRC-32). A
//! block holds the low bytes of 65,536 values, then the high bytes, compressed with LZ4.

use super::class::Class;
use super::class_table::Table;
use super::key::ClassKey;
use crate::Layout;
use board::Geometry;
use input::InputError;
use rayon::prelude::*;
use rules::{Game, Variant};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"FPTABLE1";
const FORMAT: u32 = 1;
const BLOCK: usize = 1 << 16;
/// The ending of files.
const ENDING: &str = "fpt";

/// The folder for tables when none is named: `FAIRYPROOF_TABLES`, or `fairyproof/tables` in the
/// user's cache folder.
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
    variant: String,
    board: String,
    class: String,
    symmetry: usize,
    indices: u64,
    block_indices: usize,
    leads_to: Vec<ClassKey>,
    blocks: Vec<(u32, u32)>,
}

/// What a file says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The variant with its options.
    pub variant: String,
    /// The board's shape.
    pub board: String,
    /// The class.
    pub class: String,
    /// How many indices.
    pub indices: u64,
    /// Bytes of the file.
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
    name(variant).replace([':', ','], "+")
}

/// The variant's name; that of a rule set made of data with a number that tells it from others which a
/// file called so.
fn name(variant: &Variant) -> String {
    match variant.card.made {
        Some(made) => format!("{variant}#{:016x}", made.fingerprint()),
        None => variant.to_string(),
    }
}

fn cannot(path: &Path, doing: &str, e: std::io::Error) -> InputError {
    InputError::new(
        format!("table file {}", path.display()),
        format!("cannot be {doing}: {e}"),
    )
}

fn damaged(path: &Path, why: &str) -> InputError {
    InputError::new(format!("table file {}", path.display()), why)
        .help("delete it and build it again")
}

impl Store {
    /// The tables in a folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Store {
        Store {
            folder: folder.into(),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn path<W: Layout>(&self, game: &dyn Game<W>, key: &ClassKey) -> PathBuf {
        self.folder
            .join(folder_name(game.variant()))
            .join(shape(game.board().geometry()))
            .join(key.label(game.men()))
            .with_extension(ENDING)
    }

    /// Writes a table: to a temporary name, then renamed.
    pub fn write<W: Layout>(&self, game: &dyn Game<W>, table: &Table) -> Result<(), InputError> {
        let path = self.path(game, &table.class.key);
        let blocks: Vec<Vec<u8>> = table.values.par_chunks(BLOCK).map(pack).collect();
        let header = Header {
            format: FORMAT,
            variant: name(game.variant()),
            board: shape(game.board().geometry()),
            class: table.class.key.label(game.men()),
            symmetry: table.class.symmetry(),
            indices: table.class.len(),
            block_indices: BLOCK,
            leads_to: table.leads_to.iter().copied().collect(),
            blocks: blocks
                .iter()
                .map(|b| (b.len() as u32, crc32fast::hash(b)))
                .collect(),
        };
        let text = serde_json::to_vec(&header)
            .map_err(|e| InputError::new("table header", e.to_string()))?;
        let folder = path.parent().unwrap_or(&self.folder);
        std::fs::create_dir_all(folder).map_err(|e| cannot(folder, "made", e))?;
        let write = || -> std::io::Result<()> {
            let mut sum = crc32fast::Hasher::new();
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            let length = (text.len() as u32).to_le_bytes();
            let head: [&[u8]; 3] = [MAGIC, &length, &text];
            for bytes in head.into_iter().chain(blocks.iter().map(Vec::as_slice)) {
                sum.update(bytes);
                file.write_all(bytes)?;
            }
            file.write_all(&sum.finalize().to_le_bytes())?;
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|e| e.error)?;
            Ok(())
        };
        write().map_err(|e| cannot(&path, "written", e))
    }

    /// Reads the table of a class, if there is a file; checks all of it.
    pub fn read<W: Layout>(
        &self,
        game: &dyn Game<W>,
        key: ClassKey,
    ) -> Result<Option<Table>, InputError> {
        let path = self.path(game, &key);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(cannot(&path, "read", e)),
        };
        let (header, mut blocks) = open(&path, &bytes)?;
        let class = Class::new(game, key);
        let foreign = [
            (header.format != FORMAT, "its format version is another"),
            (
                header.variant != name(game.variant()),
                "it belongs to another variant",
            ),
            (
                header.board != shape(game.board().geometry()),
                "it belongs to another board",
            ),
            (
                header.class != key.label(game.men()),
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
            return Err(damaged(&path, why));
        }
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
        Ok(Some(Table {
            class,
            leads_to: header.leads_to.into_iter().collect(),
            values,
        }))
    }

    /// The files of this folder, by path. A file that cannot be understood is an error.
    pub fn list(&self) -> Result<Vec<Listed>, InputError> {
        let mut listed = Vec::new();
        let mut folders = vec![self.folder.clone()];
        let mut files = Vec::new();
        while let Some(folder) = folders.pop() {
            let entries = match std::fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
                Err(e) => return Err(cannot(&folder, "read", e)),
            };
            for entry in entries {
                let path = entry.map_err(|e| cannot(&folder, "read", e))?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == ENDING) {
                    files.push(path);
                }
            }
        }
        files.sort();
        for path in files {
            let bytes = std::fs::read(&path).map_err(|e| cannot(&path, "read", e))?;
            let (header, _) = open(&path, &bytes)?;
            listed.push(Listed {
                variant: header.variant,
                board: header.board,
                class: header.class,
                indices: header.indices,
                table_bytes: bytes.len() as u64,
            });
        }
        Ok(listed)
    }
}

/// The header and the blocks of a file whose checksum is right.
fn open<'a>(path: &Path, bytes: &'a [u8]) -> Result<(Header, &'a [u8]), InputError> {
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or_else(|| damaged(path, "it is no table"))?;
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

/// The values of all blocks with their checksums, `len` in all; nothing if a block is damaged.
fn unpack_all(parts: &[(&[u8], u32)], len: usize) -> Option<Vec<u16>> {
    let values: Option<Vec<Vec<u16>>> = parts
        .par_iter()
        .enumerate()
        .map(|(i, &(block, sum))| {
            let wanted = BLOCK.min(len - i * BLOCK);
            (crc32fast::hash(block) == sum)
                .then(|| unpack(block, wanted))
                .flatten()
        })
        .collect();
    Some(values?.concat())
}

fn unpack(block: &[u8], len: usize) -> Option<Vec<u16>> {
    let bytes = lz4_flex::block::decompress(block, 2 * len).ok()?;
    if bytes.len() != 2 * len {
        return None;
    }
    let (low, high) = bytes.split_at(len);
    Some(
        low.iter()
            .zip(high)
            .map(|(&low, &high)| u16::from(low) | u16::from(high) << 8)
            .collect(),
    )
}

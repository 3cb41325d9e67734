//! Files of values without distances: a [container](control::container) whose sections are the coded blocks
//! and, as the last one, the header. The header is a JSON array, because the smallest files are little more
//! than their header: variant with options, board, class, key of the class without fields that are zero,
//! symmetry, number of indices, indices of a block.

use super::coder::{self, Block};
use super::worth_of;
use crate::Failed;
use crate::class::Class;
use crate::key::ClassKey;
use crate::store::{self, Listed, Store, StoredForm};
use control::container::{self, Kind, Sections, Writer};
use control::files::FileError;
use diagnostics::Diagnostic;
use position::Layout;
use rules::Game;
use serde_json::{Map, Value as Json};
use std::io::{self, BufWriter, ErrorKind};
use std::path::Path;
use std::sync::OnceLock;

const KIND: &Kind = b"values  ";

/// File name extension of tables of values only.
pub(crate) const ENDING: &str = "fpv";

/// Indices of a block. A block is decoded as a whole; larger blocks need fewer bytes.
pub(super) const BLOCK: usize = 1 << 20;

/// Variant with options, board, class, key of the class, symmetry, number of indices, indices of a block.
type Header = (String, String, String, Map<String, Json>, usize, u64, usize);

/// The values of a class without distances. Its blocks are decoded on demand and then stay in memory.
#[derive(Debug)]
pub struct ValuesOnlyTable {
    /// The class.
    pub class: Class,
    codes: Vec<Box<[u8]>>,
    blocks: Vec<OnceLock<Option<Block>>>,
}

impl ValuesOnlyTable {
    /// Returns the worth that is stored for an index, or `None` if the block is damaged.
    pub(super) fn stored(&self, index: u64) -> Option<i8> {
        let (n, at) = (index as usize / BLOCK, index as usize % BLOCK);
        let block = self.blocks[n].get_or_init(|| {
            let rest = self.class.len() as usize - n * BLOCK;
            coder::decode(&self.codes[n], rest.min(BLOCK))
        });
        block.as_ref().map(|block| worth_of(block.symbol(at)))
    }
}

fn short_key(key: &ClassKey) -> Map<String, Json> {
    let json = serde_json::to_value(key).unwrap_or_default();
    let fields = json.as_object().cloned().unwrap_or_default().into_iter();
    fields
        .filter(|(_, value)| *value != 0 && *value != false)
        .collect()
}

fn whole_key(short: &Map<String, Json>) -> Option<ClassKey> {
    let zeros = [
        ("units", Json::from(0)),
        ("bound", Json::from(0)),
        ("state", Json::from(0)),
        ("passed", Json::from(false)),
    ];
    let mut fields: Map<String, Json> =
        zeros.map(|(k, v)| (k.to_string(), v)).into_iter().collect();
    fields.extend(short.clone());
    serde_json::from_value(Json::Object(fields)).ok()
}

fn header<W: Layout>(game: &dyn Game<W>, class: &Class) -> Header {
    (
        game.variant().identity(),
        store::shape(game.board().geometry()),
        class.key.label(game.men()),
        short_key(&class.key),
        class.symmetry(),
        class.len(),
        BLOCK,
    )
}

/// The result of opening the file of a class.
pub(crate) enum Opened {
    /// The file does not exist.
    None,
    /// The table.
    Table(Box<ValuesOnlyTable>),
    /// The file was built with rules that have been corrected since.
    Outdated,
}

impl Store {
    fn values_path<W: Layout>(&self, game: &dyn Game<W>, key: &ClassKey) -> std::path::PathBuf {
        store::place(self.folder(), game, key).with_extension(ENDING)
    }

    /// Writes the coded blocks of a class under a temporary name, and then renames the file. Returns the size
    /// of the file in bytes.
    pub(super) fn write_coded<W: Layout>(
        &self,
        game: &dyn Game<W>,
        class: &Class,
        codes: &[Vec<u8>],
    ) -> Result<u64, Failed> {
        let path = self.values_path(game, &class.key);
        let failed = |e: io::Error| Failed::from(FileError::unwritable(&path, &e));
        let folder = path.parent().unwrap_or(self.folder());
        let file = self.unfinished(folder).map_err(failed)?;
        let write = || {
            let mut out = Writer::new(BufWriter::new(file.as_file()), KIND, store::law(game))?;
            for code in codes {
                out.section(code)?;
            }
            out.json(&header(game, class))?;
            let (out, _) = out.finish()?;
            out.into_inner().map_err(io::IntoInnerError::into_error)?;
            Ok(file.as_file().metadata()?.len())
        };
        let bytes = write().map_err(failed)?;
        store::Unnamed::new(file, path.clone()).persist()?;
        Ok(bytes)
    }

    /// Reads the values of a class, if there is a file, and verifies its checksums.
    pub(crate) fn open_values<W: Layout>(
        &self,
        game: &dyn Game<W>,
        key: ClassKey,
    ) -> Result<Opened, Diagnostic> {
        let path = self.values_path(game, &key);
        let stored = match Stored::open(&path) {
            Ok(stored) => stored,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Opened::None),
            Err(e) => return Err(store::unreadable(&path, &e)),
        };
        if stored.sections.law() != store::law(game) {
            return Ok(Opened::Outdated);
        }
        let class = Class::new(game, key);
        if stored.header != header(game, &class) {
            return Err(store::damaged(&path, "it belongs to other positions"));
        }
        if stored.codes.len() as u64 != class.len().div_ceil(BLOCK as u64) {
            return Err(store::damaged(&path, "its blocks do not fit its header"));
        }
        let blocks = stored.codes.iter().map(|_| OnceLock::new()).collect();
        Ok(Opened::Table(Box::new(ValuesOnlyTable {
            class,
            codes: stored.codes,
            blocks,
        })))
    }
}

/// Returns the header data of a file of values, whose checksums are verified.
pub(crate) fn listed(path: &Path) -> Result<Listed, Diagnostic> {
    let read = || {
        let stored = Stored::open(path)?;
        let key = whole_key(&stored.header.3);
        let key = key.ok_or_else(|| container::damaged("its header is damaged"))?;
        let law = stored.sections.law();
        let (variant, board, class, _, _, indices, _) = stored.header;
        Ok(Listed {
            variant,
            board,
            class,
            key,
            indices,
            has_values: indices > 0,
            law,
            table_bytes: std::fs::metadata(path)?.len(),
            form: StoredForm::ValuesOnly,
        })
    };
    read().map_err(|e| store::unreadable(path, &e))
}

/// A file that has been read.
struct Stored {
    sections: Sections,
    header: Header,
    codes: Vec<Box<[u8]>>,
}

impl Stored {
    fn open(path: &Path) -> io::Result<Stored> {
        let file = control::files::open(path)?;
        let sections = Sections::read(&file, KIND)?;
        let (header, blocks) = sections.last_json(&file)?;
        let mut buffer = Vec::new();
        let codes = (0..blocks).map(|n| Ok(Box::from(sections.load(&file, n, &mut buffer)?)));
        Ok(Stored {
            codes: codes.collect::<io::Result<_>>()?,
            header,
            sections,
        })
    }
}

//! Saved searches: files from which a search can resume.
//!
//! A file consists of `FPSEARCH`, the length of the header (four bytes, little-endian), the header (JSON),
//! the blocks of all tables, and a CRC-32 checksum of all preceding bytes. A block consists of the number of
//! its entries and its length in bytes (four bytes each), then the entries, compressed with LZ4: key,
//! numbers, plies and work, as 64-bit words, little-endian. A block without entries ends a table.

use crate::limits::MAX_PLIES;
use crate::proof_numbers::{FOR_EVER, NEVER, ProofNumbers};
use crate::prover::{FIRST_SHARE, GREATEST_SHARE, MAX_STATES};
use crate::table::{Table, hash};
use control::checksum::Summed;
use diagnostics::Diagnostic;
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};

const MAGIC: &[u8; 8] = b"FPSEARCH";
const FORMAT: u32 = 6;
const BLOCK_ENTRIES: usize = 1 << 14;
const MAX_HEADER: u32 = 1 << 16;

/// The progress of the searches: the data that a resumed search needs in addition to the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Course {
    /// Positions generated so far.
    pub positions: u64,
    /// Plies within which no proof exists.
    pub none_within: u16,
    /// Positions that each search has used, or `u64::MAX` if the search is of no more use.
    pub spent: [u64; 5],
    /// Number of the current search with other estimates.
    pub run: u32,
    /// Positions left for the current search with other estimates.
    pub run_positions: u64,
    /// Positions of the next share.
    pub share: u64,
    /// Number of states up to which complete graphs were tried.
    pub tried: u64,
    /// Whether the numbers may rest on values of an oracle.
    pub relies_on_oracle: bool,
}

/// The identity of a search. A search can resume only from a file with an equal identity.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Subject {
    pub variant: String,
    /// The version of the rule set, which grows whenever its rules are corrected.
    pub law: u32,
    /// Distinguishes rule sets of the same name from different files.
    pub definition: Option<u64>,
    pub fen: String,
    pub side: board::Color,
    pub goal: String,
    pub key_bits: u32,
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: u32,
    subject: Subject,
    course: Course,
}

/// A stream that a search is written to, with its checksum.
type Sink<'w> = Summed<&'w mut dyn Write>;

fn write_block(out: &mut Sink<'_>, entries: usize, block: &mut Vec<u8>) -> std::io::Result<()> {
    let packed = lz4_flex::block::compress(block);
    block.clear();
    out.write_all(&(entries as u32).to_le_bytes())?;
    out.write_all(&(packed.len() as u32).to_le_bytes())?;
    out.write_all(&packed)
}

/// Writes a search.
pub fn save(
    subject: Subject,
    course: Course,
    tables: &[&Table],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut out = Summed::new(out);
    let header = Header {
        format: FORMAT,
        subject,
        course,
    };
    let text = serde_json::to_vec(&header).map_err(std::io::Error::from)?;
    out.write_all(MAGIC)?;
    out.write_all(&(text.len() as u32).to_le_bytes())?;
    out.write_all(&text)?;
    for table in tables {
        save_table(table, &mut out)?;
    }
    out.finish()?;
    Ok(())
}

fn save_table(table: &Table, out: &mut Sink<'_>) -> std::io::Result<()> {
    let mut block = Vec::new();
    let mut entries = 0;
    table.each(|key, known, work| {
        let numbers = u64::from(known.pn) | u64::from(known.dn) << 32;
        let rest = u64::from(known.plies) | u64::from(work) << 32;
        for word in key.iter().chain(&[numbers, rest]) {
            block.extend(word.to_le_bytes());
        }
        entries += 1;
        if entries == BLOCK_ENTRIES {
            entries = 0;
            return write_block(out, BLOCK_ENTRIES, &mut block);
        }
        Ok(())
    })?;
    if entries > 0 {
        write_block(out, entries, &mut block)?;
    }
    write_block(out, 0, &mut block)
}

pub fn damaged(why: &str) -> Diagnostic {
    Diagnostic::new("saved search", why).help("delete it and begin again")
}

/// A stream that a search is read from, with its checksum.
type Source<'r> = Summed<&'r mut dyn Read>;

fn read_bytes(source: &mut Source<'_>, length: usize) -> Result<Vec<u8>, Diagnostic> {
    let mut bytes = Vec::new();
    let read = source.take(length as u64).read_to_end(&mut bytes);
    match read {
        Ok(n) if n == length => Ok(bytes),
        _ => Err(damaged("it is cut short")),
    }
}

fn read_number(source: &mut Source<'_>) -> Result<u32, Diagnostic> {
    let bytes = read_bytes(source, 4)?;
    Ok(bytes.iter().rev().fold(0, |n, &b| n << 8 | u32::from(b)))
}

/// Returns whether a search can have this progress. The checksum only shows that the file is not damaged.
fn is_possible(course: &Course) -> bool {
    const MAX_POSITIONS: u64 = 1 << 60;
    let spent = |spent: u64| spent <= course.positions || spent == u64::MAX;
    course.positions <= MAX_POSITIONS
        && (course.none_within <= MAX_PLIES || course.none_within == FOR_EVER)
        && (FIRST_SHARE..=GREATEST_SHARE).contains(&course.share)
        && course.tried <= MAX_STATES
        && course.spent.into_iter().all(spent)
}

/// Returns whether a search can store these numbers.
fn is_possible_entry(known: &ProofNumbers) -> bool {
    match (known.pn, known.dn) {
        (0, dn) => dn == NEVER && known.plies <= MAX_PLIES,
        (pn, 0) => pn == NEVER,
        (pn, dn) => pn < NEVER && dn < NEVER,
    }
}

fn read_table(table: &mut Table, source: &mut Source<'_>) -> Result<(), Diagnostic> {
    let words = table.key_words() + 2;
    loop {
        let entries = read_number(source)? as usize;
        let length = read_number(source)? as usize;
        let widest = BLOCK_ENTRIES * words * 8;
        if entries > BLOCK_ENTRIES || length > lz4_flex::block::get_maximum_output_size(widest) {
            return Err(damaged("a block is longer than any"));
        }
        let packed = read_bytes(source, length)?;
        if entries == 0 {
            return Ok(());
        }
        let bytes = lz4_flex::block::decompress(&packed, widest)
            .ok()
            .filter(|bytes| bytes.len() == entries * words * 8)
            .ok_or_else(|| damaged("a block is damaged"))?;
        table.room(entries);
        for entry in bytes.chunks_exact(words * 8) {
            let entry: Vec<u64> = entry
                .chunks_exact(8)
                .map(|w| w.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b)))
                .collect();
            let (key, data) = entry.split_at(words - 2);
            let known = ProofNumbers {
                pn: data[0] as u32,
                dn: (data[0] >> 32) as u32,
                plies: data[1] as u16,
            };
            if !is_possible_entry(&known) {
                return Err(damaged("an entry contradicts itself"));
            }
            table.put(key, hash(key), known, (data[1] >> 32) as u32);
        }
    }
}

/// Reads a search with this subject into tables. After an error, the contents of the tables are invalid.
pub fn resume(
    subject: &Subject,
    tables: &mut [&mut Table],
    input: &mut dyn Read,
) -> Result<Course, Diagnostic> {
    let mut source = Summed::new(input);
    if read_bytes(&mut source, MAGIC.len())? != MAGIC {
        return Err(damaged("it is not a saved search"));
    }
    let length = read_number(&mut source)?;
    if length > MAX_HEADER {
        return Err(damaged("its header is longer than any"));
    }
    let text = read_bytes(&mut source, length as usize)?;
    let read: Header = serde_json::from_slice(&text)
        .map_err(|e| damaged(&format!("its header cannot be read: {e}")))?;
    if read.format != FORMAT {
        return Err(damaged("another version of the program wrote it"));
    }
    if read.subject != *subject {
        return Err(
            damaged("it is about another rule set, position, side or goal")
                .help("name another folder with --state"),
        );
    }
    if !is_possible(&read.course) {
        return Err(damaged("its numbers contradict each other"));
    }
    for table in tables {
        read_table(table, &mut source)?;
    }
    source.verify().map_err(damaged)?;
    Ok(read.course)
}

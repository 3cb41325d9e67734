//! Blocks of symbols in few bytes: a symbol takes two bits, or four if there are more than four different ones,
//! and the whole is compressed with LZMA (I. Pavlov), which knows nothing of tables.
//!
//! Where several symbols are allowed, the encoder repeats an earlier one: the one before, or the one of the
//! neighboring placement of the unit before the last. It tries both, and keeps what is shorter.
//!
//! | part of a block | bytes |
//! |---|---|
//! | the symbols that occur, one bit for each | 1 |
//! | LZMA data without a header; none if only one symbol occurs | the rest |

use lzma_rust2::{EncodeMode, LzmaOptions, LzmaReader, LzmaWriter, MfType};
use std::io::{Read, Write};

/// Number of different symbols.
pub const SYMBOLS: usize = 5;

/// The bytes from which a match may be copied: all of a block.
const DICTIONARY_BYTES: u32 = 1 << 20;

/// The symbols of a block in memory.
#[derive(PartialEq, Eq, Debug)]
pub struct Block {
    /// The symbols that occur, in ascending order.
    symbols: Vec<u8>,
    /// The numbers of symbols, the first index in the low bits; empty if only one symbol occurs.
    bytes: Box<[u8]>,
}

/// Returns the number of bits that a symbol takes among so many different ones.
fn bits(symbols: usize) -> usize {
    if symbols > 4 { 4 } else { 2 }
}

impl Block {
    /// Returns the symbol at an index of the block.
    pub fn symbol(&self, at: usize) -> u8 {
        if self.bytes.is_empty() {
            return self.symbols[0];
        }
        let bits = bits(self.symbols.len());
        let per_byte = 8 / bits;
        let number = self.bytes[at / per_byte] >> (at % per_byte * bits) & ((1 << bits) - 1);
        self.symbols[usize::from(number)]
    }
}

/// Returns the smallest set of symbols, one bit for each, that has an allowed symbol for each index.
fn sufficient(allowed: &[u8]) -> u8 {
    let mut different = [false; 1 << SYMBOLS];
    for &set in allowed {
        different[usize::from(set)] = true;
    }
    let suffices = |symbols: u8| {
        (0..)
            .zip(different)
            .all(|(set, is)| !is || set & symbols != 0)
    };
    (1..1 << SYMBOLS)
        .filter(|&symbols| suffices(symbols))
        .min_by_key(|symbols| symbols.count_ones())
        .unwrap_or((1 << SYMBOLS) - 1)
}

/// Returns the symbols of a set in ascending order.
fn symbols_of(set: u8) -> Vec<u8> {
    (0..SYMBOLS as u8).filter(|s| set >> s & 1 == 1).collect()
}

/// Encodes a block. For each index, `allowed` has the symbols that may be stored, one bit for each; no set is
/// empty. `row` is the number of placements of the last unit.
///
/// # Errors
/// If the compression fails.
pub fn encode(allowed: &[u8], row: usize) -> std::io::Result<Vec<u8>> {
    let set = sufficient(allowed);
    let symbols = symbols_of(set);
    if symbols.len() == 1 {
        return Ok(vec![set]);
    }
    let mut shortest: Option<Vec<u8>> = None;
    for distance in [1, row.max(1)] {
        let mut code = vec![set];
        compress(&packed(allowed, &symbols, distance), &mut code)?;
        if shortest
            .as_ref()
            .is_none_or(|other| code.len() < other.len())
        {
            shortest = Some(code);
        }
    }
    Ok(shortest.unwrap_or_default())
}

/// Returns the numbers of the symbols in bytes. Of several allowed symbols, the one that is `distance` indices
/// before is taken, else the one directly before, else the greatest.
fn packed(allowed: &[u8], symbols: &[u8], distance: usize) -> Vec<u8> {
    let bits = bits(symbols.len());
    let per_byte = 8 / bits;
    let mut numbers: Vec<u8> = Vec::with_capacity(allowed.len());
    for (at, set) in allowed.iter().enumerate() {
        let fits = |number: &u8| set >> symbols[usize::from(*number)] & 1 == 1;
        let before = |by: usize| at.checked_sub(by).map(|at| numbers[at]).filter(fits);
        let greatest = || (0..symbols.len() as u8).rev().find(fits).unwrap_or(0);
        numbers.push(
            before(distance)
                .or_else(|| before(1))
                .unwrap_or_else(greatest),
        );
    }
    let byte = |numbers: &[u8]| numbers.iter().rev().fold(0, |byte, n| byte << bits | n);
    numbers.chunks(per_byte).map(byte).collect()
}

fn compress(bytes: &[u8], out: &mut Vec<u8>) -> std::io::Result<()> {
    let options = LzmaOptions {
        dict_size: DICTIONARY_BYTES,
        lc: 0,
        lp: 0,
        pb: 0,
        mode: EncodeMode::Normal,
        nice_len: LzmaOptions::NICE_LEN_MAX,
        mf: MfType::Bt4,
        depth_limit: 512,
        preset_dict: None,
    };
    let mut writer = LzmaWriter::new_no_header(out, &options, false)?;
    writer.write_all(bytes)?;
    writer.finish()?;
    Ok(())
}

/// Decodes a block of `len` symbols. Returns `None` if the block is damaged.
pub fn decode(code: &[u8], len: usize) -> Option<Block> {
    let (&set, code) = code.split_first()?;
    if set == 0 || set >> SYMBOLS != 0 {
        return None;
    }
    let symbols = symbols_of(set);
    if symbols.len() == 1 {
        let bytes = Box::default();
        return code.is_empty().then_some(Block { symbols, bytes });
    }
    let per_byte = 8 / bits(symbols.len());
    let wanted = len.div_ceil(per_byte);
    let mut bytes = Vec::with_capacity(wanted);
    let reader = LzmaReader::new(code, wanted as u64, 0, 0, 0, DICTIONARY_BYTES, None);
    reader
        .ok()?
        .take(wanted as u64)
        .read_to_end(&mut bytes)
        .ok()?;
    let block = Block {
        bytes: bytes.into_boxed_slice(),
        symbols,
    };
    let is_whole = block.bytes.len() == wanted && block.has_numbers();
    is_whole.then_some(block)
}

impl Block {
    /// Returns whether all numbers are those of symbols.
    fn has_numbers(&self) -> bool {
        let bits = bits(self.symbols.len());
        let is_number = |byte: u8, at: usize| {
            usize::from((byte >> at) & ((1_u8 << bits) - 1)) < self.symbols.len()
        };
        let mut bytes = self.bytes.iter();
        bytes.all(|&byte| (0..8).step_by(bits).all(|at| is_number(byte, at)))
    }
}

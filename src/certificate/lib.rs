//! Certificate files: proofs that a side can force or avoid a goal. A file has one turn for each position in
//! which the choosing side is to move.
//!
//! Relies on no rules: here, a key is a row of bits, and a goal is a text. The claim of a certificate is
//! checked by `prove` with the fast rules and by `check` with the naive ones.
//!
//! # The format
//! | part | bytes |
//! |---|---|
//! | magic | `FPPROOF1` |
//! | length of the header | 4, little-endian |
//! | header | JSON: [`Header`] |
//! | blocks | one after the other, with the lengths in the header |
//! | checksum | 4: CRC-32 of all preceding bytes, little-endian |
//!
//! A block holds up to 4096 positions, compressed with LZ4. The block starts with the keys in ascending
//! order. Each key is stored as the number of leading bytes that it shares with the key before (one byte),
//! followed by its remaining bytes. A key is the position's exact key, in 64-bit words, most significant byte
//! first. After the keys come the ranks, two bytes each, little-endian, and then the turns, in the same form.
//!
//! A **turn** is stored as its number, from 0, among the position's legal turns in byte order of their
//! coordinate notation. A **rank** is the number of plies to the end of the game if the choosing side plays
//! the stored turns and the other side resists as long as possible. Ranks fall along every line, so no line
//! can return to an earlier position. In a certificate of kind `avoid`, ranks are 0, because the other side
//! never reaches its goal and lines may have no end. In a certificate of kind `refute`, a rank is the number
//! of plies left, the chosen turn included, within which the goal is not reached; positions with at most two
//! plies left have no turn.

use control::checksum::Summed;
use diagnostics::Diagnostic;
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};

const MAGIC: &[u8; 8] = b"FPPROOF1";
const FORMAT: u32 = 1;
const BLOCK_POSITIONS: usize = 4096;
/// Maximum number of 64-bit words of a key.
pub const MAX_KEY_WORDS: usize = 32;
/// Maximum length of a header in bytes, enough for the blocks of some hundred million positions.
const MAX_HEADER: u32 = 64 << 20;

/// The kind of claim that a certificate proves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The side reaches the goal, whatever the other side does.
    Force,
    /// The other side can prevent the goal forever.
    Avoid,
    /// The side does not force the goal within a number of plies.
    Refute,
}

/// The header of a certificate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Version of the format.
    pub format: u32,
    /// The variant with its options.
    pub variant: String,
    /// The digest of the text that decides the rules, in hexadecimal; `None` for a compiled rule set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_sha256: Option<String>,
    /// The position that the certificate is about.
    pub fen: String,
    /// The side that tries to reach the goal: `white` or `black`.
    pub side: String,
    /// The goal: `win`, `not-lose`, a reason, or an expression about a turn.
    pub goal: String,
    /// The kind of claim.
    pub kind: Kind,
    /// If the goal is forced, the plies from the position to the end. If it is refuted, the plies within
    /// which it is not forced.
    pub plies: Option<u16>,
    /// Number of positions with a turn.
    pub positions: u64,
    /// Number of bits of a key.
    pub key_bits: u32,
    /// Length of each block in bytes.
    pub blocks: Vec<u32>,
}

/// A certificate in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The header.
    pub header: Header,
    words: usize,
    keys: Vec<u64>,
    ranks: Vec<u16>,
    turns: Vec<u16>,
}

/// A position of a certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The exact key.
    pub key: Box<[u64]>,
    /// The rank in plies.
    pub rank: u16,
    /// The number of the turn among the legal turns.
    pub turn: u16,
}

fn damaged(why: impl Into<String>) -> Diagnostic {
    Diagnostic::new("certificate", why)
}

impl Certificate {
    /// Returns a certificate of these entries, which may be in any order.
    pub fn new(mut header: Header, words: usize, mut entries: Vec<Entry>) -> Certificate {
        entries.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        header.format = FORMAT;
        header.positions = entries.len() as u64;
        header.blocks = Vec::new();
        Certificate {
            header,
            words,
            keys: entries.iter().flat_map(|e| e.key.iter().copied()).collect(),
            ranks: entries.iter().map(|e| e.rank).collect(),
            turns: entries.iter().map(|e| e.turn).collect(),
        }
    }

    /// Returns the number of positions with a turn.
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// Returns whether no position has a turn.
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// Returns the number of 64-bit words of a key.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Returns the key of a position, by its number in ascending order of keys.
    pub fn key(&self, at: usize) -> &[u64] {
        &self.keys[at * self.words..(at + 1) * self.words]
    }

    /// Returns the rank of a position, by its number.
    pub fn rank(&self, at: usize) -> u16 {
        self.ranks[at]
    }

    /// Returns the number of the turn of a position, by its number.
    pub fn turn(&self, at: usize) -> usize {
        usize::from(self.turns[at])
    }

    /// Returns the number of the position with this key, if it has a turn.
    pub fn find(&self, key: &[u64]) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.key(middle).cmp(key) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let blocks: Vec<Vec<u8>> = (0..self.len())
            .step_by(BLOCK_POSITIONS)
            .map(|from| self.pack(from, self.len().min(from + BLOCK_POSITIONS)))
            .collect();
        let header = Header {
            blocks: blocks.iter().map(|block| block.len() as u32).collect(),
            ..self.header.clone()
        };
        let text = serde_json::to_vec(&header).map_err(std::io::Error::from)?;
        let length = (text.len() as u32).to_le_bytes();
        let mut out = Summed::new(out);
        let head: [&[u8]; 3] = [MAGIC, &length, &text];
        for bytes in head.into_iter().chain(blocks.iter().map(Vec::as_slice)) {
            out.write_all(bytes)?;
        }
        out.finish()?;
        Ok(())
    }

    fn pack(&self, from: usize, to: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut before: Vec<u8> = Vec::new();
        for at in from..to {
            let key: Vec<u8> = self.key(at).iter().flat_map(|w| w.to_be_bytes()).collect();
            let shared = before.iter().zip(&key).take_while(|(a, b)| a == b).count();
            let shared = shared.min(usize::from(u8::MAX));
            bytes.push(shared as u8);
            bytes.extend(&key[shared..]);
            before = key;
        }
        for column in [&self.ranks, &self.turns] {
            bytes.extend(column[from..to].iter().flat_map(|n| n.to_le_bytes()));
        }
        lz4_flex::block::compress(&bytes)
    }

    /// Reads a file block by block. The header gives the width of the keys. The order of the keys is checked
    /// in each block, so a file of repeated keys, which compress well, is refused at once.
    ///
    /// # Errors
    /// If the file is not a certificate, is damaged, or takes more than `max_bytes` of memory. The claim of
    /// the certificate is not checked here.
    pub fn read(input: &mut dyn Read, max_bytes: u64) -> Result<Certificate, Diagnostic> {
        let mut input = Summed::new(input);
        let header = parse_header(&mut input)?;
        let words = header.key_bits.div_ceil(64) as usize;
        if words == 0 || words > MAX_KEY_WORDS {
            return Err(damaged("its keys have a width that no position has"));
        }
        let wanted = usize::try_from(header.positions)
            .ok()
            .filter(|n| n.div_ceil(BLOCK_POSITIONS) == header.blocks.len())
            .ok_or_else(|| damaged("its blocks do not fit its number of positions"))?;
        let needed_bytes = header
            .positions
            .saturating_mul(8 * words as u64 + 4)
            .saturating_add(BLOCK_POSITIONS as u64 * 64);
        if needed_bytes > max_bytes {
            let why = format!("it needs {needed_bytes} bytes of memory; {max_bytes} are allowed");
            return Err(damaged(why).help("allow more with --memory"));
        }
        let mut read = Certificate {
            words,
            keys: Vec::new(),
            ranks: Vec::new(),
            turns: Vec::new(),
            header: Header {
                blocks: Vec::new(),
                ..header.clone()
            },
        };
        for &length in &header.blocks {
            // A block of incompressible bytes is slightly longer than its contents.
            if length as usize > lz4_flex::block::get_maximum_output_size(read.widest_block()) {
                return Err(damaged("a block is longer than any"));
            }
            let mut block = vec![0; length as usize];
            input
                .read_exact(&mut block)
                .map_err(|_| damaged("it is cut short"))?;
            let positions = (wanted - read.len()).min(BLOCK_POSITIONS);
            let first = read.len();
            read.unpack(&block, positions)
                .ok_or_else(|| damaged("a block is damaged"))?;
            if !(first.max(1)..read.len()).all(|at| read.key(at - 1) < read.key(at)) {
                return Err(damaged("its positions are not in rising order"));
            }
        }
        input.verify().map_err(damaged)?;
        Ok(read)
    }

    fn widest_block(&self) -> usize {
        BLOCK_POSITIONS * (1 + 8 * self.words + 4)
    }

    fn unpack(&mut self, block: &[u8], positions: usize) -> Option<()> {
        let bytes = lz4_flex::block::decompress(block, self.widest_block()).ok()?;
        let mut rest = bytes.as_slice();
        let mut key = vec![0_u8; 8 * self.words];
        for _ in 0..positions {
            let (&shared, behind) = rest.split_first()?;
            let open = key.get_mut(usize::from(shared)..)?;
            let (new, behind) = behind.split_at_checked(open.len())?;
            open.copy_from_slice(new);
            rest = behind;
            let words = key.chunks_exact(8);
            self.keys
                .extend(words.map(|w| w.iter().fold(0, |word, &b| word << 8 | u64::from(b))));
        }
        for column in [&mut self.ranks, &mut self.turns] {
            let (here, behind) = rest.split_at_checked(2 * positions)?;
            let pairs = here.chunks_exact(2);
            column.extend(pairs.map(|pair| u16::from_le_bytes([pair[0], pair[1]])));
            rest = behind;
        }
        rest.is_empty().then_some(())
    }
}

fn parse_header(input: &mut dyn Read) -> Result<Header, Diagnostic> {
    let mut start = [0; 12];
    input
        .read_exact(&mut start)
        .map_err(|_| damaged("it is not a certificate"))?;
    let length = start
        .strip_prefix(MAGIC)
        .and_then(|length| length.try_into().ok())
        .map(u32::from_le_bytes)
        .ok_or_else(|| damaged("it is not a certificate"))?;
    if length > MAX_HEADER {
        return Err(damaged("its header is longer than any"));
    }
    let mut text = Vec::new();
    let read = input.take(u64::from(length)).read_to_end(&mut text);
    if !matches!(read, Ok(n) if n == length as usize) {
        return Err(damaged("it is cut short"));
    }
    let header: Header = serde_json::from_slice(&text)
        .map_err(|e| damaged(format!("its header cannot be read: {e}")))?;
    if header.format != FORMAT {
        return Err(damaged("its format is another version's"));
    }
    Ok(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(positions: u64) -> Certificate {
        let header = Header {
            format: 0,
            variant: "fide".into(),
            rules_sha256: None,
            fen: "k7/8/8/8/8/8/8/K6R w - - 0 1".into(),
            side: "white".into(),
            goal: "win".into(),
            kind: Kind::Force,
            plies: Some(9),
            positions: 0,
            key_bits: 70,
            blocks: Vec::new(),
        };
        let entry = |n: u64| Entry {
            key: Box::new([n % 7, n * 1_000_003]),
            rank: n as u16,
            turn: (n / 3) as u16,
        };
        Certificate::new(header, 2, (0..positions).map(entry).collect())
    }

    fn written(certificate: &Certificate) -> Vec<u8> {
        let mut bytes = Vec::new();
        certificate.write(&mut bytes).expect("a vector takes it");
        bytes
    }

    #[test]
    fn what_is_written_is_read_again() {
        for positions in [0, 1, 4096, 10_000] {
            let certificate = sample(positions);
            let bytes = written(&certificate);
            let read = Certificate::read(&mut bytes.as_slice(), u64::MAX).expect("whole");
            assert_eq!(read, certificate);
            assert_eq!(read.len() as u64, positions);
            for at in 0..read.len() {
                assert_eq!(read.find(read.key(at)), Some(at));
            }
            assert_eq!(read.find(&[9, 9]), None);
        }
    }

    #[test]
    fn each_flipped_bit_is_noticed() {
        let bytes = written(&sample(100));
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << bit;
                assert!(
                    Certificate::read(&mut flipped.as_slice(), u64::MAX).is_err(),
                    "{at}"
                );
            }
        }
    }

    #[test]
    fn repeated_keys_and_large_claims_are_refused_before_they_take_memory() {
        let mut repeated = sample(200_000);
        repeated.keys.fill(1);
        let bytes = written(&repeated);
        let error = Certificate::read(&mut bytes.as_slice(), u64::MAX).expect_err("out of order");
        assert!(error.why.contains("rising order"), "{error}");
        // The first block is enough: the rest of the file may be missing.
        let cut = &bytes[..bytes.len() / 2];
        let error = Certificate::read(&mut &cut[..], u64::MAX).expect_err("out of order");
        assert!(error.why.contains("rising order"), "{error}");
        let bytes = written(&sample(200_000));
        let error = Certificate::read(&mut bytes.as_slice(), 1 << 20).expect_err("too large");
        assert!(error.why.contains("1048576 are allowed"), "{error}");
    }

    #[test]
    fn a_file_cut_short_or_lengthened_is_refused() {
        let mut bytes = written(&sample(100));
        for length in 0..bytes.len() {
            assert!(Certificate::read(&mut &bytes[..length], u64::MAX).is_err());
        }
        bytes.push(0);
        assert!(Certificate::read(&mut bytes.as_slice(), u64::MAX).is_err());
    }
}

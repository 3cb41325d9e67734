//! Certificates of `prove`, read by a reader of its own.

use naive::strategy::{self, Claim, Entries, Entry};
use naive::{RuleSets, Unverified, ensure, unchecked, wrong};
use serde::Deserialize;

/// What the header of a certificate says.
#[derive(Debug, Deserialize)]
pub struct Header {
    format: u32,
    variant: String,
    pub(crate) fen: String,
    pub(crate) side: String,
    pub(crate) goal: String,
    kind: String,
    /// The plies to the end, if the goal is forced.
    pub(crate) plies: Option<u32>,
    positions: usize,
    key_bits: usize,
    blocks: Vec<usize>,
}

fn cut<'b>(bytes: &mut &'b [u8], length: usize) -> Result<&'b [u8], Unverified> {
    bytes
        .split_off(..length)
        .map_or_else(|| wrong("it is cut short"), Ok)
}

fn number(bytes: &mut &[u8], length: usize) -> Result<usize, Unverified> {
    let bytes = cut(bytes, length)?.iter().rev();
    Ok(bytes.fold(0, |n, &byte| n << 8 | usize::from(byte)))
}

/// Reads the header and the entries, each with its key.
fn read(bytes: &[u8]) -> Result<(Header, Entries), Unverified> {
    let (mut rest, mut sum) = bytes.split_at(bytes.len().saturating_sub(4));
    let sum_fits = crc32fast::hash(rest) as usize == number(&mut sum, 4)?;
    ensure(sum_fits, || "its checksum is wrong")?;
    let magic = cut(&mut rest, 8)?;
    ensure(magic == b"FPPROOF1", || "it is not a certificate")?;
    let length = number(&mut rest, 4)?;
    let header: Header = serde_json::from_slice(cut(&mut rest, length)?)
        .or_else(|why| wrong(format!("its header cannot be read: {why}")))?;
    if header.kind == "refute" {
        return unchecked("its kind is `refute`");
    }
    let known = header.format == 1
        && ["white", "black"].contains(&&*header.side)
        && ["force", "avoid"].contains(&&*header.kind)
        && (header.kind == "force") == header.plies.is_some()
        && (1..=2048).contains(&header.key_bits);
    ensure(known, || "its header contradicts itself or is not known")?;
    let key_length = 8 * header.key_bits.div_ceil(64);
    let mut entries = Vec::new();
    for &length in &header.blocks {
        let block = lz4_flex::block::decompress(cut(&mut rest, length)?, 4096 * (key_length + 5));
        let block = block.or_else(|why| wrong(format!("a block is damaged: {why}")))?;
        let count = header.positions.saturating_sub(entries.len()).min(4096);
        read_block(&block, count, key_length, &mut entries)?;
    }
    ensure(
        entries.len() == header.positions && rest.is_empty(),
        || "its blocks do not hold as many positions as its header says",
    )?;
    ensure(
        entries.is_sorted_by(|a, b| a.0 < b.0),
        || "its positions are not in rising order",
    )?;
    Ok((header, entries))
}

fn read_block(
    mut block: &[u8],
    count: usize,
    key_length: usize,
    entries: &mut Entries,
) -> Result<(), Unverified> {
    let (mut key, first) = (vec![0; key_length], entries.len());
    for _ in 0..count {
        let shared = number(&mut block, 1)?;
        ensure(shared <= key_length, || "a key is longer than its width")?;
        key[shared..].copy_from_slice(cut(&mut block, key_length - shared)?);
        entries.push((key.clone(), Entry { rank: 0, turn: 0 }));
    }
    for (_, entry) in &mut entries[first..] {
        entry.rank = number(&mut block, 2)? as u32;
    }
    for (_, entry) in &mut entries[first..] {
        entry.turn = number(&mut block, 2)?;
    }
    ensure(block.is_empty(), || "a block is longer than its positions")
}

/// Checks a certificate. Returns its header.
///
/// # Errors
/// What is wrong with it, or why it cannot be checked.
pub fn check(bytes: &[u8], rule_sets: &RuleSets) -> Result<Header, Unverified> {
    let (header, entries) = read(bytes)?;
    let root = rule_sets.position(&header.variant, &header.fen)?;
    if !header
        .goal
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '-')
    {
        return unchecked("its goal is an expression");
    }
    ensure(
        root.fen() == header.fen && root.outcome() == "ongoing",
        || "its position is not written as printed, or the game is over there",
    )?;
    let claim = Claim {
        white: header.side == "white",
        goal: &header.goal,
        force: header.kind == "force",
    };
    strategy::check(&root, claim, header.plies, header.key_bits, &entries)?;
    Ok(header)
}

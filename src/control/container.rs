//! Containers: the format of all binary files of the program. A container has a kind, the versions of the rules
//! that its content was computed with, and sections of bytes with checksums.
//!
//! | part | bytes |
//! |---|---|
//! | mark of the format | 8: `FPFILE01` |
//! | kind of the file | 8, ASCII |
//! | versions of the rules | 4 for those that all rule sets share, 4 for the rule set; else zeros |
//! | sections | one after the other: length (4), CRC-32 (4), content |
//! | end of the sections | 4: `FF FF FF FF` |
//! | index | length (4) and CRC-32 (4) of each section |
//! | number of sections | 8 |
//! | checksum | 4: CRC-32 of everything but the sections and their end |
//! | mark of the end | 8: `FPFILEND` |
//!
//! Numbers are little-endian. Versions are zeros if another file of the folder has them. A container is written in
//! one pass. It is read in one pass ([`Reader`]) or section by section in any order ([`Sections`]). In both ways,
//! every changed or missing byte is detected. A checksum does not protect against deliberate changes, so readers
//! check the content of sections.

use crate::files::{self, FileError, read_at, write_complete};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::Path;

const MARK: &[u8; 8] = b"FPFILE01";
const END_MARK: &[u8; 8] = b"FPFILEND";
const NO_SECTION: [u8; 4] = [0xff; 4];
const HEAD_BYTES: usize = 8 + 8 + 8;
const FOOT_BYTES: usize = 8 + 4 + 8;
const ENTRY_BYTES: usize = 4 + 4;

/// Bytes before the content of a section.
pub const PREFIX_BYTES: usize = ENTRY_BYTES;

/// The kind of a container.
pub type Kind = [u8; 8];

/// The versions of the rules shared by all rule sets, and of the rule set.
pub type Law = [u32; 2];

/// The versions in a file of which another file has them.
pub const NO_LAW: Law = [0, 0];

/// Returns the error for a file that is not what was written.
pub fn damaged(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why)
}

fn head(kind: &Kind, law: Law) -> [u8; HEAD_BYTES] {
    let mut head = [0; HEAD_BYTES];
    head[..8].copy_from_slice(MARK);
    head[8..16].copy_from_slice(kind);
    head[16..20].copy_from_slice(&law[0].to_le_bytes());
    head[20..].copy_from_slice(&law[1].to_le_bytes());
    head
}

/// Returns the versions in a head, if it is that of a container of this kind.
fn law_of(head: &[u8; HEAD_BYTES], kind: &Kind) -> io::Result<Law> {
    if head[..8] != *MARK || head[8..16] != *kind {
        return Err(damaged("it is a file of another kind or version"));
    }
    Ok([number(&head[16..20]), number(&head[20..])].map(|n| n as u32))
}

fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |n, &byte| n << 8 | u64::from(byte))
}

fn entry(bytes: &[u8]) -> io::Result<[u8; ENTRY_BYTES]> {
    let length = u32::try_from(bytes.len()).ok().filter(|&n| n < u32::MAX);
    let length = length.ok_or_else(|| io::Error::other("a section has more than 4 GB"))?;
    let sum = crc32fast::hash(bytes);
    Ok((u64::from(sum) << 32 | u64::from(length)).to_le_bytes())
}

fn foot(head: &[u8; HEAD_BYTES], index: &[u8]) -> [u8; FOOT_BYTES] {
    let mut foot = [0; FOOT_BYTES];
    foot[..8].copy_from_slice(&((index.len() / ENTRY_BYTES) as u64).to_le_bytes());
    let mut sum = crc32fast::Hasher::new();
    for part in [&head[..], index, &foot[..8]] {
        sum.update(part);
    }
    foot[8..12].copy_from_slice(&sum.finalize().to_le_bytes());
    foot[12..].copy_from_slice(END_MARK);
    foot
}

/// Writes a container.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    head: [u8; HEAD_BYTES],
    index: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Begins a container.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn new(mut out: W, kind: &Kind, law: Law) -> io::Result<Writer<W>> {
        let head = head(kind, law);
        out.write_all(&head)?;
        let index = Vec::new();
        Ok(Writer { out, head, index })
    }

    /// Appends a section.
    ///
    /// # Errors
    /// If the output cannot be written, or the section has more than 4 GB.
    pub fn section(&mut self, bytes: &[u8]) -> io::Result<()> {
        let entry = entry(bytes)?;
        self.out.write_all(&entry)?;
        self.out.write_all(bytes)?;
        self.index.extend(entry);
        Ok(())
    }

    /// Appends a section with a value in JSON format.
    ///
    /// # Errors
    /// As for [`Writer::section`], and if the value has no JSON form.
    pub fn json<T: Serialize>(&mut self, value: &T) -> io::Result<()> {
        self.section(&serde_json::to_vec(value)?)
    }

    /// Ends the container. Returns the output without flushing it, and the index of the sections.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(mut self) -> io::Result<(W, Sections)> {
        let foot = foot(&self.head, &self.index);
        self.out.write_all(&NO_SECTION)?;
        self.out.write_all(&self.index)?;
        self.out.write_all(&foot)?;
        Ok((self.out, Sections::of(&self.head, &self.index, &foot)))
    }
}

/// The index of a complete container, by which sections are read in any order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sections {
    law: Law,
    /// The offset after each section.
    ends: Vec<u64>,
    sums: Vec<u32>,
    sum: u32,
}

impl Sections {
    fn of(head: &[u8; HEAD_BYTES], index: &[u8], foot: &[u8; FOOT_BYTES]) -> Sections {
        let entries = index.as_chunks::<ENTRY_BYTES>().0;
        let mut end = HEAD_BYTES as u64;
        let ends = entries.iter().map(|entry| {
            end += ENTRY_BYTES as u64 + number(&entry[..4]);
            end
        });
        Sections {
            law: [number(&head[16..20]), number(&head[20..])].map(|n| n as u32),
            ends: ends.collect(),
            sums: entries.iter().map(|e| number(&e[4..]) as u32).collect(),
            sum: number(&foot[8..12]) as u32,
        }
    }

    /// Reads the index of a container of this kind. The sections are not read.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or is of another kind.
    pub fn read(file: &File, kind: &Kind) -> io::Result<Sections> {
        let bytes = file.metadata()?.len();
        let least = (HEAD_BYTES + NO_SECTION.len() + FOOT_BYTES) as u64;
        let mut head = [0; HEAD_BYTES];
        let mut foot_read = [0; FOOT_BYTES];
        let there = bytes.min(HEAD_BYTES as u64) as usize;
        read_at(file, &mut head[..there], 0)?;
        law_of(&head, kind)?;
        let Some(room) = bytes.checked_sub(least) else {
            return Err(damaged("it is too short"));
        };
        read_at(file, &mut foot_read, bytes - FOOT_BYTES as u64)?;
        // Compared before memory is reserved, because a damaged number may be any.
        let index_bytes = number(&foot_read[..8]).saturating_mul(ENTRY_BYTES as u64);
        if foot_read[12..] != *END_MARK || index_bytes > room {
            return Err(damaged("it is damaged or cut short"));
        }
        let mut rest = vec![0; NO_SECTION.len() + index_bytes as usize];
        read_at(file, &mut rest, HEAD_BYTES as u64 + room - index_bytes)?;
        let (end, index) = rest.split_at(NO_SECTION.len());
        let sections = Sections::of(&head, index, &foot_read);
        let whole = foot(&head, index) == foot_read
            && end == NO_SECTION
            && sections.begin(sections.len()) == HEAD_BYTES as u64 + room - index_bytes;
        match whole {
            true => Ok(sections),
            false => Err(damaged("its index is damaged")),
        }
    }

    /// Returns the number of sections.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no sections.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the versions of the rules.
    pub fn law(&self) -> Law {
        self.law
    }

    /// Returns a checksum that covers the checksums of all sections, and so distinguishes files.
    pub fn sum(&self) -> u32 {
        self.sum
    }

    fn begin(&self, section: usize) -> u64 {
        match section {
            0 => HEAD_BYTES as u64,
            _ => self.ends[section - 1],
        }
    }

    /// Returns the length of a section in bytes.
    ///
    /// # Panics
    /// If there is no such section.
    pub fn bytes_of(&self, section: usize) -> u64 {
        self.ends[section] - self.begin(section) - ENTRY_BYTES as u64
    }

    /// Reads a section into `buffer`, after [`PREFIX_BYTES`] bytes. Returns the content.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    ///
    /// # Panics
    /// If there is no such section.
    pub fn load<'b>(
        &self,
        file: &File,
        section: usize,
        buffer: &'b mut Vec<u8>,
    ) -> io::Result<&'b [u8]> {
        let length = self.bytes_of(section);
        buffer.resize(ENTRY_BYTES + length as usize, 0);
        read_at(file, buffer, self.begin(section))?;
        let (entry, content) = buffer.split_at(ENTRY_BYTES);
        let sum = self.sums[section];
        if number(entry) != u64::from(sum) << 32 | length || crc32fast::hash(content) != sum {
            return Err(damaged("a section is not what was written"));
        }
        Ok(content)
    }

    /// Reads the value of a section in JSON format.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    ///
    /// # Panics
    /// If there is no such section.
    pub fn json<T: DeserializeOwned>(&self, file: &File, section: usize) -> io::Result<T> {
        let mut buffer = Vec::new();
        parse(self.load(file, section, &mut buffer)?)
    }

    /// Reads the last section, a header in JSON format. Returns it with the number of sections before it.
    ///
    /// # Errors
    /// If the file has no section, cannot be read or is damaged.
    pub fn last_json<T: DeserializeOwned>(&self, file: &File) -> io::Result<(T, usize)> {
        let last = self.len().checked_sub(1);
        let last = last.ok_or_else(|| damaged("its header is missing"))?;
        Ok((self.json(file, last)?, last))
    }
}

fn parse<T: DeserializeOwned>(text: &[u8]) -> io::Result<T> {
    serde_json::from_slice(text).map_err(|error| damaged(&error.to_string()))
}

/// Reads a container from its beginning to its end.
#[derive(Debug)]
pub struct Reader<R> {
    from: R,
    head: [u8; HEAD_BYTES],
    law: Law,
    index: Vec<u8>,
}

impl<R: Read> Reader<R> {
    /// Begins to read a container of this kind.
    ///
    /// # Errors
    /// If the stream cannot be read, or is of another kind.
    pub fn new(mut from: R, kind: &Kind) -> io::Result<Reader<R>> {
        let mut head = [0; HEAD_BYTES];
        from.read_exact(&mut head)?;
        Ok(Reader {
            law: law_of(&head, kind)?,
            from,
            head,
            index: Vec::new(),
        })
    }

    /// Returns the versions of the rules.
    pub fn law(&self) -> Law {
        self.law
    }

    /// Reads the next section, which must not be longer than `max_bytes`. Returns `None` after the last one, if
    /// the container ends as it was written.
    ///
    /// # Errors
    /// If the stream cannot be read or is damaged.
    pub fn next_section(&mut self, max_bytes: u64) -> io::Result<Option<Vec<u8>>> {
        let mut begin = [0; NO_SECTION.len()];
        self.from.read_exact(&mut begin)?;
        if begin == NO_SECTION {
            let mut rest = Vec::new();
            let most = (self.index.len() + FOOT_BYTES + 1) as u64;
            self.from.by_ref().take(most).read_to_end(&mut rest)?;
            let expected = [&self.index[..], &foot(&self.head, &self.index)].concat();
            return match rest == expected {
                true => Ok(None),
                false => Err(damaged("it is damaged or cut short")),
            };
        }
        let mut sum = [0; 4];
        self.from.read_exact(&mut sum)?;
        let length = number(&begin);
        if length > max_bytes {
            return Err(damaged("a section is too long"));
        }
        // A damaged length may be any number, so memory is reserved as bytes arrive.
        let mut bytes = Vec::new();
        self.from.by_ref().take(length).read_to_end(&mut bytes)?;
        if entry(&bytes)? != [begin, sum].concat()[..] {
            return Err(damaged("a section is not what was written"));
        }
        self.index.extend(begin);
        self.index.extend(sum);
        Ok(Some(bytes))
    }

    /// Like [`Reader::next_section`], but a missing section is an error.
    ///
    /// # Errors
    /// As for [`Reader::next_section`], and if there is no further section.
    pub fn section(&mut self, max_bytes: u64) -> io::Result<Vec<u8>> {
        let section = self.next_section(max_bytes)?;
        section.ok_or_else(|| damaged("a section is missing"))
    }

    /// Reads a section with a value in JSON format.
    ///
    /// # Errors
    /// As for [`Reader::section`], and if the section has another form.
    pub fn json<T: DeserializeOwned>(&mut self, max_bytes: u64) -> io::Result<T> {
        parse(&self.section(max_bytes)?)
    }

    /// Checks that the container ends here as it was written.
    ///
    /// # Errors
    /// If the stream cannot be read, is damaged, or has a further section.
    pub fn finish(mut self) -> io::Result<()> {
        match self.next_section(u64::MAX)? {
            None => Ok(()),
            Some(_) => Err(damaged("it has further sections")),
        }
    }
}

/// Writes a container with [`write_complete`].
///
/// # Errors
/// If the file cannot be written. An existing file is then unchanged.
pub fn write(
    path: &Path,
    (kind, law): (&Kind, Law),
    sync: bool,
    body: impl FnOnce(&mut Writer<&mut BufWriter<File>>) -> io::Result<()>,
) -> Result<(), FileError> {
    write_complete(path, sync, |file| {
        let mut out = Writer::new(file, kind, law)?;
        body(&mut out)?;
        out.finish()?;
        Ok(())
    })
}

/// Writes a container with one value in JSON format.
///
/// # Errors
/// As for [`write()`].
pub fn write_json<T: Serialize>(
    path: &Path,
    of: (&Kind, Law),
    sync: bool,
    value: &T,
) -> Result<(), FileError> {
    write(path, of, sync, |out| out.json(value))
}

/// Reads the value that [`write_json`] wrote. Returns `None` if there is no file.
///
/// # Errors
/// If the file cannot be read or is damaged.
pub fn read_json<T: DeserializeOwned>(path: &Path, kind: &Kind) -> Result<Option<T>, FileError> {
    let read = || -> io::Result<T> {
        let mut from = Reader::new(BufReader::new(files::open(path)?), kind)?;
        let value = from.json(u64::MAX)?;
        from.finish()?;
        Ok(value)
    };
    match read() {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::unreadable(path, &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: &Kind = b"test    ";
    const SECTIONS: [&[u8]; 3] = [b"some", b"", b"bytes of a section"];

    fn written() -> Vec<u8> {
        let mut out = Writer::new(Vec::new(), KIND, [3, 4]).expect("written");
        for section in SECTIONS {
            out.section(section).expect("written");
        }
        out.finish().expect("written").0
    }

    fn in_one_pass(bytes: &[u8]) -> io::Result<Vec<Vec<u8>>> {
        let mut from = Reader::new(bytes, KIND)?;
        let mut sections = Vec::new();
        while let Some(section) = from.next_section(100)? {
            sections.push(section);
        }
        assert_eq!(from.law(), [3, 4]);
        Ok(sections)
    }

    fn by_index(bytes: &[u8]) -> io::Result<Vec<Vec<u8>>> {
        let mut file = tempfile::tempfile()?;
        file.write_all(bytes)?;
        let sections = Sections::read(&file, KIND)?;
        assert_eq!(sections.law(), [3, 4]);
        let mut buffer = Vec::new();
        let mut load = |n| Ok(sections.load(&file, n, &mut buffer)?.to_vec());
        (0..sections.len()).map(&mut load).collect()
    }

    #[test]
    fn sections_read_back_in_both_ways() {
        let bytes = written();
        assert_eq!(in_one_pass(&bytes).expect("whole"), SECTIONS);
        assert_eq!(by_index(&bytes).expect("whole"), SECTIONS);
        assert!(Reader::new(&bytes[..], b"another ").is_err());
    }

    #[test]
    fn changed_shortened_and_longer_files_are_refused() {
        let bytes = written();
        let refused = |bytes: &[u8], what: &str| {
            assert!(in_one_pass(bytes).is_err(), "{what}");
            assert!(by_index(bytes).is_err(), "{what}");
        };
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                refused(&changed, &format!("bit {bit} of byte {at}"));
            }
            refused(&bytes[..at], &format!("{at} bytes"));
        }
        refused(&[&bytes[..], b"x"].concat(), "longer");
    }

    #[test]
    fn long_sections_are_refused() {
        let bytes = written();
        let mut from = Reader::new(&bytes[..], KIND).expect("a head");
        assert!(from.next_section(3).is_err());
    }
}

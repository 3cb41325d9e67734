//! Pages with the values of nodes and their numbers of remaining turns. All pages are in one file, from which a
//! level reads only the pages it needs. A journal ensures that a slice changes completely or not at all.

use super::edges::name_of;
use super::{Failed, damaged, unreadable, unwritable};
use crate::Packed;
use control::container::{self, Kind, NO_LAW};
use control::files::{self, read_at, write_at};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Nodes of a page.
pub const PAGE: u32 = 1 << 12;

const JOURNAL: &Kind = b"journal2";

/// Maximum number of turns that keep a win which is counted: more than one, whatever their number.
const MAX_KEEPING: u8 = 2;

/// The values and counts of [`PAGE`] nodes.
#[derive(Debug)]
pub struct Page {
    /// Packed values.
    pub values: Vec<u16>,
    /// For open nodes, the number of turns that are not known to lose.
    pub counts: Vec<u16>,
    /// For won nodes, the number of turns that keep the win, at most 2. Empty if they are not counted.
    pub keeping: Vec<u8>,
}

/// The file of all pages. A page has values, counts of turns, perhaps counts of turns that keep a win, and a
/// checksum.
pub struct PageFile {
    path: PathBuf,
    file: File,
    keeping: bool,
}

impl PageFile {
    /// Opens the file, or creates an empty one.
    pub fn open(path: &Path, keeping: bool) -> Result<PageFile, Failed> {
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).read(true).write(true);
        let file = files::open_with(&mut options, path).map_err(|e| unwritable(path, &e))?;
        Ok(PageFile {
            path: path.to_path_buf(),
            file,
            keeping,
        })
    }

    fn page_bytes(&self) -> usize {
        (4 + usize::from(self.keeping)) * PAGE as usize + 4
    }

    fn bytes_of(&self, values: &[u16], counts: &[u16], keeping: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.page_bytes());
        for list in [values, counts] {
            bytes.extend(list.iter().flat_map(|n| n.to_le_bytes()));
            bytes.resize(bytes.len() + 2 * (PAGE as usize - list.len()), 0);
        }
        bytes.extend(keeping);
        bytes.resize(self.page_bytes() - 4, 0);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Writes a page. Missing values and counts at its end are filled with zeros.
    pub fn write(&self, page: u32, values: &[u16], counts: &[u16]) -> Result<(), Failed> {
        self.write_bytes(page, &self.bytes_of(values, counts, &[]))
    }

    fn write_bytes(&self, page: u32, bytes: &[u8]) -> Result<(), Failed> {
        write_at(&self.file, bytes, u64::from(page) * bytes.len() as u64)
            .map_err(|e| unwritable(&self.path, &e))
    }

    /// Returns a page.
    pub fn read(&self, page: u32) -> Result<Page, Failed> {
        let mut bytes = vec![0; self.page_bytes()];
        let at = u64::from(page) * bytes.len() as u64;
        read_at(&self.file, &mut bytes, at).map_err(|e| unreadable(&self.path, &e))?;
        if !whole(&bytes) {
            return Err(damaged(&self.path, "a page is not what was written"));
        }
        let (lists, rest) = bytes.split_at(4 * PAGE as usize);
        let (values, counts) = lists.split_at(2 * PAGE as usize);
        let numbers = |list: &[u8]| {
            let pairs = list.as_chunks::<2>().0.iter();
            pairs.map(|n| u16::from_le_bytes(*n)).collect()
        };
        Ok(Page {
            values: numbers(values),
            counts: numbers(counts),
            keeping: rest[..rest.len() - 4].to_vec(),
        })
    }

    /// Checks that the file ends after `pages` pages.
    pub fn check_end(&self, pages: u64) -> Result<(), Failed> {
        let bytes = self
            .file
            .metadata()
            .map_err(|e| unreadable(&self.path, &e))?;
        match bytes.len() <= pages * self.page_bytes() as u64 {
            true => Ok(()),
            false => Err(damaged(&self.path, "it is too long")),
        }
    }

    /// Waits until all pages have reached the disk.
    pub fn sync(&self) -> Result<(), Failed> {
        self.file
            .sync_data()
            .map_err(|e| unwritable(&self.path, &e))
    }
}

fn whole(page: &[u8]) -> bool {
    page.split_last_chunk::<4>()
        .is_some_and(|(body, sum)| crc32fast::hash(body) == u32::from_le_bytes(*sum))
}

/// A page in memory.
struct SharedPage {
    values: Vec<AtomicU16>,
    counts: Vec<AtomicU16>,
    keeping: Vec<AtomicU8>,
    changed: AtomicBool,
}

/// The pages of a slice. A page is read when a level first needs it.
pub struct Slice<'f> {
    file: &'f PageFile,
    first: u32,
    pages: Vec<OnceLock<SharedPage>>,
    failed: Mutex<Option<Failed>>,
}

impl<'f> Slice<'f> {
    /// Returns the `pages` pages from number `first` on, none of them read yet.
    pub fn new(file: &'f PageFile, first: u32, pages: u32) -> Slice<'f> {
        Slice {
            file,
            first,
            pages: (0..pages).map(|_| OnceLock::new()).collect(),
            failed: Mutex::new(None),
        }
    }

    #[inline]
    fn page(&self, n: u32) -> &SharedPage {
        let page = (n / PAGE) as usize;
        self.pages[page].get_or_init(|| {
            let read = self.file.read(self.first + page as u32);
            let read = read.unwrap_or_else(|e| {
                let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
                failed.get_or_insert(e);
                let zeros = vec![0; PAGE as usize];
                Page {
                    values: zeros.clone(),
                    counts: zeros,
                    keeping: vec![0; usize::from(self.file.keeping) * PAGE as usize],
                }
            });
            let atomic = |list: Vec<u16>| list.into_iter().map(AtomicU16::new).collect();
            SharedPage {
                values: atomic(read.values),
                counts: atomic(read.counts),
                keeping: read.keeping.into_iter().map(AtomicU8::new).collect(),
                changed: AtomicBool::new(false),
            }
        })
    }

    /// Marks a node as won if it is open, because one of its turns leads to a lost node. Counts the turn if
    /// turns that keep a win are counted.
    #[inline]
    pub fn win(&self, n: u32, won: Packed) {
        let page = self.page(n);
        let at = (n % PAGE) as usize;
        let value = Packed(page.values[at].load(Ordering::Relaxed));
        let is_open = value == Packed::OPEN;
        if is_open {
            page.values[at].store(won.0, Ordering::Relaxed);
            page.changed.store(true, Ordering::Relaxed);
        }
        if let Some(keeping) = page.keeping.get(at)
            && (is_open || value.class() == won.class())
            && keeping.load(Ordering::Relaxed) < MAX_KEEPING
        {
            keeping.fetch_add(1, Ordering::Relaxed);
            page.changed.store(true, Ordering::Relaxed);
        }
    }

    /// Counts a turn that leads to a won node. An open node without further turns becomes lost.
    #[inline]
    pub fn count(&self, n: u32, lost: Packed) {
        let page = self.page(n);
        let at = (n % PAGE) as usize;
        if page.values[at].load(Ordering::Relaxed) != Packed::OPEN.0 {
            return;
        }
        page.changed.store(true, Ordering::Relaxed);
        if page.counts[at].fetch_sub(1, Ordering::Relaxed) == 1 {
            page.values[at].store(lost.0, Ordering::Relaxed);
        }
    }

    /// Returns the error of the first page that could not be read, if any.
    pub fn check(&self) -> Result<(), Failed> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.clone().map_or(Ok(()), Err)
    }

    /// Calls `found` with each node, on the pages read, whose value is one of `values`.
    pub fn each_of(&self, values: [Packed; 2], mut found: impl FnMut(u32, Packed)) {
        for (page, n) in self.pages.iter().zip(0u32..) {
            let Some(page) = page.get() else {
                continue;
            };
            for (value, at) in page.values.iter().zip(0u32..) {
                let value = Packed(value.load(Ordering::Relaxed));
                if values.contains(&value) {
                    found(n * PAGE + at, value);
                }
            }
        }
    }

    /// Writes the changed pages to a journal and then to the file. Does nothing if no page has changed.
    pub fn commit(self, journal: &Path, level: (usize, u16), sync: bool) -> Result<(), Failed> {
        self.check()?;
        let changed: Vec<(u32, &SharedPage)> = (self.first..)
            .zip(&self.pages)
            .filter_map(|(n, page)| Some((n, page.get()?)))
            .filter(|(_, page)| page.changed.load(Ordering::Relaxed))
            .collect();
        if changed.is_empty() {
            return Ok(());
        }
        if sync {
            // The pages from the journal that is replaced now must have reached the disk.
            self.file.sync()?;
        }
        let plain = |list: &[AtomicU16]| -> Vec<u16> {
            list.iter().map(|n| n.load(Ordering::Relaxed)).collect()
        };
        let bytes = |page: &SharedPage| {
            let keeping = page.keeping.iter().map(|n| n.load(Ordering::Relaxed));
            // Threads that count at the same time may exceed the maximum.
            let keeping: Vec<u8> = keeping.map(|n| n.min(MAX_KEEPING)).collect();
            self.file
                .bytes_of(&plain(&page.values), &plain(&page.counts), &keeping)
        };
        container::write(journal, (JOURNAL, NO_LAW), sync, |out| {
            let numbers: Vec<u32> = changed.iter().map(|&(n, _)| n).collect();
            out.json(&(name_of(journal), level, numbers))?;
            changed
                .iter()
                .try_for_each(|&(_, page)| out.section(&bytes(page)))
        })?;
        for &(n, page) in &changed {
            self.file.write_bytes(n, &bytes(page))?;
        }
        Ok(())
    }
}

/// Writes the pages of a journal to the file again. Returns the journal's pass and level, or `None` without a
/// journal.
pub fn replay(journal: &Path, file: &PageFile) -> Result<Option<(usize, u16)>, Failed> {
    let mut failed = None;
    let mut replay = || -> io::Result<(usize, u16)> {
        let from = BufReader::with_capacity(1 << 18, files::open(journal)?);
        let mut from = container::Reader::new(from, JOURNAL)?;
        type Head = (String, (usize, u16), Vec<u32>);
        let (name, level, pages): Head = from.json(u64::MAX)?;
        if name != name_of(journal) {
            return Err(container::damaged("it is of another slice"));
        }
        for n in pages {
            let page = from.section(file.page_bytes() as u64)?;
            if page.len() != file.page_bytes() || !whole(&page) {
                return Err(container::damaged("a page is not what was written"));
            }
            failed = failed.take().or(file.write_bytes(n, &page).err());
        }
        from.finish()?;
        Ok(level)
    };
    let replayed = replay();
    if let Some(failed) = failed {
        return Err(failed);
    }
    match replayed {
        Ok(level) => Ok(Some(level)),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(unreadable(journal, &e)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_changes_by_its_journal_however_often_that_is_replayed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (pages, journal) = (folder.path().join("pages"), folder.path().join("journal"));
        let file = PageFile::open(&pages, true).expect("a file");
        let open = vec![Packed::OPEN.0; PAGE as usize];
        for page in 0..3 {
            file.write(page, &open, &vec![2; PAGE as usize])
                .expect("room");
        }
        let before = std::fs::read(&pages).expect("a file");
        let slice = Slice::new(&file, 1, 2);
        let (won, lost) = (Packed::new(Packed::WIN, 1), Packed::new(Packed::LOSS, 1));
        slice.win(5, won);
        slice.win(5, won);
        slice.count(PAGE + 7, lost);
        let mut found = Vec::new();
        slice.each_of([won, lost], |n, value| found.push((n, value)));
        assert_eq!(found, [(5, won)]);
        slice.win(5, won);
        slice.commit(&journal, (0, 0), false).expect("room");
        let after = std::fs::read(&pages).expect("a file");
        assert_ne!(before, after);
        let page = file.read(1).expect("a page");
        assert_eq!(
            (page.values[5], page.keeping[5], page.keeping[6]),
            (won.0, 2, 0)
        );
        std::fs::write(&pages, &before).expect("room");
        for _ in 0..2 {
            let told = replay(&journal, &file).expect("whole");
            assert_eq!(told, Some((0, 0)));
            assert_eq!(std::fs::read(&pages).expect("a file"), after);
        }
        // A copy under the name of another slice is refused.
        let other = folder.path().join("other");
        std::fs::copy(&journal, &other).expect("a copy");
        assert!(replay(&other, &file).is_err());
        assert!(file.check_end(3).is_ok() && file.check_end(2).is_err());
        let slice = Slice::new(&file, 1, 2);
        slice.count(PAGE + 7, lost);
        slice.commit(&journal, (0, 1), false).expect("room");
        assert_eq!(file.read(2).expect("a page").values[7], lost.0);
        let mut bytes = std::fs::read(&journal).expect("a file");
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(&journal, bytes).expect("room");
        assert!(replay(&journal, &file).is_err());
        let mut bytes = std::fs::read(&pages).expect("a file");
        bytes[9] ^= 1;
        std::fs::write(&pages, bytes).expect("room");
        assert!(file.read(0).is_err() && file.read(1).is_ok());
        let slice = Slice::new(&file, 0, 1);
        slice.win(0, won);
        assert!(slice.check().is_err());
    }
}

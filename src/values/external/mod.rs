//! Retrograde analysis of a graph that does not fit in memory, in a folder.
//!
//! The nodes are numbered and cut into slices. The folder holds pages with the value of each node and its number
//! of remaining turns; the turns of each slice, sorted by target, in compressed blocks of which each leads into
//! one slice; and for each level the sets of nodes that it has decided.
//!
//! * The caller generates the turns of each slice. They are sorted as many at a time as fit in memory, and
//!   written sequentially.
//! * The backward pass runs level by level and, in each level, slice by slice. A level reads the blocks of
//!   turns that lead to nodes decided by the level before, and changes the pages of the nodes from which these
//!   turns come. Memory holds one slice, a few sets, and some blocks. Only pages are read at random, in levels
//!   that decide few nodes.
//!
//! The method is that of the pass in memory ([`retro`](crate::retro)), with counters of turns, and gives exactly
//! the same values. External-memory forms of retrograde analysis go back to P. Wu, P.-Y. Liu, T. Hsu ("An
//! external-memory retrograde analysis algorithm", 2004).
//!
//! Finished work is kept. Each slice has a file of turns once its turns are complete. In a level, each slice
//! changes through a journal, after its sets for the next level are written. The state file names the level. A
//! process that is killed loses only its work on the current slice. The caller keeps other processes out of the
//! folder.
//!
//! * `edges.rs`: turns on disk.
//! * `front.rs`: the nodes that a level has decided.
//! * `slice.rs`: pages and journals.

mod edges;
mod front;
mod slice;

use crate::retro::{PASSES, Unsettled};
use crate::{MAX_DISTANCE_PLIES, Packed};
use control::container::{self, Kind, NO_LAW};
use control::files::FileError;
use control::{Control, Stopped, parallel};
use edges::{Cut, Edges};
use front::{Front, Fronts};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use slice::{PageFile, Slice};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use thiserror::Error;

pub use slice::{PAGE, Page};

/// Graphs with more nodes than this are flushed to disk step by step, so that a power failure loses little. With
/// smaller graphs it may lose everything.
const SYNCED_NODES: u64 = 1 << 22;

/// Maximum number of nodes of a slice, so that an origin's number takes [`edges::ORIGIN_BITS`] bits.
const MAX_SLICE_NODES: u64 = 1 << edges::ORIGIN_BITS;

/// Maximum number of nodes, in addition to values outside the graph.
pub const MAX_NODES: u64 = (1 << edges::TARGET_BITS) - (1 << 16);

const KIND: &Kind = b"pass    ";
const STATE: &str = "state";

/// The reason why a pass in a folder ended early. Everything finished before is kept.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Failed {
    /// The pass was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A distance exceeds [`MAX_DISTANCE_PLIES`].
    #[error("a distance exceeds {MAX_DISTANCE_PLIES} plies")]
    Distance,
    /// A file cannot be read or written, or is damaged.
    #[error("disk: {0}")]
    File(#[from] FileError),
}

impl From<Unsettled> for Failed {
    fn from(why: Unsettled) -> Failed {
        match why {
            Unsettled::Stopped(stopped) => Failed::Stopped(stopped),
            Unsettled::Distance => Failed::Distance,
        }
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Failed {
    FileError::unwritable(path, error).into()
}

fn unreadable(path: &Path, error: &io::Error) -> Failed {
    FileError::unreadable(path, error).into()
}

fn damaged(path: &Path, why: &str) -> Failed {
    FileError::damaged(path, why).into()
}

/// The parts of a graph that are in memory at a time.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Nodes of a slice, a multiple of the nodes of a page.
    pub slice: u32,
    /// Turns that are sorted at a time, 8 bytes each.
    pub turns: usize,
    /// Slices whose sets are in memory. A set has two bits for each node.
    pub fronts: usize,
}

impl Sizes {
    /// Returns the sizes for slices of about `nodes` nodes.
    pub fn of_slices(nodes: u64, turns: usize, fronts: usize) -> Sizes {
        let nodes = nodes.clamp(1, MAX_SLICE_NODES) as u32;
        Sizes {
            slice: nodes.div_ceil(PAGE) * PAGE,
            turns,
            fronts,
        }
    }
}

/// The identity of a graph. A pass resumes only with an equal graph.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Question {
    /// A text that identifies the graph and the rules.
    pub graph: String,
    /// The number of nodes.
    pub nodes: u64,
    /// Whether the turns that keep a win are counted.
    pub keeping: bool,
}

/// The progress of a pass.
#[derive(Serialize, Deserialize)]
struct State {
    question: Question,
    /// Nodes of a slice.
    slice: u32,
    /// The number of passes that are finished: first that of wins and losses, then that of weak ones.
    pass: usize,
    /// The next level, or `None` if the pass has not begun.
    level: Option<u16>,
}

/// A pass in a folder.
pub struct Pass {
    folder: PathBuf,
    state: State,
    sizes: Sizes,
    pages: PageFile,
    sync: bool,
}

impl Pass {
    /// Opens a folder, or creates it. Its contents are discarded if they belong to another graph, or if the
    /// slices are now too large. Slices up to a quarter larger are accepted, because free memory differs from
    /// run to run.
    ///
    /// # Errors
    /// If the folder cannot be read or written, or is damaged.
    pub fn open(folder: &Path, question: Question, mut sizes: Sizes) -> Result<Pass, Failed> {
        std::fs::create_dir_all(folder).map_err(|e| unwritable(folder, &e))?;
        let path = folder.join(STATE);
        let found: Option<State> = container::read_json(&path, KIND)?;
        let most = sizes.slice + sizes.slice / 4;
        let fits = |state: &State| {
            state.question == question
                && state.slice <= most
                && state.slice > 0
                && state.slice.is_multiple_of(PAGE)
        };
        let state = match found.filter(fits) {
            Some(state) => state,
            None => {
                clear(folder)?;
                let state = State {
                    slice: sizes.slice,
                    question,
                    pass: 0,
                    level: None,
                };
                container::write_json(&path, (KIND, NO_LAW), false, &state)?;
                state
            }
        };
        sizes.slice = state.slice;
        Ok(Pass {
            pages: PageFile::open(&folder.join("pages"), state.question.keeping)?,
            sync: state.question.nodes > SYNCED_NODES,
            folder: folder.to_path_buf(),
            state,
            sizes,
        })
    }

    fn nodes(&self) -> u64 {
        self.state.question.nodes
    }

    fn cut(&self) -> Cut {
        Cut {
            slice: self.sizes.slice,
            outside: self.nodes(),
        }
    }

    /// Returns the number of slices.
    pub fn slices(&self) -> u32 {
        self.cut().slices()
    }

    /// Returns the nodes of a slice.
    pub fn nodes_of(&self, slice: u32) -> Range<u64> {
        let size = u64::from(self.sizes.slice);
        let first = u64::from(slice) * size;
        first..(first + size).min(self.nodes())
    }

    fn len_of(&self, slice: u32) -> u32 {
        let nodes = self.nodes_of(slice);
        (nodes.end - nodes.start) as u32
    }

    /// Returns the pages of a slice.
    pub fn pages_of(&self, slice: u32) -> Range<u32> {
        let nodes = self.nodes_of(slice);
        let page = u64::from(PAGE);
        (nodes.start / page) as u32..nodes.end.div_ceil(page) as u32
    }

    fn turns(&self, slice: u32) -> PathBuf {
        self.folder.join(format!("turns-{slice}"))
    }

    fn journal(&self, slice: u32) -> PathBuf {
        self.folder.join(format!("journal-{slice}"))
    }

    fn edges(&self, slice: u32) -> Result<Edges, Failed> {
        Edges::open(&self.turns(slice), self.cut(), self.len_of(slice))
    }

    fn save(&self) -> Result<(), Failed> {
        let path = self.folder.join(STATE);
        Ok(container::write_json(
            &path,
            (KIND, NO_LAW),
            self.sync,
            &self.state,
        )?)
    }

    /// Returns whether the turns of a slice are complete.
    pub fn has_turns(&self, slice: u32) -> bool {
        self.state.pass > 0 || self.state.level.is_some() || self.turns(slice).exists()
    }

    /// Begins to write the turns of a slice.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn turns_of(&self, slice: u32) -> Result<SliceTurns<'_>, Failed> {
        let path = self.turns(slice);
        Ok(SliceTurns {
            edges: edges::Writer::create(&path, self.cut(), self.sizes.turns, self.sync)?,
            pass: self,
        })
    }

    /// Returns the note that was written with the turns of a slice.
    ///
    /// # Errors
    /// If the turns cannot be read or are damaged.
    pub fn note<N: DeserializeOwned>(&self, slice: u32) -> Result<N, Failed> {
        edges::note(&self.turns(slice))
    }

    /// Finds the values of all nodes, resuming at the saved level. Calls `report` with each distance in plies.
    /// The turns of all slices must be complete.
    ///
    /// # Errors
    /// If `control` stops the pass, a distance exceeds the maximum, or a file cannot be read or written.
    pub fn settle(&mut self, control: &Control<'_>, report: &dyn Fn(u16)) -> Result<(), Failed> {
        let slices = self.slices();
        let mut last_exit = [None; 8];
        for slice in 0..slices {
            let edges = self.edges(slice)?;
            for (all, own) in last_exit.iter_mut().zip(edges.last_exit) {
                *all = (*all).max(own);
            }
        }
        self.pages.check_end(self.nodes().div_ceil(PAGE.into()))?;
        let mut done: Vec<Option<(usize, u16)>> = (0..slices)
            .map(|slice| slice::replay(&self.journal(slice), &self.pages))
            .collect::<Result<_, _>>()?;
        while let Some(&(lost, won)) = PASSES.get(self.state.pass) {
            let pass = self.state.pass;
            let exits = last_exit[usize::from(lost)].max(last_exit[usize::from(won)]);
            if self.state.level.is_none() {
                for slice in 0..slices {
                    self.begin(slice, [lost, won], control)?;
                }
                self.state.level = Some(0);
                self.save()?;
            }
            while let Some(level) = self.state.level {
                let far = exits.is_some_and(|last| level <= last);
                if !far && !front::any(&self.folder, (pass, level), slices) {
                    break;
                }
                if level >= MAX_DISTANCE_PLIES {
                    return Err(Failed::Distance);
                }
                report(level);
                let mut fronts = Fronts::new(&self.folder, (pass, level), self.sizes.fronts);
                for slice in 0..slices {
                    if done[slice as usize] != Some((pass, level)) {
                        self.step(slice, level, &mut fronts, control)?;
                    }
                }
                done.fill(None);
                drop(fronts);
                self.state.level = Some(level + 1);
                if self.sync {
                    self.pages.sync()?;
                }
                self.save()?;
                front::remove(&self.folder, (pass, level), slices);
            }
            self.state.pass += 1;
            self.state.level = None;
            self.save()?;
        }
        Ok(())
    }

    /// Writes the sets of a slice for the first level of a pass: the finished games.
    fn begin(&self, slice: u32, classes: [u16; 2], control: &Control<'_>) -> Result<(), Failed> {
        let len = self.len_of(slice);
        let mut front = Front::new(len);
        let mut any = false;
        for (page, first) in self.pages_of(slice).zip((0..).step_by(PAGE as usize)) {
            control.check()?;
            for (&value, n) in self.pages.read(page)?.values.iter().zip(first..len) {
                let class = Packed(value).class();
                if classes.contains(&class) {
                    front.add(n, class == classes[0]);
                    any = true;
                }
            }
        }
        match any {
            true => front::write(&self.folder, (self.state.pass, 0), slice, &front, self.sync),
            false => Ok(()),
        }
    }

    /// Applies a level to the nodes of a slice, and writes the slice's sets for the next level.
    fn step(
        &self,
        slice: u32,
        level: u16,
        fronts: &mut Fronts,
        control: &Control<'_>,
    ) -> Result<(), Failed> {
        let (lost, won) = PASSES[self.state.pass];
        let (win, loss) = (Packed::new(won, level + 1), Packed::new(lost, level + 1));
        let slices = self.slices();
        let edges = self.edges(slice)?;
        let pages = self.pages_of(slice);
        let own = Slice::new(&self.pages, pages.start, pages.end - pages.start);
        for group in edges.blocks.chunk_by(|a, b| a.slice == b.slice) {
            let to = group[0].slice;
            let front = if to == slices {
                let mut exits = Front::new(1 << 16);
                exits.add(u32::from(Packed::new(lost, level).0), true);
                exits.add(u32::from(Packed::new(won, level).0), false);
                Some(exits.into())
            } else {
                fronts.of(to, self.len_of(to))?
            };
            let Some(front) = front else {
                continue;
            };
            let wanted = group.iter().filter(|b| front.any(b.first, b.last));
            let wanted: Vec<_> = wanted.collect();
            parallel::try_map(wanted.len(), |n| {
                control.check()?;
                edges.read(wanted[n], |target, origin| match front.has(target) {
                    (true, _) => own.win(origin, win),
                    (false, true) => own.count(origin, loss),
                    (false, false) => {}
                })
            })?;
        }
        own.check()?;
        let mut next = Front::new(self.len_of(slice));
        let mut any = false;
        own.each_of([win, loss], |n, value| {
            next.add(n, value == loss);
            any = true;
        });
        if any {
            let level = (self.state.pass, level + 1);
            front::write(&self.folder, level, slice, &next, self.sync)?;
        }
        drop(next);
        own.commit(&self.journal(slice), (self.state.pass, level), self.sync)
    }

    /// Returns a page: the values and counts of [`PAGE`] nodes, of which the last page may have fewer.
    ///
    /// # Errors
    /// If the page cannot be read or is damaged.
    pub fn page(&self, page: u32) -> Result<Page, Failed> {
        self.pages.read(page)
    }

    /// Returns the packed values of consecutive nodes, all of which are settled.
    ///
    /// # Errors
    /// As for [`Pass::page`].
    pub fn values(&self, nodes: Range<u64>) -> Result<Vec<u16>, Failed> {
        let page = u64::from(PAGE);
        let mut values = Vec::with_capacity((nodes.end - nodes.start) as usize);
        for n in nodes.start / page..nodes.end.div_ceil(page) {
            let own = self.pages.read(n as u32)?.values;
            let from = nodes.start.saturating_sub(n * page).min(page) as usize;
            let to = (nodes.end - n * page).min(page) as usize;
            values.extend(own[from..to].iter().map(|&value| match Packed(value) {
                // No level has decided this node.
                Packed::OPEN => Packed::DRAWN.0,
                Packed(value) => value,
            }));
        }
        Ok(values)
    }

    /// Removes the files of the pass, as [`remove`] does.
    pub fn remove(self) {
        let folder = self.folder.clone();
        drop(self);
        remove(&folder);
    }
}

/// The turns of a slice that are being written.
pub struct SliceTurns<'p> {
    edges: edges::Writer,
    pass: &'p Pass,
}

impl SliceTurns<'_> {
    /// Adds a turn from a node, given by its number in the slice, to a node, or to a value outside the graph: the
    /// number of nodes plus the packed value.
    ///
    /// # Errors
    /// If the folder cannot be written.
    #[inline]
    pub fn add(&mut self, target: u64, origin: u32) -> Result<(), Failed> {
        self.edges.add(target, origin)
    }

    /// Writes a page of values and numbers of turns of the slice. Missing ones at its end are filled with zeros.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn write_page(&self, page: u32, values: &[u16], counts: &[u16]) -> Result<(), Failed> {
        self.pass.pages.write(page, values, counts)
    }

    /// Completes the slice. Its pages must have been written. Any `note` is stored with the turns.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn finish(self, note: &impl Serialize) -> Result<(), Failed> {
        if self.pass.sync {
            self.pass.pages.sync()?;
        }
        self.edges.finish(note)
    }
}

/// Removes the files of a pass, and then the folder if it is empty. Errors are ignored, because no process needs the
/// files that remain.
pub fn remove(folder: &Path) {
    let _ = clear(folder);
    let _ = std::fs::remove_dir(folder);
}

/// Removes the files that a pass writes.
fn clear(folder: &Path) -> Result<(), Failed> {
    let failed = |e| unwritable(folder, &e);
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let begins = [STATE, "pages", "turns-", "journal-", front::NAME];
        if name.is_some_and(|name| begins.iter().any(|begin| name.starts_with(begin))) {
            std::fs::remove_file(&path).map_err(|e| unwritable(&path, &e))?;
        }
    }
    Ok(())
}

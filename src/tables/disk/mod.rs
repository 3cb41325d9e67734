//! Solves a group of classes that does not fit in memory, in a folder.
//!
//! The positions are numbered and cut into slices. The folder holds pages with the value of each position and
//! its number of remaining turns; the turns of each slice, sorted by target, in compressed blocks of which
//! each leads into one slice; and for each level the sets of positions that it has decided.
//!
//! * The forward pass runs slice by slice, sorts as many turns at a time as fit in memory, and writes the
//!   sorted turns sequentially.
//! * The backward pass runs level by level and, in each level, slice by slice. A level reads the blocks of
//!   turns that lead to positions decided by the level before, and changes the pages of the positions from
//!   which these turns come. Memory holds one slice, a few sets, and some blocks. Only pages are read at
//!   random, in levels that decide few positions.
//!
//! The method is that of the pass in memory, with counters of turns, and gives exactly the same values.
//! External-memory forms of retrograde analysis go back to P. Wu, P.-Y. Liu, T. Hsu ("An external-memory
//! retrograde analysis algorithm", 2004).
//!
//! Finished work is kept. Each slice of the forward pass has a file of its own once the slice is complete. In
//! a level, each slice changes through a journal, after its sets for the next level are written. The state
//! file names the level. A process that is killed loses only its work on the current slice.
//!
//! * `edges.rs`: turns on disk.
//! * `front.rs`: the positions that a level has decided.
//! * `slice.rs`: pages and journals.

mod edges;
mod front;
mod slice;

use super::Failed;
use super::build_lock::BuildLock;
use super::class::Class;
use super::files;
use super::forward::{Finder, look_at};
use super::group::offsets;
use super::key::ClassKey;
use super::planes;
use super::tables::Tables;
use crate::build::report_level;
use control::Control;
use control::container::{self, Kind, NO_LAW};
use control::parallel;
use diagnostics::Diagnostic;
use edges::{Cut, Edges, Writer};
use front::{Front, Fronts};
use position::Layout;
use serde::{Deserialize, Serialize};
use slice::{PAGE, PageFile, Slice};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use values::{MAX_DISTANCE_PLIES, PASSES, Packed};

/// Minimum memory for solving on disk, in addition to what the process takes anyway.
pub const MIN_BYTES: u64 = 4 << 20;

/// Groups with more indices than this are flushed to disk step by step, so that a power failure loses little.
/// With smaller groups it may lose everything.
const SYNCED_INDICES: u64 = 1 << 22;

/// Maximum number of positions of a slice. A number in a slice must fit in 31 bits.
const MAX: u64 = 1 << 28;

const KIND: &Kind = b"group   ";

/// The parts of a group that are in memory at a time.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Positions of a slice, a multiple of the positions of a page.
    pub slice: u32,
    /// Turns that are sorted at a time.
    pub turns: usize,
    /// Slices whose sets are in memory.
    pub fronts: usize,
}

impl Sizes {
    /// Returns the sizes for `bytes` bytes of memory.
    pub fn new(bytes: u64) -> Sizes {
        let bytes = bytes.max(MIN_BYTES);
        let page = u64::from(PAGE);
        Sizes {
            slice: (bytes / 9 / page).clamp(1, MAX / page) as u32 * PAGE,
            turns: (bytes / 2 / 8) as usize,
            // A set has two bits for each position.
            fronts: 9,
        }
    }

    /// Returns the sizes for slices of about `positions` positions.
    pub fn of_slices(positions: u32) -> Sizes {
        let slice = positions.clamp(1, MAX as u32).div_ceil(PAGE) * PAGE;
        Sizes {
            slice,
            turns: 4 * slice as usize,
            fronts: 2,
        }
    }
}

/// Returns the maximum number of bytes on disk for a group with these numbers of indices and turns, the
/// finished table included.
pub fn disk_bytes(indices: u64, turns: u64) -> u64 {
    // Values and counts; the same again in journals; sets; the table, twice while it is put together. Blocks
    // of turns are added below.
    let position = 4 + 4 + 1 + 2;
    indices
        .saturating_mul(position)
        .saturating_add(turns.saturating_mul(3))
}

/// The identity of the group that a folder belongs to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Question {
    /// The version of the rules, the variant and the board.
    pub origin: String,
    classes: Vec<ClassKey>,
    indices: u64,
}

/// The progress of a group.
#[derive(Serialize, Deserialize)]
struct GroupState {
    question: Question,
    /// Positions of a slice.
    slice: u32,
    /// The number of passes that are finished: first that of wins and losses, then that of weak ones.
    pass: usize,
    /// The next level, or `None` if the pass has not begun.
    level: Option<u16>,
}

/// The result of solving a group on disk.
pub enum Outcome {
    /// The group's values are in a folder.
    Solved(Solved),
    /// The group leads to these classes too, which must be solved first.
    Meets(BTreeSet<ClassKey>),
}

/// A group whose values are in a folder.
pub struct Solved {
    work: Work,
    /// Canonical classes that each class leads to.
    pub met: Vec<BTreeSet<ClassKey>>,
}

/// A folder in which a group is solved.
struct Work {
    folder: PathBuf,
    state: GroupState,
    sizes: Sizes,
    pages: PageFile,
    sync: bool,
    // Keeps other processes out of the folder until it is dropped.
    _claim: BuildLock,
}

const STATE: &str = "state";

impl Work {
    /// Opens a folder, or creates it. Its contents are discarded if they belong to another group, or if the
    /// slices are now too large. Slices up to a quarter larger are accepted, because free memory differs from
    /// run to run.
    fn open(folder: &Path, question: Question, mut sizes: Sizes) -> Result<Work, Failed> {
        std::fs::create_dir_all(folder).map_err(|e| files::unwritable(folder, &e))?;
        let Some(claim) = BuildLock::take(&folder.join("work")) else {
            let why = format!("another process works in `{}`", folder.display());
            return Err(Diagnostic::new("disk", why).into());
        };
        let path = folder.join(STATE);
        let found: Option<GroupState> =
            container::read_json(&path, KIND).map_err(files::with_help)?;
        let most = sizes.slice + sizes.slice / 4;
        let state = match found.filter(|s| s.question == question && s.slice <= most) {
            Some(state) => state,
            None => {
                clear(folder)?;
                let state = GroupState {
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
        Ok(Work {
            pages: PageFile::open(&folder.join("pages"))?,
            sync: state.question.indices > SYNCED_INDICES,
            folder: folder.to_path_buf(),
            state,
            sizes,
            _claim: claim,
        })
    }

    fn indices(&self) -> u64 {
        self.state.question.indices
    }

    fn cut(&self) -> Cut {
        Cut {
            slice: self.sizes.slice,
            outside: self.indices() as u32,
        }
    }

    /// Returns the positions of a slice.
    fn range(&self, slice: u32) -> Range<u64> {
        let size = u64::from(self.sizes.slice);
        let first = u64::from(slice) * size;
        first..(first + size).min(self.indices())
    }

    /// Returns the pages of a slice.
    fn pages_of(&self, slice: u32) -> Range<u32> {
        let range = self.range(slice);
        let page = u64::from(PAGE);
        (range.start / page) as u32..range.end.div_ceil(page) as u32
    }

    fn edges(&self, slice: u32) -> PathBuf {
        self.folder.join(format!("turns-{slice}"))
    }

    fn journal(&self, slice: u32) -> PathBuf {
        self.folder.join(format!("journal-{slice}"))
    }

    fn save(&self) -> Result<(), Failed> {
        let path = self.folder.join(STATE);
        let written = container::write_json(&path, (KIND, NO_LAW), self.sync, &self.state);
        Ok(written?)
    }

    /// Runs the forward pass over the slices that are not finished. Stops and returns classes if turns lead
    /// to ones that are not known; returns an empty set once all slices are finished.
    fn look<W: Layout>(
        &self,
        tables: &Tables<W>,
        classes: &[Class],
        control: &Control<'_>,
    ) -> Result<BTreeSet<ClassKey>, Failed> {
        let offsets = offsets(classes);
        for slice in 0..self.cut().slices() {
            let path = self.edges(slice);
            if path.exists() {
                continue;
            }
            let range = self.range(slice);
            let mut turns = Writer::create(&path, self.cut(), self.sizes.turns, self.sync)?;
            let mut met = vec![BTreeSet::new(); classes.len()];
            let pages: Vec<u32> = self.pages_of(slice).collect();
            for some in pages.chunks(4 * rayon::current_num_threads()) {
                let looked = parallel::try_map(some.len(), |n| {
                    self.look_page(tables, classes, &offsets, some[n], control)
                })?;
                tables.trouble()?;
                for (parts, &page) in looked.iter().zip(some) {
                    let mut source = (u64::from(page) * u64::from(PAGE) - range.start) as u32;
                    let [mut values, mut counts] = [Vec::new(), Vec::new()];
                    for (class, part) in parts {
                        if !part.unknown.is_empty() {
                            return Ok(part.unknown.clone());
                        }
                        met[*class].extend(part.met.iter().copied());
                        values.extend_from_slice(&part.values);
                        counts.extend_from_slice(&part.counts);
                        let mut at = 0;
                        for &degree in &part.degrees {
                            let end = at + usize::from(degree);
                            for &target in &part.targets[at..end] {
                                turns.add(target, source)?;
                            }
                            (at, source) = (end, source + 1);
                        }
                    }
                    self.pages.write(page, &values, &counts)?;
                }
                let done = u64::from(some[some.len() - 1] + 1) * u64::from(PAGE);
                let done = done.min(self.indices());
                control.report_done("examining positions", done, self.indices(), "indices");
            }
            if self.sync {
                self.pages.sync()?;
            }
            turns.finish(met.into_iter().map(Vec::from_iter).collect())?;
        }
        Ok(BTreeSet::new())
    }

    /// Examines the positions of a page, class by class.
    fn look_page<W: Layout>(
        &self,
        tables: &Tables<W>,
        classes: &[Class],
        offsets: &[u32],
        page: u32,
        control: &Control<'_>,
    ) -> Result<Vec<(usize, super::forward::Chunk)>, Failed> {
        let first = u64::from(page) * u64::from(PAGE);
        let last = (first + u64::from(PAGE)).min(self.indices());
        let mut parts = Vec::new();
        for (n, class) in classes.iter().enumerate() {
            let offset = u64::from(offsets[n]);
            let own = first.max(offset)..last.min(offset + class.len());
            if own.is_empty() {
                continue;
            }
            let mut finder = Finder {
                tables,
                classes,
                offsets,
                known: Vec::new(),
            };
            let local = own.start - offset..own.end - offset;
            let outside = self.cut().outside;
            let mut part = look_at(tables.game(), class, local, outside, &mut finder, control)?;
            part.met = finder.met();
            parts.push((n, part));
        }
        Ok(parts)
    }

    /// Runs the backward pass, resuming at the saved level.
    fn levels(&mut self, control: &Control<'_>) -> Result<(), Failed> {
        let slices = self.cut().slices();
        let mut last_exit = [None; 8];
        for slice in 0..slices {
            let edges = Edges::open(&self.edges(slice))?;
            for (all, own) in last_exit.iter_mut().zip(edges.last_exit) {
                *all = (*all).max(own);
            }
        }
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
                if level == MAX_DISTANCE_PLIES {
                    return Err(Failed::Distance);
                }
                report_level(control, level, self.indices());
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
        let range = self.range(slice);
        let mut front = Front::new((range.end - range.start) as u32);
        let mut any = false;
        for (page, first) in self.pages_of(slice).zip((0..).step_by(PAGE as usize)) {
            control.check()?;
            let [values, _] = self.pages.read(page)?;
            for (&value, n) in values.iter().zip(first..) {
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

    /// Applies a level to the positions of a slice, and writes the slice's sets for the next level.
    fn step(
        &self,
        slice: u32,
        level: u16,
        fronts: &mut Fronts,
        control: &Control<'_>,
    ) -> Result<(), Failed> {
        let (lost, won) = PASSES[self.state.pass];
        let (win, loss) = (Packed::new(won, level + 1), Packed::new(lost, level + 1));
        let slices = self.cut().slices();
        let edges = Edges::open(&self.edges(slice))?;
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
                let range = self.range(to);
                fronts.of(to, (range.end - range.start) as u32)?
            };
            let Some(front) = front else {
                continue;
            };
            let wanted = group.iter().filter(|b| front.any(b.first, b.last));
            let wanted: Vec<_> = wanted.collect();
            parallel::try_map(wanted.len(), |n| {
                control.check()?;
                edges.read(wanted[n], |target, source| match front.has(target) {
                    (true, _) => own.win(source, win),
                    (false, true) => own.count(source, loss),
                    (false, false) => {}
                })
            })?;
        }
        own.check()?;
        let range = self.range(slice);
        let mut next = Front::new((range.end - range.start) as u32);
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
}

/// Removes all files of a folder except build locks.
fn clear(folder: &Path) -> Result<(), Failed> {
    let failed = |e| files::unwritable(folder, &e);
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path
            .extension()
            .is_none_or(|e| e != super::build_lock::ENDING)
        {
            std::fs::remove_file(&path).map_err(|e| files::unwritable(&path, &e))?;
        }
    }
    Ok(())
}

/// Solves a group in a folder, resuming from what the folder holds.
pub fn solve<W: Layout>(
    tables: &Tables<W>,
    classes: &[Class],
    folder: &Path,
    sizes: Sizes,
    control: &Control<'_>,
) -> Result<Outcome, Failed> {
    let game = tables.game();
    let keys: Vec<ClassKey> = classes.iter().map(|class| class.key).collect();
    // If planes could solve the group, the list of classes that it leads to comes from there, so that the
    // table does not depend on the method.
    let by_planes = match planes::met(tables, classes)? {
        Some(Err(unknown)) => return Ok(Outcome::Meets(unknown)),
        Some(Ok(met)) => Some(met),
        None => None,
    };
    let question = Question {
        origin: super::store::origin(game),
        indices: classes.iter().map(Class::len).sum(),
        classes: keys,
    };
    let mut work = Work::open(folder, question, sizes)?;
    if work.state.pass == 0 && work.state.level.is_none() {
        let unknown = work.look(tables, classes, control)?;
        if !unknown.is_empty() {
            work.remove();
            return Ok(Outcome::Meets(unknown));
        }
    }
    work.levels(control)?;
    let met = match by_planes {
        Some(met) => met,
        None => {
            let mut met = vec![BTreeSet::new(); classes.len()];
            for slice in 0..work.cut().slices() {
                let edges = Edges::open(&work.edges(slice))?;
                for (all, own) in met.iter_mut().zip(edges.met) {
                    all.extend(own);
                }
            }
            met
        }
    };
    Ok(Outcome::Solved(Solved { work, met }))
}

impl Work {
    /// Removes the folder, and up to two levels of parent folders if they are empty.
    fn remove(self) {
        let folder = self.folder.clone();
        // The build lock must be dropped before the folder can be removed. Errors are ignored, because no
        // process needs the files that remain.
        let _ = clear(&folder);
        drop(self);
        for folder in folder.ancestors().take(3) {
            if std::fs::remove_dir(folder).is_err() {
                break;
            }
        }
    }
}

impl Solved {
    /// Returns the packed values of consecutive positions of the group.
    pub fn values(&self, range: Range<u64>) -> Result<Vec<u16>, Failed> {
        let page = u64::from(PAGE);
        let mut values = Vec::with_capacity((range.end - range.start) as usize);
        for n in range.start / page..range.end.div_ceil(page) {
            let [own, _] = self.work.pages.read(n as u32)?;
            let from = range.start.saturating_sub(n * page).min(page) as usize;
            let to = (range.end - n * page).min(page) as usize;
            values.extend(own[from..to].iter().map(|&value| match Packed(value) {
                // No level has decided this position.
                Packed::OPEN => Packed::DRAWN.0,
                Packed(value) => value,
            }));
        }
        Ok(values)
    }

    /// Removes the folder.
    pub fn remove(self) {
        self.work.remove();
    }
}

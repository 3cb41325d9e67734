//! Solves a group of classes that does not fit in memory, in a folder: a forward pass over the positions of the
//! group, page by page, and then the [backward pass in a folder](values::external).
//!
//! Finished slices of positions are kept, so a process that is killed loses only its work on the current slice.

use super::Failed;
use super::build_lock::BuildLock;
use super::class::Class;
use super::files;
use super::forward::{Chunk, Finder, look_at};
use super::group::offsets;
use super::key::ClassKey;
use super::planes;
use super::tables::Tables;
use crate::build::report_level;
use control::Control;
use control::parallel;
use diagnostics::Diagnostic;
use position::Layout;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
pub use values::external::Sizes;
use values::external::{self, PAGE, Pass, Question};

/// Minimum memory for solving on disk, in addition to what the process takes anyway.
pub const MIN_BYTES: u64 = 4 << 20;

/// Slices whose sets are in memory at a time.
const FRONTS: usize = 9;

/// Returns the sizes for `bytes` bytes of memory.
pub fn sizes(bytes: u64) -> Sizes {
    let bytes = bytes.max(MIN_BYTES);
    Sizes::of_slices(bytes / 9, (bytes / 2 / 8) as usize, FRONTS)
}

/// Returns the sizes for slices of about `positions` positions.
pub fn sizes_of_slices(positions: u32) -> Sizes {
    Sizes::of_slices(positions.into(), 4 * positions as usize, 2)
}

/// Returns the maximum number of bytes on disk for a group with these numbers of indices and turns, the
/// finished table included.
pub fn disk_bytes(indices: u64, turns: u64) -> u64 {
    // Values and counts; the same again in journals; sets; the table. Blocks of turns are added below.
    let position = 4 + 4 + 1 + 2;
    indices
        .saturating_mul(position)
        .saturating_add(turns.saturating_mul(3))
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
    pass: Pass,
    // Keeps other processes out of the folder until it is dropped.
    claim: BuildLock,
}

/// Solves a group in a folder, resuming from what the folder holds.
pub fn solve<W: Layout>(
    tables: &Tables<W>,
    classes: &[Class],
    folder: &Path,
    sizes: Sizes,
    control: &Control<'_>,
) -> Result<Outcome, Failed> {
    // If planes could solve the group, the list of classes that it leads to comes from there, so that the
    // table does not depend on the method.
    let by_planes = match planes::met(tables, classes)? {
        Some(Err(unknown)) => return Ok(Outcome::Meets(unknown)),
        Some(Ok(met)) => Some(met),
        None => None,
    };
    let keys: Vec<ClassKey> = classes.iter().map(|class| class.key).collect();
    let question = Question {
        graph: format!("{} {keys:?}", super::store::origin(tables.game())),
        nodes: classes.iter().map(Class::len).sum(),
        keeping: false,
    };
    let indices = question.nodes;
    let mut work = Work::open(folder, question, sizes)?;
    let unknown = look(&work.pass, tables, classes, control)?;
    if !unknown.is_empty() {
        work.remove();
        return Ok(Outcome::Meets(unknown));
    }
    let report = |plies| report_level(control, plies, indices);
    work.pass.settle(control, &report)?;
    let met = match by_planes {
        Some(met) => met,
        None => {
            let mut met = vec![BTreeSet::new(); classes.len()];
            for slice in 0..work.pass.slices() {
                let own: Vec<Vec<ClassKey>> = work.pass.note(slice)?;
                for (all, own) in met.iter_mut().zip(own) {
                    all.extend(own);
                }
            }
            met
        }
    };
    Ok(Outcome::Solved(Solved { work, met }))
}

/// Runs the forward pass over the slices that are not finished. Stops and returns classes if turns lead to ones
/// that are not known; returns an empty set once all slices are finished.
fn look<W: Layout>(
    pass: &Pass,
    tables: &Tables<W>,
    classes: &[Class],
    control: &Control<'_>,
) -> Result<BTreeSet<ClassKey>, Failed> {
    let offsets = offsets(classes);
    let indices: u64 = classes.iter().map(Class::len).sum();
    for slice in (0..pass.slices()).filter(|&slice| !pass.has_turns(slice)) {
        let first = pass.nodes_of(slice).start;
        let mut turns = pass.turns_of(slice)?;
        let mut met = vec![BTreeSet::new(); classes.len()];
        let pages: Vec<u32> = pass.pages_of(slice).collect();
        for some in pages.chunks(4 * rayon::current_num_threads()) {
            let looked = parallel::try_map(some.len(), |n| {
                let first = u64::from(some[n]) * u64::from(PAGE);
                let page = first..(first + u64::from(PAGE)).min(indices);
                look_page(tables, classes, &offsets, page, control)
            })?;
            tables.trouble()?;
            for (parts, &page) in looked.iter().zip(some) {
                let mut origin = (u64::from(page) * u64::from(PAGE) - first) as u32;
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
                            turns.add(target.into(), origin)?;
                        }
                        (at, origin) = (end, origin + 1);
                    }
                }
                turns.write_page(page, &values, &counts)?;
            }
            let done = u64::from(some[some.len() - 1] + 1) * u64::from(PAGE);
            control.report_done("examining positions", done.min(indices), indices, "indices");
        }
        turns.finish(&met)?;
    }
    Ok(BTreeSet::new())
}

/// Examines the positions of a page, class by class.
fn look_page<W: Layout>(
    tables: &Tables<W>,
    classes: &[Class],
    offsets: &[u32],
    page: Range<u64>,
    control: &Control<'_>,
) -> Result<Vec<(usize, Chunk)>, Failed> {
    let indices: u64 = classes.iter().map(Class::len).sum();
    let mut parts = Vec::new();
    for (n, class) in classes.iter().enumerate() {
        let offset = u64::from(offsets[n]);
        let own = page.start.max(offset)..page.end.min(offset + class.len());
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
        let outside = indices as u32;
        let mut part = look_at(tables.game(), class, local, outside, &mut finder, control)?;
        part.met = finder.met();
        parts.push((n, part));
    }
    Ok(parts)
}

impl Work {
    /// Opens a folder, or creates it.
    fn open(folder: &Path, question: Question, sizes: Sizes) -> Result<Work, Failed> {
        std::fs::create_dir_all(folder).map_err(|e| files::unwritable(folder, &e))?;
        let Some(claim) = BuildLock::take(&folder.join("work")) else {
            let why = format!("another process works in `{}`", folder.display());
            return Err(Diagnostic::new("disk", why).into());
        };
        Ok(Work {
            pass: Pass::open(folder, question, sizes)?,
            folder: folder.to_path_buf(),
            claim,
        })
    }

    /// Removes the folder, and up to two levels of parent folders if they are empty.
    fn remove(self) {
        self.pass.remove();
        // The build lock must be dropped before the folder can be removed. Errors are ignored, because no
        // process needs the files that remain.
        drop(self.claim);
        for folder in self.folder.ancestors().take(3) {
            if std::fs::remove_dir(folder).is_err() {
                break;
            }
        }
    }
}

impl Solved {
    /// Returns the packed values of consecutive positions of the group.
    pub fn values(&self, range: Range<u64>) -> Result<Vec<u16>, Failed> {
        Ok(self.work.pass.values(range)?)
    }

    /// Removes the folder.
    pub fn remove(self) {
        self.work.remove();
    }
}

impl From<external::Failed> for Failed {
    fn from(failed: external::Failed) -> Failed {
        match failed {
            external::Failed::Stopped(stopped) => Failed::Stopped(stopped),
            external::Failed::Distance => Failed::Distance,
            external::Failed::File(error) => files::with_help(error),
        }
    }
}

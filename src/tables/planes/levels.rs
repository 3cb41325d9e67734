//! The pass over all planes, level by level. A level is a distance to the end in plies.

use super::engine::{Engine, Writer};
use super::exits::Edge;
use crate::Failed;
use crate::build::report_level;
use board::{Color, Squares};
use control::Control;
use control::parallel;
use position::Layout;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};
use values::{MAX_DISTANCE_PLIES, Packed};

/// Planes that a thread examines at a time.
const CHUNK: usize = 1 << 9;

/// Planes whose predecessors a thread marks at a time.
const MARKED: usize = 1 << 8;

/// Planes whose captures and promotions are held in memory at a time.
const BATCH: usize = 1 << 17;

/// The sets of positions with one side to move, plane by plane.
struct Side<S> {
    /// Legal positions that are not won.
    safe: Vec<S>,
    /// Legal positions that are not decided.
    open: Vec<S>,
    /// Positions that cannot be lost, because of captures, promotions or stalemate.
    escapes: Vec<S>,
    /// Positions that cannot be lost yet, because of captures that are answered only by long wins.
    held: Vec<S>,
    /// Positions that the level before decided as lost; `won` has those it decided as won.
    lost: Vec<(u32, S)>,
    won: Vec<(u32, S)>,
    /// The positions of `lost`, plane by plane.
    lost_planes: Vec<S>,
    /// Wins by captures and promotions, by level. `release_at` has the positions that leave `held`, by level.
    wins_at: BTreeMap<u16, Vec<(u32, S)>>,
    release_at: BTreeMap<u16, Vec<(u32, S)>>,
}

impl<S: Squares> Side<S> {
    /// Adds the findings about a plane.
    fn take(&mut self, edge: Edge<S>) {
        let at = edge.plane as usize;
        self.escapes[at] = edge.escapes;
        if !edge.lost.is_empty() {
            self.lost.push((edge.plane, edge.lost));
        }
        if !edge.won.is_empty() {
            self.won.push((edge.plane, edge.won));
        }
        for (d, bits) in edge.wins {
            self.wins_at.entry(d).or_default().push((edge.plane, bits));
        }
        for (d, bits) in edge.floors {
            self.held[at] |= bits;
            let release = self.release_at.entry(d).or_default();
            release.push((edge.plane, bits));
        }
    }
}

impl<W: Layout> Engine<'_, W> {
    /// Calls `look` with each plane of a range, on all threads. Returns the results in the order of planes.
    fn each_plane<T: Send>(
        &self,
        control: &Control<'_>,
        planes: Range<usize>,
        look: impl Fn(usize, &mut Vec<T>) + Sync,
    ) -> Result<Vec<T>, Failed> {
        let parts: Vec<Vec<T>> = parallel::map(planes.len().div_ceil(CHUNK), |chunk| {
            let mut found = Vec::new();
            if control.check().is_ok() {
                let start = planes.start + chunk * CHUNK;
                for plane in start..(start + CHUNK).min(planes.end) {
                    if control.check().is_err() {
                        break;
                    }
                    look(plane, &mut found);
                }
            }
            found
        });
        control.check()?;
        Ok(parts.into_iter().flatten().collect())
    }

    /// Returns the sets of both sides before the first level.
    fn begin(&self, control: &Control<'_>) -> Result<[Side<W::Set>; 2], Failed> {
        let begin = |side| -> Result<Side<W::Set>, Failed> {
            let legal = self.each_plane(control, 0..self.planes(), |plane, out| {
                let here = self.here(plane);
                out.push(here.map_or(W::Set::EMPTY, |here| self.legal(&here, side)));
            })?;
            let empty = vec![W::Set::EMPTY; legal.len()];
            Ok(Side {
                open: legal.clone(),
                safe: legal,
                escapes: empty.clone(),
                held: empty.clone(),
                lost: Vec::new(),
                won: Vec::new(),
                lost_planes: empty,
                wins_at: BTreeMap::new(),
                release_at: BTreeMap::new(),
            })
        };
        Ok([begin(Color::White)?, begin(Color::Black)?])
    }

    /// Examines every position once: finds finished games and values outside of the group, and writes the
    /// finished games.
    fn examine(
        &self,
        write: &Writer,
        sides: &mut [Side<W::Set>; 2],
        control: &Control<'_>,
    ) -> Result<(), Failed> {
        let mut over = Vec::new();
        // This pass is about half of the work, so its progress ends at one half. The number of levels is not
        // known in advance.
        let (indices, planes) = (write.values.len() as u64, self.planes());
        for side in Color::BOTH {
            for start in (0..planes).step_by(BATCH) {
                let batch = start..(start + BATCH).min(planes);
                let done = (batch.end + side.index() * planes) as f64 / (4 * planes) as f64;
                let (own, theirs) = (&sides[side.index()], &sides[(!side).index()]);
                let edges = self.each_plane(control, batch, |plane, out| {
                    out.extend(self.edge(write, plane, side, own.open[plane], &theirs.safe));
                })?;
                for edge in edges {
                    if !edge.over.is_empty() {
                        over.push((side, edge.plane as usize, edge.over));
                    }
                    sides[side.index()].take(edge);
                }
                let done = (indices as f64 * done) as u64;
                control.report_done("examining positions", done, indices, "indices");
            }
        }
        // The loop above needs finished games in `safe`, so they leave the sets only now.
        for side in sides.iter_mut() {
            settle(side);
        }
        for (side, at, over) in over {
            sides[side.index()].open[at] &= !over;
        }
        for side in Color::BOTH {
            let own = &sides[side.index()];
            for (list, class) in [(&own.lost, Packed::LOSS), (&own.won, Packed::WIN)] {
                for &(plane, set) in list {
                    if let Some(here) = self.here(plane as usize) {
                        self.write(write, &here, set, side, Packed::new(class, 0));
                    }
                }
            }
        }
        Ok(())
    }

    /// Marks the planes of a side in which this level may decide positions.
    fn mark_level(
        &self,
        level: u16,
        side: Color,
        sides: &mut [Side<W::Set>; 2],
        dirty: &[AtomicU8],
    ) {
        let releases = sides[side.index()].release_at.remove(&level);
        let own = &mut sides[side.index()];
        for (plane, bits) in releases.into_iter().flatten() {
            own.held[plane as usize] &= !bits;
            dirty[plane as usize].store(1, Ordering::Relaxed);
        }
        let theirs = &sides[(!side).index()];
        for list in [&theirs.lost, &theirs.won] {
            parallel::map(list.len().div_ceil(MARKED), |part| {
                let end = list.len().min((part + 1) * MARKED);
                for &(plane, set) in &list[part * MARKED..end] {
                    self.mark(plane as usize, set, side, dirty);
                }
            });
        }
        for &(plane, _) in sides[side.index()]
            .wins_at
            .get(&level)
            .into_iter()
            .flatten()
        {
            dirty[plane as usize].store(1, Ordering::Relaxed);
        }
    }

    /// Solves all positions of the group.
    pub fn run(&self, write: &Writer, control: &Control<'_>) -> Result<(), Failed> {
        let mut sides = self.begin(control)?;
        self.examine(write, &mut sides, control)?;
        let (indices, planes) = (write.values.len() as u64, self.planes());
        let dirty: [Vec<AtomicU8>; 2] =
            std::array::from_fn(|_| (0..self.planes()).map(|_| AtomicU8::new(0)).collect());
        for level in 1.. {
            let pending = sides.iter().any(|s| {
                !s.lost.is_empty()
                    || !s.won.is_empty()
                    || s.wins_at.range(level..).next().is_some()
                    || s.release_at.range(level..).next().is_some()
            });
            if !pending {
                break;
            }
            if level >= MAX_DISTANCE_PLIES {
                return Err(Failed::Distance);
            }
            report_level(control, level, indices);
            for side in Color::BOTH {
                self.mark_level(level, side, &mut sides, &dirty[side.index()]);
            }
            let mut fresh = Vec::new();
            for side in Color::BOTH {
                let (own, theirs) = (&sides[side.index()], &sides[(!side).index()]);
                let exits: &[(u32, W::Set)] = own.wins_at.get(&level).map_or(&[], Vec::as_slice);
                let dirty = &dirty[side.index()];
                let found = self.each_plane(control, 0..self.planes(), |plane, out| {
                    if dirty[plane].load(Ordering::Relaxed) == 0 {
                        return;
                    }
                    dirty[plane].store(0, Ordering::Relaxed);
                    let open = own.open[plane];
                    if open.is_empty() {
                        return;
                    }
                    let Some(here) = self.here(plane) else {
                        return;
                    };
                    let mut won = self.pull(&here, side, open, &theirs.lost_planes);
                    if let Ok(at) = exits.binary_search_by_key(&(plane as u32), |e| e.0) {
                        won |= exits[at].1 & open;
                    }
                    let asked = open & !won & !own.escapes[plane] & !own.held[plane];
                    let lost = if asked.is_empty() {
                        asked
                    } else {
                        asked & !self.pull(&here, side, asked, &theirs.safe)
                    };
                    if (won | lost).is_empty() {
                        return;
                    }
                    self.write(write, &here, won, side, Packed::new(Packed::WIN, level));
                    self.write(write, &here, lost, side, Packed::new(Packed::LOSS, level));
                    out.push((plane as u32, won, lost));
                })?;
                fresh.push(found);
            }
            for (side, found) in sides.iter_mut().zip(fresh) {
                for &(plane, _) in &side.lost {
                    side.lost_planes[plane as usize] = W::Set::EMPTY;
                }
                let won = found.iter().map(|&(plane, won, _)| (plane, won));
                side.won = won.filter(|(_, set)| !set.is_empty()).collect();
                let lost = found.iter().map(|&(plane, _, lost)| (plane, lost));
                side.lost = lost.filter(|(_, set)| !set.is_empty()).collect();
                settle(side);
            }
        }
        // Positions that no level has decided are drawn.
        for side in Color::BOTH {
            let open = &sides[side.index()].open;
            self.each_plane(control, 0..planes, |plane, _: &mut Vec<()>| {
                if !open[plane].is_empty()
                    && let Some(here) = self.here(plane)
                {
                    self.write(write, &here, open[plane], side, Packed::DRAWN);
                }
            })?;
        }
        Ok(())
    }
}

/// Removes the positions that a level has decided from the sets.
fn settle<S: Squares>(side: &mut Side<S>) {
    for &(plane, set) in &side.won {
        side.safe[plane as usize] &= !set;
        side.open[plane as usize] &= !set;
    }
    for &(plane, set) in &side.lost {
        side.open[plane as usize] &= !set;
        side.lost_planes[plane as usize] = set;
    }
}

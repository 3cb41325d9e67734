//! The backward pass: values of a group of classes from where its turns lead.
//!
//! Level by level of distance. A position with a turn to a loss of the opponent is a win; one all
//! of whose turns lead to wins of the opponent is a loss. Wins and losses first, then the weak
//! ones among what is left; the rest are draws. Retrograde analysis after T. Ströhlein (1970) and
//! K. Thompson (1986), with counters of turns.

use super::Failed;
use super::forward::Edges;
use crate::build::report_level;
use control::Control;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU16, Ordering};
use values::{MAX_DISTANCE_PLIES, Packed};

/// Turns backward: who leads to whom.
struct Backward {
    starts: Vec<u64>,
    sources: Vec<u32>,
}

impl Backward {
    fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.sources[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

/// How many packed values there are, and so the number of numbers for targets outside.
const OUTSIDE: usize = 1 << 16;

fn backward(edges: &mut Edges, threads: usize) -> Backward {
    let n = edges.outside as usize + OUTSIDE;
    let mut starts = vec![0u64; n + 1];
    for list in &edges.targets {
        for &target in list {
            starts[target as usize + 1] += 1;
        }
    }
    for i in 0..n {
        starts[i + 1] += starts[i];
    }
    let mut sources = vec![0u32; starts[n] as usize];
    // Each thread fills the sources of a range of targets, so that no order depends on threads.
    let parts = threads.max(1);
    let total = starts[n];
    let mut cuts: Vec<usize> = (0..=parts)
        .map(|part| {
            let wanted = total * part as u64 / parts as u64;
            starts.partition_point(|&s| s < wanted).min(n)
        })
        .collect();
    cuts[0] = 0;
    cuts[parts] = n;
    let mut slices = Vec::new();
    let mut left = sources.as_mut_slice();
    for part in 0..parts {
        let size = (starts[cuts[part + 1]] - starts[cuts[part]]) as usize;
        let (own, others) = left.split_at_mut(size);
        slices.push((cuts[part], cuts[part + 1], own));
        left = others;
    }
    let (targets, degrees) = (&edges.targets, &edges.degrees);
    slices.into_par_iter().for_each(|(from, to, own)| {
        let base = starts[from];
        let mut next: Vec<u64> = starts[from..to].iter().map(|s| s - base).collect();
        let mut source = 0u32;
        for (list, degrees) in targets.iter().zip(degrees) {
            let mut at = 0;
            for &degree in degrees {
                for &target in &list[at..at + usize::from(degree)] {
                    let target = target as usize;
                    if (from..to).contains(&target) {
                        let slot = &mut next[target - from];
                        own[*slot as usize] = source;
                        *slot += 1;
                    }
                }
                at += usize::from(degree);
                source += 1;
            }
        }
    });
    edges.targets = Vec::new();
    edges.degrees = Vec::new();
    Backward { starts, sources }
}

/// Solves a group: fills its open values in.
pub fn solve(mut edges: Edges, control: &Control<'_>) -> Result<Vec<u16>, Failed> {
    let backward = backward(&mut edges, control.threads());
    let outside = edges.outside;
    // In place: same size and alignment.
    let values: Vec<AtomicU16> = edges.values.into_iter().map(AtomicU16::new).collect();
    let counts: Vec<AtomicU16> = edges.counts.into_iter().map(AtomicU16::new).collect();
    {
        for (lost, won) in [
            (Packed::LOSS, Packed::WIN),
            (Packed::WEAK_LOSS, Packed::WEAK_WIN),
        ] {
            let mut frontier: Vec<u32> = (0..outside)
                .into_par_iter()
                .filter(|&i| {
                    let class = Packed(values[i as usize].load(Ordering::Relaxed)).class();
                    class == lost || class == won
                })
                .collect();
            // Levels at which the group is left. Between them, once nothing is left to go on from,
            // nothing happens: clocks make such gaps as long as games.
            let mut exits: Vec<u16> = [lost, won]
                .into_iter()
                .flat_map(|class| {
                    let base = outside as usize + usize::from(Packed::new(class, 0).0);
                    let starts =
                        &backward.starts[base..=base + usize::from(MAX_DISTANCE_PLIES) + 1];
                    let leaves =
                        |level: &u16| starts[usize::from(*level)] < starts[usize::from(*level) + 1];
                    (0..=MAX_DISTANCE_PLIES).filter(leaves).collect::<Vec<_>>()
                })
                .collect();
            exits.sort_unstable_by(|a, b| b.cmp(a));
            let mut level = 0;
            loop {
                while exits.last().is_some_and(|&exit| exit < level) {
                    exits.pop();
                }
                if frontier.is_empty() {
                    match exits.last() {
                        Some(&exit) => level = exit,
                        None => break,
                    }
                }
                control.check()?;
                if level == MAX_DISTANCE_PLIES {
                    return Err(Failed::Distance);
                }
                report_level(control, level, u64::from(outside));
                let ended = frontier.par_iter().map(|&node| {
                    let class = Packed(values[node as usize].load(Ordering::Relaxed)).class();
                    (class, node)
                });
                let exits = [lost, won].into_par_iter().map(|class| {
                    let packed = Packed::new(class, level);
                    (class, outside + u32::from(packed.0))
                });
                let next: Vec<u32> = ended
                    .chain(exits)
                    .flat_map_iter(|(class, node)| {
                        let (values, counts) = (&values, &counts);
                        let (loses, wins) = (class == lost, Packed::new(won, level + 1).0);
                        let loss = Packed::new(lost, level + 1).0;
                        backward.of(node).iter().copied().filter(move |&source| {
                            let value = &values[source as usize];
                            if value.load(Ordering::Relaxed) != Packed::OPEN.0 {
                                return false;
                            }
                            if loses {
                                value
                                    .compare_exchange(
                                        Packed::OPEN.0,
                                        wins,
                                        Ordering::Relaxed,
                                        Ordering::Relaxed,
                                    )
                                    .is_ok()
                            } else if counts[source as usize].fetch_sub(1, Ordering::Relaxed) == 1 {
                                value.store(loss, Ordering::Relaxed);
                                true
                            } else {
                                false
                            }
                        })
                    })
                    .collect();
                frontier = next;
                level += 1;
            }
        }
        values.par_iter().for_each(|value| {
            if value.load(Ordering::Relaxed) == Packed::OPEN.0 {
                value.store(Packed::new(Packed::DRAW, 0).0, Ordering::Relaxed);
            }
        });
    }
    Ok(values.into_iter().map(AtomicU16::into_inner).collect())
}

//! Beam search for one long line: level by level, only the best positions are kept.

use crate::Layout;
use position::Position;
use rayon::prelude::*;
use rules::{Game, Turn, with_turns};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, Ordering};

/// How a beam search is bounded.
#[derive(Clone, Copy, Debug)]
pub struct Beam<'a> {
    /// Positions kept at each level.
    pub width: usize,
    /// The most turns of the line.
    pub plies: usize,
    /// Set from outside to stop the search.
    pub stop: Option<&'a AtomicBool>,
}

/// A kept position and how it was come by.
struct Kept<W: Layout> {
    position: Position<W>,
    parent: u32,
    turn: Option<Turn>,
}

/// A child of a kept position, not yet chosen. The best one is the greatest; which of equal ones
/// comes first their parents and turn numbers say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    score: i64,
    parent: Reverse<u32>,
    index: Reverse<u32>,
    turn: Turn,
}

/// The longest line that the search found from `root`. `score` says how good a position is after
/// so many turns (greater is better), or that it is not to be followed. Positions come in once
/// for each level. The line does not depend on the number of threads.
///
/// That no longer line was found shows nothing: the search is not complete.
#[inline]
pub fn beam<W: Layout>(
    game: &dyn Game<W>,
    root: &Position<W>,
    how: &Beam,
    score: impl Fn(&Position<W>, usize) -> Option<i64> + Sync,
) -> Vec<Turn> {
    W::beam(game, root, how, &score)
}

pub(crate) fn beam_generic<W: Layout>(
    game: &dyn Game<W>,
    root: &Position<W>,
    how: &Beam,
    score: &(dyn Fn(&Position<W>, usize) -> Option<i64> + Sync),
) -> Vec<Turn> {
    let mut levels: Vec<Vec<Kept<W>>> = vec![vec![Kept {
        position: *root,
        parent: 0,
        turn: None,
    }]];
    for ply in 1..=how.plies {
        if how.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            break;
        }
        let last = &levels[ply - 1];
        let candidates: Vec<Candidate> = last
            .par_iter()
            .enumerate()
            .map(|(parent, kept)| {
                with_turns(|turns| {
                    game.turns(&kept.position, turns);
                    let mut found: Vec<Candidate> = turns
                        .iter()
                        .enumerate()
                        .filter_map(|(index, turn)| {
                            let after = game.play(&kept.position, turn);
                            score(&after, ply).map(|score| Candidate {
                                score,
                                parent: Reverse(parent as u32),
                                index: Reverse(index as u32),
                                turn: *turn,
                            })
                        })
                        .collect();
                    if found.len() > how.width {
                        found.select_nth_unstable_by(how.width, |a, b| b.cmp(a));
                        found.truncate(how.width);
                    }
                    found
                })
            })
            .flatten()
            .collect();
        // Few are taken of many: no need to sort them all.
        let mut candidates = BinaryHeap::from(candidates);
        let mut seen: FxHashSet<Position<W>> = FxHashSet::default();
        let mut next: Vec<Kept<W>> = Vec::new();
        while let Some(candidate) = candidates.pop() {
            let parent = candidate.parent.0;
            let after = game.play(&last[parent as usize].position, &candidate.turn);
            if seen.insert(after) {
                next.push(Kept {
                    position: after,
                    parent,
                    turn: Some(candidate.turn),
                });
                if next.len() == how.width {
                    break;
                }
            }
        }
        if next.is_empty() {
            break;
        }
        levels.push(next);
    }
    let mut line = Vec::new();
    let mut at = 0u32;
    for level in levels.iter().rev() {
        let kept = &level[at as usize];
        line.extend(kept.turn);
        at = kept.parent;
    }
    line.reverse();
    line
}

//! Beam search for one long line: searches level by level and keeps only the best positions of each level.
//!
//! The search is not complete, so it never proves that a line is the longest.

use control::Control;
use per_layout::per_layout;
use position::{Layout, Position};
use rayon::prelude::*;
use rules::{Game, Turn, with_turns};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The bounds of a beam search.
#[derive(Clone, Copy, Debug)]
pub struct Beam {
    /// The maximum number of positions kept at each level.
    pub width: usize,
    /// The maximum length of the line in plies.
    pub plies: usize,
}

/// A kept position, with the number of its parent and the turn that led to it.
struct Kept<W: Layout> {
    position: Position<W>,
    parent: u32,
    turn: Option<Turn>,
}

/// A child of a kept position that may be kept, too. The greatest candidate is the best. Parents, then the
/// numbers of turns, decide between equal scores.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    score: i64,
    parent: Reverse<u32>,
    index: Reverse<u32>,
    turn: Turn,
}

/// Returns the longest line that the search finds from `root`, on the threads of the caller's pool. `score`
/// receives a position and its ply, and returns the position's score (greater is better), or `None` to
/// discard the position. A level holds each position at most once. The line does not depend on the number of
/// threads.
///
/// The search is not complete: there may be longer lines. If `control` stops it, the line so far is returned.
#[per_layout]
pub fn beam<W: Layout>(
    game: &dyn Game<W>,
    root: &Position<W>,
    how: &Beam,
    control: &Control<'_>,
    score: &(dyn Fn(&Position<W>, usize) -> Option<i64> + Sync),
) -> Vec<Turn> {
    let mut levels: Vec<Vec<Kept<W>>> = vec![vec![Kept {
        position: *root,
        parent: 0,
        turn: None,
    }]];
    for ply in 1..=how.plies {
        if control.check().is_err() {
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
        // A heap, because few of many candidates are taken, so sorting them all would waste time.
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

//! The schedule of the searches: which one is next, and for how many positions.
//!
//! Searches alternate, at first with equal numbers of positions. One searches length by length, and so shows
//! within how many plies no proof exists. This search works depth first if the goal is one of direct play
//! ([`DirectSearch`](search::DirectSearch)), otherwise by proof numbers. Another searches for a proof of any
//! length, and finds deep narrow ones. A third does so for an attacker restricted to forcing turns. The third
//! search has a table of its own, because what this attacker cannot force says nothing about an unrestricted
//! one.
//!
//! The time of a search of any length depends on small differences of its estimates, and varies by orders of
//! magnitude. A search that has estimates and does not find a proof soon gets most of the positions, because
//! it still finds most of the proofs. Searches with other estimates then alternate with it, one after the
//! other, each on an empty table, for a number of positions that grows from round to round (C. Gomes and B.
//! Selman 2001: algorithm portfolios; M. Luby and others 1993: restarts). After a first proof, they find
//! other proofs, which may be shorter as a whole or in part, so the positions of all proofs are joined.

use super::{Proof, Prover};
use crate::question::Estimates;
use position::Layout;

/// Positions of the first share of a search.
pub(crate) const FIRST_SHARE: u64 = 1 << 16;
/// Maximum number of positions of a share.
pub(crate) const GREATEST_SHARE: u64 = 1 << 22;
/// Positions of the search of any length after which searches with other estimates begin. Most mates that the
/// former finds take fewer positions.
const OTHERS_AFTER: u64 = 1 << 18;
/// Parts of the positions for the search of any length, once searches with other estimates have begun. These
/// get `OTHER_PARTS`, the search length by length gets `LENGTH_PARTS`, and the search with forcing turns gets
/// one part. The search of any length finds most first proofs: of 300 mates with 3 seconds each, these parts
/// find 274, and 9, 3 and 3 parts find 268.
const FREE_PARTS: u64 = 11;
const OTHER_PARTS: u64 = 2;
const LENGTH_PARTS: u64 = 2;
/// The other estimates, in turn. Measured on 41 mates that the usual estimates miss with 11 million
/// positions: with 4 million, the first and the third find four each, two of them in common. On 46 mates
/// whose first proof is not shortest: with 2 million, at least one of these estimates finds a shortest proof
/// of 10.
const OTHER_ESTIMATES: [Estimates; 8] = [
    estimates(4, Some(4)),
    estimates(2, Some(4)),
    estimates(4, None),
    estimates(1, Some(1)),
    estimates(2, None),
    estimates(1, Some(2)),
    estimates(0, None),
    estimates(1, Some(4)),
];
/// Positions of each search with other estimates in the first round.
const FIRST_ROUND: u64 = 1 << 20;
/// Like [`FIRST_ROUND`], but after a first proof, because another proof is usually found soon.
const FIRST_IMPROVING_ROUND: u64 = 1 << 17;
/// Each round has four times the positions of the one before: a shift by two bits.
const ROUND_SHIFT: u32 = 2;
/// Positions for which the search length by length uses proof numbers, to guide the bounded search.
const GUIDING_POSITIONS: u64 = 1 << 18;
/// A proof is far longer than the refuted length if it takes more than twice as many plies and this many
/// more.
const FAR_PLIES: u16 = 6;
/// Positions after which the complete graph is tried for the first time.
pub(super) const FIRST_WHOLE: u64 = 1 << 17;
/// Maximum number of states of a graph that is tried.
pub(crate) const MAX_STATES: u64 = 1 << 24;

const fn estimates(flight_weight: u32, line_part: Option<usize>) -> Estimates {
    Estimates {
        flight_weight,
        line_part,
    }
}

/// The searches that alternate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Length by length.
    ByLength,
    /// Within the allowed plies.
    Within,
    /// Of any length.
    Free,
    /// Of any length, with forcing turns only.
    Forcing,
    /// Of any length, with other estimates.
    Other,
}

impl<W: Layout> Prover<'_, W> {
    /// Returns whether searches with other estimates also run, to find a first proof.
    fn has_others(&self) -> bool {
        let free = self.course.spent[Way::Free as usize];
        let other = self.course.spent[Way::Other as usize];
        (OTHERS_AFTER..u64::MAX).contains(&free) && other < u64::MAX
    }

    /// Returns the estimates of the current search with other estimates.
    pub(super) fn other_estimates(&self) -> Estimates {
        OTHER_ESTIMATES[self.course.run as usize % OTHER_ESTIMATES.len()]
    }

    /// Begins the search with other estimates that has this number.
    pub(super) fn begin_run(&mut self, run: u32) {
        let round = run / OTHER_ESTIMATES.len() as u32;
        let first = match self.improving {
            true => FIRST_IMPROVING_ROUND,
            false => FIRST_ROUND,
        };
        self.other.clear();
        self.course.run = run;
        self.course.run_positions = first << (ROUND_SHIFT * round).min(32);
    }

    /// Counts the positions of a share.
    pub(super) fn spend(&mut self, way: Way, positions: u64) {
        self.course.spent[way as usize] += positions;
        if way == Way::Other {
            self.course.run_positions = self.course.run_positions.saturating_sub(positions);
        }
    }

    /// Ends a search that is of no more use. After a search with other estimates, the next one begins. Unused
    /// positions count as spent, so that searches that end soon do not get all shares.
    pub(super) fn give_up(&mut self, way: Way) {
        let spent = &mut self.course.spent[way as usize];
        if way == Way::Other {
            *spent = spent.saturating_add(self.course.run_positions);
            self.begin_run(self.course.run.saturating_add(1));
        } else {
            *spent = u64::MAX;
        }
    }

    /// Returns the number of positions of the next share. While several searches may find a proof soon,
    /// shares are short. Those of the search length by length are longer, because it repeats some of its work
    /// in each share.
    pub(super) fn share_positions(&self, way: Way) -> u64 {
        let part = match way {
            Way::Other if self.improving => {
                return self.course.share.min(self.course.run_positions);
            }
            _ if !self.has_others() => return self.course.share,
            Way::ByLength => 8,
            _ => 32,
        };
        self.course.share.min(self.course.positions / part)
    }

    /// Returns the next search: of those that are of use, the one that has used the fewest positions for its
    /// part.
    pub(super) fn way(&self, last_length: bool, has_proof: bool) -> Way {
        let spent = |way: Way| self.course.spent[way as usize];
        let bounded = match self.limits.plies {
            None if !has_proof => Way::Free,
            _ => Way::Within,
        };
        let ways = [Way::ByLength, bounded, Way::Free, Way::Forcing, Way::Other];
        let only_lengths = self.limits.shortest || last_length;
        let ways = if only_lengths { &ways[..1] } else { &ways };
        let is_long = self.has_others();
        // Positions used since searches with other estimates began, divided by the parts of each search.
        let taken = |way: Way| match (is_long, way) {
            (false, _) => spent(way),
            (true, Way::Other) => spent(way) / OTHER_PARTS,
            (true, Way::Free) => (spent(way) - OTHERS_AFTER) / FREE_PARTS,
            (true, Way::ByLength | Way::Within) => {
                spent(way).saturating_sub(OTHERS_AFTER) / LENGTH_PARTS
            }
            (true, Way::Forcing) => spent(way).saturating_sub(OTHERS_AFTER),
        };
        let of_use = ways
            .iter()
            .copied()
            .filter(|&way| spent(way) < u64::MAX)
            .filter(|&way| way != Way::Other || is_long || has_proof);
        of_use
            .min_by_key(|&way| taken(way))
            .unwrap_or(Way::ByLength)
    }

    /// Returns the plies within which the bounded search seeks a proof: at most `most`. While the best proof
    /// is far longer than the refuted length, every second share aims two thirds of the way up from the
    /// refuted length, because steps of two plies take long to come down from the proof. On ten mates whose
    /// proof stayed long, this found two proofs as short as known ones and shortened two more, while steps
    /// alone found none. Aiming lower with every share lost other proofs.
    pub(super) fn target(&mut self, most: u16, best: Option<&Proof>) -> u16 {
        let none = self.course.none_within;
        let Some(best) = best.filter(|best| best.plies > 2 * none + FAR_PLIES) else {
            return most;
        };
        self.aims_lower = !self.aims_lower;
        if !self.aims_lower {
            return most;
        }
        let lower = (2 * best.plies + none) / 3;
        self.question.plies(self.root.side, lower | 1).min(most)
    }

    /// Returns the smallest useful number of plies above a given one.
    pub(super) fn next_plies(&self, plies: u16) -> u16 {
        let side = self.root.side;
        let next = plies.saturating_add(1);
        if self.question.plies(side, next) > plies {
            next
        } else {
            next.saturating_add(1)
        }
    }

    /// Returns whether the search length by length still uses proof numbers, to guide the bounded search for
    /// a first proof: open positions within few plies show where to search within more. Without this, the
    /// mate in 8 of the guide took 35 times as many positions. Searches of any length find less with it.
    pub(super) fn guides_bounded_search(&self) -> bool {
        let spent = self.course.spent[Way::ByLength as usize];
        self.limits.plies.is_some()
            && !self.limits.shortest
            && !self.improving
            && spent < GUIDING_POSITIONS
    }
}

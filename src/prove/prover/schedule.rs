//! Which search is next, and for how many positions.
//!
//! Searches alternate, at first each with the same number of positions. One searches length by length and so shows
//! within how many plies no proof exists: depth first where the goal is one of direct play
//! ([`DirectSearch`](search::DirectSearch)), else by proof numbers. Another searches for a proof of any length, and
//! finds deep narrow ones; a third does so for an attacker restricted to forcing turns, on a table of its own, as
//! what that attacker cannot do says nothing about one who is free.
//!
//! How long a search of any length takes depends on small differences of its estimates, and varies by orders of
//! magnitude. Where it has estimates and does not find a proof soon, it takes most of the positions, because it still
//! finds most of the proofs, and searches with other estimates work beside it, one after the other, each on an empty
//! table for a number of positions that grows from round to round (C. Gomes and B. Selman 2001: algorithm portfolios;
//! M. Luby and others 1993: restarts). After a first proof, they find others, which may be shorter, or be so in part:
//! the positions of all proofs are joined.

use super::{Proof, Prover};
use crate::question::Estimates;
use position::Layout;

/// Positions of the first share of a search.
pub(crate) const FIRST_SHARE: u64 = 1 << 16;
/// The greatest share, in positions.
pub(crate) const GREATEST_SHARE: u64 = 1 << 22;
/// Positions of the search of any length after which those with other estimates begin. Most mates that it finds take
/// fewer.
const OTHERS_AFTER: u64 = 1 << 18;
/// How the positions are shared out from then on: to the search of any length, those with other estimates, the search
/// length by length, and one part to the one with forcing turns. The first one finds most first proofs: of 300 mates
/// with 3 seconds each, 274 are found so, and 268 with 9, 3 and 3 parts.
const FREE_PARTS: u64 = 11;
const OTHER_PARTS: u64 = 2;
const LENGTH_PARTS: u64 = 2;
/// The other estimates, in turn. Measured on 41 mates that the usual estimates miss with 11 million positions: with 4
/// million, the first and the third find four each, two of them the same. On 46 mates whose first proof is not
/// shortest: with 2 million, one of these estimates or another finds a shortest proof of 10.
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
/// Positions of the first round of searches with other estimates, for each of them.
const FIRST_ROUND: u64 = 1 << 20;
/// The same after a first proof, because another proof is usually found soon.
const FIRST_IMPROVING_ROUND: u64 = 1 << 17;
/// A round has four times the positions of the one before.
const ROUND_SHIFT: u32 = 2;
/// Positions that the search length by length makes by proof numbers where it guides the bounded search.
const GUIDING_POSITIONS: u64 = 1 << 18;
/// A proof is far longer than what is refuted if it takes more than twice as many plies and this many more.
const FAR_PLIES: u16 = 6;
/// Positions after which the whole graph is tried for the first time.
pub(super) const FIRST_WHOLE: u64 = 1 << 17;
/// The most states of a graph that is tried.
pub(crate) const MAX_STATES: u64 = 1 << 24;

const fn estimates(flight_weight: u32, line_part: Option<usize>) -> Estimates {
    Estimates {
        flight_weight,
        line_part,
    }
}

/// The searches that take turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Length by length.
    ByLength,
    /// Within as many plies as are allowed.
    Within,
    /// Of whatever length.
    Free,
    /// Of whatever length, with turns that force.
    Forcing,
    /// Of whatever length, with other estimates.
    Other,
}

impl<W: Layout> Prover<'_, W> {
    /// Returns whether searches with other estimates work beside the first one, to find a first proof.
    fn has_others(&self) -> bool {
        let free = self.course.spent[Way::Free as usize];
        let other = self.course.spent[Way::Other as usize];
        (OTHERS_AFTER..u64::MAX).contains(&free) && other < u64::MAX
    }

    /// Returns the estimates of the search with other estimates.
    pub(super) fn other_estimates(&self) -> Estimates {
        OTHER_ESTIMATES[self.course.run as usize % OTHER_ESTIMATES.len()]
    }

    /// Begins a search with other estimates, given by its number.
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

    /// Ends a search that is of no more use. After one with other estimates the next one begins. Positions that it has
    /// not used count as spent, so that searches which end soon do not take all turns.
    pub(super) fn give_up(&mut self, way: Way) {
        let spent = &mut self.course.spent[way as usize];
        if way == Way::Other {
            *spent = spent.saturating_add(self.course.run_positions);
            self.begin_run(self.course.run.saturating_add(1));
        } else {
            *spent = u64::MAX;
        }
    }

    /// Returns the positions of the next share. Where one of several searches is to find a proof soon, none of them
    /// works long before the next; the search length by length repeats something of its work in each share.
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

    /// Returns the search whose turn it is: the one that has taken least of those that are of use, for its part.
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
        // Positions since the search has been long, by the parts that are then made in turn.
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

    /// Returns the plies within which the bounded search searches for a proof: at most `most`. While the best proof
    /// is far longer than what is refuted, every second share aims at two thirds of its length, because steps of
    /// two plies take long to come down from there. On ten mates whose proof stayed long, this found two as short as
    /// known and shortened two more, where steps alone found none; to aim there with every share lost others.
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

    /// Returns whether the search length by length is still by proof numbers because it guides the bounded search
    /// for a first proof: what is open within few plies says where to search within more. Without it, the mate in
    /// 8 of the guide took 35 times as many positions. Searches of any length find less with it.
    pub(super) fn guides_bounded_search(&self) -> bool {
        let spent = self.course.spent[Way::ByLength as usize];
        self.limits.plies.is_some()
            && !self.limits.shortest
            && !self.improving
            && spent < GUIDING_POSITIONS
    }
}

//! Runs one share of a search, which ends with an answer or after a number of positions.

use super::schedule::Way;
use super::{Prover, STACK_BYTES};
use crate::limits::{Counter, Pause, Shared};
use crate::number_search::{DIRECT_POSITIONS, LEAF_PLIES, Search};
use crate::proof_numbers::ProofNumbers;
use crate::question::Question;
use crate::table::{Table, hash};
use crate::thread_marks::ThreadMarks;
use control::Stopped;
use control::evaluation::inherited;
use position::Layout;
use search::DirectSearch;
use std::sync::atomic::Ordering;

/// Minimum number of positions generated for each new entry of the table.
const POSITIONS_PER_ENTRY: usize = 4;

impl<'g, W: Layout> Prover<'g, W> {
    /// Runs a share of `share` positions of a search for a proof within `plies`. A proof longer than `most`
    /// plies is of no use.
    pub(super) fn share(
        &mut self,
        shared: &Shared<'_>,
        way: Way,
        plies: u16,
        most: u16,
        share: u64,
    ) -> Result<ProofNumbers, Pause> {
        let positions = share.min(shared.positions_left()) / DIRECT_POSITIONS;
        let steps = positions / DirectSearch::<W>::POSITION_STEP;
        if way == Way::ByLength
            && !self.guides_bounded_search()
            && steps > 0
            && let Some(moves) = self.moves(plies, most)
        {
            // The share ends at the first step beyond its limit.
            let limit = steps * DirectSearch::<W>::POSITION_STEP - 1;
            return self.direct_share(shared, moves, limit);
        }
        shared.share(share);
        let table = match way {
            Way::Forcing => &mut self.forcing,
            Way::Other => &mut self.other,
            _ => &mut self.table,
        };
        table.room(share as usize / POSITIONS_PER_ENTRY);
        self.number_share(shared, way, plies, most)
    }

    /// Returns the smallest number of moves of direct play that take at least `plies` plies. Returns `None`
    /// if these moves cannot be searched or take more than `most` plies.
    fn moves(&self, plies: u16, most: u16) -> Option<u32> {
        let direct = self.direct.as_ref()?;
        let takes = |moves: &u32| direct.plies(self.root.side, *moves);
        let moves = (1..=DirectSearch::<W>::MAX_MOVES).find(|moves| takes(moves) >= plies)?;
        (takes(&moves) <= most).then_some(moves)
    }

    /// Runs a share of the search of direct play. Adds the positions of a proof to the table.
    fn direct_share(
        &mut self,
        shared: &Shared<'_>,
        moves: u32,
        max_positions: u64,
    ) -> Result<ProofNumbers, Pause> {
        let pause = |stopped: Stopped| match stopped {
            Stopped::Count(_) => Pause::Share,
            stopped => Pause::Stop(stopped),
        };
        let Some(direct) = &self.direct else {
            return Err(Pause::Share);
        };
        let limits = search::Limits {
            positions: Some(max_positions),
            ..search::Limits::default()
        };
        // This search reports its own progress.
        let control = self.control.with_observer(&());
        let share = direct.forces(&self.root, moves, &limits, &control);
        shared.add(share.positions * DIRECT_POSITIONS);
        if !share.forced.map_err(pause)? {
            return Ok(ProofNumbers::disproven(direct.plies(self.root.side, moves)));
        }
        let unbounded = search::Limits::default();
        let proof = direct
            .proof(&self.root, moves, &unbounded, &control)
            .map_err(pause)?;
        self.table.room(proof.len());
        let direct = self.direct.as_ref().expect("it has just been searched");
        for found in &proof {
            let p = &found.position;
            let plies = self
                .question
                .plies(p.side, direct.plies(p.side, found.moves));
            let (key, known) = (self.question.key(p), ProofNumbers::proven(plies));
            self.table.put(&key, hash(&key), known, u32::MAX);
        }
        let plies = direct.plies(self.root.side, moves);
        Ok(ProofNumbers::proven(
            self.question.plies(self.root.side, plies),
        ))
    }

    /// Runs a share of a proof-number search on all threads. Once there is a proof, searches with other
    /// estimates give up lines that are not shorter.
    fn number_share(
        &self,
        shared: &Shared<'_>,
        way: Way,
        plies: u16,
        most: u16,
    ) -> Result<ProofNumbers, Pause> {
        let busy = (self.control.threads() > 1).then(ThreadMarks::new);
        let work = || {
            let counter = Counter::new(shared);
            let (question, table) = self.part(way);
            let mut search =
                Search::new(question, table, busy.as_ref(), counter, self.leaf_test(way));
            if way == Way::Other && self.improving {
                search = search.with_lines_within(most);
            }
            let found = search.solve(&self.root, plies);
            if found.is_ok() {
                shared.answered.store(true, Ordering::Relaxed);
            }
            found
        };
        let results: Vec<Result<ProofNumbers, Pause>> = std::thread::scope(|scope| {
            let spawn = |_| {
                std::thread::Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, inherited(work))
            };
            let workers: Vec<_> = (0..self.control.threads()).map(spawn).collect();
            workers
                .into_iter()
                .flatten()
                .map(|worker| {
                    worker
                        .join()
                        .unwrap_or_else(|e| std::panic::resume_unwind(e))
                })
                .collect()
        });
        let settled = |r: &&Result<ProofNumbers, Pause>| r.is_ok_and(|known| !known.is_open());
        let answer = results.iter().find(settled);
        let answer = answer.or_else(|| results.iter().find(|result| result.is_ok()));
        let stop = |r: &&Result<ProofNumbers, Pause>| matches!(r, Err(Pause::Stop(_)));
        *answer
            .or_else(|| results.iter().find(stop))
            .or(results.first())
            .unwrap_or(&Err(Pause::Stop(Stopped::Threads)))
    }

    /// Returns a leaf test for one thread of a search for shorter proofs. Searches for a first proof find
    /// less with the test in the same time, as measured, because it doubles the work at each leaf.
    pub(super) fn leaf_test(&self, way: Way) -> Option<search::LeafTest<'_, W>> {
        let direct = self
            .direct
            .as_ref()
            .filter(|_| self.improving && way == Way::Within)?;
        // If the defender's turns can reach the goal, two turns take four plies.
        let takes_three = direct.plies(self.question.attacker, 2) == LEAF_PLIES;
        takes_three.then(|| direct.leaf_test())
    }

    /// Returns the question and the table of a search.
    pub(super) fn part(&self, way: Way) -> (Question<'g, W>, &Table) {
        match way {
            Way::Forcing => (self.question.forcing(), &self.forcing),
            Way::Other => {
                let question = self.question.estimated(self.other_estimates());
                (question, &self.other)
            }
            _ => (self.question, &self.table),
        }
    }
}

//! Certificates of proofs, disproofs and refutations.
//!
//! A certificate does not rely on the search that found it: the check uses the rules alone.

use super::schedule::Way;
use super::{Found, Prover, STACK_BYTES, Status};
use crate::certificate::{Certificate, Header, Kind};
use crate::check::check;
use crate::extract::extract;
use crate::graph_proof::{Missing, whole};
use crate::limits::{Counter, Limits, MAX_PLIES, Pause, Shared, memory_bytes};
use crate::number_search::Search;
use crate::proof_numbers::{FOR_EVER, ProofNumbers};
use crate::refutation::{Unrefuted, entries};
use board::Color;
use control::{Control, Stopped, parallel};
use notation::fen;
use position::Layout;
use std::time::{Duration, Instant};

/// Entries by which the table may grow while a refutation is built from it.
const REFUTATION_ENTRIES: usize = 1 << 14;
/// Extra time for a certificate that is being built when the time limit is reached.
const CERTIFICATE_GRACE: Duration = Duration::from_millis(100);

impl<W: Layout> Prover<'_, W> {
    /// Returns the answer of the complete graph, if the graph stays within the limit on states.
    pub(super) fn whole(&mut self, max_states: u64) -> Result<Found, Missing> {
        if self.question.by_turn {
            // The graph has values of states, but this goal depends on the turns between them.
            return Err(Missing::Growing);
        }
        let bytes = memory_bytes(&self.control).saturating_sub(self.table_bytes()) as u64;
        let control = self.control.with_memory(bytes).with_observer(&());
        let whole = whole(&self.question, &self.root, max_states, &control)?;
        let allowed = self.limits.plies.unwrap_or(u16::MAX);
        let (status, plies) = match whole.kind {
            Kind::Avoid | Kind::Refute => (Status::Disproven, None),
            Kind::Force if whole.plies <= allowed => (Status::Proven, Some(whole.plies)),
            Kind::Force => (Status::NoneWithin, None),
        };
        self.course.none_within = match whole.kind {
            Kind::Avoid | Kind::Refute => FOR_EVER,
            Kind::Force => whole.plies - 1,
        };
        let certificate = (status != Status::NoneWithin).then(|| {
            let words = self.question.codec.words();
            Certificate::new(self.header(whole.kind, plies), words, whole.entries)
        });
        Ok(Found {
            status,
            plies,
            shortest: plies.is_some(),
            none_within_plies: self.course.none_within,
            relies_on_saved: false,
            relies_on_oracle: false,
            stopped: None,
            certificate,
            report: self.report(Way::ByLength, plies.unwrap_or(0)),
        })
    }

    fn header(&self, kind: Kind, plies: Option<u16>) -> Header {
        let game = self.question.game;
        Header {
            format: 0,
            variant: game.variant().to_string(),
            rules_sha256: game.variant().rule_set.digest().map(str::to_owned),
            fen: fen::print(game, &self.root),
            side: match self.question.attacker {
                Color::White => "white",
                Color::Black => "black",
            }
            .to_string(),
            goal: self.question.goal.to_string(),
            kind,
            plies,
            positions: 0,
            key_bits: self.question.codec.bits(),
            blocks: Vec::new(),
        }
    }

    /// Returns the certificate of the root's proof or disproof, and the plies of a proof.
    ///
    /// # Errors
    /// If the search is stopped meanwhile, or no thread can be started for it.
    pub(super) fn certificate(
        &self,
        way: Way,
        known: ProofNumbers,
    ) -> Result<(Certificate, Option<u16>), Stopped> {
        let left = self.control.deadline();
        let left = left.map(|at| at.saturating_duration_since(Instant::now()) + CERTIFICATE_GRACE);
        let shared = Shared::new(&Limits::default(), 0, self.control.with_time(left));
        let work = || {
            let counter = Counter::new(&shared);
            let (question, table) = self.part(way);
            let mut search = Search::new(question, table, None, counter, self.leaf_test(way));
            extract(&mut search, &self.root, known)
        };
        let extracted = parallel::on_stack(STACK_BYTES, work)?;
        let (entries, plies) = extracted.map_err(|pause| match pause {
            Pause::Stop(stopped) => stopped,
            Pause::Share => Stopped::Interrupted,
        })?;
        let (kind, plies) = if known.is_proven() {
            (Kind::Force, Some(plies))
        } else {
            (Kind::Avoid, None)
        };
        let header = self.header(kind, plies);
        let words = self.question.codec.words();
        let certificate = Certificate::new(header, words, entries);
        Ok((certificate.with_goal(self.question.goal), plies))
    }

    /// Returns a certificate that the goal is not forced within `plies`, as an earlier search may have shown
    /// ([`Found::none_within_plies`]). Positions whose answer the tables have lost are searched again, until
    /// `control` stops the search. The certificate is checked before it is returned.
    ///
    /// # Errors
    /// If the certificate takes too much memory, the search is stopped, or the bound has not been shown.
    pub fn refutation(
        &mut self,
        plies: u16,
        control: &Control<'_>,
    ) -> Result<Certificate, Unrefuted> {
        let question = self.question;
        let plies = question.plies(self.root.side, plies.min(MAX_PLIES));
        if !question.game.outcome(&self.root).is_ongoing() {
            return Err(Unrefuted::NotShown);
        }
        if self.direct.is_none() {
            self.table.room(REFUTATION_ENTRIES);
        }
        let control = control.with_observer(&());
        let work = || {
            // If the last turn is the attacker's, the plies left determine the number of the attacker's
            // turns.
            let direct = self.direct.as_ref();
            if let Some(direct) = direct.filter(|direct| direct.plies(question.attacker, 1) == 1) {
                let shared = search::Shared::new(&search::Limits::default(), &control);
                let mut refuter = direct.refuter(&shared);
                return entries(&question, &self.root, plies, &mut |p, plies| {
                    refuter.answer(p, u32::from(plies / 2)).map_err(Pause::Stop)
                });
            }
            let shared = Shared::new(&Limits::default(), 0, control);
            let counter = Counter::new(&shared);
            let mut search = Search::new(question, &self.table, None, counter, None);
            entries(&question, &self.root, plies, &mut |p, plies| {
                search.answer(p, plies)
            })
        };
        let entries = parallel::on_stack(STACK_BYTES, work).map_err(Unrefuted::Stopped)??;
        let header = self.header(Kind::Refute, Some(plies));
        let certificate = Certificate::new(header, question.codec.words(), entries);
        let certificate = certificate.with_goal(question.goal);
        // Positions near the end have no entry; the check tries all answers there.
        match check(question.game, &self.root, &certificate) {
            Ok(_) => Ok(certificate),
            Err(_) => Err(Unrefuted::NotShown),
        }
    }
}

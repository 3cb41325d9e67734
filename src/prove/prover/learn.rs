//! Adds certificates and saved searches to the tables of a search.

use super::{Prover, new_tables};
use crate::certificate::{Certificate, Kind};
use crate::check::{Claim, check};
use crate::proof_numbers::{FOR_EVER, ProofNumbers};
use crate::saved::{self, Course, Subject};
use crate::table::hash;
use diagnostics::Diagnostic;
use notation::fen;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::Game;
use std::io::{Read, Write};

#[per_layout]
impl<'g, W: Layout> Prover<'g, W> {
    /// Checks a certificate of the same rule set, side and goal, and adds its positions to the table. `root`
    /// is the position that the certificate is about. Returns the number of positions added.
    ///
    /// # Errors
    /// If the certificate does not hold, or is about another rule set, side or goal.
    pub fn learn(
        &mut self,
        game: &dyn Game<W>,
        root: &Position<W>,
        certificate: &Certificate,
    ) -> Result<u64, Diagnostic> {
        let claim = Claim::of(game, certificate)?;
        let same = claim.side == self.question.attacker
            && claim.goal == *self.question.goal
            && certificate.header.variant == self.question.game.variant().to_string()
            && game.board().geometry() == self.question.game.board().geometry();
        if !same {
            let why = "it is about another rule set, board, side or goal";
            return Err(Diagnostic::new("certificate", why));
        }
        if claim.kind == Kind::Refute {
            let why = "it shows what is not forced, which helps no proof";
            return Err(Diagnostic::new("certificate", why).help("name a certificate of a proof"));
        }
        check(game, root, certificate)?;
        self.note(game, root, certificate, claim.kind)
    }

    /// Adds the positions of a certificate that holds to the table. Returns the number of positions added.
    pub(super) fn note(
        &mut self,
        game: &dyn Game<W>,
        root: &Position<W>,
        certificate: &Certificate,
        kind: Kind,
    ) -> Result<u64, Diagnostic> {
        self.table.room(certificate.len());
        let mine = self.question.codec.plan();
        let mut learned = 0;
        crate::walk::each_position(game, root, certificate, &mut |p, at| {
            let plan = game.key_plan(p);
            let fits = plan.units <= mine.units
                && plan.bound <= mine.bound
                && plan.state_bits <= mine.state_bits
                && plan.rights <= mine.rights
                && plan.en_passant <= mine.en_passant;
            if !fits {
                return;
            }
            let known = match kind {
                Kind::Force => ProofNumbers::proven(certificate.rank(at)),
                Kind::Avoid => ProofNumbers::disproven(FOR_EVER),
                Kind::Refute => ProofNumbers::disproven(certificate.rank(at)),
            };
            let key = self.question.key(p);
            self.table.put(&key, hash(&key), known, u32::MAX);
            learned += 1;
        });
        Ok(learned)
    }
}

impl<'g, W: Layout> Prover<'g, W> {
    /// Writes the tables and the progress of the search, for [`resume`](Self::resume).
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn save(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let tables = [&self.table, &self.forcing, &self.other];
        let course = Course {
            relies_on_oracle: self.relies_on_oracle(),
            ..self.course
        };
        saved::save(self.subject(), course, &tables, out)
    }

    /// Returns the error of an answer that was stopped by [`Stopped::Contradiction`](control::Stopped), if the oracle
    /// has none of its own.
    pub fn contradiction(&self) -> Diagnostic {
        let why = "what it says of a position contradicts the rules";
        match self.resumed {
            true => saved::damaged(why),
            false => Diagnostic::new("known values", why),
        }
    }

    /// Reads the tables and the progress of an earlier search for the same question.
    ///
    /// # Errors
    /// If the file is damaged, or belongs to another question.
    pub fn resume(&mut self, input: &mut dyn Read) -> Result<(), Diagnostic> {
        let subject = self.subject();
        let mut tables = [&mut self.table, &mut self.forcing, &mut self.other];
        match saved::resume(&subject, &mut tables, input) {
            Ok(course) => {
                self.course = course;
                self.resumed = true;
                Ok(())
            }
            Err(error) => {
                // Entries from a damaged file may be wrong.
                let new = new_tables(&self.question, self.direct.is_some(), &self.control);
                [self.table, self.forcing, self.other] = new;
                Err(error)
            }
        }
    }

    fn subject(&self) -> Subject {
        let question = &self.question;
        let variant = question.game.variant();
        Subject {
            variant: variant.to_string(),
            law: question.game.facts().law,
            definition: variant.rule_set.fingerprint(),
            fen: fen::print(question.game, &self.root),
            side: question.attacker,
            goal: question.goal.to_string(),
            key_bits: question.codec.bits(),
        }
    }
}

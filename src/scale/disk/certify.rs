//! Certification: re-checks the values on disk with none of the solver's code, edges or numbers. The rules
//! generate every turn again, and the resulting state is looked up by its key.
//!
//! If each value with its distance is the best that the successors' values allow, all values are correct, as
//! [`values::certify()`] explains. The check takes as many states at a time as have successors that fit in
//! memory. The successors are sorted and merged with all values in one pass.

use super::Failed;
use super::chunk::Chunk;
use super::search::Search;
use values::{Certificate, Packed, RightValue};

impl Search<'_> {
    /// Checks the value of every state against those of its successors.
    ///
    /// # Errors
    /// If there are no values, a stop is requested, or a file cannot be read.
    pub fn certify(&self) -> Result<Certificate, Failed> {
        let words = self.words;
        let all = self.solved_run()?;
        let mut certificate = Certificate::default();
        let mut said = all.reader()?;
        while certificate.states < all.records() {
            let first = certificate.states;
            let mut chunk = Chunk::new(
                &all,
                first..all.records(),
                self.resumed,
                words,
                &self.budget,
            )?;
            let mut right: Vec<RightValue> = Vec::new();
            chunk.replay(self.graph, &self.control, |end| {
                right.push(RightValue::new(end));
            })?;
            let mut values = all.reader()?;
            let mut passed = 0u64;
            for edge in chunk.edges.chunks_exact(words + 1) {
                passed += 1;
                if passed.is_multiple_of(1 << 16) {
                    self.control.check()?;
                }
                let (key, from) = (&edge[..words], edge[words] as usize);
                values.seek(key)?;
                let after = values.head().filter(|head| head[..words] == *key);
                right[from].add_turn(after.and_then(|head| Packed(head[words] as u16).value()));
            }
            certificate.turns += passed;
            for right in right {
                let Some(head) = said.head() else { break };
                let fault = right.fault(Packed(head[words] as u16).value());
                certificate.count(0, fault, || self.graph.fen(&head[..words]));
                said.advance()?;
            }
            let (done, total) = (certificate.states, all.records());
            self.control
                .report_done("certifying", done, total, "states");
        }
        Ok(certificate)
    }
}

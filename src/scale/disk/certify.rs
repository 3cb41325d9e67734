//! Certification: re-checks the values on disk with none of the solver's code, edges or numbers. The rules
//! generate every turn again, and the resulting state is looked up by its key.
//!
//! If each value with its distance is the best that the successors' values allow, all values are correct, as
//! [`values::certify()`] explains. The check takes as many states at a time as have successors that fit in
//! memory. The successors are sorted and merged with all values in one pass.

use super::Failed;
use super::chunk::Chunk;
use super::search::Search;
use crate::packed::{pack, unpack_last};
use explore::StateError;
use std::collections::BTreeMap;
use values::Value;

/// Maximum number of faults that are reported individually.
const MAX_FAULTS: usize = 10;

/// The result of a certification.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Certificate {
    /// States that were compared with their successors.
    pub states: u64,
    /// States whose value is wrong.
    pub faulty_states: u64,
    /// The first faults, in the order of keys.
    pub faults: Vec<Fault>,
}

/// A state whose value is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The key of the state.
    pub key: Vec<u64>,
    /// The error.
    pub why: String,
}

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
            let mut chunk = Chunk::new(&all, first, self.resumed, words, &self.budget)?;
            // The values of finished games; for other states, the best value so far that a turn leads to.
            let mut right: Vec<Option<Value>> = Vec::new();
            let mut wrong: BTreeMap<usize, String> = BTreeMap::new();
            chunk.replay(self.graph, &self.control, |end| {
                if let Err(why) = &end {
                    wrong.insert(right.len(), why.to_string());
                }
                right.push(end.ok().flatten());
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
                let value = match values.head() {
                    Some(head) if head[..words] == *key => {
                        let value = unpack_last(head[words] as u16).before_turn();
                        value.map_err(|error| error.to_string())
                    }
                    _ => Err("a turn leads to no state of the graph".to_string()),
                };
                match value {
                    Ok(value) => right[from] = right[from].max(Some(value)),
                    Err(why) => {
                        wrong.insert(from, why);
                    }
                }
            }
            for (n, right) in right.into_iter().enumerate() {
                let Some(head) = said.head() else { break };
                let packed = head[words] as u16;
                let wrong = wrong.remove(&n).or_else(|| match right {
                    None => Some(StateError::NoTurn.to_string()),
                    Some(right) if pack(right) != packed => Some(format!(
                        "it is said to be {}, and is {right}",
                        unpack_last(packed)
                    )),
                    Some(_) => None,
                });
                certificate.states += 1;
                if let Some(why) = wrong {
                    certificate.faulty_states += 1;
                    if certificate.faults.len() < MAX_FAULTS {
                        let key = head[..words].to_vec();
                        certificate.faults.push(Fault { key, why });
                    }
                }
                said.advance()?;
            }
            let (done, total) = (certificate.states, all.records());
            self.control
                .report_done("certifying", done, total, "states");
        }
        Ok(certificate)
    }
}

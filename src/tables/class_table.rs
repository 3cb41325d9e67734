//! The table of one class: a value for each index.

use super::class::Class;
use super::key::ClassKey;
use super::paged::Paged;
use control::memory::prefetch;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use values::{Packed, Value};

/// The table of a class.
#[derive(Debug)]
pub struct Table {
    /// The class.
    pub class: Class,
    /// The classes that turns of this class lead to.
    pub leads_to: BTreeSet<ClassKey>,
    pub(crate) values: Values,
}

/// The values of a table, in memory or on disk.
#[derive(Debug)]
pub(crate) enum Values {
    /// In memory, packed.
    Held(Vec<u16>),
    /// In a file, read on demand.
    Paged(Arc<Paged>),
}

impl Table {
    /// Returns the value at an index, or `None` if the index is not a legal position.
    pub fn value(&self, index: u64) -> Option<Value> {
        self.packed(index).value()
    }

    /// Returns the indices in a range that are legal positions, each with its value.
    pub(crate) fn values_in(&self, indices: Range<u64>) -> Vec<(u64, Value)> {
        let mut found = Vec::new();
        let mut add = |first: u64, packed: &[u16]| {
            let values = (first..).zip(packed.iter().map(|&packed| Packed(packed).value()));
            found.extend(values.filter_map(|(index, value)| Some((index, value?))));
        };
        match &self.values {
            Values::Held(values) => add(
                indices.start,
                &values[indices.start as usize..indices.end as usize],
            ),
            Values::Paged(paged) => paged.read_range(indices, add),
        }
        found
    }

    /// Prefetches the value at an index, if the table is in memory.
    #[inline]
    pub(crate) fn prefetch(&self, index: u64) {
        if let Values::Held(values) = &self.values {
            prefetch(&values[index as usize]);
        }
    }

    /// Returns the packed value at an index.
    #[inline]
    pub(crate) fn packed(&self, index: u64) -> Packed {
        match &self.values {
            Values::Held(values) => Packed(values[index as usize]),
            Values::Paged(paged) => paged.get(index),
        }
    }
}

//! The table of one class: a value for each index.

use super::class::Class;
use super::key::ClassKey;
use super::paged::Paged;
use std::collections::BTreeSet;
use std::sync::Arc;
use values::{Packed, Value};

/// The values of a class.
#[derive(Debug)]
pub struct Table {
    /// The class.
    pub class: Class,
    /// The classes that its turns lead to.
    pub leads_to: BTreeSet<ClassKey>,
    pub(crate) values: Values,
}

/// Where the values of a table are.
#[derive(Debug)]
pub(crate) enum Values {
    /// In memory, packed.
    Held(Vec<u16>),
    /// In a file.
    Paged(Arc<Paged>),
}

impl Table {
    /// Returns the value at an index, if the index is a legal position.
    pub fn value(&self, index: u64) -> Option<Value> {
        self.packed(index).value()
    }

    /// The same, packed.
    #[inline]
    pub(crate) fn packed(&self, index: u64) -> Packed {
        match &self.values {
            Values::Held(values) => Packed(values[index as usize]),
            Values::Paged(paged) => paged.get(index),
        }
    }
}

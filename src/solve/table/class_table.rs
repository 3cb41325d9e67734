//! The table of one class: a value for each index.

use super::class::Class;
use super::key::ClassKey;
use crate::value::{Packed, Value};
use std::collections::BTreeSet;

/// The values of a class.
#[derive(Debug)]
pub struct Table {
    /// The class.
    pub class: Class,
    /// The classes that its turns lead to.
    pub leads_to: BTreeSet<ClassKey>,
    pub(crate) values: Vec<u16>,
}

impl Table {
    /// The value at an index, if a legal position stands there.
    pub fn value(&self, index: u64) -> Option<Value> {
        Packed(self.values[index as usize]).value()
    }
}

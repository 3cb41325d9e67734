//! Groups of classes that are solved together: where the indices of each begin, and what comes of solving them.

use super::class::Class;
use super::key::ClassKey;
use std::collections::BTreeSet;

/// What came of a group.
pub(super) enum Solved {
    /// The values of its classes, one after the other, and where each class leads.
    Values {
        /// Canonical classes, for each class of the group.
        met: Vec<BTreeSet<ClassKey>>,
        /// Packed values.
        values: Vec<u16>,
    },
    /// Nothing yet: it leads to these classes too, which must be solved before.
    Meets(BTreeSet<ClassKey>),
}

/// Returns where the indices of each class begin.
pub(super) fn offsets(classes: &[Class]) -> Vec<u32> {
    let begins = classes.iter().scan(0, |at, class| {
        let here = *at;
        *at += class.len() as u32;
        Some(here)
    });
    begins.collect()
}

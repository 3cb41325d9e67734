//! Groups of classes that lead to each other and are solved together: the offsets of their indices, and the
//! result of solving a group, which is independent of the method.

use super::class::Class;
use super::key::ClassKey;
use std::collections::BTreeSet;

/// The result of solving a group.
pub(super) enum Solved {
    /// The values of the group's classes, one class after the other, and the classes that each leads to.
    Values {
        /// Canonical classes, for each class of the group.
        met: Vec<BTreeSet<ClassKey>>,
        /// Packed values.
        values: Vec<u16>,
    },
    /// The group leads to these classes too, which must be solved first.
    Meets(BTreeSet<ClassKey>),
}

/// Returns the offset of each class's first index.
pub(super) fn offsets(classes: &[Class]) -> Vec<u32> {
    let begins = classes.iter().scan(0, |at, class| {
        let here = *at;
        *at += class.len() as u32;
        Some(here)
    });
    begins.collect()
}

//! The result of solving a group of classes that lead to each other, which is independent of the method.

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

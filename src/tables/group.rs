//! What comes of solving a group of classes that lead to each other, whichever way it is solved.

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

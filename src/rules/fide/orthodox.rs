//! Orthodox chess as a rule set: the one from which all others differ.

use crate::{Facts, Plain, Rules};
use position::Layout;

/// Orthodox chess. Only the promises differ from the defaults.
#[derive(Clone, Copy, Debug)]
pub struct Fide;

impl<W: Layout> Rules<W> for Fide {
    const FACTS: Facts = Facts {
        flights: true,
        plain: Plain::Lasting,
        ..Facts::SYMMETRIC.with_independent_steps()
    };
}

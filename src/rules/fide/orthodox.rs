//! Orthodox chess as a rule set, the one from which all others differ.

use crate::{Plain, Rules, Symmetries};
use board::Board;
use position::Layout;

/// Orthodox chess. It overrides only what it promises to searches.
#[derive(Clone, Copy, Debug)]
pub struct Fide;

impl<W: Layout> Rules<W> for Fide {
    const PLAIN: Plain = Plain::Lasting;
    const FLIGHTS: bool = true;

    fn symmetries(&self, _: &Board<W::Set>) -> Symmetries {
        Symmetries::ALL
    }
}

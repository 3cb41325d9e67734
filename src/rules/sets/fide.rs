//! # Orthodox chess
//!
//! The FIDE Laws of Chess, articles 3 and 5, without the rules that ask for a claim: neither
//! repetition nor the count of moves ends a game. The base that all others differ from.
//!
//! ## Rulings
//! * The double step exists only on boards of six or more ranks; second and last rank are the
//!   board's own.
//! * Castling exists only on boards of exactly eight files, with king and rooks on files e, a, h
//!   of their owner's first rank.
//! * A hole stops slides, double steps and castling; leaps pass it.

use crate::board::Board;
use crate::position::Layout;
use crate::rules::registry::Card;
use crate::rules::{Plain, Rules, Symmetries};

/// The registry entry.
pub static CARD: Card = Card::FIDE;

/// Orthodox chess: overrides nothing but a promise to searches.
#[derive(Clone, Copy, Debug)]
pub struct Fide;

impl<W: Layout> Rules<W> for Fide {
    const PLAIN: Plain = Plain::Lasting;
    const FLIGHTS: bool = true;

    fn symmetries(&self, _: &Board<W::Set>) -> Symmetries {
        Symmetries::ALL
    }
}

//! Wrong rules that tests plant to find out which evidence detects them. Compiled only for tests.

use std::sync::atomic::{AtomicU8, Ordering};

/// A wrong rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Fault {
    /// Castling is not possible.
    NoCastling = 1,
    /// Pawns have no double step.
    NoDoubleStep,
    /// Pawns are never captured en passant.
    NoEnPassant,
    /// Pawns promote to the first kind only.
    OnePromotion,
    /// The loser of a game is reported as its winner.
    WinnerSwapped,
    /// Draws are reported as wins of White.
    DrawsAreWins,
    /// Royal units are never attacked.
    NoCheck,
    /// Knights leap (1, 3) squares.
    LongKnights,
    /// Pawns do not capture.
    PawnsDoNotCapture,
    /// Bishops pass over units.
    BishopsPass,
}

/// All wrong rules.
pub const ALL: [Fault; 10] = [
    Fault::NoCastling,
    Fault::NoDoubleStep,
    Fault::NoEnPassant,
    Fault::OnePromotion,
    Fault::WinnerSwapped,
    Fault::DrawsAreWins,
    Fault::NoCheck,
    Fault::LongKnights,
    Fault::PawnsDoNotCapture,
    Fault::BishopsPass,
];

static PLANTED: AtomicU8 = AtomicU8::new(0);

/// Plants a wrong rule for all threads of the process, or with `None` restores the correct rules.
pub fn plant(fault: Option<Fault>) {
    PLANTED.store(fault.map_or(0, |fault| fault as u8), Ordering::SeqCst);
}

pub(crate) fn is_planted(fault: Fault) -> bool {
    PLANTED.load(Ordering::Relaxed) == fault as u8
}

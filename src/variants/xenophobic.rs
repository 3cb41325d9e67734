//! # Xenophobic Chess
//!
//! No stranger is suffered in the middle of the back rank: an enemy unit there is a check, and the
//! only answer to it is its capture.
//!
//! ## Against FIDE
//! | FIDE | Xenophobic |
//! |---|---|
//! | check is an attack on the king | also an enemy unit on one of the four middle squares of one's first rank |
//! | | such an intruder must be captured at once |
//!
//! ## Rulings
//! * Middle squares: c1, d1, e1, f1 for White, c8, d8, e8, f8 for Black. On other widths the four
//!   files from (files - 4) / 2, rounded down, counted from 0; all files if there are fewer.
//! * A legal turn leaves the own king unattacked and no intruder. So two intruders, or an intruder
//!   together with a check that its capture does not end, are mate.
//! * A king may intrude; as it can never be captured, that is checkmate.
//! * Without a legal turn: **checkmate** if the king is attacked or there is an intruder, else
//!   stalemate, a draw.
//!
//! ## Example
//! `7k/8/8/8/8/8/8/1K2R3 w - - 0 1`: `e1e8` both checks and intrudes; Black cannot capture the
//! rook: **checkmate**.

use board::{Board, Color, Squares};
use position::{BoardOf, Layout, Position};
use rules::{Facts, Rules, Symmetries, reason};
use rules::{STALEMATE, VariantInfo};

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "xenophobic",
    name: "Xenophobic Chess",
    difference: "an enemy unit on the middle of one's first rank is a check that only its capture ends",
    reasons: &[
        (
            reason::CHECKMATE,
            "the side to move is in check or has an intruder, and has no legal turn: it loses",
        ),
        STALEMATE,
    ],
    ..crate::parts::goal_variant::<Xenophobic>(include_str!("xenophobic.rs"))
};

/// Number of squares of each first rank on which enemy units are intruders.
const GUARDED: u8 = 4;

/// Xenophobic Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Xenophobic;

/// Returns the middle squares of a side's first rank.
pub fn middle<S: Squares>(b: &Board<S>, color: Color) -> S {
    let geometry = b.geometry();
    let first = geometry.files().saturating_sub(GUARDED) / 2;
    b.rank_of(color, 0)
        .iter()
        .filter(|&square| (first..first + GUARDED).contains(&geometry.file(square)))
        .fold(S::EMPTY, S::with)
}

impl<W: Layout> Rules<W> for Xenophobic {
    const FACTS: Facts = Facts::DEFAULT.with_independent_steps();

    fn zones(&self, b: &BoardOf<W>) -> [W::Set; 4] {
        let [white, black] = Color::BOTH.map(|color| middle(b, color));
        [white, black, W::Set::EMPTY, W::Set::EMPTY]
    }

    fn intruders(&self, b: &BoardOf<W>, p: &Position<W>, color: Color) -> W::Set {
        b.zone(color.index()) & p.color(!color)
    }

    // On an odd number of files, the four middle files are not symmetric. The ranks of the middle squares
    // differ from the others.
    fn symmetries(&self, b: &BoardOf<W>) -> Symmetries {
        let files = b.geometry().files();
        Symmetries {
            files: files < 4 || files.is_multiple_of(2),
            ranks: false,
            diagonals: false,
            colors: true,
        }
    }
}

//! # Bachelor Chess
//!
//! Forty-two squares and no queens at the start. A player whose king stands next to a queen of their
//! own after their turn has married and won.
//!
//! ## Against FIDE
//! | FIDE | Bachelor |
//! |---|---|
//! | 8x8, standard array | 7x6; rook, two knights, king, two bishops, rook; seven pawns |
//! | double step, en passant | neither |
//! | only pawns promote | pawns must; Q, R, B, N that end a step on the last rank may change too |
//! | checkmate wins | so does marriage |
//! | castling from the e-file | from the d-file, two squares either way |
//!
//! ## Rulings
//! * Every Q, R, B or N that ends its step on its owner's last rank, also one that came from
//!   there, may stay what it is (written without a letter) or become any other of the four.
//! * Castling: the king d1 goes two squares towards the rook, the rook to the square passed
//!   (`d1b1` on the Knights' side, `d1f1` on the Bishops' side); all else as in orthodox chess.
//!   It exists on boards of exactly seven files.
//! * Every turn leaves the own king out of check, so a marriage never hides one. Only the side
//!   that has just moved is tested; a side to move that is already married plays on.
//! * Marriage comes before checkmate; stalemate is a draw.
//! * "Engaged" (mark E): the player would have a turn that marries if it were their turn again.

use board::{Kind, Squares};
use position::{BoardOf, Layout, Position};
use rules::{Castling, Facts, Outcome, Plain, Reason, Rules, Symmetries};
use rules::{MATE, STALEMATE, VariantInfo};

/// The mover's king is next to a queen of the same side.
pub const MARRIAGE: Reason = "marriage";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "bachelor",
    name: "Bachelor Chess",
    inventor: "Doug Chatham",
    page: "The Chess Variant Pages, 42-Square Variant Contest, 2002",
    difference: "7x6; a side whose king is next to a queen of its own after its turn wins; pieces promote too",
    reasons: &[
        (
            MARRIAGE,
            "the mover's king is next to a queen of the mover: the mover wins",
        ),
        MATE,
        STALEMATE,
    ],
    start: |_| "rnnkbbr/ppppppp/7/7/PPPPPPP/RNNKBBR w AGag - 0 1".to_string(),
    castling_letters: ['G', 'A'],
    ..VariantInfo::of::<Bachelor>(include_str!("bachelor.rs"))
};

/// Bachelor Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bachelor;

impl<W: Layout> Rules<W> for Bachelor {
    const FACTS: Facts = Facts {
        flights: true,
        changes: &[Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight],
        plain: Plain::Settling,
        // Pieces change on their last rank. Apart from the home squares of castling, all files are alike.
        symmetries: Symmetries {
            files: true,
            ranks: false,
            diagonals: false,
            colors: true,
        },
        double_step: false,
        castling: Some(Castling { files: 7, king: 3 }),
        ..Facts::DEFAULT.with_independent_steps()
    };

    fn settled(&self, b: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        let mover = !p.side;
        let queens = p.units(mover, Kind::Queen);
        if queens.is_empty() {
            return None;
        }
        let king = p.units(mover, Kind::King).first()?;
        let married = !(b.leap(Kind::King, king) & queens).is_empty();
        married.then_some(Outcome::Win(mover, MARRIAGE))
    }
}

//! # Entourage Chess
//!
//! A side that captures the enemy king wins, and a side that captures an enemy queen, rook, bishop or
//! knight beside the enemy king wins as well.
//!
//! ## Against FIDE
//! | FIDE | Entourage |
//! |---|---|
//! | check and checkmate | none: the king may be attacked and captured |
//! | castling out of, through or into check is illegal | attacks do not matter to castling |
//! | checkmate wins | capturing the king, or a piece (no pawn) next to it, wins |
//!
//! ## Rulings
//! * Next to the king is a king's step away in any of the eight directions, before the turn.
//! * That the entourage was hit cannot be seen from the board: the state says
//!   `over=entourage-captured`, and the mover has won.
//! * A side without a king has lost; the side to move is checked first, and this before `over`.
//! * No legal turn is a draw.
//!
//! ## Example
//! From the start after 1 e2e4 e7e5 2 d1h5 b8c6 3 `h5f7` takes only a pawn next to the king and
//! the game continues. From `3qk3/8/8/8/8/8/8/3RK3 w - - 0 1` the capture `d1d8` takes the queen
//! beside her king: White has won.

use crate::parts::over::{self, Over};
use crate::parts::{capture, extinction};
use board::{Kind, Squares};
use position::{BoardOf, Layout, Position};
use rules::VariantInfo;
use rules::{Carried, Facts, Outcome, Reason, Rules, Safety, Turn, reason};

/// The mover has captured a piece next to the enemy king.
pub const ENTOURAGE_CAPTURED: Reason = "entourage-captured";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "entourage",
    name: "Entourage Chess",
    difference: "no check; capture the king, or a piece next to it, to win",
    state: &[(
        over::KEY,
        "entourage-captured: the mover has just won by that",
    )],
    reasons: &[
        capture::KING_CAPTURED,
        (
            ENTOURAGE_CAPTURED,
            "the mover captured a Q, R, B or N next to the enemy king: the mover wins",
        ),
        capture::STALEMATE,
    ],
    ..crate::parts::goal_variant::<Entourage>(include_str!("entourage.rs"))
};

static OVER: Over = Over(&[ENTOURAGE_CAPTURED]);

/// Entourage Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entourage;

impl<W: Layout> Rules<W> for Entourage {
    const FACTS: Facts = Facts {
        safety: Safety::NoRoyals,
        ..Facts::SYMMETRIC.with_independent_steps()
    };

    fn update_state(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        let step = turn.first();
        let piece = !matches!(
            capture::victim(p, step),
            None | Some(Kind::Pawn | Kind::King)
        );
        let kings = p.units(!p.side, Kind::King);
        if piece && !(b.leap(Kind::King, step.to) & kings).is_empty() {
            after.state = 1;
        }
    }

    fn settled(&self, _: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        extinction::lost(p, p.kind(Kind::King), reason::KING_CAPTURED).or_else(|| OVER.settled(p))
    }

    fn carried(&self) -> &dyn Carried<W> {
        &OVER
    }
}

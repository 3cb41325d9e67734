//! # Twilight Chess
//!
//! Five ways to win: checkmate, stalemate, and taking the last of the enemy's pawns, minor
//! pieces, or major pieces.
//!
//! ## Against FIDE
//! | FIDE | Twilight |
//! |---|---|
//! | checkmate wins | so does capturing the last pawn, the last knight or bishop, the last rook or queen |
//! | stalemate is a draw | the stalemated side loses |
//!
//! ## Rulings
//! * What counts is a capture. A class that ran out by promotion, or that was never there, loses
//!   nothing.
//! * A promoted unit counts as what it has become.
//! * The capture is stored in the state as `over=` with its reason; it comes before checkmate. In a
//!   FEN the side to move must lack the class that `over` names.
//! * A capture that ends a check and takes the last of a class wins like any other.
//!
//! ## Example
//! `4k3/8/8/3n4/4B3/8/8/4K3 w - - 0 1`: `e4d5` takes the last of Black's minor pieces:
//! **minors-eliminated**.

use crate::parts::over::{self, Over};
use board::{Kind, Squares};
use position::{BoardOf, Layout, Position};
use rules::{Carried, Facts, Legality, Outcome, Reason, Rules, Turn, fide, reason};
use rules::{MATE, VariantInfo};

/// The opponent's last pawn was captured.
pub const PAWNS_ELIMINATED: Reason = "pawns-eliminated";
/// The last of the opponent's knights and bishops was captured.
pub const MINORS_ELIMINATED: Reason = "minors-eliminated";
/// The last of the opponent's queens and rooks was captured.
pub const MAJORS_ELIMINATED: Reason = "majors-eliminated";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "twilight",
    name: "Twilight Chess",
    difference: "capturing the last pawn, the last minor or the last major piece wins; so does stalemate",
    state: &[(over::KEY, "the mover has just won, by this reason")],
    reasons: &[
        (
            PAWNS_ELIMINATED,
            "the last turn captured the last pawn of the side to move: it loses",
        ),
        (
            MINORS_ELIMINATED,
            "the last turn captured the last knight or bishop of the side to move: it loses",
        ),
        (
            MAJORS_ELIMINATED,
            "the last turn captured the last queen or rook of the side to move: it loses",
        ),
        MATE,
        (
            reason::STALEMATE,
            "the side to move has no legal turn and is not in check: it loses",
        ),
    ],
    ..crate::parts::goal_variant::<Twilight>(include_str!("twilight.rs"))
};

static OVER: Over = Over(&[PAWNS_ELIMINATED, MINORS_ELIMINATED, MAJORS_ELIMINATED]);

/// The kinds of each class, in the order of [`OVER`].
const CLASSES: [&[Kind]; 3] = [
    &[Kind::Pawn],
    &[Kind::Knight, Kind::Bishop],
    &[Kind::Queen, Kind::Rook],
];

/// Returns the units of a class.
fn class<W: Layout>(p: &Position<W>, kinds: &[Kind]) -> W::Set {
    kinds
        .iter()
        .fold(W::Set::EMPTY, |set, &kind| set | p.kind(kind))
}

/// Twilight Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Twilight;

impl<W: Layout> Rules<W> for Twilight {
    const FACTS: Facts = Facts::SYMMETRIC.with_independent_steps();

    fn update_state(&self, _: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        after.state = 0;
        if let Some(kind) = fide::captured(p, turn)
            && let Some(lost) = CLASSES.iter().position(|kinds| kinds.contains(&kind))
            && (class(after, CLASSES[lost]) & after.color(after.side)).is_empty()
        {
            after.state = lost as u64 + 1;
        }
    }

    fn settled(&self, _: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        OVER.settled(p)
    }

    fn no_turn(&self, b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        match fide::no_turn(self, b, p) {
            Outcome::Draw(reason) => Outcome::Win(!p.side, reason),
            outcome => outcome,
        }
    }

    fn check_position(&self, b: &BoardOf<W>, p: &Position<W>) -> Legality {
        let Some(lost) = (p.state as usize).checked_sub(1) else {
            return Ok(());
        };
        let (reason, kinds) = (OVER.0[lost], CLASSES[lost]);
        match (class(p, kinds) & p.color(p.side)).first() {
            None => Ok(()),
            Some(square) => Err(format!(
                "`over={reason}` contradicts the position: the side to move still has such a unit on {}",
                b.geometry().name(square)
            ).into()),
        }
    }

    fn carried(&self) -> &dyn Carried<W> {
        &OVER
    }
}

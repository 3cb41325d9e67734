//! # Separation Chess
//!
//! King and queen are both royal and may not share a quarter of the board. The queen goes as a
//! knight, the knights go as queens.
//!
//! ## Against FIDE
//! | FIDE | Separation |
//! |---|---|
//! | queen slides in eight directions | leaps as a knight, is royal and never captured |
//! | knight leaps | goes as an orthodox queen |
//! | the king may not be left attacked | nor the queen, unless both were attacked and she stays where she is |
//! | king and queen go where they like | neither ends its step in the other's quadrant |
//! | stalemate is a draw | it loses if only the quadrant rule forbids a turn |
//! | promotion to Q, R, B, N | to R, B, N |
//! | castling | none |
//!
//! ## Rulings
//! * The board is cut in the middle of its files and ranks; a middle file or rank belongs to the
//!   right or upper part.
//! * A step within a quadrant that king and queen already share is illegal too.
//! * With both attacked the check to the king has to be met; the queen may stay attacked, but may
//!   not step to another attacked square.
//! * No legal turn: `checkmate` if king or queen is attacked, else `same-quadrant` if some turn
//!   is illegal for its quadrant alone, both lost for the side to move; else a draw.
//!
//! ## Example
//! `4k3/8/8/8/8/8/8/3QK3 w - - 0 1`: king e1 and queen d1 are in different quadrants; the king
//! may not go to d2, in the quadrant of the queen, nor the queen to e3 or f2, in the king's. White
//! has `d1b2`, `d1c3`, `e1e2`, `e1f1` and `e1f2`.

use crate::parts::monarchs;
use board::{Color, Kind, Men, Movement, Squares};
use position::{BoardOf, Layout, Position};
use rules::{
    Each, Facts, Flow, Legality, Outcome, Reason, Rules, Safety, Symmetries, Turn, fide, reason,
};
use rules::{STALEMATE, VariantInfo};

/// Only the quadrant rule leaves the side to move without a legal turn.
pub const SAME_QUADRANT: Reason = "same-quadrant";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "separation",
    name: "Separation Chess",
    difference: "king and queen are royal and may not step into one quadrant; queens and knights swap moves",
    reasons: &[
        monarchs::MATE_OF_EITHER,
        (
            SAME_QUADRANT,
            "the side to move is not in check, and its only turns bring king and queen into one quadrant: it loses",
        ),
        STALEMATE,
    ],
    start: |_| fide::START_NO_CASTLING.to_string(),
    ..crate::parts::goal_variant::<Separation>(include_str!("separation.rs"))
};

static MEN: Men = Men::FIDE
    .with(Kind::Queen, Movement::KNIGHT)
    .with(Kind::Knight, Movement::QUEEN);

/// Separation Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Separation;

/// Returns the quadrant that a unit of this kind may not enter: the queen's quadrant for the king, and the
/// king's quadrant for the queen.
#[inline(always)]
fn shared<W: Layout>(b: &BoardOf<W>, p: &Position<W>, kind: Kind) -> W::Set {
    let other = match kind {
        Kind::King => p.units(p.side, Kind::Queen),
        Kind::Queen => p.units(p.side, Kind::King),
        _ => W::Set::EMPTY,
    };
    (0..4)
        .map(|i| b.zone(i))
        .find(|quadrant| !(*quadrant & other).is_empty())
        .unwrap_or(W::Set::EMPTY)
}

/// Returns whether a turn brings the king or the queen into the quadrant of the other monarch.
#[inline]
fn joins<W: Layout>(b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> bool {
    let step = turn.first();
    shared(b, p, step.kind()).has(step.to)
}

/// Returns whether a turn satisfies the rules on attacks on the king and the queen.
fn unattacked<W: Layout>(
    b: &BoardOf<W>,
    before: &Position<W>,
    turn: &Turn,
    after: &Position<W>,
) -> bool {
    let us = before.side;
    let attacked = |p: &Position<W>, kind| {
        p.units(us, kind)
            .iter()
            .any(|square| fide::attacked(&Separation, b, p, square, !us))
    };
    !attacked(after, Kind::King)
        && (!attacked(after, Kind::Queen)
            || turn.first().kind() != Kind::Queen
                && attacked(before, Kind::King)
                && attacked(before, Kind::Queen))
}

impl<W: Layout> Rules<W> for Separation {
    const FACTS: Facts = Facts {
        safety: Safety::Lines,
        men: &MEN,
        castling: None,
        promotions: monarchs::LESSER,
        ..Facts::DEFAULT.with_independent_steps()
    };

    fn zones(&self, b: &BoardOf<W>) -> [W::Set; 4] {
        let geometry = b.geometry();
        let (file, rank) = (geometry.files() / 2, geometry.ranks() / 2);
        let mut quadrants = [W::Set::EMPTY; 4];
        for square in b.squares().iter() {
            let right = usize::from(geometry.file(square) >= file);
            let upper = usize::from(geometry.rank(square) >= rank);
            quadrants[2 * upper + right] |= W::Set::of(square);
        }
        quadrants
    }

    fn royals(&self, p: &Position<W>, color: Color) -> W::Set {
        monarchs::monarchs(p, color)
    }

    fn guarded_royals(&self, b: &BoardOf<W>, p: &Position<W>) -> W::Set {
        let royals = monarchs::monarchs(p, p.side);
        let attacked = fide::royals_attacked(self, b, p, p.side);
        if attacked.several() {
            royals & p.kind(Kind::King)
        } else {
            royals
        }
    }

    fn royal_targets(&self, b: &BoardOf<W>, p: &Position<W>, kind: Kind) -> W::Set {
        b.squares() & !shared(b, p, kind)
    }

    fn is_safe(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &Position<W>) -> bool {
        !joins(b, p, turn) && unattacked(b, p, turn, after)
    }

    fn no_turn(&self, b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        let us = p.side;
        if fide::in_check(self, b, p, us) {
            return Outcome::Win(!us, reason::CHECKMATE);
        }
        let mut joining = false;
        let _: Flow = fide::pseudo(
            self,
            b,
            p,
            &mut Each(|turn: Turn| {
                let after = fide::moved(self, b, p, &turn);
                if joins(b, p, &turn) && unattacked(b, p, &turn, &after) {
                    joining = true;
                    return Flow::Break(());
                }
                Flow::Continue(())
            }),
        );
        if joining {
            Outcome::Win(!us, SAME_QUADRANT)
        } else {
            Outcome::Draw(reason::STALEMATE)
        }
    }

    fn unit_bounds(&self, _: Color) -> &[(Kind, u32, u32)] {
        monarchs::BOTH
    }

    // The queen of the side that has just moved may be attacked.
    fn check_no_opposite_check(&self, b: &BoardOf<W>, p: &Position<W>) -> Legality {
        let mover = !p.side;
        match fide::royals_attacked(self, b, p, mover) & p.units(mover, Kind::King) {
            none if none.is_empty() => Ok(()),
            king => Err(format!(
                "the king on {} of the side that has just moved is attacked",
                b.geometry().name(king.lowest())
            )
            .into()),
        }
    }

    fn refusal(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> String {
        if joins(b, p, turn) {
            "it brings king and queen into one quadrant".to_string()
        } else {
            fide::refusal(self, b, p, turn)
        }
    }

    // A middle file belongs to the right half, and a middle rank to the upper half, so an odd number of files
    // or ranks is not symmetric.
    fn symmetries(&self, b: &BoardOf<W>) -> Symmetries {
        let even = |n: u8| n.is_multiple_of(2);
        let (files, ranks) = (even(b.geometry().files()), even(b.geometry().ranks()));
        Symmetries {
            files,
            ranks,
            diagonals: files && ranks,
            colors: ranks,
        }
    }
}

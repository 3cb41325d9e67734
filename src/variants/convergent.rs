//! # Convergent Chess
//!
//! A board of 6x6 with two royal squares at each end. A king is in check when it is
//! attacked, and also when an enemy unit stands on one of its side's royal squares; checkmate and
//! stalemate both win.
//!
//! ## Against FIDE
//! | FIDE | Convergent |
//! |---|---|
//! | 8x8 | 8x8 with 24 squares of the edge missing: 40 squares |
//! | pawn | one diagonally ahead, capturing or not; one straight ahead or, from a corner of the 6x6, sideways, not capturing; no double step, no promotion |
//! | bishop, rook | at most three squares |
//! | queen | leaps one or two squares in any of the eight directions |
//! | castling | none |
//! | check | also by an enemy unit on an own royal square, which must be captured at once |
//! | stalemate is a draw | it loses |
//!
//! ## Rulings
//! * White's royal squares are d1 and e1, Black's d8 and e8. On any board: of the n existing
//!   squares of the first and of the last rank, numbered from 0, the squares (n-1)/2 and n/2,
//!   rounded down; a rank without squares has none.
//! * Corners are the first and the last existing square of the second and of the last rank but
//!   one.
//! * A pawn with no square ahead stays where it is, as a pawn.
//! * A king never gives check by attacking, yet kings may not stand next to each other. A king on
//!   a royal square gives check, and as it cannot be captured, that is mate.

use board::{Board, Color, Kind, Men, Movement, Square, Squares};
use position::{BoardOf, Layout, Position};
use rules::{Action, Facts, Flow, Outcome, Plain, Rules, Sink, Symmetries, fide, reason};
use rules::{MATE, VariantInfo};

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "convergent",
    name: "Convergent Chess",
    inventor: "A. J. Winkelspecht",
    page: "The Chess Variant Pages, 40-square contest, 1999",
    difference: "40 squares; an enemy unit on one's royal squares is check; weaker pieces, stronger pawns",
    reasons: &[
        MATE,
        (
            reason::STALEMATE,
            "the side to move has no legal turn and is not in check: it loses",
        ),
    ],
    start: |_| {
        "***qk***/*rnbbnr*/*pppppp*/*6*/*6*/*PPPPPP*/*RNBBNR*/***QK*** w - - 0 1".to_string()
    },
    ..VariantInfo::of::<Convergent>(include_str!("convergent.rs"))
};

const QUEEN: Movement = Movement::Leaper(&[
    (1, 0),
    (2, 0),
    (1, 1),
    (2, 2),
    (0, 1),
    (0, 2),
    (-1, 1),
    (-2, 2),
    (-1, 0),
    (-2, 0),
    (-1, -1),
    (-2, -2),
    (0, -1),
    (0, -2),
    (1, -1),
    (2, -2),
]);

static MEN: Men = Men::FIDE
    .with(Kind::Bishop, Movement::bishop(3))
    .with(Kind::Rook, Movement::rook(3))
    .with(Kind::Queen, QUEEN);

/// The zone of the corners. It follows the zones of the royal squares of White and Black.
const CORNERS: usize = 2;

/// Convergent Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Convergent;

/// Returns the royal squares of a side.
pub fn royal_squares<S: Squares>(b: &Board<S>, color: Color) -> S {
    let rank: Vec<Square> = b.rank_of(color, 0).iter().collect();
    match rank.len() {
        0 => S::EMPTY,
        n => S::of(rank[(n - 1) / 2]) | S::of(rank[n / 2]),
    }
}

/// Returns the corners from which pawns of either side may go sideways.
pub fn corners<S: Squares>(b: &Board<S>) -> S {
    let ranks = b.geometry().ranks();
    if ranks < 2 {
        return S::EMPTY;
    }
    [1, ranks - 2]
        .into_iter()
        .map(|rank| b.rank_set(rank))
        .filter(|squares| !squares.is_empty())
        .fold(S::EMPTY, |set, squares| {
            set.with(squares.lowest()) | squares.highest_or_zero()
        })
}

impl<W: Layout> Rules<W> for Convergent {
    const FACTS: Facts = Facts {
        plain: Plain::Lasting,
        // The ranks of the royal squares differ from the others.
        symmetries: Symmetries {
            files: true,
            ranks: false,
            diagonals: false,
            colors: true,
        },
        men: &MEN,
        double_step: false,
        castling: None,
        promotions: &[],
        ..Facts::DEFAULT.with_independent_steps()
    };

    fn zones(&self, b: &BoardOf<W>) -> [W::Set; 4] {
        let [white, black] = Color::BOTH.map(|color| royal_squares(b, color));
        [white, black, corners(b), W::Set::EMPTY]
    }

    fn intruders(&self, b: &BoardOf<W>, p: &Position<W>, color: Color) -> W::Set {
        b.zone(color.index()) & p.color(!color)
    }

    fn pawn_steps<K: Sink<W> + ?Sized>(
        &self,
        b: &BoardOf<W>,
        p: &Position<W>,
        pawns: W::Set,
        targets: W::Set,
        c: &mut K,
    ) -> Flow {
        let vacant = targets & !p.occupied();
        c.pawns(
            b.ahead(p.side),
            b.pushed(pawns, p.side) & vacant,
            Action::Go,
        )?;
        let open = vacant | targets & self.capturable(b, p, Kind::Pawn);
        for (offset, aside) in b.pushed_aside(pawns, p.side) {
            c.pawns(offset, aside & open, Action::Go)?;
        }
        let cornered = pawns & b.zone(CORNERS);
        if !cornered.is_empty() {
            for (offset, targets) in b.sideways(cornered) {
                c.pawns(offset, targets & vacant, Action::Go)?;
            }
        }
        Flow::Continue(())
    }

    fn no_turn(&self, b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        let reason = if fide::in_check(self, b, p, p.side) {
            reason::CHECKMATE
        } else {
            reason::STALEMATE
        };
        Outcome::Win(!p.side, reason)
    }

    fn no_pawns(&self, _: &BoardOf<W>, _: Color) -> W::Set {
        W::Set::EMPTY
    }
}

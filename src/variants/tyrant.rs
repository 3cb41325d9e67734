//! # Tyrant Chess
//!
//! Only kings and queens capture, and they cannot be done away with: the capturer puts a captured
//! king or queen back on the board. The side that has captured everything else wins.
//!
//! ## Against FIDE
//! | FIDE | Tyrant |
//! |---|---|
//! | check and checkmate | none: the king may be attacked and captured |
//! | castling, en passant | neither |
//! | every unit captures | only K and Q |
//! | a captured unit is gone | a captured K or Q is put back in the same turn, by the capturer |
//! | promotion to Q, R, B, N | to R, B, N |
//! | checkmate wins | leaving the opponent nothing but K and Q wins |
//!
//! ## Rulings
//! * A captured K or Q goes to a vacant square, on any rank, that no K or Q of the mover attacks
//!   after the capture; the square that the capturer left is vacant then (although the player always
//!   attacks it). `d1d8+Q@a5` is one turn. Without such a square the capture is illegal.
//! * A side with no unit but K and Q has lost; the side to move is checked first.
//! * No legal turn is a draw.
//!
//! ## Example
//! `q3k3/7p/8/8/8/8/7P/Q3K3 w - - 0 1`: `a1a8+Q@b1` is a turn. `a1a8+Q@d5` is none, for the queen
//! on a8 attacks d5, nor is `a1a8+Q@d1`, for the king does. 37 squares are left to choose from.

use crate::parts::{capture, extinction};
use board::{Kind, Men, Squares};
use position::{BoardOf, Layout, Position};
use rules::VariantInfo;
use rules::{Attack, Facts, Flow, Outcome, Rules, Safety, Sink, Step, Turn, fide, reason};

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "tyrant",
    name: "Tyrant Chess",
    difference: "only K and Q capture, and are put back when captured; capture all else to win",
    reasons: &[
        (
            reason::ANNIHILATED,
            "a side with no unit but K and Q has lost; the side to move is checked first",
        ),
        capture::STALEMATE,
    ],
    start: |_| fide::START_NO_CASTLING.to_string(),
    ..crate::parts::goal_variant::<Tyrant>(include_str!("tyrant.rs"))
};

/// Returns the kings and queens. Only they capture, and if captured, they are put back on the board.
#[inline(always)]
fn monarchs<W: Layout>(p: &Position<W>) -> W::Set {
    p.kind(Kind::King) | p.kind(Kind::Queen)
}

/// Returns the squares on which the mover may put a monarch that is captured with this step.
fn exiles<W: Layout>(b: &BoardOf<W>, p: &Position<W>, step: Step) -> W::Set {
    let own = p.color(p.side);
    let occupied = p.occupied().without(step.from);
    let mut squares = b.squares() & !occupied;
    for kind in [Kind::King, Kind::Queen] {
        let mut units = own & p.kind(kind);
        if step.kind() == kind {
            units = units.without(step.from).with(step.to);
        }
        for from in units.iter() {
            squares &= !b.reach(kind, from, occupied);
        }
    }
    squares
}

/// Tyrant Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tyrant;

impl<W: Layout> Rules<W> for Tyrant {
    const FACTS: Facts = Facts {
        safety: Safety::NoRoyals,
        castling: None,
        promotions: &[Kind::Rook, Kind::Bishop, Kind::Knight],
        ..Facts::SYMMETRIC
    };

    fn attackers(&self, b: &BoardOf<W>, p: &Position<W>, attack: Attack<W::Set>) -> W::Set {
        fide::attackers(&Men::FIDE, b, p, attack) & monarchs(p)
    }

    fn capturable(&self, _: &BoardOf<W>, p: &Position<W>, by: Kind) -> W::Set {
        match by {
            Kind::King | Kind::Queen => p.color(!p.side),
            _ => W::Set::EMPTY,
        }
    }

    fn pseudo<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        let pawns = p.units(p.side, Kind::Pawn);
        self.pawn_steps(b, p, pawns, b.squares(), c)?;
        let prey = monarchs(p) & p.color(!p.side);
        for kind in fide::PIECES {
            let allowed = !(p.occupied() & !self.capturable(b, p, kind));
            for from in p.units(p.side, kind).iter() {
                let targets = self.reach(b, p, kind, from) & allowed;
                c.unit(kind, from, targets & !prey)?;
                for to in (targets & prey).iter() {
                    let step = Step::go(kind, from, to);
                    for square in exiles(b, p, step).iter() {
                        c.turn(Turn::two(step, Step::place(p.kind_on(to), square)))?;
                    }
                }
            }
        }
        Flow::Continue(())
    }

    // The second step places a unit of the opponent, not of the mover.
    fn effect(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        let [capture, exile] = turn.steps;
        *after = fide::moved(self, b, p, &Turn::of(capture));
        if !exile.is_none() {
            after.put(!p.side, exile.kind(), exile.to);
        }
    }

    fn settled(&self, _: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        extinction::lost(p, p.occupied() & !monarchs(p), reason::ANNIHILATED)
    }

    fn en_passant(&self, _: &Position<W>) -> bool {
        false
    }
}

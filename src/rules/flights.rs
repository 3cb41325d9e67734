//! Finds the legal turns that may checkmate, without playing them: checks after which the king can step
//! to a flight are left out.
//!
//! Preconditions: the rule set promises orthodox flights ([`Facts::flights`](crate::Facts::flights)), its safety is
//! [`Safety::Pins`](super::Safety::Pins), and it does not filter turns.

use super::checks::{Checking, Lines};
use super::{Action, Each, Flow, Rules, Turn, fide};
use board::{Board, Kind, Men, Square, Squares};
use position::{BoardOf, Layout, Position};
use smallvec::SmallVec;

/// A square next to the enemy king that at most one unit of the side to move attacks.
struct Flight<S> {
    square: Square,
    /// Units that may open a line to the square when they move away.
    minders: S,
    /// The unit that attacks it, if there is one.
    guards: S,
    /// Whether a unit of the king's own side is there.
    filled: bool,
}

/// The squares that the enemy king may step to after a turn of the side to move.
struct Flights<S> {
    flights: SmallVec<[Flight<S>; 8]>,
    /// All units except the king.
    left: S,
}

impl<S: Squares> Flights<S> {
    /// Returns the flights of the enemy king on `king`. All rule sets share this code.
    #[inline(never)]
    fn new<W: Layout<Set = S>>(
        men: &Men,
        b: &Board<S>,
        p: &Position<W>,
        king: Option<Square>,
    ) -> Flights<S> {
        let us = p.side;
        let mut flights = SmallVec::new();
        let mut left = p.occupied();
        if let Some(king) = king {
            left = left.without(king);
            for square in b.leap(Kind::King, king).iter() {
                let guards = fide::attackers(men, b, p, square, us, left);
                if !guards.several() {
                    flights.push(Flight {
                        square,
                        minders: openers(men, b, p, square, left),
                        guards,
                        filled: p.color(!us).has(square),
                    });
                }
            }
        }
        Flights { flights, left }
    }

    /// Returns whether, after this turn, the king can certainly step to a flight or capture the unit that
    /// moved.
    #[inline(always)]
    fn evades<W: Layout<Set = S>>(&self, b: &Board<S>, p: &Position<W>, turn: &Turn) -> bool {
        let step = turn.first();
        let (from, to) = (step.from, step.to);
        let kind = step.becomes().unwrap_or(step.kind());
        let seen = if kind == Kind::Pawn {
            b.pawn_captures(p.side, to)
        } else {
            b.reach(kind, to, self.left.without(from))
        };
        self.flights.iter().any(|flight| {
            flight.guards.without(from).is_empty()
                && !flight.minders.has(from)
                && (flight.square == to || !flight.filled && !seen.has(flight.square))
        })
    }
}

/// Returns the units of the side to move that may open one of its lines to a square when they move away.
#[inline(always)]
fn openers<W: Layout>(
    men: &Men,
    b: &BoardOf<W>,
    p: &Position<W>,
    square: Square,
    occupied: W::Set,
) -> W::Set {
    let own = p.color(p.side);
    let behind = fide::slider_attackers(men, b, p, square, p.side, occupied & !own);
    behind.iter().fold(W::Set::EMPTY, |found, sniper| {
        let line = b.between(square, sniper) & own;
        if line.several() { found } else { found | line }
    })
}

/// Hands over every legal turn that gives checkmate, and some others. The position must not be settled.
#[inline]
pub fn mating<W: Layout, R: Rules<W>>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    mut found: impl FnMut(Turn) -> Flow,
) -> Flow {
    let us = p.side;
    let lines = Lines::new(r, b, p);
    let kings = r.royals(p, us);
    // Steps of the side's own king are costly to find and rarely give check.
    let still = lines.zone.is_empty()
        && (kings & lines.openers).is_empty()
        && p.rights.0 >> (us.index() * 2) & 3 == 0;
    let movers = if still {
        b.squares() & !kings
    } else {
        b.squares()
    };
    let mut flights = None;
    let mut checking = Checking {
        lines,
        found: Each(|turn: Turn| {
            let simple = turn.steps[1].is_none()
                && matches!(turn.first().action(), Action::Go | Action::DoubleStep);
            if simple
                && flights
                    .get_or_insert_with(|| Flights::new(r.men(), b, p, r.royals(p, !us).first()))
                    .evades(b, p, &turn)
            {
                return Flow::Continue(());
            }
            found(turn)
        }),
    };
    fide::unfiltered_by_pins(r, b, p, movers, &mut checking)
}

//! Finds the legal turns that may give checkmate, without playing them: checks after which the king can step
//! to a flight are left out.
//!
//! Preconditions: the rule set promises orthodox flights ([`Facts::flights`](crate::Facts::flights)), its
//! safety is [`Safety::Pins`](super::Safety::Pins), and it does not filter turns.

use super::checks::{Checking, Lines};
use super::{Action, Attack, Each, Flow, Rules, Turn, fide};
use board::{Board, Color, Kind, Men, Square, Squares};
use position::{BoardOf, Layout, Position};
use smallvec::SmallVec;

/// A possible flight: a square next to the enemy king that at most one unit of the side to move attacks.
struct Flight<S> {
    square: Square,
    /// The square of the unit that attacks it, if there is one.
    guards: S,
    /// Whether a unit of the king's own side is on the square.
    filled: bool,
    /// Units that may open a line to the square by moving away; computed on demand.
    openers: Option<S>,
}

/// The squares to which the enemy king may step after a turn of the side to move.
struct Flights<S> {
    flights: SmallVec<[Flight<S>; 8]>,
    /// The squares of all units except the enemy king.
    occupied_without_king: S,
}

impl<S: Squares> Flights<S> {
    /// Returns the flights of the enemy king on `king`. All rule sets share this code.
    #[inline(never)]
    fn new<W: Layout<Set = S>>(b: &Board<S>, p: &Position<W>, king: Option<Square>) -> Flights<S> {
        let (own, occupied) = (p.color(p.side), p.occupied());
        let mut flights = SmallVec::new();
        let Some(king) = king else {
            return Flights {
                flights,
                occupied_without_king: occupied,
            };
        };
        let occupied_without_king = occupied.without(king);
        let ring = b.leap(Kind::King, king);
        let (mut attacked, mut several) = (S::EMPTY, S::EMPTY);
        let mut guards: SmallVec<[(Square, S); 16]> = SmallVec::new();
        for kind in Kind::ALL {
            for from in (p.kind(kind) & own).iter() {
                let seen = ring & reached(b, p.side, kind, from, occupied_without_king);
                if !seen.is_empty() {
                    several |= attacked & seen;
                    attacked |= seen;
                    guards.push((from, seen));
                }
            }
        }
        for square in (ring & !several).iter() {
            let guard = guards.iter().find(|(_, seen)| seen.has(square));
            flights.push(Flight {
                square,
                guards: guard.map_or(S::EMPTY, |&(from, _)| S::of(from)),
                filled: p.color(!p.side).has(square),
                openers: None,
            });
        }
        Flights {
            flights,
            occupied_without_king,
        }
    }

    /// Returns whether the enemy king, after this turn, can certainly step to a flight or capture the unit
    /// that moved.
    #[inline(always)]
    fn evades<W: Layout<Set = S>>(
        &mut self,
        men: &Men,
        b: &Board<S>,
        p: &Position<W>,
        turn: &Turn,
    ) -> bool {
        let step = turn.first();
        let (from, to) = (step.from, step.to);
        let kind = step.becomes().unwrap_or(step.kind());
        let seen = reached(
            b,
            p.side,
            kind,
            to,
            self.occupied_without_king.without(from),
        );
        let occupied_without_king = self.occupied_without_king;
        self.flights.iter_mut().any(|flight| {
            let square = flight.square;
            flight.guards.without(from).is_empty()
                && (square == to || !flight.filled && !seen.has(square))
                && !flight
                    .openers
                    .get_or_insert_with(|| openers(men, b, p, square, occupied_without_king))
                    .has(from)
        })
    }
}

/// Returns the squares that a unit attacks.
#[inline(always)]
fn reached<S: Squares>(b: &Board<S>, by: Color, kind: Kind, from: Square, occupied: S) -> S {
    match kind {
        Kind::Pawn => b.pawn_captures(by, from),
        kind => b.reach(kind, from, occupied),
    }
}

/// Returns the units of the side to move that may open one of their side's lines to a square by moving away.
#[inline(always)]
fn openers<W: Layout>(
    men: &Men,
    b: &BoardOf<W>,
    p: &Position<W>,
    square: Square,
    occupied: W::Set,
) -> W::Set {
    let own = p.color(p.side);
    let sliders = Attack::on(square, p.side, occupied & !own).sliders(men, b, p);
    sliders.iter().fold(W::Set::EMPTY, |found, slider| {
        let line = b.between(square, slider) & own;
        if line.several() { found } else { found | line }
    })
}

/// Calls `found` with every legal turn that gives checkmate, and with some others. The position must not be
/// settled.
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
    // Turns of the side's own king are left out if they cannot give check, because finding them is costly.
    let king_cannot_check = lines.zone.is_empty()
        && (kings & lines.openers).is_empty()
        && p.rights.0 >> (us.index() * 2) & 3 == 0;
    let movers = if king_cannot_check {
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
                    .get_or_insert_with(|| Flights::new(b, p, r.royals(p, !us).first()))
                    .evades(r.men(), b, p, &turn)
            {
                return Flow::Continue(());
            }
            found(turn)
        }),
    };
    fide::unfiltered_by_pins(r, b, p, movers, &mut checking)
}

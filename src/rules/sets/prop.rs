//! # Prop Chess
//!
//! No step without support: a unit may go only where another unit of its side could have gone.
//! And whoever can go forward must. The first player without a turn loses.
//!
//! ## Against FIDE
//! | FIDE | Prop |
//! |---|---|
//! | check and checkmate | none: the king may stand attacked and be captured |
//! | a unit goes where it can | only where another unit of its side could go as well |
//! | any legal turn will do | if an allowed turn goes forward, only forward ones are legal |
//! | castling out of, through or into check is illegal | attacks do not matter, the king's target needs support |
//! | no legal turn: checkmate or stalemate | the side to move loses |
//! | counting moves ends nothing | 50 half-moves in a row without a capture are a draw |
//!
//! ## Rulings
//! * Support is a pseudo-legal step of another unit of the same side to the same square, in the
//!   position before the turn, whether or not that step would itself be allowed; castling
//!   supports nothing. A pawn supports a square diagonally ahead only if it could capture there
//!   now, also en passant; the squares straight ahead if it could go there.
//! * For castling the king's target must be supported, and the rook counts as another unit.
//! * Forward is to a rank further away from one's own side. Castling is sideways.
//! * The clock counts half-moves since the last capture, pawn steps included. It is part of the
//!   position. From 50 on the game is drawn, which is looked at before anything else.
//!
//! ## Example
//! The start position has eight turns: the four knight leaps and the single steps of the a-, c-,
//! f- and h-pawn support each other. `e2e4` is illegal: nothing else could go to e4.

use crate::board::{Board, Color, Kind, Square, Squares};
use crate::position::{Layout, Position};
use crate::rules::registry::Card;
use crate::rules::{
    Action, AnyGame, Flow, Hook, Outcome, Reason, Rules, Safety, Sink, Symmetries, Turn, fide,
    reason,
};
use smallvec::SmallVec;

/// Fifty half-moves without a capture.
pub const FIFTY_HALF_MOVES: Reason = "fifty-half-moves";

/// The registry entry.
pub static CARD: Card = Card {
    id: "prop",
    name: "Prop Chess",
    inventor: "Tony Paletta",
    page: "The Chess Variant Pages, Modest Proposals: GOAL Variants, 2001",
    difference: "go only where another own unit could go, and forward if possible; no turn loses",
    reasons: &[
        (
            FIFTY_HALF_MOVES,
            "50 half-moves or more since the last capture: a draw",
        ),
        (
            reason::NO_TURN,
            "the side to move has no legal turn: it loses",
        ),
    ],
    diff: &[
        Hook::Castling,
        Hook::Royal,
        Hook::Safety,
        Hook::State,
        Hook::Settled,
        Hook::NoTurn,
    ],
    source: include_str!("prop.rs"),
    open: |variant, geometry| AnyGame::plain(Prop, variant.clone(), geometry),
    ..Card::FIDE
};

/// The clock at which the game is drawn. The state is the clock, up to this.
const LIMIT: u32 = 50;

/// Where the units of the side to move can go, one by one and counted.
struct Support<S> {
    /// Squares that one unit or more can go to.
    once: S,
    /// Squares that two units or more can go to.
    twice: S,
    /// Squares that pawns can go to.
    pawns: S,
    /// The other units with their targets.
    units: SmallVec<[(Kind, Square, S); 24]>,
}

impl<S: Squares> Support<S> {
    /// Another unit that can go to these squares.
    #[inline(always)]
    fn add(&mut self, targets: S) -> Flow {
        self.twice |= self.once & targets;
        self.once |= targets;
        Flow::Continue(())
    }
}

impl<S: Squares> Sink<S> for Support<S> {
    const LOOKS: bool = false;

    #[inline(always)]
    fn unit(&mut self, kind: Kind, from: Square, targets: S) -> Flow {
        self.units.push((kind, from, targets));
        self.add(targets)
    }
    // The same offset leads different pawns to different squares.
    #[inline(always)]
    fn pawns(&mut self, _: i32, targets: S, _: Action) -> Flow {
        self.pawns |= targets;
        self.add(targets)
    }
    #[inline(always)]
    fn unit_becoming(&mut self, _: Kind, _: Square, _: S, _: &[Kind]) -> Flow {
        Flow::Continue(())
    }
    #[inline(always)]
    fn pawns_becoming(&mut self, offset: i32, targets: S, _: &[Kind]) -> Flow {
        self.pawns(offset, targets, Action::Go)
    }
    #[inline(always)]
    fn turn(&mut self, turn: Turn) -> Flow {
        self.pawns(0, S::of(turn.first().to), Action::EnPassant)
    }
}

/// Where every unit of the side to move can go.
#[inline(always)]
fn support<W: Layout>(b: &Board<W::Set>, p: &Position<W>) -> Support<W::Set> {
    let mut support = Support {
        once: W::Set::EMPTY,
        twice: W::Set::EMPTY,
        pawns: W::Set::EMPTY,
        units: SmallVec::new(),
    };
    let pawns = p.units(p.side, Kind::Pawn);
    // The collector never breaks off.
    let _ = fide::pawn_steps(&Prop, b, p, pawns, b.squares(), &mut support);
    let _ = fide::en_passants(b, p, pawns, |turn| Sink::<W::Set>::turn(&mut support, turn));
    let _ = fide::piece_steps(&Prop, b, p, &mut support);
    support
}

/// The squares of the ranks ahead of a square.
#[inline(always)]
fn ahead<S: Squares>(b: &Board<S>, color: Color, from: Square) -> S {
    let files = usize::from(b.geometry().files());
    let rank = usize::from(b.geometry().rank(from));
    match color {
        Color::White => !S::first_n((rank + 1) * files),
        Color::Black => S::first_n(rank * files),
    }
}

/// Prop Chess.
#[derive(Clone, Copy, Debug)]
pub struct Prop;

impl<W: Layout> Rules<W> for Prop {
    const SAFETY: Safety = Safety::Free;

    fn legal<K: Sink<W::Set>>(&self, b: &Board<W::Set>, p: &Position<W>, sink: &mut K) -> Flow {
        let support = support(b, p);
        let allowed = support.twice;
        let by_pawn = !(support.pawns & allowed).is_empty();
        let forward = by_pawn
            || support.units.iter().any(|&(_, from, to)| {
                let targets = to & allowed;
                !targets.is_empty() && !(targets & ahead(b, p.side, from)).is_empty()
            });
        if by_pawn {
            let pawns = p.units(p.side, Kind::Pawn);
            fide::pawn_steps(self, b, p, pawns, allowed, sink)?;
            fide::en_passants(b, p, pawns, |turn| {
                if allowed.has(turn.first().to) {
                    sink.turn(turn)
                } else {
                    Flow::Continue(())
                }
            })?;
        }
        for &(kind, from, to) in &support.units {
            let mut targets = to & allowed;
            if targets.is_empty() {
                continue;
            }
            if forward {
                targets &= ahead(b, p.side, from);
            }
            sink.unit(kind, from, targets)?;
        }
        if forward {
            return Flow::Continue(());
        }
        fide::castlings(self, b, p, true, |turn| {
            // The king himself cannot step there.
            if support.once.has(turn.first().to) {
                sink.turn(turn)
            } else {
                Flow::Continue(())
            }
        })
    }

    fn note(&self, _: &Board<W::Set>, before: &Position<W>, _: &Turn, after: &mut Position<W>) {
        let captured = after.occupied().len() < before.occupied().len();
        let clock = if captured {
            0
        } else {
            self.clock(before).saturating_add(1)
        };
        self.set_clock(after, clock);
    }

    fn settled(&self, _: &Board<W::Set>, p: &Position<W>) -> Option<Outcome> {
        (p.state >= u64::from(LIMIT)).then_some(Outcome::Draw(FIFTY_HALF_MOVES))
    }

    fn no_turn(&self, _: &Board<W::Set>, p: &Position<W>) -> Outcome {
        Outcome::Win(!p.side, reason::NO_TURN)
    }

    fn state_bits(&self, _: &Board<W::Set>) -> u32 {
        6
    }

    fn clock(&self, p: &Position<W>) -> u32 {
        p.halfmove.max(p.state as u32)
    }

    fn set_clock(&self, p: &mut Position<W>, clock: u32) {
        p.halfmove = clock;
        p.state = u64::from(clock.min(LIMIT));
    }

    fn refusal(&self, b: &Board<W::Set>, p: &Position<W>, turn: &Turn) -> String {
        let step = turn.first();
        let support = support(b, p);
        let supported = match step.action() {
            Action::Castle => support.once,
            _ => support.twice,
        };
        let name = |square| b.geometry().name(square);
        if supported.has(step.to) {
            let text = name(step.from) + &name(step.to);
            format!("a forward turn is possible, and {text} is none")
        } else {
            format!(
                "no other unit of the same side could go to {}",
                name(step.to)
            )
        }
    }

    // Forward is another way for each side.
    fn symmetries(&self, _: &Board<W::Set>) -> Symmetries {
        Symmetries {
            ranks: false,
            diagonals: false,
            ..Symmetries::ALL
        }
    }
}

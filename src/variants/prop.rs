//! # Prop Chess
//!
//! No step without support: a unit may go only where another unit of its side could have gone.
//! And a side that can go forward must. The first player without a turn loses.
//!
//! ## Against FIDE
//! | FIDE | Prop |
//! |---|---|
//! | check and checkmate | none: the king may be attacked and captured |
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
//!   position. From 50 on the game is drawn, which is checked before anything else.
//!
//! ## Example
//! The start position has eight turns: the four knight leaps and the single steps of the a-, c-,
//! f- and h-pawn support each other. `e2e4` is illegal: nothing else could go to e4.

mod lines;

use board::{Board, Color, Square, Squares};
use position::{BoardOf, Layout, Position};
use rules::VariantInfo;
use rules::{
    Action, Carried, Facts, Outcome, Reason, Rules, Safety, Symmetries, Turn, TurnBuffer, fide,
    reason,
};

/// Fifty half-moves without a capture.
pub const FIFTY_HALF_MOVES: Reason = "fifty-half-moves";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "prop",
    name: "Prop Chess",
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
    ..crate::parts::goal_variant::<Prop>(include_str!("prop.rs"))
};

/// The clock at which the game is drawn, in plies. The state is the clock, up to this limit.
const LIMIT: u32 = 50;

/// The squares that units of the side to move can reach, without castling.
struct Support<S> {
    /// The squares that at least one unit can reach.
    once: S,
    /// The squares that at least two units can reach.
    twice: S,
}

impl<S: Squares> Support<S> {
    #[inline(always)]
    fn of(turns: &TurnBuffer<S>) -> Support<S> {
        let mut support = Support {
            once: S::EMPTY,
            twice: S::EMPTY,
        };
        // Different pawns with the same offset reach different squares, so each set counts each square once.
        for &(_, targets, _) in &turns.pawns {
            support.add(targets);
        }
        for &(_, _, targets) in &turns.units {
            support.add(targets);
        }
        let mut last = None;
        for turn in &turns.turns {
            let step = turn.first();
            // A promoting pawn counts once, whatever it can become.
            if step.action() != Action::Castle && last != Some((step.from, step.to)) {
                support.add(S::of(step.to));
                last = Some((step.from, step.to));
            }
        }
        support
    }

    /// Adds the targets of another unit, or of other pawns with one target each.
    #[inline(always)]
    fn add(&mut self, targets: S) {
        self.twice |= self.once & targets;
        self.once |= targets;
    }

    /// Returns whether a turn has the support that it needs: a second unit that can reach its target. The
    /// king cannot reach the target of castling by a step, so one unit is enough for castling.
    fn allows(&self, turn: &Turn) -> bool {
        let step = turn.first();
        match step.action() {
            Action::Castle => self.once.has(step.to),
            _ => self.twice.has(step.to),
        }
    }
}

/// Returns the squares of the ranks ahead of a square.
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
#[derive(Clone, Copy, Debug, Default)]
pub struct Prop;

impl<W: Layout> Rules<W> for Prop {
    const FACTS: Facts = Facts {
        safety: Safety::NoRoyals,
        filters: true,
        // The sides have opposite forward directions.
        symmetries: Symmetries {
            ranks: false,
            diagonals: false,
            ..Symmetries::ALL
        },
        ..Facts::DEFAULT.with_independent_steps()
    };

    fn filter(&self, b: &BoardOf<W>, p: &Position<W>, turns: &mut TurnBuffer<W::Set>) {
        let support = Support::of(turns);
        // Pawns always go forward, castling never does.
        let mut forward = false;
        for (_, targets, _) in &mut turns.pawns {
            *targets &= support.twice;
            forward |= !targets.is_empty();
        }
        for (_, from, targets) in &mut turns.units {
            *targets &= support.twice;
            forward |= !targets.is_empty() && !(*targets & ahead(b, p.side, *from)).is_empty();
        }
        if !turns.turns.is_empty() {
            let castles = |turn: &Turn| turn.first().action() == Action::Castle;
            turns.turns.retain(|turn| support.allows(turn));
            forward |= turns.turns.iter().any(|turn| !castles(turn));
            turns.turns.retain(|turn| !forward || !castles(turn));
        }
        if forward {
            for (_, from, targets) in &mut turns.units {
                if !targets.is_empty() {
                    *targets &= ahead(b, p.side, *from);
                }
            }
        }
    }

    fn count_bulk(&self, b: &BoardOf<W>, p: &Position<W>, depth: u32) -> Option<u64> {
        // The fast count is for sets of 64 bits only. With 128 bits, it takes twice as long as counting turn
        // by turn, because the sets of eight positions do not fit in registers.
        let counts = depth == lines::LENGTH && p.state < u64::from(LIMIT);
        if const { W::Set::CAPACITY == 64 } && counts {
            Some(lines::of_three(b, p))
        } else {
            None
        }
    }

    fn update_state(&self, _: &BoardOf<W>, p: &Position<W>, _: &Turn, after: &mut Position<W>) {
        let captured = after.occupied().len() < p.occupied().len();
        let clock = if captured {
            0
        } else {
            self.clock(p).saturating_add(1)
        };
        self.set_clock(after, clock);
    }

    fn settled(&self, _: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        (p.state >= u64::from(LIMIT)).then_some(Outcome::Draw(FIFTY_HALF_MOVES))
    }

    fn no_turn(&self, _: &BoardOf<W>, p: &Position<W>) -> Outcome {
        Outcome::Win(!p.side, reason::NO_TURN)
    }

    fn refusal(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> String {
        let step = turn.first();
        let mut turns = TurnBuffer::default();
        let _ = fide::pseudo(self, b, p, &mut turns);
        let name = |square| b.geometry().name(square);
        if Support::of(&turns).allows(turn) {
            let text = name(step.from) + &name(step.to);
            format!("a forward turn is possible, and {text} is none")
        } else {
            format!(
                "no other unit of the same side could go to {}",
                name(step.to)
            )
        }
    }

    fn carried(&self) -> &dyn Carried<W> {
        self
    }
}

impl<W: Layout> Carried<W> for Prop {
    fn state_bits(&self) -> u32 {
        6
    }

    fn clock(&self, p: &Position<W>) -> u32 {
        p.halfmove.max(p.state as u32)
    }

    fn set_clock(&self, p: &mut Position<W>, clock: u32) {
        p.halfmove = clock;
        p.state = u64::from(clock.min(LIMIT));
    }
}

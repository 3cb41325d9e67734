//! # Concurrent Chess
//!
//! Every unit keeps the color of its square, and before a step the player may mirror one unit:
//! have it change places with nothing on the other side of its rank. King and queen are both
//! royal.
//!
//! ## Against FIDE
//! | FIDE | Concurrent |
//! |---|---|
//! | the king is royal | king and queen are; both step one square diagonally |
//! | rook | an even number of squares along rank or file over vacant squares, or one square diagonally |
//! | knight | three squares along rank or file and one to the side, the three vacant |
//! | pawn | one square diagonally ahead, capturing or not; no double step |
//! | one step a turn | before it, one unit other than K and Q may be mirrored |
//! | promotion to Q, R, B, N | to R, B, N |
//! | castling | none |
//!
//! ## Rulings
//! * Mirroring moves a unit to the vacant square of the same rank with the file reversed. There
//!   it may not itself attack an enemy king or queen; that it uncovers another unit's attack is
//!   allowed. A unit on a middle file cannot be mirrored, nor one whose other square is a hole.
//! * The step may be made by any unit, also by the mirrored one. A turn is not mirroring alone.
//! * Whether the own king and queen are attacked is tested at the end of the turn only.
//! * Rook and knight pass only over vacant squares, not over holes; the target may hold an enemy.
//! * King and queen are never captured. Without a legal turn: checkmate if either is attacked,
//!   else stalemate, a draw.
//!
//! ## Example
//! `7k/8/8/8/8/8/P7/4K3 w - - 0 1`: six turns, `a2b3`, `e1d2`, `e1f2`, and with the pawn mirrored
//! `a2h2+h2g3`, `a2h2+e1d2`, `a2h2+e1f2`.

use crate::parts::monarchs;
use board::{Board, Color, Kind, Men, Movement, Square, Squares};
use position::{BoardOf, Layout, Position};
use rules::{
    Action, Attack, Consumer, Facts, Flow, Rules, Safety, SecondSteps, Sink, Step, Symmetries,
    after, fide,
};
use rules::{STALEMATE, VariantInfo};

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "concurrent",
    name: "Concurrent Chess",
    difference: "all units keep their square's color; one may be mirrored before the step; king and queen are royal",
    reasons: &[monarchs::MATE_OF_EITHER, STALEMATE],
    start: |_| fide::START_NO_CASTLING.to_string(),
    ..crate::parts::goal_variant::<Concurrent>(include_str!("concurrent.rs"))
};

// The knight's table contains its targets, whose paths are tested separately. The rook has no table of its
// own.
static MEN: Men = Men::FIDE
    .with(Kind::King, Movement::FERZ)
    .with(Kind::Queen, Movement::FERZ)
    .with(Kind::Rook, Movement::Special)
    .with(Kind::Knight, Movement::CAMEL);

/// The zones of the dark and of the light squares.
const COLORS: [usize; 2] = [0, 1];

/// Concurrent Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Concurrent;

/// Returns the squares of the same color as this one.
#[inline(always)]
fn same_color<S: Squares>(b: &Board<S>, square: Square) -> S {
    let dark = b.zone(COLORS[0]);
    if dark.has(square) {
        dark
    } else {
        b.zone(COLORS[1])
    }
}

/// Returns the three squares that a knight on `from` passes on its way to `to`.
#[inline(always)]
fn path<S: Squares>(b: &Board<S>, from: Square, to: Square) -> S {
    let files = b.files();
    let way = i32::from(to.0) - i32::from(from.0);
    let across = i32::from(b.geometry().file(to)) - i32::from(b.geometry().file(from));
    let one = match across {
        3.. => 1,
        ..=-3 => -1,
        _ if way > 0 => files,
        _ => -files,
    };
    let first = S::of(from).shift(one);
    first | first.shift(one) | first.shift(2 * one)
}

/// Returns the targets of a knight on `from`. They are one square to the side of the third square along a
/// rank or file, if the squares on the way are vacant.
#[inline(always)]
fn knight_reach<S: Squares>(b: &Board<S>, from: Square, occupied: S) -> S {
    let here = S::of(from);
    let open = b.slide_orthogonal(Kind::Bishop, from, occupied) & !occupied;
    let along = open & (here.shift(3) | here.shift(-3));
    let up = open & (here.shift(3 * b.files()) | here.shift(-3 * b.files()));
    let [(_, left), (_, right)] = b.sideways(up);
    let ends = b.pushed(along, Color::White) | b.pushed(along, Color::Black) | left | right;
    // On narrow boards, other squares have the same difference of numbers and are excluded here.
    ends & b.leap(Kind::Knight, from)
}

/// The steps of a position, legal or pseudo-legal, without mirror steps.
struct Steps<'a, W: Layout> {
    board: &'a BoardOf<W>,
    position: &'a Position<W>,
    legal: bool,
}

impl<W: Layout> SecondSteps<W::Set> for Steps<'_, W> {
    #[inline(always)]
    fn run<K: Consumer<W::Set> + ?Sized>(&self, consumer: &mut K) -> Flow {
        let (b, p) = (self.board, self.position);
        if !self.legal {
            return fide::pseudo(&Concurrent, b, p, consumer);
        }
        let mut guarded = fide::Guarded::new(&Concurrent, b, p, consumer);
        fide::pseudo(&Concurrent, b, p, &mut guarded)
    }
}

/// Generates the turns, legal or pseudo-legal: first single steps, then steps that follow a mirror step.
#[inline(always)]
fn turns<W: Layout, K: Consumer<W::Set> + ?Sized>(
    b: &BoardOf<W>,
    p: &Position<W>,
    legal: bool,
    consumer: &mut K,
) -> Flow {
    let alone = Steps {
        board: b,
        position: p,
        legal,
    };
    alone.run(consumer)?;
    let us = p.side;
    let geometry = b.geometry();
    let vacant = b.squares() & !p.occupied();
    let enemies = monarchs::monarchs(p, !us);
    let units = p.color(us) & !monarchs::monarchs(p, us);
    for from in units.iter() {
        let file = geometry.files() - 1 - geometry.file(from);
        let to = geometry.square(file, geometry.rank(from));
        if !vacant.has(to) {
            continue;
        }
        let kind = p.kind_on(from);
        let mut then = *p;
        then.shift(us, kind, from, to);
        let attacks = match kind {
            Kind::Pawn => b.pawn_captures(us, to),
            _ => Concurrent.reach(b, &then, kind, to),
        };
        if (attacks & enemies).is_empty() {
            let mirror = Step::new(Action::Mirror, kind, from, to);
            let steps = Steps {
                position: &then,
                ..alone
            };
            after(mirror, consumer, steps)?;
        }
    }
    Flow::Continue(())
}

impl<W: Layout> Rules<W> for Concurrent {
    const FACTS: Facts = Facts {
        safety: Safety::Lines,
        // Mirror steps go along ranks, not along files.
        symmetries: Symmetries {
            diagonals: false,
            ..Symmetries::ALL
        },
        men: &MEN,
        double_step: false,
        castling: None,
        promotions: monarchs::LESSER,
        ..Facts::DEFAULT
    };

    fn zones(&self, b: &BoardOf<W>) -> [W::Set; 4] {
        let geometry = b.geometry();
        let mut zones = [W::Set::EMPTY; 4];
        for square in b.squares().iter() {
            let light = (geometry.file(square) + geometry.rank(square)) % 2;
            zones[COLORS[usize::from(light)]] |= W::Set::of(square);
        }
        zones
    }

    fn royals(&self, p: &Position<W>, color: Color) -> W::Set {
        monarchs::monarchs(p, color)
    }

    #[inline(always)]
    fn attackers(&self, b: &BoardOf<W>, p: &Position<W>, attack: Attack<W::Set>) -> W::Set {
        let (target, occupied) = (attack.target, attack.occupied);
        let diagonal = p.kind(Kind::King) | p.kind(Kind::Queen) | p.kind(Kind::Rook);
        let straight = b.slide_orthogonal(Kind::Bishop, target, occupied) & same_color(b, target);
        let mut found = b.pawn_captures(!attack.by, target) & p.kind(Kind::Pawn)
            | b.leap(Kind::King, target) & diagonal
            | b.slide_diagonal(Kind::Bishop, target, occupied) & p.kind(Kind::Bishop)
            | straight & p.kind(Kind::Rook);
        let knights = b.leap(Kind::Knight, target) & p.units(attack.by, Kind::Knight);
        let vacant = b.squares() & !occupied;
        for knight in knights.iter() {
            if (path(b, knight, target) & !vacant).is_empty() {
                found = found.with(knight);
            }
        }
        found & p.color(attack.by)
    }

    #[inline(always)]
    fn reach(&self, b: &BoardOf<W>, p: &Position<W>, kind: Kind, from: Square) -> W::Set {
        let occupied = p.occupied();
        match kind {
            Kind::Rook => {
                b.slide_orthogonal(Kind::Bishop, from, occupied) & same_color(b, from)
                    | b.leap(Kind::King, from)
            }
            Kind::Knight => knight_reach(b, from, occupied),
            _ => fide::reach(&MEN, b, kind, from, occupied),
        }
    }

    fn pawn_steps<K: Sink<W> + ?Sized>(
        &self,
        b: &BoardOf<W>,
        p: &Position<W>,
        pawns: W::Set,
        targets: W::Set,
        c: &mut K,
    ) -> Flow {
        let open = targets & (!p.occupied() | self.capturable(b, p, Kind::Pawn));
        for (offset, aside) in b.pushed_aside(pawns, p.side) {
            fide::pawns_to(self, b, p, offset, aside & open, c)?;
        }
        Flow::Continue(())
    }

    fn pseudo<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        turns(b, p, false, c)
    }

    fn attack_path(
        &self,
        b: &BoardOf<W>,
        p: &Position<W>,
        attacker: Square,
        target: Square,
    ) -> W::Set {
        if p.kind(Kind::Knight).has(attacker) {
            path(b, attacker, target)
        } else {
            b.between(attacker, target)
        }
    }

    fn unfiltered<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        turns(b, p, true, c)
    }

    fn unit_bounds(&self, _: Color) -> &[(Kind, u32, u32)] {
        monarchs::BOTH
    }
}

//! The number of neighbors that can be guarded: a bound for direct, self and reflex play.
//!
//! This is the argument of [`patterns`](super) with numbers instead of sets, because a search that plays against a
//! defense visits many positions and needs the answer at once. In a mate, each neighbor of the king holds a unit of
//! the king's side or is guarded. Tables give the maximum number of neighbors that a unit can come to view within a
//! number of turns. If even the sum over all units is too small, mate is impossible. Lines count as open even where
//! units block them, so the bound never prunes a position that could still end in mate.
//!
//! `king_walk.rs` uses the tables, too.

use super::castling::Castlings;
use super::coverage::{Coverage, End, MARK};
use crate::judge::Judge;
use board::{Board, Color, Kind, Square, Squares};
use position::{Layout, Position};

/// The maximum number of turns of a unit that the tables cover.
const MAX_TURNS: usize = 4;

/// The maximum number of turns of a unit that ends with a check in the tables.
const MAX_CHECKING_TURNS: usize = 2;

/// The maximum number of neighbors of a king that a unit can guard, by the number of its turns (from 0), on an
/// empty board.
#[derive(Clone, Copy, Default)]
pub(crate) struct Covers {
    pub any: [u8; MAX_TURNS + 1],
    /// The maximum if the unit checks the king after its turns; 0 if it cannot.
    pub checking: [u8; MAX_CHECKING_TURNS + 1],
}

/// Tables of one board, for mates given by one side.
pub struct MateBound<'g, W: Layout> {
    board: &'g Board<W::Set>,
    mating_side: Color,
    squares: usize,
    all: W::Set,
    /// The neighbors of each square.
    rings: Vec<W::Set>,
    /// The squares that a unit of the mating side guards on an empty board, by kind and square.
    guards: [Vec<W::Set>; 6],
    /// The neighbors that a unit can guard, by kind, the king's square and the unit's square.
    covers: [Vec<Covers>; 6],
    /// Like `covers` for the kind king, if the mating side may castle.
    castling_covers: Vec<Covers>,
    /// Whether units other than pawns never change their kind.
    fixed: bool,
    /// Whether turns follow from the movements of the men alone.
    plain: bool,
    castlings: Castlings,
}

impl<'g, W: Layout> MateBound<'g, W> {
    /// Returns the tables if mate is the goal and the rule set promises orthodox flights.
    pub fn new(judge: Judge<'g, W>, mating_side: Color) -> Option<MateBound<'g, W>> {
        let game = judge.game;
        if !judge.is_mate() || !game.facts().orthodox_flights() {
            return None;
        }
        let board = game.board();
        let squares = board.geometry().len();
        let each = || (0..squares as u8).map(Square);
        let coverage = Coverage::<W>::new(game, mating_side, MAX_TURNS, End::Mate);
        let covers = Kind::ALL.map(|kind| {
            let mut covers = vec![Covers::default(); squares * squares];
            coverage.max_guarded(kind, MAX_TURNS, 0, &mut |turns, king, from, guarded| {
                covers[king * squares + from].any[turns] = guarded;
            });
            coverage.max_guarded(
                kind,
                MAX_CHECKING_TURNS,
                MARK,
                &mut |turns, king, from, guarded| {
                    covers[king * squares + from].checking[turns] = guarded;
                },
            );
            covers
        });
        let mut bound = MateBound {
            board,
            mating_side,
            squares,
            all: board.squares(),
            rings: each().map(|s| board.neighbors(s)).collect(),
            guards: Kind::ALL.map(|kind| {
                let guarded = |from| match kind {
                    Kind::Pawn => board.pawn_captures(mating_side, from),
                    _ => board.reach(kind, from, W::Set::EMPTY),
                };
                each().map(guarded).collect()
            }),
            castling_covers: Vec::new(),
            covers,
            fixed: game.facts().changes.is_empty(),
            plain: game.facts().is_plain(),
            castlings: Castlings::new(game),
        };
        bound.castling_covers = bound.castling_covers();
        Some(bound)
    }

    /// Returns `covers` of the mating side's king, if its first turn may be a castling, by the defending
    /// king's square and the from-square.
    fn castling_covers(&self) -> Vec<Covers> {
        let kings = &self.covers[Kind::King.index()];
        let mut castling = kings.clone();
        for (n, covers) in castling.iter_mut().enumerate() {
            for to in self.castlings.kings(None, self.mating_side) {
                let castled = kings[n / self.squares * self.squares + to.index()];
                for turns in 0..MAX_TURNS {
                    covers.any[turns + 1] = covers.any[turns + 1].max(castled.any[turns]);
                }
            }
        }
        castling
    }

    fn cover(&self, turns: usize, kind: Kind, from: Square, king: Square) -> u32 {
        u32::from(self.covers(kind, from, king, false).any[turns])
    }

    /// Returns the squares to which castling can still move a side's king.
    pub(crate) fn castled(&self, p: &Position<W>, color: Color) -> impl Iterator<Item = Square> {
        self.castlings.kings(Some(p.rights), color)
    }

    /// Returns the maximum number of additional neighbors of `king` that the mating side can come to guard
    /// within `turns` turns. Castling counts as a turn of the king and a free turn of the rook.
    fn gain(&self, p: &Position<W>, king: Square, turns: usize) -> u32 {
        let castlings = self.castled(p, self.mating_side).next().is_some();
        let turns = turns + usize::from(castlings);
        let own = p.color(self.mating_side);
        if turns == 1 {
            return self.gain_of_one_turn(p, king);
        }
        // A knapsack over units: `spent[n]` is the maximum with `n` turns of the units so far, and `with[n]`
        // the maximum of one unit with `n` turns.
        let mut spent = [0_u32; MAX_TURNS + 1];
        for kind in Kind::ALL {
            for from in (p.kind(kind) & own).iter() {
                let mut with = [0_u32; MAX_TURNS + 1];
                for (n, cover) in with.iter_mut().enumerate().skip(1).take(turns) {
                    *cover = self.cover(n, kind, from, king);
                    if castlings && kind == Kind::King {
                        for to in self.castled(p, self.mating_side) {
                            *cover = self.cover(n - 1, kind, to, king).max(*cover);
                        }
                    }
                }
                for total in (1..=turns).rev() {
                    for n in 1..=total {
                        spent[total] = spent[total].max(spent[total - n] + with[n]);
                    }
                }
            }
        }
        spent[turns]
    }

    /// Like [`gain`](Self::gain) for one turn, without castling.
    fn gain_of_one_turn(&self, p: &Position<W>, king: Square) -> u32 {
        let own = p.color(self.mating_side);
        let mut gain = 0;
        for kind in Kind::ALL {
            for from in (p.kind(kind) & own).iter() {
                gain = gain.max(self.cover(1, kind, from, king));
            }
        }
        gain
    }

    /// Returns whether units other than pawns never change their kind.
    pub(crate) fn is_fixed(&self) -> bool {
        self.fixed
    }

    /// Returns whether turns follow from the movements of the men alone ([`Facts::plain`](rules::Facts::plain)).
    pub(crate) fn is_plain(&self) -> bool {
        self.plain
    }

    /// Returns the side that gives mate.
    pub(crate) fn mating_side(&self) -> Color {
        self.mating_side
    }

    /// Returns all squares to which a turn can lead a pawn of the mating side, or `None` if a turn may
    /// promote it.
    pub(crate) fn pawn_targets(&self, from: Square) -> Option<W::Set> {
        let (board, side) = (self.board, self.mating_side);
        let once = board.pushed(W::Set::of(from), side);
        let twice = board.pushed(once & board.rank_of(side, 2), side);
        let targets = self.guards(Kind::Pawn, from) | once | twice;
        (targets & board.last_rank(side))
            .is_empty()
            .then_some(targets)
    }

    /// Returns the number of squares of the board.
    pub(crate) fn squares(&self) -> usize {
        self.squares
    }

    /// Returns the neighbors of a square.
    pub(crate) fn ring(&self, at: Square) -> W::Set {
        self.rings[at.index()]
    }

    /// Returns the squares that a unit of the mating side guards if units do not block lines.
    pub(crate) fn guards(&self, kind: Kind, from: Square) -> W::Set {
        self.guards[kind.index()][from.index()]
    }

    /// Returns the squares that a unit of the mating side attacks if lines end at the squares `occupied`.
    pub(crate) fn attacks(&self, kind: Kind, from: Square, occupied: W::Set) -> W::Set {
        match kind {
            Kind::Pawn => self.guards(kind, from),
            _ => self.board.reach(kind, from, occupied),
        }
    }

    /// Returns the maximum number of neighbors of `king` that a unit can guard. `castles` is
    /// whether its side may castle.
    #[inline(always)]
    pub(crate) fn covers(&self, kind: Kind, from: Square, king: Square, castles: bool) -> &Covers {
        let table = match kind {
            Kind::King if castles => &self.castling_covers,
            _ => &self.covers[kind.index()],
        };
        &table[king.index() * self.squares + from.index()]
    }

    /// Returns false only if mate is impossible from a position with `left` turns of both sides to go.
    pub fn allows(&self, p: &Position<W>, left: u32) -> bool {
        let turns = left.div_ceil(2) as usize;
        // Castling may add one turn.
        if turns >= MAX_TURNS {
            return true;
        }
        let theirs = p.color(!self.mating_side);
        let Some(king) = (p.kind(Kind::King) & theirs).first() else {
            return true;
        };
        let own = p.color(self.mating_side);
        let mut guarded = W::Set::EMPTY;
        for kind in Kind::ALL {
            for from in (p.kind(kind) & own).iter() {
                guarded |= self.guards(kind, from);
            }
        }
        let helps = left / 2;
        let free = self.all & !guarded;
        let others = theirs.without(king);
        // The king makes up to `helps` steps, and each remaining turn of its side fills one neighbor.
        // Castling moves the king farther and may put the rook next to it.
        let mut reach = W::Set::of(king);
        let castled = self
            .castled(p, !self.mating_side)
            .fold(W::Set::EMPTY, W::Set::with);
        let rook = u32::from(!castled.is_empty());
        for gone in 0..=helps {
            for at in reach.iter() {
                let open = (self.rings[at.index()] & free & !others).len();
                let filled = helps - gone + rook;
                if open <= filled || open <= filled + self.gain(p, at, turns) {
                    return true;
                }
            }
            if gone < helps {
                reach = reach
                    .iter()
                    .fold(castled, |set, at| set | self.rings[at.index()]);
            }
        }
        false
    }
}

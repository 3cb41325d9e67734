//! Pictures of mate or stalemate that may still come about, with help.
//!
//! Precondition: the rule set promises orthodox flights
//! ([`Game::flights`](rules::Game::flights)) and that turns are what the men say
//! ([`Plain`]); for stalemates also that nothing is settled while there are turns. Each square next
//! to the king is then guarded in the end or holds one of his own units. For each square that the
//! king may get to in time, [`guards`] tells which neighbors the other side cannot come to guard,
//! and [`fillers`] whether the king's units can stand there. Both take the board as empty but for
//! the unit that moves, so they may only hope too much: no line that reaches the goal is lost.

mod castles;
mod fillers;
mod guards;
mod loose;
mod ways;

use super::goal::Judge;
use super::stipulation::Goal;
use crate::Layout;
use board::{Color, Square, Squares};
use castles::Castles;
use fillers::{Crew, Fillers};
use guards::{End, Guards};
use loose::Loose;
use position::Position;
use rules::Plain;
use rustc_hash::FxHashMap;

/// The most turns of the side that reaches the goal for which pictures are looked at.
const FAR: u32 = 6;
/// Placements remembered, and gaps of all of them.
const MOST_PLACEMENTS: usize = 1 << 14;
const MOST_GAPS: usize = 1 << 22;

/// The gaps around a king's square, for a placement of the side that guards and its turns.
#[derive(Clone, Copy, Default)]
struct Known {
    /// Gaps of fewer squares are known, all of them.
    below: u8,
    len: u8,
    start: u32,
}

/// The side that guards: planes, rights, turns, whether a unit must be able to pin.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Placement<S> {
    planes: [S; 4],
    small: [u8; 3],
}

/// Pictures for one board and the side that reaches the goal; it remembers what it found.
pub struct Pictures<W: Layout> {
    mater: Color,
    castles: Castles,
    guards: Guards<W>,
    fillers: Fillers<W>,
    /// For stalemates: which units keep moving unless they are captured or pinned.
    loose: Option<Loose<W::Set>>,
    rings: Vec<W::Set>,
    squares: W::Set,
    placements: FxHashMap<Placement<W::Set>, usize>,
    /// By placement and king's square.
    known: Vec<Known>,
    /// Lists of gaps.
    gaps: Vec<W::Set>,
    /// What was asked last, and where it is.
    last: Option<(Placement<W::Set>, usize)>,
    /// The king's square of the last picture found.
    hint: Square,
}

impl<W: Layout> Pictures<W> {
    /// The pictures, if the goal is mate or stalemate and the rule set promises what they need.
    /// The sides have at most so many turns.
    pub fn new(judge: Judge<'_, W>, mater: Color, turns: u32, helps: u32) -> Option<Pictures<W>> {
        let game = judge.game;
        let end = match judge.goal {
            Goal::Mate => End::Mate,
            Goal::Stalemate if game.plain() == Plain::Lasting => End::Stalemate,
            _ => return None,
        };
        if !game.flights() || game.plain() == Plain::No {
            return None;
        }
        let board = game.board();
        Some(Pictures {
            mater,
            castles: Castles::new(game),
            guards: Guards::new(game, mater, turns.min(FAR) as usize, end),
            fillers: Fillers::new(game, !mater, helps as usize),
            loose: (end == End::Stalemate).then(|| Loose::new(board)),
            rings: (0..board.geometry().len() as u8)
                .map(|at| board.neighbors(Square(at)))
                .collect(),
            squares: board.squares(),
            placements: FxHashMap::default(),
            known: Vec::new(),
            gaps: Vec::new(),
            last: None,
            hint: Square(0),
        })
    }

    /// Whether the goal may still be reached when the side that reaches it has `turns` turns and
    /// the other `helps`, in whatever order.
    pub fn possible(&mut self, p: &Position<W>, turns: u32, helps: u32) -> bool {
        if turns > FAR {
            return true;
        }
        let Some(crew) = self.fillers.crew(p) else {
            return true;
        };
        let Some(loose) = &self.loose else {
            return self.pictured(p, &crew, turns, helps, true);
        };
        // Either no unit pins: the loose ones are captured, and others fill.
        let units = loose.units(p, crew.units);
        let pins = loose.pins(p, self.mater, turns);
        // Castling moves two units.
        let moves = helps + u32::from(!crew.castled.is_empty());
        let own = p.color(!self.mater);
        if !loose.may_stand(p, crew.units, own, (turns, moves, pins)) {
            return false;
        }
        if units.len() <= turns {
            let steady = crew.without(units);
            if self.pictured(p, &steady, turns, helps, false) {
                return true;
            }
        }
        // Or some do, each one of them.
        pins > 0 && units.len() <= turns + pins && self.pictured(p, &crew, turns, helps, true)
    }

    /// Where what is known of the placement starts.
    fn place(&mut self, p: &Position<W>, turns: u32, marked: bool) -> usize {
        let own = p.color(self.mater);
        let [_, a, b, c] = p.planes();
        let rights = p.rights.0 >> (self.mater.index() * 2) & 3;
        let placement = Placement {
            planes: [own, a & own, b & own, c & own],
            small: [rights, turns as u8, u8::from(marked)],
        };
        if let Some((last, at)) = self.last
            && last == placement
        {
            return at;
        }
        let at = match self.placements.get(&placement) {
            Some(&at) => at,
            None => {
                if self.placements.len() >= MOST_PLACEMENTS || self.gaps.len() >= MOST_GAPS {
                    self.placements.clear();
                    self.known.clear();
                    self.gaps.clear();
                }
                let at = self.known.len();
                self.known.resize(at + self.rings.len(), Known::default());
                self.placements.insert(placement, at);
                at
            }
        };
        self.last = Some((placement, at));
        at
    }

    /// Whether some square of the king has its neighbors guarded or filled in time.
    fn pictured(
        &mut self,
        p: &Position<W>,
        crew: &Crew<W::Set>,
        turns: u32,
        helps: u32,
        marked: bool,
    ) -> bool {
        let at = self.place(p, turns, marked);
        let hint = self.hint;
        if self.pictured_on(p, crew, at, hint, (turns, helps, marked)) {
            return true;
        }
        let squares = self.fillers.walks(crew, helps as usize) & self.squares;
        for king in squares.without(hint).iter() {
            if self.pictured_on(p, crew, at, king, (turns, helps, marked)) {
                self.hint = king;
                return true;
            }
        }
        false
    }

    fn pictured_on(
        &mut self,
        p: &Position<W>,
        crew: &Crew<W::Set>,
        at: usize,
        king: Square,
        (turns, helps, marked): (u32, u32, bool),
    ) -> bool {
        let mut known = self.known[at + king.index()];
        if known.len == 0 && u32::from(known.below) > crew.units.len() {
            return false;
        }
        let Some(left) = (helps as usize).checked_sub(self.fillers.walk(crew, king)) else {
            return false;
        };
        let near = self.rings[king.index()] & crew.units;
        let free = self.fillers.most(crew, near, left);
        if usize::from(known.below) <= free {
            known = self.look(p, king, turns, free, marked);
            self.known[at + king.index()] = known;
        }
        let start = known.start as usize;
        self.gaps[start..start + usize::from(known.len)]
            .iter()
            .any(|&gap| self.fillers.fill(p, crew, gap, left))
    }

    /// Finds the gaps of at most `free` squares.
    #[cold]
    fn look(
        &mut self,
        p: &Position<W>,
        king: Square,
        turns: u32,
        free: usize,
        marked: bool,
    ) -> Known {
        let units = guards::units(p, self.mater, &self.castles);
        let gaps = self
            .guards
            .gaps(&units, turns as usize, king, free as u32, marked);
        let start = self.gaps.len() as u32;
        for gap in &gaps {
            self.gaps.push(self.guards.cells(king, *gap));
        }
        Known {
            below: free as u8 + 1,
            len: gaps.len() as u8,
            start,
        }
    }
}

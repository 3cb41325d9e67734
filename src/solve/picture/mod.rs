//! Pictures of mate that may still come about, with help.
//!
//! Precondition: the rule set promises orthodox flights ([`Game::flights`](crate::rules::Game::flights)). In a mate the king's
//! square is guarded, and each square next to him is guarded too or holds one of his own units.
//! For each square that the king may get to in time, [`guards`] tells which neighbors the other
//! side cannot come to guard, and [`fillers`] whether the king's units can stand there. Both take
//! the board as empty but for the unit that moves, so they may only hope too much: no line that
//! ends in mate is lost.

mod castles;
mod fillers;
mod guards;
mod ways;

use super::goal::Judge;
use super::stipulation::Goal;
use crate::board::{Color, Square, Squares};
use crate::position::{Layout, Position};
use castles::Castles;
use fillers::Fillers;
use guards::{Gaps, Guards};
use rustc_hash::FxHashMap;

/// The most turns of the side that gives mate for which pictures are looked at.
const FAR: u32 = 6;
/// Placements remembered.
const MOST_PLACEMENTS: usize = 1 << 14;

/// What is known of a king's square, for a placement of the mating side and a number of turns.
#[derive(Clone, Default)]
struct Known {
    /// Of how many squares all gaps up to that number are known, and one more.
    known: u8,
    gaps: Gaps,
}

/// A placement of the mating side: planes, rights, turns.
type Placement<S> = ([S; 4], u8, u8);

/// Pictures for one board and the side that gives mate; it remembers what it found.
pub struct Pictures<W: Layout> {
    mater: Color,
    squares: W::Set,
    castles: Castles,
    guards: Guards<W>,
    fillers: Fillers,
    placements: FxHashMap<Placement<W::Set>, usize>,
    /// By placement and king's square.
    known: Vec<Known>,
    /// What was asked last, and where it is.
    last: Option<(Placement<W::Set>, usize)>,
    /// The king's square of the last picture found.
    hint: Square,
}

impl<W: Layout> Pictures<W> {
    /// The pictures, if mate is the goal and the rule set promises flights. The sides have at most
    /// so many turns.
    pub fn new(judge: Judge<'_, W>, mater: Color, turns: u32, helps: u32) -> Option<Pictures<W>> {
        let game = judge.game;
        if judge.goal != Goal::Mate || !game.flights() {
            return None;
        }
        Some(Pictures {
            mater,
            squares: game.board().squares(),
            castles: Castles::new(game),
            guards: Guards::new(game, mater, turns.min(FAR) as usize),
            fillers: Fillers::new(game, !mater, helps as usize),
            placements: FxHashMap::default(),
            known: Vec::new(),
            last: None,
            hint: Square(0),
        })
    }

    /// Where what is known of the placement starts.
    fn place(&mut self, p: &Position<W>, turns: u32) -> usize {
        let own = p.color(self.mater);
        let [white, a, b, c] = p.planes();
        let rights = p.rights.0 >> (self.mater.index() * 2) & 3;
        let _ = white;
        let placement = ([own, a & own, b & own, c & own], rights, turns as u8);
        if let Some((last, at)) = self.last
            && last == placement
        {
            return at;
        }
        let width = self.fillers.squares();
        let at = match self.placements.get(&placement) {
            Some(&at) => at,
            None => {
                if self.placements.len() >= MOST_PLACEMENTS {
                    self.placements.clear();
                    self.known.clear();
                }
                let at = self.known.len();
                self.known.resize(at + width, Known::default());
                self.placements.insert(placement, at);
                at
            }
        };
        self.last = Some((placement, at));
        at
    }

    /// Whether mate may still come about when the mating side has `turns` turns and the other
    /// `helps`, in whatever order.
    pub fn possible(&mut self, p: &Position<W>, turns: u32, helps: u32) -> bool {
        if turns > FAR {
            return true;
        }
        let Some(crew) = self.fillers.crew(p, &self.castles) else {
            return true;
        };
        let at = self.place(p, turns);
        let hint = self.hint;
        let helps = helps as usize;
        if self.pictured(p, &crew, at, hint, turns, helps) {
            return true;
        }
        for king in self.squares.without(hint).iter() {
            if self.pictured(p, &crew, at, king, turns, helps) {
                self.hint = king;
                return true;
            }
        }
        false
    }

    fn pictured(
        &mut self,
        p: &Position<W>,
        crew: &fillers::Crew,
        at: usize,
        king: Square,
        turns: u32,
        helps: usize,
    ) -> bool {
        let Some(left) = helps.checked_sub(self.fillers.walk(crew, king)) else {
            return false;
        };
        let near = self.fillers.near(p, king);
        let free = self.fillers.most(crew, near, left);
        let known = &mut self.known[at + king.index()];
        if usize::from(known.known) <= free {
            let units = guards::units(p, self.mater, &self.castles);
            known.gaps = self.guards.gaps(&units, turns as usize, king, free as u32);
            known.known = free as u8 + 1;
        }
        known
            .gaps
            .iter()
            .any(|&gap| gap & !near == 0 || self.fillers.fill(crew, king, gap, left))
    }
}

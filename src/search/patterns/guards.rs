//! Guards: the choices of units that guard the neighbors of a king in its final position.

use super::castling::Castlings;
use super::coverage::{BARRED, Coverage, RING};
use super::narrowing::Units;
use super::reach::Distances;
use board::{Board, Kind, Square, Squares};
use position::{Layout, Position};
use smallvec::SmallVec;

/// A unit with its final square and kind.
#[derive(Clone, Copy)]
pub struct Target {
    /// The unit's number.
    pub unit: u8,
    pub kind: Kind,
    pub to: Square,
}

/// A possible final square of a unit, and what the unit guards there.
struct Choice {
    view: u16,
    cost: u8,
    target: Target,
}

/// The guarding side of a position.
pub struct Guarding<'l, W: Layout> {
    pub p: &'l Position<W>,
    pub board: &'l Board<W::Set>,
    pub coverage: &'l Coverage<W>,
    pub castlings: &'l Castlings,
    pub distances: &'l Distances,
    pub units: &'l Units,
    /// The number of turns of the side.
    pub turns: u32,
}

impl<W: Layout> Guarding<'_, W> {
    /// Returns the minimum number of turns of a unit to its target.
    pub fn distance(&self, target: Target) -> u32 {
        let from = self.units[usize::from(target.unit)];
        self.castlings
            .distance(self.distances, self.p, from, target)
    }

    /// Returns the final squares from which a unit guards a neighbor of the king or has a view in `wanted`.
    fn choices(&self, unit: u8, king: Square, wanted: u16) -> Vec<Choice> {
        let mut choices = Vec::new();
        for kind in Kind::ALL {
            for to in self.board.squares().iter() {
                let view = self.coverage.view(kind, to, king);
                if view == BARRED || view & (RING | wanted) == 0 {
                    continue;
                }
                let target = Target { unit, kind, to };
                let cost = self.distance(target);
                if cost <= self.turns {
                    choices.push(Choice {
                        view,
                        cost: cost as u8,
                        target,
                    });
                }
            }
        }
        choices
    }
}

/// Receives guards with their views, and the set of neighbors that they do not guard. Returns whether to continue.
pub type GuardsReceiver<'r> = dyn FnMut(&[(u16, Target)], u8) -> bool + 'r;

/// The choices of guards around one king's square.
pub struct Guards {
    ring: u16,
    /// The views that the guards must have together, in addition to the neighbors.
    wanted: u16,
    /// The minimum number of turns in which a unit of the king's side occupies a neighbor, by bit.
    fill_costs: [u8; 8],
    /// The turns of the king's side for the neighbors.
    fill_turns: usize,
    /// The choices of each unit, the units with the most choices last.
    choices: Vec<Vec<Choice>>,
    /// What the units from a number on can guard within a number of turns: by number, then by turns.
    views_within: Vec<Vec<u16>>,
    chosen: SmallVec<[(u16, Target); 8]>,
}

impl Guards {
    /// Returns the choices of guards around a king. `fill_costs` are the minimum numbers of turns in which a unit of
    /// the king's side occupies a neighbor, by bit, and `fill_turns` are the turns of that side for the neighbors. A
    /// guard must have the view `wanted`, and each guard that has it counts as one that cannot be left out; 0 for none.
    pub fn new<W: Layout>(
        side: &Guarding<'_, W>,
        king: Square,
        wanted: u16,
        fill_costs: [u8; 8],
        fill_turns: usize,
    ) -> Guards {
        let turns = side.turns as usize;
        let mut choices: Vec<Vec<Choice>> = (0..side.units.len() as u8)
            .map(|unit| side.choices(unit, king, wanted))
            .filter(|choices| !choices.is_empty())
            .collect();
        choices.sort_by_key(Vec::len);
        let mut views_within = vec![vec![0; turns + 1]; choices.len() + 1];
        for n in (0..choices.len()).rev() {
            let mut views = views_within[n + 1].clone();
            for choice in &choices[n] {
                let able = views.iter_mut().skip(usize::from(choice.cost));
                able.for_each(|view| *view |= choice.view);
            }
            views_within[n] = views;
        }
        Guards {
            ring: side.coverage.ring(king),
            wanted,
            fill_costs,
            fill_turns,
            choices,
            views_within,
            chosen: SmallVec::new(),
        }
    }

    /// Calls `work` with each choice of guards. `combinations_left` is decremented for each combination examined; the
    /// listing ends when it is 0.
    pub fn each(&mut self, turns: u32, combinations_left: &mut u32, work: &mut GuardsReceiver<'_>) {
        self.explore(0, 0, turns as usize, combinations_left, work);
    }

    /// Explores the choices of the units from number `n` on. `view` is what the units before guard, and `left`
    /// are the turns that they leave. Returns whether to continue.
    fn explore(
        &mut self,
        n: usize,
        view: u16,
        left: usize,
        combinations_left: &mut u32,
        work: &mut GuardsReceiver<'_>,
    ) -> bool {
        *combinations_left = combinations_left.saturating_sub(1);
        if *combinations_left == 0 {
            return false;
        }
        let possible = view | self.views_within[n][left];
        if self.wanted & !possible != 0 || !self.can_leave(self.ring & !possible) {
            return true;
        }
        if n == self.choices.len() {
            return !self.is_smallest() || work(&self.chosen, (self.ring & !view) as u8);
        }
        if !self.explore(n + 1, view, left, combinations_left, work) {
            return false;
        }
        for choice in 0..self.choices[n].len() {
            let &Choice {
                view: more,
                cost,
                target,
            } = &self.choices[n][choice];
            let cost = usize::from(cost);
            // A unit that adds nothing is not in the smallest choice of units.
            if cost > left || more & !view & RING == 0 && more & self.wanted == 0 {
                continue;
            }
            self.chosen.push((more, target));
            let continues = self.explore(n + 1, view | more, left - cost, combinations_left, work);
            self.chosen.pop();
            if !continues {
                return false;
            }
        }
        true
    }

    /// Returns whether no chosen unit can be left out, and no two are on the same square.
    fn is_smallest(&self) -> bool {
        let union = |set: &[(u16, Target)]| set.iter().fold(0, |all, (view, _)| all | view);
        (0..self.chosen.len()).all(|n| {
            let (view, target) = self.chosen[n];
            let others = union(&self.chosen[..n]) | union(&self.chosen[n + 1..]);
            let before = &self.chosen[..n];
            (view & self.wanted > 0 || view & !others & RING > 0)
                && before.iter().all(|(_, other)| other.to != target.to)
        })
    }

    /// Returns whether each neighbor of a set can be occupied, taken on its own.
    fn can_leave(&self, open: u16) -> bool {
        let costs = self.fill_costs.iter().enumerate();
        let costs = costs.filter(|(bit, _)| open >> bit & 1 == 1);
        costs.map(|(_, &cost)| usize::from(cost)).sum::<usize>() <= self.fill_turns
    }
}

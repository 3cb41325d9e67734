//! Checkmates of few pieces, found by trying all placements, and how far a position is from the nearest of them. They
//! only decide the order of the search, so they may be incomplete.

use crate::grid::{DIRECTIONS, Grid, Set, each};
use crate::is_win;
use board::{Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::Game;
use std::collections::HashMap;

/// The maximum number of units other than pawns, kings included, for which checkmates are listed.
const MAX_UNITS: u32 = 5;
/// The maximum number of pawns, which may be anywhere.
const MAX_PAWNS: u32 = 3;
/// The maximum number of units of each side besides its king and its pawns.
const MAX_PIECES: usize = 2;
/// The number of checkmates after which no more are listed.
const MAX_MATES: usize = 1_000;
/// The distance of squares that a unit never reaches.
const NEVER: u8 = 20;

/// The kinds of units in checkmates.
const KINDS: [Kind; 5] = [
    Kind::King,
    Kind::Knight,
    Kind::Bishop,
    Kind::Rook,
    Kind::Queen,
];

/// The number of units of each kind of [`KINDS`], by color.
type Material = [[u8; 5]; 2];

/// A checkmate: units with the index of their kind and their squares. Units that may be anywhere are left out.
type Mate = Vec<(Color, usize, u8)>;

/// The checkmates of each material that was met.
pub(crate) struct Patterns {
    grid: Grid,
    /// For each kind and square, the squares that it attacks on the empty board.
    attacks: Vec<Vec<Set>>,
    /// For each kind and square, the number of steps to each square of the empty board.
    steps: Vec<Vec<Vec<u8>>>,
    mates: HashMap<Material, Vec<Mate>>,
}

impl Patterns {
    pub(crate) fn new<W: Layout>(game: &dyn Game<W>) -> Patterns {
        let geometry = game.board().geometry();
        let grid = Grid::new(geometry);
        let squares = 0..geometry.len() as u8;
        let attacks = |kind: Kind, from: Set| match kind {
            Kind::King => grid.neighbors(from),
            Kind::Knight => grid.leaps(from),
            Kind::Bishop => grid.lines(from, &DIRECTIONS[4..], 0, 0),
            Kind::Rook => grid.lines(from, &DIRECTIONS[..4], 0, 0),
            _ => grid.lines(from, &DIRECTIONS, 0, 0),
        };
        let steps = |kind: Kind, from: u8| {
            let mut steps = vec![NEVER; geometry.len()];
            let (mut reached, mut number) = (1 << from, 0);
            let mut new: Set = reached;
            while new != 0 {
                each(new).for_each(|square| steps[square.trailing_zeros() as usize] = number);
                new = attacks(kind, new) & !reached;
                reached |= new;
                number = (number + 1).min(NEVER);
            }
            steps
        };
        let all = |kind: Kind| {
            squares
                .clone()
                .map(|from| attacks(kind, 1 << from))
                .collect()
        };
        Patterns {
            grid,
            attacks: KINDS.map(all).into(),
            steps: KINDS
                .map(|kind| squares.clone().map(|from| steps(kind, from)).collect())
                .into(),
            mates: HashMap::new(),
        }
    }

    /// Returns how many steps of all pieces a position is from the nearest checkmate by `winner` in which pawns play no
    /// part. Returns `None` for positions with many units, or without such a checkmate.
    pub(crate) fn steps<W: Layout>(
        &mut self,
        game: &dyn Game<W>,
        p: &Position<W>,
        winner: Color,
    ) -> Option<u32> {
        let pawns = Color::BOTH.map(|color| p.units(color, Kind::Pawn).len());
        let units = p.occupied().len() - pawns[0] - pawns[1];
        if units > MAX_UNITS || pawns[0] + pawns[1] > MAX_PAWNS {
            return None;
        }
        let material = Color::BOTH.map(|color| KINDS.map(|kind| p.units(color, kind).len() as u8));
        let listed: u8 = material.as_flattened().iter().sum();
        let pieces = |color: Color| material[color.index()][1..].iter().sum::<u8>() as usize;
        let is_listed = u32::from(listed) == units
            && material.iter().all(|own| own[0] == 1)
            && (1..=MAX_PIECES).contains(&pieces(winner))
            && pieces(!winner) <= MAX_PIECES;
        if !is_listed {
            return None;
        }
        if !self.mates.contains_key(&material) {
            let mates = self.mates_of(game, material, winner);
            self.mates.insert(material, mates);
        }
        let steps = |mate: &Mate| -> u32 {
            let nearest = |&(color, kind, to): &(Color, usize, u8)| {
                let from = p.units(color, KINDS[kind]);
                let steps = from
                    .iter()
                    .map(|from| self.steps[kind][from.0 as usize][to as usize]);
                u32::from(steps.min().unwrap_or(NEVER))
            };
            mate.iter().map(nearest).sum()
        };
        self.mates[&material].iter().map(steps).min()
    }

    /// Returns checkmates of a material.
    fn mates_of<W: Layout>(
        &self,
        game: &dyn Game<W>,
        material: Material,
        winner: Color,
    ) -> Vec<Mate> {
        let kinds = |color: Color| -> Vec<usize> {
            let counts = material[color.index()].iter().enumerate().skip(1);
            counts
                .flat_map(|(kind, &n)| std::iter::repeat_n(kind, n.into()))
                .collect()
        };
        let (attackers, blockers) = (kinds(winner), kinds(!winner));
        let index = |square: Set| square.trailing_zeros() as u8;
        let mut mates = Vec::new();
        for king in each(self.grid.squares) {
            let around = self.grid.neighbors(king);
            for own in each(self.grid.squares & !king & !around) {
                let flights = around & !self.grid.neighbors(own);
                let mut placed = vec![(winner, 0, index(own)), (!winner, 0, index(king))];
                self.place(
                    &attackers,
                    king | own,
                    0,
                    &mut placed,
                    &mut |placed, occupied, attacked| {
                        let open = flights & !attacked;
                        if attacked & king == 0 || open & occupied != 0 || mates.len() >= MAX_MATES
                        {
                            return;
                        }
                        let open: Vec<u8> = each(open).map(index).collect();
                        for order in orders(&blockers) {
                            if order.len() < open.len() {
                                continue;
                            }
                            let blocking = order.iter().zip(&open);
                            let mut mate = placed.to_vec();
                            mate.extend(blocking.map(|(&kind, &square)| (!winner, kind, square)));
                            let mut p = Position::<W>::empty();
                            p.side = !winner;
                            for &(color, kind, square) in &mate {
                                p.put(color, KINDS[kind], Square(square));
                            }
                            if is_win(game.outcome(&p), winner) {
                                mates.push(mate);
                                break;
                            }
                        }
                    },
                );
            }
        }
        mates
    }

    /// Calls `visit` with each placement of units of the first color of `placed`, with the squares that they occupy
    /// and those that they attack.
    fn place(
        &self,
        kinds: &[usize],
        taken: Set,
        attacked: Set,
        placed: &mut Mate,
        visit: &mut dyn FnMut(&Mate, Set, Set),
    ) {
        let Some((&kind, rest)) = kinds.split_first() else {
            return visit(placed, taken, attacked);
        };
        for square in each(self.grid.squares & !taken) {
            let at = square.trailing_zeros() as usize;
            placed.push((placed[0].0, kind, at as u8));
            self.place(
                rest,
                taken | square,
                attacked | self.attacks[kind][at],
                placed,
                visit,
            );
            placed.pop();
        }
    }
}

/// Returns the orders of at most two kinds.
fn orders(kinds: &[usize]) -> Vec<Vec<usize>> {
    let mut orders = vec![kinds.to_vec()];
    if let [a, b] = *kinds {
        orders.push(vec![b, a]);
    }
    orders
}

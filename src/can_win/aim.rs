//! Aims of random games: where the king that is to be mated should go, and what else is worth how much. An aim
//! only steers a game, so it may be wrong.

use crate::estimate::{distance, force, open_neighbors};
use board::{Color, Kind, Square, Squares};
use control::Random;
use position::{Layout, Position};
use rules::Game;

/// The largest number of turns of which the best one is played.
const MAX_CANDIDATES: usize = 12;

/// The aim of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    winner: Color,
    /// The square to which the king that is to be mated should go.
    target: Square,
    /// The number of turns of which the best one is played.
    pub(crate) candidates: usize,
    /// The weight of each feature.
    weights: [i32; FEATURES],
}

/// The number of features.
const FEATURES: usize = 9;

/// The largest weight of each feature. The weight of a feature with a negative one may be negative too.
const MAX_WEIGHTS: [i32; FEATURES] = [8, 6, 4, 2, 6, -6, -6, -3, -3];

impl Aim {
    /// Returns a random aim. Half of the target squares are corners, if the board has such squares.
    pub(crate) fn random<W: Layout>(game: &dyn Game<W>, winner: Color, random: &mut Random) -> Aim {
        let geometry = game.board().geometry();
        let (last_file, last_rank) = (geometry.files() - 1, geometry.ranks() - 1);
        let corners = [
            (0, 0),
            (last_file, 0),
            (0, last_rank),
            (last_file, last_rank),
        ];
        let (file, rank) = match random.below(2) {
            0 => corners[random.below(4)],
            _ => (
                random.below(geometry.files().into()) as u8,
                random.below(geometry.ranks().into()) as u8,
            ),
        };
        let weights = MAX_WEIGHTS.map(|most| match (random.below(3), most) {
            (0, _) => 0,
            (_, most @ 1..) => 1 + random.below(most as usize) as i32,
            (_, most) => random.below((1 - 2 * most) as usize) as i32 + most,
        });
        Aim {
            winner,
            target: geometry.square(file, rank),
            candidates: 1 + random.below(MAX_CANDIDATES),
            weights,
        }
    }

    /// Returns how far a position is from the aim, in no unit. Positions in which a side does not have exactly
    /// one king are equally far, except for their units.
    pub(crate) fn distance<W: Layout>(&self, game: &dyn Game<W>, p: &Position<W>) -> i32 {
        let geometry = game.board().geometry();
        let loser = !self.winner;
        let king = |color: Color| {
            let kings = p.units(color, Kind::King);
            kings.first().filter(|_| kings.len() == 1)
        };
        let mut features = [0; FEATURES];
        if let (Some(mated), Some(own)) = (king(loser), king(self.winner)) {
            features[0] = open_neighbors(game, p, mated, self.winner) as i32;
            features[1] = distance(geometry, mated, self.target).into();
            features[2] = (i32::from(distance(geometry, own, self.target)) - 2).abs();
            features[3] = force(game, p, self.winner) as i32 / 2;
            // Units around the king that is to be mated, which may block it.
            let near = p
                .color(loser)
                .iter()
                .filter(|&s| distance(geometry, s, mated) == 1);
            features[8] = near.count() as i32;
        }
        features[4] = -(p.color(self.winner).len() as i32);
        features[5] = p.color(loser).len() as i32;
        for (n, color) in [(6, loser), (7, self.winner)] {
            let ranks_to_go = |square: Square| match color {
                Color::White => geometry.ranks() - 1 - geometry.rank(square),
                Color::Black => geometry.rank(square),
            };
            let pawns = p.units(color, Kind::Pawn);
            features[n] = pawns
                .iter()
                .map(|square| i32::from(ranks_to_go(square)))
                .sum();
        }
        (features.iter().zip(&self.weights))
            .map(|(feature, weight)| feature * weight)
            .sum()
    }
}

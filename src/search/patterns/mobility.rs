//! Mobility in stalemates: the units that give their side a legal turn unless they are captured, pinned or
//! walled in by their own side.

use board::{Board, Color, Kind, Movement, Square, Squares};
use position::{Layout, Position};
use rules::fide::PIECES;

/// Tables of the movements on one board.
pub struct Mobility<S> {
    /// The minimum number of units that wall in a unit, by kind.
    walls: [u32; 6],
    /// The squares of a unit's shortest steps, by kind and square. Longer steps pass over these squares.
    steps: [Vec<S>; 6],
    sliders: [bool; 6],
    /// Whether units of a kind can move along every line on which they may be pinned, so that they can
    /// capture the pinning unit. By kind.
    unpinned: [bool; 6],
    files: u8,
    ranks: u8,
}

impl<S: Squares> Mobility<S> {
    /// Returns the tables for a board and its set of men.
    pub fn new(board: &Board<S>) -> Mobility<S> {
        let squares = || (0..board.geometry().len() as u8).map(Square);
        let steps = Kind::ALL.map(|kind| {
            let step = |from| match board.men().movements[kind.index()] {
                Movement::Special => S::EMPTY,
                // The first square of each line.
                Movement::Slider(_) => board.reach(kind, from, board.squares()),
                Movement::Leaper(_) => board.leap(kind, from),
            };
            squares()
                .map(|from| {
                    if board.squares().has(from) && kind != Kind::Pawn {
                        step(from)
                    } else {
                        S::EMPTY
                    }
                })
                .collect::<Vec<S>>()
        });
        let walls = Kind::ALL.map(|kind| {
            let each = board.squares();
            let each = each
                .iter()
                .map(|from| steps[kind.index()][from.index()].len());
            each.min().unwrap_or(0)
        });
        let sliders = Kind::ALL.map(|kind| board.slides(kind).is_some());
        let lines = |kind: Kind, from| board.slide(kind, from, S::EMPTY);
        let follows = |kind: Kind, other: Kind| {
            squares().all(|from| (lines(other, from) & !lines(kind, from)).is_empty())
        };
        let pinning = || Kind::ALL.into_iter().filter(|kind| sliders[kind.index()]);
        Mobility {
            walls,
            steps,
            unpinned: Kind::ALL
                .map(|kind| sliders[kind.index()] && pinning().all(|other| follows(kind, other))),
            sliders,
            files: board.geometry().files(),
            ranks: board.geometry().ranks(),
        }
    }

    /// Returns the squares of a unit's shortest steps; none for a pawn.
    pub fn steps(&self, kind: Kind, from: Square) -> S {
        self.steps[kind.index()][from.index()]
    }

    /// Returns whether `units`, all units of a side (`own`) without the king, can be left without a turn. The
    /// other side has `turns` turns and may then pin `pins` units; their own side moves units `moves` times.
    ///
    /// A piece that neither moves again nor is captured or pinned is without a turn only if units of its own
    /// side occupy the squares of all its steps. Each move of its side can occupy one more.
    pub fn can_be_immobile<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        units: S,
        own: S,
        (turns, moves, pins): (u32, u32, u32),
    ) -> bool {
        let (mut wild, mut unpinned) = (0, 0);
        for kind in PIECES {
            let steps = &self.steps[kind.index()];
            let free = (p.kind(kind) & units)
                .iter()
                .filter(|from| (steps[from.index()] & !own).len() > moves)
                .count() as u32;
            wild += free;
            if self.unpinned[kind.index()] {
                unpinned += free;
            }
        }
        unpinned <= turns + moves && wild <= turns + moves + pins
    }

    /// Returns the units in `units` that their own side cannot wall in. `units` are all units of the side
    /// without the king.
    pub fn not_wallable<W: Layout<Set = S>>(&self, p: &Position<W>, units: S) -> S {
        // The king may replace the unit itself among those that wall it in.
        let others = units.len();
        PIECES
            .into_iter()
            .filter(|kind| self.walls[kind.index()] > others)
            .fold(S::EMPTY, |set, kind| set | p.kind(kind))
            & units
    }

    /// Returns the maximum number of units that `color` can pin after `turns` of its turns: one for each
    /// slider, and one for each pawn that can promote by then.
    pub fn pins<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color, turns: u32) -> u32 {
        let own = p.color(color);
        let sliders = PIECES
            .into_iter()
            .filter(|kind| self.sliders[kind.index()])
            .map(|kind| (p.kind(kind) & own).len())
            .sum::<u32>();
        let promoting = (p.kind(Kind::Pawn) & own)
            .iter()
            .filter(|&from| self.turns_to_promote(color, from) <= turns)
            .count();
        sliders + promoting as u32
    }

    /// Returns the minimum number of turns in which a pawn can promote.
    fn turns_to_promote(&self, color: Color, from: Square) -> u32 {
        let rank = from.0 / self.files;
        let (gone, left) = match color {
            Color::White => (rank, self.ranks - 1 - rank),
            Color::Black => (self.ranks - 1 - rank, rank),
        };
        u32::from(left) - u32::from(gone == 1 && left > 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use notation::Setup;
    use notation::with_setup;
    use rules::Variant;

    /// Returns whether Black's units can be left without a turn. `bounds` are turns of White, moves of Black,
    /// and pins.
    fn black_can_be_immobile(board: &str, bounds: (u32, u32, u32)) -> bool {
        let variant = Variant::from(&variants::fide::INFO);
        let setup = Setup::read(&variant, Some(&format!("{board} b - - 0 1"))).expect("a position");
        with_setup!(&setup, start => {
            let p = &start.position;
            let own = p.color(Color::Black);
            let units = own & !p.kind(Kind::King);
            Mobility::new(start.game.board()).can_be_immobile(p, units, own, bounds)
        })
    }

    #[test]
    fn a_piece_is_walled_in_captured_or_pinned() {
        let corner = "b7/8/8/8/8/8/7K/k7";
        assert!(!black_can_be_immobile(corner, (0, 0, 0)));
        assert!(black_can_be_immobile(corner, (1, 0, 0)), "captured");
        assert!(black_can_be_immobile(corner, (0, 0, 1)), "pinned");
        assert!(
            black_can_be_immobile("b7/1p6/8/8/8/8/7K/k7", (0, 0, 0)),
            "walled in"
        );
        assert!(
            !black_can_be_immobile("b7/1P6/8/8/8/8/7K/k7", (0, 0, 0)),
            "it captures"
        );
    }

    #[test]
    fn one_move_walls_in_several_pieces() {
        // A single unit on b7 would wall in both bishops.
        assert!(black_can_be_immobile("b1b5/3p4/8/8/8/8/7K/k7", (0, 1, 0)));
        assert!(!black_can_be_immobile("b1b5/3p4/8/8/8/8/7K/k7", (0, 0, 1)));
    }

    #[test]
    fn each_move_may_take_a_piece_elsewhere() {
        let open = "8/8/2r2r2/8/8/8/7K/k7";
        assert!(black_can_be_immobile(open, (0, 2, 0)));
        assert!(!black_can_be_immobile(open, (0, 1, 0)));
        assert!(black_can_be_immobile(open, (1, 1, 0)));
    }

    #[test]
    fn a_queen_takes_what_pins_her() {
        let open = "8/8/2q5/8/8/8/7K/k7";
        assert!(!black_can_be_immobile(open, (0, 0, 1)));
        assert!(black_can_be_immobile("8/8/2r5/8/8/8/7K/k7", (0, 0, 1)));
        assert!(black_can_be_immobile(open, (1, 0, 0)) && black_can_be_immobile(open, (0, 1, 0)));
    }
}

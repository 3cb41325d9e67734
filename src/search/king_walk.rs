//! King walks: a test that shows, without playing a turn of the mating side, that the defender's king escapes
//! mate after it.
//!
//! Preconditions: those of [`MateBound`], and units other than pawns never change their kind. The king steps
//! to a square that is not attacked and has more open neighbors than the following turns can guard. If the
//! mating side has two turns left, the king takes a second step of this kind after the first of them.
//!
//! A turn changes what one unit guards and which lines are open. The squares that all other units guard, and
//! can come to guard, are computed once for all turns of a unit, so each turn takes only a few table reads.
//! As in [`MateBound`], units are assumed not to block lines of the mating side, except in the position
//! itself. So the test is one-sided: if it fails, the king may still escape.

use crate::mate_bound::{Covers, MateBound};
use board::{Kind, Square, Squares};
use position::{Layout, Position};
use rules::{Action, Step, Turn};
use smallvec::SmallVec;

/// The maximum number of steps of a walk.
pub(crate) const MAX_STEPS: usize = 2;

/// A unit of the mating side.
struct Unit<S> {
    kind: Kind,
    from: Square,
    /// The squares that the unit guards if units do not block lines.
    guards: S,
    /// The squares that the unit attacks with the defender's king off the board.
    attacks: S,
}

/// The maximum number of additional neighbors of a king that units can guard, by the number of their turns.
#[derive(Clone, Copy, Default)]
struct Gains {
    /// The maximum if all squares that are guarded now stay guarded.
    kept: Covers,
    /// The maximum if a unit that moves gives up the squares that it alone guards.
    moved: Covers,
}

/// The walks of the defender's king in a position with the mating side to move.
pub(crate) struct KingWalks<'b, 'g, W: Layout> {
    bound: &'b MateBound<'g, W>,
    /// Turns of the mating side that the king must survive after the next one; the number of steps of a walk.
    steps: usize,
    /// 1 if the mating side may castle, which counts as a turn of the king and a free turn of the rook; else
    /// 0.
    free_turns: usize,
    units: SmallVec<[Unit<W::Set>; 16]>,
    /// The defender's units without the king. They are assumed not to move.
    others: W::Set,
    /// The king's neighbors that do not hold units of the defender.
    near: W::Set,
    /// The square of the mover, the unit whose turns are tested; none before the first test. The fields below
    /// describe all other units of the mating side.
    mover: Option<Square>,
    /// The king's neighbors that no other unit attacks after a turn of the mover.
    free: W::Set,
    /// Squares that no other unit guards.
    open: W::Set,
    /// Squares that exactly one other unit guards.
    once: W::Set,
    /// The king's squares for which `gains` is computed.
    gains_computed: W::Set,
    gains: Vec<Gains>,
}

/// A tested turn of the mating side, with the results for it.
struct Tested<S> {
    step: Step,
    /// The squares that the mover guards after the turn.
    guards: S,
    /// Squares whose safety is decided, by the number of steps to them.
    decided: [S; MAX_STEPS + 1],
    /// The safe squares among them, by the number of steps.
    safe: [S; MAX_STEPS + 1],
}

impl<'b, 'g, W: Layout> KingWalks<'b, 'g, W> {
    /// Returns walks without a position; [`begin`](Self::begin) sets one. Returns `None` if units may change
    /// their kind, because each unit could then guard nearly everything.
    pub fn new(bound: &'b MateBound<'g, W>) -> Option<Self> {
        bound.is_fixed().then(|| KingWalks {
            bound,
            steps: 0,
            free_turns: 0,
            units: SmallVec::new(),
            others: W::Set::EMPTY,
            near: W::Set::EMPTY,
            mover: None,
            free: W::Set::EMPTY,
            open: W::Set::EMPTY,
            once: W::Set::EMPTY,
            gains_computed: W::Set::EMPTY,
            gains: vec![Gains::default(); bound.squares()],
        })
    }

    /// Begins walks of `steps` steps in a position with the mating side to move. Returns false if walks
    /// cannot be analyzed here; [`survives`](Self::survives) must not be called then.
    pub fn begin(&mut self, p: &Position<W>, steps: usize) -> bool {
        let bound = self.bound;
        self.steps = steps;
        self.free_turns = usize::from(bound.castled(p, p.side).next().is_some());
        let theirs = p.color(!p.side);
        let king = (p.kind(Kind::King) & theirs).first();
        let Some(king) = king.filter(|_| steps + self.free_turns <= MAX_STEPS) else {
            return false;
        };
        self.units.clear();
        let blocked = p.occupied().without(king);
        let own = p.color(p.side);
        for kind in Kind::ALL {
            self.units
                .extend((p.kind(kind) & own).iter().map(|from| Unit {
                    kind,
                    from,
                    guards: bound.guards(kind, from),
                    attacks: bound.attacks(kind, from, blocked),
                }));
        }
        self.others = theirs.without(king);
        self.near = bound.ring(king) & !self.others;
        self.mover = None;
        true
    }

    /// Returns true only if the king survives a turn of the mating side and the turns that follow. False
    /// proves nothing.
    pub fn survives(&mut self, turn: &Turn) -> bool {
        let step = turn.first();
        if !matches!(step.action(), Action::Go | Action::DoubleStep) {
            return false;
        }
        if self.mover != Some(step.from) {
            self.set_mover(step.from);
        }
        let mut tested = Tested {
            step,
            guards: self.bound.guards(step.result(), step.to),
            decided: [W::Set::EMPTY; MAX_STEPS + 1],
            safe: [W::Set::EMPTY; MAX_STEPS + 1],
        };
        let free = self.free & !tested.guards;
        free.iter().any(|at| self.is_safe(&mut tested, at, 1))
    }

    fn set_mover(&mut self, mover: Square) {
        let (mut attacked, mut guarded, mut several) =
            (W::Set::EMPTY, W::Set::EMPTY, W::Set::EMPTY);
        for unit in self.units.iter().filter(|unit| unit.from != mover) {
            several |= guarded & unit.guards;
            guarded |= unit.guards;
            // A line may become longer when the mover leaves it.
            attacked |= match unit.attacks.has(mover) {
                true => unit.guards,
                false => unit.attacks,
            };
        }
        self.mover = Some(mover);
        self.free = self.near & !attacked;
        self.open = !guarded;
        self.once = guarded & !several;
        self.gains_computed = W::Set::EMPTY;
    }

    /// Returns whether the king, after its step to `at`, is mated neither by the next turn nor by later ones.
    /// The step is number `steps` of the walk.
    fn is_safe(&mut self, tested: &mut Tested<W::Set>, at: Square, steps: usize) -> bool {
        if !tested.decided[steps].has(at) {
            tested.decided[steps] = tested.decided[steps].with(at);
            if self.stays_open(tested, at, steps) {
                tested.safe[steps] = tested.safe[steps].with(at);
            }
        }
        tested.safe[steps].has(at)
    }

    /// Returns whether the king, after its step to `at` and the turn that follows, still has a square for its
    /// next step.
    #[inline(always)]
    fn stays_open(&mut self, tested: &mut Tested<W::Set>, at: Square, steps: usize) -> bool {
        let near = self.bound.ring(at) & !self.others;
        let open = near & self.open & !tested.guards;
        let gains = self.gains(at);
        let castles = self.free_turns > 0;
        let (kind, to) = (tested.step.result(), tested.step.to);
        let mover = self.bound.covers(kind, to, at, castles);
        let max_gain = |others: &Covers| {
            u32::from(match steps + self.free_turns {
                1 => max_of_one_turn(others, mover, 0),
                _ => max_of_two_turns(others, mover, 0),
            })
        };
        let kept = max_gain(&gains.kept);
        if steps == self.steps {
            // Squares that the mover also guards are not given up.
            let shared = (near & self.once & tested.guards).len();
            return open.len() > kept.min(max_gain(&gains.moved) + shared);
        }
        let (mut safe, mut left) = (0, open.len());
        for next in open.iter() {
            if safe + left <= kept {
                return false;
            }
            left -= 1;
            safe += u32::from(self.is_safe(tested, next, steps + 1));
        }
        safe > kept
    }

    /// Returns the maximum number of additional neighbors of a king that the units other than the mover can
    /// guard.
    fn gains(&mut self, king: Square) -> Gains {
        if !self.gains_computed.has(king) {
            self.gains_computed = self.gains_computed.with(king);
            let two_turns = self.steps + self.free_turns > 1;
            let once = self.bound.ring(king) & self.once & !self.others;
            let mut gains = Gains::default();
            for unit in &self.units {
                if self.mover == Some(unit.from) {
                    continue;
                }
                let castles = self.free_turns > 0;
                let covers = self.bound.covers(unit.kind, unit.from, king, castles);
                let lost = (unit.guards & once).len() as u8;
                for (max_gain, lost) in [(&mut gains.kept, 0), (&mut gains.moved, lost)] {
                    if two_turns {
                        max_gain[2] = max_of_two_turns(max_gain, covers, lost);
                    }
                    max_gain[1] = max_of_one_turn(max_gain, covers, lost);
                }
            }
            self.gains[king.index()] = gains;
        }
        self.gains[king.index()]
    }
}

/// Returns the maximum gain of one turn, made either by a unit that gives up `lost` squares or by another
/// unit.
#[inline(always)]
fn max_of_one_turn(others: &Covers, unit: &Covers, lost: u8) -> u8 {
    others[1].max(unit[1].saturating_sub(lost))
}

/// Returns the maximum gain of two turns, shared between a unit that gives up `lost` squares and the other
/// units.
#[inline(always)]
fn max_of_two_turns(others: &Covers, unit: &Covers, lost: u8) -> u8 {
    let one_each = others[1] + unit[1].saturating_sub(lost);
    others[2].max(one_each).max(unit[2].saturating_sub(lost))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, Judge};
    use board::Color;
    use notation::{Setup, Start};
    use position::Narrow;
    use rules::{Variant, with_turns};

    /// Returns whether the side to move can checkmate within `left` of its turns, by trying all lines.
    fn mates(judge: Judge<'_, Narrow>, p: &Position<Narrow>, left: usize) -> bool {
        let game = judge.game;
        let forces = |turn: &Turn| {
            let after = game.play(p, turn);
            with_turns(|replies| {
                game.turns(&after, replies);
                let mated = |reply| mates(judge, &game.play(&after, reply), left - 1);
                !replies.is_empty() && replies.iter().all(mated)
            })
        };
        judge.can_reach(p)
            || left > 1
                && with_turns(|turns| {
                    game.turns(p, turns);
                    turns.iter().any(forces)
                })
    }

    /// Returns the FEN of a random position with few units on a small board. The mating side, to move, has a
    /// king and two to four units; the other side has a king and at most one unit.
    fn position(random: &mut impl FnMut(usize) -> usize, mating_side: Color) -> String {
        let (files, ranks) = (4 + random(3), 4 + random(3));
        let mut squares = vec!['.'; files * ranks];
        let units: [&[char]; 7] = [
            &['k'],
            &['.', '.', 'p', 'n'],
            &['K'],
            &['Q', 'R', 'B', 'N', 'P'],
            &['R', 'B', 'N', 'P'],
            &['.', 'Q', 'R', 'B', 'N', 'P'],
            &['.', 'R', 'B', 'N', 'P'],
        ];
        for kinds in units {
            squares[random(files * ranks)] = kinds[random(kinds.len())];
        }
        let swapped = |c: char| match c.is_lowercase() {
            true => c.to_ascii_uppercase(),
            false => c.to_ascii_lowercase(),
        };
        let white = mating_side == Color::White;
        let square = |&c: &char| if white { c } else { swapped(c) };
        let rank = |rank: &[char]| rank.iter().map(square).collect::<String>();
        let board: Vec<String> = squares.chunks(files).map(rank).collect();
        let board = fen_of(board.join("/"), files);
        format!("{board} {} - - 0 1", if white { 'w' } else { 'b' })
    }

    /// Returns the board field of a FEN from one with a dot for each vacant square.
    fn fen_of(mut board: String, files: usize) -> String {
        for vacant in (1..=files).rev() {
            board = board.replace(&".".repeat(vacant), &vacant.to_string());
        }
        board
    }

    /// Counts turns that the king survives, by the number of following turns, and fails if one of them forces
    /// mate.
    fn survived(fens: impl Iterator<Item = String>) -> [usize; MAX_STEPS + 1] {
        let variant = Variant::from(&variants::fide::INFO);
        let mut survived = [0; MAX_STEPS + 1];
        for fen in fens {
            if let Ok(Setup::Narrow(start)) = Setup::read(&variant, Some(&fen)) {
                count(&start, &mut survived);
            }
        }
        survived
    }

    fn count(start: &Start<Narrow>, survived: &mut [usize]) {
        let (game, p) = (start.game.as_ref(), &start.position);
        let judge = Judge::new(game, &Goal::Mate);
        let bound = MateBound::new(judge, p.side).expect("orthodox flights");
        let mut walks = KingWalks::new(&bound).expect("units stay what they are");
        let mut turns = Vec::new();
        game.turns(p, &mut turns);
        for (left, survived) in survived.iter_mut().enumerate().skip(1) {
            if !walks.begin(p, left) {
                continue;
            }
            for turn in turns.iter().filter(|turn| walks.survives(turn)) {
                let after = game.play(p, turn);
                let forced = with_turns(|replies| {
                    game.turns(&after, replies);
                    let mated = |reply| mates(judge, &game.play(&after, reply), left);
                    match replies.is_empty() {
                        true => judge.reached(p, turn, &after),
                        false => replies.iter().all(mated),
                    }
                });
                let fen = || notation::fen::print(game, p);
                assert!(!forced, "{left} turns after {turn:?}: {}", fen());
                *survived += 1;
            }
        }
    }

    /// Returns a generator of random numbers below its argument.
    fn random(mut seed: u64) -> impl FnMut(usize) -> usize {
        move |below| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        }
    }

    #[test]
    fn a_king_survives_no_turn_that_forces_mate() {
        let mut random = random(1);
        let found = survived((0..60_000).map(|n| position(&mut random, Color::BOTH[n % 2])));
        assert!(found[1] > 5_000 && found[2] > 1_000, "{found:?}");
    }

    #[test]
    fn a_king_survives_no_turn_that_forces_mate_by_castling() {
        let mut random = random(2);
        let positions = (0..3_000).map(|_| {
            let mut ranks = [['.'; 8]; 7];
            for units in [['Q', 'N', 'B', 'P'], ['Q', 'R', 'N', 'B']] {
                ranks[random(7)][random(8)] = units[random(4)];
            }
            ranks[4 + random(3)][random(8)] = 'k';
            let board = fen_of(ranks.map(String::from_iter).join("/"), 8);
            format!("{board}/R3K2R w KQ - 0 1")
        });
        let found = survived(positions);
        assert!(found[1] > 1_000, "{found:?}");
    }
}

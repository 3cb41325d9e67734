//! A king's walk away from mate: whether the king lives after a turn of the mating side, found without playing it.
//!
//! Preconditions: those of [`MateBound`], and units other than pawns stay what they are. The king steps to a square
//! that is not attacked, and there more squares next to it are open than the turns that follow can guard. If the
//! mating side has two turns, the king takes a second step of this kind after the first of them.
//!
//! A turn changes what one unit guards and which lines are open. What all other units guard, and can guard more, is
//! found once for all turns of a unit, so that a turn takes a few reads from tables. As in [`MateBound`], units do not
//! block lines of the mating side, except in the position itself. An answer of "no" therefore proves nothing.

use crate::mate_bound::{Covers, MateBound};
use board::{Kind, Square, Squares};
use position::{Layout, Position};
use rules::{Action, Step, Turn};
use smallvec::SmallVec;

/// The most steps of a walk.
pub(crate) const MAX_STEPS: usize = 2;

/// A unit of the mating side.
struct Unit<S> {
    kind: Kind,
    from: Square,
    /// What it guards if units do not block lines.
    guards: S,
    /// What it attacks with the defender's king off the board.
    attacks: S,
}

/// How many more neighbors of a king units can guard, by the number of their turns.
#[derive(Clone, Copy, Default)]
struct Gains {
    /// If what was guarded before stays guarded.
    kept: Covers,
    /// If a unit that moves gives up what it alone guards.
    moved: Covers,
}

/// The walks of the defender's king in a position with the mating side to move.
pub(crate) struct KingWalks<'b, 'g, W: Layout> {
    bound: &'b MateBound<'g, W>,
    /// How many turns the king has to live through after the next one.
    steps: usize,
    /// 1 if the mating side may castle, which is a turn of the king and a free one of the rook.
    free_turns: usize,
    units: SmallVec<[Unit<W::Set>; 16]>,
    /// The defender's units without the king. They stay where they are, unless they are captured.
    others: W::Set,
    /// The king's neighbors without these.
    near: W::Set,
    /// The unit whose turns are tested; none before the first test. All that follows is about the other units.
    mover: Option<Square>,
    /// The king's neighbors that they do not attack after a turn of the mover.
    free: W::Set,
    /// Squares that none of them guards.
    open: W::Set,
    /// Squares that exactly one of them guards.
    once: W::Set,
    /// The squares of the king for which the gains are known.
    known: W::Set,
    gains: Vec<Gains>,
}

/// A turn of the mating side.
struct Tested<S> {
    step: Step,
    /// What the mover guards after it.
    guards: S,
    /// The squares that are known to be safe or not, by the number of steps to them.
    known: [S; MAX_STEPS + 1],
    /// Of these, the safe ones.
    safe: [S; MAX_STEPS + 1],
}

impl<'b, 'g, W: Layout> KingWalks<'b, 'g, W> {
    /// Returns walks, in no position yet. `None` if units may change: each could then guard nearly everything.
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
            known: W::Set::EMPTY,
            gains: vec![Gains::default(); bound.squares()],
        })
    }

    /// Begins walks of `steps` steps in a position with the mating side to move. Returns false if nothing is known of
    /// them; [`lives_after`](Self::lives_after) must not be called then.
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

    /// Returns whether the king lives through a turn and the turns that follow. A "no" proves nothing.
    pub fn lives_after(&mut self, turn: &Turn) -> bool {
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
            known: [W::Set::EMPTY; MAX_STEPS + 1],
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
            // A line may be longer once the mover has left it.
            attacked |= match unit.attacks.has(mover) {
                true => unit.guards,
                false => unit.attacks,
            };
        }
        self.mover = Some(mover);
        self.free = self.near & !attacked;
        self.open = !guarded;
        self.once = guarded & !several;
        self.known = W::Set::EMPTY;
    }

    /// Returns whether the king is not mated by the turn that follows its step to a square, nor by later ones. This
    /// is step number `steps` of its walk.
    fn is_safe(&mut self, tested: &mut Tested<W::Set>, at: Square, steps: usize) -> bool {
        if !tested.known[steps].has(at) {
            tested.known[steps] = tested.known[steps].with(at);
            if self.stays_open(tested, at, steps) {
                tested.safe[steps] = tested.safe[steps].with(at);
            }
        }
        tested.safe[steps].has(at)
    }

    /// Returns whether the king still has a square for its next step after the turn that follows its step to `at`.
    #[inline(always)]
    fn stays_open(&mut self, tested: &mut Tested<W::Set>, at: Square, steps: usize) -> bool {
        let near = self.bound.ring(at) & !self.others;
        let open = near & self.open & !tested.guards;
        let gains = self.gains(at);
        let castles = self.free_turns > 0;
        let (kind, to) = (tested.step.result(), tested.step.to);
        let mover = self.bound.covers(kind, to, at, castles);
        let most = |others: &Covers| {
            u32::from(match steps + self.free_turns {
                1 => most_of_one_turn(others, mover, 0),
                _ => most_of_two_turns(others, mover, 0),
            })
        };
        let kept = most(&gains.kept);
        if steps == self.steps {
            // A unit does not give up what the mover guards as well.
            let shared = (near & self.once & tested.guards).len();
            return open.len() > kept.min(most(&gains.moved) + shared);
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

    /// Returns how much more the units but the mover can guard next to a king.
    fn gains(&mut self, king: Square) -> Gains {
        if !self.known.has(king) {
            self.known = self.known.with(king);
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
                for (most, lost) in [(&mut gains.kept, 0), (&mut gains.moved, lost)] {
                    if two_turns {
                        most[2] = most_of_two_turns(most, covers, lost);
                    }
                    most[1] = most_of_one_turn(most, covers, lost);
                }
            }
            self.gains[king.index()] = gains;
        }
        self.gains[king.index()]
    }
}

/// Returns the most that a turn gains, of a unit that gives up `lost` or of other units.
#[inline(always)]
fn most_of_one_turn(others: &Covers, unit: &Covers, lost: u8) -> u8 {
    others[1].max(unit[1].saturating_sub(lost))
}

/// Returns the most that two turns gain, of a unit that gives up `lost` and of other units.
#[inline(always)]
fn most_of_two_turns(others: &Covers, unit: &Covers, lost: u8) -> u8 {
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

    /// Returns whether the side to move checkmates within `left` of its turns, by trying all lines.
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

    /// Returns a position with few units on few squares: the mating side, to move, has a king and two to four units,
    /// and the other side a king and at most one unit.
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

    /// Counts turns that the king survives, by the turns that follow, and fails if one of them forces mate.
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
            for turn in turns.iter().filter(|turn| walks.lives_after(turn)) {
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

    /// Returns random numbers below the argument.
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

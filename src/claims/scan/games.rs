//! Random games from the position of the claim, in which every legal turn is equally likely. A game depends
//! only on its number, so the games are the same for any number of threads.

use super::{Question, Scanned, Tally, Witness, in_pieces};
use control::{Control, MAX_RANDOM_GAME_PLIES, Random, counted};
use language::Interrupted;
use notation::{fen, turns};
use per_layout::per_layout;
use position::{Layout, Position};
use rules::{Game, Turn};
use std::sync::{Mutex, PoisonError};

/// The seed of the games.
const SEED: u64 = 1;
/// The maximum length of a game, in plies.
const MAX_PLIES: usize = MAX_RANDOM_GAME_PLIES as usize;
/// The number of games in one piece of work.
const GAMES: u64 = 8;

/// A request for random games.
pub struct Plan {
    /// The number of games to play.
    pub games: u64,
    /// The number of games that the claim states, which a limit may reduce.
    pub stated: u64,
    /// Whether only the last position of each game counts.
    pub ends: bool,
}

/// Sums over games, for estimates. For one game, `n` is the number of positions, and `y` is the number of
/// hits or the sum of the expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    /// The number of games.
    pub games: u64,
    /// The number of games that were stopped at the maximum length.
    pub stopped: u64,
    /// Sum of n.
    pub n: i128,
    /// Sum of y.
    pub y: i128,
    /// Sum of n * n.
    pub nn: i128,
    /// Sum of y * y.
    pub yy: i128,
    /// Sum of n * y.
    pub ny: i128,
}

impl Moments {
    fn add(&mut self, n: i128, y: i128) {
        self.games += 1;
        self.n += n;
        self.y += y;
        self.nn += n * n;
        self.yy = self.yy.saturating_add(y.saturating_mul(y));
        self.ny = self.ny.saturating_add(n.saturating_mul(y));
    }

    fn join(&mut self, other: &Moments) {
        self.games += other.games;
        self.stopped += other.stopped;
        self.n += other.n;
        self.y += other.y;
        self.nn += other.nn;
        self.yy = self.yy.saturating_add(other.yy);
        self.ny = self.ny.saturating_add(other.ny);
    }

    /// Returns the variance of the ratio `y / n`, estimated by linearization. The positions of one game
    /// depend on each other, so the sampling unit is the game. The differences are exact; the variance is
    /// infinite if they exceed 128 bits.
    fn ratio_variance(&self) -> f64 {
        let (games, n) = (self.games as f64, self.n as f64);
        if self.games < 2 || self.n == 0 {
            return 0.0;
        }
        let squares = || {
            let of_y = self
                .n
                .checked_mul(self.n)?
                .checked_mul(self.exact(self.yy)?)?;
            let of_both = self
                .n
                .checked_mul(self.y)?
                .checked_mul(self.exact(self.ny)?)?;
            let of_n = self.y.checked_mul(self.y)?.checked_mul(self.nn)?;
            of_y.checked_add(of_n)?.checked_sub(of_both.checked_mul(2)?)
        };
        match squares() {
            Some(squares) => games / (games - 1.0) * (squares.max(0) as f64 / n / n) / (n * n),
            None => f64::INFINITY,
        }
    }

    /// Returns a sum of products, or `None` if it has saturated.
    fn exact(&self, sum: i128) -> Option<i128> {
        (sum != i128::MAX && sum != i128::MIN).then_some(sum)
    }

    /// Returns the 95 percent confidence interval of a share by Wilson's method. The sample size is the
    /// number of independent positions that would have the same variance.
    pub fn share_interval(&self) -> (f64, f64) {
        if self.n == 0 {
            return (0.0, 1.0);
        }
        let share = self.y as f64 / self.n as f64;
        let variance = self.ratio_variance();
        if variance.is_infinite() {
            return (0.0, 1.0);
        }
        let independent = match variance > 0.0 {
            true => share * (1.0 - share) / variance,
            // If no game differs from the others, each game counts as one independent position.
            false => self.games as f64,
        };
        let z2 = Z * Z;
        let middle = share + z2 / (2.0 * independent);
        let half = Z
            * (share * (1.0 - share) / independent + z2 / (4.0 * independent * independent)).sqrt();
        let scale = 1.0 + z2 / independent;
        (
            ((middle - half) / scale).max(0.0),
            ((middle + half) / scale).min(1.0),
        )
    }

    /// Returns the 95 percent confidence interval of a mean over positions.
    pub fn mean_interval(&self) -> (f64, f64) {
        if self.n == 0 {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        let mean = self.y as f64 / self.n as f64;
        let half = Z * self.ratio_variance().sqrt();
        (mean - half, mean + half)
    }

    /// Returns the 95 percent confidence interval of the sum over this number of games.
    pub fn sum_interval(&self) -> (f64, f64) {
        let (games, y) = (self.games as f64, self.y as f64);
        let squares = || {
            let of_games = i128::from(self.games).checked_mul(self.exact(self.yy)?)?;
            of_games.checked_sub(self.y.checked_mul(self.y)?)
        };
        let Some(squares) = squares().filter(|_| self.games > 1) else {
            return (f64::NEG_INFINITY, f64::INFINITY);
        };
        let variance = squares.max(0) as f64 / (games - 1.0);
        let half = Z * variance.sqrt();
        (y - half, y + half)
    }
}

/// The half-width of a 95 percent confidence interval, in standard deviations.
const Z: f64 = 1.959_964;

/// Plays the games and visits their positions in the order of the games. Returns `None` if `control` stopped
/// it.
#[per_layout]
pub fn scan<W: Layout>(
    game: &dyn Game<W>,
    root: &Position<W>,
    question: &Question,
    plan: &Plan,
    control: &Control<'_>,
) -> Option<Scanned> {
    let pieces = plan.games.div_ceil(GAMES);
    let moments = Mutex::new(Moments::default());
    let work = |piece: u64, tally: &mut Tally<Witness>| -> Result<(), Interrupted> {
        let mut own = Moments::default();
        for number in piece * GAMES..((piece + 1) * GAMES).min(plan.games) {
            let mut figures = Tally::default();
            let player = Player {
                game,
                root,
                question,
                ends: plan.ends,
                control,
            };
            own.stopped += u64::from(player.play(number, &mut figures)?);
            own.add(
                i128::from(figures.positions),
                i128::from(figures.hits) + figures.sum,
            );
            let decided = figures.first.is_some();
            tally.add(figures);
            if decided {
                break;
            }
        }
        let mut all = moments.lock().unwrap_or_else(PoisonError::into_inner);
        all.join(&own);
        Ok(())
    };
    let tally = in_pieces(pieces, control, &work)?;
    let moments = moments.into_inner().unwrap_or_else(PoisonError::into_inner);
    let which = if plan.ends { "last " } else { "" };
    let games = counted(plan.games, "random game", "random games");
    let is_cut = |witness: &Witness| witness.line.len() == MAX_PLIES;
    let stopped = match moments.stopped {
        _ if tally.first.as_ref().is_some_and(is_cut) => {
            format!(", which are stopped after {MAX_PLIES} plies like this one")
        }
        _ if tally.first.is_some() => String::new(),
        0 => String::new(),
        stopped => format!(", {stopped} of them stopped after {MAX_PLIES} plies"),
    };
    Some(Scanned {
        limit: (plan.games < plan.stated).then(|| format!("games = {}", plan.games)),
        tally,
        set: format!("the {which}positions of {games}{stopped}"),
        games: Some(moments),
    })
}

struct Player<'a, W: Layout> {
    game: &'a dyn Game<W>,
    root: &'a Position<W>,
    question: &'a Question,
    ends: bool,
    control: &'a Control<'a>,
}

impl<W: Layout> Player<'_, W> {
    /// Plays a game. Returns whether the game was stopped at the maximum length.
    fn play(&self, number: u64, tally: &mut Tally<Witness>) -> Result<bool, Interrupted> {
        let game = self.game;
        let mut random = Random::numbered(SEED, number);
        let mut position = *self.root;
        let (mut list, mut line) = (Vec::new(), Vec::new());
        loop {
            list.clear();
            game.turns(&position, &mut list);
            let stopped = line.len() == MAX_PLIES;
            let is_last = list.is_empty() || stopped;
            if (!self.ends || is_last) && self.visit(&position, &line, tally)? {
                return Ok(false);
            }
            if is_last {
                return Ok(!list.is_empty());
            }
            if self.control.check().is_err() {
                return Err(Interrupted);
            }
            // Turns are sorted, so games do not depend on the order of generation.
            let chosen = random.scaled_below(list.len());
            let (_, turn, _) = list.select_nth_unstable(chosen);
            line.push(*turn);
            position = game.play(&position, turn);
        }
    }

    fn visit(
        &self,
        position: &Position<W>,
        line: &[Turn],
        tally: &mut Tally<Witness>,
    ) -> Result<bool, Interrupted> {
        let stop = || self.control.check().is_err();
        let subject = language::Subject {
            stop: Some(&stop),
            ..language::Subject::new(self.game, position)
        };
        let mut mark = || played(self.game, self.root, line);
        self.question.examine(&subject, tally, &mut mark)
    }
}

/// Returns the position after a line as a witness.
pub fn played<W: Layout>(game: &dyn Game<W>, root: &Position<W>, line: &[Turn]) -> Witness {
    let (mut position, mut texts) = (*root, Vec::new());
    for turn in line {
        texts.push(turns::print(game, &position, turn));
        position = game.play(&position, turn);
    }
    Witness {
        root: fen::print(game, root),
        line: texts,
        fen: fen::print(game, &position),
        turn: None,
    }
}

//! Goals as expressions, with the same goals in Rust.

use super::Random;
use fairyproof::board::Squares;
use fairyproof::language::{About, Environment, Expression};
use fairyproof::position::{Layout, Position};
use fairyproof::rules::{AnyGame, Game, Outcome, Turn};

/// Goals as expressions about a turn. [`reached`] says the same of their numbers.
const GOALS: [&str; 10] = [
    "mates",
    "checks",
    "checks && after.count() == count()",
    "mates && after.count() <= 4",
    "ends",
    "after.drawn",
    "!after.over && after.turns.size() <= 2",
    "mates || checks && after.count(other(side)) < count(other(side))",
    "after.turns.size() > 0 && after.turns.all(t, t.checks)",
    "after.count(other(side)) == 1",
];

/// Returns a goal for a game: its number and its expression.
pub fn goal(game: &AnyGame, random: &mut Random) -> (usize, Expression) {
    let number = random.below(GOALS.len());
    let environment = Environment::new(game, About::TURN);
    let goal = Expression::compile(GOALS[number], &environment);
    (
        number,
        goal.unwrap_or_else(|error| panic!("{}: {}", GOALS[number], error.why)),
    )
}

/// Returns whether a turn reaches the goal of this number.
pub fn reached<W: Layout>(
    number: usize,
    game: &dyn Game<W>,
    before: &Position<W>,
    after: &Position<W>,
) -> bool {
    let outcome = game.outcome(after);
    let (us, them) = (before.side, !before.side);
    let mates = outcome == Outcome::Win(us, "checkmate");
    let checks = game.in_check(after, after.side);
    let units = |p: &Position<W>| p.occupied().len();
    let theirs = |p: &Position<W>| p.color(them).len();
    let turns = || {
        let mut turns: Vec<Turn> = Vec::new();
        game.turns(after, &mut turns);
        turns
    };
    match number {
        0 => mates,
        1 => checks,
        2 => checks && units(before) == units(after),
        3 => mates && units(after) <= 4,
        4 => !outcome.is_ongoing(),
        5 => matches!(outcome, Outcome::Draw(_)),
        6 => outcome.is_ongoing() && turns().len() <= 2,
        7 => mates || checks && theirs(after) < theirs(before),
        8 => {
            let checks = |turn: &Turn| {
                let there = game.play(after, turn);
                game.in_check(&there, there.side)
            };
            let turns = turns();
            !turns.is_empty() && turns.iter().all(checks)
        }
        _ => theirs(after) == 1,
    }
}

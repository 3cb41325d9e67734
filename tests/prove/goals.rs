//! Proofs of goals that are expressions, against a search through all lines that knows the rules alone.

use crate::proof;
use crate::random::{Random, few_units_of, goals};
use fairyproof::board::Color;
use fairyproof::catalog::Catalog;
use fairyproof::notation::{Setup, fen};
use fairyproof::position::Position;
use fairyproof::prove::check::check;
use fairyproof::prove::{Goal, Layout, Limits, Status};
use fairyproof::rules::Game;
use fairyproof::variants;
use fairyproof::with_setup;

/// Positions compared, in all compiled rule sets together.
const POSITIONS: usize = 200;
/// The most plies of a line.
const MAX_PLIES: u16 = 3;
/// The most lines of a position that is compared.
const MAX_LINES: f64 = 3e4;

/// Returns whether a side forces a turn that reaches the goal within this number of plies.
fn forces<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    side: Color,
    goal: usize,
    plies: u16,
) -> bool {
    if plies == 0 || !game.outcome(p).is_ongoing() {
        return false;
    }
    let mut turns = Vec::new();
    game.turns(p, &mut turns);
    let mut after = turns.iter().map(|turn| game.play(p, turn));
    let goes_on = |after: &Position<W>| forces(game, after, side, goal, plies - 1);
    match p.side == side {
        true => after.any(|after| goals::reached(goal, game, p, &after) || goes_on(&after)),
        false => after.all(|after| goes_on(&after)),
    }
}

#[test]
fn goals_that_are_expressions_are_proven_like_by_all_lines() {
    let catalog = Catalog::new();
    let mut random = Random(44);
    let (mut compared, mut proven) = (0, 0);
    for info in variants::all().iter().cycle().take(POSITIONS * 60) {
        if compared == POSITIONS {
            break;
        }
        let variant = catalog.open(info.id).expect("an id");
        let Ok(setup) = Setup::read(&variant, Some(&few_units_of(&variant.start(), &mut random)))
        else {
            continue;
        };
        let any = setup.game();
        with_setup!(setup, start => {
            let (game, root) = (start.game.as_ref(), &start.position);
            let width = game.count(root).max(4) as f64;
            if !game.outcome(root).is_ongoing() || width.powi(MAX_PLIES.into()) > MAX_LINES {
                continue;
            }
            let (number, expression) = goals::goal(&any, &mut random);
            let goal = Goal::expression(expression);
            let side = random.pick(&Color::BOTH);
            let name = format!("{} {} {goal} for {side:?}", info.id, fen::print(game, root));
            let shortest = (1..=MAX_PLIES).find(|&plies| forces(game, root, side, number, plies));
            let limits = Limits {
                plies: Some(MAX_PLIES),
                shortest: true,
                ..Limits::default()
            };
            let found = proof(&start, side, &goal, limits);
            assert_eq!(found.status == Status::Proven, shortest.is_some(), "{name}: {:?}", found.status);
            assert_eq!(found.plies, shortest, "{name}");
            if let Some(certificate) = &found.certificate {
                check(game, root, certificate).unwrap_or_else(|e| panic!("{name}: {e}"));
            }
            compared += 1;
            proven += usize::from(shortest.is_some());
        });
    }
    assert_eq!(compared, POSITIONS);
    assert!(proven >= POSITIONS / 10, "only {proven} were proven");
}

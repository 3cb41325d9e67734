//! Single steps: every step of random games is among the generated steps.

use board::Squares;
use catalog::Catalog;
use control::Random;
use fairyproof_claims::single_steps::SingleSteps;
use notation::{Setup, with_setup};
use position::{Layout, Position};
use rules::{Game, Turn};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Returns the steps of a turn in words: side, unit, squares, the resulting unit, and the enemy units that
/// leave the board.
fn steps<W: Layout>(before: &Position<W>, turn: &Turn, after: &Position<W>) -> Vec<String> {
    let enemy = !before.side;
    let lost = before.color(enemy) & !after.color(enemy);
    let lost: Vec<String> = lost
        .iter()
        .filter_map(|square| Some(format!("{:?}{square:?}", before.unit(square)?.1)))
        .collect();
    let single = turn.steps().count() == 1;
    let words = |step: rules::Step| {
        let lost = if single {
            lost.join(" ")
        } else {
            String::new()
        };
        format!("{:?} {step:?} takes {lost}", before.side)
    };
    turn.steps().map(words).collect()
}

fn compare<W: Layout>(
    id: &str,
    game: &dyn Game<W>,
    start: &Position<W>,
    games: u64,
) -> (usize, usize) {
    let generator = SingleSteps::new(game, start, &|| false);
    let mut known: BTreeSet<String> = BTreeSet::new();
    let _: ControlFlow<()> = generator.each(&mut |before, turn, after| {
        known.extend(steps(before, turn, after));
        ControlFlow::Continue(())
    });
    let mut played: BTreeSet<String> = BTreeSet::new();
    for number in 0..games {
        let mut random = Random::numbered(7, number);
        let mut p = *start;
        for _ in 0..100 {
            let mut turns = Vec::new();
            game.turns(&p, &mut turns);
            if turns.is_empty() {
                break;
            }
            turns.sort_unstable();
            for turn in &turns {
                for step in steps(&p, turn, &game.play(&p, turn)) {
                    assert!(known.contains(&step), "{id}: {step}");
                    played.insert(step);
                }
            }
            p = game.play(&p, &turns[random.scaled_below(turns.len())]);
        }
    }
    (known.len(), played.len())
}

#[test]
fn steps_of_random_games_are_among_the_single_steps() {
    let catalog = Catalog::new();
    for id in [
        "fide",
        "bachelor",
        "french-revolution",
        "xiangqi",
        "shogi",
        "crazyhouse",
        "grasshopper",
    ] {
        let Ok(variant) = catalog.open(id) else {
            continue;
        };
        let start = Setup::read(&variant, None).expect("a start");
        let (known, played) =
            with_setup!(start, start => compare(id, start.game.as_ref(), &start.position, 40));
        assert!(played > 500 && known > played, "{id}: {known} {played}");
    }
}

/// Definitions that promise independent steps are tested if their boards have at most this many squares.
const MAX_SQUARES: u32 = 64;

#[test]
fn every_step_of_a_rule_set_that_promises_independent_steps_is_generated() {
    let catalog = Catalog::new();
    let mut promised = Vec::new();
    for id in catalog.ids().map(str::to_owned).collect::<Vec<_>>() {
        let Ok(variant) = catalog.open(&id) else {
            continue;
        };
        let Ok(start) = Setup::read(&variant, None) else {
            continue;
        };
        with_setup!(start, start => {
            let game = start.game.as_ref();
            if game.independent_steps().is_some() && game.board().squares().len() <= MAX_SQUARES {
                compare(&id, game, &start.position, 6);
                promised.push(id.clone());
            }
        });
    }
    assert!(promised.len() > 5, "{promised:?}");
    for id in ["fide", "french-revolution"] {
        assert!(promised.iter().any(|known| known == id), "{promised:?}");
    }
    // Hands, gates, hoppers, blasts, counters and passes add steps that depend on other units.
    for id in [
        "crazyhouse",
        "shogi",
        "seirawan",
        "xiangqi",
        "grasshopper",
        "atomic",
        "3check",
        "janggi",
        "bachelor",
    ] {
        assert!(!promised.iter().any(|known| known == id), "{id}");
    }
}

#[test]
fn generator_runs_for_every_compiled_rule_set() {
    let catalog = Catalog::new();
    for info in variants::all() {
        let variant = catalog.open(info.id).expect("a variant");
        let start = Setup::read(&variant, None).expect("a start");
        let units = with_setup!(start, start => {
            SingleSteps::new(start.game.as_ref(), &start.position, &|| false).units().len()
        });
        assert!(units > 0, "{}", info.id);
    }
}

//! Values, shortest lengths and refutations of small positions in all rule sets, against a brute force over all
//! lines that knows the rules alone.

use crate::random::{Random, few_units_of};
use crate::{CONTROL, proof};
use fairyproof::board::Color;
use fairyproof::catalog::Catalog;
use fairyproof::language::{About, Environment, Expression};
use fairyproof::notation::{Setup, Start, fen};
use fairyproof::position::Position;
use fairyproof::prove::certificate::Kind;
use fairyproof::prove::check::check;
use fairyproof::prove::{Certificate, Goal, Layout, Limits, Prover, Status, Unrefuted};
use fairyproof::rules::{Game, Outcome, Variant};
use fairyproof::with_setup;

/// Positions compared in all rule sets together.
const POSITIONS: usize = 2_000;
/// The most plies of a line.
const MAX_PLIES: u16 = 5;
/// The most positions that a brute force examines before a position is left out.
const MAX_NODES: u32 = 30_000;

/// A brute force over all lines.
struct BruteForce<'g, W: Layout> {
    game: &'g dyn Game<W>,
    goal: &'g Goal,
    side: Color,
    nodes: u32,
}

/// A position takes too many nodes.
struct TooLarge;

impl<W: Layout> BruteForce<'_, W> {
    fn is_won(&self, outcome: Outcome) -> bool {
        match (self.goal, outcome) {
            (Goal::Win, Outcome::Win(winner, _)) => winner == self.side,
            (Goal::NotLose, Outcome::Win(winner, _) | Outcome::WeakWin(winner, _)) => {
                winner == self.side
            }
            (Goal::NotLose, Outcome::Draw(_)) => true,
            _ => false,
        }
    }

    /// Returns whether the goal is forced within `plies`. The only goal that is not an end here is a check.
    fn forces(&mut self, p: &Position<W>, plies: u16) -> Result<bool, TooLarge> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(TooLarge);
        }
        let outcome = self.game.outcome(p);
        if !outcome.is_ongoing() {
            return Ok(self.is_won(outcome));
        }
        if plies == 0 {
            return Ok(false);
        }
        let attacks = p.side == self.side;
        let mut turns = Vec::new();
        self.game.turns(p, &mut turns);
        for turn in &turns {
            let after = self.game.play(p, turn);
            let checks = attacks
                && matches!(self.goal, Goal::Expression(_))
                && self.game.in_check(&after, after.side);
            if (checks || self.forces(&after, plies - 1)?) == attacks {
                return Ok(attacks);
            }
        }
        Ok(!attacks)
    }

    /// Returns the fewest plies within which the goal is forced, if it is within `MAX_PLIES`.
    fn shortest(&mut self, p: &Position<W>) -> Result<Option<u16>, TooLarge> {
        for plies in 1..=MAX_PLIES {
            if self.forces(p, plies)? {
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }
}

/// Compares the search with a brute force; returns the shortest length, `None` if the position is not compared.
fn compare<W: Layout>(start: &Start<W>, side: Color, goal: &Goal) -> Option<Option<u16>> {
    let (game, root) = (start.game.as_ref(), &start.position);
    if !game.outcome(root).is_ongoing() {
        return None;
    }
    let mut force = BruteForce {
        game,
        goal,
        side,
        nodes: 0,
    };
    let shortest = force.shortest(root).ok()?;
    let name = format!(
        "{} {} {goal} for {side:?}",
        game.variant(),
        fen::print(game, root)
    );
    let within = Limits {
        plies: Some(MAX_PLIES),
        ..Limits::default()
    };
    let by_length = Limits {
        shortest: true,
        ..within
    };
    for limits in [within, by_length] {
        let found = proof(start, side, goal, limits);
        match shortest {
            Some(_) => assert_eq!(found.status, Status::Proven, "{name}"),
            None => assert!(
                matches!(found.status, Status::NoneWithin | Status::Disproven),
                "{name}"
            ),
        }
        if limits.shortest {
            assert_eq!(found.plies, shortest, "{name}");
            assert_eq!(found.shortest, shortest.is_some(), "{name}");
        }
        if let Some(certificate) = &found.certificate {
            check(game, root, certificate).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    }
    refute(start, side, goal, shortest, &name);
    Some(shortest)
}

/// Asserts that every length below the shortest is refuted, and that the shortest is not.
fn refute<W: Layout>(
    start: &Start<W>,
    side: Color,
    goal: &Goal,
    shortest: Option<u16>,
    name: &str,
) {
    let (game, root) = (start.game.as_ref(), &start.position);
    let mut prover = Prover::new(game, root, side, goal, Limits::default(), &CONTROL, None);
    let refuted = shortest.map_or(MAX_PLIES, |plies| plies - 1);
    let certificate = prover
        .refutation(refuted, &CONTROL)
        .unwrap_or_else(|e| panic!("{name}: {refuted} plies: {e:?}"));
    assert_eq!(certificate.header.kind, Kind::Refute, "{name}");
    let checked = check(game, root, &certificate).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(checked.plies <= Some(refuted), "{name}");
    let mut bytes = Vec::new();
    certificate.write(&mut bytes).expect("a vector takes it");
    let read = Certificate::read(&mut bytes.as_slice(), u64::MAX).expect(name);
    let read = read.with_goal(goal);
    assert_eq!(read, certificate, "{name}");
    if let Some(shortest) = shortest {
        assert_eq!(
            prover.refutation(shortest, &CONTROL).err(),
            Some(Unrefuted::NotShown),
            "{name}"
        );
        // The same answers do not refute more.
        let mut forged = read;
        forged.header.plies = Some(shortest);
        assert!(check(game, root, &forged).is_err(), "{name}");
    }
}

#[test]
fn values_lengths_and_refutations_agree_with_a_brute_force() {
    let catalog = Catalog::new();
    let variants: Vec<Variant> = catalog
        .ids()
        .filter_map(|id| catalog.open(id).ok())
        .collect();
    // Some rule sets have few legal positions of few units, so the others are drawn from more often.
    let each = (POSITIONS * 5 / 4).div_ceil(variants.len());
    let (mut compared, mut proven) = (0, [0; MAX_PLIES as usize + 1]);
    for (seed, variant) in variants.iter().enumerate() {
        let mut random = Random(seed as u64 + 1);
        let array = variant.start();
        let mut done = 0;
        for _ in 0..each * 40 {
            if done == each {
                break;
            }
            let text = few_units_of(&array, &mut random);
            let Ok(setup) = Setup::read(variant, Some(&text)) else {
                continue;
            };
            let goal = match random.below(6) {
                0 => Goal::NotLose,
                1 => {
                    let game = setup.game();
                    let environment = Environment::new(&game, About::TURN);
                    Expression::compile("checks", &environment).map_or(Goal::Win, Goal::expression)
                }
                _ => Goal::Win,
            };
            let side = Color::BOTH[random.below(2)];
            let found = with_setup!(&setup, start => compare(start, side, &goal));
            if let Some(shortest) = found {
                proven[usize::from(shortest.unwrap_or(0))] += 1;
                done += 1;
            }
        }
        compared += done;
    }
    println!(
        "{compared} positions of {} rule sets; by length {proven:?}",
        variants.len()
    );
    assert!(compared >= POSITIONS, "{compared}");
    assert!(proven.iter().all(|n| *n > 0), "{proven:?}");
}

//! Graphs, proofs and problems of random rule texts on small boards, against plain searches by the naive rules.

use crate::both::{Opened, cases, chance_of, number, open_both};
use crate::play::Chance;
use crate::random;
use fairyproof::board::Color;
use fairyproof::control::Control;
use fairyproof::explore::{Limits, explore};
use fairyproof::notation::{Setup, Start};
use fairyproof::problems::{self, Problem, Stipulation};
use fairyproof::prove::{self, Certificate, Goal, Layout, Prover};
use fairyproof::rules::Variant;
use fairyproof::values::{Value, certify_game, solve_game};
use fairyproof::with_setup;
use naive::graph::Graph;
use naive::problem::Search;
use naive::strategy::{self, Claim, Entry, Statement};
use naive::{RuleSets, Unverified};
use std::collections::BTreeMap;

/// The most positions of a graph that is compared, by default; `FAIRYPROOF_TEXTS_STATES` sets another number.
const STATES: u64 = 150;

pub fn control() -> Control<'static> {
    Control::new().with_memory(64 << 20).with_threads(1)
}

/// Returns a random text on a small board with kings and fewer than `most` further units.
pub fn small_text(chance: &mut Chance, most: usize) -> String {
    let (files, ranks) = (2 + chance.below(3), 3 + chance.below(2));
    let units = chance.below(most);
    let last = char::from(b'a' + files as u8 - 1);
    let fen = random::fen(chance, (files, ranks), units);
    let head =
        format!("[random:fide-text]\nmaxFile = {last}\nmaxRank = {ranks}\nstartFen = {fen}\n");
    random::with_clauses(chance, head)
}

fn rule_sets(text: &str) -> RuleSets {
    RuleSets::with_definitions(definition::LIBRARY, definition::TEXTS, &[text])
        .expect("the text is read")
}

/// Returns whether the naive rules say the same, or an error that they do not check it.
fn holds<T: PartialEq + std::fmt::Debug>(what: &str, ours: &T, naive: &T) -> Result<(), String> {
    match ours == naive {
        true => Ok(()),
        false => Err(format!("{what}: program {ours:?}, naive {naive:?}")),
    }
}

/// Follows the turns of a certificate with the naive rules.
fn followed(certificate: &Certificate, sets: &RuleSets) -> Result<(), Unverified> {
    let header = &certificate.header;
    let statement = Statement {
        variant: &header.variant,
        fen: &header.fen,
        side: &header.side,
        goal: &header.goal,
        force: header.kind == prove::Kind::Force,
        plies: header.plies.map(u32::from),
        key_bits: header.key_bits as usize,
    };
    let entry = |at| {
        let rank = u32::from(certificate.rank(at));
        let turn = certificate.turn(at);
        (certificate.key(at), Entry { rank, turn })
    };
    let entries: Vec<_> = (0..certificate.len()).map(entry).collect();
    strategy::check(sets, &statement, &entries)
}

/// Returns whether a win of a side is avoided forever if the other side may choose among all of its turns.
fn is_avoided(root: &naive::Position, side: Color) -> Result<bool, String> {
    let claim = Claim {
        white: side == Color::White,
        goal: "win",
        force: false,
        meets: None,
    };
    let mut all = |position: &naive::Position| {
        let turns = position.turns().map_or(0, |turns| turns.len());
        (0..turns).map(|turn| Entry { rank: 0, turn }).collect()
    };
    match strategy::follow(root, claim, 1_000_000, &mut all) {
        Ok(_) => Ok(true),
        Err(Unverified::Wrong(_)) => Ok(false),
        Err(Unverified::Unchecked(why)) => Err(why),
    }
}

/// Compares the graph of a position with that of the naive rules, its values with both, and a certificate about the
/// root. Returns whether the graph is small enough.
pub fn compare_graph<W: Layout>(
    start: &Start<W>,
    root: &naive::Position,
    sets: &RuleSets,
) -> Result<bool, String> {
    let game = start.game.as_ref();
    let most = number("FAIRYPROOF_TEXTS_STATES", STATES);
    let limits = Limits {
        max_states: most,
        ..Limits::default()
    };
    let found = explore(game, &start.position, &limits, &control());
    if !found.summary.complete() || found.states.len() < 3 {
        return Ok(false);
    }
    let plain = Graph::explore(root, usize::MAX, 2 * most).map_err(|why| why.to_string())?;
    holds("states", &found.states.len(), &plain.states())?;
    holds("edges", &found.summary.edges, &(plain.edges as u64))?;
    let ends = found.summary.terminals.iter();
    let ends: BTreeMap<String, u64> = ends.map(|(end, n)| (end.to_string(), *n)).collect();
    let naive_ends = plain.terminals().into_iter();
    holds(
        "ends",
        &ends,
        &naive_ends.map(|(end, n)| (end.to_string(), n)).collect(),
    )?;
    let values = solve_game(game, &found, &control()).map_err(|why| why.to_string())?;
    let certified =
        certify_game(game, &found, &values, &control()).map_err(|why| why.to_string())?;
    holds("faulty values", &certified.faulty_states, &0)?;
    let census = plain.census();
    let count = |worth| values.iter().filter(|value| value.worth() == worth).count();
    holds(
        "values",
        &[-2, -1, 0, 1, 2].map(count),
        &census.counts.map(|(_, count)| count),
    )?;
    let plies = match values.of(0) {
        Value::Win(plies) | Value::Loss(plies) => Some(usize::from(plies)),
        _ => None,
    };
    holds("plies", &plies, &census.plies)?;
    for side in Color::BOTH {
        let wins = values.of(0).worth() == if side == start.position.side { 2 } else { -2 };
        holds("avoided with all turns", &is_avoided(root, side)?, &!wins)?;
        let limits = prove::Limits::default();
        let found = Prover::new(
            game,
            &start.position,
            side,
            &Goal::Win,
            limits,
            &control(),
            None,
        )
        .run();
        let Some(certificate) = found.certificate else {
            continue;
        };
        holds(
            "forced win",
            &(certificate.header.kind == prove::Kind::Force),
            &wins,
        )?;
        match followed(&certificate, sets) {
            Ok(_) | Err(Unverified::Unchecked(_)) => {}
            Err(Unverified::Wrong(why)) => return Err(format!("certificate: {why}")),
        }
    }
    Ok(true)
}

/// Opens a random text with both, and its start; `None` if it has none.
fn opened(text: &str) -> Result<Option<(Variant, RuleSets, naive::Position, Setup)>, String> {
    let Opened::Both(variant, _) = open_both(text, "random")? else {
        return Ok(None);
    };
    let sets = rule_sets(text);
    let Ok(setup) = Setup::read(&variant, None) else {
        return Ok(None);
    };
    let root = sets.read("random", None).map_err(|why| why.to_string())?;
    Ok(Some((*variant, sets, root, setup)))
}

#[test]
fn graphs_of_random_texts_are_those_of_the_naive_rules() {
    let wanted = number("FAIRYPROOF_TEXTS_GRAPHS", 10);
    let (mut compared, mut wrong) = (0, Vec::new());
    for case in cases(u64::from(u32::MAX)) {
        let mut chance = chance_of(case ^ 0x6000_0000);
        let text = small_text(&mut chance, 3);
        let result = opened(&text).and_then(|opened| match opened {
            None => Ok(false),
            Some((_, sets, root, setup)) => {
                with_setup!(&setup, start => compare_graph(start, &root, &sets))
            }
        });
        match result {
            Ok(fits) => compared += u64::from(fits),
            Err(why) => wrong.push(format!("case {case}: {why}\n{text}")),
        }
        if compared == wanted || wrong.len() > 20 {
            break;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{compared} graphs");
}

const STIPULATIONS: [&str; 14] = [
    "#1", "#2", "=1", "=2", "s#1", "s#2", "r#1", "h#1", "h#1.5", "h#2", "ser-#2", "ser-h#2", "+1",
    "hs#1.5",
];

/// Solves a problem with both, and returns the number of solutions, or `None` if it is too large for the naive rules.
fn compare_problem<W: Layout>(
    start: &Start<W>,
    asked: &str,
    sets: &RuleSets,
    fen: &str,
) -> Result<Option<usize>, String> {
    let variant = start.game.variant();
    let geometry = start.game.board().geometry();
    let stipulation =
        Stipulation::parse(asked, &variant.rule_set, geometry).map_err(|why| why.to_string())?;
    let root = sets
        .read("random", Some(fen))
        .map_err(|why| why.to_string())?;
    let naive = naive::problem::Stipulation::read(asked).map_err(|why| why.to_string())?;
    let (keys, count, _) = match Search::new(sets, naive, 300).solve(&root) {
        Ok(solved) => solved,
        Err(Unverified::Unchecked(_)) => return Ok(None),
        Err(Unverified::Wrong(why)) => return Err(why),
    };
    let problem = Problem::new(start.clone(), stipulation);
    let solution = problem.solve(&problems::Limits::default(), &control());
    holds("stopped", &solution.stopped.is_some(), &false)?;
    holds("keys", &problem.first_turns(&solution), &keys)?;
    holds("solutions", &solution.count(), &count)?;
    Ok(Some(count))
}

#[test]
fn problems_of_random_texts_are_solved_by_plain_search() {
    let wanted = number("FAIRYPROOF_TEXTS_PROBLEMS", 20);
    let (mut compared, mut solved, mut wrong) = (0, 0, Vec::new());
    for case in cases(u64::from(u32::MAX)) {
        let mut chance = chance_of(case ^ 0x5000_0000);
        let text = small_text(&mut chance, 6);
        let asked = STIPULATIONS[chance.below(STIPULATIONS.len())];
        let result = opened(&text).and_then(|opened| match opened {
            None => Ok(None),
            Some((_, sets, root, setup)) => {
                with_setup!(&setup, start => compare_problem(start, asked, &sets, &root.fen()))
            }
        });
        match result {
            // Problems without a solution say less: one of ten counts.
            Ok(Some(0)) if case % 10 > 0 => {}
            Ok(Some(count)) => {
                compared += 1;
                solved += u64::from(count > 0);
            }
            Ok(None) => {}
            Err(why) => wrong.push(format!("case {case}: {asked}: {why}\n{text}")),
        }
        if compared == wanted || wrong.len() > 20 {
            break;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{compared} problems, {solved} with solutions");
    assert!(solved * 5 > wanted, "{solved}");
}

//! The explorer against plain searches: states, edges, terminals and values of small graphs found by
//! the naive second implementation, and their structure; limits; any number of threads; random games.

use crate::random::Random;
use fairyproof::catalog::Catalog;
use fairyproof::control::{Control, Counted, Stopped};
use fairyproof::explore::{Exploration, GameGraph, Limits, Playouts, explore, playouts, structure};
use fairyproof::notation::{Setup, fen};
use fairyproof::values::{Value, Values, solve_game};
use fairyproof::with_setup;
use naive::RuleSets;
use naive::graph::{Census, Graph};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn setup(variant: &str, text: &str) -> Setup {
    let variant = Catalog::new().open(variant).expect("a registered variant");
    Setup::read(&variant, Some(text)).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn run(setup: &Setup, limits: &Limits) -> Exploration {
    run_under(setup, limits, &Control::new())
}

fn run_under(setup: &Setup, limits: &Limits, control: &Control<'_>) -> Exploration {
    with_setup!(setup, s => explore(s.game.as_ref(), &s.position, limits, control))
}

/// What values come to: the value of the root with its length, the states of each value, the longest win.
type ValueFigures = (String, [usize; 5], Option<usize>);

fn figures_of(values: &Values) -> ValueFigures {
    let count = |worth| values.iter().filter(|value| value.worth() == worth).count();
    let wins = values.iter().filter(|value| value.worth() == 2);
    (
        format!("{} {:?}", values.of(0).worth(), plies(values.of(0))),
        [-2, -1, 0, 1, 2].map(count),
        wins.filter_map(plies).max(),
    )
}

/// Returns the plies to a full win or loss.
fn plies(value: Value) -> Option<usize> {
    match value {
        Value::Win(plies) | Value::Loss(plies) => Some(usize::from(plies)),
        _ => None,
    }
}

fn plain_figures(census: &Census) -> ValueFigures {
    let worth = census
        .counts
        .iter()
        .position(|(name, _)| *name == census.value);
    (
        format!("{} {:?}", worth.expect("a value") as i8 - 2, census.plies),
        census.counts.map(|(_, count)| count),
        census.longest_win_plies,
    )
}

const SMALL: &[(&str, &str)] = &[
    ("fide", "k3/3R/4/K3 w - - 0 1"),
    ("fide", "k2/pp1/1P1/2K w - - 0 1"),
    ("bachelor", "k2/r2/2P/K2 w - - 0 1"),
    ("convergent", "k2/1p1/1P1/2K w - - 0 1"),
    ("french-revolution", "k1/2/PP/pp/2/1K w - - 0 1 first=1"),
    (
        "french-revolution:avalanche",
        "k1/2/PP/pp/2/1K w - - 0 1 first=1",
    ),
    ("chromopolis", "kp/2/PK w - - 0 1"),
];

#[test]
fn small_graphs_are_what_a_plain_search_finds() {
    for (variant, text) in SMALL {
        let setup = setup(variant, text);
        let found = run(&setup, &Limits::default());
        let terminals: BTreeMap<String, u64> = found
            .summary
            .terminals
            .iter()
            .map(|(outcome, n)| (outcome.to_string(), *n))
            .collect();
        assert!(found.summary.complete());
        let root = RuleSets::default().read(variant, Some(text));
        let plain = Graph::explore(&root.expect("a position"), usize::MAX, u64::MAX);
        let plain = plain.expect("no limit");
        assert_eq!(found.states.len(), plain.states(), "{variant} {text}");
        assert_eq!(found.summary.edges, plain.edges as u64, "{variant} {text}");
        let plain_terminals = plain.terminals().into_iter();
        let plain_terminals = plain_terminals.map(|(outcome, n)| (outcome.to_string(), n));
        assert_eq!(terminals, plain_terminals.collect(), "{variant} {text}");
        let values = with_setup!(&setup, s => solve_game(s.game.as_ref(), &found, &Control::new()));
        let values = values.expect("values");
        assert_eq!(
            figures_of(&values),
            plain_figures(&plain.census()),
            "{variant} {text}"
        );
        let graph = found.graph.as_ref().expect("edges are kept");
        assert_eq!(graph.edges(), found.summary.edges);
        let rows = &found.summary.depths;
        assert_eq!(
            rows.iter().map(|r| r.states).sum::<u64>(),
            found.states.len() as u64
        );
        assert_eq!(
            rows.iter().map(|r| r.edges).sum::<u64>(),
            found.summary.edges
        );
    }
}

#[test]
fn depths_are_shortest_ways() {
    let (variant, text) = SMALL[0];
    let found = run(&setup(variant, text), &Limits::default());
    let graph = found.graph.as_ref().expect("edges are kept");
    // Distances by relaxing every edge until nothing changes.
    let mut depth = vec![u32::MAX; graph.states()];
    depth[0] = 0;
    loop {
        let mut changed = false;
        for from in 0..graph.states() as u32 {
            if depth[from as usize] == u32::MAX {
                continue;
            }
            for &to in graph.successors(from) {
                let way = depth[from as usize] + 1;
                if way < depth[to as usize] {
                    depth[to as usize] = way;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    for row in &found.summary.depths {
        let n = depth.iter().filter(|&&d| d == row.depth).count() as u64;
        assert_eq!(n, row.states, "depth {}", row.depth);
    }
}

#[test]
fn any_number_of_threads_finds_the_same_in_the_same_order() {
    let setup = setup("fide", "3k1/5/5/1R3/K4 w - - 0 1");
    let one = run(&setup, &Limits::default());
    for threads in [2, 3] {
        let control = Control::new().with_threads(threads);
        let more = run_under(&setup, &Limits::default(), &control);
        assert_eq!(one.states.len(), more.states.len());
        for id in 0..one.states.len() as u32 {
            assert_eq!(one.states.key(id), more.states.key(id));
            let of = |e: &Exploration| e.graph.as_ref().expect("edges").successors(id).to_vec();
            assert_eq!(of(&one), of(&more));
        }
        assert_eq!(one.summary.depths, more.summary.depths);
        assert_eq!(one.summary.terminals, more.summary.terminals);
    }
}

/// Everything that an exploration finds.
fn figures(found: &Exploration) -> impl PartialEq + std::fmt::Debug + use<> {
    let states = 0..found.states.len() as u32;
    let keys: Vec<Vec<u64>> = states
        .clone()
        .map(|id| found.states.key(id).to_vec())
        .collect();
    assert!(
        states
            .clone()
            .zip(&keys)
            .all(|(id, key)| found.states.find(key) == Some(id))
    );
    let edges = found.graph.as_ref();
    let edges = edges.map(|graph| {
        states
            .map(|id| graph.successors(id).to_vec())
            .collect::<Vec<_>>()
    });
    let counts = (
        found.summary.edges,
        found.summary.expanded,
        found.summary.limit,
    );
    (
        keys,
        edges,
        counts,
        found.summary.depths.clone(),
        found.summary.terminals.clone(),
    )
}

#[test]
fn limits_stop_any_number_of_threads_at_the_same_state() {
    let catalog = Catalog::new();
    let mut random = Random(41);
    for id in catalog.ids() {
        let variant = catalog.open(id).expect("a registered variant");
        let setup = Setup::read(&variant, None).expect("a start position");
        for _ in 0..2 {
            let limits = Limits {
                max_states: 1 + random.below(60_000) as u64,
                max_depth: 2 + random.below(12) as u32,
                edges: random.one_in(2),
            };
            // Memory stops some of the searches.
            let bytes = 1 << (19 + random.below(6));
            let of = |threads| {
                let control = Control::new().with_threads(threads).with_memory(bytes);
                figures(&run_under(&setup, &limits, &control))
            };
            let one = of(1);
            for threads in [2, 3, 7] {
                let same = of(threads) == one;
                assert!(same, "{id}, {threads} threads, {limits:?}, {bytes} bytes");
            }
        }
    }
}

#[test]
fn limits_stop_and_are_named() {
    let setup = setup("fide", "3k1/5/5/1R3/K4 w - - 0 1");
    let whole = run(&setup, &Limits::default());
    let up_to = |max_states| {
        let limits = Limits {
            max_states,
            ..Limits::default()
        };
        run(&setup, &limits)
    };
    let states = up_to(100);
    assert_eq!(states.summary.limit, Some(Stopped::Count(Counted::States)));
    assert_eq!(states.states.len(), 100);
    let all = up_to(whole.states.len() as u64);
    assert_eq!(
        all.summary.limit, None,
        "a limit that is just enough stops nothing"
    );
    let limits = Limits {
        max_depth: 2,
        ..Limits::default()
    };
    let depth = run(&setup, &limits);
    assert_eq!(depth.summary.limit, Some(Stopped::Count(Counted::Depth)));
    assert_eq!(depth.summary.depths.len(), 3);
    let little = Control::new().with_memory(1 << 12);
    let memory = run_under(&setup, &Limits::default(), &little);
    assert_eq!(memory.summary.limit, Some(Stopped::Memory));
    let stop = AtomicBool::new(true);
    let control = Control::new().with_stop(&stop);
    let stopped = run_under(&setup, &Limits::default(), &control);
    assert_eq!(stopped.summary.limit, Some(Stopped::Interrupted));
    let no_time = Control::new().with_time(Some(Duration::ZERO));
    let late = run_under(&setup, &Limits::default(), &no_time);
    assert_eq!(late.summary.limit, Some(Stopped::Time));
}

#[test]
fn longest_path_is_a_play_of_the_game() {
    let setup = setup("french-revolution", "k1/2/PP/pp/2/1K w - - 0 1 first=1");
    let found = run(&setup, &Limits::default());
    let shape = found.structure().expect("edges are kept");
    assert!(shape.acyclic);
    let path = shape.longest_path.expect("an acyclic graph");
    assert_eq!(path[0], 0);
    with_setup!(&setup, s => {
        let turns = found.turns_along(s.game.as_ref(), &path);
        assert_eq!(turns.len(), path.len() - 1);
        let mut p = s.position;
        for turn in &turns {
            let mut legal = Vec::new();
            s.game.turns(&p, &mut legal);
            assert!(legal.contains(turn), "{}", fen::print(s.game.as_ref(), &p));
            p = s.game.play(&p, turn);
        }
        assert!(!s.game.has_turn(&p), "the longest play cannot be made longer");
    });
}

#[test]
fn longest_path_of_drawn_graphs() {
    // Two ways from 0 to 3, one longer; 4 is beyond.
    let graph = GameGraph::from_successors([vec![1, 3], vec![2], vec![3], vec![4], vec![]]);
    assert_eq!(structure(&graph).longest_path, Some(vec![0, 1, 2, 3, 4]));
    // A loop hidden behind a branch.
    let graph = GameGraph::from_successors([vec![1, 2], vec![], vec![3], vec![2]]);
    let found = structure(&graph);
    assert!(!found.acyclic);
    assert_eq!(found.cyclic_components, 1);
    assert_eq!(found.largest_component_states, 2);
}

#[test]
fn random_games_do_not_depend_on_how_they_are_shared_out() {
    let variant = Catalog::new().open("fide").expect("a variant");
    let setup = Setup::read(&variant, Some("3k/4/4/KR2 w - - 0 1")).expect("a position");
    with_setup!(&setup, start => {
        let game = start.game.as_ref();
        let play = |seed, games, cap| playouts(game, &start.position, seed, games, cap);
        let whole = play(7, 0..200, 100);
        let mut parts = Playouts::default();
        for games in [0..50, 50..150, 150..200] {
            parts.add(&play(7, games, 100));
        }
        assert_eq!(whole, parts);
        assert_ne!(whole, play(8, 0..200, 100));
        assert_eq!(whole.games, 200);
        assert_eq!(whole.outcomes.values().sum::<u64>() + whole.capped, 200);
        assert!(whole.max_plies <= 100);
        // The root is not over: a game of no plies is broken off.
        assert_eq!(play(7, 0..5, 0).capped, 5);
    });
    let setup = Setup::read(&variant, Some("k3/2Q1/4/K3 b - - 0 1")).expect("a stalemate");
    with_setup!(&setup, start => {
        let over = playouts(start.game.as_ref(), &start.position, 7, 0..5, 0);
        assert_eq!((over.capped, over.plies, over.outcomes.len()), (0, 0, 1));
    });
}

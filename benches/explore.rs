//! How fast the explorer finds states, on one thread and on two: states alone, with edges, with the structure of
//! the graph, and with values. Each bench asserts states, edges and components, and the memory that they take.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fairyproof::catalog::Catalog;
use fairyproof::control::{Control, parallel};
use fairyproof::explore::{Exploration, Limits, explore};
use fairyproof::notation::Setup;
use fairyproof::values::{Value, solve_game};
use fairyproof::with_setup;

const ENDING: &str = "7k/5r2/8/8/8/8/Q7/K7 w - - 0 1";
const STATES: usize = 20_497_316;
const EDGES: u64 = 335_228_180;
const COMPONENTS: u64 = 148_564;
const LARGEST_COMPONENT_STATES: u64 = 19_578_368;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    States,
    Edges,
    Structure,
    Values,
}

fn run(setup: &Setup, work: Work, threads: usize) {
    let limits = Limits {
        edges: work != Work::States,
        ..Limits::default()
    };
    let control = Control::new().with_threads(threads);
    with_setup!(setup, s => {
        let game = s.game.as_ref();
        let found = explore(game, &s.position, &limits, &control);
        check_figures(&found);
        match work {
            Work::States | Work::Edges => {}
            Work::Structure => {
                let structure = parallel::in_pool(threads, || found.structure()).expect("edges");
                assert_eq!(structure.components, COMPONENTS);
                assert_eq!(structure.cyclic_components, 4);
                assert_eq!(structure.largest_component_states, LARGEST_COMPONENT_STATES);
            }
            Work::Values => {
                let solve = || solve_game(game, &found, &control);
                let values = parallel::in_pool(threads, solve).expect("a complete graph");
                assert_eq!(values.of(0).worth(), Value::Win(1).worth());
            }
        }
    });
}

fn check_figures(found: &Exploration) {
    assert!(found.summary.complete());
    assert_eq!((found.states.len(), found.summary.edges), (STATES, EDGES));
    let state_bytes = found.states.bytes() as f64 / STATES as f64;
    assert!(state_bytes <= 21.2, "{state_bytes} bytes a state");
    if let Some(graph) = &found.graph {
        let edge_bytes = graph.bytes() as f64 / EDGES as f64;
        assert!(edge_bytes <= 4.5, "{edge_bytes} bytes an edge");
    }
}

fn queen_against_rook(c: &mut Criterion) {
    let variant = Catalog::new().open("fide").expect("a registered variant");
    let setup = Setup::read(&variant, Some(ENDING)).expect("a position");
    let mut group = c.benchmark_group("explore KQvKR");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(EDGES));
    for (name, work) in [
        ("states alone", Work::States),
        ("with edges", Work::Edges),
        ("with structure", Work::Structure),
        ("with values", Work::Values),
    ] {
        for (threads, on) in [(1, "one thread"), (2, "two threads")] {
            group.bench_function(format!("{name}, {on}"), |b| {
                b.iter(|| run(&setup, work, threads));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, queen_against_rook);
criterion_main!(benches);

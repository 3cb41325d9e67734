//! How fast the explorer finds states, with and without stored edges, one thread and two. Each
//! bench asserts states and edges, and the memory that they take.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fairyproof::catalog::Catalog;
use fairyproof::control::Control;
use fairyproof::explore::{Exploration, Limits, explore};
use fairyproof::notation::Setup;
use fairyproof::with_setup;

const ENDING: &str = "7k/5r2/8/8/8/8/Q7/K7 w - - 0 1";
const STATES: usize = 20_497_316;
const EDGES: u64 = 335_228_180;

fn run(setup: &Setup, limits: &Limits, control: &Control<'_>) -> Exploration {
    with_setup!(setup, s => explore(s.game.as_ref(), &s.position, limits, control))
}

fn queen_against_rook(c: &mut Criterion) {
    let variant = Catalog::new().open("fide").expect("a registered variant");
    let setup = Setup::read(&variant, Some(ENDING)).expect("a position");
    let mut group = c.benchmark_group("explore KQvKR");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(EDGES));
    for (name, edges, threads) in [
        ("states alone", false, 1),
        ("with edges", true, 1),
        ("states alone, two threads", false, 2),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| {
                let limits = Limits {
                    edges,
                    ..Limits::default()
                };
                let control = Control::new().with_threads(threads);
                let found = run(&setup, &limits, &control);
                assert!(found.complete());
                assert_eq!((found.states.len(), found.edges), (STATES, EDGES));
                let beside_keys =
                    found.states.bytes() as f64 / STATES as f64 - 8.0 * found.codec.words() as f64;
                assert!(
                    beside_keys <= 24.0,
                    "{beside_keys} bytes a state beside the key"
                );
                if let Some(graph) = &found.graph {
                    let edge_bytes = graph.bytes() as f64 / EDGES as f64;
                    assert!(edge_bytes <= 6.0, "{edge_bytes} bytes an edge");
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, queen_against_rook);
criterion_main!(benches);

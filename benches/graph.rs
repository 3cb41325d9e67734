//! How fast a graph is solved, and how fast its values are certified. Each bench asserts what the
//! values come to.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fairyproof::catalog::Catalog;
use fairyproof::control::Control;
use fairyproof::explore::{Exploration, Limits, explore};
use fairyproof::notation::Setup;
use fairyproof::values::Value;
use fairyproof::values::{census, certify_game, solve_game};
use fairyproof::with_setup;

const QUEENS: &str = "qk3/5/5/5/3KQ w - - 0 1";
const STATES: u64 = 260_064;

fn queens_on_five_files(c: &mut Criterion) {
    let variant = Catalog::new().open("fide").expect("a registered variant");
    let setup = Setup::read(&variant, Some(QUEENS)).expect("a position");
    let mut group = c.benchmark_group("graph of KQvKQ on 5x5");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(STATES));
    with_setup!(&setup, start => {
        let game = start.game.as_ref();
        let run = || explore(game, &start.position, &Limits::default(), &Control::new());
        let found = run();
        let solve = |found: &Exploration| {
            let values = solve_game(game, found, &Control::new());
            values.expect("a complete graph")
        };
        let values = solve(&found);
        assert_eq!(values.of(0), Value::Draw);
        let counted = census(found.graph.as_ref().expect("edges"), &values);
        assert_eq!((counted.wins, counted.draws, counted.losses), (130_752, 110_328, 18_984));
        assert_eq!(counted.longest_win.map(|(_, plies)| plies), Some(17));
        // The edges backward are made by the first call and kept: each run has a graph of its own.
        group.bench_function("solve", |b| {
            b.iter_batched_ref(run, |found| assert!(solve(found) == values),
                criterion::BatchSize::PerIteration);
        });
        group.bench_function("certify", |b| {
            b.iter(|| {
                let certificate = certify_game(game, &found, &values, &Control::new());
                let certificate = certificate.expect("a certificate");
                assert!(certificate.holds());
                assert_eq!(certificate.states, STATES);
            });
        });
    });
    group.finish();
}

criterion_group!(benches, queens_on_five_files);
criterion_main!(benches);

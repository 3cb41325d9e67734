//! How fast expressions are evaluated, in nanoseconds for each position on one thread: the compiled form
//! next to the interpreter of the `cel` crate, and an exploration with and without a question about its
//! states. Each bench asserts its answer.

use cel::{Context, Program, Value};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fairyproof::catalog::Catalog;
use fairyproof::control::Control;
use fairyproof::explore::{Exploration, Limits, Query, count_states, explore};
use fairyproof::language::{About, Environment, Expression, Subject};
use fairyproof::notation::{Setup, Start};
use fairyproof::position::{Layout, Position};
use fairyproof::rules::Game;
use fairyproof::with_setup;
use std::hint::black_box;

/// King and queen against king and rook on a board of 5x5: 305,120 states.
const ROOT: &str = "3rk/5/5/5/KQ3 w - - 0 1";

/// Positions of the graph that each evaluation bench uses.
const POSITIONS: usize = 4096;

fn setup() -> Setup {
    let variant = Catalog::new().open("fide").expect("a registered variant");
    Setup::read(&variant, Some(ROOT)).expect("a position")
}

fn compiled(setup: &Setup, text: &str) -> Expression {
    let game = setup.game();
    Expression::read("bench", text, &Environment::new(&game, About::POSITION))
        .expect("an expression")
}

fn graph<W: Layout>(start: &Start<W>) -> Exploration {
    let limits = Limits {
        edges: false,
        ..Limits::default()
    };
    explore(
        start.game.as_ref(),
        &start.position,
        &limits,
        &Control::new().with_threads(1),
    )
}

/// Returns positions of the graph, at equal distances.
fn sample<W: Layout>(found: &Exploration) -> Vec<Position<W>> {
    let step = found.states.len() / POSITIONS;
    (0..POSITIONS)
        .map(|n| found.position((n * step) as u32))
        .collect()
}

/// Returns for how many positions a condition holds.
fn count<W: Layout>(
    game: &dyn Game<W>,
    positions: &[Position<W>],
    condition: &Expression,
) -> usize {
    let holds = |position: &&Position<W>| {
        let subject = Subject::new(game, position);
        condition
            .holds(&subject)
            .expect("evaluation is not interrupted")
    };
    positions.iter().filter(holds).count()
}

/// Scalar expressions: no lists, no turns.
const SCALAR: [&str; 4] = [
    "count(white, 'queen') == 1",
    "count(white, 'queen') == 1 && count(black, 'rook') == 1 && side == white",
    "empty('c3') && !empty('a1')",
    "distance('a1', 'e5') + count(white) * 3 > 10",
];

/// Conditions on placements, as claims about all placements of a few units state them.
const PLACEMENTS: [&str; 3] = [
    "count(white, 'queen') == 1 && check",
    "units(black, 'king').all(k, k.file == 1 || k.rank == 1 || attacked(k.square, white))",
    "distance(units(white, 'king')[0].square, units(black, 'king')[0].square) == 2",
];

fn evaluation(c: &mut Criterion) {
    let setup = setup();
    for (kind, texts) in [("scalar", &SCALAR[..]), ("placement", &PLACEMENTS)] {
        let mut group = c.benchmark_group(kind);
        group.throughput(Throughput::Elements(POSITIONS as u64));
        for text in texts {
            let condition = compiled(&setup, text);
            with_setup!(&setup, start => {
                let game = start.game.as_ref();
                let positions = sample(&graph(start));
                let known = positions.iter().filter(|p| count(game, std::slice::from_ref(*p), &condition) == 1).count();
                group.bench_function(*text, |b| {
                    b.iter(|| assert_eq!(count(game, black_box(&positions), &condition), known));
                });
            });
        }
        group.finish();
    }
}

/// The interpreter evaluates the same conditions, with every count and every square looked up before.
fn interpreter(c: &mut Criterion) {
    let setup = setup();
    let mut group = c.benchmark_group("interpreter");
    group.throughput(Throughput::Elements(POSITIONS as u64));
    let (text, plain) = (
        SCALAR[1],
        "white_queens == 1 && black_rooks == 1 && side == 'white'",
    );
    let condition = compiled(&setup, text);
    let counts =
        ["count(white, 'queen')", "count(black, 'rook')"].map(|text| compiled(&setup, text));
    let program = Program::compile(plain).expect("CEL");
    with_setup!(&setup, start => {
        let game = start.game.as_ref();
        let positions = sample(&graph(start));
        let known = count(game, &positions, &condition);
        let contexts: Vec<Context<'_, '_>> = positions
            .iter()
            .map(|position| {
                let subject = Subject::new(game, position);
                let [queens, rooks] = counts.each_ref().map(|count| count.number(&subject).expect("a number"));
                let mut context = Context::default();
                context.add_variable_from_value("white_queens", queens);
                context.add_variable_from_value("black_rooks", rooks);
                context.add_variable_from_value("side", if position.side.index() == 0 { "white" } else { "black" });
                context
            })
            .collect();
        let holds = |context: &&Context<'_, '_>| program.execute(context).expect("a value") == Value::Bool(true);
        group.bench_function(text, |b| {
            b.iter(|| assert_eq!(black_box(&contexts).iter().filter(holds).count(), known));
        });
    });
    group.finish();
}

fn exploration(c: &mut Criterion) {
    let setup = setup();
    let condition = compiled(&setup, PLACEMENTS[0]);
    let mut group = c.benchmark_group("exploration");
    group.sample_size(10);
    with_setup!(&setup, start => {
        let states = graph(start).states.len();
        group.throughput(Throughput::Elements(states as u64));
        group.bench_function("alone", |b| b.iter(|| assert_eq!(graph(start).states.len(), states)));
        let control = Control::new();
        let query = Query {
            game: start.game.as_ref(),
            condition: &condition,
            wanted: true,
            oracle: None,
            control: &control,
        };
        let counted = || {
            let groups = count_states(&query, &graph(start), None).expect("not interrupted");
            groups.values().sum::<u64>()
        };
        let known = counted();
        assert!(known > 0);
        group.bench_function(PLACEMENTS[0], |b| b.iter(|| assert_eq!(counted(), known)));
    });
    group.finish();
}

criterion_group!(benches, evaluation, interpreter, exploration);
criterion_main!(benches);

//! Hard orthodox problems, each with its answer asserted. `FAIRYPROOF_THREADS` sets how many
//! threads solve (1 if left out).

use criterion::{Criterion, criterion_group, criterion_main};
use fairyproof::catalog::Catalog;
use fairyproof::control::Control;
use fairyproof::notation::Setup;
use fairyproof::problems::{Limits, Problem, Stipulation};
use fairyproof::with_setup;
use std::hint::black_box;
use std::time::Duration;

/// Name, position, stipulation, number of solutions.
const PROBLEMS: [(&str, &str, &str, usize); 17] = [
    (
        "T01",
        "B3k2r/2pp1p1p/1p3B2/1np1p2p/Q7/8/8/R3K3 w Qk - 0 1",
        "#5",
        12,
    ),
    (
        "T02",
        "4k3/1pp2pp1/8/b1B1pB2/rp6/p5N1/3R4/R2bK3 w Q - 0 1",
        "#6",
        1,
    ),
    ("T03", "7B/2p5/5p2/2P1kP2/4B3/4K3/8/8 w - - 0 1", "#8", 1),
    ("T04", "8/8/4k3/8/8/8/8/R3K2R w KQ - 0 1", "#6", 19),
    ("T05", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "#7", 0),
    ("T06", "r3k3/2Qp3R/1p6/1b2K3/4p3/8/5p2/8 w q - 0 1", "#5", 1),
    ("T07", "7b/8/5N2/3bK3/8/4k3/1N6/8 b - - 0 1", "h#4", 3),
    ("T09", "3nr3/5PPP/3n3B/1k4p1/5b2/7K/8/8 b - - 0 1", "h#3", 1),
    ("T10", "8/5K2/3q4/3pBN2/3pkb2/8/8/8 b - - 0 1", "h#3", 2),
    ("T11", "4N3/8/5n2/5P2/1kP5/4K3/8/8 b - - 0 1", "h=4", 2),
    (
        "T12",
        "KR2N3/4P1P1/6QB/3N1pPB/n6P/rP6/ppkPP2P/3R4 w - f6 0 1",
        "s#6",
        1,
    ),
    (
        "T14",
        "8/P1bP4/1pP1pp2/p3pP2/4K3/5P2/1PpkPPp1/R4B2 w - - 0 1",
        "hs#3",
        4,
    ),
    ("T16", "8/8/8/7r/6kn/8/5PP1/4KBNR w K - 0 1", "ser-s#6", 1),
    // Many units that would all have to stand still.
    (
        "crowd",
        "r2n1k2/1pp1n1pp/2r1QN2/4p1N1/8/q7/P4PPP/R3R1K1 w - - 0 1",
        "h=2.5",
        0,
    ),
    // Mates that need most turns for the units that block the king.
    (
        "series",
        "8/8/knb5/npq5/rbr5/1P1K4/8/8 b - - 0 1",
        "ser-h#9",
        1,
    ),
    (
        "blocks",
        "B1k5/1bp5/8/8/3r4/8/2q2p1r/5Kn1 b - - 0 1",
        "h#7",
        1,
    ),
    // Many lines.
    (
        "lines",
        "3Q3K/8/3n4/3P4/p2kP3/P5N1/1R2Rp1B/5B1N b - - 0 1",
        "h#3",
        372_832,
    ),
];

fn problems(c: &mut Criterion) {
    let threads = std::env::var("FAIRYPROOF_THREADS").map_or(1, |n| n.parse().expect("a number"));
    let mut group = c.benchmark_group("solve");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(5));
    let variant = Catalog::new().open("fide").expect("the base");
    for (name, position, asked, solutions) in PROBLEMS {
        let setup = Setup::read(&variant, Some(position)).expect("a position");
        group.bench_function(name, |b| {
            b.iter(|| {
                with_setup!(&setup, start => {
                    let geometry = start.game.board().geometry();
                    let stipulation = Stipulation::parse(asked, &variant.rule_set, geometry)
                        .expect("a stipulation");
                    let problem = Problem::new(start.clone(), stipulation);
                    let control = Control::new().with_threads(threads);
                    let solution = problem.solve(&Limits::default(), &control);
                    assert_eq!(black_box(solution.count()), solutions, "{name}");
                });
            });
        });
    }
    group.finish();
}

criterion_group!(benches, problems);
criterion_main!(benches);

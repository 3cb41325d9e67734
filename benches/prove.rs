//! Proofs beside solutions of the same length, each with its answer asserted. `FAIRYPROOF_THREADS`
//! sets how many threads work (1 if left out).

use criterion::{Criterion, criterion_group, criterion_main};
use fairyproof::board::Color;
use fairyproof::notation::Setup;
use fairyproof::prove::check::check;
use fairyproof::prove::{self, Aim, Prover, Silent, Status};
use fairyproof::sets;
use fairyproof::solve::{self, Problem, Stipulation};
use fairyproof::with_setup;
use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Name, rule set, position, moves of the shortest win.
const WINS: &[(&str, &str, &str, u32)] = &[
    ("T03", "fide", "7B/2p5/5p2/2P1kP2/4B3/4K3/8/8 w - - 0 1", 8),
    ("KRvK", "fide", "8/8/8/3k4/8/8/8/KR6 w - - 0 1", 11),
    ("KQvK", "fide", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1", 8),
];

fn wins(c: &mut Criterion) {
    let threads = std::env::var("FAIRYPROOF_THREADS").map_or(1, |n| n.parse().expect("a number"));
    let mut group = c.benchmark_group("prove");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(5));
    for (name, id, position, moves) in WINS {
        let variant = sets::parse(id).expect("a variant");
        let setup = Setup::read(&variant, Some(position)).expect("a position");
        let plies = (2 * moves) as u16;
        group.bench_function(format!("{name}/prove"), |b| {
            b.iter(|| {
                with_setup!(&setup, start => {
                    let limits = prove::Limits { threads, plies: Some(plies), ..prove::Limits::default() };
                    let (game, p) = (start.game.as_ref(), &start.position);
                    let mut prover = Prover::new(game, p, Color::White, Aim::Win, limits, None);
                    let found = black_box(prover.run(&AtomicBool::new(false), &Silent));
                    assert_eq!(found.status, Status::Proven, "{name}");
                    assert!(found.plies >= Some(plies - 1) && found.plies <= Some(plies), "{name}");
                    let certificate = found.certificate.expect("a certificate");
                    check(game, p, &certificate).expect("a proof");
                });
            });
        });
        group.bench_function(format!("{name}/solve"), |b| {
            b.iter(|| {
                with_setup!(&setup, start => {
                    let geometry = start.game.board().geometry();
                    let asked = format!("win {moves}");
                    let stipulation = Stipulation::parse(&asked, variant.card, geometry)
                        .expect("a stipulation");
                    let problem = Problem { start: start.clone(), stipulation };
                    let limits = solve::Limits {
                        threads,
                        solutions: Some(1),
                        ..solve::Limits::default()
                    };
                    let solution = problem.solve(&limits, &AtomicBool::new(false), &());
                    assert_eq!(black_box(solution.count()), 1, "{name}");
                });
            });
        });
    }
    group.finish();
}

criterion_group!(benches, wins);
criterion_main!(benches);

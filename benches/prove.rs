//! Mates to the shortest proof; proofs beside solutions of the same length, each with its answer asserted; and the
//! rate of the search beside those of walks: one that makes turns, and one that lists the turns of what it makes.
//! `FAIRYPROOF_THREADS` sets how many threads work (1 if left out).

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fairyproof::catalog::Catalog;
use fairyproof::control::Control;
use fairyproof::notation::Setup;
use fairyproof::position::Position;
use fairyproof::problems::{Problem, Stipulation};
use fairyproof::prove::check::check;
use fairyproof::prove::{self, Goal, Prover, Status};
use fairyproof::rules::{Game, with_turns};
use fairyproof::with_setup;
use std::hint::black_box;
use std::time::Duration;

/// Name, rule set, position, moves of the shortest win: a published problem, and wins of 8 to 20
/// moves from tables and solved boards.
const WINS: [(&str, &str, &str, u32); 11] = [
    ("T03", "fide", "7B/2p5/5p2/2P1kP2/4B3/4K3/8/8 w - - 0 1", 8),
    ("QvQ", "fide", "q4/1k3/5/1K3/Q4 b - - 0 1", 9),
    ("KRvK", "fide", "8/8/8/8/8/2k5/1R6/K7 w - - 0 1", 16),
    ("KQvK", "fide", "8/8/8/5k2/8/8/1Q6/K7 w - - 0 1", 10),
    ("QvQ", "convergent", "q4/5/1Q3/3k1/1K3 w - - 0 1", 11),
    ("RvR", "concurrent", "r3/k3/4/3K/3R w - - 0 1", 10),
    ("KBvK", "concurrent", "8/8/8/8/8/8/B7/K5k1 w - - 0 1", 13),
    ("RvR", "entourage", "k3/3R/4/r2K/4 w - - 0 1", 16),
    ("QvQ", "entourage", "q1k/3/3/2K/2Q w - - 0 1", 9),
    ("BvB", "xenophobic", "1kb2/5/5/4K/4B w - - 0 1", 10),
    ("QvQ", "moderation", "2kq/4/4/1Q1K w - - 0 1 checks=1,2", 13),
];

/// Mates of a public collection with their shortest lengths in plies. The side to move mates where that is odd.
const MATES: [(&str, u16); 10] = [
    ("4k3/2K5/4P1N1/8/4n1N1/8/8/8 w - - 0 1", 11),
    ("2n5/1p4pp/B2p4/4N3/5P2/6Pk/5K1p/7r w - - 0 1", 13),
    ("1N6/1p6/1k6/1N6/1K6/1P6/2P5/8 w - - 0 1", 13),
    (
        "2b1K2N/1r1p2p1/2pB1p1b/6k1/1p3pPp/3P1p1P/4P2P/8 w - - 0 1",
        13,
    ),
    (
        "4K2b/B3P2N/1Q1PP1N1/1R1p3r/1r1pk1B1/6P1/b1P1PP2/n7 w - - 0 1",
        7,
    ),
    ("5K1k/6pp/7B/8/7P/8/6P1/8 b - - 0 1", 20),
    ("8/7N/8/8/8/p1p5/k1K5/b7 w - - 0 1", 19),
    ("8/R7/5k2/5P2/5P2/3K4/7N/8 w - - 0 1", 13),
    ("kn2b3/b2N1p2/P1N2P2/KpPP4/p7/8/8/8 w - b6 0 1", 17),
    ("6kB/3K2P1/4r1P1/3R2P1/2B5/8/P7/8 w - - 0 1", 35),
];

/// Returns the number of threads that work.
fn threads() -> usize {
    std::env::var("FAIRYPROOF_THREADS").map_or(1, |n| n.parse().expect("a number"))
}

/// Measures the time to the shortest proof, shown to be shortest, and the positions a second on the way.
fn mates(c: &mut Criterion) {
    let variant = Catalog::new().open("fide").expect("a variant");
    let goal = Goal::parse("checkmate", &variant.rule_set).expect("a goal");
    let mut group = c.benchmark_group("prove-mates");
    for (position, plies) in MATES {
        let setup = Setup::read(&variant, Some(position)).expect("a position");
        with_setup!(&setup, start => {
            let (game, p) = (start.game.as_ref(), &start.position);
            let side = if plies % 2 == 1 { p.side } else { !p.side };
            let search = || {
                let limits = prove::Limits { improve: true, ..prove::Limits::default() };
                let control = Control::new();
                let found = Prover::new(game, p, side, &goal, limits, &control, None).run();
                assert!(found.shortest, "{position}");
                assert_eq!(found.plies, Some(plies), "{position}");
                found.report.positions
            };
            let positions = search();
            group.throughput(Throughput::Elements(positions));
            group.bench_function(position, |b| {
                b.iter(|| assert_eq!(black_box(search()), positions));
            });
        });
    }
    group.finish();
}

fn wins(c: &mut Criterion) {
    let threads = threads();
    let mut group = c.benchmark_group("prove");
    for (name, id, position, moves) in WINS {
        let name = format!("{id} {name}");
        let variant = Catalog::new().open(id).expect("a variant");
        let setup = Setup::read(&variant, Some(position)).expect("a position");
        let plies = (2 * moves) as u16;
        group.bench_function(format!("{name}/prove"), |b| {
            b.iter(|| {
                with_setup!(&setup, start => {
                    let limits = prove::Limits { plies: Some(plies), ..prove::Limits::default() };
                    let control = Control::new().with_threads(threads);
                    let (game, p) = (start.game.as_ref(), &start.position);
                    let mut prover = Prover::new(game, p, p.side, &Goal::Win, limits, &control, None);
                    let found = black_box(prover.run());
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
                    let stipulation = Stipulation::parse(&asked, &variant.rule_set, geometry)
                        .expect("a stipulation");
                    let problem = Problem::new(start.clone(), stipulation);
                    let control = Control::new().with_threads(threads);
                    let limits = problems::Limits {
                        solutions: Some(1),
                        ..problems::Limits::default()
                    };
                    let solution = problem.solve(&limits, &control);
                    assert_eq!(black_box(solution.count()), 1, "{name}");
                });
            });
        });
    }
    group.finish();
}

/// Rule sets of different kinds: plain, with a state, with goals, with a long look at each position.
const RATES: [&str; 8] = [
    "fide",
    "glory",
    "triple-check",
    "ultimate",
    "zoo",
    "blunder-mate",
    "series-helpmate",
    "tyrant",
];

/// Positions of a search: so many that what it takes to begin one does not count.
const SEARCHED: u64 = 8_000_000;

/// Makes every turn of every line of so many turns, and asks how the game stands after it; how many
/// were made.
fn made<W: prove::Layout>(game: &dyn Game<W>, p: &Position<W>, turns: u32) -> u64 {
    with_turns(|list| {
        game.turns(p, list);
        let mut after = *p;
        let mut count = 0;
        for turn in list.iter() {
            game.play_into(p, turn, &mut after);
            count += 1;
            if game.outcome(&after).is_ongoing() && turns > 1 {
                count += made(game, &after, turns - 1);
            }
        }
        count
    })
}

/// The same, and lists the turns of each position that it makes, as a search has to; how many positions
/// were made, and how many turns listed.
fn walked<W: prove::Layout>(game: &dyn Game<W>, p: &Position<W>, turns: u32) -> (u64, u64) {
    with_turns(|list| {
        game.turns(p, list);
        let (mut after, mut made, mut listed) = (*p, 0, list.len() as u64);
        if turns == 0 {
            return (0, listed);
        }
        for turn in list.iter() {
            game.play_into(p, turn, &mut after);
            made += 1;
            if game.outcome(&after).is_ongoing() {
                let (below, there) = walked(game, &after, turns - 1);
                (made, listed) = (made + below, listed + there);
            }
        }
        (made, listed)
    })
}

fn rates(c: &mut Criterion) {
    let threads = threads();
    let mut group = c.benchmark_group("prove-rate");
    for id in RATES {
        let variant = Catalog::new().open(id).expect("a variant");
        let setup = Setup::read(&variant, None).expect("the start");
        group.throughput(Throughput::Elements(SEARCHED));
        group.bench_function(format!("{id}/prove"), |b| {
            b.iter(|| {
                with_setup!(&setup, start => {
                    let control = Control::new().with_threads(threads);
                    let limits = prove::Limits {
                        positions: Some(SEARCHED),
                        ..prove::Limits::default()
                    };
                    let (game, p) = (start.game.as_ref(), &start.position);
                    let mut prover = Prover::new(game, p, p.side, &Goal::Win, limits, &control, None);
                    let found = black_box(prover.run());
                    assert_eq!(found.status, Status::Open, "{id}");
                    assert!(found.report.positions >= SEARCHED, "{id}");
                });
            });
        });
        with_setup!(&setup, start => {
            let (game, p) = (start.game.as_ref(), &start.position);
            let all = made(game, p, 3);
            assert_eq!(all, (1..=3).map(|depth| game.perft(p, depth)).sum::<u64>(), "{id}");
            group.throughput(Throughput::Elements(all));
            group.bench_function(format!("{id}/turns"), |b| {
                b.iter(|| assert_eq!(made(game, black_box(p), 3), all));
            });
            let listed = all + game.perft(p, 4);
            assert_eq!(walked(game, p, 3), (all, listed), "{id}");
            group.bench_function(format!("{id}/walk"), |b| {
                b.iter(|| assert_eq!(walked(game, black_box(p), 3), (all, listed)));
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .measurement_time(Duration::from_secs(5));
    targets = mates, wins, rates
}
criterion_main!(benches);

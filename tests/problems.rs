//! The orthodox problems of `puzzles/orthodox.csv`: all solutions of each, keys and counts.

use fairyproof::notation::Setup;
use fairyproof::rules::Variant;
use fairyproof::solve::{Limits, Problem, Stipulation};
use fairyproof::with_setup;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Time that this thread has worked, where the system tells; else zero.
fn cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|n| n.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// Problems that take longer than a test should; `FAIRYPROOF_PROBLEM` names one to solve it.
const LONG: [&str; 1] = ["s033"];

#[test]
fn orthodox_problems_have_the_known_solutions() {
    let filter = std::env::var("FAIRYPROOF_PROBLEM").unwrap_or_default();
    let file = std::env::var("FAIRYPROOF_PROBLEMS")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles/orthodox.csv").into());
    let threads = std::env::var("FAIRYPROOF_THREADS").map_or(1, |n| n.parse().expect("a number"));
    let mut reader = csv::Reader::from_path(file).expect("the collection");
    let header = reader.headers().expect("a header").clone();
    let column = |name: &[&str]| {
        header
            .iter()
            .position(|h| name.contains(&h))
            .expect("a column")
    };
    let [id, fen, asked, solutions, keys, time] = [
        column(&["id"]),
        column(&["fen"]),
        column(&["stipulation"]),
        column(&["solutions"]),
        column(&["keys", "first_turns"]),
        column(&["popeye_cpu_s"]),
    ];
    let variant = Variant::parse("fide").expect("the base");
    let mut wrong = Vec::new();
    let mut rows = 0;
    for row in reader.records() {
        let row = row.expect("a row");
        if !row[id].contains(&filter) || filter.is_empty() && LONG.contains(&&row[id]) {
            continue;
        }
        rows += 1;
        let setup = Setup::read(&variant, Some(&row[fen])).expect("a position");
        with_setup!(setup, start => {
            let geometry = start.game.board().geometry();
            let stipulation = Stipulation::parse(&row[asked], variant.card, geometry)
                .unwrap_or_else(|e| panic!("{}: {e}", &row[asked]));
            assert_eq!(stipulation.to_string(), row[asked]);
            let problem = Problem { start, stipulation };
            let limits = Limits { threads, ..Limits::default() };
            let begun = cpu();
            let solution = problem.solve(&limits, &AtomicBool::new(false), &());
            let took = cpu() - begun;
            let first = problem.first_turns(&solution).join(" ");
            let mut expected: Vec<&str> = row[keys].split_whitespace().collect();
            expected.sort_unstable();
            let fine = first == expected.join(" ") && solution.count().to_string() == row[solutions];
            if !filter.is_empty() || took.as_millis() > 50 || !fine {
                println!("{} {} {:.3} s, Popeye {} s, {} positions, {} MiB", &row[id], &row[asked],
                    took.as_secs_f64(), &row[time], solution.positions, solution.table_bytes >> 20);
            }
            if !fine {
                wrong.push(format!("{} {}: {} `{}`, not {} `{}`", &row[id], &row[asked],
                    solution.count(), first, &row[solutions], &row[keys]));
            }
        });
    }
    assert!(rows > 0 && wrong.is_empty(), "{}", wrong.join("\n"));
}

//! Endgame tables: building with value and distance, sub-tables included, certifying apart. Each
//! row asserts its answer. Seconds are of the processor where the system tells them, so that other
//! work on the machine counts less.
//!
//! `cargo bench --bench table` takes half a minute; `-- --deep` adds KRRvKR.

use fairyproof::catalog::Catalog;
use fairyproof::control::Control;
use fairyproof::notation::fen;
use fairyproof::tables::{Counting, Signature, Tables, build_here, stats};
use fairyproof::with_game;
use std::sync::Arc;
use std::time::Instant;

/// Variant, signature, the longest win of either side in plies.
const CASES: [(&str, &str, u16); 8] = [
    ("fide", "KBNvK", 65),
    ("fide", "KQvKR", 69),
    ("fide", "KRvKP", 85),
    ("convergent", "KQvKR", 51),
    ("convergent", "KRvKP", 35),
    ("bachelor", "KRvKN", 27),
    ("bachelor", "KRNvK", 7),
    ("chromopolis", "KNvKL", 15),
];

/// Seconds that the processor has spent on this thread.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = stat.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

/// Returns the most memory taken so far, in megabytes.
fn peak_megabytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}

/// What a build took.
struct Spent {
    /// Seconds of the processor for the busiest thread, which no number of processors makes less.
    busiest_s: f64,
    clock_s: f64,
    indices: u64,
}

/// Builds a table in memory.
fn build_one(variant: &str, signature: &str, plies: u16, threads: usize) -> Spent {
    let variant = Catalog::new().open(variant).expect("a variant");
    let geometry = fen::shape(&variant.start()).expect("a board");
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("threads");
    with_game!(&variant.on(geometry).expect("a game"), game => {
        let signature = Signature::parse(game.as_ref(), signature).expect("a signature");
        let tables = Tables::new(Arc::clone(game), None);
        let control = Control::new().with_memory(8 << 30).with_threads(threads);
        let (clock, before) = (Instant::now(), pool.broadcast(|_| processor_seconds()));
        let built = pool
            .install(|| build_here(&tables, &signature, &control))
            .expect("a table");
        let clock_s = clock.elapsed().as_secs_f64();
        let spent = pool.broadcast(|_| processor_seconds());
        let spent = spent.iter().zip(&before).map(|(now, then)| Some((*now)? - (*then)?));
        let busiest_s = spent.map(|s| s.unwrap_or(clock_s)).fold(0.0, f64::max);
        let sides = stats(&tables, &signature, Counting::All).expect("its statistics");
        let wins = sides.iter().filter_map(|side| side.longest_win.as_ref());
        let longest = wins.map(|(plies, _)| *plies).max().unwrap_or(0);
        assert_eq!(longest, plies, "{variant} {signature}");
        Spent { busiest_s, clock_s, indices: built.indices }
    })
}

fn main() {
    let deep = std::env::args().any(|argument| argument == "--deep");
    println!(
        "variant      signature  indices    cpu_s  ns_per_index  clock_s  cpu_s_of_two_threads"
    );
    let more = [("fide", "KRRvKR", 61)];
    for (variant, signature, plies) in CASES.iter().chain(more.iter().filter(|_| deep)) {
        let one = build_one(variant, signature, *plies, 1);
        let two = build_one(variant, signature, *plies, 2);
        println!(
            "{variant:<11}  {signature:<9}  {:<9}  {:5.2}  {:12.0}  {:7.2}  {:8.2} ({:.2} times)",
            one.indices,
            one.busiest_s,
            one.busiest_s * 1e9 / one.indices as f64,
            one.clock_s,
            two.busiest_s,
            one.busiest_s / two.busiest_s,
        );
    }
    if let Some(peak) = peak_megabytes() {
        println!("peak memory: {peak} MB");
    }
}

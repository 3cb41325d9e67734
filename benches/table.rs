//! Endgame tables: building with value and distance, sub-tables included, certifying apart. Each
//! row asserts its answer. Seconds are of the processor where the system tells them, so that other
//! work on the machine counts less.
//!
//! `cargo bench --bench table` takes half a minute; `-- --deep` adds KRRvKR.

use fairyproof::notation::fen;
use fairyproof::rules::Variant;
use fairyproof::solve::table::{Limits, Signature, Silent, Tables, build, stats};
use fairyproof::with_game;
use std::sync::Arc;
use std::time::Instant;

/// Variant, signature, the longest win of either side in plies.
const CASES: [(&str, &str, u16); 8] = [
    ("fide", "KBNvK", 65),
    ("fide", "KQvKR", 69),
    ("fide", "KRvKP", 85),
    ("convergent", "KQvKR", 51),
    ("convergent", "KRvKP", 63),
    ("bachelor", "KRvKN", 27),
    ("bachelor", "KRNvK", 27),
    ("chromopolis", "KNvKL", 35),
];

/// Seconds of the processor, all threads together.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in brackets, may hold blanks; user time is the twelfth after it.
    let after = stat.rsplit_once(')')?.1;
    let ticks: f64 = after.split_whitespace().nth(11)?.parse().ok()?;
    Some(ticks / 100.0)
}

/// The most memory taken so far, in megabytes.
fn peak_megabytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}

/// Builds a table in memory: seconds of the processor, seconds by the clock, indices.
fn build_one(variant: &str, signature: &str, plies: u16, threads: usize) -> (f64, f64, u64) {
    let variant = Variant::parse(variant).expect("a variant");
    let geometry = fen::shape(&variant.start()).expect("a board");
    with_game!(&variant.on(geometry), game => {
        let signature = Signature::parse(game.as_ref(), signature).expect("a signature");
        let tables = Tables::new(Arc::clone(game), None);
        let limits = Limits { memory_bytes: 8 << 30, threads, stop: None };
        let (clock, before) = (Instant::now(), processor_seconds());
        let built = build(&tables, &signature, &limits, &Silent).expect("a table");
        let by_clock = clock.elapsed().as_secs_f64();
        let spent = processor_seconds().zip(before).map_or(by_clock, |(now, then)| now - then);
        let sides = stats(&tables, &signature).expect("its statistics");
        let wins = sides.iter().filter_map(|side| side.longest_win.as_ref());
        let longest = wins.map(|(plies, _)| *plies).max().unwrap_or(0);
        assert_eq!(longest, plies, "{variant} {signature}");
        (spent, by_clock, built.indices)
    })
}

fn main() {
    let deep = std::env::args().any(|argument| argument == "--deep");
    println!(
        "variant      signature  indices    cpu_s  ns_per_index  clock_s  two_threads_clock_s"
    );
    let more = [("fide", "KRRvKR", 99)];
    for (variant, signature, plies) in CASES.iter().chain(more.iter().filter(|_| deep)) {
        let (cpu, one, indices) = build_one(variant, signature, *plies, 1);
        let (_, two, _) = build_one(variant, signature, *plies, 2);
        let each = cpu * 1e9 / indices as f64;
        println!(
            "{variant:<11}  {signature:<9}  {indices:<9}  {cpu:5.2}  {each:12.0}  {one:7.2}  {two:19.2}"
        );
    }
    if let Some(peak) = peak_megabytes() {
        println!("peak memory: {peak} MB");
    }
}

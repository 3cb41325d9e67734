//! Endgame tables: building with value and distance, sub-tables included, on one thread and two.
//! Each bench asserts its answer.

use criterion::{Criterion, criterion_group, criterion_main};
use fairyproof::notation::fen;
use fairyproof::rules::Variant;
use fairyproof::solve::table::{Limits, Signature, Silent, Tables, build, stats};
use fairyproof::with_game;
use std::hint::black_box;
use std::sync::Arc;

/// Builds a table in memory; the longest win of either side, in plies.
fn longest_win_plies(variant: &str, signature: &str, threads: usize, asked: bool) -> u16 {
    let variant = Variant::parse(variant).expect("a variant");
    let geometry = fen::shape(&variant.start()).expect("a board");
    with_game!(&variant.on(geometry), game => {
        let signature = Signature::parse(game.as_ref(), signature).expect("a signature");
        let tables = Tables::new(Arc::clone(game), None);
        let limits = Limits { memory_bytes: 8 << 30, threads, stop: None };
        build(&tables, &signature, &limits, &Silent).expect("a table");
        if !asked {
            return 0;
        }
        let sides = stats(&tables, &signature).expect("its statistics");
        let wins = sides.iter().filter_map(|side| side.longest_win.as_ref());
        wins.map(|(plies, _)| *plies).max().unwrap_or(0)
    })
}

fn four_units(c: &mut Criterion) {
    let mut group = c.benchmark_group("table");
    group.sample_size(10);
    for (variant, signature, plies) in [
        ("fide", "KQvKR", 69),
        ("fide", "KBNvK", 65),
        ("fide", "KRvKP", 85),
        ("convergent", "KQvKR", 51),
        ("bachelor", "KRvKN", 27),
    ] {
        assert_eq!(
            longest_win_plies(variant, signature, 2, true),
            plies,
            "{variant} {signature}"
        );
        for threads in [1, 2] {
            let name = format!("{variant} {signature}, {threads} threads");
            group.bench_function(name, |b| {
                b.iter(|| longest_win_plies(variant, black_box(signature), threads, false));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, four_units);
criterion_main!(benches);

//! How fast legal turns are counted: orthodox chess beside cozy-chess, and every rule set.
//! Each bench asserts its answer. One thread, leaves counted without being played, in both.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fairyproof::catalog::Catalog;
use fairyproof::notation::Setup;
use fairyproof::with_setup;
use std::hint::black_box;

const START: &str = fairyproof::rules::fide::START;
const BUSY: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn setup(variant: &str, fen: Option<&str>) -> Setup {
    let variant = Catalog::new().open(variant).expect("a registered variant");
    Setup::read(&variant, fen).expect("a position")
}

fn perft(setup: &Setup, depth: u32) -> u64 {
    with_setup!(setup, start => start.game.perft(&start.position, depth))
}

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for m in moves {
                let mut after = board.clone();
                after.play_unchecked(m);
                nodes += cozy_perft(&after, depth - 1);
            }
        }
        false
    });
    nodes
}

fn beside_cozy_chess(c: &mut Criterion) {
    for (name, fen, depth, nodes) in [
        ("start", START, 6, 119_060_324),
        ("busy", BUSY, 5, 193_690_690),
    ] {
        let mut group = c.benchmark_group(format!("fide perft {depth} {name}"));
        group
            .sample_size(10)
            .throughput(Throughput::Elements(nodes));
        let ours = setup("fide", Some(fen));
        group.bench_function("fairyproof", |b| {
            b.iter(|| assert_eq!(perft(black_box(&ours), depth), nodes));
        });
        let theirs: cozy_chess::Board = fen.parse().expect("a position");
        group.bench_function("cozy-chess", |b| {
            b.iter(|| assert_eq!(cozy_perft(black_box(&theirs), depth), nodes));
        });
        group.finish();
    }
}

/// The deepest start row of each variant in the fixtures, on one thread.
fn every_variant(c: &mut Criterion) {
    let mut rows: Vec<(String, String, u32, u64)> = Vec::new();
    let mut file =
        csv::Reader::from_path(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/perft.csv"))
            .expect("the fixtures");
    for record in file.records() {
        let record = record.expect("a row");
        let (variant, fen) = (record[0].to_string(), record[1].to_string());
        let start = Catalog::new().open(&variant).expect("a variant").start();
        if fen != start {
            continue;
        }
        let (depth, nodes) = (
            record[2].parse().expect("a depth"),
            record[3].parse().expect("a count"),
        );
        match rows.iter_mut().find(|row| row.0 == variant) {
            Some(row) if row.2 < depth => *row = (variant, fen, depth, nodes),
            Some(_) => {}
            None => rows.push((variant, fen, depth, nodes)),
        }
    }
    let mut group = c.benchmark_group("perft from the start");
    group.sample_size(10);
    for (variant, fen, depth, nodes) in rows {
        let ours = setup(&variant, Some(&fen));
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(format!("{variant} {depth}"), |b| {
            b.iter(|| assert_eq!(perft(black_box(&ours), depth), nodes));
        });
    }
    group.finish();
}

criterion_group!(benches, beside_cozy_chess, every_variant);
criterion_main!(benches);

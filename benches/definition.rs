//! How fast rules read from a file count turns: orthodox chess as data beside the compiled rule set, and
//! thirteen variants of the library. Each bench asserts its answer; one thread.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fairyproof::catalog::Catalog;
use fairyproof::notation::Setup;
use fairyproof::rules::Variant;
use fairyproof::with_setup;
use std::hint::black_box;

const BUSY: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn perft(setup: &Setup, depth: u32) -> u64 {
    with_setup!(setup, start => start.game.perft(&start.position, depth))
}

/// Returns a variant of the text of a file, or of the library.
fn made(name: &str, text: &str) -> Variant {
    let book = definition::read(text.as_bytes(), &definition::NoneCompiled);
    let library = definition::library();
    let mut found = book.definitions().chain(library.definitions());
    let definition = found.find(|definition| definition.name == name).cloned();
    interpreter::open(definition.expect("a definition")).expect("a variant")
}

/// Chess from data beside the compiled rule set: as the program plays it, which sees that its turns are
/// orthodox ones, and as it plays any other definition. What is said of drops changes nothing where
/// there are none, but keeps it from being seen.
fn chess(c: &mut Criterion) {
    let general = "[general:chess]\ndropChecks = false\n";
    for (name, fen, depth, nodes) in [
        ("start", fairyproof::rules::fide::START, 5, 4_865_609),
        ("busy", BUSY, 4, 4_085_603),
    ] {
        let mut group = c.benchmark_group(format!("chess perft {depth} {name}"));
        group
            .sample_size(10)
            .throughput(Throughput::Elements(nodes));
        let variants = [
            ("compiled", Catalog::new().open("fide").expect("a variant")),
            ("from data", made("chess", "")),
            ("from data, the general way", made("general", general)),
        ];
        for (what, variant) in variants {
            let setup = Setup::read(&variant, Some(fen)).expect("a position");
            group.bench_function(what, |b| {
                b.iter(|| assert_eq!(perft(black_box(&setup), depth), nodes));
            });
        }
        group.finish();
    }
}

fn library(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft from the start");
    group.sample_size(10);
    for (name, depth, nodes) in [
        ("atomic", 5, 4_864_979),
        ("antichess", 5, 2_732_672),
        ("crazyhouse", 5, 4_888_832),
        ("seirawan", 5, 27_639_803),
        ("kingofthehill", 5, 4_865_609),
        ("racingkings", 5, 9_472_927),
        ("horde", 6, 5_396_554),
        ("makruk", 5, 6_223_994),
        ("xiangqi", 4, 3_290_240),
        ("capablanca", 5, 28_741_319),
        ("grand", 4, 15_921_643),
        ("nightrider", 5, 12_273_896),
        ("shogi", 4, 719_731),
    ] {
        let setup = Setup::read(&made(name, ""), None).expect("a position");
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(format!("{name} {depth}"), |b| {
            b.iter(|| assert_eq!(perft(black_box(&setup), depth), nodes));
        });
    }
    group.finish();
}

criterion_group!(benches, chess, library);
criterion_main!(benches);

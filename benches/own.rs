//! How fast rules read from a file count turns: orthodox chess as data beside the compiled rule set, and
//! twelve variants of the library. Each bench asserts its answer; one thread.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fairyproof::notation::Setup;
use fairyproof::rules::Variant;
use fairyproof::sets;
use fairyproof::with_setup;
use std::hint::black_box;

const BUSY: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn perft(setup: &Setup, depth: u32) -> u64 {
    with_setup!(setup, start => start.game.perft(&start.position, depth))
}

/// A variant of the text of a file, or of the library.
fn made(name: &str, text: &str) -> Variant {
    let book = own::read(text.as_bytes(), &own::NoneCompiled);
    let library = own::library();
    let mut found = book.definitions().chain(library.definitions());
    let definition = found.find(|definition| definition.name == name).cloned();
    law::open(definition.expect("a definition")).expect("a variant")
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
            ("compiled", sets::parse("fide").expect("a variant")),
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
        ("atomic", 4, 197_326),
        ("antichess", 4, 153_299),
        ("crazyhouse", 4, 197_281),
        ("seirawan", 4, 782_599),
        ("kingofthehill", 4, 197_281),
        ("racingkings", 4, 296_242),
        ("horde", 4, 23_310),
        ("makruk", 4, 273_026),
        ("xiangqi", 3, 79_666),
        ("capablanca", 4, 805_128),
        ("grand", 3, 259_514),
        ("nightrider", 4, 419_019),
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

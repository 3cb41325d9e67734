//! Values without distances equal the full tables, and damaged files are refused.

use super::coder::{decode, encode};
use super::{ValueReader, value_stats, write_values};
use crate::{Counting, Signature, Store, Tables, build, is_valid_fen_position, stats};
use board::Geometry;
use control::{Control, Random};
use position::Layout;
use rules::{AnyGame, Game, Variant, with_game};
use std::path::PathBuf;
use std::sync::Arc;

const LIMITS: Control<'static> = Control::new().with_memory(1 << 28);

/// Writes the values of a signature to a folder. Returns the full tables.
fn write<W: Layout>(
    game: &Arc<dyn Game<W>>,
    signature: &Signature,
    folder: &std::path::Path,
) -> Tables<W> {
    let store = Store::new(folder);
    let tables = Tables::new(Arc::clone(game), Some(store.clone().read_only()));
    build(&tables, signature, &LIMITS).expect("tables");
    write_values(&tables, signature, &store, &LIMITS).expect("values");
    tables
}

/// Compares the values of every position of a signature. Returns the number of positions, and of those with
/// each worth.
fn compare<W: Layout>(game: &Arc<dyn Game<W>>, text: &str) -> (u64, [u64; 5]) {
    let folder = tempfile::tempdir().expect("a folder");
    let signature = Signature::parse(game.as_ref(), text).expect("a signature");
    let full = write(game, &signature, folder.path());
    let values = Tables::new(Arc::clone(game), Some(Store::new(folder.path())));
    let mut reader = ValueReader::new(&values);
    let (mut compared, mut worths) = (0, [0; 5]);
    for table in full.kept() {
        for index in 0..table.class.len() {
            let Some(placed) = table.class.placed::<W>(index) else {
                continue;
            };
            let p = placed.position;
            let wanted = table.value(index).map(|value| value.worth());
            assert_eq!(wanted.is_some(), is_valid_fen_position(game.as_ref(), &p));
            let found = reader.worth(&p).expect("values");
            assert_eq!(found, wanted, "{text} {index}");
            compared += 1;
            if let Some(worth) = wanted {
                worths[(worth + 2) as usize] += 1;
            }
        }
    }
    // No full table was read.
    assert!(values.kept().is_empty());
    for counting in [Counting::All, Counting::Reduced] {
        let full = stats(&full, &signature, counting).expect("statistics");
        let without = value_stats(&values, &signature, counting).expect("statistics");
        for (full, without) in full.iter().zip(&without) {
            assert_eq!(
                (full.positions, full.legal),
                (without.positions, without.legal)
            );
            for worth in -2..=2 {
                assert_eq!(full.count(worth), without.count(worth), "{text} {worth}");
            }
        }
    }
    (compared, worths)
}

#[test]
fn values_are_those_of_the_full_tables_in_orthodox_chess() {
    let variant = Variant::from(&variants::fide::INFO);
    for (files, ranks, text) in [
        (8, 8, "KPvK"),
        (5, 5, "KQvKR"),
        (5, 5, "KRvKB"),
        (4, 5, "KPvKP"),
        (5, 4, "KBNvK"),
        (5, 4, "KNNvK"),
    ] {
        let geometry = Geometry::new(files, ranks, 0, false).expect("a board");
        with_game!(&variant.on(geometry).expect("a game"), game => {
            let (compared, worths) = compare(game, text);
            assert!(compared > 1000 && worths[0] > 0 && worths[4] > 0, "{text}: {worths:?}");
        });
    }
}

#[test]
fn values_are_those_of_the_full_tables_in_every_rule_set() {
    let geometry = Geometry::new(4, 4, 0, false).expect("a board");
    let (mut compared, mut different) = (Vec::new(), [0; 5]);
    for info in variants::all() {
        if (info.fits)(geometry).is_err() {
            continue;
        }
        with_game!(&Variant::from(*info).on(geometry).expect("a game"), game => {
            for text in ["KRvK", "KvKP", "RvN"] {
                let Ok(signature) = Signature::parse(game.as_ref(), text) else {
                    continue;
                };
                let alone = Tables::new(Arc::clone(game), None);
                let small = crate::plan(&alone, &signature, &LIMITS)
                    .is_ok_and(|plan| plan.iter().map(|group| group.indices).sum::<u64>() < 400_000);
                if small {
                    let (_, worths) = compare(game, text);
                    (0..5).for_each(|n| different[n] += worths[n]);
                    compared.push(info.id);
                }
            }
        });
    }
    compared.dedup();
    assert!(compared.len() > 10, "{compared:?}");
    assert!([0, 2, 4].iter().all(|&n| different[n] > 0), "{different:?}");
}

/// Returns orthodox chess on a board of 4x4.
fn on_four_by_four() -> AnyGame {
    let geometry = Geometry::new(4, 4, 0, false).expect("a board");
    Variant::from(&variants::fide::INFO)
        .on(geometry)
        .expect("a game")
}

/// Returns the files of values in a folder.
fn files(folder: &std::path::Path) -> Vec<PathBuf> {
    let list = Store::new(folder).files().expect("files");
    let is_values = |path: &PathBuf| path.extension().is_some_and(|e| e == super::ENDING);
    list.into_iter().filter(is_values).collect()
}

#[test]
fn every_changed_byte_of_a_file_is_refused() {
    with_game!(&on_four_by_four(), game => {
        let folder = tempfile::tempdir().expect("a folder");
        let signature = Signature::parse(game.as_ref(), "KRvKB").expect("a signature");
        write(game, &signature, folder.path());
        let files = files(folder.path());
        let path = files.iter().find(|p| p.ends_with("KRvKB-b.fpv")).expect("a file");
        let whole = std::fs::read(path).expect("a file");
        let key = signature.keys()[1];
        let open = || Tables::new(Arc::clone(game), Some(Store::new(folder.path()))).has_values_only(&key);
        assert!(open().expect("a table"));
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1 << (at % 8);
            std::fs::write(path, &changed).expect("written");
            // A change of the versions of the rules makes it an older file.
            assert!(!open().unwrap_or(false), "byte {at}");
        }
        for len in 0..whole.len() {
            std::fs::write(path, &whole[..len]).expect("written");
            assert!(open().is_err(), "{len} bytes");
        }
        // The file of another class.
        std::fs::copy(files.iter().find(|p| p.ends_with("KRvKB-w.fpv")).expect("a file"), path)
            .expect("copied");
        assert!(open().is_err());
        std::fs::write(path, &whole).expect("written");
        assert!(open().expect("a table"));
    });
}

#[test]
fn a_missing_table_of_less_material_is_an_error() {
    with_game!(&on_four_by_four(), game => {
        let folder = tempfile::tempdir().expect("a folder");
        let signature = Signature::parse(game.as_ref(), "KRvKB").expect("a signature");
        write(game, &signature, folder.path());
        for path in files(folder.path()) {
            if path.ends_with("KBvK-b.fpv") {
                std::fs::remove_file(path).expect("removed");
            }
        }
        let tables = Tables::new(Arc::clone(game), Some(Store::new(folder.path())));
        let error = value_stats(&tables, &signature, Counting::All).expect_err("an error");
        assert!(error.to_string().contains("missing"), "{error}");
    });
}

#[test]
fn decoding_returns_allowed_symbols() {
    let mut random = Random(3);
    for symbols in 1..=5 {
        for noise in [0, 1, 50] {
            let allowed: Vec<u8> = (0..20_000)
                .map(|i| match random.below(100) {
                    n if n < noise => 1 << random.below(symbols),
                    n if n < noise + 10 => 31,
                    _ => 1 << (i / 500 % symbols),
                })
                .collect();
            let code = encode(&allowed, 64).expect("a code");
            let block = decode(&code, allowed.len()).expect("a block");
            let mut sets = allowed.iter().enumerate();
            assert!(sets.all(|(at, set)| set >> block.symbol(at) & 1 == 1));
            // A block that is cut short is damaged.
            let cut = decode(&code[..code.len() - 1], allowed.len());
            assert!(cut.is_none_or(|other| other != block));
        }
    }
    assert!(decode(&[], 5).is_none());
    assert!(decode(&[0], 5).is_none());
    assert!(decode(&[64], 5).is_none());
}

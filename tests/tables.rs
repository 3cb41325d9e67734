//! Endgame tables: certified on small boards in every rule set, and the results that the
//! literature gives for orthodox chess.

use fairyproof::board::Geometry;
use fairyproof::rules::{AnyGame, Variant};
use fairyproof::solve::table::{
    Limits, SideStats, Signature, Silent, Stopped, Store, Tables, build, certify, stats,
};
use fairyproof::with_game;
use std::sync::Arc;

const LIMITS: Limits = Limits {
    memory_bytes: 8 << 30,
    threads: 2,
    stop: None,
};

fn open(variant: &str, board: &str) -> AnyGame {
    let variant = Variant::parse(variant).unwrap();
    let own = fairyproof::notation::fen::shape(&variant.start()).unwrap();
    let geometry = if board.is_empty() {
        own
    } else {
        let (files, ranks) = board.split_once('x').unwrap();
        Geometry::new(files.parse().unwrap(), ranks.parse().unwrap(), 0, false).unwrap()
    };
    variant.on(geometry)
}

/// Builds, and perhaps certifies, a table.
fn solved(variant: &str, board: &str, signature: &str, check: bool) -> [SideStats; 2] {
    with_game!(&open(variant, board), game => {
        let signature = Signature::parse(game.as_ref(), signature).unwrap();
        let tables = Tables::new(Arc::clone(game), None);
        build(&tables, &signature, &LIMITS, &Silent).unwrap_or_else(|e| panic!("{variant}: {e}"));
        if check {
            let found = certify(&tables, &signature, &LIMITS, &Silent).unwrap();
            assert_eq!(found.faults, Vec::<String>::new(), "{variant} {board} {signature}");
            let stats = stats(&tables, &signature).unwrap();
            assert_eq!(found.positions, stats[0].legal + stats[1].legal, "{variant} {signature}");
        }
        stats(&tables, &signature).unwrap()
    })
}

fn longest_win_plies(stats: &[SideStats; 2]) -> u16 {
    stats
        .iter()
        .filter_map(|s| s.longest_win.as_ref().map(|(d, _)| *d))
        .max()
        .unwrap_or(0)
}

/// Legal positions, wins, draws, losses.
fn counts(stats: &[SideStats; 2]) -> [[u64; 4]; 2] {
    stats
        .each_ref()
        .map(|s| [s.legal, s.count(2), s.count(0), s.count(-2)])
}

#[test]
fn queen_mates_the_bare_king_in_ten_moves() {
    let stats = solved("fide", "", "KQvK", true);
    assert_eq!(longest_win_plies(&stats), 19);
    assert_eq!(stats[0].positions, 64 * 63 * 62);
    assert_eq!(
        counts(&stats),
        [[144_508, 144_508, 0, 0], [223_944, 0, 23_048, 200_896]]
    );
}

#[test]
fn rook_mates_the_bare_king_in_sixteen_moves() {
    let stats = solved("fide", "", "KRvK", true);
    assert_eq!(longest_win_plies(&stats), 31);
    assert_eq!(
        counts(&stats),
        [[175_168, 175_168, 0, 0], [223_944, 0, 22_244, 201_700]]
    );
}

#[test]
fn pawn_mates_the_bare_king_in_twenty_eight_moves() {
    let stats = solved("fide", "", "KPvK", true);
    assert_eq!(longest_win_plies(&stats), 55);
    assert_eq!(
        counts(&stats),
        [[163_328, 124_960, 38_368, 0], [168_024, 0, 70_420, 97_604]]
    );
}

/// Names of a variant with its options, a board, and signatures.
type Small = (&'static str, &'static str, &'static [&'static str]);

/// Every rule set, on boards small enough to look at every placement.
const SMALL: &[Small] = &[
    ("fide", "4x4", &["KQvKR", "KPvKP", "KBNvK"]),
    ("fide", "5x6", &["KPvKP"]),
    ("bachelor", "4x4", &["KRvK", "KRvKN", "KPvKN"]),
    ("convergent", "", &["KRvK", "KPvK"]),
    ("convergent", "4x4", &["KRvKN", "KPvKP", "KQvKB"]),
    ("french-revolution", "4x4", &["KPPvKP", "KNPvKP"]),
    ("french-revolution:weak-loss", "4x5", &["KPPvKP", "KPvKP"]),
    (
        "french-revolution:no-promotion,avalanche",
        "3x4",
        &["KNPvKP"],
    ),
    ("chromopolis", "4x4", &["KNAvK", "KNvKL", "KNvK;bound=Nn"]),
    ("chromopolis", "", &["KAvKP"]),
];

#[test]
fn small_boards_are_certified_in_every_rule_set() {
    for &(variant, board, signatures) in SMALL {
        for signature in signatures {
            let stats = solved(variant, board, signature, true);
            assert!(stats[0].legal > 0, "{variant} {board} {signature}");
        }
    }
    for card in fairyproof::rules::registry::all() {
        let named = |(v, ..): &Small| v.split(':').next() == Some(card.id);
        assert!(SMALL.iter().any(named), "{} is not certified", card.id);
    }
}

#[test]
fn tables_come_back_from_disk_and_damage_is_told() {
    let folder = tempfile::tempdir().unwrap();
    with_game!(&open("bachelor", "4x4"), game => {
        let signature = Signature::parse(game.as_ref(), "KRvKN").unwrap();
        let fresh = || Tables::new(Arc::clone(game), Some(Store::new(folder.path())));
        let first = build(&fresh(), &signature, &LIMITS, &Silent).unwrap();
        assert!(first.solved > 0 && first.reused == 0);
        let again = build(&fresh(), &signature, &LIMITS, &Silent).unwrap();
        assert_eq!((again.solved, again.reused), (0, first.solved));
        let found = certify(&fresh(), &signature, &LIMITS, &Silent).unwrap();
        assert_eq!(found.faults, Vec::<String>::new());

        let listed = Store::new(folder.path()).list().unwrap();
        assert_eq!(listed.len(), first.solved);
        let path = folder.path().join("bachelor/4x4").join(format!("{}.fpt", listed[0].class));
        let whole = std::fs::read(&path).unwrap();
        // A lost file is built again, the others are kept.
        std::fs::remove_file(&path).unwrap();
        let mended = build(&fresh(), &signature, &LIMITS, &Silent).unwrap();
        assert_eq!((mended.solved, mended.reused), (1, first.solved - 1));
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        for at in [0, 9, 40, whole.len() / 2, whole.len() - 1] {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            std::fs::write(&path, &bytes).unwrap();
            let error = build(&fresh(), &signature, &LIMITS, &Silent).unwrap_err();
            assert!(matches!(error, Stopped::Wrong(_)), "{error}");
        }
        std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        assert!(Store::new(folder.path()).list().is_err());
    });
}

#[test]
fn a_build_beyond_its_memory_is_refused_with_the_figure() {
    with_game!(&open("fide", ""), game => {
        let signature = Signature::parse(game.as_ref(), "KRRvKR").unwrap();
        let tables = Tables::new(Arc::clone(game), None);
        let limits = Limits { memory_bytes: 1 << 20, ..LIMITS };
        match build(&tables, &signature, &limits, &Silent) {
            Err(Stopped::Memory { needed_bytes, .. }) => assert!(needed_bytes > 1 << 20),
            other => panic!("{other:?}"),
        }
    });
}

#[test]
fn signatures_that_make_no_sense_are_refused() {
    with_game!(&open("chromopolis", ""), game => {
        for text in ["", "v", "KvQ", "KK", "KvKvK", "kvk", "KvK;", "KvK;x=1", "KvK;bound=Z"] {
            assert!(Signature::parse(game.as_ref(), text).is_err(), "{text}");
        }
        assert!(Signature::parse(game.as_ref(), "KNvKL;bound=Nn").is_ok());
    });
}

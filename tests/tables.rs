//! Endgame tables: certified on small boards in every rule set, and the results that the
//! literature gives for orthodox chess.

use fairyproof::board::{Color, Geometry};
use fairyproof::rules::{AnyGame, Variant};
use fairyproof::solve::Value;
use fairyproof::solve::table::{
    Certificate, Limits, SideStats, Signature, Silent, Store, Tables, build, certify, stats,
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
fn counts(stats: &SideStats) -> [u64; 4] {
    [stats.legal, stats.count(2), stats.count(0), stats.count(-2)]
}

#[test]
fn queen_and_rook_against_the_bare_king() {
    let queen = solved("fide", "", "KQvK", true);
    assert_eq!(longest_win_plies(&queen), 19);
    assert_eq!(queen[0].positions, 64 * 63 * 62);
    println!("{:?}", queen.each_ref().map(counts));
    let rook = solved("fide", "", "KRvK", true);
    assert_eq!(longest_win_plies(&rook), 31);
    println!("{:?}", rook.each_ref().map(counts));
}

#[test]
fn pawn_against_the_bare_king() {
    let pawn = solved("fide", "", "KPvK", true);
    assert_eq!(longest_win_plies(&pawn), 55);
    println!("{:?}", pawn.each_ref().map(counts));
    let _ = (
        Color::White,
        Value::Draw,
        Store::new("x"),
        Certificate::default(),
    );
}

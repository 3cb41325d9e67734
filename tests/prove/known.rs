//! Results on record that owe nothing to this program.

use crate::proof;
use fairyproof::board::Color;
use fairyproof::catalog::Catalog;
use fairyproof::notation::Setup;
use fairyproof::prove::check::check;
use fairyproof::prove::{Goal, Limits, Status};
use fairyproof::rules::Variant;
use fairyproof::{definition, interpreter, with_setup};

/// Returns a rule set by name, one of the library of definitions if need be.
fn open(name: &str) -> Variant {
    Catalog::new().open(name).unwrap_or_else(|_| {
        let book = definition::library();
        let definition = book.definitions().find(|one| one.name == name);
        interpreter::open(definition.expect("a definition").clone()).expect("a rule set")
    })
}

/// Returns a position of a rule set.
fn read(name: &str, position: &str) -> Setup {
    Setup::read(&open(name), Some(position)).expect("a position")
}

/// Asserts that the side to move forces a win within so many plies, exactly so many if `shortest`.
/// Returns in how many.
fn assert_won(name: &str, position: &str, plies: u16, shortest: bool) -> u16 {
    let setup = read(name, position);
    with_setup!(&setup, start => {
        let side = start.position.side;
        let limits = Limits { shortest, positions: Some(20_000_000), ..Limits::default() };
        let found = proof(start, side, &Goal::Win, limits);
        assert_eq!(found.status, Status::Proven, "{name} {position}");
        let certificate = found.certificate.expect("a certificate");
        let checked = check(start.game.as_ref(), &start.position, &certificate);
        let checked = checked.expect("a proof");
        assert_eq!(checked.plies, found.plies);
        assert!(found.plies <= Some(plies), "{name} {position}: {:?}", found.plies);
        if shortest {
            assert!(found.shortest);
            assert_eq!(found.plies, Some(plies), "{name} {position}");
        }
        checked.plies.expect("a win")
    })
}

/// D. Silverman's game on 4 by 4 squares (1981), as the encyclopedias tell of it: the first player
/// wins by a capture with check and mates on his fourth move; if Black may choose the pawn that
/// moves first and takes the one in front of the queen, Black mates on his second.
#[test]
fn silvermans_board_is_won_in_four_and_his_second_game_in_two() {
    assert_won("fide", "rqkr/pppp/PPPP/RQKR w - - 0 1", 7, true);
    // 1.bxa3 and 1.bxc3.
    assert_won("fide", "rqkr/Pppp/P1PP/RQKR b - - 0 1", 3, true);
    assert_won("fide", "rqkr/ppPp/P1PP/RQKR b - - 0 1", 3, true);
}

/// The longest wins of endings that every book on endings has.
#[test]
fn lone_kings_are_mated_in_as_many_moves_as_books_say() {
    assert_won("fide", "8/8/8/8/8/2k5/1R6/K7 w - - 0 1", 31, true);
    assert_won("fide", "8/8/8/5k2/8/8/1Q6/K7 w - - 0 1", 19, true);
}

/// Problems from the collection ChestUCI, which the mate tests of engines draw on (`vondele/matetrack`),
/// with the shortest mate on record. Nothing is asked about the length: what is found may be longer,
/// and must not be shorter.
#[test]
fn published_mates_in_twelve_to_twenty_are_found() {
    for (position, moves) in [
        ("8/1B1p2p1/3Pp3/1p6/k2BPp2/P3p3/KP2p3/8 w - - 0 1", 12),
        (
            "7B/2p1K3/b1P5/3ppp2/N2kp1p1/1PNp3R/3p1P2/4b1r1 w - - 0 1",
            12,
        ),
        (
            "6rk/1p3p1p/2p1p3/3NP2R/2PR1P2/2P3Pb/1bKBQ3/q6r w - - 0 1",
            14,
        ),
        ("8/8/8/2p5/R1P5/P5p1/P3K1p1/6k1 w - - 0 1", 16),
        ("5K2/k7/1R4p1/1R1P4/3P4/5b2/5b2/5nq1 w - - 0 1", 20),
    ] {
        let found = assert_won("fide", position, 4 * moves, false);
        assert!(found >= 2 * moves - 1, "{position}: {found} plies");
    }
}

/// In losing chess 1.d4, 1.e4 and 1.d3 were the first moves found to lose (M. Watkins, "Losing
/// Chess: 1. e3 wins for White", 2016, lists them), by 1...e5, 1...b5 and 1...g5.
#[test]
fn first_moves_of_losing_chess_that_lose_are_refuted() {
    for (first, reply) in [
        (
            "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b - - 0 1",
            "rnbqkbnr/pppp1ppp/8/4p3/3P4/8/PPP1PPPP/RNBQKBNR w - - 0 2",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b - - 0 1",
            "rnbqkbnr/p1pppppp/8/1p6/4P3/8/PPPP1PPP/RNBQKBNR w - - 0 2",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/3P4/PPP1PPPP/RNBQKBNR b - - 0 1",
            "rnbqkbnr/pppppp1p/8/6p1/8/3P4/PPP1PPPP/RNBQKBNR w - - 0 2",
        ),
    ] {
        assert_won("antichess", first, 60, false);
        // The reply on record wins, too.
        let setup = read("antichess", reply);
        with_setup!(&setup, start => {
            let limits = Limits { positions: Some(20_000_000), ..Limits::default() };
            let found = proof(start, Color::Black, &Goal::Win, limits);
            assert_eq!(found.status, Status::Proven, "{reply}");
            let certificate = found.certificate.expect("a certificate");
            check(start.game.as_ref(), &start.position, &certificate).expect("a proof");
        });
    }
}

/// Two captures that blow up the king cannot both be parried: in atomic chess a knight on e5
/// attacks d7 and f7.
#[test]
fn a_knight_beside_an_atomic_king_wins_in_two() {
    let after = "rnbqkbnr/1ppppppp/p7/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2";
    assert_won("atomic", after, 3, true);
}

/// The search length by length guides the bounded search: without it, this mate takes 10 million positions.
#[test]
fn bounded_search_finds_a_mate_in_eight_in_few_positions() {
    let setup = read("fide", "7B/2p5/5p2/2P1kP2/4B3/4K3/8/8 w - - 0 1");
    with_setup!(&setup, start => {
        let limits = Limits { plies: Some(15), ..Limits::default() };
        let found = proof(start, Color::White, &Goal::Win, limits);
        assert_eq!((found.status, found.plies), (Status::Proven, Some(15)));
        let positions = found.report.positions;
        assert!(positions < 400_000, "{positions}");
    });
}

/// A mate in seven for which the first search of any length takes 4.3 million positions of its own. Those with other
/// estimates begin later, and one of them finds it sooner.
#[test]
fn searches_with_other_estimates_find_a_mate_in_seven_sooner() {
    let setup = read(
        "fide",
        "r1b2rk1/ppp2ppp/8/Q2p4/4Pq2/N1P2P2/PP1P1PKP/R1B2R2 b - - 0 1",
    );
    with_setup!(&setup, start => {
        let limits = Limits { positions: Some(5_000_000), ..Limits::default() };
        let found = proof(start, Color::Black, &Goal::Win, limits);
        assert_eq!(found.status, Status::Proven);
        assert!(found.plies.is_some_and(|plies| plies >= 13));
        assert!(found.certificate.is_some());
    });
}

/// Mates whose first proof is longer than another one that is found soon with other estimates. A search bounded by
/// the length of the first proof finds none of them with 1.5 million positions.
#[test]
fn other_estimates_shorten_first_proofs() {
    for (fen, plies) in [
        ("8/1b1N2pr/3p2Rp/bB1k3p/7B/P4P2/p1N5/1n5K w - - 0 1", 15),
        (
            "1qb2B2/2pn1K1p/4NP1P/1P2kpN1/2P2p1Q/1P3Bp1/r7/2b2nr1 w - - 0 1",
            15,
        ),
        ("K4bnq/2p3pr/B1Np4/P2kpPP1/2R5/8/nNP1p3/7b w - - 0 1", 13),
    ] {
        let setup = Setup::read(&open("fide"), Some(fen)).expect("a position");
        with_setup!(&setup, start => {
            let limits = Limits { positions: Some(600_000), improve: true, ..Limits::default() };
            let found = proof(start, Color::White, &Goal::Win, limits);
            assert_eq!((found.status, found.plies), (Status::Proven, Some(plies)), "{fen}");
            let certificate = found.certificate.expect("a certificate");
            let checked = check(start.game.as_ref(), &start.position, &certificate);
            assert_eq!(checked.expect("a proof").plies, Some(plies), "{fen}");
        });
    }
}

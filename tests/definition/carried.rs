//! Definitions on smaller boards: their regions, carried over, give the game graph of a definition that is
//! written for the smaller board.

use catalog::Catalog;
use notation::{Setup, fen, with_setup};
use rules::{Variant, with_turns};
use std::collections::BTreeSet;

/// States after which no further level is explored.
const MAX_STATES: usize = 4_000;

/// Returns the edges of the first levels of a game graph, each as the FENs of its states with the turn.
fn graph(variant: &Variant, position: &str) -> BTreeSet<String> {
    let setup = Setup::read(variant, Some(position)).unwrap_or_else(|e| panic!("{variant}: {e}"));
    with_setup!(setup, start => {
        let game = start.game.as_ref();
        let mut states = BTreeSet::from([position.to_owned()]);
        let mut level = vec![start.position];
        let mut edges = BTreeSet::new();
        while !level.is_empty() && states.len() < MAX_STATES {
            let mut next_level = Vec::new();
            for p in level {
                let text = fen::print(game, &p);
                edges.insert(format!("{text} {}", game.outcome(&p)));
                with_turns(|turns| {
                    game.turns(&p, turns);
                    for turn in turns.iter() {
                        let next = game.play(&p, turn);
                        let fen = fen::print(game, &next);
                        let turn = notation::turns::print(game, &p, turn);
                        edges.insert(format!("{text} {turn} {fen}"));
                        // The number of the move is not a part of the position.
                        let key = fen.rsplit_once(' ').expect("fields").0.to_owned();
                        if states.insert(key) {
                            next_level.push(next);
                        }
                    }
                });
            }
            level = next_level;
        }
        edges
    })
}

/// Checks that `own` on the board of a position plays as `written`, whose start is that position.
fn assert_same(own: &str, written: &str, position: &str) {
    let mut catalog = Catalog::new();
    catalog.add_text("own", own).expect("definitions");
    let board = position.split(' ').next().expect("a board");
    let written = format!("{written}startFen = {position}\n");
    catalog
        .add_text("written", &written)
        .unwrap_or_else(|e| panic!("{written}{e}"));
    let id = |text: &str| {
        let text = text
            .lines()
            .find(|line| line.starts_with('['))
            .expect("a section");
        text.trim_matches(['[', ']'])
            .split(':')
            .next()
            .expect("a name")
            .to_owned()
    };
    let own = catalog.open(&id(own)).expect("a variant");
    let small = catalog
        .open(&id(&written))
        .unwrap_or_else(|e| panic!("{e}"));
    let (carried, expected) = (graph(&own, position), graph(&small, position));
    let missing: Vec<_> = expected.difference(&carried).take(3).collect();
    let extra: Vec<_> = carried.difference(&expected).take(3).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "{own} on {board}: missing {missing:?}, extra {extra:?}"
    );
    assert!(carried.len() > 100, "{own} on {board}: {}", carried.len());
}

#[test]
fn centers_and_pawn_ranks_are_carried_to_4x4() {
    assert_same(
        "[hill:chess]\ncastling = false\nflagPiece = k\nflagRegion = d4 e4 d5 e5\n",
        "[hill-4:chess]\ncastling = false\nmaxFile = d\nmaxRank = 4\npromotionRegionWhite = *4\n\
         promotionRegionBlack = *1\ndoubleStepRegionWhite = *2\ndoubleStepRegionBlack = *3\n\
         flagPiece = k\nflagRegion = b2 c2 b3 c3\n",
        "3k/2p1/1P2/K3 w - - 0 1",
    );
}

#[test]
fn center_of_an_odd_board_is_one_square() {
    assert_same(
        "[hill:chess]\ncastling = false\nflagPiece = k\nflagRegion = d4 e4 d5 e5\n",
        "[hill-5:chess]\ncastling = false\nmaxFile = e\nmaxRank = 5\npromotionRegionWhite = *5\n\
         promotionRegionBlack = *1\ndoubleStepRegionWhite = *2\ndoubleStepRegionBlack = *4\n\
         flagPiece = k\nflagRegion = c3\n",
        "3k1/4p/5/P4/1K3 w - - 0 1",
    );
}

#[test]
fn palaces_are_carried_by_files_around_the_center_and_ranks_from_the_edge() {
    assert_same(
        "[palace:xiangqi]\n",
        "[palace-5:xiangqi]\nmaxFile = e\nmaxRank = 6\n\
         mobilityRegionWhiteKing = b1 c1 d1 b2 c2 d2 b3 c3 d3\n\
         mobilityRegionBlackKing = b4 c4 d4 b5 c5 d5 b6 c6 d6\n\
         mobilityRegionWhiteFers = b1 c1 d1 b2 c2 d2 b3 c3 d3\n\
         mobilityRegionBlackFers = b4 c4 d4 b5 c5 d5 b6 c6 d6\n\
         mobilityRegionWhiteElephant = *1 *2 *3\nmobilityRegionBlackElephant = *4 *5 *6\n\
         soldierPromotionRank = 4\npromotionRegionWhite = -\npromotionRegionBlack = -\n",
        "1k3/1a3/p4/4P/3B1/3K1 w - - 0 1",
    );
}

#[test]
fn halves_stay_halves() {
    assert_same(
        "[half:crazyhouse]\ncastling = false\ndropRegionWhite = *1 *2 *3 *4\n\
         dropRegionBlack = *5 *6 *7 *8\n",
        "[half-3x4:crazyhouse]\ncastling = false\nmaxFile = c\nmaxRank = 4\n\
         promotionRegionWhite = *4\npromotionRegionBlack = *1\ndoubleStepRegionWhite = *2\n\
         doubleStepRegionBlack = *3\ndropRegionWhite = *1 *2\ndropRegionBlack = *3 *4\n",
        "1k1/3/3/K1R[n] w - - 0 1",
    );
}

#[test]
fn castling_files_are_carried_from_the_edges() {
    assert_same(
        "[plain:chess]\n",
        "[plain-7:chess]\nmaxFile = g\nmaxRank = 4\npromotionRegionWhite = *4\n\
         promotionRegionBlack = *1\ndoubleStep = false\ncastlingKingFile = d\n\
         castlingKingsideFile = f\ncastlingQueensideFile = c\n",
        "3k3/7/7/3K2R w K - 0 1",
    );
}

#[test]
fn region_without_meaning_on_the_board_is_refused_by_its_key() {
    let catalog = Catalog::new();
    let variant = catalog.open("sittuyin").expect("a variant");
    let read = Setup::read(&variant, Some("5k/6/6/6/6/K5 w - - 0 1"));
    let error = read.err().expect("a diagonal").to_string();
    for words in [
        "`promotionRegionWhite = ",
        "no meaning on 6x6",
        "`maxFile = f`, `maxRank = 6`",
    ] {
        assert!(error.contains(words), "{words}: {error}");
    }
}

#[test]
fn larger_boards_and_other_holes_are_refused() {
    let mut catalog = Catalog::new();
    let text = "[ring:chess]\nholes = d4 e4 d5 e5\ncastling = false\n";
    catalog.add_text("own", text).expect("definitions");
    let variant = catalog.open("ring").expect("a variant");
    let refused = |position: &str| {
        let read = Setup::read(&variant, Some(position));
        read.err().expect(position).to_string()
    };
    let larger = refused("3k5/9/9/9/9/9/9/9/4K4 w - - 0 1");
    assert!(larger.contains("and smaller ones, not for 9x9"), "{larger}");
    let full = refused("3k2/6/6/6/6/K5 w - - 0 1");
    assert!(full.contains("the holes of this board of 6x6"), "{full}");
    let ring = "3k2/6/2**2/2**2/6/K5 w - - 0 1";
    assert!(Setup::read(&variant, Some(ring)).is_ok());
}

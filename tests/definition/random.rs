//! Definitions made at random, played in the naive implementation alone: that they are worth comparing.

use crate::drawn::{Drawn, Random};
use naive::defined::{Outcome, State};
use quickcheck::{QuickCheck, TestResult};
use std::collections::BTreeSet;

/// Turns of a random game at most.
const PLIES: usize = 16;

/// Returns a game as text: what can be played at each position, and how it stands.
fn trace(drawn: &Drawn) -> Result<Vec<String>, String> {
    let mut random = Random(drawn.seed);
    let mut state = drawn.naive()?;
    let mut lines = Vec::new();
    for _ in 0..PLIES {
        let turns = state.turns();
        let texts: Vec<&str> = turns.iter().map(|(text, _)| text.as_str()).collect();
        let fen = state.fen();
        lines.push(format!("{:?} {fen} {texts:?}", state.outcome()));
        if turns.is_empty() {
            break;
        }
        state = turns[random.below(turns.len())].1.clone();
    }
    Ok(lines)
}

/// Printing and reading again changes nothing, and no turn is named twice.
#[test]
fn random_positions_are_read_as_they_are_printed() {
    fn texts(state: &State) -> Vec<String> {
        state.turns().into_iter().map(|(text, _)| text).collect()
    }
    fn holds(drawn: Drawn) -> TestResult {
        let mut random = Random(drawn.seed);
        let mut state = drawn.naive().expect("a drawn definition");
        for _ in 0..PLIES {
            let fen = state.fen();
            let again = match state.read_again() {
                Ok(again) => again,
                Err(why) => return TestResult::error(format!("{fen}: {why}\n{}", drawn.text())),
            };
            let (own, other) = (texts(&state), texts(&again));
            let mut once = own.clone();
            once.dedup();
            if again.fen() != fen || own != other || own != once {
                return TestResult::error(format!("{fen}: {own:?} {other:?}\n{}", drawn.text()));
            }
            let turns = state.turns();
            if turns.is_empty() {
                break;
            }
            state = turns[random.below(turns.len())].1.clone();
        }
        TestResult::passed()
    }
    QuickCheck::new()
        .tests(200)
        .max_tests(200)
        .quickcheck(holds as fn(Drawn) -> TestResult);
}

/// The clauses that random definitions draw from.
const CLAUSES: &[&str] = &[
    "doubleStep",
    "doubleStepRegionWhite",
    "tripleStepRegionWhite",
    "enPassantRegion",
    "enPassantTypes",
    "enPassantTypesWhite",
    "enPassantTypesBlack",
    "shogiPawnDropMateIllegal",
    "promotionRegionWhite",
    "promotionPawnTypes",
    "promotionPieceTypes",
    "promotionPieceTypesBlack",
    "promotionLimit",
    "mandatoryPawnPromotion",
    "promotedPieceType",
    "piecePromotionOnCapture",
    "mandatoryPiecePromotion",
    "pieceDemotion",
    "sittuyinPromotion",
    "soldierPromotionRank",
    "immobilityIllegal",
    "castlingRank",
    "castlingKingsideFile",
    "castlingQueensideFile",
    "oppositeCastling",
    "castlingDroppedPiece",
    "blastOnCapture",
    "blastImmuneTypes",
    "mutuallyImmuneTypes",
    "mustCapture",
    "pieceDrops",
    "capturesToHand",
    "dropLoop",
    "dropRegionWhite",
    "firstRankPawnDrops",
    "promotionZonePawnDrops",
    "dropNoDoubled",
    "dropPromoted",
    "sittuyinRookDrop",
    "dropOppositeColoredBishop",
    "dropChecks",
    "mustDrop",
    "mustDropType",
    "seirawanGating",
    "cambodianMoves",
    "checking",
    "checkCounting",
    "flyingGeneral",
    "makpongRule",
    "extinctionPseudoRoyal",
    "dupleCheck",
    "extinctionValue",
    "extinctionPieceCount",
    "extinctionOpponentPieceCount",
    "extinctionClaim",
    "pass",
    "passOnStalemate",
    "stalemateValue",
    "stalematePieceCount",
    "checkmateValue",
    "materialCounting",
    "flagPiece",
    "flagRegionWhite",
    "flagPieceCount",
    "flagPieceBlockedWin",
    "flagMove",
    "flagPieceSafe",
    "connectN",
    "connectPieceTypes",
    "connectNxN",
    "collinearN",
    "connectRegion1White",
    "connectValue",
    "adjudicateFullBoard",
    "castlingWins",
    "shatarMateRule",
    "holes",
    "cylinder",
    "passBlack",
    "passOnStalemateWhite",
    "pawnTypes",
    "promotionPawnTypesWhite",
    "castlingRookPiecesBlack",
    "flagPieceWhite",
    "promotionRank",
    "doubleStepRank",
    "nMoveRule",
    "nMoveRuleKept",
    "nMoveRuleTypes",
    "nMoveRuleTypesBlack",
];

/// Each clause changes a game somewhere: without its key it goes on otherwise.
#[test]
fn random_definitions_show_what_each_clause_does() {
    let mut missing: BTreeSet<&str> = CLAUSES.iter().copied().collect();
    let mut ends = BTreeSet::new();
    let directed = (0..200).map(Drawn::directed);
    for drawn in directed.chain((0..4_000).map(Drawn::of)) {
        if missing.is_empty() && ends.len() == 4 {
            break;
        }
        let wanted: Vec<&str> = missing
            .iter()
            .copied()
            .filter(|clause| drawn.keys.iter().any(|(key, _)| key == clause))
            .collect();
        if wanted.is_empty() {
            continue;
        }
        let whole = trace(&drawn).expect("a drawn definition");
        let last = whole.last().expect("a first position");
        ends.insert(last.split(' ').next().unwrap_or_default().to_string());
        for clause in wanted {
            let less = drawn.without(clause).and_then(|less| trace(&less).ok());
            if less.is_some_and(|less| less != whole) {
                missing.remove(clause);
            }
        }
    }
    assert!(missing.is_empty(), "without effect: {missing:?}");
    let outcomes = [
        Outcome::Ongoing,
        Outcome::Draw,
        Outcome::Wins(0),
        Outcome::Wins(1),
    ];
    for outcome in outcomes {
        assert!(ends.contains(&format!("{outcome:?}")), "{ends:?}");
    }
}

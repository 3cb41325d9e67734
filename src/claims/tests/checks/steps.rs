//! Single steps: every step of random games is among the generated steps, and those of a claim begin with all that
//! its position brings.

use super::{judged, verified, verified_with};
use board::{Color, Kind, Square, Squares};
use catalog::Catalog;
use control::Random;
use fairyproof_claims::single_steps::SingleSteps;
use fairyproof_claims::{Scope, Verdict};
use notation::{Setup, with_setup};
use position::{Layout, Position};
use rules::{Game, Step, Turn};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// A side, its step, and the enemy units that leave the board, which are left out in turns of several steps.
type Known = (Color, Step, Vec<(Kind, Square)>);

fn steps<W: Layout>(before: &Position<W>, turn: &Turn, after: &Position<W>) -> Vec<Known> {
    let enemy = !before.side;
    let lost = before.color(enemy) & !after.color(enemy);
    let single = turn.steps().count() == 1;
    let lost = lost.iter().filter(|_| single);
    let lost: Vec<_> = lost
        .map(|square| (before.kind_on(square), square))
        .collect();
    let known = |step| (before.side, step, lost.clone());
    turn.steps().map(known).collect()
}

fn compare<W: Layout>(
    id: &str,
    game: &dyn Game<W>,
    start: &Position<W>,
    games: u64,
) -> (usize, usize) {
    let generator = SingleSteps::new(game, start, &|| false).expect(id);
    let mut known: HashSet<Known> = HashSet::new();
    let _: ControlFlow<()> = generator.each(&mut |before, turn, after| {
        known.extend(steps(before, turn, after));
        ControlFlow::Continue(())
    });
    let mut played: HashSet<Known> = HashSet::new();
    for number in 0..games {
        let mut random = Random::numbered(7, number);
        let mut p = *start;
        for _ in 0..100 {
            let mut turns = Vec::new();
            game.turns(&p, &mut turns);
            if turns.is_empty() {
                break;
            }
            turns.sort_unstable();
            for turn in &turns {
                for step in steps(&p, turn, &game.play(&p, turn)) {
                    assert!(known.contains(&step), "{id}: {step:?}");
                    played.insert(step);
                }
            }
            p = game.play(&p, &turns[random.scaled_below(turns.len())]);
        }
    }
    (known.len(), played.len())
}

#[test]
fn steps_of_random_games_are_among_the_single_steps() {
    let catalog = Catalog::new();
    for id in [
        "fide",
        "bachelor",
        "french-revolution",
        "reentrant",
        "shogi",
        "crazyhouse",
    ] {
        let variant = catalog.open(id).expect(id);
        let start = Setup::read(&variant, None).expect("a start");
        let (known, played) =
            with_setup!(start, start => compare(id, start.game.as_ref(), &start.position, 40));
        assert!(played > 500 && known > played, "{id}: {known} {played}");
    }
}

/// Definitions that promise independent steps are tested if their boards have at most this many squares.
const MAX_SQUARES: u32 = 64;

#[test]
fn every_step_of_a_rule_set_that_promises_independent_steps_is_generated() {
    let catalog = Catalog::new();
    let mut promised = Vec::new();
    let with_options = ["avalanche", "no-promotion,avalanche", "no-promotion"];
    let with_options = with_options.map(|options| format!("french-revolution:{options}"));
    for id in catalog.ids().map(str::to_owned).chain(with_options) {
        let Ok(variant) = catalog.open(&id) else {
            continue;
        };
        let Ok(start) = Setup::read(&variant, None) else {
            continue;
        };
        with_setup!(start, start => {
            let game = start.game.as_ref();
            if game.independent_steps().is_some() && game.board().squares().len() <= MAX_SQUARES {
                compare(&id, game, &start.position, 6);
                promised.push(id.clone());
            }
        });
    }
    // Filters, counters and hands do not make steps depend on other units.
    for id in [
        "fide",
        "french-revolution",
        "bachelor",
        "convergent",
        "glory",
        "prop",
        "reentrant",
        "3check",
        "crazyhouse",
    ] {
        assert!(promised.iter().any(|known| known == id), "{id}");
    }
    // Gates, hoppers, blasts, passes, and units that move or capture as others let them.
    for id in [
        "seirawan",
        "xiangqi",
        "grasshopper",
        "atomic",
        "janggi",
        "clerical",
        "dowager",
        "kingmaker",
        "shrapnel",
        "fide+circe",
    ] {
        assert!(!promised.iter().any(|known| known == id), "{id}");
    }
}

/// Units that go forward, and pawns on any rank that become rooks.
const LANCES: &str = "[lances:chess]
maxFile = 12
king = -
queen = -
knight = -
bishop = -
lance = l
castling = false
promotionPieceTypes = r
promotionRegionWhite = e8
promotionRegionBlack = a1
stalemateValue = loss
checkmateValue = loss
startFen = lll2lllllll/12/12/3Pp7/12/12/12/5LLLLL1L w - e6 0 1

[passing:chess]
maxFile = e
king = -
promotionPieceTypes = -
castling = false
stalemateValue = loss
startFen = 5/5/5/2Pp1/5/5/5/5 w - d6 0 1

[former:chess]
maxFile = 3
king = -
queen = -
knight = -
bishop = -
rook = -
lance = l
castling = false
pieceDrops = true
capturesToHand = true
promotionPieceTypes = l
stalemateValue = loss
startFen = 3/2p/3/3/3/3/3/L~2[] w - - 0 1
";

/// Returns the verdict on steps from a position, none of which may satisfy a condition.
fn never(variant: &str, fen: &str, condition: &str) -> Verdict {
    let claim = format!(
        "[[claim]]\nid = 'a'\nsays = 'a'\nvariant = '{variant}'\nfen = '{fen}'\n\
         over = {{ steps = true }}\nnever = \"{condition}\"\n"
    );
    verified_with(&claim, LANCES).remove(0).verdict
}

#[test]
fn steps_begin_with_what_the_position_of_the_claim_brings() {
    for (variant, with, without, condition) in [
        // A pawn that has just passed, and where its captor goes from there.
        (
            "fide",
            "8/8/8/3Pp2k/4P3/8/8/K7 w - e6 0 1",
            "8/8/8/3Pp2k/4P3/8/8/K7 w - - 0 1",
            "en_passant",
        ),
        (
            "former",
            "3/3/3/Pp1/3/3/3/3[] w - b6 0 1",
            "3/3/3/Pp1/3/3/3/3[] w - - 0 1",
            "en_passant",
        ),
        (
            "lances",
            "l11/12/12/3Pp7/12/12/12/12 w - e6 0 1",
            "l11/12/12/3Pp7/12/12/12/12 w - - 0 1",
            "before.side == white && from == 'e6'",
        ),
        // Rights of castling.
        (
            "fide",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
            "castles",
        ),
        // Units in hand.
        (
            "former",
            "3/2l/3/3/3/3/3/L2[P] w - - 0 1",
            "3/2l/3/3/3/3/3/L2[] w - - 0 1",
            "kind == 'pawn'",
        ),
        (
            "reentrant",
            "4k3/q7/8/8/8/8/Q7/4K3 w - - 0 1 hand=-/P/-/-",
            "4k3/q7/8/8/8/8/Q7/4K3 w - - 0 1",
            "kind == 'pawn'",
        ),
        // A kind that would not arise otherwise, and a pawn on its first rank.
        (
            "lances",
            "l11/12/12/4p7/12/12/12/R11 w - - 0 1",
            "l11/12/12/4p7/12/12/12/L11 w - - 0 1",
            "kind == 'rook'",
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
            "4k3/8/8/8/8/8/P7/4K3 w - - 0 1",
            "kind == 'pawn' && from == 'a1'",
        ),
    ] {
        assert_eq!(never(variant, with, condition), Verdict::Refuted, "{with}");
        assert_eq!(
            never(variant, without, condition),
            Verdict::Confirmed,
            "{without}"
        );
    }
}

#[test]
fn en_passant_capture_counts_once() {
    // Without the pawn in hand, no pawn can pass b6 after the start. With it, one can do so from b7.
    for (hand, passed, captures) in [("", "-", 0), ("", "b6", 1), ("p", "-", 1), ("p", "b6", 1)] {
        let claim = format!(
            "[[claim]]\nid = 'a'\nsays = 'a'\nvariant = 'former'\nis = {captures}\n\
             fen = '3/3/3/Pp1/3/3/3/3[{hand}] w - {passed} 0 1'\nover = {{ steps = true }}\n\
             count = \"en_passant && from == 'a5' && to == 'b6'\"\n"
        );
        judged(&verified_with(&claim, LANCES).remove(0), Verdict::Confirmed);
    }
}

#[test]
fn bound_begins_with_what_the_position_of_the_claim_brings() {
    let bound = |variant: &str, measure: &str, turns: u64| {
        let claim = format!(
            "[[claim]]\nid = 'a'\nsays = 'a'\nvariant = '{variant}'\nbound = \"{measure}\"\n\
             turns = {turns}\nlimits = {{ states = 5000 }}\n"
        );
        verified_with(&claim, LANCES).remove(0)
    };
    // After `d5e6`, a pawn becomes a rook, which goes to and fro: there is a game of 57 turns.
    let found = bound("lances", "sum(units(mover).map(u, ranks - u.row))", 45);
    assert_ne!(found.verdict, Verdict::Confirmed, "{}", found.summary);
    let found = bound("passing", "sum(units(mover, 'pawn').map(u, 8 - u.row))", 3);
    assert_eq!(
        (found.verdict, found.scope),
        (Verdict::Confirmed, Scope::Proof),
        "{}",
        found.summary
    );
    // Only the capture en passant leads to the d-file.
    let on_file = "sum(units(mover).map(u, 8 - u.row + (u.side == white && u.file == 4 ? 9 : 0)))";
    judged(&bound("passing", on_file, 30), Verdict::Refuted);
    // A promoted lance does not lower this measure.
    let promoted = "sum(units(mover).map(u, u.promoted ? 9 : ranks - u.row))";
    judged(&bound("former", promoted, 60), Verdict::Refuted);
}

#[test]
fn second_unit_that_is_out_of_the_way_is_found() {
    // Of White's pawns, only the one on a7 lets the rook pass.
    for (fen, to) in [
        ("4k3/P7/8/8/8/8/7P/4K2R w - - 0 1", "h7"),
        ("4k2n/P7/8/8/8/8/7P/4K2R w - - 0 1", "h8"),
    ] {
        let found = verified(&format!(
            "variant = 'french-revolution'\nfen = '{fen}'\nover = {{ steps = true }}\n\
             exists = \"steps.exists(s, s.kind == 'rook' && s.from == 'h1' && s.to == '{to}')\""
        ));
        judged(&found, Verdict::Confirmed);
    }
}

//! Definitions that were once played otherwise than by the format's own program, settled by its text.

use notation::{Setup, turns, with_setup};
use rules::Variant;

fn variant(keys: &str) -> Variant {
    child_of("chess", keys)
}

fn child_of(parent: &str, keys: &str) -> Variant {
    let text = format!("[settled:{parent}]\n{keys}\n");
    let book = definition::read(text.as_bytes(), &definition::NoneCompiled);
    let definition = book.definitions().next();
    let definition = definition.unwrap_or_else(|| panic!("{text}\n{:?}", book.findings));
    interpreter::open(definition.clone()).unwrap_or_else(|e| panic!("{text}\n{e:?}"))
}

fn outcome(keys: &str, fen: &str) -> String {
    let setup = Setup::read(&variant(keys), Some(fen)).unwrap_or_else(|e| panic!("{fen}: {e}"));
    with_setup!(setup, start => start.game.outcome(&start.position).to_string())
}

/// Returns the legal turns of one unit.
fn turns_from(keys: &str, fen: &str, square: &str) -> Vec<String> {
    let setup = Setup::read(&variant(keys), Some(fen)).unwrap_or_else(|e| panic!("{fen}: {e}"));
    with_setup!(setup, start => {
        let all = turns::sorted(start.game.as_ref(), &start.position);
        all.into_iter().map(|(text, _)| text).filter(|text| text.starts_with(square)).collect()
    })
}

/// The rules on how mate is given (Shatar, shogi's pawn) concern checks on kings: the attack on a pseudo-royal
/// unit is mate, whatever attacks.
#[test]
fn attack_on_pseudo_royal_unit_mates_whatever_attacks() {
    let knight = "extinctionValue = loss\nextinctionPieceTypes = n\nextinctionPseudoRoyal = true";
    let shatar = format!("bers = j\nshatarMateRule = true\n{knight}");
    for (keys, fen, end) in [
        (
            &shatar,
            "4k3/8/8/2b5/8/7j/8/K6N w - - 0 1",
            "black-wins checkmate",
        ),
        // A queen alone attacks the knight.
        (
            &shatar,
            "4k3/8/8/2b5/8/7b/6q1/K6N w - - 0 1",
            "black-wins checkmate",
        ),
        (&shatar, "4k3/8/8/2b5/8/6qb/8/K6N w - - 0 1", "ongoing"),
        // Mate of the king by a queen, without a check before.
        (&shatar, "k7/8/8/8/8/2b5/1q6/K7 w - - 0 1", "draw checkmate"),
    ] {
        assert_eq!(outcome(keys, fen), end, "{fen}");
    }
}

/// With `sittuyinPromotion`, no unit may promote with check, not only the pawn.
#[test]
fn promotions_of_other_units_may_not_check_as_in_sittuyin() {
    let keys = "sittuyinPromotion = true\npromotionPawnTypes = r\npromotionPieceTypes = qr";
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    let up = |list: Vec<String>| list.into_iter().filter(|t| t.starts_with("a1a8")).count();
    assert_eq!(up(turns_from(keys, fen, "a1")), 0);
    assert_eq!(turns_from(keys, fen, "").len(), 14);
    let knights = keys.replace("= qr", "= qrbn");
    assert_eq!(turns_from(&knights, fen, "a1a8"), ["a1a8b", "a1a8n"]);
    let arriving = keys.replace("sittuyinPromotion = true\n", "");
    assert_eq!(turns_from(&arriving, fen, "a1a8"), ["a1a8q", "a1a8r"]);
}

/// One unit in both regions is a chain that touches both.
#[test]
fn one_unit_in_both_regions_connects_them() {
    let keys = "king = -\ncommoner = k\ncastling = false\nconnectRegion1White = a1 b1\nconnectRegion2White = b1 h8";
    let fen = |units: &str| format!("4k3/8/8/8/8/8/8/{units} b - - 0 1");
    assert_eq!(outcome(keys, &fen("1R5K")), "white-wins connection");
    assert_eq!(outcome(keys, &fen("RR5K")), "white-wins connection");
    assert_eq!(outcome(keys, &fen("R6K")), "ongoing");
}

/// A pawn's promotion that is also one in the manner of shogi is one turn. Both texts of the format name it.
#[test]
fn promotion_in_two_manners_is_one_turn_with_two_texts() {
    let keys = "promotedPieceType = p:q";
    let fen = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1";
    let listed = turns_from(keys, fen, "a7");
    assert_eq!(listed, ["a7a8+", "a7a8b", "a7a8n", "a7a8r"]);
    let quiet =
        "promotedPieceType = p:r\npiecePromotionOnCapture = true\npromotionRegionWhite = *4 *8";
    for (keys, fen, text, turn) in [
        (keys, fen, "a7a8q", "a7a8+"),
        (quiet, "4k3/8/8/8/8/1P6/8/4K3 w - - 0 1", "b3b4r", "b3b4+"),
        (quiet, "4k3/8/8/8/2p5/1P6/8/4K3 w - - 0 1", "b3c4r", "b3c4+"),
    ] {
        let setup = Setup::read(&variant(keys), Some(fen)).unwrap_or_else(|e| panic!("{fen}: {e}"));
        with_setup!(setup, start => {
            let (game, p) = (start.game.as_ref(), &start.position);
            let read = turns::read(game, p, text, 1).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(turns::print(game, p, &read), turn);
        });
    }
}

/// The sides may be swapped only where the same steps of both reset the count.
#[test]
fn steps_that_reset_the_count_of_one_side_forbid_swapping_the_sides() {
    let swaps = |keys: &str| {
        let setup = Setup::read(&variant(&format!("castling = false\n{keys}")), None);
        let setup = setup.unwrap_or_else(|e| panic!("{keys}: {e}"));
        with_setup!(setup, start => start.game.symmetries().colors)
    };
    assert!(swaps(""));
    assert!(swaps("nMoveRuleKept = true"));
    assert!(!swaps("nMoveRuleKept = true\nnMoveRuleTypesBlack = -"));
    assert!(swaps("nMoveRuleTypesBlack = -"));
}

/// An empty hand ends gating, but not the first leaps of Cambodian chess, which need the same rights.
#[test]
fn first_leaps_remain_while_the_hand_for_gating_is_empty() {
    let child = child_of("cambodian", "seirawanGating = true");
    let leaps = |fen: Option<&str>, square: &str| {
        let setup = Setup::read(&child, fen).unwrap_or_else(|e| panic!("{fen:?}: {e}"));
        with_setup!(setup, start => {
            let all = turns::sorted(start.game.as_ref(), &start.position);
            let texts = all.into_iter().map(|(text, _)| text);
            texts.filter(|text| text.starts_with(square)).collect::<Vec<String>>()
        })
    };
    assert_eq!(leaps(None, "d1"), ["d1b2", "d1c2", "d1d2", "d1e2", "d1f2"]);
    // After a turn with an empty hand, too.
    let fen = "rnsmksnr/8/1ppppppp/p7/4P3/PPPP1PPP/8/RNSKMSNR[] w DEde - 0 2";
    assert_eq!(leaps(Some(fen), "e1"), ["e1d2", "e1e3", "e1f2"]);
}

/// Letters of the castling field are rights and gates at once, so that they cannot name the rights of another
/// piece than the king.
#[test]
fn gating_with_another_castling_piece_than_the_king_is_refused() {
    let gating = "gating = true\ncastlingKingPieceBlack = n";
    let text = format!("[a:chess]\n{gating}\n");
    let book = definition::read(text.as_bytes(), &definition::NoneCompiled);
    let definition = book.definitions().next().expect("a definition").clone();
    let refusal = interpreter::open(definition).expect_err("a refusal");
    assert_eq!(refusal.key, "gating");
    assert!(
        refusal.why.contains("royal king castles"),
        "{}",
        refusal.why
    );
    child_of("chess", &format!("{gating}\ncastling = false"));
}

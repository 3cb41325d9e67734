//! Definitions that were once played otherwise than by the format's own program, settled by its text.

use notation::{Setup, fen, turns, with_setup};
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

/// An attack on the last unit of a pseudo-royal piece is a check like any other, so it is counted.
#[test]
fn checks_of_pseudo_royal_units_are_counted() {
    let keys = "checkCounting = true\nextinctionValue = loss\nextinctionPieceTypes = n\n\
        extinctionPseudoRoyal = true\nstartFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 9+9 0 1";
    let after = |fen: &str, turn: &str| {
        let setup = Setup::read(&variant(keys), Some(fen)).unwrap_or_else(|e| panic!("{fen}: {e}"));
        with_setup!(setup, start => {
            let game = start.game.as_ref();
            let turn = turns::read(game, &start.position, turn, 1).expect("a legal turn");
            fen::print(game, &game.play(&start.position, &turn))
        })
    };
    let alone = "4n2k/8/8/8/8/8/Q7/K1N5 w - - 9+9 0 1";
    let attacked = after(alone, "a2e2");
    assert_eq!(attacked, "4n2k/8/8/8/8/8/4Q3/K1N5 b - - 8+9 1 1");
    let two = "n3n2k/8/8/8/8/8/Q7/K1N5 w - - 9+9 0 1";
    assert!(after(two, "a2e2").ends_with(" b - - 9+9 1 1"));
}

/// `extinctionPseudoRoyal` makes the last units royal and leaves `extinctionValue` as it is: a side that makes
/// other units of the last ones, or loses them, has run out of them. A side that never had one plays on.
#[test]
fn side_whose_last_pseudo_royal_unit_goes_has_run_out() {
    let royal = |piece: &str, more: &str| {
        format!(
            "extinctionValue = loss\nextinctionPieceTypes = {piece}\nextinctionPseudoRoyal = true\n{more}"
        )
    };
    let by_choice = royal("n", "promotionPawnTypes = pn\npromotionPieceTypes = qr");
    let as_in_shogi = royal("n", "promotedPieceType = n:r");
    let demoted = royal("r", "promotedPieceType = n:r\npieceDemotion = true");
    let sittuyin = royal("p", "sittuyinPromotion = true");
    let in_hand = format!("{as_in_shogi}\npieceDrops = true");
    let drawn = as_in_shogi.replace("= loss", "= draw");
    let no_value = as_in_shogi.replace("extinctionValue = loss\n", "");
    for (keys, fen, played, end) in [
        // Promotion of a pawn, and of another unit that promotes like one.
        (
            &royal("p", ""),
            "7k/P6p/8/8/8/8/8/7K w - - 0 1",
            "a7a8q",
            "black-wins extinction",
        ),
        (
            &by_choice,
            "7k/8/N7/8/8/7n/8/7K w - - 0 1",
            "a6b8q",
            "black-wins extinction",
        ),
        (
            &by_choice,
            "7k/8/N1N5/8/8/7n/8/7K w - - 0 1",
            "a6b8q",
            "ongoing",
        ),
        // Promotion as in shogi.
        (
            &as_in_shogi,
            "7k/8/N7/8/8/7n/8/7K w - - 0 1",
            "a6b8+",
            "black-wins extinction",
        ),
        (
            &as_in_shogi,
            "7k/8/N7/8/8/7n/8/7K w - - 0 1",
            "a6b4",
            "ongoing",
        ),
        (
            &as_in_shogi,
            "7k/8/N1N5/8/8/7n/8/7K w - - 0 1",
            "a6b8+",
            "ongoing",
        ),
        (
            &in_hand,
            "7k/8/N7/8/8/7n/8/7K[N] w - - 0 1",
            "a6b8+",
            "ongoing",
        ),
        (
            &in_hand,
            "7k/8/N7/8/8/7n/8/7K[R] w - - 0 1",
            "a6b8+",
            "black-wins extinction",
        ),
        (
            &drawn,
            "7k/8/N7/8/8/7n/8/7K w - - 0 1",
            "a6b8+",
            "draw extinction",
        ),
        (
            &no_value,
            "7k/8/N7/8/8/7n/8/7K w - - 0 1",
            "a6b8+",
            "ongoing",
        ),
        // Demotion.
        (
            &demoted,
            "7k/+N7/8/8/8/8/7r/6K1 w - - 0 1",
            "a7a8-",
            "black-wins extinction",
        ),
        (
            &demoted,
            "7k/+N7/8/8/8/8/7r/6K1 w - - 0 1",
            "a7b7",
            "ongoing",
        ),
        // Promotion without a step.
        (
            &sittuyin,
            "7k/8/8/P6p/8/8/8/7K w - - 0 1",
            "a5a5b",
            "black-wins extinction",
        ),
        // Capture: White makes the other knight royal and leaves it attacked.
        (
            &as_in_shogi,
            "8/7k/N7/7n/4b3/8/6N1/7K w - - 0 1",
            "a6b8+ e4g2",
            "black-wins extinction",
        ),
        // Black has never had a knight.
        (
            &as_in_shogi,
            "7k/8/N7/8/8/8/8/7K w - - 0 1",
            "a6b4",
            "ongoing",
        ),
        (
            &as_in_shogi,
            "7k/8/N7/8/8/8/8/7K w - - 0 1",
            "a6b4 h8g8",
            "ongoing",
        ),
    ] {
        let setup = Setup::read(&variant(keys), Some(fen)).unwrap_or_else(|e| panic!("{fen}: {e}"));
        with_setup!(setup, start => {
            let game = start.game.as_ref();
            let p = played.split(' ').fold(start.position, |p, text| {
                let turn = turns::read(game, &p, text, 1);
                game.play(&p, &turn.unwrap_or_else(|why| panic!("{keys}\n{fen} {text}: {why}")))
            });
            assert_eq!(game.outcome(&p).to_string(), end, "{keys}\n{fen} {played}");
            let printed = fen::print(game, &p);
            assert_eq!(fen::read_position(game, &printed).ok(), Some(p), "{printed}");
        });
    }
}

/// A blast cannot take the mover's own last royal unit, and ends the game if it takes the opponent's.
#[test]
fn blast_of_last_pseudo_royal_unit_ends_the_game() {
    let atomic = child_of("atomic", "");
    let setup = Setup::read(&atomic, Some("3rk3/8/8/8/8/8/8/3QK3 w - - 0 1")).expect("a position");
    with_setup!(setup, start => {
        let (game, p) = (start.game.as_ref(), &start.position);
        let turn = turns::read(game, p, "d1d8", 1).expect("a legal turn");
        assert_eq!(game.outcome(&game.play(p, &turn)).to_string(), "white-wins extinction");
    });
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

/// A pawn that can promote as in shogi may stay what it is where other units must promote, and the text of the
/// key says so.
#[test]
fn mandatory_promotion_of_pieces_does_not_concern_pawns() {
    let keys = "promotedPieceType = p:q n:r\nmandatoryPiecePromotion = true\nmandatoryPawnPromotion = false\n\
        promotionPieceTypes = -";
    let fen = "7k/P7/2N5/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(turns_from(keys, fen, "a7"), ["a7a8", "a7a8+"]);
    assert_eq!(
        turns_from(keys, fen, "c6"),
        ["c6a5", "c6b4", "c6b8+", "c6d4", "c6d8+", "c6e5", "c6e7"]
    );
    let keys = definition::key_infos();
    let key = keys
        .iter()
        .find(|key| key.name == "mandatoryPiecePromotion");
    let meaning = &key.expect("a key").meaning;
    assert!(meaning.contains("other than the `pawn`"), "{meaning}");
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

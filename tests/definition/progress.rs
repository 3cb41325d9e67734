//! The n-move rule where a definition keeps its count: what is progress, and when the game is drawn.

use notation::{Setup, fen, turns, with_setup};
use rules::Variant;

/// Returns a variant with these keys, which keeps a rule of three moves.
fn variant(keys: &str) -> Variant {
    let text = format!("[quiet:chess]\nnMoveRule = 3\nnMoveRuleKept = true\n{keys}\n");
    let book = definition::read(text.as_bytes(), &definition::NoneCompiled);
    assert!(!book.has_errors(), "{text}\n{:?}", book.findings);
    let definition = book.definitions().next().expect("a definition").clone();
    interpreter::open(definition).unwrap_or_else(|e| panic!("{text}\n{e:?}"))
}

/// Returns the outcome of a position.
fn outcome(keys: &str, text: &str) -> String {
    let setup = Setup::read(&variant(keys), Some(text)).unwrap_or_else(|e| panic!("{text}: {e}"));
    with_setup!(setup, start => start.game.outcome(&start.position).to_string())
}

/// Returns the clock of the FEN after a turn.
fn clock(keys: &str, text: &str, turn: &str) -> String {
    let setup = Setup::read(&variant(keys), Some(text)).unwrap_or_else(|e| panic!("{text}: {e}"));
    with_setup!(setup, start => {
        let game = start.game.as_ref();
        let turn = turns::read(game, &start.position, turn, 1).unwrap_or_else(|e| panic!("{e}"));
        let after = fen::print(game, &game.play(&start.position, &turn));
        let mut fields = after.split(' ').filter(|field| !field.contains('='));
        fields.nth_back(1).expect("a clock").to_string()
    })
}

#[test]
fn the_last_turn_draws_unless_it_mates() {
    for (keys, position, end) in [
        ("", "k7/8/2K5/8/8/8/8/7R w - - 5 9", "ongoing"),
        ("", "k7/8/2K5/8/8/8/8/7R w - - 6 9", "draw n-move-rule"),
        ("", "k7/8/2K5/8/8/8/8/7R w - - 99 60", "draw n-move-rule"),
        // Check is no mate.
        ("", "k6R/8/2K5/8/8/8/8/8 b - - 6 9", "draw n-move-rule"),
        ("", "k6R/8/1K6/8/8/8/8/8 b - - 6 9", "white-wins checkmate"),
        // Stalemate waits for no other rule.
        (
            "stalemateValue = loss",
            "k7/2Q5/8/8/8/8/8/K7 b - - 5 9",
            "white-wins stalemate",
        ),
        (
            "stalemateValue = loss",
            "k7/2Q5/8/8/8/8/8/K7 b - - 6 9",
            "draw n-move-rule",
        ),
        // Goals come first; what counts material counts here too.
        (
            "flagPiece = k\nflagRegion = *8",
            "8/8/8/8/8/1k6/8/7K w - - 6 9",
            "draw n-move-rule",
        ),
        (
            "flagPiece = k\nflagRegion = *8",
            "7K/8/8/8/8/1k6/8/8 b - - 6 9",
            "white-wins flag",
        ),
        (
            "materialCounting = unweighted",
            "k7/8/2K5/8/8/8/8/7R w - - 6 9",
            "white-wins n-move-rule",
        ),
        // What is royal for want of others is mated, too.
        (
            "king = -\ncommoner = k\ncastlingKingPiece = k\nextinctionValue = loss\n\
             extinctionPieceTypes = k\nextinctionPseudoRoyal = true",
            "k6R/8/1K6/8/8/8/8/8 b - - 6 9",
            "white-wins checkmate",
        ),
    ] {
        assert_eq!(outcome(keys, position), end, "{keys} {position}");
    }
}

#[test]
fn progress_is_what_cannot_be_taken_back() {
    const FERS: &str = "customPiece1 = s:fWbF\nnMoveRuleTypes = ps";
    const HOPPER: &str = "customPiece1 = g:gQ\nnMoveRuleTypes = g";
    const TURNS: &str = "promotedPieceType = n:q\npromotionRegionWhite = *6 *7 *8";
    for (keys, position, turn, clock_after) in [
        ("", "k7/8/8/8/8/8/P7/K6R w - - 3 9", "h1h5", "4"),
        ("", "k7/8/8/8/8/8/P7/K6R w - - 3 9", "a2a4", "0"),
        ("", "k7/8/8/8/7r/8/P7/K6R w - - 3 9", "h1h4", "0"),
        ("", "k7/7P/8/8/8/8/8/K7 w - - 3 9", "h7h8=Q", "0"),
        ("", "k7/8/8/8/8/8/8/4K2R w K - 3 9", "e1g1", "4"),
        // Only the kinds that are named.
        (
            "nMoveRuleTypes = -",
            "k7/8/8/8/8/8/P7/K7 w - - 3 9",
            "a2a3",
            "4",
        ),
        (
            "nMoveRuleTypesBlack = n",
            "k7/8/8/8/8/8/P7/K7 w - - 3 9",
            "a2a3",
            "0",
        ),
        (
            "nMoveRuleTypesWhite = n",
            "k7/8/8/8/8/8/P7/K7 w - - 3 9",
            "a2a3",
            "4",
        ),
        // A knight goes back, so its steps are no progress though it is named; castling has no way back.
        (
            "nMoveRuleTypes = pn",
            "k7/8/8/8/8/8/8/K6N w - - 3 9",
            "h1g3",
            "4",
        ),
        (
            "nMoveRuleTypes = k",
            "k7/8/8/8/8/8/8/4K2R w K - 3 9",
            "e1g1",
            "0",
        ),
        (
            "nMoveRuleTypes = k",
            "k7/8/8/8/8/8/8/4K2R w K - 3 9",
            "e1f1",
            "4",
        ),
        // One step ahead, diagonally back: no step undoes another.
        (FERS, "k7/8/8/8/3S4/8/8/K7 w - - 3 9", "d4d5", "0"),
        (FERS, "k7/8/8/8/3S4/8/8/K7 w - - 3 9", "d4e3", "0"),
        // A hopper comes back over some hurdle from three squares away.
        (HOPPER, "k7/8/8/8/8/8/P7/G6K w - - 3 9", "a1a3", "4"),
        // What turns into something else does so for good, unless it can turn back.
        (TURNS, "k7/8/8/8/4N3/8/8/K7 w - - 3 9", "e4f6+", "0"),
        (
            &format!("{TURNS}\npieceDemotion = true"),
            "k7/8/8/8/4N3/8/8/K7 w - - 3 9",
            "e4f6+",
            "4",
        ),
        // Drops are progress, passes are not.
        (
            "pieceDrops = true\nstartFen = k7/8/8/8/8/8/8/K7[N] w - - 0 1",
            "k7/8/8/8/8/8/8/K7[N] w - - 3 9",
            "N@e4",
            "0",
        ),
        ("pass = true", "k7/8/8/8/8/8/8/K7 w - - 3 9", "a1a1", "4"),
    ] {
        assert_eq!(
            clock(keys, position, turn),
            clock_after,
            "{keys}: {turn} in {position}"
        );
    }
}

#[test]
fn positions_differ_by_the_count_as_far_as_it_matters() {
    let variant = variant("");
    let read = |clock: u32| {
        let text = format!("k7/8/2K5/8/8/8/8/7R w - - {clock} 9");
        let setup = Setup::read(&variant, Some(&text)).expect("a position");
        with_setup!(setup, start => {
            assert_eq!(start.game.carried().clock(&start.position), clock);
            (start.position.state, fen::print(start.game.as_ref(), &start.position))
        })
    };
    let states: Vec<u64> = [0, 5, 6, 7].map(|clock| read(clock).0).to_vec();
    assert!(states[0] != states[1] && states[1] != states[2] && states[2] == states[3]);
    assert!(read(5).1.ends_with(" w - - 5 9"), "{}", read(5).1);
}

#[test]
fn what_cannot_be_kept_is_said() {
    for (keys, said) in [
        ("nMoveRule = 3", "`nMoveRule` is left out"),
        (
            "nMoveRuleKept = true\nnMoveRule = 0",
            "there is nothing to keep",
        ),
        (
            "nMoveRuleKept = true\nnMoveRule = 1001",
            "more moves than can be kept",
        ),
        ("nMoveRuleKept = 3", "`nMoveRuleKept`"),
    ] {
        let book = definition::read(
            format!("[x:chess]\n{keys}\n").as_bytes(),
            &definition::NoneCompiled,
        );
        let found: Vec<String> = book.findings.iter().map(|f| f.line().to_string()).collect();
        assert!(
            found.len() == 1 && found[0].contains(said),
            "{keys}: {found:?}"
        );
    }
    let book = definition::read(
        "[x:chess]\nnMoveRuleKept = true\n".as_bytes(),
        &definition::NoneCompiled,
    );
    assert!(book.findings.is_empty(), "{:?}", book.findings);
    let page = book.definitions().next().expect("a definition").page();
    assert!(
        page.contains("50 turns of each side without capture"),
        "{page}"
    );
    assert!(!page.contains("`nMoveRule"), "{page}");
}

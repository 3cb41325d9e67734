//! What the guide says of rule texts, each in a position in which it matters, by both implementations.

use crate::both::{Opened, Said, agreed, open_both};
use fairyproof::catalog::Catalog;
use fairyproof::diagnostics::Severity;
use naive::texts::open;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Returns the section of a rule text with the parent `fide-text` and these lines.
fn text(lines: &str) -> String {
    format!("[t:fide-text]\n{lines}\n")
}

fn names(said: &Said) -> Vec<&str> {
    said.turns.iter().map(|(name, _)| name.as_str()).collect()
}

/// Checks that a text has the turns `legal` in a position, and not the turns `illegal`.
#[track_caller]
fn turns(lines: &str, fen: &str, legal: &[&str], illegal: &[&str]) {
    let said = agreed(&text(lines), "t", fen);
    let names = names(&said);
    for turn in legal {
        assert!(names.contains(turn), "{lines}: no {turn} in {names:?}");
    }
    for turn in illegal {
        assert!(!names.contains(turn), "{lines}: {turn} in {names:?}");
    }
}

/// Checks that a turn leads to a position.
#[track_caller]
fn leads(lines: &str, fen: &str, turn: &str, after: &str) {
    let said = agreed(&text(lines), "t", fen);
    let found = said.turns.iter().find(|(name, _)| name == turn);
    let found = found.unwrap_or_else(|| panic!("{lines}: no {turn} in {:?}", names(&said)));
    assert_eq!(found.1, after, "{lines}: {turn}");
}

/// Checks the reason for which a game has ended in a position, or `""` for none.
#[track_caller]
fn ends(file: &str, id: &str, fen: &str, reason: &str) {
    let outcome = agreed(file, id, fen).outcome;
    assert_eq!(
        outcome.map_or(String::new(), |(_, why)| why),
        reason,
        "{id}: {fen}"
    );
}

const UNDER: &str = "
[base:fide-text]
ends = late: draw if fullmove >= 4
       slow: draw if halfmove >= 7

[asks-base:fide-text]
ends = late: draw if under('base').reason == 'late'
       slow: draw if under('base').reason == 'slow'

[asks-again:fide-text]
ends = again: draw if under('asks-base').over

[counts:fide-text]
state = m: 0..3; other: flag
state.m = (state.m + 1) % 4
state.other = true
ends = three: draw if state.m == 3
       other: draw if state.other

[asks:fide-text]
state = m: 0..9; last: kinds
state.m = state.m + 1
ends = three: draw if under('counts').reason == 'three'
       other: draw if under('counts').reason == 'other'
       most: draw if under('few').reason == 'most'
       last: draw if under('few').reason == 'last'

[few:fide-text]
state = m: 1..4; last[side]: kinds
ends = most: draw if state.m == 4
       last: draw if size(state.last(white)) > 0

[pockets:chess]
pieceDrops = true
capturesToHand = true
ends = parent.ends

[asks-pockets:pockets]
ends = full: draw if under('pockets').hand(side, 'queen') == 2 && size(under('pockets').turns) == 20 + 33

[without-pockets:fide-text]
ends = none: draw if under('pockets').hand(side, 'queen') == 0 && size(under('pockets').turns) == 20
";

#[test]
fn rules_that_are_asked_get_counters_states_and_hands() {
    for id in ["base", "asks-base"] {
        let kings = |clocks: &str| format!("4k3/8/8/8/8/8/4P3/4K3 w - - {clocks}");
        ends(UNDER, id, &kings("0 3"), "");
        ends(UNDER, id, &kings("0 4"), "late");
        ends(UNDER, id, &kings("6 1"), "");
        ends(UNDER, id, &kings("7 1"), "slow");
    }
    ends(
        UNDER,
        "asks-again",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 4",
        "again",
    );
    let asks = |state: &str| format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 {state}");
    // The state that only the asked rules declare is at its default.
    ends(UNDER, "asks", &asks("m=2"), "");
    ends(UNDER, "asks", &asks("m=3"), "three");
    // The other numbers include 4 too, but not 5.
    ends(UNDER, "asks", &asks("m=4"), "most");
    ends(UNDER, "asks", &asks("m=5"), "");
    // A set for each side is not a set.
    ends(UNDER, "asks", &asks("m=1;last=Q"), "");
    let held = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[QQ] w KQkq - 0 1";
    ends(UNDER, "asks-pockets", held, "full");
    ends(UNDER, "without-pockets", START, "none");
}

#[test]
fn asked_hands_have_room_for_all_units() {
    let file = "[few:fide-text]\nstartFen = 4k3/8/8/8/8/8/8/4K2R[] w K - 0 1\ntoHand = mover\n\
                [t:fide-text]\ntoHand = mover\nends = ten: draw if under('few').hand(white, 'pawn') == 10\n";
    let held = "4k3/8/8/8/8/8/8/4K2R[PPPPPPPPPP] w K - 0 1";
    ends(file, "t", held, "ten");
}

/// Positions that differ in counters are different ones if rules that are asked read the counters.
#[test]
fn counters_that_asked_rules_read_are_part_of_positions() {
    let mut catalog = Catalog::new();
    catalog
        .add_text("under.ini", UNDER)
        .expect("the texts are read");
    for id in ["base", "asks-base", "asks-again"] {
        let variant = catalog.open(id).unwrap_or_else(|error| panic!("{error}"));
        let setup = fairyproof::notation::Setup::read(&variant, None).expect("a start");
        let refused = fairyproof::with_setup!(&setup, start => {
            let tables = start.game.tables().expect("a definition");
            tables.check_tables().err().map(|why| why.to_string())
        });
        assert!(refused.is_some_and(|why| why.contains("counters")), "{id}");
    }
}

#[test]
fn the_previous_step_is_as_it_was_carried_out() {
    let again = "continues = size(captures) > 0 ? 'must' : 'no'";
    let pawns = "7k/8/8/3pp3/8/8/3R4/K7 w - - 0 1";
    let beside = "takes = at(to).exists ? [at(to)] : kind == 'rook' ? neighbors(to).filter(u, u.side != mover && u.kind != 'king') : []";
    let captured = format!("{again}\n{beside}\nstepIf = n == 1 || size(previous.captures) > 0");
    turns(&captured, pawns, &["d2d4+a1a2", "d2d5+a1a2"], &["d2d4"]);
    let becomes = format!(
        "{again}\nturnsInto = size(captures) > 0 ? 'queen' : becomes\nstepIf = n == 1 || previous.becomes == 'queen'"
    );
    turns(&becomes, pawns, &["d2d5+a1a2"], &[]);
    // A unit that a swap moved is not captured, in lists of squares neither.
    let swaps = "ontoOwn = 'swaps'\nstepCount = 2\nattacks.rook = []\n\
                 quiet.rook = n == 1 || size(previous.captures) == 0 ? ['d1'] : ['c1']";
    turns(
        swaps,
        "3k/4/4/KR2 w - - 0 1",
        &["a1b1+a1d1"],
        &["a1b1+a1c1"],
    );
}

#[test]
fn drops_know_their_step() {
    let drop = "continues = kind == 'knight' && n == 1 ? 'must' : 'no'\ndrops = n == 2 ? ['pawn'] : []\n\
                dropIf = n == 2 && to == previous.from\nstepIf = n == 1 || drops";
    turns(
        drop,
        START,
        &["b1c3+P@b1", "g1h3+P@g1"],
        &["b1c3", "b1c3+P@d3"],
    );
}

#[test]
fn royal_units_are_not_counted_where_a_clause_decides() {
    let two = "castling = false\nstartFen = rkbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RKBQKBNR w - - 0 1\n\
               royalIf = unit.kind == 'king' && count(unit.side, 'king') == 1";
    turns(
        two,
        "rkbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RKBQKBNR w - - 0 1",
        &["e2e4"],
        &[],
    );
    turns(two, "4k3/8/8/8/8/8/5K2/r3KKK1 w - - 0 1", &["e1d1"], &[]);
    let held = format!("{two}\ntoHand = mover\ndrops = ['king']");
    turns(&held, "4k3/8/8/8/8/8/8/r3K3[KK] w - - 0 1", &["K@h3"], &[]);
}

#[test]
fn passes_and_mandatory_captures_see_the_legal_turns() {
    let pawn = "7k/8/8/8/8/8/1P6/K7 w - - 0 1";
    turns(
        "passOnStalemate = true\nlegalIf = kind == 'king'",
        START,
        &["e1e1"],
        &["e2e4"],
    );
    turns(
        "passOnStalemate = true\nlegalIf = kind == 'king'",
        pawn,
        &["a1a2"],
        &["a1a1"],
    );
    turns(
        "passOnStalemate = true\nlegalIf = false",
        START,
        &[],
        &["e1e1"],
    );
    turns(
        "pass = true\nlegalIf = kind == 'king'",
        pawn,
        &["a1a1", "a1a2"],
        &[],
    );
    leads(
        "passOnStalemate = true\nlegalIf = kind == 'king'",
        START,
        "e1e1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1 passes=1",
    );
    let rooks = "4k3/8/8/8/8/8/r7/R3K3 w Q - 0 1";
    turns(
        "mustCapture = true\nlegalIf = kind != 'king'",
        rooks,
        &["a1a2"],
        &["a1b1"],
    );
    turns(
        "mustCapture = true\nlegalIf = kind == 'king'",
        rooks,
        &["e1f1"],
        &["a1a2"],
    );
}

#[test]
fn captured_promoted_pawns_go_to_hands_as_pawns() {
    let pocket = "toHand = mover\ndrops = ['pawn', 'queen'].filter(k, n == 1 && hand(side, k) > 0)";
    leads(
        pocket,
        "2rk/P3/4/1K2[] w - - 0 1",
        "a3a4q",
        "Q~1rk/4/4/1K2[] b - - 0 1",
    );
    leads(
        pocket,
        "Q~1rk/4/4/1K2[] b - - 0 1",
        "c4a4",
        "r2k/4/4/1K2[p] w - - 0 2",
    );
    leads(
        pocket,
        "Q1rk/4/4/1K2[] b - - 0 1",
        "c4a4",
        "r2k/4/4/1K2[q] w - - 0 2",
    );
    let kept = format!("dropLoop = true\n{pocket}");
    leads(
        &kept,
        "Q1rk/4/4/1K2[] b - - 0 1",
        "c4a4",
        "r2k/4/4/1K2[q] w - - 0 2",
    );
    let of_captor = "capturesToHand = true\ndrops = ['pawn', 'queen']";
    let pawns = "4k3/8/8/3p4/4P3/8/8/4K3[] w - - 0 1";
    leads(
        of_captor,
        pawns,
        "e4d5",
        "4k3/8/8/3P4/8/8/8/4K3[P] b - - 0 1",
    );
    turns(of_captor, pawns, &[], &["P@a3", "Q@a3"]);
    turns(
        of_captor,
        "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1",
        &["P@a3"],
        &["Q@a3"],
    );
}

#[test]
fn children_add_states_and_options_and_replace_conditions() {
    let file = "
[first:fide-text]
options = far: 1..8 = 3
state = a: 0..5; c: flag
state.a = state.a + 1
conditions = no-knights

[second:first]
options = near: 1..8 = 2
state = b: 0..5; a: 0..2
state.b = option.far + option.near
conditions = no-rooks

[no-knights]
condition = true
legalIf = kind != 'knight'

[no-rooks]
condition = true
legalIf = kind != 'rook'
";
    let said = agreed(file, "second", "4k3/8/8/8/8/8/8/RN2K3 w - - 0 1 a=2");
    let after: Vec<&str> = said.turns.iter().map(|(_, after)| after.as_str()).collect();
    assert!(
        after.iter().all(|after| after.ends_with(" a=2;b=5")),
        "{after:?}"
    );
    assert!(names(&said).contains(&"b1c3") && !names(&said).contains(&"a1a2"));
    let twice = "[a:fide-text]\noptions = x\n[t:a]\noptions = x";
    assert!(open_both(twice, "t").is_err() && open(twice, "t").is_err());
}

#[test]
fn lists_of_pawns_take_double_steps_and_en_passant() {
    let ahead = "offset(unit.square, 0, owner == white ? 1 : -1)";
    let aside = "[offset(unit.square, 1, owner == white ? 1 : -1), offset(unit.square, -1, owner == white ? 1 : -1)]";
    let passed = "4k3/8/8/3pP3/8/8/P7/4K3 w - d6 0 1";
    turns("legalIf = true", passed, &["a2a4", "e5d6"], &[]);
    for list in [
        format!("attacks.pawn = {aside}"),
        format!("quiet.pawn = [{ahead}]"),
        format!("quiet.pawn = [{ahead}]\nattacks.pawn = {aside}"),
    ] {
        turns(&list, passed, &["a2a3", "e5e6"], &["a2a4", "e5d6"]);
    }
}

#[test]
fn a_movement_with_all_parts_of_the_pawns_is_a_pawns() {
    let passed = "4k3/8/8/3pP3/8/8/P7/4K3 w - d6 0 1";
    for (movement, is_pawns) in [
        ("'mWcF'", false),
        ("'fmWfcFbmW'", true),
        ("'fmW' + 'fcF'", true),
        ("'fmWfF'", false),
        ("movement_of('pawn') + 'N'", true),
        ("movement_of('king')", false),
    ] {
        let lines = format!("movement.pawn = {movement}");
        let own = agreed(&text(&lines), "t", passed);
        for turn in ["a2a4", "e5d6"] {
            let found = names(&own).contains(&turn);
            assert!(
                found == is_pawns || turn == "e5d6" && found,
                "{movement}: {turn}"
            );
        }
    }
}

#[test]
fn a_step_as_long_as_a_double_step_is_one() {
    let leaps = "movement.pawn = movement_of('pawn') + 'fmD'";
    let black = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
    leads(leaps, black, "e2e4", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    // Over a unit, it is an ordinary step.
    let blocked = "4k3/8/8/8/3p4/4n3/4P3/4K3 w - - 0 1";
    leads(leaps, blocked, "e2e4", "4k3/8/8/8/3pP3/4n3/8/4K3 b - - 0 1");
    // A square that a pawn reaches without a capture is not one of en passant.
    let aside = "movement.pawn = movement_of('pawn') + 'fmF'";
    let passed = "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1";
    leads(aside, passed, "e5d6", "4k3/8/3P4/3p4/8/8/8/4K3 b - - 0 1");
}

#[test]
fn castling_is_written_with_the_rook_if_a_step_goes_there() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let said = agreed(&text("movement.king = 'KD'"), "t", fen);
    let after = |turn: &str| {
        let found = said.turns.iter().find(|(name, _)| name == turn);
        found.map(|(_, after)| after.split(' ').next().unwrap_or_default())
    };
    assert_eq!(after("e1g1"), Some("4k3/8/8/8/8/8/8/6KR"));
    assert_eq!(after("e1h1"), Some("4k3/8/8/8/8/8/8/5RK1"));
}

#[test]
fn squares_of_castling_are_attacked_as_before_it() {
    let fen = "b3k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let attack = |condition: &str| format!("targets.bishop = {condition} ? ['f1'] : []");
    turns(&attack("at('e1').kind == 'king'"), fen, &[], &["e1g1"]);
    turns(&attack("!at('e1').exists"), fen, &["e1g1"], &[]);
    turns(&attack("at('f1').exists"), fen, &["e1g1"], &[]);
    // `captureIf` has the king on the square as its target.
    let captures = format!("{}\ncaptureIf = target.kind == 'king'", attack("true"));
    turns(&captures, fen, &[], &["e1g1"]);
    let spares = format!("{}\ncaptureIf = target.kind != 'king'", attack("true"));
    turns(&spares, fen, &["e1g1"], &[]);
}

#[test]
fn units_that_takes_leaves_out_stay() {
    let rook = "4k3/8/8/8/8/8/8/3KR3 w - - 0 1";
    let spares = "ownCheck = true\ntakes = captures.filter(c, c.kind != 'king')";
    turns(spares, rook, &["e1e7"], &["e1e8"]);
    let shoots = format!("{spares}\nlandsOn = at(to).kind == 'king' ? from : to");
    leads(&shoots, rook, "e1e8", "4k3/8/8/8/8/8/8/3KR3 b - - 1 1");
    let own = format!("{shoots}\nontoOwn = 'captures'");
    leads(&own, rook, "e1d1", "4k3/8/8/8/8/8/8/3KR3 b - - 1 1");
}

#[test]
fn a_step_does_not_capture_its_own_unit() {
    for takes in [
        "[unit]",
        "kind == 'rook' ? [unit] : captures",
        "captures + [at(from)]",
        "kind == 'rook' ? captures : captures + [kind == 'king' ? at(to) : unit]",
    ] {
        let file = text(&format!("takes = {takes}"));
        let findings = Catalog::new().check_text(&file).findings;
        let error = findings
            .iter()
            .find(|finding| finding.severity == Severity::Error);
        let line = error.map_or_else(String::new, |error| error.line().to_string());
        let expected = "2:1: error: [t] `takes`: a step cannot capture the unit that makes it";
        assert!(line.starts_with(expected), "{takes}: {line}");
        assert!(matches!(open_both(&file, "t"), Ok(Opened::NotPlayed)));
        assert!(open(&file, "t").is_err(), "{takes}");
    }
    // Where a list happens to have it, it is left out.
    let row = "takes = row(from, 1, 0).filter(u, u.kind != 'king')";
    let fen = "4k3/8/8/8/8/8/8/RN2K3 w - - 0 1";
    leads(row, fen, "a1a3", "4k3/8/8/8/8/R7/8/4K3 b - - 0 1");
}

#[test]
fn captures_of_own_units_need_leave() {
    let own =
        "ontoOwn = 'captures'\ncaptureIf = unit.side != target.side || target.kind == 'knight'";
    let fen = "4k3/8/8/8/8/8/R7/N3K3 w - - 0 1";
    turns(own, fen, &["a2a1"], &["e1a1"]);
    turns(own, "4k3/8/8/8/8/8/R7/B3K3 w - - 0 1", &["a2b2"], &["a2a1"]);
}

#[test]
fn a_unit_that_is_taken_off_is_the_unit_of_the_turn() {
    let own = "takeOff = units(side, 'pawn')\n\
               legalIf = from != '' || unit.kind == 'pawn' && unit.square == to && kind == 'pawn' && becomes == 'pawn'";
    turns(own, START, &["x@a2", "e2e4"], &[]);
}

#[test]
fn a_list_of_kinds_merges_promotions() {
    let fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    let said = agreed(&text("turnsInto = ['knight', 'queen']"), "t", fen);
    let pawn: Vec<&str> = names(&said)
        .into_iter()
        .filter(|name| name.starts_with("a7"))
        .collect();
    assert_eq!(pawn, ["a7a8n", "a7a8q"]);
}

#[test]
fn royal_units_do_not_change_sides() {
    let joins = "joins = kind in ['king', 'rook'] ? foe : owner";
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    turns(joins, fen, &["a1a2"], &["e1e2"]);
    let free = format!("{joins}\nroyalIf = false");
    leads(&free, fen, "e1e2", "4k3/8/8/8/8/8/4k3/R7 b - - 1 1");
}

#[test]
fn keys_that_are_not_played_with_a_clause_are_named() {
    for key in ["pass", "passOnStalemate"] {
        let findings = Catalog::new()
            .check_text(&text(&format!("{key} = true\nactiveIf = true")))
            .findings;
        let error = findings
            .iter()
            .find(|finding| finding.severity == Severity::Error);
        let line = error.map_or_else(String::new, |error| error.line().to_string());
        let expected = format!(
            "3:1: error: [t] `{key}` of the format is not played together with the clause `activeIf`"
        );
        assert!(line.starts_with(&expected), "{line}");
    }
}

#[test]
fn goals_of_clauses_are_goals() {
    let bare = "king = -\ncommoner = k\ncastling = false\n";
    let warned = |lines: &str| {
        let findings = Catalog::new()
            .check_text(&text(&format!("{bare}{lines}")))
            .findings;
        findings
            .iter()
            .any(|finding| finding.why.contains("has no goal"))
    };
    assert!(warned(""));
    assert!(warned("ends = few: draw if count(side) == 1"));
    assert!(!warned("ends = kings: mover wins if count(side, 'k') == 0"));
    assert!(!warned("royalIf = unit.kind == 'commoner'"));
}

#[test]
fn turns_of_two_steps_are_about_the_unit_of_the_first() {
    let fen = "4k3/8/8/8/8/8/8/RN2K3 w - - 0 1";
    let two = "stepCount = 2\nlegalIf = kind != 'rook' || becomes == 'rook'";
    turns(two, fen, &["a1a2+b1c3", "b1c3+a1a2", "a1a2+a2a3"], &[]);
    // A promoted pawn that steps again is what it has become.
    let pawn = "stepCount = 2\nlegalIf = kind == 'pawn' && becomes == 'queen'";
    let seventh = "4k3/P7/8/8/8/8/8/R3K3 w - - 0 1";
    turns(
        pawn,
        seventh,
        &["a7a8q+a8b8", "a7a8q+a1b1"],
        &["a7a8r+a8b8", "a7a8r+a1b1"],
    );
    // Its owner is that of the unit before the turn.
    let joins = "joins = kind == 'rook' ? foe : owner\nlegalIf = owner == mover\nstate = of: side\nstate.of = owner";
    leads(
        joins,
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "a1a2",
        "4k3/8/8/8/8/8/r7/4K3 b - - 1 1 of=w",
    );
    // Each step has captured what it took, on its target or elsewhere.
    let takes = "stepCount = 2\ntakes = kind == 'rook' ? neighbors(to).filter(u, u.side != mover && u.kind != 'king') : captures\n\
                 legalIf = steps.exists(s, s.kind == 'rook' && size(s.captures) == 2) && size(steps[1].captures) == 0";
    turns(
        takes,
        "4k3/8/8/2p1p3/8/8/8/3RK3 w - - 0 1",
        &["d1d5+e1e2"],
        &["e1e2+d1d5", "d1d2+d2d3"],
    );
}

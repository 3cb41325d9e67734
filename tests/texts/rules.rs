//! Rules of the page in positions that were checked by hand.

use crate::play::{RULE_SETS, RULES};
use naive::texts::{TextRules, open};

fn rules(id: &str) -> TextRules {
    let file = format!("{RULE_SETS}\n{RULES}");
    open(&file, id).unwrap_or_else(|why| panic!("{id}: {why}"))
}

fn turns(id: &str, fen: &str) -> Vec<(String, String)> {
    let turns = rules(id).turns(fen);
    turns.unwrap_or_else(|why| panic!("{id}: {fen}: {why}"))
}

fn names(id: &str, fen: &str) -> Vec<String> {
    turns(id, fen).into_iter().map(|(turn, _)| turn).collect()
}

/// Checks that a turn leads from one board to another, each with the rest of its FEN.
#[track_caller]
fn leads(id: &str, fen: &str, turn: &str, after: &str) {
    let all = turns(id, fen);
    let found = all.iter().find(|(name, _)| name == turn);
    let found = found.unwrap_or_else(|| panic!("{id}: no {turn} in {all:?}"));
    assert_eq!(found.1, after, "{id}: {turn}");
}

#[track_caller]
fn illegal(id: &str, fen: &str, turn: &str) {
    assert!(
        !names(id, fen).iter().any(|name| name == turn),
        "{id}: {turn}"
    );
}

#[track_caller]
fn ends(id: &str, fen: &str, outcome: &str) {
    let found = rules(id).outcome(fen);
    let found = found.unwrap_or_else(|why| panic!("{id}: {fen}: {why}"));
    let text = found.map_or("ongoing".to_string(), |(result, reason)| {
        format!("{result} {reason}")
    });
    assert_eq!(text, outcome, "{id}: {fen}");
}

#[test]
fn circe_rebirth_squares() {
    let circe = "fide-text+circe";
    let pawns = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    leads(circe, pawns, "e4d5", "4k3/3p4/8/3P4/8/8/8/4K3 b - - 0 1");
    // The rook is captured on a light square, and a8 is the light one of Black's rook squares.
    let rook = "4k3/8/8/8/4r3/8/6B1/4K3 w - - 0 1";
    leads(circe, rook, "g2e4", "r3k3/8/8/8/4B3/8/8/4K3 b - - 0 1");
    // The home square is taken: the unit is gone.
    let taken = "r3k3/8/8/8/4r3/8/6B1/4K3 w - - 0 1";
    leads(circe, taken, "g2e4", "r3k3/8/8/8/4B3/8/8/4K3 b - - 0 1");
    // The rook on a dark square is reborn on h8, from where it would attack the king that captures it.
    illegal(circe, "4k3/8/8/8/8/8/7r/R5K1 w - - 0 1", "g1h2");
}

#[test]
fn rebirth_with_rights_and_by_choice() {
    let rook = "4k3/8/8/8/4r3/8/6B1/4K3 w - - 0 1";
    leads(
        "fide-text+circe-castling",
        rook,
        "g2e4",
        "r3k3/8/8/8/4B3/8/8/4K3 b q - 0 1",
    );
    let knight = "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1";
    let all = names("fide-text+circe-choice", knight);
    let chosen: Vec<&String> = all.iter().filter(|name| name.contains('+')).collect();
    assert_eq!(chosen.len(), 7);
    let after = "4k1n1/8/8/3P4/8/8/8/4K3 b - - 0 1";
    leads("fide-text+circe-choice", knight, "e4d5+N@g8", after);
    // The black knight is reborn at Black's home square, as a white one.
    leads(
        "fide-text+turncoat-circe",
        knight,
        "e4d5",
        "4k1N1/8/8/3P4/8/8/8/4K3 b - - 0 1",
    );
    let rook = "4k3/8/8/8/4r3/8/6B1/4K3 w - - 0 1";
    leads(
        "fide-text+knight-rebirth",
        rook,
        "g2e4",
        "n3k3/8/8/8/4B3/8/8/4K3 b - - 0 1",
    );
}

#[test]
fn movement_is_taken_and_given() {
    // The rooks attack each other, so neither moves.
    let rooks = "r3k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    assert_eq!(names("fide-text+madrasi", rooks).len(), 5);
    let all = names("fide-text+patrol", rooks);
    assert!(!all.contains(&"a1a8".to_string()) && all.contains(&"a1a7".to_string()));
    // Kings may stand next to each other if nothing observes them.
    leads(
        "fide-text+patrol",
        "8/8/8/4k3/8/4K3/8/8 w - - 0 1",
        "e3e4",
        "8/8/8/4k3/4K3/8/8/8 b - - 1 1",
    );
    // The pawn is observed by the knight; it keeps its own steps and its promotion.
    let relay = "4k3/8/8/8/8/2N5/4P3/4K3 w - - 0 1";
    let all = names("knight-relay", relay);
    let pawn: Vec<&String> = all.iter().filter(|name| name.starts_with("e2")).collect();
    assert_eq!(
        pawn,
        ["e2c1", "e2d4", "e2e3", "e2e4", "e2f4", "e2g1", "e2g3"]
    );
    // A rook in front of a knight leaps; what has nothing behind it moves as it is.
    let annan = "4k3/8/8/8/8/R7/N7/4K3 w - - 0 1";
    let rook: Vec<String> = names("annan", annan);
    let rook: Vec<&String> = rook.iter().filter(|name| name.starts_with("a3")).collect();
    assert_eq!(rook, ["a3b1", "a3b5", "a3c2", "a3c4"]);
    // The rook goes as far as it can.
    let far = names("fide-text+far-rooks", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    let far: Vec<&String> = far.iter().filter(|name| name.starts_with("a1")).collect();
    assert_eq!(far, ["a1a8", "a1d1"]);
}

#[test]
fn captors_change() {
    let pawns = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    leads(
        "fide-text+andernach",
        pawns,
        "e4d5",
        "4k3/8/8/3p4/8/8/8/4K3 b - - 0 1",
    );
    let pieces = "4k3/8/8/3b4/8/8/8/1N1RK3 w - - 0 1";
    leads(
        "fide-text+einstein",
        pieces,
        "b1c3",
        "4k3/8/8/3b4/8/2P5/8/3RK3 b - - 1 1",
    );
    leads(
        "fide-text+einstein",
        pieces,
        "d1d5",
        "4k3/8/8/3Q4/8/8/8/1N2K3 b - - 0 1",
    );
    leads(
        "fide-text+captor-takes-kind",
        pieces,
        "d1d5",
        "4k3/8/8/3B4/8/8/8/1N2K3 b - - 0 1",
    );
    leads(
        "absorption",
        pieces,
        "d1d5",
        "4k3/8/8/3Q4/8/8/8/1N2K3 b - - 0 1",
    );
    leads(
        "fide-text+rifle",
        pieces,
        "d1d5",
        "4k3/8/8/8/8/8/8/1N1RK3 b - - 0 1",
    );
    // A pawn that shoots from its seventh rank stays a pawn.
    let seventh = "3rk3/2P5/8/8/8/8/8/5K2 w - - 0 1";
    leads(
        "fide-text+rifle",
        seventh,
        "c7d8",
        "4k3/2P5/8/8/8/8/8/5K2 b - - 0 1",
    );
    illegal("fide-text+rifle", seventh, "c7d8q");
    // A rook that captures on a light square goes to h1, which must be vacant.
    let rook = "4k3/3p4/8/8/3R4/8/8/4K3 w - - 0 1";
    leads(
        "fide-text+anticirce",
        rook,
        "d4d7",
        "4k3/8/8/8/8/8/8/4K2R b - - 0 1",
    );
    let taken = "4k3/3p4/8/8/3R4/8/8/4K2N w - - 0 1";
    illegal("fide-text+anticirce", taken, "d4d7");
    // Both enemies that the rook attacks from d4 change sides.
    let benedict = "4k3/3n4/8/8/R5p1/8/8/4K3 w - - 0 1";
    leads(
        "benedict",
        benedict,
        "a4d4",
        "4k3/3N4/8/8/3R2P1/8/8/4K3 b - - 1 1",
    );
    illegal("benedict", benedict, "a4g4");
}

#[test]
fn turns_are_restricted_and_preferred() {
    let knights = "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1";
    illegal("fide-text+koeko", knights, "b1c3");
    leads(
        "fide-text+koeko",
        knights,
        "b1d2",
        "4k3/8/8/8/8/8/3N4/4K3 b - - 1 1",
    );
    let rook = "4k3/r7/8/8/8/8/8/4K3 b - - 0 1";
    assert_eq!(names("fide-text+maximummer", rook), ["a7h7"]);
    illegal(
        "fide-text+checkless",
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "a1a8",
    );
    let mate = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    assert!(names("fide-text+checkless", mate).contains(&"a1a8".to_string()));
    let greedy = "4k3/8/8/3q1r2/4P3/8/8/4K3 w - - 0 1";
    assert_eq!(names("fide-text+greedy", greedy), ["e4d5"]);
    // The king may not go back to e1 with its next turn.
    let back = "4k3/8/8/8/8/8/4K3/8 w - - 0 1 came=e1/-;went=e2/-";
    illegal("no-return", back, "e2e1");
    let grid = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    illegal("fide-text+grid", grid, "a1b1");
    assert!(names("fide-text+grid", grid).contains(&"a1c1".to_string()));
    // The rook on a8 is captured only where a pawn takes part.
    illegal("calm-society", "r3k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8");
}

#[test]
fn turns_of_several_steps() {
    let start = rules("monster").start_fen().expect("the start");
    let all = names("monster", &start);
    assert!(all.contains(&"e1f1+f1e1".to_string()) && !all.contains(&"e1f1".to_string()));
    let start = rules("marseillais").start_fen().expect("the start");
    assert!(names("marseillais", &start).contains(&"e2e4".to_string()));
    // The check ends the turn.
    let check = "4k3/8/8/8/8/8/8/R3K3 w - - 0 2";
    let all = names("marseillais", check);
    assert!(all.contains(&"a1a8".to_string()) && !all.contains(&"a1a7".to_string()));
    let push = "4k3/p7/8/8/8/8/8/4K2R w - - 0 1";
    leads(
        "avalanche",
        push,
        "h1h2+a7a6",
        "4k3/8/p7/8/8/8/7R/4K3 b - - 0 1",
    );
    // The rook takes the knight and leaps on as one; where it cannot, it cannot take either.
    let make = "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1";
    leads(
        "take-and-make",
        make,
        "d1d5+d5f4",
        "4k3/8/8/8/5R2/8/8/4K3 b - - 0 1",
    );
    illegal("take-and-make", make, "d1d5");
    let pairs = "4k3/8/8/8/8/8/PP6/4K3 w - - 0 1";
    let all = names("pawn-pairs", pairs);
    assert!(all.contains(&"a2a3".to_string()) && all.contains(&"a2a3+b2b3".to_string()));
    assert!(!all.contains(&"a2a3+a3a4".to_string()));
}

#[test]
fn hands_drops_and_units_taken_off() {
    let pawns = "4k3/8/8/3p4/4P3/8/8/4K3[] w - - 0 1";
    leads("crazy", pawns, "e4d5", "4k3/8/8/3P4/8/8/8/4K3[P] b - - 0 1");
    let held = "4k3/8/8/8/8/8/8/4K3[P] w - - 3 1";
    leads("crazy", held, "P@a2", "4k3/8/8/8/8/8/P7/4K3[] b - - 4 1");
    illegal("crazy", held, "P@a1");
    leads(
        "prisoners",
        "4k3/8/8/3r4/4P3/8/8/4K3[] w - - 0 1",
        "e4d5",
        "4k3/8/8/3P4/8/8/8/4K3[p] b - - 0 1",
    );
    let knight = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    leads(
        "fresh-knights",
        knight,
        "N@b1",
        "4k3/8/8/8/8/8/8/1N2K3 b - - 1 1",
    );
    let pawn = "4k3/8/8/8/4P3/8/8/4K3 w - - 5 1";
    leads("sacrifice", pawn, "x@e4", "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    let swap = "4k3/8/8/8/8/8/N7/R3K3 w - - 0 1";
    leads(
        "fide-text+swap",
        swap,
        "a1a2",
        "4k3/8/8/8/8/8/R7/N3K3 b - - 1 1",
    );
    leads(
        "fide-text+cannibals",
        swap,
        "a1a2",
        "4k3/8/8/8/8/8/R7/4K3 b - - 0 1",
    );
}

#[test]
fn games_end_as_the_texts_say() {
    ends(
        "fide-text",
        "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
        "white-wins checkmate",
    );
    ends(
        "fide-text",
        "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",
        "draw stalemate",
    );
    ends(
        "weak-bare",
        "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",
        "white-wins-weakly bare",
    );
    ends(
        "third-turn",
        "4k3/8/8/8/8/8/8/R3K3 b - - 0 1 idle=3,0",
        "black-wins idle",
    );
    ends(
        "fide-text+beside-the-queen",
        "4k3/8/8/8/8/4K3/4q3/R7 b - - 0 1",
        "white-wins audience",
    );
    ends("society-text", "7k/6pp/8/8/8/8/8/4K3 b - - 0 1", "ongoing");
    ends(
        "spartan-text:moves=3",
        "4k3/8/8/8/8/8/8/R3K3 b - - 0 4",
        "white-wins time",
    );
    ends(
        "spartan-text:moves=3",
        "4k3/8/8/8/8/8/8/R3K3 b - - 0 3",
        "ongoing",
    );
    // Without a legal first step it is mate; without the pawn step alone, a draw or a weak loss.
    let stuck = "4k3/8/8/8/8/8/8/R3K3 w - - 0 2";
    ends("french-revolution-text", stuck, "draw no-turn");
    ends(
        "french-revolution-text:weak-loss",
        stuck,
        "black-wins-weakly no-turn",
    );
    ends(
        "benedict",
        "8/8/8/8/8/8/8/R3K2K b - - 0 1",
        "white-wins king-converted",
    );
}

#[test]
fn parents_play_movements_that_are_replaced() {
    const TEXT: &str = "[above:fide-text]\nmovement.rook = 'NW'\n\n[below:above]\nmovement.rook = 'B'\n\
        legalIf = parent.turns.exists(t, t.to == to)\n";
    let fen = "6k1/8/8/8/8/8/8/3RK3 w - - 0 1";
    let naive = open(TEXT, "below").and_then(|rules| rules.turns(fen));
    let mut catalog = fairyproof::catalog::Catalog::new();
    catalog.add_text("text", TEXT).expect("a text");
    let setup =
        fairyproof::notation::Setup::read(&catalog.open("below").expect("rules"), Some(fen));
    let turns = setup.expect("a position").turns();
    let naive: Vec<String> = naive
        .expect("turns")
        .into_iter()
        .map(|(turn, _)| turn)
        .collect();
    assert_eq!(turns, naive);
    let has = |turn: &str| turns.iter().any(|other| other == turn);
    assert!(has("d1e2") && !has("d1c2"), "{turns:?}");
}

#[test]
fn boards_of_other_sizes() {
    // Neither double step nor castling.
    let small = "4k/4p/5/P4/R3K w Q - 0 1";
    let all = names("fide-text", small);
    assert!(all.contains(&"a2a3".to_string()) && !all.contains(&"a2a4".to_string()));
    illegal("fide-text", small, "e1c1");
    // The last rank is the board's own.
    leads(
        "fide-text",
        "k3/3P/4/4/K3 w - - 0 1",
        "d4d5q",
        "k2Q/4/4/4/K3 b - - 0 1",
    );
}

#[test]
fn wrong_texts_are_refused() {
    let wrong = [
        "[a:nothing]\nlegalIf = true",
        "[a:fide-text]\nlegalIf = (",
        "[a:fide-text]\nnosuchkey = 1",
        "[a:fide-text]\nends = gone: mover flies if true",
    ];
    for text in wrong {
        assert!(open(text, "a").is_err(), "{text}");
    }
    let rivals = "[a]\ncondition = true\nlandsOn = to\n[b]\ncondition = true\nlandsOn = from";
    assert!(open(rivals, "fide-text+a+b").is_err());
    assert!(open(rivals, "fide-text+a").is_ok());
    let circle = "[a:fide-text]\nlet.b(x) = c\nlet.c = b(1)\nlegalIf = c";
    assert!(open(circle, "a").is_err());
    // Clauses that ask what they decide.
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    for clause in [
        "legalIf = size(under('a').turns) > 0",
        "stepIf = size(turns) > 0",
        "royalIf = check",
        "checkIf = check(owner)",
        "turnsInto = size(turns) > 0 ? kind : becomes",
        "rebirth = pseudo[0].to\ntakes = pseudo.map(t, at(t.to))",
        "let.all(x) = pseudo.exists(t, t.to == x)\nstepCount = all('a1') ? 1 : 2",
    ] {
        let endless = open(&format!("[a:fide-text]\n{clause}"), "a").expect("a text");
        let refused = endless
            .turns(fen)
            .is_err_and(|why| why.contains("ask each other"));
        assert!(refused, "{clause}");
    }
    assert!(open("[a:fide-text]\nlegalIf = nosuchname", "a").is_err());
}

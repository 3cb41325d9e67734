//! Claims files with answers that are known by hand or by brute force.

use crate::evidence::{column, judged, numbers};
use fairyproof::catalog::Catalog;
use fairyproof::claims::file::Entry;
use fairyproof::claims::{Finding, OpenFile, Scope, Verdict};
use fairyproof::control::{Control, parallel};
use fairyproof::notation::Setup;
use std::sync::Arc;

fn open(claims: &str) -> OpenFile {
    let text = format!("[page]\ntitle = 'T'\nvariant = 'fide'\n{claims}");
    let catalog = Arc::new(Catalog::new());
    let file = OpenFile::read("t.toml", &text, None, &catalog).expect("it reads");
    file.validate().expect("it is valid");
    file
}

fn verify(file: &OpenFile, entry: &Entry) -> Finding {
    file.verify(entry, &Control::new()).expect("it is verified")
}

/// Returns the finding of a claim with these keys.
fn finding(keys: &str) -> Finding {
    let file = open(&format!("[[claim]]\nid = 'a'\nsays = 's'\n{keys}\n"));
    verify(&file, &file.file.entries[0])
}

fn verdict(keys: &str) -> (Verdict, Scope) {
    let finding = finding(keys);
    (finding.verdict, finding.scope)
}

const CONFIRMED: (Verdict, Scope) = (Verdict::Confirmed, Scope::Exhaustive);
const REFUTED: (Verdict, Scope) = (Verdict::Refuted, Scope::Exhaustive);

#[test]
fn property_of_one_position_is_decided() {
    assert_eq!(verdict("always = 'size(turns) == 20'"), CONFIRMED);
    assert_eq!(
        verdict("always = 'check'"),
        (Verdict::Refuted, Scope::Witness)
    );
    assert_eq!(verdict("never = 'check'"), CONFIRMED);
    assert_eq!(verdict("exists = 'check'"), REFUTED);
    let mate = "line = 'f3 e5 g4 Qh4'\nexists = 'over && check'";
    let found = finding(mate);
    assert_eq!(
        (found.verdict, found.scope),
        (Verdict::Confirmed, Scope::Witness)
    );
    assert_eq!(column(&found.evidence, "line")[0], "f2f3 e7e5 g2g4 d8h4");
}

#[test]
fn graph_is_searched_to_its_depth_and_witnesses_are_shortest() {
    // Fool's mate is the shortest game.
    let over = |depth| format!("exists = 'over'\nover = {{ graph = {{ depth = {depth} }} }}");
    assert_eq!(verdict(&over(3)), REFUTED);
    let found = finding(&over(4));
    judged(&found, Verdict::Confirmed, "");
    assert_eq!(column(&found.evidence, "plies")[0], "4");
    // 1 + 20 + 400 positions.
    assert_eq!(
        verdict("states = true\nover = { graph = { depth = 2 } }\nis = 421"),
        CONFIRMED
    );
    assert_eq!(
        verdict("count = 'depth == 2'\nover = { graph = { depth = 2 } }\nis = 400"),
        CONFIRMED
    );
}

#[test]
fn limit_makes_a_claim_open_and_is_named_but_a_witness_before_it_decides() {
    let found = finding("always = 'true'\nover = 'graph'\nlimits = { states = 1000 }");
    judged(&found, Verdict::Open, "limit states = 1000");
    let decided = "always = 'depth < 2'\nover = 'graph'\nlimits = { states = 1000 }";
    assert_eq!(verdict(decided).0, Verdict::Refuted);
    let placed =
        "always = 'true'\nover = { placements = 'K, Q, k' }\nlimits = { positions = 5000 }";
    assert_eq!(verdict(placed).0, Verdict::Open);
    let reached = "count = 'true'\nover = 'graph'\nlimits = { states = 1000 }\nat_least = 500";
    assert_eq!(verdict(reached).0, Verdict::Confirmed);
    let shallow = finding("always = 'true'\nover = 'graph'\nlimits = { plies = 1 }");
    assert!(
        shallow.summary.contains("limit plies = 1"),
        "{}",
        shallow.summary
    );
}

/// Counts the legal positions of both kings and this unit on the 4x4 board, and the checkmates, by brute force
/// over FENs, without the enumeration of placements.
fn fens_with(variant: &str, unit: char) -> (u32, u32) {
    let variant = Catalog::new().open(variant).expect("a variant");
    let mut legal = 0;
    let mut mates = 0;
    for code in 0..16 * 16 * 16 {
        let squares = [code % 16, code / 16 % 16, code / 256];
        if squares[0] == squares[1] || squares[0] == squares[2] || squares[1] == squares[2] {
            continue;
        }
        let mut board = [['1'; 4]; 4];
        for (square, letter) in squares.into_iter().zip(['K', unit, 'k']) {
            board[square / 4][square % 4] = letter;
        }
        let rows: Vec<String> = board.iter().map(|row| row.iter().collect()).collect();
        let rows = rows.join("/");
        // Neighboring empty squares are written as one number.
        let rows = rows
            .replace("1111", "4")
            .replace("111", "3")
            .replace("11", "2");
        for side in ["w", "b"] {
            let fen = format!("{rows} {side} - - 0 1");
            if let Ok(setup) = Setup::read(&variant, Some(&fen)) {
                legal += 1;
                mates += u32::from(setup.outcome().reason() == Some("checkmate"));
            }
        }
    }
    (legal, mates)
}

#[test]
fn placements_agree_with_all_fens_of_these_units() {
    let (legal, mates) = fens_with("fide", 'R');
    assert!(mates > 0);
    let over = "over = { placements = 'K, R, k', board = '4x4' }";
    assert_eq!(
        verdict(&format!("count = 'true'\n{over}\nis = {legal}")),
        CONFIRMED
    );
    let checkmates = format!("count = \"reason == 'checkmate'\"\n{over}\nis = {mates}");
    assert_eq!(verdict(&checkmates), CONFIRMED);
    let share = format!("share = \"reason == 'checkmate'\"\n{over}\nis = '{mates}/{legal}'");
    assert_eq!(verdict(&share), CONFIRMED);
    // FENs of definitions may have pawns on their own first rank.
    let (rule_book, _) = fens_with("fide", 'P');
    let (defined, _) = fens_with("chess", 'P');
    assert!(defined > rule_book);
    for (variant, legal) in [("fide", rule_book), ("chess", defined)] {
        let over = "over = { placements = 'K, P, k', board = '4x4' }";
        let claim = format!("variant = '{variant}'\ncount = 'true'\n{over}\nis = {legal}");
        assert_eq!(verdict(&claim), CONFIRMED, "{variant}");
    }
}

#[test]
fn equal_units_are_placed_once_and_any_is_each_unit_in_turn() {
    // Two equal rooks: half the placements of two different units.
    let count = |units: &str| {
        let keys = format!(
            "count = 'true'\nover = {{ placements = '{units}', board = '4x4', legal = false }}\nis = 0"
        );
        numbers(&finding(&keys).evidence, "value")[0]
    };
    assert_eq!(count("K, k, R, R"), 16 * 15 * 14 * 13);
    assert_eq!(count("K, k, R, B"), 2 * 16 * 15 * 14 * 13);
    let each: u64 = ["P", "N", "B", "R", "Q", "p", "n", "b", "r", "q"]
        .into_iter()
        .map(|unit| count(&format!("K, k, {unit}")))
        .sum();
    assert_eq!(count("K, k, any"), each);
}

#[test]
fn tables_know_values_and_flip_has_none_where_the_position_is_illegal() {
    // The longest mate with a queen is in 10 moves, with a rook in 16.
    let longest = |table: &str, plies: u32| {
        format!("longest = 'win'\nover = {{ table = '{table}' }}\nis = {plies}")
    };
    assert_eq!(verdict(&longest("KQvK", 19)), CONFIRMED);
    assert_eq!(verdict(&longest("KRvK", 31)), CONFIRMED);
    let won = "always = \"side == black || value == 'win'\"\nover = { table = 'KQvK' }";
    assert_eq!(verdict(won), CONFIRMED);
    // With the rook's side to move, an attacked king makes the position illegal: its flip has no value.
    let same = "exists = \"check && flip.value == flip.value\"\nover = { table = 'KRvK' }";
    assert_eq!(verdict(same), REFUTED);
    let none = finding("longest = 'win'\nover = { table = 'KNvK' }\nis = 3");
    judged(&none, Verdict::Vacuous, "");
}

#[test]
fn games_are_samples_and_never_confirm() {
    let kings = "always = \"count('king') == 2\"\nover = { games = 20 }";
    assert_eq!(verdict(kings), (Verdict::Consistent, Scope::Sample));
    let none = "exists = \"count('king') == 3\"\nover = { games = 20 }";
    assert_eq!(verdict(none), (Verdict::Open, Scope::Sample));
    let share = |is: &str| format!("share = 'side == white'\nover = {{ games = 20 }}\nis = {is}");
    assert_eq!(verdict(&share("0.5")).0, Verdict::Consistent);
    assert_eq!(verdict(&share("0.9")), (Verdict::Refuted, Scope::Sample));
    let witness = finding("exists = 'check'\nover = { games = 20 }");
    assert_eq!(witness.scope, Scope::Witness);
}

#[test]
fn implications_that_never_apply_are_vacuous() {
    let over = "over = { graph = { depth = 2 } }";
    assert_eq!(
        verdict(&format!("always = '!check || over'\n{over}")).0,
        Verdict::Vacuous
    );
    assert_eq!(
        verdict(&format!("always = '!(side == black) || !check'\n{over}")),
        CONFIRMED
    );
    let castles = format!("always = 'turns.all(t, !t.castles || t.after.check)'\n{over}");
    assert_eq!(verdict(&castles).0, Verdict::Vacuous);
    let stated = format!("always = 'true'\nnonvacuous = 'check'\n{over}");
    assert_eq!(verdict(&stated).0, Verdict::Vacuous);
    let empty = "always = 'true'\nover = { placements = 'K, K, k' }";
    assert_eq!(verdict(empty).0, Verdict::Vacuous);
    // The witness of `exists` comes first; the rest of the set is searched for the second condition.
    let exists = |nonvacuous| format!("exists = 'true'\nnonvacuous = '{nonvacuous}'\n{over}");
    assert_eq!(verdict(&exists("depth == 2")).0, Verdict::Confirmed);
    assert_eq!(verdict(&exists("check")).0, Verdict::Vacuous);
}

#[test]
fn turns_of_a_line_are_a_set_and_an_illegal_turn_is_an_error() {
    let line = "over = { line = '1. e4 e5 2. Qh5 Ke7 3. Qxe5' }";
    assert_eq!(
        verdict(&format!("count = 'checks'\n{line}\nis = 1")),
        CONFIRMED
    );
    assert_eq!(
        verdict(&format!("count = 'true'\n{line}\nis = 5")),
        CONFIRMED
    );
    let missed = format!("never = '!mates && turns.exists(t, t.mates)'\n{line}");
    assert_eq!(verdict(&missed), CONFIRMED);
    let found = finding(&format!("exists = 'kind == \"king\"'\n{line}"));
    assert!(
        found.summary.contains("e8e7 in rnbqkbnr/pppp1ppp"),
        "{}",
        found.summary
    );
    let text = "[page]\ntitle = 'T'\nvariant = 'fide'\n[[claim]]\nid = 'a'\nsays = 's'\n\
                always = 'checks'\nover = { line = '1. e4 e5 2. Qh6' }\n";
    let file = OpenFile::read("t.toml", text, None, &Arc::new(Catalog::new())).expect("it reads");
    let error = file.validate().expect_err("an illegal turn");
    assert!(
        error.why.starts_with("turn 3 (`Qh6`) is not legal"),
        "{error}"
    );
}

#[test]
fn measure_among_positions_passes_over_the_others() {
    let over = "over = { graph = { depth = 2 } }";
    let share = |more| format!("share = 'side == white'\n{over}\n{more}");
    assert_eq!(verdict(&share("is = '401/421'")), CONFIRMED);
    assert_eq!(
        verdict(&share("among = 'depth < 2'\nis = '1/21'")),
        CONFIRMED
    );
    assert_eq!(
        verdict(&format!("sum = '1'\n{over}\namong = 'depth == 1'\nis = 20")),
        CONFIRMED
    );
}

#[test]
fn deep_table_replaces_keys_of_the_claim() {
    let file = open(
        "[[claim]]\nid = 'a'\nsays = 's'\nstates = true\nover = { graph = { depth = 1 } }\nis = 21\n\
         deep = { over = { graph = { depth = 2 } }, is = 421 }\n",
    );
    let entry = &file.file.entries[0];
    assert!(!entry.deep);
    for (deep, states) in [(false, "21"), (true, "421")] {
        let found = file
            .verify_to(entry, deep, &Control::new())
            .expect("a finding");
        judged(&found, Verdict::Confirmed, &format!("states is {states}"));
    }
}

#[test]
fn steps_of_turns_of_two_units_are_single_steps_too() {
    let file = "variant = 'french-revolution'\nover = { steps = true }\n";
    let (found, scope) = verdict(&format!("{file}always = 'size(steps) <= 2'"));
    assert_eq!((found, scope), CONFIRMED);
    let pawns = format!("{file}always = 'steps[size(steps) - 1].kind == \"pawn\"'");
    assert_eq!(verdict(&pawns), CONFIRMED);
}

#[test]
fn measures_compare_with_numbers_fractions_and_other_measures() {
    let file = open(
        "[[claim]]\nid = 'start'\nsays = 's'\nsum = 'size(turns)'\nis = 20\n\
         [[claim]]\nid = 'less'\nsays = 's'\nline = 'e4'\nsum = 'size(turns)'\nat_most = 'start'\n\
         [[claim]]\nid = 'false'\nsays = 's'\nline = 'e4 e5'\nsum = 'size(turns)'\nat_most = 'start'\n\
         [[claim]]\nid = 'mean'\nsays = 's'\nover = { graph = { depth = 1 } }\nmean = 'depth'\nis = '20/21'\n\
         [[claim]]\nid = 'digits'\nsays = 's'\nover = { graph = { depth = 1 } }\nmean = 'depth'\nis = 0.95\n\
         [[claim]]\nid = 'wrong'\nsays = 's'\nover = { graph = { depth = 1 } }\nmean = 'depth'\nis = 0.953\n",
    );
    let verdicts: Vec<Verdict> = (file.file.entries.iter())
        .map(|entry| verify(&file, entry).verdict)
        .collect();
    use Verdict::{Confirmed, Refuted};
    assert_eq!(
        verdicts,
        [Confirmed, Confirmed, Refuted, Confirmed, Confirmed, Refuted]
    );
}

#[test]
fn perft_and_divide_are_counted() {
    assert_eq!(verdict("perft = 3\nis = 8902"), CONFIRMED);
    assert_eq!(verdict("perft = 3\nis = 8903"), REFUTED);
    assert_eq!(
        verdict("perft = 3\ndivide = { e2e4 = 600, Na3 = 400 }"),
        CONFIRMED
    );
    assert_eq!(verdict("perft = 3\ndivide = { e2e4 = 601 }"), REFUTED);
    assert_eq!(
        verdict("perft = 9\nis = 1\nlimits = { positions = 100000 }").0,
        Verdict::Open
    );
}

#[test]
fn graphs_have_values_and_longest_lines_or_cycles() {
    let mate = "fen = '7k/5Q2/6K1/8/8/8/8/8 w - - 0 1'\nvalue = true\nis = 'win'\n\
                limits = { states = 1000000 }";
    assert_eq!(verdict(mate), CONFIRMED);
    let cycle = finding("fen = '7k/8/8/8/8/8/8/K7 w - - 0 1'\nlongest = 'play'\nis = 3");
    judged(&cycle, Verdict::Refuted, "cycle");
    // Every turn of French Revolution is a step of a pawn.
    let short = "variant = 'french-revolution'\nfen = '4k3/p7/8/8/8/8/P7/4K3 w - - 0 1'\n\
                 longest = 'play'\nat_most = 24";
    assert_eq!(verdict(short), CONFIRMED);
}

#[test]
fn steps_are_those_of_single_units() {
    let knights = "always = \"kind != 'knight' || length2 == 5\"\nover = { steps = true }";
    assert_eq!(verdict(knights), CONFIRMED);
    // A knight has 336 steps on 64 squares, 284 of them to the 48 squares of pawns. Each may capture one of
    // five kinds.
    let steps = "count = \"kind == 'knight'\"\nover = { steps = true }\n";
    let captured = 2 * (336 * 4 + 284_u64);
    let pawns = finding(&format!("{steps}is = 1"));
    assert_eq!(
        numbers(&pawns.evidence, "value")[0],
        2 * 336 + captured,
        "pawns stand on 48 of the 64 squares"
    );
    let castling = "count = 'castles'\nover = { steps = true }\nis = 4";
    assert_eq!(verdict(castling), CONFIRMED);
    let en_passant = "count = 'en_passant'\nover = { steps = true }\nis = 28";
    assert_eq!(verdict(en_passant), CONFIRMED);
}

#[test]
fn instances_are_rows_with_the_worst_verdict() {
    let file = open(
        "[[claim]]\nid = 'a'\nsays = 's'\nfor = { variant = ['fide', 'linkage'], n = [20, 21] }\n\
         variant = '{variant}'\nsum = 'size(turns)'\nis = '{n}'\n",
    );
    let found = verify(&file, &file.file.entries[0]);
    judged(&found, Verdict::Refuted, "");
    assert_eq!(&found.evidence.columns[..3], ["variant", "n", "verdict"]);
    let verdicts = column(&found.evidence, "verdict");
    assert_eq!(verdicts, ["confirmed", "refuted", "confirmed", "refuted"]);
}

#[test]
fn findings_do_not_depend_on_threads() {
    for keys in [
        "always = 'depth < 3'\nover = { graph = { depth = 4 } }",
        "mean = 'size(turns)'\nover = { games = 12 }\nis = 20",
        "always = '!check'\nover = { placements = 'K, R, k, any' }",
    ] {
        let on = |threads| parallel::in_pool(threads, || finding(keys));
        assert_eq!(on(1), on(3), "{keys}");
    }
}

#[test]
fn errors_of_expressions_and_positions_point_into_the_file() {
    for (keys, why, column) in [
        ("always = 'size(turn) == 3'", "`turn`", 16),
        (
            "always = 'size(turns)'",
            "a condition, true or false, is wanted here",
            11,
        ),
        ("sum = 'check'\nis = 1", "an integer is wanted here", 8),
        ("always = 'check'\nfen = 'x'", "FEN", 7),
        ("always = 'check'\nline = 'e5'", "turn 1", 8),
        ("always = 'check'\nvariant = 'fiid'", "fiid", 11),
        (
            "always = 'check'\nover = { placements = 'K, X, k' }",
            "`X`",
            23,
        ),
        ("always = 'check'\nover = { table = 'KQ' }", "signature", 18),
        (
            "always = 'check'\nover = { placements = 'K, k', board = '4' }",
            "`4`",
            39,
        ),
        ("always = \"value == 'win'\"", "value", 11),
        (
            "always = 'check'\nover = { positions = ['8/8'] }",
            "FEN",
            23,
        ),
        ("perft = 1\ndivide = { e2e5 = 1 }", "e2e5", 12),
    ] {
        let text = format!(
            "[page]\ntitle = 'T'\n[[claim]]\nvariant = 'fide'\nid = 'a'\nsays = 's'\n{keys}\n"
        );
        let text = match keys.contains("variant") {
            true => text.replacen("variant = 'fide'\n", "", 1),
            false => text,
        };
        let catalog = Arc::new(Catalog::new());
        let file = OpenFile::read("t.toml", &text, None, &catalog).expect(keys);
        let error = file.validate().expect_err(keys);
        assert!(error.to_string().contains(why), "{keys}: {error}");
        let place = error.position().expect("a place");
        assert_eq!(place.column, column, "{keys}: {error}");
    }
}

#[test]
fn claims_about_a_users_rule_set_are_verified() {
    let mut catalog = Catalog::new();
    let definition = "[walkers:chess]\nmaxFile = d\nmaxRank = 4\npawn = -\nknight = -\nbishop = -\n\
                      queen = -\ncastling = false\nstartFen = 3k/4/4/K3 w - - 0 1\n";
    catalog
        .add_text("walkers.ini", definition)
        .expect("it reads");
    let text = "[page]\ntitle = 'T'\nvariant = 'walkers'\n\
                [[claim]]\nid = 'a'\nsays = 's'\ncount = 'true'\nover = { placements = 'K, k' }\nis = 312\n";
    let file = OpenFile::read("t.toml", text, None, &Arc::new(catalog)).expect("it reads");
    file.validate().expect("it is valid");
    // Of 16 * 15 placements of two kings, 84 have neighbors; both sides move.
    let found = verify(&file, &file.file.entries[0]);
    judged(&found, Verdict::Confirmed, "");
}

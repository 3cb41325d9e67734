//! Tables of random rule texts on small boards: certified, and the same values as those of graphs.

use crate::both::{cases, chance_of, number};
use crate::graphs::{control, small_text};
use fairyproof::board::Squares;
use fairyproof::catalog::Catalog;
use fairyproof::explore::{Limits, explore};
use fairyproof::notation::{Setup, Start, fen};
use fairyproof::prove::Layout;
use fairyproof::tables::{Signature, Tables, build, certify};
use fairyproof::values::solve_game;
use fairyproof::with_setup;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most states of a graph that is compared.
const STATES: u64 = 2_000;
/// The most units of a table.
const UNITS: usize = 3;

/// Returns the signature of a position: its units, and the fields of its state.
fn signature_of(fen: &str) -> String {
    let board = fen.split(' ').next().unwrap_or_default();
    let (placement, hands) = board.split_once('[').unwrap_or((board, ""));
    let side = |of_side: fn(&char) -> bool| -> String {
        let letters = placement.chars().filter(of_side);
        letters.map(|letter| letter.to_ascii_uppercase()).collect()
    };
    let sides = [char::is_ascii_uppercase, char::is_ascii_lowercase].map(side);
    let mut text = sides.join("v");
    if !hands.is_empty() {
        text += &format!(";hand={}", hands.trim_end_matches(']'));
    }
    for field in fen.split(' ').filter(|field| field.contains('=')) {
        text += &format!(";{field}");
    }
    text
}

/// Compares the values of a graph of up to `max_states` states with those of tables, and returns the number of states
/// compared; the reasons why tables were not built are counted.
pub fn compare<W: Layout>(
    start: &Start<W>,
    max_states: u64,
    refused: &mut BTreeMap<String, u32>,
) -> Result<usize, String> {
    let game = start.game.as_ref();
    let limits = Limits {
        max_states,
        ..Limits::default()
    };
    let found = explore(game, &start.position, &limits, &control());
    if !found.summary.complete() {
        return Ok(0);
    }
    let values = solve_game(game, &found, &control()).map_err(|why| why.to_string())?;
    let tables = Tables::new(Arc::clone(&start.game), None);
    let mut compared = 0;
    let mut built = BTreeMap::new();
    for (state, value) in (0..).zip(values.iter()) {
        let p = found.position(state);
        if Squares::len(p.occupied()) as usize > UNITS {
            continue;
        }
        let text = fen::print(game, &p);
        let signature = signature_of(&text);
        let stands = match built.get(&signature) {
            Some(stands) => *stands,
            None => {
                let result = Signature::parse(game, &signature)
                    .map_err(|why| why.why)
                    .and_then(|signature| {
                        let built = build(&tables, &signature, &control());
                        built.map_err(|why| why.to_string())?;
                        Ok(signature)
                    });
                let stands = result.is_ok();
                match result {
                    Ok(signature) if built.is_empty() => {
                        let found = certify(&tables, &signature, &control())
                            .map_err(|why| why.to_string())?;
                        if !found.holds() {
                            return Err(format!("{signature}: {:?}", found.own.faults));
                        }
                    }
                    Ok(_) => {}
                    Err(why) => *refused.entry(why).or_default() += 1,
                }
                built.insert(signature, stands);
                stands
            }
        };
        if !stands {
            continue;
        }
        match tables.value(&p).map_err(|why| why.to_string())? {
            Some(said) if said == value => compared += 1,
            // The game is over there, and no turn of a class that was built leads on.
            None if !game.has_turn(&p) => {}
            said => return Err(format!("{text}: table {said:?}, graph {value}")),
        }
    }
    Ok(compared)
}

#[test]
fn tables_of_random_texts_have_the_values_of_graphs() {
    let wanted = number("FAIRYPROOF_TEXTS_TABLES", 10);
    let (mut graphs, mut states, mut wrong) = (0, 0, Vec::new());
    let mut refused = BTreeMap::new();
    for case in cases(u64::from(u32::MAX)) {
        let mut chance = chance_of(case ^ 0x4000_0000);
        let text = small_text(&mut chance, 2);
        let mut catalog = Catalog::new();
        if catalog.add_text("random.ini", &text).is_err() {
            continue;
        }
        let Ok(variant) = catalog.open("random") else {
            continue;
        };
        let Ok(setup) = Setup::read(&variant, None) else {
            continue;
        };
        match with_setup!(&setup, start => compare(start, STATES, &mut refused)) {
            Ok(compared) => {
                graphs += u64::from(compared > 0);
                states += compared;
            }
            Err(why) => wrong.push(format!("case {case}: {why}\n{text}")),
        }
        if graphs == wanted || wrong.len() > 20 {
            break;
        }
    }
    println!("{graphs} graphs, {states} states; refused: {refused:#?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(graphs, wanted);
    assert!(states as u64 > 10 * wanted, "{states}");
}

/// Rules that tell left from right, one side from the other, or squares from each other, by each means that there is.
const ASYMMETRIC: [&str; 62] = [
    // Movements, in clauses and in definitions.
    "movement.rook = 'rR' + 'vW'",
    "movement.rook = 'frFblF' + 'W'",
    "movement.rook = 'frK' + 'bK'",
    "movement.rook = unit.row > 2 ? 'lR' : 'W'",
    "movement.rook = 'fR' + 'bW'",
    "movement.* = unit.kind == 'rook' ? 'lvW' : movement_of(unit.kind)",
    "movement.king = movement_of('king') + 'rD'",
    "customPiece1 = r:frRbW\nrook = -",
    "customPiece1 = r:lNW\nrook = -",
    "customPiece1 = r:fRbF\nrook = -",
    "customPiece1 = c:frRbW\nmovement.rook = movement_of('customPiece1')",
    "customPiece1 = c:flFW\nmovement.rook = movement_of('customPiece1') + 'fR'",
    // Lists of squares.
    "targets.rook = [offset(unit.square, 1, 0), offset(unit.square, 0, 1), offset(unit.square, 0, -1)]",
    "targets.rook = squares.filter(s, s.file > unit.file && distance(s, unit.square) == 1)",
    "targets.rook = squares.filter(s, s.rank != unit.rank && light(s))",
    "quiet.rook = [offset(unit.square, -1, 0), offset(unit.square, 0, 1), offset(unit.square, 0, -1)]",
    "attacks.rook = [offset(unit.square, 1, 1), offset(unit.square, 1, -1)]",
    "attacks.rook = squares.filter(s, s.rank > unit.rank && aligned(s, unit.square))",
    // Regions of the format.
    "mobilityRegionWhiteRook = a* b* *1",
    "mobilityRegionWhiteRook = *1 *2\nmobilityRegionBlackRook = *1 *2",
    "flagPiece = r\nflagRegionWhite = *4",
    "flagPiece = r\nflagRegionWhite = *4\nflagRegionBlack = *4",
    "flagPiece = r\nflagRegion = c2",
    "stalemateValue = loss\nflagPiece = k\nflagRegionWhite = a4\nflagRegionBlack = a1",
    // Sides in expressions.
    "legalIf = side == 'white' || length2 <= 2",
    "legalIf = side != black || kind == 'rook' || to != from",
    "activeIf = owner == 'white' || unit.row < 3",
    "captureIf = unit.side == 'black' || unit.kind == 'king'",
    "royalIf = unit.kind == 'king' && unit.side == white",
    "checkIf = owner == 'black' && count(owner, 'rook') > 0",
    "legalIf = count(white, 'rook') > 0 || kind == 'king'",
    "prefer = side == 'black' ? length2 : 0",
    "legalIf = kind != 'rook' || after.units(black).exists(u, u.rank == 1)",
    "legalIf = kind != 'rook' || squares[0] != to",
    // Files, ranks, squares and their order.
    "legalIf = to != 'a1'",
    "legalIf = kind != 'rook' || at(to).file + at(from).file > 2",
    "legalIf = kind != 'rook' || at(from).rank > 1",
    "legalIf = kind == 'king' || light(to)",
    "legalIf = kind == 'king' || to == square(2, 2) || length2 == 1",
    "prefer = units[0].kind == 'rook' ? length2 : 0",
    "legalIf = turns.size() > 0 && before.turns[0].to != to || kind == 'king'",
    "legalIf = kind == 'king' || nearest(from, 1, 0).exists",
    "legalIf = kind == 'king' || nearest(from, 0, 1).exists || length2 == 1",
    "legalIf = kind == 'king' || size(row(from, 1, 1)) == 1",
    "legalIf = kind == 'king' || home(at(from)) != to",
    "legalIf = kind == 'king' || text != 'a1a2'",
    // Options, definitions, conditions, inherited clauses, other rule sets.
    "options = k: 0..9 = 2\nlegalIf = kind == 'king' || at(from).file != option.k",
    "options = slow\nlegalIf = option.slow || side == 'white' || length2 <= 2",
    "let.s = 'white'\nlegalIf = side == s || kind == 'king'",
    "let.right(q) = q.file > 1\nactiveIf = unit.kind == 'king' || right(unit)",
    "let.m = 'flR'\nmovement.rook = m + 'K'",
    "conditions = leaning",
    "conditions = lame",
    "legalIf = under('leans').turns.exists(t, t.from == from && t.to == to) || kind == 'king'",
    // Effects, hands, ends and FENs.
    "landsOn = kind == 'rook' && to.file == 1 ? from : to",
    "turnsInto = kind == 'rook' && to.rank == 4 ? 'bishop' : becomes",
    "removes = kind == 'king' ? [] : [at('b2')]",
    "rebirthIf = unit.kind == 'rook'\nrebirth = 'c2'",
    "ends = far: white wins if units('king').exists(k, k.file == 1 && k.side == side)",
    "ends = far: mover wins if units(mover, 'king').exists(k, k.file == 3)",
    "ends = far: draw if units('rook').exists(k, k.rank == 1)",
    "fenIf = count(white, 'rook') == 0 || count(black) < 3: no",
];

#[test]
fn tables_of_rules_without_symmetry_have_the_values_of_graphs() {
    const CONDITIONS: &str = "[leaning]\ncondition = true\nmovement.rook = 'rfRlW'\n\n[lame]\ncondition = true\n\
        activeIf = unit.kind == 'king' || unit.file > 1\n\n[leans:fide-text]\nmaxFile = c\nmaxRank = 4\n\
        startFen = k1r/3/3/K2 w - - 0 1\nmovement.rook = 'rfRlW'\n\n";
    const STARTS: [&str; 4] = ["1k1/3/3/K1R", "r1k/3/3/1K1", "k2/3/R2/2K", "k2/2r/3/K2"];
    let mut wrong = Vec::new();
    for rules in ASYMMETRIC {
        let (mut compared, mut refused) = (0, BTreeMap::new());
        for start in STARTS {
            let text = format!(
                "{CONDITIONS}[t:fide-text]\nmaxFile = c\nmaxRank = 4\nstartFen = {start} w - - 0 1\n{rules}\n"
            );
            let mut catalog = Catalog::new();
            catalog.add_text("t.ini", &text).expect(rules);
            let opened = catalog.open("t");
            let setup = match opened.and_then(|variant| Setup::read(&variant, None)) {
                // By some of the rules, the side that is not to move is in check there.
                Err(why)
                    if ["in check", "is attacked"]
                        .iter()
                        .any(|reason| why.to_string().contains(reason)) =>
                {
                    continue;
                }
                setup => setup.unwrap_or_else(|why| panic!("{rules}: {why}")),
            };
            match with_setup!(&setup, start => compare(start, 20_000, &mut refused)) {
                Ok(states) => compared += states,
                Err(why) => wrong.push(format!("{rules}: {why}")),
            }
        }
        if compared < 50 || !refused.is_empty() {
            wrong.push(format!("{rules}: {compared} states, {refused:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

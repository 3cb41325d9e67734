//! Bounds over random small definitions with states and with extreme numbers, compared with the longest path of
//! the graph and with every turn in it.

use super::{says, verified_with};
use catalog::Catalog;
use control::Random;
use fairyproof_claims::subject::compile;
use fairyproof_claims::{Finding, Scope, Verdict};
use language::{About, Expression, Subject};
use notation::{Setup, fen, with_setup};
use position::{Layout, Position};
use rules::Game;
use std::collections::HashMap;

const DEFINITIONS: u64 = 80;
/// Graphs with more states are left out.
const MAX_STATES: usize = 3_000;

fn pick<'t>(random: &mut Random, texts: &[&'t str]) -> &'t str {
    texts[random.scaled_below(texts.len())]
}

/// Returns a definition on three files and four ranks whose units mostly go forward. Half of them have a state:
/// hands, gates, counters, or units that pass.
fn definition(random: &mut Random) -> String {
    let first = pick(
        random,
        &["mfW", "mfWmfF", "fW", "mfWcF", "mfWfcFimfD", "pmfWcfW"],
    );
    let second = pick(random, &["mrW", "mrW", "mfW", "mlW", "mWcF"]);
    let rank = |random: &mut Random, letters: [&str; 3]| -> String {
        let cells: Vec<&str> = (0..3).map(|_| letters[random.scaled_below(3)]).collect();
        let groups = cells.chunk_by(|a, b| *a == " " && *b == " ");
        let text = |group: &[&str]| match group[0] {
            " " => group.len().to_string(),
            unit => unit.to_owned(),
        };
        groups.map(text).collect()
    };
    let white = rank(random, ["A", "A", " "]);
    let black = rank(random, ["a", "a", " "]);
    let middle = rank(random, [" ", " ", "b"]);
    let mut keys = String::new();
    let (mut hand, mut gates) = ("", "-");
    match random.scaled_below(8) {
        0 => {
            keys += "gating = true\nseirawanGating = true\n";
            (hand, gates) = (pick(random, &["[B]", "[b]", "[Bb]"]), "abcABC");
        }
        1 => {
            keys += "pieceDrops = true\n";
            hand = pick(random, &["[B]", "[ab]", "[A]"]);
        }
        2 => keys += "nMoveRule = 3\nnMoveRuleKept = true\n",
        3 => keys += "passOnStalemate = true\n",
        4 => {
            keys +=
                "extinctionPieceTypes = b\nextinctionPseudoRoyal = true\nextinctionValue = loss\n"
        }
        _ => {}
    }
    if random.scaled_below(2) == 0 {
        keys += "promotedPieceType = a:b\npromotionRegionWhite = *4\npromotionRegionBlack = *1\n";
        keys += pick(
            random,
            &[
                "",
                "mandatoryPiecePromotion = true\n",
                "promotionLimit = b:1\n",
            ],
        );
    }
    format!(
        "[r:chess]\nmaxRank = 4\nmaxFile = 3\npawn = -\nknight = -\nbishop = -\nrook = -\nqueen = -\nking = -\n\
         customPiece1 = a:{first}\ncustomPiece2 = b:{second}\npromotionPawnTypes = -\ncastling = false\n\
         doubleStep = false\nstalemateValue = draw\n{keys}startFen = {black}/{middle}/3/{white}{hand} w {gates} - 0 1\n"
    )
}

/// Returns a measure, with weights that fit some definitions, and in some cases numbers whose sums saturate.
fn measure(random: &mut Random) -> String {
    let offset = pick(
        random,
        &["0", "0", "5000000000000000000", "9000000000000000000"],
    );
    const RIGHT: &str = "u.side == white ? 3 - u.file : u.file - 1";
    let first = pick(
        random,
        &[
            "ranks - u.row",
            "3 + ranks - u.row",
            "3 + ranks - u.row",
            "9 - 2 * u.row",
        ],
    );
    let second = pick(random, &["0", RIGHT, RIGHT, "1", "ranks - u.row"]);
    let more = pick(random, &["", "", " + count()", " + 2"]);
    let sides = pick(
        random,
        &["units(mover)", "units(mover)", "units(mover)", "units"],
    );
    format!(
        "sum({sides}.map(u, {offset} + (u.kind == 'a' ? {first} : ({second})))) - sum({sides}.map(u, {offset})){more}"
    )
}

/// The truth about a measure, from every turn of the graph.
struct Truth {
    /// The maximum number of turns of a side; `None` if a game can be endless.
    longest_turns: Option<u64>,
    /// Whether the measure is never negative, and each turn lowers that of its side and raises none.
    obeys: bool,
    /// The number of turns that the measure of the start position allows.
    allowed_turns: u64,
}

fn truth<W: Layout>(
    game: &dyn Game<W>,
    start: &Position<W>,
    measure: &Expression,
) -> Option<Truth> {
    let key = |p: &Position<W>| {
        let text = fen::print(game, p);
        let fields: Vec<&str> = text.split(' ').collect();
        // The clocks are not part of a position.
        format!("{:?} {:?}", &fields[..4], &fields[6..])
    };
    let measured = |p: &Position<W>| {
        board::Color::BOTH.map(|mover| {
            let subject = Subject {
                mover,
                ..Subject::new(game, p)
            };
            measure.number(&subject).expect("a number")
        })
    };
    let mut numbers: HashMap<String, usize> = HashMap::from([(key(start), 0)]);
    let (mut states, mut edges) = (vec![*start], Vec::new());
    let mut obeys = measured(start).iter().all(|&value| value >= 0);
    let mut at = 0;
    while at < states.len() {
        let p = states[at];
        let (old, mover) = (measured(&p), p.side.index());
        let mut turns = Vec::new();
        game.turns(&p, &mut turns);
        let mut to = Vec::new();
        for turn in &turns {
            let after = game.play(&p, turn);
            let new = measured(&after);
            obeys &= new.iter().all(|&value| value >= 0)
                && new[mover] < old[mover]
                && new[1 - mover] <= old[1 - mover];
            let next = states.len();
            let number = *numbers.entry(key(&after)).or_insert(next);
            if number == next {
                states.push(after);
            }
            to.push(number);
        }
        edges.push(to);
        at += 1;
        if states.len() > MAX_STATES {
            return None;
        }
    }
    // Longest paths by repeated relaxation: more rounds than states mean a cycle.
    let mut plies = vec![0u64; states.len()];
    let longest = (0..=states.len()).find_map(|_| {
        let longer: Vec<u64> = edges
            .iter()
            .map(|to| to.iter().map(|&n| 1 + plies[n]).max().unwrap_or(0))
            .collect();
        let is_stable = longer == plies;
        plies = longer;
        is_stable.then(|| plies[0])
    });
    let [white, black] = measured(start).map(|value| value.max(0) as u64);
    let (own, other) = match start.side {
        board::Color::White => (white, black),
        board::Color::Black => (black, white),
    };
    Some(Truth {
        longest_turns: longest.map(|plies| plies.div_ceil(2)),
        obeys,
        allowed_turns: own.min(other.saturating_add(1)).max(other.min(own)),
    })
}

fn is_right(found: &Finding, truth: &Truth, turns: u64) -> bool {
    let holds = truth.longest_turns.is_some_and(|longest| longest <= turns);
    match found.verdict {
        Verdict::Confirmed => truth.obeys && holds,
        Verdict::Refuted => !truth.obeys || !holds,
        _ => false,
    }
}

#[test]
fn bounds_over_definitions_with_states_are_those_of_the_graph() {
    let (mut confirmed, mut proven, mut refuted) = (0, 0, 0);
    for number in 0..DEFINITIONS {
        let mut random = Random::numbered(59, number);
        let rules = definition(&mut random);
        let mut catalog = Catalog::new();
        catalog.add_text("rules.ini", &rules).expect(&rules);
        let variant = catalog.open("r").expect(&rules);
        let setup = Setup::read(&variant, None).expect(&rules);
        for _ in 0..3 {
            let text = measure(&mut random);
            let about = About {
                mover: true,
                ..About::POSITION
            };
            let measure = compile(&catalog, &text, &setup.game(), about).expect(&text);
            let truth =
                with_setup!(&setup, start => truth(start.game.as_ref(), &start.position, &measure));
            let Some(truth) = truth else { continue };
            let longest = truth.longest_turns.unwrap_or(truth.allowed_turns);
            let stated = [longest.saturating_sub(1), longest, truth.allowed_turns];
            let claims: Vec<String> = (stated.iter().enumerate())
                .map(|(n, turns)| {
                    let turns = (*turns).min(1_000_000);
                    format!(
                        "[[claim]]\nid = '{n}'\nsays = 'a'\nvariant = 'r'\nbound = \"{text}\"\nturns = {turns}\n"
                    )
                })
                .collect();
            for (found, turns) in verified_with(&claims.concat(), &rules).iter().zip(stated) {
                assert!(
                    is_right(found, &truth, turns.min(1_000_000)),
                    "{rules}\n{text}\n{turns} turns, {:?} in the graph, obeys: {}: {} {}",
                    truth.longest_turns,
                    truth.obeys,
                    found.verdict,
                    found.summary
                );
                confirmed += u32::from(found.verdict == Verdict::Confirmed);
                proven += u32::from(found.scope == Scope::Proof);
                refuted += u32::from(found.verdict == Verdict::Refuted);
            }
        }
    }
    assert!(
        confirmed > 10 && proven > 3 && refuted > 50,
        "{confirmed} confirmed, {proven} proven, {refuted} refuted"
    );
}

/// Units that go forward and diagonally, and one in hand that enters where an unmoved unit leaves.
const GATE: &str = "[gate:chess]
maxRank = 8
maxFile = 8
pawn = -
knight = -
bishop = -
rook = -
queen = -
king = -
customPiece1 = a:mfWmfF
customPiece2 = c:cfW
customPiece3 = h:mrW
startFen = 4a2c/8/8/8/8/8/8/AAA5[h] w h - 0 1
promotionPawnTypes = -
gating = true
seirawanGating = true
castling = false
doubleStep = false
stalemateValue = draw
mobilityRegionBlackCustomPiece2 = h8 h7
";

#[test]
fn unit_that_enters_by_a_gate_is_not_missed() {
    let claim = "[[claim]]\nid = 'a'\nsays = 'a'\nvariant = 'gate'\nturns = 9\n\
                 bound = \"sum(units(mover).map(u, u.kind == 'a' ? 8 - u.row : u.kind == 'c' && u.row == 1 ? 1 : 0))\"\n";
    let found = verified_with(claim, GATE).remove(0);
    assert_eq!(found.verdict, Verdict::Refuted, "{}", found.summary);
}

#[test]
fn step_that_no_game_reaches_does_not_refute_a_bound() {
    // White's pawns cannot get past Black's, so the unit on the last rank that steps sideways never arises. The
    // limit keeps the graph from deciding.
    let rules = "[wall:chess]\nmaxRank = 8\nmaxFile = 8\npawn = -\nknight = -\nbishop = -\nrook = -\nqueen = -\n\
                 king = -\ncustomPiece1 = a:mfW\ncustomPiece2 = b:mrW\npromotionPawnTypes = -\n\
                 promotedPieceType = a:b\nmandatoryPiecePromotion = true\npromotionRegionWhite = *8\n\
                 promotionRegionBlack = *1\ncastling = false\ndoubleStep = false\nstalemateValue = draw\n\
                 startFen = 8/aaaaaaaa/8/8/8/8/8/AAAAAAAA w - - 0 1\n";
    let claim = "[[claim]]\nid = 'a'\nsays = 'a'\nvariant = 'wall'\nturns = 56\nlimits = { states = 500 }\n\
                 bound = \"sum(units(mover, 'a').map(u, 8 - u.row))\"\n";
    let found = verified_with(claim, rules).remove(0);
    assert_eq!(found.verdict, Verdict::Open, "{}", found.summary);
    says(&found, "no game was found that reaches such a step");
}

#[test]
fn reduced_array_does_not_refute_a_claim_about_another_position() {
    let claim = "[[claim]]\nid = 'a'\nsays = 'a'\nfen = '1k6/1P6/1K6/8/8/8/8/8 b - - 0 1'\n\
                 bound = 'over ? 0 : 1'\nturns = 1\n";
    let found = verified_with(claim, "").remove(0);
    assert_eq!(found.verdict, Verdict::Confirmed, "{}", found.summary);
    let other = found.evidence.rows.iter().skip(1);
    assert!(
        other
            .into_iter()
            .all(|row| row[0] == "reduced array, another position")
    );
}

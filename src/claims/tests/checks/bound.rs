//! Bounds on the length of games.

use super::{
    FROGS, judged, longest_game_of_toads, refused, says, verified, verified_once, verified_with,
};
use catalog::Catalog;
use control::Random;
use fairyproof_claims::{Finding, Scope, Verdict};
use notation::{Setup, fen, with_setup};
use position::{Layout, Position};
use rules::Game;
use std::collections::HashMap;

fn frogs(claims: &str) -> Vec<(Verdict, Scope, String)> {
    let findings = verified_with(claims, FROGS).into_iter();
    findings
        .map(|finding| (finding.verdict, finding.scope, finding.summary))
        .collect()
}

#[test]
fn french_revolution_has_at_most_24_turns_and_a_game_of_24() {
    let found = verified_once(
        "variant = 'french-revolution'\nbound = \"sum(units(mover, 'pawn').map(u, 8 - u.row))\"\n\
         turns = 24\ntight = true",
    );
    assert_eq!(
        (found.verdict, found.scope),
        (Verdict::Confirmed, Scope::Proof),
        "{}",
        found.summary
    );
    says(&found, "a game of 24 turns exists");
    let game = found.evidence.rows.last().expect("a game");
    assert_eq!(game[0], "longest game found");
}

#[test]
fn avalanche_is_bounded_by_the_pawns_of_the_opponent() {
    let claim = |measure: &str, turns: u64| {
        verified_once(&format!(
            "variant = 'french-revolution:avalanche'\nturns = {turns}\nbound = \"{measure}\""
        ))
    };
    let right = "sum(units(other(mover), 'pawn').map(u, ranks - u.row))";
    let found = claim(right, 24);
    assert_eq!(
        (found.verdict, found.scope),
        (Verdict::Confirmed, Scope::Proof),
        "{}",
        found.summary
    );
    let wrong = claim("sum(units(mover, 'pawn').map(u, ranks - u.row))", 24);
    judged(&wrong, Verdict::Refuted);
}

#[test]
fn games_of_a_definition_end_and_the_bound_is_the_value_at_the_start() {
    let found = frogs(
        "[[claim]]\nid = 'a'\nsays = 'a'\nvariant = 'frogs'\nturns = 20\n\
         bound = \"sum(units(mover, 'pawn').map(u, 5 - u.row))\"\n\
         [[claim]]\nid = 'b'\nsays = 'b'\nvariant = 'frogs'\nturns = 25\n\
         bound = \"sum(units(mover, 'pawn').map(u, 5 - u.row))\"\n\
         [[claim]]\nid = 'c'\nsays = 'c'\nvariant = 'frogs'\nturns = 21\ntight = true\n\
         bound = \"sum(units(mover, 'pawn').map(u, 5 - u.row))\"",
    );
    assert_eq!(
        (found[0].0, found[0].1),
        (Verdict::Confirmed, Scope::Proof),
        "{}",
        found[0].2
    );
    assert!(
        found[0].2.contains("at most 20 turns of each side"),
        "{}",
        found[0].2
    );
    assert_eq!(found[1].0, Verdict::Confirmed, "{}", found[1].2);
    assert_eq!(found[2].0, Verdict::Refuted, "{}", found[2].2);
}

#[test]
fn wrong_measure_is_refuted_with_the_step() {
    let found = verified_with(
        "[[claim]]\nid = 'a'\nsays = 'a'\nvariant = 'frogs'\nturns = 20\n\
         bound = \"sum(units(mover, 'pawn').map(u, u.row))\"",
        FROGS,
    );
    assert_eq!(found[0].verdict, Verdict::Refuted);
    assert!(
        found[0].summary.contains("raises the measure of White"),
        "{}",
        found[0].summary
    );
    let row = &found[0].evidence.rows[0];
    assert_eq!(row[0], "counterexample");
    assert!(!row[8].is_empty(), "the turn");
    // A king's step does not lower this measure.
    let found = verified("bound = \"sum(units(mover, 'pawn').map(u, 8 - u.row))\"\nturns = 48");
    judged(&found, Verdict::Refuted);
    says(&found, "does not lower the measure");
    // A promotion adds a queen, so a pawn's last step does not lower this measure.
    let found = verified_once(
        "variant = 'french-revolution'\nturns = 24\n\
         bound = \"sum(units(mover, 'pawn').map(u, 8 - u.row)) + count(mover, 'queen')\"",
    );
    judged(&found, Verdict::Refuted);
}

#[test]
fn complete_graph_decides_where_the_measure_is_not_a_sum() {
    let measure =
        "bound = \"sum(units(mover, 'pawn').map(u, 4 - u.row)) + 0 * max(units.map(u, u.row))\"";
    let turns = longest_game_of_toads().div_ceil(2);
    let claim = |turns: u64, tight: bool| {
        frogs(&format!(
            "[[claim]]\nid = 'a'\nsays = 'a'\nvariant = 'toads'\nturns = {turns}\ntight = {tight}\n{measure}"
        ))
        .remove(0)
    };
    for (stated, tight, verdict) in [
        (turns, false, Verdict::Confirmed),
        (turns, true, Verdict::Confirmed),
        (turns - 1, false, Verdict::Refuted),
        (turns - 1, true, Verdict::Refuted),
        (turns + 1, true, Verdict::Refuted),
    ] {
        let found = claim(stated, tight);
        assert_eq!(found.0, verdict, "{stated} {tight}: {}", found.2);
    }
}

#[test]
fn limit_on_states_is_named() {
    let found = verified(
        "variant = 'french-revolution'\nturns = 24\nlimits = { states = 500 }\n\
         bound = \"sum(units(mover, 'pawn').map(u, 8 - u.row)) + 0 * count() / 2\"",
    );
    judged(&found, Verdict::Open);
    says(&found, "500 states");
}

#[test]
fn measure_must_be_an_integer() {
    let error = refused("bound = \"mover == white\"\nturns = 3");
    assert!(error.contains("an integer is wanted here"), "{error}");
    assert!(error.contains("line 7, column 10"), "{error}");
}

/// Units that advance straight or diagonally and capture diagonally, on 3x4. The first to arrive wins.
const RACE: &str = "[race:breakthrough]
maxFile = 3
maxRank = 4
startFen = ppp/3/3/PPP w - - 0 1
flagRegionWhite = *4
flagRegionBlack = *1
";

/// Returns the plies of the longest game from each position of some random games, except final positions.
fn positions_of_race() -> Vec<(String, u64)> {
    fn longest<W: Layout>(
        game: &dyn Game<W>,
        p: &Position<W>,
        known: &mut HashMap<String, u64>,
    ) -> u64 {
        let text = fen::print(game, p);
        let key: Vec<&str> = text.split(' ').take(2).collect();
        let key = key.join(" ");
        if let Some(plies) = known.get(&key) {
            return *plies;
        }
        let mut turns = Vec::new();
        game.turns(p, &mut turns);
        let after = turns.iter().map(|turn| game.play(p, turn));
        let plies = after.map(|p| 1 + longest(game, &p, known)).max();
        known.insert(key, plies.unwrap_or(0));
        plies.unwrap_or(0)
    }
    let mut catalog = Catalog::new();
    catalog.add_text("rules.ini", RACE).expect("a definition");
    let start = Setup::read(&catalog.open("race").expect("a variant"), None).expect("a start");
    with_setup!(start, start => {
        let game = start.game.as_ref();
        let (mut found, mut known) = (Vec::new(), HashMap::new());
        for number in 0..6 {
            let (mut random, mut p) = (Random::numbered(7, number), start.position);
            for _ in 0..number {
                let mut turns = Vec::new();
                game.turns(&p, &mut turns);
                turns.sort_unstable();
                if !turns.is_empty() {
                    p = game.play(&p, &turns[random.scaled_below(turns.len())]);
                }
            }
            let plies = longest(game, &p, &mut known);
            if plies > 0 {
                found.push((fen::print(game, &p), plies));
            }
        }
        found
    })
}

#[test]
fn tight_bound_is_never_judged_better_than_the_plain_bound() {
    let mut stated = Vec::new();
    let mut claims = String::new();
    for (fen, plies) in positions_of_race() {
        let longest = plies.div_ceil(2);
        let turns = longest.saturating_sub(1)..longest + 2;
        for (turns, states) in turns.flat_map(|turns| [(turns, 20), (turns, 100_000)]) {
            for tight in [false, true] {
                claims += &format!(
                    "[[claim]]\nid = '{}'\nsays = 'a'\nvariant = 'race'\nfen = '{fen}'\n\
                     bound = 'sum(units(mover).map(u, ranks - u.row))'\nturns = {turns}\n\
                     tight = {tight}\nlimits = {{ states = {states} }}\n",
                    stated.len()
                );
                stated.push((fen.clone(), longest, turns, states, tight));
            }
        }
    }
    let findings = verified_with(&claims, RACE);
    let verdicts: Vec<Verdict> = findings.iter().map(|found| found.verdict).collect();
    for verdict in [Verdict::Confirmed, Verdict::Refuted, Verdict::Open] {
        assert!(verdicts.contains(&verdict), "some claims are {verdict}");
    }
    for (at, (claim, found)) in stated.iter().zip(&findings).enumerate() {
        let (fen, longest, turns, states, tight) = claim;
        let right = longest == turns || !tight && longest < turns;
        let why = format!(
            "{fen}, {turns}, {states}, {tight}, {longest}: {}",
            found.summary
        );
        match found.verdict {
            Verdict::Open => assert_eq!(*states, 20, "{why}"),
            verdict => assert_eq!(verdict, Verdict::of(right), "{why}"),
        }
        if found.verdict == Verdict::Confirmed && *tight {
            let plain: &Finding = &findings[at - 1];
            judged(plain, Verdict::Confirmed);
            assert_eq!(found.scope, plain.scope, "{why}");
        }
    }
}

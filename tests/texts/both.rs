//! Rule texts played by both implementations: the same turns, positions after them, checks and outcomes.

use crate::play::{Chance, RULE_SETS, RULES, ids};
use crate::random;
use fairyproof::catalog::Catalog;
use fairyproof::notation::{Setup, fen, turns};
use fairyproof::position::Layout;
use fairyproof::rules::{AnyGame, Game, with_game};
use naive::texts::{TextRules, open};

/// What an implementation says of a position.
#[derive(PartialEq, Eq, Debug)]
struct Said {
    /// The turns with the positions after them, in byte order.
    turns: Vec<(String, String)>,
    check: bool,
    outcome: Option<(String, String)>,
}

fn said<W: Layout>(game: &dyn Game<W>, text: &str) -> Result<Said, String> {
    let p = fen::read_position(game, text).map_err(|error| error.to_string())?;
    let sorted = turns::sorted(game, &p).into_iter();
    let outcome = game.outcome(&p).to_string();
    Ok(Said {
        turns: sorted
            .map(|(name, turn)| (name, fen::print(game, &game.play(&p, &turn))))
            .collect(),
        check: game.in_check(&p, p.side),
        outcome: outcome
            .split_once(' ')
            .map(|(who, why)| (who.to_owned(), why.to_owned())),
    })
}

fn program_says(game: &AnyGame, text: &str) -> Result<Said, String> {
    with_game!(game, game => said(game.as_ref(), text))
}

fn naive_says(rules: &TextRules, text: &str) -> Result<Said, String> {
    Ok(Said {
        turns: rules.turns(text)?,
        check: rules.check(text)?,
        outcome: rules.outcome(text)?,
    })
}

/// Plays a random game with both, and returns the number of positions.
///
/// # Errors
/// The first difference.
fn compare(
    game: &AnyGame,
    rules: &TextRules,
    chance: &mut Chance,
    plies: usize,
) -> Result<usize, String> {
    let start = with_game!(game, game => game.variant().start());
    let mut fen = rules.canonical(&start)?;
    for ply in 0..plies {
        let (ours, naive) = (program_says(game, &fen)?, naive_says(rules, &fen)?);
        if ours != naive {
            let only = |a: &Said, b: &Said| -> Vec<(String, String)> {
                let turns = a.turns.iter().filter(|turn| !b.turns.contains(turn));
                turns.take(4).cloned().collect()
            };
            return Err(format!(
                "{fen}\n  program: {} {:?} {:#?}\n  naive: {} {:?} {:#?}",
                ours.check,
                ours.outcome,
                only(&ours, &naive),
                naive.check,
                naive.outcome,
                only(&naive, &ours)
            ));
        }
        if ours.turns.is_empty() {
            return Ok(ply + 1);
        }
        fen.clone_from(&ours.turns[chance.below(ours.turns.len())].1);
    }
    Ok(plies)
}

#[test]
fn both_play_every_rule_text_alike() {
    let mut catalog = Catalog::new();
    catalog
        .add_text("rule-texts.ini", RULES)
        .expect("the texts are read");
    let file = format!("{RULE_SETS}\n{RULES}");
    let mut chance = Chance(11);
    for id in ids(&file) {
        let variant = catalog
            .open(&id)
            .unwrap_or_else(|error| panic!("{id}: {error}"));
        let setup = Setup::read(&variant, None).unwrap_or_else(|error| panic!("{id}: {error}"));
        let rules = open(&file, &id).unwrap_or_else(|why| panic!("{id}: {why}"));
        for plies in [24, 12] {
            let compared = compare(&setup.game(), &rules, &mut chance, plies);
            compared.unwrap_or_else(|why| panic!("{id}: {why}"));
        }
    }
}

#[test]
fn both_play_random_texts_alike() {
    let mut chance = Chance(2027);
    let mut positions = 0;
    for _ in 0..1_000 {
        let text = random::text(&mut chance);
        let rules = open(&text, "random").unwrap_or_else(|why| panic!("{why}\n{text}"));
        let mut catalog = Catalog::new();
        catalog
            .add_text("random.ini", &text)
            .expect("the text is read");
        let variant = catalog
            .open("random")
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        // Kings next to each other, or attacked at the start, are refused by both.
        let Ok(setup) = Setup::read(&variant, None) else {
            assert!(rules.start_fen().is_err(), "{text}");
            continue;
        };
        let compared = compare(&setup.game(), &rules, &mut chance, 6);
        positions += compared.unwrap_or_else(|why| panic!("{why}\n{text}"));
    }
    assert!(positions > 2_500, "{positions}");
}

#[test]
fn a_step_with_too_many_squares_to_choose_is_illegal() {
    let mut chance = Chance(3);
    let few = "['c7', 'd7', 'e7', 'f7', 'g7']";
    let row = "squares.filter(s, s.rank == 7)";
    for (pawns, squares, choices) in [
        ("2p1p3", few, 5 * 4 * 3 * 2),
        ("2p1pp2", few, 5 * 4 * 3 * 2),
        ("2ppp3", few, 0),
        ("2p1p3", row, 8 * 7 * 6 * 5),
        ("2p1p3", "squares.filter(s, s.rank > 5)", 0),
    ] {
        let text = format!(
            "[reborn:fide-text]\nstartFen = 8/8/8/{pawns}/2p1p3/8/8/K2R3k w - - 0 1\n\
             takes = neighbors(to).filter(u, u.side != mover)\n\
             rebirth = {squares}\n"
        );
        let mut catalog = Catalog::new();
        catalog
            .add_text("reborn.ini", &text)
            .expect("the text is read");
        let setup =
            Setup::read(&catalog.open("reborn").expect("a rule set"), None).expect("a start");
        let rules = open(&text, "reborn").unwrap_or_else(|why| panic!("{why}"));
        compare(&setup.game(), &rules, &mut chance, 1).unwrap_or_else(|why| panic!("{why}"));
        let turns = setup.turns();
        let found = turns.iter().filter(|turn| turn.starts_with("d1d4")).count();
        assert_eq!(found, choices, "{pawns} {squares}");
    }
}

//! Definitions made at random, played at random in the program and in the naive implementation: the same
//! turns, positions and outcomes.
//!
//! Text is all that both share: the file, FENs, turns in coordinates.
//!
//! `OWN_RANDOM_DEFINITIONS=10000` draws that many instead of 2,000.

use crate::drawn::{Drawn, Random};
use crate::naive::{self, State};
use notation::{Layout, Setup, Start, with_setup};
use quickcheck::{QuickCheck, TestResult};
use rules::Outcome;

/// Turns of a random game at most.
const PLIES: usize = 20;

pub fn definitions() -> u64 {
    match std::env::var("OWN_RANDOM_DEFINITIONS") {
        Ok(text) => text.parse().expect("OWN_RANDOM_DEFINITIONS is a number"),
        Err(_) => 2_000,
    }
}

/// Who has won, whatever for.
fn verdict(outcome: Outcome) -> naive::Outcome {
    match outcome {
        Outcome::Ongoing => naive::Outcome::Ongoing,
        Outcome::Win(color, _) | Outcome::WeakWin(color, _) => naive::Outcome::Wins(color.index()),
        Outcome::Draw(_) => naive::Outcome::Draw,
    }
}

/// A FEN without clocks and without the program's own state field.
fn place(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let counts = fields.get(4).is_some_and(|field| field.contains('+'));
    fields[..if counts { 5 } else { 4 }].join(" ")
}

/// Plays the definition in both.
///
/// # Errors
/// Where they differ.
pub fn play(drawn: &Drawn) -> Result<bool, String> {
    let book = own::read(drawn.text().as_bytes(), &own::NoneCompiled);
    let mut definitions = book.definitions();
    let definition = match (definitions.next(), book.has_errors()) {
        (Some(definition), false) => definition.clone(),
        _ => return Err(format!("refused: {:?}", book.findings)),
    };
    let variant = match law::open(definition.clone(), definition.summary(), definition.page()) {
        Ok(variant) => variant,
        // What the program says it does not play is not compared.
        Err(_) => return Ok(false),
    };
    let setup = Setup::read(&variant, None).map_err(|why| format!("start: {why}"))?;
    with_setup!(setup, start => play_on(drawn, start)).map(|()| true)
}

fn play_on<W: Layout>(drawn: &Drawn, start: Start<W>) -> Result<(), String> {
    let game = start.game.as_ref();
    let mut position = start.position;
    let mut state: State = drawn.naive()?;
    let mut random = Random(drawn.seed);
    for _ in 0..PLIES {
        let fen = notation::fen::print(game, &position);
        let differ = |what: &str, program: String, naive: String| {
            Err(format!(
                "{what} at {fen}\nprogram {program}\nnaive   {naive}"
            ))
        };
        if place(&fen) != place(&state.fen()) {
            return differ("positions", fen.clone(), state.fen());
        }
        match notation::fen::read_position(game, &fen) {
            Err(why) => return differ("reading", why.to_string(), fen.clone()),
            Ok(read) if read != position => {
                return differ("reading", notation::fen::print(game, &read), fen.clone());
            }
            Ok(_) => {}
        }
        let outcome = game.outcome(&position);
        if verdict(outcome) != state.outcome() {
            return differ(
                "outcomes",
                outcome.to_string(),
                format!("{:?}", state.outcome()),
            );
        }
        let turns = notation::turns::sorted(game, &position);
        let others = state.turns();
        let texts: Vec<&str> = turns.iter().map(|(text, _)| text.as_str()).collect();
        let other_texts: Vec<&str> = others.iter().map(|(text, _)| text.as_str()).collect();
        if texts != other_texts {
            let only = |a: &[&str], b: &[&str]| -> Vec<String> {
                a.iter()
                    .filter(|text| !b.contains(text))
                    .map(|text| text.to_string())
                    .collect()
            };
            return differ(
                "turns",
                format!("has alone {:?}", only(&texts, &other_texts)),
                format!("has alone {:?}", only(&other_texts, &texts)),
            );
        }
        if turns.is_empty() {
            break;
        }
        let choice = random.below(turns.len());
        position = game.play(&position, &turns[choice].1);
        state = others[choice].1.clone();
    }
    Ok(())
}

#[test]
fn random_definitions_are_played_alike() {
    fn alike(drawn: Drawn) -> TestResult {
        match play(&drawn) {
            Ok(true) => TestResult::passed(),
            Ok(false) => TestResult::discard(),
            Err(why) => TestResult::error(format!("{why}\n{}", drawn.text())),
        }
    }
    // No more than a few are refused.
    let count = definitions();
    QuickCheck::new()
        .tests(count)
        .max_tests(count + count / 5)
        .min_tests_passed(count)
        .quickcheck(alike as fn(Drawn) -> TestResult);
}

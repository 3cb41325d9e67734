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

/// Compares the values of a graph with those of tables, and returns the number of states compared; the reasons why
/// tables were not built are counted.
pub fn compare<W: Layout>(
    start: &Start<W>,
    refused: &mut BTreeMap<String, u32>,
) -> Result<usize, String> {
    let game = start.game.as_ref();
    let limits = Limits {
        max_states: STATES,
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
        match with_setup!(&setup, start => compare(start, &mut refused)) {
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

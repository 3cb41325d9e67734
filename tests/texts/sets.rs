//! The texts of compiled rule sets have the counts of these on the rows of `tests/data/perft.csv`, and their values on
//! small boards.

use crate::agree::translated;
use crate::positions::{Random, random_fen_on, rows_of};
use fairyproof::catalog::Catalog;
use fairyproof::control::Control;
use fairyproof::explore::{Limits, explore};
use fairyproof::notation::Setup;
use fairyproof::values::{census, certify_game, solve_game};
use fairyproof::with_setup;
use rayon::prelude::*;

/// Returns the number of lines of this length, or the error of a variant or a FEN.
fn count(catalog: &Catalog, id: &str, fen: &str, depth: u32) -> Result<u64, String> {
    let variant = catalog.open(id).map_err(|error| error.to_string())?;
    let setup = Setup::read(&variant, Some(fen)).map_err(|error| error.to_string())?;
    Ok(with_setup!(&setup, s => s.game.perft(&s.position, depth)))
}

#[test]
fn texts_have_the_counts_of_their_rule_sets() {
    let catalog = Catalog::new();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/perft.csv");
    let mut file = csv::Reader::from_path(path).expect("the rows");
    let mut compared = 0;
    for row in file.records().map(|row| row.expect("a row")) {
        let (set, fen) = (&row[0], &row[1]);
        let (name, options) = set.split_once(':').unwrap_or((set, ""));
        // A board of ten ranks is an option of the compiled rule set alone, and second readings are.
        let is_own = options.contains("ten-rows") || options.contains('=') && name != "spartan";
        if is_own || catalog.text_of(name).is_none() {
            continue;
        }
        let text = match options {
            "" => format!("{name}-text"),
            _ => format!("{name}-text:{options}"),
        };
        // What a turn of this text asks of the next one is slow.
        let most = if name == "concurrent" { 400 } else { 20_000 };
        let depths = (1..=row[2].parse().expect("a depth"))
            .take_while(|&depth| count(&catalog, set, fen, depth).is_ok_and(|nodes| nodes <= most));
        for depth in depths {
            assert_eq!(
                count(&catalog, &text, &translated(name, fen), depth),
                count(&catalog, set, fen, depth),
                "{set} {fen} depth {depth}"
            );
            compared += 1;
        }
    }
    assert!(compared > 250, "{compared}");
}

/// The number of boards of each rule set, and the numbers of states of their graphs.
const BOARDS: usize = 3;
const STATES: std::ops::Range<u64> = 30..6_000;

/// Returns the states, the turns, the value of the root and the number of states of each value of a position's graph,
/// once certified. Returns `None` if the position is refused, or the graph is larger than wanted.
fn solved(catalog: &Catalog, id: &str, fen: &str) -> Option<String> {
    let variant = catalog.open(id).expect("a rule set");
    let setup = Setup::read(&variant, Some(fen)).ok()?;
    let limits = Limits {
        max_states: STATES.end,
        ..Limits::default()
    };
    let control = Control::new();
    with_setup!(&setup, start => {
        let game = start.game.as_ref();
        let found = explore(game, &start.position, &limits, &control);
        let graph = found.graph.as_ref().filter(|_| found.summary.complete())?;
        if found.summary.states < STATES.start {
            return None;
        }
        let values = solve_game(game, &found, &control).expect("values");
        let certificate = certify_game(game, &found, &values, &control).expect("a check");
        assert!(certificate.holds(), "{id} {fen}");
        let census = census(graph, &values);
        Some(format!(
            "{} states, {} turns, {}, {:?}, {:?}",
            found.summary.states,
            found.summary.edges,
            values.of(0),
            census.counts(),
            found.summary.terminals
        ))
    })
}

#[test]
fn texts_have_the_values_of_their_rule_sets_on_small_boards() {
    let catalog = Catalog::new();
    let mut sets: Vec<&str> = fairyproof::variants::all()
        .iter()
        .map(|info| info.id)
        .collect();
    sets.retain(|id| catalog.text_of(id).is_some());
    assert!(sets.len() >= 34, "{}", sets.len());
    sets.par_iter().for_each(|id| {
        let mut random = Random(1);
        let mut compared = 0;
        while compared < BOARDS {
            let size = (2 + random.below(3), 3 + random.below(3));
            // The boards of texts have the holes that their start positions have, and no others.
            let has_holes = *id == "convergent";
            let fen = random_fen_on(id, (!has_holes).then_some(size), &mut random);
            let holes = |fen: &str| {
                rows_of(fen)
                    .concat()
                    .into_iter()
                    .map(|c| c == '*')
                    .collect::<Vec<_>>()
            };
            let own = catalog.open(id).expect("a rule set").start();
            if has_holes && holes(&fen) != holes(&own) || !has_holes && holes(&fen).contains(&true)
            {
                continue;
            }
            let Some(expected) = solved(&catalog, id, &fen) else {
                continue;
            };
            let text = solved(&catalog, &format!("{id}-text"), &translated(id, &fen));
            assert_eq!(text.as_deref(), Some(expected.as_str()), "{id} {fen}");
            compared += 1;
        }
    });
}

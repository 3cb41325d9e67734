//! Puzzles found in endgame tables: what a table claims is what a search without tables finds.

use fairyproof::board::Geometry;
use fairyproof::catalog::Catalog;
use fairyproof::control::Control;
use fairyproof::notation::{Start, turns};
use fairyproof::problems::text::{Verdict, verdict};
use fairyproof::problems::{Limits, Problem, Stipulation};
use fairyproof::puzzle::Layout;
use fairyproof::puzzle::mine::tabled::{Endings, serves};
use fairyproof::rules::Game;
use fairyproof::with_game;
use std::sync::Arc;

/// Positions of each length that are compared.
const EACH: u64 = 60;
/// The least number of riddles, and of positions with several keys, that are compared in a game.
const MIN: [usize; 2] = [20, 20];

/// Compares what tables say of positions with a plain search: how many have one key, how many more.
fn compare<W: Layout>(game: &Arc<dyn Game<W>>) -> [usize; 2] {
    let endings = Endings::new(game, 3, 7, &Control::new());
    let control = Control::new().with_memory(8 << 20);
    let mut seen = [0, 0];
    for moves in 1..=4 {
        let rule_set = &game.variant().rule_set;
        let geometry = game.board().geometry();
        let asked = format!("win {moves}");
        let stipulation = Stipulation::parse(&asked, rule_set, geometry).expect("a stipulation");
        let places = endings.won_in(moves, 7, &asked, EACH);
        let again = endings.won_in(moves, 7, &asked, EACH);
        assert_eq!(places, again);
        for place in places {
            let riddle = endings.riddle(place, moves);
            let position = endings.position(place).expect("a position");
            let name = fairyproof::notation::fen::print(game.as_ref(), &position);
            let name = format!("{} {asked} {name}", game.variant());
            let problem = Problem {
                start: Start {
                    game: Arc::clone(game),
                    position,
                },
                stipulation: stipulation.clone(),
            };
            let solution = problem.solve(&Limits::default(), &control);
            assert!(solution.keys.iter().all(|k| k.moves == moves), "{name}");
            match riddle {
                Some((there, key)) => {
                    assert!(there == position, "{name}");
                    assert_eq!(verdict(&problem, &solution), Verdict::Sound, "{name}");
                    let key = turns::print(game.as_ref(), &position, &key);
                    assert_eq!(problem.first_turns(&solution), [key], "{name}");
                    seen[0] += 1;
                }
                None => {
                    assert_eq!(verdict(&problem, &solution), Verdict::Cooked, "{name}");
                    seen[1] += 1;
                }
            }
        }
    }
    seen
}

#[test]
fn what_a_table_claims_a_plain_search_finds() {
    // States that last (checks given, units bound), sides that cannot be swapped, a number of the
    // move that decides, wins by the opponent's own turn, kings that can be captured.
    for (id, files, ranks) in [
        ("bachelor", 5, 5),
        ("moderation", 5, 5),
        ("chromopolis", 5, 4),
        ("spartan", 5, 5),
        ("ultimate", 5, 5),
        ("shrapnel", 4, 4),
        ("convergent", 6, 6),
        ("contravention", 5, 5),
    ] {
        let variant = Catalog::new().open(id).expect("a variant");
        let geometry = Geometry::new(files, ranks, 0, false).expect("a board");
        let seen = with_game!(&variant.on(geometry).expect("a game"), game => compare(game));
        for (seen, least) in seen.into_iter().zip(MIN) {
            assert!(seen >= least, "{id}: {seen} of {least}");
        }
    }
}

#[test]
fn tables_serve_direct_play_for_a_win() {
    let variant = Catalog::new().open("bachelor").expect("a variant");
    let geometry = Geometry::new(7, 6, 0, false).expect("a board");
    let asked =
        |text| Stipulation::parse(text, &variant.rule_set, geometry).expect("a stipulation");
    for text in ["win 3", "#2", "marriage 3"] {
        assert!(serves(&asked(text)), "{text}");
    }
    for text in ["h#2", "s#2", "r#2", "ser-#3", "h-win 2", "hs#2", "+2", "=2"] {
        assert!(!serves(&asked(text)), "{text}");
    }
}

//! Keys from files: those of all reachable states are accepted, and what is accepted can be played.

use crate::random::Random;
use fairyproof::catalog::Catalog;
use fairyproof::explore::{Expander, Successors};
use fairyproof::notation::{Setup, Start};
use fairyproof::position::Layout;
use fairyproof::with_setup;

/// Games of each rule set, and the most turns of one.
const GAMES: usize = 20;
const MAX_TURNS: usize = 60;
/// Changed keys for each game.
const FORGED: usize = 40;

/// Plays random games, and has every key and changed ones accepted or not.
fn play<W: Layout>(id: &str, start: &Start<W>, random: &mut Random) {
    let graph = Expander::new(start.game.as_ref(), &start.position);
    let mut successors = Successors::default();
    for _ in 0..GAMES {
        let mut key = graph.root().to_vec();
        let mut passed = Vec::new();
        for _ in 0..MAX_TURNS {
            let fen = graph.fen(&key);
            assert!(
                graph.accepts(&key),
                "{id}: `{fen}` is reachable and refused"
            );
            graph.expand(&key, &mut successors);
            passed.push(key);
            let Some(next) = successors
                .keys
                .len()
                .checked_div(graph.words())
                .filter(|&n| n > 0)
            else {
                break;
            };
            let at = random.below(next) * graph.words();
            key = successors.keys[at..at + graph.words()].to_vec();
        }
        for _ in 0..FORGED {
            let mut key = passed[random.below(passed.len())].clone();
            for _ in 0..1 + random.below(6) {
                let bit = random.below(graph.bits() as usize);
                key[bit / 64] ^= 1 << (bit % 64);
            }
            if !graph.accepts(&key) {
                continue;
            }
            graph.expand(&key, &mut successors);
            graph.turns(&key);
            graph.outcome(&key);
            let successors = std::mem::take(&mut successors.keys);
            for next in successors.chunks_exact(graph.words()) {
                graph.fen(next);
            }
            // A refusal is an answer.
            let _ = graph.replay(&key, &mut Vec::new());
        }
    }
}

#[test]
fn keys_of_reachable_states_are_accepted_and_accepted_keys_are_played() {
    let catalog = Catalog::new();
    let mut random = Random(1);
    for id in catalog.ids() {
        let variant = catalog.open(id).expect("a registered variant");
        let setup = Setup::read(&variant, None).expect("the start position");
        with_setup!(&setup, start => play(id, start, &mut random));
    }
}

//! What the clauses of a rule text do: turns and positions in which each of them matters, found by random games.

use catalog::Catalog;
use definition::Definition;
use notation::{Setup, fen, turns};
use position::Layout;
use rules::{Game, Symmetries, with_game};
use std::collections::BTreeMap;

/// A clause, and where it matters.
pub struct ClauseEffect {
    /// The key.
    pub key: String,
    /// The section in which it is written.
    pub section: String,
    /// Up to three turns or positions that differ without the clause, each as a line.
    pub examples: Vec<String>,
}

/// The number of positions in which the rules are compared with and without each clause.
pub const POSITIONS: usize = 120;
/// The number of turns of a random game.
const PLIES: usize = 30;
/// The number of examples of a clause.
const EXAMPLES: usize = 3;
/// Clauses without which others have no meaning.
const DECLARING: [&str; 3] = ["let.", "state", "options"];

/// What rules say of a position.
struct Said {
    outcome: String,
    /// The turns with the positions after them.
    turns: BTreeMap<String, String>,
}

/// A generator of pseudo-random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

fn said<W: Layout>(game: &dyn Game<W>, text: &str) -> Option<Said> {
    let p = fen::read_position(game, text).ok()?;
    let sorted = turns::sorted(game, &p);
    let after = |turn| fen::print(game, &game.play(&p, turn));
    Some(Said {
        outcome: game.outcome(&p).to_string(),
        turns: sorted
            .iter()
            .map(|(name, turn)| (name.clone(), after(turn)))
            .collect(),
    })
}

fn says(setup: &Setup, text: &str) -> Option<Said> {
    with_game!(&setup.game(), game => said(game.as_ref(), text))
}

/// Returns the clauses of a definition with examples of where they matter. A clause without examples made no difference
/// in [`POSITIONS`] positions of random games.
pub fn effects(catalog: &Catalog, definition: &Definition) -> Vec<ClauseEffect> {
    let Some(whole) = opened(catalog, definition.clone()) else {
        return Vec::new();
    };
    let positions = positions(&whole);
    let mut effects = Vec::new();
    for (n, layer) in definition.layers.iter().enumerate() {
        for (m, clause) in layer.clauses.iter().enumerate() {
            if DECLARING
                .iter()
                .any(|key| clause.key == *key || clause.key.starts_with("let."))
            {
                continue;
            }
            let mut without = definition.clone();
            without.layers[n].clauses.remove(m);
            effects.push(ClauseEffect {
                key: clause.key.clone(),
                section: layer.section.clone(),
                examples: match opened(catalog, without) {
                    Some(without) => differences(&without, &positions),
                    None => vec!["without it, the rules cannot be played".to_owned()],
                },
            });
        }
    }
    effects
}

/// Returns the symmetries of a definition's board, of which the clauses take some away, in words: those that are left,
/// and those that are not.
pub fn symmetries(catalog: &Catalog, definition: &Definition) -> [Vec<&'static str>; 2] {
    let plain = Definition {
        layers: Vec::new(),
        ..definition.clone()
    };
    let of = |definition: Definition| {
        let setup = opened(catalog, definition);
        setup.map_or(
            Symmetries::NONE,
            |setup| with_game!(&setup.game(), game => game.symmetries()),
        )
    };
    let (before, left) = (of(plain), of(definition.clone()));
    let all = [
        ("left and right", before.files, left.files),
        (
            "the order of the ranks, without pawns",
            before.ranks,
            left.ranks,
        ),
        (
            "files and ranks, without pawns",
            before.diagonals,
            left.diagonals,
        ),
        ("the two sides", before.colors, left.colors),
    ];
    let those = |wanted: bool| {
        let named = all
            .iter()
            .filter(|(_, before, left)| *before && *left == wanted);
        named.map(|(name, _, _)| *name).collect()
    };
    [those(true), those(false)]
}

fn opened(catalog: &Catalog, definition: Definition) -> Option<Setup> {
    let variant = catalog.open_definition(definition).ok()?;
    Setup::read(&variant, None).ok()
}

/// Returns positions of random games, with what the rules say of them.
fn positions(setup: &Setup) -> Vec<(String, Said)> {
    let start = with_game!(&setup.game(), game => game.variant().start());
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut found = Vec::new();
    while found.len() < POSITIONS {
        let mut text = start.clone();
        let before = found.len();
        for _ in 0..PLIES {
            let Some(said) = says(setup, &text) else {
                break;
            };
            let next = (!said.turns.is_empty()).then(|| {
                let n = random.below(said.turns.len());
                said.turns.values().nth(n).cloned().unwrap_or_default()
            });
            found.push((text, said));
            match next {
                Some(next) => text = next,
                None => break,
            }
        }
        if found.len() == before {
            break;
        }
    }
    found
}

/// Returns where other rules say something else.
fn differences(without: &Setup, positions: &[(String, Said)]) -> Vec<String> {
    let mut examples = Vec::new();
    for (text, with) in positions {
        if examples.len() == EXAMPLES {
            break;
        }
        let Some(other) = says(without, text) else {
            continue;
        };
        examples.extend(difference(text, with, &other));
    }
    examples
}

/// Returns the first difference of what two rules say of a position.
fn difference(text: &str, with: &Said, without: &Said) -> Option<String> {
    if with.outcome != without.outcome {
        let (with, without) = (&with.outcome, &without.outcome);
        return Some(format!("{text}: {with}; without it {without}"));
    }
    for (turn, after) in &with.turns {
        match without.turns.get(turn) {
            None => return Some(format!("{text}: {turn} is legal; without it, it is not")),
            Some(other) if other != after => {
                return Some(format!(
                    "{text}: {turn} leads to {after}; without it to {other}"
                ));
            }
            Some(_) => {}
        }
    }
    let only = without
        .turns
        .keys()
        .find(|turn| !with.turns.contains_key(*turn))?;
    Some(format!(
        "{text}: {only} is illegal; without it, it is legal"
    ))
}

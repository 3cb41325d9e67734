//! Every rule text is read and plays random games, in which each FEN is read back.

use naive::texts::{TextRules, open};

pub const RULES: &str = include_str!("../data/rule-texts.ini");
pub const RULE_SETS: &str = include_str!("../../src/definition/texts.ini");

/// A generator of pseudo-random numbers (xorshift).
pub struct Chance(pub u64);

impl Chance {
    /// Returns a number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

/// Returns the names of the sections of a file, those of conditions after a rule set and `+`.
pub fn ids(text: &str) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix('[') {
            let name = rest.split([':', ']']).next().unwrap_or_default();
            ids.push(name.to_string());
        }
        if line == "condition = true" {
            let name = ids.pop().expect("a section");
            ids.push(format!("fide-text+{name}"));
        }
    }
    ids
}

/// Plays a random game, and returns its turns. Each FEN is printed as it is read.
fn game(rules: &TextRules, id: &str, chance: &mut Chance, plies: usize) -> Vec<String> {
    let mut fen = rules
        .start_fen()
        .unwrap_or_else(|why| panic!("{id}: {why}"));
    let mut line = Vec::new();
    for _ in 0..plies {
        let outcome = rules.outcome(&fen);
        let outcome = outcome.unwrap_or_else(|why| panic!("{id}: {fen}: {why}"));
        let turns = rules.turns(&fen);
        let turns = turns.unwrap_or_else(|why| panic!("{id}: {fen}: {why}"));
        assert_eq!(outcome.is_some(), turns.is_empty(), "{id}: {fen}");
        if turns.is_empty() {
            break;
        }
        let (turn, after) = turns[chance.below(turns.len())].clone();
        line.push(turn);
        let again = rules.canonical(&after);
        assert_eq!(again.as_ref(), Ok(&after), "{id}: {line:?}");
        fen = after;
    }
    line
}

#[test]
fn every_rule_text_plays_random_games() {
    let file = format!("{RULE_SETS}\n{RULES}");
    let mut chance = Chance(7);
    for id in ids(&file) {
        let rules = open(&file, &id).unwrap_or_else(|why| panic!("{id}: {why}"));
        // Rules that look several turns ahead are slow here.
        let slow = [
            "bait",
            "blunder",
            "concurrent",
            "french",
            "linkage",
            "marseillais",
        ]
        .iter()
        .any(|part| id.contains(part));
        let (games, plies) = if slow { (1, 6) } else { (3, 30) };
        for _ in 0..games {
            let line = game(&rules, &id, &mut chance, plies);
            assert!(!line.is_empty(), "{id}");
        }
    }
}

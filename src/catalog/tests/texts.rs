//! Rule texts played by both implementations: the same turns, positions, checks and outcomes.

use fairyproof_catalog::Catalog;
use naive::texts::{TextRules, open};
use notation::{Setup, fen, turns};
use position::Position;
use rules::{AnyGame, with_game};

/// The rule texts of the tests, and those of the program.
const RULES: &str = include_str!("../../../tests/data/rule-texts.ini");
const TEXTS: &str = include_str!("../../definition/texts.ini");

#[path = "../../../tests/texts/random.rs"]
mod random;

mod play {
    /// A generator of pseudo-random numbers (xorshift).
    pub struct Chance(pub u64);

    impl Chance {
        pub fn below(&mut self, bound: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as usize % bound
        }
    }
}

use play::Chance;

/// Returns the names of the sections of a text; those of conditions follow a rule set and `+`.
fn ids(text: &str) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix('[') {
            ids.push(rest.split([':', ']']).next().unwrap_or_default().to_owned());
        }
        if line == "condition = true" {
            let name = ids.pop().expect("a section");
            ids.push(format!("fide+{name}"));
        }
    }
    ids
}

/// What an implementation says of a position.
#[derive(PartialEq, Eq, Debug)]
struct Said {
    turns: Vec<(String, String)>,
    check: bool,
    outcome: Option<(String, String)>,
}

fn program_says(game: &AnyGame, text: &str) -> Result<Said, String> {
    with_game!(game, g => {
        let g = g.as_ref();
        let p = fen::read_position(g, text).map_err(|error| error.to_string())?;
        let sorted = turns::sorted(g, &p);
        let after = |p: &Position<_>, turn| fen::print(g, &g.play(p, turn));
        let outcome = g.outcome(&p).to_string();
        Ok(Said {
            turns: sorted.iter().map(|(name, turn)| (name.clone(), after(&p, turn))).collect(),
            check: g.in_check(&p, p.side),
            outcome: outcome.split_once(' ').map(|(who, why)| (who.to_owned(), why.to_owned())),
        })
    })
}

fn naive_says(rules: &TextRules, text: &str) -> Result<Said, String> {
    Ok(Said {
        turns: rules.turns(text)?,
        check: rules.check(text)?,
        outcome: rules.outcome(text)?,
    })
}

/// Plays a random game with both. Returns the first difference.
fn compare(
    game: &AnyGame,
    rules: &TextRules,
    chance: &mut Chance,
    plies: usize,
) -> Result<usize, String> {
    let mut fen = with_game!(game, g => g.variant().start());
    fen = rules.canonical(&fen)?;
    for ply in 0..plies {
        let (ours, naive) = (program_says(game, &fen)?, naive_says(rules, &fen)?);
        if ours != naive {
            let list = |said: &Said| -> Vec<String> {
                said.turns.iter().map(|(turn, after)| format!("{turn} -> {after}")).collect()
            };
            let (a, b) = (list(&ours), list(&naive));
            let only = |a: &[String], b: &[String]| -> Vec<String> {
                a.iter().filter(|line| !b.contains(line)).take(4).cloned().collect()
            };
            return Err(format!(
                "{fen}\n  program: {:?} {:?} {:#?}\n  naive: {:?} {:?} {:#?}",
                ours.check, ours.outcome, only(&a, &b), naive.check, naive.outcome, only(&b, &a)
            ));
        }
        if ours.turns.is_empty() {
            return Ok(ply);
        }
        fen.clone_from(&ours.turns[chance.below(ours.turns.len())].1);
    }
    Ok(plies)
}

#[test]
fn both_implementations_play_rule_texts_alike() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(11);
    let games: usize = std::env::var("GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let wanted = std::env::var("ONLY").ok();
    let mut catalog = Catalog::new();
    catalog.add_text("rule-texts.ini", RULES).expect("the texts are read");
    let file = format!("{TEXTS}\n{RULES}").replace("[fide-text:fide-text]\n", "");
    let mut failed = Vec::new();
    for id in ids(&file) {
        if wanted.as_ref().is_some_and(|wanted| !id.contains(wanted.as_str())) {
            continue;
        }
        let setup = match catalog.open(&id).and_then(|variant| Setup::read(&variant, None)) {
            Ok(setup) => setup,
            Err(error) => {
                failed.push(format!("{id}: {error}"));
                continue;
            }
        };
        let rules = match open(&file, &id.replace("fide+", "fide-text+")) {
            Ok(rules) => rules,
            Err(why) => {
                failed.push(format!("{id}: naive: {why}"));
                continue;
            }
        };
        let mut chance = Chance(seed);
        for n in 0..games {
            let plies = if n % 2 == 0 { 40 } else { 15 };
            if let Err(why) = compare(&setup.game(), &rules, &mut chance, plies) {
                failed.push(format!("{id}: {why}"));
                break;
            }
        }
    }
    assert!(failed.is_empty(), "{}\n{} failed", failed.join("\n"), failed.len());
}

#[test]
fn both_implementations_play_random_texts_alike() {
    let number = |name: &str, default: u64| {
        std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
    };
    let mut chance = Chance(number("SEED", 5));
    let (mut failed, mut positions, mut refused) = (Vec::new(), 0, 0);
    for _ in 0..number("TEXTS", 300) {
        let text = random::text(&mut chance);
        if std::env::var("SHOW").is_ok() {
            eprintln!("---\n{text}");
        }
        let rules = open(&text, "random").unwrap_or_else(|why| panic!("{why}\n{text}"));
        let mut catalog = Catalog::new();
        catalog.add_text("random.ini", &text).expect("the text is read");
        let setup = match catalog.open("random").and_then(|variant| Setup::read(&variant, None)) {
            Ok(setup) => setup,
            Err(error) => {
                refused += 1;
                if rules.start_fen().is_ok() {
                    failed.push(format!("{error}\n{text}"));
                }
                continue;
            }
        };
        match compare(&setup.game(), &rules, &mut chance, 8) {
            Ok(n) => positions += n,
            Err(why) => failed.push(format!("{why}\n{text}")),
        }
    }
    let shown: Vec<String> = failed.iter().take(12).cloned().collect();
    eprintln!("{positions} positions, {refused} refused");
    assert!(failed.is_empty(), "{}\n{} failed", shown.join("\n\n"), failed.len());
}

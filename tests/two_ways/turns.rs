//! Every rule set against the naive second implementation: legal turns, the positions after them,
//! outcomes, and which FENs are accepted. Random games from the start, and random positions with
//! few or many units on full and reduced boards, with random states.
//!
//! `FAIRYPROOF_CASES` sets how many random cases each variant gets.

use crate::random::{Random, crowded, random_fen};
use fairyproof::catalog::Catalog;
use fairyproof::notation::{Setup, fen, turns};
use fairyproof::rules::{Game, VariantInfo, VariantOption};
use fairyproof::{values::Layout, with_setup};
use quickcheck::{Arbitrary, Gen, QuickCheck};
use rayon::prelude::*;

/// Compares one position, given as FEN, and up to `plies` turns of a random game from it. Whether
/// the position is accepted.
pub fn compare(
    variant: &str,
    text: &str,
    plies: usize,
    random: &mut Random,
) -> Result<bool, String> {
    let parsed = Catalog::new().open(variant).map_err(|e| e.to_string())?;
    let fast = Setup::read(&parsed, Some(text));
    let slow = naive::read(variant, text);
    match (fast, slow) {
        (Err(_), Err(_)) => Ok(false),
        (Ok(_), Err(why)) => Err(format!("{text}: only the naive reader refuses it: {why}")),
        (Err(why), Ok(_)) => Err(format!("{text}: only the program refuses it: {why}")),
        (Ok(fast), Ok(slow)) => {
            with_setup!(fast, start => follow(start.game.as_ref(), start.position, slow, plies, random))?;
            Ok(true)
        }
    }
}

fn follow<W: Layout>(
    game: &dyn Game<W>,
    mut p: fairyproof::position::Position<W>,
    mut slow: naive::Game,
    plies: usize,
    random: &mut Random,
) -> Result<(), String> {
    let codec = game.codec(&p);
    for _ in 0..=plies {
        let here = fen::print(game, &p);
        if here != slow.fen() {
            return Err(format!("FEN {here}, naive {}", slow.fen()));
        }
        let mut key = [0; fairyproof::position::KEY_WORDS];
        codec.encode(&p, &mut key);
        if codec.decode::<W>(&key) != p {
            return Err(format!("{here}: its key does not lead back to it"));
        }
        if let Some(wrong) = wrong_successors(game, &codec, &p) {
            return Err(format!("{here}: {wrong}"));
        }
        let outcome = game.outcome(&p).to_string();
        if outcome != slow.outcome() {
            return Err(format!(
                "{here}: outcome {outcome}, naive {}",
                slow.outcome()
            ));
        }
        let legal = turns::sorted(game, &p);
        let naive = slow.turns();
        let texts: Vec<&String> = legal.iter().map(|(text, _)| text).collect();
        let naive_texts: Vec<&String> = naive.iter().map(|(text, _)| text).collect();
        if texts != naive_texts {
            let more: Vec<_> = texts.iter().filter(|t| !naive_texts.contains(t)).collect();
            let less: Vec<_> = naive_texts.iter().filter(|t| !texts.contains(t)).collect();
            return Err(format!("{here}: turns too many {more:?}, missing {less:?}"));
        }
        if game.count(&p) != legal.len() as u64 || game.has_turn(&p) == legal.is_empty() {
            return Err(format!("{here}: counting and listing differ"));
        }
        for ((text, turn), (_, after)) in legal.iter().zip(&naive) {
            let there = fen::print(game, &game.play(&p, turn));
            if there != after.fen() {
                return Err(format!(
                    "{here} {text}: leads to {there}, naive {}",
                    after.fen()
                ));
            }
        }
        let printed = fen::read_position(game, &here).map_err(|e| format!("{here}: {e}"))?;
        if printed != p {
            return Err(format!("{here}: does not read back"));
        }
        if legal.is_empty() {
            return Ok(());
        }
        let choice = random.below(legal.len());
        p = game.play(&p, &legal[choice].1);
        slow = naive.into_iter().nth(choice).expect("as many as legal").1;
    }
    Ok(())
}

/// Returns what is wrong with the keys of the positions after the turns: they are those of the positions that
/// playing the turns gives, in the same order, with what was appended before left alone.
fn wrong_successors<W: Layout>(
    game: &dyn Game<W>,
    codec: &fairyproof::position::Codec,
    p: &fairyproof::position::Position<W>,
) -> Option<String> {
    let mut turns = Vec::new();
    game.turns(p, &mut turns);
    let mut expected = vec![u64::MAX];
    let mut key = [0; fairyproof::position::KEY_WORDS];
    for turn in &turns {
        codec.encode(&game.play(p, turn), &mut key);
        expected.extend_from_slice(&key[..codec.words()]);
    }
    let mut keys = vec![u64::MAX];
    let count = game.successors(p, codec, &mut keys);
    if count as usize != turns.len() {
        return Some(format!("{} turns, {count} successors", turns.len()));
    }
    (keys != expected).then(|| {
        let at = expected.iter().zip(&keys).position(|(a, b)| a != b);
        format!("successors differ from played turns at word {at:?}")
    })
}

/// A seed; shrinking would only find another case.
#[derive(Clone, Copy, Debug)]
struct Seed(u64);

impl Arbitrary for Seed {
    fn arbitrary(g: &mut Gen) -> Seed {
        Seed(u64::arbitrary(g))
    }
}

fn cases() -> u64 {
    std::env::var("FAIRYPROOF_CASES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(400)
}

/// Compares the start arrays, then random positions of each variant, then random games from its start.
fn both_agree(variant: &str) {
    // The naive rules have arrays of their own, from the rule book.
    let parsed = Catalog::new().open(variant).expect("a variant");
    assert_eq!(parsed.start(), naive::start(variant), "{variant}");
    let owned = variant.to_owned();
    let random_positions = move |seed: Seed| -> Result<bool, String> {
        let (mut random, variant) = (Random(seed.0), &owned);
        let text = random_fen(variant, &mut random);
        compare(variant, &text, 6, &mut random).map_err(|e| format!("{variant}: {e}"))?;
        Ok(true)
    };
    let owned = variant.to_owned();
    let games = move |seed: Seed| -> Result<bool, String> {
        let (mut random, variant) = (Random(seed.0), &owned);
        let text = naive::start(variant);
        compare(variant, &text, 40, &mut random).map_err(|e| format!("{variant}: {e}"))?;
        Ok(true)
    };
    // Closures as properties, through function objects that carry the variant.
    struct Property<F>(F);
    impl<F: Fn(Seed) -> Result<bool, String> + 'static> quickcheck::Testable for Property<F> {
        fn result(&self, g: &mut Gen) -> quickcheck::TestResult {
            match (self.0)(Seed::arbitrary(g)) {
                Ok(held) => quickcheck::TestResult::from_bool(held),
                Err(why) => quickcheck::TestResult::error(why),
            }
        }
    }
    QuickCheck::new()
        .tests(8 * cases())
        .quickcheck(Property(random_positions));
    QuickCheck::new()
        .tests(1 + cases() / 40)
        .quickcheck(Property(games));
}

/// Returns a compiled rule set without options, with each of its options, and with all of them.
fn with_options(info: &VariantInfo) -> Vec<String> {
    let numbered = |number: fn((u32, u32)) -> u32| {
        let text = move |option: &VariantOption| match option.range {
            Some(range) => format!("{}={}", option.name, number(range)),
            None => option.name.to_owned(),
        };
        info.options.iter().map(text).collect::<Vec<String>>()
    };
    let (least, few) = (
        numbered(|(least, _)| least),
        numbered(|(_, most)| most.min(12)),
    );
    let mut chosen = [least.clone(), few, vec![least.join(",")]].concat();
    chosen.retain(|options| !options.is_empty());
    chosen.sort();
    chosen.dedup();
    let all = chosen
        .iter()
        .map(|options| format!("{}:{options}", info.id));
    std::iter::once(info.id.to_owned()).chain(all).collect()
}

/// Compiled rule sets without a law of the second implementation have a text, which `tests/texts` compares.
#[test]
fn compiled_rule_sets_agree_with_their_laws() {
    let catalog = Catalog::new();
    let (laws, texts): (Vec<&VariantInfo>, Vec<&VariantInfo>) = fairyproof::variants::all()
        .iter()
        .copied()
        .partition(|info| naive::RuleSets::default().read(info.id, None).is_ok());
    assert!(
        texts.iter().all(|info| catalog.text_of(info.id).is_some()),
        "{texts:?}"
    );
    let all: Vec<String> = laws.into_iter().flat_map(with_options).collect();
    all.par_iter().for_each(|variant| both_agree(variant));
}

/// Compares random positions of a variant on boards of 3 by 3 to 4 by 4 squares. Returns how many satisfy a
/// condition.
fn compare_crowded(variant: &str, cases: usize, counts: impl Fn(&naive::Game) -> bool) -> usize {
    let mut random = Random(11);
    let mut found = 0;
    for _ in 0..cases {
        let (files, ranks) = random.pick(&[(3, 3), (3, 4), (4, 4)]);
        let board = crowded("KkQqrn", files, ranks, &mut random);
        let fen = format!("{board} {} - - 0 1", random.pick(&["w", "b"]));
        let accepted = compare(variant, &fen, 1, &mut random);
        if accepted.unwrap_or_else(|e| panic!("{variant}: {e}")) {
            found += usize::from(counts(
                &naive::read(variant, &fen).expect("an accepted FEN"),
            ));
        }
    }
    found
}

#[test]
fn triple_check_lost_by_forced_check_is_compared_often() {
    let found = compare_crowded("triple-check", 30_000, |game| {
        game.outcome().ends_with(" forced-check")
    });
    assert!(found >= 10, "{found} positions");
}

#[test]
fn submission_with_replies_that_mate_is_compared_often() {
    // A check that has an orthodox reply which mates.
    let found = compare_crowded("submission", 3_000, |game| {
        let orthodox = naive::read("fide", &game.fen()).expect("an orthodox position");
        let checks = orthodox
            .turns()
            .into_iter()
            .filter(|(_, after)| after.in_check());
        let mut replies = checks.flat_map(|(_, after)| after.turns());
        replies.any(|(_, after)| after.outcome().ends_with(" checkmate"))
    });
    assert!(found >= 40, "{found} positions");
}

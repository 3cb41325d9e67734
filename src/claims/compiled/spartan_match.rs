//! Spartan Chess: tests the scoring of a match of two games for all pairs of results.
//!
//! Compiled because the claim is not about positions: the result of a match is a function of two finished
//! games.

use crate::{Effort, Evidence, Finding, Verdict};
use std::collections::BTreeMap;
use variants::spartan::{Ending, MOVES, MatchResult, match_result};

/// Returns every way in which a game of the match can end.
pub fn endings(moves: u32) -> Vec<Ending> {
    (1..=moves)
        .map(Ending::WhiteMated)
        .chain((1..=moves).map(Ending::BlackMated))
        .chain([Ending::Unmated])
        .collect()
}

/// Returns the results that the page's sentences give for two games, one for each sentence that applies.
fn by_the_page(moves: u32, first: Ending, second: Ending) -> Vec<MatchResult> {
    use MatchResult::{Draw, FirstBlack, SecondBlack};
    let mut said = Vec::new();
    // Fewer moves to mate win. A game without mate counts one move more than the games may have.
    let taken = |game: Ending| match game {
        Ending::WhiteMated(n) => Some(n),
        Ending::Unmated => Some(moves + 1),
        Ending::BlackMated(_) => None,
    };
    if let (Some(a), Some(b)) = (taken(first), taken(second)) {
        said.push(match a {
            _ if a < b => FirstBlack,
            _ if b < a => SecondBlack,
            _ => Draw,
        });
    }
    // A side that is checkmated as Black loses the match. If both sides are, the one mated in fewer moves
    // loses, and equal numbers draw.
    let mut mated = |own: Ending, other: Ending, lost: MatchResult, won: MatchResult| {
        if let Ending::BlackMated(lasted) = own {
            said.push(match other {
                Ending::BlackMated(n) if n < lasted => won,
                Ending::BlackMated(n) if n == lasted => Draw,
                _ => lost,
            });
        }
    };
    mated(first, second, SecondBlack, FirstBlack);
    mated(second, first, FirstBlack, SecondBlack);
    said
}

fn kind_of(ending: Ending) -> (&'static str, Option<u32>) {
    match ending {
        Ending::WhiteMated(n) => ("white-mated", Some(n)),
        Ending::BlackMated(n) => ("black-mated", Some(n)),
        Ending::Unmated => ("unmated", None),
    }
}

/// Returns the result as a word.
fn word(result: MatchResult) -> &'static str {
    match result {
        MatchResult::FirstBlack => "first-black",
        MatchResult::SecondBlack => "second-black",
        MatchResult::Draw => "draw",
    }
}

/// Checks the program's match scoring.
pub(super) fn check(_: &Effort) -> Finding {
    matches(match_result)
}

/// Compares a scoring function with the page's sentences, for all pairs of results.
pub fn matches(judge: fn(u32, Ending, Ending) -> MatchResult) -> Finding {
    let all = endings(MOVES);
    let mut table: BTreeMap<(&str, &str, &str, &str), u64> = BTreeMap::new();
    let (mut pairs, mut silent, mut torn, mut other) = (0, 0, 0, 0);
    for &first in &all {
        for &second in &all {
            pairs += 1;
            let said = by_the_page(MOVES, first, second);
            let judged = judge(MOVES, first, second);
            silent += u64::from(said.is_empty());
            torn += u64::from(said.windows(2).any(|two| two[0] != two[1]));
            other += u64::from(said.iter().any(|result| *result != judged));
            let (a, b) = (kind_of(first), kind_of(second));
            let relation = match (a.1, b.1) {
                (Some(a), Some(b)) if a < b => "fewer",
                (Some(a), Some(b)) if a > b => "more",
                (Some(_), Some(_)) => "equal",
                _ => "-",
            };
            *table.entry((a.0, b.0, relation, word(judged))).or_default() += 1;
        }
    }
    let mut evidence = Evidence::new(&[
        "first_game",
        "second_game",
        "moves_of_the_first",
        "winner",
        "pairs",
    ]);
    for ((first, second, relation, winner), n) in table {
        evidence.row([first, second, relation, winner, &n.to_string()]);
    }
    let summary = format!(
        "{pairs} pairs of results of {MOVES} moves at most: the page says nothing of {silent}, \
         contradicts itself on {torn}, and is judged otherwise on {other}"
    );
    let mut finding = Finding::exhaustive(silent + torn + other == 0, summary, evidence);
    if silent + torn > 0 {
        finding.verdict = Verdict::Refuted;
    }
    finding
}

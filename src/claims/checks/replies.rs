//! Printed lists of replies: checks whether they contain exactly the legal turns of a position.
//!
//! A printed text can mean several turns. Texts and turns are matched so that as many texts as possible have a
//! turn of their own, so the verdict does not depend on the order of the list.

use crate::file::Text;
use crate::subject::Subject;
use crate::{Evidence, Finding, Scope, Verdict};
use control::counted;
use diagnostics::Diagnostic;
use notation::{Start, fen, turns, with_setup};
use position::Layout;

/// A printed list compared with the legal turns.
struct Compared {
    fen: String,
    /// Each printed turn, with the legal turn that it means in coordinate notation, if there is one.
    printed: Vec<(String, Option<String>)>,
    /// Legal turns that are not printed.
    missing: Vec<String>,
}

/// Returns the printed turns. Commas separate them, or blanks if the list has no comma.
fn items(list: &str) -> Vec<&str> {
    let separated: Vec<&str> = match list.contains(',') {
        true => list.split(',').map(str::trim).collect(),
        false => list.split_whitespace().collect(),
    };
    separated
        .into_iter()
        .filter(|item| !item.is_empty())
        .collect()
}

fn compared<W: Layout>(list: &Text, start: &Start<W>) -> Compared {
    let (game, p) = (start.game.as_ref(), &start.position);
    let legal: Vec<String> = turns::sorted(game, p)
        .into_iter()
        .map(|(text, _)| text)
        .collect();
    let items = items(&list.value);
    let meant = items.iter().map(|item| {
        let meant = turns::matching(game, p, item);
        let texts = meant.iter().map(|turn| turns::print(game, p, turn));
        texts
            .filter_map(|text| legal.iter().position(|legal| *legal == text))
            .collect()
    });
    let meant: Vec<Vec<usize>> = meant.collect();
    let owners = matching(&meant, legal.len());
    let turn_of = |item: usize| owners.iter().position(|owner| *owner == Some(item));
    let printed = items.iter().enumerate().map(|(at, item)| {
        let turn = turn_of(at).map(|turn| legal[turn].clone());
        (item.to_string(), turn)
    });
    let missing = owners
        .iter()
        .zip(&legal)
        .filter(|(owner, _)| owner.is_none());
    Compared {
        fen: fen::print(game, p),
        printed: printed.collect(),
        missing: missing.map(|(_, turn)| turn.clone()).collect(),
    }
}

/// Returns, for each of `turns` turns, the item that is matched with it, in a matching with the most pairs.
/// `meant` lists the turns that each item may mean.
///
/// Each item searches for an augmenting path, as in the Hungarian algorithm: a turn that it means and that is
/// free, or whose item can take another turn. Time O(items * pairs).
fn matching(meant: &[Vec<usize>], turns: usize) -> Vec<Option<usize>> {
    let mut owners: Vec<Option<usize>> = vec![None; turns];
    for item in 0..meant.len() {
        // By turn, the item from which the search has reached it.
        let mut reached_from: Vec<Option<usize>> = vec![None; turns];
        let mut queue = std::collections::VecDeque::from([item]);
        let mut free = None;
        while let (None, Some(from)) = (free, queue.pop_front()) {
            for &turn in &meant[from] {
                if reached_from[turn].is_some() {
                    continue;
                }
                reached_from[turn] = Some(from);
                match owners[turn] {
                    Some(owner) => queue.push_back(owner),
                    None => {
                        free = Some(turn);
                        break;
                    }
                }
            }
        }
        // Along the path, each item gives up its turn for the next.
        while let Some(turn) = free {
            let from = reached_from[turn];
            free = owners.iter().position(|owner| *owner == from);
            owners[turn] = from;
        }
    }
    owners
}

/// Checks that a list has turns.
///
/// # Errors
/// If the list is empty, with its place in the file.
pub fn validate(list: &Text, subject: &Subject<'_>) -> Result<(), Diagnostic> {
    match items(&list.value).is_empty() {
        true => Err(subject.file.error(&list.span, "the list has no turn")),
        false => Ok(()),
    }
}

impl Compared {
    fn wrong(&self) -> Vec<&str> {
        let wrong = self.printed.iter().filter(|(_, turn)| turn.is_none());
        wrong.map(|(item, _)| item.as_str()).collect()
    }

    fn finding(&self, verdict: Verdict, summary: String) -> Finding {
        let mut evidence = Evidence::new(&["fen", "printed", "turn", "legal"]);
        for (item, turn) in &self.printed {
            evidence.row([
                self.fen.clone(),
                item.clone(),
                turn.clone().unwrap_or_default(),
                turn.is_some().to_string(),
            ]);
        }
        for turn in &self.missing {
            evidence.row([
                self.fen.clone(),
                String::new(),
                turn.clone(),
                "true".to_owned(),
            ]);
        }
        Finding {
            verdict,
            scope: Scope::Exhaustive,
            summary,
            evidence,
        }
    }

    fn counts(&self) -> String {
        let legal = self.printed.len() - self.wrong().len() + self.missing.len();
        let legal = counted(legal, "legal turn", "legal turns");
        format!("{legal}, {} printed", self.printed.len())
    }
}

/// Verifies a list.
pub fn run(list: &Text, subject: &Subject<'_>) -> Finding {
    let compared = with_setup!(&subject.setup, start => compared(list, start));
    let mut faults = Vec::new();
    if !compared.wrong().is_empty() {
        faults.push(format!(
            "printed, but not a further legal turn: {}",
            compared.wrong().join(", ")
        ));
    }
    if !compared.missing.is_empty() {
        faults.push(format!(
            "legal, but not printed: {}",
            compared.missing.join(", ")
        ));
    }
    let counts = compared.counts();
    match faults.is_empty() {
        true => compared.finding(Verdict::Confirmed, format!("{counts}, the same ones")),
        false => compared.finding(Verdict::Refuted, format!("{counts}; {}", faults.join("; "))),
    }
}

/// Corrects a list in which at most `replaced` turns are wrong and at most `inserted` turns are missing.
pub fn amended(
    list: &Text,
    subject: &Subject<'_>,
    max_wrong: usize,
    max_missing: usize,
    printed: Finding,
) -> Finding {
    let compared = with_setup!(&subject.setup, start => compared(list, start));
    let (wrong, missing) = (compared.wrong(), &compared.missing);
    let inserted = missing.len().checked_sub(wrong.len());
    let fits = wrong.len() <= max_wrong && inserted.is_some_and(|n| n <= max_missing);
    if !fits {
        let summary = format!("{}; no correction makes it true", printed.summary);
        return Finding { summary, ..printed };
    }
    let change = match wrong.is_empty() {
        true => format!("insert {}", missing.join(", ")),
        false => format!("{} for {}", missing.join(", "), wrong.join(", ")),
    };
    let size = counted(missing.len(), "correction", "corrections");
    let summary = format!("{}; true with {size}: {change}", compared.counts());
    compared.finding(Verdict::ConfirmedAsAmended, summary)
}

#[cfg(test)]
mod tests {
    use super::matching;
    use control::Random;

    /// Returns the most pairs of items and turns, by trying everything.
    fn most(meant: &[Vec<usize>], taken: u32) -> usize {
        let Some((first, rest)) = meant.split_first() else {
            return 0;
        };
        let free = first.iter().filter(|turn| taken >> **turn & 1 == 0);
        let with = free.map(|turn| 1 + most(rest, taken | 1 << turn));
        with.max().unwrap_or(0).max(most(rest, taken))
    }

    #[test]
    fn random_items_are_matched_with_as_many_turns_as_possible() {
        let mut random = Random::numbered(5, 0);
        for _ in 0..500 {
            let turns = 1 + random.scaled_below(6);
            let items = random.scaled_below(7);
            let meant: Vec<Vec<usize>> = (0..items)
                .map(|_| (0..turns).filter(|_| random.scaled_below(3) == 0).collect())
                .collect();
            let owners = matching(&meant, turns);
            let mut matched: Vec<usize> = owners.iter().flatten().copied().collect();
            assert_eq!(matched.len(), most(&meant, 0), "{meant:?} {owners:?}");
            matched.sort_unstable();
            matched.dedup();
            assert_eq!(matched.len(), most(&meant, 0), "{meant:?} {owners:?}");
            for (turn, owner) in owners.iter().enumerate() {
                assert!(owner.is_none_or(|owner| meant[owner].contains(&turn)));
            }
        }
    }
}

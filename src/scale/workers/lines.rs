//! Lines of best play from some states. The first worker walks them, and the other workers send it values.

use super::certify::{RequestedValues, WorkerValues};
use super::exchange::{Next, Post, Work};
use super::message::{Kind, Message};
use super::{Failed, Shared};
use crate::summary::Counts;
use crate::{Farthest, SolvedSummary};
use explore::Expander;
use std::collections::HashMap;
use values::{BestLine, LineEnd, Packed, Value};

/// The turns of a state with the keys that they lead to, in byte order of their texts.
type Turns = Vec<(String, Vec<u64>)>;

/// A line that is being walked.
struct Walk {
    key: Vec<u64>,
    turns: Vec<String>,
    passed: HashMap<Vec<u64>, usize>,
    /// The turns of the current state with the values that are awaited, if any.
    choice: Option<(Turns, RequestedValues)>,
}

struct Walking<'w, 'k> {
    game: &'w Expander<'w>,
    known: &'w mut WorkerValues<'k>,
    /// The states from which lines begin, the next one last.
    starts: Vec<Vec<u64>>,
    walk: Option<Walk>,
    lines: Vec<Option<BestLine>>,
    number: u64,
}

impl Walking<'_, '_> {
    /// Continues a line. Returns `None` if values are awaited, `Some(None)` if a turn leads out of the graph,
    /// and otherwise the line once it has ended.
    fn go_on(&mut self, post: &mut Post<'_>, walk: &mut Walk) -> Option<Option<BestLine>> {
        let ended = |turns: &mut Vec<String>, end| {
            let turns = std::mem::take(turns);
            Some(Some(BestLine { turns, end }))
        };
        loop {
            let (turns, asked) = match walk.choice.take() {
                Some(choice) => choice,
                None => {
                    if let Some(&at) = walk.passed.get(&walk.key) {
                        return ended(&mut walk.turns, LineEnd::Repeats(at));
                    }
                    walk.passed.insert(walk.key.clone(), walk.turns.len());
                    let turns = self.game.turns(&walk.key);
                    let keys: Vec<u64> = turns.iter().flat_map(|(_, key)| key).copied().collect();
                    self.number += 1;
                    let asked = self.known.ask(post, self.number, &keys);
                    (turns, asked)
                }
            };
            if asked.awaited > 0 {
                walk.choice = Some((turns, asked));
                return None;
            }
            let mut best: Option<(Value, usize)> = None;
            for (i, &packed) in asked.values.iter().enumerate() {
                let Some(value) = Packed(packed).value() else {
                    return Some(None);
                };
                // The values are the opponent's, so the lowest one is best. Of equal ones, the first in byte
                // order counts.
                if best.is_none_or(|(least, _)| value < least) {
                    best = Some((value, i));
                }
            }
            let Some((_, best)) = best else {
                let outcome = self.game.outcome(&walk.key);
                return ended(&mut walk.turns, LineEnd::Outcome(outcome));
            };
            if let Some((text, key)) = turns.into_iter().nth(best) {
                walk.turns.push(text);
                walk.key = key;
            }
        }
    }
}

impl Work for Walking<'_, '_> {
    fn produce(&mut self, post: &mut Post<'_>) -> Result<Next, Failed> {
        if post.me() > 0 {
            return Ok(Next::Finished);
        }
        let walk = self.walk.take().or_else(|| {
            self.starts.pop().map(|key| Walk {
                key,
                turns: Vec::new(),
                passed: HashMap::new(),
                choice: None,
            })
        });
        let Some(mut walk) = walk else {
            return Ok(Next::Finished);
        };
        match self.go_on(post, &mut walk) {
            Some(line) => {
                self.lines.push(line);
                Ok(Next::More)
            }
            None => {
                self.walk = Some(walk);
                Ok(Next::Wait)
            }
        }
    }

    fn handle(&mut self, post: &mut Post<'_>, message: Message) -> Result<(), Failed> {
        if message.kind == Kind::Ask {
            self.known.answer(post, &message);
        } else if let Some((_, words)) = message.words.split_first()
            && let Some((_, asked)) = self.walk.as_mut().and_then(|walk| walk.choice.as_mut())
        {
            asked.hear(message.from as usize, words);
        }
        Ok(())
    }
}

/// Returns the summary of the values, with lines of best play.
pub(super) fn add(
    post: &mut Post<'_>,
    shared: &Shared<'_>,
    known: &mut WorkerValues<'_>,
    root: Value,
    census: &Counts,
    certified: Option<(u64, u64)>,
) -> Result<SolvedSummary, Failed> {
    let mut starts = vec![shared.task.game.root().to_vec()];
    starts.extend(
        [&census.longest_win, &census.longest_weak_win]
            .into_iter()
            .flatten()
            .map(|far| far.2.clone()),
    );
    starts.reverse();
    let mut walking = Walking {
        game: shared.task.game,
        known,
        starts,
        walk: None,
        lines: Vec::new(),
        number: 0,
    };
    post.phase(&mut walking)?;
    let mut lines = walking.lines.into_iter();
    let mut line = || lines.next().flatten();
    let root_line = line();
    let longest = [&census.longest_win, &census.longest_weak_win].map(|far| {
        far.as_ref().map(|(plies, _, key)| Farthest {
            plies: *plies,
            key: key.clone(),
            line: line(),
        })
    });
    Ok(SolvedSummary {
        root,
        root_line,
        census: census.with_longest(longest),
        certified_states: certified.map(|(states, _)| states),
        faulty_states: certified.map(|(_, faulty)| faulty),
    })
}

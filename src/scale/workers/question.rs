//! Questions about the states of all workers: counts by group, and the nearest state with a shortest line to
//! it.

use super::flow::Flow;
use super::part::WorkerStates;
use super::{Failed, Shared};
use crate::predecessor::least_predecessor;
use control::{Control, Stopped};
use explore::{Group, Groups, Nearest, Successors};
use std::ops::Range;

/// States that a worker examines at a time.
const BLOCK: usize = 1 << 12;

/// The reasons that stop an examination. Of several, the first one is reported.
const STOPS: [Stopped; 2] = [Stopped::Interrupted, Stopped::Time];

/// Examines states by their keys.
pub trait Examiner: Sync {
    /// Adds the results for some states at one depth to `answer`.
    ///
    /// # Errors
    /// If the examination is stopped.
    fn examine(
        &self,
        keys: &[u64],
        depth: u32,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), Stopped>;
}

/// A question, which is equal in all processes of a run.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    /// The text of the question, which must be equal in all processes.
    pub text: &'q str,
    /// Examines the states of a worker.
    pub examiner: &'q dyn Examiner,
}

/// The answer to a question, about the states of complete levels.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// The numbers of states by group.
    pub groups: Groups,
    /// The nearest state. Of several at one distance, the one with the lowest key.
    pub nearest: Nearest,
    /// The keys along a shortest line from the root to that state.
    pub line: Vec<Vec<u64>>,
    /// The reason why the examination was stopped, if it was.
    pub stopped: Option<Stopped>,
}

/// A worker's answer as it is sent, without a line: groups by number or text, the nearest state, and the index in
/// [`STOPS`] of the reason why the worker stopped.
type PackedAnswer = (Vec<(Result<i64, String>, u64)>, Nearest, Option<usize>);

impl Answer {
    /// Adds the answer about other states.
    pub fn add(&mut self, other: Answer) {
        for (group, states) in other.groups {
            *self.groups.entry(group).or_default() += states;
        }
        self.nearest = [self.nearest.take(), other.nearest]
            .into_iter()
            .flatten()
            .min();
        let stopped = [self.stopped, other.stopped];
        self.stopped = STOPS
            .into_iter()
            .find(|stop| stopped.contains(&Some(*stop)));
    }

    fn pack(self) -> PackedAnswer {
        let groups = self.groups.into_iter().map(|(group, states)| match group {
            Group::Number(number) => (Ok(number), states),
            Group::Text(text) => (Err(text), states),
        });
        let stopped = STOPS.iter().position(|stop| self.stopped == Some(*stop));
        (groups.collect(), self.nearest, stopped)
    }

    fn unpack((groups, nearest, stopped): PackedAnswer) -> Answer {
        let groups = groups.into_iter().map(|(group, states)| {
            let group = group.map_or_else(Group::Text, Group::Number);
            (group, states)
        });
        Answer {
            groups: groups.collect(),
            nearest,
            line: Vec::new(),
            stopped: stopped.and_then(|at| STOPS.get(at).copied()),
        }
    }
}

/// Answers the question of a run, together with all other workers.
pub(super) fn answer(
    flow: &mut Flow<'_>,
    shared: &Shared<'_>,
    part: &WorkerStates,
) -> Result<Option<Answer>, Failed> {
    let Some(question) = shared.task.question else {
        return Ok(None);
    };
    let own = flow.meanwhile(|control| {
        let mut own = Answer::default();
        for (depth, level) in part.levels.windows(2).enumerate() {
            for ids in blocks(level[0]..level[1]) {
                if own.stopped.is_some() {
                    break;
                }
                let keys = part.keys(ids);
                let examined = question
                    .examiner
                    .examine(&keys, depth as u32, control, &mut own);
                own.stopped = examined.err().or(control.check().err());
            }
        }
        own
    })?;
    let mut all = Answer::default();
    for share in flow.gather(&own.pack())? {
        all.add(Answer::unpack(share));
    }
    if let (Some((depth, key)), false) = (all.nearest.clone(), all.stopped.is_some()) {
        all.line = line_to(flow, shared, part, key, depth)?;
    }
    Ok(Some(all))
}

/// Returns the keys along a shortest line from the root to a state, which all workers find together. Of
/// several predecessors, the line takes the one with the lowest key.
fn line_to(
    flow: &mut Flow<'_>,
    shared: &Shared<'_>,
    part: &WorkerStates,
    key: Vec<u64>,
    depth: u32,
) -> Result<Vec<Vec<u64>>, Failed> {
    let mut line = vec![key];
    let mut successors = Successors::default();
    for depth in (0..depth as usize).rev() {
        let next = &line[line.len() - 1];
        let mut least = None;
        for ids in blocks(part.levels[depth]..part.levels[depth + 1]) {
            let keys = part.keys(ids);
            shared.task.game.expand(&keys, &mut successors);
            least = least_predecessor(&keys, &successors, next, least);
        }
        let shares = flow.gather(&least)?;
        line.extend(shares.into_iter().flatten().min());
    }
    line.reverse();
    Ok(line)
}

fn blocks(ids: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = ids.end;
    ids.step_by(BLOCK)
        .map(move |from| from..(from + BLOCK).min(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn answers_are_unpacked_as_packed(numbers: Vec<i64>, texts: Vec<String>, key: Option<u64>) -> bool {
            let groups = numbers.into_iter().map(Group::Number);
            let groups = groups.chain(texts.into_iter().map(Group::Text));
            let answer = Answer {
                groups: groups.zip(1..).collect(),
                nearest: key.map(|key| (7, vec![key, 1])),
                ..Answer::default()
            };
            Answer::unpack(answer.clone().pack()) == answer
        }
    }
}

//! Queries about the states of a graph, written as expressions: the nearest state for which a condition
//! holds, with a shortest line to this state, and the number of states by group.

use crate::{Exploration, GameGraph, Layout, Limits, StateId, explore_levels};
use control::{Control, Stopped};
use fixedbitset::FixedBitSet;
use language::{Expression, Interrupted, Oracle, Subject, Type};
use per_layout::per_layout;
use position::{Codec, KEY_WORDS, Position};
use rayon::prelude::*;
use rules::{Game, Turn};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of states that a thread evaluates at a time.
const CHUNK: usize = 4096;

/// A query: a condition on the states of a graph, and the means to evaluate it.
pub struct Query<'a, W: Layout> {
    /// The rule set.
    pub game: &'a dyn Game<W>,
    /// The condition.
    pub condition: &'a Expression,
    /// Whether states match if the condition holds (true) or if it does not hold (false).
    pub wanted: bool,
    /// The values of states, if they are known.
    pub oracle: Option<&'a (dyn Oracle<W> + Sync)>,
    /// Stops the evaluation.
    pub control: &'a Control<'a>,
}

/// The value of a grouping expression.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Group {
    /// A number.
    Number(i64),
    /// Any other value, as text.
    Text(String),
}

impl Group {
    /// Returns the group of a subject: the value of a grouping expression.
    ///
    /// # Errors
    /// If the subject's stop interrupted the evaluation.
    pub fn of<W: Layout>(by: &Expression, subject: &Subject<'_, W>) -> Result<Group, Interrupted> {
        Ok(match by.result() {
            Type::INT => Group::Number(by.number(subject)?),
            _ => Group::Text(by.answer(subject)?.text),
        })
    }
}

impl Group {
    /// Returns the memory that the group takes: its text, its place in the tree, and that of the allocator.
    fn bytes(&self) -> u64 {
        const GROUP_BYTES: u64 = 96;
        match self {
            Group::Number(_) => GROUP_BYTES,
            Group::Text(text) => GROUP_BYTES + text.len() as u64,
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Group::Number(number) => number.fmt(f),
            Group::Text(text) => f.write_str(text),
        }
    }
}

/// The numbers of states by group, in increasing order.
pub type Groups = BTreeMap<Group, u64>;

/// Groups, unless the evaluation was stopped.
type Grouped = Result<Groups, Stopped>;
/// A matching state if there is one, unless the evaluation was interrupted.
type FirstState = Result<Option<StateId>, Interrupted>;
/// A set of states, unless the evaluation was interrupted.
type StateSet = Result<FixedBitSet, Interrupted>;
/// The ranges of states at the distances 0, 1 and so on.
pub type Levels = [Range<usize>];

/// The result of a search for a matching state.
pub struct Witness {
    /// The states that were explored.
    pub found: Exploration,
    /// The matching state, if one was found.
    pub state: Option<StateId>,
    /// A shortest line of turns to the state.
    pub line: Vec<Turn>,
}

impl<W: Layout> Query<'_, W> {
    /// Returns a state as the subject of expressions.
    fn subject<'s>(
        &'s self,
        position: &'s Position<W>,
        depth: u32,
        reads_graph: bool,
        stop: &'s dyn Fn() -> bool,
    ) -> Subject<'s, W> {
        Subject {
            oracle: self.oracle.map(|oracle| oracle as &dyn Oracle<W>),
            depth,
            out_degree: match reads_graph {
                true => self.game.count(position) as u32,
                false => 0,
            },
            stop: Some(stop),
            ..Subject::new(self.game, position)
        }
    }

    fn stopped(&self) -> bool {
        self.control.check().is_err()
    }

    /// Returns why an evaluation was interrupted.
    fn why_stopped(&self) -> Stopped {
        self.control.check().err().unwrap_or(Stopped::Interrupted)
    }

    /// Counts a state if it matches the query.
    fn count(
        &self,
        subject: &Subject<'_, W>,
        by: Option<&Expression>,
        counter: &GroupCounter,
        groups: &mut Groups,
    ) -> Result<(), Stopped> {
        let interrupted = |Interrupted| self.why_stopped();
        if self.condition.holds(subject).map_err(interrupted)? == self.wanted {
            let group = match by {
                None => Group::Text(String::new()),
                Some(by) => Group::of(by, subject).map_err(interrupted)?,
            };
            counter.add(groups, group, 1)?;
        }
        Ok(())
    }
}

/// Adds up groups within a limit of memory. Several threads count at the same time.
#[derive(Debug)]
pub struct GroupCounter {
    max_bytes: u64,
    /// Bytes of all groups of all threads.
    bytes: AtomicU64,
}

impl GroupCounter {
    /// Returns a counter of groups that take at most `max_bytes`.
    pub fn new(max_bytes: u64) -> GroupCounter {
        let bytes = AtomicU64::new(0);
        GroupCounter { max_bytes, bytes }
    }

    fn add(&self, groups: &mut Groups, group: Group, states: u64) -> Result<(), Stopped> {
        match groups.entry(group) {
            Entry::Occupied(mut known) => *known.get_mut() += states,
            Entry::Vacant(new) => {
                let bytes = new.key().bytes();
                if self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes > self.max_bytes {
                    return Err(Stopped::Memory);
                }
                new.insert(states);
            }
        }
        Ok(())
    }

    /// Returns the sum of two counts.
    ///
    /// # Errors
    /// If it takes more memory than the limit allows.
    pub fn joined(&self, mut a: Groups, b: Groups) -> Result<Groups, Stopped> {
        for (group, states) in b {
            // The group moves, or vanishes into an equal one.
            self.bytes.fetch_sub(group.bytes(), Ordering::Relaxed);
            self.add(&mut a, group, states)?;
        }
        Ok(a)
    }
}

/// Searches breadth first for the nearest state that matches a query. Of several such states at the same
/// distance, the one found first is returned. Values of states are not computed.
#[per_layout]
pub fn find_state<W: Layout>(query: &Query<'_, W>, root: &Position<W>, limits: &Limits) -> Witness {
    let (mut levels, mut state, mut interrupted) = (Vec::new(), None, false);
    let mut found = explore_levels(
        query.game,
        root,
        limits,
        query.control,
        &mut |found, level| {
            let depth = levels.len() as u32;
            levels.push(level.clone());
            match first_state(query, found, level, depth) {
                Ok(first) => state = first,
                Err(Interrupted) => interrupted = true,
            }
            state.is_none() && !interrupted
        },
    );
    if interrupted {
        found.summary.limit = Some(query.control.check().err().unwrap_or(Stopped::Interrupted));
    }
    let line = state.map_or(Vec::new(), |state| {
        line_to(query.game, &found, &levels, state)
    });
    Witness { found, state, line }
}

/// Returns the first matching state of a range of states that are all at one depth.
///
/// # Errors
/// If the query's stop interrupted the evaluation.
#[per_layout]
pub fn first_state<W: Layout>(
    query: &Query<'_, W>,
    found: &Exploration,
    range: Range<usize>,
    depth: u32,
) -> FirstState {
    let stop = || query.stopped();
    let reads_graph = query.condition.reads_graph();
    let first_of = |from: usize| {
        let ids = from..(from + CHUNK).min(range.end);
        if stop() {
            return Some(Err(Interrupted));
        }
        ids.map(|id| id as StateId).find_map(|id| {
            let position = found.position::<W>(id);
            match query
                .condition
                .holds(&query.subject(&position, depth, reads_graph, &stop))
            {
                Ok(holds) => (holds == query.wanted).then_some(Ok(id)),
                Err(Interrupted) => Some(Err(Interrupted)),
            }
        })
    };
    let chunks = range.len().div_ceil(CHUNK);
    let start = range.start;
    (0..chunks)
        .into_par_iter()
        .find_map_first(|chunk| first_of(start + chunk * CHUNK))
        .transpose()
}

/// Counts the matching states, by the value of a second expression if one is given. Without such an
/// expression, the only group is the empty text.
///
/// # Errors
/// If the query's control stopped the evaluation, or the groups take more memory than it allows.
#[per_layout]
pub fn count_states<W: Layout>(
    query: &Query<'_, W>,
    found: &Exploration,
    by: Option<&Expression>,
) -> Grouped {
    let stop = || query.stopped();
    let reads_graph = query.condition.reads_graph() || by.is_some_and(Expression::reads_graph);
    let edges = found.graph.as_ref().map_or(0, GameGraph::bytes);
    let taken = found.states.bytes() + edges;
    let counter = GroupCounter::new(query.control.memory_bytes().saturating_sub(taken));
    let mut groups = Groups::new();
    let mut start = 0;
    for row in &found.summary.depths {
        let end = start + row.states as usize;
        let count_of = |from: usize| -> Grouped {
            let mut groups = Groups::new();
            for id in from..(from + CHUNK).min(end) {
                let position = found.position::<W>(id as StateId);
                let subject = query.subject(&position, row.depth, reads_graph, &stop);
                query.count(&subject, by, &counter, &mut groups)?;
            }
            query.control.check()?;
            Ok(groups)
        };
        let level = (start..end)
            .into_par_iter()
            .step_by(CHUNK)
            .map(count_of)
            .try_reduce(Groups::new, |a, b| counter.joined(a, b))?;
        groups = counter.joined(groups, level)?;
        start = end;
    }
    Ok(groups)
}

/// States that are given by their keys, for searches that store states elsewhere.
pub struct KeyedStates<'a> {
    /// Decodes the keys.
    pub codec: &'a Codec,
    /// The keys of the states, one after the other.
    pub keys: &'a [u64],
    /// The distance of each state from the root, in plies.
    pub depths: &'a [u32],
}

/// A state as its distance from the root and its key.
pub type Nearest = Option<(u32, Vec<u64>)>;
/// The nearest state, unless the evaluation was interrupted.
type FoundNearest = Result<Nearest, Interrupted>;

impl KeyedStates<'_> {
    /// Returns the states in chunks, as keys and depths.
    fn chunks(&self) -> impl IndexedParallelIterator<Item = (&[u64], &[u32])> {
        let words = self.codec.words();
        let keys = self.keys.par_chunks(CHUNK * words);
        keys.zip(self.depths.par_chunks(CHUNK))
    }
}

/// Returns the nearest matching state. Of several at the same distance, the state with the smallest key is
/// returned.
///
/// # Errors
/// If the query's stop interrupted the evaluation.
#[per_layout]
pub fn nearest_key<W: Layout>(query: &Query<'_, W>, states: &KeyedStates<'_>) -> FoundNearest {
    let stop = || query.stopped();
    let reads_graph = query.condition.reads_graph();
    let words = states.codec.words();
    let nearest_of = |(keys, depths): (&[u64], &[u32])| {
        let mut nearest: Nearest = None;
        for (key, &depth) in keys.chunks_exact(words).zip(depths) {
            let closer = |(known, least): &(u32, Vec<u64>)| (depth, key) < (*known, &least[..]);
            if !nearest.as_ref().is_none_or(closer) {
                continue;
            }
            let position = states.codec.decode(key);
            let subject = query.subject(&position, depth, reads_graph, &stop);
            if query.condition.holds(&subject)? == query.wanted {
                nearest = Some((depth, key.to_vec()));
            }
        }
        match stop() {
            true => Err(Interrupted),
            false => Ok(nearest),
        }
    };
    let nearer = |a: Nearest, b: Nearest| Ok([a, b].into_iter().flatten().min());
    states.chunks().map(nearest_of).try_reduce(|| None, nearer)
}

/// Counts the matching states, by the value of a second expression if one is given. Without such an
/// expression, the only group is the empty text.
///
/// # Errors
/// If the query's control stopped the evaluation, or the groups take more memory than it allows.
#[per_layout]
pub fn count_keys<W: Layout>(
    query: &Query<'_, W>,
    states: &KeyedStates<'_>,
    by: Option<&Expression>,
    counter: &GroupCounter,
) -> Grouped {
    let stop = || query.stopped();
    let reads_graph = query.condition.reads_graph() || by.is_some_and(Expression::reads_graph);
    let words = states.codec.words();
    let count_of = |(keys, depths): (&[u64], &[u32])| {
        let mut groups = Groups::new();
        for (key, &depth) in keys.chunks_exact(words).zip(depths) {
            let position = states.codec.decode(key);
            let subject = query.subject(&position, depth, reads_graph, &stop);
            query.count(&subject, by, counter, &mut groups)?;
        }
        query.control.check()?;
        Ok(groups)
    };
    states
        .chunks()
        .map(count_of)
        .try_reduce(Groups::new, |a, b| counter.joined(a, b))
}

/// Returns the matching states.
///
/// # Errors
/// If the query's stop interrupted the evaluation.
#[per_layout]
pub fn states_where<W: Layout>(query: &Query<'_, W>, found: &Exploration) -> StateSet {
    let stop = || query.stopped();
    let reads_graph = query.condition.reads_graph();
    let mut states = FixedBitSet::with_capacity(found.states.len());
    let mut start = 0;
    for row in &found.summary.depths {
        let end = start + row.states as usize;
        let of_chunk = |from: usize| -> Result<Vec<usize>, Interrupted> {
            let mut chosen = Vec::new();
            for id in from..(from + CHUNK).min(end) {
                let position = found.position::<W>(id as StateId);
                let subject = query.subject(&position, row.depth, reads_graph, &stop);
                if query.condition.holds(&subject)? == query.wanted {
                    chosen.push(id);
                }
            }
            match stop() {
                true => Err(Interrupted),
                false => Ok(chosen),
            }
        };
        let chunks = (start..end).into_par_iter().step_by(CHUNK);
        let chosen: Vec<Vec<usize>> = chunks.map(of_chunk).collect::<Result<_, _>>()?;
        states.extend(chosen.into_iter().flatten());
        start = end;
    }
    Ok(states)
}

/// Returns a shortest line of turns from the root to a state. `levels` are the ranges of states at the
/// distances 0, 1 and so on. One of the ranges must contain the state.
#[per_layout]
pub fn line_to<W: Layout>(
    game: &dyn Game<W>,
    found: &Exploration,
    levels: &Levels,
    state: StateId,
) -> Vec<Turn> {
    let depth = levels
        .iter()
        .position(|level| level.contains(&(state as usize)));
    let mut path = vec![state];
    for level in levels[..depth.unwrap_or(0)].iter().rev() {
        let target = found.states.key(path[path.len() - 1]);
        let leads = |id: &usize| {
            let position = found.position::<W>(*id as StateId);
            let mut keys = Vec::with_capacity(64 * KEY_WORDS);
            game.successors(&position, &found.codec, &mut keys);
            keys.chunks_exact(found.states.words())
                .any(|key| key == target)
        };
        let previous = level.clone().into_par_iter().find_first(leads);
        path.extend(previous.map(|id| id as StateId));
    }
    path.reverse();
    found.turns_along(game, &path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_stay_within_their_memory() {
        let counter = GroupCounter::new(10 * Group::Number(0).bytes());
        let count = |numbers: Range<i64>| {
            let mut groups = Groups::new();
            for number in numbers {
                counter.add(&mut groups, Group::Number(number), 1)?;
            }
            Ok::<Groups, Stopped>(groups)
        };
        let (a, b) = (count(0..5).expect("five"), count(2..7).expect("five more"));
        let both = counter.joined(a, b).expect("seven");
        assert_eq!((both.len(), both[&Group::Number(3)]), (7, 2));
        let rest = count(10..13).expect("three more");
        assert_eq!(count(20..21), Err(Stopped::Memory));
        assert_eq!(rest.len(), 3);
        let long = Group::Text("x".repeat(100));
        assert!(long.bytes() > 100);
    }
}

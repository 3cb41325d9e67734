//! Breadth-first search on disk, level by level. The states are in sorted runs.

use super::budget::Budget;
use super::expand::Batch;
use super::folder::{Folder, Named, Question, VALUES};
use super::limits::Limits;
use super::records::Stream;
use super::run::{Run, RunReader, Writer};
use super::spill::{Spill, merged};
use super::{Failed, damaged};
use crate::check_limits;
use crate::summary::Counts;
use control::{Control, Counted, Stopped};
use diagnostics::Diagnostic;
use explore::{Expander, Frontier, LevelCount, Successors, Summary, search_levels};
use rayon::prelude::*;
use rules::Outcome;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Bits for the number of a turn within its state, in an order of discovery.
const TURN_BITS: u32 = 20;

/// Records between two checks of the stop flag.
const OFTEN: u64 = 1 << 16;

/// An outcome of expanded states, as the state file has it. The reason of the outcome is found again by
/// expanding the example.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct End {
    outcome: String,
    states: u64,
    example: Vec<u64>,
}

/// A complete level, as the state file has it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct LevelRow {
    states: u64,
    terminals: u64,
    edges: u64,
    least: u64,
    most: u64,
}

/// The contents of the state file: the finished work, and the files that hold it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct DiskState {
    question: Question,
    root: Vec<u64>,
    /// Whether levels are in the order in which the search in memory finds their states: an ordered search.
    ordered: bool,
    /// The levels that were expanded.
    rows: Vec<LevelRow>,
    ends: Vec<End>,
    /// The level to be expanded, or `None` if the graph is complete.
    pub level: Option<Named>,
    /// The states found. In each record, the depth follows the key.
    pub seen: Vec<Named>,
    /// The number of the next file.
    next: u64,
    /// The values, once all are found.
    pub done: Option<Done>,
}

/// The values, as the state file has them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Done {
    /// Records of a key, followed by the depth and the value.
    pub values: Named,
    pub counts: Counts,
}

impl Done {
    /// Returns the keys of the longest wins.
    fn keys(&self) -> impl Iterator<Item = &Vec<u64>> {
        let longest = [&self.counts.longest_win, &self.counts.longest_weak_win];
        longest.into_iter().flatten().map(|(_, _, key)| key)
    }
}

impl DiskState {
    /// Checks that file names are valid and counts are consistent, because later steps rely on both.
    fn check(&self) -> Result<(), &'static str> {
        let own = |named: &&Named| named.number().is_some_and(|number| number <= self.next);
        if self.next > u64::MAX >> 1 || !self.files().iter().all(own) {
            return Err("a file has another name than those of a search");
        }
        let wrong = "its counts do not belong together";
        let sum = |mut counts: &mut dyn Iterator<Item = u64>| {
            Iterator::try_fold(&mut counts, 0u64, u64::checked_add).ok_or(wrong)
        };
        let rows = &self.rows;
        let expanded = sum(&mut rows.iter().map(|row| row.states))?;
        let terminals = sum(&mut rows.iter().map(|row| row.terminals))?;
        let level = self.level.as_ref().map_or(0, Named::records);
        let solved = self.done.as_ref().map(|done| done.values.records());
        let known = match solved {
            Some(solved) => solved,
            None => sum(&mut self.seen.iter().map(Named::records))?,
        };
        let ends = sum(&mut self.ends.iter().map(|end| end.states))?;
        sum(&mut rows.iter().map(|row| row.edges))?;
        let belongs = expanded.checked_add(level) == Some(known)
            && ends == terminals
            && terminals <= expanded
            && (solved.is_none() || self.level.is_none())
            && (solved.is_some() || !self.seen.is_empty());
        let counted = match &self.done {
            Some(done) => sum(&mut done.counts.counts().into_iter())? == known,
            None => true,
        };
        (belongs && counted).then_some(()).ok_or(wrong)
    }

    fn files(&self) -> Vec<&Named> {
        let values = self.done.iter().map(|done| &done.values);
        self.level.iter().chain(&self.seen).chain(values).collect()
    }
}

/// A search in a folder, new or resumed.
pub struct Search<'a> {
    pub(super) graph: &'a Expander<'a>,
    pub(super) limits: Limits,
    pub(super) control: Control<'a>,
    pub(super) budget: Budget,
    pub(super) folder: Folder,
    pub(super) state: DiskState,
    pub(super) words: usize,
    /// Whether another process wrote files of the folder. Their contents are then checked before they are
    /// used.
    pub(super) resumed: bool,
    /// Whether another process wrote the level to be expanded.
    level_resumed: bool,
    ends: Ends,
    /// The states of the last level that the limit on states allows, if it allows a part of the level alone.
    pub(super) cut: Option<Named>,
}

/// Finished games by outcome: the number of states, and the key of one of them.
type Ends = BTreeMap<Outcome, (u64, Vec<u64>)>;

/// A level that is being expanded.
struct Level<'k> {
    /// The figures of the levels before.
    known: &'k Summary,
    count: LevelCount,
    /// For each outcome, the key of a state with this outcome.
    examples: BTreeMap<Outcome, Vec<u64>>,
}

impl Level<'_> {
    fn new(known: &Summary) -> Level<'_> {
        Level {
            known,
            count: LevelCount::default(),
            examples: BTreeMap::new(),
        }
    }

    /// Counts states with their successors.
    fn add(&mut self, keys: &[u64], words: usize, found: &Successors) {
        self.count.count(found, found.degrees.len());
        for &(at, outcome) in &found.ends {
            let example = self.examples.entry(outcome);
            example.or_insert_with(|| keys[at * words..][..words].to_vec());
        }
    }
}

impl<'a> Search<'a> {
    /// Begins a search in a folder, or resumes the search that was begun there.
    ///
    /// # Errors
    /// If the folder cannot be used, holds a search for another question, or is damaged; or if there is too
    /// little memory.
    pub fn open(
        graph: &'a Expander<'a>,
        question: Question,
        folder: &Path,
        limits: Limits,
        control: Control<'a>,
    ) -> Result<Search<'a>, Failed> {
        let budget = Budget::new(control.memory_bytes())?;
        Search::open_with(graph, question, folder, limits, control, budget)
    }

    /// Like [`Search::open`], but with `budget` as memory for buffers.
    pub(super) fn open_with(
        graph: &'a Expander<'a>,
        question: Question,
        folder: &Path,
        limits: Limits,
        control: Control<'a>,
        budget: Budget,
    ) -> Result<Search<'a>, Failed> {
        let folder = Folder::claim(folder)?;
        let root = graph.root().to_vec();
        let words = root.len();
        let known = folder.load::<DiskState>()?;
        let begun = known.is_some();
        let state = known.unwrap_or(DiskState {
            question: question.clone(),
            root: root.clone(),
            ordered: limits.max_states.is_some(),
            rows: Vec::new(),
            ends: Vec::new(),
            level: None,
            seen: Vec::new(),
            next: 0,
            done: None,
        });
        let wrong = |why: String| Failed::Wrong(Diagnostic::new("disk", why));
        let place = folder.place("");
        let place = place.display();
        let (was, is) = (&state.question, &question);
        if was.variant != is.variant {
            let why = format!(
                "`{place}` holds a search of {}, not of {}",
                was.variant, is.variant
            );
            return Err(wrong(why));
        }
        if was.position != is.position || state.root != root {
            let why = format!("`{place}` holds a search from `{}`", was.position);
            return Err(wrong(why));
        }
        if was.law != is.law {
            let why = format!(
                "`{place}` was made before the rules of {} were corrected",
                is.variant
            );
            let error = Diagnostic::new("disk", why);
            return Err(error
                .help("remove the folder: the search then begins again")
                .into());
        }
        if limits.max_states.is_some() && !state.ordered && state.level.is_some() {
            let why =
                "the search was begun without a limit of states, so that they are not numbered";
            let error = Diagnostic::new("disk", why);
            return Err(error
                .help("go on without that limit, or begin in another folder")
                .into());
        }
        let mut search = Search {
            graph,
            limits,
            control,
            budget,
            folder,
            words,
            resumed: begun,
            level_resumed: begun,
            ends: BTreeMap::new(),
            cut: None,
            state,
        };
        if begun {
            search
                .state
                .check()
                .map_err(|why| damaged(&search.folder.place(""), why))?;
        }
        let levels = (search.state.rows.len() as u64, limits.max_depth);
        let states = (search.states(), limits.max_states.unwrap_or(u64::MAX));
        check_limits("disk", &search.folder.place(""), levels, states)?;
        search.clear()?;
        if begun {
            search.recall()?;
        } else {
            search.begin()?;
        }
        Ok(search)
    }

    /// Writes the root as the first level.
    fn begin(&mut self) -> Result<(), Failed> {
        let root = self.state.root.clone();
        let mut seen = self.writer(self.words + 1)?;
        seen.push(&[&root[..], &[0]].concat())?;
        let seen = seen.finish(true)?;
        self.state.seen = vec![self.folder.named(&seen)];
        self.state.level = Some(self.folder.named(&seen));
        if self.state.ordered {
            let mut level = self.writer(self.words + 1)?;
            level.push(&[&[0], &root[..]].concat())?;
            self.state.level = Some(self.folder.named(&level.finish(true)?));
        }
        self.save()
    }

    /// Checks that keys from files are those of positions, because a file may have been changed together with
    /// its checksums.
    pub(super) fn check_keys(&self, keys: &[u64]) -> Result<(), Failed> {
        if !self.resumed {
            return Ok(());
        }
        check_keys(self.graph, keys, self.words).map_err(|why| damaged(&self.folder.place(""), why))
    }

    /// Restores the outcomes that the state file names.
    fn recall(&mut self) -> Result<(), Failed> {
        let mut found = Successors::default();
        let done = self.state.done.iter();
        for key in done
            .flat_map(Done::keys)
            .chain(self.state.ends.iter().map(|end| &end.example))
        {
            self.check_keys(key)?;
        }
        for end in &self.state.ends {
            self.graph.expand(&end.example, &mut found);
            match found.ends.first() {
                Some(&(_, outcome)) if outcome.to_string() == end.outcome => {
                    self.ends.insert(outcome, (end.states, end.example.clone()));
                }
                _ => {
                    let why = format!("`{}` is not how a game ends there", end.outcome);
                    return Err(damaged(&self.folder.place(""), &why));
                }
            }
        }
        Ok(())
    }

    /// Creates a run with a new name.
    pub(super) fn writer(&mut self, width: usize) -> Result<Writer, Failed> {
        self.state.next += 1;
        Writer::create(&self.folder.run(&self.state.next.to_string()), width)
    }

    /// Ends a step: saves the state, and removes the files that it does not name.
    pub(super) fn save(&mut self) -> Result<(), Failed> {
        self.folder.save(self.state.question.law, &self.state)?;
        self.clear()
    }

    /// Removes the files that the state does not name, and those of the backward pass once all values are found.
    fn clear(&self) -> Result<(), Failed> {
        if self.state.done.is_some() {
            values::external::remove(&self.folder.place(VALUES));
        }
        let files: Vec<&Named> = self.state.files().into_iter().chain(&self.cut).collect();
        self.folder.clear(&files)
    }

    /// Removes the files of an unfinished step. Returns `why`.
    pub(super) fn give_up(&self, why: Failed) -> Failed {
        let _ = self.clear();
        why
    }

    /// Returns the number of levels that are complete.
    pub fn complete_levels(&self) -> usize {
        self.state.rows.len()
    }

    /// Returns the number of states found. If the limit on states allows a part of the last level alone, these are
    /// included.
    pub fn states(&self) -> u64 {
        let solved = self.state.done.as_ref().map(|done| done.values.records());
        let found = self.state.seen.iter().chain(&self.cut);
        solved.unwrap_or_else(|| found.map(Named::records).sum())
    }

    /// Returns the maximum number of turns of a state.
    pub(super) fn most_turns(&self) -> u64 {
        self.state
            .rows
            .iter()
            .map(|row| row.most)
            .max()
            .unwrap_or(0)
    }

    /// Finds all states that turns lead to, breadth first, within the limits.
    ///
    /// # Errors
    /// If a file cannot be read or written, or is damaged. Complete levels are kept.
    pub fn explore(&mut self) -> Result<Summary, Failed> {
        let states = self.state.level.as_ref().map_or(0, Named::records);
        let (known, max_depth) = (self.known(), self.limits.max_depth);
        search_levels(self, known, states, max_depth)
    }

    /// Returns the figures of the complete levels.
    fn known(&self) -> Summary {
        let mut known = Summary::default();
        for row in &self.state.rows {
            let level = LevelCount {
                expanded: row.states,
                edges: row.edges,
                min_out_degree: row.least,
                max_out_degree: row.most,
                ..LevelCount::default()
            };
            known.add(&level, row.states);
        }
        for (depth, row) in known.depths.iter_mut().zip(&self.state.rows) {
            depth.terminals = row.terminals;
        }
        let ends = self.ends.iter();
        known.terminals = ends.map(|(&outcome, &(n, _))| (outcome, n)).collect();
        known
    }

    /// Expands a level and finds the next one. If that would exceed the limit on states, counts only what the
    /// limit allows, and returns the limit.
    fn pass(
        &mut self,
        known: &Summary,
        states: u64,
        whole: &mut LevelCount,
    ) -> Result<Option<Stopped>, Failed> {
        let Some(named) = self.state.level.clone() else {
            return Ok(None);
        };
        self.cut = None;
        let run = self.folder.open(&named, self.words + 1)?;
        let mut level = Level::new(known);
        let successors = self.spill_successors(&run, &mut level)?;
        let (new, order) = self.find_new(successors, &level)?;
        let most = self.limits.max_states.unwrap_or(u64::MAX).max(1);
        let room = most.saturating_sub(self.states());
        if new.records() > room {
            *whole = self.cut(&run, known, room, order)?;
            return Ok(Some(Stopped::Count(Counted::States)));
        }
        level.count.new = new.records();
        *whole = level.count.clone();
        self.end_level(states, new.finish(true)?, order, level)?;
        Ok(None)
    }

    /// Generates the successors of a level and sorts them. In an ordered search, the number of the turn
    /// follows each key.
    fn spill_successors(&mut self, run: &Run, level: &mut Level<'_>) -> Result<Spill, Failed> {
        let words = self.words;
        let ordered = self.state.ordered;
        let share = if ordered { 4 } else { 8 };
        let width = words + usize::from(ordered);
        let mut spill = Spill::new(
            &self.folder,
            "successors",
            (width, words),
            &self.budget,
            self.budget.sixteenths(share),
        );
        self.expand(run, u64::MAX, level, |level, found| {
            if ordered {
                let first = level.count.expanded - found.degrees.len() as u64;
                let mut keys = found.keys.chunks_exact(words);
                for (state, &degree) in (first..).zip(&found.degrees) {
                    for (turn, key) in (0..degree.into()).zip(keys.by_ref()) {
                        spill.push(key, &[state << TURN_BITS | turn])?;
                    }
                }
            } else {
                spill.extend(&found.keys)?;
            }
            self.report(level, 0);
            Ok(())
        })?;
        Ok(spill)
    }

    /// Writes the successors that are new. In an ordered search, also sorts them by the numbers of their
    /// turns.
    fn find_new(
        &mut self,
        successors: Spill,
        level: &Level<'_>,
    ) -> Result<(Writer, Spill), Failed> {
        let words = self.words;
        let mut seen = Vec::new();
        for named in &self.state.seen {
            seen.push(self.folder.open(named, words + 1)?.reader()?);
        }
        let mut order = Spill::new(
            &self.folder,
            "order",
            (words + 1, 1),
            &self.budget,
            self.budget.sixteenths(4),
        );
        let mut new = self.writer(words + 1)?;
        let mut record = vec![0; words + 1];
        record[words] = u64::from(level.known.depth()) + 1;
        let mut passed = 0u64;
        successors.each(|found| {
            passed += 1;
            if passed.is_multiple_of(OFTEN) {
                self.control.check()?;
                self.report(level, new.records());
            }
            let key = &found[..words];
            if !has(&mut seen, key)? {
                record[..words].copy_from_slice(key);
                new.push(&record)?;
                if self.state.ordered {
                    order.push(&found[words..], key)?;
                }
            }
            Ok(())
        })?;
        Ok((new, order))
    }

    /// Reports the progress of the search, with this part of a level expanded and `new` states of the next
    /// level found.
    fn report(&self, level: &Level<'_>, new: u64) {
        let now = level.known.progress(self.states() + new, &level.count);
        now.report(self.control.observer());
    }

    /// Adds an expanded level, and makes the new states the next level.
    fn end_level(
        &mut self,
        states: u64,
        new: Run,
        order: Spill,
        level: Level<'_>,
    ) -> Result<(), Failed> {
        let row = level.count.row(level.known.depth(), states);
        self.state.rows.push(LevelRow {
            states,
            terminals: row.terminals,
            edges: row.edges,
            least: row.min_out_degree,
            most: row.max_out_degree,
        });
        self.level_resumed = false;
        for (outcome, example) in level.examples {
            let (states, _) = self.ends.entry(outcome).or_insert((0, example));
            *states += level.count.terminals[&outcome];
        }
        let end = |(outcome, (states, example)): (&Outcome, &(u64, Vec<u64>))| End {
            outcome: outcome.to_string(),
            states: *states,
            example: example.clone(),
        };
        self.state.ends = self.ends.iter().map(end).collect();
        if new.records() == 0 {
            self.state.level = None;
        } else {
            let named = self.folder.named(&new);
            self.state.seen.push(named.clone());
            self.state.level = Some(named);
            if self.state.ordered {
                let mut level = self.writer(self.words + 1)?;
                order.each(|record| level.push(record))?;
                self.state.level = Some(self.folder.named(&level.finish(true)?));
            }
            self.compact()?;
        }
        self.save()
    }

    /// Expands the first `most` states of a level.
    fn expand(
        &self,
        run: &Run,
        most: u64,
        level: &mut Level<'_>,
        mut each: impl FnMut(&Level<'_>, &Successors) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        let words = self.words;
        // In an ordered search, the key follows its number.
        let first = usize::from(self.state.ordered);
        let mut reader = run.reader()?;
        let mut batch = Batch::new(words, self.budget.sixteenths(2));
        let mut keys = Vec::new();
        let mut left = most;
        loop {
            self.control.check()?;
            keys.clear();
            let size = left.min(batch.size() as u64);
            for _ in 0..size {
                let Some(record) = reader.head() else { break };
                keys.extend_from_slice(&record[first..first + words]);
                reader.advance()?;
            }
            if keys.is_empty() {
                return Ok(());
            }
            left -= (keys.len() / words) as u64;
            if self.level_resumed {
                self.check_keys(&keys)?;
            }
            batch.fill(self.graph, &keys);
            let mut rest = &keys[..];
            for part in batch.parts() {
                let (own, others) = rest.split_at(part.degrees.len() * words);
                level.add(own, words, part);
                each(level, part)?;
                rest = others;
            }
        }
    }

    /// Counts a level that leads to more states than allowed: only its states before the first turn to a
    /// state too many, and what these lead to. Keeps the states that are allowed.
    fn cut(
        &mut self,
        run: &Run,
        known: &Summary,
        room: u64,
        order: Spill,
    ) -> Result<LevelCount, Failed> {
        let width = self.words + 1;
        let depth = [u64::from(known.depth()) + 1];
        let bytes = self.budget.sixteenths(4);
        let mut states = Spill::new(
            &self.folder,
            "cut",
            (width, self.words),
            &self.budget,
            bytes,
        );
        let (mut passed, mut whole) = (0, 0);
        order.each(|record| {
            if passed < room {
                states.push(&record[1..], &depth)?;
            } else if passed == room {
                whole = record[0] >> TURN_BITS;
            }
            passed += 1;
            Ok(())
        })?;
        let mut cut = self.writer(width)?;
        states.each(|record| cut.push(record))?;
        self.cut = Some(self.folder.named(&cut.finish(true)?));
        let mut level = Level::new(known);
        self.expand(run, whole, &mut level, |_, _| Ok(()))?;
        level.count.new = room;
        Ok(level.count)
    }

    /// Merges the last runs of states until each run is more than twice as long as all later ones.
    fn compact(&mut self) -> Result<(), Failed> {
        let mut seen = std::mem::take(&mut self.state.seen);
        let merged = self.compacted(&mut seen, self.words + 1);
        self.state.seen = seen;
        merged
    }

    /// Merges the last ones of `runs` until each is more than twice as long as all later ones.
    pub(super) fn compacted(&mut self, runs: &mut Vec<Named>, width: usize) -> Result<(), Failed> {
        let mut first = runs.len().saturating_sub(1);
        let mut sum: u64 = runs[first..].iter().map(Named::records).sum();
        while first > 0 && runs[first - 1].records() <= 2 * sum {
            first -= 1;
            sum += runs[first].records();
        }
        if runs.len() - first < 2 {
            return Ok(());
        }
        let merged = self.merged_runs(&runs[first..], width)?;
        runs.truncate(first);
        runs.push(merged);
        Ok(())
    }

    /// Merges several runs into one.
    pub(super) fn merged_runs(&mut self, runs: &[Named], width: usize) -> Result<Named, Failed> {
        let mut streams = Vec::new();
        for named in runs {
            streams.push(Stream::of(&self.folder.open(named, width)?)?);
        }
        let control = self.control;
        let mut writer = self.writer(width)?;
        let mut passed = 0u64;
        merged(streams, width, |record| {
            passed += 1;
            if passed.is_multiple_of(OFTEN) {
                control.check()?;
            }
            writer.push(record)
        })?;
        let run = writer.finish(true)?;
        Ok(self.folder.named(&run))
    }
}

impl Frontier for Search<'_> {
    type Error = Failed;

    fn expand_level(
        &mut self,
        known: &Summary,
        states: u64,
        level: &mut LevelCount,
    ) -> Result<Option<Stopped>, Failed> {
        match self.pass(known, states, level) {
            Ok(None) => Ok(None),
            Ok(limit) => {
                self.give_up(Failed::Incomplete);
                Ok(limit)
            }
            Err(Failed::Stopped(stopped)) => {
                self.give_up(stopped.into());
                Ok(Some(stopped))
            }
            Err(failed) => Err(self.give_up(failed)),
        }
    }
}

/// Checks that these are keys of positions, with `words` words each.
///
/// # Errors
/// If a key is not. The error is the reason why the file with the keys is damaged.
pub(super) fn check_keys(
    graph: &Expander<'_>,
    keys: &[u64],
    words: usize,
) -> Result<(), &'static str> {
    let accepted = keys.par_chunks(words).all(|key| graph.accepts(key));
    accepted
        .then_some(())
        .ok_or("a state is not a position of this search")
}

/// Returns whether one of the runs has a record that begins with this key. Successive calls must request keys
/// in ascending order.
#[inline]
fn has(runs: &mut [RunReader], key: &[u64]) -> Result<bool, Failed> {
    for run in runs {
        run.seek(key)?;
        if run.head().is_some_and(|record| record[..key.len()] == *key) {
            return Ok(true);
        }
    }
    Ok(false)
}

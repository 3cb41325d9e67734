//! Breadth-first search over runs, level by level.

use super::budget::Budget;
use super::expand::{Batch, Graph};
use super::folder::{Folder, Named, Question};
use super::limits::Limits;
use super::records::Stream;
use super::run::{Run, RunReader, Writer};
use super::solving::Solving;
use super::spill::{Spill, merged};
use super::{Failed, damaged};
use crate::Summary;
use control::{Control, Counted, Stopped};
use diagnostics::Diagnostic;
use explore::{DepthRow, Progress, Successors};
use rayon::prelude::*;
use rules::Outcome;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Bits of an order of discovery that number the turns of a state.
const TURN_BITS: u32 = 20;

/// The number of records between two checks of the stop flag.
const OFTEN: u64 = 1 << 16;

/// An outcome of expanded states, as the state on disk has it: the reason is known again by looking
/// at one of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct End {
    outcome: String,
    states: u64,
    example: Vec<u64>,
}

/// A whole level, as the state on disk has it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct LevelRow {
    states: u64,
    terminals: u64,
    edges: u64,
    least: u64,
    most: u64,
}

/// All that is done, and the files that hold it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct DiskState {
    question: Question,
    root: Vec<u64>,
    /// Whether levels are in the order in which the search in memory finds their states.
    ordered: bool,
    /// The levels that were expanded.
    rows: Vec<LevelRow>,
    ends: Vec<End>,
    /// The level to be expanded; none if the graph is complete.
    pub level: Option<Named>,
    /// The states found, with their depth behind the key.
    pub seen: Vec<Named>,
    /// The number of the next file.
    next: u64,
    /// What is known of values.
    pub solving: Option<Solving>,
}

impl DiskState {
    /// Checks what is relied on later: names of files, and counts that belong together.
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
        let solved = self.solving.as_ref().and_then(Solving::states);
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
        match belongs {
            true => self
                .solving
                .as_ref()
                .map_or(Ok(()), |solving| solving.check(known)),
            false => Err(wrong),
        }
    }

    fn files(&self) -> Vec<&Named> {
        let solving = self.solving.iter().flat_map(Solving::files);
        self.level.iter().chain(&self.seen).chain(solving).collect()
    }
}

/// A search in a folder: begun, or gone on with.
pub struct Search<'a> {
    pub(super) graph: &'a dyn Graph,
    pub(super) limits: Limits,
    pub(super) control: Control<'a>,
    pub(super) budget: Budget,
    pub(super) folder: Folder,
    pub(super) state: DiskState,
    pub(super) words: usize,
    /// Whether another process wrote files of the folder: what they hold is checked before it is relied on.
    pub(super) resumed: bool,
    /// Whether the level to be expanded is from another process.
    level_resumed: bool,
    ends: Ends,
}

/// The ends of games by outcome: how many, and the key of one of them.
type Ends = BTreeMap<Outcome, (u64, Vec<u64>)>;

/// The part of a level that leads to as many states as there is room for.
#[derive(Default)]
struct CutLevel {
    rows: Vec<DepthRow>,
    ends: Ends,
}

/// What is counted while a level is expanded.
#[derive(Default)]
struct Tally {
    row: DepthRow,
    ends: Ends,
}

impl Tally {
    fn of(depth: u32, states: u64) -> Tally {
        Tally {
            row: DepthRow {
                depth,
                states,
                min_out_degree: u64::MAX,
                ..DepthRow::default()
            },
            ends: BTreeMap::new(),
        }
    }

    /// Counts states with their successors.
    fn add(&mut self, keys: &[u64], words: usize, found: &Successors) {
        for &degree in &found.degrees {
            let degree = u64::from(degree);
            self.row.expanded += 1;
            self.row.edges += degree;
            self.row.min_out_degree = self.row.min_out_degree.min(degree);
            self.row.max_out_degree = self.row.max_out_degree.max(degree);
        }
        for &(at, outcome) in &found.ends {
            self.row.terminals += 1;
            let end = self.ends.entry(outcome);
            end.or_insert_with(|| (0, keys[at * words..][..words].to_vec()))
                .0 += 1;
        }
    }

    fn ended(mut self) -> Tally {
        if self.row.expanded == 0 {
            self.row.min_out_degree = 0;
        }
        self
    }
}

fn join(ends: &mut Ends, more: Ends) {
    for (outcome, (states, example)) in more {
        ends.entry(outcome).or_insert((0, example)).0 += states;
    }
}

impl<'a> Search<'a> {
    /// Begins a search in a folder, or resumes the one that was begun there.
    ///
    /// # Errors
    /// If the folder cannot be used, holds a search for something else, or is damaged; or if there
    /// is too little memory.
    pub fn open(
        graph: &'a dyn Graph,
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
        graph: &'a dyn Graph,
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
            solving: None,
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
        if state.rows.len() > limits.max_depth as usize {
            return Err(wrong(format!(
                "`{place}` holds a search that is deeper already"
            )));
        }
        let known: u64 = state.rows.iter().map(|row| row.states).sum();
        if limits.max_states.is_some_and(|most| most < known) {
            return Err(wrong(format!(
                "`{place}` holds a search with more states already"
            )));
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
            state,
        };
        if begun {
            search
                .state
                .check()
                .map_err(|why| damaged(&search.folder.place(""), why))?;
        }
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

    /// Checks that keys from files are those of positions: a file may have been changed together with its
    /// checksums.
    pub(super) fn check_keys(&self, keys: &[u64]) -> Result<(), Failed> {
        if !self.resumed {
            return Ok(());
        }
        check_keys(self.graph, keys, self.words).map_err(|why| damaged(&self.folder.place(""), why))
    }

    /// Finds the outcomes again that the state on disk names.
    fn recall(&mut self) -> Result<(), Failed> {
        let mut found = Successors::default();
        let solving = self.state.solving.iter();
        for key in solving
            .flat_map(Solving::keys)
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

    /// Returns a run with a new name.
    pub(super) fn writer(&mut self, width: usize) -> Result<Writer, Failed> {
        self.state.next += 1;
        Writer::create(&self.folder.run(&self.state.next.to_string()), width)
    }

    /// Ends a step: what the state names is kept, everything else goes.
    pub(super) fn save(&mut self) -> Result<(), Failed> {
        self.folder.save(&self.state)?;
        self.clear()
    }

    /// Takes away what the state does not name. Cells are in use as long as there are rounds.
    fn clear(&self) -> Result<(), Failed> {
        let rounds = self.state.solving.as_ref().is_some_and(Solving::in_rounds);
        self.folder.clear(&self.state.files(), rounds)
    }

    /// Takes away what a step has left that did not end.
    pub(super) fn give_up(&self, why: Failed) -> Failed {
        let _ = self.clear();
        why
    }

    /// Returns the number of levels that are complete.
    pub fn complete_levels(&self) -> usize {
        self.state.rows.len()
    }

    /// Returns how many states are known.
    pub fn states(&self) -> u64 {
        let solved = self.state.solving.as_ref().and_then(Solving::states);
        solved.unwrap_or_else(|| self.state.seen.iter().map(Named::records).sum())
    }

    /// Returns how many states have been expanded, and how many turns they have.
    pub(super) fn expanded(&self) -> (u64, u64) {
        let rows = &self.state.rows;
        let sum = |of: fn(&LevelRow) -> u64| rows.iter().map(of).sum();
        (sum(|row| row.states), sum(|row| row.edges))
    }

    /// Returns the most turns of a state.
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
    /// If a file cannot be read or written, or is damaged. The levels that are whole are kept.
    pub fn explore(&mut self) -> Result<Summary, Failed> {
        while let Some(level) = self.state.level.clone() {
            let depth = self.state.rows.len() as u32;
            if depth >= self.limits.max_depth {
                let limit = Some(Stopped::Count(Counted::Depth));
                return Ok(self.summary(limit, CutLevel::default()));
            }
            match self.pass(&level, depth) {
                Ok(None) => {}
                Ok(Some(cut)) => {
                    self.give_up(Failed::Incomplete);
                    return Ok(self.summary(Some(Stopped::Count(Counted::States)), cut));
                }
                Err(Failed::Stopped(stopped)) => {
                    self.give_up(stopped.into());
                    return Ok(self.summary(Some(stopped), CutLevel::default()));
                }
                Err(stopped) => return Err(self.give_up(stopped)),
            }
        }
        Ok(self.summary(None, CutLevel::default()))
    }

    /// Returns what is known: the whole levels, and of the one under way what was cut off, or that it is there.
    fn summary(&self, limit: Option<Stopped>, cut: CutLevel) -> Summary {
        let whole = self
            .state
            .rows
            .iter()
            .zip(0..)
            .map(|(row, depth)| DepthRow {
                depth,
                states: row.states,
                expanded: row.states,
                terminals: row.terminals,
                edges: row.edges,
                min_out_degree: row.least,
                max_out_degree: row.most,
            });
        let mut depths: Vec<DepthRow> = whole.collect();
        let depth = depths.len() as u32;
        match &self.state.level {
            Some(level) if cut.rows.is_empty() => depths.push(DepthRow {
                depth,
                states: level.records(),
                ..DepthRow::default()
            }),
            _ => depths.extend(cut.rows),
        }
        let mut ends = self.ends.clone();
        join(&mut ends, cut.ends);
        Summary {
            states: depths.iter().map(|row| row.states).sum(),
            expanded: depths.iter().map(|row| row.expanded).sum(),
            edges: depths.iter().map(|row| row.edges).sum(),
            depths,
            terminals: ends.into_iter().map(|(end, (n, _))| (end, n)).collect(),
            limit,
        }
    }

    /// Expands a level and finds the next one. Where that would make too many states, returns what there is
    /// room for.
    fn pass(&mut self, level: &Named, depth: u32) -> Result<Option<CutLevel>, Failed> {
        let level = self.folder.open(level, self.words + 1)?;
        let (successors, tally) = self.spill_successors(&level, depth)?;
        let (new, order) = self.find_new(successors, &tally)?;
        let most = self.limits.max_states.unwrap_or(u64::MAX).max(1);
        let room = most.saturating_sub(self.states());
        if new.records() > room {
            return self.cut(&level, depth, room, order).map(Some);
        }
        self.end_level(new.finish(true)?, order, tally.ended())?;
        Ok(None)
    }

    /// Generates the successors of a level and sorts them. In order, each has the number of its turn behind its
    /// key.
    fn spill_successors(&mut self, level: &Run, depth: u32) -> Result<(Spill, Tally), Failed> {
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
        let mut tally = Tally::of(depth, level.records());
        self.expand(level, u64::MAX, &mut tally, |tally, found| {
            if ordered {
                let first = tally.row.expanded - found.degrees.len() as u64;
                let mut keys = found.keys.chunks_exact(words);
                for (state, &degree) in (first..).zip(&found.degrees) {
                    for (turn, key) in (0..degree.into()).zip(keys.by_ref()) {
                        spill.push(key, &[state << TURN_BITS | turn])?;
                    }
                }
            } else {
                spill.extend(&found.keys)?;
            }
            self.report(tally, 0);
            Ok(())
        })?;
        Ok((spill, tally))
    }

    /// Writes the successors that are new. In order, sorts them by the numbers of their turns, too.
    fn find_new(&mut self, successors: Spill, tally: &Tally) -> Result<(Writer, Spill), Failed> {
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
        record[words] = u64::from(tally.row.depth) + 1;
        let mut passed = 0u64;
        successors.each(|found| {
            passed += 1;
            if passed.is_multiple_of(OFTEN) {
                self.control.check()?;
                self.report(tally, new.records());
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

    /// Reports how far the search is, with this part of a level expanded and `new` states of the next one found.
    fn report(&self, tally: &Tally, new: u64) {
        let (expanded, edges) = self.expanded();
        let now = Progress {
            states: self.states() + new,
            expanded: expanded + tally.row.expanded,
            edges: edges + tally.row.edges,
            depth: tally.row.depth,
        };
        now.report(self.control.observer());
    }

    /// Adds a level that was expanded, and makes the new states the next level.
    fn end_level(&mut self, new: Run, order: Spill, tally: Tally) -> Result<(), Failed> {
        self.state.rows.push(LevelRow {
            states: tally.row.states,
            terminals: tally.row.terminals,
            edges: tally.row.edges,
            least: tally.row.min_out_degree,
            most: tally.row.max_out_degree,
        });
        self.level_resumed = false;
        join(&mut self.ends, tally.ends);
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

    /// Expands the first states of a level.
    fn expand(
        &self,
        level: &Run,
        most: u64,
        tally: &mut Tally,
        mut each: impl FnMut(&Tally, &Successors) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        let words = self.words;
        // In order, the key follows its number.
        let first = usize::from(self.state.ordered);
        let mut reader = level.reader()?;
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
                tally.add(own, words, part);
                each(tally, part)?;
                rest = others;
            }
        }
    }

    /// Returns the rows of a level that leads to more states than there is room for: of those states that
    /// come before the first turn to a state too many, and of what they lead to.
    fn cut(&self, level: &Run, depth: u32, room: u64, order: Spill) -> Result<CutLevel, Failed> {
        let (mut passed, mut whole) = (0, 0);
        order.each(|record| {
            if passed == room {
                whole = record[0] >> TURN_BITS;
            }
            passed += 1;
            Ok(())
        })?;
        let mut tally = Tally::of(depth, level.records());
        self.expand(level, whole, &mut tally, |_, _| Ok(()))?;
        let tally = tally.ended();
        let mut rows = vec![tally.row];
        if room > 0 {
            rows.push(DepthRow {
                depth: depth + 1,
                states: room,
                ..DepthRow::default()
            });
        }
        Ok(CutLevel {
            rows,
            ends: tally.ends,
        })
    }

    /// Merges the last of the runs of states until each is much longer than the next.
    fn compact(&mut self) -> Result<(), Failed> {
        let mut seen = std::mem::take(&mut self.state.seen);
        let merged = self.compacted(&mut seen, self.words + 1);
        self.state.seen = seen;
        merged
    }

    /// Merges the last of some runs until each is more than twice as long as all after it.
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

    /// Returns one run of several.
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

/// Checks that these are keys of positions, `words` words each.
///
/// # Errors
/// The reason why a file that holds them is damaged.
pub(super) fn check_keys(
    graph: &dyn Graph,
    keys: &[u64],
    words: usize,
) -> Result<(), &'static str> {
    let accepted = keys.par_chunks(words).all(|key| graph.accepts(key));
    accepted
        .then_some(())
        .ok_or("a state is not a position of this search")
}

/// Returns whether one of some runs has a record that begins with this key. Keys are requested in order.
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

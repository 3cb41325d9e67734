//! Solving on disk: the edges of all states, for the [backward pass in a folder](values::external), and the values
//! that it finds, by key.
//!
//! States are numbered in the order of their keys. The edges of a block of states that fit in memory are sorted
//! by the key of the state that they lead to, and merged with all states to find its number. So files are read
//! sequentially, and nothing is looked up.

use super::chunk::Chunk;
use super::folder::{Named, VALUES};
use super::lookup::Lookup;
use super::run::Run;
use super::search::{Done, Search};
use super::{Failed, damaged};
use crate::SolvedSummary;
use crate::summary::{Counts, count};
use control::Progress;
use diagnostics::Diagnostic;
use values::external::{self, PAGE, Pass, Question, Sizes};
use values::{Certificate, Packed, Value, best_line};

/// Bits of a value in the records of values. The depth is stored above them.
pub(super) const VALUE_BITS: u32 = 16;

/// Slices whose sets are in memory at a time.
const FRONTS: usize = 9;

impl Search<'_> {
    /// Finds the values of all states of a complete graph.
    ///
    /// # Errors
    /// If the graph is not complete, a stop is requested, a distance exceeds the maximum, or a file cannot be
    /// read or written. Complete slices and distances are kept.
    pub fn solve(&mut self) -> Result<Counts, Failed> {
        if self.state.level.is_some() {
            return Err(Failed::Incomplete);
        }
        self.values().map_err(|why| self.give_up(why))
    }

    fn values(&mut self) -> Result<Counts, Failed> {
        if let Some(done) = &self.state.done {
            return Ok(done.counts.clone());
        }
        if self.most_turns() > u64::from(u16::MAX) {
            let why = format!(
                "a state has {} turns; {} are the most",
                self.most_turns(),
                u16::MAX
            );
            return Err(Diagnostic::new("values", why).into());
        }
        if self.state.seen.len() > 1 {
            let all = self.merged_runs(&self.state.seen.clone(), self.words + 1)?;
            self.state.seen = vec![all];
            self.save()?;
        }
        let all = self.folder.open(&self.state.seen[0], self.words + 1)?;
        let states = all.records();
        if states > external::MAX_NODES {
            let why = format!("{states} states; {} are the most", external::MAX_NODES);
            return Err(Diagnostic::new("values", why).into());
        }
        let question = Question {
            // The checksum covers all states. The state file of the search has the rules.
            graph: format!("{:08x}", all.sum()),
            nodes: states,
            keeping: true,
        };
        let budget = self.budget;
        // A state takes five bytes in a page, and two bits in each of the sets.
        let turns = (budget.sixteenths(3) / 8) as usize;
        let sizes = Sizes::of_slices(budget.sixteenths(1), turns, FRONTS);
        let mut pass = Pass::open(&self.folder.place(VALUES), question, sizes)?;
        for slice in (0..pass.slices()).filter(|&slice| !pass.has_turns(slice)) {
            self.write_turns(&pass, slice, &all)?;
        }
        let control = self.control;
        pass.settle(&control, &|plies| {
            control.report(&Progress {
                phase: "solving",
                done: states,
                total: Some(states),
                unit: "states",
                detail: format_args!("within {plies} plies"),
            });
        })?;
        self.conclude(pass, &all)
    }

    /// Generates the turns of a slice, as many states at a time as have turns that fit in memory.
    fn write_turns(&self, pass: &Pass, slice: u32, all: &Run) -> Result<(), Failed> {
        let (words, graph, control) = (self.words, self.graph, self.control);
        let nodes = pass.nodes_of(slice);
        let len = (nodes.end - nodes.start) as usize;
        let mut values = vec![Packed::OPEN.0; len];
        let mut counts = Vec::with_capacity(len);
        let mut turns = pass.turns_of(slice)?;
        while counts.len() < len {
            let (begin, first) = (counts.len(), nodes.start + counts.len() as u64);
            let states = first..nodes.end;
            let mut from = Chunk::new(all, states, self.resumed, words, &self.budget)?;
            from.fill(graph, &control, |local, key, end| {
                let value = Value::of_outcome(end, graph.side(key));
                values[begin + local as usize] = Packed::of(value).0;
                Ok(())
            })?;
            if from.states == 0 {
                return Err(damaged(
                    all.path(),
                    "it has fewer states than its index says",
                ));
            }
            counts.extend_from_slice(&from.degrees);
            let mut to = all.reader()?;
            let mut passed = 0u64;
            for edge in from.edges.chunks_exact(words + 1) {
                passed += 1;
                if passed.is_multiple_of(1 << 16) {
                    control.check()?;
                }
                let key = &edge[..words];
                to.seek(key)?;
                if to.head().is_none_or(|head| head[..words] != *key) {
                    return Err(damaged(all.path(), "a turn leads to none of its states"));
                }
                turns.add(to.rank(), begin as u32 + edge[words] as u32)?;
            }
        }
        let pages = values
            .chunks(PAGE as usize)
            .zip(counts.chunks(PAGE as usize));
        for (page, (values, counts)) in pass.pages_of(slice).zip(pages) {
            turns.write_page(page, values, counts)?;
        }
        Ok(turns.finish(&())?)
    }

    /// Joins the values to the keys, and counts the values. The files of the pass are then removed.
    fn conclude(&mut self, pass: Pass, all: &Run) -> Result<Counts, Failed> {
        let words = self.words;
        let control = self.control;
        let mut counts = Counts::default();
        let mut values = self.writer(words + 1)?;
        let mut reader = all.reader()?;
        let mut record = vec![0; words + 1];
        for n in 0..all.records().div_ceil(PAGE.into()) {
            control.check()?;
            let page = pass.page(n as u32)?;
            for (&packed, &keeping) in page.values.iter().zip(&page.keeping) {
                let Some(state) = reader.head() else { break };
                let value = Packed(packed).final_value();
                let (key, depth) = (&state[..words], state[words]);
                count(&mut counts, key, depth, value, keeping.into());
                record[..words].copy_from_slice(key);
                record[words] = depth << VALUE_BITS | u64::from(Packed::of(value).0);
                values.push(&record)?;
                reader.advance()?;
            }
        }
        if values.records() != all.records() {
            return Err(damaged(
                all.path(),
                "its values are not those of all states",
            ));
        }
        // Its files are removed when the state is saved.
        drop(pass);
        let values = self.folder.named(&values.finish(true)?);
        self.state.seen = Vec::new();
        self.state.done = Some(Done {
            values,
            counts: counts.clone(),
        });
        self.save()?;
        Ok(counts)
    }

    /// Returns the run of all values.
    ///
    /// # Errors
    /// If the values do not exist yet or cannot be read.
    pub(super) fn solved_run(&self) -> Result<Run, Failed> {
        match self.solved() {
            Some(values) => self.folder.open(values, self.words + 1),
            None => Err(Failed::Incomplete),
        }
    }

    /// Returns the file of all states with their values, which replaces the files of the states once the search
    /// is solved.
    pub(super) fn solved(&self) -> Option<&Named> {
        self.state.done.as_ref().map(|done| &done.values)
    }

    /// Returns the summary of the values, with lines of best play.
    ///
    /// # Errors
    /// If the values do not exist yet or cannot be read.
    pub fn solved_summary(
        &self,
        counts: &Counts,
        certificate: Option<&Certificate>,
    ) -> Result<SolvedSummary, Failed> {
        let mut lookup = Lookup::new(self)?;
        let root = self.graph.root();
        let value = lookup.value(root)?.unwrap_or(Value::Draw);
        SolvedSummary::new((root, value), counts, certificate, |key| {
            best_line(self.graph, &mut lookup, key)
        })
    }
}

impl From<external::Failed> for Failed {
    fn from(failed: external::Failed) -> Failed {
        match failed {
            external::Failed::Stopped(stopped) => Failed::Stopped(stopped),
            external::Failed::Distance => Failed::Distance,
            external::Failed::File(error) => super::with_help(error),
        }
    }
}

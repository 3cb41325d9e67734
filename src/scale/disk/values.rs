//! The backward pass with edges on disk.
//!
//! States are numbered in the order of their keys and cut into parts. The edges from the states of a part are
//! in a run, sorted by the state they lead to. A round takes the states of one distance, merges them in order
//! with the edges of each part, and updates the cells of the part, which fit in memory. So every round reads
//! files sequentially, and nothing is looked up. As in [`values`], wins and losses come first, then weak ones
//! among the remaining states; the rest are draws.
//!
//! The states of each distance are kept in a run of their own. The cells are not kept: when a search resumes,
//! they are computed again from the edges and the solved states.

use super::chunk::Chunk;
use super::folder::{Named, SCRATCH};
use super::lookup::Lookup;
use super::run::{Run, RunReader};
use super::search::Search;
use super::solving::{Done, Round, Solving, StateRange};
use super::{Failed, damaged, unreadable, unwritable};
use crate::SolvedSummary;
use crate::summary::{Counts, count};
use control::{Control, Progress};
use diagnostics::Diagnostic;
use rayon::prelude::*;
use std::fs::OpenOptions;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use values::{MAX_DISTANCE_PLIES, PASSES, Packed, Value, best_line};

/// The packed value of a state that is not solved yet, and its class.
const OPEN: u16 = Packed::OPEN.0;
const OPEN_CLASS: u16 = Packed::OPEN.class();

/// Bits of a value in the records of values. The depth is stored above them.
pub(super) const VALUE_BITS: u32 = 16;

/// The cells of a part: values and counters. The counter of an open state has the turns that are not known to
/// lose, and that of a won state the turns that are known to keep the win.
struct Cells {
    values: Vec<u16>,
    left: Vec<u16>,
}

/// The cells of all parts, in one file.
struct Scratch {
    path: PathBuf,
    // A checksum for each part.
    sums: Vec<u32>,
}

impl Scratch {
    fn load(&self, n: usize, part: &StateRange) -> Result<Cells, Failed> {
        let mut bytes = vec![0; part.states as usize * 4];
        control::files::open(&self.path)
            .and_then(|mut file| {
                file.seek(SeekFrom::Start(part.first * 4))?;
                file.read_exact(&mut bytes)
            })
            .map_err(|e| unreadable(&self.path, e))?;
        if crc32fast::hash(&bytes) != self.sums[n] {
            return Err(damaged(&self.path, "its checksum is wrong"));
        }
        let (values, left) = bytes.split_at(bytes.len() / 2);
        let words = |bytes: &[u8]| {
            let pairs = bytes.as_chunks::<2>().0.iter();
            pairs.map(|&pair| u16::from_le_bytes(pair)).collect()
        };
        Ok(Cells {
            values: words(values),
            left: words(left),
        })
    }

    /// Writes the cells of a part. Returns their checksum.
    fn store(&self, part: &StateRange, cells: &Cells) -> Result<u32, Failed> {
        let words = cells.values.iter().chain(&cells.left);
        let bytes: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
        let write = || -> std::io::Result<()> {
            let mut file = control::files::open_with(OpenOptions::new().write(true), &self.path)?;
            file.seek(SeekFrom::Start(part.first * 4))?;
            file.write_all(&bytes)
        };
        write().map_err(|e| unwritable(&self.path, e))?;
        Ok(crc32fast::hash(&bytes))
    }
}

/// The effect of a round on a part: the newly solved states with their values, and the new checksum of the
/// cells if they changed.
type Fired = (Vec<(u32, u16)>, Option<u32>);

impl Search<'_> {
    /// Finds the values of all states of a complete graph.
    ///
    /// # Errors
    /// If the graph is not complete, a stop is requested, a distance exceeds the maximum, or a file cannot be
    /// read or written. Complete rounds are kept.
    pub fn solve(&mut self) -> Result<Counts, Failed> {
        if self.state.level.is_some() {
            return Err(Failed::Incomplete);
        }
        self.values().map_err(|why| self.give_up(why))
    }

    fn solving(&mut self) -> &mut Solving {
        self.state.solving.get_or_insert_default()
    }

    fn values(&mut self) -> Result<Counts, Failed> {
        if let Some(done) = &self.solving().done {
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
        if self.solving().round.is_none() {
            self.cut_into_parts(&all)?;
        }
        let scratch = self.rebuild()?;
        self.rounds(scratch, &all)
    }

    /// Generates the edges of all parts, then the first round.
    fn cut_into_parts(&mut self, all: &Run) -> Result<(), Failed> {
        loop {
            let first = self
                .solving()
                .parts
                .last()
                .map_or(0, |p| p.first + p.states);
            if first == all.records() {
                break;
            }
            if first > all.records() {
                return Err(damaged(all.path(), "its parts are more than all states"));
            }
            let part = self.part(all, first)?;
            self.solving().parts.push(part);
            self.save()?;
        }
        let mut strong = self.writer(2)?;
        let mut weak = self.writer(2)?;
        for part in self.solving().parts.clone() {
            let Some(ends) = &part.ends else { continue };
            let mut ends = self.folder.open(ends, 2)?.reader()?;
            while let Some(end) = ends.head() {
                match Packed(end[1] as u16).class() {
                    Packed::WIN | Packed::LOSS => strong.push(end)?,
                    _ => weak.push(end)?,
                }
                ends.advance()?;
            }
        }
        let round = Round {
            weak: false,
            plies: 0,
            now: self.folder.named(&strong.finish(true)?),
            weak_ends: self.folder.named(&weak.finish(true)?),
            solved: Vec::new(),
            states: 0,
        };
        let solving = self.solving();
        solving.parts.iter_mut().for_each(|part| part.ends = None);
        solving.round = Some(round);
        self.save()
    }

    /// Generates the edges of a part that begins with state `first`. The part has as many states as have
    /// edges that fit in memory.
    fn part(&mut self, all: &Run, first: u64) -> Result<StateRange, Failed> {
        let words = self.words;
        let width = words + 1;
        let (graph, control, budget) = (self.graph, self.control, self.budget);
        let mut ends = self.writer(2)?;
        let mut from = Chunk::new(all, first, self.resumed, words, &budget)?;
        from.fill(graph, &control, |local, key, end| {
            let value = Value::of_outcome(end, graph.side(key));
            if value != Value::Draw {
                ends.push(&[first + local, Packed::of(value).0.into()])?;
            }
            Ok(())
        })?;
        let mut edges = self.writer(2)?;
        let mut to = all.reader()?;
        let mut passed = 0u64;
        for edge in from.edges.chunks_exact(width) {
            passed += 1;
            if passed.is_multiple_of(1 << 16) {
                control.check()?;
            }
            let key = &edge[..words];
            to.seek(key)?;
            if to.head().is_none_or(|head| head[..words] != *key) {
                return Err(damaged(all.path(), "a turn leads to none of its states"));
            }
            edges.push(&[to.rank(), edge[words]])?;
        }
        Ok(StateRange {
            first,
            states: from.states,
            edges: self.folder.named(&edges.finish(true)?),
            ends: Some(self.folder.named(&ends.finish(true)?)),
        })
    }

    /// Calls `work` for all parts, as many at a time as there are threads, and `take` with the results, in
    /// order.
    fn each_part<T: Send>(
        control: &Control<'_>,
        parts: &[StateRange],
        work: impl Fn(usize, &StateRange) -> Result<T, Failed> + Sync,
        mut take: impl FnMut(usize, T) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        let threads = rayon::current_num_threads().max(1);
        for first in (0..parts.len()).step_by(threads) {
            control.check()?;
            let some = first..parts.len().min(first + threads);
            let results: Vec<Result<T, Failed>> = some
                .clone()
                .into_par_iter()
                .map(|n| work(n, &parts[n]))
                .collect();
            for (n, result) in some.zip(results) {
                take(n, result?)?;
            }
        }
        Ok(())
    }

    /// Returns the cells as they are before the next round.
    fn rebuild(&mut self) -> Result<Scratch, Failed> {
        let solving = self.solving().clone();
        let Some(round) = &solving.round else {
            return Err(Failed::Incomplete);
        };
        let open = |named: &Named| self.folder.open(named, 2);
        let solved: Vec<Run> = round.solved.iter().map(open).collect::<Result<_, _>>()?;
        let mut own = solved.clone();
        own.push(open(&round.now)?);
        own.push(open(&round.weak_ends)?);
        let mut scratch = Scratch {
            path: self.folder.place(SCRATCH),
            sums: vec![0; solving.parts.len()],
        };
        control::files::create(&scratch.path).map_err(|e| unwritable(&scratch.path, e))?;
        let mut sums = scratch.sums.clone();
        Self::each_part(
            &self.control,
            &solving.parts,
            |_, part| {
                let states = part.states as usize;
                let mut cells = Cells {
                    values: vec![OPEN; states],
                    left: vec![0; states],
                };
                for run in &own {
                    let mut reader = run.reader()?;
                    reader.seek(&[part.first])?;
                    while let Some(&[state, value]) = reader.head() {
                        let Some(cell) = cells.values.get_mut((state - part.first) as usize) else {
                            break;
                        };
                        if Packed(value as u16).value().is_none() {
                            return Err(damaged(run.path(), "it holds what is not a value"));
                        }
                        *cell = value as u16;
                        reader.advance()?;
                    }
                }
                let mut solved: Vec<RunReader> =
                    solved.iter().map(Run::reader).collect::<Result<_, _>>()?;
                let edges = open(&part.edges)?;
                let path = edges.path().to_path_buf();
                let mut edges = edges.reader()?;
                let mut last = (u64::MAX, OPEN_CLASS);
                while let Some(&[to, from]) = edges.head() {
                    if from >= part.states {
                        return Err(damaged(&path, "an edge is from none of its states"));
                    }
                    if to != last.0 {
                        last = (to, Packed(known(&mut solved, to)?).class());
                    }
                    let left = &mut cells.left[from as usize];
                    let counts = match Packed(cells.values[from as usize]).class() {
                        OPEN_CLASS => last.1 != Packed::WIN && last.1 != Packed::WEAK_WIN,
                        Packed::WIN => last.1 == Packed::LOSS,
                        Packed::WEAK_WIN => last.1 == Packed::WEAK_LOSS,
                        _ => false,
                    };
                    *left = left.saturating_add(u16::from(counts));
                    edges.advance()?;
                }
                scratch.store(part, &cells)
            },
            |n, sum| {
                sums[n] = sum;
                Ok(())
            },
        )?;
        scratch.sums = sums;
        Ok(scratch)
    }

    /// Runs all remaining rounds, then counts the values.
    fn rounds(&mut self, mut scratch: Scratch, all: &Run) -> Result<Counts, Failed> {
        loop {
            let solving = self.solving().clone();
            let Some(mut round) = solving.round else {
                return Err(Failed::Incomplete);
            };
            let now = self.folder.open(&round.now, 2)?;
            if now.records() == 0 {
                if round.weak {
                    return self.conclude(&scratch, all);
                }
                round.weak = true;
                round.plies = 0;
                round.now = round.weak_ends.clone();
                self.solving().round = Some(round);
                self.save()?;
                continue;
            }
            round.states += now.records();
            self.control.report(&Progress {
                phase: "solving",
                done: round.states,
                total: Some(self.states()),
                unit: "states",
                detail: format_args!("within {} plies", round.plies),
            });
            let mut next = self.writer(2)?;
            let mut sums = scratch.sums.clone();
            Self::each_part(
                &self.control,
                &solving.parts,
                |n, part| {
                    let edges = self.folder.open(&part.edges, 2)?;
                    fire(&now, &edges, &round, &scratch, (n, part))
                },
                |n, (new, sum): Fired| {
                    for (local, value) in new {
                        let state = solving.parts[n].first + u64::from(local);
                        next.push(&[state, value.into()])?;
                    }
                    sums[n] = sum.unwrap_or(sums[n]);
                    Ok(())
                },
            )?;
            scratch.sums = sums;
            if next.records() > 0 && round.plies == MAX_DISTANCE_PLIES {
                return Err(Failed::Distance);
            }
            let next = next.finish(true)?;
            round.solved.push(round.now);
            self.compacted(&mut round.solved, 2)?;
            round.now = self.folder.named(&next);
            round.plies += 1;
            self.solving().round = Some(round);
            self.save()?;
        }
    }

    /// Joins the values to the keys, and counts the values.
    fn conclude(&mut self, scratch: &Scratch, all: &Run) -> Result<Counts, Failed> {
        let words = self.words;
        let control = self.control;
        let mut counts = Counts::default();
        let mut values = self.writer(words + 1)?;
        let mut reader = all.reader()?;
        let mut record = vec![0; words + 1];
        for (n, part) in self.solving().parts.clone().iter().enumerate() {
            control.check()?;
            let cells = scratch.load(n, part)?;
            for (&packed, &keeping) in cells.values.iter().zip(&cells.left) {
                let Some(state) = reader.head() else { break };
                let value = Packed(packed).final_value();
                let (key, depth) = (&state[..words], state[words]);
                count(&mut counts, key, depth, value, keeping);
                record[..words].copy_from_slice(key);
                record[words] = depth << VALUE_BITS | u64::from(Packed::of(value).0);
                values.push(&record)?;
                reader.advance()?;
            }
        }
        if values.records() != all.records() {
            return Err(damaged(
                &self.folder.place(""),
                "its parts are not all states",
            ));
        }
        let values = self.folder.named(&values.finish(true)?);
        self.state.seen = Vec::new();
        self.state.solving = Some(Solving {
            done: Some(Done {
                values,
                counts: counts.clone(),
            }),
            ..Solving::default()
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
        let done = self.state.solving.as_ref()?.done.as_ref()?;
        Some(&done.values)
    }

    /// Returns the summary of the values, with lines of best play.
    ///
    /// # Errors
    /// If the values do not exist yet or cannot be read.
    pub fn solved_summary(
        &self,
        counts: &Counts,
        certificate: Option<&super::Certificate>,
    ) -> Result<SolvedSummary, Failed> {
        let mut lookup = Lookup::new(self)?;
        let root = self.graph.root();
        let value = lookup.value(root)?.unwrap_or(Value::Draw);
        SolvedSummary::new((root, value), counts, certificate, |key| {
            best_line(self.graph, &mut lookup, key)
        })
    }
}

/// Returns the value of a state from the solved ones, or [`OPEN`] if the state is not solved. Successive
/// calls must request states in ascending order.
fn known(solved: &mut [RunReader], state: u64) -> Result<u16, Failed> {
    for reader in solved {
        reader.seek(&[state])?;
        if let Some(&[found, value]) = reader.head()
            && found == state
        {
            return Ok(value as u16);
        }
    }
    Ok(OPEN)
}

/// Reports the states of a round to their predecessors in one part. Returns the effect on the part.
fn fire(
    now: &Run,
    edges: &Run,
    round: &Round,
    scratch: &Scratch,
    (n, part): (usize, &StateRange),
) -> Result<Fired, Failed> {
    let (lost, won) = PASSES[usize::from(round.weak)];
    let then = |class: u16| Packed::new(class, (round.plies + 1) & MAX_DISTANCE_PLIES).0;
    let (mut now, mut edges) = (now.reader()?, edges.reader()?);
    let mut new = Vec::new();
    // Read only if an edge leads to a state of the round.
    let mut cells: Option<Cells> = None;
    while let (Some(&[state, value]), Some(&[to, from])) = (now.head(), edges.head()) {
        if state < to {
            now.seek(&[to])?;
            continue;
        }
        if to < state {
            edges.seek(&[state])?;
            continue;
        }
        let cells = match &mut cells {
            Some(cells) => cells,
            none => none.insert(scratch.load(n, part)?),
        };
        let at = from as usize;
        let (cell, left) = (&mut cells.values[at], &mut cells.left[at]);
        if Packed(value as u16).class() == lost {
            if *cell == OPEN {
                *cell = then(won);
                *left = 1;
                new.push((from as u32, *cell));
            } else if Packed(*cell).class() == won {
                *left = left.saturating_add(1);
            }
        } else if *cell == OPEN {
            let Some(fewer) = left.checked_sub(1) else {
                return Err(damaged(edges.path(), "a state has more turns than edges"));
            };
            *left = fewer;
            if *left == 0 {
                *cell = then(lost);
                new.push((from as u32, *cell));
            }
        }
        edges.advance()?;
    }
    new.sort_unstable();
    let sum = match &cells {
        Some(cells) => Some(scratch.store(part, cells)?),
        None => None,
    };
    Ok((new, sum))
}

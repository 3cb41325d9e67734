//! Searches on disk of random graphs, compared with the search and the solver in memory. There is so little
//! memory that everything is written and merged several times.

use super::budget::Budget;
use super::{Block, Counts, Failed, Limits, Question, Search};
use crate::SolvedSummary;
use board::Color;
use control::{Control, Counted, Stopped};
use explore::{DepthRow, Expander, GameGraph, KeyGraph, Successors, Summary};
use quickcheck::QuickCheck;
use rules::Outcome;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use values::Value;
use values::{Census, census};

/// A graph of nodes whose keys are not consecutive numbers. At even nodes, White is to move.
struct Made {
    words: usize,
    rows: Vec<Vec<usize>>,
    root: Vec<u64>,
}

fn mix(n: u64) -> u64 {
    let x = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ (x >> 29)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

impl Made {
    /// Returns a graph of `nodes` nodes. The seed determines their successors, some of which occur twice.
    fn new(seed: u64, nodes: usize, words: usize) -> Made {
        let nodes = nodes.max(2);
        let mut at = seed;
        let mut draw = |below: u64| {
            at = mix(at);
            (at >> 20) % below
        };
        let rows = (0..nodes)
            .map(|node| {
                // Few nodes are terminal, and most successors have numbers near the double of their origin's.
                let degree = if draw(12) == 0 { 0 } else { 1 + draw(6) };
                (0..degree)
                    .map(|_| {
                        let to = match draw(3) {
                            0 => draw(nodes as u64) as usize,
                            _ => (node * 2 + draw(9) as usize) % nodes,
                        };
                        let odd = (node + 1) % 2;
                        let to = to / 2 * 2 + odd;
                        if to < nodes { to } else { odd }
                    })
                    .collect()
            })
            .collect();
        let mut made = Made {
            words,
            rows,
            root: Vec::new(),
        };
        made.root = made.key(0);
        made
    }

    fn key(&self, node: usize) -> Vec<u64> {
        // Several nodes share their first words.
        let mut key = vec![mix(node as u64 / 3); self.words];
        key[self.words - 1] = match self.words {
            1 => mix(node as u64) << 20 | node as u64,
            _ => node as u64,
        };
        key
    }

    fn graph(&self) -> Expander<'_> {
        Expander::of(self.root.clone(), 64 * self.words as u32, self)
    }

    fn node(&self, key: &[u64]) -> usize {
        (key[self.words - 1] & 0xf_ffff) as usize
    }

    fn end(&self, node: usize) -> Outcome {
        const ENDS: [Outcome; 6] = [
            Outcome::Win(Color::White, "one"),
            Outcome::Win(Color::Black, "two"),
            Outcome::WeakWin(Color::White, "three"),
            Outcome::WeakWin(Color::Black, "three"),
            Outcome::Draw("four"),
            Outcome::Win(Color::Black, "one"),
        ];
        ENDS[node / 2 % ENDS.len()]
    }
}

impl KeyGraph for &Made {
    fn side(&self, key: &[u64]) -> Color {
        Color::BOTH[self.node(key) % 2]
    }
    fn accepts(&self, key: &[u64]) -> bool {
        key.len() == self.words && (0..self.rows.len()).any(|node| self.key(node) == key)
    }
    fn expand(&self, keys: &[u64], successors: &mut Successors) {
        *successors = Successors::default();
        for (at, key) in keys.chunks(self.words).enumerate() {
            let node = self.node(key);
            let row = &self.rows[node];
            successors.degrees.push(row.len() as u32);
            let to = row.iter().flat_map(|&to| self.key(to));
            successors.keys.extend(to);
            if row.is_empty() {
                successors.ends.push((at, self.end(node)));
            }
        }
    }
    fn replay(
        &self,
        key: &[u64],
        keys: &mut Vec<u64>,
    ) -> Result<Option<Outcome>, explore::StateError> {
        let node = self.node(key);
        keys.extend(self.rows[node].iter().rev().flat_map(|&to| self.key(to)));
        Ok(self.rows[node].is_empty().then(|| self.end(node)))
    }
    fn turns(&self, key: &[u64]) -> Vec<(String, Vec<u64>)> {
        let row = self.rows[self.node(key)].iter().enumerate();
        row.map(|(n, &to)| (format!("{n}"), self.key(to))).collect()
    }
    fn outcome(&self, key: &[u64]) -> Outcome {
        let node = self.node(key);
        match self.rows[node].is_empty() {
            true => self.end(node),
            false => Outcome::Ongoing,
        }
    }
    fn fen(&self, key: &[u64]) -> String {
        format!("{key:?}")
    }
}

/// Returns the result of a plain search: the nodes in the order in which they are found, and the summary.
fn plain(made: &Made, most: u64, max_depth: u32) -> (Vec<usize>, Summary) {
    let mut order = vec![0];
    let mut known = HashMap::from([(0, 0)]);
    let mut summary = Summary::default();
    let (mut level, mut level_end) = (0, 1);
    'levels: while level < level_end {
        let mut row = DepthRow {
            depth: summary.depths.len() as u32,
            states: (level_end - level) as u64,
            min_out_degree: u64::MAX,
            ..DepthRow::default()
        };
        if row.depth >= max_depth {
            summary.limit = Some(Stopped::Count(Counted::Depth));
        }
        for at in level..level_end {
            if summary.limit.is_some() {
                break;
            }
            let node = order[at];
            for &to in &made.rows[node] {
                if let Entry::Vacant(vacant) = known.entry(to) {
                    if order.len() as u64 == most {
                        summary.limit = Some(Stopped::Count(Counted::States));
                        break;
                    }
                    vacant.insert(order.len());
                    order.push(to);
                }
            }
            if summary.limit.is_some() {
                break;
            }
            let degree = made.rows[node].len() as u64;
            row.expanded += 1;
            row.edges += degree;
            row.min_out_degree = row.min_out_degree.min(degree);
            row.max_out_degree = row.max_out_degree.max(degree);
            if degree == 0 {
                row.terminals += 1;
                *summary.terminals.entry(made.end(node)).or_default() += 1;
            }
        }
        if row.expanded == 0 {
            row.min_out_degree = 0;
        }
        summary.depths.push(row);
        if summary.limit.is_some() {
            if order.len() > level_end {
                summary.depths.push(DepthRow {
                    depth: row.depth + 1,
                    states: (order.len() - level_end) as u64,
                    ..DepthRow::default()
                });
            }
            break 'levels;
        }
        (level, level_end) = (level_end, order.len());
    }
    summary.states = order.len() as u64;
    summary.expanded = summary.depths.iter().map(|row| row.expanded).sum();
    summary.edges = summary.depths.iter().map(|row| row.edges).sum();
    (order, summary)
}

const FREE: Limits = Limits {
    max_states: None,
    max_depth: u32::MAX,
};

fn question() -> Question {
    Question {
        variant: "made".to_string(),
        position: "here".to_string(),
        law: [1, 1],
    }
}

fn open<'a>(graph: &'a Expander<'a>, folder: &Path, limits: Limits) -> Result<Search<'a>, Failed> {
    open_under(graph, folder, limits, Control::new())
}

fn open_under<'a>(
    graph: &'a Expander<'a>,
    folder: &Path,
    limits: Limits,
    control: Control<'a>,
) -> Result<Search<'a>, Failed> {
    let budget = Budget { bytes: 48 << 10 };
    Search::open_with(graph, question(), folder, limits, control, budget)
}

fn explored(made: &Made, folder: &Path, limits: Limits) -> Summary {
    let graph = made.graph();
    let mut search = open(&graph, folder, limits).expect("a search");
    search.explore().expect("explored")
}

/// Returns a new folder, in memory if the system has such a place, so that tests do not wait for disks.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    folder.expect("a folder")
}

fn nodes(seed: u64) -> usize {
    (seed % 7000) as usize
}

fn few(tests: u64) -> QuickCheck {
    QuickCheck::new().tests(tests)
}

#[test]
fn search_agrees_with_the_plain_one() {
    fn agrees(seed: u64, size: u64, width: usize) -> bool {
        let made = Made::new(seed, nodes(size), 1 + width % 5);
        let folder = folder();
        explored(&made, folder.path(), FREE) == plain(&made, u64::MAX, u32::MAX).1
    }
    few(12).quickcheck(agrees as fn(u64, u64, usize) -> bool);
}

#[test]
fn limits_cut_where_the_plain_search_cuts() {
    fn agrees(seed: u64, size: u64, width: usize, most: u64, depth: u32) -> bool {
        let made = Made::new(seed, nodes(size), 1 + width % 5);
        let all = plain(&made, u64::MAX, u32::MAX).1.states;
        let (most, depth) = (most % (all + 1) + 1, depth % 20);
        let cut = |max_states, max_depth| {
            let limits = Limits {
                max_states,
                max_depth,
            };
            explored(&made, folder().path(), limits)
        };
        cut(Some(most), u32::MAX) == plain(&made, most, u32::MAX).1
            && cut(None, depth) == plain(&made, u64::MAX, depth).1
            && cut(Some(most), depth) == plain(&made, most, depth).1
    }
    few(8).quickcheck(agrees as fn(u64, u64, usize, u64, u32) -> bool);
}

#[test]
fn states_of_a_level_that_a_limit_cuts_are_visited() {
    fn agrees(seed: u64, size: u64, width: usize, most: u64) -> bool {
        let made = Made::new(seed, nodes(size), 1 + width % 5);
        let all = plain(&made, u64::MAX, u32::MAX).1.states;
        let limits = Limits {
            max_states: Some(most % (all + 1) + 1),
            max_depth: u32::MAX,
        };
        let (graph, folder) = (made.graph(), folder());
        let mut search = open(&graph, folder.path(), limits).expect("a search");
        search.explore().expect("explored");
        let mut visited = Vec::new();
        let mut visit = |block: &Block| {
            visited.extend(block.keys.chunks(made.words).map(|key| made.node(key)));
            Ok(())
        };
        search.each_block(None, &mut visit).expect("visited");
        visited.sort_unstable();
        let mut order = plain(&made, most % (all + 1) + 1, u32::MAX).0;
        order.sort_unstable();
        visited == order
    }
    few(12).quickcheck(agrees as fn(u64, u64, usize, u64) -> bool);
}

/// Returns the values that the solver in memory finds, counted like those of the search on disk.
fn solved(made: &Made) -> (HashMap<usize, Value>, Census<(u32, u16)>, Counts) {
    let (order, summary) = plain(made, u64::MAX, u32::MAX);
    let numbers: HashMap<usize, u32> = order.iter().copied().zip(0..).collect();
    let rows = order
        .iter()
        .map(|&node| made.rows[node].iter().map(|to| numbers[to]));
    let graph = GameGraph::from_successors(rows);
    let end = |state: u32| {
        let node = order[state as usize];
        Value::of_outcome(made.end(node), Color::BOTH[node % 2])
    };
    let values = ::values::solve(&graph, end, &Control::new()).expect("solved");
    let census = census(&graph, &values);
    let mut depth = Vec::new();
    for row in &summary.depths {
        depth.extend((0..row.states).map(|_| u64::from(row.depth)));
    }
    let longest = |worth: i8| {
        let of = |state: usize| values.of(state as u32);
        let won = (0..order.len()).filter(|&state| of(state).worth() == worth);
        won.map(|state| {
            let plies = of(state).distance_plies().unwrap_or(0);
            (u16::MAX - plies, depth[state], made.key(order[state]))
        })
        .min()
        .map(|(plies, depth, key)| (u16::MAX - plies, depth, key))
    };
    let counts = census.with_longest([longest(2), longest(1)]);
    let values = order
        .iter()
        .zip(0..)
        .map(|(&node, state)| (node, values.of(state)));
    (values.collect(), census, counts)
}

#[test]
fn values_agree_with_the_solver_in_memory() {
    fn agrees(seed: u64, size: u64, width: usize) -> bool {
        let made = Made::new(seed, nodes(size), 1 + width % 5);
        let (values, _, wanted) = solved(&made);
        let (graph, folder) = (made.graph(), folder());
        let mut search = open(&graph, folder.path(), FREE).expect("a search");
        search.explore().expect("explored");
        let counts = search.solve().expect("solved");
        let certificate = search.certify().expect("certified");
        assert_eq!(counts, wanted);
        assert!(certificate.holds());
        assert_eq!(certificate.states, values.len() as u64);
        let mut lookup = super::Lookup::new(&search).expect("values");
        for (&node, &value) in values.iter().take(50) {
            assert_eq!(lookup.value(&made.key(node)).expect("read"), Some(value));
        }
        // Finished work is not repeated.
        drop((search, lookup));
        let mut again = open(&graph, folder.path(), FREE).expect("a search");
        again.explore().expect("explored");
        again.solve().expect("solved") == wanted
    }
    few(12).quickcheck(agrees as fn(u64, u64, usize) -> bool);
}

/// Requests a stop after a number of progress reports.
struct After(std::sync::atomic::AtomicBool, std::sync::Mutex<u32>);

impl After {
    fn new(looks: u32) -> After {
        After(false.into(), looks.into())
    }
    fn told(&self) {
        let mut left = self.1.lock().expect("one thread");
        *left = left.saturating_sub(1);
        if *left == 0 {
            self.0.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    }
}

impl control::Observer for After {
    fn progress(&self, _: &control::Progress<'_>) {
        self.told();
    }
}

#[test]
fn a_search_stopped_again_and_again_ends_with_the_same() {
    let made = Made::new(77, 6000, 2);
    let graph = made.graph();
    let (_, _, wanted) = solved(&made);
    let whole = plain(&made, u64::MAX, u32::MAX).1;
    let folder = folder();
    let mut stops = 0;
    loop {
        // The stop comes later each time, so that the loop ends.
        let after = After::new(2 + stops);
        let control = Control::new().with_stop(&after.0).with_observer(&after);
        let mut search = open_under(&graph, folder.path(), FREE, control).expect("a search");
        let summary = search.explore().expect("explored");
        if summary.limit == Some(Stopped::Interrupted) {
            assert!(search.solve() == Err(Failed::Incomplete));
            stops += 1;
            continue;
        }
        assert_eq!(summary, whole);
        match search.solve() {
            Err(Failed::Stopped(Stopped::Interrupted)) => stops += 1,
            counts => {
                assert_eq!(counts, Ok(wanted));
                break;
            }
        }
        assert!(stops < 500, "no progress");
    }
    assert!(stops > 5, "{stops}");
}

#[test]
fn a_wrong_value_is_found() {
    let made = Made::new(3, 3000, 1);
    let graph = made.graph();
    let folder = folder();
    let mut search = open(&graph, folder.path(), FREE).expect("a search");
    search.explore().expect("explored");
    search.solve().expect("solved");
    // A graph with the turns of each node in reverse order has the same values.
    let other = Made {
        rows: made
            .rows
            .iter()
            .map(|row| row.iter().rev().copied().collect())
            .collect(),
        root: made.root.clone(),
        words: 1,
    };
    drop(search);
    let graph = other.graph();
    let search = open(&graph, folder.path(), FREE).expect("a search");
    assert!(search.certify().expect("certified").faulty_states == 0);
    drop(search);
    drop(graph);
    let mut rows = other.rows;
    // Add a turn to states that have turns already.
    for (node, row) in rows
        .iter_mut()
        .enumerate()
        .filter(|(_, row)| !row.is_empty())
        .take(200)
    {
        row.push((node + 1) % 2);
    }
    let other = Made { rows, ..other };
    let graph = other.graph();
    let search = open(&graph, folder.path(), FREE).expect("a search");
    let certificate = search.certify().expect("certified");
    assert!(certificate.faulty_states > 0);
    assert!(!certificate.faults.is_empty());
}

#[test]
fn another_question_is_refused() {
    let made = Made::new(5, 500, 1);
    let folder = folder();
    explored(&made, folder.path(), FREE);
    let graph = made.graph();
    let with = |question: Question| {
        let budget = Budget { bytes: 48 << 10 };
        let search = Search::open_with(
            &graph,
            question,
            folder.path(),
            FREE,
            Control::new(),
            budget,
        );
        search.map(|_| ()).unwrap_err().to_string()
    };
    let mut other = question();
    other.variant = "other".to_string();
    assert!(with(other).contains("holds a search of made, not of other"));
    let mut other = question();
    other.position = "there".to_string();
    assert!(with(other).contains("holds a search from `here`"));
    let mut other = question();
    other.law = [1, 2];
    assert!(with(other).contains("before the rules of made were corrected"));
}

#[test]
fn summary_of_values_names_a_line_of_best_play() {
    let made = Made::new(11, 2000, 3);
    let (values, ..) = solved(&made);
    let (graph, folder) = (made.graph(), folder());
    let mut search = open(&graph, folder.path(), FREE).expect("a search");
    search.explore().expect("explored");
    let counts = search.solve().expect("solved");
    let mut visited = HashMap::new();
    let mut visit = |block: &Block| {
        let nodes = block.keys.chunks(made.words).map(|key| made.node(key));
        visited.extend(nodes.zip(block.values.iter().copied()));
        Ok(())
    };
    search.each_block(None, &mut visit).expect("visited");
    assert_eq!(visited, values);
    let summary: SolvedSummary = search.solved_summary(&counts, None).expect("values");
    assert_eq!(summary.root, values[&0]);
    assert_eq!(summary.certified_states, None);
    let farthest = summary.census.longest_win.expect("somebody wins");
    let line = farthest.line.expect("a line");
    assert_eq!(line.turns.len(), usize::from(farthest.plies));
    let outcomes: BTreeMap<Outcome, u64> = plain(&made, u64::MAX, u32::MAX).1.terminals;
    assert!(!outcomes.is_empty());
}

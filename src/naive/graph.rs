//! The graph that is reachable from a position, and the values of its positions by plain retrograde analysis.

use crate::{Position, Unverified, unchecked};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// The reachable positions, each once, with their successors.
pub struct Graph {
    nodes: Vec<Node>,
    /// The index of each position, by its identity.
    known: HashMap<String, usize>,
    /// Total number of turns of the positions whose turns were listed.
    pub edges: usize,
}

#[derive(Default)]
struct Node {
    white: bool,
    /// The outcome, if the game is over.
    end: Option<String>,
    successors: Vec<usize>,
}

/// Returns the value of an outcome for White, from -2 (a loss) to 2 (a win).
fn worth(outcome: &str) -> i32 {
    match outcome.split(' ').next().unwrap_or_default() {
        "white-wins" => 2,
        "white-wins-weakly" => 1,
        "black-wins-weakly" => -1,
        "black-wins" => -2,
        _ => 0,
    }
}

/// A summary of the values of all positions of a graph.
pub struct Census {
    /// The value of the root for the side to move: `loss`, `weak-loss`, `draw`, `weak-win` or `win`.
    pub value: &'static str,
    /// The number of plies to the end, if the root is won or lost.
    pub plies: Option<usize>,
    /// The number of positions with each value, with the name of the value.
    pub counts: [(&'static str, usize); 5],
    /// The number of plies of the longest win, if any.
    pub longest_win_plies: Option<usize>,
    /// The positions that are won in this number of plies, by index.
    longest_wins: Vec<usize>,
    /// The number of won or weakly won positions in which exactly one turn keeps the value.
    one_winning_turn: usize,
    /// The value of each position, from -2 to 2, and the number of plies to a win or a loss.
    values: Vec<(i32, Option<usize>)>,
}

impl Graph {
    /// Explores the positions at most `depth` plies from the root.
    ///
    /// # Errors
    /// If there are more than about `max` positions.
    pub fn explore(root: &Position, depth: usize, max: u64) -> Result<Graph, Unverified> {
        let mut graph = Graph {
            nodes: vec![Node::default()],
            known: HashMap::from([(root.identity(), 0)]),
            edges: 0,
        };
        // A position stores its turns once its outcome is computed. To save memory, this is done last, and
        // the position is dropped at once.
        let mut level = vec![(0, root.clone())];
        for plies in 0..=depth {
            let mut next = Vec::new();
            for (at, position) in level {
                let (white, outcome) = (position.is_white(), position.outcome()?);
                graph.nodes[at].white = white;
                graph.nodes[at].end = Some(outcome).filter(|outcome| outcome != "ongoing");
                if plies == depth {
                    continue;
                }
                if graph.nodes.len() as u64 > max {
                    return unchecked(format!(
                        "it has more than {max} positions; --positions allows more"
                    ));
                }
                for (_, after) in position.turns()? {
                    let new = graph.nodes.len();
                    let successor = *graph.known.entry(after.identity()).or_insert(new);
                    if successor == new {
                        graph.nodes.push(Node::default());
                        next.push((new, after));
                    }
                    graph.nodes[at].successors.push(successor);
                    graph.edges += 1;
                }
            }
            level = next;
            if level.is_empty() {
                break;
            }
        }
        Ok(graph)
    }

    /// Returns the number of positions.
    pub fn states(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of positions in which the game is over, by outcome.
    pub fn terminals(&self) -> BTreeMap<&str, u64> {
        let mut terminals = BTreeMap::new();
        for end in self.nodes.iter().filter_map(|node| node.end.as_deref()) {
            *terminals.entry(end).or_default() += 1;
        }
        terminals
    }

    /// Returns, for each position, the number of plies in which a side forces an outcome with a value of at
    /// least `least` for that side. The number is `None` if the side cannot force such an outcome.
    fn forced(&self, white: bool, least: i32) -> Vec<Option<usize>> {
        let mut plies = vec![None; self.nodes.len()];
        let mut predecessors = vec![Vec::new(); self.nodes.len()];
        let mut open = Vec::new();
        let mut queue = VecDeque::new();
        for (at, node) in self.nodes.iter().enumerate() {
            open.push(node.successors.len());
            for &successor in &node.successors {
                predecessors[successor].push(at);
            }
            let end = node.end.as_deref().map(worth);
            if end.is_some_and(|end| if white { end } else { -end } >= least) {
                plies[at] = Some(0);
                queue.push_back(at);
            }
        }
        while let Some(at) = queue.pop_front() {
            for &before in &predecessors[at] {
                open[before] -= 1;
                let forced = self.nodes[before].white == white || open[before] == 0;
                if plies[before].is_none() && forced {
                    plies[before] = plies[at].map(|n: usize| n + 1);
                    queue.push_back(before);
                }
            }
        }
        plies
    }

    /// Returns, for each position, its value for the side to move, from -2 to 2, and the number of plies to a
    /// win or a loss.
    fn values(&self) -> Vec<(i32, Option<usize>)> {
        let forced = |least| [self.forced(false, least), self.forced(true, least)];
        let (wins, weak_wins) = (forced(2), forced(1));
        let value = |(at, node): (usize, &Node)| {
            let (own, other) = (usize::from(node.white), usize::from(!node.white));
            let weak = |side: usize| i32::from(weak_wins[side][at].is_some());
            match (wins[own][at], wins[other][at]) {
                (Some(plies), _) => (2, Some(plies)),
                (_, Some(plies)) => (-2, Some(plies)),
                _ => (weak(own) - weak(other), None),
            }
        };
        self.nodes.iter().enumerate().map(value).collect()
    }

    /// Returns a summary of the values of all positions. The graph must be complete.
    pub fn census(&self) -> Census {
        const NAMES: [&str; 5] = ["loss", "weak-loss", "draw", "weak-win", "win"];
        let values = self.values();
        let (value, plies) = values[0];
        let keeping = |at: usize| {
            let successors = self.nodes[at].successors.iter();
            successors
                .filter(|&&after| values[after].0 == -values[at].0)
                .count()
        };
        let is_single = |at: &usize| values[*at].0 > 0 && keeping(*at) == 1;
        let one_winning_turn = (0..values.len()).filter(is_single).count();
        let count = |worth| values.iter().filter(|(value, _)| *value == worth).count();
        let wins = || (0..).zip(&values).filter(|(_, (value, _))| *value == 2);
        let longest_win_plies = wins().filter_map(|(_, (_, plies))| *plies).max();
        let longest_wins = wins().filter(|(_, (_, plies))| *plies == longest_win_plies);
        Census {
            value: NAMES[(value + 2) as usize],
            plies,
            counts: std::array::from_fn(|at| (NAMES[at], count(at as i32 - 2))),
            longest_win_plies,
            longest_wins: longest_wins.map(|(at, _)| at).collect(),
            one_winning_turn,
            values,
        }
    }

    /// Returns whether each turn of a line keeps the value, and leads to a win or a loss as fast or as late as possible.
    pub fn is_best_line(&self, census: &Census, line: &[Position]) -> bool {
        let value =
            |position: &Position| Some(census.values[*self.known.get(&position.identity())?]);
        line.windows(2).all(|pair| {
            let values: [Option<(i32, Option<usize>)>; 2] = [value(&pair[0]), value(&pair[1])];
            let [Some((before, plies)), Some((after, fewer))] = values else {
                return false;
            };
            before == -after && plies == fewer.map(|fewer| fewer + 1)
        })
    }

    /// Returns the length of the longest game in plies, or `None` if positions can repeat. The graph must be complete.
    pub fn longest_path(&self) -> Option<usize> {
        let mut before = vec![0; self.nodes.len()];
        for &after in self.nodes.iter().flat_map(|node| &node.successors) {
            before[after] += 1;
        }
        let mut open: Vec<usize> = (0..before.len()).filter(|&at| before[at] == 0).collect();
        let (mut plies, mut done) = (vec![0; before.len()], 0);
        while let Some(at) = open.pop() {
            done += 1;
            for &after in &self.nodes[at].successors {
                plies[after] = plies[after].max(plies[at] + 1);
                before[after] -= 1;
                if before[after] == 0 {
                    open.push(after);
                }
            }
        }
        (done == before.len()).then(|| plies.into_iter().max().unwrap_or(0))
    }

    /// Returns whether a position belongs to the graph and is one of the longest wins.
    pub fn is_longest_win(&self, census: &Census, position: &Position) -> bool {
        let at = self.known.get(&position.identity());
        at.is_some_and(|at| census.longest_wins.contains(at))
    }

    /// Returns the figures that reports contain on a graph, each as its kind, its column and its text. Values
    /// of positions are included if there is a census.
    pub fn figures(&self, census: Option<&Census>) -> Vec<(&'static str, String, String)> {
        let terminal_states: u64 = self.terminals().values().sum();
        let mut figures = Vec::new();
        let mut add = |kind, column: &str, text| figures.push((kind, column.to_string(), text));
        add("count of positions", "states", self.states().to_string());
        add(
            "count of ends",
            "terminal_states",
            terminal_states.to_string(),
        );
        let share = terminal_states as f64 / self.states() as f64;
        add("share of ends", "terminal_share", format!("{share:.6}"));
        if let Some(census) = census {
            let text = |plies: Option<usize>| plies.map_or_else(String::new, |n| n.to_string());
            add("count of turns", "edges", self.edges.to_string());
            add("value", "value", census.value.to_string());
            for (value, count) in census.counts {
                let share = format!("{:.4}", count as f64 / self.states() as f64);
                add(
                    "share of values",
                    &format!("{}_share", value.replace('-', "_")),
                    share,
                );
            }
            add("plies to the end", "plies", text(census.plies));
            add(
                "longest win",
                "longest_win_plies",
                text(census.longest_win_plies),
            );
            let longest = self.longest_path();
            let single = census.one_winning_turn.to_string();
            add(
                "count of single winning turns",
                "one_winning_turn_states",
                single,
            );
            add(
                "repetition of positions",
                "endless",
                longest.is_none().to_string(),
            );
            add("longest path", "longest_path_plies", text(longest));
            add(
                "count of positions",
                "certified_states",
                self.states().to_string(),
            );
        }
        figures
    }
}

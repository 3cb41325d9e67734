//! The graph that is reachable from a position, and its values by plain retrograde analysis.

use crate::Fault;
use naive::Position;
use std::collections::HashMap;

/// The positions that can be reached, each once.
pub struct Graph {
    nodes: Vec<Node>,
    /// The number of turns of all positions whose turns were listed.
    pub edges: usize,
}

struct Node {
    white: bool,
    /// What the end of the game is worth to White, from -2 (a loss) to 2; none while it is not over.
    end: Option<i32>,
    successors: Vec<usize>,
}

fn worth(outcome: &str) -> Option<i32> {
    match outcome.split(' ').next().unwrap_or_default() {
        "ongoing" => None,
        "white-wins" => Some(2),
        "white-wins-weakly" => Some(1),
        "black-wins-weakly" => Some(-1),
        "black-wins" => Some(-2),
        _ => Some(0),
    }
}

impl Graph {
    /// Explores the positions at most `depth` plies from the root.
    ///
    /// # Errors
    /// If there are more than about `max` positions.
    pub fn explore(root: Position, depth: usize, max: u64) -> Result<Graph, Fault> {
        let mut graph = Graph {
            nodes: Vec::new(),
            edges: 0,
        };
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut level = vec![(graph.add(&root), root.clone())];
        known.insert(root.identity(), 0);
        for _ in 0..depth {
            let mut next = Vec::new();
            for (at, position) in level {
                if graph.nodes.len() as u64 > max {
                    let why = format!("it has more than {max} positions; --positions allows more");
                    return Err(Fault::Unchecked(why));
                }
                for (_, after) in position.turns() {
                    let successor = *known.entry(after.identity()).or_insert_with(|| {
                        let successor = graph.add(&after);
                        next.push((successor, after));
                        successor
                    });
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

    fn add(&mut self, position: &Position) -> usize {
        let (white, end) = (position.is_white(), worth(&position.outcome()));
        let successors = Vec::new();
        self.nodes.push(Node {
            white,
            end,
            successors,
        });
        self.nodes.len() - 1
    }

    /// Returns the number of positions.
    pub fn states(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of positions where the game is over.
    pub fn terminal_states(&self) -> usize {
        self.nodes.iter().filter(|node| node.end.is_some()).count()
    }

    /// Returns the plies in which a side forces an end worth at least `least` to it, for each position.
    fn forced(&self, white: bool, least: i32) -> Vec<Option<usize>> {
        let mut plies = vec![None; self.nodes.len()];
        let mut predecessors = vec![Vec::new(); self.nodes.len()];
        let mut open: Vec<usize> = self
            .nodes
            .iter()
            .map(|node| node.successors.len())
            .collect();
        let mut queue = std::collections::VecDeque::new();
        for (at, node) in self.nodes.iter().enumerate() {
            node.successors
                .iter()
                .for_each(|&successor| predecessors[successor].push(at));
            if node
                .end
                .is_some_and(|end| if white { end >= least } else { -end >= least })
            {
                plies[at] = Some(0);
                queue.push_back(at);
            }
        }
        while let Some(at) = queue.pop_front() {
            for &before in &predecessors[at] {
                open[before] -= 1;
                if plies[before].is_none()
                    && (self.nodes[before].white == white || open[before] == 0)
                {
                    plies[before] = plies[at].map(|n: usize| n + 1);
                    queue.push_back(before);
                }
            }
        }
        plies
    }

    /// Returns for each position its value to the side to move, from -2 to 2, and the plies to a win or a loss.
    /// The graph must be whole.
    pub fn values(&self) -> Vec<(i32, Option<usize>)> {
        let forced = |least| [self.forced(false, least), self.forced(true, least)];
        let (wins, weak_wins) = (forced(2), forced(1));
        let value = |at: usize| {
            let (own, other) = (
                usize::from(self.nodes[at].white),
                usize::from(!self.nodes[at].white),
            );
            match (wins[own][at], wins[other][at]) {
                (Some(plies), _) => (2, Some(plies)),
                (_, Some(plies)) => (-2, Some(plies)),
                _ => (
                    i32::from(weak_wins[own][at].is_some())
                        - i32::from(weak_wins[other][at].is_some()),
                    None,
                ),
            }
        };
        (0..self.nodes.len()).map(value).collect()
    }
}

//! The figures of an exploration, for the command `explore`.

use super::solved::Solved;
use explore::Summary;
use explore::{Exploration, Structure};
use notation::turns;
use rules::Game;
use serde::Serialize;
use values::Layout;

/// The figures of an exploration.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Explored {
    /// The rule set with its options.
    pub variant: String,
    /// The root.
    pub fen: String,
    /// `complete`, or the limit that stopped the search.
    pub limit: String,
    /// The number of states found.
    pub states: u64,
    /// The number of states whose turns were generated.
    pub expanded: u64,
    /// The number of states that were found but not expanded.
    pub left: u64,
    /// The number of turns from the expanded states.
    pub edges: u64,
    /// The distance from the root to the deepest states, in plies.
    pub depth: u32,
    /// The fewest turns of an expanded state.
    pub min_out_degree: u64,
    /// The mean number of turns of the expanded states.
    pub mean_out_degree: f64,
    /// The most turns of an expanded state.
    pub max_out_degree: u64,
    /// The terminal states by outcome and reason.
    pub terminals: Vec<(String, u64)>,
    /// Whether no play can return to a state. `None` without edges.
    pub acyclic: Option<bool>,
    /// The number of strongly connected components.
    pub components: Option<u64>,
    /// The number of components with more than one state.
    pub cyclic_components: Option<u64>,
    /// The number of states of the largest component.
    pub largest_component_states: Option<u64>,
    /// The length of the longest play from the root in plies, if the graph is acyclic.
    pub longest_path_turns: Option<usize>,
    /// A play of this length.
    pub longest_path: Option<Vec<String>>,
    /// The values of the states, if they were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solved: Option<Solved>,
}

impl Explored {
    /// Returns the figures of an exploration from a root, without the structure of the graph.
    pub fn new(variant: String, fen: String, found: &Summary) -> Explored {
        let expanded = found.depths.iter().filter(|row| row.expanded > 0);
        Explored {
            variant,
            fen,
            limit: found
                .limit
                .map_or("complete", |limit| limit.limit())
                .to_string(),
            states: found.states,
            expanded: found.expanded,
            left: found.states - found.expanded,
            edges: found.edges,
            depth: found.deepest(),
            min_out_degree: expanded
                .clone()
                .map(|r| r.min_out_degree)
                .min()
                .unwrap_or(0),
            mean_out_degree: found.edges as f64 / found.expanded.max(1) as f64,
            max_out_degree: expanded.map(|r| r.max_out_degree).max().unwrap_or(0),
            terminals: found
                .terminals
                .iter()
                .map(|(outcome, n)| (outcome.to_string(), *n))
                .collect(),
            ..Explored::default()
        }
    }

    /// Adds the structure of the graph.
    pub fn with_structure<W: Layout>(
        self,
        game: &dyn Game<W>,
        found: &Exploration,
        structure: &Structure,
    ) -> Explored {
        Explored {
            acyclic: Some(structure.acyclic),
            components: Some(structure.components),
            cyclic_components: Some(structure.cyclic_components),
            largest_component_states: Some(structure.largest_component_states),
            longest_path_turns: structure.longest_path_turns(),
            longest_path: structure.longest_path.as_ref().map(|path| {
                let mut p = found.position::<W>(0);
                let mut texts = Vec::new();
                for turn in found.turns_along::<W>(game, path) {
                    texts.push(turns::print(game, &p, &turn));
                    p = game.play(&p, &turn);
                }
                texts
            }),
            ..self
        }
    }

    /// Returns the figures as lines of text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: &str| {
            text.push_str(&format!("{name:<26} {value}\n"));
        };
        line("variant", &self.variant);
        line("root", &self.fen);
        if self.limit == "complete" {
            line("graph", "complete");
        } else {
            line(
                "graph",
                &format!("NOT complete, stopped by: {}", self.limit),
            );
            line("states not expanded", &self.left.to_string());
        }
        line("states", &self.states.to_string());
        line("edges (turns)", &self.edges.to_string());
        line("depth, turns", &self.depth.to_string());
        line(
            "out-degree",
            &format!(
                "min {}, mean {:.3}, max {}",
                self.min_out_degree, self.mean_out_degree, self.max_out_degree
            ),
        );
        for (outcome, n) in &self.terminals {
            line(&format!("terminal: {outcome}"), &n.to_string());
        }
        if self.terminals.is_empty() {
            line("terminal states", "0");
        }
        let part = if self.limit == "complete" {
            ""
        } else {
            " (of the part explored)"
        };
        match self.acyclic {
            None => line("structure", "unknown: edges were not kept"),
            Some(acyclic) => {
                let word = if acyclic { "yes" } else { "no" };
                line("acyclic", &format!("{word}{part}"));
                let number = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
                line("components", &number(self.components));
                line("cyclic components", &number(self.cyclic_components));
                line(
                    "largest component, states",
                    &number(self.largest_component_states),
                );
            }
        }
        if let (Some(turns), Some(path)) = (self.longest_path_turns, &self.longest_path) {
            line("longest path, turns", &format!("{turns}{part}"));
            line("", &path.join(" "));
        }
        if let Some(solved) = &self.solved {
            for (name, value) in solved.lines() {
                line(&name, &value);
            }
        }
        text
    }
}

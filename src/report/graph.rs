//! Exports a game graph in the formats of graph programs: Graphviz DOT and GraphML. Also exports the levels
//! of an exploration as CSV.

use explore::{DepthRow, Exploration, GameGraph, StateId};
use notation::{fen, turns};
use rules::{Game, with_turns};
use std::io::{self, Write};
use values::{Layout, Values};

/// A game graph, for export. With `values`, each state has its value for the side to move and, unless it is a
/// draw, its distance in plies.
#[derive(Clone, Copy)]
pub struct GraphFile<'a, W: Layout> {
    /// The game.
    pub game: &'a dyn Game<W>,
    /// The exploration.
    pub found: &'a Exploration,
    /// The graph of the exploration.
    pub graph: &'a GameGraph,
    /// The values of the states, if the graph was solved.
    pub values: Option<&'a Values>,
}

/// The columns of a file of edges.
pub const EDGE_COLUMNS: &[&str] = &["source", "target", "turn"];

/// A format of a graph file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphFormat {
    /// CSV, one row for each edge.
    Edges,
    /// Graphviz DOT.
    Dot,
    /// GraphML.
    GraphMl,
}

impl<W: Layout> GraphFile<'_, W> {
    /// Returns about how many bytes a file has, from the length of some FENs.
    pub fn estimated_bytes(&self, format: GraphFormat) -> u64 {
        const SAMPLES: usize = 64;
        /// The bytes of an edge's turn.
        const TURN_BYTES: u64 = 5;
        let states = self.graph.states();
        let edges = self.graph.edges();
        let digits = states.max(1).ilog10() as u64 + 1;
        let step = (states / SAMPLES).max(1);
        let sampled: Vec<u64> = (0..states)
            .step_by(step)
            .map(|state| fen::print(self.game, &self.found.position::<W>(state as StateId)).len())
            .map(|bytes| bytes as u64)
            .collect();
        let fen_bytes = sampled.iter().sum::<u64>() / (sampled.len() as u64).max(1);
        // What surrounds the numbers, the FEN and the turn.
        let (state_bytes, edge_bytes) = match format {
            GraphFormat::Edges => (0, 2 * digits + TURN_BYTES + 3),
            GraphFormat::Dot => (fen_bytes + digits + 14, 2 * digits + TURN_BYTES + 18),
            GraphFormat::GraphMl => (fen_bytes + digits + 90, 2 * digits + TURN_BYTES + 70),
        };
        states as u64 * state_bytes + edges * edge_bytes
    }

    /// Writes a file of a format.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, format: GraphFormat, out: &mut dyn Write) -> io::Result<()> {
        match format {
            GraphFormat::Edges => self.write_edges(out),
            GraphFormat::Dot => self.write_dot(out),
            GraphFormat::GraphMl => self.write_graphml(out),
        }
    }

    /// Writes CSV with the columns `source`, `target` and `turn`: the numbers of the states before and after a turn, and the
    /// turn. The numbers are those of the other graph files and of the file of values.
    ///
    /// # Errors
    /// If `out` cannot be written.
    fn write_edges(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", EDGE_COLUMNS.join(","))?;
        self.each_edge(|from, to, turn| writeln!(out, "{from},{to},{turn}"))
    }

    /// Calls `edge` for every edge with its origin, its target and the text of its turn.
    fn each_edge(
        &self,
        mut edge: impl FnMut(StateId, StateId, &str) -> io::Result<()>,
    ) -> io::Result<()> {
        let GraphFile {
            game, found, graph, ..
        } = *self;
        for state in 0..graph.states() as StateId {
            let successors = graph.successors(state);
            if successors.is_empty() {
                continue;
            }
            let p = found.position::<W>(state);
            let texts: Vec<String> = with_turns(|list| {
                game.turns(&p, list);
                list.iter().map(|t| turns::print(game, &p, t)).collect()
            });
            for (&target, text) in successors.iter().zip(&texts) {
                edge(state, target, text)?;
            }
        }
        Ok(())
    }

    /// Writes Graphviz DOT. States have their number and FEN as labels, terminal states also their outcome,
    /// and edges their turn. With values, labels show them, and states have the attributes `value` and
    /// `plies`.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write_dot(&self, out: &mut dyn Write) -> io::Result<()> {
        let (game, found) = (self.game, self.found);
        writeln!(out, "digraph game {{")?;
        for state in 0..self.graph.states() as StateId {
            let p = found.position::<W>(state);
            let outcome = game.outcome(&p);
            let mut label = fen::print(game, &p);
            let mut attributes = String::new();
            if !outcome.is_ongoing() {
                label += &format!("\\n{outcome}");
                attributes += ", shape=box";
            }
            if let Some(value) = self.values.map(|values| values.of(state)) {
                label += &format!("\\n{value}");
                attributes += &format!(", value=\"{}\"", value.word());
                if let Some(plies) = value.distance_plies() {
                    attributes += &format!(", plies={plies}");
                }
            }
            writeln!(out, "  {state} [label=\"{label}\"{attributes}];")?;
        }
        self.each_edge(|from, to, turn| writeln!(out, "  {from} -> {to} [label=\"{turn}\"];"))?;
        writeln!(out, "}}")
    }

    /// Writes GraphML. Nodes have the attributes `fen` and `outcome`, and with values also `value` and
    /// `plies`. Edges have the attribute `turn`.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write_graphml(&self, out: &mut dyn Write) -> io::Result<()> {
        let (game, found) = (self.game, self.found);
        writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        writeln!(
            out,
            r#"<graphml xmlns="http://graphml.graphdrawing.org/xmlns">"#
        )?;
        let mut keys = vec![
            ("fen", "node", "string"),
            ("outcome", "node", "string"),
            ("turn", "edge", "string"),
        ];
        if self.values.is_some() {
            keys.extend([("value", "node", "string"), ("plies", "node", "int")]);
        }
        for (id, on, kind) in keys {
            writeln!(
                out,
                r#"  <key id="{id}" for="{on}" attr.name="{id}" attr.type="{kind}"/>"#
            )?;
        }
        writeln!(out, r#"  <graph id="game" edgedefault="directed">"#)?;
        for state in 0..self.graph.states() as StateId {
            let p = found.position::<W>(state);
            let mut value = String::new();
            if let Some(found) = self.values.map(|values| values.of(state)) {
                value += &format!(r#"<data key="value">{}</data>"#, found.word());
                if let Some(plies) = found.distance_plies() {
                    value += &format!(r#"<data key="plies">{plies}</data>"#);
                }
            }
            writeln!(
                out,
                r#"    <node id="{state}"><data key="fen">{}</data><data key="outcome">{}</data>{value}</node>"#,
                fen::print(game, &p),
                game.outcome(&p)
            )?;
        }
        self.each_edge(|from, to, turn| {
            writeln!(
                out,
                r#"    <edge source="{from}" target="{to}"><data key="turn">{turn}</data></edge>"#
            )
        })?;
        writeln!(out, "  </graph>")?;
        writeln!(out, "</graphml>")
    }
}

/// The columns that [`write_depths`] writes.
pub(super) const DEPTH_COLUMNS: &[&str] = &[
    "depth",
    "states",
    "expanded",
    "terminals",
    "edges",
    "min_out_degree",
    "mean_out_degree",
    "max_out_degree",
];

/// Writes the levels of an exploration as CSV.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_depths(depths: &[DepthRow], out: &mut dyn Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(DEPTH_COLUMNS)?;
    for row in depths {
        csv.write_record([
            row.depth.to_string(),
            row.states.to_string(),
            row.expanded.to_string(),
            row.terminals.to_string(),
            row.edges.to_string(),
            row.min_out_degree.to_string(),
            format!("{:.3}", row.mean_out_degree()),
            row.max_out_degree.to_string(),
        ])?;
    }
    csv.flush()
}

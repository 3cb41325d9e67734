//! A game graph in the formats of graph programs.

use explore::{DepthRow, Exploration, GameGraph, StateId};
use notation::{fen, turns};
use rules::{Game, with_turns};
use std::io::{self, Write};
use values::Layout;

/// Calls back for every edge: origin, target, the turn's text.
fn each_edge<W: Layout>(
    game: &dyn Game<W>,
    found: &Exploration,
    graph: &GameGraph,
    mut edge: impl FnMut(StateId, StateId, &str) -> io::Result<()>,
) -> io::Result<()> {
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

/// Graphviz DOT: states by number with their FEN, turns on the edges, the outcome of terminals.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_dot<W: Layout>(
    game: &dyn Game<W>,
    found: &Exploration,
    graph: &GameGraph,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "digraph game {{")?;
    for state in 0..graph.states() as StateId {
        let p = found.position::<W>(state);
        let outcome = game.outcome(&p);
        let label = fen::print(game, &p);
        if outcome.is_ongoing() {
            writeln!(out, "  {state} [label=\"{label}\"];")?;
        } else {
            writeln!(out, "  {state} [label=\"{label}\\n{outcome}\", shape=box];")?;
        }
    }
    each_edge(game, found, graph, |from, to, turn| {
        writeln!(out, "  {from} -> {to} [label=\"{turn}\"];")
    })?;
    writeln!(out, "}}")
}

/// GraphML: nodes with `fen` and `outcome`, edges with `turn`.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_graphml<W: Layout>(
    game: &dyn Game<W>,
    found: &Exploration,
    graph: &GameGraph,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(
        out,
        r#"<graphml xmlns="http://graphml.graphdrawing.org/xmlns">"#
    )?;
    for (id, on) in [("fen", "node"), ("outcome", "node"), ("turn", "edge")] {
        writeln!(
            out,
            r#"  <key id="{id}" for="{on}" attr.name="{id}" attr.type="string"/>"#
        )?;
    }
    writeln!(out, r#"  <graph id="game" edgedefault="directed">"#)?;
    for state in 0..graph.states() as StateId {
        let p = found.position::<W>(state);
        writeln!(
            out,
            r#"    <node id="{state}"><data key="fen">{}</data><data key="outcome">{}</data></node>"#,
            fen::print(game, &p),
            game.outcome(&p)
        )?;
    }
    each_edge(game, found, graph, |from, to, turn| {
        writeln!(
            out,
            r#"    <edge source="{from}" target="{to}"><data key="turn">{turn}</data></edge>"#
        )
    })?;
    writeln!(out, "  </graph>")?;
    writeln!(out, "</graphml>")
}

/// Returns the levels of an exploration as CSV.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_depths(depths: &[DepthRow], out: &mut dyn Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record([
        "depth",
        "states",
        "expanded",
        "terminals",
        "edges",
        "min_out_degree",
        "mean_out_degree",
        "max_out_degree",
    ])?;
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

//! Exports the condensation of a game graph as GraphML and CSV: its strongly connected components with their
//! sizes, values and edges.

use super::table::{self, Row};
use explore::{Condensation, Exploration, Layout, StateId};
use notation::fen;
use rules::Game;
use serde::Serialize;
use std::io::{self, Write};
use struct_field_names_as_array::FieldNamesAsSlice;
use values::{Value, Values};

/// The row of one component.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, FieldNamesAsSlice)]
pub(crate) struct ComponentRow {
    component: usize,
    states: usize,
    /// The state of the component that was found first.
    fen: String,
    /// The distance of that state from the root, in plies.
    depth: u32,
    /// The outcome, if the component is a single terminal state.
    outcome: Option<String>,
    /// The number of states by their value for the side to move.
    wins: Option<u64>,
    weak_wins: Option<u64>,
    draws: Option<u64>,
    weak_losses: Option<u64>,
    losses: Option<u64>,
    /// The number of turns within the component.
    turns_within: u64,
    /// The number of turns that leave the component. No play returns from there.
    turns_out: u64,
    /// The components to which turns lead, each with its number of turns: `3:12 7:1`.
    successors: String,
}

/// The condensation of an explored graph, for export. With `values`, the states of each value are counted.
#[derive(Clone, Copy)]
pub struct CondensationFile<'a, W: Layout> {
    /// The game.
    pub game: &'a dyn Game<W>,
    /// The exploration.
    pub found: &'a Exploration,
    /// The condensation of the exploration's graph.
    pub condensation: &'a Condensation,
    /// The values of the states, if the graph was solved.
    pub values: Option<&'a Values>,
}

impl<W: Layout> CondensationFile<'_, W> {
    /// Returns the distance of a state from the root, in plies.
    fn depth(&self, state: StateId) -> u32 {
        let mut end = 0;
        let mut rows = self.found.summary.depths.iter();
        let row = rows.find(|row| {
            end += row.states;
            u64::from(state) < end
        });
        row.map_or(0, |row| row.depth)
    }

    fn row(&self, component: usize) -> ComponentRow {
        let states = &self.condensation.components[component];
        let edges = &self.condensation.edges[component];
        let first = states[0];
        let position = self.found.position::<W>(first);
        let outcome = self.game.outcome(&position);
        let count = |is_counted: fn(Value) -> bool| {
            let values = self.values?;
            let counted = states.iter().filter(|&&state| is_counted(values.of(state)));
            Some(counted.count() as u64)
        };
        let turns_out: u64 = edges.values().sum();
        let graph = self.found.graph.as_ref();
        let turns: usize = graph.map_or(0, |graph| {
            let turns = states.iter().map(|&state| graph.successors(state).len());
            turns.sum()
        });
        let successors: Vec<String> = edges
            .iter()
            .map(|(target, turns)| format!("{target}:{turns}"))
            .collect();
        ComponentRow {
            component,
            states: states.len(),
            fen: fen::print(self.game, &position),
            depth: self.depth(first),
            outcome: (!outcome.is_ongoing()).then(|| outcome.to_string()),
            wins: count(|value| matches!(value, Value::Win(_))),
            weak_wins: count(|value| matches!(value, Value::WeakWin(_))),
            draws: count(|value| matches!(value, Value::Draw)),
            weak_losses: count(|value| matches!(value, Value::WeakLoss(_))),
            losses: count(|value| matches!(value, Value::Loss(_))),
            turns_within: turns as u64 - turns_out,
            turns_out,
            successors: successors.join(" "),
        }
    }

    fn all(&self) -> impl Iterator<Item = ComponentRow> {
        (0..self.condensation.components.len()).map(|component| self.row(component))
    }

    /// Writes a row for each component as CSV. The last column lists the edges.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        table::csv_of(self.all(), out)
    }

    /// Writes GraphML. Components are nodes with the columns of [`write_csv`](Self::write_csv), and edges
    /// have their number of turns.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write_graphml(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        let space = "http://graphml.graphdrawing.org/xmlns";
        writeln!(out, r#"<graphml xmlns="{space}">"#)?;
        let is_text = |name: &str| ["fen", "outcome"].contains(&name);
        let left_out = ["component", "successors"];
        for name in ComponentRow::COLUMNS
            .iter()
            .filter(|name| !left_out.contains(name))
        {
            let kind = if is_text(name) { "string" } else { "long" };
            writeln!(
                out,
                r#"  <key id="{name}" for="node" attr.name="{name}" attr.type="{kind}"/>"#
            )?;
        }
        writeln!(
            out,
            r#"  <key id="turns" for="edge" attr.name="turns" attr.type="long"/>"#
        )?;
        writeln!(out, r#"  <graph id="condensation" edgedefault="directed">"#)?;
        for row in self.all() {
            write!(out, r#"    <node id="{}">"#, row.component)?;
            let number = |n: u64| Some(n.to_string());
            let data = [
                ("states", number(row.states as u64)),
                ("fen", Some(row.fen)),
                ("depth", number(row.depth.into())),
                ("outcome", row.outcome),
                ("wins", row.wins.and_then(number)),
                ("weak_wins", row.weak_wins.and_then(number)),
                ("draws", row.draws.and_then(number)),
                ("weak_losses", row.weak_losses.and_then(number)),
                ("losses", row.losses.and_then(number)),
                ("turns_within", number(row.turns_within)),
                ("turns_out", number(row.turns_out)),
            ];
            for (key, value) in data {
                if let Some(value) = value {
                    write!(out, r#"<data key="{key}">{value}</data>"#)?;
                }
            }
            writeln!(out, "</node>")?;
        }
        for (from, edges) in self.condensation.edges.iter().enumerate() {
            for (to, turns) in edges {
                writeln!(
                    out,
                    r#"    <edge source="{from}" target="{to}"><data key="turns">{turns}</data></edge>"#
                )?;
            }
        }
        writeln!(out, "  </graph>")?;
        writeln!(out, "</graphml>")
    }
}

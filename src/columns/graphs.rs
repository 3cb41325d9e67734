//! The states and edges of a game graph as columns.
//!
//! States are numbered as in the exploration: by their distance from the root, which is state 0. The columns
//! `source` and `target` of edges are these numbers.

use crate::{BATCH_ROWS, keys, words};
use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt32Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use explore::{Expander, Exploration, StateId};
use std::ops::Range;
use std::sync::Arc;
use values::Values;

/// A graph, with its values if it was solved.
#[derive(Clone, Copy)]
pub struct GraphView<'a> {
    /// The rules.
    pub expander: &'a Expander<'a>,
    /// The states and edges.
    pub found: &'a Exploration,
    /// The values of all states.
    pub values: Option<&'a Values>,
}

/// The columns of states: `state`, `key`, `side`, with values `value` and `plies`, then `depth`, with edges
/// `turns`, and on request `outcome` and `fen`.
#[derive(Clone, Copy, Debug, Default)]
pub struct States {
    /// Whether there is a column `outcome`, for which the turns of each state are generated again.
    pub outcome: bool,
    /// Whether there is a column `fen`.
    pub fen: bool,
}

impl States {
    /// Returns the schema.
    pub fn schema(&self, view: &GraphView<'_>) -> SchemaRef {
        let mut fields = vec![
            Field::new("state", DataType::UInt32, false),
            keys::field(view.found.states.words()),
            words::field("side", false),
        ];
        if view.values.is_some() {
            fields.push(words::field("value", false));
            fields.push(Field::new("plies", DataType::UInt16, true));
        }
        fields.push(Field::new("depth", DataType::UInt32, false));
        if view.found.graph.is_some() {
            fields.push(Field::new("turns", DataType::UInt32, false));
        }
        if self.outcome {
            fields.push(Field::new("outcome", DataType::Utf8, false));
        }
        if self.fen {
            fields.push(Field::new("fen", DataType::Utf8, false));
        }
        Arc::new(Schema::new(fields))
    }

    /// Returns the batch of a range of states.
    ///
    /// # Errors
    /// If a batch of this range is larger than Arrow allows.
    ///
    /// # Panics
    /// If the graph does not have all states of the range.
    pub fn batch(
        &self,
        view: &GraphView<'_>,
        states: Range<StateId>,
    ) -> Result<RecordBatch, ArrowError> {
        let GraphView {
            expander,
            found,
            values,
        } = *view;
        let key = |state: StateId| found.states.key(state);
        let all = || states.clone();
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(UInt32Array::from_iter_values(all())),
            keys::column(found.states.words(), all().map(key))?,
            words::sides(all().map(|state| expander.side(key(state))))?,
        ];
        if let Some(values) = values {
            columns.push(words::values(all().map(|state| values.of(state)))?);
            columns.push(words::plies(all().map(|state| values.of(state))));
        }
        columns.push(Arc::new(depths(found, states.clone())));
        if let Some(graph) = &found.graph {
            let turns = all().map(|state| graph.successors(state).len() as u32);
            columns.push(Arc::new(UInt32Array::from_iter_values(turns)));
        }
        if self.outcome {
            let outcomes = all().map(|state| expander.outcome(key(state)).to_string());
            columns.push(Arc::new(StringArray::from_iter_values(outcomes)));
        }
        if self.fen {
            let fens = all().map(|state| expander.fen(key(state)));
            columns.push(Arc::new(StringArray::from_iter_values(fens)));
        }
        RecordBatch::try_new(self.schema(view), columns)
    }
}

impl States {
    /// Returns all batches.
    pub fn batches<'v>(
        &self,
        view: &'v GraphView<'_>,
    ) -> impl Iterator<Item = Result<RecordBatch, ArrowError>> + 'v {
        let (columns, states) = (*self, view.found.states.len() as StateId);
        (0..states).step_by(BATCH_ROWS).map(move |first| {
            let end = states.min(first.saturating_add(BATCH_ROWS as StateId));
            columns.batch(view, first..end)
        })
    }
}

/// Returns the depths of a range of states, which are numbered by depth.
fn depths(found: &Exploration, states: Range<StateId>) -> UInt32Array {
    let mut depths = Vec::with_capacity(states.len());
    let mut end = 0;
    let mut last = 0;
    for row in &found.summary.depths {
        end += row.states;
        last = row.depth;
        let end = end.min(u64::from(states.end));
        let next = u64::from(states.start) + depths.len() as u64;
        depths.resize(depths.len() + end.saturating_sub(next) as usize, row.depth);
    }
    // States that were found by a level that a limit stopped.
    depths.resize(states.len(), last);
    UInt32Array::from(depths)
}

/// The columns of edges: `source`, `target` and on request `turn`. Several turns that lead to one state are
/// edges of their own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Edges {
    /// Whether there is a column `turn`, for which the turns of each state are generated again. The edges of
    /// a state are then in the byte order of their turns.
    pub turn: bool,
}

impl Edges {
    /// Returns the schema.
    pub fn schema(&self) -> SchemaRef {
        let mut fields = vec![
            Field::new("source", DataType::UInt32, false),
            Field::new("target", DataType::UInt32, false),
        ];
        if self.turn {
            fields.push(Field::new("turn", DataType::Utf8, false));
        }
        Arc::new(Schema::new(fields))
    }

    /// Returns the end of a range of states that begins with `first` and has about `edges` edges, at least
    /// one state. Returns `None` after the last state with edges, or if the graph has no edges.
    pub fn next(&self, found: &Exploration, first: StateId, edges: usize) -> Option<StateId> {
        let graph = found.graph.as_ref()?;
        let (mut end, mut count) = (first, 0);
        while (end as usize) < graph.states() && count < edges {
            count += graph.successors(end).len();
            end += 1;
        }
        (end > first).then_some(end)
    }

    /// Returns all batches.
    pub fn batches<'v>(
        &self,
        view: &'v GraphView<'_>,
    ) -> impl Iterator<Item = Result<RecordBatch, ArrowError>> + 'v {
        let (columns, mut first) = (*self, 0);
        std::iter::from_fn(move || {
            let end = columns.next(view.found, first, BATCH_ROWS)?;
            let states = first..end;
            first = end;
            Some(columns.batch(view, states))
        })
    }

    /// Returns the batch of the edges that begin at a range of states. The batch is empty if the graph has
    /// no edges.
    ///
    /// # Errors
    /// If a batch of this range is larger than Arrow allows.
    ///
    /// # Panics
    /// If the graph does not have all states of the range.
    pub fn batch(
        &self,
        view: &GraphView<'_>,
        states: Range<StateId>,
    ) -> Result<RecordBatch, ArrowError> {
        let (mut sources, mut targets) = (Vec::new(), Vec::new());
        let mut turns = StringBuilder::new();
        for state in states {
            let successors = match &view.found.graph {
                Some(graph) => graph.successors(state),
                None => &[],
            };
            sources.resize(sources.len() + successors.len(), state);
            if !self.turn {
                targets.extend_from_slice(successors);
            } else if !successors.is_empty() {
                // A state that a limit left unexpanded has turns, but no edges.
                for (text, key) in view.expander.turns(view.found.states.key(state)) {
                    targets.extend(view.found.states.find(&key));
                    turns.append_value(text);
                }
            }
        }
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(UInt32Array::from(sources)),
            Arc::new(UInt32Array::from(targets)),
        ];
        if self.turn {
            columns.push(Arc::new(turns.finish()));
        }
        RecordBatch::try_new(self.schema(), columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::cast::AsArray;
    use arrow_array::types::UInt32Type;
    use control::Control;
    use notation::{Setup, with_setup};

    #[test]
    fn columns_are_the_graph_in_batches_of_any_size() {
        let variant = catalog::Catalog::new().open("fide").expect("a variant");
        let setup = Setup::read(&variant, Some("k3/4/4/3R/3K w - - 0 1")).expect("a FEN");
        with_setup!(&setup, start => {
            let game = start.game.as_ref();
            let limits = explore::Limits::default();
            let found = explore::explore(game, &start.position, &limits, &Control::new());
            let solved = values::solve_game(game, &found, &Control::new()).expect("values");
            let expander = Expander::new(game, &start.position);
            let view = GraphView { expander: &expander, found: &found, values: Some(&solved) };
            let graph = found.graph.as_ref().expect("edges");
            let columns = States { outcome: true, fen: true };
            let all = found.states.len() as u32;
            let whole = columns.batch(&view, 0..all).expect("a batch");
            assert_eq!(whole.num_rows(), found.states.len());
            let depth = whole.column_by_name("depth").expect("depths").as_primitive::<UInt32Type>();
            // An edge leads at most one level deeper, and each level is reached from the one above it.
            for state in 0..all {
                let own = depth.value(state as usize);
                let least = graph.predecessors(state).iter().map(|&p| depth.value(p as usize)).min();
                assert!(state == 0 && own == 0 || least.is_some_and(|least| least + 1 == own));
            }
            let parts: Vec<RecordBatch> = (0..all).step_by(100)
                .map(|first| columns.batch(&view, first..all.min(first + 100)).expect("a batch"))
                .collect();
            let mut row = 0;
            for part in &parts {
                assert_eq!(*part, whole.slice(row, part.num_rows()));
                row += part.num_rows();
            }
            assert_eq!(row, whole.num_rows());
            for columns in [Edges { turn: false }, Edges { turn: true }] {
                let (mut first, mut edges) = (0, 0);
                while let Some(end) = columns.next(&found, first, 1000) {
                    let batch = columns.batch(&view, first..end).expect("a batch");
                    let targets = batch.column(1).as_primitive::<UInt32Type>();
                    let sources = batch.column(0).as_primitive::<UInt32Type>();
                    for (source, target) in sources.values().iter().zip(targets.values()) {
                        assert!(graph.successors(*source).contains(target));
                    }
                    (first, edges) = (end, edges + batch.num_rows() as u64);
                }
                assert_eq!(edges, graph.edges());
            }
        });
    }
}

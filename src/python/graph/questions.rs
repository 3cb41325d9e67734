//! Questions about the states of a graph in memory.

use super::answers::Witness;
use super::searched::Searched;
use crate::errors::{Answer, warn};
use crate::expressions::{compile, interrupted};
use crate::variant::OpenVariant;
use control::Control;
use explore::{
    FixedBitSet, Groups, Query, StateId, count_states, first_state, line_to, states_where,
};
use language::{About, Expression, Interrupted};
use notation::{Setup, Start, turns, with_setup};
use position::Layout;
use pyo3::prelude::*;
use rules::Turn;
use values::GraphOracle;

/// Compiles an expression about the states of a graph. `values` is whether their values are known.
///
/// # Errors
/// If the text is not an expression of the wanted kind.
pub fn compile_about_states(
    variant: &OpenVariant,
    setup: &Setup,
    values: bool,
    text: &str,
    is_condition: bool,
) -> Answer<Expression> {
    let about = About {
        values,
        graph: true,
        ..About::POSITION
    };
    let (catalog, game) = (&variant.opened.catalog, setup.game());
    compile(catalog, &game, about, "expression", text, is_condition)
}

/// Warns that a graph from which states are counted is not complete.
pub fn warn_incomplete(py: Python<'_>) -> PyResult<()> {
    let text = "the graph is not complete: only the states that were explored are counted";
    warn(py, text)
}

/// A question, with its compiled condition.
struct Asked<'a, W: Layout> {
    inner: &'a Searched,
    start: &'a Start<W>,
    condition: &'a Expression,
    control: &'a Control<'a>,
    wanted: bool,
}

impl<W: Layout> Asked<'_, W> {
    /// Calls `work` with the query.
    fn query<T>(&self, work: impl FnOnce(&Query<'_, W>) -> T) -> T {
        let oracle = self.inner.values().map(|values| GraphOracle {
            found: &self.inner.found,
            values,
        });
        work(&Query {
            game: self.start.game.as_ref(),
            condition: self.condition,
            wanted: self.wanted,
            oracle: oracle
                .as_ref()
                .map(|oracle| oracle as &(dyn language::Oracle<W> + Sync)),
            control: self.control,
        })
    }

    fn first(&self) -> Answer<Option<Witness>> {
        let levels = self.inner.levels();
        let found = &self.inner.found;
        for (depth, level) in levels.iter().enumerate() {
            let first = self.query(|query| first_state(query, found, level.clone(), depth as u32));
            let first = first.map_err(|Interrupted| interrupted(self.control))?;
            if let Some(state) = first {
                let line = line_to(self.start.game.as_ref(), found, &levels[..=depth], state);
                return Ok(Some(Witness {
                    state: Some(state),
                    line: texts(self.start, &line),
                    fen: self.inner.fen(state),
                }));
            }
        }
        Ok(None)
    }
}

impl Searched {
    fn compile(&self, text: &str, is_condition: bool) -> Answer<Expression> {
        let values = self.values().is_some();
        compile_about_states(&self.variant, &self.setup, values, text, is_condition)
    }

    /// Returns the nearest state for which a condition holds or, if `wanted` is false, does not hold.
    ///
    /// # Errors
    /// If the text is not a condition, or a limit was reached.
    pub fn first(
        &self,
        text: &str,
        wanted: bool,
        control: &Control<'_>,
    ) -> Answer<(Option<Witness>, Expression)> {
        let condition = self.compile(text, true)?;
        let witness = with_setup!(&self.setup, start => {
            let asked = Asked { inner: self, start, condition: &condition, control, wanted };
            asked.first()
        })?;
        Ok((witness, condition))
    }

    /// Counts the states for which a condition holds, by the value of a second expression.
    ///
    /// # Errors
    /// If a text is not an expression, or a limit was reached.
    pub fn count(
        &self,
        text: &str,
        by: Option<&str>,
        control: &Control<'_>,
    ) -> Answer<(Groups, Expression)> {
        let condition = self.compile(text, true)?;
        let by = by.map(|text| self.compile(text, false)).transpose()?;
        let groups = with_setup!(&self.setup, start => {
            let asked = Asked { inner: self, start, condition: &condition, control, wanted: true };
            asked.query(|query| count_states(query, &self.found, by.as_ref()))
        })?;
        Ok((groups, condition))
    }

    /// Returns the set of states for which a condition holds.
    ///
    /// # Errors
    /// If the text is not a condition, or a limit was reached.
    pub fn chosen(&self, text: &str, control: &Control<'_>) -> Answer<FixedBitSet> {
        let condition = self.compile(text, true)?;
        let states = with_setup!(&self.setup, start => {
            let asked = Asked { inner: self, start, condition: &condition, control, wanted: true };
            asked.query(|query| states_where(query, &self.found))
        });
        states.map_err(|Interrupted| interrupted(control))
    }

    /// Returns the texts of the turns on a shortest line to a state.
    pub fn line_to(&self, state: StateId) -> Vec<String> {
        let levels = self.levels();
        let depth = levels
            .iter()
            .position(|level| level.contains(&(state as usize)));
        let levels = &levels[..=depth.unwrap_or(0)];
        with_setup!(&self.setup, start => {
            texts(start, &line_to(start.game.as_ref(), &self.found, levels, state))
        })
    }

    /// Returns the FEN of a state.
    pub fn fen(&self, state: StateId) -> String {
        self.view(|view| view.expander.fen(view.found.states.key(state)))
    }
}

/// Returns the texts of a line of turns.
pub fn texts<W: Layout>(start: &Start<W>, line: &[Turn]) -> Vec<String> {
    let game = start.game.as_ref();
    let mut p = start.position;
    let mut texts = Vec::new();
    for turn in line {
        texts.push(turns::print(game, &p, turn));
        p = game.play(&p, turn);
    }
    texts
}

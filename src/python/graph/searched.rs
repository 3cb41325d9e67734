//! A graph in memory, with its rules and values.

use crate::errors::{Answer, Failure};
use crate::position::{PyPosition, key_among};
use crate::variant::OpenVariant;
use columns::GraphView;
use control::Control;
use diagnostics::Diagnostic;
use explore::{Expander, Exploration, StateId};
use notation::{Setup, with_setup};
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use values::{Certificate, Values, certify_game, solve_game};

/// The largest graph whose values are certified without a request, in states, as in the program.
pub const CERTIFIED_STATES: u64 = 10_000_000;

/// A graph with its rules.
pub struct Searched {
    pub variant: Arc<OpenVariant>,
    pub setup: Setup,
    pub found: Exploration,
    pub solved: OnceLock<SolvedGraph>,
}

/// The values of all states.
pub struct SolvedGraph {
    pub values: Values,
    /// The result of comparing the values with those of all successors, if they were compared.
    pub certificate: Option<Certificate>,
}

impl Searched {
    /// Returns the values, if the graph is solved.
    pub fn values(&self) -> Option<&Values> {
        self.solved.get().map(|solved| &solved.values)
    }

    /// Returns the values.
    ///
    /// # Errors
    /// If the graph is not solved.
    pub fn needed_values(&self) -> Answer<&Values> {
        self.values().ok_or_else(|| {
            let error = Diagnostic::new("graph", "it has no values");
            error
                .help("`explore(..., solve=True)` or `graph.solve()` first")
                .into()
        })
    }

    /// Returns the edges.
    ///
    /// # Errors
    /// If the graph was explored without them.
    pub fn needed_edges(&self) -> Answer<&explore::GameGraph> {
        self.found.graph.as_ref().ok_or_else(|| {
            let error = Diagnostic::new("graph", "it has no edges");
            error.help("`explore(..., edges=True)`").into()
        })
    }

    /// Calls `work` with the graph as columns see it.
    pub fn view<T>(&self, work: impl FnOnce(&GraphView<'_>) -> T) -> T {
        with_setup!(&self.setup, start => {
            let expander = Expander::new(start.game.as_ref(), &start.position);
            work(&GraphView { expander: &expander, found: &self.found, values: self.values() })
        })
    }

    /// Returns the number of a state.
    ///
    /// # Errors
    /// If the graph has fewer states.
    pub fn state(&self, state: u64) -> Answer<StateId> {
        let states = self.found.states.len() as u64;
        match state < states {
            true => Ok(state as StateId),
            false => {
                let why = format!(
                    "there is no state {state}: states are numbered from 0 to {}",
                    states - 1
                );
                Err(Diagnostic::new("state", why).into())
            }
        }
    }

    /// Returns the state of a position, if the graph has it.
    pub fn state_of(&self, position: &PyPosition) -> Answer<Option<StateId>> {
        let key = key_among(&self.variant, &self.setup, position)?;
        Ok(key.and_then(|key| self.found.states.find(&key)))
    }

    /// Returns the range of states at each distance.
    pub fn levels(&self) -> Vec<Range<usize>> {
        let mut levels = Vec::new();
        let mut first = 0;
        for row in &self.found.summary.depths {
            levels.push(first..first + row.states as usize);
            first += row.states as usize;
        }
        if first < self.found.states.len() {
            levels.push(first..self.found.states.len());
        }
        levels
    }

    /// Refuses an answer that depends on states that were not explored. `what` names the question.
    ///
    /// # Errors
    /// If the graph is not complete.
    pub fn refuse_incomplete(&self, what: &str) -> Answer<()> {
        match self.found.summary.limit {
            None => Ok(()),
            Some(stopped) => {
                let limit = stopped.limit();
                let why =
                    format!("{what} is not decided: the graph is not complete (limit {limit})");
                Err(Failure::Limit(limit, why))
            }
        }
    }
}

/// Values all states of a graph, and certifies the values: those of at most [`CERTIFIED_STATES`] states, or as
/// `certify` says.
///
/// # Errors
/// If the graph is not complete, or a limit was reached.
pub fn solved(
    inner: &Searched,
    certify: Option<bool>,
    control: &Control<'_>,
) -> Answer<SolvedGraph> {
    with_setup!(&inner.setup, start => {
        let game = start.game.as_ref();
        let values = solve_game(game, &inner.found, control)?;
        let certifies = certify.unwrap_or(values.len() as u64 <= CERTIFIED_STATES);
        let certificate = certifies.then(|| certify_game(game, &inner.found, &values, control));
        Ok(SolvedGraph { certificate: certificate.transpose()?, values })
    })
}

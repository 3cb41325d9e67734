//! Tables of any layout, and questions to them about one position.

use crate::errors::Answer;
use crate::position::PyPosition;
use crate::variant::{OpenVariant, other_game};
use ::position::{Family, ForLayout, Layout};
use notation::{Setup, Start, fen};
use pyo3::prelude::*;
use pyo3::types::PyString;
use rules::{AnyGame, with_game};
use std::path::PathBuf;
use std::sync::Arc;
use tables::{Counting, SideStats, Signature, Store, Tables, stats};

/// The family of tables.
pub(super) enum TablesOf {}

impl Family for TablesOf {
    type Of<W: Layout> = Tables<W>;
}

/// Tables of any layout.
pub(super) struct AnyTables(pub(super) ForLayout<TablesOf>);

/// Evaluates an expression with tables of any layout.
macro_rules! with_tables {
    ($tables:expr, $name:ident => $body:expr) => {
        ::position::for_layout!($crate::table::layouts::AnyTables: $tables, $name => $body)
    };
}

pub(super) use with_tables;

impl AnyTables {
    /// Returns the tables of a game, in memory or in a folder. Classes that do not fit in memory are built in the
    /// folder `disk`.
    pub(super) fn new(
        game: &AnyGame,
        folder: Option<&PathBuf>,
        disk: Option<PathBuf>,
        memory_bytes: u64,
    ) -> AnyTables {
        fn wrapped<W: Layout>(tables: Tables<W>) -> AnyTables {
            AnyTables(W::wrap::<TablesOf>(tables))
        }
        with_game!(game, game => {
            let tables = Tables::new(Arc::clone(game), folder.map(Store::new));
            // Without a folder, this has no effect.
            let tables = tables.within(memory_bytes / 2);
            wrapped(match disk {
                Some(disk) => tables.working_in(disk, memory_bytes),
                None => tables,
            })
        })
    }
}

/// A table that is open.
pub(super) struct Opened {
    pub(super) variant: Arc<OpenVariant>,
    pub(super) game: AnyGame,
    pub(super) tables: AnyTables,
    pub(super) signature: Signature,
    pub(super) board: String,
}

impl Opened {
    pub(super) fn stats(&self) -> Answer<[SideStats; 2]> {
        Ok(with_tables!(&self.tables, tables => stats(tables, &self.signature, Counting::All))?)
    }

    /// Returns the position of an argument, for the game of the tables.
    pub(super) fn setup(&self, argument: &Bound<'_, PyAny>) -> Answer<Setup> {
        if let Ok(text) = argument.cast::<PyString>() {
            return Ok(fen::read_with(&self.game, &text.to_cow()?)?);
        }
        let position = argument.cast::<PyPosition>().map_err(PyErr::from)?;
        match position.get().variant.identity == self.variant.identity {
            true => Ok(position.get().setup.clone()),
            false => Err(other_game("position")),
        }
    }

    /// Returns the value of a position and of its turns.
    pub(super) fn probe(&self, setup: &Setup) -> Answer<Option<tables::Probe>> {
        with_tables!(&self.tables, tables => probe(tables, start_of(setup)?))
    }

    /// Returns the line of best play from a position, and its outcome.
    pub(super) fn line(&self, setup: &Setup) -> Answer<(Vec<String>, String)> {
        with_tables!(&self.tables, tables => line(tables, start_of(setup)?))
    }
}

/// Returns the game and the position of a setup, which must be of the layout of the tables.
fn start_of<W: Layout>(setup: &Setup) -> Answer<&Start<W>> {
    setup.get().ok_or_else(|| other_game("position"))
}

fn probe<W: Layout>(tables: &Tables<W>, start: &Start<W>) -> Answer<Option<tables::Probe>> {
    Ok(tables.probe(&start.position)?)
}

fn line<W: Layout>(tables: &Tables<W>, start: &Start<W>) -> Answer<(Vec<String>, String)> {
    let game = tables.game();
    let line = tables.line(&start.position)?;
    let last = (line.iter()).fold(start.position, |p, step| game.play(&p, &step.turn));
    let texts = line.into_iter().map(|step| step.text).collect();
    Ok((texts, game.outcome(&last).to_string()))
}

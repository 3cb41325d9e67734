//! Tables of any layout, and questions to them about one position.

use crate::errors::Answer;
use crate::position::PyPosition;
use crate::variant::{OpenVariant, other_game};
use ::position::{Layout, Narrow, NarrowBound, Open, Wide};
use notation::{Setup, Start, fen};
use pyo3::prelude::*;
use pyo3::types::PyString;
use rules::AnyGame;
use std::path::PathBuf;
use std::sync::Arc;
use tables::{Counting, SideStats, Signature, Store, Tables, stats};

/// Tables of any layout.
pub(super) enum AnyTables {
    Narrow(Tables<Narrow>),
    NarrowBound(Tables<NarrowBound>),
    Open(Tables<Open>),
    Wide(Tables<Wide>),
}

/// Evaluates an expression with tables of any layout.
macro_rules! with_tables {
    ($tables:expr, $name:ident => $body:expr) => {
        match $tables {
            AnyTables::Narrow($name) => $body,
            AnyTables::NarrowBound($name) => $body,
            AnyTables::Open($name) => $body,
            AnyTables::Wide($name) => $body,
        }
    };
}

pub(super) use with_tables;

impl AnyTables {
    /// Returns the tables of a game, in memory or in a folder.
    pub(super) fn new(game: &AnyGame, folder: Option<&PathBuf>, memory_bytes: u64) -> AnyTables {
        fn tables<W: Layout>(
            game: &Arc<dyn rules::Game<W>>,
            folder: Option<&PathBuf>,
            memory_bytes: u64,
        ) -> Tables<W> {
            let tables = Tables::new(Arc::clone(game), folder.map(Store::new));
            // Without a folder, this has no effect.
            tables.within(memory_bytes / 2)
        }
        match game {
            AnyGame::Narrow(game) => AnyTables::Narrow(tables(game, folder, memory_bytes)),
            AnyGame::NarrowBound(game) => {
                AnyTables::NarrowBound(tables(game, folder, memory_bytes))
            }
            AnyGame::Open(game) => AnyTables::Open(tables(game, folder, memory_bytes)),
            AnyGame::Wide(game) => AnyTables::Wide(tables(game, folder, memory_bytes)),
        }
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

    /// Calls the functions of one layout with the tables and a position of it.
    pub(super) fn with<T>(&self, setup: &Setup, ask: &dyn Ask<T>) -> Answer<T> {
        match (&self.tables, setup) {
            (AnyTables::Narrow(tables), Setup::Narrow(start)) => ask.narrow(tables, start),
            (AnyTables::NarrowBound(tables), Setup::NarrowBound(start)) => {
                ask.narrow_bound(tables, start)
            }
            (AnyTables::Open(tables), Setup::Open(start)) => ask.open(tables, start),
            (AnyTables::Wide(tables), Setup::Wide(start)) => ask.wide(tables, start),
            _ => Err(other_game("position")),
        }
    }
}

/// A question to tables about a position, for each layout.
pub(super) trait Ask<T> {
    fn narrow(&self, tables: &Tables<Narrow>, start: &Start<Narrow>) -> Answer<T>;
    fn narrow_bound(&self, tables: &Tables<NarrowBound>, start: &Start<NarrowBound>) -> Answer<T>;
    fn open(&self, tables: &Tables<Open>, start: &Start<Open>) -> Answer<T>;
    fn wide(&self, tables: &Tables<Wide>, start: &Start<Wide>) -> Answer<T>;
}

/// Implements [`Ask`] by one generic function.
macro_rules! ask {
    ($question:ident -> $answer:ty, $function:ident) => {
        impl Ask<$answer> for $question {
            fn narrow(&self, t: &Tables<Narrow>, s: &Start<Narrow>) -> Answer<$answer> {
                $function(t, s)
            }
            fn narrow_bound(
                &self,
                t: &Tables<NarrowBound>,
                s: &Start<NarrowBound>,
            ) -> Answer<$answer> {
                $function(t, s)
            }
            fn open(&self, t: &Tables<Open>, s: &Start<Open>) -> Answer<$answer> {
                $function(t, s)
            }
            fn wide(&self, t: &Tables<Wide>, s: &Start<Wide>) -> Answer<$answer> {
                $function(t, s)
            }
        }
    };
}

/// The value of a position and of its turns.
pub(super) struct ProbeOf;
ask!(ProbeOf -> Option<tables::Probe>, probe);

fn probe<W: Layout>(tables: &Tables<W>, start: &Start<W>) -> Answer<Option<tables::Probe>> {
    Ok(tables.probe(&start.position)?)
}

/// The line of best play from a position.
pub(super) struct LineOf;
ask!(LineOf -> (Vec<String>, String), line);

fn line<W: Layout>(tables: &Tables<W>, start: &Start<W>) -> Answer<(Vec<String>, String)> {
    let game = tables.game();
    let line = tables.line(&start.position)?;
    let last = (line.iter()).fold(start.position, |p, step| game.play(&p, &step.turn));
    let texts = line.into_iter().map(|step| step.text).collect();
    Ok((texts, game.outcome(&last).to_string()))
}

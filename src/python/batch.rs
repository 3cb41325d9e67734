//! Many questions at once: divided among threads, with the answers in order, as columns.

use crate::errors::{Answer, Failure};
use crate::stream::{PyColumns, failure};
use crate::variant::OpenVariant;
use crate::work::{self, Options};
use columns::TurnLists;
use control::{Control, parallel};
use diagnostics::Diagnostic;
use notation::{turns, with_setup};
use pyo3::prelude::*;
use rules::with_turns;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of questions that a thread answers at a time.
const PART: usize = 1024;

/// Calls `work` with parts of `things` on the threads of the caller's pool. Returns the results in order.
pub fn map_ordered<I: Sync, T: Send>(
    things: &[I],
    control: &Control<'_>,
    work: impl Fn(&[I]) -> Answer<Vec<T>> + Sync,
) -> Answer<Vec<T>> {
    let parts = parts(things, control, work)?;
    Ok(parts.into_iter().flatten().collect())
}

/// Like [`map_ordered`], but returns a result for each part.
fn parts<I: Sync, T: Send>(
    things: &[I],
    control: &Control<'_>,
    work: impl Fn(&[I]) -> Answer<T> + Sync,
) -> Answer<Vec<T>> {
    let done = AtomicU64::new(0);
    let parts = things.len().div_ceil(PART);
    parallel::try_map(parts, |part| {
        control.check().map_err(Failure::from)?;
        let part = &things[part * PART..things.len().min((part + 1) * PART)];
        let result = work(part)?;
        let done = done.fetch_add(part.len() as u64, Ordering::Relaxed) + part.len() as u64;
        control.report_done("answering", done, things.len() as u64, "positions");
        Ok(result)
    })
}

/// Appends the legal turns of a position to a column.
fn add_turns(variant: &OpenVariant, fen: &str, lists: &mut TurnLists) -> Answer<()> {
    let setup = variant.read(Some(fen))?;
    with_setup!(&setup, start => {
        let game = start.game.as_ref();
        with_turns(|legal| {
            game.turns(&start.position, legal);
            let mut text = String::new();
            for turn in legal.iter() {
                text.clear();
                turns::append(game, &start.position, turn, &mut text);
                lists.add(&text);
            }
        });
    });
    lists.end_row();
    Ok(())
}

/// Returns the legal turns of positions as a column of lists.
pub fn turns_of(
    py: Python<'_>,
    variant: &Arc<OpenVariant>,
    fens: Vec<String>,
    options: Options,
) -> Answer<PyColumns> {
    let variant = Arc::clone(variant);
    let batches = work::run(py, options, move |working| {
        parts(&fens, &working.control, |part| {
            let mut lists = TurnLists::default();
            part.iter()
                .try_for_each(|fen| add_turns(&variant, fen, &mut lists))?;
            lists.batch().map_err(failure)
        })
    })?;
    Ok(PyColumns::of_all(
        TurnLists::default().batch().map_err(failure)?,
        batches,
    ))
}

/// Returns the positions after lines of turns as columns.
pub fn play_all(
    py: Python<'_>,
    variant: &Arc<OpenVariant>,
    fens: Vec<String>,
    lines: Vec<Vec<String>>,
    options: Options,
) -> Answer<PyColumns> {
    if fens.len() != lines.len() {
        let why = format!("there are {} FENs and {} lines", fens.len(), lines.len());
        return Err(Diagnostic::new("lines", why).into());
    }
    let variant = Arc::clone(variant);
    let pairs: Vec<(String, Vec<String>)> = fens.into_iter().zip(lines).collect();
    let batch = work::run(py, options, move |working| {
        let rows = map_ordered(&pairs, &working.control, |part| {
            let after = |(fen, line): &(String, Vec<String>)| {
                let mut setup = variant.read(Some(fen))?;
                for (number, turn) in line.iter().enumerate() {
                    (_, setup) = setup.play_numbered(turn, number + 1)?;
                }
                Ok(vec![setup.fen(), setup.outcome().to_string()])
            };
            part.iter().map(after).collect::<Answer<Vec<_>>>()
        })?;
        let names = ["fen".to_owned(), "outcome".to_owned()];
        columns::texts(&names, &rows).map_err(failure)
    })?;
    Ok(PyColumns::of(batch))
}

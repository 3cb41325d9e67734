//! What the Python module `fairyproof.pyffish` needs: positions after lines of turns, in one call.
//!
//! The functions of pyffish read the FEN and play the moves again in each call, and so do these. Variants are kept
//! open between calls.

use crate::catalog::PyCatalog;
use crate::errors::{Answer, guard};
use crate::position::PyPosition;
use crate::variant::OpenVariant;
use diagnostics::{Diagnostic, shortened};
use notation::{Setup, Start, turns, with_setup};
use position::Layout;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use rules::{Turn, with_turns};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Variants of this module, whose names are those of Fairy-Stockfish.
#[derive(Default)]
struct Variants {
    catalog: Option<Arc<PyCatalog>>,
    open: HashMap<String, Arc<OpenVariant>>,
}

static VARIANTS: Mutex<Option<Variants>> = Mutex::new(None);

fn variants() -> MutexGuard<'static, Option<Variants>> {
    VARIANTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The names of which Fairy-Stockfish means another game than the compiled rule sets.
const OTHER_GAMES: [(&str, &str); 1] = [("spartan", "spartan-fsf")];

/// Opens a variant, or returns it if it was opened before.
fn opened(name: &str) -> Answer<Arc<OpenVariant>> {
    let mut variants = variants();
    let variants = variants.get_or_insert_default();
    if let Some(known) = variants.open.get(name) {
        return Ok(Arc::clone(known));
    }
    let catalog = variants
        .catalog
        .get_or_insert_with(|| Arc::new(PyCatalog::new()))
        .opened();
    let other = OTHER_GAMES.iter().find(|(theirs, _)| *theirs == name);
    let own = other.map_or(name, |(_, own)| own);
    let variant = Arc::new(guard(|| OpenVariant::open(&catalog, own))?);
    variants.open.insert(name.to_owned(), Arc::clone(&variant));
    Ok(variant)
}

/// Returns the legal turn with a text, without listing the texts of all turns.
fn turn_named<W: Layout>(start: &Start<W>, name: &str) -> Option<Turn> {
    let game = start.game.as_ref();
    with_turns(|legal| {
        game.turns(&start.position, legal);
        let mut text = String::new();
        let is_named = |turn: &&Turn| {
            text.clear();
            turns::append(game, &start.position, turn, &mut text);
            text == name
        };
        legal.iter().find(is_named).copied()
    })
}

fn play_named<W: Layout>(start: &mut Start<W>, name: &str) -> Answer<()> {
    let turn = turn_named(start, name).ok_or_else(|| {
        let why = format!("Invalid move '{}'", shortened(name));
        Diagnostic::new("move", why)
    })?;
    start.position = start.game.play(&start.position, &turn);
    Ok(())
}

/// Returns the position after moves.
fn reached(variant: &OpenVariant, fen: &str, moves: &Bound<'_, PyAny>) -> Answer<Setup> {
    let mut setup = variant.read(Some(fen))?;
    let moves = moves.cast::<PyList>().map_err(PyErr::from)?;
    for name in moves.iter() {
        let name = name
            .cast::<PyString>()
            .map_err(PyErr::from)?
            .to_cow()?
            .into_owned();
        with_setup!(&mut setup, start => play_named(start, &name))?;
    }
    Ok(setup)
}

/// Returns the legal moves after moves, in the order in which they are generated.
#[pyfunction]
pub fn _legal_moves<'py>(
    py: Python<'py>,
    variant: &str,
    fen: &str,
    moves: &Bound<'py, PyAny>,
) -> Answer<Bound<'py, PyList>> {
    let variant = opened(variant)?;
    let setup = guard(|| reached(&variant, fen, moves))?;
    let list = PyList::empty(py);
    with_setup!(&setup, start => {
        let game = start.game.as_ref();
        with_turns(|legal| {
            game.turns(&start.position, legal);
            let mut text = String::new();
            for turn in legal.iter() {
                text.clear();
                turns::append(game, &start.position, turn, &mut text);
                list.append(PyString::new(py, &text))?;
            }
            Ok::<(), PyErr>(())
        })
    })?;
    Ok(list)
}

/// Returns the FEN after moves.
#[pyfunction]
pub fn _get_fen(variant: &str, fen: &str, moves: &Bound<'_, PyAny>) -> Answer<String> {
    let variant = opened(variant)?;
    guard(|| Ok(reached(&variant, fen, moves)?.fen()))
}

/// Returns whether the side to move is in check after moves.
#[pyfunction]
pub fn _gives_check(variant: &str, fen: &str, moves: &Bound<'_, PyAny>) -> Answer<bool> {
    let variant = opened(variant)?;
    guard(|| Ok(reached(&variant, fen, moves)?.is_check()))
}

/// Returns the position after moves.
#[pyfunction]
pub fn _position_after(variant: &str, fen: &str, moves: &Bound<'_, PyAny>) -> Answer<PyPosition> {
    let variant = opened(variant)?;
    guard(|| Ok(PyPosition::new(&variant, reached(&variant, fen, moves)?)))
}

/// Returns whether a move captures a unit of the other side, on its target square or in passing.
#[pyfunction]
pub fn _is_capture(position: &PyPosition, name: &str) -> Answer<bool> {
    use board::Squares;
    guard(|| {
        with_setup!(&position.setup, start => {
            let turn = turn_named(start, name).ok_or_else(|| {
                Diagnostic::new("move", format!("Invalid move '{}'", shortened(name)))
            })?;
            let p = &start.position;
            let enemy = p.color(!p.side);
            let captures = |step: rules::Step| match step.action() {
                rules::Action::EnPassant => true,
                rules::Action::Place | rules::Action::Castle => false,
                _ => enemy.has(step.to),
            };
            Ok(turn.steps().any(captures))
        })
    })
}

/// Adds the definitions of a text, and closes all variants.
#[pyfunction]
pub fn _load_config(text: &Bound<'_, PyAny>) -> Answer<()> {
    let mut variants = variants();
    let variants = variants.get_or_insert_default();
    let catalog = variants
        .catalog
        .get_or_insert_with(|| Arc::new(PyCatalog::new()));
    catalog.add(text)?;
    variants.open.clear();
    Ok(())
}

/// Returns the names of the variants, without those that other names of Fairy-Stockfish stand for.
#[pyfunction]
pub fn _variant_names() -> Vec<String> {
    let mut variants = variants();
    let variants = variants.get_or_insert_default();
    let catalog = variants
        .catalog
        .get_or_insert_with(|| Arc::new(PyCatalog::new()));
    let names = catalog.keys().into_iter();
    names
        .filter(|name| OTHER_GAMES.iter().all(|(_, own)| own != name))
        .collect()
}

/// Returns the keys of the definition of a variant with their values; empty for a compiled rule set.
#[pyfunction]
pub fn _definition_keys(variant: &str) -> Answer<HashMap<String, String>> {
    let variant = opened(variant)?;
    let id = variant.variant.rule_set.id();
    let definition = variant.opened.catalog.definition(id);
    Ok(definition.map_or_else(HashMap::new, |definition| {
        definition.lines().into_iter().collect()
    }))
}

//! Evaluates expressions for the page: at one position, or over the states of a solved graph.

use crate::request::Refusal;
use crate::session::{Session, StatesFound};
use crate::view::{after, check_client};
use axum::http::StatusCode;
use board::{Square, Squares};
use catalog::Catalog;
use diagnostics::Diagnostic;
use language::{About, Environment, Expression, Interrupted, Subject, Type};
use position::Position;
use puzzle::Layout;
use serde_json::{Value as JsonValue, json};
use std::sync::atomic::{AtomicBool, Ordering};

/// Compiles an expression for the board of a session. The session's tables and solved graphs provide the
/// values of positions.
///
/// # Errors
/// The first error in the expression.
pub fn compile<W: Layout>(
    catalog: &Catalog,
    session: &Session<W>,
    text: &str,
    of_states: bool,
) -> Result<Expression, Diagnostic> {
    let game = session.game.variant().on(session.game.board().geometry())?;
    let environment = Environment {
        game: &game,
        about: About {
            graph: of_states,
            ..About::VALUED
        },
        kinds_elsewhere: definition::predefined_names().collect(),
        text: None,
        open: &|name, geometry| catalog.open_on(name, geometry),
    };
    match of_states {
        true => Expression::condition("expression", text, &environment),
        false => Expression::read("expression", text, &environment),
    }
}

/// Returns the value of an expression at the position after a line, as JSON.
///
/// # Errors
/// If a turn of the line is illegal, or the client has disconnected.
pub fn value<W: Layout>(
    session: &Session<W>,
    start: &Position<W>,
    line: &[&str],
    expression: &Expression,
    gone: &AtomicBool,
) -> Result<JsonValue, Refusal> {
    let game = session.game.as_ref();
    let (position, _) = after(game, start, line, gone)?;
    let stop = || gone.load(Ordering::Relaxed);
    let answer = expression.answer(&Subject {
        oracle: Some(session),
        stop: Some(&stop),
        ..Subject::new(game, &position)
    });
    let answer = answer.map_err(|Interrupted| too_long())?;
    session.tables.check_values()?;
    let geometry = game.board().geometry();
    let squares = answer
        .squares
        .iter()
        .map(|square: Square| geometry.name(square));
    Ok(json!({
        "type": expression.result().to_string(),
        "text": answer.text,
        "squares": squares.collect::<Vec<_>>(),
        "notes": expression.warnings(),
        "condition": expression.result() == Type::BOOL,
    }))
}

/// Returns the states for which a condition holds, in a solved graph that contains this position, as JSON.
///
/// # Errors
/// If no such graph has been solved, or the client has disconnected.
pub fn states<W: Layout>(
    session: &Session<W>,
    position: &Position<W>,
    condition: &Expression,
    gone: &AtomicBool,
) -> Result<JsonValue, Refusal> {
    check_client(gone)?;
    let stop = || gone.load(Ordering::Relaxed);
    let found = session.states_where(position, condition, &stop);
    session.tables.check_values()?;
    match found.map_err(|Interrupted| too_long())? {
        Some(StatesFound {
            states,
            count,
            fens,
        }) => Ok(json!({
            "states": states,
            "count": count,
            "fens": fens,
        })),
        None => Err(Refusal {
            help: Some("`Solve all positions from here` comes first".into()),
            ..Refusal::new(StatusCode::NOT_FOUND, "no solved graph has this position")
        }),
    }
}

fn too_long() -> Refusal {
    Refusal::new(StatusCode::REQUEST_TIMEOUT, "the expression took too long")
}

//! The JSON form of a position: its picture, units and value, and its turns with their values.

use crate::request::Refusal;
use crate::session::Session;
use axum::http::StatusCode;
use board::{Color, Squares};
use notation::{fen, turns};
use picture::{Diagram, svg};
use position::Position;
use puzzle::Layout;
use rules::{Game, Turn, Variant};
use serde::Serialize;
use serde_json::{Value as JsonValue, json};
use std::sync::atomic::{AtomicBool, Ordering};
use tables::Signature;
use values::Value;

/// The maximum number of units of a table that the server builds.
const MAX_TABLE_UNITS: usize = 5;

/// A turn with its value for the side that makes it.
#[derive(Serialize, Debug)]
struct MoveRow {
    uci: String,
    category: &'static str,
    dtm: Option<u16>,
}

/// A unit with its square.
#[derive(Serialize, Debug)]
pub struct SquareRow {
    /// The name of the square.
    pub square: String,
    /// The name of the unit in the notation of a FEN for White: `N`, `+P`.
    pub unit: String,
    /// `w` or `b`.
    pub side: char,
}

/// Returns the position after a line, as JSON.
///
/// # Errors
/// If a turn of the line is illegal, a table cannot be read, or the client has disconnected.
pub fn view<W: Layout>(
    variant: &Variant,
    session: &Session<W>,
    start: &Position<W>,
    line: &[&str],
    gone: &AtomicBool,
) -> Result<JsonValue, Refusal> {
    let game = session.game.as_ref();
    let (p, last) = after(game, start, line, gone)?;
    let mut diagram = Diagram::new(game, &p);
    if let Some(turn) = last {
        diagram = diagram.with_arrows(&turn);
    }
    let look = svg::Look {
        named: true,
        ..svg::Look::PART
    };
    let value = session.value(&p)?;
    let men = game.men();
    let names = men
        .kinds()
        .map(|kind| men.name(Color::White, kind).to_string());
    Ok(json!({
        "variant": variant.to_string(),
        "name": variant.rule_set.name(),
        "start_fen": fen::print(game, start),
        "fen": diagram.fen,
        "squares": squares(&diagram),
        "line": line,
        "side": p.side.letter().to_string(),
        "outcome": diagram.outcome,
        "check": game.in_check(&p, p.side),
        "category": category(value.map(|(value, _)| value)),
        "dtm": value.and_then(|(value, _)| value.distance_plies()),
        "source": value.map(|(_, source)| source),
        "signature": session.signature(&p),
        "table": signature_of_table(session, &p).err().map(|refusal| refusal.error),
        "units": names.filter(|name| name.len() == 1).collect::<String>(),
        "drawn_as_letters": variant.rule_set.drawn_as_letters(),
        "files": game.board().geometry().files(),
        "ranks": game.board().geometry().ranks(),
        "description": diagram.description(),
        "svg": svg::draw(&diagram, look),
        "moves": moves(session, &p, gone)?,
    }))
}

/// Returns the units of a diagram with their squares.
fn squares(diagram: &Diagram) -> Vec<SquareRow> {
    let rows = diagram.squares().filter_map(|(square, cell)| {
        cell.unit.map(|unit| SquareRow {
            square: diagram.geometry.name(square),
            unit: unit.name(),
            side: unit.color.letter(),
        })
    });
    rows.collect()
}

/// Returns the legal turns with their values, best first and unknown values last. Turns of equal value are in
/// byte order.
fn moves<W: Layout>(
    session: &Session<W>,
    p: &Position<W>,
    gone: &AtomicBool,
) -> Result<Vec<MoveRow>, Refusal> {
    let game = session.game.as_ref();
    let mut moves: Vec<(Option<Value>, String)> = Vec::new();
    for (text, turn) in turns::sorted(game, p) {
        check_client(gone)?;
        let reached = session.value(&game.play(p, &turn))?;
        let value = reached.and_then(|(value, _)| value.before_turn().ok());
        moves.push((value, text));
    }
    moves.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let rows = moves.into_iter().map(|(value, uci)| MoveRow {
        uci,
        category: category(value),
        dtm: value.and_then(Value::distance_plies),
    });
    Ok(rows.collect())
}

fn category(value: Option<Value>) -> &'static str {
    value.map_or("unknown", Value::word)
}

/// Plays a line. Returns the position after the line, and the last turn.
///
/// # Errors
/// If a turn is illegal, or the client has disconnected.
pub fn after<W: Layout>(
    game: &dyn Game<W>,
    start: &Position<W>,
    line: &[&str],
    gone: &AtomicBool,
) -> Result<(Position<W>, Option<Turn>), Refusal> {
    let mut p = *start;
    let mut last = None;
    for (n, text) in line.iter().enumerate() {
        check_client(gone)?;
        let turn = turns::read(game, &p, text, n + 1).map_err(|error| Refusal {
            turn: Some(n + 1),
            ..Refusal::from(error)
        })?;
        p = game.play(&p, &turn);
        last = Some(turn);
    }
    Ok((p, last))
}

/// Returns the signature of the table that contains a position.
///
/// # Errors
/// If the server does not build such a table.
pub fn signature_of_table<W: Layout>(
    session: &Session<W>,
    p: &Position<W>,
) -> Result<Signature, Refusal> {
    let game = session.game.as_ref();
    if !game.outcome(p).is_ongoing() {
        return Err(Refusal::bad("the game is over"));
    }
    if p.rights.0 != 0 {
        return Err(Refusal::bad(
            "no table holds positions with castling rights",
        ));
    }
    if p.bound_len() > 0 {
        return Err(Refusal::bad(
            "tables with bound units are built by `fairyproof table build`",
        ));
    }
    let hand = game.carried().fields().and_then(|carried| carried.hand(p));
    let in_hand = hand.map_or(0, |hand| {
        hand.chars().filter(char::is_ascii_alphabetic).count()
    });
    // Check the number of units before parsing the signature, whose own limit is higher.
    check_units(p.occupied().len() as usize + in_hand)?;
    let signature = Signature::parse(game, &session.signature(p))?;
    Ok(signature)
}

fn check_units(units: usize) -> Result<(), Refusal> {
    if units <= MAX_TABLE_UNITS {
        return Ok(());
    }
    let error = format!("{units} units; the tables built here have at most {MAX_TABLE_UNITS}");
    Err(Refusal::bad(error))
}

/// Checks that the client is still connected.
///
/// # Errors
/// If the client has disconnected.
pub fn check_client(gone: &AtomicBool) -> Result<(), Refusal> {
    match gone.load(Ordering::Relaxed) {
        true => Err(Refusal::new(
            StatusCode::REQUEST_TIMEOUT,
            "the client has disconnected",
        )),
        false => Ok(()),
    }
}

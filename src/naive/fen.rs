//! Reads and prints positions as FEN.

use super::Law;
use super::board::{Board, EMPTY, HOLE, Pos};
use super::fide;
use std::collections::BTreeMap;

/// Reads a FEN, with all checks.
///
/// # Errors
/// If the text is not a legal position of the variant.
pub fn read(law: &dyn Law, fen: &str) -> Result<Pos, String> {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    if ![4, 6, 7].contains(&fields.len()) {
        return Err(format!("{} fields instead of 4, 6 or 7", fields.len()));
    }
    let board = read_board(law, fields[0])?;
    let white = match fields[1] {
        "w" => true,
        "b" => false,
        other => return Err(format!("side to move: {other}")),
    };
    let mut pos = Pos {
        board,
        white,
        castling: read_castling(law, fields[2])?,
        ep: None,
        halfmove: number("half-move clock", fields.get(4).unwrap_or(&"0"))?,
        fullmove: number("fullmove number", fields.get(5).unwrap_or(&"1"))?,
        state: BTreeMap::new(),
    };
    if pos.fullmove == 0 {
        return Err("fullmove number: 0".to_string());
    }
    if let Some(text) = fields.get(6) {
        pos.state = read_state(law, &pos, text)?;
    }
    fide::drop_rights(law, &mut pos);
    if fields[3] != "-" {
        let square = pos
            .board
            .named(fields[3])
            .ok_or(format!("en passant: no square {}", fields[3]))?;
        if fide::ep_qualifies(law, &pos, square) {
            pos.ep = Some(square);
        }
    }
    check(law, &pos)?;
    Ok(pos)
}

fn read_board(law: &dyn Law, text: &str) -> Result<Board, String> {
    let mut rows: Vec<Vec<char>> = Vec::new();
    for row in text.split('/') {
        rows.push(read_row(law, row)?);
    }
    let ranks = rows.len();
    let files = rows[0].len();
    if rows.iter().any(|row| row.len() != files) {
        return Err("board: ranks of different lengths".to_string());
    }
    if !(1..=16).contains(&files) || ranks > 16 || files * ranks > 128 {
        return Err(format!("board: {files} files and {ranks} ranks"));
    }
    rows.reverse();
    Ok(Board {
        files,
        ranks,
        cells: rows.concat(),
    })
}

fn read_row(law: &dyn Law, text: &str) -> Result<Vec<char>, String> {
    let mut row = Vec::new();
    let mut digits = String::new();
    for c in text.chars().chain(['/']) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        if !digits.is_empty() {
            let run = number("board", &digits)?;
            if !(1..=16).contains(&run) {
                return Err(format!("board: {run} empty squares"));
            }
            row.extend(std::iter::repeat_n(EMPTY, run as usize));
            digits.clear();
        }
        if c == HOLE || law.letters().contains(c.to_ascii_uppercase()) {
            row.push(c);
        } else if c != '/' {
            return Err(format!("board: {c}"));
        }
    }
    Ok(row)
}

/// Reads a whole number without leading zeros. Errors call the number `what`.
///
/// # Errors
/// If the text is not such a number.
pub fn number(what: &str, text: &str) -> Result<u64, String> {
    let digits = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    if !digits || (text.len() > 1 && text.starts_with('0')) {
        return Err(format!("{what}: {text} is not a number"));
    }
    text.parse().map_err(|_| format!("{what}: {text}"))
}

fn read_castling(law: &dyn Law, text: &str) -> Result<Vec<char>, String> {
    let mut rights = Vec::new();
    if text == "-" {
        return Ok(rights);
    }
    for c in text.chars() {
        if !law.castling_letters().contains(c) {
            return Err(format!("castling: {c}"));
        }
        if rights.contains(&c) {
            return Err(format!("castling: {c} twice"));
        }
        rights.push(c);
    }
    Ok(rights)
}

fn read_state(law: &dyn Law, pos: &Pos, text: &str) -> Result<BTreeMap<String, String>, String> {
    let keys = law.state_keys();
    let mut state = BTreeMap::new();
    let mut next = 0;
    for part in text.split(';') {
        let (key, value) = part
            .split_once('=')
            .ok_or(format!("state: {part} is not a key=value"))?;
        let place = keys
            .iter()
            .position(|known| known.0 == key)
            .ok_or(format!("state: unknown key {key}"))?;
        if place < next {
            return Err(format!("state: {key} twice or out of order"));
        }
        next = place + 1;
        if value.is_empty() || !law.state_value(pos, key, value) {
            return Err(format!("state: bad value {part}"));
        }
        if value != keys[place].1 {
            state.insert(key.to_string(), value.to_string());
        }
    }
    Ok(state)
}

/// Checks that a position satisfies the requirements on FENs.
fn check(law: &dyn Law, pos: &Pos) -> Result<(), String> {
    let board = &pos.board;
    for white in [true, false] {
        let side = if white { "White" } else { "Black" };
        for &(kind, least, most) in law.basics().royal_counts {
            let count = board.count(white, kind);
            if count < least || count > most {
                return Err(format!("board: {side} has {count} {kind}"));
            }
        }
        for square in board.find(white, 'P') {
            if !law.pawn_may_stand(pos, square, white) {
                return Err(format!("board: {side} pawn on {}", board.name(square)));
            }
        }
    }
    if law.mover_stands_badly(pos) {
        return Err("board: the side that has just moved is in check".to_string());
    }
    law.check_fen(pos)
}

/// Returns the canonical FEN.
pub fn print(law: &dyn Law, pos: &Pos) -> String {
    let board = &pos.board;
    let mut rows = Vec::new();
    for rank in (0..board.ranks).rev() {
        let mut row = String::new();
        let mut run = 0;
        for file in 0..board.files {
            let cell = board.cells[rank * board.files + file];
            if cell == EMPTY {
                run += 1;
                continue;
            }
            if run > 0 {
                row += &run.to_string();
                run = 0;
            }
            row.push(cell);
        }
        if run > 0 {
            row += &run.to_string();
        }
        rows.push(row);
    }
    let side = if pos.white { "w" } else { "b" };
    let mut castling: String = law
        .castling_letters()
        .chars()
        .filter(|letter| pos.castling.contains(letter))
        .collect();
    if castling.is_empty() {
        castling.push('-');
    }
    let ep = match pos.ep {
        Some(square) => board.name(square),
        None => "-".to_string(),
    };
    let mut fen = format!(
        "{} {side} {castling} {ep} {} {}",
        rows.join("/"),
        pos.halfmove,
        pos.fullmove
    );
    let mut state = Vec::new();
    for (key, default) in law.state_keys() {
        let value = pos.get(key, default);
        if value != default {
            state.push(format!("{key}={value}"));
        }
    }
    if !state.is_empty() {
        fen.push(' ');
        fen += &state.join(";");
    }
    fen
}

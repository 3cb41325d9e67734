//! Names that are about squares, lines and what stands on them.

use super::game::Game;
use super::names::{at, place as in_place};
use super::position::Pos;
use super::rules::Rules;
use super::value::{Kind, Outcome, Place, Value, list};
use crate::defined::definition::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK};
use crate::defined::state::{Cell, Position, Unit};
use std::rc::Rc;

/// Returns whether a square exists and is not a hole.
pub fn exists(base: &Position, square: &usize) -> bool {
    base.cells[*square] != Cell::Hole
}

/// Returns the square `right` files and `up` ranks away, if there is one.
fn offset(place: &Place, from: usize, right: i64, up: i64) -> Option<usize> {
    let law = &place.game.rules.law;
    let small = |number: i64| i32::try_from(number).ok().filter(|n| n.abs() < 100);
    let to = law.step(0, from, small(up)?, small(right)?)?;
    exists(&place.pos.base, &to).then_some(to)
}

fn nearest(place: &Rc<Place>, from: usize, right: i64, up: i64) -> Option<usize> {
    let mut square = from;
    loop {
        square = offset(place, square, right, up).filter(|to| *to != from)?;
        if !place.pos.base.vacant(square) {
            return Some(square);
        }
    }
}

/// Returns the unbroken row of units through a square along a line, from one end to the other.
fn row(place: &Rc<Place>, through: usize, right: i64, up: i64) -> Vec<usize> {
    let mut squares = vec![through];
    let taken = |square: &usize| place.pos.base.unit(*square).is_some();
    if !taken(&through) || (right, up) == (0, 0) {
        return Vec::new();
    }
    for sign in [-1, 1] {
        let mut square = through;
        while let Some(next) = offset(place, square, sign * right, sign * up)
            && taken(&next)
            && !squares.contains(&next)
        {
            squares.push(next);
            square = next;
        }
    }
    squares.sort_unstable();
    squares
}

pub fn squares(found: impl IntoIterator<Item = usize>) -> Value {
    let found = found.into_iter();
    list(found.map(|square| Value::Square(Some(square))).collect())
}

/// Returns the value of a function of squares and units.
pub fn of_board(place: &Rc<Place>, name: &str, arguments: &[Value]) -> Outcome<Value> {
    let Place { game, pos } = &**place;
    let law = &game.rules.law;
    let base = &pos.base;
    let pair = |a: &Value, b: &Value| -> Outcome<Option<(usize, usize)>> {
        Ok(a.square(law)?.zip(b.square(law)?))
    };
    Ok(match (name, arguments) {
        ("distance", [a, b]) => Value::Int(match pair(a, b)? {
            None => -1,
            Some((a, b)) => {
                let (a, b) = (law.place(a), law.place(b));
                let straight = (a.0 - b.0).abs();
                let across = match law.cylinder {
                    true => straight.min(law.files - straight),
                    false => straight,
                };
                i64::from(across.max((a.1 - b.1).abs()))
            }
        }),
        ("aligned", [a, b]) => Value::Bool(match pair(a, b)? {
            None => false,
            Some((a, b)) => a == b || line(law.place(a), law.place(b)).is_some(),
        }),
        ("between", [a, b]) => match pair(a, b)? {
            None => list(Vec::new()),
            Some((a, b)) => {
                let (from, to) = (law.place(a), law.place(b));
                let length = (from.0 - to.0).abs().max((from.1 - to.1).abs());
                let (right, up) = line(from, to).unwrap_or((0, 0));
                let inner = (1..length).filter(|_| (right, up) != (0, 0));
                let inner = inner.map(|n| (from.0 + n * right, from.1 + n * up));
                let mut inner: Vec<usize> = inner
                    .filter_map(|(file, rank)| law.square(file, rank))
                    .collect();
                inner.sort_unstable();
                squares(inner)
            }
        },
        ("light", [square]) => Value::Bool(square.square(law)?.is_some_and(|square| {
            let (file, rank) = law.place(square);
            (file + rank) % 2 == 1
        })),
        ("nearest", [from, right, up]) => {
            let (right, up) = (right.int()?, up.int()?);
            let from = from.square(law)?.filter(|_| (right, up) != (0, 0));
            at(place, from.and_then(|from| nearest(place, from, right, up)))
        }
        ("offset", [from, right, up]) => {
            let (right, up) = (right.int()?, up.int()?);
            let from = from.square(law)?;
            Value::Square(from.and_then(|from| offset(place, from, right, up)))
        }
        ("square", [file, rank]) => {
            let index =
                |value: &Value| Ok::<_, String>(i32::try_from(value.int()? - 1).unwrap_or(-1));
            let square = law.square(index(file)?, index(rank)?);
            Value::Square(square.filter(|square| exists(base, square)))
        }
        _ => return around(place, name, arguments),
    })
}

/// Returns the value of a function of units, or of what stands around a square.
fn around(place: &Rc<Place>, name: &str, arguments: &[Value]) -> Outcome<Value> {
    let Place { game, pos } = &**place;
    let law = &game.rules.law;
    let base = &pos.base;
    Ok(match (name, arguments) {
        ("neighbors", [square]) => match square.square(law)? {
            None => list(Vec::new()),
            Some(square) => {
                let near = (0..base.cells.len()).filter(|&other| law.touch(square, other));
                let near = near.filter(|&other| base.unit(other).is_some());
                list(near.map(|other| at(place, Some(other))).collect())
            }
        },
        ("row", [square, right, up]) => match square.square(law)? {
            None => list(Vec::new()),
            Some(square) => {
                let row = row(place, square, right.int()?, up.int()?);
                list(row.into_iter().map(|unit| at(place, Some(unit))).collect())
            }
        },
        ("without", [unit]) => {
            let mut left = Position::clone(base);
            if let Some((square, _)) = unit.man()?.unit {
                left.cells[square] = Cell::Vacant;
            }
            in_place(game, &pos.with(left))
        }
        ("home", [unit]) => Value::Square(match unit.man()?.unit {
            Some((square, unit)) => home(&game.rules, base, square, unit),
            None => None,
        }),
        ("reach", [unit]) => match unit.man()?.unit {
            Some((square, unit)) => squares(game.reach_on_empty(pos, square, unit)?),
            None => list(Vec::new()),
        },
        ("walk", [kind, side, from, to]) => {
            let (kind, side) = (kind.kind(law)?, side.side()?);
            match (kind, side, from.square(law)?.zip(to.square(law)?)) {
                (Kind::Known(kind), Some(side), Some((from, to))) => {
                    Value::Int(walk(game, pos, kind, side, from, to)?)
                }
                _ => Value::Int(-1),
            }
        }
        _ => return Err(format!("no name {name} with {} arguments", arguments.len())),
    })
}

/// Returns the direction from one place to another on a common rank, file or diagonal.
fn line(from: (i32, i32), to: (i32, i32)) -> Option<(i32, i32)> {
    let (right, up) = (to.0 - from.0, to.1 - from.1);
    let straight = right == 0 || up == 0 || right.abs() == up.abs();
    (straight && (right, up) != (0, 0)).then_some((right.signum(), up.signum()))
}

/// Returns the fewest steps on an empty board.
fn walk(game: &Game, pos: &Pos, kind: usize, side: usize, from: usize, to: usize) -> Outcome<i64> {
    let unit = Unit {
        side,
        kind,
        promoted: false,
        was: None,
    };
    let mut reached = vec![from];
    let mut steps = 0;
    while !reached.contains(&to) {
        let mut wider = reached.clone();
        for &square in &reached {
            for next in game.reach_on_empty(pos, square, unit)? {
                if !wider.contains(&next) {
                    wider.push(next);
                }
            }
        }
        if wider.len() == reached.len() {
            return Ok(-1);
        }
        reached = wider;
        steps += 1;
    }
    Ok(steps)
}

/// Returns the home square of a unit, as problems use it.
fn home(rules: &Rules, base: &Position, square: usize, unit: Unit) -> Option<usize> {
    let law = &rules.law;
    let (file, rank) = law.place(square);
    if unit.kind == PAWN {
        return law.square(file, law.rank_of(unit.side, 1));
    }
    if ![KING, QUEEN, ROOK, BISHOP, KNIGHT].contains(&unit.kind) {
        let last = law.promotion_region[unit.side].iter().map(|place| place.1);
        let last = last
            .filter(|rank| (0..law.ranks).contains(rank))
            .map(|rank| (law.rank_of(unit.side, rank), rank));
        let (_, rank) = last.max()?;
        return law.square(file, rank);
    }
    let array = crate::defined::fen::read(law, &board_of(&law.start)).ok()?;
    if array.cells.len() != base.cells.len() {
        return None;
    }
    let homes = array.squares_of(unit.side, unit.kind);
    if [KING, QUEEN].contains(&unit.kind) {
        return homes.first().copied();
    }
    let color = |square: &usize| (law.place(*square).0 + law.place(*square).1) % 2;
    homes
        .into_iter()
        .find(|home| color(home) == (file + rank) % 2)
}

/// Returns a FEN with the board of another alone.
fn board_of(fen: &str) -> String {
    let board = fen.split(' ').next().unwrap_or_default();
    format!("{board} w - - 0 1")
}

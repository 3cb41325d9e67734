//! The names of positions, turns and units.

use super::eval::{Context, eval};
use super::game::Game;
use super::position::{Pos, States};
use super::rules::Rules;
use super::squares;
use super::state;
use super::turn::Turn;
use super::value::{Kind, Man, Outcome, Place, Value, list};
use crate::defined::definition::{Definition, KING};
use crate::defined::state::{Position, Unit};
use std::rc::Rc;
use std::sync::Arc;

/// Returns the position as a value.
pub fn place(game: &Game, pos: &Pos) -> Value {
    Value::Place(Rc::new(Place {
        game: game.clone(),
        pos: pos.clone(),
    }))
}

/// Returns a unit of a position as a value, or the missing unit.
pub fn man(game: &Game, pos: &Pos, unit: Option<(usize, Unit)>) -> Value {
    Value::Unit(Man {
        place: Rc::new(Place {
            game: game.clone(),
            pos: pos.clone(),
        }),
        unit,
    })
}

fn known(kind: usize) -> Value {
    Value::Kind(Kind::Known(kind))
}

/// Returns a member of a turn, or `None` if turns have none of this name. Its positions are under `game`.
pub fn of_turn(turn: &Rc<Turn>, game: &Game, name: &str) -> Outcome<Option<Value>> {
    let law = &game.rules.law;
    Ok(Some(match name {
        "text" => Value::Text(turn.text.clone()),
        "kind" => known(turn.unit.kind),
        "becomes" => known(turn.becomes),
        "from" => Value::Square(turn.from),
        "to" => Value::Square(Some(turn.to)),
        "captures" => {
            let captures = turn.captures.iter();
            list(
                captures
                    .map(|unit| man(game, &turn.before, Some(*unit)))
                    .collect(),
            )
        }
        "promotes" => Value::Bool(turn.promotes),
        "castles" => Value::Bool(turn.castling.is_some()),
        "drops" => Value::Bool(turn.drops),
        "en_passant" => Value::Bool(turn.en_passant),
        "steps" => match turn.steps.is_empty() {
            true => list(vec![Value::Turn(Rc::clone(turn))]),
            false => list(turn.steps.iter().cloned().map(Value::Turn).collect()),
        },
        "length2" => Value::Int(match turn.from {
            None => 0,
            Some(from) => {
                let (a, b) = (law.place(from), law.place(turn.to));
                i64::from((a.0 - b.0).pow(2) + (a.1 - b.1).pow(2))
            }
        }),
        "before" => place(game, &turn.before),
        "after" => place(game, &turn.after),
        "checks" => Value::Bool(game.in_check(&turn.after, 1 - turn.mover)?),
        "mates" => {
            let check = game.in_check(&turn.after, 1 - turn.mover)?;
            Value::Bool(check && game.permitted(&turn.after)?.is_empty())
        }
        "ends" => Value::Bool(game.outcome(&turn.after)?.is_some()),
        _ => return Ok(None),
    }))
}

/// Returns a member of a unit.
pub fn of_unit(man: &Man, name: &str) -> Outcome<Value> {
    let game = &man.place.game;
    let pos = &man.place.pos;
    let law = &game.rules.law;
    let Some((square, unit)) = man.unit else {
        return Ok(match name {
            "exists" | "royal" | "promoted" | "promotes" | "castles" | "drops" | "en_passant"
            | "checks" | "mates" | "ends" => Value::Bool(false),
            "kind" | "becomes" => Value::Kind(Kind::Missing),
            "side" => Value::Side(None),
            "square" | "from" | "to" => Value::Square(None),
            "file" | "rank" | "row" | "length2" => Value::Int(0),
            "moves" | "captures" | "steps" => list(Vec::new()),
            "text" => Value::Text(String::new()),
            "before" | "after" => Value::Place(Rc::clone(&man.place)),
            _ => return Err(format!("a unit has no {name}")),
        });
    };
    let (file, rank) = law.place(square);
    Ok(match name {
        "exists" => Value::Bool(true),
        "kind" => known(unit.kind),
        "side" => Value::Side(Some(unit.side)),
        "square" => Value::Square(Some(square)),
        "file" => Value::Int(i64::from(file + 1)),
        "rank" => Value::Int(i64::from(rank + 1)),
        "row" => Value::Int(i64::from(law.rank_of(unit.side, rank) + 1)),
        "royal" => Value::Bool(game.is_royal(pos, (square, unit))?),
        "promoted" => Value::Bool(unit.promoted),
        "moves" => {
            let turns = game.turns(pos)?;
            let own = turns.iter().filter(|turn| turn.from == Some(square));
            let mut squares: Vec<usize> = own.map(|turn| turn.to).collect();
            squares.sort_unstable();
            squares.dedup();
            list(
                squares
                    .into_iter()
                    .map(|to| Value::Square(Some(to)))
                    .collect(),
            )
        }
        _ => return Err(format!("a unit has no {name}")),
    })
}

/// Returns a state of a position: of a side, or of both.
pub fn state(place: &Rc<Place>, name: &str, side: Option<Option<usize>>) -> Outcome<Value> {
    let declared = &place.game.rules.states;
    let at = declared.iter().position(|state| state.name == name);
    let at = at.ok_or_else(|| format!("no state {name}"))?;
    let values = place.pos.states.get(at)?;
    match (declared[at].each, side) {
        (false, None) => Ok(values[0].value()),
        (true, Some(Some(side))) => Ok(values[side].value()),
        (true, Some(None)) => Ok(declared[at].sort.first().value()),
        _ => Err(format!("state.{name}: with or without a side?")),
    }
}

/// Returns what the clause of the parent section says in the same context, or what holds without it; `None` if
/// the name is not that of a clause. The rules in force are those of the child, as if it had only inherited.
pub fn parent_clause(context: &Context, parent: &Rc<Place>, name: &str) -> Outcome<Option<Value>> {
    let clause = |name: &str| {
        let above = parent.game.layers().filter(|(at, _)| *at < context.layer);
        let mut coded =
            above.filter_map(|(at, layer)| Some((at, layer.clauses.get(name)?.clone())));
        coded.next_back()
    };
    let other = match name.split_once('.') {
        Some(("quiet" | "attacks", piece)) => clause(&format!("targets.{piece}")),
        Some(("movement", _)) => clause("movement.*"),
        _ => None,
    };
    if let Some((layer, code)) = clause(name).or(other) {
        let context = Context {
            layer,
            ..context.clone()
        };
        return eval(&context, &mut Vec::new(), &code.expr).map(Some);
    }
    let named = |name: &str| {
        let found = context.names.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.clone())
    };
    let of_turn = |name: &str| match &context.turn {
        Some(turn) => of_turn(turn, &context.game, name),
        None => Ok(None),
    };
    if let Some(("state", name)) = name.split_once('.') {
        let declared = &context.game.rules.states;
        let each = declared
            .iter()
            .any(|known| known.name == name && known.each);
        let owner = match named("owner").filter(|_| each) {
            Some(owner) => Some(owner.side()?),
            None => None,
        };
        return state(&context.place(), name, owner).map(Some);
    }
    Ok(match name {
        _ if name.starts_with("movement.") => match named("unit") {
            Some(Value::Unit(Man {
                unit: Some((_, unit)),
                ..
            })) => Some(Value::Movement(
                context.game.rules.law.kinds[unit.kind].atoms.clone(),
            )),
            _ => None,
        },
        "legalIf" | "activeIf" | "captureIf" | "stepIf" | "dropIf" | "rebirthIf" => {
            Some(Value::Bool(true))
        }
        "checkIf" => Some(Value::Bool(false)),
        "royalIf" => match named("unit") {
            Some(Value::Unit(Man {
                unit: Some((_, unit)),
                ..
            })) => Some(Value::Bool(unit.kind == KING)),
            _ => Some(Value::Bool(false)),
        },
        "prefer" => Some(Value::Bool(true)),
        "stepCount" => Some(Value::Int(1)),
        "continues" | "ontoOwn" => Some(Value::Text("no".to_string())),
        "stepSide" => Some(Value::Side(Some(context.pos.base.side))),
        "takes" => of_turn("captures")?,
        "landsOn" => of_turn("to")?,
        "turnsInto" => named("becomes"),
        "joins" => named("owner"),
        "removes" | "converts" | "takeOff" | "drops" => Some(list(Vec::new())),
        "rebirth" | "endsOn" => Some(Value::Square(None)),
        "toHand" => Some(Value::Side(None)),
        _ => None,
    })
}

/// Returns the units of a position for which a test holds, in the order of squares.
fn units(place: &Rc<Place>, test: impl Fn(&Unit) -> bool) -> Value {
    let base = &place.pos.base;
    let all = (0..base.cells.len()).filter_map(|square| Some((square, base.unit(square)?)));
    let chosen = all.filter(|(_, unit)| test(unit));
    list(chosen.map(|unit| unit_at(place, Some(unit))).collect())
}

fn unit_at(place: &Rc<Place>, unit: Option<(usize, Unit)>) -> Value {
    Value::Unit(Man {
        place: Rc::clone(place),
        unit,
    })
}

pub fn at(place: &Rc<Place>, square: Option<usize>) -> Value {
    let unit = square.and_then(|square| Some((square, place.pos.base.unit(square)?)));
    unit_at(place, unit)
}

fn chosen_units(place: &Rc<Place>, arguments: &[Value]) -> Outcome<Value> {
    let law = &place.game.rules.law;
    let (side, kind) = match arguments {
        [] => (None, None),
        [one] => match one.side() {
            Ok(side) => (Some(side), None),
            Err(_) => (None, Some(one.kind(law)?)),
        },
        [side, kind] => (Some(side.side()?), Some(kind.kind(law)?)),
        _ => return Err("units has at most two arguments".to_string()),
    };
    Ok(units(place, |unit| {
        side.is_none_or(|side| side == Some(unit.side))
            && kind
                .as_ref()
                .is_none_or(|kind| *kind == Kind::Known(unit.kind))
    }))
}

/// Returns the position with the other side to move and without en passant.
fn passed(place: &Rc<Place>) -> Value {
    let mut base = Position::clone(&place.pos.base);
    base.side = 1 - base.side;
    base.passed.clear();
    self::place(&place.game, &place.pos.with(base))
}

/// Returns a member or the value of a function of a position.
pub fn of_place(place: &Rc<Place>, name: &str, arguments: &[Value]) -> Outcome<Value> {
    let Place { game, pos } = &**place;
    let law = &game.rules.law;
    let base = &pos.base;
    Ok(match (name, arguments) {
        ("white", []) => Value::Side(Some(0)),
        ("black", []) => Value::Side(Some(1)),
        ("other", [side]) => Value::Side(side.side()?.map(|side| 1 - side)),
        ("side", []) => Value::Side(Some(base.side)),
        ("files", []) => Value::Int(i64::from(law.files)),
        ("ranks", []) => Value::Int(i64::from(law.ranks)),
        ("squares", []) => {
            let all = (0..base.cells.len()).filter(|square| squares::exists(base, square));
            squares::squares(all)
        }
        ("units", _) => chosen_units(place, arguments)?,
        ("count", _) => Value::Int(chosen_units(place, arguments)?.items()?.len() as i64),
        ("at", [square]) => at(place, square.square(law)?),
        ("empty", [square]) => Value::Bool(
            square
                .square(law)?
                .is_some_and(|square| base.vacant(square)),
        ),
        ("on_board", [square]) => {
            let square = square.square(law)?;
            Value::Bool(square.is_some_and(|square| squares::exists(base, &square)))
        }
        ("attacked", [square, side]) => match (square.square(law)?, side.side()?) {
            (Some(square), Some(side)) => Value::Bool(game.attacked(pos, square, side)?),
            _ => Value::Bool(false),
        },
        ("attackers", [square, side]) => match (square.square(law)?, side.side()?) {
            (Some(square), Some(side)) => {
                let attackers = game.attackers(pos, square, side)?;
                list(
                    attackers
                        .into_iter()
                        .map(|unit| at(place, Some(unit)))
                        .collect(),
                )
            }
            _ => list(Vec::new()),
        },
        ("check", []) => Value::Bool(game.in_check(pos, base.side)?),
        ("check", [side]) => match side.side()? {
            Some(side) => Value::Bool(game.in_check(pos, side)?),
            None => Value::Bool(false),
        },
        ("turns", []) => list(game.turns(pos)?.into_iter().map(Value::Turn).collect()),
        ("pseudo", []) => list(game.pseudo(pos)?.into_iter().map(Value::Turn).collect()),
        ("pass", []) => passed(place),
        ("fen", []) => Value::Text(game.print(pos)?),
        ("fullmove", []) => Value::Int(i64::from(base.number)),
        ("halfmove", []) => Value::Int(i64::from(base.clock)),
        ("over", []) => Value::Bool(game.outcome(pos)?.is_some()),
        ("drawn", []) => Value::Bool(game.outcome(pos)?.is_some_and(|end| end.0 == "draw")),
        ("outcome", []) => Value::Text(game.outcome(pos)?.map_or("ongoing".into(), |end| end.0)),
        ("reason", []) => Value::Text(game.outcome(pos)?.map_or(String::new(), |end| end.1)),
        ("firstSteps", []) => list(
            game.first_steps(pos)?
                .into_iter()
                .map(Value::Turn)
                .collect(),
        ),
        ("under", [Value::Text(id)]) => under(place, id)?,
        ("hand", [side, kind]) => match (side.side()?, kind.kind(law)?) {
            (Some(side), Kind::Known(kind)) => Value::Int(i64::from(base.hand[side][kind])),
            _ => Value::Int(0),
        },
        ("won", [side]) => {
            let end = game.outcome(pos)?;
            Value::Bool(end.is_some_and(|end| has_won(&end.0, side.side().ok().flatten())))
        }
        ("won", [side, Value::Text(reason)]) => {
            let end = game.outcome(pos)?.filter(|end| end.1 == *reason);
            Value::Bool(end.is_some_and(|end| has_won(&end.0, side.side().ok().flatten())))
        }
        _ => return squares::of_board(place, name, arguments),
    })
}

fn has_won(result: &str, side: Option<usize>) -> bool {
    match side {
        Some(0) => result.starts_with("white"),
        Some(_) => result.starts_with("black"),
        None => false,
    }
}

/// Returns the numbers of checks that the sides have to give at the start.
fn checks_at_start(law: &Definition) -> [u32; 2] {
    let counted = law.start.split(' ').find_map(|field| {
        let (white, black) = field.split_once('+')?;
        Some([white.parse().ok()?, black.parse().ok()?])
    });
    counted.unwrap_or([1; 2])
}

/// Returns the position under another rule set: units, side, rights and counters, and the hands and states that both
/// have.
fn under(place: &Rc<Place>, id: &str) -> Outcome<Value> {
    let rules = &place.game.rules;
    let size = (rules.law.files, rules.law.ranks);
    let other = Rules::read(&rules.book, id, Some(size))?;
    if (other.law.files, other.law.ranks) != size {
        return Err(format!("{id} has another board"));
    }
    let (own, law) = (&rules.law, &other.law);
    let mut base = Position::clone(&place.pos.base);
    if !law.castling {
        base.rooks = [[None; 2]; 2];
        base.castler = [None; 2];
    }
    if !law.drops {
        base.hand = base.hand.map(|hand| vec![0; hand.len()]);
    }
    if own.castling_wins.is_empty() {
        base.castled = None;
    }
    if !law.passes_at_all() {
        base.passes = 0;
    }
    let all = checks_at_start(law);
    let fits = (0..2).all(|side| base.checks[side] <= all[side]);
    if !(own.check_counting && law.check_counting && fits) {
        base.checks = all;
    }
    let mut states = Vec::new();
    for state in &other.states {
        let known = rules.states.iter().position(|own| own.name == state.name);
        let values = match known {
            Some(at) if state.takes(&rules.states[at]) => place.pos.states.get(at)?,
            _ => state::default(state),
        };
        let fits = values.iter().all(|value| state.sort.has(value));
        states.push(if fits { values } else { state::default(state) });
    }
    let game = Game::new(Arc::new(other));
    let pos = Pos {
        base: Rc::new(base),
        states: States::known(states),
    };
    Ok(self::place(&game, &game.with_en_passant(&pos)?))
}

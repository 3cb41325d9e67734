//! The values of expressions. Texts become sides, kinds or squares where these are needed.

use super::game::Game;
use super::position::Pos;
use super::turn::Turn;
use crate::defined::betza::Atom;
use crate::defined::definition::Definition;
use crate::defined::state::Unit;
use std::rc::Rc;

/// A result, or what is wrong with the text.
pub type Outcome<T> = Result<T, String>;

/// A kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The kind of the missing unit.
    Missing,
    Known(usize),
    /// A kind that this rule set lacks.
    Other(String),
}

/// A position under some rules.
#[derive(Clone)]
pub struct Place {
    pub game: Game,
    pub pos: Pos,
}

/// A unit, or the missing unit, of a position.
#[derive(Clone)]
pub struct Man {
    pub place: Rc<Place>,
    pub unit: Option<(usize, Unit)>,
}

#[derive(Clone)]
pub enum Value {
    Bool(bool),
    Int(i64),
    Text(String),
    Side(Option<usize>),
    Kind(Kind),
    Square(Option<usize>),
    Unit(Man),
    Turn(Rc<Turn>),
    Place(Rc<Place>),
    /// A list, and whether it is a set.
    List(Vec<Value>, bool),
    Movement(Vec<Atom>),
    /// What `state` means in a position.
    State(Rc<Place>),
    /// What `option` means.
    Options,
    /// What `parent` means in a position.
    Parent(Rc<Place>),
    /// What the beginning of a key with a period means after `parent`.
    ParentKey(Rc<Place>, &'static str),
}

pub fn list(values: Vec<Value>) -> Value {
    Value::List(values, false)
}

impl Value {
    pub fn bool(&self) -> Outcome<bool> {
        match self {
            Value::Bool(bool) => Ok(*bool),
            // A flag is a number that may be used as a condition.
            Value::Int(flag) => Ok(*flag != 0),
            other => Err(format!("{} is not a bool", other.name())),
        }
    }

    pub fn int(&self) -> Outcome<i64> {
        match self {
            Value::Int(int) => Ok(*int),
            other => Err(format!("{} is not an int", other.name())),
        }
    }

    pub fn items(&self) -> Outcome<&[Value]> {
        match self {
            Value::List(values, _) => Ok(values),
            other => Err(format!("{} is not a list", other.name())),
        }
    }

    /// Returns the values of a list, or the value alone.
    pub fn alternatives(&self) -> (Vec<Value>, bool) {
        match self {
            Value::List(values, _) => (values.clone(), true),
            other => (vec![other.clone()], false),
        }
    }

    pub fn side(&self) -> Outcome<Option<usize>> {
        match self {
            Value::Side(side) => Ok(*side),
            Value::Unit(man) if man.unit.is_none() => Ok(None),
            Value::Text(text) => match text.as_str() {
                "white" => Ok(Some(0)),
                "black" => Ok(Some(1)),
                "" => Ok(None),
                _ => Err(format!("{text} is not a side")),
            },
            other => Err(format!("{} is not a side", other.name())),
        }
    }

    pub fn kind(&self, law: &Definition) -> Outcome<Kind> {
        match self {
            Value::Kind(kind) => Ok(kind.clone()),
            Value::Unit(man) if man.unit.is_none() => Ok(Kind::Missing),
            Value::Text(text) => Ok(kind(law, text)),
            other => Err(format!("{} is not a kind", other.name())),
        }
    }

    pub fn square(&self, law: &Definition) -> Outcome<Option<usize>> {
        match self {
            Value::Square(square) => Ok(*square),
            Value::Unit(man) if man.unit.is_none() => Ok(None),
            Value::Text(text) => {
                let squares = 0..(law.files * law.ranks) as usize;
                Ok(squares
                    .into_iter()
                    .find(|&square| law.name(square) == *text))
            }
            other => Err(format!("{} is not a square", other.name())),
        }
    }

    pub fn man(&self) -> Outcome<&Man> {
        match self {
            Value::Unit(man) => Ok(man),
            other => Err(format!("{} is not a unit", other.name())),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Value::Bool(_) => "a bool",
            Value::Int(_) => "an int",
            Value::Text(_) => "a text",
            Value::Side(_) => "a side",
            Value::Kind(_) => "a kind",
            Value::Square(_) => "a square",
            Value::Unit(_) => "a unit",
            Value::Turn(_) => "a turn",
            Value::Place(_) => "a position",
            Value::List(..) => "a list",
            Value::Movement(_) => "a movement",
            Value::State(_) => "state",
            Value::Options => "option",
            Value::Parent(_) | Value::ParentKey(..) => "parent",
        }
    }

    /// Returns whether two values are equal.
    ///
    /// # Errors
    /// If their types differ.
    pub fn equals(&self, other: &Value, law: &Definition) -> Outcome<bool> {
        use Value::{Bool, Int, Kind, List, Place, Side, Square, Text, Turn, Unit};
        Ok(match (self, other) {
            (Bool(a), Bool(b)) => a == b,
            (Int(a), Int(b)) => a == b,
            (Text(a), Text(b)) => a == b,
            (Side(a), b) | (b, Side(a)) => *a == b.side()?,
            (Kind(a), b) | (b, Kind(a)) => *a == b.kind(law)?,
            (Square(a), b) | (b, Square(a)) => *a == b.square(law)?,
            (Unit(a), Unit(b)) => a.unit == b.unit,
            (Turn(a), Turn(b)) => a.text == b.text,
            (Place(a), Place(b)) => a.pos.base.cells == b.pos.base.cells,
            (List(a, false), List(b, false)) => {
                let mut same = a.len() == b.len();
                for (a, b) in a.iter().zip(b) {
                    same = same && a.equals(b, law)?;
                }
                same
            }
            (List(a, _), List(b, _)) => contains(a, b, law)? && contains(b, a, law)?,
            (a, b) => return Err(format!("{} and {} are compared", a.name(), b.name())),
        })
    }
}

/// Returns whether all of `part` are in `whole`.
fn contains(whole: &[Value], part: &[Value], law: &Definition) -> Outcome<bool> {
    for value in part {
        if !has(whole, value, law)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns whether a list has a value.
pub fn has(list: &[Value], value: &Value, law: &Definition) -> Outcome<bool> {
    for other in list {
        if other.equals(value, law)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the values without repetitions.
pub fn distinct(values: Vec<Value>, law: &Definition) -> Outcome<Vec<Value>> {
    let mut kept = Vec::new();
    for value in values {
        if !has(&kept, &value, law)? {
            kept.push(value);
        }
    }
    Ok(kept)
}

/// Returns the kind with a name, or with a letter in either case.
pub fn kind(law: &Definition, text: &str) -> Kind {
    let mut letters = text.chars();
    let by_letter = match (letters.next(), letters.next()) {
        (None, _) => return Kind::Missing,
        (Some(letter), None) => law.kind_of(letter),
        _ => None,
    };
    let by_name = law.kinds.iter().position(|kind| kind.name == text);
    match by_letter.or(by_name) {
        Some(kind) => Kind::Known(kind),
        None => Kind::Other(text.to_string()),
    }
}

//! States: their declarations, their values, and how FENs show them.

use super::value::{Kind, Outcome, Value};
use crate::defined::definition::Definition;

/// The greatest number of a state.
const MAX_NUMBER: i64 = 1_000_000;

/// What a state can hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Sort {
    Range(i64, i64),
    Words(Vec<String>),
    Flag,
    Kind,
    Kinds,
    Side,
    Sides,
    Square,
}

/// A declaration `NAME: TYPE` or `NAME[side]: TYPE`.
#[derive(Clone)]
pub struct Declared {
    pub name: String,
    /// Whether each side has a value of its own.
    pub each: bool,
    pub sort: Sort,
}

impl Declared {
    /// Returns whether the values of another state can be those of this one: the types are equal, or both numbers.
    pub fn takes(&self, other: &Declared) -> bool {
        let numbers = matches!(
            (&self.sort, &other.sort),
            (Sort::Range(..), Sort::Range(..))
        );
        self.each == other.each && (self.sort == other.sort || numbers)
    }
}

/// The value of a state, or of a state for one side.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Int(i64),
    Word(String),
    Kind(Option<usize>),
    Kinds(Vec<usize>),
    Side(Option<usize>),
    Sides(Vec<usize>),
    Square(Option<usize>),
}

/// Reads the value of the key `state`.
pub fn declarations(text: &str) -> Outcome<Vec<Declared>> {
    let mut declared = Vec::new();
    for part in text
        .split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let (name, sort) = part.split_once(':').ok_or(format!("{part}: no type"))?;
        let (name, each) = match name.trim().strip_suffix("[side]") {
            Some(name) => (name.trim(), true),
            None => (name.trim(), false),
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(is_name) {
            return Err(format!("{name} is not a name of a state"));
        }
        declared.push(Declared {
            name: name.to_string(),
            each,
            sort: self::sort(sort.trim())?,
        });
    }
    Ok(declared)
}

fn sort(text: &str) -> Outcome<Sort> {
    Ok(match text {
        "flag" => Sort::Flag,
        "kind" => Sort::Kind,
        "kinds" => Sort::Kinds,
        "side" => Sort::Side,
        "sides" => Sort::Sides,
        "square" => Sort::Square,
        _ => match text.split_once("..") {
            Some((least, most)) => {
                let number = |text: &str| {
                    let number = text.trim().parse();
                    number.map_err(|_| format!("{text} is not a number"))
                };
                let (least, most) = (number(least)?, number(most)?);
                if least > most || most > MAX_NUMBER {
                    return Err(format!(
                        "{text} is not a range of numbers up to {MAX_NUMBER}"
                    ));
                }
                Sort::Range(least, most)
            }
            None => {
                let words: Vec<String> = text.split_whitespace().map(str::to_string).collect();
                if words.is_empty() {
                    return Err("a state without a type".to_string());
                }
                if (1..words.len()).any(|at| words[..at].contains(&words[at])) {
                    return Err(format!("{text} has a word twice"));
                }
                Sort::Words(words)
            }
        },
    })
}

impl Sort {
    /// Returns whether a value of a state of this type, or of another range, is one of this type.
    pub fn has(&self, value: &Item) -> bool {
        match (self, value) {
            (Sort::Range(least, most), Item::Int(number)) => (least..=most).contains(&number),
            _ => true,
        }
    }

    /// Returns the first value.
    pub fn first(&self) -> Item {
        match self {
            Sort::Range(least, _) => Item::Int(*least),
            Sort::Words(words) => Item::Word(words[0].clone()),
            Sort::Flag => Item::Int(0),
            Sort::Kind => Item::Kind(None),
            Sort::Kinds => Item::Kinds(Vec::new()),
            Sort::Side => Item::Side(None),
            Sort::Sides => Item::Sides(Vec::new()),
            Sort::Square => Item::Square(None),
        }
    }

    /// Returns what a value of an expression becomes in this state. Numbers out of range become the nearest
    /// number.
    pub fn hold(&self, law: &Definition, value: &Value) -> Outcome<Item> {
        Ok(match self {
            Sort::Range(least, most) => Item::Int(value.int()?.clamp(*least, *most)),
            Sort::Flag => match value {
                Value::Bool(bool) => Item::Int(i64::from(*bool)),
                other => Item::Int(other.int()?.clamp(0, 1)),
            },
            Sort::Words(words) => match value {
                Value::Text(text) if words.contains(text) => Item::Word(text.clone()),
                Value::Text(text) => return Err(format!("{text} is not a word of the state")),
                _ => return Err("a state of words is not a text".to_string()),
            },
            Sort::Kind => Item::Kind(known(&value.kind(law)?)),
            Sort::Kinds => {
                let mut kinds = Vec::new();
                for value in value.items()? {
                    kinds.extend(known(&value.kind(law)?));
                }
                Item::Kinds(set(kinds))
            }
            Sort::Side => Item::Side(value.side()?),
            Sort::Sides => {
                let mut sides = Vec::new();
                for value in value.items()? {
                    sides.extend(value.side()?);
                }
                Item::Sides(set(sides))
            }
            Sort::Square => Item::Square(value.square(law)?),
        })
    }

    /// Reads a value as FENs show it.
    fn read(&self, law: &Definition, text: &str) -> Outcome<Item> {
        let wrong = || format!("{text} is not a value of the state");
        let kind = |letter: char| {
            let kind = letter.is_ascii_uppercase().then(|| law.kind_of(letter));
            kind.flatten().ok_or_else(wrong)
        };
        let side = |letter: char| match letter {
            'w' => Ok(0),
            'b' => Ok(1),
            _ => Err(wrong()),
        };
        let letters = || text.chars().filter(|_| text != "-");
        let one = |length: usize| match length {
            0 | 1 => Ok(()),
            _ => Err(wrong()),
        };
        Ok(match self {
            Sort::Range(least, most) => {
                let number: i64 = text.parse().map_err(|_| wrong())?;
                let inside = (*least..=*most).contains(&number);
                Item::Int(inside.then_some(number).ok_or_else(wrong)?)
            }
            Sort::Flag => match text {
                "0" => Item::Int(0),
                "1" => Item::Int(1),
                _ => return Err(wrong()),
            },
            Sort::Words(words) => match words.iter().any(|word| word == text) {
                true => Item::Word(text.to_string()),
                false => return Err(wrong()),
            },
            Sort::Kind => {
                one(letters().count())?;
                Item::Kind(letters().next().map(kind).transpose()?)
            }
            Sort::Kinds => Item::Kinds(letters().map(kind).collect::<Outcome<Vec<usize>>>()?),
            Sort::Side => {
                one(letters().count())?;
                Item::Side(letters().next().map(side).transpose()?)
            }
            Sort::Sides => Item::Sides(letters().map(side).collect::<Outcome<Vec<usize>>>()?),
            Sort::Square => match text {
                "-" => Item::Square(None),
                _ => match Value::Text(text.to_string()).square(law)? {
                    Some(square) => Item::Square(Some(square)),
                    None => return Err(wrong()),
                },
            },
        })
    }

    fn separator(&self) -> char {
        match self {
            Sort::Range(..) | Sort::Flag => ',',
            _ => '/',
        }
    }
}

fn known(kind: &Kind) -> Option<usize> {
    match kind {
        Kind::Known(kind) => Some(*kind),
        _ => None,
    }
}

fn set(mut items: Vec<usize>) -> Vec<usize> {
    items.sort_unstable();
    items.dedup();
    items
}

impl Item {
    /// Returns the value that expressions read.
    pub fn value(&self) -> Value {
        let kind = |kind: &Option<usize>| match kind {
            Some(kind) => Value::Kind(Kind::Known(*kind)),
            None => Value::Kind(Kind::Missing),
        };
        match self {
            Item::Int(int) => Value::Int(*int),
            Item::Word(word) => Value::Text(word.clone()),
            Item::Kind(one) => kind(one),
            Item::Kinds(kinds) => {
                let kinds = kinds.iter().map(|one| kind(&Some(*one)));
                Value::List(kinds.collect(), true)
            }
            Item::Side(side) => Value::Side(*side),
            Item::Sides(sides) => {
                let sides = sides.iter().map(|side| Value::Side(Some(*side)));
                Value::List(sides.collect(), true)
            }
            Item::Square(square) => Value::Square(*square),
        }
    }

    fn text(&self, law: &Definition) -> String {
        let letter = |kind: &usize| law.kinds[*kind].letter.unwrap_or('?');
        let side = |side: &usize| if *side == 0 { 'w' } else { 'b' };
        let text: String = match self {
            Item::Int(int) => int.to_string(),
            Item::Word(word) => word.clone(),
            Item::Kind(kind) => kind.iter().map(letter).collect(),
            Item::Kinds(kinds) => kinds.iter().map(letter).collect(),
            Item::Side(one) => one.iter().map(side).collect(),
            Item::Sides(sides) => sides.iter().map(side).collect(),
            Item::Square(square) => square.iter().map(|square| law.name(*square)).collect(),
        };
        match text.is_empty() {
            true => "-".to_string(),
            false => text,
        }
    }
}

/// Returns the default of a declared state.
pub fn default(declared: &Declared) -> Vec<Item> {
    vec![declared.sort.first(); if declared.each { 2 } else { 1 }]
}

/// Reads the state field of a FEN.
pub fn read(law: &Definition, all: &[Declared], field: &str) -> Outcome<Vec<Vec<Item>>> {
    let mut values: Vec<Vec<Item>> = all.iter().map(default).collect();
    let mut next = 0;
    for part in field.split(';').filter(|part| !part.is_empty()) {
        let (name, text) = part.split_once('=').ok_or(format!("state: {part}"))?;
        let at = all.iter().position(|declared| declared.name == name);
        let at = at.ok_or(format!("state: unknown key {name}"))?;
        if at < next {
            return Err(format!("state: {name} twice or out of order"));
        }
        next = at + 1;
        let sort = &all[at].sort;
        let parts: Vec<&str> = match all[at].each {
            true => text.split(sort.separator()).collect(),
            false => vec![text],
        };
        if parts.len() != values[at].len() {
            return Err(format!("state: {part} is not a value for each side"));
        }
        for (value, text) in values[at].iter_mut().zip(parts) {
            *value = sort.read(law, text)?;
        }
    }
    Ok(values)
}

/// Returns the state field of a FEN, or an empty text if all states have their defaults.
pub fn print(law: &Definition, all: &[Declared], values: &[Vec<Item>]) -> String {
    let mut parts = Vec::new();
    for (declared, values) in all.iter().zip(values) {
        if *values == default(declared) {
            continue;
        }
        let texts: Vec<String> = values.iter().map(|value| value.text(law)).collect();
        let separator = declared.sort.separator().to_string();
        parts.push(format!("{}={}", declared.name, texts.join(&separator)));
    }
    parts.join(";")
}

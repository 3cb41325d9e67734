//! Evaluates expressions on the tree of the `cel` crate's parser, in which macros are expanded to
//! comprehensions. No value but ours occurs, so that missing values, squares and sets mean what rule texts
//! mean by them.

use super::game::{Game, Names};
use super::names;
use super::position::Pos;
use super::rules::Code;
use super::turn::Turn;
use super::value::{Man, Outcome, Place, Value, distinct, has, list};
use crate::defined::betza;
use cel::common::ast::{CallExpr, ComprehensionExpr, Expr, LiteralValue, SelectExpr};
use std::rc::Rc;

/// What an expression is about.
#[derive(Clone)]
pub struct Context {
    pub game: Game,
    /// The layers, as bits, whose definitions `let` count.
    pub scope: u64,
    /// The layer in which the clause is written.
    pub layer: usize,
    /// The position of bare names.
    pub pos: Pos,
    /// The turn or step of bare names.
    pub turn: Option<Rc<Turn>>,
    pub names: Names,
    /// Whether texts are movements, which `+` unites.
    pub movement: bool,
}

/// The beginnings of keys with a period.
const PREFIXES: [&str; 6] = ["let", "state", "movement", "targets", "quiet", "attacks"];

/// The variables of macros and the parameters of definitions, innermost last.
pub type Variables = Vec<(String, Value)>;

impl Context {
    /// Returns the position of bare names.
    pub fn place(&self) -> Rc<Place> {
        Rc::new(Place {
            game: self.game.clone(),
            pos: self.pos.clone(),
        })
    }

    /// Returns the definition `let.NAME`: that of the last section of the clause's group.
    fn named(&self, name: &str) -> Option<(Vec<String>, Code)> {
        let group = self.game.rules.layers.get(self.layer)?.group;
        let layers = self.game.rules.layers.iter().enumerate();
        let layers = layers.filter(|(at, _)| self.scope & (1 << at) != 0);
        let own = layers.filter(|(_, layer)| layer.group == group);
        own.filter_map(|(_, layer)| layer.named.get(name))
            .next_back()
            .cloned()
    }
}

/// Returns the value of an expression.
///
/// # Errors
/// If a name is unknown or a type is wrong.
pub fn eval(context: &Context, variables: &mut Variables, code: &Expr) -> Outcome<Value> {
    match code {
        Expr::Literal(literal) => match literal {
            LiteralValue::Boolean(bool) => Ok(Value::Bool(*bool.inner())),
            LiteralValue::Int(int) => Ok(Value::Int(*int.inner())),
            LiteralValue::String(text) => Ok(Value::Text(text.inner().to_string())),
            other => Err(format!("{other:?} is not a value of rule texts")),
        },
        Expr::List(items) => {
            let items = items.elements.iter();
            let items: Outcome<Vec<Value>> = items
                .map(|item| eval(context, variables, &item.expr))
                .collect();
            Ok(list(items?))
        }
        Expr::Ident(name) => ident(context, variables, name),
        Expr::Select(select) => self::select(context, variables, select),
        Expr::Call(call) => self::call(context, variables, call),
        Expr::Comprehension(comprehension) => repeat(context, variables, comprehension),
        other => Err(format!("{other:?} is not part of the language")),
    }
}

fn ident(context: &Context, variables: &mut Variables, name: &str) -> Outcome<Value> {
    let found = variables.iter().rev().find(|(known, _)| known == name);
    if let Some((_, value)) = found {
        return Ok(value.clone());
    }
    let found = context.names.iter().find(|(known, _)| *known == name);
    if let Some((_, value)) = found {
        return Ok(value.clone());
    }
    if let Some((parameters, body)) = context.named(name) {
        if !parameters.is_empty() {
            return Err(format!("{name} without arguments"));
        }
        return eval(context, &mut Vec::new(), &body.expr);
    }
    match name {
        "state" => return Ok(Value::State(context.place())),
        "option" => return Ok(Value::Options),
        "parent" => {
            return Ok(Value::Parent(Rc::new(Place {
                game: context.game.parent(context.layer),
                pos: context.pos.clone(),
            })));
        }
        _ => {}
    }
    if let Some(turn) = &context.turn
        && let Some(value) = names::of_turn(turn, &context.game, name)?
    {
        return Ok(value);
    }
    names::of_place(&context.place(), name, &[])
}

fn select(context: &Context, variables: &mut Variables, select: &SelectExpr) -> Outcome<Value> {
    let operand = eval(context, variables, &select.operand.expr)?;
    let field = select.field.as_str();
    match &operand {
        Value::Unit(man) => names::of_unit(man, field),
        Value::Turn(turn) => {
            names::of_turn(turn, &turn.game, field)?.ok_or_else(|| format!("a turn has no {field}"))
        }
        Value::Place(place) if field == "state" => Ok(Value::State(Rc::clone(place))),
        Value::Place(place) => names::of_place(place, field, &[]),
        Value::State(place) => names::state(place, field, None),
        Value::Options => {
            let group = context.game.rules.layers[context.layer].group;
            let option = context.game.rules.options.get(&(group, field.to_string()));
            let option = option.ok_or_else(|| format!("no option {field}"))?;
            Ok(match option.range {
                None => Value::Bool(option.value == 1),
                Some(_) => Value::Int(option.value),
            })
        }
        Value::Parent(place) => {
            if let Some(prefix) = PREFIXES.into_iter().find(|prefix| *prefix == field) {
                return Ok(Value::ParentKey(Rc::clone(place), prefix));
            }
            match names::parent_clause(context, place, field)? {
                Some(value) => Ok(value),
                None => names::of_place(place, field, &[]),
            }
        }
        Value::ParentKey(place, prefix) => of_parent(context, place, prefix, field, &[]),
        Value::Square(Some(square)) if matches!(field, "file" | "rank") => {
            let (file, rank) = context.game.rules.law.place(*square);
            Ok(Value::Int(i64::from(
                if field == "file" { file } else { rank } + 1,
            )))
        }
        _ => Err(format!("no member {field}")),
    }
}

/// Returns what `parent.PREFIX.NAME` means: the definition or the clause of the parent, for a state also asked for a side.
fn of_parent(
    context: &Context,
    parent: &Rc<Place>,
    prefix: &str,
    name: &str,
    arguments: &[Value],
) -> Outcome<Value> {
    if prefix == "let" {
        let above = Context {
            scope: context.scope & ((1 << context.layer) - 1),
            ..context.clone()
        };
        let (parameters, body) = above.named(name).ok_or(format!("no parent.let.{name}"))?;
        if parameters.len() != arguments.len() {
            return Err(format!("{name} has {} parameters", parameters.len()));
        }
        let mut own: Variables = parameters
            .into_iter()
            .zip(arguments.iter().cloned())
            .collect();
        return eval(&above, &mut own, &body.expr);
    }
    let mut context = context.clone();
    if let [side] = arguments {
        let other = side.side()?.map(|side| 1 - side);
        let names = [("owner", side.clone()), ("foe", Value::Side(other))];
        context.names.splice(0..0, names);
    }
    let value = names::parent_clause(&context, parent, &format!("{prefix}.{name}"))?;
    value.ok_or_else(|| format!("no parent.{prefix}.{name}"))
}

fn call(context: &Context, variables: &mut Variables, call: &CallExpr) -> Outcome<Value> {
    let name = call.func_name.as_str();
    if call.target.is_none()
        && let Some(value) = operator(context, variables, name, call)?
    {
        return Ok(value);
    }
    let mut arguments = Vec::new();
    for argument in &call.args {
        arguments.push(eval(context, variables, &argument.expr)?);
    }
    let law = &context.game.rules.law;
    let Some(target) = &call.target else {
        if let Some((parameters, body)) = context.named(name) {
            if parameters.len() != arguments.len() {
                return Err(format!("{name} has {} parameters", parameters.len()));
            }
            let mut own: Variables = parameters.into_iter().zip(arguments).collect();
            return eval(context, &mut own, &body.expr);
        }
        return match (name, arguments.as_slice()) {
            ("size", [one]) => size(context, one),
            ("sum" | "min" | "max", [one]) => {
                let ints: Outcome<Vec<i64>> = one.items()?.iter().map(Value::int).collect();
                let ints = ints?;
                Ok(Value::Int(match name {
                    "sum" => ints
                        .iter()
                        .fold(0, |sum: i64, int| sum.saturating_add(*int)),
                    "min" => ints.iter().copied().min().unwrap_or(0),
                    _ => ints.iter().copied().max().unwrap_or(0),
                }))
            }
            ("movement_of", [kind]) => Ok(Value::Movement(match kind.kind(law)? {
                super::value::Kind::Known(kind) => law.kinds[kind].atoms.clone(),
                _ => Vec::new(),
            })),
            _ => names::of_place(&context.place(), name, &arguments),
        };
    };
    match eval(context, variables, &target.expr)? {
        Value::Place(place) | Value::Parent(place) => names::of_place(&place, name, &arguments),
        Value::ParentKey(place, prefix) => of_parent(context, &place, prefix, name, &arguments),
        Value::State(place) => match arguments.as_slice() {
            [side] => names::state(&place, name, Some(side.side()?)),
            _ => Err(format!("state.{name} has one argument")),
        },
        list if name == "size" && arguments.is_empty() => size(context, &list),
        _ => Err(format!("no function {name}")),
    }
}

fn size(context: &Context, value: &Value) -> Outcome<Value> {
    let count = match value {
        Value::Text(text) => text.chars().count(),
        Value::List(values, true) => distinct(values.clone(), &context.game.rules.law)?.len(),
        other => other.items()?.len(),
    };
    Ok(Value::Int(count as i64))
}

/// Returns the value of an operator, or `None` if the name is that of a function.
fn operator(
    context: &Context,
    variables: &mut Variables,
    name: &str,
    call: &CallExpr,
) -> Outcome<Option<Value>> {
    let law = &context.game.rules.law;
    let mut at = |index: usize| eval(context, variables, &call.args[index].expr);
    let value = match name {
        "_&&_" => Value::Bool(at(0)?.bool()? && at(1)?.bool()?),
        "_||_" => Value::Bool(at(0)?.bool()? || at(1)?.bool()?),
        "!_" => Value::Bool(!at(0)?.bool()?),
        "@not_strictly_false" => at(0)?,
        "_?_:_" => match at(0)?.bool()? {
            true => at(1)?,
            false => at(2)?,
        },
        "_==_" => Value::Bool(at(0)?.equals(&at(1)?, law)?),
        "_!=_" => Value::Bool(!at(0)?.equals(&at(1)?, law)?),
        "@in" => {
            let value = at(0)?;
            Value::Bool(has(at(1)?.items()?, &value, law)?)
        }
        "_<_" => Value::Bool(at(0)?.int()? < at(1)?.int()?),
        "_<=_" => Value::Bool(at(0)?.int()? <= at(1)?.int()?),
        "_>_" => Value::Bool(at(0)?.int()? > at(1)?.int()?),
        "_>=_" => Value::Bool(at(0)?.int()? >= at(1)?.int()?),
        "-_" => Value::Int(0i64.saturating_sub(at(0)?.int()?)),
        "_-_" => Value::Int(at(0)?.int()?.saturating_sub(at(1)?.int()?)),
        "_*_" => Value::Int(at(0)?.int()?.saturating_mul(at(1)?.int()?)),
        "_/_" => {
            let (a, b) = (at(0)?.int()?, at(1)?.int()?);
            Value::Int(if b == 0 { 0 } else { a.saturating_div(b) })
        }
        "_%_" => {
            let (a, b) = (at(0)?.int()?, at(1)?.int()?);
            Value::Int(if b == 0 { 0 } else { a.wrapping_rem(b) })
        }
        "_+_" => {
            let (a, b) = (at(0)?, at(1)?);
            add(context, a, b)?
        }
        "_[_]" => {
            let (values, index) = (at(0)?, at(1)?.int()?);
            element(context, &values, index)?
        }
        _ => return Ok(None),
    };
    Ok(Some(value))
}

/// Returns an element of a list, or the missing value of its type.
fn element(context: &Context, values: &Value, index: i64) -> Outcome<Value> {
    let items = values.items()?;
    let found = usize::try_from(index)
        .ok()
        .and_then(|index| items.get(index));
    Ok(match (found, items.first()) {
        (Some(value), _) => value.clone(),
        (None, Some(Value::Square(_))) => Value::Square(None),
        (None, Some(Value::Kind(_))) => Value::Kind(super::value::Kind::Missing),
        (None, Some(Value::Side(_))) => Value::Side(None),
        (None, Some(Value::Int(_))) => Value::Int(0),
        _ => Value::Unit(Man {
            place: context.place(),
            unit: None,
        }),
    })
}

fn add(context: &Context, a: Value, b: Value) -> Outcome<Value> {
    use Value::{Int, List, Movement, Text};
    Ok(match (a, b) {
        (Int(a), Int(b)) => Int(a.saturating_add(b)),
        (Text(a), Text(b)) if !context.movement => Text(a + &b),
        (a @ (Text(_) | Movement(_)), b @ (Text(_) | Movement(_))) => {
            let mut atoms = movement(&a)?;
            for atom in movement(&b)? {
                if !atoms.contains(&atom) {
                    atoms.push(atom);
                }
            }
            Movement(atoms)
        }
        (List(mut a, set), List(b, other)) => {
            a.extend(b);
            match set || other {
                true => List(distinct(a, &context.game.rules.law)?, true),
                false => list(a),
            }
        }
        _ => return Err("+ joins two ints, texts, lists or movements".to_string()),
    })
}

/// Returns the atoms of a movement.
///
/// # Errors
/// If the value is neither a movement nor Betza notation.
pub fn movement(value: &Value) -> Outcome<Vec<betza::Atom>> {
    match value {
        Value::Movement(atoms) => Ok(atoms.clone()),
        Value::Text(text) => betza::read(text),
        _ => Err("not a movement".to_string()),
    }
}

/// Evaluates an expanded macro.
fn repeat(
    context: &Context,
    variables: &mut Variables,
    code: &ComprehensionExpr,
) -> Outcome<Value> {
    let range = eval(context, variables, &code.iter_range.expr)?;
    let start = eval(context, variables, &code.accu_init.expr)?;
    let depth = variables.len();
    variables.push((code.accu_var.clone(), start));
    for item in range.items()? {
        variables.push((code.iter_var.clone(), item.clone()));
        let goes_on = eval(context, variables, &code.loop_cond.expr)?.bool()?;
        if goes_on {
            let next = eval(context, variables, &code.loop_step.expr)?;
            variables[depth].1 = next;
        }
        variables.truncate(depth + 1);
        if !goes_on {
            break;
        }
    }
    let result = eval(context, variables, &code.result.expr)?;
    variables.truncate(depth);
    Ok(result)
}

//! Expressions about positions, turns and graphs, with values as Python objects.

use crate::errors::{Answer, Failure, warn};
use crate::variant::OpenVariant;
use crate::work::{self, Options};
use catalog::Catalog;
use control::{Control, Stopped};
use diagnostics::Diagnostic;
use explore::{Group, Groups};
use language::{About, Environment, Expression, Interrupted, Item, Subject, Type};
use notation::{Setup, turns, with_setup};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList};
use rules::AnyGame;
use std::sync::Arc;

/// Compiles an expression for a game. `what` names it in messages.
///
/// # Errors
/// If the text is not an expression of the wanted kind.
pub fn compile(
    catalog: &Catalog,
    game: &AnyGame,
    about: About,
    what: &str,
    text: &str,
    is_condition: bool,
) -> Answer<Expression> {
    let environment = Environment {
        game,
        about,
        kinds_elsewhere: definition::predefined_names().collect(),
        text: None,
        open: &|name, geometry| catalog.open_on(name, geometry),
    };
    Ok(match is_condition {
        true => Expression::condition(what, text, &environment)?,
        false => Expression::read(what, text, &environment)?,
    })
}

/// Issues the warnings of an expression.
///
/// # Errors
/// If warnings are errors.
pub fn warn_of(py: Python<'_>, expression: &Expression) -> PyResult<()> {
    expression
        .warnings()
        .iter()
        .try_for_each(|warning| warn(py, warning))
}

/// The time limit of an evaluation.
pub struct Stopper {
    time: Option<f64>,
}

impl Stopper {
    /// Returns the limit of this number of seconds, or none.
    ///
    /// # Errors
    /// None; the number is checked when the evaluation begins.
    pub fn new(time: Option<f64>) -> Answer<Stopper> {
        Ok(Stopper { time })
    }

    fn options(&self, py: Python<'_>) -> Answer<Options> {
        Options::new(py, Some(1), None, self.time, None)
    }
}

/// Returns the reason why an evaluation was interrupted.
pub fn interrupted(control: &Control<'_>) -> Failure {
    control.check().err().unwrap_or(Stopped::Interrupted).into()
}

/// A value as text, with its type.
pub struct Answered {
    text: String,
    kind: Type,
}

/// Evaluates an expression on a position.
pub fn evaluate<'py>(
    py: Python<'py>,
    variant: &Arc<OpenVariant>,
    setup: &Setup,
    text: &str,
    stopper: Stopper,
) -> Answer<Bound<'py, PyAny>> {
    let options = stopper.options(py)?;
    let (variant, setup, text) = (Arc::clone(variant), setup.clone(), text.to_owned());
    let (answered, expression) = work::run(py, options, move |working| {
        let control = working.control;
        let catalog = &variant.opened.catalog;
        let game = setup.game();
        let expression = compile(catalog, &game, About::POSITION, "expression", &text, false)?;
        let is_due = || control.check().is_err();
        let answer = with_setup!(&setup, start => expression.answer(&Subject {
            stop: Some(&is_due),
            ..Subject::new(start.game.as_ref(), &start.position)
        }));
        let answer = answer.map_err(|Interrupted| interrupted(&control))?;
        let answered = Answered {
            text: answer.text,
            kind: expression.result(),
        };
        Ok((answered, expression))
    })?;
    warn_of(py, &expression)?;
    to_python(py, &answered)
}

/// Returns the legal turns for which a condition holds, in byte order.
pub fn matching_turns(
    py: Python<'_>,
    variant: &Arc<OpenVariant>,
    setup: &Setup,
    text: &str,
    stopper: Stopper,
) -> Answer<Vec<String>> {
    let options = stopper.options(py)?;
    let (variant, setup, text) = (Arc::clone(variant), setup.clone(), text.to_owned());
    let (found, condition) = work::run(py, options, move |working| {
        let control = working.control;
        let catalog = &variant.opened.catalog;
        let game = setup.game();
        let condition = compile(catalog, &game, About::TURN, "expression", &text, true)?;
        let is_due = || control.check().is_err();
        let mut found = Vec::new();
        with_setup!(&setup, start => {
            let game = start.game.as_ref();
            for (text, turn) in turns::sorted(game, &start.position) {
                let subject = Subject {
                    stop: Some(&is_due),
                    ..Subject::of_turn(game, &start.position, turn)
                };
                let holds = condition.holds(&subject);
                if holds.map_err(|Interrupted| interrupted(&control))? {
                    found.push(text);
                }
            }
        });
        Ok((found, condition))
    })?;
    warn_of(py, &condition)?;
    Ok(found)
}

/// Returns the answer of `count`: the number of all, or if `is_grouped` a dict of numbers by group.
///
/// # Errors
/// If there is no memory.
pub fn counted<'py>(
    py: Python<'py>,
    groups: &Groups,
    is_grouped: bool,
) -> Answer<Bound<'py, PyAny>> {
    if !is_grouped {
        let count: u64 = groups.values().sum();
        return Ok(count.into_pyobject(py)?.into_any());
    }
    let counts = PyDict::new(py);
    for (group, count) in groups {
        match group {
            Group::Number(number) => counts.set_item(number, count)?,
            Group::Text(text) => counts.set_item(text, count)?,
        }
    }
    Ok(counts.into_any())
}

/// Converts a value to a Python object.
fn to_python<'py>(py: Python<'py>, answered: &Answered) -> Answer<Bound<'py, PyAny>> {
    match answered.kind {
        Type::One(item) => one(py, item, &answered.text),
        Type::List(item) => {
            let elements = answered.text.split_ascii_whitespace();
            let elements = elements.map(|text| one(py, item, text));
            let elements = elements.collect::<Answer<Vec<_>>>()?;
            Ok(PyList::new(py, elements)?.into_any())
        }
    }
}

fn one<'py>(py: Python<'py>, item: Item, text: &str) -> Answer<Bound<'py, PyAny>> {
    Ok(match item {
        Item::Bool => PyBool::new(py, text == "true").to_owned().into_any(),
        Item::Int => {
            let number = text
                .parse::<i64>()
                .map_err(|_| Diagnostic::new("expression", format!("`{text}` is not a number")))?;
            number.into_pyobject(py)?.into_any()
        }
        _ => text.into_pyobject(py)?.into_any(),
    })
}

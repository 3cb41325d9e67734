//! Evaluates strings in quotation marks after their types are known: kinds, squares, outcomes. Also
//! precomputes code whose value is constant.

use crate::code::{Code, Op, missing};
use crate::environment::{Environment, Subject};
use crate::error::ExpressionError;
use crate::eval::{OUTCOMES, VALUES};
use crate::expression::Expression;
use crate::kinds::compiled_names;
use crate::tree::Span;
use crate::types::Item;
use crate::view::RuleInfo;
use board::Color;
use diagnostics::nearest;
use position::Position;
use rules::with_game;

/// Returns the side that a text names.
pub fn side(text: &str) -> Option<Color> {
    match text {
        "white" => Some(Color::White),
        "black" => Some(Color::Black),
        _ => None,
    }
}

/// Replaces every literal by its value and every type variable by its type, and assigns numbers to the names
/// of kinds.
///
/// # Errors
/// If a string is not a value of its type.
pub fn resolve(
    code: &mut Code,
    expression: &mut Expression,
    environment: &Environment<'_>,
    types: &dyn Fn(Item) -> Item,
) -> Result<(), ExpressionError> {
    for rules in &mut expression.rules {
        for name in &rules.names {
            let known = expression.kinds.iter().position(|kind| *kind == name.name);
            let n = known.unwrap_or_else(|| {
                expression.kinds.push(name.name.clone());
                expression.kinds.len() - 1
            });
            if rules.masks.len() <= n {
                rules.masks.resize(n + 1, 0);
            }
            rules.masks[n] |= name.kinds;
            for (kind, id) in rules.ids.iter_mut().enumerate() {
                if name.kinds >> kind & 1 == 1 {
                    *id = n as i64;
                }
            }
        }
    }
    Resolver {
        expression,
        environment,
        types,
    }
    .resolve(code)
}

/// Operations that depend only on the board and on their other arguments. The first argument is the position.
const BOARD_ALONE: [Op; 4] = [Op::Distance, Op::Aligned, Op::Light, Op::OnBoardText];

fn is_constant(code: &Code) -> bool {
    matches!(code, Code::Scalar(_) | Code::Text(_))
}

struct Resolver<'r> {
    expression: &'r mut Expression,
    environment: &'r Environment<'r>,
    types: &'r dyn Fn(Item) -> Item,
}

impl Resolver<'_> {
    fn resolve(&mut self, code: &mut Code) -> Result<(), ExpressionError> {
        match code {
            Code::Literal(text, variable, span) => {
                *code = match (self.types)(Item::Open(*variable)) {
                    Item::Text | Item::Open(_) => Code::Text(std::mem::take(text)),
                    item => Code::Scalar(self.value(item, text, span)?),
                };
                Ok(())
            }
            Code::Flag(n) => {
                *code = Code::Scalar(*n);
                Ok(())
            }
            Code::Scalar(_)
            | Code::Text(_)
            | Code::Reason(_)
            | Code::Here
            | Code::ThisTurn
            | Code::Count(..)
            | Code::SideToMove
            | Code::Given(_)
            | Code::Parent
            | Code::Variable(_) => Ok(()),
            Code::Declared(position, _, _, side) => {
                self.resolve(position)?;
                side.as_mut().map_or(Ok(()), |side| self.resolve(side))
            }

            Code::Not(a)
            | Code::Negative(a)
            | Code::Under(a, _)
            | Code::State(a, _)
            | Code::Size(a)
            | Code::Length(a) => self.resolve(a),
            Code::Arithmetic(_, parts) | Code::Compare(_, parts) => {
                self.resolve_all(&mut parts[..])
            }
            Code::Equal(item, _, parts)
            | Code::EqualLists(item, _, parts)
            | Code::In(item, parts)
            | Code::Index(item, parts)
            | Code::Concat(item, parts)
            | Code::Union(item, parts)
            | Code::Macro(_, item, parts) => {
                *item = (self.types)(*item);
                self.resolve_all(&mut parts[..])
            }
            Code::Choice(parts) => self.resolve_all(&mut parts[..]),
            Code::List(item, parts) => {
                *item = (self.types)(*item);
                self.resolve_all(parts)
            }
            Code::And(parts) | Code::Or(parts) => self.resolve_all(parts),
            Code::Name(op, parts) => {
                self.resolve_all(parts)?;
                if BOARD_ALONE.contains(op) && parts[1..].iter().all(is_constant) {
                    if let Some(number) = self.of_any_position(code) {
                        *code = Code::Scalar(number);
                    }
                } else if let Some(constant) = self.constant(*op, parts) {
                    *code = constant;
                }
                Ok(())
            }
        }
    }

    /// Evaluates code that depends only on the board. Returns `None` if the evaluation is interrupted.
    fn of_any_position(&mut self, code: &mut Code) -> Option<i64> {
        std::mem::swap(code, &mut self.expression.code);
        let number = with_game!(self.environment.game, game => {
            let number = self.expression.number(&Subject::new(game.as_ref(), &Position::empty()));
            number.ok()
        });
        std::mem::swap(code, &mut self.expression.code);
        number
    }

    /// Returns faster code for an operation with constant arguments, if there is any.
    fn constant(&self, op: Op, args: &[Code]) -> Option<Code> {
        let color = |n: i64| Color::BOTH.into_iter().find(|color| *color as i64 == n);
        let masks = &self.expression.rules[0].masks;
        let mask = |n: i64| usize::try_from(n).ok().and_then(|n| masks.get(n)).copied();
        Some(match (op, args) {
            (Op::White, _) => Code::Scalar(Color::White as i64),
            (Op::Black, _) => Code::Scalar(Color::Black as i64),
            (Op::Side, [Code::Here]) => Code::SideToMove,
            (Op::Count, [Code::Here]) => Code::Count(None, None),
            (Op::CountOfSide, &[Code::Here, Code::Scalar(side)]) => {
                Code::Count(Some(color(side)?), None)
            }
            (Op::CountOfKind, &[Code::Here, Code::Scalar(kind)]) => {
                Code::Count(None, Some(mask(kind)?))
            }
            (Op::CountOf, &[Code::Here, Code::Scalar(side), Code::Scalar(kind)]) => {
                Code::Count(Some(color(side)?), Some(mask(kind)?))
            }
            _ => return None,
        })
    }

    fn resolve_all(&mut self, parts: &mut [Code]) -> Result<(), ExpressionError> {
        parts.iter_mut().try_for_each(|part| self.resolve(part))
    }

    fn value(&mut self, item: Item, text: &str, span: &Span) -> Result<i64, ExpressionError> {
        let refuse = |what: &str, near: Option<&str>, all: &str| {
            let shown = diagnostics::shortened(text);
            let error = ExpressionError::new(span.clone(), format!("'{shown}' is not {what}"));
            match near {
                Some(near) => error.help(format!("did you mean '{near}'?")),
                None => error.help(all),
            }
        };
        match item {
            Item::Side => match (side(text), text) {
                (Some(color), _) => Ok(color as i64),
                (None, "") => Ok(missing::SIDE),
                _ => Err(refuse(
                    "a side",
                    nearest(text, ["white", "black"]),
                    "'white' or 'black'",
                )),
            },
            Item::Square => {
                let geometry = self.expression.rules[0].geometry;
                match geometry.named(text) {
                    Some(square) => Ok(i64::from(square.0)),
                    None if text.is_empty() => Ok(missing::SQUARE),
                    None => Err(refuse(
                        &format!("a square of this {} board", geometry.size()),
                        None,
                        "`on_board('j4')` tests whether a square exists",
                    )),
                }
            }
            Item::Movement => {
                let read = |text: &crate::rule_text::RuleText<'_>, movement: &str| {
                    (text.movement)(movement).map_err(|why| ExpressionError::new(span.clone(), why))
                };
                let number = self
                    .environment
                    .text
                    .map_or(Ok(0), |known| read(known, text))?;
                Ok(1 << number)
            }
            Item::Outcome => match OUTCOMES.iter().position(|name| *name == text) {
                Some(n) => Ok(n as i64),
                None => Err(refuse(
                    "an outcome",
                    nearest(text, OUTCOMES),
                    &format!("one of '{}'", OUTCOMES.join("', '")),
                )),
            },
            Item::Value => match VALUES.iter().find(|(name, _)| *name == text) {
                Some((_, value)) => Ok(*value),
                None if text.is_empty() => Ok(missing::VALUE),
                None => {
                    let names = VALUES.map(|(name, _)| name);
                    let all = format!("one of '{}'", names.join("', '"));
                    Err(refuse("a value", nearest(text, names), &all))
                }
            },
            _ => self.kind(text, span),
        }
    }

    fn kind(&mut self, text: &str, span: &Span) -> Result<i64, ExpressionError> {
        if text.is_empty() {
            return Ok(missing::KIND);
        }
        let number = |kinds: &[String], name: &str| {
            let found = kinds
                .iter()
                .position(|kind| kind.eq_ignore_ascii_case(name));
            found.map(|n| n as i64)
        };
        // Prefer the rule set's own names, then its letters, then the names of other rule sets.
        let own = &self.expression.rules[0].names;
        let by_name = own.iter().find(|kind| kind.name.eq_ignore_ascii_case(text));
        let by_letter = || {
            let mut letters = text.chars();
            let letter = letters.next()?;
            let is = |own: char| own.eq_ignore_ascii_case(&letter);
            let only = letters.next().is_none();
            own.iter().find(|kind| only && is(kind.letter))
        };
        if let Some(kind) = by_name.or_else(by_letter) {
            return Ok(number(&self.expression.kinds, &kind.name).unwrap_or(missing::KIND));
        }
        let kinds = &mut self.expression.kinds;
        let known_elsewhere = || {
            let elsewhere = self.environment.kinds_elsewhere.iter().copied();
            elsewhere.chain(compiled_names())
        };
        let known = number(kinds, text).or_else(|| {
            let name = known_elsewhere().find(|name| name.eq_ignore_ascii_case(text))?;
            kinds.push(name.to_owned());
            Some(kinds.len() as i64 - 1)
        });
        let variant = self.environment.game.variant();
        let Some(n) = known else {
            let shown = diagnostics::shortened(text);
            let why = format!("no rule set has a kind '{shown}'");
            let error = ExpressionError::new(span.clone(), why);
            let own = self.expression.rules[0]
                .names
                .iter()
                .map(|kind| kind.name.as_str());
            let names: Vec<&str> = own.collect();
            let near = nearest(text, names.iter().copied().chain(known_elsewhere()));
            return Err(match near {
                Some(near) => error.help(format!("did you mean '{near}'?")),
                None => error.help(format!("the kinds of `{variant}`: {}", names.join(", "))),
            });
        };
        let warning = format!("`{variant}` has no kind '{text}': it counts no units");
        let known_to =
            |rules: &RuleInfo| rules.masks.get(n as usize).is_some_and(|&mask| mask != 0);
        let unknown = !self.expression.rules.iter().any(known_to);
        if unknown && !self.expression.warnings.contains(&warning) {
            self.expression.warnings.push(warning);
        }
        Ok(n)
    }
}

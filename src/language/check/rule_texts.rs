//! Type-checks what only rule texts have: values that the subject gives, declared fields, options, movements.

use super::{Checked, Checker};
use crate::code::{Code, Op};
use crate::error::ExpressionError;
use crate::names::Name;
use crate::rule_text::{Given, Stage};
use crate::tree::{Operator, Span, Tree, Word};
use crate::types::{Item, Type};
use diagnostics::nearest;
use rules::{DeclaredField, FieldType, with_game};

impl Checker<'_> {
    /// Checks that a type is one of those that are wanted. With none, every type is.
    pub(super) fn expect_one_of(
        &mut self,
        (code, found): (&Code, Type),
        wanted: &[Type],
        tree: &Tree,
    ) -> Result<(), ExpressionError> {
        let Some(first) = wanted.first() else {
            return Ok(());
        };
        if wanted.contains(&Type::BOOL) && super::is_flag(code) {
            return Ok(());
        }
        let fits = wanted
            .iter()
            .find(|wanted| match (self.seen_type(found), **wanted) {
                (Type::One(Item::Open(_)), Type::One(item))
                | (Type::List(Item::Open(_)), Type::List(item)) => item.is_textual(),
                (found, wanted) => found == wanted,
            });
        self.expect(found, *fits.unwrap_or(first), tree)
    }

    /// Returns the code of a name that the subject of a clause gives.
    pub(super) fn given(&self, name: &str) -> Option<(Code, Type)> {
        let text = self.environment.text?;
        if name == "parent" && text.parent.is_some() {
            return Some((Code::Parent, Type::One(Item::Position)));
        }
        let given = text.given.iter().find(|given| given.name() == name)?;
        Some((Code::Given(*given), given.result()))
    }

    /// Returns the error for a name that clauses of another kind have.
    pub(super) fn given_elsewhere(&self, name: &str, span: &Span) -> Option<ExpressionError> {
        self.environment.text?;
        let known = Given::ALL.iter().any(|given| given.name() == name) || name == "parent";
        let why = format!("this clause has no `{name}`");
        known.then(|| ExpressionError::new(span.clone(), why))
    }

    /// Returns the number of an option.
    pub(super) fn option(&self, name: &Word) -> Checked {
        let found = self.environment.text.and_then(|text| {
            // A name with `-` is written with `_`.
            (text.option)(&name.text).or_else(|| (text.option)(&name.text.replace('_', "-")))
        });
        match found {
            Some((number, true)) => Ok((Code::Flag(number), Type::INT)),
            Some((number, false)) => Ok((Code::Scalar(number), Type::INT)),
            None => {
                let shown = diagnostics::shortened(&name.text);
                let why = format!("there is no option `{shown}`");
                Err(ExpressionError::new(name.span.clone(), why)
                    .help("`options = moves: 1..9999 = 60` declares one"))
            }
        }
    }

    /// Returns the fields that the rule text declares.
    pub(super) fn declared(&self) -> Vec<DeclaredField> {
        with_game!(self.environment.game, game => game.carried().declared().to_vec())
    }

    /// Returns the code of a declared field of a position, or `None` if no field has this name. `side` is the argument, if
    /// one is given.
    pub(super) fn declared_field(
        &mut self,
        position: &Code,
        name: &Word,
        side: Option<&Tree>,
    ) -> Option<Checked> {
        let fields = self.declared();
        let n = fields.iter().position(|field| field.name == name.text)?;
        let field = fields[n];
        Some(match (field.of_side, side) {
            (true, None) => {
                let why = format!("each side has its own `{}`", field.name);
                Err(ExpressionError::new(name.span.clone(), why)
                    .help(format!("write `state.{}(side)`", field.name)))
            }
            (false, Some(side)) => {
                let why = format!("`{}` is not kept for each side", field.name);
                Err(ExpressionError::new(side.span.clone(), why).help(format!(
                    "write `state.{}`, or declare `{}[side]`",
                    field.name, field.name
                )))
            }
            (_, side) => side
                .map(|side| self.want(side, Type::One(Item::Side)).map(Box::new))
                .transpose()
                .map(|side| {
                    let code = Code::Declared(Box::new(position.clone()), n, field.kind, side);
                    (code, type_of(field.kind))
                }),
        })
    }

    /// Checks `movement_of(kind)`.
    pub(super) fn movement_of(&mut self, args: &[Tree], span: &Span) -> Checked {
        let [kind] = args else {
            let why = "`movement_of` takes one kind";
            return Err(ExpressionError::new(span.clone(), why));
        };
        let kind = self.want(kind, Type::One(Item::Kind))?;
        Ok((
            Code::Name(Op::MovementOf, vec![kind]),
            Type::One(Item::Movement),
        ))
    }

    /// Checks an addition: of numbers, of lists, and in rule texts of movements or texts.
    pub(super) fn plus(&mut self, a: &Tree, b: &Tree) -> Checked {
        let (left, found) = self.check(a)?;
        let (right, other) = self.check(b)?;
        let in_text = self.environment.text.is_some();
        let is_text = |checker: &Self, found: Type| match checker.seen_type(found) {
            Type::One(item) => {
                in_text && matches!(item, Item::Movement | Item::Text | Item::Open(_))
            }
            Type::List(_) => false,
        };
        match (self.seen_type(found), self.seen_type(other)) {
            (Type::List(item), _) | (_, Type::List(item)) => {
                self.expect(found, Type::List(item), a)?;
                self.expect(other, Type::List(item), b)?;
                if self.seen(item) == Item::Position {
                    let why = "lists of positions are not added";
                    return Err(ExpressionError::new(a.span.start..b.span.end, why));
                }
                let item = self.seen(item);
                Ok((
                    Code::Concat(item, Box::new([left, right])),
                    Type::List(item),
                ))
            }
            _ if is_text(self, found) && is_text(self, other) => {
                self.expect(other, found, b)?;
                Ok((Code::Union(found.item(), Box::new([left, right])), found))
            }
            _ => {
                self.expect(found, Type::INT, a)?;
                self.expect(other, Type::INT, b)?;
                let code = Code::Arithmetic(Operator::Plus, Box::new([left, right]));
                Ok((code, Type::INT))
            }
        }
    }

    /// Checks that a clause does not read what a later stage decides.
    pub(super) fn in_stage(
        &self,
        row: &Name,
        is_foreign: bool,
        span: &Span,
    ) -> Result<(), ExpressionError> {
        let Some(text) = self.environment.text else {
            return Ok(());
        };
        let decided = match row.op {
            Op::Check | Op::CheckOf | Op::Royal | Op::Checks => Stage::Check,
            Op::Turns | Op::Moves | Op::Mates => Stage::Turns,
            Op::Outcome | Op::Reason | Op::Won | Op::WonBy | Op::Drawn | Op::IsOver | Op::Ends => {
                Stage::Ends
            }
            _ => return Ok(()),
        };
        let may = match decided {
            Stage::Check => text.stage > Stage::Check,
            Stage::Turns => text.stage >= Stage::Turns,
            _ => false,
        };
        if is_foreign || may {
            return Ok(());
        }
        let why = format!(
            "`{}` is decided by a later stage of the rules than this clause",
            row.name
        );
        Err(ExpressionError::new(span.clone(), why)
            .help("`parent` and `under` ask other rules for it"))
    }

    /// Suggests a name of rule texts.
    pub(super) fn near_given(&self, name: &str) -> Option<&'static str> {
        let text = self.environment.text?;
        nearest(
            name,
            text.given
                .iter()
                .map(|given| given.name())
                .chain(["parent", "option"]),
        )
    }
}

/// Returns the type of the values of a declared field.
fn type_of(kind: FieldType) -> Type {
    match kind {
        FieldType::Number { .. } | FieldType::Flag => Type::INT,
        FieldType::Words(_) => Type::One(Item::Text),
        FieldType::Kind => Type::One(Item::Kind),
        FieldType::Kinds => Type::List(Item::Kind),
        FieldType::Side => Type::One(Item::Side),
        FieldType::Sides => Type::List(Item::Side),
        FieldType::Square => Type::One(Item::Square),
    }
}

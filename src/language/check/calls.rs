//! Type-checks calls: functions, macros and other forms over lists, `under`, and the reasons in `won`.

use super::{Bound, Checked, Checker, MAX_CLAUSE_WORK, Variable};
use crate::code::{Code, Macro, Op};
use crate::error::{ExpressionError, NEGATION};
use crate::literals;
use crate::names::{NAMES, Name};
use crate::tree::{Node, Span, Tree, Word};
use crate::types::{Item, Type};
use crate::view::RuleInfo;
use board::{Color, Geometry};
use diagnostics::nearest;
use rules::with_game;

impl Checker<'_> {
    pub(super) fn method(
        &mut self,
        target: &Tree,
        name: &Word,
        args: &[Tree],
        span: &Span,
    ) -> Checked {
        if let Some(form) = macro_named(&name.text) {
            return self.macro_call(form, target, name, args);
        }
        if let [side] = args
            && let Some(position) = self.state_of(target)?
            && let Some(declared) = self.declared_field(&position, name, Some(side))
        {
            return declared;
        }
        let (code, found) = self.check(target)?;
        if name.text == "size" {
            return self.size(code, found, target, args, span);
        }
        let found = self.seen_type(found);
        let rows: Vec<(&'static Name, Option<Code>)> = NAMES
            .iter()
            .filter(|row| Some(row.owner) == Self::owner(found) && row.name == name.text)
            .map(|row| (row, Some(code.clone())))
            .collect();
        if rows.is_empty() {
            return Err(self.no_member(found, name));
        }
        self.call(&rows, name, args, span)
    }

    pub(super) fn function(&mut self, name: &Word, args: &[Tree], span: &Span) -> Checked {
        if name.text == "size"
            && let [list] = args
        {
            let (code, found) = self.check(list)?;
            return self.size(code, found, list, &[], span);
        }
        if name.text == "movement_of" && self.environment.text.is_some() {
            return self.movement_of(args, span);
        }
        if macro_named(&name.text).is_some() {
            let why = format!("`{}` follows a list", name.text);
            return Err(ExpressionError::new(name.span.clone(), why)
                .help(format!("such as `units.{}(u, u.rank == 1)`", name.text)));
        }
        let rows = self.bare_rows(&name.text);
        if rows.is_empty() {
            let known = NAMES
                .iter()
                .filter(|row| row.params.is_some() && self.implied(row.owner).is_some())
                .map(|row| row.name);
            let shown = diagnostics::shortened(&name.text);
            let why = format!("there is no function `{shown}`");
            let error = ExpressionError::new(name.span.clone(), why);
            if name.text == "not" {
                return Err(error.help(NEGATION));
            }
            let mut kinds = self.rules[0].names.iter();
            if kinds.any(|kind| kind.name == name.text) {
                let help = format!("write `units(white, '{shown}')`");
                return Err(error.help(help));
            }
            if let Some(expression) = self.idea(&name.text) {
                return Err(error.help(format!("write `{expression}`")));
            }
            return Err(match nearest(&name.text, known.chain(["size"])) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help("`fairyproof eval ID --names` lists all names"),
            });
        }
        self.call(&rows, name, args, span)
    }

    pub(super) fn size(
        &mut self,
        code: Code,
        found: Type,
        target: &Tree,
        args: &[Tree],
        span: &Span,
    ) -> Checked {
        if !args.is_empty() {
            let why = "`size` takes one list";
            return Err(ExpressionError::new(span.clone(), why));
        }
        match found {
            Type::List(_) => Ok((Code::Size(Box::new(code)), Type::INT)),
            Type::One(item) => {
                if !self.unify(item, Item::Text) {
                    let found = self.seen_type(found);
                    let why =
                        format!("only lists and texts have a size; this is of the type {found}");
                    return Err(ExpressionError::new(target.span.clone(), why));
                }
                Ok((Code::Length(Box::new(code)), Type::INT))
            }
        }
    }

    /// Checks a call. Chooses the overload of the name by the number and the types of the arguments.
    pub(super) fn call(
        &mut self,
        rows: &[(&'static Name, Option<Code>)],
        name: &Word,
        args: &[Tree],
        span: &Span,
    ) -> Checked {
        let functions: Vec<_> = rows
            .iter()
            .filter_map(|(row, target)| Some((*row, row.params?, target)))
            .collect();
        if functions.is_empty() {
            let why = format!("`{}` is not a function", name.text);
            return Err(ExpressionError::new(name.span.clone(), why)
                .help(format!("write `{}` without parentheses", name.text)));
        }
        let fitting: Vec<_> = functions
            .iter()
            .filter(|(_, params, _)| params.len() == args.len())
            .collect();
        if fitting.is_empty() {
            let usages: Vec<String> = functions.iter().map(|(row, ..)| row.usage()).collect();
            let given = match args.len() {
                1 => "1 argument".to_owned(),
                n => format!("{n} arguments"),
            };
            let why = format!("`{}` does not take {given}", name.text);
            return Err(ExpressionError::new(span.clone(), why)
                .help(format!("write {}", usages.join(" or "))));
        }
        let mut codes = Vec::with_capacity(args.len());
        let mut found = Vec::with_capacity(args.len());
        for tree in args {
            let (code, result) = self.check(tree)?;
            codes.push(code);
            found.push(result);
        }
        let fits = |checker: &Self, params: &[Type]| {
            params
                .iter()
                .zip(&found)
                .all(|(param, found)| checker.may_be(*found, *param))
        };
        let (row, params, target) = fitting
            .iter()
            .find(|(_, params, _)| fits(self, params))
            .unwrap_or(&fitting[0]);
        for ((param, found), tree) in params.iter().zip(&found).zip(args) {
            self.expect(*found, *param, tree)?;
        }
        self.available(row, target.as_ref(), &name.span)?;
        if row.op == Op::Under {
            let position = Option::clone(target).unwrap_or_else(|| self.here());
            return self.under(position, &codes[0], &args[0]);
        }
        if row.op == Op::WonBy {
            codes[1] = self.reason(&codes[1], &args[1])?;
        }
        let all = target.iter().cloned().chain(codes).collect();
        Ok((Code::Name(row.op, all), row.result))
    }

    /// Returns whether a value of type `found` may be passed where type `wanted` is expected.
    pub(super) fn may_be(&self, found: Type, wanted: Type) -> bool {
        match (self.seen_type(found), wanted) {
            (Type::List(Item::Open(n)), Type::List(wanted)) => {
                wanted.is_textual() || matches!(self.variables[n as usize], Variable::Any)
            }
            (Type::One(Item::Open(n)), Type::One(wanted)) => match &self.variables[n as usize] {
                Variable::Free(sample) => match wanted {
                    Item::Side => literals::side(sample).is_some(),
                    Item::Kind => literals::side(sample).is_none(),
                    wanted => wanted.is_textual(),
                },
                _ => false,
            },
            (found, wanted) => found == wanted,
        }
    }

    /// Checks a call of `under` and opens the rule set that it names.
    pub(super) fn under(&mut self, position: Code, name: &Code, tree: &Tree) -> Checked {
        let Code::Literal(name, ..) = name else {
            let why = "the name of the rule set must be a text in quotation marks";
            return Err(ExpressionError::new(tree.span.clone(), why));
        };
        let same = |rules: &RuleInfo| rules.game.variant().to_string() == **name;
        let known = self.rules.iter().skip(1).position(same);
        let n = match known {
            Some(n) => n + 1,
            None => {
                let own = &self.rules[0];
                let other = (self.environment.open)(name, flat(own.geometry)).map_err(|error| {
                    let mut e = ExpressionError::new(tree.span.clone(), error.to_string());
                    e.help = error.help;
                    e
                })?;
                let other = RuleInfo::new(&other);
                same_board_and_kinds(own, &other, &tree.span)?;
                self.rules.push(other);
                self.rules.len() - 1
            }
        };
        let code = Code::Under(Box::new(position), n);
        Ok((code, Type::One(Item::Position)))
    }

    /// Returns the reasons for which games of the expression's rule sets end.
    pub(super) fn reasons(&self) -> impl Iterator<Item = &'static str> {
        let all = self.rules.iter();
        let all = all.map(|rules| &rules.game.variant().rule_set);
        all.flat_map(|rule_set| rule_set.reasons().iter().map(|(reason, _)| *reason))
    }

    /// Returns the code for a reason that an argument of `won` names.
    pub(super) fn reason(&self, code: &Code, tree: &Tree) -> Result<Code, ExpressionError> {
        let Code::Literal(text, ..) = code else {
            let why = "the reason must be a text in quotation marks";
            return Err(ExpressionError::new(tree.span.clone(), why));
        };
        let reasons = || self.reasons();
        if let Some(reason) = reasons().find(|reason| **reason == **text) {
            return Ok(Code::Reason(reason));
        }
        let shown = diagnostics::shortened(text);
        let why = format!("no game of this rule set ends for the reason '{shown}'");
        let error = ExpressionError::new(tree.span.clone(), why);
        Err(match nearest(text, reasons()) {
            Some(near) => error.help(format!("did you mean '{near}'?")),
            None => {
                let all: Vec<String> = reasons().map(|reason| format!("'{reason}'")).collect();
                error.help(format!("its reasons: {}", all.join(", ")))
            }
        })
    }

    /// Returns the binary logarithm of the usual length of a list.
    fn work_of(&self, list: &Code, item: Item) -> u32 {
        match (list, self.seen(item)) {
            (Code::List(_, parts), _) => parts.len().next_power_of_two().ilog2(),
            (_, Item::Square) => 6,
            (_, Item::Unit | Item::Turn) => 5,
            _ => 3,
        }
    }

    pub(super) fn macro_call(
        &mut self,
        form: Macro,
        target: &Tree,
        name: &Word,
        args: &[Tree],
    ) -> Checked {
        let (list, found) = self.check(target)?;
        let Type::List(item) = found else {
            let found = self.seen_type(found);
            let why = format!(
                "`{}` follows a list; this is of the type {found}",
                name.text
            );
            return Err(ExpressionError::new(target.span.clone(), why));
        };
        let [variable, body] = args else {
            let why = format!("`{}` takes a variable and an expression", name.text);
            return Err(ExpressionError::new(name.span.clone(), why)
                .help(format!("such as `units.{}(u, u.rank == 1)`", name.text)));
        };
        let Node::Name(variable) = &variable.node else {
            let why = "the name of a variable is wanted here";
            return Err(
                ExpressionError::new(variable.span.clone(), why).help(format!(
                    "such as `u` in `units.{}(u, u.rank == 1)`",
                    name.text
                )),
            );
        };
        let work = self.work_of(&list, item);
        if self.environment.text.is_some() && self.work + work > MAX_CLAUSE_WORK {
            let why = "the lists of a clause are nested too deeply: all together it would go through more than \
                       four million combinations of their elements";
            return Err(ExpressionError::new(name.span.clone(), why)
                .help("a list of units is shorter than `squares`"));
        }
        self.scope.push(Bound {
            name: variable.clone(),
            item,
            provenance: self.provenance(&list),
        });
        self.bodies += 1;
        self.work += work;
        let turns = u32::from(list.lists_turns());
        self.turn_bodies += turns;
        let checked = match form {
            Macro::Map => self.check(body),
            _ => self.want(body, Type::BOOL).map(|code| (code, Type::BOOL)),
        };
        self.turn_bodies -= turns;
        self.work -= work;
        self.bodies -= 1;
        self.scope.pop();
        let (code, made) = checked?;
        let result = match (form, made) {
            (Macro::All | Macro::Exists | Macro::ExistsOne, _) => Type::BOOL,
            (Macro::Filter, _) => Type::List(item),
            (Macro::Map, Type::One(made)) => Type::List(made),
            (Macro::Map, Type::List(_)) => {
                let why = "a list cannot be an element of a list";
                return Err(ExpressionError::new(body.span.clone(), why)
                    .help("`size(...)` or `exists(...)` make a single value of it"));
            }
        };
        let code = Code::Macro(form, made.item(), Box::new([list, code]));
        Ok((code, result))
    }
}

fn macro_named(name: &str) -> Option<Macro> {
    Some(match name {
        "all" => Macro::All,
        "exists" => Macro::Exists,
        "exists_one" => Macro::ExistsOne,
        "filter" => Macro::Filter,
        "map" => Macro::Map,
        _ => return None,
    })
}

/// Returns the board without joined edges. A rule set that is played on a cylinder joins them itself.
fn flat(board: Geometry) -> Geometry {
    Geometry::new(board.files(), board.ranks(), board.holes(), false).unwrap_or(board)
}

/// Checks that every position of one rule set can also be a position of another.
fn same_board_and_kinds(
    own: &RuleInfo,
    other: &RuleInfo,
    span: &Span,
) -> Result<(), ExpressionError> {
    let wrong = |why: String| Err(ExpressionError::new(span.clone(), why));
    let shape = |rules: &RuleInfo| {
        let board = rules.geometry;
        (board.files(), board.ranks(), board.holes(), board.wraps())
    };
    let name = other.game.variant();
    if shape(own) != shape(other) {
        let board = |rules: &RuleInfo| {
            let cylinder = if rules.geometry.wraps() {
                ", a cylinder"
            } else {
                ""
            };
            format!("{}{cylinder}", rules.geometry.size())
        };
        let (own, other) = (board(own), board(other));
        return wrong(format!(
            "the boards differ: this position has {own}, `{name}` has {other}"
        ));
    }
    let has_bound = with_game!(&own.game, game => game.facts().binds);
    if has_bound {
        let why = "units of this rule set can be bound, which no other rule set knows";
        return wrong(why.to_owned());
    }
    for kind in own.men.kinds() {
        let letter = own.men.name(Color::White, kind);
        if other.men.named(letter.trim_end_matches('~')).is_none() {
            return wrong(format!("`{name}` has no unit `{letter}`"));
        }
    }
    Ok(())
}

//! The type checker: tree to code, against the table of names and an environment.
//!
//! A text in quotation marks has the type that its use asks for. It begins with a type variable
//! ([`Item::Open`]), which is unified with the types that it is compared with or passed as. A variable that
//! stays free is a string.

use crate::code::{Code, Macro, Op};
use crate::environment::Environment;
use crate::error::ExpressionError;
use crate::expression::Expression;
use crate::literals;
use crate::names::{FORMS, NAMES, Name, Owner};
use crate::tree::{Node, Operator, Span, Tree, Word};
use crate::types::{Item, Type};
use crate::view::RuleInfo;
use board::Color;
use diagnostics::nearest;
use rules::with_game;

type Checked = Result<(Code, Type), ExpressionError>;

/// The most lists of turns that may be nested in each other.
const MAX_NESTED_TURNS: u32 = 2;

/// Fields of variant states whose values are numbers. All others are texts.
const NUMBER_FIELDS: [&str; 5] = ["blunder", "first", "passes", "dropped", "castled"];

/// Compiles a tree.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn compile(
    source: &str,
    tree: &Tree,
    environment: &Environment<'_>,
) -> Result<Expression, ExpressionError> {
    let mut checker = Checker {
        environment,
        rules: vec![RuleInfo::new(environment.game)],
        variables: Vec::new(),
        scope: Vec::new(),
        bodies: 0,
    };
    let (mut code, result) = checker.check(tree)?;
    let mut expression = Expression {
        source: source.to_owned(),
        code: Code::Here,
        result: checker.settled(result),
        rules: std::mem::take(&mut checker.rules),
        kinds: Vec::new(),
        warnings: Vec::new(),
    };
    let types = |item| checker.settled_item(item);
    literals::resolve(&mut code, &mut expression, environment, &types)?;
    expression.code = code;
    Ok(expression)
}

/// A type variable.
enum Variable {
    /// Nothing is known of it but a text that has its type.
    Free(String),
    /// It is this type.
    Is(Item),
    /// It is the same as another.
    Like(u32),
}

struct Checker<'e> {
    environment: &'e Environment<'e>,
    rules: Vec<RuleInfo>,
    variables: Vec<Variable>,
    scope: Vec<(String, Item)>,
    /// The bodies of macros around what is checked.
    bodies: usize,
}

impl Checker<'_> {
    fn open(&mut self, sample: &str) -> Item {
        self.variables.push(Variable::Free(sample.to_owned()));
        Item::Open(self.variables.len() as u32 - 1)
    }

    /// Returns a type with its variable followed to the end.
    fn seen(&self, item: Item) -> Item {
        let mut item = item;
        while let Item::Open(n) = item {
            item = match self.variables[n as usize] {
                Variable::Free(_) => return item,
                Variable::Is(known) => known,
                Variable::Like(other) => Item::Open(other),
            };
        }
        item
    }

    /// Returns a type once everything is checked: free variables are strings.
    fn settled_item(&self, item: Item) -> Item {
        match self.seen(item) {
            Item::Open(_) => Item::Text,
            item => item,
        }
    }

    fn settled(&self, result: Type) -> Type {
        match result {
            Type::One(item) => Type::One(self.settled_item(item)),
            Type::List(item) => Type::List(self.settled_item(item)),
        }
    }

    fn seen_type(&self, result: Type) -> Type {
        match result {
            Type::One(item) => Type::One(self.seen(item)),
            Type::List(item) => Type::List(self.seen(item)),
        }
    }

    /// Makes two types equal; returns whether they can be.
    fn unify(&mut self, a: Item, b: Item) -> bool {
        match (self.seen(a), self.seen(b)) {
            (a, b) if a == b => true,
            (Item::Open(a), Item::Open(b)) => {
                self.variables[a as usize] = Variable::Like(b);
                true
            }
            (Item::Open(n), known) | (known, Item::Open(n)) if known.is_textual() => {
                self.variables[n as usize] = Variable::Is(known);
                true
            }
            _ => false,
        }
    }

    /// Checks that code has a type.
    fn expect(&mut self, found: Type, wanted: Type, span: &Span) -> Result<(), ExpressionError> {
        let fits = match (found, wanted) {
            (Type::One(a), Type::One(b)) | (Type::List(a), Type::List(b)) => self.unify(a, b),
            _ => false,
        };
        if fits {
            return Ok(());
        }
        let found = self.seen_type(found);
        let error = ExpressionError::new(
            span.clone(),
            format!("a value of the type {wanted} is wanted here; this is of the type {found}"),
        );
        Err(match (found, wanted) {
            (Type::List(_), Type::BOOL) => error.help("`size(list) > 0` is a condition"),
            (Type::List(_), Type::INT) => error.help("`size(list)` is its number of elements"),
            (Type::One(Item::Unit), Type::One(Item::Square)) => error.help("a unit has a `square`"),
            (Type::One(Item::Square), Type::One(Item::Unit)) => {
                error.help("`at(square)` is the unit on a square")
            }
            _ => error,
        })
    }

    fn want(&mut self, tree: &Tree, wanted: Type) -> Result<Code, ExpressionError> {
        let (code, found) = self.check(tree)?;
        self.expect(found, wanted, &tree.span)?;
        Ok(code)
    }

    fn wants(&mut self, trees: &[Tree], wanted: Type) -> Result<Vec<Code>, ExpressionError> {
        trees.iter().map(|tree| self.want(tree, wanted)).collect()
    }

    fn check(&mut self, tree: &Tree) -> Checked {
        let (code, result) = self.check_node(tree)?;
        if code.nested_turns() > MAX_NESTED_TURNS {
            let why =
                format!("more than {MAX_NESTED_TURNS} lists of turns are nested in each other");
            return Err(ExpressionError::new(tree.span.clone(), why)
                .help("deeper questions are for `explore --find` and `prove`"));
        }
        Ok((code, result))
    }

    fn check_node(&mut self, tree: &Tree) -> Checked {
        let span = &tree.span;
        Ok(match &tree.node {
            Node::Int(n) => (Code::Scalar(*n), Type::INT),
            Node::Bool(b) => (Code::Scalar(i64::from(*b)), Type::BOOL),
            Node::Text(text) => {
                let item = self.open(text);
                let Item::Open(n) = item else {
                    unreachable!("a new variable is open");
                };
                let code = Code::Literal(text.as_str().into(), n, span.clone());
                (code, Type::One(item))
            }
            Node::List(items) => self.list(items, span)?,
            Node::Name(name) => self.bare(name, span)?,
            Node::Member(target, name) => self.member(target, name)?,
            Node::Call { target, name, args } => match target {
                Some(target) => self.method(target, name, args, span)?,
                None => self.function(name, args, span)?,
            },
            Node::Index(parts) => {
                let (list, listed) = self.check(&parts[0])?;
                let Type::List(item) = listed else {
                    let found = self.seen_type(listed);
                    let why = format!("only lists have elements; this is of the type {found}");
                    return Err(ExpressionError::new(parts[0].span.clone(), why));
                };
                let index = self.want(&parts[1], Type::INT)?;
                let code = Code::Index(item, Box::new([list, index]));
                (code, Type::One(item))
            }
            Node::Not(a) => (Code::Not(Box::new(self.want(a, Type::BOOL)?)), Type::BOOL),
            Node::Negative(a) => {
                let code = Code::Negative(Box::new(self.want(a, Type::INT)?));
                (code, Type::INT)
            }
            Node::Binary(operator, parts) => self.binary(*operator, parts)?,
            Node::And(parts) => (Code::And(self.wants(parts, Type::BOOL)?), Type::BOOL),
            Node::Or(parts) => (Code::Or(self.wants(parts, Type::BOOL)?), Type::BOOL),
            Node::Choice(parts) => {
                let condition = self.want(&parts[0], Type::BOOL)?;
                let (yes, result) = self.check(&parts[1])?;
                let (no, other) = self.check(&parts[2])?;
                self.expect(other, result, &parts[2].span)?;
                (Code::Choice(Box::new([condition, yes, no])), result)
            }
        })
    }

    fn list(&mut self, items: &[Tree], span: &Span) -> Checked {
        let mut codes = Vec::with_capacity(items.len());
        let mut common = None;
        for tree in items {
            let (code, found) = self.check(tree)?;
            let Type::One(item) = found else {
                let why = "a list cannot be an element of a list";
                return Err(ExpressionError::new(tree.span.clone(), why));
            };
            match common {
                None => common = Some(item),
                Some(item) => self.expect(found, Type::One(item), &tree.span)?,
            }
            codes.push(code);
        }
        let Some(item) = common else {
            return Err(ExpressionError::new(span.clone(), "the list is empty"));
        };
        Ok((Code::List(item, codes), Type::List(item)))
    }

    fn binary(&mut self, operator: Operator, parts: &[Tree; 2]) -> Checked {
        use Operator::{AtLeast, AtMost, Equal, Greater, In, Less, Unequal};
        let [a, b] = parts;
        match operator {
            Equal | Unequal => {
                let (left, found) = self.check(a)?;
                let (right, other) = self.check(b)?;
                self.expect(other, found, &b.span)?;
                let item = found.item();
                if self.seen(item) == Item::Position {
                    let why = "positions are not compared; compare their `fen`";
                    return Err(ExpressionError::new(a.span.start..b.span.end, why));
                }
                let sides = Box::new([left, right]);
                let wanted = operator == Equal;
                let code = match found {
                    Type::One(_) => Code::Equal(item, wanted, sides),
                    Type::List(_) => Code::EqualLists(item, wanted, sides),
                };
                Ok((code, Type::BOOL))
            }
            In => {
                let (left, found) = self.check(a)?;
                let (right, other) = self.check(b)?;
                let item = found.item();
                if let Type::List(_) = found {
                    let why = "a list cannot be an element of a list";
                    return Err(ExpressionError::new(a.span.clone(), why));
                }
                self.expect(other, Type::List(item), &b.span)?;
                if self.seen(item) == Item::Position {
                    let why = "positions are not compared; compare their `fen`";
                    return Err(ExpressionError::new(a.span.clone(), why));
                }
                Ok((Code::In(item, Box::new([left, right])), Type::BOOL))
            }
            Less | AtMost | Greater | AtLeast => {
                let sides = [self.want(a, Type::INT)?, self.want(b, Type::INT)?];
                Ok((Code::Compare(operator, Box::new(sides)), Type::BOOL))
            }
            _ => {
                let sides = [self.want(a, Type::INT)?, self.want(b, Type::INT)?];
                Ok((Code::Arithmetic(operator, Box::new(sides)), Type::INT))
            }
        }
    }

    /// Returns the code that a bare name of this owner refers to; `None` if there is none here.
    fn implied(&self, owner: Owner) -> Option<Option<Code>> {
        match owner {
            Owner::Global => Some(None),
            Owner::Position => Some(Some(Code::Here)),
            Owner::Turn => self.environment.about_turn.then_some(Some(Code::ThisTurn)),
            Owner::Unit | Owner::Square => None,
        }
    }

    /// Returns the rows of a bare name, with the value that it refers to.
    fn bare_rows(&self, name: &str) -> Vec<(&'static Name, Option<Code>)> {
        let rows = NAMES.iter().filter(|row| row.name == name);
        rows.filter_map(|row| Some((row, self.implied(row.owner)?)))
            .collect()
    }

    fn bare(&mut self, name: &str, span: &Span) -> Checked {
        if let Some(at) = self.scope.iter().rposition(|(known, _)| known == name) {
            let hops = (self.scope.len() - 1 - at) as u32;
            return Ok((Code::Variable(hops), Type::One(self.scope[at].1)));
        }
        if name == "state" {
            return Err(ExpressionError::new(span.clone(), "`state` needs a field")
                .help(self.fields_help()));
        }
        let rows = self.bare_rows(name);
        match rows.iter().find(|(row, _)| row.params.is_none()) {
            Some((row, target)) => {
                self.available(row, target.as_ref(), span)?;
                Ok((
                    Code::Name(row.op, target.iter().cloned().collect()),
                    row.result,
                ))
            }
            None if !rows.is_empty() => {
                let usages: Vec<String> = rows.iter().map(|(row, _)| row.usage()).collect();
                let why = format!("`{name}` is a function");
                Err(ExpressionError::new(span.clone(), why)
                    .help(format!("write {}", usages.join(" or "))))
            }
            None => Err(self.unknown(name, span)),
        }
    }

    fn unknown(&self, name: &str, span: &Span) -> ExpressionError {
        let shown = diagnostics::shortened(name);
        let why = format!("there is no name `{shown}`");
        let error = ExpressionError::new(span.clone(), why);
        let elsewhere = NAMES.iter().find(|row| row.name == name);
        if let Some(row) = elsewhere {
            let (owner, example) = match row.owner {
                Owner::Turn => ("turns", format!("turns.exists(t, t.{name} ...)")),
                Owner::Unit => ("units", format!("units.exists(u, u.{name} ...)")),
                _ => ("squares", format!("squares.exists(s, s.{name} ...)")),
            };
            let why = format!("`{name}` belongs to {owner}, not to the position");
            return ExpressionError::new(span.clone(), why).help(format!("such as `{example}`"));
        }
        let known = NAMES
            .iter()
            .filter(|row| self.implied(row.owner).is_some())
            .map(|row| row.name)
            .chain(self.scope.iter().map(|(name, _)| name.as_str()))
            .chain(["size", "state"]);
        let sides_and_kinds = || {
            let kinds = self.rules[0].names.iter().map(|kind| kind.name.as_str());
            let found = kinds.chain(self.environment.kinds_elsewhere.iter().map(String::as_str));
            found
                .chain(crate::kinds::compiled_names())
                .any(|kind| kind.eq_ignore_ascii_case(name))
        };
        if sides_and_kinds() || self.rules[0].geometry.named(name).is_some() {
            return error.help(format!("kinds and squares are texts: '{name}'"));
        }
        match nearest(name, known) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help("`fairyproof eval ID --names` lists all names"),
        }
    }

    /// Checks that the environment has what a name needs.
    fn available(
        &self,
        row: &Name,
        target: Option<&Code>,
        span: &Span,
    ) -> Result<(), ExpressionError> {
        let environment = self.environment;
        let refuse = |why: &str, help: &str| {
            let why = format!("`{}` {why}", row.name);
            Err(ExpressionError::new(span.clone(), why).help(help))
        };
        match row.op {
            Op::Value | Op::Plies | Op::Flip if !environment.values => refuse(
                "is not known here",
                "values are known in `explore --solve` and in `table find`",
            ),
            Op::Depth | Op::OutDegree if !environment.graph => refuse(
                "is not known here",
                "it exists for the states of a graph, in `explore`",
            ),
            Op::Depth | Op::OutDegree if !matches!(target, Some(Code::Here)) => refuse(
                "is known of the state itself only",
                "write it without a position before it",
            ),
            Op::Mover if !environment.mover => refuse(
                "is not known here",
                "it exists in the bounds of claims files; `side` is the side to move",
            ),
            _ => Ok(()),
        }
    }

    /// Returns the owner of the members of values of a type.
    fn owner(result: Type) -> Option<Owner> {
        match result {
            Type::One(Item::Position) => Some(Owner::Position),
            Type::One(Item::Turn) => Some(Owner::Turn),
            Type::One(Item::Unit) => Some(Owner::Unit),
            Type::One(Item::Square) => Some(Owner::Square),
            _ => None,
        }
    }

    /// Returns the position whose state a tree denotes, if it is `state` or `position.state`.
    fn state_of(&mut self, tree: &Tree) -> Result<Option<Code>, ExpressionError> {
        match &tree.node {
            Node::Name(name) if name == "state" && !self.scope.iter().any(|(n, _)| n == name) => {
                Ok(Some(Code::Here))
            }
            Node::Member(position, name) if name.text == "state" => {
                self.want(position, Type::One(Item::Position)).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn fields_help(&self) -> String {
        let fields: Vec<&str> = self.fields().map(|(name, _)| name).collect();
        match fields.is_empty() {
            true => format!("`{}` has no state", self.environment.game.variant()),
            false => format!("its fields: {}", fields.join(", ")),
        }
    }

    fn fields(&self) -> impl Iterator<Item = (&'static str, Item)> {
        let rule_set = &self.environment.game.variant().rule_set;
        rule_set
            .state()
            .iter()
            .map(|(name, _)| (*name, field_type(name)))
    }

    fn member(&mut self, target: &Tree, name: &Word) -> Checked {
        if let Some(position) = self.state_of(target)? {
            let found = self.fields().find(|(field, _)| *field == name.text);
            let Some((field, item)) = found else {
                let shown = diagnostics::shortened(&name.text);
                let why = format!("the state has no field `{shown}`");
                return Err(ExpressionError::new(name.span.clone(), why).help(self.fields_help()));
            };
            return Ok((Code::State(Box::new(position), field), Type::One(item)));
        }
        let (code, found) = self.check(target)?;
        let found = self.seen_type(found);
        let rows: Vec<&Name> = NAMES
            .iter()
            .filter(|row| Some(row.owner) == Self::owner(found) && row.name == name.text)
            .collect();
        if let Some(row) = rows.iter().find(|row| row.params.is_none()) {
            self.available(row, Some(&code), &name.span)?;
            return Ok((Code::Name(row.op, vec![code]), row.result));
        }
        if let Some(row) = rows.first() {
            let why = format!("`{}` is a function", name.text);
            let help = format!("write {}", row.usage());
            return Err(ExpressionError::new(name.span.clone(), why).help(help));
        }
        Err(self.no_member(found, name))
    }

    fn no_member(&self, found: Type, name: &Word) -> ExpressionError {
        let shown = diagnostics::shortened(&name.text);
        let why = format!("a value of the type {found} has no member `{shown}`");
        let error = ExpressionError::new(name.span.clone(), why);
        let owner = Self::owner(found);
        let members = || {
            NAMES
                .iter()
                .filter(|row| Some(row.owner) == owner)
                .map(|row| row.name)
        };
        let forms = FORMS.iter().map(|(form, ..)| *form);
        let near = match found {
            Type::List(_) => nearest(&name.text, forms),
            Type::One(_) => nearest(&name.text, members()),
        };
        match (near, found) {
            (Some(near), _) => error.help(format!("did you mean `{near}`?")),
            (None, Type::List(_)) => {
                error.help("lists have size(), all, exists, exists_one, filter and map")
            }
            (None, _) if owner.is_some() => {
                let mut all: Vec<&str> = members().collect();
                all.dedup();
                error.help(format!("its members: {}", all.join(", ")))
            }
            _ => error,
        }
    }

    fn method(&mut self, target: &Tree, name: &Word, args: &[Tree], span: &Span) -> Checked {
        if let Some(form) = macro_named(&name.text) {
            return self.macro_call(form, target, name, args);
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

    fn function(&mut self, name: &Word, args: &[Tree], span: &Span) -> Checked {
        if name.text == "size"
            && let [list] = args
        {
            let (code, found) = self.check(list)?;
            return self.size(code, found, list, &[], span);
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
            return Err(match nearest(&name.text, known.chain(["size"])) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help("`fairyproof eval ID --names` lists all names"),
            });
        }
        self.call(&rows, name, args, span)
    }

    fn size(
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

    /// Chooses among the rows of a name by the number and the types of the arguments.
    fn call(
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
            let why = format!("`{}` does not take {} arguments", name.text, args.len());
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
            self.expect(*found, *param, &tree.span)?;
        }
        self.available(row, target.as_ref(), &name.span)?;
        if row.op == Op::Under {
            let position = Option::clone(target).unwrap_or(Code::Here);
            return self.under(position, &codes[0], &args[0]);
        }
        if row.op == Op::WonBy {
            codes[1] = self.reason(&codes[1], &args[1])?;
        }
        let all = target.iter().cloned().chain(codes).collect();
        Ok((Code::Name(row.op, all), row.result))
    }

    /// Returns whether a value of a type may be passed where another type is wanted.
    fn may_be(&self, found: Type, wanted: Type) -> bool {
        match (self.seen_type(found), wanted) {
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

    /// Opens the rule set of `under`.
    fn under(&mut self, position: Code, name: &Code, tree: &Tree) -> Checked {
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
                let other = (self.environment.open)(name, own.geometry).map_err(|error| {
                    let mut e = ExpressionError::new(tree.span.clone(), error.to_string());
                    e.help = error.help;
                    e
                })?;
                let other = RuleInfo::new(&other);
                same_board_and_kinds(own, &other)
                    .map_err(|why| ExpressionError::new(tree.span.clone(), why))?;
                self.rules.push(other);
                self.rules.len() - 1
            }
        };
        let code = Code::Under(Box::new(position), n);
        Ok((code, Type::One(Item::Position)))
    }

    /// Returns the reason of the rule set that an argument of `won` names.
    fn reason(&self, code: &Code, tree: &Tree) -> Result<Code, ExpressionError> {
        let Code::Literal(text, ..) = code else {
            let why = "the reason must be a text in quotation marks";
            return Err(ExpressionError::new(tree.span.clone(), why));
        };
        let reasons = || {
            let all = self
                .rules
                .iter()
                .map(|rules| &rules.game.variant().rule_set);
            all.flat_map(|rule_set| rule_set.reasons().iter().map(|(reason, _)| *reason))
        };
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

    fn macro_call(&mut self, form: Macro, target: &Tree, name: &Word, args: &[Tree]) -> Checked {
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
        self.scope.push((variable.clone(), item));
        self.bodies += 1;
        let checked = match form {
            Macro::Map => self.check(body),
            _ => self.want(body, Type::BOOL).map(|code| (code, Type::BOOL)),
        };
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

/// Returns the type of a field of the variant state.
pub fn field_type(name: &str) -> Item {
    match NUMBER_FIELDS.contains(&name) {
        true => Item::Int,
        false => Item::Text,
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

/// Checks that every position of one rule set can be read as one of another.
fn same_board_and_kinds(own: &RuleInfo, other: &RuleInfo) -> Result<(), String> {
    let shape = |rules: &RuleInfo| {
        let board = rules.geometry;
        (board.files(), board.ranks(), board.holes())
    };
    let name = other.game.variant();
    if shape(own) != shape(other) {
        let (own, other) = (own.geometry.size(), other.geometry.size());
        return Err(format!(
            "the boards differ: this position has {own}, `{name}` has {other}"
        ));
    }
    let has_bound = with_game!(&own.game, game => game.facts().binds);
    if has_bound {
        return Err("units of this rule set can be bound, which no other rule set knows".into());
    }
    for kind in own.men.kinds() {
        let letter = own.men.name(Color::White, kind);
        if other.men.named(letter.trim_end_matches('~')).is_none() {
            return Err(format!("`{name}` has no unit `{letter}`"));
        }
    }
    Ok(())
}

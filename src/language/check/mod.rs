//! The type checker: compiles a syntax tree to code, using the table of names and an environment.
//!
//! The type of a string in quotation marks follows from its use. Such a string begins with a type variable
//! ([`Item::Open`]), which is unified with the types that the string is compared with or passed as. If the
//! variable remains free, the value is a plain string.

mod calls;
mod names;
mod provenance;
mod rule_texts;

use crate::code::{Code, Op};
use crate::environment::Environment;
use crate::error::ExpressionError;
use crate::expression::Expression;
use crate::literals;
use crate::rule_text::Stage;
use crate::tree::{Node, Operator, Tree};
use crate::types::{Item, Type};
use crate::view::RuleInfo;
use provenance::Provenance;
use rules::FieldType;

type Checked = Result<(Code, Type), ExpressionError>;

/// The maximum nesting depth of lists of turns.
const MAX_NESTED_TURNS: u32 = 2;
/// The binary logarithm of the maximum number of combinations of elements that nested lists of a clause go through. A
/// clause with more takes too long to be played.
const MAX_CLAUSE_WORK: u32 = 22;

/// Fields of variant states whose values are numbers. All other fields are strings.
const NUMBER_FIELDS: [&str; 5] = ["blunder", "first", "passes", "dropped", "castled"];

/// Type-checks a tree and compiles it.
///
/// # Errors
/// The first error in the expression.
pub fn compile(
    source: &str,
    tree: &Tree,
    environment: &Environment<'_>,
) -> Result<Expression, ExpressionError> {
    compile_as(source, tree, environment, &[])
}

/// Like [`compile`], but the value must have one of these types, if there are any. A text in quotation marks gets the
/// first of them that is written as a text.
///
/// # Errors
/// The first error in the expression.
pub fn compile_as(
    source: &str,
    tree: &Tree,
    environment: &Environment<'_>,
    wanted: &[Type],
) -> Result<Expression, ExpressionError> {
    let mut checker = Checker {
        environment,
        rules: vec![RuleInfo::new(environment.game)],
        variables: Vec::new(),
        scope: Vec::new(),
        bodies: 0,
        turn_bodies: 0,
        nested_lists: 0,
        work: 0,
    };
    let (mut code, result) = checker.check(tree)?;
    checker.expect_one_of((&code, result), wanted, tree)?;
    let mut expression = Expression {
        source: source.to_owned(),
        code: Code::Here,
        result: checker.settled(result),
        rules: std::mem::take(&mut checker.rules),
        kinds: Vec::new(),
        warnings: Vec::new(),
        is_clause: environment.text.is_some(),
        nested_lists: checker.nested_lists,
    };
    let types = |item| checker.settled_item(item);
    literals::resolve(&mut code, &mut expression, environment, &types)?;
    expression.code = code;
    Ok(expression)
}

/// The state of a type variable.
enum Variable {
    /// Free: the type of a string, of which a sample is kept for messages.
    Free(String),
    /// Free, and not restricted to types that are written as strings: the type of the elements of `[]`.
    Any,
    /// Bound to this type.
    Is(Item),
    /// Equal to the variable with this index.
    Like(u32),
}

/// A variable of a macro.
struct Bound {
    name: String,
    item: Item,
    provenance: Provenance,
}

struct Checker<'e> {
    environment: &'e Environment<'e>,
    rules: Vec<RuleInfo>,
    variables: Vec<Variable>,
    scope: Vec<Bound>,
    /// The number of macro bodies that enclose the tree being checked.
    bodies: usize,
    /// The number of enclosing macro bodies that run for each turn of a list.
    turn_bodies: u32,
    /// How deeply lists of turns are nested, as far as the tree has been checked.
    nested_lists: u32,
    /// The binary logarithm of how often the tree being checked is evaluated, by the usual lengths of the lists.
    work: u32,
}

impl Checker<'_> {
    /// Adds a type variable, and returns its number.
    fn open(&mut self, variable: Variable) -> u32 {
        self.variables.push(variable);
        self.variables.len() as u32 - 1
    }

    /// Follows type variables and returns the type or the free variable at the end.
    fn seen(&self, item: Item) -> Item {
        let mut item = item;
        while let Item::Open(n) = item {
            item = match self.variables[n as usize] {
                Variable::Free(_) | Variable::Any => return item,
                Variable::Is(known) => known,
                Variable::Like(other) => Item::Open(other),
            };
        }
        item
    }

    /// Returns the final type after everything is checked. A free variable becomes a string.
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

    /// Unifies two types. Returns whether that is possible.
    fn unify(&mut self, a: Item, b: Item) -> bool {
        match (self.seen(a), self.seen(b)) {
            (a, b) if a == b => true,
            (Item::Open(a), Item::Open(b)) => {
                match self.variables[b as usize] {
                    Variable::Any => self.variables[b as usize] = Variable::Like(a),
                    _ => self.variables[a as usize] = Variable::Like(b),
                }
                true
            }
            (Item::Open(n), known) | (known, Item::Open(n))
                if known.is_textual() || matches!(self.variables[n as usize], Variable::Any) =>
            {
                self.variables[n as usize] = Variable::Is(known);
                true
            }
            _ => false,
        }
    }

    /// Checks that the code of a tree has the wanted type.
    fn expect(&mut self, found: Type, wanted: Type, tree: &Tree) -> Result<(), ExpressionError> {
        let fits = match (found, wanted) {
            (Type::One(a), Type::One(b)) | (Type::List(a), Type::List(b)) => self.unify(a, b),
            _ => false,
        };
        if fits {
            return Ok(());
        }
        let (span, found, wanted) = match (found, wanted) {
            (Type::List(a), Type::List(b)) => match element_of(tree) {
                Some(element) => (&element.span, Type::One(a), Type::One(b)),
                None => (&tree.span, found, wanted),
            },
            _ => (&tree.span, found, wanted),
        };
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
        if wanted == Type::BOOL && is_flag(&code) {
            return Ok(code);
        }
        self.expect(found, wanted, tree)?;
        Ok(code)
    }

    fn wants(&mut self, trees: &[Tree], wanted: Type) -> Result<Vec<Code>, ExpressionError> {
        trees.iter().map(|tree| self.want(tree, wanted)).collect()
    }

    fn check(&mut self, tree: &Tree) -> Checked {
        let (code, result) = self.check_node(tree)?;
        self.count_lists(&code, tree)?;
        Ok((code, result))
    }

    /// Checks how deeply the lists of turns that code needs are nested. A clause also counts the lists that the
    /// clauses of the rules go through for each of these turns: without this, each section that lists
    /// `parent.turns` would take as many times longer as there are turns.
    fn count_lists(&mut self, code: &Code, tree: &Tree) -> Result<(), ExpressionError> {
        let Code::Name(op, args) = code else {
            return Ok(());
        };
        let lists = matches!(op, Op::Turns | Op::Pseudo | Op::Moves);
        let (mut depth, mut most) = (self.turn_bodies + u32::from(lists), MAX_NESTED_TURNS);
        if let Some(text) = self.environment.text
            && (lists || op.decides_ends())
        {
            let nested = self.provenance(&args[0]).nested;
            if lists || nested.per_turn > 0 {
                depth = self.turn_bodies + 1 + nested.per_turn;
            }
            depth = depth.max(self.turn_bodies + nested.per_position);
            // Ends are decided once in a position, not once for each turn.
            most += u32::from(text.stage == Stage::Ends && self.turn_bodies < MAX_NESTED_TURNS);
        }
        self.nested_lists = self.nested_lists.max(depth);
        if depth <= most {
            return Ok(());
        }
        let why = format!("more than {MAX_NESTED_TURNS} lists of turns are nested in each other");
        let error = ExpressionError::new(tree.span.clone(), why);
        Err(match self.environment.text {
            None => error.help("deeper questions are for `explore --find` and `prove`"),
            Some(_) => error.help("the clauses of the rules that list these turns count as well"),
        })
    }

    fn check_node(&mut self, tree: &Tree) -> Checked {
        let span = &tree.span;
        Ok(match &tree.node {
            Node::Int(n) => (Code::Scalar(*n), Type::INT),
            Node::Bool(b) => (Code::Scalar(i64::from(*b)), Type::BOOL),
            Node::Text(text) => {
                let n = self.open(Variable::Free(text.clone()));
                let code = Code::Literal(text.as_str().into(), n, span.clone());
                (code, Type::One(Item::Open(n)))
            }
            Node::List(items) => self.list(items)?,
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
                self.expect(other, result, &parts[2])?;
                (Code::Choice(Box::new([condition, yes, no])), result)
            }
        })
    }

    fn list(&mut self, items: &[Tree]) -> Checked {
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
                Some(item) => self.expect(found, Type::One(item), tree)?,
            }
            codes.push(code);
        }
        let item = common.unwrap_or_else(|| Item::Open(self.open(Variable::Any)));
        Ok((Code::List(item, codes), Type::List(item)))
    }

    fn binary(&mut self, operator: Operator, parts: &[Tree; 2]) -> Checked {
        use Operator::{AtLeast, AtMost, Equal, Greater, In, Less, Unequal};
        let [a, b] = parts;
        match operator {
            Equal | Unequal => {
                let (left, found) = self.check(a)?;
                let (right, other) = self.check(b)?;
                self.expect(other, found, b)?;
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
                self.expect(other, Type::List(item), b)?;
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
            Operator::Plus => self.plus(a, b),
            _ => {
                let sides = [self.want(a, Type::INT)?, self.want(b, Type::INT)?];
                Ok((Code::Arithmetic(operator, Box::new(sides)), Type::INT))
            }
        }
    }
}

/// Returns whether code is a flag of a rule text, which is a number and also a condition.
fn is_flag(code: &Code) -> bool {
    matches!(
        code,
        Code::Declared(_, _, FieldType::Flag, _) | Code::Flag(_)
    )
}

/// Returns the tree of a list's elements, if there is one: the first element of a list in brackets, or the
/// body of `map`.
fn element_of(list: &Tree) -> Option<&Tree> {
    match &list.node {
        Node::List(items) => items.first(),
        Node::Call { target, name, args } => match (target, &*name.text, &args[..]) {
            (Some(_), "map", [_, body]) => Some(body),
            (Some(list), "filter", _) => element_of(list),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the type of a field of the variant state.
pub fn field_type(name: &str) -> Item {
    match NUMBER_FIELDS.contains(&name) {
        true => Item::Int,
        false => Item::Text,
    }
}

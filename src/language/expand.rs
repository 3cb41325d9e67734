//! Replaces the names of definitions by their expressions.
//!
//! Variables of macros in a definition are renamed, so that they never capture names of the arguments.

use crate::error::ExpressionError;
use crate::parser::MAX_LEVELS;
use crate::tree::{Node, Span, Tree, Word};

/// A definition that expressions use by its name.
#[derive(Clone, Debug)]
pub struct Let {
    /// The name.
    pub name: String,
    /// The names of its parameters.
    pub params: Vec<String>,
    /// Its expression, in which all definitions are expanded.
    pub body: Tree,
}

/// The maximum number of parts of an expanded expression.
const MAX_PARTS: usize = 20_000;

/// What `parent.KEY` stands for in an expression.
#[derive(Clone, Copy)]
pub struct ParentKeys<'a> {
    /// The number of the first definitions, which are those of the parent: `parent.let.NAME`.
    pub lets: usize,
    /// Returns the expression of a clause, or `None` if the parent has none, and nothing holds without it.
    pub clause: &'a dyn Fn(&str) -> Option<Tree>,
}

/// The beginnings of keys that continue after a period.
const PREFIXES: [&str; 6] = ["let", "state", "movement", "targets", "quiet", "attacks"];

/// Returns an expression in which the names of definitions are replaced by their expressions, and `parent.KEY` by
/// what it stands for.
///
/// # Errors
/// If a definition has another number of parameters, the parent has no clause of a key, or the expression becomes too
/// large.
pub fn expand(tree: &Tree, lets: &[Let], parent: ParentKeys<'_>) -> Result<Tree, ExpressionError> {
    Expander {
        lets,
        parent,
        bound: Vec::new(),
        renamed: 0,
        parts: 0,
    }
    .expand(tree)
}

struct Expander<'a> {
    lets: &'a [Let],
    parent: ParentKeys<'a>,
    /// The variables of the enclosing macros.
    bound: Vec<String>,
    /// The number of definitions that have been expanded.
    renamed: usize,
    parts: usize,
}

impl Expander<'_> {
    fn expand(&mut self, tree: &Tree) -> Result<Tree, ExpressionError> {
        self.count(&tree.span)?;
        if let Node::Name(name) = &tree.node
            && let Some(found) = self.definition(name)
        {
            return self.call(found, &[], &tree.span);
        }
        if let Some((key, args)) = key_of_parent(tree)
            && let Some(of_parent) = self.of_parent(&key, args, &tree.span)?
        {
            return Ok(of_parent);
        }
        if let Node::Call {
            target: None,
            name,
            args,
        } = &tree.node
            && let Some(found) = self.definition(&name.text)
        {
            let args: Result<Vec<Tree>, _> = args.iter().map(|arg| self.expand(arg)).collect();
            return self.call(found, &args?, &tree.span);
        }
        let is_macro = variable_of(tree).cloned();
        let node = match &is_macro {
            None => map(&tree.node, &mut |part| self.expand(part))?,
            Some(variable) => {
                let Node::Call {
                    target: Some(target),
                    name,
                    args,
                } = &tree.node
                else {
                    return Ok(tree.clone());
                };
                let target = Some(Box::new(self.expand(target)?));
                self.bound.push(variable.clone());
                let body = self.expand(&args[1]);
                self.bound.pop();
                Node::Call {
                    target,
                    name: name.clone(),
                    args: vec![args[0].clone(), body?],
                }
            }
        };
        leveled(node, tree.span.clone())
    }

    /// Returns what `parent.KEY` stands for; `None` if it is not the name of a clause.
    fn of_parent(
        &mut self,
        key: &str,
        args: &[Tree],
        span: &Span,
    ) -> Result<Option<Tree>, ExpressionError> {
        let args: Result<Vec<Tree>, _> = args.iter().map(|arg| self.expand(arg)).collect();
        let args = args?;
        let is_dotted = key.contains('.');
        if let Some(name) = key.strip_prefix("let.") {
            let lets = &self.lets[..self.parent.lets];
            if let Some(n) = lets.iter().rposition(|definition| definition.name == name) {
                return self.call(n, &args, span).map(Some);
            }
        } else if let Some(body) = (self.parent.clause)(key) {
            return match &args[..] {
                [] => self.insert(&body, &[], &[], span).map(Some),
                [side] => self.of_side(&body, side, span).map(Some),
                _ => Err(ExpressionError::new(
                    span.clone(),
                    format!("`{key}` takes one side"),
                )),
            };
        }
        match is_dotted {
            true => Err(ExpressionError::new(
                span.clone(),
                format!("the parent has no `{key}`"),
            )),
            false => Ok(None),
        }
    }

    /// Returns the clause of a state, asked for a side.
    fn of_side(&mut self, body: &Tree, side: &Tree, span: &Span) -> Result<Tree, ExpressionError> {
        let other = Node::Call {
            target: None,
            name: Word {
                text: "other".to_owned(),
                span: span.clone(),
            },
            args: vec![side.clone()],
        };
        let args = [side.clone(), leveled(other, span.clone())?];
        self.insert(body, &["owner".to_owned(), "foe".to_owned()], &args, span)
    }

    /// Returns the definition of a name that no macro binds.
    fn definition(&self, name: &str) -> Option<usize> {
        let is_bound = self.bound.iter().any(|bound| bound == name);
        let found = self
            .lets
            .iter()
            .rposition(|definition| definition.name == name);
        found.filter(|_| !is_bound)
    }

    fn call(&mut self, n: usize, args: &[Tree], span: &Span) -> Result<Tree, ExpressionError> {
        let Let { name, params, body } = &self.lets[n];
        if params.len() != args.len() {
            let why = format!(
                "`{name}` has {} parameters, {} are given",
                params.len(),
                args.len()
            );
            return Err(ExpressionError::new(span.clone(), why));
        }
        self.insert(body, params, args, span)
    }

    /// Returns a body with its parameters replaced and its variables renamed, at a place.
    fn insert(
        &mut self,
        body: &Tree,
        params: &[String],
        args: &[Tree],
        span: &Span,
    ) -> Result<Tree, ExpressionError> {
        self.renamed += 1;
        let replaced = params.iter().cloned().zip(args.iter().cloned()).collect();
        self.replace(body, &replaced, span)
    }

    fn replace(
        &mut self,
        tree: &Tree,
        replaced: &Vec<(String, Tree)>,
        span: &Span,
    ) -> Result<Tree, ExpressionError> {
        self.count(span)?;
        let found = |name: &str| replaced.iter().rev().find(|(known, _)| known == name);
        if let Node::Name(name) = &tree.node
            && let Some((_, value)) = found(name)
        {
            return Ok(value.clone());
        }
        let node = match (variable_of(tree), &tree.node) {
            (
                Some(variable),
                Node::Call {
                    target: Some(target),
                    name,
                    args,
                },
            ) => {
                let fresh = Tree {
                    node: Node::Name(format!("{variable}#{}", self.renamed)),
                    span: span.clone(),
                    levels: 1,
                };
                let target = self.replace(target, replaced, span)?;
                let mut inner = replaced.clone();
                inner.push((variable.clone(), fresh.clone()));
                Node::Call {
                    target: Some(Box::new(target)),
                    name: at(name, span),
                    args: vec![fresh, self.replace(&args[1], &inner, span)?],
                }
            }
            (_, node) => map(node, &mut |part| self.replace(part, replaced, span))?,
        };
        leveled(node, span.clone())
    }

    fn count(&mut self, span: &Span) -> Result<(), ExpressionError> {
        self.parts += 1;
        match self.parts > MAX_PARTS {
            true => {
                let why = format!("with its definitions, it has more than {MAX_PARTS} parts");
                Err(ExpressionError::new(span.clone(), why))
            }
            false => Ok(()),
        }
    }
}

/// Returns the key and the arguments of `parent.KEY`, if the tree is one.
fn key_of_parent(tree: &Tree) -> Option<(String, &[Tree])> {
    let is_parent = |tree: &Tree| matches!(&tree.node, Node::Name(name) if name == "parent");
    let (target, name, args): (&Tree, &Word, &[Tree]) = match &tree.node {
        Node::Member(target, name) => (target, name, &[]),
        Node::Call {
            target: Some(target),
            name,
            args,
        } => (target, name, args),
        _ => return None,
    };
    match &target.node {
        Node::Name(parent) if parent == "parent" && args.is_empty() => {
            Some((name.text.clone(), args))
        }
        Node::Member(target, prefix) if is_parent(target) && PREFIXES.contains(&&*prefix.text) => {
            Some((format!("{}.{}", prefix.text, name.text), args))
        }
        _ => None,
    }
}

/// Returns the variable of a macro, if the tree is one.
fn variable_of(tree: &Tree) -> Option<&String> {
    const MACROS: [&str; 5] = ["all", "exists", "exists_one", "filter", "map"];
    let Node::Call {
        target: Some(_),
        name,
        args,
    } = &tree.node
    else {
        return None;
    };
    match &args[..] {
        [variable, _] if MACROS.contains(&&*name.text) => match &variable.node {
            Node::Name(variable) => Some(variable),
            _ => None,
        },
        _ => None,
    }
}

fn at(word: &Word, span: &Span) -> Word {
    Word {
        text: word.text.clone(),
        span: span.clone(),
    }
}

/// Returns a node with all its parts mapped.
fn map(
    node: &Node,
    part: &mut dyn FnMut(&Tree) -> Result<Tree, ExpressionError>,
) -> Result<Node, ExpressionError> {
    Ok(match node {
        Node::Int(_) | Node::Bool(_) | Node::Text(_) | Node::Name(_) => node.clone(),
        Node::List(items) => Node::List(items.iter().map(part).collect::<Result<_, _>>()?),
        Node::And(items) => Node::And(items.iter().map(part).collect::<Result<_, _>>()?),
        Node::Or(items) => Node::Or(items.iter().map(part).collect::<Result<_, _>>()?),
        Node::Member(target, name) => Node::Member(Box::new(part(target)?), name.clone()),
        Node::Not(a) => Node::Not(Box::new(part(a)?)),
        Node::Negative(a) => Node::Negative(Box::new(part(a)?)),
        Node::Index(parts) => {
            let [list, index] = &**parts;
            Node::Index(Box::new([part(list)?, part(index)?]))
        }
        Node::Binary(operator, parts) => {
            let [a, b] = &**parts;
            Node::Binary(*operator, Box::new([part(a)?, part(b)?]))
        }
        Node::Choice(parts) => {
            let [condition, yes, no] = &**parts;
            Node::Choice(Box::new([part(condition)?, part(yes)?, part(no)?]))
        }
        Node::Call { target, name, args } => Node::Call {
            target: match target {
                Some(target) => Some(Box::new(part(target)?)),
                None => None,
            },
            name: name.clone(),
            args: args.iter().map(part).collect::<Result<_, _>>()?,
        },
    })
}

/// Returns the tree of a node, with its number of levels.
fn leveled(node: Node, span: Span) -> Result<Tree, ExpressionError> {
    let deepest = |trees: &[Tree]| trees.iter().map(|tree| tree.levels).max().unwrap_or(0);
    let below = match &node {
        Node::Int(_) | Node::Bool(_) | Node::Text(_) | Node::Name(_) => 0,
        Node::List(items) | Node::And(items) | Node::Or(items) => deepest(items),
        Node::Member(a, _) | Node::Not(a) | Node::Negative(a) => a.levels,
        Node::Index(parts) | Node::Binary(_, parts) => deepest(&parts[..]),
        Node::Choice(parts) => deepest(&parts[..]),
        Node::Call { target, args, .. } => {
            deepest(args).max(target.as_ref().map_or(0, |target| target.levels))
        }
    };
    match below >= MAX_LEVELS {
        true => {
            let why = format!("with its definitions, it is nested deeper than {MAX_LEVELS} levels");
            Err(ExpressionError::new(span, why))
        }
        false => Ok(Tree {
            node,
            span,
            levels: below + 1,
        }),
    }
}

/// Returns whether a tree contains a name, bare or called.
pub fn names(tree: &Tree, name: &str) -> bool {
    let own = match &tree.node {
        Node::Name(found) => found == name,
        Node::Call {
            target: None,
            name: found,
            ..
        } => found.text == name,
        _ => false,
    };
    let mut found = own;
    let _: Result<Node, ExpressionError> = map(&tree.node, &mut |part| {
        found |= names(part, name);
        Ok(part.clone())
    });
    found
}

/// Calls `visit` for each string in quotation marks of a tree.
pub fn each_text(tree: &Tree, visit: &mut dyn FnMut(&str)) {
    if let Node::Text(text) = &tree.node {
        visit(text);
    }
    let _: Result<Node, ExpressionError> = map(&tree.node, &mut |part| {
        each_text(part, visit);
        Ok(part.clone())
    });
}

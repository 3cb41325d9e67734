//! The types of expressions. Finds what the language does not have before anything is played: unknown names, and
//! texts that name no kind, side, square or outcome. Where a type is not known, evaluation decides.
//!
//! A type is a letter, as in [`NAMES`]; a list has the capital letter of its elements.

use super::rules::{Code, Layer, Rules, is_clause};
use super::state::{Declared, Sort};
use super::value::{Kind, Outcome, kind};
use crate::defined::definition::{Definition, PIECES};
use cel::common::ast::{CallExpr, Expr, LiteralValue};
use std::collections::{BTreeMap, BTreeSet};

/// A type that is not known.
const ANY: char = '?';
/// A text in quotation marks, which may name a value of another type.
const QUOTED: char = '"';

/// The names without arguments: b bool, i int, t text, s side, k kind, q square, u unit, m turn, p position,
/// o outcome.
const NAMES: [(&str, char); 54] = [
    ("white", 's'),
    ("black", 's'),
    ("side", 's'),
    ("mover", 's'),
    ("owner", 's'),
    ("foe", 's'),
    ("unit", 'u'),
    ("n", 'i'),
    ("previous", ANY),
    ("squares", 'Q'),
    ("files", 'i'),
    ("ranks", 'i'),
    ("units", 'U'),
    ("check", 'b'),
    ("turns", 'M'),
    ("pseudo", 'M'),
    ("firstSteps", 'M'),
    ("pass", 'p'),
    ("fen", 't'),
    ("fullmove", 'i'),
    ("halfmove", 'i'),
    ("over", 'b'),
    ("drawn", 'b'),
    ("outcome", 'o'),
    ("reason", 't'),
    ("text", 't'),
    ("kind", 'k'),
    ("becomes", 'k'),
    ("from", 'q'),
    ("to", 'q'),
    ("captures", 'U'),
    ("promotes", 'b'),
    ("castles", 'b'),
    ("drops", 'b'),
    ("en_passant", 'b'),
    ("steps", 'M'),
    ("length2", 'i'),
    ("before", 'p'),
    ("after", 'p'),
    ("checks", 'b'),
    ("mates", 'b'),
    ("ends", 'b'),
    ("exists", 'b'),
    ("square", 'q'),
    ("file", 'i'),
    ("rank", 'i'),
    ("row", 'i'),
    ("royal", 'b'),
    ("promoted", 'b'),
    ("moves", 'Q'),
    ("state", ANY),
    ("option", ANY),
    ("parent", 'p'),
    ("target", ANY),
];

/// The functions: the types of their arguments, and of the result. `*` is a side or a kind.
const FUNCTIONS: [(&str, &str, char); 39] = [
    ("other", "s", 's'),
    ("units", "", 'U'),
    ("units", "*", 'U'),
    ("units", "sk", 'U'),
    ("count", "", 'i'),
    ("count", "*", 'i'),
    ("count", "sk", 'i'),
    ("at", "q", 'u'),
    ("empty", "q", 'b'),
    ("on_board", "?", 'b'),
    ("attacked", "qs", 'b'),
    ("attackers", "qs", 'U'),
    ("check", "s", 'b'),
    ("hand", "sk", 'i'),
    ("won", "s", 'b'),
    ("won", "st", 'b'),
    ("under", "t", 'p'),
    ("distance", "qq", 'i'),
    ("aligned", "qq", 'b'),
    ("between", "qq", 'Q'),
    ("light", "q", 'b'),
    ("nearest", "qii", 'u'),
    ("offset", "qii", 'q'),
    ("square", "ii", 'q'),
    ("neighbors", "q", 'U'),
    ("row", "qii", 'U'),
    ("without", "u", 'p'),
    ("home", "u", 'q'),
    ("reach", "u", 'Q'),
    ("walk", "ksqq", 'i'),
    ("movement_of", "k", ANY),
    ("size", "?", 'i'),
    ("sum", "I", 'i'),
    ("min", "I", 'i'),
    ("max", "I", 'i'),
    ("@not_strictly_false", "?", 'b'),
    ("pass", "", 'p'),
    ("turns", "", 'M'),
    ("pseudo", "", 'M'),
];

const OUTCOMES: [&str; 6] = [
    "ongoing",
    "white-wins",
    "black-wins",
    "draw",
    "white-wins-weakly",
    "black-wins-weakly",
];

/// What an expression may use besides the names of the language.
#[derive(Default)]
struct Scope {
    lets: BTreeSet<String>,
    options: BTreeSet<String>,
    states: BTreeSet<String>,
    /// The types of states, where clauses that set them may have one type only.
    sorts: BTreeMap<String, char>,
    /// Whether the expression is a clause, which has a parent.
    is_clause: bool,
}

struct Types<'r> {
    law: &'r Definition,
    scope: Scope,
    /// The variables of macros and the parameters of definitions, innermost last.
    variables: Vec<(String, char)>,
}

/// Checks all clauses of rules.
///
/// # Errors
/// The first name or type that is wrong.
pub fn check_rules(rules: &Rules, law: &Definition) -> Outcome<()> {
    for layer in &rules.layers {
        let own = rules
            .layers
            .iter()
            .filter(|other| other.group == layer.group);
        let options = rules
            .options
            .keys()
            .filter(|(group, _)| *group == layer.group);
        let mut types = Types {
            law,
            scope: Scope {
                lets: own.flat_map(|layer| layer.named.keys().cloned()).collect(),
                options: options.map(|(_, name)| name.clone()).collect(),
                states: rules
                    .states
                    .iter()
                    .map(|state| state.name.clone())
                    .collect(),
                sorts: rules.states.iter().filter_map(sort).collect(),
                is_clause: true,
            },
            variables: Vec::new(),
        };
        types.check(layer)?;
    }
    Ok(())
}

/// Checks a condition on a turn.
///
/// # Errors
/// The first name or type that is wrong.
pub fn check_condition(rules: &Rules, code: &Code) -> Outcome<()> {
    let states = rules.states.iter().map(|state| state.name.clone());
    let scope = Scope {
        states: states.collect(),
        ..Scope::default()
    };
    let mut types = Types {
        law: &rules.law,
        scope,
        variables: Vec::new(),
    };
    types.fits(&code.expr, 'b')
}

/// Returns the name of a state and the type of its values.
fn sort(state: &Declared) -> Option<(String, char)> {
    let sort = match state.sort {
        Sort::Range(..) => 'i',
        Sort::Words(_) => 't',
        Sort::Kind => 'k',
        Sort::Side => 's',
        Sort::Square => 'q',
        Sort::Flag | Sort::Kinds | Sort::Sides => return None,
    };
    Some((state.name.clone(), sort))
}

/// Returns the type of a clause's value.
fn wanted(key: &str) -> char {
    match key {
        "stepCount" => 'i',
        "stepSide" | "joins" | "rebirthSide" | "toHand" => 's',
        "handKind" | "rebirthKind" => 'k',
        "landsOn" | "endsOn" => 'q',
        "takes" | "removes" | "converts" | "takeOff" => 'U',
        "continues" | "ontoOwn" => 't',
        _ if key.ends_with("If") => 'b',
        _ => ANY,
    }
}

impl Types<'_> {
    fn check(&mut self, layer: &Layer) -> Outcome<()> {
        for (key, code) in &layer.clauses {
            let (what, name) = key.split_once('.').unwrap_or((key, ""));
            let is_known = match what {
                "state" => self.scope.states.contains(name),
                "movement" | "targets" | "quiet" | "attacks" => name == "*" || self.is_kind(name),
                _ => true,
            };
            if !is_known {
                return Err(format!("{key}: nothing is called {name}"));
            }
            let wanted = match what {
                "state" => self.scope.sorts.get(name).copied().unwrap_or(ANY),
                _ => wanted(key),
            };
            let found = self.fits(&code.expr, wanted);
            let steps = key == "stepCount"
                && Self::is_number(&code.expr, |count| !(1..=2).contains(&count));
            if steps {
                return Err("stepCount: a turn has 1 or 2 steps".to_string());
            }
            found.map_err(|why| format!("{key}: {why}"))?;
        }
        for (name, (parameters, code)) in &layer.named {
            self.variables = parameters.iter().map(|name| (name.clone(), ANY)).collect();
            let found = self.of(&code.expr);
            found.map_err(|why| format!("let.{name}: {why}"))?;
            self.variables.clear();
        }
        let ends = layer
            .ends
            .iter()
            .flatten()
            .filter_map(|end| end.condition.as_ref());
        let texts = layer.fen_if.iter().flatten().map(|(code, _)| code);
        for code in ends.chain(texts) {
            self.fits(&code.expr, 'b')?;
        }
        for (key, word) in &layer.words {
            let known = match key.as_str() {
                "stepSafety" => ["each", "last"],
                _ => ["true", "false"],
            };
            if !known.contains(&word.as_str()) {
                return Err(format!("{key}: {word}"));
            }
        }
        Ok(())
    }

    fn is_kind(&self, text: &str) -> bool {
        matches!(kind(self.law, text), Kind::Known(_))
            || PIECES.iter().any(|(name, _)| *name == text)
            || text == "king"
    }

    /// Returns whether an expression is a number for which a test holds.
    fn is_number(code: &Expr, test: impl Fn(i64) -> bool) -> bool {
        matches!(code, Expr::Literal(LiteralValue::Int(number)) if test(*number.inner()))
    }

    /// Checks that a value has a type, or can name a value of this type.
    fn fits(&mut self, code: &Expr, wanted: char) -> Outcome<()> {
        if let Expr::Call(call) = code
            && call.func_name == "_?_:_"
        {
            self.fits(&call.args[0].expr, 'b')?;
            self.fits(&call.args[1].expr, wanted)?;
            return self.fits(&call.args[2].expr, wanted);
        }
        if let Expr::List(list) = code
            && (wanted == ANY || wanted.is_ascii_uppercase())
        {
            let element = wanted.to_ascii_lowercase();
            // A list of squares may stand for the units on them.
            let element = if element == 'u' { ANY } else { element };
            return list
                .elements
                .iter()
                .try_for_each(|item| self.fits(&item.expr, element));
        }
        if let Expr::Literal(LiteralValue::String(text)) = code {
            let text: &str = text.inner();
            let side = ["white", "black", ""].contains(&text);
            let fits = match wanted {
                'k' => text.is_empty() || self.is_kind(text),
                's' => side,
                '*' => side || self.is_kind(text),
                'q' => text.is_empty() || is_square(text),
                'o' => OUTCOMES.contains(&text),
                _ => [ANY, 't', QUOTED].contains(&wanted),
            };
            return if fits {
                Ok(())
            } else {
                Err(format!("'{text}' names nothing here"))
            };
        }
        let found = self.of(code)?;
        let is_text = |letter| "tskqo*\"".contains(letter);
        let fits = found == wanted
            || found == ANY
            || wanted == ANY
            || wanted.is_ascii_uppercase() && found.is_ascii_uppercase()
            || wanted == '*' && "sk".contains(found)
            || is_text(wanted) && "t\"".contains(found)
            || wanted == 't' && found == 'o';
        if fits {
            Ok(())
        } else {
            Err(format!("a value of type {found} where {wanted} is wanted"))
        }
    }

    /// Checks two values that are compared.
    fn pair(&mut self, a: &Expr, b: &Expr) -> Outcome<()> {
        match self.of(a)? {
            QUOTED => {
                let wanted = self.of(b)?;
                self.fits(a, wanted)
            }
            wanted => self.fits(b, wanted),
        }
    }

    /// Returns the type of an expression.
    fn of(&mut self, code: &Expr) -> Outcome<char> {
        match code {
            Expr::Literal(LiteralValue::Boolean(_)) => Ok('b'),
            Expr::Literal(LiteralValue::Int(_)) => Ok('i'),
            Expr::Literal(LiteralValue::String(_)) => Ok(QUOTED),
            Expr::List(list) => {
                let mut types = Vec::new();
                for item in &list.elements {
                    types.push(self.of(&item.expr)?);
                }
                let first = types.first().copied().filter(char::is_ascii_lowercase);
                Ok(first.map_or(ANY, |first| first.to_ascii_uppercase()))
            }
            Expr::Ident(name) => {
                let found = self.variables.iter().rev().find(|(known, _)| known == name);
                match found {
                    Some((_, found)) => Ok(*found),
                    None if self.scope.lets.contains(name) => Ok(ANY),
                    None => self.named(name),
                }
            }
            Expr::Select(select) if is_clauses_of_parent(&select.operand.expr) => Ok(ANY),
            Expr::Select(select) => {
                let field = select.field.as_str();
                if let Expr::Ident(of) = &select.operand.expr
                    && let Some(known) = self.fields(of)
                    && !self.variables.iter().any(|(name, _)| name == of)
                {
                    let is_parent = of == "parent";
                    return match known.contains(field) || is_parent && is_clause(field) {
                        true => Ok(ANY),
                        false if is_parent => self.named(field),
                        false => Err(format!("{of} has no {field}")),
                    };
                }
                match self.of(&select.operand.expr)? {
                    'q' if !["file", "rank"].contains(&field) => {
                        Err(format!("a square has no {field}"))
                    }
                    ANY | 'q' | 'u' | 'm' | 'p' => self.named(field),
                    other => Err(format!("a value of type {other} has no {field}")),
                }
            }
            Expr::Call(call) => self.call(call),
            Expr::Comprehension(code) => {
                let range = self.of(&code.iter_range.expr)?;
                self.of(&code.accu_init.expr)?;
                let depth = self.variables.len();
                let element = match range.is_ascii_uppercase() {
                    true => range.to_ascii_lowercase(),
                    false if [ANY, QUOTED].contains(&range) => ANY,
                    false => return Err(format!("a value of type {range} is not a list")),
                };
                self.variables.push((code.accu_var.clone(), ANY));
                self.variables.push((code.iter_var.clone(), element));
                for part in [&code.loop_cond, &code.loop_step, &code.result] {
                    self.of(&part.expr)?;
                }
                self.variables.truncate(depth);
                Ok(ANY)
            }
            _ => Err("this is not part of the language".to_string()),
        }
    }

    fn named(&self, name: &str) -> Outcome<char> {
        let found = NAMES.iter().find(|(known, _)| *known == name);
        let in_clause = [
            "option", "parent", "owner", "foe", "unit", "n", "previous", "target", "mover",
        ];
        match found {
            Some((_, found)) if self.scope.is_clause || !in_clause.contains(&name) => Ok(*found),
            _ => Err(format!("there is no name {name}")),
        }
    }

    /// Returns the declared fields of a name, if it has such fields.
    fn fields(&self, of: &str) -> Option<&BTreeSet<String>> {
        match of {
            "state" | "parent" => Some(&self.scope.states),
            "option" => Some(&self.scope.options),
            _ => None,
        }
    }

    fn call(&mut self, call: &CallExpr) -> Outcome<char> {
        let name = call.func_name.as_str();
        let args: Vec<&Expr> = call.args.iter().map(|argument| &argument.expr).collect();
        if let Some(target) = &call.target {
            let target = &target.expr;
            if is_clauses_of_parent(target) {
                args.iter()
                    .try_for_each(|argument| self.of(argument).map(drop))?;
                return Ok(ANY);
            }
            let is_state = match target {
                Expr::Select(select) => select.field == "state",
                Expr::Ident(of) => of == "state",
                _ => false,
            };
            if is_state {
                return match (self.scope.states.contains(name), args.as_slice()) {
                    (true, [side]) => self.fits(side, 's').map(|()| ANY),
                    _ => Err(format!("the state has no {name}")),
                };
            }
            let of = self.of(target)?;
            return match of.is_ascii_uppercase() || "t\"".contains(of) {
                true if name == "size" && args.is_empty() => Ok('i'),
                true => Err(format!("a list has no {name}")),
                false if name == "size" && of == ANY => Ok('i'),
                false => self.function(name, &args),
            };
        }
        match (name, args.as_slice()) {
            ("_&&_" | "_||_" | "!_", _) => self.all(&args, 'b', 'b'),
            ("_<_" | "_<=_" | "_>_" | "_>=_", _) => self.all(&args, 'i', 'b'),
            ("-_" | "_-_" | "_*_" | "_/_" | "_%_", _) => self.all(&args, 'i', 'i'),
            ("_==_" | "_!=_", [a, b]) => self.pair(a, b).map(|()| 'b'),
            ("@in", [value, Expr::List(list)]) => {
                let items = &list.elements;
                let found = items
                    .iter()
                    .try_for_each(|item| self.pair(value, &item.expr));
                found.map(|()| 'b')
            }
            ("@in", [value, list]) => {
                let element = self.of(list)?.to_ascii_lowercase();
                self.fits(value, element).map(|()| 'b')
            }
            ("_+_", [a, b]) => match (self.of(a)?, self.of(b)?) {
                (QUOTED | 't', QUOTED | 't') => Ok('t'),
                (a, b) if a == b => Ok(a),
                (ANY, other) | (other, ANY) => Ok(if other == 'i' { 'i' } else { ANY }),
                (a, b) if a.is_ascii_uppercase() && b.is_ascii_uppercase() => Ok(ANY),
                (a, b) => Err(format!("+ cannot join values of types {a} and {b}")),
            },
            ("_?_:_", [condition, a, b]) => {
                self.fits(condition, 'b')?;
                let (a, b) = (self.of(a)?, self.of(b)?);
                Ok(if [ANY, QUOTED].contains(&a) { b } else { a })
            }
            ("_[_]", [list, index]) => {
                self.fits(index, 'i')?;
                Ok(self.of(list)?.to_ascii_lowercase())
            }
            _ if self.scope.lets.contains(name) => self.all(&args, ANY, ANY),
            _ => self.function(name, &args),
        }
    }

    fn all(&mut self, args: &[&Expr], wanted: char, result: char) -> Outcome<char> {
        args.iter()
            .try_for_each(|argument| self.fits(argument, wanted))?;
        Ok(result)
    }

    fn function(&mut self, name: &str, args: &[&Expr]) -> Outcome<char> {
        let found = FUNCTIONS
            .iter()
            .find(|(known, types, _)| *known == name && types.len() == args.len());
        let Some((_, types, result)) = found else {
            return Err(format!(
                "there is no function {name} with {} arguments",
                args.len()
            ));
        };
        for (argument, wanted) in args.iter().zip(types.chars()) {
            self.fits(argument, wanted)?;
        }
        Ok(*result)
    }
}

/// Returns whether a text is the name of a square of the largest board.
fn is_square(text: &str) -> bool {
    let (file, rank) = text.split_at_checked(1).unwrap_or_default();
    let rank = rank
        .parse::<u32>()
        .ok()
        .filter(|number| number.to_string() == rank);
    ("a"..="p").contains(&file) && rank.is_some_and(|rank| (1..=16).contains(&rank))
}

/// Returns whether code names the clauses of the parent of one kind, such as `parent.state`: the name of a clause
/// follows, which the parent's section has been read for.
fn is_clauses_of_parent(code: &Expr) -> bool {
    const KINDS: [&str; 6] = ["state", "movement", "targets", "quiet", "attacks", "let"];
    match code {
        Expr::Select(select) if KINDS.contains(&select.field.as_str()) => {
            matches!(&select.operand.expr, Expr::Ident(of) if of == "parent")
        }
        _ => false,
    }
}

//! The clauses of a definition as trees: parsed, with definitions and `parent.KEY` expanded, and merged: a child's clause
//! replaces its parent's, and those of conditions are added.

use crate::entries;
use definition::{Clause, Definition, Layer, clause_key};
use diagnostics::Diagnostic;
use language::{ExpressionError, Let, ParentKeys, Tree, expand, parse};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A set of layers of a definition, as bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Layers(pub u128);

impl Layers {
    fn has(self, layer: usize) -> bool {
        self.0 >> layer & 1 == 1
    }
}

/// The maximum number of layers: sections with clauses above one another, and conditions.
const MAX_LAYERS: usize = 100;

/// A clause, or an entry of one, as a tree.
#[derive(Clone, Debug)]
pub struct Part {
    /// The key.
    pub key: String,
    /// The expression; `None` for an entry that always holds, and for clauses that are no expressions.
    pub tree: Option<Tree>,
    /// The text to which the spans of the tree belong.
    pub source: Arc<str>,
    /// The clause as it is written.
    pub clause: Clause,
    /// The number of its layer.
    pub layer: usize,
    /// For an entry of `ends`: what it says.
    pub end: Option<entries::End>,
    /// For an entry of `fenIf`: the message.
    pub message: String,
}

/// The clauses of a definition, by key, in the order in which they apply.
#[derive(Clone, Debug, Default)]
pub struct Text {
    pub parts: BTreeMap<String, Vec<Part>>,
    /// All clauses about movement, with those that a child or a condition replaces: `parent` may ask for them.
    pub movements: Vec<Part>,
    pub layers: Vec<Layer>,
}

/// Keys whose values are `true` or `false`.
const FLAGS: [&str; 2] = ["ownCheck", "rebirthRights"];
/// Keys whose clauses of several conditions combine.
const COMBINING: [&str; 19] = [
    "activeIf",
    "captureIf",
    "checkIf",
    "legalIf",
    "prefer",
    "stepIf",
    "turnsInto",
    "joins",
    "removes",
    "converts",
    "rebirthIf",
    "rebirth",
    "rebirthSide",
    "rebirthKind",
    "dropIf",
    "fenIf",
    "ends",
    "ownCheck",
    "rebirthRights",
];

/// Returns what holds without a clause, as an expression.
fn neutral(key: &str) -> Option<&'static str> {
    Some(match key {
        "activeIf" | "captureIf" | "legalIf" | "stepIf" | "dropIf" | "rebirthIf" => "true",
        "checkIf" => "false",
        "royalIf" => "unit.kind == 'king'",
        "prefer" => "0",
        "stepCount" => "1",
        "continues" | "ontoOwn" => "'no'",
        "stepSide" => "side",
        "takes" => "captures",
        "landsOn" => "to",
        "turnsInto" => "becomes",
        "joins" => "owner",
        "removes" | "converts" | "takeOff" | "drops" | "rebirth" => "[]",
        "rebirthSide" => "unit.side",
        "rebirthKind" | "handKind" => "unit.kind",
        "toHand" | "endsOn" => "''",
        _ if key.starts_with("movement.") => "movement_of(unit.kind)",
        _ => return None,
    })
}

impl Text {
    /// Returns the clauses of a definition.
    ///
    /// # Errors
    /// The first clause that is not an expression, or two conditions that claim one aspect.
    pub fn new(definition: &Definition) -> Result<Text, Diagnostic> {
        Text::of(definition, Layers(u128::MAX))
    }

    /// Returns the clauses of some layers of a definition.
    ///
    /// # Errors
    /// As for [`Text::new`].
    pub fn of(definition: &Definition, layers: Layers) -> Result<Text, Diagnostic> {
        let mut text = Text {
            layers: definition.layers.clone(),
            ..Text::default()
        };
        if text.layers.len() > MAX_LAYERS {
            let why = format!("more than {MAX_LAYERS} sections with clauses");
            return Err(Diagnostic::new(&definition.name, why));
        }
        let mut lets: Vec<Let> = Vec::new();
        for (n, layer) in definition
            .layers
            .iter()
            .enumerate()
            .filter(|(n, _)| layers.has(*n))
        {
            if layer.is_condition {
                lets.clear();
            }
            let inherited = lets.len();
            text.read_lets(layer, &mut lets)?;
            for clause in &layer.clauses {
                text.add(n, layer, clause, (&lets, inherited))?;
            }
        }
        Ok(text)
    }

    /// Returns the parts of a key.
    pub fn get(&self, key: &str) -> &[Part] {
        self.parts.get(key).map_or(&[], Vec::as_slice)
    }

    /// Returns the only part of a key.
    pub fn one(&self, key: &str) -> Option<&Part> {
        self.get(key).last()
    }

    /// Returns whether a key with the value `true` is given.
    pub fn flag(&self, key: &str) -> bool {
        self.get(key)
            .iter()
            .any(|part| part.clause.text.trim() == "true")
    }

    fn add(
        &mut self,
        n: usize,
        layer: &Layer,
        clause: &Clause,
        lets: (&[Let], usize),
    ) -> Result<(), Diagnostic> {
        let key = clause.key.as_str();
        if key.starts_with("let.") || ["state", "options"].contains(&key) {
            return Ok(());
        }
        check_key(layer, clause)?;
        let mut new = self.read(n, layer, clause, lets)?;
        if key.starts_with("movement.") {
            self.movements.extend(new.iter().cloned());
        }
        let known = self.parts.entry(key.to_owned()).or_default();
        if !layer.is_condition {
            *known = new;
            return Ok(());
        }
        if !COMBINING.contains(&key) {
            let earlier = known
                .first()
                .filter(|part| self.layers[part.layer].is_condition);
            if let Some(earlier) = earlier {
                let other = &self.layers[earlier.layer].section;
                let why = format!(
                    "the conditions `{other}` and `{}` both have `{key}`",
                    layer.section
                );
                return Err(error(
                    layer,
                    clause,
                    &ExpressionError::new(0..0, why),
                    &clause.text,
                ));
            }
            *known = new;
        } else if key == "ends" {
            // Conditions come before the rule set, in their order.
            let conditions = known
                .iter()
                .position(|part| !self.layers[part.layer].is_condition)
                .unwrap_or(known.len());
            new.append(&mut known.split_off(conditions));
            known.append(&mut new);
        } else {
            known.append(&mut new);
        }
        Ok(())
    }

    /// Reads a clause, or its entries.
    fn read(
        &self,
        n: usize,
        layer: &Layer,
        clause: &Clause,
        (lets, inherited): (&[Let], usize),
    ) -> Result<Vec<Part>, Diagnostic> {
        let key = clause.key.as_str();
        let part = |tree, source: Arc<str>| Part {
            key: key.to_owned(),
            tree,
            source,
            clause: clause.clone(),
            layer: n,
            end: None,
            message: String::new(),
        };
        let wrong = |(span, why): entries::EntryError| {
            error(
                layer,
                clause,
                &ExpressionError::new(span, why),
                &clause.text,
            )
        };
        let whole: Arc<str> = clause.text.as_str().into();
        let tree = |text: &str| {
            let parent = ParentKeys {
                lets: inherited,
                clause: &|asked| self.of_parent(asked, key),
            };
            let tree = parse(text).and_then(|tree| expand(&tree, lets, parent));
            tree.map_err(|wrong| error(layer, clause, &wrong, &clause.text))
        };
        match key {
            "ends" => {
                let mut parts = Vec::new();
                for end in entries::ends(&clause.text).map_err(wrong)? {
                    if end.verdict == entries::Verdict::OfParent {
                        let of_parent = self.get("ends").iter();
                        parts.extend(of_parent.filter(|_| !layer.is_condition).cloned());
                        continue;
                    }
                    let condition = end.condition.as_ref();
                    let condition = condition.map(|span| entries::only(&clause.text, span));
                    let condition = condition.map(|text| tree(&text)).transpose()?;
                    parts.push(Part {
                        end: Some(end),
                        ..part(condition, Arc::clone(&whole))
                    });
                }
                Ok(parts)
            }
            "fenIf" => {
                let mut parts = Vec::new();
                for (span, message) in entries::fen_conditions(&clause.text).map_err(wrong)? {
                    let condition = tree(&entries::only(&clause.text, &span))?;
                    parts.push(Part {
                        message,
                        ..part(Some(condition), Arc::clone(&whole))
                    });
                }
                Ok(parts)
            }
            _ if FLAGS.contains(&key) => match clause.text.trim() {
                "true" | "false" => Ok(vec![part(None, whole)]),
                _ => Err(wrong((
                    0..clause.text.len(),
                    "`true` or `false` is wanted".into(),
                ))),
            },
            "stepSafety" => match clause.text.trim() {
                "each" | "last" => Ok(vec![part(None, whole)]),
                _ => Err(wrong((
                    0..clause.text.len(),
                    "`each` or `last` is wanted".into(),
                ))),
            },
            _ => Ok(vec![part(Some(tree(&clause.text)?), whole)]),
        }
    }

    /// Returns the parent's clause with a key, or what holds without it, in the clause `own`. Returns `None` if the key is
    /// none of a clause, or nothing can be written for what holds.
    fn of_parent(&self, key: &str, own: &str) -> Option<Tree> {
        let (_, suffix) = clause_key(key)?;
        let clause = |key: &str| self.one(key).and_then(|part| part.tree.clone());
        let without = || match key.split_once('.') {
            Some(("state", name)) => parse(&self.state_as_it_was(name)?).ok(),
            Some(("movement", _)) if key == own => {
                clause("movement.*").or_else(|| parse(neutral(key)?).ok())
            }
            Some(("quiet" | "attacks", _)) => clause(&format!("targets.{suffix}")),
            Some(_) => None,
            None => parse(neutral(key)?).ok(),
        };
        clause(key).or_else(without)
    }

    /// Returns the expression for the value of a declared state before the turn.
    fn state_as_it_was(&self, name: &str) -> Option<String> {
        let declarations = self.layers.iter().filter_map(|layer| layer.get("state"));
        let names = declarations.flat_map(|clause| clause.text.split(';'));
        let value = |declaration: &str| match declaration.split_once(':')?.0.trim() {
            declared if declared == name => Some(format!("state.{name}")),
            declared if declared.strip_suffix("[side]") == Some(name) => {
                Some(format!("state.{name}(owner)"))
            }
            _ => None,
        };
        names.rev().find_map(value)
    }

    /// Reads the definitions of a layer, which may use earlier ones and each other.
    fn read_lets(&self, layer: &Layer, lets: &mut Vec<Let>) -> Result<(), Diagnostic> {
        let inherited = lets.len();
        let mut waiting: Vec<(&Clause, Let)> = Vec::new();
        for clause in &layer.clauses {
            let Some(head) = clause.key.strip_prefix("let.") else {
                continue;
            };
            let wrong = |why: String| Diagnostic::new(&layer.section, why).at(clause.key_place());
            let (name, params) = head_of(head).map_err(wrong)?;
            let body =
                parse(&clause.text).map_err(|wrong| error(layer, clause, &wrong, &clause.text))?;
            waiting.push((clause, Let { name, params, body }));
        }
        // A definition is expanded once those that it names are.
        while !waiting.is_empty() {
            let names: Vec<String> = waiting
                .iter()
                .map(|(_, waiting)| waiting.name.clone())
                .collect();
            let ready = waiting.iter().position(|(_, one)| {
                !names
                    .iter()
                    .any(|name| !one.params.contains(name) && language::names(&one.body, name))
            });
            let Some(ready) = ready else {
                let (clause, _) = &waiting[0];
                let why = format!("the definitions {} are a circle", names.join(", "));
                return Err(Diagnostic::new(&layer.section, why).at(clause.key_place()));
            };
            let (clause, mut one) = waiting.remove(ready);
            let is_known = |known: &&Let| !one.params.contains(&known.name);
            let known: Vec<Let> = lets.iter().filter(is_known).cloned().collect();
            let parent = ParentKeys {
                lets: lets[..inherited].iter().filter(is_known).count(),
                clause: &|key| self.of_parent(key, &clause.key),
            };
            one.body = expand(&one.body, &known, parent)
                .map_err(|wrong| error(layer, clause, &wrong, &clause.text))?;
            lets.push(one);
        }
        Ok(())
    }
}

/// Checks the name after the period of a key.
fn check_key(layer: &Layer, clause: &Clause) -> Result<(), Diagnostic> {
    let key = clause.key.as_str();
    if let Some(name) = key.strip_prefix("state.")
        && !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    {
        let why = format!("`{name}` is not the name of a field");
        return Err(Diagnostic::new(&layer.section, why).at(clause.key_place()));
    }
    Ok(())
}

/// Reads `name` or `name(a, b)`.
fn head_of(head: &str) -> Result<(String, Vec<String>), String> {
    let is_name = |text: &str| {
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(part)
    };
    let wrong = || format!("`{head}` is not `NAME` or `NAME(a, b)`");
    let (name, params) = match head.split_once('(') {
        Some((name, rest)) => {
            let list = rest.trim().strip_suffix(')').ok_or_else(wrong)?;
            (
                name,
                list.split(',')
                    .map(|param| param.trim().to_owned())
                    .collect(),
            )
        }
        None => (head, Vec::new()),
    };
    match is_name(name.trim()) && params.iter().all(|param: &String| is_name(param)) {
        true => Ok((name.trim().to_owned(), params)),
        false => Err(wrong()),
    }
}

/// Returns the error of an expression in a clause, at its place in the file.
pub fn error(layer: &Layer, clause: &Clause, wrong: &ExpressionError, source: &str) -> Diagnostic {
    let place = clause.place_of(wrong.place(source));
    let mut error = Diagnostic::new(&layer.section, format!("`{}`: {}", clause.key, wrong.why));
    error = error.at(place).excerpt(wrong.excerpt(source));
    error.help.clone_from(&wrong.help);
    error
}

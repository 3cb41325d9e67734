//! Finds the implications in a condition, so a check can report that a claim holds only vacuously.
//!
//! `!a || b`, `x == y || b` and `a ? b : true` are implications, also inside quantifiers. If the premise of
//! an implication never holds in a set, the implication is true there without asserting anything. The same is
//! true of `list.all(x, b)` if the list is always empty.

use language::{Node, Operator, Tree, parse};

/// The number of other parts of a conjunction that are searched for a statement about a list.
const MAX_COMPARED: usize = 100;

/// The premise of an implication, as an expression about the subject of the whole condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// The premise as written, for messages.
    pub written: String,
    /// An expression that holds where the premise holds.
    pub expression: String,
}

/// Returns the premises of the implications in an expression, in order. Returns an empty list for a text that
/// is not an expression.
pub fn premises(text: &str) -> Vec<Premise> {
    collected(text, false)
}

/// Like [`premises`], but each premise repeats the bodies of the quantifiers around it. Only the body may show
/// the type of a list such as `['a1', 'b2']`, without which a premise does not compile.
pub fn premises_with_bodies(text: &str) -> Vec<Premise> {
    collected(text, true)
}

fn collected(text: &str, with_bodies: bool) -> Vec<Premise> {
    let Ok(tree) = parse(text) else {
        return Vec::new();
    };
    let mut collector = Collector {
        text,
        with_bodies,
        found: Vec::new(),
    };
    collector.collect(&tree, &|condition| condition);
    collector.found
}

/// Turns an expression about a part of the subject into one about the whole subject.
type Wrap<'w> = &'w dyn Fn(String) -> String;

/// Collects the premises of an expression.
struct Collector<'t> {
    text: &'t str,
    with_bodies: bool,
    found: Vec<Premise>,
}

impl Collector<'_> {
    fn collect(&mut self, tree: &Tree, wrap: Wrap<'_>) {
        let text = self.text;
        let written = |tree: &Tree| text[tree.span.clone()].to_owned();
        match &tree.node {
            Node::And(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    let others = parts.iter().enumerate().filter(|(n, _)| *n != at);
                    let is_stated = |list: &str| {
                        let others = others.clone().map(|(_, other)| other);
                        others.take(MAX_COMPARED).any(|other| {
                            text[other.span.clone()].contains(list)
                                && quantified_list(other).is_none_or(|own| written(own) != list)
                        })
                    };
                    match quantified_list(part).map(written) {
                        // Another part states something about the list, which may be empty then.
                        Some(list) if is_stated(&list) => self.collect_inside(part, wrap),
                        _ => self.collect(part, wrap),
                    }
                }
            }
            Node::Or(parts) => {
                let Some((last, conditions)) = parts.split_last() else {
                    return;
                };
                if !is_implication(&conditions[0]) {
                    return;
                }
                let negated = conditions.iter().map(|part| negation(text, part));
                let condition = negated.collect::<Vec<_>>().join(" && ");
                self.premise(condition.clone(), wrap);
                self.collect(last, &|inner| wrap(format!("{condition} && ({inner})")));
            }
            Node::Choice(parts) => {
                let [condition, yes, no] = &parts[..] else {
                    return;
                };
                let condition = written(condition);
                if no.node == Node::Bool(true) {
                    self.premise(condition.clone(), wrap);
                    self.collect(yes, &|inner| wrap(format!("({condition}) && ({inner})")));
                } else if yes.node == Node::Bool(true) {
                    self.premise(format!("!({condition})"), wrap);
                    self.collect(no, &|inner| wrap(format!("!({condition}) && ({inner})")));
                }
            }
            Node::Call { .. } => {
                // A list that is written out is not empty.
                let list = quantified_list(tree).filter(|list| !matches!(list.node, Node::List(_)));
                if let Some(list) = list {
                    let written = format!("{}.size() > 0", written(list));
                    let expression = quantified(text, tree, self.with_bodies, "true".to_owned());
                    self.found.extend(expression.map(|inner| Premise {
                        written,
                        expression: wrap(inner),
                    }));
                }
                self.collect_inside(tree, wrap);
            }
            _ => {}
        }
    }

    /// Collects the premises in the body of a quantifier.
    fn collect_inside(&mut self, tree: &Tree, wrap: Wrap<'_>) {
        let (text, with_bodies) = (self.text, self.with_bodies);
        if let Node::Call { args, .. } = &tree.node
            && quantifies(tree)
        {
            let inside = |inner: String| {
                let quantified = quantified(text, tree, with_bodies, inner);
                wrap(quantified.unwrap_or_default())
            };
            self.collect(&args[1], &inside);
        }
    }

    fn premise(&mut self, condition: String, wrap: Wrap<'_>) {
        self.found.push(Premise {
            expression: wrap(condition.clone()),
            written: condition,
        });
    }
}

/// Returns whether a part is `list.all(x, body)` or `list.exists(x, body)`.
fn quantifies(tree: &Tree) -> bool {
    match &tree.node {
        Node::Call {
            target: Some(_),
            name,
            args,
        } => matches!(name.text.as_str(), "all" | "exists") && args.len() == 2,
        _ => false,
    }
}

/// Returns the list of `list.all(x, body)`.
fn quantified_list(tree: &Tree) -> Option<&Tree> {
    match &tree.node {
        Node::Call { target, name, .. } if name.text == "all" && quantifies(tree) => {
            target.as_deref()
        }
        _ => None,
    }
}

/// Returns an expression that holds where a condition holds for an element of the list of a quantifier.
/// `with_body` repeats the body of the quantifier, without effect. Returns `None` for other parts.
fn quantified(text: &str, tree: &Tree, with_body: bool, inner: String) -> Option<String> {
    let Node::Call {
        target: Some(list),
        args,
        ..
    } = &tree.node
    else {
        return None;
    };
    let [variable, body] = &args[..] else {
        return None;
    };
    let written = |tree: &Tree| &text[tree.span.clone()];
    let (list, variable, body) = (written(list), written(variable), written(body));
    Some(match with_body {
        true => format!("({list}).exists({variable}, ({inner}) && (({body}) || true))"),
        false => format!("({list}).exists({variable}, {inner})"),
    })
}

/// Returns whether the first operand of `||` makes the disjunction an implication.
fn is_implication(tree: &Tree) -> bool {
    match &tree.node {
        Node::Not(_) => true,
        Node::Binary(operator, _) => matches!(
            operator,
            Operator::Equal
                | Operator::Unequal
                | Operator::Less
                | Operator::AtMost
                | Operator::Greater
                | Operator::AtLeast
                | Operator::In
        ),
        _ => false,
    }
}

/// Returns an expression that holds exactly where another expression does not. Comparisons are not inverted,
/// because a missing value makes both `==` and `!=` false.
fn negation(text: &str, tree: &Tree) -> String {
    let written = |tree: &Tree| &text[tree.span.clone()];
    match &tree.node {
        Node::Not(inner) => format!("({})", written(inner)),
        _ => format!("!({})", written(tree)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expressions(text: &str) -> Vec<String> {
        let premises = premises(text).into_iter();
        premises.map(|premise| premise.expression).collect()
    }

    #[test]
    fn implications_have_premises_also_inside_quantifiers() {
        assert_eq!(expressions("!check || over"), ["(check)"]);
        assert_eq!(expressions("side == white || over"), ["!(side == white)"]);
        assert_eq!(expressions("side != white || over"), ["!(side != white)"]);
        assert_eq!(expressions("check ? over : true"), ["check"]);
        assert_eq!(
            expressions("turns.all(t, !t.castles || t.after.check)"),
            ["(turns).exists(t, true)", "(turns).exists(t, (t.castles))"]
        );
        assert_eq!(
            expressions("(check ? turns : pseudo).exists(t, !t.castles || t.checks)"),
            ["((check ? turns : pseudo)).exists(t, (t.castles))"]
        );
        assert_eq!(
            expressions("!check || (!over || drawn)"),
            ["(check)", "(check) && ((over))"]
        );
        assert_eq!(expressions("!a && (!b || c)"), ["(b)"]);
        assert_eq!(expressions("!a || !b || c"), ["(a) && (b)"]);
    }

    #[test]
    fn universal_statements_about_a_list_presume_that_it_has_elements() {
        assert_eq!(
            expressions("turns.filter(t, t.castles).all(t, t.checks)"),
            ["(turns.filter(t, t.castles)).exists(t, true)"]
        );
        assert_eq!(
            expressions("units.all(u, turns.all(t, t.checks))"),
            [
                "(units).exists(u, true)",
                "(units).exists(u, (turns).exists(t, true))"
            ]
        );
        let bodies = premises_with_bodies("['a1'].all(s, !check || empty(s))");
        assert_eq!(bodies.len(), 1);
        assert_eq!(
            bodies[0].expression,
            "(['a1']).exists(s, ((check)) && ((!check || empty(s)) || true))"
        );
    }

    #[test]
    fn list_about_which_another_part_states_something_may_be_empty() {
        assert_eq!(
            expressions("turns.size() == 0 && turns.all(t, t.checks)"),
            Vec::<String>::new()
        );
        assert_eq!(
            expressions("turns.all(t, t.checks) && turns.all(t, t.ends)").len(),
            2
        );
    }

    #[test]
    fn other_conditions_have_none() {
        for text in [
            "check",
            "check || over",
            "size(turns) > 3",
            "check ? over : drawn",
            "(",
        ] {
            assert_eq!(expressions(text), Vec::<String>::new(), "{text}");
        }
    }
}

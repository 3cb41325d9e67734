//! Finds the implications in a condition, so a check can report that a claim holds only vacuously.
//!
//! `!a || b`, `x == y || b` and `a ? b : true` are implications, also inside quantifiers. If the premise of
//! an implication never holds in a set, the implication is true there without asserting anything.

use language::{Node, Operator, Tree, parse};

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
    let Ok(tree) = parse(text) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    collect(text, &tree, &|condition| condition, &mut found);
    found
}

/// Turns an expression about a part of the subject into one about the whole subject.
type Wrap<'w> = &'w dyn Fn(String) -> String;

fn collect(text: &str, tree: &Tree, wrap: Wrap<'_>, found: &mut Vec<Premise>) {
    let written = |tree: &Tree| text[tree.span.clone()].to_owned();
    let mut premise = |condition: String| {
        found.push(Premise {
            expression: wrap(condition.clone()),
            written: condition,
        });
    };
    match &tree.node {
        Node::And(parts) => parts
            .iter()
            .for_each(|part| collect(text, part, wrap, found)),
        Node::Or(parts) => {
            let Some((last, conditions)) = parts.split_last() else {
                return;
            };
            if !is_implication(&conditions[0]) {
                return;
            }
            let negated: Vec<String> = conditions.iter().map(|part| negation(text, part)).collect();
            let condition = negated.join(" && ");
            premise(condition.clone());
            let inside = |inner: String| wrap(format!("{condition} && ({inner})"));
            collect(text, last, &inside, found);
        }
        Node::Choice(parts) => {
            let [condition, yes, no] = &parts[..] else {
                return;
            };
            let condition_text = written(condition);
            if no.node == Node::Bool(true) {
                premise(condition_text.clone());
                let inside = |inner: String| wrap(format!("({condition_text}) && ({inner})"));
                collect(text, yes, &inside, found);
            } else if yes.node == Node::Bool(true) {
                premise(format!("!({condition_text})"));
                let inside = |inner: String| wrap(format!("!({condition_text}) && ({inner})"));
                collect(text, no, &inside, found);
            }
        }
        Node::Call {
            target: Some(list),
            name,
            args,
        } if matches!(name.text.as_str(), "all" | "exists") && args.len() == 2 => {
            let (list, variable) = (written(list), written(&args[0]));
            let inside = |inner: String| wrap(format!("{list}.exists({variable}, {inner})"));
            collect(text, &args[1], &inside, found);
        }
        _ => {}
    }
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
            ["turns.exists(t, (t.castles))"]
        );
        assert_eq!(
            expressions("!check || (!over || drawn)"),
            ["(check)", "(check) && ((over))"]
        );
        assert_eq!(expressions("!a && (!b || c)"), ["(b)"]);
        assert_eq!(expressions("!a || !b || c"), ["(a) && (b)"]);
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

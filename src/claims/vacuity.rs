//! Implications of a condition, and what has to hold somewhere for them to say something.
//!
//! `!a || b`, `x == y || b` and `a ? b : true` are implications, also inside quantifiers. If their condition
//! never holds in a set, the property holds because of nothing, which a claim must not hide.

use language::{Node, Operator, Tree, parse};

/// The condition of an implication, as an expression about the same subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// The condition as it is written, for messages.
    pub written: String,
    /// An expression that holds where the condition holds.
    pub expression: String,
}

/// Returns the conditions of the implications of an expression, in their order.
pub fn premises(text: &str) -> Vec<Premise> {
    let Ok(tree) = parse(text) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    collect(text, &tree, &|condition| condition, &mut found);
    found
}

/// Returns an expression about the whole subject for one about a part of it.
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

/// Returns whether a condition at the begin of `||` is one of an implication.
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

/// Returns an expression that holds exactly where another does not.
fn negation(text: &str, tree: &Tree) -> String {
    let written = |tree: &Tree| &text[tree.span.clone()];
    let [left, right, sign] = match &tree.node {
        Node::Not(inner) => return format!("({})", written(inner)),
        Node::Binary(Operator::Unequal, parts) => [written(&parts[0]), written(&parts[1]), "=="],
        // Not `!=` for `==`: a missing value is equal to nothing and unequal to nothing.
        _ => return format!("!({})", written(tree)),
    };
    format!("({left} {sign} {right})")
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
        assert_eq!(expressions("side != white || over"), ["(side == white)"]);
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

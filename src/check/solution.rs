//! Solutions as `solve --format json` prints them.

use naive::problem::Stipulation;
use naive::solution::{self, Node, Solution};
use naive::{RuleSets, Unverified, wrong};
use serde_json::Value;

fn text(node: &Value) -> String {
    node.as_str().unwrap_or_default().to_string()
}

fn list<T>(node: &Value, read: impl Fn(&Value) -> T) -> Vec<T> {
    node.as_array().into_iter().flatten().map(read).collect()
}

fn node(node: &Value) -> Node {
    Node {
        turn: text(&node["turn"]),
        goal: node["goal"] == true,
        answers: list(&node["answers"], self::node),
        threats: list(&node["threats"], self::node),
        next: list(&node["next"], self::node),
        refutations: list(&node["refutations"], text),
    }
}

/// Judges a solution. Returns its rule set, position and stipulation, and what it says of them.
///
/// # Errors
/// The first statement that is false, or why it cannot be judged.
pub fn judge(
    document: &Value,
    rule_sets: &RuleSets,
) -> Result<([String; 3], Solution), Unverified> {
    let fields = ["variant", "fen", "stipulation"];
    if let Some(field) = fields.iter().find(|field| !document[*field].is_string()) {
        return wrong(format!("no `{field}`"));
    }
    let problem = fields.map(|field| text(&document[field]));
    let tree = &document["tree"];
    let solution = Solution {
        lines: list(&document["lines"], |line| list(&line["turns"], text)),
        keys: list(&tree["keys"], node),
        tries: list(&tree["tries"], node),
        set_play: list(&tree["set_play"], node),
        first_turns: list(&document["keys"], text),
        solutions: document["solutions"].as_u64().unwrap_or(u64::MAX),
        verdict: text(&document["verdict"]),
    };
    let asked = Stipulation::read(&problem[2])?;
    let root = rule_sets.position(&problem[0], &problem[1])?;
    solution::judge(&root, &asked, &solution, rule_sets)?;
    Ok((problem, solution))
}

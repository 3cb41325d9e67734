//! Odd expressions, in every command that takes one.

use crate::attempt::Attempt;
use crate::odd;
use crate::random::Random;
use fairyproof::language::{FORMS, NAMES};
use std::time::Duration;

/// Texts between names: signs, literals, parts of forms.
const PIECES: [&str; 42] = [
    "&&",
    "||",
    "==",
    "!=",
    "<",
    "<=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "!",
    "?",
    ":",
    ".",
    ",",
    "(",
    ")",
    "[",
    "]",
    "in",
    "true",
    "0",
    "1",
    "9223372036854775807",
    "'queen'",
    "'e4'",
    "'j10'",
    "'white-wins'",
    "'hoplite'",
    "'silver'",
    "'customPiece1'",
    "'p16'",
    "'a0'",
    "[]",
    "flip",
    "''",
    "\"",
    "'",
    "// x\n",
    "x",
    "\u{e4}",
];

/// Returns a name, sometimes with arguments.
fn name(random: &mut Random) -> String {
    if random.one_in(5) {
        return FORMS[random.below(FORMS.len())].0.to_string();
    }
    let row = &NAMES[random.below(NAMES.len())];
    let args: Vec<&str> = (0..random.below(4))
        .map(|_| {
            random.pick(&[
                "white", "side", "'queen'", "'e4'", "units[0]", "1", "x", "turns",
            ])
        })
        .collect();
    match random.below(3) {
        0 => format!("{}({})", row.name, args.join(", ")),
        _ => row.name.to_string(),
    }
}

/// Returns an expression, or nearly one.
fn expression(random: &mut Random) -> String {
    match random.below(8) {
        0 => "(".repeat(random.below(400)) + "check",
        1 => "!".repeat(random.below(400)) + "check",
        2 => format!("[{}] == [1]", "1, ".repeat(random.below(20_000))),
        3 => "squares.all(a, squares.all(b, squares.all(c, squares.all(d, distance(a, b) + distance(c, d) >= 0))))".into(),
        4 => {
            let form = random.pick(&["all", "exists", "exists_one", "filter", "map"]);
            let list = random.pick(&["units", "turns", "squares", "pseudo", "[1, 2]", "['e4', 'e5']"]);
            format!("{list}.{form}(x, {} {} {})", name(random), random.pick(&PIECES), name(random))
        }
        5 => {
            let example = NAMES[random.below(NAMES.len())].example.expression;
            odd::mutated(example, random)
        }
        _ => {
            let mut text = String::new();
            for _ in 0..random.below(12) {
                text += &match random.one_in(2) {
                    true => name(random),
                    false => random.pick(&PIECES).to_string(),
                };
                text.push(' ');
            }
            text
        }
    }
}

/// Commands with an expression.
pub fn expressions(random: &mut Random) -> Attempt {
    let variant = odd::variant(random);
    let text = format!("={}", expression(random));
    let option = |name: &str| format!("--{name}{text}");
    let explored = ["--max-depth", "1", "--time", "0.5"];
    let explore = |question: &[&str]| {
        let arguments = ["explore", &variant].into_iter().chain(explored);
        Attempt::of(arguments.chain(question.iter().copied()))
    };
    let mut attempt = match random.below(9) {
        0 => Attempt::of(["turns", &variant, "--time", "0.5", &option("where")]),
        1 => explore(&[&option(random.pick(&["find", "always"]))]),
        2 => explore(&["--count=true", &option("by")]),
        4 => Attempt::of([
            "prove",
            &variant,
            "--within",
            "1",
            "--time",
            "0.5",
            &option("goal"),
        ]),
        5 => Attempt::of([
            "puzzles",
            "mine",
            &variant,
            "--source",
            "random",
            "--candidates",
            "4",
            "--stipulation",
            "win 1",
            &option(random.pick(&["where", "key"])),
        ]),
        6 => Attempt::of([
            "table",
            "find",
            &variant,
            "KvK",
            "--time",
            "0.5",
            &text[1..],
        ]),
        3 => Attempt::of([
            "solve",
            &variant,
            "--time",
            "0.5",
            &option("goal"),
            "goal 1",
        ]),
        _ => {
            let fen = odd::fen(&variant, random);
            let mut attempt = Attempt::of(["eval", &variant, "--time", "0.5"]);
            attempt
                .arguments
                .extend(["--fen".to_string(), fen, text[1..].to_string()]);
            attempt.time = Some(Duration::from_millis(500));
            attempt
        }
    };
    if attempt
        .arguments
        .iter()
        .any(|argument| argument.contains('\0'))
    {
        attempt.arguments.pop();
    }
    attempt
}

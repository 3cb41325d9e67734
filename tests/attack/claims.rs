//! Odd claims files: statements that are known to be true or false, and statements together with their opposites,
//! of which at most one may be confirmed, with numbers near a bound, states, ambiguous words and corrections without
//! end.

use crate::attempt::{Attempt, Ran};
use crate::odd;
use crate::random::Random;
use std::time::Duration;

/// The memory that is named.
const MEMORY: &str = "64M";
const MEMORY_BYTES: u64 = 64 << 20;

/// A definition with a state: a unit in hand that enters where an unmoved unit leaves, or drops, or a counter.
fn rules(random: &mut Random) -> String {
    let keys = random.pick(&[
        "gating = true\nseirawanGating = true\nstartFen = 2a1/4/4/AA2[b] w ab - 0 1\n",
        "pieceDrops = true\nstartFen = 2a1/4/4/AA2[b] w - - 0 1\n",
        "nMoveRule = 700\nnMoveRuleKept = true\nstartFen = b2B/4/4/4 w - - 0 1\n",
        "startFen = aaa1/4/4/AAA1 w - - 0 1\npromotedPieceType = a:b\nmandatoryPiecePromotion = true\n\
         promotionRegionWhite = *4\npromotionRegionBlack = *1\n",
    ]);
    format!(
        "[odd:chess]\nmaxRank = 4\nmaxFile = 4\npawn = -\nknight = -\nbishop = -\nrook = -\nqueen = -\nking = -\n\
         customPiece1 = a:mfWmfF\ncustomPiece2 = b:mWcF\npromotionPawnTypes = -\ncastling = false\n\
         doubleStep = false\nstalemateValue = draw\n{keys}\n\
         [ambiguous:chess]\npawn = -\nknight = -\nbishop = -\nrook = -\nqueen = -\nking = -\n\
         customPiece1 = a:mWmFmDmNmAmHmCmZmG\ncustomPiece2 = w:mW\npromotionPawnTypes = -\ncastling = false\n\
         doubleStep = false\nstartFen = 7w/8/8/8/8/8/AAAA4/AAAA4 w - - 0 1\n"
    )
}

/// A number near a bound of 32, 53 or 64 bits, or of the proof search.
fn number(random: &mut Random) -> &'static str {
    random.pick(&[
        "0",
        "1",
        "7",
        "1000",
        "1001",
        "2000",
        "4294967295",
        "9007199254740992",
        "9007199254740993",
        "9223372036854775807",
    ])
}

/// A condition, whose premises may never hold.
fn condition(random: &mut Random) -> &'static str {
    random.pick(&[
        "check",
        "!check || over",
        "turns.filter(t, size(t.captures) > 0).all(t, t.checks)",
        "['a1', 'b1'].all(s, !check || empty(s))",
        "squares.all(a, squares.all(b, squares.all(c, squares.all(d, a != b || c != d || true))))",
        "size(turns) < 9",
    ])
}

/// A set of positions.
fn set(random: &mut Random) -> &'static str {
    random.pick(&[
        "",
        "over = \"graph\"\nlimits = { states = 200 }\n",
        "over = { graph = { depth = 2 } }\n",
        "over = { steps = true }\n",
        "over = { games = 5 }\n",
        "over = { placements = \"any, any\" }\nlimits = { positions = 5000 }\n",
    ])
}

/// Returns a check whose truth is known, with its truth.
fn known(random: &mut Random) -> (bool, String) {
    match random.below(3) {
        0 => {
            let (value, stated) = (number(random), number(random));
            let [a, b] = [value, stated].map(|text| text.parse::<i64>().expect("a number"));
            let measure = random.pick(&["min", "max", "mean"]);
            let (holds, relation) = match random.below(3) {
                0 => (a >= b, "at_least"),
                1 => (a <= b, "at_most"),
                _ => (a == b, "is"),
            };
            let over = random.pick(&["over = \"graph\"", "over = { games = 8 }"]);
            let text = format!(
                "{over}\nlimits = {{ states = 20 }}\n{measure} = \"{value}\"\n{relation} = {stated}\n"
            );
            (holds, text)
        }
        1 => {
            // Every start position has a turn.
            let offset = random.pick(&["0", "5000000000000000000", "9223372036854775807"]);
            let own = random.pick(&["0", "4 - u.row", "u.kind == 'a' ? 9 - 2 * u.row : 0"]);
            let sum = |share: &str| format!("sum(units(mover).map(u, {share}))");
            let shares = sum(&format!("{offset} + ({own})"));
            let text = format!(
                "bound = \"{shares} - {}\"\nturns = 0\nlimits = {{ states = 300 }}\n",
                sum(offset)
            );
            (false, text)
        }
        // A reading of this line is legal, but it takes long to find.
        _ => (
            false,
            "variant = \"ambiguous\"\nlegal = false\n\
             line = \"Aa3 Wh7 Ab3 Wh8 Ac3 Wh7 Ad3 Wh8 Aa4 Wh7 Ab4 Wh8 a1c4\"\n"
                .to_string(),
        ),
    }
}

/// Returns two checks of which at most one is true.
fn opposites(random: &mut Random) -> [String; 2] {
    match random.below(5) {
        0 => {
            let (set, condition) = (set(random), condition(random));
            let claim = |key: &str| format!("{set}{key} = \"{condition}\"\n");
            // In an empty set, nothing is confirmed.
            [claim("always"), claim("never")]
        }
        1 => {
            let measure = random.pick(&["min", "max", "sum", "mean"]);
            let value = number(random);
            let claim = |relation: &str, number: &str| {
                format!(
                    "over = \"graph\"\nlimits = {{ states = 50 }}\n{measure} = \"{value}\"\n{relation} = {number}\n"
                )
            };
            [
                claim("at_most", "9007199254740992"),
                claim("at_least", "9007199254740993"),
            ]
        }
        2 => {
            let within = random.pick(&["1", "1000", "1001", "2000", "4294967295"]);
            let goal = random.pick(&["win", "not-lose"]);
            let claim = |holds: &str| {
                format!(
                    "force = \"{goal}\"\nwithin = {within}\nholds = {holds}\nlimits = {{ states = 1, positions = 20000 }}\n"
                )
            };
            [claim("true"), claim("false")]
        }
        3 => {
            let words: Vec<&str> = (0..1 + random.below(12))
                .map(|_| {
                    random.pick(&[
                        "Aa2", "Ab2", "Aa3", "Bb1", "Bc3", "a1b2", "Ab3", "Bd4", "Bc1",
                    ])
                })
                .collect();
            let line = words.join(" ");
            let claim = |legal: &str| format!("line = \"{line}\"\nlegal = {legal}\n");
            [claim("true"), claim("false")]
        }
        _ => {
            let offset = random.pick(&["0", "5000000000000000000", "9223372036854775807"]);
            let measure = format!(
                "sum(units(mover).map(u, {offset} + (u.kind == 'a' ? 4 - u.row : 0))) - sum(units(mover).map(u, {offset}))"
            );
            let turns = random.below(9);
            let limits = "limits = { states = 3000 }\n";
            // A game of this many turns of White has more plies than the longest.
            [
                format!("bound = \"{measure}\"\nturns = {turns}\n{limits}"),
                format!(
                    "over = \"graph\"\nlongest = \"play\"\nat_least = {}\n{limits}",
                    2 * turns + 1
                ),
            ]
        }
    }
}

/// Returns a claim that is long, or whose corrections are many.
fn large(random: &mut Random) -> String {
    let many = 1 + random.below(6);
    match random.below(6) {
        0 => format!("line = \"Aa4 Bb1\"\namend = [ {{ insert_turns = {many} }} ]\n"),
        1 => format!("sum = \"size(turns)\"\nis = 99\namend = [ {{ move_unit = {many} }} ]\n"),
        2 => format!("always = \"check\"\nnonvacuous = \"over\"\namend = [ {{ add_unit = {many} }} ]\n"),
        3 => {
            let value = "x".repeat(random.below(40_000));
            let text = "{a}".repeat(random.below(2_000));
            format!("sum = \"1\"\nis = 1\nsource = \"{text}\"\nfor = {{ a = [\"{value}\"] }}\n")
        }
        4 => "over = { placements = \"any, any, any, any, any, any, any, any\" }\ncount = \"true\"\nis = 0\n"
            .to_string(),
        _ => "perft = 12\nis = 1\nlimits = { positions = 9223372036854775807 }\n".to_string(),
    }
}

/// Returns a false verdict, or two opposites that are both confirmed.
fn is_false(ran: &Ran) -> Option<String> {
    let mut reader = csv::Reader::from_reader(ran.out.as_bytes());
    let wrong = reader.records().flatten().find(|row| {
        row[0].ends_with("-false") && row[3].starts_with("confirmed")
            || row[0].ends_with("-true") && &row[3] == "refuted"
    });
    if let Some(row) = wrong {
        return Some(format!("a false verdict: {row:?}"));
    }
    let mut reader = csv::Reader::from_reader(ran.out.as_bytes());
    let confirmed: Vec<String> = (reader.records().flatten())
        .filter(|row| &row[3] == "confirmed")
        .map(|row| row[0].to_string())
        .collect();
    let is_confirmed = |id: String| confirmed.contains(&id);
    (0..3)
        .find(|n| is_confirmed(format!("file/{n}-one")) && is_confirmed(format!("file/{n}-other")))
        .map(|n| format!("{n}-one and {n}-other are both confirmed:\n{}", ran.out))
}

/// Claims files of every kind.
pub fn file(random: &mut Random) -> Attempt {
    let mut text = String::from(
        "[page]\ntitle = \"=1+1\\u001b[31m\"\nvariant = \"odd\"\nrules = [\"rules.ini\"]\n",
    );
    for n in 0..3 {
        let (holds, check) = known(random);
        text += &format!("[[claim]]\nid = \"{n}-{holds}\"\nsays = \"x\"\n{check}");
        for (name, check) in ["one", "other"].iter().zip(opposites(random)) {
            text += &format!("[[claim]]\nid = \"{n}-{name}\"\nsays = \"\\u001b[31m=1\"\n{check}");
        }
    }
    if random.one_in(2) {
        let id = "a".repeat(1 + random.below(300));
        text += &format!(
            "[[claim]]\nid = \"{id}\"\nsays = \"large\"\n{}",
            large(random)
        );
    }
    if random.one_in(5) {
        text = odd::mutated(&text, random);
    }
    let mut arguments = vec![
        "verify",
        "@/file.toml",
        "--format",
        "csv",
        "--memory",
        MEMORY,
    ];
    let threads = random.pick(&["1", "2"]);
    arguments.extend(["--threads", threads]);
    if random.one_in(4) {
        arguments.extend(["--out", "@/out"]);
    }
    let is_timed = random.one_in(2);
    if is_timed {
        arguments.extend(["--time", "0.5"]);
    }
    let mut attempt = Attempt::of(arguments);
    attempt.time = is_timed.then(|| Duration::from_millis(500));
    attempt.memory_bytes = Some(MEMORY_BYTES);
    attempt.judge = Some(is_false);
    attempt.files = vec![
        ("file.toml".to_string(), text.into_bytes()),
        ("rules.ini".to_string(), rules(random).into_bytes()),
    ];
    attempt
}

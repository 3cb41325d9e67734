//! Random claims over random small rule sets, against a brute force that reads the same file, plays by the naive
//! rules and evaluates expressions with the interpreter of the `cel` crate.

use crate::drawn::{Drawn, Random};
use catalog::Catalog;
use cel::extractors::{Arguments, This};
use cel::{Context, ExecutionError, Program, Value};
use claims::{OpenFile, Verdict};
use control::Control;
use naive::defined::{Game, Library, Outcome, State};
use quickcheck::{QuickCheck, TestResult};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The number of claims of each file.
const CLAIMS: usize = 8;

/// The most positions of the brute force, so that a test takes seconds.
const MAX_POSITIONS: usize = 120;

// ---- Writing claims ----

/// Writes random expressions over positions.
struct Writer<'r> {
    random: &'r mut Random,
    letters: Vec<char>,
    /// The names of units and turns in scope.
    units: Vec<String>,
    turns: Vec<String>,
    /// Whether `depth` and `out_degree` are known.
    graph: bool,
}

impl Writer<'_> {
    fn kind(&mut self) -> String {
        format!("'{}'", self.random.pick(&self.letters))
    }

    fn side(&mut self) -> &'static str {
        self.random.pick(&["white", "black", "side", "other(side)"])
    }

    /// Returns a list of units.
    fn list(&mut self) -> String {
        match (self.random.below(5), self.turns.last().cloned()) {
            (0, Some(turn)) => format!("{turn}.after.units"),
            (1, _) => format!("units({})", self.side()),
            (2, _) => format!("units({})", self.kind()),
            (3, _) => format!("units({}, {})", self.side(), self.kind()),
            _ => "units".to_owned(),
        }
    }

    fn over_units(&mut self, write: impl FnOnce(&mut Self) -> String) -> (String, String) {
        let name = format!("u{}", self.units.len());
        self.units.push(name.clone());
        let body = write(self);
        self.units.pop();
        (name, body)
    }

    fn integer(&mut self, depth: usize) -> String {
        let next = depth.saturating_sub(1);
        match (self.random.below(9), self.units.last().cloned()) {
            (0, _) => self.random.below(9).to_string(),
            (1, Some(unit)) => format!("{unit}.{}", self.random.pick(&["file", "rank", "row"])),
            (2, _) => format!("count({}, {})", self.side(), self.kind()),
            (3, _) if self.turns.is_empty() => "size(turns)".to_owned(),
            (4, _) if self.graph => self.random.pick(&["depth", "out_degree"]).to_owned(),
            (5, _) if depth > 0 => {
                let sign = self.random.pick(&["+", "-", "*"]);
                format!("({} {sign} {})", self.integer(next), self.integer(next))
            }
            (6, _) if depth > 0 => {
                let list = self.list();
                let (name, body) = self.over_units(|w| w.integer(0));
                format!("sum({list}.map({name}, {body}))")
            }
            (7, _) if depth > 0 && self.turns.is_empty() => {
                format!("size(turns.filter(t, {}))", self.over_turn(next))
            }
            _ => format!("size({})", self.list()),
        }
    }

    /// Returns a condition about a turn `t`.
    fn over_turn(&mut self, depth: usize) -> String {
        self.turns.push("t".to_owned());
        let body = self.condition(depth);
        self.turns.pop();
        body
    }

    fn condition(&mut self, depth: usize) -> String {
        let next = depth.saturating_sub(1);
        match (self.random.below(11), self.turns.last().cloned()) {
            (0, Some(turn)) => {
                let member = self.random.pick(&["over", "drawn"]);
                format!("{turn}.after.{member}")
            }
            (1, _) => self.random.pick(&["over", "drawn", "true"]).to_owned(),
            (2, _) => format!("won({})", self.random.pick(&["white", "black"])),
            (3, _) => format!("side == {}", self.side()),
            (4, _) if depth > 0 => {
                let sign = self.random.pick(&["&&", "||"]);
                format!("({} {sign} {})", self.condition(next), self.condition(next))
            }
            (5, _) if depth > 0 => format!("!({})", self.condition(next)),
            (6, _) if depth > 0 => {
                let list = self.list();
                let (name, body) = self.over_units(|w| w.condition(0));
                let form = self.random.pick(&["all", "exists", "exists_one"]);
                format!("{list}.{form}({name}, {body})")
            }
            (7, None) if depth > 0 => {
                let form = self.random.pick(&["all", "exists"]);
                format!("turns.{form}(t, {})", self.over_turn(next))
            }
            (8, _) if !self.units.is_empty() => {
                let unit = self.units.last().cloned().unwrap_or_default();
                format!("{unit}.kind == {}", self.kind())
            }
            _ => {
                let sign = self.random.pick(&["==", "<", "<=", "!="]);
                format!("{} {sign} {}", self.integer(next), self.integer(next))
            }
        }
    }
}

/// Returns a claims file about the rule set `drawn`. Measures are compared with numbers at or near the brute force's.
fn written(brute: &BruteForce, random: &mut Random) -> String {
    let letters: BTreeSet<char> = brute.root.units().iter().map(|unit| unit.1).collect();
    let mut text = "[page]\ntitle = 'T'\nid = 't'\nvariant = 'drawn'\n".to_owned();
    for at in 0..CLAIMS {
        let graph = random.below(4) > 0;
        let mut claim = toml::Table::new();
        claim.insert("id".into(), format!("c{at}").into());
        claim.insert("says".into(), "s".into());
        if random.one_in(3) {
            claim.insert("line".into(), line(&brute.root, random).into());
        }
        let mut writer = Writer {
            random,
            letters: letters.iter().copied().collect(),
            units: Vec::new(),
            turns: Vec::new(),
            graph,
        };
        let check = writer.random.below(9);
        let expression: toml::Value = match check {
            0..=3 => writer.condition(3).into(),
            4..=7 => writer.integer(2).into(),
            _ => toml::Value::Integer(writer.random.below(4) as i64),
        };
        let quantifiers = ["always", "never", "exists"];
        let random = &mut *writer.random;
        let key = match check {
            0 | 1 => random.pick(&quantifiers),
            2 | 3 => random.pick(&["count", "share"]),
            4..=7 => random.pick(&["min", "max", "sum", "mean"]),
            _ => random.pick(&["perft", "states"]),
        };
        let over: toml::Table = "graph = { depth = 2 }".parse().expect("a table");
        match key {
            "perft" => claim.insert(key.into(), expression),
            "states" => {
                claim.insert("over".into(), over.into());
                claim.insert(key.into(), true.into())
            }
            _ => {
                if graph {
                    claim.insert("over".into(), over.into());
                }
                claim.insert(key.into(), expression)
            }
        };
        if !quantifiers.contains(&key) {
            let (numerator, denominator) = brute.measured(&claim);
            let near = numerator + [0, 0, 1, -1][random.below(4)];
            let relation = random.pick(&["is", "is", "at_least", "at_most"]);
            let number: toml::Value = match denominator {
                1 => near.into(),
                _ => format!("{near}/{denominator}").into(),
            };
            claim.insert(relation.into(), number);
        }
        text += "[[claim]]\n";
        for (key, value) in &claim {
            text += &format!("{key} = {value}\n");
        }
    }
    text
}

/// Returns one or two turns that can be played first.
fn line(root: &State, random: &mut Random) -> String {
    let (mut state, mut words) = (root.clone(), Vec::new());
    for _ in 0..1 + random.below(2) {
        let turns = state.turns();
        if turns.is_empty() {
            break;
        }
        let (turn, after) = turns[random.below(turns.len())].clone();
        words.push(turn);
        state = after;
    }
    words.join(" ")
}

// ---- The brute force ----

struct BruteForce {
    root: State,
    ranks: i32,
}

impl BruteForce {
    fn new(drawn: &Drawn) -> BruteForce {
        let library = Library::read(&drawn.text()).expect("a drawn definition");
        let game: Game = library.game("drawn").expect("its section");
        let root = game.read(game.start()).expect("its start");
        let ranks = drawn.keys.iter().find(|(key, _)| key == "maxRank");
        let ranks = ranks.map_or(8, |(_, ranks)| ranks.parse().expect("a number"));
        BruteForce { root, ranks }
    }

    /// Returns the position after the claim's line.
    fn position(&self, claim: &toml::Table) -> State {
        let line = claim
            .get("line")
            .map_or("", |line| line.as_str().expect("text"));
        line.split_whitespace()
            .fold(self.root.clone(), |state, word| {
                let turn = state.turns().into_iter().find(|(turn, _)| turn == word);
                turn.expect("a legal turn").1
            })
    }

    /// Returns the positions of the claim's set, with their depths.
    fn set(&self, claim: &toml::Table) -> Vec<(State, Option<i64>)> {
        let root = self.position(claim);
        let Some(over) = claim.get("over") else {
            return vec![(root, None)];
        };
        let depth = over["graph"]["depth"].as_integer().expect("a depth");
        let mut seen = BTreeSet::from([root.identity()]);
        let mut all = vec![(root, Some(0))];
        let mut next = 0;
        while next < all.len() {
            let (state, at) = all[next].clone();
            if at < Some(depth) {
                for (_, after) in state.turns() {
                    if seen.insert(after.identity()) {
                        all.push((after, at.map(|at| at + 1)));
                    }
                }
            }
            next += 1;
        }
        all
    }

    /// Returns the values of an expression, one for each position of the set.
    fn values(&self, claim: &toml::Table, expression: &str) -> Vec<i64> {
        let program = Program::compile(expression).unwrap_or_else(|e| panic!("{expression}: {e}"));
        let value = |(state, depth): (State, Option<i64>)| {
            let context = self.context(&state, depth);
            match program.execute(&context) {
                Ok(Value::Bool(holds)) => i64::from(holds),
                Ok(Value::Int(number)) => number,
                other => panic!("{expression}: {other:?}"),
            }
        };
        self.set(claim).into_iter().map(value).collect()
    }

    /// Returns what the claim measures, as a fraction.
    fn measured(&self, claim: &toml::Table) -> (i64, i64) {
        if let Some(depth) = claim.get("perft") {
            let depth = depth.as_integer().expect("a depth");
            return (self.position(claim).perft(depth as u32) as i64, 1);
        }
        if claim.contains_key("states") {
            return (self.set(claim).len() as i64, 1);
        }
        let kinds = ["count", "share", "min", "max", "sum", "mean"];
        let kind = kinds.into_iter().find(|kind| claim.contains_key(*kind));
        let kind = kind.expect("a measure");
        let values = self.values(claim, claim[kind].as_str().expect("text"));
        let sum = values.iter().sum();
        match kind {
            "share" | "mean" => (sum, values.len() as i64),
            "min" => (values.into_iter().min().expect("a value"), 1),
            "max" => (values.into_iter().max().expect("a value"), 1),
            _ => (sum, 1),
        }
    }

    /// Returns whether the claim holds.
    fn holds(&self, claim: &toml::Table) -> bool {
        for (key, quantifier) in [("always", 0), ("never", 1), ("exists", 2)] {
            if let Some(text) = claim.get(key) {
                let values = self.values(claim, text.as_str().expect("text"));
                let holds = values.iter().filter(|value| **value == 1).count();
                return match quantifier {
                    0 => holds == values.len(),
                    1 => holds == 0,
                    _ => holds > 0,
                };
            }
        }
        let (numerator, denominator) = self.measured(claim);
        let compares = |relation: &str| {
            let text = claim.get(relation)?.to_string();
            let text = text.trim_matches(['"', '\'']);
            let (n, d) = text.split_once('/').unwrap_or((text, "1"));
            let number = |text: &str| text.parse::<i64>().expect("a number");
            Some((numerator * number(d)).cmp(&(number(n) * denominator)))
        };
        compares("is").is_none_or(|order| order.is_eq())
            && compares("at_least").is_none_or(|order| order.is_ge())
            && compares("at_most").is_none_or(|order| order.is_le())
    }

    /// Returns what an expression can name in a position.
    fn context(&self, state: &State, depth: Option<i64>) -> Context<'static, 'static> {
        let mut context = Context::default();
        let mut fields = self.fields(state);
        let turn = |(_, after): (String, State)| {
            let after = Value::from(self.fields(&after));
            Value::from(Fields::from([("after".to_owned(), after)]))
        };
        let turns: Vec<Value> = state.turns().into_iter().map(turn).collect();
        if let Some(depth) = depth {
            fields.insert("depth".to_owned(), Value::Int(depth));
            fields.insert("out_degree".to_owned(), Value::Int(turns.len() as i64));
        }
        fields.insert("turns".to_owned(), Value::List(turns.into()));
        for (name, value) in &fields {
            context.add_variable_from_value(name.clone(), value.clone());
        }
        context.add_variable_from_value("white", text("white"));
        context.add_variable_from_value("black", text("black"));
        let Value::List(units) = fields["units"].clone() else {
            unreachable!("a list");
        };
        let counted = Arc::clone(&units);
        let outcome = state.outcome();
        type Called = Result<Value, ExecutionError>;
        let other = |This(side): This<Value>| -> Called {
            Ok(text(if side == text("white") {
                "black"
            } else {
                "white"
            }))
        };
        let sum = |This(list): This<Value>| -> Called {
            let Value::List(items) = list else {
                return Ok(Value::Null);
            };
            let number = |item: &Value| if let Value::Int(n) = item { *n } else { 0 };
            Ok(Value::Int(items.iter().map(number).sum()))
        };
        let added = [
            context.add_function("units", move |Arguments(args): Arguments| -> Called {
                Ok(Value::List(chosen(&units, &args).into()))
            }),
            context.add_function("count", move |Arguments(args): Arguments| -> Called {
                Ok(Value::Int(chosen(&counted, &args).len() as i64))
            }),
            context.add_function("won", move |This(side): This<Value>| -> Called {
                let won = match outcome {
                    Outcome::Wins(0) => text("white"),
                    Outcome::Wins(_) => text("black"),
                    _ => Value::Null,
                };
                Ok(Value::Bool(won == side))
            }),
            context.add_function("other", other),
            context.add_function("sum", sum),
        ];
        assert!(added.iter().all(Result::is_ok), "functions are declared");
        context
    }

    /// Returns the members of a position, except its turns.
    fn fields(&self, state: &State) -> Fields {
        let unit = |(white, letter, file, rank): (bool, char, i32, i32)| {
            let row = if white { rank + 1 } else { self.ranks - rank };
            Value::from(Fields::from([
                ("side".to_owned(), side(white)),
                ("kind".to_owned(), text(&letter.to_string())),
                ("file".to_owned(), Value::Int((file + 1).into())),
                ("rank".to_owned(), Value::Int((rank + 1).into())),
                ("row".to_owned(), Value::Int(row.into())),
            ]))
        };
        let units: Vec<Value> = state.units().into_iter().map(unit).collect();
        let outcome = state.outcome();
        Fields::from([
            ("side".to_owned(), side(state.is_white())),
            ("units".to_owned(), Value::List(units.into())),
            (
                "over".to_owned(),
                Value::Bool(!matches!(outcome, Outcome::Ongoing)),
            ),
            (
                "drawn".to_owned(),
                Value::Bool(matches!(outcome, Outcome::Draw)),
            ),
        ])
    }
}

type Fields = HashMap<String, Value>;

fn text(text: &str) -> Value {
    Value::String(text.to_owned().into())
}

fn side(white: bool) -> Value {
    text(if white { "white" } else { "black" })
}

/// Returns the units of these sides and kinds.
fn chosen(units: &[Value], args: &[Value]) -> Vec<Value> {
    let member = |unit: &Value, name: &str| match unit {
        Value::Map(map) => map
            .map
            .get(&cel::objects::Key::from(name))
            .cloned()
            .unwrap_or(Value::Null),
        _ => Value::Null,
    };
    let fits = |unit: &&Value| {
        args.iter()
            .all(|arg| member(unit, "side") == *arg || member(unit, "kind") == *arg)
    };
    units.iter().filter(fits).cloned().collect()
}

// ---- The comparison ----

/// Returns an error where the program's verdicts differ.
fn compared(seed: u64) -> TestResult {
    let drawn = Drawn::small(seed);
    let mut catalog = Catalog::new();
    if catalog.add_text("drawn.ini", &drawn.text()).is_err() || catalog.open("drawn").is_err() {
        return TestResult::discard();
    }
    let brute = BruteForce::new(&drawn);
    let largest: toml::Table = "over = { graph = { depth = 2 } }".parse().expect("a table");
    if brute.root.units().is_empty() || brute.set(&largest).len() > MAX_POSITIONS {
        return TestResult::discard();
    }
    let text = written(&brute, &mut Random(seed));
    let read: toml::Table = text.parse().unwrap_or_else(|e| panic!("{text}{e}"));
    let claims = read["claim"].as_array().expect("claims");
    let fail = |why: &str| TestResult::error(format!("{why}\n{text}\n{}", drawn.text()));
    let file = match OpenFile::read("t.toml", &text, None, &Arc::new(catalog)) {
        Ok(file) => file,
        Err(error) => return fail(&error.to_string()),
    };
    for (entry, claim) in file.file.entries.iter().zip(claims) {
        let claim = claim.as_table().expect("a table");
        let finding = match file.verify(entry, &Control::new()) {
            Ok(finding) => finding,
            Err(error) => return fail(&error.to_string()),
        };
        // An implication that never applies holds.
        let holds = match finding.verdict {
            Verdict::Confirmed | Verdict::Vacuous => true,
            Verdict::Refuted => false,
            verdict => return fail(&format!("{claim}{verdict}: {}", finding.summary)),
        };
        if holds != brute.holds(claim) {
            return fail(&format!(
                "{claim}{}: {}; by brute force {}",
                finding.verdict, finding.summary, !holds
            ));
        }
    }
    TestResult::passed()
}

#[test]
fn random_claims_agree_with_brute_force_by_naive_rules() {
    QuickCheck::new()
        .tests(40)
        .max_tests(400)
        .quickcheck(compared as fn(u64) -> TestResult);
}

/// Definitions write the unit that enters by gating after the squares; the naive rules join its step by `+`.
#[test]
fn line_with_gating_is_legal_in_both_notations() {
    let mut catalog = Catalog::new();
    let text = "[drawn:seirawan]\nmaxFile = 3\nmaxRank = 4\ncastling = false\n\
        startFen = k2/3/3/K1N[Hh] w Cc - 0 1\n";
    catalog.add_text("drawn.ini", text).expect("a definition");
    let file = OpenFile::read(
        "t.toml",
        "[page]\ntitle = 'T'\nvariant = 'drawn'\n\
         [[claim]]\nid = 'letter'\nsays = 's'\nline = 'c1b3h'\n\
         [[claim]]\nid = 'step'\nsays = 's'\nline = 'c1b3+H@c1'\n\
         [[claim]]\nid = 'elsewhere'\nsays = 's'\nline = 'c1b3+H@c2'\nlegal = false\n",
        None,
        &Arc::new(catalog),
    )
    .expect("a claims file");
    for entry in &file.file.entries {
        let finding = file.verify(entry, &Control::new()).expect("a finding");
        assert_eq!(finding.verdict, Verdict::Confirmed, "{}", finding.summary);
    }
}

/// With `pass`, positions differ by the number of passes, which a FEN of the naive rules leaves out.
#[test]
fn positions_with_different_numbers_of_passes_are_two() {
    let drawn = Drawn::small(2_644_156_349_955_761_394);
    assert!(drawn.text().contains("pass = true"));
    let brute = BruteForce::new(&drawn);
    let claim: toml::Table = "over = { graph = { depth = 2 } }".parse().expect("a table");
    let set = brute.set(&claim);
    let fens: BTreeSet<String> = set.iter().map(|(state, _)| state.fen()).collect();
    assert_eq!((set.len(), fens.len()), (85, 85));
    let boards = |(state, _): &(State, _)| {
        let fen = state.fen();
        let fields: Vec<&str> = fen.split(' ').take(2).collect();
        fields.join(" ")
    };
    let boards: BTreeSet<String> = set.iter().map(boards).collect();
    assert_eq!(boards.len(), 84);
}

//! Compares the compiled form with the interpreter of the `cel` crate over plain lists, and our syntax trees
//! with those of its parser.

use crate::plain::{Fields, Plain, text};
use crate::{compile, setup, variant};
use board::{Geometry, Squares};
use cel::common::ast::{ComprehensionExpr, Expr, LiteralValue};
use cel::extractors::{Arguments, This};
use cel::{Context, ExecutionError, IdedExpr, Program, Value};
use language::{Item, Node, Operator, Subject, Tree, Type, kind_names, parse};
use notation::{Setup, with_setup};
use position::Layout;
use quickcheck::{Arbitrary, Gen};
use rules::with_game;
use std::collections::HashMap;
use std::error::Error;
use std::sync::Arc;

/// The words for random expressions about a board.
#[derive(Clone)]
struct Vocabulary {
    squares: Vec<String>,
    kinds: Vec<String>,
}

impl Vocabulary {
    fn of(setup: &Setup) -> Vocabulary {
        let game = setup.game();
        with_game!(&game, game => {
            let geometry: Geometry = game.board().geometry();
            let squares = game.board().squares().iter();
            Vocabulary {
                squares: squares.map(|square| geometry.name(square)).collect(),
                kinds: kind_names(game.variant(), game.men()).into_iter().map(|k| k.name).collect(),
            }
        })
    }
}

/// A generator of random expressions of a requested type.
struct Writer<'a> {
    g: &'a mut Gen,
    words: &'a Vocabulary,
    scope: Vec<(String, Item)>,
}

impl Writer<'_> {
    fn pick(&mut self, n: usize) -> usize {
        usize::arbitrary(self.g) % n
    }

    fn of<'s>(&mut self, texts: &[&'s str]) -> &'s str {
        texts[self.pick(texts.len())]
    }

    /// Returns a variable of a type, if there is one in scope.
    fn variable(&mut self, item: Item) -> Option<String> {
        let fitting: Vec<String> = self
            .scope
            .iter()
            .filter(|(_, found)| *found == item)
            .map(|(name, _)| name.clone())
            .collect();
        (!fitting.is_empty()).then(|| fitting[self.pick(fitting.len())].clone())
    }

    fn literal(&mut self, item: Item) -> String {
        let words = match item {
            Item::Square => &self.words.squares,
            _ => &self.words.kinds,
        };
        let n = usize::arbitrary(self.g) % words.len();
        format!("'{}'", words[n])
    }

    fn square(&mut self) -> String {
        match (
            self.pick(3),
            self.variable(Item::Unit),
            self.variable(Item::Turn),
        ) {
            (0, Some(unit), _) => format!("{unit}.square"),
            (1, _, Some(turn)) => format!("{turn}.{}", self.of(&["from", "to"])),
            _ => self
                .variable(Item::Square)
                .unwrap_or_else(|| self.literal(Item::Square)),
        }
    }

    fn kind(&mut self) -> String {
        match (
            self.pick(3),
            self.variable(Item::Unit),
            self.variable(Item::Turn),
        ) {
            (0, Some(unit), _) => format!("{unit}.kind"),
            (1, _, Some(turn)) => format!("{turn}.{}", self.of(&["kind", "becomes"])),
            _ => self.literal(Item::Kind),
        }
    }

    fn side(&mut self) -> String {
        match (self.pick(4), self.variable(Item::Unit)) {
            (0, Some(unit)) => format!("{unit}.side"),
            (1, _) => "other(side)".into(),
            _ => self.of(&["white", "black", "side"]).into(),
        }
    }

    fn position(&mut self) -> String {
        match (self.pick(2), self.variable(Item::Turn)) {
            (0, Some(turn)) => format!("{turn}.{}", self.of(&["before", "after"])),
            _ => "pass".into(),
        }
    }

    /// Returns a list and the type of its elements.
    fn list(&mut self, depth: usize) -> (String, Item) {
        let has_turn = self.scope.iter().any(|(_, item)| *item == Item::Turn);
        match self.pick(9) {
            0 => ("squares".into(), Item::Square),
            1 if !has_turn => ("turns".into(), Item::Turn),
            2 => (format!("units({})", self.side()), Item::Unit),
            3 => (format!("units({})", self.literal(Item::Kind)), Item::Unit),
            4 => (
                format!("units({}, {})", self.side(), self.kind()),
                Item::Unit,
            ),
            5 => (
                format!("attackers({}, {})", self.square(), self.side()),
                Item::Unit,
            ),
            6 => (format!("{}.units", self.position()), Item::Unit),
            7 if depth > 0 => {
                let (list, item) = self.list(depth - 1);
                let (name, body) = self.body(item, |w| w.boolean(depth - 1));
                (format!("{list}.filter({name}, {body})"), item)
            }
            8 => {
                let items = [self.literal(Item::Square), self.literal(Item::Square)];
                (format!("[{}]", items.join(", ")), Item::Square)
            }
            _ => ("units".into(), Item::Unit),
        }
    }

    /// Returns a new variable and the text that `write` generates with this variable in scope.
    fn body(&mut self, item: Item, write: impl FnOnce(&mut Self) -> String) -> (String, String) {
        let name = format!("v{}", self.scope.len());
        self.scope.push((name.clone(), item));
        let body = write(self);
        self.scope.pop();
        (name, body)
    }

    fn integer(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match (self.pick(4), self.variable(Item::Unit)) {
                (0, Some(unit)) => format!("{unit}.{}", self.of(&["file", "rank", "row"])),
                (1, _) => self.of(&["files", "ranks"]).into(),
                _ => self.pick(10).to_string(),
            };
        }
        let d = depth - 1;
        match self.pick(9) {
            0 => format!("size({})", self.list(d).0),
            1 => format!("count({}, {})", self.side(), self.kind()),
            2 => format!(
                "({} {} {})",
                self.integer(d),
                self.of(&["+", "-", "*"]),
                self.integer(d)
            ),
            3 => format!(
                "{} {} {}",
                self.integer(d),
                self.of(&["/", "%"]),
                1 + self.pick(9)
            ),
            4 => format!(
                "({} ? {} : {})",
                self.boolean(d),
                self.integer(d),
                self.integer(d)
            ),
            5 => format!("-{}", 1 + self.pick(9)),
            6 => {
                let (list, item) = self.list(d);
                let (name, body) = self.body(item, |w| w.integer(d));
                format!("sum({list}.map({name}, {body}))")
            }
            7 => match self.variable(Item::Turn) {
                Some(turn) => format!("{turn}.length2"),
                None => self.integer(0),
            },
            _ => self.integer(0),
        }
    }

    fn boolean(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match (
                self.pick(6),
                self.variable(Item::Unit),
                self.variable(Item::Turn),
            ) {
                (0, Some(unit), _) => format!("{unit}.{}", self.of(&["royal", "exists"])),
                (1, _, Some(turn)) => {
                    let members = [
                        "checks",
                        "mates",
                        "ends",
                        "promotes",
                        "castles",
                        "drops",
                        "en_passant",
                        "exists",
                    ];
                    format!("{turn}.{}", self.of(&members))
                }
                (2, ..) => format!(
                    "{}.{}",
                    self.position(),
                    self.of(&["check", "over", "drawn"])
                ),
                (3, ..) => format!("empty({})", self.literal(Item::Square)),
                (4, ..) => format!("won({})", self.of(&["white", "black"])),
                _ => self.of(&["check", "over", "drawn", "true", "false"]).into(),
            };
        }
        let d = depth - 1;
        match self.pick(13) {
            0 => format!("{} && {}", self.boolean(d), self.boolean(d)),
            1 => format!("({} || {})", self.boolean(d), self.boolean(d)),
            2 => format!("!({})", self.boolean(d)),
            3 => {
                let sign = self.of(&["==", "!=", "<", "<=", ">", ">="]);
                format!("({} {sign} {})", self.integer(d), self.integer(d))
            }
            4 => format!(
                "{} {} {}",
                self.kind(),
                self.of(&["==", "!="]),
                self.literal(Item::Kind)
            ),
            5 => format!("{} == {}", self.square(), self.square()),
            6 => format!("{} == {}", self.side(), self.side()),
            7..=9 => {
                let (list, item) = self.list(d);
                let (name, body) = self.body(item, |w| w.boolean(d));
                let form = self.of(&["all", "exists", "exists_one"]);
                format!("{list}.{form}({name}, {body})")
            }
            10 => format!("attacked({}, {})", self.square(), self.side()),
            11 => {
                let (list, item) = self.list(d);
                match item {
                    Item::Square => format!("{} in {list}", self.square()),
                    _ => format!("size({list}) > 0"),
                }
            }
            _ => format!(
                "({} ? {} : {})",
                self.boolean(d),
                self.boolean(d),
                self.boolean(d)
            ),
        }
    }
}

const DEFINITIONS: [&str; 20] = [
    "crazyhouse",
    "atomic",
    "antichess",
    "horde",
    "kingofthehill",
    "3check",
    "racingkings",
    "shogi",
    "minishogi",
    "xiangqi",
    "makruk",
    "sittuyin",
    "capablanca",
    "seirawan",
    "grand",
    "amazons",
    "breakthrough",
    "janggi",
    "losalamos",
    "gardner",
];

fn names() -> Vec<String> {
    let compiled = variants::all().iter().map(|info| info.id.to_owned());
    let defined = DEFINITIONS.iter().map(|name| (*name).to_owned());
    compiled
        .chain(defined.filter(|name| variant(name).is_ok()))
        .collect()
}

/// Returns a position after some random turns.
fn played(setup: &Setup, g: &mut Gen, turns: usize) -> Setup {
    let mut setup = setup.clone();
    with_setup!(&mut setup, start => {
        for _ in 0..turns {
            let mut list = Vec::new();
            start.game.turns(&start.position, &mut list);
            if list.is_empty() {
                break;
            }
            let n = usize::arbitrary(g) % list.len();
            start.position = start.game.play(&start.position, &list[n]);
        }
    });
    setup
}

fn field(value: &Value, name: &str) -> Value {
    match value {
        Value::Map(map) => {
            let key = cel::objects::Key::String(Arc::new(name.to_owned()));
            map.map.get(&key).cloned().unwrap_or(Value::Null)
        }
        _ => Value::Null,
    }
}

fn string(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string(),
        _ => String::new(),
    }
}

fn chosen(units: &Value, args: &[Value]) -> Vec<Value> {
    let Value::List(units) = units else {
        return Vec::new();
    };
    let fits = |unit: &&Value| {
        args.iter().all(|arg| {
            let text = string(arg);
            let sided = matches!(text.as_str(), "white" | "black");
            string(&field(unit, if sided { "side" } else { "kind" })) == text
        })
    };
    units.iter().filter(fits).cloned().collect()
}

/// Returns the interpreter's context for a position.
fn context(
    fields: &Fields,
    attackers: HashMap<(String, String), Value>,
) -> Context<'static, 'static> {
    let mut context = Context::default();
    for (name, value) in fields {
        context.add_variable_from_value(name.clone(), value.clone());
    }
    context.add_variable_from_value("white", text("white"));
    context.add_variable_from_value("black", text("black"));
    let units = fields["units"].clone();
    let counted = units.clone();
    let occupied = chosen(&units, &[]);
    let outcome = string(&fields["outcome"]);
    let attackers = Arc::new(attackers);
    let attacked = Arc::clone(&attackers);
    let key = |square: &Value, side: &Value| (string(square), string(side));
    type Called = Result<Value, ExecutionError>;
    let other = |This(side): This<Value>| -> Called {
        Ok(text(match string(&side).as_str() {
            "white" => "black",
            "black" => "white",
            _ => "",
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
        context.add_function("attackers", move |Arguments(args): Arguments| -> Called {
            let found = attackers.get(&key(&args[0], &args[1])).cloned();
            Ok(found.unwrap_or_else(|| Value::List(Vec::new().into())))
        }),
        context.add_function("attacked", move |Arguments(args): Arguments| -> Called {
            let found = attacked.get(&key(&args[0], &args[1]));
            Ok(Value::Bool(
                matches!(found, Some(Value::List(units)) if !units.is_empty()),
            ))
        }),
        context.add_function("empty", move |This(square): This<Value>| -> Called {
            Ok(Value::Bool(
                occupied.iter().all(|unit| field(unit, "square") != square),
            ))
        }),
        context.add_function("won", move |This(side): This<Value>| -> Called {
            Ok(Value::Bool(outcome == format!("{}-wins", string(&side))))
        }),
        context.add_function("other", other),
        context.add_function("sum", sum),
    ];
    assert!(added.iter().all(Result::is_ok), "functions are declared");
    context
}

/// Evaluates an expression with the interpreter. Returns `None` if the interpreter has no answer, for example
/// after an overflow.
fn interpreted(program: &Program, context: &Context<'_, '_>) -> Option<i64> {
    match program.execute(context).ok()? {
        Value::Bool(holds) => Some(i64::from(holds)),
        Value::Int(number) => Some(number),
        _ => None,
    }
}

/// Compares both implementations on one expression and one position. Returns whether the interpreter had an
/// answer.
fn compared<W: Layout>(
    setup: &Setup,
    subject: &Subject<'_, W>,
    context: &Context<'_, '_>,
    text: &str,
) -> Result<bool, Box<dyn Error>> {
    let expression =
        compile(setup, text, false).map_err(|error| format!("{text}: {}", error.why))?;
    let program = Program::compile(text).map_err(|error| format!("{text}: {error}"))?;
    let ours = expression.number(subject).map_err(|_| "interrupted")?;
    match interpreted(&program, context) {
        Some(theirs) if theirs == ours => Ok(true),
        Some(theirs) => Err(format!("{text}: compiled {ours}, interpreted {theirs}").into()),
        None => Ok(false),
    }
}

/// Shrinks an expression on which the implementations differ to its smallest part on which they still differ.
fn shrunk(text: &str, differs: &dyn Fn(&str) -> bool) -> String {
    let mut smallest = text.to_owned();
    loop {
        let tree = parse(&smallest).expect("it was parsed before");
        let mut parts = Vec::new();
        spans(&tree, &mut parts);
        let part = parts
            .into_iter()
            .map(|span| smallest[span].to_owned())
            .filter(|part| part.len() < smallest.len())
            .find(|part| differs(part));
        match part {
            Some(part) => smallest = part,
            None => return smallest,
        }
    }
}

fn spans(tree: &Tree, found: &mut Vec<std::ops::Range<usize>>) {
    found.push(tree.span.clone());
    parts(tree).into_iter().for_each(|part| spans(part, found));
}

fn parts(tree: &Tree) -> Vec<&Tree> {
    match &tree.node {
        Node::Int(_) | Node::Bool(_) | Node::Text(_) | Node::Name(_) => Vec::new(),
        Node::List(parts) | Node::And(parts) | Node::Or(parts) => parts.iter().collect(),
        Node::Member(a, _) | Node::Not(a) | Node::Negative(a) => vec![a],
        Node::Call { target, args, .. } => target.iter().map(|t| &**t).chain(args).collect(),
        Node::Index(parts) | Node::Binary(_, parts) => parts.iter().collect(),
        Node::Choice(parts) => parts.iter().collect(),
    }
}

/// The number of pairs of a position and an expression.
const PAIRS: usize = 20_000;
const EXPRESSIONS_PER_POSITION: usize = 120;

#[test]
fn the_interpreter_of_cel_gives_the_same_values() {
    let names = names();
    assert!(names.len() >= 50, "{names:?}");
    let mut g = Gen::new(40);
    let starts: Vec<Setup> = names.iter().map(|name| setup(name, "")).collect();
    let (mut pairs, mut answered, mut round) = (0, 0, 0);
    while pairs < PAIRS {
        let start = &starts[round % starts.len()];
        let turns = usize::arbitrary(&mut g) % 40;
        let position = played(start, &mut g, turns);
        round += 1;
        let words = Vocabulary::of(&position);
        with_setup!(&position, s => {
            let (fields, attackers) = Plain::new(s.game.as_ref()).root(&s.position);
            let context = context(&fields, attackers);
            let subject = Subject::new(s.game.as_ref(), &s.position);
            for n in 0..EXPRESSIONS_PER_POSITION {
                let mut writer = Writer { g: &mut g, words: &words, scope: Vec::new() };
                let text = if n % 3 == 0 { writer.integer(3) } else { writer.boolean(3) };
                match compared(&position, &subject, &context, &text) {
                    Ok(had_answer) => answered += usize::from(had_answer),
                    Err(why) => {
                        let differs = |part: &str| {
                            compile(&position, part, false)
                                .is_ok_and(|e| matches!(e.result(), Type::BOOL | Type::INT))
                                && compared(&position, &subject, &context, part).is_err()
                        };
                        let fen = notation::fen::print(s.game.as_ref(), &s.position);
                        panic!("{} {fen}\n{}\n{why}", s.game.variant(), shrunk(&text, &differs));
                    }
                }
                pairs += 1;
            }
        });
    }
    assert!(
        answered > pairs * 9 / 10,
        "{answered} of {pairs} were answered"
    );
}

/// Returns our tree as text, in a form that is comparable for both parsers.
fn ours(tree: &Tree) -> String {
    let all = |trees: &[Tree]| trees.iter().map(ours).collect::<Vec<_>>().join(" ");
    match &tree.node {
        Node::Int(n) => n.to_string(),
        Node::Bool(b) => b.to_string(),
        Node::Text(text) => format!("{text:?}"),
        Node::List(items) => format!("[{}]", all(items)),
        Node::Name(name) => name.clone(),
        Node::Member(target, name) => format!("(.{} {})", name.text, ours(target)),
        Node::Call { target, name, args } => {
            let target = target
                .as_ref()
                .map_or(String::new(), |t| format!("{} ", ours(t)));
            format!("({} {target}| {})", name.text, all(args))
        }
        Node::Index(parts) => format!("(_[_] {})", all(&parts[..])),
        // The `cel` parser drops pairs of equal signs.
        Node::Not(a) => match &a.node {
            Node::Not(b) => ours(b),
            _ => format!("(!_ {})", ours(a)),
        },
        Node::Negative(a) => match &a.node {
            Node::Negative(b) => ours(b),
            Node::Int(n) => format!("-{n}"),
            _ => format!("(-_ {})", ours(a)),
        },
        Node::Binary(Operator::In, parts) => format!("(@in {})", all(&parts[..])),
        Node::Binary(operator, parts) => format!("(_{}_ {})", operator.sign(), all(&parts[..])),
        Node::And(parts) => flat("_&&_", parts.iter().map(ours)),
        Node::Or(parts) => flat("_||_", parts.iter().map(ours)),
        Node::Choice(parts) => format!("(_?_:_ {})", all(&parts[..])),
    }
}

fn flat(sign: &str, parts: impl Iterator<Item = String>) -> String {
    let start = format!("({sign} ");
    let parts = parts.map(|part| match part.strip_prefix(&start) {
        Some(inner) => inner.strip_suffix(')').unwrap_or(inner).to_owned(),
        None => part,
    });
    format!("{start}{})", parts.collect::<Vec<_>>().join(" "))
}

fn theirs(ided: &IdedExpr) -> String {
    let all = |exprs: &[IdedExpr]| exprs.iter().map(theirs).collect::<Vec<_>>().join(" ");
    match &ided.expr {
        Expr::Ident(name) => name.clone(),
        Expr::Literal(LiteralValue::Int(n)) => n.into_inner().to_string(),
        Expr::Literal(LiteralValue::Boolean(b)) => b.into_inner().to_string(),
        Expr::Literal(LiteralValue::String(text)) => format!("{:?}", text.inner()),
        Expr::List(list) => format!("[{}]", all(&list.elements)),
        Expr::Select(select) => format!("(.{} {})", select.field, theirs(&select.operand)),
        Expr::Comprehension(form) => comprehension(form),
        Expr::Call(call) => match call.func_name.as_str() {
            // The `cel` parser drops pairs of equal signs, but not across parentheses.
            sign @ ("!_" | "-_") => {
                let inner = all(&call.args);
                let twice = inner.strip_prefix(&format!("({sign} "));
                match twice.and_then(|rest| rest.strip_suffix(')')) {
                    Some(rest) => rest.to_string(),
                    None => format!("({sign} {inner})"),
                }
            }
            name @ ("_&&_" | "_||_") => flat(name, call.args.iter().map(theirs)),
            name if name.contains('_') && !name.starts_with(|c: char| c.is_ascii_lowercase())
                || name == "@in" =>
            {
                format!("({name} {})", all(&call.args))
            }
            name => {
                let target = call
                    .target
                    .as_ref()
                    .map_or(String::new(), |t| format!("{} ", theirs(t)));
                format!("({name} {target}| {})", all(&call.args))
            }
        },
        other => panic!("an expression of ours is not {other:?}"),
    }
}

/// Returns the macro that was expanded to this comprehension.
fn comprehension(form: &ComprehensionExpr) -> String {
    let args = |ided: &IdedExpr| match &ided.expr {
        Expr::Call(call) => call.args.clone(),
        other => panic!("a step is a call, not {other:?}"),
    };
    let step = args(&form.loop_step);
    let element = |ided: &IdedExpr| match &args(ided)[1].expr {
        Expr::List(list) => list.elements[0].clone(),
        other => panic!("a list of one element, not {other:?}"),
    };
    let (name, body) = match &form.accu_init.expr {
        Expr::Literal(LiteralValue::Boolean(b)) if b.into_inner() => ("all", step[1].clone()),
        Expr::Literal(LiteralValue::Boolean(_)) => ("exists", step[1].clone()),
        Expr::Literal(_) => ("exists_one", step[0].clone()),
        _ if step.len() == 3 => ("filter", step[0].clone()),
        _ => ("map", element(&form.loop_step)),
    };
    format!(
        "({name} {} | {} {})",
        theirs(&form.iter_range),
        form.iter_var,
        theirs(&body)
    )
}

#[test]
fn the_parser_of_cel_builds_equal_trees() {
    let start = setup("fide", "");
    let words = Vocabulary::of(&start);
    let mut g = Gen::new(40);
    let fixed = [
        "a.b.c(d)[1].e - -3 + --x * 2 / 7 % 3",
        "!!a || !b && !c == d",
        "a ? b : c ? d : e",
        "a < b == c in d != e",
        "// a comment\n[1, 2].map(x, x + 1) == [2, 3] // another",
        "'it\\'s' == \"it's\"",
        "a.filter(x, x.exists_one(y, y == x)).all(z, z.exists(w, w))",
    ];
    let compare = |text: &str| {
        let tree = parse(text).unwrap_or_else(|error| panic!("{text}: {}", error.why));
        let other = Program::compile(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(ours(&tree), theirs(other.expression()), "{text}");
    };
    fixed.iter().for_each(|text| compare(text));
    for _ in 0..5_000 {
        let mut writer = Writer {
            g: &mut g,
            words: &words,
            scope: Vec::new(),
        };
        compare(&writer.boolean(4));
    }
}

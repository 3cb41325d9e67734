//! Random rule texts: one to three clauses with random expressions of the right types, on boards of several
//! sizes. Each is read and plays.

use crate::play::Chance;
use naive::texts::open;

/// The names that an expression of a clause may use.
#[derive(Clone, Default)]
struct Names {
    units: Vec<String>,
    sides: Vec<&'static str>,
    /// Whether the clause is about a turn or step.
    turn: bool,
    /// Whether attacks may be asked for.
    attacks: bool,
    /// Whether check may be asked for.
    checks: bool,
    /// The prefix of the position: empty, or `after.`.
    positions: Vec<&'static str>,
}

const KINDS: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

struct Writer<'c> {
    chance: &'c mut Chance,
    names: Names,
    variables: usize,
}

impl Writer<'_> {
    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.chance.below(texts.len())]
    }

    fn kind_name(&mut self) -> String {
        format!("'{}'", KINDS[self.chance.below(6)])
    }

    fn side(&mut self) -> String {
        let mut sides = self.names.sides.clone();
        sides.extend(["white", "black"]);
        let side = sides[self.chance.below(sides.len())];
        match self.chance.below(4) {
            0 => format!("other({side})"),
            _ => side.to_string(),
        }
    }

    fn position(&mut self) -> &'static str {
        let positions = self.names.positions.clone();
        positions[self.chance.below(positions.len())]
    }

    fn step(&mut self) -> String {
        let (x, y) =
            [(1, 0), (0, 1), (-1, 1), (1, 2), (0, -1), (-1, 0), (1, 1)][self.chance.below(7)];
        format!("{x}, {y}")
    }

    fn unit(&mut self, depth: usize) -> String {
        let units = self.names.units.clone();
        if !units.is_empty() && (depth == 0 || self.chance.below(3) > 0) {
            return units[self.chance.below(units.len())].clone();
        }
        let (position, square) = (self.position(), self.square(depth.saturating_sub(1)));
        match self.chance.below(2) {
            0 => format!("{position}at({square})"),
            _ => format!("{position}nearest({square}, {})", self.step()),
        }
    }

    fn square(&mut self, depth: usize) -> String {
        if self.names.turn && self.chance.below(2) == 0 {
            return self.pick(&["from", "to"]).to_string();
        }
        if depth == 0 || self.chance.below(4) == 0 {
            return match self.names.units.is_empty() {
                true => format!(
                    "square({}, {})",
                    1 + self.chance.below(6),
                    1 + self.chance.below(6)
                ),
                false => format!("{}.square", self.unit(0)),
            };
        }
        match self.chance.below(2) {
            0 => format!("{}.square", self.unit(depth - 1)),
            _ => format!("offset({}, {})", self.square(depth - 1), self.step()),
        }
    }

    fn units(&mut self, depth: usize) -> String {
        let (position, side) = (self.position(), self.side());
        let square = self.square(depth.saturating_sub(1));
        match self.chance.below(6) {
            0 if self.names.turn => "captures".to_string(),
            1 if self.names.attacks => format!("{position}attackers({square}, {side})"),
            2 => format!("{position}neighbors({square})"),
            3 => format!("{position}row({square}, {})", self.step()),
            4 => format!("{position}units({side}, {})", self.kind_name()),
            _ => format!("{position}units({side})"),
        }
    }

    fn int(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.chance.below(5).to_string();
        }
        match self.chance.below(6) {
            0 => {
                let (position, side) = (self.position(), self.side());
                format!("{position}count({side}, {})", self.kind_name())
            }
            1 => format!("size({})", self.units(depth - 1)),
            2 => format!(
                "{}.{}",
                self.unit(depth - 1),
                self.pick(&["row", "file", "rank"])
            ),
            3 => format!(
                "distance({}, {})",
                self.square(depth - 1),
                self.square(depth - 1)
            ),
            4 if self.names.turn => "length2".to_string(),
            _ => {
                let (a, b) = (self.int(depth - 1), self.int(depth - 1));
                format!("({a} {} {b})", self.pick(&["+", "-", "*", "/", "%"]))
            }
        }
    }

    fn kind(&mut self, depth: usize) -> String {
        match self.names.turn && self.chance.below(2) == 0 {
            true => "kind".to_string(),
            false => format!("{}.kind", self.unit(depth)),
        }
    }

    fn bool(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.plain();
        }
        let less = depth - 1;
        match self.chance.below(8) {
            0 => format!("({} && {})", self.bool(less), self.bool(less)),
            1 => format!("({} || {})", self.bool(less), self.bool(less)),
            2 => format!("!{}", self.bool(less)),
            3 => format!(
                "({} ? {} : {})",
                self.bool(less),
                self.bool(less),
                self.bool(less)
            ),
            4 | 5 => {
                let units = self.units(less);
                let name = format!("u{}", self.variables);
                self.variables += 1;
                self.names.units.push(name.clone());
                let inner = self.bool(less);
                self.names.units.pop();
                let macro_name = self.pick(&["exists", "all", "exists_one"]);
                format!("{units}.{macro_name}({name}, {inner})")
            }
            _ => self.plain(),
        }
    }

    /// Returns a condition without `&&`, `||` and macros.
    fn plain(&mut self) -> String {
        match self.chance.below(8) {
            0 => format!("({} == {})", self.kind(1), self.kind_name()),
            1 => format!("({} in ['knight', 'pawn', 'rook'])", self.kind(1)),
            2 => {
                let (a, b) = (self.int(1), self.int(1));
                format!("({a} {} {b})", self.pick(&["<", "<=", "==", "!=", ">"]))
            }
            3 => format!("({}.side == {})", self.unit(1), self.side()),
            4 if self.names.attacks => {
                let (position, square) = (self.position(), self.square(1));
                format!("{position}attacked({square}, {})", self.side())
            }
            5 if self.names.checks => {
                let position = self.position();
                format!("{position}check({})", self.side())
            }
            6 => format!("light({})", self.square(1)),
            _ => format!("{}empty({})", self.position(), self.square(1)),
        }
    }
}

/// What a clause knows.
fn known(key: &str) -> Names {
    let bare = Names {
        positions: vec![""],
        attacks: true,
        sides: vec!["side"],
        ..Names::default()
    };
    let unit = Names {
        units: vec!["unit".to_string()],
        sides: vec!["side", "owner", "foe"],
        ..bare.clone()
    };
    let turn = Names {
        turn: true,
        units: vec!["unit".to_string()],
        sides: vec!["mover", "side"],
        ..bare.clone()
    };
    let after = Names {
        positions: vec!["", "after."],
        ..turn.clone()
    };
    match key {
        "movement" | "activeIf" | "royalIf" => unit,
        "captureIf" | "ontoOwn" => Names {
            units: vec!["unit".to_string(), "target".to_string()],
            ..unit
        },
        "checkIf" => Names {
            sides: vec!["owner", "foe"],
            ..bare
        },
        "legalIf" | "prefer" | "stepIf" | "continues" | "state" => Names {
            checks: true,
            ..after
        },
        "takes" | "landsOn" => turn,
        "rebirth" => Names {
            sides: vec!["mover", "owner"],
            ..after
        },
        "ends" => Names {
            checks: true,
            sides: vec!["mover", "side"],
            ..bare
        },
        "position" => bare,
        _ => after,
    }
}

/// The keys of random clauses.
const KEYS: [&str; 23] = [
    "movement",
    "activeIf",
    "captureIf",
    "checkIf",
    "legalIf",
    "prefer",
    "continues",
    "stepIf",
    "landsOn",
    "turnsInto",
    "joins",
    "removes",
    "converts",
    "rebirth",
    "toHand",
    "takeOff",
    "ontoOwn",
    "state",
    "ends",
    "stepCount",
    "royalIf",
    "takes",
    "quiet",
];

/// Returns the lines of a random clause.
fn clause(chance: &mut Chance) -> String {
    let key = KEYS[chance.below(KEYS.len())];
    let of = KINDS[1 + chance.below(4)];
    let depth = 1 + chance.below(2);
    let mut writer = Writer {
        names: known(key),
        chance,
        variables: 0,
    };
    let test = writer.bool(depth);
    match key {
        "movement" => match writer.chance.below(3) {
            0 => format!(
                "movement.* = {test} ? movement_of(unit.kind) + 'D' : movement_of(unit.kind)"
            ),
            1 => format!("movement.pawn = {test} ? 'fmFfcW' : 'fmWfcF'"),
            _ => format!("movement.{of} = {test} ? 'N' : 'R2'"),
        },
        "quiet" => {
            let up = "unit.side == white ? 1 : -1";
            format!("quiet.{of} = [offset(unit.square, 0, {up}), offset(unit.square, 2, 0)]")
        }
        "activeIf" => format!("activeIf = unit.kind == 'king' || {test}"),
        "royalIf" => format!("royalIf = unit.kind == 'king' && {test}"),
        "prefer" if writer.chance.below(2) == 0 => format!("prefer = {}", writer.int(2)),
        "continues" => format!(
            "continues = {test} ? '{}' : 'no'",
            writer.pick(&["may", "must"])
        ),
        "stepCount" => "stepCount = side == white ? 2 : 1".to_string(),
        "landsOn" => format!("landsOn = {test} ? {} : to", writer.square(1)),
        "turnsInto" => {
            let kind = writer.kind_name();
            match writer.chance.below(2) {
                0 => format!("turnsInto = kind != 'king' && {test} ? {kind} : becomes"),
                _ => {
                    format!("turnsInto = kind != 'king' && {test} ? [{kind}, 'knight'] : [becomes]")
                }
            }
        }
        "joins" => format!("joins = kind != 'king' && {test} ? other(owner) : owner"),
        "removes" | "converts" => {
            let units = writer.units(1);
            format!("{key} = {test} ? {units}.filter(v, v.kind != 'king') : []")
        }
        "rebirth" => {
            let square = writer.square(1);
            match writer.chance.below(4) {
                0 => format!("rebirthIf = {test}\nrebirth = home(unit)"),
                1 => format!("rebirth = {square}\nrebirthSide = {}", writer.side()),
                2 => format!(
                    "rebirthIf = {test}\nrebirth = neighbors({square}).map(v, offset(v.square, 0, 1))"
                ),
                _ => format!("rebirth = {square}\nrebirthKind = {test} ? 'knight' : unit.kind"),
            }
        }
        "toHand" => format!(
            "toHand = {}\ndrops = ['knight', 'rook', 'pawn']\ndropIf = {test}",
            writer.pick(&["mover", "unit.side"])
        ),
        "takeOff" => {
            writer.names = known("position");
            format!("takeOff = {}", writer.units(1))
        }
        "takes" => format!("takes = {test} ? captures + neighbors(to) : captures"),
        "ontoOwn" => format!(
            "ontoOwn = {test} ? '{}' : 'no'",
            writer.pick(&["captures", "swaps"])
        ),
        "state" => format!(
            "state = seen[side]: 0..3\nstate.seen = owner == mover && {test} ? state.seen(owner) + 1 : \
             state.seen(owner)\nends = seen: mover {} if state.seen(mover) == 3",
            writer.pick(&["wins", "loses", "wins weakly"])
        ),
        "ends" => format!(
            "ends = made: {} if {test}\n       no turn: stuck: side {} if {}",
            writer.pick(&["mover wins", "side wins", "draw", "white wins weakly"]),
            writer.pick(&["wins", "loses"]),
            writer.bool(1)
        ),
        _ => format!("{key} = {test}"),
    }
}

/// Returns a random rule text with the name `random`.
pub fn text(chance: &mut Chance) -> String {
    let starts = [
        "",
        "maxFile = e\nmaxRank = 5\nstartFen = rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1\n",
        "maxFile = f\nmaxRank = 6\nstartFen = rnbkqr/pppppp/6/6/PPPPPP/RNBKQR w - - 0 1\n",
        "startFen = 4k3/pp3ppp/8/3qr3/3QR3/8/PP3PPP/4K3 w - - 0 1\n",
    ];
    let start = starts[chance.below(starts.len())];
    let mut text = format!("[random:fide-text]\n{start}");
    for _ in 0..1 + chance.below(3) {
        let clause = clause(chance);
        let key = |line: &str| line.split(" =").next().unwrap_or_default().to_string();
        let used = |line: &str| text.lines().any(|other| key(other) == key(line));
        if !clause.lines().any(used) {
            text += &format!("{clause}\n");
        }
    }
    text
}

#[test]
fn random_texts_play() {
    let mut chance = Chance(2026);
    let mut positions = 0;
    for _ in 0..300 {
        let text = text(&mut chance);
        let rules = open(&text, "random").unwrap_or_else(|why| panic!("{why}\n{text}"));
        // Kings next to each other, or attacked at the start.
        let Ok(mut fen) = rules.start_fen() else {
            continue;
        };
        for _ in 0..8 {
            let turns = rules
                .turns(&fen)
                .unwrap_or_else(|why| panic!("{fen}: {why}\n{text}"));
            positions += 1;
            if turns.is_empty() {
                break;
            }
            let (turn, after) = turns[chance.below(turns.len())].clone();
            let again = rules.canonical(&after);
            assert_eq!(again.as_ref(), Ok(&after), "{fen} {turn}\n{text}");
            fen = after;
        }
    }
    assert!(positions > 1000, "{positions}");
}

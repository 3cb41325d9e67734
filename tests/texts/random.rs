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
    /// Whether the clause is about a step, so that the step before it may be asked for.
    step: bool,
    /// Whether attacks may be asked for.
    attacks: bool,
    /// Whether check may be asked for.
    checks: bool,
    /// Whether turns may be asked for.
    lists: bool,
    /// The prefix of the position: empty, or `after.`.
    positions: Vec<&'static str>,
}

const KINDS: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

struct Writer<'c> {
    chance: &'c mut Chance,
    names: Names,
    variables: usize,
    /// The expressions of the text's states that have a number, and of those that have a square.
    states: [Vec<String>; 2],
    /// The number of turns inside each other that may still be asked for.
    lists_left: usize,
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
        match self.chance.below(5) {
            0 | 1 => format!("{}.square", self.unit(depth - 1)),
            2 if !self.names.units.is_empty() => format!("home({})", self.unit(0)),
            3 if !self.states[1].is_empty() => self.state(1),
            _ => format!("offset({}, {})", self.square(depth - 1), self.step()),
        }
    }

    /// Returns the value of a state of the text.
    fn state(&mut self, of: usize) -> String {
        let states = self.states[of].clone();
        states[self.chance.below(states.len())].clone()
    }

    fn units(&mut self, depth: usize) -> String {
        let (position, side) = (self.position(), self.side());
        let square = self.square(depth.saturating_sub(1));
        match self.chance.below(6) {
            0 if self.names.step && self.chance.below(2) == 0 => "previous.captures".to_string(),
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
        match self.chance.below(10) {
            6 if !self.states[0].is_empty() => self.state(0),
            7 => self
                .pick(&["halfmove", "fullmove", "files", "ranks"])
                .to_string(),
            8 => {
                let units = self.units(depth - 1);
                let macro_name = self.pick(&["sum", "min", "max"]);
                let member = self.pick(&["row", "file", "rank"]);
                format!("{macro_name}({units}.map(w, w.{member}))")
            }
            9 if self.chance.below(2) == 0 => format!("size(reach({}))", self.unit(0)),
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
        match self.chance.below(17) {
            15 if self.names.step => "(n == 1)".to_string(),
            16 if self.names.step => {
                format!("(previous.becomes == {})", self.kind_name())
            }
            8 if self.names.turn => self
                .pick(&["promotes", "castles", "en_passant", "drops"])
                .to_string(),
            9 if self.names.turn && self.names.lists => self.pick(&["checks", "mates"]).to_string(),
            10 => format!("({}.exists)", self.unit(1)),
            11 => {
                let (a, b) = (self.square(1), self.square(1));
                match self.chance.below(3) {
                    0 => format!("aligned({a}, {b})"),
                    1 => format!("between({a}, {b}).exists(s, !empty(s))"),
                    _ => format!("({a} == {b})"),
                }
            }
            12 if self.names.lists && self.lists_left > 0 => self.turns(),
            13 if self.names.attacks => {
                let (unit, square, side) = (self.unit(0), self.square(0), self.side());
                format!("without({unit}).attacked({square}, {side})")
            }
            14 if self.names.checks => match self.chance.below(2) {
                0 => format!("parent.check({})", self.side()),
                _ => format!(
                    "under('fide').attacked({}, {})",
                    self.square(0),
                    self.side()
                ),
            },
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

impl Writer<'_> {
    /// Returns a condition on the turns of a position.
    fn turns(&mut self) -> String {
        self.lists_left -= 1;
        let list = match self.names.turn {
            true => ["after.turns", "parent.turns", "pseudo"],
            false => ["turns", "parent.turns", "pseudo"],
        };
        let list = self.pick(&list);
        let test = match self.chance.below(5) {
            0 => "size(t.captures) > 0".to_string(),
            1 => format!("t.kind == {}", self.kind_name()),
            2 => format!("t.to == {}", self.square(0)),
            3 => "t.promotes || t.castles".to_string(),
            _ => format!("t.length2 > {}", self.chance.below(9)),
        };
        match self.chance.below(3) {
            0 => format!("(size({list}) > {})", self.chance.below(20)),
            1 => format!("{list}.exists(t, {test})"),
            _ => format!("{list}.all(t, {test})"),
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
    let turn_after = Names {
        positions: vec!["", "after."],
        ..turn.clone()
    };
    let after = Names {
        step: true,
        ..turn_after.clone()
    };
    let turn = Names { step: true, ..turn };
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
        "legalIf" | "prefer" | "state" => Names {
            checks: true,
            lists: true,
            ..turn_after
        },
        "stepIf" | "continues" => Names {
            checks: true,
            ..after
        },
        "takes" | "landsOn" => turn,
        "attacks" | "targets" | "quiet" => Names { step: true, ..unit },
        "early state" => turn_after,
        "dropIf" => Names {
            turn: false,
            units: Vec::new(),
            ..turn
        },
        "rebirth" => Names {
            sides: vec!["mover", "owner"],
            ..after
        },
        "ends" => Names {
            checks: true,
            lists: true,
            sides: vec!["mover", "side"],
            ..bare
        },
        "position" => bare,
        _ => after,
    }
}

/// The keys of random clauses.
const KEYS: [&str; 32] = [
    "movement",
    "activeIf",
    "captureIf",
    "checkIf",
    "legalIf",
    "prefer",
    "continues",
    "stepIf",
    "landsOn",
    "endsOn",
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
    "attacks",
    "targets",
    "drops",
    "stepSide",
    "ownCheck",
    "fenIf",
    "let",
    "legalIf",
];

/// Keys of the stages before turns, which read only states that ask for no check and no turns.
const EARLY: [&str; 9] = [
    "movement",
    "quiet",
    "attacks",
    "targets",
    "activeIf",
    "captureIf",
    "checkIf",
    "royalIf",
    "let",
];

/// Returns the lines of a random state, its clause, and expressions of it that are numbers or squares.
fn state(chance: &mut Chance, early: bool) -> (String, [Vec<String>; 2]) {
    let key = if early { "early state" } else { "state" };
    let mut writer = Writer {
        names: known(key),
        chance,
        variables: 0,
        states: Default::default(),
        lists_left: 1,
    };
    let test = writer.bool(2);
    let text = |text: &str| text.to_string();
    match writer.chance.below(6) {
        0 => {
            let value = writer.int(2);
            let line = format!("state = sum: 1..9\nstate.sum = {value}");
            (line, [vec![text("state.sum")], Vec::new()])
        }
        1 => {
            let square = writer.square(1);
            let line = format!("state = mark: square\nstate.mark = {test} ? {square} : state.mark");
            (line, [Vec::new(), vec![text("state.mark")]])
        }
        2 => {
            let line = format!(
                "state = taken[side]: kinds; when: flag\nstate.taken = owner == mover ? state.taken(owner) + \
                 captures.map(c, c.kind) : state.taken(owner)\nstate.when = {test}"
            );
            let sizes = [
                "size(state.taken(white))",
                "size(state.taken(black))",
                "(state.when ? 1 : 0)",
            ];
            (line, [sizes.map(text).to_vec(), Vec::new()])
        }
        3 => {
            let line = format!(
                "state = mood: calm angry; who: side; last[side]: square\nstate.mood = {test} ? 'angry' : \
                 'calm'\nstate.who = {test} ? mover : state.who\nstate.last = owner == mover ? to : state.last(owner)"
            );
            let numbers = [
                "(state.mood == 'calm' ? 1 : 0)",
                "(state.who == white ? 2 : 0)",
            ];
            (
                line,
                [numbers.map(text).to_vec(), vec![text("state.last(white)")]],
            )
        }
        4 => {
            let line = format!(
                "state = of: kind; both: sides\nstate.of = {test} ? kind : state.of\nstate.both = {test} ? \
                 state.both + [mover] : []"
            );
            let numbers = ["size(state.both)", "(state.of == 'rook' ? 3 : 1)"];
            (line, [numbers.map(text).to_vec(), Vec::new()])
        }
        _ => {
            let line = format!(
                "state = seen[side]: 0..3\nstate.seen = owner == mover && {test} ? state.seen(owner) + 1 : \
                 state.seen(owner)\nends = seen: mover {} if state.seen(mover) == 3",
                writer.pick(&["wins", "loses", "wins weakly"])
            );
            (
                line,
                [
                    vec![text("state.seen(white)"), text("state.seen(black)")],
                    Vec::new(),
                ],
            )
        }
    }
}

/// Returns the lines of a random clause.
fn clause(chance: &mut Chance, key: &str, states: &[Vec<String>; 2]) -> String {
    let of = KINDS[chance.below(5)];
    let depth = 1 + chance.below(2);
    let mut writer = Writer {
        names: known(key),
        chance,
        variables: 0,
        states: states.clone(),
        lists_left: 1,
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
            "continues = {test} ? '{}' : 'no'{}",
            writer.pick(&["may", "must"]),
            writer.pick(&["", "\nstepSafety = each"])
        ),
        "stepCount" => "stepCount = side == white ? 2 : 1".to_string(),
        "landsOn" => format!("landsOn = {test} ? {} : to", writer.square(1)),
        "endsOn" => format!("endsOn = {test} ? {} : ''", writer.square(1)),
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
            "toHand = {}\n{}drops = ['knight', 'rook', 'pawn']\ndropIf = {test}",
            writer.pick(&["mover", "unit.side"]),
            writer.pick(&["", "handKind = unit.kind == 'queen' ? 'pawn' : unit.kind\n"])
        ),
        "takeOff" => {
            writer.names = Names {
                step: true,
                ..known("position")
            };
            format!("takeOff = {}", writer.units(1))
        }
        "attacks" => {
            let square = writer.square(1);
            format!("attacks.{of} = {test} ? [{square}, offset(unit.square, 1, 1)] : reach(unit)")
        }
        "targets" => format!(
            "targets.{of} = squares.filter(s, distance(s, unit.square) == 2 && (light(s) || {test}))"
        ),
        "drops" => {
            writer.names = known("dropIf");
            let test = writer.bool(1);
            format!(
                "drops = n == 1 && count(side) < {} ? ['{of}', 'pawn'] : []\ndropIf = {test}",
                5 + writer.chance.below(12)
            )
        }
        "stepSide" => {
            let side = writer.pick(&["other(side)", "side"]);
            format!("stepCount = 2\nstepSide = n == 1 ? {side} : side\nstepIf = n == 2 || {test}")
        }
        "ownCheck" => "ownCheck = true".to_string(),
        "fenIf" => {
            writer.names = known("position");
            let test = writer.bool(1);
            format!("fenIf = {test} || count(white) > 0: nothing, as it is always so")
        }
        "let" => {
            writer.names = known("position");
            let test = writer.bool(1);
            format!(
                "let.odd = {test}\nlet.near(u, v) = distance(u.square, v.square) < 3\nactiveIf = unit.kind == 'king' || \
                 odd || units(owner).exists(x, x.square != unit.square && near(x, unit))"
            )
        }
        "takes" => format!(
            "takes = {test} ? captures + neighbors(to) : {}",
            writer.pick(&["captures", "[]"])
        ),
        "ontoOwn" => format!(
            "ontoOwn = {test} ? '{}' : 'no'",
            writer.pick(&["captures", "swaps"])
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

/// Returns the row of a FEN for these squares.
pub fn run_lengths(row: &[char]) -> String {
    let mut text = String::new();
    let mut vacant = 0;
    for &square in row.iter().chain(&['/']) {
        match square {
            '.' => vacant += 1,
            _ => {
                if vacant > 0 {
                    text += &vacant.to_string();
                }
                vacant = 0;
                text.push(square);
            }
        }
    }
    text.trim_end_matches('/').to_string()
}

/// Returns a FEN with both kings and further units on random squares.
pub fn fen(chance: &mut Chance, (files, ranks): (usize, usize), units: usize) -> String {
    let mut rows = vec![vec!['.'; files]; ranks];
    let mut left: Vec<char> = vec!['K', 'k'];
    for _ in 0..units {
        left.push(['P', 'p', 'N', 'n', 'B', 'b', 'R', 'r', 'Q', 'q', 'P', 'p'][chance.below(12)]);
    }
    for unit in left {
        let free = (0..500).find_map(|attempt| {
            let (rank, file) = (chance.below(ranks), chance.below(files));
            let near = |row: usize| row.abs_diff(rank) < 2;
            let is_king = |(row, line): (usize, &Vec<char>)| {
                let beside = |(column, c): (usize, &char)| *c == 'K' && column.abs_diff(file) < 2;
                near(row) && line.iter().enumerate().any(beside)
            };
            // Kings next to each other make no position, if there is room for others.
            let touches = unit == 'k' && attempt < 400 && rows.iter().enumerate().any(is_king);
            let last = [0, ranks - 1].contains(&rank) && "Pp".contains(unit);
            (!last && !touches && rows[rank][file] == '.').then_some((rank, file))
        });
        if let Some((rank, file)) = free {
            rows[rank][file] = unit;
        }
    }
    let rows: Vec<String> = rows.iter().map(|row| run_lengths(row)).collect();
    format!("{} {} - - 0 1", rows.join("/"), ["w", "b"][chance.below(2)])
}

/// Returns the head of a random definition, and its start.
fn definition(chance: &mut Chance) -> String {
    let heads = [
        "[random:fide-text]\n",
        "[random:fide-text]\nmaxFile = e\nmaxRank = 5\nstartFen = rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1\n",
        "[random:fide-text]\nmaxFile = f\nmaxRank = 6\nstartFen = rnbkqr/pppppp/6/6/PPPPPP/RNBKQR w - - 0 1\n",
        "[random:fide-text]\nstartFen = 4k3/pp3ppp/8/3qr3/3QR3/8/PP3PPP/4K3 w - - 0 1\n",
        "[random:chess]\n",
        "[random:chess]\narchbishop = a\nstartFen = rnbakbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBAKBNR w KQkq - 0 1\n",
        "[random:chess]\ncustomPiece1 = a:fsWBnN\nstartFen = rabqkbar/pppppppp/8/8/8/8/PPPPPPPP/RABQKBAR w KQkq - 0 1\n",
        "[random:chess]\ncastling = false\ndoubleStep = false\npromotionPieceTypes = nr\n",
        "[random:chess]\npieceDrops = true\ncapturesToHand = true\n",
        "[random:chess]\nstalemateValue = loss\nflagPiece = k\nwhiteFlag = *8\nblackFlag = *1\n",
    ];
    let small = chance.below(heads.len() + 5);
    if let Some(head) = heads.get(small) {
        return head.to_string();
    }
    let size @ (files, ranks) = (4 + chance.below(5), 4 + chance.below(5));
    let units = 2 + chance.below(10);
    let last = char::from(b'a' + files as u8 - 1);
    let fen = fen(chance, size, units);
    format!("[random:fide-text]\nmaxFile = {last}\nmaxRank = {ranks}\nstartFen = {fen}\n")
}

/// Adds a clause unless one of its keys is used.
pub fn add(text: &mut String, clause: &str) -> bool {
    let key = |line: &str| line.split(" =").next().unwrap_or_default().to_string();
    let used = |line: &str| text.lines().any(|other| key(other) == key(line));
    let fits = !clause.lines().any(used);
    if fits {
        *text += &format!("{clause}\n");
    }
    fits
}

/// Adds a random clause that reads no state.
pub fn add_clause(chance: &mut Chance, text: &mut String) {
    let key = KEYS[chance.below(KEYS.len())];
    if key != "state" {
        let lines = clause(chance, key, &[Vec::new(), Vec::new()]);
        add(text, &lines);
    }
}

/// Returns a random rule text with the name `random`, and in some with a condition `extra`.
pub fn text(chance: &mut Chance) -> String {
    let head = definition(chance);
    with_clauses(chance, head)
}

/// Returns the head of a section with one to three random clauses.
pub fn with_clauses(chance: &mut Chance, head: String) -> String {
    let mut text = head;
    let mut states = [Vec::new(), Vec::new()];
    let early = chance.below(2) == 0;
    if chance.below(4) == 0 {
        let (lines, expressions) = state(chance, early);
        if add(&mut text, &lines) {
            states = expressions;
        }
    }
    let with_state = |chance: &mut Chance, text: &mut String| {
        let key = KEYS[chance.below(KEYS.len())];
        if key == "state" {
            return;
        }
        let readable = early || !EARLY.contains(&key);
        let none = [Vec::new(), Vec::new()];
        let clause = clause(chance, key, if readable { &states } else { &none });
        add(text, &clause);
    };
    for _ in 0..1 + chance.below(3) {
        with_state(chance, &mut text);
    }
    if chance.below(6) == 0 {
        let mut condition = "\n[extra]\ncondition = true\n".to_string();
        let before = condition.len();
        add_clause(chance, &mut condition);
        if condition.len() > before {
            text += "conditions = extra\n";
            text += &condition;
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

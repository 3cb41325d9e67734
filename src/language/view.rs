//! The interface between evaluation and positions: an object that hides the layout, and so the size of the
//! board.

use crate::environment::Subject;
use crate::kinds::{KindName, kind_names};
use board::field::{BoardField, Dialect, UnitText};
use board::{Color, Geometry, Kind, Men, Square, Squares};
use notation::{fen, turns};
use position::{BoundUnit, Layout, Position, Rights};
use rules::{AnyGame, DeclaredField, FieldType, Game, Outcome, Turn, with_game, with_turns};
use std::sync::OnceLock;

/// The value of a position under best play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Valued {
    /// For the side to move: 2 win, 1 weak win, 0 draw, -1 weak loss, -2 loss.
    pub worth: i8,
    /// The distance to the end in plies; -1 for a draw.
    pub plies: i32,
}

/// A source of the values of positions: a solved graph, or endgame tables.
pub trait Oracle<W: Layout> {
    /// Returns the value of a position. Returns `None` for a position that is illegal or not in the graph or
    /// tables.
    fn value(&self, position: &Position<W>) -> Option<Valued>;
}

/// A rule set that an expression uses: its own, or one that `under` opens.
pub(crate) struct RuleInfo {
    pub game: AnyGame,
    pub geometry: Geometry,
    pub men: Men,
    pub names: Vec<KindName>,
    /// For each kind, the number of its name among the kinds of the expression.
    pub ids: Vec<i64>,
    /// For each number of a name, the kinds that have this name, one bit for each.
    pub masks: Vec<u64>,
    /// The units of the array, if it has the size of the board.
    array: OnceLock<Vec<(Square, Color, Kind)>>,
    /// Whether the rules depend on the halfmove clock, and on the number of the move.
    pub counters: [bool; 2],
    /// For each side and kind, the targets from each square of the empty board.
    reach: [Vec<OnceLock<Box<[u128]>>>; 2],
    /// For each side and kind, the smallest number of steps between any two squares, or [`FAR`] if the second
    /// is unreachable.
    walks: [Vec<OnceLock<Box<[u8]>>>; 2],
}

/// The number that represents an unreachable square.
const FAR: u8 = u8::MAX;

impl RuleInfo {
    pub fn new(game: &AnyGame) -> RuleInfo {
        let (geometry, men) = with_game!(game, g => (g.board().geometry(), *g.men()));
        let locks = || {
            (0..men.count())
                .map(|_| OnceLock::new())
                .collect::<Vec<_>>()
        };
        let walk_locks = || {
            (0..men.count())
                .map(|_| OnceLock::new())
                .collect::<Vec<_>>()
        };
        RuleInfo {
            game: game.clone(),
            geometry,
            names: kind_names(game.variant(), &men),
            ids: vec![crate::code::missing::KIND; men.count()],
            masks: Vec::new(),
            array: OnceLock::new(),
            counters: with_game!(game, g => counters(g.as_ref())),
            reach: [locks(), locks()],
            walks: [walk_locks(), walk_locks()],
            men,
        }
    }

    /// Returns the rules with room for all units of a position. Its FEN begins with the board, with the hands.
    fn with_room(&self, fen: &str) -> Option<AnyGame> {
        let placement = fen.split_ascii_whitespace().next().unwrap_or("");
        let field = BoardField::read(placement, Dialect::DEFINITION).ok()?;
        let hand = field.hand.unwrap_or("");
        let roomier = self.game.variant().on_for(self.geometry, &field, hand);
        roomier.ok()
    }

    /// Returns the squares of the board.
    pub fn squares(&self) -> u128 {
        let all = u128::first_n(self.geometry.len());
        all & !self.geometry.holes()
    }

    /// Returns the squares to which a unit could step on the empty board.
    pub fn reach(&self, color: Color, kind: Kind, from: Square) -> u128 {
        let targets = self.reach[color.index()][kind.index()].get_or_init(|| {
            (0..self.geometry.len() as u8)
                .map(Square)
                .map(|from| match self.geometry.exists(from) {
                    true => {
                        with_game!(&self.game, g => lone_targets(g.as_ref(), color, kind, from))
                    }
                    false => 0,
                })
                .collect()
        });
        targets[from.index()]
    }

    /// Returns where a unit begins, as problems use it.
    pub fn home(&self, color: Color, kind: Kind, at: Square) -> Option<Square> {
        let (geometry, file) = (self.geometry, self.geometry.file(at));
        let of_kind = self
            .names
            .iter()
            .find(|name| name.kinds >> kind.index() & 1 == 1)?;
        let is_light = |s: Square| (geometry.file(s) + geometry.rank(s)) % 2 == 1;
        let homes = || {
            let array = self
                .array
                .get_or_init(|| with_game!(&self.game, g => array(g.as_ref())));
            let is_it = |unit: &&(Square, Color, Kind)| {
                unit.1 == color && of_kind.kinds >> unit.2.index() & 1 == 1
            };
            array.iter().filter(is_it).map(|unit| unit.0)
        };
        let home = match of_kind.name.as_str() {
            "king" | "queen" => homes().next(),
            "rook" | "bishop" | "knight" => homes().find(|&home| is_light(home) == is_light(at)),
            "pawn" => Some(geometry.square(file, geometry.rank_of(color, 1))),
            _ => Some(geometry.square(file, geometry.rank_of(color, geometry.ranks() - 1))),
        };
        home.filter(|&home| geometry.exists(home))
    }

    /// Returns the smallest number of steps between two squares on the empty board, or `None` if the second
    /// is unreachable.
    pub fn walk(&self, color: Color, kind: Kind, from: Square, to: Square) -> Option<u8> {
        let n = self.geometry.len();
        let steps = self.walks[color.index()][kind.index()].get_or_init(|| {
            let mut steps = vec![FAR; n * n].into_boxed_slice();
            for start in self.squares().iter() {
                let row = &mut steps[start.index() * n..][..n];
                let (mut seen, mut level, mut count) = (u128::of(start), u128::of(start), 0);
                while level != 0 {
                    level.iter().for_each(|square| row[square.index()] = count);
                    let next = level
                        .iter()
                        .fold(0, |next, square| next | self.reach(color, kind, square));
                    level = next & !seen;
                    seen |= level;
                    count += 1;
                }
            }
            steps
        });
        Some(steps[from.index() * n + to.index()]).filter(|&steps| steps != FAR)
    }
}

/// Returns whether the rules of a game depend on the halfmove clock, and on the number of the move. Such rules keep them
/// in the state.
fn counters<W: Layout>(game: &dyn Game<W>) -> [bool; 2] {
    let mut position = Position::<W>::empty();
    let start = position.state_words();
    game.carried().set_clock(&mut position, 3);
    let with_clock = position.state_words();
    game.carried().set_number(&mut position, 5);
    [with_clock != start, position.state_words() != with_clock]
}

/// Returns the units of the array of a game's variant, if it has the size of the game's board.
fn array<W: Layout>(game: &dyn Game<W>) -> Vec<(Square, Color, Kind)> {
    let start = game.variant().start();
    let board = game.board().geometry();
    let same_size = fen::shape(&start).is_ok_and(|shape| shape.size() == board.size());
    let placement = start.split_ascii_whitespace().next().unwrap_or("");
    let Some(field) = BoardField::read(placement, Dialect::DEFINITION)
        .ok()
        .filter(|_| same_size)
    else {
        return Vec::new();
    };
    let unit = |(file, rank, unit): (usize, usize, UnitText)| {
        let kind = game
            .men()
            .named(&unit.letter.to_ascii_uppercase().to_string())?;
        Some((board.square(file as u8, rank as u8), unit.color(), kind))
    };
    field.units().filter_map(unit).collect()
}

/// Returns the squares to which a unit could step if it were alone on the board.
fn lone_targets<W: Layout>(game: &dyn Game<W>, color: Color, kind: Kind, from: Square) -> u128 {
    let board = game.board();
    // The board's tables cover only the kinds of compiled rule sets. Definitions have their own tables.
    let tabled = kind.index() < Kind::ALL.len();
    if tabled && (board.leaps(kind) || board.slides(kind).is_some()) {
        return board.reach(kind, from, W::Set::EMPTY).bits();
    }
    let mut position = Position::empty();
    position.side = color;
    position.put(color, kind, from);
    if let Some(squares) = game.quiet_steps(&position, from) {
        return squares.bits();
    }
    with_turns(|turns| {
        game.pseudo_turns(&position, turns);
        turns
            .iter()
            .map(Turn::first)
            .filter(|step| {
                // A mirrored unit is relocated before the step.
                let is_step =
                    !matches!(step.action(), rules::Action::Place | rules::Action::Mirror);
                step.from == from && is_step
            })
            .fold(0, |targets, step| targets | u128::of(step.to))
    })
}

/// A position with its rule set.
pub(crate) trait View {
    /// Returns the index of the rule set among those of the expression.
    fn rules_index(&self) -> usize;
    fn side(&self) -> Color;
    fn color(&self, color: Color) -> u128;
    fn occupied(&self) -> u128;
    fn kind(&self, kind: Kind) -> u128;
    /// Returns the number of units of one side or both. `kinds` is a set with one bit for each kind; `None`
    /// means all kinds.
    fn count(&self, side: Option<Color>, kinds: Option<u64>) -> u32;
    fn unit(&self, square: Square) -> Option<(Color, Kind)>;
    fn each_bound(&self, visit: &mut dyn FnMut(BoundUnit));
    fn attackers(&self, square: Square, by: Color) -> u128;
    fn royals(&self, color: Color) -> u128;
    fn in_check(&self, color: Color) -> bool;
    fn outcome(&self) -> Outcome;
    fn turns(&self, out: &mut Vec<Turn>);
    fn pseudo_turns(&self, out: &mut Vec<Turn>);
    fn count_turns(&self) -> u64;
    /// Calls `visit` for the position after a turn.
    fn after(&self, turn: &Turn, visit: &mut dyn FnMut(&dyn View));
    /// Calls `visit` for the position with the other side to move.
    fn passed(&self, visit: &mut dyn FnMut(&dyn View));
    /// Calls `visit` for a position with the same units under another rule set.
    fn under(&self, rules: &RuleInfo, index: usize, visit: &mut dyn FnMut(&dyn View));
    /// Returns the squares of the units that leave the board or become bound by a turn.
    fn captures(&self, turn: &Turn) -> u128;
    /// Returns the squares of the units that the first step of a turn captures, in a rule text whose steps have effects.
    fn captures_of_first_step(&self, turn: &Turn) -> Option<u128>;
    fn fen(&self) -> String;
    fn turn_text(&self, turn: &Turn) -> String;
    fn hand(&self, color: Color, letter: char) -> i64;
    fn castling_rights(&self, color: Color) -> i64;
    fn checks_left(&self, color: Color) -> i64;
    fn state(&self, key: &str) -> String;
    fn value(&self) -> Option<Valued>;
    /// Returns the kind of the moved unit after a turn, if the steps do not show it.
    fn kind_after(&self, turn: &Turn) -> Option<Kind>;
    /// Returns the value of a declared field of the state.
    fn declared(&self, field: usize, side: Color) -> i64;
    /// Returns the halfmove clock and the number of the move.
    fn clocks(&self) -> (i64, i64);
    /// Calls `visit` for the position without the unit on a square.
    fn without(&self, square: Square, visit: &mut dyn FnMut(&dyn View));
}

/// A position of a fixed layout with its rule set.
pub(crate) struct PositionView<'a, W: Layout> {
    game: &'a dyn Game<W>,
    position: &'a Position<W>,
    oracle: Option<&'a dyn Oracle<W>>,
    rules_index: usize,
}

impl<'a, W: Layout> PositionView<'a, W> {
    /// Returns the position of a subject.
    pub fn of(subject: &Subject<'a, W>) -> PositionView<'a, W> {
        PositionView {
            game: subject.game,
            position: subject.position,
            oracle: subject.oracle,
            rules_index: 0,
        }
    }

    /// Returns another position of the same rule set.
    pub fn with<'b>(&'b self, position: &'b Position<W>) -> PositionView<'b, W> {
        PositionView { position, ..*self }
    }

    /// Returns the same position under other rules with the same layout.
    pub fn under_parent(&self, game: &'a dyn Game<W>) -> PositionView<'a, W> {
        PositionView { game, ..*self }
    }
}

impl<W: Layout> View for PositionView<'_, W> {
    fn rules_index(&self) -> usize {
        self.rules_index
    }

    fn side(&self) -> Color {
        self.position.side
    }

    fn color(&self, color: Color) -> u128 {
        self.position.color(color).bits()
    }

    fn occupied(&self) -> u128 {
        self.position.occupied().bits()
    }

    fn kind(&self, kind: Kind) -> u128 {
        self.position.kind(kind).bits()
    }

    #[inline]
    fn count(&self, side: Option<Color>, kinds: Option<u64>) -> u32 {
        let of_side = match side {
            Some(color) => self.position.color(color),
            None => self.position.occupied(),
        };
        let Some(mut left) = kinds else {
            return of_side.len();
        };
        let mut of_kinds = W::Set::EMPTY;
        while left != 0 {
            of_kinds |= self
                .position
                .kind(Kind::from_index(left.trailing_zeros() as usize));
            left &= left - 1;
        }
        (of_side & of_kinds).len()
    }

    fn unit(&self, square: Square) -> Option<(Color, Kind)> {
        self.position.unit(square)
    }

    fn each_bound(&self, visit: &mut dyn FnMut(BoundUnit)) {
        self.position.bound_units().for_each(visit);
    }

    fn attackers(&self, square: Square, by: Color) -> u128 {
        self.game.attackers(self.position, square, by).bits()
    }

    fn royals(&self, color: Color) -> u128 {
        self.game.royals(self.position, color).bits()
    }

    fn in_check(&self, color: Color) -> bool {
        self.game.in_check(self.position, color)
    }

    fn outcome(&self) -> Outcome {
        self.game.outcome(self.position)
    }

    fn turns(&self, out: &mut Vec<Turn>) {
        self.game.turns(self.position, out);
    }

    fn pseudo_turns(&self, out: &mut Vec<Turn>) {
        self.game.pseudo_turns(self.position, out);
    }

    fn count_turns(&self) -> u64 {
        self.game.count(self.position)
    }

    fn after(&self, turn: &Turn, visit: &mut dyn FnMut(&dyn View)) {
        visit(&self.with(&self.game.play(self.position, turn)));
    }

    fn passed(&self, visit: &mut dyn FnMut(&dyn View)) {
        let mut passed = *self.position;
        passed.side = !passed.side;
        passed.set_en_passant(None);
        passed.state = self.game.carried().passed_state(passed.state);
        if let Some(carried) = self.game.carried().fields() {
            carried.set_passed(&mut passed, &[]);
        }
        visit(&self.with(&passed));
    }

    fn under(&self, rules: &RuleInfo, index: usize, visit: &mut dyn FnMut(&dyn View)) {
        let men = self.game.men();
        let mut units = Vec::with_capacity(32);
        for square in self.position.occupied().iter() {
            if let Some((color, kind)) = self.position.unit(square) {
                let name = men.name(Color::White, kind);
                let namesake = rules.men.named(name.trim_end_matches('~'));
                units.extend(namesake.map(|kind| (square, color, kind)));
            }
        }
        let carried = self.game.carried();
        let fields = carried.fields();
        let handed = Handed {
            units,
            side: self.position.side,
            rights: self.position.rights,
            en_passant: self.position.en_passant(),
            clock: carried.clock(self.position),
            number: carried.number(self.position),
            hand: fields.and_then(|fields| fields.hand(self.position)),
            checks: fields.and_then(|fields| fields.checks(self.position)),
            state: state_fields(self.game, self.position),
        };
        let fits = with_game!(&rules.game, g => handed.visit(g.as_ref(), index, visit));
        if !fits && let Some(roomier) = rules.with_room(&self.fen()) {
            with_game!(&roomier, g => handed.visit(g.as_ref(), index, visit));
        }
    }

    fn captures(&self, turn: &Turn) -> u128 {
        captured(self.game, self.position, turn).bits()
    }

    fn captures_of_first_step(&self, turn: &Turn) -> Option<u128> {
        let first = Turn {
            picks: turn.picks,
            ..Turn::of(turn.first())
        };
        let captured = self.game.captured(self.position, &first);
        captured.map(|captured| captured.bits())
    }

    fn fen(&self) -> String {
        fen::print(self.game, self.position)
    }

    fn turn_text(&self, turn: &Turn) -> String {
        turns::print(self.game, self.position, turn)
    }

    fn hand(&self, color: Color, letter: char) -> i64 {
        let cased = |c: Color| match c {
            Color::White => letter.to_ascii_uppercase(),
            Color::Black => letter.to_ascii_lowercase(),
        };
        if let Some(hand) = self
            .game
            .carried()
            .fields()
            .and_then(|carried| carried.hand(self.position))
        {
            return hand.chars().filter(|&c| c == cased(color)).count() as i64;
        }
        // Reentrant writes four hands in its state: first two of White, then two of Black.
        let hands = self.state("hand");
        let hands = hands.split('/').skip(2 * color.index()).take(2);
        let in_hand = |hand: &str| hand.chars().filter(|&c| c == letter).count() as i64;
        hands.map(in_hand).sum()
    }

    fn castling_rights(&self, color: Color) -> i64 {
        let has = |higher| self.position.rights.has(Rights::bit(color, higher));
        i64::from(has(true)) + i64::from(has(false))
    }

    fn checks_left(&self, color: Color) -> i64 {
        let fields = self.game.carried().fields();
        let left = fields.and_then(|fields| fields.checks(self.position));
        let of_side = |left: String| left.split('+').nth(color.index())?.parse().ok();
        left.and_then(of_side).unwrap_or(0)
    }

    fn state(&self, key: &str) -> String {
        let fields = self
            .game
            .carried()
            .state_text(self.game.board(), self.position)
            .into_iter();
        fields
            .filter(|(name, _)| *name == key)
            .map(|(_, value)| value)
            .collect()
    }

    fn value(&self) -> Option<Valued> {
        self.oracle?.value(self.position)
    }

    fn kind_after(&self, turn: &Turn) -> Option<Kind> {
        self.game.kind_after(self.position, turn)
    }

    fn declared(&self, field: usize, side: Color) -> i64 {
        self.game
            .carried()
            .declared_value(self.position, field, side)
    }

    fn clocks(&self) -> (i64, i64) {
        let carried = self.game.carried();
        (
            carried.clock(self.position).into(),
            carried.number(self.position).into(),
        )
    }

    fn without(&self, square: Square, visit: &mut dyn FnMut(&dyn View)) {
        let mut without = *self.position;
        without.clear(square);
        visit(&self.with(&without));
    }
}

/// A field of the state that is handed over: its key, its declaration if a rule text declares it, and its value as FENs
/// write it.
type StateField = (&'static str, Option<DeclaredField>, String);

/// Returns the fields of a position's state. Of those that are not numbers, those with their defaults are left out.
fn state_fields<W: Layout>(game: &dyn Game<W>, position: &Position<W>) -> Vec<StateField> {
    let carried = game.carried();
    let declared = carried.declared();
    let is_number = |field: &DeclaredField| matches!(field.kind, FieldType::Number { .. });
    let mut fields = Vec::new();
    for (key, text) in carried.state_text(game.board(), position) {
        let field = declared.iter().find(|field| field.name == key).copied();
        if !field.is_some_and(|field| is_number(&field)) {
            fields.push((key, field, text));
        }
    }
    for (n, field) in declared
        .iter()
        .enumerate()
        .filter(|(_, field)| is_number(field))
    {
        let [white, black] = Color::BOTH.map(|side| carried.declared_value(position, n, side));
        let text = match field.of_side {
            true => format!("{white},{black}"),
            false => white.to_string(),
        };
        fields.push((field.name, Some(*field), text));
    }
    fields
}

/// A position that is handed over to another rule set, in a form that every layout can read.
struct Handed {
    units: Vec<(Square, Color, Kind)>,
    side: Color,
    rights: Rights,
    en_passant: Option<Square>,
    clock: u32,
    number: u32,
    hand: Option<String>,
    checks: Option<String>,
    state: Vec<StateField>,
}

impl Handed {
    /// Sets the counters, the hands and the states that a rule set has too. A state that it declares with another type,
    /// or with numbers that do not include the value, keeps its default. Returns whether the hands have room.
    fn set_fields<W: Layout>(&self, game: &dyn Game<W>, position: &mut Position<W>) -> bool {
        let carried = game.carried();
        carried.set_clock(position, self.clock);
        carried.set_number(position, self.number);
        let keys = game.variant().rule_set.state();
        for (key, declared, text) in &self.state {
            let other = carried.declared().iter().find(|field| field.name == *key);
            let number = |field: &DeclaredField| matches!(field.kind, FieldType::Number { .. });
            let fits = declared.as_ref().zip(other).is_none_or(|(own, other)| {
                own.of_side == other.of_side
                    && (own.kind == other.kind || number(own) && number(other))
            });
            let mut with = *position;
            if fits
                && keys.iter().any(|(known, _)| known == key)
                && carried
                    .read_state(game.board(), &mut with, key, text)
                    .is_ok()
            {
                *position = with;
            }
        }
        let Some(fields) = carried.fields() else {
            return true;
        };
        if let Some((white, black)) = self.checks.as_ref().and_then(|left| left.split_once('+'))
            && let (Ok(white), Ok(black), true) = (
                white.parse(),
                black.parse(),
                fields.checks(position).is_some(),
            )
        {
            let mut with = *position;
            if fields.set_checks(&mut with, [white, black]).is_ok() {
                *position = with;
            }
        }
        match &self.hand {
            Some(hand) if fields.hand(position).is_some() => {
                fields.set_hand(position, hand).is_ok()
            }
            _ => true,
        }
    }

    /// Calls `visit` for the position under another rule set. Returns false if its hands have no room for the units.
    fn visit<W: Layout>(
        &self,
        game: &dyn Game<W>,
        index: usize,
        visit: &mut dyn FnMut(&dyn View),
    ) -> bool {
        let mut position = Position::<W>::empty();
        for &(square, color, kind) in &self.units {
            position.put(color, kind, square);
        }
        position.side = self.side;
        if !self.set_fields(game, &mut position) {
            return false;
        }
        for color in Color::BOTH {
            for higher in [false, true] {
                let right = Rights::bit(color, higher);
                if self.rights.has(right) && game.has_castling_units(&position, color, higher) {
                    position.rights.0 |= right.0;
                }
            }
        }
        let en_passant = self
            .en_passant
            .filter(|&s| fen::qualifies(game, &position, s));
        match game.carried().fields() {
            Some(carried) => {
                let squares: Vec<Square> = en_passant.into_iter().collect();
                carried.set_passed(&mut position, &squares);
            }
            None => position.set_en_passant(en_passant),
        }
        visit(&PositionView {
            game,
            position: &position,
            oracle: None,
            rules_index: index,
        });
        true
    }
}

/// Returns the squares of the units that leave the board or become bound by a turn: the squares that a side
/// occupied before the turn and not after it, except squares from which a unit moved away.
fn captured<W: Layout>(game: &dyn Game<W>, before: &Position<W>, turn: &Turn) -> W::Set {
    use rules::Action;
    if let Some(captured) = game.captured(before, turn) {
        return captured;
    }
    let after = game.play(before, turn);
    let us = before.side;
    // The units that move, each with its original square, its current square and its side.
    let mut moved: [Option<(Square, Square, Color)>; 2] = [None; 2];
    let mut lost = W::Set::EMPTY;
    let mut castles = false;
    for (n, step) in turn.steps().enumerate() {
        match step.action() {
            Action::Place | Action::None => continue,
            Action::Castle => {
                castles = true;
                continue;
            }
            _ => {}
        }
        let side = if step.action() == Action::Push {
            !us
        } else {
            us
        };
        // The turn captures a unit of its own side on the target, unless that unit has moved away.
        let left = |square| moved.iter().flatten().any(|(from, _, _)| *from == square);
        if step.to != step.from && before.color(us).has(step.to) && !left(step.to) {
            lost |= W::Set::of(step.to);
        }
        match moved
            .iter_mut()
            .flatten()
            .find(|(_, now, _)| *now == step.from)
        {
            Some(unit) => unit.1 = step.to,
            None => moved[n] = Some((step.from, step.to, side)),
        }
    }
    for color in Color::BOTH {
        lost |= before.color(color) & !after.color(color);
    }
    if castles {
        lost &= !before.color(us);
    }
    for &(from, now, side) in moved.iter().flatten() {
        let survives = after.color(side).has(now);
        if survives {
            lost &= !W::Set::of(from);
        } else {
            lost |= W::Set::of(from);
        }
    }
    lost
}

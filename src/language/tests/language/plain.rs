//! Positions as plain CEL values: maps and lists for the interpreter of the `cel` crate.

use board::{Color, Kind, Square, Squares};
use cel::Value;
use language::{KindName, kind_names};
use notation::turns;
use position::{Layout, Position};
use rules::{Action, Game, Outcome, Turn, reason};
use std::collections::HashMap;

pub type Fields = HashMap<String, Value>;

pub fn text(text: &str) -> Value {
    Value::String(text.to_owned().into())
}

fn list(items: Vec<Value>) -> Value {
    Value::List(items.into())
}

fn color_name(color: Color) -> &'static str {
    if color == Color::White {
        "white"
    } else {
        "black"
    }
}

/// Converts the positions of a game to plain values.
pub struct Plain<'g, W: Layout> {
    game: &'g dyn Game<W>,
    kinds: Vec<KindName>,
}

impl<'g, W: Layout> Plain<'g, W> {
    pub fn new(game: &'g dyn Game<W>) -> Plain<'g, W> {
        Plain {
            game,
            kinds: kind_names(game.variant(), game.men()),
        }
    }

    fn kind(&self, kind: Kind) -> Value {
        let named = self
            .kinds
            .iter()
            .find(|name| name.kinds >> kind.index() & 1 == 1);
        text(named.map_or("", |name| name.name.as_str()))
    }

    fn square(&self, square: Square) -> Value {
        text(&self.game.board().geometry().name(square))
    }

    fn unit(&self, p: &Position<W>, square: Square) -> Value {
        let geometry = self.game.board().geometry();
        let (color, kind) = p.unit(square).expect("a unit");
        let (file, rank) = (geometry.file(square) + 1, geometry.rank(square) + 1);
        let row = if color == Color::White {
            rank
        } else {
            geometry.ranks() + 1 - rank
        };
        let royal = self.game.royals(p, color).has(square);
        Value::from(Fields::from([
            ("kind".into(), self.kind(kind)),
            ("side".into(), text(color_name(color))),
            ("square".into(), self.square(square)),
            ("file".into(), Value::Int(file.into())),
            ("rank".into(), Value::Int(rank.into())),
            ("row".into(), Value::Int(row.into())),
            ("royal".into(), Value::Bool(royal)),
            ("exists".into(), Value::Bool(true)),
        ]))
    }

    fn units(&self, p: &Position<W>, squares: impl Iterator<Item = Square>) -> Value {
        list(squares.map(|square| self.unit(p, square)).collect())
    }

    /// Returns the fields that every position has.
    fn position(&self, p: &Position<W>) -> Fields {
        let outcome = self.game.outcome(p);
        let (name, why) = match outcome {
            Outcome::Ongoing => ("ongoing".to_owned(), ""),
            Outcome::Draw(why) => ("draw".to_owned(), why),
            Outcome::Win(color, why) => (format!("{}-wins", color_name(color)), why),
            Outcome::WeakWin(color, why) => (format!("{}-wins-weakly", color_name(color)), why),
        };
        let geometry = self.game.board().geometry();
        let squares = self.game.board().squares().iter();
        Fields::from([
            ("side".into(), text(color_name(p.side))),
            ("check".into(), Value::Bool(self.game.in_check(p, p.side))),
            ("over".into(), Value::Bool(!outcome.is_ongoing())),
            (
                "drawn".into(),
                Value::Bool(matches!(outcome, Outcome::Draw(_))),
            ),
            ("outcome".into(), text(&name)),
            ("reason".into(), text(why)),
            ("units".into(), self.units(p, p.occupied().iter())),
            (
                "squares".into(),
                list(squares.map(|s| self.square(s)).collect()),
            ),
            ("files".into(), Value::Int(geometry.files().into())),
            ("ranks".into(), Value::Int(geometry.ranks().into())),
        ])
    }

    fn turn(&self, p: &Position<W>, before: &Value, turn: &Turn) -> Value {
        let after = self.game.play(p, turn);
        let outcome = self.game.outcome(&after);
        let steps: Vec<_> = turn.steps().collect();
        let first = steps[0];
        let last = match steps.get(1) {
            Some(second) if second.action() != Action::Place && second.from == first.to => *second,
            _ => first,
        };
        let drops = first.action() == Action::Place;
        let geometry = self.game.board().geometry();
        let length2 = match drops {
            true => 0,
            false => {
                let (f, t) = (first.from, last.to);
                let dx = i64::from(geometry.file(f)) - i64::from(geometry.file(t));
                let dx = match geometry.wraps() {
                    true => dx.abs().min(i64::from(geometry.files()) - dx.abs()),
                    false => dx,
                };
                let dy = i64::from(geometry.rank(f)) - i64::from(geometry.rank(t));
                dx * dx + dy * dy
            }
        };
        let has = |action| Value::Bool(steps.iter().any(|step| step.action() == action));
        Value::from(Fields::from([
            ("text".into(), text(&turns::print(self.game, p, turn))),
            ("kind".into(), self.kind(first.kind())),
            ("becomes".into(), self.kind(last.result())),
            (
                "from".into(),
                if drops {
                    text("")
                } else {
                    self.square(first.from)
                },
            ),
            ("to".into(), self.square(last.to)),
            (
                "promotes".into(),
                Value::Bool(steps.iter().any(|step| step.becomes().is_some())),
            ),
            ("castles".into(), has(Action::Castle)),
            ("drops".into(), has(Action::Place)),
            ("en_passant".into(), has(Action::EnPassant)),
            ("length2".into(), Value::Int(length2)),
            ("before".into(), before.clone()),
            ("after".into(), Value::from(self.position(&after))),
            (
                "checks".into(),
                Value::Bool(self.game.in_check(&after, after.side)),
            ),
            (
                "mates".into(),
                Value::Bool(outcome == Outcome::Win(p.side, reason::CHECKMATE)),
            ),
            ("ends".into(), Value::Bool(!outcome.is_ongoing())),
            ("exists".into(), Value::Bool(true)),
        ]))
    }

    /// Returns a position with its turns, and the attackers of each square by square and side.
    pub fn root(&self, p: &Position<W>) -> (Fields, HashMap<(String, String), Value>) {
        let mut fields = self.position(p);
        let before = Value::from(fields.clone());
        let mut turns = Vec::new();
        self.game.turns(p, &mut turns);
        let turns = turns
            .iter()
            .map(|turn| self.turn(p, &before, turn))
            .collect();
        fields.insert("turns".into(), list(turns));
        let mut passed = *p;
        passed.side = !p.side;
        passed.set_en_passant(None);
        passed.state = self.game.carried().passed_state(passed.state);
        if let Some(carried) = self.game.carried().fields() {
            carried.set_passed(&mut passed, &[]);
        }
        fields.insert("pass".into(), Value::from(self.position(&passed)));
        let mut attackers = HashMap::new();
        let geometry = self.game.board().geometry();
        for square in self.game.board().squares().iter() {
            for color in Color::BOTH {
                let units = self.units(p, self.game.attackers(p, square, color).iter());
                let key = (geometry.name(square), color_name(color).to_owned());
                attackers.insert(key, units);
            }
        }
        (fields, attackers)
    }
}

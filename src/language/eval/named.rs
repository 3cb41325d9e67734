//! Evaluates names of scalar types.

use super::squares::{aligned, distance, offsets, stepped};
use super::units::UnitRef;
use super::words::{outcome_number, side_of, square_of};
use super::{Evaluator, Frames, is_empty};
use crate::code::{Code, Op, missing};
use crate::turn_members::TurnRef;
use crate::view::{Valued, View};
use board::{Color, Kind, Square, Squares};
use rules::{Action, Outcome};

impl<'e> Evaluator<'e> {
    /// Evaluates a name of a scalar type.
    pub(super) fn named(&self, op: Op, args: &'e [Code], scope: Frames<'_>) -> i64 {
        let at = |work: &dyn Fn(&dyn View) -> i64| self.at(&args[0], scope, work);
        let side = |n: usize| side_of(self.scalar(&args[n], scope));
        let square = |n: usize| square_of(self.scalar(&args[n], scope));
        match op {
            Op::Side => self.at(&args[0], scope, |view| view.side() as i64),
            Op::Other => match self.scalar(&args[0], scope) {
                n @ 0..=1 => 1 - n,
                n => n,
            },
            Op::Mover => self.facts.mover as i64,
            Op::Files => i64::from(self.geometry().files()),
            Op::Ranks => i64::from(self.geometry().ranks()),
            Op::Count | Op::CountOfSide | Op::CountOfKind | Op::CountOf => {
                let (side, kind) = self.side_and_kind(op, args, scope);
                self.at(&args[0], scope, |view| {
                    i64::from(self.units(view, side, kind).len())
                })
            }
            Op::MovementOf | Op::Home | Op::Offset | Op::SquareAt => self.of_place(op, args, scope),
            Op::Empty => {
                let square = square(1);
                at(&|view| i64::from(is_empty(view, square)))
            }
            Op::Attacked => {
                let target = square(1).zip(side(2));
                at(&|view| i64::from(target.is_some_and(|(s, c)| view.attackers(s, c) != 0)))
            }
            Op::Check => self.at(&args[0], scope, |view| {
                i64::from(view.in_check(view.side()))
            }),
            Op::CheckOf => {
                let side = side(1);
                at(&|view| i64::from(side.is_some_and(|side| view.in_check(side))))
            }
            Op::Walk => {
                let (kind, side) = (self.scalar(&args[1], scope), side(2));
                let squares = square(3).zip(square(4));
                at(&|view| self.walk(view, kind, side, squares))
            }
            Op::Hand => {
                let (side, kind) = (side(1), self.scalar(&args[2], scope));
                at(&|view| self.hand(view, side, kind))
            }
            Op::CastlingRights => {
                let side = side(1);
                at(&|view| side.map_or(0, |side| view.castling_rights(side)))
            }
            Op::ChecksLeft => {
                let side = side(1);
                at(&|view| side.map_or(0, |side| view.checks_left(side)))
            }
            Op::Outcome => at(&|view| outcome_number(view.outcome())),
            Op::Won => {
                let side = side(1);
                at(&|view| {
                    i64::from(matches!(view.outcome(), Outcome::Win(c, _) if Some(c) == side))
                })
            }
            Op::WonBy => {
                let side = side(1);
                let Code::Reason(reason) = args[2] else {
                    return 0;
                };
                at(&|view| match view.outcome() {
                    Outcome::Win(c, r) => i64::from(Some(c) == side && r == reason),
                    _ => 0,
                })
            }
            Op::Drawn => at(&|view| i64::from(matches!(view.outcome(), Outcome::Draw(_)))),
            Op::IsOver => at(&|view| i64::from(!view.outcome().is_ongoing())),
            Op::Value => at(&|view| {
                let worth = |valued: Valued| i64::from(valued.worth);
                view.value().map_or(missing::VALUE, worth)
            }),
            Op::Plies => at(&|view| view.value().map_or(-1, |valued| i64::from(valued.plies))),
            Op::Depth => i64::from(self.facts.depth),
            Op::OutDegree => i64::from(self.facts.out_degree),
            Op::Sum => self.fold(&args[0], scope, i64::saturating_add),
            Op::Min => self.fold(&args[0], scope, i64::min),
            Op::Max => self.fold(&args[0], scope, i64::max),
            Op::OnBoardText
            | Op::OnBoard
            | Op::Distance
            | Op::Aligned
            | Op::Light
            | Op::SquareFile
            | Op::SquareRank => self.of_squares(op, args, scope),
            Op::UnitKind
            | Op::UnitSide
            | Op::UnitSquare
            | Op::UnitFile
            | Op::UnitRank
            | Op::UnitRow
            | Op::Royal
            | Op::Promoted
            | Op::UnitExists => self.unit(&args[0], scope, |unit| self.of_unit(op, &unit)),
            _ => self.turn(&args[0], scope, |turn| self.of_turn(op, &turn)),
        }
    }

    /// Evaluates a movement, or a square that is computed from units or other squares.
    fn of_place(&self, op: Op, args: &'e [Code], scope: Frames<'_>) -> i64 {
        match op {
            Op::MovementOf => match self.scalar(&args[0], scope) {
                kind @ 0..64 => 1 << kind,
                _ => 0,
            },
            Op::Home => self.unit(&args[1], scope, |unit| {
                let home = unit
                    .unit()
                    .and_then(|(color, kind)| self.rules(unit.view).home(color, kind, unit.square));
                i64::from(home.map_or(missing::SQUARE as i16, |square| square.0.into()))
            }),
            Op::Offset => {
                let by = [2, 3].map(|n| self.scalar(&args[n], scope));
                let to = square_of(self.scalar(&args[1], scope))
                    .and_then(|from| stepped(self.geometry(), from, by));
                to.map_or(missing::SQUARE, |square| square.0.into())
            }
            Op::SquareAt => {
                let [file, rank] = [1, 2].map(|n| self.scalar(&args[n], scope));
                self.square_at(file, rank)
            }
            _ => 0,
        }
    }

    /// Returns the square of a file and a rank, counted from 1.
    fn square_at(&self, file: i64, rank: i64) -> i64 {
        let geometry = self.geometry();
        let line = |n: i64, count: u8| u8::try_from(n).ok().filter(|n| (1..=count).contains(n));
        let place = line(file, geometry.files()).zip(line(rank, geometry.ranks()));
        let square = place.map(|(file, rank)| geometry.square(file - 1, rank - 1));
        let square = square.filter(|&square| geometry.exists(square));
        square.map_or(missing::SQUARE, |square| square.0.into())
    }

    /// Evaluates a name that depends only on squares of the board.
    fn of_squares(&self, op: Op, args: &'e [Code], scope: Frames<'_>) -> i64 {
        let geometry = self.geometry();
        let square = |n: usize| square_of(self.scalar(&args[n], scope));
        match op {
            Op::OnBoardText => {
                let text = self.text(&args[1], scope);
                i64::from(geometry.named(&text).is_some())
            }
            Op::OnBoard => i64::from(square(1).is_some()),
            Op::Distance => {
                let squares = square(1).zip(square(2));
                squares.map_or(-1, |(a, b)| distance(geometry, a, b))
            }
            Op::Aligned => {
                let squares = square(1).zip(square(2));
                i64::from(squares.is_some_and(|(a, b)| aligned(geometry, a, b)))
            }
            Op::Light => {
                let light = |s| (geometry.file(s) + geometry.rank(s)) % 2 == 1;
                i64::from(square(1).is_some_and(light))
            }
            Op::SquareFile | Op::SquareRank => square(0).map_or(0, |square| {
                i64::from(
                    1 + match op {
                        Op::SquareFile => geometry.file(square),
                        _ => geometry.rank(square),
                    },
                )
            }),
            _ => 0,
        }
    }

    pub(super) fn walk(
        &self,
        view: &dyn View,
        kind: i64,
        side: Option<Color>,
        squares: Option<(Square, Square)>,
    ) -> i64 {
        let rules = self.rules(view);
        let mask = usize::try_from(kind).ok().and_then(|n| rules.masks.get(n));
        let kind = mask
            .filter(|mask| **mask != 0)
            .map(|mask| mask.trailing_zeros());
        let (Some(kind), Some(side), Some((from, to))) = (kind, side, squares) else {
            return -1;
        };
        let kind = Kind::from_index(kind as usize);
        rules.walk(side, kind, from, to).map_or(-1, i64::from)
    }

    pub(super) fn hand(&self, view: &dyn View, side: Option<Color>, kind: i64) -> i64 {
        let rules = self.rules(view);
        let name = usize::try_from(kind)
            .ok()
            .and_then(|n| self.expression.kinds.get(n));
        let known = rules.names.iter().find(|known| Some(&known.name) == name);
        match (side, known) {
            (Some(side), Some(known)) => view.hand(side, known.letter),
            _ => 0,
        }
    }

    pub(super) fn of_unit(&self, op: Op, unit: &UnitRef<'_>) -> i64 {
        let geometry = self.geometry();
        match op {
            Op::UnitExists => i64::from(unit.exists()),
            Op::UnitKind => self.kind_id(unit.view, unit.unit().map(|(_, kind)| kind)),
            Op::UnitSide => unit.unit().map_or(missing::SIDE, |(color, _)| color as i64),
            _ if !unit.exists() => match op {
                Op::UnitSquare => missing::SQUARE,
                _ => 0,
            },
            Op::UnitSquare => i64::from(unit.square.0),
            Op::UnitFile => i64::from(geometry.file(unit.square)) + 1,
            Op::UnitRank => i64::from(geometry.rank(unit.square)) + 1,
            Op::UnitRow => {
                let rank = geometry.rank(unit.square);
                unit.unit().map_or(0, |(color, _)| {
                    i64::from(match color {
                        Color::White => rank + 1,
                        Color::Black => geometry.ranks() - rank,
                    })
                })
            }
            Op::Royal => unit.unit().map_or(0, |(color, _)| {
                let royal = unit.bound.is_none() && unit.view.royals(color).has(unit.square);
                i64::from(royal)
            }),
            _ => unit.unit().map_or(0, |(color, kind)| {
                i64::from(self.rules(unit.view).men.name(color, kind).len() > 1)
            }),
        }
    }

    /// Returns the square that a turn begins on. In rule texts, a unit that is taken off the board goes from nowhere.
    fn origin(&self, turn: &TurnRef<'_>) -> Option<Square> {
        match self.expression.is_clause && turn.takes_off() {
            true => None,
            false => turn.from(),
        }
    }

    /// Returns the target of a turn: in rule texts that of the last step, whatever unit makes it.
    fn target(&self, turn: &TurnRef<'_>) -> Option<Square> {
        match self.expression.is_clause {
            true => turn.last_target(),
            false => turn.to(),
        }
    }

    pub(super) fn of_turn(&self, op: Op, turn: &TurnRef<'_>) -> i64 {
        let geometry = self.geometry();
        let square = |square: Option<Square>| square.map_or(missing::SQUARE, |s| i64::from(s.0));
        match op {
            Op::TurnKind => self.kind_id(turn.before, turn.kind()),
            Op::Becomes => self.kind_id(turn.before, turn.becomes()),
            Op::From => square(self.origin(turn)),
            Op::To => square(self.target(turn)),
            Op::Promotes => i64::from(turn.promotes()),
            Op::Castles => i64::from(turn.has(Action::Castle)),
            Op::Drops => i64::from(turn.has(Action::Place)),
            Op::EnPassant => i64::from(turn.has(Action::EnPassant)),
            Op::Length2 => {
                let squares = self.origin(turn).zip(self.target(turn));
                squares.map_or(0, |(from, to)| {
                    let (dx, dy) = offsets(geometry, from, to);
                    dx * dx + dy * dy
                })
            }
            Op::Checks => i64::from(turn.checks()),
            Op::Mates => i64::from(turn.mates()),
            Op::Ends => i64::from(!turn.outcome().is_ongoing()),
            Op::TurnExists => i64::from(turn.turn.is_some()),
            _ => 0,
        }
    }
}

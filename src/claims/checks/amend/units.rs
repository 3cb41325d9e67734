//! Positions with units added and moved, one after the other.

use super::{Amending, ChangedUnit, Flow, Split};
use board::{Color, Kind, Square, Squares};
use position::{Layout, Position, Rights};
use tables::is_valid_fen_position;

impl<W: Layout + tables::Layout> Amending<'_, W> {
    /// Calls `visit` for each position with units added and moved that a FEN may describe, with the changes.
    pub(super) fn each_valid_position(
        &self,
        split: Split,
        visit: &mut dyn FnMut(&Position<W>, &[ChangedUnit]) -> Flow,
    ) -> Flow {
        let game = self.start.game.as_ref();
        self.each_position(split, &mut |position, changed| {
            self.go_on()?;
            match changed.is_empty() || is_valid_fen_position(game, position) {
                true => visit(position, changed),
                false => Flow::Continue(()),
            }
        })
    }

    /// Calls `visit` for each position with units added and moved, with the changes.
    pub(super) fn each_position(
        &self,
        split: Split,
        visit: &mut dyn FnMut(&Position<W>, &[ChangedUnit]) -> Flow,
    ) -> Flow {
        let addable = match split.added_units {
            0 => Vec::new(),
            _ => self.addable(),
        };
        let squares: Vec<Square> = self.start.game.board().squares().iter().collect();
        self.move_units(
            &mut Vec::new(),
            &self.start.position,
            (&squares, 0),
            split.moved_units,
            &mut |p, changed| {
                let mut changed = changed.to_vec();
                self.add_units(&mut changed, p, &addable, split.added_units, visit)
            },
        )
    }

    /// Adds `left` of these units in all ways, in increasing order.
    fn add_units(
        &self,
        changed: &mut Vec<ChangedUnit>,
        p: &Position<W>,
        addable: &[ChangedUnit],
        left: u32,
        visit: &mut dyn FnMut(&Position<W>, &[ChangedUnit]) -> Flow,
    ) -> Flow {
        if left == 0 {
            return visit(p, changed);
        }
        for (n, unit) in addable.iter().enumerate() {
            if p.occupied().has(unit.to) {
                continue;
            }
            let mut q = *p;
            q.put(unit.color, unit.kind, unit.to);
            changed.push(*unit);
            self.add_units(changed, &q, &addable[n + 1..], left - 1, visit)?;
            changed.pop();
        }
        Flow::Continue(())
    }

    /// Moves `left` units of the printed position to vacant squares in all ways. Only units on squares from an
    /// index on are moved, so each set of moved units is tried in one order only.
    fn move_units(
        &self,
        changed: &mut Vec<ChangedUnit>,
        p: &Position<W>,
        (squares, from): (&[Square], usize),
        left: u32,
        visit: &mut dyn FnMut(&Position<W>, &[ChangedUnit]) -> Flow,
    ) -> Flow {
        if left == 0 {
            return visit(p, changed);
        }
        let game = self.start.game.as_ref();
        for (n, &origin) in squares.iter().enumerate().skip(from) {
            // Move only units of the printed position, never one that was moved before.
            let Some((color, kind)) = self.start.position.unit(origin) else {
                continue;
            };
            for &to in squares.iter().filter(|&&to| !p.occupied().has(to)) {
                let mut q = *p;
                q.clear(origin);
                q.put(color, kind, to);
                for color in Color::BOTH {
                    for higher in [false, true] {
                        let right = Rights::bit(color, higher);
                        if q.rights.has(right) && !game.has_castling_units(&q, color, higher) {
                            q.rights = q.rights.without(right);
                        }
                    }
                }
                changed.push(ChangedUnit {
                    color,
                    kind,
                    from: Some(origin),
                    to,
                });
                self.move_units(changed, &q, (squares, n + 1), left - 1, visit)?;
                changed.pop();
            }
        }
        Flow::Continue(())
    }

    /// Returns the units that may be added, each on every square of the board.
    fn addable(&self) -> Vec<ChangedUnit> {
        let game = self.start.game.as_ref();
        let men = game.men();
        let allowed = |color: Color, kind: Kind| match &self.budget.letters {
            None => true,
            Some(letters) => {
                let name = men.name(color, kind);
                letters.split([',', ' ']).any(|letter| *name == *letter)
                    || letters.chars().any(|letter| *name == *letter.to_string())
            }
        };
        let mut units = Vec::new();
        for color in Color::BOTH {
            for kind in men.kinds().filter(|&kind| allowed(color, kind)) {
                for square in game.board().squares().iter() {
                    if kind != Kind::Pawn || !game.no_pawns_in_fens(color).has(square) {
                        units.push(ChangedUnit {
                            color,
                            kind,
                            from: None,
                            to: square,
                        });
                    }
                }
            }
        }
        units
    }

    fn unit_words(&self, color: Color, kind: Kind, square: Square) -> String {
        let game = self.start.game.as_ref();
        let side = match color {
            Color::White => "white",
            Color::Black => "black",
        };
        let name = game.men().name(Color::White, kind);
        format!("{side} {}{}", &*name, game.board().geometry().name(square))
    }

    pub(super) fn change_words(&self, unit: &ChangedUnit) -> String {
        let game = self.start.game.as_ref();
        let ChangedUnit {
            color,
            kind,
            from,
            to,
        } = *unit;
        match from {
            None => format!("add {}", self.unit_words(color, kind, to)),
            Some(origin) => {
                let name = game.board().geometry().name(to);
                format!("{} on {name}", self.unit_words(color, kind, origin))
            }
        }
    }
}

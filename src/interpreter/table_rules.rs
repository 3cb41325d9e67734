//! Implements [`TableRules`] for [`BoundRules`]: the properties of a definition on which endgame tables rely.

use crate::bound_rules::{BoundRules, Passers};
use board::{Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::{TableRules, UnsupportedByTables};

impl<W: Layout> TableRules<W> for BoundRules<W::Set> {
    fn check_tables(&self) -> Result<(), UnsupportedByTables> {
        if self.law.definition.castling.wins != Default::default() {
            return Err("tables hold positions without castling rights, and who has lost them has lost here"
                    .into());
        }
        if self.law.state.bits > u64::BITS {
            return Err(format!(
                "tables hold positions whose hands, unmoved units and counters take 64 bits or fewer; here they take \
                 {}",
                self.law.state.bits
            ).into());
        }
        if self.law.has_other_hands {
            return Err(
                "tables are made for hands as large as in games from the start position".into(),
            );
        }
        Ok(())
    }

    fn double_stepped(&self, color: Color) -> W::Set {
        let ends = self.squares.iter().filter_map(|from| {
            let passed = self.ahead(from, color == Color::White)?;
            let to = self.ahead(passed, color == Color::White)?;
            self.steps_twice(color, from, passed, to, W::Set::EMPTY)
                .then_some(to)
        });
        ends.fold(W::Set::EMPTY, W::Set::with)
    }

    fn passes_otherwise(&self, kinds: [u64; 2]) -> bool {
        let Passers {
            otherwise,
            passes,
            takes,
            arise,
        } = self.passing_kinds;
        let any = |of: Color, does: [u64; 2]| {
            let side = of.index();
            does[side] & (kinds[side] | arise) != 0
        };
        let may_pass = |color: Color| any(color, passes) && any(!color, takes);
        otherwise && Color::BOTH.into_iter().any(may_pass)
    }

    fn passer(&self, p: &Position<W>) -> Option<Square> {
        BoundRules::passed(self, p).map(|(_, unit)| unit)
    }

    fn is_settled_by_material(&self, p: &Position<W>) -> bool {
        self.extinction(p).is_some()
    }
}
impl<S: Squares> BoundRules<S> {
    /// Returns whether a side's pawn can make a double step over `passed` with `others` occupied, and the
    /// opponent could capture it en passant.
    pub(crate) fn steps_twice(
        &self,
        color: Color,
        from: Square,
        passed: Square,
        to: Square,
        others: S,
    ) -> bool {
        self.passing_zone[(!color).index()].has(passed)
            && !others.has(passed)
            && self.moves.reach(color, Kind::Pawn, from, others).0.has(to)
    }

    /// Returns whether the vulnerable unit is the first enemy unit ahead of the en passant square. FENs of
    /// this format assume this if they do not name the unit's square.
    pub(crate) fn is_ahead<W: Layout<Set = S>>(&self, p: &Position<W>, unit: Square) -> bool {
        let mut bare = *p;
        self.law.state.passer.set(&mut bare, 0);
        BoundRules::passed(self, &bare).is_some_and(|(_, found)| found == unit)
    }
}

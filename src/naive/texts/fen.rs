//! Reads and prints positions: the FEN of the definition, and the states.

use super::game::Game;
use super::position::{Pos, States};
use super::state;
use super::value::Outcome;
use crate::defined::fen;
use crate::defined::state::Position;
use std::rc::Rc;

impl Game {
    /// Reads a FEN. The inner result is why the text is not a position: it cannot be read, `fenIf` does not hold, or
    /// the side that has moved is in check.
    ///
    /// # Errors
    /// If a clause cannot be evaluated.
    pub fn read(&self, text: &str) -> Outcome<Outcome<Pos>> {
        let law = &self.rules.law;
        let text = text.trim();
        let (plain, field) = match text.rsplit_once(' ') {
            Some((plain, field)) if field.contains('=') => (plain, field),
            _ => (text, ""),
        };
        let keys = ["rebirth", "stepCount", "continues"];
        let refills = law.gating || keys.iter().any(|key| self.clause(key).is_some());
        let mut base = match fen::read_where(law, plain, refills) {
            Ok(base) => base,
            Err(why) => return Ok(Err(why)),
        };
        if self.rules.orthodox {
            self.forget_rights_away_from_home(&mut base);
        }
        let passes = field.strip_prefix("passes=");
        let passes = passes.filter(|_| law.passes_at_all());
        let field = match passes.map(|rest| rest.split_once(';').unwrap_or((rest, ""))) {
            None => field,
            Some((count, rest)) => {
                base.passes = match count.parse() {
                    Ok(count @ 0..=2) => count,
                    _ => return Ok(Err(format!("passes={count}"))),
                };
                rest
            }
        };
        let values = match state::read(law, &self.rules.states, field) {
            Ok(values) => values,
            Err(why) => return Ok(Err(why)),
        };
        let pos = self.with_en_passant(&Pos {
            base: Rc::new(base),
            states: States::known(values),
        })?;
        Ok(self.check(&pos)?.map(|()| pos))
    }

    /// `fenIf`, and the safety of the side that has moved.
    fn check(&self, pos: &Pos) -> Outcome<Outcome<()>> {
        let game = self.open();
        for (at, layer) in self.layers() {
            let group = |(other, layer): &(usize, &super::rules::Layer), group: usize| {
                *other > at && layer.group == group && layer.fen_if.is_some()
            };
            let replaced = self.layers().any(|other| group(&other, layer.group));
            for (condition, message) in layer.fen_if.iter().flatten() {
                let clause = (at, condition.clone());
                if !replaced && !game.ask(&clause, pos, None, Vec::new())?.bool()? {
                    return Ok(Err(message.clone()));
                }
            }
        }
        if !self.is_set("ownCheck") && self.in_check(pos, 1 - pos.base.side)? {
            return Ok(Err("the side that has just moved is in check".to_string()));
        }
        Ok(Ok(()))
    }

    /// Removes the rights of kings and rooks that are not on their files of the array.
    fn forget_rights_away_from_home(&self, base: &mut Position) {
        let law = &self.rules.law;
        for side in 0..2 {
            let rank = law.castling_rank_of(side);
            let home = law.square(law.castling_king_file, rank);
            for (wing, file) in [(0, 0), (1, law.files - 1)] {
                let corner = law.square(file, rank);
                if base.castler[side] != home || base.rooks[side][wing] != corner {
                    base.rooks[side][wing] = None;
                }
            }
        }
    }

    /// Returns the canonical FEN.
    ///
    /// # Errors
    /// If a state cannot be computed.
    pub fn print(&self, pos: &Pos) -> Outcome<String> {
        let law = &self.rules.law;
        let states = &self.rules.states;
        let values: Outcome<Vec<_>> = (0..states.len()).map(|at| pos.states.get(at)).collect();
        let passes = match pos.base.passes {
            0 => String::new(),
            passes => format!("passes={passes}"),
        };
        let mut fields = vec![passes, state::print(law, states, &values?)];
        fields.retain(|field| !field.is_empty());
        let field = fields.join(";");
        let plain = fen::print(law, &pos.base);
        Ok(match field.is_empty() {
            true => plain,
            false => format!("{plain} {field}"),
        })
    }
}

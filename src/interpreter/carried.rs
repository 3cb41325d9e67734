//! Implements [`Carried`] for [`BoundRules`]: the variant state of positions, and its keys in a FEN.

use crate::bound_rules::BoundRules;
use crate::state;
use crate::turns::gates::shuts;
use board::{Color, Squares};
use definition::Definition;
use position::{BoardOf, Layout, Position};
use rules::{Carried, FenFields, Legality};

const PASSES: &str = "passes";
const DROPPED: &str = "dropped";
const CASTLED: &str = "castled";
const SHAK: &str = "shak";
const EXTINCT: &str = "extinct";
const SHUT: &str = "shut";

impl<W: Layout> Carried<W> for BoundRules<W::Set> {
    fn state_bits(&self) -> u32 {
        self.law.state.bits
    }

    fn state_text(&self, _b: &BoardOf<W>, p: &Position<W>) -> Vec<(&'static str, String)> {
        let map = &self.law.state;
        let mut texts = Vec::new();
        let fields = [
            (PASSES, map.passes),
            (DROPPED, map.dropped_pawn),
            (CASTLED, map.castled),
        ];
        for (key, field) in fields {
            let value = field.get(p);
            if value > 0 {
                texts.push((key, value.to_string()));
            }
        }
        for (key, fields) in [(SHAK, map.shak), (EXTINCT, map.extinct)] {
            let sides: String = Color::BOTH
                .into_iter()
                .filter(|color| fields[color.index()].get(p) > 0)
                .map(|color| if color == Color::White { 'w' } else { 'b' })
                .collect();
            if !sides.is_empty() {
                texts.push((key, sides));
            }
        }
        let shut: Vec<String> = Color::BOTH
            .into_iter()
            .flat_map(|color| self.shut_gates(p, color).iter())
            .map(|square| self.geometry.name(square))
            .collect();
        if !shut.is_empty() {
            texts.push((SHUT, shut.join(",")));
        }
        texts
    }

    fn read_state(&self, _b: &BoardOf<W>, p: &mut Position<W>, key: &str, value: &str) -> Legality {
        let map = &self.law.state;
        let by_side = match key {
            SHAK => Some(map.shak),
            EXTINCT => Some(map.extinct),
            _ => None,
        };
        if let Some(fields) = by_side {
            let sides: &[Color] = match value {
                "w" => &[Color::White],
                "b" => &[Color::Black],
                "wb" => &Color::BOTH,
                _ => return Err("it takes w, b or wb".into()),
            };
            for color in sides {
                fields[color.index()].set(p, 1);
            }
            return Ok(());
        }
        if key == SHUT {
            return value
                .split(',')
                .try_for_each(|name| self.shut_gate(p, name));
        }
        let (field, most) = match key {
            PASSES => (map.passes, u64::from(definition::PASS_ENDS)),
            CASTLED => (map.castled, 1),
            _ => (map.dropped_pawn, 1),
        };
        let most = most.min(field.most());
        match value.parse::<u64>() {
            Ok(n) if n <= most => {
                field.set(p, n);
                Ok(())
            }
            _ => Err(format!("it takes a whole number from 0 to {most}").into()),
        }
    }

    fn swapped_state(&self, state: u64) -> Option<u64> {
        self.law.state.swapped(state)
    }

    fn unit_limit(&self, p: &Position<W>) -> usize {
        let hands: u64 = (0..self.law.definition.pieces.len())
            .flat_map(|n| [0, 1].map(|side| self.law.state.hands[side][n].get(p)))
            .sum();
        let units = p.occupied().len() as usize + hands as usize;
        units.min(self.squares.len() as usize)
    }

    fn rights_arise(&self) -> bool {
        self.law.definition.castling.dropped
    }

    fn clock(&self, p: &Position<W>) -> u32 {
        p.halfmove.max(self.law.state.quiet.get(p) as u32)
    }

    fn set_clock(&self, p: &mut Position<W>, clock: u32) {
        p.halfmove = clock;
        let counted = u64::from(clock).min(self.law.definition.quiet_plies());
        self.law.state.quiet.set(p, counted);
    }

    fn fields(&self) -> Option<&dyn FenFields<W>> {
        Some(self)
    }
}

/// Returns the keys that a definition uses in the state field of a FEN, each with its meaning.
pub fn state_keys(
    definition: &Definition,
    map: &state::StateMap,
) -> Vec<(&'static str, &'static str)> {
    let mut keys = Vec::new();
    if map.passes.most() > 0 {
        keys.push((PASSES, "how many of the last turns were passes"));
    }
    if map.dropped_pawn.most() > 0 {
        keys.push((DROPPED, "1 if the last turn put a `shogiPawn` on the board"));
    }
    if map.castled.most() > 0 {
        keys.push((CASTLED, "1 if the last turn was a castling that wins"));
    }
    if map.shak[0].most() > 0 {
        keys.push((
            SHAK,
            "whose checks, given without a break, hold one by rook, bers or knight: w, b or wb",
        ));
    }
    if map.extinct[0].most() > 0 {
        keys.push((
            EXTINCT,
            "who has lost the last units of a royal kind, or made others of them: w, b or wb",
        ));
    }
    if shuts(definition) {
        keys.push((
            SHUT,
            "squares of units that may castle, but which nothing may enter when they leave",
        ));
    }
    keys
}

//! Implements [`Carried`] for [`BoundRules`]: the variant state of positions, and its keys in a FEN.

use crate::bound_rules::BoundRules;
use crate::declared::{Declared, Names, separator};
use crate::state::{self, Field};
use crate::turns::gates::shuts;
use board::{Color, Squares};
use definition::Definition;
use position::{BoardOf, Layout, Position};
use rules::{Carried, DeclaredField, FenFields, Legality};

const PASSES: &str = "passes";
const DROPPED: &str = "dropped";
const CASTLED: &str = "castled";
const SHAK: &str = "shak";
const EXTINCT: &str = "extinct";
const SHUT: &str = "shut";
/// The keys of the format's own fields.
pub(crate) const KEYS: [&str; 5] = [PASSES, DROPPED, CASTLED, SHAK, SHUT];

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
        for (declared, fields) in self.law.declared.fields.iter().zip(&map.declared) {
            let [first, second] = fields.map(|field| field.get(p));
            if first == 0 && second == 0 {
                continue;
            }
            let text = |stored| self.names().text(declared.kind, stored);
            let value = match declared.of_side {
                true => format!(
                    "{}{}{}",
                    text(first),
                    separator(declared.kind),
                    text(second)
                ),
                false => text(first),
            };
            texts.push((declared.name, value));
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
        let mut declared = self.law.declared.fields.iter().zip(&map.declared);
        if let Some((declared, fields)) = declared.find(|(declared, _)| declared.name == key) {
            return self.read_declared(p, declared, *fields, value);
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

    fn declared(&self) -> &[DeclaredField] {
        &self.law.declared.fields
    }

    fn declared_value(&self, p: &Position<W>, field: usize, side: Color) -> i64 {
        let kind = self.law.declared.fields[field].kind;
        self.names()
            .value(kind, self.law.state.declared[field][side.index()], p)
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
        let [halfmove, _] = self.law.state.clocks;
        let kept = self.law.state.quiet.get(p).max(halfmove.get(p));
        p.halfmove.max(kept as u32)
    }

    fn set_clock(&self, p: &mut Position<W>, clock: u32) {
        p.halfmove = clock;
        let counted = u64::from(clock).min(self.law.definition.quiet_plies());
        self.law.state.quiet.set(p, counted);
        let [halfmove, _] = self.law.state.clocks;
        halfmove.set(p, u64::from(clock).min(halfmove.most()));
    }

    fn number(&self, p: &Position<W>) -> u32 {
        let [_, fullmove] = self.law.state.clocks;
        p.fullmove.max(fullmove.get(p) as u32 + 1)
    }

    fn set_number(&self, p: &mut Position<W>, number: u32) {
        p.fullmove = number;
        let [_, fullmove] = self.law.state.clocks;
        fullmove.set(p, u64::from(number.saturating_sub(1)).min(fullmove.most()));
    }

    fn fields(&self) -> Option<&dyn FenFields<W>> {
        Some(self)
    }
}

impl<S: Squares> BoundRules<S> {
    /// Returns what the texts of declared values depend on.
    pub(crate) fn names(&self) -> Names<'_> {
        Names {
            definition: &self.law.definition,
            kinds: &self.law.kinds,
            geometry: self.geometry,
        }
    }

    fn read_declared<W: Layout<Set = S>>(
        &self,
        p: &mut Position<W>,
        declared: &DeclaredField,
        fields: [Field; 2],
        text: &str,
    ) -> Legality {
        let names = self.names();
        if !declared.of_side {
            fields[0].set(p, names.read(declared.kind, text)?);
            return Ok(());
        }
        let separator = separator(declared.kind);
        let Some((white, black)) = text.split_once(separator) else {
            let why =
                format!("it takes two values, White's and Black's, separated by `{separator}`");
            return Err(why.into());
        };
        for (field, text) in fields.into_iter().zip([white, black]) {
            field.set(p, names.read(declared.kind, text)?);
        }
        Ok(())
    }
}

/// Returns the keys that a definition uses in the state field of a FEN, each with its meaning.
pub fn state_keys(
    definition: &Definition,
    map: &state::StateMap,
    declared: &Declared,
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
    keys.extend(
        declared
            .fields
            .iter()
            .map(|field| (field.name, "declared by the rule text")),
    );
    keys
}

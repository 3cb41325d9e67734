//! The clauses `state.NAME`: the state after a turn.

use crate::rule::of_turn;
use crate::set::{ClauseSet, Shared};
use board::Color;
use interpreter::Play;
use language::GivenValues;
use position::{Layout, Position};
use rules::FieldType;

/// Sets the declared fields of `after`. Every clause reads the old values.
pub fn update_state<W: Layout>(set: &ClauseSet<W>, play: &Play<'_, W>, after: &mut Position<W>) {
    let mut new: Vec<(usize, Color, i64)> = Vec::new();
    for (field, rule) in &set.state {
        let declared = set.base.declared()[*field];
        let sides: &[Color] = match declared.of_side {
            true => &Color::BOTH,
            false => &[Color::White],
        };
        for &side in sides {
            let mut given = of_turn(play);
            if declared.of_side {
                given.owner = side;
            }
            new.push((*field, side, value(declared.kind, rule, play, given)));
        }
    }
    for (field, side, value) in new {
        set.base.set_declared(after, field, side, value);
    }
}

/// Returns the value of a clause as it is stored.
fn value<W: Layout>(
    kind: FieldType,
    rule: &Shared<W>,
    play: &Play<'_, W>,
    given: GivenValues<'_, W>,
) -> i64 {
    match kind {
        FieldType::Number { .. } | FieldType::Flag | FieldType::Side | FieldType::Square => {
            rule.number_with(play, given)
        }
        FieldType::Words(words) => {
            let word = rule.word_with(play, given);
            words.iter().position(|known| *known == word).unwrap_or(0) as i64
        }
        FieldType::Kind => {
            let kinds = rule.kinds_with(play, given);
            kinds.first().map_or(-1, |kind| kind.index() as i64)
        }
        FieldType::Kinds => {
            let kinds = rule.kinds_with(play, given);
            kinds.iter().fold(0, |bits, kind| bits | 1 << kind.index())
        }
        // The numbers of the sides.
        FieldType::Sides => rule.squares_with(play, given) as i64 & 3,
    }
}

//! Where positions and turns come from: decides whether their values are known.
//!
//! Values are known of the position that an expression is about, of the positions after its legal turns, and of
//! these positions with the other side to move (`flip`). A graph or a table has no other positions.

use super::Checker;
use crate::code::{Code, Macro, Op};
use rules::{NestedLists, with_game};

/// What the origin of a position, a turn or a list of these decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Provenance {
    /// Whether the value is known of the position, or of the position before the turn.
    pub values: bool,
    /// Whether the value is known of the position after the turn.
    pub values_after: bool,
    /// Whether the position is a `flip`, which has values only.
    pub flip: bool,
    /// Whether other rules than those of the expression judge the position.
    pub foreign: bool,
    /// How deeply the rules that judge the position nest lists of turns.
    pub nested: NestedLists,
}

impl Provenance {
    /// The position or the turn that the expression is about.
    pub const SUBJECT: Provenance = Provenance {
        values: true,
        values_after: true,
        flip: false,
        foreign: false,
        nested: NestedLists {
            per_turn: 0,
            per_position: 0,
        },
    };

    /// A position outside the graph or the table.
    const ELSEWHERE: Provenance = Provenance {
        values: false,
        values_after: false,
        flip: false,
        foreign: false,
        nested: NestedLists {
            per_turn: 0,
            per_position: 0,
        },
    };

    /// Returns the provenance of a value that is either of two.
    fn either(self, other: Provenance) -> Provenance {
        Provenance {
            values: self.values && other.values,
            values_after: self.values_after && other.values_after,
            flip: self.flip || other.flip,
            foreign: self.foreign && other.foreign,
            nested: NestedLists {
                per_turn: self.nested.per_turn.max(other.nested.per_turn),
                per_position: self.nested.per_position.max(other.nested.per_position),
            },
        }
    }
}

impl Checker<'_> {
    /// Returns the provenance of the position, turn or list that code denotes.
    pub(super) fn provenance(&self, code: &Code) -> Provenance {
        let mut variables = self.scope.iter().map(|bound| bound.provenance).collect();
        let nested = |code: &Code| {
            let parent = || self.environment.text.and_then(|text| text.parent);
            let game = match code {
                Code::Under(_, n) => &self.rules[*n].game,
                Code::Parent => parent().unwrap_or(self.environment.game),
                _ => self.environment.game,
            };
            with_game!(game, game => game.nested_lists())
        };
        provenance(code, &mut variables, &nested)
    }
}

/// Returns the provenance of code, given that of the variables in scope, the innermost last. `nested` returns how
/// deeply the rules of code that names a position nest lists of turns.
fn provenance(
    code: &Code,
    variables: &mut Vec<Provenance>,
    nested: &dyn Fn(&Code) -> NestedLists,
) -> Provenance {
    match code {
        Code::Here | Code::ThisTurn => Provenance {
            nested: nested(code),
            ..Provenance::SUBJECT
        },
        Code::Variable(hops) => variables[variables.len() - 1 - *hops as usize],
        Code::Name(Op::Turns | Op::Steps | Op::Before, args) => {
            provenance(&args[0], variables, nested)
        }
        // The position after a pseudo-legal turn may be illegal.
        Code::Name(Op::Pseudo, args) => Provenance {
            values_after: false,
            ..provenance(&args[0], variables, nested)
        },
        Code::Name(Op::After, args) => {
            let turn = provenance(&args[0], variables, nested);
            Provenance {
                foreign: turn.foreign,
                nested: turn.nested,
                ..match turn.values_after {
                    true => Provenance::SUBJECT,
                    false => Provenance::ELSEWHERE,
                }
            }
        }
        Code::Parent | Code::Under(..) => Provenance {
            foreign: true,
            nested: nested(code),
            ..Provenance::ELSEWHERE
        },
        Code::Name(Op::Pass | Op::Without, args) => Provenance {
            values: false,
            values_after: false,
            flip: false,
            ..provenance(&args[0], variables, nested)
        },
        Code::Name(Op::Flip, args) => Provenance {
            flip: true,
            ..provenance(&args[0], variables, nested)
        },
        Code::Choice(parts) => provenance(&parts[1], variables, nested)
            .either(provenance(&parts[2], variables, nested)),
        Code::List(_, items) => items.iter().fold(Provenance::SUBJECT, |all, item| {
            all.either(provenance(item, variables, nested))
        }),
        Code::Index(_, parts) => provenance(&parts[0], variables, nested),
        Code::Macro(Macro::Map, _, parts) => {
            let element = provenance(&parts[0], variables, nested);
            variables.push(element);
            let mapped = provenance(&parts[1], variables, nested);
            variables.pop();
            mapped
        }
        Code::Macro(_, _, parts) => provenance(&parts[0], variables, nested),
        code => Provenance {
            nested: match code {
                Code::Name(_, args) if !args.is_empty() => {
                    provenance(&args[0], variables, nested).nested
                }
                _ => nested(code),
            },
            ..Provenance::ELSEWHERE
        },
    }
}

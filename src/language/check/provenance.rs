//! Where positions and turns come from: decides whether their values are known.
//!
//! Values are known of the position that an expression is about, of the positions after its legal turns, and of
//! these positions with the other side to move (`flip`). A graph or a table has no other positions.

use super::Checker;
use crate::code::{Code, Macro, Op};

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
}

impl Provenance {
    /// The position or the turn that the expression is about.
    pub const SUBJECT: Provenance = Provenance {
        values: true,
        values_after: true,
        flip: false,
        foreign: false,
    };

    /// A position outside the graph or the table.
    const ELSEWHERE: Provenance = Provenance {
        values: false,
        values_after: false,
        flip: false,
        foreign: false,
    };

    /// Returns the provenance of a value that is either of two.
    fn either(self, other: Provenance) -> Provenance {
        Provenance {
            values: self.values && other.values,
            values_after: self.values_after && other.values_after,
            flip: self.flip || other.flip,
            foreign: self.foreign && other.foreign,
        }
    }
}

impl Checker<'_> {
    /// Returns the provenance of the position, turn or list that code denotes.
    pub(super) fn provenance(&self, code: &Code) -> Provenance {
        let mut variables = self.scope.iter().map(|bound| bound.provenance).collect();
        provenance(code, &mut variables)
    }
}

/// Returns the provenance of code, given that of the variables in scope, the innermost last.
fn provenance(code: &Code, variables: &mut Vec<Provenance>) -> Provenance {
    match code {
        Code::Here | Code::ThisTurn => Provenance::SUBJECT,
        Code::Variable(hops) => variables[variables.len() - 1 - *hops as usize],
        Code::Name(Op::Turns | Op::Steps | Op::Before, args) => provenance(&args[0], variables),
        // The position after a pseudo-legal turn may be illegal.
        Code::Name(Op::Pseudo, args) => Provenance {
            values_after: false,
            ..provenance(&args[0], variables)
        },
        Code::Name(Op::After, args) => {
            let turn = provenance(&args[0], variables);
            Provenance {
                foreign: turn.foreign,
                ..match turn.values_after {
                    true => Provenance::SUBJECT,
                    false => Provenance::ELSEWHERE,
                }
            }
        }
        Code::Parent | Code::Under(..) => Provenance {
            foreign: true,
            ..Provenance::ELSEWHERE
        },
        Code::Name(Op::Pass | Op::Without, args) => Provenance {
            foreign: provenance(&args[0], variables).foreign,
            ..Provenance::ELSEWHERE
        },
        Code::Name(Op::Flip, args) => Provenance {
            flip: true,
            ..provenance(&args[0], variables)
        },
        Code::Choice(parts) => {
            provenance(&parts[1], variables).either(provenance(&parts[2], variables))
        }
        Code::List(_, items) => items.iter().fold(Provenance::SUBJECT, |all, item| {
            all.either(provenance(item, variables))
        }),
        Code::Index(_, parts) => provenance(&parts[0], variables),
        Code::Macro(Macro::Map, _, parts) => {
            let element = provenance(&parts[0], variables);
            variables.push(element);
            let mapped = provenance(&parts[1], variables);
            variables.pop();
            mapped
        }
        Code::Macro(_, _, parts) => provenance(&parts[0], variables),
        _ => Provenance::ELSEWHERE,
    }
}

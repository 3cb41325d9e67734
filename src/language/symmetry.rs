//! Which symmetries an expression has: whether its value stays the same, or is carried along, when the position and the
//! turn that it is about are reflected.
//!
//! The answer follows from the names and constants of the expression. Lists of squares, units and turns are taken as
//! sets, so an expression that depends on their order has no symmetry. False means only that no symmetry was found.

use crate::code::{Code, Op, missing};
use crate::names::{NAMES, Owner};
use crate::rule_text::Given;
use crate::types::{Item, Type};
use rules::{FieldType, Symmetries};

/// A reflection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reflection {
    /// Left and right are swapped.
    Files,
    /// The order of the ranks is reversed.
    Ranks,
    /// Files are swapped with ranks.
    Diagonals,
    /// The sides are swapped, and the order of the ranks is reversed.
    Colors,
}

/// Returns the symmetries of an expression of this type.
pub fn symmetries(code: &Code, result: Type) -> Symmetries {
    Symmetries {
        files: is_invariant(code, result, Reflection::Files),
        ranks: is_invariant(code, result, Reflection::Ranks),
        diagonals: is_invariant(code, result, Reflection::Diagonals),
        colors: is_invariant(code, result, Reflection::Colors),
    }
}

/// Returns whether the value of a code, which has this type, is carried along by a reflection.
fn is_invariant(code: &Code, result: Type, under: Reflection) -> bool {
    let of = |part: &Code, item| is_invariant(part, Type::One(item), under);
    let all = |parts: &[Code], item| parts.iter().all(|part| of(part, item));
    // A list is never a constant, so its type does not matter.
    let list = |part: &Code| is_invariant(part, Type::List(Item::Int), under);
    match code {
        Code::Scalar(value) => match result.item() {
            Item::Square => *value == missing::SQUARE,
            Item::Side => under != Reflection::Colors || *value == missing::SIDE,
            Item::Outcome => under != Reflection::Colors,
            _ => true,
        },
        Code::Flag(_) | Code::Text(_) | Code::Reason(_) => true,
        Code::Here | Code::ThisTurn | Code::SideToMove | Code::Variable(_) => true,
        // The number of the move is that of White's turn and Black's answer.
        Code::Given(Given::Fullmove) => under != Reflection::Colors,
        Code::Given(_) | Code::Parent => true,
        Code::List(item, parts) => all(parts, *item),
        Code::Not(part) => of(part, Item::Bool),
        Code::Negative(part) => of(part, Item::Int),
        Code::Arithmetic(_, parts) | Code::Compare(_, parts) => all(&parts[..], Item::Int),
        Code::Equal(item, _, parts) => all(&parts[..], *item),
        Code::In(item, parts) => of(&parts[0], *item) && list(&parts[1]),
        Code::And(parts) | Code::Or(parts) => all(parts, Item::Bool),
        Code::Choice(parts) => {
            of(&parts[0], Item::Bool)
                && parts[1..]
                    .iter()
                    .all(|part| is_invariant(part, result, under))
        }
        Code::Count(color, _) => under != Reflection::Colors || color.is_none(),
        Code::Union(item, parts) => all(&parts[..], *item),
        Code::Concat(_, parts) => parts.iter().all(list),
        Code::Size(part) => list(part),
        Code::Length(part) => of(part, Item::Text),
        Code::Macro(_, item, parts) => list(&parts[0]) && of(&parts[1], *item),
        // The fields of a side are exchanged by a swap of the sides, which the caller decides.
        Code::Declared(position, _, kind, side) => {
            *kind != FieldType::Square
                && of(position, Item::Position)
                && side.as_deref().is_none_or(|side| of(side, Item::Side))
        }
        Code::Name(op, arguments) => {
            is_name_invariant(*op, arguments, under)
                && types_of(*op, arguments.len()).is_some_and(|types| {
                    arguments
                        .iter()
                        .zip(types)
                        .all(|(part, ty)| is_invariant(part, ty, under))
                })
        }
        Code::Literal(..)
        | Code::EqualLists(..)
        | Code::Index(..)
        | Code::Under(..)
        | Code::State(..) => false,
    }
}

/// Returns the types of the arguments of an operation, with the value before the period as the first.
fn types_of(op: Op, count: usize) -> Option<impl Iterator<Item = Type>> {
    let row = NAMES.iter().find(|row| row.op == op)?;
    let owner = match row.owner {
        Owner::Global => None,
        Owner::Position => Some(Item::Position),
        Owner::Turn => Some(Item::Turn),
        Owner::Unit => Some(Item::Unit),
        Owner::Square => Some(Item::Square),
    };
    let params = row.params.unwrap_or_default();
    let types = owner
        .map(Type::One)
        .into_iter()
        .chain(params.iter().copied());
    (types.clone().count() == count).then_some(types)
}

/// Returns whether an operation is carried along by a reflection if its arguments are.
fn is_name_invariant(op: Op, arguments: &[Code], under: Reflection) -> bool {
    let is_zero = |n: usize| matches!(arguments.get(n), Some(Code::Scalar(0)));
    let (right, up) = (2, 3);
    match op {
        // The sides by their names.
        Op::White | Op::Black | Op::Outcome => under != Reflection::Colors,
        // Counted from White's side, and from each side.
        Op::UnitRank | Op::SquareRank => under == Reflection::Files,
        Op::UnitRow => matches!(under, Reflection::Files | Reflection::Colors),
        Op::UnitFile | Op::SquareFile => matches!(under, Reflection::Ranks | Reflection::Colors),
        // Steps to the right and up, which a reflection turns around.
        Op::Nearest | Op::Offset => match under {
            Reflection::Files => is_zero(right),
            Reflection::Ranks | Reflection::Colors => is_zero(up),
            Reflection::Diagonals => is_zero(right) && is_zero(up),
        },
        Op::Row => under != Reflection::Diagonals && (is_zero(right) || is_zero(up)),
        // On a board with as many files as ranks, these numbers are equal.
        Op::Side
        | Op::Other
        | Op::Mover
        | Op::Squares
        | Op::Files
        | Op::Ranks
        | Op::Units
        | Op::UnitsOfSide
        | Op::UnitsOfKind
        | Op::UnitsOf
        | Op::Count
        | Op::CountOfSide
        | Op::CountOfKind
        | Op::CountOf
        | Op::At
        | Op::Empty
        | Op::OnBoard
        | Op::Attacked
        | Op::Attackers
        | Op::Check
        | Op::CheckOf
        | Op::Turns
        | Op::Pseudo
        | Op::Pass
        | Op::Reach
        | Op::Walk
        | Op::Distance
        | Op::Aligned
        | Op::Between
        | Op::Hand
        | Op::CastlingRights
        | Op::ChecksLeft
        | Op::Reason
        | Op::Won
        | Op::WonBy
        | Op::Drawn
        | Op::IsOver
        | Op::TurnKind
        | Op::Becomes
        | Op::From
        | Op::To
        | Op::Captures
        | Op::Promotes
        | Op::Castles
        | Op::Drops
        | Op::EnPassant
        | Op::Steps
        | Op::Length2
        | Op::Before
        | Op::After
        | Op::Checks
        | Op::Mates
        | Op::Ends
        | Op::TurnExists
        | Op::UnitKind
        | Op::UnitSide
        | Op::UnitSquare
        | Op::Royal
        | Op::Promoted
        | Op::Moves
        | Op::UnitExists
        | Op::Neighbors
        | Op::Without
        | Op::MovementOf
        | Op::Value
        | Op::Plies
        | Op::Flip
        | Op::Sum
        | Op::Min
        | Op::Max => true,
        // Values that depend on the names or colors of squares or on the array, or that rule texts do not have.
        Op::Under
        | Op::Bound
        | Op::OnBoardText
        | Op::Light
        | Op::Fen
        | Op::TurnText
        | Op::Home
        | Op::SquareAt
        | Op::Depth
        | Op::OutDegree => false,
    }
}

//! Evaluates lists: as streams of elements, or as sets of squares if the elements are in the order of
//! squares.

use super::squares::{between, stepped};
use super::units::{UnitRef, moves};
use super::words::{side_of, square_of};
use super::{ENOUGH, Element, Evaluator, Flow, Frame, Frames, GO_ON, same};
use crate::code::{Code, Macro, Op};
use crate::rule_text::Given;
use crate::turn_members::TurnRef;
use crate::types::Item;
use crate::view::View;
use board::{Kind, Square, Squares};
use rules::with_turns;

impl<'e> Evaluator<'e> {
    /// Calls `visit` for each element of a list, until `visit` breaks.
    pub(super) fn each(
        &self,
        code: &'e Code,
        scope: Frames<'_>,
        visit: &mut dyn FnMut(Element<'_>) -> Flow,
    ) -> Flow {
        if is_set(code) {
            let units = is_units(code);
            let mut flow = GO_ON;
            self.set(code, scope, &mut |view, set| {
                flow = set.iter().try_for_each(|square| {
                    self.tick()?;
                    visit(element_on(units, view, square))
                });
            });
            return flow;
        }
        match code {
            Code::List(item, parts) => parts.iter().try_for_each(|part| {
                self.tick()?;
                self.element(*item, part, scope, visit)
            }),
            Code::Choice(parts) => self.each(self.chosen(parts, scope), scope, visit),
            Code::Concat(item, parts) => self.each_of_both(*item, parts, scope, visit),
            Code::Declared(position, field, kind, side) => {
                let set = (&**position, *field, *kind, side.as_deref());
                self.each_declared(set, scope, visit)
            }
            Code::Given(Given::FirstSteps) => with_turns(|turns| {
                if let Some(list) = self.facts.first_steps {
                    list(turns);
                }
                turns.iter().try_for_each(|turn| {
                    self.tick()?;
                    visit(Element::Turn(TurnRef::new(self.view, *turn)))
                })
            }),
            Code::Name(op @ (Op::Turns | Op::Pseudo), args) => {
                self.at_flow(&args[0], scope, &mut |view| {
                    with_turns(|turns| {
                        match op {
                            Op::Turns => view.turns(turns),
                            _ => view.pseudo_turns(turns),
                        }
                        turns.iter().try_for_each(|turn| {
                            self.tick()?;
                            visit(Element::Turn(TurnRef::new(view, *turn)))
                        })
                    })
                })
            }
            Code::Name(Op::Steps, args) => {
                self.turn(&args[0], scope, |turn| {
                    FlowOrDefault((0..turn.len()).try_for_each(|n| {
                        let step = turn.step.unwrap_or(n);
                        visit(Element::Turn(TurnRef {
                            step: Some(step),
                            ..turn
                        }))
                    }))
                })
                .0
            }
            Code::Name(Op::Bound, args) => {
                let side = side_of(self.scalar(&args[1], scope));
                self.at_flow(&args[0], scope, &mut |view| {
                    let mut flow = GO_ON;
                    view.each_bound(&mut |bound| {
                        if flow.is_continue() && Some(bound.color) == side {
                            flow = visit(Element::Unit(UnitRef {
                                view,
                                square: bound.square,
                                bound: Some((bound.color, bound.kind)),
                            }));
                        }
                    });
                    flow
                })
            }
            Code::Macro(form, item, parts) => {
                let [list, body] = &**parts;
                self.each(list, scope, &mut |element| {
                    let frame = Frame {
                        element,
                        outer: scope,
                    };
                    match form {
                        Macro::Map => self.element(*item, body, Some(&frame), visit),
                        _ if self.scalar(body, Some(&frame)) != 0 => visit(element),
                        _ => GO_ON,
                    }
                })
            }
            _ => GO_ON,
        }
    }

    /// Calls `visit` for each element of two lists. Elements of a later list that an earlier one has are left out,
    /// except numbers and texts.
    fn each_of_both(
        &self,
        item: Item,
        parts: &'e [Code; 2],
        scope: Frames<'_>,
        visit: &mut dyn FnMut(Element<'_>) -> Flow,
    ) -> Flow {
        // Nested sums are visited as one list of parts. Visited one inside the other, n of them would take time
        // exponential in n.
        let [a, b] = parts;
        let mut lists = Vec::new();
        summands(a, &mut lists);
        summands(b, &mut lists);
        let is_set = !matches!(item, Item::Int | Item::Text | Item::Bool | Item::Open(_));
        let (mut known_scalars, mut more) = (0_u128, 0_u128);
        for (n, list) in lists.iter().enumerate() {
            self.each(list, scope, &mut |element| {
                let is_known = match element {
                    _ if !is_set => false,
                    Element::Scalar(scalar @ 0..128) => {
                        more |= 1 << scalar;
                        known_scalars & 1 << scalar != 0
                    }
                    _ => {
                        let mut is_known = false;
                        let _: Flow = lists[..n].iter().try_for_each(|before| {
                            self.each(before, scope, &mut |known| {
                                is_known = same(&known, &element);
                                if is_known { ENOUGH } else { GO_ON }
                            })
                        });
                        is_known
                    }
                };
                if is_known { GO_ON } else { visit(element) }
            })?;
            known_scalars |= more;
        }
        GO_ON
    }

    /// Calls `visit` for the element that an index selects, or for the missing element if the index is out of
    /// range.
    pub(super) fn nth(
        &self,
        code: &'e Code,
        scope: Frames<'_>,
        visit: &mut dyn FnMut(Element<'_>) -> Flow,
    ) -> Flow {
        let Code::Index(item, parts) = code else {
            return GO_ON;
        };
        let [list, index] = &**parts;
        let index = self.scalar(index, scope);
        let mut found = false;
        let flow = self.element_at(list, index, scope, &mut |element| {
            found = true;
            visit(element)
        });
        if found {
            return flow;
        }
        let mut flow = GO_ON;
        self.position_of_list(list, scope, &mut |view| {
            flow = match item {
                Item::Unit => visit(Element::Unit(UnitRef::missing(view))),
                Item::Turn => visit(Element::Turn(TurnRef::missing(view))),
                Item::Position => visit(Element::Position(view)),
                _ => GO_ON,
            };
        });
        flow
    }

    /// Calls `visit` for the position from which a list derives. The list's missing element belongs to this
    /// position.
    pub(super) fn position_of_list(
        &self,
        list: &'e Code,
        scope: Frames<'_>,
        visit: &mut dyn FnMut(&dyn View),
    ) {
        match list {
            Code::Name(Op::Captures | Op::Steps, args) => {
                self.turn(&args[0], scope, |turn| visit(turn.before));
            }
            Code::Name(Op::Moves, args) => self.unit(&args[0], scope, |unit| visit(unit.view)),
            Code::Name(_, args) => self.position(&args[0], scope, visit),
            Code::Macro(_, _, parts) => self.position_of_list(&parts[0], scope, visit),
            Code::Choice(parts) => self.position_of_list(self.chosen(parts, scope), scope, visit),
            _ => visit(self.view),
        }
    }

    pub(super) fn element_at(
        &self,
        list: &'e Code,
        index: i64,
        scope: Frames<'_>,
        visit: &mut dyn FnMut(Element<'_>) -> Flow,
    ) -> Flow {
        if index < 0 {
            return GO_ON;
        }
        let mut left = index;
        let mut flow = GO_ON;
        let _: Flow = self.each(list, scope, &mut |element| {
            if left == 0 {
                flow = visit(element);
                return ENOUGH;
            }
            left -= 1;
            GO_ON
        });
        flow
    }

    /// Returns the number of elements of a list.
    pub(super) fn size(&self, list: &'e Code, scope: Frames<'_>) -> i64 {
        if is_set(list) {
            let mut size = 0;
            self.set(list, scope, &mut |_, set| size = i64::from(set.len()));
            return size;
        }
        match list {
            Code::List(_, parts) => parts.len() as i64,
            Code::Name(Op::Turns, args) => {
                self.at(&args[0], scope, |view| view.count_turns() as i64)
            }
            Code::Macro(Macro::Map, _, parts) => self.size(&parts[0], scope),
            _ => {
                let mut size = 0;
                let _: Flow = self.each(list, scope, &mut |_| {
                    size += 1;
                    GO_ON
                });
                size
            }
        }
    }

    /// Evaluates a list that is a set of squares. Calls `visit` with the set and the position to which its
    /// units belong.
    pub(super) fn set(
        &self,
        code: &'e Code,
        scope: Frames<'_>,
        visit: &mut dyn FnMut(&dyn View, u128),
    ) {
        let (op, args) = match code {
            Code::Name(op, args) => (*op, args),
            Code::Macro(_, _, parts) => {
                let [list, body] = &**parts;
                let units = is_units(list);
                return self.set(list, scope, &mut |view, set| {
                    let mut kept = 0;
                    for square in set.iter() {
                        if self.tick().is_break() {
                            break;
                        }
                        let frame = Frame {
                            element: element_on(units, view, square),
                            outer: scope,
                        };
                        if self.scalar(body, Some(&frame)) != 0 {
                            kept |= u128::of(square);
                        }
                    }
                    visit(view, kept);
                });
            }
            _ => return,
        };
        match op {
            Op::Captures => self.turn(&args[0], scope, |turn| visit(turn.before, turn.captures())),
            Op::Moves => self.unit(&args[0], scope, |unit| visit(unit.view, moves(&unit))),
            Op::Reach => {
                let reach = self.unit(&args[1], scope, |unit| match unit.unit() {
                    Some((color, kind)) => self.rules(unit.view).reach(color, kind, unit.square),
                    None => 0,
                });
                self.position(&args[0], scope, &mut |view| visit(view, reach));
            }
            Op::Neighbors => {
                let square = square_of(self.scalar(&args[1], scope));
                let around = square.map_or(0, |square| {
                    let steps = board::DIRECTIONS.iter();
                    steps
                        .filter_map(|&(dx, dy)| {
                            stepped(self.geometry(), square, [dx.into(), dy.into()])
                        })
                        .fold(0, |set, square| set | u128::of(square))
                        & !u128::of(square)
                });
                self.position(&args[0], scope, &mut |view| {
                    visit(view, around & view.occupied())
                });
            }
            Op::Row => {
                let square = square_of(self.scalar(&args[1], scope));
                let by = [2, 3].map(|n| self.scalar(&args[n], scope));
                self.position(&args[0], scope, &mut |view| {
                    visit(view, square.map_or(0, |square| self.row(view, square, by)));
                });
            }
            Op::Squares => {
                self.position(&args[0], scope, &mut |view| {
                    visit(view, self.rules(view).squares());
                });
            }
            Op::Between => {
                let [a, b] = [1, 2].map(|n| square_of(self.scalar(&args[n], scope)));
                let squares = a.zip(b).map_or(0, |(a, b)| between(self.geometry(), a, b));
                self.position(&args[0], scope, &mut |view| visit(view, squares));
            }
            Op::Attackers => {
                let square = square_of(self.scalar(&args[1], scope));
                let side = side_of(self.scalar(&args[2], scope));
                self.position(&args[0], scope, &mut |view| {
                    let attackers = square.zip(side).map_or(0, |(s, c)| view.attackers(s, c));
                    visit(view, attackers);
                });
            }
            _ => {
                let (side, kind) = self.side_and_kind(op, args, scope);
                self.position(&args[0], scope, &mut |view| {
                    visit(view, self.units(view, side, kind));
                });
            }
        }
    }

    /// Evaluates the arguments of `units` and `count`: the side and the kind, each if given.
    pub(super) fn side_and_kind(
        &self,
        op: Op,
        args: &'e [Code],
        scope: Frames<'_>,
    ) -> (Option<i64>, Option<i64>) {
        match op {
            Op::UnitsOfSide | Op::CountOfSide => (Some(self.scalar(&args[1], scope)), None),
            Op::UnitsOfKind | Op::CountOfKind => (None, Some(self.scalar(&args[1], scope))),
            Op::UnitsOf | Op::CountOf => (
                Some(self.scalar(&args[1], scope)),
                Some(self.scalar(&args[2], scope)),
            ),
            _ => (None, None),
        }
    }

    pub(super) fn units(&self, view: &dyn View, side: Option<i64>, kind: Option<i64>) -> u128 {
        let of_side = match side.map(side_of) {
            None => view.occupied(),
            Some(Some(color)) => view.color(color),
            Some(None) => return 0,
        };
        match kind {
            None => of_side,
            Some(kind) => of_side & self.units_of_kind(view, kind),
        }
    }

    pub(super) fn units_of_kind(&self, view: &dyn View, kind: i64) -> u128 {
        let masks = &self.rules(view).masks;
        let mut kinds = usize::try_from(kind)
            .ok()
            .and_then(|n| masks.get(n))
            .copied()
            .unwrap_or(0);
        let mut units = 0;
        while kinds != 0 {
            units |= view.kind(Kind::from_index(kinds.trailing_zeros() as usize));
            kinds &= kinds - 1;
        }
        units
    }

    /// Evaluates the macros `all`, `exists` and `exists_one`.
    pub(super) fn quantified(&self, form: Macro, parts: &'e [Code; 2], scope: Frames<'_>) -> i64 {
        let [list, body] = parts;
        let mut held = 0;
        let mut failed = false;
        let _: Flow = self.each(list, scope, &mut |element| {
            let frame = Frame {
                element,
                outer: scope,
            };
            let holds = self.scalar(body, Some(&frame)) != 0;
            held += i64::from(holds);
            failed |= !holds;
            let decided = match form {
                Macro::All => failed,
                Macro::Exists => held > 0,
                _ => held > 1,
            };
            if decided { ENOUGH } else { GO_ON }
        });
        i64::from(match form {
            Macro::All => !failed,
            Macro::Exists => held > 0,
            _ => held == 1,
        })
    }

    pub(super) fn fold(
        &self,
        list: &'e Code,
        scope: Frames<'_>,
        combine: fn(i64, i64) -> i64,
    ) -> i64 {
        let mut result = None;
        let _: Flow = self.each(list, scope, &mut |element| {
            if let Element::Scalar(n) = element {
                result = Some(result.map_or(n, |result| combine(result, n)));
            }
            GO_ON
        });
        result.unwrap_or(0)
    }
}

/// A flow with the default `GO_ON`, which is the result for a missing turn.
struct FlowOrDefault(Flow);

impl Default for FlowOrDefault {
    fn default() -> FlowOrDefault {
        FlowOrDefault(GO_ON)
    }
}

/// Collects the lists of which a list is the sum, in order.
fn summands<'e>(code: &'e Code, lists: &mut Vec<&'e Code>) {
    match code {
        Code::Concat(_, parts) => {
            let [a, b] = &**parts;
            summands(a, lists);
            summands(b, lists);
        }
        _ => lists.push(code),
    }
}

/// Returns whether a list is always a set of squares in ascending order.
pub(super) fn is_set(code: &Code) -> bool {
    match code {
        Code::Name(op, _) => {
            is_unit_set(*op) || matches!(op, Op::Squares | Op::Reach | Op::Between | Op::Moves)
        }
        Code::Macro(Macro::Filter, _, parts) => is_set(&parts[0]),
        _ => false,
    }
}

fn is_unit_set(op: Op) -> bool {
    matches!(
        op,
        Op::Units
            | Op::UnitsOfSide
            | Op::UnitsOfKind
            | Op::UnitsOf
            | Op::Attackers
            | Op::Captures
            | Op::Neighbors
            | Op::Row
    )
}

/// Returns whether the elements of a set are units rather than squares.
fn is_units(code: &Code) -> bool {
    match code {
        Code::Name(op, _) => is_unit_set(*op),
        Code::Macro(_, _, parts) => is_units(&parts[0]),
        _ => false,
    }
}

fn element_on(units: bool, view: &dyn View, square: Square) -> Element<'_> {
    match units {
        true => Element::Unit(UnitRef::on(view, square)),
        false => Element::Scalar(i64::from(square.0)),
    }
}

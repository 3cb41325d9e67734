//! Retrograde analysis: values and distances from the ends of games backward.
//!
//! Works distance by distance. A node with a turn to a loss of the opponent is a win; a node is a loss if all
//! its turns lead to wins of the opponent. Wins and losses come first, then weak ones among the nodes that
//! are left. The rest are draws. Counters of turns (T. Ströhlein 1970, K. Thompson 1986) let each edge be
//! examined at most once.
//!
//! Relies on the lists of predecessors that the caller keeps, and on the caller's thread pool. A distance is
//! complete before the next one begins, so the values do not depend on the number of threads. Never recurses.

use crate::value::{MAX_DISTANCE_PLIES, Packed};
use control::{Control, Stopped};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, Ordering};
use thiserror::Error;

/// The order of passes: the lost and the won class of packed values of each. Wins and losses come first, then weak
/// ones.
pub const PASSES: [(u16, u16); 2] = [
    (Packed::LOSS, Packed::WIN),
    (Packed::WEAK_LOSS, Packed::WEAK_WIN),
];

/// The turns of a graph, backward.
pub trait Predecessors: Sync {
    /// Returns the nodes with a turn to this node, once for each turn.
    fn of_node(&self, node: u32) -> &[u32];

    /// Returns the nodes with a turn to a position outside the graph that has this value, once for each turn.
    fn of_value(&self, _outside: Packed) -> &[u32] {
        &[]
    }

    /// Returns whether turns lead out of the graph.
    fn has_exits(&self) -> bool {
        false
    }
}

/// A counter of a node's turns that are not known to lead to wins of the opponent.
pub trait TurnCounter: Sync {
    /// Decrements the counter. Returns whether the turn was the last one. `shared` states whether other
    /// threads may use the counter at the same time.
    fn is_last(&self, shared: bool) -> bool;
}

macro_rules! turn_counter {
    ($($atomic:ty),*) => {$(
        impl TurnCounter for $atomic {
            #[inline]
            fn is_last(&self, shared: bool) -> bool {
                if shared {
                    return self.fetch_sub(1, Ordering::Relaxed) == 1;
                }
                let left = self.load(Ordering::Relaxed) - 1;
                self.store(left, Ordering::Relaxed);
                left == 0
            }
        }
    )*};
}

turn_counter!(AtomicU16, AtomicU32);

/// The reason why not all nodes have values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Unsettled {
    /// The analysis was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A distance exceeds [`MAX_DISTANCE_PLIES`].
    #[error("a distance exceeds {MAX_DISTANCE_PLIES} plies")]
    Distance,
}

/// Values, counters and turns of the nodes of a graph.
pub struct Nodes<'a, C, P> {
    /// Packed values by node: those of ended games and of positions known from elsewhere; [`Packed::OPEN`] where
    /// a value is to be found.
    pub values: &'a [AtomicU16],
    /// The number of turns of each open node.
    pub turns_left: &'a [C],
    /// The turns of the graph, backward.
    pub predecessors: &'a P,
}

impl<C: TurnCounter, P: Predecessors> Nodes<'_, C, P> {
    /// Finds the value of each open node. Calls `report` with each distance in plies and the number of nodes
    /// settled so far.
    ///
    /// # Errors
    /// If `control` stops the analysis, or if a distance exceeds [`MAX_DISTANCE_PLIES`].
    pub fn settle(
        &self,
        control: &Control<'_>,
        report: &dyn Fn(u16, u64),
    ) -> Result<(), Unsettled> {
        let shared = rayon::current_num_threads() > 1;
        let mut settled = 0;
        for (lost, won) in PASSES {
            let classes = Classes { lost, won };
            self.settle_classes(classes, shared, &mut settled, control, report)?;
        }
        self.values.par_iter().for_each(|value| {
            if value.load(Ordering::Relaxed) == Packed::OPEN.0 {
                value.store(Packed::new(Packed::DRAW, 0).0, Ordering::Relaxed);
            }
        });
        Ok(())
    }

    fn settle_classes(
        &self,
        classes: Classes,
        shared: bool,
        settled: &mut u64,
        control: &Control<'_>,
        report: &dyn Fn(u16, u64),
    ) -> Result<(), Unsettled> {
        let mut ends = self.ends(classes).into_iter().peekable();
        let mut exits = self.exits(classes).into_iter().peekable();
        let (mut now, mut next): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut plies = 0;
        loop {
            if now.is_empty() {
                let end = ends.peek().map(|&node| self.value(node).plies());
                match end.into_iter().chain(exits.peek().copied()).min() {
                    Some(first) => plies = first,
                    None => return Ok(()),
                }
            }
            while let Some(node) = ends.next_if(|&node| self.value(node).plies() == plies) {
                now.push(node);
            }
            control.check()?;
            *settled += now.len() as u64;
            report(plies, *settled);
            let level = Level {
                classes,
                plies,
                shared,
                too_far: AtomicBool::new(false),
            };
            self.settle_before_nodes(&level, &now, &mut next);
            if exits.next_if_eq(&plies).is_some() {
                for class in [classes.lost, classes.won] {
                    let before = self.predecessors.of_value(Packed::new(class, plies));
                    self.settle_before_value(&level, class, before, &mut next);
                }
            }
            if level.too_far.into_inner() {
                return Err(Unsettled::Distance);
            }
            now.clear();
            std::mem::swap(&mut now, &mut next);
            plies += 1;
        }
    }

    fn value(&self, node: u32) -> Packed {
        Packed(self.values[node as usize].load(Ordering::Relaxed))
    }

    /// Returns the nodes that have a value of these classes from the beginning, sorted by distance.
    fn ends(&self, classes: Classes) -> Vec<u32> {
        let mut ends: Vec<u32> = (0..self.values.len() as u32)
            .into_par_iter()
            .filter(|&node| classes.contain(self.value(node)))
            .collect();
        ends.par_sort_by_key(|&node| self.value(node).plies());
        ends
    }

    /// Returns the distances of the values of these classes to which turns lead out of the graph, in
    /// ascending order.
    fn exits(&self, classes: Classes) -> Vec<u16> {
        if !self.predecessors.has_exits() {
            return Vec::new();
        }
        let leads_out = |class, plies| {
            let before = self.predecessors.of_value(Packed::new(class, plies));
            !before.is_empty()
        };
        (0..=MAX_DISTANCE_PLIES)
            .filter(|&plies| leads_out(classes.lost, plies) || leads_out(classes.won, plies))
            .collect()
    }

    /// Settles the origins of turns to these nodes, where the nodes' values suffice.
    fn settle_before_nodes(&self, level: &Level, nodes: &[u32], next: &mut Vec<u32>) {
        let settle = |nodes: &[u32], next: &mut Vec<u32>| {
            for &node in nodes {
                let loses = self.value(node).class() == level.classes.lost;
                self.settle_origins(level, loses, self.predecessors.of_node(node), next);
            }
        };
        in_parts(level.shared, nodes, &settle, next);
    }

    /// Settles the origins of turns to a value outside the graph, where that value suffices.
    fn settle_before_value(&self, level: &Level, class: u16, origins: &[u32], next: &mut Vec<u32>) {
        let loses = class == level.classes.lost;
        let settle = |origins: &[u32], next: &mut Vec<u32>| {
            self.settle_origins(level, loses, origins, next);
        };
        in_parts(level.shared, origins, &settle, next);
    }

    /// Counts a turn from each of `origins` to a position that the opponent loses or wins. Appends the nodes that
    /// this settles to `next`.
    #[inline(always)]
    fn settle_origins(&self, level: &Level, loses: bool, origins: &[u32], next: &mut Vec<u32>) {
        match (level.shared, loses) {
            (false, false) => self.settle_each::<false, false>(level, origins, next),
            (false, true) => self.settle_each::<false, true>(level, origins, next),
            (true, false) => self.settle_each::<true, false>(level, origins, next),
            (true, true) => self.settle_each::<true, true>(level, origins, next),
        }
    }

    #[inline]
    fn settle_each<const SHARED: bool, const LOSES: bool>(
        &self,
        level: &Level,
        origins: &[u32],
        next: &mut Vec<u32>,
    ) {
        let (values, turns_left) = (self.values, self.turns_left);
        let class = if LOSES {
            level.classes.won
        } else {
            level.classes.lost
        };
        let new = Packed::new(class, level.plies + 1).0;
        for &origin in origins {
            let value = &values[origin as usize];
            if value.load(Ordering::Relaxed) != Packed::OPEN.0
                || !LOSES && !turns_left[origin as usize].is_last(SHARED)
            {
                continue;
            }
            if level.plies == MAX_DISTANCE_PLIES {
                level.too_far.store(true, Ordering::Relaxed);
                continue;
            }
            if LOSES && SHARED {
                // Another thread may settle the node by another turn at the same time.
                let relaxed = Ordering::Relaxed;
                if value
                    .compare_exchange(Packed::OPEN.0, new, relaxed, relaxed)
                    .is_err()
                {
                    continue;
                }
            } else {
                value.store(new, Ordering::Relaxed);
            }
            next.push(origin);
        }
    }
}

/// A lost and a won class of packed values. A turn from one class leads to the other.
#[derive(Clone, Copy)]
struct Classes {
    lost: u16,
    won: u16,
}

impl Classes {
    fn contain(self, value: Packed) -> bool {
        value.class() == self.lost || value.class() == self.won
    }
}

/// One distance of the analysis.
struct Level {
    classes: Classes,
    plies: u16,
    /// Whether several threads work on the level.
    shared: bool,
    /// Whether a node would get a distance that cannot be stored.
    too_far: AtomicBool,
}

/// Calls `work` on all items, on all threads of the pool if `shared`, and appends the results to `next`.
fn in_parts(
    shared: bool,
    items: &[u32],
    work: &(dyn Fn(&[u32], &mut Vec<u32>) + Sync),
    next: &mut Vec<u32>,
) {
    const ITEMS: usize = 2048;
    if !shared || items.len() <= ITEMS {
        return work(items, next);
    }
    let parts: Vec<Vec<u32>> = items
        .par_chunks(ITEMS)
        .map(|items| {
            let mut next = Vec::new();
            work(items, &mut next);
            next
        })
        .collect();
    next.extend(parts.into_iter().flatten());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;
    use control::parallel;
    use quickcheck::quickcheck;

    /// The turns of a small graph: to its nodes, and to values outside.
    struct Lists {
        to_nodes: Vec<Vec<u32>>,
        to_values: Vec<(Packed, Vec<u32>)>,
    }

    impl Predecessors for Lists {
        fn of_node(&self, node: u32) -> &[u32] {
            &self.to_nodes[node as usize]
        }

        fn of_value(&self, outside: Packed) -> &[u32] {
            let list = self.to_values.iter().find(|(value, _)| *value == outside);
            list.map_or(&[], |(_, origins)| origins)
        }

        fn has_exits(&self) -> bool {
            !self.to_values.is_empty()
        }
    }

    fn end(code: u8) -> Value {
        let plies = u16::from(code / 5 % 7);
        match code % 5 {
            0 => Value::Loss(plies),
            1 => Value::WeakLoss(plies),
            2 => Value::Draw,
            3 => Value::WeakWin(plies),
            _ => Value::Win(plies),
        }
    }

    /// Returns the values by definition: each value is computed from those of all turns until no value
    /// changes. Nodes that never get a value are draws.
    fn by_definition(ends: &[Option<Value>], turns: &[Vec<Result<u32, Value>>]) -> Vec<Value> {
        let mut values = ends.to_vec();
        for (lost, won) in [(-2, 2), (-1, 1)] {
            for plies in 0..200 {
                let before = values.clone();
                let known = |turn: &Result<u32, Value>| match turn {
                    Ok(node) => before[*node as usize],
                    Err(value) => Some(*value),
                };
                let within = |value: Option<Value>, worth: i8| {
                    value.is_some_and(|value| {
                        value.worth() == worth && value.distance_plies() <= Some(plies)
                    })
                };
                for (node, turns) in turns
                    .iter()
                    .enumerate()
                    .filter(|(_, turns)| !turns.is_empty())
                {
                    if values[node].is_some() {
                        continue;
                    }
                    if turns.iter().any(|turn| within(known(turn), lost)) {
                        values[node] = Some(if lost == -2 {
                            Value::Win(plies + 1)
                        } else {
                            Value::WeakWin(plies + 1)
                        });
                    } else if turns.iter().all(|turn| {
                        within(known(turn), won)
                            || known(turn).is_some_and(|value| value.worth() > won)
                    }) {
                        values[node] = Some(if lost == -2 {
                            Value::Loss(plies + 1)
                        } else {
                            Value::WeakLoss(plies + 1)
                        });
                    }
                }
            }
        }
        values
            .into_iter()
            .map(|value| value.unwrap_or(Value::Draw))
            .collect()
    }

    quickcheck! {
        fn values_are_those_of_the_definition_for_any_number_of_threads(rows: Vec<(u8, Vec<u16>)>) -> bool {
            let nodes = rows.len();
            let turns: Vec<Vec<Result<u32, Value>>> = rows
                .iter()
                .map(|(_, row)| {
                    let target = |&code: &u16| match code as usize % (nodes + 2) {
                        node if node < nodes => Ok(node as u32),
                        _ => Err(end((code >> 8) as u8)),
                    };
                    row.iter().take(4).map(target).collect()
                })
                .collect();
            let ends: Vec<Option<Value>> = rows
                .iter()
                .zip(&turns)
                .map(|((code, _), turns)| turns.is_empty().then(|| end(*code)))
                .collect();
            let mut lists = Lists { to_nodes: vec![Vec::new(); nodes], to_values: Vec::new() };
            for (origin, turns) in turns.iter().enumerate() {
                for turn in turns {
                    match turn {
                        Ok(node) => lists.to_nodes[*node as usize].push(origin as u32),
                        Err(value) => {
                            let value = Packed::of(*value);
                            match lists.to_values.iter_mut().find(|(known, _)| *known == value) {
                                Some((_, origins)) => origins.push(origin as u32),
                                None => lists.to_values.push((value, vec![origin as u32])),
                            }
                        }
                    }
                }
            }
            (1..=2).all(|threads| {
                let packed = |end: &Option<Value>| AtomicU16::new(end.map_or(Packed::OPEN, Packed::of).0);
                let values: Vec<AtomicU16> = ends.iter().map(packed).collect();
                let turns_left: Vec<AtomicU32> =
                    turns.iter().map(|turns| AtomicU32::new(turns.len() as u32)).collect();
                let nodes = Nodes { values: &values, turns_left: &turns_left, predecessors: &lists };
                parallel::in_pool(threads, || nodes.settle(&Control::new(), &|_, _| ())).expect("settled");
                let found = values.into_iter().map(|value| Packed(value.into_inner()).value().expect("a value"));
                found.eq(by_definition(&ends, &turns))
            })
        }
    }
}

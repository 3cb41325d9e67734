//! Re-checks a table by forward generation. Nothing of the builder takes part: every placement of
//! the units is put up square by square, whatever the table's symmetry or order, and its value is
//! compared with those of its successors, each asked from the tables as a user would.
//!
//! That a value and its distance fit all successors proves them right: each won or lost position
//! rests on one whose distance is smaller by one, down to ended games, so that no win rests on a
//! cycle; and each draw has a turn that keeps it and none that wins.

use super::signature::Signature;
use super::tables::Tables;
use super::{Limits, Observer, Stopped};
use crate::board::{Color, Kind, Square, Squares};
use crate::input::InputError;
use crate::notation::fen;
use crate::position::{BoundUnit, BoundUnits, Layout, Position};
use crate::rules::{Game, with_turns};
use crate::solve::Value;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Certificate {
    /// Legal positions compared with their successors.
    pub positions: u64,
    /// Successors looked up.
    pub turns: u64,
    /// What is wrong, at most one for each placement of the first unit.
    pub faults: Vec<String>,
}

#[derive(Clone, Copy)]
struct Unit {
    color: Color,
    kind: Kind,
    bound: bool,
}

/// Checks every position of a signature, both sides to move.
pub fn certify<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
    limits: &Limits,
    observer: &dyn Observer,
) -> Result<Certificate, Stopped> {
    let keys = signature.keys();
    for key in keys {
        if tables.table(&tables.canonical(&key).0)?.is_none() {
            return Err(super::stats::missing(tables, signature).into());
        }
    }
    let mut units = Vec::new();
    for kind in Kind::ALL {
        for color in Color::BOTH {
            for bound in [false, true] {
                let count = if bound {
                    keys[0].bound_count(color, kind)
                } else {
                    keys[0].count(color, kind)
                };
                let unit = Unit { color, kind, bound };
                units.extend(std::iter::repeat_n(unit, count));
            }
        }
    }
    let squares: Vec<Square> = tables.game().board().squares().iter().collect();
    let jobs: Vec<(Color, Square)> = Color::BOTH
        .into_iter()
        .flat_map(|side| squares.iter().map(move |&square| (side, square)))
        .collect();
    let done = AtomicU64::new(0);
    let work = || -> Result<Vec<Certificate>, Stopped> {
        jobs.par_iter()
            .map(|&(side, first)| {
                if limits.stopped() {
                    return Err(Stopped::Interrupted);
                }
                let mut certificate = Certificate::default();
                let mut p = Position::<W>::empty();
                p.side = side;
                p.state = keys[0].state;
                if add(&mut p, units[0], first) {
                    let mut place = Placer {
                        tables,
                        units: &units,
                        squares: &squares,
                        certificate: &mut certificate,
                    };
                    place.rest(&p, 1, first)?;
                }
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                observer.progress(done, jobs.len() as u64);
                Ok(certificate)
            })
            .collect()
    };
    let parts = rayon::ThreadPoolBuilder::new()
        .num_threads(limits.threads.max(1))
        .build()
        .map_err(|e| InputError::new("threads", e.to_string()))?
        .install(work)?;
    let mut whole = Certificate::default();
    for part in parts {
        whole.positions += part.positions;
        whole.turns += part.turns;
        whole.faults.extend(part.faults);
    }
    Ok(whole)
}

fn add<W: Layout>(p: &mut Position<W>, unit: Unit, square: Square) -> bool {
    if unit.bound {
        return p.bound.insert(BoundUnit {
            square,
            color: unit.color,
            kind: unit.kind,
        });
    }
    if p.occupied().has(square) {
        return false;
    }
    p.put(unit.color, unit.kind, square);
    true
}

struct Placer<'a, W: Layout> {
    tables: &'a Tables<W>,
    units: &'a [Unit],
    squares: &'a [Square],
    certificate: &'a mut Certificate,
}

impl<W: Layout> Placer<'_, W> {
    fn rest(&mut self, p: &Position<W>, next: usize, last: Square) -> Result<(), InputError> {
        let Some(&unit) = self.units.get(next) else {
            return self.check(p);
        };
        let before = self.units[next - 1];
        let equal =
            before.kind == unit.kind && before.color == unit.color && before.bound == unit.bound;
        for &square in self.squares {
            if equal && (square < last || square == last && !unit.bound) {
                continue;
            }
            let mut q = *p;
            if add(&mut q, unit, square) {
                self.rest(&q, next + 1, square)?;
            }
        }
        Ok(())
    }

    fn check(&mut self, p: &Position<W>) -> Result<(), InputError> {
        let game: &dyn Game<W> = self.tables.game();
        let legal = fen::accept(game, p).is_ok();
        let said = self.tables.value(p)?;
        let fault = |why: String| Some(format!("{}: {why}", fen::print(game, p)));
        let found = match (legal, said) {
            (false, None) => return Ok(()),
            (false, Some(value)) => fault(format!("the table says {value} of what no FEN may say")),
            (true, None) => fault("the table has no value".to_string()),
            (true, Some(said)) => {
                self.certificate.positions += 1;
                let turns = &mut self.certificate.turns;
                let right = with_turns(|list| -> Result<Option<Value>, InputError> {
                    game.turns(p, list);
                    if list.is_empty() {
                        let outcome = game.outcome(p);
                        return Ok(
                            (!outcome.is_ongoing()).then(|| Value::of_outcome(outcome, p.side))
                        );
                    }
                    let mut best = None;
                    for turn in list.iter() {
                        *turns += 1;
                        let Some(value) = self.tables.value(&game.play(p, turn))? else {
                            return Ok(None);
                        };
                        best = best.max(Some(value.before_turn()?));
                    }
                    Ok(best)
                })?;
                match right {
                    Some(right) if right == said => None,
                    Some(right) => fault(format!("the table says {said}, its turns {right}")),
                    None => fault("a turn leads to a position without a value".to_string()),
                }
            }
        };
        if let Some(fault) = found
            && self.certificate.faults.is_empty()
        {
            self.certificate.faults.push(fault);
        }
        Ok(())
    }
}

//! The backward pass for plain rule sets, which works on many positions at a time, as bits of a word.
//!
//! A plane fixes the squares of all units but the last. Its positions differ only in the square of the last
//! unit, and are the bits of one word. A turn of another unit leads from plane to plane and keeps each bit; a
//! slide masks out the squares between. A turn of the last unit stays in its plane. So "has a turn into this
//! set" takes a few dozen word operations for a whole plane. Positions in which the side that has just moved
//! is in check are in no set, so pins and checks need no special treatment. Captures and promotions lead to
//! tables that are already solved, and each is looked up only once. Where units change on their last rank,
//! one pass has planes for all kinds that they can become.
//!
//! The pass works level by level. A position is won at level n if it has a turn to one lost at n-1. A
//! position is lost at n if it has no turn to one not won below n. A capture that is answered only by a long
//! win delays the loss until the level of that win. Only planes from which a turn leads to newly decided
//! positions are examined.
//!
//! The passes `forward` and `retro` solve every rule set and write the same files. This pass exists because it is
//! at least three times as fast. Processor seconds for a table with all tables that it leads to, on one thread:
//!
//! | table | this pass | `forward` and `retro` |
//! |---|---|---|
//! | KQvK, orthodox chess | 0.02 | 0.08 |
//! | KPvK, orthodox chess | 0.07 | 0.37 |
//! | KBNvK, orthodox chess | 0.46 | 4.4 |
//! | KQvKR, orthodox chess | 0.94 | 4.9 |
//! | KRvKN, Convergent Chess | 0.48 | 1.8 |
//! | KRvK, Bachelor Chess | 0.05 | 0.26 |
//!
//! * `engine.rs`: the data that stay the same during a pass.
//! * `turns.rs`: turns from plane to plane.
//! * `exits.rs`: turns to other tables, and games that are over.
//! * `route.rs`: a table that a capture or promotion leads to.
//! * `levels.rs`: the pass.

mod engine;
mod exits;
mod levels;
mod route;
mod turns;

use super::Failed;
use super::class::Class;
use super::group::{Solved, offsets};
use super::key::{ClassKey, MAX_UNITS};
use super::symmetry;
use super::tables::Tables;
use board::{Color, Kind, Squares};
use control::Control;
use engine::{Engine, Writer};
use position::Layout;
use rules::{Game, Plain};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicU16;

/// The squares of all units. The last one is filled in for each bit.
type UnitSquares = [u8; MAX_UNITS];

/// The side and kind of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Unit {
    color: Color,
    kind: Kind,
}

/// Returns whether this pass can solve a group.
fn fits<W: Layout>(tables: &Tables<W>, group: &[ClassKey]) -> bool {
    let game = tables.game();
    let key = group[0];
    let pawns = Color::BOTH.map(|c| key.count(c, Kind::Pawn));
    let plain = game.facts().plain != Plain::No
        && !game.facts().binds
        && key.state == 0
        && !key.passed
        && (3..=6).contains(&key.total())
        && Color::BOTH
            .into_iter()
            .all(|c| key.count(c, Kind::King) == 1)
        && (pawns[0] == 0 || pawns[1] == 0 || !engine::double_steps(game));
    plain && {
        let whole = materials(game, &units(&key));
        let keys: BTreeSet<ClassKey> = whole
            .iter()
            .flat_map(|units| Color::BOTH.map(|side| tables.canonical(&key_of(units, side)).0))
            .collect();
        group.iter().all(|key| keys.contains(key))
    }
}

/// Returns the bytes that this pass needs for a group with `indices` indices, its values included. Returns
/// `None` if this pass cannot solve the group.
pub fn memory_bytes<W: Layout>(
    tables: &Tables<W>,
    group: &[ClassKey],
    indices: u64,
) -> Option<u64> {
    if !fits(tables, group) {
        return None;
    }
    let game = tables.game();
    let geometry = game.board().geometry();
    let n = geometry.len() as u64;
    let (units, pawns) = (units(&group[0]), group[0].has_pawns());
    let symmetry = symmetry::group(geometry, game.symmetries(), pawns).len() as u64;
    let materials = materials(game, &units).len() as u64;
    let planes = n
        .saturating_pow(units.len() as u32 - 3)
        .saturating_mul(materials * (n * n / symmetry + n));
    let word = <W::Set as Squares>::CAPACITY as u64 / 8;
    let sets = planes.saturating_mul(2 * (8 * word + 3));
    Some(
        sets.saturating_add(indices.saturating_mul(2))
            .saturating_add(4 << 20),
    )
}

/// Returns the units of a class: kings first (White's before Black's), then units that have equals, then the
/// others, with pawns before pieces. The square of the last one will be the bit.
fn units(key: &ClassKey) -> Vec<Unit> {
    let mut others: Vec<(usize, Unit)> = Vec::new();
    for kind in Kind::ALL.into_iter().rev().skip(1) {
        for color in Color::BOTH {
            let count = key.count(color, kind);
            others.extend(std::iter::repeat_n((count, Unit { color, kind }), count));
        }
    }
    // The last unit is a piece without equals, if there is one.
    others.sort_by_key(|(count, unit)| (*count == 1, unit.kind != Kind::Pawn));
    let kings = Color::BOTH.map(|color| Unit {
        color,
        kind: Kind::King,
    });
    kings
        .into_iter()
        .chain(others.into_iter().map(|(_, unit)| unit))
        .collect()
}

/// Returns the materials that units can turn into without a capture or a pawn's promotion: the units in the
/// same order, with all kinds that they change to. The first material is `units` itself.
fn materials<W: Layout>(game: &dyn Game<W>, units: &[Unit]) -> Vec<Vec<Unit>> {
    let changes = game.facts().changes;
    let mut found = vec![units.to_vec()];
    for (i, unit) in units.iter().enumerate() {
        if !changes.contains(&unit.kind) {
            continue;
        }
        let others = changes.iter().filter(|kind| **kind != unit.kind);
        let more: Vec<Vec<Unit>> = others
            .flat_map(|&kind| {
                found.iter().map(move |units| {
                    let mut changed = units.clone();
                    changed[i].kind = kind;
                    changed
                })
            })
            .collect();
        found.extend(more);
    }
    found
}

fn key_of(units: &[Unit], side: Color) -> ClassKey {
    units.iter().fold(ClassKey::empty(side), |key, unit| {
        key.with(unit.color, unit.kind, false)
    })
}

/// The classes that each class of a group leads to, in the order of the group, or the classes that are
/// missing.
pub type Met = Result<Vec<BTreeSet<ClassKey>>, BTreeSet<ClassKey>>;

/// Returns the classes that a group leads to, as this pass finds them. Returns `None` if this pass cannot
/// solve the group.
pub fn met<W: Layout>(tables: &Tables<W>, classes: &[Class]) -> Result<Option<Met>, Failed> {
    let keys: Vec<ClassKey> = classes.iter().map(|class| class.key).collect();
    if !fits(tables, &keys) {
        return Ok(None);
    }
    let mut met = match Engine::new(tables, classes).find_routes(tables)? {
        Ok(met) => met,
        Err(unknown) => return Ok(Some(Err(unknown))),
    };
    let own = |key| met.remove(key).unwrap_or_default();
    Ok(Some(Ok(keys.iter().map(own).collect())))
}

/// Solves a group for which [`memory_bytes`] returns a number.
pub fn solve<W: Layout>(
    tables: &Tables<W>,
    classes: &[Class],
    control: &Control<'_>,
) -> Result<Solved, Failed> {
    let mut engine = Engine::new(tables, classes);
    let met = match engine.find_routes(tables)? {
        Ok(met) => met,
        Err(unknown) => return Ok(Solved::Meets(unknown)),
    };
    let total: usize = classes.iter().map(|c| c.len() as usize).sum();
    let values: Vec<AtomicU16> = (0..total).map(|_| AtomicU16::new(0)).collect();
    let offsets = offsets(classes);
    let write = Writer {
        classes,
        offsets: &offsets,
        values: &values,
    };
    engine.run(&write, control)?;
    let leads_to = classes
        .iter()
        .map(|class| met.get(&class.key).cloned().unwrap_or_default())
        .collect();
    Ok(Solved::Values {
        met: leads_to,
        values: values.into_iter().map(AtomicU16::into_inner).collect(),
    })
}

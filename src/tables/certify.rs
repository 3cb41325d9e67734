//! Certification: re-checks a table, and every table that its turns lead to, by forward generation.
//!
//! The builder's passes take no part. Every placement of the units is set up square by square, regardless of
//! the table's symmetries and index order. Its value is compared with those of its successors, which are
//! probed as a user would probe them. The classes of the successors are found along the way.
//!
//! Values and distances that fit those of all successors are proven correct. Each won or lost position
//! depends on one whose distance is smaller by one ply, down to finished games, so no win depends on a cycle.
//! Each draw has a turn that keeps the draw and none that wins.

use super::Failed;
use super::class::{is_legal, is_valid_en_passant};
use super::key::ClassKey;
use super::probe::ProbeCache;
use super::signature::Signature;
use super::stats::table_of;
use super::tables::Tables;
use board::{Color, Kind, Men, Square, Squares};
use control::Control;
use control::parallel;
use diagnostics::Diagnostic;
use notation::fen;
use per_layout::per_layout;
use position::{BoundUnit, BoundUnits, Layout, Position};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use values::Certificate;

/// The certificates of a table and of the tables that its turns lead to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Certificates {
    /// The certificate of the legal positions of the signature.
    pub own: Certificate,
    /// The certificate of the legal positions of the further classes that turns lead to.
    pub below: Certificate,
    /// Number of further classes that turns lead to.
    pub classes_below: usize,
}

impl Certificates {
    /// Returns whether every value is right.
    pub fn holds(&self) -> bool {
        self.own.holds() && self.below.holds()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Unit {
    color: Color,
    kind: Kind,
    bound: bool,
}

fn units_of(men: &Men, key: &ClassKey) -> Vec<Unit> {
    let mut groups = Vec::new();
    for kind in Kind::first(men.count()) {
        for color in Color::BOTH {
            for bound in [false, true] {
                let count = if bound {
                    key.bound_count(color, kind)
                } else {
                    key.count(color, kind)
                };
                groups.push((count, Unit { color, kind, bound }));
            }
        }
    }
    // Any order is correct. With this one (units without equals first, kings before the rest), consecutive
    // placements are mostly close to each other in a table that is read from disk.
    groups.sort_by_key(|(count, unit)| (*count > 1, unit.kind != Kind::King));
    let units = groups.into_iter();
    units
        .flat_map(|(count, unit)| std::iter::repeat_n(unit, count))
        .collect()
}

/// The result of one job: one class, with its first unit on one square.
#[derive(Default)]
struct PartialCertificate {
    certificate: Certificate,
    met: Vec<ClassKey>,
}

/// Checks every position of a signature, with either side to move, and of all classes that its turns lead to.
///
/// # Errors
/// If a stop is requested, a table is missing, or a file cannot be read.
#[per_layout]
pub fn certify<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
    control: &Control<'_>,
) -> Result<Certificates, Failed> {
    let keys: Vec<ClassKey> = signature.keys().to_vec();
    for key in &keys {
        table_of(tables, signature, key)?;
    }
    parallel::in_pool(control.threads(), || certify_here(tables, keys, control))
}

/// Checks classes and all classes that they lead to, in the caller's thread pool.
fn certify_here<W: Layout>(
    tables: &Tables<W>,
    mut keys: Vec<ClassKey>,
    control: &Control<'_>,
) -> Result<Certificates, Failed> {
    let mut known: BTreeSet<ClassKey> = keys.iter().map(|key| tables.canonical(key).0).collect();
    let squares: Vec<Square> = tables.game().board().squares().iter().collect();
    let mut whole = Certificates::default();
    let mut top = true;
    while !keys.is_empty() {
        let jobs: Vec<(ClassKey, Square)> = keys
            .iter()
            .flat_map(|&key| squares.iter().map(move |&square| (key, square)))
            .collect();
        let done = AtomicU64::new(0);
        let parts = parallel::try_map(jobs.len(), |job| -> Result<PartialCertificate, Failed> {
            let (key, first) = &jobs[job];
            control.check()?;
            let part = check_part(tables, key, *first, &squares, control)?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            control.report_done("certifying", done, jobs.len() as u64, "parts");
            Ok(part)
        })?;
        let mut next = Vec::new();
        for part in parts {
            match top {
                true => whole.own.add(part.certificate),
                false => whole.below.add(part.certificate),
            }
            for key in part.met {
                if known.insert(key) && tables.table(&key)?.is_some() {
                    next.push(key);
                }
            }
        }
        next.sort();
        whole.classes_below += next.len();
        (keys, top) = (next, false);
    }
    Ok(whole)
}

fn check_part<W: Layout>(
    tables: &Tables<W>,
    key: &ClassKey,
    first: Square,
    squares: &[Square],
    control: &Control<'_>,
) -> Result<PartialCertificate, Failed> {
    let units = units_of(tables.game().men(), key);
    let mut part = PartialCertificate::default();
    let mut p = Position::<W>::empty();
    p.side = key.side;
    p.state = key.state;
    // A class without units, which exists where every unit can be captured, has one position: the empty
    // board.
    let fits = match units.first() {
        Some(&unit) => add(&mut p, unit, first),
        None => squares.first() == Some(&first),
    };
    if fits {
        let mut place = Placer {
            tables: ProbeCache::new(tables),
            key,
            units: &units,
            squares,
            control,
            certificate: &mut part.certificate,
        };
        place.rest(&p, units.len().min(1), first)?;
        let met: BTreeSet<ClassKey> = place.tables.classes().collect();
        part.met = Vec::from_iter(met);
    }
    Ok(part)
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
    tables: ProbeCache<'a, W>,
    key: &'a ClassKey,
    units: &'a [Unit],
    squares: &'a [Square],
    control: &'a Control<'a>,
    certificate: &'a mut Certificate,
}

impl<W: Layout> Placer<'_, W> {
    fn rest(&mut self, p: &Position<W>, next: usize, last: Square) -> Result<(), Failed> {
        let Some(&unit) = self.units.get(next) else {
            self.control.check()?;
            return Ok(match self.key.passed {
                true => self.check_passed(p),
                false => self.check(p),
            }?);
        };
        let equal = self.units[next - 1] == unit;
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

    /// Checks a placement with each en passant square of the class that is valid for it.
    fn check_passed(&mut self, p: &Position<W>) -> Result<(), Diagnostic> {
        let passer = self.key.passing.map(|passing| (passing, passing.kind()));
        if let Some((passing, kind)) = passer
            && p.unit(Square(passing.unit)) != Some((!p.side, kind))
        {
            return Ok(());
        }
        for &square in self.squares {
            if passer.is_some_and(|(passing, _)| passing.square != square.0) {
                continue;
            }
            let mut q = *p;
            q.set_en_passant(Some(square));
            if is_valid_en_passant(self.tables.game(), &q) {
                self.check(&q)?;
            }
        }
        Ok(())
    }

    fn check(&mut self, p: &Position<W>) -> Result<(), Diagnostic> {
        let game = self.tables.game();
        let legal = is_legal(game, p);
        let said = self.tables.stored(p)?;
        let fen = || fen::print(game, p);
        if !legal {
            if let Some(value) = said {
                let why = format!("the table says {value} of what no FEN may say");
                self.certificate.count_fault(|| format!("{}: {why}", fen()));
            }
            return Ok(());
        }
        let successors = self.tables.successors(p)?;
        let fault = successors.value.fault(said);
        self.certificate.count(successors.turns, fault, fen);
        Ok(())
    }
}

//! Writes values without distances from full tables. Every block is decoded again, and each index is compared
//! with the full table.

use super::coder;
use super::file::BLOCK;
use super::{Known, known, symbol_of};
use crate::Failed;
use crate::class_table::Table;
use crate::key::ClassKey;
use crate::probe::ProbeCache;
use crate::signature::Signature;
use crate::store::Store;
use crate::tables::Tables;
use control::{Control, parallel};
use diagnostics::Diagnostic;
use per_layout::per_layout;
use position::Layout;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The files that were written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// Number of classes.
    pub classes: usize,
    /// Number of their indices.
    pub indices: u64,
    /// Size of all files in bytes.
    pub bytes: u64,
    /// Size in bytes of the files of the signature itself.
    pub own_bytes: u64,
}

/// Symbols that are all allowed.
const ANY: u8 = (1 << coder::SYMBOLS) - 1;

/// Writes the values of a signature, and of all classes that it leads to, to `store`. The full tables must be
/// there.
///
/// # Errors
/// If a full table is missing or cannot be read, a file cannot be written, or a stop is requested.
#[per_layout]
pub fn write_values<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
    store: &Store,
    control: &Control<'_>,
) -> Result<Written, Failed> {
    parallel::in_pool(control.threads(), || {
        let own = signature.keys().map(|key| tables.canonical(&key).0);
        let mut written = Written::default();
        for key in closure(tables, &own)? {
            let table = full(tables, &key)?;
            let bytes = write_class(tables, &table, store, control)?;
            written.classes += 1;
            written.indices += table.class.len();
            written.bytes += bytes;
            if own.contains(&key) {
                written.own_bytes += bytes;
            }
        }
        Ok(written)
    })
}

fn full<W: Layout>(
    tables: &Tables<W>,
    key: &ClassKey,
) -> Result<std::sync::Arc<Table>, Diagnostic> {
    tables.table(key)?.ok_or_else(|| {
        let label = key.label(tables.game().men());
        Diagnostic::new("table", format!("the full table `{label}` is missing"))
    })
}

/// Returns the classes that these classes lead to, themselves included.
fn closure<W: Layout>(
    tables: &Tables<W>,
    own: &[ClassKey],
) -> Result<BTreeSet<ClassKey>, Diagnostic> {
    let mut all = BTreeSet::new();
    let mut open = own.to_vec();
    while let Some(key) = open.pop() {
        if all.insert(key) {
            open.extend(full(tables, &key)?.leads_to.iter().copied());
        }
    }
    Ok(all)
}

/// Writes the values of a class. Returns the size of the file in bytes.
fn write_class<W: Layout>(
    tables: &Tables<W>,
    table: &Table,
    store: &Store,
    control: &Control<'_>,
) -> Result<u64, Failed> {
    let (game, class) = (tables.game(), &table.class);
    let row = class.last_placements();
    let len = class.len();
    let done = AtomicU64::new(0);
    let codes = parallel::try_map(len.div_ceil(BLOCK as u64) as usize, |n| {
        let first = (n * BLOCK) as u64;
        let last = len.min(first + BLOCK as u64);
        let allowed = allowed(tables, table, first..last, control)?;
        let code = coder::encode(&allowed, row)
            .map_err(|e| Diagnostic::new("table", format!("values cannot be compressed: {e}")))?;
        let agrees = coder::decode(&code, allowed.len()).is_some_and(|block| {
            let mut sets = allowed.iter().enumerate();
            sets.all(|(at, set)| set >> block.symbol(at) & 1 == 1)
        });
        if !agrees {
            let why = "a written value differs from the full table";
            return Err(Diagnostic::new("table", why).into());
        }
        let done = done.fetch_add(last - first, Ordering::Relaxed) + (last - first);
        control.report_done("writing values", done, len, "indices");
        Ok::<_, Failed>(code)
    })?;
    tables.trouble()?;
    store.write_coded(game, class, &codes)
}

/// Returns the symbols that each index may have, one bit for each.
fn allowed<W: Layout>(
    tables: &Tables<W>,
    table: &Table,
    range: Range<u64>,
    control: &Control<'_>,
) -> Result<Vec<u8>, Failed> {
    let game = tables.game();
    let mut cache = ProbeCache::new(tables);
    range
        .map(|index| {
            control.check()?;
            let Some(value) = table.value(index) else {
                return Ok(ANY);
            };
            let Some(placed) = table.class.placed::<W>(index) else {
                return Ok(ANY);
            };
            cache.compare(&placed.position, value)?;
            let worth = value.worth();
            let known = known(game, &placed.position, worth, |_, after| {
                let value = cache.stored(after)?;
                value.map(|value| value.worth()).ok_or_else(|| {
                    let help = "`fairyproof table build` makes what is missing";
                    Diagnostic::new("table", "a table of less material is missing").help(help)
                })
            })?;
            Ok(match known {
                Known::Over(_) => ANY,
                Known::Leaving(Some(best)) if best >= worth => (2 << symbol_of(worth)) - 1,
                Known::Leaving(_) => 1 << symbol_of(worth),
            })
        })
        .collect()
}

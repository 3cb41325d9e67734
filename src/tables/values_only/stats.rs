//! The numbers of positions with each value, from values without distances.

use super::read::ValueReader;
use crate::class::{Class, is_valid_fen_position};
use crate::signature::Signature;
use crate::stats::{Counting, SideStats, missing};
use crate::tables::Tables;
use board::Color;
use control::parallel;
use diagnostics::Diagnostic;
use per_layout::per_layout;
use position::Layout;
use std::collections::BTreeMap;

/// Indices that a thread examines at a time.
const CHUNK: u64 = 1 << 14;

/// Returns the numbers of positions of a signature with each value, first with White (the side named first) to
/// move, then with Black. The distances are all 0, and there are no longest wins and losses.
///
/// # Errors
/// If a table is missing or cannot be read.
#[per_layout]
pub fn value_stats<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
    counting: Counting,
) -> Result<[SideStats; 2], Diagnostic> {
    let [white, black] = signature.keys();
    let mut sides = Vec::new();
    for key in [white, black] {
        let (canonical, _) = tables.canonical(&key);
        let class = match tables.values_only(&canonical)? {
            Some(table) => table.class.clone(),
            None => return Err(missing(tables, signature)),
        };
        sides.push(count(tables, &class, key.side, counting)?);
    }
    let [white, black] = [sides.remove(0), sides.remove(0)];
    Ok([white, black])
}

/// Counts the positions of a canonical class.
fn count<W: Layout>(
    tables: &Tables<W>,
    class: &Class,
    side: Color,
    counting: Counting,
) -> Result<SideStats, Diagnostic> {
    let game = tables.game();
    let jobs = class.len().div_ceil(CHUNK);
    let parts = parallel::try_map(jobs as usize, |job| {
        let first = job as u64 * CHUNK;
        let mut reader = ValueReader::new(tables);
        let (mut positions, mut legal, mut worths) = (0, 0, BTreeMap::new());
        for index in first..class.len().min(first + CHUNK) {
            let Some(placed) = class.placed::<W>(index) else {
                continue;
            };
            let n = match counting {
                Counting::All => u64::from(placed.orientations),
                Counting::Reduced => 1,
            };
            positions += n;
            if !is_valid_fen_position(game, &placed.position) {
                continue;
            }
            if let Some(worth) = reader.worth(&placed.position)? {
                legal += n;
                *worths.entry((worth, 0)).or_insert(0) += n;
            }
        }
        Ok::<_, Diagnostic>((positions, legal, worths))
    })?;
    let mut stats = SideStats {
        side,
        positions: 0,
        legal: 0,
        plies: BTreeMap::new(),
        longest_win: None,
        longest_loss: None,
    };
    for (positions, legal, worths) in parts {
        stats.positions += positions;
        stats.legal += legal;
        for (worth, n) in worths {
            *stats.plies.entry(worth).or_insert(0) += n;
        }
    }
    Ok(stats)
}

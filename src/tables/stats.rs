//! Statistics of a table: the number of positions with each value and distance, and the longest wins.

use super::class_table::Table;
use super::key::ClassKey;
use super::signature::Signature;
use super::tables::Tables;
use board::Color;
use control::parallel;
use diagnostics::Diagnostic;
use notation::fen;
use per_layout::per_layout;
use position::{Layout, Position};
use std::collections::BTreeMap;
use std::sync::Arc;
use values::{Packed, Value};

/// How positions are counted that a symmetry of the board maps to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Counting {
    /// Each of them counts.
    #[default]
    All,
    /// They count once, as in published statistics. A position that a symmetry maps to itself also counts once.
    Reduced,
}

/// The values of which the longest are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extreme {
    /// Wins of the side to move.
    Win,
    /// Losses of the side to move.
    Loss,
}

impl Extreme {
    /// Returns the distance of a value of this kind, in plies.
    fn plies(self, value: Value) -> Option<u16> {
        match (self, value) {
            (Extreme::Win, Value::Win(plies)) | (Extreme::Loss, Value::Loss(plies)) => Some(plies),
            _ => None,
        }
    }
}

/// Statistics of a signature with one side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideStats {
    /// The side to move.
    pub side: Color,
    /// Placements of the units. Only bound units may share a square with another unit.
    pub positions: u64,
    /// Legal positions: the placements that a FEN may contain.
    pub legal: u64,
    /// Legal positions by worth (from -2, a loss, to 2, a win) and distance in plies (0 for draws).
    pub plies: BTreeMap<(i8, u16), u64>,
    /// The longest win in plies, and the FEN of a position with that win.
    pub longest_win: Option<(u16, String)>,
    /// The longest loss in plies, and the FEN of a position with that loss.
    pub longest_loss: Option<(u16, String)>,
}

impl SideStats {
    /// Returns the longest win or loss in plies, and the FEN of a position with it.
    pub fn longest(&self, extreme: Extreme) -> Option<&(u16, String)> {
        match extreme {
            Extreme::Win => self.longest_win.as_ref(),
            Extreme::Loss => self.longest_loss.as_ref(),
        }
    }

    /// Returns the number of legal positions with this worth (from -2, a loss, to 2, a win).
    pub fn count(&self, worth: i8) -> u64 {
        self.plies
            .iter()
            .filter(|((w, _), _)| *w == worth)
            .map(|(_, n)| n)
            .sum()
    }
}

/// Returns the statistics of a signature: first with White (the side named first) to move, then with Black.
/// The numbers of placements and positions are counted as `counting` specifies.
///
/// # Errors
/// If a table is missing or cannot be read.
#[per_layout]
pub fn stats<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
    counting: Counting,
) -> Result<[SideStats; 2], Diagnostic> {
    let [white, black] = signature.keys();
    let one = |key| -> Result<SideStats, Diagnostic> {
        let (table, swap) = table_of(tables, signature, &key)?;
        count(tables, &table, swap, key.side, counting)
    };
    let sides = [one(white)?, one(black)?];
    tables.trouble()?;
    Ok(sides)
}

/// Returns the length in plies of the longest win or loss with this side to move, and the FENs of all positions
/// with it, in index order. Of positions that symmetries map to each other, one is returned. Returns `None` if
/// there is no such position.
///
/// # Errors
/// If the table is missing or cannot be read.
#[per_layout]
pub fn longest<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
    side: Color,
    extreme: Extreme,
) -> Result<Option<(u16, Vec<String>)>, Diagnostic> {
    let key = signature.keys()[usize::from(side == Color::Black)];
    let (table, swap) = table_of(tables, signature, &key)?;
    let class = &table.class;
    let jobs = class.len().div_ceil(CHUNK);
    let parts = parallel::map(jobs as usize, |job| {
        let job = job as u64;
        let mut longest: Option<(u16, Vec<u64>)> = None;
        for index in job * CHUNK..((job + 1) * CHUNK).min(class.len()) {
            let Some(plies) = table.value(index).and_then(|value| extreme.plies(value)) else {
                continue;
            };
            match &mut longest {
                Some((most, _)) if *most > plies => {}
                Some((most, indices)) if *most == plies => indices.push(index),
                _ => longest = Some((plies, vec![index])),
            }
        }
        longest
    });
    tables.trouble()?;
    let most = parts.iter().flatten().map(|(plies, _)| *plies).max();
    let indices = parts
        .into_iter()
        .flatten()
        .filter(|(plies, _)| Some(*plies) == most);
    let texts = indices
        .flat_map(|(_, indices)| indices)
        .filter_map(|index| tables.position(class, index, swap))
        .map(|p| compared(tables, &p))
        .collect::<Result<_, _>>()?;
    Ok(most.map(|plies| (plies, texts)))
}

/// Returns whether a position of a signature is legal, with either side to move.
///
/// # Errors
/// If a table is missing or cannot be read.
#[per_layout]
pub fn has_positions<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
) -> Result<bool, Diagnostic> {
    for key in signature.keys() {
        let (table, _) = table_of(tables, signature, &key)?;
        let len = table.class.len();
        let mut firsts = (0..len).step_by(CHUNK as usize);
        if firsts.any(|first| !table.values_in(first..len.min(first + CHUNK)).is_empty()) {
            return Ok(true);
        }
    }
    tables.trouble()?;
    Ok(false)
}

/// Returns the FEN of a position after its value was compared with those of its successors.
fn compared<W: Layout>(tables: &Tables<W>, p: &Position<W>) -> Result<String, Diagnostic> {
    tables.value(p)?;
    Ok(fen::print(tables.game(), p))
}

/// Returns the table of a class of a signature, and whether it is that of the class with the sides swapped.
///
/// # Errors
/// If the table is missing or cannot be read.
pub(super) fn table_of<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
    key: &ClassKey,
) -> Result<(Arc<Table>, bool), Diagnostic> {
    let (canonical, swap) = tables.canonical(key);
    match tables.table(&canonical)? {
        Some(table) => Ok((table, swap)),
        None => Err(missing(tables, signature)),
    }
}

/// Returns the error for a request that needs distances, which a table of values only does not have.
pub(super) fn no_distances<W: Layout>(tables: &Tables<W>, signature: &Signature) -> Diagnostic {
    let why = format!("the table of {signature} has values only, no distances");
    let command = build_command(tables, signature);
    Diagnostic::new("table", why).help(format!("`{command}`, without `--values-only`"))
}

pub(super) fn missing<W: Layout>(tables: &Tables<W>, signature: &Signature) -> Diagnostic {
    let is_values_only = |key| tables.has_values_only(&key).unwrap_or(false);
    if signature.keys().into_iter().any(is_values_only) {
        return no_distances(tables, signature);
    }
    let variant = tables.game().variant();
    let size = tables.game().board().geometry().size();
    let folder = tables.store().map_or(String::new(), |store| {
        format!(" in the folder `{}`", store.folder().display())
    });
    let why = format!("there is no table of {signature} in {variant} on {size}{folder}");
    Diagnostic::new("table", why).help(format!("`{}`", build_command(tables, signature)))
}

/// Returns the command that builds a table.
fn build_command<W: Layout>(tables: &Tables<W>, signature: &Signature) -> String {
    let variant = tables.game().variant();
    let geometry = tables.game().board().geometry();
    let size = geometry.size();
    // The variant's own board needs no `--board`, an option that cannot express holes anyway.
    let own = fen::shape(&variant.start())
        .is_ok_and(|own| (own.size(), own.holes()) == (geometry.size(), geometry.holes()));
    let board = match own {
        true => String::new(),
        false => format!(" --board {size}"),
    };
    // A signature's variant state follows a `;`, which is special to a shell.
    let quote = if signature.to_string().contains(';') {
        "'"
    } else {
        ""
    };
    format!("fairyproof table build {variant} {quote}{signature}{quote}{board}")
}

/// Indices that a thread examines at a time.
const CHUNK: u64 = 1 << 16;

#[derive(Default)]
struct Tally {
    positions: u64,
    legal: u64,
    plies: BTreeMap<u16, u64>,
    first: BTreeMap<u16, u64>,
}

fn count<W: Layout>(
    tables: &Tables<W>,
    table: &Table,
    swap: bool,
    side: Color,
    counting: Counting,
) -> Result<SideStats, Diagnostic> {
    let class = &table.class;
    let jobs = class.len().div_ceil(CHUNK);
    let tallies = parallel::map(jobs as usize, |job| {
        let job = job as u64;
        let mut tally = Tally::default();
        let mut cells = vec![0u64; 1 << 16];
        for index in job * CHUNK..((job + 1) * CHUNK).min(class.len()) {
            let packed = table.packed(index);
            if packed == Packed::VACANT {
                continue;
            }
            let Some(placed) = class.placed::<W>(index) else {
                continue;
            };
            let n = match counting {
                Counting::All => u64::from(placed.orientations),
                Counting::Reduced => 1,
            };
            tally.positions += n;
            if packed != Packed::REFUSED {
                tally.legal += n;
                let cell = &mut cells[usize::from(packed.0)];
                if *cell == 0 {
                    tally.first.insert(packed.0, index);
                }
                *cell += n;
            }
        }
        for &value in tally.first.keys() {
            tally.plies.insert(value, cells[usize::from(value)]);
        }
        tally
    });
    let mut tally = Tally::default();
    for part in tallies {
        tally.positions += part.positions;
        tally.legal += part.legal;
        for (value, n) in part.plies {
            *tally.plies.entry(value).or_default() += n;
        }
        for (value, index) in part.first {
            // The parts are in index order, so the lowest index is kept.
            tally.first.entry(value).or_insert(index);
        }
    }
    let mut stats = SideStats {
        side,
        positions: tally.positions,
        legal: tally.legal,
        plies: BTreeMap::new(),
        longest_win: None,
        longest_loss: None,
    };
    for (&packed, &n) in &tally.plies {
        let Some(value) = Packed(packed).value() else {
            continue;
        };
        let plies = value.distance_plies().unwrap_or(0);
        stats.plies.insert((value.worth(), plies), n);
        let longest = match value {
            Value::Win(_) => &mut stats.longest_win,
            Value::Loss(_) => &mut stats.longest_loss,
            _ => continue,
        };
        if longest.as_ref().is_none_or(|(d, _)| *d <= plies)
            && let Some(p) = tables.position(class, tally.first[&packed], swap)
        {
            *longest = Some((plies, compared(tables, &p)?));
        }
    }
    Ok(stats)
}

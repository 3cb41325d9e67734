//! The endings of every rule set: `endgames.csv`.
//!
//! For each rule set, the report covers every ending of two units against one on the rule set's own board. If
//! a single unit has already lost, it covers two units against two instead. For some rule sets, it also
//! covers every ending of two to four units with one king on each side. (A FEN of Chromopolis may lack kings,
//! but a game never does.) [`endings`] lists the endings. The columns are those of `table stats`, and one
//! that says whether the ending is complete.

use super::endings::StatsRow;
use board::{Color, Kind, Squares};
use control::Control;
use diagnostics::Diagnostic;
use notation::{Setup, Start, fen, with_setup};
use rules::with_game;
use rules::{Game, Variant};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use struct_field_names_as_array::FieldNamesAsSlice;
use tables::Layout;
use tables::{
    Built, Counting, Failed, Signature, Tables, build_here, build_within, endings, materials, stats,
};

/// Rule sets for which every ending of up to four units is solved.
pub const FOUR_UNITS: [&str; 3] = ["bachelor", "chromopolis", "convergent"];

/// The number of rule sets that are solved at a time and share the memory. This keeps two processors busy
/// where endings are small. The work on large endings is divided further.
const AT_A_TIME: u64 = 2;

/// An ending with one side to move. `limit` is `complete` or names the limit that stopped the solution. In
/// the latter case, the counts are empty.
#[derive(Serialize, Clone, PartialEq, Eq, Debug, Default, FieldNamesAsSlice)]
#[allow(missing_docs)]
pub struct EndgameRow {
    pub variant: String,
    pub board: String,
    pub signature: String,
    pub side: char,
    pub positions: Option<u64>,
    pub legal: Option<u64>,
    pub wins: Option<u64>,
    pub weak_wins: Option<u64>,
    pub draws: Option<u64>,
    pub weak_losses: Option<u64>,
    pub losses: Option<u64>,
    pub longest_win_plies: Option<u16>,
    pub longest_win_fen: Option<String>,
    pub longest_loss_plies: Option<u16>,
    pub longest_loss_fen: Option<String>,
    pub limit: String,
}

impl EndgameRow {
    fn solved(row: StatsRow) -> EndgameRow {
        EndgameRow {
            variant: row.variant,
            board: row.board,
            signature: row.signature,
            side: row.side,
            positions: Some(row.positions),
            legal: Some(row.legal),
            wins: Some(row.wins),
            weak_wins: Some(row.weak_wins),
            draws: Some(row.draws),
            weak_losses: Some(row.weak_losses),
            losses: Some(row.losses),
            longest_win_plies: row.longest_win_plies,
            longest_win_fen: row.longest_win_fen,
            longest_loss_plies: row.longest_loss_plies,
            longest_loss_fen: row.longest_loss_fen,
            limit: "complete".to_string(),
        }
    }

    fn unsolved(variant: &Variant, board: &str, signature: &str, limit: &str) -> [EndgameRow; 2] {
        ['w', 'b'].map(|side| EndgameRow {
            variant: variant.to_string(),
            board: board.to_string(),
            signature: signature.to_string(),
            side,
            limit: limit.to_string(),
            ..EndgameRow::default()
        })
    }
}

/// The number of units in the endings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// Two units against one, or two against two if a single unit has already lost. Up to four units for
    /// [`FOUR_UNITS`].
    Usual,
    /// Up to four units for all rule sets.
    Four,
}

/// The endings to solve.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rule sets.
    pub variants: Vec<Variant>,
    /// The number of units in their endings.
    pub depth: Depth,
}

impl Plan {
    /// Returns the plan for every compiled rule set.
    pub fn all(depth: Depth) -> Plan {
        Plan {
            variants: variants::all()
                .iter()
                .map(|info| Variant::from(*info))
                .collect(),
            depth,
        }
    }
}

/// Solves the endings of a plan. Returns the rows in the order of variant, number of units, signature and
/// side. Rule sets are solved in parallel in the caller's pool of threads; the rows do not depend on the
/// number of threads.
///
/// # Errors
/// If a rule set cannot be opened, or `control` stops it.
pub fn endgames(plan: &Plan, control: &Control<'_>) -> Result<Vec<EndgameRow>, Failed> {
    let mut variants = plan.variants.clone();
    // The rule sets with the most work come first, so no thread has to wait for them at the end.
    let four_units = |variant: &Variant| match plan.depth {
        Depth::Usual => FOUR_UNITS.contains(&variant.to_string().as_str()),
        Depth::Four => true,
    };
    variants.sort_by_cached_key(|variant| (!four_units(variant), variant.to_string()));
    let of = variants.len();
    let done = AtomicUsize::new(0);
    let part = control
        .for_part()
        .with_memory(control.memory_bytes() / AT_A_TIME);
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(String, Vec<EndgameRow>)>, Failed> {
        let mut parts = Vec::new();
        while let Some(variant) = variants.get(next.fetch_add(1, Ordering::Relaxed)) {
            let id = variant.to_string();
            let geometry = fen::shape(&variant.start())?;
            let four = four_units(variant);
            let rows = with_game!(&variant.on(geometry)?, game => of_game(game, four, &part)?);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            control.report_done("solving", done as u64, of as u64, "rule sets");
            parts.push((id, rows));
        }
        Ok(parts)
    };
    let (some, others) = rayon::join(work, work);
    let mut parts = some?;
    parts.extend(others?);
    parts.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(parts.into_iter().flat_map(|(_, rows)| rows).collect())
}

/// Solves the endings of one rule set and returns their rows.
fn of_game<W: Layout>(
    game: &Arc<dyn Game<W>>,
    four: bool,
    control: &Control<'_>,
) -> Result<Vec<EndgameRow>, Failed> {
    let of_size =
        |white, black| endings(game.as_ref(), of_size(game.as_ref(), white, black), control);
    let mut signatures = of_size(2, 1)?;
    if signatures.is_empty() {
        // A side with fewer than two units has already lost.
        signatures = of_size(2, 2)?;
    }
    if four {
        let kings = |signature: &Signature| {
            let key = signature.keys()[0];
            Color::BOTH.map(|color| key.count(color, Kind::King)) == [1, 1]
        };
        for (white, black) in [(1, 1), (3, 1), (2, 2)] {
            signatures.extend(of_size(white, black)?.into_iter().filter(kings));
        }
    }
    sort(&mut signatures);
    let tables = Tables::new(Arc::clone(game), None);
    let mut rows = Vec::new();
    for signature in signatures {
        let built = build_here(&tables, &signature, control);
        rows.extend(ending(&tables, &signature, built)?);
    }
    Ok(rows)
}

/// Returns all material of this size. If the sides are not alike, two units against one and one against two
/// are different endings.
fn of_size<W: Layout>(game: &dyn Game<W>, white: usize, black: usize) -> Vec<Signature> {
    let mut found = materials(game, white, black);
    if !game.symmetries().colors && white != black {
        found.extend(materials(game, black, white));
    }
    found
}

/// Sorts endings by number of units, since captures lead from large endings to small ones. Removes
/// duplicates.
fn sort(signatures: &mut Vec<Signature>) {
    signatures.sort_by_cached_key(|signature| (signature.keys()[0].total(), signature.to_string()));
    signatures.dedup();
}

/// Solves the endings of two units against one and returns their rows. If a single unit has already lost,
/// solves two units against two instead. Includes only endings with exactly the royal units of the start
/// position: a game never loses a royal unit, and endings in which further units have become royal are left
/// out. At most about `max_positions` positions are examined. An ending that needs more than the remaining
/// number is not solved.
///
/// # Errors
/// If the rule set cannot be opened, or `control` stops it.
pub fn least_endgames(
    variant: &Variant,
    max_positions: u64,
    control: &Control<'_>,
) -> Result<Vec<EndgameRow>, Failed> {
    let setup = Setup::read(variant, None)?;
    with_setup!(&setup, start => least_of_game(start, max_positions, control))
}

fn least_of_game<W: Layout>(
    start: &Start<W>,
    max_positions: u64,
    control: &Control<'_>,
) -> Result<Vec<EndgameRow>, Failed> {
    let game = start.game.as_ref();
    let of_size = |white, black| {
        let mut found = of_size(game, white, black);
        found.retain(|signature| keeps_royals(start, signature));
        endings(game, found, control)
    };
    let mut signatures = of_size(2, 1)?;
    if signatures.is_empty() {
        signatures = of_size(2, 2)?;
    }
    sort(&mut signatures);
    let tables = Tables::new(Arc::clone(&start.game), None);
    let part = control.with_observer(&());
    let mut left = max_positions;
    let mut rows = Vec::new();
    for (done, signature) in signatures.iter().enumerate() {
        control.report_done("solving", done as u64, signatures.len() as u64, "endings");
        let built = build_within(&tables, signature, &mut left, &part);
        rows.extend(ending(&tables, signature, built)?);
    }
    Ok(rows)
}

/// Returns whether each side has the same number of units of each royal kind as in the start position.
fn keeps_royals<W: Layout>(start: &Start<W>, signature: &Signature) -> bool {
    let (game, p) = (start.game.as_ref(), &start.position);
    let key = signature.keys()[0];
    Color::BOTH.into_iter().all(|color| {
        let royals = game.royals(p, color);
        game.men().kinds().all(|kind| {
            let at_start = (royals & p.units(color, kind)).len() as usize;
            at_start == 0 || key.count(color, kind) == at_start
        })
    })
}

/// Returns the rows of an ending, given the result of building its tables.
fn ending<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
    built: Result<Built, Failed>,
) -> Result<[EndgameRow; 2], Failed> {
    let variant = tables.game().variant();
    let board = tables.game().board().geometry().size();
    let text = signature.to_string();
    let unsolved = |limit| Ok(EndgameRow::unsolved(variant, &board, &text, limit));
    match built {
        Ok(_) => {}
        Err(Failed::Memory { .. }) => return unsolved("memory"),
        Err(Failed::Positions { .. }) => return unsolved("max-positions"),
        Err(stopped) => return Err(stopped),
    }
    let sides = stats(tables, signature, Counting::All)?;
    Ok(sides
        .each_ref()
        .map(|side| EndgameRow::solved(StatsRow::new(variant, &board, &text, side))))
}

/// The summary of one rule set: the number of endings, and the longest win.
#[derive(Serialize, Clone, PartialEq, Eq, Debug, FieldNamesAsSlice)]
#[allow(missing_docs)]
pub struct SummaryRow {
    pub variant: String,
    pub board: String,
    pub endings: usize,
    pub complete: usize,
    pub longest_win_plies: Option<u16>,
    pub longest_win_fen: Option<String>,
}

/// Returns a row for each rule set of the plan.
///
/// # Errors
/// If a rule set cannot be opened.
pub fn summary(plan: &Plan, rows: &[EndgameRow]) -> Result<Vec<SummaryRow>, Diagnostic> {
    let mut variants = plan.variants.clone();
    variants.sort_by_cached_key(Variant::to_string);
    variants
        .into_iter()
        .map(|variant| {
            let id = variant.to_string();
            let own = || rows.iter().filter(|row| row.variant == id);
            let longest = own().fold(None::<&EndgameRow>, |best, row| match best {
                Some(best) if best.longest_win_plies >= row.longest_win_plies => Some(best),
                _ => Some(row),
            });
            Ok(SummaryRow {
                board: fen::shape(&variant.start())?.size(),
                endings: own().count() / 2,
                complete: own().filter(|row| row.limit == "complete").count() / 2,
                longest_win_plies: longest.and_then(|row| row.longest_win_plies),
                longest_win_fen: longest.and_then(|row| row.longest_win_fen.clone()),
                variant: id,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_that_need_more_positions_than_are_left_are_not_solved() {
        let variant = Variant::from(&variants::fide::INFO);
        let control = Control::new().with_memory(64 << 20);
        let found = |max_positions| -> Vec<(String, String)> {
            let rows = least_endgames(&variant, max_positions, &control).expect("not stopped");
            let white = rows.into_iter().filter(|row| row.side == 'w');
            white.map(|row| (row.signature, row.limit)).collect()
        };
        let named = |limits: [&str; 5]| -> Vec<(String, String)> {
            let names = ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK"];
            names
                .into_iter()
                .zip(limits)
                .map(|(name, limit)| (name.to_string(), limit.to_string()))
                .collect()
        };
        assert_eq!(found(1_000_000), named(["complete"; 5]));
        // An ending with a pawn includes the endings of all kinds to which the pawn can promote.
        let without_pawns = [
            "complete",
            "complete",
            "max-positions",
            "complete",
            "complete",
        ];
        assert_eq!(found(400_000), named(without_pawns));
        assert_eq!(found(0), named(["max-positions"; 5]));
    }
}

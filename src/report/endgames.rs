//! The endings of every rule set: `endgames.csv`.
//!
//! For each rule set on its own board every ending of two units against one (of two against two
//! where a single unit has lost already), and for some of them every ending of up to four units,
//! as [`endings`] finds them; two and four units with a king on each side (a FEN of Chromopolis may
//! lack kings, a game never does). The columns are those of `table stats`, and whether the ending is
//! complete.

use super::endings::StatsRow;
use board::{Color, Kind};
use control::Control;
use diagnostics::Diagnostic;
use notation::fen;
use rules::with_game;
use rules::{Game, Variant};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use struct_field_names_as_array::FieldNamesAsSlice;
use tables::Layout;
use tables::{Failed, Signature, Tables, build_here, endings, stats};

/// Rule sets with every ending of up to four units.
pub const FOUR_UNITS: [&str; 3] = ["bachelor", "chromopolis", "convergent"];

/// Rule sets that are solved at the same time, and share the memory: enough for two processors to
/// have work where endings are small; the work on large ones is split further.
const AT_A_TIME: u64 = 2;

/// An ending with one side to move. `limit` is `complete`, or says what stopped the solution; the
/// counts are then empty.
#[derive(Serialize, Clone, PartialEq, Eq, Debug, FieldNamesAsSlice)]
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
            positions: None,
            legal: None,
            wins: None,
            weak_wins: None,
            draws: None,
            weak_losses: None,
            losses: None,
            longest_win_plies: None,
            longest_win_fen: None,
            longest_loss_plies: None,
            longest_loss_fen: None,
            limit: limit.to_string(),
        })
    }
}

/// How many units the endings have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// Two units against one, or the fewest that do not decide the game.
    Least,
    /// Like [`Depth::Least`], and up to four units for [`FOUR_UNITS`].
    Usual,
    /// Up to four units.
    Four,
}

/// Which endings.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rule sets.
    pub variants: Vec<Variant>,
    /// How many units their endings have.
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

/// Returns the rows of a plan, in the order of variant, number of units, signature and side. Rule sets are
/// solved side by side in the caller's pool of threads; the rows do not depend on how many there are.
///
/// # Errors
/// If a rule set cannot be opened, or `control` stops it.
pub fn endgames(plan: &Plan, control: &Control<'_>) -> Result<Vec<EndgameRow>, Failed> {
    let mut variants = plan.variants.clone();
    // The longest first, so that no thread waits for them in the end.
    let four_units = |variant: &Variant| match plan.depth {
        Depth::Least => false,
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
            let rows = with_game!(&variant.on(geometry), game => of_game(game, four, &part)?);
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

/// Returns the rows of one rule set.
fn of_game<W: Layout>(
    game: &Arc<dyn Game<W>>,
    four: bool,
    control: &Control<'_>,
) -> Result<Vec<EndgameRow>, Failed> {
    let both_ways = !game.symmetries().colors;
    let of_size = |white: usize, black: usize| -> Result<Vec<Signature>, Failed> {
        let mut found = endings(game.as_ref(), white, black, control)?;
        if both_ways && white != black {
            // Two against one is another ending than one against two.
            found.extend(endings(game.as_ref(), black, white, control)?);
        }
        Ok(found)
    };
    let mut signatures = of_size(2, 1)?;
    if signatures.is_empty() {
        // Fewer than two units of a side have lost.
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
    // The small ones first: they are parts of the others.
    signatures.sort_by_cached_key(|signature| (signature.keys()[0].total(), signature.to_string()));
    signatures.dedup();
    let tables = Tables::new(Arc::clone(game), None);
    let mut rows = Vec::new();
    for signature in signatures {
        rows.extend(ending(&tables, &signature, control)?);
    }
    Ok(rows)
}

fn ending<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
    control: &Control<'_>,
) -> Result<[EndgameRow; 2], Failed> {
    let variant = tables.game().variant();
    let board = tables.game().board().geometry().size();
    let text = signature.to_string();
    match build_here(tables, signature, control) {
        Ok(_) => {}
        Err(Failed::Memory { .. }) => {
            return Ok(EndgameRow::unsolved(variant, &board, &text, "memory"));
        }
        Err(stopped) => return Err(stopped),
    }
    let sides = stats(tables, signature)?;
    Ok(sides
        .each_ref()
        .map(|side| EndgameRow::solved(StatsRow::new(variant, &board, &text, side))))
}

/// What the rows of one rule set say in short: how many endings, and the longest win.
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

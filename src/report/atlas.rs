//! The atlas: for every rule set, the states near its start position and the results of random games.

use board::Color;
use control::{Control, Counted, Stopped};
use diagnostics::Diagnostic;
use explore::{Limits, Playouts, StateId, explore, playouts};
use notation::with_setup;
use notation::{Setup, Start, fen};
use rayon::prelude::*;
use rules::Variant;
use rules::{Game, Outcome, reason};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use struct_field_names_as_array::FieldNamesAsSlice;
use values::Layout;

/// The depth in plies to which states are searched and lines are counted.
pub const DEPTH: u32 = 4;

/// The maximum number of states that are stored for one rule set.
pub const MAX_STATES: u64 = 50_000_000;

/// The default seed of random games.
pub const SEED: u64 = 36;

/// The number of games in one piece of work.
const CHUNK: u64 = 50;

/// The extent of an atlas.
#[derive(Clone, Copy, Debug)]
pub struct AtlasScope {
    /// The number of random games for each rule set.
    pub games: u64,
    /// The maximum length of a random game, in plies. Longer games are stopped.
    pub cap_plies: u32,
    /// The seed of the random games.
    pub seed: u64,
}

/// The figures of one rule set. Figures about states count each position once, at its shortest distance from
/// the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, FieldNamesAsSlice)]
pub struct AtlasRow {
    /// The rule set.
    pub variant: String,
    /// The start position.
    pub fen: String,
    /// The number of legal turns in the start position.
    pub turns: u64,
    /// The number of lines of one turn.
    pub perft_1: u64,
    /// The number of lines of two turns.
    pub perft_2: u64,
    /// The number of lines of three turns.
    pub perft_3: u64,
    /// The number of lines of four turns.
    pub perft_4: u64,
    /// The depth to which states were searched, in plies.
    pub depth: u32,
    /// `complete` if all states to this depth were found, or the limit that stopped the search.
    pub complete: String,
    /// The number of states found.
    pub states: u64,
    /// The number of terminal states.
    pub terminal_states: u64,
    /// The share of terminal states, from 0 to 1.
    pub terminal_share: String,
    /// The terminal states by outcome and reason.
    pub terminals: String,
    /// The number of random games.
    pub games: u64,
    /// The maximum length of a game, in plies.
    pub cap_plies: u32,
    /// The number of games that were stopped at the maximum length.
    pub capped_games: u64,
    /// The mean length of the games that ended, in plies.
    pub mean_plies: Option<String>,
    /// The length of the longest game that ended, in plies.
    pub max_plies: Option<u32>,
    /// The number of games that White won, including weak wins.
    pub white_wins: u64,
    /// The number of games that Black won, including weak wins.
    pub black_wins: u64,
    /// The number of drawn games.
    pub draws: u64,
    /// The number of games that ended by stalemate, whether won or drawn.
    pub stalemates: u64,
    /// The share of games with a winner among all games, from 0 to 1.
    pub decisive_share: String,
    /// The games by outcome and reason.
    pub outcomes: String,
}

impl AtlasRow {
    /// Returns whether all states to the depth were found.
    pub fn complete(&self) -> bool {
        self.complete == "complete"
    }

    /// Returns the row as one line of text.
    pub fn text(&self) -> String {
        let whole = if self.complete() {
            ""
        } else {
            " (NOT complete)"
        };
        // Stopped games have no length, so the mean excludes them.
        let mean = match &self.mean_plies {
            None => "no mean length, as none ended".to_string(),
            Some(mean) if self.capped_games == 0 => format!("mean {mean} plies"),
            Some(mean) => format!("mean {mean} plies of those that ended"),
        };
        format!(
            "{:<18} turns {:>3}, perft 4 {:>9}, terminal {} of {} states{whole}, {} games: {} White, {} \
             Black, {} drawn, {} broken off at {} plies; decisive {}; {mean}",
            self.variant,
            self.turns,
            self.perft_4,
            self.terminal_states,
            self.states,
            self.games,
            self.white_wins,
            self.black_wins,
            self.draws,
            self.capped_games,
            self.cap_plies,
            self.decisive_share,
        )
    }
}

/// Returns a share with four decimal places.
fn share(part: u64, whole: u64) -> String {
    format!("{:.4}", part as f64 / whole.max(1) as f64)
}

/// Returns counts of outcomes as text, such as `white-wins checkmate 8; draw stalemate 1`.
fn listed(outcomes: &BTreeMap<Outcome, u64>) -> String {
    let each: Vec<String> = outcomes
        .iter()
        .map(|(outcome, n)| format!("{outcome} {n}"))
        .collect();
    each.join("; ")
}

/// The figures about the states near the start.
struct Near {
    perft: [u64; DEPTH as usize],
    complete: String,
    states: u64,
    terminals: BTreeMap<Outcome, u64>,
}

/// Explores the states near the start. Returns `None` if `control` stopped it.
fn near<W: Layout>(start: &Start<W>, control: &Control<'_>) -> Option<Near> {
    let game: &dyn Game<W> = start.game.as_ref();
    let limits = Limits {
        max_states: MAX_STATES,
        max_depth: DEPTH,
        edges: false,
    };
    let found = explore(game, &start.position, &limits, control);
    let mut terminals = found.summary.terminals.clone();
    // States of the last level were found but not expanded, so their outcomes are still to be determined.
    let deepest = found.summary.depths.last().filter(|row| row.depth == DEPTH);
    let stopped = found
        .summary
        .limit
        .filter(|limit| *limit != Stopped::Count(Counted::Depth));
    if stopped.is_none() {
        let from = found.states.len() as u64 - deepest.map_or(0, |row| row.states);
        for state in from..found.states.len() as u64 {
            let outcome = game.outcome(&found.position::<W>(state as StateId));
            if !outcome.is_ongoing() {
                *terminals.entry(outcome).or_default() += 1;
            }
        }
    }
    let states = found.states.len() as u64;
    drop(found);
    let mut turns = Vec::new();
    game.turns(&start.position, &mut turns);
    let mut lines = [0; DEPTH as usize];
    lines[0] = turns.len() as u64;
    for turn in &turns {
        let after = game.play(&start.position, turn);
        for (depth, lines) in (1..).zip(&mut lines[1..]) {
            if control.check().is_err() {
                return None;
            }
            *lines += game.perft(&after, depth);
        }
    }
    Some(Near {
        perft: lines,
        complete: stopped.map_or("complete".to_string(), |stopped| {
            stopped.limit().to_string()
        }),
        states,
        terminals,
    })
}

fn row<W: Layout>(start: &Start<W>, near: &Near, games: &Playouts, scope: &AtlasScope) -> AtlasRow {
    let game: &dyn Game<W> = start.game.as_ref();
    let ended = games.ended();
    let count = |wanted: &dyn Fn(&Outcome) -> bool| -> u64 {
        let them = games.outcomes.iter().filter(|(outcome, _)| wanted(outcome));
        them.map(|(_, n)| n).sum()
    };
    let (white, black) = (
        count(&|o| o.worth(Color::White) > 0),
        count(&|o| o.worth(Color::Black) > 0),
    );
    let terminal_states = near.terminals.values().sum();
    AtlasRow {
        variant: game.variant().to_string(),
        fen: fen::print(game, &start.position),
        turns: game.count(&start.position),
        perft_1: near.perft[0],
        perft_2: near.perft[1],
        perft_3: near.perft[2],
        perft_4: near.perft[3],
        depth: DEPTH,
        complete: near.complete.clone(),
        states: near.states,
        terminal_states,
        terminal_share: format!("{:.6}", terminal_states as f64 / near.states.max(1) as f64),
        terminals: listed(&near.terminals),
        games: games.games,
        cap_plies: scope.cap_plies,
        capped_games: games.capped,
        mean_plies: (ended > 0).then(|| format!("{:.2}", games.plies as f64 / ended as f64)),
        max_plies: (ended > 0).then_some(games.max_plies),
        white_wins: white,
        black_wins: black,
        draws: ended - white - black,
        stalemates: count(&|o| o.reason() == Some(reason::STALEMATE)),
        decisive_share: share(white + black, games.games),
        outcomes: listed(&games.outcomes),
    }
}

/// Returns a row for each rule set, in the given order, or `None` if `control` stopped it. The states of one
/// rule set may use all of the memory of `control`. The work is divided among the threads of the caller's
/// pool; the rows do not depend on their number.
///
/// # Errors
/// If a start position cannot be read.
pub fn rows(
    variants: &[Variant],
    scope: &AtlasScope,
    control: &Control<'_>,
) -> Result<Option<Vec<AtlasRow>>, Diagnostic> {
    enum AtlasPart {
        Near(Near),
        Games(Playouts),
    }
    let setups: Vec<Setup> = variants
        .iter()
        .map(|variant| Setup::read(variant, None))
        .collect::<Result<_, _>>()?;
    let chunks = scope.games.div_ceil(CHUNK);
    // Search the states first, so the last jobs are short and no thread waits long for another.
    let mut jobs: Vec<(usize, Option<u64>)> = (0..setups.len()).map(|i| (i, None)).collect();
    for i in 0..setups.len() {
        jobs.extend((0..chunks).map(|chunk| (i, Some(chunk))));
    }
    let done = AtomicUsize::new(0);
    let parts: Vec<Option<(usize, AtlasPart)>> = jobs
        .par_iter()
        .with_max_len(1)
        .map(|&(i, chunk)| {
            if control.check().is_err() {
                return None;
            }
            let part = with_setup!(&setups[i], start => match chunk {
                None => AtlasPart::Near(near(start, &control.for_part())?),
                Some(chunk) => {
                    let numbers = chunk * CHUNK..((chunk + 1) * CHUNK).min(scope.games);
                    let (game, root) = (start.game.as_ref(), &start.position);
                    let mut games = Playouts::default();
                    for number in numbers {
                        if control.check().is_err() {
                            return None;
                        }
                        let one = number..number + 1;
                        games.add(&playouts(game, root, scope.seed, one, scope.cap_plies));
                    }
                    AtlasPart::Games(games)
                }
            });
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            control.report_done("surveying", done as u64, jobs.len() as u64, "parts");
            Some((i, part))
        })
        .collect();
    if control.check().is_err() {
        return Ok(None);
    }
    let mut nears: Vec<Option<Near>> = setups.iter().map(|_| None).collect();
    let mut games = vec![Playouts::default(); setups.len()];
    for (i, part) in parts.into_iter().flatten() {
        match part {
            AtlasPart::Near(near) => nears[i] = Some(near),
            AtlasPart::Games(more) => games[i].add(&more),
        }
    }
    let rows = setups.iter().zip(&nears).zip(&games);
    Ok(rows
        .map(|((setup, near), games)| {
            let near = near.as_ref()?;
            Some(with_setup!(setup, start => row(start, near, games, scope)))
        })
        .collect())
}

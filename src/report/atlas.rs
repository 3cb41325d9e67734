//! The atlas: what is seen of every rule set from its start position.

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

/// Turns from the start to which states are looked at.
pub const DEPTH: u32 = 4;

/// States that are kept of one rule set at most.
pub const MAX_STATES: u64 = 50_000_000;

/// The seed of random games, where no other is named.
pub const SEED: u64 = 36;

/// Games that one thread plays at a time.
const CHUNK: u64 = 50;

/// The random games of an atlas.
#[derive(Clone, Copy, Debug)]
pub struct AtlasScope {
    /// Random games of each rule set.
    pub games: u64,
    /// Plies after which a random game is broken off.
    pub cap_plies: u32,
    /// The seed of the random games: another one plays others.
    pub seed: u64,
}

/// A rule set. Figures of states count each position once, at its shortest distance from the
/// start; those of games are of random ones.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, FieldNamesAsSlice)]
pub struct AtlasRow {
    /// The rule set.
    pub variant: String,
    /// Its start position.
    pub fen: String,
    /// Legal turns there.
    pub turns: u64,
    /// Lines of one turn.
    pub perft_1: u64,
    /// Lines of two turns.
    pub perft_2: u64,
    /// Lines of three turns.
    pub perft_3: u64,
    /// Lines of four turns.
    pub perft_4: u64,
    /// How many turns from the start states were looked for.
    pub depth: u32,
    /// `complete` if all states to that depth were found, or the limit that stopped the search.
    pub complete: String,
    /// States found.
    pub states: u64,
    /// Terminal states.
    pub terminal_states: u64,
    /// Share of terminal states, from 0 to 1.
    pub terminal_share: String,
    /// Terminal states by outcome and reason.
    pub terminals: String,
    /// Random games.
    pub games: u64,
    /// Plies after which one was broken off.
    pub cap_plies: u32,
    /// Games broken off.
    pub capped_games: u64,
    /// Mean length of the games that ended, in plies.
    pub mean_plies: Option<String>,
    /// The longest of them.
    pub max_plies: Option<u32>,
    /// Games that White won, weakly or not.
    pub white_wins: u64,
    /// Games that Black won, weakly or not.
    pub black_wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games, won or drawn, that ended by stalemate.
    pub stalemates: u64,
    /// Share of games with a winner among all games played, from 0 to 1.
    pub decisive_share: String,
    /// Games by outcome and reason.
    pub outcomes: String,
}

impl AtlasRow {
    /// Returns whether all states to the depth were found.
    pub fn complete(&self) -> bool {
        self.complete == "complete"
    }

    /// Returns the row in a line for people.
    pub fn text(&self) -> String {
        let whole = if self.complete() {
            ""
        } else {
            " (NOT complete)"
        };
        // Those broken off have no length: the mean is of the others alone.
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

/// Returns a share of a whole, four places after the point.
fn share(part: u64, whole: u64) -> String {
    format!("{:.4}", part as f64 / whole.max(1) as f64)
}

/// `white-wins checkmate 8; draw stalemate 1`.
fn listed(outcomes: &BTreeMap<Outcome, u64>) -> String {
    let each: Vec<String> = outcomes
        .iter()
        .map(|(outcome, n)| format!("{outcome} {n}"))
        .collect();
    each.join("; ")
}

/// What is seen of the states near the start.
struct Near {
    perft: [u64; DEPTH as usize],
    complete: String,
    states: u64,
    terminals: BTreeMap<Outcome, u64>,
}

/// Returns what is near the start, or `None` if `control` stopped it.
fn near<W: Layout>(start: &Start<W>, control: &Control<'_>) -> Option<Near> {
    let game: &dyn Game<W> = start.game.as_ref();
    let limits = Limits {
        max_states: MAX_STATES,
        max_depth: DEPTH,
        edges: false,
    };
    let found = explore(game, &start.position, &limits, control);
    let mut terminals = found.summary.terminals.clone();
    // States of the last level were found and not expanded.
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

/// Returns a row for each of these rule sets, in their order, or `None` if `control` stopped it. The states of
/// one rule set may take the memory of `control`. Work is divided among the threads of the caller's pool; the
/// rows do not depend on them.
///
/// # Errors
/// If a start position cannot be read.
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
    // The states first: no thread is left with the longest piece of work at the end.
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

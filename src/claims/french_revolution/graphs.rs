//! Whole game graphs of reduced boards.

use super::reduced::Reduced;
use super::{full_turns, named, played, steps_left};
use crate::{Effort, listed};
use board::Color;
use explore::{Limit, Limits, Silent, explore};
use notation::Setup;
use notation::with_setup;
use position::Position;
use rayon::prelude::*;
use rules::{Game, Outcome};
use solve::Layout;
use std::collections::BTreeMap;

/// The graph of a reduced board.
pub(super) struct Graph {
    reduced: Reduced,
    states: u64,
    edges: u64,
    acyclic: bool,
    limit: Option<Limit>,
    longest_plies: usize,
    // Of the longest game: how it ends, steps left and steps lost with captured pawns, by side.
    end: Outcome,
    left: [u32; 2],
    lost: [u32; 2],
    line: String,
}

impl Graph {
    fn reached(&self) -> bool {
        full_turns(self.longest_plies) == self.reduced.bound()
    }

    /// Why the bound is not reached, by the longest game.
    fn why(&self) -> String {
        if self.reached() || self.limit.is_some() {
            return String::new();
        }
        let mut parts = Vec::new();
        for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
            let (left, lost) = (self.left[color.index()], self.lost[color.index()]);
            if lost > 0 {
                parts.push(format!("{name} loses {lost} pawn steps by captures"));
            }
            if left > 0 {
                parts.push(format!("{name} cannot play {left}"));
            }
        }
        format!("{} with `{}`", parts.join(" and "), self.end)
    }

    fn row(&self) -> Vec<String> {
        vec![
            named(self.reduced.options),
            format!("{}x{}", self.reduced.files, self.reduced.ranks),
            self.reduced.fen(),
            self.reduced.steps().to_string(),
            self.reduced.bound().to_string(),
            self.states.to_string(),
            self.edges.to_string(),
            match self.limit {
                None => "complete".to_string(),
                Some(limit) => format!("stopped by {limit}"),
            },
            self.acyclic.to_string(),
            self.longest_plies.to_string(),
            full_turns(self.longest_plies).to_string(),
            match (self.reached(), self.limit) {
                (true, _) => "yes",
                (false, None) => "no",
                (false, Some(_)) => "open",
            }
            .to_string(),
            self.why(),
            self.line.clone(),
        ]
    }
}

pub(super) const GRAPH_COLUMNS: [&str; 14] = [
    "variant",
    "board",
    "fen",
    "steps_per_pawn",
    "bound_turns",
    "states",
    "edges",
    "complete",
    "acyclic",
    "longest_plies",
    "longest_turns",
    "bound_reached",
    "why_not_in_the_longest_game",
    "turns",
];

fn graph_of<W: Layout>(
    reduced: &Reduced,
    game: &dyn Game<W>,
    start: &Position<W>,
    limits: &Limits,
) -> Graph {
    let found = explore(game, start, limits, &Silent);
    let structure = found.structure();
    let path = structure
        .as_ref()
        .and_then(|s| s.longest_path.clone())
        .unwrap_or_default();
    let line = found.turns_along(game, &path);
    let texts = played(game, start, &line);
    let end = texts.1;
    let board = game.board();
    let avalanche = game.variant().has("avalanche");
    let left = Color::BOTH.map(|color| steps_left(board, &end, color));
    let lost = Color::BOTH.map(|color| {
        let mover = if avalanche { !color } else { color };
        let made = (line.len() + usize::from(mover == Color::White)) / 2;
        steps_left(board, start, color)
            .saturating_sub(left[color.index()])
            .saturating_sub(made as u32)
    });
    Graph {
        reduced: reduced.clone(),
        states: found.states.len() as u64,
        edges: found.edges,
        acyclic: structure.is_some_and(|s| s.acyclic),
        limit: found.limit,
        longest_plies: line.len(),
        end: game.outcome(&end),
        left,
        lost,
        line: texts.0,
    }
}

/// Graphs that are made at the same time, whatever the number of threads, so that the memory each
/// may take does not depend on it.
const LANES: usize = 2;

/// The most states of a graph: boards of up to 18 squares are explored whole, larger ones as far
/// as time allows.
fn max_states(board: &Reduced, effort: &Effort) -> u64 {
    match (effort.deep, board.files * board.ranks) {
        (true, _) => 30_000_000,
        (false, ..=18) => 12_000_000,
        (false, _) => 300_000,
    }
}

/// The graphs of these boards, in order; why an array is no legal start.
pub(super) fn graphs(boards: &[Reduced], effort: &Effort) -> Vec<Result<Graph, String>> {
    let graph = |board: &Reduced| {
        let limits = Limits {
            max_states: max_states(board, effort),
            memory_bytes: effort.memory_bytes / LANES as u64,
            stop: effort.stop,
            ..Limits::default()
        };
        let setup = sets::parse(&named(board.options))
            .and_then(|variant| Setup::read(&variant, Some(&board.fen())))
            .map_err(|error| error.why)?;
        Ok(with_setup!(setup, start => {
            graph_of(board, start.game.as_ref(), &start.position, &limits)
        }))
    };
    let mut found: Vec<(usize, Result<Graph, String>)> = (0..LANES)
        .into_par_iter()
        .flat_map_iter(|lane| {
            let own = boards.iter().enumerate().skip(lane).step_by(LANES);
            own.map(|(i, board)| (i, graph(board))).collect::<Vec<_>>()
        })
        .collect();
    found.sort_by_key(|(i, _)| *i);
    found.into_iter().map(|(_, graph)| graph).collect()
}

/// The row of an array that is no legal start, and of others like it.
fn refused_row(reduced: &Reduced, arrays: usize, why: &str) -> Vec<String> {
    let mut row = vec![
        named(reduced.options),
        format!("{}x{}", reduced.files, reduced.ranks),
        reduced.fen(),
        reduced.steps().to_string(),
        reduced.bound().to_string(),
    ];
    row.resize(GRAPH_COLUMNS.len(), String::new());
    row[7] = format!("no legal start ({arrays} arrays)");
    row[12] = why.to_string();
    row
}

/// What graphs of reduced boards say about the bound.
pub(super) struct Measured {
    pub(super) holds: bool,
    pub(super) text: String,
    pub(super) rows: Vec<Vec<String>>,
}

pub(super) fn measured(boards: &[Reduced], found: &[Result<Graph, String>]) -> Measured {
    let graphs: Vec<&Graph> = found.iter().flatten().collect();
    let complete: Vec<&Graph> = graphs
        .iter()
        .copied()
        .filter(|g| g.limit.is_none())
        .collect();
    let within = |g: &Graph| g.acyclic && full_turns(g.longest_plies) <= g.reduced.bound();
    let mut sizes: Vec<(usize, usize)> = complete
        .iter()
        .map(|g| (g.reduced.files, g.reduced.ranks))
        .collect();
    sizes.sort_unstable();
    sizes.dedup();
    let sizes: Vec<String> = sizes.iter().map(|(f, r)| format!("{f}x{r}")).collect();
    let text = format!(
        "game graphs of {} arrays on reduced boards: {} complete ({} states; boards {}), {} \
         stopped by a limit ({} states); {} acyclic with no game above f x steps; the bound \
         reached on {} arrays; {} more arrays are no legal start, the pawns attacking a king",
        graphs.len(),
        complete.len(),
        complete.iter().map(|g| g.states).sum::<u64>(),
        listed(&sizes),
        graphs.len() - complete.len(),
        graphs
            .iter()
            .filter(|g| g.limit.is_some())
            .map(|g| g.states)
            .sum::<u64>(),
        graphs.iter().filter(|g| within(g)).count(),
        graphs.iter().filter(|g| g.reached()).count(),
        found.len() - graphs.len(),
    );
    // One row for all arrays of a board that are no legal start.
    let mut refused: BTreeMap<(usize, usize, String), usize> = BTreeMap::new();
    let key = |board: &Reduced| (board.files, board.ranks, named(board.options));
    for (board, _) in boards.iter().zip(found).filter(|(_, found)| found.is_err()) {
        *refused.entry(key(board)).or_default() += 1;
    }
    let rows = boards
        .iter()
        .zip(found)
        .filter_map(|(board, found)| match found {
            Ok(graph) => Some(graph.row()),
            Err(why) => refused
                .remove(&key(board))
                .map(|n| refused_row(board, n, why)),
        })
        .collect();
    Measured {
        holds: graphs.iter().all(|g| within(g)),
        text,
        rows,
    }
}

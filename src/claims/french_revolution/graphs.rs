//! Whole game graphs of reduced boards.

use super::joint::{MAX_ARRAYS, Share, shares};
use super::reduced::Reduced;
use super::{full_turns, named, played, steps_left};
use crate::{Effort, listed};
use board::Color;
use catalog::Catalog;
use control::Stopped;
use explore::{Exploration, Limits, explore};
use notation::{Setup, Start};
use position::{Narrow, Position};
use rules::{Game, Outcome};
use std::collections::BTreeMap;
use values::Layout;

/// The graph of a reduced board.
pub(super) struct Graph {
    reduced: Reduced,
    states: u64,
    edges: u64,
    acyclic: bool,
    limit: Option<Stopped>,
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
                Some(stopped) => format!("stopped by {}", stopped.limit()),
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

impl Graph {
    /// Returns what a search says of an array.
    fn found<W: Layout>(
        reduced: &Reduced,
        game: &dyn Game<W>,
        start: &Position<W>,
        found: &Exploration,
    ) -> Graph {
        let structure = found.structure();
        let path = structure.as_ref().and_then(|s| s.longest_path.as_deref());
        let longest = found.turns_along(game, path.unwrap_or_default());
        let share = Share {
            states: found.states.len() as u64,
            edges: found.edges,
            longest,
        };
        Graph {
            acyclic: structure.is_some_and(|s| s.acyclic),
            limit: found.limit,
            ..Graph::complete(reduced, game, start, &share)
        }
    }

    /// Returns what a complete graph without a cycle says of an array.
    fn complete<W: Layout>(
        reduced: &Reduced,
        game: &dyn Game<W>,
        start: &Position<W>,
        share: &Share,
    ) -> Graph {
        let line = &share.longest;
        let (text, end) = played(game, start, line);
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
            states: share.states,
            edges: share.edges,
            acyclic: true,
            limit: None,
            longest_plies: line.len(),
            end: game.outcome(&end),
            left,
            lost,
            line: text,
        }
    }
}

/// The maximum number of squares of a board that is explored completely; larger ones are explored within the
/// time limit.
const WHOLE_SQUARES: usize = 18;

/// The most states of a graph that several arrays share.
const MAX_SHARED: u64 = 30_000_000;

/// Returns the most states of the graph of one array.
fn max_states(board: &Reduced, effort: &Effort) -> u64 {
    match (effort.deep, board.squares()) {
        (true, _) => 30_000_000,
        (false, ..=WHOLE_SQUARES) => 12_000_000,
        (false, _) => 300_000,
    }
}

/// Arrays, by their place among all, that may share their graph: those of a small board with the
/// same pieces. On larger boards each array is explored alone.
fn groups(boards: &[Reduced]) -> Vec<Vec<usize>> {
    let alike = |a: &Reduced, b: &Reduced| {
        a.squares() <= WHOLE_SQUARES
            && (a.options, a.files, a.ranks) == (b.options, b.files, b.ranks)
            && a.pieces() == b.pieces()
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (i, board) in boards.iter().enumerate() {
        let known = groups
            .iter_mut()
            .find(|group| group.len() < MAX_ARRAYS && alike(&boards[group[0]], board));
        match known {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
    }
    groups
}

/// Returns the graphs of arrays that may share them, in order, or the reason why an array is not a legal start.
fn graphs_of(boards: &[&Reduced], effort: &Effort) -> Vec<Result<Graph, String>> {
    let limits = |max_states| Limits {
        max_states,
        ..Limits::default()
    };
    let setups: Vec<Result<Setup, String>> = boards
        .iter()
        .map(|board| {
            Catalog::new()
                .open(&named(board.options))
                .and_then(|variant| Setup::read(&variant, Some(&board.fen())))
                .map_err(|error| error.why)
        })
        .collect();
    let starts: Vec<&Start<Narrow>> = setups
        .iter()
        .filter_map(|setup| match setup {
            Ok(Setup::Narrow(start)) => Some(start),
            _ => None,
        })
        .collect();
    let arrays: Vec<Position<Narrow>> = starts.iter().map(|start| start.position).collect();
    // An array that is explored alone has nothing to share.
    let mut known = (boards.len() > 1)
        .then(|| starts.first())
        .flatten()
        .and_then(|start| {
            shares(
                start.game.as_ref(),
                &arrays,
                &limits(MAX_SHARED),
                &effort.control,
            )
        })
        .unwrap_or_default()
        .into_iter();
    let graph = |(board, setup): (&&Reduced, Result<Setup, String>)| {
        let setup = setup?;
        if let Setup::Narrow(start) = &setup
            && let Some(share) = known.next()
        {
            let game = start.game.as_ref();
            return Ok(Graph::complete(board, game, &start.position, &share));
        }
        let limits = limits(max_states(board, effort));
        Ok(with_setup!(setup, start => {
            let (game, start) = (start.game.as_ref(), &start.position);
            Graph::found(board, game, start, &explore(game, start, &limits, &effort.control))
        }))
    };
    boards.iter().zip(setups).map(graph).collect()
}

/// Returns the graphs of these boards, in order, or the reason why an array is not a legal start. One after
/// the other, so that each may take all the memory.
pub(super) fn graphs(boards: &[Reduced], effort: &Effort) -> Vec<Result<Graph, String>> {
    let mut found: Vec<(usize, Result<Graph, String>)> = Vec::new();
    for group in groups(boards) {
        let arrays: Vec<&Reduced> = group.iter().map(|&i| &boards[i]).collect();
        found.extend(group.into_iter().zip(graphs_of(&arrays, effort)));
    }
    found.sort_by_key(|(i, _)| *i);
    found.into_iter().map(|(_, graph)| graph).collect()
}

/// Returns the row of an array that is not a legal start, and of others like it.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::french_revolution::reduced::reduced;
    use crate::french_revolution::{PLAIN, PUSHED};

    #[test]
    fn graphs_made_at_once_say_what_each_would_say_alone() {
        let mut boards = reduced(&PLAIN, 6..=7, 4, 4);
        boards.extend(reduced(&PUSHED, 6..=7, 6, 4));
        boards.extend(reduced(&PLAIN[1..], 6..=6, 6, 4));
        let groups = groups(&boards);
        let (mut compared, mut several) = (0, 0);
        for group in &groups {
            let arrays: Vec<&Reduced> = group.iter().map(|&i| &boards[i]).collect();
            let at_once = graphs_of(&arrays, &Effort::SMALL);
            several += u32::from(at_once.iter().flatten().count() > 1);
            for (array, graph) in arrays.iter().zip(at_once) {
                let alone = graphs_of(&[array], &Effort::SMALL).remove(0);
                match (graph, alone) {
                    (Ok(graph), Ok(alone)) => {
                        assert_eq!(graph.row(), alone.row());
                        compared += 1;
                    }
                    (Err(graph), Err(alone)) => assert_eq!(graph, alone),
                    _ => panic!("{}", array.fen()),
                }
            }
        }
        let mut all = groups.concat();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..boards.len()), "every array once");
        assert!(compared > 30 && several > 5, "{compared} {several}");
    }
}

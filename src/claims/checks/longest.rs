//! The longest line of play in a graph. If the graph has a cycle, lines are endless and the cycle is the
//! witness.

use super::measure::Measured;
use crate::file::{Limits, Ratio};
use crate::scan::{Witness, games, graph};
use control::{Control, Stopped};
use explore::{Exploration, GameGraph, StateId, explore, structure};
use notation::Start;
use position::Layout;

/// Measures the longest line from the position, in plies. Returns `None` if `control` stopped it.
pub fn play<W: Layout>(
    start: &Start<W>,
    depth: Option<u32>,
    limits: &Limits,
    control: &Control<'_>,
) -> Option<Measured> {
    let game = start.game.as_ref();
    let bounds = graph::bounds(depth, limits, true);
    let found = explore(game, &start.position, &bounds, control);
    if found.summary.limit == Some(Stopped::Interrupted) {
        return None;
    }
    let set = graph::words(&found, depth);
    let positions = found.states.len() as u64;
    let Some(edges) = &found.graph else {
        return Some(Measured::open("memory".to_owned(), set));
    };
    // A cycle or a long line that was found also exists in every larger graph.
    let limit = graph::limit(&found, depth, limits);
    let whole = structure(edges);
    if let Some(path) = whole.longest_path {
        let plies = (path.len() - 1) as i128;
        let witness = Some(along(start, &found, &path));
        return Some(match limit {
            Some(limit) => Measured {
                value: Some(Ratio::whole(plies)),
                low: Some(Ratio::whole(plies)),
                witness,
                positions,
                ..Measured::open(limit, set)
            },
            None => Measured {
                set,
                positions,
                witness,
                ..Measured::exact(Ratio::whole(plies))
            },
        });
    }
    let cycle = cycle(edges)?;
    Some(Measured {
        cycle: true,
        exact: true,
        set,
        positions,
        witness: Some(along(start, &found, &cycle)),
        ..Measured::default()
    })
}

/// Returns the turns along a path of states that begins with the root.
fn along<W: Layout>(start: &Start<W>, found: &Exploration, path: &[StateId]) -> Witness {
    let game = start.game.as_ref();
    let line = found.turns_along(game, path);
    games::played(game, &start.position, &line)
}

/// Returns a path from the root whose last state occurs earlier in the path. The depth-first search keeps an
/// explicit stack, since a path can have as many states as the graph.
fn cycle(graph: &GameGraph) -> Option<Vec<StateId>> {
    const NEW: u8 = 0;
    const ON_PATH: u8 = 1;
    const DONE: u8 = 2;
    let mut marks = vec![NEW; graph.states()];
    let mut path: Vec<(StateId, usize)> = vec![(0, 0)];
    if let Some(mark) = marks.first_mut() {
        *mark = ON_PATH;
    }
    while let Some((state, edge)) = path.last_mut() {
        let Some(&to) = graph.successors(*state).get(*edge) else {
            marks[*state as usize] = DONE;
            path.pop();
            continue;
        };
        *edge += 1;
        match marks[to as usize] {
            NEW => {
                marks[to as usize] = ON_PATH;
                path.push((to, 0));
            }
            ON_PATH => {
                let states = path.iter().map(|(state, _)| *state);
                return Some(states.chain([to]).collect());
            }
            _ => {}
        }
    }
    None
}

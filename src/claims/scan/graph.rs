//! The positions that are reachable from the position of the claim, in breadth-first order, so the line to a
//! witness is a shortest one.

use super::games::played;
use super::{Question, Scanned, Tally, Witness, in_pieces};
use control::{Control, Counted, Stopped};
use explore::{Exploration, StateId, explore_levels, line_to};
use language::{Interrupted, Oracle};
use notation::Start;
use position::Layout;
use std::ops::Range;
use values::{GraphOracle, Unsolved, Values, solve_game};

/// The number of states in one piece of work.
const STATES: usize = 2048;

/// Visits the reachable positions, up to a depth if one is given. Returns `None` if `control` stopped it.
pub fn scan<W: Layout>(
    start: &Start<W>,
    question: &Question,
    depth: Option<u32>,
    limits: &crate::file::Limits,
    control: &Control<'_>,
) -> Option<Scanned> {
    let values = question.reads_values();
    let bounds = bounds(depth, limits, values);
    let (mut levels, mut tally, mut interrupted) = (Vec::new(), Tally::default(), false);
    let found = explore_levels(
        start.game.as_ref(),
        &start.position,
        &bounds,
        control,
        &mut |found, level| {
            if !values {
                let own = scan_level(start, question, None, found, &level, levels.len(), control);
                interrupted |= own.is_none();
                tally.add(own.unwrap_or_default());
            }
            levels.push(level);
            tally.first.is_none() && !interrupted
        },
    );
    if interrupted || found.summary.limit == Some(Stopped::Interrupted) {
        return None;
    }
    let mut limit = limit(&found, depth, limits);
    if values && limit.is_none() {
        match solve_game(start.game.as_ref(), &found, control) {
            Err(Unsolved::Stopped(Stopped::Interrupted)) => return None,
            Err(why) => limit = Some(why.to_string()),
            Ok(values) => {
                let solved = Some(&values);
                for (at, level) in levels.iter().enumerate() {
                    tally.add(scan_level(
                        start, question, solved, &found, level, at, control,
                    )?);
                    if tally.first.is_some() {
                        break;
                    }
                }
            }
        }
    }
    let witness = |state: StateId| line_of(start, &found, &levels, state);
    let tally = tally.map(witness);
    Some(Scanned {
        limit: limit.filter(|_| tally.first.is_none()),
        set: match tally.first.is_some() && !values {
            // The scan ended at the decisive position.
            true => format!("the first {} states of the graph", found.states.len()),
            false => words(&found, depth),
        },
        tally,
        games: None,
    })
}

/// Returns the limits of an exploration.
pub fn bounds(depth: Option<u32>, limits: &crate::file::Limits, edges: bool) -> explore::Limits {
    explore::Limits {
        max_states: limits.states,
        max_depth: depth
            .unwrap_or(u32::MAX)
            .min(limits.plies.max(depth.unwrap_or(0))),
        edges,
    }
}

/// Returns the limit that stopped an exploration. A depth that the claim states does not count as a limit,
/// since it defines a smaller set.
pub fn limit(
    found: &Exploration,
    depth: Option<u32>,
    limits: &crate::file::Limits,
) -> Option<String> {
    match found.summary.limit? {
        Stopped::Count(Counted::Depth) if depth.is_some() => None,
        Stopped::Count(Counted::Depth) => Some(format!("plies = {}", limits.plies)),
        Stopped::Count(Counted::States) => Some(format!("states = {}", limits.states)),
        stopped => Some(stopped.limit().to_owned()),
    }
}

/// Describes the graph in words.
pub fn words(found: &Exploration, depth: Option<u32>) -> String {
    let states = found.states.len();
    match (depth, found.summary.limit) {
        (_, None) => format!("the complete graph of {states} states"),
        (Some(depth), Some(Stopped::Count(Counted::Depth))) => {
            format!("the {states} states up to depth {depth}")
        }
        _ => format!("the first {states} states of the graph"),
    }
}

/// Returns a shortest line to a state.
pub fn line_of<W: Layout>(
    start: &Start<W>,
    found: &Exploration,
    levels: &[Range<usize>],
    state: StateId,
) -> Witness {
    let game = start.game.as_ref();
    let line = line_to(game, found, levels, state);
    played(game, &start.position, &line)
}

fn scan_level<W: Layout>(
    start: &Start<W>,
    question: &Question,
    values: Option<&Values>,
    found: &Exploration,
    level: &Range<usize>,
    depth: usize,
    control: &Control<'_>,
) -> Option<Tally<StateId>> {
    let game = start.game.as_ref();
    let oracle = values.map(|values| GraphOracle { found, values });
    let stop = || control.check().is_err();
    let work = |piece: u64, tally: &mut Tally<StateId>| -> Result<(), Interrupted> {
        let from = level.start + piece as usize * STATES;
        for id in from..(from + STATES).min(level.end) {
            let position = found.position::<W>(id as StateId);
            let subject = language::Subject {
                oracle: oracle.as_ref().map(|oracle| oracle as &dyn Oracle<W>),
                depth: depth as u32,
                out_degree: match question.reads_graph {
                    true => game.count(&position) as u32,
                    false => 0,
                },
                stop: Some(&stop),
                ..language::Subject::new(game, &position)
            };
            if question.examine(&subject, tally, &mut || id as StateId)? {
                break;
            }
        }
        Ok(())
    };
    let quiet = control.with_observer(&());
    in_pieces(level.len().div_ceil(STATES) as u64, &quiet, &work)
}

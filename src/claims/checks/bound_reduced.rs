//! Examines a bound on reduced arrays: whether their graphs are acyclic, and their longest games within the
//! bound that follows from their own start positions. These are other positions, often on other boards, so the
//! rows are an illustration. They neither prove nor refute a claim.

use super::bound::ABOUT;
use super::bound_turns::{printed, turns_made, turns_possible};
use super::reduced::reduced_arrays;
use super::shares::measured;
use crate::Evidence;
use crate::file::Bound;
use crate::subject::{Subject, compile};
use control::{Control, Stopped, counted};
use explore::explore;
use language::Expression;
use notation::{Start, with_setup};
use position::Layout;

/// The maximum number of states of a reduced array's graph.
const MAX_REDUCED_STATES: u64 = 100_000;

/// Explores the reduced arrays of a rule set, and adds a row of evidence for each. Returns the results in words.
pub fn reduced(
    check: &Bound,
    subject: &Subject<'_>,
    max_states: u64,
    control: &Control<'_>,
    evidence: &mut Evidence,
) -> String {
    let mut found = Reduced::default();
    let max_states = max_states.min(MAX_REDUCED_STATES);
    for group in reduced_arrays(&subject.variant, &subject.setup) {
        for (text, setup) in group {
            // A smaller board may lack a square that the expression names.
            let measure = &check.measure.value;
            let game = setup.game();
            let Ok(measure) = compile(subject.catalog, measure, &game, ABOUT) else {
                continue;
            };
            let array = with_setup!(&setup, start => {
                explored(start, &measure, max_states, control)
            });
            let Some(array) = array else {
                break;
            };
            found.add(&array, &subject.variant.to_string(), &text, evidence);
            // The next arrays of the group have more states.
            if array.limit.is_some() {
                break;
            }
        }
    }
    match found.arrays {
        0 => "no reduced array can be played".to_owned(),
        arrays => format!(
            "for comparison, {}: {} complete ({} states), longest game within the bound in {}",
            counted(arrays, "reduced array", "reduced arrays"),
            found.complete,
            found.states,
            match found.complete - found.within {
                0 => "all".to_owned(),
                _ => found.within.to_string(),
            }
        ),
    }
}

/// The results of the reduced arrays.
#[derive(Default)]
struct Reduced {
    arrays: usize,
    complete: usize,
    states: u64,
    /// Of the complete arrays, those whose longest game is within the bound.
    within: usize,
}

impl Reduced {
    fn add(&mut self, array: &Explored, variant: &str, fen: &str, evidence: &mut Evidence) {
        self.arrays += 1;
        self.complete += usize::from(array.limit.is_none());
        self.states += array.states;
        let is_within = array.acyclic && array.turns <= array.bound;
        self.within += usize::from(array.limit.is_none() && is_within);
        let comparison = match (array.limit, array.acyclic) {
            (Some(_), _) => "",
            (None, false) => ", with a cycle",
            (None, true) if is_within => ", within the bound",
            (None, true) => ", with a game beyond the bound",
        };
        evidence.row([
            "reduced array, another position".to_owned(),
            variant.to_owned(),
            fen.to_owned(),
            array.values[0].to_string(),
            array.values[1].to_string(),
            array.bound.to_string(),
            match array.limit {
                None => format!(
                    "complete, {} states, {} edges{comparison}",
                    array.states, array.edges
                ),
                Some(stopped) => format!("stopped by {}, {} states", stopped.limit(), array.states),
            },
            match array.limit {
                None => array.plies.to_string(),
                Some(_) => String::new(),
            },
            array.line.clone(),
        ]);
    }
}

/// The graph of a reduced array.
struct Explored {
    values: [i64; 2],
    bound: u64,
    states: u64,
    edges: u64,
    limit: Option<Stopped>,
    acyclic: bool,
    plies: usize,
    turns: u64,
    line: String,
}

fn explored<W: Layout>(
    start: &Start<W>,
    measure: &Expression,
    max_states: u64,
    control: &Control<'_>,
) -> Option<Explored> {
    let (game, p) = (start.game.as_ref(), &start.position);
    let values = measured(game, measure, p).ok()?;
    let limits = explore::Limits {
        max_states,
        ..explore::Limits::default()
    };
    let found = explore(game, p, &limits, control);
    control.check().ok()?;
    let structure = found.structure();
    let path = structure.as_ref().and_then(|s| s.longest_path.clone());
    let line = match found.summary.limit {
        None => found.turns_along(game, &path.unwrap_or_default()),
        Some(_) => Vec::new(),
    };
    Some(Explored {
        values,
        bound: turns_possible(values, p.side).max(),
        states: found.states.len() as u64,
        edges: found.summary.edges,
        limit: found.summary.limit,
        acyclic: structure.is_some_and(|s| s.acyclic),
        plies: line.len(),
        turns: turns_made(line.len()),
        line: printed(game, p, &line).0,
    })
}

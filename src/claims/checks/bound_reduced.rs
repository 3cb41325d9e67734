//! Tests a bound on reduced arrays: their graphs must be acyclic, and their longest games must be within the
//! bound that follows from their own start positions.

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

/// Explores the reduced arrays of a rule set, and adds a row of evidence for each.
pub fn reduced(
    check: &Bound,
    subject: &Subject<'_>,
    max_states: u64,
    control: &Control<'_>,
    evidence: &mut Evidence,
) -> Reduced {
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
    found.text = format!(
        "{}: {} complete ({} states), longest game within the bound in all",
        counted(found.arrays, "reduced array", "reduced arrays"),
        found.complete,
        found.states
    );
    if found.arrays == 0 {
        found.text = "no reduced array can be played".to_owned();
    }
    found
}

/// The results of the reduced arrays.
#[derive(Default)]
pub struct Reduced {
    arrays: usize,
    complete: usize,
    states: u64,
    /// The number of arrays and states, in words.
    pub text: String,
    /// The first array that contradicts the bound.
    pub wrong: Option<String>,
}

impl Reduced {
    fn add(&mut self, array: &Explored, variant: &str, fen: &str, evidence: &mut Evidence) {
        self.arrays += 1;
        self.complete += usize::from(array.limit.is_none());
        self.states += array.states;
        let wrong = match (array.limit, array.acyclic) {
            (Some(_), _) => None,
            (None, false) => Some("has a cycle".to_owned()),
            (None, true) => (array.turns > array.bound).then(|| {
                format!(
                    "has a game of {} turns, but the measure allows {}",
                    array.turns, array.bound
                )
            }),
        };
        if let (None, Some(wrong)) = (&self.wrong, &wrong) {
            self.wrong = Some(format!("the reduced array `{fen}` {wrong}"));
        }
        evidence.row([
            "reduced array".to_owned(),
            variant.to_owned(),
            fen.to_owned(),
            array.values[0].to_string(),
            array.values[1].to_string(),
            array.bound.to_string(),
            match array.limit {
                None => format!("complete, {} states, {} edges", array.states, array.edges),
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

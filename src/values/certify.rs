//! Certification: re-checks the values of a graph with none of the solver's code. For a game, even the stored
//! edges are not used: the rules generate every turn of every state again, and the resulting state is looked
//! up by its key.
//!
//! If each value with its distance is the best that the successors' values allow, all values are correct:
//! * A win in d plies has a turn to a loss in d - 1. A loss in d plies has only turns to wins, of which the
//!   longest takes d - 1. Both lead down to finished games, so no win depends on a cycle.
//! * A draw has a turn to a draw and none to anything better. A side that plays only such turns never loses,
//!   and the other side cannot prevent that.
//! * A weak loss has a turn to a weak win and none to anything better. The two arguments above apply to weak
//!   results as lower and as upper bounds.

use crate::{Unsolved, Value, Values};
use control::{Control, parallel};
use explore::{Exploration, StateError, StateId};
use notation::{fen, turns};
use per_layout::per_layout;
use position::{KEY_WORDS, Layout, Position};
use rules::{Game, with_turns};
use std::sync::atomic::{AtomicU64, Ordering};

/// States checked by a thread at a time.
const CHUNK: u32 = 1 << 14;

/// Maximum number of faults that are reported individually.
const MAX_FAULTS: usize = 10;

/// The result of a certification.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Certificate {
    /// States that were compared with their successors.
    pub states: u64,
    /// Turns that were generated.
    pub turns: u64,
    /// States whose value is wrong.
    pub faulty_states: u64,
    /// The first faults, in the order of state numbers.
    pub faults: Vec<Fault>,
}

impl Certificate {
    /// Returns whether every value is right.
    pub fn holds(&self) -> bool {
        self.faulty_states == 0
    }
}

/// A state whose value is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The state.
    pub state: StateId,
    /// The error.
    pub why: String,
}

/// Returns the error in a value, or `None` if the value is correct. `successors` are the values after each
/// turn, and `end` is the value of a finished game.
pub fn wrong_value(said: Value, end: Option<Value>, successors: &[Value]) -> Option<String> {
    let right = match end {
        Some(end) if successors.is_empty() => end,
        Some(_) => return Some("an ended game has turns".to_string()),
        None => {
            let mut best: Option<Value> = None;
            for after in successors {
                match after.before_turn() {
                    Ok(value) => best = best.max(Some(value)),
                    Err(error) => return Some(error.to_string()),
                }
            }
            match best {
                Some(best) => best,
                None => return Some(StateError::NoTurn.to_string()),
            }
        }
    };
    (said != right).then(|| format!("it is said to be {said}, and is {right}"))
}

/// Checks the value of every state. `look` appends the successors of a state, once for each turn, and returns
/// the state's value if the game has ended, or an error if the state itself is invalid.
///
/// # Errors
/// If `control` stops the check.
#[inline]
pub fn certify(
    values: &Values,
    look: impl Fn(StateId, &mut Vec<StateId>) -> Result<Option<Value>, StateError> + Sync,
    control: &Control<'_>,
) -> Result<Certificate, Unsolved> {
    certify_by(values, &look, control)
}

type Look<'l> = dyn Fn(StateId, &mut Vec<StateId>) -> Result<Option<Value>, StateError> + Sync + 'l;

fn certify_by(
    values: &Values,
    look: &Look,
    control: &Control<'_>,
) -> Result<Certificate, Unsolved> {
    let n = values.len() as u32;
    let done = AtomicU64::new(0);
    let parts: Vec<Certificate> = parallel::try_map(n.div_ceil(CHUNK) as usize, |chunk| {
        control.check()?;
        let mut part = Certificate::default();
        let (mut ids, mut after) = (Vec::new(), Vec::new());
        let first = chunk as u32 * CHUNK;
        for state in first..first.saturating_add(CHUNK).min(n) {
            ids.clear();
            after.clear();
            let why = match look(state, &mut ids) {
                Ok(_) if ids.iter().any(|&to| to >= n) => {
                    Some("a turn leads out of the graph".to_string())
                }
                Ok(end) => {
                    after.extend(ids.iter().map(|&to| values.of(to)));
                    wrong_value(values.of(state), end, &after)
                }
                Err(why) => Some(why.to_string()),
            };
            part.states += 1;
            part.turns += ids.len() as u64;
            if let Some(why) = why {
                part.faulty_states += 1;
                if part.faults.len() < MAX_FAULTS {
                    part.faults.push(Fault { state, why });
                }
            }
        }
        let done = done.fetch_add(part.states, Ordering::Relaxed) + part.states;
        control.report_done("certifying", done, u64::from(n), "states");
        Ok::<_, Unsolved>(part)
    })?;
    let mut whole = Certificate::default();
    for part in parts {
        whole.states += part.states;
        whole.turns += part.turns;
        whole.faulty_states += part.faulty_states;
        whole.faults.extend(part.faults);
    }
    whole.faults.truncate(MAX_FAULTS);
    Ok(whole)
}

/// Checks the value of every state that an exploration found against the rules of its game.
///
/// # Errors
/// If `control` stops the check, or if the numbers of values and of states differ.
#[per_layout]
pub fn certify_game<W: Layout>(
    game: &dyn Game<W>,
    found: &Exploration,
    values: &Values,
    control: &Control<'_>,
) -> Result<Certificate, Unsolved> {
    let words = found.states.words();
    let look = |state: StateId, ids: &mut Vec<StateId>| {
        let p = found.position::<W>(state);
        with_turns(|list| {
            game.turns(&p, list);
            if list.is_empty() {
                let outcome = game.outcome(&p);
                if outcome.is_ongoing() {
                    return Err(StateError::NoTurn);
                }
                return Ok(Some(Value::of_outcome(outcome, p.side)));
            }
            let mut after = Position::empty();
            let mut key = [0; KEY_WORDS];
            for turn in list.iter() {
                game.play_into(&p, turn, &mut after);
                found.codec.encode(&after, &mut key);
                let to = found.states.find(&key[..words]);
                let (Some(to), true) = (to, after.side != p.side) else {
                    let text = turns::print(game, &p, turn);
                    return Err(StateError::LeavesGraph(text));
                };
                ids.push(to);
            }
            Ok(None)
        })
    };
    if values.len() != found.states.len() {
        return Err(Unsolved::Incomplete);
    }
    let mut certificate = certify(values, look, control)?;
    for fault in &mut certificate.faults {
        let p = found.position::<W>(fault.state);
        fault.why = format!("{}: {}", fen::print(game, &p), fault.why);
    }
    Ok(certificate)
}

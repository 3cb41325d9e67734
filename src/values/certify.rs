//! Re-checks values. Nothing of the solver takes part, nor, for a game, the edges that it used:
//! every turn of every state is made again by the rules, and its result is looked up by its key.
//!
//! That each value with its distance is the best of its successors' proves all of them right:
//! * A win in d plies has a turn to a loss in d - 1, a loss in d plies only turns to wins, the
//!   farthest in d - 1: down to ended games, so that no win rests on a cycle.
//! * A draw has a turn to a draw and none to anything better, for either side: a side that keeps to
//!   such turns never loses, and the other cannot avoid them.
//! * A weak loss has a turn to a weak win and none to anything better; the same two arguments
//!   hold for what is at least, and at most, weakly won.

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

/// Faults that are reported one by one.
const MAX_FAULTS: usize = 10;

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Certificate {
    /// States compared with their successors.
    pub states: u64,
    /// Turns to successors.
    pub turns: u64,
    /// States whose value is wrong.
    pub faulty_states: u64,
    /// The first of them, in the order of their numbers.
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
    /// What is wrong.
    pub why: String,
}

/// Returns what is wrong with a value, given the values of the successors, or `end` if the game has ended.
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
/// the state's value if the game has ended; its error says what is wrong with the state.
///
/// # Errors
/// If `control` stops it.
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
/// If `control` stops it, or if there are not as many values as states.
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

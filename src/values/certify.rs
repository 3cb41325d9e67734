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
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};

/// States checked by a thread at a time.
const CHUNK: u32 = 1 << 14;

/// Maximum number of faults that are described individually.
pub const MAX_FAULTS: usize = 10;

/// The value of a position by the rules, collected from the values after its turns. Every certifier compares
/// with this value.
#[derive(Clone, Debug)]
pub struct RightValue(Right);

#[derive(Clone, Debug)]
enum Right {
    NoTurn,
    Ended(Value),
    Best(Value),
    // Boxed, because certifiers hold one for each state of a block.
    Wrong(Box<str>),
}

impl RightValue {
    /// Begins with a position whose turns are not known yet. `end` is the value if the game has ended, or an
    /// error if the position is invalid.
    pub fn new(end: Result<Option<Value>, StateError>) -> RightValue {
        RightValue(match end {
            Ok(None) => Right::NoTurn,
            Ok(Some(end)) => Right::Ended(end),
            Err(error) => Right::Wrong(error.to_string().into()),
        })
    }

    /// Adds a turn. `after` is the opponent's value of the position after it, if that position has a value.
    #[inline]
    pub fn add_turn(&mut self, after: Option<Value>) {
        let wrong = |why: &str| Right::Wrong(why.to_string().into());
        let value = match after.map(Value::before_turn) {
            Some(Ok(value)) => value,
            Some(Err(error)) => return self.0 = wrong(&error.to_string()),
            None => return self.0 = wrong("a turn leads to a position without a value"),
        };
        match &mut self.0 {
            Right::NoTurn => self.0 = Right::Best(value),
            Right::Best(best) => *best = value.max(*best),
            Right::Ended(_) => self.0 = wrong("an ended game has turns"),
            Right::Wrong(_) => {}
        }
    }

    /// Returns the error in the value of the position, or `None` if `said` is right.
    pub fn fault(self, said: Option<Value>) -> Option<String> {
        let right = match self.0 {
            Right::Ended(right) | Right::Best(right) => right,
            Right::NoTurn => return Some(StateError::NoTurn.to_string()),
            Right::Wrong(why) => return Some(why.into()),
        };
        match said {
            Some(said) if said == right => None,
            Some(said) => Some(format!("it is said to be {said}, and is {right}")),
            None => Some("it has no value".to_string()),
        }
    }
}

/// The result of a certification.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Certificate {
    /// States that were compared with their successors.
    pub states: u64,
    /// Turns that were generated.
    pub turns: u64,
    /// States whose value is wrong.
    pub faulty_states: u64,
    /// The first faults, at most [`MAX_FAULTS`]: the FEN of the state and the error.
    pub faults: Vec<String>,
}

impl Certificate {
    /// Returns whether every value is right.
    pub fn holds(&self) -> bool {
        self.faulty_states == 0
    }

    /// Counts a state that was compared with the states after its `turns` turns. `fen` describes a state whose
    /// value is wrong.
    #[inline]
    pub fn count(&mut self, turns: u64, fault: Option<String>, fen: impl FnOnce() -> String) {
        self.states += 1;
        self.turns += turns;
        if let Some(why) = fault {
            self.count_fault(|| format!("{}: {why}", fen()));
        }
    }

    /// Counts a wrong value.
    pub fn count_fault(&mut self, fault: impl FnOnce() -> String) {
        self.faulty_states += 1;
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(fault());
        }
    }

    /// Adds the certificate of other states.
    pub fn add(&mut self, other: Certificate) {
        self.states += other.states;
        self.turns += other.turns;
        self.faulty_states += other.faulty_states;
        self.faults.extend(other.faults);
        self.faults.truncate(MAX_FAULTS);
    }
}

/// Appends the successors of a state, once for each turn, and returns the state's value if the game has ended, or an
/// error if the state itself is invalid.
pub type Look<'l> =
    dyn Fn(StateId, &mut Vec<StateId>) -> Result<Option<Value>, StateError> + Sync + 'l;

/// Checks the value of every state. `look` appends the successors of a state, once for each turn, and returns
/// the state's value if the game has ended, or an error if the state itself is invalid. `fen` describes a state
/// whose value is wrong.
///
/// # Errors
/// If `control` stops the check.
pub fn certify(
    values: &Values,
    look: &Look<'_>,
    fen: &(dyn Fn(StateId) -> String + Sync),
    control: &Control<'_>,
) -> Result<Certificate, Unsolved> {
    let n = values.len() as u32;
    let done = AtomicU64::new(0);
    let parts: Vec<Certificate> = parallel::try_map(n.div_ceil(CHUNK) as usize, |chunk| {
        control.check()?;
        let mut part = Certificate::default();
        let mut successors = Vec::new();
        let first = chunk as u32 * CHUNK;
        for state in first..first.saturating_add(CHUNK).min(n) {
            successors.clear();
            let mut right = RightValue::new(look(state, &mut successors));
            for &to in &successors {
                right.add_turn((to < n).then(|| values.of(to)));
            }
            let fault = right.fault(Some(values.of(state)));
            part.count(successors.len() as u64, fault, || fen(state));
        }
        let done = done.fetch_add(part.states, Ordering::Relaxed) + part.states;
        control.report_done("certifying", done, u64::from(n), "states");
        Ok::<_, Unsolved>(part)
    })?;
    let mut whole = Certificate::default();
    parts.into_iter().for_each(|part| whole.add(part));
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
    let fen = |state: StateId| fen::print(game, &found.position::<W>(state));
    certify(values, &look, &fen, control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_values_and_positions_are_reported() {
        let fault = |end, after: &[Option<Value>], said| {
            let mut right = RightValue::new(end);
            after.iter().for_each(|&after| right.add_turn(after));
            right.fault(said)
        };
        let (win, loss) = (Some(Value::Win(3)), Some(Value::Loss(4)));
        assert_eq!(fault(Ok(None), &[win, Some(Value::Win(1))], loss), None);
        assert_eq!(fault(Ok(Some(Value::Draw)), &[], Some(Value::Draw)), None);
        for (end, after, said, why) in [
            (Ok(None), vec![win, Some(Value::Loss(0))], loss, "is win 1"),
            (Ok(None), vec![win], None, "no value"),
            (Ok(None), vec![None, win], loss, "without a value"),
            (Ok(None), vec![], loss, "no turn"),
            (Ok(Some(Value::Draw)), vec![win], loss, "has turns"),
            (Err(StateError::NoTurn), vec![win], loss, "no turn"),
        ] {
            let fault = fault(end, &after, said).expect(why);
            assert!(fault.contains(why), "{fault}");
        }
    }

    #[test]
    fn some_faults_are_described_and_all_are_counted() {
        let mut whole = Certificate::default();
        for part in 0..3 {
            let mut own = Certificate::default();
            for n in 0..6 {
                own.count(2, Some("wrong".to_string()), || format!("{part}-{n}"));
            }
            whole.add(own);
        }
        assert_eq!(
            (whole.states, whole.turns, whole.faulty_states),
            (18, 36, 18)
        );
        assert_eq!(whole.faults.len(), MAX_FAULTS);
        assert_eq!(whole.faults[9], "1-3: wrong");
    }
}

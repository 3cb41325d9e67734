//! Bounds on the length of every game, proven by a measure: an integer that each turn of a side lowers and no
//! turn of the other side raises.
//!
//! If the measure is a sum over units and the rule set promises independent steps
//! ([`rules::IndependentSteps`]), it is tested on every single step. Otherwise, it is tested on every turn of the
//! reachable graph. The measure of the start position then bounds the number of turns. Only a turn of a game
//! refutes a bound, never a single step or another array.
//!
//! In addition, reduced arrays of the rule set are explored. They are other positions, so they show how the
//! measure fares there and decide nothing.

use super::Checked;
use super::bound_reduced::reduced;
use super::bound_steps::{StepJudge, Wrong};
use super::bound_turns::{contradiction, limit_text, name, printed, turns_made, turns_possible};
use super::long_games::{LongGame, long_game};
use super::shares::{Shares, is_sum_over_units, measured, never_saturates};
use crate::file::{Amendment, Bound};
use crate::single_steps::{SingleSteps, StepVisitor, Unit};
use crate::subject::Subject;
use crate::{Evidence, Finding, Scope, Verdict};
use board::{Color, Square};
use control::{Control, MAX_RANDOM_GAME_PLIES, Random, counted, parallel};
use diagnostics::Diagnostic;
use explore::{Exploration, LevelVisitor, StateId, explore_levels, line_to};
use language::{About, Expression};
use notation::{Setup, Start, fen, turns, with_setup};
use position::{Layout, Position};
use rules::{Game, Turn, with_turns};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};

/// States explored to find a reachable counterexample, after a single step has contradicted the measure.
const MAX_STATES_AFTER_FAULT: u64 = 200_000;
/// States that one thread examines at a time.
const CHUNK: usize = 256;
/// The number of single steps between two checks whether to stop.
const STEPS_PER_CHECK: u64 = 256;
/// The number of random games whose turns are examined.
const GAMES: u64 = 50;
/// The seed of the random games.
const SEED: u64 = 1;

/// Checks that the measure can be evaluated under the rule set.
///
/// # Errors
/// If the measure is not an integer expression, with its place in the file.
pub fn validate(check: &Bound, subject: &Subject<'_>) -> Result<(), Diagnostic> {
    compiled(check, subject, &subject.setup).map(|_| ())
}

/// Verifies a bound.
///
/// # Errors
/// The errors of [`validate`].
pub(super) fn run(
    check: &Bound,
    subject: &Subject<'_>,
    control: &Control<'_>,
) -> Result<Checked, Diagnostic> {
    let measure = compiled(check, subject, &subject.setup)?;
    with_setup!(&subject.setup, start => {
        let bounding = Bounding { check, subject, control, start, measure };
        bounding.run()
    })
}

/// The subject of a measure: a position and a side `mover`.
pub(super) const ABOUT: About = About {
    mover: true,
    ..About::POSITION
};

fn compiled(check: &Bound, subject: &Subject<'_>, setup: &Setup) -> Result<Expression, Diagnostic> {
    subject.integer(&check.measure, &setup.game(), ABOUT)
}

/// A turn that contradicts the measure.
#[derive(Clone)]
struct Fault {
    fen: String,
    turn: String,
    why: String,
    /// The turns from the position of the claim; `None` for a single step.
    line: Option<String>,
}

/// The evidence that the measure decreases as required.
enum Basis {
    /// Every single step obeys the measure.
    Steps {
        turns: u64,
        units: usize,
        targets: FxHashMap<Unit, Vec<Square>>,
        shares: Shares,
    },
    /// Every turn of the complete graph obeys the measure.
    Graph {
        states: u64,
        edges: u64,
        longest: Vec<Turn>,
    },
}

/// The reason why a measure is not proven.
enum Unproven {
    /// A turn that contradicts the measure.
    Fault(Fault),
    /// The limit that was reached.
    Limit(String),
}

/// A bound that is being verified.
struct Bounding<'a, W: Layout> {
    check: &'a Bound,
    subject: &'a Subject<'a>,
    control: &'a Control<'a>,
    start: &'a Start<W>,
    measure: Expression,
}

/// The columns of the evidence.
const COLUMNS: [&str; 9] = [
    "what",
    "variant",
    "fen",
    "measure_white",
    "measure_black",
    "bound_turns",
    "checked",
    "longest_plies",
    "turns",
];

impl<W: Layout> Bounding<'_, W> {
    fn game(&self) -> &dyn Game<W> {
        self.start.game.as_ref()
    }

    fn run(&self) -> Result<Checked, Diagnostic> {
        let position = &self.start.position;
        let Ok(values) = measured(self.game(), &self.measure, position) else {
            return Ok(open("interrupted".to_owned()));
        };
        if let Some(side) = Color::BOTH.into_iter().find(|c| values[c.index()] < 0) {
            let why = format!(
                "the measure of {} is {} in the start position",
                name(side),
                values[side.index()]
            );
            let fault = Fault {
                fen: fen::print(self.game(), position),
                turn: String::new(),
                why,
                line: Some(String::new()),
            };
            return Ok(self.refuted(&fault, values));
        }
        match self.basis() {
            Err(Unproven::Fault(fault)) => Ok(self.refuted(&fault, values)),
            Err(Unproven::Limit(limit)) => Ok(open(limit)),
            Ok(basis) => self.judged(&basis, values),
        }
    }

    fn refuted(&self, fault: &Fault, values: [i64; 2]) -> Checked {
        let mut evidence = Evidence::new(&COLUMNS);
        evidence.row([
            "counterexample".to_owned(),
            self.subject.variant.to_string(),
            fault.fen.clone(),
            values[0].to_string(),
            values[1].to_string(),
            String::new(),
            fault.why.clone(),
            String::new(),
            fault.turn.clone(),
        ]);
        let place = match &fault.line {
            None => format!("in `{}`", fault.fen),
            Some(line) if line.is_empty() => format!("in the start position `{}`", fault.fen),
            Some(line) => format!("after {line} (`{}`)", fault.fen),
        };
        let summary = match fault.turn.is_empty() {
            true => format!("{}, {place}", fault.why),
            false => format!("{} {}, {place}", fault.turn, fault.why),
        };
        let finding = Finding {
            verdict: Verdict::Refuted,
            scope: Scope::Witness,
            summary,
            evidence,
        };
        finding.into()
    }

    /// Proves the measure by single steps if it is a sum over units, otherwise by the complete graph.
    fn basis(&self) -> Result<Basis, Unproven> {
        let text = self.measure.source();
        let additive = language::parse(text)
            .is_ok_and(|tree| is_sum_over_units(&tree) && never_saturates(&tree, text));
        let max_states = self.subject.claim.limits.states;
        if !additive || self.game().facts().binds {
            return self.by_graph(max_states);
        }
        match self.by_steps() {
            Ok(Some(basis)) => match self.by_games() {
                None => Ok(basis),
                Some(fault) => Err(Unproven::Fault(fault)),
            },
            // The shares of the units do not describe every turn.
            Ok(None) => self.by_graph(max_states),
            // Games may never reach this step, so that only a game refutes the claim.
            Err(Unproven::Fault(step)) => {
                match self.by_graph(max_states.min(MAX_STATES_AFTER_FAULT)) {
                    Err(Unproven::Limit(limit)) => Err(match self.by_games() {
                        Some(fault) => Unproven::Fault(fault),
                        None => Unproven::Limit(format!(
                            "the single step {} in `{}` {}, but no game was found that reaches such \
                             a step; {limit}",
                            step.turn, step.fen, step.why
                        )),
                    }),
                    decided => decided,
                }
            }
            Err(limit) => Err(limit),
        }
    }

    /// Proves the measure by all single steps. Returns `None` if the shares of the units do not describe
    /// every step.
    fn by_steps(&self) -> Result<Option<Basis>, Unproven> {
        let game = self.game();
        let interrupted = || Unproven::Limit("interrupted".to_owned());
        let stop = || self.control.check().is_err();
        let start = &self.start.position;
        let Some(steps) = SingleSteps::new(game, start, &stop) else {
            return Ok(None);
        };
        let shares = Shares::new(game, &self.measure, steps.units()).map_err(|_| interrupted())?;
        let values = measured(game, &self.measure, start).map_err(|_| interrupted())?;
        if shares.negative(steps.units()).is_some() || shares.total(start) != Some(values) {
            return Ok(None);
        }
        let judge = StepJudge {
            game,
            measure: &self.measure,
            shares: &shares,
        };
        let found = parallel::map(steps.parts(), |part| {
            let mut examined = Examined::default();
            let visit: &mut StepVisitor<'_, W> = &mut |before, turn, after| {
                examined.turns += 1;
                if examined.turns % STEPS_PER_CHECK == 1 && stop() {
                    return ControlFlow::Break(());
                }
                match judge.examine(before, turn, after, &mut examined.targets) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(wrong) => {
                        examined.wrong = Some(match wrong {
                            Wrong::Measure(why) => Ok(Fault {
                                fen: fen::print(game, before),
                                turn: turns::print(game, before, turn),
                                why,
                                line: None,
                            }),
                            Wrong::Effect => Err(()),
                        });
                        ControlFlow::Break(())
                    }
                }
            };
            let _: ControlFlow<()> = steps.each_of_part(part, visit);
            examined
        });
        self.control.check().map_err(|_| interrupted())?;
        let (mut turns, mut targets) = (0, BTreeSet::new());
        for examined in found {
            match examined.wrong {
                Some(Ok(fault)) => return Err(Unproven::Fault(fault)),
                Some(Err(())) => return Ok(None),
                None => {}
            }
            turns += examined.turns;
            targets.extend(examined.targets);
        }
        let mut by_unit: FxHashMap<Unit, Vec<Square>> = FxHashMap::default();
        for (unit, to) in targets {
            by_unit.entry(unit).or_default().push(to);
        }
        Ok(Some(Basis::Steps {
            turns,
            units: steps.units().len(),
            targets: by_unit,
            shares,
        }))
    }

    /// Returns a turn of a random game that contradicts the measure, if there is one.
    fn by_games(&self) -> Option<Fault> {
        let game = self.game();
        let faults = parallel::map(GAMES as usize, |number| {
            let mut random = Random::numbered(SEED, number as u64);
            let (mut p, mut line) = (self.start.position, Vec::new());
            for _ in 0..MAX_RANDOM_GAME_PLIES {
                let mut list = Vec::new();
                game.turns(&p, &mut list);
                list.sort_unstable();
                if list.is_empty() || self.control.check().is_err() {
                    break;
                }
                let turn = list[random.scaled_below(list.len())];
                let after = game.play(&p, &turn);
                let text = turns::print(game, &p, &turn);
                if let Some(why) = self.contradiction(&p, &after) {
                    return Some(Fault {
                        fen: fen::print(game, &p),
                        turn: text,
                        why,
                        line: Some(line.join(" ")),
                    });
                }
                line.push(text);
                p = after;
            }
            None
        });
        faults.into_iter().flatten().next()
    }

    /// Returns why a turn contradicts the measure, by the values before and after it.
    fn contradiction(&self, before: &Position<W>, after: &Position<W>) -> Option<String> {
        let old = measured(self.game(), &self.measure, before).ok()?;
        let new = measured(self.game(), &self.measure, after).ok()?;
        contradiction(before.side, old, new)
    }

    /// Proves the measure by every turn of the reachable graph.
    fn by_graph(&self, max_states: u64) -> Result<Basis, Unproven> {
        let game = self.game();
        let limits = explore::Limits {
            max_states,
            ..explore::Limits::default()
        };
        let mut levels: Vec<Range<usize>> = Vec::new();
        let mut fault = None;
        let visit: &mut LevelVisitor<'_> = &mut |found, level| {
            levels.push(level.clone());
            fault = self.fault_in(found, level);
            fault.is_none()
        };
        let found = explore_levels(game, &self.start.position, &limits, self.control, visit);
        if let Some((state, turn, why)) = fault {
            let line = line_to(game, &found, &levels, state);
            let p = found.position::<W>(state);
            let fault = Fault {
                fen: fen::print(game, &p),
                turn: turns::print(game, &p, &turn),
                why,
                line: Some(printed(game, &self.start.position, &line).0),
            };
            return Err(Unproven::Fault(fault));
        }
        if let Some(stopped) = found.summary.limit {
            let states = found.states.len();
            return Err(Unproven::Limit(format!(
                "every turn of {} obeys the measure, but the graph is not complete: {}",
                counted(states, "state", "states"),
                limit_text(stopped, max_states)
            )));
        }
        let path = found.structure().and_then(|s| s.longest_path);
        Ok(Basis::Graph {
            states: found.states.len() as u64,
            edges: found.summary.edges,
            longest: found.turns_along(game, &path.unwrap_or_default()),
        })
    }

    /// Returns the first turn of a level that contradicts the measure.
    fn fault_in(
        &self,
        found: &Exploration,
        level: Range<usize>,
    ) -> Option<(StateId, Turn, String)> {
        let game = self.game();
        let chunks = level.len().div_ceil(CHUNK);
        let of_chunk = |chunk: usize| {
            let from = level.start + chunk * CHUNK;
            let mut states = from..(from + CHUNK).min(level.end);
            states.find_map(|state| {
                if self.control.check().is_err() {
                    return None;
                }
                let p = found.position::<W>(state as StateId);
                let old = measured(game, &self.measure, &p).ok()?;
                with_turns(|list| {
                    game.turns(&p, list);
                    list.iter().find_map(|turn| {
                        let after = game.play(&p, turn);
                        let new = measured(game, &self.measure, &after).ok()?;
                        let why = contradiction(p.side, old, new)?;
                        Some((state as StateId, *turn, why))
                    })
                })
            })
        };
        parallel::map(chunks, of_chunk).into_iter().flatten().next()
    }

    /// Compares the proven number of turns with the stated number.
    fn judged(&self, basis: &Basis, values: [i64; 2]) -> Result<Checked, Diagnostic> {
        let first = self.start.position.side;
        let proven = turns_possible(values, first).max();
        let mut evidence = Evidence::new(&COLUMNS);
        let (scope, shown) = match basis {
            Basis::Steps { turns, units, .. } => (
                Scope::Proof,
                format!(
                    "each of {turns} single steps of {} lowers the measure of its side and \
                     raises none",
                    counted(*units, "unit", "units")
                ),
            ),
            Basis::Graph { states, edges, .. } => (
                Scope::Exhaustive,
                format!(
                    "each of {edges} turns of the complete graph of {} lowers the measure of its \
                     side and raises none",
                    counted(*states, "state", "states")
                ),
            ),
        };
        evidence.row([
            "measure".to_owned(),
            self.subject.variant.to_string(),
            fen::print(self.game(), &self.start.position),
            values[0].to_string(),
            values[1].to_string(),
            proven.to_string(),
            shown.clone(),
            String::new(),
            String::new(),
        ]);
        let reduced = reduced(
            self.check,
            self.subject,
            self.subject.claim.limits.states,
            self.control,
            &mut evidence,
        );
        let basis_text = format!(
            "at most {} of each side (measure {} for White and {} for Black): {shown}; {}",
            counted(proven, "turn", "turns"),
            values[0],
            values[1],
            reduced
        );
        let judgment = self.length(basis, proven, values, &mut evidence);
        Ok(Checked {
            finding: Finding {
                verdict: judgment.verdict,
                scope: judgment.scope.unwrap_or(scope),
                summary: match judgment.text.is_empty() {
                    true => basis_text,
                    false => format!("{basis_text}; {}", judgment.text),
                },
                evidence,
            },
            number: judgment.turns.map(|turns| turns as i64),
        })
    }

    /// Judges the stated number of turns. A longer game refutes it. With `tight`, a game of exactly this
    /// length must exist as well.
    fn length(
        &self,
        basis: &Basis,
        proven: u64,
        values: [i64; 2],
        evidence: &mut Evidence,
    ) -> Judgment {
        let wanted = self.check.turns;
        if proven <= wanted && !self.check.tight {
            return Judgment::of(Verdict::Confirmed, String::new(), Some(wanted));
        }
        let (game, start) = (self.game(), &self.start.position);
        // The complete graph contains the longest game.
        let exact = match basis {
            Basis::Graph { longest, .. } => Some(longest.clone()),
            Basis::Steps { .. } => None,
        };
        if proven < wanted {
            let text = format!("no game of {wanted} turns exists");
            let turns = match exact {
                Some(line) => Some(turns_made(line.len())),
                None => self.fitting_turns(proven),
            };
            return Judgment::of(Verdict::Refuted, text, turns);
        }
        // A game longer than stated refutes the claim. If the measure excludes such games, only the existence
        // of a game of the stated length is left to show.
        let is_proven = proven == wanted;
        let searched = if is_proven { wanted } else { wanted + 1 };
        let found = match &exact {
            Some(line) => Some(line.clone()),
            None => self.search(basis, searched, values),
        };
        let mut exact = exact.is_some();
        let mut line = found;
        if !exact
            && line.as_ref().is_none_or(|l| turns_made(l.len()) < searched)
            && let Ok(Basis::Graph { longest, .. }) =
                self.by_graph(self.subject.claim.limits.states)
        {
            exact = true;
            line = Some(longest);
        }
        let line = line.unwrap_or_default();
        let made = turns_made(line.len());
        let (text, end) = printed(game, start, &line);
        evidence.row([
            "longest game found".to_owned(),
            self.subject.variant.to_string(),
            fen::print(game, start),
            values[0].to_string(),
            values[1].to_string(),
            proven.to_string(),
            game.outcome(&end).to_string(),
            line.len().to_string(),
            text,
        ]);
        let plies = counted(line.len(), "ply", "plies");
        let outcome = game.outcome(&end);
        match made >= searched {
            true if is_proven => Judgment::of(
                Verdict::Confirmed,
                format!("a game of {wanted} turns exists: {plies}, then `{outcome}`"),
                Some(wanted),
            ),
            true => {
                let why = format!("a game of {made} turns exists: {plies}, then `{outcome}`");
                let turns = match exact || made == proven {
                    true => Some(made),
                    false => self.fitting_turns(proven),
                };
                Judgment {
                    scope: Some(Scope::Witness),
                    ..Judgment::of(Verdict::Refuted, why, turns)
                }
            }
            false if exact => {
                let why = format!("the longest game has {made} turns ({plies})");
                let is_right = !self.check.tight || made == wanted;
                Judgment {
                    scope: Some(Scope::Exhaustive),
                    ..Judgment::of(
                        Verdict::of(is_right),
                        why,
                        Some(if is_right { wanted } else { made }),
                    )
                }
            }
            false => Judgment::of(
                Verdict::Open,
                format!(
                    "the longest game found has {made} turns ({plies}); whether one of {searched} \
                     exists is open, as the complete graph has more than {} states",
                    self.subject.claim.limits.states
                ),
                None,
            ),
        }
    }

    /// Returns the smallest number of turns that the check can confirm. Returns `None` unless the claim lets
    /// the search correct the printed number.
    fn fitting_turns(&self, proven: u64) -> Option<u64> {
        let amendments = &self.subject.claim.amend;
        if !amendments
            .iter()
            .any(|a| matches!(a, Amendment::Number(..)))
        {
            return None;
        }
        match self.by_graph(self.subject.claim.limits.states) {
            Ok(Basis::Graph { longest, .. }) => Some(turns_made(longest.len())),
            // Without the complete graph, only the number that the measure proves can be confirmed.
            _ => Some(proven),
        }
    }

    /// Searches for a game in which one side makes `turns` turns.
    fn search(&self, basis: &Basis, turns: u64, values: [i64; 2]) -> Option<Vec<Turn>> {
        let Basis::Steps {
            targets, shares, ..
        } = basis
        else {
            return None;
        };
        long_game(&LongGame {
            game: self.game(),
            start: &self.start.position,
            values,
            turns,
            shares,
            targets,
            control: self.control,
        })
    }
}

/// The verdict on the stated number of turns.
struct Judgment {
    verdict: Verdict,
    scope: Option<Scope>,
    text: String,
    turns: Option<u64>,
}

impl Judgment {
    fn of(verdict: Verdict, text: String, turns: Option<u64>) -> Judgment {
        Judgment {
            verdict,
            scope: None,
            text,
            turns,
        }
    }
}

fn open(why: String) -> Checked {
    let finding = Finding {
        verdict: Verdict::Open,
        scope: Scope::Exhaustive,
        summary: why,
        evidence: Evidence::new(&COLUMNS),
    };
    finding.into()
}

/// The result of examining a part of the single steps.
#[derive(Default)]
struct Examined {
    turns: u64,
    /// Each unit with a vacant square that it can reach by a step that lowers a measure.
    targets: BTreeSet<(Unit, Square)>,
    /// A turn that contradicts the measure, or `Err` for a turn whose effect the shares do not describe.
    wrong: Option<Result<Fault, ()>>,
}

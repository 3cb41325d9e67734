//! Forced wins: whether a side can force a win, an end for a named reason, or a turn that satisfies an
//! expression.
//!
//! The complete graph decides if it is small. Otherwise, an endgame table is built for positions with few
//! units, and then proof-number search is tried. Its certificate is checked by the rules alone. Each finding
//! names the method that decided.

use super::bound_turns::{name, printed};
use super::{Checked, search_control, search_positions};
use crate::file::{Force, Limits};
use crate::subject::Subject;
use crate::{Evidence, Finding, Scope, Verdict};
use board::{Color, Squares};
use control::{Control, Stopped, counted};
use diagnostics::Diagnostic;
use explore::{Exploration, GameGraph, StateId, explore};
use language::{About, Subject as Evaluated};
use notation::{Start, fen, turns, with_setup};
use position::{KEY_WORDS, Layout, Position};
use prove::{Goal, Prover, Status};
use rules::{Game, Turn, with_turns};
use tables::{ClassKey, Signature, Tables, build_here};
use values::Value;

/// The maximum number of states of the graph that is tried first.
const SMALL_GRAPH: u64 = 300_000;
/// The maximum number of units of an endgame table that is built for a claim.
const MAX_TABLE_UNITS: usize = 4;
/// The maximum number of positions of a proof search if the claim sets no limit.
const MAX_POSITIONS: u64 = 20_000_000;

/// The result of one method.
enum Answer {
    /// The side can force the goal.
    Forced {
        /// The plies of the line found.
        plies: u32,
        /// Whether it is proven that no shorter line forces the goal.
        shortest: bool,
    },
    /// The other side can avoid the goal in games of any length.
    Avoided,
    /// The side cannot force the goal within the stated plies, but perhaps with more.
    NotWithin,
}

/// An answer and the method that found it.
struct Shown {
    answer: Answer,
    method: String,
    line: Vec<String>,
}

/// Checks a claim against its rule set.
///
/// # Errors
/// If the goal or the side is wrong, at its place in the file.
pub fn validate(check: &Force, subject: &Subject<'_>) -> Result<(), Diagnostic> {
    target(check, subject)?;
    side(check, subject).map(|_| ())
}

/// Verifies a forced win.
///
/// # Errors
/// The errors of [`validate`].
pub(super) fn run(
    check: &Force,
    subject: &Subject<'_>,
    control: &Control<'_>,
) -> Result<Checked, Diagnostic> {
    let (target, by) = (target(check, subject)?, side(check, subject)?);
    Ok(with_setup!(&subject.setup, start => {
        let forcing = Forcing { check, start, target, by, limits: &subject.claim.limits, control };
        forcing.run()
    }))
}

fn target(check: &Force, subject: &Subject<'_>) -> Result<Goal, Diagnostic> {
    let text = &check.goal;
    let error = match Goal::parse(&text.value, &subject.variant.rule_set) {
        Ok(goal) => return Ok(goal),
        Err(error) => error,
    };
    let word = |c: char| c.is_ascii_lowercase() || c == '-';
    let is_word = text.value.chars().all(word);
    let expression = match subject.condition(text, &subject.setup.game(), About::TURN) {
        // A single word that is not an expression is probably a misspelled reason.
        Err(_) if is_word => return Err(subject.file.error_of(text, &error)),
        compiled => compiled?,
    };
    if expression.reads_clocks() {
        let why = "a goal cannot read the clocks, as `fen` does, and `under` with rules that count";
        return Err(subject.file.error(&text.span, why));
    }
    Ok(Goal::expression(expression))
}

fn side(check: &Force, subject: &Subject<'_>) -> Result<Color, Diagnostic> {
    match &check.by {
        None => Ok(subject.setup.side()),
        Some(by) => match by.value.as_str() {
            "white" => Ok(Color::White),
            "black" => Ok(Color::Black),
            other => {
                let error = subject
                    .file
                    .error(&by.span, format!("`{other}` is not a side"));
                Err(error.help("`white` or `black`"))
            }
        },
    }
}

struct Forcing<'a, W: Layout> {
    check: &'a Force,
    start: &'a Start<W>,
    target: Goal,
    by: Color,
    limits: &'a Limits,
    control: &'a Control<'a>,
}

impl<W: Layout + tables::Layout> Forcing<'_, W> {
    fn run(&self) -> Checked {
        let mut tried: Vec<String> = Vec::new();
        let small = SMALL_GRAPH.min(self.limits.states);
        let shown = self
            .ended()
            .or_else(|| self.by_graph(small, &mut tried))
            .or_else(|| self.by_table(&mut tried))
            .or_else(|| self.by_proof(&mut tried))
            .or_else(|| match self.limits.states > small {
                true => self.by_graph(self.limits.states, &mut tried),
                false => None,
            });
        match shown {
            Some(shown) => self.judged(&shown),
            None => Checked::from(Finding {
                verdict: Verdict::Open,
                scope: Scope::Exhaustive,
                summary: format!("{} is open: {}", self.question(), tried.join("; ")),
                evidence: Evidence::new(&COLUMNS),
            }),
        }
    }

    fn game(&self) -> &dyn Game<W> {
        self.start.game.as_ref()
    }

    fn question(&self) -> String {
        let within = match self.check.within {
            Some(plies) => format!(" within {}", counted(plies as usize, "ply", "plies")),
            None => String::new(),
        };
        let (side, goal) = (name(self.by), &self.check.goal.value);
        format!("whether {side} can force `{goal}`{within}")
    }

    fn judged(&self, shown: &Shown) -> Checked {
        let within = self.check.within;
        let (side, goal) = (name(self.by), &self.check.goal.value);
        let in_words = |plies: u32| counted(plies as usize, "ply", "plies");
        let (answer, text) = match shown.answer {
            Answer::Forced { plies, shortest } => {
                let fewer = if shortest { ", no fewer" } else { " or fewer" };
                let plies = in_words(plies);
                (
                    "forced",
                    format!("{side} forces `{goal}` in {plies}{fewer}"),
                )
            }
            Answer::Avoided => ("avoided", format!("{side} cannot force `{goal}`")),
            Answer::NotWithin => {
                let within = in_words(within.unwrap_or(0));
                let text = format!("{side} cannot force `{goal}` within {within}");
                ("not within", text)
            }
        };
        let (plies, shortest) = match shown.answer {
            Answer::Forced { plies, shortest } => (Some(plies), shortest),
            _ => (None, false),
        };
        let forced = plies.is_some_and(|plies| within.is_none_or(|within| plies <= within));
        let number = |number: Option<u32>| number.map_or(String::new(), |n| n.to_string());
        let mut evidence = Evidence::new(&COLUMNS);
        evidence.row([
            fen::print(self.game(), &self.start.position),
            side.to_lowercase(),
            goal.clone(),
            number(within),
            answer.to_owned(),
            number(plies),
            shown.method.clone(),
            shown.line.join(" "),
        ]);
        // A claim that something cannot be forced is about one ply less.
        let right = |plies: u32| i64::from(plies) - i64::from(!self.check.holds);
        Checked {
            finding: Finding {
                verdict: Verdict::of(forced == self.check.holds),
                scope: Scope::Exhaustive,
                summary: format!("{text}: {}", shown.method),
                evidence,
            },
            number: plies.filter(|_| shortest).map(right),
        }
    }

    /// Returns the answer if the game is over.
    fn ended(&self) -> Option<Shown> {
        let outcome = self.game().outcome(&self.start.position);
        if outcome.is_ongoing() {
            return None;
        }
        let reached = self.target.is_reached(outcome, self.by);
        Some(Shown {
            answer: match reached {
                true => Answer::Forced {
                    plies: 0,
                    shortest: true,
                },
                false => Answer::Avoided,
            },
            method: format!("the game is over: `{outcome}`"),
            line: Vec::new(),
        })
    }

    /// Searches the complete graph. Returns `None` if the graph does not decide; `tried` then receives the
    /// reason.
    fn by_graph(&self, max_states: u64, tried: &mut Vec<String>) -> Option<Shown> {
        let limits = explore::Limits {
            max_states,
            ..explore::Limits::default()
        };
        let found = explore(self.game(), &self.start.position, &limits, self.control);
        let Some(graph) = found.graph.as_ref().filter(|_| found.summary.complete()) else {
            tried.retain(|text| !text.starts_with("the graph"));
            tried.push(match found.summary.limit {
                Some(Stopped::Count(_)) | None => {
                    format!("the graph has more than {max_states} states")
                }
                Some(other) => format!("the graph of {max_states} states: {other}"),
            });
            return None;
        };
        let ranks = Ranks::new(self, &found, graph)?;
        let states = counted(found.states.len(), "state", "states");
        let method = format!("complete graph of {states}");
        let (answer, line) = match ranks.of(0) {
            Some(plies) => (
                Answer::Forced {
                    plies,
                    shortest: true,
                },
                self.line(&found, &ranks),
            ),
            None => (Answer::Avoided, Vec::new()),
        };
        Some(Shown {
            answer,
            method,
            line,
        })
    }

    /// Returns a line in which the side forces the target as fast as possible and the other side resists as
    /// long as possible.
    fn line(&self, found: &Exploration, ranks: &Ranks) -> Vec<String> {
        let game = self.game();
        let (mut p, mut line) = (self.start.position, Vec::new());
        let mut state = 0;
        while let Some(rank) = ranks.of(state).filter(|rank| *rank > 0) {
            let mut next = None;
            for (text, turn) in turns::sorted(game, &p) {
                let after = game.play(&p, &turn);
                if rank == 1 && p.side == self.by && self.is_target(&p, &turn, &after) {
                    line.push(text);
                    return line;
                }
                let mut key = [0; KEY_WORDS];
                found.codec.encode(&after, &mut key);
                let to = found.states.find(&key[..found.codec.words()]);
                if let Some(to) = to.filter(|to| ranks.of(*to) == Some(rank - 1)) {
                    next = Some((text, after, to));
                    break;
                }
            }
            let Some((text, after, to)) = next else {
                break;
            };
            line.push(text);
            p = after;
            state = to;
        }
        line
    }

    /// Returns whether a turn was made by the side and satisfies the expression.
    fn is_target(&self, before: &Position<W>, turn: &Turn, after: &Position<W>) -> bool {
        match &self.target {
            Goal::Expression(condition) => {
                let subject = Evaluated {
                    after: Some(after),
                    ..Evaluated::of_turn(self.game(), before, *turn)
                };
                condition.expression().holds(&subject) == Ok(true)
            }
            _ => false,
        }
    }

    /// Looks the position up in an endgame table that is built in memory. Returns `None` if the table does
    /// not decide; `tried` then receives the reason.
    fn by_table(&self, tried: &mut Vec<String>) -> Option<Shown> {
        let p = &self.start.position;
        let plain = p.rights.0 == 0 && p.en_passant().is_none() && p.has_default_state();
        let plain = plain && p.bound_len() == 0;
        let units = p.occupied().len() as usize;
        if self.target != Goal::Win || !plain || units > MAX_TABLE_UNITS {
            return None;
        }
        // The label of a class ends with the side to move, which a signature does not have.
        let label = ClassKey::of(self.game(), p).label(self.game().men());
        let label = label.split('-').next()?;
        let signature = Signature::parse(self.game(), label).ok()?;
        let tables = Tables::new(self.start.game.clone(), None);
        if let Err(failed) = build_here(&tables, &signature, self.control) {
            tried.push(format!(
                "the endgame table {label} cannot be built: {failed}"
            ));
            return None;
        }
        let value = tables.value(p).ok()??;
        let answer = match value {
            Value::Win(plies) if p.side == self.by => Some(plies),
            Value::Loss(plies) if p.side != self.by => Some(plies),
            _ => None,
        };
        let line = tables.line(p).unwrap_or_default();
        let turns: Vec<Turn> = line.iter().map(|step| step.turn).collect();
        let (text, _) = printed(self.game(), p, &turns);
        Some(Shown {
            line: match answer {
                Some(_) => text.split(' ').map(str::to_owned).collect(),
                None => Vec::new(),
            },
            answer: answer.map_or(Answer::Avoided, |plies| Answer::Forced {
                plies: plies.into(),
                shortest: true,
            }),
            method: format!("endgame table {label}"),
        })
    }

    /// Searches for a proof by proof-number search. Returns `None` if the search does not decide; `tried`
    /// then receives the reason.
    fn by_proof(&self, tried: &mut Vec<String>) -> Option<Shown> {
        let max_positions = search_positions(self.limits, MAX_POSITIONS);
        // A longer proof than the search can find is searched for without a limit.
        let within = self
            .check
            .within
            .and_then(|plies| u16::try_from(plies).ok());
        let within = within.filter(|plies| *plies <= prove::MAX_PLIES);
        let limits = prove::Limits {
            positions: Some(max_positions),
            plies: within,
            shortest: false,
            improve: false,
        };
        // On one thread, the result depends only on the position and the limits.
        let control = search_control(self.control);
        let (game, root) = (self.game(), &self.start.position);
        let found = Prover::new(game, root, self.by, &self.target, limits, &control, None).run();
        let certified = match &found.certificate {
            Some(certificate) => match prove::check::check(game, root, certificate) {
                Ok(_) => format!(
                    ", certificate of {} checked",
                    counted(certificate.len(), "position", "positions")
                ),
                Err(error) => {
                    tried.push(format!("the certificate of a proof does not hold: {error}"));
                    return None;
                }
            },
            None => String::new(),
        };
        let positions = counted(found.report.positions as usize, "position", "positions");
        let method = format!("proof search of {positions}{certified}");
        let answer = match found.status {
            // A proof in more plies than stated does not decide, unless there is no shorter one.
            Status::Proven if found.shortest || self.is_within(found.plies) => Answer::Forced {
                plies: found.plies.unwrap_or(0).into(),
                shortest: found.shortest,
            },
            Status::Disproven => Answer::Avoided,
            Status::NoneWithin if within.is_some() => Answer::NotWithin,
            status => {
                let none = counted(usize::from(found.none_within_plies), "ply", "plies");
                tried.push(match (status, found.plies) {
                    (Status::Proven, Some(plies)) => {
                        format!("the proof found takes {plies} plies; no proof within {none}")
                    }
                    _ => format!(
                        "no proof within {none}, after {positions} (limits: {max_positions} \
                         positions, {} plies{})",
                        prove::MAX_PLIES,
                        match found.stopped {
                            Some(Stopped::Memory) => ", the memory",
                            _ => "",
                        }
                    ),
                });
                return None;
            }
        };
        let line = match &found.certificate {
            Some(certificate) if matches!(answer, Answer::Forced { .. }) => {
                self.certified_line(certificate)
            }
            _ => Vec::new(),
        };
        Some(Shown {
            answer,
            method,
            line,
        })
    }

    /// Returns whether a number of plies is within that of the claim.
    fn is_within(&self, plies: Option<u16>) -> bool {
        let within = self.check.within;
        within.is_none_or(|within| plies.is_some_and(|plies| u32::from(plies) <= within))
    }

    /// Returns the line of a certificate in which the other side resists as long as possible.
    fn certified_line(&self, certificate: &prove::Certificate) -> Vec<String> {
        let (game, root) = (self.game(), &self.start.position);
        let mut theirs: Vec<String> = Vec::new();
        loop {
            let Ok(walk) = prove::walk::follow(game, root, certificate, &theirs) else {
                return Vec::new();
            };
            let longest = walk.answers.iter().max_by_key(|(_, _, plies)| *plies);
            match longest {
                Some((turn, ..)) if walk.outcome.is_ongoing() => theirs.push(turn.clone()),
                _ => return walk.line,
            }
        }
    }
}

/// The columns of the evidence.
const COLUMNS: [&str; 8] = [
    "fen",
    "side",
    "goal",
    "within_plies",
    "answer",
    "plies",
    "method",
    "turns",
];

/// For each state of a graph, the plies within which a side forces a target, or [`UNRANKED`].
struct Ranks(Vec<u32>);

/// The rank of a state from which the target is not forced.
const UNRANKED: u32 = u32::MAX;

impl Ranks {
    /// Computes the ranks by retrograde analysis from the target states, ply by ply. Returns `None` if
    /// `control` stops it.
    fn new<W: Layout + tables::Layout>(
        forcing: &Forcing<'_, W>,
        found: &Exploration,
        graph: &GameGraph,
    ) -> Option<Ranks> {
        let states = graph.states();
        let (mut ranks, mut left) = (vec![UNRANKED; states], vec![0u32; states]);
        // Whether the forcing side is to move, by state.
        let mut own = vec![false; states];
        let (mut now, mut next): (Vec<StateId>, Vec<StateId>) = (Vec::new(), Vec::new());
        for state in 0..states as StateId {
            let p = found.position::<W>(state);
            let at = state as usize;
            own[at] = p.side == forcing.by;
            left[at] = graph.successors(state).len() as u32;
            match &forcing.target {
                end if end.is_end() && left[at] == 0 => {
                    let outcome = forcing.game().outcome(&p);
                    if end.is_reached(outcome, forcing.by) {
                        ranks[at] = 0;
                        now.push(state);
                    }
                }
                Goal::Expression(_) if own[at] => {
                    let any = with_turns(|list| {
                        forcing.game().turns(&p, list);
                        list.iter()
                            .any(|turn| forcing.is_target(&p, turn, &forcing.game().play(&p, turn)))
                    });
                    if any {
                        ranks[at] = 1;
                        next.push(state);
                    }
                }
                _ => {}
            }
            if state % 4096 == 0 {
                forcing.control.check().ok()?;
            }
        }
        let mut rank = 0;
        while !now.is_empty() || !next.is_empty() {
            forcing.control.check().ok()?;
            for &state in &now {
                for &before in graph.predecessors(state) {
                    let at = before as usize;
                    if ranks[at] != UNRANKED {
                        continue;
                    }
                    left[at] -= 1;
                    if own[at] || left[at] == 0 {
                        ranks[at] = rank + 1;
                        next.push(before);
                    }
                }
            }
            now.clear();
            std::mem::swap(&mut now, &mut next);
            rank += 1;
        }
        Some(Ranks(ranks))
    }

    /// Returns the plies within which the side forces the target from a state, if it can.
    fn of(&self, state: StateId) -> Option<u32> {
        let rank = self.0[state as usize];
        (rank != UNRANKED).then_some(rank)
    }
}

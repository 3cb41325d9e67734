//! Measures: a number computed over a set of positions, a graph or one position, and compared with stated
//! numbers.
//!
//! A measured number is an interval. It is a single number if the set is complete, the bounds that are known
//! if a limit was reached, and the 95 percent confidence interval for random games.

use super::longest;
use super::property::{interrupted, place};
use crate::file::{
    Limits, Longest, Measure, MeasureKind, Number, Operand, Ratio, Relation, SetKind, Text,
};
use crate::scan::games::Moments;
use crate::scan::{self, Scanned, Wanted, Witness, graph};
use crate::subject::Subject;
use crate::{Evidence, Finding, Scope, Verdict};
use control::{Control, Stopped, parallel};
use diagnostics::Diagnostic;
use explore::explore;
use explore::perft::{self, Divide};
use notation::{turns, with_setup};
use position::Position;
use rules::{Game, Turn};
use values::{Unsolved, solve_game};

/// A measured number.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// The number, or the estimate. `None` if it does not exist, such as the longest win of a graph without
    /// wins.
    pub value: Option<Ratio>,
    /// The lower bound of the number; `None` if unbounded.
    pub low: Option<Ratio>,
    /// The upper bound of the number; `None` if unbounded.
    pub high: Option<Ratio>,
    /// Whether the number is exact.
    pub exact: bool,
    /// Whether the number is an estimate from samples.
    pub sample: bool,
    /// The game value of the position, for the check `value`.
    pub word: Option<&'static str>,
    /// The limit that was reached; `None` if the set is complete.
    pub limit: Option<String>,
    /// The measured set, in words.
    pub set: String,
    /// The number of positions examined.
    pub positions: u64,
    /// For a share, the number of positions in which the condition holds.
    pub hits: Option<u64>,
    /// A position at which the number occurs, if there is one.
    pub witness: Option<Witness>,
    /// The lines counted after each first turn, for `perft`.
    pub divide: Vec<(String, u128)>,
    /// Whether the graph has a cycle, for the longest line.
    pub cycle: bool,
    /// The stated counts of first turns that are wrong, in words.
    pub faults: Vec<String>,
}

impl Measured {
    /// Returns an exact number.
    pub fn exact(value: Ratio) -> Measured {
        Measured {
            value: Some(value),
            low: Some(value),
            high: Some(value),
            exact: true,
            ..Measured::default()
        }
    }

    /// Returns whether there was nothing to measure.
    fn is_nothing(&self) -> bool {
        self.exact && self.value.is_none() && self.word.is_none() && !self.cycle
    }

    /// Returns an unknown number, because a limit was reached.
    pub fn open(limit: String, set: String) -> Measured {
        Measured {
            limit: Some(limit),
            set,
            ..Measured::default()
        }
    }
}

/// Compiles the expressions for the rule set and reads the turns of `divide`.
///
/// # Errors
/// If an expression or a turn is wrong, with its place in the file.
pub fn validate(measure: &Measure, subject: &Subject<'_>) -> Result<(), Diagnostic> {
    match &measure.kind {
        MeasureKind::Perft { divide, .. } => {
            for (turn, _) in divide {
                divide_turn(subject, turn)?;
            }
            Ok(())
        }
        MeasureKind::States | MeasureKind::Value | MeasureKind::Longest(Longest::Play) => Ok(()),
        _ => {
            let longest = longest_text(measure);
            scan::validate(
                &measure.set.kind,
                &wanted(measure, longest.as_ref()),
                subject,
            )
        }
    }
}

/// Returns a first turn of `divide` in coordinate notation.
fn divide_turn(subject: &Subject<'_>, turn: &Text) -> Result<String, Diagnostic> {
    with_setup!(&subject.setup, start => {
        let game = start.game.as_ref();
        let read = turns::read(game, &start.position, &turn.value, 1)
            .map_err(|error| subject.file.error_of(turn, &error))?;
        Ok(turns::print(game, &start.position, &read))
    })
}

/// Verifies the measure.
///
/// # Errors
/// The errors of [`validate`].
pub fn run(
    measure: &Measure,
    subject: &Subject<'_>,
    control: &Control<'_>,
) -> Result<Finding, Diagnostic> {
    let Some(measured) = measured(measure, subject, control)? else {
        return Ok(interrupted());
    };
    let mut comparisons = Vec::new();
    for (relation, operand) in &measure.relations {
        let Some(comparison) = compared(measure, &measured, *relation, operand, subject, control)?
        else {
            return Ok(interrupted());
        };
        comparisons.push(comparison);
    }
    Ok(finding(measure, subject, &measured, &comparisons))
}

/// Measures without comparing. Returns `None` if `control` stopped it.
///
/// # Errors
/// The errors of [`validate`].
pub fn measured(
    measure: &Measure,
    subject: &Subject<'_>,
    control: &Control<'_>,
) -> Result<Option<Measured>, Diagnostic> {
    let limits = &subject.claim.limits;
    match &measure.kind {
        MeasureKind::Perft { depth, divide } => measured_perft(*depth, divide, subject, control),
        MeasureKind::States | MeasureKind::Value => Ok(with_setup!(&subject.setup, start => {
            measured_graph(start, measure, limits, control)
        })),
        MeasureKind::Longest(Longest::Play) => Ok(with_setup!(&subject.setup, start => {
            longest::play(start, depth_of(measure), limits, control)
        })),
        _ => {
            let longest = longest_text(measure);
            let wanted = wanted(measure, longest.as_ref());
            let scanned = scan::scan(&measure.set.kind, &wanted, subject, control)?;
            Ok(scanned.map(|(scanned, ..)| of_scan(measure, scanned)))
        }
    }
}

fn depth_of(measure: &Measure) -> Option<u32> {
    match measure.set.kind {
        SetKind::Graph { depth } => depth,
        _ => None,
    }
}

/// Returns the expression that measures the longest win or loss.
fn longest_text(measure: &Measure) -> Option<Text> {
    let word = match measure.kind {
        MeasureKind::Longest(Longest::Win) => "win",
        MeasureKind::Longest(Longest::Loss) => "loss",
        _ => return None,
    };
    Some(Text {
        value: format!("value == '{word}' ? plies : -1"),
        span: measure.set.at.clone(),
        substituted: true,
    })
}

fn wanted<'m>(measure: &'m Measure, longest: Option<&'m Text>) -> Wanted<'m> {
    let mut wanted = Wanted {
        among: measure.among.as_ref(),
        ..Wanted::default()
    };
    match &measure.kind {
        MeasureKind::Count(text) | MeasureKind::Share(text) => wanted.condition = Some(text),
        MeasureKind::Mean(text)
        | MeasureKind::Min(text)
        | MeasureKind::Max(text)
        | MeasureKind::Sum(text) => wanted.integer = Some(text),
        _ => wanted.integer = longest,
    }
    wanted
}

/// Returns the measured number of a scan.
fn of_scan(measure: &Measure, scanned: Scanned) -> Measured {
    let Scanned {
        tally,
        limit,
        set,
        games,
        ..
    } = scanned;
    let set = match &measure.among {
        Some(among) => format!("{set}, of those with {among}"),
        None => set,
    };
    let positions = tally.positions;
    let (hits, all) = (i128::from(tally.hits), i128::from(positions));
    let mut witness = None;
    let value = match measure.kind {
        MeasureKind::Count(_) => (all > 0).then(|| Ratio::whole(hits)),
        MeasureKind::Share(_) => (all > 0).then(|| Ratio::new(hits, all)),
        MeasureKind::Mean(_) => (all > 0).then(|| Ratio::new(tally.sum, all)),
        MeasureKind::Sum(_) => (all > 0).then(|| Ratio::whole(tally.sum)),
        MeasureKind::Min(_) => tally.min.map(|(number, at)| {
            witness = Some(at);
            Ratio::whole(number.into())
        }),
        _ => tally.max.and_then(|(number, at)| {
            let is_missing = matches!(measure.kind, MeasureKind::Longest(_)) && number < 0;
            witness = (!is_missing).then_some(at);
            (!is_missing).then(|| Ratio::whole(number.into()))
        }),
    };
    let known = value;
    let is_partial = limit.is_some() || games.is_some();
    let (low, high) = match (&measure.kind, &games, is_partial) {
        (_, _, false) => (known, known),
        (MeasureKind::Min(_), ..) => (None, known),
        (MeasureKind::Max(_) | MeasureKind::Longest(_), ..) => (known, None),
        (kind, Some(games), _) => interval(kind, games, value),
        (MeasureKind::Count(_), None, _) => (known, None),
        _ => (None, None),
    };
    Measured {
        value,
        low,
        high,
        exact: !is_partial,
        sample: games.is_some(),
        // Over games, a sample is the whole set that the claim states. It is a limit only if fewer games were
        // played than stated.
        limit,
        set,
        positions,
        hits: matches!(measure.kind, MeasureKind::Share(_)).then_some(tally.hits),
        witness,
        ..Measured::default()
    }
}

/// Returns the 95 percent confidence interval of an estimate. The interval contains the estimate, also where
/// the computation of its bounds has rounded.
fn interval(
    kind: &MeasureKind,
    games: &Moments,
    estimate: Option<Ratio>,
) -> (Option<Ratio>, Option<Ratio>) {
    let (low, high) = match kind {
        MeasureKind::Share(_) => games.share_interval(),
        MeasureKind::Mean(_) => games.mean_interval(),
        _ => games.sum_interval(),
    };
    let bound = |bound: f64, outer: fn(Ratio, Ratio) -> Ratio| {
        let bound = Ratio::of_f64(bound)?;
        Some(estimate.map_or(bound, |estimate| outer(bound, estimate)))
    };
    (bound(low, Ratio::min), bound(high, Ratio::max))
}

/// Measures the number of states of the graph, or the value of the position.
fn measured_graph<W: position::Layout>(
    start: &notation::Start<W>,
    measure: &Measure,
    limits: &Limits,
    control: &Control<'_>,
) -> Option<Measured> {
    let is_value = matches!(measure.kind, MeasureKind::Value);
    let depth = depth_of(measure);
    let bounds = graph::bounds(depth, limits, is_value);
    let game = start.game.as_ref();
    let found = explore(game, &start.position, &bounds, control);
    if found.summary.limit == Some(Stopped::Interrupted) {
        return None;
    }
    let limit = graph::limit(&found, depth, limits);
    let set = graph::words(&found, depth);
    let states = found.states.len() as u64;
    let mut measured = match limit {
        Some(limit) => Measured {
            low: (!is_value).then(|| Ratio::whole(states.into())),
            ..Measured::open(limit, set)
        },
        None if is_value => match solve_game(game, &found, control) {
            Err(Unsolved::Stopped(Stopped::Interrupted)) => return None,
            Err(why) => Measured::open(why.to_string(), set),
            Ok(values) => {
                let value = values.of(0);
                let plies = value.distance_plies().map_or(-1, i128::from);
                Measured {
                    word: Some(value.word()),
                    set,
                    ..Measured::exact(Ratio::whole(plies))
                }
            }
        },
        None => Measured {
            set,
            ..Measured::exact(Ratio::whole(states.into()))
        },
    };
    measured.positions = states;
    Some(measured)
}

fn measured_perft(
    depth: u32,
    divide: &[(Text, u64)],
    subject: &Subject<'_>,
    control: &Control<'_>,
) -> Result<Option<Measured>, Diagnostic> {
    let set = "the position".to_owned();
    let divided = with_setup!(&subject.setup, start => {
        let game = start.game.as_ref();
        // Estimate the next count from the growth of the last two.
        let mut counts = [1u128; 2];
        for shorter in 1..depth {
            let Some(count) = counted_lines(game, &start.position, shorter, control) else {
                return Ok(None);
            };
            counts = [counts[1], count];
            let expected = counts[1].saturating_mul(counts[1]) / counts[0].max(1);
            if expected > u128::from(subject.claim.limits.positions) {
                let limit = format!("positions = {}", subject.claim.limits.positions);
                return Ok(Some(Measured::open(limit, set)));
            }
        }
        match divided_lines(game, &start.position, depth, control) {
            Some(divided) => divided,
            None => return Ok(None),
        }
    });
    let mut faults = Vec::new();
    for (turn, stated) in divide {
        let turn = divide_turn(subject, turn)?;
        let counted = divided.turns.iter().find(|(text, _)| *text == turn);
        let counted = counted.map_or(0, |(_, nodes)| *nodes);
        if counted != u128::from(*stated) {
            faults.push(format!("{turn}: {counted} lines, {stated} stated"));
        }
    }
    let nodes = i128::try_from(divided.nodes).unwrap_or(i128::MAX);
    Ok(Some(Measured {
        set,
        divide: divided.turns,
        faults,
        ..Measured::exact(Ratio::whole(nodes))
    }))
}

/// The depth in turns of a subtree whose lines are counted without checking whether to stop.
const UNCHECKED_TURNS: u32 = 2;

/// Returns the number of lines of `depth` turns, or `None` if `control` stopped it.
fn counted_lines<W: position::Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    depth: u32,
    control: &Control<'_>,
) -> Option<u128> {
    control.check().ok()?;
    if depth <= UNCHECKED_TURNS {
        return Some(u128::from(game.perft(p, depth)));
    }
    let mut turns: Vec<Turn> = Vec::new();
    game.turns(p, &mut turns);
    let of_turn = |turn: &Turn| counted_lines(game, &game.play(p, turn), depth - 1, control);
    parallel::map_all(&turns, of_turn).into_iter().sum()
}

/// Returns the number of lines of `depth` turns after each first turn, or `None` if `control` stopped it.
fn divided_lines<W: position::Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    depth: u32,
    control: &Control<'_>,
) -> Option<Divide> {
    if depth == 0 {
        return Some(perft::divide(game, p, depth));
    }
    let first = turns::sorted(game, p);
    let counts = parallel::map_all(&first, |(_, turn)| {
        counted_lines(game, &game.play(p, turn), depth - 1, control)
    });
    let nodes = counts.iter().copied().sum::<Option<u128>>()?;
    let texts = first.into_iter().map(|(text, _)| text);
    Some(Divide {
        turns: texts.zip(counts.into_iter().flatten()).collect(),
        nodes,
    })
}

/// A comparison with its result.
struct Comparison {
    relation: Relation,
    /// The stated number or word, with the id of the measure that it comes from.
    stated: String,
    /// Whether the comparison holds; `None` if unknown.
    holds: Option<bool>,
    /// The limit that a referenced measure reached.
    limit: Option<String>,
    /// Whether a referenced measure is an estimate.
    sample: bool,
    /// Whether the set of a referenced measure is empty, so that there is no number to compare with.
    nothing: bool,
}

/// Compares the measured number with one operand. Returns `None` if `control` stopped the measuring of a
/// referenced claim.
fn compared(
    measure: &Measure,
    measured: &Measured,
    relation: Relation,
    operand: &Operand,
    subject: &Subject<'_>,
    control: &Control<'_>,
) -> Result<Option<Comparison>, Diagnostic> {
    let comparison = |stated: String, holds| Comparison {
        relation,
        stated,
        holds,
        limit: None,
        sample: false,
        nothing: false,
    };
    Ok(Some(match operand {
        Operand::Word(word) => comparison(
            word.value.clone(),
            measured.word.map(|measured| measured == word.value),
        ),
        Operand::Number(number) => {
            let mut number = number.clone();
            // A share of 1 means all positions, not a share that rounds to 1.
            if matches!(measure.kind, MeasureKind::Share(_)) && number.places == Some(0) {
                number.places = None;
            }
            let holds = holds(measured, relation, &number);
            comparison(number.text, holds)
        }
        Operand::Reference(id) => {
            let Some(references) = subject.references else {
                let why = "measures of the file cannot be referred to here";
                return Err(subject.file.error(&id.span, why));
            };
            let Some(other) = references(&id.value, control)? else {
                return Ok(None);
            };
            let holds = match (other.exact, other.value) {
                (true, Some(value)) => holds(measured, relation, &exact_number(value)),
                _ => holds_between(measured, relation, &other),
            };
            let value = other
                .value
                .map_or("unknown".to_owned(), |value| value.to_string());
            Comparison {
                nothing: other.is_nothing(),
                limit: other.limit,
                sample: other.sample,
                ..comparison(format!("{value} ({id})"), holds)
            }
        }
    }))
}

fn exact_number(value: Ratio) -> Number {
    Number {
        value,
        places: None,
        text: value.to_string(),
    }
}

/// Returns whether a measured number satisfies a relation to a stated number; `None` if unknown.
fn holds(measured: &Measured, relation: Relation, number: &Number) -> Option<bool> {
    if measured.exact {
        let value = measured.value?;
        return Some(match relation {
            Relation::Is => number.is(value),
            Relation::AtLeast => value >= number.value,
            Relation::AtMost => value <= number.value,
        });
    }
    // A number with decimal places represents every number that rounds to it.
    let range = match relation {
        Relation::Is => number.range(),
        Relation::AtLeast | Relation::AtMost => (Some(number.value), Some(number.value)),
    };
    between((measured.low, measured.high), relation, range)
}

fn holds_between(measured: &Measured, relation: Relation, other: &Measured) -> Option<bool> {
    between(
        (measured.low, measured.high),
        relation,
        (other.low, other.high),
    )
}

/// Lower and upper bounds on a number; `None` if there is none.
type Bounds = (Option<Ratio>, Option<Ratio>);

/// Compares two intervals. Returns `None` if they overlap too much to decide.
fn between((low, high): Bounds, relation: Relation, (from, to): Bounds) -> Option<bool> {
    let at_least =
        |a: Option<Ratio>, b: Option<Ratio>| matches!((a, b), (Some(a), Some(b)) if a >= b);
    let above = |a: Option<Ratio>, b: Option<Ratio>| matches!((a, b), (Some(a), Some(b)) if a > b);
    match relation {
        Relation::AtLeast if at_least(low, to) => Some(true),
        Relation::AtLeast if above(from, high) => Some(false),
        Relation::AtMost if at_least(from, high) => Some(true),
        Relation::AtMost if above(low, to) => Some(false),
        Relation::Is if above(from, high) || above(low, to) => Some(false),
        _ => None,
    }
}

fn finding(
    measure: &Measure,
    subject: &Subject<'_>,
    measured: &Measured,
    comparisons: &[Comparison],
) -> Finding {
    let limit = (measured.limit.clone()).or_else(|| {
        comparisons
            .iter()
            .find_map(|comparison| comparison.limit.clone())
    });
    let sample = measured.sample || comparisons.iter().any(|comparison| comparison.sample);
    let is_false = measured.cycle
        || !measured.faults.is_empty()
        || comparisons
            .iter()
            .any(|comparison| comparison.holds == Some(false));
    let all_hold = comparisons
        .iter()
        .all(|comparison| comparison.holds == Some(true));
    let nothing = measured.is_nothing() || comparisons.iter().any(|c| c.nothing);
    let verdict = match () {
        () if is_false => Verdict::Refuted,
        () if nothing => Verdict::Vacuous,
        () if sample && limit.is_some() => Verdict::Open,
        () if sample => Verdict::Consistent,
        () if all_hold => Verdict::Confirmed,
        () => Verdict::Open,
    };
    let scope = match () {
        () if sample => Scope::Sample,
        () if measured.cycle => Scope::Witness,
        () => Scope::Exhaustive,
    };
    Finding {
        verdict,
        scope,
        summary: summary(measure, measured, comparisons, verdict, limit.as_deref()),
        evidence: evidence(measure, subject, measured, comparisons),
    }
}

/// Returns the measured quantity in the words of the file.
fn words(measure: &Measure) -> String {
    match &measure.kind {
        MeasureKind::Count(text) => format!("count of {text}"),
        MeasureKind::Share(text) => format!("share of {text}"),
        MeasureKind::Mean(text) => format!("mean of {text}"),
        MeasureKind::Min(text) => format!("min of {text}"),
        MeasureKind::Max(text) => format!("max of {text}"),
        MeasureKind::Sum(text) => format!("sum of {text}"),
        MeasureKind::Perft { depth, .. } => format!("perft {depth}"),
        MeasureKind::Longest(Longest::Win) => "longest win in plies".to_owned(),
        MeasureKind::Longest(Longest::Loss) => "longest loss in plies".to_owned(),
        MeasureKind::Longest(Longest::Play) => "longest line in plies".to_owned(),
        MeasureKind::States => "states".to_owned(),
        MeasureKind::Value => "value".to_owned(),
    }
}

fn value_text(measured: &Measured) -> String {
    match (measured.word, measured.value) {
        (Some(word), Some(plies)) if plies.numerator >= 0 => format!("{word} in {plies} plies"),
        (Some(word), _) => word.to_owned(),
        (None, Some(value)) if value.denominator != 1 => match measured.hits {
            Some(hits) => format!("{value} ({hits}/{})", measured.positions),
            None => format!("{value} ({}/{})", value.numerator, value.denominator),
        },
        (None, Some(value)) => value.to_string(),
        (None, None) => "none".to_owned(),
    }
}

fn summary(
    measure: &Measure,
    measured: &Measured,
    comparisons: &[Comparison],
    verdict: Verdict,
    limit: Option<&str>,
) -> String {
    let what = words(measure);
    let mut text = match (measured.cycle, limit) {
        (true, _) => format!(
            "{what}: there is no longest line in {}: the graph has a cycle",
            measured.set
        ),
        (false, Some(limit)) if measured.value.is_none() => {
            format!(
                "{what} is not known: limit {limit} reached in {}",
                measured.set
            )
        }
        (false, _) => format!("{what} is {} in {}", value_text(measured), measured.set),
    };
    if let (false, Some(low), Some(high)) = (measured.exact, measured.low, measured.high) {
        text += &format!(
            ", 95 percent interval {} to {}",
            low.decimals(),
            high.decimals()
        );
    }
    if measured.positions > 1 && !measured.exact {
        text += &format!(", {} positions", measured.positions);
    }
    if let (Some(limit), true) = (limit, measured.value.is_some()) {
        text += &format!(", limit {limit} reached");
    }
    if verdict == Verdict::Vacuous {
        text += ": there is nothing to measure";
    }
    for comparison in comparisons {
        let holds = match comparison.holds {
            Some(true) => "holds",
            Some(false) => "does not hold",
            None if verdict == Verdict::Consistent => "is consistent",
            None => "is not decided",
        };
        text += &format!(
            "; `{}` {} {holds}",
            comparison.relation.words(),
            comparison.stated
        );
    }
    for fault in &measured.faults {
        text += &format!("; {fault}");
    }
    match &measured.witness {
        Some(witness) if measured.cycle => text += &format!("; {}", place(witness)),
        Some(witness) => text += &format!("; first at {}", place(witness)),
        None => {}
    }
    text
}

fn evidence(
    measure: &Measure,
    subject: &Subject<'_>,
    measured: &Measured,
    comparisons: &[Comparison],
) -> Evidence {
    let mut evidence = Evidence::new(&[
        "variant",
        "measure",
        "set",
        "positions",
        "turn",
        "value",
        "low",
        "high",
        "relation",
        "stated",
        "holds",
        "root",
        "line",
        "fen",
    ]);
    let number = |number: Option<Ratio>| match (measured.exact, number) {
        (false, Some(number)) => number.decimals(),
        _ => String::new(),
    };
    let witness = measured.witness.clone().unwrap_or_default();
    let mut row = |turn: &str, value: String, relation: &str, stated: &str, holds: &str| {
        evidence.row([
            subject.variant.to_string(),
            words(measure),
            measured.set.clone(),
            measured.positions.to_string(),
            turn.to_owned(),
            value,
            number(measured.low),
            number(measured.high),
            relation.to_owned(),
            stated.to_owned(),
            holds.to_owned(),
            witness.root.clone(),
            witness.line.join(" "),
            match witness.fen.is_empty() {
                true => subject.setup.fen(),
                false => witness.fen.clone(),
            },
        ]);
    };
    let word = |holds: Option<bool>| match holds {
        Some(true) => "true",
        Some(false) => "false",
        None => "unknown",
    };
    for comparison in comparisons {
        let relation = comparison.relation.key();
        row(
            "",
            value_text(measured),
            relation,
            &comparison.stated,
            word(comparison.holds),
        );
    }
    if let MeasureKind::Perft { divide, .. } = &measure.kind {
        for (turn, nodes) in &measured.divide {
            let stated = divide
                .iter()
                .find(|(text, _)| divide_turn(subject, text).is_ok_and(|text| text == *turn));
            let holds = stated.map(|(_, stated)| u128::from(*stated) == *nodes);
            let stated = stated.map_or(String::new(), |(_, stated)| stated.to_string());
            let relation = if stated.is_empty() { "" } else { "is" };
            let holds = holds.map_or("", |holds| word(Some(holds)));
            row(turn, nodes.to_string(), relation, &stated, holds);
        }
    }
    evidence
}

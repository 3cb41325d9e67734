//! Problems: checks the keys, the number of solutions and the soundness of a stipulation.

use super::{search_control, search_positions};
use crate::file::{Limits, Solve};
use crate::subject::Subject;
use crate::{Evidence, Finding, Scope, Verdict};
use control::{Control, Stopped, counted};
use diagnostics::Diagnostic;
use language::About;
use notation::{Start, fen, turns, with_setup};
use position::Layout;
use problems::tree::Want;
use problems::{Goal, Problem, Solution, Stipulation, text};
use rules::with_game;

/// The maximum number of positions of a search if the claim sets no limit.
const MAX_POSITIONS: u64 = 100_000_000;

/// Checks a problem against its rule set.
///
/// # Errors
/// If the stipulation, its goal or a key is wrong, at its place in the file.
pub fn validate(check: &Solve, subject: &Subject<'_>) -> Result<(), Diagnostic> {
    with_setup!(&subject.setup, start => {
        let problem = problem(check, subject, start)?;
        keys(check, subject, &problem).map(|_| ())
    })
}

/// Verifies the statements of a claim about a problem.
///
/// # Errors
/// The errors of [`validate`].
pub fn run(
    check: &Solve,
    subject: &Subject<'_>,
    control: &Control<'_>,
) -> Result<Finding, Diagnostic> {
    with_setup!(&subject.setup, start => {
        let problem = problem(check, subject, start)?;
        let keys = keys(check, subject, &problem)?;
        Ok(solved(check, &problem, keys.as_deref(), &subject.claim.limits, control))
    })
}

/// Returns the problem that a check describes.
fn problem<W: Layout>(
    check: &Solve,
    subject: &Subject<'_>,
    start: &Start<W>,
) -> Result<Problem<W>, Diagnostic> {
    let text = &check.stipulation;
    let game = subject.setup.game();
    let geometry = with_game!(&game, game => game.board().geometry());
    let rule_set = &subject.variant.rule_set;
    // An error in the goal must point to the goal, not to the stipulation.
    let goal = check.goal.as_ref();
    if let Some(goal) = goal {
        let expression = subject.condition(goal, &game, About::TURN)?;
        if expression.reads_clocks() {
            let why =
                "a goal cannot read the clocks, as `fen` does, and `under` with rules that count";
            return Err(subject.file.error(&goal.span, why));
        }
    }
    let condition = || match goal {
        Some(goal) => subject.condition(goal, &game, About::TURN),
        None => {
            let why = format!("`{}` needs a goal", text.value);
            let error = Diagnostic::new("stipulation", why);
            Err(error.help("add `goal = \"...\"`, a condition about the last turn"))
        }
    };
    let stipulation = Stipulation::parse_with(&text.value, rule_set, geometry, &condition)
        .map_err(|error| subject.file.error_of(text, &error))?;
    if let Some(goal) = goal.filter(|_| !matches!(stipulation.goal, Goal::Expression(_))) {
        let why = format!("`{}` has a goal of its own", text.value);
        let error = subject.file.error(&goal.span, why);
        return Err(error.help("`solve = \"goal 2\"` takes the goal from `goal`"));
    }
    Ok(Problem::new(start.clone(), stipulation))
}

/// Returns the stated keys in coordinate notation and byte order.
fn keys<W: Layout>(
    check: &Solve,
    subject: &Subject<'_>,
    problem: &Problem<W>,
) -> Result<Option<Vec<String>>, Diagnostic> {
    let Some(stated) = &check.keys else {
        return Ok(None);
    };
    let (game, p) = (problem.start.game.as_ref(), &problem.start.position);
    let mut keys = Vec::new();
    for key in stated {
        let turn = turns::read(game, p, &key.value, 1)
            .map_err(|error| subject.file.error_of(key, &error))?;
        let text = turns::print(game, p, &turn);
        if keys.contains(&text) {
            let why = format!("the key {text} is listed twice");
            return Err(subject.file.error(&key.span, why));
        }
        keys.push(text);
    }
    keys.sort_unstable();
    Ok(Some(keys))
}

fn solved<W: Layout>(
    check: &Solve,
    problem: &Problem<W>,
    keys: Option<&[String]>,
    limits: &Limits,
    control: &Control<'_>,
) -> Finding {
    let max_positions = search_positions(limits, MAX_POSITIONS);
    let only_count = keys.is_none() && check.sound.is_none();
    let bounds = problems::Limits {
        // One solution more than stated already refutes the claim.
        solutions: check
            .solutions
            .filter(|_| only_count)
            .and_then(|n| usize::try_from(n.saturating_add(1)).ok()),
        positions: Some(max_positions),
    };
    let want = Want {
        firsts: check.solutions.is_none() && check.sound.is_none(),
        ..Want::default()
    };
    // Search on one thread: with several, the number of positions searched until a limit varies.
    let solution = problem.solve_with(&bounds, want, &search_control(control));
    let found = problem.first_turns(&solution);
    let evidence = evidence(problem, &solution, &found, keys);
    let count = solution.count() as u64;
    let complete = solution.stopped.is_none();
    let mut wrong: Vec<String> = Vec::new();
    if let Some(keys) = keys.filter(|_| complete) {
        for (what, all, others) in [
            ("no solution begins with", keys, &found[..]),
            ("further keys:", &found, keys),
        ] {
            let mut only = all.to_vec();
            only.retain(|key| !others.contains(key));
            if !only.is_empty() {
                wrong.push(format!("{what} {}", only.join(", ")));
            }
        }
    }
    let decided = |stated: &u64| *stated < count || complete && *stated != count;
    if let Some(stated) = check.solutions.filter(decided) {
        let more = if complete { "" } else { "at least " };
        let solutions = counted(count as usize, "solution", "solutions");
        wrong.push(format!("{more}{solutions}, not {stated}"));
    }
    let verdict_word = text::verdict(problem, &solution);
    let is_sound = verdict_word == text::Verdict::Sound;
    if complete && check.sound.is_some_and(|stated| stated != is_sound) {
        wrong.push(format!("the problem is {}", verdict_word.word()));
    }
    let start = &problem.start;
    let outcome = start.game.outcome(&start.position);
    let shown = match found.len() {
        0 if !outcome.is_ongoing() => format!("no solution, as the game is over: `{outcome}`"),
        0 => "no solution".to_owned(),
        n => format!(
            "{} ({}): {}",
            counted(count as usize, "solution", "solutions"),
            counted(n, "first turn", "first turns"),
            first_of(&found)
        ),
    };
    let searched = counted(solution.positions as usize, "position", "positions");
    let (verdict, summary) = match (wrong.is_empty(), complete) {
        (false, _) => {
            let so_far = if complete { "" } else { "found so far: " };
            let wrong = wrong.join("; ");
            let summary = format!("{wrong}; {so_far}{shown}; {searched}");
            (Verdict::Refuted, summary)
        }
        (true, true) => {
            let word = verdict_word.word();
            (Verdict::Confirmed, format!("{shown}; {word}; {searched}"))
        }
        (true, false) => {
            let limit = match solution.stopped {
                Some(Stopped::Count(_)) | None => format!("the limit of {max_positions} positions"),
                Some(other) => other.to_string(),
            };
            let limit = format!("the search stopped: {limit}");
            (Verdict::Open, format!("{limit}; found so far: {shown}"))
        }
    };
    Finding {
        verdict,
        scope: Scope::Exhaustive,
        summary: format!("{}: {summary}", problem.stipulation),
        evidence,
    }
}

/// The maximum number of first turns that a summary lists.
const NAMED: usize = 12;

fn first_of(turns: &[String]) -> String {
    let more = turns.len().saturating_sub(NAMED);
    let named = turns[..turns.len().min(NAMED)].join(", ");
    match more {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

fn evidence<W: Layout>(
    problem: &Problem<W>,
    solution: &Solution,
    found: &[String],
    keys: Option<&[String]>,
) -> Evidence {
    let mut evidence = Evidence::new(&["fen", "stipulation", "first_turn", "moves", "stated"]);
    let game = problem.start.game.as_ref();
    let p = &problem.start.position;
    for text in found {
        let key = (solution.keys.iter()).find(|key| turns::print(game, p, &key.turn) == *text);
        evidence.row([
            fen::print(game, p),
            problem.stipulation.to_string(),
            text.clone(),
            key.map_or(String::new(), |key| key.moves.to_string()),
            keys.map_or(String::new(), |keys| keys.contains(text).to_string()),
        ]);
    }
    evidence
}

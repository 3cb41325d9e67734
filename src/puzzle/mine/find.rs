//! Determines whether a position is a puzzle, and ranks puzzles.

use super::conditions::Conditions;
use super::source::{MAX_POSITIONS_TABLED, Source};
use super::special::{Orthodox, ends, orthodox};
use board::{Color, Squares};
use control::Control;
use notation::with_setup;
use notation::{Setup, fen, turns};
use position::{Layout, Position};
use problems::text::{Verdict, long, verdict};
use problems::tree::{Reply, Want};
use problems::{Limits, Problem, Solution};
use rules::Game;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use values::oracle::Oracle;

/// The number of variations or tries beyond which a puzzle does not rank higher.
const MANY: usize = 4;
/// The minimum number of legal turns in the diagram. With fewer, the key is too easy to find.
const MIN_TURNS: u64 = 6;
const TABLE_BYTES: u64 = 32 << 20;

/// The rank of a puzzle; smaller is better. The fields are compared in order: relation to orthodox chess,
/// then content, then economy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Rank {
    /// 1 if the key also solves in orthodox chess, which merely has a shorter solution as well; 2 if orthodox
    /// chess cannot have this position, so there is nothing to compare; otherwise 0.
    akin: u8,
    /// Whether the key captures, gives check or changes a unit.
    loud: bool,
    /// Whether the key has only one answer.
    forced: bool,
    /// The number of different continuations after the key, without duals.
    variations: Reverse<usize>,
    /// The number of tries: first turns that only one answer refutes.
    tries: Reverse<usize>,
    units: u32,
}

/// A puzzle that was found.
pub(super) struct Find {
    pub rank: Rank,
    pub fen: String,
    pub key: String,
    pub source: &'static str,
    pub comment: String,
}

/// Returns the control of one search: one thread and a small table, so the result depends only on the
/// problem.
fn searcher<'a>(control: &Control<'a>) -> Control<'a> {
    control.for_part().with_memory(TABLE_BYTES)
}

/// Returns the limits of a search of at most `positions` positions. It ends once two solutions show that the
/// problem is not sound.
fn limits(positions: u64) -> Limits {
    Limits {
        solutions: Some(2),
        positions: Some(positions),
    }
}

/// Returns the relation of the solution to orthodox chess, if the problem is sound and orthodox chess has a
/// different solution. If `control` stopped the search, the result is meaningless.
pub(super) fn special_solution<W: Layout>(
    problem: &Problem<W>,
    known: Option<&dyn Oracle<W>>,
    most: u64,
    control: &Control<'_>,
) -> Option<Orthodox> {
    let game = problem.start.game.as_ref();
    if game.count(&problem.start.position) < MIN_TURNS {
        return None;
    }
    let want = Want::default();
    let solution = problem.solve_with_oracle(&limits(most), want, known, &searcher(control));
    if verdict(problem, &solution) != Verdict::Sound || solution.stopped.is_some() {
        return None;
    }
    let all = Limits {
        solutions: None,
        positions: None,
    };
    let view = orthodox(problem, &solution, &all, &searcher(control));
    (view != Orthodox::Solves).then_some(view)
}

/// Returns the puzzle with its comment and rank. Returns `None` if the problem is not sound, does not fit the
/// conditions, or `control` stopped the search.
pub(super) fn describe<W: Layout>(
    problem: &Problem<W>,
    view: Orthodox,
    units: u32,
    source: &Source<'_, W>,
    conditions: &Conditions,
    control: &Control<'_>,
) -> Option<Find> {
    let game = problem.start.game.as_ref();
    let p = &problem.start.position;
    let want = Want {
        tree: true,
        tries: true,
        ..Want::default()
    };
    let all = Limits {
        solutions: None,
        ..limits(MAX_POSITIONS_TABLED)
    };
    // Confirm with a search that uses no tables.
    let solution = problem.solve_with(&all, want, &searcher(control));
    if verdict(problem, &solution) != Verdict::Sound || solution.stopped.is_some() {
        return None;
    }
    let text = fen::print(game, p);
    // The printed FEN must be read back as the same position.
    let read = Setup::read(game.variant(), Some(&text)).ok()?;
    if with_setup!(&read, start => fen::print(start.game.as_ref(), &start.position)) != text {
        return None;
    }
    let key = solution.keys.first().map(|key| key.turn);
    let turn = key.or_else(|| solution.lines.firsts().next())?;
    if !conditions.key_fits(game, p, &turn, control) {
        return None;
    }
    let after = game.play(p, &turn);
    let reasons = ends(problem, &solution);
    let mut comment = format!("1.{}", long(&problem.judge(), p, &turn));
    if !reasons.is_empty() {
        comment += &format!("; ends by {}", reasons.join(", "));
    }
    comment += &format!("; {}", view.words());
    let key = turns::print(game, p, &turn);
    Some(Find {
        rank: Rank {
            akin: match view {
                Orthodox::Unreadable => 2,
                Orthodox::Solves | Orthodox::Slow => 1,
                Orthodox::Illegal | Orthodox::Fails => 0,
            },
            loud: !is_quiet(game, p, &after),
            forced: solution
                .tree
                .keys
                .first()
                .is_some_and(|k| k.answers.len() < 2),
            variations: Reverse(variations(&solution).min(MANY)),
            tries: Reverse(solution.tree.tries.len().min(MANY)),
            units,
        },
        fen: text,
        key,
        source: source.words,
        comment,
    })
}

/// Returns the number of different turns that are the only continuation after some defense to the key.
/// Returns 0 in help and series play.
fn variations(solution: &Solution) -> usize {
    let only = |answer: &Reply| match answer.next.as_slice() {
        [turn] => Some(turn.turn.clone()),
        _ => None,
    };
    let key = solution.tree.keys.first();
    let found: BTreeSet<String> = key.map_or_else(BTreeSet::new, |key| {
        key.answers.iter().filter_map(only).collect()
    });
    found.len()
}

/// Returns whether a turn captures nothing, gives no check and changes no unit.
fn is_quiet<W: Layout>(game: &dyn Game<W>, p: &Position<W>, after: &Position<W>) -> bool {
    let same = Color::BOTH.iter().all(|&color| {
        game.men()
            .kinds()
            .all(|kind| p.units(color, kind).len() == after.units(color, kind).len())
    });
    same && !game.in_check(after, after.side)
}

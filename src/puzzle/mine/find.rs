//! Whether a position is a puzzle, and what makes one better than another.

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

/// Variations, or tries, beyond which a puzzle does not rank higher.
const MANY: usize = 4;
/// Turns of the side to move. With fewer, the key is too easy to find.
const MIN_TURNS: u64 = 6;
const TABLE_BYTES: u64 = 32 << 20;

/// The rank of a puzzle; smaller is better. Compares soundness first, then content, then economy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Rank {
    /// Orthodox chess has the key too, and is only faster (1), or has no such position, and so
    /// nothing to compare with (2).
    akin: u8,
    /// The key takes, gives check or changes a unit.
    loud: bool,
    /// There is only one answer to the key.
    forced: bool,
    /// Different continuations after the key, duals left out.
    variations: Reverse<usize>,
    /// First turns that fail to a single answer.
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

/// Returns the control of one search: one thread and a small table, so that its answer depends on nothing else.
fn searcher<'a>(control: &Control<'a>) -> Control<'a> {
    control.for_part().with_memory(TABLE_BYTES)
}

/// Returns the limits of a search of at most this number of positions.
fn limits(positions: u64) -> Limits {
    Limits {
        solutions: Some(2),
        positions: Some(positions),
    }
}

/// Returns how orthodox chess sees the solution, if the problem is sound and it does not have it. What comes
/// out once `stop` is set says nothing.
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
    let solution = problem.solve_knowing(&limits(most), want, known, &searcher(control));
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

/// Returns the find with its comment and rank; none once `stop` is set.
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
    // What is written has to read back as it is.
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

/// Returns the number of different turns that are the only continuation after some defense to the key; 0 in
/// help and series play.
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

/// Returns whether a turn takes nothing, gives no check and changes no unit.
fn is_quiet<W: Layout>(game: &dyn Game<W>, p: &Position<W>, after: &Position<W>) -> bool {
    let same = Color::BOTH.iter().all(|&color| {
        game.men()
            .kinds()
            .all(|kind| p.units(color, kind).len() == after.units(color, kind).len())
    });
    same && !game.in_check(after, after.side)
}

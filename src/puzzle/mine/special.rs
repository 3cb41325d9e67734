//! Checks whether the solution of a problem depends on its rule set: the same position with the same
//! stipulation is solved under the rules of orthodox chess.
//!
//! The criterion is the same for all rule sets: orthodox chess must have another solution. There, the key
//! fails (the goal is not reached, or a defense exists that the rule set does not have), or it is not legal,
//! or a shorter solution exists, which the rule set forbids, or the position cannot be read. A goal that
//! orthodox chess does not have is replaced by checkmate in at most as many moves.

use control::Control;
use notation::with_setup;
use notation::{Setup, fen, turns};
use position::{Layout, Position};
use problems::text::{Verdict, all_coordinates, verdict};
use problems::tree::{Move, Reply, Tree};
use problems::{Deadline, Goal, Judge, Limits, Problem, Solution, Stipulation};
use rules::{Outcome, Reason, Variant, reason};
use std::collections::BTreeSet;
use std::convert::Infallible;

/// How orthodox chess sees the solution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Orthodox {
    /// It solves there, too: nothing special.
    Solves,
    /// The position is none of orthodox chess.
    Unreadable,
    /// The first turn is not legal there.
    Illegal,
    /// The first turn is legal there, but the solution is none.
    Fails,
    /// It solves there, too, but something else does in fewer moves.
    Slow,
}

impl Orthodox {
    /// Returns as a sentence without its end.
    pub fn words(self) -> &'static str {
        match self {
            Orthodox::Solves => "orthodox chess has the same solution",
            Orthodox::Unreadable => "no position of orthodox chess",
            Orthodox::Illegal => "the first turn is not legal in orthodox chess",
            Orthodox::Fails => "it does not solve in orthodox chess",
            Orthodox::Slow => "orthodox chess has a shorter solution",
        }
    }
}

/// Returns the stipulation for orthodox chess.
fn translated(asked: &Stipulation) -> Stipulation {
    let mut there = asked.clone();
    there.goal = match there.goal {
        Goal::Win => Goal::Mate,
        Goal::Reason(reason::STALEMATE) => Goal::Stalemate,
        Goal::Reason(_) => Goal::Mate,
        other => other,
    };
    there
}

/// Puts a solved problem to orthodox chess. What comes out once `stop` is set says nothing.
pub(super) fn orthodox<W: Layout>(
    problem: &Problem<W>,
    solution: &Solution,
    limits: &Limits,
    control: &Control<'_>,
) -> Orthodox {
    let game = problem.start.game.as_ref();
    let p = &problem.start.position;
    let passant = p.en_passant().map_or("-".to_string(), |square| {
        game.board().geometry().name(square)
    });
    let text = format!(
        "{} {} {} {passant} 0 1",
        fen::board_text(game, p),
        p.side.letter(),
        fen::rights_text(game, p)
    );
    let base = Variant::from(&variants::fide::INFO);
    let setup = match game.board().geometry().wraps() {
        true => None,
        false => Setup::read(&base, Some(&text)).ok(),
    };
    let Some(setup) = setup else {
        return Orthodox::Unreadable;
    };
    let keys = problem.first_turns(solution);
    let deadline = &Deadline::new(control);
    let lines = all_coordinates(problem, solution, deadline);
    with_setup!(setup, start => {
        let (there, q) = (start.game.as_ref(), start.position);
        let legal = turns::sorted(there, &q);
        if !keys.iter().any(|key| legal.iter().any(|(text, _)| text == key)) {
            return Orthodox::Illegal;
        }
        let base = Problem::new(start.clone(), translated(&problem.stipulation));
        let solved = base.solve(limits, control);
        let same = if lines.is_empty() {
            base.first_turns(&solved).iter().any(|key| keys.contains(key))
        } else {
            all_coordinates(&base, &solved, deadline).iter().any(|line| lines.contains(line))
        };
        match same {
            true if verdict(&base, &solved) == Verdict::Short => Orthodox::Slow,
            true => Orthodox::Solves,
            false => Orthodox::Fails,
        }
    })
}

/// Returns the reasons for which the game ends in a solution, in byte order.
pub(super) fn ends<W: Layout>(problem: &Problem<W>, solution: &Solution) -> Vec<Reason> {
    let judge = problem.judge();
    let p = &problem.start.position;
    let mut found = BTreeSet::new();
    walk(&judge, p, &solution.tree, &mut found);
    let Ok(()) = solution.lines.each(problem, |line, answers| {
        let Some(last) = line.last() else {
            return Ok::<(), Infallible>(());
        };
        if answers.is_empty() {
            found.extend(judge.game.outcome(&last.after).reason());
        }
        for answer in answers {
            let end = judge.game.play(&last.after, answer);
            found.extend(judge.game.outcome(&end).reason());
        }
        Ok(())
    });
    found.into_iter().collect()
}

fn walk<W: Layout>(
    judge: &Judge<'_, W>,
    p: &Position<W>,
    tree: &Tree,
    found: &mut BTreeSet<Reason>,
) {
    for key in &tree.keys {
        moves(judge, p, key, found);
    }
}

fn after<W: Layout>(judge: &Judge<'_, W>, p: &Position<W>, text: &str) -> Option<Position<W>> {
    let legal = turns::sorted(judge.game, p);
    let (_, turn) = legal.iter().find(|(t, _)| t == text)?;
    Some(judge.game.play(p, turn))
}

fn note<W: Layout>(judge: &Judge<'_, W>, p: &Position<W>, found: &mut BTreeSet<Reason>) {
    let outcome = judge.game.outcome(p);
    if outcome != Outcome::Ongoing {
        found.extend(outcome.reason());
    }
}

fn moves<W: Layout>(
    judge: &Judge<'_, W>,
    p: &Position<W>,
    node: &Move,
    found: &mut BTreeSet<Reason>,
) {
    if let Some(there) = after(judge, p, &node.turn) {
        if node.goal {
            note(judge, &there, found);
        }
        for answer in &node.answers {
            replies(judge, &there, answer, found);
        }
    }
}

fn replies<W: Layout>(
    judge: &Judge<'_, W>,
    p: &Position<W>,
    node: &Reply,
    found: &mut BTreeSet<Reason>,
) {
    if let Some(there) = after(judge, p, &node.turn) {
        if node.goal {
            note(judge, &there, found);
        }
        for next in &node.next {
            moves(judge, &there, next, found);
        }
    }
}

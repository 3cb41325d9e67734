//! Checks whether the solution of a problem depends on its rule set, by solving the same position with the
//! same stipulation under the rules of orthodox chess.
//!
//! The criterion is the same for all rule sets: orthodox chess must have a different solution. There, the key
//! fails (it does not reach the goal, or an additional defense exists), the key is not legal, a shorter
//! solution exists, or the position is not valid. A goal that orthodox chess does not have is replaced by
//! checkmate in the same number of moves.

use control::Control;
use notation::with_setup;
use notation::{Setup, fen, turns};
use position::{Layout, Position};
use problems::text::{Verdict, all_coordinates, verdict};
use problems::tree::{Move, Reply};
use problems::{Deadline, Goal, Limits, Problem, Solution, Stipulation};
use rules::{Game, Reason, Variant, reason};
use std::collections::BTreeSet;
use std::convert::Infallible;

/// The relation of a solution to orthodox chess.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Orthodox {
    /// The solution also solves in orthodox chess, so it is not special.
    Solves,
    /// The position is not a position of orthodox chess.
    Unreadable,
    /// The first turn is not legal in orthodox chess.
    Illegal,
    /// The first turn is legal in orthodox chess, but does not solve.
    Fails,
    /// The solution also solves in orthodox chess, but a shorter solution exists there.
    Slow,
}

impl Orthodox {
    /// Returns the relation in words.
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

/// Returns the corresponding stipulation for orthodox chess.
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

/// Solves a problem under orthodox rules and compares the solutions. If `control` stopped the search, the
/// result is meaningless.
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

/// Returns the reasons for which the game ends in the lines of a solution, in byte order.
pub(super) fn ends<W: Layout>(problem: &Problem<W>, solution: &Solution) -> Vec<Reason> {
    let game = problem.start.game.as_ref();
    let mut ends = Ends {
        game,
        found: BTreeSet::new(),
    };
    for key in &solution.tree.keys {
        ends.add_move(&problem.start.position, key);
    }
    let mut found = ends.found;
    let Ok(()) = solution.lines.each(problem, |line, answers| {
        let Some(last) = line.last() else {
            return Ok::<(), Infallible>(());
        };
        if answers.is_empty() {
            found.extend(game.outcome(&last.after).reason());
        }
        for answer in answers {
            found.extend(game.outcome(&game.play(&last.after, answer)).reason());
        }
        Ok(())
    });
    found.into_iter().collect()
}

/// Collects the reasons for which the game ends in a solution tree.
struct Ends<'a, W: Layout> {
    game: &'a dyn Game<W>,
    found: BTreeSet<Reason>,
}

impl<W: Layout> Ends<'_, W> {
    fn add_move(&mut self, p: &Position<W>, node: &Move) {
        if let Some(there) = self.after(p, &node.turn, node.goal) {
            for answer in &node.answers {
                self.add_reply(&there, answer);
            }
        }
    }

    fn add_reply(&mut self, p: &Position<W>, node: &Reply) {
        if let Some(there) = self.after(p, &node.turn, node.goal) {
            for next in &node.next {
                self.add_move(&there, next);
            }
        }
    }

    /// Returns the position after a turn. If the turn reaches the goal, records the reason for which the game
    /// ends.
    fn after(&mut self, p: &Position<W>, text: &str, goal: bool) -> Option<Position<W>> {
        let legal = turns::sorted(self.game, p);
        let (_, turn) = legal.iter().find(|(t, _)| t == text)?;
        let there = self.game.play(p, turn);
        if goal {
            self.found.extend(self.game.outcome(&there).reason());
        }
        Some(there)
    }
}

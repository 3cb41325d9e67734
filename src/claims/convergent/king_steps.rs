//! What kings can do to each other.

use super::{checkers, start, three_units};
use crate::{Effort, Evidence, Finding};
use board::{Color, Kind, Square, Squares};
use control::parallel;
use notation::{fen, turns};
use position::{Narrow, Position};
use rules::{Game, Outcome, Turn, reason, with_turns};
use std::collections::BTreeMap;

/// Counts of king steps.
#[derive(Clone, Copy, Default)]
struct KingSteps {
    positions: u64,
    steps: u64,
    checks: u64,
    direct: u64,
    entries: u64,
    mates: u64,
}

pub(super) fn king_no_direct(effort: &Effort) -> Finding {
    king_steps(start().game.as_ref(), effort)
}

/// Judges every king step of every position of two kings and one unit.
fn king_steps(game: &dyn Game<Narrow>, effort: &Effort) -> Finding {
    let board = game.board();
    let squares: Vec<Square> = board.squares().iter().collect();
    type StepCounts = (BTreeMap<(Kind, bool), KingSteps>, [Option<String>; 2]);
    let parts: Vec<StepCounts> = parallel::map_all(&squares, |&king| {
        let mut counts: BTreeMap<(Kind, bool), KingSteps> = BTreeMap::new();
        let mut shown = [None, None];
        if effort.stopped() {
            return (counts, shown);
        }
        three_units(game, king, |p, owner, kind, _| {
            for side in Color::BOTH {
                p.side = side;
                if game.in_check(p, !side) {
                    continue;
                }
                let count = counts.entry((kind, owner == side)).or_default();
                count.positions += 1;
                with_turns(|turns| {
                    game.turns(p, turns);
                    for turn in turns.iter().filter(|t| t.first().kind() == Kind::King) {
                        judge(game, p, turn, count, &mut shown);
                    }
                });
            }
        });
        (counts, shown)
    });
    let mut all: BTreeMap<(Kind, bool), KingSteps> = BTreeMap::new();
    let mut shown = [None, None];
    for (counts, witnesses) in parts {
        for (key, c) in counts {
            let sum = all.entry(key).or_default();
            sum.positions += c.positions;
            sum.steps += c.steps;
            sum.checks += c.checks;
            sum.direct += c.direct;
            sum.entries += c.entries;
            sum.mates += c.mates;
        }
        for (known, found) in shown.iter_mut().zip(witnesses) {
            *known = known.take().or(found);
        }
    }
    let mut evidence = Evidence::new(&[
        "third_unit",
        "owned_by",
        "positions",
        "king_steps",
        "king_steps_that_leave_check",
        "kings_attacking_a_king",
        "entries_of_royal_squares",
        "entries_that_mate",
    ]);
    let mut sum = KingSteps::default();
    for ((kind, own), c) in &all {
        evidence.row([
            game.men().letter(Color::White, *kind).to_string(),
            if *own { "mover" } else { "opponent" }.to_string(),
            c.positions.to_string(),
            c.steps.to_string(),
            c.checks.to_string(),
            c.direct.to_string(),
            c.entries.to_string(),
            c.mates.to_string(),
        ]);
        sum.positions += c.positions;
        sum.steps += c.steps;
        sum.direct += c.direct;
        sum.entries += c.entries;
        sum.mates += c.mates;
    }
    let [direct, mate] = shown;
    let summary = format!(
        "all {} positions of two kings and one unit: of {} legal king steps {} attack the enemy \
         king{}; {} enter a royal square and {} of them mate{}",
        sum.positions,
        sum.steps,
        sum.direct,
        direct.map_or(String::new(), |at| format!(" ({at})")),
        sum.entries,
        sum.mates,
        mate.map_or(String::new(), |at| format!(", such as {at}")),
    );
    Finding::exhaustive(sum.direct == 0 && sum.mates > 0, summary, evidence)
}

/// Judges one king step.
fn judge(
    game: &dyn Game<Narrow>,
    p: &Position<Narrow>,
    turn: &Turn,
    count: &mut KingSteps,
    shown: &mut [Option<String>; 2],
) {
    let step = turn.first();
    let after = game.play(p, turn);
    let text = || format!("{} {}", fen::print(game, p), turns::print(game, p, turn));
    let (attacking, entered) = checkers(game, &after, p.side);
    count.steps += 1;
    count.checks += u64::from(game.in_check(&after, !p.side));
    if attacking.has(step.to) {
        count.direct += 1;
        shown[0].get_or_insert_with(text);
    }
    if entered.has(step.to) {
        count.entries += 1;
        if game.outcome(&after) == Outcome::Win(p.side, reason::CHECKMATE) {
            count.mates += 1;
            shown[1].get_or_insert_with(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;
    use crate::convergent::orthodox;

    #[test]
    fn under_orthodox_rules_kings_never_mate() {
        let found = king_steps(orthodox().as_ref(), &Effort::SMALL);
        assert_eq!(found.verdict, Verdict::Refuted, "{}", found.summary);
    }
}

//! Bachelor Chess: every turn that marries, with king and queen against king and one unit.
//!
//! Compiled because of its size: 12 million positions with 31 million marrying turns, and as many
//! pseudo-legal steps that are refused. The check takes 4 seconds on one processor here, but minutes as an
//! expression over placements. The page's file states the same claim for a smaller board.

use crate::{Effort, Evidence, Finding};
use board::{Color, Kind, Squares};
use control::parallel;
use notation::{fen, turns};
use position::{Narrow, Position};
use rules::{Game, Outcome, Turn, with_turns};
use variants::bachelor::MARRIAGE;

/// The position after a marrying turn.
#[derive(Clone, Copy)]
struct After {
    in_check: bool,
    won: bool,
}

/// Counts over the positions with one enemy unit.
#[derive(Clone, Copy, Default)]
struct Married {
    positions: u64,
    in_check: u64,
    turns: u64,
    turns_out_of_check: u64,
    refused: u64,
    faults: u64,
    not_won: u64,
}

impl Married {
    fn add(&mut self, more: &Married) {
        self.positions += more.positions;
        self.in_check += more.in_check;
        self.turns += more.turns;
        self.turns_out_of_check += more.turns_out_of_check;
        self.refused += more.refused;
        self.faults += more.faults;
        self.not_won += more.not_won;
    }
}

/// Checks the claim on the game's own board.
pub(super) fn check(effort: &Effort) -> Finding {
    marriages(super::start("bachelor").game.as_ref(), effort)
}

/// Checks all marrying turns with K and Q against a king and one further unit.
pub fn marriages(game: &dyn Game<Narrow>, effort: &Effort) -> Finding {
    let board = game.board();
    let mut evidence = Evidence::new(&[
        "side",
        "enemy_unit",
        "positions",
        "positions_in_check",
        "marrying_turns",
        "marrying_turns_out_of_check",
        "marrying_steps_refused",
        "marrying_turns_in_check",
        "marrying_turns_that_do_not_win",
        "counterexample",
    ]);
    let (mut sum, mut counterexample) = (Married::default(), None);
    for us in Color::BOTH {
        for enemy in [
            Kind::Pawn,
            Kind::Knight,
            Kind::Bishop,
            Kind::Rook,
            Kind::Queen,
        ] {
            let kings: Vec<_> = board.squares().iter().collect();
            let parts: Vec<(Married, Option<String>)> = parallel::map_all(&kings, |&king| {
                if effort.stopped() {
                    return (Married::default(), None);
                }
                marriages_with(game, us, enemy, king)
            });
            let mut counts = Married::default();
            parts.iter().for_each(|(part, _)| counts.add(part));
            let fault = parts.into_iter().find_map(|(_, fault)| fault);
            evidence.row([
                us.letter().to_string(),
                game.men().letter(!us, enemy).to_string(),
                counts.positions.to_string(),
                counts.in_check.to_string(),
                counts.turns.to_string(),
                counts.turns_out_of_check.to_string(),
                counts.refused.to_string(),
                counts.faults.to_string(),
                counts.not_won.to_string(),
                fault.clone().unwrap_or_default(),
            ]);
            sum.add(&counts);
            counterexample = counterexample.or(fault);
        }
    }
    let summary = format!(
        "all {} positions of K and Q against K and one unit, both sides to move first: {} legal \
         turns marry, {} of them out of check; {} leave the king in check and {} do not win{}; {} \
         marrying steps that would are refused",
        sum.positions,
        sum.turns,
        sum.turns_out_of_check,
        sum.faults,
        sum.not_won,
        counterexample.map_or(String::new(), |c| format!(" ({c})")),
        sum.refused
    );
    let holds = sum.faults == 0 && sum.not_won == 0 && sum.turns > 0;
    Finding::exhaustive(holds, summary, evidence)
}

/// Counts the positions in which the king of `us`, the side to move, is on one square.
fn marriages_with(
    game: &dyn Game<Narrow>,
    us: Color,
    enemy: Kind,
    king: board::Square,
) -> (Married, Option<String>) {
    let board = game.board();
    let (mut counts, mut fault) = (Married::default(), None);
    let mut judged: Vec<(Turn, After)> = Vec::new();
    let free = board.squares().without(king);
    let geometry = board.geometry();
    let next_to = |here: board::Square| {
        let near = |a: u8, b: u8| a.abs_diff(b) <= 1;
        let squares = board.squares().without(here).iter();
        let squares = squares.filter(|&from| {
            near(geometry.file(from), geometry.file(here))
                && near(geometry.rank(from), geometry.rank(here))
        });
        squares.fold(u64::EMPTY, |set, from| set.with(from))
    };
    let next_to_king = next_to(king);
    let mut p = Position::<Narrow>::empty();
    p.side = us;
    p.put(us, Kind::King, king);
    let no_pawns = match enemy {
        Kind::Pawn => game.no_pawns(!us),
        _ => 0,
    };
    for queen in free.iter() {
        let mut p = p;
        p.put(us, Kind::Queen, queen);
        let next_to_queen = next_to(queen);
        for their_king in (free.without(queen) & !board.neighbors(king)).iter() {
            let mut p = p;
            p.put(!us, Kind::King, their_king);
            for square in (free.without(queen).without(their_king) & !no_pawns).iter() {
                let mut p = p;
                p.put(!us, enemy, square);
                if game.settled(&p).is_some() || game.in_check(&p, !us) {
                    continue;
                }
                counts.positions += 1;
                let checked = game.in_check(&p, us);
                counts.in_check += u64::from(checked);
                let marries = |turn: &Turn| {
                    let step = turn.first();
                    match step.result() {
                        Kind::King => next_to_queen.has(step.to),
                        Kind::Queen => next_to_king.has(step.to),
                        _ => false,
                    }
                };
                let judge = |turn: &Turn| {
                    let after = game.play(&p, turn);
                    After {
                        in_check: game.in_check(&after, us),
                        won: game.settled(&after) == Some(Outcome::Win(us, MARRIAGE)),
                    }
                };
                // Most pseudo-legal steps are legal, so each is played once and looked up for the list of
                // legal turns.
                judged.clear();
                with_turns(|list| {
                    game.pseudo_turns(&p, list);
                    let steps = list.iter().filter(|turn| marries(turn));
                    judged.extend(steps.map(|turn| (*turn, judge(turn))));
                });
                counts.refused += judged.iter().filter(|(_, after)| after.in_check).count() as u64;
                with_turns(|list| {
                    game.turns(&p, list);
                    for turn in list.iter().filter(|turn| marries(turn)) {
                        let known = judged.iter().find(|(judged, _)| judged == turn);
                        let after = known.map_or_else(|| judge(turn), |(_, after)| *after);
                        counts.turns += 1;
                        counts.faults += u64::from(after.in_check);
                        counts.not_won += u64::from(!after.won);
                        if after.in_check || !after.won {
                            fault.get_or_insert_with(|| {
                                let turn = turns::print(game, &p, turn);
                                format!("{} {turn}", fen::print(game, &p))
                            });
                        } else {
                            counts.turns_out_of_check += u64::from(checked);
                        }
                    }
                });
            }
        }
    }
    (counts, fault)
}

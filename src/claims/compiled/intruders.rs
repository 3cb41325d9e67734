//! Convergent Chess: every position of up to four units with an intruder on a royal square is mate or has a
//! turn that captures the intruder.
//!
//! Compiled because of its size: the 15 million positions take 1.5 seconds on one processor here, but minutes
//! as an expression over placements. The page's file states the same claim for random games.

use super::start;
use crate::{Effort, Evidence, Finding};
use board::{Color, Kind, Square, Squares};
use control::parallel;
use notation::fen;
use position::{Narrow, Position};
use rules::{Game, Outcome, reason, with_turns};
use std::collections::BTreeMap;
use variants::convergent::royal_squares;

/// Counts of positions with an intruder.
#[derive(Clone, Copy, Default)]
struct Intrusions {
    positions: u64,
    // Positions in which no unit of the side to move attacks an intruder.
    unattacked: u64,
    // Positions in which a legal turn captures an intruder.
    capturable: u64,
    // Mates in which no legal turn captures an intruder.
    mates: u64,
    // Other positions in which no legal turn captures an intruder: the counterexamples.
    survived: u64,
}

impl Intrusions {
    fn add(&mut self, more: &Intrusions) {
        self.positions += more.positions;
        self.unattacked += more.unattacked;
        self.capturable += more.capturable;
        self.mates += more.mates;
        self.survived += more.survived;
    }
}

/// The letters of the intruders in the order of their squares, padded with zeros.
type Who = [u8; 4];

/// Counts by number of units and by intruders, with the first counterexample.
type Census = (BTreeMap<(u32, Who), Intrusions>, Option<String>);

/// Checks the claim on the game's own board.
pub(super) fn check(effort: &Effort) -> Finding {
    intrusions(start("convergent").game.as_ref(), 4, effort)
}

/// Checks every position of up to `most` units with an intruder on a royal square of the side to move.
pub fn intrusions(game: &dyn Game<Narrow>, most: u32, effort: &Effort) -> Finding {
    let board = game.board();
    let mut pairs = Vec::new();
    for side in Color::BOTH {
        for king in board.squares().iter() {
            for other in (board.squares().without(king) & !board.neighbors(king)).iter() {
                pairs.push((side, king, other));
            }
        }
    }
    let parts: Vec<Census> = parallel::map_all(&pairs, |&(side, king, other)| {
        let mut census = Census::default();
        if !effort.stopped() {
            with_kings(game, side, king, other, most, &mut census);
        }
        census
    });
    let mut all: BTreeMap<(u32, Who), Intrusions> = BTreeMap::new();
    let mut counterexample = None;
    for (counts, fault) in parts {
        for (key, c) in counts {
            all.entry(key).or_default().add(&c);
        }
        counterexample = counterexample.or(fault);
    }
    let mut evidence = Evidence::new(&[
        "units",
        "intruders",
        "positions",
        "intruder_unattacked",
        "intruder_capturable_by_a_legal_turn",
        "not_capturable_and_mate",
        "not_capturable_and_no_mate",
    ]);
    let mut sum = Intrusions::default();
    for ((units, who), c) in &all {
        let letters = who.iter().filter(|&&letter| letter != 0);
        evidence.row([
            units.to_string(),
            letters.map(|&letter| char::from(letter)).collect(),
            c.positions.to_string(),
            c.unattacked.to_string(),
            c.capturable.to_string(),
            c.mates.to_string(),
            c.survived.to_string(),
        ]);
        sum.add(c);
    }
    let summary = format!(
        "all {} legal positions of up to {most} units with an intruder: no legal turn captures it \
         in {}, {} of these are mate (in {} of the positions nothing even attacks it){}",
        sum.positions,
        sum.mates + sum.survived,
        sum.mates,
        sum.unattacked,
        counterexample.map_or(String::new(), |c| format!("; no mate: {c}")),
    );
    Finding::exhaustive(sum.survived == 0 && sum.mates > 0, summary, evidence)
}

/// Adds up to `most - 2` units to two kings in every way that gives `side`, which is to move, an intruder.
fn with_kings(
    game: &dyn Game<Narrow>,
    side: Color,
    king: Square,
    other: Square,
    most: u32,
    census: &mut Census,
) {
    let board = game.board();
    let royal = royal_squares(board, side);
    let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|&k| k != Kind::King).collect();
    let mut p = Position::<Narrow>::empty();
    p.side = side;
    p.put(side, Kind::King, king);
    p.put(!side, Kind::King, other);
    let free = board.squares().without(king).without(other);
    // Further units are added in one order, so each set of units occurs once.
    let units: Vec<(Square, Color, Kind)> = free
        .iter()
        .flat_map(|square| {
            let both = Color::BOTH.into_iter();
            both.flat_map(|color| kinds.iter().map(move |&kind| (color, kind)))
                .map(move |(color, kind)| (square, color, kind))
        })
        .collect();
    if royal.has(other) {
        intrusion(game, &p, royal, census);
    }
    for (i, &(first, color, kind)) in units.iter().enumerate() {
        if most < 3 {
            break;
        }
        let mut p = p;
        p.put(color, kind, first);
        let already = royal.has(other) || (color != side && royal.has(first));
        if already {
            intrusion(game, &p, royal, census);
        }
        for &(second, color, kind) in &units[i + 1..] {
            if most < 4 {
                break;
            }
            if second != first && (already || (color != side && royal.has(second))) {
                let mut p = p;
                p.put(color, kind, second);
                intrusion(game, &p, royal, census);
            }
        }
    }
}

/// Counts a position with an intruder on one of these royal squares. Positions that the opponent's last turn
/// could not have left are skipped.
fn intrusion(game: &dyn Game<Narrow>, p: &Position<Narrow>, royal: u64, census: &mut Census) {
    if game.in_check(p, !p.side) {
        return;
    }
    let intruders = royal & p.color(!p.side);
    let units = p.occupied().len();
    let mut who = Who::default();
    for (letter, square) in who.iter_mut().zip(intruders.iter()) {
        *letter = game.men().letters[p.kind_on(square).index()];
    }
    let count = census.0.entry((units, who)).or_default();
    count.positions += 1;
    let attacked = intruders
        .iter()
        .any(|square| game.attackers(p, square, p.side) != 0);
    count.unattacked += u64::from(!attacked);
    let (outcome, captured) = with_turns(|turns| {
        game.turns(p, turns);
        let captured = turns.iter().any(|turn| intruders.has(turn.first().to));
        match turns.is_empty() {
            true => (game.outcome_without_turn(p), false),
            false => (Outcome::Ongoing, captured),
        }
    });
    if captured {
        count.capturable += 1;
    } else if outcome == Outcome::Win(!p.side, reason::CHECKMATE) {
        count.mates += 1;
    } else {
        count.survived += 1;
        census.1.get_or_insert_with(|| fen::print(game, p));
    }
}
